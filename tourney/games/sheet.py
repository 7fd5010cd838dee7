"""The sheet of a game: all its rules for players, on one page.

It covers decks, the match, sides, scores, the event day, advice and the calculators.

The sheet is made from the same data with which the program checks decks and answers questions, so that both
agree. Each line shows its source, and a mark for the kind of source: the rule text, a reading of it, another
source, or a house rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, structs
from msgspec.structs import replace

from tourney.games.questions import Question, has_calculators, load_game
from tourney.games.sheet_lines import FormatSheet, GameSheet, PlayersLine, PlayersSection, QuestionLine
from tourney.rules.format import Format
from tourney.rules.scoring import SheetLine, score_lines
from tourney.rules.summary import Sheet, cut_words, match_lines, sheet_of
from tourney.rules.vocabulary import CutFile, Scalar, SeatsFile
from tourney.wording import counted

_TITLES = {
    "The list": "The deck",
    "Rules": "Rules for every deck",
    "Errata": "Errata",
    "The match": "The match and the event",
    "The organizer's choices": "The organizer's choices",
    "On the day": "On the day",
    "What no list can show": "At the table",
    "Advice (never makes a deck illegal)": "Advice, never a reason to refuse a deck",
}
"""Heading on the judge's sheet → heading on the players' sheet, in the players' order.

Sections that are not listed keep their headings and come last.
"""

_WITHOUT_COUNTS = ("The list", "Rules", "Advice (never makes a deck illegal)")
"""Sections that are shown without `SheetLine.counts`: what the program counts for a rule.

Only judges need this.
"""


class EventMatch(Struct, frozen=True, kw_only=True):
    """The settings of an event that can differ from those of its format.

    seats:           the possible numbers of players at a table
    games:           the number of games in a match
    draws:           whether a match can be drawn
    sides:           the names of the sides
    minutes:         the length of a round in minutes; 0: no clock
    lists:           the number of decklists that each player registers
    profile:         the standings profile
    rounds:          the planned number of Swiss rounds; None: as many as the organizer pairs
    bracket_only:    whether the event has no Swiss rounds
    cut_to:          the number of players who advanced to the bracket; 0 before the cut
    cut_seats:       the number of players at a table of the bracket
    cut_advance:     the number of players who advance from such a table
    cut_set:         whether the organizer set the number of seats at a table of the bracket
    banlist:         the ban list of the event; empty if there is none
    missing_banlist: the format's ban list, if it was not installed and no deck is checked against it;
                     otherwise empty
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
    settings: Mapping[str, Scalar] | None = None,
    event_match: EventMatch | None = None,
) -> GameSheet:
    """Return the sheet (the rules for players on one page) for the formats of one game.

    Each format comes after the formats that it extends.

    settings:    for the sheet of an event, the settings that the organizer chose
    event_match: for the sheet of an event, its settings that can differ from the format
    """
    in_order = sorted(
        formats,
        key=lambda format_: (len(format_.parents), not format_.id.endswith("/standard"), format_.id),
    )
    sheets = {format_.id: sheet_of(format_) for format_ in in_order}
    game_id = game_of(in_order[0])
    game = load_game(game_id) if has_calculators(game_id) else None
    return GameSheet(
        game=in_order[0].game,
        name=game.name if game else in_order[0].name,
        rules=in_order[0].edition or (game.rules if game else ""),
        formats=tuple(_format_sheet(format_, sheets, settings or {}, event_match) for format_ in in_order),
        questions=tuple(map(_question_line, game.questions)) if game else (),
        sources=tuple(
            dict.fromkeys(source for format_ in in_order for source in _sources(format_, event_match))
        ),
    )


def game_of(format_: Format) -> str:
    """Return the id of the game to which a format belongs.

    If the format extends others, this is the game of the last format in the chain.
    """
    ids = [id_ for id_ in (format_.id, *format_.parents) if "/" in id_]
    return ids[-1].partition("/")[0] if ids else format_.game


def _sources(format_: Format, event_match: EventMatch | None) -> Iterator[str]:
    if format_.published:
        yield format_.published
    if format_.banlist_at and (
        event_match is None or event_match.banlist == format_.banlist or event_match.missing_banlist
    ):
        yield f"ban list: {format_.banlist_at}"


def _format_sheet(
    format_: Format,
    sheets: Mapping[str, Sheet],
    settings: Mapping[str, Scalar],
    event_match: EventMatch | None,
) -> FormatSheet:
    sheet = sheets[format_.id]
    base = next((parent for parent in format_.parents if parent in sheets), "")
    sections = dict(_sections(format_, sheet, settings))
    if event_match is not None:
        sections["The match"] = tuple(_as_in_event(format_, sections["The match"], event_match))
    away: list[str] = []
    if base:
        before = dict(_sections(format_, sheets[base], settings))
        base_lines = {line for lines in before.values() for line in lines}
        handles = {(title, line.handle) for title, lines in sections.items() for line in lines}
        away = [
            line.says
            for title, lines in before.items()
            for line in lines
            if (title, line.handle) not in handles
        ]
        sections = {
            title: tuple(line for line in lines if line not in base_lines)
            for title, lines in sections.items()
        }
    return FormatSheet(
        id=sheet.id,
        name=sheet.name,
        about=sheet.about or "",
        source=sheet.published or "",
        banlist=(sheet.banlist if event_match is None else _banlist_of(event_match)) or "none",
        sections=tuple(
            PlayersSection(_TITLES.get(title, title), lines) for title, lines in sections.items() if lines
        ),
        base=base,
        away=tuple(away),
    )


def _banlist_of(event_match: EventMatch) -> str:
    """Return the name of an event's ban list, or a remark that the list is not installed."""
    return (
        f"not checked, as {event_match.missing_banlist} is not installed"
        if event_match.missing_banlist
        else event_match.banlist
    )


def _sections(
    format_: Format, sheet: Sheet, settings: Mapping[str, Scalar]
) -> Iterator[tuple[str, tuple[PlayersLine, ...]]]:
    """Yield the sections of a judge's sheet, reworded and ordered for players."""
    sections = dict(sheet.sections)
    for title in dict.fromkeys((*_TITLES, *sections)):
        counts = title not in _WITHOUT_COUNTS
        lines = [_players_line(line, counts=counts) for line in sections.get(title, ())]
        if lines:
            yield title, tuple(_for_players(title, lines, format_, settings))


def _for_players(
    title: str, lines: Sequence[PlayersLine], format_: Format, settings: Mapping[str, Scalar]
) -> list[PlayersLine]:
    """Return the lines of a section of the judge's sheet, as players see them.

    Ids are replaced by names; the organizer's settings and exceptions to rules are added.

    title:    the heading of the section on the judge's sheet
    settings: the settings that the organizer chose
    """
    match title:
        case "The list":
            names = {zone.rule.id: zone.rule.name or zone.rule.id for zone in format_.zones}
            return [structs.replace(line, handle=names.get(line.handle, line.handle)) for line in lines]
        case "On the day" | "What no list can show":
            return [structs.replace(line, handle="") for line in lines]
        case "The match":
            shown_lines = [line for line in lines if line.handle != "draw"]  # players never enter a draw
            if not settings:
                return shown_lines
            words = {
                line.handle: line.says for line in score_lines(format_.match, format_.settings, settings)
            }
            return [
                structs.replace(line, says=words["score"]) if line.handle == "score" else line
                for line in shown_lines
            ]
        case "The organizer's choices":
            return [_as_chosen(line, settings) for line in lines]
        case "Rules":
            return [entry for line in lines for entry in (line, *_exceptions(format_, line.handle))]
    return list(lines)


def _as_in_event(
    format_: Format, usual: Sequence[PlayersLine], event_match: EventMatch
) -> Iterator[PlayersLine]:
    """Yield the lines about the match, changed where an event's settings differ from the format.

    The source of a changed line is the organizer, not the rule text.

    usual: the lines without these changes
    """
    event_texts = _event_texts(format_, event_match)
    for line in usual:
        text = event_texts.pop(line.handle, None)
        if line.handle not in _MATCH_SUBJECTS or text == line.says:
            yield line
        elif text is not None:
            yield PlayersLine(line.handle, text, "house", _ORGANIZER)
    for handle in _MATCH_SUBJECTS:
        if handle in event_texts:
            yield PlayersLine(handle, event_texts[handle], "house", _ORGANIZER)


def _event_texts(format_: Format, event_match: EventMatch) -> dict[str, str]:
    """Return the sheet's lines about the match, according to the settings of an event.

    The dict maps the subject of each line, such as `clock`, to its text.
    """
    sizes = sorted(event_match.seats)
    event_format = replace(
        format_,
        match=structs.replace(
            format_.match,
            seats=sizes[0] if len(sizes) == 1 else SeatsFile(min=sizes[0], max=sizes[-1]),
            games=event_match.games,
            draws=event_match.draws,
            sides=event_match.sides,
            minutes=event_match.minutes,
        ),
        event=structs.replace(format_.event, pods=event_match.seats, lists=event_match.lists),
        standings=structs.replace(format_.standings, profile=event_match.profile),
    )
    texts = {line.handle: line.says for line in match_lines(event_format)}
    if not event_match.bracket_only:
        texts["rounds"] = (
            "as many rounds as the organizer pairs"
            if event_match.rounds is None
            else counted(event_match.rounds, "round")
        )
    tables = cut_words(CutFile(seats=event_match.cut_seats, advance=event_match.cut_advance))
    if event_match.cut_to:
        texts["cut"] = f"the top {event_match.cut_to} advance" + (
            "" if event_match.cut_seats == 2 else f", to {tables}"
        )
    elif event_match.bracket_only:
        texts["cut"] = "none: the event is a bracket"
    elif event_match.cut_set or isinstance(format_.event.cut, CutFile):
        texts["cut"] = tables
    return texts


_MATCH_SUBJECTS = ("match", "clock", "rounds", "tables", "sides", "cut", "lists", "standings")
"""The subjects of the lines about the match that an organizer can change for an event."""

_ORGANIZER = "set by the organizer of this event"
"""The source of a line that the organizer has changed."""


def _players_line(line: SheetLine, *, counts: bool) -> PlayersLine:
    text = f"{line.says} ({line.counts})" if counts and line.counts else line.says
    mark = line.standing.removeprefix("a ")
    return PlayersLine(line.handle, text, mark, line.cite or without_source(mark))


def without_source(mark: str) -> str:
    """Return the text that is shown instead of a source if a line has none."""
    return "the rule text does not say" if mark == "house" else "no source given"


def _as_chosen(line: PlayersLine, settings: Mapping[str, Scalar]) -> PlayersLine:
    if line.handle not in settings:
        return line
    value = settings[line.handle]
    choice = ("yes" if value else "no") if isinstance(value, bool) else str(value)
    return structs.replace(line, says=f"{line.says}; chosen for this event: {choice}")


def _exceptions(format_: Format, handle: str) -> Iterator[PlayersLine]:
    """Yield a line for each exception to the limit `handle`.

    An exception without a title or a source is left out.
    """
    for limit in format_.rules.get("limit", ()):
        if limit.rule.id == handle:
            for exception in limit.rule.exceptions:
                if exception.title and exception.cite:
                    yield PlayersLine("", f"except {exception.title}", "law", exception.cite)


def _question_line(question: Question) -> QuestionLine:
    readings = []
    for reading in question.readings:
        alternatives = "".join(
            f"; or {choice} ({cite})" for choice, cite in reading.choices.items() if choice != reading.default
        )
        text = f"{reading.about}: {reading.default}{alternatives}"
        readings.append(PlayersLine(reading.name, text, "reading", reading.cite(reading.default)))
    return QuestionLine(
        name=question.name,
        asks=question.asks,
        cites=question.cites,
        readings=tuple(readings),
        mark=question.standing,
    )


# -- the sheet as text: for the terminal, and as Markdown


def lines_of(sheet: GameSheet) -> Iterator[tuple[str, str, str]]:
    """Yield the parts of a sheet, in order, as (kind, handle, text).

    The handle is a short name, or empty. These are the kinds:

    game, format, section: a title
    about:   a remark about the format
    line:    a rule, a question for a judge, or a source
    mark:    the kind of source and the citations of the rule or question before it
    reading: an unclear point of the question before it: our reading of the rules, then other readings
    """
    yield "game", "", f"{sheet.name} ({sheet.rules})" if sheet.rules else sheet.name
    for format_ in sheet.formats:
        yield from _lines_of_format(format_)
    if sheet.questions:
        yield "section", "", f"Questions for a judge: tourney judge {sheet.game} QUESTION"
        yield from (line for question in sheet.questions for line in _lines_of_question(question))
    if sheet.sources:
        yield "section", "", "Sources"
        yield from (("line", "", source) for source in sheet.sources)


def _lines_of_format(sheet: FormatSheet) -> Iterator[tuple[str, str, str]]:
    yield "format", sheet.id, sheet.name
    yield from (("about", "", remark) for remark in sheet.remarks)
    for section in sheet.sections:
        yield "section", "", section.title
        for line in section.lines:
            yield "line", line.handle, line.says
            yield "mark", "", line.attribution


def _lines_of_question(question: QuestionLine) -> Iterator[tuple[str, str, str]]:
    yield "line", question.name, question.asks
    yield "mark", "", question.attribution
    for reading in question.readings:
        yield "reading", reading.handle, f"{reading.says}  {reading.attribution}".rstrip()


def as_markdown(sheet: GameSheet, escape: Mapping[int, str] | None = None) -> str:
    """Return a sheet as a Markdown document.

    escape: code point → replacement, for characters that are markup in Markdown
    """
    out: list[str] = []
    for kind, handle, text in lines_of(sheet):
        markdown = text.translate(dict(escape or _MARKUP))
        match kind:
            case "game":
                out.append(f"# {markdown}\n")
            case "format":
                out.append(f"\n## {markdown} (`{handle}`)\n")
            case "about":
                out.append(f"{markdown}\n")
            case "section":
                out.append(f"\n### {markdown}\n")
            case "line":
                out.append(f"* {f'**{handle}**: ' if handle else ''}{markdown}")
            case "mark":
                out[-1] += f" *{markdown}*"
            case _:
                out.append(f"    * `{handle}`: {markdown}")
    return "\n".join(out).replace("\n\n\n", "\n\n") + "\n"


_MARKUP = {ord(sign): f"\\{sign}" for sign in "\\*_{}[]<>#|~&"}
