"""Results: typed as on the slip, once; changed only by saying so."""

from __future__ import annotations

from collections.abc import Iterable

from tourney.desk.receipt import Receipt
from tourney.desk.session import Session
from tourney.event.decide import results as decide
from tourney.event.decide.results import Typed


class ResultDesk(Session):
    """What came of the tables. The grammar of a score is in `tourney.event.score`."""

    def report(
        self,
        table: int | str,
        score: str,
        *,
        scores: str | None = None,
        time: bool = False,
        round_number: int | None = None,
    ) -> Receipt:
        """Enter the result of a table, or of several: `4`, `4..7`, `2,4,9`.

        score:  `2-1`, `2-1-1`, `w`, `l`, `d`, `½-½`, `=`, `id`, `ff1`, `ff2`, `dl`; more seats: places `1,3,2`
        scores: victory points in seat order, `32,18`
        time:   the match ended by time, so that an unfinished score is allowed
        round_number: None: the current one

        The same result again is a success (`already`); a different one is refused (`change_result`).
        """
        typed = Typed(tables=table, score=score, scores=scores, time=time)
        return self._change(lambda state: decide.report(state, [typed], round_number))

    def report_block(
        self, lines: Iterable[str], *, source: str = "-", time: bool = False, round_number: int | None = None
    ) -> Receipt:
        """Enter lines `4 2-1` or `4 2-1 32,18` in one entry, all or none.

        Blank lines and `#` comments are skipped. Raises TourneyError naming every line at fault.
        """
        typed = decide.typed_lines(lines, source=source, time=time)
        return self._change(lambda state: decide.report(state, typed, round_number))

    def change_result(
        self,
        table: int,
        score: str,
        *,
        scores: str | None = None,
        time: bool = False,
        round_number: int | None = None,
        reason: str | None = None,
    ) -> Receipt:
        """Put a table's result right; score `-` takes it away, so that the table plays on.

        A warning says which later rounds were paired from the old one.
        """
        typed, seal = Typed(tables=table, score=score, scores=scores, time=time), self._seal()
        return self._change(
            lambda state: decide.change(state, typed, number=round_number, reason=reason, seal=seal), seal
        )
