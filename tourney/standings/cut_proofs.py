"""Check a proof that a player is in or out of a cut, with nothing of what found it: whole records are ranked anew.

A proof is a tree. A leaf compares the player with everybody, by points alone or by the whole order of the profile, and
counts table by table; another ranks the one completion that is left. A branch takes the results of one table apart; one of
an earlier round, whose result is missing, is taken to have ended so, whatever the games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tourney.record import Outcome, PlayerId, Record, Result
from tourney.standings import tiebreaks
from tourney.standings.completions import CutQuestion, Kind, OpenTable, score_text
from tourney.standings.exact import Value
from tourney.standings.profile import POINTS
from tourney.standings.ranking import points, rank, values

_NO_VALUE = -Fraction(10**30)

_Left = dict[int, tuple[int, ...]]
"""Table number → the places of the results it may still have."""


def fault_in(question: CutQuestion, certificate: Mapping[str, Any]) -> str:
    """Say what is wrong with a certificate as an answer to the question; empty: it proves what it says."""
    try:
        _Check(question, certificate).run()
    except _Wrong as wrong:
        return str(wrong)
    return ""


class _Wrong(Exception):  # noqa: N818  it is a verdict, not a fault of the program
    pass


class _Check:
    def __init__(self, question: CutQuestion, certificate: Mapping[str, Any]) -> None:
        self.question = question
        self.certificate = certificate
        self.tables = {table.number: table for table in question.tables}
        self.number_of = {player: table.number for table in question.tables for player in table.seats}
        self.points = points(question.record, question.profile)
        self.worked_out: dict[tuple[str, tuple[tuple[int, Result], ...]], Mapping[PlayerId, Value]] = {}

    def run(self) -> None:
        told = self.certificate
        if set(told) != {"player", "own", "verdict", "cut", "proof"}:
            raise _Wrong("a certificate says player, own, verdict, cut and proof")
        if told["player"] not in self.question.players:
            raise _Wrong("it is of nobody who can make the cut")
        if told["cut"] != self.question.cut:
            raise _Wrong(f"it is of a cut to {told['cut']}, the question of one to {self.question.cut}")
        if told["verdict"] not in ("in", "out"):
            raise _Wrong("in and out are what can be proved")
        if told["verdict"] == "in" and told["player"] in self.question.perhaps_gone:
            raise _Wrong("who seems to have left is not in for certain")
        self.player = PlayerId(told["player"])
        left: _Left = {number: tuple(range(len(table.results))) for number, table in self.tables.items()}
        self.kind = self._own(left)
        self._walk(told["proof"], left)

    def _own(self, left: _Left) -> Kind | None:
        own, number = self.certificate["own"], self.number_of.get(self.player)
        if own is None or number is None:
            if own is not None or number is not None:
                raise _Wrong("it says nothing of the player's own table, or of one they do not sit at")
            return None
        if own["table"] != number:
            raise _Wrong(f"the player sits at table {number}")
        if own["seat"] != self.tables[number].seats.index(self.player) + 1:
            raise _Wrong("the player has another seat there")
        told = self._results(number, own["results"])
        for kind, results in self.tables[number].kinds_of(self.player).items():
            if told == results:
                left[number] = results
                return kind
        raise _Wrong(f"the own results at table {number} are not all of one kind")

    def _results(self, number: int, texts: Iterable[str]) -> tuple[int, ...]:
        return _results(self.tables[number], texts)

    def _walk(self, proof: Mapping[str, Any], left: _Left) -> None:
        if "round" in proof:
            self._of_earlier_round(proof, left)
        elif "cases" in proof:
            number = proof["table"]
            if number not in self.tables:
                raise _Wrong(f"there is no open table {number}")
            cases = [(self._results(number, case["results"]), case["proof"]) for case in proof["cases"]]
            if tuple(sorted(result for results, _ in cases for result in results)) != left[number]:
                raise _Wrong(f"the cases of table {number} are not all its results, each once")
            for results, inner in cases:
                self._walk(inner, {**left, number: results})
        elif proof.get("by") == "ranking":
            self._ranked(left)
        elif proof.get("by") in ("points", "order"):
            self._counted(proof, left)
        else:
            raise _Wrong("a proof is by points, by order, by ranking or by cases")

    def _of_earlier_round(self, proof: Mapping[str, Any], left: _Left) -> None:
        told = proof["round"], proof["table"]
        missing = next(
            (table for table in self.question.earlier if (table.round, table.number) == told), None
        )
        if missing is None:
            raise _Wrong(f"no result of table {told[1]} in round {told[0]} is missing")
        cases = [(_results(missing, case["results"]), case["proof"]) for case in proof["cases"]]
        if sorted(result for results, _ in cases for result in results) != list(range(len(missing.results))):
            raise _Wrong(
                f"the cases of table {told[1]} in round {told[0]} are not all its results, each once"
            )
        for results, inner in cases:
            if len(missing.alike(results)) != 1:
                raise _Wrong(f"a case of table {told[1]} in round {told[0]} is not of one kind of results")
            check = _Check(self.question.assuming(missing, results), self.certificate)
            check.player, check.kind = self.player, self.kind
            check._walk(inner, left)

    def _ranked(self, left: _Left) -> None:
        if self.question.games_vary:
            raise _Wrong("a result stands for others with other games")
        if any(len(results) > 1 for results in left.values()) or not self.question.exact:
            raise _Wrong("more than one completion is left to be ranked")
        rows = [
            row
            for row in rank(
                self._record({n: results[0] for n, results in left.items()}), self.question.profile
            ).rows
            if row.player in self.question.players
        ]
        own = next(row.rank for row in rows if row.player == self.player)
        before = [row for row in rows if row.player != self.player and (row.rank or 0) <= (own or 0)]
        above = [row for row in before if row.rank != own and row.player not in self.question.perhaps_gone]
        self._enough(len(before) if self.certificate["verdict"] == "in" else len(above))

    def _enough(self, count: int) -> None:
        cut = self.question.cut
        if count >= cut if self.certificate["verdict"] == "in" else count < cut:
            raise _Wrong(f"{count} others are counted, and the cut is to {cut}")

    def _counted(self, proof: Mapping[str, Any], left: _Left) -> None:
        sign = 1 if self.certificate["verdict"] == "in" else -1
        if proof["by"] == "order" and not self.question.exact:
            raise _Wrong("the tie-breaks of rounds still to come are not known")
        counts, who = {}, set()
        for number, table in self.tables.items():
            tallies = []
            for results in table.alike(left[number]):
                past = [player for player in table.seats if self._past(proof, left, player, results, sign)]
                tallies.append(len(past))
                who.update(past)
            counts[str(number)] = max(tallies) if sign > 0 else min(tallies)
        others = [
            player
            for player in self.question.players
            if player not in self.number_of and self._past(proof, left, player, None, sign)
        ]
        if proof["tables"] != counts:
            raise _Wrong("the tables give other counts")
        if proof["others"] != len(others) or proof["who"] != sorted(who.union(others)):
            raise _Wrong("others are past the player")
        self._enough(sum(counts.values()) + len(others))

    def _past(
        self,
        proof: Mapping[str, Any],
        left: _Left,
        other: PlayerId,
        results: tuple[int, ...] | None,
        sign: int,
    ) -> bool:
        """Whether `other` may end level or above (1), or surely ends above (-1)."""
        question = self.question
        if other == self.player or other not in question.players:
            return False
        if sign < 0 and other in question.perhaps_gone:
            return False
        early = question.record.left_early
        if (other in early) != (self.player in early):
            return other not in early
        order = question.profile.order
        if proof["by"] == "points":
            order = (POINTS,) if order[0] == POINTS else ()
        for code in order:
            gap = (
                self._points_apart(other, results, sign)
                if code == POINTS
                else self._apart(code, left, other, results, sign)
            )
            if gap is None:
                return sign > 0
            if gap:
                return gap > 0
        return sign > 0

    def _points_apart(self, other: PlayerId, results: tuple[int, ...] | None, sign: int) -> int:
        gains = self.question.gains
        number = self.number_of.get(other)
        theirs = self.points[other] + gains[other][sign > 0]
        if number is not None and results is not None:
            table = self.tables[number]
            theirs += table.kinds[results[0]][table.seats.index(other)][1]
        own = self.points[self.player] + gains[self.player][sign < 0]
        return theirs - own - (self.kind[1] if self.kind else 0)

    def _apart(
        self, code: str, left: _Left, other: PlayerId, results: tuple[int, ...] | None, sign: int
    ) -> Fraction | int | None:
        """Return the extreme of the other's value minus the player's, or None where it may be anything."""
        row = tiebreaks.find(code)
        if not self._moves_as_told(row):
            return None
        choose = max if sign > 0 else min
        if row.moves == "grows":
            here, there = self.number_of.get(self.player), self.number_of.get(other)
            own = results if here is not None and here == there else left.get(here or 0)
            mine = [self._bound(row, self.player, here, result, -sign) for result in own or [None]]
            theirs = [self._bound(row, other, there, result, sign) for result in results or [None]]
            return choose(theirs) - (min(mine) if sign > 0 else max(mine))
        start = self._between(row, other, ())
        apart = start
        for number, table in self.tables.items():
            may = results if results is not None and number == self.number_of.get(other) else left[number]
            like = may if row.looks_at == "games" else [part[0] for part in table.alike(may)]
            apart += choose(
                self._between(row, other, ((number, table.results[result]),)) - start for result in like
            )
        return apart

    def _between(
        self, row: tiebreaks.Tiebreak, other: PlayerId, otherwise: tuple[tuple[int, Result], ...]
    ) -> Fraction | int:
        """Return the difference where every table ends as it first may, but for those that end otherwise."""
        return self._value(row, other, otherwise) - self._value(row, self.player, otherwise)

    def _value(
        self, row: tiebreaks.Tiebreak, player: PlayerId, otherwise: tuple[tuple[int, Result], ...]
    ) -> Fraction | int:
        key = row.code, otherwise
        if key not in self.worked_out:
            record = self._record(dict.fromkeys(self.tables, 0), dict(otherwise))
            self.worked_out[key] = values(record, self.question.profile, row.code)
        value = self.worked_out[key][player]
        return _NO_VALUE if value is None else -value if row.low else value

    def _bound(
        self, row: tiebreaks.Tiebreak, player: PlayerId, number: int | None, own: int | None, sign: int
    ) -> Fraction | int:
        """Return a value that the player's cannot pass: everybody elsewhere wins, or everybody loses."""
        one_way = {}
        for other, table in self.tables.items():
            if other == number and own is not None:
                one_way[other] = table.results[own]
            else:
                best = [self._best(table, seat, sign) for seat in range(len(table.seats))]
                one_way[other] = Result(
                    tuple(
                        replace(table.results[result].seats[seat], place=1)
                        for seat, result in enumerate(best)
                    )
                )
        return self._value(row, player, tuple(one_way.items()))

    def _best(self, table: OpenTable, seat: int, sign: int) -> int:
        order = (Outcome.LOSS, Outcome.DRAW, Outcome.WIN)
        kinds = [(kinds[seat][1], order.index(kinds[seat][0])) for kinds in table.kinds]
        return kinds.index(max(kinds) if sign > 0 else min(kinds))

    def _moves_as_told(self, row: tiebreaks.Tiebreak) -> bool:
        """Whether the row's way of moving is to be relied on here."""
        rules = self.question.profile.outcomes
        if row.moves == "unknown" or row.looks_at == "scores":
            return False
        if row.looks_at == "games" and self.question.games_vary:
            return False
        if row.moves == "own":
            return True
        if any(
            rules[o].match is None or not rules[o].meets for o in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS)
        ):
            return False
        if row.moves == "grows":
            return not row.low and all(len(table.seats) == 2 for table in self.tables.values())
        if row.looks_at != "games":
            return True
        limits = self.question.profile.game_win
        return row.limited and min([limits.floor, *limits.floor_by_size.values()]) > 0

    def _record(self, chosen: Mapping[int, int], otherwise: Mapping[int, Result] | None = None) -> Record:
        results = {number: self.tables[number].results[at] for number, at in chosen.items()}
        if not self.tables:
            return self.question.record
        return self.question.completed({**results, **(otherwise or {})})


def _results(table: OpenTable, texts: Iterable[str]) -> tuple[int, ...]:
    known = {score_text(result): at for at, result in enumerate(table.results)}
    if unknown := [text for text in texts if text not in known]:
        raise _Wrong(f"table {table.number} cannot end {unknown[0]}")
    return tuple(sorted(known[text] for text in texts))
