"""Erasing a person: which texts are theirs, and deleting them in the event and wherever else they are on this machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from tourney.decks.reading import read
from tourney.desk.publishing import clear_folders
from tourney.desk.receipts import Receipt
from tourney.desk.writing import WritableEvent
from tourney.errors import TourneyError
from tourney.event import ops, players
from tourney.event.entry import (
    Sealing,
    erased,
    is_named,
    is_one_of,
    names_borne,
    personal_refs,
    registrations,
    signatures,
    uses,
)
from tourney.event.fold import registered
from tourney.event.kind import Decision
from tourney.event.names import find
from tourney.event.ops import Ref
from tourney.event.state import Player, State
from tourney.record import PlayerId
from tourney.store.backup import erase_copies, event_holds, events_holding, exports_holding
from tourney.store.files import resolved, shown
from tourney.store.folder import Folders
from tourney.store.places import BACKUPS
from tourney.wording import counted, listed


class Erasure(NamedTuple):
    """What is deleted of a person who asks to be forgotten.

    numbers: every number that they were registered under, that which was asked for first
    texts:   by ref; decks: whose decks, of others, name them beside the cards; parts: the event's own lists that do
    others:  scorekeepers' signatures that have a word of their name and stay: who knows whose they are
    names:   the person's names, with those they signed as
    """

    numbers: tuple[PlayerId, ...]
    texts: tuple[Ref, ...]
    decks: tuple[PlayerId, ...]
    parts: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()


def erase(event: WritableEvent, who: str | PlayerId, signed: Sequence[str] = ()) -> Receipt:
    """Delete a person's name, deck and notes from the event; entries, chain and standings stay.

    Also deleted are texts by others that name them (a whole deck, if a remark in it does), what they signed as a
    scorekeeper, undone registrations of the same name, and all of it in the copies in `.tourney-backups/` and in every
    folder that pages or sheets were written to from here. Exports, and copies of pages elsewhere, keep the texts; the
    receipt says so. Cannot be undone.

    signed: other names that they signed as

    Raises TourneyError if the event itself is named after them.
    """
    event.refresh()
    player = person(event, who).id
    deleted = Erasure((player,), (), ())

    def decide(state: State, seal: Sealing) -> Decision:
        nonlocal deleted
        deleted = erasure(event, player, signed)
        if state.name_ref in deleted.texts:
            raise TourneyError(
                f"the event is called `{state.name}`, after them, so nothing was deleted",
                "give it another name first: `tourney event change --name NAME`",
            )
        earlier = erased(event.entries)
        refs = {ref for ref, number in earlier.items() if number in deleted.numbers} | {*deleted.texts}
        if is_one_of(event.by, _names_of(event, deleted.numbers)):
            refs.add(event.own_ref(seal))  # they delete their own texts, and sign it
        present = event.journal.held(refs) | {text.ref for text in seal.texts}
        done = {
            number
            for entry in event.entries
            if isinstance(entry.op, ops.PlayerErased)
            for number in entry.op.numbers
        }
        return players.erase(deleted.numbers, sorted(present), again=done.issuperset(deleted.numbers))

    receipt = event.write(decide)
    if receipt.entries:  # the answer if deleting the rest is interrupted
        event.last = replace(receipt, warnings=(*receipt.warnings, _half_tidied(deleted)))
    event.last = _tidied(event, receipt, deleted)
    return event.last


def person(event: WritableEvent, who: str | PlayerId) -> Player:
    """Return the player meant, also one whose registration was taken back: they, too, may ask to be forgotten.

    Raises TourneyError as `who` does.
    """
    try:
        return event.state.players[event.meant(event.state, who)]
    except TourneyError:
        everybody = registered(event.entries, event.texts)
        taken_back = {
            number: player for number, player in everybody.items() if number not in event.state.players
        }
        with suppress(TourneyError):
            return taken_back[find(taken_back, who)]
        raise


def erasure(event: WritableEvent, who: str | PlayerId, signed: Sequence[str] = ()) -> Erasure:
    """Return what `erase` deletes of a person.

    signed: names that they signed as beside those they were registered under

    Raises TourneyError as `person` does, and for a name that nobody signed as.
    """
    signed_as = {name for ref in signatures(event.entries) if (name := event.texts.get(ref))}
    for each in signed:
        if not is_one_of(each, signed_as):
            raise TourneyError(f"no entry is signed `{each}`", "`tourney event log` shows who signed")
    player, state = person(event, who).id, event.state
    numbers = registrations(
        event.entries,
        event.texts,
        player,
        everybody={number: player.name for number, player in registered(event.entries, event.texts).items()},
        in_force=state.players,
    )
    names = _names_of(event, numbers)
    remarks = _remarks_naming(event, names)
    refs = personal_refs(event.entries, numbers, event.texts, remarks, event=state.name_ref, signed=signed)
    alike = (each for each in signed_as if is_named(each, names) and not is_one_of(each, {*names, *signed}))
    decks = [
        other.id
        for other in state.players.values()
        if other.id not in numbers and other.deck and other.deck.text in remarks and other.deck.text in refs
    ]
    parts = [part for part, deck in state.shared.items() if deck.text in refs]
    return Erasure(
        numbers, refs, tuple(decks), tuple(parts), tuple(sorted(alike)), frozenset({*names, *signed})
    )


def _names_of(event: WritableEvent, numbers: Iterable[PlayerId]) -> set[str]:
    borne = names_borne(event.entries, event.texts)
    return {name for each in numbers for name in borne.get(each, ())}


def _remarks_naming(event: WritableEvent, names: set[str]) -> Mapping[Ref, str]:
    """Return what stands beside the cards in each deck that holds a word of a person's names."""
    remarks = {}
    for ref in {use.ref for each in event.entries for use in uses(each.op) if use.what == "deck"}:
        with suppress(TourneyError):  # a damaged text is the business of `event check`
            text = event.journal.text(ref)
            if text and is_named(text, names):
                remarks[ref] = _beside_the_cards(text)
    return remarks


def _beside_the_cards(text: str) -> str:
    """Return a decklist without the names of its cards: title, remarks, and what else is said in it."""
    try:
        deck = read(text, source="the deck")
    except TourneyError:
        return text
    cards = sorted({line.name for line in (*deck.lines, *deck.aside)}, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, cards)), " ", text) if cards else text


def _tidied(event: WritableEvent, receipt: Receipt, erasure: Erasure) -> Receipt:
    """Delete erased texts wherever else they lie here; what cannot be done is a warning: the entry stands."""
    warnings, changed = [*receipt.warnings], [*receipt.changed]
    for each in erasure.decks if receipt.entries else ():
        name = event.state.players[each].name
        warnings.append(
            f"the deck of {name} named them beside its cards, so its text is gone, too; `tourney player deck '#{each}' FILE` registers it anew"
        )
    warnings += [
        f"the {part} of the event named them beside the cards, so its text is gone, too; `tourney event deck {part} FILE` registers it anew"
        for part in (erasure.parts if receipt.entries else ())
    ]
    warnings += [
        f"entries signed `{name}` keep that name; if it is theirs: `tourney player blank '#{min(erasure.numbers)}' --signed {quote(name)}`"
        for name in (erasure.others if receipt.entries else ())
    ]
    refs = erased(event.entries).keys()
    exports: Sequence[str] = ()
    folders: Sequence[str] = ()
    others: Sequence[str] = ()
    try:
        try:
            event.journal.compact()
        except TourneyError as fault:
            who = f"; {fault.hint}" if fault.hint else ""
            warnings.append(f"unused places may still hold the texts: {fault}{who}")
        warnings += event.journal.not_compacted()
        copies, troubles = erase_copies(event.place, refs)
        changed += (
            [f"They are gone from {counted(copies, 'copy', 'copies')} in {BACKUPS}/, too."] if copies else []
        )
        exports, unread_exports = exports_holding(event.place, refs)
        others, unread_events = events_holding(event.place, refs)
        elsewhere = _known_files(event, [*exports, *others])
        exports = [*exports, *(shown(each) for each in elsewhere if each.suffix != ".tourney")]
        copies_elsewhere = [each for each in elsewhere if each.suffix == ".tourney"]
        others = [*others, *(shown(each) for each in copies_elsewhere if event_holds(each, refs))]
        warnings += [*troubles, *unread_exports, *unread_events]
        beside = event.journal.others_holding(refs)
        warnings += [
            f"{each} is a copy of this event in the same database and still holds the texts: `tourney player blank '#{min(erasure.numbers)}' -e {each}`"
            for each in beside
        ]
        folders, left = clear_folders(event)
        changed += [f"They are gone from {listed(folders)}, too."] if folders else []
        warnings += left
    except KeyboardInterrupt:
        warnings.append(_half_tidied(erasure))
    if others:
        hold = (
            "is another file of this event and still holds"
            if len(others) == 1
            else "are other files of this event and still hold"
        )
        warnings.append(
            f"{listed(others)} {hold} the texts: delete what is not needed, or `tourney player blank '#{min(erasure.numbers)}' -e FILE`"
        )
    pages = "copies of pages elsewhere" if folders else "pages made before this"
    still = "upload the pages anew" if folders else "publish again"
    still = f"delete them: {', '.join(exports)}" if exports else f"delete them, and {still}"
    warnings.append(f"exports and {pages} still hold the texts; {still}")
    return replace(receipt, changed=tuple(changed), warnings=tuple(warnings))


def _known_files(event: WritableEvent, beside: Sequence[str]) -> list[Path]:
    """Return the files outside the event that hold its names. beside: files that are named already."""
    folders = Folders(event.place, event.chain[0])
    named = {resolved(event.place.folder / each) for each in beside}
    return [each for each in folders.files(len(event.journal.gone())) if resolved(each) not in named]


def _half_tidied(erasure: Erasure) -> str:
    return (
        f"interrupted: unused places and copies in {BACKUPS}/ may still hold the texts; "
        f"`tourney player blank '#{min(erasure.numbers)}'` once more deletes them there"
    )
