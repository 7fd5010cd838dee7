"""Deck checks: which tables are drawn, and what judges record."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.event.pad import Pad
from tourney.decks import Changed
from tourney.errors import TourneyError
from tourney.event import decks, ops, rounds
from tourney.event.field import audit_seed, lot_seed, round_seed
from tourney.event.fold import depends_on
from tourney.record import Outcome, PlayerId

ADA = PlayerId(1)


def evening(players):
    return Pad(*(f"P{n}" for n in range(1, players + 1)), rounds=9)


def pair(pad, dice):
    """Pair all players at random; a player left over has the bye."""
    order = list(range(1, len(pad.state.players) + 1))
    dice.shuffle(order)
    tables = list(zip(order[::2], order[1::2], strict=False))
    pad.pair(*tables, byes=[(order[-1], "bye")] if len(order) % 2 else [])


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 13), st.lists(st.integers(1, 7), min_size=1, max_size=6), st.randoms(use_true_random=False)
)
def test_all_players_are_checked_once_before_one_is_checked_twice(players, wanted, dice):
    """For any draws and results, the numbers of checks differ by at most one."""
    pad = evening(players)
    for number, tables in enumerate(wanted):
        pair(pad, dice)
        for table in list(pad.state.rounds[-1].tables):
            if dice.random() < 0.3:
                pad.result(table, "1-0")
        before = decks.count_checks(pad.state)
        round_ = pad.state.rounds[-1]
        drawn = decks.draw_tables(pad.state, round_, f"{number}", tables)
        assert drawn == decks.draw_tables(pad.state, round_, f"{number}", tables)
        assert len(set(drawn.tables)) == len(drawn.tables) <= tables
        assert all(round_.tables[table].result is None for table in drawn.tables)
        seated = {player for table in drawn.tables for player in round_.tables[table].seats}
        assert set(drawn.players) <= seated
        after = before + Counter(drawn.players)
        counts = [after[player] for player in pad.state.players]
        assert max(counts) - min(counts) <= 1
        if drawn.players:
            pad.write(
                ops.AuditDrawn(
                    round=round_.number,
                    tables=drawn.tables,
                    players=drawn.players,
                    seed=f"{number}",
                    method=decks.DRAW_METHOD,
                )
            )
        for table in pad.state.rounds[-1].playing:
            pad.result(table, "0-1")


def test_top_tables_are_drawn_more_often():
    """Of four tables, 40, 30, 20 and 10 % over many seeds."""
    pad = evening(8)
    pad.pair((1, 2), (3, 4), (5, 6), (7, 8))
    round_, state = pad.state.rounds[0], pad.state
    times = Counter(decks.draw_tables(state, round_, f"seed {n}", 1).tables[0] for n in range(4000))
    for table, share in {1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1}.items():
        assert times[table] / 4000 == pytest.approx(share, abs=0.03)


def test_players_without_a_list_are_not_drawn():
    """With one list in the event, only that player is drawn."""
    pad = evening(4)
    pad.pair((1, 2), (3, 4))
    pad.write(ops.DeckSubmitted(player=PlayerId(3), text="ab", verdict="legal"))
    assert decks.draw_tables(pad.state, pad.state.rounds[0], "any", 2) == ((2,), (3,))


def test_a_checked_deck_counts_as_a_drawn_one():
    """A player checked on a judge's initiative is not drawn before others."""
    pad = evening(4)
    pad.pair((1, 2), (3, 4))
    for player in (1, 2, 3):
        pad.do(decks.record_check(pad.change, PlayerId(player), clean=True))
    drawn = decks.draw_tables(pad.state, pad.state.rounds[0], "any", 2)
    assert drawn.players[:1] == (4,)


def test_absent_players_and_drops_do_not_block_a_draw():
    """All players who are present were checked, so a second check is drawn."""
    pad = evening(5)
    pad.write(ops.PlayerDropped(players=(PlayerId(5),), after=0))
    pad.pair((1, 2), byes=[(3, "absent"), (4, "absent")])
    pad.do(decks.draw_checks(pad.change, "first", 1))
    again = decks.draw_checks(pad.change, "second", 1)
    assert again.op.players == (1, 2)
    assert again.warnings == ("all players were checked already, so these are checked again: P1 and P2",)
    assert pad.state.rounds[0].byes[PlayerId(3)] is Outcome.ABSENT


def test_a_refused_draw_names_the_unchecked_players():
    """The player with the bye was not checked yet and has no table."""
    pad = evening(3)
    pad.pair((1, 2), byes=[(3, "bye")])
    entry = pad.do(decks.draw_checks(pad.change, "first", 3))
    assert pad.say(entry) == "Deck checks in round 1, table 1: P1 and P2"
    with pytest.raises(TourneyError, match="the next players to check are not at an open table: P3"):
        decks.draw_checks(pad.change, "second", 1)
    pad.result(1, "1-0")
    with pytest.raises(TourneyError, match="all tables of round 1 have results"):
        decks.draw_checks(pad.change, "second", 1)


def test_a_draw_does_not_depend_on_results():
    """The second draw of a round depends on the first."""
    pad = evening(4)
    pad.pair((1, 2), (3, 4))
    pad.do(decks.draw_checks(pad.change, "first", 1))
    drawn = pad.state.draws
    pad.result(1, "1-0")
    pad.result(2, "1-0")
    assert pad.state.draws == drawn
    one, two = (ops.AuditDrawn(round=1, tables=(1,), players=(ADA,), seed=seed, method="") for seed in "ab")
    assert depends_on(two, one)
    assert not depends_on(ops.ResultReported(round=1, results={}), one)


def test_the_seed_of_a_draw_is_independent_of_the_pairing():
    """Each round and each draw has its own seed, different from the seeds of rounds and lots."""
    seeds = [audit_seed(b"friday", number, draws) for number in (1, 2, 11) for draws in (0, 1)]
    seeds += [round_seed(b"friday", 1), lot_seed(b"friday"), audit_seed(b"friday", 1, 0, "a value")]
    assert len(set(seeds)) == len(seeds)


# -- what is recorded


def test_a_deck_check_has_a_remark_if_it_failed():
    """A deck that was in order needs none."""
    pad = Pad("Ada")
    entry = pad.do(decks.record_check(pad.change, ADA, clean=True))
    assert pad.say(entry) == "The deck of Ada passed a deck check in round 0"
    with pytest.raises(TourneyError, match="a failed deck check needs a remark: what was wrong"):
        decks.record_check(pad.change, ADA, clean=False, problems=" ")
    pad.do(decks.record_check(pad.change, ADA, clean=False, problems="61 cards"))
    assert [audit.clean for audit in pad.state.audits.values()] == [True, False]


def test_checks_of_a_cancelled_round_have_no_table():
    """They stay listed, with their round."""
    pad = evening(4)
    pad.pair((1, 2), (3, 4))
    pad.do(decks.draw_checks(pad.change, "first", 1))
    pad.do(decks.record_check(pad.change, ADA, clean=True))
    pad.do(rounds.cancel(pad.change))
    checks = list(decks.deck_checks(pad.state, pad.texts))
    assert {(check.round, check.table) for check in checks} == {(1, None)}
    assert [check.id for check in checks if check.checked] == [ADA]


def test_a_long_difference_is_shortened_to_a_note():
    """It lists as many changes as fit."""
    changed = [Changed(zone="main", card=f"Card {n}", before=0, after=1) for n in range(60)]
    words = decks.difference_words(changed)
    assert len(words) <= 300
    assert words.endswith("more")
    assert decks.difference_words(changed[:2]) == "1 instead of 0 Card 0, 1 instead of 0 Card 1"
    assert decks.difference_words(()) == ""
