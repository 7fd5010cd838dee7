"""A game on one sheet, for players: decks, the match, sides and scores, the day, advice, exceptions, what a judge answers.

Made from the data that judges the decks and answers the questions, each line with where it stands and how firmly, so that
paper and program cannot disagree.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from msgspec import structs

from tourney.rules.scoring import score_words
from tourney.rules.summary import Sheet, SheetLine, cut_words, match_lines, sheet_of
from tourney.rules.vocabulary import CutFile, SeatsFile
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.games.questions import Game, Question
    from tourney.rules.format import Format
    from tourney.rules.vocabulary import Scalar

_TITLES = {
    "The list": "The deck",
    "Rules": "What every deck keeps to",
    "Advice (never makes a deck illegal)": "Advice, never a reason to refuse a deck",
    "What no list can show": "At the table",
    "The match": "The match and the event",
}
"""What a heading of the judge's sheet is called for players, where it is not the same."""

_ORDER = (  # of the sections on the players' sheet; what is not here follows
    "The list",
    "Rules",
    "Errata",
    "The match",
    "The organizer's choices",
    "On the day",
    "What no list can show",
    "Advice (never makes a deck illegal)",
)
_WITHOUT_COUNTS = ("The list", "Rules", "Advice (never makes a deck illegal)")
"""Sections whose lines say all there is for a player; what the program counts is for the judge's sheet."""


@dataclass(frozen=True, slots=True)
class PlayersLine:
    """A line for players.

    handle: what the line is about
    says:   the line
    mark:   `law` (the rule text), `reading` (an open text, read so), `elsewhere` (another source) or `house`
    cite:   where the rule text or the other source has it
    """

    handle: str
    says: str
    mark: str
    cite: str

    @property
    def stands(self) -> str:
        """The mark and the citation: `[law] Arsenal Construction, L41`."""
        return f"[{self.mark}] {self.cite}".rstrip()


@dataclass(frozen=True, slots=True)
class PlayersSection:
    """A heading and its lines. title: the heading; lines: its lines."""

    title: str
    lines: tuple[PlayersLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSheet:
    """One format of the game.

    id:       the format, by its id
    name:     the name of the format
    about:    what the format is
    source:   where its rules are published
    banlist:  the ban list that applies; `none` without one
    sections: its lines, by heading
    base:     the format of this sheet that it extends, so that only differences follow; empty if all lines follow
    away:     lines of that format that do not apply here
    """

    id: str
    name: str
    about: str
    source: str
    banlist: str
    sections: tuple[PlayersSection, ...]
    base: str = ""
    away: tuple[str, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remarks before its sections."""
        like = f"As {self.base}, except for what follows." if self.base else ""
        listed = f"Ban list: {self.banlist}." if self.banlist != "none" else ""
        gone = (f"Not here: {each}." for each in self.away)
        return tuple(filter(None, (self.about, like, *gone, listed)))


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionLine:
    """A calculator for judges.

    name:     its name
    asks:     what it answers, as a question
    cites:    where its rules are
    readings: the open texts that it can read in several ways
    mark:     `law`, or `elsewhere` if the rules are from another source
    """

    name: str
    asks: str
    cites: tuple[str, ...]
    readings: tuple[PlayersLine, ...]
    mark: str = "law"

    @property
    def stands(self) -> str:
        """The mark and the citations."""
        return f"[{self.mark}] {'; '.join(self.cites)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSheet:
    """A whole game.

    game:      the game, by its id
    name:      the name of the game
    rules:     the edition of its rules
    formats:   its formats, each with its lines
    questions: its calculators
    sources:   the texts, with their addresses
    """

    game: str
    name: str
    rules: str
    formats: tuple[FormatSheet, ...]
    questions: tuple[QuestionLine, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnMatch:
    """How an event is played, whatever is usual in its format.

    seats:   the numbers of players that a table may have; games: a match has; lists: of a player; profile: of the standings
    minutes: of a round; 0: no clock
    rounds:  how many Swiss rounds are planned; None: as many as the organizer pairs; bracket_only: the event has none
    cut_to:  how many went on after them; 0: nobody yet
    cut_seats, cut_advance: players at a table of the bracket, and how many go on from it
    cut_set: whether the organizer said how many seats
    banlist: the ban list that the event keeps; empty where it has none
    missing_banlist: the format's list if it was not installed, so that no deck is checked against it; else empty
    """

    seats: tuple[int, ...]
    games: int
    draws: bool
    sides: tuple[str, ...]
    minutes: int
    lists: int
    profile: str
    rounds: int | None
    bracket_only: bool
    cut_to: int
    cut_seats: int
    cut_advance: int
    cut_set: bool
    banlist: str = ""
    missing_banlist: str = ""


def game_sheet(
    formats: Sequence[Format],
    chosen: Mapping[str, Scalar] | None = None,
    own: OwnMatch | None = None,
) -> GameSheet:
    """Return the sheet of formats of one game, those that others build on first.

    chosen, own: what the organizer of an event chose and how it is played, where it is an event's sheet
    """
    ordered = sorted(
        formats, key=lambda each: (len(each.parents), not each.id.endswith("/standard"), each.id)
    )
    sheets = {each.id: sheet_of(each) for each in ordered}
    game = _questions(game_of(ordered[0]))
    return GameSheet(
        game=ordered[0].game,
        name=game.name if game else ordered[0].name,
        rules=ordered[0].edition or (game.rules if game else ""),
        formats=tuple(_format(each, sheets, chosen or {}, own) for each in ordered),
        questions=tuple(map(_question_line, game.questions)) if game else (),
        sources=tuple(dict.fromkeys(source for each in ordered for source in _sources(each, own))),
    )


def game_of(format_: Format) -> str:
    """Return the id of the game that a format is for: that of the last format it extends."""
    known = [each for each in (format_.id, *format_.parents) if "/" in each]
    return known[-1].partition("/")[0] if known else format_.game


def _questions(game: str) -> Game | None:
    """Return the questions of a game; None where it has none."""
    name = f"tourney.games.{game.replace('-', '_')}"
    if (
        not game.replace("-", "_").isidentifier()
        or find_spec(name) is None
        or find_spec(f"{name}.judge") is None
    ):
        return None
    found: Game = importlib.import_module(f"{name}.judge").GAME
    return found


def _sources(format_: Format, own: OwnMatch | None) -> Iterator[str]:
    if format_.published:
        yield format_.published
    if format_.banlist_at and (own is None or own.banlist == format_.banlist or own.missing_banlist):
        yield f"ban list: {format_.banlist_at}"


def _format(
    format_: Format, sheets: Mapping[str, Sheet], chosen: Mapping[str, Scalar], own: OwnMatch | None
) -> FormatSheet:
    sheet = sheets[format_.id]
    base = next((parent for parent in format_.parents if parent in sheets), "")
    sections = dict(_sections(format_, sheet, chosen))
    if own is not None:
        sections["The match"] = tuple(_as_played(format_, sections["The match"], own))
    away: list[str] = []
    if base:
        before = dict(_sections(format_, sheets[base], chosen))
        said = {line for lines in before.values() for line in lines}
        handles = {(title, line.handle) for title, lines in sections.items() for line in lines}
        away = [
            line.says
            for title, lines in before.items()
            for line in lines
            if (title, line.handle) not in handles
        ]
        sections = {
            title: tuple(line for line in lines if line not in said) for title, lines in sections.items()
        }
    return FormatSheet(
        id=sheet.id,
        name=sheet.name,
        about=sheet.about or "",
        source=sheet.published or "",
        banlist=(sheet.banlist if own is None else _banlist_of(own)) or "none",
        sections=tuple(
            PlayersSection(_TITLES.get(title, title), lines) for title, lines in sections.items() if lines
        ),
        base=base,
        away=tuple(away),
    )


def _banlist_of(own: OwnMatch) -> str:
    """Name the ban list of an event; without one, say whether it is missing."""
    return f"not checked, as {own.missing_banlist} is not installed" if own.missing_banlist else own.banlist


def _sections(
    format_: Format, sheet: Sheet, chosen: Mapping[str, Scalar]
) -> Iterator[tuple[str, tuple[PlayersLine, ...]]]:
    given = dict(sheet.sections)
    for title in (*_ORDER, *(each for each in given if each not in _ORDER)):
        lines = [_players_line(line, counts=title not in _WITHOUT_COUNTS) for line in given.get(title, ())]
        if lines:
            yield title, tuple(_for_players(title, lines, format_, chosen))


def _for_players(
    title: str, lines: Sequence[PlayersLine], format_: Format, chosen: Mapping[str, Scalar]
) -> list[PlayersLine]:
    """Return the lines of a section with what players are told otherwise than judges, or besides."""
    match title:
        case "The list":
            names = {zone.rule.id: zone.rule.name or zone.rule.id for zone in format_.zones}
            return [replace(line, handle=names.get(line.handle, line.handle)) for line in lines]
        case "On the day" | "What no list can show":
            return [replace(line, handle="") for line in lines]
        case "The match":
            played = [line for line in lines if line.handle != "draw"]  # that is how the desk types it
            if not chosen:
                return played
            told = {handle: says for handle, says, *_ in score_words(format_.match, format_.settings, chosen)}
            return [replace(line, says=told["score"]) if line.handle == "score" else line for line in played]
        case "The organizer's choices":
            return [_as_chosen(line, chosen) for line in lines]
        case "Rules":
            return [each for line in lines for each in (line, *_exceptions(format_, line.handle))]
    return list(lines)


def _as_played(format_: Format, usual: Sequence[PlayersLine], own: OwnMatch) -> Iterator[PlayersLine]:
    """Give the lines of a match as an event plays it: where they are not the format's, they are the organizer's."""
    now = _own_lines(format_, own)
    for line in usual:
        says = now.pop(line.handle, None)
        if line.handle not in _OWN or says == line.says:
            yield line
        elif says is not None:
            yield PlayersLine(line.handle, says, "house", _CHOSEN)
    for handle in _OWN:
        if handle in now:
            yield PlayersLine(handle, now[handle], "house", _CHOSEN)


def _own_lines(format_: Format, own: OwnMatch) -> dict[str, str]:
    """Return what is said of an event's own match, by handle."""
    sizes = sorted(own.seats)
    played = replace(
        format_,
        match=structs.replace(
            format_.match,
            seats=sizes[0] if len(sizes) == 1 else SeatsFile(min=sizes[0], max=sizes[-1]),
            games=own.games,
            draws=own.draws,
            sides=own.sides,
            minutes=own.minutes,
        ),
        event=structs.replace(format_.event, pods=own.seats, lists=own.lists),
        standings=structs.replace(format_.standings, profile=own.profile),
    )
    says = {line.handle: line.says for line in match_lines(played)}
    if not own.bracket_only:
        says["rounds"] = (
            "as many as the organizer pairs" if own.rounds is None else counted(own.rounds, "round")
        )
    tables = cut_words(CutFile(seats=own.cut_seats, advance=own.cut_advance))
    if own.cut_to:
        says["cut"] = f"the first {own.cut_to} go on" + ("" if own.cut_seats == 2 else f", to {tables}")
    elif own.bracket_only:
        says["cut"] = "none: the event is a bracket"
    elif own.cut_set or isinstance(format_.event.cut, CutFile):
        says["cut"] = tables
    return says


_OWN = ("match", "clock", "rounds", "tables", "sides", "cut", "lists", "standings")
"""What of a match an organizer sets."""
_CHOSEN = "as the organizer of this event has it"
"""Where a line stands that is the organizer's."""


def _players_line(line: SheetLine, *, counts: bool) -> PlayersLine:
    says = f"{line.says} ({line.counts})" if counts and line.counts else line.says
    mark = line.standing.removeprefix("a ")
    return PlayersLine(line.handle, says, mark, line.cite or _silent(mark))


def _silent(mark: str) -> str:
    return "the rule text does not say" if mark == "house" else "no source given"


def _as_chosen(line: PlayersLine, chosen: Mapping[str, Scalar]) -> PlayersLine:
    if line.handle not in chosen:
        return line
    value = chosen[line.handle]
    said = ("yes" if value else "no") if isinstance(value, bool) else str(value)
    return replace(line, says=f"{line.says}; chosen for this event: {said}")


def _exceptions(format_: Format, handle: str) -> Iterator[PlayersLine]:
    """Give the exceptions to a limit that say where they stand, each a line of its own."""
    for placed in format_.rules.get("limit", ()):
        if placed.rule.id == handle:
            for each in placed.rule.exceptions:
                if each.title and each.cite:
                    yield PlayersLine("", f"except {each.title}", "law", each.cite)


def _question_line(question: Question) -> QuestionLine:
    readings = []
    for reading in question.readings:
        others = "".join(
            f"; or {choice} ({cite})" for choice, cite in reading.choices.items() if choice != reading.default
        )
        text = f"{reading.about}: {reading.default}{others}"
        readings.append(PlayersLine(reading.name, text, "reading", reading.cite(reading.default)))
    return QuestionLine(
        name=question.name,
        asks=question.asks,
        cites=question.cites,
        readings=tuple(readings),
        mark=question.standing,
    )


# -- as text: for the terminal, and as Markdown


def lines_of(sheet: GameSheet) -> Iterator[tuple[str, str, str]]:
    """Give a sheet line by line, as (kind, handle, text): `game`, `format`, `about`, `section`, `line`, `mark`, `reading`."""
    yield "game", "", f"{sheet.name} ({sheet.rules})" if sheet.rules else sheet.name
    for each in sheet.formats:
        yield from _lines_of_format(each)
    if sheet.questions:
        yield "section", "", f"What a judge can have answered: tourney judge {sheet.game} QUESTION"
        yield from (line for question in sheet.questions for line in _lines_of_question(question))
    if sheet.sources:
        yield "section", "", "Sources"
        yield from (("line", "", source) for source in sheet.sources)


def _lines_of_format(sheet: FormatSheet) -> Iterator[tuple[str, str, str]]:
    yield "format", sheet.id, sheet.name
    yield from (("about", "", said) for said in sheet.remarks)
    for section in sheet.sections:
        yield "section", "", section.title
        for line in section.lines:
            yield "line", line.handle, line.says
            yield "mark", "", line.stands


def _lines_of_question(question: QuestionLine) -> Iterator[tuple[str, str, str]]:
    yield "line", question.name, question.asks
    yield "mark", "", question.stands
    for reading in question.readings:
        yield "reading", reading.handle, f"{reading.says}  {reading.stands}".rstrip()


def as_markdown(sheet: GameSheet, escape: Mapping[int, str] | None = None) -> str:
    """Return a sheet as a Markdown document. escape: what to write for signs that Markdown would take for markup."""
    out: list[str] = []
    for kind, handle, text in lines_of(sheet):
        said = text.translate(dict(escape or _MARKUP))
        match kind:
            case "game":
                out.append(f"# {said}\n")
            case "format":
                out.append(f"\n## {said} (`{handle}`)\n")
            case "about":
                out.append(f"{said}\n")
            case "section":
                out.append(f"\n### {said}\n")
            case "line":
                out.append(f"* {f'**{handle}**: ' if handle else ''}{said}")
            case "mark":
                out[-1] += f" *{said}*"
            case _:
                out.append(f"    * `{handle}`: {said}")
    return "\n".join(out).replace("\n\n\n", "\n\n") + "\n"


_MARKUP = {ord(sign): f"\\{sign}" for sign in "\\*_{}[]<>#|~&"}
