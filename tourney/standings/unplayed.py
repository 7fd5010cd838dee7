"""Unplayed rounds as FIDE's C.07 reads them (article 16), with the editions that read them differently.

Scores are counted in half points here. In a round robin a forfeit is an ordinary game and a free round is nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from tourney.record import Outcome, PlayerId
from tourney.standings.exact import halves
from tourney.standings.layout import Entry
from tourney.standings.profile import Profile
from tourney.standings.sheets import Sheets
from tourney.standings.worth import NO_GAMES, Worth

REQUESTED = frozenset({Outcome.HALF_BYE, Outcome.ABSENT})
"""Requested byes: half-point and zero-point byes, and every round before arrival or after withdrawal."""

VOLUNTARY = REQUESTED | {Outcome.FORFEIT_LOSS}
"""Voluntary unplayed rounds (VUR)."""

FORFEITS = frozenset({Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS})


@dataclass(frozen=True, slots=True)
class Element:
    """One round's part in Buchholz and Sonneborn-Berger.

    opponents: those whose scores count; nobody for a dummy (an own unplayed round)
    score:     half points of those opponents together, or of the dummy
    scored:    half points the player made in the round
    voluntary: whether the round is a VUR: cuts take those first
    raw:       a dummy's half points before its cap, where that lowered them
    note:      what the dummy's score is
    """

    entry: Entry
    opponents: tuple[PlayerId, ...]
    score: int
    scored: int
    voluntary: bool = False
    raw: int | None = None
    note: str = ""


def is_round_robin(sheets: Sheets) -> bool:
    """Return whether the round-robin readings apply."""
    return sheets.record.round_robin or sheets.profile.round_robin


def all_rounds(sheets: Sheets, player: PlayerId) -> list[Entry]:
    """Return an entry for every round; rounds the player was not in count as absent, unfinished ones not at all."""
    present = {entry.round: entry for entry in sheets[player]}
    waiting = sheets.waiting(player)
    return [
        present.get(number) or missing_round(number)
        for number in range(1, sheets.rounds + 1)
        if number not in waiting
    ]


def missing_round(number: int) -> Entry:
    """Return the entry of a round the player was not in."""
    return Entry(number, Outcome.ABSENT, _NOTHING)


_NOTHING = Worth(0, None, None, NO_GAMES, "absent", meets=False)


def elements(sheets: Sheets, player: PlayerId) -> list[Element]:
    """Return the elements of the player's Buchholz, a round each, under the profile's treatment of unplayed rounds."""
    treatment = sheets.profile.unplayed
    lines = []
    for entry in all_rounds(sheets, player):
        if is_round_robin(sheets):
            if entry.opponents:
                lines.append(_against(sheets, entry, as_scored=True))
        elif entry.outcome.played or (treatment == "as-scored" and entry.opponents):
            lines.append(_against(sheets, entry))
        else:
            lines.append(_unplayed(sheets, player, entry))
    return lines


def adjusted(sheets: Sheets, player: PlayerId) -> int:
    """Return the half points of `player` as opponents see them (16.3)."""
    return sum(half_points for _, half_points in as_seen(sheets, player))


def as_seen(sheets: Sheets, player: PlayerId) -> list[tuple[Entry, int]]:
    """Return the player's rounds with the half points that opponents see in each (16.3)."""
    treatment = sheets.profile.unplayed
    if treatment == "as-scored" or is_round_robin(sheets):
        return [(entry, entry.points) for entry in sheets[player]]
    draw = half_points_of_draw(sheets.profile)
    rounds = all_rounds(sheets, player)
    if treatment == "virtual":
        return [(entry, entry.points if entry.outcome.played else draw) for entry in rounds]
    trailing = last_involuntary(sheets, player)
    return [
        (entry, draw if entry.outcome in REQUESTED and entry.round > trailing else entry.points)
        for entry in rounds
    ]


def last_involuntary(sheets: Sheets, player: PlayerId) -> int:
    """Return the last round that was played, unfinished, or unplayed through no wish of the player; 0 if none."""
    rounds = [entry.round for entry in all_rounds(sheets, player) if entry.outcome not in VOLUNTARY]
    return max([*rounds, *sheets.waiting(player)], default=0)


def half_points_of_draw(profile: Profile) -> int:
    """Return what a draw is worth."""
    return profile.outcomes[Outcome.DRAW].points


def _against(sheets: Sheets, entry: Entry, *, as_scored: bool = False) -> Element:
    # Two seats are the rule; at a larger table every opponent's score counts together.
    score = sum(sheets.points[other] if as_scored else _seen(sheets, other) for other in entry.opponents)
    return Element(entry, entry.opponents, score, entry.points)


def _seen(sheets: Sheets, player: PlayerId) -> int:
    known = sheets.adjusted
    try:
        return known[player]
    except KeyError:
        score = known[player] = adjusted(sheets, player)
        return score


def _unplayed(sheets: Sheets, player: PlayerId, entry: Entry) -> Element:
    treatment = sheets.profile.unplayed
    if treatment == "as-scored":
        return Element(entry, (), 0, entry.points, note="no opponent")
    if treatment == "virtual":
        score, note = _virtual(sheets, player, entry)
        return Element(entry, (), score, entry.points, note=note)
    own = sheets.points[player]
    voluntary = entry.outcome in VOLUNTARY
    cap, why = _cap(sheets, entry) if treatment == "capped-dummy" else (own, "")
    if cap >= own:
        return Element(entry, (), own, entry.points, voluntary, note="a dummy with the own score")
    note = f"a dummy with the own score, lowered to {why} from {halves(own)}"
    return Element(entry, (), cap, entry.points, voluntary, raw=own, note=note)


def _cap(sheets: Sheets, entry: Entry) -> tuple[int, str]:
    """Return the cap of a dummy's half points, and what it is."""
    if entry.outcome in FORFEITS and entry.opponents:
        return sum(_seen(sheets, other) for other in entry.opponents), "the score of the scheduled opponent"
    draw = half_points_of_draw(sheets.profile)
    return sheets.rounds * draw, f"a draw in each of {sheets.rounds} rounds"


def _virtual(sheets: Sheets, player: PlayerId, entry: Entry) -> tuple[int, str]:
    """Score the virtual opponent of 2009: own score before, the rest of this round's point, draws afterwards."""
    before = sum(line.points for line in sheets[player] if line.round < entry.round)
    rest = sheets.profile.outcomes[Outcome.WIN].points - entry.points
    later = (sheets.rounds - entry.round) * half_points_of_draw(sheets.profile)
    before_text, rest_text, later_text = (str(halves(score)) for score in (before, rest, later))
    return (
        before + rest + later,
        f"virtual opponent: {before_text} made before, {rest_text} of this round, {later_text} for draws later",
    )
