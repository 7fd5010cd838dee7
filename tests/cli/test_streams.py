"""What reaches a terminal cannot command it."""

import json

import pytest

from tourney.cli.output import json_text, styled, visible, write


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Mira Oake", "Mira Oake"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("clear\x1b[2J", "clear\\x1b[2J"),
        ("title\x1b]0;x\x07", "title\\x1b]0;x\\x07"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x1b[8mhidden", "\\x1b[8mhidden"),
        ("back\u202ewards", "back\\u202ewards"),
        ("\u2066isolate", "\\u2066isolate"),
        ("\x9b2J", "\\x9b2J"),
        ("carriage\rreturn", "carriage\\rreturn"),
        ("名前 é 😀", "名前 é 😀"),
    ],
)
def test_control_characters_are_shown_not_obeyed(text, shown):
    """Newlines and tabs pass; everything else that moves a cursor, turns text, colours or hides it is written out."""
    assert visible(text) == shown


def test_our_own_colours_pass_and_those_of_a_name_do_not(capsys):
    """A card called `ESC[8m…` can neither hide a verdict nor colour one."""
    write(styled("legal \x1b[8mBANNED", fg="green"), color=True)
    assert capsys.readouterr().out == "\x1b[32mlegal \\x1b[8mBANNED\x1b[0m\n"
    write(styled("{0} {}", bold=True), color=False)
    assert capsys.readouterr().out == "{0} {}\n"


def test_json_escapes_what_a_terminal_would_obey():
    """The one-character CSI and direction marks are escaped as JSON has it; reading gives them back."""
    text = json_text({"name": "a\x9b2J\u202eb\x1b[2J", "ok": "名é"})
    assert json.loads(text) == {"name": "a\x9b2J\u202eb\x1b[2J", "ok": "名é"}
    assert not {"\x9b", "\u202e", "\x1b"} & set(text)
    assert "名é" in text
