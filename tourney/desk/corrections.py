"""Corrected results, and the rounds that were paired before the correction.

`basis_of` returns whether a round was paired from results that were corrected later. `warn_of_pairings`
returns which rounds depend on a result that is being corrected. Only facts that a pairing uses count:
correcting 2–0 to 2–1 does not change a pairing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

import tourney.pairing as engines
from tourney.desk.evidence import Evidence, cut_entry, tables_entries
from tourney.errors import TourneyError
from tourney.event import ops, results, rounds
from tourney.event.field import field_of, lot_of, options_of, standings
from tourney.event.fold import root, undos_by_entry
from tourney.event.kind import Decision, EventChange, state_after
from tourney.event.state import Round, State
from tourney.event.systems import system_called
from tourney.event.titles import be, in_a_sentence
from tourney.record import PlayerId
from tourney.wording import listed, listed_short

Moved = Mapping[PlayerId, tuple[int, int]]
"""Players with corrected results: player → half points before and after the correction.

Only corrections that can change a pairing count.
"""


class Basis(Struct, frozen=True, kw_only=True):
    """The results from which a round was paired, and their later corrections.

    entry:            the last entry that was known when the tables were paired, repaired or edited; in a
                      bracket, when the cut was made
    text:             `paired before entry 31 corrected round 2`; empty if the corrections do not affect the
                      pairing
    corrected_points: the players whose results changed in a way that the pairing considers
    """

    entry: int
    text: str = ""
    corrected_points: Moved = field(default_factory=dict)


def basis_of(evidence: Evidence, round_: Round, *, edit_entry: int = 0) -> Basis:
    """Return the results from which a round was paired, and their later corrections.

    A bracket's round depends on the standings from which the cut was made. A round robin depends on no
    results.

    edit_entry: the number of the entry that edited the tables by hand; only corrections after this entry then
                count. With 0, or an entry before the last pairing or repair, edits by hand are ignored
    """
    cut = cut_entry(evidence) if round_.stage == "cut" else None
    if cut is not None:
        cause, basis, last_round = "the cut was made", cut.number - 1, cut.op.after
    else:
        by_engine = [entry.number for entry in tables_entries(evidence, round_.number) if entry.op.engine]
        pairing_entry, last_round = max([round_.paired.entry, *by_engine]), round_.number - 1
        cause, basis = "paired" if pairing_entry == round_.paired.entry else "repaired", pairing_entry - 1
        if edit_entry > pairing_entry:
            cause, basis = "edited", edit_entry
    if not system_called(round_.system).rests_on_results:
        return Basis(entry=basis)
    causes = dict(_causes(evidence, basis, last_round))
    if not causes:
        return Basis(entry=basis)
    text = f"{cause} before {_describe(causes)}"
    if round_.stage == "cut":
        return Basis(entry=basis, text=text if _has_other_seeds(evidence, evidence.state, basis) else "")
    corrected_points = _corrected_points(evidence, evidence.at(basis), evidence.state, round_)
    return Basis(entry=basis, text=text if corrected_points else "", corrected_points=corrected_points)


def _causes(evidence: Evidence, basis: int, last_round: int) -> Iterator[tuple[int, int]]:
    """Yield (entry, round) for entries after `basis` that changed results up to `last_round`.

    The round is 0 if the entry changed the points of all results.
    """
    undone_entries = undos_by_entry(evidence.entries)
    for entry in evidence.entries[basis:]:
        original = root(evidence.entries, entry)
        is_undo = original is not entry
        # If the undone entry came after the pairing, this loop yields it by itself.
        if entry.seq in undone_entries or (is_undo and original.seq > basis):
            continue
        match original.op:
            case ops.ResultChanged(noted=True):
                pass
            case ops.ResultChanged(round=number) | ops.ResultReported(round=number):
                if number <= last_round:
                    yield entry.seq, number
            case ops.EventRebased():
                yield entry.seq, 0
            case ops.EventChanged(profile=profile) if profile:
                yield entry.seq, 0


def _describe(causes: Mapping[int, int]) -> str:
    round_numbers = sorted({number for number in causes.values() if number})
    changes = (
        [f"corrected {'round' if len(round_numbers) == 1 else 'rounds'} {listed(round_numbers)}"]
        if round_numbers
        else []
    )
    changes += ["changed the points for results"] if 0 in causes.values() else []
    return f"{'entry' if len(causes) == 1 else 'entries'} {listed(causes)} {listed(changes)}"


def _corrected_points(evidence: Evidence, old_state: State, new_state: State, round_: Round) -> Moved:
    """Return the players of a round whose results changed between two states.

    Only facts that a pairing uses are compared.
    """
    by_rank = options_of(old_state, round_.number).mode is engines.Mode.RANK
    old_entrants, new_entrants = (
        {
            entrant.id: entrant
            for entrant in field_of(
                state, evidence.profile(state), number=round_.number, newcomers=True, ranks=by_rank
            ).entrants
        }
        for state in (old_state, new_state)
    )
    players = round_.seated | round_.byes.keys()
    return {
        player: (old_entrants[player].points, new_entrants[player].points)
        for player in sorted(players & old_entrants.keys() & new_entrants.keys())
        if _history(old_entrants[player]) != _history(new_entrants[player])
    }


def _history(entrant: engines.Entrant) -> tuple[Any, ...]:
    """Return the facts about an entrant's earlier rounds that the pairing uses, such as points."""
    byes = (entrant.byes, entrant.awarded_byes, entrant.half_byes)
    return entrant.points, entrant.opponents, entrant.no_shows, byes, entrant.sides, entrant.rank


def _has_other_seeds(evidence: Evidence, state: State, basis: int) -> bool:
    """Return whether the cut would have different seeds if made from the results of `state`.

    Players who share a rank can be seeded in any order.

    basis: the number of the last journal entry before the cut; only players who were still in the event then
           are considered
    """
    seeds = state.cut.players if state.cut else ()
    old_state = evidence.at(basis)
    rows = standings(state, evidence.profile(state), lot_of(state, evidence.secret)).rows
    ranks = {row.player: row.rank for row in rows if old_state.players[row.player].playing}
    # Ranks are compared, not players: without the lot, players can share a rank, and then their order does
    # not matter.
    return list(map(ranks.get, seeds)) != list(ranks.values())[: len(seeds)]


def repairable(evidence: Evidence) -> Decision | None:
    """Return what a repair of the current round would do now; None if it would be refused."""
    round_ = evidence.state.round
    return (
        _repair(evidence, evidence.state, round_, basis_of(evidence, round_).corrected_points)
        if round_
        else None
    )


def _repair(evidence: Evidence, state: State, round_: Round, corrected_points: Moved) -> Decision | None:
    """Return what a repair of the last round would do in `state`; None if it would be refused."""
    seed = evidence.seed(state, round_.number)
    if seed is None:
        return None
    try:
        return rounds.repair(
            EventChange(state), evidence.ask(state, round_.number, seed), corrected_points=corrected_points
        )
    except TourneyError:
        return None


# -- which rounds depend on a result that is being corrected


def warn_of_pairings(evidence: Evidence, changes: Sequence[ops.ResultChanged]) -> tuple[str, ...]:
    """Return warnings about later rounds, and the cut, that were made from the old results.

    Rounds after the cut are left out, and rounds whose pairing the correction does not affect. For each other
    round, a second warning says whether and how the round can be paired again. The cut is left out if it
    would still have the same players and seeds.

    changes: the corrected results, of one round
    """
    before = evidence.state
    after = state_after(before, changes, results.KINDS)
    warnings = []
    for round_ in before.rounds[changes[0].round :]:
        if round_.stage == "cut":
            break
        if not system_called(round_.system).rests_on_results:
            continue
        if corrected_points := _corrected_points(evidence, before, after, round_):
            warnings += [
                _pairing_warning(evidence, round_, corrected_points),
                _repair_advice(evidence, after, round_),
            ]
    cut = cut_entry(evidence)
    # In an elimination event, the bracket does not depend on results.
    if cut and changes[0].round <= cut.op.after and _has_other_seeds(evidence, after, cut.number - 1):
        undo = (
            ". No match of the cut is paired yet, so you can undo the cut: `tourney event undo ENTRY`"
            " (`tourney event log` shows the entry)"
        )
        warnings.append(
            "the cut was made before this correction and is not changed; with the new result, the cut would"
            f" have other players or other seeds{undo if before.rounds[-1].stage != 'cut' else ''}"
        )
    return tuple(warnings)


def _pairing_warning(evidence: Evidence, round_: Round, corrected_points: Moved) -> str:
    profile, name = evidence.profile(evidence.state), evidence.state.name_of

    def change_of_points(player: PlayerId) -> str:
        old_points, new_points = corrected_points.get(player, (0, 0))
        if old_points == new_points:
            return ""
        return (
            f"{name(player)} had {profile.points_text(old_points)}, now has {profile.points_text(new_points)}"
        )

    def label(players: Sequence[PlayerId]) -> str:
        changes = "; ".join(filter(None, map(change_of_points, players)))
        return " – ".join(map(name, players)) + (f" (points: {changes})" if changes else "")

    tables = [
        f"table {table.number} {label(table.seats)}"
        for table in round_.tables.values()
        if not corrected_points.keys().isdisjoint(table.seats)
    ]
    tables += [
        f"{kind.words.result} {label([player])}"
        for player, kind in round_.byes.items()
        if player in corrected_points
    ]
    were = be(round_.title, "was", "were")
    return (
        f"{in_a_sentence(round_.title)} {were} paired before this correction, which affects"
        f" {listed_short(tables)}"
    )


def _repair_advice(evidence: Evidence, after: State, round_: Round) -> str:
    """Return how a round that depends on an old result can be paired again, or why it cannot.

    after: the event with the new result
    """
    title = in_a_sentence(round_.title)
    if round_ is not evidence.state.round:
        return f"{title} is not paired again, because later rounds are already paired"
    basis = evidence.at(basis_of(evidence, round_).entry)
    repair = _repair(evidence, after, round_, _corrected_points(evidence, basis, after, round_))
    if repair is not None and repair.op is None:
        return f"{title} keeps its pairings: with the new result, `tourney round repair` would change nothing"
    if not round_.started and len(round_.playing) == len(round_.tables):
        cancel_hint = "`tourney round cancel`, then `tourney round next` pairs the whole round again"
        repair_hint = "`tourney round repair` makes only the necessary changes; " if repair else ""
        return f"no table of {title} has begun: {repair_hint}{cancel_hint}"
    if repair:
        return f"{title} has begun: `tourney round repair` pairs the open tables again with the new result"
    return f"{title} has begun, and is not paired again"
