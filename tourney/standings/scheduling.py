"""Advice on rounds and cut by attendance, where a profile's rules publish it."""

from __future__ import annotations

from typing import NamedTuple

from tourney.standings.profile import Profile


class Advice(NamedTuple):
    """rounds: 0 means single elimination from the start; cut: how many go on, 0 nobody."""

    rounds: int
    cut: int


def advised(profile: Profile, players: int) -> Advice | None:
    """Return what the profile's rules advise for so many players; None where they say nothing."""
    for fewest, most, rounds, cut in profile.schedule:
        if fewest <= players <= most:
            return Advice(rounds, cut)
    return None
