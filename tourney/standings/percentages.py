"""Match-win and game-win percentages, the opponents' and their opponents'."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from tourney.record import NOBODY, Outcome, PlayerId
from tourney.standings.exact import Tally, Term, added, mean, opponents_mean, over, remembered, sum_of_ratios
from tourney.standings.profile import Percentage
from tourney.standings.scorecards import Scorecards


def match_win(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the player's own match-win percentage as it is shown and ranked."""
    raw = match_share(scorecards, player)
    limits = scorecards.profile.match_win
    value = _limited(scorecards, player, raw.value, limits) if limits.own_floor else raw.value
    return raw._replace(value=value, raw=raw.value)


def game_win(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the player's own game-win percentage as it is shown and ranked."""
    raw = game_share(scorecards, player)
    limits = scorecards.profile.game_win
    value = _limited(scorecards, player, raw.value, limits) if limits.own_floor else raw.value
    return raw._replace(value=value, raw=raw.value)


def _match_win_seen(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the match-win percentage that counts for the player's opponents: always floored and capped."""
    raw = remembered(scorecards, player, match_share, 0)
    return Tally(_limited(scorecards, player, raw, scorecards.profile.match_win))


def _game_win_seen(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the game-win percentage that counts for the player's opponents: always floored and capped."""
    raw = remembered(scorecards, player, game_share, 0)
    return Tally(_limited(scorecards, player, raw, scorecards.profile.game_win))


def match_share(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean share of a win over the rounds that count, before any floor; None if no round counts."""
    ratios = [ratio for worth in scorecards.worths(player) if (ratio := worth.ratio)]
    if not ratios:
        return Tally(None)
    above, below = sum_of_ratios(ratios)
    return Tally(Fraction(above, below * len(ratios)), "mean", partial(_shares, scorecards, player))


def game_share(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return games won (a drawn one counts its share) over games played, before any floor; None without a game."""
    games = [worth.games for worth in scorecards.worths(player)]
    won, lost, drawn = map(sum, zip(*games, strict=True)) if games else (0, 0, 0)
    played = won + lost + drawn
    if not played:
        return Tally(None, "no game played")
    above, below = scorecards.profile.game_win.draw.as_integer_ratio()
    value = Fraction(won * below + drawn * above, played * below)
    return Tally(
        value,
        "games won over games played",
        partial(_games, scorecards, player),
        partial(_games_worked, scorecards, player),
    )


def _games(scorecards: Scorecards, player: PlayerId) -> list[Term]:
    draw = scorecards.profile.game_win.draw
    terms = []
    for entry in scorecards[player]:
        won, lost, drawn = entry.games
        if won + lost + drawn:
            worked = f"{won} + {drawn} × {draw}" if drawn else ""
            terms.append(Term(entry, NOBODY, won + drawn * draw, worked=worked, of=won + lost + drawn))
    return terms


def _games_worked(scorecards: Scorecards, player: PlayerId) -> tuple[str, str]:
    terms = _games(scorecards, player)
    won = added([term.value for term in terms if term.value is not None])
    return over(won, added([term.of for term in terms if term.of is not None])), ""


def _shares(scorecards: Scorecards, player: PlayerId) -> list[Term]:
    return [
        Term(entry, NOBODY, share) for entry in scorecards[player] if (share := entry.worth.share) is not None
    ]


def _limited(
    scorecards: Scorecards, player: PlayerId, value: Fraction | int | None, limits: Percentage
) -> Fraction | int | None:
    """Raise `value` to the floor and lower it to the cap. Nothing played is worth the floor, or None without one."""
    floor = _floor_of(scorecards, limits)
    if value is None:
        return floor or None
    cap = limits.cap_dropped if player in scorecards.record.drops else limits.cap
    if _less(value, floor):
        return floor
    return cap if _less(cap, value) else value


def _less(one: Fraction | int, other: Fraction | int) -> bool:
    """Compare without the detour of Fraction's own comparison: this runs for every player of every round."""
    (over, under), (above, below) = one.as_integer_ratio(), other.as_integer_ratio()
    return over * below < above * under


def _floor_of(scorecards: Scorecards, limits: Percentage) -> Fraction:
    """Return the floor: by the number of seats at the event's largest table where the profile says so."""
    if not limits.floor_by_size:
        return limits.floor
    return limits.floor_by_size.get(scorecards.largest, limits.floor)


def opponents_match_win(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean of the opponents' match-win percentages."""
    return opponents_mean(scorecards, player, _match_win_seen, 0)


def opponents_game_win(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean of the opponents' game-win percentages."""
    return opponents_mean(scorecards, player, _game_win_seen, 0)


def opponents_opponents_match_win(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean of the opponents' own opponents' match-win percentages."""
    return opponents_mean(scorecards, player, opponents_match_win, 1)


def match_loss(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return losses over matches with an opponent (byes are no matches, a draw is no loss); None without one."""
    return mean(
        [Term(entry, NOBODY, int(entry.outcome in LOST)) for entry in scorecards[player] if entry.opponents]
    )


def opponents_match_loss(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean of the opponents' match-loss percentages."""
    return opponents_mean(scorecards, player, match_loss, 0)


LOST = frozenset({Outcome.LOSS, Outcome.FORFEIT_LOSS, Outcome.DOUBLE_LOSS})
"""A match lost, however."""
