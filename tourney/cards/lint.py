"""Is a pool sound? Every fault of its files at once, in the order of the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tourney.cards.card import Card, Schema, parse_schema
from tourney.cards.names import fold
from tourney.cards.pool import read_card
from tourney.errors import Finding, Severity, TourneyError

_BOM = b"\xef\xbb\xbf"


def lint_pool(pool_toml: str, sets: Mapping[str, str | bytes], *, source: str) -> tuple[Finding, ...]:
    """Check the files of a pool: `pool_toml` and the set files by code.

    Found are lines that are no card, ids, names and aliases that are not unique, names that fold to one key,
    numbers beyond what the game allows, attributes that the pool does not declare, `counts_as` that names no card, printings of sets nobody describes.
    """
    try:
        schema = parse_schema(pool_toml, source=source)
    except TourneyError as fault:
        return (_error("pool-file", fault.message, hint=fault.hint),)
    cards: list[Card] = []
    findings: list[Finding] = []
    for read in _read(sets, schema):
        if isinstance(read, Card):
            cards.append(read)
        else:
            findings.append(read)
    return (
        *findings,
        *_line_faults(cards, schema, sets),
        *_doubles(cards, schema),
        *_dangling(cards, schema),
    )


def _read(sets: Mapping[str, str | bytes], schema: Schema) -> Iterator[Card | Finding]:
    for code in sorted(sets):
        text = sets[code]
        lines = (text.encode() if isinstance(text, str) else text).removeprefix(_BOM).split(b"\n")
        for number, line in enumerate(lines, start=1):
            if line and not line.isspace():
                try:
                    yield read_card(line, schema, set_code=code, place=f"{code}.jsonl:{number}")
                except TourneyError as fault:
                    yield _error("card-line", fault.message)


def _line_faults(cards: Iterable[Card], schema: Schema, sets: Mapping[str, object]) -> Iterator[Finding]:
    known_sets = {fold(code) for code in (*schema.sets, *sets)}
    for card in cards:
        for attribute in [*card.attributes, *card.unknown]:
            if attribute not in schema.attributes:
                yield _error(
                    "attribute",
                    f"{card.place}: {card.name}: the pool declares no attribute `{attribute}`",
                    card,
                    hint="declare it in pool.toml under [attributes]",
                )
        yield from _too_high(card, schema)
        foreign = [printing.set for printing in card.printings if fold(printing.set) not in known_sets]
        if foreign and schema.sets:
            yield _advice(
                "set", f"{card.place}: {card.name}: pool.toml does not describe the set `{foreign[0]}`", card
            )


def _too_high(card: Card, schema: Schema) -> Iterator[Finding]:
    """Say which numbers of a card and of its printings are beyond what the game allows."""
    for attributes in (card.attributes, *(printing.attributes for printing in card.printings)):
        for name, value in attributes.items():
            attribute = schema.attributes.get(name)
            if attribute and (excess := attribute.excess(value)):
                yield _error(
                    "too-high", f"{card.place}: {card.name}: {excess}", card, hint=attribute.about or None
                )


@dataclass(frozen=True, slots=True)
class _Claim:
    """A name that a card claims: its own, or an alias."""

    written: str
    card: Card
    own: bool


def _doubles(cards: list[Card], schema: Schema) -> Iterator[Finding]:
    ids: dict[str, Card] = {}
    for card in cards:
        first = ids.setdefault(card.id, card)
        if first is not card:
            yield _error(
                "id", f"{card.place}: the id `{card.id}` is taken by {first.name} ({first.place})", card
            )
    claims: dict[str, list[_Claim]] = {}
    for card in cards:
        for written in (card.name, *card.aliases):
            claims.setdefault(fold(written), []).append(_Claim(written, card, written == card.name))
    for group in claims.values():
        yield from _shared(group, schema)


def _shared(group: list[_Claim], schema: Schema) -> Iterator[Finding]:
    first = group[0]
    for claim in group[1:]:
        if schema.key == "id" and claim.own and first.own:
            continue  # several cards may share a name where ids tell them apart
        if claim.card is first.card:
            yield _advice(
                "name", f"{claim.card.place}: `{claim.written}` says the card's name again", claim.card
            )
        elif claim.written == first.written:
            yield _error(
                "name", f"{claim.card.place}: `{claim.written}` is taken by {_who(first)}", claim.card
            )
        else:
            yield _error(
                "folded",
                f"{claim.card.place}: `{claim.written}` cannot be told from `{first.written}` of {_who(first)}:"
                " case, accents, quotes and spaces do not matter in a list",
                claim.card,
            )


def _who(claim: _Claim) -> str:
    return f"{claim.card.name} ({claim.card.place})"


def _dangling(cards: list[Card], schema: Schema) -> Iterator[Finding]:
    known = {fold(name) for card in cards for name in (card.name, *card.aliases)} | {
        card.id for card in cards
    }
    for card in cards:
        other = card.counts_as
        if other is not None and schema.complete and other not in known and fold(other) not in known:
            yield _error(
                "counts-as", f"{card.place}: {card.name}: counts as `{other}`, which is not a card here", card
            )


def _error(rule: str, message: str, card: Card | None = None, hint: str | None = None) -> Finding:
    subjects = (card.name,) if card else ()
    return Finding(rule=rule, severity=Severity.ERROR, message=message, subjects=subjects, hint=hint)


def _advice(rule: str, message: str, card: Card) -> Finding:
    return Finding(rule=rule, severity=Severity.ADVICE, message=message, subjects=(card.name,))
