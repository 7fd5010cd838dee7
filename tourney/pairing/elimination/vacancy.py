"""The vacancy rule `highest-seed`: who has the byes of a stage that somebody left, and who meets whom then."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tourney.record import PlayerId

Entry = PlayerId | None


def highest_seeds_first(
    pairs: Sequence[tuple[Entry, Entry]], seed: Callable[[Entry], int]
) -> list[tuple[Entry, Entry]]:
    """Give the byes of a stage to its highest seeds; whoever loses an opponent by that meets one who is left over too.

    pairs: the matches with None where nobody comes; seed: the rank of a player, 1 is the highest

    Everybody keeps their match where they can. A match that waits for one more is filled in order of the seed waiting,
    the highest first, with the lowest seed left over; an empty match with the highest and the lowest left over.
    """
    players = sorted((player for pair in pairs for player in pair if player is not None), key=seed)
    byes = len(players) if len(players) <= len(pairs) else 2 * len(pairs) - len(players)
    own = {player: match for match, pair in enumerate(pairs) for player in pair if player is not None}
    resting = _resting(players[:byes], own, len(pairs))
    sitting: dict[int, list[PlayerId]] = {match: [] for match in range(len(pairs)) if match not in resting}
    spare: list[PlayerId] = []
    for player in players[byes:]:
        sitting.get(own[player], spare).append(player)
    _fill(sitting, spare, seed)
    return [_pair(sitting.get(match), resting.get(match)) for match in range(len(pairs))]


def _resting(players: Sequence[PlayerId], own: dict[PlayerId, int], matches: int) -> dict[int, PlayerId]:
    """Return match → who passes it without an opponent: their own, or where two would pass the same, the emptiest free one."""
    resting: dict[int, PlayerId] = {}
    homeless: list[PlayerId] = []
    for player in players:
        if own[player] in resting:
            homeless.append(player)
        else:
            resting[own[player]] = player
    crowd = [sum(1 for match in own.values() if match == here) for here in range(matches)]
    for player in homeless:
        free = (match for match in range(matches) if match not in resting)
        resting[min(free, key=lambda match: (crowd[match], match))] = player
    return resting


def _fill(sitting: dict[int, list[PlayerId]], spare: list[PlayerId], seed: Callable[[Entry], int]) -> None:
    waiting = sorted((seed(seats[0]), match) for match, seats in sitting.items() if len(seats) == 1)
    for _, match in waiting:
        sitting[match].append(spare.pop())
    for seats in sitting.values():
        if not seats and spare:
            seats += [spare.pop(0), spare.pop()]


def _pair(seats: list[PlayerId] | None, resting: PlayerId | None) -> tuple[Entry, Entry]:
    return (seats[0], seats[1]) if seats else (resting, None)
