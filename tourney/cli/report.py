"""A bug: one line for the user, a report for whoever mends it."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import traceback
from pathlib import Path

from tourney import __version__
from tourney.cli.exits import Exit
from tourney.cli.streams import talk_error, write


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
