"""Brackets, either of a cut or of an elimination event."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

import tourney.pairing.elimination.why as reasons
from tourney.errors import Severity, TourneyError
from tourney.event.brackets import bracket_of, bracket_options, whole_bracket, winner_of
from tourney.event.field import Ask
from tourney.event.ops import CutMade, NoTable, RoundPaired
from tourney.event.state import State
from tourney.event.systems.system import (
    Judgment,
    Moment,
    PairingSystem,
    Proposal,
    RoundClaim,
    RoundQuestion,
    check_rules,
    legal_claim,
    same_tables,
    tables_claim,
)
from tourney.pairing import Entrant, Pairing, Price, RoundExplanation
from tourney.pairing.elimination import Bracket, check, seat_by_sides
from tourney.pairing.facts import Fact
from tourney.pairing.pairing import BRACKET_ENGINE, SIDED_BRACKET_ENGINE, same_engine
from tourney.record import PlayerId, Table
from tourney.wording import listed, verb


class Elimination(PairingSystem):
    """Seeds and results determine the matches: `tourney.pairing.elimination`."""

    phrase = "a bracket"
    rules = "bracket"
    wishes = frozenset()
    wish_refusal = (
        "in a bracket, the seeds and results determine the matches",
        "`tourney round edit swap NAME NAME` changes tables of a round that is paired",
    )

    def propose(self, ask: Ask) -> Proposal:
        """Return the next matches. In round 1 of an elimination event, also return its bracket."""
        if ask.state.cut is not None:
            _refuse_unseeded(ask.state, ask.state.cut)
            return Proposal(op=_next_round(ask, ask.state.cut))
        first = _seed_bracket(ask)
        return Proposal(op=_next_round(ask, first), first=first)

    def judge(self, question: RoundQuestion, engine_pairing: Pairing | None) -> Judgment:
        """Compare a round of the bracket with the seeds and the earlier results."""
        round_, before, name = question.round, question.before, question.name
        if round_.stage != "cut":
            raise TourneyError(
                f"{round_.title} is entered as paired by {round_.system}, and is not a round of a bracket"
            )
        if before.cut is None:
            raise TourneyError(f"{round_.title} is entered as a round of a cut, but no cut was made")
        now = bracket_of(before, before.cut, round_.number - 1)
        tables = question.pairing.tables
        findings = [
            *check(
                now,
                {table.label or f"table {table.number}": table.seats for table in round_.tables.values()},
                name=name,
            ),
            *(finding for finding in check_rules(question, []) if finding.rule == "table-number"),
        ]
        due_tables = _seat_by_sides(before, now.tables, round_.number)
        byes = tuple(player for player in now.byes if player not in now.waiting)
        is_same = same_tables(tables, due_tables) and {*question.pairing.byes} == {*byes}
        source = "the seeds and the results before the round"
        engine = _engine(before)
        claim = tables_claim(question, is_same=is_same, engine=engine, source=source)
        if claim.proved is False and round_.system != "manual":
            findings = [
                replace(finding, severity=Severity.ERROR) if finding.rule == "bracket" else finding
                for finding in findings
            ]
        if round_.system == "manual" and not is_same:
            claim = RoundClaim(
                what="tables", proved=None, text="the organizer changed the seats of the bracket"
            )
        return Judgment(
            question=question,
            findings=tuple(findings),
            claims=(legal_claim(findings), claim),
            fine="legal, and as the bracket requires" if is_same else "legal",
            system=self,
            engine="" if round_.system == "manual" else engine,
            best=Pairing(tables=due_tables, byes=byes),
        )

    def certificate(self, judgment: Judgment) -> dict[str, Any]:
        """Return the seeds, and the matches before the round, as JSON values."""
        question, cut = judgment.question, judgment.question.before.cut
        assert cut is not None, "a round of the cut follows the cut"
        now = bracket_of(question.before, cut, question.round.number - 1)
        return {
            "certificate": {
                "seeds": list(cut.players),
                "kind": cut.kind,
                "reseed": cut.reseed,
                "third_place": cut.third_place,
                "vacancy": cut.vacancy,
                **({"table": cut.seats, "advance": cut.advance} if cut.seats > 2 else {}),
                "stages": [
                    {
                        "name": stage.name,
                        "matches": [
                            {
                                "label": match.label,
                                "seats": list(match.seats),
                                "sources": [
                                    "" if source is None else str(source) for source in match.sources
                                ],
                                "winner": match.winner,
                                "done": match.is_done,
                                **(
                                    {"through": list(match.through), "places": list(match.places)}
                                    if cut.seats > 2
                                    else {}
                                ),
                            }
                            for match in stage.matches
                        ],
                    }
                    for stage in now.stages
                ],
            }
        }

    def entrants(self, judgment: Judgment) -> Sequence[Entrant]:
        """Return the players of the round, without their earlier rounds, which a bracket ignores."""
        return [Entrant(id=player) for player in judgment.question.paired_players]

    def why(self, moment: Moment, seats: tuple[PlayerId, ...], table: int | None) -> RoundExplanation:
        """Explain a table by the players' seeds and the matches that they come from."""
        cut, now = _bracket_at(moment)
        round_table = None if table is None else moment.round.tables.get(table)
        label = (round_table and round_table.label) or None
        facts = reasons.why(cut.players, bracket_options(cut), now, label, seats, names=moment.names)
        if label is not None and moment.how == "engine":
            facts = (*facts, *_why_sides(moment, now, label, seats))
        return RoundExplanation.of(seats, table, "bracket", facts)

    def why_not(self, moment: Moment, one: PlayerId, other: PlayerId) -> Price:
        """Explain why two players do not meet in the round, or why one player has no bye.

        The reasons are about each player's match in this round, and about matches in which the two met or
        can meet. If they do meet in this round, the only reason says so.
        """
        table = moment.round.table_of(one)
        if table is not None and other in table.seats:
            return moment.without_price(one, other, ())
        cut, now = _bracket_at(moment)
        facts = reasons.why_not(cut.players, bracket_options(cut), now, one, other, names=moment.names)
        return moment.without_price(one, other, facts)


def _seed_bracket(ask: Ask) -> CutMade:
    """Return the op that makes a bracket of all players, seeded by rating, registration or lot.

    Players with equal ratings are seeded by lot.
    """
    settings, players = ask.state.settings, list(ask.state.playing)
    if settings.cut.seeding in {"rating", "lot"}:
        players.sort(key=lambda player: _lot(ask.seed, player.id))
    if settings.cut.seeding == "rating":
        players.sort(key=lambda player: -(player.rating or 0))
    if len(players) < 2:
        raise TourneyError(f"a bracket needs at least two players, not {len(players)}")
    if settings.cut.seeding == "hand":
        raise TourneyError(
            "the event is seeded by hand, and no seeds are entered yet", "`tourney event seed NAME NAME …`"
        )
    return whole_bracket(ask.state, [player.id for player in players])


def _refuse_unseeded(state: State, cut: CutMade) -> None:
    """Raise TourneyError if a bracket seeded by hand would start while a new player has no seed."""
    new = [player.name for player in state.playing if player.id not in cut.players]
    if not cut.after and not state.rounds and new:
        have = verb(new, "has", "have")
        raise TourneyError(
            f"{listed(new)} {have} no seed", "enter all seeds again: `tourney event seed NAME NAME …`"
        )


def _lot(seed: str, player: PlayerId) -> bytes:
    return sha256(f"{seed}/{player}".encode()).digest()


def _next_round(ask: Ask, cut: CutMade) -> RoundPaired:
    now = bracket_of(ask.state, cut)
    if now.is_finished:
        winner = winner_of(ask.state, now)
        winner_note = f": {ask.state.name_of(winner)} has won" if winner else ""
        raise TourneyError(
            f"the bracket is finished{winner_note}",
            "`tourney standings` shows the places; `tourney event close` closes the event",
        )
    return RoundPaired(
        round=ask.number,
        tables=_seat_by_sides(ask.state, now.tables, ask.number),
        byes=tuple(NoTable(player, "bye") for player in sorted({*now.byes} - {*now.waiting})),
        stage="cut",
        system="elimination",
        engine=_engine(ask.state),
        labels=now.labels,
    )


def _engine(state: State) -> str:
    """Return the name of the engine to record with the rounds of the bracket."""
    return SIDED_BRACKET_ENGINE if state.settings.match.sides else BRACKET_ENGINE


def _seat_by_sides(state: State, tables: Sequence[Table], number: int) -> tuple[Table, ...]:
    """Return the tables of round `number`. In a game with sides, seat the players by side."""
    if not state.settings.match.sides or any(len(table.seats) != 2 for table in tables):
        return tuple(tables)
    return seat_by_sides(tables, partial(_sides_before, state, number))


def _sides_before(state: State, number: int, player: PlayerId) -> tuple[int, ...]:
    """Return a player's sides in all matches before round `number`.

    The first side is 1, the second side is −1.
    """
    sides = []
    for round_ in state.rounds[: number - 1]:
        table = round_.table_of(player)
        if table is None or table.result is None or len(table.seats) != 2:
            continue
        if next(seat.outcome.played for seat in table.result.seats if seat.player == player):
            sides.append(1 if table.seats[0] == player else -1)
    return tuple(sides)


def _why_sides(moment: Moment, now: Bracket, label: str, seats: Sequence[PlayerId]) -> tuple[Fact, ...]:
    """Return facts that explain which player has the first side; empty if the game has no sides."""
    state, number = moment.before_pairing, moment.today.number
    match_seats = next(
        (table.seats for table, at in zip(now.tables, now.labels, strict=True) if at == label), ()
    )
    sides = state.settings.match.both_sides
    if sides is None or len(match_seats) != 2 or set(match_seats) != set(seats):
        return ()
    if not same_engine(moment.round.engine, SIDED_BRACKET_ENGINE):
        return ()
    return (
        reasons.why_first_side(
            *match_seats, partial(_sides_before, state, number), sides, names=moment.names
        ),
    )


def _bracket_at(moment: Moment) -> tuple[CutMade, Bracket]:
    """Return the cut, and its bracket as it was when the round was paired."""
    cut = moment.before_pairing.cut
    if cut is None:
        raise TourneyError(
            f"{moment.today.title} was paired before its bracket was made: entry {moment.today.paired.entry}"
        )
    return cut, bracket_of(moment.before_pairing, cut)


SYSTEM = Elimination()
