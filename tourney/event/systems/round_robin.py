"""Everybody meets everybody, by Berger's tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tourney.errors import Finding, Severity
from tourney.event.field import field_of, round_robin, scheduled
from tourney.event.ops import NoTable
from tourney.event.state import Round, State
from tourney.event.systems import Ask, PairingSystem, Proposal, entered
from tourney.event.systems.recorded import (
    Judged,
    Moment,
    RoundQuestion,
    by_the_rules,
    legal,
    same_tables,
    the_tables,
    weighed,
)
from tourney.pairing import Entrant, Pairing, Price, RoundExplanation, pairers
from tourney.pairing.round_robin import METHOD
from tourney.record import PlayerId
from tourney.wording import counted, listed


class RoundRobin(PairingSystem):
    """A schedule drawn before round 1 says who meets whom and when: `tourney.pairing.round_robin`."""

    called = "a round robin"
    rules = "round-robin"
    wishes = frozenset()
    settled = (
        "in a round robin everybody meets everybody, and the schedule says when",
        "`tourney round why-not NAME NAME` tells in which round; `tourney round edit swap NAME NAME` changes tables",
    )
    rests_on_results = False

    def planned_rounds(self, state: State) -> int | None:
        """Return as many rounds as the schedule has."""
        members = len(scheduled(state))
        return (members - 1 + members % 2) * (2 if state.settings.pairing.double else 1)

    def propose(self, ask: Ask) -> Proposal:
        """Give the next round of the schedule: whoever rests has no match, whoever loses an opponent to a drop the bye."""
        state = ask.state
        plan = round_robin(state, ask.seed)
        members = set(plan.players)
        field = field_of(state, ask.profile, number=ask.number)
        left = members - {each.id for each in field.entrants}
        made = plan.round(ask.number, gone=left, first_table=state.settings.pairing.first_table)
        resting = plan.rests[ask.number - 1]
        op = entered(ask, made, field, made.method)
        byes = tuple(NoTable(each.player, "absent") if each.player == resting else each for each in op.byes)
        late = [each.name for each in state.playing if each.id not in members]
        warnings = (f"{listed(late)} came after the schedule was made and has no opponents",) if late else ()
        return Proposal(op=msgspec.structs.replace(op, byes=byes), warnings=warnings)

    def pairer(self, ask: Ask) -> pairers.RoundRobinPairer:
        """Return the schedule; before round 1 whoever is registered is in it, and it is drawn by the seed of round 1."""
        state = ask.state
        seed = state.rounds[0].seed if state.rounds else None
        return pairers.RoundRobinPairer(tuple(scheduled(state)), state.settings.pairing.double, seed)

    def judge(self, question: RoundQuestion, made: Pairing | None) -> Judged:
        """Hold the tables against the schedule."""
        round_, tables = question.round, question.pairing.tables
        plan = round_robin(question.before, round_.seed)
        entrants = {each.id: each for each in question.field.entrants}
        due = plan.round(
            round_.number,
            gone=set(plan.players) - entrants.keys(),
            first_table=question.before.settings.pairing.first_table,
        )
        seated = {player for table in tables for player in table.seats}
        here = [each for each in entrants.values() if each.id in seated or each.id in question.pairing.byes]
        left_out = [table for table in due.tables if seated.isdisjoint(table.seats)]
        findings = [
            *(
                each
                for each in by_the_rules(question, here, wishes=self.wishes)
                if each.rule not in {"rematch", "second-bye"}
            ),
            *plan.check(round_.number, tables, name=question.name),
            *(
                Finding(
                    rule="schedule",
                    severity=Severity.ERROR,
                    message=f"{' – '.join(map(question.name, table.seats))} are due by the schedule and have no table",
                )
                for table in left_out
            ),
        ]
        same = same_tables(tables, due.tables)
        source = (
            f"the Berger tables of {counted(len(plan.players), 'player')}, numbered by the seed of round 1"
        )
        findings = weighed(question, findings, {"schedule", "sides"})
        return Judged(
            question=question,
            findings=tuple(findings),
            claims=(legal(findings), the_tables(question, same=same, engine=METHOD, source=source)),
            fine=f"legal, and as the {METHOD} have it" if same else "legal",
            system=self,
            engine=METHOD,
            best=due,
        )

    def certificate(self, judged: Judged) -> dict[str, Any]:
        """Return the schedule's numbers, its seed and who has left."""
        question = judged.question
        plan = round_robin(question.before, question.round.seed)
        there = {each.id for each in question.field.entrants}
        return {
            "certificate": {
                "members": sorted(plan.players),
                "numbered": list(plan.players),
                "seed": plan.seed,
                "double": question.before.settings.pairing.double,
                "gone": [player for player in plan.players if player not in there],
            }
        }

    def entrants(self, judged: Judged) -> Sequence[Entrant]:
        """Return who was to be paired; who came late has no opponents."""
        here = judged.question.here
        return [each for each in judged.question.field.entrants if each.id in here]

    def explains(self, round_: Round) -> PairingSystem:
        """Return itself: the organizer's tables, too, are explained by the schedule."""
        return self

    def rests(self, state: State, round_: Round, player: PlayerId) -> bool:
        """Say whether a player is in the schedule: who is and has no table rests."""
        return player in round_robin(state, round_.seed).players

    def why(self, moment: Moment, seats: tuple[PlayerId, ...], table: int | None) -> RoundExplanation:
        """Say how the schedule brought them together."""
        plan = round_robin(moment.before_pairing, moment.today.seed)
        return moment.explanation(seats, table, "schedule", plan.why(moment.today.number, seats))

    def why_not(self, moment: Moment, one: PlayerId, other: PlayerId) -> Price:
        """Say when the schedule brings them together."""
        plan = round_robin(moment.before_pairing, moment.today.seed)
        return moment.without_price(one, other, plan.why_not(one, other))


SYSTEM = RoundRobin()
