"""Victory points and endings by the rules of each game, compared with a simple model.

Hints are checked, too: every proposed command is accepted.
"""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.desk.kit import library, new_desk, open_desk
from tests.kit import with_rows
from tests.rules.kit import format_of
from tourney.desk.gathering import new_settings
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.kind import Decision
from tourney.event.results import read_result
from tourney.event.score import Report, Slip, parse_line
from tourney.record import Outcome, PlayerId, Result, Seat
from tourney.rules.scoring import Unscored, game_rules, scoring_of

NAMES = ("Ada", "Ben", "Cleo", "Dov", "Eli", "Fay")


def scoring(name, **choices):
    """Return how the game of a shipped format is decided, with the organizer's choices."""
    format_ = library().format(name)
    return game_rules(format_.name, format_.match, format_.settings, choices)


RED_DIAMOND = scoring("red-diamond/standard")
SCRAMBLE = scoring("redline/scramble")
DIAMONSTERS = scoring("diamonsters/standard")


def slip_of(game, seats, **match):
    """Return the slip of a table with this many seats."""
    players = tuple(map(PlayerId, range(1, seats + 1)))
    return Slip(table=3, seats=players, names=NAMES[:seats], find_game=lambda: game, **match)


def read_points(game, points, score=None, *, ended="", **match):
    """Read victory points at a table with that many seats; return places, ending and reason."""
    report = Report(score=score or None, points=tuple(points), ended=ended)
    read = read_result(slip_of(game, len(points), **match), report)
    assert [seat.score for seat in read.result.seats] == list(points)
    return [seat.place for seat in read.result.seats], read.result.ended, read.reason


def refused(*arguments, **more):
    """Return the message and the hint of an error."""
    with pytest.raises(TourneyError) as caught:
        read_points(*arguments, **more)
    return caught.value.message.removeprefix("table 3: "), caught.value.hint


# -- Red Diamond: "Score Victory Points equal to or larger than the Goal" (L17), set by the organizers (L136)


def test_the_player_who_reaches_the_goal_wins():
    """Points equal to the goal are enough."""
    assert read_points(RED_DIAMOND, (34, 12)) == (
        [1, 2],
        "",
        "34 reaches the goal of 30 (Win Condition, L17)",
    )
    assert read_points(RED_DIAMOND, (0, 30))[0] == [2, 1]
    assert read_points(scoring("red-diamond/standard", goal=150), (149, 150))[0] == [2, 1]


def test_the_printed_set_reaches_a_goal_of_20_but_not_30():
    """2 × 3 × 4, limited by the smallest Max, is 20 VP (Scoring, L240-243)."""
    from tourney.games.red_diamond.judge import VictoryCard, set_value

    total = set_value([VictoryCard(2, 40), VictoryCard(3, 30), VictoryCard(4, 20)])
    assert "with 20 and 9, no player has reached the goal of 30" in refused(RED_DIAMOND, (total, 9))[0]
    assert read_points(scoring("red-diamond/standard", goal=20), (total, 9))[0] == [1, 2]


@with_rows(
    ("scores", "text", "says"),
    [
        ((12, 20), "1-0",
         "with 12 and 20, no player has reached the goal of 30 (Win Condition, L17),"
         " so the game is not over"),
        ((34, 12), "0-1", "34 reaches the goal of 30 (Win Condition, L17), so Ben did not win"),
        ((34, 31), "", "34 and 31 both reach the goal of 30 (Win Condition, L17): type who was first"),
        ((34, 31), "=",
         "34 and 31 both reach the goal of 30 (Win Condition, L17), so it is not a draw"),
        ((20, 20), "=",
         "with 20, no player has reached the goal of 30 (Win Condition, L17), so the game is not over"),
        ((34, -1), "", "a player cannot have -1 victory points: the lowest score is 0 (Win Condition, L17)"),
        ((34, 12), "id", "34 reaches the goal of 30 (Win Condition, L17), so it is not a draw"),
    ],
)  # fmt: skip
def test_impossible_scores_are_refused_with_the_rule(scores, text, says):
    """Each error has a hint."""
    message, hint = refused(RED_DIAMOND, scores, text)
    assert message == says
    assert hint


def test_a_tie_needs_time_or_agreement():
    """L302 has ties, but no rule leads to one; time and a concession are house rules."""
    assert read_points(RED_DIAMOND, (20, 12), ended="agreement")[:2] == ([1, 1], "agreement")
    assert read_points(RED_DIAMOND, (20, 12), "=", ended="time")[:2] == ([1, 1], "time")
    assert read_points(RED_DIAMOND, (20, 12), "1-0", ended="time")[:2] == ([1, 2], "time")
    assert read_points(RED_DIAMOND, (20, 12), "0-1", ended="concession")[:2] == ([2, 1], "concession")
    assert read_points(RED_DIAMOND, (20, 12), "id")[:2] == ([1, 1], "id")
    assert read_points(RED_DIAMOND, (34, 12), "0-1", ended="ruling")[:2] == ([2, 1], "ruling")
    assert "type who won" in refused(RED_DIAMOND, (20, 12), ended="time")[0]
    assert "Ben did not win" in refused(RED_DIAMOND, (34, 12), "0-1", ended="concession")[0]
    assert "Ada did not win" in refused(RED_DIAMOND, (20, 12), "1-0", ended="agreement")[0]
    assert "it is not a draw" in refused(RED_DIAMOND, (20, 12), "=", ended="concession")[0]


def test_a_game_that_reached_the_goal_has_no_other_ending():
    """If a player has already won, time does not matter."""
    assert read_points(RED_DIAMOND, (34, 12), ended="time")[:2] == ([1, 2], "")


def test_no_shows_and_longer_matches_need_only_possible_scores():
    """A goal is for one game, and a no-show has not played."""
    assert read_points(RED_DIAMOND, (0, 0), "ff2")[0] == [1, 2]
    assert read_points(RED_DIAMOND, (12, 20), "2-1", best_of=3)[0] == [1, 2]
    assert "a player cannot have" in refused(RED_DIAMOND, (-1, 20), "2-1", best_of=3)[0]


# -- REDLINE Scramble: the first to 25 (L405, L410), or the highest count where the mission deck is out (L413)


def test_a_scramble_is_won_by_the_first_to_reach_the_count():
    """The others rank by count. Of several at the goal, the first one must be typed."""
    assert read_points(SCRAMBLE, (9, 26, 12))[0] == [3, 1, 2]
    assert read_points(SCRAMBLE, (9, 25, 9))[0] == [2, 1, 2]
    assert "type who was first" in refused(SCRAMBLE, (25, 27, 12))[0]
    places, ended, how = read_points(SCRAMBLE, (25, 27, 12), "1,2,3")
    assert (places, ended) == ([1, 2, 3], "")
    assert how.endswith("both reach the goal of 25 (REDLINE Scramble, L405, L410), and Ada was first")
    assert "Cleo did not win" in refused(SCRAMBLE, (25, 27, 12), "2,3,1")[0]


def test_the_highest_count_wins_if_the_mission_deck_has_run_out():
    """L413; a tie on the count is not decided there."""
    assert read_points(SCRAMBLE, (9, 7, 12), ended="deck") == (
        [2, 3, 1],
        "deck",
        "the mission deck has run out, and 12 is the highest scramble count (REDLINE Scramble, L413)",
    )
    assert "no player has reached the goal of 25" in refused(SCRAMBLE, (9, 7, 12))[0]
    assert "), so Ada did not win" in refused(SCRAMBLE, (9, 7, 12), "1,2,3", ended="deck")[0]
    assert "shared by 2 players" in refused(SCRAMBLE, (12, 7, 12), ended="deck")[0]
    assert read_points(SCRAMBLE, (12, 7, 12), "2,3,1", ended="deck")[0] == [2, 3, 1]
    assert read_points(SCRAMBLE, (12, 7, 12), "1,3,1", ended="deck")[0] == [1, 3, 1]


def test_the_last_player_with_an_arsenal_wins_a_scramble():
    """L412: the missions of eliminated players are returned, so their count is zero."""
    assert read_points(SCRAMBLE, (0, 7, 0), "2,1,2", ended="elimination")[:2] == ([2, 1, 2], "elimination")


def test_a_place_behind_a_lower_count_is_only_a_warning():
    """No rule orders the players who have not won."""
    read = read_result(slip_of(SCRAMBLE, 3), Report(score="1,2,3", points="26,9,12"))
    assert read.warning == "table 3: Cleo is placed behind Ben, but has the higher score (12 to 9)"


# -- Diamonsters: the first with 5, 4 or 3 plastic diamonds, which come one at a time (L101, L105-109)


@with_rows(("players", "goal"), [(2, 5), (3, 4), (4, 3), (5, 3), (6, 3)])
def test_the_diamonds_that_win_depend_on_the_number_of_players(players, goal):
    """No player can have more, and only one player can have that many."""
    rest = (1,) * (players - 1)
    assert read_points(DIAMONSTERS, (goal, *rest))[0] == [1, *[2] * (players - 1)]
    assert "the game ends at the goal" in refused(DIAMONSTERS, (goal + 1, *rest))[0]
    both = (goal, goal, *rest[1:])
    assert "only one player can have reached" in refused(DIAMONSTERS, both)[0]
    first = "1-0" if players == 2 else ",".join(map(str, range(1, players + 1)))
    assert "only one player can have reached" in refused(DIAMONSTERS, both, first)[0]


def test_the_organizer_can_set_another_number_of_diamonds():
    """The setting `pieces`; 0 means the printed number."""
    assert scoring("diamonsters/standard", pieces=2).goal(2) == 2
    assert scoring("diamonsters/standard", pieces=0).goal(2) == 5


def test_diamonds_in_the_collections_decide_if_no_card_is_left():
    """L82: pieces do not matter, and equal collections are not decided."""
    assert "type who won" in refused(DIAMONSTERS, (2, 3), ended="cards")[0]
    assert read_points(DIAMONSTERS, (2, 3), "1-0", ended="cards")[:2] == ([1, 2], "cards")
    assert read_points(DIAMONSTERS, (2, 2, 1, 0), "1,1,3,4", ended="cards")[0] == [1, 1, 3, 4]


@with_rows(
    "name",
    [
        "kingdoms/standard",
        "kingdoms/two-games",
        "redline/standard",
        "redline/scenario",
        "dimrift/open",
        "dimrift/classic",
    ],
)
def test_the_other_games_have_no_score(name):
    """Their rules count no points: areas, arsenals and lives are not scores."""
    format_ = library().format(name)
    game = scoring(name)
    assert scoring_of(format_.match, format_.settings) is None
    for text in ("", "0-1", "id"):
        message, hint = refused(game, (3, 2), text)
        assert message == f"{format_.name} has no scores"
        assert "without `--score`" in hint or hint == "leave out `--score`"


def test_a_format_without_score_rules_takes_any_score():
    """As in events made before formats could state that they count no score."""
    assert "the score alone does not decide this game" in refused(Unscored(), (3, 2))[0]
    assert read_points(Unscored(), (3, 2), "0-1")[0] == [2, 1]


@with_rows("game", [Unscored(), RED_DIAMOND, SCRAMBLE])
def test_an_ending_alone_is_not_a_result(game):
    """It does not say who won."""
    with pytest.raises(TourneyError, match="`` is not a result"):
        read_result(slip_of(game, 2), Report(ended="time"))


REDLINE = scoring("redline/standard")
KINGDOMS = scoring("kingdoms/standard")


def test_a_game_of_redline_is_drawn_only_by_time():
    """L557: initiative breaks ties in play. Two discarded monarchs are a draw (Kingdoms, L151)."""
    with pytest.raises(TourneyError) as caught:
        ending_without_score(REDLINE, "=")
    assert "a game is drawn only if time was called (Glossary > Initiative, L557" in caught.value.message
    assert caught.value.hint == (
        "if the game ended that way: `tourney result add 3 = --ended time`; "
        "if the players agreed not to play: `tourney result add 3 id`"
    )
    assert ending_without_score(REDLINE, "=", ended="time") == "time"
    assert ending_without_score(REDLINE, "½-½", ended="ruling") == "ruling"
    assert ending_without_score(REDLINE, "id") == "id"
    assert ending_without_score(REDLINE, "dl") == ""
    assert ending_without_score(REDLINE, "1-0") == ""
    assert ending_without_score(REDLINE, "1-1", best_of=2) == ""
    assert ending_without_score(KINGDOMS, "=") == ""


@with_rows("text", ["=", "d", "½-½", "0-0-1", "1,1"])
def test_a_draw_of_red_diamond_is_an_agreement_by_default(text):
    """L302: no rule makes a tie. Time and rulings have to be given."""
    assert ending_without_score(RED_DIAMOND, text) == "agreement"
    assert ending_without_score(RED_DIAMOND, text, ended="time") == "time"
    assert ending_without_score(RED_DIAMOND, text, ended="ruling") == "ruling"
    assert ending_without_score(RED_DIAMOND, "id") == "id"
    assert ending_without_score(RED_DIAMOND, "dl") == ""
    assert ending_without_score(RED_DIAMOND, "1-0") == ""


@with_rows(
    ("game", "end", "line"),
    [(SCRAMBLE, "deck", "REDLINE Scramble, L413"), (DIAMONSTERS, "cards", "Gameplay, L82")],
)
@with_rows("text", ["=", "1,1,3", "1,1,1", "1,1,ff"])
def test_a_draw_needs_an_ending_if_a_goal_decides(game, end, line, text):
    """Only one player reaches the goal; ties come from running out of cards, time or a ruling."""
    with pytest.raises(TourneyError, match="a game is drawn only ") as caught:
        ending_without_score(game, text, seats=3)
    assert line in caught.value.message
    assert f"`tourney result add 3 {text} --ended {end}`" in caught.value.hint
    for word in (end, "time", "ruling"):
        assert f"--ended {word}`" in caught.value.hint
        assert ending_without_score(game, text, seats=3, ended=word) == word
    assert ending_without_score(game, "id", seats=3) == "id"
    assert ending_without_score(game, "1,2,2", seats=3) == ""


@pytest.mark.parametrize("name", ["redline/standard", "redline/scenario"])
def test_a_draw_of_redline_without_an_ending_is_refused(name, tmp_path):
    """As a single result, in a block, and as a change. No hint proposes it."""
    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dov", format_name=name) as desk:
        desk.pair_round()
        for enter in (
            lambda: desk.report(1, "="),
            lambda: desk.report_block(["1 d", "2 1-0"]),
            lambda: desk.meaning(Report(tables=1, score="½-½")),
        ):
            with pytest.raises(TourneyError, match="a game is drawn only if time was called"):
                enter()
        for wrong in ("5-1", "huh"):
            with pytest.raises(TourneyError) as caught:
                desk.report(1, wrong)
            assert "`d`" not in caught.value.hint
            assert "½" not in caught.value.hint
        desk.report(1, "1-0")
        with pytest.raises(TourneyError, match="a game is drawn only") as caught:
            desk.change_result(1, "=")
        assert caught.value.hint.startswith(
            "if the game ended that way: `tourney result change 1 = --ended time`"
        )
        desk.change_result(1, "=", time=True)
        assert desk.state.round.tables[1].result.ended == "time"
        desk.report(2, "id")


def test_an_event_with_an_older_format_behaves_as_before(tmp_path):
    """Draws without an ending, and any score, are accepted."""
    text = library().find_format("redline/standard").content.decode()
    old = re.sub(r"(?m)^(score|drawn_by) .*\n", "", text)
    assert len(old) < len(text)
    file = tmp_path / "old.toml"
    file.write_text(old, encoding="utf-8")
    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dov", format_name=str(file)) as desk:
        desk.pair_round()
        desk.report(1, "=")
        desk.report(2, "1-0", scores="3,2")
        assert [seat.score for seat in desk.state.round.tables[2].result.seats] == [3, 2]


ONE_GAME = [
    "red-diamond/standard",
    "redline/standard",
    "redline/scenario",
    "kingdoms/standard",
    "diamonsters/standard",
]


@pytest.mark.parametrize("name", ONE_GAME)
def test_no_game_is_replayed_in_a_match_of_one(tmp_path, name):
    """No printed rule has a replay.

    Red Diamond's tie is ½ each (L302), two discarded monarchs are a draw (Kingdoms, L151), time ends
    REDLINE's games, and equal diamonds are not decided. If a bracket needs a winner, a drawn game is
    followed by another.
    """
    more = {"seats": (2,)} if name.startswith("diamonsters") else {}
    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dov", format_name=name, system="swiss", **more) as desk:
        desk.pair_round()
        for score in ("1-0-1", "0-1-1"):
            with pytest.raises(TourneyError, match="because a drawn game counts") as caught:
                desk.report(1, score)
            for form in re.findall("`([^`]+)`", caught.value.hint or ""):
                assert desk.meaning(parse_line(f"1 {form}"))
        desk.report(1, "1-0", ended="time")
        desk.report(2, "0-1")
        desk.cut(4)
        desk.pair_round()
        desk.report(1, "1-0-1")
        assert desk.state.round.tables[1].result.drawn_games == 1


@pytest.mark.parametrize(
    ("match", "takes", "refuses"),
    [
        ('draws = true\ndrawn_game = "again"', ["1-0-1", "0-1-2"], []),
        ('drawn_game = "again"', ["1-0-1"], ["0-0-1"]),
        ("games = 3", ["2-1"], ["2-0-1", "1-0-2"]),
        ("games = 3\ndraws = true", ["2-0-1", "1-0-2"], []),
        ('games = 3\ndraws = true\ndrawn_game = "stands"', ["2-0-1", "1-1-1"], ["2-1-1"]),
        ('games = 3\ndraws = true\ndrawn_game = "none"', ["2-0"], ["2-0-1", "0-0-3"]),
        ("games = 2\ndraws = true", ["1-0-1"], ["1-0-2"]),
    ],
)
def test_a_format_defines_drawn_games(tmp_path, match, takes, refuses):
    """A format's own rule is kept. A game without draws has none within a match either."""
    file = tmp_path / "own.toml"
    text = f'[format]\nid = "house/own"\n[match]\n{match}\n[[zone]]\nid = "deck"\n'
    file.write_text(text, encoding="utf-8")
    with new_desk(tmp_path, "Ada", "Ben", format_name=str(file)) as desk:
        desk.pair_round()
        for refuse in refuses:
            with pytest.raises(TourneyError):
                desk.report(1, refuse)
        for refuse in takes:
            assert desk.meaning(parse_line(f"1 {refuse}"))


def test_an_event_with_a_result_that_is_no_longer_accepted_opens(tmp_path):
    """The result is read and shown, and can be changed."""
    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dov", format_name="kingdoms/standard") as desk:
        desk.pair_round()
        seats = desk.state.round.tables[1].seats
        won = Result((Seat(seats[0], Outcome.WIN, 1, 1), Seat(seats[1], Outcome.LOSS, 2, 0)), 1)
        desk.write(lambda _change: Decision(op=ops.ResultReported(round=1, results={1: won})))
    with open_desk(tmp_path) as desk:
        assert desk.state.round.tables[1].result.drawn_games == 1
        assert desk.ranking_input().record.rounds[0]
        desk.change_result(1, "1-0")
        assert desk.state.round.tables[1].result.drawn_games == 0


@with_rows(
    ("match", "says"),
    [
        ('draws = true\ndrawn_game = "none"', "match.drawn_game: `none` is impossible"),
        ('drawn_game = "stands"', "match.drawn_game: `stands` is impossible"),
        ('seats = 3\ndrawn_game = "again"', "match.drawn_game: only for matches of two"),
        ("score = true", "match.score: expected a name"),
        ('draws = true\ndrawn_by = ["time"]', "match.drawn_by: only for a game with `score = false`"),
        ('score = false\ndrawn_by = ["time"]', "match.drawn_by: no match can be drawn"),
        ('score = false\ndraws = true\ndrawn_by = ["concession"]',
         "match.drawn_by: a game is drawn by time or ruling, not by `concession`"),
    ],
)  # fmt: skip
def test_a_format_with_impossible_rules_for_draws_is_refused(match, says):
    """The error names the key."""
    with pytest.raises(TourneyError, match=re.escape(says)):
        format_of(f'[format]\nid = "house/standard"\n[match]\n{match}\n[[zone]]\nid = "deck"\n')


# -- a second, simple model


SCORES = st.integers(-2, 45)
GAMES = {"red diamond": (RED_DIAMOND, 30), "scramble": (SCRAMBLE, 25)}


def model(goal, scores, ended):
    """Return the winner's seat, `draw`, or None if the score does not decide, by a simple model."""
    if any(score < 0 for score in scores):
        return None
    at_goal = [seat for seat, score in enumerate(scores) if score >= goal]
    if ended == "ruling":
        return None
    if at_goal:
        return at_goal[0] if len(at_goal) == 1 else None
    if ended == "deck":
        best = sorted(range(len(scores)), key=lambda seat: scores[seat])
        return best[-1] if scores[best[-1]] > scores[best[-2]] else None
    return "draw" if ended == "agreement" else None


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_a_score_decides_as_a_simple_model_does(game, data):
    """The winner, then all others by score; refused if the model does not decide."""
    rule, goal = GAMES[game]
    seats = 2 if game == "red diamond" else 3
    scores = tuple(data.draw(st.lists(SCORES, min_size=seats, max_size=seats)))
    ended = data.draw(st.sampled_from(["", *rule.ends]))
    wanted = model(goal, scores, ended)
    if wanted is None:
        refused(rule, scores, ended=ended)
        return
    places, kept, how = read_points(rule, scores, ended=ended)
    assert how
    assert kept == ("" if max(scores) >= goal else ended)
    if wanted == "draw":
        assert places == [1] * seats
        return
    assert places[wanted] == 1
    assert places.count(1) == 1
    behind = sorted((place, -score) for place, score in zip(places, scores, strict=True) if place > 1)
    assert [score for _, score in behind] == sorted(score for _, score in behind)


@pytest.mark.parametrize("game", ["red diamond", "scramble", "diamonsters"])
@given(data=st.data())
def test_every_command_in_a_hint_is_accepted(game, data):
    """Each `--ended` of a hint is accepted with the typed result or another one."""
    rule, seats = {
        "red diamond": (RED_DIAMOND, 2),
        "scramble": (SCRAMBLE, 3),
        "diamonsters": (DIAMONSTERS, 4),
    }[game]
    most = 8 if game == "diamonsters" else 45
    scores = tuple(data.draw(st.lists(st.integers(0, most), min_size=seats, max_size=seats)))
    ended = data.draw(st.sampled_from(["", *rule.ends]))
    results = (
        ["1-0", "0-1", "="]
        if seats == 2
        else ["1,2,3,4,5"[: 2 * seats - 1], "=", "2,1,3,4,5"[: 2 * seats - 1], "1,1,3,4,5"[: 2 * seats - 1]]
    )
    text, draws = data.draw(st.sampled_from(["", *results])), data.draw(st.booleans())
    try:
        read_points(rule, scores, text, ended=ended, draws=draws)
    except TourneyError as fault:
        if "is a draw, and this match needs a winner" in fault.message:
            return
        hint = fault.hint
    else:
        return
    commands = re.findall(r"`tourney result add (3 [^`]*)`", hint)
    for command in commands:
        report = parse_line(command)
        points = tuple(map(int, report.points.split(",")))
        read_points(rule, points, report.score, ended=report.ended, draws=draws)
    others = re.search(r"--ended [a-z]+`( \(or [a-z ,]+\))?$", hint)
    for word in re.findall("[a-z]+", (others[1] or "").replace("or ", "") if others else ""):
        read_points(rule, scores, parse_line(commands[-1]).score, ended=word, draws=draws)


# -- lines, entries and old events


@with_rows(
    ("line", "tables", "score", "points", "ended"),
    [
        ("4 --score 34,12", "4", None, "34,12", ""),
        ("4 --score=34,12", "4", None, "34,12", ""),
        ("4 1-0 --score 20,12 --ended concession", "4", "1-0", "20,12", "concession"),
        ("4 1-0 20,12 --ended=time --time", "4", "1-0", "20,12", "time"),
        ("lena --score 34,12", "lena", None, "34,12", ""),
        ("Lena Thorn 2-0 --score 34,12 # late", "Lena Thorn", "2-0", "34,12", ""),
        ('"Anna D" --score 34,12', "Anna D", None, "34,12", ""),
        ("#7 --score 34,12 --time", "#7", None, "34,12", "time"),
        ("2,4 1,2,3 26,9,12", "2,4", "1,2,3", "26,9,12", ""),
    ],
)
def test_a_line_of_a_block_takes_the_options(line, tables, score, points, ended):
    """At its end, in any order."""
    assert parse_line(line) == Report(tables=tables, score=score, points=points, ended=ended)


@with_rows("line", ["4", "--score 3,4", "4 --ended deck", "--time", "4 5 6 --score 3,4"])
def test_invalid_lines_are_refused(line):
    """The error says what a line is."""
    with pytest.raises(TourneyError, match="is not a table and a score"):
        parse_line(line)


def test_a_score_is_recorded_shown_and_undone(tmp_path):
    """The ending is part of the result."""

    def ended(table):
        return desk.state.round.tables[table].result.ended

    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dov") as desk:
        desk.pair_round()
        receipt = desk.report(1, scores="34,12")
        assert receipt.changed[1] == "34 reaches the goal of 30 (Win Condition, L17)."
        assert ended(1) == ""
        desk.report(2, "0-1", scores="3,2", ended="concession")
        assert ended(2) == "concession"
        desk.change_result(2, scores="3,31")
        assert ended(2) == ""
        desk.undo()
        assert ended(2) == "concession"
        assert desk.report(2, "0-1", scores="3,2", ended="concession").already


def test_a_format_that_only_names_its_score_accepts_any_score(tmp_path):
    """Older events have formats with `score = "victory points"`."""
    text = library().find_format("red-diamond/standard").content.decode()
    start, end = text.index("[match.score]"), text.index("[standings]")
    file = tmp_path / "old.toml"
    old = text[:start] + text[end:]
    file.write_text(old.replace("[match]\n", '[match]\nscore = "victory points"\n'), encoding="utf-8")
    with new_desk(tmp_path, "Ada", "Ben", format_name=str(file)) as desk:
        desk.pair_round()
        assert desk.scoring() == Unscored(name="victory points")
        desk.report(1, "0-1", scores="34,-12")
        assert [seat.score for seat in desk.state.round.tables[1].result.seats] == [34, -12]
        assert desk.state.round.tables[1].result.seats[1].outcome is Outcome.WIN
        with pytest.raises(TourneyError, match="the score alone does not decide this game"):
            desk.change_result(1, scores="34,12")


@with_rows("word", ["Deck", "a b", "x" * 30, "\x1b[2J"])
def test_an_entry_with_an_invalid_ending_is_refused(word):
    """Such an entry can only be written by another program."""
    from tourney.event.fold import KINDS

    seats = (Seat(PlayerId(1), Outcome.WIN), Seat(PlayerId(2), Outcome.LOSS, 2))
    result = Result(seats, ended=word)
    assert list(KINDS[ops.ResultReported].faults(ops.ResultReported(round=1, results={1: result})))
    assert list(KINDS[ops.ResultChanged].faults(ops.ResultChanged(round=1, table=1, result=result)))


# -- what came without play, and ends that were typed without a score


@with_rows("text", ["ff1", "ff2", "forfeit1", "forfeit2", "ff", "forfeit"])
def test_a_player_who_did_not_play_has_no_score(text):
    """Only 0 may be given for a game that was not played."""
    message, hint = refused(RED_DIAMOND, (45, 12), text)
    absent = "Ben" if text.endswith("2") else "Ada"
    how = "forfeits without play" if text.startswith("forfeit") else "did not show"
    assert message == f"{absent} {how}, so Ada cannot have a score of 45"
    assert hint == "0 is the score of a game that was not played"
    assert read_points(RED_DIAMOND, (0, 0), text)[1] == ("ruling" if text.startswith("forfeit") else "")


def test_at_a_table_of_three_a_no_show_has_no_score():
    """The other two play without the third player."""
    assert (
        refused(SCRAMBLE, (25, 10, 9), "1,2,ff")[0] == "Cleo did not show, so Cleo cannot have a score of 9"
    )
    assert read_points(SCRAMBLE, (25, 10, 0), "1,2,ff")[0][:2] == [1, 2]


def ending_without_score(game, score, *, seats=2, ended="", **match):
    """Read a result without victory points, and return how it ended."""
    return read_result(slip_of(game, seats, **match), Report(score=score, ended=ended)).result.ended


@with_rows(
    ("game", "score", "seats", "ended", "says"),
    [
        (RED_DIAMOND, "1-0", 2, "agreement",
         "both players agree that neither wins (Tournaments, L302: a tie is ½ each, but no rule "
         "leads to one), so no player won"),
        (RED_DIAMOND, "=", 2, "concession", "the other side conceded, so it is not a draw"),
        (Unscored(), "=", 2, "concession", "the other side conceded, so it is not a draw"),
        (SCRAMBLE, "1,1,3", 3, "elimination",
         "only the winner's arsenal has cards left (REDLINE Scramble, L412), so "
         "it is not a draw"),
    ],
)  # fmt: skip
def test_an_ending_is_checked_without_a_score_too(game, score, seats, ended, says):
    """The winner that an ending implies does not depend on a score."""
    with pytest.raises(TourneyError) as caught:
        ending_without_score(game, score, seats=seats, ended=ended)
    assert caught.value.message == f"table 3: {says}"


def test_an_agreed_draw_is_not_a_win_with_scores_either():
    """The error says what was agreed, not that a player has won."""
    message, hint = refused(RED_DIAMOND, (20, 12), "1-0", ended="agreement")
    assert message.endswith("but no rule leads to one), so Ada did not win")
    assert hint.startswith(
        "if the game ended that way: `tourney result add 3 = --score 20,12 --ended agreement`; if the game "
        "ended another way, `tourney"
    )


def test_time_is_recorded_for_a_single_game():
    """Pages show that time ended the game, with or without a score."""
    assert ending_without_score(SCRAMBLE, "1,1,3", seats=3, ended="time") == "time"
    assert ending_without_score(Unscored(), "=", ended="time") == "time"
    assert ending_without_score(Unscored(), "1-0", ended="time", best_of=3) == "time"
    assert ending_without_score(RED_DIAMOND, "id", ended="") == "id"


@with_rows("seats", [(2,), (3,), (5,), (6,)])
def test_diamonsters_at_tables_of_every_size(seats):
    """The format's cut is for tables of four; an event with other sizes uses its own (L107-109)."""
    format_ = library().format("diamonsters/standard")
    settings = new_settings(format_, {"seats": list(seats)}, lambda: datetime.now(UTC))
    assert (settings.match.seats, settings.bracket_seats, settings.cut.cut_advance) == (seats, seats[0], 1)
