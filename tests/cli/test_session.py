"""One run of a command: its event, its time, and its output."""

import getpass
import io
from fractions import Fraction

import click
import pytest
from click.testing import CliRunner

from tests.kit import with_rows
from tourney.cli import root
from tourney.cli.output import style_text, table_style, table_text
from tourney.cli.session import Session
from tourney.document import Document
from tourney.errors import TourneyError


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("TOURNEY_EVENT", "TOURNEY_NOW", "TOURNEY_SEED", "TOURNEY_BY", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


class Thing(Document, frozen=True, tag="tourney.thing/1"):
    """A document with a fraction, a control character and no path."""

    exact: Fraction
    name: str
    path: str | None


def touch(folder, *names):
    for name in names:
        (folder / name).touch()


def test_the_only_event_in_the_folder_is_used(tmp_path):
    touch(tmp_path, "friday.tourney")
    assert Session().place.name == "friday.tourney"


def test_without_an_event_the_error_shows_how_to_make_one():
    with pytest.raises(TourneyError, match="there is no event in this folder") as refusal:
        _ = Session().place
    assert "tourney event new" in refusal.value.hint


def test_two_events_in_the_folder_are_an_error(tmp_path):
    """Both are named, and the hint is a line to paste."""
    touch(tmp_path, "b.tourney", "a.tourney")
    with pytest.raises(TourneyError, match=r"there are 2 events in this folder: `a\.tourney`, `b\.tourney`"):
        _ = Session().place


def test_the_option_overrides_the_variable(tmp_path, monkeypatch):
    """Both may omit the file's extension: `-e b` is b.tourney if that exists."""
    touch(tmp_path, "a.tourney", "b.tourney")
    monkeypatch.setenv("TOURNEY_EVENT", "a")
    assert Session().place.name == "a.tourney"
    assert Session(event_name="b").place.name == "b.tourney"


def test_the_clock_can_be_set(monkeypatch):
    """TOURNEY_NOW is the time; an invalid time is an error."""
    monkeypatch.setenv("TOURNEY_NOW", "2026-11-20T18:00:00+00:00")
    assert Session().now().timestamp() == 1795197600
    monkeypatch.setenv("TOURNEY_NOW", "soon")
    with pytest.raises(TourneyError, match="`soon` is not a time"):
        Session().now()


def test_dice_repeat_only_with_a_seed(monkeypatch):
    """The same seed, time and words give the same bytes; other words give other bytes."""
    assert Session().entropy(16) != Session().entropy(16)
    monkeypatch.setenv("TOURNEY_SEED", "x")
    first, again, other = Session(words=("a",)), Session(words=("a",)), Session(words=("b",))
    drawn = [first.entropy(16), first.entropy(16)]
    assert drawn == [again.entropy(16), again.entropy(16)]
    assert drawn[0] != drawn[1] != other.entropy(16)


def test_entries_are_signed(monkeypatch):
    """$TOURNEY_BY overrides the login name; there is always a name."""
    assert Session().by
    monkeypatch.setenv("TOURNEY_BY", "Kit")
    assert Session().by == "Kit"


def test_errors_of_piped_text_name_standard_input():
    """The errors do not call it `-`."""
    result = CliRunner().invoke(root, ["standings", "--from", "-"], input=b"round,player1\n\xff\n")
    assert (result.exit_code, result.stderr.splitlines()[0]) == (3, "error: standard input:2: not UTF-8 text")


def test_json_is_one_object_with_its_schema(capsys):
    """Fractions are exact text, and control characters are escaped."""
    Session(json=True).emit(Thing(exact=Fraction(15, 2), name="Mïra\x1b", path=None))
    assert capsys.readouterr().out == (
        '{\n  "schema": "tourney.thing/1",\n  "exact": "15/2",\n  "name": "Mïra\\u001b",\n  "path": null\n}\n'
    )


def test_quiet_leaves_data_and_warnings(capsys):
    """Receipts, messages and hints are omitted."""
    session = Session(quiet=True)
    session.say("data")
    session.talk("talk")
    session.say_change("changed")
    session.warn("careful", "a hint")
    assert capsys.readouterr() == ("data\n", "warning: careful\n")


def test_json_replaces_text_and_text_replaces_json(capsys):
    """A command writes both answers; the session shows the requested one, and a warning always."""
    for session in (Session(json=True), Session()):
        session.emit(Thing(exact=Fraction(1), name="Mira", path=None))
        session.say(["data", "more"])
        session.say_change("changed")
        session.talk("talk")
        session.warn("careful")
    out, err = capsys.readouterr()
    assert out.partition("}\n")[2] == "data\nmore\nchanged\n"
    assert err == "warning: careful\ntalk\nwarning: careful\n"


def test_a_table_keeps_its_cells():
    """Numbers are not reformatted, columns are aligned as asked, without trailing spaces."""
    text = table_text(["#", "name", "points"], [[1, "Mira", "2½"], [12, "Tomo", None]], right=(0, 2))
    assert text.splitlines() == [" #  name  points", " 1  Mira      2½", "12  Tomo"]


def test_wide_and_coloured_cells_keep_their_columns():
    """名 takes two columns in a terminal; a combining accent or a colour takes none."""
    names = ["名前", "Jose\u0301", style_text("Mira", fg="red"), "Ansel"]
    lines = table_text([], [[name, "|"] for name in names]).splitlines()
    assert lines == ["名前   |", "Jose\u0301   |", style_text("Mira", fg="red") + "   |", "Ansel  |"]


def test_another_style_uses_tabulate():
    """An example is Markdown, for pasting tables."""
    assert table_text(["a"], [["1"]], style="github").splitlines() == ["| a |", "|---|", "| 1 |"]


def test_a_cell_cannot_control_the_terminal():
    """Control characters are escaped before widths are measured, and line ends are spaces."""
    assert table_text([], [["a\x1b[2J", "|"], ["two\nlines", "|"]]).splitlines() == [
        "a\\x1b[2J   |",
        "two lines  |",
    ]


HOSTILE = "a|b <b>&*_`[x](y)"


@with_rows(
    ("style", "shown"),
    [
        ("github", r"a\|b \<b\>\&\*\_\`\[x\](y)"),
        ("pipe", r"a\|b \<b\>\&\*\_\`\[x\](y)"),
        ("html", "a|b &lt;b&gt;&amp;*_`[x](y)"),
        ("unsafehtml", "a|b &lt;b&gt;&amp;*_`[x](y)"),
        ("latex_raw", r"a|b \ensuremath{<}b\ensuremath{>}\&*\_`[x](y)"),
        ("mediawiki", "a&#124;b &#60;b&#62;&#38;&#42;&#95;&#96;&#91;x&#93;(y)"),
        ("orgtbl", r"a\vert{}b \lt{}b\gt{}&\ast{}\under{}`\lbrack{}x\rbrack{}(y)"),
        ("jira", r"a\|b <b>&\*\_`\[x\](y)"),
        ("rst", r"a\|b \<b\>&\*\_\`[x](y)"),
        ("tsv", HOSTILE),
        ("csv", HOSTILE),
    ],
)
def test_a_name_is_never_markup_in_a_table(style, shown):
    """Every style shows the name as it is."""
    text = table_text(["name"], [[HOSTILE]], style=table_style(style))
    assert shown in text
    assert shown == HOSTILE or HOSTILE not in text


def test_a_name_is_never_a_formula_or_a_second_cell_in_a_table():
    """Tab-separated and comma-separated tables are guarded as files are."""
    rows = [["=1+1", "two\tcells\nthree"]]
    assert table_text(["a", "b"], rows, style="tsv").splitlines()[1] == "'=1+1\ttwo cells three"
    assert table_text(["a", "b"], rows, style="csv").splitlines()[1].startswith("'=1+1,")


def test_a_style_that_cannot_be_safe_is_refused():
    """MoinMoin cannot escape names."""
    for style in ("moinmoin", "fancy"):
        with pytest.raises(click.UsageError, match=f"--table: `{style}` is not a style"):
            table_style(style)


def test_piped_results_can_be_compared(tmp_path):
    """Standard input is read once, and every profile ranks the same lines."""
    lines = "round,player1,player2,wins1,wins2,draws\n1,Mira,Tomo,2,1,0\n1,Zora,Ann,2,0,0\n"
    (tmp_path / "cup.csv").write_text(lines)
    outputs = []
    for source in ("cup.csv", "-"):
        for ask in (["compare", "tourney", "mtr", "wer"], ["compare"], ["--compare"]):
            result = CliRunner().invoke(
                root, ["standings", *ask, "--from", source, "--cut", "2"], input=lines
            )
            assert result.exit_code == 0, result.output
            outputs.append(result.stdout)
    assert outputs[:3] == outputs[3:]
    assert outputs[1] == outputs[2]
    assert "Zora" in outputs[0]


@pytest.fixture
def nobodys(monkeypatch, tmp_path):
    """A person at a keyboard, logged in as root, with their own data folder."""
    monkeypatch.delenv("TOURNEY_BY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(getpass, "getuser", lambda: "root")
    return tmp_path / "tourney" / "scorekeeper"


def answers(monkeypatch, *lines, terminal=True):
    class Keyboard(io.TextIOWrapper):
        def isatty(self):
            return terminal

    monkeypatch.setattr("sys.stdin", Keyboard(io.BytesIO("".join(lines).encode())))


def test_root_is_asked_for_a_name_once(monkeypatch, nobodys, capsys):
    """An invalid name is asked for again, the answer is kept, and $TOURNEY_BY overrides it."""
    answers(monkeypatch, "#7\n", "  Kit   Ray \n")
    assert Session(changes=True).by == "Kit Ray"
    assert nobodys.read_text("utf-8") == "Kit Ray\n"
    assert "is a player's number" in capsys.readouterr().err
    answers(monkeypatch)
    assert Session(changes=True).by == "Kit Ray"
    monkeypatch.setenv("TOURNEY_BY", "Ann")
    assert Session(changes=True).by == "Ann"


@pytest.mark.parametrize(
    ("session", "lines", "terminal"),
    [
        (Session(), ("Kit\n",), True),
        (Session(changes=True, dry_run=True), ("Kit\n",), True),
        (Session(changes=True), ("Kit\n",), False),
        (Session(changes=True), ("\n",), True),
        (Session(changes=True), (), True),
    ],
    ids=["looks", "tries", "script", "no-answer", "end"],
)
def test_without_an_answer_root_stays_root(monkeypatch, nobodys, session, lines, terminal):
    """Only changes are signed, and only a terminal is asked."""
    answers(monkeypatch, *lines, terminal=terminal)
    assert session.by == "root"
    assert not nobodys.exists()


def test_a_name_that_cannot_be_saved_is_still_used(monkeypatch, nobodys, capsys):
    """A message says that the question will come again."""
    nobodys.parent.write_text("in the way", "utf-8")
    answers(monkeypatch, "Kit\n")
    assert Session(changes=True).by == "Kit"
    assert "asked again" in capsys.readouterr().err


class _Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_table_fits_a_terminal_or_not(monkeypatch):
    """The terminal's columns are compared. Without a terminal, every table fits."""
    monkeypatch.setenv("COLUMNS", "10")
    ten, eleven = (["player"], [["1234567890"]]), (["a", "b"], [["1234567", "90"]])
    assert Session().fits(*eleven)
    monkeypatch.setattr("sys.stdout", _Terminal())
    assert [
        Session().fits(*case) for case in ((["player"], []), (["player"], [["名" * 5]]), ten, eleven)
    ] == [True] * 3 + [False]


@pytest.mark.slow
def test_what_if_in_a_narrow_terminal_omits_intervals(tmp_path, monkeypatch):
    """Places that stay are shown once, and a message names the wider output."""
    (tmp_path / "cup.csv").write_text(
        "round,player1,player2,wins1,wins2\n1,Mira Featherstonehaugh,Tomo,2,0\n1,Ansel,Bryn,2,0\n"
        "2,Mira Featherstonehaugh,Ansel,,\n2,Tomo,Bryn,,\n"
    )
    line = [
        "forecast",
        "what-if",
        "--from",
        "cup.csv",
        "--cut",
        "2",
        "--result",
        "1 2-0",
        "--runs",
        "5",
        "--jobs",
        "1",
    ]
    wide = CliRunner().invoke(root, line)
    assert "(" in wide.stdout
    assert "now  then  player" in wide.stdout
    monkeypatch.setattr(Session, "fits", lambda *_args, **_more: False)
    narrow = CliRunner().invoke(root, line)
    assert "(" not in narrow.stdout
    assert "place  player" in narrow.stdout
    assert "\n    1  Mira Featherstonehaugh " in narrow.stdout
    assert "a wider terminal shows their intervals" in narrow.stderr
    assert max(map(len, narrow.stdout.split("\n\n")[1].splitlines())) <= 80


def test_a_comparison_in_a_narrow_terminal_has_a_line_for_each_profile(tmp_path, monkeypatch):
    """The players of each cut are listed in order; profiles with the same tie share a line."""
    (tmp_path / "cup.csv").write_text(
        "round,player1,player2,wins1,wins2\n1,Mira,Tomo,2,0\n1,Ansel,Bryn,2,0\n"
    )
    line = ["standings", "compare", "mtr", "melee", "--from", "cup.csv", "--cut", "3"]
    monkeypatch.setattr(Session, "fits", lambda *_args: False)
    shown = CliRunner().invoke(root, line).stdout
    assert "mtr    Mira, Ansel, (level)\nmelee  Mira, Ansel, (level)\n" in shown
    assert "tied at the cut line under mtr and melee, for 1 place: Tomo, Bryn\n" in shown


def test_blanking_a_player_deletes_the_name_of_a_staff_device(tmp_path, monkeypatch):
    """The player also keeps scores. The names of other devices stay."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def run(*words):
        done = CliRunner().invoke(root, words, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    run("event", "new", "Cup", "--format", "red-diamond/standard", "--banlist", "none")
    run("player", "add", "Ada Oake", "Bo Reed")
    with Session().desk() as desk, Session().devices(desk.chain[0]) as devices:
        for name in ("ada oake", "Kim"):
            devices.use_link(devices.staff_link("scorekeeper", name).secret)
        unused = devices.staff_link("judge", "Ada Oake")
        assert "also deleted from 1 staff device" in run("player", "blank", "Ada", "--yes")
        devices.use_link(unused.secret)
        assert [device.name for device in devices.list()] == ["", "Kim", ""]
    assert "Oake" not in run("device", "list")
