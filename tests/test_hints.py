"""Every command line in hints, help and pages is valid: the command and its options exist."""

import re
import shlex

import click

from scripts.reference import every_command
from tests.golden.transcript import Transcript
from tests.kit import ROOT, with_rows
from tourney.cli.command import NOUNS, Noun, root

TRANSCRIPTS = sorted([*ROOT.glob("tests/errors/*/*.txt"), *ROOT.glob("tests/golden/cases/**/*.txt")])
PAGES = [path for top in ROOT.glob("[!.]*") for path in ([top] if top.suffix == ".md" else top.rglob("*.md"))]
SOURCES = [path for end in ("py", "toml", "html") for path in ROOT.glob(f"tourney/**/*.{end}")]

PLACEHOLDERS = {
    "NOUN": "deck", "VERB": "check", "GAME": "redline", "QUESTION": "shots", "SCORE": "1-0",
    "DAY": "2026-12-01", "YYYY-MM-DD": "2026-12-01",
    **dict.fromkeys(("N", "ENTRY", "TABLE"), "2"),
}  # fmt: skip
"""What a reader puts in the place of a word, where not any text will do."""

FITTED = re.compile(r"\{(?:'([\w-]+)' if )?[^{}]*\}")
"""What the program puts in: a number will do, but of two words the first."""


def lines_named(text):
    """Return the `tourney …` lines in backticks, without those called unknown."""
    named = re.finditer(r"(there is no command )?`(tourney [^`\n]+)`", text)
    return {match[2] for match in named if not match[1] and match[2] != "tourney …"}


def refusal(line):
    """Return click's error for a line, or None if it is valid.

    A command without any arguments is the name of a command; with arguments it must be complete.
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


@with_rows("kind", ["transcripts", "pages", "sources"])
def test_every_quoted_line_parses(kind):
    """In transcripts, in the documentation, and in the sources."""
    paths = {"transcripts": TRANSCRIPTS, "pages": PAGES, "sources": SOURCES}[kind]
    named = {
        (line, path.relative_to(ROOT).as_posix())
        for path in paths
        for line in lines_named(path.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    wrong = [f"{path}: `{line}`: {why}" for line, path in sorted(named) if (why := refusal(line))]
    assert not wrong, "\n".join(wrong)


def test_every_line_in_a_code_block_parses():
    """Lines that begin with `tourney`, without the pages of errors."""
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
    """Help texts use `event log` without the program's name."""
    named = {
        words
        for _, command, context in every_command()
        for words in re.findall(r"`([a-z]+ [a-z][a-z-]+)`", command.get_help(context))
        if words.split()[0] in NOUNS
    }
    assert named
    assert not [words for words in sorted(named) if refusal(f"tourney {words}")]


def test_an_option_in_a_hint_belongs_to_a_command():
    """Of the command that was run, or of one in the hint."""
    options = {path: _options(command) for path, command, _ in every_command()}
    wrong, seen = [], 0
    for path in TRANSCRIPTS:
        for step in Transcript.read(path.read_text(encoding="utf-8")).steps:
            for hint in (line for line in step.answer if line.startswith("! hint: ")):
                there = {"--help"}.union(
                    *(_options_of(line, options) for line in (step.command, *lines_named(hint)))
                )
                for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", hint):
                    seen += 1
                    if option not in there:
                        wrong.append(f"{path.name}: `{option}` is not an option of `{step.command}`")
    assert seen > 20
    assert not wrong, "\n".join(wrong)


def _options(command):
    return {name for param in command.params for name in (*param.opts, *param.secondary_opts)}


def _options_of(line, options):
    """Return the options of a line's command; `standings` is short for `standings show`."""
    words = line.split()
    paths = [*(" ".join(words[:length]) for length in (4, 3, 2)), " ".join([*words[:2], "show"])]
    return next((options[path] for path in paths if path in options), set())


def test_an_invalid_line_is_found():
    """A wrong command, a wrong option, and a word too many."""
    assert refusal("tourney round pear")
    assert refusal("tourney round pair --acept")
    assert refusal("tourney event close today")
    assert refusal("tourney event undo N") is None
    assert lines_named("there is no command `tourney rond`; did you mean `tourney round`?") == {
        "tourney round"
    }


INSTEAD = {"tourney": root.instead} | {f"tourney {noun}": text.instead for noun, text in NOUNS.items()}


@with_rows(("head", "word"), [(head, word) for head in INSTEAD for word in INSTEAD[head]])
def test_a_likely_wrong_word_leads_to_a_command(head, word):
    """The word itself is not a command."""
    line = INSTEAD[head][word]
    assert refusal(line if line.startswith("tourney ") else f"{head} {line}") is None
    assert "there is no command" in (refusal(f"{head} {word}") or "")
