"""The TOML file of a standings profile, merged with the profiles that it extends.

A file is read as a `Layer`: a body and editions. The layers of a profile and of the profiles that it extends
are merged, starting with the one that extends no other. The result is checked as `_Profile`, and its numbers
are converted to exact values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tourney import decode
from tourney.errors import TourneyError
from tourney.record import Outcome, format_points, parse_half_points, parse_number
from tourney.standings import tiebreaks
from tourney.standings.profile import (
    Edition,
    Family,
    Games,
    OutcomeRule,
    Percentage,
    Placement,
    Profile,
    ScheduleRow,
)

T = TypeVar("T")

Parent = Callable[[str], Profile]
"""A function that returns the profile named by `extends`; raises TourneyError if unknown."""


def load_profile(name: str, read: Callable[[str], tuple[str, str]]) -> Profile:
    """Read the profile `name` and the profiles that it extends; return its newest edition.

    read: returns the text and the source of a profile; raises TourneyError if the profile does not exist

    Raises TourneyError as `parse_profile` does, and for profiles that extend each other in a circle.
    """
    return _load(name, read, (), check=True).newest()


def load_edition(name: str, read: Callable[[str], tuple[str, str]], day: date) -> Profile:
    """Read the edition of the profile `name` that is in force on `day`.

    read: returns the text and the source of a profile

    The other editions are not checked.
    """
    return _load(name, read, (), check=False).on(day)


def _load(
    name: str, read: Callable[[str], tuple[str, str]], children: tuple[str, ...], *, check: bool
) -> _Family:
    text, source = read(name)
    if name in children:
        circle = " → ".join([*children, name])
        raise TourneyError(f"{source}: extends: these profiles extend each other in a circle: {circle}")

    def parent(parent_name: str) -> Family:
        family = _load(parent_name, read, (*children, name), check=check)
        if check:
            family.newest()
        return family

    return _parse(text, source, _stem(name), parent)


def parse_profile(text: str, *, source: str, parent: Parent, name: str | None = None) -> Profile:
    """Read a profile from TOML `text`; return its newest edition.

    source: names the file in messages; its last part without `.toml` is the default for `name`
    parent: returns the profile that `extends` names; pass `no_parent` if the profile extends no other

    Raises a TourneyError that names the file and the key path. All editions are checked, so that an error is
    found before the edition comes into force.
    """
    return _parse(
        text, source, name or _stem(source), lambda parent_name: parent(parent_name).family
    ).newest()


def _parse(text: str, source: str, name: str, parent: Callable[[str], Family | None]) -> _Family:
    """Parse a profile's file; return it with the files of the profiles that it extends."""
    body = decode.parse_toml(text, source=source)
    extends = body.pop("extends", None)
    if extends is not None and not isinstance(extends, str):
        raise TourneyError(f"{source}: extends: expected the name of a profile")
    parent_layers: tuple[Layer, ...] = ()
    if extends:
        try:
            parent_profile = parent(extends)
        except TourneyError as error:
            raise TourneyError(f"{source}: extends `{extends}`: {error.message}", error.hint) from None
        parent_layers = parent_profile.layers if isinstance(parent_profile, _Family) else ()
    layer = Layer(editions=_editions(body.pop("edition", ()), source), body=MappingProxyType(body))
    return _Family(name, source, extends, (*parent_layers, layer))


def no_parent(name: str) -> Profile:
    """Raise TourneyError. Pass this as `parent` for a profile that does not extend another one."""
    raise TourneyError(f"the profile extends `{name}`, but other profiles cannot be looked up here")


def with_order(profile: Profile, codes: Sequence[str]) -> Profile:
    """Return the profile with another order of points and tie-breaks.

    Raises TourneyError if a code is unknown, or if there are no codes.
    """
    return replace(profile, order=_order(codes, f"{profile.name}: order"))


def _stem(source: str) -> str:
    return source.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".toml")


# -- Layers and editions


class Layer(Struct, frozen=True, kw_only=True):
    """The content of one standings profile's file.

    body:     key → value, as parsed from TOML, without `extends` and the editions
    editions: the `[[edition]]` tables, which change keys from a certain day on; the oldest first
    """

    body: Mapping[str, Any]
    editions: tuple[Edition, ...] = ()


class _Family(Struct, frozen=True):
    """A profile's file and the files that it extends.

    From them, `on` builds the edition of the profile that is in force on a day.
    """

    name: str
    source: str
    extends: str | None
    layers: tuple[Layer, ...]

    @property
    def editions(self) -> tuple[Edition, ...]:
        """All editions, oldest first."""
        editions = [edition for layer in self.layers for edition in layer.editions]
        return tuple(sorted(editions, key=lambda edition: edition.since))

    def newest(self) -> Profile:
        """Build every edition, so that an error in any of them is found, and return the newest."""
        days = sorted({edition.since for edition in self.editions})
        return [self.on(day) for day in days or (None,)][-1]

    def on(self, day: date | None) -> Profile:
        """Return the edition in force on `day`. Without a day, return the newest edition."""
        days = [edition.since for edition in self.editions]
        since = max((start for start in days if day is None or start <= max(day, days[0])), default=None)
        data: dict[str, Any] = {}
        for layer in self.layers:
            data = _merge(data, layer.body)
            in_force = [edition for edition in layer.editions if since is None or edition.since <= since]
            data = _merge(data, in_force[-1].changes) if in_force else data
        source = f"{self.source}: edition of {since}" if since else self.source
        profile = _build(data, name=self.name, source=source)
        return replace(profile, extends=self.extends, family=self, edition=since)


def _merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with the values of `changes` merged into it.

    Tables are merged key by key. All other values, including lists, are replaced.
    """
    table = dict(base)
    for key, value in changes.items():
        base_value = table.get(key)
        if isinstance(base_value, Mapping) and isinstance(value, Mapping):
            table[key] = _merge(base_value, value)
        else:
            table[key] = value
    return table


def _editions(entries: Any, source: str) -> tuple[Edition, ...]:
    if not isinstance(entries, list | tuple):
        raise TourneyError(f"{source}: edition: expected a list of tables (`[[edition]]`)")
    if len(entries) > decode.MAX_EDITIONS:
        raise TourneyError(f"{source}: edition: {len(entries):,} editions, at most {decode.MAX_EDITIONS}")
    editions = tuple(_edition(entry, f"{source}: edition[{at}]") for at, entry in enumerate(entries))
    for at, (earlier, later) in enumerate(pairwise(editions), start=1):
        if later.since <= earlier.since:
            place = f"{source}: edition[{at}].since"
            raise TourneyError(f"{place}: {later.since} does not come after {earlier.since}")
    return editions


def _edition(entry: Any, place: str) -> Edition:
    if not isinstance(entry, Mapping):
        raise TourneyError(f"{place}: expected a table")
    changes = dict(entry)
    since = changes.pop("since", None)
    if type(since) is not date:
        raise TourneyError(f"{place}.since: expected the first day of the edition (YYYY-MM-DD)")
    return Edition(since=since, source=str(changes.pop("source", "")), changes=MappingProxyType(changes))


# -- The keys of the file


Number = int | float | str
"""A number in a file: `3`, `0.33` (read as exactly this decimal), `"1/3"` or `"½"`."""


class _Table(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    pass


class _Outcome(_Table, frozen=True):
    points: Number
    match: Number = "points"
    games: str = "played"
    opponent: bool = True


class _Outcomes(_Table, frozen=True):
    win: _Outcome
    draw: _Outcome
    loss: _Outcome
    bye: _Outcome
    awarded_bye: _Outcome
    half_bye: _Outcome
    forfeit_win: _Outcome
    forfeit_loss: _Outcome
    double_loss: _Outcome
    absent: _Outcome


class _Percentage(_Table, frozen=True):
    floor: Number = 0
    cap: Number = 1
    cap_dropped: Number = 1
    own_floor: bool = True
    draw: Number = "1/3"
    floor_by_size: dict[str, Number] = {}


class _Scoring(_Table, frozen=True):
    by: Literal["outcome", "score"] = "outcome"
    game_win: Number = 0
    game_draw: Number = 0
    score_cap: int | None = None


class _LargeTables(_Table, frozen=True):
    win: dict[str, Number] = {}
    placement: dict[str, list[Number]] = {}
    shared: Literal["average", "higher", "lower"] = "average"


class _Drops(_Table, frozen=True):
    freeze: list[str] = []
    before_round_1: Literal["left-out", "ranked"] = "left-out"


class _Schedule(_Table, frozen=True):
    players: tuple[int, int]
    rounds: int
    cut: int


class _Printing(_Table, frozen=True):
    decimals: int = 4
    half_sign: bool = True


class _Profile(_Table, frozen=True):
    title: str
    source: str
    date: date
    order: list[str]
    outcomes: _Outcomes
    match_win: _Percentage = _Percentage()
    game_win: _Percentage = _Percentage()
    scoring: _Scoring = _Scoring()
    tables: _LargeTables = _LargeTables()
    drops: _Drops = _Drops()
    printing: _Printing = _Printing()
    notes: list[str] = []
    head_to_head: Literal["all-met", "two"] = "all-met"
    unplayed: Literal["capped-dummy", "dummy", "virtual", "as-scored"] = "capped-dummy"
    round_robin: bool = False
    strength_by: Literal["opponents", "rounds"] = "opponents"
    strength_rounds: Literal["all", "played"] = "all"
    schedule: list[_Schedule] = []


# -- From plain values to exact ones


def _build(data: Mapping[str, Any], *, name: str, source: str) -> Profile:
    """Return the profile built from `data`.

    Raises a TourneyError that names `source` and the key path.
    """
    file = decode.build(dict(data), _Profile, source=source)
    scoring, tables, decimals = file.scoring, file.tables, file.printing.decimals
    if scoring.score_cap is not None and scoring.score_cap < 0:
        raise TourneyError(f"{source}: scoring.score-cap: {scoring.score_cap} is less than 0")
    if not 0 <= decimals <= _MAX_DECIMALS:
        raise TourneyError(f"{source}: printing.decimals: {decimals} is not between 0 and {_MAX_DECIMALS}")
    return Profile(
        name=name,
        title=file.title,
        source=file.source,
        since=file.date,
        order=_order(file.order, f"{source}: order"),
        notes=tuple(file.notes),
        outcomes=_outcomes(file.outcomes, f"{source}: outcomes"),
        match_win=_percentage(file.match_win, f"{source}: match-win"),
        game_win=_percentage(file.game_win, f"{source}: game-win"),
        from_score=scoring.by == "score",
        points_per_game_win=_half_points(scoring.game_win, f"{source}: scoring.game-win"),
        points_per_game_draw=_half_points(scoring.game_draw, f"{source}: scoring.game-draw"),
        score_cap=scoring.score_cap,
        win_by_size=_by_seats(tables.win, _half_points, f"{source}: tables.win"),
        placement=_by_seats(
            tables.placement, partial(_placement, rule=tables.shared), f"{source}: tables.placement"
        ),
        head_to_head=file.head_to_head,
        frozen_codes=frozenset(_order(file.drops.freeze, f"{source}: drops.freeze", least=0)),
        rank_never_started=file.drops.before_round_1 == "ranked",
        unplayed_treatment=file.unplayed,
        round_robin=file.round_robin,
        strength_by=file.strength_by,
        strength_rounds=file.strength_rounds,
        decimals=decimals,
        half_sign=file.printing.half_sign,
        schedule=tuple(ScheduleRow(*row.players, row.rounds, row.cut) for row in file.schedule),
    )


_COUNT = re.compile("[0-9]{1,4}")
_MAX_DECIMALS = 12

# The functions below convert values. `place` is the file and the key path, for errors.


def _order(codes: Sequence[str], place: str, *, least: int = 1) -> tuple[str, ...]:
    if len(codes) < least:
        raise TourneyError(f"{place}: no tie-break is named; `PTS` alone ranks by points")
    if len(codes) > decode.MAX_TIEBREAKS:
        raise TourneyError(f"{place}: {len(codes):,} tie-breaks, at most {decode.MAX_TIEBREAKS}")
    for at, code in enumerate(codes):
        try:
            tiebreaks.find(code)
        except TourneyError as unknown:
            raise TourneyError(f"{place}[{at}]: {unknown.message}", unknown.hint) from None
    return tuple(codes)


def _share(value: Number, place: str) -> Fraction:
    number = _parse_value(parse_number, value, place)
    if not 0 <= number <= 1:
        raise TourneyError(f"{place}: {value} is not between 0 and 1")
    return number


def _half_points(value: Number, place: str) -> int:
    return _parse_value(parse_half_points, value, place)


def _parse_value(parse: Callable[[str], T], value: Number, place: str) -> T:
    """Parse a number from the file with `parse`.

    Errors begin with `place`, the file and key path of the number.

    A float is converted to a plain decimal first (`0.00001`, not `1e-05`).
    """
    text = format(Decimal(repr(value)), "f") if isinstance(value, float) else str(value)
    try:
        return parse(text)
    except TourneyError as error:
        raise TourneyError(f"{place}: {error.message}") from None


def _outcomes(table: _Outcomes, place: str) -> Mapping[Outcome, OutcomeRule]:
    win = _half_points(table.win.points, f"{place}.win.points")
    if win <= 0:
        raise TourneyError(f"{place}.win.points: a win must be worth more than 0")
    rules = {}
    for outcome in Outcome:
        entry: _Outcome = getattr(table, outcome.value.replace("-", "_"))
        points = _half_points(entry.points, f"{place}.{outcome.value}.points")
        match = None if entry.match == "skip" else Fraction(points, win)
        if entry.match not in ("skip", "points"):
            match = _share(entry.match, f"{place}.{outcome.value}.match")
        games = _games(entry.games, f"{place}.{outcome.value}.games")
        rules[outcome] = OutcomeRule(points=points, match=match, games=games, meets=entry.opponent)
    return MappingProxyType(rules)


def _games(text: str, place: str) -> Games | None:
    if text == "played":
        return None
    parts = [] if text == "none" else text.split("-")
    if len(parts) not in (0, 2, 3) or not all(_COUNT.fullmatch(part) for part in parts):
        raise TourneyError(f"{place}: `{text}` is neither `played`, `none` nor games such as `2-0`")
    wins, losses, draws = ([int(part) for part in parts] + [0, 0, 0])[:3]
    return wins, losses, draws


def _percentage(table: _Percentage, place: str) -> Percentage:
    floor = _share(table.floor, f"{place}.floor")
    cap = _share(table.cap, f"{place}.cap")
    cap_dropped = _share(table.cap_dropped, f"{place}.cap-dropped")
    if floor > min(cap, cap_dropped):
        raise TourneyError(f"{place}.floor: {table.floor} is above the cap")
    return Percentage(
        floor=floor,
        cap=cap,
        cap_dropped=cap_dropped,
        own_floor=table.own_floor,
        draw=_share(table.draw, f"{place}.draw"),
        floor_by_size=_by_seats(table.floor_by_size, _share, f"{place}.floor-by-size"),
    )


def _by_seats(values: Mapping[str, Any], convert: Callable[[Any, str], T], place: str) -> Mapping[int, T]:
    """Return a TOML table whose keys are numbers of seats, with keys and values converted.

    convert: converts one value, given the value and its place in the file

    Raises TourneyError for a key that is not a number of 2 or more.
    """
    values_by_seats = {}
    for seats, value in values.items():
        if not _COUNT.fullmatch(seats) or int(seats) < 2:
            raise TourneyError(f"{place}: `{seats}` is not a number of seats (2 or more)")
        values_by_seats[int(seats)] = convert(value, f"{place}.{seats}")
    return MappingProxyType(values_by_seats)


def _placement(values: list[Number], place: str, *, rule: str) -> Placement:
    """Return (place, number of players who share it) → the half points for each of them.

    values: the points for each place, as the file states them
    rule: the rule for players who share places: `average`, `higher` or `lower`
    """
    seats = int(place.rpartition(".")[2])
    if len(values) != seats:
        raise TourneyError(f"{place}: {len(values)} numbers of points for {seats} places")
    points = [_half_points(value, f"{place}[{at}]") for at, value in enumerate(values)]
    if points != sorted(points, reverse=True):
        raise TourneyError(f"{place}: a later place may not be worth more than an earlier one")
    return MappingProxyType(
        {
            (first + 1, count): _shared_points(points[first : first + count], rule, place)
            for first in range(seats)
            for count in range(1, seats - first + 1)
        }
    )


def _shared_points(points: list[int], rule: str, place: str) -> int:
    if rule != "average":
        return points[0] if rule == "higher" else points[-1]
    if sum(points) % len(points):
        worth = ", ".join(map(format_points, points))
        raise TourneyError(
            f"{place}: {len(points)} players can share the places worth {worth}, but their mean is not a"
            " multiple of ½",
            'set tables.shared = "higher" or "lower"',
        )
    return sum(points) // len(points)
