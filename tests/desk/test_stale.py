"""A round says what results it was paired on; when they change, it says so, and a repair pairs it by those that stand."""

import random

import pytest

from tests.desk.kit import new_desk, play
from tourney.desk import event_view, judge, round_view, why
from tourney.desk.evidence import repairable, since
from tourney.errors import TourneyError
from tourney.event.kind import round_of
from tourney.event.systems.recorded import RoundQuestion
from tourney.pairing import check

EIGHT = ("Mira Oake", "Tomo Reed", "Ansel", "Bryn", "Corin", "Della", "Edda", "Fenn")


def test_a_round_names_the_entry_up_to_which_results_were_counted(tmp_path):
    """Nothing happened since: no round is stale, and each names the entry before its own."""
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        play(desk)
        play(desk)
        for view, known in zip(event_view(desk, why=False).rounds, desk.state.rounds, strict=True):
            assert (view.as_of, view.stale, view.repair) == (known.paired.entry - 1, "", None)
        assert round_view(desk).proof == "optimal (meets the bound), on the results as of entry 4"


def test_a_corrected_result_is_told_and_mended(tmp_path):
    """The correction's entry is named everywhere; repair makes the round the best again and touches few tables."""
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        play(desk)
        desk.pair_round()
        before = dict(desk.state.round.tables)
        changed = desk.change_result(1, "l", round_number=1)
        view = round_view(desk)
        assert view.stale == "paired before entry 6 corrected round 1"
        assert view.proof.endswith("on the results as of entry 4")
        assert changed.warnings == (
            "round 2 was paired from the old result: table 2 Ansel (1, now 0) – Bryn and table 4 Della – Fenn (0, now 1)",
            "no table of round 2 has begun: `tourney round repair` changes only what has to be;"
            " `tourney round cancel`, then `tourney round next` pairs all of it anew",
        )
        desk.repair_round()
        after = desk.state.round.tables
        assert view.repair == tuple(number for number in after if after[number] != before[number])
        assert len(view.repair) == 2
        assert round_view(desk).stale == ""
        asked = RoundQuestion.of(desk.evidence(), round_of(desk.state, None))
        found = check(asked.field.entrants, asked.options, asked.pairing.tables, asked.pairing.bye)
        assert found == []


def test_what_is_said_of_an_edited_table_counts_the_results_as_they_stood_at_the_edit(tmp_path):
    """A correction between pairing and edit is in what the edit is judged by; only a later one is told as missing."""
    with new_desk(tmp_path, *"ABCDEF") as desk:
        play(desk)
        desk.pair_round()
        paired = desk.state.round.paired.entry
        desk.change_result(1, "l", round_number=1)
        one, two, kept = desk.state.round.tables.values()
        desk.swap(one.seats[0], two.seats[0])
        edited, _, unmoved = desk.state.round.tables.values()
        assert kept.seats == unmoved.seats
        assert why(desk, 2, str(edited.number)).stale == ""
        assert why(desk, 2, str(unmoved.number)).stale.startswith("paired before entry")
        asked = judge(desk, 2).question
        assert since(desk.evidence(), asked.round, seen=asked.before.entry).text == ""
        assert since(desk.evidence(), asked.round).entry == paired - 1
        desk.change_result(2, "l", round_number=1)
        assert why(desk, 2, str(edited.number)).stale.startswith("edited before entry")
        if desk.repair_round().entries:
            desk.change_result(3, "l", round_number=1)
            assert why(desk, 2, "1").stale.startswith("repaired before entry")


def test_what_changes_no_pairing_makes_no_round_stale(tmp_path):
    """A 2–0 that was a 2–1, or a correction that was taken back: the pairing would be asked the same."""
    with new_desk(tmp_path, *EIGHT, rounds=3, best_of=3) as desk:
        play(desk, "2-0")
        desk.pair_round()
        desk.change_result(1, "2-1", round_number=1)
        assert round_view(desk).stale == ""
        desk.change_result(1, "0-2", round_number=1)
        assert "entries 6 and 7" in round_view(desk).stale
        desk.undo()
        assert round_view(desk).stale == ""
        desk.redo()
        assert round_view(desk).stale != ""


def test_a_correction_that_is_taken_back_after_the_repair_is_told(tmp_path):
    """The repair rests on the correction; without it the round is as stale as before."""
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        play(desk)
        desk.pair_round()
        desk.change_result(1, "l", round_number=1)
        desk.repair_round()
        desk.undo(6)
        assert round_view(desk).stale == "repaired before entry 8 corrected round 1"


def test_finished_tables_stay(tmp_path):
    """Tables of the stale round that have a result are not touched; those of an earlier round only say so."""
    with new_desk(tmp_path, *EIGHT, rounds=4) as desk:
        play(desk)
        desk.pair_round()
        desk.change_result(1, "l", round_number=1)
        desk.report("1..4", "w")
        assert (round_view(desk).stale != "", round_view(desk).repair) == (True, ())
        assert desk.repair_round().already
        desk.pair_round()
        assert (round_view(desk, 2).stale != "", round_view(desk, 2).repair) == (True, None)
        assert round_view(desk).stale == ""


def test_a_cut_says_when_its_seeds_would_be_others(tmp_path):
    """A result of the Swiss rounds put right after the cut: the bracket stays, and says what it was made before."""
    with new_desk(tmp_path, *EIGHT[:4], rounds=1) as desk:
        play(desk)
        desk.cut(2)
        desk.pair_round()
        assert round_view(desk).stale == ""
        desk.change_result(1, "l", round_number=1)
        assert round_view(desk).stale == f"the cut was made before entry {desk.state.entry} corrected round 1"


def test_other_worths_of_results_are_told(tmp_path):
    """Under another profile a draw counts otherwise: the round was paired before that."""
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        desk.pair_round()
        desk.report_block(f"{table} {score}" for table, score in enumerate(["w", "w", "d", "d"], 1))
        desk.pair_round()
        desk.change(profile="mtr")
        assert round_view(desk).stale == "paired before entry 6 changed what results are worth"


def test_the_last_round_by_rank_can_be_repaired(tmp_path):
    """Its places are asked for, as when it was paired."""
    with new_desk(tmp_path, *EIGHT, rounds=2, last_round="rank") as desk:
        play(desk)
        desk.pair_round()
        desk.drop(desk.state.round.tables[1].seats[0])
        desk.drop(desk.state.round.tables[2].seats[0])
        desk.repair_round()
        assert len(desk.state.round.tables) == 3


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_corrected_a_repaired_round_is_true_to_the_results(tmp_path, seed):
    """After corrections anywhere: a stale round that can be repaired is the best of what its open tables allow."""
    dice = random.Random(seed)
    with new_desk(tmp_path, *EIGHT[: dice.choice([6, 7, 8])], rounds=5, seed=str(seed)) as desk:
        for _ in range(4):
            desk.pair_round()
            if desk.state.rounds[1:]:
                number = dice.randint(1, len(desk.state.rounds) - 1)
                table = dice.choice(list(desk.state.rounds[number - 1].tables))
                desk.change_result(table, dice.choice(["w", "l", "d"]), round_number=number)
            view = round_view(desk)
            receipt = desk.repair_round()
            if view.stale:
                assert receipt.already == (view.repair == ())
            asked = RoundQuestion.of(desk.evidence(), round_of(desk.state, None))
            if not receipt.already:
                assert round_view(desk).stale == ""
                found = check(asked.field.entrants, asked.options, asked.pairing.tables, asked.pairing.bye)
                assert [each.message for each in found] == []
            for table in desk.state.round.tables:
                desk.report(table, dice.choice(["w", "l", "d"]))


def test_an_open_table_of_an_earlier_round_is_waited_for(tmp_path):
    """A result that was taken away: no round, no cut and no end before it is back; the next step names it."""
    with new_desk(tmp_path, *EIGHT[:4], rounds=3) as desk:
        play(desk)
        play(desk)
        receipt = desk.change_result(1, "-", round_number=1)
        assert receipt.next[-1].endswith("Next: `tourney result add 1 1-0 --round 1`.")
        for act in (desk.pair_round, lambda: desk.cut(2), desk.close):
            with pytest.raises(TourneyError, match="ound 1") as refusal:
                act()
            assert "--round 1" in refusal.value.hint
        desk.report(1, "w", round_number=1)
        desk.cut(2, lot=True)


def test_pages_in_every_form_say_that_a_round_was_paired_on_other_results(tmp_path):
    """HTML, Markdown, CSV and JSON alike; and a player's page counts no tables, so that one result leaves the others be."""
    from tourney.publish import render

    with new_desk(tmp_path, *(f"P{n}" for n in range(8))) as desk:
        play(desk)
        desk.pair_round()
        desk.change_result(1, "l", round_number=1)
        views = [event_view(desk)]
        desk.report(1, "w")
        views.append(event_view(desk))
    stale = views[0].rounds[1].stale
    assert stale.startswith("paired before entry ")
    files = render(views[0], ["markdown", "csv", "json"])
    for name in ("round-2.md", "round-2.csv", "event.json"):
        assert stale[1:] in files[name].decode()
    assert stale not in files["round-1.csv"].decode()
    for files in (render(view, ["html"]) for view in views):
        players = [content for name, content in files.items() if name.startswith("player/")]
        assert len(players) == 8
        assert all(b"Round 2 is not complete" in each for each in players)
        assert not [each for each in players if b"table open" in each or b"tables open" in each]


def warned(desk, table, score, number=1):
    return desk.change_result(table, score, round_number=number).warnings


def test_what_pairing_would_not_see_rests_on_nothing(tmp_path):
    """A 2–0 put right to 2–1 moves nobody; taken away, it moves both."""
    with new_desk(tmp_path, *EIGHT, rounds=3, best_of=3) as desk:
        play(desk)
        desk.pair_round()
        assert warned(desk, 1, "2-1") == ()
        first, way = warned(desk, 1, "-")
        assert first.count("now 0") == 1
        assert way == (
            "round 2 stays as it is: by the new result `tourney round repair` finds nothing to change"
        )


def test_the_way_anew_follows_from_how_far_the_round_is(tmp_path):
    """Started or with a result: only its open tables; played, or another one paired: it stays."""
    with new_desk(tmp_path, *EIGHT, rounds=4) as desk:
        play(desk)
        desk.pair_round()
        desk.start_round()
        assert (
            warned(desk, 1, "l")[1]
            == "round 2 has begun: `tourney round repair` pairs its open tables by the new result"
        )
        desk.report(1, "w")
        assert "finds nothing to change" in warned(desk, 1, "w")[1]
        for player in desk.state.rounds[0].tables[1].seats:
            desk.report(desk.state.round.table_of(player).number, "w")
        assert desk.state.round.playing
        assert warned(desk, 1, "l")[1] == "round 2 stays as it is: these tables of it have their results"
        assert warned(desk, 1, "w")[1] == "round 2 stays as it is: these tables of it have their results"
        desk.report("2..4", "w")
        assert warned(desk, 1, "l")[1] == "round 2 stays as it is: every table of it has its result"
        desk.pair_round()
        said = warned(desk, 1, "w")
        assert said[1] == "round 2 stays as it is: later rounds are paired"
        assert said[2].startswith("round 3 was paired from the old result: ")
        assert said[3].startswith("no table of round 3 has begun: `tourney round repair`")


def test_systems_that_cannot_be_repaired_are_paired_again_as_a_whole(tmp_path):
    """Tables of three: cancel and pair; a round robin rests on no result."""
    with new_desk(tmp_path, *EIGHT[:6], rounds=3, format_name="redline/scramble") as desk:
        desk.pair_round()
        desk.report("1..2", "1,2,3")
        desk.pair_round()
        assert warned(desk, 1, "3,2,1")[1] == (
            "no table of round 2 has begun: `tourney round cancel`, then `tourney round next` pairs all of it anew"
        )
        desk.report(1, "1,2,3")
        assert warned(desk, 1, "1,2,3")[1] == "round 2 has begun, and stays as it is"
    (tmp_path / "robin").mkdir()
    with new_desk(tmp_path / "robin", *EIGHT, system="round-robin") as desk:
        play(desk)
        desk.pair_round()
        assert warned(desk, 1, "l") == ()


def test_a_cut_says_whether_others_would_have_made_it(tmp_path):
    """Only where the seeds are others; the bracket stays."""
    with new_desk(tmp_path, *EIGHT, rounds=2) as desk:
        play(desk)
        play(desk)
        desk.cut(4, lot=True)
        old = "the cut was made from the old result and stays as it is: the new one gives other players or other seeds"
        assert warned(desk, 1, "l", number=2) == (
            f"{old}; no match of it is paired, so `tourney event undo ENTRY` can take it back (`tourney event log` shows which)",
        )
        desk.undo()
        desk.pair_round()
        assert warned(desk, 1, "l", number=2) == (old,)


def test_a_match_lost_by_penalty_in_an_earlier_round_says_what_rests_on_it(tmp_path):
    """It is a corrected result like any other."""
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        play(desk)
        desk.pair_round()
        winner = desk.state.rounds[0].tables[1].seats[0]
        receipt = desk.penalize(winner, "match loss", apply=True, round_number=1)
        assert any(each.startswith("round 2 was paired from the old result") for each in receipt.warnings)


@pytest.mark.parametrize("seed", range(6))
def test_what_rests_on_a_result_is_what_pairing_would_ask_otherwise(tmp_path, seed):
    """Over random events: the tables named are those where somebody's points or history are others, and no more."""
    dice = random.Random(seed)
    with new_desk(tmp_path, *EIGHT, "Greta", rounds=5) as desk:
        for _ in range(3):
            desk.pair_round()
            for table in desk.state.round.playing:
                desk.report(table, dice.choice(["w", "l", "d"]))
        desk.pair_round()
        table = dice.choice(list(desk.state.rounds[0].tables))
        before = since(desk.evidence(), desk.state.round)
        said = [each for each in warned(desk, table, dice.choice(["w", "l", "d", "dl"])) if "round 4" in each]
        after = since(desk.evidence(), desk.state.round)
        assert before.moved == {}
        named = {player for player in after.moved if desk.state.players[player].name in " ".join(said)}
        assert named == after.moved.keys()
        assert bool(said) == bool(after.moved)


@pytest.mark.parametrize("seed", range(12))
def test_a_repair_is_offered_where_it_changes_something(tmp_path, seed):
    """Corrections one after the other, before and after some tables are done: what is said of the repair is what it does."""
    dice = random.Random(seed)
    with new_desk(tmp_path, *EIGHT, "Greta", rounds=5) as desk:
        for _ in range(2):
            desk.pair_round()
            for table in desk.state.round.playing:
                desk.report(table, dice.choice(["w", "l", "d"]))
        desk.pair_round()
        for table in dice.sample(list(desk.state.round.tables), dice.choice([0, 0, 1, 2])):
            desk.report(table, "w")
        for _ in range(3):
            table = dice.choice(list(desk.state.rounds[0].tables))
            said = [each for each in warned(desk, table, dice.choice(["w", "l", "d"])) if "round 3" in each]
            way = said[-1] if said else ""
            if "finds nothing to change" in way:
                assert repairable(desk.evidence()).op is None
            elif "`tourney round repair`" in way:
                assert repairable(desk.evidence()).op is not None
