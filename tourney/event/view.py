"""Views: the facts of an event as pages, printed sheets, tables and JSON show them.

In a view, facts for people are text, and facts that programs sort by are numbers. A program can render a view
without the journal, the engines or a profile. `tourney.event.showing` and `tourney.desk.views` make views.
Everyone may see a view unless its docstring names another audience.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tourney.document import Document
from tourney.event.field import InDivision
from tourney.event.titles import stage_title
from tourney.games.sheet_lines import GameSheet
from tourney.record import PlayerId
from tourney.wording import Message, counted

if TYPE_CHECKING:
    from tourney.event.state import State
    from tourney.standings import Standings


class SeatView(Struct, frozen=True, kw_only=True):
    """A player at a table.

    player: the player's number
    name: the player's name as pages show it
    points: points before this round, as the profile prints them (`2½`); empty in a bracket
    score: the number of games won, or the place at a table of three or more; empty without a result
    won: whether the player won the table
    scored: victory points or the like; empty if the game has none, or without a result
    note: `disqualified` if the player is disqualified, even in a later round; otherwise empty
    side: the side that the player plays: `Red`, or `Red first` if sides change during the match; empty if the
        game has no sides
    """

    player: PlayerId
    name: str
    points: str = ""
    score: str = ""
    won: bool = False
    scored: str = ""
    note: str = ""
    side: str = ""


class TableView(Struct, frozen=True, kw_only=True):
    """A table.

    number: the number of the table
    seats: the players, in seat order
    result: the result in words (`2–0`, `intentional draw`); empty without a result
    label: the name of the match in the bracket (`Semifinal 1`); empty outside a bracket
    extra: extra minutes that the table has after the clock runs out
    ended: how the match ended, if not by its score: `by time`
    decks: lists that the players agreed on for this game, such as a layout of missions
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
        """Whether to show the result in words beside the names: at least one player has no score."""
        return not all(seat.score for seat in self.seats)

    @property
    def in_full(self) -> str:
        """The result with the victory points of both players: `1–0 (34 : 12) by time`."""
        scores = [seat.scored for seat in self.seats]
        if len(scores) != 2 or not all(scores) or f"({' : '.join(scores)})" in self.result:
            return self.result
        score = self.result.removesuffix(f" {self.ended}") if self.ended else self.result
        return Message.joined(" ", [score, f"({' : '.join(scores)})", self.ended])


class ByeView(Struct, frozen=True, kw_only=True):
    """A player without a table.

    player: the player's number
    name: the player's name as pages show it
    kind: what the player gets for the round: `bye`, `half-point bye`, `absent`; in a bracket, `waits` for a
        player whose next match is later
    note: `disqualified` if the player is disqualified, even in a later round; otherwise empty
    """

    player: PlayerId
    name: str
    kind: str
    note: str = ""


class RoundView(Struct, frozen=True, kw_only=True, dict=True):
    """A round.

    number: the number of the round, counted from 1 through Swiss rounds and cut
    title: the name of the round: `Round 3`, `Semifinals`
    tables: the tables, by number
    byes: players without a table
    proof: what is proved about the pairing, based on the results that it used
    cut: whether it is a round of the bracket
    as_of: the last entry whose results the pairing or its last repair used
    stale: a phrase that names a later entry that changed the results that the pairing used: `paired before
        entry 31 corrected round 2`; empty if there is none
    repair: tables that `round repair` would change; null if the round is not stale or cannot be repaired
    held: whether the round is held back, so that only the desk sees it
    ends: when the clock runs out, ISO 8601 with the zone; empty without a clock
    score_name: the name of what is counted besides games: `victory points`; empty if the format gives none
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

    # Templates use these properties at every seat, so they are computed once.

    @cached_property
    def playing(self) -> tuple[int, ...]:
        """The numbers of the tables that have no result yet."""
        return tuple(table.number for table in self.tables if not table.result)

    @cached_property
    def mixed(self) -> bool:
        """Whether the round has several kinds of matches.

        Examples are the upper and lower bracket, or the final and the match for third place.
        """
        return len({stage_title(label) for label in {table.label for table in self.tables}}) > 1


class TiebreakView(Struct, frozen=True, kw_only=True):
    """A column of the standings.

    code: the heading of the column
    name: the name of the tie-break
    meaning: the document and article that define the tie-break
    used: whether to show the column; a column for a place or a lot is shown only if it separated players
    """

    code: str
    name: str
    meaning: str = ""
    used: bool = True


class RowView(InDivision, frozen=True, kw_only=True):
    """A player's row of the standings.

    rank: the rank, from 1; players that nothing separates share a rank; null for disqualified players, who
        come last
    player: the player's number
    name: the player's name as pages show it
    points: points as the profile prints them
    record: matches won, lost and drawn: `3–1–1`
    values: the tie-breaks as decimals, in the order of the columns
    exact: the tie-breaks as fractions, in the order of the columns
    note: `drop` or `disqualified`; empty for active players
    cut: whether the player is in the bracket
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


class StandingsView(Struct, frozen=True, kw_only=True):
    """The standings.

    profile: the standings profile
    source: the source of the profile
    after: the last round that counts; 0 before the first
    columns: the tie-breaks, in the order in which they apply
    rows: the players, the best first
    cut: how many players advance to the bracket; 0 if that is not decided
    heading: which results count: `after round 5`, or `round 5 so far: 9 of 16 tables entered`; empty
        before round 1
    provisional: whether results that count are still missing
    left_out: players who are not ranked because they left before round 1, each as number and name
    no_lot: the reason why no lot separates players who share a place; empty if there is no such reason
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
        """The heading: `Standings after round 5`, `Provisional standings, round 5 so far: …`."""
        if self.provisional:
            return Message("Provisional standings, {heading}", heading=self.heading)
        return Message("Standings {heading}", heading=self.heading) if self.heading else Message("Standings")

    @property
    def divided(self) -> bool:
        """Whether any player has a division."""
        return any(row.division for row in self.rows)

    @property
    def cut_line(self) -> PlayerId | None:
        """The last player in the rows who is in the cut; None if no player is."""
        return next((row.player for row in reversed(self.rows) if row.cut), None)


class PlaceView(InDivision, frozen=True, kw_only=True):
    """A player's row of the final ranking.

    place: the place as text: `1`, `5–8`, or a dash if there is none
    first: the first of the places that the player shares, or the only place; null without a place
    last: the last of the places that the player shares, or the only place; null without a place
    player: the player's number
    name: the player's name as pages show it
    bracket: how the player left the bracket: `won the final`; empty for players who were not in it
    swiss: the rank in the Swiss rounds; null if there is none
    points: points in the Swiss rounds; empty without Swiss rounds
    record: matches won, lost and drawn in the Swiss rounds; without Swiss rounds, in the bracket
    note: `drop` or `disqualified`; empty for active players
    prize: the prize for the place; empty if prizes are not shown
    """

    place: str
    first: int | None
    last: int | None
    player: PlayerId
    name: str
    bracket: str = ""
    swiss: int | None = None
    points: str = ""
    record: str = ""
    note: str = ""
    prize: str = ""

    @property
    def places(self) -> str:
        """The place in a sentence: `place 1`, `places 5–8`."""
        return f"{'place' if self.first == self.last else 'places'} {self.place}"


class FinalView(Struct, frozen=True, kw_only=True):
    """Every player's place: by the bracket if there is one, then by the Swiss standings.

    rows: the players, the best first
    counts: which rounds count: `after the semifinals`, `final so far: 0 of 1 table entered`
    why_not: the reason why the places are not final; empty if they are final
    playing: whether tables of the last round are still playing
    bracket: whether there is a bracket
    swiss: whether there were Swiss rounds
    larger: whether tables of the bracket have three seats or more
    """

    rows: tuple[PlaceView, ...]
    counts: str
    why_not: str = ""
    playing: bool = False
    has_bracket: bool = msgspec.field(default=True, name="bracket")
    swiss: bool = True
    larger: bool = False

    @property
    def prizes(self) -> bool:
        """Whether any place has a prize."""
        return any(row.prize for row in self.rows)

    @property
    def finished(self) -> bool:
        """Whether the places are final."""
        return not self.why_not

    @property
    def title(self) -> str:
        """The heading: `Final ranking`, `Places after the semifinals`, `Provisional places, …`."""
        if self.finished:
            return Message("Final ranking")
        if self.playing:
            return Message("Provisional places, {rounds}", rounds=self.counts)
        return Message("Places {rounds}", rounds=self.counts)

    @property
    def divided(self) -> bool:
        """Whether any player has a division."""
        return any(row.division for row in self.rows)

    def row(self, player: PlayerId) -> PlaceView:
        """Return a player's row. Every player of the event has one."""
        return next(row for row in self.rows if row.player == player)

    @property
    def how(self) -> str:
        """How places are decided, in a sentence."""
        if not self.has_bracket:
            return Message("By the standings.")
        if self.larger and self.swiss:
            return Message(
                "By the round reached in the bracket, then by the place at the table of that round, "
                "then by Swiss rank."
            )
        if self.larger:
            return Message(
                "By the round reached in the bracket, then by the place at the table of that round. "
                "Tied players share places."
            )
        if self.swiss:
            return Message("By the round reached in the bracket, then by Swiss rank.")
        return Message(
            "By the round reached in the bracket. Players who lost in the same round share places."
        )


def money_text(cents: int, currency: str = "") -> str:
    """Format an amount of money.

    >>> money_text(25005, "EUR"), money_text(7)
    ('250.05 EUR', '0.07')
    """
    return f"{cents // 100}.{cents % 100:02}{' ' if currency else ''}{currency}"


class PrizeRow(Struct, frozen=True):
    """The prize for a place.

    place: the place, or the first one if players share several places
    places: the place as text, as in `5–8`
    player: the player's name; null if no player has the place, or if it is still open
    number: the player's number; null without a player
    cents: money, in hundredths of the currency
    product: a prize other than money; null if there is none
    byes: byes at the next event
    division: the division that the place is in; left out for the places of all players
    """

    place: int
    places: str
    player: str | None
    number: PlayerId | None
    cents: int
    product: str | None
    byes: int
    division: str | UnsetType = UNSET

    @property
    def label(self) -> str:
        """The place with its division: `Juniors 1–2`."""
        return f"{self.division or ''} {self.places}".strip()


class PrizeList(Struct, frozen=True):
    """Prizes by place.

    final: whether the places are final
    open: why the places are not final, in a sentence; null if they are final
    as_of: the rounds that the places are based on, in words
    currency: the currency; null if there is none
    cents: the sum of the money, in hundredths of the currency, including prizes of places that no player has
    prizes: the prizes, the best place first
    notes: how ties and indivisible cents were handled, and what the organizer still has to decide
    """

    final: bool
    open: str | None
    as_of: str
    currency: str | None
    cents: int
    prizes: tuple[PrizeRow, ...]
    notes: tuple[str, ...]

    @property
    def total(self) -> str:
        """The sum of the money: `450.00 EUR`, or `nothing in cash`."""
        return money_text(self.cents, self.currency or "") if self.cents else "nothing in cash"

    def cash(self, row: PrizeRow) -> str:
        """Return the money of a prize: `50.00 EUR`; empty if there is none."""
        return money_text(row.cents, self.currency or "") if row.cents else ""

    @property
    def table(self) -> tuple[list[str], list[list[str]]]:
        """The prizes as text: the header, without empty columns, and a row for each prize."""
        kinds = {
            "cash": [self.cash(row) for row in self.prizes],
            "product": [row.product or "" for row in self.prizes],
            "byes": [str(row.byes or "") for row in self.prizes],
        }
        used_columns = {name: column for name, column in kinds.items() if any(column)}
        rows = zip(
            (row.label for row in self.prizes),
            (row.player or "–" for row in self.prizes),
            *used_columns.values(),
            strict=True,
        )
        return ["place", "player", *used_columns], [list(row) for row in rows]


class BracketSeatView(Struct, frozen=True, kw_only=True):
    """A seat of a match in a bracket.

    player: the player's number; null until the player is known, or if the seat stays empty
    name: the player's name as pages show it; empty without a player
    seed: the player's seed, from 1; null if there is no player, or for a player who was added later
    score: as in a seat of a table
    won: whether the player won the match
    kind: how the player qualifies: as `winner`, `loser` or `place 2` of the match `of`; empty if that is not
        known yet, or in a first match
    of: the name of the match that the player comes from; empty if `kind` is empty
    """

    player: PlayerId | None = None
    name: str = ""
    seed: int | None = None
    score: str = ""
    won: bool = False
    kind: str = ""
    of: str = ""


MatchStatus = Literal["open", "playing", "done", "bye", "empty"]
"""The status of a match in a bracket; see `BracketMatchView`."""


class BracketMatchView(Struct, frozen=True, kw_only=True):
    """A match of a bracket.

    label: the unique name of the match: `Semifinal 1`
    seats: the seats, the higher seed first
    round: the round in which the match was paired; 0 before that, and for a match that is not played
    table: the number of the table; 0 before the match is paired, and for a match that is not played
    state: `open` until it is paired, `playing`, `done`, `bye` if a player advances without a match,
        `empty` without players
    result: the result in words; empty if there is none
    """

    label: str
    seats: tuple[BracketSeatView, ...]
    round: int = 0
    table: int = 0
    state: MatchStatus = "open"
    result: str = ""

    @property
    def reset(self) -> bool:
        """Whether the match is the second final of a double bracket.

        The second final is played only if the first does not decide the bracket.
        """
        return self.label == "Final reset"

    @property
    def if_needed(self) -> bool:
        """Whether this is a second final that is not paired yet, so that it may not be needed."""
        return self.reset and self.state == "open"


class BracketStageView(Struct, frozen=True, kw_only=True):
    """Matches of a bracket that are played together.

    name: the name of the stage: `Quarterfinals`, `Lower round 2`
    matches: the matches, in order
    """

    name: str
    matches: tuple[BracketMatchView, ...]

    @property
    def round(self) -> int:
        """The number of the last round in which matches of the stage were paired; 0 if none was."""
        return max((match.round for match in self.matches), default=0)


class BracketView(Struct, frozen=True, kw_only=True):
    """The bracket with the players known so far.

    The second final of a double bracket is included as long as it may be needed.

    size: the number of seeded players
    stages: the stages, in the order of play
    double: whether there is a lower bracket
    """

    size: int
    stages: tuple[BracketStageView, ...]
    double: bool = False


class MatchView(Struct, frozen=True, kw_only=True):
    """A round of one player.

    round: the number of the round
    title: the name of the round
    table: the number of the table; 0 if there is none
    opponents: number and name of each opponent
    result: the result in words, from the player's side
    points: points after the round; empty in a bracket
    side: the side that the player had; empty if the game has no sides
    """

    round: int
    title: str
    table: int
    opponents: tuple[tuple[PlayerId, str], ...]
    result: str
    points: str
    side: str = ""


class PlayerView(Struct, frozen=True, kw_only=True):
    """What a player's page shows: the matches, and the explanation of the place.

    player: the player's number
    name: the player's name as pages show it
    matches: the matches, by round
    row: the player's row in the current standings; null if there is none
    why: lines that explain the player's place in the standings after the last complete round
    place: the player's row in the final ranking; null without a bracket
    """

    player: PlayerId
    name: str
    matches: tuple[MatchView, ...]
    row: RowView | None = None
    why: tuple[str, ...] = ()
    place: PlaceView | None = None


class ListedCard(Struct, frozen=True):
    """A line of a decklist.

    copies: the number of copies
    card: the name of the card
    """

    copies: int
    card: str


class ListedCards(Struct, frozen=True, kw_only=True):
    """The cards of a list in one zone, or of one type in a zone.

    zone: the name of the zone
    type: the type of the cards; empty if unknown
    cards: the cards
    """

    zone: str
    type: str = ""
    cards: tuple[ListedCard, ...]

    @property
    def total(self) -> int:
        """The number of cards."""
        return sum(line.copies for line in self.cards)


class DecklistView(Struct, frozen=True, kw_only=True):
    """A player's decklist, after the organizer opened the lists.

    player: the player's number
    name: the player's name as pages show it
    verdict: `legal`, `illegal` or `unverified`
    unchecked: what the verdict does not cover: `ban list not checked`, `checked before the rules changed`;
        empty if nothing
    led: the leading cards, if the format has them: a general, an identity
    kind: the kind of the deck for statistics, such as its general or its faction; empty if unknown
    groups: the cards by zone in the order of the format, then by type
    note: why the cards cannot be shown; empty if they can
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
        """The number of cards in the list."""
        return sum(group.total for group in self.groups)

    @property
    def zones(self) -> tuple[tuple[str, int, tuple[ListedCards, ...]], ...]:
        """For each zone (part of the deck): its name, its number of cards, and its cards by type."""
        names = dict.fromkeys(group.zone for group in self.groups)
        of_zone = {name: tuple(group for group in self.groups if group.zone == name) for name in names}
        return tuple((name, sum(group.total for group in groups), groups) for name, groups in of_zone.items())

    @property
    def text(self) -> str:
        """The list as text that other programs can read: a line for each card, under headers."""
        parts = [
            "\n".join(
                [
                    f"{zone} ({total})",
                    *(f"{line.copies} {line.card}" for group in groups for line in group.cards),
                ]
            )
            for zone, total, groups in self.zones
        ]
        return "\n\n".join(parts) + "\n"


_Z = 1.959964
"""The quantile of the normal distribution for 95 %."""


class MatchRecord(Struct, frozen=True, kw_only=True):
    """The match record of the decks of one kind. A draw counts half in `rate`.

    won: matches won
    drawn: matches drawn
    lost: matches lost
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        """The number of matches played: won, drawn or lost."""
        return self.won + self.drawn + self.lost

    @property
    def rate(self) -> float | None:
        """The share of matches won, from 0 to 1; a draw is half a win. None without matches."""
        return (self.won + self.drawn / 2) / self.played if self.played else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the rate.

        Source: Wilson 1927, doi:10.1080/01621459.1927.10502953.

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


class DeckKind(Struct, frozen=True, kw_only=True):
    """The decks of one kind, and their results.

    name: the name of the kind
    players: the number of players
    share: the share of all players whose kind is known, from 0 to 1
    cut: how many of the players advanced to the bracket
    matches: the match record against all other kinds
    against: the match record against each kind, in the order of `FieldView.kinds`
    """

    name: str
    players: int
    share: float
    cut: int
    matches: MatchRecord
    against: tuple[MatchRecord, ...]


class FieldView(Struct, frozen=True, kw_only=True):
    """The players of the event, counted by the kind of their deck.

    noun: the format's word for a kind: `faction`
    kinds: the kinds, the most frequent first, then by name
    unknown: the number of players whose kind is unknown
    cut: how many players advanced to the bracket
    """

    noun: str
    kinds: tuple[DeckKind, ...]
    unknown: int = 0
    cut: int = 0


class SharedDeckView(Struct, frozen=True, kw_only=True):
    """A list that all players use, or that the players of one table use.

    part: the id of the zone in the format
    name: the name of the zone
    verdict: `legal`, `illegal` or `unverified`; empty without a list
    entry: the entry that registered the list
    cards: the cards, in the order of the list
    note: why the cards cannot be shown; empty if they can
    ordered: whether the order of the cards matters
    unchecked: what the verdict does not cover; empty if nothing
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
        """The number of cards in the list."""
        return sum(line.copies for line in self.cards)

    @property
    def in_a_line(self) -> str:
        """The cards in one line: `Hardened Bunker, Iron Ridge`; or why they cannot be shown."""
        return self.note or ", ".join(
            f"{line.copies} {line.card}" if line.copies > 1 or not self.ordered else line.card
            for line in self.cards
        )

    @property
    def summary(self) -> str:
        """The list in brief: `20 cards, legal`."""
        if not self.verdict:
            return "none yet"
        cards = self.note or counted(self.total, "card")
        return ", ".join(filter(None, (cards, self.verdict, self.unchecked)))

    @property
    def entered(self) -> str:
        """The list in brief, with the entry that registered it: `20 cards, legal (entry 7)`."""
        return f"{self.summary} (entry {self.entry})" if self.entry else self.summary


class DeckCheckView(Struct, frozen=True, kw_only=True):
    """A deck that was drawn for a check. Audience: staff.

    player: the player's number
    name: the player's name
    round: the name of the round
    table: the number of the table
    zones: the cards of the registered list, by part of the deck; empty without a list
    remark: the verdict on the list, or the reason why there is no list
    """

    player: PlayerId
    name: str
    round: str
    table: int
    zones: tuple[ListedCards, ...] = ()
    remark: str = ""


class ZoneFormView(Struct, frozen=True, kw_only=True):
    """A zone of a decklist form.

    name: the name of the zone
    size: how many cards the zone needs, in words
    rows: the number of lines to print
    """

    name: str
    size: str
    rows: int


class ListFormView(Struct, frozen=True, kw_only=True):
    """A decklist form to fill in.

    format: the name of the format
    zones: the zones of the form
    name: the player's name; empty to leave the line blank
    player: the player's number; None to leave it blank
    """

    format: str
    zones: tuple[ZoneFormView, ...]
    name: str = ""
    player: PlayerId | None = None


class SeedView(Struct, frozen=True, kw_only=True):
    """The source of the random choices in a round's pairing.

    title: the name of the round
    entry: the entry that paired it
    seed: the seed, 32 bytes in hexadecimal
    engine: the engine that made the tables, with its version
    """

    title: str
    entry: int
    seed: str
    engine: str


class VerificationView(Struct, frozen=True, kw_only=True):
    """The facts with which anyone can verify a later state of the event.

    entry: the last entry
    digest: the digest of the journal up to the last entry
    chain: the digest of each entry, from entry 1
    secret_sha256: the SHA-256 of the event's secret, published at the start
    secret: the secret; empty until it is revealed
    beacon: the name of the public value that all seeds depend on; empty if there is none
    value: the public value; empty until it is entered
    seeds: the rounds' seeds
    remarks: sentences about what is not proved: imported rounds, and random choices, such as pairings, that
        were made after the secret was public
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


class TableRules(Struct, frozen=True, kw_only=True):
    """The facts about tables that result slips need.

    seats: the seats of a full table
    best_of: the maximum number of games in a match
    draws: whether a match can be drawn
    first: the number of the first table
    """

    seats: int = 2
    best_of: int = 1
    draws: bool = True
    first: int = 1

    @classmethod
    def of(cls, state: State, _standings: Standings) -> TableRules:
        """Return the facts about the event's tables that result slips need."""
        match = state.settings.match
        return cls(
            seats=match.seats[0],
            best_of=match.best_of,
            draws=match.draws,
            first=state.settings.pairing.first_table,
        )


class NeedView(Struct, frozen=True, kw_only=True):
    """What a player needs to make the cut.

    A verdict is `in` or `out` if that is proved, and otherwise `open`.

    player: the player's number
    name: the player's name as pages show it
    rank: the current rank; null if there is none
    points: the current points, as the profile prints them
    table: the number of the player's table while it is playing; otherwise 0
    now: the verdict now, whichever result the player's own table gets; empty if it was not computed
    win: the verdict after a win; empty without an open table
    draw: the verdict after a draw; empty without an open table
    loss: the verdict after a loss; empty without an open table
    text: the verdict in words: `in with a draw`
    says: a key for `text`, from which pages translate it: `in`, `win_only`, `open`
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
    text: str = ""
    says: str = ""


class NeedsView(Struct, frozen=True, kw_only=True):
    """What every active player needs to make the cut, as far as that is proved.

    cut: the size of the cut
    at: when the last counted result was recorded, ISO 8601 with the zone
    tables: the number of open tables
    to_come: the number of rounds that are not paired yet
    rows: the players, by rank
    unsaid: the reason why there are no rows: `pending` (being computed), `late` (took too long), `begin` (no
        round is paired), `rounds` or `cut` (not planned), `tables` (a kind of table that is not supported);
        else empty
    """

    cut: int = 0
    at: str = ""
    tables: int = 0
    to_come: int = 0
    rows: tuple[NeedView, ...] = ()
    unsaid: str = ""

    def of(self, player: PlayerId) -> NeedView | None:
        """Return what a player needs to make the cut.

        Returns None if the player has left, or if no verdict was computed.
        """
        return next((row for row in self.rows if row.player == player and row.now), None)

    def others(self, need: NeedView) -> tuple[NeedView, ...]:
        """Return what the other players at the same open table need to make the cut."""
        return tuple(row for row in self.at_table(need.table) if row != need)

    def at_table(self, table: int) -> tuple[NeedView, ...]:
        """Return what the players of an open table need to make the cut, sorted by rank."""
        return tuple(row for row in self.rows if table and row.table == table)

    def drawn(self, table: int) -> str:
        """Return a word for what a draw at an open table of two means for making the cut.

        `suits`: both players make the cut
        `not enough`: at least one player misses the cut
        `anyway`: for each player it is decided already, whatever the result
        `open`: not proved
        empty text: the table does not have two players, or no verdict was computed for one of them
        """
        needs = self.at_table(table)
        if len(needs) != 2 or not all(row.now and row.draw for row in needs):
            return ""
        if all(row.now in ("in", "out") for row in needs):
            return "anyway"
        if all("in" in (row.now, row.draw) for row in needs):
            return "suits"
        return "not enough" if any("out" in (row.now, row.draw) for row in needs) else "open"

    @property
    def suited(self) -> tuple[tuple[NeedView, NeedView], ...]:
        """The pairs at a table who both make the cut with a draw, in the order of the tables."""
        needs_by_table: dict[int, list[NeedView]] = {}
        for row in self.rows:
            needs_by_table.setdefault(row.table, []).append(row)
        return tuple(
            (needs[0], needs[1])
            for table, needs in sorted(needs_by_table.items())
            if table and self.drawn(table) == "suits"
        )

    @property
    def left_open(self) -> int:
        """For how many players it was not computed whether they make the cut."""
        return sum(not row.now for row in self.rows)


class EventView(Document, frozen=True, kw_only=True, tag="tourney.event-page/1"):
    """Everything about an event that may be published. Audience: everyone.

    `publish` writes it as `event.json`.

    name: the name of the event
    status: how far the event is: `round 3: 3 of 16 tables still playing`
    state: the last entry shown, and its digest in full: `entry 57, 3fa9c1…`
    facts: the rules of the event in words: format, ban list, profile, seed
    rounds: the public rounds, in order
    standings: the current standings, provisional while tables are playing
    settled: the standings after the last complete round; without rows until round 1 is complete
    players: each player's page, by number
    verification: what others need to verify a later state
    champion: the name of the winner; empty until that is known
    slips: whether result slips are wanted
    final: the final ranking; null without a bracket
    past: the entry after which the event is shown; null for the current state
    at: when the last shown result or pairing was recorded, ISO 8601 with the zone
    planned: the number of planned Swiss rounds; null if none is planned
    closed: whether the event is over
    bracket: the bracket; null before it is made
    lists: the decklists, if they are open
    leader: what the format calls the leading card of a deck
    field: the players by the kind of their deck; null until the lists are open, or if the format does not
        define kinds
    decks: the lists that all players use
    game: the rules of the game, for players; null if the format cannot be read
    explained: a fingerprint of everything that the explanations of places depend on
    tables: facts about the tables for result slips, such as the number of seats
    address: the address of the pages, with a final slash; empty if unknown
    language: the language of the pages, as the setting `language` names it
    needs: what players need to make the cut; null if the event does not show that
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
    language: str = "en"


PARTS: Mapping[str, Callable[[State, Standings], Any]] = {"tables": TableRules.of}
"""Field of `EventView` → the function that makes it from the public state and the standings."""
