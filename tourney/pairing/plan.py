"""What the number of players allows, before registration closes: rounds, rematches, byes. Pure arithmetic.

The advice of publishers is dated data (`ADVICE`); the numbers are theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tourney import wording
from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.pairing.manual import Sizes
    from tourney.pairing.pairing import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """How many Swiss rounds somebody advises.

    as_of: when the rows were read from the source
    rows:  (most players, rounds, size of the top cut or 0) by rising numbers; None: any more
    """

    source: str
    as_of: str
    rows: tuple[tuple[int | None, int, int], ...]

    def row(self, players: int) -> tuple[int, int] | None:
        """Return (rounds, top cut) for a number of players, or None beyond the last row."""
        return next(
            ((rounds, cut) for most, rounds, cut in self.rows if most is None or players <= most), None
        )


ADVICE: Mapping[str, Advice] = {
    "magic": Advice(
        source="Magic Tournament Rules, appendix E",
        as_of="2026-11",
        rows=(
            (8, 3, 0),
            (16, 5, 4),
            (32, 5, 8),
            (64, 6, 8),
            (128, 7, 8),
            (226, 8, 8),
            (409, 9, 8),
            (None, 10, 8),
        ),
    ),
    "pokemon": Advice(
        source="Play! Pokémon tournament rules, single day",
        as_of="2026-11",
        rows=(
            (8, 3, 0),
            (12, 4, 0),
            (32, 5, 0),
            (64, 6, 0),
            (128, 7, 0),
            (226, 8, 0),
            (409, 9, 0),
            (None, 10, 0),
        ),
    ),
    "flesh-and-blood": Advice(
        source="Flesh and Blood Tournament Rules and Policy, appendix A.2",
        as_of="2026-11",
        rows=(
            (8, 3, 0),
            (16, 5, 4),
            (32, 5, 8),
            (64, 6, 8),
            (128, 7, 8),
            (224, 8, 8),
            (384, 9, 8),
            (736, 10, 8),
        ),
    ),
}
"""Whose advice is known, by name; `own` is ⌈log₂ n⌉."""


def usual_cut(players: int, seats: int = 2, advance: int = 1) -> int:
    """Return the size of the play-off that is usual after the Swiss rounds of so many players, 0 for none.

    At tables of three and more, of which the first `advance` go on, the possible size that is nearest to it (of two, the
    smaller one).

    >>> [usual_cut(players) for players in (8, 9, 16, 17, 200)]
    [0, 4, 4, 8, 8]
    >>> [usual_cut(players, 3) for players in (8, 9, 16, 17, 200)], [usual_cut(players, 4, 2) for players in (9, 24)]
    ([0, 3, 3, 9, 9], [4, 8])
    """
    _, cut = ADVICE["magic"].row(players) or (0, 0)
    if seats == 2 or not cut:
        return cut
    from tourney.pairing.elimination import cut_sizes

    return min(cut_sizes(seats, advance, players - 1), key=lambda size: abs(size - cut), default=0)


_MOST_EXPECTED = 10_000_000
"""Players of an event that is planned: whoever types more has mistyped."""

_MOST_AWARDED = 20
"""Byes of one player that are planned with: each doubles the players that the advice counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What the numbers allow.

    players:  how many are expected; counted: the same with awarded byes counted as the players they stand for
    advised:  rounds advised; top_cut: players in the play-off after them, 0 for none; source: whose advice it is
    most_players: with how many, counted so, no more rounds are advised; None: with any number
    rounds:   rounds planned (the advised number where nothing was asked)
    rematch_free:     no round up to this one can need a rematch, whatever happens
    rematch_certain:  from this round on somebody must meet somebody again
    byes:             odd byes in all, while nobody drops
    byes_each:        the most byes one player must take
    second_bye_round: the first round in which somebody must take a second bye; None where nobody ever must
    reasons:  the same in words, with numbers
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
    awarded: Sequence[int] = (),
    advice: str = "own",
    rematches: bool = False,
) -> Plan:
    """Return what a number of players allows.

    awarded: awarded byes, one number for each player who has any; one with k counts as 2^k players for the advice
    advice:  `own` or a name in `ADVICE`
    rematches: whether a plan with certain rematches is wanted all the same

    Raises TourneyError for fewer than two players, unknown advice, more awarded byes than players, and for more rounds than
    there are opponents.

    >>> plan(24).advised, plan(24).rematch_free, plan(24).rematch_certain, plan(7).second_bye_round
    (5, 12, 24, 8)
    """
    _refuse_nonsense(players, rounds, awarded, advice)
    counted = players + sum(2**byes - 1 for byes in awarded)
    advised, cut, source, most = _advised(counted, advice)
    planned = advised if rounds is None else rounds
    certain = players + players % 2  # a player has players - 1 opponents, and one bye where the number is odd
    if planned >= certain and not rematches:
        possible, needed = certain - 1, planned + 1 - planned % 2 - players
        raise TourneyError(
            f"{planned} rounds are too many for {players} players: a rematch is certain from round {certain}",
            f"play {wording.counted(possible, 'round')}, or find {wording.counted(needed, 'more player')}",
        )
    odd = players % 2 == 1
    numbers = Plan(
        players=players,
        counted=counted,
        advised=advised,
        top_cut=cut,
        source=source,
        rounds=planned,
        rematch_free=max(players // 2, 1),
        rematch_certain=certain,
        byes=planned if odd else 0,
        byes_each=-(-planned // players) if odd else 0,
        second_bye_round=players + 1 if odd else None,
        reasons=(),
        most_players=most,
    )
    return replace(numbers, reasons=tuple(_reasons(numbers)))


def _refuse_nonsense(players: int, rounds: int | None, awarded: Sequence[int], advice: str) -> None:
    if players < 2:
        raise TourneyError(
            f"{players} player{'s' if players != 1 else ''} cannot be paired: a round needs two"
        )
    if players > _MOST_EXPECTED:
        raise TourneyError(f"{players:,} players are too many to plan for: at most {_MOST_EXPECTED:,}")
    if rounds is not None and rounds < 1:
        raise TourneyError(f"a plan needs at least 1 round, not {rounds}")
    if len(awarded) > players or any(not 0 <= byes <= _MOST_AWARDED for byes in awarded):
        raise TourneyError(
            f"awarded byes are one number for each player who has any, at most {players} of them, each from 0 to {_MOST_AWARDED}"
        )
    if advice != "own" and advice not in ADVICE:
        raise TourneyError(f"unknown advice `{advice}`", f"known: own, {', '.join(ADVICE)}")


def _advised(counted: int, advice: str) -> tuple[int, int, str, int | None]:
    if advice == "own":
        rounds = (counted - 1).bit_length()
        return rounds, 0, "⌈log₂ n⌉", 2**rounds
    source = f"{ADVICE[advice].source}, as of {ADVICE[advice].as_of}"
    row = ADVICE[advice].row(counted)
    if row is None:
        raise TourneyError(f"{source} goes no further than {ADVICE[advice].rows[-1][0]} players", "use `own`")
    rounds, cut = row
    # Rows of the same number of rounds differ in the cut alone.
    most = [most for most, same, _ in ADVICE[advice].rows if same == rounds]
    return rounds, cut, source, None if None in most else max(filter(None, most))


def _reasons(plan: Plan) -> Iterator[Reason]:
    from tourney.pairing.pairing import Reason

    cut = f" and a play-off of {plan.top_cut}" if plan.top_cut else ""
    text = f"{plan.counted} players: {wording.counted(plan.advised, 'round')}{cut} advised ({plan.source})"
    draws = "; with many draws play one more" if plan.source.startswith("⌈") else ""
    numbers = {"players": plan.counted, "rounds": plan.advised, "top_cut": plan.top_cut}
    yield Reason(what="rounds", text=text + draws, numbers=numbers)
    text = (
        f"no rematch can be needed up to round {plan.rematch_free}; "
        f"from round {plan.rematch_certain} on there must be one"
    )
    numbers = {"rematch_free": plan.rematch_free, "rematch_certain": plan.rematch_certain}
    yield Reason(what="rematches", text=text, numbers=numbers)
    if plan.byes:
        each = "one bye" if plan.byes_each == 1 else f"{plan.byes_each} byes"
        text = f"an odd number: {plan.byes} byes in {plan.rounds} rounds, at most {each} for each player"
        yield Reason(what="byes", text=text, numbers={"byes": plan.byes, "byes_each": plan.byes_each})
    else:
        yield Reason(what="byes", text="an even number: nobody has a bye unless somebody drops or comes late")


# -- Tables of three and more


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """What the numbers allow where three or more sit at a table.

    tables:  sizes of the tables of a round of all players, the largest first; byes: who is left over in it
    cuts:    the possible sizes of a cut, fewer than all; usual: the one nearest to what is usual, 0 for no cut
    reasons: the same in words, with numbers
    """

    players: int
    tables: tuple[int, ...]
    byes: int
    cuts: tuple[int, ...]
    usual: int
    reasons: tuple[Reason, ...]


def plan_tables(players: int, sizes: Sizes, seats: int, advance: int) -> TablePlan:
    """Return what a number of players allows at tables of `sizes`.

    seats, advance: players at a table of a cut, and how many go on from each

    Raises TourneyError where there is not even one table.
    """
    from tourney.pairing.elimination import cut_sizes
    from tourney.pairing.pairing import Reason
    from tourney.pairing.pods import split

    divided, cuts = split(players, sizes), cut_sizes(seats, advance, players - 1)
    usual = usual_cut(players, seats, advance)
    kinds = [
        f"{wording.counted(divided.tables.count(size), 'table')} of {size}"
        for size in sorted(set(divided.tables), reverse=True)
    ]
    byes = wording.counted(divided.byes, "bye") if divided.byes else "no bye"
    numbers = {"players": players, "tables": len(divided.tables), "byes": divided.byes}
    said = [
        Reason(
            what="tables",
            text=f"{players} players: {wording.listed(kinds)} in a round, and {byes}",
            numbers=numbers,
        )
    ]
    going = "the winner goes" if advance == 1 else f"the first {advance} go"
    where = f"a cut at tables of {seats}, from each {going} on"
    if seats == 2:
        text = f"a cut to matches of two: {usual} players are usual" if usual else "too few players for a cut"
    elif not cuts:
        text = f"too few players for {where}"
    else:
        near = f"; {usual} is nearest to what is usual" if usual and len(cuts) > 1 else ""
        small = "" if usual else "; so few players mostly have none"
        text = f"{where}: {wording.listed(cuts, 'or')} players{near}{small}"
    said.append(Reason(what="cut", text=text, numbers={"usual": usual}))
    return TablePlan(
        players=players,
        tables=divided.tables,
        byes=divided.byes,
        cuts=cuts if seats > 2 else (),
        usual=usual,
        reasons=tuple(said),
    )


# -- Systems whose rounds are known from the start


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRound:
    """A round to come: its title, and how many tables it has while nobody leaves."""

    title: str
    tables: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulePlan:
    """The rounds of a round robin or of a bracket, which follow from the number of players; reasons: the same in words."""

    players: int
    rounds: tuple[PlannedRound, ...]
    reasons: tuple[Reason, ...]


def plan_round_robin(players: int, *, double: bool) -> SchedulePlan:
    """Return the rounds in which everybody meets everybody once, or twice. Raises TourneyError for fewer than two players."""
    from tourney.pairing.pairing import Reason

    _refuse_nonsense(players, None, (), "own")
    number = (players - 1 + players % 2) * (2 if double else 1)
    tables = wording.counted(players // 2, "table")
    text = f"{players} players: {wording.counted(number, 'round')} of {tables}, in which everybody meets everybody {'twice' if double else 'once'}"
    numbers = {"players": players, "rounds": number}
    reasons = [Reason(what="rounds", text=text, numbers=numbers)]
    if players % 2:
        rests = 2 if double else 1
        text = f"an odd number: everybody rests {'in 2 rounds' if double else 'once'}"
        reasons.append(Reason(what="rests", text=text, numbers={"rests": rests}))
    rounds = tuple(PlannedRound(title=f"Round {each}", tables=players // 2) for each in range(1, number + 1))
    return SchedulePlan(players=players, rounds=rounds, reasons=tuple(reasons))


def plan_bracket(players: int, rounds: Sequence[PlannedRound], *, waiting: int, double: bool) -> SchedulePlan:
    """Return the rounds of a bracket in words. rounds: without a second final; waiting: who has no match in the first."""
    from tourney.pairing.pairing import Reason

    text = f"{players} players: {wording.counted(len(rounds), 'round')}" + (
        ", and one more if the final has to be played again" if double else ""
    )
    reasons = [Reason(what="rounds", text=text, numbers={"players": players, "rounds": len(rounds)})]
    for number, each in enumerate(rounds, 1):
        rest = f"; {wording.counted(waiting, 'player')} without a match" if waiting and number == 1 else ""
        text = f"round {number}: {each.title[:1].lower()}{each.title[1:]}, {wording.counted(each.tables, 'table')}{rest}"
        reasons.append(Reason(what="round", text=text, numbers={"round": number, "tables": each.tables}))
    return SchedulePlan(players=players, rounds=tuple(rounds), reasons=tuple(reasons))
