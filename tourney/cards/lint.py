"""Proofread a pool: report every problem of its files at once, in the order of the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tourney.cards.card import Card, Schema, parse_schema
from tourney.cards.names import fold
from tourney.cards.pool import read_card, split_lines
from tourney.errors import Finding, Severity, TourneyError


def lint_pool(pool_toml: str, sets: Mapping[str, str | bytes], *, source: str) -> tuple[Finding, ...]:
    """Check the files of a pool. Returns the findings; none if the pool is sound.

    Checks that every line is a card, that ids, names and aliases are unique, also when folded, that
    attributes are declared and numbers within the game's limits, that `counts_as` names a card, and that
    printings are of described sets.

    sets: code → the content of the set file
    """
    try:
        schema = parse_schema(pool_toml, source=source)
    except TourneyError as error:
        return (_finding("pool-file", error.message, hint=error.hint),)
    cards: list[Card] = []
    findings: list[Finding] = []
    for code in sorted(sets):
        text = sets[code]
        for number, line in enumerate(split_lines(text.encode() if isinstance(text, str) else text), start=1):
            if not line or line.isspace():
                continue
            try:
                cards.append(read_card(line, schema, set_code=code, place=f"{code}.jsonl:{number}"))
            except TourneyError as error:
                findings.append(_finding("card-line", error.message))
    return (
        *findings,
        *_card_findings(cards, schema, sets),
        *_id_findings(cards),
        *_name_findings(cards, schema),
        *_counts_as_findings(cards, schema),
    )


def _card_findings(cards: Iterable[Card], schema: Schema, sets: Iterable[str]) -> Iterator[Finding]:
    """Yield the problems that a card has by itself."""
    known_sets = {fold(code) for code in (*schema.sets, *sets)}
    for card in cards:
        for name in [*card.attributes, *card.unknown]:
            if name not in schema.attributes:
                problem = f"{card.name}: the pool declares no attribute `{name}`"
                yield _finding("attribute", problem, card, hint="declare it in pool.toml under [attributes]")
        for attributes in (card.attributes, *(printing.attributes for printing in card.printings)):
            for name, value in attributes.items():
                attribute = schema.attributes.get(name)
                if attribute and (excess := attribute.excess(value)):
                    yield _finding("too-high", f"{card.name}: {excess}", card, hint=attribute.about or None)
        unknown_sets = [printing.set for printing in card.printings if fold(printing.set) not in known_sets]
        if unknown_sets and schema.sets:
            problem = f"{card.name}: pool.toml does not describe the set `{unknown_sets[0]}`"
            yield _finding("set", problem, card, severity=Severity.ADVICE)


def _id_findings(cards: Iterable[Card]) -> Iterator[Finding]:
    first_by_id: dict[str, Card] = {}
    for card in cards:
        first = first_by_id.setdefault(card.id, card)
        if first is not card:
            yield _finding("id", f"the id `{card.id}` is taken by {first.name} ({first.place})", card)


@dataclass(frozen=True, slots=True)
class _Use:
    """A name that a card uses: its own, or an alias."""

    name: str
    card: Card
    is_own: bool


def _name_findings(cards: Iterable[Card], schema: Schema) -> Iterator[Finding]:
    uses_by_key: dict[str, list[_Use]] = {}
    for card in cards:
        for name in (card.name, *card.aliases):
            uses_by_key.setdefault(fold(name), []).append(_Use(name, card, name == card.name))
    for first, *others in uses_by_key.values():
        owner = f"{first.card.name} ({first.card.place})"
        for use in others:
            if schema.key == "id" and use.is_own and first.is_own:
                continue  # cards that ids identify may share a name
            if use.card is first.card:
                problem = f"the alias `{use.name}` repeats the card's name"
                yield _finding("name", problem, use.card, severity=Severity.ADVICE)
            elif use.name == first.name:
                yield _finding("name", f"`{use.name}` is taken by {owner}", use.card)
            else:
                problem = f"`{use.name}` means the same in a list as `{first.name}` of {owner}"
                reason = "case, accents, quotes and spaces are ignored"
                yield _finding("folded", f"{problem}: {reason}", use.card)


def _counts_as_findings(cards: list[Card], schema: Schema) -> Iterator[Finding]:
    names = {fold(name) for card in cards for name in (card.name, *card.aliases)}
    references = names | {card.id for card in cards}
    for card in cards:
        other = card.counts_as
        if other is not None and schema.complete and not {other, fold(other)} & references:
            yield _finding("counts-as", f"{card.name}: counts as `{other}`, which is not a card here", card)


def _finding(
    rule: str,
    problem: str,
    card: Card | None = None,
    *,
    severity: Severity = Severity.ERROR,
    hint: str | None = None,
) -> Finding:
    return Finding(
        rule=rule,
        severity=severity,
        message=f"{card.place}: {problem}" if card else problem,
        subjects=(card.name,) if card else (),
        hint=hint,
    )
