"""The rules and settings an event is played under: gathered from the library once, kept in the event, read back from there."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tourney.errors import TourneyError
from tourney.event.decks import lock_from
from tourney.event.entry import ALTERED, Sealing, Text, plain
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
from tourney.event.state import State
from tourney.wording import listed

if TYPE_CHECKING:
    from tourney.decks.declared_facts import Declared
    from tourney.rules.banlist import BanList
    from tourney.rules.format import Format
    from tourney.rules.ruleset import Ruleset
    from tourney.standings import Profile
    from tourney.store.data import DataFile, Library


NO_BANLIST = "none"
IMPORTED = "-imported"
"""How the name of a profile ends that came with another program's file."""

_REBASE = "`tourney event rebase` adopts the rules as they are now"
_ANEW = f"{ALTERED}; {_REBASE}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFiles:
    """Rule files as an event keeps them, each with its text."""

    kept: tuple[Kept, ...] = ()
    texts: tuple[Text, ...] = ()

    def keep(self, seal: Sealing) -> tuple[Kept, ...]:
        """Have the texts written with the entry that names the files."""
        for text in self.texts:
            seal.keep(text)
        return self.kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """Rules found in the library: the files that an event keeps, and what the organizer should know of them."""

    format: Format
    files: KeptFiles
    warnings: tuple[str, ...] = ()


class _Gathering:
    """Collects rule files, each with its text."""

    def __init__(self, library: Library, own: Mapping[str, str]) -> None:
        self.library = library
        self.own = own
        self.kept: list[Kept] = []
        self.texts: dict[Ref, Text] = {}
        self.warnings: list[str] = []

    @property
    def files(self) -> KeptFiles:
        """What was collected."""
        return KeptFiles(kept=tuple(self.kept), texts=tuple(self.texts.values()))

    def add(self, kind: str, name: str, content: bytes, day: date | None = None) -> None:
        """Keep a file."""
        text = plain(content)
        self.texts[text.ref] = text
        self.kept.append(Kept(kind=kind, name=name, text=text.ref, day=day.isoformat() if day else ""))

    def format(self, name: str) -> Format:
        """Keep a format, those it extends, and the head of its pool."""
        if name in self.own:
            from tourney.rules.loading import parse_format

            self.add("format", name, self.own[name].encode())
            return parse_format(self.own[name], source=name, parent=self.library.format)
        format_ = self.library.format(name)
        self.add("format", format_.id, self.library.find_format(name).content)
        for parent in format_.parents:
            self.add("format", parent, self.library.find_format(parent).content)
        if format_.pool in self.library.pools():
            self.add("pool", format_.pool, self.library.find_pool(format_.pool).head.encode())
        return format_

    def profile(self, name: str) -> None:
        """Keep a standings profile and those it extends."""
        from tourney.standings.profile_file import load_profile

        def read(reference: str) -> tuple[str, str]:
            if reference in self.own:
                self.add("profile", reference, self.own[reference].encode())
                return self.own[reference], reference
            file = self.library.find_profile(reference)
            self.add("profile", _short(reference), file.content)
            return file.text, file.source

        load_profile(name, read)

    def banlist(self, name: str | None, format_: Format, day: date) -> BanList | None:
        """Keep the ban list in force on `day`: the format's, or the one that was named."""
        if name == NO_BANLIST or (name is None and format_.banlist is None):
            return None
        if name is not None:
            file: DataFile | None = self.library.banlist_named(name, day)
        else:
            file = self.library.find_banlist(format_.banlist or "", day)
        if file is None:
            self.warnings.append(
                f"no ban list {format_.banlist} is installed, so decks are held against none"
                f"{f' (published at {format_.banlist_at})' if format_.banlist_at else ''}: `tourney banlist import FILE`, then"
                " `tourney event rebase`; `--banlist none` says that it is meant"
            )
            self.add("no-banlist", format_.banlist or "", (format_.banlist or "").encode())
            return None
        self.add("banlist", _short(file.name), file.content, file.day)
        return self.library.read_banlist(file)


def gather(
    library: Library,
    *,
    format_name: str,
    profile: str | None,
    banlist: str | None,
    day: date,
    own: Mapping[str, str] = MappingProxyType({}),
) -> Gathered:
    """Find format, ban list and profile in the library. own: formats and profiles that no library has, as TOML, by name.

    Raises TourneyError where one is missing or faulty, or does not fit the pool: no deck could be held against them.
    """
    from tourney.rules.proofread import refuse_misspelt
    from tourney.rules.ruleset import Ruleset

    gathering = _Gathering(library, own)
    format_ = gathering.format(format_name)
    refuse_misspelt(format_, library.pool_of(format_))
    Ruleset(format_, gathering.banlist(banlist, format_, day), library.pool_of(format_), day)
    gathering.profile(profile or format_.standings.profile)
    return Gathered(
        format=format_,
        files=gathering.files,
        warnings=tuple(gathering.warnings),
    )


def profile_files(library: Library, name: str) -> KeptFiles:
    """Find a standings profile and those it extends in the library. Raises TourneyError where there is none."""
    gathering = _Gathering(library, {})
    gathering.profile(name)
    return gathering.files


def found_today(library: Library, kept: Kept) -> bytes | None:
    """Return what the library has today under the name of a kept file; None where it has nothing of the kind."""
    try:
        match kept.kind:
            case "format":
                return library.find_format(kept.name).content
            case "profile":
                return library.find_profile(kept.name).content
            case "banlist":
                return library.banlist_file(kept.name, day_from(kept.day)).content
            case "pool":
                return library.find_pool(kept.name).head.encode()
            case "no-banlist":
                return kept.name.encode()
    except TourneyError:
        pass
    return None


def differences(old: Sequence[Kept], new: Sequence[Kept]) -> tuple[str, ...]:
    """Say which rule files are new, which have changed and which are gone."""
    before, after = (
        {(each.kind, each.name): each for each in kept if each.kind != "no-banlist"} for kept in (old, new)
    )
    changes = []
    for key in sorted({*before, *after}):
        kind, name = key
        if key not in after:
            changes.append(f"{kind} {name} no longer holds")
        elif key not in before:
            changes.append(f"{kind} {name} is new")
        elif before[key].text != after[key].text:
            day = f" ({after[key].day})" if after[key].day else ""
            changes.append(f"{kind} {name} has changed{day}")
    return tuple(changes)


def _short(name: str) -> str:
    """Return the name of a profile or list; of a file, its stem."""
    return Path(name).stem if name.endswith(".toml") else name


class KeptRules:
    """The event's own rules, read from the bytes it keeps.

    state:    the event when they were read; they hold as long as it `has_rules_of` that
    declared: what registered lists declare of cards under them, by the ref of a list's text, as far as it was asked for
    """

    def __init__(self, state: State, text: Callable[[Ref], str | None]) -> None:
        self.state = state
        self.declared: dict[Ref, tuple[Declared, ...]] = {}
        self._kept = state.rules
        self._text = text
        self._on = state.on
        self._choices = state.settings.match.choices
        self._bound: tuple[Library, Ruleset] | None = None

    @cached_property
    def day(self) -> date:
        """The day for which the ban list was picked. Raises TourneyError where the entry that says so is none."""
        return _day(self._on)

    @cached_property
    def format(self) -> Format:
        """The format."""
        from tourney.rules.loading import parse_format

        def read(name: str) -> Format:
            return parse_format(self._content("format", name), source=f"{name} (kept)", parent=read)

        return read(self._first("format"))

    def format_may_say(self, key: str) -> bool:
        """Say whether the format, or one that it extends, may have a key of that name: a look at their lines, without reading them.

        TOML may spell a letter of a key by its number; a line that begins with `#` is none, or is within a text.

        Raises TourneyError where they are damaged.
        """
        texts = [self._content("format", kept.name) for kept in self._kept if kept.kind == "format"]
        return any(re.search(rf"(?m)^(?![ \t]*#).*(?:\b{key}\b|\\[uU])", text) for text in texts)

    @property
    def may_share(self) -> bool:
        """Whether several players may use one deck. Most formats have none, and need not be read to know."""
        try:
            return self.format_may_say("shared") or self.format_may_say("at_table")
        except TourneyError:  # `event check` tells of that
            return False

    @cached_property
    def banlist(self) -> BanList | None:
        """The ban list; None where the event is played without one."""
        from tourney.rules.banlist import parse_banlist

        kept = next((each for each in self._kept if each.kind == "banlist"), None)
        if kept is None:
            return None
        content = self._content("banlist", kept.name)
        return parse_banlist(content, source=f"{kept.name} (kept)", day=_day(kept.day), name=kept.name)

    @cached_property
    def profile(self) -> Profile:
        """The standings profile, in the edition of the event's day."""
        from tourney.standings.profile_file import load_profile

        whole = load_profile(
            self._first("profile"), lambda asked: (self._content("profile", asked), f"{asked} (kept)")
        )
        return whole.on(self.day)

    def brought(self, state: State) -> dict[str, str]:
        """Return the rules that came with the file of an imported event, by name: no library has them."""
        from tourney.event.exchange import FORMAT

        names = [
            each
            for each in self._kept
            if each.name == FORMAT or (each.kind == "profile" and each.name.endswith(IMPORTED))
        ]
        return {each.name: self._content(each.kind, each.name) for each in names} if state.imported else {}

    def ruleset(self, library: Library) -> Ruleset:
        """Return the rules with the library's card pool, as decks are held against them; bound once for a library."""
        from tourney.rules.ruleset import Ruleset

        if self._bound is None or self._bound[0] is not library:
            pool = library.pool_of(self.format)
            # The organizer chose to play without one (`--banlist none`), unless the event says that it was missing.
            none = self.banlist is None and not self.state.missing_banlist
            ruleset = Ruleset(
                self.format, self.banlist, pool, self.day, self._choices, none, of_an_event=True
            )
            self._bound = library, ruleset
        return self._bound[1]

    def _first(self, kind: str) -> str:
        name = next((kept.name for kept in self._kept if kept.kind == kind), None)
        if name is None:
            raise TourneyError(f"the event keeps no {kind}", _REBASE)
        return name

    def _content(self, kind: str, name: str) -> str:
        for kept in self._kept:
            if kept.kind == kind and kept.name == name:
                try:
                    return self._text(kept.text) or ""
                except TourneyError:
                    raise TourneyError(f"the {kind} {name} that the event keeps is damaged", _ANEW) from None
        raise TourneyError(f"the event keeps no {kind} {name}", _REBASE)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise TourneyError(
            f"the entries name `{text}` as a date", "`tourney event rebase --on YYYY-MM-DD` puts it right"
        ) from None


# -- its settings: the format's own, and what the organizer asked for


LONGEST_SOURCE = 200
"""Characters in the name of a public value."""


def day_from(text: str) -> date:
    """Read a date. Raises TourneyError for what is not one."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise TourneyError(f"`{text}` is not a date", "YYYY-MM-DD, as 2026-10-04") from None


def new_settings(
    format_: Format, wanted: Mapping[str, Any], clock: Callable[[], datetime], *, played: bool = False
) -> Settings:
    """Return the settings of a new event of this format. Raises TourneyError for what is none, or will not do.

    played: its tables are those of an event that was played elsewhere, whatever sizes the format has
    """
    own = of_format(format_)
    current = settings_from({"seats": _sizes(wanted.get("seats")) or own.match.seats}, own) if played else own
    settings = settings_from(changed_settings(format_, wanted, current, clock), own)
    if settings.cut.cut_seats not in {0, *settings.match.seats} and "cut_seats" not in wanted:
        # The format's cut is for its own tables: an event with others has none of it.
        settings = settings_from(
            {"cut_seats": 0, "cut_advance": wanted.get("cut_advance", Settings().cut.cut_advance)}, settings
        )
    refuse_beyond(settings, GROUPS)
    return settings


def _names(value: object) -> object:
    """Return names as a list, where they were typed as words: `post_to=friday-discord,club`."""
    if isinstance(value, (list, tuple)):
        return value
    return [each for each in re.split(r"[,\s]+", "" if value is None else str(value)) if each]


def changed_settings(
    format_: Format, wanted: Mapping[str, Any], current: Settings, clock: Callable[[], datetime]
) -> dict[str, Any]:
    """Return what was asked for as settings: a choice of the format (`goal`) may be named like one.

    clock: a time of day is one of today, in the zone of the clock

    Raises TourneyError for what is no choice of the format, for a table of a size that its game does not have, and for an
    address where a folder or a file is named.
    """
    from tourney.rules.scoring import refuse_odd_choice

    sizes = _sizes(wanted.get("seats"))
    _refuse_other_sizes(format_, {size for size in sizes if size > 1}.difference(current.match.seats))
    choices = {key: value for key, value in wanted.items() if key in format_.settings}
    plain = {key: _flag(key, value) for key, value in wanted.items() if key not in choices}
    if sizes:
        plain["seats"] = sizes
    if isinstance(plain.get("beacon"), str):
        plain["beacon"] = _source(plain["beacon"])
    plain |= {
        key: "" for key in ("deck_lock", "publish_to", "address") if key in plain and plain[key] is None
    }
    _refuse_addresses(plain)
    plain |= {key: _names(plain[key]) for key in ("post_to",) if key in plain}
    if plain.get("system") == "round-robin" != current.pairing.system:
        plain.setdefault("left_early", "void")  # FIDE's rule; the default fits the other systems
    if isinstance(plain.get("deck_lock"), str):
        plain["deck_lock"] = lock_from(plain["deck_lock"], clock())
    if not choices and "choices" not in plain:
        return plain
    if not isinstance(plain.get("choices", {}), dict):
        raise TourneyError(
            "settings: choices: expected a table", "`--set goal=40` sets one choice of the format"
        )
    choices = {**plain.get("choices", {}), **choices}
    for name, typed in choices.items():
        value = choices[name] = format_.settings[name].value(typed) if name in format_.settings else typed
        if name not in current.match.choices or current.match.choices[name] != value:
            format_.choice(name, typed)
            decided = format_.settings[name].decides
            if decided is not None:
                plain.setdefault(decided, value)
    refuse_odd_choice(format_.match, format_.settings, choices, sizes or current.match.seats)
    return {**plain, "choices": {**current.match.choices, **choices}}


def _flag(key: str, value: Any) -> Any:
    """Return the value typed for a setting of events: `yes` and `no` where it is one or the other."""
    from tourney.rules.vocabulary import yes_or_no

    return yes_or_no(value) if isinstance(Settings().flat().get(key), bool) else value


def _refuse_addresses(wanted: Mapping[str, Any]) -> None:
    """Refuse an address where a folder is named. The message does not repeat it, as it may hold a password."""
    from tourney.store.places import in_database

    if isinstance(folder := wanted.get("publish_to"), str) and in_database(folder):
        raise TourneyError("publish_to: that is an address, a folder is wanted here")


def _sizes(typed: object) -> tuple[int, ...]:
    """Return the numbers of seats that were typed; nothing where there are none: what else was typed is refused as a setting."""
    if type(typed) is int:
        return (typed,)
    if not isinstance(typed, tuple | list) or not all(type(size) is int for size in typed):
        return ()
    return tuple(typed)


def _refuse_other_sizes(format_: Format, sizes: Collection[int]) -> None:
    """Raise TourneyError for tables of sizes that the format's game does not have."""
    seats = format_.match.seats
    first, last = (seats, seats) if isinstance(seats, int) else (seats.min, seats.max)
    others = {each for each in format_.event.pods if not first <= each <= last}
    for size in sorted({*sizes} - others):
        if first <= size <= last:
            continue
        run = str(first) if first == last else f"{first} to {last}"
        there = listed([run, *map(str, sorted(others))], "or")
        raise TourneyError(
            f"settings: seats: a table of {format_.id} has {there} seats, not {size}",
            f"others are a house rule: `tourney format new club/{format_.id.partition('/')[0]} --extends {format_.id}`,"
            " and `seats` in its `[match]`",
        )


def _source(named: str) -> str:
    """Return the name of a public value, blanks made one. Raises TourneyError for what cannot be printed."""
    source = " ".join(named.split())
    if len(source) > LONGEST_SOURCE or not source.isprintable():
        raise TourneyError(
            f"the source of a public value is named in up to {LONGEST_SOURCE} printable characters",
            'as `--beacon "drand quicknet, round 14412000"`',
        )
    return source


def of_format(format_: Format) -> Settings:
    """Return the settings that a format itself asks for."""
    match = format_.match
    sizes: tuple[int, ...]
    if format_.event.pods:
        sizes = format_.event.pods
    elif isinstance(match.seats, int):
        sizes = (match.seats,)
    else:
        sizes = tuple(range(match.seats.min, match.seats.max + 1))
    from tourney.rules.vocabulary import USUAL_MINUTES, CutFile

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
