"""A profile's file: TOML text becomes a checked `Profile`, the parent it extends merged in first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from tourney import door
from tourney.errors import TourneyError
from tourney.standings import profile_schema as schema
from tourney.standings.profile import Edition, Layer, Profile

Parent = Callable[[str], Profile]


def parse_profile(text: str, *, source: str, parent: Parent, name: str | None = None) -> Profile:
    """Read a profile from TOML `text`.

    source: names the file in messages; its last part without `.toml` is the profile's name unless `name` says it
    parent: gives the profile that `extends` names (`no_parent` where there is none)

    The result is the newest edition; `Profile.on(day)` gives another. Every edition is checked here, so that a wrong
    one does not wait for its day. Raises TourneyError with file and key path: an unknown key or tie-break, a floor
    outside 0 to 1, points that are no multiple of ½, editions out of order …
    """
    own = door.parse_toml(text, source=source)
    extends = own.pop("extends", None)
    if extends is not None and not isinstance(extends, str):
        raise TourneyError(f"{source}: extends: expected the name of a profile")
    elder = _elder(extends, source, parent).layers if extends else ()
    layer = Layer(editions=_editions(own.pop("edition", ()), source), body=MappingProxyType(own))
    family = _Family(name or _stem(source), source, extends, (*elder, layer))
    for since in family.days():
        family.on(since)
    return family.on(None)


def _elder(name: str, source: str, parent: Parent) -> Profile:
    try:
        return parent(name)
    except TourneyError as fault:
        raise TourneyError(f"{source}: extends `{name}`: {fault.message}", fault.hint) from None


def no_parent(name: str) -> Profile:
    """Refuse: the parent for files that stand alone."""
    raise TourneyError(f"the profile extends `{name}`, and there is no place here to look for it")


def with_order(profile: Profile, codes: Sequence[str]) -> Profile:
    """Return the profile with another order of tie-breaks. Raises TourneyError for an unknown code or none at all."""
    return replace(profile, order=schema.checked_order(codes, source=profile.name))


def load_profile(name: str, read: Callable[[str], tuple[str, str]]) -> Profile:
    """Read the profile `name` and its parents. `read(name)` gives (text, source) of one; it raises if there is none.

    Raises TourneyError as `parse_profile` does, and for profiles that extend each other in a circle.
    """
    return _load(name, read, ())


def _load(name: str, read: Callable[[str], tuple[str, str]], children: tuple[str, ...]) -> Profile:
    text, source = read(name)
    if name in children:
        circle = " → ".join([*children, name])
        raise TourneyError(f"{source}: extends: a circle of profiles: {circle}")
    return parse_profile(
        text, source=source, parent=lambda parent: _load(parent, read, (*children, name)), name=_stem(name)
    )


def edition_on(profile: Profile, day: date | None) -> Profile:
    """Return the edition of `profile` in force on `day` (None: the newest; before the first: the first)."""
    return _Family(profile.name, profile.name, profile.extends, profile.layers).on(day)


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
        since = max((known for known in days if day is None or known <= day), default=None)
        data: dict[str, Any] = {}
        for layer in self.layers:
            data = _merge(data, layer.body)
            current = [edition for edition in layer.editions if since is None or edition.since <= since]
            data = _merge(data, current[-1].changes) if current else data
        place = f"{self.source}: edition of {since}" if since else self.source
        made = schema.profile_of(data, name=self.name, source=place)
        return replace(made, extends=self.extends, layers=self.layers, edition=since)


def _editions(entries: Any, source: str) -> tuple[Edition, ...]:
    if not isinstance(entries, list | tuple):
        raise TourneyError(f"{source}: edition: expected a list of tables (`[[edition]]`)")
    if len(entries) > door.MOST_EDITIONS:
        raise TourneyError(f"{source}: edition: {len(entries):,} editions, at most {door.MOST_EDITIONS}")
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
