"""Repeatable random tournaments for tests and demonstrations.

An invented tournament has players, who arrive and leave, and results.

    kind = TournamentKind(players=32, rounds=5, drops=5, late=5)
    invented = invent(kind, seed="demo")                  # print invented.seed first
    for guest in invented.guests: ...                     # guest.id, name, since, last, byes, tags, strength
    for number in range(1, invented.rounds + 1):
        arrivals, departures = invented.arrivals(number), invented.departures(number - 1)
        # … register, drop, pair the round with any engine; then for each table:
        result = invented.result(number, table.seats)     # a tourney.record.Result
        outcome = guest.byes.get(number)                  # requested: HALF_BYE, AWARDED_BYE or ABSENT

The module knows no engine and no event: the caller turns guests into registrations and results into entries.
The strength model is Bradley and Terry's: a player wins with probability strength / (sum of both strengths).
Percentages are whole numbers, 0 to 100. All random choices are made by `tourney.pairing.pairing.draw`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field, structs
from msgspec.structs import replace

from tourney.errors import TourneyError
from tourney.pairing.pairing import chance, draw, order_by_weight, shuffle
from tourney.record import Outcome, PlayerId, Result, Seat, games_needed


class TournamentKind(Struct, frozen=True, kw_only=True):
    """The kind of tournament to invent.

    rounds:   the number of rounds; if None, ⌈log₂ players⌉
    best_of:  the maximum number of games in a match, which is odd
    level:    whether a match has one game fewer than `best_of`, so that both players can win the same
              number of games
    seats:    players at a table; if more than two, results are places
    draws:    percent of tables that end drawn
    no_shows: percent of tables of two at which one player does not show up
    drops:    percent of players who leave after each round
    late:     percent of players who arrive after round 1
    half_byes, absences: percent of players who ask to sit out each round, for half a point or for nothing
    awarded:  percent of players with an awarded bye for round 1
    clubs:    number of clubs, 0 to 12; each player has the tag `club:…` of one of them; no tags if 0
    spread:   how much strengths differ, from 0 (all equal) to 100 (the strongest player has up to ten
              times the strength of the weakest)
    """

    players: int = 16
    rounds: int | None = None
    best_of: int = 3
    level: bool = False
    seats: int = 2
    draws: int = 5
    no_shows: int = 1
    drops: int = 3
    late: int = 3
    half_byes: int = 0
    absences: int = 0
    awarded: int = 0
    clubs: int = 0
    spread: int = 50


class Guest(Struct, frozen=True, kw_only=True):
    """An invented player.

    since: the player's first round
    last:  the player's last round; None if the player stays to the end
    byes:  requested byes: round → HALF_BYE, AWARDED_BYE or ABSENT
    """

    id: PlayerId
    name: str
    strength: int
    since: int = 1
    last: int | None = None
    byes: Mapping[int, Outcome] = field(default_factory=dict)
    tags: tuple[str, ...] = ()

    def plays(self, round_number: int) -> bool:
        """Return whether the player wants to play in round `round_number`."""
        stays = self.last is None or round_number <= self.last
        return self.since <= round_number and stays and round_number not in self.byes


class Invented(Struct, frozen=True, kw_only=True):
    """An invented tournament: its seed, its players, and the `result` of every table."""

    seed: str
    kind: TournamentKind
    rounds: int
    guests: tuple[Guest, ...]

    def arrivals(self, round_number: int) -> tuple[Guest, ...]:
        """Return the players whose first round is `round_number`."""
        return tuple(guest for guest in self.guests if guest.since == round_number)

    def departures(self, round_number: int) -> tuple[Guest, ...]:
        """Return the players whose last round is `round_number`."""
        return tuple(guest for guest in self.guests if guest.last == round_number)

    def result(self, round_number: int, seats: Sequence[PlayerId]) -> Result:
        """Return the invented result of a table.

        The same players in the same seats always get the same result in the same round.

        Raises TourneyError if a player is not in `guests`, the players of this tournament.
        """
        strengths = [self._strength(player) for player in seats]
        words = "-".join(map(str, seats))
        is_drawn = chance(self.seed, "drawn", round_number, words, percent=self.kind.draws)
        order = order_by_weight(self.seed, f"order|{round_number}|{words}", strengths)
        if len(seats) != 2:
            return _places_result(seats, order, is_drawn=is_drawn)
        if chance(self.seed, "no show", round_number, words, percent=self.kind.no_shows):
            return _no_show_result(seats, order)
        loser_games = draw(
            self.seed, "games", round_number, words, below=games_needed(self.kind.best_of) - self.kind.level
        )
        result = _match_result(seats, order[0], self.kind.best_of, loser_games, is_drawn=is_drawn)
        return structs.replace(result, drawn_games=0) if self.kind.level else result

    def _strength(self, player: PlayerId) -> int:
        if not 1 <= player <= len(self.guests):
            raise TourneyError(
                f"player {player} is not one of the {len(self.guests)} players invented from seed "
                f"`{self.seed}`"
            )
        return self.guests[player - 1].strength


def _match_result(
    seats: Sequence[PlayerId], winner: int, best_of: int, loser_games: int, *, is_drawn: bool
) -> Result:
    most_games = best_of // 2
    if is_drawn:
        return Result(tuple(Seat(player, Outcome.DRAW, games=most_games) for player in seats), drawn_games=1)
    winner_values, loser_values = (Outcome.WIN, 1, most_games + 1), (Outcome.LOSS, 2, loser_games)
    values = (winner_values, loser_values) if winner == 0 else (loser_values, winner_values)
    return Result(
        tuple(
            Seat(p, outcome, place, games) for p, (outcome, place, games) in zip(seats, values, strict=True)
        )
    )


def _no_show_result(seats: Sequence[PlayerId], order: Sequence[int]) -> Result:
    values = {order[0]: (Outcome.FORFEIT_WIN, 1), order[1]: (Outcome.FORFEIT_LOSS, 2)}
    return Result(tuple(Seat(player, *values[index]) for index, player in enumerate(seats)))


def _places_result(seats: Sequence[PlayerId], order: Sequence[int], *, is_drawn: bool) -> Result:
    """Return the result of a table whose players take places in the given order.

    order: the indexes of the seats, from the first place to the last
    is_drawn: whether the first two players share the first place
    """
    place = {index: number for number, index in enumerate(order, 1)}
    if is_drawn:
        place[order[1]] = 1
    first = Outcome.DRAW if is_drawn else Outcome.WIN
    return Result(
        tuple(
            Seat(player, first if place[index] == 1 else Outcome.LOSS, place[index])
            for index, player in enumerate(seats)
        )
    )


def invent(kind: TournamentKind, seed: str) -> Invented:
    """Invent a tournament in which every round has enough players for at least one table.

    Raises TourneyError for numbers out of range.
    """
    _refuse_kind(kind)
    rounds = kind.rounds if kind.rounds is not None else max(1, (kind.players - 1).bit_length())
    names = _names(kind.players, seed)
    guests = [_guest(kind, seed, rounds, number, names[number - 1]) for number in range(1, kind.players + 1)]
    return Invented(
        seed=seed, kind=kind, rounds=rounds, guests=tuple(_with_enough_players(guests, kind.seats, rounds))
    )


def _refuse_kind(kind: TournamentKind) -> None:
    if kind.seats < 2:
        raise TourneyError(f"a table needs at least two seats, not {kind.seats}")
    if kind.players < kind.seats:
        raise TourneyError(f"{kind.players} players cannot fill one table of {kind.seats}")
    if kind.rounds is not None and kind.rounds < 1:
        raise TourneyError(f"a tournament has at least one round, not {kind.rounds}")
    if kind.best_of < 1 or kind.best_of % 2 == 0 or (kind.level and kind.best_of == 1):
        raise TourneyError(f"a match is a best of 1, 3, 5 …, not a best of {kind.best_of}")
    if not 0 <= kind.clubs <= len(_CLUBS):
        raise TourneyError(f"players can belong to 0 to {len(_CLUBS)} clubs, not {kind.clubs}")
    for setting in ("draws", "no_shows", "drops", "late", "half_byes", "absences", "awarded", "spread"):
        if not 0 <= getattr(kind, setting) <= 100:
            raise TourneyError(f"{setting}: a percentage is between 0 and 100, not {getattr(kind, setting)}")


def _names(count: int, seed: str) -> list[str]:
    """Return `count` different names.

    After all combinations of a first and a last name are used, names get a number (`Mira Oake 2`).
    """
    full_names = [f"{first} {last}" for first in _FIRST_NAMES for last in _LAST_NAMES]
    order = shuffle(seed, "names", full_names)
    return [
        order[n % len(order)] + (f" {n // len(order) + 1}" if n >= len(order) else "") for n in range(count)
    ]


def _guest(kind: TournamentKind, seed: str, rounds: int, number: int, name: str) -> Guest:
    since = 1
    if rounds > 1 and chance(seed, "late", number, percent=kind.late):
        since = 2 + draw(seed, "since", number, below=min(3, rounds - 1))
    last_rounds = (r for r in range(since, rounds) if chance(seed, "drop", number, r, percent=kind.drops))
    last = next(last_rounds, None)
    return Guest(
        id=PlayerId(number),
        name=name,
        strength=_strength(kind, seed, number),
        since=since,
        last=last,
        byes=_byes(kind, seed, number, range(since, (last or rounds) + 1)),
        tags=(f"club:{_CLUBS[draw(seed, 'club', number, below=kind.clubs)]}",) if kind.clubs else (),
    )


def _strength(kind: TournamentKind, seed: str, number: int) -> int:
    """Return a player's random strength, from 100 to 1000.

    It follows from the mean of three random numbers, so most players have a medium strength. The smaller
    `kind.spread` is, the nearer all strengths are to 1000.
    """
    middling = sum(draw(seed, "strength", number, n, below=901) for n in range(3)) // 3
    return 1000 - (900 - middling) * kind.spread // 100


def _byes(kind: TournamentKind, seed: str, number: int, rounds: range) -> dict[int, Outcome]:
    byes: dict[int, Outcome] = {}
    for round_number in rounds:
        if chance(seed, "half", number, round_number, percent=kind.half_byes):
            byes[round_number] = Outcome.HALF_BYE
        elif chance(seed, "absent", number, round_number, percent=kind.absences):
            byes[round_number] = Outcome.ABSENT
    if rounds.start == 1 and chance(seed, "awarded", number, percent=kind.awarded):
        byes[1] = Outcome.AWARDED_BYE
    return byes


def _with_enough_players(guests: list[Guest], seats: int, rounds: int) -> list[Guest]:
    """Return the invented players, changed so that every round has enough of them for one table.

    If a round would have too few players, the first `seats` players play all rounds and take no bye.
    """
    is_short = any(sum(guest.plays(number) for guest in guests) < seats for number in range(1, rounds + 1))
    if not is_short:
        return guests
    staying_guests = [replace(guest, since=1, last=None, byes={}) for guest in guests[:seats]]
    return staying_guests + guests[seats:]


# -- names of invented players and clubs


# ruff: noqa: SIM905  - names in one text are easy to read and extend

_FIRST_NAMES = (
    "Abel Adda Aino Alva Anso Arlo Asta Bela Bram Cato Ciro Dara Dova Edda Eino Elio Enna Esra Faro "
    "Fenn Gala Gero Hale Hedy Ilja Inka Isra Jora Juna Kaja Kiro Lale Lior Lumi Maro Mila Mira Nael "
    "Neva Nilo Oona Orla Pavo Piet Quin Rhea Rino Runa Sela Silo Suri Taro Tess Tomo Ugo Uma Vida Vito "
    "Wren Yael Yuna Zeno Zita Zora"
).split()
_LAST_NAMES = (
    "Alder Ashby Bantry Birch Brook Calder Cinder Cove Dale Drift Dune Ember Fallow Fenwick Flint Frost "
    "Gale Garnet Glen Grove Hazel Heath Hollow Inkwell Ivory Juniper Keel Kestrel Lark Linden Loam "
    "Marsh Meadow Moor Nettle Oake Orchard Pebble Pike Quarry Quill Ravel Reed Ridge Rook Sable Sedge "
    "Shale Slate Sorrel Stone Tarn Thicket Thorne Umber Vale Verdi Wick Wilder Willow Yarrow Yew Zephyr "
    "Zinn"
).split()
_CLUBS = "Harbour Mill Station Castle Garden Bridge Tower Market Quarry Lantern Anchor Orchard".split()
