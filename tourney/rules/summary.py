"""A format as a judge's sheet: every rule in words, what the program counts, where it stands and how firmly.

Made from the data that judges the decks, so that paper and program cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tourney.rules.composing import whose
from tourney.rules.format import Format, Placed
from tourney.rules.vocabulary import (
    Bound,
    CoverFile,
    ExceptionFile,
    LimitFile,
    RequireFile,
    SizeFile,
    ZoneFile,
)

STANDINGS = {"law": "law", "elsewhere": "elsewhere", "reading": "a reading"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine:
    """One rule on the sheet. says: in words; counts: what the program looks at; standing: law, elsewhere, a reading."""

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
    rules = [_line(format_, placed) for placed in _rules(format_) if placed.rule.severity == "error"]
    advice = [_line(format_, placed) for placed in _rules(format_) if placed.rule.severity == "advice"]
    sections = {
        "The list": [_zone(format_, zone) for zone in format_.zones],
        "Rules": rules,
        "Advice (never makes a deck illegal)": advice,
        "Errata": list(_errata(format_)),
        "What no list can show": [_by_hand(format_, placed) for placed in format_.judge],
        "The organizer's choices": list(_settings(format_)),
        "The match": [_match(format_)],
    }
    at = f", published at {format_.banlist_at}" if format_.banlist_at else ""
    return Sheet(
        id=format_.id,
        name=format_.name,
        edition=format_.rules,
        about=format_.about,
        published=format_.published,
        banlist=f"{format_.banlist}{at}" if format_.banlist else None,
        sections=tuple((heading, tuple(lines)) for heading, lines in sections.items() if lines),
    )


def _rules(format_: Format) -> Iterator[Placed[Any]]:
    yield from format_.limits
    yield from format_.requires
    yield from format_.allows
    yield from format_.covers
    if format_.kit:
        yield format_.kit
    yield format_.printings


def _line(format_: Format, placed: Placed[Any]) -> SheetLine:
    words = _WORDS[type(placed.rule).__name__](placed.rule)
    return SheetLine(
        handle=placed.rule.id,
        says=placed.rule.title or words,
        counts=_joined(words if placed.rule.title else "", _circumstances(placed.rule)),
        cite=whose(format_, placed),
        standing=STANDINGS[placed.rule.standing],
    )


def _circumstances(rule: Any) -> str:
    parts = [f"when `{rule.when}`" if rule.when else ""]
    parts += [
        f"from {rule.since.isoformat()}" if rule.since else "",
        f"until {rule.until.isoformat()}" if rule.until else "",
    ]
    return _joined(*parts)


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


# -- each kind in words


def _zone(format_: Format, placed: Placed[ZoneFile]) -> SheetLine:
    zone = placed.rule
    size = size_words(zone.size) if zone.size else "any number of cards"
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
        cite=whose(format_, placed),
        standing=STANDINGS[zone.standing],
    )


def size_words(size: Any) -> str:
    """Say a size in words: `exactly 60 cards`, `40 to 60 cards`.

    >>> size_words(SizeFile(min=40, max=60)), size_words(SizeFile(exactly=1)), size_words(SizeFile(max="n() // 2"))
    ('40 to 60 cards', 'exactly 1 card', 'at most `n() // 2` cards')
    """
    assert isinstance(size, SizeFile)
    if size.min is not None and size.max is not None:
        return f"{_bound(size.min)} to {_bound(size.max)} cards"
    return f"{bound_words(size)} {'card' if 1 in (size.exactly, size.max, size.min) else 'cards'}"


def bound_words(bounds: Any) -> str:
    """Say what a rule allows: `at most 4`, `exactly 15`."""
    words = {"exactly": "exactly", "min": "at least", "max": "at most"}
    said = [
        f"{word} {_bound(getattr(bounds, key))}"
        for key, word in words.items()
        if getattr(bounds, key) is not None
    ]
    return " and ".join(said)


def _bound(bound: Bound) -> str:
    return str(bound) if isinstance(bound, int) else f"`{bound}`"


def _limit(limit: LimitFile) -> str:
    by = tuple(limit.by or ())
    if limit.distinct:
        what = f"different `{limit.distinct}`"
    elif limit.weigh is not None:
        what = f"the sum of {_bound(limit.weigh)}" + (" over different cards" if limit.per == "name" else "")
    else:
        what = "different cards" if limit.per == "name" else "copies" if by == ("name",) else "cards"
    if limit.max == 1 or limit.exactly == 1:
        what = _ONE.get(what, what)
    counted = f"{bound_words(limit)} {what}" if limit.weigh is None else f"{what} is {bound_words(limit)}"
    groups = " of any one card" if by == ("name",) else f" for each `{'`, `'.join(by)}`" if by else ""
    where = f" with `{limit.where}`" if limit.where else ""
    zones = f", in {' and '.join(limit.zones)}" if limit.zones else ""
    spared = "".join(f"; {_exception(entry)}" for entry in limit.exceptions)
    return f"{counted}{groups}{where}{zones}{spared}"


_ONE = {"copies": "copy", "cards": "card", "different cards": "different card"}


def _exception(entry: ExceptionFile) -> str:
    cite = f" ({entry.cite})" if entry.cite else ""
    if entry.weigh is not None:
        return f"`{entry.where}` weighs {_bound(entry.weigh)}{cite}"
    return f"`{entry.where}`: {bound_words(entry) or 'free'}{cite}"


def _require(require: RequireFile) -> str:
    if not (require.where or require.zones):
        return f"`{require.that}`"
    zones = f" in {' and '.join(require.zones)}" if require.zones else ""
    where = f" with `{require.where}`" if require.where else ""
    return f"each card{zones}{where}: `{require.that}`"


def _allow(allow: Any) -> str:
    zones = f" in {' and '.join(allow.zones)}" if allow.zones else ""
    return f"allowed{zones}: cards with `{allow.where}`" + (
        f", at most {_bound(allow.max)}" if allow.max is not None else ""
    )


def _cover(cover: CoverFile) -> str:
    zones = f" in {' and '.join(cover.zones)}" if cover.zones else ""
    words = (
        cover.each
        if isinstance(cover.each, tuple)
        else tuple(f"{word} (`{text}`)" for word, text in cover.each.items())
    )
    by = f", by `{cover.by}`" if cover.by else ""
    return f"a card of its own{zones} for each of {', '.join(words)}{by}"


def _kit(kit: Any) -> str:
    return "exactly " + ", ".join(f"{copies} {card}" for card, copies in kit.cards.items())


def _printings(printings: Any) -> str:
    return f"printings that may be played: {', '.join(printings.allow)}"


_WORDS: dict[str, Any] = {
    "LimitFile": _limit,
    "RequireFile": _require,
    "AllowFile": _allow,
    "CoverFile": _cover,
    "KitFile": _kit,
    "PrintingsFile": _printings,
}


# -- the rest of the sheet


def _errata(format_: Format) -> Iterator[SheetLine]:
    for card, placed in format_.overrides:
        said = placed.rule
        facts = ", ".join(f"{name} {value}" for name, value in said.set.items())
        days = _joined(
            f"from {said.since.isoformat()}" if said.since else "",
            f"until {said.until.isoformat()}" if said.until else "",
        )
        yield SheetLine(
            handle="errata", says=f"{card}: {facts}", counts=days, cite=whose(format_, placed), standing="law"
        )


def _by_hand(format_: Format, placed: Placed[Any]) -> SheetLine:
    standing = STANDINGS[placed.rule.standing]
    return SheetLine(
        handle="judge", says=placed.rule.says, counts="", cite=whose(format_, placed), standing=standing
    )


def _settings(format_: Format) -> Iterator[SheetLine]:
    for name, setting in format_.settings.items():
        choices = f"; choices: {', '.join(map(_said, setting.choices))}" if setting.choices else ""
        yield SheetLine(
            handle=name,
            says=setting.about or name,
            counts=f"{_said(setting.default)} unless the organizer says otherwise{choices}",
            cite=setting.cite,
            standing=STANDINGS[setting.standing],
        )


def _said(value: object) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def _match(format_: Format) -> SheetLine:
    match = format_.match
    seats = str(match.seats) if isinstance(match.seats, int) else f"{match.seats.min} to {match.seats.max}"
    facts = [
        f"{seats} players",
        "one game" if match.games == 1 else f"best of {match.games}",
        "draws count" if match.draws else "no draws",
        f"sides {' and '.join(match.sides)}" if match.sides else "",
        f"counts {match.score}" if match.score else "",
        f"standings by the profile {format_.standings.profile}",
    ]
    return SheetLine(
        handle="match",
        says=", ".join(fact for fact in facts if fact),
        counts="",
        cite=match.cite,
        standing=STANDINGS[match.standing],
    )
