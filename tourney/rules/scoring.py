"""Scores held against the game: which scores there are, who has won by them, and how a game may end otherwise.

`[match.score]` of a format says it (`tourney.rules.vocabulary.ScoreFile`), with the line of the game's text. Nothing here
knows of tables or events: scores are numbers in some order, and seats are places in that order, from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tourney.errors import TourneyError
from tourney.record import is_end_word
from tourney.rules.vocabulary import EndFile, MatchFile, Scalar, ScoreFile, SettingFile, Standing
from tourney.wording import listed

_LONGEST_NAME = 40
"""Characters in the name of a score: it heads a column of the slips."""

_RULING = "ruling"
USUAL_ENDS = (
    EndFile(word="time", says="time was called", draw=True, standing="house"),
    EndFile(word="concession", says="the other side conceded", standing="house"),
    EndFile(word=_RULING, says="the judge has ruled so", draw=True, standing="house"),
)
"""How any game may end, whatever its text says: the house's, and who has won is typed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What scores say of who has won.

    first: the seats that may have won; where there is one, it has
    drawn: whether it may be a draw among `first`, or must be one of all
    found: whether nothing need be typed: one seat has won, or it is a draw
    reached: whether somebody has reached the goal
    how:   in words, with the line of the text: `34 reaches the goal of 30 (Win Condition, L17)`; why none has won, where
           `first` is empty
    """

    first: tuple[int, ...]
    drawn: Literal["", "may", "must"]
    found: bool
    how: str
    reached: bool = False

    def allows(self, first: Sequence[int]) -> bool:
        """Say whether the first place may be typed so: for a seat, or for several that share it."""
        if self.drawn == "must":
            return {*first} == {*self.first}
        return {*first} <= {*self.first} and (len(first) == 1 or self.drawn == "may")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """A game's score as an event plays it. choices: the organizer's, the format's defaults among them."""

    file: ScoreFile
    choices: Mapping[str, Scalar]

    @property
    def name(self) -> str:
        """How slips and pages call it: `victory points`."""
        return self.file.name

    @property
    def the_most(self) -> str:
        """Have the most of it: `the most victory points`, `the highest scramble count`."""
        return f"the {'most' if self.name.endswith('s') else 'highest'} {self.name}"

    def worth(self, score: int) -> str:
        """Name a score: `12 victory points`, `a scramble count of 12`."""
        return f"{score} {self.name}" if self.name.endswith("s") else f"a {self.name} of {score}"

    def example(self, players: int) -> tuple[int, ...]:
        """Return scores of a game that somebody has won, as there can be."""
        file, goal = self.file, self.goal(players)
        rest = [file.least + file.step * (players - 2 - seat) for seat in range(players - 1)]
        if goal is None:
            return (file.least + file.step * (players - 1), *rest)
        return (goal, *(score if score < goal else file.least for score in rest))

    @property
    def ends(self) -> Mapping[str, EndFile]:
        """Every way in which a game may end otherwise, by its word; the text's own first."""
        own = {end.word: end for end in self.file.end}
        return own | {end.word: end for end in USUAL_ENDS if end.word not in own}

    @property
    def plain_draw(self) -> EndFile | None:
        """The end that a draw is of which nobody says more: the one that the game's text has for it; None where there is none."""
        nobody = [end for end in self.file.end if end.wins == "nobody"]
        return nobody[0] if len(nobody) == 1 else None

    def drawn_by(self, players: int) -> tuple[str, ...]:
        """Return by which ends alone a game is drawn, each to be said: where there is a goal, no score does it; empty: by whatever."""
        return () if self.plain_draw else tuple(end.word for end in self._drawing(players))

    def when_drawn(self, players: int) -> str:
        """Say when a game is drawn, each with the line of the text."""
        ends = listed((_sentence(end) for end in self._drawing(players)), "or")
        return f"a game is drawn only where {ends}"

    def _drawing(self, players: int) -> list[EndFile]:
        ends = self.ends.values() if self.goal(players) is not None else ()
        return [end for end in ends if end.draw or end.wins == "nobody"]

    def goal(self, players: int) -> int | None:
        """Return the score that wins at a table of so many; None where the highest wins."""
        chosen = self.choices.get(self.file.setting) if self.file.setting else None
        if isinstance(chosen, int) and (chosen or self.file.goal is None):
            return chosen
        return _printed_goal(self.file, players)

    def impossible(self, score: int, players: int) -> str | None:
        """Say why nobody can have this score; None where somebody can."""
        file, goal = self.file, self.goal(players)
        if score < file.least:
            return (
                f"nobody can have {self.worth(score)}: there is nothing below {file.least}{cited(file.cite)}"
            )
        if file.most == "goal" and goal is not None and score > goal:
            return (
                f"nobody can have {self.worth(score)}: the game ends at the goal of {goal}{cited(file.cite)}"
            )
        if isinstance(file.most, int) and score > file.most:
            return f"nobody can have {self.worth(score)}: {file.most} is the most{cited(file.cite)}"
        if (score - file.least) % file.step:
            return f"nobody can have {self.worth(score)}: from {file.least} they go by {file.step}{cited(file.cite)}"
        return None

    def too_many(self, scores: Sequence[int]) -> str | None:
        """Say that more have reached the goal than can have when the game ends; None where they can."""
        goal = self.goal(len(scores))
        if goal is None or self.file.several or sum(score >= goal for score in scores) < 2:
            return None
        return f"only one can have reached {goal} when the game ends{cited(self.file.cite)}"

    def say(self, scores: Sequence[int], ended: str = "") -> Said:
        """Say who has won. scores: of those who played; ended: the word of how the game ended, where not by the score.

        Whoever has reached the goal has won, however the game ended, unless a judge rules otherwise: so does the text
        of every game that has a goal.
        """
        end, everybody = self.ends[ended] if ended else None, tuple(range(len(scores)))
        goal = self.goal(len(scores))
        if ended == _RULING and end is not None:
            return Said(first=everybody, drawn=_may(end.draw), found=False, how=_sentence(end))
        reached = tuple(seat for seat in everybody if goal is not None and scores[seat] >= goal)
        if reached:
            return self._reached(scores, reached)
        if end is None and goal is not None:
            told = listed(dict.fromkeys(scores))
            how = f"nobody has reached the goal of {goal} with {told}{cited(self.file.cite)}"
            return Said(first=(), drawn="", found=False, how=how)
        if end is not None and end.wins != "most":
            nobody = end.wins == "nobody"
            drawn = "must" if nobody else _may(end.draw)
            return Said(first=everybody, drawn=drawn, found=nobody, how=_sentence(end))
        return self._highest(scores, end)

    def _reached(self, scores: Sequence[int], reached: tuple[int, ...]) -> Said:
        goal, cite = self.goal(len(scores)), cited(self.file.cite)
        if len(reached) == 1:
            how = f"{scores[reached[0]]} reaches the goal of {goal}{cite}"
        else:
            told = listed(str(scores[seat]) for seat in reached)
            how = f"{told} {'both' if len(reached) == 2 else 'all'} reach the goal of {goal}{cite}"
        return Said(first=reached, drawn="", found=len(reached) == 1, how=how, reached=True)

    def _highest(self, scores: Sequence[int], end: EndFile | None) -> Said:
        top = max(scores)
        first = tuple(seat for seat, score in enumerate(scores) if score == top)
        cite = cited(self.file.cite if end is None else end.cite)
        because = f", as {end.says}" if end else ""
        if len(first) == 1:
            return Said(first=first, drawn="", found=True, how=f"{top} is {self.the_most}{because}{cite}")
        how = f"{top} is {self.the_most}{because}, and {len(first)} have it{cite}"
        return Said(first=first, drawn=_may(end is None or end.draw), found=end is None, how=how)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unscored:
    """A game that counts no score. drawn_by: the ends by which alone a game is drawn; empty: by whatever."""

    game: str
    drawn_by: tuple[EndFile, ...] = ()
    cite: str | None = None

    @property
    def ends(self) -> Mapping[str, EndFile]:
        """Every way in which a game may end otherwise, by its word: those of any game."""
        return {end.word: end for end in USUAL_ENDS}

    def example(self, _: int) -> tuple[int, ...]:
        """Return no scores: none is typed."""
        return ()

    @property
    def no_score(self) -> str:
        """Say that there is none to type."""
        return f"{self.game} counts no score"

    @property
    def when_drawn(self) -> str:
        """Say when a game is drawn, with the line of the text."""
        return f"a game is drawn only where {listed((end.says for end in self.drawn_by), 'or')}{cited(self.cite)}"


def _may(drawn: bool) -> Literal["", "may"]:
    return "may" if drawn else ""


def _printed_goal(file: ScoreFile, players: int) -> int | None:
    if not isinstance(file.goal, dict):
        return file.goal
    sizes = sorted(int(size) for size in file.goal)
    size = max((each for each in sizes if each <= players), default=sizes[0])
    return file.goal[str(size)]


def cited(cite: str | None) -> str:
    """Return where a thing stands, as it follows a sentence: ` (Win Condition, L17)`."""
    return f" ({cite})" if cite else ""


def _sentence(end: EndFile) -> str:
    return f"{end.says}{cited(end.cite)}"


def places(scores: Sequence[int], first: Sequence[int]) -> list[int]:
    """Return everybody's place: those who are first, then by score; equal scores share the better place.

    >>> places([9, 26, 12, 9], [1]), places([9, 9, 7], [0, 1])
    ([3, 1, 2, 3], [1, 1, 3])
    """
    others = [score for seat, score in enumerate(scores) if seat not in first]
    return [
        1 if seat in first else 1 + len(first) + sum(other > score for other in others)
        for seat, score in enumerate(scores)
    ]


# -- what a format says of it: held against itself, and told


def scoring_of(
    match: MatchFile, settings: Mapping[str, SettingFile], chosen: Mapping[str, Scalar] | None = None
) -> Scoring | None:
    """Return the score of a format's matches; None where it has none, or says no more of it than a name."""
    if not isinstance(match.score, ScoreFile):
        return None
    defaults = {name: setting.default for name, setting in settings.items()}
    return Scoring(file=match.score, choices={**defaults, **(chosen or {})})


def unscored_of(game: str, match: MatchFile) -> Unscored | None:
    """Return what a format says whose game counts no score (`score = false`); None where it does not say so."""
    if match.score is not False:
        return None
    drawn_by = tuple(end for end in USUAL_ENDS if end.word in match.drawn_by)
    return Unscored(game=game, drawn_by=drawn_by, cite=match.cite)


def faults_of_score(match: MatchFile, settings: Mapping[str, SettingFile]) -> Iterator[str]:
    """Say what of a format's score cannot be, each with its key."""
    if match.score is True:
        yield 'score: what is counted is missing: its name, as `score = "points"`, or `false` where nothing is'
    yield from _odd_drawn_by(match)
    yield from _odd_drawn_game(match)
    scoring = scoring_of(match, settings)
    if scoring is not None:
        for fault in (
            *_odd_bounds(scoring.file),
            *_odd_ends(scoring.file),
            *_odd_goals(scoring, settings),
        ):
            yield f"score.{fault}"


def _odd_drawn_by(match: MatchFile) -> Iterator[str]:
    words = [end.word for end in USUAL_ENDS if end.draw]
    if match.drawn_by and match.score is not False:
        yield "drawn_by: it is for a game that counts no score (`score = false`); with a score its ends say it (`draw = true`)"
    elif match.drawn_by and not match.draws:
        yield "drawn_by: no match is drawn here (`draws = false`)"
    for word in match.drawn_by:
        if word not in words:
            yield f"drawn_by: a game is drawn by {listed(words, 'or')}, not by `{word}`"


def _odd_drawn_game(match: MatchFile) -> Iterator[str]:
    if match.drawn_game == "none" and match.draws and match.games == 1:
        yield "drawn_game: a match of one game is drawn with it (`draws = true`), so `none` cannot be"
    if match.drawn_game == "stands" and not match.draws and match.games == 1:
        yield "drawn_game: a match of one game needs a winner (`draws = false`), so a drawn one cannot stand: `again` or `none`"
    fewest = match.seats if isinstance(match.seats, int) else match.seats.min
    if match.drawn_game and fewest > 2:
        yield "drawn_game: it is for matches of two, where games are counted"


def _odd_bounds(file: ScoreFile) -> Iterator[str]:
    if not file.name.strip() or len(file.name) > _LONGEST_NAME or not file.name.isprintable():
        yield f"name: 1 to {_LONGEST_NAME} printable characters are needed"
    if file.step < 1:
        yield f"step: {file.step} is too few, scores go by 1 at least"
    if isinstance(file.most, int) and file.most < file.least:
        yield f"most: {file.most} is less than the least score, {file.least}"
    if file.goal is None and file.setting is None:
        if file.most == "goal":
            yield "most: there is no goal"
        if not file.several:
            yield "several: there is no goal that several could reach"


def _odd_goals(scoring: Scoring, settings: Mapping[str, SettingFile]) -> Iterator[str]:
    file, sizes = scoring.file, ["2"]
    if isinstance(file.goal, dict):
        sizes = [*file.goal]
        if not sizes or not all(re.fullmatch(r"[1-9]\d{0,2}", each) for each in sizes):
            yield "goal: the players at a table are needed, each with its goal: `{ 2 = 5, 3 = 4 }`"
            return
    if file.setting is not None:
        default = settings[file.setting].default if file.setting in settings else None
        if file.setting not in settings:
            yield f"setting: the format has no choice `{file.setting}`; its choices: {', '.join(settings) or 'none'}"
            return
        if type(default) is not int:
            yield f"setting: `{file.setting}` is no whole number, so it is no goal"
            return
    for fault in filter(None, (_odd_goal(scoring, int(size)) for size in sizes)):
        yield f"goal: {fault}"


def _odd_goal(scoring: Scoring, players: int) -> str | None:
    """Say why the goal of a table of so many is none; None where it can be reached, and not before the first move."""
    goal = scoring.goal(players)
    if goal is None or scoring.file.step < 1:
        return None
    if goal <= scoring.file.least:
        return f"everybody has {goal} from the start: the least score is {scoring.file.least}"
    return scoring.impossible(goal, players)


def _odd_ends(file: ScoreFile) -> Iterator[str]:
    seen = set()
    for number, end in enumerate(file.end):
        if not is_end_word(end.word):
            yield f"end[{number}].word: `{end.word}` should be a word of 2 to 20 small letters, as `deck`"
        elif end.word in seen:
            yield f"end[{number}].word: there are two ends `{end.word}`"
        elif end.word == _RULING:
            yield f"end[{number}].word: a `{_RULING}` is the judge's, in any game"
        if not end.says.strip():
            yield f"end[{number}].says: what has happened is missing, as `the deck has run out`"
        seen.add(end.word)


def refuse_odd_choice(
    match: MatchFile,
    settings: Mapping[str, SettingFile],
    chosen: Mapping[str, Scalar],
    sizes: Sequence[int],
) -> None:
    """Raise TourneyError where the organizer's choice of a goal can never be reached, or is from the start."""
    scoring = scoring_of(match, settings, chosen)
    named = scoring.file.setting if scoring else None
    if scoring is None or named is None or named not in chosen:
        return
    for players in sizes:
        if (fault := _odd_goal(scoring, players)) is not None:
            raise TourneyError(f"{named}: {chosen[named]} is no goal: {fault}")


def score_words(
    match: MatchFile, settings: Mapping[str, SettingFile], chosen: Mapping[str, Scalar] | None = None
) -> Iterator[tuple[str, str, str | None, Standing]]:
    """Tell a score for the judge's sheet: a handle, what it says, where that stands, and how firmly.

    chosen: what the organizer of an event chose, where it is an event's sheet
    """
    scoring = scoring_of(match, settings, chosen)
    if scoring is None:
        if match.draws and match.games == 1:
            yield from _bare_draw(None, match.drawn_by)
        return
    file = scoring.file
    own = f", as the organizer's `{file.setting}` says" if file.setting else ""
    if isinstance(file.goal, dict) and not (file.setting and (chosen or {}).get(file.setting)):
        each = [f"{goal} for {players}" for players, goal in file.goal.items()]
        wins = f"first to {', '.join(each)} and more players wins{own if not file.setting else f', unless `{file.setting}` says otherwise'}"
    elif (goal := scoring.goal(2)) is not None:
        wins = f"first to {goal} wins{own}"
    else:
        wins = f"{scoring.the_most} wins" if not file.name.endswith("s") else f"{scoring.the_most} win"
    bounds = [f"from {file.least}", f"by {file.step}" if file.step != 1 else ""]
    bounds += [
        "never past the goal" if file.most == "goal" else f"to {file.most}" if file.most is not None else ""
    ]
    yield (
        "score",
        f"{file.name}: {wins}; whole numbers {', '.join(filter(None, bounds))}",
        file.cite,
        file.standing,
    )
    if match.seats != 2:
        yield "places", f"below the winner by {file.name}, unless they are typed", None, "house"
    for end in scoring.ends.values():
        who = {"most": f"{scoring.the_most} wins", "nobody": "a draw", "typed": "who has won is typed"}[
            end.wins
        ]
        level = ", or a draw" if end.draw and match.draws else ""
        yield "end", f"`{end.word}`: {end.says}: {who}{level}", end.cite, end.standing
    if match.draws and match.games == 1:
        yield from _bare_draw(scoring.plain_draw, scoring.drawn_by(2))


def _bare_draw(
    plain: EndFile | None, drawn_by: Sequence[str]
) -> Iterator[tuple[str, str, str | None, Standing]]:
    """Tell what becomes of a draw that is typed as `=` alone; nothing where it is taken as it is."""
    if plain is not None:
        yield "draw", f"a bare `=` is one by `{plain.word}`", plain.cite, plain.standing
    elif drawn_by:
        words = listed((f"`= --ended {word}`" for word in drawn_by), "or")
        yield "draw", f"a bare `=` is refused: {words} says how the game ended", None, "house"
