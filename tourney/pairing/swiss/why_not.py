"""Why not this table? The price of forcing it: the round solved again with the pair fixed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tourney.errors import TourneyError
from tourney.pairing.answers import Price, Reason
from tourney.pairing.entrant import NOBODY, Entrant, NameOf, number_of
from tourney.pairing.options import Options
from tourney.pairing.pairing import Pairing
from tourney.pairing.swiss.difference import Difference, first_difference, instead, points_words
from tourney.pairing.swiss.engine import pair
from tourney.pairing.swiss.field import Field, prepare
from tourney.record import PlayerId


def why_not(
    entrants: Sequence[Entrant],
    options: Options,
    seed: str,
    one: PlayerId,
    other: PlayerId,
    *,
    name: NameOf = number_of,
) -> Price:
    """Return the price of seating `one` with `other`, or of giving `one` the bye (`other` = `NOBODY`).

    Works at any size: it is two ordinary rounds. Raises TourneyError if one of the two is not in the round, or if no round is
    possible at all.
    """
    _refuse_strangers(entrants, (one, other), name)
    best = pair(entrants, options, seed, name=name)
    field = prepare(entrants, options)
    players = (one,) if other == NOBODY else (one, other)
    try:
        forced = pair(entrants, _with(options, one, other), seed, name=name)
    except TourneyError as refusal:
        reasons = (
            *_facts(field, one, other, name),
            Reason(what="impossible", text=refusal.message, players=players),
        )
        return Price(
            players=players, possible=False, best=best.cost, forced=None, level=None, more=0, reasons=reasons
        )
    difference = first_difference(best.cost, forced.cost)
    return Price(
        players=players,
        possible=True,
        best=best.cost,
        forced=forced.cost,
        level=difference.level if difference else "seed",
        more=difference.more if difference else 0,
        reasons=(*_facts(field, one, other, name), *_prices(field, best, forced, players)),
    )


def _refuse_strangers(entrants: Sequence[Entrant], players: Sequence[PlayerId], name: NameOf) -> None:
    known = {each.id for each in entrants} | {NOBODY}
    for player in players:
        if player not in known:
            raise TourneyError(f"{name(player)} is not in this round")
    if players[0] == players[1]:
        raise TourneyError(f"{name(players[0])} cannot meet themselves")
    if players[0] == NOBODY:
        raise TourneyError("name the player who would have the bye first")


def _with(options: Options, one: PlayerId, other: PlayerId) -> Options:
    if other == NOBODY:
        return replace(options, forced_bye=one)
    known = {frozenset(pair) for pair in options.forced}
    return (
        options
        if frozenset((one, other)) in known
        else replace(options, forced=(*options.forced, (one, other)))
    )


def _facts(field: Field, one: PlayerId, other: PlayerId, name: NameOf) -> Iterator[Reason]:
    """Say what stands between the two players, whatever the rest of the round does."""
    if other == NOBODY:
        earlier = field.earlier_byes(one)
        if earlier:
            text = f"{name(one)} has had {'a bye' if earlier == 1 else f'{earlier} byes'} already"
            yield Reason(what="bye", text=text, players=(one,), numbers={"earlier_byes": earlier})
        return
    players, points = (one, other), field.points
    if not field.allowed(one, other):
        yield Reason(what="forbidden", text="the organizer keeps them apart", players=players)
    times = field.times_met(one, other)
    if times:
        text = f"they have met {'before' if times == 1 else f'{times} times before'}"
        yield Reason(what="rematch", text=text, players=players, numbers={"times_met": times})
    gap = abs(points[one] - points[other])
    if gap:
        text = f"they are {points_words(gap)} apart"
        yield Reason(what="float", text=text, players=players, numbers={"half_points": gap})


def _prices(field: Field, best: Pairing, forced: Pairing, players: tuple[PlayerId, ...]) -> Iterator[Reason]:
    """Say level by level, from the first that decides, what the forced round costs more or less."""
    difference = first_difference(best.cost, forced.cost)
    if difference is None:
        text = "it would cost nothing: the seed chose among rounds of equal cost"
        yield Reason(what="seed", text=text, players=players)
        return
    least, dear = best.cost.as_dict(), forced.cost.as_dict()
    levels = list(least)
    for level in levels[levels.index(difference.level) :]:
        if least[level] != dear[level]:
            text = instead(Difference(level, least[level], dear[level]))
            yield Reason(what=level, text=text, numbers={"forced": dear[level], "best": least[level]})
    floats, would_float = _floating(field, best), _floating(field, forced)
    if floats != would_float:
        text = f"{would_float} tables would pair different points instead of {floats}"
        yield Reason(what="floaters", text=text, numbers={"forced": would_float, "best": floats})


def _floating(field: Field, paired: Pairing) -> int:
    points = field.points
    return sum(points[table.seats[0]] != points[table.seats[1]] for table in paired.tables)
