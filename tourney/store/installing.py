"""Putting ban lists and card pools into the data folder: looked at first, refused where they look wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from tourney.cards.card import Attribute, Schema, parse_schema
from tourney.cards.importing import SHAPES, ImportedCards, Shape, import_cards, read_table
from tourney.cards.lint import lint_pool
from tourney.cards.names import fold
from tourney.cards.pool import Pool, open_pool, parse_pool, slug
from tourney.decode import parse_toml
from tourney.errors import Severity, TourneyError
from tourney.rules.banlist import BanList, Change, changes, objections, parse_banlist
from tourney.store.checking import unknown_cards
from tourney.store.data import Library
from tourney.store.files import decoded, read_bytes, replace_file, replace_folder, shown
from tourney.store.pasted import pasted_cards

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)+\Z", re.ASCII)
_GAME = re.compile(r"[a-z0-9][a-z0-9-]*\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class InstalledList:
    """A ban list that was put in place. already: it stood there, byte for byte; overruled: what --accept let pass."""

    name: str
    banlist: BanList
    path: Path
    before: BanList | None
    changes: tuple[Change, ...]
    already: bool = False
    overruled: tuple[str, ...] = ()


def install_banlist(
    library: Library, name: str, day: date, text: str, *, source: str, accept: bool = False
) -> InstalledList:
    """Put a ban list into the data folder as `name` (`game/list`), in force from `day`.

    It is read first, and refused unless `accept` where it is empty, shrinks by more than a third, names cards that a
    complete pool does not have, is older than the newest one installed, or belongs to an unknown game. Raises TourneyError.
    """
    if not _NAME.match(name):
        raise TourneyError(f"`{name}` cannot name a ban list", "a game and a list, as `red-diamond/standard`")
    new = parse_banlist(text, source=source, day=day, name=name)
    path = library.home.banlists / name / f"{day.isoformat()}.toml"
    present = library.find_banlist(name, day) if name in library.banlist_names() else None
    before = library.read_banlist(present) if present else None
    if present and present.day == day and present.path == path and present.text == text:
        return InstalledList(name, new, path, before, (), already=True)
    against = _objections(library, name, new)
    if against and not accept:
        raise TourneyError(
            f"{source}: not taken as {name} of {day}: {'; '.join(against)}",
            "check it, then add `--accept` to take it anyway",
        )
    replace_file(path, text.encode())
    return InstalledList(name, new, path, before, changes(before, new), overruled=against)


def _objections(library: Library, name: str, new: BanList) -> tuple[str, ...]:
    game = name.partition("/")[0]
    games = known_games(library)
    if game not in games:
        return (f"there is no game `{game}`; there are {', '.join(sorted(games))}", *objections(new, ()))
    unknown = unknown_cards(library, game, new) if game in library.pools() else ()
    days = library.banlist_days(name) if name in library.banlist_names() else ()
    installed = [library.read_banlist(library.banlist_file(name, day)) for day in days]
    return objections(new, installed, unknown)


def list_and_day(library: Library, path: str, name: str | None, day: date | None) -> tuple[str, date]:
    """Return the name and the day of a ban list: as said, else read off `…/game/list/2026-01-31.toml`.

    path: of the file, or of its address. The folders say which list it is below a `banlists/`, or where the game is
    one that is known here. Raises TourneyError where neither says it.
    """
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    if day is None:
        try:
            day = date.fromisoformat(parts[-1].rpartition(".")[0] if parts else "")
        except ValueError:
            raise TourneyError(
                f"{path}: its name does not say when the list takes effect",
                "add `--from 2026-01-31`",
            ) from None
    name = name or _name_of(library, parts[:-1])
    if name is None:
        raise TourneyError(f"{path}: its folder does not say which list it is", "add `--as game/list`")
    return name, day


def _name_of(library: Library, folders: list[str]) -> str | None:
    if "banlists" in folders:
        below = "/".join(folders[len(folders) - folders[::-1].index("banlists") :])
        return below if _NAME.match(below) else None
    last = "/".join(folders[-2:])
    return last if _NAME.match(last) and folders[-2] in known_games(library) else None


def known_games(library: Library) -> frozenset[str]:
    """Return the games that have a pool or a format."""
    return frozenset(each.partition("/")[0] for each in (*library.pools(), *library.formats()))


# -- pools


@dataclass(frozen=True, slots=True)
class InstalledPool:
    """A pool that was put in place. had: how many cards it had before, None where there was none."""

    pool: Pool
    path: Path
    had: int | None
    overruled: tuple[str, ...] = ()


def install_pool(
    library: Library, game: str, head: str, sets: Mapping[str, bytes], *, source: str, accept: bool = False
) -> InstalledPool:
    """Put a whole pool into the data folder, in place of the one that was there.

    It is proofread first; faults refuse it always. Unless `accept` it is refused, too, where it is empty or shrinks by
    more than a third. Raises TourneyError.
    """
    if not _GAME.match(game):
        raise TourneyError(
            f"`{game}` cannot name a game", "small letters, digits and hyphens, as `red-diamond`"
        )
    faults = [each for each in lint_pool(head, sets, source=source) if each.severity is Severity.ERROR]
    if faults:
        more = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
        raise TourneyError(f"{source}: {faults[0].message.removeprefix(f'{source}: ')}{more}")
    pool = parse_pool(head, sets, source=source)
    if pool.game != game:
        raise TourneyError(f"{source}: a pool of `{pool.game}`, not of `{game}`")
    had = len(library.pool(game)) if game in library.pools() else None
    against = _shrinking(len(pool), had)
    if against and not accept:
        raise TourneyError(
            f"{source}: not taken as the pool of {game}: {'; '.join(against)}",
            "check it, then add `--accept` to take it anyway",
        )
    folder = library.home.cardpools / game
    files = {"pool.toml": head.encode(), **{f"{code}.jsonl": text for code, text in sets.items()}}
    replace_folder(folder, files)
    return InstalledPool(pool, folder, had, against)


def _shrinking(new: int, had: int | None) -> tuple[str, ...]:
    if not new:
        return ("it is empty",)
    return (f"it shrinks from {had} cards to {new}",) if had is not None and 3 * new < 2 * had else ()


# -- A new ban list as a file to be looked at: complete, made from the one in force


@dataclass(frozen=True, slots=True)
class BanListDraft:
    """A list `name` (`game/list`) for a day.

    changes: card → copies allowed; free: cards to be taken off; pasted: lines of names (`Card` bans, `1 Card`
    restricts), instead of what the list in force says of cards; pasted_from: their file, for messages
    """

    name: str
    day: date
    changes: Mapping[str, int] = field(default_factory=dict)
    free: Sequence[str] = ()
    pasted: str = ""
    pasted_from: str = ""
    source: str = ""

    def text(self, library: Library) -> str:
        """Return the file's text. Raises TourneyError for names that are no cards of a complete pool.

        What the list in force says besides cards (points, groups, conditions) is kept.
        """
        before = library.find_banlist(self.name, self.day)
        table: dict[str, Any] = parse_toml(before.text, source=before.source) if before else {}
        table.pop("announced", None)  # of the old list; the new one's is not known here
        game = self.name.partition("/")[0]
        pool = library.pool(game) if game in library.pools() else open_pool(game)
        cards = dict(table.get("cards", {}))
        if self.pasted.strip():
            cards = dict(
                pasted_cards(self.pasted, self.pasted_from, lambda name: pool.find(name) is not None)
            )
        cards = self._changed(pool, cards)
        if self.source:
            table["source"] = self.source
        table["cards"] = dict(sorted(cards.items(), key=lambda each: (each[1], fold(each[0]))))
        table.setdefault("source", "")
        head = f"# {self.name}, in force from {self.day}: 0 is banned, 1 is one copy.\n"
        short_first = sorted(table, key=lambda key: isinstance(table[key], dict | list))
        return head + tomli_w.dumps({key: table[key] for key in short_first})

    def _changed(self, pool: Pool, cards: dict[str, int]) -> dict[str, int]:
        written = {fold(name): name for name in cards}
        for name, copies in self.changes.items():
            card = pool.find(name)
            if card is None and pool.complete:
                near = pool.near(name, limit=1)
                question = f"; did you mean `{near[0]}`?" if near else ""
                raise TourneyError(f"`{name}` is not a card of {pool.game}{question}")
            cards[written.get(fold(name), card.name if card else name)] = copies
        for name in self.free:
            if fold(name) not in written:
                raise TourneyError(f"`{name}` is not on the list {self.name}")
            cards.pop(written[fold(name)])
        return cards


# -- A table of cards from a file becomes a set of a pool in the data folder


_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class PoolImport:
    """What an import would put in place, or has put in place (`installed`).

    code: of the set; report: what was used and what not; had: cards of that set before, None where it is new
    """

    game: str
    code: str
    report: ImportedCards
    had: int | None
    head: str
    sets: Mapping[str, bytes]
    installed: InstalledPool | None = None

    @property
    def cards(self) -> int:
        """How many cards the set has now."""
        return len(self.report.cards)


@dataclass(frozen=True, slots=True)
class CardFile:
    """A file of cards: its name (whose ending says how to read it), its text, and what messages call it."""

    name: str
    text: str
    source: str

    @classmethod
    def at(cls, path: Path) -> CardFile:
        """Read a file. Raises TourneyError."""
        return cls(path.name, decoded(read_bytes(path), source=shown(path)), shown(path))

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return self.name.rpartition(".")[0] or self.name

    @property
    def shape(self) -> Shape:
        """How to read it. Raises TourneyError for an ending that says nothing."""
        shape = SHAPES.get(self.name.rpartition(".")[2].lower())
        if shape is None:
            known = ", ".join(f"`.{ending}`" for ending in SHAPES)
            raise TourneyError(f"{self.source}: cards are read from files ending in {known}")
        return shape


def prepare_import(
    library: Library,
    file: CardFile,
    game: str,
    *,
    code: str | None = None,
    complete: bool | None = None,
    key: str | None = None,
    add_attributes: bool = False,
    replace: bool = False,
) -> PoolImport:
    """Read a file of cards (CSV, TSV, JSON, JSON Lines) as the set `code` of the pool of `game`; write nothing.

    code:     else the file's name; a set of that name is replaced
    complete: whether the pool now has all cards of the game; else as it was, and a new pool is open
    key:      what tells the cards of a new pool apart, `name` or `id` (then several may share a name)
    add_attributes: declare the columns that the pool does not know, instead of reporting them as not used
    replace:  take cards that other sets have already, and take them out of those

    Raises TourneyError where the file is no table of cards or nothing of it can be used.
    """
    code = code or slug(file.stem)
    if not _CODE.match(code):
        raise TourneyError(f"`{code}` cannot name a set", "letters, digits, `-` and `_`")
    rows = read_table(file.text, file.shape, source=file.source)
    head, sets = _present(library, game)
    told = file.source.encode(errors="backslashreplace").decode()  # a file's name may be no text
    start = {"game": game, "sources": [told], **({"key": key} if key else {})}
    schema = parse_schema(head or tomli_w.dumps({**start, "complete": False}), source=game)
    if key not in {None, schema.key}:
        raise TourneyError(
            f"the pool of {game} identifies its cards by {schema.key}",
            f'its pool.toml says so: `key = "{schema.key}"`',
        )
    others = {other: text for other, text in sets.items() if other != code}

    def read(taken: Mapping[str, bytes]) -> ImportedCards:
        pool = parse_pool(head, taken, source="pool.toml") if head else None
        return import_cards(rows, schema, source=file.source, others=pool, add_attributes=add_attributes)

    report = read({} if replace else others)
    if not report.cards:
        reason = next((each for each in report.unused if not each.startswith("column")), "no row has a name")
        raise TourneyError(
            f"{file.source}: no card of it can be used: {reason}",
            "`--replace` takes cards that are there already",
        )
    if replace and head:
        before = parse_pool(head, others, source="pool.toml")
        others = _without(
            others, {_key(card["name"], card["id"], before.schema) for card in report.cards}, before.schema
        )
        report = read(others)
        _keep_aliases(report.cards, before)
    _set_codes(report.cards, schema)
    lines = "".join(json.dumps(card, ensure_ascii=False) + "\n" for card in report.cards)
    new_head = _head(head, start, report.attributes, complete)
    had = len(_names(head, {code: sets[code]})) if code in sets else None
    return PoolImport(game, code, report, had, new_head, {**others, code: lines.encode()})


def install_import(
    library: Library, prepared: PoolImport, *, source: str, accept: bool = False
) -> PoolImport:
    """Put a prepared import in place. Raises TourneyError as `install_pool` does, and where the set shrinks."""
    if prepared.had is not None and 3 * prepared.cards < 2 * prepared.had and not accept:
        said = f"the set {prepared.code} shrinks from {prepared.had} cards to {prepared.cards}"
        raise TourneyError(f"{source}: {said}", "check it, then add `--accept` to take it anyway")
    installed = install_pool(
        library, prepared.game, prepared.head, prepared.sets, source=source, accept=accept
    )
    return PoolImport(
        prepared.game, prepared.code, prepared.report, prepared.had, prepared.head, prepared.sets, installed
    )


def _present(library: Library, game: str) -> tuple[str, dict[str, bytes]]:
    """Return the pool that is there: an import adds to it, also where it came with the program."""
    if game not in library.pools():
        return "", {}
    files = library.find_pool(game)
    return files.head, dict(files.sets)


def _names(head: str, sets: Mapping[str, bytes]) -> tuple[str, ...]:
    if not head:
        return ()
    return tuple(card.name for card in parse_pool(head, sets, source="pool.toml"))


def _keep_aliases(cards: Iterable[dict[str, Any]], pool: Pool) -> None:
    """Let a card that takes another's place keep the names by which lists know it."""
    for card in cards:
        old = pool.find_code(card["id"]) if pool.key == "id" else pool.find(card["name"])
        if old and old.aliases and "aliases" not in card:
            card["aliases"] = list(old.aliases)


def _set_codes(cards: Iterable[dict[str, Any]], schema: Schema) -> None:
    """Write a set that the table names in full by the code the pool has for it."""
    codes = {fold(info.name): code for code, info in schema.sets.items()}
    for printing in (each for card in cards for each in card.get("printings", ()) if each.get("set")):
        printing["set"] = codes.get(fold(str(printing["set"])), printing["set"])


def _key(name: str, card_id: str, schema: Schema) -> str:
    """Return what tells a card of the pool from the others: its id, or its folded name."""
    return (card_id or slug(name)) if schema.key == "id" else fold(name)


def _without(sets: Mapping[str, bytes], keys: Collection[str], schema: Schema) -> dict[str, bytes]:
    """Take cards out of set files; a line that is no card stays, for the proofreader to tell."""

    def stays(line: bytes) -> bool:
        try:
            card = msgspec.json.decode(line, type=_Named)
        except msgspec.DecodeError:
            return True
        return _key(card.name, card.id, schema) not in keys

    kept = {
        code: b"".join(line for line in text.splitlines(keepends=True) if stays(line))
        for code, text in sets.items()
    }
    return {code: text for code, text in kept.items() if text.strip()}


class _Named(msgspec.Struct):
    name: str
    id: str = ""


def _head(head: str, start: Mapping[str, Any], new: Mapping[str, Attribute], complete: bool | None) -> str:
    """Return the text of `pool.toml`: as it is, unless something is to be added; `start` is what a new one begins with."""
    table: dict[str, Any] = parse_toml(head, source="pool.toml") if head else dict(start)
    if head and not new and complete in {None, table.get("complete")}:
        return head
    table["complete"] = table.get("complete", False) if complete is None else complete
    if new:
        declared = {attribute.name: attribute.kind.value for attribute in new.values()}
        table["attributes"] = {**table.get("attributes", {}), **declared}
    return tomli_w.dumps(table)
