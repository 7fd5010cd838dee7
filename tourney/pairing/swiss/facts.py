"""What can be said about one table: its players' groups, the score boundaries between them, meetings, keep-aparts, the bye."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tourney.pairing.answers import Reason
from tourney.pairing.entrant import NOBODY, NameOf
from tourney.pairing.options import Pair
from tourney.pairing.pairing import Pairing
from tourney.pairing.swiss.bound import bound_of, left_over
from tourney.pairing.swiss.deficiency import Witness, witness
from tourney.pairing.swiss.difference import points_words
from tourney.pairing.swiss.field import Field, seats_of
from tourney.pairing.swiss.levels import shared_tags
from tourney.pairing.swiss.solution import least_rematches
from tourney.pairing.swiss.whole import vertices
from tourney.pairing.swiss.window import Window, whole_field
from tourney.record import PlayerId, points_text

NAMED = 6
"""How many players a sentence names before it counts the rest."""


@dataclass(frozen=True)
class Facts:
    """A table of a round (the bye last in its own) and the sentences about it."""

    field: Field
    pairing: Pairing
    seats: Pair
    name: NameOf

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Who sits there."""
        return tuple(player for player in self.seats if player != NOBODY)

    def reason(self, what: str, text: str, **numbers: int) -> Reason:
        """Return a sentence about the table's players."""
        return Reason(what=what, text=text, players=self.players, numbers=numbers)

    def of_bye(self) -> Iterator[Reason]:
        """Say who could have had the bye, and who would have come first."""
        player, field = self.seats[0], self.field
        earlier, points = field.earlier_byes(player), field.points[player]
        classes = field.bye_classes
        place = next((number for number, each in enumerate(classes) if player in each), len(classes))
        alike = len(classes[place]) if place < len(classes) else 1
        text = f"{len(field.entrants)} players are an odd number: one is left over"
        yield self.reason("odd", text, players=len(field.entrants))
        had = (
            "no bye yet" if not earlier else "one bye already" if earlier == 1 else f"{earlier} byes already"
        )
        text = f"{self.name(player)} has had {had} and is on {points_words(points)}, {_as_others(alike - 1)}"
        yield self.reason("bye", text, earlier_byes=earlier, half_points=points, alike=alike)
        first = {each for players in classes[:place] for each in players}
        if first and not self.pairing.cost.rematches:
            found = witness(vertices(field), field.unmet_with_bye(first))
            who = self._named(sorted(first))
            if found.left_over:
                text = (
                    f"{who} would come first, but no round without a rematch allows it: {self._told(found)}"
                )
                yield self.reason("bye", text, first=len(first))

    def of_table(self) -> Iterator[Reason]:
        """Say what the two players have to do with each other."""
        one, other = seats_of(self.field, self.seats)
        field, points, name = self.field, self.field.points, self.name
        upper, lower = points_text(points[one]), points_text(points[other])
        if points[one] == points[other]:
            group = sum(value == points[one] for value in points.values())
            text = f"both are on {points_words(points[one])}, {_as_others(group - 2)}"
            yield self.reason("group", text, half_points=points[one], group=group)
        else:
            text = f"{name(one)} ({upper}) floats down to {name(other)} ({lower})"
            yield self.reason("float", text, half_points=points[one] - points[other])
            yield from self._boundaries(one, other)
        times = field.times_met(one, other)
        if times:
            yield self._rematch(times)
        shared = sorted(shared_tags(field, one, other)) if field.options.keeps_apart_now else []
        if shared:
            text = (
                f"they should be kept apart ({', '.join(shared)}), but only where that costs nothing above it"
            )
            yield self.reason("keep-apart", text, shared=len(shared))

    def _rematch(self, times: int) -> Reason:
        field = self.field
        least = least_rematches(field)
        often = "before" if times == 1 else f"{times} times before"
        if not least:
            text = f"they have met {often}; a round without a rematch is possible"
            return self.reason("rematch", text, times_met=times, least=0)
        takers = {player for each in field.bye_classes for player in each}
        found = witness(vertices(field), field.unmet_with_bye(takers))
        needed = "a rematch" if least == 1 else f"{least} rematches"
        text = f"they have met {often}; {needed} cannot be avoided: {self._told(found)}"
        return self.reason("rematch", text, times_met=times, least=least)

    def _boundaries(self, one: PlayerId, other: PlayerId) -> Iterator[Reason]:
        """Say of each score boundary between the two how many tables must cross it."""
        field, points = self.field, self.field.points
        if self.pairing.cost.rematches or any(one in pair for pair in field.forced):
            return
        bye = next((each for each in field.bye_classes if self.pairing.bye in each), [])
        window = whole_field(field, bye)
        bound = bound_of(window, 2 * field.most_barred + 4)
        for place, least in enumerate(bound.crossings):
            if points[one] >= bound.points[place] > points[other]:
                yield self._boundary(window, place, least)

    def _boundary(self, window: Window, place: int, least: int) -> Reason:
        upper = [player for group in window.groups[: place + 1] for player in group]
        score = points_words(window.points[place])
        players = len(upper) - (NOBODY in upper)
        numbers = {"half_points": window.points[place], "above": players, "least": least}
        who = f"{_count(players)} on {score} or more{' and the bye' if NOBODY in upper else ''}"
        if least > len(upper) % 2:
            text = self._short_of_partners(window, upper, place, least)
        elif least:
            alone = players == len(upper) == 1
            text = (
                f"only {self.name(upper[0])} is on {score} or more, and must meet somebody below"
                if alone
                else f"{who} are an odd number: one must meet somebody below"
            )
        else:
            text = (
                f"{who} are an even number, so nobody need meet somebody below; a round without it costs more"
            )
        return self.reason("boundary", text, **numbers)

    def _short_of_partners(self, window: Window, upper: Sequence[PlayerId], place: int, least: int) -> str:
        score = points_words(window.points[place])
        if left_over(window, upper) >= least:
            side, where = upper, f"on {score} or more"
        else:
            side, where = (
                [player for group in window.groups[place + 1 :] for player in group],
                f"below {score}",
            )
        told = self._told(witness(side, window.unmet))
        return f"{least} of the players {where} cannot be paired among themselves: {told}"

    def _told(self, found: Witness) -> str:
        """Put a witness into words."""
        odd = [part for part in found.parts if len(part) % 2]
        if any(len(part) > 1 for part in odd):
            groups = "; ".join(self._named(part) for part in odd[:NAMED])
            without = f" without {self._named(found.removed)}" if found.removed else ""
            return f"groups of odd size{without} that have nobody new outside: {groups}"
        who = self._named([part[0] for part in odd])
        if found.removed:
            return f"{who} could meet only {self._named(found.removed)}"
        return f"{who} {'have' if len(odd) > 1 else 'has'} met everybody there"

    def _named(self, players: Sequence[PlayerId]) -> str:
        names = ["the bye" if player == NOBODY else self.name(player) for player in players[:NAMED]]
        more = len(players) - NAMED
        return ", ".join(names) + (f" and {more} more" if more > 0 else "")


def _as_others(count: int) -> str:
    return (
        "as nobody else is" if count <= 0 else "as one other is" if count == 1 else f"as {count} others are"
    )


def _count(number: int) -> str:
    return "1 player" if number == 1 else f"{number} players"
