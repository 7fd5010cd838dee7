"""Round robins: every player meets every other player, in the order of the Berger tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tourney.errors import Finding, Severity
from tourney.event.field import Ask, field_of, round_robin, scheduled_players
from tourney.event.ops import NoTable
from tourney.event.settings import System
from tourney.event.state import Round, State
from tourney.event.systems.system import (
    Judged,
    Moment,
    PairingSystem,
    Proposal,
    RoundQuestion,
    check_rules,
    legal_claim,
    pairing_op,
    same_tables,
    tables_claim,
    weigh_findings,
)
from tourney.pairing import Entrant, Pairing, Price, RoundExplanation, RoundRobinPairer
from tourney.pairing.round_robin import METHOD
from tourney.record import PlayerId
from tourney.wording import counted, listed, verb


class RoundRobin(PairingSystem):
    """A schedule drawn before round 1 determines all rounds: `tourney.pairing.round_robin`."""

    called = "a round robin"
    rules = "round-robin"
    wishes = frozenset()
    settled = (
        "in a round robin all players meet each other, and the schedule determines when",
        "`tourney round why-not NAME NAME` shows when two players meet; "
        "`tourney round edit swap NAME NAME` changes tables",
    )
    rests_on_results = False

    def planned_rounds(self, state: State) -> int | None:
        """Return the number of rounds in the schedule."""
        members = len(scheduled_players(state))
        return (members - 1 + members % 2) * (2 if state.settings.pairing.double else 1)

    def propose(self, ask: Ask) -> Proposal:
        """Return the next round of the schedule.

        A player whose opponent has dropped gets a bye. If the schedule has no opponent for a player, the
        player rests, without a bye.
        """
        state = ask.state
        plan = round_robin(state, ask.seed)
        members = set(plan.players)
        field = field_of(state, ask.profile, number=ask.number)
        left = members - {entrant.id for entrant in field.entrants}
        made = plan.round(ask.number, absent_players=left, first_table=state.settings.pairing.first_table)
        resting = plan.rests[ask.number - 1]
        op = pairing_op(ask, made, field, made.method)
        byes = tuple(NoTable(bye.player, "absent") if bye.player == resting else bye for bye in op.byes)
        newcomers = [player.name for player in state.playing if player.id not in members]
        have = verb(newcomers, "has", "have")
        warning = f"{listed(newcomers)} joined after the schedule was made and {have} no opponents"
        return Proposal(op=msgspec.structs.replace(op, byes=byes), warnings=(warning,) if newcomers else ())

    def pairer(self, ask: Ask) -> RoundRobinPairer:
        """Return a pairer for simulations that follows the schedule of the event.

        Before round 1, the schedule is made for the current players, from a seed that the simulation draws.
        """
        state = ask.state
        seed = state.rounds[0].seed if state.rounds else None
        return RoundRobinPairer(tuple(scheduled_players(state)), state.settings.pairing.double, seed)

    def judge(self, question: RoundQuestion, made: Pairing | None) -> Judged:
        """Compare the tables of the round with the schedule."""
        round_, tables = question.round, question.pairing.tables
        plan = round_robin(question.before, round_.seed)
        entrants = {entrant.id: entrant for entrant in question.field.entrants}
        due = plan.round(
            round_.number,
            absent_players=set(plan.players) - entrants.keys(),
            first_table=question.before.settings.pairing.first_table,
        )
        seated = {player for table in tables for player in table.seats}
        here = [
            entrant for player, entrant in entrants.items() if player in {*seated, *question.pairing.byes}
        ]
        left_out = [table for table in due.tables if seated.isdisjoint(table.seats)]
        findings = [
            *(
                finding
                for finding in check_rules(question, here, wishes=self.wishes)
                if finding.rule not in {"rematch", "second-bye"}
            ),
            *plan.check(round_.number, tables, name=question.name),
            *(
                Finding(
                    rule="schedule",
                    severity=Severity.ERROR,
                    message=(
                        f"{' – '.join(map(question.name, table.seats))} meet by the "
                        "schedule but have no table"
                    ),
                )
                for table in left_out
            ),
        ]
        same = same_tables(tables, due.tables)
        source = (
            f"the Berger tables of {counted(len(plan.players), 'player')}, numbered by the seed of round 1"
        )
        findings = weigh_findings(question, findings, {"schedule", "sides"})
        return Judged(
            question=question,
            findings=tuple(findings),
            claims=(legal_claim(findings), tables_claim(question, same=same, engine=METHOD, source=source)),
            fine=f"legal, and as in the {METHOD}" if same else "legal",
            system=self,
            engine=METHOD,
            best=due,
        )

    def certificate(self, judged: Judged) -> dict[str, Any]:
        """Return, as JSON values, the schedule's players and seed, and the players who are away.

        The schedule's players are listed twice: by number, and in the order that the seed decided.
        """
        question = judged.question
        plan = round_robin(question.before, question.round.seed)
        there = {entrant.id for entrant in question.field.entrants}
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
        """Return the players to pair, without those who joined too late for the schedule."""
        here = judged.question.here
        return [entrant for entrant in judged.question.field.entrants if entrant.id in here]

    def explains(self, round_: Round) -> System:
        """Return the name of the system whose rules explain a round: always the round robin.

        Its schedule explains every table, even a table that the organizer made.
        """
        return "round-robin"

    def rests(self, state: State, round_: Round, player: PlayerId) -> bool:
        """Return whether the schedule has the player, who then rests in a round without a table."""
        return player in round_robin(state, round_.seed).players

    def why(self, moment: Moment, seats: tuple[PlayerId, ...], table: int | None) -> RoundExplanation:
        """Explain a table by the schedule of the round robin."""
        plan = round_robin(moment.before_pairing, moment.today.seed)
        return RoundExplanation.of(
            seats, table, "schedule", plan.why(moment.today.number, seats, names=moment.names)
        )

    def why_not(self, moment: Moment, one: PlayerId, other: PlayerId) -> Price:
        """Return why the players are not paired now: the round in which the schedule pairs them."""
        plan = round_robin(moment.before_pairing, moment.today.seed)
        return moment.without_price(one, other, plan.why_not(one, other, names=moment.names))


SYSTEM = RoundRobin()
