"""Build the views of `tourney.event.view` and a summary of the event in TOML from a state.

These functions do no input or output. `tourney.desk.views` adds the facts that need an open event: the
results that a pairing used, the decklists, and the version of the program.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict, replace

from tourney.document import filled
from tourney.errors import TourneyError
from tourney.event.brackets import FinalPlace, assume_results, bracket_of, final_ranking, winner_of
from tourney.event.field import InDivision, cut_of, division_places, divisions_of, leavers_until, record
from tourney.event.ops import CutMade
from tourney.event.phrases import (
    banlist_text,
    by_text,
    own_result,
    result_text,
    seats_text,
    short_result,
    sides_text,
)
from tourney.event.state import Player, Round, RoundTable, State, changed_tables
from tourney.event.systems import planned_rounds
from tourney.event.titles import match_title, stage_title
from tourney.event.view import (
    BracketMatchView,
    BracketSeatView,
    BracketStageView,
    BracketView,
    ByeView,
    DeckKind,
    FieldView,
    FinalView,
    MatchRecord,
    MatchStatus,
    MatchView,
    PlaceView,
    PlayerView,
    RoundView,
    RowView,
    SeatView,
    SeedView,
    StandingsView,
    TableView,
    TiebreakView,
    VerificationView,
)
from tourney.pairing import elimination
from tourney.record import BY_PLAY, Outcome, PlayerId, Result
from tourney.wording import Message

if TYPE_CHECKING:
    from tourney.pairing.elimination import BracketMatch
    from tourney.rules.format import Format
    from tourney.standings import Profile, Standings

# -- points


PointsAfter = Callable[[int, PlayerId], str]
"""A function that returns a player's points after a round, as the profile prints them.

Round 0 is the time before round 1. The text is empty in a bracket.
"""


def without_points(_round: int, _player: PlayerId) -> str:
    """Return an empty text, for views that show no points."""
    return ""


def points_after(state: State, profile: Profile) -> PointsAfter:
    """Return a function that returns a player's points after a round, as `profile` prints them.

    state: the event whose results are counted
    """
    from tourney.standings.scorecards import Scorecards

    scorecards = Scorecards(record(state), profile)
    points = scorecards.points_before()

    def text(number: int, player: PlayerId) -> str:
        if number > scorecards.rounds:
            return ""
        return profile.points_text(points[player][number] if player in points else 0)

    return text


# -- rounds


def round_view(state: State, round_: Round, points: PointsAfter) -> RoundView:
    """Return the view of a round, from the state of the event alone.

    Fields that need more facts, such as `stale` and `repair`, keep their defaults.
    """
    name = state.name_of
    byes = [(player, outcome.words.result) for player, outcome in round_.byes.items()]
    byes += [(player, Message("waits")) for player in _waiting(state, round_)]
    return RoundView(
        number=round_.number,
        title=round_.title,
        tables=tuple(_table_view(state, round_, table, points) for table in round_.tables.values()),
        byes=tuple(
            ByeView(player=player, name=name(player), kind=kind, note=_note(state, player))
            for player, kind in byes
        ),
        proof=round_.proof.text,
        cut=round_.stage == "cut",
        held=round_.held,
        ends=_end(round_),
    )


def _waiting(state: State, round_: Round) -> tuple[PlayerId, ...]:
    """Return the players of the bracket who wait in this round for their next match.

    Empty if the recorded rounds contradict the bracket.
    """
    if round_.stage != "cut" or state.cut is None:
        return ()
    try:
        now = bracket_of(state, state.cut, round_.number - 1)
    except TourneyError:
        return ()
    inside = round_.seated | round_.byes.keys()
    return tuple(player for player in now.waiting if player not in inside)


def _end(round_: Round) -> str:
    if not round_.started or not round_.minutes:
        return ""
    return (datetime.fromisoformat(round_.started) + timedelta(minutes=round_.minutes)).isoformat()


def _note(state: State, player: PlayerId) -> str:
    return "" if state.players[player].disqualified is None else "disqualified"


def _table_view(state: State, round_: Round, table: RoundTable, points: PointsAfter) -> TableView:
    name, result = state.name_of, table.result
    seats = [
        SeatView(
            player=player,
            name=name(player),
            points="" if round_.stage == "cut" else points(round_.number - 1, player),
            note=_note(state, player),
            side=state.settings.match.side(place),
            **_seat_result(result, player),
        )
        for place, player in enumerate(table.seats)
    ]
    return TableView(
        number=table.number,
        seats=tuple(seats),
        result=short_result(result, name) if result else "",
        label=match_title(table.label),
        extra=table.extra_minutes,
        ended=by_text(result.ended) if result else "",
    )


def _seat_result(result: Result | None, player: PlayerId) -> dict[str, Any]:
    """Return the fields of a `SeatView` that depend on the result."""
    if result is None:
        return {}
    seat = result.seat_of(player)
    if result.ended == "id" or any(seat.outcome not in BY_PLAY for seat in result.seats):
        score = ""
    elif len(result.seats) > 2:
        score = f"{seat.place}."
    elif not any(seat.games for seat in result.seats):
        score = "½" if seat.outcome is Outcome.DRAW else ""
    else:
        score = str(seat.games)
    return {"score": score, "won": seat.outcome.won, "scored": "" if seat.score is None else str(seat.score)}


# -- standings and places


def standings_view(state: State, standings: Standings, no_lot: str = "") -> StandingsView:
    """Return the view of the standings. Disqualified players are last, without a rank.

    no_lot: the reason why no lot separates tied players; empty if one does or is not needed
    """
    from tourney.standings import exact, ranking, tiebreaks

    profile, cut, leavers = standings.profile, cut_of(state), leavers_until(state, standings.rounds)
    used_columns = ranking.columns(standings) if standings.rounds else ()
    rules = [(code, tiebreaks.find(code)) for code in profile.tiebreaks]
    divisions = division_places(divisions_of(state), ((row.player, row.rank) for row in standings.rows))
    rows = (
        RowView(
            rank=row.rank,
            player=row.player,
            name=state.players[row.player].name,
            points=profile.points_text(row.points),
            record=ranking.record_text(row),
            values=tuple(ranking.value_text(key, profile) for key in row.keys),
            exact=tuple(exact.exact_text(key.value) for key in row.keys),
            note=ranking.note_text(row, has_left=row.player in leavers),
            cut=row.player in cut,
            **asdict(divisions.get(row.player, InDivision())),
        )
        for row in standings.rows
    )
    return StandingsView(
        profile=state.profile,
        source=profile.source,
        after=standings.rounds,
        columns=tuple(
            TiebreakView(code=rule.code, name=rule.name, meaning=rule.source, used=code in used_columns)
            for code, rule in rules
        ),
        rows=tuple(rows),
        cut=len(cut),
        heading=ranking.heading_text(standings) if standings.rounds else "",
        provisional=bool(standings.open_tables),
        left_out=tuple((player, state.players[player].name) for player in standings.left_out),
        no_lot=no_lot if ranking.lacks_lot(standings) else "",
    )


def final_view(state: State, standings: Standings) -> FinalView:
    """Return every player's place: by the bracket if there is one, then by the standings."""
    ranking = final_ranking(state, standings)
    swiss = state.cut is None or bool(state.cut.after)
    divisions = division_places(
        divisions_of(state), ((place.player, place.first) for place in ranking.places)
    )
    return FinalView(
        rows=tuple(
            _place(state, standings, place, divisions.get(place.player, InDivision()), swiss=swiss)
            for place in ranking.places
        ),
        counts=ranking.counts,
        why_not=ranking.why_not,
        playing=state.open_round is not None,
        has_bracket=state.cut is not None,
        swiss=swiss,
        larger=state.cut is not None and state.cut.seats > 2,
    )


def _place(
    state: State, standings: Standings, place: FinalPlace, division: InDivision, *, swiss: bool
) -> PlaceView:
    from tourney.standings.ranking import record_text

    player, row = state.players[place.player], place.row if swiss else None
    return filled(
        PlaceView,
        place,
        place=place.words,
        name=player.name,
        swiss=row.rank if row else None,
        points=standings.profile.points_text(row.points) if row else "",
        record=record_text(row) if row else "–".join(map(str, place.record)) if place.seed else "",
        note=_note(state, player.id) or ("" if player.dropped is None else "drop"),
        **asdict(division),
    )


def champion(state: State, standings: Standings) -> tuple[str, str]:
    """Return the winner's name, and the reason why the bracket cannot continue.

    The winner is that of the bracket, or in a closed event without a bracket the only player at rank 1. The
    name is empty if there is no winner yet. The reason is empty if the bracket can continue.
    """
    if state.cut is None:
        first = [row for row in standings.rows if row.rank == 1]
        return (state.players[first[0].player].name if state.closed and len(first) == 1 else "", "")
    last = state.open_round.number - 1 if state.open_round else None
    try:
        winner = winner_of(state, bracket_of(state, state.cut, last))
    except TourneyError as fault:
        return "", fault.message
    return (state.players[winner].name if winner else "", "")


# -- players


def player_views(
    state: State,
    points: PointsAfter,
    standings: StandingsView,
    final: FinalView | None,
    explanations: Mapping[PlayerId, tuple[str, ...]],
) -> tuple[PlayerView, ...]:
    """Return every player's page.

    explanations: for each player, the lines that explain the player's place
    """
    rows = {row.player: row for row in standings.rows}
    places = {row.player: row for row in final.rows} if final else {}
    matches: dict[PlayerId, list[MatchView]] = {player: [] for player in state.players}
    for round_ in state.rounds:
        tables = {player: table for table in round_.tables.values() for player in table.seats}
        for player, player_matches in matches.items():
            if match := match_view(state, round_, player, points, tables.get(player)):
                player_matches.append(match)
    return tuple(
        PlayerView(
            player=player,
            name=state.players[player].name,
            matches=tuple(player_matches),
            row=rows.get(player),
            why=explanations.get(player, ()),
            place=places.get(player),
        )
        for player, player_matches in matches.items()
    )


def match_view(
    state: State, round_: Round, player: PlayerId, points: PointsAfter, table: RoundTable | None
) -> MatchView | None:
    """Return a round from a player's view; None if the player has no table and no bye in it.

    table: the player's table, or None
    """
    if table is None and player not in round_.byes:
        return None
    name, seats = state.name_of, table.seats if table else ()
    if table is None:
        result = round_.byes[player].words.result
    elif round_.held:
        result = Message("held back")
    else:
        result = own_result(table.result, player) if table.result else Message("playing")
    return MatchView(
        round=round_.number,
        title=stage_title(table.label) if table and table.label else round_.title,
        table=table.number if table else 0,
        opponents=tuple((other, name(other)) for other in seats if other != player),
        result=result,
        points="" if round_.stage == "cut" else points(round_.number, player),
        side=state.settings.match.side(seats.index(player)) if seats else "",
    )


# -- the bracket


def bracket_view(state: State, rounds: Sequence[RoundView]) -> BracketView | None:
    """Return the view of the bracket with the players known so far; None before it is made.

    rounds: all rounds of `state`

    A seat has a player as soon as the match that fills it is decided, even if other matches of that round are
    being played. If the recorded rounds contradict the bracket, the view has only the matches that were
    played.
    """
    cut = state.cut
    if cut is None:
        return None
    tables = {table.label: (view.number, table) for view in rounds if view.cut for table in view.tables}
    playing = {label for label, (_, table) in tables.items() if not table.result}
    try:
        stages = [(stage_title(matches[0].label), matches) for matches in _stages_so_far(state, cut, playing)]
    except TourneyError:
        stages = [(view.title, [*map(_as_played, view.tables)]) for view in rounds if view.cut]

    def match_of(match: BracketMatch) -> BracketMatchView:
        return _bracket_match(state, cut, match, *tables.get(match.label, (0, None)))

    return BracketView(
        size=len(cut.players),
        double=cut.kind == "double",
        stages=tuple(
            BracketStageView(name=title, matches=tuple(map(match_of, matches))) for title, matches in stages
        ),
    )


def _as_played(table: TableView) -> BracketMatch:
    """Return a table of the bracket as a match, without the matches that its players come from."""
    seats = tuple(seat.player for seat in table.seats)
    return elimination.BracketMatch(label=table.label, seats=seats, sources=(None,) * len(seats))


def _stages_so_far(state: State, cut: CutMade, playing: Collection[str]) -> list[list[BracketMatch]]:
    """Return the matches of each stage of the bracket, as far as their players are known.

    A seat is empty if its player depends on a match without a result.

    playing: the labels of the paired matches that have no result yet
    """
    assumed_state, open_players = assume_results(state)
    stages = list(bracket_of(assumed_state, cut).stages)
    undecided = set(playing) if open_players else set()
    if open_players:  # open tables count as won by their first seats, so a final reset may be missing
        names = {stage.name for stage in stages}
        before = bracket_of(state, cut, len(state.rounds) - 1).stages
        stages += [stage for stage in before if stage.name not in names]
    by_label: dict[str, BracketMatch] = {}
    for stage in stages:
        reseeds = cut.reseed and bool(undecided)
        matches = [
            _match_so_far(state, match, undecided, by_label, reseeds=reseeds) for match in stage.matches
        ]
        undecided |= {match.label for match in matches if not match.is_done}
        by_label |= {match.label: match for match in matches}
    return [[by_label[match.label] for match in stage.matches] for stage in stages]


def _match_so_far(
    state: State,
    match: BracketMatch,
    undecided: Collection[str],
    by_label: Mapping[str, BracketMatch],
    *,
    reseeds: bool,
) -> BracketMatch:
    """Return a bracket match, with a seat left empty if an undecided match decides who gets it.

    undecided: labels of the undecided matches
    reseeds: whether undecided matches decide all seats of later matches, because opponents are chosen anew by
        seed after each round
    """
    if match.label in undecided:
        return replace(match, winner=None, is_done=False)
    seats: list[PlayerId | None] = []
    for player, source in zip(match.seats, match.sources, strict=True):
        source_match = source if isinstance(source, elimination.FromMatch) else None
        if (reseeds and not match.is_done) or (source_match and source_match.label in undecided):
            seats.append(None)
        elif player is None and source_match and source_match.label in by_label:
            source_player = by_label[source_match.label].player_in_role(source_match.role)
            seats.append(
                source_player if source_player is not None and state.players[source_player].playing else None
            )
        else:
            seats.append(player)
    if tuple(seats) == match.seats:
        return match
    return replace(match, seats=tuple(seats), winner=None, is_done=False)


def _bracket_match(
    state: State, cut: CutMade, match: BracketMatch, number: int, table: TableView | None
) -> BracketMatchView:
    """Return the view of a match.

    number, table: the round and the table of the match; 0 and None before it is paired
    """
    name, seats_by_player = state.name_of, {seat.player: seat for seat in table.seats} if table else {}
    seats = []
    for player, source in zip(match.seats, match.sources, strict=True):
        source_match = source if isinstance(source, elimination.FromMatch) else None
        seat = None if player is None else seats_by_player.get(player)
        seats.append(
            BracketSeatView(
                player=player,
                name="" if player is None else name(player),
                seed=cut.players.index(player) + 1 if player in cut.players else None,
                score=seat.score if seat else "",
                won=seat is not None and seat.won,
                kind=source_match.role_text if source_match else "",
                of=match_title(source_match.label) if source_match else "",
            )
        )
    status: MatchStatus = "open"
    if table:
        status = "done" if table.result else "playing"
    elif match.is_done:
        status = "empty" if all(player is None for player in match.seats) else "bye"
    return BracketMatchView(
        label=match_title(match.label),
        seats=tuple(seats),
        round=number,
        table=table.number if table else 0,
        state=status,
        result=table.result if table else "",
    )


# -- the field by kinds of decks


def field_view(
    noun: str,
    kinds: Mapping[PlayerId, str],
    results: Iterable[Result],
    *,
    unknown: int = 0,
    cut: Collection[PlayerId] = (),
) -> FieldView:
    """Return the players and results of each kind of deck. kinds: player → kind of their deck.

    results: the results of all rounds; only played matches of two players with different kinds count
    unknown: the number of players whose kind is unknown
    cut: the players who advanced to the bracket
    """
    outcomes: Counter[tuple[str, str, Outcome]] = Counter()
    for result in results:
        if len(result.seats) != 2 or any(seat.outcome not in BY_PLAY for seat in result.seats):
            continue
        first_kind, second_kind = (kinds.get(seat.player) for seat in result.seats)
        if first_kind and second_kind and first_kind != second_kind:
            outcomes[first_kind, second_kind, result.seats[0].outcome] += 1
            outcomes[second_kind, first_kind, result.seats[1].outcome] += 1
    players = Counter(kinds.values())
    names = sorted(players, key=lambda name: (-players[name], name))

    def matches(name: str, opponents: Sequence[str]) -> MatchRecord:
        won, drawn, lost = (
            sum(outcomes[name, opponent, outcome] for opponent in opponents) for outcome in BY_PLAY
        )
        return MatchRecord(won=won, drawn=drawn, lost=lost)

    return FieldView(
        noun=noun,
        unknown=unknown,
        cut=len(cut),
        kinds=tuple(
            DeckKind(
                name=name,
                players=players[name],
                share=players[name] / len(kinds),
                cut=sum(kinds.get(player) == name for player in cut),
                matches=matches(name, names),
                against=tuple(matches(name, (other,)) for other in names),
            )
            for name in names
        ),
    )


# -- the rules of the event, and what others need to verify it


def facts(state: State, format_: Format | None) -> Iterator[tuple[str, str]]:
    """Yield the rules of the event as pairs of name and text.

    format_: the event's format; None if it cannot be read
    """
    pairing, sides = state.settings.pairing, sides_text(state.settings.match)
    yield Message("Format"), Message("{format}, on {day}", format=state.format, day=state.on)
    yield Message("Ban list"), banlist_text(state)
    yield Message("Standings"), state.profile
    if sides:
        yield Message("Sides"), sides
    yield from _choices(state, format_)
    if pairing.system == "elimination":
        double = Message("double elimination") if pairing.double else Message("single elimination")
        yield Message("System"), double
    else:
        yield Message("Rounds"), _describe_rounds(state)
    yield (
        Message("Seed"),
        state.revealed or Message("SHA-256 of the secret: {digest}", digest=state.secret_digest),
    )
    if pairing.beacon:
        value = state.beacon.value if state.beacon else Message("not published yet")
        yield Message("Beacon"), Message.joined(": ", [pairing.beacon, value])
    if lines := [*_rule_text(format_), *state.settings.pages.day]:
        yield Message("On the day"), "; ".join(lines)


def _describe_rounds(state: State) -> Message:
    """Return how many Swiss rounds are paired, and how many are planned: `2 of 5 Swiss rounds`."""
    paired_count, planned_count = len(state.swiss), planned_rounds(state)
    if planned_count and paired_count < planned_count and state.cut is None and not state.closed:
        if not paired_count:
            return Message.plural("{n} Swiss round planned", "{n} Swiss rounds planned", planned_count)
        return Message.plural(
            "{paired} of {n} Swiss round", "{paired} of {n} Swiss rounds", planned_count, paired=paired_count
        )
    if not paired_count:
        return Message("none yet")
    return Message.plural("{n} Swiss round", "{n} Swiss rounds", paired_count)


def _choices(state: State, format_: Format | None) -> Iterator[tuple[str, str]]:
    """Yield the name and value of each rule option that pages show.

    These are the options that the organizer chose, and those that the format wants to be announced.
    """
    settings = {} if format_ is None else format_.settings
    announced_options = {name: setting.default for name, setting in settings.items() if setting.told}
    for name, value in {**announced_options, **state.settings.match.choices}.items():
        value_text = str(value)
        if isinstance(value, bool):
            value_text = Message("yes") if value else Message("no")
        explanation = settings[name].about if name in announced_options else ""
        title = re.sub("[-_]", " ", name).capitalize()
        yield title, Message.joined(" ", [value_text, explanation and f"({explanation})"])


def _rule_text(format_: Format | None) -> Iterator[str]:
    """Yield the advice in the game's rules on how to run the event day, with citations."""
    for advice in format_.day if format_ else ():
        cite = format_.cite(advice) if format_ else ""
        yield f"{advice.rule.says} ({cite})" if cite else advice.rule.says


def time_of_last_update(state: State) -> str:
    """Return when the last result or pairing was recorded.

    If there is none yet, return when the event was created.
    """
    signatures = [signature for round_ in state.rounds for signature in (round_.paired, *round_.edits)]
    signatures += [
        table.entered for round_ in state.rounds for table in round_.tables.values() if table.entered
    ]
    return max(signatures, key=lambda signature: signature.entry).at if signatures else state.created


def verification(state: State, chain: tuple[str, ...], remarks: tuple[str, ...]) -> VerificationView:
    """Return the digests, seeds and other facts that others need to verify the event later.

    chain, remarks: as in `VerificationView`
    """
    seeds = (filled(SeedView, round_, entry=round_.paired.entry) for round_ in state.rounds if round_.seed)
    return VerificationView(
        entry=state.entry,
        digest=state.digest,
        chain=chain,
        secret_sha256=state.secret_digest,
        secret=state.revealed or "",
        beacon=state.settings.pairing.beacon,
        value=state.beacon.value if state.beacon else "",
        seeds=tuple(seeds),
        remarks=remarks,
    )


# -- the event as a file to read


def summary(state: State) -> dict[str, Any]:
    """Return a summary of the event as a dictionary, which becomes TOML text for people.

    It has the texts themselves, not the refs (digests) that refer to them, and no null values. Each table
    of a round is one line of text.
    """
    name = state.name_of
    return {
        "event": {
            "name": state.name,
            "format": state.format,
            "banlist": state.banlist or "none",
            "profile": state.profile,
            "begun": state.created,
            "entries": state.entry,
            "digest": state.digest,
        },
        "players": [_player_summary(player) for player in state.players.values()],
        "rounds": [
            {
                "round": f"{round_.title} (held back)" if round_.held else f"{round_.title}",
                "tables": [
                    f"{table.number}: "
                    f"{result_text(table.result, name) if table.result else seats_text(table.seats, name)}"
                    for table in round_.tables.values()
                ],
                "without": [
                    f"{name(player)}: {outcome.words.award}" for player, outcome in round_.byes.items()
                ],
            }
            for round_ in state.rounds
        ],
    }


def _player_summary(player: Player) -> dict[str, Any]:
    facts: dict[str, Any] = {"number": player.id, "name": player.name}
    facts |= {"rating": player.rating} if player.rating is not None else {}
    facts |= {"tags": {kind: text for kind, (_, text) in player.tags.items()}} if player.tags else {}
    facts |= {"dropped after round": player.dropped} if player.dropped is not None else {}
    facts |= {"disqualified": True} if player.disqualified is not None else {}
    return facts


# -- whether the event can be shown


def show_tables(state: State, before: State, profile: Callable[[], Profile] | None) -> None:
    """Build the views of the tables that changed, to check that they can be shown.

    If the rules changed, builds the views of all tables.

    before: the event before the change
    profile: a function that returns the standings profile; it is called only if players' points have to be
        computed. Pass None if the profile cannot be read

    Raises TourneyError if a table cannot be shown.
    """
    same_rules = state.has_rules_of(before)
    old_rounds = {round_.number: round_ for round_ in before.rounds} if same_rules else {}
    tables_by_round = [
        (round_, tables)
        for round_ in state.rounds
        if (tables := changed_tables(round_, old_rounds.get(round_.number))) is not None
    ]
    if not tables_by_round:
        return
    # Folding has counted results of players who were already seated; counting takes longer than all the rest.
    same_seats = same_rules and all(
        round_.seated_as(old_rounds.get(round_.number)) for round_, _ in tables_by_round
    )
    points = without_points if same_seats or profile is None else points_after(state, profile())
    for round_, tables in tables_by_round:
        tables_to_show = {number: round_.tables[number] for number in tables} if same_seats else round_.tables
        round_view(state, replace(round_, tables=tables_to_show), points)
