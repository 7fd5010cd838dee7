"""Printing decklists: a `Decklist` in, text out, and a report of what the form could not hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tourney.decks.decklist import Decklist, Line
from tourney.decks.printing import lines, structured
from tourney.decks.reading import read_all
from tourney.decks.reading.headers import general_kind
from tourney.errors import TourneyError

__all__ = ["FORMS", "Form", "write"]


@dataclass(frozen=True, slots=True)
class Form:
    """A text form: what it is in one line, the file's usual suffix, how it is printed.

    by_code: it holds codes only, no names
    """

    summary: str
    suffix: str
    write: Callable[[Decklist], str]
    by_code: bool = False


FORMS: Mapping[str, Form] = MappingProxyType({
    "text": Form("plain text, `4 Name (SET) 12 *F*` under headers with their counts", ".txt", lines.plain),
    "toml": Form("the canonical form: everything a list knows, nothing to guess", ".toml", structured.toml),
    "markdown": Form("a Markdown list with headings", ".md", lines.markdown),
    "csv": Form("a table with a header line", ".csv", structured.as_csv),
    "json": Form("zones with their cards", ".json", structured.as_json),
    "arena": Form("what Magic Arena imports", ".txt", lines.arena),
    "mtgo": Form("what Magic Online imports as text", ".txt", lines.mtgo),
    "dek": Form("Magic Online's XML", ".dek", structured.mtgo_xml),
    "cod": Form("Cockatrice's XML", ".cod", structured.cockatrice),
    "o8d": Form("OCTGN's XML", ".o8d", structured.octgn),
    "mwdeck": Form("Magic Workstation and Apprentice", ".mwDeck", lines.workstation),
    "tappedout": Form("`4x Name (SET)`, `SB: 2x Name`", ".txt", lines.tappedout),
    "forge": Form("Forge's sections, `4 Name|SET|12`", ".dck", lines.forge),
    "xmage": Form("XMage's `4 [SET:12] Name`", ".dck", lines.xmage),
    "lackey": Form("LackeyCCG's tabs", ".txt", lines.lackey),
    "ydk": Form("passcodes, one a line", ".ydk", structured.ydk, by_code=True),
    "ydke": Form("passcodes in a link", ".txt", structured.ydke, by_code=True),
})  # fmt: skip
"""Every form that can be written; each can be read, too."""


def write(deck: Decklist, form: str) -> tuple[str, tuple[str, ...]]:
    """Print `deck` in `form` (one of `FORMS`) and say what was lost, a sentence each.

    Nothing is lost silently: the text is read back, and every difference is a loss. Raises TourneyError for a form
    that does not exist, and for one that can hold no card of this deck.
    """
    row = FORMS.get(form)
    if row is None:
        raise TourneyError(f"there is no form `{form}`", f"the forms are {', '.join(FORMS)}")
    text = row.write(deck)
    return text, _lost(deck, text, row)


def _lost(deck: Decklist, text: str, form: Form) -> tuple[str, ...]:
    try:
        first, *more = read_all(text, source=deck.source)
    except TourneyError as fault:
        return (f"the text would not be read back: {fault.message}",)
    if more:
        return (f"the text would be read back as {len(more) + 1} decks",)
    return losses(deck, first, by_code=form.by_code)


# -- What a form could not hold, found by reading it back


_SHOWN = 5


def losses(before: Decklist, after: Decklist, *, by_code: bool = False) -> tuple[str, ...]:
    """Compare a deck with what its printed text gives when it is read: one sentence for each kind of difference.

    by_code: the form holds codes only; a card is the same if its code is.
    """
    name = _code if by_code else _name
    return tuple(
        sentence
        for part in (
            _head(before, after),
            _cards("card", name, before.lines, after.lines),
            _cards("card that does not count", name, before.aside, after.aside),
            _names(before) if by_code else iter(()),
            _details(before, after, name, codes_told=by_code),
            _about(before, after),
        )
        for sentence in part
    )


def _name(line: Line) -> str:
    return line.name


def _code(line: Line) -> str:
    return line.code or line.name


def _head(before: Decklist, after: Decklist) -> Iterator[str]:
    for what, old, new in (
        ("the title", before.name, after.name),
        ("the player", before.player, after.player),
        ("the format", before.format, after.format),
    ):
        if old != new:
            yield f"{what}: `{old or ''}`" + (f" would be read as `{new}`" if new else "")


def _cards(
    what: str, name: Callable[[Line], str], before: tuple[Line, ...], after: tuple[Line, ...]
) -> Iterator[str]:
    old, new = _counter(before, name), _counter(after, name)
    lost, new_cards = old - new, new - old
    if lost:
        yield f"{_number(lost, what)}: {_some(lost)}"
    if new_cards:
        yield f"{_number(new_cards, what)} would be read that {'is' if new_cards.total() == 1 else 'are'} not there: {_some(new_cards)}"


def _counter(lines: tuple[Line, ...], key: Callable[[Line], str]) -> Counter[str]:
    counter: Counter[str] = Counter()
    for line in lines:
        counter[key(line)] += line.count
    return counter


def _names(before: Decklist) -> Iterator[str]:
    named = sum(1 for line in before.lines if line.name != _code(line))
    if named:
        yield f"the names on {_lines(named)}: only codes are written"


def _details(
    before: Decklist, after: Decklist, name: Callable[[Line], str], *, codes_told: bool
) -> Iterator[str]:
    """Compare what stands on the lines beside name and count; cards that are gone are told already."""
    kept = _counter(after.lines, name)
    lines = tuple(line for line in before.lines if kept[name(line)])
    details: tuple[tuple[str, Callable[[Line], str]], ...] = (
        ("the zone", _zone),
        ("the group", lambda line: line.group or ""),
        (
            "the printing",
            lambda line: f"{(line.printing.set or '').upper()} {line.printing.number or ''}".strip(),
        ),
        ("the code", lambda line: "" if codes_told or line.code == line.name else line.code or ""),
        (
            "the declared facts",
            lambda line: ", ".join(f"{key}={value}" for key, value in sorted(line.facts.items())),
        ),
        ("the marks", lambda line: " ".join(sorted(line.marks))),
        ("the remark", lambda line: line.comment),
    )
    for what, detail in details:
        yield from _detail(what, detail, name, lines, after.lines)


def _zone(line: Line) -> str:
    """Name the zone by its kind where it has one: `SB`, `side` and `Sideboard` are the same zone."""
    kind = general_kind(line.zone or "main")
    return "" if kind == "main" else kind or line.zone or ""


def _detail(
    what: str,
    detail: Callable[[Line], str],
    name: Callable[[Line], str],
    before: tuple[Line, ...],
    after: tuple[Line, ...],
) -> Iterator[str]:
    old = Counter[tuple[str, str]]()
    for line in before:
        old[name(line), detail(line)] += line.count
    for line in after:
        old[name(line), detail(line)] -= line.count
    gone = {key: count for key, count in old.items() if count > 0}
    if gone:
        values = Counter({value or "none": 0 for _, value in gone})
        shown = ", ".join(f"`{value}`" for value in list(values)[:_SHOWN]) + (
            " …" if len(values) > _SHOWN else ""
        )
        yield f"{what} on {_lines(len(gone))}: {shown}"


def _about(before: Decklist, after: Decklist) -> Iterator[str]:
    lost = Counter(before.about) - Counter(after.about)
    if lost:
        keys = sorted({key for key, _ in lost})
        yield f"what the list says about itself: {', '.join(keys)}"


def _lines(number: int) -> str:
    return "1 line" if number == 1 else f"{number} lines"


def _number(cards: Counter[str], what: str) -> str:
    total = cards.total()
    first, _, rest = what.partition(" ")
    verb = rest.replace("does", "do") if total != 1 else rest
    return f"{total} {first}{'' if total == 1 else 's'}{' ' + verb if verb else ''}"


def _some(cards: Counter[str]) -> str:
    names = [f"`{name}`" + (f" ×{count}" if count > 1 else "") for name, count in cards.items()]
    return ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
