"""Public randomness: no draw before the value is known, and every seed uses it."""

from hashlib import sha256

import pytest

from tests.desk.kit import new_desk, open_desk, play
from tests.desk.test_verifying import NAMES, findings_of, forge, replace
from tourney.desk import export, import_event, verify
from tourney.errors import Severity, TourneyError
from tourney.event import ops
from tourney.event.event_document import BeaconState, show

SOURCE, VALUE = "drand round 5123456", "8a9f21c0"


def waiting(folder, *names, **settings):
    return new_desk(folder, *names, beacon=SOURCE, **settings)


def drawn(folder, rounds=1, **settings):
    """Enter the public value and play rounds; return the number of the value's entry."""
    with waiting(folder, *NAMES, **settings) as desk:
        entry = desk.enter_beacon(VALUE).entries[0]
        for _ in range(rounds):
            play(desk)
        return entry


def test_nothing_is_drawn_before_the_value_is_known(tmp_path):
    """`round pair` is refused with a hint. Tables by hand need no dice."""
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
def test_a_cut_before_the_value_has_no_lot(tmp_path, lot, profile):
    """Entries prove that no lot was drawn, and other seeds are an error."""
    with waiting(tmp_path, *NAMES[:4], profile=profile) as desk:
        desk.pair_round(by_hand="Ada - Ben\nCleo - Dan")
        desk.report("1..2", "d")
        desk.cut(4, lot=bool(lot))
        assert "by lot" not in desk.log()[-1].text
        assert findings_of(desk) == []
        assert findings_of(desk, severity=Severity.UNVERIFIED) == []

    def older(_, op):
        return replace(op, lot=lot) if isinstance(op, ops.CutMade) else op

    def as_one_wishes(_, op):
        return replace(op, players=op.players[::-1], lot=lot) if isinstance(op, ops.CutMade) else op

    with forge(tmp_path, older, name="older.tourney") as desk:
        assert findings_of(desk) == []
        assert findings_of(desk, severity=Severity.UNVERIFIED) == []
    with forge(tmp_path, as_one_wishes) as desk:
        assert [rule for rule, _ in findings_of(desk)] == ["cut"]


def test_every_seed_includes_the_value(tmp_path):
    """SHA-256 of secret, slash, number, slash, value; also for the lot."""
    drawn(tmp_path, rounds=2)
    with open_desk(tmp_path) as desk:
        secret = desk.journal.secret()
        seeds = [round_.seed for round_ in desk.state.rounds]
        assert seeds == [sha256(secret + f"/{number}/{VALUE}".encode()).hexdigest() for number in (1, 2)]
        assert desk.lot(desk.state) == sha256(b"lot/" + secret + b"/" + VALUE.encode()).hexdigest()
        assert verify(desk).findings == ()


def test_an_event_without_a_beacon_draws_as_before(tmp_path):
    """No field is written, no key is shown, and the seeds are the same."""
    with new_desk(tmp_path, *NAMES) as desk:
        play(desk)
        assert b"beacon" not in b"".join(row.op for row in desk.journal.rows())
        assert show(desk.state).beacon == BeaconState("", None)
        assert desk.state.round.seed == sha256(desk.journal.secret() + b"/1").hexdigest()


def test_the_value_is_entered_once(tmp_path):
    """The same value with other spaces is accepted; another or unexpected one is refused."""
    with waiting(tmp_path, *NAMES) as desk:
        receipt = desk.enter_beacon("  3 14\t15 ")
        assert receipt.changed == (f"The public value ({SOURCE}) is 3 14 15 (entry {receipt.entries[0]}).",)
        assert show(desk.state).beacon == BeaconState(SOURCE, "3 14 15")
        assert desk.enter_beacon("3 14 15").already
        with pytest.raises(TourneyError, match=r"is already entered: 3 14 15 \(entry 3\)"):
            desk.enter_beacon("3 14 16")
        for wrong in ("", "  ", "a\x00b", "\ud800", "x" * 501):
            with pytest.raises(TourneyError):
                desk.enter_beacon(wrong)
        assert desk.state.entry == 3


def test_the_value_is_entered_after_registration(tmp_path):
    """A value entered earlier would protect nothing. An event without a source needs no value."""
    with waiting(tmp_path) as desk, pytest.raises(TourneyError, match="register all players before"):
        desk.enter_beacon(VALUE)
    (tmp_path / "other").mkdir()
    with (
        new_desk(tmp_path / "other", *NAMES) as desk,
        pytest.raises(TourneyError, match="not waiting for a public value"),
    ):
        desk.enter_beacon(VALUE)


def test_a_source_can_be_named_until_the_value_is_known(tmp_path):
    """It cannot be named after a paired round, nor changed once the value is entered."""
    with new_desk(tmp_path, *NAMES[:4]) as desk:
        desk.change(beacon="  the   lottery of Saturday ")
        assert desk.state.settings.pairing.beacon == "the lottery of Saturday"
        desk.change(beacon=SOURCE)
        desk.enter_beacon(VALUE)
        for other in ("", "another"):
            with pytest.raises(TourneyError, match="is already entered"):
                desk.change(beacon=other)
        named = [entry for rule, entry in findings_of(desk, severity=Severity.ADVICE) if rule == "beacon"]
        assert [entry.split(":")[0] for entry in named] == ["entry 3", "entry 4"]
    (tmp_path / "late").mkdir()
    with new_desk(tmp_path / "late", *NAMES[:4]) as desk:
        desk.pair_round()
        with pytest.raises(TourneyError, match="a round is already paired"):
            desk.change(beacon=SOURCE)
        with pytest.raises(TourneyError, match="printable characters"):
            desk.change(beacon="x" * 201)


def test_a_value_used_by_a_pairing_cannot_be_undone(tmp_path):
    """The players saw its pairing, so canceling or undoing the round does not help."""
    with waiting(tmp_path, *NAMES[:4]) as desk:
        first = desk.enter_beacon("a mistype").entries[0]
        desk.undo(first)
        assert desk.state.waits_for_beacon
        entry = desk.enter_beacon(VALUE).entries[0]
        paired = desk.pair_round().entries[0]
        for _ in range(2):
            with pytest.raises(TourneyError, match=f"entry {paired} paired a round with this public value"):
                desk.undo(entry)
            if desk.state.rounds:
                desk.undo(paired)
        assert desk.state.beacon.value == VALUE
        with pytest.raises(TourneyError):
            desk.redo(first)


def test_the_source_cannot_be_undone_before_the_value(tmp_path):
    """Taking back the entry that named the source is refused while the value depends on it."""
    with new_desk(tmp_path, *NAMES[:4]) as desk:
        named = desk.change(beacon=SOURCE).entries[0]
        value = desk.enter_beacon(VALUE).entries[0]
        with pytest.raises(TourneyError, match=f"entry {value} depends on it"):
            desk.undo(named)


def test_changes_after_the_value_are_named(tmp_path):
    """Registrations, drops, wishes, settings and their undos, with entry, time and author."""
    with waiting(tmp_path, *NAMES[:4]) as desk:
        desk.check_in("Ada")
        value = desk.enter_beacon(VALUE).entries[0]
        assert findings_of(desk, severity=Severity.ADVICE) == []
        entry = desk.add_player("Zed").entries[0]
        desk.undo(entry)
        desk.check_in("Ben")
        desk.forbid("Ada", "Ben")
        desk.rename("Dan", "Dana")
        desk.check_in_all()
        play(desk)
        desk.drop("Cleo")
        named = [text for _, text in findings_of(desk, severity=Severity.ADVICE)]
        assert [text.partition(" was made")[0] for text in named] == [
            f"entry {value + step}" for step in (1, 2, 4, 9)
        ]
        assert named[0].startswith(
            f"entry {entry} was made after the public value: Zed (#5) is registered (2026-10-04 14:0"
        )
        assert named[0].endswith("by Ann)")
        assert findings_of(desk) == []


def test_a_seed_without_the_value_is_found(tmp_path):
    """The check finds a round drawn before the value was entered, and a seed without it."""
    entry = drawn(tmp_path)
    with open_desk(tmp_path) as desk:
        secret, paired = desk.journal.secret(), desk.state.round.paired.entry
    bare = sha256(secret + b"/1").hexdigest()

    def change(seq, op):
        return replace(op, seed=bare) if seq == paired else op

    with forge(tmp_path, change) as desk:
        [text] = [text for rule, text in findings_of(desk) if rule == "seed"]
        assert text.startswith(
            f"Round 1 (entry {paired}): the recorded seed does not follow from the event's secret and"
        )

    def early(seq, op):
        return ops.PlayerCheckedIn(players=(1,)) if seq == entry else op

    with forge(tmp_path, early, name="early.tourney") as desk:
        [text] = [text for rule, text in findings_of(desk) if rule == "seed"]
        assert (
            text == f"Round 1 (entry {paired}): it was drawn before the public value ({SOURCE}) was entered"
        )


def test_a_changed_value_contradicts_the_seeds(tmp_path):
    """The value in the entry cannot be changed without the seeds betraying it."""
    entry = drawn(tmp_path)

    def change(seq, op):
        return replace(op, value="another") if seq == entry else op

    with forge(tmp_path, change) as desk:
        assert "seed" in {rule for rule, _ in findings_of(desk)}


def test_a_repair_of_a_round_by_hand_uses_the_value(tmp_path):
    """The seed is not recorded, but follows from secret and value."""
    with waiting(tmp_path, *NAMES[:6]) as desk:
        desk.enter_beacon(VALUE)
        desk.pair_round(by_hand="Ada - Ben\nCleo - Dan\nEve - Fay")
        desk.drop("Ada")
        desk.drop("Dan")
        desk.repair_round()
        assert [rule for rule, _ in findings_of(desk)] == []
    with forge(tmp_path, lambda _, op: op, secret=False) as desk:
        assert {rule for rule, _ in findings_of(desk, severity=Severity.UNVERIFIED)} == {"secret", "tables"}


def test_an_export_has_the_value(tmp_path):
    """The value is an entry of the chain."""
    from tests.desk.kit import lent

    drawn(tmp_path)
    with open_desk(tmp_path) as desk:
        before = desk.state
        export(desk, tmp_path / "out")
    with import_event(tmp_path / "out" / "friday.jsonl", tmp_path / "again.tourney", lent()) as desk:
        assert desk.state.beacon == before.beacon
        assert desk.state.digest == before.digest
