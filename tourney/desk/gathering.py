"""Collect an event's rule files and settings, from the library and the organizer.

The format, the profile, the ban list and the `pool.toml` of the card pool are copied into the event. Later
changes to the library therefore do not affect the event. An event has the settings of its format until the
organizer changes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tourney.desk.rules import day_from
from tourney.errors import TourneyError
from tourney.event.decks import lock_from
from tourney.event.entry import Sealing, Text, plain
from tourney.event.ops import Kept, Ref
from tourney.event.settings import (
    GROUPS,
    CutSettings,
    DeckSettings,
    MatchSettings,
    PairingSettings,
    Settings,
    refuse_beyond,
    settings_from,
)
from tourney.rules.banlist import BanList
from tourney.rules.format import Format
from tourney.rules.loading import parse_format
from tourney.rules.proofread import refuse_misspelt
from tourney.rules.ruleset import Ruleset
from tourney.rules.scoring import refuse_odd_choice
from tourney.rules.vocabulary import USUAL_MINUTES, CutFile, yes_or_no
from tourney.standings import Profile
from tourney.standings.profile_file import load_profile
from tourney.store.data import Library
from tourney.store.places import in_database
from tourney.wording import listed

NO_BANLIST = "none"
"""The name that means playing without a ban list."""


class RuleFiles:
    """The rule files of an event, collected from the library and from `overrides`.

    overrides: formats and profiles that the caller provides, used instead of the library's: name → TOML
    files:     for each file, its kind, its name, its day and the ref of its text
    texts:     ref → text of a file
    warnings:  sentences about a ban list that is not installed
    """

    def __init__(self, library: Library, overrides: Mapping[str, str] = MappingProxyType({})) -> None:
        self.library = library
        self.overrides = overrides
        self.files: list[Kept] = []
        self.texts: dict[Ref, Text] = {}
        self.warnings: list[str] = []

    def keep(self, seal: Sealing) -> tuple[Kept, ...]:
        """Pass the texts of the rule files to `seal`, which stores them with the entry.

        Returns the files.
        """
        for text in self.texts.values():
            seal.keep(text)
        return tuple(self.files)

    def add(self, kind: str, name: str, content: bytes, day: date | None = None) -> None:
        """Add a file."""
        text = plain(content)
        self.texts[text.ref] = text
        self.files.append(Kept(kind=kind, name=name, text=text.ref, day=day.isoformat() if day else ""))

    def add_format(self, name: str) -> Format:
        """Add a format, the formats that it extends, and the `pool.toml` of its card pool."""
        if name in self.overrides:
            self.add("format", name, self.overrides[name].encode())
            return parse_format(self.overrides[name], source=name, parent=self.library.format)
        format_ = self.library.format(name)
        self.add("format", format_.id, self.library.find_format(name).content)
        for parent in format_.parents:
            self.add("format", parent, self.library.find_format(parent).content)
        if format_.pool in self.library.pools():
            self.add("pool", format_.pool, self.library.find_pool(format_.pool).head.encode())
        return format_

    def add_profile(self, name: str) -> Profile:
        """Add and return a standings profile, with the profiles that it extends."""

        def read(reference: str) -> tuple[str, str]:
            if reference in self.overrides:
                self.add("profile", reference, self.overrides[reference].encode())
                return self.overrides[reference], reference
            file = self.library.find_profile(reference)
            self.add("profile", _short(reference), file.content)
            return file.text, file.source

        return load_profile(name, read)

    def add_banlist(self, name: str | None, format_: Format, day: date) -> BanList | None:
        """Add and return the ban list `name` in force on `day`; without a name, the format's list.

        Returns None, with a warning, if the format's list is not installed.
        """
        format_banlist = format_.banlist
        if name == NO_BANLIST or (name is None and format_banlist is None):
            return None
        if name is None:
            file = self.library.find_banlist(format_banlist or "", day)
        else:
            file = self.library.banlist_named(name, day)
        if file is not None:
            self.add("banlist", _short(file.name), file.content, file.day)
            return self.library.read_banlist(file)
        source_note = f" (it is published at {format_.banlist_at})" if format_.banlist_at else ""
        self.warnings.append(
            f"no ban list {format_banlist} is installed{source_note}, so decks are checked without one;"
            " to add it: `tourney banlist import FILE`, then `tourney event rebase`"
        )
        self.add("no-banlist", format_banlist or "", (format_banlist or "").encode())
        return None


def gather(
    library: Library,
    *,
    format_name: str,
    profile: str | None,
    banlist: str | None,
    day: date,
    overrides: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Format, Profile, RuleFiles]:
    """Return an event's format and profile, and the files of all its rules, from the library.

    overrides: formats and profiles that are not in the library: name → TOML

    Raises TourneyError if a file is missing or faulty, or does not fit the card pool. No deck could be
    checked with such a file.
    """
    files = RuleFiles(library, overrides)
    format_ = files.add_format(format_name)
    refuse_misspelt(format_, library.pool_of(format_))
    Ruleset(format_, files.add_banlist(banlist, format_, day), library.pool_of(format_), day)
    return format_, files.add_profile(profile or format_.standings.profile).on(day), files


def installed_version(library: Library, file: Kept) -> bytes | None:
    """Return the installed version of an event's rule file; None if it is not installed.

    The file is found by its kind and name; a ban list also by its day. For a pool, the result is the text of
    its `pool.toml`; for `no-banlist`, it is the name.
    """
    try:
        match file.kind:
            case "format":
                return library.find_format(file.name).content
            case "profile":
                return library.find_profile(file.name).content
            case "banlist":
                return library.banlist_file(file.name, day_from(file.day)).content
            case "pool":
                return library.find_pool(file.name).head.encode()
            case "no-banlist":
                return file.name.encode()
    except TourneyError:
        pass
    return None


def differences(old: Sequence[Kept], new: Sequence[Kept]) -> tuple[str, ...]:
    """Return a message for each difference between an event's old rule files and its new ones."""
    before, after = (
        {(file.kind, file.name): file for file in files if file.kind != "no-banlist"} for files in (old, new)
    )
    changes = []
    for key in sorted({*before, *after}):
        kind, name = key
        if key not in after:
            changes.append(f"{kind} {name} is no longer used")
        elif key not in before:
            changes.append(f"{kind} {name} is used from now on")
        elif before[key].text != after[key].text:
            day = f" ({after[key].day})" if after[key].day else ""
            changes.append(f"{kind} {name} has changed{day}")
    return tuple(changes)


def _short(name: str) -> str:
    """Return the name of a standings profile or a ban list. For a file, this is its stem."""
    return Path(name).stem if name.endswith(".toml") else name


# -- settings: those of the format, and the organizer's


LONGEST_SOURCE = 200
"""The maximum number of characters in the setting `beacon`, which names the public value."""


def new_settings(
    format_: Format, values: Mapping[str, Any], clock: Callable[[], datetime], *, was_played: bool = False
) -> Settings:
    """Return the settings of a new event with this format.

    Raises TourneyError for unknown or unusable settings.

    was_played: whether the event was played elsewhere; then its tables can have sizes that the format does
        not allow
    """
    format_settings = settings_of_format(format_)
    current = (
        settings_from({"seats": _sizes(values.get("seats")) or format_settings.match.seats}, format_settings)
        if was_played
        else format_settings
    )
    settings = settings_from(changed_settings(format_, values, current, clock), format_settings)
    if settings.cut.cut_seats not in {0, *settings.match.seats} and "cut_seats" not in values:
        # The format's cut is for the format's table sizes. An event with other sizes does not have it.
        settings = settings_from(
            {"cut_seats": 0, "cut_advance": values.get("cut_advance", Settings().cut.cut_advance)}, settings
        )
    refuse_beyond(settings, GROUPS)
    return settings


def changed_settings(
    format_: Format, values: Mapping[str, Any], current: Settings, clock: Callable[[], datetime]
) -> dict[str, Any]:
    """Return the settings in `values`, parsed, and the settings that follow from them.

    values: setting → value, as the user entered it; settings of the format, such as `goal`, can be included
    clock:  completes a time of day with today's date and the zone

    Raises TourneyError for an unknown setting or value of the format, for a table size that the game does
    not have, and if `publish_to` is not a folder but the address of a database.
    """
    sizes = _sizes(values.get("seats"))
    _refuse_other_sizes(format_, {size for size in sizes if size > 1}.difference(current.match.seats))
    choices = {key: value for key, value in values.items() if key in format_.settings}
    event_settings = {
        key: _parse_setting(key, value, clock) for key, value in values.items() if key not in choices
    }
    if event_settings.get("system") == "round-robin" != current.pairing.system:
        # FIDE's rule for round robins; the default is for other systems.
        event_settings.setdefault("left_early", "void")
    if not choices and "choices" not in event_settings:
        return event_settings
    if not isinstance(event_settings.get("choices", {}), dict):
        raise TourneyError(
            "settings: choices: expected a table", "`--set goal=40` sets one choice of the format"
        )
    return _with_choices(format_, event_settings, {**event_settings.get("choices", {}), **choices}, current)


def _parse_setting(key: str, value: Any, clock: Callable[[], datetime]) -> Any:
    """Return the value of a setting, parsed from text.

    A value of a wrong type is returned as it is, and refused later. Raises TourneyError for text that cannot
    be parsed or is not allowed.
    """
    match key:
        case "seats":
            return _sizes(value) or value
        case "post_to" if not isinstance(value, list | tuple):  # `friday-discord,club`
            return re.findall(r"[^,\s]+", "" if value is None else str(value))
        case "deck_lock" | "publish_to" | "address" if value is None:
            return ""
        case "deck_lock" if isinstance(value, str):
            return lock_from(value, clock())
        case "beacon" if isinstance(value, str):
            source = " ".join(value.split())
            if len(source) > LONGEST_SOURCE or not source.isprintable():
                raise TourneyError(
                    f"the source of a public value has at most {LONGEST_SOURCE} printable characters",
                    'for example `--beacon "drand quicknet, round 14412000"`',
                )
            return source
        case "publish_to" if isinstance(value, str) and in_database(value):
            # The message does not quote the address: it may have a password.
            raise TourneyError("publish_to: expected a folder, found an address")
        case _:
            return yes_or_no(value) if isinstance(Settings().flat().get(key), bool) else value


def _with_choices(
    format_: Format, event_settings: Mapping[str, Any], choices: dict[str, Any], current: Settings
) -> dict[str, Any]:
    """Return `event_settings` with the format's settings, parsed, under the key `choices`.

    If a setting of the format changes, it can also set one of the event's own settings
    (`SettingFile.decides`), unless `event_settings` sets that one.

    event_settings: the event's own settings, already parsed
    choices:        settings of the format, as the user entered them; the others are kept from `current`
    """
    implied_settings: dict[str, Any] = {}
    for name, text in choices.items():
        value = choices[name] = format_.settings[name].value(text) if name in format_.settings else text
        if name not in current.match.choices or current.match.choices[name] != value:
            format_.choice(name, text)
            if (key := format_.settings[name].decides) is not None:
                implied_settings.setdefault(key, value)
    refuse_odd_choice(
        format_.match, format_.settings, choices, _sizes(event_settings.get("seats")) or current.match.seats
    )
    return {**implied_settings, **event_settings, "choices": {**current.match.choices, **choices}}


def _sizes(value: object) -> tuple[int, ...]:
    """Return the table sizes in the value of a setting.

    The result is empty if the value is neither a size nor a list of sizes. Such a value is refused later,
    except None, which means that the setting is not given.
    """
    if type(value) is int:
        return (value,)
    if not isinstance(value, tuple | list) or not all(type(size) is int for size in value):
        return ()
    return tuple(value)


def _refuse_other_sizes(format_: Format, sizes: Collection[int]) -> None:
    """Raise TourneyError for table sizes that the format's game does not have."""
    seats = format_.match.seats
    first, last = (seats, seats) if isinstance(seats, int) else (seats.min, seats.max)
    extra_sizes = {size for size in format_.event.pods if not first <= size <= last}
    for size in sorted({*sizes} - extra_sizes):
        if first <= size <= last:
            continue
        size_range = str(first) if first == last else f"{first} to {last}"
        allowed_sizes = listed([size_range, *map(str, sorted(extra_sizes))], "or")
        raise TourneyError(
            f"settings: seats: a table of {format_.id} has {allowed_sizes} seats, not {size}",
            f"to allow others, make a format: `tourney format new club/{format_.id.partition('/')[0]} "
            f"--extends {format_.id}`,"
            " and set `seats` in its `[match]`",
        )


def settings_of_format(format_: Format) -> Settings:
    """Return the settings of a format."""
    match = format_.match
    sizes: tuple[int, ...]
    if format_.event.pods:
        sizes = format_.event.pods
    elif isinstance(match.seats, int):
        sizes = (match.seats,)
    else:
        sizes = tuple(range(match.seats.min, match.seats.max + 1))
    cut = format_.event.cut
    return Settings(
        match=MatchSettings(
            best_of=match.games,
            seats=sizes,
            sides=match.sides,
            draws=match.draws,
            drawn_game=match.drawn_game or ("" if match.draws else "none"),
            minutes=USUAL_MINUTES if match.minutes is None else match.minutes,
        ),
        pairing=PairingSettings(system="swiss" if sizes == (2,) else "pods"),
        cut=CutSettings(cut_seats=cut.seats, cut_advance=cut.advance)
        if isinstance(cut, CutFile)
        else CutSettings(),
        decks=DeckSettings(lists=format_.event.lists),
    )
