"""`Results`, the content of a file of results with numbered players.

`results_of` makes them from the `ResultsSheet` that a form's reader returns: it numbers the players, and
checks everything that does not depend on the file's form. Errors name the file and the line or key path.
Contradictions that can be correct, such as a final with more games than other matches, become remarks.
`first_difference` compares the file's own standings with ours.
"""

from __future__ import annotations

import datetime
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from msgspec import Struct, field

from tourney.cards.names import FoldedName, fold
from tourney.decode import MAX_LISTED_PLAYERS
from tourney.errors import TourneyError
from tourney.record import (
    Outcome,
    PlayerId,
    Record,
    Result,
    Seat,
    Table,
    format_points,
    games_needed,
    parse_number,
)
from tourney.standings.reading.sheet import (
    LONE_KINDS,
    PAIR_KINDS,
    UNREPORTED,
    WINNER_GAMES,
    BracketLines,
    MatchLine,
    Name,
    ResultsSheet,
    SourceFile,
    StandingClaim,
)
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.standings.profile import Profile
    from tourney.standings.ranking import Row, Standings


class Playoff(Struct, frozen=True, kw_only=True):
    """The bracket after the Swiss rounds.

    seeds:  the players in seed order; empty if the file does not give the seeds
    rounds: the tables of each round
    """

    seeds: tuple[PlayerId, ...]
    rounds: tuple[tuple[Table, ...], ...] = ()
    double: bool = False
    third_place: bool = False

    @property
    def players(self) -> frozenset[PlayerId]:
        """The players whom the bracket's seeds or rounds name."""
        return frozenset(self.seeds).union(*(table.seats for tables in self.rounds for table in tables))


class Results(Struct, frozen=True, kw_only=True):
    """The content of a file of results.

    names:            player → the player's name in the file
    day:              the event's day, which selects the edition of a profile; None if the file does not give
                      it
    own_floor:        whether the source applied the floor to a player's own game-win %; it also selects the
                      edition
    divisions:        division → its players, who are ranked separately (opponents from all divisions count)
    match:            the maximum number of games in a match, and whether matches can be drawn; each None if
                      the file does not state it
    scoring:          outcome → the half points that the file gives for it
    unread_keys:      unknown keys of the file
    remarks:          contradictions that were accepted, each with its place in the file
    form:             the name of the file's format, such as `cobra`
    title:            the event's name
    profile:          the name of the profile by which the file's program ranks
    order:            the tie-breaks that the file names
    sides:            the names of the sides, in the order of the seats; empty if seats do not determine sides
    claims:           the file's own standings: player → place, points and tie-breaks
    facts:            player → further facts by kind: `federation`, `division`, `id` …
    requests:         player → byes and absences that were requested for rounds that are not paired yet
    forbidden_groups: groups of players who must not be paired
    playoff:          the bracket after the Swiss rounds; None if there was none
    left_out:         facts in the file that an event cannot contain
    presumed_drops:   players who count as dropped only because they are missing from the last rounds
    by_score:         whether the points are the scores of matches
    assumed_scores:   the pairs of numbers that were read as scores only because the profile counts scores
    """

    record: Record
    names: Mapping[PlayerId, Name]
    day: datetime.date | None = None
    own_floor: bool | None = None
    divisions: Mapping[str, tuple[PlayerId, ...]] = field(default_factory=dict)
    match: tuple[int | None, bool | None] = (None, None)
    scoring: Mapping[Outcome, int] = field(default_factory=dict)
    unread_keys: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    form: str = ""
    title: str = ""
    profile: str = ""
    order: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    claims: Mapping[PlayerId, StandingClaim] = field(default_factory=dict)
    facts: Mapping[PlayerId, Mapping[str, str]] = field(default_factory=dict)
    requests: Mapping[PlayerId, Mapping[int, Outcome]] = field(default_factory=dict)
    forbidden_groups: tuple[tuple[PlayerId, ...], ...] = ()
    playoff: Playoff | None = None
    left_out: tuple[str, ...] = ()
    presumed_drops: frozenset[PlayerId] = frozenset()
    by_score: bool = False
    assumed_scores: frozenset[tuple[int, int]] = frozenset()

    def games_for_scores(self, profile: Profile) -> str:
        """Return a question to the user if numbers that were read as scores look like games won.

        They look like games won if all numbers are from 0 to 3, as in a best of five, and if the two numbers
        of a match cannot result from the profile's points for each game. Otherwise, return an empty text.
        """
        if any(not 0 <= number <= _MAX_GAMES_WON for pair in self.assumed_scores for number in pair):
            return ""
        impossible = [
            f"{high}–{low}"
            for high, low in sorted(self.assumed_scores, reverse=True)
            if high > low and not profile.games_come_to(high, low)
        ]
        if not impossible:
            return ""
        examples = listed(impossible[:_MAX_EXAMPLES], "or")
        return (
            f"under the profile {profile.name}, the two numbers of a match are points"
            f" ({format_points(profile.points_per_game_win)} for each game won),"
            f" so {examples} is not possible: do the numbers count games won?"
        )

    def scoring_difference(self, profile: Profile) -> str:
        """Return a text on how the file's scoring differs from the profile's; empty if it does not."""
        differences = [
            f"{outcome.value.replace('-', ' ')} {format_points(points)}"
            f" instead of {format_points(profile.outcomes[outcome].points)}"
            for outcome, points in self.scoring.items()
            if profile.outcomes[outcome].points != points
        ]
        if not differences:
            return ""
        return f"the file's scoring differs from that of {profile.name}: {', '.join(differences)}"

    def edition(self, profile: Profile, day: datetime.date | None = None) -> Profile:
        """Return the edition of `profile` in force on `day`; without `day`, on the date in the file.

        If the file has no date either, return the newest edition.

        There is one exception. The file can say whether its program applied the floor to a player's own
        game-win %. If this edition treats the floor differently, return the latest edition up to that day
        that agrees with the file. If there is none, return the earliest edition that agrees. If no edition
        agrees, the exception does not apply.
        """
        day = day or self.day
        day_edition = profile.on(day)
        if self.own_floor is None or day_edition.game_win.own_floor == self.own_floor:
            return day_edition
        editions = [profile.on(edition.since) for edition in profile.editions]
        fitting = [edition for edition in editions if edition.game_win.own_floor == self.own_floor]
        in_force = [
            edition
            for edition in fitting
            if (edition.edition or datetime.date.min) <= (day or datetime.date.max)
        ]
        return [*fitting[:1], *in_force][-1] if fitting else day_edition


_MAX_GAMES_WON = 3
"""The maximum number of games that a player can win in a best of five."""

_MAX_EXAMPLES = 3

SAY_GAMES = (
    "if they are games won, add empty columns `score1` and `score2`;"
    ' in JSON, write the games as `"games": [2, 1, 0]`'
)
"""What the user can do about the question of `Results.games_for_scores`."""


# -- made from a sheet


_LOSSES = frozenset({Outcome.LOSS, Outcome.FORFEIT_LOSS})
_FREE_POINTS = frozenset({Outcome.BYE, Outcome.AWARDED_BYE})
_NO_POINTS = frozenset({Outcome.ABSENT, Outcome.FORFEIT_LOSS})

_MAX_TABLE = 999_999
_MAX_ROUND_DIGITS = 4
_MAX_EXTRA_POINTS = 2 * 999
"""The maximum half points that a player can get in addition to a result."""
_MAX_BEST_OF = 99
_MAX_PLACES = 3
"""The maximum number of lines that a remark lists; further lines are only counted."""


def results_of(sheet: ResultsSheet, file: SourceFile) -> Results:
    """Check the content of a file of results, number its players, and return it as `Results`.

    Raises TourneyError if the content contradicts itself, such as for a player who dropped but still plays.
    """
    return _Draft(sheet, file).results()


class _Draft:
    """Numbers the players of a `ResultsSheet`, and checks its rounds one after the other."""

    def __init__(self, sheet: ResultsSheet, file: SourceFile) -> None:
        self.sheet = sheet
        self.keys = sheet.keys
        self.file = file
        self.is_closed = sheet.players is not None
        self.ids: dict[Name, PlayerId] = {}
        self.remarks: list[str] = [*sheet.remarks]
        self._tables: list[list[Table]] = []
        self._byes: list[dict[PlayerId, Outcome]] = []
        self._absences: list[set[PlayerId]] = []
        self._places: list[dict[PlayerId, str]] = []
        """For each round, player → the place of the player's line in the file."""
        self._numbers: set[int] = set()
        self._next_number = 1
        self._doubts: dict[str, list[str]] = {}
        self._bare_scores: set[tuple[int, int]] = set()
        self._spellings: dict[str, tuple[Name, str]] = {}
        self._folded: dict[FoldedName, tuple[Name, str]] = {}
        for name in sheet.players or ():
            if name in self.ids:
                raise self._error("players", f"{_name_text(name)} appears twice")
            self._register(name, "players")
        for lines in sheet.rounds:
            self._add_round(lines)

    def results(self) -> Results:
        """Check the sheet's facts about the event, and return them with its rounds as `Results`."""
        sheet, keys = self.sheet, self.keys
        absences = self._all_absences()
        disqualifications = self._read_disqualifications()
        last_rounds = keys.drops if keys.drops is not None else keys.drops_after_round
        drops = (
            {
                player: last
                for player, last in self._presume_drops(absences).items()
                if player not in disqualifications
            }
            if last_rounds is None
            else self._by_round(last_rounds, "drops")
        )
        self._refuse_return("drops", "left", drops)
        self._refuse_return("disqualified", "was disqualified", disqualifications)
        playoff, unclear = self._playoff(sheet.bracket)
        names = sheet.players if isinstance(sheet.players, Mapping) else {}
        return Results(
            record=Record(
                players=tuple(self.ids.values()),
                rounds=tuple(map(tuple, self._tables)),
                byes=tuple(self._byes),
                absences=tuple(map(frozenset, absences)),
                drops=drops,
                disqualified=disqualifications,
                ratings={self._id_of(name, "ratings"): rating for name, rating in keys.ratings.items()},
                weights=self._weights(),
                extra_points=self._extra_points(),
                # An event whose bracket was left out does not count as finished.
                planned_rounds=None if unclear else keys.planned_rounds,
                round_robin=self._is_round_robin() if keys.round_robin is None else keys.round_robin,
            ),
            names={player: names.get(name, name) for name, player in self.ids.items()},
            title=keys.name,
            day=keys.date,
            own_floor=keys.own_gw_floor,
            divisions={
                division: tuple(self._id_of(name, f"divisions.{division}") for name in members)
                for division, members in keys.divisions.items()
            },
            match=(self._best_of(), keys.draws),
            claims={self._id_of(name, "standings"): claim for name, claim in sheet.claims.items()},
            facts={self._id_of(name, f"facts.{name}"): facts for name, facts in sheet.facts.items()},
            playoff=playoff,
            scoring=sheet.scoring,
            profile=sheet.profile,
            unread_keys=sheet.unread_keys,
            left_out=(*sheet.left_out, *([unclear] if unclear else [])),
            remarks=(*self.remarks, *self._doubt_remarks()),
            presumed_drops=frozenset(drops) if last_rounds is None else frozenset(),
            assumed_scores=frozenset(self._bare_scores),
        )

    def _error(self, place: str, message: str, hint: str | None = None) -> TourneyError:
        """Return an error that names the file and a place: a line, or a key such as `drops.Mira`."""
        line = self.sheet.lines.get(place.partition(".")[0].partition("[")[0])
        return self.file.error(f"{line}: {place}" if line else place, message, hint)

    # -- players

    def _id_of(self, name: Name, place: str) -> PlayerId:
        """Return the player with this name.

        In files that refer to players by number, `name` is the player's number in the file. It can be text,
        because keys of JSON objects are always text.

        Raises a TourneyError that names `place` if the name is unknown.
        """
        if name not in self.ids and isinstance(name, str) and name.isascii() and name.isdigit():
            name = int(name) if len(name) < 10 and int(name) in self.ids else name
        if name not in self.ids:
            raise self._error(place, f"there is no {_player_text(name)}")
        return self.ids[name]

    def _register(self, name: Name, place: str) -> PlayerId:
        """Give a new player the next number, and return it.

        Raises TourneyError for too many players. If a name differs from another only in capitals, spaces or
        width, the result depends on whether the file lists its players. If it does, the two names are taken
        as two players, and a remark says so; otherwise, TourneyError is raised. Names that
        differ only in accents or quotes (`Zoe`, `Zoë`) are taken as two players in any file, with a remark.
        """
        if len(self.ids) >= MAX_LISTED_PLAYERS:
            raise self._error(place, f"a file has at most {MAX_LISTED_PLAYERS:,} players")
        folded_name = fold(str(name))
        spelling = " ".join(unicodedata.normalize("NFKC", str(name)).casefold().split())
        if spelling in self._spellings:
            other, other_place = self._spellings[spelling]
            names_text = f"{_name_text(name)} and {_name_text(other)}"
            if not self.is_closed:
                raise self._error(
                    place,
                    f"{names_text} ({other_place}) differ only in capitals, spaces or width",
                    "spell each player's name in one way; if these are two players, list both in "
                    "`registration_order`",
                )
            self.remarks.append(
                f"{place}: {names_text} differ only in capitals, spaces or width,"
                " so they were read as two players"
            )
        elif folded_name in self._folded:
            other, other_place = self._folded[folded_name]
            source = f" ({other_place})" if other_place != place else ""
            names_text = f"{_name_text(name)} and {_name_text(other)}{source}"
            self.remarks.append(
                f"{place}: {names_text} differ only in accents or quotes, so they were read as two players"
            )
        self._spellings.setdefault(spelling, (name, place))
        self._folded.setdefault(folded_name, (name, place))
        return self.ids.setdefault(name, PlayerId(len(self.ids) + 1))

    def _seat_players(self, line: MatchLine) -> tuple[PlayerId, ...]:
        """Return the ids of the players in a `MatchLine`, and record that they are in this round."""
        seats = []
        for name in line.names:
            if self.is_closed and name not in self.ids:
                players = counted(len(self.ids), "player")
                raise self._error(
                    line.place,
                    f"there is no {_player_text(name)}",
                    f"the file has a list of {players}; add the player to it, or correct the name",
                )
            player = self.ids[name] if name in self.ids else self._register(name, line.place)
            places = self._places[-1]
            if player in places:
                message = f"{_name_text(name)} is in round {len(self._tables)} twice (also {places[player]})"
                raise self._error(line.place, message)
            places[player] = line.place
            seats.append(player)
        return tuple(seats)

    # -- lines

    def _add_round(self, lines: Collection[MatchLine]) -> None:
        self._tables.append([])
        self._byes.append({})
        self._absences.append(set())
        self._places.append({})
        self._numbers.clear()
        self._next_number = 1
        for line in lines:
            if line.places:
                self._add_places(line)
            elif len(line.names) == 1:
                self._add_lone(line)
            elif len(line.names) == 2:
                self._add_pair(line)
            else:
                self._add_table(line.table, self._seat_players(line), None)

    def _add_table(self, number: int | None, seats: tuple[PlayerId, ...], result: Result | None) -> None:
        """Add a table to the last round.

        The table gets its number in the file, or the next number if the file's number is missing, invalid or
        already taken.
        """
        if number is None or not 0 < number <= _MAX_TABLE or number in self._numbers:
            number = self._next_number
        self._tables[-1].append(Table(number, seats, result))
        self._numbers.add(number)
        self._next_number = max(self._next_number, number + 1)

    def _add_lone(self, line: MatchLine) -> None:
        (player,) = self._seat_players(line)
        outcome = self._lone_outcome(line)
        score = line.scores[0] if line.scores else None
        if outcome is Outcome.ABSENT:
            self._absences[-1].add(player)
        elif outcome is Outcome.FORFEIT_LOSS or score is not None:
            self._add_table(None, (player,), Result((Seat(player, outcome, score=score),)))
        else:
            self._byes[-1][player] = outcome

    def _lone_outcome(self, line: MatchLine) -> Outcome:
        if line.kind:
            if line.kind not in LONE_KINDS:
                message = f"`{line.kind}` is not a kind of round without an opponent"
                raise self._error(line.place, message, ", ".join(LONE_KINDS))
            outcome = LONE_KINDS[line.kind]
            self._check_games(line, outcome in _FREE_POINTS, outcome in _NO_POINTS)
            return outcome
        wins, losses, draws = line.games or (0, 0, 0)
        if wins < losses:
            return Outcome.FORFEIT_LOSS
        return Outcome.HALF_BYE if wins == losses and wins + draws > 0 else Outcome.BYE

    def _add_pair(self, line: MatchLine) -> None:
        if line.names[0] == line.names[1]:
            raise self._error(line.place, f"{_name_text(line.names[0])} plays against themselves")
        players = self._seat_players(line)
        outcomes = self._pair_outcomes(line)
        if outcomes is None:
            self._add_table(line.table, players, None)
            return
        self._note_doubts(line, outcomes)
        if line.bare and line.games is not None:
            self._bare_scores.add((max(line.games[:2]), min(line.games[:2])))
        self._add_table(line.table, players, _pair_result(line, players, outcomes))

    def _pair_outcomes(self, line: MatchLine) -> tuple[Outcome, Outcome] | None:
        """Return the outcomes of both players; None for a match without a result."""
        if line.kind == UNREPORTED:
            if line.games is not None and any(line.games):
                raise self._error(line.place, f"`{line.kind}`, but the match has games: {line.games_text}")
            return None
        if line.kind:
            if line.kind not in PAIR_KINDS:
                kinds = ", ".join([*PAIR_KINDS, UNREPORTED])
                raise self._error(
                    line.place, f"`{line.kind}` is not the result of a match", f"the results are {kinds}"
                )
            outcomes = PAIR_KINDS[line.kind]
            if line.kind != "double-loss":
                self._check_games(line, outcomes[0].won, outcomes[1].won)
            return outcomes
        first, second = line.games[:2] if line.games is not None else line.scores or (None, None)
        if first is None or second is None:
            return None
        return PAIR_KINDS["draw" if first == second else "p1" if first > second else "p2"]

    def _check_games(self, line: MatchLine, first_wins: bool, second_wins: bool) -> None:
        """Raise TourneyError if a line's games contradict its result, such as 2–0 in a draw.

        first_wins:  whether the stated result allows the first number of games to be greater
        second_wins: whether it allows the second number to be greater
        """
        wins, losses, _ = line.games or (0, 0, 0)
        if (
            (wins > losses and not first_wins)
            or (wins < losses and not second_wins)
            or (wins == losses > 0 and (first_wins or second_wins))
        ):
            message = f"`{line.kind}` and the games {line.games_text} contradict each other"
            raise self._error(line.place, message)

    def _add_places(self, line: MatchLine) -> None:
        players = self._seat_players(line)
        best = min(line.places)
        first = Outcome.DRAW if line.places.count(best) > 1 else Outcome.WIN
        outcomes = tuple(first if place == best else Outcome.LOSS for place in line.places)
        self._note_doubts(line, outcomes)
        scores = line.scores or (None,) * len(players)
        seats = tuple(
            Seat(player, outcome, place, WINNER_GAMES if outcome is Outcome.WIN else 0, score)
            for player, outcome, place, score in zip(players, outcomes, line.places, scores, strict=True)
        )
        self._add_table(line.table, players, Result(seats))

    # -- contradictions that may be right (a longer final, a cut)

    def _note_doubts(self, line: MatchLine, outcomes: Sequence[Outcome]) -> None:
        """Note apparent contradictions in a line, so that they become remarks instead of errors.

        For example, a match has more games than `best_of` allows.
        """
        wins, losses, _ = line.games or (0, 0, 0)
        limit = self.keys.best_of
        are_games = line.scores != (wins, losses)
        doubts = {
            f"more games than a match has: `best_of` is {limit}": (
                limit and are_games and (max(wins, losses) > games_needed(limit) or wins + losses > limit)
            ),
            "the match is drawn, but `draws` says that matches cannot be drawn": (
                self.keys.draws is False and Outcome.DRAW in outcomes
            ),
            "a double loss, but one player has won more games": line.kind == "double-loss" and wins != losses,
        }
        place = f"{line.place} ({line.games_text})" if line.games else line.place
        for doubt, applies in doubts.items():
            if applies:
                self._doubts.setdefault(doubt, []).append(place)

    def _doubt_remarks(self) -> Iterator[str]:
        for doubt, places in self._doubts.items():
            rest = len(places) - _MAX_PLACES
            more = f" and {rest} more" if rest > 0 else ""
            yield f"{', '.join(places[:_MAX_PLACES])}{more}: {doubt}"
        planned_rounds = self.keys.planned_rounds
        if planned_rounds is not None and planned_rounds < len(self._tables):
            yield f"`planned_rounds` is {planned_rounds}, but the file has {len(self._tables)} rounds"

    # -- the keys

    def _all_absences(self) -> list[set[PlayerId]]:
        """Return the players who were absent from each round.

        Absences are stated in the lines of the round, or in the file's key `absent`.
        """
        absences = [set(players) for players in self._absences]
        for name, rounds in self.keys.absent.items():
            place = f"absent.{name}"
            player = self._id_of(name, place)
            for number in rounds:
                places = self._places[self._round(number, place, least=1) - 1]
                if player in places and player not in self._absences[number - 1]:
                    raise self._error(place, f"{_name_text(name)} is in round {number} ({places[player]})")
                absences[number - 1].add(player)
        return absences

    def _presume_drops(self, absences: Sequence[Collection[PlayerId]]) -> dict[PlayerId, int]:
        """Return player → last round played, for the players missing from the latest rounds."""
        last: dict[PlayerId, int] = dict.fromkeys(self.ids.values(), 0)
        for number, (players, absent) in enumerate(zip(self._places, absences, strict=True), 1):
            last.update(dict.fromkeys([*players, *absent], number))
        return {player: number for player, number in last.items() if number < len(self._tables)}

    def _is_round_robin(self) -> bool:
        """Return whether all pairs of players met equally often and no player had a bye."""
        if len(self.ids) < 3 or any(self._byes):
            return False
        meetings = Counter(
            frozenset(pair)
            for tables in self._tables
            for table in tables
            for pair in combinations(table.seats, 2)
        )
        pairs = len(self.ids) * (len(self.ids) - 1) // 2
        return len(meetings) == pairs and len(set(meetings.values())) == 1

    def _read_disqualifications(self) -> dict[PlayerId, int]:
        players = self.keys.disqualified
        if isinstance(players, dict):
            return self._by_round(players, "disqualified")
        return {self._id_of(name, "disqualified"): len(self._tables) for name in players}

    def _by_round(self, rounds: Mapping[str, int], place: str) -> dict[PlayerId, int]:
        return {
            self._id_of(name, place): self._round(number, f"{place}.{name}")
            for name, number in rounds.items()
        }

    def _round(self, number: int, place: str, *, least: int = 0) -> int:
        if not least <= number <= len(self._tables):
            raise self._error(place, f"there is no round {number}")
        return number

    def _refuse_return(self, key: str, verb: str, last_rounds: Mapping[PlayerId, int]) -> None:
        names = {player: name for name, player in self.ids.items()}
        for player, last in last_rounds.items():
            for number, places in enumerate(self._places[last:], last + 1):
                if player in places:
                    period = f"after round {last}" if last else "before round 1"
                    name, clash = names[player], f"is in round {number} ({places[player]})"
                    raise self._error(f"{key}.{name}", f"{_name_text(name)} {verb} {period}, but {clash}")

    def _weights(self) -> tuple[Fraction, ...]:
        weights = []
        for at, value in enumerate(self.keys.round_weights or self.keys.weights):
            place = f"round_weights[{at}]"
            weights.append(self._number(str(value), place))
            if weights[-1] <= 0:
                raise self._error(place, f"{value} is not above 0")
        return tuple(weights)

    def _extra_points(self) -> tuple[Mapping[PlayerId, int], ...]:
        rounds: list[dict[PlayerId, int]] = [{} for _ in self._tables]
        for name, points_by_round in self.keys.extra_points.items():
            player = self._id_of(name, f"extra_points.{name}")
            for number, points in points_by_round.items():
                place = f"extra_points.{name}.{number}"
                if not (number.isascii() and number.isdigit() and len(number) <= _MAX_ROUND_DIGITS):
                    raise self._error(place, f"`{number[:20]}` is not a round")
                half_points = 2 * self._number(str(points), place)
                if half_points.denominator != 1 or abs(half_points) > _MAX_EXTRA_POINTS:
                    raise self._error(place, f"{points} is not a number of points that can be given")
                if half_points:
                    rounds[self._round(int(number), place, least=1) - 1][player] = int(half_points)
        return tuple(rounds) if any(rounds) else ()

    def _number(self, text: str, place: str) -> Fraction:
        try:
            return parse_number(text)
        except TourneyError as error:
            raise self._error(place, error.message) from None

    def _best_of(self) -> int | None:
        best_of = self.keys.best_of
        if best_of is not None and not 1 <= best_of <= _MAX_BEST_OF:
            raise self._error("best_of", f"{best_of} is not a number of games (1 to {_MAX_BEST_OF})")
        return best_of

    # -- the bracket

    def _playoff(self, bracket: BracketLines) -> tuple[Playoff | None, str]:
        """Return the bracket and an empty text, or None and the reason why it is left out.

        For a file without a bracket, return None and an empty text.
        """
        if not bracket.rounds and not bracket.seeds:
            return None, ""
        seeds = [self._id_of(name, f"{bracket.place}[{at}]") for at, name in enumerate(bracket.seeds)]
        rounds, unclear = [], ""
        for lines in bracket.rounds:
            tables: list[Table] = []
            for line in lines:
                if not bracket.is_strict and len(line.names) == 1 and line.names[0] in self.ids:
                    continue  # the player waits for the next round
                table = self._bracket_table(line, len(tables) + 1, is_strict=bracket.is_strict)
                if table is not None:
                    tables.append(table)
                elif not unclear:
                    unclear = f"{line.place} does not have two of the event's players and a winner"
            if not tables and not bracket.is_strict:
                unclear = unclear or "a round has no matches"
            rounds.append(tuple(tables))
        if unclear:
            return None, f"its bracket ({counted(len(rounds), 'round')}): {unclear}"
        return Playoff(
            seeds=tuple(seeds), rounds=tuple(rounds), double=bracket.double, third_place=bracket.third_place
        ), ""

    def _bracket_table(self, line: MatchLine, number: int, *, is_strict: bool) -> Table | None:
        """Return the table of a match in the bracket.

        If a player is unknown or the result is unclear, raise TourneyError if `is_strict`, else return None.
        """
        players = tuple(self.ids[name] for name in line.names if name in self.ids)
        wins, losses, _ = line.games or (0, 0, 0)
        kind = line.kind or ("p1" if wins > losses else "p2" if wins < losses else "")
        if len(line.names) == len(players) == len(set(players)) == 2 and kind in ("p1", "p2", UNREPORTED):
            number = line.table if is_strict and line.table is not None else number
            if kind == UNREPORTED:
                return Table(number, players)
            scored_line = MatchLine(names=line.names, games=(wins, losses, 0) if line.games else None)
            return Table(number, players, _pair_result(scored_line, players, PAIR_KINDS[kind]))
        if not is_strict:
            return None
        for name in line.names:
            self._id_of(name, line.place)
        raise self._error(line.place, "a match of the bracket has two players, and a winner or no result yet")


def _pair_result(line: MatchLine, players: tuple[PlayerId, ...], outcomes: tuple[Outcome, Outcome]) -> Result:
    *games, draws = line.games or single_game(outcomes)
    has_winner = any(outcome.won for outcome in outcomes)
    seats = tuple(
        Seat(player, outcome, 2 if has_winner and outcome in _LOSSES else 1, wins, score)
        for player, outcome, wins, score in zip(
            players, outcomes, games, line.scores or (None, None), strict=True
        )
    )
    return Result(seats, draws)


def single_game(outcomes: tuple[Outcome, Outcome]) -> tuple[int, int, int]:
    """Return the two players' wins and the draws in a match of one game, such as (1, 0, 0)."""
    first, second = outcomes
    return int(first is Outcome.WIN), int(second is Outcome.WIN), int(first is Outcome.DRAW)


def _player_text(name: Name) -> str:
    return f"player {name}" if isinstance(name, int) else f"player `{name}`"


def _name_text(name: Name) -> str:
    return f"player {name}" if isinstance(name, int) else f"`{name}`"


# -- the file's own standings, compared with ours


def first_difference(results: Results, standings: Standings) -> str:
    """Return the first difference between the file's own standings and `standings`, as text.

    Empty if both agree. Players who share a rank in `standings` may have any order in the file. A tie-break
    is compared only to the number of decimals that the file gives.
    """
    claims = results.claims
    rows = {row.player: row for row in standings.rows}
    sharing = Counter(row.rank for row in standings.rows)
    for player in sorted(claims, key=lambda player: (claims[player].place or len(claims) + 1, player)):
        claim, row = claims[player], rows.get(player)
        if row is None or row.rank is None:
            difference = f"has place {claim.place} there and none here" if claim.place is not None else ""
        else:
            difference = _different_value(claim, row, standings.profile)
            if not difference and claim.place and not 0 <= claim.place - row.rank < sharing[row.rank]:
                our_names = [
                    results.names[other.player] for other in standings.rows if other.rank == claim.place
                ]
                owner = f"; here {our_names[0]} has place {claim.place}" if our_names else ""
                difference = f"has place {claim.place} there and place {row.rank} here{owner}"
        if difference:
            return f"{results.names[player]} {difference}"
    return ""


def _different_value(claim: StandingClaim, row: Row, profile: Profile) -> str:
    if claim.points is not None and claim.points != row.points:
        file_points, our_points = (profile.points_text(points) for points in (claim.points, row.points))
        unit = "point" if file_points in {"1", "½"} else "points"
        return f"has {file_points} {unit} there and {our_points} here"
    for key in row.keys:
        value, decimals = claim.values.get(key.code, (None, 0))
        if value is None or not isinstance(key.value, int | Fraction):
            continue
        decimals = min(decimals, _MAX_DECIMALS)
        if abs(key.value - value) > Fraction(101, 100) / 10**decimals:
            return (
                f"has {key.code} {float(value):.{decimals}f} there and {float(key.value):.{decimals}f} here"
            )
    return ""


_MAX_DECIMALS = 6
"""The maximum number of decimals of a tie-break that are compared.

Other programs round, and some calculate in single precision.
"""


def comparison_text(results: Results, standings: Standings) -> str:
    """Return which parts of the file's standings could be compared with ours, as text.

    For example `places and points of 12 players`; empty if nothing could be compared.
    """
    claims = results.claims.values()
    kinds = {
        "places": any(claim.place is not None for claim in claims),
        "points": any(claim.points is not None for claim in claims),
        "tie-breaks": any(claim.values for claim in claims),
    }
    compared_kinds = [kind for kind, is_given in kinds.items() if is_given]
    return f"{listed(compared_kinds)} of {len(claims)} players" if compared_kinds and standings.rows else ""
