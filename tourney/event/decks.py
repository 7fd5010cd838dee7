"""Decklists of players, tables and the event: registration, the deck lock, missing lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, time

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import Texts, text_of
from tourney.event.kind import (
    Decision,
    EntryKind,
    EventChange,
    EventReading,
    Footprint,
    Mark,
    footprint_of,
    marks,
    no_such_round,
    open_event,
    player_marks,
    round_of,
)
from tourney.event.ops import Verdict
from tourney.event.players import JudgedDeck, submitted, uses_check_in
from tourney.event.score import parse_tables
from tourney.event.settings import ROUND_ONE
from tourney.event.state import Entered, RegisteredDeck, State, StateDraft
from tourney.record import PlayerId
from tourney.wording import CHECKED_BY_OLD_RULES, listed, listed_short


def submit(
    change: EventChange, who: str | PlayerId, deck: JudgedDeck, *, locked: str, anyway: bool = False
) -> Decision:
    """Register a player's decklist.

    locked: since when decks are locked, as `locked_since` returns it; empty if they are not locked
    anyway: register the list even if decks are locked
    """
    state, player = change.open_event(), change.player(who)
    _refuse_locked(f"the deck of {state.players[player].name}", locked, anyway=anyway)
    return Decision(op=submitted(player, deck, change.seal, late=bool(locked)))


def _refuse_locked(deck: str, locked: str, *, anyway: bool) -> None:
    if locked and not anyway:
        raise TourneyError(
            f"decks have been locked {locked}: {deck} was not registered",
            "if the organizer agrees, register it with `--anyway`",
        )


def share(
    change: EventChange,
    zone: str,
    zone_name: str,
    deck: JudgedDeck,
    *,
    declared: bool,
    locked: str,
    anyway: bool,
) -> Decision:
    """Register a list that all players use.

    zone:     the id of the zone that the list fills
    declared: whether the verdict depends on card facts that the list declares
    locked, anyway: as in `submit`
    """
    open_event(change.state)
    _refuse_locked(f"the {zone_name} of the event", locked, anyway=anyway)
    op = ops.DeckShared(
        zone=zone, zone_name=zone_name, late=bool(locked), declared=declared, **deck.sealed(change.seal)
    )
    return Decision(op=op)


def agree(
    change: EventChange, number: int, zone: str, zone_name: str, deck: JudgedDeck, *, declared: bool
) -> Decision:
    """Register a list that the players of table `number` have agreed on for this round.

    Arguments as in `share`.
    """
    state = change.open_event()
    round_ = round_of(state, None)
    [number] = parse_tables(number, round_.tables)
    op = ops.DeckAgreed(
        round=round_.number,
        players=tuple(sorted(round_.tables[number].seats)),
        zone=zone,
        zone_name=zone_name,
        declared=declared,
        **deck.sealed(change.seal),
    )
    return Decision(op=op)


def waive(change: EventChange, *who: str | PlayerId, reason: str | None = None) -> Decision:
    """Record that players do not have to hand in a decklist."""
    state, players = change.open_event(), change.players(who)
    new = [player for player in players if not state.players[player].waived]
    if not new:
        names = listed(state.players[player].name for player in players)
        return Decision(already=f"{names} may play without a decklist")
    op = ops.DeckWaived(players=tuple(dict.fromkeys(new)), reason=change.reason(reason))
    return Decision(op=op)


def waive_all(
    change: EventChange, but: Sequence[str | PlayerId] = (), *, reason: str | None = None
) -> Decision:
    """Record that players without a decklist do not have to hand one in, except `but`."""
    state, others = change.open_event(), [change.player(name) for name in but]
    players = [player for player in state.playing if player.id not in others]
    unlisted = [player.id for player in players if not player.deck and not player.waived]
    if not unlisted:
        return Decision(already="Every player has a decklist or a waiver")
    return waive(change, *unlisted, reason=reason)


# -- open lists


def decks_open(state: State) -> bool:
    """Return whether the settings let anyone read decklists now, all or only those of the cut."""
    return {
        "closed": False,
        "cut": state.cut is not None,
        "end": state.closed,
        "all": bool(state.rounds),
    }[state.settings.decks.decklists]


def open_lists(state: State) -> tuple[PlayerId, ...]:
    """Return the players whose registered lists anyone can read now, in order of registration."""
    if not decks_open(state):
        return ()
    cut = state.cut.players if state.cut is not None else ()
    only_cut = state.settings.decks.decklists == "cut"
    return tuple(
        player.id
        for player in state.players.values()
        if player.deck and not player.erased and (not only_cut or player.id in cut)
    )


# -- the deck lock


def locked_since(state: State, now: datetime) -> str:
    """Return since when decks are locked, as in `since round 1 was paired`; empty if not locked."""
    lock = state.settings.decks.deck_lock
    if lock == ROUND_ONE:
        return "since round 1 was paired" if state.rounds else ""
    if not lock or now < (since := datetime.fromisoformat(lock)):
        return ""
    return f"since {since.astimezone(now.tzinfo):%Y-%m-%d %H:%M}"


def lock_from(text: str, now: datetime) -> str:
    """Parse a deck lock: `round-1`, `19:30` (today), or a date with a time. Return its setting.

    A time without a zone is in the zone of `now`, with the offset that holds on that day. Raises TourneyError
    for any other text.
    """
    plain = text.strip()
    if not plain or plain == ROUND_ONE:
        return plain
    try:
        if "T" in plain.upper() or " " in plain:
            at = datetime.fromisoformat(plain)
        else:
            at = datetime.combine(now.date(), time.fromisoformat(plain))
        return (at if at.tzinfo else _in_zone_of(now, at)).isoformat(timespec="minutes")
    except ValueError:
        raise TourneyError(
            f"deck_lock: `{plain}` is not a time",
            "`--set deck_lock=round-1`, `--set deck_lock=19:30`, `--set deck_lock=2026-11-20T19:30`, "
            "or `none`",
        ) from None


def _in_zone_of(now: datetime, at: datetime) -> datetime:
    """Give a time without a zone the zone of `now`."""
    # `now` has the offset of today, which is wrong for a day after the clocks change. So use the machine's
    # zone if it matches.
    if now.astimezone().utcoffset() != now.utcoffset():
        return at.replace(tzinfo=now.tzinfo)
    # When the clocks go back, one hour occurs twice; take the second one if the first is over. When they go
    # forward, one hour is skipped: 02:30 then means 03:30. Within the skipped hour, `fold` has the opposite
    # effect (PEP 495).
    first, second = sorted(at.replace(fold=fold).astimezone() for fold in (0, 1))
    return first if first > now and first.replace(tzinfo=None) == at else second


# -- missing lists


def list_doubts(state: State) -> tuple[str, ...]:
    """Name players whose lists are missing, illegal or unchecked, if the event collects lists."""
    if not state.settings.decks.lists or not (state.settings.decks.deck_lock or _has_lists(state)):
        return ()
    unlisted = [player.name for player in state.playing if not player.deck and not player.waived]
    missing = [f"no decklist yet from {listed_short(unlisted)}"] if unlisted else []
    return (*missing, *_decks_that_are(state, "illegal"), *_decks_that_are(state, "unchecked"))


def unsettled_lists(state: State) -> tuple[str, ...]:
    """Name the players whose lists a judge should look at.

    Players can use these lists meanwhile.
    """
    if not waits_for_lists(state):
        return ()
    names = [player.name for player in state.playing if player.deck and state.is_outdated(player.deck)]
    outdated = _deck_words(names, f"was {CHECKED_BY_OLD_RULES}", f"were {CHECKED_BY_OLD_RULES}")
    return (*_decks_that_are(state, "unverified"), *outdated)


def waits_for_lists(state: State) -> bool:
    """Return whether round 1 waits for missing decklists.

    Round 1 waits if the event has a deck lock, or if it uses check-in and has at least one decklist or
    waiver. Otherwise, pairing round 1 only warns about missing lists.
    """
    if not state.settings.decks.lists:
        return False
    return bool(state.settings.decks.deck_lock) or (_has_lists(state) and uses_check_in(state))


def _has_lists(state: State) -> bool:
    return any(player.deck or player.waived for player in state.playing)


def _decks_that_are(state: State, verdict: Verdict) -> list[str]:
    names = [player.name for player in state.playing if player.deck and player.deck.verdict == verdict]
    return _deck_words(names, f"is {verdict}", f"are {verdict}")


def _deck_words(names: Sequence[str], singular: str, plural: str) -> list[str]:
    if not names:
        return []
    deck = f"the {'deck' if len(names) == 1 else 'decks'} of {listed_short(names)}"
    return [f"{deck} {singular if len(names) == 1 else plural}"]


# -- the entries


def _apply_submitted(draft: StateDraft, op: ops.DeckSubmitted, at: Entered, _texts: Texts) -> None:
    draft.change(op.player, deck=RegisteredDeck.by(op, at.entry))


def _describe_submitted(op: ops.DeckSubmitted, context: EventReading) -> str:
    late = ", though decks were locked" if op.late else ""
    vouched = ""
    if op.vouched is not None:
        who = text_of(op.vouched, context.texts, "a judge")
        vouched = f", on facts it declares and {who} vouches for"
    return f"The deck of {context.name(op.player)} is registered ({op.verdict}{vouched}){late}"


def _apply_agreed(draft: StateDraft, op: ops.DeckAgreed, at: Entered, _texts: Texts) -> None:
    draft.round(op.round).agreed[op.zone, frozenset(op.players)] = RegisteredDeck.by(op, at.entry)


def _describe_agreed(op: ops.DeckAgreed, context: EventReading) -> str:
    players, zone = context.names(op.players), op.zone_name or op.zone
    return f"{context.title(op.round)}: {players} have agreed on their {zone} ({_verdict_words(op)})"


def _verdict_words(op: ops.DeckShared | ops.DeckAgreed) -> str:
    return f"{op.verdict}, by the facts it declares" if op.declared else op.verdict


def _footprint_of_agreed(op: ops.DeckAgreed) -> Footprint:
    own: Mark = ("agreed", op.round, op.zone, *op.players)
    return Footprint(marks(own), marks(own, ("round", op.round)) | player_marks(op.players))


def _apply_shared(draft: StateDraft, op: ops.DeckShared, at: Entered, _texts: Texts) -> None:
    draft.shared[op.zone] = RegisteredDeck.by(op, at.entry)


def _describe_shared(op: ops.DeckShared, _context: EventReading) -> str:
    late = ", though decks were locked" if op.late else ""
    return f"The {op.zone_name or op.zone} for all players is registered ({_verdict_words(op)}){late}"


def _footprint_of_shared(op: ops.DeckShared) -> Footprint:
    return Footprint(marks(("shared", op.zone)), marks(("shared", op.zone)))


def _faults_of_zone(op: ops.DeckShared | ops.DeckAgreed) -> Iterator[str]:
    if not op.zone:
        yield "it does not name the zone of the list"


def _apply_waived(draft: StateDraft, op: ops.DeckWaived, _at: Entered, _texts: Texts) -> None:
    for player in op.players:
        draft.change(player, waived=True)


def _describe_waived(op: ops.DeckWaived, context: EventReading) -> str:
    need = "needs" if len(op.players) == 1 else "need"
    return f"{context.names(op.players)} {need} no decklist{context.why(op.reason)}"


KINDS = (
    EntryKind(ops.DeckSubmitted, _apply_submitted, _describe_submitted, footprint_of("deck")),
    EntryKind(ops.DeckWaived, _apply_waived, _describe_waived, footprint_of("waived")),
    EntryKind(ops.DeckShared, _apply_shared, _describe_shared, _footprint_of_shared, faults=_faults_of_zone),
    EntryKind(
        ops.DeckAgreed,
        _apply_agreed,
        _describe_agreed,
        _footprint_of_agreed,
        faults=_faults_of_zone,
        misfits=no_such_round,
    ),
)
"""The kinds of entries about decklists, in the order of `tourney.event.ops`."""
