"""Tie-breaks from a player's own record: FIDE C.07 article 7, head counts, secondary scores, registration, the lot."""

from __future__ import annotations

import hashlib
from fractions import Fraction

from tourney.record import NOBODY, Outcome, PlayerId
from tourney.standings.buchholz import VOLUNTARY
from tourney.standings.exact import Tally, Term, added, halves, over, total, written
from tourney.standings.scorecards import RoundEntry, Scorecards


def wins(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the rounds that gave as many points as a win, played or not (WIN)."""
    win = scorecards.profile.outcomes[Outcome.WIN].points
    return _count([entry for entry in scorecards[player] if entry.points >= win])


def games_won(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the games won over the board (WON)."""
    return _count([entry for entry in scorecards[player] if entry.outcome is Outcome.WIN])


def played_with_black(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the games played over the board from the second seat (BPG)."""
    return _count([entry for entry in scorecards[player] if entry.outcome.played and entry.side == 1])


def won_with_black(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the games won over the board from the second seat (BWG)."""
    return _count([entry for entry in scorecards[player] if entry.outcome is Outcome.WIN and entry.side == 1])


def progressive(scorecards: Scorecards, player: PlayerId, *, low: int = 0) -> Tally:
    """Return the sum of the scores after each round, without the first `low` rounds (PS)."""
    terms, score = [], 0
    for entry in scorecards.all_rounds(player):
        gained = entry.points + scorecards.extra.get(player, {}).get(entry.round, 0)
        worked = f"{halves(score)} + {written(halves(gained))}"
        score += gained
        if entry.round > low:
            terms.append(Term(entry, NOBODY, halves(score), worked=worked))
    return total(terms)


def rounds_elected_to_play(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the rounds not left unplayed by the player's own wish (REP); a round robin's free round is none."""
    return _count([entry for entry in scorecards.all_rounds(player) if entry.outcome not in VOLUNTARY])


def standard_points(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return 1 for each round with more points than the scheduled opponent, ½ for as many (STD, 2026).

    Without an opponent the round is compared with a draw.
    """
    return total([_standard(scorecards, entry) for entry in scorecards.all_rounds(player)])


def score(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the sum of the secondary scores (victory points, diamonds …), each match's capped at the goal."""
    return total([_score_term(scorecards, entry) for entry in scorecards[player] if entry.score is not None])


def score_difference(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return own secondary scores minus the opponents' (their mean at larger tables), each capped at the goal."""
    terms = []
    for entry in scorecards[player]:
        theirs = _scores_of(scorecards, entry)
        if entry.score is not None and theirs:
            own = _capped(scorecards, entry.score)
            worked = (
                f"{written(own)} - {over(added(theirs), len(theirs)) if theirs[1:] else written(theirs[0])}"
            )
            cap = scorecards.profile.score_cap
            note = "" if cap is None else f"each counts {cap} at most"
            difference = own - Fraction(sum(theirs), len(theirs))
            terms.append(Term(entry, NOBODY, difference, worked=worked, note=note))
    return total(terms)


def rating(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the player's rating; None for a player without one."""
    return Tally(scorecards.record.ratings.get(player), "rating")


def registration(_: Scorecards, player: PlayerId) -> Tally:
    """Return the place in the order of registration, from 1."""
    return Tally(int(player), "order of registration")


def lot(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return the player's lot, 48 bits of sha-256 of seed and player; None while no seed is given: no lot is drawn."""
    if not scorecards.seed:
        return Tally(None, "no lot was drawn")
    digest = hashlib.sha256(f"{scorecards.seed}\nlot\n{player}".encode()).digest()
    return Tally(int.from_bytes(digest[:6], "big"), f"sha-256 of `{scorecards.seed}` and player {player}")


def _count(entries: list[RoundEntry]) -> Tally:
    return Tally(len(entries), "count", lambda: [Term(entry, NOBODY, 1) for entry in entries])


def _standard(scorecards: Scorecards, entry: RoundEntry) -> Term:
    against, whose = scorecards.draw, "a draw's"
    for opponent in entry.opponents[:1]:
        against = scorecards.entry(opponent, entry.round).points
        whose = "the opponent's"
    value = Fraction((entry.points > against) + (entry.points >= against), 2)
    note = f"{halves(entry.points)} against {whose} {halves(against)}"
    return Term(entry, NOBODY, value, note=note)


def _score_term(scorecards: Scorecards, entry: RoundEntry) -> Term:
    score = entry.score or 0
    value = _capped(scorecards, score)
    if value == score:
        return Term(entry, NOBODY, value)
    return Term(entry, NOBODY, value, raw=score, note=f"lowered to the goal from {score}")


def _capped(scorecards: Scorecards, value: int) -> int:
    cap = scorecards.profile.score_cap
    return value if cap is None else min(value, cap)


def _scores_of(scorecards: Scorecards, entry: RoundEntry) -> list[int]:
    scores = [scorecards.entry(opponent, entry.round).score for opponent in entry.opponents]
    return [_capped(scorecards, score) for score in scores if score is not None]
