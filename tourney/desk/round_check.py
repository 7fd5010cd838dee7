"""A recorded round held against its system: is it legal, is it what the system makes, and what of that is proved.

`judge` works for every system, for rounds by hand and for brackets; how, each system says (`tourney.event.systems`). What is
proved and what is not is said claim by claim. `round check`, `round prove` and `verify` print what stands here.

`proof_of` gives the object that `tourney round prove --json` prints (`tourney.proof/1`) and `scripts/check-certificate`
checks without it. Numbers are half points and their squares; player 0 is the bye. Its keys:

* `round`, `title`, `system`, `stage`, `by_hand`; `rules`: by which rules it is checked (`PairingSystem.rules`)
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

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tourney.event.kind import round_of
from tourney.event.systems import seats_before, sizes_of, system_called
from tourney.event.systems.judging import Judged, RoundQuestion
from tourney.pairing import Entrant, Options, Pairing, heeded
from tourney.record import PlayerId

if TYPE_CHECKING:
    from tourney.desk.desk import Desk


def judge(desk: Desk, number: int | None = None, *, made: Pairing | None = None) -> Judged:
    """Hold round `number` (None: the current one) against its system.

    made: what the system's engine makes of the round's field and seed, where the caller has it; else it is made

    Raises TourneyError where there is no such round, and where its entry contradicts itself.
    """
    round_ = round_of(desk.state, number)
    system = system_called("elimination" if round_.stage == "cut" else round_.system)
    return system.judge(RoundQuestion.of(desk.evidence(), round_), made)


# -- a round's proof as data


def proof_of(desk: Desk, judged: Judged) -> dict[str, Any]:
    """Return the proof of a judged round as plain data, as the docstring of this module has it."""
    question, round_ = judged.question, judged.question.round
    made = round_.edits[-1] if round_.edits else round_.paired
    system = judged.system
    entrants, options = heeded(system.wishes, system.entrants(judged), question.options)
    had = seats_before(question.before, round_.number) if system.seats_count else {}
    return {
        "round": round_.number,
        "title": round_.title,
        "system": round_.system,
        "stage": round_.stage,
        "rules": system.rules,
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
        **system.certificate(judged),
    }


def player_data(entrant: Entrant, name: str, had: Mapping[PlayerId, Sequence[int]]) -> dict[str, Any]:
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


def options_data(options: Options) -> dict[str, Any]:
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
