"""What a hint, a help or a page tells somebody to type is a command line: the command is there, and so are its options."""

import re
import shlex

import click
import pytest

from scripts.reference import every_command
from tests.golden.transcript import Transcript
from tests.kit import ROOT
from tourney.cli.command import INSTEAD, NOUNS, Noun, root

TRANSCRIPTS = sorted([*ROOT.glob("tests/errors/*/*.txt"), *ROOT.glob("tests/golden/cases/**/*.txt")])
PAGES = [path for path in ROOT.rglob("*.md") if not {".venv", ".venv-test"} & set(path.parts)]
SOURCES = [path for end in ("py", "toml", "html") for path in ROOT.glob(f"tourney/**/*.{end}")]

PLACEHOLDERS = {
    "NOUN": "deck", "VERB": "check", "GAME": "redline", "QUESTION": "shots", "SCORE": "1-0", "DAY": "2026-12-01", "YYYY-MM-DD": "2026-12-01",
    **dict.fromkeys(("N", "ENTRY", "TABLE"), "2"),
}  # fmt: skip
"""What a reader puts in the place of a word, where not any text will do."""

FITTED = re.compile(r"\{(?:'([\w-]+)' if )?[^{}]*\}")
"""What the program puts in: a number will do, but of two words the first."""


def lines_named(text):
    """Every `tourney …` that a text names in backticks, but for those of which it says that there is no such command."""
    named = re.finditer(r"(there is no command )?`(tourney [^`\n]+)`", text)
    return {match[2] for match in named if not match[1] and match[2] != "tourney …"}


def refusal(line):
    """Why a line is not a command line, in click's words; None where it is one.

    A command alone, without its arguments, is the name of a command; with any it must be whole.
    """
    line = line.replace("--kind {BYES[kind]}", "--kind half-bye")
    words = shlex.split(FITTED.sub(lambda match: match[1] or "2", line))
    _, *rest = (PLACEHOLDERS.get(word, word) for word in words)
    command, name = root, "tourney"
    with click.Context(root, info_name="tourney") as context:
        while isinstance(command, Noun):
            if not rest or rest[0] == "--help":
                return None
            if command.get_command(context, rest[0]) is None:
                if not command.default:
                    return f"there is no command `{name} {rest[0]}`"
                rest = [command.default, *rest]
            name, *rest = rest
            command = command.get_command(context, name)
        if not rest or rest == ["--help"]:
            return None
        try:
            command.make_context(name, list(rest), parent=context)
        except click.UsageError as fault:
            return fault.format_message()
    return None


@pytest.mark.parametrize("kind", ["transcripts", "pages", "sources"])
def test_every_line_that_is_named_parses(kind):
    """In what the program says, in the documentation, and in the sources, which have what no transcript shows."""
    paths = {"transcripts": TRANSCRIPTS, "pages": PAGES, "sources": SOURCES}[kind]
    named = {
        (line, path.relative_to(ROOT).as_posix())
        for path in paths
        for line in lines_named(path.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    wrong = [f"{path}: `{line}`: {why}" for line, path in sorted(named) if (why := refusal(line))]
    assert not wrong, "\n".join(wrong)


def test_every_line_of_a_page_that_can_be_pasted_parses():
    """A line of a code block that begins with `tourney`; the catalogue of errors shows what does not."""
    shown = re.compile(r"^(?:\$ )?(tourney [a-z].*)$", re.MULTILINE)
    pages = [path for path in PAGES if "errors" not in path.parts]
    command_lines = {
        re.split(r" [<>|]|  +#", line)[0]
        for path in pages
        for block in re.findall(r"^```\w*[^\n]*\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)
        for line in shown.findall(block)
    }
    assert len(command_lines) > 20
    wrong = [f"`{line}`: {why}" for line in sorted(command_lines) if (why := refusal(line))]
    assert not wrong, "\n".join(wrong)


def test_a_command_named_without_the_program_exists():
    """Help texts say `event log` for short."""
    named = {
        words
        for _, command, context in every_command()
        for words in re.findall(r"`([a-z]+ [a-z][a-z-]+)`", command.get_help(context))
        if words.split()[0] in NOUNS
    }
    assert named
    assert not [words for words in sorted(named) if refusal(f"tourney {words}")]


def test_an_option_in_a_hint_is_one_of_the_command_that_was_typed_or_is_named():
    """`add --accept`, said by a command without it, sends people in a circle."""
    options = {path: _options(command) for path, command, _ in every_command()}
    wrong, seen = [], 0
    for path in TRANSCRIPTS:
        for step in Transcript.read(path.read_text(encoding="utf-8")).steps:
            for hint in (line for line in step.said if line.startswith("! hint: ")):
                there = {"--help"}.union(
                    *(_options_of(line, options) for line in (step.command, *lines_named(hint)))
                )
                for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", hint):
                    seen += 1
                    if option not in there:
                        wrong.append(f"{path.name}: `{option}` is no option of `{step.command}`")
    assert seen > 20
    assert not wrong, "\n".join(wrong)


def _options(command):
    return {name for param in command.params for name in (*param.opts, *param.secondary_opts)}


def _options_of(line, options):
    """The options of a line's command; `tourney standings --json` is a line of `tourney standings show`."""
    words = line.split()
    paths = [*(" ".join(words[:length]) for length in (4, 3, 2)), " ".join([*words[:2], "show"])]
    return next((options[path] for path in paths if path in options), set())


def test_a_line_that_lies_is_found():
    """The walk can fail: by the command, by the option, by a word too many."""
    assert refusal("tourney round pear")
    assert refusal("tourney round pair --acept")
    assert refusal("tourney event close today")
    assert refusal("tourney event undo N") is None
    assert lines_named("there is no command `tourney rond`; did you mean `tourney round`?") == {
        "tourney round"
    }


@pytest.mark.parametrize(("noun", "word"), [(noun, word) for noun in INSTEAD for word in INSTEAD[noun]])
def test_a_word_that_is_tried_leads_to_a_command(noun, word):
    """And is none itself, else nobody would be led."""
    head = f"tourney {noun}".rstrip()
    assert refusal(f"{head} {INSTEAD[noun][word]}") is None
    assert "there is no command" in (refusal(f"{head} {word}") or "")
