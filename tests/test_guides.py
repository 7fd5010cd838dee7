"""The README and the guides run: a page's consoles are one session, and Python is executed."""

import re
import shlex

import pytest
from click.testing import CliRunner

from tests.golden.transcript import Step, Transcript
from tests.kit import ROOT
from tourney.cli import root

README = ROOT / "README.md"
GUIDES = ROOT / "tourney" / "guides"
PAGES = [README, *sorted(GUIDES.glob("*.md"))]
BLOCK = re.compile(r"^```(?P<kind>\w+)(?: (?P<name>\S+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)\)")

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def blocks(page, kind):
    """Return the name and the body of each fenced block of a kind."""
    text = page.read_text(encoding="utf-8")
    return [(block["name"], block["body"]) for block in BLOCK.finditer(text) if block["kind"] == kind]


WITH_CONSOLES = [page for page in PAGES if page.stem not in {"formats", "postgresql"}]


@pytest.mark.parametrize("page", WITH_CONSOLES, ids=lambda page: page.stem)
def test_the_consoles_show_what_the_commands_print(page, tmp_path, request):
    """Standard error is printed as a terminal shows it."""
    bodies = [body for _, body in blocks(page, "console")]
    sessions = [Transcript.parse_steps(body) for body in bodies]
    assert sessions
    steps = [step for session in sessions for step in session]
    answers = iter(Transcript("", dict(blocks(page, "text")), steps).answers(tmp_path))
    text = page.read_text(encoding="utf-8")
    new = text
    for body, session in zip(bodies, sessions, strict=True):
        played = "\n".join(next(answers) for _ in session)
        new = new.replace(f"```console\n{body}```", f"```console\n{played}\n```", 1)
    if request.config.getoption("--update"):
        page.write_text(new, encoding="utf-8")
        return
    assert new == text, f"{page.name} differs from what the commands print (--update rewrites it)"


def test_a_wrong_console_is_noticed(tmp_path):
    step = Step("tourney --version", answer=["tourney 99"])
    assert Transcript("", {}, [step]).answers(tmp_path) != ["$ tourney --version\ntourney 99"]


@pages
def test_links_lead_to_files(page):
    """Relative to the page."""
    lost = [
        path for path in LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / path).exists()
    ]
    assert lost == []


def test_the_readme_names_every_guide_and_stays_short():
    text = README.read_text(encoding="utf-8")
    assert [guide.name for guide in PAGES[1:] if f"tourney/guides/{guide.name}" not in text] == []
    assert len(text.splitlines()) <= 170


def test_the_python_plays_a_whole_event(tmp_path, monkeypatch, capsys):
    """It is short, publishes, and ends with the standings of nine players."""
    ((_, source),) = blocks(GUIDES / "scripting.md", "python")
    assert len([line for line in source.splitlines() if line.strip()]) <= 35
    monkeypatch.chdir(tmp_path)
    exec(compile(source, "scripting.md", "exec"), {"__name__": "guide"})
    standings = capsys.readouterr().out.splitlines()[-9:]
    assert sorted(line.split(" ", 1)[1] for line in standings)[0] == "Ansel"
    assert (tmp_path / "pages" / "index.html").is_file()
    assert standings[0].startswith("1 ")


def recipes():
    """Return the recipes of the guide to formats: title and text."""
    text = (GUIDES / "formats.md").read_text(encoding="utf-8")
    return re.findall(r"^### (A [^\n]+)\n(.*?)(?=^###|\Z)", text, re.MULTILINE | re.DOTALL)


def test_a_recipe_has_at_most_eight_steps():
    assert [title for title, _ in recipes()] == ["A ban list", "A card set", "A format", "A tie-break"]
    for title, body in recipes():
        steps = [int(number) for number in re.findall(r"^(\d+)\. ", body, re.MULTILINE)]
        assert steps == list(range(1, len(steps) + 1)), title
        assert 3 <= len(steps) <= 8, title


def test_the_commands_of_the_recipes_run(tmp_path, monkeypatch):
    """In their order, in one folder. A check may find something."""
    monkeypatch.chdir(tmp_path)
    for variable in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    (tmp_path / "mira.txt").write_text("Amber Fox\nBitter Heron\nBitter Heron\n", encoding="utf-8")
    (tmp_path / "cards.csv").write_text("name,kind\nAmber Fox,base\nBitter Heron,vp\n", encoding="utf-8")
    commands = [line for _, body in recipes()[:3] for line in re.findall(r"`tourney ([^`]+)`", body)]
    assert len(commands) >= 11
    for line in commands:
        answer = CliRunner().invoke(root, shlex.split(line))
        may_find = line.startswith(("deck check", "banlist diff"))
        assert answer.exit_code in ({0, 1} if may_find else {0}), f"{line}: {answer.output}"


def test_a_profile_of_the_house_can_be_used(tmp_path, monkeypatch):
    """The first step of the recipe for a tie-break: a copy with another order."""
    monkeypatch.chdir(tmp_path)
    shipped = (ROOT / "tourney/standings/profiles/tourney.toml").read_text(encoding="utf-8")
    house = re.sub(r"order = .*", 'order = ["PTS", "SOS"]', shipped)
    (tmp_path / "house.toml").write_text(house, encoding="utf-8")
    results = dict(blocks(GUIDES / "scripting.md", "text"))["results.csv"]
    (tmp_path / "results.csv").write_text(results, encoding="utf-8")
    answer = CliRunner().invoke(root, ["standings", "--from", "results.csv", "--profile", "house.toml"])
    assert answer.exit_code == 0, answer.output
    assert "SOS" in answer.stdout.splitlines()[0]
