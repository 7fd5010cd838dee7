"""Swiss rounds: players with equal points meet, without rematches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

import tourney.pairing as engines
from tourney.errors import Finding, Severity, TourneyError
from tourney.event.field import Ask, RoundField, field_of, options_of
from tourney.event.state import State
from tourney.event.systems.system import (
    Judgment,
    Moment,
    PairingSystem,
    Proposal,
    RoundClaim,
    RoundQuestion,
    judge_seats,
    judge_without_engine,
    legal_claim,
    pairing_op,
    rematch_warnings,
    tables_claim,
    weigh_findings,
)
from tourney.pairing.pairing import Cost, Mode, Options, Pairing, swiss_engine, upper_levels
from tourney.record import PlayerId, Table
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.pairing import Price, RoundExplanation, SwissPairer


class Swiss(PairingSystem):
    """Pairs players with equal points, without rematches: `tourney.pairing.swiss`."""

    phrase = "the Swiss system"
    rules = "swiss"
    weighs = True
    repairs = True

    def propose(self, ask: Ask) -> Proposal:
        """Return the next round, with a proof about rematches, the bye and point differences.

        The proof says either that no round is better in these respects, or how far the sum of the squared
        point differences is above a proved lower bound.
        """
        state, options = ask.state, options_of(ask.state, ask.number)
        field = field_of(state, ask.profile, number=ask.number, ranks=options.mode is Mode.RANK)
        pairing = engines.pair(field.entrants, options, ask.seed, name=state.name_of)
        op = pairing_op(ask, pairing, field, swiss_engine(options, len(field.entrants)))
        return Proposal(op=op, pairing=pairing, warnings=rematch_warnings(state, pairing, field.entrants))

    def pairer(self, ask: Ask) -> SwissPairer:
        """Return the function that pairs rounds with this engine in simulations."""
        return engines.SwissPairer()

    def price(
        self,
        before: State,
        field: RoundField,
        options: Options,
        tables: Sequence[Table],
        byes: Sequence[PlayerId],
    ) -> Cost:
        """Return the cost of a round: rematches, point differences and other drawbacks.

        Each kind of drawback is a level of the cost. Costs are compared by the most important level first.
        """
        return engines.price(field.entrants, options, tables, byes)

    def judge(self, question: RoundQuestion, engine_pairing: Pairing | None) -> Judgment:
        """Check the round, and compare its cost with that of the best round."""
        round_, field, tables = question.round, question.field, question.pairing.tables
        if len(question.pairing.byes) > 1:
            return _too_many_byes(question)
        try:
            best = engine_pairing or engines.pair(
                field.entrants, question.options, round_.seed, name=question.name
            )
        except TourneyError as refusal:
            return judge_without_engine(question, refusal)
        findings = engines.check(
            field.entrants, question.options, tables, question.pairing.bye,
            absent=question.absent, best=best, name=question.name,
        )  # fmt: skip
        findings = weigh_findings(question, findings, {"fixed-table"})
        verdict = engines.verify(
            field.entrants,
            question.options,
            tables,
            question.pairing.bye,
            round_.seed,
            best=best,
            name=question.name,
        )
        claims, engine = [legal_claim(findings)], swiss_engine(question.options, len(field.entrants))
        if verdict.cost is not None:
            claims += _level_claims(question, verdict.cost, best)
            if round_.system == "swiss":
                claims.append(
                    tables_claim(question, is_same=verdict.same, engine=engine, source="the round's seed")
                )
        optimal = "optimal" if best.exact_levels else best.proof
        return Judgment(
            question=question,
            findings=tuple(findings),
            claims=tuple(claims),
            fine=f"legal and {optimal}" if verdict.optimal else "legal",
            system=self,
            engine=engine if round_.system == "swiss" else "",
            cost=verdict.cost,
            optimal=verdict.optimal if best.exact_levels or not verdict.optimal else None,
            best=best,
        )

    def certificate(self, judgment: Judgment) -> dict[str, Any]:
        """Return the certificate of the round, or of a better round if one is known.

        A certificate is a proof, as JSON values, that a checker without this engine can verify.
        """
        question, best = judgment.question, judgment.best
        if judgment.cost is None or best is None:
            return {"certificate": None}
        if upper_levels(judgment.cost) <= upper_levels(best.cost):
            return {"certificate": engines.prove(question.field.entrants, question.options, question.pairing)}
        better = {"tables": [list(table.seats) for table in best.tables], "byes": list(best.byes)}
        return {"best": better, "certificate": engines.prove(question.field.entrants, question.options, best)}

    def why(self, moment: Moment, seats: tuple[PlayerId, ...], table: int | None) -> RoundExplanation:
        """Explain a table: which player was paired down, which wishes counted, and what decided."""
        moment.refuse_strangers()
        number, pairing = None, moment.pairing
        if table is None:
            bye_players = (player for player in pairing.byes if player != seats[0])
            pairing = replace(pairing, byes=(seats[0], *bye_players))
        else:
            round_table = moment.round.table_of(seats[0])
            assert round_table is not None, "the table has these players"
            number = round_table.number
        return engines.why(
            moment.entrants, moment.options, pairing, number, by_hand=moment.by_hand, names=moment.names,
        )  # fmt: skip

    def why_not(self, moment: Moment, one: PlayerId, other: PlayerId) -> Price:
        """Pair the round again with the two players at one table, and return what becomes worse."""
        moment.refuse_strangers(one, other)
        return engines.why_not(
            moment.entrants, moment.options, moment.round.seed, one, other, pairing=moment.pairing,
            by_hand=moment.by_hand, names=moment.names,
        )  # fmt: skip


def _too_many_byes(question: RoundQuestion) -> Judgment:
    byes = question.pairing.byes
    message = f"{listed(map(question.name, byes))} all have the bye; a Swiss round needs at most one bye"
    advice = Finding(rule="byes", severity=Severity.ADVICE, message=message, have=str(len(byes)), allowed="1")
    return judge_seats(question, advice)


def _level_claims(question: RoundQuestion, cost: Cost, best: Pairing) -> list[RoundClaim]:
    """Return claims that no other round is better, each about one part of the cost.

    The parts, in order of importance, are rematches, the bye, point differences, and all lower levels. A
    claim is proved, disproved (a better round exists) or not proved. The first disproved claim is the last
    one returned.
    """
    claims: list[RoundClaim] = []
    points = {entrant.id: entrant.points for entrant in question.field.entrants}
    gaps = engines.Gaps.at(question.pairing.tables, points)
    worse = engines.Difference.between(
        best.cost, cost, (engines.Gaps.at(best.tables, points), gaps), mode=question.options.mode
    )
    claims_by_kind = {
        "rematches": (
            ("rematches", "times_met"),
            f"{counted(cost.rematches, 'rematch', 'rematches')}, and fewer are impossible"
            if cost.rematches
            else "no rematch",
        ),
        "bye": (
            ("bye_earlier", "bye_points"),
            "no player earlier in the bye order could have the bye",
        ),
        "differences": (
            ("differences",),
            f"{gaps.text_with_cost()}, and no such round has less" if gaps.tables else gaps.text_with_cost(),
        ),
    }
    for kind, (levels, text) in claims_by_kind.items():
        if worse is not None and worse.level in levels and worse.other > worse.best:
            return [*claims, RoundClaim(what=kind, proved=False, text=worse.text)]
        if kind == "bye" and not (cost.bye_earlier or cost.bye_points) and best.bye is None:
            continue
        is_proved = bool(best.exact_levels) or kind != "differences" or None
        open_text = f"{gaps.text_with_cost()}; {best.proof}"
        claims.append(RoundClaim(what=kind, proved=is_proved, text=text if is_proved else open_text))
    below = "keep-aparts, the order of the round, floats and sides, in this order"
    if worse is not None and worse.other > worse.best and best.exact_levels == 7:
        claims.append(RoundClaim(what="below", proved=False, text=worse.text))
    elif best.exact_levels == 7:
        claims.append(RoundClaim(what="below", proved=True, text=f"{below}: by search, no round is better"))
    else:
        claims.append(
            RoundClaim(what="below", proved=None, text=f"{below}: not proved, because the field is too large")
        )
    return claims


SYSTEM = Swiss()
