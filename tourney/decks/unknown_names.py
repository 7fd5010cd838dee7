"""Names that the card pool does not have, or that look like another card's.

In a complete pool such a name is no card: a finding. In an open one it may be a card of its own, so what it could be
besides is asked, and not decided. What explains most of a list's unknown names at once is told once, as its cause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tourney.cards.names import (
    code_point,
    fold,
    foreign_letters,
    meant,
    parted_by,
    resembling,
    script,
    shape,
)
from tourney.decks.reading.names import joined, name_inside
from tourney.decks.resolving import Named, Resolved
from tourney.errors import Finding, Severity
from tourney.rules import Ruleset
from tourney.rules.expressions.deck import Slot

_MOST_NAMED = 3
"""Unknown names told in a note; all of them stand in `deck show`."""
_MOST_ASKED = 10
"""Names near a banned one that are asked about."""
MOST_COMPARED = 1_000
"""Names of a list that are compared with each other and with the banned ones; the largest cube has 720."""
_MOST_LOOKED_UP = 200
"""Unknown names of a list for which near ones are looked up in the pool: on 32,000 cards each takes 5 ms."""
_FEW_KNOWN, _ENOUGH_NAMES = 0.2, 5
"""The share of known names up to which a list is probably not of this pool at all, and the names that takes."""
_SAME_SET = 3
"""Unknown names marked with one set that the pool does not have: the pool lacks the set, not the list its letters."""


# -- What is wrong with them


def name_findings(resolved: Resolved, ruleset: Ruleset) -> Iterator[Finding]:
    """Give what is wrong with names that the pool does not have, and what an open one's names look like."""
    if ruleset.pool.complete:
        yield from _no_such_cards(resolved.unlisted, ruleset)
    else:
        yield from _two_on_a_line(resolved, ruleset)
        yield from _look_alikes(resolved, ruleset)


def _no_such_cards(unknown: Iterable[Slot], ruleset: Ruleset) -> Iterator[Finding]:
    for place, slot in enumerate(unknown):
        near = ruleset.cards.near(slot.name) if place < _MOST_LOOKED_UP else ()
        question = meant(slot.name, near)
        yield Finding(
            rule="card",
            severity=Severity.ERROR,
            message=f"no such card; {question}" if question else "no such card",
            lines=tuple(sorted(set(slot.lines))),
            subjects=(slot.name,),
            hint=f"also near: {', '.join(near[1:])}" if len(near) > 1 else None,
            reason=question or None,
        )


def _two_on_a_line(resolved: Resolved, ruleset: Ruleset) -> Iterator[Finding]:
    """Refuse a line of an open pool that is several of its cards with a sign between them."""
    for each in resolved.named[:MOST_COMPARED]:
        names = _joined_cards(each, ruleset)
        if names:
            yield Finding(
                rule="line",
                severity=Severity.ERROR,
                message=f"{' and '.join(names)} are {len(names)} cards",
                lines=(each.line.number,),
                subjects=(each.reading.name,),
                hint="write one card on each line; if it is one, put its name in quotes",
            )


def _joined_cards(each: Named, ruleset: Ruleset) -> list[str]:
    """Return the cards that a line names one after the other; none where it may be a card of its own."""
    if each.match is not None or each.line.doubt:
        return []
    for words in (each.line.written, each.line.raw):  # only the raw line shows wide blanks
        names = [name for part in joined(words) if (name := ruleset.card_called(part))]
        if len(names) > 1 and len(names) == len(joined(words)):
            return names
    return []


def _look_alikes(resolved: Resolved, ruleset: Ruleset) -> Iterator[Finding]:
    """Point out names of an open pool that look like another card's and are not, and letters of another script."""
    named_shapes = {shape(name): name for name in ruleset.cards.named.values()}
    looked_up = {slot.key for slot in resolved.unlisted[:_MOST_LOOKED_UP]}
    listed: dict[str, Slot] = {}
    for slot in sorted(resolved.slots, key=_plain_letters_first):
        listed.setdefault(shape(slot.name), slot)
    for slot in resolved.slots:
        like = listed[shape(slot.name)]
        twin = named_shapes.get(shape(slot.name)) or (
            next(_pool_twins(slot, ruleset), None) if slot.key in looked_up else None
        )
        if like.key != slot.key:
            twin, beside = like.name, f", as line {like.lines[0]} is written"
        else:
            beside = ", which is banned" if twin and fold(twin) in ruleset.banned else ""
        parted = parted_by(slot.name, twin) if twin else ""
        letters = foreign_letters(slot.name)
        if parted:
            words = f"it looks like {twin}{beside}, but {parted}"
        elif letters:
            words = f"a letter of another script: {' and '.join(map(code_point, letters))}"
        else:
            continue
        yield Finding(
            rule="letters",
            severity=Severity.ADVICE,
            message=words,
            lines=tuple(sorted(set(slot.lines))),
            subjects=(slot.name,),
        )


def _plain_letters_first(slot: Slot) -> tuple[int, str]:
    """Orders names that look alike, wherever they stand: the odd one is the one with letters of another script."""
    return len(foreign_letters(slot.name)), slot.key


def _pool_twins(slot: Slot, ruleset: Ruleset) -> Iterator[str]:
    if not slot.card.listed and len(ruleset.pool):
        yield from (name for name in ruleset.cards.near(slot.name) if parted_by(slot.name, name))


# -- What they could be besides


def name_questions(resolved: Resolved, ruleset: Ruleset) -> Iterator[str]:
    """Ask about the names of an open pool's list, and say how far it was looked."""
    if not ruleset.pool.complete and resolved.unlisted:
        yield _names_only(resolved.unlisted, ruleset)
        yield from _near_known(resolved, ruleset)
        yield from _near_each_other(resolved)
        yield from _peeled_twins(resolved)
        yield from _open_questions(resolved)
        if len(resolved.named) > MOST_COMPARED:
            yield f"only the first {MOST_COMPARED:,} names were compared with each other and with what is banned"
    if len(resolved.unlisted) > _MOST_LOOKED_UP and len(ruleset.pool):
        yield f"near names were looked up for the first {_MOST_LOOKED_UP} unknown names only"


def _names_only(unknown: list[Slot], ruleset: Ruleset) -> str:
    """Say once for the whole list that an open pool does not have some names, with what might have been meant."""
    looked_up = unknown[:_MOST_LOOKED_UP] if len(ruleset.pool) else []
    near = [(slot, ruleset.cards.near(slot.name)) for slot in looked_up]
    suggestions = [
        f"line {slot.lines[0]} `{slot.name}`: {meant(slot.name, names)}"
        for slot, names in near
        if names and not parted_by(slot.name, names[0])  # a finding of its own
    ]
    question = f" ({_first_few(suggestions)})" if suggestions else ""
    number = "1 name is" if len(unknown) == 1 else f"{len(unknown)} names are"
    return f"{number} not in the pool; names only were checked{question}"


def _near_known(resolved: Resolved, ruleset: Ruleset) -> Iterator[str]:
    """Ask about names that are nearly a banned or restricted card's, or any card's with words beside it."""
    banned, beside = [], []
    for each in resolved.named[:MOST_COMPARED]:
        if each.match is not None or each.reading.key in ruleset.banned:
            continue
        line = f"line {each.line.number} `{each.line.written}`"
        shorter = [one.name for one in each.line.readings]
        name = ruleset.near_banned(each.line.written, shorter) or name_inside(
            each.line.written, lambda words: ruleset.banned.get(fold(words))
        )
        name = name or _joined_to_a_banned(each, ruleset)
        if name is not None and not parted_by(each.reading.name, name):
            what = "banned" if ruleset.banlist and not ruleset.banlist.cards[name] else "restricted"
            banned.append(f"{line}: did you mean {name}, which is {what}?")
        elif name is None and not _joined_cards(each, ruleset) and (inside := _inside(each, ruleset)):
            beside.append(f"{line} holds {inside}")
    if banned:
        yield "; ".join([*banned[:_MOST_ASKED], *_more(banned)])
    if beside:
        holding = ", ".join([*beside[:_MOST_ASKED], *_more(beside)])
        yield f"{holding}: read as a card of its own; if the words beside are none of the name, leave them out"


def _joined_to_a_banned(each: Named, ruleset: Ruleset) -> str | None:
    """Return the banned card that stands on a line with other words and a sign between: `Kite & Bell`, not `Kite, the Old`."""
    parts = joined(each.line.written)
    if len(parts) == 1 or any(part[:1].islower() for part in parts):
        return None
    return next((name for part in parts if (name := ruleset.banned.get(fold(part)))), None)


def _inside(each: Named, ruleset: Ruleset) -> str | None:
    """Return the card of the pool whose whole name stands in a line that is read as another's."""
    shorter = (one.name for one in each.line.readings if one.key != each.reading.key)
    match = next((card for one in shorter if (card := ruleset.cards.find(one))), None)
    return match.card.name if match else name_inside(each.line.written, ruleset.card_called)


def _more(asked: Sequence[str]) -> list[str]:
    return [f"and {len(asked) - _MOST_ASKED} more"] if len(asked) > _MOST_ASKED else []


def _near_each_other(resolved: Resolved) -> Iterator[str]:
    """Ask about names, not in the pool, that one slip of the hand parts: the same card twice would pass for two."""
    lines = {slot.name: slot.lines[0] for slot in resolved.slots[:MOST_COMPARED]}
    unknown = {slot.name for slot in resolved.unlisted}
    pairs = [
        f"line {lines[one]} `{one}` and line {lines[two]} `{two}`"
        for one, two in resembling(lines)
        if unknown & {one, two} and not parted_by(one, two)
    ]
    if pairs:
        yield f"one card or two? {_first_few(pairs)}"


def _peeled_twins(resolved: Resolved) -> Iterator[str]:
    """Ask about names that are another card's of the list but for words that may be no part of them: `Kite (Red)`."""
    lines = {slot.key: (slot.lines[0], slot.name) for slot in resolved.slots}
    called = {key: name for key, (_, name) in lines.items()}
    pairs = []
    for place, each in enumerate(resolved.named):
        if each.match is not None:
            continue
        own = each.reading.key
        shorter = (one.key for one in each.line.readings)
        twin = next((name for name in shorter if name != own and name in lines), None)
        if twin is None and place < MOST_COMPARED:
            whole = name_inside(each.line.written, lambda words: called.get(fold(words)), sure=True)
            twin = key if whole and (key := fold(whole)) != own else None
        if twin is not None:
            line, name = lines[twin]
            pairs.append(f"line {line} `{name}` and line {each.line.number} `{each.line.written}`")
    if pairs:
        yield f"the same card with a mark beside it? {_first_few(pairs)}"


def _open_questions(resolved: Resolved) -> Iterator[str]:
    """Ask about lines that were read as they most probably are, and that could be something else."""
    open_lines: dict[str, list[Named]] = {}
    for each in resolved.named:
        if each.match is None and each.line.question:
            open_lines.setdefault(each.line.question, []).append(each)
    for question, lines in open_lines.items():
        shown = _first_few([f"line {each.line.number} `{each.line.written}`" for each in lines], ", ")
        yield f"{shown}: {question}"


def _first_few(items: Sequence[str], joined_by: str = "; ") -> str:
    """Join the first `_MOST_NAMED`, and say how many more there are."""
    more = f" and {len(items) - _MOST_NAMED} more" if len(items) > _MOST_NAMED else ""
    return f"{joined_by.join(items[:_MOST_NAMED])}{more}"


# -- What explains most of them at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """What explains most of a verdict at once, told before the findings.

    said:  what is so: `none of the 60 names is in the card pool of dimrift (182 cards)`
    asked: what it probably comes from, as a question or a fact
    hint:  the commands that help
    names: the names that it explains
    """

    said: str
    asked: str
    hint: str
    names: tuple[str, ...]

    @property
    def message(self) -> str:
        """Both in one sentence."""
        return f"{self.said}: {self.asked}"


def common_cause(resolved: Resolved, ruleset: Ruleset) -> Cause | None:
    """Return what explains nearly all unknown names: another pool than the list's, or a set that the pool lacks."""
    return _another_pool(resolved, ruleset) or _lacking_set(resolved, ruleset)


def _another_pool(resolved: Resolved, ruleset: Ruleset) -> Cause | None:
    """Say that the list is not of this pool at all, where hardly a name of it is; of an open pool, where none is.

    An empty pool knows nothing, and is no pool to be wrong about.
    """
    names = {slot.key for slot in resolved.slots}
    known = len(names) - len({slot.key for slot in resolved.unlisted})
    pool = ruleset.pool
    most = _FEW_KNOWN * len(names) if pool.complete else 0
    if len(names) < _ENOUGH_NAMES or known > most or not len(pool):
        return None
    number = "none" if not known else f"only {known}"
    here = f"{'' if pool.complete else 'open '}card pool of {ruleset.format.pool}"
    return Cause(
        said=f"{number} of the {len(names)} names {'is' if known <= 1 else 'are'} in the {here} ({len(pool):,} {'card' if len(pool) == 1 else 'cards'})",
        asked=_in_other_letters(resolved, ruleset)
        or "is this the right format, and is the list in the language of the pool?",
        hint="`tourney format list` and `tourney pool list` tell what there is; `--format NAME` checks by other rules",
        names=tuple(dict.fromkeys(slot.name for slot in resolved.unlisted)),
    )


def _in_other_letters(resolved: Resolved, ruleset: Ruleset) -> str:
    """Say that the list is written in another script than the pool, where nearly all of it is."""
    listed = Counter(script(slot.name) for slot in resolved.unlisted).most_common(1)[0]
    pool = Counter(script(name) for name in islice(ruleset.pool.names(), 200)).most_common(1)[0]
    if listed[0] == pool[0] or not listed[0] or not pool[0] or listed[1] < len(resolved.unlisted) * 0.8:
        return ""
    return f"they are written in {listed[0]} letters, the names of the pool in {pool[0]} ones"


def _lacking_set(resolved: Resolved, ruleset: Ruleset) -> Cause | None:
    """Say which set the pool seems to lack: most of the unknown names are marked with it, and no known one."""
    known = {fold(code) for code in ruleset.pool.sets}
    marked: dict[str, dict[str, str]] = {}
    for each in resolved.named:
        code = each.reading.printing.set
        if code and each.match:
            known.add(fold(code))
        elif code:
            marked.setdefault(code, {})[each.reading.key] = each.reading.name
    code, names = max(marked.items(), key=lambda item: len(item[1]), default=("", {}))
    unknown = {slot.key for slot in resolved.unlisted}
    if (
        fold(code) in known
        or len(names) < _SAME_SET
        or 2 * len(names) < len(unknown)
        or not len(ruleset.pool)
    ):
        return None
    number = f"all {len(names)}" if len(names) == len(unknown) else f"{len(names)} of the {len(unknown)}"
    return Cause(
        said=f"{number} unknown names are marked `{code}`, "
        f"a set that the card pool of {ruleset.format.pool} does not have",
        asked="is the pool up to date?",
        hint="`tourney pool import` reads a set from a table, `tourney pool fetch` fetches one",
        names=tuple(names.values()),
    )
