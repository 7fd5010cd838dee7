"""JSON documents of standings profiles, and of cuts under several of them."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from tourney.document import Document, or_unset
from tourney.record import PlayerId
from tourney.standings.exact import Value, json_value
from tourney.standings.profile import Profile
from tourney.standings.ranking import Comparison
from tourney.standings.reading import Name
from tourney.standings.tiebreaks import find


class ExactValue(msgspec.Struct, frozen=True, kw_only=True):
    """A value as a decimal and as a fraction.

    value: the value, or the nearest decimal; null if there is no value
    exact: the value as a fraction or a whole number; null if there is no value
    """

    value: int | float | None
    exact: str | None


def value_fields(value: Value) -> dict[str, Any]:
    """Return the fields that every `ExactValue` has."""
    return {"value": json_value(value), "exact": None if value is None else str(value)}


class EditionRow(msgspec.Struct, frozen=True):
    """An edition of a profile.

    since: the day from which the edition is in force
    source: the document that defines the edition
    """

    since: datetime.date
    source: str


class TiebreakRow(msgspec.Struct, frozen=True):
    """A tie-break of a profile.

    code: its code, such as `OMW`
    name: its name
    source: the document that defines the tie-break
    lower_is_better: whether a lower value ranks higher
    """

    code: str
    name: str
    source: str
    lower_is_better: bool


class ProfileSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A standings profile.

    name: its name, as in `--profile mtr`
    title: whose rules the profile contains
    source: the document that defines these rules
    date: the date of that document
    extends: the profile that this one extends; null if it does not extend a profile
    edition: the day from which this edition is in force; null if the profile has no editions
    editions: all its editions, the oldest first
    order: the codes by which players are ranked, in order
    points: the points of each outcome
    notes: remarks about the profile, in sentences
    """

    name: str
    title: str
    source: str
    date: datetime.date
    extends: str | None
    edition: datetime.date | None
    editions: tuple[EditionRow, ...]
    order: tuple[TiebreakRow, ...]
    points: Mapping[str, int | float | None]
    notes: tuple[str, ...]


class ShownProfile(Document, ProfileSummary, frozen=True, tag="tourney.standings-profile/1"):
    """What `tourney standings profiles NAME --json` prints."""


class ProfileList(Document, frozen=True, tag="tourney.standings-profiles/1"):
    """What `tourney standings profiles --json` prints.

    profiles: all standings profiles
    """

    profiles: tuple[ProfileSummary, ...]


class ProfileCut(msgspec.Struct, frozen=True):
    """The cut under a profile.

    profile: the name of the profile
    edition: the day from which its edition is in force; null if the profile has no editions
    through: names of the players who make the cut, in order
    level: names of the players who are tied at the cut line
    places: how many of the tied players can make the cut
    """

    profile: str
    edition: datetime.date | None
    through: tuple[Name, ...]
    level: tuple[Name, ...]
    places: int


class CutComparison(Document, frozen=True, kw_only=True, tag="tourney.standings-compare/1"):
    """What `tourney standings compare PROFILE PROFILE --json` prints.

    cut: the size of the cut
    provisional: whether tables are still playing
    as_of: which results are counted, in words
    at: the entry after which the event is shown; left out for the current state
    always: names of the players who make the cut under every profile
    sometimes: names of the players who make the cut under only some profiles, or are tied at the cut line
    profiles: the cut under each profile
    """

    cut: int
    provisional: bool
    as_of: str
    at: int | UnsetType = UNSET
    always: tuple[Name, ...]
    sometimes: tuple[Name, ...]
    profiles: tuple[ProfileCut, ...]


def profile_summary(profile: Profile) -> ProfileSummary:
    """Return a profile with its tie-breaks."""
    return ProfileSummary(
        name=profile.name,
        title=profile.title,
        source=profile.source,
        date=profile.since,
        extends=profile.extends,
        edition=profile.edition,
        editions=tuple(EditionRow(edition.since, edition.source) for edition in profile.editions),
        order=tuple(
            TiebreakRow(code, find(code).name, find(code).source, find(code).low) for code in profile.order
        ),
        points={outcome.value: json_value(profile.points_of(outcome)) for outcome in profile.outcomes},
        notes=profile.notes,
    )


def shown_profile(profile: Profile) -> ShownProfile:
    """Return a profile as a document."""
    return ShownProfile(**msgspec.structs.asdict(profile_summary(profile)))


def cut_comparison(
    comparison: Comparison, names: Mapping[PlayerId, Name], *, as_of: str, at: int | None
) -> CutComparison:
    """Return the cuts under several profiles as a document.

    as_of: which results are counted, in words
    at:    the entry of an earlier state, or None
    """

    def named(players: tuple[PlayerId, ...]) -> tuple[Name, ...]:
        return tuple(names[player] for player in players)

    return CutComparison(
        cut=comparison.size,
        provisional=bool(comparison.cuts[0].standings.playing),
        as_of=as_of,
        at=or_unset(at),
        always=named(comparison.always),
        sometimes=named(comparison.sometimes),
        profiles=tuple(
            ProfileCut(
                profile=cut.standings.profile.name,
                edition=cut.standings.profile.edition,
                through=named(cut.through),
                level=named(cut.level),
                places=cut.places,
            )
            for cut in comparison.cuts
        ),
    )
