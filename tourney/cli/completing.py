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

from tourney.cli.output import visible
from tourney.cli.session import Session
from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.event.penalties import Infraction, Level, PenaltyList


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
def parts(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete the parts of a deck that the event may have for everybody."""
    from tourney.desk.shared_decks import sharable

    with session.desk() as desk:
        return [(part.id, part.name) for part in sharable(desk.rules.format)]


@_knowing
def post_names(*_: object) -> Iterable[tuple[str, str]]:
    """Complete the names that addresses are kept under."""
    from tourney.store.files import user_folder
    from tourney.store.outbox import Outbox

    return [(name, address.told) for name, address in Outbox(user_folder()).addresses().items()]


@_knowing
def tables(session: Session, incomplete: str) -> Iterable[tuple[str, str]]:
    """Complete the tables that are still playing, with who sits there; by a letter, the players themselves."""
    with session.desk() as desk:
        state = desk.state
    if state.round is None:
        return []
    playing = [state.round.tables[number] for number in state.round.playing]
    if incomplete and not incomplete[0].isdigit():
        return [
            (state.players[each].name, f"table {table.number}") for table in playing for each in table.seats
        ]
    return [
        (str(table.number), " – ".join(state.players[player].name for player in table.seats))
        for table in playing
    ]


@_knowing
def ends(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete how a game may end otherwise than by its score: the format's words, and those of any game."""
    from tourney.rules.scoring import USUAL_ENDS

    with session.desk() as desk:
        scoring = desk.scoring()
    known = USUAL_ENDS if scoring is None else scoring.ends.values()
    return [(end.word, end.says) for end in known]


@_knowing
def penalties(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete levels and infractions of the event's list of penalties."""
    rules = _penalty_list(session)
    return _as_words(*rules.levels, *rules.infractions)


@_knowing
def levels(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete the levels of the event's list of penalties."""
    return _as_words(*_penalty_list(session).levels)


@_knowing
def infractions(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete the infractions of the event's list of penalties."""
    return _as_words(*_penalty_list(session).infractions)


def _penalty_list(session: Session) -> PenaltyList:
    with session.desk() as desk:
        return desk.penalty_list()


def _as_words(*named: Level | Infraction) -> list[tuple[str, str]]:
    return [(each.name.replace(" ", "-"), each.means) for each in named]


@_knowing
def penalty_entries(session: Session, _: str) -> Iterable[tuple[str, str]]:
    """Complete the entries of the penalties that were given."""
    with session.desk() as desk:
        state = desk.state
    return [(str(each.entry), f"{state.players[each.player].name}: {each.kind}") for each in state.penalties]


@_knowing
def formats(session: Session, _: str) -> Iterable[str]:
    """Complete the names of the formats within reach."""
    return session.library().formats()


@_knowing
def games(session: Session, _: str) -> Iterable[str]:
    """Complete the games of those formats."""
    return sorted({name.partition("/")[0] for name in session.library().formats()})


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
