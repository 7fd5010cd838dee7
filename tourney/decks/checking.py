"""A decklist held against a ruleset: legal, illegal or unverified, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Literal

from tourney.cards.names import fold, meant, nearest, one_slip_apart, parted_by
from tourney.decks.decklist import Decklist, Line
from tourney.decks.resolving import Correction, Resolved, in_words, resolve, wrong_printings
from tourney.decks.unknown_names import Cause, common_cause, name_findings, name_questions
from tourney.errors import Finding, Severity, TourneyError, fault_of_the_rules
from tourney.rules import Ruleset
from tourney.rules.banlist import BANNED
from tourney.rules.expressions import truth
from tourney.rules.expressions.deck import Deck, Leader, Slot, View
from tourney.rules.kinds.terms import Assignment, Outcome, Undecided, ordered
from tourney.rules.kinds.zones import WRONG_ZONE
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.decks.repair import Repair

Word = Literal["legal", "illegal", "unverified"]
"""What a verdict comes to; `unverified`: nothing is broken, and something could not be decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListUsed:
    """Which ban list a verdict rests on: its name, the day from which it is in force, its SHA-256.

    fingerprint: the first digits of the digest, for people
    """

    name: str
    day: date
    fingerprint: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """A line that was taken for the list's title because of where it stands: no card, unless somebody says so."""

    line: int
    text: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A decklist held against a ruleset.

    verdict:     `legal` (no rule broken, every error rule decided), `illegal`, `unverified`
    findings:    all of them at once, in the order of the list; those about no line last
    notes:       what changes nothing but should be known (names only were checked; no ban list is installed)
    cards:       how many cards each zone has
    hash:        the same for the same deck whatever the order, comments and printings
    corrections: names read otherwise than written
    facts_used:  declared facts that the verdict rests on, one sentence a card (with `trust_declared`)
    proofs:      the arrangements found for `[[allow]]` and `[[cover]]`, one line each
    banlist_missing: whether the format names a ban list and none is installed
    repair:      how to make it legal, where that was asked for and found
    cause:       why nearly all of it is wrong, where one thing explains that
    parts:       what the list is, where it is no deck but a part that everybody plays with: `Mission deck`
    name, player: what the list calls itself, and whose it says it is
    title:       the line that was taken for the title, None where none was or the list says which it is
    """

    source: str
    format: str
    on: date
    banlist: ListUsed | None
    verdict: Word
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    cards: Mapping[str, int]
    hash: str
    corrections: tuple[Correction, ...] = ()
    facts_used: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()
    banlist_missing: bool = False
    name: str | None = None
    player: str | None = None
    title: Title | None = None
    repair: Repair | None = None
    cause: Cause | None = None
    parts: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """How many cards the list has, over all zones that count."""
        return sum(self.cards.values())


def check(decklist: Decklist, ruleset: Ruleset, *, trust_declared: bool = False) -> Verdict:
    """Say whether a decklist is legal, and why.

    trust_declared: believe the facts that lines declare (`4 Siege Hammer {type=efreet}`) where the pool knows
    nothing; the verdict then says which were used. Without it, an unverified verdict says what they would make it.

    Raises RulesError where the rules or the pool fail at judging: no list's fault.
    """
    verdict, resolved = _check(decklist, ruleset, trust_declared=trust_declared)
    if verdict.verdict == "unverified" and resolved.declared and not trust_declared:
        would, _ = _check(decklist, ruleset, trust_declared=True)
        note = f"with the facts it declares the list would be {would.verdict} (--trust-declared)"
        return replace(verdict, notes=(*verdict.notes, note))
    return verdict


def part_of(decklist: Decklist, ruleset: Ruleset) -> tuple[str, ...]:
    """Return the zones of which a list is made, where all of them are such as an event may have for everybody.

    Such a list is no deck with most of it missing: it is to be checked as what it is, with `ruleset.part(zones)`. Facts
    that it declares say what a card is. Empty for a deck, and for a list without cards.
    """
    if not ruleset.shares or not decklist.lines:
        return ()
    with fault_of_the_rules():
        resolved = resolve(decklist, ruleset, trust_declared=True)
    zones = {slot.zone for slot in resolved.slots}
    alone = bool(zones) and zones <= ruleset.shares.keys() and not resolved.strange and not resolved.uncounted
    return tuple(zone for zone in ruleset.shares if zone in zones) if alone else ()


def listing(decklist: Decklist, ruleset: Ruleset, zone: str) -> tuple[tuple[int, str], ...]:
    """Return the cards of a zone in the order of the list, copies of neighbours together: `((3, "Ridge"), …)`."""
    with fault_of_the_rules():
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


def cards_of(decklist: Decklist, ruleset: Ruleset) -> Deck:
    """Return the cards of a list as the rules see them, by zone and name, and who leads; facts that it declares are believed."""
    with fault_of_the_rules():
        return counted(resolve(decklist, ruleset, trust_declared=True).slots, ruleset)


def _check(decklist: Decklist, ruleset: Ruleset, *, trust_declared: bool) -> tuple[Verdict, Resolved]:
    with fault_of_the_rules():
        return _judged(decklist, ruleset, trust_declared=trust_declared)


def _judged(decklist: Decklist, ruleset: Ruleset, *, trust_declared: bool) -> tuple[Verdict, Resolved]:
    resolved = resolve(decklist, ruleset, trust_declared=trust_declared)
    decklist = resolved.decklist
    deck = counted(resolved.slots, ruleset, called=decklist.source)
    outcomes = [*_printings(resolved, ruleset, deck), *ruleset.judge(deck)]
    open_pool = not ruleset.pool.complete
    undecided = [each for each in outcomes if isinstance(each, Undecided)]
    unknown = _by_cause(undecided, deck, () if open_pool else resolved.unlisted)
    findings = [
        *_reader_findings(decklist, outcomes),
        *resolved.findings,
        *_strange_zones(resolved, ruleset),
        *name_findings(resolved, ruleset),
        *_with_taken_words(
            _once_misplaced([each for each in outcomes if isinstance(each, Finding)]), resolved
        ),
        *unknown.findings,
    ]
    notes = [
        *_reader_notes(decklist, ruleset),
        *_set_aside((*decklist.aside, *resolved.uncounted)),
        *_notes(resolved, ruleset, deck),
        *unknown.notes,
    ]
    word = _word_for(findings)
    verdict = Verdict(
        source=decklist.source,
        format=ruleset.format.id,
        on=ruleset.day,
        banlist=_list_used(ruleset),
        verdict=word,
        findings=in_order(findings),
        notes=tuple(notes),
        cards=dict(deck.sizes),
        hash=resolved.hash,
        corrections=tuple(resolved.corrections),
        facts_used=tuple(in_words(resolved.declared)) if trust_declared else (),
        banlist_missing=_list_missing(ruleset),
        name=decklist.name,
        player=decklist.player,
        title=_title(decklist),
        proofs=tuple(line for each in outcomes if isinstance(each, Assignment) for line in each.lines),
        cause=None if open_pool and word == "legal" else common_cause(resolved, ruleset),
    )
    return verdict, resolved


# -- the deck as the rules see it


def counted(slots: Iterable[Slot], ruleset: Ruleset, *, called: str = "the deck") -> Deck:
    """Return the deck that the rules judge: slots, sizes, and who leads.

    called: what messages call the deck

    The rules see the cards by zone and name, not in the order of the list, so that nothing they say can hang on it.
    """
    slots = canonical(slots, ruleset)
    sizes = {zone.rule.id: 0 for zone in ruleset.format.zones if zone.rule.counts}
    for slot in slots:
        sizes[slot.zone] = sizes.get(slot.zone, 0) + slot.qty
    called = f"{called} by {ruleset.format.id}"
    deck = Deck(slots, sizes, Leader(), ruleset.chosen, ruleset.lists, called=called)
    if ruleset.format.leader:
        deck.leader = _leader(deck, ruleset, ruleset.format.leader.rule.zone)
    return deck


def canonical(slots: Iterable[Slot], ruleset: Ruleset) -> list[Slot]:
    """Return slots by zone (in the order of the format) and name."""
    zones = {zone.rule.id: place for place, zone in enumerate(ruleset.format.zones)}
    return sorted(slots, key=lambda slot: (zones.get(slot.zone, len(zones)), slot.keys, slot.card.id))


def _leader(deck: Deck, ruleset: Ruleset, zone: str) -> Leader:
    """Return who leads. While the zone's own rules are broken nobody can say, and what hangs on it is not judged."""
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


# -- findings that are not a rule's


def _reader_findings(decklist: Decklist, outcomes: Iterable[Outcome]) -> Iterator[Finding]:
    """Give what the reader found. That a list is empty breaks no rule by itself: the format's sizes judge that."""
    judged = any(isinstance(each, Finding) and each.rule == "empty" for each in outcomes)
    for finding in decklist.findings:
        if finding.rule != "empty":
            yield finding
        elif not judged:
            yield replace(finding, severity=Severity.ADVICE)


def _strange_zones(resolved: Resolved, ruleset: Ruleset) -> Iterator[Finding]:
    """Tell of parts that a deck of the format does not have; of a header that is nearly one of its own, ask."""
    if not resolved.strange:
        return
    parts = [zone.rule.name or zone.rule.id for zone in ruleset.format.zones]
    named = ", ".join(parts)
    headers: dict[str, str] = {
        each: part
        for part, zone in zip(parts, ruleset.format.zones, strict=True)
        for each in (part, zone.rule.id, *zone.rule.headers)
    }
    for header, lines in resolved.strange.items():
        near = nearest(header, headers)
        yield Finding(
            rule="zone",
            severity=Severity.ERROR,
            message=f"a deck of this format has no such part; it has {named}",
            lines=tuple(lines),
            subjects=(header,),
            hint=f"did you mean {headers[near]}?"
            if near
            else "put its cards under one of these, or leave them out",
        )


def _printings(resolved: Resolved, ruleset: Ruleset, deck: Deck) -> Iterator[Outcome]:
    terms = ruleset.printings
    if terms is not None:
        allowed = ruleset.format.printings.rule.allow
        yield from terms.judged(deck, lambda deck: wrong_printings(resolved.named, allowed, terms, deck))


def _once_misplaced(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Leave out that a card may not be in a part of the list where it does not belong anyway."""
    misplaced = {(each.lines, each.subjects) for each in findings if each.rule == WRONG_ZONE}
    for finding in findings:
        again = (finding.lines, finding.subjects) in misplaced and finding.allowed == "0"
        if finding.rule in {WRONG_ZONE, BANNED} or not again:
            yield finding


def _with_taken_words(findings: Iterable[Finding], resolved: Resolved) -> Iterator[Finding]:
    """Say which words were taken for a printing where that made lines equal which are not written so."""
    taken: dict[int, str] = {
        each.line.number: each.reading.taken for each in resolved.named if each.reading.taken
    }
    for finding in findings:
        printings = [f"line {line}: `{taken[line]}`" for line in finding.lines if line in taken]
        if printings and len(finding.lines) > 1 and len(finding.subjects) == 1 and not finding.hint:
            yield replace(finding, hint=f"taken for a printing: {', '.join(printings)}")
        else:
            yield finding


# -- notes


def _title(decklist: Decklist) -> Title | None:
    words = decklist.title
    return Title(line=words.line.number, text=words.text, why=words.why) if words else None


def _reader_notes(decklist: Decklist, ruleset: Ruleset) -> Iterator[str]:
    """Give what the reader decided and a wrong decision would change: above all which line it took for the title."""
    title = decklist.title
    for note in decklist.notes:
        if note.weighty:
            near = _nearly(title.text, ruleset) if title and title.line.number == note.line else ""
            yield f"line {note.line}: {note.message}" + (f"; {near}" if near else "")
    for words in decklist.words:
        name = next((each.name for each in words.line.readings if _is_a_card(each.name, ruleset)), None)
        if name is not None and not words.card:
            what = "banned" if fold(name) in ruleset.banned else "a card"
            yield f"line {words.line.number}: `{name}` was taken as the {words.role}: {words.why}; a card of this name is {what}; if the deck plays it, write `1 {name}`"


def _is_a_card(name: str, ruleset: Ruleset) -> bool:
    return fold(name) in ruleset.banned or name in ruleset.pool


def _set_aside(aside: Iterable[Line]) -> Iterator[str]:
    """Say how many cards stand in parts of the list that never count, and where."""
    parts: dict[str, list[Line]] = {}
    for line in aside:
        parts.setdefault(line.zone or "", []).append(line)
    for zone, lines in parts.items():
        number = sum(line.count for line in lines)
        first, last = min(line.number for line in lines), max(line.number for line in lines)
        where = f"line {first}" if first == last else f"lines {first} to {last}"
        under = f" under `{zone}`" if zone else ""
        yield f"{number} card{'s' if number > 1 else ''}{under} ({where}) {'do' if number > 1 else 'does'} not count"


def _nearly(title: str, ruleset: Ruleset) -> str:
    """Ask whether a title is a card misspelt: a banned one, or one of an open pool (where 59 cards may be as good as 60)."""
    banned = ruleset.near_banned(title, ())
    near = ruleset.cards.near(title)[:1] if len(ruleset.pool) and not ruleset.pool.complete else ()
    close = [name for name in near if one_slip_apart(title, name) or parted_by(title, name)]
    return meant(title, [banned] if banned else close)


def _notes(resolved: Resolved, ruleset: Ruleset, deck: Deck) -> Iterator[str]:
    if _list_missing(ruleset):
        at = f"; published at {ruleset.format.banlist_at}" if ruleset.format.banlist_at else ""
        yield f"ban list not checked: none installed (`tourney banlist import FILE`{at})"
    if ruleset.format.names_its_pool and not len(ruleset.pool):
        yield f"the format is played with the card pool `{ruleset.format.pool}`, and there is no card of it here (`tourney pool list` tells what there is)"
    yield from name_questions(resolved, ruleset)
    for zone in ruleset.format.zones:
        expected = ruleset.expected.get(zone.rule.id)
        if (
            zone.rule.absent
            and ruleset.format.in_force(zone, ruleset.day)
            and not deck.sizes.get(zone.rule.id)
            and (expected is None or truth(expected(View(deck))))
        ):
            yield zone.rule.absent
    yield from resolved.notes


def _list_missing(ruleset: Ruleset) -> bool:
    return ruleset.format.banlist is not None and ruleset.banlist is None and not ruleset.without_banlist


def _list_used(ruleset: Ruleset) -> ListUsed | None:
    banlist = ruleset.banlist
    if banlist is None:
        return None
    return ListUsed(
        name=banlist.name, day=banlist.day, fingerprint=banlist.fingerprint, digest=banlist.digest
    )


# -- One root cause, one finding: what could not be decided, told once for each thing that is not known


@dataclass
class _UndecidedRules:
    """What becomes of them: findings of their own, or notes where their cause is a finding already."""

    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def _by_cause(undecided: Iterable[Undecided], deck: Deck, known_causes: Iterable[Slot]) -> _UndecidedRules:
    """Sort undecided rules by what is missing.

    known_causes: the cards that a finding tells of already (no such card, in a complete pool). A leader in doubt is
    always told of by a finding on its zone.
    """
    done = _UndecidedRules()
    already = {slot.key for slot in known_causes}
    open_rules = [each for each in undecided if each.severity is Severity.ERROR]
    done.notes.extend(_because_of_the_leader(open_rules, deck))
    by_cards: dict[frozenset[str], list[Undecided]] = {}
    unjudged: list[str] = []
    for each in open_rules:
        causes = frozenset(
            missing.slot.key for missing in each.missing if missing.slot and missing.slot.key not in already
        )
        if causes:
            by_cards.setdefault(causes, []).append(each)
        elif not each.missing and not already:
            done.findings.append(_cannot_compare(each))
        elif not any(missing.slot is None for missing in each.missing):
            unjudged.append(each.rule)
    if unjudged:
        done.notes.append(f"not judged while there are unknown cards: {', '.join(dict.fromkeys(unjudged))}")
    done.findings.extend(_finding(together) for together in _together(by_cards))
    return done


def _cannot_compare(undecided: Undecided) -> Finding:
    """Tell of a rule that nothing is missing for: it asks for an order of values that have none, as of `*` and a number."""
    return Finding(
        rule=undecided.rule,
        severity=Severity.UNVERIFIED,
        message="not decided: it compares values that have no order, such as text with a number",
        lines=undecided.lines,
        cite=undecided.cite,
    )


def _together(rules: Mapping[frozenset[str], list[Undecided]]) -> Iterator[list[Undecided]]:
    """Put rules together where the cards they miss something of are the same, or some of the same."""
    largest_first = sorted(rules, key=len, reverse=True)
    heads = [causes for causes in largest_first if not any(causes < other for other in largest_first)]
    for head in heads:
        mine = [causes for causes in rules if next(h for h in heads if causes <= h) == head]
        yield [rule for causes in mine for rule in rules[causes]]


def _because_of_the_leader(undecided: Iterable[Undecided], deck: Deck) -> Iterator[str]:
    rules = [each.rule for each in undecided if any(missing.slot is None for missing in each.missing)]
    if rules and deck.leader.doubt:
        yield f"not judged while {deck.leader.doubt}: {', '.join(dict.fromkeys(rules))}"


def _finding(together: list[Undecided]) -> Finding:
    missing = [each for undecided in together for each in undecided.missing if each.slot]
    every = sorted((each.slot for each in missing if each.slot), key=lambda slot: slot.lines)
    slots: dict[str, Slot] = {}
    for slot in every:
        slots.setdefault(slot.key, slot)
    attributes = list(dict.fromkeys(each.attribute for each in missing))
    rules = list(dict.fromkeys(each.rule for each in together))
    of = "" if len(slots) == 1 else f" for {len(slots)} cards"
    return Finding(
        rule=", ".join(rules),
        severity=Severity.UNVERIFIED,
        message=f"{listed(attributes)} not known{of}",
        lines=ordered(line for slot in every for line in slot.lines),
        subjects=tuple(slot.name for slot in slots.values()),
        cite=together[0].cite if len(rules) == 1 else None,
        hint="declare what you know, as in `4 Card {type=…}`, and check with --trust-declared",
    )


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings in the order of the list, those about no line last."""
    return tuple(sorted(findings, key=lambda finding: (not finding.lines, finding.lines[:1])))


def _word_for(findings: Iterable[Finding]) -> Word:
    """Return the verdict that findings amount to."""
    severities = {finding.severity for finding in findings}
    if Severity.ERROR in severities:
        return "illegal"
    return "unverified" if Severity.UNVERIFIED in severities else "legal"


def unreadable(source: str, format_name: str, day: date, fault: TourneyError) -> Verdict:
    """Return what becomes of a file, one of many, that is no decklist: a finding of that file."""
    message = fault.message.removeprefix(f"{source}: ")
    finding = Finding(
        rule="file", severity=Severity.ERROR, message=message, subjects=(source,), hint=fault.hint
    )
    return Verdict(
        source=source,
        format=format_name,
        on=day,
        banlist=None,
        verdict="illegal",
        findings=(finding,),
        notes=(),
        cards={},
        hash="",
    )
