"""Output cannot control the terminal."""

import json

import click

from tests.kit import with_rows
from tourney.cli.output import json_text, style_text, visible, write


@with_rows(
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
def test_control_characters_are_escaped(text, shown):
    """Newlines and tabs are kept; characters that move, colour or hide text are escaped."""
    assert visible(text) == shown


def test_only_our_own_colours_are_sent(capsys, monkeypatch):
    """A card named `ESC[8m…` can neither hide nor colour a verdict."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    with click.Context(click.Command("show")) as context:
        context.color = True
        write(style_text("legal \x1b[8mBANNED", fg="green"))
        assert capsys.readouterr().out == "\x1b[32mlegal \\x1b[8mBANNED\x1b[0m\n"
        monkeypatch.setenv("NO_COLOR", "1")
        write(style_text("{0} {}", bold=True))
        assert capsys.readouterr().out == "{0} {}\n"


def test_json_escapes_control_characters():
    """The one-character CSI and direction marks, too; reading JSON restores them."""
    text = json_text({"name": "a\x9b2J\u202eb\x1b[2J", "ok": "名é"})
    assert json.loads(text) == {"name": "a\x9b2J\u202eb\x1b[2J", "ok": "名é"}
    assert not {"\x9b", "\u202e", "\x1b"} & set(text)
    assert "名é" in text
