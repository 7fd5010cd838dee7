"""What can happen to an event: what each kind of entry has beside its form, and what the kinds share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import Entry, Texts, written
from tourney.event.ops import Op, Ref
from tourney.event.phrases import result_line, still_playing
from tourney.event.state import Entered, Player, Round, State, StateDraft
from tourney.record import PlayerId
from tourney.wording import counted, listed_short

_LONGEST_REASON = 500
"""Characters in a reason or a note."""

Mark = tuple[str | int, ...]
"""Something of the event that entries make and others need: an undo asks what was built on what.

| mark                                                      | what it is                                               |
|-----------------------------------------------------------|----------------------------------------------------------|
| `("player", id)`                                          | that the player is registered                            |
| `("name", id)` `("deck", id)` `("penalties", id)`         | what the player has of it                                |
| `("fact", id, field)` `("wish", id, round)`               | any other thing of the player; a bye that was asked for  |
| `("presence", id)` `("checked in", id)` `("waived", id)`  | whether the player is in; is here; goes without a list   |
| `("round", n)` `("released", n)` `("clock", n)`           | that the round is paired; is seen; when it began         |
| `("table", n, table)` `("bye", n, id)` `("edits", n)`     | who sits there and their result; who does not; the proof |
| `("drawn", n)` `("agreed", n, part, ids…)`                | the audit of a round; a list that a table agreed upon    |
| `("cut",)` `("shared", part)`                             | the bracket; a list that everybody plays                 |
| `("setting", key)` `("rules",)`                           | a setting, the name; what the event is judged by         |

and `FIELD`, `BEACON` and `OPEN` below.
"""

Marks = frozenset[Mark]
"""Several of them."""

FIELD: Mark = ("field",)
"""Who plays, and what they have done so far: what pairings and cuts are made from."""

BEACON: Mark = ("beacon",)
"""The public value that seeds wait for."""

OPEN: Mark = ("open",)
"""That the event takes entries: all but a few need what opened it."""

NO_MARKS: Marks = frozenset()
"""Nothing that anybody rests on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is to be written.

    op:       the entry; None where the same was entered before
    first:    an entry that goes before it (the bracket of an event that is nothing but a bracket, who did not show)
    then:     entries that go after it (the clock of a round that starts at once, decks of players known before)
    already:  what was entered before, in words, without the full stop: `Round 3, table 4: Mira 2–0 Tomo`
    entered:  when and by whom that was, where it is known
    warnings: what the organizer should know though it may be done
    because:  why it is so, in words: `34 reaches the goal of 30 (Win Condition, L17)`
    """

    op: Op | None = None
    first: Op | None = None
    then: tuple[Op, ...] = ()
    already: str = ""
    entered: Entered | None = None
    warnings: tuple[str, ...] = ()
    because: tuple[str, ...] = ()

    @property
    def ops(self) -> tuple[Op, ...]:
        """What is to be written, in its order."""
        return tuple(each for each in (self.first, self.op, *self.then) if each is not None)


def open_event(state: State) -> None:
    """Refuse changes to a closed event."""
    if state.closed:
        raise TourneyError("the event is closed", "`tourney event reopen` takes entries again")


def refuse_open_tables(state: State) -> None:
    """Refuse what takes the results as final while a table of any round has none."""
    waiting = state.open_round
    if waiting is not None:
        title = "" if waiting is state.round else f"{waiting.title}: "
        raise TourneyError(f"{title}{still_playing(waiting).removesuffix('.')}", result_line(state, waiting))


def player_of(state: State, player: PlayerId) -> Player:
    """Return a player. Raises TourneyError for a number nobody has."""
    if player not in state.players:
        raise TourneyError(f"there is no player #{player}")
    return state.players[player]


def round_of(state: State, number: int | None) -> Round:
    """Return round `number` (None: the current one). Raises TourneyError where it is not paired yet."""
    if not state.rounds:
        raise TourneyError("no round is paired yet", "`tourney round next`")
    if number is None:
        return state.rounds[-1]
    if not 1 <= number <= len(state.rounds):
        raise TourneyError(f"there is no round {number}: {len(state.rounds)} paired so far")
    return state.rounds[number - 1]


def checked_reason(reason: str | None) -> str | None:
    """Return a reason as it is kept, in one line, as it stands in sentences. Raises TourneyError where it is too long."""
    text = " ".join(filter(None, (line.strip() for line in (reason or "").splitlines())))
    if len(text) > _LONGEST_REASON:
        raise TourneyError(
            f"a reason may have at most {_LONGEST_REASON} characters, this one has {len(text)}"
        )
    return text or None


@contextmanager
def at_place(place: str) -> Iterator[None]:
    """Put the file and line in front of whatever is refused within."""
    try:
        yield
    except TourneyError as fault:
        if not place:
            raise
        raise TourneyError(f"{place}: {fault.message}", fault.hint) from None


class LogContext(NamedTuple):
    """What a sentence may need: the event (for names as they are now), the texts, and the other entries."""

    state: State
    texts: Texts
    entries: Sequence[Entry]

    def name(self, player: PlayerId) -> str:
        """Name a player; one whose registration was taken back by the name given then."""
        if player in self.state.players:
            return self.state.players[player].name
        for entry in self.entries:
            if isinstance(entry.op, ops.PlayerAdded):
                for newcomer in entry.op.players:
                    if newcomer.id == player:
                        return self.texts.get(newcomer.name) or f"player {player}"
        return f"player {player}"

    def signer(self, by: Ref) -> str:
        """Say who signed an entry; a player, who signs by number, by name."""
        return signer(self.texts.get(by) or "a scorekeeper", self.state.players)

    def names(self, players: Sequence[PlayerId]) -> str:
        """Name players, or count them where there are many."""
        return listed_short([self.name(player) for player in players])

    def title(self, number: int) -> str:
        """Name a round: `Round 3`, `Semifinals`."""
        return self.state.rounds[number - 1].title if number <= len(self.state.rounds) else f"Round {number}"

    def plays(self, number: int) -> bool:
        """Say whether tables of a round have no result yet."""
        return number <= len(self.state.rounds) and bool(self.state.rounds[number - 1].playing)

    def why(self, ref: Ref | None) -> str:
        """Say a reason, if there is one."""
        said = written(ref, self.texts)
        return f": {said}" if said else ""


class Footprint(NamedTuple):
    """The marks an entry makes, and those it needs."""

    makes: Marks
    needs: Marks


def marks(*marks: Mark) -> Marks:
    """Return a set of marks."""
    return frozenset(marks)


def player_marks(players: tuple[int, ...]) -> Marks:
    """Return the marks of players who are registered."""
    return frozenset(("player", player) for player in players)


def marks_of_fact(kind: str) -> Callable[[Any], Footprint]:
    """Return the footprint of ops that set one thing of one player, such as the name."""

    def both(op: Any) -> Footprint:
        return Footprint(marks((kind, op.player)), marks((kind, op.player), ("player", op.player)))

    return both


def marks_of_note(op: ops.PlayerCheckedIn | ops.DeckWaived) -> Footprint:
    """Return the footprint of ops that note something once of each player."""
    kind = "checked in" if isinstance(op, ops.PlayerCheckedIn) else "waived"
    made = frozenset((kind, player) for player in op.players)
    return Footprint(made, made | player_marks(op.players))


def no_footprint(_op: ops.Op) -> Footprint:
    """Make nothing and rest on nothing: for what cannot be taken back, or fits whatever was entered or taken back before it."""
    return Footprint(NO_MARKS, NO_MARKS)


def signer(by: str, players: Mapping[PlayerId, Player]) -> str:
    """Say who signed an entry: players sign by their number, and are told by their name, `Mira Oake (#7)`.

    No scorekeeper is called like a number: `tourney.event.names.clean_name` refuses it.
    """
    number = _NUMBER.fullmatch(by)
    player = players.get(PlayerId(int(number[1]))) if number else None
    return f"{player.name} ({by})" if player else by


_NUMBER = re.compile(r"#(\d{1,9})")


def names_nobody(op: Any) -> Iterator[str]:
    """Find an op that is about nobody, or about somebody twice."""
    if not op.players:
        yield "it is about nobody"
    yield from named_twice(op.players)


def named_twice(players: Iterable[PlayerId]) -> Iterator[str]:
    """Find whoever is named twice."""
    seen: set[PlayerId] = set()
    for each in players:
        if each in seen:
            yield f"player #{each} is named twice"
        seen.add(each)


def strangers(players: Iterable[PlayerId], draft: StateDraft) -> Iterator[str]:
    """Find players who are not registered."""
    for player in players:
        if player not in draft.players:
            yield f"there is no player #{player}"


def stranger(op: Any, draft: StateDraft) -> Iterator[str]:
    """Find an op about a player who is not registered."""
    yield from strangers((op.player,), draft)


def strangers_among(op: Any, draft: StateDraft) -> Iterator[str]:
    """Find an op about players who are not all registered."""
    yield from strangers(op.players, draft)


def no_such_round(op: Any, draft: StateDraft) -> Iterator[str]:
    """Find an op about a round that is not paired."""
    if not 1 <= op.round <= len(draft.rounds):
        yield f"there is no round {op.round} among {counted(len(draft.rounds), 'round')}"


def no_fault(_op: Any) -> Iterator[str]:
    """Find nothing wrong."""
    return iter(())


def no_misfit(_op: Any, _draft: StateDraft) -> Iterator[str]:
    """Find nothing that does not fit."""
    return iter(())


class EntryKind(NamedTuple):
    """Everything about one kind of entry but its form, which is `op` (`tourney.event.ops`).

    apply:     what it does to the event
    words:     it as a sentence, without a full stop: `Round 3, table 4: Mira 2–0 Tomo`
    footprint: what it makes and what it rests on, so that an undo knows what was built on what; `no_footprint` says that
               nothing can be
    alone:     what makes it mean nothing by itself, in words
    misfits:   what it says that the event before it does not have, in words
    whenever:  a closed event takes it, too
    by_players: only players enter it, for their own seat: never the last entry that a desk takes back
    lines:     the same as several sentences, where it is about several things that are read one by one
    """

    op: type[Op]
    apply: Callable[[StateDraft, Any, Entered, Texts], None]
    words: Callable[[Any, LogContext], str]
    footprint: Callable[[Any], Footprint]
    alone: Callable[[Any], Iterator[str]] = no_fault
    misfits: Callable[[Any, StateDraft], Iterator[str]] = no_misfit
    whenever: bool = False
    by_players: bool = False
    lines: Callable[[Any, LogContext], Sequence[str]] | None = None
