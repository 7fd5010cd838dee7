"""A round's proof as data: all that it rests on, for a stranger who has never seen this program.

`proof_of` gives the object that `tourney round prove --json` prints (`tourney.proof/1`) and `scripts/check-certificate`
checks without it. Numbers are half points and their squares; player 0 is the bye. Its keys:

* `round`, `title`, `system`, `stage`, `by_hand`; `rules`: by which rules it is checked (`Judged.rules`)
* `event`: `entry` and `digest` of the event as it stands, `round_entry` and `round_digest` of the entry that made the
  tables: what binds the proof to the event's history
* `engine`, `seed`: as they are recorded
* `players`: whoever was to be paired, with points, opponents (one entry a meeting), byes, fixed table, tags (as digests),
  in pods the seats had before
* `sat_out`: who else has no table, and why
* `options`: what the system looks at of forbidden and forced pairs, forced bye, who must not have it; the switches, the
  first table; `sizes` of tables
* `tables`, `byes`; `cost`: by level, None where the system weighs nothing; `claims`: what is proved and what is not
* `certificate`: of a Swiss round that of `tourney.pairing.prove`; of pods the groups that have all met; of a round robin
  the schedule's numbers, its seed and who has left; of a bracket its seeds and matches
* `best`: only where a better round is known: its tables and byes; then the certificate is that round's
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tourney.event.systems import bracket_of, schedule_of, seats_before, sizes_of
from tourney.pairing import Entrant, Options, heeded
from tourney.pairing.pairing import upper_levels
from tourney.record import PlayerId

if TYPE_CHECKING:
    from tourney.desk.desk import Desk
    from tourney.desk.round_check import Judged

Plain = dict[str, Any]

_SYSTEMS_OF_RULES = {"bracket": "elimination", "seats": "manual"}
"""The system whose wishes count, where the rules of `Judged` are not called like one."""


def proof_of(desk: Desk, judged: Judged) -> Plain:
    """Return the proof of a judged round as plain data, as the docstring of this module has it."""
    question, round_ = judged.question, judged.question.round
    made = round_.edits[-1] if round_.edits else round_.paired
    system = _SYSTEMS_OF_RULES.get(judged.rules, judged.rules)
    entrants, options = heeded(system, _entrants(judged), question.options)
    had = seats_before(question.before, round_.number) if judged.rules == "pods" else {}
    return {
        "round": round_.number,
        "title": round_.title,
        "system": round_.system,
        "stage": round_.stage,
        "rules": judged.rules,
        "by_hand": judged.by_hand,
        "event": {
            "entry": desk.state.entry,
            "digest": desk.state.digest,
            "round_entry": made.entry,
            "round_digest": desk.at(made.entry).digest,
        },
        "engine": round_.engine,
        "seed": round_.seed,
        "players": [player_data(each, question.name(each.id), had) for each in entrants],
        "sat_out": {
            str(player): outcome.value
            for player, outcome in round_.byes.items()
            if player not in question.pairing.byes
        },
        "options": options_data(options),
        "sizes": asdict(sizes_of(question.before)),
        "tables": [
            {"number": table.number, "seats": list(table.seats), "label": round_.labels.get(table.number, "")}
            for table in question.pairing.tables
        ],
        "byes": list(question.pairing.byes),
        "cost": None if judged.cost is None else judged.cost.as_dict(),
        "claims": [asdict(each) for each in judged.claims],
        **_CERTIFICATES.get(judged.rules, _none)(judged),
    }


def _entrants(judged: Judged) -> Sequence[Entrant]:
    """Return who was to be paired, as far as the rules look at them."""
    question = judged.question
    seated = [player for table in question.pairing.tables for player in table.seats]
    here = dict.fromkeys([*seated, *question.pairing.byes])
    if judged.rules == "bracket":
        return [Entrant(id=player) for player in here]
    if judged.rules == "round-robin":  # who came late has no opponents
        return [each for each in question.field.entrants if each.id in here]
    return question.field.entrants


def player_data(entrant: Entrant, name: str, had: Mapping[PlayerId, Sequence[int]]) -> Plain:
    """Return a player as a proof has them. had: the seats of earlier rounds, by player."""
    return {
        "player": entrant.id,
        "name": name,
        "points": entrant.points,
        "opponents": list(entrant.opponents),
        "no_shows": list(entrant.no_shows),
        "byes": entrant.byes,
        "awarded_byes": entrant.awarded_byes,
        "half_byes": entrant.half_byes,
        "fixed_table": entrant.fixed_table,
        "tags": list(entrant.tags),
        "seats_before": list(had.get(entrant.id, ())),
    }


def options_data(options: Options) -> Plain:
    """Return the organizer's words and switches as a proof has them."""
    return {
        "mode": options.mode.value,
        "forbidden": sorted([min(pair), max(pair)] for pair in options.forbidden),
        "forced": [list(pair) for pair in options.forced],
        "forced_bye": options.forced_bye,
        "no_bye": sorted(options.no_bye),
        "keep_apart": options.keeps_apart_now,
        "sides": options.sides,
        "awarded_bye_counts": options.awarded_bye_counts,
        "half_bye_counts": options.half_bye_counts,
        "no_show_meets": options.no_show_meets,
        "first_table": options.first_table,
    }


def _none(_judged: Judged) -> Plain:
    return {"certificate": None}


def _swiss_proof(judged: Judged) -> Plain:
    from tourney.pairing import prove

    question, best = judged.question, judged.best
    if judged.cost is None or best is None:
        return {"certificate": None}
    if upper_levels(judged.cost) <= upper_levels(best.cost):
        return {"certificate": prove(question.field.entrants, question.options, question.pairing)}
    better = {"tables": [list(table.seats) for table in best.tables], "byes": list(best.byes)}
    return {"best": better, "certificate": prove(question.field.entrants, question.options, best)}


def _pods_proof(judged: Judged) -> Plain:
    from tourney.pairing import pods

    question = judged.question
    groups = pods.prove(
        question.field.entrants, question.options, question.round.seed, sizes=sizes_of(question.before)
    )
    return {"certificate": {"groups": groups}}


def _round_robin_proof(judged: Judged) -> Plain:
    question = judged.question
    plan = schedule_of(question.before, question.round.seed)
    there = {each.id for each in question.field.entrants}
    return {
        "certificate": {
            "members": sorted(plan.players),
            "numbered": list(plan.players),
            "seed": plan.seed,
            "double": question.before.settings.double,
            "gone": [player for player in plan.players if player not in there],
        }
    }


def _bracket_proof(judged: Judged) -> Plain:
    question, cut = judged.question, judged.question.before.cut
    assert cut is not None, "a round of the cut follows the cut"
    now = bracket_of(question.before, cut, question.round.number - 1)
    return {
        "certificate": {
            "seeds": list(cut.players),
            "kind": cut.kind,
            "reseed": cut.reseed,
            "third_place": cut.third_place,
            "vacancy": cut.vacancy,
            "stages": [
                {
                    "name": stage.name,
                    "matches": [
                        {
                            "label": match.label,
                            "seats": list(match.seats),
                            "sources": list(match.sources),
                            "winner": match.winner,
                            "done": match.done,
                        }
                        for match in stage.matches
                    ],
                }
                for stage in now.stages
            ],
        }
    }


_CERTIFICATES: dict[str, Callable[[Judged], Plain]] = {
    "swiss": _swiss_proof,
    "pods": _pods_proof,
    "round-robin": _round_robin_proof,
    "bracket": _bracket_proof,
}
