"""How a result is typed, and what it means at a table of a game.

For two seats, in the seat order of the slip:

    2-1         games won; 2-1-1: and games drawn (a best of one: 1-0, 0-1, 0-0-1)
    w  l  d     seat 1 won, lost, drew; w in a best of three stands for 2-0; also = and ½-½ and 1/2-1/2 for d
    id          intentional draw: no game was played, and it stands as drawn games (0-0-3 in a best of three)
    ff1  ff2    seat 1 (2) did not show; ff: neither did (a match lost by a ruling is one that was lost: a penalty's)
    forfeit1  forfeit2   seat 1 (2) forfeits by a judge's ruling, without play; forfeit: both do
    dl          both met, both lose by ruling
    red  blue   that side won, in a game with sides and one game a match

Tables of any size: places in seat order, `1,3,2`; shared ones as `1,1,3`; `ff` in place of a number for a seat that
did not show, `forfeit` for one that forfeits by a ruling. `=` and `id` share the first place among all, `dl` is a loss for all.

In a game whose format has a score with a goal, `--score 34,12` alone says who has won, and whatever else is typed is held
against it: `Typed.ended` says how a game ended otherwise (`time`, `concession`, `ruling`, and what the format's text knows).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from msgspec import structs

from tourney.errors import TourneyError, combine_errors
from tourney.event.kind import at_place
from tourney.event.phrases import RULING, result_text, tables_text
from tourney.event.settings import MOST_GAMES
from tourney.record import (
    DrawnGame,
    NameOf,
    Outcome,
    PlayerId,
    Result,
    Seat,
    games_needed,
    most_decided_games,
    normalize_digits,
)
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.event.settings import Settings
    from tourney.rules.scoring import Said, Scoring, Unscored


# -- a line as it is typed


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """One line as it was typed: `4 2-1`, `4..7 2-0`, `lena 2-0` or `4 --score 34,12`.

    tables: one or several tables, or a player who sits at one; scores: victory points; place: file and line, for messages
    score:  empty where the victory points say who has won
    ended:  the word of how the game ended, where not by its score; time: time was called
    """

    tables: str | int
    score: str = ""
    scores: str | None = None
    time: bool = False
    place: str = ""
    ended: str = ""


def typed_lines(
    lines: Iterable[str], *, source: str, time: bool, examples: SlipExamples | None = None
) -> tuple[Typed, ...]:
    """Read lines as `typed_line` does. Blank lines and comments are skipped.

    Raises TourneyError naming every line that cannot be read, or if there is no result.
    """
    examples = examples or BEST_OF_THREE
    read, faults = [], []
    for number, line in enumerate(lines, 1):
        try:
            typed = typed_line(line, place=f"{source}:{number}", time=time, examples=examples)
        except TourneyError as fault:
            faults.append(fault)
        else:
            read += [typed] if typed else []
    if faults:
        raise combine_errors(faults)
    if not read:
        raise TourneyError(
            f"{source}: there is no result in it", f"a line `4 {examples.result}` for each table"
        )
    return tuple(read)


def typed_line(
    line: str, *, place: str = "", time: bool = False, examples: SlipExamples | None = None
) -> Typed | None:
    """Read a line `4 2-1`, `4 2-1 32,18`, `4 --score 32,18`, `Lena Thorn 2-0` or `#7 2-0`; None where it is blank or a comment.

    A comment begins with `#`; at the start of a line not where a digit follows, which is a player's number. `--time`,
    `--ended WORD` and `--score N,N` at its end are for this line. Raises TourneyError for any other line.

    place:    file and line, for messages
    examples: scores that fit the event, for hints
    """
    examples = examples or BEST_OF_THREE
    words = _spoken(line).split()
    if not words:
        return None
    words, options = _options_of_line(words)
    by_table = bool(words) and names_tables(words[0])
    named, scores = _parted(words, options.get("--score"), by_table=by_table)
    if not named or (by_table and len(named) > 1):
        with at_place(place):
            raise TourneyError(
                f"`{line.strip()}` is not a table and a score",
                f"a line `4 {examples.result}` or `lena {examples.result}`, "
                f"with victory points `4 {examples.result} {examples.points}`",
            )
    return Typed(
        tables=" ".join(named).strip('"'),
        score=scores[0],
        scores=scores[1] if len(scores) == 2 else None,
        time=time or "--time" in options,
        place=place,
        ended=options.get("--ended", ""),
    )


def _spoken(line: str) -> str:
    """Return a line without its comment.

    >>> [_spoken(line) for line in ("# round 1", "4 2-1 # late", "#7 2-0 # late", "#")]
    ['', '4 2-1 ', '#7 2-0 ', '']
    """
    numbered = re.match(r"\s*#(?=\d)", line)
    start = numbered.end() if numbered else 0
    return line[:start] + line[start:].partition("#")[0]


def _options_of_line(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Take the options from the end of a line.

    >>> _options_of_line("4 1-0 --score 9,7 --ended deck --time".split())
    (['4', '1-0'], {'--time': '', '--ended': 'deck', '--score': '9,7'})
    """
    options: dict[str, str] = {}
    while words:
        name, equals, value = words[-1].partition("=")
        if words[-1] == "--time":
            options["--time"], words = "", words[:-1]
        elif equals and name in _LINE_OPTIONS:
            options[name], words = value, words[:-1]
        elif len(words) > 1 and words[-2] in _LINE_OPTIONS:
            options[words[-2]], words = words[-1], words[:-2]
        else:
            break
    return words, options


_LINE_OPTIONS = ("--score", "--ended")


def _parted(words: list[str], points: str | None, *, by_table: bool) -> tuple[list[str], list[str]]:
    """Part a line into the words for the table, and the score with the victory points, where there are any."""
    if points is None:
        both = len(words) > 2 and (by_table or ("," in words[-1] and all(map(_is_score, words[-2:]))))
        return (words[:-2], words[-2:]) if both else (words[:-1], words[-1:])
    whole = " ".join(words)
    if len(words) < 2 or whole[:1] == whole[-1:] == '"' or not (by_table or _is_score(words[-1])):
        return words, ["", points]
    return words[:-1], [words[-1], points]


def _is_score(word: str) -> bool:
    """Say whether a word looks like a score: what stands before victory points."""
    plain = normalize_digits(word).lower()
    return plain in _SHORT or re.fullmatch(r"(?=.*\d)[\dfF,:-]+", plain) is not None


_DRAWN = frozenset({"d", "=", "½-½", "1/2-1/2", ".5-.5", "0.5-0.5"})


_WORDS = {"win": "w", "won": "w", "loss": "l", "lost": "l", "draw": "d", "drawn": "d", "tie": "d"}


_SHORT = frozenset({*_WORDS, *_WORDS.values(), *_DRAWN, "id", "dl", "ff"})


def names_tables(text: str) -> bool:
    """Say whether a text is numbers of tables, as `read_tables` reads them."""
    return re.fullmatch(r"[\d.,\s]+", normalize_digits(text).strip()) is not None


def read_tables(text: str | int, numbers: Collection[int]) -> tuple[int, ...]:
    """Return the tables meant by `4`, `4..7` or `2,4,9`; numbers: the tables of the round, best as a mapping or a set.

    Raises TourneyError for a table that does not exist.
    """
    chosen: dict[int, None] = {}
    for part in str(text).split(","):
        span = re.fullmatch(r"\s*(\d{1,7})(?:\s*\.\.\s*(\d{1,7}))?\s*", part)
        if not span:
            raise TourneyError(f"`{text}` is not a table", "`4`, `4..7` or `2,4,9`")
        first, last = int(span[1]), int(span[2] or span[1])
        if first > last:
            raise TourneyError(f"`{part.strip()}` runs backwards", f"`{last}..{first}`")
        if first not in numbers or last not in numbers:
            missing = first if first not in numbers else last
            raise TourneyError(f"there is no table {missing} in this round", _known([*numbers]))
        tables = [first] if first == last else [number for number in numbers if first <= number <= last]
        chosen |= dict.fromkeys(tables)
    return tuple(chosen)


def _known(numbers: Sequence[int]) -> str:
    if not numbers:
        return "nobody is at a table"
    return (
        f"there are tables {tables_text(numbers)}"
        if len(numbers) > 1
        else f"there is only table {numbers[0]}"
    )


def quoted(text: str) -> str:
    """Return a word of a command line as a shell must have it.

    >>> quoted("lena"), quoted("Lena Thorn"), quoted("#7")
    ('lena', '"Lena Thorn"', '"#7"')
    """
    return text if re.fullmatch(r"[\w.,-]+", text) else f'"{text}"'


# -- what is read for a table that waits for its result


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A table that waits for its result, and what a match is here.

    seats:   the players in seat order
    best_of: games a match can have; draws: whether it may end without a winner; drawn: what a drawn game is within it
    time:    whether the match was ended by time, so that it need not be finished
    typed:   how the table was named, where not by its number
    names:   how the players are called, in the order of `seats`
    sides:   what each of `seats` plays, where sides are unequal
    points:  victory points as a game can end with, for an example; empty where nothing is known of them
    entered: whether it has a result already; earlier: ` --round 2` where it is not of the current round
    apart:   at a table of three and more, how many of the first places nobody may share
    drawn_by: by which ends alone a game is drawn here; empty: by whatever
    """

    table: int
    seats: tuple[PlayerId, ...]
    best_of: int = 1
    draws: bool = True
    drawn: DrawnGame = "again"
    time: bool = False
    typed: str = ""
    names: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    entered: bool = False
    earlier: str = ""
    apart: int = 0
    drawn_by: tuple[str, ...] = ()

    def command(self, score: str) -> str:
        """Return the command that enters a score here."""
        typed = f"{self.typed or self.table} {score}{self.earlier}"
        return f"`tourney result change {typed}`" if self.entered else f"`tourney result add {typed}`"

    @property
    def needed(self) -> int:
        """Games that win the match."""
        return games_needed(self.best_of)

    @property
    def order(self) -> str:
        """In which order seats are typed: `in seat order`, at a table of three and more with the names."""
        if len(self.names) > 2:
            named = ", ".join(self.names)
            return f"in the order {named}" if self.typed else f"in seat order ({named})"
        return f"with {self.names[0]}'s first" if self.typed and self.names else "in seat order"

    @property
    def places(self) -> str:
        """What places look like here: `places in seat order (Ada, Ben, Cleo), `1,3,2``."""
        example = [*range(1, len(self.seats) + 1)]
        example[1:3] = reversed(example[1:3])
        return f"places {self.order}, `{','.join(map(str, example))}`"

    @property
    def decided(self) -> int:
        """Games that somebody can win in it: one more than an even number of them, where there must be a winner."""
        return most_decided_games(self.best_of, draws=self.draws)

    @property
    def drawn_forms(self) -> tuple[str, ...]:
        """How a match of two is typed that was played to a draw."""
        if self.drawn_by and self.best_of == 1:
            return tuple(f"= --ended {word}" for word in self.drawn_by)
        return ("d", "½-½")

    @property
    def forms(self) -> str:
        """How a result of two can be typed here: nothing that would be refused."""
        lost = self.decided - self.needed
        games = [f"{self.needed}-{lost}", f"{lost}-{self.needed}" if self.best_of == 1 else ""]
        if self.decided % 2:
            with_a_draw = {
                "again": f"{self.needed}-{lost}-1",
                "stands": f"{self.needed}-{lost - 1}-1",
                "none": "",
            }
            games.append(with_a_draw[self.drawn] if self.best_of > 1 else "")
        else:
            games.append(f"{self.best_of // 2}-{self.best_of // 2}")
        drawn = [*self.drawn_forms, "id"] if self.draws else []
        sides = [side.lower() for side in self.sides] if self.best_of == 1 else []
        forms = [*filter(None, games), *sides, "w", "l", *drawn, "ff1", "ff2", "dl"]
        return ", ".join(f"`{form}`" for form in forms)


class SlipExamples(NamedTuple):
    """Scores that a slip of the event can have.

    result, other: two results; changed: another score for `result`; points: victory points of a table
    """

    result: str
    other: str
    changed: str
    points: str = "32,18"


BEST_OF_THREE = SlipExamples("2-1", "2-0", "1-2")


def slip_examples(settings: Settings) -> SlipExamples:
    """Return scores that fit an event: `2-1` in a best of three, `1-0` in a best of one, places at larger tables."""
    if 2 not in settings.match.seats:
        places = [str(place) for place in range(1, min(settings.match.seats) + 1)]
        first, second, *rest = places
        swapped = [first, *reversed(places[1:3]), *places[3:]]
        points = ",".join(str(9 - place) for place in range(len(places)))
        return SlipExamples(",".join(swapped), ",".join(places), ",".join([second, first, *rest]), points)
    slip = Slip(table=0, seats=(), best_of=settings.match.best_of, draws=settings.match.draws)
    won, lost = slip.needed, slip.decided - slip.needed
    return SlipExamples(f"{won}-{lost}", f"{won}-0", f"{lost}-{won}")


@dataclass(frozen=True, slots=True)
class ReadResult:
    """A table's result as it was read.

    how: by what it was decided, if the victory points decide
    odd: a warning about it, though it can be entered
    """

    table: int
    result: Result
    how: str = ""
    odd: str = ""

    def text(self, name: NameOf) -> str:
        """Return the result in words: `Mira 2–1 Tomo`."""
        return result_text(self.result, name)


def held(slip: Slip, line: Typed, scoring: Scoring | Unscored | None) -> ReadResult:
    """Read what was typed for the table of `slip`, and hold it against the game's own score.

    Raises TourneyError for what is no result, and for one that the game does not know.
    """
    if scoring is not None:
        from tourney.rules.scoring import Unscored

        if isinstance(scoring, Unscored):
            return _unscored(slip, line, scoring)
        slip = replace(slip, drawn_by=scoring.drawn_by(len(slip.seats)))
    ended = _ended(slip, scoring, line)
    if not line.score:
        return _found(slip, line, scoring, ended)
    result = read_score(slip, line.score, line.scores)
    if ended and ended != "time":
        result = structs.replace(result, ended="")
    # In a match of several games, the games show whether time decided it.
    kept = "" if ended == "time" and (slip.best_of > 1 or result.ended) else ended
    playing = tuple(number for number, seat in enumerate(result.seats) if seat.outcome in _PLAYED)
    _refuse_without_play(slip, result)
    if len(playing) < 2:
        return ReadResult(slip.table, _ended_by(kept, result))
    if scoring is None or line.scores is None:
        _refuse_other_end(slip, result, playing, scoring, ended)
        word = kept if ended else _plainly_drawn(slip, line, result, scoring)
        return ReadResult(slip.table, _ended_by(word, result))
    scores = tuple(result.seats[seat].score or 0 for seat in playing)
    game = _Game(slip=slip, line=line, scoring=scoring, ended=ended, playing=playing, scores=scores)
    return game.told(result, kept)


def _ended_by(word: str, result: Result) -> Result:
    """Return a result with the word of how it ended; an empty one changes nothing."""
    return structs.replace(result, ended=word) if word else result


_PLAYED = frozenset({Outcome.WIN, Outcome.LOSS, Outcome.DRAW})


def _unscored(slip: Slip, line: Typed, game: Unscored) -> ReadResult:
    """Read the result of a game that counts no score. Raises TourneyError for a score, and for a draw that it does not know."""
    slip = replace(slip, drawn_by=tuple(end.word for end in game.drawn_by))
    if line.scores is not None:
        forms = slip.forms if len(slip.seats) == 2 else f"the {slip.places}"
        raise TourneyError(
            f"table {slip.table}: {game.no_score}",
            "leave out `--score`" if line.score else f"type the result without `--score`: {forms}",
        )
    read = held(slip, line, None)
    if read.result.ended in {"", "id"}:
        _refuse_bare_draw(slip, "=", read.result, game.when_drawn)
    return read


def _plainly_drawn(slip: Slip, line: Typed, result: Result, scoring: Scoring | None) -> str:
    """Return of which end a draw is that comes without a score and a word: the one that the game's text has for it.

    Empty where it is none, or comes of whatever. Raises TourneyError where it has to be said.
    """
    if scoring is None or slip.best_of > 1 or not is_drawn(result):
        return ""
    _refuse_bare_draw(slip, line.score, result, scoring.when_drawn(len(slip.seats)))
    return scoring.plain_draw.word if scoring.plain_draw else ""


def _refuse_bare_draw(slip: Slip, typed: str, result: Result, when_drawn: str) -> None:
    """Refuse a draw of a single game that comes of nothing but certain ends, and nobody says which it was."""
    if slip.drawn_by and slip.best_of == 1 and is_drawn(result):
        words = listed((slip.command(f"{typed} --ended {word}") for word in slip.drawn_by), "or")
        agreed = f"; {slip.command('id')} if it was agreed upon without play"
        raise TourneyError(f"table {slip.table}: {when_drawn}", f"{words} if so{agreed}")


def _refuse_without_play(slip: Slip, result: Result) -> None:
    """Refuse a score of whoever did not play, and of a table where nobody could."""
    absent = [seat.outcome is Outcome.FORFEIT_LOSS for seat in result.seats]
    alone = len(absent) - sum(absent) < 2
    for number, seat in enumerate(result.seats):
        if seat.score and any(absent) and (absent[number] or alone):
            away = number if absent[number] else absent.index(True)
            name = slip.names[away] if slip.names else f"seat {away + 1}"
            how = "forfeits without play" if result.ended == RULING else "did not show"
            raise TourneyError(
                f"table {slip.table}: {name} {how}, so nobody has a score of {seat.score}"
                if alone
                else f"table {slip.table}: {name} {how}, so {name} has no score of {seat.score}",
                "leave out `--score`, or type the result of a game that was played"
                if alone
                else "0 for whoever did not play",
            )


def _refuse_other_end(
    slip: Slip, result: Result, playing: Sequence[int], scoring: Scoring | None, ended: str
) -> None:
    """Refuse a result without a score that cannot come of how the game is said to have ended."""
    if not ended or slip.best_of > 1:
        return
    from tourney.rules.scoring import USUAL_ENDS, cited

    end = scoring.ends[ended] if scoring else next(each for each in USUAL_ENDS if each.word == ended)
    first = [seat for seat in playing if result.seats[seat].place == 1]
    if end.wins == "nobody" and len(first) < len(playing):
        name = slip.names[first[0]] if slip.names else f"seat {first[0] + 1}"
        raise TourneyError(
            f"table {slip.table}: {end.says}{cited(end.cite)}: it is not won by {name}",
            f"{slip.command(f'= --ended {ended}')}, or leave out `--ended`",
        )
    if end.wins != "nobody" and not end.draw and len(first) > 1:
        raise TourneyError(
            f"table {slip.table}: {end.says}{cited(end.cite)}, so somebody has won: it is not drawn",
            "type who has won, or leave out `--ended`",
        )


def _ended(slip: Slip, scoring: Scoring | None, line: Typed) -> str:
    """Return the word of how the game ended otherwise; empty where nothing was said. Raises TourneyError for no such end."""
    word = normalize_digits(line.ended).strip().lower()
    if not word:
        return "time" if line.time else ""
    from tourney.rules.scoring import USUAL_ENDS

    ends = [end.word for end in USUAL_ENDS] if scoring is None else [*scoring.ends]
    if word not in ends:
        raise TourneyError(
            f"table {slip.table}: `{line.ended}` is no way in which a game ends here",
            f"`--ended` takes {listed(ends, 'or')}",
        )
    if line.time and word != "time":
        raise TourneyError(
            f"table {slip.table}: it ended by {word}, or by time", "leave out `--time` or `--ended`"
        )
    return word


def _found(slip: Slip, line: Typed, scoring: Scoring | None, ended: str) -> ReadResult:
    """Find from the score alone who has won. Raises TourneyError where it does not tell."""
    if line.scores is None:
        return ReadResult(slip.table, read_score(slip, ""))  # which says what a result is
    forms = slip.forms if len(slip.seats) == 2 else f"the {slip.places}"
    numbers = _numbers(slip, line.scores)
    if scoring is None:
        raise TourneyError(
            f"table {slip.table}: the score alone does not tell here who has won",
            f"type the result before it: {forms}",
        )
    if slip.best_of > 1:
        raise TourneyError(
            f"table {slip.table}: one score does not decide a match of {slip.best_of} games",
            f"type the games won before it: {forms}",
        )
    everybody = tuple(range(len(slip.seats)))
    game = _Game(slip=slip, line=line, scoring=scoring, ended=ended, playing=everybody, scores=tuple(numbers))
    game.refuse_no_score()
    said = game.said
    if not said.found or (len(said.first) > 1 and not slip.draws):
        game.refuse_open()
    result = read_score(slip, _as_typed(slip, numbers, said), line.scores)
    return ReadResult(slip.table, _ended_by("" if said.reached else ended, result), said.how)


def _as_typed(slip: Slip, numbers: Sequence[int], said: Said) -> str:
    """Return a result that the score tells as it would have been typed."""
    from tourney.rules.scoring import places

    if len(said.first) == len(slip.seats):
        return "d"
    if len(slip.seats) == 2:
        return "wl"[said.first[0]]
    return ",".join(map(str, places(numbers, said.first)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Game:
    """A game with its scores, as they were typed.

    playing: the seats between which it was played; scores: theirs; ended: how it ended, where not by the score
    """

    slip: Slip
    line: Typed
    scoring: Scoring
    ended: str
    playing: tuple[int, ...]
    scores: tuple[int, ...]

    @property
    def said(self) -> Said:
        """What the scores say of who has won."""
        return self.scoring.say(self.scores, self.ended)

    def name(self, index: int) -> str:
        """Name one of those who played."""
        seat = self.playing[index]
        return self.slip.names[seat] if self.slip.names else f"seat {seat + 1}"

    def refused(self, fault: str, hint: str) -> TourneyError:
        return TourneyError(f"table {self.slip.table}: {fault}", hint)

    def typed(self, result: str, ended: str = "") -> str:
        """Return the command that enters these scores, with a result or without, and with how the game ended."""
        parts = [result, f"--score {self.line.scores}", f"--ended {ended}" if ended else ""]
        return self.slip.command(" ".join(filter(None, parts)))

    def winning(self, index: int) -> str:
        """Return how it is typed that one of those who played has won."""
        seat, seats = self.playing[index], len(self.slip.seats)
        if seats == 2:
            return ("1-0", "0-1")[seat]
        if len(self.playing) == seats:
            from tourney.rules.scoring import places

            return ",".join(map(str, places(self.scores, (index,))))
        others = iter(range(2, seats + 1))
        return ",".join("1" if number == seat else str(next(others)) for number in range(seats))

    def told(self, result: Result, kept: str) -> ReadResult:
        """Check a result that was typed with these scores against what they say.

        kept: the word of how the match ended, if it is kept
        """
        self.refuse_no_score()
        said, table = self.said, self.slip.table
        if self.slip.best_of > 1 or (result.ended == "id" and not said.reached):
            return ReadResult(table, _ended_by(kept, result))
        first = tuple(index for index, seat in enumerate(self.playing) if result.seats[seat].place == 1)
        if not said.allows(first):
            self.refuse_winner(first)
        odd = _odd_places(self.slip, result)
        if said.reached:
            how = "" if said.found else f"{said.how}, and {self.name(first[0])} was first"
            return ReadResult(table, result, how, odd)
        return ReadResult(table, _ended_by(self.ended, result), said.how if self.ended else "", odd)

    def refuse_no_score(self) -> None:
        """Refuse scores that nobody can have, and more of them at the goal than there can be."""
        faults = [self.scoring.impossible(score, len(self.scores)) for score in self.scores]
        for fault in [*faults, self.scoring.too_many(self.scores)]:
            if fault is not None:
                raise self.refused(fault, "look at the slip again")

    def refuse_open(self) -> NoReturn:
        """Refuse scores that do not tell who has won, and say how that is typed."""
        said = self.said
        if said.first and said.drawn != "must":
            question = "who was first is to be typed" if said.reached else "who has won is to be typed"
            example = self.typed(self.winning(said.first[0]), "" if said.reached else self.ended)
            raise self.refused(f"{said.how}: {question}", f"{example}, if it was {self.name(said.first[0])}")
        alone, typed = [], []
        for word in self.scoring.ends:
            each = self.scoring.say(self.scores, word)
            if each.found and (self.slip.draws or len(each.first) == 1):
                alone.append(f"`--ended {word}`")
            elif not each.found:
                typed.append(f"`--ended {word}`")
        example = self.typed(self.winning(0), "concession")
        first = f"{listed(alone, 'or')}; with who has won " if alone else "with who has won "
        needs = ": this match needs a winner" if said.first else ""
        raise self.refused(
            f"{said.how}{needs}",
            f"how the game ended otherwise: {first}{listed(typed, 'or')}, as {example}",
        )

    def refuse_winner(self, first: tuple[int, ...]) -> NoReturn:
        """Refuse a typed result that the scores contradict. first: who was typed as the first, of those who played."""
        said = self.said
        typed = "it is not drawn" if len(first) > 1 else f"it is not won by {self.name(first[0])}"
        words = [word for word in self.scoring.ends if self.scoring.say(self.scores, word).allows(first)]
        otherwise = listed((f"`--ended {word}`" for word in words), "or")
        if not said.first:
            raise self.refused(f"{said.how}: {typed} yet", f"how the game ended otherwise: {otherwise}")
        if said.drawn == "must":
            drawn = f"{self.typed('=', self.ended)} if so; else " if self.slip.draws else ""
            raise self.refused(f"{said.how}: {typed}", f"{drawn}{otherwise}")
        if len(said.first) > 1:
            who = "one of them has" if said.reached else "somebody has"
            raise self.refused(f"{said.how}, so {who} won: {typed}", f"type who has won; else {otherwise}")
        found = self.typed("", "" if said.reached else self.ended)
        finds = f"{found} finds the winner; " if len(self.scores) == len(self.slip.seats) else ""
        raise self.refused(
            f"{said.how}, so {self.name(said.first[0])} has won: {typed}",
            f"{finds}{otherwise} if it is so all the same",
        )


def _odd_places(slip: Slip, result: Result) -> str:
    """Say where somebody stands behind a lower score, below the first place: no game's text orders those."""
    rest = [(seat, name) for seat, name in zip(result.seats, slip.names, strict=False) if seat.place > 1]
    for seat, name in rest:
        for other, other_name in rest:
            if (seat.score or 0) > (other.score or 0) and seat.place > other.place:
                return f"table {slip.table}: {name} with {seat.score} stands behind {other_name} with {other.score}"
    return ""


def is_drawn(result: Result) -> bool:
    """Return whether a table was played to a draw, not one agreed upon without play."""
    return result.ended != "id" and any(seat.outcome is Outcome.DRAW for seat in result.seats)


# -- a result as it would be typed


def as_typed(table: int, result: Result, best_of: int) -> Typed:
    """Return the line, in seat order, that `held` reads as this result. best_of: games of a match."""
    has_scores = all(seat.score is not None for seat in result.seats)
    is_forfeit = any(seat.outcome is Outcome.FORFEIT_LOSS for seat in result.seats)
    said_by_score = result.ended in {"id", "time"} or (result.ended == RULING and is_forfeit)
    return Typed(
        tables=table,
        score=_score_typed(result, best_of),
        scores=",".join(str(seat.score) for seat in result.seats) if has_scores else None,
        time=result.ended == "time",
        ended="" if said_by_score else result.ended,
    )


def _score_typed(result: Result, best_of: int) -> str:
    seats = result.seats
    absent = [seat.outcome is Outcome.FORFEIT_LOSS for seat in seats]
    away = _RULED if result.ended == RULING else _ABSENT
    if result.ended == "id":
        return "id"
    if all(seat.outcome is Outcome.DOUBLE_LOSS for seat in seats):
        return "dl"
    if all(absent):
        return away
    drawn = result.drawn_games if all(seat.outcome is Outcome.DRAW for seat in seats) else 0
    if len(seats) > 2:
        places = (away if gone else str(seat.place) for gone, seat in zip(absent, seats, strict=True))
        return ("=" if drawn == 1 else "id") if drawn else ",".join(places)
    if any(absent):
        return f"{away}{absent.index(True) + 1}"
    if not any(seat.games for seat in seats) and (result.ended != "time" or best_of == 1):
        return {0: "1,1", 1: "="}.get(drawn, f"0-0-{drawn}")
    won = "-".join(str(seat.games) for seat in seats)
    return f"{won}-{result.drawn_games}" if result.drawn_games else won


def command_for(line: Typed, round_number: int | None = None) -> str:
    """Return the command that enters a line: `tourney result add 4 2-0 --score 32,18`. round_number: None: the current round."""
    options = [
        f"--score {line.scores}" if line.scores else "",
        "--time" if line.time else "",
        f"--ended {line.ended}" if line.ended else "",
        "" if round_number is None else f"--round {round_number}",
    ]
    return " ".join(["tourney result add", str(line.tables), *filter(None, [line.score, *options])])


# -- what a score means


def read_score(slip: Slip, text: str, scores: str | None = None) -> Result:
    """Return the result that `text` says for the table of `slip`; `scores` are victory points, `32,18`.

    Raises TourneyError for what is no score, and for a score that cannot end this match.
    """
    typed = _DASH.sub("-", normalize_digits(text).strip().lower())
    typed = _of_side(slip, text, typed) or _WORDS.get(typed, typed)
    result = (
        _all_alike(slip, typed)
        or (_two(slip, typed) if len(slip.seats) == 2 else None)
        or _places(slip, typed)
    )
    if result is None:
        forms = slip.forms if len(slip.seats) == 2 else f"the {slip.places}"
        raise TourneyError(f"table {slip.table}: `{text}` is not a result", f"a result is {forms}")
    _refuse_open(slip, text, result)
    if not slip.draws and any(seat.outcome is Outcome.DRAW for seat in result.seats):
        raise TourneyError(
            f"table {slip.table}: `{text}` is a draw, and this match needs a winner",
            f"with the game that decided it: `{slip.needed}-{slip.decided - slip.needed}`"
            if len(slip.seats) == 2
            else None,
        )
    return _with_scores(slip, result, scores)


_DASH = re.compile(r"\s*[-:]\s*")


def _of_side(slip: Slip, text: str, typed: str) -> str | None:
    """Read the side that won as `w` or `l`; None where it is none. Raises TourneyError where that says nothing of a match."""
    sides = [side.lower() for side in slip.sides[: len(slip.seats)]]
    if len(slip.seats) != 2 or typed not in sides:
        return None
    if slip.best_of > 1:
        raise TourneyError(
            f"table {slip.table}: `{text}` does not say who won: sides change from game to game",
            f"a result is {slip.forms}",
        )
    return "wl"[sides.index(typed)]


def _all_alike(slip: Slip, typed: str) -> Result | None:
    """Read what is the same for every seat: draws, no-shows of all, double losses."""
    drawn_by_all = [Outcome.DRAW] * len(slip.seats)
    if typed == "id":
        return _table(slip, drawn_by_all, drawn=slip.best_of, ended="id")
    if typed in _DRAWN:
        return _table(slip, drawn_by_all, drawn=1)
    if typed == "dl":
        return _table(slip, [Outcome.DOUBLE_LOSS] * len(slip.seats))
    if typed in {_ABSENT, _RULED}:
        ended = RULING if typed == _RULED else ""
        return _table(slip, [Outcome.FORFEIT_LOSS] * len(slip.seats), ended=ended)
    return None


_ABSENT, _RULED = "ff", "forfeit"
"""How a player who did not show is typed, and how a forfeit by a ruling is."""


def _two(slip: Slip, typed: str) -> Result | None:
    if typed in {"w", "l"}:
        won = (slip.needed, 0) if typed == "w" else (0, slip.needed)
        return _from_games(slip, won, 0)
    if no_show := _NO_SHOW.fullmatch(typed):
        return _one_missing(slip, no_show[1], int(no_show[2]))
    if games := _GAMES.fullmatch(typed):
        won, drawn = (int(games[1]), int(games[2])), int(games[3] or 0)
        _refuse_impossible(slip, won, drawn)
        return _from_games(slip, won, drawn)
    return None


_GAMES = re.compile(r"(\d{1,4})-(\d{1,4})(?:-(\d{1,4}))?")


_NO_SHOW = re.compile(r"(ff|forfeit)([1-9])")


def _one_missing(slip: Slip, word: str, seat: int) -> Result:
    if seat > 2:
        raise TourneyError(
            f"table {slip.table} has two seats, so there is no `{word}{seat}`", f"`{word}1` or `{word}2`"
        )
    outcomes, places = [Outcome.FORFEIT_WIN, Outcome.FORFEIT_WIN], [1, 1]
    outcomes[seat - 1], places[seat - 1] = Outcome.FORFEIT_LOSS, 2
    return _table(slip, outcomes, places=places, ended=RULING if word == _RULED else "")


def _refuse_impossible(slip: Slip, won: tuple[int, int], drawn: int) -> None:
    score = f"{won[0]}–{won[1]}" + (f"–{drawn}" if drawn else "")
    typed = score.replace("–", "-")
    match = f"a best of {slip.best_of}" if slip.best_of % 2 else f"a match of {slip.best_of} games"
    most, played = max(won), sum(won) + drawn
    possible = most <= slip.needed and sum(won) <= slip.decided and drawn <= MOST_GAMES
    if slip.decided % 2 == 0:
        possible = possible and played <= slip.best_of  # played out: a drawn game is not played again
    if drawn and possible:
        _refuse_drawn_game(slip, score, won, drawn)
    if not possible:
        lost = min(*won, slip.decided - slip.needed)
        fits = (slip.needed, lost) if won[0] >= won[1] else (lost, slip.needed)
        level = "" if slip.decided % 2 else f" or `{slip.best_of // 2}-{slip.best_of // 2}`"
        single = slip.best_of == 1 and slip.drawn != "again"
        third = "" if single or slip.drawn == "none" else "; the third number counts drawn games"
        raise TourneyError(
            f"table {slip.table}: {score} cannot end {match}",
            f"`{'-'.join(map(str, fits))}`{level} would{third}",
        )
    decided = slip.draws or won[0] != won[1]
    if most < slip.needed and played < slip.best_of and not slip.time and decided:
        raise TourneyError(
            f"table {slip.table}: {score} does not end {match}: {counted(slip.needed, 'game')} {'wins' if slip.needed == 1 else 'win'} it",
            f"`--time` if time was called: {slip.command(f'{typed} --time')}",
        )


def _refuse_drawn_game(slip: Slip, score: str, won: tuple[int, int], drawn: int) -> None:
    """Refuse drawn games within a match, where there are none or where they would have to be played again."""
    without = "-".join(map(str, won))
    if slip.drawn == "none":
        if won[0] == won[1] and not slip.draws:
            return  # a drawn match, which is refused as one
        raise TourneyError(
            f"table {slip.table}: {score} has {counted(drawn, 'drawn game')}, and no game is drawn here",
            f"`{without}`, without the third number"
            if max(won) == slip.needed
            else f"the games that decided it: `{slip.needed}-{slip.decided - slip.needed}`",
        )
    if slip.drawn == "stands" and slip.draws and sum(won) + drawn > slip.best_of:
        match = "one game" if slip.best_of == 1 else f"{slip.best_of} games"
        draw = listed((f"`{form}`" for form in slip.drawn_forms), "or")
        raise TourneyError(
            f"table {slip.table}: {score} is {counted(sum(won) + drawn, 'game')}, and a match is {match}: "
            "a drawn game is not played again here",
            f"`{without}` if it was won; {draw} if it was drawn"
            if slip.best_of == 1
            else f"`{slip.needed}-{slip.decided - slip.needed}` would end it; the third number counts drawn games",
        )


def _from_games(slip: Slip, won: tuple[int, int], drawn: int) -> Result:
    if won[0] == won[1]:
        outcomes, places = [Outcome.DRAW, Outcome.DRAW], [1, 1]
    elif won[0] > won[1]:
        outcomes, places = [Outcome.WIN, Outcome.LOSS], [1, 2]
    else:
        outcomes, places = [Outcome.LOSS, Outcome.WIN], [2, 1]
    unfinished = max(won) < slip.needed and sum(won) + drawn < slip.best_of
    return _table(slip, outcomes, places=places, games=won, drawn=drawn, ended="time" if unfinished else "")


def _places(slip: Slip, typed: str) -> Result | None:
    parts = [part.strip() for part in typed.split(",")]
    if not all(
        part in {_ABSENT, _RULED} or (part.isascii() and part.isdigit() and len(part) < 3) for part in parts
    ):
        return None
    if len(parts) == 1 and len(slip.seats) == 2:
        return None
    if len(parts) != len(slip.seats):
        raise TourneyError(
            f"table {slip.table} has {len(slip.seats)} seats, `{typed}` gives {len(parts)} {'place' if len(parts) == 1 else 'places'}",
            f"{slip.places}; shared places are equal, `{','.join(map(str, [1, 1, *range(3, len(slip.seats) + 1)]))}`",
        )
    away = {part for part in parts if part in {_ABSENT, _RULED}}
    if len(away) > 1:
        raise TourneyError(
            f"table {slip.table}: `{typed}` has somebody who did not show and somebody who forfeits: only one of the two can be noted of a table",
            f"`{_RULED}` for both, where a judge ruled so: `{typed.replace(_ABSENT, _RULED)}`",
        )
    placed = _from_places(slip, [None if part in away else int(part) for part in parts], *away)
    return structs.replace(placed, ended=RULING) if _RULED in away else placed


def _from_places(slip: Slip, places: list[int | None], away: str = "") -> Result:
    taken = sorted(place for place in places if place is not None)
    right = [taken.index(place) + 1 for place in taken]
    if taken != right:
        typed = ",".join(away if place is None else str(place) for place in places)
        hint = ",".join(away if place is None else str(taken.index(place) + 1) for place in places)
        raise TourneyError(
            f"table {slip.table}: the places `{typed}` leave a gap", f"`{hint}` has the same order"
        )
    if len(taken) < 2:
        missing = [Outcome.FORFEIT_LOSS if place is None else Outcome.FORFEIT_WIN for place in places]
        return _table(slip, missing, places=_with_missing(places))
    if places in ([1, 2], [2, 1]):
        return _from_games(slip, (slip.needed, 0) if places[0] == 1 else (0, slip.needed), 0)
    shared = taken.count(1) > 1
    outcomes = [_placed(place, shared=shared) for place in places]
    return _table(slip, outcomes, places=_with_missing(places))


def _placed(place: int | None, *, shared: bool) -> Outcome:
    if place is None:
        return Outcome.FORFEIT_LOSS
    if place > 1:
        return Outcome.LOSS
    return Outcome.DRAW if shared else Outcome.WIN


def _with_missing(places: list[int | None]) -> list[int]:
    """Put those who did not show behind all the others."""
    last = sum(place is not None for place in places) + 1
    return [last if place is None else place for place in places]


def _table(
    slip: Slip,
    outcomes: Sequence[Outcome],
    *,
    places: Sequence[int] | None = None,
    games: Sequence[int] | None = None,
    drawn: int = 0,
    ended: str = "",
) -> Result:
    none = [0] * len(slip.seats)
    rows = zip(slip.seats, outcomes, places or [1] * len(slip.seats), games or none, strict=True)
    return Result(tuple(Seat(*row) for row in rows), drawn, ended)


def _refuse_open(slip: Slip, text: str, result: Result) -> None:
    """Refuse a result of a table of three and more that leaves open who goes on from it."""
    places = [seat.place for seat in result.seats if seat.outcome.played]
    shared = next((place for place in sorted(places)[: slip.apart] if places.count(place) > 1), None)
    if (
        len(slip.seats) < 3
        or shared is None
        or all(seat.outcome is Outcome.DOUBLE_LOSS for seat in result.seats)
    ):
        return
    going = "who has won" if slip.apart == 1 else f"which {slip.apart} go on"
    raise TourneyError(
        f"table {slip.table}: `{text}` shares place {shared}, and the bracket has to know {going}",
        f"{'place 1 for one player alone' if slip.apart == 1 else f'places 1 to {slip.apart} for one player each'}: "
        f"{slip.places}",
    )


def _with_scores(slip: Slip, result: Result, scores: str | None) -> Result:
    if scores is None:
        return result
    numbers = _numbers(slip, scores)
    seats = (structs.replace(seat, score=number) for seat, number in zip(result.seats, numbers, strict=True))
    return structs.replace(result, seats=tuple(seats))


def _numbers(slip: Slip, scores: str) -> list[int]:
    parts = [part.strip() for part in normalize_digits(scores).split(",")]
    example = [*(slip.points or (32, 18, 25, 7))[: min(len(slip.seats), 4)], *["…"][: len(slip.seats) - 4]]
    if len(parts) != len(slip.seats) or not all(re.fullmatch(r"-?\d{1,9}", part) for part in parts):
        raise TourneyError(
            f"table {slip.table}: `{scores}` is not a score for each of its {len(slip.seats)} seats",
            f"whole numbers {slip.order}, `--score {','.join(map(str, example))}`",
        )
    return [int(part) for part in parts]
