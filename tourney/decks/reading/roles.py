"""What the lines of a plain text without a count are: title, leader, header, footer or card. Their places decide.

Each step looks at all lines of a deck and decides one thing; what is left is cards, some with a doubt or a question (how
sure a reading is: the table of `plain`).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from tourney.cards.names import fold, script
from tourney.decks.reading.counts import MOST_COPIES, is_only_a_count, number_beside, whole_number
from tourney.decks.reading.lines import (
    DESCRIBING,
    LEADER_KINDS,
    Header,
    LineKind,
    LineToken,
    Vocabulary,
    could_be_header,
    counts_cards,
    general_kind,
    is_a_plural,
    is_item,
    tidy,
)
from tourney.decks.reading.names import Dialect, late

LEADING = frozenset({"companion", "base", *LEADER_KINDS})
"""The general kinds of zones whose cards lead the deck."""
_NO_CONTENT = frozenset(
    {LineKind.BLANK, LineKind.COMMENT, LineKind.KEY, LineKind.OTHER, LineKind.RULE, LineKind.TOTAL}
)
_CARDS = (LineKind.BARE, LineKind.COUNTED)


@dataclass(frozen=True, slots=True)
class Roles:
    """The tokens with each header decided, and the places among them of the title, the leaders and the footer.

    side_from: the place of the first card of a sideboard that no header begins
    ruled: a rule is above that place, no blank line
    asked_from: the place of the first card below a rule that may part a sideboard from the deck
    signed: the numbers of the lines of a signature
    """

    tokens: Sequence[LineToken]
    title: int | None = None
    why_title: str = ""
    leaders: frozenset[int] = frozenset()
    footer: frozenset[int] = frozenset()
    side_from: int | None = None
    ruled: bool = False
    asked_from: int | None = None
    signed: frozenset[int] = frozenset()


def roles_of(tokens: Sequence[LineToken], vocabulary: Vocabulary, dialect: Dialect) -> Roles:
    """Decide what each line without a count is: footer, header, title or leader; then doubt and ask about what is left.

    Where most lines have a count, those without one are about the deck; where most have none, they are its cards.
    """
    tokens = _settle_tails(tokens)
    _doubt_sums(tokens)
    _doubt_lookalikes(tokens)
    counted = sum(token.kind is LineKind.COUNTED for token in tokens)
    mostly_counted = counted > 0 and counted >= len(_bare(tokens))
    footer = signature = _find_signature(tokens)
    if mostly_counted:
        footer = _find_footer(tokens) | signature
        tokens = _confirm_headers(tokens, footer)
    else:
        tokens = [_unheaded(token, vocabulary) for token in tokens]
    tokens = [
        structs.replace(token, kind=LineKind.OTHER)
        if at in signature and token.kind is LineKind.RULE
        else token
        for at, token in enumerate(tokens)
    ]
    bare = [at for at in _bare(tokens) if at not in footer]
    title, why_title = _find_title(tokens, bare, counted, vocabulary, dialect)
    untitled = [at for at in bare if at != title]
    can_lead = vocabulary.zone_of_kind("leader") is not None
    leaders = _find_leaders(tokens, untitled, title, dialect) if counted and can_lead else frozenset()
    side = _find_side(tokens, title, leaders, dialect)
    if side is not None and _leads_a_long_list(tokens, side):
        above = frozenset(at for at in range(side) if tokens[at].kind is LineKind.COUNTED)
        leaders, side = above if can_lead else frozenset(), None
    below_rules = () if leaders or dialect.identity else _find_below_rules(tokens, title, vocabulary)
    ruled = len(below_rules) == 1 and _number_of_cards(tokens[below_rules[0] :]) <= LARGEST_SIDE
    if ruled:
        side = below_rules[0]
    if vocabulary.zone_of_kind("side") is None:
        side, ruled, below_rules = None, False, ()
    cards = [at for at in untitled if at not in leaders]
    _ask_about_the_first(tokens, bare, title)
    _ask_about_scripts(tokens, untitled)
    _doubt_heads(tokens, cards)
    _doubt_rows(tokens, untitled)
    if mostly_counted:
        _doubt_words(tokens, cards)
        _ask_about_heads(tokens, cards)
        _ask_about_small_letters(tokens)
    else:
        _doubt_sentences(tokens, untitled)
    asked = below_rules[0] if below_rules and not ruled else None
    signed = frozenset(tokens[at].number for at in signature)
    return Roles(
        tokens, title, why_title, leaders, footer, side if asked is None else None, ruled, asked, signed
    )


def _bare(tokens: Sequence[LineToken]) -> list[int]:
    return [at for at, token in enumerate(tokens) if token.kind is LineKind.BARE and token.zone is None]


def _first(tokens: Sequence[LineToken]) -> int | None:
    """Give the place of the first line that is a card, a header or words."""
    return next((at for at, token in enumerate(tokens) if token.kind not in _NO_CONTENT), None)


def _next_content(tokens: Sequence[LineToken], at: int) -> LineKind | None:
    return next(
        (token.kind for token in tokens[at + 1 :] if token.kind not in (LineKind.BLANK, LineKind.RULE)),
        None,
    )


def _begins_paragraph(tokens: Sequence[LineToken], at: int) -> bool:
    return at == 0 or tokens[at - 1].kind in (
        LineKind.BLANK,
        LineKind.HEADER,
        LineKind.COMMENT,
        LineKind.RULE,
        LineKind.KEY,
    )


def _doubt(tokens: list[LineToken], at: int, doubt: str) -> None:
    tokens[at] = structs.replace(tokens[at], doubt=tokens[at].doubt or doubt)


def _ask(tokens: list[LineToken], at: int, question: str) -> None:
    tokens[at] = structs.replace(tokens[at], question=tokens[at].question or question)


# -- A number behind the words: copies, or cards below


def _settle_tails(tokens: Sequence[LineToken]) -> list[LineToken]:
    """Decide what a number behind the words says: `Kite (5)` is five copies, `Agenda (5)` heads five cards.

    Only above a card that has its count before it can it be a header; it is one where it says what stands below.
    """
    settled = list(tokens)
    if not any(token.tail or token.whole for token in tokens):
        return settled
    first, most = _first(tokens), _most_copies(tokens)
    for at, token in enumerate(tokens):
        if token.kind is LineKind.HEADER and token.header is not None and token.header.group:
            settled[at] = _like_the_cards(tokens, at, token, token.header)
        leads = general_kind(token.zone or "") in LEADING
        if token.whole and token.zone and not leads and (whole_number(token.count) or 0) > most:
            settled[at] = structs.replace(token, fault=token.fault or _too_many(token))
        if not token.tail:
            continue
        if _sums_up(settled, at):
            settled[at] = structs.replace(
                token, kind=LineKind.TOTAL, text=token.whole, count=token.tail, tail="", whole=""
            )
            continue
        settled[at] = structs.replace(token, kind=LineKind.COUNTED, count=token.tail, tail="")
        above = _begins_paragraph(tokens, at) and _next_content(tokens, at) is LineKind.COUNTED
        of_some, of_one = _sums_below(tokens, at) if above else (set(), set())
        number = whole_number(token.tail)
        if number in of_some or (number in of_one and at != first):
            header = Header(token.text, number, shaped=True)
            settled[at] = structs.replace(token, kind=LineKind.HEADER, header=header)
        elif above:
            settled[at] = _copies_or_head(settled[at], token, sure=number is not None and number <= most)
        elif number is None or number > most:
            settled[at] = structs.replace(settled[at], fault=token.fault or _too_many(settled[at]))
    _fault_brackets_that_differ(settled)
    return settled


def _copies_or_head(counted: LineToken, token: LineToken, *, sure: bool) -> LineToken:
    """Doubt a number behind words above a card; a number that is hardly a count (not `sure`) is always refused."""
    doubt = f"{token.tail} copies, or the head of {token.tail} cards? write `{token.tail} {token.text}` or `## {token.text}`"
    if not sure:
        return structs.replace(counted, fault=token.fault or doubt)
    return structs.replace(counted, doubt=counted.doubt or doubt)


def _too_many(token: LineToken) -> str:
    return f"{token.count} copies? write the count before the name, as in `{token.count} {token.text}`"


def _fault_brackets_that_differ(tokens: list[LineToken]) -> None:
    """Refuse `Kite [2]` beside `Kite (2)`: one of the numbers may not be a count."""
    forms: dict[str, set[str]] = {}
    for token in tokens:
        if token.whole[-1:] in _CLOSING:
            forms.setdefault(fold(token.text), set()).add(token.whole[-1])
    for at, token in enumerate(tokens):
        if token.whole[-1:] in _CLOSING and len(forms[fold(token.text)]) > 1:
            fault = f"other brackets hold a number beside this name, too; write `{token.count} {token.text}` if it is the count"
            tokens[at] = structs.replace(token, fault=token.fault or fault)


_CLOSING = (")", "]", "}", ">")


def _most_copies(tokens: Sequence[LineToken]) -> int:
    """Return the largest number behind a name that is read as a count in this list without asking."""
    behind = sum(bool(token.tail) for token in tokens)
    before = [
        whole_number(token.count) or 0
        for token in tokens
        if token.kind is LineKind.COUNTED and not token.whole
    ]
    others = sum(token.kind in _CARDS for token in tokens) - behind
    return MOST_COPIES if behind >= others else max(_PLAYSET, *before, 0)


_PLAYSET = 4


def _sums_up(tokens: Sequence[LineToken], at: int) -> bool:
    """Return whether the last line, below a blank one, says how many cards the list has, in whatever language."""
    last = not any(token.kind not in _NO_CONTENT for token in tokens[at + 1 :])
    apart = at > 0 and tokens[at - 1].kind in (LineKind.BLANK, LineKind.RULE)
    number = sum(whole_number(token.count) or 0 for token in tokens[:at] if token.kind is LineKind.COUNTED)
    return last and apart and number > _FEWEST_SUMMED and whole_number(tokens[at].tail) == number


_FEWEST_SUMMED = 20


def _like_the_cards(tokens: Sequence[LineToken], at: int, token: LineToken, header: Header) -> LineToken:
    """Mark `Energy - 1` above `Kite - 1`: it heads one card, or is one; that it was taken for a header is to be said."""
    below = next(
        (each for each in tokens[at + 1 :] if each.kind not in (LineKind.BLANK, LineKind.RULE)), None
    )
    if header.count is None or below is None or not below.tail or header.count in _sums_below(tokens, at)[0]:
        return token
    return structs.replace(token, tail=str(header.count), whole=token.text, text=header.words)


def _sums_below(tokens: Sequence[LineToken], at: int) -> tuple[set[int], set[int]]:
    """Give the sums that a header there could say: to the next blank line, header or line like it, or to the end.

    Those of several lines, and those of a single line, which may be the same as its count by chance.
    """
    sums: tuple[set[int], set[int]] = set(), set()
    total = cards = 0
    for token in (*tokens[at + 1 :], LineToken(LineKind.BLANK, 0, "")):
        if token.kind is LineKind.COUNTED:
            total, cards = total + (whole_number(token.count) or 0), cards + 1
        elif cards and (token.kind is LineKind.BLANK or token.kind is LineKind.HEADER or token.tail):
            sums[cards == 1].add(total)
    return sums


# -- Lines that count kinds of cards, and letters that stand where a count does


def _doubt_sums(tokens: list[LineToken]) -> None:
    """Doubt `20 lands` and `15 Sideboard`: they count cards of a kind. `4 Energy` may be a card, and is asked about."""
    for at, token in enumerate(tokens):
        words = token.text.rstrip(":").strip("*_` ")
        lone = token.kind is LineKind.BARE and is_only_a_count(words)
        if token.kind in _CARDS and _NO_LETTERS.fullmatch(words) and not lone:
            _doubt(tokens, at, f"a sum? if `{words}` is the name of a card, put it in quotes")  # `7 / 60`
        if token.kind is not LineKind.COUNTED or token.zone or token.whole:
            continue
        if not counts_cards(words):
            continue
        if (
            " " in words
            or general_kind(words)
            or words[:1].islower()
            or words[-1:] in "sS"
            or is_a_plural(words)
            or not words.isascii()
        ):
            doubt = f"a sum, or a header? write each card on a line; if `{words}` is a card, put it in quotes"
            _doubt(tokens, at, doubt)
        else:
            _ask(tokens, at, "it was read as a card, though kinds of cards are called so")


_NO_LETTERS = late(r"(?=.*\d)(?:\d{1,3}(?!\d)|[^\w+])+")


def _doubt_lookalikes(tokens: list[LineToken]) -> None:
    """Doubt letters that look like a count where other lines have one: `I Kite`, `l Kite`, `1O Island`."""
    counted = any(token.kind is LineKind.COUNTED for token in tokens)
    for at, token in enumerate(tokens):
        bare = token.kind is LineKind.BARE and counted
        match = _LOOKS_COUNTED.fullmatch(token.text) if bare else None
        match = match or (_LETTER_BEFORE.fullmatch(token.text) if bare and at != _first(tokens) else None)
        if match:
            doubt = f"is `{next(filter(None, match.groups()))}` the count? write it in digits before the name, without quotes or signs"
            _doubt(tokens, at, doubt)


_LETTER_BEFORE = late(r"([OZSB])\s+[^\W\d_].*")
"""Capitals that look like 0, 2, 5 and 8; a title may begin so."""
_LOOKS_COUNTED = late(
    r"(\d{1,2}(?:[-–—]|er|mal|x\d{1,2}|\s?(?:times|fois|veces|volte|razy))|[Ⅰ-ⅻ一二三四五六七八九十](?=\s?[A-Za-z])|(?:I{2,3}|I[VX]|VI{1,3}|XI{0,2})(?=\s)|[!ix](?=\s))\s*[^\W\d_].*|[\"'“”„«‘](\d{1,2})\s?[x×]?\s+[^\W\d_].*[\"'”“»’]|(\+\s?\d{1,2})\s?[x×]?\s+[^\W\d_].*|((?:[Il|ІӀⅠ１ЗзбƷ]|(?=\S*\d)[\dIlOoОо|]{2,3}|[Il][IlO])[x×х]?)\s+\S.*"
)


# -- Among lines with their counts: the footer, and headers that only their place confirms; else words that are cards


def _find_footer(tokens: Sequence[LineToken]) -> frozenset[int]:
    """Bare lines in a last paragraph that holds an address or a total: what an export says of itself."""
    start = len(tokens)
    while start and tokens[start - 1].kind in (
        LineKind.BARE,
        LineKind.OTHER,
        LineKind.TOTAL,
        LineKind.BLANK,
        LineKind.COMMENT,
        LineKind.RULE,
    ):
        start -= 1
    tail = range(start, len(tokens))
    first = next((at for at in tail if tokens[at].kind is LineKind.OTHER), None)
    if first is None or start == 0:
        return frozenset()
    paragraph = first
    while paragraph > start and tokens[paragraph - 1].kind is not LineKind.BLANK:
        paragraph -= 1
    if paragraph == start and start > 0 and tokens[start].kind is LineKind.BARE:
        return frozenset()  # no blank line parts it from the cards: it may be one
    return frozenset(at for at in range(paragraph, len(tokens)) if tokens[at].kind is LineKind.BARE)


def _find_signature(tokens: Sequence[LineToken]) -> frozenset[int]:
    """Return the places of a mail's signature: the last `-- `, with its space, and up to four lines below, none with a count."""
    start = _last_above_words(tokens)
    if start is None or not _SIGNED.match(tokens[start].raw):
        return frozenset()
    below = [at for at in range(start + 1, len(tokens)) if tokens[at].kind is not LineKind.BLANK]
    is_short = 0 < len(below) <= _LONGEST_SIGNATURE and not any(tokens[at].tail for at in below)
    cards_above = any(token.kind in _CARDS for token in tokens[:start])
    return frozenset((start, *below)) if is_short and cards_above else frozenset()


def _last_above_words(tokens: Sequence[LineToken]) -> int | None:
    """Return the place of the last line that is not blank, an address or words without a count."""
    words = (LineKind.BARE, LineKind.OTHER, LineKind.BLANK)
    return next((at for at in range(len(tokens) - 1, -1, -1) if tokens[at].kind not in words), None)


_SIGNED = late(r"[>\s]*--[ \u00a0]$")
_LONGEST_SIGNATURE = 4


def _confirm_headers(tokens: Sequence[LineToken], footer: frozenset[int]) -> list[LineToken]:
    """`Arena cards`, `# Material Deck` and `Agenda (6)` are headers where a counted card follows them."""
    confirmed = list(tokens)
    first = _first(tokens)
    for at, token in enumerate(tokens):
        if token.kind not in (LineKind.BARE, LineKind.COMMENT) or token.zone is not None or at in footer:
            continue
        header = could_be_header(token.text)
        if at == first and header == Header(token.text):
            continue  # `Summer Deck` above all: a title
        begins = _capitalised(token.text) if token.kind is LineKind.COMMENT else _begins_paragraph(tokens, at)
        if header is not None and begins and _next_content(tokens, at) is LineKind.COUNTED:
            confirmed[at] = structs.replace(token, kind=LineKind.HEADER, header=replace(header, shaped=True))
    return confirmed


def _capitalised(comment: str) -> bool:
    """Whether a comment is written as exports write a heading (`Material Deck`), not as people write remarks."""
    return all(word[:1].isupper() or not word[:1].isalpha() for word in comment.split())


def _unheaded(token: LineToken, vocabulary: Vocabulary) -> LineToken:
    """In a list of bare names a word like `Energy` or `Hero` is a card; `Deck` and the format's own headers are not."""
    header = token.header
    if token.kind is not LineKind.HEADER or header is None or vocabulary.is_sure(header.words):
        return token
    if header.count is not None or header.shaped or token.text != header.words:
        return token
    question = "it was read as a card; if it heads what stands below, write `##` before it"
    return structs.replace(token, kind=LineKind.BARE, header=None, question=question)


# -- The title, and why it is one


def _find_title(
    tokens: Sequence[LineToken], bare: Sequence[int], counted: int, vocabulary: Vocabulary, dialect: Dialect
) -> tuple[int | None, str]:
    """Find the title and say why it is one; None where the first line is a card or a header."""
    first = _first(tokens)
    if first is None or first == len(tokens) - 1:
        return None, ""
    token, header = tokens[first], tokens[first].header
    if token.kind is LineKind.HEADER and header is not None:
        why = _why_header_title(tokens, first, dialect)
        return (first, why) if why else (None, "")
    if (
        first not in bare
        or token.doubt
        or token.fault
        or is_only_a_count(token.text.rstrip(":"))
        or is_item(tidy(token.raw))
        or (dialect.factions and _FACTION.match(token.text))
    ):
        return None, ""
    why = _why_title(tokens, first, bare=bare, counted=counted, vocabulary=vocabulary, dialect=dialect)
    return (first, why) if why else (None, "")


_FACTION = late(r"(?:house [a-z]+|the night.s watch)$", re.I)


def _why_header_title(tokens: Sequence[LineToken], first: int, dialect: Dialect) -> str:
    """Say why a first line that looks like a header is a title: `Ann's deck:`, `## Ann's deck` above a blank line."""
    token, header = tokens[first], tokens[first].header
    if header is None or header.known or header.count is not None or header.words.lower() in DESCRIBING:
        return ""
    if token.text.endswith(":"):
        return "it is the first line and ends in a colon"
    apart = tokens[first + 1].kind is LineKind.BLANK and token.raw.lstrip().startswith("#")
    return "it is a heading of its own" if apart or dialect.titled else ""


def _why_title(
    tokens: Sequence[LineToken],
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
    if dialect.titled or after.kind is LineKind.RULE or (after.kind is LineKind.HEADER and counted):
        return "it is the first line and a section follows"
    commented = any(before.kind is LineKind.COMMENT for before in tokens[:first])
    apart = after.kind is LineKind.BLANK and not commented and _next_content(tokens, first) is not None
    if apart and (counted or _has_a_paragraph(tokens[first + 1 :])):
        return "it is the first line and a blank one follows"
    return ""


def _names_a_game(text: str, vocabulary: Vocabulary) -> bool:
    padded = f" {_words(text)} "
    return any(f" {_words(title)} " in padded for title in vocabulary.titles if title)


def _words(text: str) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in fold(text)).split())


def _has_a_paragraph(tokens: Sequence[LineToken]) -> bool:
    """Whether two cards stand on lines one below the other: else a blank line sets nothing apart."""
    return any(before.kind in _CARDS and after.kind in _CARDS for before, after in itertools.pairwise(tokens))


# -- Leaders above the list, and a sideboard below a blank line


def _find_leaders(
    tokens: Sequence[LineToken], bare: Sequence[int], title: int | None, dialect: Dialect
) -> frozenset[int]:
    """Bare lines above a counted list lead the deck: the paragraph after the title, or above all, up to three lines."""
    start = next(
        (at for at, token in enumerate(tokens) if at != title and token.kind not in _NO_CONTENT), None
    )
    if start is None or start not in bare:
        return frozenset()
    end = start
    while end < len(tokens) and tokens[end].kind is LineKind.BARE and not is_only_a_count(tokens[end].text):
        end += 1
    above = frozenset(range(start, end))
    ended = end < len(tokens) and tokens[end].kind in (LineKind.BLANK, LineKind.HEADER)
    one_block = dialect.identity and end < len(tokens)
    alone = above == frozenset(bare) and len(above) <= _MOST_LEADERS
    return above if alone and (ended or one_block) else frozenset()


_MOST_LEADERS = 3


def _find_side(
    tokens: Sequence[LineToken], title: int | None, leaders: frozenset[int], dialect: Dialect
) -> int | None:
    """Give the place where the sideboard begins, if one blank line alone parts a counted list without headers."""
    if dialect.identity or leaders or any(token.zone is not None for token in tokens):
        return None
    if any(token.kind is LineKind.HEADER and at != title for at, token in enumerate(tokens)):
        return None
    cards = [
        at
        for at, token in enumerate(tokens)
        if token.kind in (LineKind.COUNTED, LineKind.BARE) and at != title
    ]
    if any(tokens[at].kind is LineKind.BARE for at in cards):
        return None
    breaks = [
        after
        for before, after in itertools.pairwise(cards)
        if any(token.kind is LineKind.BLANK for token in tokens[before:after])
    ]
    return breaks[0] if len(breaks) == 1 else None


def _find_below_rules(
    tokens: Sequence[LineToken], title: int | None, vocabulary: Vocabulary
) -> tuple[int, ...]:
    """Return the places of the cards directly below a rule between cards of the main deck; none in a list with a sideboard."""
    places: list[int] = []
    main, cards, ruled = True, False, False
    for at, token in enumerate(tokens):
        if token.zone is not None or (
            token.header and token.header.zone and general_kind(token.header.words) == "side"
        ):
            return ()
        if token.kind is LineKind.HEADER and token.header is not None:
            if token.header.zone:
                main = vocabulary.zone_id(token.header.words) == vocabulary.zone_id("main")
            ruled = False
        elif token.kind is LineKind.RULE and token.text != "=":
            ruled = cards and main
        elif token.kind in _CARDS and at != title:
            places.extend([at] if ruled else [])
            cards, ruled = True, False
    return tuple(places)


def _number_of_cards(tokens: Sequence[LineToken]) -> int:
    return sum(whole_number(token.count) or 1 for token in tokens if token.kind in _CARDS)


def _leads_a_long_list(tokens: Sequence[LineToken], side: int) -> bool:
    """Tell whether one or two cards stand above more than fifteen: no sideboard is that large."""
    above = sum(whole_number(token.count) or 0 for token in tokens[:side] if token.kind is LineKind.COUNTED)
    below = sum(whole_number(token.count) or 0 for token in tokens[side:] if token.kind is LineKind.COUNTED)
    return above <= 2 and below > LARGEST_SIDE


LARGEST_SIDE = 15


# -- What may be something else than a card


def _ask_about_the_first(tokens: list[LineToken], bare: Sequence[int], title: int | None) -> None:
    """Ask about a first line that alone of all has no number beside it: it may be the title."""
    first = _first(tokens)
    others = [at for at in bare if at != first]
    if first is None or first not in bare or title is not None or tokens[first].doubt:
        return
    if (
        others
        and not number_beside(tokens[first].text)
        and all(number_beside(tokens[p].text) for p in others)
    ):
        words = "it was read as a card; if it is the title, write `#` before it"
        tokens[first] = structs.replace(tokens[first], question=words)


def _ask_about_scripts(tokens: list[LineToken], bare: Sequence[int]) -> None:
    """Ask about a line without a count in another script than the list, above a card: it may be a head in its language."""
    if not bare:
        return
    written = Counter(script(token.text) for token in tokens if token.kind in _CARDS and token.text)
    for at in bare:
        own, (most, number) = script(tokens[at].text), written.most_common(1)[0]
        other = written[own] * 2 <= number and own != most
        if other and _next_content(tokens, at) in _CARDS and not tokens[at].doubt:
            _ask(tokens, at, _READ_AS_ONE)


_READ_AS_ONE = "it has no count and was read as one copy; if it heads what stands below, write `##` before it"


def _doubt_heads(tokens: list[LineToken], bare: Sequence[int]) -> None:
    """Doubt lines without a count that each stand above a paragraph of counted ones: they may be heads in another tongue."""
    heads = [at for at in bare if _begins_paragraph(tokens, at) and _is_above_counted(tokens, at)]
    parted = any(at and tokens[at - 1].kind is LineKind.BLANK for at in heads)
    if heads == list(bare) and parted:
        for at in heads:
            text = tokens[at].text
            doubt = f"no count stands beside it: a card, or a header? write `1 {text}` or `## {text}`"
            _doubt(tokens, at, doubt)


def _doubt_words(tokens: list[LineToken], bare: Sequence[int]) -> None:
    """Doubt words among counted cards: the first line, `Record: 5-0`, `thanks for reading`; ask about the others."""
    names = [token.text for token in tokens if token.kind is LineKind.COUNTED]
    capitals = not any(name[:1].islower() for name in names)
    small = any(map(_is_in_small_letters, names))
    above = _last_above_words(tokens)
    signed = above is not None and tokens[above].raw.strip(" >") == "--"
    for at in bare:
        text = tokens[at].text
        if at == _first(tokens):
            _doubt(tokens, at, f"the title, or a card? write `# {text}` or `1 {text}`")
        elif signed and at > (above or 0):
            _doubt(tokens, at, f"a card, or a signature? write `1 {text}` if it is a card, `# {text}` if not")
        elif _sums_up_above(tokens, at):
            _doubt(tokens, at, f"a sum? write `1 {text}` if it is a card, `# {text}` if not")
        elif (
            ":" in text
            or _reads_as_sentence(text, names_in_small_letters=small)
            or (capitals and text[:1].islower())
        ):
            _doubt(tokens, at, f"no count is written; write `1 {text}` if it is a card, `# {text}` if not")
        else:
            _ask(tokens, at, _READ_AS_ONE)


_SENTENCE = late(r"[^\W\d_]{3,}[.…]$|[!?]{2,}$|\s[!?]$|(?:\S+\s+){8}\S")
_LONG_WORD = late(r"[^\W\d_]{4,}")
_SAYING_WORDS = """
    you your me my we our us i'm i'll this that these those please thanks thank is are was will have has not don't can here everyone everybody
    bitte danke ich wir du ihr mein meine ist sind nicht hier merci je nous vous est gracias por favor es son grazie sono dzięki
"""
_SAYING = frozenset(map(fold, _SAYING_WORDS.split()))
"""Words of sentences that few names of cards have."""


def _reads_as_sentence(text: str, *, names_in_small_letters: bool = False) -> bool:
    """Return whether words end or go on as a sentence does, or have small letters where the names have capitals.

    >>> [_reads_as_sentence(text) for text in ("Put the goat away", "Thanks for reading.", "Heron of Clay")]
    [True, True, False]
    >>> _reads_as_sentence("Chevalier sans regard", names_in_small_letters=True)
    False
    """
    if _SENTENCE.search(text) or (len(text.split()) > _FEWEST_NAMES and _says_something(text)):
        return True
    return not names_in_small_letters and _is_in_small_letters(text)


def _is_in_small_letters(text: str) -> bool:
    """Return whether three or more words have a capital in the first at most: `Put the goat away`, not `Heron of Clay`."""
    words = text.split()[1:]
    long_words = [word for word in words if _LONG_WORD.match(word)]
    return len(words) >= _FEWEST_NAMES and bool(long_words) and not any(word[:1].isupper() for word in words)


def _sums_up_above(tokens: Sequence[LineToken], at: int) -> bool:
    """Return whether a line ends in the number of the cards above it, or ends the list in a number that is not a count."""
    match = _ENDS_IN_A_NUMBER.fullmatch(tokens[at].text)
    if match is None:
        return False
    number, total, sums = int(match["number"]), 0, {0}
    for token in reversed(tokens[:at]):
        if token.kind is LineKind.COUNTED:
            total += whole_number(token.count) or 0
        elif total:
            sums.add(total)
    last = not any(token.kind not in _NO_CONTENT for token in tokens[at + 1 :])
    return number in sums | {total} or (last and number > _most_copies(tokens))


_ENDS_IN_A_NUMBER = late(r".*[^\d.,]\s?(?P<number>\d{1,3})\W*")


def _doubt_sentences(tokens: list[LineToken], bare: Sequence[int]) -> None:
    """Doubt words in small letters in a list of bare names in capitals: `here it is`, `Tom: thanks for reading`."""
    heads = {match["head"] if (match := _SENDER.match(tokens[at].text)) else None for at in bare}
    if len(bare) >= _FEWEST_NAMES and len(heads) == 1 and (head := heads.pop()):
        for at in bare:
            name = tokens[at].text.removeprefix(head).strip()
            _doubt(tokens, at, f"nothing says what `{head.strip()}` is, before each name; write `{name}`")
        return
    said = [at for at in bare if _IN_SMALL_LETTERS.match(tokens[at].text)]
    others = [text for at in bare if not _says_something(text := tokens[at].text)]
    if not any(map(_is_in_small_letters, others)):
        said += [at for at in bare if at not in said and _says_in_small_letters(tokens[at].text)]
    names = [tokens[at].text for at in bare if at not in said]
    if len(names) < _FEWEST_NAMES or not all(name[:1].isupper() for name in names):
        return
    for at in said:
        text = tokens[at].text
        _doubt(tokens, at, f"a card, or a remark? write `1 {text}` if it is a card, `# {text}` if not")


def _says_something(text: str) -> bool:
    return not _SAYING.isdisjoint(map(fold, text.rstrip(".!?…").split()))


def _says_in_small_letters(text: str) -> bool:
    return _says_something(text) and _is_in_small_letters(text)


_SENDER = late(r"(?P<head>@\S+\s|[^\W\d_][^:>]{0,40}[:>]\s)\s*\S")
_IN_SMALL_LETTERS = late(r"(?:[^:]{1,40}:\s+)?(?=[^\W\d_])[a-zß-ÿа-я]\S*\s+\S")
_FEWEST_NAMES = 2


def _ask_about_small_letters(tokens: list[LineToken]) -> None:
    """Ask about a counted name in small letters among names in capitals: `4 whatever`, `12 mountains`."""
    counted = [at for at, token in enumerate(tokens) if token.kind is LineKind.COUNTED and not token.whole]
    small = [at for at in counted if tokens[at].text[:1].islower()]
    times = Counter(fold(tokens[at].text) for at in counted)
    if len(small) == 1 and len(counted) > _FEWEST_NAMES and times[fold(tokens[small[0]].text)] == 1:
        _ask(
            tokens,
            small[0],
            "it was read as a card, though it is in small letters, as the other names are not",
        )


def _is_above_counted(tokens: Sequence[LineToken], at: int) -> bool:
    return at + 1 < len(tokens) and tokens[at + 1].kind is LineKind.COUNTED


def _ask_about_heads(tokens: list[LineToken], bare: Sequence[int]) -> None:
    """Ask about a line without a count that stands alone above one with its count: it may be a head in another tongue."""
    for at in bare:
        alone = not at or tokens[at - 1].kind is not LineKind.BARE
        if alone and _is_above_counted(tokens, at) and not tokens[at].doubt:
            _ask(tokens, at, _READ_AS_ONE)


def _doubt_rows(tokens: list[LineToken], bare: Sequence[int]) -> None:
    """Doubt lines without a count that may hold several names: `Kite, Bell, Drum, Goat`."""
    alone = sum(token.kind in _CARDS for token in tokens) == 1
    for at in bare:
        if len(_PARTS.findall(tokens[at].text)) >= (2 if alone else 3):
            _doubt(tokens, at, "are these several cards? write one on a line, or `1` before the name of one")
    for at, token in enumerate(tokens):
        zoned = token.kind is LineKind.BARE and token.zone
        leads = zoned and general_kind(token.zone or "") in LEADING  # `Hero: Puffin, Hightail`
        if zoned and not leads and _ROW_IN_ZONE.fullmatch(token.text):
            _ask(tokens, at, _SEVERAL_IN_ZONE)


_PARTS = late(r"[,;、，；]")
_ROW_IN_ZONE = late(
    r"[^,;、，；]+(?:[,;](?!\s*[a-z])[^,;]+|[、，；][^、，；]+)+"
)  # not `Katsu, the Wanderer`
_SEVERAL_IN_ZONE = "it was read as one card; if these are several, write one on a line"
