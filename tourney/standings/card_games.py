"""Tie-breaks of card games: percentages, strength of schedule, and weighted scores.

The rows of `ROWS`, at the end of the module, name the source of each tie-break, such as the rules of Magic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate

from msgspec.structs import replace

from tourney.record import Outcome, PlayerId
from tourney.standings.exact import (
    Value,
    exact_sum,
    halves,
    number_text,
    quotient_text,
    sum_of_ratios,
    sum_text,
)
from tourney.standings.profile import Percentage
from tourney.standings.scorecards import RoundEntry, Scorecards, missing_round
from tourney.standings.tally import (
    Reach,
    Tally,
    Term,
    Tiebreak,
    TieBreakFunction,
    cached_value,
    mean,
    opponents_mean,
    opponents_terms,
    values_of_terms,
    with_extra,
)


def match_win(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return a player's match-win percentage."""
    return _own_percentage(scorecards, player, match_share(scorecards, player), scorecards.profile.match_win)


def game_win(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return a player's game-win percentage."""
    raw = cached_value(scorecards, player, game_share, 0)
    return _own_percentage(
        scorecards, player, _game_tally(scorecards, player, raw), scorecards.profile.game_win
    )


def _own_percentage(scorecards: Scorecards, player: PlayerId, raw: Tally, limits: Percentage) -> Tally:
    value = _limit_value(scorecards, player, raw.value, limits) if limits.own_floor else raw.value
    return raw._replace(value=value, raw=raw.value)


def _limit_value(
    scorecards: Scorecards, player: PlayerId, value: Fraction | int | None, limits: Percentage
) -> Fraction | int | None:
    """Return a value, raised to the floor or lowered to the cap.

    If `value` is None, return the floor, or None if the profile has no floor.
    """
    floor = _floor_of(scorecards, limits)
    if value is None:
        return floor or None
    cap = limits.cap_dropped if player in scorecards.record.drops else limits.cap
    if _less(value, floor):
        return floor
    return cap if _less(cap, value) else value


def _less(one: Fraction | int, other: Fraction | int) -> bool:
    """Return whether `one` is less than `other`.

    This is faster than comparing fractions, and it runs for every player and round.
    """
    (top, bottom), (other_top, other_bottom) = one.as_integer_ratio(), other.as_integer_ratio()
    return top * other_bottom < other_top * bottom


def _floor_of(scorecards: Scorecards, limits: Percentage) -> Fraction:
    """Return the floor of a percentage. It can depend on the size of the event's largest table."""
    if not limits.floor_by_size:
        return limits.floor
    return limits.floor_by_size.get(scorecards.most_seats, limits.floor)


def match_share(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the match-win percentage before floor and cap: the mean over the rounds that count.

    A round adds `Worth.share`, such as 1 for a win; a round without a share does not count.
    """
    ratios = [ratio for worth in scorecards.worths(player) if (ratio := worth.ratio)]
    if not ratios:
        return Tally(None)
    numerator, denominator = sum_of_ratios(ratios)
    return Tally(Fraction(numerator, denominator * len(ratios)), "mean", partial(_shares, scorecards, player))


def _shares(scorecards: Scorecards, player: PlayerId) -> list[Term]:
    return [Term(entry, share) for entry in scorecards[player] if (share := entry.worth.share) is not None]


def game_share(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return games won divided by games played, before floor and cap.

    The profile says which fraction of a win a drawn game is worth.
    """
    games = [worth.games for worth in scorecards.worths(player)]
    wins, losses, draws = map(sum, zip(*games, strict=True)) if games else (0, 0, 0)
    game_count = wins + losses + draws
    if not game_count:
        return _game_tally(scorecards, player, None)
    numerator, denominator = scorecards.profile.game_win.draw.as_integer_ratio()
    return _game_tally(
        scorecards, player, Fraction(wins * denominator + draws * numerator, game_count * denominator)
    )


def _game_tally(scorecards: Scorecards, player: PlayerId, value: Value) -> Tally:
    if value is None:
        return Tally(None, "no game played")
    return Tally(
        value,
        "games won over games played",
        partial(_games, scorecards, player),
        partial(_games_arithmetic, scorecards, player),
    )


def _games(scorecards: Scorecards, player: PlayerId) -> list[Term]:
    draw = scorecards.profile.game_win.draw
    terms = []
    for entry in scorecards[player]:
        wins, losses, draws = entry.games
        if wins + losses + draws:
            arithmetic = f"{wins} + {draws} × {draw}" if draws else ""
            terms.append(
                Term(entry, wins + draws * draw, arithmetic=arithmetic, games_played=wins + losses + draws)
            )
    return terms


def _games_arithmetic(scorecards: Scorecards, player: PlayerId) -> tuple[str, str]:
    terms = _games(scorecards, player)
    wins = sum_text(values_of_terms(terms))
    return quotient_text(
        wins, sum_text([term.games_played for term in terms if term.games_played is not None])
    ), ""


def opponents_match_win(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean of the opponents' match-win percentages."""
    return opponents_mean(scorecards, player, _limited_match_win, 0)


def opponents_game_win(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean of the opponents' game-win percentages."""
    return opponents_mean(scorecards, player, _limited_game_win, 0)


def _limited_match_win(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return a player's match-win percentage as it counts in the opponents' tie-breaks.

    The profile's floor and cap always apply.
    """
    raw = cached_value(scorecards, player, match_share, 0)
    return Tally(_limit_value(scorecards, player, raw, scorecards.profile.match_win))


def _limited_game_win(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return a player's game-win percentage as it counts in the opponents' tie-breaks.

    The profile's floor and cap always apply.
    """
    raw = cached_value(scorecards, player, game_share, 0)
    return Tally(_limit_value(scorecards, player, raw, scorecards.profile.game_win))


def opponents_opponents_match_win(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean of the opponents' OMW (opponents' match-win percentage)."""
    return opponents_mean(scorecards, player, opponents_match_win, 1)


def match_loss(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return losses divided by matches with an opponent; a draw is not a loss."""
    return mean([Term(entry, int(entry.outcome.lost)) for entry in scorecards[player] if entry.opponents])


def opponents_match_loss(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean of the opponents' match-loss percentages."""
    return opponents_mean(scorecards, player, match_loss, 0)


# -- Points: Netrunner's strength of schedule, opponents' points, and sums that weigh rounds


def strength_of_schedule(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean of the opponents' points per round, or 0 without opponents.

    If rounds have weights, an opponent counts with the weight of the round in which the two players met.
    `Profile.strength_by` selects the divisor.
    """
    return _strength_tally(scorecards, player, points_per_round, 0)


def extended_strength_of_schedule(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean of the opponents' strength of schedule, or 0 without opponents.

    If rounds have weights, an opponent counts with the weight of the round in which the two players met.
    `Profile.strength_by` selects the divisor.
    """
    return _strength_tally(scorecards, player, strength_of_schedule, 1)


_ZERO = Fraction(0)


def _strength_tally(
    scorecards: Scorecards, player: PlayerId, function: TieBreakFunction, reach: Reach
) -> Tally:
    if scorecards.profile.strength_by == "opponents" and not scorecards.record.weights:
        tally = opponents_mean(scorecards, player, function, reach)
        return (
            tally
            if tally.value is not None
            else Tally(_ZERO, "mean", write_arithmetic=lambda: ("", "no opponent: 0"))
        )
    terms = opponents_terms(scorecards, player, function, reach)
    weights = [_weight(scorecards, term.entry) for term in terms]
    if scorecards.profile.strength_by == "rounds":
        divisor_weights = [_weight(scorecards, entry) for entry in _attended_rounds(scorecards, player)]
        method = "divided by the rounds, own byes included"
    else:
        divisor_weights, method = weights, "mean"
    denominator = exact_sum(divisor_weights)
    values = values_of_terms(terms)
    numerator = exact_sum([value * weight for value, weight in zip(values, weights, strict=True)])

    def write_arithmetic() -> tuple[str, str]:
        if not terms:
            return "", "no opponent: 0"
        parts = [number_text(value) for value in values]
        if any(weight != 1 for weight in weights):
            parts = [f"{part} × {number_text(weight)}" for part, weight in zip(parts, weights, strict=True)]
        text = quotient_text(" + ".join(parts), _rounds_text(divisor_weights))
        return text, "" if method == "mean" else method

    def list_terms() -> list[Term]:
        return [
            term if weight == 1 else replace(term, note=f"weighs {weight}")
            for term, weight in zip(terms, weights, strict=True)
        ]

    return Tally(numerator / denominator if denominator else _ZERO, method, list_terms, write_arithmetic)


def points_per_round(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the points divided by the total weight of the rounds that the player took part in.

    If rounds have no weights, each weighs 1. The profile decides whether rounds with a bye add to the
    divisor. The points of a bye always count (Aesop's Tables, `get_average_score_from_memory`).
    """
    points = scorecards.points[player]
    skips_byes = scorecards.profile.strength_rounds == "played"
    if scorecards.record.weights or skips_byes:
        rounds = exact_sum([_weight(scorecards, entry) for entry in _divisor_rounds(scorecards, player)])
        value = Fraction(points, 2) / rounds if rounds else _ZERO
    else:
        count = sum([worth.result != "absent" for worth in scorecards.worths(player)])
        value = Fraction(points, 2 * count) if count else _ZERO

    def write_arithmetic() -> tuple[str, str]:
        weights = [_weight(scorecards, entry) for entry in _divisor_rounds(scorecards, player)]
        extra = scorecards.extra_points(player)
        points_by_round = [entry.points for entry in scorecards[player]] + ([extra] if extra else [])
        text = sum_text([halves(half_points) for half_points in points_by_round])
        return (quotient_text(text, _rounds_text(weights)) if exact_sum(weights) else "0"), ""

    method = "points per round without a bye" if skips_byes else "points per round"
    return Tally(value, method, partial(_points, scorecards, player), write_arithmetic)


def _divisor_rounds(scorecards: Scorecards, player: PlayerId) -> list[RoundEntry]:
    entries = _attended_rounds(scorecards, player)
    if scorecards.profile.strength_rounds == "all":
        return entries
    return [entry for entry in entries if entry.outcome not in _BYES]


_BYES = frozenset({Outcome.BYE, Outcome.AWARDED_BYE, Outcome.HALF_BYE})


def _rounds_text(weights: Sequence[Fraction | int]) -> int | str:
    """Return the divisor of a mean, as the calculation shows it: `3`, or `1 + 2` with weights.

    weights: the weights whose sum is the divisor; if all are 1, only their number is shown
    """
    return len(weights) if all(weight == 1 for weight in weights) else sum_text(weights)


def _attended_rounds(scorecards: Scorecards, player: PlayerId) -> list[RoundEntry]:
    return [entry for entry in scorecards[player] if entry.outcome is not Outcome.ABSENT]


def _weight(scorecards: Scorecards, entry: RoundEntry) -> Fraction | int:
    weights = scorecards.record.weights
    return weights[entry.round - 1] if entry.round <= len(weights) else 1


def opponents_match_points(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean of the opponents' points."""
    return opponents_mean(scorecards, player, match_points, 0)


def match_points(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return a player's points, including points that were given in addition to results."""
    tally = Tally(halves(scorecards.points[player]), "sum", partial(_points, scorecards, player))
    return with_extra(tally, scorecards.extra_points(player))


def _points(scorecards: Scorecards, player: PlayerId) -> list[Term]:
    return [Term(entry, halves(entry.points)) for entry in scorecards[player]]


def cumulative(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return Flesh and Blood's cumulative tie-breaker (CTB).

    After each round, the new value is a quarter of the previous value plus the player's points so far.
    """
    value = _ZERO
    for points in _points_so_far(scorecards, player):
        value = value / 4 + Fraction(points, 2)
    method = "a quarter of last round's, plus the points so far"
    steps = partial(_steps, scorecards, player)
    return Tally(value, method, steps, lambda: (" + ".join(_quarters(scorecards, player)), ""))


def _points_so_far(scorecards: Scorecards, player: PlayerId) -> list[int]:
    """Return a player's half points after each round.

    They include points that were given in addition to results.
    """
    lines, extra = scorecards.lines[player], scorecards.extra.get(player, {})
    points_by_round = [0, *(extra.get(number, 0) for number in range(1, scorecards.rounds + 1))]
    for number, worth in zip(lines.numbers, lines.worths, strict=True):
        points_by_round[number] += worth.points
    return list(accumulate(points_by_round))[1:]


def _quarters(scorecards: Scorecards, player: PlayerId) -> list[str]:
    """Return the parts of the sum that gives CTB, as text: `1/16 × 1`, `1/4 × 2`, `3`.

    Each round gives one part: the player's points so far, multiplied by a power of 1/4.
    """
    points = map(halves, _points_so_far(scorecards, player))
    last = scorecards.rounds
    return [
        f"1/{4 ** (last - at)} × {points_so_far}" if at < last else str(points_so_far)
        for at, points_so_far in enumerate(points, 1)
    ]


def _steps(scorecards: Scorecards, player: PlayerId) -> list[Term]:
    open_rounds = scorecards.open_rounds(player)
    entries = {entry.round: entry for entry in scorecards[player]}
    value, terms = _ZERO, []
    for number, points in enumerate(_points_so_far(scorecards, player), 1):
        arithmetic = f"1/4 × {value} + {halves(points)}"
        value = value / 4 + halves(points)
        entry = entries.get(number) or missing_round(number)
        note = "no result yet" if number in open_rounds else ""
        terms.append(Term(entry, value, arithmetic=arithmetic, note=note))
    return terms


def opponents_cumulative(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean of the opponents' CTB (cumulative tie-breaker)."""
    return opponents_mean(scorecards, player, cumulative, 0)


def konami_number(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return Konami's number AABBBCCCDDD.

    AA is the points. BBB is the opponents' match-win percentage (OMW) and CCC the mean of the opponents' OMW
    (OOMW), both in tenths of a percent. DDD is the sum of the squares of the numbers of the rounds that the
    player lost.
    """
    omw = cached_value(scorecards, player, opponents_match_win, 1)
    oomw = cached_value(scorecards, player, opponents_opponents_match_win, 2)
    lost_rounds = [entry.round for entry in scorecards[player] if entry.outcome.lost]
    points, lost_squares = scorecards.points[player] // 2, sum(number**2 for number in lost_rounds)

    def list_terms() -> list[Term]:
        return [
            Term(entry, entry.round**2, arithmetic=f"{entry.round} × {entry.round}", note="squared")
            for entry in scorecards[player]
            if entry.outcome.lost
        ]

    def write_arithmetic() -> tuple[str, str]:
        parts = (points, _tenths(omw), _tenths(oomw), min(999, lost_squares))
        text = " + ".join(
            f"{number_text(part)} × {1000**place}" for part, place in zip(parts, (3, 2, 1, 0), strict=True)
        )
        squares = sum_text([number**2 for number in lost_rounds]) or "0"
        return text, (
            f"{points} points; OMW {omw or 0} and OOMW {oomw or 0} in tenths of a percent, "
            f"rounded half up, at most 999: {_tenths(omw)} and {_tenths(oomw)}; "
            f"squares of the rounds lost: {squares}"
        )

    return Tally(
        pack_konami_number(points, omw, oomw, lost_squares),
        "points, OMW, OOMW, squares of the rounds lost",
        list_terms,
        write_arithmetic,
    )


def pack_konami_number(points: int, omw: Value, oomw: Value, lost_squares: int) -> int:
    """Return Konami's number AABBBCCCDDD from its four parts.

    omw, oomw: OMW and OOMW from 0 to 1, converted to tenths of a percent and rounded half up, at most 999
    lost_squares: the sum of the squares of the rounds lost; counted as 999 at most

    Konami has not published how its program rounds.

    >>> pack_konami_number(33, Fraction("0.726"), Fraction("0.677"), 9)
    33726677009
    """
    return ((points * 1000 + _tenths(omw)) * 1000 + _tenths(oomw)) * 1000 + min(999, lost_squares)


def _tenths(share: Value) -> int:
    return min(999, math.floor(Fraction(share or 0) * 1000 + Fraction(1, 2)))


_MTR = "Magic Tournament Rules, appendix C"
_TOM = "Play! Pokémon tournament rules handbook 5.3"
_FAB = "Flesh and Blood tournament rules and policy 1.4"
_NSG = "Null Signal Games: strength of schedule as Cobra computes it"
_KONAMI = "Konami tournament policy"
_POD = "Multiplayer Addendum to the Magic Tournament Rules (unofficial)"

ROWS = (
    Tiebreak("PTS", "points", "the profile", "points", match_points),
    Tiebreak("MW", "match-win %", _MTR, "percent", match_win, has_limits=True),
    Tiebreak("OMW", "opponents' match-win %", _MTR, "percent", opponents_match_win, reach=1,
             opponent_function=match_share, has_limits=True, monotone=True),
    Tiebreak("GW", "game-win %", _MTR, "percent", game_win, looks_at="games", has_limits=True),
    Tiebreak("OGW", "opponents' game-win %", _MTR, "percent", opponents_game_win, reach=1, looks_at="games",
             opponent_function=game_share, has_limits=True, monotone=True),
    Tiebreak("OOMW", "opponents' opponents' match-win %", _KONAMI, "percent", opponents_opponents_match_win,
             reach=2, opponent_function=opponents_match_win, monotone=True),
    Tiebreak("OWP", "opponents' win percentage", _TOM, "percent", opponents_match_win, reach=1,
             opponent_function=match_share, has_limits=True, monotone=True),
    Tiebreak("OOWP", "opponents' opponents' win percentage", _TOM, "percent", opponents_opponents_match_win,
             reach=2, opponent_function=opponents_match_win, monotone=True),
    Tiebreak("PML", "match-loss %", _FAB, "percent", match_loss, low=True),
    Tiebreak("OML", "opponents' match-loss %", _FAB, "percent", opponents_match_loss, low=True, reach=1,
             opponent_function=match_loss, monotone=True),
    Tiebreak("OMP", "opponents' average points", _POD, "number", opponents_match_points, reach=1,
             opponent_function=match_points, monotone=True),
    Tiebreak("SOS", "strength of schedule", _NSG, "number", strength_of_schedule, reach=1,
             opponent_function=points_per_round, monotone=True),
    Tiebreak("ESOS", "extended strength of schedule", _NSG, "number", extended_strength_of_schedule, reach=2,
             opponent_function=strength_of_schedule, monotone=True),
    Tiebreak("CTB", "cumulative tie-breaker", _FAB, "number", cumulative),
    Tiebreak("OCTB", "opponents' cumulative tie-breaker", _FAB, "number", opponents_cumulative, reach=1,
             opponent_function=cumulative, monotone=True),
    Tiebreak("KTS", "Konami's number AABBBCCCDDD", f"{_KONAMI}; form as read by public programs", "number",
             konami_number, parts=("OMW", "OOMW"), reach=2, monotone=True),
)  # fmt: skip
