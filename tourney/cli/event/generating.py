"""`tourney event generate`: a random event to try things on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import command
from tourney.cli.event.files import file_name, file_option
from tourney.cli.options import format_option, profile_option
from tourney.cli.output import already_written
from tourney.cli.session import Dice, Session
from tourney.decode import MOST_PLAYERS, MOST_ROUNDS
from tourney.record import Outcome, PlayerId, Result

if TYPE_CHECKING:
    from tourney.desk import Desk
    from tourney.pairing.generate import Guest, Invented


_PERCENT = click.IntRange(0, 100)


@command(
    "generate",
    examples=[
        "tourney event generate --players 16 --rounds 5",
        "tourney event generate Trial --players 200 --drops 5 --late 5 --clubs 8 --seed demo --quiet",
    ],
)
@click.argument("name", default="Generated")
@format_option("The format.", default="red-diamond/standard", show_default=True)
@profile_option("Points and tie-breaks.")
@click.option(
    "--players", type=click.IntRange(2, MOST_PLAYERS), default=16, show_default=True, help="How many players."
)
@click.option("--rounds", type=click.IntRange(1, MOST_ROUNDS), help="Swiss rounds; else ⌈log₂ players⌉.")
@click.option("--open", "left_open", is_flag=True, help="Leave the last round without results.")
@click.option(
    "--draws", type=_PERCENT, default=5, show_default=True, help="Percent of tables that end drawn."
)
@click.option(
    "--no-shows",
    type=_PERCENT,
    default=1,
    show_default=True,
    help="Percent of tables where one player does not show up.",
)
@click.option(
    "--drops", type=_PERCENT, default=3, show_default=True, help="Percent of players who leave, each round."
)
@click.option(
    "--late", type=_PERCENT, default=3, show_default=True, help="Percent of players who come after round 1."
)
@click.option(
    "--half-byes",
    type=_PERCENT,
    default=0,
    help="Percent of players who ask for a half-point bye, each round.",
)
@click.option("--clubs", type=click.IntRange(0, 12), default=0, help="How many clubs they belong to.")
@click.option(
    "--seed", metavar="TEXT", help="The same seed makes the same event; printed first, even if it was drawn."
)
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
    """Make a random event, played to its end by the very commands of the desk."""
    from tourney.desk import Desk

    seed = seed or session.entropy(8).hex()
    session.talk(f"seed {seed}")  # before anything runs, so that a crash can be repeated
    desk = Desk.create(
        Path(file) if file else file_name(name),
        name=name,
        format_name=format_name,
        by=session.by,
        clock=session.now,
        randomness=Dice(seed),
        library=session.library,
        profile=profile,
        banlist="none",
    )
    try:
        with desk:
            invented = _invent(desk, seed, wishes)
            desk.change(rounds=invented.rounds)
            _play(session, desk, invented, left_open=left_open)
            state = desk.state
    except BaseException:  # half an event is of no use, and a refusal leaves nothing behind
        desk.path.unlink(missing_ok=True)
        raise
    done = f"{state.name}: {len(state.players)} players, {len(state.rounds)} rounds in {desk.path}"
    with already_written(done):
        if session.json:
            session.emit(
                "event-generate/1",
                {"seed": seed, "file": desk.path, "entry": state.entry, "digest": state.digest},
            )
        else:
            session.changed(done)


def _invent(desk: Desk, seed: str, wishes: dict[str, Any]) -> Invented:
    """Draw who comes and goes when, and what comes of each table, as the event's settings allow it."""
    from tourney.pairing.generate import TournamentKind, invent

    settings = desk.state.settings
    draws = wishes.pop("draws") if settings.draws else 0
    kind = TournamentKind(best_of=settings.best_of, seats=settings.seats[0], draws=draws, **wishes)
    return invent(kind, seed)


def _play(session: Session, desk: Desk, invented: Invented, *, left_open: bool) -> None:
    """Register, drop, pair and report round by round. left_open: the last round stays without results."""
    guest_of: dict[PlayerId, PlayerId] = {}
    number_of: dict[PlayerId, PlayerId] = {}
    with session.progress(range(1, invented.rounds + 1), "playing", invented.rounds) as numbers:
        for number in numbers:
            _register(desk, invented.arriving(number))
            for guest, player in zip(
                invented.arriving(number), list(desk.state.players)[len(guest_of) :], strict=True
            ):
                guest_of[player], number_of[guest.id] = guest.id, player
            leaving = [number_of[guest.id] for guest in invented.leaving(number - 1)]
            if leaving:
                desk.drop(*leaving)
            desk.pair_round()
            if not (left_open and number == invented.rounds):
                desk.report_block(_slips(desk, invented, guest_of, number))


def _register(desk: Desk, guests: tuple[Guest, ...]) -> None:
    if not guests:
        return
    from tourney.spreadsheet import csv_text

    rows = []
    for guest in guests:
        club = next((tag.removeprefix("club:") for tag in guest.tags), "")
        byes = " ".join(f"{number}={outcome.value}" for number, outcome in guest.byes.items())
        rows.append([guest.name, club, byes])
    desk.import_players(csv_text(["name", "club", "byes"], rows), source="the generated players")


def _slips(desk: Desk, invented: Invented, guest_of: dict[PlayerId, PlayerId], number: int) -> list[str]:
    """Write a line for each table: `4 2-1`."""
    current = desk.state.rounds[number - 1]
    return [
        f"{table.number} {_typed(invented.result(number, tuple(guest_of[player] for player in table.seats)))}"
        for table in current.tables.values()
    ]


def _typed(result: Result) -> str:
    """Return a result as it is typed at the desk: `2-1`, `1-1-1`, `=`, `ff2`, `1,3,2`."""
    seats = result.seats
    if len(seats) > 2:
        return ",".join(str(seat.place) for seat in seats)
    for place, seat in enumerate(seats, 1):
        if seat.outcome is Outcome.FORFEIT_LOSS:
            return f"ff{place}"
    games = [seat.games for seat in seats]
    if not any(games):
        return "="
    return "-".join(map(str, [*games, result.drawn_games] if result.drawn_games else games))
