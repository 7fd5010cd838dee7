"""Pods: tables of three or more players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tourney.errors import TourneyError
from tourney.event.field import Ask, RoundField, field_of, options_of, seats_before, sizes_of
from tourney.event.state import State
from tourney.event.systems.system import (
    NO_ROUND,
    Judged,
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

    called = "pods"
    rules = "pods"
    weighs = True
    seats_count = True

    def propose(self, ask: Ask) -> Proposal:
        """Return the next round: divide the players into tables, and seat them."""
        field = field_of(ask.state, ask.profile, number=ask.number)
        made = _made(ask.state, ask.number, ask.seed, field)
        op = pairing_op(ask, made, field, PODS_ENGINE)
        return Proposal(op=op, made=made, warnings=rematch_warnings(ask.state, made, field.entrants))

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

    def judge(self, question: RoundQuestion, made: Pairing | None) -> Judged:
        """Check the round, and compare its table sizes, byes, costs and seats with the engine's."""
        round_, field = question.round, question.field
        engine = PODS_ENGINE if round_.system == "pods" else ""
        try:
            best = made or _made(question.before, round_.number, round_.seed, field)
        except TourneyError as refusal:
            return judge_without_engine(question, refusal)
        tables, byes = question.pairing.tables, question.pairing.byes
        findings = pods.check(
            field.entrants, question.options, tables, byes, sizes=sizes_of(question.before), best=best,
            absent=question.absent, name=question.name,
        )  # fmt: skip
        findings = weigh_findings(question, findings, {"fixed-table"})
        if any(finding.rule in NO_ROUND for finding in findings):
            return Judged(
                question=question,
                findings=tuple(findings),
                claims=(legal_claim(findings),),
                system=PairingSystem(),
                engine=engine,
            )
        cost = self.price(question.before, field, question.options, tables, byes)
        same = same_tables(tables, best.tables) and set(byes) == set(best.byes)
        alike = pods.divided_alike(tables, byes, best, sizes_of(question.before))
        division = _division(question, best, alike=alike)
        divided = all(claim.proved for claim in division)
        claims = [legal_claim(findings), *division]
        if divided:  # the bounds are only valid for the best division into tables
            claims += _levels(question, cost, best)
        if engine:
            claims.append(tables_claim(question, same=same, engine=engine, source="the round's seed"))
        proved = cost == best.cost and best.proof.startswith("optimal")
        as_good = "legal and optimal" if proved else f"legal, {best.proof}"
        open_still = divided and cost <= best.cost and not proved
        return Judged(
            question=question,
            findings=tuple(findings),
            claims=tuple(claims),
            fine=as_good if divided and cost == best.cost else "legal",
            system=self,
            engine=engine,
            cost=cost,
            optimal=None if open_still else divided and proved,
            best=best,
        )

    def certificate(self, judged: Judged) -> dict[str, Any]:
        """Return, as JSON values, the groups of players who have all met each other."""
        question = judged.question
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


def _made(state: State, number: int, seed: str, field: RoundField) -> Pairing:
    return pods.pair(
        field.entrants,
        options_of(state, number),
        seed,
        sizes=sizes_of(state),
        seats_before=seats_before(state, number),
        name=state.name_of,
    )


def _division(question: RoundQuestion, best: Pairing, *, alike: bool) -> list[RoundClaim]:
    """Return statements about byes and table sizes.

    They say whether the byes are as few as possible and go to the right players, and whether the table sizes
    are the best.
    """
    byes, preferred = question.pairing.byes, sizes_of(question.before).preferred
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
    here = pods.sizes_words(question.pairing.tables)
    if not alike:
        text = f"{here}, and {pods.sizes_words(best.tables)} are nearer to the preferred {preferred}"
        return [*claims, RoundClaim(what="sizes", proved=False, text=text)]
    return [
        *claims,
        RoundClaim(
            what="sizes", proved=True, text=f"{here}: no other sizes are nearer to the preferred {preferred}"
        ),
    ]  # fmt: skip


def _levels(question: RoundQuestion, cost: Cost, best: Pairing) -> list[RoundClaim]:
    claims = []
    gaps = Gaps.at(
        question.pairing.tables, {entrant.id: entrant.points for entrant in question.field.entrants}
    )
    every = best.proof == PROVED_BY_SEARCH and cost == best.cost
    for level, words, _ in pods.LEVELS:
        have, least = getattr(cost, level), getattr(best.bound, level)
        count, bound = amount(level, have), amount(level, least)
        what = {"imbalance": "seats", "apart": "below"}.get(level, level)
        level_text = gaps.text_with_cost("pair") if level == "differences" else f"{words}: {count}"
        if have == least:
            text = f"{level_text}, and no round has less" if have else level_text
            claims.append(RoundClaim(what=what, proved=True, text=text))
        elif every:
            text = f"{level_text}; every possible round was compared, and none is better"
            claims.append(RoundClaim(what=what, proved=True, text=text))
        else:
            most = amount(level, have - least)
            text = f"{level_text}; every round has at least {bound}, so at most {most} too many"
            claims.append(RoundClaim(what=what, proved=None, text=text))
    return claims


SYSTEM = Pods()
