"""What is said of results, players and tables: the words that receipts, the log and pages share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tourney.event.settings import MatchSettings
from tourney.event.state import RegisteredDeck, Round, State
from tourney.record import NameOf, Outcome, PlayerId, Result, Seat, games_needed
from tourney.wording import BANLIST_UNCHECKED, CHECKED_BY_OLD_RULES, counted, format_ranges, listed


def tables_text(numbers: Sequence[int], most: int = 12) -> str:
    """List table numbers, a run of three and more as `4–7`, cut short where there are many.

    >>> tables_text([2, 4, 5, 6, 9])
    '2, 4–6, 9'
    """
    parts = format_ranges(numbers)
    return ", ".join(parts[:most]) + (" …" if len(parts) > most else "")


def at_tables(numbers: Sequence[int]) -> str:
    """Name tables: `table 4`, `tables 2, 4–6`."""
    return f"{'table' if len(numbers) == 1 else 'tables'} {tables_text(numbers)}"


def names_of(state: State) -> NameOf:
    """Return a function that names players as they are called now."""
    return lambda player: state.players[player].name if player in state.players else f"player {player}"


def sides_of(state: State) -> Callable[[PlayerId, int], str]:
    """Return a function that says which side a player had in a round: `Red`; empty without a table, or without sides."""

    def side(player: PlayerId, number: int) -> str:
        if not state.settings.match.sides or not 0 < number <= len(state.rounds):
            return ""
        table = state.rounds[number - 1].table_of(player)
        return state.settings.match.side(table.seats.index(player)) if table else ""

    return side


def own_seats_of(state: State) -> Callable[[PlayerId, int], Sequence[Seat]]:
    """Return a function that gives the seats of a player's match as it ended, their own first; none without a result."""

    def seats(player: PlayerId, number: int) -> Sequence[Seat]:
        if not 0 < number <= len(state.rounds):
            return ()
        table = state.rounds[number - 1].table_of(player)
        if table is None or table.result is None:
            return ()
        return sorted(table.result.seats, key=lambda seat: seat.player != player)

    return seats


def own_scores_of(state: State) -> Callable[[PlayerId, int], str]:
    """Return a function that says the score of a player's match, their own first: ` (34 : 12)`; empty without one."""
    seats = own_seats_of(state)
    return lambda player, number: scores_text(seats(player, number))


def banlist_text(state: State) -> str:
    """Name the ban list an event keeps, and its day; without one, whether it is missing or there is none."""
    if state.missing_banlist:
        return f"not checked, as {state.missing_banlist} is not installed"
    return next((f"{kept.name} of {kept.day}" for kept in state.rules if kept.kind == "banlist"), "none")


def unchecked(state: State, deck: RegisteredDeck) -> str:
    """Return what the verdict of a registered deck leaves out: `ban list not checked`; empty where it leaves out nothing."""
    if state.is_outdated(deck):
        return CHECKED_BY_OLD_RULES
    return BANLIST_UNCHECKED if deck.verdict == "legal" and state.missing_banlist else ""


def sides_text(match: MatchSettings) -> str:
    """Say what the sides are and who starts; empty without sides.

    >>> sides_text(MatchSettings(sides=("Red", "Blue"), best_of=2))
    'Red and Blue; Red moves first; they change from game to game'
    """
    if not match.sides:
        return ""
    change = "; they change from game to game" if match.best_of > 1 else ""
    return f"{listed(match.sides)}; {match.sides[0]} moves first{change}"


RULING = "ruling"
"""How a result ended that is a forfeit by a judge's ruling: the player may have been there."""


def own_words(outcome: Outcome, ended: str) -> str:
    """Say what came of a player's match: `did not show`, `lost by forfeit`; of a round without one `bye`."""
    if ended == RULING and outcome is Outcome.FORFEIT_WIN:
        return "won by forfeit"
    if ended == RULING and outcome is Outcome.FORFEIT_LOSS:
        return "lost by forfeit"
    return outcome.words.result


def result_text(result: Result, name: NameOf) -> str:
    """Say a result: `Mira 2–0 Tomo`, `1. Ada, 2. Mira, 3. Tomo`, `1. Ada (9), 2. Mira (4)`, `Mira, Tomo did not show`.

    Two stand in seat order, and so do their victory points; at a table of three and more the winner stands first, and
    everybody's victory points behind their own name.
    """
    seats = result.seats
    two = len(seats) == 2
    missing = [seat for seat in seats if seat.outcome is Outcome.FORFEIT_LOSS]
    if len(missing) == len(seats):
        names = _named(seats, name)
        both = f"{listed(names)} {'both' if two else 'all'} forfeit" if result.ended == RULING else ""
        text = both or f"neither {listed(names, 'nor')} showed"
    elif all(seat.outcome is Outcome.DOUBLE_LOSS for seat in seats):
        text = f"{listed(_named(seats, name))} {'both' if two else 'all'} lose"
    elif two:
        text = _two(result, name, missing)
    else:
        text = _placed(result, name, missing)
    scores = scores_text(seats) if two else ""
    return text + scores + by_text(result.ended)


def _named(seats: Sequence[Seat], name: NameOf) -> list[str]:
    """Name who sits here; at a table of three and more with their own victory points: `Ada (9)`."""
    if len(seats) == 2:
        return [name(seat.player) for seat in seats]
    return [_scored(seat, name) for seat in seats]


def _two(result: Result, name: NameOf, missing: Sequence[Seat]) -> str:
    one, other = result.seats
    if missing:
        present = other if missing[0] is one else one
        why = "forfeits" if result.ended == RULING else "did not show"
        return f"{name(present.player)} wins, {name(missing[0].player)} {why}"
    if result.ended == "id":
        return f"{name(one.player)} and {name(other.player)} drew intentionally"
    return f"{name(one.player)} {score_text(result)} {name(other.player)}"


def score_text(result: Result) -> str:
    """Print the games of a match of two: `2–1`, `2–1–1`, `½–½` where only a draw is known.

    >>> score_text(Result((Seat(PlayerId(1), Outcome.WIN, 1, 2), Seat(PlayerId(2), Outcome.LOSS, 2, 1)), 1))
    '2–1–1'
    """
    won = [seat.games for seat in result.seats]
    if not any(won) and all(seat.outcome is Outcome.DRAW for seat in result.seats):
        return "½–½"
    return "–".join(str(games) for games in ([*won, result.drawn_games] if result.drawn_games else won))


def _placed(result: Result, name: NameOf, missing: Sequence[Seat]) -> str:
    present = sorted((seat for seat in result.seats if seat not in missing), key=lambda seat: seat.place)
    text = ", ".join(f"{seat.place}. {_scored(seat, name)}" for seat in present)
    absent = listed(_scored(seat, name) for seat in missing)
    if not absent:
        return text
    forfeits = "forfeits" if len(missing) == 1 else "forfeit"
    return f"{text}; {absent} {forfeits if result.ended == RULING else 'did not show'}"


def _scored(seat: Seat, name: NameOf) -> str:
    return name(seat.player) if seat.score is None else f"{name(seat.player)} ({seat.score})"


def by_text(ended: str) -> str:
    """Say how a match ended, as it follows a result: ` by time`; nothing where it ended as matches do, or was none."""
    return "" if ended in {"", "id"} else f" by {ended}"


def scores_text(seats: Sequence[Seat]) -> str:
    """Say the victory points of two, as they follow a result: ` (34 : 12)`; nothing where there are none."""
    if all(seat.score is None for seat in seats):
        return ""
    return f" ({' : '.join('–' if seat.score is None else str(seat.score) for seat in seats)})"


def be(title: str) -> str:
    """Return the verb that goes with a round's name.

    >>> be("Round 3"), be("Semifinals"), be("Upper round 2 and lower round 1")
    ('is', 'are', 'are')
    """
    return "are" if title.endswith("finals") or " and " in title else "is"


def in_a_sentence(title: str) -> str:
    """Name a round in the middle of a sentence, with its article where it has one.

    >>> in_a_sentence("Round 3"), in_a_sentence("Semifinals"), in_a_sentence("Round of 16")
    ('round 3', 'the semifinals', 'the round of 16')
    """
    low = title[:1].lower() + title[1:]
    return low if low[-1:].isdigit() and "round of" not in low else f"the {low}"


def seats_text(seats: Iterable[PlayerId], name: NameOf) -> str:
    """Name the players of a table: `Mira – Tomo`."""
    return " – ".join(name(player) for player in seats)


def result_line(state: State, round_: Round) -> str:
    """Return a line that enters a result for the first open table of a round, as in `tourney result add 4 2-0`."""
    table = round_.playing[0]
    seats = len(round_.tables[table].seats)
    won = (
        f"{games_needed(state.settings.match.best_of)}-0"
        if seats == 2
        else ",".join(map(str, range(1, seats + 1)))
    )
    earlier = f" --round {round_.number}" if round_.number < len(state.rounds) else ""
    return f"`tourney result add {table} {won}{earlier}`"


def still_playing(round_: Round) -> str:
    """Say which tables of a round have no result, as in `3 of 16 tables still playing: 2, 9, 11`."""
    playing = round_.playing
    return f"{len(playing)} of {counted(len(round_.tables), 'table')} still playing: {tables_text(playing)}."
