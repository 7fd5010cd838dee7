"""The input of standings and of pairing engines, made from the state of an event.

Standings rank a `Record`; an engine pairs a `RoundField` of entrants. The module also computes the seeds of
all random draws and the places in divisions. It puts an engine's proof of its pairing into the form in which
the journal stores it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

# These packages import their modules when a name is first used, so that entering a result loads no engine.
import tourney.pairing as engines
import tourney.standings as rankings
from tourney.cards.names import fold
from tourney.errors import DamagedSecretError, TourneyError
from tourney.event.entry import ALTERED
from tourney.event.ops import Proof, Ref
from tourney.event.state import Player, Round, State
from tourney.record import Outcome, PlayerId, Record, Table, drops_before
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.pairing.dutch import Engine

# -- the record for standings


def record(state: State) -> Record:
    """Return the record that standings rank: the rounds of the event, without those of a cut."""
    rounds = _ranked_rounds(state)
    last = len(rounds)
    outcomes_by_round = [_outcomes_without_table(state, round_) for round_ in rounds]
    players = state.players.values()
    tables = tuple(round_.record for round_ in rounds)
    early_leavers = _find_early_leavers(state, tables)
    drops_by_player = {player.id: player.dropped for player in players if player.dropped is not None}
    non_starters = _non_starters(state, outcomes_by_round, drops_by_player)
    return Record(
        players=tuple(state.players),
        rounds=tables,
        byes=tuple(
            {player: outcome for player, outcome in outcomes.items() if outcome in _GIVEN}
            for outcomes in outcomes_by_round
        ),
        absences=tuple(
            frozenset(player for player, outcome in outcomes.items() if outcome not in _GIVEN) - non_starters
            for outcomes in outcomes_by_round
        ),
        drops=drops_before(last, drops_by_player | dict.fromkeys(non_starters, 0)),
        disqualified={
            player.id: min(player.disqualified, last) for player in players if player.disqualified is not None
        },
        left_early=early_leavers,
        no_opponent=_no_opponent(state, rounds, early_leavers) if early_leavers else (),
        extra_points=_extra_points(state, last),
        ratings={player.id: player.rating for player in players if player.rating is not None},
        planned_rounds=state.settings.pairing.rounds,
        round_robin=state.settings.pairing.system == "round-robin",
    )


def record_without(state: State, record: Record, leavers: Collection[PlayerId]) -> Record:
    """Return `record` as it will be if the players in `leavers` drop after its last round.

    Of these players, only those who never had a table or a bye are added to the drops of the record. In a
    round robin, the games of players who leave may no longer count.

    record: a record of rounds of `state`; its results can differ from those in `state`, as in a simulation
    """
    rounds = _ranked_rounds(state)
    last = len(record.rounds)
    early_leavers = _find_early_leavers(state, record.rounds, dict.fromkeys(leavers, last))
    if last < len(rounds):  # leave out players who left after the rounds of `record`
        early_leavers = {player: after for player, after in early_leavers.items() if after <= last}
    non_starters = _non_starters(state, record.byes, leavers)
    return replace(
        record,
        absences=tuple(players - non_starters for players in record.absences),
        drops={**record.drops, **drops_before(last, dict.fromkeys(non_starters, 0))},
        left_early=early_leavers,
        no_opponent=_no_opponent(state, rounds[:last], early_leavers) if early_leavers else (),
    )


def _ranked_rounds(state: State) -> tuple[Round, ...]:
    """Return the rounds that standings count: those before the cut, else those of the bracket."""
    return state.swiss or state.rounds


_GIVEN = frozenset({Outcome.BYE, Outcome.AWARDED_BYE, Outcome.HALF_BYE})
"""Of the outcomes for players without a table, those that are byes. The others are absences."""


def _non_starters(
    state: State, outcomes_by_round: Sequence[Mapping[PlayerId, Outcome]], leavers: Collection[PlayerId]
) -> frozenset[PlayerId]:
    """Return the players of `leavers` who never had a table or a bye.

    Standings treat these players as if they had dropped before round 1. In a round robin, no players are
    returned, because its table lists all players of the schedule (see `_find_early_leavers`).

    outcomes_by_round: for each round, player without a table → outcome
    """
    if state.settings.pairing.system == "round-robin":
        return frozenset()
    starters = {
        player for round_ in state.rounds for table in round_.tables.values() for player in table.seats
    }
    starters.update(
        player for byes in outcomes_by_round for player, outcome in byes.items() if outcome in _GIVEN
    )
    return frozenset(leavers) - starters


def _extra_points(state: State, rounds: int) -> tuple[dict[PlayerId, int], ...]:
    """Return, for each round, player → the extra half points that an imported file gives.

    Empty if the event was not imported with extra points.
    """
    imported_points = state.imported.extra_points if state.imported else ()
    extra: tuple[dict[PlayerId, int], ...] = tuple({} for _ in range(rounds if imported_points else 0))
    for points in imported_points:
        if points.round <= rounds and points.player in state.players:
            extra[points.round - 1][points.player] = points.points
    return extra


def _outcomes_without_table(state: State, round_: Round) -> dict[PlayerId, Outcome]:
    """Return the outcome of each player who was in the event in this round but had no table."""
    seated_players = round_.seated
    outcomes: dict[PlayerId, Outcome] = {}
    for player in state.players.values():
        if player.id in seated_players:
            continue
        if player.id in round_.byes:
            outcomes[player.id] = round_.byes[player.id]
        elif player.since > round_.number:
            outcomes[player.id] = player.late
        # In a bracket, a player without a table has lost or waits for an opponent.
        elif not _has_left(player, round_.number) and round_.stage == "swiss":
            outcomes[player.id] = Outcome.ABSENT
    return outcomes


def _has_left(player: Player, number: int) -> bool:
    """Return whether a player had left before round `number`."""
    return player.last_round is not None and player.last_round < number


def _find_early_leavers(
    state: State,
    rounds: Sequence[Sequence[Table]],
    leaving: Mapping[PlayerId, int] = MappingProxyType({}),
) -> dict[PlayerId, int]:
    """Return the players who left a round robin so early that their games do not count.

    Each of them is mapped to the last round before they left.

    FIDE Handbook C.06, Tournament Rules, V.4, on a player who leaves a round robin: if the player has
    completed less than half of the games, the results stay in the table, but points made by or against the
    player do not count. Otherwise all results count, and each remaining game is a loss for the player and a
    win for the opponent, whom this program gives a bye. A game is completed if both players were at the
    table.

    Empty if the setting `left_early` makes such games count, or if the event is not a round robin.

    rounds: the tables of the rounds whose games count as completed
    leaving: further players who are about to leave → their last round
    """
    settings = state.settings
    if settings.pairing.system != "round-robin" or settings.pairing.left_early == "counts":
        return {}
    members = scheduled_players(state)
    scheduled_games = (len(members) - 1) * (2 if settings.pairing.double else 1)
    completed_games = dict.fromkeys(state.players, 0)
    for tables in rounds:
        for table in tables:
            for seat in table.result.seats if table.result else ():
                completed_games[seat.player] += seat.outcome.played
    last_rounds = {player: leaving.get(player, state.players[player].last_round) for player in members}
    return {
        player: last
        for player, last in last_rounds.items()
        if last is not None and 2 * completed_games[player] < scheduled_games
    }


def _no_opponent(
    state: State, rounds: tuple[Round, ...], early_leavers: Collection[PlayerId]
) -> tuple[dict[PlayerId, PlayerId], ...]:
    """Return, for each round, player with a bye → scheduled opponent who left early.

    early_leavers: the players who left early (`_find_early_leavers`)
    """
    if not rounds:
        return ()
    plan = round_robin(state, rounds[0].seed)
    return tuple(
        {
            player: other
            for pair in pairs
            for player, other in (pair, pair[::-1])
            if other in early_leavers and player in round_.byes
        }
        for round_, pairs in zip(rounds, plan.rounds, strict=False)
    )


def round_robin(state: State, seed: str) -> engines.Schedule:
    """Return the schedule of a round robin.

    seed: the seed that round 1 will have, used only if that round is not paired yet
    """
    first_seed = state.rounds[0].seed if state.rounds else seed
    return engines.schedule(scheduled_players(state), double=state.settings.pairing.double, seed=first_seed)


def scheduled_players(state: State) -> list[PlayerId]:
    """Return the players in the schedule of a round robin: all who were in the event in round 1."""
    return [
        player.id
        for player in state.players.values()
        if player.since == 1 and player.dropped != 0 and player.disqualified != 0
    ]


def leavers_until(state: State, last: int) -> frozenset[PlayerId]:
    """Return the players who left in or before round `last`, so that a cut skips them."""
    return frozenset(player.id for player in state.players.values() if _has_left(player, last + 1))


def cut_of(state: State) -> frozenset[PlayerId]:
    """Return the players who advanced from the standings to the bracket; empty if none did."""
    return frozenset(state.cut.players) if state.cut and state.cut.after else frozenset()


def standings(state: State, profile: rankings.Profile, seed: str = "") -> rankings.Standings:
    """Return the standings. seed: the seed of the lot for tied players; empty for no lot."""
    return rankings.rank(record(state), profile, seed=seed)


# -- seeds


def lot_seed(secret: bytes | None, beacon: str | None = None) -> str:
    """Return the seed of the lot that separates tied players; empty without the secret.

    The seed is the SHA-256 of `lot/` and the event's secret, followed by a slash and the public value if
    there is one.
    """
    return sha256(b"lot/" + secret + _public(beacon)).hexdigest() if secret else ""


def lot_of(state: State, secret: bytes | None) -> str:
    """Return the seed of the event's lot; empty if this copy cannot draw lots now.

    secret: the stored secret; None if this copy has none
    """
    event_secret = None if state.waits_for_beacon else own_secret(state, secret)
    return lot_seed(event_secret, state.beacon.value if state.beacon else None)


def own_secret(state: State, stored_secret: bytes | None) -> bytes | None:
    """Return the secret whose SHA-256 is in entry 1: the stored one, or the revealed one.

    None if neither matches, because this copy has no secret or a damaged one.
    """
    revealed_secret = None
    with suppress(ValueError):
        revealed_secret = bytes.fromhex(state.revealed or "") or None
    secrets = (secret for secret in (stored_secret, revealed_secret) if secret is not None)
    return next((secret for secret in secrets if sha256(secret).hexdigest() == state.secret_digest), None)


def is_secret_damaged(state: State, stored_secret: bytes | None) -> bool:
    """Return whether the stored secret is wrong, and the event has not revealed the right one.

    The right secret has the SHA-256 in entry 1. Returns False if no secret is stored.
    """
    return stored_secret is not None and own_secret(state, stored_secret) is None


DAMAGED = "the secret in this file does not match the SHA-256 in entry 1: it is damaged or was replaced"
"""The message about a damaged secret in the checks of an event."""


def damaged_secret_error(consequence: str) -> DamagedSecretError:
    """Return the error for an action that a damaged secret makes impossible.

    consequence: what is not possible, as in `no lot can be drawn`
    """
    return DamagedSecretError(
        f"the event's secret is damaged: its SHA-256 is not the one in entry 1, so {consequence}", ALTERED
    )


NO_SECRET = "this copy came without the secret"  # noqa: S105 - a sentence
"""The reason why a copy without the secret cannot draw lots or seeds."""


def round_seed(secret: bytes, number: int, beacon: str | None = None) -> str:
    """Return the seed of round `number`, in hexadecimal.

    The seed is the SHA-256 of the event's secret, a slash and the number.

    beacon: the public value, if the event waited for one; a slash and its UTF-8 bytes are hashed after the
        number

    >>> round_seed(b"friday", 1)[:16]
    'b253117c1ad7e622'
    """
    return sha256(b"%b/%d" % (secret, number) + _public(beacon)).hexdigest()


def audit_seed(secret: bytes, number: int, draws: int, beacon: str | None = None) -> str:
    """Return the seed that draws the decks to check in round `number`, in hexadecimal.

    The seed is the SHA-256 of `audit/`, the event's secret, a slash, the round, a slash and the number of
    earlier draws in this round, followed by a slash and the public value if there is one. So the seed of the
    pairing does not reveal whose deck is checked.
    """
    return sha256(b"audit/%b/%d/%d" % (secret, number, draws) + _public(beacon)).hexdigest()


def _public(beacon: str | None) -> bytes:
    return b"" if beacon is None else b"/" + beacon.encode()


# -- the input of a pairing


class Ask(Struct, frozen=True, kw_only=True):
    """A request to a pairing system: pair round `number` of the event in `state`.

    seed:         the round's seed
    dutch:        the engine of FIDE's Dutch system; None if the extra `fide` is not installed
    dutch_engine: the name and version of that engine, which are recorded with the round
    """

    state: State
    profile: rankings.Profile
    number: int
    seed: str
    dutch: Engine | None = None
    dutch_engine: str = ""


class RoundField(Struct, frozen=True):
    """The players of a round.

    entrants: the players to pair; if their number is odd, one of them gets the bye
    byes:     the players who are not paired → the bye or the absence that they requested
    """

    entrants: tuple[engines.Entrant, ...]
    byes: Mapping[PlayerId, Outcome]


def field_of(
    state: State,
    profile: rankings.Profile,
    *,
    number: int,
    without: Collection[PlayerId] = (),
    newcomers: bool = False,
    ranks: bool = False,
) -> RoundField:
    """Return the players to pair in round `number`, with their results in the rounds before it.

    Players with a requested bye or an absence are included separately (`RoundField.byes`).

    without:   further players to leave out, such as those whose tables a repair does not change
    newcomers: whether to include players who were registered during the round
    ranks:     whether each entrant includes the player's place in the standings
    """
    scorecards = rankings.Scorecards(record(state).after(number - 1), profile)
    rows = rankings.rank_scorecards(scorecards).rows if ranks else ()
    places = {row.player: place for place, row in enumerate(rows, 1)}
    present = [
        player
        for player in state.players.values()
        if player.since <= number + newcomers and not _has_left(player, number) and player.id not in without
    ]
    byes = {player.id: player.byes[number] for player in present if number in player.byes}
    before = scorecards.points_before()
    entrants = [
        engines.entrant_after(
            player.id,
            scorecards.lines[player.id].numbers,
            scorecards.lines[player.id].places,
            before,
            sides=bool(state.settings.match.sides),
            tags=apart_by(state, player, number),
            fixed_table=fixed_table(state, player, number),
            rating=player.rating,
            rank=places.get(player.id),
        )
        for player in present
        if player.id not in byes
    ]
    return RoundField(tuple(entrants), byes)


def apart_by(state: State, player: Player, number: int) -> tuple[str, ...]:
    """Return those groups of a player whose members are kept apart in round `number`.

    A group is all players with the same tag, such as a club, or a pair whose players should not meet if that
    can be avoided.
    """
    groups = []
    for kind, rounds in state.settings.pairing.keep_apart.items():
        if kind in player.tags and (not rounds or number <= rounds):
            groups.append(f"{kind}:{player.tags[kind][0]}")
    for place, pair in enumerate(state.forbidden):
        if not pair.hard and player.id in pair.players:
            groups.append(f"apart:{place}")
    return tuple(groups)


def groups_of(state: State) -> Callable[[str], str]:
    """Return a function that describes a group from `apart_by`: `the club Harbour Club`."""
    texts = {ref: text for player in state.players.values() for ref, text in player.tags.values()}

    def name_group(tag: str) -> str:
        kind, _, ref = tag.partition(":")
        text = texts.get(Ref(ref))
        return f"the {kind} {text}" if text else f"the same {kind}"

    return name_group


def fixed_table(state: State, player: Player, number: int) -> int | None:
    """Return the table that a player must sit at; None if the player can sit at any.

    The table of a forced pair takes precedence over the player's own fixed table.
    """
    forced_tables = (
        pair.table for pair in state.forced if pair.round == number and player.id == pair.players[0]
    )
    return next((table for table in forced_tables if table is not None), player.table)


def options_of(state: State, number: int) -> engines.Options:
    """Return the options for pairing round `number`, such as forced pairs, for any engine."""
    settings = state.settings
    forced_groups = [pair.players for pair in state.forced if pair.round == number]
    byes = [players[0] for players in forced_groups if len(players) == 1]
    if len(byes) > 1:
        raise TourneyError(
            f"only one player can have the bye, not {listed(map(state.name_of, byes))}",
            "undo one of the forced byes: `tourney event undo N`",
        )
    forbidden_groups = [pair.players for pair in state.forbidden if pair.hard]
    return engines.Options(
        round_number=number,
        mode=_mode(state, number),
        forbidden=frozenset(two for players in forbidden_groups for two in combinations(players, 2)),
        forced=tuple(two for players in forced_groups for two in combinations(players, 2)),
        forced_bye=byes[0] if byes else None,
        sides=bool(settings.match.sides),
        awarded_bye_counts=settings.pairing.awarded_bye_counts,
        half_bye_counts=settings.pairing.half_bye_counts,
        no_show_meets=settings.pairing.no_show_meets,
        first_table=settings.pairing.first_table,
    )


def _mode(state: State, number: int) -> engines.Mode:
    pairing = state.settings.pairing
    if number == 1:
        return engines.Mode(pairing.first_round)
    is_by_rank = number == pairing.rounds and pairing.last_round == "rank"
    return engines.Mode.RANK if is_by_rank else engines.Mode.RANDOM


def sizes_of(state: State) -> engines.Sizes:
    """Return the fewest, preferred and most players at a table of the event."""
    seats = state.settings.match.seats
    return engines.Sizes(min(seats), seats[0], max(seats))


def seats_before(state: State, number: int) -> dict[PlayerId, list[int]]:
    """Return each player's seat numbers (from 1) in the rounds before `number`."""
    seats: dict[PlayerId, list[int]] = {}
    for round_ in state.rounds[: number - 1]:
        for table in round_.tables.values():
            for seat, player in enumerate(table.seats, 1):
                seats.setdefault(player, []).append(seat)
    return seats


# -- divisions: groups of players with the same tag `division`, who are also ranked within the group


class InDivision(Struct, frozen=True, kw_only=True):
    """A player's place in their division, as part of a row of a ranking.

    division: the name of the division; empty if there is none
    division_place: the place in the division, the first if players share places; null without a place
    division_last: the last of the shared places in the division; null without a place
    """

    division: str = ""
    division_place: int | None = None
    division_last: int | None = None

    @property
    def in_division(self) -> str:
        """Division and place: `Juniors 2`, `Juniors 2–3`."""
        first, last = self.division_place, self.division_last
        return self.division if first is None else f"{self.division} {shared_places(first, last)}"


def shared_places(first: int, last: int | None) -> str:
    """Return the places that players share: `2–3`; `2` if the place is not shared."""
    return str(first) if first == last else f"{first}–{last}"


def divisions_of(state: State) -> dict[PlayerId, str]:
    """Return player → division, in the spelling of the member who registered first.

    Players without a division are left out.
    """
    spellings: dict[str, str] = {}
    return {
        player.id: spellings.setdefault(fold(player.tags["division"][1]), player.tags["division"][1])
        for player in state.players.values()
        if "division" in player.tags
    }


def division_places(
    divisions: Mapping[PlayerId, str], ranking: Iterable[tuple[PlayerId, int | None]]
) -> dict[PlayerId, InDivision]:
    """Return each player's place in their division, as it follows from a ranking of all players.

    ranking: the players with their rank, best first; tied players have the same rank, and unranked players
        have None
    """
    groups: dict[str, dict[int, list[PlayerId]]] = {}
    places = {player: InDivision(division=name) for player, name in divisions.items()}
    for player, rank in ranking:
        if player in divisions and rank is not None:
            groups.setdefault(divisions[player], {}).setdefault(rank, []).append(player)
    for name, by_rank in groups.items():
        before = 0
        for players in by_rank.values():
            first, before = before + 1, before + len(players)
            place = InDivision(division=name, division_place=first, division_last=before)
            places |= dict.fromkeys(players, place)
    return places


def proof_of(pairing: engines.Pairing) -> Proof:
    """Return the proof that an engine gives for its pairing, in the form for a journal entry."""
    return Proof(
        cost=tuple(pairing.cost.as_dict().values()),
        bound=tuple(pairing.bound.as_dict().values()),
        text=pairing.proof,
    )
