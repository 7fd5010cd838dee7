"""The report of a bug: a file with the traceback, which a user can pass on."""

from __future__ import annotations

import os
import platform
import re
import sys
import tempfile
import traceback
from pathlib import Path

from tourney import __version__


def report_bug(raised: BaseException) -> str:
    """Write a report; return a short description of the bug, with the path of the report."""
    name = _without_secrets(f"{type(raised).__name__}: {raised}").splitlines()[0][:200]
    path = _write_report(raised)
    return f"a bug in tourney ({name}); " + (f"report: {path}" if path else "no report could be written")


def traceback_of(raised: BaseException) -> str:
    """Return the traceback as Python prints it."""
    return "".join(traceback.format_exception(raised)).rstrip()


def _write_report(raised: BaseException) -> Path | None:
    text = "\n".join(
        [
            f"tourney {__version__}, Python {platform.python_version()}, {platform.platform()}",
            f"arguments: {sys.argv[1:]!r}",
            "",
            *traceback.format_exception(raised),
        ]
    )
    try:
        handle, name = tempfile.mkstemp(prefix="tourney-report-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(_without_secrets(text))
    except OSError:
        return None
    return Path(name)


def _without_secrets(text: str) -> str:
    """Shorten each address to its scheme and host: the rest may be a password or the secret of a webhook."""
    return re.sub(
        r"([A-Za-z][A-Za-z0-9+.-]*://)(?:\S*@\S*|([^\s/?#'\"]*)[^\s'\"]*)",
        lambda address: f"{address[1]}…" if address[2] is None else f"{address[1]}{address[2]}/…",
        text,
    )
