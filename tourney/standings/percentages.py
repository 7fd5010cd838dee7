"""Match-win and game-win percentages, the opponents' and their opponents'."""

from __future__ import annotations

from fractions import Fraction

from tourney.record import Outcome, PlayerId
from tourney.standings.profile import Percentage
from tourney.standings.sheets import Sheets
from tourney.standings.values import NOBODY, Tally, Term, mean, opponents_mean


def match_win(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the player's own match-win percentage as it is shown and ranked."""
    raw = match_share(sheets, player)
    return _own(sheets, player, raw, sheets.profile.match_win)


def game_win(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the player's own game-win percentage as it is shown and ranked."""
    raw = game_share(sheets, player)
    return _own(sheets, player, raw, sheets.profile.game_win)


def match_win_seen(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the match-win percentage that counts for the player's opponents: always floored and capped."""
    raw = match_share(sheets, player)
    return raw._replace(value=limited(sheets, player, raw.value, sheets.profile.match_win))


def game_win_seen(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the game-win percentage that counts for the player's opponents: always floored and capped."""
    raw = game_share(sheets, player)
    return raw._replace(value=limited(sheets, player, raw.value, sheets.profile.game_win))


def match_share(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the mean share of a win over the rounds that count, before any floor; None if no round counts."""
    return mean(
        [Term(entry, NOBODY, entry.worth.share) for entry in sheets[player] if entry.worth.share is not None]
    )


def game_share(sheets: Sheets, player: PlayerId) -> Tally:
    """Return games won (a drawn one counts its share) over games played, before any floor; None without a game."""
    won = lost = drawn = 0
    for entry in sheets[player]:
        games = entry.worth.games
        won, lost, drawn = won + games[0], lost + games[1], drawn + games[2]
    played = won + lost + drawn
    value = (won + drawn * sheets.profile.game_win.draw) / Fraction(played) if played else None
    return Tally(value, (), f"{won} won, {lost} lost, {drawn} drawn")


def limited(
    sheets: Sheets, player: PlayerId, value: Fraction | int | None, limits: Percentage
) -> Fraction | int | None:
    """Raise `value` to the floor and lower it to the cap. Nothing played is worth the floor, or None without one."""
    floor = floor_of(sheets, limits)
    if value is None:
        return floor or None
    cap = limits.cap_dropped if player in sheets.record.drops else limits.cap
    return max(floor, min(value, cap))


def floor_of(sheets: Sheets, limits: Percentage) -> Fraction:
    """Return the floor: by the number of seats at the event's largest table where the profile says so."""
    if not limits.floor_by_size:
        return limits.floor
    size = max((len(table.seats) for tables in sheets.record.rounds for table in tables), default=0)
    return limits.floor_by_size.get(size, limits.floor)


def opponents_match_win(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the mean of the opponents' match-win percentages."""
    return opponents_mean(sheets, player, "seen MW", match_win_seen)


def opponents_game_win(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the mean of the opponents' game-win percentages."""
    return opponents_mean(sheets, player, "seen GW", game_win_seen)


def opponents_opponents_match_win(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the mean of the opponents' own opponents' match-win percentages."""
    return opponents_mean(sheets, player, "seen OMW", opponents_match_win)


def match_loss(sheets: Sheets, player: PlayerId) -> Tally:
    """Return losses over matches with an opponent (byes are no matches, a draw is no loss); None without one."""
    terms = [Term(entry, NOBODY, int(entry.outcome in _LOST)) for entry in sheets[player] if entry.opponents]
    return mean(terms)


def opponents_match_loss(sheets: Sheets, player: PlayerId) -> Tally:
    """Return the mean of the opponents' match-loss percentages."""
    return opponents_mean(sheets, player, "PML", match_loss)


_LOST = frozenset({Outcome.LOSS, Outcome.FORFEIT_LOSS, Outcome.DOUBLE_LOSS})


def _own(sheets: Sheets, player: PlayerId, raw: Tally, limits: Percentage) -> Tally:
    if limits.own_floor:
        return raw._replace(value=limited(sheets, player, raw.value, limits))
    return raw
