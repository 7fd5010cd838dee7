"""Buchholz, Fore Buchholz and Sonneborn-Berger with their cuts, and Koya.

Source: FIDE C.07, articles 8, 9, 14, 16.

Each tie-break is a sum of elements (`BuchholzRound`), one for each round. An unplayed round counts as a game
against a dummy opponent, whose score depends on the edition of article 16. Scores are half points. In a round
robin, a forfeit is an ordinary game and a free round does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from tourney.record import Outcome, PlayerId
from tourney.standings.exact import halves, number_text
from tourney.standings.scorecards import NO_GAMES, VOLUNTARY, RoundEntry, Scorecards, Worth
from tourney.standings.tally import (
    FIDE,
    LOW_CUTS,
    Modifier,
    Tally,
    Term,
    Tiebreak,
    TieBreakFunction,
    cached_value,
    cut_modifier,
    mean,
    total,
    with_extra,
)

_REQUESTED = frozenset({Outcome.HALF_BYE, Outcome.ABSENT})
"""Requested byes: half-point and zero-point byes.

The rounds before a player's arrival or after a withdrawal count as such byes.
"""

_FORFEITS = frozenset({Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS})


def buchholz(scorecards: Scorecards, player: PlayerId, *, low: int = 0, high: int = 0) -> Tally:
    """Return the sum of the opponents' scores without the `low` lowest and the `high` highest."""
    counted_rounds = _cut_rounds(_rounds(scorecards, player), low, _least_score, _score)
    for _ in range(min(high, len(counted_rounds))):
        counted_rounds.remove(max(counted_rounds, key=_score))
    value = Fraction(sum(map(_score, counted_rounds)), 2)
    return Tally(value, "sum", lambda: [_score_term(element) for element in counted_rounds])


def fore_buchholz(scorecards: Scorecards, player: PlayerId, *, low: int = 0, high: int = 0) -> Tally:
    """Return Buchholz as if every game of the final round were drawn.

    Before the final round is paired, this is plain Buchholz.
    """
    last = _fore_scorecards(scorecards)
    tally = buchholz(last, player, low=low, high=high)
    if last is scorecards:
        return tally
    return tally._replace(
        write_arithmetic=lambda: (tally.arithmetic[0], f"every match of round {scorecards.rounds} as a draw")
    )


def adjusted_score(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return a player's score as it counts in the opponents' tie-breaks.

    The score is adjusted for unplayed rounds (FIDE C.07, article 16.3).
    """
    rounds = _adjusted_rounds(scorecards, player)

    def list_terms() -> list[Term]:
        return [
            Term(entry, halves(half_points), note="" if half_points == entry.points else "counts as a draw")
            for entry, half_points in rounds
        ]

    extra = scorecards.extra_points(player)
    return with_extra(
        Tally(halves(sum(half_points for _, half_points in rounds) + extra), "sum", list_terms), extra
    )


def fore_adjusted_score(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return a player's score as it counts in the opponents' Fore Buchholz."""
    return adjusted_score(_fore_scorecards(scorecards), player)


def sonneborn_berger(scorecards: Scorecards, player: PlayerId, *, low: int = 0, high: int = 0) -> Tally:
    """Return the sum of each opponent's score times the points made against that opponent.

    Source: FIDE C.07, articles 14.1 and 16.5.

    low:  how many opponents to leave out, those with the lowest scores first
    high: how many opponents to leave out, those with the highest scores first

    If the profile does not adjust scores (`as-scored`), the lowest and highest products are left out instead.
    """
    is_simple = scorecards.profile.unplayed_treatment == "as-scored"
    least = _least_product if is_simple else _least_of_sonneborn_berger
    counted_rounds = _cut_rounds(_rounds(scorecards, player), low, least, _product)
    for _ in range(min(high, len(counted_rounds))):
        most = max(map(_score, counted_rounds))
        candidates = (
            counted_rounds if is_simple else [element for element in counted_rounds if element.score == most]
        )
        counted_rounds.remove(max(candidates, key=_product))
    value = Fraction(sum(map(_product, counted_rounds)), 4)
    return Tally(value, "sum", lambda: [_product_term(element) for element in counted_rounds])


def average_of_opponents_buchholz(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean Buchholz of the opponents met over the board."""
    return _average_of_opponents(scorecards, player, buchholz)


def average_of_opponents_fore_buchholz(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the mean Fore Buchholz of the opponents met over the board."""
    return _average_of_opponents(scorecards, player, fore_buchholz)


def koya(scorecards: Scorecards, player: PlayerId, *, shift: int = 0) -> Tally:
    """Return the points made against opponents who have at least half of the possible score.

    shift: half points to add to the limit of half the possible score
    """
    win = scorecards.profile.outcomes[Outcome.WIN].points
    limit = Fraction(_games_possible(scorecards) * win, 2) + shift
    terms = []
    for entry in scorecards.all_rounds(player):
        if entry.opponents and (entry.outcome.played or scorecards.round_robin):
            best = max(scorecards.points[opponent] for opponent in entry.opponents)
            is_enough = best >= limit
            note = f"of a player with {halves(best)} points" + (
                "" if is_enough else f", but {limit / 2} are needed"
            )
            terms.append(Term(entry, halves(entry.points) if is_enough else None, note=note))
    return total(terms)


def _fore_scorecards(scorecards: Scorecards) -> Scorecards:
    """Return the scorecards as if every game of the final round were drawn.

    If the final round is not paired yet, return the scorecards unchanged.
    """
    planned_rounds = scorecards.record.planned_rounds
    if not scorecards.rounds or (planned_rounds is not None and scorecards.rounds < planned_rounds):
        return scorecards
    if scorecards.fore is None:
        draw = Worth(scorecards.draw, None, None, NO_GAMES, "draw", meets=True)
        scorecards.fore = scorecards.with_entries(
            {
                player: tuple(
                    entry._replace(outcome=Outcome.DRAW, worth=draw)
                    if entry.round == scorecards.rounds and entry.opponents
                    else entry
                    for entry in scorecards[player]
                )
                for player in scorecards.players
            }
        )
    return scorecards.fore


def _cut_rounds(
    rounds: list[BuchholzRound],
    cuts: int,
    least: Callable[[list[BuchholzRound]], BuchholzRound],
    weigh: Callable[[BuchholzRound], int],
) -> list[BuchholzRound]:
    """Return the rounds whose scores still count after `cuts` rounds were cut.

    Each cut removes the lowest round, with one exception: if the lowest voluntary unplayed round has at
    least the same value, that round is removed instead. Source: FIDE C.07, article 16.5.

    least: returns the lowest of the rounds that are left
    weigh: returns the value of a round, to compare these two rounds
    """
    rounds = list(rounds)
    for _ in range(min(cuts, len(rounds))):
        lowest = least(rounds)
        voluntary_round = min(
            (element for element in rounds if element.is_voluntary), key=weigh, default=None
        )
        if voluntary_round is not None and weigh(voluntary_round) >= weigh(lowest):
            lowest = voluntary_round
        rounds.remove(lowest)
    return rounds


def _least_score(rounds: list[BuchholzRound]) -> BuchholzRound:
    return min(rounds, key=_score)


def _least_of_sonneborn_berger(rounds: list[BuchholzRound]) -> BuchholzRound:
    least = min(map(_score, rounds))
    return min((element for element in rounds if element.score == least), key=_product)


def _least_product(rounds: list[BuchholzRound]) -> BuchholzRound:
    return min(rounds, key=_product)


def _score(element: BuchholzRound) -> int:
    return element.score


def _product(element: BuchholzRound) -> int:
    return element.score * element.own_points


def _score_term(element: BuchholzRound) -> Term:
    raw = None if element.raw is None else halves(element.raw)
    return Term(element.entry, halves(element.score), element.opponents, raw=raw, note=element.note)


def _product_term(element: BuchholzRound) -> Term:
    score, own_points = halves(element.score), halves(element.own_points)
    arithmetic = f"{number_text(score)} × {number_text(own_points)}"
    value = Fraction(_product(element), 4)
    return Term(element.entry, value, element.opponents, arithmetic=arithmetic, note=element.note)


def _average_of_opponents(scorecards: Scorecards, player: PlayerId, function: TieBreakFunction) -> Tally:
    terms = []
    for entry in scorecards[player]:
        for opponent in entry.opponents if entry.outcome.played else ():
            value = cached_value(scorecards, opponent, function, 1)
            assert value is not None
            terms.append(Term(entry, value, (opponent,)))
    return mean(terms)


def _games_possible(scorecards: Scorecards) -> int:
    """Return the number of rounds, or in a round robin the most games that any player has.

    A round of a round robin in which a player has no opponent is not a game.
    """
    if not scorecards.round_robin:
        return scorecards.rounds
    if scorecards.most_games is None:
        games = (sum(bool(entry.opponents) for entry in scorecards[player]) for player in scorecards.players)
        scorecards.most_games = max(games, default=0)
    return scorecards.most_games


# -- The elements of a sum: opponents, and dummies for unplayed rounds (article 16)


class BuchholzRound(Struct, frozen=True):
    """One round's part in Buchholz and Sonneborn-Berger.

    opponents:    the players whose scores count; empty if a dummy's score counts
    score:        the sum of the opponents' half points, or the dummy's half points
    own_points:   half points that the player made in the round
    is_voluntary: whether it is a voluntary unplayed round, which is cut first
    raw:          a dummy's half points before a cap lowered them; None if no cap did so
    note:         how the dummy's score was determined; empty for opponents
    """

    entry: RoundEntry
    opponents: tuple[PlayerId, ...]
    score: int
    own_points: int
    is_voluntary: bool = False
    raw: int | None = None
    note: str = ""


def _rounds(scorecards: Scorecards, player: PlayerId) -> list[BuchholzRound]:
    """Return the elements of a player's Buchholz, one for each round that counts."""
    treatment = scorecards.profile.unplayed_treatment
    elements = []
    for entry in scorecards.all_rounds(player):
        if scorecards.round_robin:
            if entry.opponents:
                elements.append(_opponent_round(scorecards, entry, as_scored=True))
        elif entry.outcome.played or (treatment == "as-scored" and entry.opponents):
            elements.append(_opponent_round(scorecards, entry))
        else:
            elements.append(_unplayed_round(scorecards, player, entry))
    return elements


def _opponent_round(scorecards: Scorecards, entry: RoundEntry, *, as_scored: bool = False) -> BuchholzRound:
    # At a larger table, the scores of all opponents count together.
    score = sum(
        scorecards.points[other] if as_scored else _adjusted_half_points(scorecards, other)
        for other in entry.opponents
    )
    return BuchholzRound(entry, entry.opponents, score, entry.points)


def _adjusted_half_points(scorecards: Scorecards, player: PlayerId) -> int:
    """Return a player's half points as they count in the opponents' tie-breaks (article 16.3)."""
    adjusted_scores = scorecards.adjusted_scores
    try:
        return adjusted_scores[player]
    except KeyError:
        points = sum(half_points for _, half_points in _adjusted_rounds(scorecards, player))
        score = adjusted_scores[player] = points + scorecards.extra_points(player)
        return score


def _adjusted_rounds(scorecards: Scorecards, player: PlayerId) -> list[tuple[RoundEntry, int]]:
    """Return a player's rounds, each with the half points that count for the opponents.

    Source: FIDE C.07, article 16.3.
    """
    treatment = scorecards.profile.unplayed_treatment
    if treatment == "as-scored" or scorecards.round_robin:
        return [(entry, entry.points) for entry in scorecards[player]]
    draw = scorecards.draw
    rounds = scorecards.all_rounds(player)
    if treatment == "virtual":
        return [(entry, entry.points if entry.outcome.played else draw) for entry in rounds]
    trailing = _last_involuntary(scorecards, player)
    return [
        (entry, draw if entry.outcome in _REQUESTED and entry.round > trailing else entry.points)
        for entry in rounds
    ]


def _last_involuntary(scorecards: Scorecards, player: PlayerId) -> int:
    """Return the last round that the player played, or missed involuntarily; 0 if none exists.

    Only half-point byes, absences and forfeit losses are voluntary (`VOLUNTARY`). A round in which the
    player's table has no result yet counts as played.
    """
    rounds = [entry.round for entry in scorecards.all_rounds(player) if entry.outcome not in VOLUNTARY]
    return max([*rounds, *scorecards.open_rounds(player)], default=0)


def _unplayed_round(scorecards: Scorecards, player: PlayerId, entry: RoundEntry) -> BuchholzRound:
    treatment = scorecards.profile.unplayed_treatment
    if treatment == "as-scored":
        return BuchholzRound(entry, (), 0, entry.points, note="no opponent")
    if treatment == "virtual":
        score, note = _virtual_score(scorecards, player, entry)
        return BuchholzRound(entry, (), score, entry.points, note=note)
    own_score = scorecards.points[player]
    is_voluntary = entry.outcome in VOLUNTARY
    cap, reason = _cap(scorecards, entry) if treatment == "capped-dummy" else (own_score, "")
    if cap >= own_score:
        return BuchholzRound(
            entry, (), own_score, entry.points, is_voluntary, note="a dummy with the player's own score"
        )
    note = f"a dummy with the player's own score, lowered to {reason} from {halves(own_score)}"
    return BuchholzRound(entry, (), cap, entry.points, is_voluntary, raw=own_score, note=note)


def _cap(scorecards: Scorecards, entry: RoundEntry) -> tuple[int, str]:
    """Return the most half points that a dummy can have, and the reason for this limit in words."""
    if entry.outcome in _FORFEITS and entry.opponents:
        return sum(
            _adjusted_half_points(scorecards, other) for other in entry.opponents
        ), "the score of the scheduled opponent"
    draw = scorecards.draw
    return scorecards.rounds * draw, f"a draw in each of {scorecards.rounds} rounds"


def _virtual_score(scorecards: Scorecards, player: PlayerId, entry: RoundEntry) -> tuple[int, str]:
    """Return the score of the virtual opponent (edition of 2009), and a note on its calculation.

    The score is a sum of three parts: the player's score before the round, the points that the player missed
    in the round (a win minus the points scored), and a draw for each later round.
    """
    earlier_points = sum(line.points for line in scorecards[player] if line.round < entry.round)
    earlier_points += scorecards.extra_points(player, entry.round - 1)
    missed_points = scorecards.profile.outcomes[Outcome.WIN].points - entry.points
    later_draws = (scorecards.rounds - entry.round) * scorecards.draw
    earlier_text, missed_text, later_text = (
        str(halves(score)) for score in (earlier_points, missed_points, later_draws)
    )
    return (
        earlier_points + missed_points + later_draws,
        f"virtual opponent: {earlier_text} points from earlier rounds, {missed_text} for this round,"
        f" {later_text} for a draw in each later round",
    )


# -- The rows of the table


_CUTS = {
    **LOW_CUTS,
    "M1": cut_modifier("median 1", low=1, high=1),
    "M2": cut_modifier("median 2", low=2, high=2),
}
_CUTS_BY_SCORE = {
    "C1": cut_modifier("cut 1", stays_monotone=False, low=1),
    "C2": cut_modifier("cut 2", stays_monotone=False, low=2),
    "M1": cut_modifier("median 1", stays_monotone=False, low=1, high=1),
    "M2": cut_modifier("median 2", stays_monotone=False, low=2, high=2),
}
"""Cuts for Sonneborn-Berger.

A cut chooses products by the opponents' scores, unless the profile does not adjust scores. Therefore it is
not monotone: if an opponent does better, a different and larger product can be cut.
"""

_OF_FORE_BUCHHOLZ = Modifier(
    "of Fore Buchholz",
    lambda row, _: replace(
        row, player_function=average_of_opponents_fore_buchholz, opponent_function=fore_buchholz
    ),
)
_OTHER_LIMIT = Modifier(
    "limit moved by {} half points",
    lambda row, half_points: replace(row, player_function=partial(koya, shift=half_points)),
)

ROWS = (
    Tiebreak("BH", "Buchholz", f"{FIDE} 8", "points", buchholz, modifiers=_CUTS, reach=1,
             opponent_function=adjusted_score, monotone=True),
    Tiebreak("FB", "Fore Buchholz", f"{FIDE} 8", "points", fore_buchholz, modifiers=_CUTS, reach=1,
             opponent_function=fore_adjusted_score, monotone=True),
    Tiebreak("AOB", "average of opponents' Buchholz", f"{FIDE} 8", "number", average_of_opponents_buchholz,
             modifiers={"F": _OF_FORE_BUCHHOLZ}, reach=2, opponent_function=buchholz, monotone=True),
    Tiebreak("SB", "Sonneborn-Berger", f"{FIDE} 9", "points", sonneborn_berger, modifiers=_CUTS_BY_SCORE,
             reach=1, opponent_function=adjusted_score, monotone=True),
    Tiebreak("KS", "Koya", f"{FIDE} 9", "points", koya, modifiers={"Ln": _OTHER_LIMIT}, reach=1,
             monotone=True),
)  # fmt: skip
