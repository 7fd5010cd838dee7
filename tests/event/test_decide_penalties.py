"""What judges note: penalties by a list, decks drawn and decks checked."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.event.pad import Pad
from tests.kit import ROOT
from tourney.errors import TourneyError
from tourney.event import ops, penalties, players
from tourney.event.field import audit_seed, lot_seed, round_seed
from tourney.event.penalties import found_words, read_penalty_list, upgraded
from tourney.event.state import Remark, show
from tourney.record import Outcome, PlayerId

ADA, BEN = map(PlayerId, (1, 2))
HOUSE = read_penalty_list(
    (ROOT / "tourney/event/penalty_lists/house.toml").read_text(encoding="utf-8"), source="house.toml"
)


def given_to(pad, player, what, infraction=None, **more):
    """Give a penalty of the house's list."""
    decision = penalties.give(
        pad.state, player, HOUSE.ruling(what, infraction), rules=HOUSE, seal=pad.seal, **more
    )
    pad.do(decision)
    return decision


def test_a_penalty_carries_level_infraction_and_what_it_costs_and_changes_no_result():
    """In the words of the list; before round 1 it is round 0."""
    pad = Pad("Ada", "Ben")
    given_to(pad, ADA, "warning", "slow-play", reason="asked twice")
    assert pad.say(pad.last) == "Ada has a penalty before round 1: warning, slow play (asked twice)"
    pad.pair((1, 2))
    before = pad.state.rounds
    given_to(pad, ADA, "tardiness")
    assert pad.state.penalties[-1] == Remark(
        entry=pad.last, player=ADA, round=1, kind="game loss", text=None, infraction="tardiness", loss="game"
    )
    assert pad.state.rounds == before


def test_a_penalty_taken_back_leaves_no_trace_in_the_event():
    """It is in the log alone."""
    pad = Pad("Ada", "Ben")
    pad.pair((1, 2))
    old = show(pad.state)
    given_to(pad, ADA, "warning")
    assert show(pad.state) != old
    pad.undo(pad.last)
    assert show(pad.state) == old


@pytest.mark.parametrize(
    ("what", "infraction", "level", "reason"),
    [
        ("game-loss", None, "game loss", ""),
        ("GAME LOSS", "tard", "game loss", "tardiness"),
        ("tardiness", None, "game loss", "tardiness"),
        ("warn", "marked cards", "warning", "marked cards"),
        ("", "result_error", "caution", "result error"),
    ],
)
def test_what_a_judge_types_is_found(what, infraction, level, reason):
    """A level, an infraction, or both; a beginning will do."""
    ruling = HOUSE.ruling(what, infraction)
    assert (ruling.level.name, ruling.infraction.name if ruling.infraction else "") == (level, reason)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("tardyness", "did you mean `tardiness`"),
        ("s", "may be slow play or serious unsporting conduct"),
        ("", "there is no level or infraction ``"),
    ],
)
def test_what_is_not_in_the_list_is_refused(what, said):
    """With what may have been meant."""
    with pytest.raises(TourneyError, match=said):
        HOUSE.ruling(what)


def test_an_upgrade_is_suggested_never_given():
    """The third warning, whatever for; the second game loss for the same thing; case does not count."""
    pad = Pad("Ada", "Ben")
    pad.write(ops.PenaltyGiven(player=ADA, level="Warning", round=0))
    assert given_to(pad, ADA, "warning").warnings == ()
    given_to(pad, BEN, "warning")
    [said] = given_to(pad, ADA, "warning", "slow play").warnings
    assert "warning no. 3 for Ada" in said
    assert f"`tourney penalty upgrade {pad.last}`" in said
    assert [each.kind for each in pad.state.penalties if each.player == ADA] == [
        "Warning",
        "warning",
        "warning",
    ]
    assert given_to(pad, ADA, "game loss", "tardiness").warnings == ()
    assert given_to(pad, ADA, "game loss", "deck or list error").warnings == ()
    [said] = given_to(pad, ADA, "tardiness").warnings
    assert f"upgraded to match loss: `tourney penalty upgrade {pad.last}`" in said


def test_an_upgraded_penalty_is_one_penalty_and_counts_as_all_that_it_was():
    """It replaces the earlier one; the state of an event without one is shown as before."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    for _ in range(3):
        decision = given_to(pad, ADA, "slow-play")
    assert f"`tourney penalty upgrade {pad.last}`" in decision.warnings[-1]
    third, before = pad.last, show(pad.state)
    pad.do(penalties.upgrade(pad.state, third, None, rules=HOUSE, seal=pad.seal))
    assert pad.say(pad.last) == f"The warning of Ada (entry {third}) was upgraded to game loss"
    given = penalties.history(pad.state, ADA)
    assert [(each.kind, each.was, each.loss) for each in given[1:]] == [
        ("warning", (), ""),
        ("game loss", ("warning",), "game"),
    ]
    assert show(pad.state) != before
    given_to(pad, ADA, "slow-play")
    assert upgraded(HOUSE, penalties.history(pad.state, ADA)) == ("game loss", 4)
    pad.undo(pad.last)
    pad.undo(pad.last - 2)
    assert show(pad.state) == before


def test_the_reason_of_each_upgrade_is_kept_beside_the_penalty():
    """In the order of the upgrades, with a place for one without."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    given_to(pad, ADA, "slow-play")
    entry = pad.last
    for level, reason in (("game loss", None), ("match loss", "laughed at it")):
        pad.do(
            penalties.upgrade(pad.state, entry, HOUSE.level(level), reason=reason, rules=HOUSE, seal=pad.seal)
        )
    (given,) = pad.state.penalties
    assert given.was == ("warning", "game loss")
    assert [pad.texts.get(ref) if ref else None for ref in given.whys] == [None, "laughed at it"]


def test_what_an_upgrade_costs_is_entered_once():
    """With it, or afterwards where it was left out."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    given_to(pad, ADA, "slow-play")
    entry, match_loss = pad.last, HOUSE.level("match-loss")
    decision = penalties.upgrade(pad.state, entry, match_loss, rules=HOUSE, seal=pad.seal)
    assert "tourney result add 1 0-2" in decision.warnings[0]
    pad.do(decision)
    pad.do(penalties.upgrade(pad.state, entry, match_loss, rules=HOUSE, apply=True, seal=pad.seal))
    assert pad.state.rounds[0].tables[1].result.seats[0].outcome is Outcome.LOSS
    again = penalties.upgrade(pad.state, entry, match_loss, rules=HOUSE, apply=True, seal=pad.seal)
    assert again.op is None
    given_to(pad, ADA, "slow-play")
    with pytest.raises(TourneyError, match="there is nothing to apply"):
        penalties.upgrade(pad.state, pad.last, HOUSE.level("warning"), rules=HOUSE, apply=True, seal=pad.seal)


def test_the_hardest_of_several_upgrades_is_said():
    """A list may have two for one level."""
    rules = read_penalty_list(
        """title = "x"
        level = [{name = "a"}, {name = "b"}, {name = "c"}]
        upgrade = [{level = "a", times = 2, to = "c"}, {level = "a", times = 2, to = "b"}]""",
        source="x.toml",
    )
    remarks = [Remark(entry=n, player=ADA, round=1, kind="a", text=None) for n in (1, 2)]
    assert upgraded(rules, remarks) == ("c", 2)
    assert upgraded(rules, remarks[:1]) is None


@pytest.mark.parametrize(
    ("level", "best_of", "seat", "score"),
    [("match loss", 3, 0, (0, 2)), ("match loss", 3, 1, (2, 0)), ("game loss", 1, 0, (0, 1))],
)
def test_a_lost_match_is_entered_where_it_is_asked_for(level, best_of, seat, score):
    """Two entries, the penalty first: an undo takes back the result, another one the penalty."""
    pad = Pad("Ada", "Ben", best_of=best_of)
    pad.pair((1, 2))
    given_to(pad, (ADA, BEN)[seat], level, apply=True)
    table = pad.state.rounds[0].tables[1]
    assert tuple(each.games for each in table.result.seats) == score
    assert isinstance(pad.entries[-1].op, ops.ResultReported)
    pad.undo(pad.last)
    assert pad.state.rounds[0].tables[1].result is None
    assert len(pad.state.penalties) == 1


def test_a_result_that_stands_is_changed_with_the_penalty_as_its_reason():
    """So the log tells why; the same result is only told."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    pad.result(1, "2-1")
    given_to(pad, ADA, "match loss", "outside help", apply=True)
    assert pad.say(pad.last) == "Round 1, table 1 was changed: Ada 0–2 Ben: match loss, outside help"
    decision = given_to(pad, ADA, "match loss", apply=True)
    assert decision.first is None
    assert decision.warnings[0] == "entered before: Round 1, table 1: Ada 0–2 Ben"


def test_a_match_that_is_lost_already_stays_as_it_was_lost():
    """A no-show stays one: who did not show is known by the result alone."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    pad.result(1, "ff1")
    decision = given_to(pad, ADA, "absence", apply=True)
    assert decision.warnings == ("entered before: Round 1, table 1: Ben wins, Ada did not show",)
    assert players.absent(pad.state) == (ADA,)


@pytest.mark.parametrize(("who", "score"), [(ADA, "ff1"), (BEN, "ff2")])
def test_who_gets_it_for_not_being_there_is_a_no_show(who, score):
    """By the list: `absent`. The command that is named instead of --apply says so, too."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    assert given_to(pad, who, "absence").warnings == (
        f"the result of table 1 is not touched by it: `tourney result add 1 {score}`",
    )
    given_to(pad, who, "absence", apply=True)
    assert players.absent(pad.state) == (who,)


def test_a_disqualification_is_carried_out_where_it_is_asked_for():
    """Else a warning says how."""
    pad = Pad("Ada", "Ben")
    assert given_to(pad, ADA, "cheating").warnings == (
        "Ada is still in the event: `tourney player disqualify Ada`",
    )
    given_to(pad, ADA, "cheating", apply=True)
    assert pad.state.players[ADA].disqualified == 0
    assert given_to(pad, ADA, "cheating").warnings == ()


def test_a_penalty_noted_before_is_applied_and_not_given_twice():
    """Whoever reads the warning and says it again with `apply` means the same penalty; said once more, nothing is done."""
    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    given_to(pad, ADA, "outside help")
    assert given_to(pad, ADA, "outside help", apply=True).warnings == (
        f"the penalty itself is entry {pad.last - 1}",
    )
    assert isinstance(pad.entries[-1].op, ops.ResultReported)
    assert len(pad.state.penalties) == 1
    assert (
        given_to(pad, ADA, "outside help", apply=True).already
        == f"The match loss of Ada (entry {pad.last - 1}) applied"
    )


@pytest.mark.parametrize(
    ("level", "size", "said"),
    [
        ("warning", 2, "there is nothing to apply"),
        ("game loss", 2, "does not end a match of 3 games"),
        ("match loss", 3, "table 1 has 3 seats"),
    ],
)
def test_what_cannot_be_applied_is_refused(level, size, said):
    """A warning costs nothing, a game is no match, a table of three has places."""
    pad = Pad("Ada", "Ben", "Cleo", best_of=3, seats=(size,))
    pad.pair(tuple(range(1, size + 1)))
    with pytest.raises(TourneyError, match=said):
        given_to(pad, ADA, level, apply=True)


def test_without_a_table_there_is_no_result_to_enter():
    """Before round 1, and for whoever has the bye."""
    pad = Pad("Ada", "Ben", "Cleo")
    with pytest.raises(TourneyError, match="no round is paired yet"):
        given_to(pad, ADA, "match loss", apply=True)
    pad.pair((1, 2), byes=[(3, "bye")])
    with pytest.raises(TourneyError, match="Cleo has no table"):
        given_to(pad, PlayerId(3), "match loss", apply=True)


def test_a_result_is_held_against_the_penalties_of_its_round():
    """A lost game is in the score, a lost match is lost; another round is another matter."""
    from tourney.event.results import enter
    from tourney.event.score import Report

    pad = Pad("Ada", "Ben", best_of=3)
    pad.pair((1, 2))
    assert given_to(pad, ADA, "tardiness").warnings == ("a game for Ben belongs to the score of table 1",)
    two_nil = enter(pad.state, [Report(tables=1, score="2-0")])
    assert two_nil.warnings == (
        f"Ada has a game loss in this round (entry {pad.last}), but this score gives Ben no game",
    )
    assert enter(pad.state, [Report(tables=1, score="2-1")]).warnings == ()
    assert enter(pad.state, [Report(tables=1, score="0-2")]).warnings == ()
    given_to(pad, ADA, "match loss")
    assert "is not a loss" in enter(pad.state, [Report(tables=1, score="2-1")]).warnings[0]
    pad.result(1, "1-2")
    pad.pair((1, 2))
    assert enter(pad.state, [Report(tables=1, score="2-0")]).warnings == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("level = []", "the key `title` is missing"),
        ('title = "x"\nlevel = []', "one level at least"),
        ('title = "x"\nlevel = [{name = ""}]', r"level\[0\].name: a level needs"),
        ('title = "x"\nlevel = [{name = "a b"}, {name = "A-B"}]', r"level\[1\].name: `A-B` is there twice"),
        ('title = "x"\nlevel = [{name = " a"}]', "write it `a`"),
        (
            'title = "x"\nlevel = [{name = "a"}]\ninfraction = [{name = "i", level = "b"}]',
            "there is no level `b`",
        ),
        (
            'title = "x"\nlevel = [{name = "a"}]\nupgrade = [{level = "a", times = 1, to = "a"}]',
            "1 is no repetition",
        ),
        ('title = "x"\nlevel = [{name = "a", loss = "hand"}]', "loss"),
        ('title = "x"\nlevel = [{name = "a", cost = 1}]', "unknown key `cost`"),
    ],
)
def test_a_list_that_does_not_fit_together_is_refused_by_its_place(text, said):
    """With file and key path."""
    with pytest.raises(TourneyError, match=f"mine.toml: .*{said}"):
        read_penalty_list(text, source="mine.toml")


def test_a_deck_check_says_what_was_found():
    """In order needs no words, not in order does."""
    pad = Pad("Ada")
    entry = pad.do(penalties.audit(pad.state, ADA, clean=True, found=None, seal=pad.seal))
    assert pad.say(entry) == "The deck of Ada was in order in round 0"
    with pytest.raises(TourneyError, match="was not in order: what was found"):
        penalties.audit(pad.state, ADA, clean=False, found=" ", seal=pad.seal)
    pad.do(penalties.audit(pad.state, ADA, clean=False, found="61 cards", seal=pad.seal))
    assert [each.kind for each in pad.state.audits] == ["clean deck", "deck problem"]


def test_a_long_difference_is_cut_to_a_note():
    """A whole other deck is still a note that can be kept."""
    from tourney.decks.history import Changed

    changed = [Changed(zone="main", card=f"Card {n}", before=0, after=1) for n in range(60)]
    words = found_words(changed)
    assert len(words) <= 300
    assert words.endswith("more")
    assert found_words(changed[:2]) == "1 instead of 0 Card 0, 1 instead of 0 Card 1"
    assert found_words(()) == ""


def test_remarks_need_a_player_and_an_open_event():
    """A stranger has no penalties; a closed event takes none."""
    pad = Pad("Ada")
    with pytest.raises(TourneyError, match="there is no player #9"):
        given_to(pad, PlayerId(9), "warning")
    pad.write(ops.EventClosed())
    with pytest.raises(TourneyError, match="the event is closed"):
        penalties.audit(pad.state, ADA, clean=True, found=None, seal=pad.seal)
    with pytest.raises(TourneyError, match="the event is closed"):
        penalties.draw_audit(pad.state, "ab", 1)


# -- whose deck is checked


def evening(players):
    return Pad(*(f"P{n}" for n in range(1, players + 1)), rounds=9)


def pair(pad, dice):
    """Pair everybody at random, the last one left has the bye."""
    order = list(range(1, len(pad.state.players) + 1))
    dice.shuffle(order)
    tables = list(zip(order[::2], order[1::2], strict=False))
    pad.pair(*tables, byes=[(order[-1], "bye")] if len(order) % 2 else [])


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 13), st.lists(st.integers(1, 7), min_size=1, max_size=6), st.randoms(use_true_random=False)
)
def test_nobody_is_checked_twice_while_others_are_unchecked(players, wanted, dice):
    """Whatever is drawn, in whatever round, with results coming in: the numbers of checks differ by one at most."""
    pad = evening(players)
    for number, tables in enumerate(wanted):
        pair(pad, dice)
        for table in list(pad.state.rounds[-1].tables):
            if dice.random() < 0.3:
                pad.result(table, "1-0")
        before = penalties.checks(pad.state)
        round_ = pad.state.rounds[-1]
        drawn = penalties.draw(pad.state, round_, f"{number}", tables)
        assert drawn == penalties.draw(pad.state, round_, f"{number}", tables)
        assert len(set(drawn.tables)) == len(drawn.tables) <= tables
        assert all(round_.tables[each].result is None for each in drawn.tables)
        seated = {player for each in drawn.tables for player in round_.tables[each].seats}
        assert set(drawn.players) <= seated
        after = before + Counter(drawn.players)
        everybody = [after[player] for player in pad.state.players]
        assert max(everybody) - min(everybody) <= 1
        if drawn.players:
            pad.write(
                ops.AuditDrawn(
                    round=round_.number,
                    tables=drawn.tables,
                    players=drawn.players,
                    seed=f"{number}",
                    method=penalties.AUDIT_METHOD,
                )
            )
        for table in pad.state.rounds[-1].playing:
            pad.result(table, "0-1")


def test_the_top_tables_are_drawn_more_often_and_none_is_safe():
    """Of four tables 4, 3, 2 and 1 lots of ten: over many seeds within a tenth of that."""
    pad = evening(8)
    pad.pair((1, 2), (3, 4), (5, 6), (7, 8))
    round_, state = pad.state.rounds[0], pad.state
    times = Counter(penalties.draw(state, round_, f"seed {n}", 1).tables[0] for n in range(4000))
    for table, share in {1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1}.items():
        assert times[table] / 4000 == pytest.approx(share, abs=0.03)


def test_players_without_a_list_are_not_drawn_but_in_draws_of_the_earlier_method():
    """With one list in the event, that player is drawn; the earlier method draws everybody at the table."""
    pad = evening(4)
    pad.pair((1, 2), (3, 4))
    pad.write(ops.DeckSubmitted(player=PlayerId(3), text="ab", verdict="legal"))
    round_, seed = pad.state.rounds[0], "any"
    assert penalties.draw(pad.state, round_, seed, 2) == ((2,), (3,))
    earlier = penalties.draw(pad.state, round_, seed, 2, "falling weights 1")
    assert sorted(earlier.players) == [1, 2, 3, 4]


def test_a_checked_deck_counts_as_a_drawn_one():
    """Whoever was checked because a judge wanted to is not drawn before the others; both in a round is one check."""
    pad = evening(4)
    pad.pair((1, 2), (3, 4))
    for player in (1, 2, 3):
        pad.do(penalties.audit(pad.state, PlayerId(player), clean=True, found=None, seal=pad.seal))
    drawn = penalties.draw(pad.state, pad.state.rounds[0], "any", 2)
    assert drawn.players[:1] == (4,)


def test_whoever_is_absent_or_gone_holds_nobody_up():
    """A second check is drawn once everybody who is here was checked."""
    pad = evening(5)
    pad.write(ops.PlayerDropped(players=(PlayerId(5),), after=0))
    pad.pair((1, 2), byes=[(3, "absent"), (4, "absent")])
    pad.do(penalties.draw_audit(pad.state, "first", 1))
    again = penalties.draw_audit(pad.state, "second", 1)
    assert again.op.players == (1, 2)
    assert again.warnings == ("everybody was drawn or checked once, so these are once more: P1 and P2",)
    assert pad.state.rounds[0].byes[PlayerId(3)] is Outcome.ABSENT


def test_a_draw_that_would_check_somebody_twice_names_who_is_due():
    """The bye holder was not checked yet, and sits nowhere."""
    pad = evening(3)
    pad.pair((1, 2), byes=[(3, "bye")])
    entry = pad.do(penalties.draw_audit(pad.state, "first", 3))
    assert pad.say(entry) == "Deck checks in round 1, table 1: P1 and P2"
    with pytest.raises(TourneyError, match="not yet P3"):
        penalties.draw_audit(pad.state, "second", 1)
    pad.result(1, "1-0")
    with pytest.raises(TourneyError, match="every table of round 1 has its result"):
        penalties.draw_audit(pad.state, "second", 1)


def test_a_draw_stands_when_results_change_and_later_draws_rest_on_it():
    """An undo of the first of two is refused by whatever asks; the second is free."""
    from tourney.event.fold import stands_on

    pad = evening(4)
    pad.pair((1, 2), (3, 4))
    pad.do(penalties.draw_audit(pad.state, "first", 1))
    drawn = pad.state.draws
    pad.result(1, "1-0")
    pad.result(2, "1-0")
    assert pad.state.draws == drawn
    one, two = (ops.AuditDrawn(round=1, tables=(1,), players=(ADA,), seed=seed, method="") for seed in "ab")
    assert stands_on(two, one)
    assert not stands_on(ops.ResultReported(round=1, results={}), one)


def test_the_seed_of_a_draw_says_nothing_of_the_pairing():
    """Apart from the seeds of rounds and of the lot, for each round and each draw another one."""
    seeds = [audit_seed(b"friday", number, draws) for number in (1, 2, 11) for draws in (0, 1)]
    seeds += [round_seed(b"friday", 1), lot_seed(b"friday"), audit_seed(b"friday", 1, 0, "a value")]
    assert len(set(seeds)) == len(seeds)
