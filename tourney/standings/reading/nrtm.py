"""Recognize a tournament after the schema of NRTM, and which program wrote it: Cobra or Aesop's Tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_KEYS = frozenset(["preliminaryRounds", "eliminationPlayers", "cutToTop"])
"""Keys of the schema that no other form has; a file that was edited or cut may lack some of them."""
_PROGRAMS = ("cobra", "aesop")
_BY_SIDE = frozenset(["corpPlayer", "runnerPlayer"])
"""Keys that Aesop's Tables alone wrote into pairings, until June 2024."""


def is_nrtm(value: Any) -> bool:
    """Return whether the value of a JSON file has the keys or the pairings of a tournament of NRTM."""
    return isinstance(value, dict) and (
        not _KEYS.isdisjoint(value)
        or bool(_program(value))
        or any(_is_pairing(match) for match in _first_matches(value))
    )


def _program(value: Mapping[str, Any]) -> str:
    """Return which of the two programs a file names; empty if it names neither."""
    name = value.get("uploadedFrom")
    return next((program for program in _PROGRAMS if isinstance(name, str) and program in name.lower()), "")


def _is_pairing(match: Mapping[str, Any]) -> bool:
    players = match.get("player1"), match.get("player2")
    return not _BY_SIDE.isdisjoint(match) or all(
        isinstance(player, dict) and "id" in player for player in players
    )


def made_by_aesop(value: Mapping[str, Any]) -> bool:
    """Return whether a file names Aesop's Tables or, if it names neither program, has its pairings.

    Aesop's Tables numbers tables in `tableNumber`, Cobra in `table`.
    """
    if program := _program(value):
        return program == "aesop"
    own = _BY_SIDE | {"tableNumber"}
    return any(not own.isdisjoint(match) for match in _first_matches(value))


def _first_matches(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    rounds = value.get("rounds")
    for matches in rounds if isinstance(rounds, list) else ():
        first = matches[0] if isinstance(matches, list) and matches else None
        if isinstance(first, dict):
            yield first
