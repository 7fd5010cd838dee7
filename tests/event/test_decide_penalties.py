"""Penalties: the list of infractions, and the penalties given."""

import pytest

from tests.event.pad import Pad
from tests.kit import ROOT, with_rows
from tourney.errors import TourneyError
from tourney.event import decks, ops, penalties, presence
from tourney.event.penalties import due_upgrade, read_penalty_list
from tourney.event.results import enter
from tourney.event.score import Report
from tourney.event.state import Penalty
from tourney.record import Outcome, PlayerId

ADA, BEN = map(PlayerId, (1, 2))
HOUSE = read_penalty_list(
    (ROOT / "tourney/event/penalty_lists/house.toml").read_text(encoding="utf-8"), source="house.toml"
)


def give(pad, player, what, infraction=None, **more):
    """Give a penalty by the shipped list."""
    decision = penalties.give(pad.change, player, HOUSE.ruling(what, infraction), rules=HOUSE, **more)
    pad.do(decision)
    return decision


def test_a_penalty_has_a_level_and_infraction_and_changes_no_result():
    """In the words of the list. Before round 1, the round is 0."""
    pad = Pad("Ada", "Ben")
    give(pad, ADA, "warning", "slow-play", reason="asked twice")
    assert pad.say(pad.last) == "Ada has a penalty before round 1: warning, slow play (asked twice)"
    pad.pair((1, 2))
    before = pad.state.rounds
    give(pad, ADA, "tardiness")
    assert pad.state.penalties[-1] == Penalty(
        entry=pad.last, player=ADA, round=1, level="game loss", infraction="tardiness", loss="game"
    )
    assert pad.state.rounds == before


def test_an_undone_penalty_is_only_in_the_log():
    pad = Pad("Ada", "Ben")
    pad.pair((1, 2))
    old = pad.show()
    give(pad, ADA, "warning")
    assert pad.show() != old
    pad.undo(pad.last)
    assert pad.show() == old


@with_rows(
    ("what", "infraction", "level", "reason"),
    [
        ("game-loss", None, "game loss", ""),
        ("GAME LOSS", "tard", "game loss", "tardiness"),
        ("tardiness", None, "game loss", "tardiness"),
        ("warn", "marked cards", "warning", "marked cards"),
        ("", "result_error", "caution", "result error"),
    ],
)
def test_levels_and_infractions_are_found_by_name(what, infraction, level, reason):
    """A level, an infraction, or both; a prefix of a name is enough."""
    ruling = HOUSE.ruling(what, infraction)
    assert (ruling.level.name, ruling.infraction.name if ruling.infraction else "") == (level, reason)


@with_rows(
    ("what", "message"),
    [
        ("tardyness", "did you mean `tardiness`"),
        ("s", "may be slow play or serious unsporting conduct"),
        ("", "there is no level or infraction ``"),
    ],
)
def test_unknown_names_are_refused(what, message):
    """The error has a suggestion."""
    with pytest.raises(TourneyError, match=message):
        HOUSE.ruling(what)


def test_an_upgrade_is_only_suggested():
    """After a third warning for anything, or a second game loss for the same infraction."""
    pad = Pad("Ada", "Ben")
    pad.write(ops.PenaltyGiven(player=ADA, level="Warning", round=0))
    assert give(pad, ADA, "warning").warnings == ()
    give(pad, BEN, "warning")
    [warning] = give(pad, ADA, "warning", "slow play").warnings
    assert "warning no. 3 for Ada" in warning
    assert f"`tourney penalty upgrade {pad.last}`" in warning
    assert [penalty.level for penalty in pad.state.penalties if penalty.player == ADA] == [
        "Warning",
        "warning",
        "warning",
    ]
    assert give(pad, ADA, "game loss", "tardiness").warnings == ()
    assert give(pad, ADA, "game loss", "deck or list error").warnings == ()
    [warning] = give(pad, ADA, "tardiness").warnings
    assert f"upgraded to match loss: `tourney penalty upgrade {pad.last}`" in warning


def test_an_upgraded_penalty_stays_one_penalty():
    """It counts at each of its levels. Events without upgrades are shown as before."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    for _ in range(3):
        decision = give(pad, ADA, "slow-play")
    assert f"`tourney penalty upgrade {pad.last}`" in decision.warnings[-1]
    third, before = pad.last, pad.show()
    pad.do(penalties.upgrade(pad.change, third, None, rules=HOUSE))
    assert pad.say(pad.last) == f"The warning of Ada (entry {third}) was upgraded to game loss"
    periods = penalties.history(pad.state, ADA)
    assert [(penalty.level, penalty.was, penalty.loss) for penalty in periods[1:]] == [
        ("warning", (), ""),
        ("game loss", ("warning",), "game"),
    ]
    assert pad.show() != before
    give(pad, ADA, "slow-play")
    assert due_upgrade(HOUSE, penalties.history(pad.state, ADA)) == ("game loss", 4)
    pad.undo(pad.last)
    pad.undo(pad.last - 2)
    assert pad.show() == before


def test_each_upgrade_keeps_its_reason():
    """In the order of the upgrades; None for an upgrade without a reason."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    give(pad, ADA, "slow-play")
    entry = pad.last
    for level, reason in (("game loss", None), ("match loss", "laughed at it")):
        pad.do(penalties.upgrade(pad.change, entry, HOUSE.level(level), reason=reason, rules=HOUSE))
    (penalty,) = pad.state.penalties
    assert penalty.was == ("warning", "game loss")
    assert [pad.texts.get(ref) if ref else None for ref in penalty.upgrade_reasons] == [None, "laughed at it"]


def test_the_result_for_an_upgrade_is_entered_once():
    """With the upgrade, or later."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    give(pad, ADA, "slow-play")
    entry, match_loss = pad.last, HOUSE.level("match-loss")
    decision = penalties.upgrade(pad.change, entry, match_loss, rules=HOUSE)
    assert "tourney result add 1 0-2" in decision.warnings[0]
    pad.do(decision)
    pad.do(penalties.upgrade(pad.change, entry, match_loss, rules=HOUSE, apply=True))
    assert pad.state.rounds[0].tables[1].result.seats[0].outcome is Outcome.LOSS
    again = penalties.upgrade(pad.change, entry, match_loss, rules=HOUSE, apply=True)
    assert again.op is None
    give(pad, ADA, "slow-play")
    with pytest.raises(TourneyError, match="costs no game and no match"):
        penalties.upgrade(pad.change, pad.last, HOUSE.level("warning"), rules=HOUSE, apply=True)


def test_the_most_severe_possible_upgrade_is_suggested():
    """A list may have two upgrades from one level."""
    rules = read_penalty_list(
        """title = "x"
        level = [{name = "a"}, {name = "b"}, {name = "c"}]
        upgrade = [{level = "a", times = 2, to = "c"}, {level = "a", times = 2, to = "b"}]""",
        source="x.toml",
    )
    given = [Penalty(entry=n, player=ADA, round=1, level="a") for n in (1, 2)]
    assert due_upgrade(rules, given) == ("c", 2)
    assert due_upgrade(rules, given[:1]) is None


@with_rows(
    ("level", "best_of", "seat", "score"),
    [("match loss", 3, 0, (0, 2)), ("match loss", 3, 1, (2, 0)), ("game loss", 1, 0, (0, 1))],
)
def test_a_lost_match_is_entered_on_request(level, best_of, seat, score):
    """Two entries, the penalty first. One undo removes the result, another one the penalty."""
    pad = Pad("Ada", "Ben", best_of=best_of)
    pad.pair((1, 2))
    give(pad, (ADA, BEN)[seat], level, apply=True)
    table = pad.state.rounds[0].tables[1]
    assert tuple(seat.games for seat in table.result.seats) == score
    assert isinstance(pad.entries[-1].op, ops.ResultReported)
    pad.undo(pad.last)
    assert pad.state.rounds[0].tables[1].result is None
    assert len(pad.state.penalties) == 1


def test_a_recorded_result_is_changed_with_the_penalty_as_its_reason():
    """The log shows why. If the result is the same, a warning says so."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    pad.result(1, "2-1")
    give(pad, ADA, "match loss", "outside help", apply=True)
    assert pad.say(pad.last) == "Round 1, table 1 was changed: Ada 0–2 Ben: match loss, outside help"
    decision = give(pad, ADA, "match loss", apply=True)
    assert decision.first is None
    assert decision.warnings[0] == "the result is already entered: Round 1, table 1: Ada 0–2 Ben"


def test_a_match_that_is_already_lost_keeps_its_result():
    """A no-show stays a no-show, which only the result records."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    pad.result(1, "ff1")
    decision = give(pad, ADA, "absence", apply=True)
    assert decision.warnings == (
        "the result is already entered: Round 1, table 1: Ben wins, Ada did not show",
    )
    assert presence.absent(pad.state) == (ADA,)


@with_rows(("who", "score"), [(ADA, "ff1"), (BEN, "ff2")])
def test_a_penalty_for_absence_is_a_no_show(who, score):
    """This is so if the list says `absent`. The command in the hint enters a no-show, too."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    assert give(pad, who, "absence").warnings == (
        f"the penalty alone does not change the result of table 1: `tourney result add 1 {score}` does",
    )
    give(pad, who, "absence", apply=True)
    assert presence.absent(pad.state) == (who,)


def test_a_disqualification_is_entered_on_request():
    """Otherwise a warning names the command."""
    pad = Pad("Ada", "Ben")
    assert give(pad, ADA, "cheating").warnings == (
        "Ada is still in the event; to disqualify the player: `tourney player disqualify Ada`",
    )
    give(pad, ADA, "cheating", apply=True)
    assert pad.state.players[ADA].disqualified == 0
    assert give(pad, ADA, "cheating").warnings == ()


def test_applying_a_recorded_penalty_gives_no_second_one():
    """The same penalty with `apply` enters its result; once more, nothing is written."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    give(pad, ADA, "outside help")
    assert give(pad, ADA, "outside help", apply=True).warnings == (
        f"the penalty is already entered (entry {pad.last - 1})",
    )
    assert isinstance(pad.entries[-1].op, ops.ResultReported)
    assert len(pad.state.penalties) == 1
    assert (
        give(pad, ADA, "outside help", apply=True).already
        == f"The match loss of Ada is already entered (entry {pad.last - 1})"
    )


@with_rows(
    ("level", "size", "message"),
    [
        ("warning", 2, "costs no game and no match"),
        ("game loss", 2, "does not end a match of 3 games"),
        ("match loss", 3, "table 1 has 3 seats"),
    ],
)
def test_penalties_that_cannot_be_applied_are_refused(level, size, message):
    """A warning changes no result; a game loss is not a match loss; tables of three have places."""
    pad = Pad("Ada", "Ben", "Cleo", best_of=3, seats=(size,))
    pad.pair(tuple(range(1, size + 1)))
    with pytest.raises(TourneyError, match=message):
        give(pad, ADA, level, apply=True)


def test_without_a_table_there_is_no_result_to_enter():
    """Before round 1, and for a player with the bye."""
    pad = Pad("Ada", "Ben", "Cleo")
    with pytest.raises(TourneyError, match="no round is paired yet"):
        give(pad, ADA, "match loss", apply=True)
    pad.pair((1, 2), byes=[(3, "bye")])
    with pytest.raises(TourneyError, match="Cleo has no table"):
        give(pad, PlayerId(3), "match loss", apply=True)


def test_a_result_is_compared_with_the_penalties_of_its_round():
    """A lost game is in the score and a lost match is lost. Other rounds do not matter."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    assert give(pad, ADA, "tardiness").warnings == (
        "because of this penalty, Ben wins a game: include it in the score of table 1",
    )
    two_nil = enter(pad.change, [Report(tables=1, score="2-0")])
    assert two_nil.warnings == (
        f"Ada has a game loss in this round (entry {pad.last}), but this score gives Ben no game",
    )
    assert enter(pad.change, [Report(tables=1, score="2-1")]).warnings == ()
    assert enter(pad.change, [Report(tables=1, score="0-2")]).warnings == ()
    give(pad, ADA, "match loss")
    assert "is not a loss" in enter(pad.change, [Report(tables=1, score="2-1")]).warnings[0]
    pad.result(1, "1-2")
    pad.pair((1, 2))
    assert enter(pad.change, [Report(tables=1, score="2-0")]).warnings == ()


@with_rows(
    ("text", "message"),
    [
        ("level = []", "the key `title` is missing"),
        ('title = "x"\nlevel = []', "needs at least one level"),
        ('title = "x"\nlevel = [{name = ""}]', r"level\[0\].name: a level needs"),
        ('title = "x"\nlevel = [{name = "a b"}, {name = "A-B"}]', r"level\[1\].name: `A-B` appears twice"),
        ('title = "x"\nlevel = [{name = " a"}]', "write it `a`"),
        (
            'title = "x"\nlevel = [{name = "a"}]\ninfraction = [{name = "i", level = "b"}]',
            "there is no level `b`",
        ),
        (
            'title = "x"\nlevel = [{name = "a"}]\nupgrade = [{level = "a", times = 1, to = "a"}]',
            "expected 2 or more, not 1",
        ),
        ('title = "x"\nlevel = [{name = "a", loss = "hand"}]', "loss"),
        ('title = "x"\nlevel = [{name = "a", cost = 1}]', "unknown key `cost`"),
    ],
)
def test_an_inconsistent_penalty_list_is_refused(text, message):
    """With file and key path."""
    with pytest.raises(TourneyError, match=f"mine.toml: .*{message}"):
        read_penalty_list(text, source="mine.toml")


def test_penalties_and_checks_need_a_player_and_an_open_event():
    """An unknown player gets no penalty, and a closed event takes none."""
    pad = Pad("Ada")
    with pytest.raises(TourneyError, match="there is no player #9"):
        give(pad, PlayerId(9), "warning")
    pad.write(ops.EventClosed())
    with pytest.raises(TourneyError, match="the event is closed"):
        give(pad, ADA, "warning")
    with pytest.raises(TourneyError, match="the event is closed"):
        decks.record_check(pad.change, ADA, clean=True)
    with pytest.raises(TourneyError, match="the event is closed"):
        decks.draw_checks(pad.change, "ab", 1)
