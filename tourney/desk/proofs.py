"""What is proved of a recorded round, its proof as data, and why a table is this one and not another.

`judge` works for every system, for rounds by hand and for brackets (`tourney.event.systems`).

`proof_of` returns the object that `tourney round prove --json` prints (`tourney.proof/1`); `scripts/check-certificate`
checks it without this program. Numbers are half points and their squares; player 0 is the bye. Its keys:

* `round`, `title`, `system`, `stage`, `by_hand`; `rules`: the rules that the round is checked by
* `event`: `entry` and `digest` of the current state, `round_entry` and `round_digest` of the entry that made the tables:
  they bind the proof to the event's history
* `engine`, `seed`: as recorded
* `players`: the players to be paired, with points, opponents (one entry a meeting), byes, fixed table, tags (as digests),
  and in pods the seats of earlier rounds
* `sat_out`: other players without a table, and why
* `options`: forbidden and forced pairs, forced bye, players who must not have the bye, the switches, the first table;
  `sizes` of tables
* `tables`, `byes`; `cost`: by level, None if the system weighs nothing; `claims`: what is proved and what is not
* `certificate`: of a Swiss round that of `tourney.pairing.prove`; of pods the groups that have all met; of a round robin
  the schedule's numbers, its seed and who has left; of a bracket its seeds and matches
* `best`: only if a better round is known: its tables and byes; then the certificate is of that round

`why` and `why_not` consider the event as it was when the table was made: by the pairing, by a repair, or by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from tourney.decode import MAX_DIGITS
from tourney.desk.evidence import since
from tourney.desk.open_event import OpenEvent
from tourney.errors import TourneyError
from tourney.event.field import groups_of, seats_before, sizes_of
from tourney.event.kind import round_of
from tourney.event.phrases import names_of
from tourney.event.state import Entered, Round
from tourney.event.systems import explaining_system, system_called
from tourney.event.systems.recorded import Moment, RoundQuestion, why_away
from tourney.event.systems.system import Judged
from tourney.pairing import Entrant, Options, Pairing, Price, RoundExplanation, keep_wishes
from tourney.pairing.facts import APART, SharedGroups
from tourney.record import Outcome, PlayerId
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.pairing.facts import Fact


def judge(event: OpenEvent, number: int | None = None, *, made: Pairing | None = None) -> Judged:
    """Judge round `number` (None: the current one) by its system.

    made: the round that the system's engine makes of the same field and seed; None: it is made here

    Raises TourneyError if there is no such round, and if its entry contradicts itself.
    """
    round_ = round_of(event.state, number)
    system = system_called("elimination" if round_.stage == "cut" else round_.system)
    return system.judge(RoundQuestion.of(event.evidence(), round_), made)


def proof_of(event: OpenEvent, judged: Judged) -> dict[str, Any]:
    """Return the proof of a judged round as plain data; the module's docstring describes it."""
    question, round_ = judged.question, judged.question.round
    made = round_.edits[-1] if round_.edits else round_.paired
    system = judged.system
    entrants, options = keep_wishes(system.wishes, system.entrants(judged), question.options)
    seats = seats_before(question.before, round_.number) if system.seats_count else {}
    return {
        "round": round_.number,
        "title": round_.title,
        "system": round_.system,
        "stage": round_.stage,
        "rules": system.rules,
        "by_hand": judged.by_hand,
        "event": {
            "entry": event.state.entry,
            "digest": event.state.digest,
            "round_entry": made.entry,
            "round_digest": event.at(made.entry).digest,
        },
        "engine": round_.engine,
        "seed": round_.seed,
        "players": [player_data(entrant, question.name(entrant.id), seats) for entrant in entrants],
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
        "claims": [asdict(claim) for claim in judged.claims],
        **system.certificate(judged),
    }


def player_data(entrant: Entrant, name: str, seats: Mapping[PlayerId, Sequence[int]]) -> dict[str, Any]:
    """Return a player as they are in a proof. seats: those of earlier rounds, by player."""
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
        "seats_before": list(seats.get(entrant.id, ())),
    }


def options_data(options: Options) -> dict[str, Any]:
    """Return the organizer's wishes and switches as they are in a proof."""
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


# -- why this table, and why not another one


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundAnswer:
    """The answer to a question about a table, a bye, or a pairing that was not made.

    round: the round
    how:   who made the table: `engine`, `repair` or `hand`; entered: when and by whom
    stale: `paired before entry 31 corrected round 2`; empty if no result was corrected since
    said:  the explanation, or the price
    names: the names of the players in it
    """

    round: Round
    how: str
    entered: Entered
    stale: str
    said: RoundExplanation | Price
    names: Mapping[PlayerId, str]


def why(event: OpenEvent, number: int | None, subject: str) -> RoundAnswer:
    """Explain a table (by its number or a player there), or why a player has no opponent (`bye`, or by name).

    Raises TourneyError if there is no such round, table or player, and for players who were not to be paired.
    """
    round_ = round_of(event.state, number)
    seats, table = _table_meant(event, round_, subject)
    moment = Moment.of(event.evidence(), round_, seats)
    return _answer(event, moment, explaining_system(moment).why(moment, seats, table))


def why_not(event: OpenEvent, number: int | None, one: PlayerId, other: PlayerId) -> RoundAnswer:
    """Return what it would have cost to pair two players, or to give one the bye (`other` = `NOBODY`); see `why`."""
    round_ = round_of(event.state, number)
    if one == other:
        raise TourneyError(f"{names_of(event.state)(one)} cannot meet themselves")
    moment = Moment(event.evidence(), round_, len(round_.edits))
    return _answer(event, moment, explaining_system(moment).why_not(moment, one, other))


def _answer(event: OpenEvent, moment: Moment, said: RoundExplanation | Price) -> RoundAnswer:
    name, group = names_of(event.state), groups_of(event.state)
    players = {*said.players, *(player for reason in said.reasons for player in reason.players)}
    return RoundAnswer(
        round=moment.today,
        how=moment.how,
        entered=moment.entered,
        stale=since(event.evidence(), moment.today, seen=moment.before.entry).text,
        said=replace(said, facts=tuple(_with_group_names(fact, group) for fact in said.facts)),
        names={player: name(player) for player in sorted(players)},
    )


def _with_group_names(fact: Fact, group: Callable[[str], str]) -> Fact:
    """Return a fact with the names of its groups; the engines know them by digest."""
    if not isinstance(fact, SharedGroups):
        return fact
    tags = tuple(tag if tag.startswith(APART) else group(tag) for tag in fact.tags)
    return msgspec.structs.replace(fact, tags=tags)


def _table_meant(event: OpenEvent, round_: Round, subject: str) -> tuple[tuple[PlayerId, ...], int | None]:
    """Return the players at the table that `subject` means, and its number; one player and None for a bye."""
    title, name = round_.title, names_of(event.state)
    if subject.isascii() and subject.isdigit():
        table = round_.tables.get(int(subject)) if len(subject) <= MAX_DIGITS else None
        if table is None:
            raise TourneyError(
                f"{title} has no table {subject}", f"tables: {', '.join(map(str, round_.tables))}"
            )
        return table.seats, table.number
    if subject.casefold() == "bye":
        byes = [player for player, outcome in round_.byes.items() if outcome is Outcome.BYE]
        if not byes:
            raise TourneyError(f"no player has the bye in {title.lower()}")
        if len(byes) > 1:
            raise TourneyError(f"{listed(map(name, byes))} have a bye in {title.lower()}", "name one of them")
        return (byes[0],), None
    player = event.who(subject)
    own_table = round_.table_of(player)
    if own_table is not None:
        return own_table.seats, own_table.number
    has_bye = round_.byes.get(player) is Outcome.BYE
    if not has_bye and not system_called(round_.system).rests(event.state, round_, player):
        raise TourneyError(f"{name(player)} {why_away(event.state, round_, player)}")
    return (player,), None
