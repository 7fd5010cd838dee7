"""A field that the organizer's own pairs leave without a complete round: why, and the least that would make one possible."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from tourney.errors import TourneyError
from tourney.pairing.entrant import NOBODY, NameOf
from tourney.pairing.options import Pair
from tourney.pairing.pairing import Pairing
from tourney.pairing.swiss.field import Field, prepare
from tourney.pairing.swiss.matching import most
from tourney.pairing.swiss.whole import candidates, vertices
from tourney.record import PlayerId

NAMED = 6


def refuse_impossible(field: Field, name: NameOf) -> NoReturn:
    """Raise the refusal of a field in which no complete round keeps everybody apart who must be."""
    lifted = pairs_to_allow(field)
    options = field.options
    named = ", ".join(_pair_text(one, other, name) for one, other in lifted[:NAMED])
    more = f" and {len(lifted) - NAMED} more" if len(lifted) > NAMED else ""
    if len(options.forbidden) == 1 and not options.no_bye:
        message = f"no complete round is left while {named} must not meet"
    else:
        told = f"{_all(len(options.forbidden), 'forbidden pair')} apart"
        told += f" and the bye from {_all(len(options.no_bye), 'player')}" if options.no_bye else ""
        message = f"no complete round keeps {told}: at least {len(lifted)} of them must be allowed"
    hint = f"allow {named}{more}"
    if field.forced and not pairs_to_allow(_without_forced(field)):
        hint += "; or release " + ", ".join(f"{name(one)}–{name(other)}" for one, other in field.forced)
    raise TourneyError(message, hint)


def _all(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"all {number} {noun}s"


def _pair_text(one: PlayerId, other: PlayerId, name: NameOf) -> str:
    return f"the bye of {name(one)}" if other == NOBODY else f"{name(one)}–{name(other)}"


def refuse_rematches(field: Field, paired: Pairing, name: NameOf) -> NoReturn:
    """Raise the refusal of a field that has no round without a rematch, where the organizer wants none."""
    pairs = [(table.seats[0], table.seats[1]) for table in paired.tables]
    named = ", ".join(f"{name(one)}–{name(other)}" for one, other in pairs if field.times_met(one, other))
    count = paired.cost.rematches
    raise TourneyError(
        f"no round without a rematch is left for these {len(field.entrants)} players: "
        f"{count} {'is' if count == 1 else 'are'} needed at least",
        f"allow rematches ({named}), let another player enter, or end here",
    )


def pairs_to_allow(field: Field) -> list[Pair]:
    """Return a smallest set of forbidden pairs whose lifting makes a complete round possible; empty if one is.

    The bye of a player who must not have it is such a pair, too.

    Whoever is left over by a largest matching of the allowed pairs is kept apart from everybody else left over; a round
    with k forbidden tables has an allowed matching of all other tables, so k cannot be smaller than half of them.
    """
    set_aside = {NOBODY, field.options.forced_bye} if field.options.forced_bye is not None else set()
    players = [player for player in vertices(field) if player not in set_aside]
    tables = [table for table in candidates(field) if set_aside.isdisjoint(table)]
    matched = {player for pair in most(players, tables) for player in pair}
    left = [player for player in players if player not in matched]
    return list(zip(left[::2], left[1::2], strict=True))


def _without_forced(field: Field) -> Field:
    return prepare(field.entrants.values(), replace(field.options, forced=()))
