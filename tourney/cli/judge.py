"""`tourney judge`: the arithmetic of the games' rules, a command for each question that a game's judge module has."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from tourney import games
from tourney.cli.command import NOUNS, Command, Noun, command
from tourney.cli.options import Completer
from tourney.cli.output import padded, styled, width
from tourney.cli.session import Session
from tourney.errors import TourneyError
from tourney.games.questions import (
    LINE,
    Argument,
    Asked,
    Game,
    MisspeltError,
    Question,
    RuleReading,
    Things,
    ask,
    whole,
)
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.rules.vocabulary import Scalar

LIST = "list"


@cache
def known() -> tuple[str, ...]:
    """Name the games that there are questions of: a folder of `tourney.games` with a judge module each."""
    folders = [each.name for each in pkgutil.iter_modules(games.__path__) if each.ispkg]
    return tuple(
        name.replace("_", "-") for name in sorted(folders) if find_spec(f"tourney.games.{name}.judge")
    )


def _game(name: str) -> Game:
    found: Game = importlib.import_module(f"tourney.games.{name.replace('-', '_')}.judge").GAME
    return found


class _Listing(Noun):
    """A group that lists its questions where none is named; `--list` says so in a word."""

    def __init__(self, name: str, help_: str) -> None:
        super().__init__(
            name,
            help=help_,
            default=LIST,
            epilog=(
                "Alone or with --list it lists the questions; `--help` after a question shows what it takes. A thing on the table "
                "is a word, its numbers joined by /: 2/40. 3x2/40 is three alike, - a blank, Ada=5 has a name; several are parted "
                "by blanks or commas, and what goes together is joined by +."
            ),
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put in the list where nothing is named, but not while the shell asks what there is to name."""
        return (
            click.Group.parse_args(self, ctx, args)
            if ctx.resilient_parsing
            else super().parse_args(ctx, args)
        )

    def _named(self, ctx: click.Context, args: list[str]) -> bool:
        return super()._named(ctx, args) or (bool(args) and not args[0].startswith("-"))


class Judge(_Listing):
    """`tourney judge`: a group for each game, imported when it is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the games; the list of all questions comes first."""
        return [LIST, *known()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a game's questions."""
        if cmd_name == LIST:
            return _list_of(None)
        return Questions(cmd_name) if cmd_name in known() else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the game; one that is not there is told with those that are."""
        if args[0] not in self.list_commands(ctx) and not ctx.resilient_parsing:
            raise click.UsageError(f"there is no game `{args[0]}`; there are {listed(known())}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the games with their names as people say them."""
        with formatter.section("Games"):
            formatter.write_dl([(name, f"{_game(name).name} ({_game(name).rules}).") for name in known()])


class Questions(_Listing):
    """`tourney judge GAME`: a command for each of its questions."""

    def __init__(self, name: str) -> None:
        self.game = _game(name)
        super().__init__(name, f"{self.game.name}: what its rules answer by arithmetic ({self.game.rules}).")
        self.questions = {question.name: question for question in self.game.questions}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the questions in the order of the game's module."""
        return [LIST, *self.questions]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Make the command of a question."""
        if cmd_name == LIST:
            return _list_of(self.name)
        question = self.questions.get(cmd_name)
        return _command_of(str(self.name), self.game, question) if question else None


# -- the lists


def _list_of(game: str | None) -> Command:
    named = f"tourney judge {game}" if game else "tourney judge"
    whose = f"of {_game(game).name}" if game else "of every game"

    def list_(session: Session, **_: object) -> None:
        chosen = (game,) if game else known()
        if session.json:
            session.emit("judge-list/1", {"games": [_game_as_json(each) for each in chosen]})
            return
        rows = [(each, question) for each in chosen for question in _game(each).questions]
        widest = max((width(question.name) for _, question in rows), default=0)
        for at, each in enumerate(chosen):
            if not game:
                session.say(("\n" if at else "") + styled(each, bold=True))
            for owner, question in rows:
                if owner == each:
                    session.say(f"  {padded(question.name, widest)}  {question.asks}")
        session.talk("\nnext: --help after a question shows what it takes")

    help_ = f"List the questions {whose}, a line each; the same as `{named}` alone or with --list."
    flag = click.Option(["--list", "listed"], is_flag=True, help="What this command does anyway.")
    return command(LIST, examples=[f"{named} --list", f"{named} --list --json"], params=[flag], help=help_)(
        list_
    )


def _game_as_json(name: str) -> dict[str, Any]:
    game = _game(name)
    return {
        "game": name,
        "name": game.name,
        "rules": game.rules,
        "questions": [_question_as_json(question) for question in game.questions],
    }


def _question_as_json(question: Question) -> dict[str, Any]:
    return {
        "question": question.name,
        "asks": question.asks,
        "arguments": [
            {
                "name": each.label,
                "typed": "flag" if each.kind == "flag" else _metavar(each),
                "option": each.option,
                "help": each.help,
            }
            for each in question.arguments
        ],
        "readings": [_reading_as_json(each) for each in question.readings],
        "cites": question.cites,
    }


def _reading_as_json(reading: RuleReading) -> dict[str, Any]:
    return {
        "name": reading.name,
        "about": reading.about,
        "default": reading.default,
        "choices": reading.choices,
        "cite": reading.cite,
    }


# -- the command of a question


class _Whole(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """A whole number, as the things on the table are typed."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        _refuse_option(str(value), ctx)
        try:
            return value if isinstance(value, int) else whole(str(value))
        except MisspeltError as fault:
            self.fail(str(fault), param, ctx)


def _command_of(name: str, game: Game, question: Question) -> Command:
    path = f"tourney judge {name} {question.name}"

    def answer(session: Session, explain: bool, reading: Sequence[str], **typed: Any) -> None:
        try:
            chosen = question.chosen(reading)
        except MisspeltError as fault:
            raise click.UsageError(f"--reading: {fault}", click.get_current_context()) from None
        used = _from_event(_settings_here(session, name, question), question, chosen, typed)
        values = _read(question, {**typed, **used})
        asked = ask(question, values, question.reading({**used, **chosen}))
        if session.json:
            event = {"name": session.event_called, "settings": used} if used else None
            session.emit("judge/1", _as_json(name, question, {**typed, **used}, asked) | {"event": event})
            return
        for line in _lines(game, question, asked, explain=explain):
            session.say(line)
        if used:
            settings = ", ".join(f"{setting}={value}" for setting, value in used.items())
            session.say(f"Settings of the event {session.event_called}: {settings}.")

    made = command(
        question.name,
        examples=[f"{path} {words}".rstrip() for words in question.examples],
        params=[*map(_parameter, question.arguments), _reading_option(question), _EXPLAIN],
        notes=_notes(question),
        help=question.asks + (f"\n\n{question.more}" if question.more else ""),
        event=True,
    )(answer)
    made.ignore_unknown_options = True  # `-1` and `-/3` are things on the table; `_read` refuses other dashes
    return made


def _settings_here(session: Session, name: str, question: Question) -> Mapping[str, Scalar]:
    """Return the settings of the event here that a question asks for, the format's defaults among them.

    They are empty without an event, for an event of another game, and if the event here cannot be read: the answer
    needs none. Raises TourneyError for one that `-e` names and that cannot be read.
    """
    if not session.has_event or not (question.settings or session.event_name):
        return {}
    from tourney.games.sheet import game_of

    try:
        with session.desk() as desk:
            format_ = desk.rules.format
            chosen = desk.state.settings.match.choices
    except TourneyError as fault:
        if session.event_name:
            raise
        session.warn(f"the event here cannot be read, and its settings are not used: {fault.message}")
        return {}
    if (other := game_of(format_)) != name:
        if session.event_name:
            session.warn(f"{session.event_called} is an event of {other}; its settings are not used")
        return {}
    settings = {setting: each.default for setting, each in format_.settings.items()} | chosen
    return {setting: value for setting, value in settings.items() if setting in question.settings}


def _from_event(
    settings: Mapping[str, Scalar],
    question: Question,
    chosen: Mapping[str, str | int],
    typed: Mapping[str, Any],
) -> dict[str, str | int]:
    """Return the settings of an event that decide: those that the command line does not give, unless they are the default."""
    used: dict[str, Any] = {
        reading.name: settings[reading.name]
        for reading in question.readings
        if reading.name in settings
        and reading.name not in chosen
        and reading.takes(settings[reading.name])
        and settings[reading.name] != reading.default
    }
    for each in question.arguments:
        value = settings.get(each.name)
        if each.setting and typed[each.name] is None and type(value) is int:
            used[each.name] = value
    return used


_EXPLAIN = click.Option(
    ["--explain"], is_flag=True, help="Show the working step by step, each with its line of the rules."
)


def _metavar(argument: Argument) -> str:
    if argument.metavar:
        return argument.metavar
    if isinstance(argument.kind, Things):
        return f"{argument.kind.shape}…"
    return "N" if argument.kind == "whole" else _upper(argument)


def _upper(argument: Argument) -> str:
    return argument.label.upper()


def _parameter(argument: Argument) -> click.Parameter:
    kind: click.ParamType[Any] | None = None
    if isinstance(argument.kind, tuple):
        kind = click.Choice(argument.kind)
    elif argument.kind == "whole":
        kind = _Whole()
    if not argument.option:
        many = isinstance(argument.kind, Things)
        return click.Argument(
            [argument.name],
            nargs=-1 if many else 1,
            required=argument.required,
            type=kind,
            metavar=_upper(argument) + "…" * many,
        )
    flag = f"--{argument.label.replace('_', '-')}"
    if argument.kind == "flag":
        return click.Option([flag, argument.name], is_flag=True, help=argument.help)
    if isinstance(argument.kind, Things):
        return click.Option(
            [flag, argument.name],
            multiple=True,
            required=argument.required,
            metavar=_metavar(argument),
            help=argument.help,
        )
    return click.Option(
        [flag, argument.name],
        type=kind,
        **({} if argument.required else {"default": argument.default}),
        required=argument.required and not argument.setting,
        metavar=None if isinstance(argument.kind, tuple) else _metavar(argument),
        show_default=argument.default is not None,
        help=argument.help,
    )


def _reading_option(question: Question) -> click.Option:
    return click.Option(
        ["--reading", "reading"],
        multiple=True,
        metavar="NAME=CHOICE",
        hidden=not question.readings,
        shell_complete=_readings_of(question),
        help="Another reading where the text is open; the beginning of a name or choice will do.",
    )


def _readings_of(question: Question) -> Completer:
    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        words = [
            (f"{reading.name}={choice}", cite)
            for reading in question.readings
            for choice, cite in reading.choices.items()
        ]
        return [CompletionItem(word, help=cite) for word, cite in words if word.startswith(incomplete)]

    return complete


def _notes(question: Question) -> Mapping[str, Mapping[str, str]]:
    notes: dict[str, Mapping[str, str]] = {}
    asked = [each for each in question.arguments if not each.option]
    if asked:
        notes["Arguments"] = {
            _upper(each): f"{each.help}, typed {_metavar(each)}"
            if isinstance(each.kind, Things)
            else each.help
            for each in asked
        }
    if question.readings:
        notes["Readings"] = {each.name: _about(each) for each in question.readings}
    return notes


def _about(reading: RuleReading) -> str:
    if not reading.choices:
        return f"{reading.about} ({reading.cite}); {reading.default} by default"
    choices = [
        f"`{choice}`{' (the default)' if choice == reading.default else ''}: {cite}"
        for choice, cite in reading.choices.items()
    ]
    return f"{reading.about}. {'; '.join(choices)}"


def _read(question: Question, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments' values; a word that is not typed as it should be is a usage error."""
    values = {}
    context = click.get_current_context()
    for argument, parameter in zip(question.arguments, context.command.params, strict=False):
        words = typed[argument.name]
        if argument.required and words is None:  # a setting, and no event has it
            raise click.MissingParameter(ctx=context, param=parameter)
        for word in words if isinstance(words, tuple) else ():
            _refuse_option(word, context)
        try:
            values[argument.name] = argument.read(words)
        except MisspeltError as fault:
            raise click.BadParameter(str(fault), context, parameter) from None
    return values


def _refuse_option(word: str, context: click.Context | None) -> None:
    """Refuse a word that looks like an option: none that there is comes here as a thing on the table."""
    if word.startswith("--") or (word.startswith("-") and word[1:2].isalpha()):
        raise click.NoSuchOption(word.partition("=")[0], ctx=context)


# -- the answer


def _lines(game: Game, question: Question, asked: Asked, *, explain: bool) -> Iterator[str]:
    answer = asked.answer
    yield styled(answer.short, bold=True)
    if explain:
        yield ""
        for number, step in enumerate(answer.working, start=1):
            yield f"{number:>2}. {step.text}{f'  [{step.cite}]' if step.cite else ''}"
        yield ""
    elif answer.why:
        yield answer.why
    lines = f" ({game.rules})" if any(LINE.search(cite) for cite in asked.cites) else ""
    yield f"Rule{'s' * (len(asked.cites) > 1)}: {'; '.join(asked.cites)}{lines}."
    by_name = {reading.name: reading for reading in question.readings}
    changing = {other.name for other in asked.otherwise}
    for name, choice in asked.reading.items():
        reading = by_name[name]
        rests = name in answer.rests_on and name not in changing
        if explain or choice != reading.default or rests:
            cite = reading.choices.get(str(choice)) or reading.numbers.get(choice, reading.cite)
            yield f"Read as {name}={choice}{' (the default)' * (choice == reading.default)}: {cite}."
    for other in asked.otherwise:
        yield f'Read otherwise, --reading "{other.name}={other.choice}" ({other.cite}): {other.short}'


def _as_json(name: str, question: Question, typed: Mapping[str, Any], asked: Asked) -> dict[str, Any]:
    answer = asked.answer
    return {
        "game": name,
        "question": question.name,
        "inputs": {each.label: _typed(typed[each.name]) for each in question.arguments},
        "answer": answer.short,
        "why": answer.why,
        "value": _exact(answer.value),
        "working": [{"step": step.text, "cite": step.cite or None} for step in answer.working],
        "cites": asked.cites,
        "reading": asked.reading,
        "other_readings": [
            {"name": each.name, "choice": each.choice, "cite": each.cite, "answer": each.short}
            for each in asked.otherwise
        ],
    }


def _typed(value: Any) -> Any:
    return [word for part in value for word in Things.words(part)] if isinstance(value, tuple) else value


def _exact(value: Any) -> Any:
    """Give each fraction as text beside its decimal."""
    if isinstance(value, Fraction):
        return {"exact": str(value), "decimal": float(value)}
    if isinstance(value, Mapping):
        return {str(key): _exact(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_exact(each) for each in value]
    return value


cli = Judge("judge", NOUNS["judge"])
