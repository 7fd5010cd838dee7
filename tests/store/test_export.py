"""Events as text: import restores them completely; damaged exports are refused by line."""

import json
import tomllib

import pytest

from tests.desk.kit import lent, new_desk, open_desk, play
from tourney.desk import check, erase, export, import_event
from tourney.errors import TourneyError
from tourney.event.event_document import show


def played(folder, **settings):
    with new_desk(folder, "Ada", "Ben <b>", "Cleo", "Dina ½", **settings) as desk:
        desk.add_player("Eli", tags={"club": "Harbour"}, contact="eli@example.org")
        play(desk)
        desk.drop("Eli", reason="ill, says the doctor")
        desk.undo()
        play(desk, "=")
    return folder / "friday.tourney"


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


def imported(source, path):
    return import_event(source, path, lent(seed="elsewhere"))


def test_the_imported_event_is_the_same(tmp_path):
    """Digests, state, texts and log are the same, and so is the next round."""
    played(tmp_path)
    with open_desk(tmp_path) as desk:
        whole, short = export(desk, tmp_path / "out")
        with imported(whole, tmp_path / "again.tourney") as again:
            assert again.state == desk.state
            assert show(again.state) == show(desk.state)
            assert again.log() == desk.log()
            assert list(again.journal.texts()) == list(desk.journal.texts())
            assert again.journal.rows() == desk.journal.rows()
            assert check(again) == ()
            one, other = (event.pair_round().state.round for event in (desk, again))
            assert (one.tables, one.byes, one.seed) == (other.tables, other.byes, other.seed)
    assert tomllib.loads(short.read_text(encoding="utf-8"))["event"]["entries"] == whole_entries(whole)


def whole_entries(path):
    return json.loads(lines(path)[0])["entries"]


def test_exporting_twice_gives_the_same_bytes(tmp_path):
    """It contains no times of the export. An older export is only overwritten on request."""
    played(tmp_path)
    with open_desk(tmp_path) as desk:
        first = [path.read_bytes() for path in export(desk, tmp_path / "out")]
        with pytest.raises(TourneyError, match="exists already") as refusal:
            export(desk, tmp_path / "out")
        assert "--replace" in refusal.value.hint
        assert [path.read_bytes() for path in export(desk, tmp_path / "out", replace=True)] == first


def test_every_line_is_json_with_a_kind(tmp_path):
    """A header, entries with their ops, texts with their salt, the secret."""
    played(tmp_path)
    with open_desk(tmp_path) as desk:
        path, _ = export(desk, tmp_path / "out")
    head, *rest = map(json.loads, lines(path))
    assert head["schema"] == "tourney.journal/1"
    assert [line["entry"] for line in rest if "entry" in line] == list(range(1, head["entries"] + 1))
    assert rest[0]["op"]["op"] == "event.created"
    assert rest[head["entries"] - 1]["digest"] == head["digest"]
    texts = {line["text"] for line in rest if "text" in line}
    assert {"Ada", "Ben <b>", "Dina ½", "Harbour", "ill, says the doctor"} <= texts
    assert [line for line in rest if "secret" in line] == rest[-1:]


def test_a_sealed_event_keeps_its_secret_until_it_is_closed(tmp_path):
    """The copy can only pair by hand. After the closing, entry and export have the secret."""
    played(tmp_path, sealed=True)
    with open_desk(tmp_path) as desk:
        path, _ = export(desk, tmp_path / "out")
        assert '"secret":"' not in lines(path)[-1]
        with imported(path, tmp_path / "copy.tourney") as copy:
            with pytest.raises(TourneyError, match="this copy of the event does not have the secret"):
                copy.pair_round()
            assert copy.pair_round(by_hand="Ada - Ben <b>\nCleo - Dina ½\nEli bye").entries
            copy.report("1..2", "w")
            with pytest.raises(TourneyError, match="so the secret cannot be revealed"):
                copy.close()
        desk.close()
        secret = desk.journal.secret()
        assert desk.state.revealed == secret.hex()
        path, _ = export(desk, tmp_path / "out", replace=True)
        assert json.loads(lines(path)[-1]) == {"secret": secret.hex()}


def test_a_blanked_person_is_blank_in_the_export(tmp_path):
    """The name is nowhere in it; chain and standings are the same."""
    played(tmp_path)
    with open_desk(tmp_path) as desk:
        before = [(row.rank, row.points) for row in desk.standings().rows]
        erase(desk, "Eli")
        path, short = export(desk, tmp_path / "out")
        for file in (path, short):
            text = file.read_text(encoding="utf-8")
            assert "Eli" not in text
            assert "eli@" not in text
            assert "doctor" not in text
            assert "Harbour" not in text
        with imported(path, tmp_path / "again.tourney") as again:
            assert again.state == desk.state
            assert [(row.rank, row.points) for row in again.standings().rows] == before
            assert check(again) == ()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda kept: kept[1:], ":1: the first line should say"),
        (lambda kept: [], "there is no event in it"),
        (lambda kept: kept[:1], "there is no event in it"),
        (lambda kept: ["hello", *kept], ":1: not a line of an exported event"),
        (
            lambda kept: [kept[0].replace("journal/1", "journal/2"), *kept[1:]],
            "this version of tourney reads tourney.journal/1",
        ),
        (lambda kept: [kept[0], *kept[2:]], "entry 1 is missing"),
        (
            lambda kept: [line for line in kept if '"entry":9,' not in line],
            "8 entries, the first line says 9: the file was cut off",
        ),
        (lambda kept: [line.replace('"round":1', '"round":2') for line in kept], "was altered"),
        (
            lambda kept: [line.replace('"text":"Ada"', '"text":"Ida"') for line in kept],
            "the text was changed",
        ),
        (
            lambda kept: [line.replace('"salt":"', '"salt":"zz') for line in kept],
            "is not a hexadecimal number",
        ),
        (lambda kept: [*kept, '{"moon":1}'], "unknown key `moon`"),
        (lambda kept: [*kept, "{}"], "neither an entry nor a text"),
        (lambda kept: [*kept[:-1], '{"secret":null}'], "the secret is missing"),
        (lambda kept: [*kept[:-1], '{"secret":"0x"}'], "`0x` is not a hexadecimal number"),
        (lambda kept: [*kept, "[" * 100_000], "expected a table, found a list"),
    ],
)
def test_damaged_exports_are_refused_and_leave_nothing(tmp_path, spoil, message):
    """With file and line; no event file is made."""
    played(tmp_path)
    with open_desk(tmp_path) as desk:
        path, _ = export(desk, tmp_path / "out")
    path.write_text("\n".join(spoil(lines(path))) + "\n", encoding="utf-8")
    with pytest.raises(TourneyError) as refusal:
        imported(path, tmp_path / "again.tourney")
    assert message in refusal.value.message
    assert refusal.value.message.startswith("friday.jsonl")
    assert not (tmp_path / "again.tourney").exists()


@pytest.mark.parametrize("secret", ["null", '"0x"', '"00"'])
def test_an_unreadable_secret_is_refused_with_a_hint(tmp_path, secret):
    """Without its line, the export can be imported."""
    played(tmp_path)
    with open_desk(tmp_path) as desk:
        path, _ = export(desk, tmp_path / "out")
    *kept, _ = lines(path)
    path.write_text("\n".join([*kept, f'{{"secret":{secret}}}']) + "\n", encoding="utf-8")
    with pytest.raises(TourneyError) as refusal:
        imported(path, tmp_path / "again.tourney")
    assert (
        refusal.value.hint
        == "export the event again, or delete this line to import it as a copy without the secret"
    )
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    imported(path, tmp_path / "again.tourney").leave()


def test_an_import_never_overwrites_an_event(tmp_path):
    path = played(tmp_path)
    with open_desk(tmp_path) as desk:
        whole, _ = export(desk, tmp_path / "out")
    content = path.read_bytes()
    with pytest.raises(TourneyError, match="exists already"):
        imported(whole, path)
    assert path.read_bytes() == content


def test_a_missing_file_or_a_folder_cannot_be_imported(tmp_path):
    with pytest.raises(TourneyError, match="there is no file"):
        imported(tmp_path / "none.jsonl", tmp_path / "again.tourney")
    with pytest.raises(TourneyError, match="is a folder, not a file"):
        imported(tmp_path, tmp_path / "again.tourney")


def test_a_folder_that_cannot_be_made_is_reported(tmp_path):
    """A file has the folder's name."""
    played(tmp_path)
    (tmp_path / "out").write_text("", encoding="utf-8")
    with open_desk(tmp_path) as desk, pytest.raises(TourneyError, match="cannot be written"):
        export(desk, tmp_path / "out")


def test_an_export_that_fails_halfway_leaves_nothing(tmp_path):
    """Event and summary are both written or neither: a folder blocks the summary."""
    played(tmp_path)
    out = tmp_path / "out"
    (out / "friday.toml").mkdir(parents=True)
    with open_desk(tmp_path) as desk, pytest.raises(TourneyError, match="is a folder"):
        export(desk, out, replace=True)
    assert [path.name for path in out.iterdir()] == ["friday.toml"]
