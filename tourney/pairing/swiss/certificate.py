"""The certificate of a round: its proof as plain data, for a checker without this engine.

A checker needs only the players' points, meetings and byes to check everything in the certificate. Only the
*free* players count: those who are not at tables that the organizer set. Player 0 is the bye. Only the
players of one *class* (equal earlier byes and equal points) may have the bye. So player 0 has the points of
that class, and may meet only players of that class.

A *witness* proves that some players are left over when they are paired with each other. Without its `removed`
players, the others fall into `parts`; no player of one part may meet a player of another part without a
conflict. So at least (number of odd parts − number of removed players) players are left over.

The certificate has these parts:

* `rematches`: every round has at least `at_least` rematches. The witness proves it: for every two players who
  are left over, a round needs at least one rematch.
* `bye`: the class (earlier byes, half points) of the player with the bye. `better` is a witness that no
  conflict-free round gives the bye to a better class; None if no class is better.
* `bound`: a lower bound for the point differences, with its parts (`bound.py` explains the terms):

  * `crossings`: boundaries that more tables must cross than parity requires. (Parity requires one table if
    the number of players above is odd.) Each is named by the scores above and below it, and has a witness
    among the players on one side.
  * `runs`: ranges of scores whose players cannot all be paired inside the range, each with a witness.
  * `weights`: the weights w ≤ gap² of boundaries. A boundary that is not listed has the weight 0.
  * `total`: the least sum of weight · crossings. No conflict-free round costs less. The *slack* of a table
    is its cost minus the weights of the boundaries that it crosses. A round that has the table costs at least
    `total` plus the slack.

* `duals`: the proof of a round that costs more than the bound; otherwise None. It has an integer Y for each
  player and an integer Z ≥ 0 for some odd sets of players. The price of a table is its squared point
  difference. Two inequalities prove that no round has a lower price:

  * for every table of slack ≤ cost − `total`: Y_u + Y_v − (sum of Z over sets with both players)
    ≤ 2 · (price of the table)
  * for the round: sum of Y − sum of Z · (size of the set − 1) / 2 > 2 · (price of the round − 1)

  If rematches are needed, the first inequality holds for every allowed table. The price of a table then
  combines its costs on levels 1 to 3 into one number: start with 0, and for each base in `bases` multiply by
  the base and add the next cost.
* `searched`: True if a part of the proof would be too large and is missing, so that a checker must rely on
  the engine's search.
"""

from __future__ import annotations

from collections.abc import Sequence

from tourney.pairing.pairing import Entrants, Options, Pairing
from tourney.pairing.swiss.bound import Bound, bound_of, window_deficiency
from tourney.pairing.swiss.field import Field, Window, prepare, seats_of, whole_field
from tourney.pairing.swiss.levels import candidates as every_table
from tourney.pairing.swiss.levels import conflict_columns, cost_of, vertices
from tourney.pairing.swiss.matching import Duals, Edge, Witness, duals_of, witness
from tourney.pairing.swiss.windows import candidates
from tourney.record import NOBODY, PlayerId

_MOST_CANDIDATES = 20_000
"""The maximum number of tables for which duals are computed.

For more tables, that would take minutes.
"""

Plain = dict[str, object]
"""JSON values: dicts with text keys, lists, integers, True, False and None."""


def prove(entrants: Entrants, options: Options, pairing: Pairing) -> Plain:
    """Return the certificate of a round that the engine made for these entrants and options.

    If the round is not optimal, the certificate is not valid, and a checker refuses it.
    """
    field = prepare(entrants, options)
    pairs = [seats_of(field, (table.seats[0], table.seats[1])) for table in pairing.tables]
    forced_pairs = {frozenset(pair) for pair in field.forced_pairs}
    free_pairs = [pair for pair in pairs if frozenset(pair) not in forced_pairs] + [
        (player, NOBODY) for player in pairing.byes
    ]
    cost = cost_of(field, free_pairs)
    certificate: Plain = {"schema": "tourney.certificate/1", "proof": pairing.proof, "searched": False}
    if cost.rematches:
        return certificate | _with_conflicts(field)
    bye = pairing.bye
    bye_class = next((bye_class for bye_class in field.bye_classes if bye in bye_class), [])
    return certificate | {
        "rematches": {"at_least": 0, "witness": None},
        "bye": _bye(field, bye_class),
        **_differences(whole_field(field, bye_class), 2 * field.most_conflicts + 4, cost.differences),
    }


def _with_conflicts(field: Field) -> Plain:
    """Return the parts of the certificate for a round that has rematches.

    The witness proves the least number of rematches. The duals prove that no round is better on levels 1, 2
    and 3. For this proof, the costs of each table on these levels are combined into one number. If there are
    too many tables for the duals, `searched` is True instead.
    """
    cause = witness(vertices(field), field.may_meet_with_bye(field.bye_takers))
    tables = every_table(field)
    columns = list(conflict_columns(field, tables).values())
    points = field.points
    columns.append([0 if other == NOBODY else (points[one] - points[other]) ** 2 for one, other in tables])
    bases = [len(vertices(field)) // 2 * max(column) + 1 for column in columns]
    prices: dict[Edge, int] = dict.fromkeys(tables, 0)
    for base, column in zip(bases, columns, strict=True):
        prices = {
            table: price * base + value for (table, price), value in zip(prices.items(), column, strict=True)
        }
    duals = duals_of(vertices(field), prices) if len(tables) <= _MOST_CANDIDATES else None
    return {
        "searched": duals is None,
        "rematches": {"at_least": cause.left_over // 2, "witness": _plain_witness(cause)},
        "bye": None,
        "bound": None,
        "duals": _plain_duals(duals, bases),
    }


def _bye(field: Field, bye_class: Sequence[PlayerId]) -> Plain | None:
    if not bye_class:
        return None
    better_classes = field.bye_classes[: field.bye_classes.index(list(bye_class))]
    takers = {player for players in better_classes for player in players}
    better_proof = None
    if takers:
        better_proof = _plain_witness(witness(vertices(field), field.may_meet_with_bye(takers)))
    return {
        "class": [field.earlier_byes(bye_class[0]), field.points[bye_class[0]]],
        "better": better_proof,
    }


def _differences(window: Window, sure_size: int, cost: int) -> Plain:
    bound = bound_of(window, sure_size)
    gap, duals, is_searched = cost - bound.total, None, False
    if gap:
        tables = candidates(window, bound, gap)[0]
        is_searched = len(tables) > _MOST_CANDIDATES
        points = window.field.points
        prices: dict[Edge, int] = {
            (one, other): 0 if other == NOBODY else (points[one] - points[other]) ** 2
            for one, other in tables
        }
        duals = None if is_searched else duals_of(window.players, prices)
    return {"searched": is_searched, "bound": _plain_bound(window, bound), "duals": _plain_duals(duals, None)}


def _plain_bound(window: Window, bound: Bound) -> Plain:
    points = bound.points
    runs = []
    for run in bound.runs:
        players = [player for group in window.groups[run.first : run.last + 1] for player in group]
        cause = witness(players, window.may_meet)
        runs.append({"from": points[run.first], "to": points[run.last], **_plain_witness(cause)})
    weights = [
        [points[place], points[place + 1], weight] for place, weight in enumerate(bound.weights) if weight
    ]
    return {"total": bound.total, "weights": weights, "crossings": _crossings(window, bound), "runs": runs}


def _crossings(window: Window, bound: Bound) -> list[Plain]:
    """Return each boundary that more tables must cross than parity requires, with a proof.

    A table crosses a boundary between two scores if one of its players is above it and the other below.
    Parity requires one such table if the number of players above the boundary is odd. The proof is a
    `Witness` among the players on one side.
    """
    crossings: list[Plain] = []
    for place, least in enumerate(bound.crossings):
        above = [player for group in window.groups[: place + 1] for player in group]
        if least <= len(above) % 2:
            continue
        below = [player for group in window.groups[place + 1 :] for player in group]
        side, players = ("above", above) if window_deficiency(window, above) >= least else ("below", below)
        scores = {"above": bound.points[place], "below": bound.points[place + 1]}
        crossings.append({**scores, "side": side, **_plain_witness(witness(players, window.may_meet))})
    return crossings


def _plain_witness(cause: Witness) -> Plain:
    return {"removed": list(cause.removed), "parts": [list(part) for part in cause.parts]}


def _plain_duals(duals: Duals | None, bases: Sequence[int] | None) -> Plain | None:
    if duals is None:
        return None
    return {
        "bases": None if bases is None else list(bases),
        "Y": [[player, potential] for player, potential in duals.potentials.items()],
        "Z": [[list(members), z] for members, z in duals.odd_sets],
    }
