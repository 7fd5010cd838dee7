"""Play a bracket forward from its seeds through the recorded rounds, and return the next round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter

from tourney.errors import Finding, Severity, TourneyError
from tourney.pairing.elimination.shape import (
    Bracket,
    BracketMatch,
    BracketOptions,
    BracketPlace,
    Came,
    FromMatch,
    FromSeed,
    Source,
    Stage,
    StagePlan,
    Vacancy,
    fold,
    places_of,
    plan,
)
from tourney.pairing.elimination.tables import table_bracket
from tourney.pairing.pairing import number_of
from tourney.record import NameOf, Outcome, PlayerId, Table


def bracket(
    players: Sequence[PlayerId],
    options: BracketOptions | None = None,
    *,
    earlier: Sequence[Mapping[str, Table]] = (),
    left: Mapping[PlayerId, int] | None = None,
    first_table: int = 1,
    name: NameOf = number_of,
) -> Bracket:
    """Return the state of the bracket of `players` (in seed order) after the rounds `earlier`.

    earlier: for each cut round played, label of the match → its table with the result
    left:    players who dropped after the cut was made → the number of cut rounds played before; others are
             ignored
    name:    returns a player's name for messages

    Raises TourneyError for fewer than two players, a player seeded twice, contradictory options, an earlier
    table that is drawn or has no result, a label that the bracket does not have in that round, and rounds
    after its end.
    """
    chosen = options or BracketOptions()
    _refuse(players, chosen, name)
    if chosen.seats > 2:
        return table_bracket(players, chosen, earlier, left=left or {}, first_table=first_table, name=name)
    walk = _Walk(players, plan(len(players), chosen), chosen.vacancy, left or {}, name)
    for number, tables in enumerate(earlier, 1):
        ready = walk.advance()
        if not ready:
            raise TourneyError(
                f"cut round {number} has results, but the bracket was decided after cut round {number - 1}"
            )
        _settle_round(walk, ready, tables)
    return _standing(walk, walk.advance(), first_table)


def _refuse(players: Sequence[PlayerId], options: BracketOptions, name: NameOf) -> None:
    if len(players) < 2:
        raise TourneyError(f"a bracket needs at least two players, not {len(players)}")
    for place, player in enumerate(players):
        if player in players[:place]:
            raise TourneyError(f"{name(player)} is seeded twice")
    if options.seats > 2:
        _refuse_at_tables(options)
    if options.double and options.reseed:
        raise TourneyError(
            "a double bracket has no reseeding", "leave out reseeding, or play a single bracket"
        )
    if options.double and options.third_place:
        raise TourneyError(
            "a double bracket has no third-place match: the loser of the lower final is third",
            "leave out the third-place match",
        )


def _refuse_at_tables(options: BracketOptions) -> None:
    """Refuse options for matches of two."""
    if options.double or options.reseed or options.third_place:
        what = (
            "lower bracket" if options.double else "reseeding" if options.reseed else "match for third place"
        )
        why = ": the places of the final are those at its table" if options.third_place else ""
        raise TourneyError(f"a bracket with tables of {options.seats} has no {what}{why}")
    if not 1 <= options.advance < options.seats:
        raise TourneyError(
            f"1 to {options.seats - 1} of {options.seats} players can advance from a table, "
            f"not {options.advance}"
        )


def _standing(walk: _Walk, ready: Mapping[str, Pairs], first_table: int) -> Bracket:
    matches = [
        (label, sorted(pair, key=walk.seed))
        for stage in walk.plan
        if stage.name in ready
        for label, pair in zip(stage.labels, ready[stage.name], strict=True)
        if None not in pair
    ]
    tables = tuple(
        Table(first_table + place, tuple(player for player in pair if player is not None))
        for place, (_, pair) in enumerate(matches)
    )
    seated = {player for table in tables for player in table.seats}
    finished = not tables
    without = (
        [] if finished else [player for player in walk.players if walk.is_in(player) and player not in seated]
    )
    passing = {player for pairs in ready.values() for pair in pairs if None in pair for player in pair}
    return Bracket(
        round=walk.round,
        tables=tables,
        labels=tuple(label for label, _ in matches),
        byes=tuple(without),
        waiting=tuple(player for player in without if player not in passing),
        stages=_stages(walk, ready),
        champion=walk.champion,
        finished=finished,
        places=_places(walk),
    )


# -- the state of a bracket while it is played forward, stage by stage


Entry = PlayerId | None
"""The player who comes to a seat; None: no player."""

Pairs = list[tuple[Entry, Entry]]
"""The two seats of each match of a stage."""


class _Walk:
    """The state of a bracket: settled stages, winners and losers of their matches, and players who are out.

    round: the number of the next cut round

    Each settled stage keeps its pairs, its winners, and the round in which each match was played (None: a
    walkover). `came` maps each role in a match, such as its winner, to the player.
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
        self.came: dict[tuple[str, Came], Entry] = {}
        self.played: dict[str, list[int | None]] = {}
        self.out: dict[PlayerId, int] = {}
        self.champion: Entry = None
        self.skipped: set[str] = set()
        self._place = {player: number for number, player in enumerate(players, 1)}

    def seed(self, player: Entry) -> int:
        """Return the seed, from 1. No player, and players who were let in later, come last."""
        return self._place.get(player, len(self.players) + 1) if player is not None else len(self.players) + 2

    def is_gone(self, player: PlayerId) -> bool:
        """Return whether the player left before the next cut round."""
        return self.left.get(player, self.round) < self.round

    def is_in(self, player: PlayerId) -> bool:
        """Return whether the player can still win."""
        return player not in self.out and player != self.champion and not self.is_gone(player)

    def advance(self) -> dict[str, Pairs]:
        """Settle what needs no match, and return the stages of the next round; empty at the end."""
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
            isinstance(source, FromSeed) or (source.label, source.came) in self.came
            for sources in stage.feeds
            for source in sources
        )

    def _entries(self, stage: StagePlan) -> Pairs:
        """Return the pairs of a ready stage. The vacancy rule fills the places of players who left."""
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
            return _highest_seeds_first(kept, self.seed)
        return kept

    def _unless_gone(self, player: Entry) -> Entry:
        return None if player is None or self.is_gone(player) else player

    def entry(self, source: Source) -> Entry:
        """Return the player who comes from a seed or a settled match."""
        if isinstance(source, FromSeed):
            return self.players[source.seed - 1] if source.seed <= len(self.players) else None
        return self.came[source.label, source.came]

    def settle(self, stage: StagePlan, pairs: Pairs, winners: Mapping[int, Entry]) -> None:
        """Settle a stage.

        winners: of the matches played, by index; in all others, the player present advances
        """
        won = [winners[n] if n in winners else _only(pair) for n, pair in enumerate(pairs)]
        lost = [
            [player for player in pair if player is not None and player != won[n]]
            for n, pair in enumerate(pairs)
        ]
        self.pairs[stage.name] = pairs
        self.winners[stage.name] = won
        for label, winner, losers in zip(stage.labels, won, lost, strict=True):
            self.came[label, "winner"] = winner
            self.came[label, "loser"] = losers[0] if len(losers) == 1 else None
        self.played[stage.name] = [self.round if n in winners else None for n in range(len(pairs))]
        self._skip_reset(stage)
        goes_on = self._goes_on(stage)
        for players in lost:
            if "loser" not in goes_on or len(players) > 1:
                self.out.update(dict.fromkeys(players, stage.depth))
        if "winner" not in goes_on:
            self._close(stage, won[0])

    def _goes_on(self, stage: StagePlan) -> set[Came]:
        labels = {*stage.labels}
        return {
            source.came
            for later in self.plan
            if later.name not in self.skipped
            for sources in later.feeds
            for source in sources
            if isinstance(source, FromMatch) and source.label in labels
        }

    def _skip_reset(self, stage: StagePlan) -> None:
        """Skip the reset if the winner of the final came from the upper bracket, so has never lost."""
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


# -- the results of a cut round, from the recorded tables


_WON = frozenset({Outcome.WIN, Outcome.FORFEIT_WIN})
_LOST = frozenset({Outcome.LOSS, Outcome.FORFEIT_LOSS, Outcome.DOUBLE_LOSS, Outcome.ABSENT})
"""Outcomes with which a player advances from a match of two, or is out. A draw is neither."""


def _settle_round(walk: _Walk, ready: Mapping[str, Pairs], tables: Mapping[str, Table]) -> None:
    """Add one cut round's tables, by label, and continue with the next round.

    Raises as `bracket`.
    """
    _refuse_strange_labels(walk, ready, tables)
    seated = {player for table in tables.values() for player in table.seats}
    for stage in walk.plan:
        if stage.name in ready:
            pairs = _as_played(walk, stage.labels, ready[stage.name], tables, seated)
            won = {
                n: _winner(walk, label, tables[label])
                for n, label in enumerate(stage.labels)
                if label in tables
            }
            walk.settle(stage, pairs, won)
    walk.round += 1


def _refuse_strange_labels(walk: _Walk, ready: Mapping[str, Pairs], tables: Mapping[str, Table]) -> None:
    labels = [label for stage in walk.plan if stage.name in ready for label in stage.labels]
    for label, table in tables.items():
        if label not in labels:
            raise TourneyError(
                f"cut round {walk.round}: `{label}` is not a match of this round; "
                f"its matches are {', '.join(labels)}"
            )
        if len(table.seats) != 2:
            raise TourneyError(
                f"cut round {walk.round}: {label} has {len(table.seats)} seats, a match has two"
            )


def _as_played(
    walk: _Walk, labels: tuple[str, ...], due: Pairs, tables: Mapping[str, Table], seated: set[PlayerId]
) -> Pairs:
    """Return the pairs of a stage, with the recorded tables as they are.

    A player without a seat passes a match without a table.
    """
    pairs: Pairs = []
    passed_over: list[PlayerId] = []
    for label, pair in zip(labels, due, strict=True):
        resting: list[PlayerId] = [player for player in pair if player is not None and player not in seated]
        if label in tables:
            passed_over += resting
            pairs.append((tables[label].seats[0], tables[label].seats[1]))
        else:
            keep: list[Entry] = [*resting, None, None]
            pairs.append((keep[0], keep[1]))
    for n, pair in enumerate(pairs):
        if passed_over and pair == (None, None):
            pairs[n] = (passed_over.pop(0), None)
    _refuse_unsettled(walk, labels, pairs, tables, passed_over)
    return pairs


def _refuse_unsettled(
    walk: _Walk,
    labels: tuple[str, ...],
    pairs: Pairs,
    tables: Mapping[str, Table],
    passed_over: list[PlayerId],
) -> None:
    for label, pair in zip(labels, pairs, strict=True):
        if label not in tables and None not in pair:
            both = " and ".join(walk.name(player) for player in pair if player is not None)
            raise TourneyError(f"cut round {walk.round}: {label} has no table, but {both} must play it")
    if passed_over:
        raise TourneyError(
            f"cut round {walk.round}: {walk.name(passed_over[0])} has no table, and no match can be passed "
            "with a bye"
        )


def _winner(walk: _Walk, label: str, table: Table) -> Entry:
    """Return the winner of a match; None if both lost.

    Raises TourneyError if it is open or drawn.
    """
    if table.result is None:
        raise TourneyError(f"cut round {walk.round}: {label} (table {table.number}) has no result yet")
    won = [seat.player for seat in table.result.seats if seat.outcome in _WON]
    if len(won) == 1:
        return won[0]
    if not won and all(seat.outcome in _LOST for seat in table.result.seats):
        return None
    raise TourneyError(
        f"cut round {walk.round}: {label} (table {table.number}) has no winner: a bracket has no draws",
        "change the result: the format's rule for ties decides",
    )


# -- the vacancy rule highest-seed: the byes and the pairs of a stage that a player left


def _highest_seeds_first(
    pairs: Sequence[tuple[Entry, Entry]], seed: Callable[[Entry], int]
) -> list[tuple[Entry, Entry]]:
    """Give the byes of a stage to its highest seeds, and pair the players who lose an opponent by that.

    pairs: the matches, with None if no player comes
    seed:  the rank of a player, 1 is the highest

    Players keep their match if possible. Matches that need one more player are filled in order of the seed
    who waits, the highest first, with the lowest seed left over. An empty match gets the highest and the
    lowest left over.
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
    """Return match → the player who passes it without an opponent.

    That is the player's own match. If two players would pass the same one, it is the emptiest free one.
    """
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


# -- places


def _places(walk: _Walk) -> tuple[BracketPlace, ...]:
    """Return the places of the champion and of all players who are out, best first, equals in order of seed.

    While the bracket is played, players who are in are better than players who are out.
    """
    reached = {player: (-depth, 0) for player, depth in walk.out.items()}
    if walk.champion is not None:
        reached[walk.champion] = (-max(stage.depth for stage in walk.plan) - 2, 0)
    still_in = sum(player not in reached for player in walk.players)
    return places_of(reached, still_in, walk.seed)


# -- all matches for pages: settled, ready to be played, open


def _stages(walk: _Walk, ready: Mapping[str, Pairs]) -> tuple[Stage, ...]:
    """Return every stage in the order of the plan, without a reset that is not needed."""
    return tuple(
        Stage(
            name=stage.name,
            matches=tuple(_match(walk, stage, number, ready) for number in range(len(stage.labels))),
        )
        for stage in walk.plan
        if stage.name not in walk.skipped
    )


def _match(walk: _Walk, stage: StagePlan, number: int, ready: Mapping[str, Pairs]) -> BracketMatch:
    feeds = stage.feeds[number]
    label = stage.labels[number]
    settled = stage.name in walk.winners
    if not settled and stage.name not in ready:
        sources = (None, None) if stage.reseeded else (_given(walk, feeds[0]), _given(walk, feeds[1]))
        return BracketMatch(label=label, seats=(None, None), sources=sources)
    pair = walk.pairs[stage.name][number] if settled else ready[stage.name][number]
    named = sorted(
        ((walk.seed(player), _source(walk, stage, feeds, player), player) for player in pair),
        key=itemgetter(0),
    )
    played = walk.played[stage.name][number] if settled else None
    upcoming = walk.round if not settled and None not in pair else None
    return BracketMatch(
        label=label,
        seats=(named[0][2], named[1][2]),
        sources=(named[0][1], named[1][1]),
        round=played or upcoming,
        winner=walk.winners[stage.name][number] if settled else None,
        done=settled,
    )


def _source(walk: _Walk, stage: StagePlan, feeds: tuple[Source, Source], player: Entry) -> Source | None:
    """Return where a player came from.

    Return None after reseeding, a vacancy or a change by the organizer.
    """
    if stage.reseeded or player is None:
        return None
    return next((source for source in feeds if walk.entry(source) == player), None)


def _given(walk: _Walk, source: Source) -> Source | None:
    """Return a source if a player can come from it; None for a seed that does not exist."""
    return None if isinstance(source, FromSeed) and source.seed > len(walk.players) else source


# -- check the tables of a cut round against the bracket


def check(
    now: Bracket, tables: Mapping[str, Sequence[PlayerId]], *, name: NameOf = number_of
) -> list[Finding]:
    """Return where the organizer's tables of the next cut round differ from the bracket.

    Errors come first.

    Errors: `match` (a label that is not in this round), `table-size`, `seated-twice`, `not-in-round` (out,
    gone or a stranger), `not-seated` (neither a table nor one of the round's byes). Advice: `bracket` (other
    opponents).
    """
    due = {label: table.seats for label, table in zip(now.labels, now.tables, strict=True)}
    findings = [
        *_matches(now.seats, due, tables, name),
        *_seats(now, due, tables, name),
        *_opponents(due, tables, name),
    ]
    return sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR)


def _matches(
    full: int, due: Mapping[str, Sequence[PlayerId]], tables: Mapping[str, Sequence[PlayerId]], name: NameOf
) -> Iterator[Finding]:
    for label, seats in tables.items():
        if label not in due:
            message = f"`{label}` is not a match of this round; its matches are {', '.join(due)}"
            yield _finding("match", message, [label])
        if len(seats) != len(due.get(label, range(full))):
            usual = (
                "a match has two" if full == 2 else f"{len(due.get(label, range(full)))} are to play there"
            )
            yield _finding("table-size", f"{label} has {len(seats)} seats, {usual}", list(map(name, seats)))


def _finding(
    rule: str, message: str, subjects: Sequence[str], severity: Severity = Severity.ERROR
) -> Finding:
    return Finding(rule=rule, severity=severity, message=message, subjects=tuple(subjects))


def _seats(
    now: Bracket,
    due: Mapping[str, Sequence[PlayerId]],
    tables: Mapping[str, Sequence[PlayerId]],
    name: NameOf,
) -> Iterator[Finding]:
    expected = {player for seats in due.values() for player in seats}
    places: dict[PlayerId, list[str]] = {}
    for label, seats in tables.items():
        for player in seats:
            places.setdefault(player, []).append(label)
    for player, labels in places.items():
        if player not in expected and player not in now.byes:
            message = f"{name(player)} is not in this round of the bracket, but sits at {labels[0]}"
            yield _finding("not-in-round", message, [name(player)])
        if len(labels) > 1:
            message = f"{name(player)} is seated {len(labels)} times: {' and '.join(labels)}"
            yield _finding("seated-twice", message, [name(player)])
    left_out = sorted(expected - set(places))
    passes = sum(player in places for player in now.byes)
    for player in left_out[passes:]:
        yield _finding(
            "not-seated", f"{name(player)} has no table and no bye of this round is free", [name(player)]
        )


def _opponents(
    due: Mapping[str, Sequence[PlayerId]], tables: Mapping[str, Sequence[PlayerId]], name: NameOf
) -> Iterator[Finding]:
    for label, seats in tables.items():
        if label in due and set(seats) != set(due[label]):
            have, should = (" – ".join(map(name, players)) for players in (seats, due[label]))
            yield _finding("bracket", f"{label}: {have}; by the bracket {should}", [label], Severity.ADVICE)
