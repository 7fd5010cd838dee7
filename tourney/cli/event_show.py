"""`tourney event show` and `log`: where the event stands, and its story."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

import click

from tourney.cli.columns import table_text
from tourney.cli.command import command
from tourney.cli.session import Session
from tourney.event.words import counted

if TYPE_CHECKING:
    from tourney.event.state import State


@command("show", event=True, examples=["tourney event show", "tourney event show --json"])
def show(session: Session) -> None:
    """Say where the event stands: rules, players, round, what is next."""
    with session.desk() as desk:
        state, digest, plain = desk.state, desk.state_digest(), desk.show()
    if session.json:
        session.emit(
            "event/1", {**plain, "entry": state.entry, "digest": state.digest, "state_digest": digest}
        )
        return
    from tourney.event.next_steps import next_steps
    from tourney.event.viewing import status_text

    session.say(state.name)
    lines = [*_rules(state), *_people(state), ("status", status_text(state))]
    lines += [
        ("journal", f"{counted(state.entry, 'entry', 'entries')}, {state.digest}"),
        ("state", digest),
    ]
    session.say(indent(table_text([], lines), "  "))
    for sentence in next_steps(state):
        session.talk(sentence)


def _rules(state: State) -> list[tuple[str, str]]:
    lists = [kept for kept in state.rules if kept.kind == "banlist"]
    banlist = f"{lists[0].name} of {lists[0].day}" if lists else "none"
    rounds = "open-ended" if state.settings.rounds is None else counted(state.settings.rounds, "round")
    choices = [(key.replace("-", " "), str(value)) for key, value in state.settings.choices.items()]
    sealed = (
        [("seed", "sealed" if state.revealed is None else f"revealed: {state.revealed}")]
        if state.sealed
        else []
    )
    return [
        ("format", f"{state.format}, on {state.on} (ban list: {banlist})"),
        ("profile", state.profile),
        ("system", f"{state.settings.system}, {rounds}, best of {state.settings.best_of}"),
        *choices,
        *_beacon(state),
        *sealed,
    ]


def _beacon(state: State) -> list[tuple[str, str]]:
    source = state.settings.beacon
    value = state.beacon.value if state.beacon else "not entered yet"
    return [("beacon", f"{source}: {value}")] if source else []


def _people(state: State) -> list[tuple[str, str]]:
    everybody = state.players.values()
    gone = len(everybody) - len(state.playing)
    without = sum(1 for player in state.playing if not player.deck and not player.waived)
    left = f", {gone} left" if gone else ""
    lists = f"; {without} without a decklist" if without else ""
    return [("players", f"{len(state.playing)} playing{left}{lists}")]


@command(
    "log",
    event=True,
    examples=["tourney event log", "tourney event log --last 10", "tourney event log --json"],
)
@click.option("--last", metavar="N", type=click.IntRange(min=1), help="Only the newest N entries.")
def log(session: Session, last: int | None) -> None:
    """Tell the event's story, an entry a line: when, who, what, why."""
    with session.desk() as desk:
        lines = desk.log()
    shown = lines[-last:] if last else lines
    if session.json:
        session.emit("log/1", {"entries": shown})
        return
    rows = [(line.entry, _when(line.at), line.by, line.text + _undone(line.undone)) for line in shown]
    session.table(["entry", "when", "who", "what"], rows, right=(0,))


def _when(at: str) -> str:
    return at[:16].replace("T", " ")


def _undone(entry: int | None) -> str:
    return f" [taken back by entry {entry}]" if entry else ""
