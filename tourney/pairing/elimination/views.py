"""All matches of a bracket as people look at it: settled, ready to be played, still open."""

from __future__ import annotations

from collections.abc import Mapping

from tourney.pairing.elimination.plan import Feed, StagePlan
from tourney.pairing.elimination.types import Match, Stage
from tourney.pairing.elimination.walk import Entry, Pairs, Walk


def stages(walk: Walk, ready: Mapping[str, Pairs]) -> tuple[Stage, ...]:
    """Return every stage in the order of the plan; a reset that is not needed is left out."""
    return tuple(
        Stage(
            name=stage.name,
            matches=tuple(_match(walk, stage, number, ready) for number in range(len(stage.labels))),
        )
        for stage in walk.plan
        if stage.name not in walk.skipped
    )


def _match(walk: Walk, stage: StagePlan, number: int, ready: Mapping[str, Pairs]) -> Match:
    feeds = stage.feeds[number]
    label = stage.labels[number]
    settled = stage.name in walk.winners
    if not settled and stage.name not in ready:
        sources = ("", "") if stage.reseeded else (_words(walk, feeds[0]), _words(walk, feeds[1]))
        return Match(label=label, seats=(None, None), sources=sources)
    pair = walk.pairs[stage.name][number] if settled else ready[stage.name][number]
    named = sorted(
        ((walk.seed(player), _source(walk, stage, feeds, player), player) for player in pair), key=_by_seed
    )
    played = walk.played[stage.name][number] if settled else None
    upcoming = walk.round if not settled and None not in pair else None
    return Match(
        label=label,
        seats=(named[0][2], named[1][2]),
        sources=(named[0][1], named[1][1]),
        round=played or upcoming,
        winner=walk.winners[stage.name][number] if settled else None,
        done=settled,
    )


def _by_seed(seat: tuple[int, str, Entry]) -> int:
    return seat[0]


def _source(walk: Walk, stage: StagePlan, feeds: tuple[Feed, Feed], player: Entry) -> str:
    """Say where a player came from; nothing where a reseeding, a vacancy or the organizer put them there."""
    if stage.reseeded or player is None:
        return ""
    return next((_words(walk, feed) for feed in feeds if walk.entry(feed) == player), "")


def _words(walk: Walk, feed: Feed) -> str:
    if feed.kind == "seed":
        return f"seed {feed.match}" if feed.match <= len(walk.players) else ""
    stage = next(stage for stage in walk.plan if stage.name == feed.stage)
    return f"{feed.kind} of {stage.labels[feed.match]}"
