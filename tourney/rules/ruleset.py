"""A format, a ban list and a pool on a day: everything a decklist is held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from tourney.cards import Pool
from tourney.rules.banlist import BanList
from tourney.rules.format import Format
from tourney.rules.vocabulary import Scalar


@dataclass(frozen=True)
class Ruleset:
    """What holds on a day.

    banlist:  the list in force, None where none is installed (the verdict says so)
    settings: the organizer's choices that differ from the format's defaults

    Raises TourneyError where the format asks for an attribute that the pool does not have, or for a setting or a
    choice that does not exist.
    """

    format: Format
    banlist: BanList | None
    pool: Pool
    day: date
    settings: Mapping[str, Scalar] = field(default_factory=dict)
