"""Erase a person from the event and its copies on this machine.

This module finds the person's texts and deletes them. Texts are stored outside the journal's entries, which
refer to a text by its key, a *ref*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from shlex import quote
from typing import NamedTuple

from tourney.decks import read
from tourney.desk.open_event import OpenEvent, WritableEvent
from tourney.desk.publishing import clear_folders
from tourney.desk.receipts import Receipt
from tourney.errors import TourneyError
from tourney.event import ops, players
from tourney.event.entry import (
    erased_refs,
    is_named,
    is_one_of,
    past_names,
    personal_refs,
    registrations,
    signatures,
    uses,
)
from tourney.event.fold import registered_players
from tourney.event.kind import Decision, EventChange
from tourney.event.names import find
from tourney.event.ops import Ref
from tourney.event.state import Player
from tourney.record import PlayerId
from tourney.store.backup import erase_copies, files_holding
from tourney.store.folder import Folders
from tourney.store.journal import BACKUPS
from tourney.wording import counted, listed


class Erasure(NamedTuple):
    """What is deleted when a person is erased.

    numbers:            all numbers under which the person was registered; the number in the request is first
    texts:              the refs of the person's texts
    decks:              other players whose decklists name the person outside the card names, such as in a
                        title or a remark
    parts:              shared lists of the event that name the person outside the card names
    similar_signatures: scorekeepers' signatures that contain a word of the person's name; they stay, because
                        they may belong to another person
    names:              the person's names, including those in signatures
    """

    numbers: tuple[PlayerId, ...]
    texts: tuple[Ref, ...]
    decks: tuple[PlayerId, ...]
    parts: tuple[str, ...] = ()
    similar_signatures: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()


def erase(event: WritableEvent, who: str | PlayerId, aliases: Sequence[str] = ()) -> Receipt:
    """Delete a person's name, deck and notes from the event.

    The journal's entries, their chain of digests, and the standings stay. Also deleted are texts about others
    that name the person, the person's signatures as a scorekeeper, and the texts of undone registrations of
    the same name. If a remark in a decklist names the person, the whole list is deleted.

    All these texts are also deleted from the copies in `.tourney-backups/` and from every folder to which
    pages or sheets were written from this machine. Exports, and copies of pages elsewhere, still hold the
    texts; the receipt says so. You cannot undo this.

    aliases: other names with which the person signed entries

    Raises the errors of `erasure`, and TourneyError if the event's name contains the person's name.
    """
    event.refresh()
    player = person(event, who).id
    plan = Erasure((player,), (), ())

    def decide(change: EventChange) -> Decision:
        nonlocal plan
        state, seal = change.state, change.seal
        if player in state.players:
            change.note_others(who, player)
        plan = erasure(event, player, aliases)
        if state.name_ref in plan.texts:
            raise TourneyError(
                f"the event's name, `{state.name}`, contains the person's name, so nothing was deleted",
                "rename the event first: `tourney event change --name NAME`",
            )
        earlier_refs = erased_refs(event.entries)
        refs = {ref for ref, number in earlier_refs.items() if number in plan.numbers} | {*plan.texts}
        if is_one_of(event.by, _names_of(event, plan.numbers)):
            refs.add(event.own_ref(seal))  # a scorekeeper who erases themselves signs this entry, too
        present = event.journal.stored_refs(refs) | {text.ref for text in seal.texts}
        numbers = {
            number
            for entry in event.entries
            if isinstance(entry.op, ops.PlayerErased)
            for number in entry.op.numbers
        }
        return players.erase(plan.numbers, sorted(present), again=numbers.issuperset(plan.numbers))

    receipt = event.write(decide)
    if receipt.entries:  # `last` is the answer if the rest is interrupted
        event.last = receipt.plus(warnings=[_interruption_warning(plan)])
    event.last = _delete_elsewhere(event, receipt, plan)
    return event.last


def person(event: OpenEvent, who: str | PlayerId) -> Player:
    """Return the player that `who` names, even if the registration was undone.

    Raises the errors of `OpenEvent.find_player`.
    """
    try:
        return event.state.players[event.find_player(who)]
    except TourneyError:
        undone_players = {
            number: player
            for number, player in registered_players(event.entries, event.texts).items()
            if number not in event.state.players
        }
        with suppress(TourneyError):
            return undone_players[find(undone_players, who)]
        raise


def erasure(event: WritableEvent, who: str | PlayerId, aliases: Sequence[str] = ()) -> Erasure:
    """Return what `erase` deletes for a person.

    aliases: other names with which the person signed entries

    Raises the errors of `person`, and TourneyError for a name that signs no entry.
    """
    signers = {name for ref in signatures(event.entries) if (name := event.texts.get(ref))}
    for name in aliases:
        if not is_one_of(name, signers):
            raise TourneyError(f"no entry is signed `{name}`", "`tourney event log` shows who signed")
    player, state = person(event, who).id, event.state
    numbers = registrations(
        event.entries,
        event.texts,
        player,
        last_names={
            number: player.name for number, player in registered_players(event.entries, event.texts).items()
        },
        in_force=state.players,
    )
    names = _names_of(event, numbers)
    remarks = _remarks_naming(event, names)
    refs = personal_refs(
        event.entries, numbers, event.texts, remarks, event=state.name_ref, signed_names=aliases
    )
    similar_signatures = (
        name for name in signers if is_named(name, names) and not is_one_of(name, {*names, *aliases})
    )
    decks = [
        other.id
        for other in state.players.values()
        if other.id not in numbers and other.deck and other.deck.text in remarks and other.deck.text in refs
    ]
    parts = [part for part, deck in state.shared.items() if deck.text in refs]
    return Erasure(
        numbers=numbers,
        texts=refs,
        decks=tuple(decks),
        parts=tuple(parts),
        similar_signatures=tuple(sorted(similar_signatures)),
        names=frozenset({*names, *aliases}),
    )


def _names_of(event: WritableEvent, numbers: Iterable[PlayerId]) -> set[str]:
    names = past_names(event.entries, event.texts)
    return {name for number in numbers for name in names.get(number, ())}


def _remarks_naming(event: WritableEvent, names: set[str]) -> Mapping[Ref, str]:
    """Return ref → text of the decklists that may name a person, without their card names.

    A ref is the key of a text. A list may name the person if it contains one of `names` or a word of it
    (`is_named`), even in a card's name. Damaged texts are left out.
    """
    remarks = {}
    for ref in {use.ref for entry in event.entries for use in uses(entry.op) if use.kind == "deck"}:
        with suppress(TourneyError):  # `event check` reports a damaged text
            text = event.journal.text(ref)
            if text and is_named(text, names):
                remarks[ref] = _text_without_cards(text)
    return remarks


def _text_without_cards(text: str) -> str:
    """Return a decklist without the names of its cards: its title, remarks and so on."""
    try:
        deck = read(text, source="the deck")
    except TourneyError:
        return text
    cards = sorted({line.name for line in (*deck.lines, *deck.aside)}, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, cards)), " ", text) if cards else text


def _delete_elsewhere(event: WritableEvent, receipt: Receipt, erasure: Erasure) -> Receipt:
    """Delete erased texts from copies and folders, and add that to the receipt.

    A failure becomes a warning.
    """
    command = f"`tourney player blank '#{min(erasure.numbers)}'"
    refs = erased_refs(event.entries).keys()
    changes: list[str] = []
    warnings = [*_side_effects(event, erasure, command)] if receipt.entries else []
    exports, other_files, folders = list[str](), list[str](), list[str]()
    try:
        warnings += _compact(event)
        copies, unread_copies = erase_copies(event.place, refs)
        if copies:
            changes.append(f"Also deleted from {counted(copies, 'copy', 'copies')} in {BACKUPS}/.")
        known_files = Folders(event.place, event.chain[0]).files(len(event.journal.deleted_refs()))
        exports, other_files, unread_files = files_holding(event.place, refs, known_files)
        warnings += [*unread_copies, *unread_files]
        warnings += [
            f"{copy} is a copy of this event in the same database and still holds the texts: "
            f"{command} -e {copy}`"
            for copy in event.journal.others_holding(refs)
        ]
        folders, folder_warnings = clear_folders(event)
        if folders:
            changes.append(f"Also deleted from {listed(folders)}.")
        warnings += folder_warnings
    except KeyboardInterrupt:
        warnings.append(_interruption_warning(erasure))
    if other_files:
        are, hold = ("is another file", "holds") if len(other_files) == 1 else ("are other files", "hold")
        warnings.append(
            f"{listed(other_files)} {are} of this event and still {hold} the texts:"
            f" delete the files you do not need, or {command} -e FILE`"
        )
    pages = "copies of pages elsewhere" if folders else "older pages"
    upload = "upload the pages again" if folders else "publish again"
    remedy = f"delete them: {', '.join(exports)}" if exports else f"delete them, and {upload}"
    warnings.append(f"exports and {pages} still hold the texts; {remedy}")
    return receipt.plus(changes, warnings)


def _compact(event: WritableEvent) -> Iterator[str]:
    """Free the space of deleted texts in the event's file, and yield warnings."""
    try:
        event.journal.compact()
    except TourneyError as fault:
        hint = f"; {fault.hint}" if fault.hint else ""
        yield f"unused space in the file may still hold the texts: {fault}{hint}"
    yield from event.journal.not_compacted()


def _side_effects(event: WritableEvent, erasure: Erasure, command: str) -> Iterator[str]:
    """Yield warnings about what else erasing a person deleted, and what it kept.

    Deleted are decklists of other players and of the event that contain the person's name. Kept are
    signatures that may belong to another person.
    """
    for player in erasure.decks:
        yield (
            f"the decklist of {event.state.players[player].name} contained the name, so the whole list was"
            f" deleted, too; `tourney player deck '#{player}' FILE` registers it again"
        )
    for part in erasure.parts:
        yield (
            f"the event's list for {part} contained the name, so the whole list was deleted, too;"
            f" `tourney event deck {part} FILE` registers it again"
        )
    for name in erasure.similar_signatures:
        yield (
            f"entries signed `{name}` keep this name; "
            f"if it is the same person: {command} --signed {quote(name)}`"
        )


def _interruption_warning(erasure: Erasure) -> str:
    return (
        f"interrupted: unused space in the file, and copies in {BACKUPS}/, may still hold the texts; "
        f"run `tourney player blank '#{min(erasure.numbers)}'` again to delete them there"
    )
