"""The program's own form of a decklist, in TOML, with all details of a `Decklist`.

schema = "tourney.decklist/1"
name = "Sky and Stone"
player = "Ann"
format = "red-diamond/standard"

[[zone]]
name = "Arsenal"
cards = [
    { count = 4, name = "Siege Hammer", set = "ABC", number = "12", facts = { type = "efreet" } },
]
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tourney.decks.decklist import NO_FACTS, Decklist, ParsedName, PrintMark, Reading
from tourney.decks.reading.builder import DeckBuilder
from tourney.decks.reading.names import parse_field
from tourney.decks.reading.text import ListForm, ListText, Places
from tourney.decks.reading.words import lazy_pattern, squeeze
from tourney.decode import from_toml
from tourney.errors import TourneyError

_MAX_LETTERS = 500_000
_SIGN = lazy_pattern(r"\s*(?:\[\[\s*zone\s*\]\]|schema\s*=\s*[\"']tourney\.decklist/)")
SCHEMA = "tourney.decklist/1"
"""The value of the key `schema`."""


class CardEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the list. A `count` that is not a whole number from 1 to 999 becomes a finding."""

    name: str
    count: int | float | str = 1
    set: str | None = None
    number: str | int | None = None
    code: str | None = None
    group: str | None = None
    facts: dict[str, str | int | float | bool] = {}
    marks: list[str] = []
    comment: str = ""


class ZoneEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards under one header; without `name`, the cards under no header.

    counts: whether the cards are part of the deck: False for a maybeboard or tokens; True even if the zone's
            name says otherwise; None to go by the name
    """

    cards: list[CardEntry]
    name: str | None = None
    counts: bool | None = None


class DeckEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A deck in the canonical form: its cards are in `zone`, other keys in `about`."""

    zone: list[ZoneEntry] = []
    schema: str = SCHEMA
    name: str | None = None
    player: str | None = None
    format: str | None = None
    about: list[tuple[str, str]] = []


def read_decks(text: ListText) -> list[Decklist]:
    """Read the canonical form; return no decks for any other text.

    Raises TourneyError with file and place for broken TOML and unknown keys.
    """
    has_words = "[[" in text.text or "schema" in text.text
    if not (has_words and any(map(_SIGN.match, text.lines[:2_000]))):
        return []
    source = text.source
    if len(text.text) > _MAX_LETTERS:
        message = f"{source}: {len(text.text):,} letters; the limit of this form is {_MAX_LETTERS:,}"
        raise TourneyError(message)
    entry = from_toml(text.text, DeckEntry, source=source)
    if entry.schema != SCHEMA:
        message = f"{source}: schema: expected `{SCHEMA}`, found `{entry.schema}`"
        raise TourneyError(message, "it was written by a newer tourney")
    deck = DeckBuilder(
        text,
        "toml",
        has_fields=True,
        by_lines=False,
        name=entry.name,
        player=entry.player,
        format=entry.format,
    )
    deck.about.extend(entry.about)
    places = Places(text.text)
    for zone in entry.zone:
        _read_zone(deck, zone, places)
    return [deck.build()]


FORM = ListForm(order=20, read=read_decks)


def _read_zone(deck: DeckBuilder, zone: ZoneEntry, places: Places) -> None:
    if zone.name is None:
        deck.leave()
    else:
        deck.enter(zone.name, line=places.line)
    for card in zone.cards:
        line = places.find(f'"{_escape(card.name)}"', f"'{card.name}'")
        if card.group is None:
            deck.group = None
        deck.sort_as(card.group, line=line)
        deck.add(_parse_entry(card), line=line, count=card.count, zone=zone.name, is_in_deck=zone.counts)


def _parse_entry(card: CardEntry) -> ParsedName:
    """Return an entry's name, and shorter names, such as one without a set at the end.

    Only the whole name is certain; a shorter one is used only if a pool knows it.
    """
    printing = PrintMark(card.set, None if card.number is None else str(card.number))
    shorter = parse_field(card.name, printing).readings[1:] if "{" not in card.name else ()
    return ParsedName(
        readings=(
            Reading(name=squeeze(card.name), printing=printing),
            *(replace(reading, certain=False) for reading in shorter),
        ),
        code=card.code or None,
        facts={key: _as_text(value) for key, value in card.facts.items()} or NO_FACTS,
        marks=tuple(card.marks),
        comment=card.comment,
    )


def _as_text(value: str | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _escape(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')
