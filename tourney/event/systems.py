"""The next round under the event's system: one function a system, in one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec

from tourney.errors import TourneyError
from tourney.event.field import RoundField, field_of, record
from tourney.event.ops import UNSEATED, CutMade, NoTable, Proof, RoundPaired, Seating
from tourney.event.phrases import names_of
from tourney.event.state import Cut, Player, State
from tourney.pairing import Cost, Entrant, Mode, Options, Pairing, swiss_engine
from tourney.pairing.pairing import BRACKET_ENGINE, PODS_ENGINE
from tourney.record import PlayerId
from tourney.standings import Profile
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.pairing.dutch import Question
    from tourney.pairing.elimination import Bracket, BracketOptions
    from tourney.pairing.manual import Sizes
    from tourney.pairing.round_robin import Schedule

DutchEngine = Callable[["Question"], tuple[tuple[int, int], ...]]
"""Answers a question of `tourney.pairing.dutch`: a process started by `tourney.store`, so it is handed in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What a system is asked.

    seed:         the round seed
    dutch:        None where the extra is not installed
    dutch_engine: its name and version, which is recorded with the round
    """

    state: State
    profile: Profile
    number: int
    seed: str
    dutch: DutchEngine | None = None
    dutch_engine: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A round that may be entered, and what the organizer should know of it.

    first: the bracket, where it begins; made: the engine's round, where an engine made it
    """

    op: RoundPaired
    made: Pairing | None = None
    first: CutMade | None = None
    warnings: tuple[str, ...] = ()


def propose(ask: Ask) -> Proposal:
    """Return the next round by the event's system, in the cut by its bracket. Raises TourneyError where there is none."""
    if ask.state.cut is not None:
        return _bracket(ask, ask.state.cut)
    return _SYSTEMS[ask.state.settings.system](ask)


def options_of(state: State, number: int) -> Options:
    """Return the switches of round `number` for the Swiss engine."""
    settings = state.settings
    forced = [each.players for each in state.forced if each.round == number]
    byes = [players[0] for players in forced if len(players) == 1]
    if len(byes) > 1:
        raise TourneyError(
            f"{listed(map(names_of(state), byes))} are both to have the bye",
            "take one of them back: `tourney event undo N`",
        )
    return Options(
        round_number=number,
        mode=_mode(state, number),
        forbidden=frozenset(_pairs(state)),
        forced=tuple(two for players in forced for two in combinations(players, 2)),
        forced_bye=byes[0] if byes else None,
        sides=bool(settings.sides),
        awarded_bye_counts=settings.awarded_bye_counts,
        half_bye_counts=settings.half_bye_counts,
        no_show_meets=settings.no_show_meets,
        first_table=settings.first_table,
    )


def _mode(state: State, number: int) -> Mode:
    if number == 1:
        return Mode(state.settings.first_round)
    last = number == state.settings.rounds
    return Mode.RANK if last and state.settings.last_round == "rank" else Mode.RANDOM


def _pairs(state: State) -> list[tuple[PlayerId, PlayerId]]:
    """Return every pair of players who must not meet."""
    return [two for each in state.forbidden if each.hard for two in combinations(each.players, 2)]


def _swiss(ask: Ask) -> Proposal:
    state, options = ask.state, options_of(ask.state, ask.number)
    field = field_of(state, ask.profile, number=ask.number, ranks=options.mode is Mode.RANK)
    from tourney.pairing.swiss.engine import pair  # here: whoever enters a result needs no engine

    made = pair(field.entrants, options, ask.seed, name=names_of(state))
    op = _op(ask, made, field, swiss_engine(options, len(field.entrants)))
    return Proposal(op=op, made=made, warnings=_rematches(state, made, field.entrants))


def _dutch(ask: Ask) -> Proposal:
    field = field_of(ask.state, ask.profile, number=ask.number)
    made = dutch_round(ask, field)
    return Proposal(op=_op(ask, made, field, made.method), made=made)


def dutch_round(ask: Ask, field: RoundField) -> Pairing:
    """Return the round that the engine of the Dutch system makes. Raises TourneyError where there is no engine."""
    from tourney.pairing import dutch

    state = ask.state
    played = record(state).after(ask.number - 1)
    first_seed = state.rounds[0].seed if state.rounds and state.rounds[0].seed else ask.seed
    question = dutch.ask(
        played,
        field.entrants,
        options_of(state, ask.number),
        points={outcome: rule.points for outcome, rule in ask.profile.outcomes.items()},
        order=dutch.initial_order({player: state.players[player].rating for player in played.players}),
        initial_side=dutch.drawn_side(first_seed),
        rounds_total=state.settings.rounds,
        name=names_of(state),
    )
    if ask.dutch is None:
        raise TourneyError(
            "the Dutch system needs its engine, the extra `fide`", "`pip install 'tourney[fide]'`"
        )
    made = dutch.answer(question, ask.dutch(question), seed=ask.seed)
    return replace(made, method=f"{made.method} ({ask.dutch_engine})") if ask.dutch_engine else made


def _round_robin(ask: Ask) -> Proposal:
    """Give the next round of Berger's tables: whoever rests has no match, whoever loses an opponent to a drop the bye."""
    state = ask.state
    plan = schedule_of(state, ask.seed)
    members = set(plan.players)
    field = field_of(state, ask.profile, number=ask.number)
    left = members - {each.id for each in field.entrants}
    made = plan.round(ask.number, gone=left, first_table=state.settings.first_table)
    resting = plan.rests[ask.number - 1]
    op = _op(ask, made, field, made.method)
    byes = tuple(NoTable(each.player, "absent") if each.player == resting else each for each in op.byes)
    late = [each.name for each in state.playing if each.id not in members]
    warnings = (f"{listed(late)} came after the schedule was made and has no opponents",) if late else ()
    return Proposal(op=msgspec.structs.replace(op, byes=byes), warnings=warnings)


def schedule_of(state: State, seed: str) -> Schedule:
    """Return a round robin's whole schedule. seed: of round 1, where it is not paired yet."""
    from tourney.pairing.round_robin import schedule

    first_seed = state.rounds[0].seed if state.rounds else seed
    return schedule(_members(state), double=state.settings.double, seed=first_seed)


def _pods(ask: Ask) -> Proposal:
    field = field_of(ask.state, ask.profile, number=ask.number)
    made = pods_round(ask, field)
    op = _op(ask, made, field, PODS_ENGINE)
    return Proposal(op=op, made=made, warnings=_rematches(ask.state, made, field.entrants))


def pods_round(ask: Ask, field: RoundField) -> Pairing:
    """Return the round of pods that the engine makes."""
    from tourney.pairing import pods

    return pods.pair(
        field.entrants,
        options_of(ask.state, ask.number),
        ask.seed,
        sizes=sizes_of(ask.state),
        seats_before=seats_before(ask.state, ask.number),
        name=names_of(ask.state),
    )


def sizes_of(state: State) -> Sizes:
    """Return how many players a table of the event may and should seat."""
    from tourney.pairing.manual import Sizes

    seats = state.settings.seats
    return Sizes(min(seats), seats[0], max(seats))


def seats_before(state: State, number: int) -> dict[PlayerId, list[int]]:
    """Return the seats everybody had in the rounds before, from 1."""
    had: dict[PlayerId, list[int]] = {}
    for round_ in state.rounds[: number - 1]:
        for table in round_.tables.values():
            for seat, player in enumerate(table.seats, 1):
                had.setdefault(player, []).append(seat)
    return had


def _members(state: State) -> list[PlayerId]:
    """Return who is in a round robin's schedule: everybody who was there before round 1."""
    return [each.id for each in state.players.values() if each.since == 1 and _was_there(each)]


def _was_there(player: Player) -> bool:
    return player.dropped != 0 and player.disqualified != 0


def planned_rounds(state: State) -> int | None:
    """Return how many rounds there will be before a cut: as the organizer said, or as a round robin has it."""
    if state.settings.rounds is not None or state.settings.system != "round-robin":
        return state.settings.rounds
    members = len(_members(state))
    return (members - 1 + members % 2) * (2 if state.settings.double else 1)


def _by_hand(ask: Ask) -> Proposal:
    raise TourneyError(
        f"round {ask.number} of this event is paired by hand",
        "`tourney round pair --by-hand FILE` (`-` reads stdin), a line `Mira - Tomo` for each table",
    )


def _whole_bracket(ask: Ask) -> Proposal:
    """Begin an event that is nothing but a bracket: seeded by rating, equals and unrated by the dice."""
    players = sorted(ask.state.playing, key=lambda each: (-(each.rating or 0), _dice(ask.seed, each.id)))
    if len(players) < 2:
        raise TourneyError(
            f"a bracket needs two players, there {'is' if players else 'are'} {counted(len(players), 'player')}"
        )
    first = CutMade(players=tuple(each.id for each in players), after=0)
    made = _bracket(ask, Cut.by(first))
    return Proposal(op=made.op, first=first)


def _dice(seed: str, player: PlayerId) -> bytes:
    return sha256(f"{seed}/{player}".encode()).digest()


def _op(ask: Ask, made: Pairing, field: RoundField, engine: str) -> RoundPaired:
    byes = {player: UNSEATED[outcome] for player, outcome in field.byes.items()}
    byes |= dict.fromkeys(made.byes, "bye")
    return RoundPaired(
        round=ask.number,
        tables=tuple(Seating(table.number, table.seats) for table in made.tables),
        byes=tuple(NoTable(player, kind) for player, kind in sorted(byes.items())),
        system=ask.state.settings.system,
        seed=ask.seed,
        engine=engine,
        proof=recorded_proof(made),
    )


def recorded_proof(made: Pairing) -> Proof:
    """Return what an engine proved, as it is recorded."""
    return Proof(cost=_levels(made.cost), bound=_levels(made.bound), text=made.proof)


def _levels(cost: Cost) -> tuple[int, ...]:
    return tuple(cost.as_dict().values())


def _rematches(state: State, made: Pairing, entrants: tuple[Entrant, ...]) -> tuple[str, ...]:
    if not made.cost.rematches:
        return ()
    met = {each.id: set(each.opponents) for each in entrants}
    name = names_of(state)
    again = [
        f"table {table.number} ({name(one)} – {name(other)})"
        for table in made.tables
        for one, other in combinations(table.seats, 2)
        if other in met[one]
    ]
    proved = (
        ", proved to be unavoidable"
        if made.cost.rematches <= made.bound.rematches or made.exact_levels
        else ""
    )
    return (f"{counted(len(again), 'rematch', 'rematches')}{proved}: {listed(again)}",)


def bracket_of(state: State, cut: Cut, before: int | None = None) -> Bracket:
    """Return where the bracket of the cut stands; before: how many of the event's rounds to look at (None: all)."""
    from tourney.pairing.elimination import bracket

    rounds = state.rounds[cut.after : before]
    earlier = [
        {each.labels.get(number, f"table {number}"): table for number, table in each.tables.items()}
        for each in rounds
    ]
    left = {each.id: _left_after(each.dropped, each.disqualified) for each in state.players.values()}
    return bracket(
        cut.players,
        bracket_options(cut),
        earlier=earlier,
        left={player: max(last - cut.after, 0) for player, last in left.items() if last is not None},
        first_table=state.settings.first_table,
        name=names_of(state),
    )


def bracket_options(cut: Cut) -> BracketOptions:
    """Return how the bracket of a cut is played."""
    from tourney.pairing.elimination import BracketOptions, Vacancy

    return BracketOptions(
        double=cut.kind == "double",
        reseed=cut.reseed,
        third_place=cut.third_place,
        vacancy=Vacancy(cut.vacancy),
    )


def _left_after(dropped: int | None, disqualified: int | None) -> int | None:
    return min((last for last in (dropped, disqualified) if last is not None), default=None)


def _bracket(ask: Ask, cut: Cut) -> Proposal:
    now = bracket_of(ask.state, cut)
    if now.finished:
        name = names_of(ask.state)
        won = f": {name(now.champion)} has won" if now.champion else ""
        raise TourneyError(
            f"the bracket is played to its end{won}", "`tourney standings`, `tourney event close`"
        )
    return Proposal(
        op=RoundPaired(
            round=ask.number,
            tables=tuple(Seating(table.number, table.seats) for table in now.tables),
            byes=tuple(NoTable(player, "bye") for player in sorted(now.byes)),
            stage="cut",
            system="elimination",
            engine=BRACKET_ENGINE,
            labels=now.labels,
        )
    )


_SYSTEMS: dict[str, Callable[[Ask], Proposal]] = {
    "swiss": _swiss,
    "pods": _pods,
    "round-robin": _round_robin,
    "elimination": _whole_bracket,
    "dutch": _dutch,
    "manual": _by_hand,
}
