"""What the lines without a count are: title, leader, header, footer or card. Their places decide."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tourney.cards.names import fold
from tourney.decks.reading.counts import whole
from tourney.decks.reading.dialect import FACTION, Dialect
from tourney.decks.reading.headers import DESCRIBING, Header, could_be_header
from tourney.decks.reading.text import tidy
from tourney.decks.reading.tokens import Kind, Token, is_item
from tourney.decks.vocabulary import Vocabulary

_ASIDE = frozenset({Kind.BLANK, Kind.COMMENT, Kind.KEY, Kind.OTHER, Kind.RULE, Kind.TOTAL})
_MOST_LEADERS = 3
_LARGEST_SIDE = 15


@dataclass(frozen=True, slots=True)
class Roles:
    """The tokens with each header decided, and the places of the title, the leaders and the footer."""

    tokens: tuple[Token, ...]
    title: int | None = None
    why_title: str = ""
    leaders: frozenset[int] = frozenset()
    footer: frozenset[int] = frozenset()
    side_from: int | None = None


def assign(tokens: Sequence[Token], vocabulary: Vocabulary, dialect: Dialect) -> Roles:
    """Decide what each line without a count is."""
    tokens = _settle_tails(tokens)
    counted = sum(1 for token in tokens if token.kind is Kind.COUNTED)
    bare = [place for place, token in enumerate(tokens) if token.kind is Kind.BARE and token.zone is None]
    mostly = counted > 0 and counted >= len(bare)
    settled = tuple(
        _settle_header(token, mostly, vocabulary) if token.kind is Kind.HEADER else token for token in tokens
    )
    footer = _footer(settled) if mostly else frozenset()
    settled = _confirm_headers(settled, footer) if mostly else settled
    bare = [place for place in _bare(settled) if place not in footer]
    title, why = _title(settled, bare, counted, vocabulary, dialect)
    rest = [place for place in bare if place != title]
    leaders = (
        _leaders(settled, rest, title, dialect)
        if counted and vocabulary.zone_of_kind("leader")
        else frozenset()
    )
    settled = _doubt_heads(settled, [place for place in rest if place not in leaders])
    settled = _doubt_rows(settled, rest)
    settled = (
        _ask_about_heads(settled, [place for place in rest if place not in leaders]) if mostly else settled
    )
    side = _side_from(settled, title, leaders, dialect)
    if side is not None and _leads_a_long_list(settled, side):
        above = [place for place in range(side) if settled[place].kind is Kind.COUNTED]
        return Roles(
            settled, title, why, frozenset(above if vocabulary.zone_of_kind("leader") else ()), footer
        )
    return Roles(settled, title, why, leaders, footer, side if vocabulary.zone_of_kind("side") else None)


def _settle_tails(tokens: Sequence[Token]) -> Sequence[Token]:
    """Decide what a number behind the words says: `Kite (5)` is five copies, `Agenda (5)` heads five cards.

    Only above a card that has its count before it can it be a header; it is one where it says what stands below.
    """
    if not any(token.tail for token in tokens):
        return tokens
    settled = list(tokens)
    first = next((place for place, token in enumerate(tokens) if token.kind not in _ASIDE), None)
    for place, token in enumerate(tokens):
        if token.kind is Kind.HEADER and token.header is not None and token.header.group:
            settled[place] = _like_the_cards(tokens, place, token, token.header)
        if not token.tail:
            continue
        settled[place] = replace(token, kind=Kind.COUNTED, count=token.tail, tail="")
        above = _begins_paragraph(tokens, place) and _next_content(tokens, place) is Kind.COUNTED
        of_some, of_one = _sums_below(tokens, place) if above else (set(), set())
        number = whole(token.tail)
        if number in of_some or (number in of_one and place != first):
            header = Header(token.text, number, shaped=True)
            settled[place] = replace(token, kind=Kind.HEADER, header=header)
        elif above:
            doubt = f"{token.tail} copies, or the head of {token.tail} cards? write `{token.tail} {token.text}` or `## {token.text}`"
            settled[place] = replace(settled[place], doubt=doubt)
    return settled


def _like_the_cards(tokens: Sequence[Token], place: int, token: Token, header: Header) -> Token:
    """Mark `Energy - 1` above `Kite - 1`: it heads one card, or is one; that it was taken for a header is to be said."""
    below = next((each for each in tokens[place + 1 :] if each.kind not in (Kind.BLANK, Kind.RULE)), None)
    if (
        header.count is None
        or below is None
        or not below.tail
        or header.count in _sums_below(tokens, place)[0]
    ):
        return token
    return replace(token, tail=str(header.count), whole=token.text, text=header.words)


def _sums_below(tokens: Sequence[Token], place: int) -> tuple[set[int], set[int]]:
    """Give the sums that a header there could say: to the next blank line, header or line like it, or to the end.

    Those of several lines, and those of a single line, which may be the same as its count by chance.
    """
    sums: tuple[set[int], set[int]] = set(), set()
    total = cards = 0
    for token in (*tokens[place + 1 :], Token(Kind.BLANK, 0, "")):
        if token.kind is Kind.COUNTED:
            total, cards = total + (whole(token.count) or 0), cards + 1
        elif cards and (token.kind is Kind.BLANK or token.kind is Kind.HEADER or token.tail):
            sums[cards == 1].add(total)
    return sums


def _doubt_heads(tokens: tuple[Token, ...], bare: Sequence[int]) -> tuple[Token, ...]:
    """Doubt lines without a count that each stand above a paragraph of counted ones: they may be heads in another tongue."""
    heads = [
        place
        for place in bare
        if _begins_paragraph(tokens, place)
        and place + 1 < len(tokens)
        and tokens[place + 1].kind is Kind.COUNTED
    ]
    parted = any(place and tokens[place - 1].kind is Kind.BLANK for place in heads)
    if not heads or heads != list(bare) or not parted:
        return tokens
    doubted = list(tokens)
    for place in heads:
        text = tokens[place].text
        doubt = f"no count stands beside it: a card, or a header? write `1 {text}` or `## {text}`"
        doubted[place] = replace(tokens[place], doubt=tokens[place].doubt or doubt)
    return tuple(doubted)


def _ask_about_heads(tokens: tuple[Token, ...], bare: Sequence[int]) -> tuple[Token, ...]:
    """Ask about a line without a count that stands alone above one with its count: it may be a head in another tongue."""
    asked = list(tokens)
    for place in bare:
        below = tokens[place + 1].kind if place + 1 < len(tokens) else None
        above = tokens[place - 1].kind if place else None
        if below is Kind.COUNTED and above is not Kind.BARE and not tokens[place].doubt:
            words = "it has no count and was read as one copy; if it heads what stands below, write `##` before it"
            asked[place] = replace(tokens[place], asked=words)
    return tuple(asked)


def _doubt_rows(tokens: tuple[Token, ...], bare: Sequence[int]) -> tuple[Token, ...]:
    """Doubt lines without a count that may hold several names: `Kite, Bell, Drum, Goat`."""
    alone = sum(token.kind in (Kind.COUNTED, Kind.BARE) for token in tokens) == 1
    rows = [place for place in bare if len(_PARTS.findall(tokens[place].text)) >= (2 if alone else 3)]
    if not rows:
        return tokens
    doubted = list(tokens)
    for place in rows:
        doubt = "are these several cards? write one on a line, or `1` before the name of one"
        doubted[place] = replace(tokens[place], doubt=tokens[place].doubt or doubt)
    return tuple(doubted)


_PARTS = re.compile(r"[,;、，；]")


def _bare(tokens: Sequence[Token]) -> list[int]:
    return [place for place, token in enumerate(tokens) if token.kind is Kind.BARE and token.zone is None]


def _settle_header(token: Token, mostly_counted: bool, vocabulary: Vocabulary) -> Token:
    """In a list of bare names a word like `Energy` or `Hero` is a card; `Deck` and the format's own headers are not."""
    header = token.header
    if token.kind is not Kind.HEADER or header is None or mostly_counted:
        return token
    plain = header.count is None and not header.shaped and token.text == header.words
    asked = "it was read as a card; if it heads what stands below, write `##` before it"
    return (
        replace(token, kind=Kind.BARE, header=None, asked=asked)
        if plain and not vocabulary.is_sure(header.words)
        else token
    )


def _confirm_headers(tokens: tuple[Token, ...], footer: frozenset[int]) -> tuple[Token, ...]:
    """`Arena cards`, `# Material Deck` and `Agenda (6)` are headers where a counted card follows them."""
    confirmed = list(tokens)
    first = next((place for place, token in enumerate(tokens) if token.kind not in _ASIDE), None)
    for place, token in enumerate(tokens):
        if place == first and could_be_header(token.text) == Header(token.text):
            continue  # `Summer Deck` above all: a title
        if token.kind not in (Kind.BARE, Kind.COMMENT) or token.zone is not None or place in footer:
            continue
        header = could_be_header(token.text)
        begins = _capitalised(token.text) if token.kind is Kind.COMMENT else _begins_paragraph(tokens, place)
        if header is not None and begins and _next_content(tokens, place) is Kind.COUNTED:
            confirmed[place] = replace(token, kind=Kind.HEADER, header=replace(header, shaped=True))
    return tuple(confirmed)


def _capitalised(comment: str) -> bool:
    """Whether a comment is written as exports write a heading (`Material Deck`), not as people write remarks."""
    return all(word[:1].isupper() or not word[:1].isalpha() for word in comment.split())


def _next_content(tokens: Sequence[Token], place: int) -> Kind | None:
    return next(
        (token.kind for token in tokens[place + 1 :] if token.kind not in (Kind.BLANK, Kind.RULE)), None
    )


def _begins_paragraph(tokens: Sequence[Token], place: int) -> bool:
    return place == 0 or tokens[place - 1].kind in (
        Kind.BLANK,
        Kind.HEADER,
        Kind.COMMENT,
        Kind.RULE,
        Kind.KEY,
    )


def _footer(tokens: Sequence[Token]) -> frozenset[int]:
    """Bare lines in a last paragraph that holds an address or a total: what an export says of itself."""
    start = len(tokens)
    while start and tokens[start - 1].kind in (
        Kind.BARE,
        Kind.OTHER,
        Kind.TOTAL,
        Kind.BLANK,
        Kind.COMMENT,
        Kind.RULE,
    ):
        start -= 1
    tail = range(start, len(tokens))
    first = next((place for place in tail if tokens[place].kind is Kind.OTHER), None)
    if first is None or start == 0:
        return frozenset()
    paragraph = first
    while paragraph > start and tokens[paragraph - 1].kind is not Kind.BLANK:
        paragraph -= 1
    if paragraph == start and start > 0 and tokens[start].kind is Kind.BARE:
        return frozenset()  # no blank line parts it from the cards: it may be one
    return frozenset(place for place in range(paragraph, len(tokens)) if tokens[place].kind is Kind.BARE)


def _title(
    tokens: Sequence[Token], bare: Sequence[int], counted: int, vocabulary: Vocabulary, dialect: Dialect
) -> tuple[int | None, str]:
    """Find the title and say why it is one; None where the first line is a card or a header."""
    first = next((place for place, token in enumerate(tokens) if token.kind not in _ASIDE), None)
    if first is None or first == len(tokens) - 1:
        return None, ""
    token, header = tokens[first], tokens[first].header
    if token.kind is Kind.HEADER and header is not None:
        why = _why_header_title(tokens, first, dialect)
        return (first, why) if why else (None, "")
    if (
        first not in bare
        or token.doubt
        or token.fault
        or is_item(tidy(token.raw))
        or (dialect.factions and FACTION.match(token.text))
    ):
        return None, ""
    why = _why_title(tokens, first, bare=bare, counted=counted, vocabulary=vocabulary, dialect=dialect)
    return (first, why) if why else (None, "")


def _why_header_title(tokens: Sequence[Token], first: int, dialect: Dialect) -> str:
    """Say why a first line that looks like a header is a title: `Ann's deck:`, `## Ann's deck` above a blank line."""
    token, header = tokens[first], tokens[first].header
    if header is None or header.known or header.count is not None or header.words.lower() in DESCRIBING:
        return ""
    if token.text.endswith(":"):
        return "it is the first line and ends in a colon"
    apart = tokens[first + 1].kind is Kind.BLANK and token.raw.lstrip().startswith("#")
    return "it is a heading of its own" if apart or dialect.titled else ""


def _why_title(
    tokens: Sequence[Token],
    first: int,
    *,
    bare: Sequence[int],
    counted: int,
    vocabulary: Vocabulary,
    dialect: Dialect,
) -> str:
    """Say why a first line without a count is a title: it names a game, alone has no count, stands apart."""
    after = tokens[first + 1]
    if _names_a_game(tokens[first].text, vocabulary):
        return "it names the game or the format"
    if counted and len(bare) == 1:
        return "it is the first line and the only one without a count"
    if dialect.titled or after.kind is Kind.RULE or (after.kind is Kind.HEADER and counted):
        return "it is the first line and a section follows"
    commented = any(before.kind is Kind.COMMENT for before in tokens[:first])
    apart = after.kind is Kind.BLANK and not commented and _next_content(tokens, first) is not None
    if apart and (counted or _has_a_paragraph(tokens[first + 1 :])):
        return "it is the first line and a blank one follows"
    return ""


def _has_a_paragraph(tokens: Sequence[Token]) -> bool:
    """Whether two cards stand on lines one below the other: else a blank line sets nothing apart."""
    cards = (Kind.BARE, Kind.COUNTED)
    return any(before.kind in cards and after.kind in cards for before, after in itertools.pairwise(tokens))


def _names_a_game(text: str, vocabulary: Vocabulary) -> bool:
    padded = f" {_words(text)} "
    return any(f" {_words(title)} " in padded for title in vocabulary.titles if title)


def _words(text: str) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in fold(text)).split())


def _leaders(
    tokens: Sequence[Token], bare: Sequence[int], title: int | None, dialect: Dialect
) -> frozenset[int]:
    """Bare lines above a counted list lead the deck: the paragraph after the title, or above all, up to three lines."""
    start = next(
        (place for place, token in enumerate(tokens) if place != title and token.kind not in _ASIDE), None
    )
    if start is None or start not in bare:
        return frozenset()
    end = start
    while end < len(tokens) and tokens[end].kind is Kind.BARE:
        end += 1
    found = frozenset(range(start, end))
    ended = end < len(tokens) and tokens[end].kind in (Kind.BLANK, Kind.HEADER)
    one_block = dialect.identity and end < len(tokens)
    return (
        found
        if (ended or one_block) and len(found) <= _MOST_LEADERS and found == frozenset(bare)
        else frozenset()
    )


def _side_from(
    tokens: Sequence[Token], title: int | None, leaders: frozenset[int], dialect: Dialect
) -> int | None:
    """Give the place where the sideboard begins, if one blank line alone parts a counted list without headers."""
    if dialect.identity or leaders or any(token.zone is not None for token in tokens):
        return None
    if any(token.kind is Kind.HEADER and place != title for place, token in enumerate(tokens)):
        return None
    cards = [
        place
        for place, token in enumerate(tokens)
        if token.kind in (Kind.COUNTED, Kind.BARE) and place != title
    ]
    if any(tokens[place].kind is Kind.BARE for place in cards):
        return None
    breaks = [
        after
        for before, after in itertools.pairwise(cards)
        if any(token.kind is Kind.BLANK for token in tokens[before:after])
    ]
    return breaks[0] if len(breaks) == 1 else None


def _leads_a_long_list(tokens: Sequence[Token], side: int) -> bool:
    """Tell whether one or two cards stand above more than fifteen: no sideboard is that large."""
    above = sum(whole(token.count) or 0 for token in tokens[:side] if token.kind is Kind.COUNTED)
    below = sum(whole(token.count) or 0 for token in tokens[side:] if token.kind is Kind.COUNTED)
    return above <= 2 and below > _LARGEST_SIDE
