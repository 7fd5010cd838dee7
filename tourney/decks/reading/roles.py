"""Decides what lines without a count are: title, leader, header, footer or card.

`assign_roles` examines the places of all lines of a deck. Each step decides one role; the remaining lines are
cards. The last steps add doubts or questions to cards that may be something else. The module `plain_form`
explains doubts and questions.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tourney.cards.names import fold, script
from tourney.decks.reading.counts import MAX_COPIES, is_only_a_count, number_beside, whole_number, written_as
from tourney.decks.reading.lines import CARD_KINDS, LineKind, LineRole, LineToken
from tourney.decks.reading.names import Dialect
from tourney.decks.reading.text import is_item, tidy
from tourney.decks.reading.vocabulary import (
    ABOUT_THE_DECK,
    LEADING,
    Header,
    Vocabulary,
    could_be_header,
    counts_cards,
    general_kind,
    is_a_plural,
)
from tourney.decks.reading.words import folded, late

MAX_SIDE = 15
"""The maximum number of cards in a sideboard that has no header."""
_NO_CONTENT = {LineKind.BLANK, LineKind.COMMENT, LineKind.KEY, LineKind.OTHER, LineKind.RULE, LineKind.TOTAL}
_GAP = (LineKind.BLANK, LineKind.RULE)
_ABOVE_PARAGRAPHS = (LineKind.BLANK, LineKind.HEADER, LineKind.COMMENT, LineKind.RULE, LineKind.KEY)


def assign_roles(tokens: Sequence[LineToken], vocabulary: Vocabulary, dialect: Dialect) -> list[LineToken]:
    """Return the tokens of a deck with their roles, and with doubts and questions about cards.

    If most lines have a count, the lines without one are about the deck. If most lines have none, the lines
    without a count are the deck's cards.
    """
    tokens = _settle_tails(tokens)
    _doubt_sums(tokens)
    _doubt_lookalikes(tokens)
    counted = sum(token.kind is LineKind.COUNTED for token in tokens)
    mostly_counted = counted > 0 and counted >= len(_bare(tokens))
    _mark_footer(tokens, mostly_counted=mostly_counted)
    if mostly_counted:
        _confirm_headers(tokens)
    else:
        tokens = [_without_unsure_header(token, vocabulary) for token in tokens]
    _mark_title(tokens, counted, vocabulary, dialect)
    bare = _bare(tokens)
    _mark_parts(tokens, bare if counted else (), vocabulary, dialect)
    _ask_about_the_first(tokens, bare)
    _question_cards(tokens, bare, mostly_counted=mostly_counted)
    return tokens


def _question_cards(tokens: list[LineToken], bare: Sequence[int], *, mostly_counted: bool) -> None:
    """Add doubts and questions to lines that were read as cards and may be something else."""
    cards = [at for at in bare if tokens[at].role is not LineRole.LEADER]
    _ask_about_scripts(tokens, bare)
    _doubt_heads(tokens, cards)
    _doubt_rows(tokens, bare)
    if mostly_counted:
        _doubt_words(tokens, cards)
        _ask_about_small_letters(tokens)
    else:
        _doubt_sentences(tokens, bare)


def _bare(tokens: Sequence[LineToken]) -> list[int]:
    """Return the places of the lines without a count, zone or role."""
    return [
        at
        for at, token in enumerate(tokens)
        if token.kind is LineKind.BARE and token.zone is None and token.role is None
    ]


def _first(tokens: Sequence[LineToken]) -> int | None:
    """Return the place of the first line that is a card, a header or words."""
    return next((at for at, token in enumerate(tokens) if token.kind not in _NO_CONTENT), None)


def _is_last(tokens: Sequence[LineToken], at: int) -> bool:
    return all(token.kind in _NO_CONTENT for token in tokens[at + 1 :])


def _next_content(tokens: Sequence[LineToken], at: int) -> LineToken | None:
    return next((token for token in tokens[at + 1 :] if token.kind not in _GAP), None)


def _is_above(tokens: Sequence[LineToken], at: int, *kinds: LineKind) -> bool:
    below = _next_content(tokens, at)
    return below is not None and below.kind in kinds


def _is_directly_above_counted(tokens: Sequence[LineToken], at: int) -> bool:
    return at + 1 < len(tokens) and tokens[at + 1].kind is LineKind.COUNTED


def _begins_paragraph(tokens: Sequence[LineToken], at: int) -> bool:
    return at == 0 or tokens[at - 1].kind in _ABOVE_PARAGRAPHS


def copies_in(tokens: Iterable[LineToken]) -> int:
    """Return the sum of the counts of lines."""
    return sum(whole_number(token.count) or 0 for token in tokens if token.kind is LineKind.COUNTED)


def _number_of_cards(tokens: Iterable[LineToken]) -> int:
    return sum(whole_number(token.count) or 1 for token in tokens if token.kind in CARD_KINDS)


# -- a number after words: the copies of a card, or the number of cards below a header


_PLAYSET = 4
_MIN_SUM = 20
_CLOSING = (")", "]", "}", ">")


def _settle_tails(tokens: Sequence[LineToken]) -> list[LineToken]:
    """Decide what a number after words is: `Kite (5)` is five copies, `Agenda (5)` a header.

    Such a line is a header only if the next card has its count before its name, and if the number is the sum
    of the cards below.
    """
    settled = list(tokens)
    if not any(token.tail or token.whole for token in tokens):
        return settled
    most = _most_copies(tokens)
    for at, token in enumerate(tokens):
        if token.tail:
            settled[at] = _settle_tail(tokens, settled, at, most)
        elif token.kind is LineKind.HEADER and token.header is not None and token.header.group:
            settled[at] = _group_or_card(tokens, at, token, token.header)
        elif token.whole and token.zone:
            is_likely = general_kind(token.zone) in LEADING or (whole_number(token.count) or 0) <= most
            settled[at] = token if is_likely else token.asking(fault=_too_many(token))
    _fault_brackets_that_differ(settled)
    return settled


def _settle_tail(tokens: Sequence[LineToken], settled: Sequence[LineToken], at: int, most: int) -> LineToken:
    """Return the token of a line, with the decision what the number after its words is.

    settled: the tokens, with this decision for all lines above
    most:    the result of `_most_copies`
    """
    token = tokens[at]
    if _sums_up(settled, at):
        return token.but(kind=LineKind.TOTAL, text=token.whole, count=token.tail, tail="", whole="")
    card = token.but(kind=LineKind.COUNTED, count=token.tail, tail="")
    number = whole_number(token.tail)
    is_likely = number is not None and number <= most
    if not (_begins_paragraph(tokens, at) and _is_above(tokens, at, LineKind.COUNTED)):
        return card if is_likely else card.asking(fault=_too_many(card))
    of_several, of_one = _sums_below(tokens, at)
    if number in of_several or (number in of_one and at != _first(tokens)):
        return token.but(kind=LineKind.HEADER, header=Header(token.text, number, shaped=True))
    doubt = (
        f"{token.tail} copies, or the head of {token.tail} cards? "
        f"write `{token.tail} {token.text}` or `## {token.text}`"
    )
    return card.asking(doubt=doubt) if is_likely else card.asking(fault=doubt)


def _too_many(token: LineToken) -> str:
    return f"{token.count} copies? write the count before the name, as in `{token.count} {token.text}`"


def _fault_brackets_that_differ(tokens: list[LineToken]) -> None:
    """Add a fault to `Kite [2]` and `Kite (2)` in one list: one number may not be a count."""
    brackets: dict[str, set[str]] = {}
    for token in tokens:
        if token.whole.endswith(_CLOSING):
            brackets.setdefault(fold(token.text), set()).add(token.whole[-1])
    for at, token in enumerate(tokens):
        if token.whole.endswith(_CLOSING) and len(brackets[fold(token.text)]) > 1:
            tokens[at] = token.asking(
                fault="another line has a number in other brackets beside this name; "
                f"write `{token.count} {token.text}` if it is the count"
            )


def _most_copies(tokens: Sequence[LineToken]) -> int:
    """Return the largest number after a name that can only be a count in this list."""
    behind = sum(bool(token.tail) for token in tokens)
    others = sum(token.kind in CARD_KINDS for token in tokens) - behind
    if behind >= others:
        return MAX_COPIES
    counted = (token for token in tokens if token.kind is LineKind.COUNTED and not token.whole)
    return max(_PLAYSET, *(whole_number(token.count) or 0 for token in counted), 0)


def _sums_up(tokens: Sequence[LineToken], at: int) -> bool:
    """Return whether a line at the end, below a gap, is the sum of the cards, in any language."""
    apart = at > 0 and tokens[at - 1].kind in _GAP
    number = copies_in(tokens[:at])
    return _is_last(tokens, at) and apart and number > _MIN_SUM and whole_number(tokens[at].tail) == number


def _group_or_card(tokens: Sequence[LineToken], at: int, token: LineToken, header: Header) -> LineToken:
    """Return the token with its number undecided: `Energy - 1` above `Kite - 1` may be a card."""
    below = _next_content(tokens, at)
    if header.count is None or below is None or not below.tail or header.count in _sums_below(tokens, at)[0]:
        return token
    return token.but(tail=str(header.count), whole=token.text, text=header.words)


def _sums_below(tokens: Sequence[LineToken], at: int) -> tuple[set[int], set[int]]:
    """Return the sums that a header could have: of several lines, and of a single line.

    The cards of a sum end at a blank line, a header or a line with a number after words. The count of a
    single line may equal a number by chance.
    """
    sums: tuple[set[int], set[int]] = set(), set()
    total = cards = 0
    for token in (*tokens[at + 1 :], LineToken(LineKind.BLANK, 0, "")):
        if token.kind is LineKind.COUNTED:
            total, cards = total + (whole_number(token.count) or 0), cards + 1
        elif cards and (token.kind is LineKind.BLANK or token.kind is LineKind.HEADER or token.tail):
            sums[cards == 1].add(total)
    return sums


# -- sums of one kind of card, and letters that look like a count


_NO_LETTERS = late(r"(?=.*\d)(?:\d{1,3}(?!\d)|[^\w+])+")


def _doubt_sums(tokens: list[LineToken]) -> None:
    """Add a doubt to `20 lands`, which is a sum; ask about `4 Energy`, which may be a card."""
    for at, token in enumerate(tokens):
        text = token.text.rstrip(":").strip("*_` ")
        lone = token.kind is LineKind.BARE and is_only_a_count(text)
        if token.kind in CARD_KINDS and _NO_LETTERS.fullmatch(text) and not lone:  # `7 / 60`
            tokens[at] = token.asking(doubt=f"a sum? if `{text}` is the name of a card, put it in quotes")
        if token.kind is not LineKind.COUNTED or token.zone or token.whole or not counts_cards(text):
            continue
        is_sum = " " in text or general_kind(text) or is_a_plural(text) or not text.isascii()
        if is_sum or text[:1].islower() or text[-1:] in "sS":
            doubt = (
                "a sum, or a header? write each card on its own line; "
                f"if `{text}` is a card, put it in quotes"
            )
            tokens[at] = tokens[at].asking(doubt=doubt)
        else:
            tokens[at] = tokens[at].asking(
                question="it was read as a card, though the word also means a kind of card"
            )


_LETTER_BEFORE = late(r"(?P<count>[OZSB])\s+[^\W\d_].*")
"""Capitals that look like 0, 2, 5 and 8, but with which a title may begin."""


def _doubt_lookalikes(tokens: list[LineToken]) -> None:
    """Add a doubt to letters that look like a count: `I Kite`, `l Kite`, `1O Island`."""
    if not any(token.kind is LineKind.COUNTED for token in tokens):
        return
    first = _first(tokens)
    for at, token in enumerate(tokens):
        if token.kind is not LineKind.BARE:
            continue
        match = written_as("lookalike", token.text)
        match = match or (_LETTER_BEFORE.fullmatch(token.text) if at != first else None)
        if match:
            count = match["count"]
            doubt = f"is `{count}` the count? write it in digits before the name, without quotes or signs"
            tokens[at] = token.asking(doubt=doubt)


# -- footer, signature, and headers that only their place shows


def _mark_footer(tokens: list[LineToken], *, mostly_counted: bool) -> None:
    """Mark the lines of a signature, and the words near an address at the end.

    The words near an address are marked only if most cards have a count.
    """
    signature = _find_signature(tokens)
    for at in _find_footer(tokens) if mostly_counted else ():
        tokens[at] = tokens[at].but(role=LineRole.FOOTER)
    for at in signature:
        kind = LineKind.OTHER if tokens[at].kind is LineKind.RULE else tokens[at].kind
        tokens[at] = tokens[at].but(kind=kind, role=LineRole.SIGNATURE)


def _find_footer(tokens: Sequence[LineToken]) -> frozenset[int]:
    """Return the places of the last paragraph's words, if it contains an address."""
    end_kinds = (*_GAP, LineKind.BARE, LineKind.OTHER, LineKind.TOTAL, LineKind.COMMENT)
    start = _end_of_last(tokens, end_kinds)
    first = next((at for at in range(start, len(tokens)) if tokens[at].kind is LineKind.OTHER), None)
    if first is None or start == 0:
        return frozenset()
    paragraph = first
    while paragraph > start and tokens[paragraph - 1].kind is not LineKind.BLANK:
        paragraph -= 1
    if paragraph == start and tokens[start].kind is LineKind.BARE:
        return frozenset()  # directly below the cards, the line may be a card
    return frozenset(at for at in range(paragraph, len(tokens)) if tokens[at].kind is LineKind.BARE)


def _end_of_last(tokens: Sequence[LineToken], kinds: Sequence[LineKind]) -> int:
    """Return the index after the last line that is not of these kinds."""
    return next((at + 1 for at in range(len(tokens) - 1, -1, -1) if tokens[at].kind not in kinds), 0)


_WORDS = (LineKind.BARE, LineKind.OTHER, LineKind.BLANK)
_SIGNED = late(r"[>\s]*--[ \u00a0]$")
_MAX_SIGNATURE = 4


def _find_signature(tokens: Sequence[LineToken]) -> frozenset[int]:
    """Return the places of a mail's signature: the last `-- ` and up to four lines below."""
    start = _end_of_last(tokens, _WORDS) - 1
    if start < 0 or not _SIGNED.match(tokens[start].raw):
        return frozenset()
    below = [at for at in range(start + 1, len(tokens)) if tokens[at].kind is not LineKind.BLANK]
    is_short = 0 < len(below) <= _MAX_SIGNATURE and not any(tokens[at].tail for at in below)
    cards_above = any(token.kind in CARD_KINDS for token in tokens[:start])
    return frozenset((start, *below)) if is_short and cards_above else frozenset()


def _confirm_headers(tokens: list[LineToken]) -> None:
    """Turn `Arena cards` and `Agenda (6)` into headers if a counted card follows."""
    first, confirmed = _first(tokens), list(tokens)
    for at, token in enumerate(tokens):
        if token.kind not in (LineKind.BARE, LineKind.COMMENT) or token.zone is not None or token.role:
            continue
        header = could_be_header(token.text)
        if header is None or (at == first and header == Header(token.text)):
            continue  # `Summer Deck` above all other lines is a title
        is_comment = token.kind is LineKind.COMMENT
        begins = _is_capitalised(token.text) if is_comment else _begins_paragraph(tokens, at)
        if begins and _is_above(tokens, at, LineKind.COUNTED):
            confirmed[at] = token.but(kind=LineKind.HEADER, header=replace(header, shaped=True))
    tokens[:] = confirmed


def _is_capitalised(comment: str) -> bool:
    """Return whether a comment is written like a heading (`Material Deck`), not like a remark."""
    return all(word[:1].isupper() or not word[:1].isalpha() for word in comment.split())


def _without_unsure_header(token: LineToken, vocabulary: Vocabulary) -> LineToken:
    """Turn `Energy` or `Hero` into a card in a list without counts; `Deck` remains a header."""
    header = token.header
    if token.kind is not LineKind.HEADER or header is None or vocabulary.is_sure(header.words):
        return token
    if header.count is not None or header.shaped or token.text != header.words:
        return token
    question = "it was read as a card; if it is the header of the lines below, write `##` before it"
    return token.but(kind=LineKind.BARE, header=None, question=question)


# -- the title, and the reason for it


_FACTION = late(r"(?:house [a-z]+|the night.s watch)$", re.I)


def _mark_title(tokens: list[LineToken], counted: int, vocabulary: Vocabulary, dialect: Dialect) -> None:
    """If the first line is the title, mark it, with the reason why it is one."""
    first, bare = _first(tokens), _bare(tokens)
    if first is None or first == len(tokens) - 1:
        return
    token = tokens[first]
    if token.kind is LineKind.HEADER and token.header is not None:
        why = _why_header_is_title(tokens, first, token.header, dialect)
    elif (
        first not in bare
        or token.doubt
        or token.fault
        or is_only_a_count(token.text.rstrip(":"))
        or is_item(tidy(token.raw))
        or (dialect.factions and _FACTION.match(token.text))
    ):
        why = ""
    elif _names_a_game(token.text, vocabulary):
        why = "it names the game or the format"
    elif counted and len(bare) == 1:
        why = "it is the first line and the only one without a count"
    else:
        why = _why_words_are_title(tokens, first, counted, dialect)
    if why:
        tokens[first] = token.but(role=LineRole.TITLE, why=why)


def _why_header_is_title(tokens: Sequence[LineToken], first: int, header: Header, dialect: Dialect) -> str:
    """Return why a header at the top is a title: `Ann's deck:`, or `## Ann's deck` above a gap."""
    token = tokens[first]
    if header.known or header.count is not None or fold(header.words) in ABOUT_THE_DECK:
        return ""
    if token.text.endswith(":"):
        return "it is the first line and ends in a colon"
    apart = tokens[first + 1].kind is LineKind.BLANK and token.raw.lstrip().startswith("#")
    return "it is a heading of its own" if apart or dialect.titled else ""


def _why_words_are_title(tokens: Sequence[LineToken], first: int, counted: int, dialect: Dialect) -> str:
    """Return why the first line, which has no count, is the title; empty if it is not."""
    below = tokens[first + 1].kind
    if dialect.titled or below is LineKind.RULE or (below is LineKind.HEADER and counted):
        return "it is the first line and a section follows"
    commented = any(token.kind is LineKind.COMMENT for token in tokens[:first])
    apart = below is LineKind.BLANK and not commented and _next_content(tokens, first) is not None
    if apart and (counted or _has_a_paragraph(tokens[first + 1 :])):
        return "it is the first line and a blank one follows"
    return ""


def _names_a_game(text: str, vocabulary: Vocabulary) -> bool:
    padded = f" {_letters(text)} "
    return any(f" {_letters(title)} " in padded for title in vocabulary.titles if title)


def _letters(text: str) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in fold(text)).split())


def _has_a_paragraph(tokens: Sequence[LineToken]) -> bool:
    """Return whether two cards are on adjacent lines, so that blank lines have a meaning."""
    return any(
        above.kind in CARD_KINDS and below.kind in CARD_KINDS for above, below in itertools.pairwise(tokens)
    )


# -- leaders above the list, and a sideboard below a blank line or a rule


_MAX_LEADERS = 3


def _mark_parts(
    tokens: list[LineToken], bare: Sequence[int], vocabulary: Vocabulary, dialect: Dialect
) -> None:
    """Mark the cards that lead a counted list, and the first card of a sideboard.

    bare: the lines without a count that may be leaders; empty if no line has a count
    """
    can_lead = vocabulary.zone_of_kind("leader") is not None
    leaders = _find_leaders(tokens, bare, dialect) if can_lead else ()
    side = None if leaders else _find_side(tokens, dialect)
    if side is not None and _leads_a_long_list(tokens, side):
        leaders = [at for at in range(side) if tokens[at].kind is LineKind.COUNTED] if can_lead else ()
        side = None
    for at in leaders:
        tokens[at] = tokens[at].but(role=LineRole.LEADER)
    if vocabulary.zone_of_kind("side") is None:
        return
    role = LineRole.SIDE
    if not (leaders or dialect.identity) and (below_rules := _find_below_rules(tokens, vocabulary)):
        side = below_rules[0]
        is_side = len(below_rules) == 1 and _number_of_cards(tokens[side:]) <= MAX_SIDE
        role = LineRole.RULED_SIDE if is_side else LineRole.UNCLEAR_PART
    if side is not None and tokens[side].role is None:
        tokens[side] = tokens[side].but(role=role)


def _find_leaders(tokens: Sequence[LineToken], bare: Sequence[int], dialect: Dialect) -> Sequence[int]:
    """Return the places of up to three lines without a count above a counted list: its leaders."""
    contents = (
        at
        for at, token in enumerate(tokens)
        if token.role is not LineRole.TITLE and token.kind not in _NO_CONTENT
    )
    start = next(contents, None)
    if start is None or start not in bare:
        return ()
    end = start
    while end < len(tokens) and tokens[end].kind is LineKind.BARE and not is_only_a_count(tokens[end].text):
        end += 1
    ended = end < len(tokens) and (dialect.identity or tokens[end].kind in (LineKind.BLANK, LineKind.HEADER))
    return bare if ended and list(range(start, end)) == bare and len(bare) <= _MAX_LEADERS else ()


def _find_side(tokens: Sequence[LineToken], dialect: Dialect) -> int | None:
    """Return the place of a sideboard's first card, if one blank line divides a counted list."""
    if dialect.identity or any(token.zone is not None for token in tokens):
        return None
    rest = [(at, token) for at, token in enumerate(tokens) if token.role is not LineRole.TITLE]
    if any(token.kind in (LineKind.HEADER, LineKind.BARE) for _, token in rest):
        return None
    cards = [at for at, token in rest if token.kind is LineKind.COUNTED]
    breaks = [
        below
        for above, below in itertools.pairwise(cards)
        if any(token.kind is LineKind.BLANK for token in tokens[above:below])
    ]
    return breaks[0] if len(breaks) == 1 else None


def _find_below_rules(tokens: Sequence[LineToken], vocabulary: Vocabulary) -> Sequence[int]:
    """Return the places of the cards directly below a rule; none if there is a sideboard."""
    places: list[int] = []
    main, cards, ruled = True, False, False
    for at, token in enumerate(tokens):
        header = token.header
        if token.zone is not None or (header and header.zone and general_kind(header.words) == "side"):
            return ()
        if token.kind is LineKind.HEADER and header is not None:
            if header.zone:
                main = vocabulary.zone_id(header.words) == vocabulary.zone_id("main")
            ruled = False
        elif token.kind is LineKind.RULE and token.text != "=":
            ruled = cards and main
        elif token.kind in CARD_KINDS and token.role is not LineRole.TITLE:
            places.extend([at] if ruled else [])
            cards, ruled = True, False
    return places


def _leads_a_long_list(tokens: Sequence[LineToken], side: int) -> bool:
    """Return whether the cards above are at most two, and those below too many for a sideboard."""
    return copies_in(tokens[:side]) <= 2 and copies_in(tokens[side:]) > MAX_SIDE


# -- cards that may be something else


_READ_AS_ONE = (
    "it has no count and was read as one copy; if it is the header of the lines below, write `##` before it"
)


def _ask_about_the_first(tokens: list[LineToken], bare: Sequence[int]) -> None:
    """Ask whether the first line is the title, if all other lines without a count have a number."""
    first = _first(tokens)
    others = [at for at in bare if at != first]
    if first is None or first not in bare or tokens[first].doubt or not others:
        return
    if not number_beside(tokens[first].text) and all(number_beside(tokens[at].text) for at in others):
        tokens[first] = tokens[first].but(
            question="it was read as a card; if it is the title, write `#` before it"
        )


def _ask_about_scripts(tokens: list[LineToken], bare: Sequence[int]) -> None:
    """Ask about a line above a card if its script differs from the list's: it may be a header."""
    scripts = Counter(script(token.text) for token in tokens if token.kind in CARD_KINDS and token.text)
    if not bare or not scripts:
        return
    main_script, number = scripts.most_common(1)[0]
    for at in bare:
        own = script(tokens[at].text)
        is_other = own != main_script and scripts[own] * 2 <= number
        if is_other and _is_above(tokens, at, *CARD_KINDS) and not tokens[at].doubt:
            tokens[at] = tokens[at].asking(question=_READ_AS_ONE)


def _doubt_heads(tokens: list[LineToken], bare: Sequence[int]) -> None:
    """Add a doubt to lines without a count if each is directly above counted cards."""
    heads = [at for at in bare if _begins_paragraph(tokens, at) and _is_directly_above_counted(tokens, at)]
    if heads == list(bare) and any(at and tokens[at - 1].kind is LineKind.BLANK for at in heads):
        for at in heads:
            text = tokens[at].text
            tokens[at] = tokens[at].asking(
                doubt=f"a card, or a header? it has no count; write `1 {text}` or `## {text}`"
            )


def _doubt_words(tokens: list[LineToken], bare: Sequence[int]) -> None:
    """Add a doubt or a question to words among counted cards, such as `Record: 5-0`."""
    names = [token.text for token in tokens if token.kind is LineKind.COUNTED]
    capitals = not any(name[:1].islower() for name in names)
    small = any(map(_is_in_small_letters, names))
    first = _first(tokens)
    above = _end_of_last(tokens, _WORDS) - 1
    signed = above >= 0 and tokens[above].raw.strip(" >") == "--"
    for at in bare:
        text = tokens[at].text
        if at == first:
            doubt = f"the title, or a card? write `# {text}` or `1 {text}`"
        elif signed and at > above:
            doubt = f"a card, or a signature? write `1 {text}` if it is a card, `# {text}` if not"
        elif _sums_up_above(tokens, at):
            doubt = f"a sum? write `1 {text}` if it is a card, `# {text}` if not"
        elif (
            ":" in text
            or _reads_as_sentence(text, names_in_small_letters=small)
            or (capitals and text[:1].islower())
        ):
            doubt = f"no count is written; write `1 {text}` if it is a card, `# {text}` if not"
        else:
            tokens[at] = tokens[at].asking(question=_READ_AS_ONE)
            continue
        tokens[at] = tokens[at].asking(doubt=doubt)


_ENDS_IN_A_NUMBER = late(r".*[^\d.,]\s?(?P<number>\d{1,3})\W*")


def _sums_up_above(tokens: Sequence[LineToken], at: int) -> bool:
    """Return whether a line ends in the sum of the cards above, or in a large number at the end."""
    match = _ENDS_IN_A_NUMBER.fullmatch(tokens[at].text)
    if match is None:
        return False
    number, total, sums = int(match["number"]), 0, {0}
    for token in reversed(tokens[:at]):
        if token.kind is LineKind.COUNTED:
            total += whole_number(token.count) or 0
        elif total:
            sums.add(total)
    return number in sums | {total} or (_is_last(tokens, at) and number > _most_copies(tokens))


_SENTENCE = late(r"[^\W\d_]{3,}[.…]$|[!?]{2,}$|\s[!?]$|(?:\S+\s+){8}\S")
_LONG_WORD = late(r"[^\W\d_]{4,}")
_SENTENCE_WORDS = folded("sentences", "words")
_MIN_NAMES = 2


def _reads_as_sentence(text: str, *, names_in_small_letters: bool = False) -> bool:
    """Return whether words look like a sentence: by their words, or by small letters.

    >>> [_reads_as_sentence(text) for text in ("Put the goat away", "Thanks for reading.", "Heron of Clay")]
    [True, True, False]
    >>> _reads_as_sentence("Chevalier sans regard", names_in_small_letters=True)
    False
    """
    if _SENTENCE.search(text) or (len(text.split()) > _MIN_NAMES and _has_sentence_word(text)):
        return True
    return not names_in_small_letters and _is_in_small_letters(text)


def _is_in_small_letters(text: str) -> bool:
    """Return whether three or more words have no capital after the first: `Put the goat away`."""
    rest = text.split()[1:]
    return (
        len(rest) >= _MIN_NAMES
        and any(map(_LONG_WORD.match, rest))
        and not any(word[:1].isupper() for word in rest)
    )


def _has_sentence_word(text: str) -> bool:
    return not _SENTENCE_WORDS.isdisjoint(map(fold, text.rstrip(".!?…").split()))


_SENDER = late(r"(?P<head>@\S+\s|[^\W\d_][^:>]{0,40}[:>]\s)\s*\S")
_SMALL_LETTERS = late(r"(?:[^:]{1,40}:\s+)?(?=[^\W\d_])[a-zß-ÿа-я]\S*\s+\S")


def _doubt_sentences(tokens: list[LineToken], bare: Sequence[int]) -> None:
    """Add a doubt to words in small letters among capitalized names: `Tom: thanks for reading`."""
    heads = {match["head"] if (match := _SENDER.match(tokens[at].text)) else None for at in bare}
    if len(bare) >= _MIN_NAMES and len(heads) == 1 and (head := heads.pop()):
        for at in bare:
            name = tokens[at].text.removeprefix(head).strip()
            doubt = f"is `{head.strip()}`, before each name, part of it? write `{name}` if not"
            tokens[at] = tokens[at].asking(doubt=doubt)
        return
    names_in_small_letters = any(
        _is_in_small_letters(tokens[at].text) for at in bare if not _has_sentence_word(tokens[at].text)
    )

    def is_remark(text: str) -> bool:
        sentence = _has_sentence_word(text) and _is_in_small_letters(text)
        return bool(_SMALL_LETTERS.match(text)) or (sentence and not names_in_small_letters)

    remarks = [at for at in bare if is_remark(tokens[at].text)]
    names = [tokens[at].text for at in bare if at not in remarks]
    if len(names) >= _MIN_NAMES and all(name[:1].isupper() for name in names):
        for at in remarks:
            text = tokens[at].text
            tokens[at] = tokens[at].asking(
                doubt=f"a card, or a remark? write `1 {text}` if it is a card, `# {text}` if not"
            )


def _ask_about_small_letters(tokens: list[LineToken]) -> None:
    """Ask about the only counted name in small letters: `4 whatever`, `12 mountains`."""
    counted = [at for at, token in enumerate(tokens) if token.kind is LineKind.COUNTED and not token.whole]
    small = [at for at in counted if tokens[at].text[:1].islower()]
    if len(small) != 1 or len(counted) <= _MIN_NAMES:
        return
    name = fold(tokens[small[0]].text)
    if sum(fold(tokens[at].text) == name for at in counted) == 1:
        question = "it was read as a card, though the other names begin with a capital"
        tokens[small[0]] = tokens[small[0]].asking(question=question)


_COMMAS = late(r"[,;、，；]")
_ROW_IN_ZONE = late(  # not `Katsu, the Wanderer`
    r"[^,;、，；]+(?:[,;](?!\s*[a-z])[^,;]+|[、，；][^、，；]+)+"
)


def _doubt_rows(tokens: list[LineToken], bare: Sequence[int]) -> None:
    """Add a doubt to bare lines that may be several names: `Kite, Bell, Drum, Goat`."""
    alone = sum(token.kind in CARD_KINDS for token in tokens) == 1
    for at in bare:
        if len(_COMMAS.findall(tokens[at].text)) >= (2 if alone else 3):
            tokens[at] = tokens[at].asking(
                doubt="are these several cards? write each on its own line; "
                "if it is one card, write `1` before its name"
            )
    for at, token in enumerate(tokens):
        zoned = token.kind is LineKind.BARE and token.zone and general_kind(token.zone) not in LEADING
        if zoned and _ROW_IN_ZONE.fullmatch(token.text):
            tokens[at] = token.asking(
                question="it was read as one card; if these are several, write each on its own line"
            )
