"""Play a bracket from its seeds through the recorded rounds, and return the next round.

A bracket is a sequence of stages (`StagePlan`), such as the quarterfinals. A match is *settled* when its
result or a bye decides who advances. A stage is *due* when all matches that its players come from are
settled. The matches of all stages that are due make a *cut round*. A match that no player can lose has no
table. In a game with sides, `seat_by_sides` then chooses who has the first side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from math import inf
from typing import Literal

from msgspec import structs

from tourney.errors import Finding, Severity, TourneyError
from tourney.pairing.elimination.shape import (
    Bracket,
    BracketMatch,
    BracketOptions,
    BracketPlace,
    FromSeed,
    MatchRole,
    Source,
    Stage,
    StagePlan,
    Vacancy,
    fold,
    places_of,
    plan,
)
from tourney.pairing.pairing import imbalance_of_sides, number_of
from tourney.record import NameOf, Outcome, PlayerId, Table
from tourney.wording import listed


def bracket(
    players: Sequence[PlayerId],
    options: BracketOptions | None = None,
    *,
    earlier: Sequence[Mapping[str, Table]] = (),
    departures: Mapping[PlayerId, int] | None = None,
    first_table: int = 1,
    name: NameOf = number_of,
) -> Bracket:
    """Return the bracket of `players` (in seed order) after the cut rounds in `earlier`.

    earlier:    for each cut round played, label of the match → its table with the result
    departures: player who dropped after the cut was made → the number of cut rounds that were played before
                the player dropped; players who are not in the bracket are ignored
    name:       returns a player's name for messages

    Raises TourneyError for fewer than two players, a player seeded twice, contradictory options, an earlier
    table that is drawn or has no result, a label that the bracket does not have in that round, and a round
    after the bracket's end. At tables of three and more, also raises TourneyError if the players do not fill
    the tables.
    """
    options = options or BracketOptions()
    _refuse_bracket(players, options, name)
    walk = _Walk(players, options, departures or {}, name)
    for number, tables in enumerate(earlier, 1):
        if not walk.due_stages:
            raise TourneyError(
                f"cut round {number} has results, but the bracket was decided after cut round {number - 1}"
            )
        walk.play(tables)
    return walk.current_bracket(first_table)


def _refuse_bracket(players: Sequence[PlayerId], options: BracketOptions, name: NameOf) -> None:
    if len(players) < 2:
        raise TourneyError(f"a bracket needs at least two players, not {len(players)}")
    for place, player in enumerate(players):
        if player in players[:place]:
            raise TourneyError(f"{name(player)} is seeded twice")
    if options.seats > 2:
        _refuse_at_tables(options)
    if options.double and options.reseed:
        raise TourneyError(
            "a double bracket cannot be reseeded", "leave out reseeding, or play a single bracket"
        )
    if options.double and options.third_place:
        raise TourneyError(
            "a double bracket has no third-place match: the loser of the lower final is third",
            "leave out the third-place match",
        )


def _refuse_at_tables(options: BracketOptions) -> None:
    """Raise TourneyError for options that tables of three and more cannot have."""
    if options.double or options.reseed or options.third_place:
        feature = (
            "lower bracket" if options.double else "reseeding" if options.reseed else "match for third place"
        )
        reason = ": the table of the final decides it" if options.third_place else ""
        raise TourneyError(f"a bracket with tables of {options.seats} has no {feature}{reason}")
    if not 1 <= options.advance < options.seats:
        raise TourneyError(
            f"1 to {options.seats - 1} of {options.seats} players can advance from a table, "
            f"not {options.advance}"
        )


# -- the state of a bracket while it is played forward, stage by stage


Seating = list[list[PlayerId]]
"""The players at each match of a stage, in order of seed."""


class _Walk:
    """The state of a bracket after some rounds.

    round:           the number of the next cut round
    due_stages:      stage of that round → the players of each of its matches; empty if the bracket is
                     finished
    settled_stages:  decided stage → its matches
    players_by_role: (label of a match, role) → the player who has this role (`MatchRole`) after the match, or
                     None
    exits:           player who is out → how far the player came: the depth of the stage, and the place at the
                     table (0 in a match of two)
    skipped_stages:  the name of the final reset (the second final) if it is not needed; otherwise empty
    """

    def __init__(
        self,
        players: Sequence[PlayerId],
        options: BracketOptions,
        departures: Mapping[PlayerId, int],
        name: NameOf,
    ) -> None:
        self.players, self.options, self.departures, self.name = tuple(players), options, departures, name
        self.at_tables = options.seats > 2
        self.plan = plan(len(players), options)
        self.round = 1
        self.settled_stages: dict[str, tuple[BracketMatch, ...]] = {}
        self.players_by_role: dict[tuple[str, MatchRole], PlayerId | None] = {}
        self.exits: dict[PlayerId, tuple[int, float]] = {}
        self.champion: PlayerId | None = None
        self.skipped_stages: set[str] = set()
        self._seeds = {player: number for number, player in enumerate(players, 1)}
        self.due_stages = self._advance()

    def seed(self, player: PlayerId | None) -> int:
        """Return the number by which players are sorted: the seed, from 1.

        A player who was let in later has no seed, and is sorted after the last seed. None (no player) is
        sorted after all players.
        """
        last = len(self.players)
        return last + 2 if player is None else self._seeds.get(player, last + 1)

    def has_left(self, player: PlayerId) -> bool:
        """Return whether the player left before the next cut round."""
        return self.departures.get(player, self.round) < self.round

    def entry(self, source: Source) -> PlayerId | None:
        """Return the player who comes from this source (a seed or a match); None if no player does."""
        if isinstance(source, FromSeed):
            return self.players[source.seed - 1] if source.seed <= len(self.players) else None
        return self.players_by_role.get((source.label, source.role))

    # -- the matches that are due

    def _advance(self) -> dict[str, Seating]:
        """Return the stages of the next round: name of the stage → the players of its matches.

        If no match of a stage has to be played, the stage is not returned. It is settled instead: all its
        players advance, and the stages that this makes ready are considered in turn.
        """
        while True:
            due_stages = {stage.name: self._seating(stage) for stage in self.plan if self._is_ready(stage)}
            idle = [
                stage
                for stage in self.plan
                if stage.name in due_stages and not any(map(stage.is_played, due_stages[stage.name]))
            ]
            if not idle:
                return due_stages
            for stage in idle:
                self._settle(stage, [(seats, None) for seats in due_stages[stage.name]])

    def _is_ready(self, stage: StagePlan) -> bool:
        if stage.name in self.settled_stages or stage.name in self.skipped_stages:
            return False
        settled_labels = {match.label for matches in self.settled_stages.values() for match in matches}
        return all(
            isinstance(source, FromSeed) or source.label in settled_labels for source in chain(*stage.feeds)
        )

    def _seating(self, stage: StagePlan) -> Seating:
        """Return the players of each match of a stage, without players who left.

        Players who left are recorded in `exits`. If a match of two lacks a player for this reason, the
        vacancy rule (`Vacancy`) decides who gets a bye.
        """
        entries = [list(map(self.entry, sources)) for sources in stage.feeds]
        if stage.is_reseeded:
            order = sorted(chain(*entries), key=self.seed)
            fold_order = [order[seed - 1] for seed in fold(len(order))]
            entries = [fold_order[place : place + 2] for place in range(0, len(fold_order), 2)]
        present = [[player for player in match if player is not None] for match in entries]
        departed_players = [player for player in chain(*present) if self.has_left(player)]
        for player in departed_players:
            self.exits.setdefault(player, (stage.depth, self._last_place))
        seating = [[player for player in match if player not in departed_players] for match in present]
        if departed_players and self.options.vacancy is Vacancy.HIGHEST_SEED and not self.at_tables:
            seating = _highest_seeds_first(seating, self.seed)
        return [sorted(match, key=self.seed) for match in seating]

    @property
    def _last_place(self) -> float:
        """The place that is recorded in `exits` for players who left before the end of a match.

        At larger tables, it is after all other places. In matches of two it is 0, because places at the table
        do not count there: all losers of a stage share a place in the bracket.
        """
        return inf if self.at_tables else 0

    # -- a round

    def play(self, tables: Mapping[str, Table]) -> None:
        """Play one cut round: settle its matches with the results of their recorded tables.

        tables: label of the match → its table with the result

        Raises TourneyError as `bracket` does.
        """
        stages = [stage for stage in self.plan if stage.name in self.due_stages]
        labels = [label for stage in stages for label in stage.labels]
        for label, table in tables.items():
            if label not in labels:
                raise TourneyError(
                    f"cut round {self.round}: `{label}` is not a match of this round; "
                    f"its matches are {', '.join(labels)}"
                )
            if not 2 <= len(table.seats) <= self.options.seats:
                raise TourneyError(
                    f"cut round {self.round}: {label} has {len(table.seats)} seats; "
                    f"a match has {self.options.seats}"
                )
        for stage in stages:
            self._settle(stage, self._recorded_matches(stage, tables))
        self.round += 1
        self.due_stages = self._advance()

    def _recorded_matches(
        self, stage: StagePlan, tables: Mapping[str, Table]
    ) -> list[tuple[Sequence[PlayerId], Table | None]]:
        """Return, for each match of a stage, its players and its recorded table.

        The players at a recorded table may differ from those who were planned. The table is None if the match
        was not played.

        A planned player may be missing from the table of the match, and also from all other tables. Such
        a player is moved to a match of the stage that has no players, and advances from it without playing.

        Raises TourneyError for such a player if the stage has no empty match, or if the bracket has tables of
        three or more players. Also raises it for a match that must be played but has no table.
        """
        seated_players = {player for table in tables.values() for player in table.seats}
        matches: list[tuple[Sequence[PlayerId], Table | None]] = []
        unplaced_players: list[PlayerId] = []
        for label, players in zip(stage.labels, self.due_stages[stage.name], strict=True):
            tableless_players = [player for player in players if player not in seated_players]
            if label in tables:
                unplaced_players += tableless_players
                matches.append((tables[label].seats, tables[label]))
            elif stage.is_played(tableless_players):
                names_text = listed(map(self.name, tableless_players))
                raise TourneyError(
                    f"cut round {self.round}: {label} has no table, but {names_text} must play it"
                )
            else:
                matches.append((tableless_players, None))
        for number, (seats, _) in enumerate(matches):
            if unplaced_players and not seats and not self.at_tables:
                matches[number] = ([unplaced_players.pop(0)], None)
        if unplaced_players:
            raise TourneyError(
                f"cut round {self.round}: {self.name(unplaced_players[0])} has no table, "
                "and this round has no free bye"
            )
        return matches

    def _settle(
        self, stage: StagePlan, recorded_matches: Sequence[tuple[Sequence[PlayerId], Table | None]]
    ) -> None:
        """Settle a stage: decide who advances from each match.

        If a match has no table, all its players advance.

        recorded_matches: for each match, the players, and the table if it was played
        """
        losers_by_match: list[list[PlayerId]] = []
        matches = []
        for label, feeds, (seats, table) in zip(stage.labels, stage.feeds, recorded_matches, strict=True):
            through = tuple(seats) if table is None else self._advancing_players(stage, label, table)
            losers = [player for player in seats if player not in through]
            losers_by_match.append(losers)
            self.players_by_role |= {(label, place): player for place, player in enumerate(through, 1)}
            self.players_by_role[label, "winner"] = through[0] if through and stage.advance == 1 else None
            self.players_by_role[label, "loser"] = losers[0] if len(losers) == 1 else None
            for player in through:
                self.exits.pop(player, None)
            matches.append(self._match(stage, label, feeds, seats, table=table, through=through))
        self.settled_stages[stage.name] = tuple(matches)
        self._skip_reset(stage)
        roles = self._roles(stage)
        for match, losers in zip(matches, losers_by_match, strict=True):
            if "loser" not in roles or len(losers) > 1:
                places = dict(zip(match.seats, match.places, strict=False))
                worst = self._last_place
                self.exits |= {player: (stage.depth, places.get(player) or worst) for player in losers}
        winner = self.players_by_role[stage.labels[0], "winner"]
        if winner is None or roles - {"loser"}:
            return
        if stage.name == "Third place":
            self.exits[winner] = (stage.depth + 1, 0)
        else:
            self.champion = winner

    def _roles(self, stage: StagePlan) -> set[MatchRole]:
        """Return the roles (winner, loser, place) in which players of a stage go on to later stages."""
        later_sources = (
            source
            for other in self.plan
            if other.name not in self.skipped_stages
            for source in chain(*other.feeds)
        )
        return {
            source.role
            for source in later_sources
            if not isinstance(source, FromSeed) and source.label in stage.labels
        }

    def _skip_reset(self, stage: StagePlan) -> None:
        """Skip the reset (the second final) if the winner of the final came from the upper bracket."""
        reset = self.plan[-1]
        if reset.is_reset and stage is self.plan[-2]:
            winner = self.players_by_role[stage.labels[0], "winner"]
            if winner is None or winner == self.entry(stage.feeds[0][0]):
                self.skipped_stages.add(reset.name)

    # -- the players who advance from a match

    def _advancing_players(self, stage: StagePlan, label: str, table: Table) -> tuple[PlayerId, ...]:
        """Return the players who advance, in order; none if all players lost.

        Raises TourneyError if the result does not decide this.
        """
        match_text = f"cut round {self.round}: {label} (table {table.number})"
        if table.result is None:
            raise TourneyError(f"{match_text} has no result yet")
        seats = table.result.seats
        if not self.at_tables:
            winners = tuple(seat.player for seat in seats if seat.outcome.won)
            if len(winners) == 1 or (not winners and all(seat.outcome in _LOSING_OUTCOMES for seat in seats)):
                return winners
            raise TourneyError(
                f"{match_text} has no winner: a bracket has no draws",
                "change the result; the format's rule for ties decides the winner",
            )
        ranking = sorted(
            (seat for seat in seats if seat.outcome not in _ABSENT_OUTCOMES), key=lambda seat: seat.place
        )
        for better, worse in pairwise(ranking[: stage.advance + 1]):
            if better.place == worse.place:
                raise TourneyError(
                    f"{match_text} does not decide who {'has won' if stage.advance == 1 else 'advances'}: "
                    f"{self.name(better.player)} and {self.name(worse.player)} share a place",
                    "change the result so that the two have different places",
                )
        return tuple(seat.player for seat in ranking[: stage.advance])

    # -- the answer

    def _match(
        self,
        stage: StagePlan,
        label: str,
        feeds: Sequence[Source],
        seats: Sequence[PlayerId],
        *,
        table: Table | None = None,
        through: tuple[PlayerId, ...] | None = None,
    ) -> BracketMatch:
        """Return a match whose players are known.

        A source is the seed or the earlier match that a player comes from. A player who is in the match
        because of reseeding, a vacancy or the organizer's change has no source (None).

        feeds:   the sources of the match's players in the plan of the bracket
        through: the players who advance; None if the match is open
        """
        is_done = through is not None
        sources = {} if stage.is_reseeded else {self.entry(feed): feed for feed in feeds}
        order = sorted(seats, key=self.seed)
        empty_seats = [None] * (self.options.seats - len(order))
        result = table.result.seats if table and table.result and self.at_tables else ()
        places = {seat.player: seat.place for seat in result}
        is_shown = not self.at_tables or table is not None or stage is self.plan[-1]
        return BracketMatch(
            label=label,
            seats=(*order, *empty_seats),
            sources=(*map(sources.get, order), *empty_seats),
            round=self.round if table or (not is_done and stage.is_played(seats)) else None,
            winner=through[0] if through and is_shown else None,
            is_done=is_done,
            through=through if through and self.at_tables else (),
            places=(*map(places.get, order), *empty_seats) if places else (),
            away=tuple(seat.player for seat in result if seat.outcome is Outcome.FORFEIT_LOSS),
        )

    def current_bracket(self, first_table: int) -> Bracket:
        """Return the present state of the bracket, with the tables of its next round.

        first_table: the number of the first table
        """
        matches = [
            (label, seats)
            for stage in self.plan
            for label, seats in zip(stage.labels, self.due_stages.get(stage.name, ()), strict=False)
            if stage.is_played(seats)
        ]
        seated_players = {player for _, seats in matches for player in seats}
        present_players = {
            player for seating in self.due_stages.values() for seats in seating for player in seats
        }
        all_players = dict.fromkeys((*self.players, *present_players))
        tableless_players = [
            player
            for player in all_players
            if matches and player not in seated_players and self._is_in(player)
        ]
        return Bracket(
            round=self.round,
            tables=tuple(
                Table(first_table + place, tuple(seats)) for place, (_, seats) in enumerate(matches)
            ),
            labels=tuple(label for label, _ in matches),
            byes=tuple(tableless_players),
            waiting=tuple(player for player in tableless_players if player not in present_players),
            stages=tuple(self._stages()),
            champion=self.champion,
            is_finished=not matches,
            places=self._places(all_players),
            seats=self.options.seats,
        )

    def _is_in(self, player: PlayerId) -> bool:
        """Return whether the player is not out, did not leave, and is not the champion.

        A loser of a semifinal who still has to play for third place is in.
        """
        return player not in self.exits and player != self.champion and not self.has_left(player)

    def _stages(self) -> Iterator[Stage]:
        """Yield every stage in order of play, without the final reset if it is not needed."""
        for stage in self.plan:
            if stage.name in self.skipped_stages:
                continue
            matches = self.settled_stages.get(stage.name)
            if matches is None and stage.name in self.due_stages:
                due_matches = zip(stage.labels, stage.feeds, self.due_stages[stage.name], strict=True)
                matches = tuple(self._match(stage, *match) for match in due_matches)
            yield Stage(name=stage.name, matches=matches or tuple(self._open(stage)))

    def _open(self, stage: StagePlan) -> Iterator[BracketMatch]:
        """Yield the matches of a stage whose players are not known yet, with their sources."""
        for label, feeds in zip(stage.labels, stage.feeds, strict=True):
            sources = [
                None
                if stage.is_reseeded or (isinstance(feed, FromSeed) and self.entry(feed) is None)
                else feed
                for feed in feeds
            ]
            yield BracketMatch(label=label, seats=(None,) * self.options.seats, sources=tuple(sources))

    def _places(self, all_players: Iterable[PlayerId]) -> tuple[BracketPlace, ...]:
        """Return the places of the champion and of all players who are out, best first.

        Players who are still in get no place yet, but better places are kept for them. Players who came
        equally far share places, in order of seed.
        """
        progress = {player: (-depth, place) for player, (depth, place) in self.exits.items()}
        if self.champion is not None:
            progress[self.champion] = (-max(stage.depth for stage in self.plan) - 1, 0)
        return places_of(progress, len(set(all_players) - progress.keys()), self.seed)


_LOSING_OUTCOMES = frozenset(outcome for outcome in Outcome if outcome.lost or outcome is Outcome.ABSENT)
"""The outcomes that put a player out in a match of two. A draw is not one of them."""

_ABSENT_OUTCOMES = _LOSING_OUTCOMES - {Outcome.LOSS}
"""The outcomes that prevent a player from advancing from a table of three or more.

The player's place at the table does not change this.
"""


# -- the vacancy rule `highest-seed`: the byes and the matches of a stage that a player left


def _highest_seeds_first(matches: Seating, seed: Callable[[PlayerId], int]) -> Seating:
    """Give byes to the highest seeds of a stage, and pair the players left without opponents.

    seed: returns the seed of a player; 1 is the highest

    There are as many byes as empty seats; if there are fewer players than matches, all players get a bye.
    Each bye takes up one match (`_resting`), which is then not played. Other players of that match are moved
    to other matches. The players of all other matches stay where they are.

    Then each match with one player gets an opponent. The match of the highest seed gets the lowest seed of
    the moved players without a bye, the match of the second highest seed gets the second lowest, and so on. A
    match without players gets the highest and the lowest of the remaining seeds.
    """
    players = sorted(chain(*matches), key=seed)
    byes = len(players) if len(players) <= len(matches) else 2 * len(matches) - len(players)
    match_of = {player: match for match, seats in enumerate(matches) for player in seats}
    resting = _resting(players[:byes], match_of, matches)
    seating: dict[int, list[PlayerId]] = {match: [] for match in range(len(matches)) if match not in resting}
    spare_players: list[PlayerId] = []
    for player in players[byes:]:
        seating.get(match_of[player], spare_players).append(player)
    for seats in sorted(
        (seats for seats in seating.values() if len(seats) == 1), key=lambda seats: seed(seats[0])
    ):
        seats.append(spare_players.pop())
    for seats in seating.values():
        if not seats and spare_players:
            seats += [spare_players.pop(0), spare_players.pop()]
    return [seating[match] if match in seating else [resting[match]] for match in range(len(matches))]


def _resting(
    players: Sequence[PlayerId], match_of: Mapping[PlayerId, int], matches: Seating
) -> dict[int, PlayerId]:
    """Choose a match for each player with a bye: index of the match → the player.

    Such a match is not played. A player with a bye keeps their own match. But if both players of a match have
    a bye, the second one in `players` gets another match without a bye: the one with the fewest players.

    players:  the players who get a bye
    match_of: player → the index of the player's match
    """
    resting: dict[int, PlayerId] = {}
    unplaced_players: list[PlayerId] = []
    for player in players:
        if match_of[player] in resting:
            unplaced_players.append(player)
        else:
            resting[match_of[player]] = player
    for player in unplaced_players:
        free = (match for match in range(len(matches)) if match not in resting)
        resting[min(free, key=lambda match: len(matches[match]))] = player
    return resting


# -- the sides of a match of two


SidesOf = Callable[[PlayerId], Sequence[int]]
"""A function that returns a player's sides so far, in round order.

1 is the first side, -1 the second.
"""

Rule = Literal["balance", "turns", "seed"]


def first_side(higher: PlayerId, lower: PlayerId, sides_of: SidesOf) -> tuple[PlayerId, Rule]:
    """Return the player who has the first side in a match of two, and the rule that decides.

    The rule is that of Swiss rounds (level 6). First, the sides of both players over the event become as even
    as possible (`balance`). Then, as few of the two players as possible have the same side twice in a row
    (`turns`). If both seatings are equally good, the higher seed has the first side (`seed`).

    higher, lower: the players with the higher and the lower seed
    """
    one, other = sides_of(higher), sides_of(lower)
    usual, reverse = imbalance_of_sides(one, other), imbalance_of_sides(other, one)
    if usual == reverse:
        return higher, "seed"
    return higher if usual < reverse else lower, "balance" if usual[0] != reverse[0] else "turns"


def seat_by_sides(tables: Sequence[Table], sides_of: SidesOf) -> tuple[Table, ...]:
    """Return tables of a bracket, with the player of the game's first side in seat 1.

    tables: the tables of the bracket, with the higher seed in seat 1
    """
    seated_tables = []
    for table in tables:
        higher, lower = table.seats
        first, _ = first_side(higher, lower, sides_of)
        seated_tables.append(table if first == higher else structs.replace(table, seats=(lower, higher)))
    return tuple(seated_tables)


# -- check the tables of a cut round against the bracket


def check(
    now: Bracket, tables: Mapping[str, Sequence[PlayerId]], *, name: NameOf = number_of
) -> list[Finding]:
    """Return where the organizer's tables for the next cut round differ from the bracket.

    Errors come first: `match` (a label that is not in this round), `table-size`, `seated-twice`,
    `not-in-round` (a player who is out, has left or is not in the bracket), `not-seated` (a player who has
    neither a table nor a bye). Advice: `bracket` (other opponents).
    """
    expected_seats = {label: table.seats for label, table in zip(now.labels, now.tables, strict=True)}
    findings = [
        *_check_matches(now.seats, expected_seats, tables, name),
        *_check_players(now, expected_seats, tables, name),
        *_check_opponents(expected_seats, tables, name),
    ]
    return sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR)


Seats = Mapping[str, Sequence[PlayerId]]
"""The players at each match, by label."""


def _check_matches(full: int, expected_seats: Seats, tables: Seats, name: NameOf) -> Iterator[Finding]:
    for label, seats in tables.items():
        if label not in expected_seats:
            message = f"`{label}` is not a match of this round; its matches are {', '.join(expected_seats)}"
            yield _finding("match", message, [label])
        size = len(expected_seats.get(label, range(full)))
        if len(seats) != size:
            usual = "a match has two" if full == 2 else f"{size} players should play there"
            yield _finding("table-size", f"{label} has {len(seats)} seats; {usual}", list(map(name, seats)))


def _check_players(now: Bracket, expected_seats: Seats, tables: Seats, name: NameOf) -> Iterator[Finding]:
    expected_players = {player for seats in expected_seats.values() for player in seats}
    places: dict[PlayerId, list[str]] = {}
    for label, seats in tables.items():
        for player in seats:
            places.setdefault(player, []).append(label)
    for player, labels in places.items():
        if player not in expected_players and player not in now.byes:
            message = f"{name(player)} is not in this round of the bracket, but sits at {labels[0]}"
            yield _finding("not-in-round", message, [name(player)])
        if len(labels) > 1:
            message = f"{name(player)} is seated {len(labels)} times: {' and '.join(labels)}"
            yield _finding("seated-twice", message, [name(player)])
    passes = sum(player in places for player in now.byes)
    for player in sorted(expected_players - set(places))[passes:]:
        message = f"{name(player)} has no table, and this round has no free bye"
        yield _finding("not-seated", message, [name(player)])


def _check_opponents(expected_seats: Seats, tables: Seats, name: NameOf) -> Iterator[Finding]:
    for label, seats in tables.items():
        if label in expected_seats and set(seats) != set(expected_seats[label]):
            seats_text, expected_text = (
                " – ".join(map(name, players)) for players in (seats, expected_seats[label])
            )
            yield _finding(
                "bracket", f"{label}: {seats_text}; by the bracket {expected_text}", [label], Severity.ADVICE
            )


def _finding(
    rule: str, message: str, subjects: Sequence[str], severity: Severity = Severity.ERROR
) -> Finding:
    return Finding(rule=rule, severity=severity, message=message, subjects=tuple(subjects))
