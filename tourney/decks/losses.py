"""What a printed decklist loses, found by reading the text back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from tourney.decks.decklist import Decklist, Line
from tourney.decks.reading import read_all
from tourney.decks.reading.vocabulary import general_kind
from tourney.errors import TourneyError
from tourney.wording import counted

_SHOWN = 5
"""Names and values that a sentence lists."""


def losses(deck: Decklist, text: str, *, by_code: bool = False) -> tuple[str, ...]:
    """Return the differences between a deck and its printed text, a sentence for each kind.

    by_code: the form has codes only, so cards with the same code are the same
    """
    try:
        after, *more = read_all(text, source=deck.source)
    except TourneyError as fault:
        return (f"the text would not be read back: {fault.message}",)
    if more:
        return (f"the text would be read back as {len(more) + 1} decks",)
    name = _code if by_code else _name
    return (
        *_lost_head(deck, after),
        *_lost_cards("card", "", _counts(deck.lines, name), _counts(after.lines, name)),
        *_lost_cards("card", "not count", _counts(deck.aside, name), _counts(after.aside, name)),
        *(_lost_names(deck) if by_code else ()),
        *_lost_details(deck, after, name, by_code=by_code),
        *_lost_facts(deck, after),
    )


def _name(line: Line) -> str:
    return line.name


def _code(line: Line) -> str:
    return line.code or line.name


def _counts(lines: Iterable[Line], key: Callable[[Line], str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for line in lines:
        counts[key(line)] += line.count
    return counts


def _lost_head(before: Decklist, after: Decklist) -> Iterator[str]:
    for what in ("name", "player", "format"):
        old, new = getattr(before, what), getattr(after, what)
        if old != new:
            noun = "title" if what == "name" else what
            yield f"the {noun}: `{old or ''}`" + (f" would be read as `{new}`" if new else "")


def _lost_cards(noun: str, rest: str, before: Counter[str], after: Counter[str]) -> Iterator[str]:
    """Yield the cards that are lost, and those that would be read in their place."""

    def number(cards: Counter[str]) -> str:
        do = "does" if cards.total() == 1 else "do"
        return counted(cards.total(), noun) + (f" that {do} {rest}" if rest else "")

    lost, new = before - after, after - before
    if lost:
        yield f"{number(lost)}: {_some(lost)}"
    if new:
        are = "is" if new.total() == 1 else "are"
        yield f"{number(new)} would be read that {are} not there: {_some(new)}"


def _some(cards: Counter[str]) -> str:
    names = [f"`{name}`" + (f" ×{count}" if count > 1 else "") for name, count in cards.items()]
    return _listed(names)


def _listed(words: list[str]) -> str:
    return ", ".join(words[:_SHOWN]) + (" …" if len(words) > _SHOWN else "")


def _lost_names(before: Decklist) -> Iterator[str]:
    named = sum(1 for line in before.lines if line.name != _code(line))
    if named:
        yield f"the names on {counted(named, 'line')}: only codes are written"


def _lost_details(
    before: Decklist, after: Decklist, name: Callable[[Line], str], *, by_code: bool
) -> Iterator[str]:
    """Compare what is beside name and count on the lines of cards that were not lost."""
    kept = _counts(after.lines, name)
    details: dict[str, Callable[[Line], str]] = {
        "the zone": _zone,
        "the group": lambda line: line.group or "",
        "the printing": lambda line: (
            f"{(line.printing.set or '').upper()} {line.printing.number or ''}".strip()
        ),
        "the code": lambda line: "" if by_code or line.code == line.name else line.code or "",
        "the declared facts": lambda line: ", ".join(
            f"{key}={fact}" for key, fact in sorted(line.facts.items())
        ),
        "the marks": lambda line: " ".join(sorted(line.marks)),
        "the remark": lambda line: line.comment,
    }
    for what, detail in details.items():
        copies: Counter[tuple[str, str]] = Counter()
        for line in before.lines:
            if kept[name(line)]:
                copies[name(line), detail(line)] += line.count
        for line in after.lines:
            copies[name(line), detail(line)] -= line.count
        lost = [value or "none" for (_, value), count in copies.items() if count > 0]
        if lost:
            values = _listed([f"`{value}`" for value in dict.fromkeys(lost)])
            yield f"{what} on {counted(len(lost), 'line')}: {values}"


def _zone(line: Line) -> str:
    """Return the zone by its kind if it has one: `SB` and `Sideboard` are the same zone."""
    kind = general_kind(line.zone or "main")
    return "" if kind == "main" else kind or line.zone or ""


def _lost_facts(before: Decklist, after: Decklist) -> Iterator[str]:
    lost = Counter(before.about) - Counter(after.about)
    if lost:
        yield f"what the list says about itself: {', '.join(sorted({key for key, _ in lost}))}"
