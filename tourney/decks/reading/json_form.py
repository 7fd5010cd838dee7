"""JSON of many shapes: lists of cards, cards by code or name, zones as keys, decks in decks.

No shape is fixed: the walk looks for what is a card (a name or code with a count, or anything in a list of cards) and
takes the key it stands under for its zone.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from msgspec import structs

from tourney.decks.decklist import Decklist, PrintMark, Reading
from tourney.decks.reading import names
from tourney.decks.reading.builder import DeckBuilder, ListText
from tourney.decks.reading.codes import coded
from tourney.decks.reading.counts import (
    MOST_COPIES,
    head_count,
    is_only_a_count,
    split_count,
    tail_count,
    whole_number,
)
from tourney.decks.reading.lines import Vocabulary, general_kind
from tourney.decks.reading.names import Peeled, squeeze
from tourney.decks.reading.tables import counts_a_finish
from tourney.decode import MAX_DIGITS, check_bounds
from tourney.errors import TourneyError

_ABOUT_KEYS = frozenset({"meta", "metadata", "info", "header", "about"})
_LEADER_KEYS = re.compile(
    r"(leader|commander|hero|investigator|identity|champion|legend|general|captain)(_?(code|id|card_?id|name))?"
)
_ABOUT = ("author", "description", "description_md", "format", "date", "url", "source", "game")
_SAID_OF_THE_DECK = frozenset({*_ABOUT, "name", "title", "deckname", "deck_name", "player"})
_CODE_LIKE = re.compile(r"[A-Za-z]{0,6}[-_]?\d[\w-]*")
_PRINTED_NUMBERS = frozenset({"number", "cn", "collectornumber", "cardnumber"})
# What cards have a number of that is no count of copies.
_ATTRIBUTE = re.compile(
    r"cost|cmc|mana|power|toughness|strength|attack|atk|defen[cs]e|def$|health|hp$|level|rank|rating|loyalty|speed|force|price|usd|eur|tix|year|date|cycle|pack|position"
    r"|order|index|limit|max|min$|influence|deck_?size|agenda|advancement|points|score|value|version|revision|color|rarity|trash|memory|^mu$|pitch|side$|faction|type|^x$|^y$"
    r"|collectornumber|cardnumber|edition|set|code|id$|stat|arrow|scale|link"
)
_BARE_VALUES = frozenset({"value", "points", "score", "level"})
"""What an object of a name and a number may call a count."""
_SEVERAL = 2
_MOST_MISSES = 50
_MOST_SHOWN, _LONGEST_SHOWN = 5, 200


def read_json(text: ListText) -> list[Decklist]:
    """Read the decks of a JSON text, at least one. Raises TourneyError for JSON that is broken, too large or too deep."""
    places = _Places(text.text)
    parts = _decks_in(_parse(text.text, source=text.source), text.vocabulary)
    return [_Walk(part, text.source, text.vocabulary, places).read() for part in parts]


@dataclass(slots=True)
class _Places:
    """Finds the line on which a name stands, looking on from the last one found."""

    text: str
    at: int = 0
    line: int = 1
    misses: int = 0

    def find(self, words: str) -> int:
        """Give the line of the next place where `words` stands as a JSON string, else the last line found."""
        # Strings written in escapes are not found, and looking through the whole text for each takes too long.
        if self.misses > _MOST_MISSES:
            return self.line
        places = [
            self.text.find(form, self.at)
            for form in {json.dumps(words), json.dumps(words, ensure_ascii=False)}
        ]
        place = min((place for place in places if place >= 0), default=-1)
        if place >= 0:
            self.line += self.text.count("\n", self.at, place)
            self.at = place + 1
        else:
            self.misses += 1
        return self.line


class _Walk:
    """One deck of a JSON text, walked through in the order of the file."""

    def __init__(self, root: object, source: str, vocabulary: Vocabulary, places: _Places) -> None:
        self.deck = DeckBuilder(source, "json", vocabulary, fields=True)
        self.root = root
        self.places = places
        self.vocabulary = vocabulary

    def read(self) -> Decklist:
        """Give the deck."""
        if isinstance(self.root, Pairs) and self.root.get("objectstates") is not None:
            self._table_top(self.root.get("objectstates"), 0)
        else:
            self._value(self.root, zone=None, listed=isinstance(self.root, list), depth=0)
        return self.deck.build()

    def _value(
        self, value: object, *, zone: str | None, listed: bool, depth: int, sections: bool = False
    ) -> None:
        if depth > _DEEPEST:
            return
        if isinstance(value, Pairs):
            self._object(value, zone=zone, listed=listed, depth=depth, sections=sections)
        elif isinstance(value, list) and _is_pair(value):
            count, name = value if isinstance(value[0], int) else reversed(value)
            self._add(str(name), count, zone, peeled=_code_or_name(str(name)))
        elif isinstance(value, list):
            for item in value:
                self._value(item, zone=zone, listed=True, depth=depth + 1, sections=sections)
        elif listed and isinstance(value, str | int) and not isinstance(value, bool):
            self._single(squeeze(str(value)), zone)

    def _single(self, words: str, zone: str | None) -> None:
        if re.match(r"exported from|https?://", words, re.I):
            self.deck.about.append(("source", words))
        elif words:
            if _CODE_LIKE.fullmatch(words):
                self._add(words, 1, zone, peeled=coded(words))
                return
            count, name = split_count(words)
            parted = (count, name) if count is not None else head_count(words) or tail_count(words)
            if parted is None or whole_number(parted[0]) is None:
                self._add(words, 1, zone, peeled=names.field(words), counted=False)
                return
            peeled = names.peel(parted[1])
            readings = (Reading(name=words, count=1), *peeled.readings)  # a pool may know `4 Winds`
            self.deck.note(self.places.find(words), f"the count was read from `{words}`")
            self._add(
                parted[1], parted[0], zone, peeled=structs.replace(peeled, readings=readings), place=words
            )

    def _object(self, value: Pairs, *, zone: str | None, listed: bool, depth: int, sections: bool) -> None:
        merged = _with_nested(value)
        if _is_card(value, merged, listed=listed and depth > 0):
            self._card(merged, zone)
            return
        if _says_nothing(value):
            return  # exporters pad lists with such entries
        if listed and depth > 0 and not any(isinstance(inner, list) for _, inner in value):
            self.deck.fault("line", "an entry without the name of a card", line=self.places.line)
            return
        if zone is not None or depth > 0:
            zone = self._zone_of_section(value, zone, sections=sections)
        else:
            self._about(value)
        cards = (
            Pairs(pair for pair in value if pair[0].lower() not in _SAID_OF_THE_DECK) if depth == 0 else value
        )
        if depth == 0 and _is_slots(cards):
            self._slots(cards, zone)
            return
        for key, inner in value:
            self._member(key, inner, zone=zone, depth=depth, within=value)

    def _zone_of_section(self, value: Pairs, zone: str | None, *, sections: bool) -> str | None:
        """`{"name": "Main", "cards": […]}` is a zone, `{"type": "Master", "cards": […]}` a group inside one."""
        name, group = value.text("name", "section", "zone"), value.text("type", "category")
        if name and (sections or self.vocabulary.is_header(name)):
            return name
        if group and isinstance(value.get("cards"), list):
            self.deck.stand_in(zone, line=self.places.line)
            self.deck.sort(group, line=self.places.line)
        return zone

    def _member(self, key: str, inner: object, *, zone: str | None, depth: int, within: Pairs) -> None:
        """Read one member of a deck's object by its key: about the deck, its leader, cards in a zone, or passed over."""
        lowered, words = key.lower(), _key_words(key)
        holds = lowered in _CONTAINERS
        is_zone = not holds and self.vocabulary.is_header(words)
        if lowered in _ABOUT_KEYS and isinstance(inner, Pairs):
            self._about(inner)
        elif isinstance(inner, str | int) and str(inner).strip() and _LEADER_KEYS.fullmatch(lowered):
            self._leader(lowered, str(inner), within)
        elif not (is_zone or holds) or (words == "main" and _is_bare_card(inner)):
            self._not_read(key, inner)  # prices, legalities, the card on the deck's cover
        else:
            sections = isinstance(inner, list) and lowered in _SECTIONS
            self._cards(inner, words if is_zone else zone, is_zone=is_zone, depth=depth, sections=sections)

    def _cards(self, inner: object, zone: str | None, *, is_zone: bool, depth: int, sections: bool) -> None:
        """Read what stands under the key of a zone or of a holder of cards: counts by code, cards by name, or any list."""
        if isinstance(inner, Pairs) and _is_slots(inner):
            self._slots(inner, zone)
        elif isinstance(inner, Pairs) and _is_by_name(inner):
            for name, entry in inner:
                if isinstance(entry, Pairs):
                    self._card(_with_nested(entry), zone, fallback=name)
        elif isinstance(inner, Pairs | list):
            listed = is_zone or not isinstance(inner, Pairs)
            self._value(inner, zone=zone, listed=listed, depth=depth + 1, sections=sections)

    def _not_read(self, key: str, inner: object) -> None:
        """Name what is passed over though it has to do with cards: counts by card, lists of cards, a site's own rules."""
        line = self.places.find(key)
        if key.lower() == "meta" and isinstance(inner, str) and inner.strip(" {}"):
            self.deck.note(line, f"`meta` was not read: {squeeze(inner)[:_LONGEST_SHOWN]}", weighty=True)
        elif (
            key.lower() == "ignoredecklimitslots"
            and isinstance(inner, Pairs)
            and any(count for _, count in inner)
        ):
            shown = ", ".join(f"{count} {code}" for code, count in inner[:_MOST_SHOWN])
            words = f"`{key}` was not read: the copies it frees from limits ({shown}) count as any other"
            self.deck.note(line, words, weighty=True)
        elif _looks_like_cards(inner):
            self.deck.note(line, f"`{key}` was not read, though it looks like cards", weighty=True)

    def _slots(self, value: Pairs, zone: str | None) -> None:
        for code, count in value:
            self._add(code, count, zone, peeled=_code_or_name(code))

    def _leader(self, key: str, value: str, within: Pairs) -> None:
        """`"hero_code": "01001"`, with the name from `"hero_name"` where there is one."""
        word = key.partition("_")[0]
        if key.endswith("name") and any(
            other.lower() in (f"{word}_code", f"{word}_id") for other, _ in within
        ):
            return
        name = within.text(f"{word}_name") or value
        peeled = structs.replace(_code_or_name(name), code=value)
        self._add(name, 1, word.title(), peeled=peeled, place=value)

    def _card(self, value: Pairs, zone: str | None, fallback: str | None = None) -> None:
        """Read one card: its count in a field of its own, or one for each zone; fallback: the key it stands under."""
        name = value.text(*_NAMES) or fallback
        words = name or value.text(*_CODES) or ""
        peeled = self._peeled(value, name)
        count = value.get(*_COUNTS)
        if count is None:
            counts = [
                (key, copies) for key, copies in value if _in_zone(key, copies) and not _is_zero(copies)
            ]
            if counts and name:
                for key, copies in counts:
                    self._add(words, copies, key, peeled=peeled)
                return
            self._ask_about_numbers(value, words)
            if any(key.lower() in _COUNTS for key, _ in value):
                line = self.places.find(words)
                self.deck.note(line, f"no count stands beside `{words}`; one copy was read", weighty=True)
        elif self._refuse_two_counts(value, words):
            return
        self._add(
            words,
            1 if count is None else count,
            "Commander" if value.get("iscommander") is True else zone,
            peeled=structs.replace(peeled, comment=value.text("comment", "remark") or peeled.comment),
            group=value.text("group"),
            counted=count is not None,
        )

    def _peeled(self, value: Pairs, name: str | None) -> Peeled:
        """Take a card from its fields: its name, else its code; its printing, marks and facts."""
        code = value.text(*_CODES)
        printing = PrintMark(value.text(*_SETS), value.text(*_NUMBERS))
        peeled = names.field(name, printing, code=code) if name else coded(code or "")
        peeled = names.marked(peeled, *self._marks(value))
        facts = value.get("facts")
        if isinstance(facts, Pairs):
            peeled = structs.replace(peeled, facts={key: str(fact) for key, fact in facts})
        return peeled

    def _refuse_two_counts(self, value: Pairs, words: str) -> bool:
        """Refuse a card with counts that contradict each other, or may add up: `"quantity": 3, "count": 2`, `"foil_count": 1`."""
        counts = [(key, copies) for key, copies in value if key.lower() in _COUNTS and copies is not None]
        shiny = [
            (key, copies)
            for key, copies in value
            if counts_a_finish(key) and copies is not None and not _is_zero(copies)
        ]
        if len({str(copies).strip() for _, copies in counts}) < _SEVERAL and not shiny:
            return False
        shown = " and ".join(f"`{key}`: {str(copies)[:20]}" for key, copies in counts + shiny)
        line = self.places.find(words)
        self.deck.fault("line", f"it has two counts, {shown}", line=line, subjects=(words,), hint="keep one")
        return True

    def _ask_about_numbers(self, value: Pairs, words: str) -> None:
        """Refuse a number beside a name without a count, where it could be the count; what cards have numbers of is none."""
        numbers = list(_other_numbers(value))
        for key, number in numbers:
            lowered = re.sub(r"[^a-z]", "", key.lower())
            numbered = lowered in _PRINTED_NUMBERS and value.text(*_SETS) is not None
            alone = lowered in _BARE_VALUES and len(numbers) == 1 and len(list(value)) == _SEVERAL
            if numbered or (_ATTRIBUTE.search(lowered) and not alone):
                continue
            line = self.places.find(words)
            self.deck.fault(
                "line",
                f"is `{key}`: {number} the count? nothing beside the name says so",
                line=line,
                subjects=(words,),
                hint=f'call the count of each card `count`: `"count": {number}`',
            )
            return

    def _add(
        self,
        words: str,
        count: object,
        zone: str | None,
        *,
        peeled: names.Peeled,
        place: str | None = None,
        group: str | None = None,
        counted: bool = True,
    ) -> None:
        line = self.places.find(place or words)
        if self.deck.is_full(line) or _is_zero(count):
            return  # exporters write each card of the collection, most of them with a zero
        self.deck.stand_in(zone, line=line)
        self._group(group, line)
        written = (
            count
            if isinstance(count, str | int | float) and not isinstance(count, bool)
            else json.dumps(count, default=str)[:40]
        )
        self.deck.add(words, peeled, line=line, count=written, counted=counted)

    def _group(self, group: str | None, line: int) -> None:
        if group is not None and (self.deck.group is None or self.deck.group.words != group):
            self.deck.sort(group, line=line)

    def _marks(self, value: Pairs) -> list[str]:
        """Give the marks of our own form, and the categories another one sorts its cards by."""
        marks, categories = value.get("marks"), value.get("categories")
        own = [mark for mark in marks if isinstance(mark, str)] if isinstance(marks, list) else []
        sorting = (
            [f"[{squeeze(str(word))}]" for word in categories[:3]] if isinstance(categories, list) else []
        )
        return own + sorting

    def _about(self, value: Pairs) -> None:
        deck = self.deck
        deck.name = deck.name or value.text("name", "title", "deckname", "deck_name")
        deck.format = deck.format or value.text("format")
        deck.player = deck.player or value.text("player")
        for key in _ABOUT:
            words = value.text(key)
            if words and len(words) < 2_000:
                deck.about.append((key, words))

    def _table_top(self, value: object, depth: int) -> None:
        """Read a table-top simulator's save: decks hold cards, bags hold decks, each by its nickname."""
        if depth > _DEEPEST or not isinstance(value, list):
            return
        for item in value:
            if not isinstance(item, Pairs):
                continue
            kind, nickname = item.text("name") or "", (item.text("nickname") or "").partition("\n")[0]
            inside = item.get("containedobjects")
            if isinstance(inside, list):
                self._pile(nickname)
                self._table_top(inside, depth + 1)
            elif kind.lower().startswith("card"):
                self._piece(nickname, item.text("cardid"))

    def _pile(self, nickname: str) -> None:
        if nickname and self.vocabulary.is_header(nickname):
            self.deck.enter(nickname, line=self.places.find(nickname))
        elif nickname and self.deck.name is None:
            self.deck.name = nickname

    def _piece(self, nickname: str, code: str | None) -> None:
        line = self.places.find(nickname) if nickname else self.places.line
        if nickname:
            self.deck.add(nickname, names.field(nickname, code=code), line=line)
        else:
            self.deck.fault(
                "line", f"the card {code or ''} has no nickname", line=line, hint="name the cards in the save"
            )


def _in_zone(key: str, copies: object) -> bool:
    """Whether a pair inside a card is a zone with its count: `"main": 4`."""
    kind = general_kind(_key_words(key))
    return kind in ("main", "side", "maybe") and isinstance(copies, int) and not isinstance(copies, bool)


def _is_zero(count: object) -> bool:
    if isinstance(count, str):
        return count.strip() == "0"
    return isinstance(count, int | float) and not isinstance(count, bool) and count == 0


def _says_nothing(value: Pairs) -> bool:
    """Whether an entry is empty, or names nothing and counts nothing."""
    return not value or (_is_zero(value.get(*_COUNTS)) and not value.text(*_NAMES, *_CODES))


def _looks_like_cards(value: object) -> bool:
    """Whether a value under an unknown key could be cards: objects with name and count, or counts by a card's code."""
    if isinstance(value, Pairs):
        if _is_by_name(value):
            return True
        return _is_slots(value) and all(_CODE_LIKE.fullmatch(key) for key, _ in value)
    if not isinstance(value, list) or not value:
        return False
    return all(
        isinstance(item, Pairs) and item.text(*_NAMES) and item.get(*_COUNTS) is not None for item in value
    )


def _key_words(key: str) -> str:
    """`mainBoard`, `side_slots`, `sideDeck` as words.

    >>> _key_words("mainBoard"), _key_words("side_slots"), _key_words("commanders")
    ('main board', 'side', 'commanders')
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]", " ", key).lower()
    return re.sub(r"(?<=\w) ?(?:slots|cards|ids)$", "", words) or words


def _code_or_name(words: str) -> names.Peeled:
    return coded(words) if _CODE_LIKE.fullmatch(words) else names.field(words)


# -- What a JSON value is: an object with its pairs, a card, cards by code, a list of decks


_NAMES = ("name", "cardname", "card_name", "card", "title", "label")
_COUNTS = (
    "count", "quantity", "qty", "amount", "copies", "total", "num", "n", "cardcount", "card_count", "numcopies", "num_copies", "deckquantity", "deck_quantity",
    "numberofcopies", "number_of_copies", "howmany", "how_many", "anzahl", "menge", "quantité", "cantidad", "quantità", "quantidade", "ilość",
)  # fmt: skip
_CODES = (
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
_SETS = ("setcode", "set_code", "set", "editioncode", "edition_code", "edition", "expansion")
_NUMBERS = ("collectornumber", "collector_number", "number", "cn", "card_number", "cardnumber")
_NESTED = ("card", "card_digest", "oraclecard", "carddata", "printing", "edition")
# Keys that hold cards without saying in which zone; `deck` holds them and names the main deck, too.
_CONTAINERS = frozenset({
    "cards", "slots", "entries", "boards", "decklist", "contents", "list", "items", "data", "sections", "zones", "piles",
    "groups", "records", "result", "results", "lands", "nonlands", "decks", "body", "payload",
})  # fmt: skip
_SECTIONS = frozenset({"zones", "sections", "boards", "piles"})
_DEEPEST = 30
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
        values = (lowered.get(name) for name in names)
        plain = (value for value in values if isinstance(value, str | int) and not isinstance(value, bool))
        return next((squeeze(str(value)) for value in plain if str(value).strip()), None)


def _parse(text: str, *, source: str) -> object:
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
    return int(text) if len(text) <= MAX_DIGITS else math.copysign(math.inf, -1 if text[0] == "-" else 1)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"`{name}` is not a JSON number")


def _decks_in(value: object, vocabulary: Vocabulary) -> Iterable[object]:
    """Part the decks: a list of objects that each hold a container of cards is a list of decks."""
    for _ in range(_DEEPEST):
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
    if len(value) == 1 and key.lower() in _SECTIONS:
        return None
    inner = value.get("data", "decks") if len(value) > 1 else only
    wraps = isinstance(inner, Pairs) and not _is_slots(inner) and not _is_by_name(inner)
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
        bool(keys & (_CONTAINERS | {"mainboard", "main", "maindeck", "deck"})) and value.get(*_COUNTS) is None
    )


def _with_nested(value: Pairs) -> Pairs:
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


def _is_card(value: Pairs, merged: Pairs, *, listed: bool) -> bool:
    """Whether the object is one card: it has a name or code, and a count or a place in a list of cards."""
    if any(isinstance(inner, list) and key.lower() in _CONTAINERS for key, inner in value):
        return False
    named = merged.text(*_NAMES) or merged.text(*_CODES)
    return named is not None and (listed or merged.get(*_COUNTS) is not None)


def _is_bare_card(value: object) -> bool:
    """Whether it is a card without a count, as the one on a deck's cover."""
    return isinstance(value, Pairs) and value.text("name") is not None and value.get(*_COUNTS) is None


def _is_pair(value: Sequence[object]) -> bool:
    """Whether it is `[4, "Name"]` or `["Name", 4]`."""
    kinds = {type(item) for item in value}
    return not isinstance(value, Pairs) and len(value) == 2 and kinds == {int, str}


def _is_slots(value: Pairs) -> bool:
    """Whether the object is cards by code or name with their counts: plain values, numbers among them."""
    keys = {key.lower() for key, _ in value}
    plain = all(inner is None or isinstance(inner, str | int | float) for _, inner in value)
    counted = any(isinstance(inner, int | float) and not isinstance(inner, bool) for _, inner in value)
    written = bool(value) and all(isinstance(inner, str) and is_only_a_count(inner) for _, inner in value)
    return plain and (counted or written) and not keys & {*_NAMES, *_CODES, "count", "quantity"}


def _other_numbers(value: Pairs) -> Iterator[tuple[str, str]]:
    """Give the keys of a card without a count whose values could be one, with the values: nobody knows what they count."""
    for key, inner in value:
        if isinstance(inner, bool) or not isinstance(inner, str | int) or key.lower() in _CODES:
            continue
        if (isinstance(inner, int) and 0 < inner <= MOST_COPIES) or (
            isinstance(inner, str) and is_only_a_count(inner)
        ):
            yield key, str(inner)


def _is_by_name(value: Pairs) -> bool:
    """Whether the object is cards by name or id, each an object with its count."""
    return bool(value) and all(
        isinstance(entry, Pairs)
        and entry.get(*_COUNTS) is not None
        and not any(key.lower() in _CONTAINERS for key, _ in entry)
        for _, entry in value
    )
