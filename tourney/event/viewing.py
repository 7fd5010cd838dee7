"""From a state, its record and its standings to the views that pages are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tourney.event.field import points_by_round, record
from tourney.event.state import Round, State
from tourney.event.views import (
    ByeView,
    EventView,
    MatchView,
    PlayerView,
    RoundView,
    SeatView,
    SeedView,
    StandingsView,
    TableView,
    VerificationView,
)
from tourney.event.words import be, names_of, result_text, score_text, still_playing
from tourney.record import Outcome, PlayerId, Result, Seat, Table
from tourney.standings import Profile

PointsText = Callable[[int], str]
"""Prints half points as the event's profile prints them."""

_BYES = {
    Outcome.BYE: "bye",
    Outcome.AWARDED_BYE: "awarded bye",
    Outcome.HALF_BYE: "half-point bye",
    Outcome.ABSENT: "absent",
}
_SCORED = frozenset({Outcome.WIN, Outcome.DRAW, Outcome.LOSS})
_FIRST = frozenset({Outcome.WIN, Outcome.FORFEIT_WIN})


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
    from tourney.standings.printing import points_text
    from tourney.standings.sheets import Sheets

    sheets = Sheets(record(state), profile)
    points = points_by_round(sheets)
    after = tuple(
        {player: won[number] for player, won in points.items()} for number in range(sheets.rounds + 1)
    )
    return Ladder(after=after, text=lambda half_points: points_text(half_points, profile))


def event_view(
    state: State,
    *,
    ladder: Ladder,
    rounds: tuple[RoundView, ...],
    standings: StandingsView,
    chain: tuple[str, ...],
    why: Mapping[PlayerId, tuple[str, ...]] | None = None,
    facts: tuple[tuple[str, str], ...] = (),
    champion: str = "",
) -> EventView:
    """Return everything of `state` that may be published.

    standings: as they are printed, everybody ever ranked in them; chain: the digest of every entry
    """
    by_player = {row.player: row for row in standings.rows}
    return EventView(
        name=state.name,
        status=status_text(state),
        state=f"entry {state.entry}, {state.digest}",
        facts=facts,
        rounds=rounds,
        standings=standings,
        players=tuple(
            PlayerView(
                player=player,
                name=state.players[player].name,
                matches=_matches(state, player, ladder),
                row=by_player.get(player),
                why=(why or {}).get(player, ()),
            )
            for player in state.players
        ),
        verification=_verification(state, chain),
        champion=champion,
    )


def _verification(state: State, chain: tuple[str, ...]) -> VerificationView:
    seeds = (
        SeedView(title=known.title, entry=known.paired.entry, seed=known.seed, engine=known.engine)
        for known in state.rounds
        if known.seed
    )
    return VerificationView(
        entry=state.entry,
        digest=state.digest,
        chain=chain,
        secret_sha256=state.secret_digest,
        secret=state.revealed or "",
        beacon=state.settings.beacon,
        value=state.beacon.value if state.beacon else "",
        seeds=tuple(seeds),
    )


def status_text(state: State) -> str:
    """Say in one line where the event stands."""
    if state.closed:
        return "The event is over."
    current = state.round
    if current is None:
        return f"{len(state.players)} players are registered; nothing is paired yet."
    if current.playing:
        return f"{current.title}: {still_playing(current)}"
    return f"{current.title} {be(current.title)} finished."


def round_view(state: State, known: Round, ladder: Ladder) -> RoundView:
    """Return one round with names and words, its pairing as it was recorded."""
    name = names_of(state)
    return RoundView(
        number=known.number,
        title=known.title,
        tables=tuple(_table_view(state, known, table, ladder) for table in known.tables.values()),
        byes=tuple(
            ByeView(
                player=player,
                name=name(player),
                kind=_BYES.get(outcome, outcome.value),
                note=_note(state, player),
            )
            for player, outcome in known.byes.items()
        ),
        proof=known.proof.text,
        cut=known.stage == "cut",
    )


def _note(state: State, player: PlayerId) -> str:
    return "" if state.players[player].disqualified is None else "disqualified"


def _table_view(state: State, known: Round, table: Table, ladder: Ladder) -> TableView:
    note, name = known.notes.get(table.number, ""), names_of(state)
    seats = tuple(
        SeatView(
            player=player,
            name=name(player),
            points="" if known.stage == "cut" else ladder.before_round(known.number, player),
            score=_score(table.result, player, note),
            won=table.result is not None and table.result.seat_of(player).outcome in _FIRST,
            scored=_scored(table.result, player),
            note=_note(state, player),
        )
        for player in table.seats
    )
    return TableView(number=table.number, seats=seats, result=_result(table, note, name))


def _score(result: Result | None, player: PlayerId, note: str) -> str:
    """Return what stands beside a name: games won, or the place at a table of three and more; empty for words."""
    if result is None or note == "id" or any(seat.outcome not in _SCORED for seat in result.seats):
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


def _result(table: Table, note: str, name: Callable[[PlayerId], str]) -> str:
    result = table.result
    if result is None:
        return ""
    if len(table.seats) == 2 and note != "id" and all(seat.outcome in _SCORED for seat in result.seats):
        return score_text(result) + (" by time" if note == "time" else "")
    return "intentional draw" if note == "id" else result_text(result, name, note)


def _matches(state: State, player: PlayerId, ladder: Ladder) -> tuple[MatchView, ...]:
    return tuple(
        match for known in state.rounds if (match := _match(state, known, player, ladder)) is not None
    )


def _match(state: State, known: Round, player: PlayerId, ladder: Ladder) -> MatchView | None:
    name = names_of(state)
    points = "" if known.stage == "cut" else ladder.after_round(known.number, player)
    table = known.table_of(player)
    if table is None:
        if player not in known.byes:
            return None
        kind = _BYES.get(known.byes[player], known.byes[player].value)
        return MatchView(
            round=known.number, title=known.title, table=0, opponents=(), result=kind, points=points
        )
    return MatchView(
        round=known.number,
        title=known.title,
        table=table.number,
        opponents=tuple((other, name(other)) for other in table.seats if other != player),
        result=_own_result(table, player, known.notes.get(table.number, "")),
        points=points,
    )


def _own_result(table: Table, player: PlayerId, note: str) -> str:
    """Say a result from one player's side: `won 2–1`, `lost 0–2`, `drew`, `2nd of 4`."""
    if table.result is None:
        return "playing"
    seat = table.result.seat_of(player)
    if len(table.seats) > 2:
        if seat.outcome not in _SCORED:
            return _WORDS[seat.outcome]
        scored = "" if seat.score is None else f" with {seat.score}"
        return f"place {seat.place} of {len(table.seats)}{scored}"
    if seat.outcome not in _SCORED or note == "id":
        return "intentional draw" if note == "id" else _WORDS[seat.outcome]
    return f"{_WORDS[seat.outcome]} {score_text(_from_side(table.result, seat))}"


def _from_side(result: Result, seat: Seat) -> Result:
    others = tuple(other for other in result.seats if other is not seat)
    return Result((seat, *others), result.drawn_games)


_WORDS = {
    Outcome.WIN: "won",
    Outcome.DRAW: "drew",
    Outcome.LOSS: "lost",
    Outcome.FORFEIT_WIN: "won, opponent did not show",
    Outcome.FORFEIT_LOSS: "did not show",
    Outcome.DOUBLE_LOSS: "both lose",
}
