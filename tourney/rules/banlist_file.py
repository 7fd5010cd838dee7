"""The words of a ban list file, as they are written."""

from __future__ import annotations

from datetime import date
from typing import Literal

import msgspec

from tourney.rules.vocabulary import Bound


class GroupFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[group]]` of a ban list: at most `max` of these, counted by different card (`per = "copy"`: by copy)."""

    cards: tuple[str, ...]
    max: int = 1
    name: str = ""
    per: Literal["name", "copy"] = "name"
    zones: tuple[str, ...] = ()


class BanWhereFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[where]]` of a ban list: what the condition fits may be there `max` times in all (0: banned), for `reason`.

    by: `name` holds each card to `max` by itself
    """

    where: str
    max: Bound = 0
    by: Literal["", "name"] = ""
    reason: str = ""
    except_cards: tuple[str, ...] = msgspec.field(default=(), name="except")


class BanListFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ban list file; its date stands in the file's name only.

    cards:  0 banned, 1 restricted to one copy, n at most n copies
    points: `total` and a number for each card; with `per = "name"` copies beyond the first cost nothing
    lists:  further named lists that the format's expressions ask with `listed` and `points`
    region: where it holds, if that matters
    """

    source: str | None = None
    name: str | None = None
    announced: date | None = None
    region: str | None = None
    note: str | None = None
    cards: dict[str, int] = {}
    points: dict[str, int | str | dict[str, int]] = {}
    group: tuple[GroupFile, ...] = ()
    where: tuple[BanWhereFile, ...] = ()
    lists: dict[str, tuple[str, ...] | dict[str, int]] = {}
