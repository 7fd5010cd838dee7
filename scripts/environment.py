"""The checkout's own virtual environment.

It is made on first use, and renewed when pyproject.toml changes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)
INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended."""


def folder(extra: str = "") -> Path:
    """Return the environment's folder.

    It is `$TOURNEY_VENV`, or one for users and one with the test tools.
    """
    named = os.environ.get("TOURNEY_VENV")
    return Path(named) if named else ROOT / (f".venv-{extra}" if extra else ".venv")


def python(extra: str = "") -> Path:
    """Return the environment's interpreter, making or renewing the environment first.

    `extra` names the optional dependencies to install (`test`), none for what a user needs.
    """
    import hashlib

    if sys.version_info < OLDEST:
        sys.exit(f"error: Python 3.11 or newer is needed, this is {sys.version.split()[0]}")
    home = folder(extra)
    interpreter = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = home / "installed-from"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + extra.encode()).hexdigest()
    if not (interpreter.exists() and stamp.exists() and stamp.read_text() == wanted):
        sys.stderr.write(f"making the environment {home.name} (once; needs a package index)\n")
        target = f"{ROOT}[{extra}]" if extra else str(ROOT)
        try:
            if not interpreter.exists():
                import venv

                venv.create(home, with_pip=True)
            installed = run(interpreter, "-m", "pip", "install", "--quiet", "--editable", target)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        if installed:
            sys.exit(f"error: {home} could not be made: pip exited with {installed}, see above")
        stamp.write_text(wanted)
    return interpreter


def play(interpreter: Path, script: Path, *words: str, cwd: Path = ROOT) -> int:
    """Run a script of this folder under another interpreter.

    Ctrl-C ends it without a traceback.
    """
    return run(*_quietly(interpreter, "", script, *words), cwd=cwd)


def script(interpreter: Path, path: Path, *words: str) -> list[str | Path]:
    """Return the command that runs a Python script, which Ctrl-C ends without a traceback."""
    return _quietly(interpreter, "", path, *words)


def module(interpreter: Path, name: str, *words: str) -> list[str | Path]:
    """Return the command that runs a module as `python -m` does.

    Ctrl-C ends the command without a traceback.
    """
    return _quietly(interpreter, name, name, *words)


def _quietly(interpreter: Path, name: str, *words: str | Path) -> list[str | Path]:
    return [interpreter, "-c", _QUIETLY, name, *words]


_QUIETLY = f"""
interrupts = []
try:
    import os, runpy, signal, sys

    def interrupt(number, frame):
        interrupts.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    del sys.argv[0]
    name = sys.argv.pop(0)
    sys.path[0] = os.getcwd() if name else os.path.dirname(os.path.abspath(sys.argv[0]))
    if name:
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(sys.argv[0], run_name="__main__")
except BaseException as end:
    # What was interrupted may end by another exception: a panic in compiled code, a warning that is an error.
    if not interrupts and not isinstance(end, KeyboardInterrupt):
        raise
    raise SystemExit({INTERRUPTED}) from None
"""


def run(*command: str | Path, cwd: Path = ROOT, has_workers: bool = False) -> int:
    """Run a command with our output and return its exit code.

    Ctrl-C ends the command, and then us.

    has_workers: the command starts worker processes. A terminal sends Ctrl-C to all processes at once, and a
                 worker that is starting would show a traceback. So the command runs in a new session, and
                 only it gets the signal.
    """
    import signal
    import subprocess

    sys.stdout.flush()
    # An interrupt while the command starts must not leave it without a parent.
    interrupts: list[int] = []
    previous = signal.signal(signal.SIGINT, lambda number, frame: interrupts.append(number))
    try:
        process = subprocess.Popen([str(word) for word in command], cwd=cwd, start_new_session=has_workers)
    finally:
        signal.signal(signal.SIGINT, previous)
    try:
        if interrupts:
            signal.default_int_handler(signal.SIGINT, None)
        return process.wait()
    except KeyboardInterrupt:
        if has_workers:
            process.send_signal(signal.SIGINT)
        process.wait()
        sys.exit(INTERRUPTED)
