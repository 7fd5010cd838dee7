"""JSON documents about formats and ban lists: structs, and the functions that make them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import msgspec

from tourney.document import Document
from tourney.errors import Finding
from tourney.rules.banlist import BanList, ConditionFile, GroupFile, Points
from tourney.rules.format import Format
from tourney.rules.summary import Sheet
from tourney.rules.vocabulary import BUILT_IN_LISTS


class FormatSummary(msgspec.Struct, frozen=True):
    """A format, without its rules.

    id: the format, by its id
    name: the name of the format
    game: the game, by its id
    pool: the card pool; null if the format has none
    rules: the edition of the rules; null if the format names none
    banlist: the ban list that the format asks for; null if it asks for none
    extends: the formats that it extends, the nearest first
    """

    id: str
    name: str
    game: str
    pool: str | None
    rules: str | None
    banlist: str | None
    extends: tuple[str, ...]

    @classmethod
    def of(cls, format_: Format) -> FormatSummary:
        """Return the summary of a format: its id, name, pool and the like, without its rules."""
        return cls(
            id=format_.id,
            name=format_.name,
            game=format_.game,
            pool=format_.pool,
            rules=format_.edition,
            banlist=format_.banlist,
            extends=tuple(format_.parents),
        )


class FormatList(Document, frozen=True, tag="tourney.format-list/1"):
    """What `tourney format list --json` prints.

    formats: the available formats: those included in the program, installed, or in the folder of `--data`
    """

    formats: tuple[FormatSummary, ...]


class ExampleResult(msgspec.Struct, frozen=True):
    """The result of checking an example of a format.

    name: the name of the example
    verdict: `legal`, `illegal` or `unverified`
    faults: the differences from what the file expects, in sentences
    """

    name: str
    verdict: str
    faults: tuple[str, ...]


class ShownFormat(Document, frozen=True, tag="tourney.format/1"):
    """What `tourney format show NAME --json` prints.

    format: the format
    sheet: the judge's sheet
    examples: with `--check`: the result of each example
    remarks: with `--check`: the parts of the format that have no effect
    """

    format: FormatSummary
    sheet: Sheet
    examples: tuple[ExampleResult, ...]
    remarks: tuple[Finding, ...]


class ListedBanList(msgspec.Struct, frozen=True):
    """A ban list that is installed, or that a format asks for.

    name: the name of the list
    days: the first day of each installed edition; empty if none is installed
    in_force: the first day of the edition in force; null if none is
    next: the first day of the next edition; null if none is installed
    formats: the formats that ask for it
    published: where it is published; null if no format says so
    """

    name: str
    days: tuple[date, ...]
    in_force: date | None
    next: date | None
    formats: tuple[str, ...]
    published: str | None


class BanListList(Document, frozen=True, tag="tourney.banlist-list/1"):
    """What `tourney banlist list --json` prints. on: today; banlists: the ban lists."""

    on: date
    banlists: tuple[ListedBanList, ...]


class ShownBanList(Document, frozen=True, tag="tourney.banlist/1"):
    """What `tourney banlist show NAME --json` prints.

    name: the name of the list
    from: the first day on which it is in force
    announced: the day on which it was announced; null if unknown
    source: where it is published; null if unknown
    fingerprint: the first digits of the digest
    digest: the SHA-256 of the list's text
    cards: name of a card to the number of copies that are allowed
    points: the points of the cards and their limit; null if the list has no points
    groups: groups of cards, each with the maximum number that a deck can have
    where: conditions by which cards are banned or restricted
    lists: the file's own lists, each with its cards
    region: the region in which the list is in force; null for everywhere
    note: a remark; null if there is none
    """

    name: str
    day: date = msgspec.field(name="from")
    announced: date | None
    source: str | None
    fingerprint: str
    digest: str
    cards: Mapping[str, int]
    points: Points | None
    groups: tuple[GroupFile, ...]
    where: tuple[ConditionFile, ...]
    lists: Mapping[str, Mapping[str, int]]
    region: str | None
    note: str | None


def shown_banlist(banlist: BanList) -> ShownBanList:
    """Return the JSON document of a ban list."""
    return ShownBanList(
        name=banlist.name,
        day=banlist.day,
        announced=banlist.announced,
        source=banlist.published,
        fingerprint=banlist.fingerprint,
        digest=banlist.digest,
        cards=banlist.cards,
        points=banlist.points,
        groups=banlist.groups,
        where=banlist.wheres,
        lists={name: cards for name, cards in banlist.lists.items() if name not in BUILT_IN_LISTS},
        region=banlist.region,
        note=banlist.note,
    )
