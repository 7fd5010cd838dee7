"""Why two meet in a bracket, or one has no opponent: where each came from, and which rule brought them there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import permutations
from typing import ClassVar

from tourney.pairing.elimination.shape import (
    Bracket,
    BracketMatch,
    BracketOptions,
    FromMatch,
    FromSeed,
    Source,
    Stage,
)
from tourney.pairing.facts import Fact, NotInSchedule, ShouldMeet
from tourney.record import NOBODY, PlayerId
from tourney.wording import listed


def why(
    players: Sequence[PlayerId],
    options: BracketOptions,
    now: Bracket,
    label: str | None,
    seats: Sequence[PlayerId],
) -> tuple[Fact, ...]:
    """Return why these two play the match `label` of the next round of `now`, or (None) why one has no table in it.

    players, options: as for `bracket`; now: the bracket as it stood before the round was paired
    """
    before = _Before(players, options, now)
    if label is None:
        return tuple(before.of_bye(seats[0]))
    match = before.matches.get(label)
    if match is None or set(match.seats) != set(seats):
        return tuple(before.otherwise(seats))
    return tuple(before.of_match(match))


def why_not(
    players: Sequence[PlayerId], options: BracketOptions, now: Bracket, one: PlayerId, other: PlayerId
) -> tuple[Fact, ...]:
    """Return what the two do in the next round instead of meeting, and in which match they can meet (`other`: or the bye)."""
    before = _Before(players, options, now)
    pair = [each for each in (one, other) if each != NOBODY]
    strangers = tuple(each for each in pair if each not in players)
    if strangers:
        return (NotInSchedule(players=strangers, source="bracket"),)
    return tuple(before.instead(pair))


class _Before:
    """A bracket before one of its rounds."""

    def __init__(self, players: Sequence[PlayerId], options: BracketOptions, now: Bracket) -> None:
        self.players = tuple(players)
        self.options = options
        self.now = now
        self.matches = {match.label: match for stage in now.stages for match in stage.matches}

    def of_match(self, match: BracketMatch) -> Iterator[Fact]:
        """Say where the two came from, and why these two places meet."""
        stage = next(each for each in self.now.stages if match in each.matches)
        for player, source in zip(match.seats, match.sources, strict=True):
            if player is not None:
                yield from self._origin(player, source, stage)
        if self.options.seats > 2:
            yield from self._dealt(match)
            return
        first, second = match.sources
        if isinstance(first, FromSeed) and isinstance(second, FromSeed):
            places = 2 * len(self.now.stages[0].matches)
            seeds = (first.seed, second.seed)
            yield SeedsMeet(players=self._seated(match), match=match.label, seeds=seeds, places=places)
        elif isinstance(first, FromMatch) and isinstance(second, FromMatch):
            yield FeedsInto(
                players=self._seated(match),
                match=match.label,
                sources=(SourceText(first), SourceText(second)),
            )
        elif self._reseeded(stage):
            left = tuple(player for each in stage.matches for player in each.seats if player is not None)
            if len(left) == 2 * len(stage.matches):
                yield Reseeded(players=self._seated(match), left=left)
        else:
            for player, source in zip(match.seats, match.sources, strict=True):
                if player is not None and source is None:
                    yield Moved(players=(player,), match=match.label)

    def _dealt(self, match: BracketMatch) -> Iterator[Fact]:
        """Say how the players of a larger table came together."""
        first = self.now.stages[0]
        if match in first.matches:
            seeds = tuple(each.seed for each in match.sources if isinstance(each, FromSeed))
            tables = len(first.matches)
            yield SeedsDealt(players=self._seated(match), match=match.label, seeds=seeds, tables=tables)
        elif all(source for player, source in zip(match.seats, match.sources, strict=True) if player):
            sources = tuple(SourceText(each) for each in match.sources if isinstance(each, FromMatch))
            yield FeedsInto(players=self._seated(match), match=match.label, sources=sources)

    def _reseeded(self, stage: Stage) -> bool:
        return self.options.reseed and stage.name != self.now.stages[0].name and stage.name != "Third place"

    def _seated(self, match: BracketMatch) -> tuple[PlayerId, ...]:
        return tuple(player for player in match.seats if player is not None)

    def _origin(self, player: PlayerId, source: Source | None, stage: Stage) -> Iterator[Fact]:
        if isinstance(source, FromMatch):
            how = "lost" if source.came == "loser" else "won"
            yield self._came_from(player, self.matches[source.label], how)
        elif source is not None or stage == self.now.stages[0]:
            yield self._seed(player)
        else:
            if self._reseeded(stage):
                yield self._seed(player)
            yield from self._last(player)

    def _seed(self, player: PlayerId) -> Seeded:
        return Seeded(players=(player,), seed=self.players.index(player) + 1, of=len(self.players))

    def _last(self, player: PlayerId) -> Iterator[CameFrom]:
        """Say which match a player went on from last."""
        won = [each for each in self.matches.values() if each.done and player in each.ahead]
        if won:
            yield self._came_from(player, won[-1], "won")

    def _came_from(self, player: PlayerId, match: BracketMatch, how: str) -> CameFrom:
        others = tuple(each for each in self._seated(match) if each != player)
        if match.round is None or not others:
            return CameFrom(players=(player,), how="passed", match=match.label)
        if self.options.seats > 2:
            place = match.places[match.seats.index(player)] or len(match.seats)
            return CameFrom(players=(player, *others), how="was placed", match=match.label, place=place)
        return CameFrom(players=(player, *others), how=how, match=match.label)

    def of_bye(self, player: PlayerId) -> Iterator[Fact]:
        """Say why a player who is still in has no table: nobody can come, or the opponent is still to be found."""
        yield self._seed(player)
        here = next((each for each in self.matches.values() if not each.done and player in each.seats), None)
        places = 2 * len(self.now.stages[0].matches)
        of_two = self.options.seats == 2
        if here is not None and of_two and self.now.round == 1 and here in self.now.stages[0].matches:
            byes = places - len(self.players)
            if byes > 0 and self.players.index(player) < byes:
                yield ByesOfBracket(players=(player,), count=len(self.players), places=places)
        if here is not None:
            yield Passes(players=(player,), match=here.label)
            return
        for match in self.matches.values():
            if not any(match.seats) and any(player in self._from(each) for each in match.sources):
                yield from self._last(player)
                yield Passes(players=(player,), match=match.label, waits=True)
                return

    def _from(self, source: Source | None) -> set[PlayerId]:
        """Return who may come from a source as the bracket stands."""
        if isinstance(source, FromSeed):
            return {*self.players[source.seed - 1 :][:1]}
        match = None if source is None else self.matches.get(source.label)
        if source is None or match is None:
            return set()
        if match.done:
            came = match.who(source.came)
            return set() if came is None else {came}
        return set(self._seated(match)) or set().union(*map(self._from, match.sources))

    def otherwise(self, seats: Sequence[PlayerId]) -> Iterator[Fact]:
        """Say whom each of two that the bracket does not bring together should meet."""
        due = {player: table.seats for table in self.now.tables for player in table.seats}
        for player in seats:
            if player not in self.players:
                yield NotInSchedule(players=(player,), source="bracket")
            else:
                others = tuple(each for each in due.get(player, ()) if each != player)
                yield ShouldMeet(players=(player, *others), source="bracket")

    def instead(self, players: Sequence[PlayerId]) -> Iterator[Fact]:
        """Say what the players do in the round, where they met, and in which match they can meet."""
        labels = {
            player: label
            for table, label in zip(self.now.tables, self.now.labels, strict=True)
            for player in table.seats
        }
        here = {labels.get(player) for player in players}
        together = len(players) == 2 and len(here) == 1 and None not in here
        doing = [] if together else [self._doing(player, labels.get(player)) for player in players]
        yield from doing
        if len(players) == 2:
            told = {fact.match for fact in doing if isinstance(fact, CameFrom)}
            yield from self._met(players, told)
            if not (self.options.double or self.options.reseed):
                yield EarliestMatch(players=tuple(players), match=self._earliest(players[0], players[1]))

    def _doing(self, player: PlayerId, label: str | None) -> PlaysMatch | CameFrom:
        """Say which match of the round a player plays, or which one ended the bracket for them; else that they play none."""
        lost = [
            each
            for each in self.matches.values()
            if each.done and player in each.seats and player not in each.ahead
        ]
        if label is not None or not lost:
            return PlaysMatch(players=(player,), match=label)
        return self._came_from(player, lost[-1], "lost")

    def _met(self, players: Sequence[PlayerId], told: Collection[str]) -> Iterator[MetAt | CameFrom]:
        """Say in which matches two met. told: those of which it was said already."""
        for match in self.matches.values():
            played = match.done and match.round is not None and set(players) <= set(match.seats)
            if not played or match.label in told:
                continue
            if self.options.seats > 2:
                yield MetAt(players=tuple(players), match=match.label)
            elif match.winner:
                loser = next(each for each in players if each != match.winner)
                yield CameFrom(players=(match.winner, loser), how="won", match=match.label)

    def _earliest(self, one: PlayerId, other: PlayerId) -> str | None:
        for match in self.matches.values():
            if match.done:
                continue
            seated = set(self._seated(match))
            come = [] if seated else list(map(self._from, match.sources))
            if {one, other} <= seated or any(
                one in first and other in second for first, second in permutations(come, 2)
            ):
                return match.label
        return None


# What a bracket has to say.


class Seeded(Fact, frozen=True, kw_only=True):
    """The player is this seed of so many."""

    what: ClassVar[str] = "seeded"
    _sentence: ClassVar[str] = "{one} is seed {fact.seed} of {fact.of}"
    _numbered: ClassVar[Mapping[str, str]] = {"seed": "seed", "of": "of"}
    seed: int
    of: int


class CameFrom(Fact, frozen=True, kw_only=True):
    """The first player `won` or `lost` this match against the second, or `passed` it without an opponent.

    At a table of three and more: `was placed` there, at `place`.
    """

    what: ClassVar[str] = "came-from"
    how: str
    match: str
    place: int | None = None

    @property
    def _sentence(self) -> str:
        if self.place is not None:
            did = "won" if self.place == 1 else f"came to place {self.place} in"
            return f"{{one}} {did} {_match_text(self.match)}"
        if self.how == "passed":
            return f"{{one}} passed {_match_text(self.match)} without an opponent"
        return f"{{one}} {self.how} {_match_text(self.match)} against {{other}}"


class SeedsMeet(Fact, frozen=True, kw_only=True):
    """Seeds that meet in a first match of a bracket with so many places add up to one more."""

    what: ClassVar[str] = "bracket"
    match: str
    seeds: tuple[int, int]
    places: int

    @property
    def _sentence(self) -> str:
        one, other = self.seeds
        return (
            f"in a bracket of {self.places} places the seeds of a first match add up to {self.places + 1}: "
            f"{one} and {other} in {_match_text(self.match)}"
        )


class SeedsDealt(Fact, frozen=True, kw_only=True):
    """The seeds of a first table: dealt like a snake, there and back again."""

    what: ClassVar[str] = "bracket"
    match: str
    seeds: tuple[int, ...]
    tables: int

    @property
    def _sentence(self) -> str:
        return (
            f"the seeds are dealt to {self.tables} tables like a snake, there and back again: "
            f"{listed(self.seeds)} in {_match_text(self.match)}"
            if self.tables > 1
            else f"all seeds sit at one table, {_match_text(self.match)}"
        )


class MetAt(Fact, frozen=True, kw_only=True):
    """The players sat at this table of the bracket already."""

    what: ClassVar[str] = "bracket"
    match: str

    @property
    def _sentence(self) -> str:
        return f"{{one}} and {{other}} met in {_match_text(self.match)}"


class SourceText(str):
    """A source as a fact gives it to programs, `winner of Semifinal 1`; its sentence is made of the `source` itself."""

    __slots__ = ("source",)

    def __init__(self, source: FromMatch) -> None:
        self.source = source


class FeedsInto(Fact, frozen=True, kw_only=True):
    """In this match they meet who come from these."""

    what: ClassVar[str] = "bracket"
    match: str
    sources: tuple[SourceText, ...]

    @property
    def _sentence(self) -> str:
        come = [
            f"{'' if isinstance(each.came, int) else 'the '}{each.role} of {_match_text(each.label)}"
            for each in (text.source for text in self.sources)
        ]
        if len(come) > 2:
            return f"in {_match_text(self.match)} meet {listed(come)}"
        return f"in {_match_text(self.match)} {come[0]} meets {come[1]}"


class Reseeded(Fact, frozen=True, kw_only=True):
    """The matches of a round are made anew: of those left in it, the highest seed meets the lowest, and so on inwards."""

    what: ClassVar[str] = "bracket"
    left: tuple[PlayerId, ...]

    @property
    def _sentence(self) -> str:
        return (
            f"the bracket is made anew after each round: of the {len(self.left)} players left the highest seed "
            "meets the lowest, the second the second lowest, and so on"
        )


class Moved(Fact, frozen=True, kw_only=True):
    """The player did not come from a match that leads here."""

    what: ClassVar[str] = "bracket"
    match: str

    @property
    def _sentence(self) -> str:
        return (
            f"{{one}} came to {_match_text(self.match)} because somebody left the bracket: "
            "its byes went to the highest seeds, and the others were paired anew"
        )


class Passes(Fact, frozen=True, kw_only=True):
    """The player has no opponent in this match of the round: nobody is there to come; or waits for it (`waits`)."""

    what: ClassVar[str] = "bracket"
    match: str
    waits: bool = False

    @property
    def _sentence(self) -> str:
        if self.waits:
            return f"{{one}} waits for {_match_text(self.match)}, where the opponent is still to be found"
        return f"{{one}} has no opponent in {_match_text(self.match)}"


class ByesOfBracket(Fact, frozen=True, kw_only=True):
    """So many players in a bracket of so many places: that many top seeds have no opponent in the first round."""

    what: ClassVar[str] = "bracket"
    count: int
    places: int

    @property
    def _sentence(self) -> str:
        byes = self.places - self.count
        who = "seed 1 has" if byes == 1 else f"seeds 1 to {byes} have" if byes > 2 else "seeds 1 and 2 have"
        return (
            f"{self.count} players in a bracket of {self.places} places: {who} no opponent in the first round"
        )


class PlaysMatch(Fact, frozen=True, kw_only=True):
    """The player plays this match in the round; None: has no match in it."""

    what: ClassVar[str] = "bracket"
    match: str | None

    @property
    def _sentence(self) -> str:
        return "{one} " + (
            "has no match in this round" if self.match is None else f"plays {_match_text(self.match)}"
        )


class EarliestMatch(Fact, frozen=True, kw_only=True):
    """By the bracket the two cannot meet before this match; None: they cannot meet any more."""

    what: ClassVar[str] = "bracket"
    match: str | None

    @property
    def _sentence(self) -> str:
        if self.match is None:
            return "by the bracket they cannot meet any more"
        return f"by the bracket they can meet in {_match_text(self.match)} at the earliest"


def _match_text(label: str) -> str:
    """Name a match in a sentence.

    >>> _match_text("Semifinal 1"), _match_text("Final"), _match_text("Third place")
    ('Semifinal 1', 'the Final', 'the match for third place')
    """
    if label == "Third place":
        return "the match for third place"
    return label if label[-1:].isdigit() else f"the {label}"
