"""The cut: its players in order of seed, the state of the bracket, and the final ranking."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, structs
from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.event.entry import Texts
from tourney.event.field import leavers_until, shared_places
from tourney.event.kind import (
    Decision,
    EntryKind,
    EventChange,
    EventReading,
    refuse_left,
    refuse_open_tables,
    round_of,
)
from tourney.event.ops import CutMade
from tourney.event.phrases import still_playing
from tourney.event.settings import MOST_SEATS
from tourney.event.state import Entered, State, StateDraft
from tourney.event.titles import cut_title, in_a_sentence, stage_title
from tourney.pairing import elimination
from tourney.record import Outcome, PlayerId, Result, Seat, Table
from tourney.wording import Message, counted, listed, listed_short, verb

if TYPE_CHECKING:
    from tourney.pairing.elimination import Bracket, BracketMatch, BracketOptions
    from tourney.pairing.plan import SchedulePlan
    from tourney.standings import Row, Standings


def cut(
    change: EventChange,
    standings: Standings,
    size: int,
    *,
    lot: bool = False,
    seats: int | None = None,
    advance: int | None = None,
    **options: Any,
) -> Decision:
    """Make the bracket of the first `size` players of the standings who are still in the event.

    lot: whether the organizer lets the lot separate tied players; recorded in the entry
    seats, advance: the number of players at a table, and how many of them advance; None for the event's
        settings
    options: `kind`, `reseed`, `third_place` and `vacancy`, as in `CutMade`
    """
    state = change.open_event()
    if state.settings.pairing.system == "elimination":
        raise TourneyError("an elimination event has no standings to cut", "`tourney round next`")
    if state.cut is not None:
        raise TourneyError(
            "the cut was already made",
            "`tourney event undo ENTRY` undoes it (`tourney event log` shows the entries)",
        )
    round_of(state, None)
    refuse_open_tables(state)
    from tourney.standings import cut_at
    from tourney.standings.profile import LOT

    seats, advance = _tables_of_cut(state, seats, advance)
    _refuse_size(state, standings, size, seats, advance)
    cut_line, name = cut_at(standings, size, leavers_until(state, len(state.rounds))), state.name_of
    op = CutMade(
        players=cut_line.through,
        after=len(state.rounds),
        seats=seats,
        advance=advance,
        lot=lot,
        **options,
    )
    command = f"`{_command(state, size, op)} --lot`"
    if cut_line.level:
        raise TourneyError(
            f"{listed(map(name, cut_line.level))} are tied at the cut line,"
            f" so the cut of {size} is not decided",
            _no_lot_reason(state)
            if LOT in standings.profile.order
            else f"{command} draws lots from the event's seed",
        )
    bracket_of(state, op)  # refuses options that do not go together, before anything is written
    if cut_line.by_lot and not lot:
        raise TourneyError(cut_line.lot_text(name, is_made=False), f"{command} lets the lot decide")
    warnings = [cut_line.lot_text(name, is_made=True)]
    planned_size = state.settings.cut.planned_cut
    if planned_size not in {0, size}:
        warnings += [f"this is a cut of {size}, but the event's settings plan a cut of {planned_size}"]
    if tied_players := _level_without_lot(standings, cut_line.through):
        warnings += [
            f"{listed(map(name, tied_players))} are tied, and their seeds are not drawn by lot:"
            f" {_no_lot_reason(state)}"
        ]
    return Decision(op=op, warnings=tuple(filter(None, warnings)))


def _refuse_size(state: State, standings: Standings, size: int, seats: int, advance: int) -> None:
    """Raise TourneyError if a cut of this size is not possible."""
    remaining = sum(state.players[row.player].playing for row in standings.rows)
    possible = None
    if seats > 2:
        has_two = 2 in state.settings.match.seats
        of_two = "; `--seats 2` makes a bracket of any size at tables of 2" if has_two else ""
        possible = f"{elimination.possible_cuts(seats, advance, remaining)}{of_two}"
    if not 2 <= size <= remaining:
        message = f"a cut of {size} is not possible with {counted(remaining, 'player')} still playing"
        raise TourneyError(message, possible)
    if seats > 2:
        try:
            elimination.refuse_size(size, seats, advance)
        except TourneyError as refusal:
            raise TourneyError(refusal.message, possible) from None


def _command(state: State, size: int, op: CutMade) -> str:
    """Return the command that makes a cut with the options of `op`."""
    options = (
        (f" --kind {op.kind}", op.kind != "single"),
        (" --reseed", op.reseed),
        (" --third-place", op.third_place),
        (f" --vacancy {op.vacancy}", op.vacancy != "opponent"),
        (
            f" --seats {op.seats} --advance {op.advance}",
            (op.seats, op.advance) != _tables_of_cut(state, None, None),
        ),
    )
    return f"tourney event cut {size}{''.join(text for text, is_needed in options if is_needed)}"


def _level_without_lot(standings: Standings, players: Sequence[PlayerId]) -> list[PlayerId]:
    """Return the highest group of players in a cut who stay tied because no lot was drawn.

    The list is empty if no players of the cut are tied, or if the lot was drawn.

    players: the players of the cut
    """
    from tourney.standings.ranking import lacks_lot

    if not lacks_lot(standings):
        return []
    by_rank: dict[int | None, list[PlayerId]] = {}
    for row in standings.rows:
        if row.player in players:
            by_rank.setdefault(row.rank, []).append(row.player)
    return next((level for level in by_rank.values() if len(level) > 1), [])


def _tables_of_cut(state: State, seats: int | None, advance: int | None) -> tuple[int, int]:
    """Return the number of players at a table of the cut, and how many of them advance.

    Raises TourneyError for impossible tables.
    """
    settings = state.settings
    is_default = seats in {None, settings.bracket_seats}
    at_table = settings.bracket_seats if seats is None else seats
    if at_table not in settings.match.seats:
        raise TourneyError(
            f"a table of this event has {listed(sorted(settings.match.seats), 'or')} seats, not {at_table}",
            f"`tourney event cut N --seats {settings.bracket_seats}`",
        )
    advance_count = advance or (settings.bracket_advance if is_default else 1)
    if advance_count >= at_table:
        raise TourneyError(
            f"1 to {at_table - 1} of {at_table} players at a table can advance, not {advance_count}",
            f"choose `--advance` from 1 to {at_table - 1}",
        )
    return at_table, advance_count


def _no_lot_reason(state: State) -> str:
    """Return the reason why the lot that the standings profile requires cannot be drawn."""
    if state.waits_for_beacon:
        return f"their lot waits for {state.settings.pairing.beacon}: `tourney event beacon VALUE`"
    return "this copy does not have the secret from which lots are drawn; make the cut in the original file"


def seed_by_hand(change: EventChange, *names: str | PlayerId) -> Decision:
    """Seed an elimination event with all active players, the first seed first.

    Raises TourneyError once round 1 is paired.
    """
    state, players = change.open_event(), [change.player(name) for name in names]
    settings, name = state.settings, state.name_of
    if settings.pairing.system != "elimination":
        raise TourneyError(
            f"only an elimination event is seeded by hand, and this one is {settings.pairing.system}",
            "`tourney event cut N` seeds by the standings",
        )
    if state.rounds:
        raise TourneyError(
            "the bracket has begun, so the seeds cannot change", "`tourney round cancel` first"
        )
    if settings.cut.seeding != "hand":
        raise TourneyError(
            f"this event is seeded by {settings.cut.seeding}",
            "run `tourney event change --set seeding=hand` first",
        )
    duplicates = sorted({player for place, player in enumerate(players) if player in players[:place]})
    if duplicates:
        raise TourneyError(f"{listed(map(name, duplicates))} would be seeded twice")
    refuse_left(state, players)
    missing = [player.name for player in state.playing if player.id not in players]
    if missing:
        raise TourneyError(
            f"{listed_short(missing)} {verb(missing, 'is', 'are')} missing: every player needs a seed",
            "name all players, the first seed first",
        )
    op = whole_bracket(state, players)
    if state.cut == op:
        return Decision(already="The players are already seeded in this order")
    bracket_of(state, op)
    return Decision(op=op)


def whole_bracket(state: State, players: Sequence[PlayerId]) -> CutMade:
    """Return the op (entry content) that makes the bracket of an elimination event.

    players: the players in the order of their seeds

    If the tables have more than two seats, raises TourneyError for a number of players that does not fill
    them, and for options that only tables of two can have.
    """
    settings = state.settings
    if settings.bracket_seats > 2:
        elimination.refuse_size(len(players), settings.bracket_seats, settings.bracket_advance)
    op = CutMade(
        players=tuple(players),
        after=0,
        kind=kind_of(state),
        third_place=settings.cut.third_place,
        seats=settings.bracket_seats,
        advance=settings.bracket_advance if settings.bracket_seats > 2 else 1,
    )
    if settings.bracket_seats > 2:
        bracket_of(state, op)  # refuses options that are for tables of two
    return op


def planned_bracket(state: State) -> SchedulePlan:
    """Return the rounds that the bracket has if no player leaves.

    If the bracket is not made yet, it is planned with all active players. Raises TourneyError for a number of
    players that no bracket of the event can have.
    """
    from tourney.pairing.plan import PlannedRound, plan_bracket

    cut = state.cut or whole_bracket(state, [player.id for player in state.playing])
    options, earlier, rounds = bracket_options(cut), list[dict[str, Table]](), list[PlannedRound]()
    first = now = elimination.bracket(cut.players, options)
    while not now.is_finished:
        rounds.append(PlannedRound(title=cut_title(now.labels), tables=len(now.tables)))
        assumed_tables = (structs.replace(table, result=assumed_result(table.seats)) for table in now.tables)
        earlier.append(dict(zip(now.labels, assumed_tables, strict=True)))
        now = elimination.bracket(cut.players, options, earlier=earlier)
    return plan_bracket(len(cut.players), rounds, waiting=len(first.byes), double=options.double)


def kind_of(state: State) -> Literal["single", "double"]:
    """Return the kind of an elimination event's bracket."""
    return "double" if state.settings.pairing.double else "single"


def _apply_cut(draft: StateDraft, op: CutMade, _at: Entered, _texts: Texts) -> None:
    draft.cut = op


def _describe_cut(op: CutMade, context: EventReading) -> str:
    kind = "Cut" if op.after else "Bracket"
    if op.kind == "double":
        kind = f"Double-elimination {kind.lower()}"
    tables = ""
    if op.seats > 2:
        advancing = "the winner advances" if op.advance == 1 else f"the first {op.advance} advance"
        tables = f" at tables of {op.seats}, from which {advancing}"
    lot_note = ", ties broken by lot" if op.lot else ""
    seeds = [f"{seed}. {context.name(player)}" for seed, player in enumerate(op.players, 1)]
    seed_list = f"{', '.join(seeds[:16])}{' …' if len(seeds) > 16 else ''}"
    return f"{kind} of {len(op.players)}{tables}{lot_note}: {seed_list}"


def _faults_of_cut(op: CutMade) -> Iterator[str]:
    if op.seats == 2:
        if len(op.players) < 2:
            yield "a bracket needs two players"
        return
    if not 3 <= op.seats <= MOST_SEATS or not 1 <= op.advance < op.seats:
        yield f"{op.advance} of {op.seats} players at a table cannot advance"
    elif len(op.players) not in elimination.cut_sizes(op.seats, op.advance, len(op.players)):
        yield f"{len(op.players)} players do not fill tables of {op.seats}"


def _misfits_of_cut(op: CutMade, draft: StateDraft) -> Iterator[str]:
    if not 0 <= op.after <= len(draft.rounds):
        yield f"there is no round {op.after}"


# -- the state of the bracket


def bracket_of(state: State, cut: CutMade, before: int | None = None) -> Bracket:
    """Return the bracket as it is after the rounds since the cut.

    before: the number of the last round of the event that counts; None if all rounds count
    """
    rounds = state.rounds[cut.after : before]
    earlier = [
        {table.label or f"table {table.number}": table.record for table in round_.tables.values()}
        for round_ in rounds
    ]
    last_rounds = {player.id: player.last_round for player in state.players.values()}
    return elimination.bracket(
        cut.players,
        bracket_options(cut),
        earlier=earlier,
        departures={
            player: max(last - cut.after, 0) for player, last in last_rounds.items() if last is not None
        },
        first_table=state.settings.pairing.first_table,
        name=state.name_of,
    )


def winner_of(state: State, now: Bracket) -> PlayerId | None:
    """Return the winner of the bracket.

    None if the bracket is not finished, or if its winner was disqualified and so has no place.
    """
    champion = now.champion
    return None if champion is None or state.players[champion].disqualified is not None else champion


def bracket_options(cut: CutMade) -> BracketOptions:
    """Return the options for building a cut's bracket, such as double elimination."""
    return elimination.BracketOptions(
        double=cut.kind == "double",
        reseed=cut.reseed,
        third_place=cut.third_place,
        vacancy=elimination.Vacancy(cut.vacancy),
        seats=cut.seats,
        advance=cut.advance,
    )


# -- the final ranking


class FinalPlace(Struct, frozen=True, kw_only=True):
    """A player's place in the final ranking.

    first, last: the first and the last of the places that the player shares with others, equal if the place
                 is not shared; None if the player has no place
    bracket:     how far the player came in the bracket: `won the final`, `lost in the semifinals`, `still
                 in`; empty for players who were not in the bracket
    seed:        the player's seed in the bracket; None for players who were not in the bracket
    row:         the player's row in the standings of the Swiss rounds, or of all rounds of an elimination
                 event; None if the player is not ranked there
    record:      matches won and lost in the bracket
    """

    player: PlayerId
    first: int | None = None
    last: int | None = None
    bracket: str = ""
    seed: int | None = None
    row: Row | None = None
    record: tuple[int, int] = (0, 0)

    @property
    def words(self) -> str:
        """The place as text: `1`, `5–8`, or a dash if there is none."""
        return "–" if self.first is None else shared_places(self.first, self.last)


class FinalRanking(Struct, frozen=True, kw_only=True):
    """The place of every player, best first; players without a place are last.

    why_not:  the reason why the places are not final; empty if they are final (a corrected
        result can still change final places)
    counts:   a phrase for the rounds that count: `after the semifinals`
    by_lot:   groups of players whose order only the lot decided
    """

    places: tuple[FinalPlace, ...]
    why_not: str
    counts: str
    by_lot: tuple[tuple[PlayerId, ...], ...] = ()


def bracket_begun(state: State) -> bool:
    """Return whether a round of the bracket is paired.

    From then on, the event has a final ranking that is based on the bracket.
    """
    return state.cut is not None and len(state.rounds) > state.cut.after


def final_ranking(state: State, standings: Standings) -> FinalRanking:
    """Rank all players, those in the bracket before the others.

    standings: the current standings

    Players in the bracket are ranked by how far they came. The other players follow by Swiss rank, as in
    Netrunner's results (infinitearenas.com/netlister-about, Sorting Lists). No rule book of a card game that
    we could read ranks two players who lost in the same round. Programs such as the package `rankings-core`
    rank them by seed, which in a cut is the Swiss rank. In an elimination event the seed was drawn or given,
    not earned, so such players share their places (`5–8`). A disqualified player has no place, and the
    players behind move up; a player who dropped keeps the place. Results of a round that is being played
    count. Players who are still in the bracket share the first places, even if the event is closed with an
    open match.

    Raises TourneyError if the recorded rounds contradict the bracket, so that it cannot continue.
    """
    cut, rows = state.cut, {row.player: row for row in standings.rows}
    seeds = {player: seed for seed, player in enumerate(cut.players, 1)} if cut else {}
    records = _records(state, cut) if cut else {}
    now: Bracket | None = None
    groups: list[list[PlayerId]] = []
    ways: dict[PlayerId, str] = {}
    if cut is not None:
        assumed_state, open_players = assume_results(state)
        now = bracket_of(assumed_state, cut)
        first_places = {place.player: place.first for place in now.places if place.player not in open_players}
        groups = _bracket_groups(cut, first_places)
        ways = _ways_out(
            now, first_places, groups, still_in=Message("not played to the end") if state.closed else STILL_IN
        )
    by_standings = cut is None or cut.after > 0
    if by_standings:
        groups += _group_by_rank(row for row in standings.rows if row.player not in ways)

    def place(player: PlayerId, first: int | None = None, last: int | None = None) -> FinalPlace:
        way = ways.get(player, "" if by_standings else Message("not in the bracket"))
        return FinalPlace(
            player=player,
            first=first,
            last=last,
            bracket="" if first is None and way == STILL_IN else way,
            seed=seeds.get(player),
            row=rows.get(player),
            record=records.get(player, (0, 0)),
        )

    place_ranges, unplaced_players = _assign_places(state, groups)
    places = [place(*numbers) for numbers in place_ranges]
    by_lot: tuple[tuple[PlayerId, ...], ...] = ()
    if by_standings:
        by_lot = _groups_by_lot(
            standings, places, {place.player: place.first for place in now.places} if now else {}
        )
    else:
        unplaced_players += [player for player in state.players if player not in ways]
    return FinalRanking(
        places=(*places, *map(place, unplaced_players)),
        why_not=_reason_not_final(state, now),
        counts=_describe_counted_rounds(state),
        by_lot=by_lot,
    )


def _assign_places(
    state: State, groups: Iterable[Iterable[PlayerId]]
) -> tuple[list[tuple[PlayerId, int, int]], list[PlayerId]]:
    """Return (player, first place, last place) of the ranked players, and the unranked players.

    Players of a group share the places from the first to the last. Disqualified players have no place.

    groups: players who share places, the best group first
    """
    place_ranges: list[tuple[PlayerId, int, int]] = []
    unplaced_players: list[PlayerId] = []
    for group in groups:
        ranked_players = [player for player in group if state.players[player].disqualified is None]
        unplaced_players += [player for player in group if player not in ranked_players]
        first, last = len(place_ranges) + 1, len(place_ranges) + len(ranked_players)
        place_ranges += [(player, first, last) for player in ranked_players]
    return place_ranges, unplaced_players


def _groups_by_lot(
    standings: Standings, places: Sequence[FinalPlace], bracket: Mapping[PlayerId, int]
) -> tuple[tuple[PlayerId, ...], ...]:
    """Return the groups of players whose order in the final ranking only the lot decided.

    bracket: player with a place in the bracket → this place; if it is shared, the first one, such as 5 for
             the places 5–8
    """
    from tourney.standings.ranking import groups_split_by_lot

    number = {player: n for n, group in enumerate(groups_split_by_lot(standings)) for player in group}
    groups: dict[tuple[int, int], list[PlayerId]] = {}
    for place in places:
        if place.first is not None and place.player in number and place.bracket != STILL_IN:
            groups.setdefault((number[place.player], bracket.get(place.player, 0)), []).append(place.player)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _reason_not_final(state: State, now: Bracket | None) -> str:
    """Return the reason why the places are not final; empty if they are."""
    from tourney.event.systems import planned_rounds

    if state.open_round is not None:
        return Message.joined(": ", [state.open_round.title, still_playing(state.open_round)])
    if state.closed:
        return ""
    if now is not None:
        return "" if now.is_finished else Message("the bracket is not finished")
    if not state.rounds:
        return Message("nothing has been played yet")
    round_count = planned_rounds(state)
    if round_count is None:
        return Message("the number of rounds is open, and the event is not closed")
    if len(state.rounds) >= round_count:
        return ""
    return Message("{played} of {planned} rounds are played", played=len(state.rounds), planned=round_count)


def _describe_counted_rounds(state: State) -> Message:
    """Describe which rounds a ranking counts: `after the semifinals`, `before round 1`.

    The words are those of `tourney.standings.ranking`.
    """
    if not state.rounds:
        return Message("before round 1")
    last = state.open_round or state.rounds[-1]
    if not last.playing:
        return Message("after {round}", round=in_a_sentence(last.title))
    return Message.plural(
        "{round} so far: {entered} of {n} table entered",
        "{round} so far: {entered} of {n} tables entered",
        len(last.tables),
        round=in_a_sentence(last.title),
        entered=len(last.tables) - len(last.playing),
    )


def _bracket_groups(cut: CutMade, first_places: Mapping[PlayerId, int]) -> list[list[PlayerId]]:
    """Return the players in the bracket, best first, grouped by shared places.

    first_places: player who is out of the bracket → the best place of the players who lost in the same round
    """
    groups: dict[int, list[PlayerId]] = {}
    for player in dict.fromkeys((*cut.players, *first_places)):
        groups.setdefault(first_places.get(player, 0), []).append(player)
    split_groups: list[list[PlayerId]] = []
    for first, group in sorted(groups.items()):
        split_groups += [[player] for player in group] if cut.after and first else [group]
    return split_groups


def _ways_out(
    now: Bracket,
    finished_players: Collection[PlayerId],
    groups: Iterable[Iterable[PlayerId]],
    *,
    still_in: Message,
) -> dict[PlayerId, str]:
    """Return, for each player of `groups`, how the player won the bracket or left it.

    finished_players: the players who are out of the bracket, and its winner
    still_in: the text for all other players of `groups`
    """
    matches: dict[PlayerId | None, list[BracketMatch]] = {}
    for match in (match for stage in now.stages for match in stage.matches):
        for player in match.seats if match.is_done and match.round is not None else ():
            matches.setdefault(player, []).append(match)
    return {
        player: _way_out(player, matches.get(player, []), is_champion=player == now.champion)
        if player in finished_players
        else still_in
        for group in groups
        for player in group
    }


def _way_out(player: PlayerId, matches: Sequence[BracketMatch], *, is_champion: bool) -> Message:
    """Return how a player left the bracket or won it. matches: the player's decided matches."""
    if is_champion:
        if not matches or matches[-1].label not in _FINALS:
            return Message("won without a final")
        is_reset = matches[-1].label == "Final reset"
        return Message("won the final after a reset") if is_reset else Message("won the final")
    return _describe_last_match(player, matches[-1]) if matches else Message("left before a match")


def _describe_last_match(player: PlayerId, match: BracketMatch) -> Message:
    """Return how a player left the bracket in their last match."""
    if match.label == "Third place":
        is_winner = match.winner == player
        return (
            Message("won the match for third place")
            if is_winner
            else Message("lost the match for third place")
        )
    title = in_a_sentence(stage_title(match.label))
    if player in match.ahead:
        return Message("left after {round}", round=title)
    if player in match.away:
        return Message("did not play in {round}", round=title)
    place = match.places[match.seats.index(player)] if match.places else None
    if place is not None and place > 1:
        return Message("place {place} in {round}", place=place, round=title)
    return _LOST.get(match.label) or Message("lost in {round}", round=title)


STILL_IN = Message("still in")
"""The value of `FinalPlace.bracket` for a player who can still win."""


_FINALS = frozenset({"Final", "Final reset"})
_LOST = {"Final": Message("lost the final"), "Final reset": Message("lost the final after a reset")}


def _records(state: State, cut: CutMade) -> dict[PlayerId, tuple[int, int]]:
    """Return how many matches each player won and lost in the bracket."""
    records: dict[PlayerId, tuple[int, int]] = {}
    for round_ in state.rounds[cut.after :]:
        for seat in (seat for table in round_.tables.values() if table.result for seat in table.result.seats):
            won, lost = records.get(seat.player, (0, 0))
            records[seat.player] = (won + seat.outcome.won, lost + (not seat.outcome.won))
    return records


def _group_by_rank(rows: Iterable[Row]) -> list[list[PlayerId]]:
    """Group players by rank in the standings. A player without a rank is a group of one."""
    groups: list[list[PlayerId]] = []
    last: int | None = None
    for row in rows:
        if row.rank is not None and row.rank == last:
            groups[-1].append(row.player)
        else:
            groups.append([row.player])
        last = row.rank
    return groups


def assume_results(state: State) -> tuple[State, frozenset[PlayerId]]:
    """Return the event with a result at every table, and the players at open tables.

    If the first round with an open table is the newest round and belongs to the bracket, each open table
    counts as won by its first seat, so that the results of the other tables can count. Otherwise, that round
    and all later rounds are left out, and no players are returned.
    """
    waiting = state.open_round
    if waiting is None:
        return state, frozenset()
    if waiting is not state.round or waiting.stage != "cut":
        return replace(state, rounds=state.rounds[: waiting.number - 1]), frozenset()
    tables = waiting.tables | {
        table.number: structs.replace(table, result=assumed_result(table.seats))
        for table in waiting.open_tables
    }
    open_players = frozenset(player for table in waiting.open_tables for player in table.seats)
    return replace(state, rounds=(*state.rounds[:-1], replace(waiting, tables=tables))), open_players


def assumed_result(seats: Sequence[PlayerId]) -> Result:
    """Return an assumed result of a table: the first seat wins, the others follow in order."""
    outcomes = [Outcome.WIN, *[Outcome.LOSS] * (len(seats) - 1)]
    ranked_seats = enumerate(zip(seats, outcomes, strict=True), 1)
    return Result(tuple(Seat(player, outcome, place) for place, (player, outcome) in ranked_seats))


KINDS = (
    EntryKind(
        CutMade,
        _apply_cut,
        _describe_cut,
        "cut, field",
        needs="round {after}, player {players}",
        faults=_faults_of_cut,
        misfits=_misfits_of_cut,
    ),
)
"""The kind of entry that makes a bracket."""
