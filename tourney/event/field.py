"""From the state to what the engines ask for: the record that standings rank, the entrants that pairing pairs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from tourney.cards.names import fold
from tourney.errors import DamagedSecretError
from tourney.event.entry import ALTERED
from tourney.event.ops import Ref
from tourney.event.state import Player, Round, State
from tourney.record import Outcome, PlayerId, Record, Table, drops_before

if TYPE_CHECKING:
    from tourney.pairing import Entrant
    from tourney.pairing.round_robin import Schedule
    from tourney.standings import Profile, Standings
    from tourney.standings.scorecards import Scorecards


def record(state: State) -> Record:
    """Return the tournament as the standings see it, the rounds of a cut left out."""
    rounds = _ranked_rounds(state)
    last = len(rounds)
    missed = [_without_table(state, each) for each in rounds]
    players = state.players.values()
    tables = tuple(tuple(each.tables.values()) for each in rounds)
    early = _left_early(state, tables)
    left = {player.id: player.dropped for player in players if player.dropped is not None}
    unstarted = _unstarted(state, missed, left)
    return Record(
        players=tuple(state.players),
        rounds=tables,
        byes=tuple(
            {player: outcome for player, outcome in each.items() if outcome in _GIVEN} for each in missed
        ),
        absences=tuple(
            frozenset(player for player, outcome in each.items() if outcome not in _GIVEN) - unstarted
            for each in missed
        ),
        drops=drops_before(last, left | dict.fromkeys(unstarted, 0)),
        disqualified={
            each.id: min(each.disqualified, last) for each in players if each.disqualified is not None
        },
        left_early=early,
        no_opponent=_no_opponent(state, rounds, early) if early else (),
        extra_points=_extra_points(state, last),
        ratings={each.id: each.rating for each in players if each.rating is not None},
        planned_rounds=state.settings.pairing.rounds,
        round_robin=state.settings.pairing.system == "round-robin",
    )


def record_without(state: State, record: Record, leaving: Collection[PlayerId]) -> Record:
    """Return a record of the event as it is once players leave after its last round, as `record` makes it then.

    They are not among its drops (`drops_before`) unless they had no match yet, but in a round robin their games may count
    no more.

    record: of the rounds of `state`, perhaps with other results
    """
    rounds = _ranked_rounds(state)
    last = len(record.rounds)
    early = _left_early(state, record.rounds, dict.fromkeys(leaving, last))
    if last < len(rounds):  # as the event stood before others left
        early = {player: after for player, after in early.items() if after <= last}
    no_opponent = _no_opponent(state, rounds[:last], early) if early else ()
    unstarted = _unstarted(state, record.byes, leaving)
    return replace(
        record,
        absences=tuple(players - unstarted for players in record.absences),
        drops={**record.drops, **drops_before(last, dict.fromkeys(unstarted, 0))},
        left_early=early,
        no_opponent=no_opponent,
    )


def _ranked_rounds(state: State) -> tuple[Round, ...]:
    """Return the rounds that standings count: the Swiss ones; where there are none, the bracket's."""
    return state.swiss or state.rounds


_GIVEN = frozenset({Outcome.BYE, Outcome.AWARDED_BYE, Outcome.HALF_BYE})
"""What a player without a table may have had; everything else is an absence."""


def _unstarted(
    state: State, missed: Sequence[Mapping[PlayerId, Outcome]], left: Collection[PlayerId]
) -> frozenset[PlayerId]:
    """Return which players of `left` had no table and no bye in any round, such as a no-show repaired out of round 1.

    Standings treat them as if they had dropped before round 1. A round robin keeps every player of its schedule in the
    table; `left_early` says where they stand.
    """
    if state.settings.pairing.system == "round-robin":
        return frozenset()
    started = {
        player for round_ in state.rounds for table in round_.tables.values() for player in table.seats
    }
    started.update(player for byes in missed for player, outcome in byes.items() if outcome in _GIVEN)
    return frozenset(left) - started


def _extra_points(state: State, rounds: int) -> tuple[dict[PlayerId, int], ...]:
    """Return what the file that the event came from gave beside the results, round by round."""
    given = state.imported.extra_points if state.imported else ()
    extra: tuple[dict[PlayerId, int], ...] = tuple({} for _ in range(rounds if given else 0))
    for each in given:
        if each.round <= rounds and each.player in state.players:
            extra[each.round - 1][each.player] = each.points
    return extra


def _without_table(state: State, round_: Round) -> dict[PlayerId, Outcome]:
    """Return everybody who was in the event in this round and not at a table, with what they had."""
    seated = {player for table in round_.tables.values() for player in table.seats}
    outcomes: dict[PlayerId, Outcome] = {}
    for player in state.players.values():
        if player.id in seated:
            continue
        if player.id in round_.byes:
            outcomes[player.id] = round_.byes[player.id]
        elif player.since > round_.number:
            outcomes[player.id] = player.late
        elif not _gone(player, round_.number) and round_.stage == "swiss":  # in a bracket: out, or waiting
            outcomes[player.id] = Outcome.ABSENT
    return outcomes


def _gone(player: Player, number: int) -> bool:
    """Say whether a player had left before round `number`."""
    return player.last_round is not None and player.last_round < number


def left_early(state: State) -> dict[PlayerId, int]:
    """Return whose games count for nobody, and after which round they had left: those who had played less than half.

    FIDE Handbook C.06, Tournament Rules, V.4, on who withdraws or is expelled from a round robin: with less than half of
    their games completed the results stay in the table, and points made by them or against them are not counted in the
    final standings; else everything counts, and each game left to play is lost by them and won by the opponent, who has the
    bye here. A game is completed when both were at the table.

    Nobody in an event whose setting `left_early` says that such games count.
    """
    return _left_early(state, tuple(tuple(each.tables.values()) for each in state.swiss))


def _left_early(
    state: State,
    rounds: Sequence[Sequence[Table]],
    leaving: Mapping[PlayerId, int] = MappingProxyType({}),
) -> dict[PlayerId, int]:
    """Return the same for these rounds. leaving: who leaves besides, and after which round."""
    settings = state.settings
    if settings.pairing.system != "round-robin" or settings.pairing.left_early == "counts":
        return {}
    members = scheduled(state)
    due = (len(members) - 1) * (2 if settings.pairing.double else 1)
    completed = dict.fromkeys(state.players, 0)
    for tables in rounds:
        for table in tables:
            for seat in table.result.seats if table.result else ():
                completed[seat.player] += seat.outcome.played
    left = {player: leaving.get(player, state.players[player].last_round) for player in members}
    return {player: last for player, last in left.items() if last is not None and 2 * completed[player] < due}


def _no_opponent(
    state: State, rounds: tuple[Round, ...], early: Collection[PlayerId]
) -> tuple[dict[PlayerId, PlayerId], ...]:
    """Return, for each round, who had no table because one of `early` was due, with whom that was."""
    if not rounds:
        return ()
    plan = round_robin(state, rounds[0].seed)
    return tuple(
        {
            player: other
            for pair in due
            for player, other in (pair, pair[::-1])
            if other in early and player in round_.byes
        }
        for round_, due in zip(rounds, plan.rounds, strict=False)
    )


def round_robin(state: State, seed: str) -> Schedule:
    """Return the whole schedule of a round robin. seed: of round 1, where it is not paired yet."""
    from tourney.pairing.round_robin import schedule

    first_seed = state.rounds[0].seed if state.rounds else seed
    return schedule(scheduled(state), double=state.settings.pairing.double, seed=first_seed)


def scheduled(state: State) -> list[PlayerId]:
    """Return who is in the schedule of a round robin: everybody who was there before round 1."""
    return [
        each.id
        for each in state.players.values()
        if each.since == 1 and each.dropped != 0 and each.disqualified != 0
    ]


def left_by(state: State, last: int) -> frozenset[PlayerId]:
    """Return who had left or was disqualified when round `last` was over: a cut after it passes them over."""
    return frozenset(player.id for player in state.players.values() if _gone(player, last + 1))


def cut_of(state: State) -> frozenset[PlayerId]:
    """Return who went on from the standings to the bracket; nobody where there is none, or nothing else."""
    return frozenset(state.cut.players) if state.cut and state.cut.after else frozenset()


# -- what everything is drawn by


def lot_seed(secret: bytes | None, beacon: str | None = None) -> str:
    """Return the seed of the lot that separates players who are level in everything; empty without the secret.

    SHA-256 of `lot/` and the event secret, and of a slash and the public value where there is one.
    """
    return sha256(b"lot/" + secret + _public(beacon)).hexdigest() if secret else ""


def lot_of(state: State, secret: bytes | None) -> str:
    """Return the seed of the lot as `state` draws it; empty where this copy cannot draw it, or not yet.

    secret: what the event stores as its secret; see `own_secret`
    """
    if state.waits_for_beacon:
        return ""
    own = own_secret(state, secret)
    if own is None:
        return ""
    return lot_seed(own, state.beacon.value if state.beacon else None)


def own_secret(state: State, stored: bytes | None) -> bytes | None:
    """Return the secret that entry 1 commits to: the stored one, or the one that the end of the event revealed.

    None where neither matches: a copy without the secret, or a damaged one.
    """
    revealed = None
    with suppress(ValueError):
        revealed = bytes.fromhex(state.revealed or "") or None
    secrets = (each for each in (stored, revealed) if each is not None)
    return next((each for each in secrets if sha256(each).hexdigest() == state.secret_digest), None)


def is_secret_damaged(state: State, stored: bytes | None) -> bool:
    """Return whether a secret is stored, and neither it nor a revealed one is what entry 1 commits to."""
    return stored is not None and own_secret(state, stored) is None


DAMAGED = "the secret in this file does not match the SHA-256 in entry 1: it is damaged or was replaced"
"""What checks of an event say of a damaged secret."""


def damaged_secret(consequence: str) -> DamagedSecretError:
    """Return the refusal of what a damaged secret makes impossible. consequence: `no lot can be drawn`."""
    return DamagedSecretError(
        f"the event's secret is damaged: its SHA-256 is not the one in entry 1, so {consequence}", ALTERED
    )


NO_SECRET = "this copy came without the secret"  # noqa: S105 - a sentence
"""Why nobody can draw lots or seeds here."""


def round_seed(secret: bytes, number: int, beacon: str | None = None) -> str:
    """Return the seed of round `number`: SHA-256 of the event secret, a slash and the number, in hexadecimal.

    beacon: the public value that the event waited for; a slash and its UTF-8 bytes are hashed after the number.

    >>> round_seed(b"friday", 1)[:16]
    'b253117c1ad7e622'
    """
    return sha256(b"%b/%d" % (secret, number) + _public(beacon)).hexdigest()


def audit_seed(secret: bytes, number: int, draws: int, beacon: str | None = None) -> str:
    """Return the seed by which decks are drawn to be checked in round `number`, in hexadecimal.

    SHA-256 of `audit/`, the event secret, a slash, the round, a slash, how many draws of the round stand already, and of
    a slash and the public value where there is one. So what pairs a round says nothing of whose deck is checked in it.
    """
    return sha256(b"audit/%b/%d/%d" % (secret, number, draws) + _public(beacon)).hexdigest()


def _public(beacon: str | None) -> bytes:
    return b"" if beacon is None else b"/" + beacon.encode()


# -- what the engines are asked


def standings(state: State, profile: Profile, seed: str = "") -> Standings:
    """Rank the players of `state`."""
    from tourney.standings import rank

    return rank(record(state), profile, seed=seed)


@dataclass(frozen=True, slots=True)
class RoundField:
    """Who is to be paired in a round, and who is not.

    entrants: those who will have a table, or the odd bye
    byes:     players whose bye or absence was announced for this round
    """

    entrants: tuple[Entrant, ...]
    byes: Mapping[PlayerId, Outcome]


def field_of(
    state: State,
    profile: Profile,
    *,
    number: int,
    without: Collection[PlayerId] = (),
    newcomers: bool = False,
    ranks: bool = False,
) -> RoundField:
    """Return the field of round `number`, from the rounds before it.

    without: players left out besides those who are gone (the tables of a round that is being mended)
    newcomers: take in who was registered while the round was being played
    ranks:   give entrants their place in the standings
    """
    from tourney.standings.scorecards import Scorecards

    rounds = record(state).after(number - 1)
    scorecards = Scorecards(rounds, profile)
    present = [each for each in state.players.values() if each.since <= number + newcomers]
    present = [each for each in present if not _gone(each, number)]
    present = [each for each in present if each.id not in without]
    byes = {each.id: each.byes[number] for each in present if number in each.byes}
    history = _History(scorecards, scorecards.points_before(), _places(rounds, profile) if ranks else {})
    entrants = [_entrant(state, each, history, number) for each in present if each.id not in byes]
    return RoundField(tuple(entrants), byes)


class _History(NamedTuple):
    """What came before: every round of every player, points before each round, places in the standings."""

    scorecards: Scorecards
    before: Mapping[PlayerId, list[int]]
    places: Mapping[PlayerId, int]


def _places(rounds: Record, profile: Profile) -> dict[PlayerId, int]:
    from tourney.standings import rank

    return {row.player: place for place, row in enumerate(rank(rounds, profile).rows, 1)}


def _entrant(state: State, player: Player, history: _History, number: int) -> Entrant:
    from tourney.pairing.pairing import entrant_after

    line = history.scorecards.lines[player.id]
    return entrant_after(
        player.id,
        line.numbers,
        line.places,
        history.before,
        sides=bool(state.settings.match.sides),
        tags=apart_by(state, player, number),
        fixed_table=fixed_table(state, player, number),
        rating=player.rating,
        rank=history.places.get(player.id),
    )


def apart_by(state: State, player: Player, number: int) -> tuple[str, ...]:
    """Return the groups in which a player is to be kept apart in this round; soft forbidden pairs are such groups, too."""
    groups = []
    for kind, rounds in state.settings.pairing.keep_apart.items():
        if kind in player.tags and (not rounds or number <= rounds):
            groups.append(f"{kind}:{player.tags[kind][0]}")
    for place, pair in enumerate(state.forbidden):
        if not pair.hard and player.id in pair.players:
            groups.append(f"apart:{place}")
    return tuple(groups)


def fixed_table(state: State, player: Player, number: int) -> int | None:
    """Return the table a player must sit at; one of a forced pair takes the other along."""
    forced = (each.table for each in state.forced if each.round == number and player.id == each.players[0])
    return next((table for table in forced if table is not None), player.table)


def groups_of(state: State) -> Callable[[str], str]:
    """Return a function that names a group to be kept apart by its tag, as entrants have it: `the club Harbour Club`."""
    texts = {ref: text for each in state.players.values() for ref, text in each.tags.values()}

    def named(tag: str) -> str:
        kind, _, ref = tag.partition(":")
        text = texts.get(Ref(ref))
        return f"the {kind} {text}" if text else f"the same {kind}"

    return named


# -- divisions: players with the same tag `division`, and their places among themselves


class DivisionPlace(NamedTuple):
    """A player's place in the division `name` (empty: in none). first, last: equal where it is theirs alone; None: without a place."""

    name: str = ""
    first: int | None = None
    last: int | None = None

    @property
    def words(self) -> str:
        """Division and place: `Juniors 2`, `Juniors 2–3`."""
        if self.first is None:
            return self.name
        return f"{self.name} {self.first if self.first == self.last else f'{self.first}–{self.last}'}"


def divisions_of(state: State) -> dict[PlayerId, str]:
    """Return the division of each player who has one, spelled as whoever registered first has it."""
    spelled: dict[str, str] = {}
    worn = {each.id: each.tags["division"][1] for each in state.players.values() if "division" in each.tags}
    return {player: spelled.setdefault(fold(text), text) for player, text in worn.items()}


def division_places(
    divisions: Mapping[PlayerId, str], ranking: Iterable[tuple[PlayerId, int | None]]
) -> dict[PlayerId, DivisionPlace]:
    """Return the places that a ranking of all gives inside each division: whoever is ahead there is ahead here.

    ranking: players with their rank, best first; equals have the same, None is without one
    """
    groups: dict[str, dict[int, list[PlayerId]]] = {}
    places = {player: DivisionPlace(name) for player, name in divisions.items()}
    for player, rank in ranking:
        if player in divisions and rank is not None:
            groups.setdefault(divisions[player], {}).setdefault(rank, []).append(player)
    for name, by_rank in groups.items():
        before = 0
        for players in by_rank.values():
            first, before = before + 1, before + len(players)
            places |= dict.fromkeys(players, DivisionPlace(name, first, before))
    return places
