"""What entries are made of: small frozen records, the shorter ones written as arrays.

Nothing here is personal: a person's words (names, reasons, decks) are a `Ref`, the salted digest of a text that
lies apart and can be deleted without breaking the chain.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal, NewType

import msgspec

from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Result, Seat

Ref = NewType("Ref", str)
"""SHA-256 of salt + bytes, in hexadecimal: the name of a text kept beside the journal."""

System = Literal["swiss", "round-robin", "pods", "elimination", "dutch", "manual"]
Stage = Literal["swiss", "cut"]
Unseated = Literal["bye", "awarded-bye", "half-bye", "absent"]
"""Why somebody has no table in a round; `absent` is worth what the standings profile says (mostly nothing)."""


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A rule file whose bytes the event keeps.

    kind: `format`, `banlist`, `profile`
    name: as it was asked for (`redline/standard`); a format's or profile's elders follow it under their own names
    day:  a ban list's day (its file's name); empty otherwise
    """

    kind: str
    name: str
    text: Ref
    day: str = ""


MOST_GAMES = 99
"""Games of a match, for `best_of` and for a result."""

MOST_SEATS = 100
LAST_TABLE = 999_999
LONGEST_ROUND = 24 * 60
"""Minutes."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How an event is run. Every default is part of the version of the ops that carry it: never change one.

    rounds:     planned Swiss rounds; None: open-ended
    best_of:    games a match can have; an even number is played out, and may end level
    seats:      the numbers of players a table may have, the preferred one first
    sides:      the names of unequal sides in seat order (seat 1 moves first); empty where sides are equal
    draws:      whether a match may end without a winner
    choices:    the organizer's choices in the format (`goal` …), where they are not its defaults
    late:       what a late player has for rounds missed: `absent` (as the profile says, mostly a loss), `bye`, `half-bye`
    keep_apart: kind of tag → for how many first rounds its members are kept apart where possible (0: always)
    awarded_bye_counts, half_bye_counts: whether it is an earlier bye when the odd player's bye is given
    no_show_meets: whether a table where somebody did not show counts as a meeting
    double:     round robin: everybody twice
    first_table: the number of the first table
    minutes:    length of a round; 0: no limit
    beacon:     the public value to come that every seed waits for (`drand round 5123456`); empty: seeds wait for nothing
    """

    system: System = "swiss"
    rounds: int | None = None
    best_of: int = 1
    seats: tuple[int, ...] = (2,)
    sides: tuple[str, ...] = ()
    draws: bool = True
    choices: dict[str, str | int | bool] = {}
    first_round: Literal["random", "fold", "slide"] = "random"
    last_round: Literal["swiss", "rank"] = "swiss"
    late: Literal["absent", "bye", "half-bye"] = "absent"
    keep_apart: dict[str, int] = {}
    awarded_bye_counts: bool = True
    half_bye_counts: bool = False
    no_show_meets: bool = False
    double: bool = False
    first_table: int = 1
    minutes: int = 50
    beacon: str = ""

    @property
    def goal(self) -> int | None:
        """Victory points to reach, where the organizer chose them."""
        goal = self.choices.get("goal")
        return goal if isinstance(goal, int) else None

    def __post_init__(self) -> None:
        if not self.seats or min(self.seats) < 2:
            raise ValueError("seats: a table has two seats or more")
        for name, least in (("rounds", 1), ("best_of", 1), ("first_table", 1), ("minutes", 0)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise ValueError(f"{name}: {value} is too few, it starts at {least}")


def settings_from(values: dict[str, Any], base: Settings | None = None) -> Settings:
    """Return `base` (default: the defaults) with `values` instead. Raises TourneyError naming the key at fault."""
    known = msgspec.structs.asdict(base or Settings())
    for key in values:
        if key not in known:
            raise TourneyError(f"there is no setting `{key}`", f"settings are: {', '.join(known)}")
    from tourney.door import build

    return build(known | values, Settings, source="settings")


def refuse_beyond(settings: Settings, names: Collection[str]) -> None:
    """Refuse what is beyond today's limits among the settings `names`, those that somebody asks for now.

    No entry is read with this: what older journals hold is read all the same, and stands until it is changed. Raises
    TourneyError naming the key at fault.
    """
    from tourney.door import MOST_ROUNDS

    most = {"rounds": MOST_ROUNDS, "best_of": MOST_GAMES, "first_table": LAST_TABLE, "minutes": LONGEST_ROUND}
    for name, limit in most.items():
        value = getattr(settings, name)
        if name in names and value is not None and value > limit:
            raise TourneyError(f"settings: {name}: {value} is too many, at most {limit:,}")
    if "seats" in names and max(settings.seats) > MOST_SEATS:
        raise TourneyError(f"settings: seats: a table has at most {MOST_SEATS}")
    if "keep_apart" in names and any(
        not 0 <= rounds <= MOST_ROUNDS for rounds in settings.keep_apart.values()
    ):
        raise TourneyError(f"settings: keep_apart: rounds from 0 (always) to {MOST_ROUNDS} are needed")


class Newcomer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player at registration.

    since:  the first round played (1 before the first pairing)
    late:   what the rounds before `since` count for
    tags:   (kind, text) such as ("club", …): equal texts have equal refs
    byes:   (round, kind): awarded byes, requested half byes, announced absences
    contact: whatever else is known of the person, as a text
    table:  a fixed table's number
    """

    id: PlayerId
    name: Ref
    since: int = 1
    late: Unseated = "absent"
    rating: int | None = None
    tags: tuple[tuple[str, Ref], ...] = ()
    byes: tuple[tuple[int, Unseated], ...] = ()
    table: int | None = None
    contact: Ref | None = None


class Seating(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A table as paired: its number and its players in seat order."""

    number: int
    seats: tuple[PlayerId, ...]


class NoTable(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A player who has no table in a round, and why."""

    player: PlayerId
    kind: Unseated


class SeatResult(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One seat's side of a result; see `tourney.record.Seat`."""

    player: PlayerId
    outcome: Outcome
    place: int = 1
    games: int = 0
    score: int | None = None


class TableResult(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A table's result, seats in the table's order. note: `id` (intentional draw), `time`, or nothing."""

    table: int
    seats: tuple[SeatResult, ...]
    drawn_games: int = 0
    note: Literal["", "id", "time"] = ""

    def result(self) -> Result:
        """Return it as the shared `Result`."""
        return Result(
            tuple(Seat(seat.player, seat.outcome, seat.place, seat.games, seat.score) for seat in self.seats),
            self.drawn_games,
        )


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the pairing engine said of its round: cost and lower bound level by level, and how it is proved."""

    cost: tuple[int, ...] = ()
    bound: tuple[int, ...] = ()
    text: str = ""
