"""Change the seats of a round, and read the pairings that the organizer wrote.

`SeatingDraft` holds the seats of a round while they are changed: swap players, seat them, move a match, give
a bye. `read_pairings` reads a text with a line for each table, or for a player without a table:

    Mira - Tomo          4: Mira - Tomo          Ada vs Ben vs Cleo
    Ada bye              Ada half-bye            Ada absent

Names are separated by a tab, ` vs `, ` – `, ` - ` or `;`. Blank lines and `#` comments are skipped, but `#7`
is a player.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tourney.errors import TourneyError, combine_errors
from tourney.event.kind import checked_table, refuse_twice
from tourney.event.names import PlayersByName, by_name, find
from tourney.event.ops import UNSEATED, NoTable, Proof, Ref, RoundEdited
from tourney.event.score import shell_word
from tourney.event.state import Round, State
from tourney.record import Outcome, PlayerId, Table
from tourney.wording import listed, verb


class SeatingDraft:
    """A copy of a round's seats that can be changed.

    Changes to tables with a result raise TourneyError.
    """

    def __init__(self, state: State, round_: Round) -> None:
        self._state = state
        self._round = round_
        self._name = state.name_of
        self.tables: dict[int, list[PlayerId]] = {n: list(table.seats) for n, table in round_.tables.items()}
        self.byes = dict(round_.byes)

    def swap(self, one: PlayerId, other: PlayerId) -> None:
        """Let two players change places: two seats, or a seat and a bye."""
        if one == other:
            raise TourneyError(f"{self._name(one)} cannot change seats with themselves")
        first_place, second_place = self._place(one), self._place(other)
        if first_place is None and second_place is None:
            raise TourneyError(f"neither {self._name(one)} nor {self._name(other)} has a table in this round")
        kinds = self.byes.pop(one, None), self.byes.pop(other, None)
        self._put(other, first_place, kinds[0])
        self._put(one, second_place, kinds[1])

    def seat(self, number: int, players: Sequence[PlayerId]) -> None:
        """Seat exactly these players at a table.

        Each player who has to make room gets the seat or bye that the new player had before.
        """
        refuse_twice(players)
        self._refuse_size(len(players))
        if number not in self.tables:
            self._new_table(number, players)
            return
        self._refuse_finished(number)
        seats = self.tables[number]
        if len(players) != len(seats):
            raise TourneyError(
                f"table {number} has {len(seats)} seats, but {len(players)} players were named"
            )
        for place, player in enumerate(players):
            if seats[place] != player:
                self.swap(seats[place], player)

    def move(self, number: int, to: int) -> None:
        """Move a match to another table. If that table has a match, the two matches swap tables."""
        if self._round.stage == "cut":
            raise TourneyError(
                "in a bracket, the table number identifies the match, so it cannot change",
                "the players can sit at any table; enter the result under the number of the match",
            )
        if number == to:
            raise TourneyError(f"the match is already at table {number}")
        checked_table(to)
        self._refuse_finished(number)
        self._refuse_finished(to)
        match, other_match = self.tables.pop(number), self.tables.pop(to, None)
        self.tables[to] = match
        if other_match is not None:
            self.tables[number] = other_match

    def _new_table(self, number: int, players: Sequence[PlayerId]) -> None:
        checked_table(number)
        seated_players = [player for player in players if self._place(player) is not None]
        if seated_players:
            have = verb(seated_players, "has", "have")
            raise TourneyError(
                f"there is no table {number},"
                f" and {listed(map(self._name, seated_players))} already {have} a table",
                "a new table is for players without a table; to swap seats, use `tourney round edit swap`",
            )
        for player in players:
            self.byes.pop(player, None)
        self.tables[number] = list(players)

    def bye(self, player: PlayerId, kind: Outcome) -> None:
        """Remove a player from a table, and give the player a bye (or an absence) of this kind.

        An opponent who is left alone plays the player who has the bye, or gets the bye if no player has it.
        """
        place = self._place(player)
        self.byes[player] = kind
        if place is None:
            return
        number, _ = place
        opponents = [other for other in self.tables[number] if other != player]
        if len(opponents) > 1:
            self._refuse_size(len(opponents))
            self.tables[number] = opponents
            return
        waiting = [
            other for other, outcome in self.byes.items() if outcome is Outcome.BYE and other != player
        ]
        if waiting and kind is Outcome.BYE:
            raise TourneyError(
                f"{self._name(waiting[0])} has the bye",
                f"`tourney round edit swap {self._shell_name(player)} {self._shell_name(waiting[0])}`",
            )
        if waiting:
            del self.byes[waiting[0]]
            self.tables[number] = [*opponents, waiting[0]]
        else:
            del self.tables[number]
            self.byes[opponents[0]] = Outcome.BYE

    def op(
        self, *, reason: Ref | None = None, engine: str = "", proof: Proof | None = None
    ) -> RoundEdited | None:
        """Return the op (content of a journal entry) that records the changes; None without changes."""
        before = {n: table.seats for n, table in self._round.tables.items()}
        changed_tables = [
            Table(n, tuple(seats))
            for n, seats in sorted(self.tables.items())
            if before.get(n) != tuple(seats)
        ]
        removed_numbers = tuple(sorted(before.keys() - self.tables.keys()))
        byes = [
            NoTable(player, UNSEATED[self.byes[player]])
            for player in sorted(self.byes)
            if self._round.byes.get(player) is not self.byes[player]
        ]
        if not (changed_tables or removed_numbers or byes):
            return None
        return RoundEdited(
            round=self._round.number,
            tables=tuple(changed_tables),
            removed=removed_numbers,
            byes=tuple(byes),
            engine=engine,
            proof=proof or Proof(),
            reason=reason,
        )

    def _place(self, player: PlayerId) -> tuple[int, int] | None:
        """Return the table and the seat of a player; None if the player has no table.

        Raises TourneyError if the table has a result.
        """
        for number, seats in self.tables.items():
            if player in seats:
                self._refuse_finished(number)
                return number, seats.index(player)
        if not self._state.players[player].playing and player not in self.byes:
            raise TourneyError(
                f"{self._name(player)} has dropped", f"`tourney player return {self._shell_name(player)}`"
            )
        return None

    def _put(self, player: PlayerId, place: tuple[int, int] | None, kind: Outcome | None) -> None:
        if place is not None:
            self.tables[place[0]][place[1]] = player
        else:
            self.byes[player] = kind or Outcome.ABSENT

    def _refuse_finished(self, number: int) -> None:
        table = self._round.tables.get(number)
        if table is not None and table.result is not None:
            raise TourneyError(
                f"table {number} already has a result",
                f"`tourney result change {number} -` removes the result",
            )

    def _refuse_size(self, size: int) -> None:
        sizes = self._state.settings.match.seats
        if size not in sizes:
            raise TourneyError(f"a table of this event has {listed(sorted(sizes), 'or')} seats, not {size}")

    def _shell_name(self, player: PlayerId) -> str:
        return shell_word(self._name(player))


# -- tables that the organizer wrote


_NUMBERED = re.compile(r"(?:table\s+)?(\d{1,6})\s*[:.)]\s*(?=\S)", re.IGNORECASE)
_UNSEATED = re.compile(r"(.+?)\s*[\s:,;\t-]\s*(awarded-bye|half-bye|bye|absent)", re.IGNORECASE)
_BETWEEN = (
    re.compile(r"\t+"),
    re.compile(r"\s+vs?\.?\s+", re.IGNORECASE),
    re.compile(r"\s+[–—-]\s+"),
    re.compile(r"\s*;\s*"),
)
_COMMENT = re.compile(r"(?:^|\s)#(?!\d)")

PairingLines = tuple[tuple[Table, ...], tuple[NoTable, ...]]
"""What `read_pairings` returns: the tables, and the players without a table."""


def read_pairings(state: State, text: str, *, source: str) -> PairingLines:
    """Parse a text with tables, and with players without a table.

    Tables without a number get the lowest free numbers, in order.

    Raises a TourneyError that names every faulty line.
    """
    tables: list[tuple[int | None, tuple[PlayerId, ...]]] = []
    byes: list[NoTable] = []
    faults: list[TourneyError] = []
    names = by_name(state.players)
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
        raise combine_errors(faults)
    if not tables and not byes:
        raise TourneyError(
            f"{source}: no table was named", "write a line such as `Mira - Tomo` for each table"
        )
    _refuse_twice(state, tables, byes)
    return _number_tables(state, tables), tuple(byes)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        comment = _COMMENT.search(line)
        content = (line[: comment.start()] if comment else line).strip()
        if content:
            yield number, content


def _read(state: State, line: str, names: PlayersByName) -> NoTable | tuple[int | None, tuple[PlayerId, ...]]:
    match = _UNSEATED.fullmatch(line)
    if match is None:
        return _table(state, line, names)
    try:
        return NoTable(find(state.players, match[1], names), UNSEATED[Outcome(match[2].lower())])
    except TourneyError:
        if not any(between.search(line) for between in _BETWEEN):
            raise
        return _table(state, line, names)  # a player may be called Good Bye


def _table(state: State, line: str, names: PlayersByName) -> tuple[int | None, tuple[PlayerId, ...]]:
    match = _NUMBERED.match(line)
    number = int(match[1]) if match else None
    rest = line[match.end() :] if match else line
    first_fault: TourneyError | None = None
    for between in _BETWEEN:
        parts = between.split(rest)
        if len(parts) < 2:
            continue
        try:
            return number, tuple(find(state.players, part, names) for part in parts)
        except TourneyError as fault:
            first_fault = first_fault or fault
    raise first_fault or TourneyError(
        f"`{line}` is not a table", "write lines such as `Mira - Tomo`, `4: Mira - Tomo` or `Ada bye`"
    )


def _refuse_twice(
    state: State, tables: Sequence[tuple[int | None, tuple[PlayerId, ...]]], byes: Sequence[NoTable]
) -> None:
    counts = Counter([player for _, seats in tables for player in seats] + [bye.player for bye in byes])
    if twice := sorted(player for player, count in counts.items() if count > 1):
        raise TourneyError(f"{listed(map(state.name_of, twice))}: named more than once")
    numbers = Counter(number for number, _ in tables if number is not None)
    if again := sorted(number for number, count in numbers.items() if count > 1):
        raise TourneyError(f"table {listed(again)}: the table number is used twice")


def _number_tables(
    state: State, tables: Sequence[tuple[int | None, tuple[PlayerId, ...]]]
) -> tuple[Table, ...]:
    used_numbers = {number for number, _ in tables if number is not None}
    free = iter(n for n in range(state.settings.pairing.first_table, 1_000_000) if n not in used_numbers)
    numbered_tables = [Table(next(free) if number is None else number, seats) for number, seats in tables]
    return tuple(sorted(numbered_tables, key=lambda table: table.number))
