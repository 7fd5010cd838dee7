"""What every pairing system shares: the players and switches it is asked about, the round it makes, and its answers.

From the question to the answer: an `Entrant` each player, the `Options` of a round with the organizer's wishes, a `Pairing`
with what it costs, and what is said of one. At the end stands what a seed decides, and what each engine signs its rounds with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from hashlib import sha256
from struct import Struct
from typing import TypeVar

from tourney.errors import TourneyError
from tourney.record import NameOf, Outcome, PlayerId, Table

# -- A player as pairing sees one: an id with points and a history, no name and no deck


def number_of(player: PlayerId) -> str:
    """Name a player by the number of registration, for callers that have no names.

    >>> number_of(PlayerId(7))
    '#7'
    """
    return f"#{player}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player who is to be paired in this round. Players with a requested or an awarded bye are not entrants.

    points:       half points so far, by the event's standings profile
    opponents:    everyone met at a table that was played, in round order, one entry a meeting (repeats stay).
                  Meetings are mutual: whoever stands here and is an entrant lists this player too, as often.
    no_shows:     opponents of tables where somebody did not show; they count as met only by `Options.no_show_meets`
    byes:         byes given by the pairing (the odd player's)
    awarded_byes: full-point byes given by the organizer; they count by `Options.awarded_bye_counts`
    half_byes:    half-point byes taken; they count by `Options.half_bye_counts`
    floats:       one entry a round, in round order: -1 met somebody with fewer points (floated down),
                  1 somebody with more (floated up), 0 neither
    sides:        one entry for each table played in a game with sides, in round order: 1 had the first side, -1 the second
    tags:         groups to be kept apart softly, as `kind:name` (`club:Ravens`); two that share one are kept apart
    fixed_table:  the table this player must sit at (mobility), or None
    rating:       for first rounds by rating; None ranks below every rating
    rank:         place in the standings from 1, for rounds paired by rank
    """

    id: PlayerId
    points: int = 0
    opponents: tuple[PlayerId, ...] = ()
    no_shows: tuple[PlayerId, ...] = ()
    byes: int = 0
    awarded_byes: int = 0
    half_byes: int = 0
    floats: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    tags: tuple[str, ...] = ()
    fixed_table: int | None = None
    rating: int | None = None
    rank: int | None = None


def entrant_after(
    player: PlayerId,
    numbers: Sequence[int],
    places: Sequence[Table | Outcome],
    before: Mapping[PlayerId, Sequence[int]],
    *,
    sides: bool = False,
    tags: tuple[str, ...] = (),
    fixed_table: int | None = None,
    rating: int | None = None,
    rank: int | None = None,
) -> Entrant:
    """Return a player as the next round's pairing sees one.

    numbers: the rounds the player was in, in order
    places: of each of them the table with its result, or the outcome of a round without one
    before: everybody's half points before each round, and after the last
    sides:  whether the game has sides to balance
    """
    own = before[player]
    met: list[PlayerId] = []
    missed: list[PlayerId] = []
    sat: list[int] = []
    floats: list[int] = []
    outcomes: list[Outcome] = []
    for number, place in zip(numbers, places, strict=True):
        if isinstance(place, Outcome):
            outcomes.append(place)
            floats.append(0)
            continue
        seats, result = place.seats, place.result
        assert result is not None
        first = seats[0] == player
        if len(seats) == 2:  # most tables there are
            one, two = result.seats
            played = one.outcome.played and two.outcome.played
            (met if played else missed).append(seats[first])
            if (one if first else two).outcome.played:
                sat.append(1 if first else -1)
            mine, theirs = own[number - 1], before[seats[first]][number - 1]
            floats.append((theirs > mine) - (theirs < mine))
            continue
        floats.append(0)
        played = result.seats[seats.index(player)].outcome.played
        for seat in result.seats:
            if seat.player != player:
                (met if played and seat.outcome.played else missed).append(seat.player)
        if played:
            sat.append(1 if first else -1)
    return Entrant(
        id=player,
        points=own[-1],
        opponents=tuple(met),
        no_shows=tuple(missed),
        byes=outcomes.count(Outcome.BYE),
        awarded_byes=outcomes.count(Outcome.AWARDED_BYE),
        half_byes=outcomes.count(Outcome.HALF_BYE),
        floats=tuple(floats),
        sides=tuple(sat) if sides else (),
        tags=tags,
        fixed_table=fixed_table,
        rating=rating,
        rank=rank,
    )


# -- What the organizer decides about a round before it is paired


Pair = tuple[PlayerId, PlayerId]
"""Two players of a table; of a bye, the player and `NOBODY`."""


class Mode(Enum):
    """What decides among rounds of equal point differences and keep-aparts, before floats, sides and the seed.

    RANDOM: nothing (the default of card games)
    FOLD:   by rating, the first meets the last of the group (1–8, 2–7, 3–6, 4–5)
    SLIDE:  by rating, the upper half meets the lower (1–5, 2–6, 3–7, 4–8)
    RANK:   by standings, neighbours meet (1–2, 3–4 …), as some events play their last round
    """

    RANDOM = "random"
    FOLD = "fold"
    SLIDE = "slide"
    RANK = "rank"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The switches of one round; the defaults are those of a card game (README.md).

    round_number:       the round to be paired, from 1
    mode:               what decides inside equal points (usually set for the first or the last round only)
    forbidden:          pairs that must not meet (keep apart, hard), in either order
    forced:             pairs that must meet
    forced_bye:         the player who must have the odd bye
    no_bye:             players who must not have the odd bye
    allow_rematches:    False refuses a round that cannot be paired without a rematch instead of making the fewest
    keep_apart:         whether shared tags are avoided (level 4)
    keep_apart_rounds:  level 4 ends after this round; None: never
    float_repeats:      whether floating twice running is avoided (level 5)
    sides:              whether the game has sides to balance (level 6); then seat 1 has the first side
    awarded_bye_counts: an awarded bye counts as an earlier bye
    half_bye_counts:    a half-point bye counts as an earlier bye
    no_show_meets:      a table where somebody did not show counts as a meeting
    first_table:        the number of the first table
    """

    round_number: int = 1
    mode: Mode = Mode.RANDOM
    forbidden: frozenset[Pair] = frozenset()
    forced: tuple[Pair, ...] = ()
    forced_bye: PlayerId | None = None
    no_bye: frozenset[PlayerId] = frozenset()
    allow_rematches: bool = True
    keep_apart: bool = True
    keep_apart_rounds: int | None = None
    float_repeats: bool = True
    sides: bool = False
    awarded_bye_counts: bool = True
    half_bye_counts: bool = False
    no_show_meets: bool = False
    first_table: int = 1

    @property
    def keeps_apart_now(self) -> bool:
        """Whether level 4 applies to this round."""
        return self.keep_apart and (
            self.keep_apart_rounds is None or self.round_number <= self.keep_apart_rounds
        )


def met(entrant: Entrant, options: Options) -> tuple[PlayerId, ...]:
    """Return whom an entrant has met, one entry a meeting, by the options' switches."""
    return entrant.opponents + entrant.no_shows if options.no_show_meets else entrant.opponents


def earlier_byes(entrant: Entrant, options: Options) -> int:
    """Return how many earlier byes count, by the options' switches."""
    awarded = entrant.awarded_byes if options.awarded_bye_counts else 0
    return entrant.byes + awarded + (entrant.half_byes if options.half_bye_counts else 0)


def heeded(
    wishes: Collection[str], entrants: Sequence[Entrant], options: Options
) -> tuple[Sequence[Entrant], Options]:
    """Return entrants and options without the organizer's wishes other than `wishes`."""
    if "fixed-table" not in wishes:
        entrants = [replace(each, fixed_table=None) for each in entrants]
    if "forced" not in wishes:
        options = replace(options, forced=(), forced_bye=None, no_bye=frozenset())
    if "forbidden" not in wishes:
        options = replace(options, forbidden=frozenset())
    return entrants, options


def refuse_equal_tables(entrants: Sequence[Entrant], name: NameOf) -> None:
    """Raise TourneyError where two players have one fixed table, or somebody one that there is not."""
    owner: dict[int, PlayerId] = {}
    for each in entrants:
        if each.fixed_table is None:
            continue
        if each.fixed_table < 1:
            raise TourneyError(
                f"{name(each.id)} has the fixed table {each.fixed_table}: tables are numbered from 1"
            )
        if each.fixed_table in owner:
            both = f"{name(owner[each.fixed_table])} and {name(each.id)}"
            raise TourneyError(
                f"{both} have the same fixed table {each.fixed_table}", "give one of them another table"
            )
        owner[each.fixed_table] = each.id


# -- A paired round: what it costs, and how far that is proved


class NoRoundError(TourneyError):
    """The rules of the system allow no round of these players at all: what becomes of it, the organizer decides."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Cost:
    """What a round costs, level by level; costs compare as the levels rank, the first difference decides.

    rematches:      tables whose players met before (level 1)
    times_met:      how often they met before, added up (level 1, second digit)
    bye_earlier:    earlier byes of the player who has the bye (level 2)
    bye_points:     half points of the player who has the bye (level 2)
    differences:    sum over tables of the squared difference, in half points (level 3)
    apart:          soft keep-aparts broken: shared tags at a table, added up (level 4)
    order:          how far the tables are from the round's mode (fold, slide, rank), squared places (below level 4)
    floats:         players floated twice running (level 5)
    imbalance:      sum over players of (first sides − second sides)² after this round (level 6)
    side_repeats:   players who have the same side twice running (level 6)
    """

    rematches: int = 0
    times_met: int = 0
    bye_earlier: int = 0
    bye_points: int = 0
    differences: int = 0
    apart: int = 0
    order: int = 0
    floats: int = 0
    imbalance: int = 0
    side_repeats: int = 0

    def as_dict(self) -> dict[str, int]:
        """Return the levels by name, in the order in which they rank."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def upper_levels(cost: Cost) -> tuple[int, ...]:
    """Return levels 1 to 3 of a cost, those that are proved at any size."""
    return (cost.rematches, cost.times_met, cost.bye_earlier, cost.bye_points, cost.differences)


MEETS_BOUND = "optimal (meets the bound)"
PROVED_BY_SEARCH = "optimal (proved by search)"
REPAIRED = "repaired with the fewest changes"
REPAIRED_UNPROVED = "repaired (fewest changes not proved)"
REPAIRED_BEST = "repaired: the best round again, with the fewest changes"
REPAIRED_AROUND = "repaired: the best round around the finished tables, with the fewest changes"
"""What `Pairing.proof` says, besides `within`; it is recorded with the round, so that its words stay as they are."""


def within(gap: int) -> str:
    """Say how far from a proved optimum a round can be at most, in the unit of the level that is open.

    >>> within(4)
    'within 4 of the bound'
    """
    return f"within {gap} of the bound"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """One round.

    tables: in order of table number, without results; with sides, seat 1 has the first side
    byes:   who has the odd bye; at most one player, except in pods
    cost:   what the round costs
    bound:  a cost that no round can beat, as far as it is proved without a search
    proof:  `optimal (meets the bound)`, `optimal (proved by search)`, `within k of the bound`, or what a repair says
    seed:   the round's seed, from which all its randomness follows
    method: how it was found; above 600 players this is part of what the seed determines
    exact_levels: the last level up to which the round is the optimum (7: all, 3: point differences), 0 if not proved
    """

    tables: tuple[Table, ...]
    byes: tuple[PlayerId, ...] = ()
    cost: Cost = field(default_factory=Cost)
    bound: Cost = field(default_factory=Cost)
    proof: str = ""
    seed: str = ""
    method: str = ""
    exact_levels: int = 0

    @property
    def bye(self) -> PlayerId | None:
        """The one player with the bye, or None."""
        return self.byes[0] if self.byes else None


# -- What an engine answers besides a round: reasons, explanations, prices, repairs, verdicts. All values, all with numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One sentence of an explanation and the numbers behind it.

    what:    the handle: `forced`, `group`, `float`, `rematch`, `bye`, `keep-apart`, `order`, `sides`, `seed`, `impossible` …
    text:    the sentence, in an organizer's words, without a full stop
    players: whom it is about
    numbers: the numbers it rests on, by name
    """

    what: str
    text: str
    players: tuple[PlayerId, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """A round mended with as few changes as possible.

    pairing: the mended round; tables that stayed keep their number
    kept:    numbers of the tables that stayed, in order
    changed: numbers of tables whose players changed or that are new
    removed: numbers of tables that are no more
    fewest:  whether it is proved that no legal repair changes fewer tables
    reasons: why each of the lost tables could not stay
    """

    pairing: Pairing
    kept: tuple[int, ...]
    changed: tuple[int, ...]
    removed: tuple[int, ...]
    fewest: bool
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundVerdict:
    """What `verify` says of a recorded round, three things apart.

    legal:   every player seated once, nobody forbidden, nothing avoidable
    optimal: the same cost as the engine's round
    same:    the same tables (seats and numbers) as the engine makes from the seed
    cost:    of the recorded round; None if it does not seat everybody once
    best:    of the engine's round
    """

    legal: bool
    optimal: bool
    same: bool
    cost: Cost | None
    best: Cost


# -- What chance decides, of a seed: sha-256 and whole numbers, so that any program can repeat it
#
# A Swiss round has a way of its own, `SeedHash`. Another program repeats such a round from these three sentences. Numbers are
# written in decimal, texts in UTF-8, words are big-endian.
#
# * The key of player p is sha256(`<seed>|p|<p>`).
# * The word of the pair i < j is the 32-bit word number (j mod 8) of sha256(`<seed>|e|<i>|<j div 8>`); the bye is player 0.
# * The coin of the pair i < j is the lowest bit of the first byte of sha256(`<seed>|s|<i>|<j>`); 1 gives i the first side.
#
# Everything else is drawn: `draw(seed, *words, below=n)` is the big-endian number sha256(`<seed>|<word>|<word>…`), modulo n.


Thing = TypeVar("Thing")
Word = str | int
"""What a line that is hashed is made of."""

_EIGHT_WORDS = Struct(">8I")
"""A digest as its eight big-endian words: one digest serves eight pairs."""


class SeedHash:
    """The words that follow from one seed; what has been worked out is kept.

    >>> seed_hash = SeedHash("a")
    >>> seed_hash.key(PlayerId(1)).hex()[:16], seed_hash.of_pairs([(PlayerId(2), PlayerId(9)), (PlayerId(9), PlayerId(2))])
    ('0674284df2896309', [1220924705, 1220924705])
    """

    def __init__(self, seed: str) -> None:
        self._keys: dict[PlayerId, bytes] = {}
        self._blocks: dict[tuple[int, int], tuple[int, ...]] = {}
        self._keyed = f"{seed}|p|".encode()
        self._paired = f"{seed}|e|".encode()
        self._seated = f"{seed}|s|".encode()

    def key(self, player: PlayerId) -> bytes:
        """Return the 32 bytes by which players are shuffled: the smaller comes first."""
        key = self._keys.get(player)
        if key is None:
            key = self._keys[player] = sha256(b"%b%d" % (self._keyed, player)).digest()
        return key

    def shuffled(self, players: Iterable[PlayerId]) -> list[PlayerId]:
        """Return the players in the order of their keys, ties by number."""
        prefix = self._keyed
        keyed = sorted([(sha256(b"%b%d" % (prefix, player)).digest(), player) for player in players])
        order = [player for _, player in keyed]
        self._keys.update(zip(order, (key for key, _ in keyed), strict=True))
        return order

    def of_pairs(self, pairs: Iterable[tuple[PlayerId, PlayerId]]) -> list[int]:
        """Return the 32-bit word of each pair, in order: the lowest digit of its price."""
        blocks, words = self._blocks, []
        for one, other in pairs:
            low, high = (one, other) if one < other else (other, one)
            place = (low, high >> 3)
            block = blocks.get(place)
            if block is None:
                text = b"%b%d|%d" % (self._paired, low, high >> 3)
                block = blocks[place] = _EIGHT_WORDS.unpack(sha256(text).digest())
            words.append(block[high & 7])
        return words

    def coin(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether the player with the lower number gets the first side, where nothing else decides."""
        text = b"%b%d|%d" % (self._seated, min(one, other), max(one, other))
        return bool(sha256(text).digest()[0] & 1)


def draw(seed: str, *words: Word, below: int) -> int:
    """Return a number from 0 to `below` - 1, always the same one for the same seed and words.

    >>> draw("a", "coin", 1, below=2), draw("a", "die", 1, below=6)
    (0, 2)
    """
    if below == 1:
        return 0
    text = "|".join((seed, *map(str, words)))
    return int.from_bytes(sha256(text.encode()).digest(), "big") % below


def chance(seed: str, *words: Word, percent: int) -> bool:
    """Return True in `percent` of 100 cases."""
    return percent > 0 and draw(seed, *words, below=100) < percent


def shuffled(seed: str, word: Word, things: Iterable[Thing]) -> list[Thing]:
    """Return the things in a random order: from the last place down, each swaps with a drawn one at or before it."""
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        other = draw(seed, word, last, below=last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def by_weight(seed: str, word: Word, weights: Sequence[int]) -> list[int]:
    """Return all indexes in a random order in which each next one is drawn in proportion to its weight (from 1 up)."""
    left = list(range(len(weights)))
    order: list[int] = []
    while len(left) > 1:
        ticket = draw(seed, word, len(order), below=sum(weights[index] for index in left))
        for index in left:
            ticket -= weights[index]
            if ticket < 0:
                order.append(index)
                left.remove(index)
                break
    return order + left


# -- What engines sign their rounds with


CORRECTION_ENGINE = "tourney correction 1"
PODS_ENGINE = "tourney pods 1"
BRACKET_ENGINE = "tourney brackets 1"
SIDED_BRACKET_ENGINE = "tourney brackets 2"
"""What each engine signs its rounds with; the Swiss ones: `swiss_engine`, `repair_engine`. One that makes other tables of the
same question and seed takes the next number: whoever verifies an old round must see that today's engine cannot be asked
about it. `tests/pairing/test_engines.py` pins the tables of each name."""

_ALWAYS_THE_SAME = 600
"""Players up to whom all engines have found the one optimum of all levels (`tourney.pairing.swiss.engine.WHOLE`)."""


def swiss_engine(options: Options, players: int) -> str:
    """Return what a Swiss round of so many players is signed with.

    Number 2 numbers equal tables by strength where the round is by rating or rank, and looks at fewer tables in some fields
    of more than 600. Of every other question it makes what number 1 made, and keeps its name.

    >>> swiss_engine(Options(), 64), swiss_engine(Options(mode=Mode.FOLD), 64), swiss_engine(Options(), 700)
    ('tourney swiss 1', 'tourney swiss 2', 'tourney swiss 2')
    """
    as_ever = options.mode is Mode.RANDOM and players <= _ALWAYS_THE_SAME
    return "tourney swiss 1" if as_ever else "tourney swiss 2"


def repair_engine(options: Options) -> str:
    """Return what a repair is signed with: number 2 numbers new tables of a round by rating or rank by strength."""
    return "tourney repair 1" if options.mode is Mode.RANDOM else "tourney repair 2"


_SIGNED_BEFORE = {
    "tourney 0.1.0": {"tourney swiss 1", "tourney pods 1", "tourney brackets 1"},
    "repair": {"tourney repair 1"},
}
"""How the first engines signed, before each had a name of its own."""


def same_engine(signed: str, engine: str) -> bool:
    """Say whether a round signed so was made by `engine`.

    >>> same_engine("tourney 0.1.0", "tourney pods 1"), same_engine("tourney pods 1", "tourney pods 2")
    (True, False)
    """
    return signed == engine or engine in _SIGNED_BEFORE.get(signed, ())
