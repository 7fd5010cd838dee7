"""Prizes by place: a table of them as an organizer writes it in TOML, and who gets what.

    currency = "EUR"
    ties = "share"          # or "tie-break"

    [[prize]]
    places = 1
    cash = "250.00"         # for each place
    product = "a display"
    byes = 2                # at the next event

    [[prize]]
    places = "5-8"
    total = 50              # for all of these places together

    [[prize]]
    division = "Juniors"    # its own first place, whoever is ahead of it
    places = 1
    product = "a booster"

A place may stand in several of them: what is in them is added. Money is counted in whole cents and no cent is lost: what
cannot be divided goes, a cent each, to the higher places. The table is a file that the organizer keeps; nothing of it
is written into the event.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import groupby
from types import MappingProxyType
from typing import Literal

import msgspec

from tourney.cards.names import fold
from tourney.decode import from_toml
from tourney.errors import TourneyError
from tourney.event.brackets import STILL_IN, FinalPlace, FinalRanking
from tourney.event.field import division_places
from tourney.event.phrases import tables_text
from tourney.record import NameOf, PlayerId
from tourney.wording import counted, listed, listed_short

_LAST_PLACE = 10_000
"""The last place that can have a prize."""

MOST_PLACES = 100_000
"""Places named in a file, all ranges together."""

_MOST_BYES = 99
"""Byes that one place can win."""

_LONGEST_PRODUCT = 200
"""Characters of a product, and of a division's name."""

_PLACES = re.compile(r"\s*([0-9]{1,6})\s*(?:[-–—]\s*([0-9]{1,6})\s*)?")
_MONEY = re.compile(r"([0-9]{1,10})(?:[.,]([0-9]{1,2}))?")


class Prize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody gets for a place. cash: for each of the places; total: for all of them together.

    division: whose places they are, by its name; empty: those of all
    """

    places: int | str
    cash: int | float | str | None = None
    total: int | float | str | None = None
    product: str = ""
    byes: int = 0
    division: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    prize: tuple[Prize, ...]
    currency: str = ""
    ties: Literal["share", "tie-break"] = "share"


@dataclass(slots=True)
class _Worth:
    """What a place is worth."""

    cents: int = 0
    products: list[str] = field(default_factory=list)
    byes: int = 0

    def __bool__(self) -> bool:
        return bool(self.cents or self.products or self.byes)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeTable:
    """A table of prizes. worth: division (empty: all) → place → what it is worth; notes: where a cent could not be divided."""

    worth: dict[str, dict[int, _Worth]]
    currency: str
    ties: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """What a player gets. place: as written, `5–8`; player: None where nobody has the place (yet), `name` says why.

    division: the one whose place it is; empty: of all
    """

    place: str
    first: int
    player: PlayerId | None
    name: str
    cents: int = 0
    product: str = ""
    byes: int = 0
    division: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Awards:
    """All that is given away, best place first.

    cents: what it comes to, places that nobody has included
    notes: how ties and cents were settled, what is left to settle
    counts: which rounds the places count; why_not: why they are not final, empty where they are
    """

    rows: tuple[Award, ...]
    currency: str
    cents: int
    notes: tuple[str, ...]
    counts: str
    why_not: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """What is to be won at all: `cash`, `product`, `byes`."""
        has = {
            "cash": any(row.cents for row in self.rows),
            "product": any(row.product for row in self.rows),
            "byes": any(row.byes for row in self.rows),
        }
        return tuple(name for name, there in has.items() if there)

    @property
    def divided(self) -> bool:
        """Whether there are prizes for the places of a division."""
        return any(row.division for row in self.rows)

    @property
    def total(self) -> str:
        """All of it, in words: `450.00 EUR`, `nothing in cash`."""
        return money_text(self.cents, self.currency) if self.cents else "nothing in cash"

    @staticmethod
    def amount(row: Award) -> str:
        """Write a row's cash as a plain number; nothing for nothing."""
        return money_text(row.cents) if row.cents else ""

    def cell(self, row: Award, column: str) -> str:
        """Write what a row has in a column; nothing for nothing."""
        if column == "cash":
            return money_text(row.cents, self.currency) if row.cents else ""
        return row.product if column == "product" else str(row.byes or "")


def money_text(cents: int, currency: str = "") -> str:
    """Write an amount.

    >>> money_text(25005, "EUR"), money_text(7)
    ('250.05 EUR', '0.07')
    """
    return f"{cents // 100}.{cents % 100:02}{' ' if currency else ''}{currency}"


def read_prizes(text: str, *, source: str) -> PrizeTable:
    """Read a table of prizes. Raises TourneyError with file and key."""
    file = from_toml(text, _File, source=source)
    if not file.prize:
        raise TourneyError(
            f"{source}: there is no prize in it", "a table `[[prize]]` for each place or range"
        )
    if len(file.currency) > 10 or not file.currency.isprintable():
        raise TourneyError(f"{source}: currency: a short word is needed (`EUR`)")
    worth: dict[str, dict[int, _Worth]] = {}
    spelled: dict[str, str] = {"": ""}
    notes: list[str] = []
    named = 0
    for number, prize in enumerate(file.prize):
        key = f"{source}: prize[{number}]"
        first, last = _places(prize.places, f"{key}.places")
        named += last - first + 1
        if named > MOST_PLACES:
            raise TourneyError(f"{key}.places: more than {MOST_PLACES:,} places are named in this file")
        _refuse_odd(prize, key)
        of = spelled.setdefault(fold(prize.division), " ".join(prize.division.split()))
        places = worth.setdefault(of, {})
        added_to = [places.setdefault(place, _Worth()) for place in range(first, last + 1)]
        total, rest = _add(prize, added_to, key)
        if rest:
            higher = f"place {first}" if rest == 1 else f"places {first}–{first + rest - 1}"
            notes.append(
                f"{_of(of)}{money_text(total, file.currency)} for places {first}–{last}: a cent more for {higher}"
            )
    return PrizeTable(
        worth={of: dict(sorted(worth[of].items())) for of in sorted(worth, key=bool)},
        currency=file.currency.strip(),
        ties=file.ties,
        notes=tuple(notes),
    )


def _places(places: int | str, key: str) -> tuple[int, int]:
    match = _PLACES.fullmatch(str(places))
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last <= _LAST_PLACE:
        raise TourneyError(f"{key}: `{str(places)[:40]}` is not a place (`1`) or a range of places (`5-8`)")
    return first, last


def _refuse_odd(prize: Prize, key: str) -> None:
    if prize.cash is not None and prize.total is not None:
        raise TourneyError(f"{key}: `cash` is for each place, `total` for all together: one of them")
    if not 0 <= prize.byes <= _MOST_BYES:
        raise TourneyError(f"{key}.byes: a number from 0 to {_MOST_BYES} is needed, not {prize.byes}")
    if len(prize.division) > _LONGEST_PRODUCT or not prize.division.isprintable():
        raise TourneyError(f"{key}.division: one line of at most {_LONGEST_PRODUCT} characters is needed")
    if len(prize.product) > _LONGEST_PRODUCT or not prize.product.isprintable():
        raise TourneyError(f"{key}.product: one line of at most {_LONGEST_PRODUCT} characters is needed")
    if prize.cash is None and prize.total is None and not prize.product.strip() and not prize.byes:
        raise TourneyError(f"{key}: nothing is to be won: `cash`, `total`, `product` or `byes`")


def _add(prize: Prize, places: Sequence[_Worth], key: str) -> tuple[int, int]:
    """Add a prize to what its places are worth; return what they have together in cents, and how many had one more."""
    cash, total = _cents(prize.cash, f"{key}.cash"), _cents(prize.total, f"{key}.total")
    product = " ".join(prize.product.split())
    for worth, share in zip(places, _divided(total, len(places)), strict=True):
        worth.cents += cash + share
        worth.byes += prize.byes
        worth.products += [product] * bool(product)
    return total, total % len(places)


def _cents(amount: float | str | None, key: str) -> int:
    """Return an amount in cents. Raises TourneyError for what has no whole cents."""
    if amount is None:
        return 0
    written = amount.strip() if isinstance(amount, str) else format(Decimal(repr(amount)), "f")
    match = _MONEY.fullmatch(written.removesuffix(".0") if isinstance(amount, float) else written)
    if not match:
        raise TourneyError(f"{key}: `{written[:40]}` is not an amount in whole cents (`250` or `12.50`)")
    return int(match[1]) * 100 + int((match[2] or "0").ljust(2, "0"))


def _divided(cents: int, among: int) -> list[int]:
    """Divide an amount; the cents that are left go to the first ones.

    >>> _divided(1000, 3)
    [334, 333, 333]
    """
    share, rest = divmod(cents, among)
    return [share + (number < rest) for number in range(among)]


def award(
    table: PrizeTable,
    ranking: FinalRanking,
    *,
    name: NameOf,
    so_far: bool = False,
    divisions: Mapping[PlayerId, str] = MappingProxyType({}),
    tell_divisions: bool = True,
) -> Awards:
    """Say who gets what.

    name: how players are called; so_far: also while the places are not final: what nobody has for certain stays open
    divisions: of players who are in one (`tourney.event.field.divisions_of`); tell_divisions: whether it is said whose prize
               was a division's

    Who shares places shares what they are worth, or with ties = "tie-break" has a place each by seed in the bracket;
    players who are level in everything share whatever the table says. Products and byes that are not the same for all of
    them are not divided: that is left to settle, and said. A division's prizes go by its own places, beside those of all.
    Raises TourneyError while the places are not final.
    """
    if ranking.why_not and not so_far:
        raise TourneyError(
            f"the places are not final: {ranking.why_not}", "`--so-far` tells who would get what"
        )
    rows: list[Award] = []
    notes = list(table.notes)
    called = {fold(each): each for each in divisions.values()}
    for named, worth in table.worth.items():
        found: list[str] = []
        division = called.get(fold(named), named)
        placed = _placed(ranking, divisions, division)
        told = division if tell_divisions else ""
        rows += (replace(row, division=told) for row in _given(table, worth, placed, name, found))
        found += _lot_notes(ranking, worth, placed, name)
        notes += (f"{_of(told)}{note}" for note in found)
    return Awards(
        rows=tuple(rows),
        currency=table.currency,
        cents=sum(row.cents for row in rows),
        notes=tuple(notes),
        counts=ranking.counts,
        why_not=ranking.why_not,
    )


def _lot_notes(
    ranking: FinalRanking, worth: Mapping[int, _Worth], placed: Sequence[FinalPlace], name: NameOf
) -> Iterator[str]:
    """Name the players who get different prizes by the lot alone."""
    first = {each.player: each.first for each in placed if each.first is not None}
    for group in ranking.by_lot:
        places = {player: first[player] for player in group if player in first}
        numbers = [*dict.fromkeys(places.values())]
        worths = [worth.get(place, _Worth()) for place in numbers]
        if any(each != worths[0] for each in worths):
            names = listed_short([name(player) for player in places])
            yield f"only the lot separates {names}: they have places {tables_text(numbers)} in this order"


def _of(division: str) -> str:
    return f"{division}: " if division else ""


def _placed(ranking: FinalRanking, divisions: Mapping[PlayerId, str], division: str) -> list[FinalPlace]:
    """Return who has a place, best first: of all, or in a division the place in it."""
    placed = [each for each in ranking.places if each.first is not None]
    if not division:
        return placed
    inside = division_places(
        {player: name for player, name in divisions.items() if name == division},
        ((each.player, each.first) for each in placed),
    )
    return [
        replace(each, first=place.first, last=place.last)
        for each in placed
        if (place := inside.get(each.player)) is not None
    ]


def _given(
    table: PrizeTable, worth: Mapping[int, _Worth], placed: list[FinalPlace], name: NameOf, notes: list[str]
) -> Iterator[Award]:
    """Give out what the places of a ranking are worth; what is to be known of it goes to `notes`."""
    for _, members in groupby(placed, key=lambda each: each.first):
        group = list(members)
        worths = [worth.get(place, _Worth()) for place in _numbers(group)]
        if any(worths):
            yield from _of_group(table, group, worths, name, notes)
    beyond = [place for place in worth if place > len(placed)]
    for place in beyond:
        yield _row(worth[place], str(place), place, None, "nobody")
    if beyond:
        where = f"place {beyond[0]}" if len(beyond) == 1 else f"places {tables_text(beyond)}"
        notes.append(
            f"nobody has {where}: {counted(len(placed), 'player')} placed" if placed else "nobody is placed"
        )


def _numbers(group: Sequence[FinalPlace]) -> range:
    """Return the places that a group shares."""
    first, last = group[0].first, group[0].last
    assert first is not None and last is not None, "who has no place gets nothing"  # noqa: PT018
    return range(first, last + 1)


def _row(worth: _Worth, place: str, first: int, player: PlayerId | None, name: str) -> Award:
    return Award(
        place=place,
        first=first,
        player=player,
        name=name,
        cents=worth.cents,
        product=", ".join(worth.products),
        byes=worth.byes,
    )


def _of_group(
    table: PrizeTable, group: list[FinalPlace], worths: list[_Worth], name: NameOf, notes: list[str]
) -> Iterator[Award]:
    """Give out what the places of a group that shares them are worth: left open, by seed, or shared."""
    numbers = _numbers(group)
    if any(each.came == STILL_IN for each in group):
        yield from (
            _row(worth, str(n), n, None, "open") for worth, n in zip(worths, numbers, strict=True) if worth
        )
    elif len(group) > 1 and table.ties == "tie-break" and all(each.seed is not None for each in group):
        names = listed(map(name, (each.player for each in group)))
        notes.append(f"places {numbers[0]}–{numbers[-1]} by seed in the bracket: {names}")
        yield from (
            _row(worth, str(n), n, each.player, name(each.player))
            for worth, n, each in zip(worths, numbers, group, strict=True)
        )
    else:
        yield from _shared(table, group, worths, name, notes)


def _shared(
    table: PrizeTable, group: list[FinalPlace], worths: list[_Worth], name: NameOf, notes: list[str]
) -> Iterator[Award]:
    """Share out what the places of a group are worth: cash to the cent, all else only where each place has the same."""
    numbers = _numbers(group)
    cents = [worths[0].cents]
    if len(group) > 1:
        cents = _divided(total := sum(worth.cents for worth in worths), len(group))
        if total % len(group):
            more = listed(name(each.player) for each in group[: total % len(group)])
            by = "seed in the bracket" if group[0].seed is not None else "registration"
            notes.append(
                f"{money_text(total, table.currency)} shared by places {numbers[0]}–{numbers[-1]}:"
                f" a cent more for {more}, first by {by}"
            )
    alike = all((worth.products, worth.byes) == (worths[0].products, worths[0].byes) for worth in worths)
    if not alike:
        things = [words for worth in worths if (words := _things(worth))]
        names = listed(name(each.player) for each in group)
        notes.append(
            f"to be settled between {names}, who share places {numbers[0]}–{numbers[-1]}: {'; '.join(things)}"
        )
    for each, own in zip(group, cents, strict=True):
        given = _Worth(own, worths[0].products, worths[0].byes) if alike else _Worth(own)
        yield _row(given, each.words, numbers[0], each.player, name(each.player))


def _things(worth: _Worth) -> str:
    byes = [counted(worth.byes, "bye")] if worth.byes else []
    return ", ".join([*worth.products, *byes])
