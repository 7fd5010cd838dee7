"""Finds the card and the printing that a line of a decklist names.

A line can have several *readings*, such as `Kite (Red)` with and without the parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct, structs
from msgspec.structs import replace

from tourney.cards.card import Card, Status, unlisted_card
from tourney.cards.names import fold
from tourney.decks.decklist import NO_FACTS, Line, PrintMark, Reading
from tourney.decks.reading.counts import parse_number
from tourney.decks.reading.names import remove_picture_suffix
from tourney.decks.verdict import Correction
from tourney.errors import Finding
from tourney.rules.expressions.deck import Deck, View
from tourney.rules.findings import Rule
from tourney.rules.ruleset import CardMatch, Ruleset, plain_number
from tourney.wording import listed_short


class NamedCard(Struct, frozen=True):
    """A line and the card that it names.

    match: the card that was found; None if the pool does not have the card
    facts: the declared facts that the check uses
    """

    line: Line
    reading: Reading
    match: CardMatch | None
    facts: Mapping[str, object] = NO_FACTS

    @property
    def card(self) -> Card:
        """The card of the pool, or else a card with only a name; includes declared facts."""
        card = self.match.card if self.match else unlisted_card(self.reading.name)
        return card.with_facts(self.facts) if self.facts else card  # type: ignore[arg-type]

    @property
    def card_key(self) -> str:
        """A key that all lines with the same card share."""
        return self.match.pool_id if self.match else "\0" + self.reading.key

    @property
    def card_name(self) -> str:
        """The name of the card in findings."""
        return self.match.card.name if self.match else self.line.name

    @property
    def copies(self) -> int:
        """The number of copies: the count of the reading if it has one, else the count of the line.

        A reading has a count if it takes a number beside the name as the count, as in `Kite (5)`.
        """
        return self.line.count if self.reading.count is None else self.reading.count


class NameLookup:
    """Looks up the lines of decklists in the pool of one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.cards = ruleset.cards

    def find(self, line: Line) -> NamedCard:
        """Find the card that a line names, by its code or else by its name.

        A line can have several *readings*, such as `Kite (Red)` with and without the parentheses. The first
        one with a known name is used. An open pool may lack cards, so there a reading is skipped if the text
        that it leaves out could belong to the name of such a card (`_can_decide`).
        """
        cards = self.cards
        if line.code and (
            match := cards.by_code(line.code) or cards.by_code(remove_picture_suffix(line.code))
        ):
            same_readings = (reading for reading in line.readings if cards.find(reading.name) == match)
            return NamedCard(line, next(same_readings, line.reading), match)
        readings = [reading for reading in line.readings if self._can_decide(reading)]
        for reading in readings:
            match = self._match(line, reading)
            if match or reading.key in cards.named:
                return NamedCard(line, reading, match)
        if line.code and (match := cards.find(line.code)):
            return NamedCard(line, line.reading, match)
        if not self.ruleset.pool.complete and self.ruleset.banned_names:
            for reading in readings:  # `Comet, Invented` is the banned Invented Comet
                if name := self.ruleset.banned_as(reading.name):
                    return NamedCard(line, structs.replace(reading, name=name), cards.find(name))
        return NamedCard(line, _remove_quotes(line.reading), None)

    def known_reading(self, line: Line) -> Reading | None:
        """Return the reading of a line that `find` uses, if its card is known; otherwise None.

        A reading is one way to separate a card's name from the words around it. A card is known by the code
        on the line, if that is in the pool. Otherwise, it is known by its name in the pool or in the rules.
        If the card is known by its code, the name in the reading may be different from the card's name.
        """
        named_card = self.find(line)
        is_known = named_card.match is not None or named_card.reading.key in self.cards.named
        return named_card.reading if is_known else None

    def _match(self, line: Line, reading: Reading) -> CardMatch | None:
        """Return the card that has the name in `reading`; None if there is none.

        If several cards have that name, a printing or an id on the line can select one of them. If several
        remain, the returned card has these as `candidates`.
        """
        match = self.cards.find(reading.name, reading.printing.set, reading.printing.number)
        if match and match.card.candidates and (mark := _requested_printing(reading, match.card)):
            match = self.cards.find(reading.name, mark.set, mark.number)
        if match and match.card.candidates and (card := _candidate_beside(line, reading, match.card)):
            match = self.cards.by_code(card.id)
        return match

    def _can_decide(self, reading: Reading) -> bool:
        """Return whether a reading of a line may be used if its name is known.

        A reading leaves out words around the name. It may be used in a complete pool, or if these words are
        certainly decoration. An open pool may lack cards such as `Kite (Red)` and `Kite 2`. There a reading
        may not be used if it leaves out a number as a count, or parentheses. Parentheses around a number, the
        card's id, or a set in which the card was printed are allowed.
        """
        if reading.certain or self.ruleset.pool.complete:
            return True
        if reading.count is not None:
            return False
        if not _PARENTHESIS.search(reading.decoration) or parse_number(reading.decoration.strip("()")):
            return True
        match = self.cards.find(reading.name)
        if match is None:
            return False
        tokens = _tokens(reading.decoration)
        is_printing = any(_is_named_by(card, tokens) for card in match.card.candidates or (match.card,))
        return is_printing or _set_beside(reading, match.card) is not None

    def correction(self, named_card: NamedCard) -> Correction | None:
        """Return the correction if a line is not read as written; None if it is."""
        line, reading, match = named_card.line, named_card.reading, named_card.match
        taken_as = match.card.name if match else reading.name
        if all(reading.key != other.key for other in line.readings):
            taken_as, reason = reading.name, "the same letters"
        elif match is None or (match.own and not reading.decoration):
            return None
        elif reading.count is not None and reading.decoration:
            reason = f"`{reading.decoration}` read as the count"
        elif reading.decoration and not reading.certain:
            reason = f"`{reading.decoration}` read as decoration"
        elif line.code and line.code != reading.name and self.cards.find(reading.name) != match:
            reason = f"its code `{line.code}` is this card's"
        elif reading.name == match.card.id != match.card.name:
            reason = "the card's id"
        elif reading.key not in {match.card.key, match.keys[0]}:
            reason = "another name of the card" if reading.name in line.written_name else "the card's number"
        elif match.keys[0] != match.card.key:
            taken_as, reason = match.counted, "counts as this card"
        else:
            return None
        return Correction(line=line.number, written=line.written_name, taken_as=taken_as, reason=reason)


def ask_which_card(named_card: NamedCard) -> str:
    """Return a question if several cards share the name and none has the line's printing.

    Returns an empty text if there is nothing to ask, or if the line has no collector's number.
    """
    line, match = named_card.line, named_card.match
    if match is None or not match.card.candidates or not named_card.reading.printing.number:
        return ""
    candidates = match.card.candidates
    printings = [
        f"{printing.set} {printing.number}"
        for card in candidates
        for printing in card.printings
        if printing.number
    ]
    printing_list = f" ({listed_short(printings)})" if printings else ""
    return (
        f"line {line.number} `{line.written_name}`: the pool has {len(candidates)} cards of this name, "
        f"but none with this set and number{printing_list}"
    )


def _remove_quotes(reading: Reading) -> Reading:
    """Remove quotes that enclose the whole card name of a `Reading`; return the result."""
    match = _QUOTED.fullmatch(reading.name)
    return structs.replace(reading, name=match["name"].strip()) if match else reading


_QUOTED = re.compile(r"[\"“„«](?P<name>[^\"“”„«»]+)[\"”“»]")
_PARENTHESIS = re.compile(r"\([^()]*\w")


# -- words beside a name


_MARKED = re.compile(r"[\[({<*#]+\s*([^\])}>*#]+?)\s*(?=[\])}>*#]|$)")
_TOKEN = re.compile(r"[^\W_]+")
_LONGEST_COUNT = 1
"""A number of at most this many digits is usually a count if no set is beside it."""


def _tokens(words: str) -> list[str]:
    """Split text at punctuation, and fold the parts: `(ABC-12)` gives `abc` and `12`."""
    return [fold(token) for token in _TOKEN.findall(words)]


def _set_beside(reading: Reading, card: Card) -> str | None:
    """Return the first set beside the name that has a printing of the card; otherwise None."""
    return next((code for code in _MARKED.findall(reading.decoration) if card.printing(code)), None)


def _requested_printing(reading: Reading, card: Card) -> PrintMark:
    """Return the printing that a line requests.

    Words in brackets name a set only if the card was printed in that set.
    """
    code = None if reading.printing else _set_beside(reading, card)
    return PrintMark(set=code) if code else reading.printing


def _candidate_beside(line: Line, reading: Reading, card: Card) -> Card | None:
    """Return one of the cards that share a name: the card whose id or printing is on the line.

    Returns None if no card or more than one card fits.

    card: has the cards of this name as `candidates`
    """
    tokens = _tokens(f"{reading.decoration} {line.code or ''}")
    candidates = [candidate for candidate in card.candidates if _is_named_by(candidate, tokens)]
    code = reading.printing.set
    is_of_set = (
        code is None or code.isdecimal() or any(candidate.printing(code) for candidate in card.candidates)
    )
    if not candidates and is_of_set:
        sets = {fold(printing.set) for candidate in card.candidates for printing in candidate.printings}
        if len(sets) == 1 or sets.isdisjoint(tokens):
            numbers = {
                plain_number(token)
                for token in tokens
                if len(token) > _LONGEST_COUNT and any(map(str.isdigit, token))
            }
            candidates = [
                candidate for candidate in card.candidates if numbers & _collector_numbers(candidate)
            ]
    return candidates[0] if len(candidates) == 1 else None


def _is_named_by(card: Card, tokens: list[str]) -> bool:
    """Return whether words beside a name are the card's id, or a printing's set and number."""
    id_tokens = _tokens(card.id)
    if len(id_tokens) > 1 and any(
        tokens[index : index + len(id_tokens)] == id_tokens
        for index in range(len(tokens) - len(id_tokens) + 1)
    ):
        return True
    numbers = set(map(plain_number, tokens))
    return any(
        printing.number is not None
        and fold(printing.set) in tokens
        and plain_number(printing.number) in numbers
        for printing in card.printings
    )


def _collector_numbers(card: Card) -> set[str]:
    return {plain_number(printing.number) for printing in card.printings if printing.number is not None}


# -- the rule about printings


class Printings(Rule, frozen=True, kw_only=True):
    """The rule about which printings of cards may be played, for one decklist.

    named_cards:      the lines of the list, each with the card that it names
    allowed_statuses: the kinds of printings that may be played, such as `current`
    """

    named_cards: Sequence[NamedCard]
    allowed_statuses: Collection[str]

    def find(self, deck: Deck) -> Iterator[Finding]:
        """Yield a finding for each line whose printing may not be played.

        This applies to a card with only one printing, too.
        """
        slots = {line: slot for slot in deck.slots for line in slot.lines}
        for named_card in self.named_cards:
            fault, hint = _fault_of_printing(named_card, self.allowed_statuses)
            if fault:
                slot = slots.get(named_card.line.number)
                view = View(deck).of(slot) if slot else None if self.terms.holes else View(deck)
                finding = self.terms.finding(fault, subjects=(named_card.card_name,), view=view, hint=hint)
                yield replace(finding, lines=(named_card.line.number,))


def _fault_of_printing(named_card: NamedCard, allowed_statuses: Collection[str]) -> tuple[str, str | None]:
    """Return why a printing may not be played, and what the pool notes about this printing.

    The reason is empty if the printing may be played. The note may be None.
    """
    for mark in named_card.line.marks:
        status = _STATUS_MARKS.get(fold(mark.strip("()[]{}*# ")).replace("-", ""))
        if status and status.word not in allowed_statuses:
            return f"the list itself says that it {_STATUS[status.word]}", None
    if named_card.match is None or (not named_card.match.odd and "current" in allowed_statuses):
        return "", None
    card, print_mark = named_card.match.card, _requested_printing(named_card.reading, named_card.match.card)
    # If the set does not have the number, the set decides.
    printing = print_mark.set and (
        card.printing(print_mark.set, print_mark.number) or card.printing(print_mark.set)
    )
    word = (printing or card).status.word
    if word in allowed_statuses:
        return "", None
    if not printing:
        return f"every printing {_STATUS[word]}", None
    return f"the printing {print_mark} {_STATUS[word]}", printing.note


_STATUS = {"outdated": "is an outdated version", "misprint": "is a misprint"}
_STATUS_MARKS = {
    "misprint": Status.MISPRINT,
    "misprinted": Status.MISPRINT,
    "outdated": Status.OUTDATED,
    "old version": Status.OUTDATED,
}
"""The status of a copy that has a mark such as `(Misprint)`."""
