"""Penalties: the list of levels and infractions, and the penalties that judges give.

A list of penalties is data (`penalty_lists/house.toml`). It gives the usual level of each infraction, and
rules for upgrading repeated penalties. The journal entry of a penalty contains the level, its cost and the
infraction, so that an event can be read without the list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from msgspec import Struct, structs
from msgspec.structs import replace

from tourney.cards.names import fold, nearest
from tourney.decode import from_toml
from tourney.errors import TourneyError
from tourney.event import ops, presence, results
from tourney.event.entry import Texts, display_text, in_brackets
from tourney.event.kind import (
    Decision,
    EntryKind,
    EventChange,
    EventReading,
    at_place,
    round_of,
)
from tourney.event.names import clean_name
from tourney.event.ops import Loss
from tourney.event.score import Games, Report, SeatPlaces, shell_word
from tourney.event.state import Entered, Penalty, Round, RoundTable, State, StateDraft
from tourney.record import PlayerId, games_needed
from tourney.wording import listed

# -- a list of penalties


_LONGEST_NAME = 60
"""The maximum number of characters in the name of a level or an infraction."""


class Level(Struct, frozen=True, forbid_unknown_fields=True):
    """A level of severity. means: its meaning, in a sentence; loss: what the player loses."""

    name: str
    means: str = ""
    loss: Loss = ""


class Infraction(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of mistake or offense that a penalty is given for.

    level:  the usual level of the penalty
    means:  its meaning, in a sentence
    absent: whether the player was absent, so that a match lost by the penalty counts as a no-show
    """

    name: str
    level: str
    means: str = ""
    absent: bool = False


class Upgrade(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A rule that a repeated penalty should be more severe.

    level: the level that is repeated
    times: the rule applies from this number of penalties on, counting the first one
    same: whether only penalties for the same infraction count
    to: the level that the penalty should have
    """

    level: str
    times: int
    same: bool = False
    to: str


_KEYS = {"levels": "level", "infractions": "infraction", "upgrades": "upgrade"}


class PenaltyList(Struct, frozen=True, forbid_unknown_fields=True, rename=_KEYS):
    """A list of penalties: its levels, the mildest first, its infractions and its upgrades."""

    title: str
    levels: tuple[Level, ...]
    infractions: tuple[Infraction, ...] = ()
    upgrades: tuple[Upgrade, ...] = ()

    def level(self, name: str) -> Level:
        """Return a level by its name or the start of its name. Raises TourneyError if there is none."""
        return _find("level", name, {level.name: level for level in self.levels})

    def ruling(self, name: str, infraction: str | None = None) -> Ruling:
        """Return the penalty called `name`: a level, or an infraction at its usual level.

        Case and hyphens do not matter, and the start of a name is enough: `game-loss`, `tard`. Raises
        TourneyError for a name that is not in the list.

        infraction: the infraction; None if `name` alone names the penalty. If it is given, `name` is the
            level, and an empty `name` means the usual level of the infraction
        """
        infractions = {rule.name: rule for rule in self.infractions}
        if infraction is not None:
            reason = _find("infraction", infraction, infractions)
            return Ruling(self.level(name if name.strip() else reason.level), reason)
        kinds: dict[str, Level | Infraction] = {**infractions, **{level.name: level for level in self.levels}}
        kind = _find("level or infraction", name, kinds)
        return Ruling(self.level(kind.level), kind) if isinstance(kind, Infraction) else Ruling(kind, None)


class Ruling(NamedTuple):
    """A penalty as a judge gives it: a level, and the infraction if the judge names one."""

    level: Level
    infraction: Infraction | None

    @property
    def words(self) -> str:
        """The level and the infraction: `game loss, tardiness`."""
        return ", ".join([self.level.name, *([self.infraction.name] if self.infraction else [])])

    @property
    def is_no_show(self) -> bool:
        """Whether the penalty is for the player's absence."""
        return self.infraction is not None and self.infraction.absent


_T = TypeVar("_T")


def _key(name: str) -> str:
    """Return the key for comparing names: `game loss` for `Game-Loss`."""
    return fold(name.replace("-", " ").replace("_", " "))


def _find(noun: str, text: str, items: Mapping[str, _T]) -> _T:
    """Return the item with this name, or the only item whose name starts with it."""
    key, names = _key(text), {_key(name): name for name in items}
    matches = [key] if key in names else [name for name in names if key and name.startswith(key)]
    if len(matches) == 1:
        return items[names[matches[0]]]
    if matches:
        raise TourneyError(
            f"`{text}` may be {listed([names[match] for match in matches], 'or')}", "type more of the name"
        )
    near = nearest(text, items)
    question = f"; did you mean `{near}`?" if near else ""
    raise TourneyError(
        f"there is no {noun} `{text}` in the list of penalties{question}",
        "`tourney penalty rules` lists them" if items else "the list has none",
    )


def read_penalty_list(text: str, *, source: str) -> PenaltyList:
    """Parse a list of penalties. Raises a TourneyError that names file and key if it is faulty."""
    rules = from_toml(text, PenaltyList, source=source)
    levels = {level.name for level in rules.levels}
    if not levels:
        raise TourneyError(f"{source}: level: a list of penalties needs at least one level")
    _check_names(rules.levels, f"{source}: level")
    _check_names(rules.infractions, f"{source}: infraction")
    references = [(f"infraction[{n}].level", rule.level) for n, rule in enumerate(rules.infractions)]
    for number, upgrade in enumerate(rules.upgrades):
        references += [(f"upgrade[{number}].level", upgrade.level), (f"upgrade[{number}].to", upgrade.to)]
        if upgrade.times < 2:
            raise TourneyError(f"{source}: upgrade[{number}].times: expected 2 or more, not {upgrade.times}")
    for place, name in references:
        if name not in levels:
            raise TourneyError(
                f"{source}: {place}: there is no level `{name}`", f"the levels are {listed(levels)}"
            )
    return rules


def _check_names(kinds: Sequence[Level | Infraction], place: str) -> None:
    keys: set[str] = set()
    for number, kind in enumerate(kinds):
        key_path = f"{place}[{number}].name"
        with at_place(key_path):
            clean = clean_name(kind.name, noun=place.rpartition(" ")[2], longest=_LONGEST_NAME)
        is_duplicate = _key(kind.name) in keys
        if is_duplicate or clean != kind.name:
            problem = f"`{kind.name}` appears twice" if is_duplicate else f"write it `{clean}`"
            raise TourneyError(f"{key_path}: {problem}")
        keys.add(_key(kind.name))


# -- penalties of players


def history(state: State, player: PlayerId) -> tuple[Penalty, ...]:
    """Return the penalties of a player in this event, the oldest first."""
    return tuple(penalty for penalty in state.penalties if penalty.player == player)


def due_upgrade(rules: PenaltyList, penalties: Sequence[Penalty]) -> tuple[str, int] | None:
    """Return the level to which a player's last penalty should be upgraded, and a count.

    Returns None if no upgrade rule of the penalty list applies. The count is the number of penalties at the
    level of the last penalty, including that penalty. If the rule says so (`Upgrade.same`), only penalties
    for the same infraction are counted. A penalty that was upgraded is counted at its present level and at
    each earlier level. If several rules apply, the most severe level is returned.
    """
    last = penalties[-1]
    level, upgrades = _key(last.level), []
    for upgrade in rules.upgrades:
        if _key(upgrade.level) != level:
            continue
        repetitions = [
            penalty
            for penalty in penalties
            if level in map(_key, (*penalty.was, penalty.level))
            and (not upgrade.same or (penalty.infraction and penalty.infraction == last.infraction))
        ]
        if len(repetitions) >= upgrade.times:
            upgrades.append((upgrade.to, len(repetitions)))
    names = [rule.name for rule in rules.levels]
    return max(upgrades, key=lambda upgrade: names.index(upgrade[0]), default=None)


def _upgrade_warning(state: State, rules: PenaltyList, penalties: Sequence[Penalty]) -> list[str]:
    level_and_count = due_upgrade(rules, penalties)
    if level_and_count is None:
        return []
    last, (level, number) = penalties[-1], level_and_count
    return [
        f"that is {last.level} no. {number} for {state.players[last.player].name} in this event;"
        f" by the list of penalties it should be upgraded to {level}: `tourney penalty upgrade {last.entry}`"
    ]


def give(
    change: EventChange,
    name_or_id: str | PlayerId,
    ruling: Ruling,
    *,
    rules: PenaltyList,
    apply: bool = False,
    number: int | None = None,
    reason: str | None = None,
) -> Decision:
    """Give a player a penalty.

    number: the round; None for the current round
    apply: whether to also enter what the penalty costs, a lost match or the disqualification, as a separate
        entry; if not, a warning gives the command for it. If `apply` is set and the player already has the
        same penalty in this round, only the cost is entered.
    """
    state, player = change.open_event(), change.player(name_or_id)
    name = state.players[player].name
    round_ = state.round if number is None else round_of(state, number)
    op = ops.PenaltyGiven(
        player=player,
        level=ruling.level.name,
        round=round_.number if round_ else 0,
        infraction=ruling.infraction.name if ruling.infraction else "",
        loss=ruling.level.loss,
        reason=change.note(reason, "penalty"),
    )
    earlier = history(state, player)
    warnings = _upgrade_warning(state, rules, (*earlier, _penalty(op, state.entry + 1)))
    if not apply:
        return Decision(op=op, warnings=(*_cost_warning(state, round_, player, ruling), *warnings))
    cost, key = _apply_cost(change, round_, player, ruling), (op.round, op.level, op.infraction)
    equal_entries = [other.entry for other in earlier if (other.round, other.level, other.infraction) == key]
    if equal_entries and cost.op is None:
        return Decision(already=f"The {op.level} of {name} is already entered (entry {equal_entries[-1]})")
    if equal_entries:
        return replace(
            cost, warnings=(f"the penalty is already entered (entry {equal_entries[-1]})", *cost.warnings)
        )
    return _add_cost(op, cost, warnings)


def _add_cost(op: ops.Op, cost: Decision, warnings: Sequence[str]) -> Decision:
    """Return a `Decision` that writes the penalty `op`, and then what the penalty costs.

    cost: the decision that writes the cost: a lost match or a disqualification. If it writes nothing, because
          the same is already entered, a warning says so
    """
    if cost.op is None:
        warning = f"the result is already entered: {cost.already}" if cost.entered else cost.already
        return Decision(op=op, warnings=(warning, *warnings))
    return replace(cost, first=op, warnings=(*cost.warnings, *warnings))


def upgrade(
    change: EventChange,
    number: int,
    level: Level | None,
    *,
    rules: PenaltyList,
    apply: bool = False,
    reason: str | None = None,
) -> Decision:
    """Upgrade the penalty of entry `number` to a more severe level.

    level: the new level; None for the level that the list of penalties requires
    apply: whether to also enter what the new level costs, as in `give`
    """
    state = change.open_event()
    penalty = next((penalty for penalty in state.penalties if penalty.entry == number), None)
    if penalty is None:
        raise TourneyError(
            f"entry {number} is not a penalty, or was undone",
            "`tourney penalty list` shows the entries of penalties",
        )
    player, name = penalty.player, state.players[penalty.player].name
    earlier = [other for other in history(state, player) if other.entry < number]
    level = level or _due_level(rules, [*earlier, penalty], name)
    infractions = {rule.name: rule for rule in rules.infractions}
    infraction = infractions.get(penalty.infraction) or Infraction(penalty.infraction, level.name)
    ruling = Ruling(level, infraction if penalty.infraction else None)
    round_ = state.rounds[penalty.round - 1] if 0 < penalty.round <= len(state.rounds) else None
    if _key(level.name) == _key(penalty.level):
        cost = _apply_cost(change, round_, player, ruling) if apply else Decision()
        if cost.op is not None:  # the penalty was upgraded before, but its cost was not entered
            return cost
        return Decision(already=f"The penalty of {name} (entry {number}) is already a {penalty.level}")
    if level.name not in _levels_above(rules, penalty):
        raise TourneyError(
            f"a {level.name} is milder than the {penalty.level} of entry {number}",
            f"`tourney event undo {number}` removes the penalty; then use `tourney penalty add`",
        )
    op = ops.PenaltyUpgraded(
        player=player,
        entry=number,
        old_level=penalty.level,
        level=level.name,
        loss=level.loss,
        reason=change.note(reason, "penalty"),
    )
    warnings = _upgrade_warning(state, rules, [*earlier, _upgrade_penalty(penalty, op)])
    if not apply:
        return Decision(op=op, warnings=(*_cost_warning(state, round_, player, ruling), *warnings))
    return _add_cost(op, _apply_cost(change, round_, player, ruling), warnings)


def _due_level(rules: PenaltyList, penalties: Sequence[Penalty], name: str) -> Level:
    if level_and_count := due_upgrade(rules, penalties):
        return rules.level(level_and_count[0])
    above = [f"`{level.replace(' ', '-')}`" for level in _levels_above(rules, penalties[-1])]
    raise TourneyError(
        f"the list of penalties has no upgrade for this {penalties[-1].level} of {name}",
        f"add the new level after the entry: {listed(above, 'or')}" if above else "no level is more severe",
    )


def _levels_above(rules: PenaltyList, penalty: Penalty) -> list[str]:
    """Return the names of the penalty levels that are more severe than the level of `penalty`.

    If the penalty list `rules` does not have the level of `penalty`, return the names of all its levels.
    """
    names = [level.name for level in rules.levels]
    keys = [_key(name) for name in names]
    return names[keys.index(_key(penalty.level)) + 1 :] if _key(penalty.level) in keys else names


# -- what a penalty costs


def _loses_match(state: State, loss: Loss) -> bool:
    """Return whether a penalty costs the match, or the game in a match of only one game."""
    return loss == "match" or (loss == "game" and state.settings.match.best_of == 1)


def _cost_warning(state: State, round_: Round | None, player: PlayerId, ruling: Ruling) -> list[str]:
    """Return a warning if the loss that a penalty costs may still have to be entered.

    The loss can be a game, the match or the whole event. The warning gives the command that enters it. If
    only a game is lost and the match has no result yet, it asks instead to count the game in the score.
    """
    name, loss = state.players[player].name, ruling.level.loss
    if loss == "event":
        is_out = state.players[player].disqualified is not None
        return (
            []
            if is_out
            else [
                f"{name} is still in the event; to disqualify the player:"
                f" `tourney player disqualify {shell_word(name)}`"
            ]
        )
    table = round_.table_of(player) if round_ else None
    if not loss or round_ is None or table is None or len(table.seats) != 2:
        return []
    if _loses_match(state, loss):
        if table.result is not None and table.result.seat_of(player).outcome.lost:
            return []
        earlier = round_.number if round_.number < len(state.rounds) else None
        arguments = f"{table.number} {_lost_match(state, table, player, ruling).words(earlier)}"
        command = (
            f"`tourney result add {arguments}`"
            if table.result is None
            else f"`tourney result change {arguments}`"
        )
        return [f"the penalty alone does not change the result of table {table.number}: {command} does"]
    if table.result is not None:
        return [
            f"table {table.number} has its result already;"
            f" if the penalty changes it, `tourney result change {table.number} SCORE`"
        ]
    other = table.seats[1 - table.seats.index(player)]
    winner = state.name_of(other)
    return [f"because of this penalty, {winner} wins a game: include it in the score of table {table.number}"]


def _lost_match(state: State, table: RoundTable, player: PlayerId, ruling: Ruling) -> Report:
    """Return the report by which a player loses a match of two players because of a penalty."""
    seat = table.seats.index(player)
    if ruling.is_no_show:
        return Report(tables=table.number, score=SeatPlaces((1, None) if seat else (None, 1)))
    wins = games_needed(state.settings.match.best_of)
    return Report(tables=table.number, score=Games((wins, 0) if seat else (0, wins)))


def _apply_cost(change: EventChange, round_: Round | None, player: PlayerId, ruling: Ruling) -> Decision:
    """Return the `Decision` that enters the lost match or the disqualification for a penalty.

    Raises TourneyError if the penalty costs nothing, or if its cost cannot be entered.
    """
    state, level = change.state, ruling.level
    name = state.players[player].name
    if level.loss == "event":
        return presence.disqualify(change, player, ruling.words)
    if not level.loss:
        raise TourneyError(f"a {level.name} costs no game and no match", "leave out `--apply`")
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
            f"table {table.number} has {len(table.seats)} seats,"
            f" but the list of penalties does not say which places follow from a {level.name}",
            f"leave out `--apply`, and enter the places: `tourney result add {table.number} PLACES`",
        )
    if not _loses_match(state, level.loss):
        raise TourneyError(
            f"a {level.name} alone does not end a match of {state.settings.match.best_of} games",
            "leave out `--apply`, and include the game in the score when the match is over",
        )
    report = _lost_match(state, table, player, ruling)
    if table.result is None:
        return results.enter(change, [report], round_.number)
    if table.result.seat_of(player).outcome.lost:  # do not change a no-show to a loss
        return results.already_entered(state, round_, [table.number])
    return results.change_result(change, report, number=round_.number, reason=ruling.words)


# -- the entries


def _penalty(op: ops.PenaltyGiven, entry: int) -> Penalty:
    return Penalty(entry=entry, **structs.asdict(op))


def _apply_given(draft: StateDraft, op: ops.PenaltyGiven, at: Entered, _texts: Texts) -> None:
    draft.penalties.append(_penalty(op, at.entry))


def _describe_given(op: ops.PenaltyGiven, context: EventReading) -> str:
    words = ", ".join(filter(None, (op.level, op.infraction)))
    round_text = f"in round {op.round}" if op.round else "before round 1"
    reason = in_brackets(display_text(op.reason, context.texts))
    return f"{context.name(op.player)} has a penalty {round_text}: {words}{reason}"


def _faults_of_given(op: ops.PenaltyGiven) -> Iterator[str]:
    yield from _faults_of_level(op)
    if op.round < 0:
        yield f"rounds count from 1, not {op.round}"


def _faults_of_level(op: ops.PenaltyGiven | ops.PenaltyUpgraded) -> Iterator[str]:
    if not op.level:
        yield "it has no level"


def _upgrade_penalty(penalty: Penalty, op: ops.PenaltyUpgraded) -> Penalty:
    was, reasons = (*penalty.was, op.old_level), (*penalty.upgrade_reasons, op.reason)
    return replace(penalty, level=op.level, loss=op.loss, was=was, upgrade_reasons=reasons)


def _apply_upgraded(draft: StateDraft, op: ops.PenaltyUpgraded, _at: Entered, _texts: Texts) -> None:
    draft.penalties[:] = [
        _upgrade_penalty(penalty, op) if penalty.entry == op.entry else penalty for penalty in draft.penalties
    ]


def _describe_upgraded(op: ops.PenaltyUpgraded, context: EventReading) -> str:
    return (
        f"The {op.old_level} of {context.name(op.player)} (entry {op.entry}) was upgraded to {op.level}"
        f"{in_brackets(display_text(op.reason, context.texts))}"
    )


def _misfits_of_upgraded(op: ops.PenaltyUpgraded, draft: StateDraft) -> Iterator[str]:
    penalties = {(penalty.entry, penalty.player, penalty.level) for penalty in draft.penalties}
    if (op.entry, op.player, op.old_level) not in penalties:
        yield f"entry {op.entry} is not a {op.old_level} of player #{op.player}"


KINDS = (
    EntryKind(
        ops.PenaltyGiven,
        _apply_given,
        _describe_given,
        # A later upgrade depends on all earlier penalties, because it may be due to their number.
        makes="penalties {player}",
        needs="player {player}",
        faults=_faults_of_given,
    ),
    EntryKind(
        ops.PenaltyUpgraded,
        _apply_upgraded,
        _describe_upgraded,
        "penalties {player}",
        needs="player {player}",
        faults=_faults_of_level,
        misfits=_misfits_of_upgraded,
    ),
)
"""The kinds of entries about penalties, in the order of `tourney.event.ops`."""
