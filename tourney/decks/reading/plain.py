"""Plain text: what people paste, and what most programs export.

The lines are told apart one by one (`lines`); what those without a count are, their places decide (`_roles_of`); then each
deck of the text is put together, line after line (`_Assembly`).

How sure the reading of a line is, from certain to impossible:

| it is a …    | written by                        | which means                                                                |
|--------------|-----------------------------------|----------------------------------------------------------------------------|
| note         | `deck.note`                       | decided, and hardly wrong: `deck show` tells it                            |
| weighty note | `deck.note(…, weighty=True)`      | decided; a wrong one would change the verdict, so `deck check` tells it    |
| word aside   | `deck.set_aside`                  | no card, unless the pool or the ban list knows one of that name            |
|              | `deck.set_aside(…, question=…)`   | the same, and a card to be asked about where the pool lacks cards          |
| question     | `question` of the token           | a card, counted as it was read; asked about where the pool does not know it |
| doubt        | `doubt` of the token              | an error, unless the pool or the ban list knows the card                   |
| fault        | `deck.fault`, `fault` of the token | an error (or advice), whatever a pool knows                                |
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from tourney.cards.names import fold, script
from tourney.decks.decklist import Decklist, Reading
from tourney.decks.reading.builder import DeckBuilder, LeftOpen, ListText
from tourney.decks.reading.lines import (
    DESCRIBING,
    LONGEST_LINE,
    Header,
    LineKind,
    LineToken,
    Vocabulary,
    could_be_header,
    general_kind,
    is_item,
    list_number,
    pieces,
    tidy,
    tokenize,
)
from tourney.decks.reading.names import (
    Dialect,
    Peeled,
    detect,
    is_only_a_count,
    late,
    number_beside,
    peel,
    split_count,
    squeeze,
    whole_number,
)
from tourney.errors import Severity

MOST_LINES = 10_000
"""Of a longer text the rest is not read, and that is told."""
_MOST_LETTERS = 250_000
_BOILERPLATE = late(r"deck file (?:for|created)|generated (?:by|with)|created with|exported from", re.I)
_NAME_BESIDE_A_NUMBER = late(
    r"\W{0,3}\d{1,2}(?:\W\d{1,2})?\W{1,3}(?P<name>[^\W\d_].*)|(?P<name2>.*[^\W\d_])\W{1,4}\d{1,2}\W{0,3}"
)
_NAME_BEFORE_A_NUMBER = late(r"(?P<name>\S.*?[^\W\d].*?) (?P<count>[1-9]\d?)")
_TITLE_OR_CARD = "it was read as one card, number and all; if the number is the count, write `4 Name`, if it is the title, `# Name`"
_SEVERAL = 2
_TAKEN_FOR = {
    LineKind.HEADER: "header",
    LineKind.COUNTED: "card",
    LineKind.BARE: "card",
    LineKind.TOTAL: "header",
}
_KEY_WORDS = late("[:=：]")
_CORE_KEYS = frozenset({"name", "player", "name-or-player", "format", "author", "description", "source"})


def read_plain(text: ListText, beside: Sequence[tuple[int, str]] = ()) -> list[Decklist]:
    """Read the decks of a plain text, line by line; at least one.

    beside: the text's lines unfolded, where lists stand side by side in it, each with its number
    """
    lines, vocabulary = text.lines, text.vocabulary
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
    decks = [_Assembly(part, text.source, vocabulary, dialect) for part in parts]
    taken = {number for number, line in unfolded if line}
    for number, line in enumerate(tidied, start=1):
        if line and number not in taken:  # tags alone, the heads of columns
            decks[0].deck.account.setdefault(number, "comment")
    if read < len(lines):
        decks[-1].deck.fault(
            "line", f"only the lines up to here were read, {read:,} of {len(lines):,}", line=read
        )
    return [assembly.read() for assembly in decks]


def _run_on(numbers: Sequence[int | None]) -> bool:
    """Whether the numbers before lines count the lines: one after the other, from 1 again below a gap, or all 1."""
    given = [number for number in numbers if number is not None]
    if all(number == 1 for number in given):
        return True
    pairs = itertools.pairwise([None, *numbers])
    return given == list(range(1, len(given) + 1)) or all(
        number in (None, (before or 0) + 1) for before, number in pairs
    )


def _within_bounds(lines: Sequence[str]) -> int:
    """Give how many lines are read: at most ten thousand, with at most 250,000 letters that are looked at."""
    letters = 0
    for number, line in enumerate(lines[:MOST_LINES]):
        letters += len(line) if len(line) <= LONGEST_LINE else 0
        if letters > _MOST_LETTERS:
            return number
    return min(len(lines), MOST_LINES)


def _split_decks(tokens: Sequence[LineToken]) -> Iterator[Sequence[LineToken]]:
    """Part the decks of one file: at `=====`, at a header or key of the deck's beginning that comes a second time."""
    start, seen, cards = 0, set[str](), False
    for at, token in enumerate(tokens):
        sign = _beginning(token)
        if cards and sign is not None and (sign == "=" or sign in seen):
            cut = at + 1 if sign == "=" else _back_to_cards(tokens, at)
            yield tokens[start:cut]
            start, seen, cards = cut, set(), False
        if sign is not None:
            seen.add(sign)
        cards = cards or token.kind is LineKind.COUNTED
    if start == 0 or any(token.kind in (LineKind.COUNTED, LineKind.BARE) for token in tokens[start:]):
        yield tokens[start:]


def _beginning(token: LineToken) -> str | None:
    """Say what a deck begins with once: the rule between two, its name, the header of its main deck or its leader."""
    if token.kind is LineKind.RULE and token.text == "=":
        return "="
    if token.kind is LineKind.KEY and token.key in ("name", "name-or-player", "player"):
        return "key " + token.key
    if token.kind is not LineKind.HEADER or token.header is None:
        return None
    words = token.header.words
    return f"header {fold(words)}" if general_kind(words) in ("main", "leader") else None


def _back_to_cards(tokens: Sequence[LineToken], at: int) -> int:
    """Step back over the second deck's title and comments: they stand above what gave it away."""
    while at and tokens[at - 1].kind in (LineKind.COMMENT, LineKind.BARE, LineKind.KEY, LineKind.OTHER):
        at -= 1
    return at


class _Assembly:
    """One deck of a plain text, walked through once."""

    def __init__(
        self, tokens: Sequence[LineToken], source: str, vocabulary: Vocabulary, dialect: Dialect
    ) -> None:
        self.deck = DeckBuilder(source, dialect.name, vocabulary, dialect)
        preamble = _tournament_preamble(tokens, self.deck) if dialect.name == "twd" else 0
        self.deck.account |= {
            token.number: "comment" for token in tokens[:preamble] if token.kind is not LineKind.BLANK
        }
        self.roles = _roles_of(tokens[preamble:], vocabulary, dialect)
        self.describing = False
        self.about = False
        self.leaving = False
        self.keys = set[str]()
        self.counted = False  # a card with its count has been seen: the head of the list is over

    def read(self) -> Decklist:
        """Walk through the tokens and give the deck."""
        for at, token in enumerate(self.roles.tokens):
            if at == self.roles.title:
                self._take_title(token, apart=self.roles.tokens[at + 1].kind is LineKind.BLANK)
            elif at in self.roles.footer:
                words = squeeze(token.text)
                self.deck.about.append(("footer", words))
                self._set_aside(token, words, "footer", "it stands beside an address at the end")
            else:
                if at == self.roles.side_from:
                    self._begin_side(token)
                self._take(token, leader=at in self.roles.leaders)
            if token.kind is not LineKind.BLANK:
                self.deck.account.setdefault(token.number, _TAKEN_FOR.get(token.kind, "comment"))
        self._headers_nobody_knows()
        self._numbers_joined_to_every_name()
        self._a_sign_in_every_name()
        return self.deck.build()

    def _take_title(self, token: LineToken, *, apart: bool) -> None:
        words = squeeze(token.text.rstrip(":"))
        heading = token.raw.lstrip().startswith("#")
        else_ = "" if heading else f"; if it is a card, write `1 {words}`"
        message = f"`{words}` was taken as the title: {self.roles.why_title}{else_}"
        self.deck.note(token.number, message, weighty=not heading)
        self.deck.set_aside(
            words, line=token.number, role="title", why=self.roles.why_title, raw=token.raw, card=not heading,
            question="" if heading or apart or not number_beside(words) else _TITLE_OR_CARD,
        )  # fmt: skip
        self.deck.account[token.number] = "title"
        self.deck.name = self.deck.name or words or None

    def _set_aside(self, token: LineToken, words: str, role: str, why: str, *, card: bool = True) -> None:
        if words:
            self.deck.set_aside(
                words, line=token.number, role=role, why=why, count=token.count, raw=token.raw, card=card
            )

    def _headers_nobody_knows(self) -> None:
        """Leave headers that nobody knows to the pool: they could be cards, the more so where nothing stands under them."""
        for section in self.deck.sections:
            if (
                self.deck.vocabulary.is_header(section.words)
                or self.deck.account.get(section.line) == "finding"
            ):
                continue
            if section.cards or section.parts or section.spoiled or section.declared == 0:
                why = "cards stand below"
                self.deck.set_aside(section.words, line=section.line, role="header", why=why, card=False)
            else:
                words = f"`{section.words}` was taken for a header, though nothing stands under it"
                self.deck.note(section.line, words, weighty=True)
                self.deck.set_aside(
                    section.words, line=section.line, role="header", why="no card stands under it"
                )

    def _numbers_joined_to_every_name(self) -> None:
        """Say that numbers were read as part of the names where they could be counts: other names, and each has one."""
        lines = self.deck.lines
        if self.counted or len(lines) < _SEVERAL:
            return
        beside = [_NAME_BESIDE_A_NUMBER.fullmatch(line.written) for line in lines]
        if _are_all_different(each and (each["name"] or each["name2"]) for each in beside):
            words = (
                "the numbers beside the names were read as part of them; if they are counts, write `4 Name`"
            )
            self.deck.note(lines[0].number, words, weighty=True)

    def _a_sign_in_every_name(self) -> None:
        """Say that the same sign parts words on nearly every line of a list without counts: there may be two cards on each."""
        cards = {line.number for line in self.deck.lines}
        bare = [token for token in self.roles.tokens if token.kind is LineKind.BARE]
        lines = [token for token in bare if token.number in cards]
        if self.counted or len(lines) < _SEVERAL:
            return
        signs = Counter(sign for token in lines for sign in _signs_between_names(token.raw))
        sign, times = signs.most_common(1)[0] if signs else ("", 0)
        if times >= max(_SEVERAL, len(lines) * _NEARLY_EVERY):
            each = "each line has" if times == len(lines) else f"{times} of {len(lines)} lines have"
            words = f"{each} {sign} between words and was read as one card; if it parts two cards, put each on a line of its own"
            first = next(token for token in lines if sign in _signs_between_names(token.raw))
            self.deck.note(first.number, words, weighty=True)

    def _begin_side(self, token: LineToken) -> None:
        self.deck.enter("Sideboard", line=token.number, implied=True)
        self.deck.note(
            token.number,
            "the cards from here on were taken as the sideboard: the only blank line is above them",
        )

    def _take(self, token: LineToken, *, leader: bool) -> None:
        if token.kind in (LineKind.BLANK, LineKind.HEADER, LineKind.KEY):
            self.describing = self.about = False
        if self.describing or self._took_about(token):
            self._describe(token)
            return
        if token.kind in (LineKind.COUNTED, LineKind.BARE):
            self._card(token, leader=leader)
        elif token.kind is LineKind.HEADER and token.header is not None:
            self._header(token)
        elif token.kind is LineKind.KEY:
            self._key(token)
        elif token.kind is LineKind.COMMENT:
            self._comment(token)
        elif token.kind is LineKind.TOTAL:
            self.deck.expect(int(token.count or 0), line=token.number, words=token.text)
            count, words = split_count(token.text)
            self.deck.set_aside(
                words,
                line=token.number,
                role="sum",
                why="it says how many cards there are",
                count=count,
                raw=token.raw,
            )
        elif token.kind is LineKind.BLANK:
            self.leaving = self._in_leading_zone() and bool(self.deck.zone and self.deck.zone.cards)
        elif token.kind is LineKind.TOO_LONG:
            self.deck.fault(
                "line", f"a line of {len(token.raw):,} letters is too long for a card", line=token.number
            )

    def _describe(self, token: LineToken) -> None:
        """Take the line for words about the deck; one with a count could be a card all the same."""
        if token.kind in (LineKind.COUNTED, LineKind.BARE, LineKind.TOO_LONG):
            why = "it stands among words about the deck"
            self._set_aside(token, squeeze(token.text), "description", why)
            if token.kind is LineKind.COUNTED:
                words = (
                    f"`{squeeze(tidy(token.raw))[:80]}` was taken for a description, not for a card: {why}"
                )
                self.deck.note(token.number, words, weighty=True)
            self.deck.account.setdefault(token.number, "comment")

    def _in_leading_zone(self) -> bool:
        return self.deck.zone is not None and self.deck.zone.kind in _LEADING

    def _took_about(self, token: LineToken) -> bool:
        """Take `About` and the lines below it, as the Arena client writes them; one names the deck. Tell whether it is one of these."""
        if token.kind is not LineKind.BARE or self.deck.lines:
            return False
        if token.text.lower() == "about":
            self.about = True
            return True
        if self.about and token.text.lower().startswith("name "):
            self.deck.name = squeeze(token.text[5:]) or None
        return self.about

    def _card(self, token: LineToken, *, leader: bool) -> None:
        """Add the card on the line, or say why none was read."""
        if self.leaving:
            self.deck.leave()
            self.leaving = False
        counted = token.count is not None
        self.counted = self.counted or counted
        if not counted and is_only_a_count(token.text):
            self._unread(token, "a count without a card")
            return
        if not (token.text[:1].isalnum() or any(letter.isalnum() or letter in "_?" for letter in token.text)):
            self._unread(
                token, "no name of a card", severity=Severity.ERROR if token.count else Severity.ADVICE
            )
            return
        peeled = self._peeled(token)
        if leader:
            self.deck.note(
                token.number,
                f"`{peeled.readings[-1].name}` was taken as the leader: it stands above the counted cards",
            )
        if token.count is not None and not token.count.isascii() and whole_number(token.count):
            self.deck.note(token.number, f"the count `{token.count}` was read as {whole_number(token.count)}")
        self.deck.add(
            token.text,
            peeled,
            line=token.number,
            count=token.count if counted else 1,
            counted=counted,
            zone="Leader" if leader else token.zone,
            raw=token.raw,
            left_open=LeftOpen(token.doubt, token.question),
        )
        if token.fault:
            name = (peeled.readings[-1].name,)
            self.deck.fault("line", token.fault, line=token.number, subjects=name)

    def _peeled(self, token: LineToken) -> Peeled:
        """Take the name apart; what could be the count is part of one reading and not of another."""
        peeled = peel(token.text, self.deck.dialect)
        if token.key:
            peeled = structs.replace(peeled, code=token.key)
        if token.whole:
            whole_name = Reading(name=squeeze(token.whole), count=1)
            self.deck.note(token.number, f"the count was read from `{squeeze(token.whole)}`")
            return structs.replace(peeled, readings=(whole_name, *peeled.readings))
        behind = token.count is None and token.text[-1:].isdigit()
        match = _NAME_BEFORE_A_NUMBER.fullmatch(token.text) if behind else None
        if match:
            count = int(match["count"])
            shorter = Reading(name=match["name"], taken=match["count"], certain=False, count=count)
            return structs.replace(peeled, readings=(*peeled.readings, shorter))
        return peeled

    def _unread(self, token: LineToken, why: str, severity: Severity = Severity.ERROR) -> None:
        words = squeeze(tidy(token.raw))[:40]
        self.deck.fault("line", f"`{words}`: {why}", line=token.number, severity=severity)

    def _header(self, token: LineToken) -> None:
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
            if self._in_leading_zone():
                self.deck.leave()
            self.deck.sort(header.words, line=number, declared=header.count)

    def _counted_header(self, token: LineToken) -> None:
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
        kind = self.deck.zone.kind if self.deck.zone else None
        inside_other = kind is not None and kind != "main" and kind not in _LEADING
        return header.shaped and header.count is None and not header.group and not inside_other

    def _key(self, token: LineToken) -> None:
        deck, value = self.deck, token.text
        words = fold(_KEY_WORDS.split(tidy(token.raw), maxsplit=1)[0])
        if "name" in token.key and words in self.keys:
            message = f"`{squeeze(tidy(token.raw))[:40]}`: no card was read, as the words before the sign say what the deck or its player is called, and they stand above already"
            deck.fault("line", message, line=token.number, hint="write cards as `4 Name`")
            return
        self.keys.add(words)
        if (
            (self.counted or any(general_kind(line.zone or "") not in _LEADING for line in self.deck.lines))
            and token.key not in _CORE_KEYS
            and not token.raw.lstrip().startswith(("//", "#", ";"))
        ):
            self._card(
                LineToken(LineKind.BARE, token.number, token.raw, text=squeeze(tidy(token.raw))), leader=False
            )
        elif token.key == "name" or (token.key == "name-or-player" and deck.dialect.name_key):
            deck.name = value or deck.name
        elif token.key in ("player", "name-or-player"):
            deck.player = deck.player or value
        elif token.key == "format":
            deck.format = value
        else:
            deck.about.append((token.key, value))

    def _comment(self, token: LineToken) -> None:
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
            self._set_aside(token, token.text, "title", "it is the first comment", card=False)
        else:
            self.deck.about.append(("comment", token.text))


_BETWEEN = late(
    r"(?<!\s)(?:\s*(?P<close>[,;|，、；｜])\s*|\s+(?P<sign>[^\w\s'\"]|and|und|et|or)\s+|(?P<wide>\s{2,}|\u3000))"
)
_NEARLY_EVERY = 0.8


def _signs_between_names(raw: str) -> list[str]:
    """Give the signs that stand between names on a line: each part begins with a letter that is no small one."""
    line = raw.lstrip(_BEFORE_NAMES).rstrip()
    firsts: dict[str, str] = {}
    for match in _BETWEEN.finditer(line):
        sign = "a wide space" if match["wide"] else f"`{match['close'] or match['sign']}`"
        firsts[sign] = firsts.get(sign, line[:1]) + (line[match.end() : match.end() + 1] or " ")
    return [
        sign for sign, letters in firsts.items() if letters.isalpha() and not any(map(str.islower, letters))
    ]


_BEFORE_NAMES = " \t\u3000-*•>"


def _are_all_different(names: Iterable[str | None]) -> bool:
    """Whether there is a name on each line, and none twice."""
    keys = [fold(name) if name else None for name in names]
    return None not in keys and len(set(keys)) == len(keys)


def _tournament_preamble(tokens: Sequence[LineToken], deck: DeckBuilder) -> int:
    """Read what a tournament's deck archive says above the crypt; give the place where the cards begin.

    Event, place, date, rounds, `10 players`, then the player's name; then the deck's name and a description.
    """
    cards = next(
        (
            at
            for at, token in enumerate(tokens)
            if token.kind is LineKind.HEADER and token.raw.lower().startswith("crypt")
        ),
        0,
    )
    for at, token in enumerate(tokens[:cards]):
        if token.kind is LineKind.KEY and token.key == "name":
            deck.name = token.text or None
        elif at and re.fullmatch(r"\d+ players?", tidy(tokens[at - 1].raw), re.I):
            deck.player = squeeze(tidy(token.raw)) or None
        elif token.kind is not LineKind.BLANK:
            deck.about.append(("preamble", squeeze(tidy(token.raw))))
    return cards


# -- What lines without a count are: title, leader, header, footer or card. Their places decide


_LEADING = frozenset({"leader", "companion", "base"})
"""The general kinds of zones whose cards lead the deck."""
_FACTION = late(r"(?:house [a-z]+|the night.s watch)$", re.I)
_NO_CONTENT = frozenset(
    {LineKind.BLANK, LineKind.COMMENT, LineKind.KEY, LineKind.OTHER, LineKind.RULE, LineKind.TOTAL}
)
_CARDS = (LineKind.BARE, LineKind.COUNTED)
_MOST_LEADERS = 3
_LARGEST_SIDE = 15


@dataclass(frozen=True, slots=True)
class _Roles:
    """The tokens with each header decided, and the places of the title, the leaders and the footer."""

    tokens: Sequence[LineToken]
    title: int | None = None
    why_title: str = ""
    leaders: frozenset[int] = frozenset()
    footer: frozenset[int] = frozenset()
    side_from: int | None = None


def _roles_of(tokens: Sequence[LineToken], vocabulary: Vocabulary, dialect: Dialect) -> _Roles:
    """Decide what each line without a count is: footer, header, title or leader; what is left is cards, with their doubts.

    Where most lines have a count, those without one are about the deck; where most have none, they are its cards.
    """
    tokens = _settle_tails(tokens)
    counted = sum(token.kind is LineKind.COUNTED for token in tokens)
    mostly_counted = counted > 0 and counted >= len(_bare(tokens))
    footer: frozenset[int] = frozenset()
    if mostly_counted:
        footer = _find_footer(tokens)
        tokens = _confirm_headers(tokens, footer)
    else:
        tokens = [_unheaded(token, vocabulary) for token in tokens]
    bare = [at for at in _bare(tokens) if at not in footer]
    title, why_title = _find_title(tokens, bare, counted, vocabulary, dialect)
    untitled = [at for at in bare if at != title]
    can_lead = vocabulary.zone_of_kind("leader") is not None
    leaders = _find_leaders(tokens, untitled, title, dialect) if counted and can_lead else frozenset()
    cards = [at for at in untitled if at not in leaders]
    _ask_about_the_first(tokens, bare, title)
    _ask_about_scripts(tokens, untitled)
    _doubt_heads(tokens, cards)
    _doubt_rows(tokens, untitled)
    if mostly_counted:
        _ask_about_heads(tokens, cards)
    side = _find_side(tokens, title, leaders, dialect)
    if side is not None and _leads_a_long_list(tokens, side):
        above = frozenset(at for at in range(side) if tokens[at].kind is LineKind.COUNTED)
        leaders, side = above if can_lead else frozenset(), None
    if vocabulary.zone_of_kind("side") is None:
        side = None
    return _Roles(tokens, title, why_title, leaders, footer, side)


def _bare(tokens: Sequence[LineToken]) -> list[int]:
    return [at for at, token in enumerate(tokens) if token.kind is LineKind.BARE and token.zone is None]


def _first(tokens: Sequence[LineToken]) -> int | None:
    """Give the place of the first line that is a card, a header or words."""
    return next((at for at, token in enumerate(tokens) if token.kind not in _NO_CONTENT), None)


def _doubt(tokens: list[LineToken], at: int, doubt: str) -> None:
    tokens[at] = structs.replace(tokens[at], doubt=tokens[at].doubt or doubt)


def _ask(tokens: list[LineToken], at: int, question: str) -> None:
    tokens[at] = structs.replace(tokens[at], question=tokens[at].question or question)


def _settle_tails(tokens: Sequence[LineToken]) -> list[LineToken]:
    """Decide what a number behind the words says: `Kite (5)` is five copies, `Agenda (5)` heads five cards.

    Only above a card that has its count before it can it be a header; it is one where it says what stands below.
    """
    settled = list(tokens)
    if not any(token.tail for token in tokens):
        return settled
    first = _first(tokens)
    for at, token in enumerate(tokens):
        if token.kind is LineKind.HEADER and token.header is not None and token.header.group:
            settled[at] = _like_the_cards(tokens, at, token, token.header)
        if not token.tail:
            continue
        settled[at] = structs.replace(token, kind=LineKind.COUNTED, count=token.tail, tail="")
        above = _begins_paragraph(tokens, at) and _next_content(tokens, at) is LineKind.COUNTED
        of_some, of_one = _sums_below(tokens, at) if above else (set(), set())
        number = whole_number(token.tail)
        if number in of_some or (number in of_one and at != first):
            header = Header(token.text, number, shaped=True)
            settled[at] = structs.replace(token, kind=LineKind.HEADER, header=header)
        elif above:
            doubt = f"{token.tail} copies, or the head of {token.tail} cards? write `{token.tail} {token.text}` or `## {token.text}`"
            _doubt(settled, at, doubt)
    return settled


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
        leads = zoned and general_kind(token.zone or "") in _LEADING  # `Hero: Puffin, Hightail`
        if zoned and not leads and _ROW_IN_ZONE.fullmatch(token.text):
            _ask(tokens, at, _SEVERAL_IN_ZONE)


_PARTS = late(r"[,;、，；]")
_ROW_IN_ZONE = late(
    r"[^,;、，；]+(?:[,;](?!\s*[a-z])[^,;]+|[、，；][^、，；]+)+"
)  # not `Katsu, the Wanderer`
_SEVERAL_IN_ZONE = "it was read as one card; if these are several, write one on a line"


def _unheaded(token: LineToken, vocabulary: Vocabulary) -> LineToken:
    """In a list of bare names a word like `Energy` or `Hero` is a card; `Deck` and the format's own headers are not."""
    header = token.header
    if token.kind is not LineKind.HEADER or header is None or vocabulary.is_sure(header.words):
        return token
    if header.count is not None or header.shaped or token.text != header.words:
        return token
    question = "it was read as a card; if it heads what stands below, write `##` before it"
    return structs.replace(token, kind=LineKind.BARE, header=None, question=question)


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
        or is_item(tidy(token.raw))
        or (dialect.factions and _FACTION.match(token.text))
    ):
        return None, ""
    why = _why_title(tokens, first, bare=bare, counted=counted, vocabulary=vocabulary, dialect=dialect)
    return (first, why) if why else (None, "")


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


def _has_a_paragraph(tokens: Sequence[LineToken]) -> bool:
    """Whether two cards stand on lines one below the other: else a blank line sets nothing apart."""
    return any(before.kind in _CARDS and after.kind in _CARDS for before, after in itertools.pairwise(tokens))


def _names_a_game(text: str, vocabulary: Vocabulary) -> bool:
    padded = f" {_words(text)} "
    return any(f" {_words(title)} " in padded for title in vocabulary.titles if title)


def _words(text: str) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in fold(text)).split())


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
    while end < len(tokens) and tokens[end].kind is LineKind.BARE:
        end += 1
    above = frozenset(range(start, end))
    ended = end < len(tokens) and tokens[end].kind in (LineKind.BLANK, LineKind.HEADER)
    one_block = dialect.identity and end < len(tokens)
    alone = above == frozenset(bare) and len(above) <= _MOST_LEADERS
    return above if alone and (ended or one_block) else frozenset()


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


def _leads_a_long_list(tokens: Sequence[LineToken], side: int) -> bool:
    """Tell whether one or two cards stand above more than fifteen: no sideboard is that large."""
    above = sum(whole_number(token.count) or 0 for token in tokens[:side] if token.kind is LineKind.COUNTED)
    below = sum(whole_number(token.count) or 0 for token in tokens[side:] if token.kind is LineKind.COUNTED)
    return above <= 2 and below > _LARGEST_SIDE
