"""From lines to cards: look names up, put lines into zones, add copies up."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from msgspec import structs

from tourney.cards.card import NONE, UNKNOWN, Card, Printing, Status, parse_facts, unlisted
from tourney.cards.names import fold, nearest
from tourney.decks.decklist import NO_FACTS, Decklist, Line, Note, PrintMark, Reading, Words
from tourney.decks.reading.builder import title_or_card
from tourney.decks.reading.counts import number_in
from tourney.decks.reading.names import without_picture
from tourney.decks.reading.vocabulary import GENERAL_ZONES, general_kind, vocabulary_of
from tourney.errors import Finding, Severity, as_rules_error
from tourney.rules.expressions import text_of, truth
from tourney.rules.expressions.deck import Deck, Leader, View
from tourney.rules.expressions.slot import Slot
from tourney.rules.findings import Terms
from tourney.rules.ruleset import CardMatch, Ruleset, plain_number
from tourney.wording import format_ranges, listed_short


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A name that is not read as it is written.

    line: the number of the line
    written: the name as written
    taken_as: the name of the card
    reason: why
    """

    line: int
    written: str
    taken_as: str
    reason: str


@dataclass(frozen=True, slots=True)
class Named:
    """A line whose name was looked up.

    match: None if the pool does not have the card
    facts: declared facts that are believed
    """

    line: Line
    reading: Reading
    match: CardMatch | None
    facts: Mapping[str, object]

    @property
    def card_key(self) -> str:
        """What all lines of a card have in common."""
        return self.match.pool_id if self.match else "\0" + self.reading.key


class Declared(NamedTuple):
    """A fact that a list declares about a card and the pool does not know, with its line."""

    line: int
    card: str
    attribute: str
    value: object


@dataclass
class Resolved:
    """A decklist with its cards.

    decklist: the list, with the pool's decisions
    slots:    copies added up by card and zone, in the order of the list
    advised:  the same with the facts in headers (`header_facts` of a zone), for advice
    named:    the lines, looked up
    strange:  header → lines under a header that is not a zone of the format
    uncounted: lines in zones of the format that never count
    findings: errors of lines whatever the rules
    declared: the facts that lines declare and the pool does not know, believed or not
    """

    decklist: Decklist
    slots: list[Slot] = field(default_factory=list)
    advised: list[Slot] = field(default_factory=list)
    named: list[Named] = field(default_factory=list)
    strange: dict[str, list[int]] = field(default_factory=dict)
    uncounted: list[Line] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    declared: tuple[Declared, ...] = ()
    notes: list[str] = field(default_factory=list)

    @property
    def unlisted(self) -> list[Slot]:
        """The slots of cards that are in no pool."""
        return [slot for slot in self.slots if not slot.card.listed]

    @property
    def hash(self) -> str:
        """SHA-256 of zones, cards and copies, whatever the order, comments and printings.

        A card is its folded name, and its id if the pool has several of that name.
        """
        counts: Counter[tuple[str, str]] = Counter()
        shared = {each.match.pool_id for each in self.named if each.match and each.match.shares_name}
        for slot in self.slots:
            card = slot.pool_id if slot.pool_id in shared else None
            counts[slot.zone, card or slot.keys[-1]] += slot.qty
        lines = sorted(f"{zone}\t{card}\t{copies}" for (zone, card), copies in counts.items())
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def resolve(decklist: Decklist, ruleset: Ruleset, *, trust_declared: bool = False) -> Resolved:
    """Look up every line of a list and add up the copies.

    trust_declared: believe declared facts if the pool has none; else they are only collected
    """
    return _Resolver(ruleset, trust_declared=trust_declared).resolve(decklist)


def decided(decklist: Decklist, ruleset: Ruleset) -> Decklist:
    """Return the list with the decisions that only the pool can make.

    A line that was taken for the title, a header or a footer is a card if the pool or the ban list knows it.
    So is a line in doubt, which otherwise is an error.
    """
    return _Resolver(ruleset, trust_declared=False).decided(decklist)


class _Resolver:
    """Resolves decklists with one ruleset."""

    def __init__(self, ruleset: Ruleset, *, trust_declared: bool) -> None:
        self.ruleset = ruleset
        self.format = ruleset.format
        self.words = vocabulary_of(ruleset.format)
        self.trust = trust_declared
        self._fillable = ruleset.pool.attributes

    def resolve(self, decklist: Decklist) -> Resolved:
        done = Resolved(self.decided(decklist))
        merged: dict[tuple[str, str], Slot] = {}
        done.named = self._with_facts([self._named(line, done) for line in done.decklist.lines], done)
        for named in done.named:
            zone = self._zone(named, done)
            if zone is not None:
                self._add(merged, named, zone)
        done.slots = list(merged.values())
        if done.declared and not self.trust:
            lines = {each.line for each in done.declared}
            done.slots = [
                structs.replace(slot, declared=True) if lines.intersection(slot.lines) else slot
                for slot in done.slots
            ]
        done.advised = self._advised(done)
        return done

    # -- what the reader left open

    def decided(self, decklist: Decklist) -> Decklist:
        claimed = [words for words in decklist.words if words.card and self._claims(words)]
        titles = [words for words in claimed if self._may_be_the_title(words, decklist)]
        claimed = [words for words in claimed if words not in titles]
        if claimed:
            decklist = _with_claimed(decklist, claimed)
        if titles:
            decklist = self._asked_about_titles(decklist, titles)
        if not any(
            line.doubt or line.question or _CLOSING.intersection(line.written) for line in decklist.lines
        ):
            return decklist
        lines = tuple(self._with_another(self._undoubted(line)) for line in decklist.lines)
        doubtful = tuple(_doubtful(line) for line in lines if line.doubt)
        still = {line.number for line in lines if line.doubt}
        cards = {line.number for line in decklist.lines if line.doubt} - still
        account = tuple((line, "card" if line in cards else what) for line, what in decklist.account)
        return replace(decklist, lines=lines, findings=(*decklist.findings, *doubtful), account=account)

    def _claims(self, words: Words) -> bool:
        """Return whether words are a card; a description must be nothing but its name."""
        if words.role == "description" and not self.ruleset.cards.knows(words.text):
            return False
        if self._known(words.line) is not None:
            return True
        return bool(words.line.question) and not self.ruleset.pool.complete

    def _may_be_the_title(self, words: Words, decklist: Decklist) -> bool:
        """Return whether a known card in the title's place may be the title.

        The only leader of a list is a card, and so is a card of a fixed box, since nobody names such a deck.
        """
        if words.role != "title" or self.format.rules["kit"] or self._known(words.line) is None:
            return False
        leader = self.format.leader
        if leader is None or not self._leads(words.line):
            return True
        return any(self._zone_of(line) == leader.rule.zone or self._leads(line) for line in decklist.lines)

    def _leads(self, line: Line) -> bool:
        """Return whether the card of a line leads the deck by the format's rules."""
        reading, match = self._looked_up(line)
        if match is None:
            return False
        named = Named(line, reading, match, NO_FACTS)
        return self._leading(self._view(named, self.format.default_zone)) is not None

    def _asked_about_titles(self, decklist: Decklist, titles: list[Words]) -> Decklist:
        """Add a finding for each title that is also the name of a card; it is not counted."""
        told = {number for finding in decklist.findings for number in finding.lines}
        asked = [title_or_card(words) for words in titles if words.line.number not in told]
        numbers = {words.line.number for words in titles}
        return replace(
            decklist,
            findings=(*decklist.findings, *asked),
            notes=tuple(note for note in decklist.notes if note.line not in numbers),
        )

    def _known(self, line: Line) -> Reading | None:
        """Return the reading with which the pool or the ban list knows the card; None without one."""
        reading, match = self._looked_up(line)
        return reading if match is not None or reading.key in self.ruleset.cards.named else None

    def _undoubted(self, line: Line) -> Line:
        """Return the line without doubt and question, if its card is known."""
        if not (line.doubt or line.question):
            return line
        reading = self._known(line)
        return line if reading is None else structs.replace(line, doubt=reading.doubt, question="")

    def _with_another(self, line: Line) -> Line:
        """Doubt a line with another known card in brackets: `Kite (Bell)`, `Kite [Bell]`."""
        behind = _CARD_IN_BRACKETS.fullmatch(line.written) if _CLOSING.intersection(line.written) else None
        if behind is None or line.doubt or self.ruleset.cards.knows(line.written):
            return line
        first, second = (self.ruleset.cards.find(behind[part]) for part in ("name", "inside"))
        if first is None or second is None or first.keys == second.keys:
            return line
        doubt = f"two cards? write one on a line, or leave out `{line.written[behind.end('name') :].strip()}`"
        return structs.replace(line, doubt=doubt)

    # -- names

    def _named(self, line: Line, done: Resolved) -> Named:
        reading, match = self._looked_up(line)
        facts = self._facts(line, match, done) if line.facts else NO_FACTS
        if line.readings and all(reading.key != each.key for each in line.readings):
            reason = "the same letters"
            done.corrections.append(
                Correction(line=line.number, written=line.written, taken_as=reading.name, reason=reason)
            )
        elif match is not None and not (match.own and not reading.taken):
            self._correct(line, reading, match, done)
        if match is not None and match.card.candidates and reading.printing.number:
            done.notes.append(_which_of_them(line, match.card))
        return Named(line, reading, match, facts)

    def _looked_up(self, line: Line) -> tuple[Reading, CardMatch | None]:
        """Return the card of the line's code, else of the first reading whose name is known."""
        cards = self.ruleset.cards
        if line.code and (coded := cards.by_code(line.code) or cards.by_code(without_picture(line.code))):
            named = next((each for each in line.readings if cards.find(each.name) == coded), line.reading)
            return named, coded
        for reading in filter(self._allowed, line.readings):
            match = cards.find(reading.name, reading.printing.set, reading.printing.number)
            if match and match.card.candidates and (mark := _mark(reading, match.card)):
                match = cards.find(reading.name, mark.set, mark.number)
            if match and match.card.candidates and (coded := self._printed_in(line, reading, match.card)):
                match = coded
            if match or reading.key in cards.named:
                return reading, match
        if line.code and (match := cards.find(line.code)):
            return line.reading, match
        behind = self._banned_behind(line)
        return (behind, cards.find(behind.name)) if behind else (_unquoted(line.reading), None)

    def _printed_in(self, line: Line, reading: Reading, card: Card) -> CardMatch | None:
        """Return the card of a shared name whose id or printing is beside it: `Kite (abc-12)`."""
        tokens = _tokens(f"{reading.taken} {line.code or ''}")
        chosen = [each for each in card.candidates if _is_said(each, tokens)]
        said = reading.printing.set
        of_set = said is None or said.isdecimal() or any(each.printing(said) for each in card.candidates)
        if not chosen and of_set:
            sets = {fold(printing.set) for each in card.candidates for printing in each.printings}
            numbers = _numbers(tokens) if len(sets) == 1 or sets.isdisjoint(tokens) else set()
            chosen = [each for each in card.candidates if numbers & _numbers_of(each)]
        return self.ruleset.cards.by_code(chosen[0].id) if len(chosen) == 1 else None

    def _banned_behind(self, line: Line) -> Reading | None:
        """Return the banned card whose name differs in signs and spaces only: `Comet, Invented`."""
        if self.ruleset.pool.complete or not self.ruleset.banned:
            return None
        for reading in filter(self._allowed, line.readings):
            name = self.ruleset.banned_as(reading.name)
            if name is not None:
                return structs.replace(reading, name=name)
        return None

    def _allowed(self, reading: Reading) -> bool:
        """Return whether a pool may decide that the words taken are decoration, or a count.

        In an open pool, parentheses and numbers belong to the name: `Kite (Red)` and `Kite 2` may be cards
        that are not in the pool. Parentheses are a mark if the card has a printing of that set.
        """
        if reading.certain or self.ruleset.pool.complete:
            return True
        if reading.count is not None:
            return False
        if not _PARENTHESIS_BEHIND.search(reading.taken) or number_in(reading.taken.strip("()")):
            return True
        match = self.ruleset.cards.find(reading.name)
        if match is None:
            return False
        tokens = _tokens(reading.taken)
        is_printing = any(_is_said(each, tokens) for each in match.card.candidates or (match.card,))
        return is_printing or _set_taken(reading, match.card) is not None

    def _correct(self, line: Line, reading: Reading, match: CardMatch, done: Resolved) -> None:
        if reading.count is not None and reading.taken:
            reason = f"`{reading.taken}` taken for the count"
        elif reading.taken and not reading.certain:
            reason = f"`{reading.taken}` taken for decoration"
        elif line.code and line.code != reading.name and self.ruleset.cards.find(reading.name) != match:
            reason = f"its code `{line.code}` is this card's"
        elif reading.name == match.card.id != match.card.name:
            reason = "the card's id"
        elif reading.key not in {match.card.key, match.keys[0]}:
            reason = "another name of the card" if reading.name in line.written else "the card's number"
        elif match.keys[0] != match.card.key:
            reason = "counts as this card"
        else:
            return
        taken = match.counted if reason.startswith("counts") else match.card.name
        done.corrections.append(
            Correction(line=line.number, written=line.written, taken_as=taken, reason=reason)
        )

    def _facts(self, line: Line, match: CardMatch | None, done: Resolved) -> Mapping[str, object]:
        values, faults = parse_facts(line.facts, self._fillable)
        card = match.card if match else unlisted(line.name)
        misspelt = {
            name: near
            for name in values
            if name not in self._fillable and (near := nearest(name, self._fillable))
        }
        values = {name: value for name, value in values.items() if name not in misspelt}
        faults += tuple(
            f"`{name}` is nothing that the pool says of cards; did you mean {near}?"
            for name, near in misspelt.items()
        )
        for fault in faults:
            done.findings.append(_faulty_fact(line, card.name, fault))
        new = {name: value for name, value in values.items() if card.get(name) is UNKNOWN}
        for name, value in values.items():
            if name not in new and _compared(card.get(name)) != _compared(value):
                done.findings.append(_known_otherwise(line, card, name, value))
        return new

    def _with_facts(self, lines: list[Named], done: Resolved) -> list[Named]:
        """Apply what one line declares to all lines of the card, unless two lines differ."""
        declared: dict[str, dict[str, list[Named]]] = {}
        for each in lines:
            for name in each.facts:
                declared.setdefault(each.card_key, {}).setdefault(name, []).append(each)
        if not declared:
            return lines
        agreed: dict[str, dict[str, object]] = {key: {} for key in declared}
        for key, facts in declared.items():
            for name, by in facts.items():
                if len({_compared(each.facts[name]) for each in by}) == 1:
                    agreed[key][name] = by[0].facts[name]
                else:
                    done.findings.append(_contradiction(name, by))
        done.declared = tuple(
            Declared(
                each.line.number,
                each.match.card.name if each.match else unlisted(each.line.name).name,
                name,
                value,
            )
            for each in lines
            for name, value in each.facts.items()
            if name in agreed[each.card_key]
        )
        return [
            replace(each, facts=agreed.get(each.card_key, NO_FACTS) if self.trust else NO_FACTS)
            for each in lines
        ]

    # -- zones

    def _zone(self, named: Named, done: Resolved) -> str | None:
        zone = self._zone_of(named.line)
        if zone is None:
            header = named.line.zone or named.line.zone_id or "?"
            done.strange.setdefault(header, []).append(named.line.number)
            return None
        rule = self.format.zone(zone)
        if rule is not None and not rule.counts:
            done.uncounted.append(named.line)
            return None
        if named.line.zone is None and named.line.zone_id is None:
            return self._placed(named, zone, done)
        return zone

    def _zone_of(self, line: Line) -> str | None:
        """Return the id of the zone of a line; None if the format has no such zone.

        A list read without a format has general kinds (`side`, `leader`); each means the format's zone of
        that kind.
        """
        format_ = self.format
        if line.zone is None and line.zone_id is None:
            return format_.default_zone
        if line.zone_id is not None and format_.zone(line.zone_id):
            return line.zone_id
        match = self.words.zone_id(line.zone) if line.zone else None
        known = line.zone is not None and general_kind(line.zone) is not None
        if match is None and not known and line.zone_id is not None and line.zone_id in GENERAL_ZONES:
            match = self.words.zone_of_kind(line.zone_id)
        if match is None and line.implied:
            return format_.default_zone
        return match

    def _placed(self, named: Named, default: str, done: Resolved) -> str:
        """Put a card without a header into the leader's zone or the only zone that accepts it."""
        if named.match is None and not named.facts:
            return default
        view = self._view(named, default)
        zone = self._leading(view) or self._fitting(view, default)
        if zone != default:
            called = (self.format.zone(zone) or self.format.zones[0].rule).name or zone
            reason = f"put into {called}: no header stands above it"
            done.corrections.append(
                Correction(
                    line=named.line.number, written=named.line.written, taken_as=view.slot.name, reason=reason
                )
            )
        return zone

    def _view(self, named: Named, zone: str) -> View:
        """Return the card as the format's conditions see it before the deck is complete."""
        view = View(Deck((), {}, Leader(doubt="not placed yet"), self.ruleset.chosen, self.ruleset.lists))
        view.of(self._slot(named, zone, self._card(named)))
        return view

    def _leading(self, view: View) -> str | None:
        leads, leader = self.ruleset.leads, self.format.leader
        return leader.rule.zone if leads and leader and truth(leads(view)) is True else None

    def _fitting(self, view: View, default: str) -> str:
        holds = self.ruleset.holds
        if default not in holds or truth(holds[default](view)) is not False:
            return default
        others = [zone for zone, takes in holds.items() if zone != default and truth(takes(view)) is True]
        return others[0] if len(others) == 1 else default

    def _advised(self, done: Resolved) -> list[Slot]:
        """Return the slots with the facts in headers; a card under different headers gets none."""
        said = {placed.rule.id: placed.rule for placed in self.format.zones if placed.rule.header_facts}
        if not said:
            return done.slots
        by_line = {named.line.number: fold(named.line.zone or "") for named in done.named}
        slots = list(done.slots)
        for zone in said.values():
            facts = {fold(header): each for header, each in zone.header_facts.items()}
            inside = [number for number, slot in enumerate(slots) if slot.zone == zone.id]
            used = [facts.get(by_line[line]) for number in inside for line in slots[number].lines]
            differs = any(each is not None and each != zone.other_facts for each in used)
            others = zone.other_facts if differs else {}
            for number in inside:
                slot = slots[number]
                first, *rest = (facts.get(by_line[line], others) for line in slot.lines)
                if first and all(each == first for each in rest):
                    slots[number] = structs.replace(slot, card=slot.card.with_facts(first), pool_id=None)
        return slots if slots != done.slots else done.slots

    # -- adding up

    def _add(self, merged: dict[tuple[str, str], Slot], named: Named, zone: str) -> None:
        key = (named.card_key, zone)
        known, new = merged.get(key), self._slot(named, zone, self._card(named))
        merged[key] = (
            structs.replace(known, qty=known.qty + new.qty, lines=(*known.lines, *new.lines))
            if known
            else new
        )

    def _card(self, named: Named) -> Card:
        card = named.match.card if named.match else unlisted(named.reading.name)
        return card.with_facts(named.facts) if named.facts else card  # type: ignore[arg-type]

    def _slot(self, named: Named, zone: str, card: Card) -> Slot:
        match, line = named.match, named.line
        return Slot(
            card=card,
            name=match.counted if match else card.name,
            keys=match.keys if match else (card.key,),
            zone=zone,
            qty=line.count if named.reading.count is None else named.reading.count,
            lines=(line.number,),
            pool_id=match.pool_id if match and not named.facts else None,
        )


def _with_claimed(decklist: Decklist, claimed: list[Words]) -> Decklist:
    """Return the list with words taken for the cards that they are."""
    numbers = {words.line.number for words in claimed}
    titled = any(words.role == "title" and words.text == decklist.name for words in claimed)
    kept = (note for note in decklist.notes if note.line not in numbers)
    new = (
        Note(line=words.line.number, message=f"`{words.text}` was read as a card, not as a {words.role}")
        for words in claimed
    )
    lines = (*(words.line for words in claimed), *decklist.lines)
    return replace(
        decklist,
        name=None if titled else decklist.name,
        lines=tuple(sorted(lines, key=lambda line: line.number)),
        words=tuple(words for words in decklist.words if words not in claimed),
        findings=tuple(finding for finding in decklist.findings if finding.rule != "empty"),
        notes=tuple(sorted((*kept, *new), key=lambda note: note.line)),
        account=tuple((line, "card" if line in numbers else what) for line, what in decklist.account),
    )


def _doubtful(line: Line) -> Finding:
    return Finding(
        rule="line",
        severity=Severity.ERROR,
        message=line.doubt,
        lines=(line.number,),
        subjects=(line.written,),
    )


def _faulty_fact(line: Line, card: str, fault: str) -> Finding:
    return Finding(
        rule="fact",
        severity=Severity.ADVICE,
        message=f"declared fact: {fault}",
        lines=(line.number,),
        subjects=(card,),
    )


def _known_otherwise(line: Line, card: Card, name: str, value: object) -> Finding:
    return Finding(
        rule="fact",
        severity=Severity.ADVICE,
        message=f"declared fact: {name} is {_said(value)} here, {_said(card.get(name))} in the pool, which counts",
        lines=(line.number,),
        subjects=(card.name,),
    )


def _said(value: object) -> str:
    return text_of(NONE if value is None else value)  # type: ignore[arg-type]


def _compared(value: object) -> object:
    if isinstance(value, str):
        return fold(value)
    return frozenset(map(fold, value)) if isinstance(value, tuple) else (type(value), value)


def _contradiction(name: str, lines: list[Named]) -> Finding:
    shown = ", ".join(f"line {each.line.number}: {_said(each.facts[name])}" for each in lines)
    return Finding(
        rule="fact",
        severity=Severity.ADVICE,
        message=f"{name} is declared differently ({shown}), so neither counts",
        lines=tuple(each.line.number for each in lines),
        subjects=(lines[0].match.card.name if lines[0].match else lines[0].line.name,),
    )


# -- the parts of a list


def part_of(decklist: Decklist, ruleset: Ruleset) -> tuple[str, ...]:
    """Return the zones of a list that has only zones which an event may have for all players.

    Such a list is not an incomplete deck: check it with `ruleset.part(zones)`. Facts that it declares
    describe its cards. Empty for a deck, and for a list without cards.
    """
    if not ruleset.shares or not decklist.lines:
        return ()
    with as_rules_error():
        resolved = resolve(decklist, ruleset, trust_declared=True)
    zones = {slot.zone for slot in resolved.slots}
    alone = bool(zones) and zones <= ruleset.shares.keys() and not resolved.strange and not resolved.uncounted
    return tuple(zone for zone in ruleset.shares if zone in zones) if alone else ()


def listing(decklist: Decklist, ruleset: Ruleset, zone: str) -> tuple[tuple[int, str], ...]:
    """Return the cards of a zone in order, adjacent copies together: `((3, "Ridge"), …)`."""
    with as_rules_error():
        resolved = resolve(decklist, ruleset, trust_declared=True)
    of_zone = {line for slot in resolved.slots if slot.zone == zone for line in slot.lines}
    cards: list[tuple[int, str]] = []
    for named in resolved.named:
        if named.line.number not in of_zone:
            continue
        name = named.match.counted if named.match else named.reading.name
        if cards and fold(cards[-1][1]) == fold(name):
            cards[-1] = (cards[-1][0] + named.line.count, name)
        else:
            cards.append((named.line.count, name))
    return tuple(cards)


# -- what several lists declare of the same cards


def declared_in(decklist: Decklist, ruleset: Ruleset) -> tuple[Declared, ...]:
    """Return the facts that a list declares and the pool does not know, believed or not."""
    if not any(line.facts for line in decklist.lines):
        return ()
    return resolve(decklist, ruleset).declared


def in_words(declared: Iterable[Declared]) -> Iterator[str]:
    """Return facts as a sentence for each card: `line 4: Siege Hammer: type efreet`."""
    cards: dict[tuple[int, str], list[str]] = {}
    for each in declared:
        cards.setdefault((each.line, each.card), []).append(f"{each.attribute} {_said(each.value)}")
    return (f"line {line}: {card}: {', '.join(facts)}" for (line, card), facts in cards.items())


def in_brief(declared: Iterable[Declared]) -> Iterator[str]:
    """Return facts once for several cards: `type mission for Ridge and 5 more (lines 1–7)`."""
    cards: dict[tuple[int, str], list[str]] = {}
    for each in declared:
        cards.setdefault((each.line, each.card), []).append(f"{each.attribute} {_said(each.value)}")
    alike: dict[str, list[tuple[int, str]]] = {}
    for card, facts in cards.items():
        alike.setdefault(", ".join(facts), []).append(card)
    for said, them in alike.items():
        lines = sorted({line for line, _ in them})
        names = listed_short([*dict.fromkeys(name for _, name in them)])
        yield f"{said} for {names} ({'line' if len(lines) == 1 else 'lines'} {', '.join(format_ranges(lines))})"


def contradictions(
    lists: Mapping[str, Iterable[Declared]],
    about: str | None = None,
    among: Collection[str] | None = None,
) -> Iterator[Finding]:
    """Yield each fact that lists declare differently about a card, rare values first.

    lists: the owner of each list → its declared facts
    about: yield only differences between this owner's list and others, as seen from it
    among: yield only facts that one of these lists declares
    """
    for attribute, told, values in _differing(lists):
        lines = tuple(each.line for owner, each in told if owner == about)
        if about is not None and not lines:
            continue
        if among is not None and not any(owner in among for owner, _ in told):
            continue
        yield _disputed(attribute, told, values, about)


def disputed(lists: Mapping[str, Iterable[Declared]]) -> Mapping[str, tuple[Finding, ...]]:
    """Return what each list declares otherwise than another, by owner; empty without any."""
    found: dict[str, list[Finding]] = {}
    for attribute, told, values in _differing(lists):
        for owner in dict.fromkeys(owner for owner, _ in told):
            found.setdefault(owner, []).append(_disputed(attribute, told, values, owner))
    return {owner: tuple(findings) for owner, findings in found.items()}


_Told = list[tuple[str, Declared]]
"""Declared values, each with the owner of the list."""


def _differing(lists: Mapping[str, Iterable[Declared]]) -> Iterator[tuple[str, _Told, list[_Told]]]:
    """Yield each attribute that lists declare differently: name, declarations, and by value."""
    facts: dict[tuple[str, str], _Told] = {}
    for owner, declared in lists.items():
        for each in declared:
            facts.setdefault((fold(each.card), each.attribute), []).append((owner, each))
    for (_, attribute), told in facts.items():
        values: dict[object, _Told] = {}
        for owner, each in told:
            values.setdefault(_compared(each.value), []).append((owner, each))
        if len(values) > 1:
            yield attribute, told, [*values.values()]


def _disputed(attribute: str, told: _Told, values: list[_Told], about: str | None) -> Finding:
    """Return what is declared differently, the value of the owner's list first, then rare ones."""
    here = [by for by in values if any(owner == about for owner, _ in by)]
    odd_first = sorted(values, key=lambda by: (by not in here, len(by)))
    places = [_places(by, about) for by in odd_first]
    card = told[0][1].card
    subject = attribute if about is not None else f"{attribute} of {card}"
    return Finding(
        rule="fact",
        severity=Severity.UNVERIFIED,
        message=f"{subject} is {', '.join(places)}",
        lines=tuple(each.line for owner, each in told if owner == about),
        subjects=(card,),
        hint="put right the list that is wrong, and register it again",
    )


def _places(told: _Told, about: str | None) -> str:
    """Return where a value is declared: `Red here`, `Blue in the list of Tom (line 7)`."""
    value = _said(told[0][1].value)
    if any(owner == about for owner, _ in told):
        return f"{value} here"
    lists = "list" if len({owner for owner, _ in told}) == 1 else "lists"
    return (
        f"{value} in the {lists} of {listed_short([f'{owner} (line {each.line})' for owner, each in told])}"
    )


def wrong_printings(
    named: Iterable[Named], allowed: Collection[str], terms: Terms, deck: Deck
) -> Iterator[Finding]:
    """Return a finding for each line that asks for a printing that may not be played.

    Also for a card that has no other printing.

    allowed: the words for printings that may be played
    """
    slots = {line: slot for slot in deck.slots for line in slot.lines}
    for each in named:
        fault, hint = _wrong_printing(each, allowed)
        if fault:
            slot = slots.get(each.line.number)
            view = View(deck).of(slot) if slot else None if terms.holes else View(deck)
            finding = terms.finding(
                fault,
                subjects=(each.match.card.name if each.match else each.line.name,),
                view=view,
                hint=hint,
            )
            yield replace(finding, lines=(each.line.number,))


def _wrong_printing(each: Named, allowed: Collection[str]) -> tuple[str, str | None]:
    """Return why a printing may not be played, with the note of its source; empty if it may."""
    own = [status for status in map(_status_said, each.line.marks) if status and status.word not in allowed]
    if own:
        return f"the list itself says that it {_IS[own[0].word]}", None
    if each.match is None or (not each.match.odd and "current" in allowed):
        return "", None
    mark = _mark(each.reading, each.match.card)
    printing = _printed(each.match.card, mark)
    status = printing.status if printing else each.match.card.status
    if status.word in allowed:
        return "", None
    if printing is None:
        return f"every printing {_IS[status.word]}", None
    return f"the printing {mark} {_IS[status.word]}", printing.note


def _printed(card: Card, mark: PrintMark) -> Printing | None:
    """Return the printing of a mark. If the set does not have the number, the set decides."""
    if mark.set is None:
        return None
    return card.printing(mark.set, mark.number) or card.printing(mark.set)


def _mark(reading: Reading, card: Card) -> PrintMark:
    """Return the printing a line asks for; words in brackets are one if the card has that set."""
    code = None if reading.printing else _set_taken(reading, card)
    return PrintMark(set=code) if code else reading.printing


def _unquoted(reading: Reading) -> Reading:
    """Return the reading without the quotes around its whole name."""
    match = _QUOTED.fullmatch(reading.name)
    return structs.replace(reading, name=match["name"].strip()) if match else reading


_QUOTED = re.compile(r"[\"“„«](?P<name>[^\"“”„«»]+)[\"”“»]")
_CARD_IN_BRACKETS = re.compile(r"(?P<name>\S.*?)\s*[(\[{<](?P<inside>[^()\[\]{}<>]+)[)\]}>]")
_CLOSING = frozenset(")]}>")
_PARENTHESIS_BEHIND = re.compile(r"\([^()]*\w")
_MARKED = re.compile(r"[\[({<*#]+\s*([^\])}>*#]+?)\s*(?=[\])}>*#]|$)")


def _set_taken(reading: Reading, card: Card) -> str | None:
    """Return the words taken for decoration that are a set in which the card was printed."""
    return next((code for code in _MARKED.findall(reading.taken) if card.printing(code)), None)


def _which_of_them(line: Line, card: Card) -> str:
    """Ask which of several cards of a name is meant, if no number of theirs is on the line."""
    printings = [
        f"{each.set} {each.number}" for one in card.candidates for each in one.printings if each.number
    ]
    which = f" ({listed_short(printings)})" if printings else ""
    return f"line {line.number} `{line.written}`: the pool has {len(card.candidates)} cards of this name, and none with this set and number{which}"


def _tokens(words: str) -> list[str]:
    """Return the letters and digits between signs, folded: `(ABC-12)` is abc and 12."""
    return [fold(token) for token in _TOKEN.findall(words)]


_TOKEN = re.compile(r"[^\W_]+")
_LONGEST_COUNT = 1
"""Digits of a number that is usually a count, not a collector's number, if no set is beside it."""


def _is_said(card: Card, tokens: list[str]) -> bool:
    """Return whether words beside a name are the card's id, or set and number of a printing."""
    id_tokens = _tokens(card.id)
    if len(id_tokens) > 1 and any(
        tokens[at : at + len(id_tokens)] == id_tokens for at in range(len(tokens) - len(id_tokens) + 1)
    ):
        return True
    numbers = set(map(plain_number, tokens))
    return any(
        printing.number is not None
        and fold(printing.set) in tokens
        and plain_number(printing.number) in numbers
        for printing in card.printings
    )


def _numbers(tokens: Iterable[str]) -> set[str]:
    """Return what could be collectors' numbers: words with a digit, but not a single digit."""
    return {
        plain_number(token)
        for token in tokens
        if len(token) > _LONGEST_COUNT and any(map(str.isdigit, token))
    }


def _numbers_of(card: Card) -> set[str]:
    return {plain_number(printing.number) for printing in card.printings if printing.number is not None}


_IS = {"outdated": "is an outdated version", "misprint": "is a misprint"}


def _status_said(mark: str) -> Status | None:
    """Return what a mark such as `(Misprint)` says about the copy."""
    word = fold(mark.strip("()[]{}*# ")).replace("-", "")
    return {
        "misprint": Status.MISPRINT,
        "misprinted": Status.MISPRINT,
        "outdated": Status.OUTDATED,
        "old version": Status.OUTDATED,
    }.get(word)


# -- the deck that the rules judge


def deck_of_slots(slots: Iterable[Slot], ruleset: Ruleset, *, called: str = "the deck") -> Deck:
    """Return the deck that the rules judge: slots, sizes, and the leader.

    The slots are in the order of zones and names, so that no rule depends on the order of the list.

    called: what messages call the deck
    """
    slots = in_rule_order(slots, ruleset)
    sizes = {zone.rule.id: 0 for zone in ruleset.format.zones if zone.rule.counts}
    for slot in slots:
        sizes[slot.zone] = sizes.get(slot.zone, 0) + slot.qty
    called = f"{called} by {ruleset.format.id}"
    deck = Deck(slots, sizes, Leader(), ruleset.chosen, ruleset.lists, called=called)
    if ruleset.format.leader:
        deck.leader = _leader(deck, ruleset, ruleset.format.leader.rule.zone)
    return deck


def in_rule_order(slots: Iterable[Slot], ruleset: Ruleset) -> list[Slot]:
    """Return slots by zone (in the order of the format) and name."""
    zones = {zone.rule.id: place for place, zone in enumerate(ruleset.format.zones)}
    return sorted(slots, key=lambda slot: (zones.get(slot.zone, len(zones)), slot.keys, slot.card.id))


def _leader(deck: Deck, ruleset: Ruleset, zone: str) -> Leader:
    """Return the leader, in doubt while its zone breaks a rule."""
    leading = tuple(slot for slot in deck.slots if slot.zone == zone)
    deck.leader = Leader(leading)
    broken = any(
        isinstance(outcome, Finding) for rule in ruleset.rules_of(zone) for outcome in rule.judge(deck)
    )
    if not broken:
        return Leader(leading)
    assert ruleset.format.leader is not None
    noun = ruleset.format.leader.rule.noun or "leader"
    number = deck.sizes.get(zone, 0)
    doubt = {0: f"there is no {noun}", 1: f"the {noun} is none"}.get(
        number, f"{number} cards stand as {noun}"
    )
    return Leader(leading, doubt)
