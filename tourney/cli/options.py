"""Options and arguments that several commands share: how they are read, and what the shell may complete them with."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from tourney.cli.output import visible
from tourney.cli.session import Session
from tourney.decode import MOST_DIGITS, parse_toml
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


def day_option(function: F) -> F:
    """Add `--on DAY`."""
    return dated("--on", "on", "The day whose rules and ban list hold (YYYY-MM-DD); today by default.")(
        function
    )


def pairs(given: Iterable[str], option: str, shape: str = "KEY=VALUE") -> dict[str, str]:
    """Read `KEY=VALUE` words. Raises click.UsageError for a word without `=`; `shape` is what it should be."""
    values = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise click.UsageError(f"{option} wants {shape}, not `{word}`")
        values[key.strip()] = value.strip()
    return values


def byes(given: Iterable[str]) -> dict[int, str]:
    """Read `ROUND=KIND` words. Raises click.UsageError where the round is no number."""
    kinds = {}
    for number, kind in pairs(given, "--bye", "ROUND=KIND").items():
        try:
            kinds[whole_from_text(number, digits=MOST_DIGITS)] = kind
        except TourneyError:
            raise click.UsageError(f"--bye wants ROUND=KIND, not `{number}={kind}`") from None
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
        return parse_toml(f"value = {text}", source="--set")["value"]
    except TourneyError:
        return text


def apart(given: Iterable[str]) -> dict[str, int]:
    """Read `KIND` or `KIND:ROUNDS` words: for how many first rounds those with an equal tag are kept apart (0: always).

    >>> apart(["club", "family:2"])
    {'club': 0, 'family': 2}
    """
    rounds_apart = {}
    for word in given:
        kind, _, rounds = word.partition(":")
        try:
            rounds_apart[kind] = whole_from_text(rounds or "0", digits=MOST_DIGITS)
        except TourneyError:
            raise click.UsageError(f"--keep-apart wants KIND or KIND:ROUNDS, not `{word}`") from None
    return rounds_apart


# -- What the shell may complete: the events here, and what an event and the data know. A completer never complains


Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def events(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the event files here; where none fits, files are the shell's business."""
    here = sorted(str(path) for path in Path().glob("*.tourney"))
    fitting = _items((name, None) for name in here if name.startswith(incomplete))
    return fitting or [CompletionItem(incomplete, type="file")]


def _knowing(words: Callable[[Session, str], Iterable[str | tuple[str, str]]]) -> Completer:
    """Make a completer of a function that may refuse: no event here means nothing to complete, not an error."""

    @wraps(words)
    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            fitting = [
                (word, None) if isinstance(word, str) else word for word in words(_session(ctx), incomplete)
            ]
        except (TourneyError, OSError):
            return []
        lowered = incomplete.casefold()
        return _items((word, note) for word, note in fitting if word.casefold().startswith(lowered))

    return complete


def _session(ctx: click.Context) -> Session:
    data = ctx.params.get("data")
    return Session(event_name=ctx.params.get("event"), data=Path(data) if data else None)


def _items(words: Iterable[tuple[str, str | None]]) -> list[CompletionItem]:
    """Return words, each with what is said beside it, as shells may be handed them.

    Click tells a shell its answer line by line: a word with a line end or another control character would be read as
    something else, and nobody can type it, so it is left out.
    """
    return [
        CompletionItem(_typed(word), help=note and " ".join(visible(note).split()))
        for word, note in words
        if visible(word) == word and not {"\n", "\t"} & set(word)
    ]


def _typed(word: str) -> str:
    """Return a word as it must be answered: bash, alone among the shells, does not quote what it is given.

    Two backslashes for one, because the `read` of click's script for bash takes one away.
    """
    if not os.environ.get("_TOURNEY_COMPLETE", "").startswith("bash"):
        return word
    return re.sub(r"([^\w\-./:@%+=,])", r"\\\1", word).replace("\\", "\\\\")


@_knowing
def players(session: Session, incomplete: str) -> Iterable[tuple[str, str]]:
    """Complete players by name, or by number after `#`."""
    with session.desk() as desk:
        registered = desk.state.players.values()
        if incomplete.startswith("#"):
            return [(f"#{player.id}", player.name) for player in registered]
        return [(player.name, f"#{player.id}") for player in registered]


@_knowing
def tables(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete the tables that are still playing, with who sits there."""
    with session.desk() as desk:
        state = desk.state
        if state.round is None:
            return []
        return [
            (
                str(number),
                " – ".join(state.players[player].name for player in state.round.tables[number].seats),
            )
            for number in state.round.playing
        ]


@_knowing
def formats(session: Session, _: str) -> Iterable[str]:
    """Complete the names of the formats within reach."""
    return session.library().formats()


@_knowing
def profiles(session: Session, _: str) -> Iterable[str]:
    """Complete the names of the standings profiles within reach."""
    return session.library().profiles()


@_knowing
def banlists(session: Session, _: str) -> Iterable[str]:
    """Complete the names of the ban lists within reach, and `none`."""
    return [*session.library().banlists(), "none"]


@_knowing
def pools(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete the names of the card pools within reach."""
    library = session.library()
    return [(name, library.pool(name).schema.name) for name in library.pools()]


@_knowing
def cards(session: Session, incomplete: str) -> Iterable[tuple[str, str]]:
    """Complete the names of cards in any pool, once there is a letter to go by."""
    library = session.library()
    games = library.pools() if incomplete else ()
    return [(name, game) for game in games for name in library.pool(game).names()]
