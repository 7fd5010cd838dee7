"""What people are shown of an event: views, the file for people, and what is next.

A view is for any page, printout or table: text where a person reads text, numbers where a program sorts. Nothing in it
needs the journal, the engines or a profile any more, so that rendering it is pure. The event as data, of which the state
digest is made, is in `tourney.event.state`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from tourney.errors import TourneyError
from tourney.event.brackets import as_entered, bracket_of, winner_of
from tourney.event.breakdown import FieldView
from tourney.event.decks import list_doubts, unsettled_lists
from tourney.event.field import DivisionPlace, points_by_round, record
from tourney.event.phrases import (
    RULING,
    be,
    by_text,
    names_of,
    own_words,
    result_line,
    result_text,
    score_text,
    scores_text,
    seats_text,
    still_playing,
)
from tourney.event.players import absent, absent_text
from tourney.event.state import Cut, Player, Round, State, changed_tables, state_digest
from tourney.event.systems import planned_rounds
from tourney.pairing.plan import usual_cut
from tourney.record import NameOf, Outcome, PlayerId, Result, Seat, Table
from tourney.standings import Profile
from tourney.wording import MOST_NAMED, counted

if TYPE_CHECKING:
    from tourney.games.sheet import GameSheet
    from tourney.pairing.elimination import BracketMatch, Stage

# -- views: what there is


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One player at a table.

    points: points before this round, as the profile prints them (`2½`); empty in a bracket
    score:  games won (or place, where a table has three and more seats); empty until reported
    won:    whether this seat won its table
    scored: victory points, diamonds …, where the game has them; empty until reported
    note:   `disqualified`, in whatever round that was
    side:   what this seat plays: `Red`, or `Red first` where sides change within the match; empty without sides
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
    """

    number: int
    seats: tuple[SeatView, ...]
    result: str = ""
    label: str = ""
    extra: int = 0
    ended: str = ""

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
    """

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
    held:  whether nobody but the desk is to see it yet
    ends:  when the round's clock runs out, ISO 8601 with the zone; empty where none was started
    score_name: what is counted besides games, where the format says what a score is: `victory points`
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

    @property
    def playing(self) -> tuple[int, ...]:
        """The numbers of the tables that have no result yet."""
        return tuple(table.number for table in self.tables if not table.result)


@dataclass(frozen=True, slots=True, kw_only=True)
class TiebreakView:
    """A column of the standings: its short code and what it means.

    used: whether it is worth a column: a place or a lot is only where it told somebody apart
    """

    code: str
    name: str
    meaning: str = ""
    used: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class InDivision:
    """A row of a ranking whose player may be in a division.

    division_place, division_last: the places in it that the ranking gives, equal where one is theirs alone; None: no place
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

    heading:     which results it counts: `after round 5`, or `round 5 so far: 9 of 16 tables entered`; empty before round 1
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
    """

    label: str
    seats: tuple[BracketSeatView, ...]
    round: int = 0
    table: int = 0
    state: Literal["open", "playing", "done", "bye", "empty"] = "open"
    result: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketStageView:
    """The matches that are played together: `Quarterfinals`, `Lower round 2`."""

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
    """

    size: int
    stages: tuple[BracketStageView, ...]
    double: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchView:
    """One round of one player: whom they met, what came of it, the points after it, and the player's own side."""

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

    row: in the standings of the event; why: of the place in those that are settled
    place: in the final ranking, where the event has a bracket
    """

    player: PlayerId
    name: str
    matches: tuple[MatchView, ...]
    row: RowView | None = None
    why: tuple[str, ...] = ()
    place: PlaceView | None = None


@dataclass(frozen=True, slots=True)
class ListedCard:
    """A line of a list."""

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
    """

    player: PlayerId
    name: str
    verdict: str
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedDeckView:
    """A list that everybody plays with. verdict: empty while there is none.

    part:    the zone of the format, by its id; name: as people call it; entry: which registered it
    note:    why its cards cannot be told; ordered: whether their places matter
    """

    part: str
    name: str
    verdict: str = ""
    entry: int = 0
    cards: tuple[ListedCard, ...] = ()
    note: str = ""
    ordered: bool = False

    @property
    def total(self) -> int:
        """How many cards it has."""
        return sum(line.copies for line in self.cards)

    @property
    def said(self) -> str:
        """It in a line: `20 cards, legal`."""
        if not self.verdict:
            return "none yet"
        cards = self.note or counted(self.total, "card")
        return f"{cards}, {self.verdict}"

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
    """What paper has to know of tables: seats of a full one, games of a match, whether it may be drawn, the first number."""

    seats: int = 2
    best_of: int = 1
    draws: bool = True
    first: int = 1


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


# -- views: made from a state, its points and its standings


PointsText = Callable[[int], str]
"""Prints half points as the event's profile prints them."""

_SCORED = frozenset({Outcome.WIN, Outcome.DRAW, Outcome.LOSS})
_FIRST = frozenset({Outcome.WIN, Outcome.FORFEIT_WIN})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """Points as the event went: `after[k]` are each player's half points after round k (`after[0]`: none yet)."""

    after: tuple[Mapping[PlayerId, int], ...]
    text: PointsText

    def before_round(self, number: int, player: PlayerId) -> str:
        """Return a player's points before a round, as printed; empty past the rounds that give points."""
        return self.text(self.after[number - 1].get(player, 0)) if number <= len(self.after) - 1 else ""

    def after_round(self, number: int, player: PlayerId) -> str:
        """Return a player's points after a round, as printed; empty past the rounds that give points."""
        return self.text(self.after[number].get(player, 0)) if number < len(self.after) else ""


WITHOUT_POINTS = Ladder(after=(), text=str)
"""For a look at rounds in which nobody asks for points."""


def ladder(state: State, profile: Profile) -> Ladder:
    """Return everybody's points as the event went, printed as `profile` prints them."""
    from tourney.standings.scorecards import Scorecards

    scorecards = Scorecards(record(state), profile)
    points = points_by_round(scorecards)
    after = tuple(
        {player: won[number] for player, won in points.items()} for number in range(scorecards.rounds + 1)
    )
    return Ladder(after=after, text=profile.points_text)


def event_view(
    state: State,
    *,
    ladder: Ladder,
    rounds: tuple[RoundView, ...],
    standings: StandingsView,
    settled: StandingsView,
    chain: tuple[str, ...],
    why: Mapping[PlayerId, tuple[str, ...]] | None = None,
    facts: tuple[tuple[str, str], ...] = (),
    champion: str = "",
    remarks: tuple[str, ...] = (),
    final: FinalView | None = None,
    past: int | None = None,
    decks: tuple[SharedDeckView, ...] = (),
    lists: tuple[DecklistView, ...] = (),
    leader: str = "",
    field: FieldView | None = None,
    game: GameSheet | None = None,
    explained: str = "",
) -> EventView:
    """Return everything of `state` that may be published.

    standings: as they are printed, everybody ever ranked in them; settled, why: see `EventView` and `PlayerView`
    chain: the digest of every entry; remarks: see `VerificationView`
    """
    by_player = {row.player: row for row in standings.rows}
    place_of = {row.player: row for row in final.rows} if final else {}
    seated = [
        {player: table for table in round_.tables.values() for player in table.seats}
        for round_ in state.rounds
    ]
    return EventView(
        name=state.name,
        status=status_text(state),
        state=f"entry {state.entry}, {state.digest}",
        facts=facts,
        rounds=rounds,
        standings=standings,
        settled=settled,
        players=tuple(
            PlayerView(
                player=player,
                name=state.players[player].name,
                matches=_matches(state, player, ladder, seated),
                row=by_player.get(player),
                why=(why or {}).get(player, ()),
                place=place_of.get(player),
            )
            for player in state.players
        ),
        verification=_verification(state, chain, remarks),
        champion=champion,
        slips=state.settings.slips,
        final=final,
        past=past,
        at=_last_shown(state),
        planned=planned_rounds(state),
        closed=state.closed,
        bracket=bracket_view(state, rounds),
        decks=decks,
        lists=lists,
        leader=leader,
        field=field,
        game=game,
        explained=explained,
        tables=TableRules(
            seats=state.settings.seats[0],
            best_of=state.settings.best_of,
            draws=state.settings.draws,
            first=state.settings.first_table,
        ),
        address=state.settings.address and f"{state.settings.address.rstrip('/')}/",
    )


def bracket_view(state: State, rounds: Sequence[RoundView]) -> BracketView | None:
    """Return the bracket as far as it is known; None before it is made. rounds: those of `state`, as they are shown.

    A seat is filled as soon as the match is decided that it waits for, also while others of that round play. Where the bracket
    cannot go on (an entry of an older version), it has the tables that were played and nothing that follows from them.
    """
    cut = state.cut
    if cut is None:
        return None
    tables = {table.label: (view.number, table) for view in rounds if view.cut for table in view.tables}
    try:
        stages = _known_stages(state, cut, tables)
    except TourneyError:
        return BracketView(size=len(cut.players), stages=_played_stages(cut, rounds))
    name, place = names_of(state), {player: seed for seed, player in enumerate(cut.players, 1)}
    return BracketView(
        size=len(cut.players),
        double=cut.kind == "double",
        stages=tuple(
            BracketStageView(
                name=stage.name,
                matches=tuple(
                    _bracket_match(match, tables.get(match.label, (0, None)), name, place)
                    for match in stage.matches
                ),
            )
            for stage in stages
        ),
    )


def _known_stages(state: State, cut: Cut, tables: Mapping[str, tuple[int, TableView]]) -> tuple[Stage, ...]:
    """Return the stages of a bracket, each seat filled that is decided, and none that hangs on an open table."""
    played, seated = as_entered(state)
    stages = list(bracket_of(played, cut).stages)
    open_still = {label for label, (_, table) in tables.items() if not table.result} if seated else set()
    if seated:  # as if open tables were won by their first seats, where a final needs no reset
        before = bracket_of(state, cut, len(state.rounds) - 1).stages
        stages += [stage for stage in before if stage.name not in {each.name for each in stages}]
    shown: dict[str, BracketMatch] = {}
    known: list[Stage] = []
    for stage in stages:
        by_all = cut.reseed and bool(open_still)
        matches = [_as_known(state, match, open_still, shown, by_all=by_all) for match in stage.matches]
        open_still |= {each.label for each in matches if not each.done}
        shown |= {each.label: each for each in matches}
        known.append(replace(stage, matches=tuple(matches)))
    return tuple(known)


def _as_known(
    state: State,
    match: BracketMatch,
    open_still: Collection[str],
    before: Mapping[str, BracketMatch],
    *,
    by_all: bool,
) -> BracketMatch:
    """Return a match with those who have come to it and are still in the event. by_all: whether who meets whom hangs on every match before."""
    from tourney.pairing.elimination import FromMatch

    if match.label in open_still:
        return replace(match, winner=None, done=False)
    seats: list[PlayerId | None] = []
    for player, source in zip(match.seats, match.sources, strict=True):
        came = source if isinstance(source, FromMatch) else None
        if (by_all and not match.done) or (came and came.label in open_still):
            seats.append(None)
        elif player is None and came and came.label in before:
            who = before[came.label].who(came.came)
            seats.append(who if who is not None and state.players[who].playing else None)
        else:
            seats.append(player)
    if tuple(seats) == match.seats:
        return match
    return replace(match, seats=tuple(seats), winner=None, done=False)


def _bracket_match(
    match: BracketMatch, at: tuple[int, TableView | None], name: NameOf, place: Mapping[PlayerId, int]
) -> BracketMatchView:
    from tourney.pairing.elimination import FromMatch

    number, table = at
    seated = {seat.player: seat for seat in table.seats} if table else {}
    seats = []
    for player, source in zip(match.seats, match.sources, strict=True):
        came = source if isinstance(source, FromMatch) else None
        sat = None if player is None else seated.get(player)
        seats.append(
            BracketSeatView(
                player=player,
                name="" if player is None else name(player),
                seed=None if player is None else place.get(player),
                score=sat.score if sat else "",
                won=bool(sat and sat.won),
                kind=came.role if came else "",
                of=came.label if came else "",
            )
        )
    there = sum(player is not None for player in match.seats)
    if table is not None:
        state: Literal["open", "playing", "done", "bye", "empty"] = "done" if table.result else "playing"
    else:
        state = "open" if not match.done else "bye" if there else "empty"
    return BracketMatchView(
        label=match.label,
        seats=tuple(seats),
        round=number,
        table=table.number if table else 0,
        state=state,
        result=table.result if table else "",
    )


def _played_stages(cut: Cut, rounds: Sequence[RoundView]) -> tuple[BracketStageView, ...]:
    place = {player: seed for seed, player in enumerate(cut.players, 1)}
    return tuple(
        BracketStageView(
            name=view.title,
            matches=tuple(
                BracketMatchView(
                    label=table.label,
                    round=view.number,
                    table=table.number,
                    state="done" if table.result else "playing",
                    result=table.result,
                    seats=tuple(
                        BracketSeatView(
                            player=seat.player,
                            name=seat.name,
                            seed=place.get(seat.player),
                            score=seat.score,
                            won=seat.won,
                        )
                        for seat in table.seats
                    ),
                )
                for table in view.tables
            ),
        )
        for view in rounds
        if view.cut
    )


def _last_shown(state: State) -> str:
    """Return when a result or a pairing was entered last, by the order of entries; else the event's creation."""
    entered = [
        each for round_ in state.rounds for each in (round_.paired, *round_.edits, *round_.entered.values())
    ]
    return max(entered, key=lambda each: each.entry).at if entered else state.created


def _verification(state: State, chain: tuple[str, ...], remarks: tuple[str, ...]) -> VerificationView:
    seeds = (
        SeedView(title=round_.title, entry=round_.paired.entry, seed=round_.seed, engine=round_.engine)
        for round_ in state.rounds
        if round_.seed
    )
    return VerificationView(
        entry=state.entry,
        digest=state.digest,
        chain=chain,
        secret_sha256=state.secret_digest,
        secret=state.revealed or "",
        beacon=state.settings.beacon,
        value=state.beacon.value if state.beacon else "",
        seeds=tuple(seeds),
        remarks=remarks,
    )


def round_view(state: State, round_: Round, ladder: Ladder) -> RoundView:
    """Return one round with names and words, its pairing as it was recorded."""
    name = names_of(state)
    return RoundView(
        number=round_.number,
        title=round_.title,
        tables=tuple(_table_view(state, round_, table, ladder) for table in round_.tables.values()),
        byes=tuple(
            ByeView(
                player=player,
                name=name(player),
                kind=outcome.words.result,
                note=_note(state, player),
            )
            for player, outcome in round_.byes.items()
        )
        + tuple(
            ByeView(player=player, name=name(player), kind="waits", note=_note(state, player))
            for player in _waiting(state, round_)
        ),
        proof=round_.proof.text,
        cut=round_.stage == "cut",
        held=round_.held,
        ends=_end(round_),
    )


def _end(round_: Round) -> str:
    if not round_.started or not round_.minutes:
        return ""
    return (datetime.fromisoformat(round_.started) + timedelta(minutes=round_.minutes)).isoformat()


def _waiting(state: State, round_: Round) -> tuple[PlayerId, ...]:
    """Return who is still in the bracket and has no match in a round of it; nobody where the bracket cannot go on."""
    if round_.stage != "cut" or state.cut is None:
        return ()
    try:
        now = bracket_of(state, state.cut, round_.number - 1)
    except TourneyError:
        return ()
    seated = {player for table in round_.tables.values() for player in table.seats}
    return tuple(player for player in now.waiting if player not in seated and player not in round_.byes)


def _note(state: State, player: PlayerId) -> str:
    return "" if state.players[player].disqualified is None else "disqualified"


def _table_view(state: State, round_: Round, table: Table, ladder: Ladder) -> TableView:
    note, name = round_.notes.get(table.number, ""), names_of(state)
    seats = tuple(
        SeatView(
            player=player,
            name=name(player),
            points="" if round_.stage == "cut" else ladder.before_round(round_.number, player),
            score=_score(table.result, player, note),
            won=table.result is not None and table.result.seat_of(player).outcome in _FIRST,
            scored=_scored(table.result, player),
            note=_note(state, player),
            side=state.settings.side(place),
        )
        for place, player in enumerate(table.seats)
    )
    return TableView(
        number=table.number,
        seats=seats,
        result=_result_view(table, note, name),
        label=round_.labels.get(table.number, ""),
        extra=round_.extended.get(table.number, 0),
        ended=by_text(note).strip() if table.result is not None else "",
    )


def _score(result: Result | None, player: PlayerId, note: str) -> str:
    """Return what stands beside a name: games won, or the place at a table of three and more; empty for words."""
    if result is None or note == "id" or any(seat.outcome not in _SCORED for seat in result.seats):
        return ""
    seat = result.seat_of(player)
    if len(result.seats) > 2:
        return f"{seat.place}."
    if not any(each.games for each in result.seats):
        return "½" if seat.outcome is Outcome.DRAW else ""
    return str(seat.games)


def _scored(result: Result | None, player: PlayerId) -> str:
    """Return a seat's victory points as text; empty where none were reported."""
    scored = result.seat_of(player).score if result is not None else None
    return "" if scored is None else str(scored)


def _result_view(table: Table, note: str, name: Callable[[PlayerId], str]) -> str:
    result = table.result
    if result is None:
        return ""
    if len(table.seats) == 2 and note != "id" and all(seat.outcome in _SCORED for seat in result.seats):
        return score_text(result) + by_text(note)
    return "intentional draw" if note == "id" else result_text(result, name, note)


def _matches(
    state: State, player: PlayerId, ladder: Ladder, seated: Sequence[Mapping[PlayerId, Table]]
) -> tuple[MatchView, ...]:
    """Return a player's matches. seated: each round's table of each player."""
    return tuple(
        match
        for round_, at in zip(state.rounds, seated, strict=True)
        if (match := _match(state, round_, player, ladder, at.get(player))) is not None
    )


def _match(
    state: State, round_: Round, player: PlayerId, ladder: Ladder, table: Table | None
) -> MatchView | None:
    name = names_of(state)
    points = "" if round_.stage == "cut" else ladder.after_round(round_.number, player)
    if table is None:
        if player not in round_.byes:
            return None
        kind = round_.byes[player].words.result
        return MatchView(
            round=round_.number, title=round_.title, table=0, opponents=(), result=kind, points=points
        )
    return MatchView(
        round=round_.number,
        title=round_.title,
        table=table.number,
        opponents=tuple((other, name(other)) for other in table.seats if other != player),
        result="held back" if round_.held else _own_result(table, player, round_.notes.get(table.number, "")),
        points=points,
        side=state.settings.side(table.seats.index(player)),
    )


def _own_result(table: Table, player: PlayerId, note: str) -> str:
    """Say a result from one player's side: `won 2–1`, `lost 0–2`, `drew 1–1`, `place 2 of 4 with 11`."""
    if table.result is None:
        return "playing"
    seat = table.result.seat_of(player)
    if len(table.seats) > 2:
        if seat.outcome not in _SCORED:
            return own_words(seat.outcome, note)
        scored = "" if seat.score is None else f" with {seat.score}"
        forfeited = any(each.outcome not in _SCORED for each in table.result.seats)
        by = "" if note == RULING and forfeited else by_text(note)
        return f"place {seat.place} of {len(table.seats)}{scored}{by}"
    if seat.outcome not in _SCORED or note == "id":
        return "intentional draw" if note == "id" else own_words(seat.outcome, note)
    own = _from_side(table.result, seat)
    return f"{seat.outcome.words.result} {score_text(own)}{scores_text(own.seats)}{by_text(note)}"


def _from_side(result: Result, seat: Seat) -> Result:
    others = tuple(other for other in result.seats if other is not seat)
    return Result((seat, *others), result.drawn_games)


# -- the event as a file for people


def summary(state: State) -> dict[str, Any]:
    """Return the event for people, as a TOML file holds it: no refs, no nulls, a line for each table."""
    name = names_of(state)
    return {
        "event": {
            "name": state.name,
            "format": state.format,
            "banlist": state.banlist or "none",
            "profile": state.profile,
            "begun": state.created,
            "entries": state.entry,
            "digest": state.digest,
            "state": state_digest(state),
        },
        "players": [_in_words(player) for player in state.players.values()],
        "rounds": [
            {
                "round": f"{round_.title} (held back)" if round_.held else round_.title,
                "tables": [_table_line(round_, table, name) for table in round_.tables.values()],
                "without": [
                    f"{name(player)}: {outcome.words.given}" for player, outcome in round_.byes.items()
                ],
            }
            for round_ in state.rounds
        ],
    }


def _in_words(player: Player) -> dict[str, Any]:
    facts: dict[str, Any] = {"number": player.id, "name": player.name}
    facts |= {"rating": player.rating} if player.rating is not None else {}
    facts |= {"tags": {kind: text for kind, (_, text) in player.tags.items()}} if player.tags else {}
    facts |= {"dropped after round": player.dropped} if player.dropped is not None else {}
    facts |= {"disqualified": True} if player.disqualified is not None else {}
    return facts


def _table_line(round_: Round, table: Table, name: NameOf) -> str:
    if table.result is None:
        return f"{table.number}: {seats_text(table.seats, name)}"
    return f"{table.number}: {result_text(table.result, name, round_.notes.get(table.number, ''))}"


# -- where the event stands, and what is next: a sentence or two after every change


def status_text(state: State) -> str:
    """Say in one line where the event stands."""
    if state.closed:
        return "The event is over."
    current = state.round
    if current is None:
        return f"{len(state.players)} players are registered; nothing is paired yet."
    if current.held:
        return f"{current.title} {be(current.title)} paired and held back."
    if current.playing:
        return f"{current.title}: {still_playing(current)}"
    return f"{current.title} {be(current.title)} finished."


def next_steps(state: State) -> tuple[str, ...]:
    """Say what the desk waits for: players, a pairing, results, the end."""
    if state.closed:
        return ("The event is closed: `tourney standings`, `tourney publish`.",)
    current = state.round
    if current is None:
        return _before_round_one(state)
    if current.held:
        return (
            f"{current.title} {be(current.title)} held back: `tourney round release`, or `tourney round start` with its clock.",
        )
    if current.playing:
        return (still_playing(current),)
    if state.open_round is not None:
        waiting = state.open_round
        return (
            _all_in(current),
            f"{waiting.title}: {still_playing(waiting)} Next: {result_line(state, waiting)}.",
        )
    return (_all_in(current), *_no_shows(state), *_after(state, current))


def _no_shows(state: State) -> tuple[str, ...]:
    """Name who did not show in the round that is over, and what takes them out."""
    said, gone = absent_text(state), absent(state)
    if not said:
        return ()
    if state.settings.no_show == "drop":
        by = "the next pairing" if _goes_on(state) else "the cut, if there is one"
        return (f"{said}, and {'are' if len(gone) > 1 else 'is'} dropped by {by}.",)
    way = "--absent" if len(gone) > 1 else f'"{state.players[gone[0]].name}"'
    return (f"{said}: `tourney player drop {way}` if they have left.",)


def _goes_on(state: State) -> bool:
    planned = planned_rounds(state)
    return state.cut is None and (planned is None or len(state.rounds) < planned)


def _before_round_one(state: State) -> tuple[str, ...]:
    players = len(state.playing)
    if players < 2:
        return (f"{counted(players, 'player')} registered: `tourney player add NAME`.",)
    missing = _missing_at_first(state)
    if state.waits_for_beacon:
        return (
            *missing,
            f"{players} players registered: `tourney event beacon VALUE` when all are here and"
            f" {state.settings.beacon} is out.",
        )
    if state.beacon is not None:
        return (
            *missing,
            f"{players} players registered: `{_pairing(state)}`. Whoever comes or changes from now on is named by"
            " `tourney verify`.",
        )
    return (*missing, f"{players} players registered: `{_pairing(state)}` when all are here.")


def _missing_at_first(state: State) -> tuple[str, ...]:
    """Say who is not here and whose decklist is not, where the desk looks at that."""
    gone, said = len(absent(state)), absent_text(state)
    if gone > MOST_NAMED:
        here = (
            f"{gone} of {len(state.playing)} players are not checked in yet: `tourney player list --absent`."
        )
    else:
        here = f"{said}; `tourney player drop --absent` takes {'them' if gone > 1 else 'that player'} out."
    return (
        *([here] if said else []),
        *(f"{said[:1].upper()}{said[1:]}." for said in (*list_doubts(state), *unsettled_lists(state))),
    )


def _pairing(state: State) -> str:
    settings = state.settings
    return "tourney round next" if settings.publish_to or settings.post_to else "tourney round pair"


def _all_in(current: Round) -> str:
    return f"{current.title} {be(current.title)} complete."


def _after(state: State, current: Round) -> tuple[str, ...]:
    if state.cut is not None:
        try:
            now = bracket_of(state, state.cut)
        except TourneyError as fault:  # an entry of an older version; it can be looked at and taken back
            return (
                f"The bracket cannot go on: {fault.message}. `tourney event log`, `tourney event undo ENTRY`.",
            )
        if not now.finished:
            return (f"Next: `{_pairing(state)}`.",)
        winner = winner_of(state, now)
        won = f"{names_of(state)(winner)} has won. " if winner else ""
        return (f"{won}Next: `tourney publish`, `tourney event close`.",)
    planned = planned_rounds(state)
    if planned is None or current.number < planned:
        return (f"Next: `{_pairing(state)}`.",)
    size = usual_cut(len(state.playing), state.settings.bracket_seats, state.settings.bracket_advance)
    cut = f"`tourney event cut {size}` or " if size else ""
    return (f"That was the last planned round: `tourney standings`, then {cut}`tourney event close`.",)


def unplayed(state: State) -> str:
    """Say what of the event was planned and is not played; empty where nothing is left."""
    if state.cut is not None:
        try:
            left = not bracket_of(state, state.cut).finished
        except TourneyError:  # an entry of an older version
            left = True
        return "the bracket is not played to its end, so those still in it share their places" if left else ""
    planned, played = planned_rounds(state), len(state.rounds)
    if planned is None or played >= planned:
        return ""
    return f"{played or 'none'} of the {planned} planned rounds {'was' if played == 1 else 'were'} played"


# -- whether all of it can be shown


def show_tables(state: State, before: State, profile: Callable[[], Profile] | None) -> None:
    """Show, to nobody, the tables that are not as they were in `before`; under other rules all of them.

    profile: of `state`, asked for only where points are to be counted; None where it cannot be read, and nobody's
             points can be told

    Raises TourneyError where they cannot be shown.
    """
    same_rules = state.has_rules_of(before)
    old = {each.number: each for each in before.rounds} if same_rules else {}
    moved = [(each, changed_tables(each, old.get(each.number))) for each in state.rounds]
    changed = [(each, tables) for each, tables in moved if tables is not None]
    if not changed:
        return
    # A result of those who sit there can be counted, as folding has seen; counting takes longer than all the rest.
    seated_so = same_rules and all(_seated_so(before, each) for each, _ in changed)
    points = WITHOUT_POINTS if seated_so or profile is None else ladder(state, profile())
    for each, tables in changed:
        shown = {number: each.tables[number] for number in tables} if seated_so else each.tables
        round_view(state, replace(each, tables=shown), points)


def _seated_so(before: State, round_: Round) -> bool:
    """Say whether everybody in a round sat, or was without a table, where they do now."""
    if len(before.rounds) < round_.number:
        return False
    old = before.rounds[round_.number - 1]
    seats, sat = ({table.number: table.seats for table in each.tables.values()} for each in (round_, old))
    return (seats, round_.byes) == (sat, old.byes)
