"""The form in which a player reports a result, and the report that the form sends.

The form has a button for each result that the game allows. The fields that are sent become a `Report`, which
the event checks in the same way as a result that a scorekeeper enters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from tourney.errors import TourneyError
from tourney.event.phrases import names_of
from tourney.event.score import Games, Report, Score, SeatPlaces
from tourney.record import games_needed, most_decided_games, parse_whole_number
from tourney.rules.scoring import USUAL_ENDS, Scoring, Unscored
from tourney.wording import Message, listed

if TYPE_CHECKING:
    from tourney.event.state import RoundTable, State
    from tourney.record import PlayerId
    from tourney.rules.vocabulary import EndFile
    from tourney.serve.visits import Visit

OTHER = "other"
"""The value of the button for another score, which is entered as numbers of games."""

BY_SCORE = "score"
"""The value of the button for a result that the points decide."""

BY_PLACE = "places"
"""The value of the button for entering the place of each player."""

MOST_CHOICES = 10
"""The most possible scores of a match for which each score has a button.

If more scores are possible, players enter the numbers of games.
"""

SCORES: Mapping[str, Score] = {"w": SeatPlaces((1, 2)), "l": SeatPlaces((2, 1)), "=": "=", "id": "id"}
"""Value of a button → the score, for the buttons that do not stand for numbers of games."""


class ResultChoice(NamedTuple):
    """A button of the form.

    value: the score that the button sends, followed by the word for the ending, if any: `= time`
    """

    value: str
    text: str


class ResultForm(Struct, frozen=True, kw_only=True):
    """The form for a player's table.

    round, table: the number of the round and of the table
    seats:   the players in seat order
    players: the players with their names, starting with the player who reports
    choices: the buttons
    games:   the numbers of won games that can be chosen, if another score can be entered
    drawn:   the numbers of drawn games that can be chosen
    places:  the places at a table of three or more; empty at a table of two
    score:   the name of the points that are counted besides games; empty if there are none
    goal:    the score that wins; None if there is none
    signed:  whether a score can be negative
    ends:    other ways in which a game can end
    """

    round: int
    table: int
    seats: Sequence[PlayerId]
    players: Sequence[tuple[PlayerId, str]]
    choices: tuple[ResultChoice, ...]
    games: tuple[int, ...] = ()
    drawn: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    score: str = ""
    goal: int | None = None
    signed: bool = False
    ends: tuple[ResultChoice, ...] = ()

    @classmethod
    def of(cls, state: State, table: RoundTable, player: PlayerId, rule: Scoring | Unscored) -> ResultForm:
        """Return the form for a table of the last round, with the names that `state` shows."""
        round_, name = state.rounds[-1], names_of(state)
        match, number = state.settings.match, len(table.seats)
        draws, best_of, two = match.draws and round_.stage == "swiss", match.best_of, number == 2
        drawn_game = match.drawn_in(bracket=round_.stage == "cut")
        scored = rule if isinstance(rule, Scoring) else None
        by_score = [ResultChoice(BY_SCORE, Message("By {score}", score=rule.name))]
        other = [ResultChoice(OTHER, Message("Another score"))]
        choices = [
            *(by_score if scored and best_of == 1 else ()),
            *(_of_two(best_of, rule, draws=draws) if two else _of_more(rule, number, draws=draws)),
            *(other if two and best_of > 1 else ()),
        ]
        return cls(
            round=round_.number,
            table=table.number,
            seats=table.seats,
            players=[
                (seat, name(seat)) for seat in (player, *(seat for seat in table.seats if seat != player))
            ],
            choices=tuple(choices),
            games=tuple(range(games_needed(best_of) + 1)) if two and best_of > 1 else (),
            drawn=tuple(range(1 if drawn_game == "none" else best_of + 1)),
            places=() if two else tuple(range(1, number + 1)),
            score=rule.name,
            goal=scored.goal(number) if scored else None,
            signed=scored.file.least < 0 if scored else bool(rule.name),
            ends=tuple(_ends(rule)) if best_of == 1 or two else (),
        )

    @property
    def first(self) -> str:
        """The choice that is selected at first: a way to enter a result, or `-`, but never a result."""
        value = self.choices[0].value
        return value if value in {BY_SCORE, BY_PLACE} else "-"

    @property
    def others(self) -> str:
        """The names of the other players at the table."""
        return listed(name for _, name in self.players[1:])


def _of_two(best_of: int, rule: Scoring | Unscored, *, draws: bool) -> Iterator[ResultChoice]:
    """Yield the buttons for a match of two, from the side of the player who reports.

    They include results that are only possible when time has been called.
    """
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
                    text = Message("{result} (time)", result=_words(own, other))
                    yield ResultChoice(f"{own}-{other} time", text)
    if draws:
        yield ResultChoice("id", Message("Intentional draw"))


def _of_more(rule: Scoring | Unscored, players: int, *, draws: bool) -> Iterator[ResultChoice]:
    yield ResultChoice(BY_PLACE, Message("By place"))
    if draws:
        yield from _drawn(rule, players, Message("Drawn by all"))
        yield ResultChoice("id", Message("Intentional draw"))


def _drawn(rule: Scoring | Unscored, players: int, text: str) -> Iterator[ResultChoice]:
    """Yield the buttons for a draw.

    If a draw must name how the game ended, each possible ending has a button. Otherwise a single button is
    enough. A judge's ruling is left out, because only the desk enters it.
    """
    ends = [rule.ends[word] for word in rule.drawn_by(players)]
    if not ends:
        yield ResultChoice("=", text)
    for end in ends:
        if end.word != "ruling":
            yield ResultChoice(f"= {end.word}", Message("Drawn: {why}", why=_end_text(end)))


def _words(own: int, other: int) -> str:
    score = f"{own}–{other}"
    if own == other:
        return Message("Drawn {score}", score=score)
    return Message("I won {score}", score=score) if own > other else Message("I lost {score}", score=score)


def _ends(rule: Scoring | Unscored) -> Iterator[ResultChoice]:
    """Yield the buttons for other ways in which a game can end.

    A judge's ruling is left out, because only the desk enters it.
    """
    return (ResultChoice(end.word, _end_text(end)) for word, end in rule.ends.items() if word != "ruling")


def _end_text(end: EndFile) -> str:
    if end in USUAL_ENDS and end.word in _ENDS:
        return _ENDS[end.word]
    return f"{end.says[:1].lower()}{end.says[1:]}"


_ENDS = {"time": Message("time was called"), "concession": Message("by concession")}
"""Ending → the words on a phone, for the usual endings.

For endings of a particular game, the words come from the format.
"""


# -- the report that a form sends


class SentResult(Struct, frozen=True, kw_only=True):
    """The fields of a form that was sent, to make the report and to show the form again.

    won, lost, drawn: numbers of games
    places, points: the place and points of each player, in the order of `ResultForm.players`
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
    def of(cls, visit: Visit) -> SentResult:
        """Return the fields of a form. Raises RefusedError if a field is too long."""
        return cls(
            result=visit.text("result", 40),
            won=visit.text("won", 4),
            lost=visit.text("lost", 4),
            drawn=visit.text("drawn", 4),
            ended=visit.text("ended", 20),
            places=visit.texts("place", 4),
            points=visit.texts("points", 12),
            reason=visit.text("reason", 300),
        )

    def report(self) -> Report:
        """Return the report from the player's point of view.

        Raises TourneyError if a field is missing.
        """
        word, _, ending = self.result.partition(" ")
        points = None
        if any(self.points) or word == BY_SCORE:
            if not self.points or not all(self.points):
                raise TourneyError(Message("enter the points of every player at the table"))
            points = tuple(parse_whole_number(number, least=None, digits=9) for number in self.points)
        takes_ending = word in {BY_SCORE, BY_PLACE, OTHER, "w", "l", "="}
        return Report(
            score=self._score(word),
            points=points,
            ended=ending or (self.ended if takes_ending else ""),
        )

    def _score(self, word: str) -> Score | None:
        """Return the score of the chosen button; None if the points decide."""
        if word == BY_SCORE:
            return None
        if word == BY_PLACE:
            if not self.places or not all(self.places):
                raise TourneyError(Message("choose the place of every player at the table"))
            return SeatPlaces(tuple(map(parse_whole_number, self.places)))
        if word == OTHER:
            if not self.won or not self.lost:
                raise TourneyError(Message("choose how many games each player won"))
            won = (parse_whole_number(self.won), parse_whole_number(self.lost))
            return Games(won, parse_whole_number(self.drawn or "0"))
        if games := re.fullmatch("([0-9]{1,4})-([0-9]{1,4})", word):
            return Games((int(games[1]), int(games[2])))
        if word not in SCORES:
            raise TourneyError(Message("choose a result"))
        return SCORES[word]
