"""Options and arguments that several commands share: what the shell completes them by, and how their words are read."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from datetime import date, time
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from click.shell_completion import CompletionItem

from tourney.cli.output import visible
from tourney.cli.session import Session
from tourney.decode import MAX_DIGITS, parse_toml
from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.event.penalties import Infraction, Level, PenaltyList


T = TypeVar("T")


# -- What the shell may complete: the events here, and what an event and the data know. A completer never complains


Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def events(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the event files here, and after `pg:` the events of the database; where none fits, files are the shell's business."""
    scheme, begun = incomplete[:3], incomplete[3:]
    if scheme.lower() == "pg:":
        from tourney.store.places import list_events

        try:
            return _items(
                (f"{scheme}{event.name}", event.last[:16])
                for event in list_events("pg:")
                if event.name.startswith(begun)
            )
        except TourneyError:
            return []
    here = sorted(str(path) for path in Path().glob("*.tourney"))
    fitting = _items((name, None) for name in here if name.startswith(incomplete))
    return fitting or [CompletionItem(incomplete, type="file")]


def _knowing(words: Callable[[Session, str], Iterable[str | tuple[str, str]]]) -> Completer:
    """Make a completer of a function that may refuse: no event here means nothing to complete, not an error."""

    @wraps(words)
    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            fitting = [
                (word, None) if isinstance(word, str) else word for word in words(_session(ctx), incomplete)
            ]
        except (TourneyError, OSError):
            return []
        lowered = incomplete.casefold()
        return _items((word, note) for word, note in fitting if word.casefold().startswith(lowered))

    return complete


def _session(ctx: click.Context) -> Session:
    data = ctx.params.get("data")
    return _SilentSession(event_name=ctx.params.get("event"), data=Path(data) if data else None)


class _SilentSession(Session):
    """The session of a completer: a warning would appear inside the line that is being typed."""

    def warn(self, text: str, hint: str | None = None) -> None:
        """Do nothing."""


def _items(words: Iterable[tuple[str, str | None]]) -> list[CompletionItem]:
    """Return words, each with what is said beside it, as shells may be handed them.

    Click tells a shell its answer line by line: a word with a line end or another control character would be read as
    something else, and nobody can type it, so it is left out.
    """
    return [
        CompletionItem(_typed(word), help=note and " ".join(visible(note).split()))
        for word, note in words
        if visible(word) == word and not {"\n", "\t"} & set(word)
    ]


def _typed(word: str) -> str:
    """Return a word as it must be answered: bash, alone among the shells, does not quote what it is given.

    Two backslashes for one, because the `read` of click's script for bash takes one away.
    """
    if not os.environ.get("_TOURNEY_COMPLETE", "").startswith("bash"):
        return word
    return re.sub(r"([^\w\-./:@%+=,])", r"\\\1", word).replace("\\", "\\\\")


@_knowing
def players(session: Session, incomplete: str) -> Iterable[tuple[str, str]]:
    """Complete players by name, or by number after `#`."""
    with session.desk() as desk:
        registered = desk.state.players.values()
        if incomplete.startswith("#"):
            return [(f"#{player.id}", player.name) for player in registered]
        return [(player.name, f"#{player.id}") for player in registered]


@_knowing
def parts(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete the parts of a deck that the event may have for everybody."""
    from tourney.desk.shared_decks import sharable

    with session.desk() as desk:
        return [(part.id, part.name) for part in sharable(desk.rules.format)]


@_knowing
def post_names(*_: object) -> Iterable[tuple[str, str]]:
    """Complete the names that addresses are kept under."""
    from tourney.store.files import user_folder
    from tourney.store.outbox import Outbox

    return [(name, address.origin) for name, address in Outbox(user_folder()).addresses().items()]


@_knowing
def tables(session: Session, incomplete: str) -> Iterable[tuple[str, str]]:
    """Complete the tables that are still playing, with who sits there; by a letter, the players themselves."""
    with session.desk() as desk:
        state = desk.state
    if state.round is None:
        return []
    playing = [state.round.tables[number] for number in state.round.playing]
    if incomplete and not incomplete[0].isdigit():
        return [
            (state.players[each].name, f"table {table.number}") for table in playing for each in table.seats
        ]
    return [
        (str(table.number), " – ".join(state.players[player].name for player in table.seats))
        for table in playing
    ]


@_knowing
def ends(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete how a game may end otherwise than by its score: the format's words, and those of any game."""
    from tourney.rules.scoring import USUAL_ENDS

    with session.desk() as desk:
        scoring = desk.scoring()
    known = USUAL_ENDS if scoring is None else scoring.ends.values()
    return [(end.word, end.says) for end in known]


@_knowing
def penalties(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete levels and infractions of the event's list of penalties."""
    rules = _penalty_list(session)
    return _as_words(*rules.levels, *rules.infractions)


@_knowing
def levels(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete the levels of the event's list of penalties."""
    return _as_words(*_penalty_list(session).levels)


@_knowing
def infractions(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete the infractions of the event's list of penalties."""
    return _as_words(*_penalty_list(session).infractions)


def _penalty_list(session: Session) -> PenaltyList:
    with session.desk() as desk:
        return desk.penalty_list()


def _as_words(*named: Level | Infraction) -> list[tuple[str, str]]:
    return [(each.name.replace(" ", "-"), each.means) for each in named]


@_knowing
def penalty_entries(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete the entries of the penalties that were given."""
    with session.desk() as desk:
        state = desk.state
    return [(str(each.entry), f"{state.players[each.player].name}: {each.kind}") for each in state.penalties]


@_knowing
def formats(session: Session, _: str) -> Iterable[str]:
    """Complete the names of the formats within reach."""
    return session.library().formats()


@_knowing
def games(session: Session, _: str) -> Iterable[str]:
    """Complete the games of those formats."""
    return sorted({name.partition("/")[0] for name in session.library().formats()})


@_knowing
def profiles(session: Session, _: str) -> Iterable[str]:
    """Complete the names of the standings profiles within reach."""
    return session.library().profiles()


@_knowing
def banlists(session: Session, _: str) -> Iterable[str]:
    """Complete the names of the ban lists within reach, and `none`."""
    return [*session.library().banlists(), "none"]


@_knowing
def pools(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete the names of the card pools within reach."""
    library = session.library()
    return [(name, library.pool(name).schema.name) for name in library.pools()]


@_knowing
def cards(session: Session, incomplete: str) -> Iterable[tuple[str, str]]:
    """Complete the names of cards in any pool, once there is a letter to go by."""
    library = session.library()
    games = library.pools() if incomplete else ()
    return [(name, game) for game in games for name in library.pool(game).names()]


F = TypeVar("F", bound=Callable[..., Any])


def together(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Return one decorator for several options, which the help names in this order."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def gathered(name: str, shape: type) -> Callable[[F], F]:
    """Return a decorator that hands a command the options which the dataclass `shape` has as one value of it, by that name."""

    def decorate(function: F) -> F:
        @wraps(function)
        def call(*args: Any, **options: Any) -> Any:
            own = {field.name: options.pop(field.name) for field in fields(shape)}
            return function(*args, **{name: shape(**own)}, **options)

        return cast("F", call)

    return decorate


# -- Who and where


who = click.argument("who", metavar="PLAYER", shell_complete=players)
"""One player: name, unambiguous prefix or #7."""

several = click.argument("who", metavar="PLAYER...", nargs=-1, required=True, shell_complete=players)
"""One player or more."""

table = click.argument("table", metavar="TABLE|PLAYER", shell_complete=tables)
"""A table: its number, or somebody who sits there."""


def all_or_named(everybody: str) -> Callable[[F], F]:
    """Take players by name, or --all of them with --except. everybody: the help of --all."""
    return together(
        click.argument("who", metavar="PLAYER...", nargs=-1, shell_complete=players),
        click.option("--all", "everybody", is_flag=True, help=everybody),
        click.option(
            "--except",
            "but",
            metavar="PLAYER",
            multiple=True,
            shell_complete=players,
            help="With --all: not this player; several times for several.",
        ),
    )


def check_all_or_named(who: Sequence[str], everybody: bool, but: Sequence[str]) -> None:
    """Raise UsageError where neither or both are said."""
    if bool(who) is everybody:
        raise click.UsageError(
            "name players, or say --all" if not who else "--all needs no names: --except takes some out"
        )
    if but and not everybody:
        raise click.UsageError("--except goes with --all")


# -- When and why


reason = click.option("--reason", metavar="TEXT", help="Why; kept with the entry and told by `event log`.")
"""Kept apart from the chain, so that it can be erased."""

round_number = click.option(
    "--round",
    "round_number",
    metavar="N",
    type=click.IntRange(min=1),
    help="Round N instead of the current one.",
)

at_entry = click.option(
    "--at", metavar="ENTRY", type=click.IntRange(min=1), help="As the event stood after that entry."
)
"""See `Session.look`."""


def dated(option: str, name: str, help_: str) -> Callable[[F], F]:
    """Return an option that takes a day (YYYY-MM-DD); the command gets a `date`."""
    return click.option(
        option,
        name,
        metavar="DAY",
        type=click.DateTime(["%Y-%m-%d"]),
        callback=lambda _, __, value: value.date() if value else None,
        help=help_,
    )


day_option = dated("--on", "on", "The day whose rules and ban list hold (YYYY-MM-DD); today by default.")


# -- Under which rules, on whose word


def format_option(help_: str, **more: Any) -> Callable[[F], F]:
    """Return `--format NAME|FILE`; `more` as click has it."""
    return click.option(
        "--format", "format_name", metavar="NAME|FILE", shell_complete=formats, help=help_, **more
    )


def banlist_option(help_: str) -> Callable[[F], F]:
    """Return `--banlist NAME|FILE|none`."""
    return click.option("--banlist", metavar="NAME|FILE|none", shell_complete=banlists, help=help_)


def profile_option(help_: str) -> Callable[[F], F]:
    """Return `--profile NAME|FILE`, the standings profile."""
    return click.option("--profile", metavar="NAME|FILE", shell_complete=profiles, help=help_)


def trust_declared(help_: str) -> Callable[[F], F]:
    """Return `--trust-declared`; help_: what is believed, and on whose word."""
    return click.option("--trust-declared", is_flag=True, help=help_)


VOUCHED = "Believe the facts a list declares where the pool knows nothing; you vouch for them by name."
"""The help of `--trust-declared` where lists are registered."""

anyway = click.option(
    "--anyway",
    is_flag=True,
    help="Register it though it is illegal, or decks are locked (the organizer's word).",
)
"""Of a list that is registered whatever stands against it."""

fetch_options = together(
    click.option(
        "--accept", is_flag=True, help="Take it even if it looks wrong: empty, shrunk, unknown names."
    ),
    click.option(
        "--insecure",
        is_flag=True,
        help="Allow http, and https servers whose certificate nobody vouches for.",
    ),
)


class Amount(click.FloatRange):
    """A number in a range; `nan`, which no range keeps out, is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number. Fails for what is none, and for what is outside the range."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"`{value}` is not a number", param, ctx)
        return number


players_of_runs = together(
    click.option(
        "--dice",
        metavar="TEXT",
        default="1",
        help="Other random numbers: each text has its own, always the same.",
    ),
    click.option(
        "--jobs", metavar="N", type=click.IntRange(1, 256), help="Processes that play (one for each core)."
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="A dask scheduler whose workers play, on any number of machines (the extra `cluster`).",
    ),
)
"""By which random numbers runs are played, and by whom; no answer hangs on --jobs and --scheduler."""


# -- How words are read


def pairs(given: Iterable[str], option: str, shape: str = "KEY=VALUE") -> dict[str, str]:
    """Read `KEY=VALUE` words. Raises click.UsageError for a word without `=`; `shape` is what it should be."""
    values = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise click.UsageError(f"{option} takes {shape}, not `{word}`")
        values[key.strip()] = value.strip()
    return values


def settings(given: Iterable[str]) -> dict[str, Any]:
    """Read `KEY=VALUE` words as settings: a number, true, false, a TOML value, else text; `none` is nothing.

    >>> settings(["best_of=3", "draws=false", "late=half-bye", "rounds=none"])
    {'best_of': 3, 'draws': False, 'late': 'half-bye', 'rounds': None}
    """
    return {key: _value(value) for key, value in pairs(given, "--set").items()}


def _value(text: str) -> object:
    if text.lower() in {"none", ""}:
        return None
    try:
        value: object = parse_toml(f"value = {text}", source="--set")["value"]
    except TourneyError:
        return text
    return text if isinstance(value, (date, time)) else value


def apart(given: Iterable[str]) -> dict[str, int]:
    """Read `KIND` or `KIND:ROUNDS` words: for how many first rounds those with an equal tag are kept apart (0: always).

    >>> apart(["club", "family:2"])
    {'club': 0, 'family': 2}
    """
    from tourney.record import parse_whole_number

    rounds_apart = {}
    for word in given:
        kind, _, rounds = word.partition(":")
        try:
            rounds_apart[kind] = parse_whole_number(rounds or "0", digits=MAX_DIGITS)
        except TourneyError:
            raise click.UsageError(f"--keep-apart takes KIND or KIND:ROUNDS, not `{word}`") from None
    return rounds_apart
