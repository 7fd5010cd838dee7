"""Prizes by place: read the organizer's file, and award each place its prize.

    currency = "EUR"
    ties = "share"          # or "tie-break"

    [[prize]]
    places = 1
    cash = "250.00"         # for each place
    product = "a display"
    byes = 2                # at the next event

    [[prize]]
    places = "5-8"
    total = 50              # for all these places together

    [[prize]]
    division = "Juniors"    # the first player of the division, at any place
    places = 1
    product = "a booster"

If several `[[prize]]` tables name a place, their prizes are added. Money is counted in whole cents, and no
cent is lost: if an amount cannot be divided evenly, the higher places get one cent more. The file is not
recorded in the event.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from types import MappingProxyType
from typing import Literal

from msgspec import UNSET, Struct, field, structs
from msgspec.structs import replace

from tourney.cards.names import fold
from tourney.decode import from_toml
from tourney.errors import TourneyError
from tourney.event.brackets import STILL_IN, FinalPlace, FinalRanking
from tourney.event.field import division_places
from tourney.event.phrases import tables_text
from tourney.event.view import PrizeList, PrizeRow, money_text
from tourney.record import NameOf, PlayerId
from tourney.wording import counted, listed, listed_short

_LAST_PLACE = 10_000
"""The last place that can have a prize."""

MOST_PLACES = 100_000
"""The maximum number of places that a file may name, counting all ranges."""

_MOST_BYES = 99
"""The maximum number of byes that a place can win."""

_LONGEST_PRODUCT = 200
"""The maximum number of characters of a product, and of a division's name."""

_PLACES = re.compile(r"\s*([0-9]{1,6})\s*(?:[-–—]\s*([0-9]{1,6})\s*)?")
_MONEY = re.compile(r"([0-9]{1,10})(?:[.,]([0-9]{1,2}))?")


class Prize(Struct, frozen=True, forbid_unknown_fields=True):
    """A `[[prize]]` table of the file.

    places: a place or a range of places
    cash: money for each of the places
    total: money for all of the places together
    division: the division that the places are in; empty for the places of all players
    """

    places: int | str
    cash: int | float | str | None = None
    total: int | float | str | None = None
    product: str = ""
    byes: int = 0
    division: str = ""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    prize: tuple[Prize, ...]
    currency: str = ""
    ties: Literal["share", "tie-break"] = "share"


class _Worth(Struct):
    """What the player at a place wins: money, products and byes."""

    cents: int = 0
    products: list[str] = field(default_factory=list)
    byes: int = 0

    def __bool__(self) -> bool:
        return bool(self.cents or self.products or self.byes)


class PrizeTable(Struct, frozen=True, kw_only=True):
    """The content of a file of prizes.

    worth: division → place → prize; the empty division means all players
    notes: the places that get one cent more because an amount could not be divided evenly
    """

    worth: dict[str, dict[int, _Worth]]
    currency: str
    ties: str
    notes: tuple[str, ...]


def read_prizes(text: str, *, source: str) -> PrizeTable:
    """Parse a file of prizes. Raises a TourneyError that names the file and the key of a fault."""
    file = from_toml(text, _File, source=source)
    if not file.prize:
        raise TourneyError(
            f"{source}: the file has no prizes", "add a table `[[prize]]` for each place or range of places"
        )
    if len(file.currency) > 10 or not file.currency.isprintable():
        raise TourneyError(f"{source}: currency: expected a short word such as `EUR`")
    worth: dict[str, dict[int, _Worth]] = {}
    spellings: dict[str, str] = {"": ""}
    notes: list[str] = []
    count = 0
    for number, prize in enumerate(file.prize):
        key = f"{source}: prize[{number}]"
        first, last = _places(prize.places, f"{key}.places")
        count += last - first + 1
        if count > MOST_PLACES:
            raise TourneyError(f"{key}.places: the file names more than {MOST_PLACES:,} places")
        _refuse_odd(prize, key)
        division = spellings.setdefault(fold(prize.division), " ".join(prize.division.split()))
        places = worth.setdefault(division, {})
        total, remainder = _add(prize, [places.setdefault(n, _Worth()) for n in range(first, last + 1)], key)
        if remainder:
            higher = f"place {first}" if remainder == 1 else f"places {first}–{first + remainder - 1}"
            prize_text = f"{money_text(total, file.currency)} for places {first}–{last}"
            notes.append(f"{_prefix(division)}{prize_text}: one cent more for {higher}")
    return PrizeTable(
        worth={division: dict(sorted(worth[division].items())) for division in sorted(worth, key=bool)},
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
        raise TourneyError(
            f"{key}: use either `cash` (for each place) or `total` (for all places together), not both"
        )
    if not 0 <= prize.byes <= _MOST_BYES:
        raise TourneyError(f"{key}.byes: expected a number from 0 to {_MOST_BYES}, not {prize.byes}")
    if len(prize.division) > _LONGEST_PRODUCT or not prize.division.isprintable():
        raise TourneyError(f"{key}.division: expected one line of at most {_LONGEST_PRODUCT} characters")
    if len(prize.product) > _LONGEST_PRODUCT or not prize.product.isprintable():
        raise TourneyError(f"{key}.product: expected one line of at most {_LONGEST_PRODUCT} characters")
    if prize.cash is None and prize.total is None and not prize.product.strip() and not prize.byes:
        raise TourneyError(f"{key}: the prize is empty; expected `cash`, `total`, `product` or `byes`")


def _add(prize: Prize, places: Sequence[_Worth], key: str) -> tuple[int, int]:
    """Add a prize of the file to each place that it is for.

    Returns the amount that the places share, in cents, and the number of places whose share is one cent
    larger because the amount could not be divided evenly.
    """
    cash, total = _cents(prize.cash, f"{key}.cash"), _cents(prize.total, f"{key}.total")
    product = " ".join(prize.product.split())
    for worth, share in zip(places, _divide_evenly(total, len(places)), strict=True):
        worth.cents += cash + share
        worth.byes += prize.byes
        worth.products += [product] * bool(product)
    return total, total % len(places)


def _cents(amount: float | str | None, key: str) -> int:
    """Return an amount in cents; 0 for None. Raises TourneyError for fractions of a cent."""
    if amount is None:
        return 0
    text = amount.strip() if isinstance(amount, str) else format(Decimal(repr(amount)), "f")
    match = _MONEY.fullmatch(text.removesuffix(".0") if isinstance(amount, float) else text)
    if not match:
        raise TourneyError(f"{key}: `{text[:40]}` is not an amount in whole cents (`250` or `12.50`)")
    return int(match[1]) * 100 + int((match[2] or "0").ljust(2, "0"))


def _divide_evenly(cents: int, among: int) -> list[int]:
    """Return the shares of an amount. If it does not divide evenly, the first get a cent more.

    >>> _divide_evenly(1000, 3)
    [334, 333, 333]
    """
    share, remainder = divmod(cents, among)
    return [share + (number < remainder) for number in range(among)]


def award(
    table: PrizeTable,
    ranking: FinalRanking,
    *,
    name: NameOf,
    so_far: bool = False,
    divisions: Mapping[PlayerId, str] = MappingProxyType({}),
    show_divisions: bool = True,
) -> PrizeList:
    """Return the prize of each place, best place first: for all players, then for divisions.

    so_far:         whether to allow places that are not final. Then the prizes of players who are still in
        the bracket are listed without a player
    divisions:      player → division (`tourney.event.field.divisions_of`)
    show_divisions: whether rows and notes name divisions

    Players who share places share their prizes. With `ties = "tie-break"`, players of the bracket do not
    share places: their seeds decide. If products or byes differ between shared places, a note asks the
    organizer to decide.

    Raises TourneyError if the places are not final and `so_far` is not set.
    """
    if ranking.why_not and not so_far:
        raise TourneyError(
            f"the places are not final: {ranking.why_not}",
            "to show the prizes by current places, add `--so-far`",
        )
    rows: list[PrizeRow] = []
    notes = list(table.notes)
    spellings = {fold(division): division for division in divisions.values()}
    for raw_name, worth in table.worth.items():
        division = spellings.get(fold(raw_name), raw_name)
        ceremony = _Ceremony(table, worth, _ranked_places(ranking, divisions, division), name)
        label = division if show_divisions else ""
        rows += (structs.replace(row, division=label or UNSET) for row in ceremony.rows())
        notes += (
            f"{_prefix(label)}{note}" for note in [*ceremony.notes, *ceremony.lot_notes(ranking.by_lot)]
        )
    return PrizeList(
        final=not ranking.why_not,
        open=ranking.why_not or None,
        as_of=ranking.counts,
        currency=table.currency or None,
        cents=sum(row.cents for row in rows),
        prizes=tuple(rows),
        notes=tuple(notes),
    )


def _prefix(division: str) -> str:
    return f"{division}: " if division else ""


def _ranked_places(
    ranking: FinalRanking, divisions: Mapping[PlayerId, str], division: str
) -> list[FinalPlace]:
    """Return the players with a place, best first.

    division: if not empty, return only its members, with their places within the division
    """
    places = [place for place in ranking.places if place.first is not None]
    if not division:
        return places
    members = {player: name for player, name in divisions.items() if name == division}
    places_in_division = division_places(members, ((place.player, place.first) for place in places))
    return [
        replace(
            place,
            first=places_in_division[place.player].division_place,
            last=places_in_division[place.player].division_last,
        )
        for place in places
        if place.player in places_in_division
    ]


class _Ceremony(Struct):
    """Awards the prizes of one ranking, and collects notes for the organizer.

    worth: place → prize
    places: the players with a place, best first
    """

    table: PrizeTable
    worth: Mapping[int, _Worth]
    places: Sequence[FinalPlace]
    name: NameOf
    notes: list[str] = field(default_factory=list)

    def rows(self) -> Iterator[PrizeRow]:
        """Yield the prizes of players' places, best first, then those of places without a player."""
        for _, players in groupby(self.places, key=lambda place: place.first):
            group = list(players)
            numbers = _numbers(group)
            worths = [self.worth.get(number, _Worth()) for number in numbers]
            if any(worths):
                yield from self._of_group(group, numbers, worths)
        unfilled_places = [number for number in self.worth if number > len(self.places)]
        for number in unfilled_places:
            yield _row(self.worth[number], number)
        if unfilled_places and self.places:
            player_count = counted(len(self.places), "player")
            self.notes.append(f"no player has {_at_places(unfilled_places)}: only {player_count} placed")
        elif unfilled_places:
            self.notes.append("no player has a place")

    def _of_group(
        self, group: Sequence[FinalPlace], numbers: range, worths: Sequence[_Worth]
    ) -> Iterator[PrizeRow]:
        """Yield the awards of a group of players who share places.

        If a player of the group is still in the bracket, the prizes are listed without players. With
        `ties = "tie-break"`, if all players of the group played in the bracket, the one with the best seed
        gets the prize of the best place, and so on. Otherwise the group shares the prizes.

        numbers, worths: the places that the group shares, and their prizes
        """
        if any(place.bracket == STILL_IN for place in group):
            yield from (_row(worth, number) for worth, number in zip(worths, numbers, strict=True) if worth)
        elif (
            len(group) > 1
            and self.table.ties == "tie-break"
            and all(place.seed is not None for place in group)
        ):
            names = self._names(group)
            self.notes.append(f"places {numbers[0]}–{numbers[-1]} by seed in the bracket: {names}")
            yield from (
                self._award_place(worth, number, place.player)
                for worth, number, place in zip(worths, numbers, group, strict=True)
            )
        else:
            yield from self._share_prizes(group, numbers, worths)

    def _share_prizes(
        self, group: Sequence[FinalPlace], numbers: range, worths: Sequence[_Worth]
    ) -> Iterator[PrizeRow]:
        """Yield the awards of a group that shares prizes.

        Products and byes are included only if all places have the same ones.
        """
        total = sum(worth.cents for worth in worths)
        if remainder := total % len(group):
            tie_breaker = "seed in the bracket" if group[0].seed is not None else "order of registration"
            self.notes.append(
                f"{money_text(total, self.table.currency)} shared by places {numbers[0]}–{numbers[-1]}:"
                f" one cent more for {self._names(group[:remainder])}, by {tie_breaker}"
            )
        first = worths[0]
        is_same = all((worth.products, worth.byes) == (first.products, first.byes) for worth in worths)
        if not is_same:
            prize_texts = "; ".join(filter(None, map(_prize_text, worths)))
            self.notes.append(
                f"to be settled between {self._names(group)}, who share places {numbers[0]}–{numbers[-1]}: "
                f"{prize_texts}"
            )
        for place, cents in zip(group, _divide_evenly(total, len(group)), strict=True):
            worth = _Worth(cents, first.products, first.byes) if is_same else _Worth(cents)
            row = self._award_place(worth, numbers[0], place.player)
            yield structs.replace(row, places=place.words)

    def lot_notes(self, by_lot: Sequence[Sequence[PlayerId]]) -> Iterator[str]:
        """Yield a note on each group of players who get different prizes only because of the lot.

        by_lot: the groups of players that only the lot separates, as in `FinalRanking`
        """
        first_places = {place.player: place.first for place in self.places if place.first is not None}
        for group in by_lot:
            players = [player for player in group if player in first_places]
            numbers = [*dict.fromkeys(first_places[player] for player in players)]
            worths = [self.worth.get(number, _Worth()) for number in numbers]
            if any(worth != worths[0] for worth in worths):
                names = listed_short([self.name(player) for player in players])
                yield f"only the lot separates {names}: they have places {tables_text(numbers)} in this order"

    def _award_place(self, worth: _Worth, place: int, player: PlayerId) -> PrizeRow:
        return structs.replace(_row(worth, place), player=self.name(player), number=player)

    def _names(self, group: Sequence[FinalPlace]) -> str:
        return listed(self.name(place.player) for place in group)


def _numbers(group: Sequence[FinalPlace]) -> range:
    """Return the numbers of the places that a group of players shares."""
    first, last = group[0].first, group[0].last
    assert first is not None
    assert last is not None
    return range(first, last + 1)


def _at_places(numbers: Sequence[int]) -> str:
    return f"place {numbers[0]}" if len(numbers) == 1 else f"places {tables_text(numbers)}"


def _row(worth: _Worth, place: int) -> PrizeRow:
    """Return the row of a place in the list of prizes; the player of the row is None."""
    return PrizeRow(
        place=place,
        places=str(place),
        player=None,
        number=None,
        cents=worth.cents,
        product=", ".join(worth.products) or None,
        byes=worth.byes,
    )


def _prize_text(worth: _Worth) -> str:
    byes = [counted(worth.byes, "bye")] if worth.byes else []
    return ", ".join([*worth.products, *byes])
