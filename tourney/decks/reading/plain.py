"""Plain text: what people paste, and what most programs export."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tourney.cards.names import fold
from tourney.decks.decklist import Decklist, Reading
from tourney.decks.reading.building import DeckBuilder
from tourney.decks.reading.counts import is_only_a_count, whole
from tourney.decks.reading.decoration import Peeled, peel
from tourney.decks.reading.dialect import Dialect, detect
from tourney.decks.reading.headers import DESCRIBING, Header
from tourney.decks.reading.roles import Roles, assign
from tourney.decks.reading.text import LONGEST_LINE, squeeze, tidy
from tourney.decks.reading.tokens import Kind, Token, list_number, pieces, tokenize
from tourney.decks.vocabulary import Vocabulary, general_kind
from tourney.finding import Severity

MOST_LINES = 10_000
MOST_LETTERS = 250_000
_LEADING = frozenset({"leader", "companion", "base"})
_BOILERPLATE = re.compile(r"deck file (?:for|created)|generated (?:by|with)|created with|exported from", re.I)
_NUMBER_BESIDE = re.compile(
    r"\W{0,3}\d{1,2}(?:\W\d{1,2})?\W{1,3}(?P<name>[^\W\d_].*)|(?P<name2>.*[^\W\d_])\W{1,4}\d{1,2}\W{0,3}"
)
_NUMBER_BEHIND = re.compile(r"(?P<name>\S.*?[^\W\d].*?) (?P<count>[1-9]\d?)")
_SEVERAL = 2
_TAKEN_FOR = {Kind.HEADER: "header", Kind.COUNTED: "card", Kind.BARE: "card", Kind.TOTAL: "header"}
_KEY_WORDS = re.compile("[:=：]")
_CORE_KEYS = frozenset({"name", "player", "name-or-player", "format", "author", "description", "source"})


def read_plain(
    lines: Sequence[str], *, source: str, vocabulary: Vocabulary, beside: Sequence[tuple[int, str]] = ()
) -> list[Decklist]:
    """Read the decks of a plain text, line by line; at least one.

    beside: the text's lines unfolded, where lists stand side by side in it, each with its number
    """
    read = _within_bounds(lines)
    tidied = [tidy(line) if len(line) <= LONGEST_LINE else "" for line in lines[:read]]
    dialect = detect(tidied)
    numbered = _run_on([list_number(line) for line in tidied])
    unfolded = [each for each in beside if each[0] <= read] or list(enumerate(tidied, start=1))
    tokens = [
        tokenize(number, lines[number - 1], piece, vocabulary, dialect, numbered=numbered)
        for number, line in unfolded
        for piece in (pieces(line) if not dialect.columns else (line,))
    ]
    parts = list(_split_decks(tokens))
    decks = [_Assembly(part, source, vocabulary, dialect) for part in parts]
    told = {number for number, text in unfolded if text}
    for number, line in enumerate(tidied, start=1):
        if line and number not in told:  # tags alone, the heads of columns
            decks[0].deck.account.setdefault(number, "comment")
    if read < len(lines):
        decks[-1].deck.fault(
            "line", f"only the lines up to here were read, {read:,} of {len(lines):,}", line=read
        )
    return [assembly.read() for assembly in decks]


_BLOCK = re.compile(r"<(?P<end>/?)(?P<tag>tr|td|th|li|p|div|br|ul|ol|table|h[1-6])\b[^<>]*>", re.I)


def html_rows(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Part a text at the tags that end a line on a page: each row or item with the number of the line it begins on.

    The cells of a table's row stand between tabs, also where each is on a line of its own.
    """
    rows: list[tuple[int, str]] = []
    words, begun, in_row = "", 0, False

    def end() -> None:
        nonlocal words, begun
        if begun and (words.strip() or not in_row):
            rows.append((begun, tidy(words)))
        words, begun = "", 0

    for number, raw in enumerate(lines, start=1):
        line = raw if len(raw) <= LONGEST_LINE * 10 else ""
        at = 0
        for found in _BLOCK.finditer(line):
            if (before := line[at : found.start()]).strip() or words:
                words, begun = words + before, begun or number
            at, tag = found.end(), found["tag"].lower()
            if tag in ("td", "th"):
                words += "\t" if found["end"] else ""
            else:
                end()
                in_row = tag == "tr" and not found["end"]
        if line[at:].strip() or (not in_row and at == 0):
            words, begun = words + line[at:], begun or number
        if not in_row:
            end()
    end()
    return rows if any(text for _, text in rows) else []


def _run_on(numbers: Sequence[int | None]) -> bool:
    """Whether the numbers before lines count the lines: one after the other, from 1 again below a gap, or all 1."""
    told = [number for number in numbers if number is not None]
    if all(number == 1 for number in told):
        return True
    pairs = itertools.pairwise([None, *numbers])
    return told == list(range(1, len(told) + 1)) or all(
        number in (None, (before or 0) + 1) for before, number in pairs
    )


def _within_bounds(lines: Sequence[str]) -> int:
    """Give how many lines are read: at most ten thousand, with at most 250,000 letters that are looked at."""
    letters = 0
    for number, line in enumerate(lines[:MOST_LINES]):
        letters += len(line) if len(line) <= LONGEST_LINE else 0
        if letters > MOST_LETTERS:
            return number
    return min(len(lines), MOST_LINES)


def _split_decks(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Part the decks of one file: at `=====`, at a header or key of the deck's beginning that comes a second time."""
    start, seen, cards = 0, set[str](), False
    for place, token in enumerate(tokens):
        sign = _beginning(token)
        if cards and sign is not None and (sign == "=" or sign in seen):
            cut = place + 1 if sign == "=" else _back_to_cards(tokens, place)
            yield tokens[start:cut]
            start, seen, cards = cut, set(), False
        if sign is not None:
            seen.add(sign)
        cards = cards or token.kind is Kind.COUNTED
    if start == 0 or any(token.kind in (Kind.COUNTED, Kind.BARE) for token in tokens[start:]):
        yield tokens[start:]


def _beginning(token: Token) -> str | None:
    """Say what a deck begins with once: the rule between two, its name, the header of its main deck or its leader."""
    if token.kind is Kind.RULE and token.text == "=":
        return "="
    if token.kind is Kind.KEY and token.key in ("name", "name-or-player", "player"):
        return "key " + token.key
    words = token.header.words if token.kind is Kind.HEADER and token.header else ""
    return f"header {fold(words)}" if general_kind(words) in ("main", "leader") else None


def _back_to_cards(tokens: Sequence[Token], place: int) -> int:
    """Step back over the second deck's title and comments: they stand above what gave it away."""
    while place and tokens[place - 1].kind in (Kind.COMMENT, Kind.BARE, Kind.KEY, Kind.OTHER):
        place -= 1
    return place


class _Assembly:
    """One deck of a plain text, walked through once."""

    def __init__(
        self, tokens: Sequence[Token], source: str, vocabulary: Vocabulary, dialect: Dialect
    ) -> None:
        self.deck = DeckBuilder(source, dialect.name, vocabulary, dialect)
        preamble = tournament_preamble(tokens, self.deck) if dialect.name == "twd" else 0
        self.deck.account |= {
            token.number: "comment" for token in tokens[:preamble] if token.kind is not Kind.BLANK
        }
        self.roles: Roles = assign(tokens[preamble:], vocabulary, dialect)
        self.describing = False
        self.about = False
        self.leaving = False
        self.keys = set[str]()
        self.counted = False  # a card with its count has been seen: the head of the list is over

    def read(self) -> Decklist:
        """Walk through the tokens and give the deck."""
        for place, token in enumerate(self.roles.tokens):
            if place == self.roles.title:
                self._title(token)
            elif place in self.roles.footer:
                words = squeeze(token.text)
                self.deck.about.append(("footer", words))
                self._aside(token, words, "footer", "it stands beside an address at the end")
            else:
                if place == self.roles.side_from:
                    self._begin_side(token)
                self._take(token, leads=place in self.roles.leaders)
            if token.kind is not Kind.BLANK:
                self.deck.account.setdefault(token.number, _TAKEN_FOR.get(token.kind, "comment"))
        self._headers_over_nothing()
        self._numbers_behind_every_name()
        return self.deck.build()

    def _title(self, token: Token) -> None:
        words = squeeze(token.text.rstrip(":"))
        heading = token.raw.lstrip().startswith("#")
        else_ = "" if heading else f"; if it is a card, write `1 {words}`"
        said = f"`{words}` was taken as the title: {self.roles.why_title}{else_}"
        self.deck.note(token.number, said, weighty=not heading)
        self.deck.set_aside(
            words, line=token.number, role="title", why=self.roles.why_title, raw=token.raw, card=not heading
        )
        self.deck.account[token.number] = "title"
        self.deck.name = self.deck.name or words or None

    def _aside(self, token: Token, words: str, role: str, why: str, *, card: bool = True) -> None:
        if words:
            self.deck.set_aside(
                words, line=token.number, role=role, why=why, count=token.count, raw=token.raw, card=card
            )

    def _headers_over_nothing(self) -> None:
        """Say which headers nothing stands under: they could be cards, and of words nobody knows the pool is asked."""
        for section in self.deck.sections:
            if section.cards or section.parts or section.spoiled or section.declared == 0:
                continue
            if (
                not self.deck.vocabulary.is_header(section.words)
                and self.deck.account.get(section.line) != "finding"
            ):
                words = f"`{section.words}` was taken for a header, though nothing stands under it"
                self.deck.note(section.line, words, weighty=True)
                self.deck.set_aside(
                    section.words, line=section.line, role="header", why="no card stands under it"
                )

    def _numbers_behind_every_name(self) -> None:
        """Say that numbers were read as part of the names where they could be counts: other names, and each has one."""
        lines = self.deck.lines
        if self.counted or len(lines) < _SEVERAL:
            return
        found = [_NUMBER_BEHIND.fullmatch(line.written) for line in lines]
        first = found[0]
        if first and _are_all_different(each and each["name"] for each in found):
            words = f"the numbers behind the names were read as part of them; if they are counts, write `{first['count']} {first['name']}`"
            self.deck.note(lines[0].number, words, weighty=True)
            return
        beside = [_NUMBER_BESIDE.fullmatch(line.written) for line in lines]
        if _are_all_different(each and (each["name"] or each["name2"]) for each in beside):
            words = (
                "the numbers beside the names were read as part of them; if they are counts, write `4 Name`"
            )
            self.deck.note(lines[0].number, words, weighty=True)

    def _begin_side(self, token: Token) -> None:
        self.deck.enter("Sideboard", line=token.number, implied=True)
        self.deck.note(
            token.number,
            "the cards from here on were taken as the sideboard: the only blank line is above them",
        )

    def _take(self, token: Token, *, leads: bool) -> None:
        if token.kind in (Kind.BLANK, Kind.HEADER, Kind.KEY):
            self.describing = self.about = False
        if self.describing or self._is_about(token):
            self._describe(token)
            return
        if token.kind in (Kind.COUNTED, Kind.BARE):
            self._card(token, leads=leads)
        elif token.kind is Kind.HEADER and token.header is not None:
            self._header(token)
        elif token.kind is Kind.KEY:
            self._key(token)
        elif token.kind is Kind.COMMENT:
            self._comment(token)
        elif token.kind is Kind.TOTAL:
            self.deck.expect(int(token.count or 0), line=token.number, words=token.text)
        elif token.kind is Kind.BLANK:
            self.leaving = self._leads() and bool(self.deck.zone and self.deck.zone.cards)
        elif token.kind is Kind.TOO_LONG:
            self.deck.fault("line", f"a line of {len(token.raw):,} letters names no card", line=token.number)

    def _describe(self, token: Token) -> None:
        """Take the line for words about the deck; one with a count could be a card all the same."""
        if token.kind in (Kind.COUNTED, Kind.BARE, Kind.TOO_LONG):
            why = "it stands among words about the deck"
            self._aside(token, squeeze(token.text), "description", why)
            if token.kind is Kind.COUNTED:
                words = (
                    f"`{squeeze(tidy(token.raw))[:80]}` was taken for a description, not for a card: {why}"
                )
                self.deck.note(token.number, words, weighty=True)
            self.deck.account.setdefault(token.number, "comment")

    def _leads(self) -> bool:
        return self.deck.zone is not None and general_kind(self.deck.zone.words) in _LEADING

    def _is_about(self, token: Token) -> bool:
        """`About` and the lines below it, as the Arena client writes them."""
        if token.kind is not Kind.BARE or self.deck.lines:
            return False
        if token.text.lower() == "about":
            self.about = True
            return True
        if self.about and token.text.lower().startswith("name "):
            self.deck.name = squeeze(token.text[5:]) or None
        return self.about

    def _card(self, token: Token, *, leads: bool) -> None:
        if self.leaving:
            self.deck.leave()
            self.leaving = False
        count: str | None = token.count
        self.counted = self.counted or count is not None
        if count is None:
            count = "1"
            if is_only_a_count(token.text):
                self._unread(token, "a count without a card")
                return
        if not any(letter.isalnum() or letter in "_?" for letter in token.text):
            self._unread(
                token, "no name of a card", severity=Severity.ERROR if token.count else Severity.ADVICE
            )
            return
        peeled = self._peeled(token)
        zone = "Leader" if leads else token.zone
        if leads:
            self.deck.note(
                token.number,
                f"`{peeled.readings[-1].name}` was taken as the leader: it stands above the counted cards",
            )
        if token.count is not None and not token.count.isascii() and whole(token.count):
            self.deck.note(token.number, f"the count `{token.count}` was read as {whole(token.count)}")
        self.deck.add(
            token.text,
            line=token.number,
            count=count,
            peeled=peeled,
            zone=zone,
            code=token.key or None,
            raw=token.raw,
            doubt=token.doubt,
            asked=token.asked,
            counted=token.count is not None,
        )
        if token.fault:
            name = (peeled.readings[-1].name,)
            self.deck.fault("line", token.fault, line=token.number, subjects=name)

    def _peeled(self, token: Token) -> Peeled:
        """Take the name apart; what could be the count is part of one reading and not of another."""
        peeled = peel(token.text, self.deck.dialect)
        if token.whole:
            whole_name = Reading(name=squeeze(token.whole), count=1)
            self.deck.note(token.number, f"the count was read from `{squeeze(token.whole)}`")
            return replace(peeled, readings=(whole_name, *peeled.readings))
        behind = token.count is None and token.text[-1:].isdigit()
        found = _NUMBER_BEHIND.fullmatch(token.text) if behind else None
        if found:
            count = int(found["count"])
            shorter = Reading(name=found["name"], taken=found["count"], certain=False, count=count)
            return replace(peeled, readings=(*peeled.readings, shorter))
        return peeled

    def _unread(self, token: Token, why: str, severity: Severity = Severity.ERROR) -> None:
        words = squeeze(tidy(token.raw))[:40]
        self.deck.fault("line", f"`{words}`: {why}", line=token.number, severity=severity)

    def _header(self, token: Token) -> None:
        header, number = token.header, token.number
        assert header is not None
        self.leaving = False
        if token.tail:
            self._counted_header(token)
        if header.words.lower() in DESCRIBING:
            self.describing = True
        elif header.words.lower() == "metadata":
            self.deck.leave()
        elif header.zone or (header.section and not header.group) or self._begins_zone(header):
            self.deck.enter(header.words, line=number, declared=header.count)
        else:
            if self._leads():
                self.deck.leave()
            self.deck.sort(header.words, line=number, declared=header.count)

    def _counted_header(self, token: Token) -> None:
        """Say that `Agenda (6)` was taken for the head of six cards, not for six copies; the pool is asked, too."""
        words = f"`{squeeze(token.whole)}` was taken for a header: {token.tail} cards stand below"
        self.deck.note(token.number, words, weighty=True)
        self.deck.set_aside(
            token.text,
            line=token.number,
            role="header",
            why=f"{token.tail} cards stand below",
            count=token.tail,
            raw=token.raw,
        )

    def _begins_zone(self, header: Header) -> bool:
        """Tell whether a header nobody knows begins a zone; in a sideboard or maybeboard it only sorts."""
        kind = general_kind(self.deck.zone.words) if self.deck.zone else None
        inside_other = kind is not None and kind != "main" and kind not in _LEADING
        return header.shaped and header.count is None and not header.group and not inside_other

    def _key(self, token: Token) -> None:
        deck, value = self.deck, token.text
        words = fold(_KEY_WORDS.split(tidy(token.raw), maxsplit=1)[0])
        if "name" in token.key and words in self.keys:
            said = f"`{squeeze(tidy(token.raw))[:40]}`: no card was read, as the words before the sign say what the deck or its player is called, and they stand above already"
            deck.fault("line", said, line=token.number, hint="write cards as `4 Name`")
            return
        self.keys.add(words)
        if (
            (self.counted or any(general_kind(line.zone or "") not in _LEADING for line in self.deck.lines))
            and token.key not in _CORE_KEYS
            and not token.raw.lstrip().startswith(("//", "#", ";"))
        ):
            self._card(Token(Kind.BARE, token.number, token.raw, text=squeeze(tidy(token.raw))), leads=False)
        elif token.key == "name" or (token.key == "name-or-player" and deck.dialect.name_key):
            deck.name = value or deck.name
        elif token.key in ("player", "name-or-player"):
            deck.player = deck.player or value
        elif token.key == "format":
            deck.format = value
        else:
            deck.about.append((token.key, value))

    def _comment(self, token: Token) -> None:
        """Name the deck by the first comment above all cards, unless a `Name:` does."""
        if not token.text:
            return
        nothing_yet = not self.deck.lines and self.deck.zone is None and not self.deck.about
        if nothing_yet and self.deck.name is None and not _BOILERPLATE.match(token.text):
            self.deck.name = token.text
            self.deck.note(
                token.number, f"`{token.text[:80]}` was taken as the title: it is the first comment"
            )
            self.deck.account[token.number] = "title"
            self._aside(token, token.text, "title", "it is the first comment", card=False)
        else:
            self.deck.about.append(("comment", token.text))


def _are_all_different(names: Iterable[str | None]) -> bool:
    """Whether there is a name on each line, and none twice."""
    told = [fold(name) if name else None for name in names]
    return None not in told and len(set(told)) == len(told)


def tournament_preamble(tokens: Sequence[Token], deck: DeckBuilder) -> int:
    """Read what a tournament's deck archive says above the crypt; give the place where the cards begin.

    Event, place, date, rounds, `10 players`, then the player's name; then the deck's name and a description.
    """
    cards = next(
        (
            place
            for place, token in enumerate(tokens)
            if token.kind is Kind.HEADER and token.raw.lower().startswith("crypt")
        ),
        0,
    )
    for place, token in enumerate(tokens[:cards]):
        if token.kind is Kind.KEY and token.key == "name":
            deck.name = token.text or None
        elif place and re.fullmatch(r"\d+ players?", tidy(tokens[place - 1].raw), re.I):
            deck.player = squeeze(tidy(token.raw)) or None
        elif token.kind is not Kind.BLANK:
            deck.about.append(("preamble", squeeze(tidy(token.raw))))
    return cards
