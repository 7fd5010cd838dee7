"""Judge a recorded round, explain its tables, and write its proof.

`judge` works for every system, for brackets, and for rounds that were seated by hand
(`tourney.event.systems`).

`explain_table` and `price_pairing` consider the event as it was when the table was made: by the pairing, by a
repair, or by hand.

In a proof, points are counted in half points, point differences are squared, and player 0 is the bye.
`scripts/check-certificate` checks a proof without this program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tourney.desk.corrections import basis_of
from tourney.desk.open_event import OpenEvent
from tourney.document import Document
from tourney.errors import Finding, TourneyError
from tourney.event.field import seats_before, sizes_of
from tourney.event.kind import round_of
from tourney.event.results import find_table
from tourney.event.state import Round
from tourney.event.systems import explaining_system, system_called
from tourney.event.systems.system import (
    Judgment,
    Moment,
    RoundClaim,
    RoundQuestion,
    repair_text,
    why_away,
    why_unpaired,
)
from tourney.pairing import Cost, Entrant, Mode, Options, Pairing, Price, RoundExplanation, fact, keep_wishes
from tourney.pairing.manual import Sizes
from tourney.record import Outcome, PlayerId
from tourney.wording import listed


def judge(event: OpenEvent, number: int | None = None, *, pairing: Pairing | None = None) -> Judgment:
    """Judge round `number` (None: the current one) by the rules of its pairing system.

    pairing: the round that the system's engine pairs from the same field and seed; None: pair it now

    Raises TourneyError if there is no such round, or if its entry contradicts itself.
    """
    round_ = round_of(event.state, number)
    system = system_called("elimination" if round_.stage == "cut" else round_.system)
    return system.judge(RoundQuestion.of(event.evidence(), round_), pairing)


class RoundCheck(Document, frozen=True, tag="tourney.round-check/1"):
    """What `tourney round check --json` prints.

    round: the number of the round
    system: how the round is paired
    stage: `swiss`, or `cut` for a round after the cut
    findings: all findings of the check
    as_of: the last entry whose results the pairing used
    stale: which later entries changed results that the pairing used, in words; empty if none did
    """

    round: int
    system: str
    stage: str
    findings: tuple[Finding, ...]
    as_of: int
    stale: str


# -- explanations of a table


class TableOrigin(Struct, frozen=True):
    """Who made a table, and when.

    how: `engine`, `repair` or `hand`
    by: the scorekeeper's name
    entry: the journal entry
    at: when it was entered
    """

    how: str
    by: str
    entry: int
    at: str


class RoundAnswer(Document, frozen=True, kw_only=True):
    """The answer to a question about a table, a bye, or a pairing that was not made.

    round: the number of the round, from 1
    system: the pairing system of the round
    made: who made the table, and when
    stale: which results changed since the pairing, as in `paired before entry 31 corrected round 2`; empty if
        none did
    names: number of a player → name
    """

    round: int
    system: str
    made: TableOrigin
    stale: str
    names: Mapping[PlayerId, str]


class RoundWhy(RoundAnswer, frozen=True, kw_only=True, tag="tourney.why/1"):
    """What `tourney round why TABLE --json` prints.

    explanation: why the table, or the bye, is in the round
    """

    explanation: RoundExplanation


class RoundWhyNot(RoundAnswer, frozen=True, kw_only=True, tag="tourney.why-not/1"):
    """What `tourney round why-not PLAYER OTHER --json` prints.

    price: what it would cost to pair the two players
    """

    price: Price


def explain_table(event: OpenEvent, number: int | None, subject: str) -> RoundWhy:
    """Explain a table, or why a player has no opponent.

    subject: the number of a table, the name of a player, or `bye` for the player with the bye

    Raises TourneyError if there is no such round, table or player, or if the player was not in the round.
    """
    round_ = round_of(event.state, number)
    seats, table = _find_table_or_bye(event, round_, subject)
    moment = Moment.of(event.evidence(), round_, seats)
    if table is None and _is_unpaired(event, round_, seats[0]):
        explanation = why_unpaired(moment, seats[0])
    else:
        explanation = _with_repair(moment, explaining_system(moment).why(moment, seats, table))
    return RoundWhy(**_answer(event, moment, explanation), explanation=explanation)


def price_pairing(event: OpenEvent, number: int | None, player: PlayerId, other: PlayerId) -> RoundWhyNot:
    """Return what it would have cost to pair two players, or to give `player` the bye.

    For the bye, `other` is `NOBODY`. Raises TourneyError as `explain_table` does, and if a player was not
    paired.
    """
    round_ = round_of(event.state, number)
    if player == other:
        raise TourneyError(f"{event.state.name_of(player)} cannot meet themselves")
    moment = Moment(event.evidence(), round_, len(round_.edits))
    price = _with_repair(moment, explaining_system(moment).why_not(moment, player, other))
    return RoundWhyNot(**_answer(event, moment, price), price=price)


_Answer = TypeVar("_Answer", RoundExplanation, Price)


def _with_repair(moment: Moment, answer: _Answer) -> _Answer:
    """Return the answer; if a repair made the table, begin it with that fact."""
    if moment.how != "repair":
        return answer
    repair_fact = fact("repair", (), repair_text(moment.round, moment.entered))
    return replace(
        answer, reasons=(repair_fact.reason, *answer.reasons), facts=(repair_fact.data, *answer.facts)
    )


def _answer(event: OpenEvent, moment: Moment, answer: RoundExplanation | Price) -> dict[str, Any]:
    """Return the fields of `RoundAnswer`, which `RoundWhy` and `RoundWhyNot` have in common."""
    name, origin = event.state.name_of, moment.entered
    players = {*answer.players, *(player for reason in answer.reasons for player in reason.players)}
    return {
        "round": moment.today.number,
        "system": moment.today.system,
        "made": TableOrigin(moment.how, origin.by, origin.entry, origin.at),
        "stale": basis_of(event.evidence(), moment.today, edit_entry=moment.before.entry).text,
        "names": {player: name(player) for player in sorted(players)},
    }


def _find_table_or_bye(
    event: OpenEvent, round_: Round, subject: str
) -> tuple[tuple[PlayerId, ...], int | None]:
    """Return the players at the table that `subject` names, and the table's number.

    If `subject` names a bye, return the player with the bye, and None.
    """
    title, name = round_.title.lower(), event.state.name_of
    if subject.isascii() and subject.isdigit():
        number = find_table(event.state, round_, subject)
        return round_.tables[number].seats, number
    if subject.casefold() == "bye":
        byes = [player for player, outcome in round_.byes.items() if outcome is Outcome.BYE]
        if not byes:
            raise TourneyError(f"no player has the bye in {title}")
        if len(byes) > 1:
            raise TourneyError(f"{listed(map(name, byes))} have a bye in {title}", "name one of them")
        return tuple(byes), None
    player = event.find_player(subject)
    table = round_.table_of(player)
    if table is not None:
        return table.seats, table.number
    if player not in round_.byes and not system_called(round_.system).rests(event.state, round_, player):
        raise TourneyError(f"{name(player)} {why_away(event.state, round_, player)}")
    return (player,), None


def _is_unpaired(event: OpenEvent, round_: Round, player: PlayerId) -> bool:
    """Return whether a player has a bye or an absence that no pairing or schedule decided."""
    if round_.stage == "cut" or round_.byes.get(player) in {None, Outcome.BYE}:
        return False
    return not system_called(round_.system).rests(event.state, round_, player)


# -- the proof of a round


class RoundEntries(Struct, frozen=True):
    """The journal entries to which the proof of a round refers, with their digests.

    entry: the number of the last entry of the event
    digest: the digest of the journal up to that entry
    round_entry: the number of the entry that made the tables
    round_digest: the digest of the journal up to `round_entry`
    """

    entry: int
    digest: str
    round_entry: int
    round_digest: str


class ProofPlayer(Struct, frozen=True, kw_only=True):
    """A player to be paired.

    player: the player's number
    name: the player's name
    points: half points before the round
    opponents: numbers of the opponents, one for each meeting
    no_shows: numbers of the opponents at tables where a player did not show up
    byes: the number of byes from pairings
    awarded_byes: the number of full-point byes that the organizer gave
    half_byes: the number of half-point byes
    fixed_table: the table at which the player always sits; null without one
    tags: the player's groups whose members are kept apart if possible. A tag such as a club has a digest
        instead of its name
    seats_before: the player's seats in earlier rounds; empty if the system does not count them
    """

    player: PlayerId
    name: str
    points: int
    opponents: tuple[PlayerId, ...]
    no_shows: tuple[PlayerId, ...]
    byes: int
    awarded_byes: int
    half_byes: int
    fixed_table: int | None
    tags: tuple[str, ...]
    seats_before: tuple[int, ...]


class ProofOptions(Struct, frozen=True, kw_only=True):
    """The organizer's wishes for a round, and its pairing options.

    mode: the order by which players with equal points are paired
    forbidden: pairs that must not meet
    forced: pairs that must meet
    forced_bye: the player who must have the bye; null without one
    no_bye: players who must not have the bye
    keep_apart: whether players with the same tag are kept apart in this round
    sides: whether the seats are sides
    awarded_bye_counts: whether an awarded bye counts as an earlier bye
    half_bye_counts: whether a half-point bye counts as an earlier bye
    no_show_meets: whether a table where a player did not show up counts as a meeting
    first_table: the number of the first table
    """

    mode: Mode
    forbidden: list[tuple[PlayerId, PlayerId]]
    forced: list[tuple[PlayerId, ...]]
    forced_bye: PlayerId | None
    no_bye: list[PlayerId]
    keep_apart: bool
    sides: bool
    awarded_bye_counts: bool
    half_bye_counts: bool
    no_show_meets: bool
    first_table: int


class ProofTable(Struct, frozen=True):
    """A table of the round.

    number: the number of the table
    seats: numbers of the players, in seat order
    label: the match in a bracket; empty outside a bracket
    """

    number: int
    seats: tuple[PlayerId, ...]
    label: str


class BetterRound(Struct, frozen=True):
    """A round that costs less.

    tables: numbers of the players at each table
    byes: numbers of the players with a bye
    """

    tables: tuple[tuple[PlayerId, ...], ...]
    byes: tuple[PlayerId, ...]


class RoundProof(Document, frozen=True, kw_only=True, tag="tourney.proof/1"):
    """What `tourney round prove --json` prints.

    round: the number of the round, from 1
    title: the name of the round
    system: the pairing system of the round
    stage: `swiss` or `cut`
    rules: the rules that the round is checked by
    by_hand: whether the tables were made by hand, edited or repaired
    event: the entries that bind the proof to the event
    engine: what made the tables, with its version
    seed: the seed in hexadecimal; empty for a round that was seated by hand
    players: the players to be paired
    sat_out: for players who were left out of the pairing: number of the player → outcome, such as `half-bye`
    options: the organizer's wishes for the round, and its pairing options
    sizes: how many players a table seats
    tables: the tables
    byes: numbers of the players with a bye by the pairing
    cost: what the round costs, level by level; null if the system has no costs
    claims: what is proved and what is not
    best: a better round; missing if none is known. If it is present, the certificate is for this better round
    certificate: the data of the proof; null without one. For a Swiss round, it has the form
        `tourney.certificate/1`; for pods, the groups whose players have all met; for a round robin, the
        numbers of the schedule, its seed and the players who left; for a bracket, its seeds and matches
    """

    round: int
    title: str
    system: str
    stage: str
    rules: str
    by_hand: bool
    event: RoundEntries
    engine: str
    seed: str
    players: tuple[ProofPlayer, ...]
    sat_out: dict[PlayerId, Outcome]
    options: ProofOptions
    sizes: Sizes
    tables: tuple[ProofTable, ...]
    byes: tuple[PlayerId, ...]
    cost: Cost | None
    claims: tuple[RoundClaim, ...]
    best: BetterRound | UnsetType = UNSET
    certificate: dict[str, Any] | None


def proof_of(event: OpenEvent, judgment: Judgment) -> RoundProof:
    """Return the proof of a judged round."""
    question, round_ = judgment.question, judgment.question.round
    last_change = round_.edits[-1] if round_.edits else round_.paired
    system = judgment.system
    entrants, options = keep_wishes(system.wishes, system.entrants(judgment), question.options)
    seats = seats_before(question.before, round_.number) if system.seats_count else {}
    certificate = system.certificate(judgment)
    return RoundProof(
        round=round_.number,
        title=str(round_.title),
        system=round_.system,
        stage=round_.stage,
        rules=system.rules,
        by_hand=round_.origin != "engine",
        event=RoundEntries(
            event.state.entry, event.state.digest, last_change.entry, event.chain[last_change.entry - 1]
        ),
        engine=round_.engine,
        seed=round_.seed,
        players=tuple(proof_player(entrant, question.name(entrant.id), seats) for entrant in entrants),
        sat_out={
            player: outcome for player, outcome in round_.byes.items() if player not in question.pairing.byes
        },
        options=proof_options(options),
        sizes=sizes_of(question.before),
        tables=tuple(ProofTable(table.number, table.seats, table.label) for table in round_.tables.values()),
        byes=question.pairing.byes,
        cost=judgment.cost,
        claims=judgment.claims,
        best=BetterRound(**certificate["best"]) if "best" in certificate else UNSET,
        certificate=certificate["certificate"],
    )


def proof_player(entrant: Entrant, name: str, seats: Mapping[PlayerId, Sequence[int]]) -> ProofPlayer:
    """Return the data about a player that the proof of a round contains.

    seats: player → the player's seat in each earlier round
    """
    return ProofPlayer(
        player=entrant.id,
        name=name,
        points=entrant.points,
        opponents=entrant.opponents,
        no_shows=entrant.no_shows,
        byes=entrant.byes,
        awarded_byes=entrant.awarded_byes,
        half_byes=entrant.half_byes,
        fixed_table=entrant.fixed_table,
        tags=entrant.tags,
        seats_before=tuple(seats.get(entrant.id, ())),
    )


def proof_options(options: Options) -> ProofOptions:
    """Return the organizer's wishes and the pairing options, as the proof of a round has them."""
    return ProofOptions(
        mode=options.mode,
        forbidden=sorted((min(pair), max(pair)) for pair in options.forbidden),
        forced=list(options.forced),
        forced_bye=options.forced_bye,
        no_bye=sorted(options.no_bye),
        keep_apart=options.keeps_apart_now,
        sides=options.sides,
        awarded_bye_counts=options.awarded_bye_counts,
        half_bye_counts=options.half_bye_counts,
        no_show_meets=options.no_show_meets,
        first_table=options.first_table,
    )
