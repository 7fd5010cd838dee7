"""The intact part of a damaged event is saved, and backups supply the rest."""

import random
import shutil
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from tests.desk.kit import lent, new_desk, open_desk, play
from tourney.desk import Desk, backup, check, erase, submit_deck, takeover
from tourney.errors import TourneyError
from tourney.event.entry import ref_of
from tourney.event.event_document import show
from tourney.store.event_file import APPLICATION, EventFile

DECK = "1 Invented Card\n" * 400
"""Longer than a page: it flows over into others."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """An event with many kinds of data: its file, entries, texts and secret."""
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
    """Return everything in an event file."""
    with EventFile.open(path) as journal:
        return journal.rows(), list(journal.texts()), journal.secret()


def salvage(path, to="saved.tourney"):
    target = path.with_name(to)
    target.unlink(missing_ok=True)
    return takeover.salvage(path, target, lent())


def spoiled(path, folder, place, bit):
    """Return a copy of an event with one bit flipped."""
    content = bytearray(path.read_bytes())
    content[place] ^= 1 << bit
    copy = folder / path.name
    copy.write_bytes(content)
    return copy


def refusal_of(act):
    """Return the text of an error, or None if there is none."""
    try:
        act()
    except TourneyError as refusal:
        return f"{refusal.message}: {refusal.hint}"
    return None


def tried(path):
    """Work with an event as a scorekeeper does, and return the outcome."""

    def work():
        with Desk.open(path, lent()) as desk:
            show(desk.state), desk.log(), desk.standings(), check(desk)
            desk.rename("#2", "Tomo Reedy")

    message = refusal_of(work)
    assert message is None or "event salvage" in message
    return "refused" if message else "works"


def flips(sound, folder, places):
    """Flip bits one at a time: the event works, or `event salvage` saves a true part.

    With a backup, it saves everything.
    """
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
        assert whole(Path(salvage(damaged).file)) == (rows, texts, secret), f"bit {bit} of byte {place}"
        assert damaged.read_bytes() == before, "the original is only read"
        seen[tried(damaged)] += 1
    return seen


def test_a_flipped_bit_is_reported_or_harmless(sound, tmp_path):
    """In headers of the file, pages and records, in entries, texts, the index and free space."""
    size, dice = sound[0].stat().st_size, random.Random(20261122)
    header = [(place, dice.randrange(8)) for place in dice.sample(range(100), 15)]
    pages = [
        (place, dice.randrange(8)) for start in range(0, size, 4096) for place in range(start, start + 8)
    ]
    anywhere = [(dice.randrange(size), dice.randrange(8)) for _ in range(15)]
    seen = flips(sound, tmp_path, [*header, *dice.sample(pages, 10), *anywhere])
    assert min(seen["works"], seen["refused"]) > 5


@pytest.mark.long
def test_many_flipped_bits(sound, tmp_path):
    """Every bit of the file's header, and 2,000 others."""
    size, dice = sound[0].stat().st_size, random.Random(5)
    header = [(place, bit) for place in range(100) for bit in range(8)]
    flips(sound, tmp_path, header + [(dice.randrange(size), dice.randrange(8)) for _ in range(2000)])


def test_a_secret_in_a_damaged_table_is_not_taken_for_a_copy_without_one(sound, tmp_path):
    """The table's definition is damaged, so its row is not read; it comes from the backup."""
    definition = b"CREATE TABLE secret (bytes BLOB NOT NULL)"
    content = sound[0].read_bytes()
    assert content.count(definition) == 1
    damaged = tmp_path / "friday.tourney"
    damaged.write_bytes(content.replace(definition, definition.replace(b"BLOB", b"BLKB")))
    assert [part.what for part in salvage(damaged).missing] == [
        "the secret: without it the program cannot pair a round"
    ]
    backups = tmp_path / ".tourney-backups"
    backups.mkdir(exist_ok=True)
    shutil.copy(sound[0], backups / "friday-1.tourney")
    assert whole(Path(salvage(damaged).file)) == sound[1]


def test_a_sound_event_is_saved_completely(sound, tmp_path):
    """Nothing is missing or repaired, and the new file is the event."""
    shutil.copy(sound[0], tmp_path)
    saved = salvage(tmp_path / "friday.tourney")
    assert (saved.complete, saved.found, saved.unplaced) == (True, (), ())
    assert saved.entry == saved.written == len(sound[1][0])
    with Desk.open(Path(saved.file), lent()) as desk, open_desk(tmp_path) as other:
        assert desk.state == other.state
        assert check(desk) == ()


@pytest.mark.parametrize(("kept", "all_entries"), [(0.6, False), (0.75, True), (0.95, True)])
def test_a_truncated_file_keeps_its_first_entries(tmp_path, kept, all_entries):
    """Entries are before the rules in the file, also those that filled later pages."""
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
    rows = whole(Path(saved.file))[0]
    assert rows == (entries if all_entries else entries[: len(rows)])
    assert rows


@pytest.mark.parametrize("kept", [0.5, 0.7, 0.9])
def test_a_truncated_file_is_salvaged(sound, tmp_path, kept):
    """The first entries are kept. Losses, and rules replaced by installed ones, are named."""
    content = sound[0].read_bytes()
    path = tmp_path / "friday.tourney"
    path.write_bytes(content[: int(len(content) * kept)])
    assert tried(path) == "refused"
    saved = salvage(path)
    rows, texts, _ = whole(Path(saved.file))
    assert rows == sound[1][0][: len(rows)]
    assert set(texts) <= set(sound[1][1])
    assert not saved.complete or saved.found
    with Desk.open(Path(saved.file), lent()) as desk:
        assert len(desk.damaged_texts) <= len(saved.missing)
        desk.log()


def test_lost_data_is_found_in_copies(sound, tmp_path):
    """Entries that continue the chain, texts and the secret, with the copy's name."""
    shutil.copy(sound[0], tmp_path)
    with open_desk(tmp_path) as desk:
        copy = backup(desk)
        desk.add_player("Dina")
        expected = desk.state.entry
    path = tmp_path / "friday.tourney"
    path.write_bytes(path.read_bytes()[:3000])
    saved = salvage(path)
    assert whole(Path(saved.file)) == sound[1]
    assert {part.where for part in saved.found} == {f"in {copy.name}"}
    assert "whether entry" in saved.missing[0].what
    assert saved.entry == expected - 1
    path.unlink()
    assert whole(Path(salvage(path).file)) == sound[1], "also where the file is gone"


def test_newer_copies_do_not_change_a_restored_event(sound, tmp_path):
    """The event is an older copy put back, so newer copies are another history."""
    shutil.copy(sound[0], tmp_path)
    with open_desk(tmp_path) as desk:
        desk.add_player("Dina")
        backup(desk)
    shutil.copy(sound[0], tmp_path)
    saved = salvage(tmp_path / "friday.tourney")
    assert (saved.complete, whole(Path(saved.file))) == (True, sound[1])


def scribble(path, words, over=b"\xff"):
    """Overwrite some words in a file, in all places."""
    content = path.read_bytes()
    assert words in content
    path.write_bytes(content.replace(words, over * len(words)))


def test_entries_after_a_lost_entry_are_lost(sound, tmp_path):
    """They depend on it. Their content is reported, so it can be entered again."""
    rows = sound[1][0]
    path = tmp_path / "friday.tourney"
    shutil.copy(sound[0], path)
    lost = rows[6]
    scribble(path, lost.op)
    saved = salvage(path)
    assert saved.entry == 6
    assert saved.written == len(rows)
    assert saved.missing[0].what.startswith(f"entries 7 to {len(rows)}: the first is damaged")
    assert [entry.entry for entry in saved.unplaced] == [row.seq for row in rows[7:]]
    assert any("Round" in entry.text for entry in saved.unplaced)


def test_lost_texts_are_named_with_a_command(sound, tmp_path):
    """Rules are taken from the library if it has the same text."""
    path = tmp_path / "friday.tourney"
    shutil.copy(sound[0], path)
    with open_desk(tmp_path) as desk:
        form = desk.journal.text(
            next(kept.text for kept in desk.state.rules if kept.kind == "format")
        ).encode()
    for words in (b"Miranda Oake", b"ill, says the doctor", b"Harbour", form[:200]):
        scribble(path, words)
    saved = salvage(path)
    assert [(part.what, part.command) for part in saved.missing] == [
        ("the name of #1", "tourney player rename '#1' NAME"),
        ("the club of #3", "tourney player change '#3' --tag club=TEXT"),
        ("the reason of entry 7", None),
    ]
    restored = [(part.what, part.where) for part in saved.found]
    assert ("the format red-diamond/standard", "among the rules installed here") in restored
    with Desk.open(Path(saved.file), lent()) as desk:
        desk.rename("#1", "Miranda Oake")
        assert desk.state.players[1].name == "Miranda Oake"


def test_pages_of_two_states(sound, tmp_path):
    """A copy made during a write mixes old and new pages; the chain shows how much is right."""
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


def test_an_interrupted_change_is_rolled_back(sound, tmp_path):
    """A file beside its rollback journal is read as it was before."""
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
    assert (saved.complete, whole(Path(saved.file))) == (True, sound[1])


def test_a_foreign_schema_is_not_copied(sound, tmp_path):
    """A trigger that another program added is not in the new event."""
    shutil.copy(sound[0], tmp_path)
    other = sqlite3.connect(tmp_path / "friday.tourney")
    other.execute("CREATE TRIGGER more AFTER INSERT ON journal BEGIN SELECT zeroblob(1000000); END")
    other.close()
    assert tried(tmp_path / "friday.tourney") == "refused"
    saved = salvage(tmp_path / "friday.tourney")
    assert (saved.complete, whole(Path(saved.file))) == (True, sound[1])


def test_an_erased_person_stays_erased(sound, tmp_path):
    """Neither the file nor an older copy restores the texts."""
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
    assert whole(Path(saved.file)) == expected
    assert b"Miranda" not in Path(saved.file).read_bytes()


def test_a_cleared_copy_stays_cleared(sound, tmp_path):
    """Only a copy is left, from which a person was erased. The new event records that."""
    shutil.copy(sound[0], tmp_path)
    with open_desk(tmp_path) as desk:
        backup(desk)
        erase(desk, "Miranda")
    (tmp_path / "friday.tourney").unlink()
    saved = salvage(tmp_path / "friday.tourney")
    with Desk.open(Path(saved.file), lent()) as desk:
        assert desk.state.players[1].name == "player 1"
        assert check(desk) == ()


def test_a_copy_without_its_secret_is_complete(sound, tmp_path):
    """The export of a sealed event does not contain it."""
    shutil.copy(sound[0], tmp_path)
    other = sqlite3.connect(tmp_path / "friday.tourney")
    other.execute("DELETE FROM secret")
    other.commit()
    other.close()
    saved = salvage(tmp_path / "friday.tourney")
    assert saved.complete
    assert whole(Path(saved.file))[2] is None


def test_a_lost_secret_is_reported(sound, tmp_path):
    """Another one does not match the hash in the first entry."""
    shutil.copy(sound[0], tmp_path)
    other = sqlite3.connect(tmp_path / "friday.tourney")
    other.execute("UPDATE secret SET bytes = randomblob(32)")
    other.commit()
    other.close()
    saved = salvage(tmp_path / "friday.tourney")
    assert [part.what for part in saved.missing] == ["the secret: without it the program cannot pair a round"]
    assert whole(Path(saved.file))[2] is None


@pytest.mark.parametrize("last", ["NULL", "'x'", "x'00'", "1.5"])
def test_an_invalid_number_of_the_last_entry(sound, tmp_path, last):
    """SQLite stores any value without constraints. The entries are saved."""
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
    assert whole(Path(saved.file)) == sound[1]
    assert "whether entry" in saved.missing[0].what


@pytest.mark.parametrize("content", [b"", b"hello", b"\0" * 9000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_nothing_to_save(tmp_path, content):
    """No file is made, and the error says that there are no copies either."""
    path = tmp_path / "friday.tourney"
    path.write_bytes(content)
    with pytest.raises(TourneyError, match=r"nothing can be salvaged from friday\.tourney") as refusal:
        salvage(path)
    assert "no copies" in refusal.value.hint
    assert [path.name for path in tmp_path.iterdir()] == ["friday.tourney"]


def test_nothing_is_overwritten(sound, tmp_path):
    """Neither the damaged file nor another event."""
    shutil.copy(sound[0], tmp_path)
    path = tmp_path / "friday.tourney"
    for target in (path, shutil.copy(sound[0], tmp_path / "other.tourney")):
        with pytest.raises(TourneyError, match="exists already") as refusal:
            takeover.salvage(path, target, lent())
        assert "--to" in refusal.value.hint
    assert path.read_bytes() == sound[0].read_bytes()


def test_random_bytes_make_no_entries(sound, tmp_path):
    """Similar records, circular pages and lengths beyond the file are ignored."""
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
