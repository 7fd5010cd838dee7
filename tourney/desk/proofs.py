"""Judge a recorded round, and explain its tables.

`judge` works for every system, for rounds by hand and for brackets (`tourney.event.systems`).

`why` and `why_not` consider the event as it was when the table was made: by the pairing, by a repair, or by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from tourney.decode import MAX_DIGITS
from tourney.desk.evidence import since
from tourney.desk.open_event import OpenEvent
from tourney.errors import TourneyError
from tourney.event.field import groups_of
from tourney.event.kind import round_of
from tourney.event.phrases import names_of
from tourney.event.state import Entered, Round
from tourney.event.systems import explaining_system, system_called
from tourney.event.systems.recorded import Moment, RoundQuestion, why_away
from tourney.event.systems.system import Judged
from tourney.pairing import Pairing, Price, RoundExplanation
from tourney.pairing.facts import APART, SharedGroups
from tourney.record import Outcome, PlayerId
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.pairing.facts import Fact


def judge(event: OpenEvent, number: int | None = None, *, made: Pairing | None = None) -> Judged:
    """Judge round `number` (None: the current one) by its system.

    made: the round that the system's engine pairs from the same field and seed; None: pair it now

    Raises TourneyError if there is no such round, or if its entry contradicts itself.
    """
    round_ = round_of(event.state, number)
    system = system_called("elimination" if round_.stage == "cut" else round_.system)
    return system.judge(RoundQuestion.of(event.evidence(), round_), made)


# -- explanations of a table


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundAnswer:
    """The answer to a question about a table, a bye, or a pairing that was not made.

    round: the round
    how:   how the table was made: by the `engine`, a `repair`, or by `hand`
    entered: when and by whom
    stale: `paired before entry 31 corrected round 2`; empty if no result was corrected since
    answer: the explanation, or the price of the pairing that was not made
    names: the names of the players in it
    """

    round: Round
    how: str
    entered: Entered
    stale: str
    answer: RoundExplanation | Price
    names: Mapping[PlayerId, str]


def why(event: OpenEvent, number: int | None, subject: str) -> RoundAnswer:
    """Explain a table, or why a player has no opponent.

    subject: the number of a table, the name of a player, or `bye` for the player with the bye

    Raises TourneyError if there is no such round, table or player, or if the player was not in the pairing.
    """
    round_ = round_of(event.state, number)
    seats, table = _table_meant(event, round_, subject)
    moment = Moment.of(event.evidence(), round_, seats)
    return _answer(event, moment, explaining_system(moment).why(moment, seats, table))


def why_not(event: OpenEvent, number: int | None, one: PlayerId, other: PlayerId) -> RoundAnswer:
    """Return what it would have cost to pair two players, or to give `one` the bye (`other` is `NOBODY`).

    Raises TourneyError as `why` does.
    """
    round_ = round_of(event.state, number)
    if one == other:
        raise TourneyError(f"{names_of(event.state)(one)} cannot meet themselves")
    moment = Moment(event.evidence(), round_, len(round_.edits))
    return _answer(event, moment, explaining_system(moment).why_not(moment, one, other))


def _answer(event: OpenEvent, moment: Moment, answer: RoundExplanation | Price) -> RoundAnswer:
    name, group = names_of(event.state), groups_of(event.state)
    players = {*answer.players, *(player for reason in answer.reasons for player in reason.players)}
    return RoundAnswer(
        round=moment.today,
        how=moment.how,
        entered=moment.entered,
        stale=since(event.evidence(), moment.today, seen=moment.before.entry).text,
        answer=replace(answer, facts=tuple(_with_group_names(fact, group) for fact in answer.facts)),
        names={player: name(player) for player in sorted(players)},
    )


def _with_group_names(fact: Fact, group: Callable[[str], str]) -> Fact:
    """Return a fact with the names of its groups. The engines have only their digests."""
    if not isinstance(fact, SharedGroups):
        return fact
    tags = tuple(tag if tag.startswith(APART) else group(tag) for tag in fact.tags)
    return msgspec.structs.replace(fact, tags=tags)


def _table_meant(event: OpenEvent, round_: Round, subject: str) -> tuple[tuple[PlayerId, ...], int | None]:
    """Return the players at the table that `subject` names, and its number; for a bye, the player and None."""
    title, name = round_.title, names_of(event.state)
    if subject.isascii() and subject.isdigit():
        table = round_.tables.get(int(subject)) if len(subject) <= MAX_DIGITS else None
        if table is None:
            raise TourneyError(
                f"{title} has no table {subject}", f"tables: {', '.join(map(str, round_.tables))}"
            )
        return table.seats, table.number
    if subject.casefold() == "bye":
        byes = [player for player, outcome in round_.byes.items() if outcome is Outcome.BYE]
        if not byes:
            raise TourneyError(f"no player has the bye in {title.lower()}")
        if len(byes) > 1:
            raise TourneyError(f"{listed(map(name, byes))} have a bye in {title.lower()}", "name one of them")
        return (byes[0],), None
    player = event.who(subject)
    own_table = round_.table_of(player)
    if own_table is not None:
        return own_table.seats, own_table.number
    has_bye = round_.byes.get(player) is Outcome.BYE
    if not has_bye and not system_called(round_.system).rests(event.state, round_, player):
        raise TourneyError(f"{name(player)} {why_away(event.state, round_, player)}")
    return (player,), None
