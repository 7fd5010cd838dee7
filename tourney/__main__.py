"""The program's entry: `tourney …` and `python -m tourney …`."""

from __future__ import annotations

import contextlib
import gc
import os
import sys

_FEW_COLLECTIONS = 100_000
"""New objects between two looks for garbage. Modules and pools make many that stay: at Python's usual 700 a cold command
spends a tenth of its time looking at them."""


def main() -> int:
    """Run the command line and return its exit code.

    `--version` is answered before anything is imported, so that it stays instant.
    """
    if sys.argv[1:] in (["--version"], ["-V"]):
        from tourney import __version__

        try:
            os.write(1, f"tourney {__version__}\n".encode())
        except BrokenPipeError:
            return 0  # nobody reads it: no error, and nobody to tell
        except OSError as fault:
            with contextlib.suppress(OSError):
                os.write(2, f"error: {(fault.strerror or str(fault)).lower()}\n".encode())
            return 3
        return 0
    gc.set_threshold(_FEW_COLLECTIONS)
    try:
        from tourney.cli import run

        return run()
    except KeyboardInterrupt:  # while modules are still being imported; later `run` answers it
        return 130


if __name__ == "__main__":
    sys.exit(main())
