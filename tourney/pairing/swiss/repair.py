"""Mend a round after a late correction, a no-show or a late entry, changing as few tables as possible."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from tourney.pairing.answers import Reason, Repaired
from tourney.pairing.entrant import NOBODY, Entrant, NameOf, number_of
from tourney.pairing.options import Options, Pair
from tourney.pairing.pairing import (
    REPAIRED,
    REPAIRED_AROUND,
    REPAIRED_BEST,
    REPAIRED_UNPROVED,
    Cost,
    Pairing,
)
from tourney.pairing.swiss.contradictions import refuse_contradictions
from tourney.pairing.swiss.field import Field, prepare, seats_of
from tourney.pairing.swiss.impossible import refuse_impossible
from tourney.pairing.swiss.levels import cost_of
from tourney.pairing.swiss.mending import Mended, mend
from tourney.pairing.swiss.seating import fixed_table_of, seat
from tourney.pairing.swiss.words import Words
from tourney.record import PlayerId, Table


def repair(
    entrants: Sequence[Entrant],
    options: Options,
    tables: Sequence[Table],
    bye: PlayerId | None,
    *,
    locked: Collection[int],
    seed: str,
    moved: Collection[PlayerId] = (),
    name: NameOf = number_of,
) -> Repaired:
    """Return the round mended: no avoidable rematch or second bye, then the fewest tables changed, then least cost.

    Where results were corrected since (`moved`), the tables that are left as they are would be those of the old points; so
    the round is first made the best there is, and then changes the fewest tables.

    entrants: who is in the round now; players who have left are simply missing, late ones are there without a table
    tables, bye: the round as it stands
    locked: numbers of the tables that must stay (those with a result); their players need not be entrants
    moved:  whose results were corrected since the round was paired

    Tables that stay keep their number and seats. Raises TourneyError where no complete round is left.
    """
    finished = [table for table in tables if table.number in locked]
    at_finished = {player for table in finished for player in table.seats}
    free = [each for each in entrants if each.id not in at_finished]
    freed = _options_for(options, at_finished)
    refuse_contradictions(free, freed, name, least=0)
    field = prepare(free, freed)
    open_tables = [table for table in tables if table.number not in locked]
    old = [_pair(table) for table in open_tables] + ([] if bye is None else [(bye, NOBODY)])
    words = Words(seed)
    mended = mend(field, old, words, [player for player in moved if player in field.points])
    if mended is None:
        refuse_impossible(field, name)
    every = [seats_of(field, each) for each in (*field.forced, *mended.pairs)]
    seated = _Seated(field, finished, open_tables, every, words)
    paired = Pairing(
        tables=tuple(seated.tables()),
        byes=() if seated.bye is None else (seated.bye,),
        cost=_cost(entrants, options, seated),
        proof=_proof(mended, around=bool(finished)),
        seed=seed,
        method="repair",
    )
    before, after = _by_number(tables), _by_number(paired.tables)
    reasons = [*_reasons(field, open_tables, name), *_bye_reasons(field, bye, seated.bye, name)]
    return Repaired(
        pairing=paired,
        kept=tuple(number for number, seats in after.items() if before.get(number) == seats),
        changed=tuple(number for number, seats in after.items() if before.get(number) != seats),
        removed=tuple(sorted(before.keys() - after.keys())),
        fewest=mended.fewest,
        reasons=tuple(reasons),
    )


def _proof(mended: Mended, *, around: bool) -> str:
    if mended.cheapest:
        return REPAIRED_AROUND if around else REPAIRED_BEST
    return REPAIRED if mended.fewest else REPAIRED_UNPROVED


@dataclass(frozen=True)
class _Seated:
    field: Field
    finished: Sequence[Table]
    open_tables: Sequence[Table]
    pairs: Sequence[Pair]
    words: Words

    @property
    def bye(self) -> PlayerId | None:
        return next((one for one, other in self.pairs if other == NOBODY), None)

    def tables(self) -> list[Table]:
        """Return all tables: those that stay as they were, new ones on the numbers that became free, lowest first."""
        wanted = {frozenset(pair) for pair in self.pairs}
        staying = [table for table in self.open_tables if frozenset(table.seats) in wanted]
        stayed = {frozenset(table.seats) for table in staying}
        fresh = [pair for pair in self.pairs if NOBODY not in pair and frozenset(pair) not in stayed]
        kept = [*self.finished, *staying]
        new, _ = seat(self.field, fresh, self.words)
        return sorted([*kept, *self._renumbered(new, kept)], key=lambda table: table.number)

    def _renumbered(self, new: Sequence[Table], kept: Sequence[Table]) -> Iterator[Table]:
        taken = {table.number for table in kept}
        wishes = {table.seats: fixed_table_of(self.field, _pair(table)) for table in new}
        taken |= (reserved := {wish for wish in wishes.values() if wish is not None and wish not in taken})
        number = self.field.options.first_table
        for table in sorted(new, key=lambda each: each.number):
            wish = wishes[table.seats]
            if wish in reserved and wish is not None:
                yield replace(table, number=wish)
                continue
            while number in taken:
                number += 1
            taken.add(number)
            yield replace(table, number=number)


def _pair(table: Table) -> Pair:
    return (table.seats[0], table.seats[1])


def _options_for(options: Options, finished: Collection[PlayerId]) -> Options:
    """Return the options without what finished tables have settled."""
    forced = tuple(pair for pair in options.forced if not set(pair) & set(finished))
    bye = None if options.forced_bye in finished else options.forced_bye
    return replace(options, forced=forced, forced_bye=bye)


def _by_number(tables: Sequence[Table]) -> dict[int, frozenset[PlayerId]]:
    return {table.number: frozenset(table.seats) for table in sorted(tables, key=lambda table: table.number)}


def _cost(entrants: Sequence[Entrant], options: Options, seated: _Seated) -> Cost:
    """Return the cost of the whole round; finished tables count where both players are entrants."""
    field = prepare(entrants, options)
    finished = [
        _pair(table) for table in seated.finished if all(player in field.points for player in table.seats)
    ]
    return cost_of(field, [seats_of(field, pair) for pair in (*finished, *seated.pairs)])


def _reasons(field: Field, tables: Sequence[Table], name: NameOf) -> Iterator[Reason]:
    """Say why each table that cannot stay cannot."""
    for table in tables:
        one, other = table.seats
        gone = [player for player in table.seats if player not in field.points]
        if gone:
            who = " and ".join(name(player) for player in gone)
            text = f"table {table.number}: {who} {'is' if len(gone) == 1 else 'are'} no longer in the round"
            yield Reason(what="gone", text=text, players=tuple(gone), numbers={"table": table.number})
        elif not field.allowed(one, other):
            text = f"table {table.number}: {name(one)}–{name(other)} are kept apart by the organizer"
            yield Reason(what="forbidden", text=text, players=table.seats, numbers={"table": table.number})
        elif not field.unmet(one, other):
            text = f"table {table.number}: {name(one)}–{name(other)} have met before"
            yield Reason(what="rematch", text=text, players=table.seats, numbers={"table": table.number})


def _bye_reasons(
    field: Field, before: PlayerId | None, after: PlayerId | None, name: NameOf
) -> Iterator[Reason]:
    if before == after:
        return
    if before is not None and after is None:
        text = f"{name(before)} has no bye any more: the number of players is even"
        yield Reason(what="bye", text=text, players=(before,))
    elif after is not None:
        earlier = field.earlier_byes(after)
        had = "none yet" if not earlier else "one already" if earlier == 1 else f"{earlier} already"
        rest = "" if before is None else f" instead of {name(before)}"
        text = f"{name(after)} has the bye{rest} (earlier byes: {had})"
        yield Reason(what="bye", text=text, players=(after,), numbers={"earlier_byes": earlier})
