"""How a run ends: its exit code, the message for each exception, and the report of a bug.

`guard` is the only place that turns exceptions into messages and exit codes. Commands raise; they never print
an error.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum

import click

from tourney import __version__
from tourney.cli.output import mute, styled, write
from tourney.errors import TourneyError


class Exit(IntEnum):
    """The exit codes."""

    DONE = 0
    FOUND = 1  # a check found something: an illegal deck, a difference
    USAGE = 2  # the command line is not valid
    REFUSED = 3  # nothing was changed
    UNVERIFIED = 4  # a check could not decide
    BUG = 70
    INTERRUPTED = 130


def guard(work: Callable[[], object]) -> int:
    """Run `work`, show what it raises, and return the exit code.

    `work` returns None or an exit code.
    """
    try:
        return _flushed(work())
    except BaseException as raised:  # noqa: BLE001  a panic of a native library is a BaseException, too
        try:
            return _shown(raised)
        except OSError as error:  # writing the help can fail, too
            return _show_system_error(error)


def _flushed(code: object) -> int:
    sys.stdout.flush()
    return int(code) if isinstance(code, int) else Exit.DONE


def _shown(raised: BaseException) -> int:
    match raised:
        case click.exceptions.Exit():
            return _flushed(raised.exit_code)
        case SystemExit():
            return _flushed(raised.code)
        case KeyboardInterrupt() | click.Abort() | EOFError():
            show_error("interrupted")
            return Exit.INTERRUPTED
        case TourneyError():
            show_error(raised.message, raised.hint)
            return raised.exit_code
        case click.ClickException():
            context = getattr(raised, "ctx", None)
            show_error(_usage_message(raised), f"`{context.command_path} --help`" if context else None)
            return Exit.USAGE
        case BrokenPipeError():  # the reader has closed the pipe, as `head` does: not an error
            mute()
            return Exit.DONE
        case OSError():
            return _show_system_error(raised)
    return _show_bug(raised)


def _usage_message(error: click.ClickException) -> str:
    """Return what is wrong with a command line, without click's quotes, capitals and full stops."""
    if isinstance(error, click.NoSuchOption):
        near = f"; did you mean `{error.possibilities[0]}`?" if error.possibilities else ""
        return f"there is no option `{error.option_name}` here{near}"
    if isinstance(error, click.MissingParameter) and error.param is not None:
        metavar = error.param.make_metavar(error.ctx) if error.ctx else error.param.name
        option = f"{error.param.opts[0]} " if isinstance(error.param, click.Option) else ""
        return f"{option}{metavar} is missing"
    if isinstance(error, click.BadParameter) and error.param is not None:
        name = error.param.get_error_hint(error.ctx) if error.ctx else error.param.name
        message = _NOT_A_NUMBER.sub("is not a whole number", error.message).removesuffix(".")
        return f"{name}: {message}".replace("'", "`")
    message = error.format_message()
    return (message[:1].lower() + message[1:]).removesuffix(".")


_NOT_A_NUMBER = re.compile("is not a valid integer( range)?")


def _show_system_error(error: OSError) -> int:
    """Show an error of the operating system, such as a full disk or a missing permission."""
    message = (error.strerror or str(error)).lower()
    if error.filename:
        show_error(f"{error.filename}: {message}")
    else:
        show_error(message, "the answer could not be written; nothing recorded was lost")
    mute()
    return Exit.REFUSED


def _show_bug(raised: BaseException) -> int:
    """Write a report and show its path; with TOURNEY_DEBUG set, show the traceback instead."""
    if os.environ.get("TOURNEY_DEBUG"):
        write(_traceback(raised), err=True)
    else:
        show_error(f"this is {_report_bug(raised)}", "TOURNEY_DEBUG=1 shows the traceback here")
    return Exit.BUG


def _traceback(raised: BaseException) -> str:
    import traceback  # for a bug alone

    return "".join(traceback.format_exception(raised)).rstrip()


def _report_bug(raised: BaseException) -> str:
    """Write a report that a user can pass on, and return a short text about the bug.

    The text has the report's path.
    """
    import tempfile  # for a bug alone

    name = _without_secrets(f"{type(raised).__name__}: {raised}").splitlines()[0][:200]
    version = f"tourney {__version__}, Python {platform.python_version()}, {platform.platform()}"
    report = f"{version}\narguments: {sys.argv[1:]!r}\n\n{_traceback(raised)}\n"
    try:
        handle, path = tempfile.mkstemp(prefix="tourney-report-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(_without_secrets(report))
    except OSError:
        return f"a bug in tourney ({name}); no report could be written"
    return f"a bug in tourney ({name}); report: {path}"


def _without_secrets(text: str) -> str:
    """Shorten each address to its scheme and host.

    The rest may be a password or the secret of a webhook.
    """
    return re.sub(
        r"([A-Za-z][A-Za-z0-9+.-]*://)(?:\S*@\S*|([^\s/?#'\"]*)[^\s'\"]*)",
        lambda address: f"{address[1]}…" if address[2] is None else f"{address[1]}{address[2]}/…",
        text,
    )


def show_error(message: str, hint: str | None = None) -> None:
    """Write `error: …` on stderr, and after a blank line `hint: …` if there is a hint.

    If an address contains a password, only its scheme is shown.
    """
    with suppress(OSError):  # earlier output on stdout comes first, even if both streams go to one file
        sys.stdout.flush()
    message = _PASSWORD.sub(r"\1…", message)
    write(styled("error:", fg="red", bold=True) + f" {message}", err=True)
    if hint:
        write("\n" + styled("hint:", fg="cyan", bold=True) + f" {hint}", err=True)


_PASSWORD = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)(?:[^\s/?#@:]*:\S*@|\S*[?&]\w*password=)[^\s`')]*")
"""An address with a password, before its host or in its query.

It ends at the quotes of click.
"""


@contextmanager
def already_written(sentence: str) -> Iterator[None]:
    """Return a context for the answer to a written change: if it fails, warn and exit with 0.

    sentence: what was done; the warning quotes it
    """
    try:
        yield
        sys.stdout.flush()
    except Exception as raised:  # noqa: BLE001  whatever fails now, the change is recorded
        mute()
        reason = _reason(raised)
        warning = styled("warning:", fg="yellow", bold=True)
        write(f"{warning} the answer could not be given ({reason}), but it is done: {sentence}", err=True)
    except KeyboardInterrupt:
        show_error(f"interrupted, but it is done: {sentence}")


def _reason(raised: Exception) -> str:
    if isinstance(raised, OSError):
        return (raised.strerror or str(raised)).lower()
    if isinstance(raised, TourneyError):
        return raised.message
    return _report_bug(raised)
