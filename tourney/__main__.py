"""The entry point of `tourney` and `python -m tourney`."""

from __future__ import annotations

import contextlib
import gc
import os
import sys

_GARBAGE_THRESHOLD = 100_000
"""The number of new objects after which the garbage collector runs.

Modules and card pools create many objects that are never freed. With Python's default of 700, a command
spends a tenth of its start-up time searching these objects for garbage.
"""


def main() -> int:
    """Run the command line and return its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        return _show_version()
    gc.set_threshold(_GARBAGE_THRESHOLD)
    try:
        from tourney.cli.command import run  # inside `try`: Ctrl-C during this import exits quietly

        return run()
    except KeyboardInterrupt:  # during the import; afterwards, `run` handles Ctrl-C
        return 130


def _show_version() -> int:
    from tourney import __version__  # nothing else is imported, so that the answer is instant

    try:
        os.write(1, f"tourney {__version__}\n".encode())
    except BrokenPipeError:
        return 0  # the reader has closed the pipe, as `| head` does
    except OSError as error:
        with contextlib.suppress(OSError):
            os.write(2, f"error: {(error.strerror or str(error)).lower()}\n".encode())
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
