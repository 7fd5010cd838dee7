"""`tourney format`: the rules for building decks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import click

import tourney.decks as decklists
from tourney.cards.names import nearest
from tourney.cli.command import noun
from tourney.cli.deck_reading import Rulesets
from tourney.cli.options import day_option, flag, formats, games
from tourney.cli.output import pad_text, style_text
from tourney.cli.session import Exit, Session
from tourney.errors import Severity, TourneyError
from tourney.rules.format import Format
from tourney.rules.loading import parse_format, scaffold
from tourney.rules.proofread import remarks_on, unused_settings
from tourney.rules.scoring import SheetLine
from tourney.rules.summary import ExampleResult, FormatList, FormatSummary, Sheet, ShownFormat, sheet_of
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.decks import CheckedExample

cli = noun("format")


@cli.command("list")
def list_(session: Session) -> None:
    """List the available formats with their pools and ban lists.

    Examples:
      tourney format list
    """
    library = session.library()
    reachable = [library.format(name) for name in library.formats()]
    session.emit(FormatList(formats=tuple(map(FormatSummary.of, reachable))))
    rows = [
        [format_.id, format_.name, format_.edition or "", format_.banlist or "", ", ".join(format_.parents)]
        for format_ in reachable
    ]
    session.table(("format", "name", "rules", "ban list", "extends"), rows)
    session.talk("\n`tourney format show NAME` prints a format as a judge's sheet")


@cli.command("show")
@click.argument("name", metavar="[NAME|FILE]", required=False, shell_complete=formats)
@click.option(
    "--game",
    metavar="GAME",
    shell_complete=games,
    help="All formats of a game on one sheet for players, with the questions that `tourney judge` answers.",
)
@flag("--markdown", help="Print the sheet of --game as Markdown.")
@flag("--check", "run", help="Proofread the format and run its examples; exits with 1 if anything is wrong.")
@flag("--examples", help="Print the examples, too.")
@day_option
def show(
    session: Session,
    *,
    name: str | None,
    game: str | None,
    markdown: bool,
    run: bool,
    examples: bool,
    on: date | None,
) -> Exit | None:
    """Print a format as a judge's sheet: every rule with its source and the kind of source.

    The sheet is made from the same data with which decks are checked, so that both always agree.

    --check reports examples whose outcome is not as the file expects, lines of the format without effect, and
    words that no card of a complete pool has (a misspelt type, zone or set).

    --game prints every format of the game for players: how to build decks, how a match is played and scored,
    the sides, what to know on the day of the event, advice, exceptions to rules, and the questions that
    `tourney judge` answers. Each line has its source and a mark: `law` (the rule text), `reading` (one
    reading of an unclear text), `elsewhere` (another source) or `house` (a choice of this program or of the
    organizer).

    Examples:
      tourney format show redline/standard
      tourney format show ./house.toml --check
      tourney format show --game redline
      tourney format show --game redline --markdown
    """
    if name is not None and game is None and not markdown:
        return _show_format(session, name, on, run=run, examples=examples)
    if name is not None or game is None:
        raise click.UsageError("name a format, or a game with --game; --markdown needs --game")
    if run or examples:
        raise click.UsageError("--check and --examples are for one format")
    _show_game(session, game, markdown=markdown)
    return None


def _show_format(session: Session, name: str, on: date | None, *, run: bool, examples: bool) -> Exit | None:
    rulesets = Rulesets(session, (name,), on, tolerant=run)
    format_ = rulesets.library.format(name)
    remarks = (
        [*remarks_on(format_, rulesets.library.pool_of(format_)), *unused_settings(format_)] if run else []
    )
    example_runs = _run_examples(rulesets, name, format_) if run else []
    document = ShownFormat(
        format=FormatSummary.of(format_),
        sheet=sheet_of(format_),
        examples=tuple(
            ExampleResult(example.name, example.verdict.verdict, tuple(example.faults))
            for example in example_runs
        ),
        remarks=tuple(remarks),
    )
    session.emit(document)
    session.say(_sheet(document.sheet, run=run))
    session.say(_examples(format_) if examples else ())
    session.say(_outcomes(document.examples) if run else ())
    session.say(f"\n{remark.message}  [{remark.rule}]" for remark in remarks)
    faulty = any(example.faults for example in document.examples)
    wrong = any(remark.severity is Severity.ERROR for remark in remarks)
    return Exit.FOUND if faulty or wrong else None


def _show_game(session: Session, game: str, *, markdown: bool) -> None:
    from tourney.games.sheet import as_markdown, game_sheet, lines_of
    from tourney.games.sheet_lines import GameSheetDocument

    library = session.library()
    names = sorted({name.partition("/")[0] for name in library.formats()})
    if game not in names:
        near = nearest(game, names)
        games_ = listed(f"`{name}`" for name in names)
        raise TourneyError(
            f"there is no game `{game}`", f"did you mean `{near}`? " * bool(near) + f"the games are {games_}"
        )
    sheet = game_sheet([library.format(name) for name in library.formats() if name.startswith(f"{game}/")])
    session.emit(GameSheetDocument(sheet=sheet))
    if markdown:
        session.say(as_markdown(sheet).rstrip("\n"))
        return
    for kind, handle, text in lines_of(sheet):
        session.say(_wrap_line(kind, handle, text))


_MARGIN = 20
_WIDE = 100


def _wrap_line(kind: str, handle: str, text: str) -> Iterator[str]:
    """Yield a line of a game's sheet, wrapped in columns."""
    if kind == "game":
        yield style_text(text, bold=True)
    elif kind == "format":
        yield ""
        yield style_text(f"{text} ({handle})", bold=True)
    elif kind == "section":
        yield ""
        yield style_text(text, bold=True)
    elif kind == "about":
        yield from wrap(text, _WIDE, initial_indent="  ", subsequent_indent="  ")
    else:
        first = f"  {pad_text(handle, 17)} " if kind == "line" else " " * _MARGIN
        full_text = f"{handle}: {text}" if kind == "reading" else text
        lines = wrap(full_text, _WIDE - _MARGIN, break_long_words=False, break_on_hyphens=False)
        for place, line in enumerate(lines):
            yield (first if not place else " " * _MARGIN) + (
                style_text(line, dim=True) if kind == "mark" else line
            )


def _run_examples(rulesets: Rulesets, name: str, format_: Format) -> list[CheckedExample]:
    """Check the example decks of a format, and return the outcome of each.

    The format's rules are read first, with their card pool, so that faults in them are found, too.
    """
    today = rulesets.ruleset(name)
    return list(
        decklists.run_examples(format_, lambda day: today if day is None else rulesets.on_day(name, day))
    )


def _sheet(sheet: Sheet, *, run: bool) -> Iterator[str]:
    """Yield the lines of a format's sheet.

    run: whether to yield only the title of the sheet, because the command then runs the examples instead
    """
    yield style_text(f"{sheet.name} ({sheet.id})", bold=True)
    if run:
        return
    yield from (f"  {line}" for line in (sheet.edition, sheet.about, sheet.published) if line)
    yield f"  ban list: {sheet.banlist or 'none'}"
    for heading, lines in sheet.sections:
        yield ""
        yield style_text(heading, bold=True)
        for line in lines:
            yield from _line(line)


def _line(line: SheetLine) -> Iterator[str]:
    from tourney.games.sheet import without_source

    yield f"  {pad_text(line.handle, 14)} {line.says}"
    indent = " " * 17
    if line.counts:
        yield indent + line.counts
    yield indent + style_text(f"[{line.standing}] {line.cite or without_source(line.standing)}", dim=True)


def _examples(format_: Format) -> Iterator[str]:
    for example in format_.examples:
        yield f"\nExample: {example.rule.name}"
        yield from (f"    {line}" for line in example.rule.deck.strip().splitlines())


def _outcomes(examples: Sequence[ExampleResult]) -> Iterator[str]:
    for example in examples:
        outcome = "fails" if example.faults else example.verdict
        yield f"  {pad_text(outcome, 11)} {example.name}"
        yield from (f"              {fault}" for fault in example.faults)
    faulty = sum(bool(example.faults) for example in examples)
    if not examples:
        yield "  the format has no examples"
    else:
        yield f"\n{counted(len(examples), 'example')}: " + (
            f"{faulty} differ from the file" if faulty else "all as the file expects"
        )


@cli.command("new")
@click.argument("name", metavar="GAME/FORMAT")
@click.argument("file", metavar="[FILE]", required=False)
@click.option(
    "--extends", metavar="FORMAT", shell_complete=formats, help="Write house rules that extend this format."
)
@click.option("--title", metavar="TEXT", default="", help="The name of the format.")
def new(session: Session, name: str, file: str | None, extends: str | None, title: str) -> None:
    """Write a new format: a working file with comments that explain every possible key.

    The format is written to FILE (`FORMAT.toml` in this folder by default), or to standard output for `-`.

    Examples:
      tourney format new my-game/standard
      tourney format new club/friday --extends redline/standard friday.toml
      tourney format new my-game/standard -
    """
    text = scaffold(name, name=title, extends=extends or "")
    parse_format(text, source="the new format", parent=session.library().format)
    target = file or f"{name.rpartition('/')[2]}.toml"
    session.write_draft(
        target,
        text,
        description=f"the format {name}, ready to be filled in",
        hint="name another file: `tourney format new NAME FILE`",
        next_command=f"tourney format show {Path(target)} --check",
    )
