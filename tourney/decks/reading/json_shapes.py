"""What a JSON value is: an object with its pairs, a card, cards by code, a list of decks."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence

from tourney.decks.reading.counts import MOST_COPIES, is_only_a_count
from tourney.decks.reading.text import squeeze
from tourney.decks.vocabulary import Vocabulary
from tourney.door import MOST_DIGITS, check_bounds
from tourney.errors import TourneyError

NAMES = ("name", "cardname", "card_name", "card", "title", "label")
COUNTS = (
    "count", "quantity", "qty", "amount", "copies", "total", "num", "n", "cardcount", "card_count", "numcopies", "num_copies", "deckquantity", "deck_quantity",
    "numberofcopies", "number_of_copies", "howmany", "how_many", "anzahl", "menge", "quantité", "cantidad", "quantità", "quantidade", "ilość",
)  # fmt: skip
CODES = (
    "id",
    "code",
    "card_code",
    "cardid",
    "card_id",
    "identifier",
    "passcode",
    "uuid",
    "oracleid",
    "oracle_id",
)
SETS = ("setcode", "set_code", "set", "editioncode", "edition_code", "edition", "expansion")
NUMBERS = ("collectornumber", "collector_number", "number", "cn", "card_number", "cardnumber")
_NESTED = ("card", "card_digest", "oraclecard", "carddata", "printing", "edition")
# Keys that hold cards without saying in which zone; `deck` holds them and names the main deck, too.
CONTAINERS = frozenset({
    "cards", "slots", "entries", "boards", "decklist", "contents", "list", "items", "data", "sections", "zones", "piles",
    "groups", "records", "result", "results", "lands", "nonlands", "decks", "body", "payload",
})  # fmt: skip
SECTIONS = frozenset({"zones", "sections", "boards", "piles"})
DEEPEST = 30
"""How deep a deck may be wrapped."""


class Pairs(list[tuple[str, object]]):
    """A JSON object as pairs: a key that comes twice is two lines of the deck, not one."""

    def get(self, *names: str) -> object:
        """Give the first value under one of these keys (in lower case), None where there is none."""
        lowered = {key.lower(): value for key, value in reversed(self)}
        return next((lowered[name] for name in names if lowered.get(name) is not None), None)

    def text(self, *names: str) -> str | None:
        """Give the first of these values that is text or a number, as text."""
        lowered = {key.lower(): value for key, value in reversed(self)}
        found = (lowered.get(name) for name in names)
        told = (value for value in found if isinstance(value, str | int) and not isinstance(value, bool))
        return next((squeeze(str(value)) for value in told if str(value).strip()), None)


def parse(text: str, *, source: str) -> object:
    """Read JSON, keeping keys that come twice. Raises TourneyError with the line of the fault."""
    try:
        value = json.loads(
            text, object_pairs_hook=Pairs, parse_constant=_refuse_constant, parse_int=_whole_number
        )
    except json.JSONDecodeError as fault:
        why = "it breaks off" if fault.pos >= len(text.rstrip()) else fault.msg.lower()
        place = f"{source}: line {fault.lineno}"
        raise TourneyError(f"{place}: not readable as JSON: {why}", "export the deck again") from None
    except RecursionError:
        raise TourneyError(f"{source}: not readable as JSON: nested too deeply") from None
    except ValueError as fault:
        raise TourneyError(f"{source}: not readable as JSON: {fault}") from None
    check_bounds(value, source=source)
    return value


def _whole_number(text: str) -> int | float:
    """Read a number without a point; one that is endlessly long is more than there can be of anything."""
    return int(text) if len(text) <= MOST_DIGITS else math.copysign(math.inf, -1 if text[0] == "-" else 1)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"`{name}` is no number of JSON")


def decks_in(value: object, vocabulary: Vocabulary) -> Iterable[object]:
    """Part the decks: a list of objects that each hold a container of cards is a list of decks."""
    for _ in range(DEEPEST):
        inner = _wrapped(value)
        if inner is None:
            break
        value = inner
    if isinstance(value, list) and not isinstance(value, Pairs) and _are_decks(value, vocabulary):
        return value
    return [value]


def _wrapped(value: object) -> object:
    """Give what `{"data": …}` or an object of one key wraps; None where the object is the deck itself."""
    if not isinstance(value, Pairs) or not value:
        return None
    key, only = value[0]
    if len(value) == 1 and key.lower() in SECTIONS:
        return None
    inner = value.get("data", "decks") if len(value) > 1 else only
    wraps = isinstance(inner, Pairs) and not is_slots(inner) and not is_by_name(inner)
    listed = (
        isinstance(inner, list)
        and bool(inner)
        and all(isinstance(item, Pairs) and _holds_cards(item) for item in inner)
    )
    return inner if wraps or listed else None


def _are_decks(values: Sequence[object], vocabulary: Vocabulary) -> bool:
    """Whether a list holds decks: each element holds cards, and they are not the zones of one deck."""
    if not values or not all(isinstance(value, Pairs) and _holds_cards(value) for value in values):
        return False
    if len(values) == 1:
        return True
    names = [value.text("name", "section", "zone") for value in values if isinstance(value, Pairs)]
    return not all(name is not None and vocabulary.is_header(name) for name in names)


def _holds_cards(value: Pairs) -> bool:
    keys = {key.lower() for key, inner in value if isinstance(inner, list)}
    return (
        bool(keys & (CONTAINERS | {"mainboard", "main", "maindeck", "deck"})) and value.get(*COUNTS) is None
    )


def with_nested(value: Pairs) -> Pairs:
    """Give the object with the pairs of what it wraps (`card`, `edition`) after its own."""
    merged, inner = Pairs(value), value
    for _ in range(3):
        nested = [inside for key, inside in inner if key.lower() in _NESTED and isinstance(inside, Pairs)]
        if not nested:
            break
        merged = Pairs(pair for pair in merged if not isinstance(pair[1], Pairs))
        for inside in nested:
            merged.extend(inside)
        inner = Pairs(pair for inside in nested for pair in inside)
    return merged


def is_card(value: Pairs, merged: Pairs, *, listed: bool) -> bool:
    """Whether the object is one card: it has a name or code, and a count or a place in a list of cards."""
    if any(isinstance(inner, list) and key.lower() in CONTAINERS for key, inner in value):
        return False
    named = merged.text(*NAMES) or merged.text(*CODES)
    return named is not None and (listed or merged.get(*COUNTS) is not None)


def is_bare_card(value: object) -> bool:
    """Whether it is a card without a count, as the one on a deck's cover."""
    return isinstance(value, Pairs) and value.text("name") is not None and value.get(*COUNTS) is None


def is_pair(value: Sequence[object]) -> bool:
    """Whether it is `[4, "Name"]` or `["Name", 4]`."""
    kinds = {type(item) for item in value}
    return not isinstance(value, Pairs) and len(value) == 2 and kinds == {int, str}


def is_slots(value: Pairs) -> bool:
    """Whether the object is cards by code or name with their counts: plain values, numbers among them."""
    keys = {key.lower() for key, _ in value}
    plain = all(inner is None or isinstance(inner, str | int | float) for _, inner in value)
    counted = any(isinstance(inner, int | float) and not isinstance(inner, bool) for _, inner in value)
    written = bool(value) and all(isinstance(inner, str) and is_only_a_count(inner) for _, inner in value)
    return plain and (counted or written) and not keys & {*NAMES, *CODES, "count", "quantity"}


def other_numbers(value: Pairs) -> Iterator[tuple[str, str]]:
    """Give the keys of a card without a count whose values could be one, with the values: nobody knows what they count."""
    for key, inner in value:
        if isinstance(inner, bool) or not isinstance(inner, str | int) or key.lower() in CODES:
            continue
        if (isinstance(inner, int) and 0 < inner <= MOST_COPIES) or (
            isinstance(inner, str) and is_only_a_count(inner)
        ):
            yield key, str(inner)


def is_by_name(value: Pairs) -> bool:
    """Whether the object is cards by name or id, each an object with its count."""
    return bool(value) and all(
        isinstance(entry, Pairs)
        and entry.get(*COUNTS) is not None
        and not any(key.lower() in CONTAINERS for key, _ in entry)
        for _, entry in value
    )
