"""What `scripts/test` runs: each gate, and how it went."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import environment


def main() -> int:
    """Run each gate, all of them even when one fails, and return 0 only if all passed."""
    python = environment.python("test")
    options = {"--quick", "--long", "--coverage"} & set(sys.argv[1:])
    words = [word for word in sys.argv[1:] if word not in options]
    module = partial(environment.module, python)
    # One worker more than processors: many tests wait for a server, a process or a time limit.
    processors = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    workers = str(processors + 1)
    pytest = module("pytest", "-n", workers, "--dist", "worksteal", "-q")
    doctests = module("pytest", "-q", "--doctest-modules")
    plain = ["-p", "no:terminal", "-o", "addopts=--import-mode=importlib"]
    is_new = not any((environment.ROOT / "tests").rglob("__pycache__/*-pytest-*.pyc"))
    compiling = module("pytest", *plain, "--collect-only") if is_new and "--quick" not in options else []
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
        rooms = [word for word in words if _tests_of(word)]
        words = [word for word in words if word not in rooms]
        if words and not words[0].startswith("-") and not Path(words[0].partition("::")[0]).exists():
            sys.stderr.write(f"error: there is no room or file `{words[0]}`; rooms are folders of `tests`\n")
            return 2
        if not rooms and not words:
            rooms = _changed_rooms()
        print(f"rooms: {', '.join(rooms) or 'all'}")
        here = [path for room in rooms for path in _tests_of(room)]
        modules = [f"tourney/{room}" for room in rooms if _has_doctests(environment.ROOT / "tourney" / room)]
        gates = {name: everything[name] for name in ("lint", "format", "types")}
        gates |= {"doctests": [*doctests, *modules]} if modules else {}
        gates["tests"] = [*pytest, "-m", "not slow and not long and not browser", *here, *words]
    else:
        how = ["--hypothesis-profile", "fresh"] if "--long" in options else ["-m", "not long"]
        if "--coverage" in options:
            how += ["--cov", "--cov-report", "term:skip-covered"]
        gates = everything | {"tests": [*pytest, *how, *words]}
    with tempfile.TemporaryDirectory(
        prefix="tourney-test-", dir=_memory(), ignore_cleanup_errors=True
    ) as folder:
        Path(folder).chmod(0o711)  # PostgreSQL runs as another user
        # The tests use the shipped data alone, not what this user has fetched or imported.
        os.environ["XDG_DATA_HOME"] = str(Path(folder, "data"))
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", folder)
        # Without bytecode, each command that a test starts would compile the program again.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        failed = _failed(gates, compiling)
    print(f"\nfailed: {', '.join(failed)}" if failed else "\nall gates passed")
    return 1 if failed else 0


def _memory() -> str | None:
    """Return the folder that Linux keeps in memory.

    Returns None if it has no room or runs no programs.

    Events sync each entry to the disk, and the tests write thousands of events. Whether an event is synced
    in the right order is tested with strace, which sees the same calls in memory.
    """
    folder = "/dev/shm"
    if not os.access(folder, os.W_OK):
        return None
    space = os.statvfs(folder)
    has_room = space.f_bavail * space.f_frsize > 4 << 30
    return folder if has_room and not space.f_flag & os.ST_NOEXEC else None


def _has_doctests(folder: Path) -> bool:
    return any(">>> " in path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))


def _tests_of(room: str) -> list[str]:
    """Return the folder or the file with the tests of a room; empty if there is none."""
    return [path for path in (f"tests/{room}", f"tests/test_{room}.py") if (environment.ROOT / path).exists()]


def _changed_rooms() -> list[str]:
    """Return the rooms of the files that differ from the last commit.

    If there are none, return the rooms that the last commit changed.

    Empty without git, or in a copy of the files without their history.
    """
    if shutil.which("git") is None:
        return []
    for command in (["status", "--porcelain", "--no-renames"], ["diff", "--name-only", "HEAD~1", "HEAD"]):
        done = subprocess.run(
            ["git", *command], cwd=environment.ROOT, capture_output=True, text=True, check=False
        )
        files = [Path(line[3:] if command[0] == "status" else line) for line in done.stdout.splitlines()]
        names = {file.parts[1] for file in files if file.parts[0] in {"tourney", "tests"}}
        if names:
            rooms = {name.removeprefix("test_").removesuffix(".py") for name in names}
            return sorted(room for room in rooms if _tests_of(room))
    return []


def _failed(gates: dict[str, list], compiling: list) -> list[str]:
    """Run the tests, and beside them the other gates one by one.

    compiling: a command to run before the tests in a new checkout, where each worker would compile all of
               them; empty otherwise

    Returns the names of those that failed.
    """
    beside = {name: command for name, command in gates.items() if name != "tests"}
    running: list[subprocess.Popen[str]] = []
    with ThreadPoolExecutor(1) as executor:
        reports = {name: executor.submit(_report, command, running) for name, command in beside.items()}
        try:
            print("\n== tests", flush=True)
            start = time.monotonic()
            if compiling:
                environment.run(*compiling)
            codes = {"tests": environment.run(*gates["tests"], has_workers=True)}
            _print_end("tests", codes["tests"], time.monotonic() - start)
            for name, report in reports.items():
                codes[name], output, seconds = report.result()
                print(f"\n== {name}\n{output}", end="")
                _print_end(name, codes[name], seconds)
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            for process in running:
                process.kill()
            raise
    return [name for name in gates if codes[name]]


def _report(command: list, running: list[subprocess.Popen[str]]) -> tuple[int, str, float]:
    """Run a gate; return its exit code, its output and the seconds that it took.

    running: gets the process, so that it can be ended
    """
    start = time.monotonic()
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=environment.ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    running.append(process)
    output, _ = process.communicate()
    return process.returncode, output, time.monotonic() - start


def _print_end(name: str, code: int, seconds: float) -> None:
    print(f"-- {name}: {f'FAILED ({code})' if code else 'passed'} in {seconds:.0f} s", flush=True)
