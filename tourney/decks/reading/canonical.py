"""The program's own form of a decklist, in TOML: everything a `Decklist` knows, and nothing to guess.

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

import msgspec

from tourney.decks.decklist import Decklist, PrintMark
from tourney.decks.reading import names
from tourney.decks.reading.builder import DeckBuilder, ListText
from tourney.decode import from_toml
from tourney.errors import TourneyError

_MOST_LETTERS = 500_000
SCHEMA = "tourney.decklist/1"
"""What the key `schema` of our own form holds."""


class CardEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line: `count` is a whole number from 1 to 999; what else is written becomes a finding."""

    name: str
    count: int | float | str = 1
    set: str | None = None
    number: str | int | None = None
    code: str | None = None
    group: str | None = None
    facts: dict[str, str | int | float | bool] = {}
    marks: list[str] = []
    comment: str = ""


class ZoneEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards under one header; without a name they stand under none.

    `counts = false`: a maybeboard, tokens; `counts = true`: part of the deck, whatever the name means elsewhere
    """

    cards: list[CardEntry]
    name: str | None = None
    counts: bool | None = None


class DeckEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole deck in the canonical form; `zone` holds its cards, `about` what else the list said."""

    zone: list[ZoneEntry] = []
    schema: str = SCHEMA
    name: str | None = None
    player: str | None = None
    format: str | None = None
    about: list[tuple[str, str]] = []


def read_toml(text: ListText) -> list[Decklist]:
    """Read the canonical form. Raises TourneyError with file and place for broken TOML and unknown keys."""
    source = text.source
    if len(text.text) > _MOST_LETTERS:
        raise TourneyError(
            f"{source}: {len(text.text):,} letters, a list of this form has at most {_MOST_LETTERS:,}"
        )
    entry = from_toml(text.text, DeckEntry, source=source)
    if entry.schema != SCHEMA:
        raise TourneyError(
            f"{source}: schema: expected `{SCHEMA}`, found `{entry.schema}`",
            "it was written by a newer tourney",
        )
    deck = DeckBuilder(
        source,
        "toml",
        text.vocabulary,
        fields=True,
        name=entry.name,
        player=entry.player,
        format=entry.format,
    )
    deck.about.extend(entry.about)
    places = _Places(text.text)
    for zone in entry.zone:
        _zone(deck, zone, places)
    return [deck.build()]


def _zone(deck: DeckBuilder, zone: ZoneEntry, places: _Places) -> None:
    if zone.name is None:
        deck.leave()
    else:
        deck.enter(zone.name, line=places.line)
    for card in zone.cards:
        line = places.find(card.name)
        if card.group is None:
            deck.group = None
        elif deck.group is None or deck.group.words != card.group:
            deck.sort(card.group, line=line)
        printing = PrintMark(card.set, None if card.number is None else str(card.number))
        peeled = names.whole(
            card.name,
            printing,
            facts=_as_text(card.facts),
            marks=tuple(card.marks),
            code=card.code,
            comment=card.comment,
        )
        deck.add(
            card.name,
            peeled,
            line=line,
            count=card.count,
            zone=zone.name,
            counts=zone.counts,
        )


def _as_text(facts: dict[str, str | int | float | bool]) -> dict[str, str]:
    return {
        key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in facts.items()
    }


class _Places:
    """Finds the line of each card: the entries stand in the order of the file."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self.line = 1

    def find(self, name: str) -> int:
        """Give the line of the next place where the name stands in quotes, else the last line found."""
        escaped = name.replace("\\", "\\\\").replace('"', '\\"')
        place = self._text.find(f'"{escaped}"', self._at)
        # Not to the end of the text for each card: only what stands before it could be nearer.
        nearer = self._text.find(f"'{name}'", self._at, len(self._text) if place < 0 else place)
        place = nearer if nearer >= 0 else place
        if place >= 0:
            self.line += self._text.count("\n", self._at, place)
            self._at = place + 1
        return self.line
