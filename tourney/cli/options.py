"""Options and arguments that several commands share, and how their words are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, time
from typing import Any, TypeVar

import click

from tourney.cli.completing import banlists, formats, players, profiles, tables
from tourney.decode import MOST_DIGITS, parse_toml
from tourney.errors import TourneyError

F = TypeVar("F", bound=Callable[..., Any])


def together(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Return one decorator for several options, which the help names in this order."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


# -- Who and where


who = click.argument("who", metavar="PLAYER", shell_complete=players)
"""One player: name, unambiguous prefix or #7."""

several = click.argument("who", metavar="PLAYER...", nargs=-1, required=True, shell_complete=players)
"""One player or more."""

table = click.argument("table", metavar="TABLE|PLAYER", shell_complete=tables)
"""A table: its number, or somebody who sits there."""


def all_or_named(everybody: str) -> Callable[[F], F]:
    """Take players by name, or --all of them with --except. everybody: the help of --all."""
    return together(
        click.argument("who", metavar="PLAYER...", nargs=-1, shell_complete=players),
        click.option("--all", "everybody", is_flag=True, help=everybody),
        click.option(
            "--except",
            "but",
            metavar="PLAYER",
            multiple=True,
            shell_complete=players,
            help="With --all: not this player; several times for several.",
        ),
    )


def check_all_or_named(who: Sequence[str], everybody: bool, but: Sequence[str]) -> None:
    """Raise UsageError where neither or both are said."""
    if bool(who) is everybody:
        raise click.UsageError(
            "name players, or say --all" if not who else "--all needs no names: --except takes some out"
        )
    if but and not everybody:
        raise click.UsageError("--except goes with --all")


# -- When and why


reason = click.option("--reason", metavar="TEXT", help="Why; kept with the entry and told by `event log`.")
"""Kept apart from the chain, so that it can be erased."""

round_number = click.option(
    "--round",
    "round_number",
    metavar="N",
    type=click.IntRange(min=1),
    help="Round N instead of the current one.",
)

at_entry = click.option(
    "--at", metavar="ENTRY", type=click.IntRange(min=1), help="As the event stood after that entry."
)
"""See `Session.look`."""


def dated(option: str, name: str, help_: str) -> Callable[[F], F]:
    """Return an option that takes a day (YYYY-MM-DD); the command gets a `date`."""
    return click.option(
        option,
        name,
        metavar="DAY",
        type=click.DateTime(["%Y-%m-%d"]),
        callback=lambda _, __, value: value.date() if value else None,
        help=help_,
    )


day_option = dated("--on", "on", "The day whose rules and ban list hold (YYYY-MM-DD); today by default.")


# -- Under which rules, on whose word


def format_option(help_: str, **more: Any) -> Callable[[F], F]:
    """Return `--format NAME|FILE`; `more` as click has it."""
    return click.option(
        "--format", "format_name", metavar="NAME|FILE", shell_complete=formats, help=help_, **more
    )


def banlist_option(help_: str) -> Callable[[F], F]:
    """Return `--banlist NAME|FILE|none`."""
    return click.option("--banlist", metavar="NAME|FILE|none", shell_complete=banlists, help=help_)


def profile_option(help_: str) -> Callable[[F], F]:
    """Return `--profile NAME|FILE`, the standings profile."""
    return click.option("--profile", metavar="NAME|FILE", shell_complete=profiles, help=help_)


def trust_declared(help_: str) -> Callable[[F], F]:
    """Return `--trust-declared`; help_: what is believed, and on whose word."""
    return click.option("--trust-declared", is_flag=True, help=help_)


VOUCHED = "Believe the facts a list declares where the pool knows nothing; you vouch for them by name."
"""The help of `--trust-declared` where lists are registered."""

anyway = click.option(
    "--anyway",
    is_flag=True,
    help="Register it though it is illegal, or decks are locked (the organizer's word).",
)
"""Of a list that is registered whatever stands against it."""

fetch_options = together(
    click.option(
        "--accept", is_flag=True, help="Take it even if it looks wrong: empty, shrunk, unknown names."
    ),
    click.option(
        "--insecure",
        is_flag=True,
        help="Allow http, and https servers whose certificate nobody vouches for.",
    ),
)


# -- How words are read


def pairs(given: Iterable[str], option: str, shape: str = "KEY=VALUE") -> dict[str, str]:
    """Read `KEY=VALUE` words. Raises click.UsageError for a word without `=`; `shape` is what it should be."""
    values = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise click.UsageError(f"{option} takes {shape}, not `{word}`")
        values[key.strip()] = value.strip()
    return values


def pairs_at_last(given: Iterable[str], option: str) -> dict[str, str]:
    """Read `KEY=VALUE` words whose key may hold a `=` itself. Raises click.UsageError for a word without one."""
    values = {}
    for word in given:
        key, equals, value = word.rpartition("=")
        if not equals or not key.strip():
            raise click.UsageError(f"{option} takes HEADER=WHAT, not `{word}`")
        values[key.strip()] = value.strip().lower()
    return values


BYE_KINDS = "awarded-bye, half-bye or absent"
"""What a round without a table can count as, in the words of `--bye`."""


def byes(given: Iterable[str]) -> dict[int, str]:
    """Read `ROUND=KIND` words. Raises click.UsageError where the round is no number."""
    from tourney.record import whole_from_text

    kinds = {}
    for number, kind in pairs(given, "--bye", "ROUND=KIND").items():
        try:
            kinds[whole_from_text(number, digits=MOST_DIGITS)] = kind
        except TourneyError:
            raise click.UsageError(f"--bye takes ROUND=KIND, not `{number}={kind}`") from None
    return kinds


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
        value: object = parse_toml(f"value = {text}", source="--set")["value"]
    except TourneyError:
        return text
    return text if isinstance(value, (date, time)) else value


def apart(given: Iterable[str]) -> dict[str, int]:
    """Read `KIND` or `KIND:ROUNDS` words: for how many first rounds those with an equal tag are kept apart (0: always).

    >>> apart(["club", "family:2"])
    {'club': 0, 'family': 2}
    """
    from tourney.record import whole_from_text

    rounds_apart = {}
    for word in given:
        kind, _, rounds = word.partition(":")
        try:
            rounds_apart[kind] = whole_from_text(rounds or "0", digits=MOST_DIGITS)
        except TourneyError:
            raise click.UsageError(f"--keep-apart takes KIND or KIND:ROUNDS, not `{word}`") from None
    return rounds_apart
