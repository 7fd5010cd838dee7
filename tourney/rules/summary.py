"""A format as a judge's sheet: every rule in words, what the program counts, where it stands and how firmly.

Made from the data that judges the decks, so that paper and program cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tourney.rules import kinds
from tourney.rules.kinds.kind import size_words
from tourney.rules.kinds.zones import zone_size
from tourney.rules.scoring import score_words
from tourney.rules.vocabulary import (
    USUAL_MINUTES,
    CutFile,
    DayFile,
    JudgeFile,
    OverrideFile,
    Placed,
    PrintingsFile,
    Ruled,
    ScoreFile,
    Standing,
    ZoneFile,
)
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.rules.loading import Format

_STANDINGS = {"law": "law", "elsewhere": "elsewhere", "reading": "a reading", "house": "house"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine:
    """One rule on the sheet. says: in words; counts: what the program looks at; standing: law, elsewhere, a reading, house."""

    handle: str
    says: str
    counts: str
    cite: str | None
    standing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The judge's sheet of a format: headings with their lines."""

    id: str
    name: str
    edition: str | None
    about: str | None
    published: str | None
    banlist: str | None
    sections: tuple[tuple[str, tuple[SheetLine, ...]], ...]


def sheet_of(format_: Format) -> Sheet:
    """Return the judge's sheet of a format."""
    rules = [_line(format_, each, words) for each, words in _rules(format_) if each.rule.severity == "error"]
    advice = [
        _line(format_, each, words) for each, words in _rules(format_) if each.rule.severity == "advice"
    ]
    sections = {
        "The list": [_zone(format_, zone) for zone in format_.zones],
        "Rules": rules,
        "Advice (never makes a deck illegal)": advice,
        "Errata": list(_errata(format_)),
        "What no list can show": [_spoken(format_, placed, "judge") for placed in format_.judge],
        "The organizer's choices": list(_settings(format_)),
        "The match": match_lines(format_),
        "On the day": [_spoken(format_, placed, "day") for placed in format_.day],
    }
    at = f", published at {format_.banlist_at}" if format_.banlist_at else ""
    return Sheet(
        id=format_.id,
        name=format_.name,
        edition=format_.edition,
        about=format_.about,
        published=format_.published,
        banlist=f"{format_.banlist}{at}" if format_.banlist else None,
        sections=tuple((heading, tuple(lines)) for heading, lines in sections.items() if lines),
    )


def _rules(format_: Format) -> Iterator[tuple[Placed[Ruled], str]]:
    for kind in kinds.KINDS:
        yield from ((placed, kind.words(placed.rule)) for placed in format_.rules[kind.word])
    yield format_.printings, _printings(format_.printings.rule)


def _line(format_: Format, placed: Placed[Ruled], words: str) -> SheetLine:
    return SheetLine(
        handle=placed.rule.id,
        says=placed.rule.title or words,
        counts=_joined(words if placed.rule.title else "", _circumstances(placed.rule)),
        cite=format_.cite(placed),
        standing=_standing(format_, placed),
    )


def _standing(format_: Format, placed: Placed[Ruled] | Placed[JudgeFile] | Placed[DayFile]) -> str:
    """Say how firmly a rule stands: what an overlay adds is the house's, unless it says where else it has it from."""
    standing: Standing = placed.rule.standing
    return _STANDINGS["house" if standing == "law" and placed.origin in format_.houses else standing]


def _circumstances(rule: Ruled) -> str:
    return _joined(f"when `{rule.when}`" if rule.when else "", _days(rule))


def _days(rule: Ruled | OverrideFile) -> str:
    return _joined(
        f"from {rule.since.isoformat()}" if rule.since else "",
        f"until {rule.until.isoformat()}" if rule.until else "",
    )


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _zone(format_: Format, placed: Placed[ZoneFile]) -> SheetLine:
    zone = placed.rule
    bounds = zone_size(zone)
    size = size_words(bounds) if bounds else "any number of cards"
    facts = [
        size if zone.title and zone.title != size else "",
        f"only cards with `{zone.holds}`" if zone.holds else "",
        "may be missing" if zone.optional else "",
        "advice only" if zone.severity == "advice" else "",
        "no part of the deck" if not zone.counts else "",
        f"headers: {', '.join(zone.headers)}" if zone.headers else "",
        "lines under no header go here" if zone.id == format_.default_zone else "",
    ]
    return SheetLine(
        handle=zone.id,
        says=zone.title or size,
        counts=_joined(*facts, _circumstances(zone)),
        cite=format_.cite(placed),
        standing=_standing(format_, placed),
    )


def _printings(printings: PrintingsFile) -> str:
    return f"printings that may be played: {', '.join(printings.allow)}"


# -- the rest of the sheet


def _errata(format_: Format) -> Iterator[SheetLine]:
    for card, placed in format_.overrides:
        override = placed.rule
        facts = ", ".join(f"{name} {value}" for name, value in override.set.items())
        yield SheetLine(
            handle="errata",
            says=f"{card}: {facts}",
            counts=_days(override),
            cite=format_.cite(placed),
            standing="law",
        )


def _spoken(format_: Format, placed: Placed[JudgeFile] | Placed[DayFile], handle: str) -> SheetLine:
    """Give what is only said, to the judge or of the day: nothing in a list shows it."""
    standing = _standing(format_, placed)
    return SheetLine(
        handle=handle, says=placed.rule.says, counts="", cite=format_.cite(placed), standing=standing
    )


def _settings(format_: Format) -> Iterator[SheetLine]:
    for name, setting in format_.settings.items():
        choices = f"; choices: {', '.join(map(_said, setting.choices))}" if setting.choices else ""
        told = "; told at the table and on the event's pages" if setting.told else ""
        decides = f"; decides the event's `{setting.decides}`" if setting.decides else ""
        yield SheetLine(
            handle=name,
            says=setting.about or name,
            counts=f"{_said(setting.default)} unless the organizer says otherwise{choices}{told}{decides}",
            cite=setting.cite,
            standing=_STANDINGS[setting.standing],
        )


def _said(value: object) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def match_lines(format_: Format) -> list[SheetLine]:
    """Return how a format's matches and events are played."""
    return [_match(format_), *_score(format_), *_event(format_)]


def _match(format_: Format) -> SheetLine:
    match = format_.match
    seats = str(match.seats) if isinstance(match.seats, int) else f"{match.seats.min} to {match.seats.max}"
    facts = [
        f"{seats} players",
        "one game"
        if match.games == 1
        else f"best of {match.games}"
        if match.games % 2
        else f"{match.games} games",
        "no draws"
        if not match.draws
        else f"drawn only by {listed(match.drawn_by, 'or')}"
        if match.drawn_by
        else "draws count",
        _DRAWN_GAMES[match.drawn_game] if match.drawn_game else "",
        f"sides {' and '.join(match.sides)}, {match.sides[0]} moves first" if match.sides else "",
        _counted(match.score),
    ]
    return SheetLine(
        handle="match",
        says=", ".join(fact for fact in facts if fact),
        counts="",
        cite=match.cite,
        standing=_STANDINGS[match.standing],
    )


_DRAWN_GAMES = {
    "stands": "a drawn game is one of them",
    "again": "a drawn game is played again",
    "none": "no game is drawn",
}


def _counted(score: str | bool | ScoreFile | None) -> str:
    if isinstance(score, bool):
        return "no score"
    return f"counts {score if isinstance(score, str) else score.name}" if score else ""


def _score(format_: Format) -> Iterator[SheetLine]:
    """Give what a score says of who has won, and how a game may end otherwise."""
    for handle, says, cite, standing in score_words(format_.match, format_.settings):
        yield SheetLine(handle=handle, says=says, counts="", cite=cite, standing=_STANDINGS[standing])


def _event(format_: Format) -> Iterator[SheetLine]:
    """Give what an event of this format has: by its text, or, where that is silent, by the house."""
    match, event, standings = format_.match, format_.event, format_.standings

    def line(handle: str, says: str, cite: str | None = None, standing: Standing = "house") -> SheetLine:
        return SheetLine(handle=handle, says=says, counts="", cite=cite, standing=_STANDINGS[standing])

    if format_.field is not None:
        by = format_.field
        what = "by who leads the deck" if by.by == "leader" else f"by the {by.by} of most of a deck's cards"
        yield line("field", f"a breakdown of the field counts decks {what}", by.cite, by.standing)
    if match.minutes is None:
        yield line("clock", f"{USUAL_MINUTES} minutes a round unless the organizer says otherwise")
    else:
        length = f"{match.minutes} minutes a round" if match.minutes else "no clock"
        yield line("clock", length, match.cite, match.standing)
    if len(event.pods) > 1:
        yield line(
            "tables",
            f"of {', '.join(map(str, event.pods))} players, the best first",
            event.cite,
            event.standing,
        )
    if match.sides:
        yield line(
            "sides", "shared out by the pairings: over the event everybody has each as evenly as can be"
        )
    if event.cut is None:
        yield line("cut", "none unless the organizer makes one")
    else:
        yield line("cut", cut_words(event.cut), event.cite, event.standing)
    yield line(
        "lists",
        "players hand in decklists" if event.lists else "no decklists are handed in",
        event.cite,
        event.standing,
    )
    yield line("standings", f"by the profile {standings.profile}", standings.cite, standings.standing)


def cut_words(cut: int | CutFile) -> str:
    """Say what cut follows the rounds."""
    if isinstance(cut, int):
        return f"the first {cut} go on"
    if cut.seats == 2:
        return "a bracket of matches of two"
    going = "the winner goes" if cut.advance == 1 else f"the first {cut.advance} go"
    full = cut.seats % cut.advance == 0
    sizes = [cut.seats * (cut.seats // cut.advance) ** rounds for rounds in range(3 if full else 1)]
    return (
        f"tables of {cut.seats}, from each {going} on, down to one table, the final: "
        f"{', '.join(map(str, sizes))}{' …' if full else ''} players"
    )
