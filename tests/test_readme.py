"""The README is run: its consoles are one session, its Python is executed, its lists stay short."""

import re

import pytest

from tests.golden.transcript import Step, Transcript
from tests.kit import ROOT

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
