"""The organizer's own tables, typed or pasted: a line for each table, or for a player without one.

    Mira - Tomo          4: Mira - Tomo          Ada vs Ben vs Cleo
    Ada bye              Ada half-bye            Ada absent

Between names: a tab, ` vs `, ` – `, ` - ` or `;`. Blank lines and `#` comments are skipped; `#7` is a player.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tourney.errors import TourneyError, together
from tourney.event.parts import NoTable, Seating, Unseated
from tourney.event.state import State
from tourney.event.who import Names, find, folded_names
from tourney.event.words import listed, names_of
from tourney.record import PlayerId

_NUMBERED = re.compile(r"(?:table\s+)?(\d{1,6})\s*[:.)]\s*(?=\S)", re.IGNORECASE)
_UNSEATED = re.compile(r"(.+?)\s*[\s:,;\t-]\s*(awarded-bye|half-bye|bye|absent)", re.IGNORECASE)
_BETWEEN = (
    re.compile(r"\t+"),
    re.compile(r"\s+vs?\.?\s+", re.IGNORECASE),
    re.compile(r"\s+[–—-]\s+"),
    re.compile(r"\s*;\s*"),
)
_COMMENT = re.compile(r"(?:^|\s)#(?!\d)")

Lines = tuple[tuple[Seating, ...], tuple[NoTable, ...]]


def read_pairings(state: State, text: str, *, source: str) -> Lines:
    """Return tables and players without one. Tables without a number take the free numbers in order.

    Raises TourneyError naming every line at fault.
    """
    tables: list[tuple[int | None, tuple[PlayerId, ...]]] = []
    byes: list[NoTable] = []
    faults: list[TourneyError] = []
    names = folded_names(state.players)
    for number, line in _lines(text):
        try:
            read = _read(state, line, names)
        except TourneyError as fault:
            faults.append(TourneyError(f"{source}:{number}: {fault.message}", fault.hint))
        else:
            if isinstance(read, NoTable):
                byes.append(read)
            else:
                tables.append(read)
    if faults:
        raise together(faults)
    if not tables and not byes:
        raise TourneyError(f"{source}: no table was named", "a line `Mira - Tomo` for each table")
    _refuse_twice(state, tables, byes)
    return _numbered(state, tables), tuple(byes)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        comment = _COMMENT.search(line)
        kept = (line[: comment.start()] if comment else line).strip()
        if kept:
            yield number, kept


def _read(state: State, line: str, names: Names) -> NoTable | tuple[int | None, tuple[PlayerId, ...]]:
    try:
        unseated = _unseated(state, line, names)
    except TourneyError:
        if not any(between.search(line) for between in _BETWEEN):
            raise
        return _table(state, line, names)  # a player may be called Good Bye
    return unseated or _table(state, line, names)


def _unseated(state: State, line: str, names: Names) -> NoTable | None:
    said = _UNSEATED.fullmatch(line)
    if said is None:
        return None
    kinds: dict[str, Unseated] = {
        "bye": "bye",
        "awarded-bye": "awarded-bye",
        "half-bye": "half-bye",
        "absent": "absent",
    }
    return NoTable(find(state.players, said[1], names), kinds[said[2].lower()])


def _table(state: State, line: str, names: Names) -> tuple[int | None, tuple[PlayerId, ...]]:
    numbered = _NUMBERED.match(line)
    number = int(numbered[1]) if numbered else None
    rest = line[numbered.end() :] if numbered else line
    first_fault: TourneyError | None = None
    for between in _BETWEEN:
        parts = between.split(rest)
        if len(parts) < 2:
            continue
        try:
            return number, tuple(find(state.players, part, names) for part in parts)
        except TourneyError as fault:
            first_fault = first_fault or fault
    raise first_fault or TourneyError(f"`{line}` is no table", "`Mira - Tomo`, `4: Mira - Tomo`, `Ada bye`")


def _refuse_twice(
    state: State, tables: Sequence[tuple[int | None, tuple[PlayerId, ...]]], byes: Sequence[NoTable]
) -> None:
    named = Counter([player for _, seats in tables for player in seats] + [each.player for each in byes])
    if twice := sorted(player for player, count in named.items() if count > 1):
        raise TourneyError(f"{listed(map(names_of(state), twice))}: named more than once")
    numbers = Counter(number for number, _ in tables if number is not None)
    if again := sorted(number for number, count in numbers.items() if count > 1):
        raise TourneyError(f"table {listed(again)}: the number is used twice")


def _numbered(state: State, tables: Sequence[tuple[int | None, tuple[PlayerId, ...]]]) -> tuple[Seating, ...]:
    used = {number for number, _ in tables if number is not None}
    free = iter(n for n in range(state.settings.first_table, 1_000_000) if n not in used)
    seated = [Seating(next(free) if number is None else number, seats) for number, seats in tables]
    return tuple(sorted(seated, key=lambda table: table.number))
