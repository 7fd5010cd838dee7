"""Victory points and endings of a game, checked against the rules of its format.

The rules come from `[match.score]` in the format (`tourney.rules.scoring`). They say which scores are
possible, which player wins by them, and how else a game can end (`time`, `concession`, `ruling`, and words of
the format). If a report has only victory points, they decide the result. If it also has a result, the result
must agree with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from msgspec import structs

from tourney.event.phrases import RULING
from tourney.event.score import ReadResult, Score, SeatPlaces, Slip, format_score, is_drawn, result_of
from tourney.record import Outcome, Result, normalize_digits
from tourney.rules.scoring import USUAL_ENDS, Scoring, Unscored, Winners, cited, places
from tourney.wording import listed


def decide(slip: Slip, score: Score | None, points: tuple[int, ...] | str | None, ended: str) -> ReadResult:
    """Return the result of a score, of victory points, or of both, under the rules of the game.

    score:  None if the victory points decide
    points: victory points or their text; None if there is a score
    ended:  how the game ended, if not by its score; empty if the report does not say

    Raises TourneyError if the rules do not allow the report.
    """
    points = None if points is None else _checked_points(slip, points)
    game = slip.find_game()
    if isinstance(game, Unscored) and points is not None:
        raise slip.error(
            game.no_score,
            "leave out `--score`" if score else f"type the result without `--score`: {slip.forms_text}",
        )
    _refuse_unknown_ending(slip, game, ended)
    if score is None:
        return _decide_by_points(slip, points or (), ended)
    result = result_of(slip, score, points, is_unfinished=bool(ended))
    if ended not in {"", "time"}:
        result = structs.replace(result, ended="")
    # In a match of several games, the games show whether time decided it.
    kept = "" if ended == "time" and (slip.best_of > 1 or result.ended) else ended
    playing = tuple(number for number, seat in enumerate(result.seats) if seat.outcome in _PLAYED)
    _refuse_points_without_play(slip, result)
    if len(playing) < 2:
        return ReadResult(slip.table, _with_ending(result, kept))
    if not isinstance(game, Scoring) or points is None:
        _refuse_other_ending(slip, result, playing, ended)
        word = kept if ended else _ending_of_draw(slip, score, result)
        return ReadResult(slip.table, _with_ending(result, word))
    scored = _ScoredGame(slip, game, score, points, ended, playing)
    return scored.check(result, kept)


_PLAYED = frozenset({Outcome.WIN, Outcome.LOSS, Outcome.DRAW})


def _with_ending(result: Result, word: str) -> Result:
    return structs.replace(result, ended=word) if word else result


def _checked_points(slip: Slip, points: str | tuple[int, ...]) -> tuple[int, ...]:
    """Return victory points as numbers. Raises TourneyError unless there is one for each seat."""
    if isinstance(points, str):
        parts = [part.strip() for part in normalize_digits(points).split(",")]
        numbers = tuple(int(part) for part in parts if re.fullmatch(r"-?\d{1,9}", part))
    else:
        parts, numbers = [str(number) for number in points], points
    if len(numbers) != len(parts) or len(parts) != len(slip.seats):
        text, game = points if isinstance(points, str) else ",".join(parts), slip.find_game()
        example = [*map(str, (game.example(len(slip.seats)) if game else ()) or (32, 18, 25, 7))]
        example = [*example[: min(len(slip.seats), 4)], *["…"][: len(slip.seats) - 4]]
        raise slip.error(
            f"`{text}` does not have a score for each of the {len(slip.seats)} seats",
            f"whole numbers {slip.order}, `--score {','.join(example)}`",
        )
    return numbers


def _refuse_unknown_ending(slip: Slip, game: Scoring | Unscored | None, ended: str) -> None:
    words = [*game.ends] if game else [end.word for end in USUAL_ENDS]
    if ended and ended not in words:
        raise slip.error(f"unknown ending `{ended}`", f"`--ended` takes {listed(words, 'or')}")


def _decide_by_points(slip: Slip, points: tuple[int, ...], ended: str) -> ReadResult:
    """Return the result that the victory points alone decide.

    Raises TourneyError if they do not.
    """
    game = slip.find_game()
    if not isinstance(game, Scoring):
        raise slip.error(
            "the score alone does not decide this game", f"type the result before it: {slip.forms_text}"
        )
    if slip.best_of > 1:
        raise slip.error(
            f"one score does not decide a match of {slip.best_of} games",
            f"type the games won before it: {slip.forms_text}",
        )
    everyone = tuple(range(len(slip.seats)))
    scored = _ScoredGame(slip, game, None, points, ended, everyone)
    scored.refuse_impossible()
    verdict = scored.verdict
    if not verdict.decided or (len(verdict.first) > 1 and not slip.draws):
        scored.refuse_undecided()
    is_draw = len(verdict.first) == len(everyone)
    score: Score = "=" if is_draw else SeatPlaces(tuple(places(points, verdict.first)))
    result = result_of(slip, score, points, is_unfinished=bool(ended))
    return ReadResult(slip.table, _with_ending(result, "" if verdict.reached else ended), verdict.how)


def _refuse_points_without_play(slip: Slip, result: Result) -> None:
    """Raise TourneyError for points of a player who did not play, or if fewer than two played."""
    absent = [seat.outcome is Outcome.FORFEIT_LOSS for seat in result.seats]
    is_unplayed = len(absent) - sum(absent) < 2
    for number, seat in enumerate(result.seats):
        if seat.score and any(absent) and (absent[number] or is_unplayed):
            name = slip.name(number if absent[number] else absent.index(True))
            why = f"{name} {'forfeits without play' if result.ended == RULING else 'did not show'}"
            if is_unplayed:
                raise slip.error(
                    f"{why}, so no player can have a score of {seat.score}",
                    "leave out `--score`, or type the result of a game that was played",
                )
            raise slip.error(
                f"{why}, so {name} cannot have a score of {seat.score}", "0 for a player who did not play"
            )


def _refuse_other_ending(slip: Slip, result: Result, playing: Sequence[int], ended: str) -> None:
    """Raise TourneyError if a result without victory points contradicts how the game ended."""
    if not ended or slip.best_of > 1:
        return
    game = slip.find_game()
    end = (game.ends if game else {end.word: end for end in USUAL_ENDS})[ended]
    first = [seat for seat in playing if result.seats[seat].place == 1]
    if end.wins == "nobody" and len(first) < len(playing):
        raise slip.error(
            f"{end.says}{cited(end.cite)}: {slip.name(first[0])} did not win",
            f"{slip.command(f'= --ended {ended}')}, or leave out `--ended`",
        )
    if end.wins != "nobody" and not end.draw and len(first) > 1:
        raise slip.error(
            f"{end.says}{cited(end.cite)}, so one player won: it is not a draw",
            "type who won, or leave out `--ended`",
        )


def _ending_of_draw(slip: Slip, score: Score, result: Result) -> str:
    """Return the ending that the rules imply for a draw reported without one; empty if none.

    Raises TourneyError if the rules allow only certain endings for a draw, so that the report must name one.
    """
    game = slip.find_game()
    if game is None or slip.best_of > 1 or not is_drawn(result):
        return ""
    if slip.drawn_by:
        text = format_score(score)
        commands = listed((slip.command(f"{text} --ended {word}") for word in slip.drawn_by), "or")
        raise slip.error(
            game.when_drawn(len(slip.seats)),
            f"{commands} if it ended that way; {slip.command('id')} if the players agreed not to play",
        )
    return game.plain_draw.word if isinstance(game, Scoring) and game.plain_draw else ""


@dataclass(frozen=True, slots=True)
class _ScoredGame:
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
        """The winners by the points."""
        return self.game.winners(self.scores, self.ended)

    def name(self, index: int) -> str:
        return self.slip.name(self.playing[index])

    def command(self, score: str, ended: str = "") -> str:
        """Return the command that enters these points with a score and an ending, if not empty."""
        points = ",".join(map(str, self.points))
        parts = [score, f"--score {points}", f"--ended {ended}" if ended else ""]
        return self.slip.command(" ".join(filter(None, parts)))

    def win_of(self, index: int) -> str:
        """Return the score by which the player at position `index` of `playing` wins."""
        seat, seats = self.playing[index], len(self.slip.seats)
        if seats == 2:
            return ("1-0", "0-1")[seat]
        if len(self.playing) == seats:
            return ",".join(map(str, places(self.scores, (index,))))
        others = iter(range(2, seats + 1))
        return ",".join("1" if number == seat else str(next(others)) for number in range(seats))

    def check(self, result: Result, kept: str) -> ReadResult:
        """Return a reported result if the points agree with it.

        kept: the ending that the result records; empty if it records none
        """
        self.refuse_impossible()
        verdict, table = self.verdict, self.slip.table
        if self.slip.best_of > 1 or (result.ended == "id" and not verdict.reached):
            return ReadResult(table, _with_ending(result, kept))
        first = tuple(index for index, seat in enumerate(self.playing) if result.seats[seat].place == 1)
        if not verdict.allows(first):
            self.refuse_winner(first)
        warning = _odd_places(self.slip, result)
        if verdict.reached:
            reason = "" if verdict.decided else f"{verdict.how}, and {self.name(first[0])} was first"
            return ReadResult(table, result, reason, warning)
        reason = verdict.how if self.ended else ""
        return ReadResult(table, _with_ending(result, self.ended), reason, warning)

    def refuse_impossible(self) -> None:
        """Raise TourneyError if points are impossible, or if too many players reached the goal."""
        faults = [self.game.impossible(score, len(self.scores)) for score in self.scores]
        for fault in [*faults, self.game.too_many(self.scores)]:
            if fault is not None:
                raise self.slip.error(fault, "check the result slip")

    def refuse_undecided(self) -> NoReturn:
        """Raise TourneyError for points that do not decide the game.

        The hint shows how to enter the winner.
        """
        verdict = self.verdict
        if verdict.first and verdict.drawn != "must":
            ended = "" if verdict.reached else self.ended
            raise self.slip.error(
                f"{verdict.how}: type who {'was first' if verdict.reached else 'won'}",
                f"{self.command(self.win_of(verdict.first[0]), ended)} if it was "
                f"{self.name(verdict.first[0])}",
            )
        needs_winner = ": this match needs a winner" if verdict.first else ""
        raise self.slip.error(f"{verdict.how}{needs_winner}", self._other_ending(self.win_of(0), (0,)))

    def refuse_winner(self, first: tuple[int, ...]) -> NoReturn:
        """Raise TourneyError for a reported result that the points contradict.

        first: the positions in `playing` that share first place by the report
        """
        verdict = self.verdict
        wrong = "it is not a draw" if len(first) > 1 else f"{self.name(first[0])} did not win"
        hint = self._other_ending(format_score(self.score) if self.score else "", first)
        if not verdict.first:
            raise self.slip.error(f"{verdict.how}: the game is not over", hint)
        if verdict.drawn == "must":
            drawn = f"{self.command('=', self.ended)} if it ended that way; " if self.slip.draws else ""
            raise self.slip.error(f"{verdict.how}: {wrong}", f"{drawn}{hint}")
        if len(verdict.first) > 1:
            winner = "one of them" if verdict.reached else "one player"
            ended = "" if verdict.reached else self.ended
            winning = self.command(self.win_of(verdict.first[0]), ended)
            raise self.slip.error(
                f"{verdict.how}, so {winner} won: {wrong}",
                f"{winning} if it was {self.name(verdict.first[0])}; {hint}",
            )
        decides = ""
        if len(self.scores) == len(self.slip.seats):
            decides = (
                f"{self.command('', '' if verdict.reached else self.ended)} takes the winner from the score; "
            )
        raise self.slip.error(f"{verdict.how}, so {self.name(verdict.first[0])} won: {wrong}", decides + hint)

    def _other_ending(self, score: str, first: tuple[int, ...]) -> str:
        """Return a hint: the command that enters a score with an ending that allows it."""
        word, *others = [end for end in self.game.ends if self.game.winners(self.scores, end).allows(first)]
        more = f" (or {listed(others, 'or')})" if others else ""
        return f"if the game ended another way, {self.command(score, word)}{more}"


def _odd_places(slip: Slip, result: Result) -> str:
    """Return a warning if a player below first place is placed behind a lower score; else empty.

    The rules of games only determine the first place, so this can be right.
    """
    rest = [(seat, name) for seat, name in zip(result.seats, slip.names, strict=False) if seat.place > 1]
    for seat, name in rest:
        for other, other_name in rest:
            if (seat.score or 0) > (other.score or 0) and seat.place > other.place:
                return (
                    f"table {slip.table}: {name} ({seat.score}) is placed behind {other_name} ({other.score})"
                )
    return ""
