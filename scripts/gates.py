"""What `scripts/test` runs: each gate, and how it went."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import environment


def main() -> int:
    """Run each gate, all of them even when one fails, and return 0 only if all passed."""
    python = environment.python("test")
    options = {"--quick", "--long", "--coverage"} & set(sys.argv[1:])
    words = [word for word in sys.argv[1:] if word not in options]
    module = partial(environment.module, python)
    pytest = module("pytest", "-n", "auto", "--dist", "worksteal", "-q")
    doctests = module("pytest", "-q", "--doctest-modules")
    everything = {
        "lint": module("ruff", "check", "."),
        "format": module("ruff", "format", "--check", "."),
        "types": module("mypy"),
        "rooms": environment.script(python, python.with_name("lint-imports")),
        "unreached": module("vulture"),
        "doctests": [*doctests, "tourney"],
        "shipped data": module("tourney", "pool", "check"),
    }
    if "--quick" in options:
        rooms = [word for word in words if (environment.ROOT / "tests" / word).is_dir()]
        words = [word for word in words if word not in rooms]
        if not rooms and not words:
            rooms = _changed_rooms()
        print(f"rooms: {', '.join(rooms) or 'all'}")
        here = [f"tests/{room}" for room in rooms]
        modules = [f"tourney/{room}" for room in rooms if (environment.ROOT / "tourney" / room).is_dir()]
        gates = {name: everything[name] for name in ("lint", "format", "types")}
        gates |= {"doctests": [*doctests, *modules]} if modules else {}
        gates["tests"] = [*pytest, "-m", "not slow and not long and not browser", *here, *words]
    else:
        how = ["--hypothesis-profile", "fresh"] if "--long" in options else ["-m", "not long"]
        if "--coverage" in options:
            how += ["--cov", "--cov-report", "term:skip-covered"]
        gates = everything | {"tests": [*pytest, *how, *words]}
    # What this user has fetched or imported is not what is tested: the shipped data alone.
    with tempfile.TemporaryDirectory(prefix="tourney-test-", ignore_cleanup_errors=True) as nothing:
        os.environ["XDG_DATA_HOME"] = nothing
        failed = [name for name, command in gates.items() if not _passes(name, command)]
    print(f"\nfailed: {', '.join(failed)}" if failed else "\nall gates passed")
    return 1 if failed else 0


def _changed_rooms() -> list[str]:
    """Return the rooms of the files that differ from the last commit, or else that the last commit changed.

    None where nothing says so: no git, or a copy of the files without their history.
    """
    if shutil.which("git") is None:
        return []
    for asked in (["status", "--porcelain", "--no-renames"], ["diff", "--name-only", "HEAD~1", "HEAD"]):
        told = subprocess.run(
            ["git", *asked], cwd=environment.ROOT, capture_output=True, text=True, check=False
        )
        files = [Path(line[3:] if asked[0] == "status" else line) for line in told.stdout.splitlines()]
        rooms = {
            file.parts[1] for file in files if file.parts[0] in {"tourney", "tests"} and len(file.parts) > 2
        }
        if rooms:
            return sorted(room for room in rooms if (environment.ROOT / "tests" / room).is_dir())
    return []


def _passes(name: str, command: list) -> bool:
    print(f"\n== {name}", flush=True)
    start = time.monotonic()
    code = environment.run(*command)
    print(
        f"-- {name}: {'passed' if code == 0 else f'FAILED ({code})'} in {time.monotonic() - start:.0f} s",
        flush=True,
    )
    return code == 0
