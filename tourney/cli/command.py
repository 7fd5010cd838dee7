"""What a command is here: its help with examples, the options every command has, the session it is given."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from tourney.cli.session import Session
from tourney.cli.streams import talk_error, visible
from tourney.decode import MOST_DIGITS, parse_toml
from tourney.errors import TourneyError
from tourney.record import whole_from_text

HELP = {"help_option_names": ["-h", "--help"]}
_HELP_WORDS = frozenset({"-h", "--help"})


class Command(click.Command):
    """A command with examples; it is handed a `Session` first, then its own parameters.

    notes: a heading of the help → what is said under it, in two columns
    """

    def __init__(
        self,
        *args: Any,
        examples: Sequence[str] = (),
        notes: Mapping[str, Mapping[str, str]] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(*args, **extra)
        self.examples = tuple(examples)
        self.notes = dict(notes or {})

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help and the examples."""
        super().format_help_text(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                formatter.write("".join(f"  {line}\n" for line in self.examples))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the notes."""
        super().format_options(ctx, formatter)
        for heading, lines in self.notes.items():
            with formatter.section(heading):
                formatter.write_dl(list(lines.items()))


class Noun(click.Group):
    """A group of commands about one thing.

    default: the command meant when none is named (`tourney standings` is `tourney standings show`)
    lazy:    commands that live in another module, imported when they run: name → "module:attribute"
    """

    def __init__(
        self, *args: Any, default: str | None = None, lazy: Mapping[str, str] | None = None, **extra: Any
    ) -> None:
        super().__init__(*args, context_settings=HELP, **extra)
        self.default = default
        self.lazy = dict(lazy or {})
        self.no_args_is_help = False

    def command(self, *args: Any, **extra: Any) -> Callable[[Callable[..., Any]], click.Command]:  # type: ignore[override]
        """Make a command of this noun; see `command` of this module for the parameters."""

        def add(function: Callable[..., Any]) -> click.Command:
            made = command(*args, **extra)(function)
            self.add_command(made)
            return made

        return add

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the commands in the order in which the module wrote them, the lazy ones after those."""
        return [*self.commands, *(name for name in self.lazy if name not in self.commands)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command, importing its module if it is a lazy one."""
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        place = self.lazy.get(cmd_name)
        if place is None:
            return None
        module, _, attribute = place.partition(":")
        found: click.Command = getattr(importlib.import_module(module), attribute)
        return found

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put in the default command where none is named; without one, help."""
        if self.default and not self._named(ctx, args):
            args = [self.default, *args]
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()
        return super().parse_args(ctx, args)

    def _named(self, ctx: click.Context, args: list[str]) -> bool:
        return bool(args) and (args[0] in _HELP_WORDS or args[0] in self.list_commands(ctx))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a near miss is told as a question."""
        if (
            not args[0].startswith("-")
            and not ctx.resilient_parsing
            and args[0] not in self.list_commands(ctx)
        ):
            from tourney.cards.names import nearest

            near = nearest(args[0], self.list_commands(ctx))
            asked = f"; did you mean `{ctx.command_path} {near}`?" if near else ""
            raise click.UsageError(f"there is no command `{ctx.command_path} {args[0]}`{asked}", ctx)
        return super().resolve_command(ctx, args)


def noun(name: str, *, default: str | None = None, lazy: Mapping[str, str] | None = None) -> Noun:
    """Make the group of a command module; its line of help stands in `sections.py`."""
    return Noun(name, help=NOUNS[name], default=default, lazy=lazy)


def command(
    name: str, *, examples: Sequence[str], event: bool = False, dry_run: bool = False, **extra: Any
) -> Callable[[Callable[..., Any]], Command]:
    """Make a command of a function `f(session, …) -> int | None`; its docstring is the help.

    examples: command lines as a user would paste them; asserted by tests to be parsable
    event:    whether it works on an event, and so has `-e/--event`
    dry_run:  whether it changes the event, and so can be tried on a copy by `--dry-run`
    Each command gets `--json`, `--quiet`, `--data` and `--no-color` at its end.
    """

    def make(function: Callable[..., Any]) -> Command:
        made = click.command(name, cls=Command, examples=examples, context_settings=HELP, **extra)(
            _given_session(function)
        )
        made.params.extend(_common(event=event, dry_run=dry_run))
        return made

    return make


_COMMON = ("event", "as_json", "quiet", "data", "no_color", "dry_run")


def _given_session(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(**values: Any) -> Any:
        common = {key: values.pop(key, None) for key in _COMMON}
        context = click.get_current_context()
        _refuse_no_text(context)
        session = Session(
            event_name=common["event"],
            json=bool(common["as_json"]),
            quiet=bool(common["quiet"]),
            data=Path(common["data"]) if common["data"] else None,
            no_color=bool(common["no_color"]),
            dry_run=bool(common["dry_run"]),
            words=context.find_root().obj or (),
        )
        context.color = session.color
        try:
            return function(session, **values)
        except KeyboardInterrupt:
            if (done := session.written) is None:
                raise
            # What is on the disk is a success, whether or not there was time to say so.
            talk_error(f"interrupted, but it is done: {' '.join(done.changed)}")
            for warning in done.warnings:
                session.warn(warning)
            return None

    return call


def _refuse_no_text(context: click.Context) -> None:
    """Refuse bytes that are no UTF-8 in what is kept, drawn from or sent; the name of a file may hold any."""
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        words = value if isinstance(value, tuple) else (value,)
        if not _names_a_file(parameter) and any(
            isinstance(word, str) and _NO_TEXT.search(word) for word in words
        ):
            raise click.BadParameter("is not UTF-8 text", context, parameter)


_NO_TEXT = re.compile("[\ud800-\udfff]")
"""How Python hands over a byte that is no letter."""


def _names_a_file(parameter: click.Parameter) -> bool:
    return (
        isinstance(parameter.type, click.Path) or re.search("FILE|DIR", parameter.metavar or "") is not None
    )


def _common(*, event: bool, dry_run: bool) -> list[click.Parameter]:

    options: list[click.Parameter] = []
    if event:
        options.append(
            click.Option(
                ["-e", "--event", "event"],
                metavar="FILE",
                shell_complete=events,
                help="The event's file; else $TOURNEY_EVENT, else the one *.tourney here.",
            )
        )
    if dry_run:
        options.append(
            click.Option(["--dry-run", "dry_run"], is_flag=True, help="Try it on a copy: nothing is written.")
        )
    return [
        *options,
        click.Option(
            ["--json", "as_json"], is_flag=True, help="One JSON object on stdout; text is not an interface."
        ),
        click.Option(["-q", "--quiet", "quiet"], is_flag=True, help="Only data and errors."),
        click.Option(
            ["--data", "data"],
            metavar="DIR",
            type=click.Path(),
            help="Look here first for formats, profiles, pools and ban lists.",
        ),
        click.Option(["--no-color", "no_color"], is_flag=True, help="No colours, as when NO_COLOR is set."),
    ]


# -- Options and arguments that several commands share


F = TypeVar("F", bound=Callable[..., Any])


def reason(function: F) -> F:
    """Add `--reason TEXT`; kept with the entry, apart from the chain."""
    return click.option("--reason", metavar="TEXT", help="Why; kept with the entry and told by `event log`.")(
        function
    )


def who(function: F) -> F:
    """Add one player: name, unambiguous prefix or #7."""
    return click.argument("who", metavar="PLAYER", shell_complete=players)(function)


def several(function: F) -> F:
    """Add one player or more."""
    return click.argument("who", metavar="PLAYER...", nargs=-1, required=True, shell_complete=players)(
        function
    )


def round_number(function: F) -> F:
    """Add `--round N`."""
    return click.option(
        "--round",
        "round_number",
        metavar="N",
        type=click.IntRange(min=1),
        help="Round N instead of the current one.",
    )(function)


def day_option(function: F) -> F:
    """Add `--on DAY`."""
    return click.option(
        "--on",
        "on",
        metavar="DAY",
        type=click.DateTime(["%Y-%m-%d"]),
        callback=lambda _, __, value: value.date() if value else None,
        help="The day whose rules and ban list hold (YYYY-MM-DD); today by default.",
    )(function)


def pairs(given: Iterable[str], option: str, shape: str = "KEY=VALUE") -> dict[str, str]:
    """Read `KEY=VALUE` words. Raises click.UsageError for a word without `=`; `shape` is what it should be."""
    found = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise click.UsageError(f"{option} wants {shape}, not `{word}`")
        found[key.strip()] = value.strip()
    return found


def byes(given: Iterable[str]) -> dict[int, str]:
    """Read `ROUND=KIND` words. Raises click.UsageError where the round is no number."""
    found = {}
    for number, kind in pairs(given, "--bye", "ROUND=KIND").items():
        try:
            found[whole_from_text(number, digits=MOST_DIGITS)] = kind
        except TourneyError:
            raise click.UsageError(f"--bye wants ROUND=KIND, not `{number}={kind}`") from None
    return found


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
        return parse_toml(f"value = {text}", source="--set")["value"]
    except TourneyError:
        return text


def apart(given: Iterable[str]) -> dict[str, int]:
    """Read `KIND` or `KIND:ROUNDS` words: for how many first rounds those with an equal tag are kept apart (0: always).

    >>> apart(["club", "family:2"])
    {'club': 0, 'family': 2}
    """
    found = {}
    for word in given:
        kind, _, rounds = word.partition(":")
        try:
            found[kind] = whole_from_text(rounds or "0", digits=MOST_DIGITS)
        except TourneyError:
            raise click.UsageError(f"--keep-apart wants KIND or KIND:ROUNDS, not `{word}`") from None
    return found


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
            found = [
                (word, None) if isinstance(word, str) else word for word in words(_session(ctx), incomplete)
            ]
        except (TourneyError, OSError):
            return []
        lowered = incomplete.casefold()
        return _items((word, said) for word, said in found if word.casefold().startswith(lowered))

    return complete


def _items(words: Iterable[tuple[str, str | None]]) -> list[CompletionItem]:
    """Return words, each with what is said beside it, as shells may be handed them.

    Click tells a shell its answer line by line: a word with a line end or another control character would be read as
    something else, and nobody can type it, so it is left out.
    """
    return [
        CompletionItem(_typed(word), help=said and " ".join(visible(said).split()))
        for word, said in words
        if visible(word) == word and not {"\n", "\t"} & set(word)
    ]


def _typed(word: str) -> str:
    """Return a word as it must be answered: bash, alone among the shells, does not quote what it is given.

    Two backslashes for one, because the `read` of click's script for bash takes one away.
    """
    if not os.environ.get("_TOURNEY_COMPLETE", "").startswith("bash"):
        return word
    return re.sub(r"([^\w\-./:@%+=,])", r"\\\1", word).replace("\\", "\\\\")


def _session(ctx: click.Context) -> Session:
    from tourney.cli.session import Session

    data = ctx.params.get("data")
    return Session(event_name=ctx.params.get("event"), data=Path(data) if data else None)


@_knowing
def players(session: Session, incomplete: str) -> Iterable[tuple[str, str]]:
    """Complete players by name, or by number after `#`."""
    with session.desk() as desk:
        known = desk.state.players.values()
        if incomplete.startswith("#"):
            return [(f"#{player.id}", player.name) for player in known]
        return [(player.name, f"#{player.id}") for player in known]


@_knowing
def tables(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete the tables that are still playing, with who sits there."""
    with session.desk() as desk:
        state = desk.state
        if state.round is None:
            return []
        return [
            (
                str(number),
                " – ".join(state.players[player].name for player in state.round.tables[number].seats),
            )
            for number in state.round.playing
        ]


@_knowing
def formats(session: Session, _: str) -> Iterable[str]:
    """Complete the names of the formats within reach."""
    return session.library().formats()


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
    found = [(name, game) for game in library.pools() for name in library.pool(game).names()]
    return found if incomplete else []


# -- The nouns of the command line under their headings, in the order of a tournament day


SECTIONS: dict[str, dict[str, str]] = {
    "Decks": {
        "deck": "Check decklists, show, compare and convert them.",
        "format": "The rules decks are built by: list them, read them, start one.",
        "card": "Look a card up.",
    },
    "The event": {
        "event": "Start an event, look at it, take things back, close it.",
        "player": "Who plays: add, drop, decklists, check-in.",
        "round": "Pair a round, see it, ask why, change it.",
        "result": "Enter what came of the tables.",
        "standings": "Who is ahead, and why.",
        "publish": "Write the event as pages, tables and print sheets.",
        "verify": "Prove that the event and its pairings are what they claim.",
    },
    "Upkeep": {
        "pool": "The cards of a game: list, import, fetch, check.",
        "banlist": "Dated lists of what may not be played: show, compare, import.",
        "completion": "Make your shell complete commands, players and tables.",
    },
}
"""Heading → noun → its line of help, so that `tourney --help` need not import any command."""

NOUNS: dict[str, str] = {noun: line for section in SECTIONS.values() for noun, line in section.items()}
