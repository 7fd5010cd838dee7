"""What the shell may complete: the events here, and what an event and the data know. A completer never complains."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from tourney.cli.streams import visible
from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.cli.session import Session

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
            found = [
                (word, None) if isinstance(word, str) else word for word in words(_session(ctx), incomplete)
            ]
        except (TourneyError, OSError):
            return []
        lowered = incomplete.casefold()
        return _items((word, said) for word, said in found if word.casefold().startswith(lowered))

    return complete


def _items(words: Iterable[tuple[str, str | None]]) -> list[CompletionItem]:
    """Return words, each with what is said beside it, as shells may be handed them.

    Click tells a shell its answer line by line: a word with a line end or another control character would be read as
    something else, and nobody can type it, so it is left out.
    """
    return [
        CompletionItem(_typed(word), help=said and " ".join(visible(said).split()))
        for word, said in words
        if visible(word) == word and not {"\n", "\t"} & set(word)
    ]


def _typed(word: str) -> str:
    """Return a word as it must be answered: bash, alone among the shells, does not quote what it is given.

    Two backslashes for one, because the `read` of click's script for bash takes one away.
    """
    if not os.environ.get("_TOURNEY_COMPLETE", "").startswith("bash"):
        return word
    return re.sub(r"([^\w\-./:@%+=,])", r"\\\1", word).replace("\\", "\\\\")


def _session(ctx: click.Context) -> Session:
    from tourney.cli.session import Session

    data = ctx.params.get("data")
    return Session(event_name=ctx.params.get("event"), data=Path(data) if data else None)


@_knowing
def players(session: Session, incomplete: str) -> Iterable[tuple[str, str]]:
    """Complete players by name, or by number after `#`."""
    with session.desk() as desk:
        known = desk.state.players.values()
        if incomplete.startswith("#"):
            return [(f"#{player.id}", player.name) for player in known]
        return [(player.name, f"#{player.id}") for player in known]


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
    found = [(name, game) for game in library.pools() for name in library.pool(game).names()]
    return found if incomplete else []
