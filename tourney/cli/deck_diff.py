"""`tourney deck diff`: a presented list against another one, or against the one that was registered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tourney.cli.command import command
from tourney.cli.completers import formats, players
from tourney.cli.deck_files import STDIN
from tourney.cli.exits import Exit
from tourney.cli.rules_asked import RulesAsked
from tourney.cli.session import Session

if TYPE_CHECKING:
    from tourney.decks.difference import Changed
    from tourney.rules import Ruleset


@command(
    "diff",
    event=True,
    examples=[
        "tourney deck diff registered.txt presented.txt",
        "tourney deck diff presented.txt --player Mira",
        "tourney deck diff old.txt new.txt --format redline/standard",
    ],
)
@click.argument("first", metavar="FILE|-")
@click.argument("second", metavar="[FILE]", required=False)
@click.option(
    "--player", metavar="PLAYER", shell_complete=players, help="Compare with the list this player registered."
)
@click.option(
    "-f",
    "--format",
    "name",
    metavar="NAME|FILE",
    shell_complete=formats,
    help="Whose aliases, printings and zones hold; the event's by default.",
)
def diff(
    session: Session, first: str, second: str | None, player: str | None, name: str | None
) -> Exit | None:
    """Compare two lists as decks: order, comments and printings do not matter. Leaves with 1 if they differ.

    With --player the registered list comes first and FILE is what was presented at the table.
    """
    if (second is None) == (player is None):
        raise click.UsageError("two files are compared, or one file with --player")
    asked = RulesAsked(session, (name,) if name else (), None, None, {})
    rules = asked.ruleset(name) if name else asked.event_rules
    before: str | bytes
    if player is not None:
        with session.desk() as desk:
            before, after = desk.deck_text(player), session.read(first)
        shown = (f"registered by {player}", _shown(first))
    else:
        assert second is not None
        before, after = session.read(first), session.read(second)
        shown = (_shown(first), _shown(second))
    changed = _difference((before, after), shown, rules)
    if session.json:
        session.emit(
            "deck-diff/1", {"first": shown[0], "second": shown[1], "same": not changed, "changed": changed}
        )
    else:
        _say(session, changed, shown)
    return Exit.FOUND if changed else None


def _shown(name: str) -> str:
    return STDIN if name == "-" else name


def _difference(
    texts: tuple[str | bytes, str | bytes], shown: tuple[str, str], rules: Ruleset | None
) -> tuple[Changed, ...]:
    from tourney.decks.difference import difference
    from tourney.decks.reading import read
    from tourney.decks.vocabulary import GENERAL
    from tourney.decks.zones import words_of

    words = words_of(rules.format) if rules else GENERAL
    first, second = (
        read(text, source=source, vocabulary=words) for text, source in zip(texts, shown, strict=True)
    )
    return difference(first, second, rules)


def _say(session: Session, changed: tuple[Changed, ...], shown: tuple[str, str]) -> None:
    if not changed:
        session.say(f"{shown[1]} is the same deck as {shown[0]}")
        return
    session.say(f"{shown[1]} against {shown[0]}:\n")
    rows = [
        [f"{each.after - each.before:+d}", each.card, each.zone, f"{each.before} → {each.after}"]
        for each in changed
    ]
    session.table((), rows, right=(0,))
    out = sum(max(0, each.before - each.after) for each in changed)
    new = sum(max(0, each.after - each.before) for each in changed)
    session.say(f"\n{new} put in, {out} taken out")
