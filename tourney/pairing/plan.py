"""Plans for a number of players: rounds, unavoidable rematches and byes, by arithmetic.

`ADVICE` has the publishers' advice on the number of rounds, each with its date.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tourney import wording
from tourney.errors import TourneyError
from tourney.pairing import elimination
from tourney.pairing.pairing import Reason

if TYPE_CHECKING:
    from tourney.pairing.manual import Sizes


class AdviceRow(NamedTuple):
    """The advice for events of `fewest` to `most` players.

    most:   the maximum number of players; None for any number
    rounds: the advised number of rounds
    cut:    the size of the top cut; 0 for no cut
    """

    fewest: int
    most: int | None
    rounds: int
    cut: int


class Advice(Struct, frozen=True, kw_only=True):
    """A publisher's advice on the number of Swiss rounds.

    as_of: the month in which the rows were copied from the source
    rows:  (maximum number of players, rounds, size of the top cut or 0), in rising order. The last row can
           have None as its maximum, which means any number of players
    """

    source: str
    as_of: str
    rows: tuple[tuple[int | None, int, int], ...]

    @property
    def dated_source(self) -> str:
        """The source, with the month in which its advice was copied: `…, as of 2026-11`."""
        return f"{self.source}, as of {self.as_of}"

    def row(self, players: int) -> AdviceRow | None:
        """Return the advice for a number of players; None if no row covers so many players."""
        fewest = 1
        for most, rounds, cut in self.rows:
            if most is None or players <= most:
                return AdviceRow(fewest, most, rounds, cut)
            fewest = most + 1
        return None


ADVICE: Mapping[str, Advice] = {
    "magic": Advice(
        source="Magic Tournament Rules, appendix E",
        as_of="2026-11",
        rows=((8, 3, 0), (16, 5, 4), (32, 5, 8), (64, 6, 8),
              (128, 7, 8), (226, 8, 8), (409, 9, 8), (None, 10, 8)),
    ),
    "pokemon": Advice(
        source="Play! Pokémon tournament rules, single day",
        as_of="2026-11",
        rows=((8, 3, 0), (12, 4, 0), (32, 5, 0), (64, 6, 0),
              (128, 7, 0), (226, 8, 0), (409, 9, 0), (None, 10, 0)),
    ),
    "flesh-and-blood": Advice(
        source="Flesh and Blood Tournament Rules and Policy, appendix A.2",
        as_of="2026-11",
        rows=((8, 3, 0), (16, 5, 4), (32, 5, 8), (64, 6, 8),
              (128, 7, 8), (224, 8, 8), (384, 9, 8), (736, 10, 8)),
    ),
}  # fmt: skip
"""The advice by name. The name `own` is not in the table: it advises ⌈log₂ n⌉ rounds."""


def usual_cut(players: int, seats: int = 2, advance: int = 1) -> int:
    """Return the usual number of players in the play-off after Swiss rounds; 0 for no play-off.

    At tables of `seats` (three and more), from which the first `advance` players advance, only some numbers
    of players are possible. Then the possible number nearest to the usual one is returned; of two equally
    near numbers, the smaller.

    >>> [usual_cut(players) for players in (8, 9, 16, 17, 200)]
    [0, 4, 4, 8, 8]
    >>> [usual_cut(players, 3) for players in (8, 9, 16, 17, 200)]
    [0, 3, 3, 9, 9]
    >>> [usual_cut(players, 4, 2) for players in (9, 24)]
    [4, 8]
    """
    row = ADVICE["magic"].row(players)
    cut = row.cut if row else 0
    if seats == 2 or not cut:
        return cut
    return min(
        elimination.cut_sizes(seats, advance, players - 1), key=lambda size: abs(size - cut), default=0
    )


_MOST_EXPECTED = 10_000_000
"""The maximum number of players in a planned event. A larger number is a typing error."""

_MOST_AWARDED = 20
"""The maximum number of awarded byes for one player.

A player with k awarded byes counts as 2^k players.
"""


class Plan(Struct, frozen=True, kw_only=True):
    """The rounds, rematches and byes that a number of players allows in a Swiss event.

    players:          the expected number of players
    counted:          the number of players for the advice: a player with k awarded byes counts as 2^k players
    advised:          the advised number of rounds
    top_cut:          the number of players in the play-off; 0 for no play-off
    source:           the source of the advice
    most_players:     the largest number of players for which the same rounds are advised; null: no limit
    rounds:           the planned number of rounds; the advised number if the caller gave none
    rematch_free:     the last round up to which no rematch can be necessary
    rematch_certain:  the first round in which a rematch is certain
    byes:             the number of byes in all rounds, if no player drops; 0 for an even number of players
    byes_each:        the maximum number of byes for one player, if they are spread evenly
    second_bye_round: the first round in which a player must take a second bye; null: never
    reasons:          the plan in words, with numbers
    """

    players: int
    counted: int
    advised: int
    top_cut: int
    source: str
    rounds: int
    rematch_free: int
    rematch_certain: int
    byes: int
    byes_each: int
    second_bye_round: int | None
    reasons: tuple[Reason, ...]
    most_players: int | None


def plan(
    players: int,
    *,
    rounds: int | None = None,
    awarded_byes: Sequence[int] = (),
    advice: str = "own",
    rematches: bool = False,
) -> Plan:
    """Return the Swiss rounds, rematches and byes that a number of players allows.

    rounds:       the planned number of rounds; if None, the advised number
    awarded_byes: for each player who has awarded byes, their number; a player with k awarded byes counts as
                  2^k players
    advice:       whose advice on the number of rounds is followed: `own` or a name in `ADVICE`
    rematches:    whether to accept a plan in which a rematch is certain

    Raises TourneyError for fewer than two players, for unknown advice, if more players have awarded byes than
    there are players, and if there are more rounds than opponents.

    >>> plan(24).advised, plan(24).rematch_free, plan(24).rematch_certain, plan(7).second_bye_round
    (5, 12, 24, 8)
    """
    _refuse_nonsense(players, rounds, awarded_byes, advice)
    counted_players = players + sum(2**byes - 1 for byes in awarded_byes)
    advised_rounds, cut, source, most = _advised_rounds(counted_players, advice)
    planned_rounds = advised_rounds if rounds is None else rounds
    certain_round = players + players % 2  # a player has players - 1 opponents, and in an odd field one bye
    if planned_rounds >= certain_round and not rematches:
        possible = wording.counted(certain_round - 1, "round")
        missing = wording.counted(planned_rounds + 1 - planned_rounds % 2 - players, "more player")
        raise TourneyError(
            f"{planned_rounds} rounds are too many for {players} players: "
            f"a rematch is certain from round {certain_round}",
            f"play {possible}, or find {missing}",
        )
    is_odd = players % 2 == 1
    numbers = Plan(
        players=players,
        counted=counted_players,
        advised=advised_rounds,
        top_cut=cut,
        source=source,
        rounds=planned_rounds,
        rematch_free=max(players // 2, 1),
        rematch_certain=certain_round,
        byes=planned_rounds if is_odd else 0,
        byes_each=-(-planned_rounds // players) if is_odd else 0,
        second_bye_round=players + 1 if is_odd else None,
        reasons=(),
        most_players=most,
    )
    return replace(numbers, reasons=tuple(_reasons(numbers)))


def _refuse_nonsense(players: int, rounds: int | None, awarded_byes: Sequence[int], advice: str) -> None:
    if players < 2:
        raise TourneyError(
            f"{players} player{'s' if players != 1 else ''} cannot be paired: a round needs two"
        )
    if players > _MOST_EXPECTED:
        raise TourneyError(f"{players:,} players are too many to plan for: at most {_MOST_EXPECTED:,}")
    if rounds is not None and rounds < 1:
        raise TourneyError(f"a plan needs at least 1 round, not {rounds}")
    if len(awarded_byes) > players or any(not 0 <= byes <= _MOST_AWARDED for byes in awarded_byes):
        raise TourneyError(
            f"awarded byes: give one number from 0 to {_MOST_AWARDED} for each player who has any, "
            f"for at most {players} players"
        )
    if advice != "own" and advice not in ADVICE:
        raise TourneyError(f"unknown advice `{advice}`", f"choose one of own, {', '.join(ADVICE)}")


def _advised_rounds(players: int, advice: str) -> tuple[int, int, str, int | None]:
    if advice == "own":
        rounds = (players - 1).bit_length()
        return rounds, 0, "⌈log₂ n⌉", 2**rounds
    table = ADVICE[advice]
    row = table.row(players)
    if row is None:
        raise TourneyError(
            f"{table.dated_source} has no row for more than {table.rows[-1][0]} players", "use `own`"
        )
    # Rows with the same number of rounds differ only in the cut.
    limits = [most for most, rounds, _ in table.rows if rounds == row.rounds]
    return row.rounds, row.cut, table.dated_source, None if None in limits else max(filter(None, limits))


def _reasons(plan: Plan) -> Iterator[Reason]:
    cut = f" and a play-off of {plan.top_cut}" if plan.top_cut else ""
    text = f"{plan.counted} players: {wording.counted(plan.advised, 'round')}{cut} advised ({plan.source})"
    draws = "; with many draws play one more" if plan.source.startswith("⌈") else ""
    yield _reason("rounds", text + draws, players=plan.counted, rounds=plan.advised, top_cut=plan.top_cut)
    last_free, first_certain = plan.rematch_free, plan.rematch_certain
    text = (
        f"no rematch can be needed up to round {last_free}; from round {first_certain} on there must be one"
    )
    yield _reason("rematches", text, rematch_free=last_free, rematch_certain=first_certain)
    if plan.byes:
        most = "one bye" if plan.byes_each == 1 else f"{plan.byes_each} byes"
        text = f"an odd number: {plan.byes} byes in {plan.rounds} rounds, at most {most} for each player"
        yield _reason("byes", text, byes=plan.byes, byes_each=plan.byes_each)
    else:
        yield _reason("byes", "an even number: no byes unless a player drops or comes late")


def _reason(kind: str, text: str, **numbers: int) -> Reason:
    return Reason(what=kind, text=text, numbers=numbers)


# -- tables of three and more


class TablePlan(Struct, frozen=True, kw_only=True):
    """The tables and cuts that are possible at tables of three and more.

    players: the expected number of players
    tables:  the sizes of the tables in a round of all players, the largest first
    byes:    the number of players without a table in that round
    cuts:    the possible sizes of a cut, smaller than the number of players
    usual:   the possible size that is nearest to the usual size of a cut; 0 for no cut
    reasons: the plan in words, with numbers
    """

    players: int
    tables: tuple[int, ...]
    byes: int
    cuts: tuple[int, ...]
    usual: int
    reasons: tuple[Reason, ...]


def plan_tables(players: int, sizes: Sizes, seats: int, advance: int) -> TablePlan:
    """Return the tables and cuts that a number of players allows at tables of `sizes`.

    seats:   the number of players at a table of a cut
    advance: the number of players who advance from such a table

    Raises TourneyError if there are too few players for one table.
    """
    from tourney.pairing.pods.field import split, words_of_sizes

    division, cuts = split(players, sizes), elimination.cut_sizes(seats, advance, players - 1)
    usual = usual_cut(players, seats, advance)
    byes = wording.counted(division.byes, "bye") if division.byes else "no bye"
    text = f"{players} players: {words_of_sizes(division.tables)} in a round, and {byes}"
    reasons = [_reason("tables", text, players=players, tables=len(division.tables), byes=division.byes)]
    advancing = "the winner advances" if advance == 1 else f"the first {advance} advance"
    cut_text = f"a cut at tables of {seats}, from each {advancing}"
    if seats == 2:
        text = f"a cut to matches of two: {usual} players are usual" if usual else "too few players for a cut"
    elif not cuts:
        text = f"too few players for {cut_text}"
    else:
        near_note = f"; {usual} is nearest to the usual size" if usual and len(cuts) > 1 else ""
        small_note = "" if usual else "; with so few players a cut is unusual"
        text = f"{cut_text}: {wording.listed(cuts, 'or')} players{near_note}{small_note}"
    reasons.append(_reason("cut", text, usual=usual))
    return TablePlan(
        players=players,
        tables=division.tables,
        byes=division.byes,
        cuts=cuts if seats > 2 else (),
        usual=usual,
        reasons=tuple(reasons),
    )


# -- systems whose rounds are known from the start


class PlannedRound(Struct, frozen=True, kw_only=True):
    """A future round.

    title:  the name of the round
    tables: the number of tables if no player leaves
    """

    title: str
    tables: int


class SchedulePlan(Struct, frozen=True, kw_only=True):
    """The rounds of a round robin or bracket.

    players: the number of players
    rounds:  the rounds in order
    reasons: the plan in words, with numbers
    """

    players: int
    rounds: tuple[PlannedRound, ...]
    reasons: tuple[Reason, ...]


def plan_round_robin(players: int, *, double: bool) -> SchedulePlan:
    """Return the rounds of a round robin in which all players meet once, or twice if `double`.

    Raises TourneyError for fewer than two players.
    """
    _refuse_nonsense(players, None, (), "own")
    number = (players - 1 + players % 2) * (2 if double else 1)
    rounds_text = f"{wording.counted(number, 'round')} of {wording.counted(players // 2, 'table')}"
    text = f"{players} players: {rounds_text}, in which all players meet {'twice' if double else 'once'}"
    reasons = [_reason("rounds", text, players=players, rounds=number)]
    if players % 2:
        text = f"an odd number: each player rests {'in 2 rounds' if double else 'once'}"
        reasons.append(_reason("rests", text, rests=2 if double else 1))
    rounds = tuple(
        PlannedRound(title=f"Round {round_}", tables=players // 2) for round_ in range(1, number + 1)
    )
    return SchedulePlan(players=players, rounds=rounds, reasons=tuple(reasons))


def plan_bracket(players: int, rounds: Sequence[PlannedRound], *, waiting: int, double: bool) -> SchedulePlan:
    """Return the rounds of a bracket, with reasons in words.

    rounds:  the rounds in order, without a second final
    waiting: the number of players who have no match in the first round
    """
    second_final = ", and one more if the final has to be played again" if double else ""
    text = f"{players} players: {wording.counted(len(rounds), 'round')}{second_final}"
    reasons = [_reason("rounds", text, players=players, rounds=len(rounds))]
    for number, round_ in enumerate(rounds, 1):
        suffix = f"; {wording.counted(waiting, 'player')} without a match" if waiting and number == 1 else ""
        title = f"{round_.title[:1].lower()}{round_.title[1:]}"
        text = f"round {number}: {title}, {wording.counted(round_.tables, 'table')}{suffix}"
        reasons.append(_reason("round", text, round=number, tables=round_.tables))
    return SchedulePlan(players=players, rounds=tuple(rounds), reasons=tuple(reasons))
