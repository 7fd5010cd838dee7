"""Whoever asks to be forgotten: which texts are theirs, and deleting them in the file and wherever else they lie here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

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
from tourney.store.places import BACKUPS
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.desk.desk import Desk
    from tourney.desk.open_event import Receipt


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


def erase(desk: Desk, who: str | PlayerId, signed: Sequence[str] = ()) -> Receipt:
    """Delete a person's texts, as `Desk.erase` has it."""
    desk.refresh()
    player = person(desk, who).id
    deleted = Erasure((player,), (), ())

    def decided(state: State, seal: Sealing) -> Decision:
        nonlocal deleted
        deleted = erasure(desk, player, signed)
        if state.name_ref in deleted.texts:
            raise TourneyError(
                f"the event is called `{state.name}`, after them, so nothing was deleted",
                "give it another name first: `tourney event change --name NAME`",
            )
        earlier = erased(desk.entries)
        refs = {ref for ref, whose in earlier.items() if whose in deleted.numbers} | {*deleted.texts}
        if is_one_of(desk.by, _names_of(desk, deleted.numbers)):
            refs.add(desk.own_ref(seal))  # they delete what is known of themselves, and sign it
        held = desk.journal.held(refs) | {each.ref for each in seal.texts}
        done = [each.op.numbers for each in desk.entries if isinstance(each.op, ops.PlayerErased)]
        again = set(deleted.numbers).issubset(number for numbers in done for number in numbers)
        return players.erase(deleted.numbers, sorted(held), again=again)

    receipt = desk.write(decided)
    if receipt.entries:  # what is told should the tidying be interrupted
        desk.last = replace(receipt, warnings=(*receipt.warnings, _half_tidied(deleted)))
    desk.last = _tidied(desk, receipt, deleted)
    return desk.last


def person(desk: Desk, who: str | PlayerId) -> Player:
    """Return the player meant, also one whose registration was taken back: they, too, may ask to be forgotten.

    Raises TourneyError as `who` does.
    """
    try:
        return desk.state.players[desk.meant(who)]
    except TourneyError:
        everybody = registered(desk.entries, desk.texts)
        taken_back = {
            number: player for number, player in everybody.items() if number not in desk.state.players
        }
        with suppress(TourneyError):
            return taken_back[find(taken_back, who)]
        raise


def erasure(desk: Desk, who: str | PlayerId, signed: Sequence[str] = ()) -> Erasure:
    """Return what `erase` deletes of a person.

    signed: names that they signed as beside those they were registered under

    Raises TourneyError as `person` does, and for a name that nobody signed as.
    """
    signed_as = {name for ref in signatures(desk.entries) if (name := desk.texts.get(ref))}
    for each in signed:
        if not is_one_of(each, signed_as):
            raise TourneyError(f"no entry is signed `{each}`", "`tourney event log` shows who signed")
    player, state = person(desk, who).id, desk.state
    numbers = registrations(
        desk.entries,
        desk.texts,
        player,
        everybody={number: player.name for number, player in registered(desk.entries, desk.texts).items()},
        in_force=state.players,
    )
    names = _names_of(desk, numbers)
    remarks = _remarks_naming(desk, names)
    refs = personal_refs(desk.entries, numbers, desk.texts, remarks, event=state.name_ref, signed=signed)
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


def _names_of(desk: Desk, numbers: Iterable[PlayerId]) -> set[str]:
    borne = names_borne(desk.entries, desk.texts)
    return {name for each in numbers for name in borne.get(each, ())}


def _remarks_naming(desk: Desk, names: set[str]) -> Mapping[Ref, str]:
    """Return what stands beside the cards in each deck that holds a word of a person's names."""
    remarks = {}
    for ref in {use.ref for each in desk.entries for use in uses(each.op) if use.what == "deck"}:
        with suppress(TourneyError):  # a damaged text is the business of `event check`
            text = desk.journal.text(ref)
            if text and is_named(text, names):
                remarks[ref] = _beside_the_cards(text)
    return remarks


def _beside_the_cards(text: str) -> str:
    """Return a decklist without the names of its cards: title, remarks, and what else is said in it."""
    from tourney.decks.reading import read

    try:
        deck = read(text, source="the deck")
    except TourneyError:
        return text
    cards = sorted({line.name for line in (*deck.lines, *deck.aside)}, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, cards)), " ", text) if cards else text


def _tidied(desk: Desk, receipt: Receipt, erasure: Erasure) -> Receipt:
    """Delete erased texts wherever else they lie here; what cannot be done is a warning: the entry stands."""
    warnings, changed = [*receipt.warnings], [*receipt.changed]
    for each in erasure.decks if receipt.entries else ():
        name = desk.state.players[each].name
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
    refs = erased(desk.entries).keys()
    exports: Sequence[str] = ()
    folders: Sequence[str] = ()
    others: Sequence[str] = ()
    try:
        try:
            desk.journal.compact()
        except TourneyError as fault:
            who = f"; {fault.hint}" if fault.hint else ""
            warnings.append(f"unused places may still hold the texts: {fault}{who}")
        warnings += desk.journal.not_compacted()
        copies, troubles = erase_copies(desk.place, refs)
        changed += (
            [f"They are gone from {counted(copies, 'copy', 'copies')} in {BACKUPS}/, too."] if copies else []
        )
        exports, unread_exports = exports_holding(desk.place, refs)
        others, unread_events = events_holding(desk.place, refs)
        elsewhere = _known_files(desk, [*exports, *others])
        exports = [*exports, *(shown(each) for each in elsewhere if each.suffix != ".tourney")]
        copies_elsewhere = [each for each in elsewhere if each.suffix == ".tourney"]
        others = [*others, *(shown(each) for each in copies_elsewhere if event_holds(each, refs))]
        warnings += [*troubles, *unread_exports, *unread_events]
        beside = desk.journal.others_holding(refs)
        warnings += [
            f"{each} is a copy of this event in the same database and still holds the texts: `tourney player blank '#{min(erasure.numbers)}' -e {each}`"
            for each in beside
        ]
        from tourney.desk.publishing import clear_folders

        folders, left = clear_folders(desk)
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


def _known_files(desk: Desk, beside: Sequence[str]) -> list[Path]:
    """Return the files outside the event that hold its names. beside: files that are named already."""
    from tourney.store.folder import Folders

    folders = Folders(desk.place, desk.chain[0])
    named = {resolved(desk.place.folder / each) for each in beside}
    return [each for each in folders.files(len(desk.journal.gone())) if resolved(each) not in named]


def _half_tidied(erasure: Erasure) -> str:
    return (
        f"interrupted: unused places and copies in {BACKUPS}/ may still hold the texts; "
        f"`tourney player blank '#{min(erasure.numbers)}'` once more deletes them there"
    )
