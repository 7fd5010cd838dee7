"""The command line: `tourney`, its nouns, and what a command of one is: its help with examples, the session it is given."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click

from tourney.cli.options import events
from tourney.cli.output import guard, talk_error
from tourney.cli.session import Session
from tourney.document import Document
from tourney.errors import DamagedSecretError

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

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the line, but for words that are nothing to be given: click would quote what it cannot take."""
        if not ctx.resilient_parsing:
            given, _, _ = self.make_parser(ctx).parse_args(list(args))
            for parameter in self.params:
                for word in _words(given.get(parameter.name or "")):
                    _refuse_no_text(ctx, parameter, word)
                    _refuse_address(ctx, parameter, word)
        return super().parse_args(ctx, args)

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
    instead: words that are no commands of it, but are tried: word → the line that does what it says
    """

    def __init__(
        self,
        *args: Any,
        default: str | None = None,
        lazy: Mapping[str, str] | None = None,
        instead: Mapping[str, str] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(*args, context_settings=HELP, **extra)
        self.default = default
        self.lazy = dict(lazy or {})
        self.instead = dict(instead or {})
        self.no_args_is_help = False

    def command(self, *args: Any, **extra: Any) -> Callable[[Callable[..., Any]], click.Command]:  # type: ignore[override]
        """Make a command of this noun; see `command` of this module for the parameters."""

        def add(function: Callable[..., Any]) -> click.Command:
            made = command(*args, **extra)(function)
            self.add_command(made)
            return made

        return add

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the commands in the order of a day: the lazy ones as they are listed, then as the module wrote them."""
        return [*self.lazy, *(name for name in self.commands if name not in self.lazy)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command, importing its module if it is a lazy one."""
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        place = self.lazy.get(cmd_name)
        if place is None:
            return None
        module, _, attribute = place.partition(":")
        made: click.Command = getattr(importlib.import_module(module), attribute)
        return made

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
            near = self._probably(ctx, args[0])
            question = f"; did you mean `{ctx.command_path} {near}`?" if near else ""
            raise click.UsageError(f"there is no command `{ctx.command_path} {args[0]}`{question}", ctx)
        return super().resolve_command(ctx, args)

    def _probably(self, ctx: click.Context, word: str) -> str | None:
        """Return what is probably meant: what does the same, the command of a noun in this one, the nearest by letters."""
        from tourney.cards.names import nearest

        if word in self.instead:
            return self.instead[word]
        for name, inner in self.commands.items():
            if isinstance(inner, Noun) and word in inner.list_commands(ctx):
                return f"{name} {word}"
        return nearest(word, self.list_commands(ctx))


def noun(name: str, *, default: str | None = None, lazy: Mapping[str, str] | None = None) -> Noun:
    """Make the group of a command module, as `Noun` has it; its line of help stands in `SECTIONS`."""
    return Noun(name, help=NOUNS[name], instead=INSTEAD.get(name), default=default, lazy=lazy)


def command(
    name: str,
    *,
    examples: Sequence[str],
    event: bool = False,
    dry_run: bool = False,
    signed: bool = False,
    **extra: Any,
) -> Callable[[Callable[..., Any]], Command]:
    """Make a command of a function `f(session, …) -> int | None`; its docstring is the help.

    examples: command lines as a user would paste them; asserted by tests to be parsable
    event:    whether it works on an event, and so has `-e/--event`
    dry_run:  whether it changes the event, and so can be tried on a copy by `--dry-run`
    signed:   whether it writes an entry, though there is no `--dry-run`
    Each command gets `--json`, `--quiet`, `--data` and `--no-color` at its end.
    """

    def make(function: Callable[..., Any]) -> Command:
        made = click.command(name, cls=Command, examples=examples, context_settings=HELP, **extra)(
            _given_session(function, changes=dry_run or signed)
        )
        made.params.extend(_common(event=event, dry_run=dry_run))
        return made

    return make


_COMMON = ("event", "as_json", "quiet", "data", "no_color", "dry_run")


def _given_session(function: Callable[..., Any], *, changes: bool) -> Callable[..., Any]:
    @wraps(function)
    def call(**values: Any) -> Any:
        common = {key: values.pop(key, None) for key in _COMMON}
        context = click.get_current_context()
        session = Session(
            event_name=common["event"],
            json=bool(common["as_json"]),
            quiet=bool(common["quiet"]),
            data=Path(common["data"]) if common["data"] else None,
            no_color=bool(common["no_color"]),
            dry_run=bool(common["dry_run"]),
            changes=changes,
            words=context.find_root().obj or (),
        )
        context.color = session.color
        try:
            return function(session, **values)
        except DamagedSecretError:
            session.secret_is_told()
            raise
        except KeyboardInterrupt:
            if (done := session.written) is None:
                raise
            # What is on the disk is a success, whether or not there was time to say so.
            talk_error(f"interrupted, but it is done: {' '.join(done.changed)}")
            for warning in done.warnings:
                session.warn(warning)
            return None
        finally:
            session.warn_of_secret()

    return call


def _words(given: object) -> Iterator[str]:
    """Yield the words that were given to a parameter: none, one or several, each of one word or more."""
    if isinstance(given, str):
        yield given
    elif isinstance(given, (list, tuple)):
        for each in given:
            yield from _words(each)


def _refuse_no_text(context: click.Context, parameter: click.Parameter, word: str) -> None:
    """Refuse bytes that are no UTF-8 in what is kept, drawn from or sent; the name of a file may hold any."""
    if _NO_TEXT.search(word) and not (_names(parameter, "EVENT|pg:") or _names_a_file(parameter)):
        raise click.BadParameter("is not UTF-8 text", context, parameter)


_NO_TEXT = re.compile("[\ud800-\udfff]")
"""How Python hands over a byte that is no letter."""


def _refuse_address(context: click.Context, parameter: click.Parameter, word: str) -> None:
    """Refuse an address where a file or a folder is expected."""
    if ":" not in word or not _names_a_file(parameter) or _names(parameter, "EVENT|pg:"):
        return
    from tourney.store.places import in_database

    if in_database(word):
        raise click.BadParameter(
            f"that is an address, {_wanted(parameter)} is wanted here", context, parameter
        )


def _wanted(parameter: click.Parameter) -> str:
    if not _names(parameter, "DIR"):
        return "a file"
    return "a file or a folder" if _names(parameter, "FILE") else "a folder"


def _names_a_file(parameter: click.Parameter) -> bool:
    return isinstance(parameter.type, click.Path) or _names(parameter, "FILE|DIR")


def _names(parameter: click.Parameter, what: str) -> bool:
    """Say whether a parameter, as its help calls it, is for that."""
    return re.search(what, parameter.metavar or "") is not None


def _common(*, event: bool, dry_run: bool) -> list[click.Parameter]:
    options: list[click.Parameter] = []
    if event:
        options.append(
            click.Option(
                ["-e", "--event", "event"],
                metavar="EVENT",
                shell_complete=events,
                help="The event: a file, or pg:NAME; else $TOURNEY_EVENT, else the one *.tourney here.",
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
            help="Look here first for formats, profiles, pools, ban lists and lists of penalties.",
        ),
        click.Option(["--no-color", "no_color"], is_flag=True, help="No colours, as when NO_COLOR is set."),
    ]


# -- `tourney` itself: its nouns under headings in the order of a tournament day, loaded when asked for


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
        "penalty": "Penalties: give one, upgrade it, see whose they are; staff only.",
        "audit": "Deck checks at the table: draw whom, note what was found; staff only.",
        "standings": "Who is ahead, and why.",
        "forecast": "Who can still make the cut, and what each player needs.",
        "publish": "Write the event as pages, tables and print sheets.",
        "print": "Pairings, slips, standings, badges, forms: on paper.",
        "serve": "Put the event on the phones, tablets and screens of the room.",
        "device": "Whose phone speaks for whom: codes, links, who has joined.",
        "verify": "Prove that the event and its pairings are what they claim.",
    },
    "At the table": {
        "judge": "What a game's rules answer by arithmetic, with the rule and the working.",
    },
    "Upkeep": {
        "pool": "The cards of a game: list, import, fetch, check.",
        "banlist": "Dated lists of what may not be played: show, compare, import.",
        "completion": "Make your shell complete commands, players and tables.",
    },
}
"""Heading → noun → its line of help, so that `tourney --help` need not import any command."""


INSTEAD: dict[str, dict[str, str]] = {
    noun: {word: line for words, line in lines.items() for word in words.split()}
    for noun, lines in {
        "": {
            "checkin check-in": "player check-in",
            "clock timer": "round clock",
            "close finish": "event close",
            "cut": "event cut",
            "drop": "player drop",
            "enter": "result enter",
            "log history": "event log",
            "next": "round next",
            "pair": "round pair",
            "pairings": "round show",
            "prizes": "event prizes",
            "redo": "event redo",
            "report": "result add",
            "table": "round edit",
            "undo": "event undo",
        },
        "event": {"end finish stop": "close", "history": "log", "start create": "new", "status": "show"},
        "penalty": {"escalate raise": "upgrade", "give": "add"},
        "player": {
            "bye": "change NAME --bye ROUND=KIND",
            "dq": "disqualify",
            "edit": "change",
            "remove delete withdraw": "drop",
        },
        "result": {"correct edit fix set": "change", "remove delete": "change TABLE -", "report": "add"},
        "device": {"add new": "code", "delete end revoke turn-out": "remove", "show": "list"},
        "round": {
            "delete undo": "cancel",
            "new": "pair",
            "next-round": "next",
            "pairings tables": "show",
            "time timer": "clock",
        },
    }.items()
}
"""Noun (empty: none) → a word that is no command of it, but is tried → the line that does what it says."""


NOUNS: dict[str, str] = {noun: line for section in SECTIONS.values() for noun, line in section.items()}


class Root(Noun):
    """The top group; `run` is the whole program."""

    def run(self, args: Sequence[str] | None = None) -> int:
        """Run one command line and return its exit code; nothing is raised."""
        words = _arguments() if args is None else list(args)
        return guard(lambda: self._dispatch(words))

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> Any:
        """Do the same as `run` and leave by SystemExit: what click's test runner calls."""
        sys.exit(self.run(args))

    def _dispatch(self, words: list[str]) -> object:
        if "_TOURNEY_COMPLETE" in os.environ:
            from click.shell_completion import shell_complete

            return shell_complete(self, {}, "tourney", "_TOURNEY_COMPLETE", os.environ["_TOURNEY_COMPLETE"])
        with self.make_context("tourney", list(words), obj=tuple(words)) as context:
            return self.invoke(context)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the nouns under their headings, without importing them."""
        for heading, nouns in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl(list(nouns.items()))


def _arguments() -> list[str]:
    """Return this process's arguments; on Windows, where the shell does not, patterns are expanded."""
    words = sys.argv[1:]
    if os.name != "nt":
        return words
    from glob import glob

    return [name for word in words for name in (glob(word) or [word])]  # noqa: PTH207  patterns as typed


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from tourney import __version__

        click.echo(f"tourney {__version__}")
        ctx.exit()


root = Root(
    "tourney",
    instead=INSTEAD[""],
    lazy={name: f"tourney.cli.{name}:cli" for name in NOUNS if name != "completion"},
    help="Run a card-game tournament from the decklist to the published standings, offline, from one terminal.",
    epilog="`tourney NOUN --help` lists its commands. The event is -e FILE (or pg:NAME), $TOURNEY_EVENT or the one *.tourney here.",
    params=[
        click.Option(
            ["-V", "--version", "version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_version,
            help="Say the version and exit.",
        )
    ],
)


class Completion(Document, frozen=True, tag="tourney.completion/1"):
    """What `tourney completion bash --json` prints.

    shell: the shell, by its name
    source: what the shell has to read when it starts
    """

    shell: str
    source: str


@command(
    "completion",
    examples=[
        "tourney completion bash >> ~/.bashrc",
        "tourney completion zsh >> ~/.zshrc",
        "tourney completion fish > ~/.config/fish/completions/tourney.fish",
    ],
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(session: Session, shell: str) -> None:
    """Print what your shell must read at its start to complete commands, events, players and tables."""
    from click.shell_completion import get_completion_class

    completer = get_completion_class(shell)
    if completer is None:  # a shell that this version of click does not know
        raise click.UsageError(f"there is no completion for {shell}")
    source = completer(root, {}, "tourney", "_TOURNEY_COMPLETE").source()
    if session.json:
        session.emit(Completion(shell=shell, source=source))
    else:
        session.say(source)


root.add_command(completion)
