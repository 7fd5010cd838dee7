"""Calculate answers to questions about the rules of the game Diamonsters.

Citations are sections and lines of the rulebook 00739-3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from operator import add, le
from typing import Annotated, Any, Literal

from msgspec import Struct

from tourney.errors import TourneyError
from tourney.games.questions import Answer, Game, OpenText, Step, sentence
from tourney.games.typed import Label, Player
from tourney.wording import counted, listed

GAME = Game("Diamonsters", "rulebook 00739-3")

ICHI, NI, SAN, SHI, GO = MONSTERS = (1, 2, 3, 4, 5)
NAMES = ("Ichi", "Ni", "San", "Shi", "Go")

COPIES = 12
"""The number of cards of each monster in the box. The rulebook does not say; see NOTES.md."""

Monster = Annotated[int, Label("MONSTER", numbers=NAMES)]
"""A monster card, by its number or its name."""

IchiBeatsGo = Annotated[
    Literal["whenever both remain", "only when nothing else remains"],
    OpenText(
        "When Ichi beats Go, after equal bids have gone back",
        "L73, L45",
        "L73: the bid ends with Ichi against Go",
    ),
]
LoneIchi = Annotated[
    Literal["loses", "wins"],
    OpenText(
        "What happens to an Ichi that is left alone because equal Gos have gone back",
        "L73: poor Ichi is left in defeat",
        "L78: the only player to use that monster",
    ),
]
EqualIchis = Annotated[
    Literal["go back", "beat Go all the same"],
    OpenText("What equal Ichis do to a single Go", "L71, L78", "L49"),
]
IchiDiamonds = Annotated[
    int,
    OpenText(
        "Diamonds that an Ichi gives",
        "not printed: L17 and L45 have no diamonds; only Ni is called worth 2, L46",
        "L45: no diamonds are printed for Ichi",
        numbers=(1, 0),
    ),
]
GoDiamonds = Annotated[
    int,
    OpenText(
        "Diamonds that a Go gives",
        "not printed: L41 and L49 have no diamonds; only Ni is called worth 2, L46",
        "L49: no diamonds are printed for Go",
        numbers=(1, 0),
    ),
]
RoundDiamonds = Annotated[
    Literal["at least 5", "exactly 5"],
    OpenText("What a total of 5 means", "L99, as two reviews have it", "L99"),
]
OddCollections = Annotated[
    Literal["counted", "refused"],
    OpenText(
        "What to do with an odd number of cards in a collection, although every win adds two",
        "L99: the cards in a collection count, even if it is not complete",
        "L67: both cards are added",
    ),
]
Pieces = Annotated[
    int,
    OpenText(
        "The number of plastic diamonds that wins the game; 0: as printed",
        "printed: Game End, L107-109",
        numbers=(0,),
    ),
]


def _card_name(card: int) -> str:
    return f"{NAMES[card - 1]} ({card})"


def _refuse_unknown(cards: Iterable[int]) -> None:
    for card in cards:
        if card not in MONSTERS:
            raise TourneyError(f"no monster has the value {card}; they are 1 (Ichi) to 5 (Go) (Setup, L57)")


def _refuse_table(players: int) -> None:
    if not 2 <= players <= 6:
        raise TourneyError(
            f"{counted(players, 'player')}: the game is for 2 to 6 (Game End, L107-109; the limit "
            "of six is from another source)"
        )


# -- bids


class BidResult(Struct, frozen=True):
    """The result of a bid. Seats count from 0.

    winner:    the seat of the winner; None if the monster is discarded
    cancelled: the seats whose cards cancel out, because they are equal
    """

    winner: int | None
    cancelled: tuple[int, ...]


def resolve_bid(
    cards: Sequence[int],
    *,
    ichi_beats_go: IchiBeatsGo = "whenever both remain",
    lone_ichi: LoneIchi = "loses",
    equal_ichis: EqualIchis = "go back",
) -> BidResult:
    """Return the result of a bid (Gameplay, L65-80).

    Equal cards cancel out, then Ichi beats Go, then the highest card wins.

    cards: the bid of each seat

    Raises TourneyError for an unknown card, and unless there are 2 to 6 bids.

    >>> resolve_bid([5, 3, 3, 1])
    BidResult(winner=3, cancelled=(1, 2))
    """
    if len(cards) < 2:
        raise TourneyError("a bid needs two players or more (Game End, L107)")
    _refuse_table(len(cards))
    _refuse_unknown(cards)
    times = Counter(cards)
    cancelled = tuple(seat for seat, card in enumerate(cards) if times[card] > 1)
    single = {card: seat for seat, card in enumerate(cards) if times[card] == 1}
    if times[ICHI] > 1 and equal_ichis == "beat Go all the same":
        single.pop(GO, None)
    if not single or (single.keys() == {ICHI} and times[GO] > 1 and lone_ichi == "loses"):
        return BidResult(None, cancelled)
    ichi_wins = {ICHI, GO} <= single.keys() and (ichi_beats_go == "whenever both remain" or len(single) == 2)
    return BidResult(single[ICHI if ichi_wins else max(single)], cancelled)


@GAME.question(
    "Who wins a bid?",
    "Gameplay, L65-80",
    examples={
        "3 3 4": "C wins with Shi (4).",
        "5 3 3 1": "D wins with Ichi (1).",
        "Go Go San Ichi": "C wins with San (3).",
        "Ada=1 Ben=5 Cyn=5": "No player wins; the monster is discarded.",
    },
    more="Players without a name are A, B, C … in the order of the bids.",
)
def bid(
    cards: Annotated[Mapping[Player, Monster], "The bid of each player, as a number or a name"],
    *,
    ichi_beats_go: IchiBeatsGo = "whenever both remain",
    lone_ichi: LoneIchi = "loses",
    equal_ichis: EqualIchis = "go back",
) -> Answer:
    """Return the answer that names the winner of a bid and the players who take a card back."""
    players, bids = list(cards), list(cards.values())
    result = resolve_bid(bids, ichi_beats_go=ichi_beats_go, lone_ichi=lone_ichi, equal_ichis=equal_ichis)
    tied_players = [players[seat] for seat in result.cancelled]
    remaining = [
        f"{player}'s {_card_name(card)}" for player, card in cards.items() if player not in tied_players
    ]
    equal = [Step(f"equal bids cancel out: {listed(tied_players)} take their cards back", "L71, L78")] * bool(
        tied_players
    )
    steps = [
        Step("; ".join(f"{player} bids {_card_name(card)}" for player, card in cards.items()), "L65"),
        *equal,
        Step(f"left: {listed(remaining) or 'nothing'}", "L78"),
    ]
    if result.winner is None:
        reason_step = _discard_reason(bids, bool(remaining))
        return Answer(
            "No player wins; the monster is discarded.",
            sentence(reason_step),
            {"winner": None, "take_back": tied_players},
            [*steps, reason_step, Step("the monster is discarded next to the deck", "L80")],
        )
    winner, card = players[result.winner], bids[result.winner]
    reason_step = Step(f"{_card_name(card)} is the highest left", "L65")
    if card == ICHI and GO in bids:
        reason_step = Step("Ichi beats Go", "L73")
    last = (
        f"{winner} adds the monster and {_card_name(card)} to the collection; all others take their bids back"
    )
    return Answer(
        f"{winner} wins with {_card_name(card)}.",
        sentence(*equal, reason_step),
        {"winner": winner, "take_back": tied_players},
        [*steps, reason_step, Step(last, "L67, L79")],
    )


def _discard_reason(bids: Sequence[int], has_remaining_bids: bool) -> Step:
    if not has_remaining_bids:
        return Step("every bid has an equal bid", "L78, L80")
    if bids.count(ICHI) > 1:
        return Step("the Go is beaten by Ichis that also go back", "L49, L71")
    return Step("equal bids of Go cancel out, and the Ichi that is left loses", "L73")


# -- collections and rounds


class Diamonds(Struct, frozen=True):
    """The worth of each monster in diamonds, and the total that ends a round.

    Each field is the chosen reading of an ambiguous rule text.
    """

    ichi: int = 1
    go: int = 1
    total: Literal["at least 5", "exactly 5"] = "at least 5"

    @property
    def worth(self) -> dict[int, int]:
        """Monster → the number of diamonds: 2 for a Ni, −2 for a Shi, 0 for a San (L23-35, L99)."""
        return {ICHI: self.ichi, NI: 2, SAN: 0, SHI: -2, GO: self.go}

    def count(self, cards: Iterable[int]) -> int:
        """Return the number of diamonds that a collection is worth. A Shi (4) has a negative worth.

        cards: the numbers of the monsters, from 1 (Ichi) to 5 (Go)

        >>> Diamonds().count([2, 2, 5]), Diamonds().count([2, 2, 5, 4])
        (5, 3)
        """
        return sum(self.worth[card] for card in cards)

    def ending(self, cards: Sequence[int]) -> Literal["three of one monster", "diamonds"] | None:
        """Return why a collection ends the round; None if it does not (Round End, L96-99)."""
        if max(Counter(cards).values(), default=0) >= 3:
            return "three of one monster"
        count = self.count(cards)
        return "diamonds" if count == 5 or (count > 5 and self.total == "at least 5") else None


@cache
def possible_collections(rules: Diamonds) -> frozenset[tuple[int, ...]]:
    """Return every collection of cards that a player can have in a round.

    Each collection is returned as the number of cards of each monster, in the order of `MONSTERS`. A
    collection begins empty. Each win adds two cards (L67), until the player's cards end the round (L96-99).
    So every collection has an even number of cards.
    """
    pairs = [tuple(map(pair.count, MONSTERS)) for pair in combinations_with_replacement(MONSTERS, 2)]
    start = (0,) * len(MONSTERS)
    collections, todo = {start}, [start]
    while todo:
        before = todo.pop()
        for pair in pairs:
            after = tuple(map(add, before, pair))
            if after not in collections:
                collections.add(after)
                cards = [card for card, number in zip(MONSTERS, after, strict=True) for _ in range(number)]
                if not rules.ending(cards):
                    todo.append(after)
    return frozenset(collections)


def _refuse_collection(
    cards: Sequence[int], owner: str, rules: Diamonds, odd_collections: OddCollections
) -> None:
    """Raise TourneyError if the cards cannot be a collection or a part of one.

    owner: the name of the collection in the message
    """
    _refuse_unknown(cards)
    if len(cards) % 2 and odd_collections == "refused":
        raise TourneyError(
            f"{counted(len(cards), 'card')} in a collection: every win adds two, the monster and the bid, "
            "so there is one card too many or too few (Gameplay, L67)"
        )
    _refuse_copies(cards, "")
    counts = tuple(map(list(cards).count, MONSTERS))
    if not any(all(map(le, counts, whole)) for whole in possible_collections(rules)):
        raise TourneyError(
            f"{owner} cannot hold these cards: the round ends with 3 of the same monster or 5 diamonds, "
            "and a win adds two cards (Gameplay, L67; Round End, L96-99)"
        )


def _refuse_copies(cards: Iterable[int], place: str) -> None:
    for card, number in Counter(cards).items():
        if number > COPIES:
            raise TourneyError(
                f"{number} copies of {_card_name(card)}{place}: the box has only {COPIES} of each "
                "monster (from NOTES.md, not from the rules)"
            )


def _ending_step(cards: Sequence[int], rules: Diamonds) -> Step:
    total, reason = rules.count(cards), rules.ending(cards)
    if reason == "three of one monster":
        ((card, number),) = Counter(cards).most_common(1)
        text = f"{number} of {_card_name(card)} in the collection: 3 of the same end the round"
        return Step(text, "L98")
    if reason:
        return Step(f"{counted(total, 'diamond')} in the collection: {rules.total} end the round", "L99")
    return Step(
        f"no monster appears 3 times, and the collection has {counted(total, 'diamond')}; "
        f"the round ends with {rules.total}",
        "L98-99",
    )


_WORTH_CITES = {
    ICHI: "not printed; a reading: L45",
    NI: "L46, L23",
    SAN: "L47, L29",
    SHI: "L48, L99",
    GO: "not printed; a reading: L49",
}


@GAME.question(
    "How many diamonds are in a collection, and does it end the round?",
    "Round End, L96-101",
    "Card Rules, L45-49",
    examples={
        "2 2 5": "5 diamonds; the round ends.",
        "Ni Ni Go Shi": "3 diamonds; the round goes on.",
        "3 3 3": "0 diamonds; the round ends.",
    },
    more="Each bid adds two cards to a collection (L67), so a complete collection has an even number of "
    "cards. You can also count a part of a collection.",
)
def collection(
    cards: Annotated[tuple[Monster, ...], "The monsters in the collection, as numbers or names"] = (),
    *,
    ichi_diamonds: IchiDiamonds = 1,
    go_diamonds: GoDiamonds = 1,
    round_diamonds: RoundDiamonds = "at least 5",
    odd_collections: OddCollections = "counted",
) -> Answer:
    """Return how many diamonds a collection is worth, and whether it ends the round."""
    rules = Diamonds(ichi_diamonds, go_diamonds, round_diamonds)
    _refuse_collection(cards, "a collection", rules, odd_collections)
    total, reason = rules.count(cards), rules.ending(cards)
    last = _ending_step(cards, rules)
    steps = [
        Step(
            f"{number} × {NAMES[card - 1]} at {rules.worth[card]}: {number * rules.worth[card]}",
            _WORTH_CITES[card],
        )
        for card, number in sorted(Counter(cards).items())
    ]
    return Answer(
        f"{counted(total, 'diamond')}; the round {'ends' if reason else 'goes on'}.",
        sentence(last),
        {"diamonds": total, "ends_round": reason is not None, "because": reason},
        [*steps, Step(f"{counted(total, 'diamond')} in all", "L99"), last],
    )


@GAME.question(
    "Who has won the round, or the game when the cards have run out?",
    "Round End, L96-101",
    "Gameplay, L82",
    examples={
        "Ada=2/2/5 Ben=4/1": "Ada wins the round and takes one plastic diamond.",
        "Ada=2/3 Ben=4/5 Cyn=- --cards-out": "Ada wins the game with 2 diamonds.",
    },
)
def round_(
    collections: Annotated[
        Mapping[Player, tuple[Monster | None, ...]], "Each player's collection, `-` if it is empty"
    ],
    *,
    cards_out: Annotated[bool, "Deck and discards are empty."] = False,
    ichi_diamonds: IchiDiamonds = 1,
    go_diamonds: GoDiamonds = 1,
    round_diamonds: RoundDiamonds = "at least 5",
    odd_collections: OddCollections = "counted",
) -> Answer:
    """Answer which player has won the round, if any.

    If no player has, and the cards have run out, the player with the most diamonds wins the game (L82). The
    rules have no tie-break for players with equally many diamonds.
    """
    rules = Diamonds(ichi_diamonds, go_diamonds, round_diamonds)
    cards_of = {player: [card for card in cards if card is not None] for player, cards in collections.items()}
    _refuse_table(len(cards_of))
    _refuse_copies((card for cards in cards_of.values() for card in cards), " in all")
    for player, cards in cards_of.items():
        _refuse_collection(cards, f"the collection of {player}", rules, odd_collections)
    totals = {player: rules.count(cards) for player, cards in cards_of.items()}
    winners = [player for player, cards in cards_of.items() if rules.ending(cards)]
    if len(winners) > 1:
        raise TourneyError(
            f"{listed(winners)} cannot both have ended the round: a bid adds to only one collection, "
            "and the first collection that meets a condition ends the round (L67, L96)"
        )
    steps = []
    for player, cards in cards_of.items():
        text = f"{player}: {counted(totals[player], 'diamond')}"
        ending = _ending_step(cards, rules)
        steps.append(Step(f"{text}; {ending.text}", ending.cite) if player in winners else Step(text, "L99"))
    value: dict[str, Any] = {"diamonds": totals, "winner": winners[0] if winners else None, "tied": []}
    if winners:
        ending_step = steps[list(cards_of).index(winners[0])]
        last = Step("one plastic diamond, also if both conditions hold", "L101")
        short = f"{winners[0]} wins the round and takes one plastic diamond."
        return Answer(short, f"{ending_step.text}.", value, [*steps, last], ("Round End, L96-101",))
    if not cards_out:
        reason = f"No player has 3 of the same monster or {round_diamonds} diamonds."
        return Answer("The round goes on.", reason, value, steps, ("Round End, L96-101",))
    most = max(totals.values())
    best = [player for player, total in totals.items() if total == most]
    last = Step("deck and discards are empty: the game ends at once, and most diamonds win", "L82")
    short = f"{best[0]} wins the game with {counted(most, 'diamond')}."
    if len(best) > 1:
        short = f"{listed(best)} are tied at {counted(most, 'diamond')}; the rules have no tie-break."
    value |= {"winner": best[0], "tied": []} if len(best) == 1 else {"winner": None, "tied": best}
    return Answer(short, sentence(last), value, [*steps, last])


# -- the game


@GAME.question(
    "Who has won the game, by plastic diamonds?",
    "Game End, L105-109",
    examples={"Ada=4 Ben=2 Cyn=0": "Ada wins the game.", "4 2": "The game goes on."},
)
def game(
    pieces_: Annotated[Mapping[Player, int], "The plastic diamonds of each player"], *, pieces: Pieces = 0
) -> Answer:
    """Return the answer with the winner, if any, and the pieces that each player still needs."""
    if pieces < 0:
        raise TourneyError(f"{pieces} pieces cannot win a game")
    _refuse_table(len(pieces_))
    target = pieces or {2: 5, 3: 4}.get(len(pieces_), 3)
    for player, number in pieces_.items():
        if not 0 <= number <= target:
            raise TourneyError(
                f"{player} has {number} pieces: the game ends when the first player has {target} "
                "(Game End, L105)"
            )
    winners = [player for player, number in pieces_.items() if number == target]
    if len(winners) > 1:
        raise TourneyError(
            f"{listed(winners)} cannot both have {target}: the game ends when the first player has {target} "
            "(Game End, L105)"
        )
    players = counted(len(pieces_), "player")
    cite = "the organizer's" if pieces else f"L{105 + min(len(pieces_), 4)}"
    return Answer(
        f"{winners[0]} wins the game." if winners else "The game goes on.",
        f"With {players}, {target} pieces win.",
        {
            "needed": target,
            "winner": winners[0] if winners else None,
            "missing": {player: target - number for player, number in pieces_.items()},
        },
        [
            Step(f"{players}: {target} pieces win", cite),
            *(Step(f"{player} has {number}", "L101") for player, number in pieces_.items()),
        ],
    )
