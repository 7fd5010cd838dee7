"""Explanations of recorded rounds, whatever system made them: why this table, why not that one.

A table is explained by the event as it stood when the table was made: by the pairing, by a repair, or by hand. What was
recorded of its cost is not asked; where somebody chose the table, nobody says that chance did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from tourney.decode import MOST_DIGITS
from tourney.desk.evidence import Evidence, since
from tourney.errors import TourneyError
from tourney.event.field import groups_of
from tourney.event.kind import round_of
from tourney.event.phrases import names_of
from tourney.event.state import Entered, Round
from tourney.event.systems import system_called
from tourney.event.systems.explaining import Moment, why_away
from tourney.pairing import Price, RoundExplanation
from tourney.pairing.facts import APART, Fact, SharedGroups
from tourney.record import Outcome, PlayerId
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.desk.desk import Desk


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What there is to say about a table, a bye, or a pairing that was not made.

    round: the round
    how:   who made what is explained: `engine`, `repair` or `hand`; entered: when and by whom
    stale: `paired before entry 31 corrected round 2`; empty where the results still stand
    said:  the explanation, or the price
    names: how the players in it are called
    """

    round: Round
    how: str
    entered: Entered
    stale: str
    said: RoundExplanation | Price
    names: Mapping[PlayerId, str]


def why(desk: Desk, number: int | None, what: str) -> Answer:
    """Explain a table (by its number or somebody who sits there), or why somebody has no opponent (`bye`, or by name).

    Raises TourneyError where there is no such round, table or player, and for players who were not to be paired.
    """
    round_ = round_of(desk.state, number)
    seats, table = _meant(desk, round_, what)
    evidence = desk.evidence()
    moment = Moment.of(evidence, round_, seats)
    return _answer(desk, evidence, moment, moment.system.why(moment, seats, table))


def why_not(desk: Desk, number: int | None, one: PlayerId, other: PlayerId) -> Answer:
    """Say what it would have cost to pair two players, or to give one the bye (`other` = `NOBODY`); see `why`."""
    round_ = round_of(desk.state, number)
    if one == other:
        raise TourneyError(f"{names_of(desk.state)(one)} cannot meet themselves")
    evidence = desk.evidence()
    moment = Moment(evidence, round_, len(round_.edits))
    return _answer(desk, evidence, moment, moment.system.why_not(moment, one, other))


def _answer(desk: Desk, evidence: Evidence, moment: Moment, said: RoundExplanation | Price) -> Answer:
    name, group = names_of(desk.state), groups_of(desk.state)
    players = {*said.players, *(player for reason in said.reasons for player in reason.players)}
    return Answer(
        round=moment.today,
        how=moment.how,
        entered=moment.entered,
        stale=since(evidence, moment.today, seen=moment.before.entry).text,
        said=replace(said, facts=tuple(_named(fact, group) for fact in said.facts)),
        names={player: name(player) for player in sorted(players)},
    )


def _named(fact: Fact, group: Callable[[str], str]) -> Fact:
    """Return a fact with its groups by name; the engines know them by digest."""
    if not isinstance(fact, SharedGroups):
        return fact
    tags = tuple(tag if tag.startswith(APART) else group(tag) for tag in fact.tags)
    return msgspec.structs.replace(fact, tags=tags)


def _meant(desk: Desk, round_: Round, what: str) -> tuple[tuple[PlayerId, ...], int | None]:
    """Return who sits at the table that `what` means, with its number; one player and None for a bye."""
    title, name = round_.title, names_of(desk.state)
    if what.isascii() and what.isdigit():
        table = round_.tables.get(int(what)) if len(what) <= MOST_DIGITS else None
        if table is None:
            raise TourneyError(
                f"{title} has no table {what}", f"tables: {', '.join(map(str, round_.tables))}"
            )
        return table.seats, table.number
    if what.casefold() == "bye":
        byes = [player for player, outcome in round_.byes.items() if outcome is Outcome.BYE]
        if not byes:
            raise TourneyError(f"nobody has the bye in {title.lower()}")
        if len(byes) > 1:
            raise TourneyError(f"{listed(map(name, byes))} have a bye in {title.lower()}", "name one of them")
        return (byes[0],), None
    player = desk.who(what)
    sitting = round_.table_of(player)
    if sitting is not None:
        return sitting.seats, sitting.number
    has_bye = round_.byes.get(player) is Outcome.BYE
    if not has_bye and not system_called(round_.system).rests(desk.state, round_, player):
        raise TourneyError(f"{name(player)} {why_away(desk.state, round_, player)}")
    return (player,), None
