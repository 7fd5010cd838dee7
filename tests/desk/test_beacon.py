"""Public randomness: nothing is drawn before the value is out, every seed has it, and what comes after it is named."""

from hashlib import sha256

import pytest

from tests.desk.kit import new_desk, open_desk, play
from tests.desk.test_verifying import NAMES, forge, replace, told
from tourney.desk import export, import_event, verify
from tourney.errors import Severity, TourneyError
from tourney.event import ops
from tourney.event.event_document import BeaconState, show

SOURCE, VALUE = "drand round 5123456", "8a9f21c0"


def waiting(folder, *names, **settings):
    return new_desk(folder, *names, beacon=SOURCE, **settings)


def drawn(folder, rounds=1, **settings):
    """An event that was paired with the value; the entry that holds it."""
    with waiting(folder, *NAMES, **settings) as desk:
        entry = desk.enter_beacon(VALUE).entries[0]
        for _ in range(rounds):
            play(desk)
        return entry


def test_nothing_is_drawn_before_the_value_is_out(tmp_path):
    """`round pair` is refused with the command as its hint; tables by hand need no dice."""
    with waiting(tmp_path, *NAMES[:4]) as desk:
        with pytest.raises(
            TourneyError, match=rf"the public value that the event waits for \({SOURCE}\) is not entered yet"
        ) as refusal:
            desk.pair_round()
        assert "`tourney event beacon VALUE`" in refusal.value.hint
        assert desk.state.entry == 2
        assert desk.lot(desk.state) == ""
        desk.pair_round(by_hand="Ada - Ben\nCleo - Dan")
        with pytest.raises(TourneyError, match="the public value that the event waits for"):
            desk.repair_round()
        assert desk.state.round.seed == ""


@pytest.mark.parametrize("profile", ["tourney", "mtr"])
@pytest.mark.parametrize("lot", [False, True, None])
def test_a_cut_before_the_value_is_settled_without_a_lot(tmp_path, lot, profile):
    """Nobody could draw one yet, so none parted anybody: that follows from the entries, and other seeds are an error."""
    with waiting(tmp_path, *NAMES[:4], profile=profile) as desk:
        desk.pair_round(by_hand="Ada - Ben\nCleo - Dan")
        desk.report("1..2", "d")
        desk.cut(4, lot=bool(lot))
        assert "by lot" not in desk.log()[-1].text
        assert told(desk) == []
        assert told(desk, severity=Severity.UNVERIFIED) == []

    def older(_, op):
        return replace(op, lot=lot) if isinstance(op, ops.CutMade) else op

    def as_one_wishes(_, op):
        return replace(op, players=op.players[::-1], lot=lot) if isinstance(op, ops.CutMade) else op

    with forge(tmp_path, older, name="older.tourney") as desk:
        assert told(desk) == []
        assert told(desk, severity=Severity.UNVERIFIED) == []
    with forge(tmp_path, as_one_wishes) as desk:
        assert [rule for rule, _ in told(desk)] == ["cut"]


def test_every_seed_has_the_value_in_it(tmp_path):
    """SHA-256 of secret, slash, number, slash, value; the lot between equals as well."""
    drawn(tmp_path, rounds=2)
    with open_desk(tmp_path) as desk:
        secret = desk.journal.secret()
        seeds = [known.seed for known in desk.state.rounds]
        assert seeds == [sha256(secret + f"/{number}/{VALUE}".encode()).hexdigest() for number in (1, 2)]
        assert desk.lot(desk.state) == sha256(b"lot/" + secret + b"/" + VALUE.encode()).hexdigest()
        assert verify(desk).findings == ()


def test_an_event_without_a_beacon_draws_as_ever(tmp_path):
    """No field is written, no key is shown, and the seeds are what they were."""
    with new_desk(tmp_path, *NAMES) as desk:
        play(desk)
        assert b"beacon" not in b"".join(row.op for row in desk.journal.rows())
        assert show(desk.state).beacon == BeaconState("", None)
        assert desk.state.round.seed == sha256(desk.journal.secret() + b"/1").hexdigest()


def test_the_value_is_entered_once(tmp_path):
    """The same again, differently spaced, is well; another one is refused; so is one nobody waits for."""
    with waiting(tmp_path, *NAMES) as desk:
        said = desk.enter_beacon("  3 14\t15 ")
        assert said.changed == (f"The public value ({SOURCE}) is 3 14 15 (entry {said.entries[0]}).",)
        assert show(desk.state).beacon == BeaconState(SOURCE, "3 14 15")
        assert desk.enter_beacon("3 14 15").already
        with pytest.raises(TourneyError, match=r"was entered as 3 14 15 \(entry 3\)"):
            desk.enter_beacon("3 14 16")
        for wrong in ("", "  ", "a\x00b", "\ud800", "x" * 501):
            with pytest.raises(TourneyError):
                desk.enter_beacon(wrong)
        assert desk.state.entry == 3


def test_the_value_comes_after_registration(tmp_path):
    """Before anybody is registered it would protect nobody; an event that named none waits for none."""
    with waiting(tmp_path) as desk, pytest.raises(TourneyError, match="register all players before"):
        desk.enter_beacon(VALUE)
    (tmp_path / "other").mkdir()
    with (
        new_desk(tmp_path / "other", *NAMES) as desk,
        pytest.raises(TourneyError, match="not waiting for a public value"),
    ):
        desk.enter_beacon(VALUE)


def test_a_source_can_be_named_until_the_value_is_out(tmp_path):
    """Later it is neither changed nor taken away; nor named once a round was paired."""
    with new_desk(tmp_path, *NAMES[:4]) as desk:
        desk.change(beacon="  the   lottery of Saturday ")
        assert desk.state.settings.pairing.beacon == "the lottery of Saturday"
        desk.change(beacon=SOURCE)
        desk.enter_beacon(VALUE)
        for other in ("", "another"):
            with pytest.raises(TourneyError, match="is entered already"):
                desk.change(beacon=other)
        named = [said for rule, said in told(desk, severity=Severity.ADVICE) if rule == "beacon"]
        assert [said.split(":")[0] for said in named] == ["entry 3", "entry 4"]
    (tmp_path / "late").mkdir()
    with new_desk(tmp_path / "late", *NAMES[:4]) as desk:
        desk.pair_round()
        with pytest.raises(TourneyError, match="a round is paired already"):
            desk.change(beacon=SOURCE)
        with pytest.raises(TourneyError, match="printable characters"):
            desk.change(beacon="x" * 201)


def test_the_value_is_not_taken_back_once_a_round_was_paired_with_it(tmp_path):
    """Not even after the round was cancelled or taken back: somebody has seen what it pairs."""
    with waiting(tmp_path, *NAMES[:4]) as desk:
        first = desk.enter_beacon("a mistype").entries[0]
        desk.undo(first)
        assert desk.state.waits_for_beacon
        entry = desk.enter_beacon(VALUE).entries[0]
        paired = desk.pair_round().entries[0]
        for _ in range(2):
            with pytest.raises(TourneyError, match=rf"a round was paired with its value \(entry {paired}\)"):
                desk.undo(entry)
            if desk.state.rounds:
                desk.undo(paired)
        assert desk.state.beacon.value == VALUE
        with pytest.raises(TourneyError):
            desk.redo(first)


def test_the_source_of_the_creation_stays_while_the_value_stands(tmp_path):
    """Taking back the entry that named the source is refused while the value depends on it."""
    with new_desk(tmp_path, *NAMES[:4]) as desk:
        named = desk.change(beacon=SOURCE).entries[0]
        value = desk.enter_beacon(VALUE).entries[0]
        with pytest.raises(TourneyError, match=f"entry {value} depends on it"):
            desk.undo(named)


def test_what_comes_after_the_value_is_named(tmp_path):
    """Registrations, drops, wishes, settings, and each of them taken back: with entry, words, time and author."""
    with waiting(tmp_path, *NAMES[:4]) as desk:
        desk.check_in("Ada")
        value = desk.enter_beacon(VALUE).entries[0]
        assert told(desk, severity=Severity.ADVICE) == []
        late = desk.add_player("Zed").entries[0]
        desk.undo(late)
        desk.check_in("Ben")
        desk.forbid("Ada", "Ben")
        desk.rename("Dan", "Dana")
        desk.check_in_all()
        play(desk)
        desk.drop("Cleo")
        named = [said for _, said in told(desk, severity=Severity.ADVICE)]
        assert [said.partition(",")[0] for said in named] == [
            f"entry {value + step}" for step in (1, 2, 4, 9)
        ]
        assert named[0].startswith(
            f"entry {late}, after the public value: Zed (#5) is registered (2026-10-04 14:0"
        )
        assert named[0].endswith("by Ann)")
        assert told(desk) == []


def test_a_seed_without_the_value_is_found(tmp_path):
    """A round drawn before the value was entered, and one whose seed leaves the value out."""
    entry = drawn(tmp_path)
    with open_desk(tmp_path) as desk:
        secret, paired = desk.journal.secret(), desk.state.round.paired.entry
    bare = sha256(secret + b"/1").hexdigest()

    def change(seq, op):
        return replace(op, seed=bare) if seq == paired else op

    with forge(tmp_path, change) as desk:
        [said] = [said for rule, said in told(desk) if rule == "seed"]
        assert said.startswith(
            f"Round 1 (entry {paired}): the recorded seed does not follow from the event's secret and"
        )

    def early(seq, op):
        return ops.PlayerCheckedIn(players=(1,)) if seq == entry else op

    with forge(tmp_path, early, name="early.tourney") as desk:
        [said] = [said for rule, said in told(desk) if rule == "seed"]
        assert (
            said == f"Round 1 (entry {paired}): it was drawn before the public value ({SOURCE}) was entered"
        )


def test_another_value_is_another_draw(tmp_path):
    """The value in the entry cannot be changed without the seeds betraying it."""
    entry = drawn(tmp_path)

    def change(seq, op):
        return replace(op, value="another") if seq == entry else op

    with forge(tmp_path, change) as desk:
        assert "seed" in {rule for rule, _ in told(desk)}


def test_a_repair_of_a_round_by_hand_is_drawn_with_the_value(tmp_path):
    """Its seed stands nowhere but follows from the secret and the value, so that it can be made anew."""
    with waiting(tmp_path, *NAMES[:6]) as desk:
        desk.enter_beacon(VALUE)
        desk.pair_round(by_hand="Ada - Ben\nCleo - Dan\nEve - Fay")
        desk.drop("Ada")
        desk.drop("Dan")
        desk.repair_round()
        assert [rule for rule, _ in told(desk)] == []
    with forge(tmp_path, lambda _, op: op, secret=False) as desk:
        assert {rule for rule, _ in told(desk, severity=Severity.UNVERIFIED)} == {"secret", "tables"}


def test_the_value_survives_an_export(tmp_path):
    """It is part of the chain."""
    from tests.desk.kit import lent

    drawn(tmp_path)
    with open_desk(tmp_path) as desk:
        before = desk.state
        export(desk, tmp_path / "out")
    with import_event(tmp_path / "out" / "friday.jsonl", tmp_path / "again.tourney", lent()) as desk:
        assert desk.state.beacon == before.beacon
        assert desk.state.digest == before.digest
