"""Options and arguments that several commands share: how they are read, and what the shell may complete them with.

Also the rulesets that `--format`, `--on`, `--banlist` and `--set` choose.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from tourney.cli.output import visible
from tourney.cli.session import Session
from tourney.decode import MOST_DIGITS, parse_toml
from tourney.errors import TourneyError, fault_of_the_rules

if TYPE_CHECKING:
    from tourney.event.penalties import Infraction, Level, PenaltyList
    from tourney.rules import BanList, Format, Ruleset
    from tourney.store.data import Library


F = TypeVar("F", bound=Callable[..., Any])


def reason(function: F) -> F:
    """Add `--reason TEXT`; kept with the entry, apart from the chain."""
    return click.option("--reason", metavar="TEXT", help="Why; kept with the entry and told by `event log`.")(
        function
    )


def who(function: F) -> F:
    """Add one player: name, unambiguous prefix or #7."""
    return click.argument("who", metavar="PLAYER", shell_complete=players)(function)


def table(function: F) -> F:
    """Add a table: its number, or somebody who sits there."""
    return click.argument("table", metavar="TABLE|PLAYER", shell_complete=tables)(function)


def several(function: F) -> F:
    """Add one player or more."""
    return click.argument("who", metavar="PLAYER...", nargs=-1, required=True, shell_complete=players)(
        function
    )


def all_or_named(everybody: str) -> Callable[[F], F]:
    """Take players by name, or --all of them with --except. everybody: the help of --all."""

    def decorate(function: F) -> F:
        for each in (
            click.option(
                "--except",
                "but",
                metavar="PLAYER",
                multiple=True,
                shell_complete=players,
                help="With --all: not this player; several times for several.",
            ),
            click.option("--all", "everybody", is_flag=True, help=everybody),
            click.argument("who", metavar="PLAYER...", nargs=-1, shell_complete=players),
        ):
            function = each(function)
        return function

    return decorate


def check_all_or_named(who: Sequence[str], everybody: bool, but: Sequence[str]) -> None:
    """Raise UsageError where neither or both are said."""
    if bool(who) is everybody:
        raise click.UsageError(
            "name players, or say --all" if not who else "--all needs no names: --except takes some out"
        )
    if but and not everybody:
        raise click.UsageError("--except goes with --all")


def round_number(function: F) -> F:
    """Add `--round N`."""
    return click.option(
        "--round",
        "round_number",
        metavar="N",
        type=click.IntRange(min=1),
        help="Round N instead of the current one.",
    )(function)


def at_entry(function: F) -> F:
    """Add `--at ENTRY`; see `Session.look`."""
    return click.option(
        "--at", metavar="ENTRY", type=click.IntRange(min=1), help="As the event stood after that entry."
    )(function)


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


def day_option(function: F) -> F:
    """Add `--on DAY`."""
    return dated("--on", "on", "The day whose rules and ban list hold (YYYY-MM-DD); today by default.")(
        function
    )


def format_option(
    help_: str, *, name: str = "format_name", short: bool = False, **more: Any
) -> Callable[[F], F]:
    """Return `--format NAME|FILE`, with -f if `short`; `more` as click has it. help_: what is done by it, and without it."""
    names = ["-f", "--format"] if short else ["--format"]
    return click.option(*names, name, metavar="NAME|FILE", shell_complete=formats, help=help_, **more)


def profile_option(help_: str) -> Callable[[F], F]:
    """Return `--profile NAME|FILE`, the standings profile."""
    return click.option("--profile", metavar="NAME|FILE", shell_complete=profiles, help=help_)


def trust_declared(help_: str) -> Callable[[F], F]:
    """Return `--trust-declared`; help_: what is believed, and on whose word."""
    return click.option("--trust-declared", is_flag=True, help=help_)


VOUCHED = "Believe the facts a list declares where the pool knows nothing; you vouch for them by name."
"""The help of `--trust-declared` where lists are registered."""


def anyway(function: F) -> F:
    """Add `--anyway`, of a list that is registered whatever stands against it."""
    return click.option(
        "--anyway",
        is_flag=True,
        help="Register it though it is illegal, or decks are locked (the organizer's word).",
    )(function)


def fetch_options(function: F) -> F:
    """Add `--accept` and `--insecure`."""
    function = click.option(
        "--insecure", is_flag=True, help="Allow http, and https servers whose certificate nobody vouches for."
    )(function)
    return click.option(
        "--accept", is_flag=True, help="Take it even if it looks wrong: empty, shrunk, unknown names."
    )(function)


def pairs(given: Iterable[str], option: str, shape: str = "KEY=VALUE") -> dict[str, str]:
    """Read `KEY=VALUE` words. Raises click.UsageError for a word without `=`; `shape` is what it should be."""
    values = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise click.UsageError(f"{option} takes {shape}, not `{word}`")
        values[key.strip()] = value.strip()
    return values


def pairs_at_last(given: Iterable[str], option: str) -> dict[str, str]:
    """Read `KEY=VALUE` words whose key may hold a `=` itself. Raises click.UsageError for a word without one."""
    values = {}
    for word in given:
        key, equals, value = word.rpartition("=")
        if not equals or not key.strip():
            raise click.UsageError(f"{option} takes HEADER=WHAT, not `{word}`")
        values[key.strip()] = value.strip().lower()
    return values


BYE_KINDS = "awarded-bye, half-bye or absent"
"""What a round without a table can count as, in the words of `--bye`."""


def byes(given: Iterable[str]) -> dict[int, str]:
    """Read `ROUND=KIND` words. Raises click.UsageError where the round is no number."""
    from tourney.record import whole_from_text

    kinds = {}
    for number, kind in pairs(given, "--bye", "ROUND=KIND").items():
        try:
            kinds[whole_from_text(number, digits=MOST_DIGITS)] = kind
        except TourneyError:
            raise click.UsageError(f"--bye takes ROUND=KIND, not `{number}={kind}`") from None
    return kinds


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
    from tourney.record import whole_from_text

    rounds_apart = {}
    for word in given:
        kind, _, rounds = word.partition(":")
        try:
            rounds_apart[kind] = whole_from_text(rounds or "0", digits=MOST_DIGITS)
        except TourneyError:
            raise click.UsageError(f"--keep-apart takes KIND or KIND:ROUNDS, not `{word}`") from None
    return rounds_apart


# -- What the shell may complete: the events here, and what an event and the data know. A completer never complains


Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def events(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the event files here; where none fits, files are the shell's business."""
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
    return Session(event_name=ctx.params.get("event"), data=Path(data) if data else None)


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
    from tourney.store.data import user_folder
    from tourney.store.outbox import Outbox

    return [(name, address.told) for name, address in Outbox(user_folder()).addresses().items()]


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


# -- The rules a command checks by: the options that choose them, and the rulesets they choose


NONE = "none"
_MOST_READ = 5_000
"""Cards of a pool that is read whole for each check of a deck; `format show --check` reads larger ones, too."""


def ruleset_options(function: F) -> F:
    """Add `--on`, `--banlist` and `--set`."""
    function = click.option(
        "--set",
        "choices",
        metavar="KEY=VALUE",
        multiple=True,
        help="A choice the format leaves to the organizer (`tourney format show` lists them).",
    )(function)
    function = click.option(
        "--banlist",
        metavar="NAME|FILE|none",
        shell_complete=banlists,
        help="Another ban list than the format's, or `none`.",
    )(function)
    return day_option(function)


@dataclass
class Rulesets:
    """The rulesets a command line names, each read once.

    formats:  names or files; empty: the event's, or what each list says
    banlist:  name, file or `none` instead of the format's own
    settings: the organizer's choices
    tolerant: take a format that says what there cannot be (a zone, a choice); who asks tells of it
    """

    session: Session
    formats: Sequence[str]
    on: date | None = None
    banlist: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    tolerant: bool = False
    _rulesets: dict[str, Ruleset] = field(default_factory=dict)

    @cached_property
    def library(self) -> Library:
        """All data within reach."""
        return self.session.library()

    @property
    def day(self) -> date:
        """The day asked for, or today."""
        return self.on or self.session.now().date()

    @property
    def without_banlist(self) -> bool:
        """Whether the organizer plays without a ban list."""
        return self.banlist == NONE

    def ruleset(self, name: str) -> Ruleset:
        """Return the rules of a format on the day. Raises RulesError."""
        if name not in self._rulesets:
            from tourney.rules import Ruleset
            from tourney.rules.proofread import refuse_misspelt

            with fault_of_the_rules():
                format_ = self.library.format(name)
                if not self.tolerant:
                    refuse_misspelt(format_, self.library.pool_of(format_))
                    self._tell_words(format_, name)
                self._rulesets[name] = Ruleset(
                    format_,
                    self._banlist(format_.banlist),
                    self.library.pool_of(format_),
                    self.day,
                    {key: value for key, value in self.settings.items() if value is not None},
                    self.without_banlist,
                )
        return self._rulesets[name]

    def _tell_words(self, format_: Format, name: str) -> None:
        """Warn of words that no card of a complete pool has, in a format of one's own: it was hardly proofread before."""
        from tourney.rules.proofread import misspelt

        pool = self.library.pool_of(format_)
        if name in self.library.formats() or not pool.complete or len(pool) > _MOST_READ:
            return
        try:
            words = list(misspelt(format_, pool))
        except TourneyError:  # a line of the pool will not do: told by whoever asks for its card
            return
        for sentence in words:
            self.session.warn(
                sentence, "`tourney format show FILE --check` tells all that a format says in vain"
            )

    def load(self) -> None:
        """Read the rules before any list: those asked for, else the event's. Raises RulesError where some will not do."""
        for name in self.formats:
            self.ruleset(name)
        if not self.formats:
            _ = self.event_rules

    def of_list(self, content: bytes, source: str) -> Iterator[tuple[str, Ruleset]]:
        """Give the rules to hold a list against: of each format asked for, else the event's, else of what the list names.

        Raises TourneyError where none of them is here.
        """
        for name in self.formats:
            yield name, self.ruleset(name)
        if self.formats:
            return
        if event := self.event_rules:
            yield event.format.id, event
        else:
            from tourney.decks.reading import read

            name = self.format_named(read(content, source=source).format)
            yield name, self.ruleset(name)

    def on_day(self, name: str, day: date) -> Ruleset:
        """Return the rules of a format on another day."""
        other = Rulesets(self.session, self.formats, day, self.banlist, self.settings, self.tolerant)
        return other.ruleset(name)

    @cached_property
    def event_rules(self) -> Ruleset | None:
        """The rules of the event here, None where there is none (or several, and none is named).

        Raises TourneyError where one is named that cannot be opened, and for choices an event has made already.
        """
        if not self._event_named and not self._event_here():
            return None
        if self.banlist is not None or self.settings or self.on is not None:
            raise TourneyError(
                "an event has its own day, ban list and choices",
                "add `--format NAME` to check without the event",
            )
        with self.session.desk() as desk, fault_of_the_rules():
            return desk.rules.ruleset(desk.library)

    @property
    def _event_named(self) -> bool:
        return bool(self.session.event_name or os.environ.get("TOURNEY_EVENT"))

    @staticmethod
    def _event_here() -> bool:
        return len(list(Path().glob("*.tourney"))) == 1

    def format_named(self, named: str | None) -> str:
        """Return the format to use where none was asked for: `named`, the one that the list itself names.

        Raises TourneyError where it names none, or one that is not here.
        """
        names = self.library.formats()
        all_names = ", ".join(names) or "none"
        if not named:
            raise TourneyError(
                "which format? Say --format, or write `Format: NAME` into the list", f"there are {all_names}"
            )
        if named in names:
            return named
        fitting = [name for name in names if self.library.format(name).name.casefold() == named.casefold()]
        if len(fitting) != 1:
            raise TourneyError(
                f"the list says `Format: {named}`, which is not a format here", f"there are {all_names}"
            )
        return fitting[0]

    def _banlist(self, own: str | None) -> BanList | None:
        """Return the ban list that was asked for, else the format's own `own`, which may not be installed."""
        if self.without_banlist:
            return None
        if self.banlist:
            return self.library.read_banlist(self.library.banlist_named(self.banlist, self.day))
        return self.library.banlist(own, self.day) if own else None
