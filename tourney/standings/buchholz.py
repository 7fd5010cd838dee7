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
    kept = _cut(_rounds(scorecards, player), low, _least_score, _score)
    for _ in range(min(high, len(kept))):
        kept.remove(max(kept, key=_score))
    value = Fraction(sum(map(_score, kept)), 2)
    return Tally(value, "sum", lambda: [_score_term(element) for element in kept])


def fore_buchholz(scorecards: Scorecards, player: PlayerId, *, low: int = 0, high: int = 0) -> Tally:
    """Return Buchholz as if every game of the final round were drawn.

    Before the final round is paired, this is plain Buchholz.
    """
    last = _fore(scorecards)
    tally = buchholz(last, player, low=low, high=high)
    if last is scorecards:
        return tally
    return tally._replace(
        list_worked=lambda: (tally.worked[0], f"every match of round {scorecards.rounds} as a draw")
    )


def score_as_seen(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return a player's score as it counts in the opponents' tie-breaks.

    The score is adjusted for unplayed rounds (FIDE C.07, article 16.3).
    """
    rounds = _as_seen(scorecards, player)

    def terms() -> list[Term]:
        return [
            Term(entry, halves(seen), note="" if seen == entry.points else "counts as a draw")
            for entry, seen in rounds
        ]

    extra = scorecards.extra_points(player)
    return with_extra(Tally(halves(sum(seen for _, seen in rounds) + extra), "sum", terms), extra)


def fore_score_as_seen(scorecards: Scorecards, player: PlayerId) -> Tally:
    """Return a player's score as it counts in the opponents' Fore Buchholz."""
    return score_as_seen(_fore(scorecards), player)


def sonneborn_berger(scorecards: Scorecards, player: PlayerId, *, low: int = 0, high: int = 0) -> Tally:
    """Return the sum of each opponent's score times the points made against that opponent.

    Source: FIDE C.07, articles 14.1 and 16.5.

    low:  how many opponents to leave out, those with the lowest scores first
    high: how many opponents to leave out, those with the highest scores first

    If the profile does not adjust scores (`as-scored`), the lowest and highest products are left out instead.
    """
    is_simple = scorecards.profile.unplayed == "as-scored"
    least = _least_product if is_simple else _least_of_sonneborn_berger
    kept = _cut(_rounds(scorecards, player), low, least, _product)
    for _ in range(min(high, len(kept))):
        most = max(map(_score, kept))
        candidates = kept if is_simple else [element for element in kept if element.score == most]
        kept.remove(max(candidates, key=_product))
    value = Fraction(sum(map(_product, kept)), 4)
    return Tally(value, "sum", lambda: [_product_term(element) for element in kept])


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
            enough = best >= limit
            note = f"of a player with {halves(best)} points" + ("" if enough else f", {limit / 2} are needed")
            terms.append(Term(entry, halves(entry.points) if enough else None, note=note))
    return total(terms)


def _fore(scorecards: Scorecards) -> Scorecards:
    """Return the scorecards as if every game of the final round were drawn.

    If the final round is not paired yet, return the scorecards unchanged.
    """
    planned = scorecards.record.planned_rounds
    if not scorecards.rounds or (planned is not None and scorecards.rounds < planned):
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


def _cut(
    kept: list[BuchholzRound],
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
    kept = list(kept)
    for _ in range(min(cuts, len(kept))):
        lowest = least(kept)
        voluntary = min((element for element in kept if element.voluntary), key=weigh, default=None)
        if voluntary is not None and weigh(voluntary) >= weigh(lowest):
            lowest = voluntary
        kept.remove(lowest)
    return kept


def _least_score(kept: list[BuchholzRound]) -> BuchholzRound:
    return min(kept, key=_score)


def _least_of_sonneborn_berger(kept: list[BuchholzRound]) -> BuchholzRound:
    least = min(map(_score, kept))
    return min((element for element in kept if element.score == least), key=_product)


def _least_product(kept: list[BuchholzRound]) -> BuchholzRound:
    return min(kept, key=_product)


def _score(element: BuchholzRound) -> int:
    return element.score


def _product(element: BuchholzRound) -> int:
    return element.score * element.scored


def _score_term(element: BuchholzRound) -> Term:
    raw = None if element.raw is None else halves(element.raw)
    return Term(element.entry, halves(element.score), element.opponents, raw=raw, note=element.note)


def _product_term(element: BuchholzRound) -> Term:
    score, scored = halves(element.score), halves(element.scored)
    worked = f"{number_text(score)} × {number_text(scored)}"
    value = Fraction(_product(element), 4)
    return Term(element.entry, value, element.opponents, worked=worked, note=element.note)


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

    opponents: the players whose scores count; empty if a dummy's score counts
    score:     the sum of the opponents' half points, or the dummy's half points
    scored:    half points that the player made in the round
    voluntary: whether it is a voluntary unplayed round, which is cut first
    raw:       a dummy's half points before a cap lowered them; None if no cap did so
    note:      how the dummy's score was determined; empty for opponents
    """

    entry: RoundEntry
    opponents: tuple[PlayerId, ...]
    score: int
    scored: int
    voluntary: bool = False
    raw: int | None = None
    note: str = ""


def _rounds(scorecards: Scorecards, player: PlayerId) -> list[BuchholzRound]:
    """Return the elements of a player's Buchholz, one for each round that counts."""
    treatment = scorecards.profile.unplayed
    lines = []
    for entry in scorecards.all_rounds(player):
        if scorecards.round_robin:
            if entry.opponents:
                lines.append(_against(scorecards, entry, as_scored=True))
        elif entry.outcome.played or (treatment == "as-scored" and entry.opponents):
            lines.append(_against(scorecards, entry))
        else:
            lines.append(_unplayed(scorecards, player, entry))
    return lines


def _against(scorecards: Scorecards, entry: RoundEntry, *, as_scored: bool = False) -> BuchholzRound:
    # At a larger table, the scores of all opponents count together.
    score = sum(
        scorecards.points[other] if as_scored else _seen(scorecards, other) for other in entry.opponents
    )
    return BuchholzRound(entry, entry.opponents, score, entry.points)


def _seen(scorecards: Scorecards, player: PlayerId) -> int:
    """Return a player's half points as they count in the opponents' tie-breaks (article 16.3)."""
    adjusted = scorecards.adjusted
    try:
        return adjusted[player]
    except KeyError:
        made = sum(half_points for _, half_points in _as_seen(scorecards, player))
        score = adjusted[player] = made + scorecards.extra_points(player)
        return score


def _as_seen(scorecards: Scorecards, player: PlayerId) -> list[tuple[RoundEntry, int]]:
    """Return a player's rounds, each with the half points that count for the opponents.

    Source: FIDE C.07, article 16.3.
    """
    treatment = scorecards.profile.unplayed
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
    return max([*rounds, *scorecards.waiting(player)], default=0)


def _unplayed(scorecards: Scorecards, player: PlayerId, entry: RoundEntry) -> BuchholzRound:
    treatment = scorecards.profile.unplayed
    if treatment == "as-scored":
        return BuchholzRound(entry, (), 0, entry.points, note="no opponent")
    if treatment == "virtual":
        score, note = _virtual(scorecards, player, entry)
        return BuchholzRound(entry, (), score, entry.points, note=note)
    own = scorecards.points[player]
    voluntary = entry.outcome in VOLUNTARY
    cap, why = _cap(scorecards, entry) if treatment == "capped-dummy" else (own, "")
    if cap >= own:
        return BuchholzRound(entry, (), own, entry.points, voluntary, note="a dummy with the own score")
    note = f"a dummy with the own score, lowered to {why} from {halves(own)}"
    return BuchholzRound(entry, (), cap, entry.points, voluntary, raw=own, note=note)


def _cap(scorecards: Scorecards, entry: RoundEntry) -> tuple[int, str]:
    """Return the most half points that a dummy can have, and the reason for this limit in words."""
    if entry.outcome in _FORFEITS and entry.opponents:
        return sum(
            _seen(scorecards, other) for other in entry.opponents
        ), "the score of the scheduled opponent"
    draw = scorecards.draw
    return scorecards.rounds * draw, f"a draw in each of {scorecards.rounds} rounds"


def _virtual(scorecards: Scorecards, player: PlayerId, entry: RoundEntry) -> tuple[int, str]:
    """Return the score of the virtual opponent (edition of 2009), and a note on its calculation.

    The score is a sum of three parts: the player's score before the round, the points that the player missed
    in the round (a win minus the points scored), and a draw for each later round.
    """
    before = sum(line.points for line in scorecards[player] if line.round < entry.round)
    before += scorecards.extra_points(player, entry.round - 1)
    rest = scorecards.profile.outcomes[Outcome.WIN].points - entry.points
    later = (scorecards.rounds - entry.round) * scorecards.draw
    before_text, rest_text, later_text = (str(halves(score)) for score in (before, rest, later))
    return (
        before + rest + later,
        f"virtual opponent: {before_text} made before, {rest_text} of this round,"
        f" {later_text} for draws later",
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
    "of Fore Buchholz", lambda row, _: replace(row, each=average_of_opponents_fore_buchholz, of=fore_buchholz)
)
_OTHER_LIMIT = Modifier(
    "limit moved by {} half points",
    lambda row, half_points: replace(row, each=partial(koya, shift=half_points)),
)

ROWS = (
    Tiebreak("BH", "Buchholz", f"{FIDE} 8", "points", buchholz, modifiers=_CUTS, reach=1, of=score_as_seen,
             monotone=True),
    Tiebreak("FB", "Fore Buchholz", f"{FIDE} 8", "points", fore_buchholz, modifiers=_CUTS, reach=1,
             of=fore_score_as_seen, monotone=True),
    Tiebreak("AOB", "average of opponents' Buchholz", f"{FIDE} 8", "number", average_of_opponents_buchholz,
             modifiers={"F": _OF_FORE_BUCHHOLZ}, reach=2, of=buchholz, monotone=True),
    Tiebreak("SB", "Sonneborn-Berger", f"{FIDE} 9", "points", sonneborn_berger, modifiers=_CUTS_BY_SCORE,
             reach=1, of=score_as_seen, monotone=True),
    Tiebreak("KS", "Koya", f"{FIDE} 9", "points", koya, modifiers={"Ln": _OTHER_LIMIT}, reach=1,
             monotone=True),
)  # fmt: skip
