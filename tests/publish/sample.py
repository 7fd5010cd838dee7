"""A small event as a view; every name in it is invented."""

from tourney.event.view import (
    ByeView,
    EventView,
    MatchView,
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
from tourney.record import PlayerId

NAMES = (
    "Mira Oake",
    "Tomo Reed",
    "<script>alert(1)</script>",
    "=SUM(A1)",
    "Åsa|Ünal *Quill*",
    "مها النور",
    "Bo",
)


CHAIN = tuple(f"{number:064x}" for number in range(1, 58))


def seat(number, points="", score="", won=False):
    return SeatView(player=PlayerId(number), name=NAMES[number - 1], points=points, score=score, won=won)


def event(rounds=1, cut=4):
    """Return an event of seven players: per round a win, a draw, a table at play, and a bye."""
    tables = (
        TableView(number=1, seats=(seat(1, "2½", "2", won=True), seat(2, "2", "0")), result="2–0"),
        TableView(number=2, seats=(seat(3, "1", "1"), seat(4, "1", "1")), result="1–1"),
        TableView(number=3, seats=(seat(5, "½"), seat(6, "0"))),
    )
    bye = ByeView(player=PlayerId(7), name=NAMES[6], kind="bye")
    shown = tuple(
        RoundView(number=n, title=f"Round {n}", tables=tables, byes=(bye,), proof="optimal (meets the bound)")
        for n in range(1, rounds + 1)
    )
    rows = tuple(
        RowView(
            rank=n,
            player=PlayerId(n),
            name=name,
            points="2½",
            record="2–0–1",
            values=("61.11 %", "0.5"),
            exact=("11/18", "1/2"),
            note="drop" if n == 6 else "",
        )
        for n, name in enumerate(NAMES, start=1)
    )
    players = tuple(
        PlayerView(
            player=row.player,
            name=row.name,
            row=row,
            matches=tuple(
                MatchView(
                    round=view.number,
                    title=view.title,
                    table=1,
                    opponents=((PlayerId(2), NAMES[1]),),
                    result="2–0",
                    points="1",
                )
                for view in shown
            ),
            why=("OMW %: mean of 2/3 (Tomo Reed) and 5/9 (Bo)",),
        )
        for row in rows
    )
    columns = (
        TiebreakView(code="OMW", name="opponents' match-win percentage", meaning="mean, floor 1/3"),
        TiebreakView(code="GW", name="game-win percentage"),
    )
    standings = StandingsView(
        profile="tourney",
        source="own",
        after=rounds,
        columns=columns,
        rows=rows if rounds else (),
        cut=cut,
    )
    return EventView(
        name="Friday & <b>Friends</b>",
        status="Round 1: 1 of 3 tables still playing",
        state=f"entry 57, {CHAIN[-1]}",
        facts=(("Format", "red-diamond/standard"), ("Profile", "tourney")),
        rounds=shown,
        standings=standings,
        settled=standings,
        players=players,
        verification=VerificationView(
            entry=57,
            digest=CHAIN[-1],
            chain=CHAIN,
            secret_sha256="5e" * 32,
            seeds=tuple(
                SeedView(title=view.title, entry=view.number + 1, seed="ab" * 32, engine="tourney swiss 1")
                for view in shown
            ),
        ),
    )
