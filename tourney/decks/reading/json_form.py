"""Reads JSON of many shapes: lists of cards, cards by code or name, zones, nested decks.

The reader expects no fixed shape. `_Walk` looks for cards (a name or code with a count, or anything in a list
of cards), and takes the key above the cards for their zone.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from tourney.decks.decklist import Decklist, ParsedName, PrintMark, Reading
from tourney.decks.reading.builder import DeckBuilder
from tourney.decks.reading.counts import (
    MAX_COPIES,
    head_count,
    is_only_a_count,
    split_count,
    tail_count,
    whole_number,
)
from tourney.decks.reading.names import parse_code, parse_field, parse_name
from tourney.decks.reading.tables import counts_a_finish
from tourney.decks.reading.text import ListForm, ListText, Places
from tourney.decks.reading.vocabulary import Vocabulary, general_kind
from tourney.decks.reading.words import lazy_pattern, lists, squeeze
from tourney.decode import MAX_DIGITS, check_bounds
from tourney.errors import TourneyError

_JSON = lazy_pattern(r"\s*(?:\{\s*[\"}]|\[\s*(?:[{\"]|\[\s*[\d\"{\[\]]|\d+\s*[,\]]\s*[\d\[]|\]\s*$))")
"""Matches the beginning of JSON, but not a header such as `[Sideboard]`."""
_CODE_LIKE = lazy_pattern(r"[A-Za-z]{0,6}[-_]?\d[\w-]*")
_MAX_CODES, _MAX_SHOWN = 5, 200


def read_decks(text: ListText) -> list[Decklist]:
    """Read the decks of a JSON text; return no decks for any other text.

    Raises TourneyError for JSON that is broken, too large or too deep.
    """
    if not _JSON.match(text.text):
        return []
    places = Places(text.text)
    parts = _find_decks(_parse(text.text, source=text.source), text.vocabulary)
    return [_Walk(part, text, places).read() for part in parts]


FORM = ListForm(order=30, read=read_decks, searches_all=True)


class _Walk:
    """Reads one deck of a JSON text, in the order of the file."""

    def __init__(self, root: object, text: ListText, places: Places) -> None:
        self.deck = DeckBuilder(text, "json", has_fields=True, by_lines=False)
        self.root = root
        self.places = places
        self.vocabulary = text.vocabulary

    def _find(self, words: str) -> int:
        """Return the number of the line with the next JSON string that equals `words`.

        If the string is not found, returns the line of the last string that was found.
        """
        return self.places.find(json.dumps(words), json.dumps(words, ensure_ascii=False))

    def read(self) -> Decklist:
        """Return the deck."""
        if isinstance(self.root, Pairs) and self.root.get("objectstates") is not None:
            self._read_table_top(self.root.get("objectstates"), 0)
        else:
            self._read_value(self.root, zone=None, is_listed=isinstance(self.root, list), depth=0)
        return self.deck.build()

    def _read_value(
        self, value: object, *, zone: str | None, is_listed: bool, depth: int, has_sections: bool = False
    ) -> None:
        if depth > _MAX_DEPTH:
            return
        if isinstance(value, Pairs):
            self._read_object(value, zone=zone, is_listed=is_listed, depth=depth, has_sections=has_sections)
        elif isinstance(value, list) and _is_pair(value):
            count, name = value if isinstance(value[0], int) else reversed(value)
            self._add_card(str(name), count, zone, parsed_name=_parse_code_or_name(str(name)))
        elif isinstance(value, list):
            for item in value:
                self._read_value(item, zone=zone, is_listed=True, depth=depth + 1, has_sections=has_sections)
        elif is_listed and isinstance(value, str | int) and not isinstance(value, bool):
            self._read_single(squeeze(str(value)), zone)

    def _read_single(self, words: str, zone: str | None) -> None:
        if re.match(r"exported from|https?://", words, re.I):
            self.deck.about.append(("source", words))
        elif words:
            if _CODE_LIKE.fullmatch(words):
                self._add_card(words, 1, zone, parsed_name=parse_code(words))
                return
            count, name = split_count(words)
            count_and_name = (count, name) if count is not None else head_count(words) or tail_count(words)
            if count_and_name is None or whole_number(count_and_name[0]) is None:
                self._add_card(words, 1, zone, parsed_name=parse_field(words), has_count=False)
                return
            parsed_name = parse_name(count_and_name[1])
            readings = (Reading(name=words, count=1), *parsed_name.readings)  # a pool may know `4 Winds`
            self.deck.note(self._find(words), f"the count was read from `{words}`")
            self._add_card(
                count_and_name[1],
                count_and_name[0],
                zone,
                parsed_name=structs.replace(parsed_name, readings=readings),
                place=words,
            )

    def _read_object(
        self, value: Pairs, *, zone: str | None, is_listed: bool, depth: int, has_sections: bool
    ) -> None:
        merged_pairs = _merge_nested(value)
        if _is_card(value, merged_pairs, is_listed=is_listed and depth > 0):
            self._read_card(merged_pairs, zone)
            return
        if _is_empty_entry(value):
            return  # some exporters pad lists with such entries
        if is_listed and depth > 0 and not any(isinstance(inner, list) for _, inner in value):
            self.deck.fault("line", "an entry without the name of a card", line=self.places.line)
            return
        if zone is not None or depth > 0:
            zone = self._zone_of_section(value, zone, has_sections=has_sections)
        else:
            self._read_about(value)
        cards = Pairs(pair for pair in value if pair[0].lower() not in _DECK_KEYS) if depth == 0 else value
        if depth == 0 and _is_slots(cards):
            self._read_slots(cards, zone)
            return
        for key, inner in value:
            self._read_member(key, inner, zone=zone, depth=depth, parent=value)

    def _zone_of_section(self, value: Pairs, zone: str | None, *, has_sections: bool) -> str | None:
        """Return the zone that a JSON object names: `{"name": "Main", "cards": […]}`; else `zone`.

        If an object with a list `cards` names no zone, its `type` or `category` begins a group within `zone`.

        has_sections: whether every name is the name of a zone, even if it is not a known header
        """
        name, group = value.text("name", "section", "zone"), value.text("type", "category")
        if name and (has_sections or self.vocabulary.is_header(name)):
            return name
        if group and isinstance(value.get("cards"), list):
            self.deck.continue_in(zone, line=self.places.line)
            self.deck.sort(group, line=self.places.line)
        return zone

    def _read_member(self, key: str, inner: object, *, zone: str | None, depth: int, parent: Pairs) -> None:
        """Read the value of one key of a deck's JSON object.

        The value can be text about the deck, its leader, or cards. Any other value is not read; a note says
        so if it may contain cards.
        """
        lower_key, words = key.lower(), _key_words(key)
        is_container = lower_key in _CONTAINERS
        is_zone = not is_container and self.vocabulary.is_header(words)
        if lower_key in _ABOUT_OBJECTS and isinstance(inner, Pairs):
            self._read_about(inner)
        elif isinstance(inner, str | int) and str(inner).strip() and _LEADER_KEYS.fullmatch(lower_key):
            self._read_leader(lower_key, str(inner), parent)
        elif not (is_zone or is_container) or (words == "main" and _is_bare_card(inner)):
            self._note_unread(key, inner)  # prices, legalities, the card on the deck's cover
        else:
            has_sections = isinstance(inner, list) and lower_key in _SECTIONS
            self._read_cards(
                inner, words if is_zone else zone, is_zone=is_zone, depth=depth, has_sections=has_sections
            )

    def _read_cards(
        self, inner: object, zone: str | None, *, is_zone: bool, depth: int, has_sections: bool
    ) -> None:
        """Read the cards in the value of a zone's key (`sideboard`) or a container's key (`cards`).

        The value can be a list, an object with a count for each code or name, or an object with the data of a
        card for each name. Any other object is searched for cards. Values of other types are ignored.
        """
        if isinstance(inner, Pairs) and _is_slots(inner):
            self._read_slots(inner, zone)
        elif isinstance(inner, Pairs) and _is_by_name(inner):
            for name, entry in inner:
                if isinstance(entry, Pairs):
                    self._read_card(_merge_nested(entry), zone, fallback=name)
        elif isinstance(inner, Pairs | list):
            is_listed = is_zone or not isinstance(inner, Pairs)
            self._read_value(
                inner, zone=zone, is_listed=is_listed, depth=depth + 1, has_sections=has_sections
            )

    def _note_unread(self, key: str, inner: object) -> None:
        """Add a note about a value that was not read, if it may contain cards."""
        line = self._find(key)
        if key.lower() == "meta" and isinstance(inner, str) and inner.strip(" {}"):
            self.deck.note(line, f"`meta` was not read: {squeeze(inner)[:_MAX_SHOWN]}", weighty=True)
        elif (
            key.lower() == "ignoredecklimitslots"
            and isinstance(inner, Pairs)
            and any(count for _, count in inner)
        ):
            copies = ", ".join(f"{count} {code}" for code, count in inner[:_MAX_CODES])
            words = f"`{key}` was not read, so the limits of copies apply to its cards, too ({copies})"
            self.deck.note(line, words, weighty=True)
        elif _looks_like_cards(inner):
            self.deck.note(line, f"`{key}` was not read, though it looks like cards", weighty=True)

    def _read_slots(self, value: Pairs, zone: str | None) -> None:
        for code, count in value:
            self._add_card(code, count, zone, parsed_name=_parse_code_or_name(code))

    def _read_leader(self, key: str, value: str, parent: Pairs) -> None:
        """Add the leader that a member such as `"hero_code": "01001"` of a JSON object gives.

        The leader's name is the value of `hero_name`, if the object has that key. Without it, the value
        itself is the name. A key `hero_name` is skipped if the object also has `hero_code` or `hero_id`.
        """
        word = key.partition("_")[0]
        if key.endswith("name") and any(
            other.lower() in (f"{word}_code", f"{word}_id") for other, _ in parent
        ):
            return
        name = parent.text(f"{word}_name") or value
        parsed_name = structs.replace(_parse_code_or_name(name), code=value)
        self._add_card(name, 1, word.title(), parsed_name=parsed_name, place=value)

    def _read_card(self, value: Pairs, zone: str | None, fallback: str | None = None) -> None:
        """Add one card, with one count or a count for each zone.

        fallback: the key of the card's JSON object, used as the card's name if no field contains the name
        """
        name = value.text(*_NAMES) or fallback
        words = name or value.text(*_CODES) or ""
        parsed_name = self._parse_fields(value, name)
        count = value.get(*_COUNTS)
        if count is None:
            counts = [
                (key, copies) for key, copies in value if _is_zone_count(key, copies) and not _is_zero(copies)
            ]
            if counts and name:
                for key, copies in counts:
                    self._add_card(words, copies, key, parsed_name=parsed_name)
                return
            self._ask_about_numbers(value, words)
            if any(key.lower() in _COUNTS for key, _ in value):
                line = self._find(words)
                self.deck.note(line, f"`{words}` has no count; one copy was read", weighty=True)
        elif self._refuse_two_counts(value, words):
            return
        self._add_card(
            words,
            1 if count is None else count,
            "Commander" if value.get("iscommander") is True else zone,
            parsed_name=structs.replace(
                parsed_name, comment=value.text("comment", "remark") or parsed_name.comment
            ),
            group=value.text("group"),
            has_count=count is not None,
        )

    def _parse_fields(self, value: Pairs, name: str | None) -> ParsedName:
        """Return a card's name, printing, marks and facts, read from the fields of its JSON object.

        name: the card's name; None to use its code as the name
        """
        code = value.text(*_CODES)
        printing = PrintMark(value.text(*_SETS), value.text(*_NUMBERS))
        parsed_name = parse_field(name, printing, code=code) if name else parse_code(code or "")
        parsed_name = structs.replace(parsed_name, marks=tuple(_marks(value)))
        facts = value.get("facts")
        if isinstance(facts, Pairs):
            parsed_name = structs.replace(parsed_name, facts={key: str(fact) for key, fact in facts})
        return parsed_name

    def _refuse_two_counts(self, value: Pairs, words: str) -> bool:
        """Report a card with two different counts or a count of foils; return whether it has either.

        For example: `"quantity": 3, "count": 2`, or `"foil_count": 1`. A foil count of zero is allowed.
        """
        counts = [(key, copies) for key, copies in value if key.lower() in _COUNTS and copies is not None]
        finish_counts = [
            (key, copies)
            for key, copies in value
            if counts_a_finish(key) and copies is not None and not _is_zero(copies)
        ]
        if len({str(copies).strip() for _, copies in counts}) < 2 and not finish_counts:
            return False
        counts_text = " and ".join(f"`{key}`: {str(copies)[:20]}" for key, copies in counts + finish_counts)
        line = self._find(words)
        self.deck.fault(
            "line", f"it has two counts, {counts_text}", line=line, subjects=(words,), hint="keep one"
        )
        return True

    def _ask_about_numbers(self, value: Pairs, words: str) -> None:
        """Report a card without a count if another number could be the count."""
        numbers = list(_other_numbers(value))
        for key, number in numbers:
            letters = re.sub(r"[^a-z]", "", key.lower())
            is_printing_number = letters in _PRINTED and value.text(*_SETS) is not None
            is_alone = letters in _BARE and len(numbers) == 1 and len(list(value)) == 2
            if is_printing_number or (_ATTRIBUTE.search(letters) and not is_alone):
                continue
            message = f"is {number} in `{key}` the count? the card has no other count"
            hint = f'call the count of each card `count`: `"count": {number}`'
            self.deck.fault("line", message, line=self._find(words), subjects=(words,), hint=hint)
            return

    def _add_card(
        self,
        words: str,
        count: object,
        zone: str | None,
        *,
        parsed_name: ParsedName,
        place: str | None = None,
        group: str | None = None,
        has_count: bool = True,
    ) -> None:
        line = self._find(place or words)
        if self.deck.is_full(line) or _is_zero(count):
            return  # some programs export a whole collection, with a zero for most cards
        self.deck.continue_in(zone, line=line)
        self.deck.sort_as(group, line=line)
        plain_count = (
            count
            if isinstance(count, str | int | float) and not isinstance(count, bool)
            else json.dumps(count, default=str)[:40]
        )
        self.deck.add(parsed_name, line=line, count=plain_count, has_count=has_count)

    def _read_about(self, value: Pairs) -> None:
        deck = self.deck
        deck.name = deck.name or value.text("name", "title", "deckname", "deck_name")
        deck.format = deck.format or value.text("format")
        deck.player = deck.player or value.text("player")
        for key in _ABOUT:
            words = value.text(key)
            if words and len(words) < 2_000:
                deck.about.append((key, words))

    def _read_table_top(self, value: object, depth: int) -> None:
        """Read a saved game of a table-top simulator: bags contain decks, and decks contain cards."""
        if depth > _MAX_DEPTH or not isinstance(value, list):
            return
        for item in value:
            if not isinstance(item, Pairs):
                continue
            kind, nickname = item.text("name") or "", (item.text("nickname") or "").partition("\n")[0]
            contents = item.get("containedobjects")
            if isinstance(contents, list):
                self._read_pile(nickname)
                self._read_table_top(contents, depth + 1)
            elif kind.lower().startswith("card"):
                self._read_piece(nickname, item.text("cardid"))

    def _read_pile(self, nickname: str) -> None:
        if nickname and self.vocabulary.is_header(nickname):
            self.deck.enter(nickname, line=self._find(nickname))
        elif nickname and self.deck.name is None:
            self.deck.name = nickname

    def _read_piece(self, nickname: str, code: str | None) -> None:
        line = self._find(nickname) if nickname else self.places.line
        if nickname:
            self.deck.add(parse_field(nickname, code=code), line=line)
        else:
            self.deck.fault(
                "line", f"the card {code or ''} has no nickname", line=line, hint="name the cards in the save"
            )


def _marks(value: Pairs) -> list[str]:
    """Return a card's `marks`, and its first three `categories` in the form `[Ramp]`."""
    marks, categories = value.get("marks"), value.get("categories")
    card_marks = [mark for mark in marks if isinstance(mark, str)] if isinstance(marks, list) else []
    first_categories = categories[:3] if isinstance(categories, list) else []
    return card_marks + [f"[{squeeze(str(word))}]" for word in first_categories]


def _is_zone_count(key: str, copies: object) -> bool:
    """Return whether a key and value inside a card are a zone and a count: `"main": 4`."""
    kind = general_kind(_key_words(key))
    return kind in ("main", "side", "maybe") and isinstance(copies, int) and not isinstance(copies, bool)


def _is_zero(count: object) -> bool:
    if isinstance(count, str):
        return count.strip() == "0"
    return isinstance(count, int | float) and not isinstance(count, bool) and count == 0


def _is_empty_entry(value: Pairs) -> bool:
    """Return whether an entry has neither a name nor a count."""
    return not value or (_is_zero(value.get(*_COUNTS)) and not value.text(*_NAMES, *_CODES))


def _looks_like_cards(value: object) -> bool:
    """Return whether a value could be cards: objects with name and count, or counts by code."""
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
    """Return a key as words, without the ending `slots`, `cards` or `ids`.

    >>> _key_words("mainBoard"), _key_words("side_slots"), _key_words("commanders")
    ('main board', 'side', 'commanders')
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]", " ", key).lower()
    return re.sub(r"(?<=\w) ?(?:slots|cards|ids)$", "", words) or words


def _parse_code_or_name(words: str) -> ParsedName:
    return parse_code(words) if _CODE_LIKE.fullmatch(words) else parse_field(words)


# -- what a JSON value is


_KEYS = lists("json", "keys.toml")
_NAMES, _COUNTS, _CODES, _ABOUT = (_KEYS[meaning] for meaning in ("name", "count", "code", "about"))
_SETS, _NUMBERS, _PRINTED, _BARE = (_KEYS[meaning] for meaning in ("set", "number", "printed", "bare"))
_NESTED, _CONTAINERS, _SECTIONS = (_KEYS[meaning] for meaning in ("nested", "containers", "sections"))
_ATTRIBUTE = lazy_pattern("|".join(_KEYS["attribute"]))
_LEADER_KEYS = lazy_pattern(f"({'|'.join(_KEYS['leader'])})(_?(code|id|card_?id|name))?")
_ABOUT_OBJECTS = _KEYS["about-objects"]
_DECK_KEYS = frozenset({*_ABOUT, *_KEYS["head"]})
_MAX_DEPTH = 30
"""The maximum nesting depth of values; deeper values are not read."""


class Pairs(list[tuple[str, object]]):
    """A JSON object as pairs of key and value, because a repeated key means two lines of a deck."""

    def get(self, *names: str) -> object:
        """Return the first value of one of these lower-case keys; None if there is none."""
        values = {key.lower(): value for key, value in reversed(self)}
        return next((values[name] for name in names if values.get(name) is not None), None)

    def text(self, *names: str) -> str | None:
        """Return the first value of these keys that is text or a number, as text; None if none is."""
        values_by_key = {key.lower(): value for key, value in reversed(self)}
        values = (values_by_key.get(name) for name in names)
        plain = (value for value in values if isinstance(value, str | int) and not isinstance(value, bool))
        return next((squeeze(str(value)) for value in plain if str(value).strip()), None)


def _parse(text: str, *, source: str) -> object:
    """Parse JSON, keeping repeated keys. Raises TourneyError with the line of the error."""
    try:
        value = json.loads(
            text, object_pairs_hook=Pairs, parse_constant=_refuse_constant, parse_int=_whole_number
        )
    except json.JSONDecodeError as fault:
        reason = "it ends too early" if fault.pos >= len(text.rstrip()) else fault.msg.lower()
        place = f"{source}: line {fault.lineno}"
        raise TourneyError(f"{place}: not readable as JSON: {reason}", "export the deck again") from None
    except RecursionError:
        raise TourneyError(f"{source}: not readable as JSON: nested too deeply") from None
    except ValueError as fault:
        raise TourneyError(f"{source}: not readable as JSON: {fault}") from None
    check_bounds(value, source=source)
    return value


def _whole_number(text: str) -> int | float:
    """Convert a number without a decimal point; return infinity if it has too many digits."""
    return int(text) if len(text) <= MAX_DIGITS else math.copysign(math.inf, -1 if text[0] == "-" else 1)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"`{name}` is not a JSON number")


def _find_decks(value: object, vocabulary: Vocabulary) -> Iterable[object]:
    """Return the elements of a list of decks; return any other value as a list of one.

    Objects around the decks, such as `{"data": …}`, are removed first.
    """
    for _ in range(_MAX_DEPTH):
        inner = _unwrap(value)
        if inner is None:
            break
        value = inner
    if isinstance(value, list) and not isinstance(value, Pairs) and _are_decks(value, vocabulary):
        return value
    return [value]


def _unwrap(value: object) -> object:
    """Return what an object wraps: the value of `data`, of `decks`, or of its only key.

    Returns None if the object wraps nothing, but is a deck itself.
    """
    if not isinstance(value, Pairs) or not value:
        return None
    key, only_value = value[0]
    if len(value) == 1 and key.lower() in _SECTIONS:
        return None
    inner = value.get("data", "decks") if len(value) > 1 else only_value
    is_wrapper = isinstance(inner, Pairs) and not _is_slots(inner) and not _is_by_name(inner)
    is_list = (
        isinstance(inner, list)
        and bool(inner)
        and all(isinstance(item, Pairs) and _holds_cards(item) for item in inner)
    )
    return inner if is_wrapper or is_list else None


def _are_decks(values: Sequence[object], vocabulary: Vocabulary) -> bool:
    """Return whether the elements of a JSON array are decks, and not the zones of one deck.

    Each deck must have cards. Several elements that are all named like zones are not decks.
    """
    if not values or not all(isinstance(value, Pairs) and _holds_cards(value) for value in values):
        return False
    if len(values) == 1:
        return True
    names = [value.text("name", "section", "zone") for value in values if isinstance(value, Pairs)]
    return not all(name is not None and vocabulary.is_header(name) for name in names)


def _holds_cards(value: Pairs) -> bool:
    keys = {key.lower() for key, inner in value if isinstance(inner, list)}
    return (
        bool(keys & ({*_CONTAINERS} | {"mainboard", "main", "maindeck", "deck"}))
        and value.get(*_COUNTS) is None
    )


def _merge_nested(value: Pairs) -> Pairs:
    """Return the pairs of an object, then those of its nested objects (`card`, `edition`)."""
    merged_pairs, inner = Pairs(value), value
    for _ in range(3):
        nested_objects = [
            inside for key, inside in inner if key.lower() in _NESTED and isinstance(inside, Pairs)
        ]
        if not nested_objects:
            break
        merged_pairs = Pairs(pair for pair in merged_pairs if not isinstance(pair[1], Pairs))
        for inside in nested_objects:
            merged_pairs.extend(inside)
        inner = Pairs(pair for inside in nested_objects for pair in inside)
    return merged_pairs


def _is_card(value: Pairs, merged_pairs: Pairs, *, is_listed: bool) -> bool:
    """Return whether an object is a card: it has a name or code, and a count unless `is_listed`.

    is_listed: whether the object is in a list of cards, where counts can be missing
    """
    if any(isinstance(inner, list) and key.lower() in _CONTAINERS for key, inner in value):
        return False
    name = merged_pairs.text(*_NAMES) or merged_pairs.text(*_CODES)
    return name is not None and (is_listed or merged_pairs.get(*_COUNTS) is not None)


def _is_bare_card(value: object) -> bool:
    """Return whether the value is a card without a count, such as the one on a deck's cover."""
    return isinstance(value, Pairs) and value.text("name") is not None and value.get(*_COUNTS) is None


def _is_pair(value: Sequence[object]) -> bool:
    """Return whether the value is `[4, "Name"]` or `["Name", 4]`."""
    kinds = {type(item) for item in value}
    return not isinstance(value, Pairs) and len(value) == 2 and kinds == {int, str}


def _is_slots(value: Pairs) -> bool:
    """Return whether the object has cards by code or name with their counts."""
    keys = {key.lower() for key, _ in value}
    are_plain = all(inner is None or isinstance(inner, str | int | float) for _, inner in value)
    has_numbers = any(isinstance(inner, int | float) and not isinstance(inner, bool) for _, inner in value)
    are_counts = bool(value) and all(isinstance(inner, str) and is_only_a_count(inner) for _, inner in value)
    return are_plain and (has_numbers or are_counts) and not keys & {*_NAMES, *_CODES, "count", "quantity"}


def _other_numbers(value: Pairs) -> Iterator[tuple[str, str]]:
    """Yield key and value for each number in a card's object that could be the missing count."""
    for key, inner in value:
        if isinstance(inner, bool) or not isinstance(inner, str | int) or key.lower() in _CODES:
            continue
        if (isinstance(inner, int) and 0 < inner <= MAX_COPIES) or (
            isinstance(inner, str) and is_only_a_count(inner)
        ):
            yield key, str(inner)


def _is_by_name(value: Pairs) -> bool:
    """Return whether the object has cards by name or id, each an object with its count."""
    return bool(value) and all(
        isinstance(entry, Pairs)
        and entry.get(*_COUNTS) is not None
        and not any(key.lower() in _CONTAINERS for key, _ in entry)
        for _, entry in value
    )
