"""Checks of a round made by hand: seats, table sizes and the organizer's wishes.

    findings = check_by_hand(entrants, options, tables, byes, sizes=Sizes(2, 2, 2))

These checks do not compare the round with the best one. Pods and round robins are checked by these rules
first, then by the rules of their own modules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from tourney.errors import Finding, Severity, TourneyError
from tourney.pairing.facts import byes_words, points_words
from tourney.pairing.pairing import (
    Cost,
    Entrant,
    Entrants,
    Options,
    earlier_byes,
    earlier_opponents,
    number_of,
    shared_tags,
)
from tourney.record import NameOf, PlayerId, Table
from tourney.wording import format_times

METHOD = "by hand"
"""The `method` and `proof` of a round made by hand."""


class Sizes(Struct, frozen=True):
    """The minimum, preferred and maximum number of players at a table.

    fewest: the minimum number of players
    preferred: the preferred number of players
    most: the maximum number of players

    Raises TourneyError if the preferred number is outside the range, or if the minimum is below two.
    """

    fewest: int = 2
    preferred: int = 2
    most: int = 2

    def __post_init__(self) -> None:
        if not 2 <= self.fewest <= self.preferred <= self.most:
            raise TourneyError(
                f"tables of {self.fewest} to {self.most} players, {self.preferred} preferred: "
                "the preferred size must be between the two, and a table seats at least two"
            )

    def __str__(self) -> str:
        return str(self.most) if self.fewest == self.most else f"{self.fewest} to {self.most}"


class GivenRound(Struct, frozen=True, kw_only=True):
    """A round to be checked, with everything that the checks need."""

    entrants: Mapping[PlayerId, Entrant]
    options: Options
    tables: Sequence[Table]
    byes: Sequence[PlayerId]
    sizes: Sizes
    absent: Mapping[PlayerId, str]
    name: NameOf

    def finding(
        self, rule: str, message: str, *players: PlayerId, have: int | str | None = None,
        allowed: int | str | None = None, severity: Severity = Severity.ERROR,
    ) -> Finding:  # fmt: skip
        """Return a `Finding` of a check of this round. Its subjects are the names of `players`."""
        return Finding(
            rule=rule,
            severity=severity,
            message=message,
            subjects=tuple(map(self.name, players)),
            have=None if have is None else str(have),
            allowed=None if allowed is None else str(allowed),
        )

    @property
    def places(self) -> dict[PlayerId, list[str]]:
        """For each seated player, the list of places where the player sits: `table 3` or `the bye`."""
        places: dict[PlayerId, list[str]] = {}
        for table in self.tables:
            for player in table.seats:
                places.setdefault(player, []).append(f"table {table.number}")
        for player in self.byes:
            places.setdefault(player, []).append("the bye")
        return places

    def names(self, players: Sequence[PlayerId]) -> str:
        """Return the names of the players at a table, such as `Ada – Ben – Cleo`."""
        return " – ".join(map(self.name, players))


def check_by_hand(
    entrants: Entrants,
    options: Options,
    tables: Sequence[Table],
    byes: Sequence[PlayerId] = (),
    *,
    sizes: Sizes | None = None,
    absent: Mapping[PlayerId, str] | None = None,
    name: NameOf = number_of,
) -> list[Finding]:
    """Return the faults of a round, errors first.

    sizes:  how many players a table may seat (default: two)
    absent: for each player of the event who is not an entrant, the reason, such as `dropped after round 3`; a
            player who is neither in `absent` nor an entrant is not in the event

    Errors: `seated-twice`, `not-seated`, `not-in-round`, `table-size`, `table-number`, `forbidden`, `forced`,
    `fixed-table`. Advice: `rematch`, `second-bye`.
    """
    by_id = {entrant.id: entrant for entrant in entrants}
    round_ = GivenRound(
        entrants=by_id, options=options, tables=tables, byes=byes,
        sizes=sizes or Sizes(), absent=absent or {}, name=name,
    )  # fmt: skip
    return [
        *seats(round_),
        *table_numbers(round_),
        *organizers_pairs(round_),
        *(finding for finding in fixed_tables(round_) if finding.severity is Severity.ERROR),
        *_rematches(round_),
        *_second_byes(round_),
    ]


def seats(round_: GivenRound) -> Iterator[Finding]:
    """Yield a finding for each wrong seat.

    A seat is wrong if its player is not in the round, is seated twice or is not seated, or if the table has a
    wrong number of players.
    """
    places = round_.places
    for player, seated_at in places.items():
        if player not in round_.entrants:
            reason = round_.absent.get(player, "is not in this event")
            message = f"{round_.name(player)} {reason}, but has {seated_at[0]}"
            yield round_.finding("not-in-round", message, player)
        if len(seated_at) > 1:
            message = f"{round_.name(player)} is seated {len(seated_at)} times: {' and '.join(seated_at)}"
            yield round_.finding("seated-twice", message, player, have=len(seated_at), allowed="1")
    for player in round_.entrants:
        if player not in places:
            yield round_.finding("not-seated", f"{round_.name(player)} has neither a table nor a bye", player)
    for table in round_.tables:
        count = len(table.seats)
        if not round_.sizes.fewest <= count <= round_.sizes.most:
            message = f"table {table.number} seats {count}; a table of this event seats {round_.sizes}"
            yield round_.finding("table-size", message, *table.seats, have=count, allowed=str(round_.sizes))


def table_numbers(round_: GivenRound) -> Iterator[Finding]:
    """Yield a finding for each table number that is used twice or is below 1."""
    for number, count in Counter(table.number for table in round_.tables).items():
        if count > 1:
            message = f"table number {number} is used {count} times"
            yield round_.finding("table-number", message, have=count, allowed="1")
        if number < 1:
            yield round_.finding("table-number", f"there is no table {number}: tables are numbered from 1")


def organizers_pairs(round_: GivenRound) -> Iterator[Finding]:
    """Yield a finding for each pair or bye that breaks a wish of the organizer."""
    options, name = round_.options, round_.name
    together = {frozenset(two) for table in round_.tables for two in combinations(table.seats, 2)}
    for one, other in sorted(options.forbidden):
        if frozenset((one, other)) in together:
            message = f"{round_.names((one, other))} are kept apart by the organizer, but share a table"
            yield round_.finding("forbidden", message, one, other)
    for one, other in options.forced:
        if frozenset((one, other)) not in together:
            message = f"{round_.names((one, other))} must meet, as the organizer decided"
            yield round_.finding("forced", message, one, other)
    bye_player = options.forced_bye
    if bye_player is not None and bye_player not in round_.byes:
        yield round_.finding(
            "forced", f"{name(bye_player)} must have the bye, as the organizer decided", bye_player
        )
    for player in round_.byes:
        if player in options.no_bye:
            message = f"{name(player)} must not have the bye, as the organizer decided"
            yield round_.finding("forbidden", message, player)


def fixed_tables(round_: GivenRound) -> Iterator[Finding]:
    """Yield a finding for each player who does not sit at the player's fixed table.

    The finding is only advice if the player sits at the opponent's fixed table.
    """
    for table in round_.tables:
        entrants = [round_.entrants[player] for player in table.seats if player in round_.entrants]
        fixed_numbers = {
            entrant.id: entrant.fixed_table for entrant in entrants if entrant.fixed_table is not None
        }
        is_kept = table.number in fixed_numbers.values()
        for player, wish in fixed_numbers.items():
            if wish != table.number:
                suffix = ", the opponent's fixed table" if is_kept else ""
                message = (
                    f"{round_.name(player)} has the fixed table {wish}, but sits at table {table.number}"
                )
                yield round_.finding(
                    "fixed-table", f"{message}{suffix}", player, have=table.number, allowed=wish,
                    severity=Severity.ADVICE if is_kept else Severity.ERROR,
                )  # fmt: skip


def _rematches(round_: GivenRound) -> Iterator[Finding]:
    for table in round_.tables:
        for one, other in combinations(table.seats, 2):
            entrant = round_.entrants.get(one) if other in round_.entrants else None
            if entrant and (meetings := earlier_opponents(entrant, round_.options).count(other)):
                pair_names = round_.names((one, other))
                message = f"table {table.number}: {pair_names} have met {format_times(meetings)} before"
                yield round_.finding("rematch", message, one, other, have=meetings, severity=Severity.ADVICE)


def _second_byes(round_: GivenRound) -> Iterator[Finding]:
    for player in round_.byes:
        entrant = round_.entrants.get(player)
        if entrant and (earlier := earlier_byes(entrant, round_.options)):
            byes_text, points = byes_words(earlier), points_words(entrant.points)
            message = f"{round_.name(player)} has had {byes_text} and gets one more, on {points}"
            yield round_.finding("second-bye", message, player, have=earlier, severity=Severity.ADVICE)


def compare_tables(
    tables: Sequence[Table],
    expected_tables: Iterable[Sequence[PlayerId]],
    *,
    rule: str,
    source: str,
    no_table_text: str,
    prefix: str = "",
    sides_severity: Severity = Severity.ERROR,
    cites: tuple[str | None, str | None] = (None, None),
    name: NameOf = number_of,
) -> list[Finding]:
    """Return a finding for each table that the pairing system would seat differently.

    Each table is compared with the table that the system makes for the player in seat 1.

    expected_tables: the seats of each table that the system makes
    rule:            the rule of a finding about wrong opponents; a finding about wrong sides has the rule
                     `sides`
    source:          what prescribes the tables, in words for the message, such as `Dutch rules`
    no_table_text:   what a player without a table does, in words for the message, such as `has the bye`
    prefix:          the beginning of the message, such as `round 3, `
    sides_severity:  the severity of a finding about wrong sides
    cites:           the rule texts about opponents and about sides, or None
    """
    expected_by_player = {player: tuple(seats) for seats in expected_tables for player in seats}
    findings = []
    for table in tables:
        expected_seats = expected_by_player.get(table.seats[0], ())
        if expected_seats == table.seats:
            continue
        has_wrong_sides = set(expected_seats) == set(table.seats)
        expected_text = " – ".join(map(name, expected_seats)) or f"{name(table.seats[0])} {no_table_text}"
        seats_text = " – ".join(map(name, table.seats))
        findings.append(
            Finding(
                rule="sides" if has_wrong_sides else rule,
                severity=sides_severity if has_wrong_sides else Severity.ERROR,
                message=f"{prefix}table {table.number}: {seats_text}; by the {source} {expected_text}",
                subjects=tuple(map(name, table.seats)),
                cite=cites[has_wrong_sides],
            )
        )
    return findings


def cost_of(entrants: Entrants, options: Options, tables: Sequence[Table], byes: Sequence[PlayerId]) -> Cost:
    """Return a round's cost on levels 1 to 4. Every two players at a table count as a pair."""
    by_id = {entrant.id: entrant for entrant in entrants}
    pairs = [two for table in tables for two in combinations(table.seats, 2)]
    meetings = [earlier_opponents(by_id[one], options).count(other) for one, other in pairs]
    return Cost(
        rematches=sum(map(bool, meetings)),
        times_met=sum(meetings),
        bye_earlier=sum(earlier_byes(by_id[player], options) for player in byes),
        bye_points=sum(by_id[player].points for player in byes),
        differences=sum((by_id[one].points - by_id[other].points) ** 2 for one, other in pairs),
        apart=sum(len(shared_tags(by_id[one], by_id[other])) for one, other in pairs)
        if options.keeps_apart_now
        else 0,
    )
