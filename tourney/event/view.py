"""Views: what there is to be shown of an event, for any page, printout or table.

Text where a person reads text, numbers where a program sorts. Nothing in a view needs the journal, the engines or a
profile any more, so that rendering it is pure. They are filled in `tourney.event.showing` and `tourney.desk.views`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Literal

from tourney.event.field import DivisionPlace
from tourney.event.state import match_kind
from tourney.record import PlayerId
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.games.sheet import GameSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One player at a table.

    points: points before this round, as the profile prints them (`2½`); empty in a bracket
    score:  games won (or place, where a table has three and more seats); empty until reported
    won:    whether this seat won its table
    scored: victory points, diamonds …, where the game has them; empty until reported
    note:   `disqualified`, in whatever round that was
    side:   what this seat plays: `Red`, or `Red first` where sides change within the match; empty without sides
    player: the player's number; name: what pages call the player
    """

    player: PlayerId
    name: str
    points: str = ""
    score: str = ""
    won: bool = False
    scored: str = ""
    note: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """One table: its number, its seats in seat order, and the result in words (`2–0`, `intentional draw`).

    label: what the match is in a bracket (`Semifinal 1`); extra: minutes that the table was given beyond the clock
    ended: how it ended, where not by its score: `by time`
    decks: the lists that its players have agreed upon for this game, such as a layout of missions
    number: the number of the table; seats: who sits there, in seat order; result: in words, empty until reported
    """

    number: int
    seats: tuple[SeatView, ...]
    result: str = ""
    label: str = ""
    extra: int = 0
    ended: str = ""
    decks: tuple[SharedDeckView, ...] = ()

    @property
    def in_words(self) -> bool:
        """Whether not every seat has a score, so that the result is told beside them."""
        return not all(seat.score for seat in self.seats)

    @property
    def in_full(self) -> str:
        """The result with the victory points of two, in seat order: `1–0 (34 : 12) by time`."""
        scores = [seat.scored for seat in self.seats]
        if len(scores) != 2 or not all(scores) or f"({' : '.join(scores)})" in self.result:
            return self.result
        end = f" {self.ended}" if self.ended else ""
        return f"{self.result.removesuffix(end)} ({' : '.join(scores)}){end}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeView:
    """A player without a table, and what that was worth (`bye`, `half-point bye`, `absent`); `note` as at a seat.

    Who waits in a bracket for the next match has no bye: `waits`.
    player: the player's number; name: what pages call the player
    kind: what being without a table was worth; note: `disqualified`, in whatever round that was
    """

    player: PlayerId
    name: str
    kind: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class RoundView:
    """One round: `number` counts from 1 through Swiss and cut; `title` is what players call it (`Semifinals`).

    proof: how the pairing is proved, on the results it was paired on
    as_of: the entry up to which results were counted when the round was paired, or repaired last
    stale: where results have changed since: `paired before entry 31 corrected round 2`; empty where they have not
    repair: the tables that `round repair` would change in a stale round, None where it is not stale or cannot be repaired
    held:  whether nobody but the desk is to see it yet
    ends:  when the round's clock runs out, ISO 8601 with the zone; empty where none was started
    score_name: what is counted besides games, where the format says what a score is: `victory points`
    number: that of the round, from 1; title: what players call it
    tables: by their numbers; byes: who has none
    cut:   whether it is a round of the bracket
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
    held: bool = False
    ends: str = ""
    score_name: str = ""

    # Asked for every seat, and an answer of all tables: worked out once.

    @cached_property
    def playing(self) -> tuple[int, ...]:
        """The numbers of the tables that have no result yet."""
        return tuple(table.number for table in self.tables if not table.result)

    @cached_property
    def mixed(self) -> bool:
        """Whether matches of several kinds are played together: the upper and the lower bracket, final and third place."""
        return len({match_kind(label) for label in {table.label for table in self.tables}}) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TiebreakView:
    """A column of the standings: its short code and what it means.

    used: whether it is worth a column: a place or a lot is only where it told somebody apart
    code: what stands above the column; name: in full; meaning: where the rule is from
    """

    code: str
    name: str
    meaning: str = ""
    used: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class InDivision:
    """A row of a ranking whose player may be in a division.

    division_place, division_last: the places in it that the ranking gives, equal where one is theirs alone; None: no place
    division: the name of it; empty without one
    """

    division: str = ""
    division_place: int | None = None
    division_last: int | None = None

    @property
    def in_division(self) -> str:
        """Division and place: `Juniors 2`, `Juniors 2–3`."""
        return DivisionPlace(self.division, self.division_place, self.division_last).words


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView(InDivision):
    """A player's place. `values` are decimals as printed, `exact` the same as fractions; both in column order.

    rank: from 1, level players share one; None for a disqualified player, who stands last
    cut:  whether the player is in the bracket that was made
    player: the player's number; name: what pages call the player; points: as the profile prints them; record: won, lost and drawn matches
    division: the name of it; empty without one
    division_place, division_last: the places in it, equal where one is theirs alone; None: no place
    note: `drop` or `disqualified`, empty for who plays on
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

    heading:     which results it counts: `after round 5`, or `round 5 so far: 9 of 16 tables entered`; empty before round 1
    provisional: whether tables are still playing whose results it counts
    left_out:    who is not ranked: left before round 1, under a profile that ranks only who has played
    no_lot:      why no lot is drawn, where players share a place for lack of one; else empty
    profile: by which places are given; source: where that is from
    after:   the round, 0 before the first
    columns: the tie-breaks, in their order; rows: everybody, the best first
    cut:     how many go on, 0 where nobody said
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
    no_lot: str = ""

    @property
    def title(self) -> str:
        """What stands above the table: `Standings after round 5`; `Provisional standings, round 5 so far: 9 of 16 tables entered`."""
        if self.provisional:
            return f"Provisional standings, {self.heading}"
        return f"Standings {self.heading}".rstrip()

    @property
    def divided(self) -> bool:
        """Whether anybody has a division."""
        return any(row.division for row in self.rows)

    @property
    def cut_line(self) -> PlayerId | None:
        """The last player of the table who is in the cut."""
        return next((row.player for row in reversed(self.rows) if row.cut), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceView(InDivision):
    """A player's place in the final ranking; first, last, came as in `tourney.event.brackets.FinalPlace`.

    place:  as it is written: `1`, `5–8`, a dash without one
    swiss:  the rank in the Swiss rounds; None without one, or where there were none
    points: of the Swiss rounds; empty where there were none
    record: of the Swiss rounds; where there were none, of the bracket
    note:   `drop` or `disqualified`; prize: what goes to the place, where prizes are told
    player: the player's number; name: what pages call the player
    first, last: the places that are shared, equal where one is theirs alone; None without one
    came:   how it ended in the bracket: `won the final`; empty for who was not in it
    division: the name of it; empty without one
    division_place, division_last: the places in it, equal where one is theirs alone; None: no place
    """

    place: str
    first: int | None
    last: int | None
    player: PlayerId
    name: str
    came: str = ""
    swiss: int | None = None
    points: str = ""
    record: str = ""
    note: str = ""
    prize: str = ""

    @property
    def places(self) -> str:
        """The place in a sentence: `place 1`, `places 5–8`."""
        return f"{'place' if self.first == self.last else 'places'} {self.place}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalView:
    """Everybody's place: by the bracket where there is one, then by the Swiss standings.

    counts:   which rounds are counted: `after the semifinals`, `final so far: 0 of 1 table entered`
    playing:  whether tables of the last of them have no result yet
    why_not:  why the places are not final; empty where they are
    bracket:  whether there is one; swiss: whether there were Swiss rounds
    larger:   whether its tables have three seats or more
    rows: everybody, the best first
    """

    rows: tuple[PlaceView, ...]
    counts: str
    why_not: str = ""
    playing: bool = False
    bracket: bool = True
    swiss: bool = True
    larger: bool = False

    @property
    def prizes(self) -> bool:
        """Whether prizes are told."""
        return any(row.prize for row in self.rows)

    @property
    def finished(self) -> bool:
        """Whether the places are final."""
        return not self.why_not

    @property
    def title(self) -> str:
        """What stands above the table: `Final ranking`, `Places after the semifinals`, `Provisional places, final so far: …`."""
        if self.finished:
            return "Final ranking"
        return f"Provisional places, {self.counts}" if self.playing else f"Places {self.counts}"

    @property
    def divided(self) -> bool:
        """Whether anybody has a division."""
        return any(row.division for row in self.rows)

    def row(self, player: PlayerId) -> PlaceView:
        """Return a player's place; everybody of the event is in the ranking."""
        return next(row for row in self.rows if row.player == player)

    @property
    def how(self) -> str:
        """By what the places are given."""
        if not self.bracket:
            return "By the standings."
        if self.larger:
            by_table = "By the bracket: the round reached, then the place at its table"
            return (
                f"{by_table}; {'equals stand by Swiss rank' if self.swiss else 'equals share their places'}."
            )
        if not self.swiss:
            return "By the bracket; players who lost in the same round share their places."
        return (
            "By the bracket, then by Swiss rank; players who lost in the same round stand by Swiss rank, too."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketSeatView:
    """A seat of a match in a bracket; player: None while nobody is known, or where nobody comes.

    seed:   the player's own, from 1; None for who was let in later
    score, won: as at a table
    kind, of: where the player comes from: `winner`, `loser` or `place 2` of the match `of`; empty where that is not settled,
            or the first match
    name: what pages call the player; empty while nobody is known
    """

    player: PlayerId | None = None
    name: str = ""
    seed: int | None = None
    score: str = ""
    won: bool = False
    kind: str = ""
    of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketMatchView:
    """A match of a bracket, the higher seed first.

    label:  what it is, unique in the bracket: `Semifinal 1`
    round, table: where it was paired, 0 before that, and for a match that nobody has to play
    state:  `open` until it is paired, `playing`, `done`, `bye` for who goes on without a match, `empty` where nobody comes
    result: in words, as of a table
    seats: the higher seed first
    """

    label: str
    seats: tuple[BracketSeatView, ...]
    round: int = 0
    table: int = 0
    state: Literal["open", "playing", "done", "bye", "empty"] = "open"
    result: str = ""

    @property
    def reset(self) -> bool:
        """Whether it is the second final of a double bracket, which is played only where the first settles nothing."""
        return self.label == "Final reset"

    @property
    def if_needed(self) -> bool:
        """Whether it is still open that it has to be played at all."""
        return self.reset and self.state == "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketStageView:
    """The matches that are played together: `Quarterfinals`, `Lower round 2`.

    name: what players call it; matches: in their order
    """

    name: str
    matches: tuple[BracketMatchView, ...]

    @property
    def round(self) -> int:
        """The round in which they were paired; 0 before."""
        return max((match.round for match in self.matches), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketView:
    """The bracket with everybody who has come to a seat so far, in the order of play.

    A reset of the final is there while it may be needed.

    size: how many were seeded; double: whether there is a lower bracket
    stages: the rounds of it, in the order of play
    """

    size: int
    stages: tuple[BracketStageView, ...]
    double: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchView:
    """One round of one player: whom they met, what came of it, the points after it, and the player's own side.

    round: the number of the round; title: what players call it; table: the number of the table, 0 without one
    opponents: the number and the name of each; result: in words, from the player's side
    points: after the round; empty in a bracket; side: what the player had to play; empty without sides
    """

    round: int
    title: str
    table: int
    opponents: tuple[tuple[PlayerId, str], ...]
    result: str
    points: str
    side: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """A player's own page: matches so far and, term by term, where each tie-break comes from.

    row: the player's row in the standings of the event; why: the reasons of the place in those that are settled, a line each
    place: the row in the final ranking, where the event has a bracket
    player: the player's number; name: what pages call the player; matches: round by round
    """

    player: PlayerId
    name: str
    matches: tuple[MatchView, ...]
    row: RowView | None = None
    why: tuple[str, ...] = ()
    place: PlaceView | None = None


@dataclass(frozen=True, slots=True)
class ListedCard:
    """A line of a list.

    copies: how many copies; card: the name of the card
    """

    copies: int
    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedCards:
    """Cards of a list that stand together: a zone's, or those of one type in it. type: empty where none is known."""

    zone: str
    type: str
    cards: tuple[ListedCard, ...]

    @property
    def total(self) -> int:
        """How many cards there are."""
        return sum(line.copies for line in self.cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecklistView:
    """A player's list, from when the organizer opens it.

    led:    by which cards, where the format has such: its general, its identity
    groups: by zone in the order of the format, then by type, without one last; note: why the cards cannot be told
    kind:   what the field is counted by: its general, its faction; empty where nobody can tell
    player: the player's number; name: what pages call the player; verdict: `legal`, `illegal` or `unverified`
    unchecked: what the verdict leaves out: `ban list not checked`, `checked before the rules changed`
    """

    player: PlayerId
    name: str
    verdict: str
    unchecked: str = ""
    led: str = ""
    kind: str = ""
    groups: tuple[ListedCards, ...] = ()
    note: str = ""

    @property
    def total(self) -> int:
        """How many cards it has."""
        return sum(group.total for group in self.groups)

    @property
    def zones(self) -> tuple[tuple[str, int, tuple[ListedCards, ...]], ...]:
        """Each zone with how many cards it has and its groups."""
        names = dict.fromkeys(group.zone for group in self.groups)
        of_zone = {name: tuple(each for each in self.groups if each.zone == name) for name in names}
        return tuple((name, sum(each.total for each in own), own) for name, own in of_zone.items())

    @property
    def text(self) -> str:
        """The list as it can be copied into another program: a line a card, under headers."""
        parts = [
            "\n".join(
                [f"{zone} ({total})", *(f"{line.copies} {line.card}" for own in groups for line in own.cards)]
            )
            for zone, total, groups in self.zones
        ]
        return "\n\n".join(parts) + "\n"


_Z = 1.959964
"""The quantile of the normal distribution for 95 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """Matches of one side. rate: of wins, a draw counting half, with its 95 % interval after Wilson; None without a match.

    won, drawn, lost: how many of the matches were
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        """How many there are."""
        return self.won + self.drawn + self.lost

    @property
    def rate(self) -> float | None:
        """The share won, from 0 to 1."""
        return (self.won + self.drawn / 2) / self.played if self.played else None

    @property
    def interval(self) -> tuple[float, float]:
        """Between which shares the true one lies, 95 times in 100 (Wilson 1927, doi:10.1080/01621459.1927.10502953).

        >>> [round(end, 3) for end in MatchRecord(won=8, lost=2).interval], MatchRecord().interval
        ([0.49, 0.943], (0.0, 1.0))
        """
        number, share = self.played, self.rate
        if share is None:
            return 0.0, 1.0
        middle = (share + _Z * _Z / (2 * number)) / (1 + _Z * _Z / number)
        reach = (
            _Z / (1 + _Z * _Z / number) * sqrt(share * (1 - share) / number + _Z * _Z / (4 * number * number))
        )
        return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckKind:
    """Decks of one kind. players: how many; cut: how many of them went on; matches: against other kinds alone.

    name: what they are; share: of the whole field, from 0 to 1; against: each kind, in the order of the field
    """

    name: str
    players: int
    share: float
    cut: int
    matches: MatchRecord
    against: tuple[MatchRecord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """The field: kinds by their number, then by name. noun: what they are; unknown: players of whose deck nobody can tell.

    kinds: the most frequent first; cut: how many players went on
    """

    noun: str
    kinds: tuple[DeckKind, ...]
    unknown: int = 0
    cut: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedDeckView:
    """A list that everybody plays with, or the players of a table do.

    verdict: empty while there is none; unchecked: what it leaves out

    part:    the zone of the format, by its id; name: as people call it; entry: which registered it
    note:    why its cards cannot be told; ordered: whether their places matter
    cards: in the order of the list
    """

    part: str
    name: str
    verdict: str = ""
    entry: int = 0
    cards: tuple[ListedCard, ...] = ()
    note: str = ""
    ordered: bool = False
    unchecked: str = ""

    @property
    def total(self) -> int:
        """How many cards it has."""
        return sum(line.copies for line in self.cards)

    @property
    def in_a_line(self) -> str:
        """Its cards one after the other, in their order: `Hardened Bunker, Iron Ridge`; or why they cannot be told."""
        return self.note or ", ".join(
            f"{line.copies} {line.card}" if line.copies > 1 or not self.ordered else line.card
            for line in self.cards
        )

    @property
    def said(self) -> str:
        """It in a line: `20 cards, legal`."""
        if not self.verdict:
            return "none yet"
        cards = self.note or counted(self.total, "card")
        return ", ".join(filter(None, (cards, self.verdict, self.unchecked)))

    @property
    def entered(self) -> str:
        """It in a line, with the entry that registered it: `20 cards, legal (entry 7)`."""
        return f"{self.said} (entry {self.entry})" if self.entry else self.said


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneListView:
    """A part of a registered list, for the judge who has the deck in hand."""

    name: str
    cards: tuple[ListedCard, ...]

    @property
    def total(self) -> int:
        """How many cards it has."""
        return sum(line.copies for line in self.cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckCheckView:
    """A deck that was drawn to be checked: staff only. round: its title; said: the verdict, or why there is no list."""

    player: PlayerId
    name: str
    round: str
    table: int
    zones: tuple[ZoneListView, ...] = ()
    said: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneFormView:
    """A part of a decklist form: its size in words, and how many lines it is given."""

    name: str
    size: str
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFormView:
    """A decklist form to be filled in; name and player: whose it is, where that is printed."""

    format: str
    zones: tuple[ZoneFormView, ...]
    name: str = ""
    player: PlayerId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedView:
    """Where a round's chance came from: its seed in hexadecimal, and the engine that made the tables.

    title: what players call the round; entry: the one that paired it; seed: 32 bytes, hexadecimal; engine: what made the tables, with its version
    """

    title: str
    entry: int
    seed: str
    engine: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationView:
    """What anybody needs to hold a later state of the event against this one.

    entry, digest: the last entry, and its digest in the chain, which seals every entry before it
    chain:  the digest of every entry, from entry 1
    secret_sha256: what the event promised of its secret; secret: the secret, once it was revealed
    beacon: the public value every seed waits for, as it was named; value: what came out
    seeds:  of the rounds that have one; remarks: on what was drawn though the secret was public
    """

    entry: int
    digest: str
    chain: tuple[str, ...]
    secret_sha256: str
    secret: str = ""
    beacon: str = ""
    value: str = ""
    seeds: tuple[SeedView, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRules:
    """What paper has to know of tables: seats of a full one, games of a match, whether it may be drawn, the first number.

    seats: of a full table; best_of: games of a match at most; draws: whether a match may be drawn; first: the number of the first table
    """

    seats: int = 2
    best_of: int = 1
    draws: bool = True
    first: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedView:
    """What a player can still be, whatever the open tables end in: `in`, `out` and `open`, which is neither proved.

    now:    over all results of the own table; empty where it was not worked out
    win, draw, loss: after such a result of the own table; empty where there is none to come
    told:   the same in words: `in with a draw`
    says:   the key of these words, for pages in another language: `in`, `win_only`, `open`
    rank, points: as the results so far have them; rank: None for who has none
    table:  the own table, if it is open; 0 else
    player: the player's number; name: what pages call the player
    """

    player: PlayerId
    name: str
    rank: int | None
    points: str
    table: int = 0
    now: str = ""
    win: str = ""
    draw: str = ""
    loss: str = ""
    told: str = ""
    says: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsView:
    """What everybody who is still playing needs to make the cut: proved, or open.

    cut:     how many make it
    at:      when the last result was entered that it counts, ISO 8601 with the zone
    tables:  how many tables were open then; to_come: how many rounds were still to be paired
    rows:    by rank
    unsaid:  why there is nothing to be said: `pending` (it is being worked out), `late` (it took too long), `begin` (no round is
             paired), `rounds` or `cut` (nobody said how many), `tables` (a kind of tables that is not gone through); else empty
    """

    cut: int = 0
    at: str = ""
    tables: int = 0
    to_come: int = 0
    rows: tuple[NeedView, ...] = ()
    unsaid: str = ""

    def of(self, player: PlayerId) -> NeedView | None:
        """Return what a player needs; None for who has left, or where there is nothing to be said."""
        return next((row for row in self.rows if row.player == player and row.now), None)

    def others(self, need: NeedView) -> tuple[NeedView, ...]:
        """Return what the others at the same open table need."""
        return tuple(row for row in self.at_table(need.table) if row != need)

    def at_table(self, table: int) -> tuple[NeedView, ...]:
        """Return what each of an open table needs, by rank."""
        return tuple(row for row in self.rows if table and row.table == table)

    def drawn(self, table: int) -> str:
        """Say what a draw means at an open table of two, in the words of `tourney.standings.completions.Drawn`.

        `suits`: it puts both in; `not enough`: it does not; `anyway`: no result changes anything for either; `open`: it is
        not proved; empty where it cannot be said
        """
        from tourney.standings.completions import drawn_to  # for whom pages have a forecast alone

        both = self.at_table(table)
        if len(both) != 2 or not all(row.now and row.draw for row in both):
            return ""
        words = set(drawn_to((row.now, row.draw) for row in both))
        if words <= {"in anyway", "out anyway"}:
            return "anyway"
        if words == {"suits"}:
            return "suits"
        return "not enough" if words & {"not enough", "out anyway"} else "open"

    @property
    def suited(self) -> tuple[tuple[NeedView, NeedView], ...]:
        """Who sits at a table where a draw suits both, by the number of the table."""
        seated: dict[int, list[NeedView]] = {}
        for row in self.rows:
            seated.setdefault(row.table, []).append(row)
        return tuple(
            (both[0], both[1])
            for table, both in sorted(seated.items())
            if table and self.drawn(table) == "suits"
        )

    @property
    def left_open(self) -> int:
        """For how many it was not worked out."""
        return sum(not row.now for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventView:
    """Everything of an event that may be published.

    standings: as of now, provisional while tables play; settled: after the last round whose tables, and those of the
             rounds before it, are all in (without rows before that): a place in them changes when a round is complete
    state:  the exact state shown, as `entry 57, 3fa9c1…`, the digest in full
    facts:  what the event is played under, in words: format, ban list, profile, seed
    status: `round 3: 3 of 16 tables still playing`
    slips:  whether result slips are wanted
    final:  everybody's place, where the event has a bracket
    past:   the entry as of which the event is shown, where later ones are left out; None: as it stands
    at:     when what is shown was entered last (a result, a pairing), ISO 8601 with the zone
    planned: how many Swiss rounds are planned; None: open-ended
    closed: whether the event is over
    bracket: the bracket, from when it is made
    field:  the field by what decks are, once everybody's list is open and the format says what is counted
    lists:  players' decklists, those that are open; leader: what the format calls who leads them
    decks:  the lists that everybody plays with
    game:   its format for players, with what a judge can have answered; None where its rules cannot be read
    explained: names all that the explanations of places were made from; equal where they are equal
    tables: what a slip has to have; address: where the pages are seen, with a slash at the end; empty where nobody said
    name:   of the event; rounds: all that may be seen, in order; players: everybody's own page, by number
    needs:  what everybody needs to make the cut, where the event shows it to all and the cut is still to come
    verification: what a later state is held against; champion: who has won it, empty while nobody has
    """

    name: str
    status: str
    state: str
    facts: tuple[tuple[str, str], ...]
    rounds: tuple[RoundView, ...]
    standings: StandingsView
    settled: StandingsView
    players: tuple[PlayerView, ...]
    verification: VerificationView
    champion: str = ""
    slips: bool = True
    final: FinalView | None = None
    past: int | None = None
    at: str = ""
    planned: int | None = None
    closed: bool = False
    bracket: BracketView | None = None
    lists: tuple[DecklistView, ...] = ()
    leader: str = ""
    field: FieldView | None = None
    decks: tuple[SharedDeckView, ...] = ()
    game: GameSheet | None = None
    explained: str = ""
    tables: TableRules = TableRules()
    address: str = ""
    needs: NeedsView | None = None
