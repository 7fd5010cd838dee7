"""Victory points and endings of a game, checked against the rules of its format.

The rules come from `[match.score]` in the format (`tourney.rules.scoring`). They say which scores are
possible, which player wins with them, and in what other ways a game can end (`time`, `concession`, `ruling`,
and endings of the format). If a report has only victory points, they decide the result. If it also has a
result, the result must agree with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from typing import NoReturn

from msgspec import Struct, structs

from tourney.event.phrases import RULING
from tourney.event.score import ReadResult, Score, SeatPlaces, Slip, format_score, is_drawn, result_of
from tourney.record import BY_PLAY, Outcome, Result, normalize_digits
from tourney.rules.scoring import Scoring, Unscored, Winners, cite_suffix, places
from tourney.rules.vocabulary import EndFile
from tourney.wording import listed

_Game = Scoring | Unscored


def decide(slip: Slip, score: Score | None, points: tuple[int, ...] | str | None, ending: str) -> ReadResult:
    """Return the result of a report, under the rules of the game.

    score:  the score; None if the report has only victory points, which then decide
    points: the victory points, or their text; None if the report has only a score
    ending: how the game ended, if not by its score; empty if the report does not say

    Raises TourneyError if the rules do not allow the report.
    """
    numbers = None if points is None else _checked_points(slip, points)
    game = slip.find_game()
    if isinstance(game, Unscored) and game.no_score and numbers is not None:
        raise slip.error(game.no_score, f"type the result without `--score`: {slip.forms}")
    if ending and ending not in game.ends:
        raise slip.error(f"unknown ending `{ending}`", f"`--ended` takes {listed(game.ends, 'or')}")
    if score is None:
        return _decide_by_points(slip, game, numbers or (), ending)
    return _decide_by_score(slip, game, score, numbers, game.ends.get(ending))


def _decide_by_score(
    slip: Slip, game: _Game, score: Score, points: tuple[int, ...] | None, end: EndFile | None
) -> ReadResult:
    """Return the result that a reported score gives a table.

    end: how the game ended, if not by its score

    Raises TourneyError if the points or the ending contradict the score.
    """
    ending = end.word if end else ""
    result = result_of(slip, score, points, is_unfinished=bool(ending))
    if ending not in {"", "time"}:
        result = structs.replace(result, ended="")
    # In a match of several games, the games show whether time decided it.
    kept_ending = "" if ending == "time" and (slip.best_of > 1 or result.ended) else ending
    playing = tuple(number for number, seat in enumerate(result.seats) if seat.outcome in BY_PLAY)
    _refuse_points_without_play(slip, result, playing)
    if len(playing) > 1 and isinstance(game, Scoring) and points is not None:
        return _ScoredGame(slip, game, score, points, ending, playing).check(result, kept_ending)
    if len(playing) > 1 and slip.best_of == 1:
        if end:
            _refuse_other_ending(slip, end, [result.seats[seat].place for seat in playing])
        elif is_drawn(result):
            kept_ending = _ending_of_draw(slip, game, score)
    return ReadResult(slip.table, _with_ending(result, kept_ending))


def _with_ending(result: Result, word: str) -> Result:
    return structs.replace(result, ended=word) if word else result


def _checked_points(slip: Slip, points: str | tuple[int, ...]) -> tuple[int, ...]:
    """Return victory points as numbers. Raises TourneyError unless there is one for each seat."""
    text = points if isinstance(points, str) else ",".join(map(str, points))
    parts = [part.strip() for part in normalize_digits(text).split(",")]
    if len(parts) != len(slip.seats) or not all(re.fullmatch(r"-?\d{1,9}", part) for part in parts):
        raise slip.error(
            f"`{text}` does not have a score for each of the {len(slip.seats)} seats",
            f"`--score` takes whole numbers {slip.order}, with commas between them",
        )
    return tuple(map(int, parts))


def _decide_by_points(slip: Slip, game: _Game, points: tuple[int, ...], ending: str) -> ReadResult:
    """Return the result that the victory points alone decide.

    Raises TourneyError if they do not.
    """
    if not isinstance(game, Scoring) or slip.best_of > 1:
        match_text = "this game" if slip.best_of == 1 else f"a match of {slip.best_of} games"
        raise slip.error(
            f"the score alone does not decide {match_text}", f"type the result before the score: {slip.forms}"
        )
    everyone = tuple(range(len(slip.seats)))
    scored_game = _ScoredGame(slip, game, None, points, ending, everyone)
    scored_game.refuse_impossible()
    verdict = scored_game.verdict
    if not verdict.decided or (len(verdict.first) > 1 and not slip.draws):
        scored_game.refuse(None)
    is_draw = len(verdict.first) == len(everyone)
    score: Score = "=" if is_draw else SeatPlaces(tuple(places(points, verdict.first)))
    result = result_of(slip, score, points, is_unfinished=bool(ending))
    return ReadResult(slip.table, _with_ending(result, "" if verdict.reached else ending), verdict.how)


def _refuse_points_without_play(slip: Slip, result: Result, playing: Sequence[int]) -> None:
    """Raise TourneyError for points above 0 in a game that was not played.

    A player who did not play cannot have points. If fewer than two players played, no player can have points.
    """
    absent = [number for number, seat in enumerate(result.seats) if seat.outcome is Outcome.FORFEIT_LOSS]
    for number, seat in enumerate(result.seats):
        if absent and seat.score and (number in absent or len(playing) < 2):
            reason = "forfeits without play" if result.ended == RULING else "did not show"
            name = slip.name(number if number in absent else absent[0])
            raise slip.error(
                f"{name} {reason}, so {slip.name(number)} cannot have a score of {seat.score}",
                "0 is the score of a game that was not played",
            )


def _refuse_other_ending(slip: Slip, end: EndFile, playing: Sequence[int]) -> None:
    """Raise TourneyError if a result without victory points contradicts how the game ended.

    playing: the places that the result gives to the players who played
    """
    is_draw, is_level = playing.count(1) > 1, len({*playing}) == 1
    if (end.wins == "nobody" and not is_level) or (end.wins != "nobody" and is_draw and not end.draw):
        wrong = "so no player won" if end.wins == "nobody" else "so it is not a draw"
        raise slip.error(
            f"{end.says}{cite_suffix(end.cite)}, {wrong}", "change the result, or leave out `--ended`"
        )


def _ending_of_draw(slip: Slip, game: _Game, score: Score) -> str:
    """Return the ending that the rules imply for a draw reported without an ending, or "".

    Raises TourneyError if the rules allow only certain endings for a draw, so that the report must name one.
    """
    if slip.drawn_by:
        text = format_score(score)
        commands = listed((slip.command(f"{text} --ended {word}") for word in slip.drawn_by), "or")
        raise slip.error(
            game.when_drawn(len(slip.seats)),
            f"if the game ended that way: {commands};"
            f" if the players agreed not to play: {slip.command('id')}",
        )
    return game.plain_draw.word if isinstance(game, Scoring) and game.plain_draw else ""


class _ScoredGame(Struct, frozen=True):
    """A single game with its victory points.

    score: the reported score; None if the points decide
    ended: as in `decide`
    playing: the seats whose players played the game; their points are `scores`
    """

    slip: Slip
    game: Scoring
    score: Score | None
    points: tuple[int, ...]
    ended: str
    playing: tuple[int, ...]

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.points[seat] for seat in self.playing)

    @property
    def verdict(self) -> Winners:
        """Which players win by the victory points, according to the game's rules."""
        return self.game.winners(self.scores, self.ended)

    def name(self, index: int) -> str:
        return self.slip.name(self.playing[index])

    def check(self, result: Result, kept_ending: str) -> ReadResult:
        """Return a reported result if the victory points agree with it; else raise TourneyError.

        In a match of several games, only impossible points are refused.

        kept_ending: the ending to record for a match of several games, and for a draw by agreement in which
                     no player reached the goal; empty for none. In other games, `ended` is recorded unless a
                     player reached the goal
        """
        self.refuse_impossible()
        verdict, table = self.verdict, self.slip.table
        if self.slip.best_of > 1 or (result.ended == "id" and not verdict.reached):
            return ReadResult(table, _with_ending(result, kept_ending))
        first = tuple(index for index, seat in enumerate(self.playing) if result.seats[seat].place == 1)
        if not verdict.allows(first):
            self.refuse(first)
        warning = _odd_places(self.slip, result)
        if verdict.reached:
            reason = "" if verdict.decided else f"{verdict.how}, and {self.name(first[0])} was first"
            return ReadResult(table, result, reason, warning)
        reason = verdict.how if self.ended else ""
        return ReadResult(table, _with_ending(result, self.ended), reason, warning)

    def refuse_impossible(self) -> None:
        """Raise TourneyError if the game's rules do not allow these victory points.

        The error is about the points of one player, or about several players who have all reached the number
        of points that wins, although only one player can reach it.
        """
        faults = [self.game.impossible(score, len(self.scores)) for score in self.scores]
        for fault in [*faults, self.game.too_many(self.scores)]:
            if fault is not None:
                raise self.slip.error(fault, "check the result slip")

    def refuse(self, first: tuple[int, ...] | None) -> NoReturn:
        """Raise TourneyError: the points contradict the reported result, or do not decide a winner.

        The hint gives the commands that are valid with these points.

        first: the positions in `playing` of the players who are first according to the report; None if the
            report gives only points
        """
        verdict, hints = self.verdict, []
        ending = "" if verdict.reached else self.ended
        if not verdict.first:
            fault = ", so the game is not over"
        elif first is not None:
            fault = ", so it is not a draw" if len(first) > 1 else f", so {self.name(first[0])} did not win"
        elif verdict.drawn == "must":
            fault = ", but this match needs a winner"
        else:
            fault = f": type who {'was first' if verdict.reached else 'won'}"
        if verdict.drawn == "must" and self.slip.draws:
            hints.append(f"if the game ended that way: {self.command('=', ending)}")
        elif len(verdict.first) == 1 and len(self.scores) == len(self.slip.seats):
            hints.append(f"{self.command('', ending)} takes the winner from the score")
        elif verdict.first and verdict.drawn != "must":
            winner = verdict.first[0]
            hints.append(f"{self.command(self.win_of(winner), ending)} if {self.name(winner)} won")
        if first is not None or not hints:
            leader = max(range(len(self.scores)), key=self.scores.__getitem__)
            score = format_score(self.score) if self.score else self.win_of(leader)
            word, *other_words = [
                end
                for end in self.game.ends
                if self.game.winners(self.scores, end).allows(first or (leader,))
            ]
            more = f" (or {listed(other_words, 'or')})" if other_words else ""
            hints.append(f"if the game ended another way, {self.command(score, word)}{more}")
        raise self.slip.error(f"{verdict.how}{fault}", "; ".join(hints))

    def command(self, score: str, ending: str) -> str:
        """Return the command that enters these points. score, ending: left out if empty."""
        points = ",".join(map(str, self.points))
        parts = [score, f"--score {points}", f"--ended {ending}" if ending else ""]
        return self.slip.command(" ".join(filter(None, parts)))

    def win_of(self, index: int) -> str:
        """Return the score by which the player at position `index` of `playing` wins."""
        seat, seats = self.playing[index], len(self.slip.seats)
        if seats == 2:
            return ("1-0", "0-1")[seat]
        ranks = iter(places(self.scores, (index,)))
        return ",".join(str(next(ranks)) if seat in self.playing else "ff" for seat in range(seats))


def _odd_places(slip: Slip, result: Result) -> str:
    """Return a warning if a player is placed behind a player with fewer victory points, else "".

    Only players below first place are compared. Rules of games say only which player is first, so the
    reported order of the others can still be right.
    """
    lower_seats = [
        (seat, name) for seat, name in zip(result.seats, slip.names, strict=False) if seat.place > 1
    ]
    for (seat, name), (other, other_name) in permutations(lower_seats, 2):
        if (seat.score or 0) > (other.score or 0) and seat.place > other.place:
            return (
                f"table {slip.table}: {name} is placed behind {other_name}, "
                f"but has the higher score ({seat.score} to {other.score})"
            )
    return ""
