"""Checks decklists: the rules judge the deck, and their findings become a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct, structs
from msgspec.structs import replace

from tourney.cards.names import fold, nearest
from tourney.decks.decklist import Decklist, Line
from tourney.decks.declared_facts import facts_by_card, facts_in_brief
from tourney.decks.naming import Printings
from tourney.decks.resolving import ResolvedDeck, deck_of_slots, resolve
from tourney.decks.unknown_names import NameReview, nearly_a_card
from tourney.decks.verdict import ListUsed, Title, Verdict, Word
from tourney.errors import Finding, Severity, TourneyError, as_rules_error
from tourney.rules.banlist import BANNED
from tourney.rules.expressions.deck import Deck, View
from tourney.rules.expressions.values import Slot, truth
from tourney.rules.findings import Assignment, Outcome, Undecided, distinct_lines
from tourney.rules.format import Format
from tourney.rules.ruleset import Ruleset
from tourney.rules.vocabulary import ExampleFile
from tourney.rules.zones import WRONG_ZONE
from tourney.wording import BANLIST_UNCHECKED, listed


def check(decklist: Decklist, ruleset: Ruleset, *, trust_declared: bool = False) -> Verdict:
    """Return whether a decklist is legal, and why.

    Raises RulesError for an error in the rules or the pool.

    trust_declared: believe the facts that lines declare (`4 Siege Hammer {type=efreet}`) if the pool does
                    not have them; the verdict lists the facts that it used. Otherwise, an unverified
                    verdict says what these facts would change.
    """
    with as_rules_error():
        resolved_deck = resolve(decklist, ruleset, trust_declared=trust_declared)
        verdict = _judge(resolved_deck, ruleset, trust_declared=trust_declared)
    if verdict.verdict == "unverified" and resolved_deck.declared_facts and not trust_declared:
        word = check(decklist, ruleset, trust_declared=True).verdict
        note = f"if you trust the facts that it declares, the list is {word} (`--trust-declared`)"
        return structs.replace(verdict, notes=(*verdict.notes, note))
    return verdict


def cards_of(decklist: Decklist, ruleset: Ruleset) -> Deck:
    """Return the deck of a decklist as the rules judge it, with its cards and its leader.

    Facts that the list declares are believed if the pool does not have them.
    """
    with as_rules_error():
        return deck_of_slots(resolve(decklist, ruleset, trust_declared=True).slots, ruleset)


def unreadable(source: str, format_name: str, day: date, fault: TourneyError) -> Verdict:
    """Return the verdict on a file that is not a decklist: illegal, with one finding."""
    message = fault.message.removeprefix(f"{source}: ")
    findings = (Finding("file", Severity.ERROR, message, subjects=(source,), hint=fault.hint),)
    return Verdict(
        file=source,
        format=format_name,
        on=day,
        banlist=None,
        verdict="illegal",
        findings=findings,
        zones={},
        hash="",
    )


def _judge(resolved_deck: ResolvedDeck, ruleset: Ruleset, *, trust_declared: bool) -> Verdict:
    decklist, is_complete = resolved_deck.decklist, ruleset.pool.complete
    deck = deck_of_slots(resolved_deck.slots, ruleset, deck_name=decklist.source)
    rule_findings: list[Finding] = []
    undecided_rules: list[Undecided] = []
    proofs: list[str] = []
    for outcome in _outcomes(resolved_deck, ruleset, deck):
        if isinstance(outcome, Finding):
            rule_findings.append(outcome)
        elif isinstance(outcome, Undecided):
            undecided_rules.append(outcome)
        else:
            proofs.extend(outcome.lines)
    names = NameReview(resolved_deck, ruleset)
    undecided_findings, undecided_notes = _explain_undecided_rules(
        undecided_rules, deck, names.unknown_slots if is_complete else ()
    )
    findings = in_order((
        *_reader_findings(decklist, rule_findings),
        *resolved_deck.findings,
        *_unknown_zones(resolved_deck, ruleset),
        *names.findings(),
        *_add_printing_hints(_drop_repeated_findings(rule_findings), resolved_deck),
        *undecided_findings,
    ))  # fmt: skip
    notes = (
        *_reader_notes(decklist, ruleset),
        *_cards_aside((*decklist.aside, *resolved_deck.uncounted_lines)),
        *_format_notes(ruleset),
        *names.notes(),
        *_absent_zones(ruleset, deck),
        *resolved_deck.notes,
        *undecided_notes,
    )
    word = _verdict_on(findings)
    banlist = ruleset.banlist
    return Verdict(
        file=decklist.source,
        name=decklist.name,
        player=decklist.player,
        title=Title.of(decklist),
        format=ruleset.format.id,
        on=ruleset.day,
        banlist=ListUsed.of(banlist) if banlist else None,
        verdict=word,
        banlist_missing=_is_list_missing(ruleset),
        by_name=not is_complete and any(not slot.card.attributes for slot in names.unknown_slots),
        zones=dict(deck.sizes),
        hash=resolved_deck.hash,
        findings=findings,
        notes=notes,
        corrections=tuple(resolved_deck.corrections),
        facts_used=facts_by_card(resolved_deck.declared_facts) if trust_declared else (),
        facts_in_brief=facts_in_brief(resolved_deck.declared_facts) if trust_declared else (),
        proofs=tuple(proofs),
        cause=names.common_cause() if is_complete or word != "legal" else None,
    )


def _verdict_on(findings: Iterable[Finding]) -> Word:
    severities = {finding.severity for finding in findings}
    if Severity.ERROR in severities:
        return "illegal"
    return "unverified" if Severity.UNVERIFIED in severities else "legal"


def _outcomes(resolved_deck: ResolvedDeck, ruleset: Ruleset, deck: Deck) -> Iterator[Outcome]:
    """Yield the outcomes of all rules, the rule about printings first.

    The facts that a zone header gives about its cards (`header_facts`) are used only for advice. All other
    findings are based on the deck without these facts.
    """
    if terms := ruleset.printings:
        allowed_statuses = ruleset.format.printings.rule.allow
        yield from Printings(
            terms=terms, named_cards=resolved_deck.named_cards, allowed_statuses=allowed_statuses
        ).judge(deck)
    if resolved_deck.advice_slots == resolved_deck.slots:
        yield from ruleset.judge(deck)
        return
    advice_deck = deck_of_slots(resolved_deck.advice_slots, ruleset, deck_name=resolved_deck.decklist.source)
    for judged_deck, is_advice in ((deck, False), (advice_deck, True)):
        for outcome in ruleset.judge(judged_deck):
            if isinstance(outcome, Assignment):
                if not is_advice:
                    yield outcome
            elif (outcome.severity is Severity.ADVICE) is is_advice:
                yield outcome


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort findings by their first line in the decklist; findings without a line come last."""
    return tuple(sorted(findings, key=lambda finding: (not finding.lines, finding.lines[:1])))


# -- findings


def _reader_findings(decklist: Decklist, rule_findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings that were made while the list was read.

    The finding that the list is empty becomes advice, because the rules about sizes decide whether a list can
    be empty. This finding is left out if a rule with the id `empty` is broken, too.

    rule_findings: the findings of the format's rules
    """
    is_judged = any(finding.rule == "empty" for finding in rule_findings)
    for finding in decklist.findings:
        if finding.rule != "empty":
            yield finding
        elif not is_judged:
            yield replace(finding, severity=Severity.ADVICE)


def _unknown_zones(resolved_deck: ResolvedDeck, ruleset: Ruleset) -> Iterator[Finding]:
    """Yield a finding for each header that is not a zone of the format."""
    headers: dict[str, str] = {}
    for placed_zone in ruleset.format.zones if resolved_deck.unknown_zones else ():
        zone = placed_zone.rule
        part = zone.name or zone.id
        headers |= dict.fromkeys((part, zone.id, *zone.headers), part)
    parts = ", ".join(dict.fromkeys(headers.values()))
    for header, lines in resolved_deck.unknown_zones.items():
        near = nearest(header, headers)
        message = f"a deck of this format has no such part; it has {parts}"
        hint = "put the cards into one of these parts, or leave the cards out"
        hint = f"did you mean {headers[near]}?" if near else hint
        yield Finding("zone", Severity.ERROR, message, lines=tuple(lines), subjects=(header,), hint=hint)


def _drop_repeated_findings(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Drop findings that only repeat that a card is in a wrong zone.

    If a card is reported to be in a wrong zone, other findings about the same lines and cards are dropped if
    they allow 0 copies. Findings about banned cards are kept.
    """
    misplaced_cards = {
        (finding.lines, finding.subjects) for finding in findings if finding.rule == WRONG_ZONE
    }
    for finding in findings:
        is_repeated = (finding.lines, finding.subjects) in misplaced_cards and finding.allowed == "0"
        if finding.rule in {WRONG_ZONE, BANNED} or not is_repeated:
            yield finding


def _add_printing_hints(findings: Iterable[Finding], resolved_deck: ResolvedDeck) -> Iterator[Finding]:
    """Yield the findings, some with a hint: which words were read as a printing, not a name.

    Only a finding about one card on several lines gets this hint, which shows these words with their line
    numbers. A finding that already has a hint does not change.
    """
    words = {
        named_card.line.number: named_card.reading.decoration
        for named_card in resolved_deck.named_cards
        if named_card.reading.decoration
    }
    for finding in findings:
        printings = [f"line {line}: `{words[line]}`" for line in finding.lines if line in words]
        if printings and len(finding.lines) > 1 and len(finding.subjects) == 1 and not finding.hint:
            yield replace(finding, hint=f"read as a printing: {', '.join(printings)}")
        else:
            yield finding


# -- notes


def _reader_notes(decklist: Decklist, ruleset: Ruleset) -> Iterator[str]:
    """Yield notes on decisions made while reading a list, if they could change the verdict.

    One such decision is that a line is the title and not a card.
    """
    title = decklist.title
    for note in decklist.notes:
        if note.weighty:
            near = nearly_a_card(title.text, ruleset) if title and title.line.number == note.line else ""
            yield f"line {note.line}: {note.message}" + (f"; {near}" if near else "")
    for words in decklist.words:
        if words.may_be_card:
            continue
        names = (reading.name for reading in words.line.readings)
        name = next(
            (name for name in names if fold(name) in ruleset.banned_names or name in ruleset.pool), None
        )
        if name is not None:
            status = "a banned card" if fold(name) in ruleset.banned_names else "a card"
            yield (
                f"line {words.line.number}: `{name}` was read as the {words.role} ({words.reason}), "
                f"but {status} has this name; if the deck plays the card, write `1 {name}`"
            )


def _cards_aside(aside: Iterable[Line]) -> Iterator[str]:
    """Yield a note for each zone in `aside`: how many cards in which lines do not count.

    Cards outside all zones share one note.
    """
    parts: dict[str, list[Line]] = {}
    for line in aside:
        parts.setdefault(line.zone or "", []).append(line)
    for zone, lines in parts.items():
        number = sum(line.count for line in lines)
        cards, do = ("cards", "do") if number > 1 else ("card", "does")
        first, last = min(line.number for line in lines), max(line.number for line in lines)
        place = f"line {first}" if first == last else f"lines {first} to {last}"
        yield f"{number} {cards}{f' under `{zone}`' if zone else ''} ({place}) {do} not count"


def _format_notes(ruleset: Ruleset) -> Iterator[str]:
    """Yield a note if the ban list or the pool of the format is not installed."""
    format_ = ruleset.format
    if _is_list_missing(ruleset):
        at = f"; published at {format_.banlist_at}" if format_.banlist_at else ""
        rebase = ", then `tourney event rebase`" if ruleset.of_an_event else ""
        yield f"{BANLIST_UNCHECKED}: none installed (`tourney banlist import FILE`{rebase}{at})"
    if format_.names_its_pool and not len(ruleset.pool):
        yield (
            f"the format needs the card pool `{format_.pool}`, but none of its cards are installed "
            "(`tourney pool list` shows the installed pools)"
        )


def _is_list_missing(ruleset: Ruleset) -> bool:
    return ruleset.format.banlist is not None and ruleset.banlist is None and not ruleset.without_banlist


def _absent_zones(ruleset: Ruleset, deck: Deck) -> Iterator[str]:
    """Yield the format's notes about required zones that are empty."""
    for placed_zone in ruleset.format.zones:
        zone = placed_zone.rule
        if zone.absent and not deck.sizes.get(zone.id) and ruleset.format.in_force(placed_zone, ruleset.day):
            condition = ruleset.zone_conditions.get(zone.id)
            if condition is None or truth(condition(View(deck))):
                yield zone.absent


# -- undecided rules: findings about the unknown facts


def _explain_undecided_rules(
    undecided_rules: Iterable[Undecided], deck: Deck, reported_slots: Iterable[Slot]
) -> tuple[list[Finding], list[str]]:
    """Return findings that explain why rules are undecided, and notes.

    A finding names unknown facts, or says that values cannot be compared, and names the rules that are
    undecided for this reason. If another finding already explains why a rule is undecided, a note mentions
    the rule. Such a finding is about a card in `reported_slots`, or about the leader's zone, which breaks a
    rule so that the leader is in doubt. Undecided advice is left out.

    reported_slots: the cards that have a finding of their own (unknown cards of a complete pool)
    """
    findings: list[Finding] = []
    rules_of_cards: dict[frozenset[str], list[Undecided]] = {}
    without_leader: list[str] = []
    not_judged: list[str] = []
    reported_cards = {slot.key for slot in reported_slots}
    for rule in undecided_rules:
        if rule.severity is not Severity.ERROR:
            continue
        needs_leader = any(missing.slot is None for missing in rule.missing)
        if needs_leader:
            without_leader.append(rule.rule)
        cards = {missing.slot.key for missing in rule.missing if missing.slot} - reported_cards
        if cards:
            rules_of_cards.setdefault(frozenset(cards), []).append(rule)
        elif not rule.missing and not reported_cards:
            findings.append(_comparison_finding(rule))
        elif not needs_leader:
            not_judged.append(rule.rule)
    notes = []
    if without_leader and deck.leader.doubt:
        notes.append(
            f"rules not judged because {deck.leader.doubt}: {', '.join(dict.fromkeys(without_leader))}"
        )
    if not_judged:
        notes.append(
            f"rules not judged because there are unknown cards: {', '.join(dict.fromkeys(not_judged))}"
        )
    return findings + [_missing_facts(rules) for rules in _group_rules(rules_of_cards)], notes


def _comparison_finding(rule: Undecided) -> Finding:
    """Return the finding about a rule that compares values without an order, such as `*` and 3."""
    message = "not decided: it compares values that have no order, such as text with a number"
    return Finding(rule.rule, Severity.UNVERIFIED, message, lines=rule.lines, cite=rule.cite)


def _group_rules(rules: Mapping[frozenset[str], list[Undecided]]) -> Iterator[list[Undecided]]:
    """Yield groups of rules that are undecided because of unknown facts about the same cards.

    A rule joins a larger group if the cards of that group include all cards that leave the rule undecided. If
    there are several such groups, it joins the one with the most cards.

    rules: cards with unknown facts → the rules that these cards leave undecided
    """
    largest_first = sorted(rules, key=len, reverse=True)
    heads = [cards for cards in largest_first if not any(cards < other for other in largest_first)]
    for head in heads:
        members = [cards for cards in rules if next(other for other in heads if cards <= other) == head]
        yield [rule for cards in members for rule in rules[cards]]


def _missing_facts(undecided_rules: list[Undecided]) -> Finding:
    missing = [fact for rule in undecided_rules for fact in rule.missing if fact.slot]
    slots = sorted((fact.slot for fact in missing if fact.slot), key=lambda slot: slot.lines)
    names: dict[str, str] = {}
    for slot in slots:
        names.setdefault(slot.key, slot.name)
    rules = list(dict.fromkeys(rule.rule for rule in undecided_rules))
    attributes = listed(dict.fromkeys(fact.attribute for fact in missing))
    return Finding(
        ", ".join(rules),
        Severity.UNVERIFIED,
        f"{attributes} not known{'' if len(names) == 1 else f' for {len(names)} cards'}",
        lines=distinct_lines(line for slot in slots for line in slot.lines),
        subjects=tuple(names.values()),
        cite=undecided_rules[0].cite if len(rules) == 1 else None,
        hint=_settling_hint(slots),
    )


def _settling_hint(slots: Sequence[Slot]) -> str:
    """Return a hint that explains how to supply the unknown attributes of cards."""
    slot = next((slot for slot in slots if slot.card.candidates), None)
    if slot is None and all(slot.declared for slot in slots):
        return "the list declares facts about these cards: `--trust-declared` accepts them"
    if slot is None:
        return "declare what you know, as in `4 Card {type=…}`, and check with --trust-declared"
    printing = next((printing for printing in slot.card.printings if printing.number), None)
    example = f", as in `{slot.qty} {slot.name} ({printing.set}) {printing.number}`" if printing else ""
    number = len(slot.card.candidates)
    return f"the pool has {number} cards called {slot.name}: write set and number{example}"


# -- the examples of a format


class CheckedExample(Struct, frozen=True):
    """The result of checking one example of a format.

    faults: the differences from the expected result
    """

    name: str
    place: str
    verdict: Verdict
    faults: tuple[str, ...]


def run_examples(format_: Format, ruleset_on: Callable[[date | None], Ruleset]) -> Iterator[CheckedExample]:
    """Check each example of a format.

    Declared facts are believed, because an example may invent its cards.

    ruleset_on: returns the rules in force on a day; None means today
    """
    from tourney.decks.reading import read

    for placed_example in format_.examples:
        example = placed_example.rule
        decklist = read(example.deck, source=f"{placed_example.place} `{example.name}`", format_=format_)
        verdict = check(decklist, ruleset_on(example.on), trust_declared=True)
        yield CheckedExample(example.name, placed_example.place, verdict, tuple(_faults(example, verdict)))


def _faults(example: ExampleFile, verdict: Verdict) -> Iterator[str]:
    is_illegal = example.breaks or example.legal is False
    expected_verdict = "unverified" if example.unverified else "illegal" if is_illegal else "legal"
    broken_rules = {finding.rule for finding in verdict.findings if finding.severity is Severity.ERROR}
    if verdict.verdict != expected_verdict:
        errors = "; ".join(f"{finding.rule}: {finding.message}" for finding in verdict.findings)
        yield f"the verdict is {verdict.verdict}, not {expected_verdict}" + (f" ({errors})" if errors else "")
    elif example.breaks and broken_rules != set(example.breaks):
        expected_rules = ", ".join(sorted(example.breaks))
        yield f"the broken rules are {', '.join(sorted(broken_rules))}, not {expected_rules}"
    advice = {finding.rule for finding in verdict.findings if finding.severity is Severity.ADVICE}
    for name in sorted(set(example.advises) - advice):
        yield f"the advice `{name}` is missing"
