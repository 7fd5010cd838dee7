"""A table of cards from a file becomes a set of a pool in the data folder."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from tourney.cards import Attribute, Pool, Schema, parse_pool, parse_schema
from tourney.cards.importing import Imported, import_cards
from tourney.cards.names import fold
from tourney.cards.reading import slug
from tourney.cards.tables import SHAPES, Shape, read_table
from tourney.door import parse_toml
from tourney.errors import TourneyError
from tourney.store.data import Library
from tourney.store.installing import InstalledPool, install_pool
from tourney.store.roots import decoded, read_bytes, shown

_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class PoolImport:
    """What an import would put in place, or has put in place (`installed`).

    code: of the set; report: what was used and what not; had: cards of that set before, None where it is new
    """

    game: str
    code: str
    report: Imported
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
        raise TourneyError(f"`{code}` is no name of a set", "letters, digits, `-` and `_`")
    rows = read_table(file.text, file.shape, source=file.source)
    head, sets = _present(library, game)
    told = file.source.encode(errors="backslashreplace").decode()  # a file's name may be no text
    start = {"game": game, "sources": [told], **({"key": key} if key else {})}
    schema = parse_schema(head or tomli_w.dumps({**start, "complete": False}), source=game)
    if key not in {None, schema.key}:
        raise TourneyError(
            f"the pool of {game} tells its cards apart by {schema.key}",
            f'its pool.toml says so: `key = "{schema.key}"`',
        )
    others = {other: text for other, text in sets.items() if other != code}

    def read(taken: Mapping[str, bytes]) -> Imported:
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
        raise TourneyError(f"{source}: {said}", "look at it, then add `--accept` to take it all the same")
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
        old = pool.coded(card["id"]) if pool.key == "id" else pool.find(card["name"])
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
    said: dict[str, Any] = parse_toml(head, source="pool.toml") if head else dict(start)
    if head and not new and complete in {None, said.get("complete")}:
        return head
    said["complete"] = said.get("complete", False) if complete is None else complete
    if new:
        said["attributes"] = {**said.get("attributes", {}), **_declared(new.values())}
    plain_first = sorted(said, key=lambda key: isinstance(said[key], dict))  # TOML: values before tables
    return tomli_w.dumps({key: said[key] for key in plain_first})


def _declared(attributes: Iterable[Attribute]) -> dict[str, str]:
    return {attribute.name: attribute.kind.value for attribute in attributes}
