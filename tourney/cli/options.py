"""Options and arguments that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from tourney.cli.completers import players
from tourney.door import MOST_DIGITS, parse_toml
from tourney.errors import TourneyError
from tourney.record import whole_from_text

F = TypeVar("F", bound=Callable[..., Any])


def reason(function: F) -> F:
    """Add `--reason TEXT`; kept with the entry, apart from the chain."""
    return click.option("--reason", metavar="TEXT", help="Why; kept with the entry and told by `event log`.")(
        function
    )


def who(function: F) -> F:
    """Add one player: name, unambiguous prefix or #7."""
    return click.argument("who", metavar="PLAYER", shell_complete=players)(function)


def several(function: F) -> F:
    """Add one player or more."""
    return click.argument("who", metavar="PLAYER...", nargs=-1, required=True, shell_complete=players)(
        function
    )


def round_number(function: F) -> F:
    """Add `--round N`."""
    return click.option(
        "--round",
        "round_number",
        metavar="N",
        type=click.IntRange(min=1),
        help="Round N instead of the current one.",
    )(function)


def pairs(given: Iterable[str], option: str, shape: str = "KEY=VALUE") -> dict[str, str]:
    """Read `KEY=VALUE` words. Raises click.UsageError for a word without `=`; `shape` is what it should be."""
    found = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise click.UsageError(f"{option} wants {shape}, not `{word}`")
        found[key.strip()] = value.strip()
    return found


def byes(given: Iterable[str]) -> dict[int, str]:
    """Read `ROUND=KIND` words. Raises click.UsageError where the round is no number."""
    found = {}
    for number, kind in pairs(given, "--bye", "ROUND=KIND").items():
        try:
            found[whole_from_text(number, digits=MOST_DIGITS)] = kind
        except TourneyError:
            raise click.UsageError(f"--bye wants ROUND=KIND, not `{number}={kind}`") from None
    return found


def settings(given: Iterable[str]) -> dict[str, Any]:
    """Read `KEY=VALUE` words as settings: a number, true, false, a TOML value, else text; `none` is nothing.

    >>> settings(["best_of=3", "draws=false", "late=half-bye", "rounds=none"])
    {'best_of': 3, 'draws': False, 'late': 'half-bye', 'rounds': None}
    """
    return {key: _value(value) for key, value in pairs(given, "--set").items()}


def _value(text: str) -> object:
    if text.lower() in {"none", ""}:
        return None
    try:
        return parse_toml(f"value = {text}", source="--set")["value"]
    except TourneyError:
        return text


def apart(given: Iterable[str]) -> dict[str, int]:
    """Read `KIND` or `KIND:ROUNDS` words: for how many first rounds those with an equal tag are kept apart (0: always).

    >>> apart(["club", "family:2"])
    {'club': 0, 'family': 2}
    """
    found = {}
    for word in given:
        kind, _, rounds = word.partition(":")
        try:
            found[kind] = whole_from_text(rounds or "0", digits=MOST_DIGITS)
        except TourneyError:
            raise click.UsageError(f"--keep-apart wants KIND or KIND:ROUNDS, not `{word}`") from None
    return found
