"""The cut: who plays the bracket, in which order of seeds, and where the bracket stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, cast

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.field import left_by
from tourney.event.kind import (
    FIELD,
    Decision,
    EntryKind,
    Footprint,
    LogContext,
    marks,
    named_twice,
    open_event,
    player_marks,
    refuse_open_tables,
    round_of,
    strangers,
)
from tourney.event.phrases import names_of
from tourney.event.state import Cut, Entered, State, StateDraft
from tourney.event.texts import Texts
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.pairing.elimination import Bracket, BracketOptions
    from tourney.standings import Standings


def cut(
    state: State,
    standings: Standings,
    size: int,
    *,
    kind: str,
    reseed: bool,
    third_place: bool,
    vacancy: str,
    lot: bool = False,
) -> Decision:
    """Make the bracket of the first `size` of the standings who are still in. lot: as `standings` were made, to be recorded."""
    open_event(state)
    if state.cut is not None:
        raise TourneyError("the cut was made already", "`tourney event undo` takes it back")
    round_of(state, None)
    refuse_open_tables(state)
    from tourney.standings import cut_at
    from tourney.standings.profile import LOT

    remaining = sum(state.players[row.player].playing for row in standings.rows)
    if not 2 <= size <= remaining:
        raise TourneyError(f"a cut of {size} is not possible: {counted(remaining, 'player')} still playing")
    made = cut_at(standings, size, left_by(state, len(state.rounds)))
    if made.level:
        drawn = LOT in standings.profile.order
        raise TourneyError(
            f"{listed(map(names_of(state), made.level))} are level across the line of a cut of {size}",
            _no_lot(state)
            if drawn
            else f"`tourney event cut {size} --lot` draws from the event's seed who goes on",
        )
    op = ops.CutMade(
        players=made.through,
        after=len(state.rounds),
        kind=cast("Literal['single', 'double']", kind),
        reseed=reseed,
        third_place=third_place,
        vacancy=cast("Literal['opponent', 'highest-seed']", vacancy),
        lot=lot,
    )
    bracket = Cut.by(op)
    bracket_of(state, bracket)  # refuses options that do not go together, before anything is written
    return Decision(op=op)


def _no_lot(state: State) -> str:
    """Say why a lot that the profile asks for was not drawn."""
    if state.waits_for_beacon:
        return f"their lot waits for {state.settings.beacon}: `tourney event beacon VALUE`"
    return "this copy came without the secret that their lot is drawn from: make the cut in the original file"


def _apply_cut(draft: StateDraft, op: ops.CutMade, _at: Entered, _texts: Texts) -> None:
    draft.cut = Cut.by(op)


def _say_cut(op: ops.CutMade, context: LogContext) -> str:
    kind = "Double-elimination cut" if op.kind == "double" else "Cut"
    drawn = ", equals parted by lot" if op.lot else ""
    seeds = [f"{seed}. {context.name(player)}" for seed, player in enumerate(op.players, 1)]
    return f"{kind} of {len(op.players)}{drawn}: {', '.join(seeds[:16])}{' …' if len(seeds) > 16 else ''}"


def _marks_of_cut(op: ops.CutMade) -> Footprint:
    return Footprint(
        marks(("cut",), FIELD), marks(FIELD, ("cut",), ("round", op.after)) | player_marks(op.players)
    )


def _odd_bracket(op: ops.CutMade) -> Iterator[str]:
    if len(op.players) < 2:
        yield "a bracket needs two players"
    yield from named_twice(op.players)


def _odd_cut(op: ops.CutMade, draft: StateDraft) -> Iterator[str]:
    yield from strangers(op.players, draft)
    if not 0 <= op.after <= len(draft.rounds):
        yield f"there is no round {op.after}"


# -- where the bracket stands


def bracket_of(state: State, cut: Cut, before: int | None = None) -> Bracket:
    """Return where the bracket of the cut stands; before: how many of the event's rounds to look at (None: all)."""
    from tourney.pairing.elimination import bracket

    rounds = state.rounds[cut.after : before]
    earlier = [
        {each.labels.get(number, f"table {number}"): table for number, table in each.tables.items()}
        for each in rounds
    ]
    left = {each.id: _left_after(each.dropped, each.disqualified) for each in state.players.values()}
    return bracket(
        cut.players,
        bracket_options(cut),
        earlier=earlier,
        left={player: max(last - cut.after, 0) for player, last in left.items() if last is not None},
        first_table=state.settings.first_table,
        name=names_of(state),
    )


def _left_after(dropped: int | None, disqualified: int | None) -> int | None:
    return min((last for last in (dropped, disqualified) if last is not None), default=None)


def bracket_options(cut: Cut) -> BracketOptions:
    """Return how the bracket of a cut is played."""
    from tourney.pairing.elimination import BracketOptions, Vacancy

    return BracketOptions(
        double=cut.kind == "double",
        reseed=cut.reseed,
        third_place=cut.third_place,
        vacancy=Vacancy(cut.vacancy),
    )


KINDS = (
    EntryKind(
        ops.CutMade, _apply_cut, _say_cut, footprint=_marks_of_cut, alone=_odd_bracket, misfits=_odd_cut
    ),
)
"""What can happen here, in the order of `tourney.event.ops`."""
