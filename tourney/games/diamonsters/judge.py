"""Diamonsters: what a judge computes. Sections and lines are those of the rulebook 00739-3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from operator import add, le
from typing import Literal

from tourney.errors import TourneyError
from tourney.games import questions as q
from tourney.games.questions import Answer, Step, Thing, by_name, named, sentence
from tourney.wording import counted, listed

ICHI, NI, SAN, SHI, GO = MONSTERS = (1, 2, 3, 4, 5)
"""The monsters by their numbers."""

NAMES = ("Ichi", "Ni", "San", "Shi", "Go")
"""What they are called, in that order."""

EACH = 12
"""Cards of one monster in the box (elsewhere: NOTES.md)."""

# How open texts can be read: `GAME` asks of each by this name, with the lines for either reading.
IchiBeatsGo = Literal["whenever both remain", "only when nothing else remains"]
LoneIchi = Literal["loses", "wins"]
EqualIchis = Literal["go back", "beat Go all the same"]
RoundDiamonds = Literal["at least 5", "exactly 5"]
OddCollections = Literal["counted", "refused"]


@dataclass(frozen=True, slots=True)
class Bid:
    """One bid, seats counted from 0.

    winner:    who takes the monster and their own card, None where the monster is discarded
    cancelled: whose cards met an equal one and go back to the hand
    """

    winner: int | None
    cancelled: tuple[int, ...]


def bid(
    cards: Sequence[int],
    *,
    ichi_beats_go: IchiBeatsGo = "whenever both remain",
    lone_ichi: LoneIchi = "loses",
    equal_ichis: EqualIchis = "go back",
) -> Bid:
    """Return who wins a bid (Gameplay, L65-80): equal cards cancel, then Ichi beats Go, then the highest wins.

    cards: what each seat bid. Three readings:
    ichi_beats_go: L73, where a third card remains
    lone_ichi:     L73, where equal Gos have gone back and an Ichi alone is left: "poor Ichi is left in defeat", or it wins
                   as the only card left (L78)
    equal_ichis:   whether Ichis that go back (L71, L78) beat a Go all the same (L49): then it cannot win
    Raises TourneyError for a card that no monster has, or other than two to six bids.

    >>> bid([5, 3, 3, 1])
    Bid(winner=3, cancelled=(1, 2))
    """
    if len(cards) < 2:
        raise TourneyError("a bid needs two players or more (Game End, L107)")
    _table(len(cards))
    for card in cards:
        _monster(card)
    times = Counter(cards)
    cancelled = tuple(seat for seat, card in enumerate(cards) if times[card] > 1)
    alone = {card: seat for seat, card in enumerate(cards) if times[card] == 1}
    if times[ICHI] > 1 and equal_ichis == "beat Go all the same":
        alone.pop(GO, None)
    if not alone or (alone.keys() == {ICHI} and times[GO] > 1 and lone_ichi == "loses"):
        return Bid(None, cancelled)
    ichi_wins = {ICHI, GO} <= alone.keys() and (ichi_beats_go == "whenever both remain" or len(alone) == 2)
    return Bid(alone[ICHI if ichi_wins else max(alone)], cancelled)


def _monster(card: int) -> int:
    if card not in MONSTERS:
        raise TourneyError(f"no monster has the value {card}; they are 1 (Ichi) to 5 (Go) (Setup, L57)")
    return card


def diamonds(collection: Sequence[int], *, ichi: int = 1, go: int = 1) -> int:
    """Return the diamonds of a monster collection: 2 for a Ni, 2 off for a Shi, none for a San (L23-35, L99).

    ichi, go: what these give is not printed; 1 is a reading.

    >>> diamonds([2, 2, 5]), diamonds([2, 2, 5, 4])
    (5, 3)
    """
    worth = _worth(ichi, go)
    return sum(worth[_monster(card)] for card in collection)


def _worth(ichi: int, go: int) -> dict[int, int]:
    """Return the diamonds of each monster."""
    return {ICHI: ichi, NI: 2, SAN: 0, SHI: -2, GO: go}


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


def _table(players: int) -> int:
    if not 2 <= players <= 6:
        raise TourneyError(
            f"{counted(players, 'player')}: the game is for 2 to 6 (Game End, L107-109; six: elsewhere)"
        )
    return players


def most_diamonds(collections: Mapping[str, Sequence[int]], *, ichi: int = 1, go: int = 1) -> tuple[str, ...]:
    """Return who wins when the cards have run out: most diamonds in the collection (L82); a tie is not settled."""
    worth = {player: diamonds(cards, ichi=ichi, go=go) for player, cards in collections.items()}
    best = max(worth.values(), default=0)
    return tuple(player for player, number in worth.items() if number == best)


# -- the questions: how each is answered


def _called(card: int) -> str:
    return f"{NAMES[card - 1]} ({card})"


def _bid(
    cards: Sequence[Thing], *, ichi_beats_go: IchiBeatsGo, lone_ichi: LoneIchi, equal_ichis: EqualIchis
) -> Answer:
    typed = by_name(cards)
    seats, bids = list(typed), list(typed.values())
    done = bid(bids, ichi_beats_go=ichi_beats_go, lone_ichi=lone_ichi, equal_ichis=equal_ichis)
    steps = [
        Step("; ".join(f"{seat} bids {_called(card)}" for seat, card in zip(seats, bids, strict=True)), "L65")
    ]
    back = [seats[seat] for seat in done.cancelled]
    if back:
        steps.append(Step(f"equal bids cancel out: {listed(back)} take their cards back", "L71, L78"))
    left = [
        f"{seats[seat]}'s {_called(bids[seat])}" for seat in range(len(bids)) if seat not in done.cancelled
    ]
    steps.append(Step(f"left: {listed(left) if left else 'nothing'}", "L78"))
    value = {"winner": None if done.winner is None else seats[done.winner], "take_back": back}
    if done.winner is None:
        why = _nobody(bids, bool(left))
        return Answer(
            "Nobody wins; the monster is discarded.",
            sentence(why),
            value,
            (*steps, why, Step("the monster is discarded next to the deck", "L80")),
        )
    winner, card = seats[done.winner], bids[done.winner]
    why = (
        Step("Ichi beats Go", "L73")
        if card == ICHI and GO in bids
        else Step(f"{_called(card)} is the highest left", "L65")
    )
    last = Step(
        f"{winner} adds the monster and {_called(card)} to the collection; all others take their bids back",
        "L67, L79",
    )
    return Answer(
        f"{winner} wins with {_called(card)}.", sentence(*steps[1:-1], why), value, (*steps, why, last)
    )


def _nobody(bids: Sequence[int], left: bool) -> Step:
    if not left:
        return Step("every bid has an equal one", "L78, L80")
    if ICHI in bids and bids.count(ICHI) > 1:
        return Step("the Go is beaten by Ichis that go back themselves", "L49, L71")
    return Step("equal Gos go back, and poor Ichi is left in defeat", "L73")


def _collected(
    cards: Sequence[int],
    whose: str,
    *,
    ichi_diamonds: int,
    go_diamonds: int,
    round_diamonds: RoundDiamonds,
    odd_collections: OddCollections,
) -> tuple[int, list[Step]]:
    for card in cards:
        _monster(card)
    if len(cards) % 2 and odd_collections == "refused":
        raise TourneyError(
            f"{counted(len(cards), 'card')} in a collection: every win adds two, the monster and the bid, so one is missing or too many (Gameplay, L67)"
        )
    times = Counter(cards)
    for card, number in times.items():
        if number > EACH:
            raise TourneyError(
                f"{number} of {_called(card)}: the box has {EACH} of each monster (elsewhere: NOTES.md)"
            )
    possible = _collections(ichi_diamonds, go_diamonds, round_diamonds)
    counts = tuple(times[card] for card in MONSTERS)
    if not any(all(map(le, counts, whole)) for whole in possible):
        raise TourneyError(
            f"{whose} cannot hold these cards: the round ends with 3 of the same monster or 5 diamonds, and a win adds "
            "two cards (Gameplay, L67; Round End, L96-99)"
        )
    total = diamonds(cards, ichi=ichi_diamonds, go=go_diamonds)
    worth = _worth(ichi_diamonds, go_diamonds)
    cites = {
        ICHI: "not printed; a reading: L45",
        NI: "L46, L23",
        SAN: "L47, L29",
        SHI: "L48, L99",
        GO: "not printed; a reading: L49",
    }
    steps = [
        Step(f"{times[card]} × {NAMES[card - 1]} at {worth[card]}: {times[card] * worth[card]}", cites[card])
        for card in sorted(times)
    ]
    return total, [*steps, Step(f"{total} diamonds in all", "L99")]


@cache
def _collections(ichi: int, go: int, total: RoundDiamonds) -> frozenset[tuple[int, ...]]:
    """Return every whole collection that a round can come to, as the numbers of the five monsters.

    Each win adds two cards (L67), until a collection ends the round (L96-99). A part of one of them is possible, too.
    """
    pairs = [
        tuple(pair.count(card) for card in MONSTERS) for pair in combinations_with_replacement(MONSTERS, 2)
    ]
    start = (0,) * len(MONSTERS)
    reached, todo = {start}, [start]
    while todo:
        before = todo.pop()
        for pair in pairs:
            after = tuple(map(add, before, pair))
            if after in reached:
                continue
            reached.add(after)
            if not round_ends(_cards_of(after), ichi=ichi, go=go, total=total):
                todo.append(after)
    return frozenset(reached)


def _cards_of(counts: Iterable[int]) -> list[int]:
    return [card for card, number in zip(MONSTERS, counts, strict=True) for _ in range(number)]


def _collection(
    cards: Sequence[Thing],
    *,
    ichi_diamonds: int,
    go_diamonds: int,
    round_diamonds: RoundDiamonds,
    odd_collections: OddCollections,
) -> Answer:
    held = [thing.values[0] for thing in cards]
    total, steps = _collected(
        held, "a collection", ichi_diamonds=ichi_diamonds, go_diamonds=go_diamonds, round_diamonds=round_diamonds,
        odd_collections=odd_collections,
    )  # fmt: skip
    why = round_ends(held, ichi=ichi_diamonds, go=go_diamonds, total=round_diamonds)
    steps.append(_ending(held, total, why, round_diamonds))
    said = counted(total, "diamond")
    return Answer(
        f"{said}; the round {'ends' if why else 'goes on'}.",
        sentence(steps[-1]),
        {"diamonds": total, "ends_round": why is not None, "because": why},
        tuple(steps),
        rests_on=_rests_on(held),
    )


def _rests_on(cards: Iterable[int]) -> tuple[str, ...]:
    """Return the readings that the diamonds of these cards depend on."""
    return tuple(name for card, name in ((ICHI, "ichi_diamonds"), (GO, "go_diamonds")) if card in set(cards))


def _ending(held: Sequence[int], total: int, why: str | None, round_diamonds: str) -> Step:
    if why == "three of one monster":
        three = next(card for card, number in Counter(held).items() if number >= 3)
        return Step(
            f"{Counter(held)[three]} of {_called(three)} in the collection: 3 of the same end the round",
            "L98",
        )
    if why:
        return Step(f"{total} diamonds: {round_diamonds} end the round", "L99")
    return Step(f"no 3 of the same monster, and {total} diamonds are not {round_diamonds}", "L98-99")


def _round(
    collections: Sequence[Thing],
    cards_out: bool,
    *,
    ichi_diamonds: int,
    go_diamonds: int,
    round_diamonds: RoundDiamonds,
    odd_collections: OddCollections,
) -> Answer:
    held = {name: [card for card in cards if card is not None] for name, cards in named(collections).items()}
    _table(len(held))
    for card, number in Counter(card for cards in held.values() for card in cards).items():
        if number > EACH:
            raise TourneyError(
                f"{number} of {_called(card)} in all: the box has {EACH} of each monster (elsewhere: NOTES.md)"
            )
    totals, steps, ended = {}, [], {}
    for name, cards in held.items():
        totals[name], _ = _collected(
            cards, f"the collection of {name}", ichi_diamonds=ichi_diamonds, go_diamonds=go_diamonds,
            round_diamonds=round_diamonds, odd_collections=odd_collections,
        )  # fmt: skip
        why = round_ends(cards, ichi=ichi_diamonds, go=go_diamonds, total=round_diamonds)
        step = Step(f"{name}: {counted(totals[name], 'diamond')}", "L99")
        if why:
            ending = _ending(cards, totals[name], why, round_diamonds)
            step = ended[name] = Step(f"{step.text}; {ending.text}", ending.cite)
        steps.append(step)
    if len(ended) > 1:
        raise TourneyError(
            f"{listed(ended)} cannot both have ended the round: it ends as soon as one has, and one bid adds to one collection (L67, L96)"
        )
    value: dict[str, object] = {"diamonds": totals, "winner": next(iter(ended), None), "tied": []}
    rests_on = _rests_on(card for cards in held.values() for card in cards)
    if ended:
        ((winner, how),) = ended.items()
        return Answer(
            f"{winner} wins the round and takes one plastic diamond.",
            f"{how.text}.",
            value,
            (*steps, Step("one plastic diamond, also where both conditions hold", "L101")),
            ("Round End, L96-101",),
            rests_on,
        )
    if not cards_out:
        return Answer(
            "The round goes on.",
            f"Nobody has 3 of the same monster or {round_diamonds} diamonds.",
            value,
            tuple(steps),
            ("Round End, L96-101",),
            rests_on,
        )
    best = most_diamonds(held, ichi=ichi_diamonds, go=go_diamonds)
    value |= {"winner": best[0] if len(best) == 1 else None, "tied": list(best) if len(best) > 1 else []}
    last = Step("deck and discards are empty: the game ends at once, and most diamonds win", "L82")
    short = f"{best[0]} wins the game with {counted(totals[best[0]], 'diamond')}."
    if len(best) > 1:
        tied = counted(totals[best[0]], "diamond")
        short = f"{listed(best)} are tied at {tied}; the rules do not part them."
    return Answer(short, sentence(last), value, (*steps, last), rests_on=rests_on)


def _game(pieces_: Sequence[Thing], *, pieces: int) -> Answer:
    have = by_name(pieces_)
    if pieces < 0:
        raise TourneyError(f"{pieces} pieces cannot win a game")
    players = _table(len(have))
    needed = pieces or pieces_to_win(players)
    impossible = next((name for name, number in have.items() if not 0 <= number <= needed), None)
    if impossible:
        raise TourneyError(
            f"{impossible} has {have[impossible]} pieces: the game ends when the first player has {needed} (Game End, L105)"
        )
    won = [name for name, number in have.items() if number == needed]
    if len(won) > 1:
        raise TourneyError(
            f"{listed(won)} cannot both have {needed}: the game ends with the first who has (Game End, L105)"
        )
    step = Step(
        f"{counted(players, 'player')}: {needed} pieces win",
        "the organizer's" if pieces else f"L{105 + min(players, 4)}",
    )
    steps = (step, *(Step(f"{name} has {number}", "L101") for name, number in have.items()))
    value = {
        "needed": needed,
        "winner": won[0] if won else None,
        "missing": {name: needed - number for name, number in have.items()},
    }
    return Answer(
        f"{won[0]} wins the game." if won else "The game goes on.",
        f"With {step.text.replace(':', ',')}.",
        value,
        steps,
    )


# -- the questions


_WORDS = {name.casefold(): number for number, name in enumerate(NAMES, start=1)}
_CARD = q.Stat("MONSTER", words=_WORDS)
_DIAMONDS = (
    q.RuleReading(
        "ichi_diamonds",
        "Diamonds that an Ichi gives",
        1,
        cite="not printed: L17 and L45 have no diamonds; only Ni is called worth 2, L46",
        numbers={0: "L45: no diamonds are printed for Ichi"},
    ),
    q.RuleReading(
        "go_diamonds",
        "Diamonds that a Go gives",
        1,
        cite="not printed: L41 and L49 have no diamonds; only Ni is called worth 2, L46",
        numbers={0: "L49: no diamonds are printed for Go"},
    ),
    q.RuleReading(
        "round_diamonds",
        "What a total of 5 means",
        "at least 5",
        {"at least 5": "L99, as two reviews have it", "exactly 5": "L99"},
    ),
    q.RuleReading(
        "odd_collections",
        "What becomes of a collection with an odd number of cards, though every win adds two",
        "counted",
        {"counted": "L99: what is in it counts, a part of it, too", "refused": "L67: both cards are added"},
    ),
)

GAME = q.Game(
    "Diamonsters",
    "rulebook 00739-3",
    (
        q.Question(
            "bid",
            "Who wins a bid?",
            _bid,
            ("Gameplay, L65-80",),
            (
                q.Argument(
                    "cards", "What each player bids, as a number or a name", q.things(_CARD, name="PLAYER")
                ),
            ),
            (
                q.RuleReading(
                    "ichi_beats_go",
                    "When Ichi beats Go, after equal bids have gone back",
                    "whenever both remain",
                    {
                        "whenever both remain": "L73, L45",
                        "only when nothing else remains": "L73: the bid ends with Ichi against Go",
                    },
                ),
                q.RuleReading(
                    "lone_ichi",
                    "What becomes of an Ichi that is left alone because equal Gos have gone back",
                    "loses",
                    {
                        "loses": "L73: poor Ichi is left in defeat",
                        "wins": "L78: the only player to use that monster",
                    },
                ),
                q.RuleReading(
                    "equal_ichis",
                    "What equal Ichis do to a single Go",
                    "go back",
                    {"go back": "L71, L78", "beat Go all the same": "L49"},
                ),
            ),
            {
                "3 3 4": "C wins with Shi (4).",
                "5 3 3 1": "D wins with Ichi (1).",
                "Go Go San Ichi": "C wins with San (3).",
                "Ada=1 Ben=5 Cyn=5": "Nobody wins; the monster is discarded.",
            },
            "Players without a name are A, B, C … in the order of the bids.",
        ),
        q.Question(
            "collection",
            "How many diamonds are in a collection, and does it end the round?",
            _collection,
            ("Round End, L96-101", "Card Rules, L45-49"),
            (
                q.Argument(
                    "cards", "The monsters in it, as numbers or names", q.things(_CARD), required=False
                ),
            ),
            _DIAMONDS,
            {
                "2 2 5": "5 diamonds; the round ends.",
                "Ni Ni Go Shi": "3 diamonds; the round goes on.",
                "3 3 3": "0 diamonds; the round ends.",
            },
            "Each bid adds two cards to a collection (L67), so a whole one is even; a part of one is counted, too.",
        ),
        q.Question(
            "round",
            "Who has won the round, or the game when the cards have run out?",
            _round,
            ("Round End, L96-101", "Gameplay, L82"),
            (
                q.Argument(
                    "collections",
                    "Each player's collection, `-` where it is empty",
                    q.things(q.Stat("MONSTER", words=_WORDS, blank=True), name="PLAYER", repeat=True),
                ),
                q.flag("cards_out", "Deck and discards are empty."),
            ),
            _DIAMONDS,
            {
                "Ada=2/2/5 Ben=4/1": "Ada wins the round and takes one plastic diamond.",
                "Ada=2/3 Ben=4/5 Cyn=- --cards-out": "Ada wins the game with 2 diamonds.",
            },
        ),
        q.Question(
            "game",
            "Who has won the game, by plastic diamonds?",
            _game,
            ("Game End, L105-109",),
            (
                q.Argument(
                    "pieces_", "The plastic diamonds of each player", q.things("PIECES", name="PLAYER")
                ),
            ),
            (
                q.RuleReading(
                    "pieces",
                    "Plastic diamonds that win, where the organizer says another number than the rules; 0: as printed",
                    0,
                    cite="printed: Game End, L107-109",
                ),
            ),
            {"Ada=4 Ben=2 Cyn=0": "Ada wins the game.", "4 2": "The game goes on."},
        ),
    ),
)
"""Its questions, with what `tourney judge` answers."""
