"""Parse a reported score, and turn it into the result of a table.

A `Report` describes the result of a table. Its score is a `Score`, or text that `parse_score` parses. For two
seats, the forms are, in seat order:

    2-1                  games won; 2-1-1 adds the drawn games (in a best of one: 1-0, 0-1, 0-0-1)
    w  l  d              seat 1 won, lost or drew; in a best of three, w is 2-0; other forms of d are
                         =, ½-½ and 1/2-1/2
    id                   intentional draw: no game was played, and all count as drawn (0-0-3 in a best of
                         three)
    ff1  ff2  ff         seat 1, seat 2 or both did not show
    forfeit1  forfeit2   seat 1 or seat 2 forfeits by a judge's ruling, without play; forfeit: both do (for a
                         match lost by a ruling see `tourney.event.penalties`)
    dl                   both players met, and both lose by a ruling
    red  blue            this side won, in a game with sides and matches of one game

At tables of any size, a score can be places in seat order: `1,3,2`, or `1,1,3` if places are shared. Instead
of a number, `ff` means that the player did not show, and `forfeit` that the player forfeits. With `=` and
`id` all players share first place; `dl` is a loss for all.

`tourney.event.game_score` checks victory points, and endings other than by the score. `read_result` in
`tourney.event.results` reads a whole report.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct, structs

from tourney.errors import TourneyError, combine_errors
from tourney.event.kind import FindGame, at_place, no_game
from tourney.event.phrases import RULING, tables_text
from tourney.event.settings import MOST_GAMES, Settings
from tourney.record import (
    DrawnGame,
    Outcome,
    PlayerId,
    Result,
    Seat,
    games_needed,
    most_decided_games,
    normalize_digits,
)
from tourney.wording import counted

# -- reports


class Games(Struct, frozen=True):
    """The games that each of two seats won, and the drawn games: `2-1`, `2-1-1`."""

    won: tuple[int, int]
    drawn: int = 0


class SeatPlaces(Struct, frozen=True):
    """The place of each seat: `1,3,2`.

    A place of None means that the player did not show, or if `by_ruling` is set, that the player forfeits.
    """

    places: tuple[int | None, ...]
    by_ruling: bool = False


Score = Games | SeatPlaces | Literal["=", "id", "dl"]
"""`=`: a played draw; `id`: an intentional draw; `dl`: a loss for all."""


def format_score(score: Score) -> str:
    """Format a score so that `parse_score` can parse it.

    >>> scores = Games((2, 1), 1), SeatPlaces((None, 1)), SeatPlaces((1, None, 2))
    >>> tuple(map(format_score, scores))
    ('2-1-1', 'ff1', '1,ff,2')
    """
    if isinstance(score, Games):
        return "-".join(map(str, (*score.won, score.drawn) if score.drawn else score.won))
    if not isinstance(score, SeatPlaces):
        return score
    away, places = _FORFEIT if score.by_ruling else _NO_SHOW, score.places
    if all(place is None for place in places):
        return away
    if {*places} == {None, 1} and len(places) == 2:
        return f"{away}{places.index(None) + 1}"
    return ",".join(away if place is None else str(place) for place in places)


_NO_SHOW, _FORFEIT = "ff", "forfeit"


class Report(Struct, frozen=True, kw_only=True):
    """A reported result of a table, or the same result for several tables.

    tables: `4`, `4..7` or `2,4,9`; or a player at a table. In `score` and `points`, this player then comes
            first
    score:  the score, or its text before it is parsed; None if the victory points decide
    points: the victory points, or their text before they are parsed; None without them
    ended:  how the game ended, if not by its score: `time`, or another word that the game allows
    place:  the file and line from which the report was read, for messages
    """

    tables: str | int = ""
    score: Score | str | None = None
    points: tuple[int, ...] | str | None = None
    ended: str = ""
    place: str = ""

    @property
    def score_text(self) -> str:
        """The score as text that `parse_score` can parse; empty if the victory points decide."""
        return self.score if isinstance(self.score, str) else format_score(self.score) if self.score else ""

    def words(self, round_number: int | None = None) -> str:
        """Return the score and the options for a command: `2-0 --score 32,18 --time`."""
        points = self.points if isinstance(self.points, str) else ",".join(map(str, self.points or ()))
        words = (
            shell_word(self.score_text) if self.score else "",
            f"--score {points}" if points else "",
            "--time" if self.ended == "time" else f"--ended {self.ended}" if self.ended else "",
            "" if round_number is None else f"--round {round_number}",
        )
        return " ".join(filter(None, words))


def report_of(table: int, result: Result, best_of: int) -> Report:
    """Return a report that gives a table this result. Its score and points are in seat order.

    best_of: the maximum number of games in the match
    """
    points = tuple(seat.score for seat in result.seats if seat.score is not None)
    is_forfeit = any(seat.outcome is Outcome.FORFEIT_LOSS for seat in result.seats)
    is_in_score = result.ended == "id" or (result.ended == RULING and is_forfeit)
    return Report(
        tables=table,
        score=_score_of(result, best_of),
        points=points if len(points) == len(result.seats) else None,
        ended="" if is_in_score else result.ended,
    )


def _score_of(result: Result, best_of: int) -> Score:
    seats, outcomes = result.seats, {seat.outcome for seat in result.seats}
    if result.ended == "id":
        return "id"
    if outcomes == {Outcome.DOUBLE_LOSS}:
        return "dl"
    drawn = result.drawn_games if outcomes == {Outcome.DRAW} else 0
    if Outcome.FORFEIT_LOSS not in outcomes:
        if len(seats) > 2 and drawn:
            return "=" if drawn == 1 else "id"
        no_games = not any(seat.games for seat in seats) and (result.ended != "time" or best_of == 1)
        if len(seats) == 2 and no_games and drawn == 1:
            return "="
        if len(seats) == 2 and (drawn or not no_games):
            return Games((seats[0].games, seats[1].games), result.drawn_games)
    places = (None if seat.outcome is Outcome.FORFEIT_LOSS else seat.place for seat in seats)
    return SeatPlaces(tuple(places), result.ended == RULING)


# -- a line of text


class SlipExamples(NamedTuple):
    """Examples of scores that suit an event.

    result, other: scores of two results
    changed: a score that corrects `result`
    points: victory points of a table
    """

    result: str
    other: str
    changed: str
    points: str = "32,18"


BEST_OF_THREE = SlipExamples("2-1", "2-0", "1-2")


def parse_lines(
    lines: Iterable[str], *, source: str, time: bool, examples: SlipExamples = BEST_OF_THREE
) -> tuple[Report, ...]:
    """Parse lines as `parse_line` does. Blank lines and comments are skipped.

    Raises a TourneyError that names every line that is not a report. Also raises TourneyError if there are no
    reports.
    """
    reports, faults = [], []
    for number, line in enumerate(lines, 1):
        try:
            report = parse_line(line, place=f"{source}:{number}", time=time, examples=examples)
        except TourneyError as fault:
            faults.append(fault)
        else:
            reports += [report] if report else []
    if faults:
        raise combine_errors(faults)
    if not reports:
        raise TourneyError(
            f"{source}: no results found", f"write a line such as `4 {examples.result}` for each table"
        )
    return tuple(reports)


def parse_line(
    line: str, *, place: str = "", time: bool = False, examples: SlipExamples = BEST_OF_THREE
) -> Report | None:
    """Parse a line: `4 2-1`, `4 2-1 32,18`, `4 --score 32,18`, `Lena Thorn 2-0` or `#7 2-0`.

    Return None for a blank line or a comment. A comment begins with `#`, but at the start of a line, `#`
    before a digit is a player's number. The options `--time`, `--ended WORD` and `--score N,N` come last, in
    any order. Raises TourneyError for any other line.

    place:    file and line, for messages
    time:     whether time was called at all tables
    examples: scores that suit the event, for hints
    """
    text = re.sub(r"(?<=.)#.*|^#(?!\d).*", "", line.strip())
    if not text:
        return None
    words, *texts = re.split(r"(?:^|\s+)(?=--)", text)
    options = [_OPTION.fullmatch(option) for option in texts]
    values = {match[1] or match[2]: match[3] for match in options if match}
    table_words, score, points = _split_words(words.split(), values.get("score"))
    with at_place(place):
        if not table_words or None in options or (is_table_list(table_words[0]) and len(table_words) > 1):
            raise TourneyError(
                f"`{line.strip()}` is not a table and a score",
                f"write a line such as `4 {examples.result}` or `lena {examples.result}`, "
                f"with victory points `4 {examples.result} {examples.points}`",
            )
        return Report(
            tables=" ".join(table_words).strip('"'),
            score=score or None,
            points=points,
            ended=ending(values.get("ended") or "", time=time or "time" in values),
            place=place,
        )


_OPTION = re.compile(r"--(?:(time)|(score|ended)(?:=|\s+)(\S+))\s*")


def _split_words(words: list[str], points: str | None) -> tuple[list[str], str, str | None]:
    """Split a line without options into the table, the score and the victory points."""
    by_table = bool(words) and is_table_list(words[0])
    if points is not None:
        whole = " ".join(words)
        is_name = whole[:1] == whole[-1:] == '"' or not (by_table or _is_score(whole.split(" ")[-1]))
        return (words, "", points) if len(words) < 2 or is_name else (words[:-1], words[-1], points)
    if len(words) > 2 and (by_table or ("," in words[-1] and all(map(_is_score, words[-2:])))):
        return words[:-2], words[-2], words[-1]
    return words[:-1], "".join(words[-1:]), None


def _is_score(word: str) -> bool:
    """Return whether a word looks like a score or victory points: `2-1`, `draw`, `34,12`."""
    plain = normalize_digits(word).lower()
    return plain in _SCORE_WORDS or re.fullmatch(r"(?=.*\d)[\dfF,:-]+", plain) is not None


def ending(word: str, *, time: bool) -> str:
    """Return how a game ended, by the options `--ended` (`word`) and `--time`.

    Raises TourneyError if the options contradict each other.
    """
    word = normalize_digits(word).strip().lower()
    if time and word not in {"", "time"}:
        raise TourneyError(f"`--time` contradicts `--ended {word}`", "leave out `--time` or `--ended`")
    return "time" if time else word


def shell_word(text: str) -> str:
    """Return a text as a word of a command line, in quotes if a shell needs them.

    >>> shell_word("lena"), shell_word("Lena Thorn"), shell_word("#7")
    ('lena', '"Lena Thorn"', '"#7"')
    """
    return text if re.fullmatch(r"[\w.,=-]+", text) else f'"{text}"'


# -- tables by number


def is_table_list(text: str) -> bool:
    """Return whether a text consists of table numbers that `parse_tables` can parse."""
    return re.fullmatch(r"[\d.,\s]+", normalize_digits(text).strip()) is not None


def parse_tables(text: str | int, numbers: Collection[int]) -> tuple[int, ...]:
    """Return the numbers of the tables that a text such as `4`, `4..7` or `2,4,9` names.

    Raises TourneyError for an unknown table, and for any other text.

    numbers: the numbers of the round's tables. A mapping or a set is faster to search than a list
    """
    chosen_tables: dict[int, None] = {}
    for part in str(text).split(","):
        span = re.fullmatch(r"\s*(\d{1,7})(?:\s*\.\.\s*(\d{1,7}))?\s*", part)
        if not span:
            raise TourneyError(f"`{text}` is not a table", "`4`, `4..7` or `2,4,9`")
        first, last = int(span[1]), int(span[2] or span[1])
        if first > last:
            raise TourneyError(
                f"in `{part.strip()}`, the first table number is greater than the last", f"`{last}..{first}`"
            )
        for table in (first, last):
            if table not in numbers:
                hint = f"the tables of the round: {tables_text([*numbers]) or 'none'}"
                raise TourneyError(f"there is no table {table} in this round", hint)
        tables = [first] if first == last else [number for number in numbers if first <= number <= last]
        chosen_tables |= dict.fromkeys(tables)
    return tuple(chosen_tables)


# -- the table that a score is for


class Slip(Struct, frozen=True, kw_only=True):
    """A table and the rules of its match, for parsing a score.

    seats:        the players in seat order; if the score is from a player's point of view, that player is
                  first
    best_of:      the maximum number of games of a match
    draws:        whether a match may end without a winner
    drawn_game:   what happens after a drawn game; see `tourney.event.settings`
    named:        how the report named the table, if by a player; empty if by the table's number
    names:        the names of the players, in the order of `seats`
    sides:        the side of each of `seats`; empty if the game has no sides
    is_entered:   whether the table has a result
    round_option: ` --round 2` if the table is in an earlier round, else empty
    unshared:     the number of top places that must not be shared at a bracket's table of three or more,
                  because the players in these places advance; not used at a table of two, and 0 outside a
                  bracket
    find_game:    returns the rules by which the game is won
    """

    table: int
    seats: tuple[PlayerId, ...]
    best_of: int = 1
    draws: bool = True
    drawn_game: DrawnGame = "again"
    named: str = ""
    names: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    is_entered: bool = False
    round_option: str = ""
    unshared: int = 0
    find_game: FindGame = no_game

    def command(self, score: str) -> str:
        """Return the command that enters a score at this table."""
        words = f"{self.named or self.table} {score}{self.round_option}"
        return f"`tourney result change {words}`" if self.is_entered else f"`tourney result add {words}`"

    def name(self, seat: int) -> str:
        """Return the name of the player at a position of `seats`."""
        return self.names[seat] if self.names else f"seat {seat + 1}"

    def error(self, fault: str, hint: str | None = None) -> TourneyError:
        """Return an error that names the table. hint: None for a hint with examples of results."""
        return TourneyError(f"table {self.table}: {fault}", hint or f"a result is {self.forms}")

    @property
    def needed(self) -> int:
        """The number of games that wins the match."""
        return games_needed(self.best_of)

    @property
    def decided(self) -> int:
        """The maximum number of games in the match, not counting drawn games."""
        return most_decided_games(self.best_of, draws=self.draws)

    @property
    def order(self) -> str:
        """A phrase for the order of the players in a result: `in seat order`, `with Mira's first`.

        At a table of three or more, the phrase lists all names in that order.
        """
        if len(self.names) > 2:
            names = ", ".join(self.names)
            return f"in the named order ({names})" if self.named else f"in seat order ({names})"
        return f"with {self.names[0]}'s first" if self.named and self.names else "in seat order"

    @property
    def drawn_by(self) -> tuple[str, ...]:
        """The endings that make a game a draw, if a reported draw must name one of them; else empty."""
        return self.find_game().drawn_by(len(self.seats))

    @property
    def forms(self) -> str:
        """Examples of results that are valid at this table, for a message that begins `a result is`."""
        if len(self.seats) != 2:
            example = [*range(1, len(self.seats) + 1)]
            example[1:3] = reversed(example[1:3])
            return f"the places {self.order}, such as `{','.join(map(str, example))}`"
        needed, lost = self.needed, self.decided - self.needed
        forms = [f"{needed}-{lost}"]
        if self.best_of == 1:
            forms += ["0-1", *(side.lower() for side in self.sides)]
        elif self.decided % 2 == 0:
            forms.append(f"{self.best_of // 2}-{self.best_of // 2}")
        elif self.drawn_game != "none":
            forms.append(f"{needed}-{lost - (self.drawn_game == 'stands')}-1")
        endings = self.drawn_by if self.best_of == 1 else ()
        draws = [*([f"= --ended {word}" for word in endings] or ["=", "d"]), "id"] if self.draws else []
        return ", ".join(f"`{form}`" for form in [*forms, "w", "l", *draws, "ff1", "ff2", "dl"])


def slip_examples(settings: Settings) -> SlipExamples:
    """Return examples of scores for an event: `2-1` in a best of three, places at larger tables."""
    if 2 not in settings.match.seats:
        first, second, *rest = (str(place) for place in range(1, min(settings.match.seats) + 1))
        points = ",".join(str(9 - place) for place in range(len(rest) + 2))
        score_order = [first, *rest[:1], second, *rest[1:]]
        in_order, corrected = [first, second, *rest], [second, first, *rest]
        return SlipExamples(",".join(score_order), ",".join(in_order), ",".join(corrected), points)
    slip = Slip(table=0, seats=(), best_of=settings.match.best_of, draws=settings.match.draws)
    won, lost = slip.needed, slip.decided - slip.needed
    return SlipExamples(f"{won}-{lost}", f"{won}-0", f"{lost}-{won}")


# -- from a report to a result


class ReadResult(Struct, frozen=True):
    """The result that a report gives a table.

    reason:  the reason for the result, if the victory points decide it; else empty
    warning: a warning if something about the result is odd; else empty
    """

    table: int
    result: Result
    reason: str = ""
    warning: str = ""


def is_drawn(result: Result) -> bool:
    """Return whether a result is a draw that was played, not an intentional draw."""
    return result.ended != "id" and any(seat.outcome is Outcome.DRAW for seat in result.seats)


def parse_score(slip: Slip, text: str) -> Score:
    """Parse a score for the match at a table. Raises TourneyError if the text is not a score.

    slip: the table and the rules of its match
    """
    plain = re.sub(r"\s*[-:]\s*", "-", normalize_digits(text).strip().lower())
    plain = _SYNONYMS.get(plain, plain)
    if plain in _SAME_FOR_ALL:
        return _SAME_FOR_ALL[plain]
    if plain in {_NO_SHOW, _FORFEIT}:
        return SeatPlaces((None,) * len(slip.seats), plain == _FORFEIT)
    score = (_parse_score_of_two(slip, plain) if len(slip.seats) == 2 else None) or _parse_places(slip, plain)
    if score is None:
        raise slip.error(f"`{text}` is not a result")
    return score


_SYNONYMS = {
    **dict.fromkeys(("d", "draw", "drawn", "tie", "½-½", "1/2-1/2", ".5-.5", "0.5-0.5"), "="),
    **dict.fromkeys(("win", "won"), "w"),
    **dict.fromkeys(("loss", "lost"), "l"),
}
_SAME_FOR_ALL: Mapping[str, Score] = {"=": "=", "id": "id", "dl": "dl"}
_SCORE_WORDS = frozenset({*_SYNONYMS, *_SYNONYMS.values(), *_SAME_FOR_ALL, "ff"})


def _parse_score_of_two(slip: Slip, plain: str) -> Score | None:
    sides = [side.lower() for side in slip.sides]
    if plain in sides and slip.best_of > 1:
        raise slip.error(f"`{plain}` does not say who won: sides change from game to game")
    if plain in {"w", *sides[:1]}:
        return SeatPlaces((1, 2))
    if plain in {"l", *sides[1:]}:
        return SeatPlaces((2, 1))
    if absent := re.fullmatch(r"(ff|forfeit)([12])", plain):
        return SeatPlaces((None, 1) if absent[2] == "1" else (1, None), absent[1] == _FORFEIT)
    if games := re.fullmatch(r"(\d{1,4})-(\d{1,4})(?:-(\d{1,4}))?", plain):
        return Games((int(games[1]), int(games[2])), int(games[3] or 0))
    return None


def _parse_places(slip: Slip, plain: str) -> Score | None:
    parts = [part.strip() for part in plain.split(",")]
    away = {part for part in parts if part in {_NO_SHOW, _FORFEIT}}
    if not all(part in away or re.fullmatch("[0-9]{1,2}", part) for part in parts):
        return None
    if len(parts) == 1 and len(slip.seats) == 2:
        return None
    if len(away) > 1:
        raise slip.error(
            f"`{plain}` has both a no-show and a forfeit by a ruling",
            f"use the same word for all these players: `{_NO_SHOW}`, or `{_FORFEIT}` for a ruling",
        )
    return SeatPlaces(tuple(None if part in away else int(part) for part in parts), _FORFEIT in away)


def result_of(
    slip: Slip, score: Score, points: Sequence[int] | None = None, *, is_unfinished: bool = False
) -> Result:
    """Return the result that a score gives at the table of `slip`.

    is_unfinished: whether the match was ended early, by time or in another way

    Raises TourneyError if the score cannot end the match.
    """
    everyone = len(slip.seats)
    if score == "id":
        result = _result(slip, [Outcome.DRAW] * everyone, drawn=slip.best_of, ended="id")
    elif score == "=":
        result = _result(slip, [Outcome.DRAW] * everyone, drawn=1)
    elif score == "dl":
        result = _result(slip, [Outcome.DOUBLE_LOSS] * everyone)
    elif isinstance(score, Games):
        _refuse_impossible(slip, score, is_unfinished=is_unfinished)
        result = _result_of_games(slip, score)
    else:
        result = _result_of_places(slip, score)
    if everyone > 2 and score != "dl":
        _refuse_shared_place(slip, score, result)
    if not slip.draws and any(seat.outcome is Outcome.DRAW for seat in result.seats):
        raise slip.error(f"`{format_score(score)}` is a draw, and this match needs a winner")
    if points is None:
        return result
    seats = zip(result.seats, points, strict=True)
    return structs.replace(result, seats=tuple(structs.replace(seat, score=number) for seat, number in seats))


def _result(
    slip: Slip,
    outcomes: Sequence[Outcome],
    *,
    places: Sequence[int] = (),
    games: Sequence[int] = (),
    drawn: int = 0,
    ended: str = "",
) -> Result:
    first_places, zeros = [1] * len(slip.seats), [0] * len(slip.seats)
    rows = zip(slip.seats, outcomes, places or first_places, games or zeros, strict=True)
    return Result(tuple(Seat(*row) for row in rows), drawn, ended)


def _result_of_games(slip: Slip, score: Games) -> Result:
    one, two = score.won
    outcomes = [Outcome.DRAW, Outcome.DRAW] if one == two else [Outcome.WIN, Outcome.LOSS]
    places = [1, 1] if one == two else [1, 2]
    if one < two:
        outcomes.reverse()
        places.reverse()
    is_unfinished = max(score.won) < slip.needed and sum(score.won) + score.drawn < slip.best_of
    ended = "time" if is_unfinished else ""
    return _result(slip, outcomes, places=places, games=score.won, drawn=score.drawn, ended=ended)


def _result_of_places(slip: Slip, score: SeatPlaces) -> Result:
    places, text = score.places, format_score(score)
    if len(places) != len(slip.seats):
        raise slip.error(
            f"`{text}` has {counted(len(places), 'place')}, but the table has {len(slip.seats)} seats"
        )
    present = sorted(place for place in places if place is not None)
    ranks = tuple(None if place is None else present.index(place) + 1 for place in places)
    if ranks != places:
        right = format_score(SeatPlaces(ranks, score.by_ruling))
        raise slip.error(f"the places `{text}` leave a gap", f"for the same order, write `{right}`")
    if places in {(1, 2), (2, 1)}:
        won = (slip.needed, 0) if places == (1, 2) else (0, slip.needed)
        return _result_of_games(slip, Games(won))
    first = Outcome.FORFEIT_WIN if len(present) < 2 else Outcome.DRAW if present[1] == 1 else Outcome.WIN
    outcomes = [
        Outcome.FORFEIT_LOSS if place is None else first if place == 1 else Outcome.LOSS for place in places
    ]
    behind = [len(present) + 1 if place is None else place for place in places]
    return _result(slip, outcomes, places=behind, ended=RULING if score.by_ruling else "")


def _refuse_impossible(slip: Slip, score: Games, *, is_unfinished: bool) -> None:
    """Raise TourneyError if a match cannot end with these numbers of won and drawn games."""
    won, drawn = score.won, score.drawn
    text, most, played = format_score(score).replace("-", "–"), max(won), sum(won) + drawn
    match = f"a best of {slip.best_of}" if slip.best_of % 2 else f"a match of {slip.best_of} games"
    # If the number of games is even, all are played, and drawn games are not played again.
    is_too_long = slip.decided % 2 == 0 and played > slip.best_of
    if most > slip.needed or sum(won) > slip.decided or drawn > MOST_GAMES or is_too_long:
        raise slip.error(f"{text} cannot end {match}")
    if drawn and slip.drawn_game == "none" and (won[0] != won[1] or slip.draws):
        raise slip.error(f"{text} has {counted(drawn, 'drawn game')}, but games cannot be drawn here")
    if drawn and slip.drawn_game == "stands" and slip.draws and played > slip.best_of:
        raise slip.error(f"{text} cannot end {match}, because a drawn game counts and is not played again")
    is_open = most < slip.needed and played < slip.best_of and (slip.draws or won[0] != won[1])
    if is_open and not is_unfinished:
        wins = "wins" if slip.needed == 1 else "win"
        raise slip.error(
            f"{text} does not end {match}: {counted(slip.needed, 'game')} {wins} it",
            f"if time was called: {slip.command(f'{format_score(score)} --time')}",
        )


def _refuse_shared_place(slip: Slip, score: Score, result: Result) -> None:
    """Raise TourneyError if a result at a bracket's table does not determine who advances."""
    places = sorted(seat.place for seat in result.seats if seat.outcome.played)
    shared_place = next((place for place in places[: slip.unshared] if places.count(place) > 1), None)
    if shared_place is not None:
        needed_text = "a winner" if slip.unshared == 1 else f"{slip.unshared} players who advance"
        raise slip.error(
            f"`{format_score(score)}` shares place {shared_place}, but the bracket needs {needed_text}"
        )
