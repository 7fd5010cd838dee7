"""Scores: the possible scores, the winners by score, and other ways for a game to end.

The rules are those of `[match.score]` in a format (`tourney.rules.vocabulary.ScoreFile`). This module knows
no tables or events: scores are numbers in a sequence, and a seat is a position in it, from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from tourney.errors import TourneyError
from tourney.record import is_end_word
from tourney.rules.vocabulary import CitedFile, EndFile, MatchFile, Scalar, ScoreFile, SettingFile
from tourney.wording import listed

_LONGEST_NAME = 40
"""The maximum length of a score's name, which is the heading of a column on the slips."""

_RULING = "ruling"
USUAL_ENDS = (
    EndFile(word="time", says="time was called", draw=True, standing="house"),
    EndFile(word="concession", says="the other side conceded", standing="house"),
    EndFile(word=_RULING, says="the judge has ruled so", draw=True, standing="house"),
)
"""The endings that any game can have, by house rules. The organizer enters the winner."""


class Winners(Struct, frozen=True, kw_only=True):
    """The winners of a game by its scores.

    first:   the seats that can have won; if there is only one, it has won
    drawn:   `may` if the game can be a draw among `first`, `must` if it is a draw of all of them, else empty
    decided: whether the scores decide the game, so that the winner need not be entered
    reached: whether a player has reached the goal
    how:     the reason in words with its source, such as `34 reaches the goal of 30 (Win Condition, L17)`;
             if `first` is empty, the reason why no player has won
    """

    first: tuple[int, ...]
    drawn: Literal["", "may", "must"]
    decided: bool
    how: str
    reached: bool = False

    def allows(self, first: Sequence[int]) -> bool:
        """Return whether these seats can be the winners. Several seats share first place in a draw."""
        if self.drawn == "must":
            return {*first} == {*self.first}
        return {*first} <= {*self.first} and (len(first) == 1 or self.drawn == "may")


class Scoring(Struct, frozen=True, kw_only=True):
    """How a game in an event is scored. choices: the value of every setting of the format."""

    file: ScoreFile
    choices: Mapping[str, Scalar]

    @property
    def name(self) -> str:
        """The name of the score on slips and pages: `victory points`."""
        return self.file.name

    @property
    def the_most(self) -> str:
        """The highest score in words: `the most victory points`, `the highest scramble count`."""
        return f"the {'most' if self.name.endswith('s') else 'highest'} {self.name}"

    def worth(self, score: int) -> str:
        """Return a score in words: `12 victory points`, `a scramble count of 12`."""
        return f"{score} {self.name}" if self.name.endswith("s") else f"a {self.name} of {score}"

    def example(self, players: int) -> tuple[int, ...]:
        """Return an example of possible scores, one for each player, with a winner."""
        file, goal = self.file, self.goal(players)
        other_scores = [file.least + file.step * (players - 2 - seat) for seat in range(players - 1)]
        if goal is None:
            return (file.least + file.step * (players - 1), *other_scores)
        return (goal, *(score if score < goal else file.least for score in other_scores))

    @property
    def ends(self) -> Mapping[str, EndFile]:
        """Word → a way in which a game can end other than by its score.

        The ways in the game's rule text come first, then those that any game has.
        """
        own_ends = {end.word: end for end in self.file.end}
        return own_ends | {end.word: end for end in USUAL_ENDS if end.word not in own_ends}

    @property
    def plain_draw(self) -> EndFile | None:
        """The ending that is assumed for a draw that is entered without an ending.

        This is the ending that draws the game, if the game's rule text has exactly one; otherwise None.
        """
        draws = [end for end in self.file.end if end.wins == "nobody"]
        return draws[0] if len(draws) == 1 else None

    def drawn_by(self, players: int) -> tuple[str, ...]:
        """Return the names of the possible endings of a draw, if it must be entered with one.

        Empty if a draw can be entered without an ending.
        """
        return () if self.plain_draw else tuple(end.word for end in self._drawing(players))

    def when_drawn(self, players: int) -> str:
        """Return a sentence that says in which cases a game is drawn, with the sources."""
        return _drawn_only([_sentence(end) for end in self._drawing(players)])

    def _drawing(self, players: int) -> list[EndFile]:
        ends = self.ends.values() if self.goal(players) is not None else ()
        return [end for end in ends if end.draw or end.wins == "nobody"]

    def goal(self, players: int) -> int | None:
        """Return the score that wins at a table of `players`; None if the highest score wins."""
        choice = self.choices.get(self.file.setting) if self.file.setting else None
        if isinstance(choice, int) and (choice or self.file.goal is None):
            return choice
        return _printed_goal(self.file, players)

    def impossible(self, score: int, players: int) -> str | None:
        """Return why a score is impossible; None if it is possible."""
        file, goal, reason = self.file, self.goal(players), ""
        if score < file.least:
            reason = f"the lowest score is {file.least}"
        elif file.most == "goal" and goal is not None and score > goal:
            reason = f"the game ends at the goal of {goal}"
        elif isinstance(file.most, int) and score > file.most:
            reason = f"the highest score is {file.most}"
        elif (score - file.least) % file.step:
            reason = f"scores go up from {file.least} in steps of {file.step}"
        return (
            f"a player cannot have {self.worth(score)}: {reason}{cite_suffix(file.cite)}" if reason else None
        )

    def too_many(self, scores: Sequence[int]) -> str | None:
        """Return why the scores are impossible if too many players have reached the goal; else None."""
        goal = self.goal(len(scores))
        if goal is None or self.file.several or sum(score >= goal for score in scores) < 2:
            return None
        return f"only one player can have reached {goal} when the game ends{cite_suffix(self.file.cite)}"

    def winners(self, scores: Sequence[int], ended: str = "") -> Winners:
        """Return the winners of a game.

        A player who has reached the goal has won, unless a judge rules otherwise.

        scores: the scores of the players who played
        ended:  how the game ended, as a key of `ends` such as `time`; empty if the score ended the game
        """
        end, everyone = self.ends[ended] if ended else None, tuple(range(len(scores)))
        goal = self.goal(len(scores))
        if ended == _RULING and end is not None:
            return Winners(first=everyone, drawn=_draw_mark(end.draw), decided=False, how=_sentence(end))
        goal_seats = tuple(seat for seat in everyone if goal is not None and scores[seat] >= goal)
        if goal_seats:
            return self._winners_by_goal(scores, goal_seats)
        if end is None and goal is not None:
            numbers = listed(dict.fromkeys(scores))
            reason = f"with {numbers}, no player has reached the goal of {goal}{cite_suffix(self.file.cite)}"
            return Winners(first=(), drawn="", decided=False, how=reason)
        if end is not None and end.wins != "most":
            is_draw = end.wins == "nobody"
            draw_mark = "must" if is_draw else _draw_mark(end.draw)
            return Winners(first=everyone, drawn=draw_mark, decided=is_draw, how=_sentence(end))
        return self._highest(scores, end)

    def _winners_by_goal(self, scores: Sequence[int], seats: tuple[int, ...]) -> Winners:
        goal, cite = self.goal(len(scores)), cite_suffix(self.file.cite)
        if len(seats) == 1:
            reason = f"{scores[seats[0]]} reaches the goal of {goal}{cite}"
        else:
            numbers = listed(str(scores[seat]) for seat in seats)
            reason = f"{numbers} {'both' if len(seats) == 2 else 'all'} reach the goal of {goal}{cite}"
        return Winners(first=seats, drawn="", decided=len(seats) == 1, how=reason, reached=True)

    def _highest(self, scores: Sequence[int], end: EndFile | None) -> Winners:
        top = max(scores)
        first = tuple(seat for seat, score in enumerate(scores) if score == top)
        cite = cite_suffix(self.file.cite if end is None else end.cite)
        because = f"{end.says}, and " if end else ""
        several = f", shared by {len(first)} players" if len(first) > 1 else ""
        reason = f"{because}{top} is {self.the_most}{several}{cite}"
        if not several:
            return Winners(first=first, drawn="", decided=True, how=reason)
        return Winners(
            first=first, drawn=_draw_mark(end is None or end.draw), decided=end is None, how=reason
        )


class Unscored(Struct, frozen=True, kw_only=True):
    """How a game is decided if its format has no rules about scores.

    name: the word for a score on slips and pages; empty if the format has none
    no_score: the reason why no score is entered, in words; empty if one can be entered
    draws: the only endings with which a game can be a draw; empty if the format does not restrict draws
    """

    name: str = ""
    no_score: str = ""
    draws: tuple[EndFile, ...] = ()
    cite: str | None = None

    @property
    def ends(self) -> Mapping[str, EndFile]:
        """Word → ending of a game."""
        return {end.word: end for end in USUAL_ENDS}

    def example(self, _: int) -> tuple[int, ...]:
        """Return an empty tuple, because the format has no scores to enter."""
        return ()

    def drawn_by(self, _: int) -> tuple[str, ...]:
        """Return the names of the only endings with which a game can be a draw.

        Empty if the format does not restrict draws to certain endings.
        """
        return tuple(end.word for end in self.draws)

    def when_drawn(self, _: int) -> str:
        """Return a sentence that says in which cases a game is drawn, with the source."""
        return f"{_drawn_only([end.says for end in self.draws])}{cite_suffix(self.cite)}"


def _draw_mark(can_draw: bool) -> Literal["", "may"]:
    return "may" if can_draw else ""


def _printed_goal(file: ScoreFile, players: int) -> int | None:
    if not isinstance(file.goal, dict):
        return file.goal
    sizes = sorted(int(size) for size in file.goal)
    size = max((size for size in sizes if size <= players), default=sizes[0])
    return file.goal[str(size)]


def cite_suffix(cite: str | None) -> str:
    """Return a source in brackets, to append to a text: ` (Win Condition, L17)`.

    Returns an empty text if there is no source.
    """
    return f" ({cite})" if cite else ""


def _drawn_only(cases: Sequence[str]) -> str:
    # A case can have commas of its own, so several cases are separated by semicolons.
    return f"a game is drawn only {'if ' if len(cases) == 1 else 'in these cases: '}{'; '.join(cases)}"


def _sentence(end: EndFile) -> str:
    return f"{end.says}{cite_suffix(end.cite)}"


def places(scores: Sequence[int], first: Sequence[int]) -> list[int]:
    """Return the place of each seat: the seats in `first`, then the others by score.

    Equal scores share the better place.

    >>> places([9, 26, 12, 9], [1]), places([9, 9, 7], [0, 1])
    ([3, 1, 2, 3], [1, 1, 3])
    """
    other_scores = [score for seat, score in enumerate(scores) if seat not in first]
    return [
        1 if seat in first else 1 + len(first) + sum(other > score for other in other_scores)
        for seat, score in enumerate(scores)
    ]


# -- the score of a format: checks and words


def scoring_of(
    match: MatchFile, settings: Mapping[str, SettingFile], choices: Mapping[str, Scalar] | None = None
) -> Scoring | None:
    """Return the rules of a format's score; None if the format has no such rules.

    A format can name its score without giving any rules for it. Then scores can be entered, but are not
    checked by rules.
    """
    if not isinstance(match.score, ScoreFile):
        return None
    defaults = {name: setting.default for name, setting in settings.items()}
    return Scoring(file=match.score, choices={**defaults, **(choices or {})})


def game_rules(
    name: str, match: MatchFile, settings: Mapping[str, SettingFile], choices: Mapping[str, Scalar]
) -> Scoring | Unscored:
    """Return how a game of a format is decided.

    Returns a `Scoring` if the format has rules about scores, else an `Unscored`.

    name:    the format's name
    choices: the organizer's values for the format's settings; the other settings have their defaults
    """
    if scoring := scoring_of(match, settings, choices):
        return scoring
    if match.score is not False:
        return Unscored(name=match.score if isinstance(match.score, str) else "")
    draws = tuple(end for end in USUAL_ENDS if end.word in match.drawn_by)
    return Unscored(no_score=f"{name} has no scores", draws=draws, cite=match.cite)


def faults_of_score(match: MatchFile, settings: Mapping[str, SettingFile]) -> Iterator[str]:
    """Yield the errors in a format's rules about scores and draws.

    Each message begins with the key of the faulty value in `[match]`, such as `score.step`.
    """
    if match.score is True:
        yield 'score: expected a name, such as `score = "points"`, a table, or `false`'
    yield from _odd_drawn_by(match)
    yield from _odd_drawn_game(match)
    scoring = scoring_of(match, settings)
    if scoring is not None:
        for fault in (*_odd_bounds(scoring.file), *_odd_ends(scoring.file), *_odd_goals(scoring, settings)):
            yield f"score.{fault}"


def _odd_drawn_by(match: MatchFile) -> Iterator[str]:
    words = [end.word for end in USUAL_ENDS if end.draw]
    if match.drawn_by and match.score is not False:
        yield "drawn_by: only for a game with `score = false`; with a score, set `draw = true` in its ends"
    elif match.drawn_by and not match.draws:
        yield "drawn_by: no match can be drawn (`draws = false`)"
    for word in match.drawn_by:
        if word not in words:
            yield f"drawn_by: a game is drawn by {listed(words, 'or')}, not by `{word}`"


def _odd_drawn_game(match: MatchFile) -> Iterator[str]:
    if match.drawn_game == "none" and match.draws and match.games == 1:
        yield (
            "drawn_game: `none` is impossible, "
            "because a drawn game draws a match of one game (`draws = true`)"
        )
    if match.drawn_game == "stands" and not match.draws and match.games == 1:
        yield (
            "drawn_game: `stands` is impossible, because a match of one game needs a winner (`draws = false`)"
        )
    if match.drawn_game and match.seat_range[0] > 2:
        yield "drawn_game: only for matches of two, in which games are counted"


def _odd_bounds(file: ScoreFile) -> Iterator[str]:
    if not file.name.strip() or len(file.name) > _LONGEST_NAME or not file.name.isprintable():
        yield f"name: expected 1 to {_LONGEST_NAME} printable characters"
    if file.step < 1:
        yield f"step: {file.step} is below 1"
    if isinstance(file.most, int) and file.most < file.least:
        yield f"most: {file.most} is less than the least score, {file.least}"
    if file.goal is None and file.setting is None:
        if file.most == "goal":
            yield "most: `goal` has no effect, because the score has no goal"
        if not file.several:
            yield "several: this key has no effect, because the score has no goal"


def _odd_goals(scoring: Scoring, settings: Mapping[str, SettingFile]) -> Iterator[str]:
    file, sizes = scoring.file, ["2"]
    if isinstance(file.goal, dict):
        sizes = [*file.goal]
        if not sizes or not all(re.fullmatch(r"[1-9]\d{0,2}", size) for size in sizes):
            yield "goal: expected numbers of players with their goals: `{ 2 = 5, 3 = 4 }`"
            return
    if file.setting is not None:
        default = settings[file.setting].default if file.setting in settings else None
        if file.setting not in settings:
            names = ", ".join(settings) or "none"
            yield f"setting: the format has no setting `{file.setting}`; it has {names}"
            return
        if type(default) is not int:
            yield f"setting: `{file.setting}` is not a whole number, so it cannot be the goal"
            return
    for fault in filter(None, (_odd_goal(scoring, int(size)) for size in sizes)):
        yield f"goal: {fault}"


def _odd_goal(scoring: Scoring, players: int) -> str | None:
    """Return why the winning score (`goal`) is wrong in a game of this many players.

    A goal is wrong if players have reached it at the start, or if a player cannot have exactly that score.
    Returns None if the goal is right or missing, or if `step` is below 1 (which is another fault).
    """
    goal = scoring.goal(players)
    if goal is None or scoring.file.step < 1:
        return None
    if goal <= scoring.file.least:
        return f"every player starts with {scoring.file.least}, so a goal of {goal} is reached at once"
    return scoring.impossible(goal, players)


def _odd_ends(file: ScoreFile) -> Iterator[str]:
    words = set()
    for number, end in enumerate(file.end):
        if not is_end_word(end.word):
            pattern = "a word of 2 to 20 lower-case letters, such as `deck`"
            yield f"end[{number}].word: `{end.word}` should be {pattern}"
        elif end.word in words:
            yield f"end[{number}].word: there are two ends `{end.word}`"
        elif end.word == _RULING:
            yield f"end[{number}].word: `{_RULING}` is reserved: a judge can end any game with it"
        if not end.says.strip():
            yield f"end[{number}].says: expected a sentence, such as `the deck has run out`"
        words.add(end.word)


def refuse_odd_choice(
    match: MatchFile, settings: Mapping[str, SettingFile], choices: Mapping[str, Scalar], sizes: Sequence[int]
) -> None:
    """Refuse a winning score, chosen by the organizer, that players cannot reach.

    Also refuses one that they have reached at the start. Raises TourneyError.
    """
    scoring = scoring_of(match, settings, choices)
    setting = scoring.file.setting if scoring else None
    if scoring is None or setting is None or setting not in choices:
        return
    for players in sizes:
        if (fault := _odd_goal(scoring, players)) is not None:
            raise TourneyError(f"{setting}: {choices[setting]} cannot be the goal: {fault}")


class SheetLine(Struct, frozen=True, kw_only=True):
    """A rule on the judge's sheet.

    handle:   its id
    says:     the rule in words
    counts:   what the program counts to check the rule, and when
    cite:     the place of the rule in the rule text; null if the rule text does not have it
    standing: the kind of source: `law`, `elsewhere`, `a reading` or `house`; see `RuleFile`
    """

    handle: str
    says: str
    counts: str
    cite: str | None
    standing: str


def sheet_line(handle: str, says: str, source: CitedFile | None = None, counts: str = "") -> SheetLine:
    """Return a line of the judge's sheet. Without a `source`, it is marked as a house rule."""
    cite, standing = (source.cite, source.standing) if source else (None, "house")
    words = "a reading" if standing == "reading" else standing
    return SheetLine(handle=handle, says=says, counts=counts, cite=cite, standing=words)


def score_lines(
    match: MatchFile, settings: Mapping[str, SettingFile], choices: Mapping[str, Scalar] | None = None
) -> Iterator[SheetLine]:
    """Yield the lines about the score for the judge's sheet.

    choices: the settings that the organizer of an event chose
    """
    scoring = scoring_of(match, settings, choices)
    if scoring is not None:
        yield from _lines_of_score(scoring, match, choices or {})
    if match.draws and match.games == 1:
        plain, ends = (scoring.plain_draw, scoring.drawn_by(2)) if scoring else (None, match.drawn_by)
        yield from _bare_draw(plain, ends)


def _lines_of_score(scoring: Scoring, match: MatchFile, choices: Mapping[str, Scalar]) -> Iterator[SheetLine]:
    file = scoring.file
    says = f"{file.name}: {_goal_words(scoring, choices)}; whole numbers {_range_words(file)}"
    yield sheet_line("score", says, file)
    if match.seats != 2:
        yield sheet_line(
            "places", f"players below the winner are ranked by {file.name}, unless the places are typed"
        )
    winners = {"most": f"{scoring.the_most} wins", "nobody": "a draw", "typed": "the winner is typed"}
    for end in scoring.ends.values():
        level = ", or a draw" if end.draw and match.draws else ""
        yield sheet_line("end", f"`{end.word}`: {end.says}: {winners[end.wins]}{level}", end)


def _goal_words(scoring: Scoring, choices: Mapping[str, Scalar]) -> str:
    """Return the score that wins, in words: `first to 30 wins`."""
    file, goal = scoring.file, scoring.goal(2)
    if isinstance(file.goal, dict) and not (file.setting and choices.get(file.setting)):
        goals = ", ".join(f"{goal} for {players}" for players, goal in file.goal.items())
        unless = f", unless `{file.setting}` says otherwise" if file.setting else ""
        return f"first to {goals} and more players wins{unless}"
    if goal is not None:
        by_choice = f", as the organizer's `{file.setting}` says" if file.setting else ""
        return f"first to {goal} wins{by_choice}"
    return f"{scoring.the_most} {'win' if file.name.endswith('s') else 'wins'}"


def _range_words(file: ScoreFile) -> str:
    """Return the possible scores in words: `from 0, by 5, never past the goal`."""
    most = f"to {file.most}" if isinstance(file.most, int) else "never past the goal" if file.most else ""
    step = f"by {file.step}" if file.step != 1 else ""
    return ", ".join(filter(None, (f"from {file.least}", step, most)))


def _bare_draw(plain: EndFile | None, drawn_by: Sequence[str]) -> Iterator[SheetLine]:
    """Yield a line for the judge's sheet about a draw that is entered as `=`, without an ending.

    If there is an ending `plain`, it is assumed for such a draw. Otherwise, if `drawn_by` has endings, such a
    draw is refused, because one of these endings must be entered. If there are no endings at all, no line is
    yielded.
    """
    if plain is not None:
        yield sheet_line("draw", f"`=` alone means a draw by `{plain.word}`", plain)
    elif drawn_by:
        words = listed((f"`= --ended {word}`" for word in drawn_by), "or")
        yield sheet_line("draw", f"`=` alone is refused: {words} says how the game ended")
