"""Plain text: what people paste, and what most programs export.

The lines are told apart one by one (`lines`); what those without a count are, their places decide (`roles`); then each
deck of the text is put together, line after line.

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
from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import structs

from tourney.cards.names import fold
from tourney.decks.decklist import Decklist, Reading
from tourney.decks.reading.builder import DeckBuilder, LeftOpen, ListText, Section
from tourney.decks.reading.counts import is_only_a_count, number_beside, split_count, whole_number
from tourney.decks.reading.lines import (
    DESCRIBING,
    LEADER_KINDS,
    LONGEST_LINE,
    Header,
    LineKind,
    LineToken,
    Vocabulary,
    general_kind,
    list_number,
    pieces,
    read_header,
    tidy,
    tokenize,
    without_message_head,
)
from tourney.decks.reading.names import Dialect, Peeled, detect, late, peel, squeeze, titled
from tourney.decks.reading.roles import LEADING, roles_of
from tourney.errors import Finding, Severity

MOST_LINES = 10_000
"""Of a longer text the rest is not read, and that is told."""
_MOST_LETTERS = 250_000


def read_plain(text: ListText, beside: Sequence[tuple[int, str]] = ()) -> list[Decklist]:
    """Read the decks of a plain text, line by line; at least one.

    beside: the text's lines unfolded, where lists stand side by side in it, each with its number
    """
    lines, vocabulary = text.lines, text.vocabulary
    read = _within_bounds(lines)
    tidied = [without_message_head(tidy(line)) if len(line) <= LONGEST_LINE else "" for line in lines[:read]]
    dialect = detect(tidied)
    numbered = _run_on([list_number(line) for line in tidied])
    unfolded = [each for each in beside if each[0] <= read] or list(enumerate(tidied, start=1))
    tokens = [
        tokenize(number, lines[number - 1], piece, vocabulary, dialect, numbered=numbered)
        for number, line in unfolded
        for piece in (pieces(line) if not dialect.columns else (line,))
    ]
    tokens = _with_counts_joined(tokens)
    parts = list(_split_decks(tokens))
    decks = [_Assembly(part, text.source, vocabulary, dialect, unfolded=bool(beside)) for part in parts]
    taken = {number for number, line in unfolded if line}
    for number, line in enumerate(tidied, start=1):
        if line and number not in taken:  # tags alone, the heads of columns
            decks[0].deck.account.setdefault(number, "comment")
    if read < len(lines):
        decks[-1].deck.fault(
            "line", f"only the lines up to here were read, {read:,} of {len(lines):,}", line=read
        )
    return [assembly.read() for assembly in decks]


def _within_bounds(lines: Sequence[str]) -> int:
    """Give how many lines are read: at most ten thousand, with at most 250,000 letters that are looked at."""
    letters = 0
    for number, line in enumerate(lines[:MOST_LINES]):
        letters += len(line) if len(line) <= LONGEST_LINE else 0
        if letters > _MOST_LETTERS:
            return number
    return min(len(lines), MOST_LINES)


def _run_on(numbers: Sequence[int | None]) -> bool:
    """Whether the numbers before lines count the lines: one after the other, from 1 again below a gap, or all 1."""
    given = [number for number in numbers if number is not None]
    if all(number == 1 for number in given):
        return True
    pairs = itertools.pairwise([None, *numbers])
    return given == list(range(1, len(given) + 1)) or all(
        number in (None, (before or 0) + 1) for before, number in pairs
    )


def _with_counts_joined(tokens: Sequence[LineToken]) -> list[LineToken]:
    """Join counts on lines of their own to the names below (or above) if a whole part is written that way."""
    joined: list[LineToken] = []
    start = 0
    for at, token in enumerate([*tokens, None]):
        if token is None or token.kind in (LineKind.HEADER, LineKind.KEY):
            joined += _joined(tokens[start:at])
            joined += [] if token is None else [token]
            start = at + 1
    return joined


def _joined(part: Sequence[LineToken]) -> list[LineToken]:
    cards = [token for token in part if token.kind in (LineKind.BARE, LineKind.COUNTED)]
    kinds = "".join(map(_count_or_name, cards))
    if "c" not in kinds:
        return list(part)
    titled = len(kinds) % 2 and _stands_apart(cards[0], part)
    match = re.fullmatch(r"(?P<title>n?)(?P<pairs>(?:cn)+|(?:nc)+)", kinds)
    if match is None or bool(match["title"]) != bool(titled):
        return list(part)
    cards = cards[1:] if titled else cards
    names_first = match["pairs"].startswith("n")
    counts, names = cards[names_first::2], cards[not names_first :: 2]
    count_of = {name.number: count.text for name, count in zip(names, counts, strict=True)}
    counted = {count.number for count in counts}
    apart = any(name.number - count.number not in (1, -1) for name, count in zip(names, counts, strict=True))
    return [
        structs.replace(token, kind=LineKind.OTHER, key="count")
        if token.number in counted
        else structs.replace(token, kind=LineKind.COUNTED, count=count_of[token.number].strip("xX×()[]: "))
        if token.number in count_of
        else token
        for token in part
        if not (apart and token.kind is LineKind.BLANK)
    ]


def _count_or_name(token: LineToken) -> str:
    if token.kind is not LineKind.BARE or token.tail or token.zone:
        return "?"
    return "c" if is_only_a_count(token.text.rstrip(":")) else "n"


def _stands_apart(token: LineToken, part: Sequence[LineToken]) -> bool:
    below = next((each for each in part if each.number > token.number), None)
    return below is not None and below.kind is LineKind.BLANK


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
    return f"header {fold(words)}" if general_kind(words) in ("main", *LEADER_KINDS) else None


def _back_to_cards(tokens: Sequence[LineToken], at: int) -> int:
    """Step back over the second deck's title and comments: they stand above what gave it away."""
    while at and tokens[at - 1].kind in (LineKind.COMMENT, LineKind.BARE, LineKind.KEY, LineKind.OTHER):
        at -= 1
    return at


# -- A deck, put together line after line; then what only the whole list shows


_TAKEN_FOR = {
    LineKind.HEADER: "header",
    LineKind.COUNTED: "card",
    LineKind.BARE: "card",
    LineKind.TOTAL: "header",
}
_CORE_KEYS = frozenset({"name", "player", "name-or-player", "format", "author", "description", "source"})
_KEY_WORDS = late("[:=：]")
_BOILERPLATE = late(r"deck file (?:for|created)|generated (?:by|with)|created with|exported from", re.I)
_NAME_BEFORE_A_NUMBER = late(r"(?P<name>\S.*?[^\W\d].*?) (?P<count>[1-9]\d?)")


def _copies_of_a_leader(count: str, name: str) -> str:
    return f"{count} copies of a card that leads the deck? write the count before the name, as in `1 {name}`"


_TITLE_OR_CARD = "it was read as one card, number and all; if the number is the count, write `4 Name`, if it is the title, `# Name`"
_NAME_BESIDE_A_NUMBER = late(
    r"\W{0,3}\d{1,2}(?:\W\d{1,2})?\W{1,3}(?P<name>[^\W\d_].*)|(?P<name2>.*[^\W\d_])\W{1,4}\d{1,2}\W{0,3}"
)
NEVER_SORTED = LEADING | {
    "egg", "don", "runes", "battlefields", "planes", "schemes", "attractions", "stickers", "contraptions", "missions", "objectives",
    "quests", "sites", "provinces", "critical",
}  # fmt: skip
"""General kinds of zones with one type of card: `Characters` below their cards begins a group of the main deck."""
_SEVERAL = 2
_NEARLY_EVERY = 0.8
_BETWEEN_COLUMNS = late(r"\t+| *\| *| {2,}")


class _Assembly:
    """One deck of a plain text, walked through once."""

    def __init__(
        self,
        tokens: Sequence[LineToken],
        source: str,
        vocabulary: Vocabulary,
        dialect: Dialect,
        *,
        unfolded: bool = False,
    ) -> None:
        self.deck = DeckBuilder(source, dialect.name, vocabulary, dialect)
        preamble = _tournament_preamble(tokens, self.deck) if dialect.name == "twd" else 0
        self.deck.account |= {
            token.number: "comment" for token in tokens[:preamble] if token.kind is not LineKind.BLANK
        }
        self.roles = roles_of(tokens[preamble:], vocabulary, dialect)
        self.describing = False
        self.about = False
        self.leaving = False
        self.keys = set[str]()
        self.unknown = dict[int, str]()  # line → header that sort, though no list of words knows them
        self.unfolded = unfolded  # a card is a part of its line
        self.counted = False  # a card with its count has been seen: the head of the list is over

    def read(self) -> Decklist:
        """Walk through the tokens and give the deck."""
        for at, token in enumerate(self.roles.tokens):
            if at == self.roles.title:
                self._take_title(token, apart=self.roles.tokens[at + 1].kind is LineKind.BLANK)
            elif at in self.roles.footer:
                self._take_footer(token)
            else:
                if at == self.roles.side_from:
                    self._begin_side(token)
                elif at == self.roles.asked_from:
                    self._ask_about_rule(token)
                self._take(token, leader=at in self.roles.leaders)
            if token.kind is not LineKind.BLANK:
                taken = "card" if token.key == "count" else _TAKEN_FOR.get(token.kind, "comment")
                self.deck.account.setdefault(token.number, taken)
        self._headers_nobody_knows()
        self._ask_about_unknown_groups()
        self._numbers_joined_to_every_name()
        self._a_sign_in_every_name()
        return self.deck.build()

    def _take_footer(self, token: LineToken) -> None:
        """Set a line at the end aside as words about the list, and add a note if it belongs to a signature."""
        if token.kind is not LineKind.BARE:
            return
        words = squeeze(token.text)
        self.deck.about.append(("footer", words))
        if token.number not in self.roles.signed:
            self._set_aside(token, words, "footer", "it stands beside an address at the end")
            return
        why = "it stands below `--`"
        self.deck.note(
            token.number, f"`{words}` was taken for a signature, not for a card: {why}", weighty=True
        )
        self._set_aside(token, words, "signature", why)

    def _take_title(self, token: LineToken, *, apart: bool) -> None:
        if self._heads_columns(token):
            self._refuse_columns(token.number)
            return
        words = squeeze(token.text.rstrip(":"))
        heading = token.raw.lstrip().startswith("#")
        counted = None if heading else number_beside(words)
        if counted and words[:1].islower() and words.endswith(counted) and not apart:
            self.deck.fault("line", "the title, or a card? it was not counted", line=token.number,
                            hint=f"write the count in digits before a card, `# {words}` for the title")  # fmt: skip
            return
        else_ = "" if heading else f"; if it is a card, write `1 {words}`"
        message = f"`{words}` was taken as the title: {self.roles.why_title}{else_}"
        self.deck.note(token.number, message, weighty=not heading)
        self.deck.set_aside(
            words, line=token.number, role="title", why=self.roles.why_title, raw=token.raw, card=not heading,
            question="" if heading or apart or not number_beside(words) else _TITLE_OR_CARD,
        )  # fmt: skip
        self.deck.account[token.number] = "title"
        self.deck.name = self.deck.name or words or None

    def _heads_columns(self, token: LineToken) -> bool:
        """Return whether a line without a count is the headers of several zones: `Main     Sideboard`."""
        cells = _BETWEEN_COLUMNS.split(tidy(token.raw).strip("| ")) if token.kind is LineKind.BARE else []
        headers = [read_header(squeeze(cell), self.deck.vocabulary) for cell in cells if cell]
        return len(headers) > 1 and all(header is not None and header.zone for header in headers)

    def _begin_side(self, token: LineToken) -> None:
        self.deck.enter("Sideboard", line=token.number, implied=True)
        gap = "separator" if self.roles.ruled else "blank line"
        message = f"the cards from here on were taken as the sideboard: the only {gap} is above them"
        self.deck.note(token.number, message, weighty=self.roles.ruled)
        at = self.roles.side_from or 0
        above, below = _copies(self.roles.tokens[:at]), _copies(self.roles.tokens[at:])
        if below > above:
            self.deck.fault(
                "header",
                f"taken as the sideboard, as the only {gap} is above: {below} cards, {above} stand above",
                line=token.number,
                severity=Severity.ADVICE,
                hint=f"write `Sideboard` above the sideboard, or leave out the {gap}",
            )

    def _ask_about_rule(self, token: LineToken) -> None:
        message = "a separator is above this line, and nothing says what is below it"
        hint = "write `Sideboard` above the sideboard, or remove the separator"
        self.deck.fault("line", message, line=token.number, hint=hint)

    def _take(self, token: LineToken, *, leader: bool) -> None:
        if token.kind in (LineKind.BLANK, LineKind.HEADER, LineKind.KEY):
            self.describing = self.about = False
        if self.describing or self._took_about(token):
            self._describe(token)
            return
        match token.kind:
            case LineKind.COUNTED | LineKind.BARE:
                self._card(token, leader=leader)
            case LineKind.HEADER if token.header is not None:
                self._header(token, token.header)
            case LineKind.KEY:
                self._key(token)
            case LineKind.COMMENT:
                self._comment(token)
            case LineKind.TOTAL:
                self._total(token)
            case LineKind.BLANK | LineKind.RULE:
                self.leaving = self._in_leading_zone() and bool(self.deck.zone and self.deck.zone.cards)
            case LineKind.TOO_LONG:
                message = f"a line of {len(token.raw):,} letters is too long for a card"
                self.deck.fault("line", message, line=token.number)
            case _:
                pass  # addresses, rules and what else is never a card

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

    def _card(self, token: LineToken, *, leader: bool) -> None:
        """Add the card on the line, or say why none was read."""
        if self._heads_columns(token):
            self._refuse_columns(token.number)
            return
        if self.leaving:
            self.deck.leave()
            self.leaving = False
        counted = token.count is not None
        self.counted = self.counted or counted
        if not counted and is_only_a_count(token.text.rstrip(":")):
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
        leads = general_kind(token.zone or (self.deck.zone.words if self.deck.zone else "")) in LEADING
        if leads and token.whole and (whole_number(token.count) or 0) > 1 and not token.fault:
            fault = _copies_of_a_leader(token.count or "", token.text)
            token = structs.replace(token, fault=fault, doubt="")
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
        if " | " in token.text and token.count is not None and not token.fault:
            names = [reading.name.partition(" | ") for reading in peeled.readings if " | " in reading.name]
            others = (form for title, _, subtitle in names for form in titled(title, subtitle).readings[1:])
            return structs.replace(peeled, readings=(*peeled.readings, *others))
        behind = token.count is None and token.text[-1:].isdigit()
        match = _NAME_BEFORE_A_NUMBER.fullmatch(token.text) if behind else None
        if match:
            count = int(match["count"])
            leads = general_kind(token.zone or (self.deck.zone.words if self.deck.zone else "")) in LEADING
            doubt = _copies_of_a_leader(match["count"], match["name"]) if leads and count > 1 else ""
            shorter = Reading(
                name=match["name"], taken=match["count"], certain=False, count=count, doubt=doubt
            )
            return structs.replace(peeled, readings=(*peeled.readings, shorter))
        return peeled

    def _unread(self, token: LineToken, why: str, severity: Severity = Severity.ERROR) -> None:
        words = squeeze(tidy(token.raw))[:40]
        self.deck.fault("line", f"`{words}`: {why}", line=token.number, severity=severity)

    def _header(self, token: LineToken, header: Header) -> None:
        """Begin what the header heads: words about the deck, a zone, or a group inside the zone."""
        number = token.number
        self.leaving = False
        if token.tail:
            self._counted_header(token)
        if header.words.lower() in DESCRIBING:
            self.describing = True
        elif header.words.lower() == "metadata":
            self.deck.leave()
        elif header.zone or (header.section and not header.group) or self._begins_zone(header):
            above = self.deck.zone.line if self.deck.zone and not self.unfolded else None
            self.deck.enter(header.words, line=number, declared=header.count)
            if above == number:
                self._refuse_columns(number)
        else:
            if not header.known and token.kind is LineKind.HEADER:
                self.unknown[number] = header.words
            self._sort(header, number)

    def _refuse_columns(self, number: int) -> None:
        message = "headers of several zones are on one line, and nothing says which cards are under which"
        self.deck.fault("line", message, line=number, hint="put one zone below the other")

    def _sort(self, header: Header, number: int) -> None:
        """Begin a group: inside the zone, or in the main deck if a zone that is never sorted ends here."""
        zone = self.deck.zone
        if zone is not None and self._is_over(zone, number):
            self.deck.leave()
        elif zone is not None and zone.cards and self.deck.group is None and self._lacks_main_deck(number):
            message = f"does `{header.words}` sort `{zone.words}`, or does the main deck begin here?"
            hint = "write `Deck` above the main deck, or put it first"
            self.deck.fault("line", message, line=number, hint=hint)
        self.deck.sort(header.words, line=number, declared=header.count)

    def _is_over(self, zone: Section, number: int) -> bool:
        """Return whether a sorting word on line `number` ends the zone instead of sorting it."""
        if not zone.cards:
            return zone.kind in LEADING and number > zone.line + 1
        return not self._is_main(zone.words) and (zone.kind in NEVER_SORTED or zone.declared == zone.cards)

    def _is_main(self, header: str | None) -> bool:
        zone_id = self.deck.vocabulary.zone_id
        return (
            header is None or general_kind(header) == "main" or zone_id(header) in (zone_id("main"), "main")
        )

    def _lacks_main_deck(self, number: int) -> bool:
        """Return whether no card above line `number` is in the main deck, and no header below begins one."""
        later = (token.header.words for token in self.roles.tokens if token.header and token.number > number)
        return not any(map(self._is_main, (*(line.zone for line in self.deck.lines), *later)))

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
        inside_other = kind is not None and kind != "main" and kind not in LEADING
        return header.shaped and header.count is None and not header.group and not inside_other

    def _in_leading_zone(self) -> bool:
        return self.deck.zone is not None and self.deck.zone.kind in LEADING

    def _key(self, token: LineToken) -> None:
        """Take what the key says of the deck; below its cards only the keys that no card's name begins with are any."""
        deck, value = self.deck, token.text
        words = fold(_KEY_WORDS.split(tidy(token.raw), maxsplit=1)[0])
        if "name" in token.key and words in self.keys:
            message = f"`{squeeze(tidy(token.raw))[:40]}`: no card was read, as the words before the sign say what the deck or its player is called, and they stand above already"
            deck.fault("line", message, line=token.number, hint="write cards as `4 Name`")
            return
        self.keys.add(words)
        below = self.counted or any(general_kind(line.zone or "") not in LEADING for line in deck.lines)
        if below and token.key not in _CORE_KEYS and not token.raw.lstrip().startswith(("//", "#", ";")):
            text = squeeze(tidy(token.raw))
            doubt = f"no count stands beside it; write `1 {text}` if it is a card, else `# {text}`"
            bare = LineToken(
                LineKind.BARE, token.number, token.raw, text=text, doubt=doubt if self.counted else ""
            )
            self._card(bare, leader=False)
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

    def _total(self, token: LineToken) -> None:
        """Note how many cards the line says there are; the pool is asked, too."""
        self.deck.expect(int(token.count or 0), line=token.number, words=token.text)
        count, words = split_count(token.text)
        self.deck.set_aside(
            words, line=token.number, role="sum", why="it says how many cards there are", count=count, raw=token.raw
        )  # fmt: skip

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

    def _ask_about_unknown_groups(self) -> None:
        """Point out headers that were taken for groups of the zone above: one may be a part of its own."""
        unknown = {
            line: words for line, words in self.unknown.items() if self.deck.account.get(line) != "finding"
        }
        if unknown:
            self.deck.findings.append(
                Finding(
                    rule="header",
                    severity=Severity.ADVICE,
                    message="read as a group of the part above; its cards count there",
                    lines=tuple(unknown),
                    subjects=tuple(dict.fromkeys(unknown.values())),
                    hint="if it is a part of its own, call it what the format calls it, such as `Sideboard`",
                )
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
        if self.counted or self.unfolded or len(lines) < _SEVERAL:
            return
        signs = Counter(sign for token in lines for sign in _signs_between_names(token.raw))
        sign, times = signs.most_common(1)[0] if signs else ("", 0)
        if times >= max(_SEVERAL, len(lines) * _NEARLY_EVERY):
            each = "each line has" if times == len(lines) else f"{times} of {len(lines)} lines have"
            parted = [token.number for token in lines if sign in _signs_between_names(token.raw)]
            if sign in _PARTING_COLUMNS:
                self._doubt_columns(parted)
            words = f"{each} {sign} between words and was read as one card; if it parts two cards, put each on a line of its own"
            self.deck.note(parted[0], words, weighty=True)

    def _doubt_columns(self, numbers: Collection[int]) -> None:
        """Doubt the lines of a list without counts that may have two cards in two columns."""
        doubt = (
            "are these two cards in two columns? put each on a line of its own, or `1` before the name of one"
        )
        for at, line in enumerate(self.deck.lines):
            if line.number in numbers and not line.doubt:
                self.deck.lines[at] = structs.replace(line, doubt=doubt, question="")
                self.deck.account[line.number] = "finding"


_PARTING_COLUMNS = frozenset({"a wide space", "`|`", "`｜`"})


def _copies(tokens: Iterable[LineToken]) -> int:
    """Return how many copies the counts of lines add up to."""
    return sum(whole_number(token.count) or 0 for token in tokens if token.kind is LineKind.COUNTED)


def _are_all_different(names: Iterable[str | None]) -> bool:
    """Whether there is a name on each line, and none twice."""
    keys = [fold(name) if name else None for name in names]
    return None not in keys and len(set(keys)) == len(keys)


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


_BETWEEN = late(
    r"(?<!\s)(?:\s*(?P<close>[,;|，、；｜])\s*|\s+(?P<sign>[^\w\s'\"]|and|und|et|or)\s+|(?P<wide>\s{2,}|\u3000))"
)
_BEFORE_NAMES = " \t\u3000-*•>"


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
