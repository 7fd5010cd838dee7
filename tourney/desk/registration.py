"""Check decklists by the event's rules, and register them, also from a list of players.

`judge_deck` checks a list, `register_deck` registers it. The facts that lists declare about cards missing
from the pool are compared between all lists of an event.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Self, cast

from msgspec import Struct, structs
from msgspec.structs import replace

import tourney.decks as decklists
from tourney.cards.names import fold
from tourney.desk.open_event import OpenEvent, WritableEvent
from tourney.desk.receipts import ImportedDeck, Receipt
from tourney.errors import Finding, RulesError, Severity, TourneyError, as_rules_error
from tourney.event import decks, ops, players
from tourney.event.kind import Decision, EventChange
from tourney.event.names import by_name
from tourney.event.ops import Ref
from tourney.event.state import Player, State
from tourney.record import PlayerId
from tourney.store.data import Library
from tourney.store.files import display_path
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.decks import CardFact, Decklist, Verdict
    from tourney.desk.player_list import ListedDeck, PlayerList, ReadFile
    from tourney.rules.format import Format
    from tourney.rules.ruleset import Ruleset
    from tourney.rules.vocabulary import ZoneFile


# -- a list and its verdict


class JudgedList(Struct, frozen=True):
    """A decklist and its verdict by the event's rules.

    cards:          the lines of the card pool's files about the cards in the list; None if there are none
    declared_facts: the facts that the list declares about cards missing from the pool, whether they are
                    trusted or not
    """

    text: str
    decklist: Decklist
    verdict: Verdict
    cards: str | None
    declared_facts: tuple[CardFact, ...]

    def to_register(self, voucher: Ref | None = None) -> players.JudgedDeck:
        """Return the decklist and its verdict, ready to be registered.

        voucher: the ref (salted digest) of the name of the scorekeeper who vouches for card facts that the
                 list declares; None without such a scorekeeper
        """
        verdict = cast("ops.Verdict", self.verdict.verdict)
        return players.JudgedDeck(text=self.text, verdict=verdict, cards=self.cards, vouched=voucher)

    def contradictions(self, other_facts: Mapping[str, Sequence[CardFact]]) -> tuple[Finding, ...]:
        """Return a finding for each fact that another list declares differently.

        other_facts: name of a player → the facts that the player's list declares

        The findings are `unverified` if the verdict relies on a declared fact, otherwise `advice`.
        """
        if not self.declared_facts:
            return ()
        severity = Severity.UNVERIFIED if self.verdict.facts_used else Severity.ADVICE
        findings = decklists.contradictions({**other_facts, "": self.declared_facts}, about="")
        return tuple(replace(finding, severity=severity) for finding in findings)


def ruleset_of(event: OpenEvent) -> Ruleset:
    """Return the event's rules with the library's pool.

    Raises RulesError if they cannot be read.
    """
    with as_rules_error():
        return event.rules.ruleset(event.library)


def judge_deck(
    event: OpenEvent,
    data: str | bytes,
    *,
    source: str,
    trust_declared: bool = False,
    ruleset: Ruleset | None = None,
) -> JudgedList:
    """Read a decklist and check it.

    trust_declared: trust the facts that the list declares about cards missing from the pool
    ruleset:        the rules for a part of a deck, to use instead of the event's rules

    Raises TourneyError if `data` is not a decklist, RulesError if the rules or the card pool cannot be used.
    """
    ruleset = ruleset or ruleset_of(event)
    text, _ = decklists.decode(data, source=source)
    decklist = decklists.read(text, source=source, format_=ruleset.format)
    verdict = decklists.check(decklist, ruleset, trust_declared=trust_declared)
    cards = pool_lines(event.library, ruleset.format.pool, decklist)
    return JudgedList(text, decklist, verdict, cards, decklists.declared_facts_in(decklist, ruleset))


def pool_lines(library: Library, pool: str, decklist: Decklist) -> str | None:
    """Return the lines of the card pool's files about the cards in a decklist, as text.

    Returns None if the library does not have the pool, or if the pool has none of the cards.

    Raises TourneyError if a line of the pool cannot be read.
    """
    from tourney.cards.pool import PoolLines  # loads the rules of pools

    if pool not in library.pools():
        return None
    lines = [*decklist.lines, *(words.line for words in decklist.words if words.may_be_card)]
    names = {fold(reading.name) for line in lines for reading in line.readings}
    names |= {fold(line.code) for line in lines if line.code}
    files = library.find_pool(pool)
    cards = PoolLines(files.sets, f"{display_path(files.path.parent)}/").find_any_name(names)
    return "".join(card.decode().rstrip("\r") + "\n" for card in cards) or None


# -- parts of a deck that several players can share


def sharable_parts(format_: Format) -> tuple[ZoneFile, ...]:
    """Return the parts of a deck that all players of an event with this format can share."""
    return tuple(zone.rule for zone in format_.zones if zone.rule.shared is not False)


def part_label(part: ZoneFile) -> str:
    """Return the name of a deck's part in lower case, for use in a sentence."""
    return (part.name or part.id).lower()


def _part_warnings(event: OpenEvent, decklist: Decklist) -> tuple[str, ...]:
    """Return a warning if a player's list is only a part of a deck that players can share.

    Returns nothing if the list is a whole deck.
    """
    ruleset = ruleset_of(event)
    parts = [
        part for part in sharable_parts(ruleset.format) if part.id in decklists.part_of(decklist, ruleset)
    ]
    if not parts:
        return ()
    shared_parts = [part.id for part in parts if ruleset.shares[part.id]]
    commands = listed(f"`tourney event deck {part} FILE`" for part in shared_parts)
    remedy = f"; to register it for all players: {commands}" if shared_parts else ""
    return (f"this list is only the {listed(map(part_label, parts))}, not a whole deck{remedy}",)


# -- a player's deck


class DeckReceipt(Receipt, frozen=True, kw_only=True):
    """The result of submitting a decklist.

    verdict:    `legal`, `illegal` or `unverified`. An illegal list is registered only on request; otherwise
        `entries` is empty
    findings:   all findings of the check
    facts_used: the declared facts that the verdict relies on, in words
    """

    verdict: str
    findings: tuple[Finding, ...] = ()
    facts_used: tuple[str, ...] = ()

    @classmethod
    def with_verdict(cls, receipt: Receipt, verdict: Verdict) -> Self:
        """Return `receipt` as a `DeckReceipt` that also has `verdict`, the result of the check.

        The verdict's cause, notes and accepted facts are added to the warnings.
        """
        cause = [verdict.cause.message] if verdict.cause else []
        accepted_facts = (
            [f"declared in the list, and accepted: {'; '.join(verdict.facts_in_brief)}"]
            if verdict.facts_used
            else []
        )
        return cls.of(
            receipt,
            warnings=(*receipt.warnings, *cause, *verdict.notes, *accepted_facts),
            verdict=verdict.verdict,
            findings=verdict.findings,
            facts_used=verdict.facts_used,
        )


def submit_deck(
    event: WritableEvent,
    who: str | PlayerId,
    data: str | bytes,
    *,
    source: str,
    anyway: bool = False,
    trust_declared: bool = False,
) -> DeckReceipt:
    """Check a decklist by the event's rules and register it, unless it is illegal.

    data:           the list, as text or as a file's bytes in any encoding (UTF-16 and Latin-1 are recognized)
    source:         the file's name, for the findings
    anyway:         register the list even if it is illegal or decks are locked
    trust_declared: trust the facts that the list declares about cards missing from the pool; the scorekeeper
                    vouches for them
    """
    event.find_player(who)  # an unknown player is refused before the list is read
    judged_list = judge_deck(event, data, source=source, trust_declared=trust_declared)
    return register_deck(event, who, judged_list, anyway=anyway)


def register_deck(
    event: WritableEvent,
    who: str | PlayerId,
    judged_list: JudgedList,
    *,
    anyway: bool = False,
    by_phone: bool = False,
) -> DeckReceipt:
    """Register a checked decklist, unless it is illegal; see `submit_deck`.

    by_phone: whether the player submits the list by phone. If so, a round that players cannot see yet does
              not lock the decks, because a refusal would reveal the round
    """
    player, verdict = event.find_player(who), judged_list.verdict
    if verdict.verdict == "illegal" and not anyway:
        refusal = Receipt(
            state=event.state,
            changed=(f"The deck of {event.state.players[player].name} is illegal and was not registered.",),
            warnings=_part_warnings(event, judged_list.decklist),
        )
        return DeckReceipt.with_verdict(refusal, verdict)
    conflicts = judged_list.contradictions(declared_facts(event, exclude=(player,)))
    receipt = event.write(
        lambda change: decks.submit(
            change,
            who,
            judged_list.to_register(event.own_ref(change.seal) if verdict.facts_used else None),
            lock_text=event.lock_text(change.state.for_players if by_phone else change.state),
            anyway=anyway,
        )
    )
    findings = decklists.in_order((*verdict.findings, *conflicts))
    return DeckReceipt.with_verdict(receipt, structs.replace(verdict, findings=findings))


# -- players in a list, with their decks


class ImportReceipt(Receipt, frozen=True, kw_only=True):
    """The result of importing a list of players.

    players:        the list, as it was read
    decks:          the result for each decklist in it
    contradictions: facts about a card that two lists of the event declare differently
    """

    players: PlayerList
    decks: tuple[ImportedDeck, ...] = ()
    contradictions: tuple[Finding, ...] = ()


def import_players(
    event: WritableEvent,
    content: str | bytes,
    *,
    source: str,
    encoding: str | None = None,
    sheet: str | None = None,
    columns: Mapping[str, str] | None = None,
    read_file: ReadFile | None = None,
    update: bool = False,
) -> ImportReceipt:
    """Read a list of players and register them; see `read_list` and `register_list`."""
    kinds = kinds_of_tags(event.state)
    from tourney.desk.player_list import read_list  # with the columns and forms of other programs

    player_list = read_list(
        content,
        source=source,
        encoding=encoding,
        sheet=sheet,
        columns=columns,
        read_file=read_file,
        kinds=kinds,
    )
    return register_list(event, player_list, update=update)


def kinds_of_tags(state: State) -> frozenset[str]:
    """Return the kinds of tags in the event, such as `club`.

    These are the kinds of the players' tags, and the kinds by which the settings keep players apart.
    """
    kinds = {kind for player in state.players.values() for kind in player.tags}
    return frozenset(kinds | state.settings.pairing.keep_apart.keys())


def register_list(
    event: WritableEvent, player_list: PlayerList, *, trust_declared: bool = False, update: bool = False
) -> ImportReceipt:
    """Register the players of a list in one entry, with their decks.

    The decks are checked by the event's rules.

    trust_declared: see `submit_deck`
    update: whether registered players are changed to match the list; an empty cell changes nothing. If false,
            registered players stay as they are, but a player without a deck gets the deck in the list

    An illegal deck, or a text that is not a deck, is reported and left out, but its player is registered.
    Raises TourneyError, and registers no player, if the rules or the card pool cannot be used.
    """
    players_by_name = by_name(event.refresh().players)
    results: dict[int, tuple[ImportedDeck, JudgedList | None]] = {}
    for place, deck in sorted(player_list.decks.items()):
        registration = player_list.players[place]
        player = players_by_name.get(fold(registration.name))
        if update or player is None or player.deck is None:
            answer, judged_list = _judge_listed_deck(
                event, registration.name, deck, trust_declared=trust_declared
            )
            if not (update and judged_list and _is_registered(event, player, judged_list)):
                results[place] = answer, judged_list
    new_facts = {
        answer.player: judged_list.declared_facts
        for answer, judged_list in results.values()
        if judged_list is not None and judged_list.declared_facts
    }
    contradictions = (
        decklists.contradictions({**declared_facts(event), **new_facts}, among=new_facts.keys())
        if new_facts
        else ()
    )
    answers: list[ImportedDeck] = []

    def decide(change: EventChange) -> Decision:
        registrations, players_by_name = list(player_list.players), by_name(change.state.players)
        answers.clear()
        lock_text = event.lock_text(change.state)
        for place, (answer, judged_list) in results.items():
            registration = registrations[place]
            player = players_by_name.get(fold(registration.name))
            if not update and player is not None and player.deck is not None:
                continue
            if lock_text:
                reason = f"decks have been locked {lock_text}"
                answers.append(ImportedDeck.of_refusal(answer.file, registration.name, reason))
                continue
            answers.append(answer)
            voucher = event.own_ref(change.seal) if answer.vouched else None
            registrations[place] = replace(
                registration, deck=judged_list.to_register(voucher) if judged_list else None
            )
        if update:
            return players.update(change, registrations, event.journal.text)
        return players.add(change, registrations, skip_known=True)

    receipt = event.write(decide)
    return ImportReceipt.of(
        receipt,
        warnings=(*player_list.warnings, *receipt.warnings),
        players=player_list,
        decks=tuple(answers),
        contradictions=tuple(contradictions),
    )


def _judge_listed_deck(
    event: OpenEvent, name: str, deck: ListedDeck, *, trust_declared: bool
) -> tuple[ImportedDeck, JudgedList | None]:
    """Check the decklist of one player in a list of players, and return the result.

    Also returns the checked decklist if it can be registered, otherwise None.
    """
    fault = deck.fault
    if not fault:
        try:
            judged_list = judge_deck(event, deck.content, source=deck.place, trust_declared=trust_declared)
        except RulesError:
            raise
        except TourneyError as unreadable:
            fault = unreadable.message
        else:
            answer = imported_deck(deck.place, name, judged_list.verdict)
            return answer, judged_list if answer.registered else None
    return ImportedDeck.of_refusal(deck.place, name, fault), None


def _is_registered(event: OpenEvent, player: Player | None, judged_list: JudgedList) -> bool:
    """Return whether a deck is already registered and was checked by the current rules."""
    if player is None or player.deck is None or event.state.is_outdated(player.deck):
        return False
    return event.journal.text(player.deck.text) == judged_list.text


# -- facts that lists declare about cards missing from the pool


def contradictions(event: OpenEvent, among: Collection[str] | None = None) -> tuple[Finding, ...]:
    """Return a finding for each fact about a card that two registered lists declare differently.

    among: names of players; only contradictions with one of their lists are returned. None: all
        contradictions

    Raises TourneyError if the rules or the card pool cannot be used.
    """
    return tuple(decklists.contradictions(declared_facts(event), among=among))


def contradictions_by_player(event: OpenEvent) -> Mapping[str, tuple[Finding, ...]]:
    """Return, for each player, the contradictions between the player's list and other lists.

    Only declared facts are compared. Empty if no scorekeeper vouches for a list with declared
    facts. Also empty if the rules or the card pool cannot be used, which `event check` reports.
    """
    if not any(player.deck and player.deck.vouched for player in event.state.players.values()):
        return {}
    with suppress(TourneyError):
        return decklists.contradictions_by_owner(declared_facts(event))
    return {}


def declared_facts(
    event: OpenEvent, exclude: Collection[PlayerId] = ()
) -> Mapping[str, tuple[CardFact, ...]]:
    """Return the facts that each player's list declares about cards missing from the pool.

    exclude: players who are left out

    Raises TourneyError if the rules or the card pool cannot be used.
    """
    cache = event.rules.declared_facts
    by_player = {}
    for player in event.state.players.values():
        if player.deck is None or player.id in exclude:
            continue
        ref = player.deck.text
        if ref not in cache:
            with suppress(TourneyError):  # `event check` reports a damaged text
                cache[ref] = _declared_in(event, event.journal.text(ref) or "")
        if cache.get(ref):
            by_player[player.name] = cache[ref]
    return by_player


def _declared_in(event: OpenEvent, text: str) -> tuple[CardFact, ...]:
    """Return the facts that a registered list declares; empty if it cannot be read any more."""
    if "{" not in text:  # every form of a declaration has a brace
        return ()
    ruleset = ruleset_of(event)
    try:
        decklist = decklists.read(text, source="a registered list", format_=ruleset.format)
    except TourneyError:
        return ()
    return decklists.declared_facts_in(decklist, ruleset)


def imported_deck(file: str, player: str, result: Verdict | DeckReceipt) -> ImportedDeck:
    """Return the result of importing a decklist that was checked.

    It says that the decklist is registered, except if the verdict is `illegal`.
    """
    deciding = {"illegal": Severity.ERROR, "unverified": Severity.UNVERIFIED}.get(result.verdict)
    rules = dict.fromkeys(finding.rule for finding in result.findings if finding.severity is deciding)
    return ImportedDeck(
        file,
        player,
        result.verdict,
        registered=result.verdict != "illegal",
        reason=", ".join(rules),
        vouched="; ".join(result.facts_used),
    )
