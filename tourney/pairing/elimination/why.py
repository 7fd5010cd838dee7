"""Why two players meet in a bracket, or why a player has no opponent.

The reasons are their last matches and the bracket's rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import permutations

from tourney.pairing.elimination.shape import (
    Bracket,
    BracketMatch,
    BracketOptions,
    FromMatch,
    FromSeed,
    Source,
    Stage,
)
from tourney.pairing.facts import Fact, Names, NotInSchedule, ShouldMeet
from tourney.record import NOBODY, PlayerId
from tourney.wording import listed


def why(
    players: Sequence[PlayerId],
    options: BracketOptions,
    now: Bracket,
    label: str | None,
    seats: Sequence[PlayerId],
) -> tuple[Fact, ...]:
    """Return why these players play a match of the next round, or why one player has no table.

    players, options: as for `bracket`
    now:   the bracket before the round
    label: the label of the match; None for a player without a table
    """
    question = _Question(players, options, now)
    if label is None:
        return tuple(question.of_bye(seats[0]))
    match = question.matches.get(label)
    if match is None or set(match.seats) != set(seats):
        return tuple(question.of_wrong_table(seats))
    return tuple(question.of_match(match))


def why_not(
    players: Sequence[PlayerId], options: BracketOptions, now: Bracket, one: PlayerId, other: PlayerId
) -> tuple[Fact, ...]:
    """Return the two players' matches in the next round, and when the two can meet.

    other: `NOBODY` to ask about a bye
    """
    question = _Question(players, options, now)
    pair = [player for player in (one, other) if player != NOBODY]
    if strangers := tuple(player for player in pair if player not in players):
        return (NotInSchedule(strangers, "bracket"),)
    return tuple(question.of_others(pair))


class _Question:
    """A bracket before one of its rounds."""

    def __init__(self, players: Sequence[PlayerId], options: BracketOptions, now: Bracket) -> None:
        self.players = tuple(players)
        self.options = options
        self.now = now
        self.first = now.stages[0]
        self.matches = {match.label: match for stage in now.stages for match in stage.matches}

    # -- a match

    def of_match(self, match: BracketMatch) -> Iterator[Fact]:
        """Yield the match or seed that each player came from, and the rule that pairs them."""
        stage = next(stage for stage in self.now.stages if match in stage.matches)
        arrivals = [
            (player, source)
            for player, source in zip(match.seats, match.sources, strict=True)
            if player is not None
        ]
        for player, source in arrivals:
            yield from self._origin(player, source, stage)
        players, seeds = _seated(match), tuple(s.seed for s in match.sources if isinstance(s, FromSeed))
        feeds = tuple(str(source) for source in match.sources if isinstance(source, FromMatch))
        if self.options.seats > 2:
            if stage is self.first:
                yield SeedsDealt(players, match.label, seeds, len(stage.matches))
            elif all(source for _, source in arrivals):
                yield FeedsInto(players, match.label, feeds)
        elif len(seeds) == 2:
            yield SeedsMeet(players, match.label, seeds, 2 * len(self.first.matches))
        elif len(feeds) == 2:
            yield FeedsInto(players, match.label, feeds)
        elif self._is_reseeded(stage):
            left = tuple(player for other in stage.matches for player in _seated(other))
            if len(left) == 2 * len(stage.matches):
                yield Reseeded(players, left)
        else:
            yield from (Moved((player,), match.label) for player, source in arrivals if source is None)

    def _is_reseeded(self, stage: Stage) -> bool:
        return self.options.reseed and stage.name not in (self.first.name, "Third place")

    def _origin(self, player: PlayerId, source: Source | None, stage: Stage) -> Iterator[Fact]:
        if isinstance(source, FromMatch):
            yield self._came_from(
                player, self.matches[source.label], "lost" if source.came == "loser" else "won"
            )
            return
        at_start = source is not None or stage is self.first
        if at_start or self._is_reseeded(stage):
            yield self._seed(player)
        if not at_start:
            yield from self._last_match(player)

    def _seed(self, player: PlayerId) -> Fact:
        return Seeded((player,), self.players.index(player) + 1, len(self.players))

    def _last_match(self, player: PlayerId) -> Iterator[Fact]:
        """Yield the last match from which the player advanced."""
        won = [match for match in self.matches.values() if match.done and player in match.ahead]
        if won:
            yield self._came_from(player, won[-1], "won")

    def _came_from(self, player: PlayerId, match: BracketMatch, how: str) -> CameFrom:
        others = tuple(other for other in _seated(match) if other != player)
        if match.round is None or not others:
            return CameFrom((player,), "passed", match.label)
        if self.options.seats > 2:
            place = match.places[match.seats.index(player)] or len(match.seats)
            return CameFrom((player, *others), "was placed", match.label, place)
        return CameFrom((player, *others), how, match.label)

    # -- a player without a table

    def of_bye(self, player: PlayerId) -> Iterator[Fact]:
        """Yield why a player has no table: they have no opponent, or the opponent is not known yet."""
        yield self._seed(player)
        match = next(
            (match for match in self.matches.values() if not match.done and player in match.seats), None
        )
        if match is not None:
            places = 2 * len(self.first.matches)
            is_first = self.options.seats == 2 and self.now.round == 1 and match in self.first.matches
            if is_first and self.players.index(player) < places - len(self.players):
                yield ByesOfBracket((player,), len(self.players), places)
            yield Passes((player,), match.label)
            return
        for match in self.matches.values():
            if not any(match.seats) and any(player in self._arrivals(source) for source in match.sources):
                yield from self._last_match(player)
                yield Passes((player,), match.label, waits=True)
                return

    def _arrivals(self, source: Source | None) -> set[PlayerId]:
        """Return the players who can come from a source."""
        if isinstance(source, FromSeed):
            return set(self.players[source.seed - 1 : source.seed])
        match = None if source is None else self.matches.get(source.label)
        if source is None or match is None:
            return set()
        if match.done:
            player = match.who(source.came)
            return set() if player is None else {player}
        return set(_seated(match)) or set().union(*map(self._arrivals, match.sources))

    # -- other tables than the bracket's

    def of_wrong_table(self, seats: Sequence[PlayerId]) -> Iterator[Fact]:
        """Yield the opponents by the bracket of players whom only the organizer seated together."""
        due = {player: table.seats for table in self.now.tables for player in table.seats}
        for player in seats:
            if player not in self.players:
                yield NotInSchedule((player,), "bracket")
            else:
                opponents = tuple(other for other in due.get(player, ()) if other != player)
                yield ShouldMeet((player, *opponents), "bracket")

    def of_others(self, players: Sequence[PlayerId]) -> Iterator[Fact]:
        """Yield the players' matches in this round; for two, also when they met or could meet."""
        tables = zip(self.now.tables, self.now.labels, strict=True)
        labels = {player: label for table, label in tables for player in table.seats}
        matches = [labels.get(player) for player in players]
        meeting = len(players) == 2 and matches[0] == matches[1] and matches[0] is not None
        doing = [] if meeting else [self._doing(player, labels.get(player)) for player in players]
        yield from doing
        if len(players) == 2:
            one, other = players
            yield from self._met(one, other, {fact.match for fact in doing if isinstance(fact, CameFrom)})
            if not (self.options.double or self.options.reseed):
                yield EarliestMatch((one, other), self._earliest(one, other))

    def _doing(self, player: PlayerId, label: str | None) -> PlaysMatch | CameFrom:
        """Return the player's match in this round, or the match that the player lost.

        If there is neither, the fact says that the player has no match.
        """
        lost = [
            match
            for match in self.matches.values()
            if match.done and player in match.seats and player not in match.ahead
        ]
        return (
            self._came_from(player, lost[-1], "lost")
            if lost and label is None
            else PlaysMatch((player,), label)
        )

    def _met(self, one: PlayerId, other: PlayerId, without: Collection[str]) -> Iterator[Fact]:
        """Yield the matches in which two players met, except those with the labels in `without`."""
        for match in self.matches.values():
            is_played = match.done and match.round is not None and {one, other} <= set(match.seats)
            if not is_played or match.label in without:
                continue
            if self.options.seats > 2:
                yield MetAt((one, other), match.label)
            elif match.winner:
                loser = other if match.winner == one else one
                yield CameFrom((match.winner, loser), "won", match.label)

    def _earliest(self, one: PlayerId, other: PlayerId) -> str | None:
        for match in self.matches.values():
            if match.done:
                continue
            seated = set(_seated(match))
            arrivals = [] if seated else list(map(self._arrivals, match.sources))
            if {one, other} <= seated or any(
                one in first and other in second for first, second in permutations(arrivals, 2)
            ):
                return match.label
        return None


def _seated(match: BracketMatch) -> tuple[PlayerId, ...]:
    return tuple(player for player in match.seats if player is not None)


# -- facts of brackets


class _BracketFact(Fact, frozen=True):
    what = "bracket"


class Seeded(Fact, frozen=True):
    """The player has this seed among `of` players."""

    what = "seeded"
    sentence = "{0} is seed {seed} of {of}"
    numbered = "seed of"
    seed: int
    of: int


class CameFrom(Fact, frozen=True):
    """The first player won or lost this match against the second, or had no opponent.

    how: `won`, `lost`, `passed` (no opponent), or, at tables of three or more players, `was placed`
         with the `place`
    """

    what = "came-from"
    how: str
    match: str
    place: int | None = None

    def text(self, names: Names) -> str:
        """Return a sentence that says how the player left the match."""
        player, match = names.player(self.players[0]), _match_text(self.match)
        if self.place is not None:
            return f"{player} {'won' if self.place == 1 else f'had place {self.place} in'} {match}"
        if self.how == "passed":
            return f"{player} passed {match} without an opponent"
        return f"{player} {self.how} {match} against {names.player(self.players[1])}"


class SeedsMeet(_BracketFact, frozen=True):
    """The seeds of this match add up to one more than the number of places in the bracket.

    This is the rule for every first match.
    """

    match: str
    seeds: tuple[int, ...]
    places: int

    def text(self, names: Names) -> str:
        """Return a sentence with the rule and the two seeds."""
        sums = f"in a bracket of {self.places} places the seeds of a first match add up to {self.places + 1}"
        return f"{sums}: {listed(self.seeds)} in {_match_text(self.match)}"


class SeedsDealt(_BracketFact, frozen=True):
    """A first table of three and more has these seeds, dealt in snake order (there and back)."""

    match: str
    seeds: tuple[int, ...]
    tables: int

    def text(self, names: Names) -> str:
        """Return a sentence with the rule and the seeds."""
        match = _match_text(self.match)
        if self.tables == 1:
            return f"all seeds sit at one table, {match}"
        dealt = f"the seeds are dealt to {self.tables} tables in snake order, there and back again"
        return f"{dealt}: {listed(self.seeds)} in {match}"


class MetAt(_BracketFact, frozen=True):
    """The two players met at this table of the bracket."""

    match: str

    def text(self, names: Names) -> str:
        """Return a sentence with the players and the table."""
        return f"{names.listed(self.players)} met in {_match_text(self.match)}"


class FeedsInto(_BracketFact, frozen=True):
    """The players of this match come from these sources, such as `winner of Semifinal 1`."""

    match: str
    sources: tuple[str, ...]

    def text(self, names: Names) -> str:
        """Return a sentence with the sources of the players."""
        sources = []
        for source in self.sources:
            role, _, label = source.partition(" of ")
            sources.append(f"{'' if role.startswith('place') else 'the '}{role} of {_match_text(label)}")
        if len(sources) == 2:
            return f"in {_match_text(self.match)} {sources[0]} meets {sources[1]}"
        return f"in {_match_text(self.match)} meet {listed(sources)}"


class Reseeded(_BracketFact, frozen=True):
    """After each round, the highest remaining seed meets the lowest, and so on."""

    left: tuple[PlayerId, ...]

    def text(self, names: Names) -> str:
        """Return a sentence with the rule and the number of players."""
        pairs = "the highest seed meets the lowest, the second the second lowest, and so on"
        return f"the bracket is reseeded after each round: of the {len(self.left)} players left {pairs}"


class Moved(_BracketFact, frozen=True):
    """The player came from a match that does not lead here, because another player left."""

    match: str

    def text(self, names: Names) -> str:
        """Return a sentence that says why the player is in this match."""
        rule = "the byes went to the highest seeds, and the others were paired again"
        came = f"{names.player(self.players[0])} came to {_match_text(self.match)}"
        return f"{came} because a player left the bracket: {rule}"


class Passes(_BracketFact, frozen=True):
    """The player has no opponent in this match, or (`waits`) the opponent is not known yet."""

    match: str
    waits: bool = False

    def text(self, names: Names) -> str:
        """Return a sentence that says that the player has no opponent, or waits for one."""
        player, match = names.player(self.players[0]), _match_text(self.match)
        if self.waits:
            return f"{player} waits for {match}; the opponent is not known yet"
        return f"{player} has no opponent in {match}"


class ByesOfBracket(_BracketFact, frozen=True):
    """The top seeds have no opponent in the first round: `count` players, `places` places."""

    count: int
    places: int

    def text(self, names: Names) -> str:
        """Return a sentence with the seeds that have no opponent."""
        byes = self.places - self.count
        seeds = "seed 1 has" if byes == 1 else f"seeds 1 {'and' if byes == 2 else 'to'} {byes} have"
        players = f"{self.count} players in a bracket of {self.places} places"
        return f"{players}: {seeds} no opponent in the first round"


class PlaysMatch(_BracketFact, frozen=True):
    """The player plays this match in the round. None: the player has no match."""

    match: str | None

    def text(self, names: Names) -> str:
        """Return a sentence with the player's match."""
        does = "has no match in this round" if self.match is None else f"plays {_match_text(self.match)}"
        return f"{names.player(self.players[0])} {does}"


class EarliestMatch(_BracketFact, frozen=True):
    """By the bracket, the two players cannot meet before this match.

    None: they cannot meet any more.
    """

    match: str | None

    def text(self, names: Names) -> str:
        """Return a sentence with the match in which the players can meet."""
        if self.match is None:
            return "by the bracket they cannot meet any more"
        return f"by the bracket they can meet in {_match_text(self.match)} at the earliest"


def _match_text(label: str) -> str:
    """Return the name of a match for a sentence.

    >>> _match_text("Semifinal 1"), _match_text("Final"), _match_text("Third place")
    ('Semifinal 1', 'the Final', 'the match for third place')
    """
    if label == "Third place":
        return "the match for third place"
    return label if label[-1:].isdigit() else f"the {label}"
