"""Lines to cards: every name looked up, every line put into its zone, copies added up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tourney.cards import UNKNOWN, Card, Status, unlisted
from tourney.cards.facts import declared_facts
from tourney.cards.names import fold
from tourney.decks.decklist import Decklist, Line, PrintMark, Reading
from tourney.decks.verdict import Correction
from tourney.decks.vocabulary import Vocabulary
from tourney.decks.zones import zone_of
from tourney.finding import Finding, Severity
from tourney.rules import Ruleset
from tourney.rules.expressions import truth
from tourney.rules.lookup import Found
from tourney.rules.slots import Deck, Leader, Slot, View
from tourney.rules.vocabulary import PrintingsFile


@dataclass(frozen=True, slots=True)
class Named:
    """A line whose name was looked up. found: None where the pool does not have it; facts: declared and believed."""

    line: Line
    reading: Reading
    found: Found | None
    facts: Mapping[str, object]


@dataclass
class Resolved:
    """A decklist with its cards.

    slots:    copies added up by card and zone, in the order of the list
    named:    the lines, looked up
    strange:  header → lines under a header that the format has no zone for
    findings: what is wrong with lines whatever the rules
    facts:    (line, card, attribute → value) of declared facts that the pool does not know, believed or not
    """

    slots: list[Slot] = field(default_factory=list)
    named: list[Named] = field(default_factory=list)
    strange: dict[str, list[int]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    facts: list[tuple[int, str, Mapping[str, object]]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def unlisted(self) -> list[Slot]:
        """The cards that no pool lists."""
        return [slot for slot in self.slots if not slot.card.listed]


class Resolver:
    """Resolves decklists against one ruleset."""

    def __init__(self, ruleset: Ruleset, words: Vocabulary, *, trust_declared: bool) -> None:
        self.ruleset = ruleset
        self.format = ruleset.format
        self.words = words
        self.trust = trust_declared
        self._fillable = ruleset.pool.attributes

    def resolve(self, decklist: Decklist) -> Resolved:
        """Look up every line and add up the copies."""
        done = Resolved()
        cards: dict[tuple[str, str], Card] = {}
        merged: dict[tuple[str, str], Slot] = {}
        for line in decklist.lines:
            named = self._named(line, done)
            done.named.append(named)
            zone = self._zone(named, done)
            if zone is not None:
                self._add(merged, cards, named, zone)
        done.slots = list(merged.values())
        return done

    # -- names

    def _named(self, line: Line, done: Resolved) -> Named:
        reading, found = self._looked_up(line)
        facts = self._facts(line, found, done) if line.facts else {}
        if found is not None and not (found.own and not reading.taken):
            self._correct(line, reading, found, done)
        return Named(line, reading, found, facts)

    def _looked_up(self, line: Line) -> tuple[Reading, Found | None]:
        """Take the first reading whose name is known; else the code the file gives."""
        cards = self.ruleset.cards
        for reading in filter(self._allowed, line.readings):
            found = cards.find(reading.name, reading.printing.set, reading.printing.number)
            if found:
                return reading, found
        if line.code and (found := cards.find(line.code)):
            return line.reading, found
        return line.reading, None

    def _allowed(self, reading: Reading) -> bool:
        """Whether a pool may decide that the words taken are decoration.

        In an open pool a lone parenthesis belongs to the name: `Kite (Red)` may be a card that the pool does not list.
        """
        return reading.certain or self.ruleset.pool.complete or "(" not in reading.taken

    def _correct(self, line: Line, reading: Reading, found: Found, done: Resolved) -> None:
        if reading.taken and not reading.certain:
            reason = f"`{reading.taken}` taken for decoration"
        elif fold(reading.name) not in {fold(found.card.name), found.keys[0]}:
            reason = "another name of the card" if reading.name in line.written else "the card's number"
        elif found.keys[0] != fold(found.card.name):
            reason = "counts as this card"
        else:
            return
        taken = found.counted if reason.startswith("counts") else found.card.name
        done.corrections.append(
            Correction(line=line.number, written=line.written, taken_as=taken, reason=reason)
        )

    def _facts(self, line: Line, found: Found | None, done: Resolved) -> Mapping[str, object]:
        values, faults = declared_facts(line.facts, self._fillable)
        card = found.card if found else unlisted(line.name)
        for fault in faults:
            done.findings.append(_faulty_fact(line, card.name, fault))
        new = {name: value for name, value in values.items() if card.get(name) is UNKNOWN}
        for name, value in values.items():
            if name not in new and card.get(name) != value:
                done.notes.append(
                    f"line {line.number}: declares {name} of {card.name}, which the pool knows otherwise"
                )
        if new:
            done.facts.append((line.number, card.name, new))
        return new if self.trust else {}

    # -- zones

    def _zone(self, named: Named, done: Resolved) -> str | None:
        zone = zone_of(named.line, self.format, self.words)
        if zone is None:
            header = named.line.zone or named.line.zone_id or "?"
            done.strange.setdefault(header, []).append(named.line.number)
            return None
        said = self.format.zone(zone)
        if said is not None and not said.counts:
            return None
        if named.line.zone is None and named.line.zone_id is None:
            return self._placed(named, zone, done)
        return zone

    def _placed(self, named: Named, default: str, done: Resolved) -> str:
        """Put a card under no header where it belongs: the leader's zone, or the only zone that would take it."""
        if named.found is None and not named.facts:
            return default
        view = View(Deck((), {}, Leader(doubt="not placed yet"), self.ruleset.chosen, self.ruleset.lists))
        view.of(self._slot(named, default, self._card(named)))
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

    def _leading(self, view: View) -> str | None:
        leads, leader = self.ruleset.leads, self.format.leader
        return leader.rule.zone if leads and leader and truth(leads(view)) is True else None

    def _fitting(self, view: View, default: str) -> str:
        holds = self.ruleset.holds
        if default not in holds or truth(holds[default](view)) is not False:
            return default
        others = [zone for zone, asked in holds.items() if zone != default and truth(asked(view)) is True]
        return others[0] if len(others) == 1 else default

    # -- adding up

    def _add(
        self, merged: dict[tuple[str, str], Slot], cards: dict[tuple[str, str], Card], named: Named, zone: str
    ) -> None:
        key = (named.found.fixed if named.found else "\0" + fold(named.reading.name), zone)
        known = merged.get(key)
        card = self._card(named)
        if known is not None and named.facts:
            card = known.card.with_facts(named.facts)  # type: ignore[arg-type]
        elif known is not None:
            card = known.card
        new = self._slot(named, zone, card)
        if known is None:
            merged[key] = new
        else:
            merged[key] = Slot(
                card=card,
                name=known.name,
                keys=known.keys,
                zone=zone,
                qty=known.qty + new.qty,
                lines=(*known.lines, *new.lines),
                known=known.known if not named.facts else None,
            )
        cards[key] = card

    def _card(self, named: Named) -> Card:
        card = named.found.card if named.found else unlisted(named.reading.name)
        return card.with_facts(named.facts) if named.facts else card  # type: ignore[arg-type]

    def _slot(self, named: Named, zone: str, card: Card) -> Slot:
        found, line = named.found, named.line
        return Slot(
            card=card,
            name=found.counted if found else card.name,
            keys=found.keys if found else (fold(card.name),),
            zone=zone,
            qty=line.count,
            lines=(line.number,),
            known=found.fixed if found and not named.facts else None,
        )


def _faulty_fact(line: Line, card: str, fault: str) -> Finding:
    return Finding(
        rule="fact",
        severity=Severity.ADVICE,
        message=f"declared fact: {fault}",
        lines=(line.number,),
        subjects=(card,),
    )


def wrong_printings(named: Iterable[Named], rule: PrintingsFile, cite: str | None) -> Iterator[Finding]:
    """Give a finding for each line that asks for a printing that may not be played, or a card that has no other."""
    for each in named:
        if each.found is None or (not each.found.odd and "current" in rule.allow):
            continue
        card, mark = each.found.card, _mark(each.reading, each.found.card)
        printing = card.printing(mark.set, mark.number) if mark.set else None
        status = printing.status if printing else card.status
        if status.word not in rule.allow:
            yield Finding(
                rule=rule.id,
                severity=Severity(rule.severity),
                message=rule.message or _printing_words(status, str(mark) if printing else ""),
                lines=(each.line.number,),
                subjects=(card.name,),
                cite=cite,
                hint=printing.note if printing else None,
            )


def _mark(reading: Reading, card: Card) -> PrintMark:
    """Return the printing a line asks for; words in brackets are one where the card has a printing of that set."""
    bracketed = reading.taken.strip("()[]{} ")
    if not reading.printing and bracketed and card.printing(bracketed):
        return PrintMark(set=bracketed)
    return reading.printing


def _printing_words(status: Status, mark: str) -> str:
    what = {"outdated": "is an outdated version", "misprint": "is a misprint"}[status.word]
    return f"the printing {mark} {what}" if mark else f"every printing {what}"
