"""The program's entry: `tourney …` and `python -m tourney …`."""

from __future__ import annotations

import contextlib
import os
import sys


def main() -> int:
    """Run the command line and return its exit code.

    `--version` is answered before anything is imported, so that it stays instant.
    """
    if sys.argv[1:] in (["--version"], ["-V"]):
        from tourney import __version__

        with contextlib.suppress(BrokenPipeError):  # nobody reads it: no error, and nobody to tell
            os.write(sys.stdout.fileno(), f"tourney {__version__}\n".encode())
        return 0
    try:
        from tourney.cli import run

        return run()
    except KeyboardInterrupt:  # while modules are still being imported; later `run` answers it
        return 130


if __name__ == "__main__":
    sys.exit(main())
