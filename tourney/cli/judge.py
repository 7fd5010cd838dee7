"""`tourney judge`: a command for each calculator of each game (`tourney/games`).

A calculator answers a question about the rules. A *reading* is one of several ways to understand an unclear
rule text.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import click
from click.shell_completion import CompletionItem

from tourney import games
from tourney.cli.command import NOUNS, Command, Noun, command
from tourney.cli.output import pad_text, style_text, width
from tourney.cli.session import Session
from tourney.errors import TourneyError
from tourney.games.questions import (
    CITED_LINE,
    Answered,
    Argument,
    CalculatorList,
    Game,
    Question,
    RuleReading,
    UsedSettings,
    ask,
    calculator_answer,
    has_calculators,
    listed_game,
    load_game,
)
from tourney.games.typed import MisspeltError, Things, Value, whole
from tourney.rules.vocabulary import Scalar
from tourney.wording import listed

LIST = "list"


@cache
def game_names() -> tuple[str, ...]:
    """Return the games with calculators: the folders of `tourney.games` with a judge module."""
    names = [module.name.replace("_", "-") for module in pkgutil.iter_modules(games.__path__) if module.ispkg]
    return tuple(sorted(filter(has_calculators, names)))


# -- the groups


class _Listing(Noun):
    """A group of commands for calculators. Without a command, it lists the calculators."""

    def __init__(self, name: str, help_: str) -> None:
        super().__init__(
            name,
            help=help_,
            default=LIST,
            epilog=(
                "Without a question, this lists the questions; `--help` after a question shows its "
                "arguments. Type each thing on the table as one word, with its numbers joined by "
                "/, as in 2/40. 3x2/40 means three equal things, - a blank value, and Ada=5 a thing with a "
                "name. Separate things by blanks or commas; + joins things into a group."
            ),
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """If no command is named, run the one that lists the calculators.

        Shell completion parses the words without this default.
        """
        if ctx.resilient_parsing:
            return click.Group.parse_args(self, ctx, args)
        return super().parse_args(ctx, args)


class Judge(_Listing):
    """`tourney judge`: a group for each game, imported when it is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands: `list`, then the games with calculators."""
        return [LIST, *game_names()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the group of a game."""
        if cmd_name == LIST:
            return _list_command(None)
        return _questions(cmd_name) if cmd_name in game_names() else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the group of a game. If there is no game of that name, the error shows the names."""
        if args[0] not in self.list_commands(ctx) and not ctx.resilient_parsing:
            raise click.UsageError(f"there is no game `{args[0]}`; the games are {listed(game_names())}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the games with their full names."""
        with formatter.section("Games"):
            formatter.write_dl(
                [(name, f"{load_game(name).name} ({load_game(name).rules}).") for name in game_names()]
            )


def _questions(name: str) -> _Listing:
    """Return `tourney judge GAME`: a command for each calculator.

    The commands are in the order of the game's module.
    """
    game = load_game(name)
    group = _Listing(name, f"Calculators for {game.name} ({game.rules}).")
    group.add_command(_list_command(name))
    for question in game.questions:
        group.add_command(_question_command(name, game, question))
    return group


# -- the lists


def _list_command(game: str | None) -> Command:
    """Return the command that lists the calculators of one game, or of all games."""
    path = f"tourney judge {game}" if game else "tourney judge"
    games_text = load_game(game).name if game else "every game"

    def list_(session: Session, **_: object) -> None:
        names = (game,) if game else game_names()
        session.emit(CalculatorList(games=tuple(listed_game(name, load_game(name)) for name in names)))
        questions = {name: load_game(name).questions for name in names}
        widest = max((width(question.name) for name in names for question in questions[name]), default=0)
        for place, name in enumerate(names):
            if not game:
                session.say(("\n" if place else "") + style_text(name, bold=True))
            for question in questions[name]:
                session.say(f"  {pad_text(question.name, widest)}  {question.asks}")
        session.talk("\n`--help` after a question shows its arguments")

    text = f"List the questions of {games_text}, one per line; the same as `{path}` alone."
    flag = click.Option(["--list"], is_flag=True, help="Allowed for clarity; this command always lists.")
    return command(LIST, params=[flag], help=f"{text}\n\nExamples:\n  {path}\n  {path} --json")(list_)


# -- the command of a question


def _question_command(name: str, game: Game, question: Question) -> Command:
    """Return the command that runs a calculator.

    name: the game as the user types it, such as `red-diamond`
    """
    path = f"tourney judge {name} {question.name}"

    def answer(session: Session, explain: bool, reading: Sequence[str], **typed_values: Any) -> None:
        try:
            chosen_readings = question.parse_readings(reading)
        except MisspeltError as fault:
            raise click.UsageError(f"--reading: {fault}", click.get_current_context()) from None
        settings = _event_settings(session, name, question)
        used_settings = _used_settings(settings, question, chosen_readings, typed_values)
        typed_values |= {
            setting: value for setting, value in used_settings.items() if setting in typed_values
        }
        readings = {setting: value for setting, value in used_settings.items() if setting not in typed_values}
        outcome = ask(question, _read(question, typed_values), {**readings, **chosen_readings})
        event = UsedSettings(name=session.place.name, settings=used_settings) if used_settings else None
        session.emit(calculator_answer(name, question, typed_values, outcome, event))
        session.say(_lines(game, question, outcome, explain=explain))
        if used_settings:
            settings_text = ", ".join(f"{setting}={value}" for setting, value in used_settings.items())
            session.say(f"Settings of the event {session.place.name}: {settings_text}.")

    paragraphs = [question.asks, *([question.more] if question.more else []), "Examples:"]
    examples = [f"  {path} {words}".rstrip() for words in question.examples]
    make = command(
        question.name,
        help="\n".join(["\n\n".join(paragraphs), *examples]),
        params=[*map(_parameter, question.arguments), _reading_option(question), _EXPLAIN],
        notes=_notes(question),
        event=True,
    )
    new_command = make(answer)
    # `-1` and `-/3` are valid arguments; `_read` refuses other words that start with a dash.
    new_command.ignore_unknown_options = True
    return new_command


def _event_settings(session: Session, name: str, question: Question) -> Mapping[str, Scalar]:
    """Return the settings of the event that a calculator may use.

    A setting that the event does not change has the default of the event's format. If there is no event, or
    if it belongs to another game, the mapping is empty. It is also empty if the event cannot be read, unless
    `-e` names the event: then TourneyError is raised.
    """
    if not session.has_event or not (question.settings or session.event_name):
        return {}
    from tourney.games.sheet import game_of

    try:
        with session.desk() as desk:
            format_ = desk.rules.format
            choices = desk.state.settings.match.choices
    except TourneyError as fault:
        if session.event_name:
            raise
        session.warn(f"the event here cannot be read, and its settings are not used: {fault.message}")
        return {}
    if (other_game := game_of(format_)) != name:
        if session.event_name:
            session.warn(f"{session.place.name} is an event of {other_game}; its settings are not used")
        return {}
    settings = {setting: row.default for setting, row in format_.settings.items()} | choices
    return {setting: value for setting, value in settings.items() if setting in question.settings}


def _used_settings(
    settings: Mapping[str, Scalar],
    question: Question,
    chosen_readings: Mapping[str, str | int],
    typed_values: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the event's settings that a calculator uses for its answer.

    Settings for which the command line has a value are left out, and so are settings that select the default
    reading of a rule.
    """
    used_settings: dict[str, Any] = {}
    for reading in question.readings:
        value = settings.get(reading.name, reading.default)
        if reading.name not in chosen_readings and reading.allows(value) and value != reading.default:
            used_settings[reading.name] = value
    for argument in question.arguments:
        value = settings.get(argument.name, "")
        if argument.setting and typed_values[argument.name] is None and type(value) is int:
            used_settings[argument.name] = value
    return used_settings


_EXPLAIN = click.Option(
    ["--explain"],
    is_flag=True,
    help="Show the working step by step, with the line of the rules for each step.",
)


class _SingleValue(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """The click type for an argument of a calculator that is a single value.

    value: which words and numbers can be typed for the argument
    """

    def __init__(self, value: Value) -> None:
        self.value = value
        self.name = value.label

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, int):
            return value
        _refuse_option(str(value), ctx)
        try:
            return whole(value) if self.value.number else self.value.read(value)
        except MisspeltError as fault:
            self.fail(str(fault), param, ctx)


def _parameter(argument: Argument) -> click.Parameter:
    """Return the click parameter of an argument."""
    several = isinstance(argument.reader, Things)
    kind: click.ParamType[Any] | None = None
    if isinstance(argument.reader, Value):
        words = tuple(argument.reader.words)
        kind = click.Choice(words) if words else _SingleValue(argument.reader)
    if not argument.option:
        return click.Argument(
            [argument.name],
            nargs=-1 if several else 1,
            required=argument.required,
            type=kind,
            metavar=argument.label.upper() + "…" * several,
        )
    names = [f"--{argument.label.replace('_', '-')}", argument.name]
    if argument.reader is None:
        return click.Option(names, is_flag=True, help=argument.help)
    is_required = argument.required and not argument.setting
    if several:
        return click.Option(
            names, multiple=True, required=is_required, metavar=argument.metavar, help=argument.help
        )
    return click.Option(
        names,
        type=kind,
        default=argument.default,
        required=is_required,
        metavar=None if isinstance(kind, click.Choice) else argument.metavar,
        show_default=argument.default is not None,
        help=argument.help,
    )


def _reading_option(question: Question) -> click.Option:
    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        choices = [
            (f"{reading.name}={choice}", cite)
            for reading in question.readings
            for choice, cite in reading.choices.items()
            if not reading.is_number
        ]
        return [CompletionItem(word, help=cite) for word, cite in choices if word.startswith(incomplete)]

    return click.Option(
        ["--reading", "reading"],
        multiple=True,
        metavar="NAME=CHOICE",
        hidden=not question.readings,
        shell_complete=complete,
        help="Another reading of an unclear text; the beginning of a name or choice is enough.",
    )


def _notes(question: Question) -> Mapping[str, Mapping[str, str]]:
    """Return the help texts about the arguments, and about rule texts with several readings."""
    arguments = {}
    for argument in question.arguments:
        if not argument.option:
            shape = f", typed {argument.metavar}" if isinstance(argument.reader, Things) else ""
            arguments[argument.label.upper()] = argument.help + shape
    readings = {reading.name: _about(reading) for reading in question.readings}
    notes = {"Arguments": arguments, "Readings": readings}
    return {heading: lines for heading, lines in notes.items() if lines}


def _about(reading: RuleReading) -> str:
    if reading.is_number:
        return f"{reading.about} ({reading.cite(reading.default)}); {reading.default} by default"
    choices = [
        f"`{choice}`{' (the default)' if choice == reading.default else ''}: {cite}"
        for choice, cite in reading.choices.items()
    ]
    return f"{reading.about}. {'; '.join(choices)}"


def _read(question: Question, typed_values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of each argument of a calculator, from what the user typed.

    Raises UsageError for a value that is missing or cannot be read.
    """
    values = {}
    context = click.get_current_context()
    for argument, parameter in zip(question.arguments, context.command.params, strict=False):
        words = typed_values[argument.name]
        if argument.required and words is None:  # a setting, but no event has a value for it
            raise click.MissingParameter(ctx=context, param=parameter)
        if not isinstance(argument.reader, Things):
            values[argument.name] = words
            continue
        for word in words:
            _refuse_option(word, context)
        try:
            if words:
                values[argument.name] = argument.reader.read(" ".join(words))
        except MisspeltError as fault:
            raise click.BadParameter(str(fault), context, parameter) from None
    return values


def _refuse_option(word: str, context: click.Context | None) -> None:
    """Refuse a word that looks like an option.

    click passes unknown options on as ordinary arguments.
    """
    if word.startswith("--") or (word.startswith("-") and word[1:2].isalpha()):
        raise click.NoSuchOption(word.partition("=")[0], ctx=context)


# -- the answer


def _lines(game: Game, question: Question, outcome: Answered, *, explain: bool) -> Iterator[str]:
    """Yield the lines of an answer: the answer, the reason, the rule and the assumed readings.

    If another reading of an unclear rule text would change the answer, a line with that answer follows.
    """
    answer = outcome.answer
    yield style_text(answer.short, bold=True)
    if explain:
        yield ""
        for number, step in enumerate(answer.working, start=1):
            yield f"{number:>2}. {step.text}{f'  [{step.cite}]' if step.cite else ''}"
        yield ""
    elif answer.why:
        yield answer.why
    rules = f" ({game.rules})" if any(CITED_LINE.search(cite) for cite in outcome.cites) else ""
    yield f"Rule{'s' * (len(outcome.cites) > 1)}: {'; '.join(outcome.cites)}{rules}."
    names = {other.name for other in outcome.others}
    assumes = "This answer assumes"
    if any(len(reading.choices) > 1 for reading in question.readings):
        assumes = "The rules can be read in several ways; this answer assumes"
    for reading in question.readings:
        choice = outcome.readings[reading.name]
        is_default = choice == reading.default
        if explain or not is_default or reading.name in outcome.depends - names:
            value = choice if isinstance(choice, int) else f'"{choice}"'
            default = " (the default)" * is_default
            place, colon, remark = reading.cite(choice).partition(": ")
            source = f"{place} ({remark})" if colon else place
            yield f"{assumes} {reading.name} = {value}{default}. Source: {source}."
            assumes = "This answer also assumes"
    for other in outcome.others:
        text = str(other)
        yield text[0].upper() + text[1:]


cli = Judge("judge", NOUNS["judge"].help)
