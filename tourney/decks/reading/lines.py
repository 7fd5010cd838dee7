"""Classifies each line of a text by itself.

`classify` returns the `LineToken` of a line: the result of the first of the `_CLASSIFIERS` that recognizes
the line. A line with words and no count is `BARE`; later, the module `roles` decides by its place in the text
whether it is a card, a title or a header.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tourney.cards.names import fold
from tourney.decks.reading.counts import (
    MAX_COPIES,
    head_count,
    is_only_a_count,
    split_count,
    tail_count,
    whole_number,
)
from tourney.decks.reading.names import MAX_CARD, NUMBER, REMARK, SET, Dialect, parse_name
from tourney.decks.reading.questions import READ_AS_ONE_CARD, SEVERAL_CARDS, TWO_COUNTS
from tourney.decks.reading.text import MAX_LINE, RULE, list_number, tidy, unmark
from tourney.decks.reading.vocabulary import (
    LEADER_KINDS,
    SORTING,
    Header,
    Vocabulary,
    general_kind,
    is_never_a_name,
    is_side_or_maybe,
    read_header,
)
from tourney.decks.reading.words import alternation, lazy_pattern, lines_like, lists, pattern, squeeze, words


class LineKind(Enum):
    """The kind of a line, judged without the lines around it."""

    BLANK = "blank"
    COMMENT = "comment"
    HEADER = "header"
    KEY = "key"  # `Format: …`, `// NAME : …`
    TOTAL = "total"  # `Total Cards: 60`
    RULE = "rule"  # `=====`
    COUNTED = "counted"  # a card with its count
    BARE = "bare"  # words without a count: a card, a title, or a header; the place of the line decides
    OTHER = "other"  # addresses, layouts, fences: never a card
    REFUSED = "refused"  # neither a card nor anything else; `fault` says why

    __hash__ = object.__hash__  # members are singletons; the `__hash__` of `enum` is slow


CARD_KINDS = (LineKind.BARE, LineKind.COUNTED)
GAPS = (LineKind.BLANK, LineKind.RULE)
NO_CONTENT = {*GAPS, LineKind.COMMENT, LineKind.KEY, LineKind.OTHER, LineKind.TOTAL}
_ABOVE_PARAGRAPHS = (*GAPS, LineKind.HEADER, LineKind.COMMENT, LineKind.KEY)


class LineRole(Enum):
    """The role that a line has because of its place in the deck; see the module `roles`."""

    TITLE = "title"
    FOOTER = "footer"
    LEADER = "leader"
    SIDE = "side"  # the first card of a sideboard: below the only blank line, or the only rule
    UNCLEAR_PART = "unclear part"  # the first card below a rule that may separate a sideboard


class LineToken(Struct, eq=False):
    """A line and its kind. `roles` later changes the fields that depend on the line's place.

    text:         the card, comment or value on the line
    key:          what the key of a line such as `Format: …` means; or the code of a card; or `count` for a
                  line with only a count
    zone:         the zone that a prefix such as `SB:` names, as written
    full_name:    the name with the number after it, if that number could belong to the name: `Kite (5)`
    tail:         the number in `full_name`, until the place of the line decides whether it is a count
    doubt:        why the line may not be this card; an error unless a pool knows the card
    fault:        why the line is an error, even if a pool knows the card
    question:     the question to ask if no pool knows the card
    role:         what the line is, such as a title, because of its place; None for most lines
    reason:       the reason for the role, as a clause. For the first card of a possible sideboard without a
                  header: `blank line` or `separator`, which is above it
    above, below: the adjacent lines of the deck
    """

    kind: LineKind
    number: int
    raw: str
    text: str = ""
    key: str = ""
    count: str | None = None
    zone: str | None = None
    header: Header | None = None
    full_name: str = ""
    tail: str = ""
    doubt: str = ""
    fault: str = ""
    question: str = ""
    role: LineRole | None = None
    reason: str = ""

    above: LineToken | None = None
    below: LineToken | None = None

    def lines_above(self) -> Iterator[LineToken]:
        """Yield the lines of the deck above this line, the nearest first."""
        token = self.above
        while token is not None:
            yield token
            token = token.above

    def lines_below(self) -> Iterator[LineToken]:
        """Yield the lines of the deck below this line, the nearest first."""
        token = self.below
        while token is not None:
            yield token
            token = token.below

    @property
    def begins_paragraph(self) -> bool:
        """Whether the line begins a paragraph: it is the first line, or is below a separator.

        Separators are blank lines, rules (`=====`), headers, comments, and lines such as `Format: …`.
        """
        return self.above is None or self.above.kind in _ABOVE_PARAGRAPHS

    @property
    def is_last(self) -> bool:
        """Whether no card, header or words are below the line."""
        return all(token.kind in NO_CONTENT for token in self.lines_below())

    @property
    def content_below(self) -> LineToken | None:
        """The nearest line below that is neither blank nor a rule such as `=====`; else None."""
        return next((token for token in self.lines_below() if token.kind not in GAPS), None)

    def is_above(self, *kinds: LineKind) -> bool:
        """Return whether `content_below` is of one of these kinds; False without such a line."""
        below = self.content_below
        return below is not None and below.kind in kinds


def first_content(tokens: Sequence[LineToken]) -> LineToken | None:
    """Return the first line with content, such as a card, a title or a header; else None.

    Gaps, comments, sums and the other kinds in `NO_CONTENT` do not have content.
    """
    return next((token for token in tokens if token.kind not in NO_CONTENT), None)


_PLAYSET = 4


def max_copies(tokens: Sequence[LineToken]) -> int:
    """Return the largest number that can be a count if it is after a name, as in `Kite (3)`.

    If at least half of the cards have a number after the name, the result is `MAX_COPIES`. In any other list,
    it is the largest count before a name, but at least 4.
    """
    tails = sum(bool(token.tail) for token in tokens)
    other_cards = sum(token.kind in CARD_KINDS for token in tokens) - tails
    if tails >= other_cards:
        return MAX_COPIES
    counted_lines = (token for token in tokens if token.kind is LineKind.COUNTED and not token.full_name)
    return max(_PLAYSET, *(whole_number(token.count) or 0 for token in counted_lines), 0)


class _Line(Struct, frozen=True):
    """A line to classify, without the marks around it."""

    number: int
    raw: str
    text: str
    vocabulary: Vocabulary
    dialect: Dialect

    def token(self, kind: LineKind, text: str | None = None) -> LineToken:
        """Return a `LineToken` of this kind for the line, without a count.

        text: the text of the token; by default that of the line
        """
        return LineToken(kind, self.number, self.raw, text=self.text if text is None else text)

    def card_token(self, count: str | None, name: str, **fields: Any) -> LineToken:
        """Return the `LineToken` of a line with a card; `count` is None if the line has no count."""
        kind = LineKind.BARE if count is None else LineKind.COUNTED
        return LineToken(kind, self.number, self.raw, text=name, count=count, **fields)


# -- the classifier


# Most lines of most lists: a count, and a name of letters and the signs between them, perhaps with a mark.
_SIMPLE = lazy_pattern(
    r"(?P<count>\d{1,3})x? "
    r"(?!x |of |cards|total(?: |$)|influence |agenda points|cop(?:y|ies) |pieces? |pcs |stück "
    r"|(?:pcs|stk|szt|шт|ex)\. )"
    r"(?P<name>[^\W\d_][^\d\t\"#$%&()*+/:;<=>?@\[\]\\^_`{|}~×]*(?: \(\w{1,8}\) [A-Z]{0,3}\d{1,5}[a-z]?)?)",
    re.I,
)
_NOT_IN_NAMES = {*words("counts", "sum"), *words("cards", "cards")} - {"cards"}
_SIMPLE_NAME = lazy_pattern(r"[A-Za-z][A-Za-z',.! -]*")
WIDE_GAP = "   "
"""Spaces that separate columns: too many to be a typing error."""
_STRUCK = lazy_pattern(r"(?:[-*]\s+)?(?:\d{1,3}\s?x?\s+)?~~[^~]+~~(?:\s+x?\d{1,3})?")
_WIDE_SIGNS = {
    ord(wide): plain for wide, plain in zip("：（）［］【】＊，；＝－", ":()[][]*,;=-", strict=True)
}


def classify(
    number: int,
    raw: str,
    line: str,
    vocabulary: Vocabulary,
    dialect: Dialect,
    *,
    has_line_numbers: bool = True,
) -> LineToken:
    """Return the `LineToken` of a line, judged by the line itself and the dialect of its file.

    raw:              the whole line, as written
    line:             the text to classify: `raw` or a part of it, tidied
    has_line_numbers: whether numbers such as `3.` in `3. Kite` are only line numbers. If not, a line with
                      such a number and no other count gets a fault, because the number could be the count
    """
    simple = _SIMPLE.fullmatch(line) if WIDE_GAP not in line and not line.endswith(" x") else None
    if simple and _NOT_IN_NAMES.isdisjoint(simple["name"].lower().split()):
        return LineToken(LineKind.COUNTED, number, raw, text=simple["name"], count=simple["count"])
    if len(raw) > MAX_LINE:
        return _classify_long(number, raw)
    if not line:
        return LineToken(LineKind.BLANK, number, raw)
    if _SIMPLE_NAME.fullmatch(line) and "  " not in raw.strip() and not _FOOTER.fullmatch(line):
        header = read_header(line, vocabulary)
        kind = LineKind.BARE if header is None else LineKind.HEADER
        return LineToken(kind, number, raw, text=line, header=header)
    token = _classify_marked_line(_Line(number, raw, line, vocabulary, dialect))
    if token.kind is LineKind.BARE and _has_several_headers(tidy(raw), vocabulary):
        return LineToken(LineKind.REFUSED, number, raw, text=line, fault=_SEVERAL_HEADERS)
    place = None if has_line_numbers or token.kind is not LineKind.BARE else list_number(line)
    if place is None:
        return token
    token.kind, token.count = LineKind.COUNTED, str(place)
    token.fault = (
        f"`{place}.` is not the number of this line; "
        f"write `{place} {token.text}` if it is the count, and `{token.text}` if not"
    )
    return token


_BETWEEN_COLUMNS = lazy_pattern(r"\t+| *\| *| {2,}")
_SEVERAL_HEADERS = (
    "this line has the headers of several zones, so it is unclear which cards belong to which zone; "
    "put one zone below the other"
)


def _has_several_headers(line: str, vocabulary: Vocabulary) -> bool:
    """Return whether a line has the headers of several zones: `Main     Sideboard`."""
    cells = list(filter(None, _BETWEEN_COLUMNS.split(line.strip("| "))))
    headers = [read_header(squeeze(cell), vocabulary) for cell in cells] if len(cells) > 1 else []
    return bool(headers) and all(header is not None and header.is_zone for header in headers)


def _classify_marked_line(line: _Line) -> LineToken:
    """Return the `LineToken` of a line, ignoring marks around its text such as `**`.

    A table row with only one filled cell is treated like the text of that cell.
    """
    if _STRUCK.fullmatch(line.text):
        count, name = split_count(squeeze(line.text.replace("~~", " ")).strip(" -*"))
        return line.card_token(count, name, fault="it is struck out")
    text = unmark(line.text)
    if not text:
        return line.token(LineKind.OTHER)
    if text.startswith("|") and text.count("|") > 1:
        cells = " | ".join(cell.strip() for cell in text.strip("| ").split("|"))
        text = cells if " | " in cells else unmark(cells)  # `| *Sideboard* | |`
    return _classify_unmarked_line(replace(line, text=text))


def _classify_unmarked_line(line: _Line) -> LineToken:
    """Return the `LineToken` of a line from which marks around the text were removed.

    Full-width characters are read as normal ones if that makes the line a header or a counted card.
    """
    token = _run_classifiers(line)
    plain = line.text if line.text.isascii() else line.text.translate(_WIDE_SIGNS)
    if plain == line.text or token.kind is not LineKind.BARE:
        return token
    plain_token = _run_classifiers(replace(line, text=plain))
    return plain_token if plain_token.kind is not LineKind.BARE or plain_token.tail else token


def _run_classifiers(line: _Line) -> LineToken:
    tokens = (classifier(line) for classifier in _CLASSIFIERS)
    return next(filter(None, tokens))


def _classify_long(number: int, raw: str) -> LineToken:
    """Classify a line that is too long for a card: as a comment, as other text, or as an error."""
    head = raw[:MAX_CARD].lstrip("\ufeff \t*>")
    if head.startswith(("//", "#", ";")):
        return LineToken(LineKind.COMMENT, number, raw, text=squeeze(head.lstrip("/#; ")))
    key = _KEY.match(head)
    if _FOOTER.fullmatch(head) or (key and squeeze(key["key"]).lower() in _KEYS):
        return LineToken(LineKind.OTHER, number, raw, text=squeeze(head))
    return _refuse_long_line(number, raw)


def _refuse_long_line(number: int, raw: str) -> LineToken:
    fault = f"a line of {len(raw):,} letters is too long for a card"
    return LineToken(LineKind.REFUSED, number, raw, text=raw[:40], fault=fault)


# -- lines that are never a card


_BORDER = lazy_pattern(r"\+[-=:]+(?:\+[-=:]*)*")
_FENCE = lazy_pattern(r"(?:```|~~~).*")
_FOOTER = lines_like("footer")


def _read_rule_or_footer(line: _Line) -> LineToken | None:
    if RULE.fullmatch(line.text):
        return line.token(LineKind.RULE, line.text[0])
    if _BORDER.fullmatch(line.text) or _FENCE.fullmatch(line.text) or _FOOTER.fullmatch(line.text):
        return line.token(LineKind.OTHER)
    return None


_HASH_NUMBER = lazy_pattern(r"#(?P<number>\d+)\s+(?=\d+\s?x?\s)")
_COMMENTED_CARD = lazy_pattern(r"(?:#|;+\s*)(?P<card>\d{1,3}\s?x?\s+[^\W\d_].*)", re.I)
"""Lines such as `#4 Kite` and `; 4 Kite`: a card, or a comment."""
_COMMENT = lazy_pattern(r"//+\s*(?P<slashes>.*)|(?P<hashes>#+)\s*(?P<text>.*?)\s*#*|;+\s*(?P<semicolons>.*)")


def _read_comment(line: _Line) -> LineToken | None:
    """Classify a line that begins with `//`, `#` or `;`. Returns None for any other line.

    The line is usually a comment. It can also be a header, a key with its value, or a card with a number
    before the count: `#12 4 Kite` is 4 copies of Kite, with the code 12. A line such as `#4 Kite` is read as
    a card with a fault, because it could also be a comment.
    """
    if line.text[:1] not in "/#;":
        return None
    if number_match := _HASH_NUMBER.match(line.text):
        return line.card_token(*split_count(line.text[number_match.end() :]), key=number_match["number"])
    if card_match := _COMMENTED_CARD.fullmatch(line.text):
        card = card_match["card"]
        return line.card_token(
            *split_count(card), fault=f"a card, or a comment? write `{card}` or `# {card}`"
        )
    match = _COMMENT.fullmatch(line.text)
    if not match:
        return None
    text = next((text for text in match.group("slashes", "text", "semicolons") if text is not None), "")
    is_heading = len(match["hashes"] or "") > 1
    header = read_header(text, line.vocabulary, is_marked=is_heading)
    if header is not None and (header.is_known or is_heading):
        return LineToken(LineKind.HEADER, line.number, line.raw, text=text, header=header)
    return _read_key(line, text) or LineToken(
        LineKind.COMMENT, line.number, line.raw, text=squeeze(text), header=header
    )


def _refuse_long_text(line: _Line) -> LineToken | None:
    if len(line.text) <= MAX_CARD or _read_key(line):
        return None
    return _refuse_long_line(line.number, line.raw)


_KEYS = {key: meaning for meaning, keys in lists("keys").items() for key in keys}
_KEY = lazy_pattern(r"(?P<key>[^\W\d_][^\W\d_ ]*(?: [^\W\d_]+){0,3})\s*(?P<sign>[:=：])\s*(?P<value>\S.*)")


def _read_key(line: _Line, comment: str | None = None) -> LineToken | None:
    """Read a key and its value, such as `Format: …`; return None if the line has no known key.

    The value of the key `Name` is the deck's name if the line is a comment, has `=` after the key, or has the
    key in capitals. Otherwise it is the player's name, unless the program that wrote the list uses the key
    for the deck (`Dialect.name_key`).

    comment: the text of the comment, if the line is one
    """
    match = _KEY.fullmatch(line.text if comment is None else comment)
    meaning = _KEYS.get(squeeze(match["key"]).lower()) if match else None
    if match is None or meaning is None:
        return None
    if meaning == "name-or-player" and (
        comment is not None or match["sign"] == "=" or match["key"].isupper()
    ):
        meaning = "name"
    return LineToken(LineKind.KEY, line.number, line.raw, text=squeeze(match["value"]), key=meaning)


_SUM = lazy_pattern(f"{alternation('counts', 'sum')}|{alternation('counts', 'sum-joined')}", re.I)
_TOTAL = lines_like("total")


def is_total(line: str) -> bool:
    """Return whether a line states the number of cards in a list: `Total   60`."""
    return _TOTAL.fullmatch(squeeze(line)) is not None


def is_word_for_total(text: str) -> bool:
    """Return whether a text is the word before a list's sum: `Total`, `Gesamt`."""
    return _SUM.fullmatch(text) is not None


def _read_total(line: _Line) -> LineToken | None:
    total = _TOTAL.fullmatch(line.text.replace("**", ""))
    if not total:
        return None
    count = next(filter(None, total.groups()))
    return LineToken(LineKind.TOTAL, line.number, line.raw, text=line.text, count=count)


# -- cards with a zone or a count


_PREFIX = lazy_pattern(r"(?P<zone>[^\W\d_][\w '&-]{0,30}?)\s*:\s*(?P<rest>\S.*)")
_SHORT_ZONE = lazy_pattern(r"(?P<zone>sb|mb)\s*[-–:.]?\s*(?P<rest>\d{1,3}\s?x?\s+\S.*)", re.I)
_BRACKET_ZONE = pattern("zone-in-brackets")
_ZONE_BEHIND = pattern("zone-behind")
_BRACKETED_ZONES = frozenset({"side", "maybe", "tokens", "companion", *LEADER_KINDS})


def _read_card_with_zone(line: _Line) -> LineToken | None:
    """Read `SB: 2 Name`, `[SB] 2 Name`, `2 Name (sideboard)` and `Hero: Name`.

    `Sideboard: 3 cards` is a header, `Deck: Name` a title.
    """
    vocabulary = line.vocabulary
    match = _PREFIX.fullmatch(line.text) or _SHORT_ZONE.fullmatch(line.text)
    if match and vocabulary.is_header(match["zone"]):
        zone = squeeze(match["zone"])
        count, name = split_count(match["rest"])
        if (count is None and zone.lower() in _KEYS) or read_header(line.text, vocabulary):
            return None
        return _card_in_zone(line, zone, count, name)
    match = _BRACKET_ZONE.fullmatch(line.text)
    if match and (
        vocabulary.zones.get(fold(match["zone"])) in vocabulary.ids
        or general_kind(match["zone"]) in _BRACKETED_ZONES
    ):
        count, name = split_count(match["count"] + match["rest"])
        return _card_in_zone(line, squeeze(match["zone"]), count, name)
    match = _ZONE_BEHIND.fullmatch(line.text)
    if match and (
        fold(match["zone"]) in map(fold, vocabulary.ids)
        or is_never_a_name(match["zone"])
        or is_side_or_maybe(match["zone"])
    ):
        count, name = split_count(match["rest"] + match["marks"])
        return _card_in_zone(line, squeeze(match["zone"]), count, name)
    return None


def _card_in_zone(line: _Line, zone: str, count: str | None, name: str) -> LineToken:
    tail = tail_count(name) if count is None else None
    return (
        line.card_token(*tail, zone=zone, full_name=name) if tail else line.card_token(count, name, zone=zone)
    )


_KEYED_CARD = pattern("keyed-card")
_COPIES_BEHIND = lazy_pattern(r"[^\W\d].*[:：]\s*\d{1,3}\s?[^\W\d_]+\.?")
"""Lines such as `Kite: 3 pcs` or `予備: 2枚`: a card with its copies, or a header with a sum."""
_CAPITAL_X = lazy_pattern(r"[^\W\d].*[a-z].* X \d{1,3}")
_X_OR_COUNT = "its `X` was read as part of the count; if `X` ends the name, write the count before the name"


def _read_keyed_card(line: _Line) -> LineToken | None:
    """Read `Name: Kite, Quantity: 2` as a card, although `Name:` usually names the deck."""
    match = _KEYED_CARD.fullmatch(line.text)
    if not match:
        return None
    fault = f"write the count before the name, as in `{match['count']} {match['name']}`"
    return line.card_token(match["count"], match["name"], fault=fault)


def _read_counted_card(line: _Line) -> LineToken | None:
    count, name, doubt, fault = _split_card(line.text, line.dialect)
    if count is None:
        return line.card_token(None, name, doubt=doubt) if doubt else None
    if name == "x" and is_only_a_count(line.text):
        return line.token(LineKind.BARE)  # `4 x`: its card is on another line
    if _COPIES_BEHIND.fullmatch(line.text):
        return line.card_token(None, name, full_name=line.text, tail=count)
    if not doubt and _CAPITAL_X.fullmatch(line.text):
        return line.card_token(count, name, fault=fault, full_name=line.text, question=_X_OR_COUNT)
    return line.card_token(count, name, doubt=doubt, fault=fault)


# -- lines without a count before their words


_URL = lazy_pattern(r"(?:.*\s|\W*)?(?:https?://|www\.)\S+\W*", re.I)
_WORDS_BEFORE_CARD = pattern("words-before-card")


def _read_head_count(line: _Line) -> LineToken | None:
    head = head_count(line.text)
    return line.card_token(*head, full_name=line.text) if head else None


def _read_header_or_tail(line: _Line) -> LineToken | None:
    """Read a header, a web address, or a name followed by a number; else return None."""
    tail = tail_count(line.text) or _count_among_marks(line.text)
    header = read_header(line.text, line.vocabulary)
    if header is not None and (header.is_known or tail is None):
        return LineToken(LineKind.HEADER, line.number, line.raw, text=line.text, header=header)
    if _URL.fullmatch(line.text):
        return line.token(LineKind.OTHER)
    return line.card_token(None, tail[1], full_name=line.text, tail=tail[0]) if tail else None


def _count_among_marks(line: str) -> tuple[str, str] | None:
    """Return the count in `Kite x3 [ABC]`, and the name with its marks: `Kite [ABC]`.

    Returns None if there is no count between a name and its marks.
    """
    for reading in parse_name(line).readings[1:]:
        count, name = split_count(reading.name)
        count_and_name = (count, name) if count is not None else tail_count(reading.name)
        if count_and_name and reading.certain and reading.name in line:
            return count_and_name[0], line.replace(reading.name, count_and_name[1], 1)
    return None


def _read_bare_line(line: _Line) -> LineToken:
    """Read a line in which no count was found: it may be a card.

    If the line has a card with a count after other words, as in `Tom> 4 Kite`, it gets a `doubt`. Otherwise,
    if it seems to have several names in columns, it gets a `question`.
    """
    name = _split_card(line.text, line.dialect).name
    if words := _WORDS_BEFORE_CARD.fullmatch(line.text):
        doubt = (
            f"is `{words['head'].strip()}` part of the name? if not, write `{words['card']}`; "
            "if it is a part of the deck, write it as a header on its own line"
        )
        return line.card_token(None, name, doubt=doubt)
    columns = re.split(r" {2,}", line.text) if WIDE_GAP in line.text else []
    are_names = bool(columns) and all(column[:1].isalnum() for column in columns)
    return line.card_token(None, name, question=READ_AS_ONE_CARD if are_names else "")


_CLASSIFIERS: tuple[Callable[[_Line], LineToken | None], ...] = (
    _read_rule_or_footer,
    _read_comment,
    _refuse_long_text,
    _read_total,
    _read_card_with_zone,
    _read_keyed_card,
    _read_counted_card,
    _read_key,
    _read_head_count,
    _read_header_or_tail,
    _read_bare_line,
)
"""The classifiers, in the order in which they are tried."""


# -- the count and the name of one card, also in columns


class _CountAndName(NamedTuple):
    """A line split into its count (None if there is none) and its name.

    doubt, fault: see `LineToken`; empty if there is none
    """

    copies: str | None
    name: str
    doubt: str = ""
    fault: str = ""


_BARRED = lazy_pattern(r"(?P<count>\d{1,3}) ?x? ?\|(?P<name> [^\s|].*|[^\W\d_].*)")
_COUNT_LAST = lazy_pattern(r"(?P<rest>\S.*)\s(?P<count>\d+)")
_GAP_BEHIND_COUNT = lazy_pattern(r"\d{1,3}\s?[xX×]? {2,}\S")
_PRICE = lazy_pattern(
    r"[$€£¥₩₽]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[$€£¥₩₽]|zł|руб\.?|eur|usd|tix)|\d+[.,]\d{2}", re.I
)
_SET_AND_NUMBER = lazy_pattern(
    r"(?P<set>(?=\S*[A-Z])[A-Z0-9_]{1,8})(?:\s+#?(?P<number>[A-Z]{0,3}\d{1,4}[a-z]?))?"
)
_CODE_WITH_A_DIGIT = lazy_pattern(r"(?=[A-Z]*\d)[A-Z][A-Z0-9]{1,4}")


def _split_card(line: str, dialect: Dialect) -> _CountAndName:
    """Separate count and name: `4<tab>Name<tab>SET`, `3 | Name | Subtitle`, `4 Name`."""
    columns = [column.strip() for column in line.split("\t")]
    if len(columns) > 1:
        return _split_tabs([column for column in columns if column])
    if dialect.count_last and (match := _COUNT_LAST.fullmatch(line)):
        return _CountAndName(match["count"], match["rest"])
    if bar_match := _BARRED.fullmatch(line):
        return _split_bars(bar_match["count"], bar_match["name"].strip())
    count, name = split_count(line)
    if dialect.columns:
        name = re.split(r"\s{2,}(?=\d)", name, maxsplit=1)[0]
    if count is None:
        return _CountAndName(count, name)
    return _split_gaps(count, name, is_column=_GAP_BEHIND_COUNT.match(line) is not None)


def _split_bars(count: str, name: str) -> _CountAndName:
    """Read the cells after `3 | `: a name, or a name and its subtitle."""
    name = re.sub(r"\s*\|\s*", " | ", name)
    # The last cell is a mark: `*F*`, `# a remark`.
    name = re.sub(r" \| (?=(?:[*#^(\[{][^|]*\w[^|]*)$)", " ", name)
    other_cells = name.split(" | ")[1:]
    unclear_cells = other_cells[1:] if other_cells and _is_subtitle(other_cells[0]) else other_cells
    return _CountAndName(count, name, *_ask_about_columns(unclear_cells))


def _is_subtitle(cell: str) -> bool:
    """Return whether a cell could be a subtitle. A set, a number or `Creatures` cannot."""
    is_set = cell.isupper() and SET.fullmatch(cell)
    has_letters = any(map(str.isalpha, cell))
    return has_letters and not is_set and not is_only_a_count(cell) and fold(cell) not in SORTING


def _split_gaps(count: str, name: str, *, is_column: bool) -> _CountAndName:
    """Read columns that are separated by wide spaces: the name, a set, marks and a price.

    is_column: whether a wide space also follows the count. If so, two spaces are enough between columns
    """
    first, *columns = re.split(r" {2,}", name)
    if columns and _PRICE.fullmatch(columns[-1]):
        name = name.removesuffix(columns.pop()).rstrip()
    if is_column and len(columns) in (1, 2):
        mark = _printing_mark(columns)
        if mark and (len(columns) == 1 or "#" in mark):
            return _CountAndName(count, f"{first} [{mark}]")
    is_wide = WIDE_GAP in name or is_column
    unclear_columns = [
        column
        for column in columns
        if column[0].isalnum() and (is_wide or _CODE_WITH_A_DIGIT.fullmatch(column))
    ]
    return _CountAndName(count, name, *_ask_about_columns(unclear_columns if first else []))


def _split_tabs(columns: list[str]) -> _CountAndName:
    """Read the count and the name of a card from the columns of its line, which tabs separate.

    If a column is unclear, `doubt` or `fault` is set. A fault means that a column could be a second count.
    """
    if any(map(is_only_a_count, columns)):
        columns = [column for column in columns if not _PRICE.fullmatch(column)]
    counts = [place for place, column in enumerate(columns) if is_only_a_count(column)]
    if len(columns) > 2:
        return _split_many_tabs(columns, counts)
    count, name = split_count("\t".join(columns))
    first_count, first_name = split_count(columns[0])
    if counts == [1] and first_count is not None:
        return _CountAndName(first_count, first_name, fault=TWO_COUNTS)
    if count is None and len(columns) > 1:
        return _CountAndName(None, squeeze(name), SEVERAL_CARDS)
    if counts or len(columns) == 1:
        return _CountAndName(count, squeeze(name))
    return _CountAndName(first_count or count, squeeze(first_name), _ask_about_columns(columns[1:])[0])


def _split_many_tabs(columns: Sequence[str], counts: Sequence[int]) -> _CountAndName:
    """Read a line that has three or more columns, which tabs separate.

    counts: the indexes of the columns that contain only a count
    """
    if re.fullmatch(r"-?\d+", columns[0].rstrip("xX ")):
        mark = _printing_mark(columns[2:])
        name = columns[1] if not mark or columns[1].endswith(f"[{mark}]") else f"{columns[1]} [{mark}]"
        count, rest = split_count(f"{columns[0]} {name}")
        return _CountAndName(count, rest, *_ask_about_columns([] if mark else columns[2:]))
    if counts == [1]:
        return _CountAndName(columns[1].strip("xX×хХ "), columns[0], *_ask_about_columns(columns[2:]))
    return _CountAndName(None, " ".join(columns), SEVERAL_CARDS)


def _printing_mark(columns: Sequence[str]) -> str:
    """Return the set and the number in the columns after a name; empty if there is no set."""
    if not columns or not (set_match := _SET_AND_NUMBER.fullmatch(columns[0])):
        return ""
    number = set_match["number"] or (columns[1] if len(columns) > 1 and NUMBER.fullmatch(columns[1]) else "")
    return f"{set_match['set']}#{number}" if number else set_match["set"]


def _ask_about_columns(columns: Sequence[str]) -> tuple[str, str]:
    """Return a question about columns whose meaning is unclear, as a pair: (doubt, error).

    The question is the error if one of the columns looks like a count, such as `4`; otherwise it is the
    doubt. The other text of the pair is empty. Both are empty if no columns are given.
    """
    if not columns:
        return "", ""
    cells = " and ".join(f"`{column[:20]}`" for column in columns)
    verb, pronoun = ("is", "it") if len(columns) == 1 else ("are", "them")
    question = f"what {verb} {cells}? remove {pronoun}, or write each card on its own line"
    return ("", question) if any(map(is_only_a_count, columns)) else (question, "")


# -- several cards on one line


_MAY_SEPARATE = lazy_pattern(
    r"[,;•·|/+&，、；\t]|\s\s|\sand\s|[x×\d)\]]\s+(?:[-–—]\s+)?[^\W\d_].*[x×\d)\]]$", re.I
)
_BEFORE_A_CARD = pattern("before-a-card")
_COUNT_AND_NAME = lazy_pattern(r"\d{1,2}\s?x?\s+[^\W\d_]", re.I)
_ZONE_HEAD = lazy_pattern(r"^[^\W\d_]{2,12}\s?[:：]\s*")
"""A prefix that may name a zone, such as `SB: `."""
_NAME_AND_COUNT = pattern("name-and-count")
_HIDING = frozenset("([{#/")
_BRACKETED = lazy_pattern(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")


def split_cards(line: str) -> list[str]:
    """Split a line of several cards: `4 Kite, 3 Bell`, `Kite x4; Bell x3`.

    >>> split_cards("4 Kite, 3 Bell"), split_cards("Kite x4; Bell x3"), split_cards("1 Jace, the Mind")
    (['4 Kite', '3 Bell'], ['Kite x4', 'Bell x3'], ['1 Jace, the Mind'])
    >>> split_cards("4 Kite (2 main, 2 side), 3 Bell"), split_cards("4 Kite # 2 old, 2 new")
    (['4 Kite (2 main, 2 side)', '3 Bell'], ['4 Kite # 2 old, 2 new'])
    """
    if not _MAY_SEPARATE.search(line):
        return [line]
    parts = _split_outside_brackets(line)
    if len(parts) > 1 and all(_COUNT_AND_NAME.match(_ZONE_HEAD.sub("", part)) for part in parts):
        return parts
    return _split_behind_counts(line) or [line]


def _split_outside_brackets(line: str) -> list[str]:
    """Split a line before each card that is not in brackets or in a remark."""
    if _HIDING.isdisjoint(line):
        return _BEFORE_A_CARD.split(line)
    masked = _BRACKETED.sub(lambda bracket: "~" * len(bracket[0]), line)
    masked = REMARK.sub(lambda remark: "~" * len(remark[0]), masked)
    gaps = [match.span() for match in _BEFORE_A_CARD.finditer(masked)]
    edges = zip([0, *(end for _, end in gaps)], [*(start for start, _ in gaps), len(line)], strict=True)
    return [line[start:end] for start, end in edges]


def _split_behind_counts(line: str) -> list[str]:
    """Split `Kite x4 | Bell x3` into cards; return an empty list if not all of it is cards."""
    parts, offset = [], 0
    while match := _NAME_AND_COUNT.match(line, offset):
        parts.append(match["card"])
        offset = match.end()
    return parts if len(parts) > 1 and offset == len(line) else []


def remove_card_remark(line: str) -> str:
    """Return a card's line without its remark. Commas in a remark do not separate cards.

    >>> remove_card_remark("4 Kite # great, 2 would be better"), remove_card_remark("4 Fire // Ice")
    ('4 Kite', '4 Fire // Ice')
    """
    has_remark = ("#" in line or "//" in line) and _COUNT_AND_NAME.match(line.lstrip(" \t-*•"))
    return REMARK.sub("", line) if has_remark else line
