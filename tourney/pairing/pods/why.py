"""Explain why players share a table: points, earlier meetings, and the cost of exchanges.

The explanations are facts (`facts.Fact`). An exchange seats each of two players in the other's place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from operator import sub

from msgspec import Struct, structs

from tourney.errors import TourneyError
from tourney.pairing import facts
from tourney.pairing.facts import NO_NAMES, Difference, Fact, Gaps, Names, fact
from tourney.pairing.manual import Sizes, cost_of
from tourney.pairing.pairing import Cost, Entrant, Entrants, Options, Pair, Pairing, earlier_opponents
from tourney.pairing.pods.engine import sizes_words
from tourney.pairing.pods.field import split
from tourney.record import NOBODY, PlayerId, Table, format_points
from tourney.wording import counted


def why(
    entrants: Entrants,
    options: Options,
    pairing: Pairing,
    seats: Sequence[PlayerId],
    *,
    sizes: Sizes,
    names: Names = NO_NAMES,
) -> tuple[Fact, ...]:
    """Return why these players share a table of the round, or why one player has a bye."""
    question = _Question(entrants, options, pairing, sizes, names)
    return tuple(question.bye_facts(seats[0]) if len(seats) == 1 else question.table_facts(seats))


def why_not(
    entrants: Entrants,
    options: Options,
    pairing: Pairing,
    one: PlayerId,
    other: PlayerId,
    *,
    sizes: Sizes,
    names: Names = NO_NAMES,
) -> tuple[Fact, ...]:
    """Return why two players do not share a table, or why `one` has no bye.

    `other` is `NOBODY` in a question about the bye. If two players are at different tables, the last fact
    names the exchange of two players that would seat them together at the lowest cost, or says that none is
    possible.
    """
    question = _Question(entrants, options, pairing, sizes, names)
    return tuple(question.other_bye_facts(one) if other == NOBODY else question.pair_facts(one, other))


class _Question(Struct, frozen=True, dict=True):
    """A recorded round of pods that is to be explained, and the input from which it was paired.

    In the cost of the round, every two players at a table count as a pair. Their seats do not count.
    """

    entrants: Entrants
    options: Options
    pairing: Pairing
    sizes: Sizes
    names: Names

    @cached_property
    def by_id(self) -> dict[PlayerId, Entrant]:
        return {entrant.id: entrant for entrant in self.entrants}

    @cached_property
    def points(self) -> dict[PlayerId, int]:
        return {entrant.id: entrant.points for entrant in self.entrants}

    @cached_property
    def table_of(self) -> dict[PlayerId, Table]:
        return {player: table for table in self.pairing.tables for player in table.seats}

    # -- a table

    def table_facts(self, seats: Sequence[PlayerId]) -> Iterator[Fact]:
        """Yield the facts that explain a table.

        The last fact is about exchanging one of its players with a player of another table. It names the
        exchange after which the round costs least, or says that none is possible.
        """
        yield from self._division_facts(seats)
        pairs = list(combinations(seats, 2))
        points = [self.points[player] for player in seats]
        if len(set(points)) == 1:
            yield facts.same_points(seats, self.points)
        else:
            scores = zip(map(self.names.player, seats), map(format_points, points), strict=True)
            text = f"points at this table: {', '.join(f'{player} {score}' for player, score in scores)}"
            yield fact("group", seats, text, half_points=tuple(points))
        yield from facts.fixed_tables(self.names, self.by_id, seats, self.table_of[seats[0]].number)
        for pair in pairs:
            yield from self._wish_facts(pair)
        meetings = [meeting for pair in pairs for meeting in self._meeting_facts(pair)]
        no_meetings = "no two players at this table have met before"
        yield from meetings or [fact("rematch", seats, no_meetings, {"times_met": 0}, times_met=0)]
        for pair in pairs:
            yield from self._group_facts(pair)
        other_players = [player for player in self.table_of if player not in seats]
        yield self._cheapest_exchange_fact(seats, [(one, other) for one in seats for other in other_players])

    def pair_facts(self, one: PlayerId, other: PlayerId) -> Iterator[Fact]:
        """Yield the facts about why two players do not share a table.

        If they are at different tables, the last fact is about seating them together by exchanging two
        players. It names the exchange after which the round costs least, or says that none is possible.
        """
        pair = (one, other)
        one_table, other_table = self.table_of.get(one), self.table_of.get(other)
        if one_table is not None and one_table is other_table:
            yield facts.meeting_fact(self.names, pair, one_table.number)
        yield from self._wish_facts(pair)
        yield from self._meeting_facts(pair)
        if gap := abs(self.points[one] - self.points[other]):
            yield facts.points_apart(pair, gap)
        yield from self._group_facts(pair)
        if one_table is other_table or one_table is None or other_table is None:
            return
        exchanges = [(other, player) for player in one_table.seats if player != one]
        exchanges += [(one, player) for player in other_table.seats if player != other]
        yield self._cheapest_exchange_fact(pair, exchanges, partners={other: one, one: other})

    def _division_facts(self, players: Sequence[PlayerId]) -> Iterator[Fact]:
        """Yield the fact about how the players are divided into tables, if the division is the best.

        The best division has the fewest byes, then the sizes nearest to the preferred size.
        """
        least_byes = int(self.options.forced_bye is not None)
        count, tables, byes = len(self.entrants), self.pairing.tables, len(self.pairing.byes)
        try:
            division = split(count, self.sizes, least_byes=least_byes)
        except TourneyError:
            return
        sizes = tuple(sorted((len(table.seats) for table in tables), reverse=True))
        if (sizes, byes) == (division.tables, division.byes):
            preferred_size = self.sizes.preferred
            byes_text = f" and {counted(byes, 'bye')}" if byes else ""
            rule = f"the fewest byes, then sizes nearest to {preferred_size}"
            text = f"{count} players make {sizes_words(tables)}{byes_text}: {rule}"
            yield fact("sizes", players, text, count=count, sizes=sizes, byes=byes, preferred=preferred_size)

    def _wish_facts(self, pair: Pair) -> Iterator[Fact]:
        """Yield the fact that the organizer seats the two players together or keeps them apart."""
        players = self.names.players(pair)
        if set(pair) in map(set, self.options.forced):
            yield fact("forced", pair, f"the organizer seats {players} together", apart=False)
        if set(pair) in map(set, self.options.forbidden):
            yield fact("forced", pair, f"the organizer keeps {players} apart", apart=True)

    def _meeting_facts(self, pair: Pair) -> Iterator[Fact]:
        """Yield the fact about how often the two players have met, if they have."""
        if times := earlier_opponents(self.by_id[pair[0]], self.options).count(pair[1]):
            text = f"{self.names.players(pair)} have met {facts.before_text(times)}"
            yield fact("rematch", pair, text, {"times_met": times}, times_met=times)

    def _group_facts(self, pair: Pair) -> Iterator[Fact]:
        one, other = (self.by_id[player] for player in pair)
        return facts.shared_groups(self.names, self.options, one, other, names_players=True)

    # -- the byes

    def bye_facts(self, player: PlayerId) -> Iterator[Fact]:
        """Yield the facts that explain a player's bye.

        They are about the division of the players into tables, and the player's earlier byes. If the
        organizer gave the bye, another fact says so. Otherwise, they name any players who should get the bye
        before this player.
        """
        yield from self._division_facts((player,))
        yield self._byes_had(player)
        if player == self.options.forced_bye:
            yield facts.organizers_bye(self.names, player)
            return
        ranks = {other: facts.bye_rank(entrant, self.options) for other, entrant in self.by_id.items()}
        byes, rank = self.pairing.byes, ranks[player]
        better = [other for other in self.by_id if other not in byes and ranks[other] < rank]
        forced_players = self.options.forced_players
        if set_players := [other for other in better if other in forced_players]:
            yield facts.first_in_line(self.names, set_players, set_apart=True)
        if first_players := [other for other in better if other not in forced_players]:
            rule = "fewer byes, or as many and fewer points"
            yield fact("bye", first_players, f"{self.names.players(first_players)} would come first: {rule}")

    def other_bye_facts(self, player: PlayerId) -> Iterator[Fact]:
        """Yield the facts about earlier byes: the player's, and those of players with a bye now."""
        if player in self.pairing.byes:
            yield facts.meeting_fact(self.names, (player,), None)
        yield from self._division_facts((player,))
        yield self._byes_had(player)
        for other in self.pairing.byes:
            if other != player:
                yield self._byes_had(other)

    def _byes_had(self, player: PlayerId) -> Fact:
        return facts.byes_had(self.names, self.by_id, self.options, player)

    # -- exchanges

    def _cheapest_exchange_fact(
        self,
        players: Sequence[PlayerId],
        exchanges: Iterable[Pair],
        *,
        partners: Mapping[PlayerId, PlayerId] | None = None,
    ) -> Fact:
        """Return the fact about the exchange after which the round costs least.

        An exchange seats each of two players in the other's place. Only exchanges that keep the organizer's
        wishes are compared. The cost of seats is ignored. If no exchange keeps the wishes, the fact says that
        no two players can change places.

        players:   the players whom the question is about; if no exchange keeps the wishes, the fact has the
                   first of them as its player
        exchanges: the exchanges to compare
        partners:  if the question is why two players do not share a table: the player who moves in an
                   exchange → the player with whom they then share a table; otherwise None
        """
        possible_exchanges = [exchange for exchange in exchanges if self._keeps_wishes(*exchange)]
        if not possible_exchanges:
            partner = None if partners is None else partners[players[0]]
            return self._exchange_fact(tuple(players[:1]), partner=partner)
        one, other = min(possible_exchanges, key=lambda exchange: self._price(*exchange))
        rounds = [
            (self._cost(tables), tables)
            for tables in (self._tables_before(one, other), self._tables_after(one, other))
        ]
        now, is_better = rounds[0][0], rounds[1][0] < rounds[0][0]
        (best, seats), (other_cost, other_seats) = reversed(rounds) if is_better else rounds
        gaps = Gaps.at(seats, self.points), Gaps.at(other_seats, self.points)
        difference = Difference.between(best, other_cost, gaps, noun="pair")
        if difference is not None:  # so far it counts the two tables; the fact is about the whole round
            other_tables_cost = getattr(self._round_cost, difference.level) - getattr(now, difference.level)
            difference = structs.replace(
                difference,
                best=difference.best + other_tables_cost,
                other=difference.other + other_tables_cost,
            )
        partner = None if partners is None else partners[one]
        return self._exchange_fact((one, other), difference, is_better=is_better, partner=partner)

    def _exchange_fact(
        self,
        players: tuple[PlayerId, ...],
        difference: Difference | None = None,
        *,
        is_better: bool = False,
        partner: PlayerId | None = None,
    ) -> Fact:
        """Return the fact about the cheapest exchange, in which two players change places.

        players:    the two players who change places, from different tables; if no exchange is possible, only
                    the first of the players whom the question is about
        difference: the difference in cost between the rounds with and without the exchange; None if both cost
                    the same or no exchange is possible
        is_better:  whether the round with the exchange costs less
        partner:    the player with whom the first player must share a table after the exchange; None if the
                    exchange has no such purpose
        """
        name = self.names.player
        table = None if len(players) < 2 else self.table_of[players[1]].number
        if table is None:
            purpose = "" if partner is None else f" to seat {name(players[0])} with {name(partner)}"
            text = f"no two players can change places{purpose}"
        else:
            change = "change" if partner is None else f"sit with {name(partner)} by changing"
            text = f"{name(players[0])} could {change} places with {name(players[1])} of table {table}"
            if difference is None:
                text += ", with no more rematches, wider gaps in points or broken wishes"
            elif is_better:
                text += f", which would be better: without it the round has {difference.text}"
            else:
                note = ", which costs least of all exchanges" if partner is None else ""
                text += f"{note}, but then the round has {difference.text}"
        return fact(
            "exchange", players, text, table=table, difference=difference, better=is_better, partner=partner
        )

    @cached_property
    def _round_cost(self) -> Cost:
        return self._cost([table.seats for table in self.pairing.tables])

    def _cost(self, tables: Iterable[tuple[PlayerId, ...]]) -> Cost:
        numbered_tables = [Table(number, seats) for number, seats in enumerate(tables)]
        entrants = [self.by_id[player] for table in numbered_tables for player in table.seats]
        return cost_of(entrants, self.options, numbered_tables, ())

    def _price(self, one: PlayerId, other: PlayerId) -> tuple[int, ...]:
        now = self._cost(self._tables_before(one, other)).as_dict().values()
        after = self._cost(self._tables_after(one, other)).as_dict().values()
        return (*map(sub, after, now), one, other)

    def _tables_before(self, one: PlayerId, other: PlayerId) -> list[tuple[PlayerId, ...]]:
        return [self.table_of[one].seats, self.table_of[other].seats]

    def _tables_after(self, one: PlayerId, other: PlayerId) -> list[tuple[PlayerId, ...]]:
        partner_of = {one: other, other: one}
        tables = self._tables_before(one, other)
        return [tuple(partner_of.get(player, player) for player in seats) for seats in tables]

    def _keeps_wishes(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether an exchange of two players keeps the organizer's wishes at both tables."""
        for seats in map(set, self._tables_after(one, other)):
            if any(seats.issuperset(pair) for pair in self.options.forbidden):
                return False
            if any(len(seats.intersection(pair)) == 1 for pair in self.options.forced):
                return False
            if sum(self.by_id[player].fixed_table is not None for player in seats) > 1:
                return False
        return True
