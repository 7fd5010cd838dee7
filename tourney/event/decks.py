"""Decklists: registered, not needed, or the event's own for everybody."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, time

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import Sealing, Texts, text_of
from tourney.event.kind import (
    Decision,
    EntryKind,
    Footprint,
    LogContext,
    Mark,
    checked_reason,
    marks,
    marks_of_fact,
    marks_of_note,
    no_such_round,
    open_event,
    player_marks,
    player_of,
)
from tourney.event.ops import Ref, Verdict
from tourney.event.players import uses_check_in
from tourney.event.settings import ROUND_ONE
from tourney.event.state import Entered, RegisteredDeck, State, StateDraft
from tourney.record import PlayerId
from tourney.wording import CHECKED_BY_OLD_RULES, listed, listed_short


def submit(
    state: State,
    player: PlayerId,
    text: str,
    *,
    verdict: Verdict,
    cards: str | None,
    locked: str,
    anyway: bool = False,
    vouched: Ref | None = None,
    seal: Sealing,
) -> Decision:
    """Register a decklist that was checked.

    locked:  since when none is taken but at the organizer's word (`anyway`)
    vouched: who took the facts that the list declares to be true, where the verdict rests on them
    """
    open_event(state)
    name = player_of(state, player).name
    if locked and not anyway:
        raise TourneyError(
            f"decks are locked {locked}: the deck of {name} was not registered",
            "`--anyway` takes it all the same (the organizer's word)",
        )
    return Decision(
        op=ops.DeckSubmitted(
            player=player,
            text=seal(text),
            verdict=verdict,
            cards=seal.maybe(cards),
            late=bool(locked),
            vouched=vouched,
        )
    )


def decks_open(state: State) -> bool:
    """Return whether decklists, all or those of the cut, are open to anybody by now; never unless the organizer says so."""
    return {
        "closed": False,
        "cut": state.cut is not None,
        "end": state.closed,
        "all": bool(state.rounds),
    }[state.settings.decks.decklists]


def open_lists(state: State) -> tuple[PlayerId, ...]:
    """Return whose registered lists anybody may see by now, in order of registration; nobody's unless the organizer says so."""
    if not decks_open(state):
        return ()
    cut = state.cut.players if state.cut is not None else ()
    return tuple(
        each.id
        for each in state.players.values()
        if each.deck and not each.erased and (state.settings.decks.decklists != "cut" or each.id in cut)
    )


def locked_since(state: State, now: datetime) -> str:
    """Say since when no deck is taken, `since round 1 was paired`; empty where decks are taken."""
    lock = state.settings.decks.deck_lock
    if lock == ROUND_ONE:
        return "since round 1 was paired" if state.rounds else ""
    if not lock or now < (since := datetime.fromisoformat(lock)):
        return ""
    return f"since {since.astimezone(now.tzinfo):%Y-%m-%d %H:%M}"


def lock_from(text: str, now: datetime) -> str:
    """Return a deck lock as a setting keeps it, from what was typed: `round-1`, `19:30` (of today), or a whole time.

    A time without a zone is one of the zone of `now`, with the offset that holds there by then. Raises TourneyError for
    what is neither.
    """
    typed = text.strip()
    if not typed or typed == ROUND_ONE:
        return typed
    try:
        if "T" in typed.upper() or " " in typed:
            at = datetime.fromisoformat(typed)
        else:
            at = datetime.combine(now.date(), time.fromisoformat(typed))
        return (at if at.tzinfo else _in_zone_of(now, at)).isoformat(timespec="minutes")
    except ValueError:
        raise TourneyError(
            f"deck_lock: `{typed}` is not a time",
            "`--set deck_lock=round-1`, `--set deck_lock=19:30`, `--set deck_lock=2026-11-20T19:30`, or `none`",
        ) from None


def _in_zone_of(now: datetime, at: datetime) -> datetime:
    """Return a time without a zone as one of the zone of `now`."""
    # The clock gives the machine's offset of today; on a day after the clocks change it is another one.
    if now.astimezone().utcoffset() != now.utcoffset():
        return at.replace(tzinfo=now.tzinfo)
    # When the clocks go back, one hour comes twice; take the second one if the first is over. When they go forward, one
    # hour is skipped; 02:30 is then 03:30. Within the skipped hour, `fold` has the opposite effect (PEP 495).
    first, second = sorted(at.replace(fold=fold).astimezone() for fold in (0, 1))
    return first if first > now and first.replace(tzinfo=None) == at else second


def list_doubts(state: State) -> tuple[str, ...]:
    """Say whose lists are missing or will not do, where anybody is to hand one in; see `unsettled_lists`, too."""
    if not state.settings.decks.lists or not (state.settings.decks.deck_lock or _handed_in(state)):
        return ()
    without = [each.name for each in state.playing if not each.deck and not each.waived]
    said = [f"no decklist yet from {listed_short(without)}"] if without else []
    return (*said, *_decks_that_are(state, "illegal"), *_decks_that_are(state, "unchecked"))


def unsettled_lists(state: State) -> tuple[str, ...]:
    """Say whose lists a judge has to look at: what is unverified may be played, and nobody waits for it."""
    if not waits_for_lists(state):
        return ()
    outdated = [each.name for each in state.playing if each.deck and state.is_outdated(each.deck)]
    were = "was" if len(outdated) == 1 else "were"
    said = [
        f"the {'deck' if len(outdated) == 1 else 'decks'} of {listed_short(outdated)} {were} {CHECKED_BY_OLD_RULES}"
    ]
    return (*_decks_that_are(state, "unverified"), *(said if outdated else ()))


def waits_for_lists(state: State) -> bool:
    """Return whether round 1 waits for missing decklists.

    It does if the event has a deck lock, or uses check-in and has at least one decklist or waiver. Otherwise pairing
    round 1 only warns about missing lists.
    """
    if not state.settings.decks.lists:
        return False
    return bool(state.settings.decks.deck_lock) or (_handed_in(state) and uses_check_in(state))


def _handed_in(state: State) -> bool:
    return any(each.deck or each.waived for each in state.playing)


def _decks_that_are(state: State, verdict: str) -> tuple[str, ...]:
    theirs = [each.name for each in state.playing if each.deck and each.deck.verdict == verdict]
    if not theirs:
        return ()
    are = "the deck of {} is {}" if len(theirs) == 1 else "the decks of {} are {}"
    return (are.format(listed_short(theirs), verdict),)


def _apply_deck(draft: StateDraft, op: ops.DeckSubmitted, at: Entered, _texts: Texts) -> None:
    deck = RegisteredDeck(
        text=op.text, verdict=op.verdict, cards=op.cards, entry=at.entry, vouched=op.vouched
    )
    draft.change(op.player, deck=deck)


def _say_deck(op: ops.DeckSubmitted, context: LogContext) -> str:
    late = ", though decks were locked" if op.late else ""
    vouched = ""
    if op.vouched is not None:
        who = text_of(op.vouched, context.texts, "somebody")
        vouched = f", on facts it declares and {who} vouches for"
    return f"The deck of {context.name(op.player)} is registered ({op.verdict}{vouched}){late}"


def share(
    state: State,
    part: str,
    called: str,
    text: str,
    *,
    verdict: Verdict,
    cards: str | None,
    declared: bool,
    locked: str,
    anyway: bool,
    seal: Sealing,
) -> Decision:
    """Register a list that everybody plays with, which was checked.

    part: the zone that it is, called so in the format; declared: the verdict believes facts that it declares; locked: as in
    `submit`
    """
    open_event(state)
    if locked and not anyway:
        raise TourneyError(
            f"decks are locked {locked}: the {called} of the event was not registered",
            "`--anyway` takes it all the same (the organizer's word)",
        )
    return Decision(
        op=ops.DeckShared(
            zone=part,
            zone_name=called,
            text=seal(text),
            verdict=verdict,
            cards=seal.maybe(cards),
            late=bool(locked),
            declared=declared,
        )
    )


def agree(
    state: State,
    number: int,
    part: str,
    called: str,
    text: str,
    *,
    verdict: Verdict,
    cards: str | None,
    declared: bool,
    seal: Sealing,
) -> Decision:
    """Register a list that the players at a table of the round have agreed upon, which was checked; see `share`."""
    open_event(state)
    round_ = state.round
    if round_ is None:
        raise TourneyError(f"no round is paired, so nobody sits at table {number}", "`tourney round next`")
    table = round_.tables.get(number)
    if table is None:
        raise TourneyError(f"there is no table {number} in this round", "`tourney round show`")
    op = ops.DeckAgreed(
        round=round_.number,
        players=tuple(sorted(table.seats)),
        zone=part,
        zone_name=called,
        text=seal(text),
        verdict=verdict,
        cards=seal.maybe(cards),
        declared=declared,
    )
    return Decision(op=op)


def _apply_agreed(draft: StateDraft, op: ops.DeckAgreed, at: Entered, _texts: Texts) -> None:
    deck = RegisteredDeck(text=op.text, verdict=op.verdict, cards=op.cards, entry=at.entry)
    draft.round(op.round).agreed[op.zone, frozenset(op.players)] = deck


def _say_agreed(op: ops.DeckAgreed, context: LogContext) -> str:
    declared = ", by the facts it declares" if op.declared else ""
    who = context.names(op.players)
    return f"{context.title(op.round)}: {who} have agreed upon their {op.zone_name or op.zone} ({op.verdict}{declared})"


def _marks_of_agreed(op: ops.DeckAgreed) -> Footprint:
    own: Mark = ("agreed", op.round, op.zone, *op.players)
    return Footprint(marks(own), marks(own, ("round", op.round)) | player_marks(op.players))


def _apply_shared(draft: StateDraft, op: ops.DeckShared, at: Entered, _texts: Texts) -> None:
    draft.shared[op.zone] = RegisteredDeck(text=op.text, verdict=op.verdict, cards=op.cards, entry=at.entry)


def _say_shared(op: ops.DeckShared, _context: LogContext) -> str:
    late = ", though decks were locked" if op.late else ""
    declared = ", by the facts it declares" if op.declared else ""
    return f"The event has its {op.zone_name or op.zone} for everybody ({op.verdict}{declared}){late}"


def _marks_of_shared(op: ops.DeckShared) -> Footprint:
    return Footprint(marks(("shared", op.zone)), marks(("shared", op.zone)))


def _no_part(op: ops.DeckShared | ops.DeckAgreed) -> Iterator[str]:
    if not op.zone:
        yield "it does not say which part of a list it is"


def waive(state: State, players: Sequence[PlayerId], reason: str | None, seal: Sealing) -> Decision:
    """Note that players need no list."""
    open_event(state)
    new = [each for each in players if not player_of(state, each).waived]
    if not new:
        return Decision(
            already=f"{listed(state.players[each].name for each in players)} may play without a decklist"
        )
    return Decision(
        op=ops.DeckWaived(players=tuple(dict.fromkeys(new)), reason=seal.maybe(checked_reason(reason)))
    )


def waive_all(state: State, but: Collection[PlayerId], reason: str | None, seal: Sealing) -> Decision:
    """Note that nobody who plays without a list needs one, apart from `but`."""
    open_event(state)
    without = [each.id for each in state.playing if not each.deck and not each.waived and each.id not in but]
    if not without:
        return Decision(already="Everybody has a decklist or a waiver")
    return waive(state, without, reason, seal)


def _apply_waived(draft: StateDraft, op: ops.DeckWaived, _at: Entered, _texts: Texts) -> None:
    for player in op.players:
        draft.change(player, waived=True)


def _say_waived(op: ops.DeckWaived, context: LogContext) -> str:
    return f"{context.names(op.players)} {'needs' if len(op.players) == 1 else 'need'} no decklist{context.why(op.reason)}"


KINDS = (
    EntryKind(ops.DeckSubmitted, _apply_deck, _say_deck, footprint=marks_of_fact("deck")),
    EntryKind(ops.DeckWaived, _apply_waived, _say_waived, footprint=marks_of_note),
    EntryKind(ops.DeckShared, _apply_shared, _say_shared, footprint=_marks_of_shared, alone=_no_part),
    EntryKind(
        ops.DeckAgreed,
        _apply_agreed,
        _say_agreed,
        footprint=_marks_of_agreed,
        alone=_no_part,
        misfits=no_such_round,
    ),
)
"""What can happen here, in the order of `tourney.event.ops`."""
