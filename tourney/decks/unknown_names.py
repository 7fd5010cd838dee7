"""Reviews names that the pool does not have, or that look like the name of another card.

In a complete pool, an unknown name is a finding. In an incomplete (open) pool it may be a card that the pool
lacks, so a note asks whether another card is meant. A cause that explains most unknown names of a list is
shown once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, takewhile

from tourney.cards.names import (
    describe_letter,
    explain_lookalike,
    fold,
    foreign_letters,
    lookalike_key,
    one_slip_apart,
    script,
    similar_pairs,
    suggestion,
)
from tourney.decks.naming import NamedCard
from tourney.decks.reading.counts import is_unit, parse_number, split_count
from tourney.decks.reading.names import MAX_CARD
from tourney.decks.reading.words import folded_words, lazy_pattern, squeeze
from tourney.decks.resolving import ResolvedDeck
from tourney.decks.verdict import Cause
from tourney.errors import Finding, Severity
from tourney.rules.expressions.values import Slot
from tourney.rules.findings import distinct_lines
from tourney.rules.ruleset import Ruleset

_MOST_NAMED = 3
"""The maximum number of unknown names in a note; `deck show` lists all of them."""
_MOST_ASKED = 10
"""The maximum number of lines, or of names near banned names, that a note asks about."""
MOST_COMPARED = 1_000
"""The maximum number of names that are compared with each other and with banned names.

A large cube has 720.
"""
_MOST_LOOKED_UP = 200
"""The maximum number of unknown names for which near names are looked up.

Each look-up takes 5 ms in a pool of 32,000 cards.
"""
_FEW_KNOWN, _ENOUGH_NAMES = 0.2, 5
"""A list is for another pool if it has enough names and the pool knows at most this share."""
_SAME_SET = 3
"""A set is missing from the pool only if at least this many unknown names have its mark."""


class NameReview:
    """The findings and questions about the card names in one decklist.

    unknown_slots:   the cards that the pool does not have; a card in two zones is listed once for each zone
    unmatched_lines: the lines, among the first `MOST_COMPARED`, whose card the pool does not have
    has_names:       whether the pool or the rules name any card
    """

    def __init__(self, resolved_deck: ResolvedDeck, ruleset: Ruleset) -> None:
        self.resolved_deck = resolved_deck
        self.ruleset = ruleset
        self.pool = ruleset.pool
        self.unknown_slots = resolved_deck.unlisted_slots
        self.unmatched_lines = [
            named_card for named_card in resolved_deck.named_cards[:MOST_COMPARED] if named_card.match is None
        ]
        self.has_names = bool(len(self.pool) or ruleset.cards.named)

    def findings(self) -> Iterator[Finding]:
        """Yield findings about unknown names, and about names that look like a known card."""
        if self.pool.complete:
            yield from self._unknown_cards()
        else:
            if self.has_names:
                yield from self._cards_on_one_line()
            yield from self._look_alikes()

    def notes(self) -> Iterator[str]:
        """Yield notes and questions about unknown names, if the pool is open (may lack cards).

        In any pool, a note says if similar names were looked up for only some of the unknown names.
        """
        if not self.pool.complete and self.unknown_slots:
            yield self._names_only_note()
            if self.has_names:
                yield from self._near_known_cards()
            yield from _first_few("one card or two? ", self._similar_pairs())
            yield from _first_few("the same card with a mark beside it? ", self._pairs_without_mark())
            yield from self._open_questions()
            if len(self.resolved_deck.named_cards) > MOST_COMPARED:
                yield (
                    f"only the first {MOST_COMPARED:,} names were compared with each other "
                    "and with banned cards"
                )
        if len(self.unknown_slots) > _MOST_LOOKED_UP and len(self.pool):
            yield f"similar names were looked up only for the first {_MOST_LOOKED_UP} unknown names"

    # -- findings

    def _unknown_cards(self) -> Iterator[Finding]:
        for place, slot in enumerate(self.unknown_slots):
            near = self.ruleset.cards.near(slot.name) if place < _MOST_LOOKED_UP else ()
            question = suggestion(slot.name, near)
            yield Finding(
                "card",
                Severity.ERROR,
                f"no such card; {question}" if question else "no such card",
                lines=distinct_lines(slot.lines),
                subjects=(slot.name,),
                hint=f"also similar: {', '.join(near[1:])}" if len(near) > 1 else None,
                reason=question or None,
            )

    def _cards_on_one_line(self) -> Iterator[Finding]:
        for named_card in self.unmatched_lines:
            if names := self._joined_cards(named_card):
                message = f"{' and '.join(names)} are {len(names)} cards"
                hint = "write one card on each line; if the line names one card, put its name in quotes"
                lines, subjects = (named_card.line.number,), (named_card.reading.name,)
                yield Finding("line", Severity.ERROR, message, lines=lines, subjects=subjects, hint=hint)

    def _joined_cards(self, named_card: NamedCard) -> list[str]:
        """Return the cards on a line that consists of several known names; else an empty list.

        Also empty if the line already has a `doubt` about its name.
        """
        line = named_card.line
        if line.doubt:
            return []
        for words in (line.written_name, line.raw):  # only the raw line shows wide blanks
            parts = _joined_names(words)
            names = [name for part in parts if (name := self.ruleset.card_called(part))]
            if 1 < len(names) == len(parts):
                return names
        return []

    def _look_alikes(self) -> Iterator[Finding]:
        """Yield advice about names that look like the name of another card, or that mix alphabets.

        Only for an open pool, which may lack cards.
        """
        shapes = {lookalike_key(name): name for name in self.ruleset.cards.named.values()}
        looked_up_keys = (
            {slot.key for slot in self.unknown_slots[:_MOST_LOOKED_UP]} if len(self.pool) else set()
        )
        by_shape: dict[str, Slot] = {}
        # Names in plain letters come first, so that the one in another script is the odd one.
        for slot in sorted(
            self.resolved_deck.slots, key=lambda slot: (len(foreign_letters(slot.name)), slot.key)
        ):
            by_shape.setdefault(lookalike_key(slot.name), slot)
        for slot in self.resolved_deck.slots:
            like_slot = by_shape[lookalike_key(slot.name)]
            twin, clause = shapes.get(lookalike_key(slot.name)), ""
            if like_slot.key != slot.key:
                twin, clause = like_slot.name, f" (line {like_slot.lines[0]})"
            elif not twin and slot.key in looked_up_keys and not slot.card.is_listed:
                near = self.ruleset.cards.near(slot.name)
                twin = next((name for name in near if explain_lookalike(slot.name, name)), None)
            if not clause and twin and fold(twin) in self.ruleset.banned_names:
                clause = ", which is banned"
            difference = explain_lookalike(slot.name, twin) if twin else ""
            letters = " and ".join(map(describe_letter, foreign_letters(slot.name)))
            message = f"a letter of another script: {letters}" if letters else ""
            if difference:
                message = f"it looks like {twin}{clause}, but {difference}"
            if message:
                lines = distinct_lines(slot.lines)
                yield Finding("letters", Severity.ADVICE, message, lines=lines, subjects=(slot.name,))

    # -- notes

    def _names_only_note(self) -> str:
        """Return one note about all names that an open pool does not have, with suggestions."""
        suggestions = [
            f"line {slot.lines[0]} `{slot.name}`: {suggestion(slot.name, near)}"
            for slot in (self.unknown_slots[:_MOST_LOOKED_UP] if len(self.pool) else ())
            if (near := self.ruleset.cards.near(slot.name)) and not explain_lookalike(slot.name, near[0])
        ]
        number = "1 name is" if len(self.unknown_slots) == 1 else f"{len(self.unknown_slots)} names are"
        note = f"{number} not in the pool; names only were checked"
        return next((f"{note}{questions})" for questions in _first_few(" (", suggestions)), note)

    def _near_known_cards(self) -> Iterator[str]:
        """Yield questions about names that resemble or contain the name of another card.

        Similar names are searched among the banned and restricted cards, contained names among all cards that
        the pool has or the rules name.
        """
        banned_questions, contained_names = [], []
        for named_card in self.unmatched_lines:
            if named_card.reading.key in self.ruleset.banned_names:
                continue
            line = f"line {named_card.line.number} `{named_card.line.written_name}`"
            if name := self._near_banned(named_card):
                if not explain_lookalike(named_card.reading.name, name):
                    is_banned = self.ruleset.banlist and not self.ruleset.banlist.cards[name]
                    banned_questions.append(
                        f"{line}: did you mean {name}, which is {'banned' if is_banned else 'restricted'}?"
                    )
            elif not self._joined_cards(named_card) and (inside := self._card_inside(named_card)):
                contained_names.append(f"{line} contains the name {inside}")
        if banned_questions:
            yield "; ".join([*banned_questions[:_MOST_ASKED], *_more(banned_questions)])
        if contained_names:
            lines = ", ".join([*contained_names[:_MOST_ASKED], *_more(contained_names)])
            yield (
                f"{lines}: read as another card; "
                "if the contained name is the card, delete the other words of the line"
            )

    def _near_banned(self, named_card: NamedCard) -> str | None:
        """Return the banned or restricted card that a line's name resembles or contains; else None.

        A line can join the names of several cards: if Kite is banned, `Kite & Bell` contains it. But
        `Kite, the Old` is a single name, because the part after the comma begins with a small letter.
        """
        line_name, banned_names = named_card.line.written_name, self.ruleset.banned_names
        name = self.ruleset.near_banned(line_name, [reading.name for reading in named_card.line.readings])
        name = name or _name_inside(line_name, lambda words: banned_names.get(fold(words)))
        parts = _joined_names(line_name)
        if name or len(parts) == 1 or any(part[:1].islower() for part in parts):
            return name
        return next((name for part in parts if (name := banned_names.get(fold(part)))), None)

    def _card_inside(self, named_card: NamedCard) -> str | None:
        """Return the card of the pool whose whole name is part of a longer name on a line."""
        shorter_names = (
            reading.name for reading in named_card.line.readings if reading.key != named_card.reading.key
        )
        match = next((match for name in shorter_names if (match := self.ruleset.cards.find(name))), None)
        return (
            match.card.name if match else _name_inside(named_card.line.written_name, self.ruleset.card_called)
        )

    def _similar_pairs(self) -> list[str]:
        """Return pairs of unknown names that differ by one typing error."""
        lines = {slot.name: slot.lines[0] for slot in self.resolved_deck.slots[:MOST_COMPARED]}
        unknown_names = {slot.name for slot in self.unknown_slots}
        return [
            f"line {lines[one]} `{one}` and line {lines[two]} `{two}`"
            for one, two in similar_pairs(lines)
            if unknown_names & {one, two} and not explain_lookalike(one, two)
        ]

    def _pairs_without_mark(self) -> list[str]:
        """Return pairs of names that differ only by a mark: `Kite` and `Kite (Red)`."""
        lines = {slot.key: (slot.lines[0], slot.name) for slot in self.resolved_deck.slots}
        pairs = []
        for place, named_card in enumerate(self.resolved_deck.named_cards):
            if named_card.match is not None:
                continue
            own_key, line_name = named_card.reading.key, named_card.line.written_name
            keys = (reading.key for reading in named_card.line.readings)
            twin = next((key for key in keys if key != own_key and key in lines), None)
            if twin is None and place < MOST_COMPARED:
                name = _name_inside(line_name, lambda words: lines.get(fold(words), (0, None))[1], sure=True)
                twin = key if name and (key := fold(name)) != own_key else None
            if twin is not None:
                line, name = lines[twin]
                pairs.append(f"line {line} `{name}` and line {named_card.line.number} `{line_name}`")
        return pairs

    def _open_questions(self) -> Iterator[str]:
        """Yield the questions about lines that can be read in another way."""
        lines: dict[str, list[str]] = {}
        for named_card in self.resolved_deck.named_cards:
            question = named_card.line.question
            if named_card.match is None and question and not self._joined_cards(named_card):
                lines.setdefault(question, []).append(
                    f"line {named_card.line.number} `{named_card.line.written_name}`"
                )
        for question, line_texts in lines.items():
            yield f"{', '.join([*line_texts[:_MOST_ASKED], *_more(line_texts)])}: {question}"

    # -- a cause that explains most unknown names

    def common_cause(self) -> Cause | None:
        """Return the probable cause of most unknown names: a wrong pool or a missing set; or None."""
        return (self._wrong_pool_cause() or self._missing_set_cause()) if len(self.pool) else None

    def _wrong_pool_cause(self) -> Cause | None:
        """Return the explanation that the list is for another pool, if hardly any name is known.

        In an open pool, this explanation is given only if no name at all is known. None for lists with few
        names.
        """
        names = {slot.key for slot in self.resolved_deck.slots}
        number_known = len(names) - len({slot.key for slot in self.unknown_slots})
        most = _FEW_KNOWN * len(names) if self.pool.complete else 0
        if len(names) < _ENOUGH_NAMES or number_known > most:
            return None
        number = f"only {number_known}" if number_known else "none"
        pool = f"{'' if self.pool.complete else 'open '}card pool of {self.ruleset.format.pool}"
        size = f"{len(self.pool):,} {'card' if len(self.pool) == 1 else 'cards'}"
        return Cause(
            fact=f"{number} of the {len(names)} names {'is' if number_known <= 1 else 'are'} "
            f"in the {pool} ({size})",
            question=self._other_letters()
            or "is this the right format, and is the list in the language of the pool?",
            hint="`tourney format list` and `tourney pool list` show what is installed; "
            "`--format NAME` checks by other rules",
            names=tuple(dict.fromkeys(slot.name for slot in self.unknown_slots)),
        )

    def _other_letters(self) -> str:
        """Return a clause if most unknown names are in another script than the pool's; else empty."""
        list_script, number = _most_common_script(slot.name for slot in self.unknown_slots)
        pool_script, _ = _most_common_script(islice(self.pool.names(), 200))
        if (
            list_script == pool_script
            or not list_script
            or not pool_script
            or number < len(self.unknown_slots) * 0.8
        ):
            return ""
        return f"they are written in {list_script} letters, the names of the pool in {pool_script} ones"

    def _missing_set_cause(self) -> Cause | None:
        """Return a cause if many unknown names have the mark of a set that the pool lacks, or None.

        The mark is a set's code beside the name. At least three unknown names, and at least half of them,
        must have it. If a known card has this mark, the pool does not lack the set.
        """
        known_sets = {fold(code) for code in self.pool.sets}
        names_by_set: dict[str, dict[str, str]] = {}
        for named_card in self.resolved_deck.named_cards:
            mark = named_card.reading.printing.set
            if mark and named_card.match:
                known_sets.add(fold(mark))
            elif mark:
                names_by_set.setdefault(mark, {})[named_card.reading.key] = named_card.reading.name
        code, names = max(names_by_set.items(), key=lambda item: len(item[1]), default=("", {}))
        unknown_keys = {slot.key for slot in self.unknown_slots}
        if fold(code) in known_sets or len(names) < _SAME_SET or 2 * len(names) < len(unknown_keys):
            return None
        number = (
            f"all {len(names)}"
            if len(names) == len(unknown_keys)
            else f"{len(names)} of the {len(unknown_keys)}"
        )
        return Cause(
            fact=f"{number} unknown names are marked `{code}`, "
            f"a set that the card pool of {self.ruleset.format.pool} does not have",
            question="is the pool up to date?",
            hint="`tourney pool import` reads a set from a table, `tourney pool fetch` fetches one",
            names=tuple(names.values()),
        )


def nearly_a_card(title: str, ruleset: Ruleset) -> str:
    """Return a question if a deck's title may be a misspelt card name; otherwise an empty text.

    The title is compared with banned and restricted cards. If the card pool is not complete, it is also
    compared with all cards of the pool.
    """
    banned_name = ruleset.near_banned(title, ())
    near = ruleset.cards.near(title)[:1] if len(ruleset.pool) and not ruleset.pool.complete else ()
    close_names = [name for name in near if one_slip_apart(title, name) or explain_lookalike(title, name)]
    return suggestion(title, [banned_name] if banned_name else close_names)


def _most_common_script(names: Iterable[str]) -> tuple[str, int]:
    return Counter(map(script, names)).most_common(1)[0]


def _more(names: Sequence[str]) -> list[str]:
    return [f"and {len(names) - _MOST_ASKED} more"] if len(names) > _MOST_ASKED else []


def _first_few(question: str, items: Sequence[str]) -> Iterator[str]:
    """Yield one question that lists the first few items; nothing if there are no items."""
    if items:
        more = f" and {len(items) - _MOST_NAMED} more" if len(items) > _MOST_NAMED else ""
        yield f"{question}{'; '.join(items[:_MOST_NAMED])}{more}"


# -- known names inside other words


_WORD = lazy_pattern(r"\d+(?:[./]\d+)*\w*|\w+")
_COPY_WORDS = folded_words("cards", "copy")
_FINISHES = folded_words("cards", "finishes")
_ARTICLES = frozenset({"the", "a", "an"})
_CONTINUES = lazy_pattern(
    r"(?:['’\-–—&+]\w|\s*[,:]?\s*(?:of|the|and|in|to|a|an|for|with|on|at|de|der|von|del|la|le|und|et|y|vs)\b)"
)
"""What follows if a known name is only the beginning of a longer name.

Examples are `Oak Giant's End`, `Oak Giant, the Old` and `Comet of Doom`.
"""
_MAY_CONTINUE = lazy_pattern(r"\s*(?:&|\+|//?)\s*\w|\s*[,:]\s")
_SEPARATED = lazy_pattern(r"\s*[^\w\s'’,:.;!?/&-]|\s*/\*|\s+[-–—]\s|\s*[;]|\s*[/]\s*\d")
_MAX_MARK = 5
_MAX_WORDS = 12
"""The maximum number of words of a name, and of words before it, that are tried."""
_AND = lazy_pattern(r"^\s*(?:[,;/&+|]+\s*|(?:and|und|et|y|e|i|и)\s+)?", re.I)
"""Words and signs that join two cards on one line."""


def _name_inside(text: str, find: Callable[[str], str | None], *, sure: bool = False) -> str | None:
    """Return a known name inside `text`, if the words beside it are unlikely parts of a name.

    find: returns the card with a name; None if the name is unknown
    sure: if True, numbers and short words in capitals beside the name count as possible parts of a longer
          name; if False, as unlikely parts
    """
    matches = list(_WORD.finditer(text[:MAX_CARD]))
    ahead = takewhile(
        lambda word: fold(word[0]) in _ARTICLES or _is_not_a_name(word[0], capital=True, sure=sure), matches
    )
    starts = sum(1 for _ in ahead) + 1
    for length in range(min(len(matches), _MAX_WORDS), 0, -1):
        for first in range(min(starts, _MAX_WORDS, len(matches) - length + 1)):
            start, end = matches[first].start(), matches[first + length - 1].end()
            name = find(text[start:end])
            if name is None or fold(name) == fold(text):
                continue
            before, inside, behind = text[:start], text[start:end], text[end:]
            if _is_separate(before, inside, behind, sure=sure) or (
                first == 0 and find(_AND.sub("", behind)) is not None
            ):
                return name
    return None


def _is_separate(before: str, name: str, behind: str, *, sure: bool) -> bool:
    """Return whether the words around a name do not look like parts of a longer name."""
    capital = name[:1].isupper()
    words_before, words_after = _WORD.findall(before), _WORD.findall(behind)
    if not words_before and not words_after:
        return bool(before.strip() or behind.strip())
    is_labelled = before.rstrip()[-1:] in (":", "|", "/", "]", ")")  # `Rare: Kite`
    is_separate = _is_not_a_name if is_labelled else _is_not_a_beginning
    if not all(is_separate(word, capital=capital, sure=sure) for word in words_before):
        return False
    if not words_after or _SEPARATED.match(behind):
        return True
    if _CONTINUES.match(behind):
        return False
    if all(_is_not_a_name(word, capital=capital, sure=sure) for word in words_after):
        return True
    return not _MAY_CONTINUE.match(behind) and _is_not_a_name(words_after[0], capital=capital, sure=sure)


def _is_not_a_beginning(word: str, *, capital: bool, sure: bool) -> bool:
    """Return whether a word before a name is unlikely to be the beginning of a longer name.

    `The` and `Foil` are unlikely beginnings; `Silver` could be one.
    """
    key = fold(word)
    if len(word) > 1 and word.istitle() and parse_number(word) is None:
        return key in _ARTICLES or key in _FINISHES
    return key in _ARTICLES or _is_not_a_name(word, capital=capital, sure=sure)


def _is_not_a_name(word: str, *, capital: bool, sure: bool) -> bool:
    """Return whether a word beside a name describes the copies: a number, a unit, a rarity."""
    key = fold(word)
    if is_unit(word) or key in _COPY_WORDS or (word[:1].islower() and capital):
        return True
    if parse_number(word) is not None or (len(word) <= _MAX_MARK and word.isupper()):
        return not sure
    return word[:1].isdigit()


_BETWEEN = lazy_pattern(r"(?<!\s)(?:\s*[,;|、，；]\s*|\s+(?:[+&/–—-]|and|und)\s+|\s{2,}|\u3000)")
_WIDE = lazy_pattern(r" {3,}")


def _joined_names(line: str) -> list[str]:
    """Split the words of a line at the punctuation between the names of two cards.

    >>> _joined_names("2 Kite & Bell"), _joined_names("Kite   Bell"), _joined_names("Kite / Bell")
    (['Kite', 'Bell'], ['Kite', 'Bell'], ['Kite', 'Bell'])
    >>> _joined_names("Kite-Bell"), _joined_names('"Kite & Bell"')
    (['Kite-Bell'], ['"Kite & Bell"'])
    """
    names = split_count(_WIDE.sub("  ", line.strip()))[1]
    return [names] if names[:1] in '"“„«' else [squeeze(part) for part in _BETWEEN.split(names) if part]
