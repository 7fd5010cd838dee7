"""The rules an event is played under: gathered from the library once, kept in the event, read back from there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from tourney.errors import TourneyError
from tourney.event.entry import ALTERED
from tourney.event.parts import Kept, Ref
from tourney.event.state import State
from tourney.event.texts import Text, plain
from tourney.store.data import Found, Library

if TYPE_CHECKING:
    from tourney.decks import Decklist
    from tourney.rules import BanList, Format
    from tourney.standings import Profile

NO_BANLIST = "none"
_REBASE = "`tourney event rebase` adopts the rules as they are now"
_ANEW = f"{ALTERED}; {_REBASE}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """Rules found in the library: what an event keeps of them, the texts, and what should be said."""

    format: Format
    kept: tuple[Kept, ...]
    texts: tuple[Text, ...]
    warnings: tuple[str, ...] = ()


class Gathering:
    """Collects rule files, each with its text."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.kept: list[Kept] = []
        self.texts: dict[Ref, Text] = {}
        self.warnings: list[str] = []

    def add(self, kind: str, name: str, content: bytes, day: date | None = None) -> None:
        """Keep a file."""
        text = plain(content)
        self.texts[text.ref] = text
        self.kept.append(Kept(kind=kind, name=name, text=text.ref, day=day.isoformat() if day else ""))

    def format(self, name: str) -> Format:
        """Keep a format, those it extends, and the head of its pool."""
        found = self.library.format(name)
        self.add("format", found.id, self.library.find_format(name).content)
        for elder in found.parents:
            self.add("format", elder, self.library.find_format(elder).content)
        if found.pool in self.library.pools():
            self.add("pool", found.pool, self.library.find_pool(found.pool).head.encode())
        return found

    def profile(self, name: str) -> None:
        """Keep a standings profile and those it extends."""
        from tourney.standings import load_profile

        def read(asked: str) -> tuple[str, str]:
            found = self.library.find_profile(asked)
            self.add("profile", _short(asked), found.content)
            return found.text, found.source

        load_profile(name, read)

    def banlist(self, name: str | None, format_: Format, day: date) -> BanList | None:
        """Keep the ban list in force on `day`: the format's, or the one that was named."""
        wanted = name or format_.banlist
        if wanted is None or wanted == NO_BANLIST:
            return None
        found = self._file(wanted) if wanted.endswith(".toml") else self.library.find_banlist(wanted, day)
        if found is None and name is not None:
            raise TourneyError(
                f"no ban list `{wanted}` is in force on {day}", "`tourney banlist list` shows those installed"
            )
        if found is None:
            self.warnings.append(
                f"no ban list {wanted} is installed, so decks are held against none"
                f"{f' (published at {format_.banlist_at})' if format_.banlist_at else ''}: `tourney banlist import FILE`, then"
                " `tourney event rebase`; `--banlist none` says that it is meant"
            )
            return None
        self.add("banlist", _short(found.name), found.content, found.day)
        return self.library.read_banlist(found)

    def _file(self, path: str) -> Found:
        from tourney.store.data import day_of
        from tourney.store.roots import read_bytes

        place = Path(path)
        return Found(place.stem, place, read_bytes(place), day_of(place))


def gather(
    library: Library, *, format_name: str, profile: str | None, banlist: str | None, day: date
) -> Gathered:
    """Find format, ban list and profile in the library.

    Raises TourneyError where one is missing or faulty, or does not fit the pool: no deck could be held against them.
    """
    from tourney.rules import Ruleset
    from tourney.rules.proofread import refuse_misspelt

    gathering = Gathering(library)
    format_ = gathering.format(format_name)
    refuse_misspelt(format_, library.pool_of(format_))
    Ruleset(format_, gathering.banlist(banlist, format_, day), library.pool_of(format_), day)
    gathering.profile(profile or format_.standings.profile)
    return Gathered(
        format=format_,
        kept=tuple(gathering.kept),
        texts=tuple(gathering.texts.values()),
        warnings=tuple(gathering.warnings),
    )


def _short(name: str) -> str:
    """Return the name of a profile or list; of a file, its stem."""
    return Path(name).stem if name.endswith(".toml") else name


class _Named(msgspec.Struct):
    """By what a card line may be meant."""

    name: str
    id: str = ""
    aliases: tuple[str, ...] = ()


class KeptRules:
    """The event's own rules, read from the bytes it keeps."""

    def __init__(self, state: State, text: Callable[[Ref], str | None]) -> None:
        self._kept = state.rules
        self._text = text
        self._on = state.on

    @cached_property
    def day(self) -> date:
        """The day for which the ban list was picked. Raises TourneyError where the entry that says so is none."""
        return _day(self._on)

    @cached_property
    def format(self) -> Format:
        """The format."""
        from tourney.rules import parse_format

        def read(name: str) -> Format:
            return parse_format(self._content("format", name), source=f"{name} (kept)", parent=read)

        return read(self._first("format"))

    @cached_property
    def banlist(self) -> BanList | None:
        """The ban list; None where the event is played without one."""
        from tourney.rules import parse_banlist

        kept = next((each for each in self._kept if each.kind == "banlist"), None)
        if kept is None:
            return None
        content = self._content("banlist", kept.name)
        return parse_banlist(content, source=f"{kept.name} (kept)", day=_day(kept.day), name=kept.name)

    @cached_property
    def profile(self) -> Profile:
        """The standings profile, in the edition of the event's day."""
        from tourney.standings import load_profile

        whole = load_profile(
            self._first("profile"), lambda asked: (self._content("profile", asked), f"{asked} (kept)")
        )
        return whole.on(self.day)

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
            f"the entries name `{text}` as a day", "`tourney event rebase --on YYYY-MM-DD` puts it right"
        ) from None


def pool_lines(library: Library, pool: str, decklist: Decklist) -> str | None:
    """Return the pool's lines for the cards a list names, as they are now; None where there are none."""
    from tourney.cards.names import fold

    if pool not in library.pools():
        return None
    lines = [*decklist.lines, *(words.line for words in decklist.words if words.card)]
    wanted = {fold(reading.name) for line in lines for reading in line.readings}
    wanted |= {fold(line.code) for line in lines if line.code}
    head = msgspec.json.Decoder(_Named).decode
    found = []
    for content in library.find_pool(pool).sets.values():
        for line in filter(None, content.splitlines()):
            card = head(line)
            if wanted.intersection(map(fold, (card.name, card.id, *card.aliases))):
                found.append(line.decode())
    return "\n".join(found) + "\n" if found else None
