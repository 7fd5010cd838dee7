"""Install card pools in the data folder, and import tables of cards as sets of a pool.

A pool is installed only if its checks find no objection, such as that it became much smaller, or if the user
accepts the objections.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import msgspec
import tomli_w
from msgspec import Struct, structs

from tourney.cards.card import Attribute, Schema, parse_schema
from tourney.cards.importing import SHAPES, ImportedCards, Shape, import_cards, read_table
from tourney.cards.names import fold
from tourney.cards.pool import Pool, lint_pool, parse_pool, slug
from tourney.decode import parse_toml
from tourney.document import Document
from tourney.errors import Severity, TourneyError
from tourney.store.checking import refuse_objections
from tourney.store.data import Library
from tourney.store.files import decode_source, display_path, read_bytes, replace_folder

_GAME = re.compile(r"[a-z0-9][a-z0-9-]*\Z", re.ASCII)


class InstalledPool(Struct, frozen=True):
    """A pool that was installed in the data folder.

    cards_before: the number of cards in the pool before; None if the pool is new
    overruled:    the objections that `accept` overruled
    imported:     the set that was added to the pool; None if the whole pool was installed
    """

    pool: Pool
    path: Path
    cards_before: int | None
    overruled: tuple[str, ...] = ()
    imported: PoolImport | None = None


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
            f"`{game}` cannot be the name of a game",
            "use lowercase letters, digits and hyphens: `red-diamond`",
        )
    findings = lint_pool(head, sets, source=source)
    faults = [finding for finding in findings if finding.severity is Severity.ERROR]
    if faults:
        suffix = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
        raise TourneyError(f"{source}: {faults[0].message.removeprefix(f'{source}: ')}{suffix}")
    pool = parse_pool(head, sets, source=source)
    if pool.game != game:
        raise TourneyError(f"{source}: a pool of `{pool.game}`, not of `{game}`")
    cards_before = len(library.pool(game)) if game in library.pools() else None
    objections = _shrinking(len(pool), cards_before)
    refuse_objections(objections, f"{source}: not installed as the pool of {game}", accept=accept)
    folder = library.home.cardpools / game
    files = {"pool.toml": head.encode(), **{f"{code}.jsonl": text for code, text in sets.items()}}
    replace_folder(folder, files)
    return InstalledPool(pool, folder, cards_before, objections)


def _shrinking(after: int, before: int | None) -> tuple[str, ...]:
    """Return an objection if a pool or set is empty, or loses more than a third of its cards.

    after:  the new number of cards
    before: the old number of cards; None if the pool or set did not exist
    """
    if not after:
        return ("there are no cards",)
    is_much_smaller = before is not None and 3 * after < 2 * before
    return (f"the number of cards shrinks from {before} to {after}",) if is_much_smaller else ()


# -- Import a file of cards as a set of a pool


_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*\Z", re.ASCII)


class PoolImport(Struct, frozen=True):
    """A set that was read from a file, with the files of the pool to which it is added.

    code:         the code of the set
    report:       the columns and cards of the file that were used, and those that were not
    cards_before: the number of cards in the set before; None if the set is new
    head, sets:   the files of the pool with the new set
    """

    game: str
    code: str
    report: ImportedCards
    cards_before: int | None
    head: str
    sets: Mapping[str, bytes]

    @property
    def cards(self) -> int:
        """The number of cards in the set."""
        return len(self.report.cards)


class ImportedPool(Document, frozen=True, tag="tourney.pool-import/1"):
    """What `tourney pool import FILE --game GAME --json` prints.

    game: the game, by its id
    set: the code of the set that the cards belong to
    cards: the number of cards in the set now
    before: the number of cards in the set before; null for a new set
    written: the folder to which the pool was written; null with `--try`
    new_attributes: the attributes that the pool did not have before, with their types
    unused: the columns and cards of the file that could not be used, in sentences
    """

    game: str
    set: str
    cards: int
    before: int | None
    written: str | None
    new_attributes: Mapping[str, str]
    unused: tuple[str, ...]

    @classmethod
    def of(cls, pool_import: PoolImport, installed_pool: InstalledPool | None) -> ImportedPool:
        """Return the document about an import. installed_pool: None for a dry run."""
        report = pool_import.report
        return cls(
            game=pool_import.game,
            set=pool_import.code,
            cards=pool_import.cards,
            before=pool_import.cards_before,
            written=str(installed_pool.path) if installed_pool else None,
            new_attributes={name: attribute.kind.value for name, attribute in report.attributes.items()},
            unused=tuple(report.unused_parts),
        )


class CardFile(Struct, frozen=True):
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
        return cls(path.name, decode_source(read_bytes(path), source=display_path(path)), display_path(path))

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

    code:           the set's code; if None, it is taken from the file's name. An old set with this code is
                    replaced
    complete:       whether the pool now has all cards of the game. With None, an existing pool keeps its
                    setting, and a new pool is not complete
    key:            the attribute that identifies the cards of a new pool: `name`, or `id` if several cards
                    can share a name
    add_attributes: whether to add unknown columns to the pool's attributes, instead of reporting them as
                    unused
    replace:        whether to move cards that other sets already have into this set

    Raises TourneyError if the file is not a table of cards or if none of its cards can be used.
    """
    code = code or slug(file.name.rpartition(".")[0] or file.name)
    if not _CODE.match(code):
        raise TourneyError(f"`{code}` cannot be the name of a set", "use letters, digits, `-` and `_`")
    rows = read_table(file.text, file.shape, source=file.source)
    source = file.source.encode(errors="backslashreplace").decode()  # a path can have invalid bytes
    start = {"game": game, "sources": [source], **({"key": key} if key else {}), "complete": False}
    files = library.find_pool(game) if game in library.pools() else None
    head, sets = (files.head, files.sets) if files else (tomli_w.dumps(start), {})
    schema = parse_schema(head, source=game)
    if key not in {None, schema.key}:
        raise TourneyError(
            f"--key {key} does not fit the pool of {game}, which identifies its cards by {schema.key}",
            "leave out `--key`",
        )
    others = {other: text for other, text in sets.items() if other != code}

    def read(other_sets: Mapping[str, bytes]) -> ImportedCards:
        pool = parse_pool(head, other_sets, source="pool.toml")
        return import_cards(rows, schema, source=file.source, other_sets=pool, add_attributes=add_attributes)

    report = read({} if replace else others)
    if not report.cards:
        reasons = (reason for reason in report.unused_parts if not reason.startswith("column"))
        raise TourneyError(
            f"{file.source}: none of its cards can be used: {next(reasons, 'no row has a name')}",
            "`--replace` moves cards that other sets already have into this set",
        )
    if replace:
        before = parse_pool(head, others, source="pool.toml")
        moved_cards = {_key(card["name"], card["id"], schema) for card in report.cards}
        others = _without(others, moved_cards, schema)
        report = read(others)
        _keep_aliases(report, before)
    _name_sets_by_code(report, schema)
    lines = "".join(json.dumps(card, ensure_ascii=False) + "\n" for card in report.cards)
    new_head = _head(head, report.attributes, complete)
    cards_before = len(parse_pool(head, {code: sets[code]}, source="pool.toml")) if code in sets else None
    return PoolImport(game, code, report, cards_before, new_head, {**others, code: lines.encode()})


def _keep_aliases(report: ImportedCards, before: Pool) -> None:
    """Give imported cards the aliases that they had in `before`, unless they have new ones.

    So old decklists, which may use these aliases, stay readable.

    before: the pool's other sets as they were before cards were moved from them into the imported set
    """
    for card in report.cards:
        old = before.find_code(card["id"]) if before.key == "id" else before.find(card["name"])
        if old and old.aliases:
            card.setdefault("aliases", list(old.aliases))


def _name_sets_by_code(report: ImportedCards, schema: Schema) -> None:
    """In the cards' printings, replace the names of the pool's sets with their codes."""
    codes = {fold(info.name): code for code, info in schema.sets.items()}
    for printing in (printing for card in report.cards for printing in card.get("printings", ())):
        if name := printing.get("set"):
            printing["set"] = codes.get(fold(str(name)), name)


def install_import(
    library: Library, pool_import: PoolImport, *, source: str, accept: bool = False
) -> InstalledPool:
    """Install the set of cards that `prepare_import` read, as a part of its pool.

    Raises TourneyError if a set with this code exists and would lose more than a third of its cards, unless
    `accept` is set. Raises the errors of `install_pool`, too.
    """
    against = _shrinking(pool_import.cards, pool_import.cards_before)
    refuse_objections(against, f"{source}: not installed as the set `{pool_import.code}`", accept=accept)
    installed_pool = install_pool(
        library, pool_import.game, pool_import.head, pool_import.sets, source=source, accept=accept
    )
    return structs.replace(installed_pool, imported=pool_import)


def _key(name: str, card_id: str, schema: Schema) -> str:
    """Return the key that identifies a card of the pool.

    In a pool whose key is `id`, it is the card's id, or a slug of the name if the card has no id. In other
    pools, it is the name in the form of `fold`, which ignores case and accents.
    """
    return (card_id or slug(name)) if schema.key == "id" else fold(name)


def _without(sets: Mapping[str, bytes], keys: Collection[str], schema: Schema) -> dict[str, bytes]:
    """Return the files of a pool's sets without the cards whose key is in `keys`.

    A set whose file would be blank is omitted. A line that is not a card is kept; the check of the pool
    reports it.

    sets: code of the set → the content of its file
    """

    def is_kept(line: bytes) -> bool:
        try:
            card = msgspec.json.decode(line, type=_Named)
        except msgspec.DecodeError:
            return True
        return _key(card.name, card.id, schema) not in keys

    remaining_sets = {
        code: b"".join(line for line in text.splitlines(keepends=True) if is_kept(line))
        for code, text in sets.items()
    }
    return {code: text for code, text in remaining_sets.items() if text.strip()}


class _Named(Struct):
    name: str
    id: str = ""


def _head(head: str, new: Mapping[str, Attribute], complete: bool | None) -> str:
    """Return the text of `pool.toml` with new attributes, and with `complete` if it is not None."""
    table: dict[str, Any] = parse_toml(head, source="pool.toml")
    if not new and complete in {None, table.get("complete")}:
        return head
    table["complete"] = table.get("complete", False) if complete is None else complete
    if new:
        declared_kinds = {attribute.name: attribute.kind.value for attribute in new.values()}
        table["attributes"] = {**table.get("attributes", {}), **declared_kinds}
    return tomli_w.dumps(table)
