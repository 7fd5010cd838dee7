"""Options and arguments that several commands share.

The module also completes them in the shell, and parses their values.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, time
from functools import partial, wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click
from click.shell_completion import CompletionItem
from msgspec import Struct

from tourney.cli.output import visible
from tourney.cli.session import Session
from tourney.decode import MAX_DIGITS, parse_toml
from tourney.errors import TourneyError
from tourney.store.places import list_events

F = TypeVar("F", bound=Callable[..., Any])


# -- shell completion. It shows no errors and no warnings: they would appear in the line that the user types


Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

Words = Iterable[str | tuple[str, str]]
"""Possible completions, each alone or with a note."""


def events(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer the event files in this folder, or after `pg:` the events of the database.

    If no event file fits, the shell completes file names.
    """
    scheme, start = incomplete[:3], incomplete[3:]
    if scheme.lower() == "pg:":
        try:
            return _items(
                (f"{scheme}{row.event[3:]}", row.last[:16])
                for row in list_events("pg:").events
                if row.event[3:].startswith(start)
            )
        except TourneyError:
            return []
    items = _items(name for name in sorted(map(str, Path().glob("*.tourney"))) if name.startswith(incomplete))
    return items or [CompletionItem(incomplete, type="file")]


def completer(words: Callable[[Session, str], Words]) -> Completer:
    """Return a callback for shell completion that offers the words that a function returns.

    If the function fails, for example because there is no event, nothing is completed.
    """

    @wraps(words)
    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        data = ctx.params.get("data")
        session = _SilentSession(event_name=ctx.params.get("event"), data=Path(data) if data else None)
        try:
            items = _items(words(session, incomplete))
        except (TourneyError, OSError):
            return []
        start = _for_shell(incomplete).casefold()
        return [item for item in items if item.value.casefold().startswith(start)]

    return complete


class _SilentSession(Session):
    def warn(self, text: str, hint: str | None = None) -> None:
        """Do nothing: a warning would disturb the command line that the shell completes."""


def _items(words: Words) -> list[CompletionItem]:
    """Return items for the shell, without words that have control characters.

    The shell reads line by line.
    """
    pairs = [(word, None) if isinstance(word, str) else word for word in words]
    return [
        CompletionItem(_for_shell(word), help=note and " ".join(visible(note).split()))
        for word, note in pairs
        if visible(word) == word and not {"\n", "\t"} & set(word)
    ]


def _for_shell(word: str) -> str:
    """Escape a word for bash, which does not quote completions; other shells get it unchanged.

    Backslashes are doubled because the `read` in click's script for bash removes one.
    """
    if not os.environ.get("_TOURNEY_COMPLETE", "").startswith("bash"):
        return word
    return re.sub(r"([^\w\-./:@%+=,])", r"\\\1", word).replace("\\", "\\\\")


@completer
def players(session: Session, incomplete: str) -> Words:
    """Offer players for shell completion: by name, or by number after `#`."""
    with session.desk() as desk:
        names = {f"#{player.id}": player.name for player in desk.state.players.values()}
    return names.items() if incomplete.startswith("#") else [(name, number) for number, name in names.items()]


@completer
def parts(session: Session, _: str) -> Words:
    """Offer the deck parts that can be registered once for all players, for shell completion."""
    from tourney.desk.registration import sharable_parts

    with session.desk() as desk:
        return [(part.id, part.name) for part in sharable_parts(desk.rules.format)]


@completer
def post_names(session: Session, _: str) -> Words:
    """Offer the names of the saved addresses to which posts can be sent, for shell completion."""
    return [(name, address.origin) for name, address in session.outbox().addresses().items()]


@completer
def tables(session: Session, incomplete: str) -> Words:
    """Offer the numbers of the open tables for shell completion.

    Once a letter is typed, offer the players at these tables instead.
    """
    with session.desk() as desk:
        state = desk.state
    if state.round is None:
        return []
    names = {
        table.number: [state.players[player].name for player in table.seats]
        for table in state.round.open_tables
    }
    if incomplete and not incomplete[0].isdigit():
        return [(name, f"table {number}") for number, player_names in names.items() for name in player_names]
    return [(str(number), " – ".join(player_names)) for number, player_names in names.items()]


@completer
def ends(session: Session, _: str) -> Words:
    """Offer the words for how a game ended, for shell completion.

    These are the format's words, or the usual ones.
    """
    with session.desk() as desk:
        return [(end.word, end.says) for end in desk.scoring().ends.values()]


def _penalty_words(*kinds: str) -> Completer:
    """Return a completer for words of the event's list of penalties.

    kinds: `levels`, `infractions`
    """

    @completer
    def complete(session: Session, _: str) -> Words:
        with session.desk() as desk:
            rules = desk.penalty_list()
        return [(row.name.replace(" ", "-"), row.means) for kind in kinds for row in getattr(rules, kind)]

    return complete


levels = _penalty_words("levels")
infractions = _penalty_words("infractions")
penalties = _penalty_words("levels", "infractions")


@completer
def penalty_entries(session: Session, _: str) -> Words:
    """Offer the entry numbers of penalties for shell completion."""
    with session.desk() as desk:
        state = desk.state
    return [
        (str(penalty.entry), f"{state.players[penalty.player].name}: {penalty.level}")
        for penalty in state.penalties
    ]


formats = completer(lambda session, _: session.library().formats())
"""Offers the names of formats for shell completion."""

games = completer(lambda session, _: sorted({name.partition("/")[0] for name in session.library().formats()}))
"""Offers the games that have formats, for shell completion."""

profiles = completer(lambda session, _: session.library().profiles())
"""Offers the names of standings profiles for shell completion."""

banlists = completer(lambda session, _: [*session.library().banlists(), "none"])
"""Offers the names of ban lists, and `none`, for shell completion."""


@completer
def pools(session: Session, _: str) -> Words:
    """Offer the names of card pools for shell completion."""
    library = session.library()
    return [(name, library.pool(name).schema.name) for name in library.pools()]


@completer
def cards(session: Session, incomplete: str) -> Words:
    """Offer the card names of all pools for shell completion, once a letter is typed."""
    library = session.library()
    games = library.pools() if incomplete else ()
    return [(name, game) for game in games for name in library.pool(game).names()]


# -- decorators


flag = partial(click.option, is_flag=True)
"""An option without a value."""

positive = partial(click.option, metavar="N", type=click.IntRange(min=1))
"""An option that takes a whole number, at least 1."""

repeatable = partial(click.option, multiple=True)
"""An option that can be repeated."""


def choice(option: str, words: Sequence[str], help: str) -> Callable[[F], F]:  # noqa: A002  as click names it
    """Return an option that takes one of several words; the first is the default."""
    return click.option(option, type=click.Choice(words), default=words[0], show_default=True, help=help)


def together(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Return a decorator that adds several options; the help shows them in this order."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def gather_options(name: str, shape: type[Struct]) -> Callable[[F], F]:
    """Return a decorator that passes several options as one argument, a struct.

    name: the name of the argument
    shape: the struct; its fields have the names of the options. A field without an option has a default
    """

    def decorate(function: F) -> F:
        @wraps(function)
        def call(*args: Any, **options: Any) -> Any:
            values = {name: options.pop(name) for name in shape.__struct_fields__ if name in options}
            return function(*args, **{name: shape(**values)}, **options)

        return cast("F", call)

    return decorate


# -- players and tables


player_argument = click.argument("player_name", metavar="PLAYER", shell_complete=players)
"""A player: a name, an unambiguous prefix, or #7."""

players_argument = click.argument(
    "player_names", metavar="PLAYER...", nargs=-1, required=True, shell_complete=players
)
"""One or more players."""

table = click.argument("table", metavar="TABLE|PLAYER", shell_complete=tables)
"""A table: its number, or one of its players."""


def all_or_named(all_players: str) -> Callable[[F], F]:
    """Return a decorator for commands that take either the names of players, or `--all`.

    With `--all`, `--except` leaves players out. Any other combination is a usage error.

    all_players: the help text of `--all`
    """
    options = together(
        click.argument("player_names", metavar="[PLAYER]...", nargs=-1, shell_complete=players),
        flag("--all", "all_players", help=all_players),
        repeatable(
            "--except",
            "but",
            metavar="PLAYER",
            shell_complete=players,
            help="With --all: leave this player out; can be repeated.",
        ),
    )

    def decorate(function: F) -> F:
        @wraps(function)
        def call(
            *args: Any, player_names: Sequence[str], all_players: bool, but: Sequence[str], **others: Any
        ) -> Any:
            if not (player_names or all_players):
                raise click.UsageError("name players, or use --all")
            if player_names and all_players:
                raise click.UsageError("--all takes no names; --except leaves some out")
            if but and not all_players:
                raise click.UsageError("--except needs --all")
            return function(*args, player_names=player_names, all_players=all_players, but=but, **others)

        return options(cast("F", call))

    return decorate


# -- reasons, rounds and days


reason = click.option("--reason", metavar="TEXT", help="The reason; `event log` shows it with the entry.")
"""The option for the reason of a change.

The text is stored beside the journal, not in it, so that it can be erased.
"""

round_number = positive("--round", "round_number", help="Round N instead of the current one.")

at_entry = positive("--at", metavar="ENTRY", help="Show the event as it was after this entry.")
"""The option that shows the event as it was after an entry; see `Session.look`."""


def date_option(option: str, name: str, help_: str) -> Callable[[F], F]:
    """Return an option for a day (YYYY-MM-DD), which the command gets as a `date`."""
    return click.option(
        option,
        name,
        metavar="DAY",
        type=click.DateTime(["%Y-%m-%d"]),
        callback=lambda _, __, value: value.date() if value else None,
        help=help_,
    )


day_option = date_option("--on", "on", "The day (YYYY-MM-DD) whose rules and ban list apply. Default: today.")


file_option = click.option(
    "--file",
    "-e",
    "file",
    metavar="EVENT",
    help="The event's file, or its name in a database; by default a file here, named after the event.",
)
"""The option of commands that make an event: where to write it. `new_place` reads the value."""


# -- rules


paper = choice("--paper", ["a4", "letter"], help="The paper size.")


def format_option(help_: str, *names: str, **more: Any) -> Callable[[F], F]:
    """Return the option for a format, NAME|FILE.

    names: the names of the option and of the argument. Default: `--format`, `format_name`
    more: further options of `click.option`
    """
    names = names or ("--format", "format_name")
    return click.option(*names, metavar="NAME|FILE", shell_complete=formats, help=help_, **more)


def banlist_option(help_: str) -> Callable[[F], F]:
    """Return `--banlist NAME|FILE|none`."""
    return click.option("--banlist", metavar="NAME|FILE|none", shell_complete=banlists, help=help_)


def profile_option(help_: str) -> Callable[[F], F]:
    """Return `--profile NAME|FILE`, the standings profile."""
    return click.option("--profile", metavar="NAME|FILE", shell_complete=profiles, help=help_)


trust_declared = flag(
    "--trust-declared", help="Trust the facts that a list declares about cards missing from the pool."
)

vouch = flag(
    "--trust-declared",
    help="Trust the facts that a list declares about cards missing from the pool; "
    "you vouch for them by name.",
)
"""The option `--trust-declared` of commands that register decklists."""

anyway = flag("--anyway", help="Register the list even if it is illegal or decks are locked.")
fetch_options = together(
    flag("--accept", help="Accept data that looks wrong: empty, shrunk, unknown names."),
    flag("--insecure", help="Allow http, and https servers without a valid certificate."),
)


# -- values of options


def pairs(words: Iterable[str], option: str, shape: str = "KEY=VALUE") -> dict[str, str]:
    """Parse `KEY=VALUE` words. Raises click.UsageError for other words.

    shape: what a word looks like, for the error message
    """
    values = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise click.UsageError(f"{option} takes {shape}, not `{word}`")
        values[key.strip()] = value.strip()
    return values


def parse_settings(words: Iterable[str]) -> dict[str, Any]:
    """Parse `KEY=VALUE` words as settings.

    A value is read as TOML if possible, otherwise as text; `none` is None.

    >>> parse_settings(["best_of=3", "draws=false", "late=half-bye", "rounds=none"])
    {'best_of': 3, 'draws': False, 'late': 'half-bye', 'rounds': None}
    """
    return {key: _value(value) for key, value in pairs(words, "--set").items()}


def _value(text: str) -> object:
    if text.lower() in {"none", ""}:
        return None
    try:
        value: object = parse_toml(f"value = {text}", source="--set")["value"]
    except TourneyError:
        return text
    return text if isinstance(value, (date, time)) else value


def parse_apart(words: Iterable[str]) -> dict[str, int]:
    """Parse `KIND` or `KIND:ROUNDS` words; return kind of tag → number of rounds.

    Players with the same tag are kept apart in rounds 1 to ROUNDS. 0, or `KIND` alone, means in all rounds.

    >>> parse_apart(["club", "family:2"])
    {'club': 0, 'family': 2}
    """
    from tourney.record import parse_whole_number  # needed only for this option

    rounds_apart = {}
    for word in words:
        kind, _, rounds = word.partition(":")
        try:
            rounds_apart[kind] = parse_whole_number(rounds or "0", digits=MAX_DIGITS)
        except TourneyError:
            raise click.UsageError(f"--keep-apart takes KIND or KIND:ROUNDS, not `{word}`") from None
    return rounds_apart
