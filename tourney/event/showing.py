"""What people are shown of an event's state: each view of `tourney.event.view`, filled, and the event as a file to read.

It is pure: what only an open event knows (which results a round was paired on, the program, the lists) comes from
`tourney.desk.views`. The event as data is in `tourney.event.state`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from tourney.errors import TourneyError
from tourney.event.brackets import FinalPlace, as_entered, bracket_of, final_ranking, winner_of
from tourney.event.field import (
    DivisionPlace,
    cut_of,
    division_places,
    divisions_of,
    left_by,
    record,
)
from tourney.event.phrases import (
    RULING,
    banlist_text,
    by_text,
    names_of,
    own_words,
    result_text,
    score_text,
    scores_text,
    seats_text,
    sides_text,
)
from tourney.event.state import Cut, Player, Round, State, changed_tables, cut_title
from tourney.event.systems import planned_rounds
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
from tourney.record import NameOf, Outcome, PlayerId, Result, Seat, Table
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.pairing.elimination import BracketMatch, Stage
    from tourney.rules.format import Format
    from tourney.standings import Profile, Standings

# -- points as the event went


PointsText = Callable[[int], str]
"""Prints half points as the event's profile prints them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """Points as the event went: `after[k]` are each player's half points after round k (`after[0]`: none yet)."""

    after: tuple[Mapping[PlayerId, int], ...]
    text: PointsText

    def before_round(self, number: int, player: PlayerId) -> str:
        """Return a player's points before a round, as printed; empty past the rounds that give points."""
        return self.text(self.after[number - 1].get(player, 0)) if number <= len(self.after) - 1 else ""

    def after_round(self, number: int, player: PlayerId) -> str:
        """Return a player's points after a round, as printed; empty past the rounds that give points."""
        return self.text(self.after[number].get(player, 0)) if number < len(self.after) else ""


WITHOUT_POINTS = Ladder(after=(), text=str)
"""For a look at rounds in which nobody asks for points."""


def ladder(state: State, profile: Profile) -> Ladder:
    """Return everybody's points as the event went, printed as `profile` prints them."""
    from tourney.standings.scorecards import Scorecards

    scorecards = Scorecards(record(state), profile)
    points = scorecards.points_before()
    after = tuple(
        {player: won[number] for player, won in points.items()} for number in range(scorecards.rounds + 1)
    )
    return Ladder(after=after, text=profile.points_text)


# -- rounds


def round_view(state: State, round_: Round, points: Ladder) -> RoundView:
    """Return one round with names and words, its pairing as it was recorded."""
    name = names_of(state)
    without = [(player, outcome.words.result) for player, outcome in round_.byes.items()]
    without += [(player, "waits") for player in _waiting(state, round_)]
    return RoundView(
        number=round_.number,
        title=round_.title,
        tables=tuple(_table_view(state, round_, table, points) for table in round_.tables.values()),
        byes=tuple(
            ByeView(player=player, name=name(player), kind=kind, note=_note(state, player))
            for player, kind in without
        ),
        proof=round_.proof.text,
        cut=round_.stage == "cut",
        held=round_.held,
        ends=_end(round_),
    )


def _waiting(state: State, round_: Round) -> tuple[PlayerId, ...]:
    """Return who is still in the bracket and has no match in a round of it; nobody where the bracket cannot go on."""
    if round_.stage != "cut" or state.cut is None:
        return ()
    try:
        now = bracket_of(state, state.cut, round_.number - 1)
    except TourneyError:
        return ()
    seated = {player for table in round_.tables.values() for player in table.seats}
    return tuple(player for player in now.waiting if player not in seated and player not in round_.byes)


def _end(round_: Round) -> str:
    if not round_.started or not round_.minutes:
        return ""
    return (datetime.fromisoformat(round_.started) + timedelta(minutes=round_.minutes)).isoformat()


def _note(state: State, player: PlayerId) -> str:
    return "" if state.players[player].disqualified is None else "disqualified"


def _table_view(state: State, round_: Round, table: Table, points: Ladder) -> TableView:
    name = names_of(state)
    seats = tuple(
        SeatView(
            player=player,
            name=name(player),
            points="" if round_.stage == "cut" else points.before_round(round_.number, player),
            score=_score(table.result, player),
            won=table.result is not None and table.result.seat_of(player).outcome in _FIRST,
            scored=_scored(table.result, player),
            note=_note(state, player),
            side=state.settings.match.side(place),
        )
        for place, player in enumerate(table.seats)
    )
    return TableView(
        number=table.number,
        seats=seats,
        result=_result_view(table, name),
        label=round_.labels.get(table.number, ""),
        extra=round_.extended.get(table.number, 0),
        ended=by_text(table.result.ended).strip() if table.result is not None else "",
    )


def _score(result: Result | None, player: PlayerId) -> str:
    """Return what stands beside a name: games won, or the place at a table of three and more; empty for words."""
    if result is None or result.ended == "id" or any(seat.outcome not in PLAYED for seat in result.seats):
        return ""
    seat = result.seat_of(player)
    if len(result.seats) > 2:
        return f"{seat.place}."
    if not any(each.games for each in result.seats):
        return "½" if seat.outcome is Outcome.DRAW else ""
    return str(seat.games)


def _scored(result: Result | None, player: PlayerId) -> str:
    """Return a seat's victory points as text; empty where none were reported."""
    scored = result.seat_of(player).score if result is not None else None
    return "" if scored is None else str(scored)


PLAYED = frozenset({Outcome.WIN, Outcome.DRAW, Outcome.LOSS})
"""Results that were played: byes, forfeits and penalties have no score, and say nothing of decks."""


_FIRST = frozenset({Outcome.WIN, Outcome.FORFEIT_WIN})


def _result_view(table: Table, name: Callable[[PlayerId], str]) -> str:
    result = table.result
    if result is None:
        return ""
    if result.ended == "id":
        return "intentional draw"
    if len(table.seats) == 2 and all(seat.outcome in PLAYED for seat in result.seats):
        return score_text(result) + by_text(result.ended)
    return result_text(result, name)


# -- standings and places


def standings_view(state: State, standings: Standings, no_lot: str = "") -> StandingsView:
    """Return the ranking as it is printed; who is disqualified stands last, without a rank.

    no_lot: why no lot is drawn; empty where one is
    """
    from tourney.standings import exact, ranking, tiebreaks

    profile, through, gone = standings.profile, cut_of(state), left_by(state, standings.rounds)
    used = ranking.columns(standings) if standings.rounds else ()
    rules = [(code, tiebreaks.find(code)) for code in profile.tiebreaks]
    places = division_places(divisions_of(state), ((row.player, row.rank) for row in standings.rows))
    divided = [(row, places.get(row.player, DivisionPlace())) for row in standings.rows]
    return StandingsView(
        profile=state.profile,
        source=profile.source,
        after=standings.rounds,
        columns=tuple(
            TiebreakView(code=rule.code, name=rule.name, meaning=rule.source, used=code in used)
            for code, rule in rules
        ),
        rows=tuple(
            RowView(
                rank=row.rank,
                player=row.player,
                name=state.players[row.player].name,
                points=profile.points_text(row.points),
                record=ranking.record_text(row),
                values=tuple(ranking.value_text(key, profile) for key in row.keys),
                exact=tuple(exact.exact_text(key.value) for key in row.keys),
                note=ranking.note_text(row, gone=row.player in gone),
                cut=row.player in through,
                division=division.name,
                division_place=division.first,
                division_last=division.last,
            )
            for row, division in divided
        ),
        cut=len(through),
        heading=ranking.heading_text(standings) if standings.rounds else "",
        provisional=bool(standings.playing),
        left_out=tuple((player, state.players[player].name) for player in standings.left_out),
        no_lot=no_lot if ranking.lacks_lot(standings) else "",
    )


def final_view(state: State, standings: Standings) -> FinalView:
    """Return everybody's place, by the bracket where there is one."""
    ranking = final_ranking(state, standings)
    swiss = state.cut is None or bool(state.cut.after)
    divided = division_places(divisions_of(state), ((each.player, each.first) for each in ranking.places))
    return FinalView(
        rows=tuple(
            _place(state, standings, each, divided.get(each.player, DivisionPlace()), swiss=swiss)
            for each in ranking.places
        ),
        counts=ranking.counts,
        why_not=ranking.why_not,
        playing=state.open_round is not None,
        bracket=state.cut is not None,
        swiss=swiss,
        larger=state.cut is not None and state.cut.seats > 2,
    )


def _place(
    state: State, standings: Standings, place: FinalPlace, divided: DivisionPlace, *, swiss: bool
) -> PlaceView:
    from tourney.standings.ranking import record_text

    player, row = state.players[place.player], place.row if swiss else None
    gone = "disqualified" if player.disqualified is not None else "" if player.dropped is None else "drop"
    return PlaceView(
        place=place.words,
        first=place.first,
        last=place.last,
        player=player.id,
        name=player.name,
        came=place.came,
        swiss=row.rank if row else None,
        points=standings.profile.points_text(row.points) if row else "",
        record=record_text(row) if row else "–".join(map(str, place.record)) if place.seed else "",
        note=gone,
        division=divided.name,
        division_place=divided.first,
        division_last=divided.last,
    )


def champion(state: State, standings: Standings) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Name the winner, of the bracket or of a closed event without one the only first; and why a bracket cannot go on."""
    if state.cut is None:
        first = [row for row in standings.rows if row.rank == 1]
        return (state.players[first[0].player].name if state.closed and len(first) == 1 else "", ())
    last = state.open_round.number - 1 if state.open_round else None
    try:
        won = winner_of(state, bracket_of(state, state.cut, last))
    except TourneyError as fault:
        return "", (("Bracket", fault.message),)
    return (state.players[won].name if won else "", ())


# -- players


def player_views(
    state: State,
    points: Ladder,
    standings: StandingsView,
    final: FinalView | None,
    why: Mapping[PlayerId, tuple[str, ...]],
) -> tuple[PlayerView, ...]:
    """Return everybody's own page; of `standings` and `final` their rows, of `why` the explanation of their place."""
    rows = {row.player: row for row in standings.rows}
    places = {row.player: row for row in final.rows} if final else {}
    seated = [
        {player: table for table in round_.tables.values() for player in table.seats}
        for round_ in state.rounds
    ]
    return tuple(
        PlayerView(
            player=player,
            name=state.players[player].name,
            matches=tuple(
                match
                for round_, at in zip(state.rounds, seated, strict=True)
                if (match := match_view(state, round_, player, points, at.get(player))) is not None
            ),
            row=rows.get(player),
            why=why.get(player, ()),
            place=places.get(player),
        )
        for player in state.players
    )


def match_view(
    state: State, round_: Round, player: PlayerId, points: Ladder, table: Table | None
) -> MatchView | None:
    """Return a player's round, at `table` if they sit at one; None where they have no part in it."""
    name = names_of(state)
    won = "" if round_.stage == "cut" else points.after_round(round_.number, player)
    if table is None:
        if player not in round_.byes:
            return None
        kind = round_.byes[player].words.result
        return MatchView(
            round=round_.number, title=round_.title, table=0, opponents=(), result=kind, points=won
        )
    label = round_.labels.get(table.number)
    return MatchView(
        round=round_.number,
        title=cut_title([label]) if label else round_.title,
        table=table.number,
        opponents=tuple((other, name(other)) for other in table.seats if other != player),
        result="held back" if round_.held else _own_result(table, player),
        points=won,
        side=state.settings.match.side(table.seats.index(player)),
    )


def _own_result(table: Table, player: PlayerId) -> str:
    """Say a result from one player's side: `won 2–1`, `lost 0–2`, `drew 1–1`, `place 2 of 4 with 11`."""
    if table.result is None:
        return "playing"
    seat, ended = table.result.seat_of(player), table.result.ended
    if len(table.seats) > 2:
        if seat.outcome not in PLAYED:
            return own_words(seat.outcome, ended)
        scored = "" if seat.score is None else f" with {seat.score}"
        forfeited = any(each.outcome not in PLAYED for each in table.result.seats)
        by = "" if ended == RULING and forfeited else by_text(ended)
        return f"place {seat.place} of {len(table.seats)}{scored}{by}"
    if seat.outcome not in PLAYED or ended == "id":
        return "intentional draw" if ended == "id" else own_words(seat.outcome, ended)
    own = _from_side(table.result, seat)
    return f"{seat.outcome.words.result} {score_text(own)}{scores_text(own.seats)}{by_text(ended)}"


def _from_side(result: Result, seat: Seat) -> Result:
    others = tuple(other for other in result.seats if other is not seat)
    return Result((seat, *others), result.drawn_games)


# -- the bracket


def bracket_view(state: State, rounds: Sequence[RoundView]) -> BracketView | None:
    """Return the bracket as far as it is known; None before it is made. rounds: those of `state`, as they are shown.

    A seat is filled as soon as the match is decided that it waits for, also while others of that round play. Where the bracket
    cannot go on (an entry of an older version), it has the tables that were played and nothing that follows from them.
    """
    cut = state.cut
    if cut is None:
        return None
    tables = {table.label: (view.number, table) for view in rounds if view.cut for table in view.tables}
    try:
        known = _known_stages(state, cut, tables)
    except TourneyError:
        stages = [(view.title, list(_as_played(view))) for view in rounds if view.cut]
        double = False
    else:
        unpaired: tuple[int, TableView | None] = (0, None)
        stages = [
            (each.name, [(match, tables.get(match.label, unpaired)) for match in each.matches])
            for each in known
        ]
        double = cut.kind == "double"
    name, seeds = names_of(state), {player: seed for seed, player in enumerate(cut.players, 1)}
    return BracketView(
        size=len(cut.players),
        double=double,
        stages=tuple(
            BracketStageView(
                name=title, matches=tuple(_bracket_match(match, at, name, seeds) for match, at in matches)
            )
            for title, matches in stages
        ),
    )


def _as_played(view: RoundView) -> Iterator[tuple[BracketMatch, tuple[int, TableView | None]]]:
    """Give the tables of a round as matches of which nobody can tell where their players came from."""
    from tourney.pairing.elimination import BracketMatch

    for table in view.tables:
        seats = tuple(seat.player for seat in table.seats)
        yield (
            BracketMatch(label=table.label, seats=seats, sources=(None,) * len(seats)),
            (view.number, table),
        )


def _known_stages(state: State, cut: Cut, tables: Mapping[str, tuple[int, TableView]]) -> tuple[Stage, ...]:
    """Return the stages of a bracket, each seat filled that is decided, and none that hangs on an open table."""
    played, seated = as_entered(state)
    stages = list(bracket_of(played, cut).stages)
    open_still = {label for label, (_, table) in tables.items() if not table.result} if seated else set()
    if seated:  # as if open tables were won by their first seats, where a final needs no reset
        before = bracket_of(state, cut, len(state.rounds) - 1).stages
        stages += [stage for stage in before if stage.name not in {each.name for each in stages}]
    shown: dict[str, BracketMatch] = {}
    known: list[Stage] = []
    for stage in stages:
        by_all = cut.reseed and bool(open_still)
        matches = [_as_known(state, match, open_still, shown, by_all=by_all) for match in stage.matches]
        open_still |= {each.label for each in matches if not each.done}
        shown |= {each.label: each for each in matches}
        known.append(replace(stage, matches=tuple(matches)))
    return tuple(known)


def _as_known(
    state: State,
    match: BracketMatch,
    open_still: Collection[str],
    before: Mapping[str, BracketMatch],
    *,
    by_all: bool,
) -> BracketMatch:
    """Return a match with those who have come to it and are still in the event. by_all: whether who meets whom hangs on every match before."""
    from tourney.pairing.elimination import FromMatch

    if match.label in open_still:
        return replace(match, winner=None, done=False)
    seats: list[PlayerId | None] = []
    for player, source in zip(match.seats, match.sources, strict=True):
        came = source if isinstance(source, FromMatch) else None
        if (by_all and not match.done) or (came and came.label in open_still):
            seats.append(None)
        elif player is None and came and came.label in before:
            who = before[came.label].who(came.came)
            seats.append(who if who is not None and state.players[who].playing else None)
        else:
            seats.append(player)
    if tuple(seats) == match.seats:
        return match
    return replace(match, seats=tuple(seats), winner=None, done=False)


def _bracket_match(
    match: BracketMatch, at: tuple[int, TableView | None], name: NameOf, seeds: Mapping[PlayerId, int]
) -> BracketMatchView:
    from tourney.pairing.elimination import FromMatch

    number, table = at
    seated = {seat.player: seat for seat in table.seats} if table else {}
    seats = []
    for player, source in zip(match.seats, match.sources, strict=True):
        came = source if isinstance(source, FromMatch) else None
        sat = None if player is None else seated.get(player)
        seats.append(
            BracketSeatView(
                player=player,
                name="" if player is None else name(player),
                seed=None if player is None else seeds.get(player),
                score=sat.score if sat else "",
                won=bool(sat and sat.won),
                kind=came.role if came else "",
                of=came.label if came else "",
            )
        )
    there = sum(player is not None for player in match.seats)
    if table is not None:
        state: Literal["open", "playing", "done", "bye", "empty"] = "done" if table.result else "playing"
    else:
        state = "open" if not match.done else "bye" if there else "empty"
    return BracketMatchView(
        label=match.label,
        seats=tuple(seats),
        round=number,
        table=table.number if table else 0,
        state=state,
        result=table.result if table else "",
    )


# -- the field by what its decks are


def field_view(
    noun: str,
    kinds: Mapping[PlayerId, str],
    results: Iterable[Result],
    *,
    unknown: int = 0,
    cut: Collection[PlayerId] = (),
) -> FieldView:
    """Return the field of the players in `kinds` by what each plays; results: of every round, those of two players count.

    A match of a kind against itself tells nothing of it and is in no record.
    """
    met: Counter[tuple[str, str, Outcome]] = Counter()
    for result in results:
        if len(result.seats) != 2 or any(seat.outcome not in PLAYED for seat in result.seats):
            continue
        one, other = result.seats
        if one.player in kinds and other.player in kinds and kinds[one.player] != kinds[other.player]:
            met[kinds[one.player], kinds[other.player], one.outcome] += 1
            met[kinds[other.player], kinds[one.player], other.outcome] += 1
    number = Counter(kinds.values())
    on = Counter(kinds[player] for player in cut if player in kinds)
    names = sorted(number, key=lambda name: (-number[name], name))

    def tally(name: str, others: Sequence[str]) -> MatchRecord:
        won, drawn, lost = (
            sum(met[name, other, way] for other in others)
            for way in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS)
        )
        return MatchRecord(won=won, drawn=drawn, lost=lost)

    return FieldView(
        noun=noun,
        unknown=unknown,
        cut=len(cut),
        kinds=tuple(
            DeckKind(
                name=name,
                players=number[name],
                share=number[name] / len(kinds),
                cut=on[name],
                matches=tally(name, names),
                against=tuple(tally(name, (other,)) for other in names),
            )
            for name in names
        ),
    )


# -- what the event is played under, and how it is held against a later state


def facts(state: State, format_: Format | None) -> tuple[tuple[str, str], ...]:
    """Return what the event is played under, in words. format_: None where its rules cannot be read."""
    value = state.beacon.value if state.beacon else "not out yet"
    beacon = (
        [("Beacon", f"{state.settings.pairing.beacon}: {value}")] if state.settings.pairing.beacon else []
    )
    seed = state.revealed or f"SHA-256 of the secret: {state.secret_digest}"
    return (
        ("Format", f"{state.format}, on {state.on}"),
        ("Ban list", banlist_text(state)),
        ("Standings", state.profile),
        *([("Sides", sides_text(state.settings.match))] if state.settings.match.sides else []),
        *_choices(state, format_),
        (
            ("System", f"{'double' if state.settings.pairing.double else 'single'} elimination")
            if state.settings.pairing.system == "elimination"
            else ("Rounds", _rounds(state))
        ),
        ("Seed", seed),
        *beacon,
        *_day(state, format_),
    )


def _rounds(state: State) -> str:
    """Say how many Swiss rounds were paired, and of how many planned: `2 of 5 Swiss rounds`."""
    paired, planned = len(state.swiss), planned_rounds(state)
    if planned and paired < planned and state.cut is None and not state.closed:
        rounds = counted(planned, "Swiss round")
        return f"{paired} of {rounds}" if paired else f"{rounds} planned"
    return counted(paired, "Swiss round") if paired else "none yet"


def _choices(state: State, format_: Format | None) -> Iterator[tuple[str, str]]:
    """Give what the organizer chose, and the choices told at the table as they stand, with what they are about."""
    settings = {} if format_ is None else format_.settings
    told = {name: setting.default for name, setting in settings.items() if setting.told}
    for name, value in {**told, **state.settings.match.choices}.items():
        said = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        about = settings[name].about if name in told else ""
        yield re.sub("[-_]", " ", name).capitalize(), f"{said} ({about})" if about else said


def _day(state: State, format_: Format | None) -> Iterator[tuple[str, str]]:
    """Give what the rule text and the organizer tell of the day, in one fact."""
    said = []
    if format_ is not None:
        cited = [(placed.rule.says, format_.cite(placed)) for placed in format_.day]
        said = [f"{says} ({cite})" if cite else says for says, cite in cited]
    if lines := [*said, *state.settings.pages.day]:
        yield "On the day", "; ".join(lines)


def last_shown(state: State) -> str:
    """Return when a result or a pairing was entered last, by the order of entries; else the event's creation."""
    entered = [
        each for round_ in state.rounds for each in (round_.paired, *round_.edits, *round_.entered.values())
    ]
    return max(entered, key=lambda each: each.entry).at if entered else state.created


def verification(state: State, chain: tuple[str, ...], remarks: tuple[str, ...]) -> VerificationView:
    """Return what a later state of the event is held against. chain: every entry's digest; remarks: see `VerificationView`."""
    seeds = (
        SeedView(title=round_.title, entry=round_.paired.entry, seed=round_.seed, engine=round_.engine)
        for round_ in state.rounds
        if round_.seed
    )
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


# -- the event as a file for people


def summary(state: State) -> dict[str, Any]:
    """Return the event for people, as a TOML file holds it: no refs, no nulls, a line for each table."""
    name = names_of(state)
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
        "players": [_in_words(player) for player in state.players.values()],
        "rounds": [
            {
                "round": f"{round_.title} (held back)" if round_.held else round_.title,
                "tables": [_table_line(table, name) for table in round_.tables.values()],
                "without": [
                    f"{name(player)}: {outcome.words.award}" for player, outcome in round_.byes.items()
                ],
            }
            for round_ in state.rounds
        ],
    }


def _in_words(player: Player) -> dict[str, Any]:
    facts: dict[str, Any] = {"number": player.id, "name": player.name}
    facts |= {"rating": player.rating} if player.rating is not None else {}
    facts |= {"tags": {kind: text for kind, (_, text) in player.tags.items()}} if player.tags else {}
    facts |= {"dropped after round": player.dropped} if player.dropped is not None else {}
    facts |= {"disqualified": True} if player.disqualified is not None else {}
    return facts


def _table_line(table: Table, name: NameOf) -> str:
    if table.result is None:
        return f"{table.number}: {seats_text(table.seats, name)}"
    return f"{table.number}: {result_text(table.result, name)}"


# -- whether all of it can be shown


def show_tables(state: State, before: State, profile: Callable[[], Profile] | None) -> None:
    """Show, to nobody, the tables that are not as they were in `before`; under other rules all of them.

    profile: of `state`, asked for only where points are to be counted; None where it cannot be read, and nobody's
             points can be told

    Raises TourneyError where they cannot be shown.
    """
    same_rules = state.has_rules_of(before)
    old = {each.number: each for each in before.rounds} if same_rules else {}
    moved = [(each, changed_tables(each, old.get(each.number))) for each in state.rounds]
    changed = [(each, tables) for each, tables in moved if tables is not None]
    if not changed:
        return
    # A result of those who sit there can be counted, as folding has seen; counting takes longer than all the rest.
    seated_so = same_rules and all(each.seated_as(old.get(each.number)) for each, _ in changed)
    points = WITHOUT_POINTS if seated_so or profile is None else ladder(state, profile())
    for each, tables in changed:
        shown = {number: each.tables[number] for number in tables} if seated_so else each.tables
        round_view(state, replace(each, tables=shown), points)
