"""Which zone of a format a line belongs to."""

from __future__ import annotations

from functools import lru_cache

from tourney.decks.decklist import Line
from tourney.decks.vocabulary import GENERAL_ZONES, Vocabulary, vocabulary
from tourney.rules import Format


def words_of(format_: Format) -> Vocabulary:
    """Return the headers of a format's zones, for reading lists: ids, names and `headers`, and the game's names."""
    zones = tuple(
        (zone.rule.id, *filter(None, (zone.rule.name, *zone.rule.headers))) for zone in format_.zones
    )
    titles = (format_.name, format_.id, format_.game, format_.game.replace("-", " "))
    return _words(zones, format_.default_zone, titles)


@lru_cache(maxsize=64)
def _words(zones: tuple[tuple[str, ...], ...], default: str, titles: tuple[str, ...]) -> Vocabulary:
    return vocabulary({zone: words for zone, *words in zones}, default=default, titles=titles)


def zone_of(line: Line, format_: Format, words: Vocabulary) -> str | None:
    """Return the id of the zone a line stands in, None where the format has no such part.

    A list read without a format has general kinds (`side`, `leader`); each means the format's zone of that kind.
    """
    if line.zone is None and line.zone_id is None:
        return format_.default_zone
    if line.zone_id is not None and format_.zone(line.zone_id):
        return line.zone_id
    found = words.zone_id(line.zone) if line.zone else None
    if found is None and line.zone_id is not None and line.zone_id in GENERAL_ZONES:
        found = words.zone_of_kind(line.zone_id)
    if found is None and line.implied:
        return format_.default_zone
    return found
