"""The engine of FIDE's Dutch system (gacrux, the extra `fide`), run as a process of its own.

It prints and exits by itself, so it is never imported: it reads a TRF on stdin and writes JSON on stdout. Usually 0.3 s
for 200 players, with a rare heavy tail (22 s were seen for 500); hence the time limit.

For simulations, which ask thousands of times, a process is kept that runs it again and again (`again.py`): a round of 16
players then takes 0.01 s, not 0.3.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, Timer
from typing import Any, NamedTuple

from tourney.errors import TourneyError
from tourney.pairing.dutch import EngineQuestion
from tourney.pairing.pairing import NoRoundError

TIME_LIMIT = 120.0
"""Seconds the engine may take for one round."""

_UNPAIRABLE = (2, 505)
"""Status of the engine when no bracket, or not even the whole field, can be paired."""

_ENGINE = "gacrux.pairingchecker"


def dutch_pairs(
    question: EngineQuestion, *, time_limit: float = TIME_LIMIT, engine: str = _ENGINE
) -> tuple[tuple[int, int], ...]:
    """Return the round's pairs as pairing numbers: first side first, 0 for the bye.

    engine: the Python module that is run; it has to understand gacrux' options.

    Raises NoRoundError if the rules allow no round at all, and TourneyError if the extra `fide` is not installed, if the
    engine takes longer than `time_limit` seconds, and if it refuses the file or breaks.
    """
    if not question.playing:
        return ()
    _refuse_missing(engine)
    return _pairs(question, _ask(question, time_limit, engine))


def dutch_pairs_kept(
    question: EngineQuestion, *, time_limit: float = TIME_LIMIT, engine: str = _ENGINE
) -> tuple[tuple[int, int], ...]:
    """Return the same, of a process that is kept for the next question; it ends with this one, or sooner by `end_kept`."""
    if not question.playing:
        return ()
    with _lock:
        if engine not in _kept:
            _refuse_missing(engine)
            _kept[engine] = _Kept(engine)
        try:
            told = _kept[engine].ask(question, time_limit)
        except (
            BaseException
        ):  # what it was asked last may still be answered, so that nothing else can be asked
            _kept.pop(engine).end()
            raise
    return _pairs(question, told)


def end_kept() -> None:
    """End the processes that are kept."""
    with _lock:
        while _kept:
            _kept.popitem()[1].end()


def _pairs(question: EngineQuestion, told: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    status = told.get("status", {})
    pairs = told.get("pairingResult", {}).get("pairs")
    if status.get("code") in _UNPAIRABLE and not pairs:
        raise NoRoundError(
            f"round {question.round} cannot be paired: every round would need a rematch, a second bye, or two players "
            "at one table who both must have the same side",
            "FIDE leaves this to the arbiter: pair this round by hand, or end the event after "
            f"round {question.round - 1}",
        )
    if status.get("code") != 0 or not pairs:
        reasons = "; ".join(map(str, status.get("error", []))) or "no reason given"
        raise TourneyError(f"the Dutch engine refused round {question.round}: {reasons}")
    return tuple((int(white), int(black)) for white, black in pairs)


def version(engine: str = _ENGINE) -> str:
    """Return name and version of the engine (`gacrux 1.11.65`); empty where it is not installed."""
    package = engine.partition(".")[0]
    try:
        return f"{package} {metadata.version(package)}"
    except metadata.PackageNotFoundError:
        return ""


def _refuse_missing(engine: str) -> None:
    if find_spec(engine.partition(".")[0]) is None:
        raise TourneyError(
            "the Dutch system needs the extra `fide`, which is not installed",
            f"{sys.executable} -m pip install 'tourney[fide]'",
        )


def _options(question: EngineQuestion) -> tuple[str, ...]:
    return ("-i", "-", "-b", "ascii", "-F", "JSON", "-p", "-n", str(question.round), "-m", "dutch")


def _ask(question: EngineQuestion, time_limit: float, engine: str) -> dict[str, Any]:
    # -P keeps the current folder off the engine's path: a file of the same name there must not run instead.
    try:
        ran = subprocess.run(  # noqa: S603  the program is this Python, the arguments are ours
            (sys.executable, "-P", "-m", engine, *_options(question)),
            input=question.text,
            capture_output=True,
            text=True,
            encoding="ascii",
            errors="replace",
            timeout=time_limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _too_slow(
            question, time_limit, "try again with more time, or pair this round by hand"
        ) from None
    return _read(question, _Said(ran.stdout, ran.stderr))


class _Kept:
    """A process that runs the engine for one question after the other."""

    def __init__(self, engine: str) -> None:
        self.process = subprocess.Popen(  # noqa: S603  the program is this Python, the arguments are ours
            (sys.executable, "-P", str(Path(__file__).with_name("again.py")), engine),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="ascii",
        )

    def ask(self, question: EngineQuestion, time_limit: float) -> dict[str, Any]:
        """Return what it answers."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        late = Timer(time_limit, self.process.kill)
        late.start()
        try:
            self.process.stdin.write(json.dumps([question.text, _options(question)]) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except OSError:
            line = ""
        finally:
            running = late.is_alive()
            late.cancel()
        if not line:
            if running:
                raise _broke_down(question, "it was ended from outside")
            raise _too_slow(
                question, time_limit, "`tourney forecast cut` tells what is proved, and asks no engine"
            )
        return _read(question, _Said(*json.loads(line)))

    def end(self) -> None:
        """End it."""
        self.process.kill()
        self.process.communicate()


_kept: dict[str, _Kept] = {}
"""The processes that are kept, one an engine; whoever asks from several threads waits."""

_lock = Lock()

atexit.register(end_kept)


class _Said(NamedTuple):
    """What the engine wrote."""

    stdout: str
    stderr: str


def _read(question: EngineQuestion, said: _Said) -> dict[str, Any]:
    try:
        answer = json.loads(said.stdout)
    except json.JSONDecodeError:
        answer = None
    if not isinstance(answer, dict):
        last = (said.stderr.strip() or said.stdout.strip() or "it said nothing").splitlines()[-1]
        raise _broke_down(question, last)
    return answer


def _broke_down(question: EngineQuestion, why: str) -> TourneyError:
    return TourneyError(f"the Dutch engine broke down in round {question.round}: {why}")


def _too_slow(question: EngineQuestion, time_limit: float, hint: str) -> TourneyError:
    return TourneyError(
        f"the Dutch engine did not answer for round {question.round} within {time_limit:g} seconds",
        hint,
    )
