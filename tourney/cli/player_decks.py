"""`tourney player deck`, `decks`, `waive-deck` and `tourney event deck`: register decklists.

A list belongs to one player, or (`event deck`) to all players or to those of a table. A list can declare
facts about cards that are missing from the card pool. Such facts make a list legal only if the organizer
trusts them (`--trust-declared`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click
from msgspec import UNSET
from msgspec.structs import replace

import tourney.desk as desks
from tourney.cli.command import command
from tourney.cli.deck_reading import DeckFile, deck_files
from tourney.cli.options import all_or_named, anyway, parts, player_argument, reason, vouch
from tourney.cli.session import Exit, Session, source_of
from tourney.desk import Desk
from tourney.desk.documents import DeckAnswer, DecksAnswer
from tourney.desk.receipts import ImportedDeck
from tourney.errors import Finding, RulesError, Severity, TourneyError
from tourney.event.documents import PlayerDeckText, SharedDeck, SharedDecks
from tourney.wording import listed, listed_short

if TYPE_CHECKING:
    from tourney.desk.registration import DeckReceipt, JudgedList


# -- tourney player deck, decks, waive-deck


@command("deck", changes=True)
@player_argument
@click.argument("file", type=click.Path(allow_dash=True), required=False)
@anyway
@vouch
def deck(
    session: Session, player_name: str, file: str | None, anyway: bool, trust_declared: bool
) -> Exit | None:
    """Check a decklist under the event's rules and register it.

    Without a file, the registered list is printed.

    An illegal list is not registered: the command shows what is wrong and exits with 1. An unverified list is
    registered, and the command exits with 4. With --trust-declared, it also exits with 4 if another list of
    the event contradicts the facts that this list declares about cards.

    Examples:
      tourney player deck Mira decks/mira.txt
      tourney player deck Mira - < decks/mira.txt
      tourney player deck Mira
    """
    if file is None:
        if anyway or trust_declared:
            raise click.UsageError(f"{'--anyway' if anyway else '--trust-declared'} needs the FILE of a list")
        _print_registered_list(session, player_name)
        return None
    from tourney.desk.registration import submit_deck

    data = session.read(file)
    with session.desk() as desk:
        receipt = submit_deck(
            desk, player_name, data, source=source_of(file), anyway=anyway, trust_declared=trust_declared
        )
    return _answer_registered(session, receipt)


def _print_registered_list(session: Session, player_name: str) -> None:
    """Print the list that a player registered, as it was submitted."""
    with session.desk() as desk:
        text = desk.deck_text(player_name)
        name = desk.state.players[session.find_player(desk, player_name)].name
    session.emit(PlayerDeckText(player=name, text=text))
    session.say(text.rstrip("\n"))


def _answer_registered(session: Session, receipt: DeckReceipt) -> Exit | None:
    """Show what was registered, the findings and the next steps, and return the exit code."""
    from tourney.cli.deck_checking import rows, source_lines

    document = DeckAnswer.of(receipt, dry_run=session.dry_run)
    with session.answering(*(receipt.changed if receipt.entries else ())):
        session.emit(document)
        session.show_changes(receipt)
        session.say([*rows(receipt.findings), *source_lines(receipt.findings)])
        for note in receipt.warnings:
            session.talk(f"note: {note}")
        for step in receipt.next:
            session.talk(step.sentence)
    if receipt.verdict == "illegal":
        return None if receipt.entries else Exit.FOUND
    is_unverified = any(finding.severity is Severity.UNVERIFIED for finding in receipt.findings)
    return Exit.UNVERIFIED if is_unverified else None


@command("decks", changes=True)
@click.argument("folders", metavar="DIR|FILE...", nargs=-1, required=True, type=click.Path())
@vouch
def decks(session: Session, folders: tuple[str, ...], trust_declared: bool) -> Exit | None:
    """Check and register all decklists of a folder.

    A list belongs to the player named in its first line, `Name: …`, or otherwise in the file's name
    (mira-oake.txt). Illegal lists, and lists without a known player, are reported but not registered, and the
    command exits with 1. If a list is unverified, it exits with 4.

    Examples:
      tourney player decks decks/
      tourney player decks decks/ --dry-run
    """
    from tourney.desk import registration

    files = deck_files(folders)
    with session.desk() as desk, session.progress(files, "registering", len(files)) as queue:
        # All lists are checked before the first one is registered, so that an error in the rules or the pool
        # is raised before any entry is written.
        judged_lists = {
            file.source: _judge_list(session, desk, file, trust_declared=trust_declared) for file in files
        }
        answers = [_register_list(desk, file, judged_lists[file.source]) for file in queue]
        state = desk.state
        registered_players = [deck.player for deck in answers if deck.registered]
        contradictions = registration.contradictions(desk, registered_players)
    document = DecksAnswer(
        decks=tuple(answers), contradictions=tuple(contradictions), entry=state.entry, digest=state.digest
    )
    with session.answering(f"registered: {listed(registered_players)}" if registered_players else ""):
        session.emit(document)
        session.announce_dry_run()
        show_decks(session, answers, contradictions, rows=answers)
    return exit_for_decks(answers, contradictions)


def _judge_list(
    session: Session, desk: Desk, file: DeckFile, *, trust_declared: bool
) -> JudgedList | TourneyError:
    """Read a decklist and check it. If it cannot be read, return the error."""
    from tourney.desk.registration import judge_deck

    try:
        return judge_deck(desk, file.content(session), source=file.source, trust_declared=trust_declared)
    except RulesError:
        raise
    except TourneyError as fault:
        return fault


def _register_list(desk: Desk, file: DeckFile, judged_list: JudgedList | TourneyError) -> ImportedDeck:
    """Register a checked decklist, and return the result. If it is refused, the result says why.

    judged_list: the checked decklist, or the error that occurred when it was read

    Raises RulesError for faulty rules.
    """
    from tourney.desk.registration import imported_deck, register_deck

    try:
        if isinstance(judged_list, TourneyError):
            raise judged_list
        # `7.txt` is the seventh file of a folder, not player 7.
        player = desk.find_player(judged_list.decklist.player or _name_from_file(file.path), bare=False)
        receipt = register_deck(desk, player, judged_list)
    except RulesError:
        raise
    except TourneyError as fault:
        return ImportedDeck.of_refusal(file.source, "", fault.message)
    result = imported_deck(file.source, receipt.state.players[player].name, receipt)
    return replace(result, registered=bool(receipt.entries) or receipt.already)


def _name_from_file(path: str) -> str:
    """Return the player's name in a file's name: `mira oake` for `decks/mira-oake.txt`."""
    name = path.replace("\\", "/").rpartition("/")[2].partition(".")[0]
    return name.replace("-", " ").replace("_", " ")


def show_decks(
    session: Session,
    decks: Sequence[ImportedDeck],
    contradictions: Sequence[Finding],
    *,
    rows: Sequence[ImportedDeck],
) -> None:
    """Show how many decklists were registered, and in whose lists declared facts were trusted.

    contradictions: warnings about facts on which decklists of the event disagree
    rows:           the decklists to show in a table
    """
    if rows:
        session.table(
            ["list", "player", "verdict", "why"],
            [(deck.file, deck.player, deck.verdict or "–", deck.reason) for deck in rows],
        )
    session.talk(f"{sum(deck.registered for deck in decks)} of {len(decks)} lists registered")
    for finding in contradictions:
        session.talk(f"warning: {finding.message}")
    names = [deck.player for deck in decks if deck.registered and deck.vouched]
    if names:
        of = "list" if len(names) == 1 else "lists"
        session.talk(
            f"declared and accepted: the facts in the {of} of {listed_short(names)} "
            "(`tourney player show NAME` has them)"
        )


def exit_for_decks(decks: Sequence[ImportedDeck], contradictions: Sequence[Finding]) -> Exit | None:
    """Return the exit code after registering decklists.

    1: a list was not registered; 4: a list is unverified, or facts that lists declare about cards were
    trusted and contradict each other; None: neither.
    """
    if not all(deck.registered for deck in decks):
        return Exit.FOUND
    doubtful = any(deck.vouched for deck in decks) and contradictions
    return Exit.UNVERIFIED if doubtful or any(deck.verdict == "unverified" for deck in decks) else None


@command("waive-deck", changes=True)
@all_or_named("All players who have not left and have no decklist.")
@reason
def waive_deck(
    session: Session,
    player_names: tuple[str, ...],
    all_players: bool,
    but: tuple[str, ...],
    reason: str | None,
) -> None:
    """Allow players to play without a decklist.

    Examples:
      tourney player waive-deck Mira Tomo
      tourney player waive-deck --all --except Fenn
    """
    with session.desk() as desk:
        if all_players:
            session.answer(desk.waive_all_decks(but, reason=reason))
        else:
            session.answer(desk.waive_deck(*player_names, reason=reason))


# -- tourney event deck: a list that several players use, such as a mission deck


@command("deck", changes=True)
@click.argument("part", required=False, shell_complete=parts)
@click.argument("file", type=click.Path(allow_dash=True), required=False)
@click.option(
    "--table", type=int, metavar="N", help="The list that the players at this table agreed on for this round."
)
@vouch
@anyway
def shared_deck(
    session: Session, part: str | None, file: str | None, *, table: int | None, **trust: Any
) -> Exit | None:
    """Check and register a list that all players use, such as the organizer's mission deck.

    The format and the organizer's choices decide which parts of a deck can be shared. Without a file, the
    registered list is printed. Without a part, all shared lists are printed, and the command says what is
    missing. An illegal list is not registered, and the command exits with 1. An unverified list is
    registered, and the command exits with 4.

    With `--table`, FILE is the list that the players at a table agreed on, such as the layout of a scenario.
    In this round it takes precedence over their own lists.

    Examples:
      tourney event deck missions missions.txt
      tourney event deck missions missions.txt --trust-declared
      tourney event deck layout layout.txt --table 3
      tourney event deck missions
      tourney event deck
    """
    if part is None:
        _show_shared(session)
        return None
    if file is None:
        _print_shared(session, part, table)
        return None
    data, source = session.read(file), source_of(file)
    with session.desk() as desk:
        receipt = desks.share_deck(desk, part, data, source=source, table=table, **trust)
    return _answer_registered(session, receipt)


def _show_shared(session: Session) -> None:
    """Show the decklists that all players share, those that tables agreed on, and missing ones."""
    with session.desk() as desk:
        shared_views, round_ = desks.shared_deck_views(desk), desk.state.round
        tables = [(table.number, table.seats) for table in round_.tables.values()] if round_ else []
        missing = list(desks.missing_list_warnings(desk, tables))
        agreements = desks.agreements(desk)
    session.emit(SharedDecks(decks=shared_views, missing=tuple(missing), agreed=agreements or UNSET))
    if not shared_views and not missing and not agreements:
        session.say("No deck is shared in this event")
    rows = [(view.name, view.entered) for view in shared_views]
    rows += [
        (f"{deck.name} of table {deck.table}", f"{deck.verdict} (entry {deck.entry})") for deck in agreements
    ]
    if rows:
        session.table((), rows)
    for warning in missing:
        session.talk(f"note: {warning}")


def _print_shared(session: Session, name: str, table: int | None) -> None:
    """Print the list that all players share for a part of the deck, such as the missions.

    With a table number, print the list that the players at that table agreed on.
    """
    with session.desk() as desk:
        part = desks.find_part(desk, name)
        text = desks.shared_text(desk, part, table)
    session.emit(SharedDeck(part=part.id, name=part.name or part.id, text=text))
    session.say(text.rstrip("\n"))
