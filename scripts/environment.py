"""The checkout's own virtual environment: made on first use, renewed when pyproject.toml changes."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)


def folder(extra: str = "") -> Path:
    """Return where the environment lives: `.venv`, or `$TOURNEY_VENV`; one for users, one with the test tools."""
    named = os.environ.get("TOURNEY_VENV")
    return Path(named) if named else ROOT / (f".venv-{extra}" if extra else ".venv")


def python(extra: str = "") -> Path:
    """Return the environment's interpreter, making or renewing the environment first.

    `extra` names the optional dependencies to install (`test`), none for what a user needs.
    """
    if sys.version_info < OLDEST:
        sys.exit(f"error: Python 3.11 or newer is needed, this is {sys.version.split()[0]}")
    home = folder(extra)
    interpreter = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = home / "installed-from"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + extra.encode()).hexdigest()
    if not (interpreter.exists() and stamp.exists() and stamp.read_text() == wanted):
        sys.stderr.write(f"making the environment {home.name} (once; needs a package index)\n")
        if not interpreter.exists():
            venv.create(home, with_pip=True)
        target = f"{ROOT}[{extra}]" if extra else str(ROOT)
        subprocess.run([interpreter, "-m", "pip", "install", "--quiet", "--editable", target], check=True)
        stamp.write_text(wanted)
    return interpreter


def run(*command: str | Path, cwd: Path = ROOT) -> int:
    """Run a command, its output going where ours goes; return its exit code."""
    sys.stdout.flush()
    return subprocess.run([str(word) for word in command], cwd=cwd, check=False).returncode
