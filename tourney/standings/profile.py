"""A standings profile: what each outcome is worth, how percentages are made, the order of the tie-breaks; and its TOML file."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import msgspec

from tourney import decode
from tourney.errors import TourneyError
from tourney.record import Outcome, format_points, parse_half_points, parse_number
from tourney.standings import tiebreaks

Games = tuple[int, int, int]
"""Games won, lost and drawn by one side of a match."""

POINTS, LOT = "PTS", "LOT"
"""The two codes that not only the table of tie-breaks speaks of: a row has the points apart, an event has a secret to draw a lot from."""

Placement = Mapping[tuple[int, int], int]
"""(place from 1, how many share it) → half points each."""


def _unchanging(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


# A simulation sends a profile to other processes; Python has no way of its own for mappings that cannot be changed.
copyreg.pickle(MappingProxyType, lambda values: (_unchanging, (dict(values),)))


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRule:
    """What one outcome is worth to the player who has it.

    points: half points
    match:  its share of a match-win percentage, 0 to 1; None: the round is left out of the percentage
    games:  the games it stands for in game-win percentages; None: as they were played (none, if nothing was played)
    meets:  whether the other side counts as an opponent in tie-breaks that look at opponents
    """

    points: int
    match: Fraction | None
    games: Games | None
    meets: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Percentage:
    """The limits of a percentage, all from 0 to 1.

    floor, cap:  what a value is raised or lowered to
    cap_dropped: the cap for a player who has dropped
    own_floor:   whether the player's own displayed and ranked value is floored too (opponents' always are)
    draw:        what a drawn game counts for (game percentages; matches have it in their outcome)
    floor_by_size: floors by the number of seats of the event's largest table, before `floor`
    """

    floor: Fraction = Fraction(0)
    cap: Fraction = Fraction(1)
    cap_dropped: Fraction = Fraction(1)
    own_floor: bool = True
    draw: Fraction = Fraction(1, 3)
    floor_by_size: Mapping[int, Fraction] = field(default_factory=lambda: MappingProxyType({}))


class ScheduleRow(NamedTuple):
    """What a profile's rules advise for so many players: Swiss rounds (0: single elimination from the start), and the cut."""

    fewest: int
    most: int
    rounds: int
    cut: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """What a profile said from a day on: `changes` are the keys it overrides."""

    since: date
    source: str
    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One file of a profile's family, as plain values: its body and its editions by date."""

    body: Mapping[str, Any]
    editions: tuple[Edition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A named, dated set of standings rules, checked; made by `parse_profile`.

    name:       the file's name without its ending, `mtr`
    order:      codes in the order in which they rank, the points among them
    outcomes:   a rule for each outcome
    from_score: whether points are the match's recorded scores (Netrunner's prestige) instead of its outcome
    game_win, game_draw: half points a game where `from_score` holds but only games were recorded
    win_by_size: half points for the winner by the number of seats, where it is not `outcomes[WIN]`
    placement:  by number of seats, what each place is worth; a number that is missing goes by outcome
    head_to_head: `all-met`: among all who are level, if they have all met; `two`: only between exactly two
    frozen:     codes whose value stays as it was after a dropped player's last round
    rank_never_started: whether a player who dropped before round 1 is ranked at all
    unplayed:   how Buchholz and its kin treat unplayed rounds: `capped-dummy` (FIDE 2026), `dummy` (2024),
                `virtual` (2009) or `as-scored`
    round_robin: whether round-robin readings apply even if the record does not say so
    score_cap:  the goal at which a match's secondary score is capped; None: no cap
    strength_by: whether strength of schedule divides by `opponents` met or by `rounds`, own byes included
    strength_rounds: which rounds an opponent's points are divided by there: `all`, or `played`, without byes
    decimals:   places printed after the point
    half_sign:  whether halves are printed `2½` (else `2.5`)
    schedule:   rounds and cut by attendance, as the rules advise them
    layers:     the files it was made from, the first ancestor first
    edition:    the day from which this edition holds; None: the profile has no editions
    """

    name: str
    title: str
    source: str
    since: date
    order: tuple[str, ...]
    outcomes: Mapping[Outcome, OutcomeRule]
    match_win: Percentage
    game_win: Percentage
    notes: tuple[str, ...] = ()
    extends: str | None = None
    from_score: bool = False
    points_per_game_win: int = 0
    points_per_game_draw: int = 0
    win_by_size: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    placement: Mapping[int, Placement] = field(default_factory=lambda: MappingProxyType({}))
    head_to_head: str = "all-met"
    frozen: frozenset[str] = frozenset()
    rank_never_started: bool = False
    unplayed: str = "capped-dummy"
    round_robin: bool = False
    score_cap: int | None = None
    strength_by: str = "opponents"
    strength_rounds: str = "all"
    decimals: int = 4
    half_sign: bool = True
    schedule: tuple[ScheduleRow, ...] = ()
    layers: tuple[Layer, ...] = field(default=(), repr=False)
    edition: date | None = None

    @property
    def tiebreaks(self) -> tuple[str, ...]:
        """The codes of `order` without that of the points, first decider first."""
        return tuple(code for code in self.order if code != POINTS)

    @property
    def has_lot(self) -> bool:
        """Whether a lot separates players who are level in everything else."""
        return LOT in self.order

    @property
    def editions(self) -> tuple[Edition, ...]:
        """All editions of the family, oldest first."""
        every = [edition for layer in self.layers for edition in layer.editions]
        return tuple(sorted(every, key=lambda edition: edition.since))

    def points_of(self, outcome: Outcome) -> Fraction:
        """Return what an outcome is worth, in points."""
        return Fraction(self.outcomes[outcome].points, 2)

    def advised_cut(self, players: int) -> int:
        """Return how many make the cut by the profile's own schedule; 0 where it advises none."""
        return next((row.cut for row in self.schedule if row.fewest <= players <= row.most and row.cut), 0)

    def points_text(self, half_points: int) -> str:
        """Print half points as the rules do: `2½`, or `2.5` and `7` where they count in threes."""
        if self.half_sign or half_points % 2 == 0:
            return format_points(half_points)
        return f"{half_points / 2:.1f}"

    def games_come_to(self, one: int, other: int) -> bool:
        """Whether games give a match these two scores, of 0 and more, where points are scores; so they do where games give nothing."""
        win, draw = self.points_per_game_win, self.points_per_game_draw
        if not win:
            return True
        drawn = range(2 * min(one, other) // draw + 1) if draw else range(1)
        return any((2 * one - draw * each) % win == (2 * other - draw * each) % win == 0 for each in drawn)

    def on(self, day: date | None) -> Profile:
        """Return the edition in force on `day` (None: the newest; before the first: the first)."""
        return _Family(self.name, self.name, self.extends, self.layers).on(day)


# -- Its file: TOML text becomes a checked profile, the parent it extends merged in first


Parent = Callable[[str], Profile]
"""Gives the profile that `extends` names; raises TourneyError where there is none of that name."""


def parse_profile(text: str, *, source: str, parent: Parent, name: str | None = None) -> Profile:
    """Read a profile from TOML `text`.

    source: names the file in messages; its last part without `.toml` is the profile's name unless `name` says it
    parent: gives the profile that `extends` names (`no_parent` where there is none)

    The result is the newest edition; `Profile.on(day)` gives another. Every edition is checked here, so that a wrong
    one does not wait for its day. Raises TourneyError with file and key path: an unknown key or tie-break, a floor
    outside 0 to 1, points that are no multiple of ½, editions out of order …
    """
    own = decode.parse_toml(text, source=source)
    extends = own.pop("extends", None)
    if extends is not None and not isinstance(extends, str):
        raise TourneyError(f"{source}: extends: expected the name of a profile")
    inherited = _parent(extends, source, parent).layers if extends else ()
    layer = Layer(editions=_editions(own.pop("edition", ()), source), body=MappingProxyType(own))
    family = _Family(name or _stem(source), source, extends, (*inherited, layer))
    for since in family.days():
        family.on(since)
    return family.on(None)


def _parent(name: str, source: str, parent: Parent) -> Profile:
    try:
        return parent(name)
    except TourneyError as fault:
        raise TourneyError(f"{source}: extends `{name}`: {fault.message}", fault.hint) from None


def no_parent(name: str) -> Profile:
    """Refuse: the parent for files that stand alone."""
    raise TourneyError(f"the profile extends `{name}`, but other profiles cannot be looked up here")


def with_order(profile: Profile, codes: Sequence[str]) -> Profile:
    """Return the profile with another order of tie-breaks. Raises TourneyError for an unknown code or none at all."""
    return replace(profile, order=_Check(profile.name).order(codes, "order"))


def load_profile(name: str, read: Callable[[str], tuple[str, str]]) -> Profile:
    """Read the profile `name` and its parents. `read(name)` gives (text, source) of one; it raises if there is none.

    Raises TourneyError as `parse_profile` does, and for profiles that extend each other in a circle.
    """
    return _load(name, read, ())


def _load(name: str, read: Callable[[str], tuple[str, str]], children: tuple[str, ...]) -> Profile:
    text, source = read(name)
    if name in children:
        circle = " → ".join([*children, name])
        raise TourneyError(f"{source}: extends: these profiles extend each other in a circle: {circle}")
    return parse_profile(
        text, source=source, parent=lambda parent: _load(parent, read, (*children, name)), name=_stem(name)
    )


@dataclass(frozen=True, slots=True)
class _Family:
    """A profile's files, from which the edition of any day is made."""

    name: str
    source: str
    extends: str | None
    layers: tuple[Layer, ...]

    def days(self) -> list[date]:
        return sorted({edition.since for layer in self.layers for edition in layer.editions})

    def on(self, day: date | None) -> Profile:
        days = self.days()
        day = day if day is None or not days else max(day, days[0])
        since = max((start for start in days if day is None or start <= day), default=None)
        data: dict[str, Any] = {}
        for layer in self.layers:
            data = _merge(data, layer.body)
            current = [edition for edition in layer.editions if since is None or edition.since <= since]
            data = _merge(data, current[-1].changes) if current else data
        place = f"{self.source}: edition of {since}" if since else self.source
        made = _profile_of(data, name=self.name, source=place)
        return replace(made, extends=self.extends, layers=self.layers, edition=since)


def _editions(entries: Any, source: str) -> tuple[Edition, ...]:
    if not isinstance(entries, list | tuple):
        raise TourneyError(f"{source}: edition: expected a list of tables (`[[edition]]`)")
    if len(entries) > decode.MAX_EDITIONS:
        raise TourneyError(f"{source}: edition: {len(entries):,} editions, at most {decode.MAX_EDITIONS}")
    editions = tuple(_edition(entry, f"{source}: edition[{i}]") for i, entry in enumerate(entries))
    for i, (earlier, later) in enumerate(pairwise(editions), start=1):
        if later.since <= earlier.since:
            raise TourneyError(
                f"{source}: edition[{i}].since: {later.since} does not come after {earlier.since}"
            )
    return editions


def _edition(entry: Any, place: str) -> Edition:
    if not isinstance(entry, Mapping):
        raise TourneyError(f"{place}: expected a table")
    changes = dict(entry)
    since = changes.pop("since", None)
    if type(since) is not date:
        raise TourneyError(f"{place}.since: expected the date from which it holds (YYYY-MM-DD)")
    return Edition(since=since, source=str(changes.pop("source", "")), changes=MappingProxyType(changes))


def _stem(source: str) -> str:
    return source.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".toml")


def _merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Lay `above` over `below`: tables are merged, everything else (lists too) is replaced."""
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        both = isinstance(under, Mapping) and isinstance(value, Mapping)
        merged[key] = _merge(under, value) if both else value  # type: ignore[arg-type]
    return merged


# -- The shape of a profile's file, and the checks that turn it into exact values


Number = int | float | str
"""A number as a file may write it: `3`, `0.33` (read as the decimal it shows), `"1/3"`, `"½"`."""


_COUNT = re.compile("[0-9]{1,4}")


class _Shape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    pass


class _OutcomeShape(_Shape, frozen=True):
    points: Number
    match: Number = "points"
    games: str = "played"
    opponent: bool = True


class _OutcomesShape(_Shape, frozen=True):
    win: _OutcomeShape
    draw: _OutcomeShape
    loss: _OutcomeShape
    bye: _OutcomeShape
    awarded_bye: _OutcomeShape
    half_bye: _OutcomeShape
    forfeit_win: _OutcomeShape
    forfeit_loss: _OutcomeShape
    double_loss: _OutcomeShape
    absent: _OutcomeShape


class _PercentageShape(_Shape, frozen=True):
    floor: Number = 0
    cap: Number = 1
    cap_dropped: Number = 1
    own_floor: bool = True
    draw: Number = "1/3"
    floor_by_size: dict[str, Number] = {}


class _ScoringShape(_Shape, frozen=True):
    by: Literal["outcome", "score"] = "outcome"
    game_win: Number = 0
    game_draw: Number = 0
    score_cap: int | None = None


class _TablesShape(_Shape, frozen=True):
    win: dict[str, Number] = {}
    placement: dict[str, list[Number]] = {}
    shared: Literal["average", "higher", "lower"] = "average"


class _DropsShape(_Shape, frozen=True):
    freeze: list[str] = []
    before_round_1: Literal["left-out", "ranked"] = "left-out"


class _ScheduleShape(_Shape, frozen=True):
    players: tuple[int, int]
    rounds: int
    cut: int


class _PrintingShape(_Shape, frozen=True):
    decimals: int = 4
    half_sign: bool = True


class _ProfileShape(_Shape, frozen=True):
    title: str
    source: str
    date: date
    order: list[str]
    outcomes: _OutcomesShape
    match_win: _PercentageShape = _PercentageShape()
    game_win: _PercentageShape = _PercentageShape()
    scoring: _ScoringShape = _ScoringShape()
    tables: _TablesShape = _TablesShape()
    drops: _DropsShape = _DropsShape()
    printing: _PrintingShape = _PrintingShape()
    notes: list[str] = []
    head_to_head: Literal["all-met", "two"] = "all-met"
    unplayed: Literal["capped-dummy", "dummy", "virtual", "as-scored"] = "capped-dummy"
    round_robin: bool = False
    strength_by: Literal["opponents", "rounds"] = "opponents"
    strength_rounds: Literal["all", "played"] = "all"
    schedule: list[_ScheduleShape] = []


def _profile_of(data: Mapping[str, Any], *, name: str, source: str) -> Profile:
    """Check `data` and return its profile. Raises TourneyError with `source` and the key path."""
    shape = decode.build(dict(data), _ProfileShape, source=source)
    check = _Check(source)
    return Profile(
        name=name,
        title=shape.title,
        source=shape.source,
        since=shape.date,
        order=check.order(shape.order, "order"),
        notes=tuple(shape.notes),
        outcomes=check.outcomes(shape.outcomes),
        match_win=check.percentage(shape.match_win, "match-win"),
        game_win=check.percentage(shape.game_win, "game-win"),
        from_score=shape.scoring.by == "score",
        points_per_game_win=check.half_points(shape.scoring.game_win, "scoring.game-win"),
        points_per_game_draw=check.half_points(shape.scoring.game_draw, "scoring.game-draw"),
        score_cap=check.at_least(shape.scoring.score_cap, 0, "scoring.score-cap"),
        win_by_size=check.wins(shape.tables.win),
        placement=check.placements(shape.tables),
        head_to_head=shape.head_to_head,
        frozen=frozenset(check.order(shape.drops.freeze, "drops.freeze", least=0)),
        rank_never_started=shape.drops.before_round_1 == "ranked",
        unplayed=shape.unplayed,
        round_robin=shape.round_robin,
        strength_by=shape.strength_by,
        strength_rounds=shape.strength_rounds,
        decimals=check.decimals(shape.printing.decimals),
        half_sign=shape.printing.half_sign,
        schedule=tuple(ScheduleRow(*row.players, row.rounds, row.cut) for row in shape.schedule),
    )


class _Check:
    """Turns the numbers of one file into exact ones; every fault names the file and the key."""

    def __init__(self, source: str) -> None:
        self.source = source

    def fault(self, place: str, message: str, hint: str | None = None) -> TourneyError:
        return TourneyError(f"{self.source}: {place}: {message}", hint)

    def order(self, codes: Sequence[str], place: str, *, least: int = 1) -> tuple[str, ...]:
        if len(codes) < least:
            raise self.fault(place, "no tie-break is named; `PTS` alone ranks by points")
        if len(codes) > decode.MAX_TIEBREAKS:
            raise self.fault(place, f"{len(codes):,} tie-breaks, at most {decode.MAX_TIEBREAKS}")
        for i, code in enumerate(codes):
            try:
                tiebreaks.find(code)
            except TourneyError as unknown:
                raise self.fault(f"{place}[{i}]", unknown.message, unknown.hint) from None
        return tuple(codes)

    def number(self, value: Number, place: str) -> Fraction:
        try:
            return parse_number(self.plain(value))
        except TourneyError as fault:
            raise self.fault(place, fault.message) from None

    def plain(self, value: Number) -> str:
        """Return the number as text; a decimal as it is written, however small (`0.00001`)."""
        return format(Decimal(repr(value)), "f") if isinstance(value, float) else str(value)

    def share(self, value: Number, place: str) -> Fraction:
        number = self.number(value, place)
        if not 0 <= number <= 1:
            raise self.fault(place, f"{value} is not between 0 and 1")
        return number

    def half_points(self, value: Number, place: str) -> int:
        try:
            return parse_half_points(self.plain(value))
        except TourneyError as fault:
            raise self.fault(place, fault.message) from None

    def at_least(self, value: int | None, least: int, place: str) -> int | None:
        if value is not None and value < least:
            raise self.fault(place, f"{value} is less than {least}")
        return value

    def decimals(self, value: int) -> int:
        if not 0 <= value <= 12:
            raise self.fault("printing.decimals", f"{value} is not between 0 and 12")
        return value

    def outcomes(self, shape: _OutcomesShape) -> Mapping[Outcome, OutcomeRule]:
        win = self.half_points(shape.win.points, "outcomes.win.points")
        if win <= 0:
            raise self.fault("outcomes.win.points", "a win must be worth something")
        rules = {}
        for outcome in Outcome:
            entry = getattr(shape, outcome.value.replace("-", "_"))
            rules[outcome] = self.outcome(entry, win, f"outcomes.{outcome.value}")
        return MappingProxyType(rules)

    def outcome(self, entry: _OutcomeShape, win: int, place: str) -> OutcomeRule:
        points = self.half_points(entry.points, f"{place}.points")
        return OutcomeRule(
            points=points,
            match=self.match_share(entry.match, Fraction(points, win), f"{place}.match"),
            games=self.games(entry.games, f"{place}.games"),
            meets=entry.opponent,
        )

    def match_share(self, value: Number, by_points: Fraction, place: str) -> Fraction | None:
        if value == "skip":
            return None
        return by_points if value == "points" else self.share(value, place)

    def games(self, text: str, place: str) -> Games | None:
        if text == "played":
            return None
        parts = [] if text == "none" else text.split("-")
        if len(parts) not in (0, 2, 3) or not all(_COUNT.fullmatch(part) for part in parts):
            raise self.fault(place, f"`{text}` is neither `played`, `none` nor games such as `2-0`")
        won, lost, drawn = ([int(part) for part in parts] + [0, 0, 0])[:3]
        return won, lost, drawn

    def percentage(self, shape: _PercentageShape, place: str) -> Percentage:
        floor, cap, cap_dropped = (
            self.share(getattr(shape, key.replace("-", "_")), f"{place}.{key}")
            for key in ("floor", "cap", "cap-dropped")
        )
        if floor > min(cap, cap_dropped):
            raise self.fault(f"{place}.floor", f"{shape.floor} is above the cap")
        return Percentage(
            floor=floor,
            cap=cap,
            cap_dropped=cap_dropped,
            own_floor=shape.own_floor,
            draw=self.share(shape.draw, f"{place}.draw"),
            floor_by_size=MappingProxyType(
                {
                    self.seats(n, f"{place}.floor-by-size"): self.share(x, f"{place}.floor-by-size.{n}")
                    for n, x in shape.floor_by_size.items()
                }
            ),
        )

    def seats(self, text: str, place: str) -> int:
        if not _COUNT.fullmatch(text) or int(text) < 2:
            raise self.fault(place, f"`{text}` is not a number of seats (2 or more)")
        return int(text)

    def wins(self, shape: Mapping[str, Number]) -> Mapping[int, int]:
        return MappingProxyType(
            {self.seats(n, "tables.win"): self.half_points(x, f"tables.win.{n}") for n, x in shape.items()}
        )

    def placements(self, shape: _TablesShape) -> Mapping[int, Placement]:
        sizes = {self.seats(n, "tables.placement"): values for n, values in shape.placement.items()}
        return MappingProxyType({n: self.placement(n, values, shape.shared) for n, values in sizes.items()})

    def placement(self, seats: int, values: list[Number], shared: str) -> Placement:
        """Work out what each place is worth, and each way of sharing it: (place, how many share it)."""
        place = f"tables.placement.{seats}"
        if len(values) != seats:
            raise self.fault(place, f"{len(values)} numbers of points for {seats} places")
        points = [self.half_points(value, f"{place}[{i}]") for i, value in enumerate(values)]
        if points != sorted(points, reverse=True):
            raise self.fault(place, "a later place may not be worth more than an earlier one")
        return MappingProxyType(
            {
                (first + 1, count): self.shared(points[first : first + count], shared, place)
                for first in range(seats)
                for count in range(1, seats - first + 1)
            }
        )

    def shared(self, points: list[int], how: str, place: str) -> int:
        if how != "average":
            return points[0] if how == "higher" else points[-1]
        if sum(points) % len(points):
            written = ", ".join(format_points(value) for value in points)
            raise self.fault(
                place,
                f"{len(points)} players who share the places worth {written} would not get a multiple of ½",
                'set tables.shared = "higher" or "lower"',
            )
        return sum(points) // len(points)
