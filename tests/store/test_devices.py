"""Codes, links and devices: binding, expiry, storage and secrecy."""

import os
import sqlite3
import stat
import sys
import threading
from contextlib import closing
from datetime import timedelta, timezone
from hashlib import sha256

import pytest

from tests.desk.kit import Clock, Dice
from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.store.devices import MOST_WRONG, Devices, read_code
from tourney.store.sqlite import DURABLE

EVENT = "ab" * 32


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def devices(tmp_path, clock):
    with Devices.open(tmp_path / "data", EVENT, clock=clock, randomness=Dice()) as devices:
        yield devices


def code_of(made):
    return read_code(made.text)[1]


def test_a_code_binds_one_device_and_is_spent(devices):
    made = devices.new_code(7)
    assert read_code(made.path.removeprefix("/join/")) == read_code(made.text)
    login = devices.bind(7, code_of(made))
    assert (login.device.role, login.device.player, login.device.number) == ("player", 7, 1)
    assert login.device.words == "device 1, bound 14:00"
    assert devices.session(login.token) == login.device
    with pytest.raises(TourneyError, match="used on another device"):
        devices.bind(7, code_of(made))
    assert devices.codes() == {7: "bound"}


def test_codes_of_many_players_are_made_in_one_transaction(tmp_path, clock, devices):
    """A server waits for the transaction. If it fails, all codes stay as they were."""
    login = devices.bind(1, code_of(devices.new_code(1)))
    looked = []

    class Looking(Dice):
        def __call__(self, size):
            looked.append(devices.session(login.token))
            if self.drawn == 3:
                raise KeyboardInterrupt
            return super().__call__(size)

    with Devices.open(tmp_path / "data", EVENT, clock=clock, randomness=Looking("other")) as beside:
        with pytest.raises(KeyboardInterrupt), beside.handing_out(range(1, 9)):
            pass
        assert looked == [login.device] * 4
        assert devices.codes() == {1: "bound"}
        beside._randomness = Dice("once more")
        with beside.handing_out([1, 2, 3]) as codes:
            assert [code.player for code in codes] == [1, 2, 3]
    assert devices.codes() == dict.fromkeys((1, 2, 3), "fresh")
    assert devices.session(login.token) is None


def test_codes_and_devices_are_stored_as_safely_as_events(devices):
    """With the same pragmas, also after the file is replaced, or was in WAL mode."""

    def pragmas():
        return {name: devices._ask(f"PRAGMA {name}").fetchone()[0] for name, _, _ in DURABLE}

    kept = {name: value for name, _, value in DURABLE}
    assert (kept["journal_mode"], kept["synchronous"]) == ("delete", 3)
    assert pragmas() == kept
    copied = devices.path.with_name("copy")
    copied.write_bytes(devices.path.read_bytes())
    with closing(sqlite3.connect(copied)) as file:
        file.execute("PRAGMA journal_mode = WAL")
    copied.replace(devices.path)
    assert devices.codes() == {}
    assert pragmas() == kept


def test_a_repeated_request_gets_the_same_answer(devices):
    """The answer with the cookie may be lost on the way."""
    made = devices.new_code(7)
    first = devices.bind(7, code_of(made), request="form-1")
    again = devices.bind(7, code_of(made), request="form-1")
    assert again.device == first.device
    assert devices.session(first.token) is None
    assert devices.session(again.token) == first.device
    for other in ("", "form-2"):
        with pytest.raises(TourneyError, match="used on another device"):
            devices.bind(7, code_of(made), request=other)


def test_another_code_ends_the_earlier_device(devices):
    login = devices.bind(7, code_of(devices.new_code(7)))
    other = devices.bind(8, code_of(devices.new_code(8)))
    made = devices.new_code(7)
    assert devices.session(login.token) is None
    assert devices.session(other.token) is not None
    assert devices.ended() == {1}
    assert devices.codes() == {7: "fresh", 8: "bound"}
    assert devices.bind(7, code_of(made)).device.number == 3


def test_ten_wrong_codes_void_only_that_players_code(devices):
    made, other = devices.new_code(7), devices.new_code(8)
    running = devices.bind(8, code_of(other))
    for player in (7, 8):
        for _ in range(MOST_WRONG):
            with pytest.raises(TourneyError, match=f"not the code of player {player}"):
                devices.bind(player, "00000000")
        with pytest.raises(TourneyError, match="too many wrong codes"):
            devices.bind(player, code_of(made))
    assert devices.session(running.token) is not None, "running sessions stay"
    assert devices.bind(7, code_of(devices.new_code(7))).device.player == 7


def test_a_wrong_code_does_not_reveal_whether_a_code_exists(devices):
    for _ in range(MOST_WRONG + 5):
        with pytest.raises(TourneyError, match="not the code of player 9"):
            devices.bind(9, "00000000")
    assert devices.codes() == {}


def test_a_link_is_for_one_device_within_five_minutes(devices, clock):
    link = devices.staff_link("judge", "Kim")
    assert len(link.secret) == 22  # 128 bits
    login = devices.use_link(link.secret)
    assert (login.device.role, login.device.signature) == ("judge", "Kim (device 1)")
    late = devices.staff_link("scorekeeper")
    clock.now += timedelta(minutes=5, seconds=1)
    for secret in (link.secret, late.secret, "nothing"):
        with pytest.raises(TourneyError, match="used already, is older than five minutes"):
            devices.use_link(secret)
    with pytest.raises(TourneyError, match="unknown staff role"):
        devices.staff_link("player")


@pytest.mark.parametrize("hours", [-4, -1, 1, 4])
def test_a_link_expires_after_five_minutes_in_any_time_zone(devices, clock, hours):
    """Even if the clocks change, or a laptop travels."""
    used, other_link = devices.staff_link("judge"), devices.staff_link("scorekeeper")
    assert used.expires.utcoffset() == timedelta(0)
    moved = timezone(clock.now.utcoffset() + timedelta(hours=hours))
    clock.now = clock.now.astimezone(moved) + timedelta(minutes=4)
    assert devices.use_link(used.secret).device.role == "judge"
    clock.now += timedelta(minutes=1)
    with pytest.raises(TourneyError, match="older than five minutes"):
        devices.use_link(other_link.secret)


@pytest.mark.parametrize("hours", [-4, 4])
def test_a_new_link_removes_only_expired_ones(devices, clock, hours):
    newer_link = devices.staff_link("judge")
    clock.now += timedelta(minutes=3)
    alive = devices.staff_link("judge")
    clock.now = clock.now.astimezone(timezone(timedelta(hours=2 + hours))) + timedelta(minutes=3)
    new = devices.staff_link("judge")
    with closing(sqlite3.connect(devices.path)) as file:
        kept = {digest for (digest,) in file.execute("SELECT digest FROM links")}
    assert kept == {sha256(device.secret.encode()).hexdigest() for device in (alive, new)}
    assert newer_link.expires < clock.now


def test_a_link_stored_in_local_time_expires_on_time(devices, clock):
    """Earlier versions wrote such files."""
    link = devices.staff_link("judge")
    expires = link.expires.astimezone(timezone(timedelta(hours=5))).isoformat(timespec="seconds")
    with closing(sqlite3.connect(devices.path)) as file, file:
        file.execute("UPDATE links SET expires = ?", (expires,))
    clock.now += timedelta(minutes=5, seconds=1)
    with pytest.raises(TourneyError, match="older than five minutes"):
        devices.use_link(link.secret)


def test_a_link_used_twice_by_one_request_is_one_device(devices):
    link = devices.staff_link("organizer")
    first = devices.use_link(link.secret, request="form-1")
    assert devices.use_link(link.secret, request="form-1").device == first.device
    assert len(devices.list()) == 1


def test_a_removed_device_ends_at_once_and_its_code_stays_used(devices):
    made = devices.new_code(7)
    login = devices.bind(7, code_of(made), request="form-1")
    assert devices.remove(1).ended
    assert devices.session(login.token) is None
    for request in ("", "form-1"):
        with pytest.raises(TourneyError, match="used on another device"):
            devices.bind(7, code_of(made), request=request)
    assert devices.remove(1) == devices.list()[0]
    with pytest.raises(TourneyError, match="there is no device 9"):
        devices.remove(9)


def test_a_server_sees_changes_of_the_terminal(tmp_path, devices, clock):
    with Devices.open(tmp_path / "data", EVENT, clock=clock, randomness=Dice("other")) as terminal:
        login = devices.bind(7, code_of(terminal.new_code(7)))
        assert [device.number for device in terminal.list()] == [1]
        terminal.remove(1)
        assert devices.session(login.token) is None
        devices.note_address("http://192.0.2.7:8000/")
        assert terminal.address == "http://192.0.2.7:8000"


def test_no_secret_is_on_the_disk(tmp_path, devices):
    made, link = devices.new_code(7), devices.staff_link("judge", "Kim")
    secrets = [
        code_of(made),
        link.secret,
        devices.bind(7, code_of(made)).token,
        devices.use_link(link.secret).token,
    ]
    for path in (tmp_path / "data").rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert not any(secret.encode() in data for secret in secrets)
    if sys.platform != "win32":
        assert stat.S_IMODE(devices.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(devices.path.parent.stat().st_mode) == 0o700


def test_of_many_threads_with_one_code_only_one_succeeds(devices):
    """However many ask at the same moment, one device is bound."""
    code, bound, refused = code_of(devices.new_code(7)), [], []

    def ask():
        try:
            bound.append(devices.bind(7, code))
        except TourneyError:
            refused.append(1)

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(bound), len(refused)) == (1, 15)


def test_a_repeated_form_is_recognized(tmp_path, clock, monkeypatch):
    """By device and text, after a restart, and with the entry that it led to."""
    with Devices.open(tmp_path / "data", EVENT, clock=clock, randomness=Dice()) as devices:
        assert devices.form_before(1, "extend 1 3 word", 7) is None
        devices.note_form(1, "extend 1 3 word", 7)
        devices.note_form(2, "extend 1 3 word", 8)
    with Devices.open(tmp_path / "data", EVENT, clock=clock, randomness=Dice()) as devices:
        assert devices.form_before(1, "extend 1 3 word", 12) == range(8, 13)
        assert devices.form_before(1, "extend 1 3 other", 12) is None
        devices.note_form(1, "slip 2 2-0 next", 9)
        assert devices.form_before(1, "extend 1 3 word", 12) == range(8, 10)
        devices.note_form(1, "extend 1 3 word", 12)
        assert devices.form_before(1, "extend 1 3 word", 12) == range(13, 13)
        monkeypatch.setattr("tourney.store.devices.MOST_FORMS", 30)
        for number in range(30):
            devices.note_form(3, str(number), 12)
        assert devices.form_before(1, "extend 1 3 word", 12) is None
        assert b"slip 2 2-0" not in devices.path.read_bytes()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_refused(tmp_path, clock):
    (tmp_path / "data").mkdir(mode=0o500)
    with pytest.raises(TourneyError, match="cannot be written"):
        Devices.open(tmp_path / "data", EVENT, clock=clock, randomness=Dice())


def test_a_file_that_is_not_a_database_is_refused_with_a_hint(tmp_path, clock):
    folder = tmp_path / "data" / "devices"
    folder.mkdir(parents=True)
    (folder / f"{EVENT}.sqlite").write_bytes(b"nothing of the kind" * 100)
    with pytest.raises(TourneyError, match="cannot be used") as refused:
        Devices.open(tmp_path / "data", EVENT, clock=clock, randomness=Dice())
    assert "needs a new code" in refused.value.hint
    with pytest.raises(TourneyError, match="cannot find your data folder") as refused:
        Devices.open(None, EVENT, clock=clock, randomness=Dice())
    assert refused.value.hint == "set $HOME", "--data is a folder of formats, pools and ban lists"


def test_a_locked_file_can_be_read_but_not_written(devices, tmp_path, clock, monkeypatch):
    """A writer waits, and then is asked to try again, not to delete the file."""
    devices.new_code(7)
    monkeypatch.setattr("tourney.store.devices._PATIENCE", 0.05)
    other = sqlite3.connect(devices.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with Devices.open(tmp_path / "data", EVENT, clock=clock, randomness=Dice()) as opened:
            assert opened.codes() == {7: "fresh"}
            with pytest.raises(TourneyError, match="another program has been writing") as refused:
                opened.new_code(8)
            assert refused.value.hint == "repeat the command"
            other.execute("ROLLBACK")
            assert opened.new_code(8).player == 8
    finally:
        other.close()


@with_rows(
    "text",
    [
        "",
        "7",
        "7-K3QF",
        "K3QF92XD",
        "7-K3QF92XU",
        "7-K3QF92XD1",
        "-7-K3QF92XD",
        "7-Ⅸ3QF92XD",
        "7" * 12 + "-K3QF92XD",
    ],
)
def test_an_invalid_code_is_not_read(text):
    assert read_code(text) is None
