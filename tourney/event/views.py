"""What people are shown of an event: plain values with names and words, ready for any page, sheet or table.

A view holds text where a person reads text and numbers where a program sorts; nothing in it needs the journal, the
engines or a profile any more, so that rendering it is pure. `tourney.event.viewing` makes views from a state.
"""

from __future__ import annotations

from dataclasses import dataclass

from tourney.record import PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One player at a table.

    points: points before this round, as the profile prints them (`2½`); empty in a bracket
    score:  games won (or place, where a table has three and more seats); empty until reported
    won:    whether this seat won its table
    scored: victory points, diamonds …, where the game has them; empty until reported
    note:   `disqualified`, in whatever round that was
    """

    player: PlayerId
    name: str
    points: str = ""
    score: str = ""
    won: bool = False
    scored: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """One table: its number, its seats in seat order, and the result in words (`2–0`, `intentional draw`)."""

    number: int
    seats: tuple[SeatView, ...]
    result: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeView:
    """A player without a table, and what that was worth (`bye`, `half-point bye`, `absent`); `note` as at a seat."""

    player: PlayerId
    name: str
    kind: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """One round: `number` counts from 1 through Swiss and cut; `title` is what players call it (`Semifinals`).

    proof: how the pairing is proved, on the results it was paired on
    as_of: the entry up to which results were counted when the round was paired, or repaired last
    stale: where results have changed since: `paired before entry 31 corrected round 2`; empty where they have not
    repair: the tables that `round repair` would change in a stale round, None where it is not stale or cannot be repaired
    """

    number: int
    title: str
    tables: tuple[TableView, ...]
    byes: tuple[ByeView, ...] = ()
    proof: str = ""
    cut: bool = False
    as_of: int = 0
    stale: str = ""
    repair: tuple[int, ...] | None = None

    @property
    def playing(self) -> tuple[int, ...]:
        """The numbers of the tables that have no result yet."""
        return tuple(table.number for table in self.tables if not table.result)


@dataclass(frozen=True, slots=True, kw_only=True)
class TiebreakView:
    """A column of the standings: its short code and what it means."""

    code: str
    name: str
    meaning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """A player's place. `values` are decimals as printed, `exact` the same as fractions; both in column order.

    rank: None for a disqualified player, who stands last
    cut:  whether the player is in the bracket that was made
    """

    rank: int | None
    player: PlayerId
    name: str
    points: str
    record: str
    values: tuple[str, ...]
    exact: tuple[str, ...]
    note: str = ""
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsView:
    """The table after round `after`, under the named profile. `cut` is how many go on, 0 where nobody said.

    heading:     which results it counts: `after round 5`, or `round 5 so far, 7 tables open`; empty before round 1
    provisional: whether tables are still playing whose results it counts
    left_out:    who is not ranked: left before round 1, under a profile that ranks only who has played
    """

    profile: str
    source: str
    after: int
    columns: tuple[TiebreakView, ...]
    rows: tuple[RowView, ...]
    cut: int = 0
    heading: str = ""
    provisional: bool = False
    left_out: tuple[tuple[PlayerId, str], ...] = ()

    @property
    def title(self) -> str:
        """What stands above the table: `Standings after round 5`; `Provisional standings, round 5 so far, 7 tables open`."""
        if self.provisional:
            return f"Provisional standings, {self.heading}"
        return f"Standings {self.heading}".rstrip()

    @property
    def so_far(self) -> str:
        """What a player's own page says of provisional standings: without a count, so that it changes with their own results."""
        return f"round {self.after} so far, not all of its tables are in"

    @property
    def cut_line(self) -> PlayerId | None:
        """The last player of the table who is in the cut."""
        return next((row.player for row in reversed(self.rows) if row.cut), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchView:
    """One round of one player: whom they met, what came of it, and the points after it."""

    round: int
    title: str
    table: int
    opponents: tuple[tuple[PlayerId, str], ...]
    result: str
    points: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """A player's own page: matches so far and, term by term, where each tie-break comes from."""

    player: PlayerId
    name: str
    matches: tuple[MatchView, ...]
    row: RowView | None = None
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedView:
    """Where a round's chance came from: its seed in hexadecimal, and the engine that made the tables."""

    title: str
    entry: int
    seed: str
    engine: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationView:
    """What anybody needs to hold a later state of the event against this one.

    entry, digest: the last entry and its digest in the chain, which seals every entry before it
    chain:  the digest of every entry, from entry 1
    secret_sha256: what the event promised of its secret; secret: the secret, once it was revealed
    beacon: the public value every seed waits for, as it was named; value: what came out
    seeds:  of the rounds that have one
    """

    entry: int
    digest: str
    chain: tuple[str, ...]
    secret_sha256: str
    secret: str = ""
    beacon: str = ""
    value: str = ""
    seeds: tuple[SeedView, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EventView:
    """Everything of an event that may be published.

    state:  the exact state shown, as `entry 57, 3fa9c1…`, the digest in full
    facts:  what the event is played under, in words: format, ban list, profile, seed
    status: `round 3: 3 of 16 tables still playing`
    """

    name: str
    status: str
    state: str
    facts: tuple[tuple[str, str], ...]
    rounds: tuple[RoundView, ...]
    standings: StandingsView
    players: tuple[PlayerView, ...]
    verification: VerificationView
    champion: str = ""
