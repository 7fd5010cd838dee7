"""The command line: `tourney`, its nouns, the class of a command, and how a run ends.

A noun is a group of commands (`tourney round`). `nouns.toml` lists the nouns, and the modules of their
commands, which are imported only when they are needed. `guard` is the only place that turns exceptions into
messages and exit codes. Commands raise; they never print an error.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from click.shell_completion import CompletionItem, get_completion_class, shell_complete
from msgspec import Struct

from tourney import __version__
from tourney.cli.options import events
from tourney.cli.output import mute, prepare_streams, show_bug, show_error
from tourney.cli.session import Exit, Session
from tourney.document import Document
from tourney.errors import DamagedSecretError, TourneyError
from tourney.store.places import in_database

if TYPE_CHECKING:
    from tourney.desk import Receipt

CONTEXT = {"help_option_names": ["-h", "--help"]}


class Command(click.Command):
    """A command with examples. Its function gets a `Session`, then the command's own parameters.

    The docstring of the function becomes the help. It can end with sections, which are indented lines below a
    heading with a colon. The section `Examples:` has command lines. Any other section has two columns, which
    are separated by two or more blanks.

    notes: two-column sections to add to those of the docstring: heading → first column → second column
    """

    def __init__(
        self, *args: Any, notes: Mapping[str, Mapping[str, str]] | None = None, **extra: Any
    ) -> None:
        super().__init__(*args, **extra)
        self.help, *sections = _SECTION.split(cleandoc(self.help or ""))
        self.examples: tuple[str, ...] = ()
        self.notes = dict(notes or {})
        for heading, text in zip(sections[::2], sections[1::2], strict=True):
            lines = [line.strip() for line in _CONTINUED.sub(" ", text).splitlines()]
            if heading == "Examples":
                self.examples = tuple(lines)
            else:
                self.notes[heading] = dict(_COLUMNS.split(line, maxsplit=1) for line in lines)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, and check those whose values are text or paths (`_check_word`)."""
        rest = super().parse_args(ctx, args)
        if not ctx.resilient_parsing:
            for parameter in self.params:
                value = ctx.params.get(parameter.name or "")
                for word in value if isinstance(value, (list, tuple)) else (value,):
                    if isinstance(word, (str, Path)):
                        _check_word(ctx, parameter, str(word))
        return rest

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help and the examples."""
        super().format_help_text(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                formatter.write("".join(f"  {line}\n" for line in self.examples))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options into the help, then the command's notes."""
        super().format_options(ctx, formatter)
        for heading, lines in self.notes.items():
            with formatter.section(heading):
                formatter.write_dl(list(lines.items()))


_SECTION = re.compile(r"\n\n(\S[^\n]*):\n(?=  )")
"""A pattern for the heading of a section in a help text."""

_CONTINUED, _COLUMNS = re.compile(r"\n {3,}"), re.compile(" {2,}")
"""Patterns: a line break before a continuation line in a section; a gap between columns."""


def _check_word(context: click.Context, parameter: click.Parameter, word: str) -> None:
    """Refuse text that is not UTF-8, and a database's address where a file is expected.

    A message about an address does not repeat it, as it may contain a password.
    """
    metavar = parameter.metavar or ""
    is_event = "EVENT" in metavar or "pg:" in metavar
    is_file = isinstance(parameter.type, click.Path) or "FILE" in metavar or "DIR" in metavar
    if _UNDECODABLE.search(word) and not (is_event or is_file):
        raise click.BadParameter("is not UTF-8 text", context, parameter)
    if is_file and not is_event and in_database(word):
        expectation = "a folder" if "DIR" in metavar else "a file"
        if "DIR" in metavar and "FILE" in metavar:
            expectation = "a file or a folder"
        raise click.BadParameter(f"expected {expectation}, found an address", context, parameter)


_UNDECODABLE = re.compile("[\ud800-\udfff]")
"""How Python represents a byte of an argument that is not UTF-8."""


class NounText(Struct, forbid_unknown_fields=True):
    """A section of `nouns.toml` about a group of commands (`deck`) or one command (`serve`).

    Comments in that file explain `commands` and `instead`.

    default: the command of the group that runs if none is named; None: the group's help is shown
    nested:  groups within this group, by name
    """

    help: str
    default: str | None = None
    commands: list[str] = []
    instead: dict[str, str] = {}
    nested: dict[str, NounText] = {}


class Noun(click.Group):
    """A group of commands about one thing.

    default: the command if none is named (`tourney standings` is `tourney standings show`)
    instead: suggestions for unknown commands: a word that users may try → the command to suggest, written
        without `tourney` and the noun, or as a whole command line that begins with `tourney`
    modules: commands in other modules, which are imported when they run: name → (module, function)
    """

    def __init__(
        self, *args: Any, default: str | None = None, instead: Mapping[str, str] | None = None, **extra: Any
    ) -> None:
        super().__init__(*args, context_settings=CONTEXT, **extra)
        self.no_args_is_help = False
        self.default = default
        self.instead = dict(instead or {})
        self.modules: dict[str, tuple[str, str]] = {}
        self.order: list[str] = []

    @classmethod
    def of(cls, name: str, text: NounText) -> Noun:
        """Make the group of commands that a section of `nouns.toml` describes, with nested groups."""
        group = cls(name, help=text.help, default=text.default, instead=text.instead)
        for row in text.commands:
            module, _, commands = row.partition(":")
            if not commands:
                group.add_command(cls.of(module, text.nested[module]))
                group.order.append(module)
            for word in commands.split():
                command, _, function = word.partition("=")
                group.modules[command] = (f"tourney.cli.{module}", function or command.replace("-", "_"))
                group.order.append(command)
        return group

    def command(self, *args: Any, **extra: Any) -> Callable[[Callable[..., Any]], click.Command]:  # type: ignore[override]
        """Make a command of this group. The parameters are those of the function `command`."""

        def add(function: Callable[..., Any]) -> click.Command:
            new_command = command(*args, **extra)(function)
            self.add_command(new_command)
            return new_command

        return add

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands: those that `nouns.toml` lists, then those of the module."""
        return list(dict.fromkeys([*self.order, *self.commands]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command, and import its module if necessary."""
        if cmd_name not in self.modules:
            return self.commands.get(cmd_name)
        name, function = self.modules[cmd_name]
        module = import_module(name)
        loaded_command: click.Command = getattr(module, f"{function}_", None) or getattr(module, function)
        return loaded_command

    def _summary(self, ctx: click.Context, name: str) -> str:
        """Return the first line of a command's help, without importing the command's module."""
        if name in self.modules:
            module, function = self.modules[name]
            docstrings = _docstrings(module)
            text = docstrings.get(f"{function}_") or docstrings.get(function)
        else:
            entry = self.get_command(ctx, name)
            text = entry.help if entry else None
        return (text or "").partition("\n")[0]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with the whole first lines of their help; click would cut them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._summary(ctx, name)) for name in self.list_commands(ctx)])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command, or an option."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        items = [
            CompletionItem(name, help=click.Command(name, help=self._summary(ctx, name)).get_short_help_str())
            for name in names
        ]
        return items + click.Command.shell_complete(self, ctx, incomplete)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the default command if none is named; without a default, show the help."""
        first = args[0] if args else "-"
        if self.default and first.startswith("-") and first not in CONTEXT["help_option_names"]:
            args = [self.default, *args]
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command. For an unknown one, raises UsageError that suggests a similar name."""
        word = args[0]
        if not (word.startswith("-") or ctx.resilient_parsing or word in self.list_commands(ctx)):
            suggestion = self._suggest_command(ctx, word)
            question = f"; did you mean `{suggestion}`?" if suggestion else ""
            raise click.UsageError(f"there is no command `{ctx.command_path} {word}`{question}", ctx)
        return super().resolve_command(ctx, args)

    def _suggest_command(self, ctx: click.Context, word: str) -> str | None:
        """Return the command line that an unknown word probably means.

        The word may be a synonym, the name of a nested command, or a misspelt name.
        """
        suggestion = self.instead.get(word)
        for name, group in self.commands.items():
            if isinstance(group, Noun) and word in group.list_commands(ctx):
                suggestion = f"{name} {word}"
        suggestion = suggestion or _nearest(word, self.list_commands(ctx))
        if suggestion is None or suggestion.startswith("tourney "):
            return suggestion
        return f"{ctx.command_path} {suggestion}"


@cache
def _docstrings(module: str) -> dict[str, str]:
    """Return the docstring of each function of a module of this package, without importing it."""
    file = Path(__file__).parents[2].joinpath(*module.split(".")).with_suffix(".py")
    functions = (node for node in ast.parse(file.read_bytes()).body if isinstance(node, ast.FunctionDef))
    return {function.name: ast.get_docstring(function) or "" for function in functions}


def noun(name: str) -> Noun:
    """Make the group of commands with this name, as `nouns.toml` describes it."""
    return Noun.of(name, NOUNS[name])


def command(
    name: str, *, event: bool = False, changes: bool = False, writes_entries: bool = False, **extra: Any
) -> Callable[[Callable[..., Any]], Command]:
    """Make a command from a function `f(session, …) -> Exit | None` with its docstring as help.

    The docstring ends with examples: command lines for users to paste. Tests run them through the parser.

    event:          whether the command opens an event; adds `-e/--event`
    changes:        whether the command changes the event; adds `-e/--event` and `--dry-run`
    writes_entries: whether a command without `--dry-run` writes entries, which are signed with the user's
                    name

    Every command has `--json`, `--quiet`, `--data` and `--no-color`.
    """

    def make(function: Callable[..., Any]) -> Command:
        run = _with_session(function, changes=changes or writes_entries)
        new = click.command(name, cls=Command, context_settings=CONTEXT, **extra)(run)
        new.params += _common_options(event=event or changes, dry_run=changes)
        return new

    return make


def change_command(
    name: str, *, seats: bool = False, **extra: Any
) -> Callable[[Callable[..., Receipt]], Command]:
    """Make a command from a function `f(desk, …) -> Receipt` that changes the event.

    seats: whether the change can move players to other seats; if so, published pages that show seats are
        updated

    The other parameters are those of `command`.
    """

    def make(function: Callable[..., Receipt]) -> Command:
        @wraps(function)
        def run(session: Session, **values: Any) -> None:
            with session.desk() as desk:
                before = desk.state
                receipt = function(desk, **values)
                if seats and not session.dry_run and desk.state.settings.pages.publish_to:
                    from tourney.desk.publishing import with_new_seats

                    receipt = with_new_seats(desk, receipt, before, watch=session.explaining)
                session.answer(receipt)

        return command(name, changes=True, **extra)(run)

    return make


def _with_session(function: Callable[..., Any], *, changes: bool) -> Callable[..., Any]:
    """Return a callback that makes the session from the common options and calls the function."""

    @wraps(function)
    def call(**values: Any) -> Any:
        context, data = click.get_current_context(), values.pop("data")
        session = Session(
            event_name=values.pop("event", None),
            json=values.pop("as_json"),
            quiet=values.pop("quiet"),
            data=Path(data) if data else None,
            dry_run=values.pop("dry_run", False),
            changes=changes,
            words=context.find_root().obj or (),
        )
        context.color = False if values.pop("no_color") else None
        try:
            return function(session, **values)
        except DamagedSecretError:
            session.reported_damaged_secret = True
            raise
        except KeyboardInterrupt:
            if (receipt := session.last_receipt) is None:
                raise
            # The change is written: a success, although there was no time to show it.
            show_error(f"interrupted, but the change was made: {' '.join(receipt.changed)}")
            for warning in receipt.warnings:
                session.warn(warning)
            return None
        finally:
            session.warn_of_damaged_secret()

    return call


def _common_options(*, event: bool, dry_run: bool) -> list[click.Parameter]:
    options: list[click.Parameter] = []
    if event:
        options.append(
            click.Option(
                ["-e", "--event", "event"],
                metavar="EVENT",
                shell_complete=events,
                help="The event: a file, or pg:NAME. Default: $TOURNEY_EVENT, "
                "or the only *.tourney file here.",
            )
        )
    if dry_run:
        options.append(
            click.Option(
                ["--dry-run", "dry_run"], is_flag=True, help="Try the command on a copy; nothing is written."
            )
        )
    return [
        *options,
        click.Option(
            ["--json", "as_json"], is_flag=True, help="Print JSON, for scripts; the text output may change."
        ),
        click.Option(["-q", "--quiet", "quiet"], is_flag=True, help="Print only data and errors."),
        click.Option(
            ["--data", "data"],
            metavar="DIR",
            type=click.Path(),
            help="The folder to search first for formats, profiles, pools, ban lists and lists of penalties.",
        ),
        click.Option(["--no-color", "no_color"], is_flag=True, help="No colors, as if NO_COLOR were set."),
    ]


# -- `tourney` itself


class _Program(Struct, forbid_unknown_fields=True):
    """The contents of `nouns.toml`, the file that describes the groups of commands.

    sections: heading of `tourney --help` → group or command, such as `round` or `serve` → its description
    """

    instead: dict[str, str]
    sections: dict[str, dict[str, NounText]]


_PROGRAM = msgspec.convert(tomllib.loads(Path(__file__).with_name("nouns.toml").read_text("utf-8")), _Program)

SECTIONS = _PROGRAM.sections
"""Heading → noun → its text. `tourney --help` shows them without importing any command."""

NOUNS = {name: text for section in SECTIONS.values() for name, text in section.items()}


class Root(Noun):
    """The command `tourney`: groups of commands such as `round`, and commands such as `serve`."""

    def run(self, args: Sequence[str] | None = None) -> int:
        """Run a command line, by default this process's, and return its exit code. Raises nothing."""
        words = _arguments() if args is None else list(args)
        return guard(lambda: self._dispatch(words))

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> Any:
        """Run a command line and exit, for click's test runner."""
        sys.exit(self.run(args))

    def _dispatch(self, words: list[str]) -> object:
        if "_TOURNEY_COMPLETE" in os.environ:
            return shell_complete(self, {}, "tourney", "_TOURNEY_COMPLETE", os.environ["_TOURNEY_COMPLETE"])
        with self.make_context("tourney", list(words), obj=tuple(words)) as context:
            return self.invoke(context)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the group of commands, or the command, with this name.

        If `nouns.toml` does not list commands for the name, the module of that name is imported.
        """
        text = NOUNS.get(cmd_name)
        return noun(cmd_name) if text and text.commands else super().get_command(ctx, cmd_name)

    def _summary(self, ctx: click.Context, name: str) -> str:  # noqa: ARG002
        return NOUNS[name].help

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List groups and commands under their headings, without importing their modules."""
        for heading, nouns in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, text.help) for name, text in nouns.items()])


def guard(work: Callable[[], object]) -> int:
    """Run `work`, show what it raises, and return the exit code.

    `work` returns None or an exit code.
    """
    try:
        return _flush_output(work())
    except BaseException as exception:  # noqa: BLE001  a panic of a native library is a BaseException, too
        try:
            return _show_exception(exception)
        except OSError as error:  # writing the help can fail, too
            return _show_system_error(error)


def _flush_output(code: object) -> int:
    sys.stdout.flush()
    return int(code) if isinstance(code, int) else Exit.DONE


def _show_exception(exception: BaseException) -> int:
    match exception:
        case click.exceptions.Exit():
            return _flush_output(exception.exit_code)
        case SystemExit():
            return _flush_output(exception.code)
        case KeyboardInterrupt() | click.Abort() | EOFError():
            show_error("interrupted")
            return Exit.INTERRUPTED
        case TourneyError():
            show_error(exception.message, exception.hint)
            return exception.exit_code
        case click.ClickException():
            context = getattr(exception, "ctx", None)
            show_error(_usage_message(exception), f"`{context.command_path} --help`" if context else None)
            return Exit.USAGE
        case BrokenPipeError():  # the reader has closed the pipe, as `head` does: not an error
            mute()
            return Exit.DONE
        case OSError():
            return _show_system_error(exception)
    show_bug(exception)
    return Exit.BUG


def _nearest(word: str, words: Iterable[str]) -> str | None:
    from tourney.cards.names import nearest  # start-up: only for a mistyped word

    return nearest(word, words)


def _suggest_option(error: click.NoSuchOption) -> str:
    """Return the option that an unknown one probably means; empty if none is similar.

    click compares the dashes, too, and suggests `--json` for `--to`.
    """
    options_by_word = {option.lstrip("-"): option for option in error.possibilities or ()}
    word = error.option_name.lstrip("-")
    prefix_match = next((option for option in options_by_word if option.startswith(word)), None)
    nearest_word = prefix_match or _nearest(word, options_by_word)
    return options_by_word[nearest_word] if nearest_word else ""


def _usage_message(error: click.ClickException) -> str:
    """Return what is wrong with a command line, without click's quotes, capitals and full stops."""
    if isinstance(error, click.NoSuchOption):
        suggestion = _suggest_setting(error) or _suggest_option(error)
        return f"there is no option `{error.option_name}` here" + (
            f"; did you mean `{suggestion}`?" if suggestion else ""
        )
    if isinstance(error, click.MissingParameter) and error.param is not None:
        metavar = error.param.make_metavar(error.ctx) if error.ctx else error.param.name
        option = f"{error.param.opts[0]} " if isinstance(error.param, click.Option) else ""
        return f"{option}{metavar} is missing"
    if isinstance(error, click.BadParameter) and error.param is not None:
        name = error.param.get_error_hint(error.ctx) if error.ctx else error.param.name
        message = _NOT_A_NUMBER.sub("is not a whole number", error.message).removesuffix(".")
        message = message.replace("does not match the format '%Y-%m-%d'", "is not a date; write YYYY-MM-DD")
        return f"{name}: {message}".replace("'", "`")
    message = error.format_message()
    return (message[:1].lower() + message[1:]).removesuffix(".")


def _suggest_setting(error: click.NoSuchOption) -> str:
    """Return `--set KEY=…` if an unknown option has the name of a setting; otherwise "".

    The last word of the setting's name is enough if it fits only one setting.
    """
    command = error.ctx.command if error.ctx else None
    notes = command.notes if isinstance(command, Command) else {}
    settings = [key for heading, lines in notes.items() if heading.endswith("(--set)") for key in lines]
    name = error.option_name.lstrip("-").replace("-", "_")
    near = [key for key in settings if key == name] or [key for key in settings if key.endswith(f"_{name}")]
    return f"--set {near[0]}=…" if len(near) == 1 else ""


_NOT_A_NUMBER = re.compile("is not a valid integer( range)?")


def _show_system_error(error: OSError) -> int:
    """Show an error of the operating system, such as a full disk or a missing permission."""
    message = (error.strerror or str(error)).lower()
    if error.filename:
        show_error(f"{error.filename}: {message}")
    else:
        show_error(message, "the output could not be written, but all changes are recorded")
    mute()
    return Exit.REFUSED


def _arguments() -> list[str]:
    """Return this process's arguments. On Windows, expand patterns such as `*.txt`."""
    words = sys.argv[1:]
    if os.name != "nt":
        return words
    from glob import glob

    return [name for word in words for name in (glob(word) or [word])]  # noqa: PTH207  patterns of the user


def _show_version(ctx: click.Context, _: click.Parameter, is_set: bool) -> None:
    if is_set:
        click.echo(f"tourney {__version__}")
        ctx.exit()


root = Root(
    "tourney",
    instead=_PROGRAM.instead,
    help="Run a card-game tournament from the decklist to the published standings, offline, "
    "from one terminal.",
    epilog="`tourney NOUN --help` lists the commands of a noun. -e FILE (or -e pg:NAME) names the event. "
    "Default: $TOURNEY_EVENT, or the only *.tourney file here.",
    params=[
        click.Option(
            ["-V", "--version", "version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_version,
            help="Show the version and exit.",
        )
    ],
)


class Completion(Document, frozen=True, tag="tourney.completion/1"):
    """What `tourney completion bash --json` prints.

    shell: the name of the shell
    source: the script, which the shell reads when it starts
    """

    shell: str
    source: str


@command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(session: Session, shell: str) -> None:
    """Print the script with which your shell completes commands, events, players and tables.

    Examples:
      tourney completion bash >> ~/.bashrc
      tourney completion zsh >> ~/.zshrc
      tourney completion fish > ~/.config/fish/completions/tourney.fish
    """
    completer = get_completion_class(shell)
    if completer is None:  # this version of click does not know the shell
        raise click.UsageError(f"there is no completion for {shell}")
    source = completer(root, {}, "tourney", "_TOURNEY_COMPLETE").source()
    session.emit(Completion(shell=shell, source=source))
    session.say(source)


root.add_command(completion)
root.order = list(NOUNS)
root.modules = {name: (f"tourney.cli.{name}", "cli") for name in NOUNS if name != "completion"}


def run() -> int:
    """Run the command line on this process's arguments and return its exit code."""
    prepare_streams()
    return root.run()
