"""What modules such as `players` and `rounds` share: kinds of entries, decisions and checks.

An `EntryKind` has the functions of a kind of entry. `EventChange` is the input of a function that decides a
change, and `Decision` its result. A `Mark` names a part of the event that some entries set and later entries
depend on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import Entry, Sealing, Texts, display_text, players_of
from tourney.event.names import also_meant, find, find_all
from tourney.event.ops import Op, Ref
from tourney.event.phrases import result_line, still_playing
from tourney.event.settings import LAST_TABLE
from tourney.event.state import Entered, Player, Round, State, StateDraft
from tourney.event.titles import round_title
from tourney.record import PlayerId
from tourney.wording import counted, listed, listed_short, verb

if TYPE_CHECKING:
    from tourney.rules.scoring import Scoring, Unscored

_LONGEST_NOTE = 500
"""The maximum number of characters in a note on an entry, such as a reason."""

Mark = tuple[Any, ...]
"""A name for a part of the event that some entries set and that later entries depend on.

An undo compares marks to find the entries that depend on the undone one. A kind of entry gives its marks as
patterns over the fields of the op (`EntryKind`). Each row of this table has up to three patterns, and then
the parts of the event in the same order.

| pattern                                                 | part of the event                                |
|---------------------------------------------------------|--------------------------------------------------|
| `player {player}`                                       | the player's registration                        |
| `name {player}` `deck {player}` `penalties {player}`    | the player's name; deck; penalties               |
| `fact {player} {fact}` `wish {cancelled}`               | another fact of the player; a requested bye      |
| `presence {player}` `here {player}` `waived {player}`   | drop and return; check-in; waiver of the list    |
| `round {round}` `released {round}` `clock {round}`      | the round's pairing; its release; its clock      |
| `table {round} {table}` `bye {round} {player}`          | a table's seats and result; a bye                |
| `edits {round}` `drawn {round}` `agreed {round} {zone}` | the edits; deck checks; a list agreed at a table |
| `cut` `shared {zone}`                                   | the bracket; a list that all players play with   |
| `setting {key}` `rules`                                 | a setting, or the event's name; the rule files   |
| `field` `beacon` `open`                                 | `FIELD`; the public value of seeds; `OPEN`       |
"""

Marks = frozenset[Mark]
"""A set of marks."""

FIELD: Mark = ("field",)
"""The players and their results so far, which pairings and cuts depend on."""

OPEN: Mark = ("open",)
"""The mark for whether the event is open or closed. Most kinds of entries depend on it."""


FindGame = Callable[[], "Scoring | Unscored"]
"""A function that returns the rules by which a game of the event is won.

It is called only when these rules are needed, because it may have to load them.
"""


def no_game() -> Unscored:
    """Return the rules by which a game is won if its format has no rules about scores."""
    from tourney.rules.scoring import Unscored

    return Unscored()


class EventChange(Struct, frozen=True):
    """A change to be decided: the first argument of the functions that return a `Decision`.

    state:     the event
    seal:      returns the ref (salted digest) that the new entry has in place of a personal text; the default
               has no random salt, and is only for a change that is not written
    notes:     notes about texts that could also mean another player; they become warnings
    entries:   the entries so far
    texts:     the texts of these entries, except decks and rules
    by:        the name that signs the new entry
    find_game: returns the rules by which a game of the event is won
    """

    state: State
    seal: Sealing = field(default_factory=lambda: Sealing(bytes))
    notes: list[str] = field(default_factory=list)
    entries: Sequence[Entry] = ()
    texts: Texts = field(default_factory=dict)
    by: str = ""
    find_game: FindGame = no_game

    def open_event(self) -> State:
        """Return the event. Raises TourneyError if it is closed."""
        open_event(self.state)
        return self.state

    def player(self, text: str | int) -> PlayerId:
        """Return the player that `text` names, as `names.find` does.

        If `text` may also mean another player, a note is added to `notes`.
        """
        player = find(self.state.players, text)
        self.note_others(text, player)
        return player

    def players(self, texts: Sequence[str | int]) -> tuple[PlayerId, ...]:
        """Return the players that `texts` name, as `names.find` does.

        A text that may also mean another player adds a note to `notes`.

        Raises TourneyError if `texts` is empty.
        """
        players = find_all(self.state.players, texts)
        for text, player in zip(texts, players, strict=True):
            self.note_others(text, player)
        return players

    def note_others(self, text: str | int, player: PlayerId) -> None:
        """Add a note if `text`, which was read as `player`, may also mean another player."""
        if other := also_meant(self.state.players, text, player):
            self.notes.append(other)

    def note(self, text: str | None, kind: str = "", noun: str = "reason") -> Ref | None:
        """Return the ref (salted digest) of a note on an entry; None if the note is empty.

        kind: the kind of text, as in `Sealing`
        noun: what an error message calls the note
        """
        return self.seal.maybe(checked_note(text, noun), kind)


class Decision(Struct, frozen=True, kw_only=True):
    """What a change writes: ops, or nothing if the same content was entered before.

    op:       the main op; None if there is nothing to write
    first:    an op to write before `op`, such as the one that makes a bracket or drops the no-shows; else
        None
    then:     ops to write after `op`, such as the one that starts the clock of a round
    already:  empty if the content is new. Otherwise a sentence, without a full stop, that it was entered
        before: `Mira is already checked in`. If `entered` is set, the sentence gives only the content:
        `Round 3, table 4: Mira 2–0 Tomo`
    entered:  when and by whom the same content was entered before; None if that is not known
    warnings: warnings for the organizer
    because:  the reasons for results that victory points decide: `34 reaches the goal of 30 (Win Condition,
        L17)`
    """

    op: Op | None = None
    first: Op | None = None
    then: tuple[Op, ...] = ()
    already: str = ""
    entered: Entered | None = None
    warnings: tuple[str, ...] = ()
    because: tuple[str, ...] = ()

    @classmethod
    def join(cls, decisions: Iterable[Decision]) -> Decision:
        """Return one `Decision` with the ops, warnings and reasons of several, in order.

        Its `op` is the first of these ops.
        """
        decisions = tuple(decisions)
        all_ops = [op for decision in decisions for op in decision.ops]
        return cls(
            op=all_ops[0] if all_ops else None,
            then=tuple(all_ops[1:]),
            warnings=tuple(warning for decision in decisions for warning in decision.warnings),
            because=tuple(dict.fromkeys(line for decision in decisions for line in decision.because)),
        )

    @property
    def ops(self) -> tuple[Op, ...]:
        """The ops to write to the journal, in order."""
        return tuple(op for op in (self.first, self.op, *self.then) if op is not None)


def open_event(state: State) -> None:
    """Raise TourneyError if the event is closed."""
    if state.closed:
        raise TourneyError("the event is closed", "`tourney event reopen` opens the event again")


def refuse_open_tables(state: State) -> None:
    """Raise TourneyError if a table of any round has no result."""
    waiting = state.open_round
    if waiting is not None:
        title = "" if waiting is state.round else f"{waiting.title}: "
        raise TourneyError(f"{title}{still_playing(waiting)}", result_line(state, waiting))


def player_of(state: State, player: PlayerId) -> Player:
    """Return a player. Raises TourneyError if no player has the number."""
    if player not in state.players:
        raise TourneyError(f"there is no player #{player}")
    return state.players[player]


def checked_table(number: int) -> int:
    """Return `number`. Raises TourneyError if no table can have this number."""
    if not 1 <= number <= LAST_TABLE:
        raise TourneyError(f"there is no table {number}: tables are numbered from 1 to {LAST_TABLE:,}")
    return number


def refuse_twice(players: Collection[PlayerId]) -> None:
    """Raise TourneyError if a player is named twice."""
    if len(set(players)) != len(players):
        raise TourneyError("a player was named twice")


def refuse_left(state: State, players: Iterable[PlayerId]) -> None:
    """Raise TourneyError if one of the players has left the event."""
    leavers = [state.players[player].name for player in players if not state.players[player].playing]
    if leavers:
        have = verb(leavers, "has", "have")
        raise TourneyError(f"{listed(leavers)} {have} left the event", "`tourney player return NAME`")


def refuse_after_cut(state: State, action: str) -> None:
    """Raise TourneyError if players can no longer join or return. action: `join` or `come back`."""
    if not state.joinable:
        is_bracket = state.settings.pairing.system == "elimination"
        stage_text = "the bracket is made" if is_bracket else "the cut was made"
        raise TourneyError(f"{stage_text}: no player can {action} any more")


def round_of(state: State, number: int | None) -> Round:
    """Return round `number`; None for the current round.

    Raises TourneyError if that round is not paired yet.
    """
    if not state.rounds:
        raise TourneyError("no round is paired yet", "`tourney round next`")
    if number is None:
        return state.rounds[-1]
    if not 1 <= number <= len(state.rounds):
        raise TourneyError(f"there is no round {number}: {counted(len(state.rounds), 'round')} paired so far")
    return state.rounds[number - 1]


def checked_note(note: str | None, noun: str = "reason") -> str | None:
    """Return a note on one line, or None if it is empty.

    noun: what the error calls the note

    Raises TourneyError if it is too long.
    """
    text = " ".join(filter(None, (line.strip() for line in (note or "").splitlines())))
    if len(text) > _LONGEST_NOTE:
        raise TourneyError(
            f"a {noun} may have at most {_LONGEST_NOTE} characters, but this one has {len(text)}"
        )
    return text or None


@contextmanager
def at_place(place: str) -> Iterator[None]:
    """Prefix the message of errors raised in the block with `place`, a file and line.

    If `place` is empty, the messages are unchanged.
    """
    try:
        yield
    except TourneyError as fault:
        if not place:
            raise
        raise TourneyError(f"{place}: {fault.message}", fault.hint) from None


class EventReading(NamedTuple):
    """The state, texts and entries of an event, with methods that describe them in words."""

    state: State = State()
    texts: Texts = MappingProxyType({})
    entries: Sequence[Entry] = ()

    def name(self, player: PlayerId) -> str:
        """Return a player's name.

        If the player's registration was undone, return the name in that registration.
        """
        if player in self.state.players:
            return self.state.players[player].name
        for entry in self.entries:
            if isinstance(entry.op, ops.PlayerAdded):
                for newcomer in entry.op.players:
                    if newcomer.id == player:
                        return self.texts.get(newcomer.name) or f"player {player}"
        return f"player {player}"

    def signer(self, by: Ref) -> str:
        """Return the name that signed an entry; for a player, the name and the number."""
        return signer(self.texts.get(by) or "a scorekeeper", self.state.players)

    def names(self, players: Sequence[PlayerId]) -> str:
        """Return players' names as a list in words. Of many players, name a few and count the rest."""
        return listed_short([self.name(player) for player in players])

    def title(self, number: int) -> str:
        """Return the title of a round: `Round 3`, `Semifinals`."""
        return (
            self.state.rounds[number - 1].title if number <= len(self.state.rounds) else round_title(number)
        )

    def plays(self, number: int) -> bool:
        """Return whether round `number` is paired, and at least one of its tables has no result."""
        return number <= len(self.state.rounds) and bool(self.state.rounds[number - 1].playing)

    def reason(self, ref: Ref | None) -> str:
        """Return a reason after a colon, as in `: slip misread`; empty if there is none."""
        reason = display_text(ref, self.texts)
        return f": {reason}" if reason else ""


class Footprint(NamedTuple):
    """The parts of the event that a journal entry sets, and the parts that it depends on.

    A `Mark` names each part, such as a player's name or the result of a table.

    makes: the parts that the entry sets
    needs: the parts that the entry depends on
    """

    makes: Marks
    needs: Marks


def signer(by: str, players: Mapping[PlayerId, Player]) -> str:
    """Return a signer's name as shown: that of a scorekeeper, or for a player `Mira Oake (#7)`.

    Players sign with their number, as in `#7`. A scorekeeper's name cannot be such a number
    (`tourney.event.names.clean_name`).
    """
    number = _NUMBER.fullmatch(by)
    player = players.get(PlayerId(int(number[1]))) if number else None
    return f"{player.name} ({by})" if player else by


_NUMBER = re.compile(r"#(\d{1,9})")


# -- checks of recorded ops: each yields descriptions of what is wrong


def named_twice(players: Iterable[PlayerId]) -> Iterator[str]:
    """Yield a fault for each player who is named more than once."""
    seen_players: set[PlayerId] = set()
    for player in players:
        if player in seen_players:
            yield f"player #{player} is named twice"
        seen_players.add(player)


def strangers(players: Iterable[PlayerId], draft: StateDraft) -> Iterator[str]:
    """Yield a fault for each player who is not registered."""
    for player in players:
        if player not in draft.players:
            yield f"there is no player #{player}"


def no_such_round(op: Any, draft: StateDraft) -> Iterator[str]:
    """Yield a fault if the round that `op` is about is not paired."""
    if not 1 <= op.round <= len(draft.rounds):
        yield f"there is no round {op.round}: the event has {counted(len(draft.rounds), 'round')}"


def no_fault(_op: Any, _draft: StateDraft | None = None) -> Iterator[str]:
    """Yield no fault, for ops that need no check."""
    return iter(())


# -- the row


Patterns = str | Callable[[Any], str]
"""Patterns of marks, or a function of an op that returns them; see `EntryKind`."""


def no_values(_op: Any) -> dict[str, Any]:
    """Return an empty mapping, the default of `EntryKind.values`.

    This is right if all names in braces in the kind's patterns are fields of the op, or `{players}`.
    """
    return {}


class EntryKind(NamedTuple):
    """A kind of entry: its struct `op`, and the functions that apply, describe and check it.

    A mark names a part of the event, such as a player's name or a table's result. A later op depends on an
    earlier one if it needs a part that the earlier one sets.

    apply:         applies the op to the draft of the event
    describe:      describes the entry in a sentence, without a full stop: `Round 3, table 4: Mira 2–0 Tomo`
    own:           patterns of the marks that the op both sets and depends on, because it replaces an earlier
                   value; or a function of the op that returns the patterns
    makes:         patterns of further marks that the op sets
    needs:         patterns of further marks that the op depends on
    values:        returns name → value for the names in the patterns that are not fields of the op
    faults:        yields descriptions of errors that are found in the op alone, without the event
    misfits:       yields descriptions of what the op names but the event does not have, such as a round. A
                   missing player is not described, because fold checks the players of every kind of entry
    in_closed:     whether the entry can also be made in a closed event
    by_players:    whether only players make the entry, for their own seat, so that an undo at the desk skips
                   it
    describe_each: describes the entry in several sentences, one for each table; None if one sentence is
                   enough

    Patterns have commas between them: `clock {round}, released {round}`. A name in braces is a field of the
    op. If the field has several values, there is a mark for each of them. `{players}` are all players that
    the op is about.
    """

    op: type[Op]
    apply: Callable[[StateDraft, Any, Entered, Texts], None]
    describe: Callable[[Any, EventReading], str]
    own: Patterns = ""
    makes: Patterns = ""
    needs: Patterns = ""
    values: Callable[[Any], dict[str, Any]] = no_values
    faults: Callable[[Any], Iterator[str]] = no_fault
    misfits: Callable[[Any, StateDraft], Iterator[str]] = no_fault
    in_closed: bool = False
    by_players: bool = False
    describe_each: Callable[[Any, EventReading], Sequence[str]] | None = None

    def footprint(self, op: Op) -> Footprint:
        """Return the parts of the event that an op of this kind sets, and those that it depends on.

        The parts are named by marks (see `Mark`).
        """
        values = self.values(op)
        own_marks, makes, needs = (
            _marks(op, patterns, values) for patterns in (self.own, self.makes, self.needs)
        )
        return Footprint(own_marks | makes, own_marks | needs)


def _marks(op: Op, patterns: Patterns, values: Mapping[str, Any]) -> Marks:
    marks: set[Mark] = set()
    for words in _words_of(patterns if isinstance(patterns, str) else patterns(op)):
        marks.update(product(*[_values(op, word, values) for word in words]))
    return frozenset(marks)


@cache
def _words_of(patterns: str) -> list[list[str]]:
    return [pattern.split() for pattern in patterns.split(", ") if pattern]


def _values(op: Op, word: str, values: Mapping[str, Any]) -> Iterable[Any]:
    """Return the values that replace a word of a pattern (see `EntryKind`) for an op.

    A word without braces is not changed. `{players}` is replaced by all players that the op is about. Another
    name in braces is replaced by its value in `values`, or else by the op's field with this name.
    """
    if word[0] != "{":
        return (word,)
    name = word[1:-1]
    if name == "players":
        return players_of(op)
    value = values[name] if name in values else getattr(op, name)
    return (value,) if isinstance(value, (int, str)) else value


def state_after(state: State, new_ops: Iterable[Op], kinds: Iterable[EntryKind]) -> State:
    """Return the event as it would be after the ops `new_ops`, without recording them.

    These ops must not undo an entry, delete texts, or depend on new texts. Ops of other kinds than `kinds`
    have no effect.
    """
    draft, effects = StateDraft(state), {kind.op: kind.apply for kind in kinds}
    for op in new_ops:
        if type(op) in effects:
            effects[type(op)](draft, op, Entered(state.entry + 1, "", ""), {})
    return draft.frozen(state.entry, state.digest)
