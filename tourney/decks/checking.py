"""The verdict on a decklist: legal, illegal or unverified, and why.

In a complete pool, an unknown name is a finding. In an open pool it may be a card of its own, so a question
asks what else it could be. A cause that explains most unknown names of a list is shown once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Literal

from tourney.cards.names import (
    describe_letter,
    explain_lookalike,
    fold,
    foreign_letters,
    lookalike_key,
    nearest,
    one_slip_apart,
    script,
    similar_pairs,
    suggestion,
)
from tourney.decks.decklist import Decklist, Line
from tourney.decks.reading.counts import joined_names, name_inside
from tourney.decks.resolving import (
    Correction,
    Named,
    Resolved,
    deck_of_slots,
    in_brief,
    in_words,
    resolve,
    wrong_printings,
)
from tourney.errors import Finding, Severity, TourneyError, as_rules_error
from tourney.rules.banlist import BANNED
from tourney.rules.expressions import truth
from tourney.rules.expressions.deck import Deck, View
from tourney.rules.expressions.slot import Slot
from tourney.rules.findings import Assignment, Outcome, Undecided, ordered
from tourney.rules.format import Format
from tourney.rules.ruleset import Ruleset
from tourney.rules.vocabulary import ExampleFile
from tourney.rules.zones import WRONG_ZONE
from tourney.wording import BANLIST_UNCHECKED, listed

if TYPE_CHECKING:
    from tourney.decks.repair import Repair


Word = Literal["legal", "illegal", "unverified"]
"""The verdict in a word. `unverified`: nothing is broken, and something could not be decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListUsed:
    """The ban list behind a verdict.

    name: the name of the list
    day: the first day on which it is in force
    fingerprint: the first digits of the digest
    digest: the SHA-256 of the list's text
    """

    name: str
    day: date
    fingerprint: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """A line that was taken for the list's title by its place.

    line: the number of the line
    text: the title
    why: the evidence
    """

    line: int
    text: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The verdict on a decklist.

    verdict:     `legal` (no rule is broken, every error rule was decided), `illegal` or `unverified`
    findings:    all findings in the order of the list; those without a line last
    notes:       what changes nothing but should be known (names only were checked; no ban list is installed)
    cards:       the number of cards in each zone
    hash:        the same for the same deck whatever its order, comments and printings
    corrections: names that were read otherwise than they are written
    facts_used:  declared facts behind the verdict, one sentence for a card (with `trust_declared`)
    facts_in_brief: the same, with the facts of several cards once
    proofs:      the arrangements found for `[[allow]]` and `[[cover]]`, one line each
    banlist_missing: whether the format names a ban list and none is installed
    by_name:     whether only the name of some card is known
    repair:      how to make it legal, if that was asked for and found
    cause:       what explains nearly all findings, if one thing does
    parts:       the zones of a list that is not a deck but a part for all players: `Mission deck`
    name, player: from the list
    title:       the line that was taken for the title; None without one
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
    facts_in_brief: tuple[str, ...] = ()
    proofs: tuple[str, ...] = ()
    banlist_missing: bool = False
    by_name: bool = False
    name: str | None = None
    player: str | None = None
    title: Title | None = None
    repair: Repair | None = None
    cause: Cause | None = None
    parts: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """The number of cards in all zones that count."""
        return sum(self.cards.values())

    @property
    def says(self) -> str:
        """The verdict in words, with what was not checked: `legal by name, ban list not checked`."""
        if self.verdict != "legal":
            return self.verdict
        by_name = "legal by name" if self.by_name else "legal"
        return f"{by_name}, {BANLIST_UNCHECKED}" if self.banlist_missing else by_name

    def strict(self) -> Verdict:
        """Return the verdict with a ban list that was not checked as something undecided."""
        if self.verdict != "legal" or not self.banlist_missing:
            return self
        finding = Finding(
            rule="ban-list",
            severity=Severity.UNVERIFIED,
            message="not checked: none is installed",
            subjects=("ban list",),
        )
        return replace(self, verdict="unverified", findings=(*self.findings, finding))


def check(decklist: Decklist, ruleset: Ruleset, *, trust_declared: bool = False) -> Verdict:
    """Return whether a decklist is legal, and why.

    Raises RulesError if the rules or the pool fail, which is not the list's fault.

    trust_declared: believe the facts that lines declare (`4 Siege Hammer {type=efreet}`) if the pool has
                    none; the verdict lists those it used. Without it, an unverified verdict says what they
                    would change.
    """
    verdict, resolved = _check(decklist, ruleset, trust_declared=trust_declared)
    if verdict.verdict == "unverified" and resolved.declared and not trust_declared:
        would, _ = _check(decklist, ruleset, trust_declared=True)
        note = f"with the facts it declares the list would be {would.verdict} (--trust-declared)"
        return replace(verdict, notes=(*verdict.notes, note))
    return verdict


def cards_of(decklist: Decklist, ruleset: Ruleset) -> Deck:
    """Return the cards of a list and its leader as the rules see them, with declared facts."""
    with as_rules_error():
        return deck_of_slots(resolve(decklist, ruleset, trust_declared=True).slots, ruleset)


def unreadable(source: str, format_name: str, day: date, fault: TourneyError) -> Verdict:
    """Return the verdict on a file that is not a decklist: a finding."""
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


def _check(decklist: Decklist, ruleset: Ruleset, *, trust_declared: bool) -> tuple[Verdict, Resolved]:
    with as_rules_error():
        return _judged(decklist, ruleset, trust_declared=trust_declared)


def _judged(decklist: Decklist, ruleset: Ruleset, *, trust_declared: bool) -> tuple[Verdict, Resolved]:
    resolved = resolve(decklist, ruleset, trust_declared=trust_declared)
    decklist = resolved.decklist
    deck = deck_of_slots(resolved.slots, ruleset, called=decklist.source)
    outcomes = [*_printings(resolved, ruleset, deck), *_outcomes(resolved, ruleset, deck)]
    open_pool = not ruleset.pool.complete
    undecided = [each for each in outcomes if isinstance(each, Undecided)]
    unknown = _by_cause(undecided, deck, () if open_pool else resolved.unlisted)
    findings = [
        *_reader_findings(decklist, outcomes),
        *resolved.findings,
        *_strange_zones(resolved, ruleset),
        *_name_findings(resolved, ruleset),
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
        facts_in_brief=tuple(in_brief(resolved.declared)) if trust_declared else (),
        banlist_missing=_list_missing(ruleset),
        by_name=open_pool and any(not slot.card.attributes for slot in resolved.unlisted),
        name=decklist.name,
        player=decklist.player,
        title=_title(decklist),
        proofs=tuple(line for each in outcomes if isinstance(each, Assignment) for line in each.lines),
        cause=None if open_pool and word == "legal" else _common_cause(resolved, ruleset),
    )
    return verdict, resolved


def _outcomes(resolved: Resolved, ruleset: Ruleset, deck: Deck) -> Iterator[Outcome]:
    """Yield the findings of the rules. Only advice uses the facts in headers."""
    if resolved.advised is resolved.slots:
        yield from ruleset.judge(deck)
        return
    advised = deck_of_slots(resolved.advised, ruleset, called=resolved.decklist.source)
    for of, is_advice in ((deck, False), (advised, True)):
        for outcome in ruleset.judge(of):
            if isinstance(outcome, Assignment):
                if not is_advice:
                    yield outcome
            elif (outcome.severity is Severity.ADVICE) is is_advice:
                yield outcome


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings in the order of the list, those without a line last."""
    return tuple(sorted(findings, key=lambda finding: (not finding.lines, finding.lines[:1])))


def _word_for(findings: Iterable[Finding]) -> Word:
    """Return the verdict that follows from findings."""
    severities = {finding.severity for finding in findings}
    if Severity.ERROR in severities:
        return "illegal"
    return "unverified" if Severity.UNVERIFIED in severities else "legal"


# -- the deck as the rules see it


# -- findings of the reader


def _reader_findings(decklist: Decklist, outcomes: Iterable[Outcome]) -> Iterator[Finding]:
    """Yield the findings of the reader. An empty list breaks no rule; the sizes judge it."""
    judged = any(isinstance(each, Finding) and each.rule == "empty" for each in outcomes)
    for finding in decklist.findings:
        if finding.rule != "empty":
            yield finding
        elif not judged:
            yield replace(finding, severity=Severity.ADVICE)


def _strange_zones(resolved: Resolved, ruleset: Ruleset) -> Iterator[Finding]:
    """Yield findings about parts that the format does not have, with near names."""
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
    """Remove findings that a card may not be in a zone, if its zone is wrong anyway."""
    misplaced = {(each.lines, each.subjects) for each in findings if each.rule == WRONG_ZONE}
    for finding in findings:
        again = (finding.lines, finding.subjects) in misplaced and finding.allowed == "0"
        if finding.rule in {WRONG_ZONE, BANNED} or not again:
            yield finding


def _with_taken_words(findings: Iterable[Finding], resolved: Resolved) -> Iterator[Finding]:
    """Add which words were taken for a printing, if lines became equal by that."""
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
    """Yield the reader's decisions that could change the verdict, such as the title."""
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
    """Yield how many cards are in parts of the list that never count."""
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
    """Ask whether a title is a misspelt card: a banned one, or a card of an open pool."""
    banned = ruleset.near_banned(title, ())
    near = ruleset.cards.near(title)[:1] if len(ruleset.pool) and not ruleset.pool.complete else ()
    close = [name for name in near if one_slip_apart(title, name) or explain_lookalike(title, name)]
    return suggestion(title, [banned] if banned else close)


def _notes(resolved: Resolved, ruleset: Ruleset, deck: Deck) -> Iterator[str]:
    if _list_missing(ruleset):
        at = f"; published at {ruleset.format.banlist_at}" if ruleset.format.banlist_at else ""
        rebase = ", then `tourney event rebase`" if ruleset.of_an_event else ""
        yield f"{BANLIST_UNCHECKED}: none installed (`tourney banlist import FILE`{rebase}{at})"
    if ruleset.format.names_its_pool and not len(ruleset.pool):
        yield f"the format is played with the card pool `{ruleset.format.pool}`, and there is no card of it here (`tourney pool list` tells what there is)"
    yield from _name_questions(resolved, ruleset)
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


# -- names that the pool does not have, or that look like another card's


_MOST_NAMED = 3
"""Unknown names in a note; `deck show` has all of them."""
_MOST_ASKED = 10
"""How many names near a banned one are asked about."""
MOST_COMPARED = 1_000
"""How many names of a list are compared with each other and with banned ones; a large cube has 720."""
_MOST_LOOKED_UP = 200
"""How many unknown names get near ones from the pool. In 32,000 cards each takes 5 ms."""
_FEW_KNOWN, _ENOUGH_NAMES = 0.2, 5
"""The share of known names up to which a list is probably for another pool, and how many names it needs."""
_SAME_SET = 3
"""Unknown names marked with one set that the pool lacks; fewer may be typing errors."""


def _name_findings(resolved: Resolved, ruleset: Ruleset) -> Iterator[Finding]:
    """Yield findings about unknown names, and about names that look like a known card."""
    if ruleset.pool.complete:
        yield from _no_such_cards(resolved.unlisted, ruleset)
    else:
        yield from _two_on_a_line(resolved, ruleset)
        yield from _look_alikes(resolved, ruleset)


def _no_such_cards(unknown: Iterable[Slot], ruleset: Ruleset) -> Iterator[Finding]:
    for place, slot in enumerate(unknown):
        near = ruleset.cards.near(slot.name) if place < _MOST_LOOKED_UP else ()
        question = suggestion(slot.name, near)
        yield Finding(
            rule="card",
            severity=Severity.ERROR,
            message=f"no such card; {question}" if question else "no such card",
            lines=tuple(sorted(set(slot.lines))),
            subjects=(slot.name,),
            hint=f"also near: {', '.join(near[1:])}" if len(near) > 1 else None,
            reason=question or None,
        )


def _two_on_a_line(resolved: Resolved, ruleset: Ruleset) -> Iterator[Finding]:
    """Refuse a line of an open pool that has several of its cards with a sign between them."""
    for each in resolved.named[:MOST_COMPARED]:
        names = _joined_cards(each, ruleset)
        if names:
            yield Finding(
                rule="line",
                severity=Severity.ERROR,
                message=f"{' and '.join(names)} are {len(names)} cards",
                lines=(each.line.number,),
                subjects=(each.reading.name,),
                hint="write one card on each line; if it is one, put its name in quotes",
            )


def _joined_cards(each: Named, ruleset: Ruleset) -> list[str]:
    """Return the cards that a line names one after the other; none if it may be one card."""
    if each.match is not None or each.line.doubt:
        return []
    for words in (each.line.written, each.line.raw):  # only the raw line shows wide blanks
        names = [name for part in joined_names(words) if (name := ruleset.card_called(part))]
        if len(names) > 1 and len(names) == len(joined_names(words)):
            return names
    return []


def _look_alikes(resolved: Resolved, ruleset: Ruleset) -> Iterator[Finding]:
    """Yield names of an open pool that look like another card, and letters of another script."""
    named_shapes = {lookalike_key(name): name for name in ruleset.cards.named.values()}
    looked_up = {slot.key for slot in resolved.unlisted[:_MOST_LOOKED_UP]}
    listed: dict[str, Slot] = {}
    for slot in sorted(resolved.slots, key=_plain_letters_first):
        listed.setdefault(lookalike_key(slot.name), slot)
    for slot in resolved.slots:
        like = listed[lookalike_key(slot.name)]
        twin = named_shapes.get(lookalike_key(slot.name)) or (
            next(_pool_twins(slot, ruleset), None) if slot.key in looked_up else None
        )
        if like.key != slot.key:
            twin, beside = like.name, f", as line {like.lines[0]} is written"
        else:
            beside = ", which is banned" if twin and fold(twin) in ruleset.banned else ""
        parted = explain_lookalike(slot.name, twin) if twin else ""
        letters = foreign_letters(slot.name)
        if parted:
            words = f"it looks like {twin}{beside}, but {parted}"
        elif letters:
            words = f"a letter of another script: {' and '.join(map(describe_letter, letters))}"
        else:
            continue
        yield Finding(
            rule="letters",
            severity=Severity.ADVICE,
            message=words,
            lines=tuple(sorted(set(slot.lines))),
            subjects=(slot.name,),
        )


def _plain_letters_first(slot: Slot) -> tuple[int, str]:
    """Order names that look alike, so that the one in another script is the odd one."""
    return len(foreign_letters(slot.name)), slot.key


def _pool_twins(slot: Slot, ruleset: Ruleset) -> Iterator[str]:
    if not slot.card.listed and len(ruleset.pool):
        yield from (name for name in ruleset.cards.near(slot.name) if explain_lookalike(slot.name, name))


# -- what such names could be


def _name_questions(resolved: Resolved, ruleset: Ruleset) -> Iterator[str]:
    """Yield questions about the names of a list in an open pool, and how many were looked at."""
    if not ruleset.pool.complete and resolved.unlisted:
        yield _names_only(resolved.unlisted, ruleset)
        yield from _near_known(resolved, ruleset)
        yield from _near_each_other(resolved)
        yield from _peeled_twins(resolved)
        yield from _open_questions(resolved, ruleset)
        if len(resolved.named) > MOST_COMPARED:
            yield f"only the first {MOST_COMPARED:,} names were compared with each other and with what is banned"
    if len(resolved.unlisted) > _MOST_LOOKED_UP and len(ruleset.pool):
        yield f"near names were looked up for the first {_MOST_LOOKED_UP} unknown names only"


def _names_only(unknown: list[Slot], ruleset: Ruleset) -> str:
    """Return one note about all names that an open pool does not have, with suggestions."""
    looked_up = unknown[:_MOST_LOOKED_UP] if len(ruleset.pool) else []
    near = [(slot, ruleset.cards.near(slot.name)) for slot in looked_up]
    suggestions = [
        f"line {slot.lines[0]} `{slot.name}`: {suggestion(slot.name, names)}"
        for slot, names in near
        if names and not explain_lookalike(slot.name, names[0])  # a finding of its own
    ]
    question = f" ({_first_few(suggestions)})" if suggestions else ""
    number = "1 name is" if len(unknown) == 1 else f"{len(unknown)} names are"
    return f"{number} not in the pool; names only were checked{question}"


def _near_known(resolved: Resolved, ruleset: Ruleset) -> Iterator[str]:
    """Ask about names near a banned or restricted card, or a known card with words beside it."""
    banned, beside = [], []
    for each in resolved.named[:MOST_COMPARED]:
        if each.match is not None or each.reading.key in ruleset.banned:
            continue
        line = f"line {each.line.number} `{each.line.written}`"
        shorter = [one.name for one in each.line.readings]
        name = ruleset.near_banned(each.line.written, shorter) or name_inside(
            each.line.written, lambda words: ruleset.banned.get(fold(words))
        )
        name = name or _joined_to_a_banned(each, ruleset)
        if name is not None and not explain_lookalike(each.reading.name, name):
            what = "banned" if ruleset.banlist and not ruleset.banlist.cards[name] else "restricted"
            banned.append(f"{line}: did you mean {name}, which is {what}?")
        elif name is None and not _joined_cards(each, ruleset) and (inside := _inside(each, ruleset)):
            beside.append(f"{line} holds {inside}")
    if banned:
        yield "; ".join([*banned[:_MOST_ASKED], *_more(banned)])
    if beside:
        holding = ", ".join([*beside[:_MOST_ASKED], *_more(beside)])
        yield f"{holding}: read as a card of its own; if the words beside are none of the name, leave them out"


def _joined_to_a_banned(each: Named, ruleset: Ruleset) -> str | None:
    """Return the banned card on a line with others: `Kite & Bell`, but not `Kite, the Old`."""
    parts = joined_names(each.line.written)
    if len(parts) == 1 or any(part[:1].islower() for part in parts):
        return None
    return next((name for part in parts if (name := ruleset.banned.get(fold(part)))), None)


def _inside(each: Named, ruleset: Ruleset) -> str | None:
    """Return the card of the pool whose whole name is inside another name on a line."""
    shorter = (one.name for one in each.line.readings if one.key != each.reading.key)
    match = next((card for one in shorter if (card := ruleset.cards.find(one))), None)
    return match.card.name if match else name_inside(each.line.written, ruleset.card_called)


def _more(asked: Sequence[str]) -> list[str]:
    return [f"and {len(asked) - _MOST_ASKED} more"] if len(asked) > _MOST_ASKED else []


def _near_each_other(resolved: Resolved) -> Iterator[str]:
    """Ask about unknown names that differ by one typing error."""
    lines = {slot.name: slot.lines[0] for slot in resolved.slots[:MOST_COMPARED]}
    unknown = {slot.name for slot in resolved.unlisted}
    pairs = [
        f"line {lines[one]} `{one}` and line {lines[two]} `{two}`"
        for one, two in similar_pairs(lines)
        if unknown & {one, two} and not explain_lookalike(one, two)
    ]
    if pairs:
        yield f"one card or two? {_first_few(pairs)}"


def _peeled_twins(resolved: Resolved) -> Iterator[str]:
    """Ask about names that equal another card of the list without some words: `Kite (Red)`."""
    lines = {slot.key: (slot.lines[0], slot.name) for slot in resolved.slots}
    called = {key: name for key, (_, name) in lines.items()}
    pairs = []
    for place, each in enumerate(resolved.named):
        if each.match is not None:
            continue
        own = each.reading.key
        shorter = (one.key for one in each.line.readings)
        twin = next((name for name in shorter if name != own and name in lines), None)
        if twin is None and place < MOST_COMPARED:
            whole = name_inside(each.line.written, lambda words: called.get(fold(words)), sure=True)
            twin = key if whole and (key := fold(whole)) != own else None
        if twin is not None:
            line, name = lines[twin]
            pairs.append(f"line {line} `{name}` and line {each.line.number} `{each.line.written}`")
    if pairs:
        yield f"the same card with a mark beside it? {_first_few(pairs)}"


def _open_questions(resolved: Resolved, ruleset: Ruleset) -> Iterator[str]:
    """Yield the questions about lines that could be something else."""
    open_lines: dict[str, list[Named]] = {}
    for each in resolved.named:
        if each.match is None and each.line.question and not _joined_cards(each, ruleset):
            open_lines.setdefault(each.line.question, []).append(each)
    for question, lines in open_lines.items():
        shown = _first_few([f"line {each.line.number} `{each.line.written}`" for each in lines], ", ")
        yield f"{shown}: {question}"


def _first_few(items: Sequence[str], joined_by: str = "; ") -> str:
    """Join the first `_MOST_NAMED`, and say how many more there are."""
    more = f" and {len(items) - _MOST_NAMED} more" if len(items) > _MOST_NAMED else ""
    return f"{joined_by.join(items[:_MOST_NAMED])}{more}"


# -- a cause that explains most unknown names


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """What explains most of a verdict at once, shown before the findings.

    said:  the fact: `none of the 60 names is in the card pool of dimrift (182 cards)`
    asked: the probable reason, as a question or a fact
    hint:  the commands that help
    names: the names that it explains
    """

    said: str
    asked: str
    hint: str
    names: tuple[str, ...]

    @property
    def message(self) -> str:
        """The fact and the question, as one sentence."""
        return f"{self.said}: {self.asked}"


def _common_cause(resolved: Resolved, ruleset: Ruleset) -> Cause | None:
    """Return what explains nearly all unknown names: another pool, or a set that is missing."""
    return _another_pool(resolved, ruleset) or _lacking_set(resolved, ruleset)


def _another_pool(resolved: Resolved, ruleset: Ruleset) -> Cause | None:
    """Return the cause that the list is for another pool, if hardly a name is known.

    In an open pool, no name may be known. An empty pool is never the wrong one.
    """
    names = {slot.key for slot in resolved.slots}
    known = len(names) - len({slot.key for slot in resolved.unlisted})
    pool = ruleset.pool
    most = _FEW_KNOWN * len(names) if pool.complete else 0
    if len(names) < _ENOUGH_NAMES or known > most or not len(pool):
        return None
    number = "none" if not known else f"only {known}"
    here = f"{'' if pool.complete else 'open '}card pool of {ruleset.format.pool}"
    return Cause(
        said=f"{number} of the {len(names)} names {'is' if known <= 1 else 'are'} in the {here} ({len(pool):,} {'card' if len(pool) == 1 else 'cards'})",
        asked=_in_other_letters(resolved, ruleset)
        or "is this the right format, and is the list in the language of the pool?",
        hint="`tourney format list` and `tourney pool list` tell what there is; `--format NAME` checks by other rules",
        names=tuple(dict.fromkeys(slot.name for slot in resolved.unlisted)),
    )


def _in_other_letters(resolved: Resolved, ruleset: Ruleset) -> str:
    """Return that nearly all of the list is in another script than the pool; empty if not."""
    listed = Counter(script(slot.name) for slot in resolved.unlisted).most_common(1)[0]
    pool = Counter(script(name) for name in islice(ruleset.pool.names(), 200)).most_common(1)[0]
    if listed[0] == pool[0] or not listed[0] or not pool[0] or listed[1] < len(resolved.unlisted) * 0.8:
        return ""
    return f"they are written in {listed[0]} letters, the names of the pool in {pool[0]} ones"


def _lacking_set(resolved: Resolved, ruleset: Ruleset) -> Cause | None:
    """Return the set that the pool seems to lack: most unknown names have its mark."""
    known = {fold(code) for code in ruleset.pool.sets}
    marked: dict[str, dict[str, str]] = {}
    for each in resolved.named:
        code = each.reading.printing.set
        if code and each.match:
            known.add(fold(code))
        elif code:
            marked.setdefault(code, {})[each.reading.key] = each.reading.name
    code, names = max(marked.items(), key=lambda item: len(item[1]), default=("", {}))
    unknown = {slot.key for slot in resolved.unlisted}
    if (
        fold(code) in known
        or len(names) < _SAME_SET
        or 2 * len(names) < len(unknown)
        or not len(ruleset.pool)
    ):
        return None
    number = f"all {len(names)}" if len(names) == len(unknown) else f"{len(names)} of the {len(unknown)}"
    return Cause(
        said=f"{number} unknown names are marked `{code}`, "
        f"a set that the card pool of {ruleset.format.pool} does not have",
        asked="is the pool up to date?",
        hint="`tourney pool import` reads a set from a table, `tourney pool fetch` fetches one",
        names=tuple(names.values()),
    )


# -- undecided rules: one finding for each unknown fact


@dataclass
class _UndecidedRules:
    """Sorts undecided rules into findings, or notes if a finding already has their cause."""

    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def _by_cause(undecided: Iterable[Undecided], deck: Deck, known_causes: Iterable[Slot]) -> _UndecidedRules:
    """Sort undecided rules by what is missing.

    known_causes: cards with a finding of their own (unknown in a complete pool). A leader in doubt always has
                  a finding about its zone.
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
    """Return the finding that a rule compares values without an order: `*` and a number."""
    return Finding(
        rule=undecided.rule,
        severity=Severity.UNVERIFIED,
        message="not decided: it compares values that have no order, such as text with a number",
        lines=undecided.lines,
        cite=undecided.cite,
    )


def _together(rules: Mapping[frozenset[str], list[Undecided]]) -> Iterator[list[Undecided]]:
    """Merge rules that miss facts of the same cards, or of some of the same cards."""
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
        hint=_how_to_settle(every),
    )


def _how_to_settle(slots: Sequence[Slot]) -> str:
    """Return what to write about cards with unknown attributes."""
    same_name = next((slot for slot in slots if slot.card.candidates), None)
    if same_name is None:
        return "declare what you know, as in `4 Card {type=…}`, and check with --trust-declared"
    number = len(same_name.card.candidates)
    printing = next((each for each in same_name.card.printings if each.number), None)
    mark = (
        f", as in `{same_name.qty} {same_name.name} ({printing.set}) {printing.number}`" if printing else ""
    )
    return f"the pool has {number} cards called {same_name.name}: write set and number{mark}"


# -- the examples of a format


@dataclass(frozen=True, slots=True)
class Ran:
    """One example that was run. faults: how it differs from what the file says."""

    name: str
    place: str
    verdict: Verdict
    faults: tuple[str, ...]


def run_examples(format_: Format, ruleset_on: Callable[[date | None], Ruleset]) -> Iterator[Ran]:
    """Check each example of a format.

    Declared facts are believed, as an example may invent its cards.

    ruleset_on: returns the rules on a day; None means today
    """
    from tourney.decks.reading import read
    from tourney.decks.reading.vocabulary import vocabulary_of

    words = vocabulary_of(format_)
    for placed in format_.examples:
        example = placed.rule
        decklist = read(example.deck, source=f"{placed.place} `{example.name}`", vocabulary=words)
        verdict = check(decklist, ruleset_on(example.on), trust_declared=True)
        yield Ran(example.name, placed.place, verdict, tuple(_faults(example, verdict)))


def _faults(example: ExampleFile, verdict: Verdict) -> Iterator[str]:
    wanted = _wanted(example)
    broken = {finding.rule for finding in verdict.findings if finding.severity is Severity.ERROR}
    if verdict.verdict != wanted:
        errors = "; ".join(f"{finding.rule}: {finding.message}" for finding in verdict.findings)
        yield f"came out {verdict.verdict}, not {wanted}" + (f" ({errors})" if errors else "")
    elif example.breaks and broken != set(example.breaks):
        yield f"breaks {', '.join(sorted(broken))}, not {', '.join(sorted(example.breaks))}"
    advice = {finding.rule for finding in verdict.findings if finding.severity is Severity.ADVICE}
    for missed in sorted(set(example.advises) - advice):
        yield f"gives no advice `{missed}`"


def _wanted(example: ExampleFile) -> Word:
    if example.unverified:
        return "unverified"
    return "illegal" if example.breaks or example.legal is False else "legal"
