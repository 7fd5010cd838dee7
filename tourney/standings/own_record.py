"""Tie-breaks from a player's own results: wins, games with Black, and scores.

The scores are the progressive score and secondary scores. A secondary score is one that a game has besides
win and loss, such as victory points or diamonds.

Source: FIDE C.07, article 7, except for secondary scores.
"""

from __future__ import annotations

from fractions import Fraction

from tourney.record import Outcome, PlayerId
from tourney.standings.exact import halves, number_text, quotient_text, sum_text
from tourney.standings.scorecards import VOLUNTARY, RoundEntry, Scorecards
from tourney.standings.tally import FIDE, LOW_CUTS, Tally, Term, Tiebreak, total


def wins(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the number of rounds, played or not, that gave as many points as a win (WIN)."""
    win = scorecards.profile.outcomes[Outcome.WIN].points
    return _count([entry for entry in scorecards[player] if entry.points >= win])


def wins_over_the_board(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the number of matches won over the board, that is, not by forfeit or bye (WON)."""
    return _count([entry for entry in scorecards[player] if entry.outcome is Outcome.WIN])


def games_with_black(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the number of matches played in the second seat, that is, with Black (BPG)."""
    return _count([entry for entry in scorecards[player] if entry.outcome.played and entry.side == 1])


def wins_with_black(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the number of matches won in the second seat, that is, with Black (BWG)."""
    return _count([entry for entry in scorecards[player] if entry.outcome is Outcome.WIN and entry.side == 1])


def progressive(scorecards: Scorecards, player: PlayerId, *, low: int = 0) -> Tally:
    """Return the sum of the scores after each round, without the first `low` rounds (PS)."""
    terms, score = [], 0
    for entry in scorecards.all_rounds(player):
        round_points = entry.points + scorecards.extra.get(player, {}).get(entry.round, 0)
        arithmetic = f"{halves(score)} + {number_text(halves(round_points))}"
        score += round_points
        if entry.round > low:
            terms.append(Term(entry, halves(score), arithmetic=arithmetic))
    return total(terms)


def rounds_elected_to_play(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the number of rounds that the player did not choose to miss (REP)."""
    return _count([entry for entry in scorecards.all_rounds(player) if entry.outcome not in VOLUNTARY])


def standard_points(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the number of rounds with more points than the opponent (STD).

    A round with equal points counts ½. In a round without an opponent, the player's points are compared with
    those of a draw. Source: the edition of 2026.
    """
    return total([_standard_term(scorecards, entry) for entry in scorecards.all_rounds(player)])


def score(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the sum of the secondary scores (victory points, diamonds …).

    Each score is capped at the goal of the game (`Profile.score_cap`).
    """
    return total([_score_term(scorecards, entry) for entry in scorecards[player] if entry.score is not None])


def score_difference(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the player's secondary scores minus the opponents' scores.

    At a table of three or more, the mean of the opponents' scores is subtracted.
    """
    terms = []
    for entry in scorecards[player]:
        opponent_scores = _scores_of(scorecards, entry)
        if entry.score is not None and opponent_scores:
            own_score = _cap_score(scorecards, entry.score)
            subtrahend = number_text(opponent_scores[0])
            if opponent_scores[1:]:
                subtrahend = quotient_text(sum_text(opponent_scores), len(opponent_scores))
            arithmetic = f"{number_text(own_score)} - {subtrahend}"
            cap = scorecards.profile.score_cap
            note = "" if cap is None else f"each score counts {cap} at most"
            difference = own_score - Fraction(sum(opponent_scores), len(opponent_scores))
            terms.append(Term(entry, difference, arithmetic=arithmetic, note=note))
    return total(terms)


def _count(entries: list[RoundEntry]) -> Tally:
    return Tally(len(entries), "count", lambda: [Term(entry, 1) for entry in entries])


def _standard_term(scorecards: Scorecards, entry: RoundEntry) -> Term:
    other_points, owner = scorecards.draw, "a draw's"
    for opponent in entry.opponents[:1]:
        other_points = scorecards.entry(opponent, entry.round).points
        owner = "the opponent's"
    value = Fraction((entry.points > other_points) + (entry.points >= other_points), 2)
    note = f"{halves(entry.points)} against {owner} {halves(other_points)}"
    return Term(entry, value, note=note)


def _score_term(scorecards: Scorecards, entry: RoundEntry) -> Term:
    score = entry.score or 0
    value = _cap_score(scorecards, score)
    if value == score:
        return Term(entry, value)
    return Term(entry, value, raw=score, note=f"lowered to the goal from {score}")


def _cap_score(scorecards: Scorecards, value: int) -> int:
    cap = scorecards.profile.score_cap
    return value if cap is None else min(value, cap)


def _scores_of(scorecards: Scorecards, entry: RoundEntry) -> list[int]:
    scores = [scorecards.entry(opponent, entry.round).score for opponent in entry.opponents]
    return [_cap_score(scorecards, score) for score in scores if score is not None]


ROWS = (
    Tiebreak("VP", "game score", "the game's own score", "points", score, looks_at="scores"),
    Tiebreak("VPD", "game score difference", "the game's own score", "points", score_difference,
             looks_at="scores"),
    Tiebreak("WIN", "wins", f"{FIDE} 7", "number", wins),
    Tiebreak("WON", "matches won over the board", f"{FIDE} 7", "number", wins_over_the_board),
    Tiebreak("BPG", "games played with Black", f"{FIDE} 7", "number", games_with_black),
    Tiebreak("BWG", "games won with Black", f"{FIDE} 7", "number", wins_with_black),
    Tiebreak("PS", "progressive score", f"{FIDE} 7", "points", progressive, modifiers=LOW_CUTS),
    Tiebreak("REP", "rounds elected to play", f"{FIDE} 7", "number", rounds_elected_to_play),
    Tiebreak("STD", "standard points", f"{FIDE} 7", "points", standard_points),
)  # fmt: skip
