"""Sentences that explain a pairing or a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tourney.record import PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One sentence of an explanation, with its numbers.

    what:    the kind: `forced`, `group`, `float`, `rematch`, `bye`, `keep-apart`, `order`, `sides`, `seed` …
    text:    the sentence, without a full stop
    players: the players that the sentence is about
    numbers: the numbers in the sentence, by name
    """

    what: str
    text: str
    players: tuple[PlayerId, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
