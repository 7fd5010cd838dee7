"""The pairing systems: a module each, in which everything of the system stands together.

`swiss`, `pods`, `round_robin`, `dutch`, `elimination`, `manual`: how each pairs, and how its rounds are judged, proved
and explained. A new system is its engine in `tourney.pairing`, its name in `tourney.event.ops.System` and a module here,
called like it, whose `SYSTEM` is its row.

`recorded`: a round that was made, held against its system, and explained.

Here is what they share: the row, the question of the next round, and what answers it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import combinations
from typing import TYPE_CHECKING, Any, Protocol

from tourney.errors import TourneyError
from tourney.event.field import RoundField, left_by
from tourney.event.ops import UNSEATED, CutMade, NoTable, Proof, RoundPaired
from tourney.event.phrases import names_of
from tourney.event.settings import System
from tourney.event.state import Round, State
from tourney.pairing import WISHES
from tourney.record import PlayerId, Table
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.event.systems.recorded import Judged, Moment, RoundQuestion
    from tourney.pairing import Cost, Entrant, Mode, Options, Pairing, Price, RoundExplanation
    from tourney.pairing.dutch import Engine
    from tourney.pairing.manual import Sizes
    from tourney.pairing.pairers import Pairer
    from tourney.standings import Profile


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
    dutch: Engine | None = None
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


class Past(Protocol):
    """What an event has to show for its recorded rounds: `tourney.desk.evidence.Evidence`."""

    @property
    def state(self) -> State:
        """The event as it stands."""
        ...

    @property
    def at(self) -> Callable[[int], State]:
        """Gives the event as it stood after an entry."""
        ...

    @property
    def dutch_engine(self) -> str:
        """Name and version of today's engine of the Dutch system; empty where it is not installed, or not needed."""
        ...

    def profile(self, state: State) -> Profile:
        """Return the standings profile that held in `state`."""
        ...

    def ask(self, before: State, number: int, seed: str) -> Ask:
        """Return the question of a round, put to the event as it stood before."""
        ...


class PairingSystem:
    """Everything of one system. The defaults judge a round by its seats alone, and make none.

    called:  in a sentence: `a round robin`
    rules:   what a proof names as the rules that a round was judged by
    wishes:  which of the organizer's wishes it looks at (`tourney.pairing.WISHES`): what may be entered, what a round is
             judged by and what its proof states all follow from here
    settled: why it looks at no wish about who meets whom, and what can be done instead
    weighs:  whether its rounds are recorded with what they cost
    repairs: whether its rounds, of two at a table, can be repaired
    rests_on_results: whether other results would have made other tables
    seats_count: whether who sat where in earlier rounds matters
    """

    called = ""
    rules = "seats"
    wishes: frozenset[str] = WISHES
    settled: tuple[str, str] = ("", "")
    weighs = False
    repairs = False
    rests_on_results = True
    seats_count = False

    def planned_rounds(self, state: State) -> int | None:
        """Return how many rounds there will be where the organizer has not said; None: nobody can tell."""
        return None

    def propose(self, ask: Ask) -> Proposal:
        """Return the next round. Raises TourneyError where there is none."""
        raise NotImplementedError

    def pairer(self, ask: Ask) -> Pairer | None:
        """Return what pairs this round and those after it, whatever is played before them; None: nobody can tell what does."""
        return None

    def price(
        self,
        before: State,
        field: RoundField,
        options: Options,
        tables: Sequence[Table],
        byes: Sequence[PlayerId],
    ) -> Cost:
        """Return what a round costs; a system that weighs nothing costs nothing."""
        from tourney.pairing import Cost

        return Cost()

    def judge(self, question: RoundQuestion, made: Pairing | None) -> Judged:
        """Hold a recorded round against the system. made: what its engine makes of it, where that is known."""
        from tourney.event.systems.recorded import by_seats_alone

        return by_seats_alone(question)

    def certificate(self, judged: Judged) -> dict[str, Any]:
        """Return what its proof rests on besides the round, as data (`certificate`, `best`)."""
        return {"certificate": None}

    def entrants(self, judged: Judged) -> Sequence[Entrant]:
        """Return who was to be paired, as far as the system looks at them."""
        return judged.question.field.entrants

    def explains(self, round_: Round) -> PairingSystem:
        """Return the system whose rules explain a round of an event of this one, whoever made the tables."""
        larger = any(len(table.seats) != 2 for table in round_.tables.values())
        return system_called("pods" if larger or round_.system == "pods" else "swiss")

    def rests(self, state: State, round_: Round, player: PlayerId) -> bool:
        """Say whether a player without a table had no opponent by the system's own plan."""
        return False

    def why(self, moment: Moment, seats: tuple[PlayerId, ...], table: int | None) -> RoundExplanation:
        """Explain a table, or (None) why one player has no opponent."""
        raise NotImplementedError

    def why_not(self, moment: Moment, one: PlayerId, other: PlayerId) -> Price:
        """Say what it would have cost to pair two players, or to give one the bye (`other` = `NOBODY`)."""
        raise NotImplementedError


def system_called(name: System) -> PairingSystem:
    """Return a system by its name. Its module is read when it is asked for: whoever enters a result needs none."""
    row: PairingSystem = import_module(f"{__name__}.{name.replace('-', '_')}").SYSTEM
    return row


def propose(ask: Ask) -> Proposal:
    """Return the next round by the event's system, in the cut by its bracket. Raises TourneyError where there is none."""
    return system_called(ask.state.system).propose(ask)


def planned_rounds(state: State) -> int | None:
    """Return how many rounds there will be before a cut: as the organizer said, or as the system has it."""
    if state.settings.pairing.rounds is not None:
        return state.settings.pairing.rounds
    return system_called(state.settings.pairing.system).planned_rounds(state)


def rounds_before_cut(state: State) -> int | None:
    """Return how many rounds lead to the cut: those that were played where it is made or the event closed, else as planned."""
    return len(state.swiss) if state.cut is not None or state.closed else planned_rounds(state)


def cut_to_come(state: State, profile: Profile | None = None) -> int:
    """Return how many a cut takes: as the organizer plans, the profile advises, or is usual for those who started; 0: none is spoken of.

    Whoever leaves changes nothing of that. profile: None where it is not at hand, so that it advises nothing
    """
    from tourney.pairing.plan import usual_cut

    settings = state.settings
    if settings.cut.planned_cut or settings.pairing.system in {"elimination", "round-robin"}:
        return settings.cut.planned_cut
    started = len(state.players) - len(left_by(state, 0))
    advised = profile.advised_cut(started) if profile else 0
    return advised or usual_cut(started, settings.bracket_seats, settings.bracket_advance)


# -- what the engines are asked


def options_of(state: State, number: int) -> Options:
    """Return the switches of round `number` for the engines."""
    from tourney.pairing import Options

    settings = state.settings
    forced = [each.players for each in state.forced if each.round == number]
    byes = [players[0] for players in forced if len(players) == 1]
    if len(byes) > 1:
        raise TourneyError(
            f"{listed(map(names_of(state), byes))} are both to have the bye",
            "take one of them back: `tourney event undo N`",
        )
    apart = [each.players for each in state.forbidden if each.hard]
    return Options(
        round_number=number,
        mode=_mode(state, number),
        forbidden=frozenset(two for players in apart for two in combinations(players, 2)),
        forced=tuple(two for players in forced for two in combinations(players, 2)),
        forced_bye=byes[0] if byes else None,
        sides=bool(settings.match.sides),
        awarded_bye_counts=settings.pairing.awarded_bye_counts,
        half_bye_counts=settings.pairing.half_bye_counts,
        no_show_meets=settings.pairing.no_show_meets,
        first_table=settings.pairing.first_table,
    )


def _mode(state: State, number: int) -> Mode:
    from tourney.pairing import Mode

    if number == 1:
        return Mode(state.settings.pairing.first_round)
    last = number == state.settings.pairing.rounds
    return Mode.RANK if last and state.settings.pairing.last_round == "rank" else Mode.RANDOM


def sizes_of(state: State) -> Sizes:
    """Return how many players a table of the event may and should seat."""
    from tourney.pairing.manual import Sizes

    seats = state.settings.match.seats
    return Sizes(min(seats), seats[0], max(seats))


def seats_before(state: State, number: int) -> dict[PlayerId, list[int]]:
    """Return the seats everybody had in the rounds before, from 1."""
    had: dict[PlayerId, list[int]] = {}
    for round_ in state.rounds[: number - 1]:
        for table in round_.tables.values():
            for seat, player in enumerate(table.seats, 1):
                had.setdefault(player, []).append(seat)
    return had


# -- what they answer


def entered(ask: Ask, made: Pairing, field: RoundField, engine: str) -> RoundPaired:
    """Return the entry of a round that an engine made."""
    byes = {player: UNSEATED[outcome] for player, outcome in field.byes.items()}
    byes |= dict.fromkeys(made.byes, "bye")
    return RoundPaired(
        round=ask.number,
        tables=tuple(Table(table.number, table.seats) for table in made.tables),
        byes=tuple(NoTable(player, kind) for player, kind in sorted(byes.items())),
        system=ask.state.settings.pairing.system,
        seed=ask.seed,
        engine=engine,
        proof=recorded_proof(made),
    )


def recorded_proof(made: Pairing) -> Proof:
    """Return what an engine proved, as it is recorded."""
    return Proof(cost=_levels(made.cost), bound=_levels(made.bound), text=made.proof)


def _levels(cost: Cost) -> tuple[int, ...]:
    return tuple(cost.as_dict().values())


def rematches(state: State, made: Pairing, entrants: tuple[Entrant, ...]) -> tuple[str, ...]:
    """Warn of those who meet again, and say whether that could be helped."""
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
