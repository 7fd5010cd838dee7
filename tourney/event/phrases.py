"""Describe results, players and tables in the words of receipts, the log and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from tourney.event.settings import MatchSettings
from tourney.event.state import RegisteredDeck, Round, State
from tourney.record import BY_PLAY, NameOf, Outcome, PlayerId, Result, Seat, games_needed
from tourney.wording import BANLIST_UNCHECKED, CHECKED_BY_OLD_RULES, Message, format_ranges, listed


def tables_text(numbers: Sequence[int], most: int = 12) -> str:
    """List table numbers, with ranges for three or more numbers in sequence.

    If there are more than `most` numbers and ranges, ` …` replaces the others.

    >>> tables_text([2, 4, 5, 6, 9])
    '2, 4–6, 9'
    """
    parts = format_ranges(numbers)
    return ", ".join(parts[:most]) + (" …" if len(parts) > most else "")


def at_tables(numbers: Sequence[int]) -> str:
    """Name tables: `table 4`, `tables 2, 4–6`."""
    return Message.plural("table {numbers}", "tables {numbers}", len(numbers), numbers=tables_text(numbers))


def sides_of(state: State) -> Callable[[PlayerId, int], str]:
    """Return a function that takes a player and a round's number, and returns the player's side.

    The side is text such as `Red`. It is empty if the game has no sides, or if the player has no table in
    the round.
    """

    def side(player: PlayerId, number: int) -> str:
        table = state.table_of(player, number) if state.settings.match.sides else None
        return state.settings.match.side(table.seats.index(player)) if table else ""

    return side


def own_seats_of(state: State) -> Callable[[PlayerId, int], Sequence[Seat]]:
    """Return a function that returns the seats of a player's result in a round.

    The player's own seat is first, then those of the opponents. The function returns no seats if the player
    has no result in the round.
    """

    def seats(player: PlayerId, number: int) -> Sequence[Seat]:
        table = state.table_of(player, number)
        if table is None or table.result is None:
            return ()
        return sorted(table.result.seats, key=lambda seat: seat.player != player)

    return seats


def own_scores_of(state: State) -> Callable[[PlayerId, int], str]:
    """Return a function that returns a player's scores in a round, such as ` (34 : 12)`.

    The player's own score is first. The function returns an empty text if there are no scores.
    """
    seats = own_seats_of(state)
    return lambda player, number: scores_text(seats(player, number))


def banlist_text(state: State) -> Message:
    """Return the name and day of the event's ban list, or `none`.

    If the ban list of the format is not installed, return a phrase that says so.
    """
    if state.missing_banlist:
        return Message("not checked, as {banlist} is not installed", banlist=state.missing_banlist)
    rule = next((rule for rule in state.rules if rule.kind == "banlist"), None)
    return Message("{banlist} of {day}", banlist=rule.name, day=rule.day) if rule else Message("none")


def unchecked_part(state: State, deck: RegisteredDeck) -> str:
    """Return what the verdict on a deck leaves open: `ban list not checked`; empty if nothing."""
    if state.is_outdated(deck):
        return CHECKED_BY_OLD_RULES
    return BANLIST_UNCHECKED if deck.verdict == "legal" and state.missing_banlist else ""


def sides_text(match: MatchSettings) -> str:
    """Name the sides and the side that moves first; empty if there are no sides.

    >>> sides_text(MatchSettings(sides=("Red", "Blue"), best_of=2))
    'Red and Blue; Red moves first; they change from game to game'
    """
    if not match.sides:
        return ""
    sides, first = listed(match.sides), match.sides[0]
    if match.best_of == 1:
        return Message("{sides}; {first} moves first", sides=sides, first=first)
    return Message("{sides}; {first} moves first; they change from game to game", sides=sides, first=first)


# -- results

INTENTIONAL_DRAW = Message("intentional draw")

RULING = "ruling"
"""The ending of a forfeit by a judge's ruling.

The player may have been present, so it is not a no-show.
"""

_ENDINGS = {"time": Message("by time"), RULING: Message("by ruling")}

_SCORED = {
    Outcome.WIN: Message("won {score}"),
    Outcome.DRAW: Message("drew {score}"),
    Outcome.LOSS: Message("lost {score}"),
}


def by_text(ending: str) -> str:
    """Return how a match ended: `by time`; empty if its score or an intentional draw ended it."""
    return "" if ending in {"", "id"} else _ENDINGS.get(ending) or Message("by {ending}", ending=ending)


def score_text(result: Result) -> str:
    """Return the games of a match of two: `2–1`, `2–1–1`; `½–½` if no games are known.

    >>> score_text(Result((Seat(PlayerId(1), Outcome.WIN, 1, 2), Seat(PlayerId(2), Outcome.LOSS, 2, 1)), 1))
    '2–1–1'
    """
    wins = [seat.games for seat in result.seats]
    if not any(wins) and all(seat.outcome is Outcome.DRAW for seat in result.seats):
        return "½–½"
    return "–".join(str(games) for games in ([*wins, result.drawn_games] if result.drawn_games else wins))


def scores_text(seats: Sequence[Seat]) -> str:
    """Return two players' victory points after a space: ` (34 : 12)`; empty without points."""
    if all(seat.score is None for seat in seats):
        return ""
    return f" ({' : '.join('–' if seat.score is None else str(seat.score) for seat in seats)})"


def result_text(result: Result, name: NameOf) -> Message:
    """Describe a result with names.

    Examples: `Mira 2–0 Tomo`, `1. Ada (9), 2. Mira (4)`, `Mira did not show`.

    Two players and their victory points are in seat order. At larger tables the winner is first.
    """
    scores = scores_text(result.seats).strip() if len(result.seats) == 2 else ""
    return Message.joined(" ", [_named_result(result, name), scores, by_text(result.ended)])


def _named_result(result: Result, name: NameOf) -> str:
    is_match, is_ruling = len(result.seats) == 2, result.ended == RULING
    missing = [seat for seat in result.seats if seat.outcome is Outcome.FORFEIT_LOSS]
    seat_names = [name(seat.player) if is_match else _seat_text(seat, name) for seat in result.seats]
    if len(missing) == len(seat_names):
        if not is_ruling:
            return Message("neither {names} showed", names=listed(seat_names, "nor"))
        forfeit = Message("{names} both forfeit") if is_match else Message("{names} all forfeit")
        return Message(forfeit, names=listed(seat_names))
    if all(seat.outcome is Outcome.DOUBLE_LOSS for seat in result.seats):
        lose = Message("{names} both lose") if is_match else Message("{names} all lose")
        return Message(lose, names=listed(seat_names))
    if not is_match:
        return _places(result, missing, name)
    one, other = seat_names
    if missing:
        winner, loser = (other, one) if missing[0] is result.seats[0] else (one, other)
        if is_ruling:
            return Message("{winner} wins, {loser} forfeits", winner=winner, loser=loser)
        return Message("{winner} wins, {loser} did not show", winner=winner, loser=loser)
    if result.ended == "id":
        return Message("{one} and {other} drew intentionally", one=one, other=other)
    return f"{one} {score_text(result)} {other}"


def _places(result: Result, missing: Sequence[Seat], name: NameOf) -> str:
    present = sorted((seat for seat in result.seats if seat not in missing), key=lambda seat: seat.place)
    places = ", ".join(f"{seat.place}. {_seat_text(seat, name)}" for seat in present)
    if not missing:
        return places
    names = listed(_seat_text(seat, name) for seat in missing)
    if result.ended != RULING:
        return Message("{places}; {names} did not show", places=places, names=names)
    return Message.plural(
        "{places}; {names} forfeits", "{places}; {names} forfeit", len(missing), places=places, names=names
    )


def _seat_text(seat: Seat, name: NameOf) -> str:
    return name(seat.player) if seat.score is None else f"{name(seat.player)} ({seat.score})"


def short_result(result: Result, name: NameOf) -> str:
    """Describe a result for display beside the players' names: `2–0 by time`.

    The description has names only if it is not clear without them, as at a table of three or more.
    """
    if result.ended == "id":
        return INTENTIONAL_DRAW
    if len(result.seats) == 2 and all(seat.outcome in BY_PLAY for seat in result.seats):
        return Message.joined(" ", [score_text(result), by_text(result.ended)])
    return result_text(result, name)


def own_result(result: Result, player: PlayerId) -> str:
    """Describe a result from a player's side.

    Examples: `won 2–1`, `lost 0–2 by time`, `place 2 of 4 with 11`.
    """
    seat, ending, size = result.seat_of(player), result.ended, len(result.seats)
    if size == 2 and ending == "id":
        return INTENTIONAL_DRAW
    if seat.outcome not in BY_PLAY:
        return own_words(seat.outcome, ending)
    if size == 2:
        others = (other for other in result.seats if other is not seat)
        turned_result = Result((seat, *others), result.drawn_games)
        score = _with_score(seat.outcome, score_text(turned_result) + scores_text(turned_result.seats))
        return Message.joined(" ", [score, by_text(ending)])
    place = Message("place {place} of {size}", place=seat.place, size=size)
    if seat.score is not None:
        place = Message("place {place} of {size} with {score}", place=seat.place, size=size, score=seat.score)
    is_forfeit = any(other.outcome not in BY_PLAY for other in result.seats)
    return Message.joined(" ", [place, "" if ending == RULING and is_forfeit else by_text(ending)])


@lru_cache(maxsize=1000)  # pages and phones show the few results of a large event thousands of times
def _with_score(outcome: Outcome, score: str) -> Message:
    return Message(_SCORED[outcome], score=score)


def own_words(outcome: Outcome, ending: str) -> str:
    """Describe a player's outcome without a score: `did not show`, `lost by forfeit`, `bye`."""
    if ending == RULING and outcome is Outcome.FORFEIT_WIN:
        return Message("won by forfeit")
    if ending == RULING and outcome is Outcome.FORFEIT_LOSS:
        return Message("lost by forfeit")
    return outcome.words.result


# -- tables of a round


def seats_text(seats: Iterable[PlayerId], name: NameOf) -> str:
    """Name the players of a table: `Mira – Tomo`."""
    return " – ".join(name(player) for player in seats)


def result_line(state: State, round_: Round) -> str:
    """Return an example of a command for the first open table: `tourney result add 4 2-0`."""
    table = round_.open_tables[0]
    seats = len(table.seats)
    score = (
        f"{games_needed(state.settings.match.best_of)}-0"
        if seats == 2
        else ",".join(map(str, range(1, seats + 1)))
    )
    earlier = f" --round {round_.number}" if round_.number < len(state.rounds) else ""
    return f"`tourney result add {table.number} {score}{earlier}`"


def still_playing(round_: Round) -> Message:
    """Name the tables of a round without a result: `3 of 16 tables still playing: 2, 9, 11`."""
    return Message.plural(
        "{open} of {n} table still playing: {numbers}",
        "{open} of {n} tables still playing: {numbers}",
        len(round_.tables),
        open=len(round_.playing),
        numbers=tables_text(round_.playing),
    )
