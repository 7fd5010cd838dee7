"""Erasing a person: no text about the person stays in the event or beside it."""

import random
import shutil
import sqlite3

import pytest

from tests.desk.kit import Dice, content_of, journal_at, lent, new_desk, open_desk, play
from tests.kit import amount
from tourney.desk import (
    Desk,
    backup,
    backups,
    check,
    erase,
    export,
    export_as,
    import_players,
    print_sheets,
    publish,
    remember_files,
    salvage,
    submit_deck,
)
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import seal_text, write
from tourney.event.event_document import show
from tourney.store.backup import copy_event
from tourney.store.event_file import EventFile

NAME = "Miranda Oake"
WORDS = (b"Miranda", b"Oake", b"oake@example")


def left(folder):
    """Return the files under `folder` that contain a word of the person's name."""
    return sorted(
        path.name
        for path in folder.rglob("*")
        if path.is_file() and any(word in path.read_bytes() for word in WORDS)
    )


def known(folder):
    """Make an event with many texts about a person, by several authors."""
    with new_desk(folder, NAME, "Tomo Reed", "Ada", "Ben") as desk:
        desk.change_player(NAME, contact="oake@example.org", tags={"club": "Club of Oake"})
        # A text larger than a page of the file. Few lines, because reading many takes most of the time.
        submit_deck(desk, NAME, f"1 Card of Miranda {'and Oake ' * 18}\n" * 32, source="m.txt", anyway=True)
        play(desk)
        desk.drop("Tomo Reed", reason="quarrelled with MIRANDA, who won")
        desk.undo(reason="Oake's complaint was heard")
        backup(desk)
    with open_desk(folder, by=NAME) as desk:
        desk.check_in("Ada")
        submit_deck(
            desk, "Ben", "1 Unheard Fox {kind=hero}", source="b.txt", trust_declared=True, anyway=True
        )
    return folder / "friday.tourney"


@pytest.mark.file
def test_nothing_about_the_person_is_left(tmp_path):
    """Names, decks, contacts, tags, reasons, signatures and copies."""
    path = known(tmp_path)
    shutil.copy(path, tmp_path / ".tourney-backups" / "by-hand.tourney")
    with open_desk(tmp_path) as desk:
        before = show(desk.state).rounds
        receipt = erase(desk, "miranda")
        assert left(tmp_path) == []
        assert "deleted from 2 copies in .tourney-backups/" in receipt.text
        assert show(desk.state).rounds == before
        assert check(desk) == ()
        assert "player 1 was" not in desk.log()[-1].text
        assert desk.log()[6].text.endswith("Tomo Reed left after round 1: (deleted)")
        assert {line.by for line in desk.log()} == {"Ann", "a scorekeeper"}
        play(desk)
        assert erase(desk, "#1").already
    for copy in (tmp_path / ".tourney-backups").iterdir():
        with Desk.open(copy, lent()) as desk:
            assert desk.state.players[1].name == "player 1"
            assert check(desk) == (), "the copy says itself that the texts were taken out"


def test_another_person_with_the_same_name_word_keeps_their_texts(tmp_path):
    """Only reasons and signatures are searched for the name."""
    with new_desk(tmp_path, NAME, "Ansel Oake", "Ada") as desk:
        desk.change_player("Ada", tags={"club": "Oake Club"})
        desk.change_player(NAME, tags={"club": "Oake Club"})
        submit_deck(desk, "Ansel Oake", "1 Oake Leaf\n", source="a.txt", anyway=True)
        desk.drop("Ada", reason="no mirage, no oaken door")
        erase(desk, NAME)
        assert desk.state.players[2].name == "Ansel Oake"
        assert desk.deck_text("Ansel Oake") == "1 Oake Leaf\n"
        assert desk.state.players[3].tags["club"][1] == "Oake Club"
        assert desk.log()[5].text.endswith("no mirage, no oaken door")


def test_a_player_whose_registration_was_undone_can_be_erased(tmp_path):
    """The player is named by number or by name; the second time, nothing is left to delete."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        desk.add_player(NAME, contact="oake@example.org")
        desk.undo()
        with pytest.raises(TourneyError, match="there is no player `Nobody`"):
            erase(desk, "Nobody")
        erase(desk, "miranda")
        assert left(tmp_path) == []
        assert erase(desk, "#3").already
        assert check(desk) == ()
        desk.add_player("Cleo")
    with open_desk(tmp_path) as desk:
        assert [player.name for player in desk.state.players.values()] == ["Ada", "Ben", "Cleo"]
        desk.redo(3)
        assert desk.state.players[3].name == "player 3", "put back, they stay forgotten"


def test_texts_of_another_desk_are_erased_too(tmp_path):
    """Texts written meanwhile are deleted, and later ones refused."""
    known(tmp_path)
    with open_desk(tmp_path, by="Ben", seed="ben") as other, open_desk(tmp_path) as desk:
        submit_deck(other, NAME, "1 Oake\n" * 400, source="m.txt", anyway=True)
        other.penalize(NAME, "warning", reason="Miranda again")
        erase(desk, NAME)
        assert left(tmp_path) == []
        for act in (
            lambda: submit_deck(other, "#1", "1 Oake\n", source="m.txt", anyway=True),
            lambda: other.rename("#1", NAME),
            lambda: other.change_player("#1", contact="oake@example.org"),
            lambda: other.drop("Ada", "#1", reason="Oake went home"),
            lambda: other.penalize("#1", "warning", reason="late"),
        ):
            with pytest.raises(TourneyError, match="were deleted by request"):
                act()
        other.drop("#1")
        assert left(tmp_path) == []
        assert check(other) == ()


def test_a_scorekeeper_can_be_erased(tmp_path):
    """Including the signature of the erasing entry."""
    with new_desk(tmp_path, NAME, "Ada") as desk:
        desk.check_in("Ada")
    with open_desk(tmp_path, by="miranda oake") as desk:
        erase(desk, "#1")
        assert left(tmp_path) == []
        assert desk.log()[-1].by == "a scorekeeper"
        assert check(desk) == ()


def written_later(path, player):
    """Write a name after it was erased, as an older version would."""
    with journal_at(path) as journal:
        last = journal.rows()[-1]
        text = seal_text(NAME, Dice("late"))
        op = ops.PlayerRenamed(player=player, name=text.ref)
        row = write(op, seq=last.seq + 1, at=last.at, by=last.by, previous=last.digest)
        journal.append(last.seq, [row], [text])


@pytest.mark.file
def test_the_check_finds_texts_that_should_be_gone(tmp_path):
    """The texts were written later or restored; the hint names the command that deletes them."""
    path = known(tmp_path)
    spare = sqlite3.connect(path)
    texts = spare.execute("SELECT * FROM texts").fetchall()
    spare.close()
    with open_desk(tmp_path) as desk:
        erase(desk, NAME)
    written_later(path, 1)
    other = sqlite3.connect(path)
    other.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?, ?)", texts)
    other.commit()
    other.close()
    with open_desk(tmp_path) as desk:
        findings = check(desk)
        assert len(findings) == 8
        assert {item.rule for item in findings} == {"erased"}
        assert {item.hint for item in findings} == {"`tourney player blank '#1'` deletes it"}
        erase(desk, "#1")
        assert check(desk) == ()
    assert left(tmp_path) == []


def test_an_event_with_an_erasure_by_the_first_version(tmp_path):
    """`player.blanked` names no texts, so all about the person are meant."""
    path = known(tmp_path)
    with open_desk(tmp_path) as desk, journal_at(path) as journal:
        last = journal.rows()[-1]
        row = write(
            ops.PlayerErased(player=1), seq=last.seq + 1, at=last.at, by=last.by, previous=last.digest
        )
        journal.append(last.seq, [row], erased=[desk.state.players[1].name_ref])
        assert desk.state.players[1].name == NAME, "not read yet"
    with open_desk(tmp_path) as desk:
        assert {finding.rule for finding in check(desk)} == {"erased"}
        assert not erase(desk, "#1").already
        assert check(desk) == ()


def test_unused_space_of_the_file_has_no_text(tmp_path):
    """After many texts of all lengths were added and removed."""
    dice = random.Random(5)
    with new_desk(tmp_path, NAME, *(f"Player {n}" for n in range(2, 12))) as desk:
        for n in range(amount(15, of=30)):
            text = "1 Oake\n" * dice.randint(1, 900)
            submit_deck(desk, NAME if n % 3 else f"#{dice.randint(2, 11)}", text, source="d", anyway=True)
            desk.penalize(
                f"#{dice.randint(2, 11)}", "warning", reason="Miranda said so, " * dice.randint(1, 25)
            )
        for number in range(2, 12):
            erase(desk, f"#{number}")
        erase(desk, "#1")
        assert left(tmp_path) == []
        assert check(desk) == ()


def test_unreadable_copies_are_named(tmp_path):
    """The entry is written, and a warning says which copies and exports to delete."""
    known(tmp_path)
    copies = tmp_path / ".tourney-backups"
    (copies / "broken.tourney").write_bytes(b"SQLite format 3\0 Miranda")
    (copies / ".tourney-999999999-0123abcd.part").write_bytes(b"Miranda, left by a copy that was killed")
    with open_desk(tmp_path) as desk:
        export(desk, tmp_path)
        (tmp_path / ".tourney-999999999-0123abcd.part").write_bytes(
            b"Miranda, left by an export that was killed"
        )
        receipt = erase(desk, NAME)
        assert receipt.entries
        text = " ".join(receipt.warnings)
        assert ".tourney-backups/broken.tourney cannot be cleared" in text
        assert "delete them: friday.jsonl, friday.toml" in text
    assert left(tmp_path) == ["broken.tourney", "friday.jsonl", "friday.toml"]


@pytest.mark.file
def test_a_dry_run_touches_no_copy(tmp_path):
    """It runs on a copy of the event."""
    path = known(tmp_path)
    (tmp_path / "try").mkdir()
    shutil.copy(path, tmp_path / "try" / "friday.tourney")
    with open_desk(tmp_path / "try") as desk:
        erase(desk, NAME)
    assert "friday.tourney" in left(tmp_path)
    assert len(left(tmp_path / ".tourney-backups")) == 1


@pytest.mark.file
def test_rows_deleted_by_another_program_are_overwritten(tmp_path):
    """The file is rewritten without them."""
    path = known(tmp_path)
    other = sqlite3.connect(path)
    other.execute("PRAGMA secure_delete = OFF")
    other.execute("INSERT INTO texts VALUES ('x', x'00', CAST(? AS BLOB))", ("Miranda " * 2000,))
    other.execute("DELETE FROM texts WHERE digest = 'x'")
    other.commit()
    other.close()
    with open_desk(tmp_path) as desk:
        erase(desk, NAME)
    assert left(tmp_path) == []


def test_all_registrations_of_the_person_are_erased(tmp_path):
    """Registered, undone and registered again: several numbers, any of which may be named."""
    for name in ("#3", "#5", "miranda oake"):
        folder = tmp_path / name
        folder.mkdir()
        with new_desk(folder, "Ada", "Ben") as desk:
            desk.add_player(NAME, contact="oake@example.org", tags={"club": "Oakes of Oake"})
            desk.undo()
            desk.add_player("Cleo")
            desk.add_player("MIRANDA  OAKE", contact="m.oake@example.org")
            receipt = erase(desk, name)
            first, other = ("#3", "#5") if name == "#3" else ("#5", "#3")
            assert f"of player {first} (also registered as {other}) were deleted" in receipt.text
            assert left(folder) == []
            assert check(desk) == ()
            assert erase(desk, "#3").already
            assert erase(desk, "#5").already
        with open_desk(folder) as desk:
            assert [player.name for player in desk.state.players.values()] == [
                "Ada",
                "Ben",
                "Cleo",
                "player 5",
            ]


def test_two_current_players_are_two_people(tmp_path):
    """A corrected name belongs to its current player, whose texts stay."""
    with new_desk(tmp_path, "Tomo Reed", "Ada") as desk:
        desk.rename("Tomo Reed", NAME)
        desk.add_player("Tomo Reed", contact="reed@example.org")
        desk.add_player("Zoe")
        desk.undo()
        erase(desk, NAME)
        assert desk.state.players[3].name == "Tomo Reed"
        assert left(tmp_path) == []
        assert b"reed@example.org" in content_of(tmp_path / "friday.tourney")


def test_texts_about_others_that_name_the_person_are_erased(tmp_path):
    """Tags, contacts, remarks in decks, and earlier names of the event."""
    with new_desk(tmp_path, NAME, "Tomo", "Ada", "Kim Oake", "Ben") as desk:
        desk.change_player("Tomo", contact="c/o Miranda, 0171", tags={"guest": "of the Oakes"})
        desk.change_player("Ada", contact="mirandaoake@example.org", tags={"pet": "Oakes\u2019 dog"})
        desk.change_player("Kim Oake", contact="kim@example.org", tags={"family": "Reed"})
        submit_deck(desk, "Tomo", "# lent by Miranda\n4 Oak Tree\n", source="t.txt", anyway=True)
        submit_deck(desk, "Ada", "4 Miranda, Keeper\n4 Oake Leaf\n", source="a.txt", anyway=True)
        desk.change(name="Cup of Miranda Oake")
        with pytest.raises(
            TourneyError, match="the event's name, `Cup of Miranda Oake`, contains the person's name"
        ):
            erase(desk, NAME)
        desk.change(name="Oake Woods Cup")
        receipt = erase(desk, NAME)
        warnings = " ".join(receipt.warnings)
        assert "the decklist of Tomo contained the name" in warnings
        assert desk.deck_text("Ada") == "4 Miranda, Keeper\n4 Oake Leaf\n", "cards are not people"
        assert desk.state.players[4].name == "Kim Oake"
        with pytest.raises(TourneyError, match="the deck of Tomo was deleted by request"):
            desk.deck_text("Tomo")
        texts = {text for text in desk.texts.values() if text and ("Oake" in text or "iranda" in text)}
        assert texts - {desk.deck_text("Ada")} == {"Kim Oake", "Oake Woods Cup"}
        assert "kim@example.org" in desk.texts.values()
        assert check(desk) == ()


def test_a_redone_registration_stays_erased(tmp_path):
    """The person was erased under another number."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        desk.add_player(NAME)
        desk.undo()
        desk.add_player(NAME)
        erase(desk, NAME)
        desk.redo(3)
        with pytest.raises(TourneyError, match="player #3 were deleted by request"):
            desk.rename("#3", NAME)
        assert left(tmp_path) == []
        assert check(desk) == ()


@pytest.mark.parametrize("step", ["compact", "erase_copies", "files_holding"])
def test_an_interruption_after_the_entry_is_reported(tmp_path, monkeypatch, step):
    """Ctrl-C while copies are cleaned; the same command finishes it."""
    from tourney.desk import erasing as registry

    def interrupted(*_):
        raise KeyboardInterrupt

    with new_desk(tmp_path, "Ada Quill", "Ben") as desk:
        backup(desk)
        with monkeypatch.context() as patch:
            patch.setattr(type(desk.journal) if step == "compact" else registry, step, interrupted)
            receipt = erase(desk, "Ada Quill")
        assert receipt.entries == (3,)
        [message] = [warning for warning in receipt.warnings if warning.startswith("interrupted")]
        assert (
            "copies in .tourney-backups/, may still hold the texts; run `tourney player blank '#1'` again"
            in message
        )
        again = erase(desk, "#1")
        assert again.already
        assert not [warning for warning in again.warnings if warning.startswith("interrupted")]
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert files
        assert not [file for file in files if b"Quill" in file.read_bytes()]
        assert b"Quill" not in content_of(tmp_path / "friday.tourney")


@pytest.mark.parametrize("what", ["backup", "export"])
def test_a_copy_made_meanwhile_has_no_erased_text(tmp_path, monkeypatch, what):
    """The person is erased between reading the event and writing the copy."""
    from tourney.store import files

    known(tmp_path)
    paths = []

    def meanwhile(path, sync=files._sync):
        if not paths:
            paths.append(path)
            with open_desk(tmp_path, by="Ben", seed="ben") as other:
                erase(other, NAME)
        sync(path)

    with open_desk(tmp_path) as desk:
        monkeypatch.setattr(files, "_sync", meanwhile)
        copied = backup(desk) if what == "backup" else export(desk, tmp_path / "out")[0]
    assert paths
    assert copied.exists()
    assert left(tmp_path) == []
    if what == "backup":
        with Desk.open(copied, lent()) as desk:
            assert check(desk) == ()


def test_a_copy_that_cannot_be_cleaned_is_not_made(tmp_path, monkeypatch):
    """It is refused."""
    from tourney.store import backup as store

    known(tmp_path)
    with open_desk(tmp_path) as desk:
        erase(desk, NAME)
        before = backups(desk)

        def fails(*_):
            raise TourneyError("the disk is full")

        monkeypatch.setattr(store, "_erase_from", fails)
        desk.add_player("Cleo")
        with pytest.raises(TourneyError, match="the disk is full"):
            backup(desk)
        assert backups(desk) == before


def test_pages_written_meanwhile_are_written_again(tmp_path, monkeypatch):
    """If a person is erased while pages are written, the pages are written again."""
    from click.testing import CliRunner

    from tourney.cli import root
    from tourney.desk import publishing

    path = known(tmp_path)
    write_folder, calls = publishing.write_folder, []

    def meanwhile(place, files, **about):
        written = write_folder(place, files, **about)
        if not calls:
            calls.append(left(place))
            with open_desk(tmp_path, by="Ben", seed="ben") as other:
                erase(other, NAME)
        return written

    monkeypatch.setattr(publishing, "write_folder", meanwhile)
    ran = CliRunner().invoke(root, ["publish", "-e", str(path), "--to", str(tmp_path / "pages")])
    assert ran.exit_code == 0, ran.output
    assert calls[0], "pages name players"
    assert left(tmp_path) == []


@pytest.mark.file
def test_other_files_of_the_event_are_named(tmp_path):
    """Salvaged, renamed and damaged copies; no files of other events."""
    path = known(tmp_path)
    (tmp_path / "other").mkdir()
    new_desk(tmp_path / "other", NAME, "Ben", seed="other").leave()
    shutil.copy(tmp_path / "other" / "friday.tourney", tmp_path / "saturday.tourney")
    salvage(path, tmp_path / "friday-salvaged.tourney", lent())
    whole = path.read_bytes()
    (tmp_path / "torn.tourney").write_bytes(b"x" * 100 + whole[100:])
    with open_desk(tmp_path) as desk:
        [message] = [
            warning for warning in erase(desk, NAME).warnings if "other files of this event" in warning
        ]
        assert message.startswith(
            "friday-salvaged.tourney and torn.tourney are other files of this event and still "
            "hold the texts: delete the files"
        )
        assert "`tourney player blank '#1' -e FILE`" in message
    (tmp_path / "torn.tourney").unlink()
    with open_desk(tmp_path, name="friday-salvaged.tourney") as desk:
        assert not [warning for warning in erase(desk, "#1").warnings if "of this event" in warning]
    assert left(tmp_path) == ["friday.tourney", "saturday.tourney"], "those of the other event alone"


@pytest.mark.file
def test_unreadable_files_beside_the_event_are_named(tmp_path):
    """The reason is given. A broken link is ignored."""
    path = known(tmp_path)
    names = ("friday.jsonl", "saturday.tourney", ".tourney-backups/old.tourney")
    for name in names:
        (tmp_path / name).symlink_to(tmp_path / name)  # a circle, which even root cannot read
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    with open_desk(tmp_path) as desk:
        warnings = [
            warning
            for warning in erase(desk, NAME).warnings
            if "delete it, because it may contain the erased texts" in warning
        ]
    assert path.is_file()
    assert {warning.partition(" ")[0] for warning in warnings} == set(names)
    assert all("symbolic links" in warning and "Errno" not in warning for warning in warnings), warnings


@pytest.mark.file
@pytest.mark.parametrize("when", ["committed", "adopted", "tidied", "told"])
def test_ctrl_c_after_the_entry_is_a_success(tmp_path, monkeypatch, when):
    """The rest of the work is reported."""
    from click.testing import CliRunner

    from tourney.cli import root
    from tourney.cli.session import Session
    from tourney.desk import erasing

    path = known(tmp_path)
    with open_desk(tmp_path) as desk:
        before = desk.state.entry
    stopped = []

    def interrupted(after):
        def call(*given, **more):
            after(*given, **more)
            if not stopped:
                stopped.append(when)
                raise KeyboardInterrupt

        return call

    if when == "committed":
        monkeypatch.setattr(EventFile, "_commit", interrupted(EventFile._commit))
    elif when == "told":
        monkeypatch.setattr(Session, "say_change", interrupted(lambda *_: None))
    else:
        place, name = (Desk, "write") if when == "adopted" else (erasing, "_delete_elsewhere")
        monkeypatch.setattr(place, name, interrupted(getattr(place, name)))
    result = CliRunner().invoke(root, ["player", "blank", "Miranda", "--yes", "-e", str(path)])
    monkeypatch.undo()
    assert (result.exit_code, "Traceback" in result.output) == (0, False)
    assert f"(entry {before + 1})" in result.output
    assert ("interrupted" in result.stderr) == (when != "committed")
    with open_desk(tmp_path) as desk:
        assert desk.state.entry == before + 1
        assert ("again to delete them there" in result.stderr) == (when == "tidied")
        erase(desk, "#1")
        assert left(tmp_path) == []


@pytest.mark.file
def test_ctrl_c_before_the_entry_writes_nothing(tmp_path, monkeypatch):
    """The exit code is 130."""
    from click.testing import CliRunner

    from tourney.cli import root

    path = known(tmp_path)

    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(EventFile, "_commit", interrupted)
    result = CliRunner().invoke(root, ["player", "blank", "Miranda", "--yes", "-e", str(path)])
    monkeypatch.undo()
    assert (result.exit_code, result.stderr) == (130, "error: interrupted\n")
    with open_desk(tmp_path) as desk:
        assert desk.state.players[1].name == NAME


def test_a_possible_signature_is_erased_only_on_request(tmp_path):
    """`Miranda` may be another person: it is named, and erased with `signed`."""
    with new_desk(tmp_path, "Miranda Oake", "Tomo", "Ansel", "Bryn") as desk:
        desk.pair_round()
    with open_desk(tmp_path, by="Miranda") as desk:
        desk.report(1, "1-0")
    with open_desk(tmp_path, by="Ann") as desk:
        warnings = erase(desk, "Miranda Oake").warnings
        assert any(
            "entries signed `Miranda` keep this name" in finding and "--signed Miranda" in finding
            for finding in warnings
        )
        with pytest.raises(TourneyError, match="no entry is signed `Nobody`"):
            erase(desk, "#1", aliases=("Nobody",))
        erase(desk, "#1", aliases=("miranda",))
    assert b"Miranda" not in content_of(tmp_path / "friday.tourney")
    with open_desk(tmp_path) as desk:
        assert not check(desk)
        assert not erase(desk, "#1").entries


# -- folders that pages and sheets were written to


@pytest.fixture
def written(tmp_path):
    """Make an event with pages and sheets in four folders."""
    near = tmp_path / "desk"
    near.mkdir()
    known(near)
    with open_desk(near) as desk:
        publish(desk, near / "pages")
        publish(desk, tmp_path / "stick" / "web", ["csv", "json"])
        publish(desk, near / "pages-5", at=5)
        print_sheets(desk, tmp_path / "print", ["pairings", "badges", "slips"])
    assert {"index.html", "standings.csv", "badges.html", "event.json", "1.html"} <= set(left(tmp_path))
    return tmp_path


def test_all_published_folders_are_written_again(written):
    """The pages keep their formats and show the same entry as before."""
    shutil.copytree(written / "desk" / "pages-5", written / "before")
    with open_desk(written / "desk") as desk:
        receipt = erase(desk, NAME)
        assert "Also deleted from /" in receipt.text
        assert all(f"{written / place}/" in receipt.text for place in ("desk/pages", "stick/web", "print"))
        assert receipt.warnings[-1].startswith("exports and copies of pages elsewhere still hold the texts")
        shutil.rmtree(written / "before")
        assert left(written) == []
        assert sorted(path.suffix for path in (written / "stick" / "web").iterdir() if path.suffix) == [
            ".csv", ".csv", ".json",
        ]  # fmt: skip
        assert b"As of entry 5" in (written / "desk" / "pages-5" / "standings.md").read_bytes()
        assert b"#2" in (written / "print" / "badges.html").read_bytes()
        assert publish(desk, written / "desk" / "pages").changes == (0, 0, ())
        assert erase(desk, "#1").already


def test_a_folder_that_cannot_be_cleared_is_named(written):
    """A missing one once, an unwritable one until it is cleared."""
    web, aside = written / "stick" / "web", written / "stick" / "away"
    web.rename(aside)
    manifest = written / "print" / ".tourney-published"
    text = manifest.read_bytes()
    manifest.write_bytes(b"\xff")
    with open_desk(written / "desk") as desk:
        receipt = erase(desk, NAME)
        warnings = [warning for warning in receipt.warnings if "may still name a deleted person" in warning]
        assert len(warnings) == 2
        assert warnings[0].startswith(f"the folder {written / 'print'}/ may")
        assert "tourney print pairings --to" in warnings[0]
        assert (
            warnings[1] == f"the folder {web}/ may still name a deleted person: it was moved or deleted; "
            "if you moved it, delete it"
        )
        assert set(left(written)) <= {
            path.name for place in ("stick", "print") for path in (written / place).rglob("*")
        }
        again = publish(desk, written / "desk" / "pages")
        assert [warning.startswith(f"the folder {written / 'print'}/ may") for warning in again.warnings] == [
            True
        ]
        manifest.write_bytes(text)
        assert publish(desk, written / "desk" / "pages").warnings == ()
        assert left(written / "print") == []
        assert left(written / "stick")


def test_pages_changed_by_hand_are_named(written):
    """They are not overwritten."""
    page = written / "stick" / "web" / "standings.csv"
    page.write_bytes(page.read_bytes() + b"a line of somebody's own\r\n")
    with open_desk(written / "desk") as desk:
        warnings = [warning for warning in erase(desk, NAME).warnings if "stick" in warning]
    assert len(warnings) == 1
    assert "`standings.csv` was changed since it was published" in warnings[0]
    assert "tourney publish --to" in warnings[0]


def test_a_folder_of_another_owner_is_left_alone(written):
    """Without our manifest nothing in it is changed, and it is named."""
    (written / "stick" / "web" / ".tourney-published").unlink()
    shutil.rmtree(written / "print")
    (written / "print").mkdir()
    with open_desk(written / "desk") as desk:
        warnings = [warning for warning in erase(desk, NAME).warnings if "may still name" in warning]
    assert warnings == [
        f"the folder {written / 'stick' / 'web'}/ may still name a deleted person: its files are no longer "
        "recognized; delete the files you do not need"
    ]


@pytest.mark.file
def test_a_moved_event_finds_its_pages(tmp_path):
    """Folders below the event's are stored as relative paths."""
    near = tmp_path / "before"
    near.mkdir()
    known(near)
    with open_desk(near) as desk:
        publish(desk, near / "pages")
    near.rename(tmp_path / "after")
    with open_desk(tmp_path / "after") as desk:
        erase(desk, NAME)
    assert left(tmp_path) == []


@pytest.mark.parametrize("apart", [False, True])
def test_pages_of_another_event_are_left_alone(tmp_path, apart):
    """Deleting a name in last week's event does not change a folder with this week's pages.

    Both events may be in one folder, or only their pages.
    """
    known(tmp_path)
    other = tmp_path / "apart" if apart else tmp_path
    other.mkdir(exist_ok=True)
    pages, paper = tmp_path / "pages", tmp_path / "paper"
    with open_desk(tmp_path) as desk:
        publish(desk, pages)
        print_sheets(desk, paper, ["badges"])
    saturday = {
        "name": "Saturday",
        "format_name": "red-diamond/standard",
        "banlist": "none",
    }
    with Desk.create(other / "saturday.tourney", lent("Ann", "s"), **saturday) as desk:
        import_players(desk, "Sasha\nToni", source="list")
        publish(desk, pages)
        if not apart:
            print_sheets(desk, paper, ["badges"])
    with open_desk(tmp_path) as desk:
        receipt = erase(desk, NAME)
        warnings = [warning for warning in receipt.warnings if "may still name" in warning]
        shown = {pages} if apart else {pages, paper}
        assert warnings == [
            f"the folder {place}/ may still name a deleted person: another event was written there "
            "since; delete the files of this event"
            for place in sorted(shown)
        ]
        assert b"Saturday" in (pages / "index.html").read_bytes()
        assert (b"Sasha" in (paper / "badges.html").read_bytes()) is not apart
        publish(desk, pages)
        assert b"Saturday" not in (pages / "index.html").read_bytes()
        assert not [warning for warning in publish(desk, pages).warnings if "may still name" in warning]


def test_the_hint_about_a_changed_page_works(tmp_path):
    """Publishing again would be refused."""
    known(tmp_path)
    page = tmp_path / "pages" / "index.html"
    with open_desk(tmp_path) as desk:
        publish(desk, page.parent)
        page.write_text("mine")
        (message,) = [warning for warning in erase(desk, NAME).warnings if "may still name" in warning]
        assert "`index.html` was changed since it was published; fix that and `tourney publish" in message
        assert message.endswith(", or delete the folder")
        page.unlink()
        publish(desk, page.parent)
    assert left(tmp_path) == []


def test_an_event_whose_pages_were_refused_takes_no_folder(tmp_path):
    """The folder still shows the first event, and is cleared."""
    known(tmp_path)
    with open_desk(tmp_path) as desk:
        publish(desk, tmp_path / "pages")
    (tmp_path / "pages" / "index.html").write_text("mine")
    saturday = {
        "name": "Saturday",
        "format_name": "red-diamond/standard",
        "banlist": "none",
    }
    with (
        Desk.create(tmp_path / "saturday.tourney", lent("Ann", "s"), **saturday) as desk,
        pytest.raises(TourneyError, match="was changed since"),
    ):
        publish(desk, tmp_path / "pages")
    (tmp_path / "pages" / "index.html").unlink()
    with open_desk(tmp_path) as desk:
        assert not [warning for warning in erase(desk, NAME).warnings if "may still name" in warning]
    assert left(tmp_path) == []


def test_an_interrupted_publication_is_recorded(tmp_path, monkeypatch):
    """The folder is recorded before the first page is written."""
    known(tmp_path)
    with open_desk(tmp_path) as desk:
        with monkeypatch.context() as patch:
            patch.setattr("tourney.store.folder.replace_file", raise_interrupt_after(2))
            with pytest.raises(KeyboardInterrupt):
                publish(desk, tmp_path / "pages")
        assert left(tmp_path / "pages")
        erase(desk, NAME)
    assert left(tmp_path) == []


def test_a_refused_folder_is_not_recorded(tmp_path):
    """Nothing was written there."""
    known(tmp_path)
    with open_desk(tmp_path) as desk:
        with pytest.raises(TourneyError, match="there is no entry 99"):
            publish(desk, tmp_path / "pages-99", at=99)
        assert not [warning for warning in erase(desk, NAME).warnings if "may still name" in warning]


def raise_interrupt_after(times):
    from tourney.store import folder

    real, called = folder.replace_file, []

    def write(*args, **more):
        called.append(args)
        if len(called) > times:
            raise KeyboardInterrupt
        real(*args, **more)

    return write


def test_a_folder_that_cannot_be_recorded_is_a_warning(tmp_path):
    """The pages are written; a later erasure does not reach them."""
    known(tmp_path)
    shutil.rmtree(tmp_path / ".tourney-backups")
    (tmp_path / ".tourney-backups").write_text("")
    with open_desk(tmp_path) as desk:
        (warning,) = publish(desk, tmp_path / "pages").warnings
    assert "cannot be written" in warning
    assert warning.endswith(
        f"if you erase a player later, delete the player from {tmp_path / 'pages'} by hand"
    )


def test_sheets_and_pages_may_share_a_folder(tmp_path):
    """Sheets are not removed as old pages."""
    known(tmp_path)
    with open_desk(tmp_path) as desk:
        publish(desk, tmp_path / "pages")
        print_sheets(desk, tmp_path / "pages", ["badges"])
        assert publish(desk, tmp_path / "pages").changes.removed == 0
        assert (tmp_path / "pages" / "badges.html").exists()
        erase(desk, NAME)
        assert (tmp_path / "pages" / "badges.html").exists()
    assert left(tmp_path) == []


@pytest.mark.file
def test_known_files_that_cannot_be_cleared_are_named(tmp_path):
    """Earlier exports and copies, until they are deleted."""
    with new_desk(tmp_path, "Miranda Oake", "Tomo Reed", "Ada", "Ben") as desk:
        play(desk)
        export(desk, tmp_path / "archive")
        export_as(desk, "trf", tmp_path / "archive")
        remember_files(desk, tmp_path / "codes.html")
        (tmp_path / "codes.html").write_text("Miranda Oake", encoding="utf-8")
        (tmp_path / "elsewhere").mkdir()
        copy_event(tmp_path / "friday.tourney", tmp_path / "elsewhere" / "copy.tourney")
        *_, others, last = erase(desk, "Miranda Oake").warnings
        assert "elsewhere/copy.tourney is another file of this event" in others
        for name in ("archive/friday.jsonl", "archive/friday.toml", "archive/friday.trf", "codes.html"):
            assert name in last
        (tmp_path / "codes.html").unlink()
        export(desk, tmp_path / "later")
        last = erase(desk, "#1").warnings[-1]
        assert "codes.html" not in last
        assert "later" not in last
        assert "later/friday.jsonl" in erase(desk, "Tomo Reed").warnings[-1]
