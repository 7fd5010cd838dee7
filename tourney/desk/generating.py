"""Play a random event: invented players arrive, leave and report results.

`tourney/pairing/generate` draws the players and results; this module enters them through the desk, as in any
event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from tourney.desk.desk import Desk
from tourney.desk.open_event import no_collecting
from tourney.document import Document
from tourney.event import players
from tourney.event.players import Registration
from tourney.event.rounds import Manner
from tourney.event.score import Games, Report, Score, SeatPlaces
from tourney.pairing.generate import Guest, Invented, TournamentKind, invent
from tourney.record import Outcome, PlayerId, Result


class GeneratedEvent(Document, frozen=True, tag="tourney.event-generate/1"):
    """What `tourney event generate --json` prints.

    seed: the seed that generates the same event again
    file: the new event
    entry: the number of its last entry
    digest: the digest of its journal up to that entry, a SHA-256
    """

    seed: str
    file: str
    entry: int
    digest: str


Watch = Callable[[range], AbstractContextManager[Iterable[int]]]
"""A function that shows progress, such as a progress bar, while rounds are played.

It gets the numbers of the rounds. It returns a context manager, which gives the same numbers.
"""


def play_random_event(
    desk: Desk, seed: str, wishes: dict[str, Any], *, left_open: bool, watch: Watch
) -> None:
    """Register invented players in a new event, and play it to its end.

    wishes: fields of `TournamentKind`
    left_open: leave the last round without results
    watch: called with the numbers of the rounds
    """
    plan = _invent(desk, seed, wishes)
    desk.change(rounds=plan.rounds)
    with no_collecting(), watch(range(1, plan.rounds + 1)) as numbers:
        _play(desk, plan, numbers, left_open=left_open)


def _invent(desk: Desk, seed: str, wishes: dict[str, Any]) -> Invented:
    """Draw random arrivals, departures and results that the event's settings allow.

    wishes: fields of `TournamentKind`
    """
    match = desk.state.settings.match
    if not match.draws:
        wishes = {**wishes, "draws": 0}
    possible_sizes = [size for size in match.seats if size <= wishes["players"]]
    kind = TournamentKind(
        best_of=match.best_of | 1,
        level=match.draws and match.best_of % 2 == 0,
        seats=(possible_sizes or match.seats)[0],
        **wishes,
    )
    return invent(kind, seed)


def _play(desk: Desk, plan: Invented, numbers: Iterable[int], *, left_open: bool) -> None:
    """Register, drop, pair and report, round by round."""
    player_of: dict[PlayerId, PlayerId] = {}  # guest → player of the event
    for number in numbers:
        if arrivals := plan.arrivals(number):
            player_of.update(_register(desk, arrivals))
        if departures := [player_of[guest.id] for guest in plan.departures(number - 1)]:
            desk.drop(*departures)
        desk.pair_round(manner=Manner(careful=False))
        if not (left_open and number == plan.rounds):
            guest_of = {player: guest for guest, player in player_of.items()}
            desk.report_all(list(_reports(desk, plan, guest_of)))


def _register(desk: Desk, guests: Sequence[Guest]) -> dict[PlayerId, PlayerId]:
    """Register invented players in one entry.

    Returns the number of an invented player → the number of the same player in the event.
    """
    newcomers = [
        Registration(
            name=guest.name,
            tags=dict(tag.split(":", 1) for tag in guest.tags),
            byes={number: outcome.value for number, outcome in guest.byes.items()},
        )
        for guest in guests
    ]
    before = len(desk.state.players)
    desk.write(lambda change: players.add(change, newcomers))
    return dict(zip((guest.id for guest in guests), [*desk.state.players][before:], strict=True))


def _reports(desk: Desk, plan: Invented, guest_of: Mapping[PlayerId, PlayerId]) -> Iterator[Report]:
    """Yield a report of the result of each table.

    Some games can be drawn only in certain ways, such as by `time`. The report of a draw then names one of
    them.
    """
    match, scoring = desk.state.settings.match, desk.scoring()
    can_draw_games = match.drawn_in(bracket=False) != "none"
    round_ = desk.state.rounds[-1]
    for table in round_.tables.values():
        result = plan.result(round_.number, [guest_of[player] for player in table.seats])
        is_drawn = any(seat.outcome is Outcome.DRAW for seat in result.seats)
        endings = scoring.drawn_by(len(result.seats)) if is_drawn and match.best_of == 1 else ()
        yield Report(
            tables=table.number,
            score=_score(result, can_draw_games=can_draw_games),
            ended="time" if "time" in endings else next(iter(endings), ""),
        )


def _score(result: Result, *, can_draw_games: bool) -> Score:
    """Return the score of a result.

    can_draw_games: whether a match of the event can have drawn games. If not, an invented result with drawn
        games is entered as `=`, a drawn match
    """
    seats = result.seats
    if len(seats) > 2:
        return SeatPlaces(tuple(seat.place for seat in seats))
    one, other = seats
    if Outcome.FORFEIT_LOSS in (one.outcome, other.outcome):
        return SeatPlaces(tuple(None if seat.outcome is Outcome.FORFEIT_LOSS else 1 for seat in seats))
    if not (one.games or other.games) or (result.drawn_games and not can_draw_games):
        return "="
    return Games((one.games, other.games), result.drawn_games or 0)
