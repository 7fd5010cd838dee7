"""`tourney penalty`: the penalties that judges gave, and the list of penalties."""

from __future__ import annotations

from typing import Any

import click

from tourney.cli.command import noun
from tourney.cli.options import (
    flag,
    infractions,
    levels,
    penalties,
    penalty_entries,
    player_argument,
    players,
    reason,
    round_number,
)
from tourney.cli.session import Session
from tourney.desk import Desk
from tourney.desk.desk import PenaltyReceipt
from tourney.desk.documents import PenaltyAnswer
from tourney.event.documents import PenaltyRow, penalties_document, penalty_row, penalty_rules
from tourney.event.entry import in_brackets
from tourney.wording import counted

cli = noun("penalty")


@cli.command("add", changes=True)
@player_argument
@click.argument("penalty_word", metavar="[LEVEL|INFRACTION]", required=False, shell_complete=penalties)
@click.option(
    "--infraction", metavar="INFRACTION", shell_complete=infractions, help="An infraction of `penalty rules`."
)
@flag("--apply", help="Also enter the consequence (a lost match, a disqualification) as a second entry.")
@round_number
@reason
def add(
    session: Session, *, player_name: str, penalty_word: str | None, infraction: str | None, **options: Any
) -> None:
    """Give a player a penalty.

    The answer shows earlier penalties, and whether this one should be more severe. An infraction without a
    level gets its usual level. A penalty is only recorded. With --apply, its consequence is entered, too: a
    lost match or a disqualification. `event undo` first undoes the consequence, then the penalty. A game loss
    in a longer match is part of the score: enter it there; `result add` reminds you.

    Examples:
      tourney penalty add Lena tardiness
      tourney penalty add Lena warning --infraction slow-play --reason "asked twice"
      tourney penalty add Lena match-loss --infraction outside-help --apply
    """
    if penalty_word is None and infraction is None:
        raise click.UsageError("name a level or an infraction: `tourney penalty rules` lists them")
    with session.desk() as desk:
        _answer(
            session, desk, desk.penalize(player_name, penalty_word or "", infraction=infraction, **options)
        )


@cli.command("upgrade", changes=True)
@click.argument("entry", type=click.IntRange(min=1), shell_complete=penalty_entries)
@click.argument("level", required=False, shell_complete=levels)
@flag("--apply", help="Also enter the new consequence (a lost match, a disqualification) as a second entry.")
@reason
def upgrade(session: Session, *, entry: int, level: str | None, **options: Any) -> None:
    """Upgrade a penalty to LEVEL, or to the level that `penalty rules` shows for a repetition.

    ENTRY is the number of the penalty's entry, which `penalty list` and `penalty add` show. The penalty
    remains one penalty, with its new level; `event undo` restores the old level.

    Examples:
      tourney penalty upgrade 57
      tourney penalty upgrade 57 match-loss --apply
    """
    with session.desk() as desk:
        _answer(session, desk, desk.upgrade_penalty(entry, level, **options))


def _answer(session: Session, desk: Desk, receipt: PenaltyReceipt) -> None:
    *earlier, penalty = receipt.history
    name = desk.state.players[penalty.player].name
    rows = tuple(penalty_row(desk.state, row, desk.texts) for row in earlier)
    texts = "; ".join(map(penalty_text, rows))
    session.answer(
        receipt,
        PenaltyAnswer,
        addition=f"Earlier penalties of {name}: {texts}." if rows else f"{name} had no penalty before.",
        earlier=rows,
        upgrade=receipt.upgrade or None,
    )


def round_label(round_number: int) -> str:
    """Return when something happened: `round 3`, or `before round 1` for round 0."""
    return f"round {round_number}" if round_number else "before round 1"


def penalty_text(row: PenaltyRow) -> str:
    """Return a penalty as a line: `round 3: warning, slow play (asked twice)`."""
    words = ", ".join(filter(None, (_level(row), row.infraction)))
    return f"{round_label(row.round)}: {words}{in_brackets(_reasons(row))}"


def _level(row: PenaltyRow) -> str:
    """Return the level of a penalty with its history: `warning, upgraded to game loss`."""
    first, *later = (*(row.was or ()), row.level)
    return f"{first}, upgraded to {', then to '.join(later)}" if later else first


def _reasons(row: PenaltyRow) -> str:
    """Return the reasons of a penalty and of its upgrades: `asked twice; upgraded: late again`."""
    upgrades = [f"upgraded: {reason}" for reason in row.upgrade_reasons or () if reason]
    return "; ".join(filter(None, (row.reason, *upgrades)))


@cli.command("list", event=True)
@click.argument("player_name", metavar="[PLAYER]", required=False, shell_complete=players)
def list_(session: Session, player_name: str | None) -> None:
    """List the penalties of this event, or of one player, in the order in which they were given.

    Examples:
      tourney penalty list
      tourney penalty list Lena
      tourney penalty list --json
    """
    with session.desk() as desk:
        player = desk.find_player(player_name) if player_name is not None else None
        document = penalties_document(desk.state, desk.texts, player)
        owner = f" of {desk.state.players[player].name}" if player is not None else ""
    session.emit(document)
    rows = [
        (row.entry, round_label(row.round), row.player, _level(row), row.infraction, _reasons(row))
        for row in document.penalties
    ]
    if rows:
        session.table(["entry", "when", "player", "level", "infraction", "why"], rows, right=(0,))
    session.talk(f"{counted(len(rows), 'penalty', 'penalties')}{owner}")


@cli.command("rules", event=True)
def rules(session: Session) -> None:
    """Show the list of penalties: levels, infractions with their usual level, and upgrades.

    To use your own list, put a TOML file into `penalties/` in your data folder (or in --data). `house.toml`
    replaces the default list; `event change --set penalties=NAME` selects any other.

    Examples:
      tourney penalty rules
      tourney penalty rules --json
    """
    with session.desk() as desk:
        document = penalty_rules(desk.state.settings.match.penalties, desk.penalty_list())
    session.emit(document)
    session.say(f"{document.title} ({document.name})\n")
    session.table(["level", "means"], [(level.name, level.means) for level in document.levels])
    if document.infractions:
        session.say()
        rows = [(rule.name, rule.level, rule.means) for rule in document.infractions]
        session.table(["infraction", "usually", "means"], rows)
    if document.upgrades:
        session.say()
    for rule in document.upgrades:
        condition = " for the same infraction" if rule.same else ""
        session.say(f"{rule.level} no. {rule.times}{condition}: should be upgraded to {rule.to}")
