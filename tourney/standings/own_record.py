"""Tie-breaks from a player's own record: FIDE C.07 articles 6 and 7, secondary scores, registration, the lot.

Direct encounter and head-to-head look at the own matches against those who are level, anew for each such group.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from fractions import Fraction

from tourney.record import NOBODY, Outcome, PlayerId
from tourney.standings.buchholz import VOLUNTARY
from tourney.standings.exact import (
    GroupTally,
    Meetings,
    Tally,
    Term,
    added,
    exact_sum,
    halves,
    over,
    total,
    written,
)
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
    """Return the player's lot: the first 48 bits of a sha-256 of seed and player; None without a seed."""
    if not scorecards.seed:
        return Tally(None, "no lot was drawn")
    digest = hashlib.sha256(f"{scorecards.seed}\nlot\n{player}".encode()).digest()
    drawn = int.from_bytes(digest[:6], "big")
    return Tally(drawn, f"sha-256 of `{scorecards.seed}` and player {player}")


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


# -- Among players who are level (article 6)


def direct_encounter(
    scorecards: Scorecards, group: Sequence[PlayerId], *, forfeits: bool = False
) -> GroupTally:
    """Place those of `group` by FIDE C.07 article 6: 1 is best, level players share the better place.

    forfeits: whether unplayed matches count too (DE/P); in a round robin they always do
    """
    forfeits = forfeits or scorecards.round_robin
    met = _meetings(scorecards, group, forfeits=forfeits)
    win = Fraction(scorecards.profile.outcomes[Outcome.WIN].points, 2)
    unused = "" if any(met.values()) else "none of them have met"
    return GroupTally(_places(_ordered(met, win)), met, forfeits, unused)


def head_to_head(scorecards: Scorecards, group: Sequence[PlayerId]) -> GroupTally:
    """Place those of `group` by the matches among them, forfeits too; all are first where it does not apply.

    The profile says when: among all who are level if they have all met, or only between exactly two.
    """
    if scorecards.profile.head_to_head == "two" and len(group) > 2:
        unused = f"{len(group)} are level, it decides between two only"
        return GroupTally(_places([list(group)]), {}, forfeits=True, unused=unused)
    members = set(group)
    met: dict[PlayerId, Mapping[PlayerId, Fraction]] = {}
    for player in group:
        met[player] = _made_against(scorecards, player, members, forfeits=True)
        if len(met[player]) < len(group) - 1:
            return GroupTally(_places([list(group)]), {}, forfeits=True, unused="they have not all met")
    return GroupTally(_places(_by_sum(met)), met, forfeits=True)


def _places(levels: list[list[PlayerId]]) -> dict[PlayerId, int]:
    places: dict[PlayerId, int] = {}
    for level in levels:
        places.update(dict.fromkeys(level, len(places) + 1))
    return places


def _meetings(scorecards: Scorecards, group: Sequence[PlayerId], *, forfeits: bool) -> Meetings:
    """Return what each of `group` made against each of the others they met, averaged over their meetings."""
    if len(group) == 1:
        return {group[0]: {}}
    members = set(group)
    return {player: _made_against(scorecards, player, members, forfeits=forfeits) for player in group}


def _made_against(
    scorecards: Scorecards, player: PlayerId, members: set[PlayerId], *, forfeits: bool
) -> dict[PlayerId, Fraction]:
    """Return what a player made against each of `members` they met, averaged over their meetings."""
    made: dict[PlayerId, list[int]] = {}
    for entry in scorecards[player]:
        for opponent in entry.opponents:
            if opponent in members and (forfeits or entry.outcome.played):
                made.setdefault(opponent, []).append(entry.points)
    return {opponent: Fraction(sum(points), 2 * len(points)) for opponent, points in made.items()}


def _all_met(met: Meetings) -> bool:
    """Return whether everybody in `met` has met all the others."""
    return all(len(others) == len(met) - 1 for others in met.values())


def _ordered(met: Meetings, win: Fraction) -> list[list[PlayerId]]:
    """Order those who are level into levels, best first (6.2 where all have met, 6.3 where not)."""
    if len(met) < 2:
        return [list(met)] if met else []
    if _all_met(met):
        return _by_sum(met, win)
    certain = _certain(met, win)
    if not certain:
        return [list(met)]
    rest = [player for player in met if player not in certain]
    return [[player] for player in certain] + _ordered(_among(rest, met), win)


def _by_sum(met: Meetings, win: Fraction = Fraction(1)) -> list[list[PlayerId]]:
    """Rank by the sum of points among each other, then each level subset again among itself."""
    level_at: dict[Fraction, list[PlayerId]] = {}
    for player, made in met.items():
        level_at.setdefault(exact_sum(made.values()), []).append(player)
    levels = []
    for _, level in sorted(level_at.items(), reverse=True):
        levels.extend([level] if len(level) in (1, len(met)) else _ordered(_among(level, met), win))
    return levels


def _certain(met: Meetings, win: Fraction) -> dict[PlayerId, None]:
    """Return, in order, those on top whom nobody left could overtake even by winning every missing match."""
    sums = {player: exact_sum(made.values()) for player, made in met.items()}
    best_first = sorted(met, key=sums.__getitem__, reverse=True)
    # What the best of those behind each place could still reach, from the last place up.
    reachable: list[Fraction] = []
    for player in reversed(best_first[1:]):
        own = sums[player] + (len(met) - 1 - len(met[player])) * win
        reachable.append(max(own, reachable[-1]) if reachable else own)
    certain: dict[PlayerId, None] = {}
    for player, most in zip(best_first, [*reversed(reachable), None], strict=True):
        if most is not None and sums[player] <= most:
            break
        certain[player] = None
    return certain


def _among(group: Sequence[PlayerId], met: Meetings) -> Meetings:
    """Return the meetings of `group` alone."""
    members = set(group)
    return {
        player: {opponent: points for opponent, points in met[player].items() if opponent in members}
        for player in group
    }
