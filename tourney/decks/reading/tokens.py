"""The lines of a plain text, each for itself: blank, comment, header, key, total, card."""

from __future__ import annotations

import html
import re
import unicodedata
from enum import Enum
from typing import NamedTuple

import msgspec
from msgspec import structs

from tourney.cards.names import fold
from tourney.decks.reading.headers import Header, Vocabulary, general_kind, read_header
from tourney.decks.reading.names import (
    LONGEST_CARD,
    SET,
    Dialect,
    head_count,
    is_only_a_count,
    late,
    peel,
    split_count,
    squeeze,
    tail_count,
)

LONGEST_LINE = 1_000
"""Letters; a longer line names no card."""
_CONTROL = late(r"[\x00-\x08\x0e-\x1f\x7f]")
_WIDE_SPACES = late(r"[^\S\t ]")


def tidy(line: str) -> str:
    r"""Give the line with plain spaces for every kind of space and without what cannot be seen; tabs stay.

    >>> tidy(" 4\u00a0Kite\u200b ")
    '4 Kite'
    """
    if line.isascii() and line.isprintable():
        return line.strip()
    if not line.isascii():
        line = _WIDE_SPACES.sub(" ", line)
        line = "".join(letter for letter in line if unicodedata.category(letter) != "Cf")
    return _CONTROL.sub("", line).strip()


class LineKind(Enum):
    """What a line is."""

    BLANK = "blank"
    COMMENT = "comment"
    HEADER = "header"
    KEY = "key"  # `Format: …`, `// NAME : …`
    TOTAL = "total"  # `Total Cards: 60`
    RULE = "rule"  # `=====`
    COUNTED = "counted"  # a card with its count
    BARE = "bare"  # words without a count: a card, a title, a header that only its place confirms
    OTHER = "other"  # addresses, layouts, fences: never a card
    TOO_LONG = "too long"

    __hash__ = object.__hash__  # members are singletons; a call into `enum` for each line adds up


class LineToken(msgspec.Struct, frozen=True):
    """One line: `text` is its card, comment or value; `zone` the words of a prefix (`SB:`).

    whole: the words with the count behind them, where a card's name could end so, too: `Kite (5)`
    tail:  that count, until the line's place says what it is
    doubt: why the line may be something else than this card; an error unless a pool knows it
    fault: what is wrong with the line whatever a pool knows
    question: what to ask about the line where no pool knows the card
    """

    kind: LineKind
    number: int
    raw: str
    text: str = ""
    key: str = ""
    count: str | None = None
    zone: str | None = None
    header: Header | None = None
    whole: str = ""
    tail: str = ""
    doubt: str = ""
    fault: str = ""
    question: str = ""


_KEYS = {
    "deck name": "name", "deckname": "name", "title": "name", "deck title": "name", "list name": "name",
    "name": "name-or-player", "player": "player", "player name": "player", "pilot": "player", "played by": "player",
    "format": "format", "deck format": "format", "game format": "format",
    "author": "author", "authors": "author", "creator": "author", "created by": "author", "deck by": "author",
    "description": "description", "notes": "description", "comments": "description", "source": "source",
    "date": "date", "event": "event", "archetype": "archetype", "class": "class", "year": "year", "packs": "packs",
    "colors": "colors", "place": "place", "rank": "rank", "record": "record", "deck type": "type", "type": "type",
    "team": "team", "country": "country", "dci": "number", "player id": "number", "id": "number", "url": "source",
    "link": "source", "set": "set", "price": "price", "last updated": "date", "game": "game", "deck": "name",
}  # fmt: skip

_STRUCK = late(r"(?:[-*]\s+)?(?:\d{1,3}\s?x?\s+)?~~[^~]+~~(?:\s+x?\d{1,3})?")
_BRACKETED_ZONES = frozenset({"side", "maybe", "tokens", "leader", "companion"})
_FENCE = late(r"(?:```|~~~).*")
_BULLET = late(r"(?:[*+–—-]\s+|\\item\b\s*|[•‣⁃∙·◦▪▫●○◯◆◇■□▢▶►▷➢➤➔→»›❖※✦✧⁎∗]+\s*)(?=\S)|\*(?=\d+\s?x?\s)")
_NUMBERED = late(r"(?P<number>\d{1,3})[.)]\s+(?=\S)")
_CHECK_BOX = late(r"(?:\[[ xX✓✔]?\]|[☐☑☒✅✔✓🗹🗷])\ufe0f?\s+(?!\()(?=\S)")
_KEYCAP = late(r"(\d)\ufe0f?\u20e3")
_CIRCLED = {ord(sign): f"{place % 10 + 1} " for place, sign in enumerate("①②③④⑤⑥⑦⑧⑨⑩❶❷❸❹❺❻❼❽❾❿")}
_WIDE_SIGNS = {
    ord(wide): plain for wide, plain in zip("：（）［］【】＊，；＝－", ":()[][]*,;=-", strict=True)
}
# Arrows, boxes, dingbats and emoji; no sign of mathematics, no number, none of the signs for times.
_PICTURES = r"[\u2190-\u21ff\u2300-\u245f\u2500-\u2714\u2717-\u2775\u2794-\u2bff\ufe0f\U0001f000-\U0001faff]"
_PICTURE = late(rf"{_PICTURES}+\s*(?=[^\W_]|[\[(\"'“«])")
_WIKI_COUNTED = late(r"\[\[([^\[\]]+)\]\]\s*[:=-]?\s*[(\[]?[x×]?(\d{1,3})[x×]?[)\]]?", re.I)
_WIKI = late(r"\[\[(.+?)\]\](?!\])")
_EMPHASIS = late(
    r"(?P<before>(?:\d{1,3}\s?x?\s+)?)(?P<sign>\*{1,3}|_{1,3}|`+)(?P<inside>[^\s*_`](?:.*?\S)??)(?P=sign)(?P<after>(?:\s.*)?)"
)
_TAG = late(r"</?(?:li|ul|ol|p|div|span|b|i|em|strong|td|tr|br)(?:\s[^<>]*)?/?>", re.I)
_BRACKET_ZONE = late(
    r"(?P<count>(?:\d{1,3}\s?x?\s+)?)[\[(](?P<zone>[^\[\]()]{1,30})[\])]\s*:?\s+(?P<rest>\S.*)", re.I
)
_ZONE_BEHIND = late(
    r"(?P<rest>\S.*?)\s+[\[(](?P<zone>sb|side|side ?board|side ?deck|maybe|maybe ?board)[\])]", re.I
)
_SHORT_ZONE = late(r"(?P<zone>sb|mb)\s*[-–:.]?\s*(?P<rest>\d{1,3}\s?x?\s+\S.*)", re.I)
_QUOTE = late(r"(?:>\s?)+")
_LINK = late(
    r"\[((?:[^\[\]]|\[[^\[\]]*\])+)\]\((?:https?:|/|#|www\.)[^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)",
    re.I,
)
_BBCODE = late(
    r"\[/?(?:b|i|u|s|url|color|size|card|cards|deck|list|spoiler|quote|center|img)(?:=[^\]]*)?\]", re.I
)
_STRONG = late(r"(\*\*|__)(\d+\s?x?)\1", re.I)
_HASH_NUMBER = late(r"#(?P<number>\d+)\s+(?=\d+\s?x?\s)")
_HASH_COUNT = late(r"#(?P<count>\d{1,3})x?\s+(?P<name>[^\W\d_].*)")
_SLASHES = late(r"//+\s*(?P<text>.*)")
_HASHES = late(r"(?P<hashes>#+)\s*(?P<text>.*?)\s*#*")
_KEY = late(r"(?P<key>[^\W\d_][^\W\d_ ]*(?: [^\W\d_]+){0,3})\s*(?P<sign>[:=：])\s*(?P<value>\S.*)")
_PREFIX = late(r"(?P<zone>[^\W\d_][\w '&-]{0,30}?)\s*:\s*(?P<rest>\S.*)")
_RULE = late(r"={3,}|-{3,}|\*{3,}|_{3,}|~{3,}|(?:[-=*] ){2,}[-=*]")
_SUM = r"(?:total|(?:ins)?gesamt|totale|totaal|razem|suma|łącznie|итого|всего|合計|合计|总计|總計|总数|總數|총|총합|합계|총계)"
_TOTAL = late(
    rf"(?:total(?: cards?| number of cards| deck)|cards(?: in deck| total)?|deck size|{_SUM})(?:\s*[:=：|,;-]\s*|\s+)(?P<count>\d{{1,6}})"
    r"(?:\s*(?:cards|karten|cartes|cartas|carte|kart|карт|枚|장|张|張))?"
    r"|(?:(?:(?:card )?count|sum|size)\s*[:=：]|[=Σ∑])\s*(?P<count4>\d{1,6})|[(\[](?P<count5>\d{1,6}) cards[)\]]"
    rf"|(?P<count2>\d{{1,6}})(?:\s*[:=：|,;]\s*|\s+){_SUM}|(?P<count3>\d{{1,6}}) (?:total )?cards(?: total)?(?: \(.*\))?",
    re.I,
)
_FOOTER = late(
    r"\d+ (?:influence spent|agenda points)\b.*|cards up to \S.*|(?:deck ?list )?published on .*|layout (?:main|sideboard):.*"
    r"|made with .{0,40}\bfabrary.*|(?:generated|exported|created|built) (?:by|with|from|on|at|using) .*"
    r"|see the full deck .*|to use this deck, .*|\W*deck list generated by .*|\*{3,}.*\*{3,}|view this deck .*|-->?$|<!--.*",
    re.I,
)
_URL = late(r"(?:.*\s|\W*)?(?:https?://|www\.)\S+\W*", re.I)


# Most lines of most lists, told at once: a count, a name of nothing but letters and what joins them, a full mark.
_SIMPLE = late(
    r"(?P<count>\d{1,3})x? (?!x |of |cards|total(?: |$)|influence |agenda points|cop(?:y|ies) |pieces? |pcs |stück |(?:pcs|stk|szt|шт|ex)\. )"
    r"(?P<name>[^\W\d_][^\d\t\"#$%&()*+/:;<=>?@\[\]\\^_`{|}~×]*(?: \(\w{1,8}\) [A-Z]{0,3}\d{1,5}[a-z]?)?)",
    re.I,
)
_SIMPLE_NAME = late(r"[A-Za-z][A-Za-z',.! -]*")


def tokenize(
    number: int, raw: str, line: str, vocabulary: Vocabulary, dialect: Dialect, *, numbered: bool = True
) -> LineToken:
    """Tell what the line is, by itself and by what is certain in its file; `line` is `raw`, tidied.

    numbered: the numbers before lines (`3. Kite`) run on and count lines; else they may be copies
    """
    simple = _SIMPLE.fullmatch(line)
    if simple:
        return LineToken(LineKind.COUNTED, number, raw, text=simple["name"], count=simple["count"])
    if len(raw) > LONGEST_LINE:
        return _long(number, raw)
    if not line:
        return LineToken(LineKind.BLANK, number, raw)
    if _SIMPLE_NAME.fullmatch(line) and not _FOOTER.fullmatch(line):
        header = read_header(line, vocabulary)
        return LineToken(
            LineKind.BARE if header is None else LineKind.HEADER, number, raw, text=line, header=header
        )
    place = None if numbered else list_number(line)
    if _STRUCK.fullmatch(line):
        count, name = split_count(squeeze(line.replace("~~", " ")).strip(" -*"))
        kind = LineKind.BARE if count is None else LineKind.COUNTED
        return LineToken(kind, number, raw, text=name, count=count, fault="it is struck out")
    bare = _unmark(line)
    if line and not bare:
        return LineToken(LineKind.OTHER, number, raw, text=line)
    token = _undressed(number, raw, bare, vocabulary, dialect)
    if place is None or token.kind is not LineKind.BARE:
        return token
    fault = f"`{place}.` does not number the lines; if it is the count, write `{place} {token.text}`, else `{token.text}`"
    return structs.replace(token, kind=LineKind.COUNTED, count=str(place), fault=fault)


def _undressed(number: int, raw: str, line: str, vocabulary: Vocabulary, dialect: Dialect) -> LineToken:
    """Tell what a line is that nothing stands round any more; full-width signs make headers and counts, too."""
    if line.startswith("|") and line.count("|") > 1:
        line = " | ".join(cell.strip() for cell in line.strip("| ").split("|"))
    token = _by_its_signs(number, raw, line, vocabulary, dialect)
    plain = line if line.isascii() else line.translate(_WIDE_SIGNS)
    if plain == line or token.kind is not LineKind.BARE:
        return token
    read = _by_its_signs(number, raw, plain, vocabulary, dialect)
    return read if read.kind is not LineKind.BARE or read.tail else token


def _by_its_signs(number: int, raw: str, line: str, vocabulary: Vocabulary, dialect: Dialect) -> LineToken:
    if not line:
        return LineToken(LineKind.BLANK, number, raw)
    if _RULE.fullmatch(line):
        return LineToken(LineKind.RULE, number, raw, text=line[0])
    if _FENCE.fullmatch(line) or _FOOTER.fullmatch(line):
        return LineToken(LineKind.OTHER, number, raw, text=line)
    comment = _comment(number, raw, line, vocabulary)
    if comment is None and len(line) > LONGEST_CARD and not _key(number, raw, line):
        return LineToken(LineKind.TOO_LONG, number, raw, text=raw[:40])
    return comment or _content(number, raw, line, vocabulary, dialect)


def _long(number: int, raw: str) -> LineToken:
    """Read a line too long for a card: where piles lie on the table, a comment, a description; else nothing that is read."""
    head = raw[:LONGEST_CARD].lstrip("\ufeff \t*>")
    if head.startswith(("//", "#", ";")):
        return LineToken(LineKind.COMMENT, number, raw, text=squeeze(head.lstrip("/#; ")))
    key = _KEY.match(head)
    if _FOOTER.fullmatch(head) or (key and squeeze(key["key"]).lower() in _KEYS):
        return LineToken(LineKind.OTHER, number, raw, text=squeeze(head))
    return LineToken(LineKind.TOO_LONG, number, raw, text=raw[:40])


def _unmark(line: str) -> str:
    """Take off what mail, Markdown, wikis and forums put round a line, and the bullets and boxes before it."""
    if line.startswith(">"):
        line = _QUOTE.sub("", line, count=1)
    if "](" in line:
        line = _LINK.sub(r"\1", line)
    if "[[" in line:
        line = _WIKI_COUNTED.sub(r"\2 [[\1]]", line)
        line = _WIKI.sub(lambda link: re.split(r"(?<! )\|", link[1])[0], line)  # `[[page|words]]`
    if "[/" in line:
        line = _BBCODE.sub("", line).strip()
    if "<" in line:
        line = _TAG.sub("", line).strip()
    if "&" in line and ";" in line:
        line = html.unescape(line)
    line = _STRONG.sub(r"\2", line)
    line = _without_bullets(line) if not _RULE.fullmatch(line) else line
    match = _EMPHASIS.fullmatch(line)
    if match and (match["before"] or split_count(match["inside"])[0] or match["sign"] not in ("**", "__")):
        line = f"{match['before']}{match['inside']}{match['after']}"  # `**Sideboard**` alone is a header
    return line


def _without_bullets(line: str) -> str:
    """Take off bullets, numbers, check boxes and pictures, one after the other; something always stays."""
    line = _KEYCAP.sub(r"\1 ", line)
    for _ in range(4):
        match = _BULLET.match(line) or _CHECK_BOX.match(line) or _NUMBERED.match(line) or _PICTURE.match(line)
        if match is None:
            break
        line = line[match.end() :]
    return line[0].translate(_CIRCLED) + line[1:].lstrip() if line[:1] and ord(line[0]) in _CIRCLED else line


def is_item(line: str) -> bool:
    """Tell whether the line is an item of a list: a bullet, a number or a box to check stands before it."""
    return any(form.match(line) for form in (_BULLET, _CHECK_BOX, _NUMBERED))


def list_number(line: str) -> int | None:
    """Give the number before a line that has no count besides: `3. Kite`; it counts lines, or copies.

    >>> list_number("3. Kite"), list_number("- 3) Kite"), list_number("3. 4 Kite"), list_number("3 Kite")
    (3, 3, None, None)
    """
    if "." not in line and ")" not in line:
        return None
    bullet = _BULLET.match(line)
    line = line[bullet.end() :] if bullet else line
    match = _NUMBERED.match(line)
    return int(match["number"]) if match and split_count(line[match.end() :])[0] is None else None


def _comment(number: int, raw: str, line: str, vocabulary: Vocabulary) -> LineToken | None:
    """`//` and `#` begin a comment, unless its words head a zone, hold a key or it is a numbered card."""
    numbered = _HASH_NUMBER.match(line)
    if numbered:
        count, name = split_count(line[numbered.end() :])
        return LineToken(LineKind.COUNTED, number, raw, text=name, count=count, key=numbered["number"])
    glued = _HASH_COUNT.fullmatch(line)
    if glued:
        count, name = glued["count"], glued["name"]
        doubt = f"is `{count}` the count? write `{count} {name}`, else `{name}`, or `# {count} {name}` for a comment"
        return LineToken(LineKind.BARE, number, raw, text=name, fault=doubt)
    match = _SLASHES.fullmatch(line) or _HASHES.fullmatch(line) or re.fullmatch(r";+\s*(?P<text>.*)", line)
    if not match:
        return None
    text = match["text"]
    heading = len(match.groupdict().get("hashes") or "") > 1
    header = read_header(text, vocabulary, shaped=heading)
    if header is not None and (header.known or heading):
        return LineToken(LineKind.HEADER, number, raw, text=text, header=header)
    return _key(number, raw, text, comment=True) or LineToken(
        LineKind.COMMENT, number, raw, text=squeeze(text), header=header
    )


def _key(number: int, raw: str, line: str, *, comment: bool = False) -> LineToken | None:
    """`Format: …`; a `Name` names the deck in a comment, in capitals or before `=`, else it is the player's."""
    match = _KEY.fullmatch(line)
    meaning = _KEYS.get(squeeze(match["key"]).lower()) if match else None
    if match is None or meaning is None:
        return None
    if meaning == "name-or-player" and (comment or match["sign"] == "=" or match["key"].isupper()):
        meaning = "name"
    return LineToken(LineKind.KEY, number, raw, text=squeeze(match["value"]), key=meaning)


def _content(number: int, raw: str, line: str, vocabulary: Vocabulary, dialect: Dialect) -> LineToken:
    total = _TOTAL.fullmatch(line.replace("**", ""))
    if total:
        return LineToken(LineKind.TOTAL, number, raw, text=line, count=next(filter(None, total.groups())))
    prefixed = _zone_prefix(number, raw, line, vocabulary)
    if prefixed is not None:
        return prefixed
    count, name, doubt, fault = _split(line, dialect)
    if count is not None:
        capital = _CAPITAL_X.fullmatch(line)
        whole, question = (line, _X_OR_COUNT) if capital and not doubt else ("", "")
        return LineToken(LineKind.COUNTED, number, raw, text=name, count=count, doubt=doubt, fault=fault, whole=whole, question=question)  # fmt: skip
    if doubt:
        return LineToken(LineKind.BARE, number, raw, text=name, doubt=doubt)
    return _key(number, raw, line) or _uncounted(number, raw, line, name, vocabulary)


_CAPITAL_X = late(r"[^\W\d].*[a-z].* X \d{1,3}")
_X_OR_COUNT = "its `X` was read as a sign of the count; if it ends the name, write the count before it"


def _uncounted(number: int, raw: str, line: str, name: str, vocabulary: Vocabulary) -> LineToken:
    """Tell what a line without a count before its words is: a header, an address, a card, perhaps with a count behind."""
    head = head_count(line)
    if head is not None:
        return LineToken(LineKind.COUNTED, number, raw, text=head[1], count=head[0], whole=line)
    tail = tail_count(line) or _count_among_marks(line)
    header = read_header(line, vocabulary)
    if header is not None and (header.known or tail is None):
        return LineToken(LineKind.HEADER, number, raw, text=line, header=header)
    if _URL.fullmatch(line):
        return LineToken(LineKind.OTHER, number, raw, text=line)
    if tail is not None:
        return LineToken(LineKind.BARE, number, raw, text=tail[1], whole=line, tail=tail[0])
    glued = re.fullmatch(r".*[^\W\d_].*\d[,;](?P<count>\d{1,3})", line)
    doubt = f"is {glued['count']} the count? write it before the name" if glued else ""
    return LineToken(LineKind.BARE, number, raw, text=name, doubt=doubt)


def _count_among_marks(line: str) -> tuple[str, str] | None:
    """Part a count from a name with marks behind both: `Kite x3 [ABC]`, `Kite (3) *F*`; the marks stay with the name."""
    for reading in peel(line).readings[1:]:
        count, name = split_count(reading.name)
        parted = (count, name) if count is not None else tail_count(reading.name)
        if parted and reading.certain and reading.name in line:
            return parted[0], line.replace(reading.name, parted[1], 1)
    return None


def _zone_prefix(number: int, raw: str, line: str, vocabulary: Vocabulary) -> LineToken | None:
    """`SB: 2 Name`, `[SB] 2 Name`, `2 Name (sideboard)`, `Hero: Name`; `Sideboard: 3 cards` is a header, `Deck: Name` a title."""
    match = _PREFIX.fullmatch(line) or _SHORT_ZONE.fullmatch(line)
    if match and vocabulary.is_header(match["zone"]):
        if read_header(line, vocabulary):
            return None
        zone, rest = squeeze(match["zone"]), match["rest"]
        count, name = split_count(rest)
        return None if count is None and zone.lower() in _KEYS else _zoned(number, raw, zone, count, name)
    match = _BRACKET_ZONE.fullmatch(line) or _ZONE_BEHIND.fullmatch(line)
    if not match or not _is_zone_mark(match["zone"], vocabulary):
        return None
    count, name = split_count((match.groupdict().get("count") or "") + match["rest"])
    return _zoned(number, raw, squeeze(match["zone"]), count, name)


def is_total(words: str) -> bool:
    """Tell whether words are those before a list's sum: `Total`, `Gesamt`."""
    return re.fullmatch(_SUM, words, re.I) is not None


def _is_zone_mark(words: str, vocabulary: Vocabulary) -> bool:
    """Whether words in brackets before a card say its zone: one of the format's own, or one that is not the deck's."""
    return vocabulary.zones.get(fold(words)) in vocabulary.ids or general_kind(words) in _BRACKETED_ZONES


def _zoned(number: int, raw: str, zone: str, count: str | None, name: str) -> LineToken:
    tail = tail_count(name) if count is None else None
    if tail is not None:
        return LineToken(LineKind.COUNTED, number, raw, text=tail[1], count=tail[0], zone=zone, whole=name)
    return LineToken(
        LineKind.BARE if count is None else LineKind.COUNTED, number, raw, text=name, count=count, zone=zone
    )


def pieces(line: str) -> list[str]:
    """Part several cards on one line: `4 Kite, 3 Bell` or `Kite x4; Bell x3`; one piece where it is one card.

    >>> pieces("4 Kite, 3 Bell"), pieces("Kite x4; Bell x3"), pieces("1 Jace, the Mind")
    (['4 Kite', '3 Bell'], ['Kite x4', 'Bell x3'], ['1 Jace, the Mind'])
    """
    if not _PARTING.search(line):
        return [line]
    parts = _SEVERAL.split(line)
    if len(parts) > 1 and all(_COUNT_AND_NAME.match(part) for part in parts):
        return parts
    return _counted_behind(line) or [line]


def _counted_behind(line: str) -> list[str]:
    """Part cards with their counts behind them, `Kite x4 | Bell x3`; none where the line is not made of them."""
    parts, at = [], 0
    while match := _NAME_AND_COUNT.match(line, at):
        parts.append(match["card"])
        at = match.end()
    return parts if len(parts) > 1 and at == len(line) else []


_PARTING = late(r"[,;•·|/+&，、；\t]|\s\s|\sand\s|[x×\d)\]]\s+(?:[-–—]\s+)?[^\W\d_].*[x×\d)\]]$", re.I)
_SEVERAL = late(
    r"\s*[,;•·，、；\t|]\s*(?=\d{1,2}\s?x?\s+\D)|\s+(?:[/+&]|and|und)\s+(?=\d{1,2}\s?x?\s+\D)|\s{2,}(?=\d{1,2}\s?x?\s[^\W\d_])",
    re.I,
)
_COUNT_AND_NAME = late(r"\d{1,2}\s?x?\s+[^\W\d_]", re.I)
_NAME_AND_COUNT = late(  # in capitals `X23` belongs to the name, unless a sign parts it from what follows
    r"(?P<card>[^\W\d_][^,;|\t]*?\s(?:(?:[x×]\s?\d{1,2}|\d{1,2}\s?[x×])(?=\s)|(?:[xX×]\s?\d{1,2}|\d{1,2}\s?[xX×])(?=\s*[,;|/•·、，；+&\t]|$)|[(\[][xX]?\d{1,2}[xX]?[)\]]))"
    r"(?:\s*[,;|/•·、，；+&\t]\s*|\s+(?:[-–—]\s+)?|$)(?=[^\W\d_]|$)"
)
_PRICE = late(r"[$€£¥₩₽]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[$€£¥₩₽]|zł|руб\.?|eur|usd|tix)|\d+[.,]\d{2}", re.I)


class _Parted(NamedTuple):
    """A line parted into its count (None: there is none) and its card, and what that leaves open, as a token says it."""

    copies: str | None
    name: str
    doubt: str = ""
    fault: str = ""


def _split(line: str, dialect: Dialect) -> _Parted:
    """Part count and name, columns first: `4<tab>Name<tab>SET<tab>picture`, `Name<tab>4<tab>$1.50`."""
    columns = [column.strip() for column in line.split("\t")]
    if len(columns) > 1:
        return _split_columns([column for column in columns if column])
    if dialect.count_last:
        match = re.fullmatch(r"(?P<rest>\S.*)\s(?P<count>\d+)", line)
        if match:
            return _Parted(match["count"], match["rest"])
    barred = re.fullmatch(r"(?P<count>\d{1,3}) ?\| (?P<name>\S.*)", line)  # `3 | Name | Subtitle`
    count, name = (barred["count"], barred["name"]) if barred else split_count(line)
    if dialect.columns:
        name = re.split(r"\s{2,}(?=\d)", name, maxsplit=1)[0]
    return _Parted(count, name)


def _split_columns(columns: list[str]) -> _Parted:
    """Read one card's line of columns; what no column says for sure is a doubt, a second count a fault."""
    counts = [place for place, column in enumerate(columns) if is_only_a_count(column)]
    if counts:
        columns = [column for column in columns if not _PRICE.fullmatch(column)]
        counts = [place for place, column in enumerate(columns) if is_only_a_count(column)]
    line = " ".join(columns)
    if len(columns) < _THREE:
        count, name = split_count("\t".join(columns))
        first = split_count(columns[0])
        if len(columns) > 1 and first[0] is not None and is_only_a_count(columns[1]):
            return _Parted(*first, fault="it has two counts; write one, before the name")
        doubt = "a tab stands between; is it one card or two?" if count is None and len(columns) > 1 else ""
        if count is not None and len(columns) > 1 and not counts:
            name = columns[0] if is_only_a_count(columns[0]) else split_count(columns[0])[1]
            count, doubt = split_count(columns[0])[0] or count, _left_over(columns[1:])[0]
        return _Parted(count, squeeze(name), doubt)
    number = columns[0].rstrip("xX ")
    if not re.fullmatch(r"-?\d+", number):
        if len(counts) == 1 and counts[0] == 1:
            return _Parted(columns[1].strip("xX×хХ "), columns[0], *_left_over(columns[2:]))
        return _Parted(None, line, "its columns could be several cards")
    code = (
        columns[2]
        if SET.fullmatch(columns[2]) and columns[2].isupper() and not columns[2].isdecimal()
        else ""
    )
    name = columns[1] if not code or columns[1].endswith(f"[{code}]") else f"{columns[1]} [{code}]"
    count, rest = split_count(f"{columns[0]} {name}")
    return _Parted(count, rest, *([] if code else _left_over(columns[2:])))


_THREE = 3


def _left_over(columns: list[str]) -> tuple[str, str]:
    """Say that nobody knows what columns are: a doubt, or a fault where a number among them could be another count."""
    if not columns:
        return "", ""
    shown = " and ".join(f"`{column[:20]}`" for column in columns)
    words = f"nothing says what {shown} {'is' if len(columns) == 1 else 'are'}"
    return ("", words) if any(is_only_a_count(column) for column in columns) else (words, "")
