"""A recorded round, asked about: is it what its system makes, what of that is proved, why this table and not that one.

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

A table is explained (`why`, `why_not`) by the event as it stood when the table was made: by the pairing, by a repair, or by
hand. What was recorded of its cost is not asked; where somebody chose the table, nobody says that chance did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from tourney.decode import MOST_DIGITS
from tourney.desk.evidence import Evidence, since
from tourney.errors import TourneyError
from tourney.event.field import groups_of
from tourney.event.kind import round_of
from tourney.event.phrases import names_of
from tourney.event.state import Entered, Round
from tourney.event.systems import seats_before, sizes_of, system_called
from tourney.event.systems.explaining import Moment, why_away
from tourney.event.systems.judging import Judged, RoundQuestion
from tourney.pairing import Entrant, Options, Pairing, Price, RoundExplanation, heeded
from tourney.pairing.facts import APART, Fact, SharedGroups
from tourney.record import Outcome, PlayerId
from tourney.wording import listed

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


# -- why this table, why not that one


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What there is to say about a table, a bye, or a pairing that was not made.

    round: the round
    how:   who made what is explained: `engine`, `repair` or `hand`; entered: when and by whom
    stale: `paired before entry 31 corrected round 2`; empty where the results still stand
    said:  the explanation, or the price
    names: how the players in it are called
    """

    round: Round
    how: str
    entered: Entered
    stale: str
    said: RoundExplanation | Price
    names: Mapping[PlayerId, str]


def why(desk: Desk, number: int | None, what: str) -> Answer:
    """Explain a table (by its number or somebody who sits there), or why somebody has no opponent (`bye`, or by name).

    Raises TourneyError where there is no such round, table or player, and for players who were not to be paired.
    """
    round_ = round_of(desk.state, number)
    seats, table = _meant(desk, round_, what)
    evidence = desk.evidence()
    moment = Moment.of(evidence, round_, seats)
    return _answer(desk, evidence, moment, moment.system.why(moment, seats, table))


def why_not(desk: Desk, number: int | None, one: PlayerId, other: PlayerId) -> Answer:
    """Say what it would have cost to pair two players, or to give one the bye (`other` = `NOBODY`); see `why`."""
    round_ = round_of(desk.state, number)
    if one == other:
        raise TourneyError(f"{names_of(desk.state)(one)} cannot meet themselves")
    evidence = desk.evidence()
    moment = Moment(evidence, round_, len(round_.edits))
    return _answer(desk, evidence, moment, moment.system.why_not(moment, one, other))


def _answer(desk: Desk, evidence: Evidence, moment: Moment, said: RoundExplanation | Price) -> Answer:
    name, group = names_of(desk.state), groups_of(desk.state)
    players = {*said.players, *(player for reason in said.reasons for player in reason.players)}
    return Answer(
        round=moment.today,
        how=moment.how,
        entered=moment.entered,
        stale=since(evidence, moment.today, seen=moment.before.entry).text,
        said=replace(said, facts=tuple(_named(fact, group) for fact in said.facts)),
        names={player: name(player) for player in sorted(players)},
    )


def _named(fact: Fact, group: Callable[[str], str]) -> Fact:
    """Return a fact with its groups by name; the engines know them by digest."""
    if not isinstance(fact, SharedGroups):
        return fact
    tags = tuple(tag if tag.startswith(APART) else group(tag) for tag in fact.tags)
    return msgspec.structs.replace(fact, tags=tags)


def _meant(desk: Desk, round_: Round, what: str) -> tuple[tuple[PlayerId, ...], int | None]:
    """Return who sits at the table that `what` means, with its number; one player and None for a bye."""
    title, name = round_.title, names_of(desk.state)
    if what.isascii() and what.isdigit():
        table = round_.tables.get(int(what)) if len(what) <= MOST_DIGITS else None
        if table is None:
            raise TourneyError(
                f"{title} has no table {what}", f"tables: {', '.join(map(str, round_.tables))}"
            )
        return table.seats, table.number
    if what.casefold() == "bye":
        byes = [player for player, outcome in round_.byes.items() if outcome is Outcome.BYE]
        if not byes:
            raise TourneyError(f"nobody has the bye in {title.lower()}")
        if len(byes) > 1:
            raise TourneyError(f"{listed(map(name, byes))} have a bye in {title.lower()}", "name one of them")
        return (byes[0],), None
    player = desk.who(what)
    sitting = round_.table_of(player)
    if sitting is not None:
        return sitting.seats, sitting.number
    has_bye = round_.byes.get(player) is Outcome.BYE
    if not has_bye and not system_called(round_.system).rests(desk.state, round_, player):
        raise TourneyError(f"{name(player)} {why_away(desk.state, round_, player)}")
    return (player,), None
