"""Text of a format file → `Format`: parents merged, sugar rewritten, every expression read once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any, TypeVar

import msgspec

from tourney.decode import from_toml
from tourney.errors import TourneyError
from tourney.rules.expressions import check_defines
from tourney.rules.format import Format, NamedList, Placed
from tourney.rules.proofread import proofread
from tourney.rules.sugar import plain_rules, plain_zones
from tourney.rules.vocabulary import (
    EventFile,
    FormatFile,
    JudgeFile,
    MatchFile,
    PrintingsFile,
    Ruled,
    StandingsFile,
)

R = TypeVar("R", bound=Ruled)

_loading: ContextVar[tuple[str, ...]] = ContextVar("formats being loaded", default=())


def parse_format(text: str, *, source: str, parent: Callable[[str], Format]) -> Format:
    """Read a format file.

    source: names the file in messages
    parent: gives the format that an `extends` names; it may call `parse_format` again

    Raises TourneyError with file, key path and reason: a wrong shape, an expression that is not in the language
    (with its column), two rules of one id, a format that extends itself, a rule bounded by itself.
    """
    file = from_toml(text, FormatFile, source=source)
    file_id = _checked_id(file.format.id, source)
    chain = _loading.get()
    if file_id in chain:
        way = " → ".join((*chain[chain.index(file_id) :], file_id))
        raise TourneyError(f"{source}: extends: a format cannot extend itself ({way})")
    token = _loading.set((*chain, file_id))
    try:
        base = _extended(file, source, parent)
    finally:
        _loading.reset(token)
    format_ = _assemble(file, base, text, source)
    try:
        proofread(format_)
    except TourneyError as fault:
        if base is None or fault.message.startswith(f"{source}:"):
            raise
        inherited = f"{source}: a rule that it inherits does not hold in it: {fault.message}"
        raise TourneyError(inherited, fault.hint) from None
    return format_


def _checked_id(name: str, source: str) -> str:
    if name != name.strip() or any(part in {"", ".", ".."} for part in name.split("/")):
        raise TourneyError(
            f"{source}: format.id: `{name}` should be the game, a slash and the format",
            'id = "redline/standard"',
        )
    return name


def _extended(file: FormatFile, source: str, parent: Callable[[str], Format]) -> Format | None:
    named = [name for name in (file.extends, file.format.extends) if name]
    if len(named) > 1:
        raise TourneyError(f"{source}: extends: said twice, once at the top and once under [format]")
    if not named:
        return None
    try:
        return parent(named[0])
    except TourneyError as fault:
        raise TourneyError(f"{source}: extends `{named[0]}`: {fault.message}", fault.hint) from None
    except KeyError:
        raise TourneyError(f"{source}: extends: there is no format `{named[0]}`") from None


def _assemble(file: FormatFile, base: Format | None, text: str, source: str) -> Format:
    head, mine = file.format, file.format.id
    dropped = _dropped(file, base, source)
    define = {**(base.define if base else {}), **file.define}
    check_defines(define, source)
    own_zones, leader = plain_zones(file, base, source)
    rules = plain_rules(file, source)
    inherited = _Inherited(base, dropped)
    return Format(
        id=mine,
        name=head.name or mine,
        game=mine.partition("/")[0],
        pool=head.pool or (base.pool if base else mine.partition("/")[0]),
        rules=head.rules or (base.rules if base else None),
        about=head.about,
        published=head.source or (base.published if base else None),
        banlist=_banlist(file, base),
        banlist_at=head.banlist_at or (base.banlist_at if base else None),
        parents=(base.id, *base.parents) if base else (),
        houses=_houses(file, base),
        define=define,
        lists={**(base.lists if base else {}), **_lists(file, source)},
        settings={**(base.settings if base else {}), **file.settings},
        leader=leader or (base.leader if base else None),
        zones=inherited.merged("zones", own_zones, "zone:"),
        limits=inherited.merged("limits", rules.limits),
        requires=inherited.merged("requires", rules.requires),
        allows=inherited.merged("allows", rules.allows),
        covers=inherited.merged("covers", rules.covers),
        kit=rules.kit or (base.kit if base and "kit" not in dropped else None),
        printings=_printings(file, base, source),
        overrides=(*(base.overrides if base else ()), *rules.overrides),
        judge=(*(base.judge if base else ()), *_judge(file, source)),
        examples=rules.examples,
        match=file.match or (base.match if base else MatchFile()),
        standings=file.standings or (base.standings if base else StandingsFile()),
        event=file.event or (base.event if base else EventFile()),
        source=source,
        text=text,
        digest=_digest(text, base),
    )


def _judge(file: FormatFile, source: str) -> tuple[Placed[JudgeFile], ...]:
    return tuple(
        Placed(said, file.format.id, f"{source}: judge[{number}]") for number, said in enumerate(file.judge)
    )


def _banlist(file: FormatFile, base: Format | None) -> str | None:
    said = file.format.banlist
    if said is None:
        return base.banlist if base else None
    return None if said in {"", "none"} else said


def _digest(text: str, base: Format | None) -> str:
    whole = hashlib.sha256(text.encode())
    if base:
        whole.update(base.digest.encode())
    return whole.hexdigest()


def _lists(file: FormatFile, source: str) -> dict[str, NamedList]:
    return {
        name: NamedList(
            dict(cards) if isinstance(cards, dict) else dict.fromkeys(cards, 1), f"{source}: lists.{name}"
        )
        for name, cards in file.lists.items()
    }


def _printings(file: FormatFile, base: Format | None, source: str) -> Placed[PrintingsFile]:
    if file.printings:
        return Placed(_with_id(file.printings, "printing"), file.format.id, f"{source}: printings")
    if base:
        return base.printings
    usual = PrintingsFile(id="printing", standing="reading", cite="usual, unless a format says otherwise")
    return Placed(usual, file.format.id, f"{source}: printings")


def _with_id(rule: R, name: str) -> R:
    return rule if rule.id else msgspec.structs.replace(rule, id=name)


class _Inherited:
    """The extended format's rules without those that are dropped or said anew."""

    def __init__(self, base: Format | None, dropped: frozenset[str]) -> None:
        self.base = base
        self.dropped = dropped

    def merged(self, kind: str, own: Iterable[Placed[Any]], prefix: str = "") -> tuple[Placed[Any], ...]:
        own = tuple(own)
        said = {placed.rule.id: placed for placed in own}
        inherited: tuple[Placed[Any], ...] = getattr(self.base, kind) if self.base else ()
        kept = [said.pop(old.rule.id, old) for old in inherited if prefix + old.rule.id not in self.dropped]
        return (*kept, *(placed for placed in own if placed.rule.id in said))


def _houses(file: FormatFile, base: Format | None) -> frozenset[str]:
    """Name the house overlays: what extends another format and says of no page that it is published there."""
    if base is None:
        return frozenset()
    return base.houses if file.format.source else base.houses | {file.format.id}


def _dropped(file: FormatFile, base: Format | None, source: str) -> frozenset[str]:
    if not file.format.drop:
        return frozenset()
    if base is None:
        raise TourneyError(f"{source}: format.drop: there is nothing to drop, this format extends no other")
    known = {f"zone:{zone.rule.id}" for zone in base.zones}
    known |= {
        rule.rule.id for kind in (base.limits, base.requires, base.allows, base.covers) for rule in kind
    }
    known |= {"kit"} if base.kit else set()
    for name in file.format.drop:
        if name not in known:
            raise TourneyError(
                f"{source}: format.drop: `{base.id}` has no rule `{name}`",
                f"its rules: {', '.join(sorted(known))}",
            )
    return frozenset(file.format.drop)
