"""Decides by place what the lines of a deck are: title, leader, header, footer or card.

`assign_roles` decides which numbers after words are counts, then which lines are not cards, and then asks
about cards that may be something else. If most cards have a count, the lines without one are about the deck.
If most have none, the lines without a count are the cards. The module `plain_form` explains doubts and
questions.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from msgspec.structs import replace

from tourney.cards.names import fold, script
from tourney.decks.reading.counts import is_only_a_count, match_form, name_without_number, whole_number
from tourney.decks.reading.lines import (
    CARD_KINDS,
    GAPS,
    LineKind,
    LineRole,
    LineToken,
    first_content,
    max_copies,
)
from tourney.decks.reading.names import Dialect
from tourney.decks.reading.questions import READ_AS_ONE_CARD, SEVERAL_CARDS
from tourney.decks.reading.text import is_item, tidy
from tourney.decks.reading.vocabulary import (
    ABOUT_THE_DECK,
    LEADING,
    Header,
    Vocabulary,
    counts_cards,
    general_kind,
    is_a_plural,
    possible_header,
)
from tourney.decks.reading.words import folded_words, lazy_pattern

MAX_SIDE = 15
"""The maximum number of cards in a sideboard that has no header."""


def assign_roles(tokens: Sequence[LineToken], vocabulary: Vocabulary, dialect: Dialect) -> None:
    """Decide what the lines of a deck are, such as title, leader, footer or card.

    Marks titles, footers and leaders, decides whether other unclear lines are headers or cards, and adds
    doubts and questions to cards.
    """
    for above, below in itertools.pairwise(tokens):
        above.below, below.above = below, above
    _settle_numbers(tokens)
    _doubt_sums(tokens)
    _doubt_lookalikes(tokens)
    counted_cards = sum(token.kind is LineKind.COUNTED for token in tokens)
    are_mostly_counted = counted_cards > 0 and counted_cards >= len(_bare_lines(tokens))
    if are_mostly_counted:
        _mark_footer(tokens)
        _mark_signature(tokens)
        _confirm_headers(tokens)
    else:
        _mark_signature(tokens)
        _drop_unsure_headers(tokens, vocabulary)
    _mark_title(tokens, counted_cards, vocabulary, dialect)
    bare_lines = _bare_lines(tokens)
    _mark_parts(tokens, bare_lines if counted_cards else (), vocabulary, dialect)
    _ask_about_cards(tokens, bare_lines, are_mostly_counted=are_mostly_counted)


def _bare_lines(tokens: Sequence[LineToken]) -> list[LineToken]:
    """Return the lines that are words without a count, name no zone, and have no role yet."""
    return [
        token for token in tokens if token.kind is LineKind.BARE and token.zone is None and token.role is None
    ]


def _tail_start(tokens: Sequence[LineToken], kinds: Iterable[LineKind]) -> int:
    """Return the index at which the final run of lines of these kinds begins."""
    return len(tokens) - sum(1 for _ in itertools.takewhile(lambda token: token.kind in kinds, tokens[::-1]))


def count_copies(tokens: Iterable[LineToken]) -> int:
    """Return the sum of the counts of lines."""
    return sum(whole_number(token.count) or 0 for token in tokens if token.kind is LineKind.COUNTED)


# -- a number after words: the copies of a card, or the number of cards below a header


_MIN_SUM = 20
_CLOSING = (")", "]", "}", ">")


def _settle_numbers(tokens: Sequence[LineToken]) -> None:
    """Decide what a number after words is: `Kite (5)` is five copies, `Agenda (5)` a header.

    Such a line is a header only if the next card has its count before its name, and if the number is the sum
    of the cards below.
    """
    if not any(token.tail or token.full_name for token in tokens):
        return
    max_count = max_copies(tokens)
    for token in tokens:
        if token.tail:
            _settle_number(token, max_count, is_first=token is first_content(tokens))
        elif token.kind is LineKind.HEADER and token.header is not None and token.header.is_group:
            _doubt_group(token, token.header)
        elif token.full_name and token.zone and general_kind(token.zone) not in LEADING:
            _refuse_more_than(max_count, token)
    _refuse_brackets_that_differ([token for token in tokens if token.full_name.endswith(_CLOSING)])


def _settle_number(token: LineToken, max_count: int, *, is_first: bool) -> None:
    """Decide whether the number after the words of a line, as in `Kite (5)`, counts copies.

    If not, the line is a header or a total, and the number is a sum of cards.

    max_count: the largest number that can count copies; see `max_copies`
    """
    number = whole_number(token.tail)
    if _is_total(token):
        token.kind, token.text, token.count, token.tail, token.full_name = (
            LineKind.TOTAL, token.full_name, token.tail, "", "",
        )  # fmt: skip
        return
    could_be_header = token.begins_paragraph and token.is_above(LineKind.COUNTED)
    if could_be_header:
        of_several, of_one = _sums_below(token)
        if number in of_several or (number in of_one and not is_first):
            token.kind, token.header = LineKind.HEADER, Header(token.text, number, is_marked=True)
            return
    token.kind, token.count, token.tail = LineKind.COUNTED, token.tail, ""
    if not could_be_header:
        _refuse_more_than(max_count, token)
        return
    doubt = (
        f"{token.count} copies, or a header for {token.count} cards? "
        f"write `{token.count} {token.text}` for copies, `## {token.text}` for a header"
    )
    if number is not None and number <= max_count:
        token.doubt = token.doubt or doubt
    else:
        token.fault = token.fault or doubt


def _refuse_more_than(max_count: int, token: LineToken) -> None:
    """Add a fault to a line unless the number after the card's name is at most `max_count`."""
    number = whole_number(token.count)
    if number is None or number > max_count:
        fault = f"{token.count} copies? write the count before the name, as in `{token.count} {token.text}`"
        token.fault = token.fault or fault


def _refuse_brackets_that_differ(tokens: Sequence[LineToken]) -> None:
    """Add a fault to lines with the same name but different brackets: `Kite [2]` and `Kite (2)`.

    Perhaps only the number in one of the two kinds of brackets is a count.
    """
    brackets: dict[str, set[str]] = {}
    for token in tokens:
        brackets.setdefault(fold(token.text), set()).add(token.full_name[-1])
    for token in tokens:
        if len(brackets[fold(token.text)]) > 1:
            token.fault = token.fault or (
                "another line has a number in other brackets beside this name; "
                f"write `{token.count} {token.text}` if it is the count"
            )


def _is_total(token: LineToken) -> bool:
    """Return whether a line is the total at the end of a decklist, such as `Total 60`.

    It is the last line of the list, a blank line or a separator (`=====`) is directly above it, and the
    number at its end is the sum of all counts above. The words before the number can be in any language. A
    sum of `_MIN_SUM` or less is not accepted, because it could be the number of copies of a card.
    """
    if token.above is None or token.above.kind not in GAPS or not token.is_last:
        return False
    number = count_copies(token.lines_above())
    return number > _MIN_SUM and whole_number(token.tail) == number


def _doubt_group(token: LineToken, header: Header) -> None:
    """Mark the number in a group's header as a possible count: `Energy - 1` above `Kite - 1`.

    This applies if the next line ends in a number, too, and the number is not the sum of several lines below.
    """
    below = token.content_below
    if header.count is not None and below and below.tail and header.count not in _sums_below(token)[0]:
        token.tail, token.full_name, token.text = str(header.count), token.text, header.words


def _sums_below(token: LineToken) -> tuple[set[int], set[int]]:
    """Return two sets of possible totals of the cards below a header, to check its number.

    A total adds the counts from the header down to a blank line, another header, a line with a number after
    words, or the end of the list. The first set has the totals of several lines. The second set has the count
    of a single line, which may equal the number in the header by chance.
    """
    sums: tuple[set[int], set[int]] = set(), set()
    total = cards = 0
    for below in (*token.lines_below(), LineToken(LineKind.BLANK, 0, "")):
        if below.kind is LineKind.COUNTED:
            total, cards = total + (whole_number(below.count) or 0), cards + 1
        elif cards and (below.kind in (LineKind.BLANK, LineKind.HEADER) or below.tail):
            sums[cards == 1].add(total)
    return sums


# -- sums of one kind of card, and letters that look like a count


_NO_LETTERS = lazy_pattern(r"(?=.*\d)(?:\d{1,3}(?!\d)|[^\w+])+")


def _doubt_sums(tokens: Sequence[LineToken]) -> None:
    """Mark lines that seem to be sums instead of cards, such as `20 lands` and `7 / 60`.

    Such a line gets a `doubt`. A line such as `4 Energy` gets a `question`: it was read as a card, but the
    word also means a kind of card.
    """
    for token in tokens:
        if token.kind not in CARD_KINDS:
            continue
        text = token.text.rstrip(":").strip("*_` ")
        is_counted = token.kind is LineKind.COUNTED
        if _NO_LETTERS.fullmatch(text):
            is_sum = is_counted or not is_only_a_count(text)
        elif is_counted and not token.zone and not token.full_name and counts_cards(text):
            is_sum = (
                " " in text
                or text[:1].islower()
                or text[-1:] in "sS"
                or general_kind(text) is not None
                or is_a_plural(text)
                or not text.isascii()
            )
            if not is_sum:
                token.question = token.question or (
                    "it was read as a card, though the word also means a kind of card"
                )
        else:
            continue
        if is_sum:
            token.doubt = token.doubt or (
                "is this a total or a header? write each card on its own line; "
                f"if `{text}` is a card, put it in quotes"
            )


def _doubt_lookalikes(tokens: Sequence[LineToken]) -> None:
    """Add a doubt to lines with letters that look like a count: `I Kite`, `l Kite`, `1O Island`."""
    if not any(token.kind is LineKind.COUNTED for token in tokens):
        return
    for token in tokens:
        match = match_form("lookalike", token.text) if token.kind is LineKind.BARE else None
        if match:
            token.doubt = token.doubt or (
                f"is `{match['count']}` the count? "
                "write it in digits before the name, without quotes or signs"
            )


# -- footer, signature, and headers that only their place shows


_AT_THE_END = frozenset({*GAPS, LineKind.BARE, LineKind.OTHER, LineKind.TOTAL, LineKind.COMMENT})


def _mark_footer(tokens: Sequence[LineToken]) -> None:
    """Mark words at the end of a list as a footer if an address is there.

    Only the lines below the last counted card, header or key are searched. The footer begins with the first
    paragraph that contains an address. If that paragraph begins with the first of the searched lines, and
    this line is words without a count, nothing is marked: the line may be a card.
    """
    start = _tail_start(tokens, _AT_THE_END)
    first_index = next(
        (index for index in range(start, len(tokens)) if tokens[index].kind is LineKind.OTHER), None
    )
    if first_index is None or start == 0:
        return
    while first_index > start and tokens[first_index - 1].kind is not LineKind.BLANK:
        first_index -= 1
    if first_index == start and tokens[start].kind is LineKind.BARE:
        return
    for token in tokens[first_index:]:
        if token.kind is LineKind.BARE:
            token.role, token.reason = LineRole.FOOTER, "it is beside an address at the end"


_WORDS = (LineKind.BARE, LineKind.OTHER, LineKind.BLANK)
_SIGNED = lazy_pattern(r"[>\s]*--[ \u00a0]$")
_MAX_SIGNATURE = 4


def _mark_signature(tokens: Sequence[LineToken]) -> None:
    """Mark the lines below the last `-- ` as a footer: the signature of a mail.

    If they are more than four, they are not marked.
    """
    start = _tail_start(tokens, _WORDS) - 1
    if start < 0 or not _SIGNED.match(tokens[start].raw):
        return
    below = [token for token in tokens[start + 1 :] if token.kind is not LineKind.BLANK]
    is_short = 0 < len(below) <= _MAX_SIGNATURE and not any(token.tail for token in below)
    if is_short and any(token.kind in CARD_KINDS for token in tokens[:start]):
        if tokens[start].kind is LineKind.RULE:
            tokens[start].kind = LineKind.OTHER
        for token in below:
            if token.kind is LineKind.BARE:
                token.role, token.reason = LineRole.FOOTER, "it is below `--`"


def _confirm_headers(tokens: Sequence[LineToken]) -> None:
    """Turn `Arena cards` and `Agenda (6)` into headers if a counted card follows."""
    first, headers = first_content(tokens), list[tuple[LineToken, Header]]()
    for token in tokens:
        if token.kind not in (LineKind.BARE, LineKind.COMMENT) or token.zone is not None or token.role:
            continue
        header = possible_header(token.text)
        if header is None or (token is first and header == Header(token.text)):
            continue  # `Summer Deck` above all other lines is a title
        is_comment = token.kind is LineKind.COMMENT
        begins_part = _is_capitalised(token.text) if is_comment else token.begins_paragraph
        if begins_part and token.is_above(LineKind.COUNTED):
            headers.append((token, header))
    for token, header in headers:
        token.kind, token.header = LineKind.HEADER, replace(header, is_marked=True)


def _is_capitalised(comment: str) -> bool:
    """Return whether a comment is written like a heading (`Material Deck`), not like a remark."""
    return all(word[:1].isupper() or not word[:1].isalpha() for word in comment.split())


def _drop_unsure_headers(tokens: Sequence[LineToken], vocabulary: Vocabulary) -> None:
    """Turn headers that may be cards, such as `Energy`, into cards.

    This is for lists in which most cards have no count. Headers that are sure to mean a zone, such as `Deck`,
    do not change.
    """
    for token in tokens:
        header = token.header
        if (
            token.kind is LineKind.HEADER
            and header is not None
            and header == Header(token.text, is_zone=header.is_zone, is_group=header.is_group)
            and not vocabulary.is_sure(header.words)
        ):
            token.kind, token.header = LineKind.BARE, None
            token.question = READ_AS_ONE_COPY


# -- the title, and the reason for it


_FACTION = lazy_pattern(r"(?:house [a-z]+|the night.s watch)$", re.I)


def _mark_title(
    tokens: Sequence[LineToken], counted_cards: int, vocabulary: Vocabulary, dialect: Dialect
) -> None:
    """Mark the first line if it is the deck's title, with the reason for this decision."""
    first = first_content(tokens)
    if first is None or first.below is None:
        return
    if first.kind is LineKind.HEADER and first.header is not None:
        reason = _header_title_reason(first, first.header, dialect)
    elif (
        first.kind is not LineKind.BARE
        or first.zone is not None
        or first.role is not None
        or first.doubt
        or first.fault
        or is_only_a_count(first.text.rstrip(":"))
        or is_item(tidy(first.raw))
        or (dialect.factions and _FACTION.match(first.text))
    ):
        reason = ""
    elif _names_a_game(first.text, vocabulary):
        reason = "it names the game or the format"
    elif counted_cards and len(_bare_lines(tokens)) == 1:
        reason = "it is the first line and the only one without a count"
    else:
        reason = _words_title_reason(first, first.below.kind, counted_cards, dialect)
    if reason:
        first.role, first.reason = LineRole.TITLE, reason


def _header_title_reason(first: LineToken, header: Header, dialect: Dialect) -> str:
    """Return why a header at the top is a title: `Ann's deck:`, or `## Ann's deck` above a gap."""
    if header.is_known or header.count is not None or fold(header.words) in ABOUT_THE_DECK:
        return ""
    if first.text.endswith(":"):
        return "it is the first line and ends in a colon"
    is_apart = first.below is not None and first.below.kind is LineKind.BLANK
    is_heading = is_apart and first.raw.lstrip().startswith("#")
    return "it is a heading of its own" if is_heading or dialect.titled else ""


def _words_title_reason(first: LineToken, below: LineKind, counted_cards: int, dialect: Dialect) -> str:
    """Return why the first line, which has no count, is the title; empty if it is not."""
    if dialect.titled or below is LineKind.RULE or (below is LineKind.HEADER and counted_cards):
        return "it is the first line and a section follows"
    is_commented = any(token.kind is LineKind.COMMENT for token in first.lines_above())
    is_apart = below is LineKind.BLANK and not is_commented and first.content_below is not None
    if is_apart and (counted_cards or _has_a_paragraph(first.lines_below())):
        return "it is the first line and a blank one follows"
    return ""


def _names_a_game(text: str, vocabulary: Vocabulary) -> bool:
    padded_text = f" {_letters(text)} "
    return any(f" {_letters(title)} " in padded_text for title in vocabulary.titles if title)


def _letters(text: str) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in fold(text)).split())


def _has_a_paragraph(tokens: Iterable[LineToken]) -> bool:
    """Return whether two cards are on adjacent lines; if none are, blank lines mean nothing."""
    return any(
        above.kind in CARD_KINDS and below.kind in CARD_KINDS for above, below in itertools.pairwise(tokens)
    )


# -- leaders above the list, and a sideboard below a blank line or a rule


_MAX_LEADERS = 3


def _mark_parts(
    tokens: Sequence[LineToken], bare_lines: Sequence[LineToken], vocabulary: Vocabulary, dialect: Dialect
) -> None:
    """Mark the leaders, and the first card of a sideboard that has no header.

    If it is unclear whether the cards below a line such as `-----` are a sideboard, the first of them gets
    the role `UNCLEAR_PART`.

    bare_lines: the lines without a count that may be leaders; empty if no line has a count
    """
    can_lead = vocabulary.zone_of_kind("leader") is not None
    leaders = _find_leaders(tokens, bare_lines, dialect) if can_lead else ()
    side = None if leaders else _find_side(tokens, dialect)
    if side is not None and _leads_a_long_list(side):
        above = (token for token in side.lines_above() if token.kind is LineKind.COUNTED)
        leaders, side = tuple(above) if can_lead else (), None
    for token in leaders:
        token.role = LineRole.LEADER
    if vocabulary.zone_of_kind("side") is None:
        return
    role, gap = LineRole.SIDE, "blank line"
    if not (leaders or dialect.identity) and (below_rules := _find_below_rules(tokens, vocabulary)):
        side = below_rules[0]
        cards = (token for token in (side, *side.lines_below()) if token.kind in CARD_KINDS)
        is_side = len(below_rules) == 1 and sum(whole_number(token.count) or 1 for token in cards) <= MAX_SIDE
        role, gap = LineRole.SIDE if is_side else LineRole.UNCLEAR_PART, "separator"
    if side is not None and side.role is None:
        side.role, side.reason = role, gap


def _find_leaders(
    tokens: Sequence[LineToken], bare_lines: Sequence[LineToken], dialect: Dialect
) -> Sequence[LineToken]:
    """Return the lines at the top of a list that name leaders; empty if no line does.

    These are one to three lines without a count, above all other cards and headers. A blank line or a header
    must follow them. If the dialect has `identity`, any line may follow.

    bare_lines: all lines without a count that may be leaders; if some of them are not at the top, the result
                is empty
    """
    rest = [token for token in tokens if token.role is not LineRole.TITLE]
    token = first_content(rest)
    if not bare_lines or token is not bare_lines[0] or len(bare_lines) > _MAX_LEADERS:
        return ()
    above = list[LineToken]()
    while token is not None and token.kind is LineKind.BARE and not is_only_a_count(token.text):
        above.append(token)
        token = token.below
    has_end = token is not None and (dialect.identity or token.kind in (LineKind.BLANK, LineKind.HEADER))
    return bare_lines if has_end and above == bare_lines else ()


def _find_side(tokens: Sequence[LineToken], dialect: Dialect) -> LineToken | None:
    """Return the first card below the only gap in a list of cards; else None.

    The card may begin a sideboard without a header. A gap is one or more blank lines between cards. Returns
    None if the list has headers or zones, or if a line below the title has words but no count.
    """
    if dialect.identity or any(token.zone is not None for token in tokens):
        return None
    rest = [token for token in tokens if token.role is not LineRole.TITLE]
    if any(token.kind in (LineKind.HEADER, LineKind.BARE) for token in rest):
        return None
    breaks, is_below_blank, has_cards = list[LineToken](), False, False
    for token in rest:
        if token.kind is LineKind.BLANK:
            is_below_blank = has_cards
        elif token.kind is LineKind.COUNTED:
            breaks += [token] if is_below_blank else []
            is_below_blank, has_cards = False, True
    return breaks[0] if len(breaks) == 1 else None


def _find_below_rules(tokens: Sequence[LineToken], vocabulary: Vocabulary) -> Sequence[LineToken]:
    """Return the first card below each separator line, such as `-----`, in the main deck.

    A separator does not count if it consists of `=`, if no card is above it, or if a header is between it and
    the card. Returns no cards if a header names a sideboard, or if a prefix such as `SB:` names the zone of a
    card.
    """
    below_rules: list[LineToken] = []
    is_main, has_cards, is_ruled = True, False, False
    for token in tokens:
        header = token.header
        if token.zone is not None or (header and header.is_zone and general_kind(header.words) == "side"):
            return ()
        if token.kind is LineKind.HEADER and header is not None:
            if header.is_zone:
                is_main = vocabulary.zone_id(header.words) == vocabulary.zone_id("main")
            is_ruled = False
        elif token.kind is LineKind.RULE and token.text != "=":
            is_ruled = has_cards and is_main
        elif token.kind in CARD_KINDS and token.role is not LineRole.TITLE:
            below_rules.extend([token] if is_ruled else [])
            has_cards, is_ruled = True, False
    return below_rules


def _leads_a_long_list(side: LineToken) -> bool:
    """Return whether a gap has at most two cards above it, and more than `MAX_SIDE` below it.

    That many cards are not a sideboard. Each copy of a card counts; lines without a count do not.

    side: the first card below the gap
    """
    return count_copies(side.lines_above()) <= 2 and count_copies((side, *side.lines_below())) > MAX_SIDE


# -- cards that may be something else


def card_question(text: str) -> str:
    """Return a question about a line without a count, which may be a header or a remark."""
    return (
        "is this a card? it has no count; "
        f"write `1 {text}` for a card, `## {text}` for a header, or `# {text}` for other text"
    )


READ_AS_ONE_COPY = "it has no count and was read as one copy; write `#` before a title, `##` before a header"


def _ask_about_cards(
    tokens: Sequence[LineToken], bare_lines: Sequence[LineToken], *, are_mostly_counted: bool
) -> None:
    """Add doubts and questions to lines that were read as cards and may be something else."""
    _ask_about_rows(tokens, bare_lines)
    other_lines = _OtherLines(tokens, bare_lines)
    for token in bare_lines:
        is_leader = token.role is LineRole.LEADER
        if not is_leader and other_lines.makes_unlikely(token, are_mostly_counted=are_mostly_counted):
            token.doubt = token.doubt or card_question(token.text)
        elif (
            (are_mostly_counted and not is_leader)
            or other_lines.shows_title(token)
            or other_lines.differs_in_script(token)
        ):
            token.question = token.question or READ_AS_ONE_COPY
    if are_mostly_counted:
        _ask_about_lower_case(tokens)


_COMMAS = lazy_pattern(r"[,;、，；]")
_ROW_IN_ZONE = lazy_pattern(  # not `Katsu, the Wanderer`
    r"[^,;、，；]+(?:[,;](?!\s*[a-z])[^,;]+|[、，；][^、，；]+)+"
)


def _ask_about_rows(tokens: Sequence[LineToken], bare_lines: Sequence[LineToken]) -> None:
    """Add a doubt or a question to lines that may be several names: `Kite, Bell, Drum, Goat`."""
    is_single = sum(token.kind in CARD_KINDS for token in tokens) == 1
    for token in bare_lines:
        if len(_COMMAS.findall(token.text)) >= (2 if is_single else 3):
            token.doubt = token.doubt or SEVERAL_CARDS
    for token in tokens:
        is_zoned = token.kind is LineKind.BARE and token.zone and general_kind(token.zone) not in LEADING
        if is_zoned and _ROW_IN_ZONE.fullmatch(token.text):
            token.question = token.question or READ_AS_ONE_CARD


def _ask_about_lower_case(tokens: Sequence[LineToken]) -> None:
    """Ask about the counted line whose name is the only one that begins with a small letter.

    An example is `4 whatever` among capitalized names. Does not ask if fewer than three lines have a count,
    or if another line has the same name.
    """
    counted_lines = [token for token in tokens if token.kind is LineKind.COUNTED and not token.full_name]
    lower_lines = [token for token in counted_lines if token.text[:1].islower()]
    if len(lower_lines) != 1 or len(counted_lines) <= _MIN_NAMES:
        return
    (token,) = lower_lines
    if sum(fold(other.text) == fold(token.text) for other in counted_lines) == 1:
        token.question = token.question or (
            "it was read as a card, though the other names begin with a capital"
        )


_ENDS_IN_A_NUMBER = lazy_pattern(r".*[^\d.,]\s?(?P<number>\d{1,3})\W*")
_SENTENCE = lazy_pattern(r"[^\W\d_]{3,}[.…]$|[!?]{2,}$|\s[!?]$|(?:\S+\s+){8}\S")
_LONG_WORD = lazy_pattern(r"[^\W\d_]{4,}")
_SENTENCE_WORDS = folded_words("sentences", "words")
_SENDER = lazy_pattern(r"(?P<head>@\S+\s|[^\W\d_][^:>]{0,40}[:>]\s)\s*\S")
_LOWER_CASE = lazy_pattern(r"(?:[^:]{1,40}:\s+)?(?=[^\W\d_])[a-zß-ÿа-я]\S*\s+\S")
_MIN_NAMES = 2


class _OtherLines:
    """The lines of a decklist, which help to decide whether a line without a count is a card.

    A line that does not look like the other lines is rarely a card.

    bare_lines: the lines that had no count, zone or role before leaders were marked
    cards:      the lines of `bare_lines` that were not marked as leaders
    """

    def __init__(self, tokens: Sequence[LineToken], bare_lines: Sequence[LineToken]) -> None:
        self.tokens = tokens
        self.bare_lines = bare_lines
        self.cards = [token for token in bare_lines if token.role is not LineRole.LEADER]
        self.first = first_content(tokens)
        self.counted_names = [token.text for token in tokens if token.kind is LineKind.COUNTED]

    def makes_unlikely(self, token: LineToken, *, are_mostly_counted: bool) -> bool:
        """Return whether a line without a count is probably a title, a header, a sum or a remark.

        are_mostly_counted: whether most cards of the deck have a count
        """
        if self.are_heads:
            return True
        if not are_mostly_counted:
            return self.have_one_sender or token in self.remarks
        return (
            token is self.first
            or ":" in token.text
            or token in self.below_dashes
            or self.is_sum(token)
            or self.is_sentence(token.text)
        )

    @cached_property
    def are_heads(self) -> bool:
        """Whether all lines without a count are headers: each begins a paragraph of counted cards."""
        return all(
            token.begins_paragraph and token.below is not None and token.below.kind is LineKind.COUNTED
            for token in self.cards
        ) and any(token.above is not None and token.above.kind is LineKind.BLANK for token in self.cards)

    @cached_property
    def below_dashes(self) -> AbstractSet[LineToken]:
        """The words at the end, below a line `--`.

        They are a signature. Mail programs write `-- `, with a space, but the space may be missing here.
        """
        start = _tail_start(self.tokens, _WORDS)
        is_signed = start > 0 and self.tokens[start - 1].raw.strip(" >") == "--"
        return frozenset(self.tokens[start:] if is_signed else ())

    def is_sum(self, token: LineToken) -> bool:
        """Return whether a line ends in a sum of the cards above it.

        On the last line, any number that is too large for a count is a sum.
        """
        match = _ENDS_IN_A_NUMBER.fullmatch(token.text)
        if match is None:
            return False
        number, total, sums = int(match["number"]), 0, {0}
        for above in token.lines_above():
            if total > number:
                break
            if above.kind is LineKind.COUNTED:
                total += whole_number(above.count) or 0
            elif total:
                sums.add(total)
        return number in sums | {total} or (token.is_last and number > max_copies(self.tokens))

    def is_sentence(self, text: str) -> bool:
        """Return whether a line looks like a sentence: it has certain words, or is in lower case."""
        has_sentence_word = len(text.split()) > _MIN_NAMES and _has_sentence_word(text)
        if _SENTENCE.search(text) or has_sentence_word:
            return True
        if text[:1].islower() and not any(name[:1].islower() for name in self.counted_names):
            return True
        return _is_in_lower_case(text) and not any(map(_is_in_lower_case, self.counted_names))

    @cached_property
    def have_one_sender(self) -> bool:
        """Whether all lines begin with the same words, such as `Tom: `."""
        heads = {match["head"] if (match := _SENDER.match(token.text)) else "" for token in self.cards}
        return len(self.cards) >= _MIN_NAMES and len(heads) == 1 and "" not in heads

    @cached_property
    def remarks(self) -> AbstractSet[LineToken]:
        """The lines in `cards` that are probably remarks, such as `Tom: thanks for reading`.

        Each begins in lower case (after a possible `Tom: `), or continues in lower case after its first word.
        Empty unless `cards` has at least two other lines, and all of these begin with a capital letter.
        """
        names_in_lower_case = any(
            _is_in_lower_case(token.text) for token in self.cards if not _has_sentence_word(token.text)
        )

        def is_remark(text: str) -> bool:
            sentence = _has_sentence_word(text) and _is_in_lower_case(text)
            return bool(_LOWER_CASE.match(text)) or (sentence and not names_in_lower_case)

        remarks = {token for token in self.cards if is_remark(token.text)}
        names = [token.text for token in self.cards if token not in remarks]
        are_capitalized = len(names) >= _MIN_NAMES and all(name[:1].isupper() for name in names)
        return remarks if are_capitalized else frozenset()

    def shows_title(self, token: LineToken) -> bool:
        """Return whether `token` may be a title, as it differs from the other lines without a count.

        It must be the first line. All other lines without a count must have a number that could be a count,
        as in `Kite III`, and this line must not. False if there are no other lines without a count.
        """
        if token is not self.first or name_without_number(token.text):
            return False
        other_lines = [other for other in self.bare_lines if other is not token]
        return bool(other_lines) and all(name_without_number(other.text) for other in other_lines)

    def differs_in_script(self, token: LineToken) -> bool:
        """Return whether a line above a card is in another script, so that it may be a header."""
        own_script = script(token.text)
        ((main_script, number),) = self.scripts.most_common(1) or [("", 0)]
        is_other = own_script != main_script and self.scripts[own_script] * 2 <= number
        return is_other and token.is_above(*CARD_KINDS)

    @cached_property
    def scripts(self) -> Counter[str]:
        """The number of card names in each writing system, such as `Latin`."""
        return Counter(script(token.text) for token in self.tokens if token.kind in CARD_KINDS and token.text)


def _is_in_lower_case(text: str) -> bool:
    """Return whether two or more lower-case words follow the first one: `Put the goat away`."""
    rest = text.split()[1:]
    return (
        len(rest) >= _MIN_NAMES
        and any(map(_LONG_WORD.match, rest))
        and not any(word[:1].isupper() for word in rest)
    )


def _has_sentence_word(text: str) -> bool:
    return not _SENTENCE_WORDS.isdisjoint(map(fold, text.rstrip(".!?…").split()))
