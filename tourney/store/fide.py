"""Run the engine of FIDE's Dutch system (gacrux, the extra `fide`) in its own process.

The engine prints its answer and exits, so it cannot be imported. It reads a TRF (Tournament Report File) from
stdin and writes JSON to stdout. A round of 200 players usually takes 0.3 s, but a round of 500 players once
took 22 s, so the time is limited.

With `again.py`, one process can run the engine many times. Simulations pair thousands of rounds, so they keep
the process alive; a round of 16 players then takes 0.01 s.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from contextlib import suppress
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, Timer
from typing import Any

from tourney.errors import TourneyError
from tourney.pairing.dutch import EngineQuestion
from tourney.pairing.pairing import NoRoundError

TIME_LIMIT = 120.0
"""The maximum number of seconds that the engine can take for one round."""

_UNPAIRABLE = (2, 505)
"""The engine's status codes for a score bracket, or a whole round, that cannot be paired."""

_ENGINE = "gacrux.pairingchecker"


def dutch_pairs(
    question: EngineQuestion, *, time_limit: float = TIME_LIMIT, engine: str = _ENGINE
) -> tuple[tuple[int, int], ...]:
    """Return the round's pairs as pairing numbers, White first; 0 is the opponent of a bye.

    time_limit: in seconds
    engine:     the Python module to run; it must understand the options of gacrux

    Raises NoRoundError if the rules do not allow any round. Raises TourneyError if the extra `fide` is not
    installed, or if the engine is too slow, refuses the file or crashes.
    """
    if not question.playing:
        return ()
    process = _Process(engine)
    try:
        return _pairs(question, process.ask(question, time_limit))
    finally:
        process.end()


def dutch_pairs_kept(
    question: EngineQuestion, *, time_limit: float = TIME_LIMIT, engine: str = _ENGINE
) -> tuple[tuple[int, int], ...]:
    """Return the same as `dutch_pairs`, but use a process that stays alive until `end_kept`."""
    if not question.playing:
        return ()
    with _lock:
        if engine not in _processes:
            _processes[engine] = _Process(engine)
        try:
            answer = _processes[engine].ask(question, time_limit)
        except BaseException:  # a late answer to this question could be read as the answer to the next one
            _processes.pop(engine).end()
            raise
    return _pairs(question, answer)


def end_kept() -> None:
    """End the processes that `dutch_pairs_kept` keeps alive."""
    with _lock:
        while _processes:
            _processes.popitem()[1].end()


def _pairs(question: EngineQuestion, answer: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    status = answer.get("status", {})
    pairs = answer.get("pairingResult", {}).get("pairs")
    if status.get("code") in _UNPAIRABLE and not pairs:
        raise NoRoundError(
            f"round {question.round} cannot be paired: any pairing would need a rematch,"
            " a second bye, or a table with two players who must both have the same side",
            "FIDE leaves this to the arbiter: pair this round by hand, or end the event after "
            f"round {question.round - 1}",
        )
    if status.get("code") != 0 or not pairs:
        reasons = "; ".join(map(str, status.get("error", []))) or "no reason given"
        raise TourneyError(f"the Dutch engine refused round {question.round}: {reasons}")
    return tuple((int(white), int(black)) for white, black in pairs)


def version(engine: str = _ENGINE) -> str:
    """Return the engine's name and version (`gacrux 1.11.65`); empty if it is not installed."""
    package = engine.partition(".")[0]
    try:
        return f"{package} {metadata.version(package)}"
    except metadata.PackageNotFoundError:
        return ""


class _Process:
    """A process that stays alive and runs the pairing engine again for each round to pair."""

    def __init__(self, engine: str) -> None:
        if find_spec(engine.partition(".")[0]) is None:
            raise TourneyError(
                "the Dutch system needs the extra `fide`, which is not installed",
                f"{sys.executable} -m pip install 'tourney[fide]'",
            )
        # -P, because a file of the same name in the current folder must not run instead.
        self.process = subprocess.Popen(  # noqa: S603  the program is this Python, the arguments are ours
            (sys.executable, "-P", str(Path(__file__).with_name("again.py")), engine),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="ascii",
        )

    def ask(self, question: EngineQuestion, time_limit: float) -> dict[str, Any]:
        """Return the JSON that the engine writes. Raises TourneyError if it writes none.

        time_limit: in seconds
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        options = ("-i", "-", "-b", "ascii", "-F", "JSON", "-p", "-n", str(question.round), "-m", "dutch")
        timer = Timer(time_limit, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(json.dumps([question.text, options]) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except OSError:
            line = ""
        finally:
            in_time = timer.is_alive()
            timer.cancel()
        if not line and not in_time:
            raise TourneyError(
                f"the Dutch engine did not answer for round {question.round} within {time_limit:g} seconds",
                "pair this round by hand; `tourney forecast cut` shows what is certain, without the engine",
            )
        stdout, stderr = json.loads(line) if line else ("", "it was killed")
        with suppress(json.JSONDecodeError):
            if isinstance(answer := json.loads(stdout), dict):
                return answer
        last = (stderr.strip() or stdout.strip() or "no output").splitlines()[-1]
        raise TourneyError(f"the Dutch engine crashed in round {question.round}: {last}")

    def end(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.communicate()


_processes: dict[str, _Process] = {}
"""Engine → the process that is kept alive. With `_lock`, only one thread asks at a time."""

_lock = Lock()

atexit.register(end_kept)
