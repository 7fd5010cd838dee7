"""Rounds paired on results that changed later: messages, and repairs with the new results."""

import random

import pytest

from tests.desk.kit import new_desk, play
from tourney.desk import event_view, explain_table, judge, round_view
from tourney.desk.corrections import basis_of, repairable
from tourney.errors import TourneyError
from tourney.event.kind import round_of
from tourney.event.systems.system import RoundQuestion
from tourney.pairing import check

EIGHT = ("Mira Oake", "Tomo Reed", "Ansel", "Bryn", "Corin", "Della", "Edda", "Fenn")


def test_a_round_records_the_last_entry_before_it(tmp_path):
    """Without later changes no round is stale."""
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        play(desk)
        play(desk)
        for view, round_ in zip(event_view(desk, with_reasons=False).rounds, desk.state.rounds, strict=True):
            assert (view.as_of, view.stale, view.repair) == (round_.paired.entry - 1, "", None)
        assert round_view(desk).proof == "optimal (meets the bound), on the results as of entry 4"


def test_a_corrected_result_is_reported_and_repaired(tmp_path):
    """The entry is named; the repaired round is best, with few changed tables."""
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        play(desk)
        desk.pair_round()
        before = dict(desk.state.round.tables)
        changed = desk.change_result(1, "l", round_number=1)
        view = round_view(desk)
        assert view.stale == "paired before entry 6 corrected round 1"
        assert view.proof.endswith("on the results as of entry 4")
        assert changed.warnings == (
            "round 2 was paired before this correction, which affects table 2 Ansel – Bryn"
            " (points: Ansel had 1, now has 0) and table 4 Della – Fenn (points: Fenn had 0, now has 1)",
            "no table of round 2 has begun: `tourney round repair` makes only the necessary changes;"
            " `tourney round cancel`, then `tourney round next` pairs the whole round again",
        )
        desk.repair_round()
        after = desk.state.round.tables
        assert view.repair == tuple(number for number in after if after[number] != before[number])
        assert len(view.repair) == 2
        assert round_view(desk).stale == ""
        question = RoundQuestion.of(desk.evidence(), round_of(desk.state, None))
        findings = check(
            question.field.entrants, question.options, question.pairing.tables, question.pairing.bye
        )
        assert findings == []


def test_an_edited_table_is_judged_by_the_results_at_the_edit(tmp_path):
    """Only later corrections are reported."""
    with new_desk(tmp_path, *"ABCDEF") as desk:
        play(desk)
        desk.pair_round()
        paired = desk.state.round.paired.entry
        desk.change_result(1, "l", round_number=1)
        one, two, kept = desk.state.round.tables.values()
        desk.swap(one.seats[0], two.seats[0])
        edited, _, unmoved = desk.state.round.tables.values()
        assert kept.seats == unmoved.seats
        assert explain_table(desk, 2, str(edited.number)).stale == ""
        assert explain_table(desk, 2, str(unmoved.number)).stale.startswith("paired before entry")
        question = judge(desk, 2).question
        assert basis_of(desk.evidence(), question.round, edit_entry=question.before.entry).text == ""
        assert basis_of(desk.evidence(), question.round).entry == paired - 1
        desk.change_result(2, "l", round_number=1)
        assert explain_table(desk, 2, str(edited.number)).stale.startswith("edited before entry")
        if desk.repair_round().entries:
            desk.change_result(3, "l", round_number=1)
            assert explain_table(desk, 2, "1").stale.startswith("repaired before entry")


def test_irrelevant_corrections_make_no_round_stale(tmp_path):
    """These are a 2–1 in place of a 2–0, and a correction that was undone."""
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


def test_an_undone_correction_after_a_repair_is_reported(tmp_path):
    """The repair depends on the correction."""
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        play(desk)
        desk.pair_round()
        desk.change_result(1, "l", round_number=1)
        desk.repair_round()
        desk.undo(6)
        assert round_view(desk).stale == "repaired before entry 8 corrected round 1"


def test_finished_tables_stay(tmp_path):
    """Tables of the stale round with a result stay; earlier rounds only have a message."""
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


def test_a_cut_with_outdated_seeds_is_reported(tmp_path):
    """A Swiss result is corrected after the cut; the bracket stays."""
    with new_desk(tmp_path, *EIGHT[:4], rounds=1) as desk:
        play(desk)
        desk.cut(2)
        desk.pair_round()
        assert round_view(desk).stale == ""
        desk.change_result(1, "l", round_number=1)
        assert round_view(desk).stale == f"the cut was made before entry {desk.state.entry} corrected round 1"


def test_a_changed_worth_of_results_is_reported(tmp_path):
    """Another profile counts draws differently."""
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        desk.pair_round()
        desk.report_block(f"{table} {score}" for table, score in enumerate(["w", "w", "d", "d"], 1))
        desk.pair_round()
        desk.change(profile="mtr")
        assert round_view(desk).stale == "paired before entry 6 changed the points for results"


def test_the_last_round_by_rank_can_be_repaired(tmp_path):
    """Its ranks are calculated as for the pairing."""
    with new_desk(tmp_path, *EIGHT, rounds=2, last_round="rank") as desk:
        play(desk)
        desk.pair_round()
        desk.drop(desk.state.round.tables[1].seats[0])
        desk.drop(desk.state.round.tables[2].seats[0])
        desk.repair_round()
        assert len(desk.state.round.tables) == 3


@pytest.mark.parametrize("seed", range(6))
def test_a_repaired_round_is_best_for_the_corrected_results(tmp_path, seed):
    """The open tables are paired in the best way after random corrections."""
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
            question = RoundQuestion.of(desk.evidence(), round_of(desk.state, None))
            if not receipt.already:
                assert round_view(desk).stale == ""
                findings = check(
                    question.field.entrants, question.options, question.pairing.tables, question.pairing.bye
                )
                assert [item.message for item in findings] == []
            for table in desk.state.round.tables:
                desk.report(table, dice.choice(["w", "l", "d"]))


def test_an_open_table_of_an_earlier_round_must_be_finished(tmp_path):
    """Until then, no round, no cut and no end is possible; the hint names the round."""
    with new_desk(tmp_path, *EIGHT[:4], rounds=3) as desk:
        play(desk)
        play(desk)
        receipt = desk.change_result(1, "-", round_number=1)
        assert receipt.next[-1].commands == "Next: `tourney result add 1 1-0 --round 1`."
        for act in (desk.pair_round, lambda: desk.cut(2), desk.close):
            with pytest.raises(TourneyError, match="ound 1") as refusal:
                act()
            assert "--round 1" in refusal.value.hint
        desk.report(1, "w", round_number=1)
        desk.cut(2, lot=True)


def test_pages_of_all_formats_report_a_stale_round(tmp_path):
    """A player's page has no number of tables, so others' pages stay."""
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
        assert all(b"Round 2 is not complete" in player for player in players)
        assert not [player for player in players if b"table open" in player or b"tables open" in player]


def warned(desk, table, score, number=1):
    return desk.change_result(table, score, round_number=number).warnings


def test_only_results_that_affect_pairing_are_warned_of(tmp_path):
    """A 2–1 instead of a 2–0 does not; a removed result does."""
    with new_desk(tmp_path, *EIGHT, rounds=3, best_of=3) as desk:
        play(desk)
        desk.pair_round()
        assert warned(desk, 1, "2-1") == ()
        first, way = warned(desk, 1, "-")
        assert first.count("now has 0") == 1
        assert way == (
            "round 2 keeps its pairings: with the new result, `tourney round repair` would change nothing"
        )


def test_the_suggested_repair_depends_on_the_state_of_the_round(tmp_path):
    """Open tables of a started round; a finished or followed round stays."""
    with new_desk(tmp_path, *EIGHT, rounds=4) as desk:
        play(desk)
        desk.pair_round()
        desk.start_round()
        assert (
            warned(desk, 1, "l")[1]
            == "round 2 has begun: `tourney round repair` pairs the open tables again with the new result"
        )
        desk.report(1, "w")
        assert "would change nothing" in warned(desk, 1, "w")[1]
        for player in desk.state.rounds[0].tables[1].seats:
            desk.report(desk.state.round.table_of(player).number, "w")
        assert desk.state.round.playing
        assert warned(desk, 1, "l")[1].endswith("would change nothing")
        assert warned(desk, 1, "w")[1].endswith("would change nothing")
        desk.report("2..4", "w")
        assert warned(desk, 1, "l")[1].endswith("would change nothing")
        desk.pair_round()
        warnings = warned(desk, 1, "w")
        assert warnings[1] == "round 2 is not paired again, because later rounds are already paired"
        assert warnings[2].startswith("round 3 was paired before this correction, which affects ")
        assert warnings[3].startswith("no table of round 3 has begun: `tourney round repair`")


def test_systems_without_repair_are_paired_again(tmp_path):
    """These are tables of three. A round robin needs no repair: it does not depend on results."""
    with new_desk(tmp_path, *EIGHT[:6], rounds=3, format_name="redline/scramble") as desk:
        desk.pair_round()
        desk.report("1..2", "1,2,3")
        desk.pair_round()
        assert warned(desk, 1, "3,2,1")[1] == (
            "no table of round 2 has begun: `tourney round cancel`, then `tourney round next` "
            "pairs the whole round again"
        )
        desk.report(1, "1,2,3")
        assert warned(desk, 1, "1,2,3")[1] == "round 2 has begun, and is not paired again"
    (tmp_path / "robin").mkdir()
    with new_desk(tmp_path / "robin", *EIGHT, system="round-robin") as desk:
        play(desk)
        desk.pair_round()
        assert warned(desk, 1, "l") == ()


def test_a_cut_names_the_players_that_new_results_would_select(tmp_path):
    """Only if the seeds differ. The bracket stays."""
    with new_desk(tmp_path, *EIGHT, rounds=2) as desk:
        play(desk)
        play(desk)
        desk.cut(4, lot=True)
        old = (
            "the cut was made before this correction and is not changed; with the new result, the cut would "
            "have other players or other seeds"
        )
        assert warned(desk, 1, "l", number=2) == (
            f"{old}. No match of the cut is paired yet, so you can undo the cut: "
            "`tourney event undo ENTRY` (`tourney event log` shows the entry)",
        )
        desk.undo()
        desk.pair_round()
        assert warned(desk, 1, "l", number=2) == (old,)


def test_a_corrected_match_does_not_change_the_seeds_of_an_elimination(tmp_path):
    """They follow from ratings or from the lot."""
    with new_desk(tmp_path, *EIGHT, system="elimination") as desk:
        desk.pair_round()
        desk.report("1..3", "w")
        assert warned(desk, 2, "l") == ()


def test_a_match_lost_by_penalty_counts_as_a_correction(tmp_path):
    """It is a corrected result like any other."""
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        play(desk)
        desk.pair_round()
        winner = desk.state.rounds[0].tables[1].seats[0]
        receipt = desk.penalize(winner, "match loss", apply=True, round_number=1)
        assert any(
            warning.startswith("round 2 was paired before this correction") for warning in receipt.warnings
        )


@pytest.mark.parametrize("seed", range(6))
def test_the_warning_names_exactly_the_affected_tables(tmp_path, seed):
    """These are the tables of players whose points or history changed, in random events."""
    dice = random.Random(seed)
    with new_desk(tmp_path, *EIGHT, "Greta", rounds=5) as desk:
        for _ in range(3):
            desk.pair_round()
            for table in desk.state.round.playing:
                desk.report(table, dice.choice(["w", "l", "d"]))
        desk.pair_round()
        table = dice.choice(list(desk.state.rounds[0].tables))
        before = basis_of(desk.evidence(), desk.state.round)
        warnings = [
            warning
            for warning in warned(desk, table, dice.choice(["w", "l", "d", "dl"]))
            if "round 4" in warning
        ]
        after = basis_of(desk.evidence(), desk.state.round)
        assert before.corrected_points == {}
        named = {
            player
            for player in after.corrected_points
            if desk.state.players[player].name in " ".join(warnings)
        }
        assert named == after.corrected_points.keys()
        assert bool(warnings) == bool(after.corrected_points)


@pytest.mark.parametrize("seed", range(12))
def test_a_repair_is_suggested_only_if_it_changes_something(tmp_path, seed):
    """After random corrections, before and after some tables are finished."""
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
            warnings = [
                warning
                for warning in warned(desk, table, dice.choice(["w", "l", "d"]))
                if "round 3" in warning
            ]
            way = warnings[-1] if warnings else ""
            if "would change nothing" in way:
                assert repairable(desk.evidence()).op is None
            elif "`tourney round repair`" in way:
                assert repairable(desk.evidence()).op is not None
