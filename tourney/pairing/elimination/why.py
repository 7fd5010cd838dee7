"""Explain a bracket: why players meet, have no opponent, or have the first side.

The explanations are facts (`facts.Fact`) about the players' last matches and the rules of the bracket.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import permutations

from tourney.pairing.elimination.playing import SidesOf, first_side
from tourney.pairing.elimination.shape import (
    Bracket,
    BracketMatch,
    BracketOptions,
    FromMatch,
    FromSeed,
    Source,
    Stage,
)
from tourney.pairing.facts import NO_NAMES, Fact, Names, fact, not_in_schedule, scheduled_opponent
from tourney.record import NOBODY, PlayerId
from tourney.wording import counted, listed


def why(
    players: Sequence[PlayerId],
    options: BracketOptions,
    now: Bracket,
    label: str | None,
    seats: Sequence[PlayerId],
    *,
    names: Names = NO_NAMES,
) -> tuple[Fact, ...]:
    """Return why these players play a match of the next round, or why one player has no table.

    players: the players of the bracket, in seed order
    options: the options of the bracket
    now:     the bracket before the round
    label:   the label of the match; None for a player without a table
    seats:   the players of the match, or the player without a table
    """
    question = _Question(players, options, now, names)
    if label is None:
        return tuple(question.bye_facts(seats[0]))
    match = question.matches.get(label)
    if match is None or set(match.seats) != set(seats):
        return tuple(question.wrong_table_facts(seats))
    return tuple(question.match_facts(match))


def why_not(
    players: Sequence[PlayerId],
    options: BracketOptions,
    now: Bracket,
    one: PlayerId,
    other: PlayerId,
    *,
    names: Names = NO_NAMES,
) -> tuple[Fact, ...]:
    """Return facts that show why two players do not meet in the next round, or one has no bye.

    The facts are about each player's match in that round and, for two players, about matches in which they
    met or can meet.

    other: the second player; `NOBODY` to ask why `one` has no bye
    """
    pair = [player for player in (one, other) if player != NOBODY]
    if strangers := [player for player in pair if player not in players]:
        return (not_in_schedule(names, strangers, "bracket"),)
    return tuple(_Question(players, options, now, names).pair_facts(pair))


def why_first_side(
    higher: PlayerId, lower: PlayerId, sides_of: SidesOf, sides: tuple[str, str], *, names: Names = NO_NAMES
) -> Fact:
    """Return a fact that states which player has the first side, and why.

    higher, lower: the players with the higher and the lower seed
    sides:         the names of the first and the second side
    """
    first, rule = first_side(higher, lower, sides_of)
    players = (first, lower if first == higher else higher)
    before = [list(sides_of(player)) for player in players]
    counts = tuple((past_sides.count(1), past_sides.count(-1)) for past_sides in before)
    last = tuple(past_sides[-1] if past_sides else 0 for past_sides in before)
    one, other = map(names.player, players)
    text = f"{one} is {sides[0]} as the higher seed: the sides in earlier matches do not decide"
    if rule == "balance":
        one_text, other_text = (
            f"{sides[0]} {counted(firsts, 'time')} and {sides[1]} {counted(seconds, 'time')}"
            for firsts, seconds in counts
        )
        sides_text = f"{one} was {one_text}, {other} {other_text}"
        text = f"{one} is {sides[0]} to keep the sides even: before, {sides_text}"
    elif rule == "turns":
        last_sides = zip((one, other), last, strict=True)
        sides_text = listed(f"{player} was {sides[side != 1]}" for player, side in last_sides if side)
        text = f"{one} is {sides[0]} to change sides: in the match before, {sides_text}"
    return fact("sides", players, text, sides=sides, rule=rule, counts=counts, last=last)


class _Question:
    """Finds the facts that explain the next round of a bracket."""

    def __init__(
        self, players: Sequence[PlayerId], options: BracketOptions, now: Bracket, names: Names
    ) -> None:
        self.players, self.names = tuple(players), names
        self.options = options
        self.now = now
        self.first = now.stages[0]
        self.matches = {match.label: match for stage in now.stages for match in stage.matches}

    # -- a match

    def match_facts(self, match: BracketMatch) -> Iterator[Fact]:
        """Yield the facts about where each player came from, and about the rule that pairs them."""
        stage = next(stage for stage in self.now.stages if match in stage.matches)
        arrivals = [
            (player, source)
            for player, source in zip(match.seats, match.sources, strict=True)
            if player is not None
        ]
        for player, source in arrivals:
            yield from self._origin_facts(player, source, stage)
        players = _known_players(match)
        seeds = tuple(source.seed for source in match.sources if isinstance(source, FromSeed))
        feeds = tuple(str(source) for source in match.sources if isinstance(source, FromMatch))
        if self.options.seats > 2:
            if stage is self.first:
                yield _dealt_seeds_fact(players, match.label, seeds, len(stage.matches))
            elif all(source for _, source in arrivals):
                yield _feeds_fact(players, match.label, feeds)
        elif len(seeds) == 2:
            yield _seed_sum_fact(players, match.label, seeds, 2 * len(self.first.matches))
        elif len(feeds) == 2:
            yield _feeds_fact(players, match.label, feeds)
        elif self._is_reseeded(stage):
            remaining_players = tuple(player for other in stage.matches for player in _known_players(other))
            count = len(remaining_players)
            if count == 2 * len(stage.matches):
                pairs = "the highest seed meets the lowest, the second the second lowest, and so on"
                text = f"the bracket is reseeded after each round: of the {count} players left {pairs}"
                yield fact("bracket", players, text, left=remaining_players)
        else:
            yield from (
                self._moved_fact(player, match.label) for player, source in arrivals if source is None
            )

    def _is_reseeded(self, stage: Stage) -> bool:
        return self.options.reseed and stage.name not in (self.first.name, "Third place")

    def _origin_facts(self, player: PlayerId, source: Source | None, stage: Stage) -> Iterator[Fact]:
        if isinstance(source, FromMatch):
            yield self._arrival_fact(
                player, self.matches[source.label], "lost" if source.role == "loser" else "won"
            )
            return
        at_start = source is not None or stage is self.first
        if at_start or self._is_reseeded(stage):
            yield self._seed_fact(player)
        if not at_start:
            yield from self._last_match_facts(player)

    def _seed_fact(self, player: PlayerId) -> Fact:
        """Return the fact that states the player's seed."""
        seed, count = self.players.index(player) + 1, len(self.players)
        text = f"{self.names.player(player)} is seed {seed} of {count}"
        return fact("seeded", (player,), text, {"seed": seed, "of": count}, seed=seed, of=count)

    def _moved_fact(self, player: PlayerId, label: str) -> Fact:
        """Explain that the player came to match `label` because a player left the bracket."""
        rule = "the byes went to the highest seeds, and the others were paired again"
        arrival = f"{self.names.player(player)} came to {_match_text(label)}"
        text = f"{arrival} because a player left the bracket: {rule}"
        return fact("bracket", (player,), text, match=label)

    def _last_match_facts(self, player: PlayerId) -> Iterator[Fact]:
        """Yield a sentence (a `Fact`) about the last match from which the player advanced.

        Yields nothing if the player has not advanced from any match.
        """
        won_matches = [match for match in self.matches.values() if match.is_done and player in match.ahead]
        if won_matches:
            yield self._arrival_fact(player, won_matches[-1], "won")

    def _arrival_fact(self, player: PlayerId, match: BracketMatch, outcome: str) -> Fact:
        """Return the fact that the player won or lost a match, or advanced without an opponent.

        At larger tables, the fact states the player's place instead.

        outcome: `won` or `lost`, for matches of two
        """
        opponents = tuple(other for other in _known_players(match) if other != player)
        name, label, place = self.names.player(player), _match_text(match.label), None
        if match.round is None or not opponents:
            opponents, outcome, text = (), "passed", f"{name} passed {label} without an opponent"
        elif self.options.seats > 2:
            place, outcome = match.places[match.seats.index(player)] or len(match.seats), "was placed"
            text = f"{name} {'won' if place == 1 else f'had place {place} in'} {label}"
        else:
            text = f"{name} {outcome} {label} against {self.names.player(opponents[0])}"
        return fact("came-from", (player, *opponents), text, how=outcome, match=match.label, place=place)

    # -- a player without a table

    def bye_facts(self, player: PlayerId) -> Iterator[Fact]:
        """Yield the facts about why a player has no table in this round.

        Either the player has no opponent, or the opponent is not known yet.
        """
        yield self._seed_fact(player)
        match = next(
            (match for match in self.matches.values() if not match.is_done and player in match.seats), None
        )
        if match is not None:
            places = 2 * len(self.first.matches)
            is_first = self.options.seats == 2 and self.now.round == 1 and match in self.first.matches
            if is_first and self.players.index(player) < places - len(self.players):
                yield _bracket_byes_fact(player, len(self.players), places)
            text = f"{self.names.player(player)} has no opponent in {_match_text(match.label)}"
            yield fact("bracket", (player,), text, match=match.label, waits=False)
            return
        for match in self.matches.values():
            if not any(match.seats) and any(player in self._arrivals(source) for source in match.sources):
                yield from self._last_match_facts(player)
                waits_text = f"{self.names.player(player)} waits for {_match_text(match.label)}"
                text = f"{waits_text}; the opponent is not known yet"
                yield fact("bracket", (player,), text, match=match.label, waits=True)
                return

    def _arrivals(self, source: Source | None) -> set[PlayerId]:
        """Return the players who may come to a seat from its source: a seed or an earlier match.

        Returns an empty set for a seat without a source.
        """
        if isinstance(source, FromSeed):
            return set(self.players[source.seed - 1 : source.seed])
        match = None if source is None else self.matches.get(source.label)
        if source is None or match is None:
            return set()
        if match.is_done:
            player = match.player_in_role(source.role)
            return set() if player is None else {player}
        return set(_known_players(match)) or set().union(*map(self._arrivals, match.sources))

    # -- tables that the bracket does not have

    def wrong_table_facts(self, seats: Sequence[PlayerId]) -> Iterator[Fact]:
        """Yield a fact for each player at a table: whom the player should meet by the bracket.

        seats: the players at a table that the organizer made and the bracket does not have
        """
        seats_by_player = {player: table.seats for table in self.now.tables for player in table.seats}
        for player in seats:
            if player not in self.players:
                yield not_in_schedule(self.names, (player,), "bracket")
            else:
                opponents = (other for other in seats_by_player.get(player, ()) if other != player)
                yield scheduled_opponent(self.names, (player, *opponents), "bracket")

    def pair_facts(self, players: Sequence[PlayerId]) -> Iterator[Fact]:
        """Yield the facts about the players' matches in this round.

        For two players, also yield the facts about the matches in which they met or can meet.
        """
        tables = zip(self.now.tables, self.now.labels, strict=True)
        labels = {player: label for table, label in tables for player in table.seats}
        matches = [labels.get(player) for player in players]
        is_meeting = len(players) == 2 and matches[0] == matches[1] and matches[0] is not None
        match_facts = (
            [] if is_meeting else [self._current_match_fact(player, labels.get(player)) for player in players]
        )
        yield from match_facts
        if len(players) == 2:
            one, other = players
            mentioned_matches = {item.data["match"] for item in match_facts if item.kind == "came-from"}
            yield from self._past_meeting_facts(one, other, mentioned_matches)
            if not (self.options.double or self.options.reseed):
                match = self._earliest(one, other)
                text = "by the bracket they cannot meet any more"
                if match is not None:
                    text = f"by the bracket they can meet in {_match_text(match)} at the earliest"
                yield fact("bracket", (one, other), text, match=match)

    def _current_match_fact(self, player: PlayerId, label: str | None) -> Fact:
        """Return the fact about the player's match in this round.

        If the player has no match in this round, the fact is about the last match that the player lost. If
        the player has not lost a match, the fact says that the player has no match in this round.

        label: the label of the player's match in this round, or None
        """
        lost_matches = [
            match
            for match in self.matches.values()
            if match.is_done and player in match.seats and player not in match.ahead
        ]
        if lost_matches and label is None:
            return self._arrival_fact(player, lost_matches[-1], "lost")
        clause = "has no match in this round" if label is None else f"plays {_match_text(label)}"
        return fact("bracket", (player,), f"{self.names.player(player)} {clause}", match=label)

    def _past_meeting_facts(
        self, one: PlayerId, other: PlayerId, excluded_labels: Collection[str]
    ) -> Iterator[Fact]:
        """Yield a fact for each match in which two players met, except matches in `excluded_labels`.

        excluded_labels: labels of matches
        """
        for match in self.matches.values():
            is_played = match.is_done and match.round is not None and {one, other} <= set(match.seats)
            if not is_played or match.label in excluded_labels:
                continue
            if self.options.seats > 2:
                text = f"{self.names.players((one, other))} met in {_match_text(match.label)}"
                yield fact("bracket", (one, other), text, match=match.label)
            elif match.winner:
                yield self._arrival_fact(match.winner, match, "won")

    def _earliest(self, one: PlayerId, other: PlayerId) -> str | None:
        for match in self.matches.values():
            if match.is_done:
                continue
            players = set(_known_players(match))
            arrivals = [] if players else list(map(self._arrivals, match.sources))
            if {one, other} <= players or any(
                one in first and other in second for first, second in permutations(arrivals, 2)
            ):
                return match.label
        return None


# -- facts about the rules of brackets


def _seed_sum_fact(players: Sequence[PlayerId], label: str, seeds: tuple[int, ...], places: int) -> Fact:
    """Return the fact that the seeds of a first-round match add up to the usual sum.

    The sum is one more than the number of places in the bracket.
    """
    sums = f"in a bracket of {places} places the seeds of a first match add up to {places + 1}"
    text = f"{sums}: {listed(seeds)} in {_match_text(label)}"
    return fact("bracket", players, text, match=label, seeds=seeds, places=places)


def _dealt_seeds_fact(players: Sequence[PlayerId], label: str, seeds: tuple[int, ...], tables: int) -> Fact:
    """Return the fact that the seeds of a first-round table were dealt there in snake order."""
    text = f"all seeds sit at one table, {_match_text(label)}"
    if tables > 1:
        deal_text = f"the seeds are dealt to {tables} tables in snake order, there and back again"
        text = f"{deal_text}: {listed(seeds)} in {_match_text(label)}"
    return fact("bracket", players, text, match=label, seeds=seeds, tables=tables)


def _feeds_fact(players: Sequence[PlayerId], label: str, feeds: tuple[str, ...]) -> Fact:
    """Return a fact that names the earlier matches from which the players of a match come.

    feeds: the sources in words, such as `winner of Semifinal 1`
    """
    sources = []
    for feed in feeds:
        role, _, match = feed.partition(" of ")
        sources.append(f"{'' if role.startswith('place') else 'the '}{role} of {_match_text(match)}")
    clause = f"{sources[0]} meets {sources[1]}" if len(sources) == 2 else f"meet {listed(sources)}"
    return fact("bracket", players, f"in {_match_text(label)} {clause}", match=label, sources=feeds)


def _bracket_byes_fact(player: PlayerId, count: int, places: int) -> Fact:
    """Return the fact that the top seeds have no opponent in the first round."""
    byes = places - count
    seeds = "seed 1 has" if byes == 1 else f"seeds 1 {'and' if byes == 2 else 'to'} {byes} have"
    text = f"{count} players in a bracket of {places} places: {seeds} no opponent in the first round"
    return fact("bracket", (player,), text, count=count, places=places)


def _known_players(match: BracketMatch) -> tuple[PlayerId, ...]:
    return tuple(player for player in match.seats if player is not None)


def _match_text(label: str) -> str:
    """Return the name of a match for a sentence.

    >>> _match_text("Semifinal 1"), _match_text("Final"), _match_text("Third place")
    ('Semifinal 1', 'the Final', 'the match for third place')
    """
    if label == "Third place":
        return "the match for third place"
    return label if label[-1:].isdigit() else f"the {label}"
