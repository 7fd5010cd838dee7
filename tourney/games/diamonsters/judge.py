"""Diamonsters: what a judge computes. Sections and lines are those of the rulebook 00739-3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tourney.errors import TourneyError

ICHI, NI, SAN, SHI, GO = MONSTERS = (1, 2, 3, 4, 5)
BOX = 60
HAND = 5

IchiBeatsGo = Literal["whenever both remain", "only when nothing else remains"]
RoundDiamonds = Literal["at least 5", "exactly 5"]


@dataclass(frozen=True, slots=True)
class Bid:
    """One bid, seats counted from 0.

    winner:    who takes the monster and their own card, None where the monster is discarded
    cancelled: whose cards met an equal one and go back to the hand
    """

    winner: int | None
    cancelled: tuple[int, ...]


def bid(cards: Sequence[int], *, ichi_beats_go: IchiBeatsGo = "whenever both remain") -> Bid:
    """Return who wins a bid (Gameplay, L65-80): equal cards cancel, then Ichi beats Go, then the highest wins.

    cards: what each seat bid. When Ichi beats Go is a reading of L73 where a third card remains; see the setting.
    Raises TourneyError for a card that no monster has, or fewer than two bids.

    >>> bid([5, 3, 3, 1])
    Bid(winner=3, cancelled=(1, 2))
    """
    if len(cards) < 2:
        raise TourneyError("a bid needs two players or more")
    for card in cards:
        _monster(card)
    times = Counter(cards)
    cancelled = tuple(seat for seat, card in enumerate(cards) if times[card] > 1)
    alone = {card: seat for seat, card in enumerate(cards) if times[card] == 1}
    if not alone:
        return Bid(None, cancelled)
    ichi_wins = {ICHI, GO} <= alone.keys() and (ichi_beats_go == "whenever both remain" or len(alone) == 2)
    return Bid(alone[ICHI if ichi_wins else max(alone)], cancelled)


def _monster(card: int) -> int:
    if card not in MONSTERS:
        raise TourneyError(f"no monster has the value {card}; they are 1 (Ichi) to 5 (Go)")
    return card


def diamonds(collection: Sequence[int], *, ichi: int = 1, go: int = 1) -> int:
    """Return the diamonds of a monster collection: 2 for a Ni, 2 off for a Shi, none for a San (L23-35, L99).

    ichi, go: what these give is not printed; 1 is a reading.

    >>> diamonds([2, 2, 5]), diamonds([2, 2, 5, 4])
    (5, 3)
    """
    worth = {ICHI: ichi, NI: 2, SAN: 0, SHI: -2, GO: go}
    return sum(worth[_monster(card)] for card in collection)


def round_ends(
    collection: Sequence[int], *, ichi: int = 1, go: int = 1, total: RoundDiamonds = "at least 5"
) -> Literal["three of one monster", "diamonds"] | None:
    """Say why a collection ends the round, None while it does not (Round End, L96-99).

    Both at once is one plastic diamond. "A total of 5" is read as 5 or more; see the setting.
    """
    if max(Counter(collection).values(), default=0) >= 3:
        return "three of one monster"
    worth = diamonds(collection, ichi=ichi, go=go)
    return "diamonds" if worth == 5 or (worth > 5 and total == "at least 5") else None


def pieces_to_win(players: int) -> int:
    """Return how many plastic diamonds win the game (Game End, L107-109).

    >>> [pieces_to_win(players) for players in range(2, 7)]
    [5, 4, 3, 3, 3]
    """
    return {2: 5, 3: 4}.get(_table(players), 3)


def draw_deck(players: int) -> int:
    """Return how many cards the draw deck has at the start: the box without five for each player (Setup, L53-61).

    >>> [draw_deck(players) for players in range(2, 7)]
    [50, 45, 40, 35, 30]
    """
    return BOX - HAND * _table(players)


def _table(players: int) -> int:
    if not 2 <= players <= 6:
        raise TourneyError(f"{players} players: the game is for 2 to 6")
    return players


def most_diamonds(collections: Mapping[str, Sequence[int]], *, ichi: int = 1, go: int = 1) -> tuple[str, ...]:
    """Return who wins when the cards have run out: most diamonds in the collection (L82); a tie is not settled."""
    worth = {player: diamonds(cards, ichi=ichi, go=go) for player, cards in collections.items()}
    best = max(worth.values(), default=0)
    return tuple(player for player, number in worth.items() if number == best)
