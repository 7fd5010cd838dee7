"""JSON documents of a round: its proof, and the explanation of a table.

In a proof, numbers are half points and their squares, and player 0 is the bye. `scripts/check-certificate` checks a proof
without this program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from tourney.desk.open_event import OpenEvent
from tourney.desk.proofs import RoundAnswer
from tourney.document import Document
from tourney.event.field import seats_before, sizes_of
from tourney.event.systems.system import Judged, RoundClaim
from tourney.pairing import Cost, Entrant, Mode, Options, Price, RoundExplanation, keep_wishes
from tourney.pairing.manual import Sizes
from tourney.pairing.reasons import Reason
from tourney.record import Outcome, PlayerId


class RoundEntries(msgspec.Struct, frozen=True):
    """The entries that bind a proof to the history of the event.

    entry: the last entry of the event
    digest: the digest of the journal up to that entry
    round_entry: the entry that made the tables
    round_digest: the digest of the journal up to that entry
    """

    entry: int
    digest: str
    round_entry: int
    round_digest: str


class ProofPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player to be paired.

    player: the player's number
    name: the player's name
    points: half points before the round
    opponents: numbers of the opponents, one for each meeting
    no_shows: numbers of the opponents at tables where a player did not show up
    byes: byes by the pairing
    awarded_byes: full-point byes that the organizer gave
    half_byes: half-point byes
    fixed_table: the table at which the player always sits; null without one
    tags: digests of the groups to keep apart
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


class ProofOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The organizer's wishes, and the switches of the pairing.

    mode: the order that decides between equal points
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


class ProofTable(msgspec.Struct, frozen=True):
    """A table of the round.

    number: the number of the table
    seats: numbers of the players, in seat order
    label: the match in a bracket; empty outside a bracket
    """

    number: int
    seats: tuple[PlayerId, ...]
    label: str


class BetterRound(msgspec.Struct, frozen=True):
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
    system: what paired it
    stage: `swiss` or `cut`
    rules: the rules that the round is checked by
    by_hand: whether the tables were made by hand
    event: the entries that bind the proof to the event
    engine: what made the tables, with its version
    seed: the seed in hexadecimal; empty for a round that was seated by hand
    players: the players to be paired
    sat_out: number of another player without a table → what the player gets
    options: the organizer's wishes, and the switches of the pairing
    sizes: how many players a table seats
    tables: the tables
    byes: numbers of the players with a bye by the pairing
    cost: what the round costs, level by level; null if the system weighs nothing
    claims: what is proved and what is not
    best: a better round, if one is known: the certificate is for that round; else left out
    certificate: for a Swiss round that of `tourney.certificate/1`, for pods the groups that have all met, for a round
        robin the numbers of the schedule, its seed and the players who left, for a bracket its seeds and matches; null
        without one
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


def proof_of(event: OpenEvent, judged: Judged) -> RoundProof:
    """Return the proof of a judged round."""
    question, round_ = judged.question, judged.question.round
    made = round_.edits[-1] if round_.edits else round_.paired
    system = judged.system
    entrants, options = keep_wishes(system.wishes, system.entrants(judged), question.options)
    seats = seats_before(question.before, round_.number) if system.seats_count else {}
    proved = system.certificate(judged)
    return RoundProof(
        round=round_.number,
        title=str(round_.title),
        system=round_.system,
        stage=round_.stage,
        rules=system.rules,
        by_hand=judged.by_hand,
        event=RoundEntries(event.state.entry, event.state.digest, made.entry, event.at(made.entry).digest),
        engine=round_.engine,
        seed=round_.seed,
        players=tuple(proof_player(entrant, question.name(entrant.id), seats) for entrant in entrants),
        sat_out={
            player: outcome for player, outcome in round_.byes.items() if player not in question.pairing.byes
        },
        options=proof_options(options),
        sizes=sizes_of(question.before),
        tables=tuple(
            ProofTable(table.number, table.seats, round_.labels.get(table.number, ""))
            for table in question.pairing.tables
        ),
        byes=question.pairing.byes,
        cost=judged.cost,
        claims=judged.claims,
        best=BetterRound(**proved["best"]) if "best" in proved else UNSET,
        certificate=proved["certificate"],
    )


def proof_player(entrant: Entrant, name: str, seats: Mapping[PlayerId, Sequence[int]]) -> ProofPlayer:
    """Return a player as a proof shows them. seats: those of earlier rounds, by player."""
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
    """Return the organizer's wishes and switches as a proof shows them."""
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


# -- why this table, and why not another one


class TableOrigin(msgspec.Struct, frozen=True):
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


class ExplainedTable(msgspec.Struct, frozen=True):
    """The table.

    number: the number of the table
    seats: numbers of the players, in seat order
    result: always null
    """

    number: int
    seats: tuple[PlayerId, ...]
    result: None = None


class ExplainedPairing(msgspec.Struct, frozen=True, kw_only=True):
    """Why a table, or the bye, is in a round.

    table: the table; null for the bye
    players: numbers of the players at the table, or with the bye
    decided_by: the level of the cost that decided, or another word: `schedule`, `bracket`, `dutch`, `pods`, `forced` …
    reasons: the facts as sentences, from the general to the particular
    facts: the same as data, one for each reason
    """

    table: ExplainedTable | None
    players: tuple[PlayerId, ...]
    decided_by: str
    reasons: tuple[Reason, ...]
    facts: tuple[dict[str, Any], ...]


class PairPrice(msgspec.Struct, frozen=True, kw_only=True):
    """What it costs to pair two players, or to give a player the bye.

    players: numbers of the two players, or of the player for the bye
    possible: whether a round with this table exists
    best: the cost of the best round
    forced: the cost of the best round with the table; null if there is none
    level: the first level on which `forced` is higher; `seed` if the costs are equal, null if impossible
    more: by how much, in the unit of that level
    reasons: the facts as sentences
    facts: the same as data, one for each reason
    """

    players: tuple[PlayerId, ...]
    possible: bool
    best: Cost
    forced: Cost | None
    level: str | None
    more: int
    reasons: tuple[Reason, ...]
    facts: tuple[dict[str, Any], ...]


class WhyRound(Document, frozen=True, kw_only=True):
    """The fields of both documents.

    round: the number of the round, from 1
    system: what paired it
    made: who made the table, and when
    stale: which results changed since the pairing, as in `paired before entry 31 corrected round 2`; empty if none did
    names: number of a player → name
    """

    round: int
    system: str
    made: TableOrigin
    stale: str
    names: Mapping[PlayerId, str]


class RoundWhy(WhyRound, frozen=True, kw_only=True, tag="tourney.why/1"):
    """What `tourney round why TABLE --json` prints.

    explanation: why the table, or the bye, is in the round
    """

    explanation: ExplainedPairing


class RoundWhyNot(WhyRound, frozen=True, kw_only=True, tag="tourney.why-not/1"):
    """What `tourney round why-not PLAYER OTHER --json` prints.

    price: what it would cost to pair the two players
    """

    price: PairPrice


def why_document(reply: RoundAnswer) -> WhyRound:
    """Return the answer to `why` or `why_not` as its document."""
    answer, entered = reply.answer, reply.entered
    common: dict[str, Any] = {
        "round": reply.round.number,
        "system": reply.round.system,
        "made": TableOrigin(reply.how, entered.by, entered.entry, entered.at),
        "stale": reply.stale,
        "names": reply.names,
    }
    facts = tuple(asdict(fact) for fact in answer.facts)
    if isinstance(answer, Price):
        return RoundWhyNot(**common, price=PairPrice(**_fields(answer) | {"facts": facts}))
    table = answer.table and ExplainedTable(answer.table.number, answer.table.seats)
    return RoundWhy(
        **common, explanation=ExplainedPairing(**_fields(answer) | {"table": table, "facts": facts})
    )


def _fields(answer: RoundExplanation | Price) -> dict[str, Any]:
    return {name: getattr(answer, name) for name in answer.__dataclass_fields__}
