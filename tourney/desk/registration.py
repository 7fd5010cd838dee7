"""Register decklists and lists of players, and compare decks at the table with them.

The facts that lists declare about cards missing from the pool are compared between all lists of an event.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, cast

from msgspec import structs

import tourney.decks as decklists
from tourney.cards.names import fold
from tourney.desk.checking import DeckReceipt, judge_deck, ruleset_of
from tourney.desk.desk import Desk
from tourney.desk.open_event import OpenEvent, WritableEvent
from tourney.desk.receipts import ImportedDeck, Receipt
from tourney.desk.shared_decks import only_a_part
from tourney.errors import Finding, RulesError, Severity, TourneyError
from tourney.event import decks, ops, players
from tourney.event.kind import Decision, EventChange
from tourney.event.names import by_name
from tourney.event.state import Player, State
from tourney.record import PlayerId

if TYPE_CHECKING:
    from tourney.decks import Changed, Declared, Verdict
    from tourney.desk.player_list import Beside, ListedDeck, PlayerList

# -- a player's deck


def submit_deck(
    event: WritableEvent,
    who: str | PlayerId,
    data: str | bytes,
    *,
    source: str,
    anyway: bool = False,
    trust_declared: bool = False,
    own: bool = False,
) -> DeckReceipt:
    """Check a decklist by the event's rules and register it, unless it is illegal.

    data:   the list, as text or as a file's bytes in any encoding (UTF-16 and Latin-1 are recognized)
    source: the file's name, for the findings
    anyway: register the list even if it is illegal or decks are locked
    trust_declared: trust the facts that the list declares about cards missing from the pool; the scorekeeper
        vouches for them
    own:    whether the player hands the list in; then the answer must not reveal a round that is held back
    """
    player = event.who(who)
    judged = judge_deck(event, data, source=source, trust_declared=trust_declared)
    verdict = judged.verdict
    if verdict.verdict == "illegal" and not anyway:
        refusal = Receipt(
            entries=(),
            changed=(f"The deck of {event.state.players[player].name} is illegal and was not registered.",),
            next=(),
            state=event.state,
            warnings=only_a_part(event, judged.decklist),
        )
        return DeckReceipt.judged(refusal, verdict)
    others = judged.contradictions(declared(event, but=(player,)))
    receipt = event.write(
        lambda change: decks.submit(
            change,
            who,
            players.JudgedDeck(
                text=judged.text,
                verdict=verdict.verdict,
                cards=judged.cards,
                vouched=event.own_ref(change.seal) if verdict.facts_used else None,
            ),
            locked=event.locked(change.state.for_players if own else change.state),
            anyway=anyway,
        )
    )
    return DeckReceipt.judged(
        receipt, structs.replace(verdict, findings=decklists.in_order((*verdict.findings, *others)))
    )


# -- a deck checked at the table


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReceipt(Receipt):
    """The answer to a deck check.

    changed_cards: how the deck at the table differs from the registered list
    """

    changed_cards: tuple[Changed, ...] = ()


def compare_deck(
    event: OpenEvent, who: str | PlayerId, data: str | bytes, *, source: str
) -> tuple[Changed, ...]:
    """Return how a list differs from a player's registered list.

    The result is empty if both are the same deck.
    """
    text, ruleset = event.deck_text(who), ruleset_of(event)
    registered = decklists.read(text, source="the registered list", format_=ruleset.format)
    return decklists.difference(
        registered, decklists.read(data, source=source, format_=ruleset.format), ruleset
    )


def compare_audit(
    desk: Desk, who: str | PlayerId, data: str | bytes, *, source: str, found: str | None = None
) -> AuditReceipt:
    """Record a deck check with a list of the deck at the table.

    The check is clean if that deck is the registered one.

    found: a remark, which does not affect whether the deck is clean
    """
    changed = compare_deck(desk, who, data, source=source)
    note = "; ".join(filter(None, (decks.difference_words(changed), found)))
    receipt = desk.record_audit(who, clean=not changed, found=note or None)
    return AuditReceipt.of(receipt, changed_cards=changed)


# -- players in a list, with their decks


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReceipt(Receipt):
    """The answer to a list of players.

    players: the list, as it was read
    decks:   the result for each decklist in it
    contradictions: facts about a card that two lists of the event declare differently
    """

    players: PlayerList
    decks: tuple[ImportedDeck, ...] = ()
    contradictions: tuple[Finding, ...] = ()


class _JudgedDeck(NamedTuple):
    """A deck in a list of players.

    deck:     the deck to register; None if it is not registered
    answer:   the result of importing it
    declared: the facts that it declares
    """

    deck: players.JudgedDeck | None
    answer: ImportedDeck
    declared: tuple[Declared, ...] = ()


def import_players(
    event: WritableEvent,
    content: str | bytes,
    *,
    source: str,
    encoding: str | None = None,
    sheet: str | None = None,
    columns: Mapping[str, str] | None = None,
    beside: Beside | None = None,
    update: bool = False,
) -> ImportReceipt:
    """Read a list of players and register them; see `read_list` and `register_list`."""
    kinds = kinds_of_tags(event.state)
    from tourney.desk.player_list import read_list  # with the columns and forms of other programs

    listed = read_list(
        content, source=source, encoding=encoding, sheet=sheet, columns=columns, beside=beside, kinds=kinds
    )
    return register_list(event, listed, update=update)


def kinds_of_tags(state: State) -> frozenset[str]:
    """Return the kinds of tags that players have or are kept apart by."""
    kinds = {kind for player in state.players.values() for kind in player.tags}
    return frozenset(kinds | state.settings.pairing.keep_apart.keys())


def register_list(
    event: WritableEvent, listed: PlayerList, *, trust_declared: bool = False, update: bool = False
) -> ImportReceipt:
    """Register the players of a list in one entry, with their decks.

    The decks are checked by the event's rules.

    trust_declared: see `submit_deck`
    update: change registered players to match the list; an empty cell changes nothing. Otherwise registered
            players are left out, except that a player without a deck gets the deck in the list

    An illegal deck, or a text that is not a deck, is reported and left out, but its player is registered.
    Raises TourneyError, and registers no player, if the rules or the card pool cannot be used.
    """
    known = by_name(event.refresh().players)
    judged = {}
    for place, deck in sorted(listed.decks.items()):
        registration = listed.players[place]
        player = known.get(fold(registration.name))
        if update or player is None or player.deck is None:
            answer = _judge(event, registration.name, deck, trust_declared=trust_declared)
            if not (update and _is_registered(event, player, answer)):
                judged[place] = answer
    contradictions = _new_contradictions(event, judged.values())
    answers: list[ImportedDeck] = []

    def decide(change: EventChange) -> Decision:
        registrations, known = list(listed.players), by_name(change.state.players)
        answers.clear()
        locked = event.locked(change.state)
        for place, (deck, answer, _) in judged.items():
            registration = registrations[place]
            player = known.get(fold(registration.name))
            if not update and player is not None and player.deck is not None:
                continue
            if locked:
                reason = f"decks have been locked {locked}"
                answers.append(ImportedDeck.refused(answer.file, registration.name, reason))
                continue
            answers.append(answer)
            vouched = event.own_ref(change.seal) if answer.vouched else None
            registrations[place] = replace(registration, deck=deck and replace(deck, vouched=vouched))
        if update:
            return players.update(change, registrations, event.journal.text)
        return players.add(change, registrations, skip_known=True)

    receipt = event.write(decide)
    return ImportReceipt.of(
        receipt,
        warnings=(*listed.warnings, *receipt.warnings),
        players=listed,
        decks=tuple(answers),
        contradictions=contradictions,
    )


def _is_registered(event: OpenEvent, player: Player | None, judged: _JudgedDeck) -> bool:
    """Return whether a deck is already registered and was checked by the current rules."""
    if player is None or player.deck is None or judged.deck is None or event.state.is_outdated(player.deck):
        return False
    return event.journal.text(player.deck.text) == judged.deck.text


def _judge(event: OpenEvent, name: str, listed: ListedDeck, *, trust_declared: bool) -> _JudgedDeck:
    if listed.fault:
        return _JudgedDeck(None, ImportedDeck.refused(listed.place, name, listed.fault))
    try:
        judged = judge_deck(event, listed.content, source=listed.place, trust_declared=trust_declared)
    except RulesError:
        raise
    except TourneyError as fault:
        return _JudgedDeck(None, ImportedDeck.refused(listed.place, name, fault.message))
    answer = imported_deck(listed.place, name, judged.verdict)
    verdict = cast("ops.Verdict", judged.verdict.verdict)
    deck = players.JudgedDeck(text=judged.text, verdict=verdict, cards=judged.cards)
    return _JudgedDeck(deck if answer.registered else None, answer, judged.declared)


def _new_contradictions(event: OpenEvent, judged: Collection[_JudgedDeck]) -> tuple[Finding, ...]:
    """Return the contradictions between new lists' declarations and those of all lists."""
    new = {deck.answer.player: deck.declared for deck in judged if deck.answer.registered and deck.declared}
    return tuple(decklists.contradictions({**declared(event), **new}, among=new.keys())) if new else ()


# -- facts that lists declare about cards missing from the pool


def contradictions(event: OpenEvent, among: Collection[str] | None = None) -> tuple[Finding, ...]:
    """Return a finding for each fact about a card that two registered lists declare differently.

    among: names of players; only contradictions with one of their lists are returned. None: all
        contradictions

    Raises TourneyError if the rules or the card pool cannot be used.
    """
    return tuple(decklists.contradictions(declared(event), among=among))


def disputed(event: OpenEvent) -> Mapping[str, tuple[Finding, ...]]:
    """Return, for each player, the contradictions between the player's list and other lists.

    Only declared facts are compared. Empty if no scorekeeper vouches for a list with declared
    facts. Also empty if the rules or the card pool cannot be used, which `event check` reports.
    """
    if not any(player.deck and player.deck.vouched for player in event.state.players.values()):
        return {}
    with suppress(TourneyError):
        return decklists.contradictions_by_owner(declared(event))
    return {}


def declared(event: OpenEvent, but: Collection[PlayerId] = ()) -> Mapping[str, tuple[Declared, ...]]:
    """Return the facts that each player's list declares about cards missing from the pool.

    but: players who are left out

    Raises TourneyError if the rules or the card pool cannot be used.
    """
    cache = event.rules.declared
    by_player = {}
    for player in event.state.players.values():
        if player.deck is None or player.id in but:
            continue
        ref = player.deck.text
        if ref not in cache:
            with suppress(TourneyError):  # `event check` reports a damaged text
                cache[ref] = _declared_in(event, event.journal.text(ref) or "")
        if cache.get(ref):
            by_player[player.name] = cache[ref]
    return by_player


def _declared_in(event: OpenEvent, text: str) -> tuple[Declared, ...]:
    """Return the facts that a registered list declares; empty if it cannot be read any more."""
    if "{" not in text:  # every form of a declaration has a brace
        return ()
    ruleset = ruleset_of(event)
    try:
        decklist = decklists.read(text, source="a registered list", format_=ruleset.format)
    except TourneyError:
        return ()
    return decklists.declared_in(decklist, ruleset)


def imported_deck(file: str, player: str, judged: Verdict | DeckReceipt) -> ImportedDeck:
    """Return the result for a list that was checked. An illegal list is not registered."""
    deciding = {"illegal": Severity.ERROR, "unverified": Severity.UNVERIFIED}.get(judged.verdict)
    rules = dict.fromkeys(finding.rule for finding in judged.findings if finding.severity is deciding)
    return ImportedDeck(
        file,
        player,
        judged.verdict,
        registered=judged.verdict != "illegal",
        reason=", ".join(rules),
        vouched="; ".join(judged.facts_used),
    )
