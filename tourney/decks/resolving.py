"""Turns lines into a deck: looks up names, puts lines into zones, and adds up copies.

The pool also decides what the reader could not: whether a line is a card or text about the deck.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field, structs
from msgspec.structs import replace

from tourney.cards.card import UNKNOWN, parse_facts
from tourney.cards.names import fold, nearest
from tourney.decks.decklist import NO_FACTS, Decklist, Line, Note, Words
from tourney.decks.declared_facts import CardFact, value_key, value_text
from tourney.decks.naming import NamedCard, NameLookup, ask_which_card
from tourney.decks.reading.builder import title_or_card
from tourney.decks.reading.vocabulary import GENERAL_ZONES, general_kind, vocabulary_of
from tourney.decks.verdict import Correction
from tourney.errors import Finding, Severity, as_rules_error
from tourney.rules.expressions.deck import Deck, Leader, View
from tourney.rules.expressions.values import Slot, truth
from tourney.rules.ruleset import Ruleset


class ResolvedDeck(Struct):
    """A decklist with its cards.

    decklist:        the list, after the pool has decided which doubtful lines are cards
    slots:           the copies of each card in each zone, in the order of the list
    advice_slots:    `slots`, with the facts that headers give (`header_facts` of a zone); used only for
                     advice
    named_cards:     each line, with the card that it names
    unknown_zones:   header that is not a zone of the format → the numbers of the lines below it
    uncounted_lines: the lines in zones that are not part of the deck (`counts` of the zone is false)
    findings:        advice about declared facts; the errors in lines are in `decklist`
    declared_facts:  the facts that lines declare and the pool does not have, whether they are trusted or not
    notes:           questions about cards that share a name
    """

    decklist: Decklist
    slots: list[Slot] = field(default_factory=list)
    advice_slots: list[Slot] = field(default_factory=list)
    named_cards: list[NamedCard] = field(default_factory=list)
    unknown_zones: dict[str, list[int]] = field(default_factory=dict)
    uncounted_lines: list[Line] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    declared_facts: tuple[CardFact, ...] = ()
    notes: list[str] = field(default_factory=list)

    @property
    def unlisted_slots(self) -> list[Slot]:
        """The entries of `slots` whose card the pool does not list."""
        return [slot for slot in self.slots if not slot.card.is_listed]

    @property
    def shared_names(self) -> frozenset[str | None]:
        """The ids of cards that share their name with other cards of the pool."""
        matches = (named_card.match for named_card in self.named_cards)
        return frozenset(match.pool_id for match in matches if match and match.shares_name)

    @property
    def hash(self) -> str:
        """The SHA-256 of zones, cards and copies; it ignores order, comments and printings.

        A card is identified by its folded name, or by its id if the pool has several cards of that name.
        """
        counts: Counter[tuple[str, str]] = Counter()
        shared_ids = self.shared_names
        for slot in self.slots:
            card = slot.pool_id if slot.pool_id in shared_ids else None
            counts[slot.zone, card or slot.keys[-1]] += slot.qty
        lines = sorted(f"{zone}\t{card}\t{copies}" for (zone, card), copies in counts.items())
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def resolve(decklist: Decklist, ruleset: Ruleset, *, trust_declared: bool = False) -> ResolvedDeck:
    """Look up every line of a list and add up the copies.

    trust_declared: believe declared facts that the pool does not have; otherwise they are only collected
    """
    resolver = _Resolver(ruleset)
    resolved_deck = ResolvedDeck(resolver.decide_lines(decklist))
    resolved_deck.named_cards = [resolver.names.find(line) for line in resolved_deck.decklist.lines]
    for named_card in resolved_deck.named_cards:
        if correction := resolver.names.correction(named_card):
            resolved_deck.corrections.append(correction)
        if question := ask_which_card(named_card):
            resolved_deck.notes.append(question)
    if any(named_card.line.facts for named_card in resolved_deck.named_cards):
        resolved_deck.named_cards = resolver.add_declared_facts(resolved_deck, trust=trust_declared)
    slots: dict[tuple[str, str], Slot] = {}
    for named_card in resolved_deck.named_cards:
        zone = resolver.find_zone(named_card, resolved_deck)
        if zone is not None:
            slot, key = _slot(named_card, zone), (named_card.card_key, zone)
            same = slots.get(key)
            slots[key] = (
                structs.replace(same, qty=same.qty + slot.qty, lines=(*same.lines, *slot.lines))
                if same
                else slot
            )
    resolved_deck.slots = list(slots.values())
    if resolved_deck.declared_facts and not trust_declared:
        lines = {fact.line for fact in resolved_deck.declared_facts}
        resolved_deck.slots = [
            structs.replace(slot, declared=not lines.isdisjoint(slot.lines)) for slot in resolved_deck.slots
        ]
    resolved_deck.advice_slots = _add_header_facts(resolved_deck, ruleset)
    return resolved_deck


class _Resolver:
    """Decides under one ruleset which lines are cards, and finds their facts and zones."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.format = ruleset.format
        self.names = NameLookup(ruleset)

    # -- lines that the reader could not decide

    def decide_lines(self, decklist: Decklist) -> Decklist:
        """Return the decklist after deciding, with the card pool, which unclear lines are cards.

        A line that was read as a header, a footer or a description, but could be a card (`may_be_card`),
        becomes one if the pool or the rules know the name. So does a line in doubt, which otherwise is an
        error. If the line that was read as the title has a known name, it either becomes a card, or the
        decklist gets the question of whether it is one.
        """
        cards = [words for words in decklist.words if words.may_be_card and self._is_card(words)]
        titles = [words for words in cards if self._may_be_title(words, decklist)]
        cards = [words for words in cards if words not in titles]
        card_lines = [*(words.line for words in cards), *decklist.lines]
        if cards:  # otherwise, lists side by side stay in their order
            card_lines.sort(key=lambda line: line.number)
        lines = [self._doubt_second_card(self._clear_doubt(line)) for line in card_lines]
        doubts = {line.number for line in lines if line.doubt}
        settled_lines = {line.number for line in card_lines if line.doubt} - doubts
        settled_lines |= {words.line.number for words in cards}
        has_card_title = any(words.role == "title" and words.text == decklist.name for words in cards)
        return replace(
            decklist,
            name=None if has_card_title else decklist.name,
            lines=tuple(lines),
            words=tuple(words for words in decklist.words if words not in cards),
            findings=tuple(_decided_findings(decklist, cards, titles, lines)),
            notes=tuple(_decided_notes(decklist, cards, titles)),
            account=tuple(
                (line, "card" if line in settled_lines else role) for line, role in decklist.account
            ),
        )

    def _is_card(self, words: Words) -> bool:
        """Return whether a line that was read as text is the name of a card.

        The name must be known; in a description, it must be the whole text of the line. In an open pool, a
        line with a `question` that is not from a description counts as a card even if its name is unknown.
        """
        if words.role == "description" and not self.ruleset.cards.knows(words.text):
            return False
        if self.names.known_reading(words.line) is not None:
            return True
        return bool(words.line.question) and not self.ruleset.pool.complete

    def _may_be_title(self, words: Words, decklist: Decklist) -> bool:
        """Return whether a known card in the title's place may be the title.

        It cannot be the title if it is the only leader of the list, or if every deck of the format is a
        fixed box of cards.
        """
        if words.role != "title" or self.format.rules["kit"] or self.names.known_reading(words.line) is None:
            return False
        leader = self.format.leader
        if leader is None or not self._leads(words.line):
            return True
        return any(self._zone_of(line) == leader.rule.zone or self._leads(line) for line in decklist.lines)

    def _leads(self, line: Line) -> bool:
        """Return whether the card that a line names is a leader under the format's rules.

        Returns False if the card is not found, or if the rules do not decide whether it is a leader.
        """
        named_card = self.names.find(line)
        return named_card.match is not None and self._is_leader(self._view(named_card))

    def _clear_doubt(self, line: Line) -> Line:
        """Remove the doubt and the question from a line if its name is known; return the line.

        If the known reading of the name has a `doubt` of its own, the line gets that doubt. A line without a
        known name is returned unchanged.
        """
        if not (line.doubt or line.question):
            return line
        reading = self.names.known_reading(line)
        return line if reading is None else structs.replace(line, doubt=reading.doubt, question="")

    def _doubt_second_card(self, line: Line) -> Line:
        """Return the line, with a `doubt` if it seems to name two cards: `Kite (Bell)`.

        This is so if the names outside and inside the brackets belong to different known cards, and the whole
        text is not a known name. A line that already has a doubt is not changed.
        """
        match = (
            _CARD_IN_BRACKETS.fullmatch(line.written_name)
            if _CLOSING.intersection(line.written_name)
            else None
        )
        if match is None or line.doubt or self.ruleset.cards.knows(line.written_name):
            return line
        first, second = (self.ruleset.cards.find(match[part]) for part in ("name", "inside"))
        if first is None or second is None or first.keys == second.keys:
            return line
        remark = line.written_name[match.end("name") :].strip()
        doubt = f"two cards? write each on its own line, or leave out `{remark}`"
        return structs.replace(line, doubt=doubt)

    # -- declared facts

    def add_declared_facts(self, resolved_deck: ResolvedDeck, *, trust: bool) -> list[NamedCard]:
        """Return the lines; with `trust`, each has all facts that the list declares about its card.

        Facts that the pool already has do not count. If two lines declare different values for the same fact
        of a card, neither value counts, and a finding reports this. The facts that count are also
        recorded in `resolved_deck.declared_facts`, even without `trust`.
        """
        declared_facts = [
            (named_card, attribute, value)
            for named_card in resolved_deck.named_cards
            for attribute, value in self._new_facts(named_card, resolved_deck).items()
        ]
        by_fact: dict[tuple[str, str], list[tuple[NamedCard, object]]] = {}
        for named_card, attribute, value in declared_facts:
            by_fact.setdefault((named_card.card_key, attribute), []).append((named_card, value))
        agreed_facts: dict[str, dict[str, object]] = {}
        for (card, attribute), values in by_fact.items():
            if len({value_key(value) for _, value in values}) == 1:
                agreed_facts.setdefault(card, {})[attribute] = values[0][1]
            else:
                resolved_deck.findings.append(_contradiction(attribute, values))
        resolved_deck.declared_facts = tuple(
            CardFact(named_card.line.number, named_card.card_name, attribute, value)
            for named_card, attribute, value in declared_facts
            if attribute in agreed_facts.get(named_card.card_key, {})
        )
        if not trust:
            return resolved_deck.named_cards
        return [
            structs.replace(named_card, facts=agreed_facts.get(named_card.card_key, NO_FACTS))
            for named_card in resolved_deck.named_cards
        ]

    def _new_facts(self, named_card: NamedCard, resolved_deck: ResolvedDeck) -> Mapping[str, object]:
        """Return the facts that a line declares and the pool does not have.

        Adds advice about facts that cannot be read, contradict the pool, or have a misspelt attribute.
        """
        line = named_card.line
        if not line.facts:
            return NO_FACTS
        attributes = self.ruleset.pool.attributes
        values, problems = parse_facts(line.facts, attributes)
        faults = list(problems)
        new_facts: dict[str, object] = {}
        for name, value in values.items():
            in_pool = named_card.card.get(name)
            if name not in attributes and (near := nearest(name, attributes)):
                faults.append(f"`{name}` is not an attribute of the pool; did you mean {near}?")
            elif in_pool is UNKNOWN:
                new_facts[name] = value
            elif value_key(in_pool) != value_key(value):
                faults.append(
                    f"{name} is {value_text(value)} here, but {value_text(in_pool)} in the pool; "
                    "the value of the pool counts"
                )
        resolved_deck.findings += (
            _finding("fact", Severity.ADVICE, f"declared fact: {fault}", line, named_card.card_name)
            for fault in faults
        )
        return new_facts

    # -- zones

    def find_zone(self, named_card: NamedCard, resolved_deck: ResolvedDeck) -> str | None:
        """Return the id of the zone to which a line's card belongs; None if the card is left out.

        A card is left out if the format does not have its zone, or if the zone is not part of the deck, such
        as a zone for tokens. These lines are recorded in `resolved_deck`.
        """
        line, zone = named_card.line, self._zone_of(named_card.line)
        if zone is None:
            resolved_deck.unknown_zones.setdefault(line.zone or line.zone_id or "?", []).append(line.number)
            return None
        rule = self.format.zone(zone)
        if rule is not None and not rule.counts:
            resolved_deck.uncounted_lines.append(line)
            return None
        if (
            line.zone is not None
            or line.zone_id is not None
            or (named_card.match is None and not named_card.facts)
        ):
            return zone
        fitting_zone = self._fitting_zone(named_card, zone)
        if fitting_zone != zone:
            rule = self.format.zone(fitting_zone)
            name = (rule.name if rule else "") or fitting_zone
            card, reason = _slot(named_card, zone).name, f"placed in {name}, because no header is above it"
            resolved_deck.corrections.append(
                Correction(line=line.number, written=line.written_name, taken_as=card, reason=reason)
            )
        return fitting_zone

    def _zone_of(self, line: Line) -> str | None:
        """Return the id of the zone of a line; None if the format has no such zone.

        A list that was read without a format has general kinds of zones (`side`, `leader`). Each kind stands
        for the format's zone of that kind.
        """
        if line.zone is None and line.zone_id is None:
            return self.format.default_zone
        if line.zone_id is not None and self.format.zone(line.zone_id):
            return line.zone_id
        words = vocabulary_of(self.format)
        zone = words.zone_id(line.zone) if line.zone else None
        has_kind = line.zone is not None and general_kind(line.zone) is not None
        if zone is None and not has_kind and line.zone_id and line.zone_id in GENERAL_ZONES:
            zone = words.zone_of_kind(line.zone_id)
        return self.format.default_zone if zone is None and line.is_implied else zone

    def _fitting_zone(self, named_card: NamedCard, default: str) -> str:
        """Return the zone of a card if the list does not say in which zone the card is.

        A leader belongs in the leader's zone. Any other card belongs in the zone `default`, unless that zone
        has a condition (`holds`) that excludes the card. Then the card belongs in the zone whose condition it
        meets; if it meets the condition of no zone or of several zones, in `default`.
        """
        view, conditions = self._view(named_card), self.ruleset.holds
        if self.format.leader and self._is_leader(view):
            return self.format.leader.rule.zone
        if default not in conditions or truth(conditions[default](view)) is not False:
            return default
        others = [
            zone
            for zone, condition in conditions.items()
            if zone != default and truth(condition(view)) is True
        ]
        return others[0] if len(others) == 1 else default

    def _view(self, named_card: NamedCard) -> View:
        """Return the `View` of a card, to evaluate conditions on it before the deck is complete."""
        deck = Deck((), {}, Leader(doubt="not placed yet"), self.ruleset.choices, self.ruleset.lists)
        return View(deck).of(_slot(named_card, self.format.default_zone))

    def _is_leader(self, view: View) -> bool:
        leads = self.ruleset.leads
        return leads is not None and truth(leads(view)) is True


_CARD_IN_BRACKETS = re.compile(r"(?P<name>\S.*?)\s*[(\[{<](?P<inside>[^()\[\]{}<>]+)[)\]}>]")
_CLOSING = frozenset(")]}>")


def _decided_findings(
    decklist: Decklist, cards: Sequence[Words], titles: Sequence[Words], lines: Iterable[Line]
) -> Iterator[Finding]:
    """Yield the findings of a list after the pool has decided which doubtful lines are cards.

    cards:  lines that were first read as other text, but are cards; if there are any, the finding that the
            list is empty is left out
    titles: the titles that may be cards; each gets a question, unless its line already has a finding
    lines:  the lines of the list; each line with a `doubt` gets an error
    """
    reported_lines = {number for finding in decklist.findings for number in finding.lines}
    yield from (finding for finding in decklist.findings if not cards or finding.rule != "empty")
    yield from (title_or_card(words) for words in titles if words.line.number not in reported_lines)
    for line in lines:
        if line.doubt:
            yield _finding("line", Severity.ERROR, line.doubt, line, line.written_name)


def _decided_notes(decklist: Decklist, cards: Sequence[Words], titles: Sequence[Words]) -> list[Note]:
    moved_lines = {words.line.number for words in (*cards, *titles)}
    notes = [note for note in decklist.notes if note.line not in moved_lines]
    for words in cards:
        message = f"`{words.text}` was read as a card, not as a {words.role}"
        notes.append(Note(line=words.line.number, message=message))
    return sorted(notes, key=lambda note: note.line)


def _finding(rule: str, severity: Severity, message: str, line: Line, subject: str) -> Finding:
    return Finding(rule, severity, message, lines=(line.number,), subjects=(subject,))


def _contradiction(attribute: str, values: list[tuple[NamedCard, object]]) -> Finding:
    """Return the finding about lines of one list that declare different values for a fact."""
    places = ", ".join(f"line {named_card.line.number}: {value_text(value)}" for named_card, value in values)
    message = f"{attribute} is declared differently ({places}), so neither value counts"
    lines = tuple(named_card.line.number for named_card, _ in values)
    return Finding("fact", Severity.ADVICE, message, lines=lines, subjects=(values[0][0].card_name,))


def _slot(named_card: NamedCard, zone: str) -> Slot:
    card, match = named_card.card, named_card.match
    return Slot(
        card=card,
        name=match.counted if match else card.name,
        keys=match.keys if match else (card.key,),
        zone=zone,
        qty=named_card.copies,
        lines=(named_card.line.number,),
        pool_id=match.pool_id if match and not named_card.facts else None,
    )


def _add_header_facts(resolved_deck: ResolvedDeck, ruleset: Ruleset) -> list[Slot]:
    """Return all cards with the facts that the headers above their lines give (`header_facts`).

    If such a header is used, the other cards of its zone get the zone's `other_facts`. A card that is under
    several headers with different facts gets none of them. If no header gives facts, the cards are unchanged.
    """
    slots = resolved_deck.slots
    for zone in (placed_zone.rule for placed_zone in ruleset.format.zones if placed_zone.rule.header_facts):
        headers = {fold(header): facts for header, facts in zone.header_facts.items()}
        by_line = {
            named_card.line.number: headers.get(fold(named_card.line.zone or ""))
            for named_card in resolved_deck.named_cards
        }
        used_facts = [by_line[line] for slot in slots if slot.zone == zone.id for line in slot.lines]
        other_facts = (
            zone.other_facts if any(facts not in (None, zone.other_facts) for facts in used_facts) else {}
        )
        facts_of = {line: other_facts if facts is None else facts for line, facts in by_line.items()}
        slots = [_add_common_facts(slot, facts_of) if slot.zone == zone.id else slot for slot in slots]
    return slots


def _add_common_facts(slot: Slot, facts_of: Mapping[int, Mapping[str, Any]]) -> Slot:
    """Return a slot (all copies of one card in one zone) with facts added to its card.

    If its lines have different facts or no facts, the slot is returned unchanged.

    facts_of: number of a line in the list → the facts for cards on that line
    """
    facts = facts_of[slot.lines[0]]
    if not facts or any(facts_of[line] != facts for line in slot.lines):
        return slot
    return structs.replace(slot, card=slot.card.with_facts(facts), pool_id=None)


# -- the parts of a list


def part_of(decklist: Decklist, ruleset: Ruleset) -> tuple[str, ...]:
    """Return the zones of a list that consists only of shared zones; empty for other lists.

    A shared zone, such as a mission deck, is one for which an event may have one list for all players. A list
    of shared zones is not an incomplete deck: check it with `ruleset.part(zones)`. Facts that the list
    declares are trusted here.
    """
    if not ruleset.shares or not decklist.lines:
        return ()
    with as_rules_error():
        resolved_deck = resolve(decklist, ruleset, trust_declared=True)
    zones = {slot.zone for slot in resolved_deck.slots}
    is_alone = (
        bool(zones)
        and zones <= ruleset.shares.keys()
        and not resolved_deck.unknown_zones
        and not resolved_deck.uncounted_lines
    )
    return tuple(zone for zone in ruleset.shares if zone in zones) if is_alone else ()


def cards_in_order(decklist: Decklist, ruleset: Ruleset, zone: str) -> tuple[tuple[int, str], ...]:
    """Return a zone's cards in order, with adjacent copies added up: `((3, "Ridge"), …)`."""
    with as_rules_error():
        resolved_deck = resolve(decklist, ruleset, trust_declared=True)
    lines = {line for slot in resolved_deck.slots if slot.zone == zone for line in slot.lines}
    cards: list[tuple[int, str]] = []
    for named_card in resolved_deck.named_cards:
        if named_card.line.number in lines:
            name = named_card.match.counted if named_card.match else named_card.reading.name
            if cards and fold(cards[-1][1]) == fold(name):
                cards[-1] = (cards[-1][0] + named_card.line.count, name)
            else:
                cards.append((named_card.line.count, name))
    return tuple(cards)


def declared_facts_in(decklist: Decklist, ruleset: Ruleset) -> tuple[CardFact, ...]:
    """Return the facts about cards that a decklist declares and the card pool does not have.

    Such a fact is a value for an attribute of a card. If two lines declare different values for the same
    attribute of a card, neither is returned.
    """
    if not any(line.facts for line in decklist.lines):
        return ()
    return resolve(decklist, ruleset).declared_facts


# -- the deck that the rules judge


def deck_of_slots(slots: Iterable[Slot], ruleset: Ruleset, *, deck_name: str = "the deck") -> Deck:
    """Return the deck that the rules judge: its cards, the sizes of its zones, and its leader.

    The cards are in the order of zones and names, so that no rule depends on the order of the list.

    deck_name: the name of the deck in messages
    """
    slots = in_rule_order(slots, ruleset)
    sizes = {zone.rule.id: 0 for zone in ruleset.format.zones if zone.rule.counts}
    for slot in slots:
        sizes[slot.zone] = sizes.get(slot.zone, 0) + slot.qty
    deck_name = f"{deck_name} by {ruleset.format.id}"
    deck = Deck(slots, sizes, Leader(), ruleset.choices, ruleset.lists, label=deck_name)
    if ruleset.format.leader:
        leader = ruleset.format.leader.rule
        deck.leader = _leader(deck, ruleset, leader.zone, leader.noun or "leader")
    return deck


def in_rule_order(slots: Iterable[Slot], ruleset: Ruleset) -> list[Slot]:
    """Return the slots sorted by zone, in the order of the format's zones, and by card name.

    A slot is all copies of one card in one zone.
    """
    zones = {zone.rule.id: place for place, zone in enumerate(ruleset.format.zones)}
    return sorted(slots, key=lambda slot: (zones.get(slot.zone, len(zones)), slot.keys, slot.card.id))


def _leader(deck: Deck, ruleset: Ruleset, zone: str, noun: str) -> Leader:
    """Return the leader. It is in doubt if its zone breaks a rule; then `doubt` says why."""
    leader = deck.leader = Leader(tuple(slot for slot in deck.slots if slot.zone == zone))
    outcomes = (outcome for rule in ruleset.rules_of(zone) for outcome in rule.judge(deck))
    if not any(isinstance(outcome, Finding) for outcome in outcomes):
        return leader
    number = deck.sizes.get(zone, 0)
    doubts = {0: f"there is no {noun}", 1: f"the {noun} is not allowed"}
    return Leader(leader.slots, doubts.get(number, f"{number} cards are listed as the {noun}"))
