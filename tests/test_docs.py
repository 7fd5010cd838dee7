"""The documentation agrees with the program."""

import shlex
import subprocess
import sys

import click
import pytest

from scripts.reference import PAGES, every_command
from tests.kit import ROOT, with_rows
from tourney.cli import root

COMMANDS = list(every_command())
names = pytest.mark.parametrize(
    ("path", "command", "context"), COMMANDS, ids=[path for path, _, _ in COMMANDS]
)


@names
def test_a_command_has_a_sentence_and_help_for_its_options(path, command, context):
    """The first line is a sentence or a question."""
    first = (command.help or "").split("\n")[0]
    assert first.endswith((".", "?")), f"{path}: the docstring's first line is its sentence in the list"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{path} {parameter.opts[0]} has no help"


@names
def test_a_command_shows_examples_that_parse(path, command, context):
    """At least one, and the parser accepts all of them."""
    examples = command.examples
    assert examples, f"{path} has no example"
    for example in examples:
        rest = _rest(path.split(), _words(example))
        assert command.make_context(path.split()[-1], rest, parent=context.parent), example


def _words(example):
    """Return the words of the tourney command in a shell line, without pipes and redirections."""
    line = next(part for part in example.split(" | ") if part.strip().startswith("tourney"))
    words = shlex.split(line, comments=True)
    cut = next((at for at, word in enumerate(words) if word in {">", ">>", "<"}), len(words))
    return words[:cut]


def _rest(path, words):
    """Return the words after the command; `standings` is short for `standings show`."""
    own = path if words[: len(path)] == path else path[:-1]
    assert words[: len(own)] == own, f"`{' '.join(words)}` is not an example of `{' '.join(path)}`"
    return words[len(own) :]


@with_rows("page", PAGES)
def test_generated_pages_are_up_to_date(page):
    """cog would write the same text."""
    done = subprocess.run(
        [sys.executable, "-c",
         f"import sys; from scripts.reference import write; sys.exit(write({page!r}, check=True))"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (
        f"{page}: {done.stdout}{done.stderr} (python -m scripts.reference writes it anew)"
    )


DAY = {
    "tourney": ["deck", "event", "player", "round", "result", "standings", "publish", "verify"],
    "deck": ["check", "show", "convert"],
    "event": ["new", "change", "show", "cut", "close", "export"],
    "player": ["add", "import", "deck", "check-in", "drop", "return", "blank"],
    "round": [
        "force",
        "pair",
        "next",
        "release",
        "show",
        "start",
        "clock",
        "edit",
        "repair",
        "cancel",
        "why",
    ],
    "result": ["add", "change", "missing"],
    "standings": ["show", "why"],
}


@with_rows("noun", DAY)
def test_help_lists_commands_in_the_order_of_a_day(noun):
    """Commands of a day in their order, with the others in between."""
    with click.Context(root, info_name="tourney") as context:
        group = root if noun == "tourney" else root.get_command(context, noun)
        shown = group.get_help(click.Context(group, info_name=noun, parent=context))
    places = [shown.index(f"\n  {name} ") for name in DAY[noun]]
    assert places == sorted(places)


@names
def test_a_command_is_in_the_reference(path, command, context):
    assert f"$ {path} --help" in (ROOT / "tourney/cli/COMMANDS.md").read_text(encoding="utf-8")
