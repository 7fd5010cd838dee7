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
    Judgment,
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

    phrase = "a round robin"
    rules = "round-robin"
    wishes = frozenset()
    wish_refusal = (
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
        leavers = members - {entrant.id for entrant in field.entrants}
        pairing = plan.round(
            ask.number, absent_players=leavers, first_table=state.settings.pairing.first_table
        )
        resting_player = plan.rests[ask.number - 1]
        op = pairing_op(ask, pairing, field, pairing.method)
        byes = tuple(
            NoTable(bye.player, "absent") if bye.player == resting_player else bye for bye in op.byes
        )
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

    def judge(self, question: RoundQuestion, engine_pairing: Pairing | None) -> Judgment:
        """Compare the tables of the round with the schedule."""
        round_, tables = question.round, question.pairing.tables
        plan = round_robin(question.before, round_.seed)
        entrants = {entrant.id: entrant for entrant in question.field.entrants}
        planned_pairing = plan.round(
            round_.number,
            absent_players=set(plan.players) - entrants.keys(),
            first_table=question.before.settings.pairing.first_table,
        )
        seated_players = {player for table in tables for player in table.seats}
        paired_entrants = [
            entrant
            for player, entrant in entrants.items()
            if player in {*seated_players, *question.pairing.byes}
        ]
        missing_tables = [table for table in planned_pairing.tables if seated_players.isdisjoint(table.seats)]
        findings = [
            *(
                finding
                for finding in check_rules(question, paired_entrants, wishes=self.wishes)
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
                for table in missing_tables
            ),
        ]
        is_same = same_tables(tables, planned_pairing.tables)
        source = (
            f"the Berger tables of {counted(len(plan.players), 'player')}, numbered by the seed of round 1"
        )
        findings = weigh_findings(question, findings, {"schedule", "sides"})
        return Judgment(
            question=question,
            findings=tuple(findings),
            claims=(
                legal_claim(findings),
                tables_claim(question, is_same=is_same, engine=METHOD, source=source),
            ),
            fine=f"legal, and as in the {METHOD}" if is_same else "legal",
            system=self,
            engine=METHOD,
            best=planned_pairing,
        )

    def certificate(self, judgment: Judgment) -> dict[str, Any]:
        """Return, as JSON values, the schedule's players and seed, and the players who are away.

        The schedule's players are listed twice: by number, and in the order that the seed decided.
        """
        question = judgment.question
        plan = round_robin(question.before, question.round.seed)
        present_players = {entrant.id for entrant in question.field.entrants}
        return {
            "certificate": {
                "members": sorted(plan.players),
                "numbered": list(plan.players),
                "seed": plan.seed,
                "double": question.before.settings.pairing.double,
                "gone": [player for player in plan.players if player not in present_players],
            }
        }

    def entrants(self, judgment: Judgment) -> Sequence[Entrant]:
        """Return the players to pair, without those who joined too late for the schedule."""
        paired_players = judgment.question.paired_players
        return [entrant for entrant in judgment.question.field.entrants if entrant.id in paired_players]

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
