"""Install ban lists and card pools in the data folder, unless checks find a problem.

A problem that the user can accept, such as a list that became much smaller, is called an objection.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from tourney.cards.card import Attribute, Schema, parse_schema
from tourney.cards.importing import SHAPES, ImportedCards, Shape, import_cards, read_table
from tourney.cards.names import fold
from tourney.cards.pool import Pool, lint_pool, open_pool, parse_pool, slug
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
    """A ban list that was installed in the data folder.

    before:    the version that was previously in force on this version's first day; None if no version was
    changes:   the changes from `before`
    already:   whether the same file was already installed
    overruled: the objections that `accept` overruled
    """

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
    """Install a ban list in the data folder as `name` (`game/list`), in force from `day`.

    Raises TourneyError if the list cannot be parsed. Unless `accept` is set, also raises TourneyError if the
    list is empty, is smaller by more than a third, names cards that a complete pool does not have, is older
    than the newest installed version, or belongs to an unknown game.
    """
    if not _NAME.match(name):
        raise TourneyError(
            f"`{name}` cannot be the name of a ban list", "write a game and a list: `red-diamond/standard`"
        )
    new = parse_banlist(text, source=source, day=day, name=name)
    path = library.home.banlists / name / f"{day.isoformat()}.toml"
    installed = library.find_banlist(name, day) if name in library.banlist_names() else None
    before = library.read_banlist(installed) if installed else None
    if installed and installed.day == day and installed.path == path and installed.text == text:
        return InstalledList(name, new, path, before, (), already=True)
    overruled = _objections(library, name, new)
    _refuse_unless(accept, f"{source}: not installed as {name} of {day}", overruled)
    replace_file(path, text.encode())
    return InstalledList(name, new, path, before, changes(before, new), overruled=overruled)


def _refuse_unless(accept: bool, message: str, against: tuple[str, ...]) -> None:
    if against and not accept:
        raise TourneyError(
            f"{message}: {'; '.join(against)}", "check it, then add `--accept` to install it anyway"
        )


def _objections(library: Library, name: str, new: BanList) -> tuple[str, ...]:
    game = name.partition("/")[0]
    if game not in library.games():
        games = ", ".join(sorted(library.games()))
        return (f"there is no game `{game}`; there are {games}", *objections(new, ()))
    unknown = unknown_cards(library, game, new) if game in library.pools() else ()
    days = library.banlist_days(name) if name in library.banlist_names() else ()
    installed = [library.read_banlist(library.banlist_file(name, day)) for day in days]
    return objections(new, installed, unknown)


def list_and_day(library: Library, path: str, name: str | None, day: date | None) -> tuple[str, date]:
    """Return the name and the first day of a ban list, taken from the path if they are None.

    path: the path or address of the file, such as `…/game/list/2026-01-31.toml`. Its folders name the list if
          they are below a folder `banlists/`, or if the library has the game

    Raises TourneyError if the path does not contain the missing name or day.
    """
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    if day is None:
        try:
            day = date.fromisoformat(parts[-1].rpartition(".")[0] if parts else "")
        except ValueError:
            raise TourneyError(
                f"{path}: the file's name is not the day on which the list takes effect",
                "add `--from 2026-01-31`",
            ) from None
    name = name or _name_of(library, parts[:-1])
    if name is None:
        raise TourneyError(f"{path}: the folder does not name a list", "add `--as game/list`")
    return name, day


def _name_of(library: Library, folders: list[str]) -> str | None:
    if "banlists" in folders:
        below = "/".join(folders[len(folders) - folders[::-1].index("banlists") :])
        return below if _NAME.match(below) else None
    last = "/".join(folders[-2:])
    return last if _NAME.match(last) and folders[-2] in library.games() else None


# -- Pools


@dataclass(frozen=True, slots=True)
class InstalledPool:
    """A pool that was installed in the data folder.

    had:       the number of cards in the pool before; None if the pool is new
    overruled: the objections that `accept` overruled
    """

    pool: Pool
    path: Path
    had: int | None
    overruled: tuple[str, ...] = ()


def install_pool(
    library: Library, game: str, head: str, sets: Mapping[str, bytes], *, source: str, accept: bool = False
) -> InstalledPool:
    """Install all files of a pool in the data folder, in place of the previous pool of `game`.

    head: the text of `pool.toml`
    sets: the code of each set → the content of its file

    Raises TourneyError if the pool has errors. Unless `accept` is set, also raises TourneyError if the pool
    is empty or smaller by more than a third.
    """
    if not _GAME.match(game):
        raise TourneyError(
            f"`{game}` cannot name a game", "use small letters, digits and hyphens: `red-diamond`"
        )
    findings = lint_pool(head, sets, source=source)
    faults = [finding for finding in findings if finding.severity is Severity.ERROR]
    if faults:
        suffix = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
        raise TourneyError(f"{source}: {faults[0].message.removeprefix(f'{source}: ')}{suffix}")
    pool = parse_pool(head, sets, source=source)
    if pool.game != game:
        raise TourneyError(f"{source}: a pool of `{pool.game}`, not of `{game}`")
    had = len(library.pool(game)) if game in library.pools() else None
    overruled = _shrinking(len(pool), had)
    _refuse_unless(accept, f"{source}: not installed as the pool of {game}", overruled)
    folder = library.home.cardpools / game
    files = {"pool.toml": head.encode(), **{f"{code}.jsonl": text for code, text in sets.items()}}
    replace_folder(folder, files)
    return InstalledPool(pool, folder, had, overruled)


def _shrinking(new: int, had: int | None) -> tuple[str, ...]:
    """Return an objection if no cards are left, or if there are fewer than two thirds of `had`."""
    if not new:
        return ("it is empty",)
    is_much_smaller = had is not None and 3 * new < 2 * had
    return (f"it shrinks from {had} cards to {new}",) if is_much_smaller else ()


# -- A complete new ban list as a file to edit, made from the list in force


@dataclass(frozen=True, slots=True)
class BanListDraft:
    """The changes that make a new list `name` (`game/list`), in force from `day`.

    changes:     card → copies allowed
    free:        cards to take off the list
    pasted:      lines with cards (`Card` is banned, `1 Card` is restricted) that replace the cards of the
                 list in force
    pasted_from: the file from which these lines come, for messages
    source:      where the list was announced; empty to keep the source of the list in force
    """

    name: str
    day: date
    changes: Mapping[str, int] = field(default_factory=dict)
    free: Sequence[str] = ()
    pasted: str = ""
    pasted_from: str = ""
    source: str = ""

    def text(self, library: Library) -> str:
        """Return the text of the new list's file.

        Apart from the cards, everything in the list in force (points, groups, conditions) is kept. Raises
        TourneyError for names that a complete pool does not have.
        """
        before = library.find_banlist(self.name, self.day)
        table: dict[str, Any] = parse_toml(before.text, source=before.source) if before else {}
        table.pop("announced", None)  # the date of the old list
        game = self.name.partition("/")[0]
        pool = library.pool(game) if game in library.pools() else open_pool(game)
        cards = dict(table.get("cards", {}))
        if self.pasted.strip():
            cards = dict(
                pasted_cards(self.pasted, self.pasted_from, lambda name: pool.find(name) is not None)
            )
        self._change(pool, cards)
        if self.source:
            table["source"] = self.source
        table["cards"] = dict(sorted(cards.items(), key=lambda item: (item[1], fold(item[0]))))
        table.setdefault("source", "")
        head = f"# {self.name}, in force from {self.day}: 0 is banned, 1 is one copy.\n"
        short_first = sorted(table, key=lambda key: isinstance(table[key], dict | list))
        return head + tomli_w.dumps({key: table[key] for key in short_first})

    def _change(self, pool: Pool, cards: dict[str, int]) -> None:
        names = {fold(name): name for name in cards}
        for name, copies in self.changes.items():
            card = pool.find(name)
            if card is None and pool.complete:
                near = pool.near(name, limit=1)
                question = f"; did you mean `{near[0]}`?" if near else ""
                raise TourneyError(f"`{name}` is not a card of {pool.game}{question}")
            cards[names.get(fold(name), card.name if card else name)] = copies
        for name in self.free:
            if fold(name) not in names:
                raise TourneyError(f"`{name}` is not on the list {self.name}")
            cards.pop(names[fold(name)])


# -- Import a file of cards as a set of a pool in the data folder


_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class PoolImport:
    """A set that was read from a file, with the files of the pool to which it is added.

    code:      the code of the set
    report:    the columns and cards of the file that were used, and those that were not
    had:       the number of cards in the set before; None if the set is new
    head, sets: the files of the pool with the new set
    installed: the installed pool; None before `install_import`
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
        """The number of cards in the set."""
        return len(self.report.cards)


@dataclass(frozen=True, slots=True)
class CardFile:
    """A file of cards.

    name:   the file's name, whose extension determines the format
    source: the file as messages show it
    """

    name: str
    text: str
    source: str

    @classmethod
    def at(cls, path: Path) -> CardFile:
        """Read a file. Raises TourneyError if the file cannot be read."""
        return cls(path.name, decoded(read_bytes(path), source=shown(path)), shown(path))

    @property
    def shape(self) -> Shape:
        """The format of the file. Raises TourneyError for an unknown extension."""
        shape = SHAPES.get(self.name.rpartition(".")[2].lower())
        if shape is None:
            extensions = ", ".join(f"`.{extension}`" for extension in SHAPES)
            raise TourneyError(f"{self.source}: cards are read from files ending in {extensions}")
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
    """Read a file of cards as a set of the pool of `game`, without writing it.

    The file can be CSV, TSV, JSON or JSON Lines.

    code:     the set's code; if None, it is taken from the file's name. An old set with this code is replaced
    complete: whether the pool now has all cards of the game; None: as before, or False for a new pool
    key:      the attribute that identifies the cards of a new pool: `name`, or `id` if several cards can
              share a name
    add_attributes: whether to add unknown columns to the pool's attributes, instead of reporting them as
              unused
    replace:  whether to move cards that other sets already have into this set

    Raises TourneyError if the file is not a table of cards or if none of its cards can be used.
    """
    code = code or slug(file.name.rpartition(".")[0] or file.name)
    if not _CODE.match(code):
        raise TourneyError(f"`{code}` cannot name a set", "letters, digits, `-` and `_`")
    rows = read_table(file.text, file.shape, source=file.source)
    source = file.source.encode(errors="backslashreplace").decode()  # a path can have invalid bytes
    start = {"game": game, "sources": [source], **({"key": key} if key else {}), "complete": False}
    files = library.find_pool(game) if game in library.pools() else None
    head, sets = (files.head, files.sets) if files else (tomli_w.dumps(start), {})
    schema = parse_schema(head, source=game)
    if key not in {None, schema.key}:
        raise TourneyError(
            f"the pool of {game} identifies its cards by {schema.key}",
            f'its pool.toml says so: `key = "{schema.key}"`',
        )
    others = {other: text for other, text in sets.items() if other != code}

    def read(other_sets: Mapping[str, bytes]) -> ImportedCards:
        pool = parse_pool(head, other_sets, source="pool.toml")
        return import_cards(rows, schema, source=file.source, others=pool, add_attributes=add_attributes)

    report = read({} if replace else others)
    if not report.cards:
        reasons = (reason for reason in report.unused if not reason.startswith("column"))
        raise TourneyError(
            f"{file.source}: none of its cards can be used: {next(reasons, 'no row has a name')}",
            "`--replace` moves cards that other sets already have into this set",
        )
    if replace:
        before = parse_pool(head, others, source="pool.toml")
        moved = {_key(card["name"], card["id"], schema) for card in report.cards}
        others = _without(others, moved, schema)
        report = read(others)
        _keep_aliases(report, before)
    _name_sets_by_code(report, schema)
    lines = "".join(json.dumps(card, ensure_ascii=False) + "\n" for card in report.cards)
    new_head = _head(head, report.attributes, complete)
    had = len(parse_pool(head, {code: sets[code]}, source="pool.toml")) if code in sets else None
    return PoolImport(game, code, report, had, new_head, {**others, code: lines.encode()})


def _keep_aliases(report: ImportedCards, before: Pool) -> None:
    """Give the cards their aliases in `before`, so that old decklists stay readable."""
    for card in report.cards:
        old = before.find_code(card["id"]) if before.key == "id" else before.find(card["name"])
        if old and old.aliases:
            card.setdefault("aliases", list(old.aliases))


def _name_sets_by_code(report: ImportedCards, schema: Schema) -> None:
    """In the printings of cards, replace the names of the pool's sets by their codes."""
    codes = {fold(info.name): code for code, info in schema.sets.items()}
    for printing in (printing for card in report.cards for printing in card.get("printings", ())):
        if name := printing.get("set"):
            printing["set"] = codes.get(fold(str(name)), name)


def install_import(
    library: Library, prepared: PoolImport, *, source: str, accept: bool = False
) -> PoolImport:
    """Install a prepared import.

    Raises TourneyError if the set is smaller by more than a third and `accept` is not set. Raises the errors
    of `install_pool`, too.
    """
    against = _shrinking(prepared.cards, prepared.had)
    _refuse_unless(accept, f"{source}: not installed as the set {prepared.code}", against)
    installed = install_pool(
        library, prepared.game, prepared.head, prepared.sets, source=source, accept=accept
    )
    return replace_fields(prepared, installed=installed)


def _key(name: str, card_id: str, schema: Schema) -> str:
    """Return the key that identifies a card of the pool: its id, or its folded name."""
    return (card_id or slug(name)) if schema.key == "id" else fold(name)


def _without(sets: Mapping[str, bytes], keys: Collection[str], schema: Schema) -> dict[str, bytes]:
    """Return the set files without the cards that have one of `keys`.

    A line that is not a card is kept; the check of the pool reports it.
    """

    def is_kept(line: bytes) -> bool:
        try:
            card = msgspec.json.decode(line, type=_Named)
        except msgspec.DecodeError:
            return True
        return _key(card.name, card.id, schema) not in keys

    kept = {
        code: b"".join(line for line in text.splitlines(keepends=True) if is_kept(line))
        for code, text in sets.items()
    }
    return {code: text for code, text in kept.items() if text.strip()}


class _Named(msgspec.Struct):
    name: str
    id: str = ""


def _head(head: str, new: Mapping[str, Attribute], complete: bool | None) -> str:
    """Return the text of `pool.toml` with new attributes, and with `complete` if it is not None."""
    table: dict[str, Any] = parse_toml(head, source="pool.toml")
    if not new and complete in {None, table.get("complete")}:
        return head
    table["complete"] = table.get("complete", False) if complete is None else complete
    if new:
        declared = {attribute.name: attribute.kind.value for attribute in new.values()}
        table["attributes"] = {**table.get("attributes", {}), **declared}
    return tomli_w.dumps(table)
