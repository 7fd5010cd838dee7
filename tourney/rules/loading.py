"""Loading format files: turns them into `Format`s, merged with the formats that they extend."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import lru_cache
from pkgutil import get_data
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from tourney.decode import from_toml
from tourney.errors import TourneyError
from tourney.rules import kinds
from tourney.rules.expressions.language import check_definitions
from tourney.rules.format import Format, NamedList
from tourney.rules.kinds.kind import RuleKind
from tourney.rules.proofread import proofread
from tourney.rules.vocabulary import (
    EventDefaultsFile,
    ExampleFile,
    FormatFile,
    MatchFile,
    PrintingsFile,
    RuleEntry,
    StandingsFile,
)
from tourney.rules.zones import check_unique, normalized_zones

T = TypeVar("T")

_loading: ContextVar[tuple[str, ...]] = ContextVar("formats being loaded", default=())


def parse_format(
    text: str, *, source: str, parent: Callable[[str], Format], is_shipped: bool = False
) -> Format:
    """Parse a format file.

    source: the file's name in messages
    parent: returns the format with the id that `extends` gives. It may call `parse_format` again
    is_shipped: whether the format comes with the program, so that it need not be proofread again

    Raises TourneyError with file, key path and reason: for a wrong type, an expression that is not in the
    language, two rules with the same id, a format that extends itself, or a zone whose size depends on
    itself.
    """
    file = from_toml(text, _file_type(kinds.KINDS), source=source)
    format_id = file.format.id
    _check_id(format_id, source)
    chain = _loading.get()
    if format_id in chain:
        cycle = " → ".join((*chain[chain.index(format_id) :], format_id))
        raise TourneyError(f"{source}: extends: a format cannot extend itself ({cycle})")
    token = _loading.set((*chain, format_id))
    try:
        base = _base(file, source, parent)
    finally:
        _loading.reset(token)
    format_ = _assemble(file, base, text, source, is_shipped=is_shipped)
    if is_shipped:
        return format_
    try:
        proofread(format_)
    except TourneyError as error:
        if base is None or error.message.startswith(f"{source}:"):
            raise
        raise TourneyError(
            f"{source}: an inherited rule does not fit this format: {error.message}", error.hint
        ) from None
    return format_


@lru_cache
def _file_type(all_kinds: tuple[RuleKind[Any], ...]) -> type[FormatFile]:
    """Return a subclass of `FormatFile` with a field for the TOML tables of each kind of rule."""
    tables: list[tuple[str, Any, Any]] = []
    for kind in all_kinds:
        table: Any = kind.shape
        tables.append((kind.word, table | None, None) if kind.single else (kind.word, tuple[table, ...], ()))
    return msgspec.defstruct(  # type: ignore[return-value]
        "FormatFile", tables, bases=(FormatFile,), frozen=True, kw_only=True, forbid_unknown_fields=True
    )


def _check_id(name: str, source: str) -> None:
    if name != name.strip() or any(part in {"", ".", ".."} for part in name.split("/")):
        raise TourneyError(
            f"{source}: format.id: `{name}` should be the game, a slash and the format",
            'id = "redline/standard"',
        )


def _base(file: FormatFile, source: str, parent: Callable[[str], Format]) -> Format | None:
    """Return the format that a file extends. Raises TourneyError if it cannot be loaded."""
    names = [name for name in (file.extends, file.format.extends) if name]
    if len(names) > 1:
        raise TourneyError(f"{source}: extends: set twice, at the top and in [format]")
    if not names:
        return None
    try:
        return parent(names[0])
    except TourneyError as error:
        raise TourneyError(f"{source}: extends `{names[0]}`: {error.message}", error.hint) from None
    except KeyError:
        raise TourneyError(f"{source}: extends: there is no format `{names[0]}`") from None


def _assemble(file: FormatFile, base: Format | None, text: str, source: str, *, is_shipped: bool) -> Format:
    head, format_id = file.format, file.format.id
    game = format_id.partition("/")[0]
    dropped_ids = _dropped_ids(file, base, source)

    def inherit(name: str, default: Any) -> Any:
        return getattr(base, name) if base else default

    banlist = inherit("banlist", None) if head.banlist is None else head.banlist
    define = {**inherit("define", {}), **file.define}
    check_definitions(define, source)
    zones, leader = normalized_zones(file, base, source)
    overrides = (
        (card, RuleEntry(errata, format_id, f'{source}: override."{card}"'))
        for card, errata in file.override.items()
    )
    return Format(
        id=format_id,
        name=head.name or format_id,
        game=game,
        pool=head.pool or inherit("pool", game),
        edition=head.rules or inherit("edition", None),
        about=head.about,
        published=head.source or inherit("published", None),
        banlist=None if banlist in {"", "none"} else banlist,
        banlist_at=head.banlist_at or inherit("banlist_at", None),
        parents=(base.id, *base.parents) if base else (),
        houses=_houses(file, base),
        define=define,
        lists={**inherit("lists", {}), **_lists(file, source)},
        settings={**inherit("settings", {}), **file.settings},
        leader=leader or inherit("leader", None),
        zones=_merge(inherit("zones", ()), zones, dropped_ids, "zone:"),
        rules=_rules(file, base, dropped_ids, source),
        printings=_printings(file, base, source),
        overrides=(*inherit("overrides", ()), *overrides),
        judge=(*inherit("judge", ()), *_number_entries(file, "judge", file.judge, source)),
        day=(*inherit("day", ()), *_number_entries(file, "day", file.day, source)),
        examples=_examples(file, source),
        match=file.match or inherit("match", MatchFile()),
        standings=file.standings or inherit("standings", StandingsFile()),
        event=file.event or inherit("event", EventDefaultsFile()),
        field=file.field or inherit("field", None),
        source=source,
        text=text,
        digest=hashlib.sha256(text.encode() + inherit("digest", "").encode()).hexdigest(),
        is_shipped=is_shipped,
    )


def _houses(file: FormatFile, base: Format | None) -> frozenset[str]:
    if base is None:
        return frozenset()
    return base.houses if file.format.source else base.houses | {file.format.id}


def _dropped_ids(file: FormatFile, base: Format | None, source: str) -> frozenset[str]:
    """Return the names in `drop`: the rules of `base` that this format does not inherit.

    base: the format that this format extends; None if it extends no other

    Raises TourneyError for a name that `base` does not have, or for any name without a `base`.
    """
    ids = frozenset(file.format.drop)
    if not ids:
        return ids
    if base is None:
        raise TourneyError(f"{source}: format.drop: this format extends no other, so it has nothing to drop")
    droppable = {f"zone:{zone.rule.id}" for zone in base.zones}
    for kind in kinds.KINDS:
        droppable |= {kind.word if kind.single else entry.rule.id for entry in base.rules[kind.word]}
    for name in file.format.drop:
        if name not in droppable:
            raise TourneyError(
                f"{source}: format.drop: `{base.id}` has no rule `{name}`",
                f"rules of `{base.id}`: {', '.join(sorted(droppable))}",
            )
    return ids


def _number_entries(
    file: FormatFile, key: str, entries: tuple[T, ...], source: str
) -> tuple[RuleEntry[T], ...]:
    """Return the entries of an array in a format file, each with its place in the file.

    key: the name of the array, such as `judge`. A place is written as `SOURCE: judge[0]`
    """
    return tuple(
        RuleEntry(entry, file.format.id, f"{source}: {key}[{number}]") for number, entry in enumerate(entries)
    )


def _examples(file: FormatFile, source: str) -> tuple[RuleEntry[ExampleFile], ...]:
    examples = _number_entries(file, "example", file.example, source)
    for entry in examples:
        example = entry.rule
        if example.unverified and (example.legal is not None or example.breaks):
            raise TourneyError(f"{entry.place}: with `unverified`, leave out `legal` and `breaks`")
        if example.legal and example.breaks:
            breaks = ", ".join(example.breaks)
            raise TourneyError(f"{entry.place}: a deck cannot be `legal` and break rules ({breaks})")
    return examples


def _lists(file: FormatFile, source: str) -> dict[str, NamedList]:
    return {
        name: NamedList(
            dict(cards) if isinstance(cards, dict) else dict.fromkeys(cards, 1), f"{source}: lists.{name}"
        )
        for name, cards in file.lists.items()
    }


def _printings(file: FormatFile, base: Format | None, source: str) -> RuleEntry[PrintingsFile]:
    if base and not file.printings:
        return base.printings
    usual = PrintingsFile(standing="reading", cite="usual, unless a format says otherwise")
    printings = file.printings or usual
    printings = replace(printings, id=printings.id or "printing")
    return RuleEntry(printings, file.format.id, f"{source}: printings")


def _rules(
    file: FormatFile, base: Format | None, dropped_ids: frozenset[str], source: str
) -> Mapping[str, tuple[RuleEntry[Any], ...]]:
    """Return the rules of each kind, inherited ones first. Raises TourneyError."""
    own_entries = {kind.word: tuple(_own_rules(kind, file, source)) for kind in kinds.KINDS}
    check_unique(
        (
            (entry.rule.id, entry.place)
            for kind in kinds.KINDS
            if not kind.single
            for entry in own_entries[kind.word]
        ),
        "rule",
    )
    rules = {}
    for kind in kinds.KINDS:
        inherited_entries = base.rules[kind.word] if base else ()
        if kind.single:
            rules[kind.word] = own_entries[kind.word] or (
                () if kind.word in dropped_ids else inherited_entries
            )
        else:
            rules[kind.word] = _merge(inherited_entries, own_entries[kind.word], dropped_ids)
    return rules


def _own_rules(kind: RuleKind[Any], file: FormatFile, source: str) -> Iterator[RuleEntry[Any]]:
    """Yield the rules of one kind in the file itself, with short forms written out."""
    tables = getattr(file, kind.word)
    if kind.single:
        if tables is not None:
            place = f"{source}: {kind.word}"
            yield RuleEntry(kind.normalize(tables, place), file.format.id, place)
        return
    for number, table in enumerate(tables):
        place = f"{source}: {kind.word}[{number}]"
        rule = kind.normalize(table, place)
        if not rule.id and kind.named:
            rule = replace(rule, id=f"{kind.word}-{number + 1}" if len(tables) > 1 else kind.word)
        if not rule.id:
            raise TourneyError(
                f"{place}: the key `id` is missing",
                'add a name that findings can show, such as id = "copies"',
            )
        yield RuleEntry(rule, file.format.id, place)


def _merge(
    inherited_entries: tuple[RuleEntry[Any], ...],
    own_entries: tuple[RuleEntry[Any], ...],
    dropped_ids: frozenset[str],
    prefix: str = "",
) -> tuple[RuleEntry[Any], ...]:
    """Return the inherited rules and the new rules of a format, without the dropped ones.

    A format's own rule takes the position of the inherited rule with the same id. New rules come last.
    """
    new = {entry.rule.id: entry for entry in own_entries}
    rules = [
        new.pop(old.rule.id, old) for old in inherited_entries if prefix + old.rule.id not in dropped_ids
    ]
    return (*rules, *(entry for entry in own_entries if entry.rule.id in new))


# -- a new format file, from the templates `new_format.toml` and `new_overlay.toml`


def scaffold(format_id: str, *, name: str = "", extends: str = "") -> str:
    """Return the text of a new format file, which is valid at once.

    extends: the format that the new one extends as an overlay; empty for a complete format
    """
    data = get_data("tourney.rules", "new_overlay.toml" if extends else "new_format.toml")
    assert data is not None, "the templates are part of the package"
    game = format_id.partition("/")[0]
    words = {"id": format_id, "name": name or format_id, "game": game, "extends": extends}
    return re.sub(r"\$(\w+)", lambda word: words[word[1]], data.decode())
