"""`tourney event generate`: a random event to try things on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import click

from tourney.cli.command import command
from tourney.cli.options import file_option, flag, format_option, profile_option
from tourney.cli.session import Dice, Session, new_place
from tourney.decode import MAX_PLAYERS, MAX_ROUNDS
from tourney.desk import Desk
from tourney.desk.file_documents import GeneratedEvent
from tourney.desk.open_event import no_collecting
from tourney.desk.player_list import PlayerList
from tourney.desk.registration import register_list
from tourney.event.players import Registration
from tourney.event.rounds import Manner
from tourney.event.score import Games, Report, Score, SeatPlaces
from tourney.pairing.generate import Guest, Invented, TournamentKind, invent
from tourney.record import Outcome, PlayerId, Result
from tourney.store.backup import copy_event, place_to_try

_percent = partial(click.option, type=click.IntRange(0, 100), show_default=True)


@command("generate")
@click.argument("name", default="Generated")
@format_option("The format.", default="red-diamond/standard", show_default=True)
@profile_option("Points and tie-breaks.")
@click.option(
    "--players", type=click.IntRange(2, MAX_PLAYERS), default=16, show_default=True, help="How many players."
)
@click.option("--rounds", type=click.IntRange(1, MAX_ROUNDS), help="Swiss rounds; by default ⌈log₂ players⌉.")
@flag("--open", "left_open", help="Leave the last round without results.")
@_percent("--draws", default=5, help="Percentage of tables that end drawn.")
@_percent("--no-shows", default=1, help="Percentage of tables where one player does not show up.")
@_percent("--drops", default=3, help="Percentage of players who leave, each round.")
@_percent("--late", default=3, help="Percentage of players who join after round 1.")
@_percent("--half-byes", default=0, help="Percentage of players who ask for a half-point bye, each round.")
@click.option("--clubs", type=click.IntRange(0, 12), default=0, help="How many clubs the players belong to.")
@click.option("--seed", metavar="TEXT", help="The same seed makes the same event. A random one is printed.")
@file_option
def generate(
    session: Session,
    *,
    name: str,
    format_name: str,
    profile: str | None,
    seed: str | None,
    file: str | None,
    left_open: bool,
    **wishes: Any,
) -> None:
    """Make a random event and play it to its end, with the same code as the other commands.

    Examples:
      tourney event generate --players 16 --rounds 5
      tourney event generate Trial --players 200 --drops 5 --late 5 --clubs 8 --seed demo --quiet
    """
    seed = seed or session.entropy(8).hex()
    session.talk(f"seed {seed}")  # before anything runs, so that a crash can be repeated
    place = new_place(file, name)
    with place_to_try(place) as draft:  # so that an error does not leave half an event behind
        desk = Desk.create(
            draft,
            session.workplace(Dice(seed)),
            name=name,
            format_name=format_name,
            profile=profile,
            banlist="none",
        )
        with desk:
            invented = _invent(desk, seed, wishes)
            desk.change(rounds=invented.rounds)
            with no_collecting():
                _play(session, desk, invented, left_open=left_open)
            state = desk.state
        copy_event(draft, place)
    done = f"{state.name}: {len(state.players)} players, {len(state.rounds)} rounds in {place}"
    with session.answering(done):
        session.emit(GeneratedEvent(seed=seed, file=str(place), entry=state.entry, digest=state.digest))
        session.changed(done)


def _invent(desk: Desk, seed: str, wishes: dict[str, Any]) -> Invented:
    """Draw random arrivals, departures and results that the event's settings allow.

    wishes: the other options; fields of `TournamentKind`
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


def _play(session: Session, desk: Desk, invented: Invented, *, left_open: bool) -> None:
    """Register, drop, pair and report, round by round.

    left_open: leave the last round without results
    """
    player_of: dict[PlayerId, PlayerId] = {}  # guest → player of the event
    with session.progress(range(1, invented.rounds + 1), "playing", invented.rounds) as numbers:
        for number in numbers:
            if arriving := invented.arriving(number):
                _register(desk, arriving)
                newcomers = list(desk.state.players)[len(player_of) :]
                player_of.update(zip((guest.id for guest in arriving), newcomers, strict=True))
            if leaving := [player_of[guest.id] for guest in invented.leaving(number - 1)]:
                desk.drop(*leaving)
            desk.pair_round(manner=Manner(careful=False))
            if not (left_open and number == invented.rounds):
                guest_of = {player: guest for guest, player in player_of.items()}
                desk.report_all(list(_reports(desk, invented, guest_of)))


def _register(desk: Desk, guests: Sequence[Guest]) -> None:
    players = tuple(
        Registration(
            name=guest.name,
            tags=dict(tag.split(":", 1) for tag in guest.tags),
            byes={number: outcome.value for number, outcome in guest.byes.items()},
        )
        for guest in guests
    )
    register_list(desk, PlayerList(source="the generated players", form="names", players=players, decks={}))


def _reports(desk: Desk, invented: Invented, guest_of: Mapping[PlayerId, PlayerId]) -> Iterator[Report]:
    """Yield a report of the result of each table.

    A draw of the event's game may need an ending, or have no games.
    """
    match, scoring = desk.state.settings.match, desk.scoring()
    can_draw_games = match.drawn_in(bracket=False) != "none"
    round_ = desk.state.rounds[-1]
    for table in round_.tables.values():
        result = invented.result(round_.number, [guest_of[player] for player in table.seats])
        is_drawn = any(seat.outcome is Outcome.DRAW for seat in result.seats)
        endings = scoring.drawn_by(len(result.seats)) if scoring and is_drawn and match.best_of == 1 else ()
        yield Report(
            tables=table.number,
            score=_score(result, can_draw_games=can_draw_games),
            ended="time" if "time" in endings else next(iter(endings), ""),
        )


def _score(result: Result, *, can_draw_games: bool) -> Score:
    """Return the score of a result. can_draw_games: whether a game of a match can be drawn."""
    seats = result.seats
    if len(seats) > 2:
        return SeatPlaces(tuple(seat.place for seat in seats))
    one, other = seats
    if Outcome.FORFEIT_LOSS in (one.outcome, other.outcome):
        return SeatPlaces(tuple(None if seat.outcome is Outcome.FORFEIT_LOSS else 1 for seat in seats))
    if not (one.games or other.games) or (result.drawn_games and not can_draw_games):
        return "="
    return Games((one.games, other.games), result.drawn_games or 0)
