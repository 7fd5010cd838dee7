"""The state of a bracket while it is played forward, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tourney.pairing.elimination.plan import Feed, StagePlan
from tourney.pairing.elimination.seeding import fold
from tourney.pairing.elimination.types import Vacancy
from tourney.pairing.elimination.vacancy import highest_seeds_first
from tourney.pairing.entrant import NameOf
from tourney.record import PlayerId

Entry = PlayerId | None
Pairs = list[tuple[Entry, Entry]]
"""The two seats of each match of a stage; None: nobody comes."""


class Walk:
    """Where everybody is: which stages are settled, who won and lost each of their matches, and who is out.

    round: the number of the next cut round. Each settled stage keeps its pairs, winners, losers and the round in which
    each match was played (None: a walkover).
    """

    def __init__(
        self,
        players: Sequence[PlayerId],
        plan: Sequence[StagePlan],
        vacancy: Vacancy,
        left: Mapping[PlayerId, int],
        name: NameOf,
    ) -> None:
        self.players = tuple(players)
        self.plan = tuple(plan)
        self.vacancy = vacancy
        self.left = left
        self.name = name
        self.round = 1
        self.pairs: dict[str, Pairs] = {}
        self.winners: dict[str, list[Entry]] = {}
        self.losers: dict[str, list[Entry]] = {}
        self.played: dict[str, list[int | None]] = {}
        self.out: dict[PlayerId, int] = {}
        self.champion: Entry = None
        self.skipped: set[str] = set()
        self._place = {player: number for number, player in enumerate(players, 1)}

    def seed(self, player: Entry) -> int:
        """Return the seed, from 1; nobody and players who were let in later come last."""
        return self._place.get(player, len(self.players) + 1) if player is not None else len(self.players) + 2

    def is_gone(self, player: PlayerId) -> bool:
        """Whether the player left before the next cut round."""
        return self.left.get(player, self.round) < self.round

    def is_in(self, player: PlayerId) -> bool:
        """Whether the player can still win."""
        return player not in self.out and player != self.champion and not self.is_gone(player)

    def advance(self) -> dict[str, Pairs]:
        """Settle whatever needs no match, and return the stages to be played in the next round; none: it is over."""
        while True:
            ready = {stage.name: self._entries(stage) for stage in self.plan if self._is_ready(stage)}
            idle = [name for name, pairs in ready.items() if all(None in pair for pair in pairs)]
            if not idle:
                return ready
            for stage in self.plan:
                if stage.name in idle:
                    self.settle(stage, ready[stage.name], {})

    def _is_ready(self, stage: StagePlan) -> bool:
        if stage.name in self.winners or stage.name in self.skipped:
            return False
        return all(
            feed.kind == "seed" or feed.stage in self.winners for feeds in stage.feeds for feed in feeds
        )

    def _entries(self, stage: StagePlan) -> Pairs:
        """Return the pairs of a stage that is ready: those who left are taken out, their places filled by the vacancy rule."""
        pairs = [(self.entry(one), self.entry(other)) for one, other in stage.feeds]
        if stage.reseeded:
            order = sorted((player for pair in pairs for player in pair), key=self.seed)
            best = [order[seed - 1] for seed in fold(len(order))]
            pairs = list(zip(best[::2], best[1::2], strict=True))
        gone = [player for pair in pairs for player in pair if player is not None and self.is_gone(player)]
        for player in gone:
            self.out.setdefault(player, stage.depth)
        kept = [(self._unless_gone(one), self._unless_gone(other)) for one, other in pairs]
        if gone and self.vacancy is Vacancy.HIGHEST_SEED:
            return highest_seeds_first(kept, self.seed)
        return kept

    def _unless_gone(self, player: Entry) -> Entry:
        return None if player is None or self.is_gone(player) else player

    def entry(self, feed: Feed) -> Entry:
        """Return who comes from a feed whose stage is settled."""
        if feed.kind == "seed":
            return self.players[feed.match - 1] if feed.match <= len(self.players) else None
        return (self.winners if feed.kind == "winner" else self.losers)[feed.stage][feed.match]

    def settle(self, stage: StagePlan, pairs: Pairs, winners: Mapping[int, Entry]) -> None:
        """Settle a stage: `winners` of the matches played, by index; in every other one whoever is there goes on."""
        won = [winners[n] if n in winners else _only(pair) for n, pair in enumerate(pairs)]
        lost = [
            [player for player in pair if player is not None and player != won[n]]
            for n, pair in enumerate(pairs)
        ]
        self.pairs[stage.name] = pairs
        self.winners[stage.name] = won
        self.losers[stage.name] = [players[0] if len(players) == 1 else None for players in lost]
        self.played[stage.name] = [self.round if n in winners else None for n in range(len(pairs))]
        self._skip_reset(stage)
        goes_on = self._goes_on(stage)
        for players in lost:
            if "loser" not in goes_on or len(players) > 1:
                self.out.update(dict.fromkeys(players, stage.depth))
        if "winner" not in goes_on:
            self._close(stage, won[0])

    def _goes_on(self, stage: StagePlan) -> set[str]:
        return {
            feed.kind
            for later in self.plan
            if later.name not in self.skipped
            for feeds in later.feeds
            for feed in feeds
            if feed.stage == stage.name and feed.kind != "seed"
        }

    def _skip_reset(self, stage: StagePlan) -> None:
        """Leave the reset out if the winner of the final has not lost before: whoever came from the upper bracket."""
        final, reset = self.plan[-2:] if len(self.plan) > 1 else (None, None)
        if reset is None or final is None or not reset.reset or stage is not final:
            return
        if (
            self.winners[stage.name][0] == self.entry(stage.feeds[0][0])
            or self.winners[stage.name][0] is None
        ):
            self.skipped.add(reset.name)

    def _close(self, stage: StagePlan, winner: Entry) -> None:
        if winner is None:
            return
        if stage.name == "Third place":
            self.out[winner] = stage.depth + 1
        else:
            self.champion = winner


def _only(pair: tuple[Entry, Entry]) -> Entry:
    return pair[0] if pair[0] is not None else pair[1]
