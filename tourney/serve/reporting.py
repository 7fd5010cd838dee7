"""The form in which a player says what came of the own table, as the game has it, and what was sent with it.

It has no rule of its own: what it offers can be entered, and whatever comes back is read by the desk as a line that a
scorekeeper types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tourney.errors import TourneyError
from tourney.event.phrases import names_of
from tourney.event.score import Games, Report, SeatPlaces
from tourney.record import games_needed, most_decided_games, parse_whole_number
from tourney.rules.scoring import USUAL_ENDS, Scoring, Unscored
from tourney.wording import Message, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tourney.desk import Desk
    from tourney.event.state import State
    from tourney.record import PlayerId, Table
    from tourney.rules.vocabulary import EndFile
    from tourney.serve.visits import Visit

OTHER = "other"
"""The choice of a score that is typed in numbers of games."""

BY_SCORE = "score"
"""The choice that the score alone tells who has won."""

BY_PLACE = "places"
"""The choice that everybody's place is told."""

MOST_CHOICES = 10
"""Scores of a match that are offered to be tapped; a longer match is typed in games."""


class ResultChoice(NamedTuple):
    """What can be tapped. value: as it is sent: a score, with the word of how it ended behind it where it is not by itself."""

    value: str
    text: str


@dataclass(frozen=True, slots=True)
class GameResults:
    """What the event's game says of results. score: what is counted besides games, empty for nothing."""

    rule: Scoring | Unscored | None
    score: str

    @classmethod
    def of(cls, desk: Desk) -> GameResults:
        """Return the game of an event. Raises TourneyError where what the event keeps of it is not readable any more."""
        rule, score = desk.scoring(), desk.rules.format.match.score
        if isinstance(rule, Scoring):
            return cls(rule, rule.name)
        return cls(rule, score if isinstance(score, str) else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultForm:
    """What a player is asked.

    round, table, seats: what the page shows, players in seat order; told: the players with their names, the own first
    choices: what can be tapped
    games:   numbers of games that a player can have won, where another score can be told; empty where none can
    drawn:   numbers of games that can have been drawn
    places:  the places of a table of three and more; empty at one of two
    score:   what is counted besides games; goal: how much of it wins, if any; signed: whether it can be negative
    ends:    how a game can end otherwise
    """

    round: int
    table: int
    seats: Sequence[PlayerId]
    told: Sequence[tuple[PlayerId, str]]
    choices: tuple[ResultChoice, ...]
    games: tuple[int, ...] = ()
    drawn: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    score: str = ""
    goal: int | None = None
    signed: bool = False
    ends: tuple[ResultChoice, ...] = ()

    @classmethod
    def of(cls, state: State, table: Table, player: PlayerId, game: GameResults) -> ResultForm:
        """Return the form for a player's table of the last round. state: by whose names the others are called."""
        round_, name, rule = state.rounds[-1], names_of(state), game.rule
        told = (player, *(each for each in table.seats if each != player))
        draws = state.settings.match.draws and round_.stage == "swiss"
        best_of, two = state.settings.match.best_of, len(told) == 2
        kind = state.settings.match.drawn_in(bracket=round_.stage == "cut")
        scored = rule if isinstance(rule, Scoring) else None
        choices = (
            [ResultChoice(BY_SCORE, Message("By {score}", score=game.score))]
            if scored and best_of == 1
            else []
        )
        if two:
            choices += _of_two(best_of, rule, draws=draws)
        else:
            choices += _of_more(rule, len(told), draws=draws)
        if two and best_of > 1:
            choices.append(ResultChoice(OTHER, Message("Another score")))
        needed = games_needed(best_of)
        return cls(
            round=round_.number,
            table=table.number,
            seats=table.seats,
            told=[(each, name(each)) for each in told],
            choices=tuple(choices),
            games=tuple(range(needed + 1)) if two and best_of > 1 else (),
            drawn=tuple(range(1 if kind == "none" else best_of + 1)),
            places=() if two else tuple(range(1, len(told) + 1)),
            score=game.score,
            goal=scored.goal(len(told)) if scored else None,
            signed=scored.file.least < 0 if scored else bool(game.score),
            ends=tuple(_ends(rule)) if best_of == 1 or two else (),
        )

    @property
    def first(self) -> str:
        """What is chosen before anything is tapped: how the result is told, never the result."""
        value = self.choices[0].value
        return value if value in {BY_SCORE, BY_PLACE} else "-"

    @property
    def others(self) -> str:
        """The names of the others at the table."""
        return listed(name for _, name in self.told[1:])


def _of_two(best_of: int, rule: Scoring | Unscored | None, *, draws: bool) -> Iterator[ResultChoice]:
    """Give what a match of two can come to, as its player tells it: won, drawn, lost; then what time can make of it."""
    if best_of == 1:
        yield ResultChoice("w", Message("I won"))
        yield ResultChoice("l", Message("I lost"))
        if draws:
            yield from _drawn(rule, 2, Message("Drawn"))
    else:
        needed = games_needed(best_of)
        most = most_decided_games(best_of, draws=draws) - needed
        won = [(needed, lost) for lost in range(most + 1)]
        level = [(best_of // 2, best_of // 2)] if draws and best_of % 2 == 0 else []
        full = [*won, *level, *(score[::-1] for score in reversed(won))]
        if len(full) <= MOST_CHOICES:
            yield from (ResultChoice(f"{own}-{other}", _words(own, other)) for own, other in full)
        if needed == 2:
            early = [(1, 0), (1, 1), (0, 1)] if best_of % 2 else [(1, 0), (0, 1)]
            for own, other in early:
                if draws or own != other:
                    yield ResultChoice(
                        f"{own}-{other} time", Message("{result} (time)", result=_words(own, other))
                    )
    if draws:
        yield ResultChoice("id", Message("Intentional draw"))


def _of_more(rule: Scoring | Unscored | None, players: int, *, draws: bool) -> Iterator[ResultChoice]:
    yield ResultChoice(BY_PLACE, Message("By place"))
    if draws:
        yield from _drawn(rule, players, Message("Drawn by all"))
        yield ResultChoice("id", Message("Intentional draw"))


def _drawn(rule: Scoring | Unscored | None, players: int, plainly: str) -> Iterator[ResultChoice]:
    """Give how a game is drawn: plainly, or only by what the game says; a judge's ruling is not a player's to tell."""
    ends = [rule.ends[word] for word in rule.drawn_by(players)] if rule else []
    if not ends:
        yield ResultChoice("=", plainly)
    for end in ends:
        if end.word != "ruling":
            yield ResultChoice(f"= {end.word}", Message("Drawn: {why}", why=_said(end)))


def _words(own: int, other: int) -> str:
    score = f"{own}–{other}"
    if own == other:
        return Message("Drawn {score}", score=score)
    return Message("I won {score}", score=score) if own > other else Message("I lost {score}", score=score)


def _ends(rule: Scoring | Unscored | None) -> Iterator[ResultChoice]:
    """Give how a game can end otherwise; a judge's ruling is not a player's to tell."""
    ends: Mapping[str, EndFile] = rule.ends if rule else {end.word: end for end in USUAL_ENDS}
    return (ResultChoice(end.word, _said(end)) for word, end in ends.items() if word != "ruling")


def _said(end: EndFile) -> str:
    if end in USUAL_ENDS and end.word in _ENDS:
        return _ENDS[end.word]
    return f"{end.says[:1].lower()}{end.says[1:]}"


_ENDS = {"time": Message("time was called"), "concession": Message("by concession")}
"""How the usual endings read on a phone; a game's own are in its words."""


# -- what was sent


@dataclass(frozen=True, slots=True, kw_only=True)
class SentResult:
    """What came with a form: as it is shown once more where it was refused, and (`report`) as the desk reads it.

    won, lost, drawn: numbers of games; places, points: of everybody, in the order of `ResultForm.told`
    """

    result: str = ""
    won: str = ""
    lost: str = ""
    drawn: str = ""
    ended: str = ""
    places: Sequence[str] = ()
    points: Sequence[str] = ()
    reason: str = ""

    @classmethod
    def by(cls, visit: Visit) -> SentResult:
        """Read the fields."""
        return cls(
            result=visit.field("result", 40),
            won=visit.field("won", 4),
            lost=visit.field("lost", 4),
            drawn=visit.field("drawn", 4),
            ended=visit.field("ended", 20),
            places=visit.values("place", 4),
            points=visit.values("points", 12),
            reason=visit.field("reason", 300),
        )

    def report(self) -> Report:
        """Return what the player reports, from the player's point of view. Raises TourneyError if something is missing."""
        points = None
        if any(self.points):
            if not all(self.points):
                raise TourneyError(Message("enter the points of every player at the table"))
            points = tuple(parse_whole_number(number, least=None, digits=9) for number in self.points)
        if self.result == BY_SCORE:
            if points is None:
                raise TourneyError(Message("enter the points of every player at the table"))
            return Report(points=points, ended=self.ended)
        if self.result == BY_PLACE:
            if not self.places or not all(self.places):
                raise TourneyError(Message("choose the place of every player at the table"))
            places = SeatPlaces(tuple(map(parse_whole_number, self.places)))
            return Report(score=places, points=points, ended=self.ended)
        if self.result == OTHER:
            if not self.won or not self.lost:
                raise TourneyError(Message("choose how many games each player won"))
            games = Games(
                (parse_whole_number(self.won), parse_whole_number(self.lost)),
                parse_whole_number(self.drawn or "0"),
            )
            return Report(score=games, points=points, ended=self.ended)
        if not self.result:
            raise TourneyError(Message("choose a result"))
        score, _, ended = self.result.partition(" ")
        whole = score in {"w", "l", "="} and not ended
        return Report(score=score, points=points, ended=ended or (self.ended if whole else ""))
