"""`tourney player deck`, `decks`, `waive-deck`: registering what is played."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from tourney.cli.answers import announce_dry_run, answer, answering, find_player, show_changes
from tourney.cli.command import command
from tourney.cli.deck.reading import DeckFile, deck_files
from tourney.cli.exits import Exit
from tourney.cli.options import VOUCHED, all_or_named, anyway, check_all_or_named, reason, trust_declared, who
from tourney.cli.session import Session, source_of
from tourney.desk import Desk
from tourney.desk.documents import DeckAnswer, DecksAnswer, receipt_fields
from tourney.desk.receipts import ImportedDeck
from tourney.errors import Finding, RulesError, Severity, TourneyError
from tourney.event.documents import PlayerDeckText
from tourney.wording import listed, listed_short

if TYPE_CHECKING:
    from tourney.desk.checking import DeckReceipt


@command(
    "deck",
    event=True,
    dry_run=True,
    examples=[
        "tourney player deck Mira decks/mira.txt",
        "tourney player deck Mira - < decks/mira.txt",
        "tourney player deck Mira",
    ],
)
@who
@click.argument("file", type=click.Path(allow_dash=True), required=False)
@anyway
@trust_declared(VOUCHED)
def deck(session: Session, who: str, file: str | None, anyway: bool, trust_declared: bool) -> Exit | None:
    """Check a decklist under the event's own rules and register it; without a file, print the registered one.

    An illegal list is not registered: the findings are told, and the command leaves with 1. One that cannot be
    settled is registered and leaves with 4, as does one that is trusted where another list of the event denies a fact.
    """
    if file is None:
        if anyway or trust_declared:
            raise click.UsageError(
                f"{'--anyway' if anyway else '--trust-declared'} is about a list that is handed in: name its FILE"
            )
        _print_registered(session, who)
        return None
    from tourney.desk.registration import submit_deck

    data = session.read(file)
    with session.desk() as desk:
        receipt = submit_deck(
            desk, who, data, source=source_of(file), anyway=anyway, trust_declared=trust_declared
        )
    with answering(session, receipt) if receipt.entries else nullcontext():
        tell_deck(session, receipt)
    if receipt.verdict == "illegal":
        return None if receipt.entries else Exit.FOUND
    unsettled = any(each.severity is Severity.UNVERIFIED for each in receipt.findings)
    return Exit.UNVERIFIED if unsettled else None


def _print_registered(session: Session, who: str) -> None:
    """Print the list that a player registered, as it was handed in."""
    with session.desk() as desk:
        text = desk.deck_text(who)
        name = desk.state.players[find_player(session, desk, who)].name
    if session.json:
        session.emit(PlayerDeckText(player=name, text=text))
    else:
        session.say(text.rstrip("\n"))


def tell_deck(session: Session, receipt: DeckReceipt) -> None:
    """Tell what became of a list: the change, the findings, what is next."""
    if session.json:
        session.emit(
            DeckAnswer(
                **receipt_fields(receipt, dry_run=session.dry_run),
                verdict=receipt.verdict,
                findings=receipt.findings,
                facts_used=receipt.facts_used,
            )
        )
        return
    from tourney.cli.deck.verdicts import cited, rows

    show_changes(session, receipt)
    if receipt.findings:
        for line in (*rows(receipt.findings), *cited(receipt.findings)):
            session.say(line)
    for note in receipt.warnings:
        session.talk(f"note: {note}")
    for sentence in receipt.next:
        session.talk(sentence)


@command(
    "decks",
    event=True,
    dry_run=True,
    examples=["tourney player decks decks/", "tourney player decks decks/ --dry-run"],
)
@click.argument("folders", metavar="DIR|FILE...", nargs=-1, required=True, type=click.Path())
@trust_declared(VOUCHED)
def decks(session: Session, folders: tuple[str, ...], trust_declared: bool) -> Exit | None:
    """Check and register the decklists of a whole folder.

    Whose list it is says its first line `Name: …`, else the file's name (mira-oake.txt). Illegal lists and those of
    nobody are told and not registered; the command then leaves with 1, with 4 where one is unverified.
    """
    from tourney.desk import registration

    files = deck_files(folders)
    with session.desk() as desk, session.progress(files, "registering", len(files)) as walked:
        contents = {each.source: _content(session, desk, each) for each in files}
        filed = [_file(desk, each, contents[each.source], trust_declared=trust_declared) for each in walked]
        state = desk.state
        contradictions = registration.contradictions(desk, [each.player for each in filed if each.registered])
    registered = [each.player for each in filed if each.registered]
    with answering(session, f"registered: {listed(registered)}") if registered else nullcontext():
        if session.json:
            session.emit(
                DecksAnswer(
                    decks=tuple(filed),
                    contradictions=tuple(contradictions),
                    entry=state.entry,
                    digest=state.digest,
                )
            )
        else:
            _tell_filed(session, filed, contradictions)
    return way_out(filed, contradictions)


def _content(session: Session, desk: Desk, file: DeckFile) -> bytes | TourneyError:
    """Read and judge a list, or say why it cannot be.

    Every list is, before the first is registered: what the rules or the pool cannot judge (RulesError) leaves nothing
    behind.
    """
    from tourney.desk.checking import judge_deck

    try:
        content = file.content(session)
        judge_deck(desk, content, source=file.source)
    except RulesError:
        raise
    except TourneyError as fault:
        return fault
    return content


def _file(desk: Desk, file: DeckFile, data: bytes | TourneyError, *, trust_declared: bool) -> ImportedDeck:
    from tourney.desk.registration import imported_deck, submit_deck

    try:
        if isinstance(data, TourneyError):
            raise data
        player = desk.who(_player(desk, data, file), bare=False)  # `7.txt` is the seventh file of a folder
        receipt = submit_deck(desk, player, data, source=file.source, trust_declared=trust_declared)
    except RulesError:
        raise
    except TourneyError as fault:
        return ImportedDeck(file.source, "", "", registered=False, reason=fault.message)
    name = receipt.state.players[player].name
    told = imported_deck(file.source, name, receipt)
    return replace(told, registered=bool(receipt.entries) or receipt.already)


def _player(desk: Desk, data: bytes, file: DeckFile) -> str:
    """Return whose list it is, as written: in the list, else in the file's name."""
    from tourney.decks import read

    written = read(data, source=file.source, format_=desk.rules.format).player
    return written or file.path.replace("\\", "/").rpartition("/")[2].partition(".")[0].translate(
        {45: " ", 95: " "}
    )


def _tell_filed(session: Session, filed: Sequence[ImportedDeck], contradictions: Sequence[Finding]) -> None:
    announce_dry_run(session)
    rows = [(each.file, each.player, each.verdict or "–", each.reason) for each in filed]
    session.table(["list", "player", "verdict", "why"], rows)
    registered = sum(each.registered for each in filed)
    session.talk(f"{registered} of {len(filed)} lists registered")
    say_vouched(session, filed, contradictions)


def say_vouched(session: Session, decks: Sequence[ImportedDeck], contradictions: Sequence[Finding]) -> None:
    """Say whose decks rest on facts that they declare, and which of these another list of the event denies."""
    for each in contradictions:
        session.talk(f"warning: {each.message}")
    names = [each.player for each in decks if each.registered and each.vouched]
    if names:
        of = "list" if len(names) == 1 else "lists"
        session.talk(
            f"on your word: the facts that the {of} of {listed_short(names)} declare{'s' if of == 'list' else ''}"
            " (`tourney player show NAME` has them)"
        )


def way_out(decks: Sequence[ImportedDeck], contradictions: Sequence[Finding]) -> Exit | None:
    """Return what a command leaves with that registered lists: 1 where one is not, 4 where one cannot be settled."""
    if not all(each.registered for each in decks):
        return Exit.FOUND
    doubtful = any(each.vouched for each in decks) and contradictions
    return Exit.UNVERIFIED if doubtful or any(each.verdict == "unverified" for each in decks) else None


@command(
    "waive-deck",
    event=True,
    dry_run=True,
    examples=["tourney player waive-deck Mira Tomo", "tourney player waive-deck --all --except Fenn"],
)
@all_or_named("Everybody who has not left and has no decklist.")
@reason
def waive(
    session: Session, who: tuple[str, ...], everybody: bool, but: tuple[str, ...], reason: str | None
) -> None:
    """Note that players need not hand in a list."""
    check_all_or_named(who, everybody, but)
    with session.desk() as desk:
        answer(
            session,
            desk.waive_all_decks(but, reason=reason) if everybody else desk.waive_deck(*who, reason=reason),
        )
