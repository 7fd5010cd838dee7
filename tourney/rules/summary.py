"""The judge's sheet of a format: every rule in words, with its source.

The sheet is made from the data that judges the decks. The JSON documents about formats are at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from tourney.document import Document
from tourney.errors import Finding
from tourney.rules import kinds
from tourney.rules.bounds import size_words
from tourney.rules.format import Format
from tourney.rules.scoring import SheetLine, score_lines, sheet_line
from tourney.rules.vocabulary import (
    USUAL_MINUTES,
    CitedFile,
    CutFile,
    OverrideFile,
    RuleEntry,
    RuleFile,
    Scalar,
    ScoreFile,
    Standing,
    ZoneFile,
)
from tourney.rules.zones import zone_size
from tourney.wording import listed


class Sheet(Struct, frozen=True, kw_only=True):
    """The judge's sheet of a format.

    id:        the format, by its id
    name:      the name of the format
    edition:   the edition of the rules
    about:     a description of the format
    published: the address where the rules are published
    banlist:   the ban list that the format asks for
    sections:  the headings of the sheet, each with its lines
    """

    id: str
    name: str
    edition: str | None
    about: str | None
    published: str | None
    banlist: str | None
    sections: tuple[tuple[str, tuple[SheetLine, ...]], ...]


def sheet_of(format_: Format) -> Sheet:
    """Return the judge's sheet of a format: every rule in words, with its source if it has one."""
    rules = list(_rules(format_))
    sections = {
        "The list": [_zone(format_, zone) for zone in format_.zones],
        "Rules": [line for severity, line in rules if severity == "error"],
        "Advice (never makes a deck illegal)": [line for severity, line in rules if severity == "advice"],
        "Errata": [_errata(format_, card, entry) for card, entry in format_.overrides],
        "What no list can show": [_spoken_line(format_, entry, "judge") for entry in format_.judge],
        "The organizer's choices": list(_settings(format_)),
        "The match": match_lines(format_),
        "On the day": [_spoken_line(format_, entry, "day") for entry in format_.day],
    }
    address = f", published at {format_.banlist_at}" if format_.banlist_at else ""
    return Sheet(
        id=format_.id,
        name=format_.name,
        edition=format_.edition,
        about=format_.about,
        published=format_.published,
        banlist=f"{format_.banlist}{address}" if format_.banlist else None,
        sections=tuple((heading, tuple(lines)) for heading, lines in sections.items() if lines),
    )


def _entry_line(
    format_: Format, entry: RuleEntry[Any], handle: str, says: str, counts: str = ""
) -> SheetLine:
    """Return the line of the judge's sheet that shows a rule.

    A rule from a house overlay (see `Format.houses`) is shown as a house rule, unless the rule names another
    kind of source (its `standing`).
    """
    is_house = entry.rule.standing == "law" and entry.origin in format_.houses
    standing: Standing = "house" if is_house else entry.rule.standing
    return sheet_line(handle, says, CitedFile(cite=format_.cite(entry), standing=standing), counts)


def _join_parts(*parts: str, separator: str = "; ") -> str:
    return separator.join(filter(None, parts))


def _rules(format_: Format) -> Iterator[tuple[str, SheetLine]]:
    """Yield each rule's severity and its line for the judge's sheet."""
    rules: list[tuple[RuleEntry[Any], str]] = [
        (entry, kind.words(entry.rule)) for kind in kinds.KINDS for entry in format_.rules[kind.word]
    ]
    printings = format_.printings
    rules.append((printings, f"printings that may be played: {', '.join(printings.rule.allow)}"))
    for entry, words in rules:
        rule: RuleFile = entry.rule
        counts = _join_parts(words if rule.title else "", _circumstances(rule))
        yield rule.severity, _entry_line(format_, entry, rule.id, rule.title or words, counts)


def _circumstances(rule: RuleFile) -> str:
    return _join_parts(f"when `{rule.when}`" if rule.when else "", _days(rule))


def _days(rule: RuleFile | OverrideFile) -> str:
    return _join_parts(
        f"from {rule.since.isoformat()}" if rule.since else "",
        f"until {rule.until.isoformat()}" if rule.until else "",
    )


def _zone(format_: Format, entry: RuleEntry[ZoneFile]) -> SheetLine:
    zone = entry.rule
    bounds = zone_size(zone)
    size = size_words(bounds) if bounds else "any number of cards"
    counts = _join_parts(
        size if zone.title and zone.title != size else "",
        f"only cards with `{zone.holds}`" if zone.holds else "",
        "may be missing" if zone.optional else "",
        "advice only" if zone.severity == "advice" else "",
        "no part of the deck" if not zone.counts else "",
        f"headers: {', '.join(zone.headers)}" if zone.headers else "",
        "cards without a header go here" if zone.id == format_.default_zone else "",
        _circumstances(zone),
    )
    return _entry_line(format_, entry, zone.id, zone.title or size, counts)


def _errata(format_: Format, card: str, entry: RuleEntry[OverrideFile]) -> SheetLine:
    attributes = ", ".join(f"{name} {value}" for name, value in entry.rule.set.items())
    source = CitedFile(cite=format_.cite(entry))
    return sheet_line("errata", f"{card}: {attributes}", source, _days(entry.rule))


def _spoken_line(format_: Format, entry: RuleEntry[Any], handle: str) -> SheetLine:
    return _entry_line(format_, entry, handle, entry.rule.says)


def _settings(format_: Format) -> Iterator[SheetLine]:
    for name, setting in format_.settings.items():
        choices = ", ".join(map(_setting_words, setting.choices))
        counts = _join_parts(
            f"{_setting_words(setting.default)} unless the organizer says otherwise",
            f"choices: {choices}" if choices else "",
            "shown at the table and on the event's pages" if setting.told else "",
            f"decides the event's `{setting.decides}`" if setting.decides else "",
        )
        yield sheet_line(name, setting.about or name, setting, counts)


def _setting_words(value: Scalar) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


# -- the match and the event


def match_lines(format_: Format) -> list[SheetLine]:
    """Return the lines about matches and events of a format, for the judge's sheet."""
    return [_match(format_), *score_lines(format_.match, format_.settings), *_event(format_)]


_DRAWN_GAMES = {
    "stands": "a drawn game is one of them",
    "again": "a drawn game is played again",
    "none": "no game is drawn",
}


def _match(format_: Format) -> SheetLine:
    match = format_.match
    seats = str(match.seats) if isinstance(match.seats, int) else f"{match.seats.min} to {match.seats.max}"
    if match.games == 1:
        games = "one game"
    else:
        games = f"best of {match.games}" if match.games % 2 else f"{match.games} games"
    draws = f"drawn only by {listed(match.drawn_by, 'or')}" if match.drawn_by else "draws count"
    says = _join_parts(
        f"{seats} players",
        games,
        draws if match.draws else "no draws",
        _DRAWN_GAMES[match.drawn_game] if match.drawn_game else "",
        f"sides {' and '.join(match.sides)}, {match.sides[0]} moves first" if match.sides else "",
        _score_name(match.score),
        separator=", ",
    )
    return sheet_line("match", says, match)


def _score_name(score: str | bool | ScoreFile | None) -> str:
    if isinstance(score, bool):
        return "no score"
    return f"counts {score if isinstance(score, str) else score.name}" if score else ""


def _event(format_: Format) -> Iterator[SheetLine]:
    """Yield the lines about an event of this format for the judge's sheet.

    A line about something that the file does not specify is marked as a house rule.
    """
    match, event, standings, field = format_.match, format_.event, format_.standings, format_.field
    if field is not None:
        by = "who leads the deck" if field.by == "leader" else f"the {field.by} of most of a deck's cards"
        yield sheet_line("field", f"a breakdown of the field counts decks by {by}", field)
    if match.minutes is None:
        yield sheet_line("clock", f"{USUAL_MINUTES} minutes a round unless the organizer says otherwise")
    else:
        yield sheet_line("clock", f"{match.minutes} minutes a round" if match.minutes else "no clock", match)
    if len(event.pods) > 1:
        yield sheet_line("tables", f"of {', '.join(map(str, event.pods))} players, the best first", event)
    if match.sides:
        yield sheet_line("sides", "balanced by the pairings: each player plays each side about equally often")
    if event.cut is None:
        yield sheet_line("cut", "none unless the organizer makes one")
    else:
        yield sheet_line("cut", cut_words(event.cut), event)
    lists = "players hand in decklists" if event.lists else "players hand in no decklists"
    yield sheet_line("lists", lists, event)
    yield sheet_line("standings", f"by the profile {standings.profile}", standings)


def cut_words(cut: int | CutFile) -> str:
    """Return the cut after the rounds (who advances, and how) in words: `the top 8 advance`."""
    if isinstance(cut, int):
        return f"the top {cut} advance"
    if cut.seats == 2:
        return "a bracket of matches of two"
    advancing = "the winner advances" if cut.advance == 1 else f"the top {cut.advance} advance"
    is_even = cut.seats % cut.advance == 0
    sizes = [cut.seats * (cut.seats // cut.advance) ** rounds for rounds in range(3 if is_even else 1)]
    return (
        f"tables of {cut.seats}; {advancing} from each table until the final; possible cuts: "
        f"{', '.join(map(str, sizes))}{' …' if is_even else ''} players"
    )


# -- JSON documents


class FormatSummary(Struct, frozen=True):
    """A format, without its rules.

    id: the format, by its id
    name: the name of the format
    game: the game, by its id
    pool: the card pool; null if the format has none
    rules: the edition of the rules; null if the format names none
    banlist: the ban list that the format asks for; null if it asks for none
    extends: the formats that it extends, the nearest first
    """

    id: str
    name: str
    game: str
    pool: str | None
    rules: str | None
    banlist: str | None
    extends: tuple[str, ...]

    @classmethod
    def of(cls, format_: Format) -> FormatSummary:
        """Return the summary of a format: its id, name, pool and the like, without its rules."""
        return cls(
            id=format_.id,
            name=format_.name,
            game=format_.game,
            pool=format_.pool,
            rules=format_.edition,
            banlist=format_.banlist,
            extends=tuple(format_.parents),
        )


class FormatList(Document, frozen=True, tag="tourney.format-list/1"):
    """What `tourney format list --json` prints.

    formats: the formats that come with the program, are installed, or are in the folder of `--data`
    """

    formats: tuple[FormatSummary, ...]


class ExampleResult(Struct, frozen=True):
    """The result of checking an example of a format.

    name: the name of the example
    verdict: `legal`, `illegal` or `unverified`
    faults: the differences from what the file expects, in sentences
    """

    name: str
    verdict: str
    faults: tuple[str, ...]


class ShownFormat(Document, frozen=True, tag="tourney.format/1"):
    """What `tourney format show NAME --json` prints.

    format: the format
    sheet: the judge's sheet
    examples: with `--check`: the result of each example
    remarks: with `--check`: the parts of the format that have no effect
    """

    format: FormatSummary
    sheet: Sheet
    examples: tuple[ExampleResult, ...]
    remarks: tuple[Finding, ...]
