"""The intact part of a damaged event is saved, and nothing else; backups supply the rest."""

import random
import shutil
import sqlite3
from collections import Counter

import pytest

from tests.desk.kit import lent, new_desk, open_desk, play
from tourney.desk import Desk, backup, check, erase, submit_deck, takeover
from tourney.errors import TourneyError
from tourney.event.entry import ref_of
from tourney.event.state import show
from tourney.store.event_file import APPLICATION, EventFile

DECK = "1 Invented Card\n" * 400
"""Longer than a page: it flows over into others."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """An event with everything in it: its file, its entries, its texts and its secret."""
    folder = tmp_path_factory.mktemp("sound")
    with new_desk(folder, "Miranda Oake", "Tomo Reed", "Ada", "Ben", "Cleo") as desk:
        desk.change_player("Ada", tags={"club": "Harbour"}, contact="ada@example.org")
        submit_deck(desk, "Ada", DECK, source="ada.txt", anyway=True)
        play(desk)
        desk.drop("Ben", reason="ill, says the doctor")
        desk.undo()
        play(desk)
    return folder / "friday.tourney", whole(folder / "friday.tourney")


def whole(path):
    """Return everything that an event file holds."""
    with EventFile.open(path) as journal:
        return journal.rows(), list(journal.texts()), journal.secret()


def salvage(path, to="saved.tourney"):
    target = path.with_name(to)
    target.unlink(missing_ok=True)
    return takeover.salvage(path, target, lent())


def spoiled(path, folder, place, bit):
    """Return a copy of an event with one bit turned."""
    content = bytearray(path.read_bytes())
    content[place] ^= 1 << bit
    copy = folder / path.name
    copy.write_bytes(content)
    return copy


def refusal_of(act):
    """Return what is said where something is refused, None where it is not."""
    try:
        act()
    except TourneyError as refusal:
        return f"{refusal.message}: {refusal.hint}"
    return None


def tried(path):
    """Work with an event as a scorekeeper does; say how it went."""

    def work():
        with Desk.open(path, lent()) as desk:
            show(desk.state), desk.log(), desk.standings(), check(desk)
            desk.rename("#2", "Tomo Reedy")

    message = refusal_of(work)
    assert message is None or "event salvage" in message
    return "refused" if message else "works"


def flips(sound, folder, places):
    """Turn bits one at a time: the event works or names `event salvage`, which saves a true part, and with a backup all."""
    (path, (rows, texts, secret)), seen = sound, Counter()
    backups = folder / ".tourney-backups"
    for place, bit in places:
        damaged = spoiled(path, folder, place, bit)
        before = damaged.read_bytes()
        shutil.rmtree(backups, ignore_errors=True)
        if refusal_of(lambda copy=damaged: salvage(copy)) is None:
            saved_rows, saved_texts, saved_secret = whole(folder / "saved.tourney")
            assert saved_rows == rows[: len(saved_rows)], f"bit {bit} of byte {place}"
            assert set(saved_texts) <= set(texts)
            assert saved_secret in (secret, None)
        backups.mkdir(exist_ok=True)
        shutil.copy(path, backups / "friday-1.tourney")
        assert whole(salvage(damaged).path) == (rows, texts, secret), f"bit {bit} of byte {place}"
        assert damaged.read_bytes() == before, "the original is only read"
        seen[tried(damaged)] += 1
    return seen


def test_a_flipped_bit_is_reported_or_harmless(sound, tmp_path):
    """All kinds of places: the header of the file, of pages and of records, entries, texts, the index, empty room."""
    size, dice = sound[0].stat().st_size, random.Random(20261122)
    header = [(place, dice.randrange(8)) for place in dice.sample(range(100), 20)]
    pages = [
        (place, dice.randrange(8)) for start in range(0, size, 4096) for place in range(start, start + 8)
    ]
    anywhere = [(dice.randrange(size), dice.randrange(8)) for _ in range(30)]
    seen = flips(sound, tmp_path, [*header, *dice.sample(pages, 20), *anywhere])
    assert min(seen["works"], seen["refused"]) > 10


@pytest.mark.long
def test_many_flipped_bits(sound, tmp_path):
    """The same for every bit of the file's header and 2,000 others."""
    size, dice = sound[0].stat().st_size, random.Random(5)
    header = [(place, bit) for place in range(100) for bit in range(8)]
    flips(sound, tmp_path, header + [(dice.randrange(size), dice.randrange(8)) for _ in range(2000)])


def test_a_sound_event_is_saved_whole(sound, tmp_path):
    """Nothing is missing, nothing was mended, and the other file is the event."""
    shutil.copy(sound[0], tmp_path)
    saved = salvage(tmp_path / "friday.tourney")
    assert (saved.complete, saved.again, saved.unplaced) == (True, (), ())
    assert saved.entry == saved.written == len(sound[1][0])
    with Desk.open(saved.path, lent()) as desk, open_desk(tmp_path) as other:
        assert desk.state == other.state
        assert check(desk) == ()


@pytest.mark.parametrize(("kept", "all_entries"), [(0.6, False), (0.75, True), (0.95, True)])
def test_a_file_that_is_cut_off_keeps_its_first_entries(tmp_path, kept, all_entries):
    """Entries lie before the rules, also those that came after the journal had filled its first page."""
    with new_desk(tmp_path, "Miranda Oake", "Tomo Reed", "Ada", "Ben") as desk:
        for _ in range(10):
            play(desk)
    path = tmp_path / "friday.tourney"
    entries = whole(path)[0]
    assert sum(len(row.op) for row in entries) > 4096
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * kept)])
    shutil.rmtree(tmp_path / ".tourney-backups", ignore_errors=True)
    saved = salvage(path)
    rows = whole(saved.path)[0]
    assert rows == (entries if all_entries else entries[: len(rows)])
    assert rows


@pytest.mark.parametrize("kept", [0.5, 0.7, 0.9])
def test_a_file_that_was_cut_off(sound, tmp_path, kept):
    """Salvage keeps the first entries and names what is lost, or what the installed rules replaced."""
    content = sound[0].read_bytes()
    path = tmp_path / "friday.tourney"
    path.write_bytes(content[: int(len(content) * kept)])
    assert tried(path) == "refused"
    saved = salvage(path)
    rows, texts, _ = whole(saved.path)
    assert rows == sound[1][0][: len(rows)]
    assert set(texts) <= set(sound[1][1])
    assert not saved.complete or saved.again
    with Desk.open(saved.path, lent()) as desk:
        assert len(desk.damaged) <= len(saved.missing)
        desk.log()


def test_what_a_file_has_lost_is_found_in_the_copies(sound, tmp_path):
    """Entries that continue the chain, texts and the secret; which copy is named, and what was written since is lost."""
    shutil.copy(sound[0], tmp_path)
    with open_desk(tmp_path) as desk:
        copy = backup(desk)
        desk.add_player("Dina")
        expected = desk.state.entry
    path = tmp_path / "friday.tourney"
    path.write_bytes(path.read_bytes()[:3000])
    saved = salvage(path)
    assert whole(saved.path) == sound[1]
    assert {where for _, where in saved.again} == {f"in {copy.name}"}
    assert "whether entry" in saved.missing[0][0]
    assert saved.entry == expected - 1
    path.unlink()
    assert whole(salvage(path).path) == sound[1], "also where the file is gone"


def test_copies_do_not_bring_back_what_came_after(sound, tmp_path):
    """An older copy was put back in place of the event: what the newer copies say is another history."""
    shutil.copy(sound[0], tmp_path)
    with open_desk(tmp_path) as desk:
        desk.add_player("Dina")
        backup(desk)
    shutil.copy(sound[0], tmp_path)
    saved = salvage(tmp_path / "friday.tourney")
    assert (saved.complete, whole(saved.path)) == (True, sound[1])


def scribble(path, words, over=b"\xff"):
    """Write over some words in a file, wherever they stand."""
    content = path.read_bytes()
    assert words in content
    path.write_bytes(content.replace(words, over * len(words)))


def test_an_entry_that_is_lost_takes_those_after_it_along(sound, tmp_path):
    """They stand on it; what they say is told, so that somebody may enter it again."""
    rows = sound[1][0]
    path = tmp_path / "friday.tourney"
    shutil.copy(sound[0], path)
    lost = rows[6]
    scribble(path, lost.op)
    saved = salvage(path)
    assert saved.entry == 6
    assert saved.written == len(rows)
    assert saved.missing[0][0].startswith(f"entries 7 to {len(rows)}: the first of them is damaged")
    assert [entry for entry, _ in saved.unplaced] == [row.seq for row in rows[7:]]
    assert any("Round" in text for _, text in saved.unplaced)


def test_texts_that_are_lost_are_named_with_what_enters_them_anew(sound, tmp_path):
    """Rules are taken from the library where it has the very same."""
    path = tmp_path / "friday.tourney"
    shutil.copy(sound[0], path)
    with open_desk(tmp_path) as desk:
        form = desk.journal.text(
            next(kept.text for kept in desk.state.rules if kept.kind == "format")
        ).encode()
    for words in (b"Miranda Oake", b"ill, says the doctor", b"Harbour", form[:200]):
        scribble(path, words)
    saved = salvage(path)
    assert saved.missing == (
        ("the name of #1", "tourney player rename '#1' NAME"),
        ("the club of #3", "tourney player change '#3' --tag club=TEXT"),
        ("the reason of entry 7", ""),
    )
    assert ("the format red-diamond/standard", "among the rules installed here") in saved.again
    with Desk.open(saved.path, lent()) as desk:
        desk.rename("#1", "Miranda Oake")
        assert desk.state.players[1].name == "Miranda Oake"


def test_pages_of_two_moments(sound, tmp_path):
    """A copy that was made while somebody wrote: pages of before and after, the chain says how far it can be believed."""
    shutil.copy(sound[0], tmp_path)
    path = tmp_path / "friday.tourney"
    with open_desk(tmp_path) as desk:
        for number in range(30):
            desk.add_player(f"Player {number}")
    old, new = sound[0].read_bytes(), path.read_bytes()
    with EventFile.open(path) as journal:
        after = journal.rows()
    dice, saved = random.Random(3), 0
    for _ in range(10):
        pages = range(0, len(new), 4096)
        torn = b"".join(
            (old if dice.random() < 0.5 and page < len(old) else new)[page : page + 4096] for page in pages
        )
        path.write_bytes(torn)
        if refusal_of(lambda: salvage(path)) is None:
            rows = whole(tmp_path / "saved.tourney")[0]
            assert rows == after[: len(rows)]
            saved += 1
    assert saved


def test_a_change_that_was_cut_short_is_rolled_back(sound, tmp_path):
    """With its rollback journal beside it, a file is read as it was before."""
    (tmp_path / "live").mkdir()
    live = shutil.copy(sound[0], tmp_path / "live" / "friday.tourney")
    other = sqlite3.connect(live, isolation_level=None)
    other.execute("PRAGMA cache_size = 1")
    other.execute("BEGIN IMMEDIATE")
    for number in range(200):
        other.execute("INSERT INTO texts VALUES (?, x'00', ?)", (f"half {number}", b"x" * 3000))
    for path in live.parent.iterdir():
        shutil.copy(path, tmp_path)
    other.close()
    assert (tmp_path / "friday.tourney-journal").stat().st_size
    assert (tmp_path / "friday.tourney").stat().st_size > sound[0].stat().st_size
    saved = salvage(tmp_path / "friday.tourney")
    assert (saved.complete, whole(saved.path)) == (True, sound[1])


def test_a_foreign_schema_is_left_behind(sound, tmp_path):
    """A trigger that somebody put in: the new event has only what is ours."""
    shutil.copy(sound[0], tmp_path)
    other = sqlite3.connect(tmp_path / "friday.tourney")
    other.execute("CREATE TRIGGER more AFTER INSERT ON journal BEGIN SELECT zeroblob(1000000); END")
    other.close()
    assert tried(tmp_path / "friday.tourney") == "refused"
    saved = salvage(tmp_path / "friday.tourney")
    assert (saved.complete, whole(saved.path)) == (True, sound[1])


def test_who_was_forgotten_stays_forgotten(sound, tmp_path):
    """Neither the file nor a copy from before brings a person's texts back."""
    shutil.copy(sound[0], tmp_path)
    path = tmp_path / "friday.tourney"
    before = tmp_path / "before.tourney"
    shutil.copy(path, before)
    with open_desk(tmp_path) as desk:
        backup(desk)
        erase(desk, "Miranda")
        expected = whole(path)
    shutil.copy(before, tmp_path / ".tourney-backups" / "smuggled.tourney")
    path.write_bytes(path.read_bytes().replace(expected[0][3].op, b"\xff" * len(expected[0][3].op)))
    saved = salvage(path)
    assert saved.complete
    assert whole(saved.path) == expected
    assert b"Miranda" not in saved.path.read_bytes()


def test_a_copy_that_was_cleared_stays_so(sound, tmp_path):
    """The event is gone, only a copy is left, out of which a person was taken: the new event says so, too."""
    shutil.copy(sound[0], tmp_path)
    with open_desk(tmp_path) as desk:
        backup(desk)
        erase(desk, "Miranda")
    (tmp_path / "friday.tourney").unlink()
    saved = salvage(tmp_path / "friday.tourney")
    with Desk.open(saved.path, lent()) as desk:
        assert desk.state.players[1].name == "player 1"
        assert check(desk) == ()


def test_a_copy_without_its_secret_is_whole(sound, tmp_path):
    """A sealed event's export leaves it out: nothing is missing then."""
    shutil.copy(sound[0], tmp_path)
    other = sqlite3.connect(tmp_path / "friday.tourney")
    other.execute("DELETE FROM secret")
    other.commit()
    other.close()
    saved = salvage(tmp_path / "friday.tourney")
    assert saved.complete
    assert whole(saved.path)[2] is None


def test_a_secret_that_is_lost_is_said(sound, tmp_path):
    """Another one in its place does not fit the hash in the first entry."""
    shutil.copy(sound[0], tmp_path)
    other = sqlite3.connect(tmp_path / "friday.tourney")
    other.execute("UPDATE secret SET bytes = randomblob(32)")
    other.commit()
    other.close()
    saved = salvage(tmp_path / "friday.tourney")
    assert [what for what, _ in saved.missing] == [
        "the secret: no round can be paired by the program without it"
    ]
    assert whole(saved.path)[2] is None


@pytest.mark.parametrize("last", ["NULL", "'x'", "x'00'", "1.5"])
def test_a_last_entry_that_is_no_number_is_none(sound, tmp_path, last):
    """SQLite keeps any value in a column without constraints. The entries are saved, their number is unknown."""
    shutil.copy(sound[0], tmp_path)
    other = sqlite3.connect(tmp_path / "friday.tourney")
    other.execute("PRAGMA writable_schema = ON")
    other.execute(
        "UPDATE sqlite_master SET sql = replace(sql, 'seq INTEGER NOT NULL', 'seq') WHERE name = 'head'"
    )
    other.commit()
    other.close()
    other = sqlite3.connect(tmp_path / "friday.tourney")
    other.execute(f"UPDATE head SET seq = {last}")
    other.execute("PRAGMA writable_schema = ON")
    other.execute(
        "UPDATE sqlite_master SET sql = replace(sql, ', seq,', ', seq INTEGER NOT NULL,') WHERE name = 'head'"
    )
    other.commit()
    other.close()
    saved = salvage(tmp_path / "friday.tourney")
    assert whole(saved.path) == sound[1]
    assert "whether entry" in saved.missing[0][0]


@pytest.mark.parametrize("content", [b"", b"hello", b"\0" * 9000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_nothing_to_save(tmp_path, content):
    """Nothing is made, and it is said that there are no copies either."""
    path = tmp_path / "friday.tourney"
    path.write_bytes(content)
    with pytest.raises(TourneyError, match=r"nothing can be salvaged from friday\.tourney") as refusal:
        salvage(path)
    assert "no copies" in refusal.value.hint
    assert [path.name for path in tmp_path.iterdir()] == ["friday.tourney"]


def test_nothing_is_written_over(sound, tmp_path):
    """Neither the damaged file nor another event."""
    shutil.copy(sound[0], tmp_path)
    path = tmp_path / "friday.tourney"
    for target in (path, shutil.copy(sound[0], tmp_path / "other.tourney")):
        with pytest.raises(TourneyError, match="exists already") as refusal:
            takeover.salvage(path, target, lent())
        assert "--to" in refusal.value.hint
    assert path.read_bytes() == sound[0].read_bytes()


def test_no_noise_makes_an_entry(sound, tmp_path):
    """Records that only look like ours, circles of pages, lengths beyond the file: nothing of it is believed."""
    dice, path = random.Random(8), tmp_path / "friday.tourney"
    content = sound[0].read_bytes()
    for _ in range(20):
        noisy = bytearray(content)
        for _ in range(300):
            place = dice.randrange(len(noisy))
            noisy[place : place + 4] = dice.randbytes(4)
        path.write_bytes(noisy[: len(content)])
        if message := refusal_of(lambda: salvage(path)):
            assert "nothing can be salvaged" in message
            continue
        rows, texts, _ = whole(tmp_path / "saved.tourney")
        assert rows == sound[1][0][: len(rows)]
        assert all(ref_of(text, salt) == ref for ref, salt, text in texts)
    assert APPLICATION.to_bytes(4, "big") in content
