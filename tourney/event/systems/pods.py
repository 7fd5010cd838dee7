"""Pods: tables of three or more players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tourney.errors import TourneyError
from tourney.event.field import Ask, RoundField, field_of, options_of, seats_before, sizes_of
from tourney.event.state import State
from tourney.event.systems.system import (
    NO_ROUND,
    Judgment,
    Moment,
    PairingSystem,
    Proposal,
    RoundClaim,
    RoundQuestion,
    judge_without_engine,
    legal_claim,
    pairing_op,
    rematch_warnings,
    same_tables,
    tables_claim,
    weigh_findings,
)
from tourney.pairing import (
    PROVED_BY_SEARCH,
    Cost,
    Options,
    Pairing,
    PodsPairer,
    Price,
    RoundExplanation,
    manual,
    pods,
)
from tourney.pairing.facts import Gaps, amount
from tourney.pairing.pairing import PODS_ENGINE
from tourney.pairing.pods import why as reasons
from tourney.record import PlayerId, Table
from tourney.wording import counted


class Pods(PairingSystem):
    """Minimizes rematches and point differences at larger tables: `tourney.pairing.pods`."""

    phrase = "pods"
    rules = "pods"
    weighs = True
    seats_count = True

    def propose(self, ask: Ask) -> Proposal:
        """Return the next round: divide the players into tables, and seat them."""
        field = field_of(ask.state, ask.profile, number=ask.number)
        pairing = _make_pairing(ask.state, ask.number, ask.seed, field)
        op = pairing_op(ask, pairing, field, PODS_ENGINE)
        return Proposal(op=op, pairing=pairing, warnings=rematch_warnings(ask.state, pairing, field.entrants))

    def pairer(self, ask: Ask) -> PodsPairer:
        """Return a pairer for simulations, with the table sizes of the event."""
        return PodsPairer(sizes_of(ask.state))

    def price(
        self,
        before: State,
        field: RoundField,
        options: Options,
        tables: Sequence[Table],
        byes: Sequence[PlayerId],
    ) -> Cost:
        """Return the cost of a round: rematches, point differences and other drawbacks.

        The order of the seats at the tables is part of the cost.
        """
        return pods.price(field.entrants, options, tables, byes, seats_before(before, options.round_number))

    def judge(self, question: RoundQuestion, engine_pairing: Pairing | None) -> Judgment:
        """Check the round, and compare its table sizes, byes, costs and seats with the engine's."""
        round_, field = question.round, question.field
        engine = PODS_ENGINE if round_.system == "pods" else ""
        try:
            best = engine_pairing or _make_pairing(question.before, round_.number, round_.seed, field)
        except TourneyError as refusal:
            return judge_without_engine(question, refusal)
        tables, byes = question.pairing.tables, question.pairing.byes
        findings = pods.check(
            field.entrants, question.options, tables, byes, sizes=sizes_of(question.before), best=best,
            absent=question.absent, name=question.name,
        )  # fmt: skip
        findings = weigh_findings(question, findings, {"fixed-table"})
        if any(finding.rule in NO_ROUND for finding in findings):
            return Judgment(
                question=question,
                findings=tuple(findings),
                claims=(legal_claim(findings),),
                system=PairingSystem(),
                engine=engine,
            )
        cost = self.price(question.before, field, question.options, tables, byes)
        is_same = same_tables(tables, best.tables) and set(byes) == set(best.byes)
        is_same_division = pods.is_division_as_good(tables, byes, best, sizes_of(question.before))
        division = _division_claims(question, best, is_same_division=is_same_division)
        is_best_division = all(claim.proved for claim in division)
        claims = [legal_claim(findings), *division]
        if is_best_division:  # the bounds are only valid for the best division into tables
            claims += _level_claims(question, cost, best)
        if engine:
            claims.append(tables_claim(question, is_same=is_same, engine=engine, source="the round's seed"))
        is_proved = cost == best.cost and best.proof.startswith("optimal")
        verdict = "legal and optimal" if is_proved else f"legal, {best.proof}"
        is_open = is_best_division and cost <= best.cost and not is_proved
        return Judgment(
            question=question,
            findings=tuple(findings),
            claims=tuple(claims),
            fine=verdict if is_best_division and cost == best.cost else "legal",
            system=self,
            engine=engine,
            cost=cost,
            optimal=None if is_open else is_best_division and is_proved,
            best=best,
        )

    def certificate(self, judgment: Judgment) -> dict[str, Any]:
        """Return, as JSON values, the groups of players who have all met each other."""
        question = judgment.question
        groups = pods.prove(
            question.field.entrants,
            question.options,
            question.round.seed,
            sizes=sizes_of(question.before),
        )
        return {"certificate": {"groups": groups}}

    def why(self, moment: Moment, seats: tuple[PlayerId, ...], table: int | None) -> RoundExplanation:
        """Explain a table by what it adds to the cost of the round, such as a rematch."""
        moment.refuse_strangers()
        sizes = sizes_of(moment.before)
        facts = reasons.why(
            moment.entrants, moment.options, moment.pairing, seats, sizes=sizes, names=moment.names
        )
        return RoundExplanation.of(seats, table, "pods", facts)

    def why_not(self, moment: Moment, one: PlayerId, other: PlayerId) -> Price:
        """Explain why two players do not meet. At larger tables, no costs are computed."""
        moment.refuse_strangers(one, other)
        sizes = sizes_of(moment.before)
        facts = reasons.why_not(
            moment.entrants, moment.options, moment.pairing, one, other, sizes=sizes, names=moment.names
        )
        return moment.without_price(one, other, facts)


def _make_pairing(state: State, number: int, seed: str, field: RoundField) -> Pairing:
    return pods.pair(
        field.entrants,
        options_of(state, number),
        seed,
        sizes=sizes_of(state),
        seats_before=seats_before(state, number),
        name=state.name_of,
    )


def _division_claims(question: RoundQuestion, best: Pairing, *, is_same_division: bool) -> list[RoundClaim]:
    """Return statements about byes and table sizes.

    They say whether the byes are as few as possible and go to the right players, and whether the table sizes
    are the best.
    """
    byes, preferred_sizes = question.pairing.byes, sizes_of(question.before).preferred
    if len(byes) > len(best.byes):
        text = (
            f"{counted(len(byes), 'player has', 'players have')} a bye, but {len(best.byes)} would be enough"
        )
        return [RoundClaim(what="bye", proved=False, text=text)]
    field, options = question.field.entrants, question.options
    costs = (manual.cost_of(field, options, (), players) for players in (byes, best.byes))
    have, least = ((cost.bye_earlier, cost.bye_points) for cost in costs)
    text = "no player earlier in the bye order could have a bye" if byes else "no player has a bye"
    if have > least:
        text = "a player with a bye has had more byes, or has more points, than a player at a table"
    claims = [RoundClaim(what="bye", proved=have <= least, text=text)]
    sizes_text = pods.sizes_words(question.pairing.tables)
    if not is_same_division:
        text = (
            f"{sizes_text}, and {pods.sizes_words(best.tables)} are nearer to the preferred {preferred_sizes}"
        )
        return [*claims, RoundClaim(what="sizes", proved=False, text=text)]
    return [
        *claims,
        RoundClaim(
            what="sizes",
            proved=True,
            text=f"{sizes_text}: no other sizes are nearer to the preferred {preferred_sizes}",
        ),
    ]  # fmt: skip


def _level_claims(question: RoundQuestion, cost: Cost, best: Pairing) -> list[RoundClaim]:
    claims = []
    gaps = Gaps.at(
        question.pairing.tables, {entrant.id: entrant.points for entrant in question.field.entrants}
    )
    is_exhaustive = best.proof == PROVED_BY_SEARCH and cost == best.cost
    for level, words, _ in pods.LEVELS:
        have, least = getattr(cost, level), getattr(best.bound, level)
        count, bound = amount(level, have), amount(level, least)
        kind = {"imbalance": "seats", "apart": "below"}.get(level, level)
        level_text = gaps.text_with_cost("pair") if level == "differences" else f"{words}: {count}"
        if have == least:
            text = f"{level_text}, and no round has less" if have else level_text
            claims.append(RoundClaim(what=kind, proved=True, text=text))
        elif is_exhaustive:
            text = f"{level_text}; every possible round was compared, and none is better"
            claims.append(RoundClaim(what=kind, proved=True, text=text))
        else:
            most = amount(level, have - least)
            text = f"{level_text}; every round has at least {bound}, so at most {most} too many"
            claims.append(RoundClaim(what=kind, proved=None, text=text))
    return claims


SYSTEM = Pods()
