"""Reads plain text, as people paste it and as most programs export it.

`classify` classifies the lines one by one. `assign_roles` decides by their places what the lines without a
count are. `_Assembly` puts each deck together.

How the reader reports an interpretation of a line, from certain to impossible:

| reported as  | by                             | meaning                                                    |
|--------------|--------------------------------|------------------------------------------------------------|
| note         | `deck.note`                    | nearly certain; `deck show` shows it                       |
| weighty note | `deck.note(…, weighty=True)`   | could change the verdict, so `deck check` shows it, too    |
| words        | `deck.add_words`               | not a card, unless the pool or ban list knows the name     |
|              | `deck.add_words(…, question=…)` | the same; in an open pool, a card with a question         |
| question     | `question` of the token        | a card that counts; asked about if no pool knows it        |
| doubt        | `doubt` of the token           | an error, unless the pool or the ban list knows the card   |
| fault        | `deck.fault`, `fault` of the token | an error (or advice), even if a pool knows the card    |
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import structs

from tourney.cards.names import fold
from tourney.decks.decklist import Decklist, ParsedName, Reading
from tourney.decks.reading.builder import DeckBuilder, Section, unknown_group
from tourney.decks.reading.counts import (
    is_only_a_count,
    name_without_number,
    split_count,
    whole_number,
)
from tourney.decks.reading.lines import CARD_KINDS, LineKind, LineRole, LineToken, classify, split_cards
from tourney.decks.reading.names import Dialect, detect, join_subtitle, parse_name
from tourney.decks.reading.roles import assign_roles, card_question, count_copies
from tourney.decks.reading.text import (
    MAX_LINE,
    ListForm,
    ListText,
    count_lines_to_read,
    list_number,
    remove_message_head,
    tidy,
    unread_lines_message,
)
from tourney.decks.reading.vocabulary import (
    ABOUT_THE_DECK,
    LEADER_KINDS,
    LEADING,
    NEVER_SORTED,
    Header,
    general_kind,
)
from tourney.decks.reading.words import lazy_pattern, squeeze
from tourney.errors import Severity

_MAX_LETTERS = 250_000


def read_plain(
    text: ListText, numbered_lines: Sequence[tuple[int, str]] = (), unclear: Sequence[tuple[int, str]] = ()
) -> list[Decklist]:
    """Read the decks in plain text. Always returns at least one deck, which may be empty.

    numbered_lines: the lines to read instead of those of `text`, each with its line number in the file. Lists
                    that are side by side in the text come one after the other. If empty, the lines of `text`
                    are read
    unclear:        lines, or parts of lines, that could belong to more than one list; each with its line
                    number
    """
    vocabulary = text.vocabulary
    line_count = count_lines_to_read(text.lines, _MAX_LETTERS, longest=MAX_LINE)
    tidy_lines = [
        remove_message_head(tidy(line)) if len(line) <= MAX_LINE else "" for line in text.lines[:line_count]
    ]
    dialect = detect(tidy_lines)
    has_line_numbers = _are_line_numbers([list_number(line) for line in tidy_lines])
    rows = [row for row in numbered_lines if row[0] <= line_count] or list(enumerate(tidy_lines, start=1))
    tokens = [
        classify(
            number, text.lines[number - 1], piece, vocabulary, dialect, has_line_numbers=has_line_numbers
        )
        for number, line in rows
        for piece in ([line] if dialect.columns else split_cards(line))
    ]
    parts = _split_decks(_join_counts(tokens))
    decks = [_Assembly(part, text, dialect) for part in parts]
    used_numbers = {number for number, line in rows if line}
    for number, line in enumerate(tidy_lines, start=1):
        if line and number not in used_numbers:  # only tags, or the heads of columns
            decks[0].deck.account.setdefault(number, "comment")
    for number, line in unclear:
        line_text = squeeze(tidy(line))[:40]
        message = f"`{line_text}`: which of the lists side by side does it belong to?"
        decks[0].deck.fault("line", message, line=number, hint="put one list below the other")
    if line_count < len(text.lines):
        decks[-1].deck.fault("line", unread_lines_message(line_count, text.lines), line=line_count)
    return [assembly.read() for assembly in decks]


FORM = ListForm(order=100, read=read_plain)


def _are_line_numbers(numbers: Sequence[int | None]) -> bool:
    """Return whether the numbers at the starts of lines only number the lines, as in `3. Kite`.

    That is so if the numbers go up from 1 by 1, or start again at 1 after each line without a number, or if
    all are 1. Otherwise, they may be numbers of copies.

    numbers: for each line, its number; None for a line without one
    """
    given_numbers = [number for number in numbers if number is not None]
    if all(number == 1 for number in given_numbers) or given_numbers == list(
        range(1, len(given_numbers) + 1)
    ):
        return True
    pairs = itertools.pairwise([None, *numbers])
    return all(number in (None, (before or 0) + 1) for before, number in pairs)


# -- counts on separate lines


def _join_counts(tokens: Sequence[LineToken]) -> list[LineToken]:
    """Join each count that is on a line of its own to the name below or above it."""
    if not any(token.kind is LineKind.BARE and _is_count(token) for token in tokens):
        return list(tokens)
    joined_tokens: list[LineToken] = []
    start = 0
    for index, token in enumerate(tokens):
        if token.kind in (LineKind.HEADER, LineKind.KEY):
            joined_tokens += [*_join_part(tokens[start:index]), token]
            start = index + 1
    return joined_tokens + _join_part(tokens[start:])


def _join_part(part: Sequence[LineToken]) -> list[LineToken]:
    cards = [token for token in part if token.kind in CARD_KINDS]
    kinds = "".join(map(_count_or_name, cards))
    match = re.fullmatch(r"(?P<title>n?)(?P<pairs>(?:cn)+|(?:nc)+)", kinds)
    has_title = len(kinds) % 2 == 1 and _is_apart(cards[0], part)
    if match is None or bool(match["title"]) != has_title:
        return list(part)
    cards = cards[1:] if has_title else cards
    names_first = match["pairs"].startswith("n")
    pairs = list(zip(cards[not names_first :: 2], cards[names_first::2], strict=True))
    counts_by_name = {name.number: count.text for name, count in pairs}
    counts = {count.number for _, count in pairs}
    has_gaps = any(abs(name.number - count.number) != 1 for name, count in pairs)
    for token in part:
        if token.number in counts:
            token.kind, token.key = LineKind.OTHER, "count"
        elif token.number in counts_by_name:
            token.kind, token.count = LineKind.COUNTED, counts_by_name[token.number].strip("xX×()[]: ")
    return [token for token in part if not (has_gaps and token.kind is LineKind.BLANK)]


def _count_or_name(token: LineToken) -> str:
    if token.kind is not LineKind.BARE or token.tail or token.zone:
        return "?"
    return "c" if _is_count(token) else "n"


def _is_count(token: LineToken) -> bool:
    return is_only_a_count(token.text.rstrip(":"))


def _is_apart(token: LineToken, part: Sequence[LineToken]) -> bool:
    below = next((other for other in part if other.number > token.number), None)
    return below is not None and below.kind is LineKind.BLANK


# -- several decks in one text


def _split_decks(tokens: Sequence[LineToken]) -> Iterator[Sequence[LineToken]]:
    """Yield the decks of a text, split at `=====` or where another deck begins."""
    start, seen_signs, has_cards = 0, set[str](), False
    for index, token in enumerate(tokens):
        sign = _deck_sign(token)
        if has_cards and sign is not None and (sign == "=" or sign in seen_signs):
            cut = index + 1 if sign == "=" else _deck_start(tokens, index)
            yield tokens[start:cut]
            start, seen_signs, has_cards = cut, set(), False
        if sign is not None:
            seen_signs.add(sign)
        has_cards = has_cards or token.kind is LineKind.COUNTED
    if start == 0 or any(token.kind in CARD_KINDS for token in tokens[start:]):
        yield tokens[start:]


def _deck_sign(token: LineToken) -> str | None:
    """Return a key for the kind of line, such as `key name`, if it can begin a deck; else None.

    A deck can begin with a line of `=====`, with its own name or its player's name (`Name: …`), or with the
    header of a main deck or a leader.
    """
    if token.kind is LineKind.RULE and token.text == "=":
        return "="
    if token.kind is LineKind.KEY and token.key in ("name", "name-or-player", "player"):
        return "key " + token.key
    if token.kind is not LineKind.HEADER or token.header is None:
        return None
    words = token.header.words
    return f"header {fold(words)}" if general_kind(words) in ("main", *LEADER_KINDS) else None


def _deck_start(tokens: Sequence[LineToken], index: int) -> int:
    """Return the index of the first line of a deck that was recognized by its line `index`.

    The deck's title and comments can be directly above that line. So comments, keys such as `Format:`,
    words without a count, and lines such as addresses belong to the deck, too, if they are there.
    """
    while index and tokens[index - 1].kind in (LineKind.COMMENT, LineKind.BARE, LineKind.KEY, LineKind.OTHER):
        index -= 1
    return index


# -- one deck


_ACCOUNTS = {LineKind.HEADER: "header", LineKind.TOTAL: "header"} | dict.fromkeys(CARD_KINDS, "card")
_CORE_KEYS = frozenset({"name", "player", "name-or-player", "format", "author", "description", "source"})
_KEY_SIGN = lazy_pattern("[:=：]")
_BOILERPLATE = lazy_pattern(
    r"deck file (?:for|created)|generated (?:by|with)|created with|exported from", re.I
)
_NAME_BEFORE_A_NUMBER = lazy_pattern(r"(?P<name>\S.*?[^\W\d].*?) (?P<count>[1-9]\d?)")
_TITLE_OR_CARD = (
    "the whole line was read as the name of a card; if the number is the count, write `4 Name`; "
    "if the line is the title, write `# Name`"
)


class _Assembly:
    """Puts one deck of a plain text together.

    is_in_description: whether the current lines are text about the deck
    is_in_about:       whether the current lines are below `About`
    is_leaving_zone:   whether the zone of the leader ends at the next card
    has_counted_card:  whether a card with a count was read, which ends the text above the list
    """

    is_in_description = is_in_about = is_leaving_zone = has_counted_card = False

    def __init__(self, tokens: Sequence[LineToken], text: ListText, dialect: Dialect) -> None:
        self.deck = DeckBuilder(text, dialect.name, dialect)
        preamble = _read_preamble(tokens, self.deck) if dialect.name == "twd" else 0
        self.deck.account |= {
            token.number: "comment" for token in tokens[:preamble] if token.kind is not LineKind.BLANK
        }
        self.tokens = tokens[preamble:]
        assign_roles(self.tokens, text.vocabulary, dialect)
        self.keys = set[str]()
        self.unknown_groups = dict[int, str]()

    def read(self) -> Decklist:
        """Read the tokens in order, and return the deck."""
        for token in self.tokens:
            match token.role:
                case LineRole.TITLE:
                    self._take_title(token)
                case LineRole.FOOTER:
                    self._take_footer(token)
                case role:
                    if role is LineRole.SIDE:
                        self._begin_side(token)
                    elif role is LineRole.UNCLEAR_PART:
                        self.deck.ask_about_part(token.number, token.reason)
                    self._take(token)
            if token.kind is not LineKind.BLANK:
                account = "card" if token.key == "count" else _ACCOUNTS.get(token.kind, "comment")
                self.deck.account.setdefault(token.number, account)
        self._review_unknown_headers()
        return self.deck.build()

    def _take(self, token: LineToken) -> None:
        if token.kind in (LineKind.BLANK, LineKind.HEADER, LineKind.KEY):
            self.is_in_description = self.is_in_about = False
        if self.is_in_description or self._is_about(token):
            self._take_description(token)
            return
        match token.kind:
            case LineKind.COUNTED | LineKind.BARE:
                self._take_card(token)
            case LineKind.HEADER if token.header is not None:
                self._take_header(token, token.header)
            case LineKind.KEY:
                self._take_key(token)
            case LineKind.COMMENT:
                self._take_comment(token)
            case LineKind.TOTAL:
                self._take_total(token)
            case LineKind.BLANK | LineKind.RULE:
                zone = self.deck.zone
                self.is_leaving_zone = zone is not None and zone.kind in LEADING and zone.cards > 0
            case LineKind.REFUSED:
                self.deck.fault("line", token.fault, line=token.number)
            case _:
                pass  # addresses and other lines that are never cards

    def _add_words(self, token: LineToken, words: str, role: str, reason: str, **options: Any) -> None:
        if words:
            options = {"count": token.count} | options
            self.deck.add_words(words, line=token.number, role=role, reason=reason, raw=token.raw, **options)

    # -- text about the deck

    def _take_title(self, token: LineToken) -> None:
        words = squeeze(token.text.rstrip(":"))
        is_heading = token.raw.lstrip().startswith("#")
        is_apart = token.below is not None and token.below.kind is LineKind.BLANK
        name = None if is_heading else name_without_number(words)
        if name and words[:1].islower() and words.endswith(name) and not is_apart:
            hint = f"for a card, write the count in digits before the name; for the title, write `# {words}`"
            self.deck.fault(
                "line", "is this the title or a card? it was not counted", line=token.number, hint=hint
            )
            return
        alternative = "" if is_heading else f"; if it is a card, write `1 {words}`"
        message = f"`{words}` was read as the title: {token.reason}{alternative}"
        self.deck.note(token.number, message, weighty=not is_heading)
        question = _TITLE_OR_CARD if name and not is_apart else ""
        self._add_words(token, words, "title", token.reason, may_be_card=not is_heading, question=question)
        self.deck.account[token.number] = "title"
        self.deck.name = self.deck.name or words or None

    def _take_footer(self, token: LineToken) -> None:
        """Store a line at the end of the list as a note about the deck."""
        words = squeeze(token.text)
        self.deck.about.append(("footer", words))
        self._add_words(token, words, "footer", token.reason, note="was read as a footer, not as a card")

    def _is_about(self, token: LineToken) -> bool:
        """Return whether a line is in the section `About` that Arena writes above a deck.

        There, a line such as `Name Sky` gives the deck's name, which is stored.
        """
        if token.kind is not LineKind.BARE or self.deck.lines:
            return False
        if token.text.lower() == "about":
            self.is_in_about = True
        elif self.is_in_about and token.text.lower().startswith("name "):
            self.deck.name = squeeze(token.text[5:]) or None
        return self.is_in_about

    def _take_description(self, token: LineToken) -> None:
        """Store a line of text about the deck. A line with a count gets a note: it could be a card."""
        if token.kind not in (*CARD_KINDS, LineKind.REFUSED):
            return
        reason = "it is in the text about the deck"
        self._add_words(token, squeeze(token.text), "description", reason)
        if token.kind is LineKind.COUNTED:
            line_text = squeeze(tidy(token.raw))[:80]
            message = f"`{line_text}` was read as a description, not as a card: {reason}"
            self.deck.note(token.number, message, weighty=True)
        self.deck.account.setdefault(token.number, "comment")

    def _take_key(self, token: LineToken) -> None:
        """Store the value of a line such as `Format: …`.

        A key such as `Name` or `Title`, but not `Player`, is an error if an earlier line has the same key.
        Below cards, a line with an unusual key is read as a card instead, usually with a doubt, unless the
        line is marked as a comment.
        """
        deck, value = self.deck, token.text
        key = fold(_KEY_SIGN.split(tidy(token.raw), maxsplit=1)[0])
        if "name" in token.key and key in self.keys:
            line_text = squeeze(tidy(token.raw))[:40]
            message = f"`{line_text}`: this line names the deck or its player, and a line above already does"
            deck.fault("line", message, line=token.number, hint="write cards as `4 Name`")
            return
        self.keys.add(key)
        is_below_cards = self.has_counted_card or any(
            general_kind(line.zone or "") not in LEADING for line in deck.lines
        )
        if (
            is_below_cards
            and token.key not in _CORE_KEYS
            and not token.raw.lstrip().startswith(("//", "#", ";"))
        ):
            text = squeeze(tidy(token.raw))
            doubt = card_question(text) if self.has_counted_card else ""
            self._take_card(LineToken(LineKind.BARE, token.number, token.raw, text=text, doubt=doubt))
        elif token.key == "name" or (token.key == "name-or-player" and deck.dialect.name_key):
            deck.name = value or deck.name
        elif token.key in ("player", "name-or-player"):
            deck.player = deck.player or value
        elif token.key == "format":
            deck.format = value
        else:
            deck.about.append((token.key, value))

    def _take_comment(self, token: LineToken) -> None:
        """Store a comment. The first comment above all cards is the title if there is no `Name:`."""
        deck, text = self.deck, token.text
        is_first = not deck.lines and deck.zone is None and not deck.about and deck.name is None
        if text and is_first and not _BOILERPLATE.match(text):
            deck.name = text
            reason, note = "it is the first comment", "was read as the title"
            self._add_words(token, text, "title", reason, may_be_card=False, note=note, weighty=False)
        elif text:
            deck.about.append(("comment", text))

    def _take_total(self, token: LineToken) -> None:
        """Store the number of cards that a line gives for the deck.

        The words of the line are stored, too, because a pool may know a card of that name.
        """
        self.deck.add_total(int(token.count or 0), line=token.number, words=token.text)
        count, words = split_count(token.text)
        self._add_words(token, words, "sum", "it says how many cards there are", count=count)

    # -- zones and groups

    def _begin_side(self, token: LineToken) -> None:
        gap = token.reason
        self.deck.begin_side(token.number, gap, weighty=gap != "blank line")
        above, below = count_copies(token.lines_above()), count_copies((token, *token.lines_below()))
        if below > above:
            message = (
                f"the cards from here on were read as the sideboard, because the only {gap} is above them;"
                f" the sideboard then has {below} cards, and the main deck has {above}"
            )
            hint = f"write `Sideboard` above the sideboard, or leave out the {gap}"
            self.deck.fault("header", message, line=token.number, severity=Severity.ADVICE, hint=hint)

    def _take_header(self, token: LineToken, header: Header) -> None:
        """Read a header: begin a zone, a group of cards in a zone, or a text about the deck."""
        number = token.number
        self.is_leaving_zone = False
        if token.tail:
            self._note_counted_header(token)
        if fold(header.words) in ABOUT_THE_DECK:
            self.is_in_description = True
        elif header.words.lower() == "metadata":
            self.deck.leave()
        elif header.is_zone or (header.is_section and not header.is_group) or self._begins_zone(header):
            self.deck.enter(header.words, line=number, declared_count=header.count)
        else:
            if not header.is_known:
                self.unknown_groups[number] = header.words
            self._sort(header, number)

    def _begins_zone(self, header: Header) -> bool:
        """Return whether a header with unknown words begins a zone, not a group of a sideboard."""
        kind = self.deck.zone.kind if self.deck.zone else None
        is_inside_other = kind is not None and kind != "main" and kind not in LEADING
        return header.is_marked and header.count is None and not header.is_group and not is_inside_other

    def _sort(self, header: Header, number: int) -> None:
        """Begin a group of cards, such as `Creatures`, in the current zone.

        If the header ends this zone, the group begins in the main deck. If that is unclear, adds a finding.
        """
        zone = self.deck.zone
        if zone is not None and self._is_over(zone, number):
            self.deck.leave()
        elif zone is not None and zone.cards and self.deck.group is None and self._lacks_main_deck(number):
            message = f"does `{header.words}` belong to `{zone.words}`, or does the main deck begin here?"
            hint = "write `Deck` above the main deck, or put it first"
            self.deck.fault("line", message, line=number, hint=hint)
        self.deck.sort(header.words, line=number, declared_count=header.count)

    def _is_over(self, zone: Section, number: int) -> bool:
        """Return whether a header for a group of cards also ends the current zone.

        If not, the group is a part of the zone.

        number: the line of the header
        """
        if not zone.cards:
            return zone.kind in LEADING and number > zone.line + 1
        return not self._is_main(zone.words) and (
            zone.kind in NEVER_SORTED or zone.declared_count == zone.cards
        )

    def _is_main(self, header: str | None) -> bool:
        zone_id = self.deck.vocabulary.zone_id
        return (
            header is None or general_kind(header) == "main" or zone_id(header) in (zone_id("main"), "main")
        )

    def _lacks_main_deck(self, number: int) -> bool:
        """Return whether the main deck has no card yet, and no header below line `number` begins it."""
        later = (token.header.words for token in self.tokens if token.header and token.number > number)
        return not any(map(self._is_main, (*(line.zone for line in self.deck.lines), *later)))

    def _note_counted_header(self, token: LineToken) -> None:
        """Note that `Agenda (6)` was read as a header, although it could be six copies of a card."""
        reason = f"it heads {token.tail} cards"
        self.deck.note(
            token.number, f"`{squeeze(token.full_name)}` was read as a header: {reason}", weighty=True
        )
        self._add_words(token, token.text, "header", reason, count=token.tail)

    # -- cards

    def _take_card(self, token: LineToken) -> None:
        """Add the card on the line, or a finding that explains why no card was read."""
        if self.is_leaving_zone:
            self.deck.leave()
            self.is_leaving_zone = False
        self.has_counted_card = self.has_counted_card or token.count is not None
        if token.count is None and _is_count(token):
            self._refuse(token, "a count without a card")
        elif any(letter.isalnum() or letter in "_?" for letter in token.text):
            self._add_card(token)
        else:
            severity = Severity.ERROR if token.count else Severity.ADVICE
            self._refuse(token, "no name of a card", severity)

    def _add_card(self, token: LineToken) -> None:
        parsed_name, is_leader = self._parse_name(token), token.role is LineRole.LEADER
        count, number, name = token.count, whole_number(token.count), parsed_name.readings[-1].name
        if is_leader:
            self.deck.note(token.number, f"`{name}` was read as the leader: it is above the counted cards")
        if count is not None and not count.isascii() and number:
            self.deck.note(token.number, f"the count `{count}` was read as {number}")
        if self._leads(token) and token.full_name and (number or 0) > 1 and not token.fault:
            token.fault, token.doubt = _copies_of_a_leader(count or "", token.text), ""
        self.deck.add(
            parsed_name,
            line=token.number,
            count=1 if count is None else count,
            has_count=count is not None,
            zone="Leader" if is_leader else token.zone,
            raw=token.raw,
            doubt=token.doubt,
            question=token.question,
        )
        if token.fault:
            self.deck.fault("line", token.fault, line=token.number, subjects=(name,))

    def _leads(self, token: LineToken) -> bool:
        zone = token.zone or (self.deck.zone.words if self.deck.zone else "")
        return general_kind(zone) in LEADING

    def _refuse(self, token: LineToken, reason: str, severity: Severity = Severity.ERROR) -> None:
        line_text = squeeze(tidy(token.raw))[:40]
        self.deck.fault("line", f"`{line_text}`: {reason}", line=token.number, severity=severity)

    def _parse_name(self, token: LineToken) -> ParsedName:
        """Return the name on a card's line, with its decoration and all ways to read it.

        For example, a number beside the name can be a part of the name or the number of copies.
        """
        parsed_name = parse_name(token.text, self.deck.dialect)
        readings = parsed_name.readings
        if token.key:
            parsed_name = structs.replace(parsed_name, code=token.key)
        if token.full_name:
            full_name = squeeze(token.full_name)
            self.deck.note(token.number, f"the count was read from `{full_name}`")
            readings = (Reading(name=full_name, count=1), *readings)
        elif " | " in token.text and token.count is not None and not token.fault:
            names = [reading.name.partition(" | ") for reading in readings if " | " in reading.name]
            subtitle_readings = (
                form for title, _, subtitle in names for form in join_subtitle(title, subtitle).readings[1:]
            )
            readings = (*readings, *subtitle_readings)
        elif token.count is None and (match := _NAME_BEFORE_A_NUMBER.fullmatch(token.text)):
            name, count = match["name"], match["count"]
            doubt = _copies_of_a_leader(count, name) if self._leads(token) and count != "1" else ""
            shorter_reading = Reading(
                name=name, decoration=count, certain=False, count=int(count), doubt=doubt
            )
            readings = (*readings, shorter_reading)
        return structs.replace(parsed_name, readings=readings)

    # -- findings that need the whole list

    def _review_unknown_headers(self) -> None:
        """Review the headers whose words are unknown.

        * The words of each header in `deck.sections` are stored, because a pool may know a card of this name.
          If nothing is below the header, and it does not state a count of 0, it also gets a note.
        * Headers that were read as groups inside a zone get advice, because they may be zones of their own.

        Headers that already have a finding are skipped.
        """
        for section in self.deck.sections:
            is_known = self.deck.vocabulary.is_header(section.words)
            if is_known or self.deck.account.get(section.line) == "finding":
                continue
            is_empty = not (
                section.cards or section.has_parts or section.has_bad_count or section.declared_count == 0
            )
            if is_empty:
                message = f"`{section.words}` was read as a header, though no card is under it"
                self.deck.note(section.line, message, weighty=True)
            reason = "no card is under it" if is_empty else "cards are under it"
            self.deck.add_words(
                section.words, line=section.line, role="header", reason=reason, may_be_card=is_empty
            )

        unknown_words = {
            line: words
            for line, words in self.unknown_groups.items()
            if self.deck.account.get(line) != "finding"
        }
        if unknown_words:
            names = tuple(dict.fromkeys(unknown_words.values()))
            self.deck.findings.append(unknown_group(tuple(unknown_words), names))


def _copies_of_a_leader(count: str, name: str) -> str:
    return f"{count} copies of a card that leads the deck? write the count before the name, as in `1 {name}`"


def _read_preamble(tokens: Sequence[LineToken], deck: DeckBuilder) -> int:
    """Read the lines above the crypt in a tournament's archive; return the crypt's index.

    The lines give the event, the place, the date, the rounds, the number of players (`10 players`), the names
    of the player and the deck, and a description.
    """
    crypts = (
        index
        for index, token in enumerate(tokens)
        if token.kind is LineKind.HEADER and token.raw.lower().startswith("crypt")
    )
    crypt_index = next(crypts, 0)
    for index, token in enumerate(tokens[:crypt_index]):
        if token.kind is LineKind.KEY and token.key == "name":
            deck.name = token.text or None
        elif index and re.fullmatch(r"\d+ players?", tidy(tokens[index - 1].raw), re.I):
            deck.player = squeeze(tidy(token.raw)) or None
        elif token.kind is not LineKind.BLANK:
            deck.about.append(("preamble", squeeze(tidy(token.raw))))
    return crypt_index
