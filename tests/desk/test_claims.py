"""Results reported by players: claims, their answers and ends. Claims never block the desk."""

from datetime import timedelta

import pytest

from tests.desk.kit import new_desk, open_desk
from tourney.desk import OwnSeat, erase
from tourney.errors import TourneyError
from tourney.event import ops, presence
from tourney.event.claims import claim_at
from tourney.event.event_document import show
from tourney.event.rounds import Manner
from tourney.event.score import Report

FOUR = ("Mira Oake", "Tess Hart", "Tomo Reed", "Ben Amos")


@pytest.fixture
def desk(tmp_path):
    with new_desk(tmp_path, *FOUR, best_of=3) as desk:
        desk.pair_round()
        yield desk


class Phone:
    """A player's phone, which sends what its page shows."""

    def __init__(self, desk, player, device="device 5, bound 14:05"):
        self.desk, self.player, self.device = desk, player, device

    @property
    def shown(self):
        round_ = self.desk.state.round
        table = round_.table_of(self.player)
        return {"round_number": round_.number, "table": table.number, "seats": table.seats}

    def seat(self, key=""):
        return OwnSeat(self.desk, self.desk.find_player(self.player), device=self.device, key=key)

    def claim(self, score="2-0", *, points=None, ended="", key="", **more):
        report = Report(score=score, points=points, ended=ended)
        return self.seat(key).claim(report, **{**self.shown, **more})

    def confirm(self, claim, key=""):
        return self.seat(key).confirm(claim)

    def dispute(self, claim, score="", *, key="", **more):
        report = Report(score=score) if score else None
        return self.seat(key).dispute(claim, report, **more)


def phones(desk, table=1):
    """Return a phone for each seat of a table."""
    return [Phone(desk, seat) for seat in desk.state.round.tables[table].seats]


def names(desk, table=1):
    return [desk.state.players[seat].name for seat in desk.state.round.tables[table].seats]


def test_a_confirmed_result_is_entered_once_with_both_names(desk):
    one, two = phones(desk)
    claim = one.claim("2-0")
    assert desk.state.round.tables[1].result is None
    answer = two.confirm(claim.entries[0])
    assert len(answer.entries) == 2
    first, second = names(desk)
    texts = [line.text for line in desk.log(after=claim.entries[0] - 1)]
    assert texts == [
        f"Round 1, table 1: {first} reports {first} 2–0 {second} (device 5, bound 14:05)",
        f"Round 1, table 1: {second} confirms {first} 2–0 {second} as reported in entry "
        f"{claim.entries[0]} (device 5, bound 14:05)",
        f"Round 1, table 1: {first} 2–0 {second}, as {first} reported and {second} confirmed",
    ]
    signed = [line.by for line in desk.log(after=claim.entries[0] - 1)]
    assert signed == [f"{first} (#{one.player})", f"{second} (#{two.player})", f"{second} (#{two.player})"]
    assert desk.entries[-1].op.claim == claim.entries[0]
    assert not desk.state.round.claims


def test_a_score_is_from_the_players_point_of_view(desk):
    _, two = phones(desk)
    two.claim("2-1")
    claim = claim_at(desk.state, two.player)
    assert [seat.games for seat in claim.result.seats] == [1, 2]


def test_the_same_result_from_the_other_side_confirms_it(desk):
    one, two = phones(desk)
    one.claim("2-1")
    assert len(two.claim("1-2").entries) == 2
    assert desk.state.round.tables[1].result.seats[0].games == 2


def test_another_result_from_the_other_side_is_refused_with_the_report(desk):
    one, two = phones(desk)
    one.claim("2-1")
    with pytest.raises(TourneyError, match=r"reported .* 2–1 .* at 14:0") as refused:
        two.claim("2-0")
    assert refused.value.hint == "confirm that result, or dispute it with your own"


def test_the_desk_sees_every_version_of_a_disputed_claim(desk):
    one, two = phones(desk)
    entry = one.claim("2-0").entries[0]
    two.dispute(entry, "2-1", reason="the last game was mine")
    assert desk.state.round.tables[1].result is None
    (waiting,) = desk.claims()
    assert (waiting.status, waiting.for_the_desk) == ("disputed", True)
    assert [version.command for version in waiting.versions] == [
        "tourney result add 1 2-0",
        "tourney result add 1 1-2",
    ]
    assert waiting.versions[1].reason == "the last game was mine"
    for phone, ask in ((one, one.claim), (two, lambda: two.confirm(entry))):
        if phone is one:
            with pytest.raises(TourneyError, match="disputed it: the desk decides"):
                ask("1-2")
        else:
            assert ask().already  # the answer to it was given
    desk.report(1, "1-2")
    assert not desk.claims()


def test_the_desk_is_warned_if_its_result_drops_reported_victory_points(tmp_path):
    with new_desk(tmp_path, *FOUR, rounds=2) as desk:
        desk.pair_round()
        seats = desk.state.round.tables[1].seats
        one = Phone(desk, seats[0])
        one.claim(None, points="34,12")
        name = desk.state.players[seats[0]].name
        other = desk.state.players[seats[1]].name
        receipt = desk.report(1, "1-0")
        assert receipt.warnings == (
            "table 1: this leaves out the victory points that the players reported:"
            f" {name} 1–0 {other} (34 : 12); `tourney result change 1 1-0 --score 34,12` enters them",
        )
        assert "34" in desk.change_result(1, "1-0", scores="34,12").text
        Phone(desk, desk.state.round.tables[2].seats[0]).claim(None, points="34,12")
        assert desk.report(2, "0-1").warnings[0].endswith("(34 : 12)")
        assert not desk.change_result(2, "1-0", scores="34,12").warnings


def test_a_claim_is_replaced_until_it_is_answered(desk):
    one, two = phones(desk)
    first = one.claim("2-0").entries[0]
    with pytest.raises(TourneyError, match=r"you reported .* 2–0"):
        one.claim("2-1")  # from a page that did not show the first
    second = one.claim("2-1", replaces=first).entries[0]
    with pytest.raises(TourneyError, match="no longer counts"):
        two.confirm(first)
    two.confirm(second)
    with pytest.raises(TourneyError, match="has its result"):
        one.claim("2-0", replaces=second)


def test_no_player_confirms_the_own_report_or_one_of_another_table(desk):
    one, _ = phones(desk)
    entry = one.claim().entries[0]
    with pytest.raises(TourneyError, match="your own report"):
        Phone(desk, one.player, "device 9, bound 14:30").confirm(entry)
    for stranger in phones(desk, 2):
        with pytest.raises(TourneyError, match="no longer counts"):
            stranger.confirm(entry)
        with pytest.raises(TourneyError, match="no longer counts"):
            stranger.dispute(entry)


@pytest.mark.parametrize("key", ["", "a-1"])
def test_a_request_that_comes_twice_is_entered_once(desk, key):
    one, two = phones(desk)
    claim = one.claim("2-0", key=key)
    again = one.claim("2-0", key=key)
    assert again.already
    assert again.changed[0].endswith(f"(entry {claim.entries[0]}).")
    two.confirm(claim.entries[0], key=key and "b-1")
    end = desk.state.entry
    assert two.confirm(claim.entries[0], key=key and "b-1").already
    assert one.claim("2-0", key=key).already
    assert desk.state.entry == end


def test_a_late_copy_of_a_replaced_report_changes_nothing(desk):
    one, _ = phones(desk)
    first = one.claim("2-0", key="a-1").entries[0]
    one.claim("2-1", replaces=first, key="a-2")
    assert one.claim("2-0", key="a-1").already
    assert [seat.games for seat in claim_at(desk.state, one.player).result.seats] == [2, 1]


def test_a_change_by_the_desk_at_the_table_ends_its_claim(desk):
    def claimed_tables():
        return [claim.table for claim in desk.state.round.claims]

    one, two = phones(desk)
    other = phones(desk, 2)[0]
    for act in (
        lambda: desk.report(1, "2-1"),
        lambda: desk.swap(one.player, other.player),
        lambda: desk.drop(two.player),
        lambda: desk.disqualify(one.player),
        lambda: desk.bye(one.player, "absent"),
    ):
        before = desk.state.entry
        claimer, other_side = phones(desk)
        entry = claimer.claim().entries[0]
        assert claimed_tables() == [1]
        act()
        assert claimed_tables() == []
        with pytest.raises(TourneyError, match="no longer counts"):
            other_side.confirm(entry)
        for number in range(desk.state.entry, before, -1):
            desk.undo(number)  # the desk's act and the claim, each by itself
    desk.cancel_round()
    assert desk.claims() == ()


def test_a_drop_warns_that_a_report_from_the_table_no_longer_counts(desk):
    """The drop ends the report, and the desk may not have seen it."""
    one, two = phones(desk)
    first, second = names(desk)
    one.claim("2-0")
    (warning,) = desk.drop(two.player).warnings
    assert warning == (
        f"{second} still sits at table 1; the report by {first} ({first} 2–0 {second}) no longer counts:"
        " `tourney result add 1 ff2`, or `tourney round repair`"
    )


def test_a_claim_that_ended_with_its_round_is_refused(desk):
    one, two = phones(desk)
    entry = one.claim().entries[0]
    desk.cancel_round()
    with pytest.raises(TourneyError, match="there is no round to play yet"):
        two.confirm(entry)
    desk.pair_round()
    with pytest.raises(TourneyError, match="no longer counts"):
        two.confirm(entry)


def test_a_player_who_leaves_by_phone_plays_the_round_to_its_end(desk):
    one, two = phones(desk)
    entry = one.claim().entries[0]
    two.seat().leave(round_number=1)
    assert desk.state.players[two.player].leaving
    assert claim_at(desk.state, one.player).entry == entry
    assert desk.log()[-1].text.endswith("leaves after round 1")
    assert len(two.confirm(entry).entries) == 2
    assert two.seat().leave(round_number=1).already
    with pytest.raises(TourneyError, match="another round"):
        one.seat().leave(round_number=0)


def test_a_claim_blocks_no_undo_and_no_redo(desk):
    """It prevents no undo and no redo, and is not the desk's last entry."""
    last = desk.state.entry
    one, two = phones(desk)
    entry = one.claim().entries[0]
    assert desk.undo().entries
    assert desk.entries[-1].op == ops.Undone(entry=last)  # the desk's own: the pairing
    assert not desk.state.rounds
    desk.redo()
    assert claim_at(desk.state, one.player).entry == entry
    confirmed = two.confirm(entry).entries
    desk.undo(entry)  # what was entered from it stands by itself
    assert desk.state.round.tables[1].result is not None
    desk.undo(confirmed[1])
    assert desk.state.round.tables[1].result is None


def test_an_undone_result_does_not_open_its_claim_again(desk):
    one, two = phones(desk)
    two.confirm(one.claim().entries[0])
    desk.undo(desk.state.entry)
    assert desk.claims() == ()
    one.claim("2-1")
    assert len(desk.claims()) == 1


def test_unanswered_claims_are_for_the_desk_after_their_time(desk):
    one, _ = phones(desk)
    one.claim()
    assert [claim.status for claim in desk.claims()] == [f"waits for {names(desk)[1]}"]
    desk.workplace.clock.now += timedelta(minutes=10)
    assert [(claim.status, claim.for_the_desk) for claim in desk.claims()] == [("unanswered", True)]
    assert desk.enter_unanswered() == ()
    (receipt,) = desk.enter_unanswered(anyway=True)
    assert receipt.changed[1].endswith(
        f"as {names(desk)[0]} reported; the report was not answered (entry {receipt.entries[1]})."
    )
    assert desk.log()[-1].by == "Ann"


def test_an_unanswered_claim_is_entered_once_by_the_first_of_two_desks(tmp_path, desk):
    desk.change(claim_alone=True, claim_minutes=5)
    one, _ = phones(desk)
    one.claim()
    with open_desk(tmp_path, by="Kim") as other:
        for some_desk in (desk, other):
            some_desk.workplace.clock.now = desk.workplace.clock.now + timedelta(minutes=5)
        done = [*desk.enter_unanswered(), *other.enter_unanswered(), *desk.enter_unanswered()]
    assert len(done) == 1
    assert desk.log()[-1].by == f"{names(desk)[0]} (#{one.player})"
    desk.undo(done[0].entries[1])
    desk.workplace.clock.now += timedelta(minutes=50)
    assert desk.enter_unanswered() == ()


def test_pairing_a_cut_and_closing_enter_unanswered_claims(tmp_path, desk):
    """Without a server, each finds the overdue claim and enters it once, or changes nothing."""
    one, two = phones(desk, 1), phones(desk, 2)
    one[0].claim()
    desk.workplace.clock.now += timedelta(minutes=10)
    with pytest.raises(TourneyError, match="has no result for"):
        desk.pair_round()
    desk.change(claim_alone=True)
    before = desk.state.entry
    with pytest.raises(TourneyError, match="has no result for"):
        desk.pair_round()  # table 2 plays, so that nothing is written at all
    with open_desk(tmp_path) as other:
        assert (desk.state.entry, other.state.entry, desk.by) == (before, before, "Ann")
        assert other.state.round.tables[1].result is None
    two[0].claim("2-1")
    with pytest.raises(TourneyError, match="has no result for"):
        desk.pair_round()  # that one can still be answered
    two[1].confirm(desk.state.entry)
    receipt = desk.pair_round()
    assert [type(entry.op).__name__ for entry in desk.entries[receipt.entries[0] - 1 :]] == [
        "ResultConfirmed",
        "ResultReported",
        "RoundPaired",
    ]
    assert [entry.by for entry in desk.log()[-3:]] == [
        f"{desk.state.players[one[0].player].name} (#{one[0].player})"
    ] * 2 + ["Ann"]
    assert len(desk.state.rounds) == 2
    assert any("was accepted, although not all players had confirmed it" in line for line in receipt.changed)
    assert desk.own_last().entry == receipt.entries[-1]
    with open_desk(tmp_path, by="Kim") as other:
        for number in (1, 2):
            phones(desk, number)[0].claim()
        for some_desk in (desk, other):
            some_desk.workplace.clock.now = desk.workplace.clock.now + timedelta(minutes=10)
        other.cut(2)
        assert desk.refresh().cut is not None
        assert desk.enter_unanswered() == ()
        assert (
            sum(isinstance(entry.op, ops.ResultReported) and entry.op.round == 2 for entry in desk.entries)
            == 2
        )


def test_a_claim_reopened_by_an_undo_gets_its_time_again(desk):
    desk.change(claim_alone=True)
    one, _ = phones(desk)
    one.claim("2-1")
    desk.workplace.clock.now += timedelta(minutes=9)
    desk.report(1, "2-0")
    desk.workplace.clock.now += timedelta(minutes=9)
    desk.undo()
    assert desk.enter_unanswered() == ()
    assert claim_at(desk.state, one.player) is not None


def test_no_player_reports_a_ruling(desk):
    one, _ = phones(desk)
    for score, more in (("ff2", {}), ("dl", {}), ("forfeit2", {}), ("2-0", {"ended": "ruling"})):
        with pytest.raises(TourneyError, match="only the desk enters"):
            one.claim(score, **more)
    assert one.claim("id").entries


def test_a_player_with_the_bye_has_nothing_to_report(tmp_path):
    with new_desk(tmp_path, "Mira Oake", "Tess Hart", "Tomo Reed", best_of=3) as desk:
        desk.pair_round()
        (resting,) = desk.state.round.byes
        with pytest.raises(TourneyError, match="you have no table in round 1: "):
            OwnSeat(desk, resting).claim(Report(score="2-0"), round_number=1, table=1, seats=(resting, 1))


def test_an_event_may_take_results_only_at_the_desk(desk):
    desk.change(claims=False)
    with pytest.raises(TourneyError, match="only the desk enters results"):
        phones(desk)[0].claim()


def test_at_larger_tables_all_others_confirm_and_one_dispute_suffices(tmp_path):
    with new_desk(
        tmp_path, *FOUR, "Ada Quill", "Cleo Vane", "Dov Ash", "Eli Moss", system="pods", seats=[4, 3, 5]
    ) as desk:
        desk.pair_round()
        one, two, three, four = phones(desk)
        entry = one.claim("1,2,3,4").entries[0]
        assert len(two.confirm(entry).entries) == 1
        with pytest.raises(TourneyError, match="confirmed it"):
            one.claim("2,1,3,4", replaces=entry)
        three.seat().leave(round_number=1)
        assert len(four.confirm(entry).entries) == 1, "who leaves after the round is still asked"
        assert len(three.confirm(entry).entries) == 2
        one, two, three, four = phones(desk, 2)
        entry = one.claim("1,2,3,4").entries[0]
        two.confirm(entry)
        three.dispute(entry, "1,2,3,4")
        four.dispute(entry)
        (waiting,) = desk.claims()
        assert [version.agree for version in waiting.versions] == [(names(desk, 2)[1],), (), ()]
        assert [version.result is None for version in waiting.versions] == [False, False, True]


def test_after_a_dispute_other_players_may_report_to_the_desk(tmp_path):
    """At a table of four, with agreement or another version; no result is entered."""
    with new_desk(tmp_path, *FOUR, system="pods", seats=[4, 3, 5]) as desk:
        desk.pair_round()
        one, two, three, four = phones(desk)
        entry = one.claim("1,2,3,4").entries[0]
        two.dispute(entry, "1,2,3,4")
        assert len(three.confirm(entry).entries) == 1
        four.dispute(entry, "1,2,4,3", reason="We drew places")
        (waiting,) = desk.claims()
        assert waiting.state == "disputed"
        assert [version.agree for version in waiting.versions] == [(names(desk)[2],), (), ()]
        assert all(version.result and version.command for version in waiting.versions)
        desk.workplace.clock.now += timedelta(minutes=60)
        assert desk.enter_unanswered(anyway=True) == ()
        assert desk.state.round.tables[1].result is None


def test_players_who_left_need_not_confirm_but_one_other_must(tmp_path):
    with new_desk(tmp_path, *FOUR, system="pods", seats=[4, 3, 5]) as desk:
        desk.pair_round()
        one, two, three, four = phones(desk)
        desk.drop(three.player, four.player)
        entry = one.claim("1,2,3,4").entries[0]
        assert claim_at(desk.state, one.player).waiting == (two.player,)
        assert len(two.confirm(entry).entries) == 2
    other = tmp_path / "two"
    other.mkdir()
    with new_desk(other, *FOUR, best_of=3) as desk:
        desk.pair_round()
        one, two = phones(desk)
        desk.drop(two.player)
        one.claim()
        (waiting,) = desk.claims()
        assert (waiting.status, waiting.for_the_desk) == ("nobody to answer", True)
        assert len(two.confirm(waiting.entry).entries) == 2  # who is still there may


def test_a_judge_is_called_once_until_the_call_is_answered(desk):
    one, _ = phones(desk)
    call = one.seat("c-1").call_judge(**one.shown, about="a card reads odd")
    assert one.seat().call_judge(**one.shown).already
    (waiting,) = desk.calls()
    assert (waiting.player, waiting.table, waiting.about) == (names(desk)[0], 1, "a card reads odd")
    desk.answer_call(call.entries[0])
    assert desk.calls() == ()
    assert desk.answer_call(call.entries[0]).already
    assert one.seat("c-1").call_judge(**one.shown).already
    assert one.seat("c-2").call_judge(**one.shown).entries
    with pytest.raises(TourneyError, match="not a call for a judge"):
        desk.answer_call(1)


def test_a_phone_can_make_a_limited_number_of_entries_in_a_round(desk):
    from tourney.event.claims import MOST_ENTRIES

    one, _ = phones(desk)
    entry = 0
    for turn in range(MOST_ENTRIES):
        entry = one.claim(("2-0", "2-1")[turn % 2], replaces=entry).entries[0]
    with pytest.raises(TourneyError, match="too many requests in this round"):
        one.claim("2-0", replaces=entry)


def test_players_check_in_and_hand_in_lists_for_themselves(tmp_path):
    with new_desk(tmp_path, *FOUR) as desk:
        seat = OwnSeat(desk, desk.find_player(1))
        seat.check_in()
        assert desk.state.players[1].checked_in
        assert desk.log()[-1].by == "Mira Oake (#1)"
        assert OwnSeat(desk, desk.find_player(1)).check_in().already
        desk.drop(2)
        with pytest.raises(TourneyError, match="you have left"):
            OwnSeat(desk, desk.find_player(2)).check_in()
        assert seat.submit_deck("40 Nothing of the kind", source="list").entries == ()
        desk.pair_round(manner=Manner(careful=False))
        with pytest.raises(TourneyError, match="check-in is over"):
            OwnSeat(desk, desk.find_player(3)).check_in()
        with pytest.raises(TourneyError, match="locked since round 1"):
            seat.submit_deck("40 Nothing of the kind", source="list")


def test_a_check_in_from_a_phone_counts_as_one_at_the_desk(tmp_path):
    """Once one player is checked in, at the desk or by phone, all others count as absent."""
    with new_desk(tmp_path, *FOUR) as desk:
        (own,) = OwnSeat(desk, desk.find_player(1)).check_in().entries
        assert presence.absent(desk.state) == (2, 3, 4)
        assert desk.check_in(1).already
        desk.check_in(2)
        desk.undo(own)
        assert presence.absent(desk.state) == (1, 3, 4)
    with open_desk(tmp_path) as again:
        assert presence.absent(again.state) == (1, 3, 4)
        again.drop_absent()
        assert [player.name for player in again.state.playing] == ["Tess Hart"]


def test_round_one_waits_for_players_absent_after_a_check_in_from_a_phone(tmp_path):
    with new_desk(tmp_path, *FOUR) as desk:
        OwnSeat(desk, desk.find_player(1)).check_in()
        with pytest.raises(
            TourneyError, match="1 of 4 players is here; Tess Hart, Tomo Reed and Ben Amos are not"
        ):
            desk.pair_round()
        assert not desk.state.rounds
        receipt = OwnSeat(desk, desk.find_player(2)).check_in()
        assert receipt.next[0].text == "2 of 4 players are here; Tomo Reed and Ben Amos are not checked in."
        anyway = desk.pair_round(manner=Manner(careful=False))
        assert "2 of 4 players are here." in anyway.changed
        assert anyway.warnings == ("Tomo Reed and Ben Amos are not checked in",)


def test_round_one_by_hand_waits_only_for_absent_players_with_a_table(tmp_path):
    with new_desk(tmp_path, *FOUR) as desk:
        OwnSeat(desk, desk.find_player(1)).check_in()
        desk.check_in(2)
        with pytest.raises(TourneyError, match="2 of 4 players are here; Tomo Reed and Ben Amos are not"):
            desk.pair_round(by_hand="Mira Oake - Tess Hart\nTomo Reed - Ben Amos")
        receipt = desk.pair_round(by_hand="Mira Oake - Tess Hart\nTomo Reed absent\nBen Amos absent")
        assert not receipt.warnings


def test_an_erased_player_is_erased_from_reports(desk):
    one, two = phones(desk)
    two.confirm(one.claim().entries[0])
    name = names(desk)[0]
    erase(desk, one.player)
    text = "\n".join(f"{line.by} {line.text}" for line in desk.log())
    assert name not in text
    assert f"player {one.player} (#{one.player})" in text
    one.seat().leave(round_number=1)
    assert "device" not in desk.log()[-1].text


def test_staff_sign_by_name_and_undo_their_own_entries(desk):
    with desk.signing("Kim (device 3)"):
        desk.report(1, "2-0")
        with pytest.raises(TourneyError), desk.signing("#7"):
            pass
    assert desk.log()[-1].by == "Kim (device 3)"
    assert desk.by == "Ann"
    with desk.signing("Kim (device 3)"):
        assert desk.undo().entries
    assert desk.state.round.tables[1].result is None


def test_reopening_the_event_gives_the_same_state(tmp_path, desk):
    one, two = phones(desk)
    two.dispute(one.claim().entries[0], "2-1")
    phones(desk, 2)[0].claim("id")
    with open_desk(tmp_path) as again:
        assert again.state == desk.state
        assert show(again.state) == show(desk.state)
        assert show(again.state).rounds[0].claims[0].disputes
