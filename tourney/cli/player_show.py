"""`tourney player list` and `show`."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.columns import table_text
from tourney.cli.command import command
from tourney.cli.options import who
from tourney.cli.session import Session
from tourney.event.words import counted

if TYPE_CHECKING:
    from tourney.event.state import Player
    from tourney.event.views import RowView, StandingsView


@command(
    "list",
    event=True,
    examples=["tourney player list", "tourney player list --without-deck", "tourney player list --json"],
)
@click.option("--playing", is_flag=True, help="Only players who have not left.")
@click.option(
    "--without-deck",
    is_flag=True,
    help="Only players with neither a registered deck nor leave to play without one.",
)
@click.option("--absent", is_flag=True, help="Only players who are not checked in.")
def list_(session: Session, playing: bool, without_deck: bool, absent: bool) -> None:
    """List the players in order of registration."""
    with session.desk() as desk:
        everybody = desk.state.players.values()
        shown = [
            player
            for player in everybody
            if (player.playing or not (playing or without_deck or absent))
            and not (without_deck and (player.deck or player.waived))
            and not (absent and player.checked_in)
        ]
    if session.json:
        session.emit("players/1", {"players": [as_json(player) for player in shown]})
        return
    if shown:
        session.table(["#", "player", "deck", "here", "note"], [_row(player) for player in shown], right=(0,))
    of = f" of {len(everybody)}" if len(shown) != len(everybody) else ""
    session.talk(f"{len(shown)}{of} players" if of else counted(len(shown), "player"))


def _row(player: Player) -> list[str]:
    return [str(player.id), player.name, _deck(player), "yes" if player.checked_in else "", note(player)]


def _deck(player: Player) -> str:
    if player.deck:
        return player.deck.verdict
    return "waived" if player.waived else ""


def note(player: Player) -> str:
    """Say in a word or two why a player is not simply playing."""
    if player.disqualified is not None:
        return f"disqualified {_after(player.disqualified)}"
    if player.dropped is not None:
        return f"dropped {_after(player.dropped)}"
    if player.since > 1:
        return f"since round {player.since}"
    return ""


def _after(number: int) -> str:
    return f"after round {number}" if number else "before round 1"


def as_json(player: Player) -> dict[str, Any]:
    """Return a player as the JSON of `player list` and `player show` has them."""
    return {
        "id": player.id,
        "name": player.name,
        "playing": player.playing,
        "since": player.since,
        "dropped": player.dropped,
        "disqualified": player.disqualified,
        "deck": player.deck.verdict if player.deck else None,
        "waived": player.waived,
        "checked_in": player.checked_in,
        "rating": player.rating,
        "table": player.table,
        "tags": {kind: text for kind, (_, text) in player.tags.items()},
        "byes": {str(number): outcome.value for number, outcome in player.byes.items()},
    }


def _standing(row: RowView, standings: StandingsView) -> str:
    """Say where a player stands: `, rank 3 with 2½ points`, and while tables play, that it may change."""
    points = f"{row.points} {'point' if row.points in ('1', '½') else 'points'}"
    so_far = f" ({standings.heading})" if standings.provisional else ""
    return (
        f", {points}, without a rank{so_far}"
        if row.rank is None
        else f", rank {row.rank} with {points}{so_far}"
    )


@command("show", event=True, examples=["tourney player show Mira", "tourney player show '#7' --json"])
@who
def show(session: Session, who: str) -> None:
    """Show one player: facts, matches so far, place."""
    from tourney.desk.pages import event_view

    with session.desk() as desk:
        player = desk.state.players[desk.who(who)]
        view = event_view(desk, why=False)
        page = next(page for page in view.players if page.player == player.id)
    if session.json:
        session.emit(
            "player/1",
            {
                **as_json(player),
                "matches": page.matches,
                "standing": page.row,
                "as_of": view.standings.heading,
                "provisional": view.standings.provisional,
            },
        )
        return
    facts = [
        ("deck", _deck(player)),
        ("note", note(player)),
        ("rating", player.rating),
        ("table", player.table),
    ]
    facts += [(kind, text) for kind, (_, text) in player.tags.items()]
    facts += [(f"round {number}", outcome.value) for number, outcome in player.byes.items()]
    standing = _standing(page.row, view.standings) if page.row else ""
    session.say(f"{player.name} (#{player.id}){standing}")
    told = [(word, said) for word, said in facts if said]
    if told:
        session.say(indent(table_text([], told), "  "))
    if page.matches:
        rows = [
            (
                match.title,
                match.table or "",
                " – ".join(name for _, name in match.opponents),
                match.result,
                match.points,
            )
            for match in page.matches
        ]
        session.table(["round", "table", "against", "result", "points"], rows, right=(1, 4))
