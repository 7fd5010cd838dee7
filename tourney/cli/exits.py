"""The ways out of a command: one place turns exceptions into words and exit codes."""

from __future__ import annotations

import os
import platform
import re
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path

import click

from tourney import __version__
from tourney.cli.streams import mute, styled, talk_error, write
from tourney.errors import TourneyError


class Exit(IntEnum):
    """What an exit code says to a script. 2 is "the line is not a command"."""

    DONE = 0
    FOUND = 1  # a check found something: an illegal deck, a difference
    USAGE = 2
    REFUSED = 3  # nothing changed
    UNVERIFIED = 4  # a check could not settle it
    BUG = 70
    INTERRUPTED = 130


_NOT_A_NUMBER = re.compile("is not a valid integer( range)?")


def guard(work: Callable[[], object]) -> int:
    """Run `work` and return the exit code; whatever it raises becomes words on stderr.

    `work` returns None or an exit code.
    """
    try:
        return _finish(work())
    except BaseException as raised:  # noqa: BLE001  a native panic is a BaseException and must not print its own trace
        try:
            return _answer(raised)
        except OSError as fault:  # help is written, too
            return _machine(fault)


@contextmanager
def already_written(done: str) -> Iterator[None]:
    """Tell what is done already: whatever goes wrong within is told on stderr, and it is a success all the same.

    done: what stands, in a sentence
    """
    try:
        yield
        sys.stdout.flush()
    except Exception as raised:  # noqa: BLE001  nothing that fails now can take back what is done
        mute()
        said = _said_of(raised)
        write(
            styled("warning:", fg="yellow", bold=True)
            + f" the answer could not be given ({said}), but it is done: {done}",
            err=True,
        )
    except KeyboardInterrupt:
        talk_error(f"interrupted, but it is done: {done}")


def _said_of(raised: Exception) -> str:
    if isinstance(raised, OSError):
        return (raised.strerror or str(raised)).lower()
    if isinstance(raised, TourneyError):
        return raised.message

    return kept(raised)


def _finish(value: object) -> int:
    sys.stdout.flush()
    return int(value) if isinstance(value, int) else Exit.DONE


def _answer(raised: BaseException) -> int:
    if isinstance(raised, click.exceptions.Exit):
        return _finish(raised.exit_code)
    if isinstance(raised, (KeyboardInterrupt, click.Abort, EOFError)):
        talk_error("interrupted")
        return Exit.INTERRUPTED
    if isinstance(raised, SystemExit):
        return _finish(raised.code)
    if isinstance(raised, TourneyError):
        talk_error(raised.message, raised.hint)
        return raised.exit_code
    if isinstance(raised, click.ClickException):
        return _usage(raised)
    if isinstance(raised, BrokenPipeError):
        # Somebody piped us into `head`: that is not an error, and there is nobody left to tell.
        mute()
        return Exit.DONE
    if isinstance(raised, OSError):
        return _machine(raised)

    return bug(raised)


def _usage(fault: click.ClickException) -> int:
    """Tell what is wrong with the line, in our words where click's differ most."""
    context = getattr(fault, "ctx", None)
    talk_error(_said(fault), f"`{context.command_path} --help`" if context else None)
    return Exit.USAGE


def _said(fault: click.ClickException) -> str:
    if isinstance(fault, click.NoSuchOption):
        near = f"; did you mean `{fault.possibilities[0]}`?" if fault.possibilities else ""
        return f"there is no option `{fault.option_name}` here{near}"
    if isinstance(fault, click.MissingParameter) and fault.param is not None:
        return f"{fault.param.make_metavar(fault.ctx) if fault.ctx else fault.param.name} is missing"
    if isinstance(fault, click.BadParameter) and fault.param is not None:
        named = fault.param.get_error_hint(fault.ctx) if fault.ctx else fault.param.name
        said = _NOT_A_NUMBER.sub("is not a whole number", fault.message).removesuffix(".")
        return f"{named}: {said}".replace("'", "`")
    message = fault.format_message()
    return (message[:1].lower() + message[1:]).removesuffix(".")


def _machine(fault: OSError) -> int:
    """Tell what the operating system refused: a full disk, a missing right. The journal is safe by design."""
    what = (fault.strerror or str(fault)).lower()
    where = f"{fault.filename}: " if fault.filename else ""
    talk_error(
        f"{where}{what}", None if where else "the answer could not be written; nothing recorded was lost"
    )
    mute()
    return Exit.REFUSED


# -- A bug: one line for the user, a report for whoever mends it


def bug(raised: BaseException) -> int:
    """Write a report of `raised`, tell its path in one line and return the exit code of a bug.

    With TOURNEY_DEBUG set the traceback goes to stderr instead.
    """
    if os.environ.get("TOURNEY_DEBUG"):
        write("".join(traceback.format_exception(raised)).rstrip(), err=True)
        return Exit.BUG
    talk_error(f"this is {kept(raised)}", "TOURNEY_DEBUG=1 shows the traceback here")
    return Exit.BUG


def kept(raised: BaseException) -> str:
    """Write a report of `raised` and name the bug and the report's path."""
    what = f"{type(raised).__name__}: {raised}".splitlines()[0][:200]
    path = _write(raised)
    where = f"report: {path}" if path else "no report could be written"
    return f"a bug in tourney ({what}); {where}"


def _write(raised: BaseException) -> Path | None:
    lines = [
        f"tourney {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"arguments: {sys.argv[1:]!r}",
        "",
        *traceback.format_exception(raised),
    ]
    try:
        handle, name = tempfile.mkstemp(prefix="tourney-report-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write("\n".join(lines))
    except OSError:
        return None
    return Path(name)
