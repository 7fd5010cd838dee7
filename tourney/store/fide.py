"""The engine of FIDE's Dutch system (gacrux, the extra `fide`), run as a process of its own.

It prints and exits by itself, so it is never imported: it reads a TRF on stdin and writes JSON on stdout. Usually 0.3 s
for 200 players, with a rare heavy tail (22 s were seen for 500); hence the time limit.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import metadata
from importlib.util import find_spec
from typing import Any

from tourney.errors import TourneyError
from tourney.pairing.dutch import EngineQuestion

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

    Raises TourneyError if the extra `fide` is not installed, if the rules allow no round at all, if the engine takes
    longer than `time_limit` seconds, and if it refuses the file or breaks.
    """
    if not question.playing:
        return ()
    _refuse_missing(engine)
    told = _ask(question, time_limit, engine)
    status = told.get("status", {})
    pairs = told.get("pairingResult", {}).get("pairs")
    if status.get("code") in _UNPAIRABLE and not pairs:
        raise TourneyError(
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


def _ask(question: EngineQuestion, time_limit: float, engine: str) -> dict[str, Any]:
    # -P keeps the current folder off the engine's path: a file of the same name there must not run instead.
    options = ("-i", "-", "-b", "ascii", "-F", "JSON", "-p", "-n", str(question.round), "-m", "dutch")
    try:
        ran = subprocess.run(  # noqa: S603  the program is this Python, the arguments are ours
            (sys.executable, "-P", "-m", engine, *options),
            input=question.text,
            capture_output=True,
            text=True,
            encoding="ascii",
            errors="replace",
            timeout=time_limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TourneyError(
            f"the Dutch engine did not answer for round {question.round} within {time_limit:g} seconds",
            "try again with more time, or pair this round by hand",
        ) from None
    return _read(question, ran)


def _read(question: EngineQuestion, ran: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    try:
        answer = json.loads(ran.stdout)
    except json.JSONDecodeError:
        answer = None
    if not isinstance(answer, dict):
        last = (ran.stderr.strip() or ran.stdout.strip() or "it said nothing").splitlines()[-1]
        raise TourneyError(f"the Dutch engine broke down in round {question.round}: {last}")
    return answer
