"""`tourney player decks`: a folder of decklists, each to its player."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from tourney.cli.answer import foretell
from tourney.cli.command import command
from tourney.cli.deck_files import DeckFile, deck_files
from tourney.cli.exits import Exit, answering
from tourney.cli.session import Session
from tourney.errors import RulesError, TourneyError
from tourney.event.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tourney.desk import Desk
    from tourney.finding import Finding


@dataclass(frozen=True, slots=True)
class Filed:
    """What became of one file. verdict: empty where it could not be read or its player is not known."""

    file: str
    player: str
    verdict: str
    registered: bool
    said: str


@command(
    "decks",
    event=True,
    dry_run=True,
    examples=["tourney player decks decks/", "tourney player decks decks/ --dry-run"],
)
@click.argument("folders", metavar="DIR|FILE...", nargs=-1, required=True, type=click.Path())
def decks(session: Session, folders: tuple[str, ...]) -> Exit | None:
    """Check and register the decklists of a whole folder.

    Whose list it is says its first line `Name: …`, else the file's name (mira-oake.txt). Illegal lists and those of
    nobody are told and not registered; the command then leaves with 1, with 4 where one is unverified.
    """
    files = deck_files(folders)
    with session.desk() as desk, session.progress(files, "registering", len(files)) as walked:
        contents = {each.source: _content(session, desk, each) for each in files}
        filed = [_file(desk, each, contents[each.source]) for each in walked]
        state = desk.state
    registered = [each.player for each in filed if each.registered]
    with (
        answering(f"registered: {listed(registered)}")
        if registered and not session.dry_run
        else nullcontext()
    ):
        if session.json:
            session.emit("player-decks/1", {"decks": filed, "entry": state.entry, "digest": state.digest})
        else:
            _tell(session, filed)
    if not all(each.registered for each in filed):
        return Exit.FOUND
    return Exit.UNVERIFIED if any(each.verdict == "unverified" for each in filed) else None


def _content(session: Session, desk: Desk, file: DeckFile) -> bytes | TourneyError:
    """Read and judge a list, or say why it cannot be.

    Every list is, before the first is registered: what the rules or the pool cannot judge (RulesError) leaves nothing
    behind.
    """
    try:
        content = file.content(session)
        desk.judge_deck(content, source=file.source)
    except RulesError:
        raise
    except TourneyError as fault:
        return fault
    return content


def _file(desk: Desk, file: DeckFile, data: bytes | TourneyError) -> Filed:
    try:
        if isinstance(data, TourneyError):
            raise data
        player = desk.who(_player(desk, data, file))
        receipt = desk.submit_deck(player, data, source=file.source)
    except RulesError:
        raise
    except TourneyError as fault:
        return Filed(file.source, "", "", registered=False, said=fault.message)
    said = ", ".join(dict.fromkeys(_handles(receipt.verdict, receipt.findings)))
    name = receipt.state.players[player].name
    return Filed(
        file.source, name, receipt.verdict, registered=bool(receipt.entries) or receipt.already, said=said
    )


def _player(desk: Desk, data: bytes, file: DeckFile) -> str:
    """Return whose list it is, as written: in the list, else in the file's name."""
    from tourney.decks.reading import read
    from tourney.decks.zones import words_of

    written = read(data, source=file.source, vocabulary=words_of(desk.rules.format)).player
    return written or file.path.replace("\\", "/").rpartition("/")[2].partition(".")[0].translate(
        {45: " ", 95: " "}
    )


def _handles(verdict: str, findings: tuple[Finding, ...]) -> Iterator[str]:
    """Name the rules that stand in the way; an advice does not."""
    from tourney.finding import Severity

    deciding = {"illegal": Severity.ERROR, "unverified": Severity.UNVERIFIED}.get(verdict)
    return (each.rule for each in findings if each.severity is deciding)


def _tell(session: Session, filed: list[Filed]) -> None:
    foretell(session)
    rows = [(each.file, each.player, each.verdict or "–", each.said) for each in filed]
    session.table(["list", "player", "verdict", "why"], rows)
    registered = sum(each.registered for each in filed)
    session.talk(f"{registered} of {len(filed)} lists registered")
