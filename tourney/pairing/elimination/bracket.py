"""Play a bracket forward from its seeds through the recorded rounds, and say what comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tourney.errors import TourneyError
from tourney.pairing.elimination.places import places
from tourney.pairing.elimination.plan import plan
from tourney.pairing.elimination.results import settle_round
from tourney.pairing.elimination.types import Bracket, BracketOptions
from tourney.pairing.elimination.views import stages
from tourney.pairing.elimination.walk import Pairs, Walk
from tourney.pairing.entrant import NameOf, number_of
from tourney.record import PlayerId, Table


def bracket(
    players: Sequence[PlayerId],
    options: BracketOptions | None = None,
    *,
    earlier: Sequence[Mapping[str, Table]] = (),
    left: Mapping[PlayerId, int] | None = None,
    first_table: int = 1,
    name: NameOf = number_of,
) -> Bracket:
    """Return where the bracket of `players` (in seed order) stands after the rounds `earlier`, and its next round.

    earlier: for each cut round played, label of the match → its table with the result
    left:    who dropped after the cut was made → the number of cut rounds played before; others are ignored
    name:    how refusals call a player

    Raises TourneyError for fewer than two players, one seeded twice, options that contradict each other, an earlier
    table without a result or drawn, a label the bracket does not have in that round, and rounds after its end.
    """
    chosen = options or BracketOptions()
    _refuse(players, chosen, name)
    walk = Walk(players, plan(len(players), chosen), chosen.vacancy, left or {}, name)
    for number, tables in enumerate(earlier, 1):
        ready = walk.advance()
        if not ready:
            raise TourneyError(
                f"cut round {number} has results, but the bracket was decided after cut round {number - 1}"
            )
        settle_round(walk, ready, tables)
    return _standing(walk, walk.advance(), first_table)


def _refuse(players: Sequence[PlayerId], options: BracketOptions, name: NameOf) -> None:
    if len(players) < 2:
        raise TourneyError(f"a bracket needs two players at least, not {len(players)}")
    for place, player in enumerate(players):
        if player in players[:place]:
            raise TourneyError(f"{name(player)} is seeded twice")
    if options.double and options.reseed:
        raise TourneyError(
            "a double bracket has no reseeding", "leave out reseeding, or play a single bracket"
        )
    if options.double and options.third_place:
        raise TourneyError(
            "a double bracket has no match for the third place: the loser of the lower final is third",
            "leave out the third-place match",
        )


def _standing(walk: Walk, ready: Mapping[str, Pairs], first_table: int) -> Bracket:
    matches = [
        (label, sorted(pair, key=walk.seed))
        for stage in walk.plan
        if stage.name in ready
        for label, pair in zip(stage.labels, ready[stage.name], strict=True)
        if None not in pair
    ]
    tables = tuple(
        Table(first_table + place, tuple(player for player in pair if player is not None))
        for place, (_, pair) in enumerate(matches)
    )
    seated = {player for table in tables for player in table.seats}
    finished = not tables
    return Bracket(
        round=walk.round,
        tables=tables,
        labels=tuple(label for label, _ in matches),
        byes=() if finished else tuple(p for p in walk.players if walk.is_in(p) and p not in seated),
        stages=stages(walk, ready),
        champion=walk.champion,
        finished=finished,
        places=places(walk),
    )
