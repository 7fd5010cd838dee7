"""`tourney penalty`: what judges gave, and by which list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import noun
from tourney.cli.options import (
    infractions,
    levels,
    penalties,
    penalty_entries,
    players,
    reason,
    round_number,
    who,
)
from tourney.cli.session import Session, answering, mind, say_changed
from tourney.event.entry import in_brackets, written
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.desk import Desk
    from tourney.desk.desk import PenaltyReceipt
    from tourney.event.ops import Ref
    from tourney.event.penalties import PenaltyList
    from tourney.event.state import Remark, State

cli = noun("penalty")


@cli.command(
    "add",
    event=True,
    dry_run=True,
    examples=[
        "tourney penalty add Lena tardiness",
        'tourney penalty add Lena warning --infraction slow-play --reason "asked twice"',
        "tourney penalty add Lena match-loss --infraction outside-help --apply",
    ],
)
@who
@click.argument("what", metavar="LEVEL|INFRACTION", required=False, shell_complete=penalties)
@click.option(
    "--infraction",
    metavar="INFRACTION",
    shell_complete=infractions,
    help="What it is for; `penalty rules` lists them.",
)
@click.option(
    "--apply",
    "applied",
    is_flag=True,
    help="Enter what it costs, too: the match as lost, the disqualification. An entry of its own.",
)
@round_number
@reason
def add(
    session: Session,
    *,
    who: str,
    what: str | None,
    infraction: str | None,
    applied: bool,
    round_number: int | None,
    reason: str | None,
) -> None:
    """Give a player a penalty; what they had before in this event is shown, and whether it should be a harsher one.

    An infraction alone has the level that the list gives it. By itself a penalty is only noted: with --apply the match
    is entered as lost, or the player disqualified, where the level costs that; `event undo` takes that back first, then
    the penalty. A lost game of a longer match belongs to the score; `result add` reminds of it.
    """
    if what is None and infraction is None:
        raise click.UsageError("say a level or an infraction: `tourney penalty rules` lists them")
    with session.desk() as desk:
        receipt = desk.penalize(
            who, what or "", infraction=infraction, apply=applied, round_number=round_number, reason=reason
        )
        _tell(session, desk, receipt)


@cli.command(
    "upgrade",
    event=True,
    dry_run=True,
    examples=["tourney penalty upgrade 57", "tourney penalty upgrade 57 match-loss --apply"],
)
@click.argument("entry", type=click.IntRange(min=1), shell_complete=penalty_entries)
@click.argument("level", required=False, shell_complete=levels)
@click.option(
    "--apply",
    "applied",
    is_flag=True,
    help="Enter what it costs now, too: the match as lost, the disqualification. An entry of its own.",
)
@reason
def upgrade(session: Session, *, entry: int, level: str | None, applied: bool, reason: str | None) -> None:
    """Upgrade a penalty to a harsher one: LEVEL, or what the list says for its repetition.

    ENTRY is the penalty's, as `penalty list` and `penalty add` say it. It is still one penalty, and counts as what it
    is now; `event undo` makes it what it was.
    """
    with session.desk() as desk:
        receipt = desk.upgrade_penalty(entry, level, apply=applied, reason=reason)
        _tell(session, desk, receipt)


def _tell(session: Session, desk: Desk, receipt: PenaltyReceipt) -> None:
    with answering(session, receipt):
        if session.json:
            from tourney.desk.documents import receipt_fields

            earlier = [penalty_json(desk.state, each, desk.texts) for each in receipt.history[:-1]]
            session.emit(
                "penalty-receipt/1",
                {
                    **receipt_fields(receipt, dry_run=session.dry_run),
                    "earlier": earlier,
                    "upgrade": receipt.upgrade or None,
                },
            )
            return
        say_changed(session, receipt)
        name = desk.state.players[receipt.history[-1].player].name
        before = [penalty_text(each, desk.texts) for each in receipt.history[:-1]]
        session.changed(
            f"Earlier penalties of {name}: {'; '.join(before)}."
            if before
            else f"{name} had no penalty before."
        )
    mind(session, receipt)


def when(number: int) -> str:
    """Say in which round (0: before the first) a penalty was given, or a deck checked: `round 3`."""
    return f"round {number}" if number else "before round 1"


def penalty_text(remark: Remark, texts: Mapping[Ref, str | None]) -> str:
    """Say a penalty in a line: `round 3 warning, slow play (asked twice)`."""
    words = ", ".join(filter(None, (_level(remark), remark.infraction)))
    return f"{when(remark.round)} {words}{in_brackets(said(remark, texts))}"


def _level(remark: Remark) -> str:
    """Say a level, and what it was before: `warning, upgraded to game loss`."""
    first, *later = (*remark.was, remark.kind)
    return f"{first}, upgraded to {', then to '.join(later)}" if later else first


def said(remark: Remark, texts: Mapping[Ref, str | None]) -> str:
    """Return what was written to a remark, and to each upgrade of a penalty: `asked twice; upgraded: and again`."""
    upgrades = [f"upgraded: {why}" for ref in remark.whys if (why := written(ref, texts))]
    return "; ".join(filter(None, (written(remark.text, texts), *upgrades)))


def penalty_json(state: State, remark: Remark, texts: Mapping[Ref, str | None]) -> dict[str, Any]:
    """Return a penalty as JSON."""
    upgraded = {"was": remark.was, "upgrade_reasons": [written(each, texts) or None for each in remark.whys]}
    json = {
        "entry": remark.entry,
        "round": remark.round,
        "id": remark.player,
        "player": state.players[remark.player].name,
        "level": remark.kind,
        "infraction": remark.infraction or None,
        "loss": remark.loss or None,
        "reason": written(remark.text, texts) or None,
    }
    return json | upgraded if remark.was else json


@cli.command(
    "list",
    event=True,
    examples=["tourney penalty list", "tourney penalty list Lena", "tourney penalty list --json"],
)
@click.argument("who", metavar="PLAYER", required=False, shell_complete=players)
def list_(session: Session, who: str | None) -> None:
    """List the penalties of this event, or of one player, in the order in which they were given."""
    with session.desk() as desk:
        state, texts = desk.state, desk.texts
        player = desk.who(who) if who is not None else None
    given = [each for each in state.penalties if player in (None, each.player)]
    if session.json:
        session.emit("penalties/1", {"penalties": [penalty_json(state, each, texts) for each in given]})
        return
    rows = [
        (
            each.entry,
            when(each.round),
            state.players[each.player].name,
            _level(each),
            each.infraction,
            said(each, texts),
        )
        for each in given
    ]
    if rows:
        session.table(["entry", "when", "player", "level", "infraction", "why"], rows, right=(0,))
    whose = f" of {state.players[player].name}" if player is not None else ""
    session.talk(f"{counted(len(given), 'penalty', 'penalties')}{whose}")


@cli.command("rules", event=True, examples=["tourney penalty rules", "tourney penalty rules --json"])
def rules(session: Session) -> None:
    """Show the list penalties are given by: levels, infractions with their usual level, upgrades.

    Another list is a TOML file in `penalties/` of your data folder (or of --data): `house.toml` takes the place of the
    one that is shown, any other name is chosen by `event change --set penalties=NAME`.
    """
    with session.desk() as desk:
        given_by, name = desk.penalty_list(), desk.state.settings.match.penalties
    if session.json:
        session.emit(
            "penalty-rules/1",
            {
                "name": name,
                "title": given_by.title,
                "levels": [
                    {"name": each.name, "means": each.means, "loss": each.loss or None}
                    for each in given_by.levels
                ],
                "infractions": [
                    {"name": each.name, "means": each.means, "level": each.level}
                    for each in given_by.infractions
                ],
                "upgrades": [
                    {"level": each.level, "times": each.times, "same": each.same, "to": each.to}
                    for each in given_by.upgrades
                ],
            },
        )
        return
    session.say(f"{given_by.title} ({name})\n")
    session.table(["level", "means"], [(each.name, each.means) for each in given_by.levels])
    if given_by.infractions:
        session.say()
        rows = [(each.name, each.level, each.means) for each in given_by.infractions]
        session.table(["infraction", "usually", "means"], rows)
    if given_by.upgrades:
        session.say()
        session.say("\n".join(_upgrades(given_by)))


def _upgrades(given_by: PenaltyList) -> list[str]:
    return [
        f"{each.level} no. {each.times}{' for the same infraction' if each.same else ''}: should be upgraded to {each.to}"
        for each in given_by.upgrades
    ]
