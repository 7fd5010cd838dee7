"""What leaves through stdout and stderr: UTF-8 always, control characters made visible, pipes respected."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from typing import Any

import click

_OURS = f"\x1b{os.urandom(8).hex()}"
"""How our own colours begin until they are written. No text from outside can know it, so that no file can colour a line
or hide one."""

_HOSTILE = re.compile(
    # Control characters but newline and tab, and the marks that turn the direction of text: a name must not be
    # able to clear the screen or swap two columns.
    f"\x1b(?!{_OURS[1:]}\\[[0-9;]*m)"
    "|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_HOSTILE_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def prepare() -> None:
    """Make both streams UTF-8, escaping what cannot be encoded, whatever the machine's locale.

    A stream that came closed gets a stand-in, so that no file opened later takes its number and no answer is lost
    unnoticed: writing to this stdout fails as writing to a closed one does; nobody wants to hear this stderr.
    """
    if sys.stdin is None:
        sys.stdin = open(_stand_in(0, os.O_RDONLY), encoding="utf-8")  # noqa: SIM115 - for the whole run
    if sys.stdout is None:
        sys.stdout = open(_stand_in(1, os.O_RDONLY), "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(_stand_in(2, os.O_WRONLY), "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _stand_in(number: int, flags: int) -> int:
    opened = os.open(os.devnull, flags)
    if opened == number:
        return opened
    os.dup2(opened, number)
    os.close(opened)
    return number


def visible(text: str) -> str:
    r"""Show control characters and direction marks instead of obeying them.

    >>> visible("Mira\x07")
    'Mira\\x07'
    """
    return _HOSTILE.sub(lambda match: ascii(match[0])[1:-1], text)


def styled(text: str, **how: Any) -> str:
    """Return text in colour or bold (`fg`, `bold`, `dim` as click has them); whatever it holds itself stays visible."""
    start = click.style("", reset=False, **how)
    return f"{start.replace(chr(27), _OURS)}{text}{_OURS}[0m"


def unstyled(text: str) -> str:
    """Return text without our own colours.

    >>> unstyled(styled("legal", fg="green"))
    'legal'
    """
    return click.unstyle(text.replace(_OURS, "\x1b")) if _OURS in text else text


def json_text(plain: object) -> str:
    """Return plain values as JSON, UTF-8; what could command a terminal is escaped as JSON escapes it."""
    import json

    text = json.dumps(plain, ensure_ascii=False, indent=2)
    return _HOSTILE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def coloured(no_color: bool = False) -> bool | None:
    """Whether colour is forbidden (False) or left to click, which colours terminals only (None)."""
    return False if no_color or os.environ.get("NO_COLOR") else None


def write(text: str, *, err: bool = False, color: bool | None = None) -> None:
    """Write one line. What cannot be written on stderr is lost: there is nobody left to tell, and nothing depends on it."""
    with contextlib.suppress(OSError) if err else contextlib.nullcontext():
        click.echo(visible(text).replace(_OURS, "\x1b"), err=err, color=color)


def talk_error(message: str, hint: str | None = None) -> None:
    """Say a refusal: `error: …`, and after a blank line `hint: …`."""
    context = click.get_current_context(silent=True)
    color = coloured() if context is None or context.color is None else context.color
    # What was already said on stdout comes first, also where both go to one file.
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    write(styled("error:", fg="red", bold=True) + f" {message}", err=True, color=color)
    if hint:
        write("\n" + styled("hint:", fg="cyan", bold=True) + f" {hint}", err=True, color=color)


def mute() -> None:
    """Point stdout at nothing, so that the interpreter's last flush cannot fail on a closed pipe or a full disk."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
