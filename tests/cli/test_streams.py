"""What reaches a terminal cannot command it."""

import pytest

from tourney.cli.streams import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Mira Oake", "Mira Oake"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("clear\x1b[2J", "clear\\x1b[2J"),
        ("title\x1b]0;x\x07", "title\\x1b]0;x\\x07"),
        ("\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m"),
        ("back\u202ewards", "back\\u202ewards"),
        ("\u2066isolate", "\\u2066isolate"),
        ("\x9b2J", "\\x9b2J"),
        ("carriage\rreturn", "carriage\\rreturn"),
        ("名前 é 😀", "名前 é 😀"),
    ],
)
def test_control_characters_are_shown_not_obeyed(text, shown):
    """Newlines, tabs and our own colours pass; everything else that moves a cursor or turns text is written out."""
    assert visible(text) == shown
