"""Unplayed rounds as FIDE's C.07 reads them (article 16), with the editions that read them differently.

Scores are counted in half points here. In a round robin a forfeit is an ordinary game and a free round is nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from tourney.record import Outcome, PlayerId
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

    opponent:  the opponent whose score counts; None for a dummy (an own unplayed round)
    score:     half points of that opponent or dummy
    scored:    half points the player made in the round
    voluntary: whether the round is a VUR: cuts take those first
    """

    entry: Entry
    opponent: PlayerId | None
    score: int
    scored: int
    voluntary: bool = False


def is_round_robin(sheets: Sheets) -> bool:
    """Return whether the round-robin readings apply."""
    return sheets.record.round_robin or sheets.profile.round_robin


def all_rounds(sheets: Sheets, player: PlayerId) -> list[Entry]:
    """Return an entry for every round; rounds the player was not in count as absent, unfinished ones not at all."""
    present = {entry.round: entry for entry in sheets[player]}
    waiting = sheets.waiting(player)
    return [
        present.get(number) or Entry(number, Outcome.ABSENT, _NOTHING)
        for number in range(1, sheets.rounds + 1)
        if number not in waiting
    ]


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
    treatment = sheets.profile.unplayed
    if treatment == "as-scored" or is_round_robin(sheets):
        return sheets.points[player]
    draw = half_points_of_draw(sheets.profile)
    rounds = all_rounds(sheets, player)
    if treatment == "virtual":
        return sum(entry.points if entry.outcome.played else draw for entry in rounds)
    trailing = last_involuntary(sheets, player)
    return sum(
        draw if entry.outcome in REQUESTED and entry.round > trailing else entry.points for entry in rounds
    )


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
    return Element(entry, entry.opponents[0], score, entry.points)


def _seen(sheets: Sheets, player: PlayerId) -> int:
    known = sheets.adjusted
    if player not in known:
        known[player] = adjusted(sheets, player)
    return known[player]


def _unplayed(sheets: Sheets, player: PlayerId, entry: Entry) -> Element:
    treatment = sheets.profile.unplayed
    if treatment == "as-scored":
        return Element(entry, None, 0, entry.points)
    if treatment == "virtual":
        return Element(entry, None, _virtual(sheets, player, entry), entry.points)
    score = sheets.points[player]
    if treatment == "capped-dummy":
        score = min(score, _cap(sheets, entry))
    return Element(entry, None, score, entry.points, entry.outcome in VOLUNTARY)


def _cap(sheets: Sheets, entry: Entry) -> int:
    if entry.outcome in FORFEITS and entry.opponents:
        return sum(_seen(sheets, other) for other in entry.opponents)
    return sheets.rounds * half_points_of_draw(sheets.profile)


def _virtual(sheets: Sheets, player: PlayerId, entry: Entry) -> int:
    """Score the virtual opponent of 2009: own score before, the rest of this round's point, draws afterwards."""
    before = sum(line.points for line in sheets[player] if line.round < entry.round)
    win = sheets.profile.outcomes[Outcome.WIN].points
    later = sheets.rounds - entry.round
    return before + (win - entry.points) + later * half_points_of_draw(sheets.profile)
