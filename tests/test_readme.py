"""The README is run: its consoles are one session, its Python is executed, its lists stay short."""

import re
import shlex

import pytest
from click.testing import CliRunner

from tests.golden.transcript import Step, Transcript
from tests.kit import ROOT
from tourney.cli.command import root

README = ROOT / "README.md"
BLOCK = re.compile(r"^```(?P<kind>\w+)(?: (?P<name>\S+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(kind):
    """Every fenced block of a kind: its name and its body."""
    text = README.read_text(encoding="utf-8")
    return [(block["name"], block["body"]) for block in BLOCK.finditer(text) if block["kind"] == kind]


def played(folder):
    """Play all consoles as one session and return them as they came out."""
    files = dict(blocks("text"))
    consoles = [Transcript.parse_steps(body) for _, body in blocks("console")]
    said = Transcript("", files, [step for steps in consoles for step in steps]).answers(folder)
    return [[said.pop(0) for _ in steps] for steps in consoles]


def test_the_day_at_the_desk_is_what_happens(tmp_path, request):
    """Typed as written, the commands answer as printed; what goes to stderr is printed as a terminal shows it."""
    text = README.read_text(encoding="utf-8")
    bodies = [body for _, body in blocks("console")]
    new = text
    for body, answers in zip(bodies, played(tmp_path), strict=True):
        new = new.replace(f"```console\n{body}```", "```console\n" + "\n".join(answers) + "\n```", 1)
    if request.config.getoption("--update"):
        README.write_text(new, encoding="utf-8")
        return
    assert new == text, "the README says something else than the commands (--update rewrites it)"


def test_the_python_plays_a_whole_event(tmp_path, monkeypatch, capsys):
    """The block runs as it stands, is short, publishes, and ends with the standings of nine players."""
    ((_, source),) = blocks("python")
    assert len([line for line in source.splitlines() if line.strip()]) <= 35
    monkeypatch.chdir(tmp_path)
    exec(compile(source, "README.md", "exec"), {"__name__": "readme"})
    last = capsys.readouterr().out.splitlines()[-9:]
    assert sorted(line.split(" ", 1)[1] for line in last)[0] == "Ansel"
    assert (tmp_path / "pages" / "index.html").is_file()
    assert last[0].startswith("1 ")


def test_adding_a_thing_takes_at_most_eight_steps():
    """A ban list, a card set, a format and a tie-break: each recipe is a numbered list of up to eight."""
    text = README.read_text(encoding="utf-8")
    recipes = re.findall(r"^### (A [^\n]+)\n(.*?)(?=^##)", text, re.MULTILINE | re.DOTALL)
    assert [name for name, _ in recipes] == ["A ban list", "A card set", "A format", "A tie-break"]
    for name, body in recipes:
        steps = [int(number) for number in re.findall(r"^(\d+)\. ", body, re.MULTILINE)]
        assert steps == list(range(1, len(steps) + 1)), name
        assert 3 <= len(steps) <= 8, name


@pytest.mark.parametrize(
    "path", sorted(set(re.findall(r"\]\(([^)#:]+)\)", README.read_text(encoding="utf-8"))))
)
def test_a_link_leads_somewhere(path):
    """What the README points to exists."""
    assert (ROOT / path).exists()


def test_a_console_that_lies_is_found(tmp_path):
    """The comparison can fail: a step's answer is what the command says, not what is printed."""
    step = Step("tourney --version", said=["tourney 99"])
    assert Transcript("", {}, [step]).answers(tmp_path) != ["$ tourney --version\ntourney 99"]


def test_the_recipes_can_be_typed(tmp_path, monkeypatch):
    """Every command of "Adding things" runs, in the order of the recipes, in one folder; a check may find something."""
    monkeypatch.chdir(tmp_path)
    for variable in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    for name, body in blocks("text"):
        (tmp_path / name).write_text(body, encoding="utf-8")
    (tmp_path / "cards.csv").write_text("name,kind\nAmber Fox,base\nBitter Heron,vp\n", encoding="utf-8")
    text = README.read_text(encoding="utf-8")
    recipes = text[text.index("## Adding things") : text.index("### A tie-break")]
    typed = re.findall(r"`tourney ([^`]+)`", recipes)
    assert len(typed) >= 11
    for line in typed:
        said = CliRunner().invoke(root, shlex.split(line))
        assert said.exit_code in ({0, 1} if line.startswith(("deck check", "banlist diff")) else {0}), (
            f"{line}: {said.output}"
        )


def test_a_profile_of_the_house_can_be_used(tmp_path, monkeypatch):
    """The first step of the recipe for a tie-break: a copy with another order."""
    monkeypatch.chdir(tmp_path)
    shipped = (ROOT / "tourney/standings/profiles/tourney.toml").read_text(encoding="utf-8")
    (tmp_path / "house.toml").write_text(
        re.sub(r"order = .*", 'order = ["PTS", "SOS"]', shipped), encoding="utf-8"
    )
    files = dict(blocks("text"))
    (tmp_path / "results.csv").write_text(files["results.csv"], encoding="utf-8")
    said = CliRunner().invoke(root, ["standings", "--from", "results.csv", "--profile", "house.toml"])
    assert said.exit_code == 0, said.output
    assert "SOS" in said.stdout.splitlines()[0]
