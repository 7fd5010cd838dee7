"""What judges note: penalties by a list of levels and infractions, and decks drawn to be checked and checked at the table.

A list of penalties is data (`house.toml`); an entry says level, infraction and what the level costs in words of its own. So
no event needs to keep a list: what was given is read and counted without one, and nothing is worked out from a list
later. It only says what is usual, and when a repetition should be dearer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec

from tourney.cards.names import fold, nearest
from tourney.decode import from_toml
from tourney.errors import TourneyError
from tourney.event import ops, players, results
from tourney.event.entry import Sealing, Texts, in_brackets, written
from tourney.event.kind import (
    NO_MARKS,
    Decision,
    EntryKind,
    Footprint,
    LogContext,
    checked_reason,
    marks,
    named_twice,
    no_such_round,
    open_event,
    player_marks,
    player_of,
    round_of,
    stranger,
    strangers,
)
from tourney.event.names import clean_name
from tourney.event.ops import Loss
from tourney.event.phrases import in_a_sentence, names_of
from tourney.event.score import Report, SeatPlaces
from tourney.event.state import AuditDraw, Entered, Remark, Round, State, StateDraft
from tourney.record import Outcome, PlayerId, Table, games_needed
from tourney.wording import counted, listed, listed_short

if TYPE_CHECKING:
    from tourney.decks.history import Changed

# -- a list of penalties


_LONGEST_KIND = 60
"""Characters of a level and of an infraction."""


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How severe a penalty is. means: in a sentence; loss: what it costs beside the words."""

    name: str
    means: str = ""
    loss: Loss = ""


class Infraction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a penalty is given for. means: in a sentence; level: the one it usually has.

    absent: whoever gets it was not there, so that a match lost by it counts as not shown
    """

    name: str
    level: str
    means: str = ""
    absent: bool = False


class Upgrade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """That a penalty should be a harder one when it is repeated.

    times: from which one on, that one counted; same: whether only those for the same infraction count
    """

    level: str
    times: int
    to: str
    same: bool = False


class PenaltyList(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"levels": "level", "infractions": "infraction", "upgrades": "upgrade"}):  # fmt: skip
    """A list of penalties: levels, the mildest first, what they are given for, and when they are upgraded."""

    title: str
    levels: tuple[Level, ...]
    infractions: tuple[Infraction, ...] = ()
    upgrades: tuple[Upgrade, ...] = ()

    def level(self, named: str) -> Level:
        """Return a level by its name, or the beginning of it. Raises TourneyError with what there is."""
        return _named("level", named, {each.name: each for each in self.levels})

    def ruling(self, what: str, infraction: str | None = None) -> Ruling:
        """Return what is given where somebody says `what`: a level, or an infraction for the level it usually has.

        Case, hyphens and the end of a word do not matter: `game-loss`, `tard`. Raises TourneyError with what there is.
        """
        levels = {each.name: each for each in self.levels}
        infractions = {each.name: each for each in self.infractions}
        named = _named("infraction", infraction, infractions) if infraction is not None else None
        if not what.strip() and named is not None:
            return Ruling(_named("level", named.level, levels), named)
        if named is not None:
            return Ruling(_named("level", what, levels), named)
        both: dict[str, Level | Infraction] = {**infractions, **levels}
        meant = _named("level or infraction", what, both)
        if isinstance(meant, Infraction):
            return Ruling(_named("level", meant.level, levels), meant)
        return Ruling(meant, None)


class Ruling(NamedTuple):
    """A penalty as a judge says it."""

    level: Level
    infraction: Infraction | None

    @property
    def words(self) -> str:
        """The level, and for what: `game loss, tardiness`."""
        return ", ".join([self.level.name, *([self.infraction.name] if self.infraction else [])])

    @property
    def not_shown(self) -> bool:
        """Whether it is for not being there at all."""
        return self.infraction is not None and self.infraction.absent


_T = TypeVar("_T")


def _key(text: str) -> str:
    """Return what names are compared by: `Game-Loss` is `game loss`."""
    return fold(text.replace("-", " ").replace("_", " "))


def _named(what: str, text: str, known: Mapping[str, _T]) -> _T:
    """Return what is called `text`, or begins so and nothing else does."""
    key, keys = _key(text), {_key(name): name for name in known}
    if key in keys:
        return known[keys[key]]
    begun = [name for each, name in keys.items() if key and each.startswith(key)]
    if len(begun) == 1:
        return known[begun[0]]
    if begun:
        raise TourneyError(f"`{text}` may be {listed(begun, 'or')}", "type more of it")
    near = nearest(text, known)
    question = f"; did you mean `{near}`?" if near else ""
    raise TourneyError(
        f"there is no {what} `{text}` in the list of penalties{question}",
        "`tourney penalty rules` lists them" if known else "the list names none",
    )


def read_penalty_list(text: str, *, source: str) -> PenaltyList:
    """Read a list of penalties. Raises TourneyError with file and key path for what does not fit together."""
    read = from_toml(text, PenaltyList, source=source)
    if not read.levels:
        raise TourneyError(f"{source}: level: a list of penalties has one level at least")
    for key, names in (
        ("level", [each.name for each in read.levels]),
        ("infraction", [each.name for each in read.infractions]),
    ):
        _check_names(names, key, source)
    levels = {each.name for each in read.levels}
    for place, level in _levels_named(read):
        if level not in levels:
            raise TourneyError(
                f"{source}: {place}: there is no level `{level}`", f"there are {listed(levels)}"
            )
    for number, upgrade in enumerate(read.upgrades):
        if upgrade.times < 2:
            raise TourneyError(
                f"{source}: upgrade[{number}].times: {upgrade.times} is no repetition, it starts at 2"
            )
    return read


def _check_names(names: Sequence[str], key: str, source: str) -> None:
    seen: set[str] = set()
    for number, name in enumerate(names):
        try:
            clean = clean_name(name, what=key, longest=_LONGEST_KIND)
        except TourneyError as fault:
            raise TourneyError(f"{source}: {key}[{number}].name: {fault.message}", fault.hint) from None
        if clean != name or _key(name) in seen:
            said = f"`{name}` is there twice" if _key(name) in seen else f"write it `{clean}`"
            raise TourneyError(f"{source}: {key}[{number}].name: {said}")
        seen.add(_key(name))


def _levels_named(read: PenaltyList) -> Iterator[tuple[str, str]]:
    for number, infraction in enumerate(read.infractions):
        yield f"infraction[{number}].level", infraction.level
    for number, upgrade in enumerate(read.upgrades):
        yield f"upgrade[{number}].level", upgrade.level
        yield f"upgrade[{number}].to", upgrade.to


# -- penalties given


def history(state: State, player: PlayerId) -> tuple[Remark, ...]:
    """Return the penalties of a player in this event, the oldest first."""
    return tuple(each for each in state.penalties if each.player == player)


def upgraded(rules: PenaltyList, given: Sequence[Remark]) -> tuple[str, int] | None:
    """Return the level that the last of a player's penalties should be upgraded to, and how many of its level that makes.

    A penalty that was upgraded counts as each of the levels it had, too: it was given for that. Where several upgrades
    hold, the hardest. None where none does.
    """
    last = given[-1]
    level = _key(last.kind)
    hardness = {each.name: number for number, each in enumerate(rules.levels)}
    due = []
    for upgrade in rules.upgrades:
        if _key(upgrade.level) != level:
            continue
        alike = [
            each
            for each in given
            if level in map(_key, (*each.was, each.kind))
            and (not upgrade.same or (each.infraction and each.infraction == last.infraction))
        ]
        if len(alike) >= upgrade.times:
            due.append((upgrade.to, len(alike)))
    return max(due, key=lambda each: hardness[each[0]], default=None)


def give(
    state: State,
    player: PlayerId,
    ruling: Ruling,
    *,
    rules: PenaltyList,
    apply: bool = False,
    number: int | None = None,
    reason: str | None = None,
    seal: Sealing,
) -> Decision:
    """Give a player a penalty, in the current round or in round `number`.

    apply: enter what it costs, too, in an entry of its own after it: the table's result for the loss of the match, the
           disqualification. Where the very same penalty was noted in this round already, that alone is entered.
           Without it a warning says by which command that is done.
    """
    open_event(state)
    player_of(state, player)
    round_ = round_of(state, number) if number is not None else state.round
    op = ops.PenaltyGiven(
        player=player,
        level=ruling.level.name,
        round=round_.number if round_ else 0,
        infraction=ruling.infraction.name if ruling.infraction else "",
        loss=ruling.level.loss,
        reason=seal.maybe(checked_reason(reason), "penalty"),
    )
    remark = Remark(
        entry=0,
        player=player,
        round=op.round,
        kind=op.level,
        text=None,
        infraction=op.infraction,
        loss=op.loss,
    )
    warned = _upgrade_words(state, rules, (*history(state, player), replace(remark, entry=state.entry + 1)))
    if not apply:
        return Decision(op=op, warnings=(*_costs(state, round_, player, ruling), *warned))
    done = _applied(state, round_, player, ruling, seal)
    noted = [each for each in history(state, player) if _same_ruling(each, remark)]
    if noted:  # it was given without what it costs: now that is entered
        name = state.players[player].name
        if done.op is None:
            return Decision(already=f"The {op.level} of {name} (entry {noted[-1].entry}) applied")
        return Decision(
            op=done.op, warnings=(f"the penalty itself is entry {noted[-1].entry}", *done.warnings)
        )
    if done.op is None:
        return Decision(op=op, warnings=(f"entered before: {done.already}", *warned))
    return Decision(first=op, op=done.op, warnings=(*done.warnings, *warned))


def _same_ruling(one: Remark, other: Remark) -> bool:
    return (one.round, one.kind, one.infraction) == (other.round, other.kind, other.infraction)


def _upgrade_words(state: State, rules: PenaltyList, given: Sequence[Remark]) -> tuple[str, ...]:
    dearer = upgraded(rules, given)
    if dearer is None:
        return ()
    last, (to, number) = given[-1], dearer
    name = state.players[last.player].name
    return (
        f"that is {last.kind} no. {number} for {name} in this event; by the list it should be upgraded to {to}:"
        f" `tourney penalty upgrade {last.entry}`",
    )


def upgrade(
    state: State,
    number: int,
    level: Level | None,
    *,
    rules: PenaltyList,
    apply: bool = False,
    reason: str | None = None,
    seal: Sealing,
) -> Decision:
    """Make the penalty of entry `number` a harder one: `level`, or what the list says for its repetition.

    apply: enter what it costs now, too; as where penalties are given
    """
    open_event(state)
    given = next((each for each in state.penalties if each.entry == number), None)
    if given is None:
        raise TourneyError(
            f"entry {number} is not a penalty that stands", "`tourney penalty list` shows their entries"
        )
    name = state.players[given.player].name
    earlier = history(state, given.player)
    level = level or _by_the_list(rules, earlier[: earlier.index(given) + 1], name)
    infractions = {each.name: each for each in rules.infractions}
    infraction = infractions.get(given.infraction) or Infraction(given.infraction, level.name)
    ruling = Ruling(level, infraction if given.infraction else None)
    round_ = state.rounds[given.round - 1] if 0 < given.round <= len(state.rounds) else None
    if _key(level.name) == _key(given.kind):
        done = _applied(state, round_, given.player, ruling, seal) if apply else None
        if done is not None and done.op is not None:  # it was upgraded without what it costs
            return done
        return Decision(already=f"The penalty of {name} (entry {number}) is a {given.kind}")
    _refuse_milder(rules, given, level)
    op = ops.PenaltyUpgraded(
        player=given.player,
        entry=number,
        old_level=given.kind,
        level=level.name,
        loss=level.loss,
        reason=seal.maybe(checked_reason(reason), "penalty"),
    )
    now = _as_upgraded(given, op)
    again = _upgrade_words(state, rules, (*earlier[: earlier.index(given)], now))
    if not apply:
        return Decision(op=op, warnings=(*_costs(state, round_, given.player, ruling), *again))
    done = _applied(state, round_, given.player, ruling, seal)
    if done.op is None:
        return Decision(op=op, warnings=(f"entered before: {done.already}", *again))
    return Decision(first=op, op=done.op, warnings=(*done.warnings, *again))


def _by_the_list(rules: PenaltyList, given: Sequence[Remark], name: str) -> Level:
    dearer = upgraded(rules, given)
    if dearer is None:
        harder = [f"`{_typed(each)}`" for each in _harder(rules, given[-1])]
        raise TourneyError(
            f"the list has no upgrade for this {given[-1].kind} of {name}",
            f"name the level: {listed(harder, 'or')}" if harder else "no level is harder",
        )
    return next(each for each in rules.levels if each.name == dearer[0])


def _typed(words: str) -> str:
    return words.replace(" ", "-")


def _harder(rules: PenaltyList, given: Remark) -> list[str]:
    """Return the levels that are harder than a penalty's; all of them where the list does not know its level."""
    names = [each.name for each in rules.levels]
    places = [place for place, name in enumerate(names, 1) if _key(name) == _key(given.kind)]
    return names[places[0] :] if places else names


def _refuse_milder(rules: PenaltyList, given: Remark, level: Level) -> None:
    if level.name not in _harder(rules, given):
        raise TourneyError(
            f"a {level.name} is milder than the {given.kind} of entry {given.entry}",
            f"`tourney event undo {given.entry}` takes the penalty back, then `tourney penalty add`",
        )


def _as_upgraded(given: Remark, op: ops.PenaltyUpgraded) -> Remark:
    return replace(
        given, kind=op.level, loss=op.loss, was=(*given.was, op.old_level), whys=(*given.whys, op.reason)
    )


def _loses_match(state: State, loss: Loss) -> bool:
    """Say whether the match is lost: in a single game the game is the match."""
    return loss == "match" or (loss == "game" and state.settings.match.best_of == 1)


def _costs(state: State, round_: Round | None, player: PlayerId, ruling: Ruling) -> tuple[str, ...]:
    """Say what is still to be entered for a penalty that only is noted."""
    name, loss = state.players[player].name, ruling.level.loss
    if loss == "event":
        if state.players[player].disqualified is not None:
            return ()
        return (f"{name} is still in the event: `tourney player disqualify {_quoted(name)}`",)
    table = round_.table_of(player) if round_ else None
    if not loss or round_ is None or table is None or len(table.seats) != 2:
        return ()
    if _loses_match(state, loss):
        if table.result is not None and results.lost(table.result, player):
            return ()
        return (
            f"the result of table {table.number} is not touched by it: {_lost_line(state, round_, table, player, ruling)}",
        )
    if table.result is not None:
        return (
            f"table {table.number} has its result already; `tourney result change {table.number} SCORE` if it is another now",
        )
    other = table.seats[1 - table.seats.index(player)]
    return (f"a game for {names_of(state)(other)} belongs to the score of table {table.number}",)


def _quoted(name: str) -> str:
    return f'"{name}"' if " " in name else name


def _lost_line(state: State, round_: Round, table: Table, player: PlayerId, ruling: Ruling) -> str:
    """Return the command that enters a match as lost by a player."""
    won = games_needed(state.settings.match.best_of)
    score = f"0-{won}" if table.seats[0] == player else f"{won}-0"
    if ruling.not_shown:
        score = _forfeit(table, player)
    earlier = f" --round {round_.number}" if round_.number < len(state.rounds) else ""
    if table.result is None:
        return f"`tourney result add {table.number} {score}{earlier}`"
    return f"`tourney result change {table.number} {score}{earlier}`"


def _forfeit(table: Table, player: PlayerId) -> str:
    return f"ff{table.seats.index(player) + 1}"


def _applied(state: State, round_: Round | None, player: PlayerId, ruling: Ruling, seal: Sealing) -> Decision:
    """Return what a penalty costs, to be entered. Raises TourneyError where there is nothing, or it cannot be."""
    name, loss = state.players[player].name, ruling.level.loss
    if loss == "event":
        return players.disqualify(state, player, ruling.words, seal)
    if not loss:
        raise TourneyError(
            f"there is nothing to apply: a {ruling.level.name} costs no game and no match",
            "leave out `--apply`",
        )
    if round_ is None:
        raise TourneyError("no round is paired yet", "leave out `--apply`")
    table = round_.table_of(player)
    if table is None:
        raise TourneyError(
            f"{name} has no table in round {round_.number}, so there is no result to enter",
            "leave out `--apply`",
        )
    if len(table.seats) != 2:
        raise TourneyError(
            f"table {table.number} has {len(table.seats)} seats, and the list does not say which places a {ruling.level.name} gives",
            f"leave out `--apply`, and enter the places: `tourney result add {table.number} PLACES`",
        )
    if not _loses_match(state, loss):
        raise TourneyError(
            f"a {ruling.level.name} alone does not end a match of {state.settings.match.best_of} games",
            "leave out `--apply`: the game belongs to the score that is entered when the match is over",
        )
    behind = None if ruling.not_shown else 2
    places = SeatPlaces(tuple(behind if seat == player else 1 for seat in table.seats))
    report = Report(tables=table.number, score=places)
    if table.result is None:
        return results.enter(state, [report], round_.number)
    if results.lost(table.result, player):  # it stays as it was: who did not show is known by it
        return results.already_entered(state, round_, [table.number])
    return results.change(state, report, number=round_.number, reason=ruling.words, seal=seal)


def _marks_of_penalty(op: ops.PenaltyGiven) -> Footprint:
    """Return what a penalty makes: an upgrade rests on all that was given before, it may be for their number."""
    return Footprint(marks(("penalties", op.player)), player_marks((op.player,)))


def _apply_penalty(draft: StateDraft, op: ops.PenaltyGiven, at: Entered, _texts: Texts) -> None:
    draft.penalties.append(
        Remark(
            entry=at.entry,
            player=op.player,
            round=op.round,
            kind=op.level,
            text=op.reason,
            infraction=op.infraction,
            loss=op.loss,
        )
    )


def _say_penalty(op: ops.PenaltyGiven, context: LogContext) -> str:
    words = ", ".join(filter(None, (op.level, op.infraction)))
    when = f"in round {op.round}" if op.round else "before round 1"
    why = in_brackets(written(op.reason, context.texts))
    return f"{context.name(op.player)} has a penalty {when}: {words}{why}"


def _nothing_said(op: ops.PenaltyGiven) -> Iterator[str]:
    if not op.level:
        yield "it has no level"
    if op.round < 0:
        yield f"rounds count from 1, not {op.round}"


def _apply_upgraded(draft: StateDraft, op: ops.PenaltyUpgraded, _at: Entered, _texts: Texts) -> None:
    draft.penalties[:] = [
        _as_upgraded(each, op) if each.entry == op.entry else each for each in draft.penalties
    ]


def _say_upgraded(op: ops.PenaltyUpgraded, context: LogContext) -> str:
    return (
        f"The {op.old_level} of {context.name(op.player)} (entry {op.entry}) was upgraded to {op.level}"
        f"{in_brackets(written(op.reason, context.texts))}"
    )


def _marks_of_upgrade(op: ops.PenaltyUpgraded) -> Footprint:
    made = marks(("penalties", op.player))
    return Footprint(made, made | player_marks((op.player,)))


def _no_level(op: ops.PenaltyUpgraded) -> Iterator[str]:
    if not op.level:
        yield "it has no level"


def _no_such_penalty(op: ops.PenaltyUpgraded, draft: StateDraft) -> Iterator[str]:
    yield from stranger(op, draft)
    if (op.entry, op.player, op.old_level) not in {
        (each.entry, each.player, each.kind) for each in draft.penalties
    }:
        yield f"entry {op.entry} is no {op.old_level} of player #{op.player}"


# -- deck checks: drawn


AUDIT_METHOD = "falling weights 2"
"""What `draw` does, by name and version: another way to draw is another name."""
_ALSO_WITHOUT_LISTS = "falling weights 1"
"""The earlier way to draw: also players without a decklist."""
AUDIT_METHODS = (AUDIT_METHOD, _ALSO_WITHOUT_LISTS)
"""Every way to draw that `draw` can repeat."""


class Drawn(NamedTuple):
    """tables: in the order of the draw; players: those of them to be checked."""

    tables: tuple[int, ...]
    players: tuple[PlayerId, ...]


def draw(state: State, round_: Round, seed: str, wanted: int, method: str = AUDIT_METHOD) -> Drawn:
    """Draw up to `wanted` open tables of a round by a seed (`tourney.event.field.audit_seed`).

    Players without a decklist are not drawn, unless nobody in the event has one: then lists are kept on paper.
    Nobody is checked again while somebody who is here for the round was checked fewer times: a table is drawn only for
    those of it whose turn it is, and only they are named; where no open table has any, the draw ends. Of n tables that may
    be drawn, in the order of their numbers, the first has n lots, the next n−1, the last one: so the top tables are drawn
    more often, and no table is safe. The lot of the k-th table of a draw is SHA-256 of the seed, a slash and k (from 0),
    modulo the number of lots.
    """
    times, here = checks(state), _here(state, round_)
    if method != _ALSO_WITHOUT_LISTS:
        here = _with_lists(state, here)
    left = {number: table for number, table in round_.tables.items() if table.result is None}
    tables: list[int] = []
    chosen: list[PlayerId] = []
    while left and here and len(tables) < wanted:
        least = min(times[player] for player in here)
        due = {
            number: [each for each in table.seats if each in here and times[each] == least]
            for number, table in left.items()
        }
        numbers = [number for number in sorted(due) if due[number]]
        if not numbers:
            break
        number = numbers[_place(_lot(seed, len(tables)), len(numbers))]
        tables.append(number)
        chosen += due[number]
        times.update(due[number])
        del left[number]
    return Drawn(tuple(tables), tuple(chosen))


def _here(state: State, round_: Round) -> set[PlayerId]:
    """Return who is here for a round: at an open table, or still in the event and not absent."""
    seated = {
        player
        for table in round_.tables.values()
        for player in table.seats
        if table.result is None or state.players[player].playing
    }
    resting = {player for player, kind in round_.byes.items() if kind is not Outcome.ABSENT}
    return seated | {player for player in resting if state.players[player].playing}


def _with_lists(state: State, players: set[PlayerId]) -> set[PlayerId]:
    """Return the players who have a decklist; all of them if nobody in the event has one."""
    if not any(each.deck for each in state.players.values()):
        return players
    return {each for each in players if state.players[each].deck}


def checks(state: State) -> Counter[PlayerId]:
    """Count how many times each player's deck was drawn or checked; both in one round is once."""
    rounds = {(player, each.round) for each in state.draws for player in each.players}
    rounds |= {(each.player, each.round) for each in state.audits}
    return Counter(player for player, _ in rounds)


def _lot(seed: str, number: int) -> int:
    return int.from_bytes(sha256(f"{seed}/{number}".encode()).digest())


def _place(lot: int, tables: int) -> int:
    """Return the place on which a lot falls among `tables`, of which the first has as many lots as there are tables.

    >>> [_place(lot, 3) for lot in range(7)]
    [0, 0, 0, 1, 1, 2, 0]
    """
    lot %= tables * (tables + 1) // 2
    for place in range(tables):
        lot -= tables - place
        if lot < 0:
            return place
    raise AssertionError("the lots of all tables are as many as there are")


def draw_audit(state: State, seed: str, wanted: int) -> Decision:
    """Draw tables of the current round whose decks are to be checked."""
    open_event(state)
    round_ = round_of(state, None)
    if not round_.playing:
        raise TourneyError(
            f"every table of {in_a_sentence(round_.title)} has its result: nobody is left to be checked",
            "`tourney audit record PLAYER` still notes a check",
        )
    drawn = draw(state, round_, seed, wanted)
    times, name = checks(state), names_of(state)
    if not drawn.tables:
        here = _with_lists(state, _here(state, round_))
        if not here:
            raise TourneyError(
                f"nobody who plays in {in_a_sentence(round_.title)} has a decklist",
                "`tourney player deck NAME FILE` registers one; `tourney audit record PLAYER` notes a check",
            )
        least = min(times[player] for player in here)
        due = [name(player) for player in sorted(here) if times[player] == least]
        raise TourneyError(
            f"everybody at an open table was drawn or checked before; not yet {listed_short(due)}",
            "draw again in the next round, or check whom you like: `tourney audit record PLAYER`",
        )
    warnings = []
    if len(drawn.tables) < wanted:
        warnings.append(f"no more than {counted(len(drawn.tables), 'table')} can be drawn now")
    seated = {player for number in drawn.tables for player in round_.tables[number].seats}
    if unlisted := sorted(seated - _with_lists(state, seated)):
        warnings.append(
            f"not drawn, as there is no decklist: {listed_short([name(each) for each in unlisted])}"
        )
    if again := [name(player) for player in drawn.players if times[player]]:
        warnings.append(
            f"everybody was drawn or checked once, so {'this is' if len(again) == 1 else 'these are'} once more: {listed_short(again)}"
        )
    op = ops.AuditDrawn(
        round=round_.number, tables=drawn.tables, players=drawn.players, seed=seed, method=AUDIT_METHOD
    )
    return Decision(op=op, warnings=tuple(warnings))


def draws_of(state: State) -> int:
    """Return how many draws of the current round stand."""
    return sum(each.round == len(state.rounds) for each in state.draws)


def _apply_drawn(draft: StateDraft, op: ops.AuditDrawn, at: Entered, _texts: Texts) -> None:
    draft.draws.append(
        AuditDraw(entry=at.entry, round=op.round, tables=op.tables, players=op.players, seed=op.seed)
    )


def _say_drawn(op: ops.AuditDrawn, context: LogContext) -> str:
    tables = listed(op.tables)
    word = "table" if len(op.tables) == 1 else "tables"
    return f"Deck checks in round {op.round}, {word} {tables}: {context.names(op.players)}"


def _marks_of_drawn(op: ops.AuditDrawn) -> Footprint:
    made = marks(("drawn", op.round))
    return Footprint(made, made | marks(("round", op.round)) | player_marks(op.players))


def _odd_draw(op: ops.AuditDrawn) -> Iterator[str]:
    if not op.tables or not op.players:
        yield "nobody was drawn"
    yield from named_twice(op.players)


def _strangers_drawn(op: ops.AuditDrawn, draft: StateDraft) -> Iterator[str]:
    yield from no_such_round(op, draft)
    yield from strangers(op.players, draft)


# -- deck checks: done


def audit(state: State, player: PlayerId, *, clean: bool, found: str | None, seal: Sealing) -> Decision:
    """Note that a deck was checked at the table, and what was found."""
    open_event(state)
    owner = player_of(state, player)
    note = checked_reason(found)
    if not clean and note is None:
        raise TourneyError(f"the deck of {owner.name} was not in order: what was found?")
    op = ops.AuditRecorded(
        player=player, round=len(state.rounds), clean=clean, remark=seal.maybe(note, "audit")
    )
    return Decision(op=op)


_CLEAN = "clean deck"
"""How a deck check is noted whose deck was in order."""


class DeckCheck(NamedTuple):
    """A deck that was drawn in a round, or checked in it. drawn: by lot; done: what was noted, None: still to be checked."""

    round: int
    player: PlayerId
    drawn: bool
    done: Remark | None

    @property
    def clean(self) -> bool | None:
        """Whether the deck was in order; None where it is still to be checked."""
        return None if self.done is None else self.done.kind == _CLEAN


def deck_checks(state: State) -> Iterator[DeckCheck]:
    """Yield the deck checks by round, in each those that were drawn first, in the order of the draw."""
    done: dict[tuple[int, PlayerId], list[Remark]] = {}
    for remark in state.audits:
        done.setdefault((remark.round, remark.player), []).append(remark)
    drawn = {(each.round, player): None for each in state.draws for player in each.players}
    for key in sorted({**drawn, **dict.fromkeys(done)}, key=lambda key: key[0]):
        noted: list[Remark | None] = [*done.get(key, ())]
        yield from (DeckCheck(*key, key in drawn, remark) for remark in noted or [None])


def found_words(changed: Sequence[Changed]) -> str:
    """Say what a deck has otherwise than the registered list: `3 instead of 4 Ember Fox, 1 instead of 0 Oak Giant`.

    As much of it as fits into a note; the rest is counted. Empty where nothing is different.
    """
    several = len({each.zone for each in changed}) > 1
    said = [
        f"{each.after} instead of {each.before} {each.card}" + (f" ({each.zone})" if several else "")
        for each in changed
    ]
    kept = len(said)
    while (words := _cut_short(said, kept)) and len(words) > _LONGEST_FOUND:
        kept -= 1
    return words


_LONGEST_FOUND = 300
"""Characters that a difference has in a note: room is left for what a judge adds."""


def _cut_short(said: Sequence[str], kept: int) -> str:
    more = [f"{len(said) - kept} more"] if kept < len(said) else []
    return ", ".join([*said[:kept], *more])


def _apply_audit(draft: StateDraft, op: ops.AuditRecorded, at: Entered, _texts: Texts) -> None:
    kind = _CLEAN if op.clean else "deck problem"
    draft.audits.append(Remark(entry=at.entry, player=op.player, round=op.round, kind=kind, text=op.remark))


def _say_audit(op: ops.AuditRecorded, context: LogContext) -> str:
    order = "was in order" if op.clean else "was not in order"
    return f"The deck of {context.name(op.player)} {order} in round {op.round}{context.why(op.remark)}"


def _marks_of_audit(op: ops.AuditRecorded) -> Footprint:
    return Footprint(NO_MARKS, player_marks((op.player,)))


KINDS = (
    EntryKind(
        ops.PenaltyGiven,
        _apply_penalty,
        _say_penalty,
        footprint=_marks_of_penalty,
        alone=_nothing_said,
        misfits=stranger,
    ),
    EntryKind(
        ops.PenaltyUpgraded,
        _apply_upgraded,
        _say_upgraded,
        footprint=_marks_of_upgrade,
        alone=_no_level,
        misfits=_no_such_penalty,
    ),
    EntryKind(
        ops.AuditDrawn,
        _apply_drawn,
        _say_drawn,
        footprint=_marks_of_drawn,
        alone=_odd_draw,
        misfits=_strangers_drawn,
    ),
    EntryKind(ops.AuditRecorded, _apply_audit, _say_audit, footprint=_marks_of_audit, misfits=stranger),
)
"""What can happen here, in the order of `tourney.event.ops`."""
