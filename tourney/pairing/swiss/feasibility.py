"""What makes a round impossible before anything is matched: refused with the reason and the least that would mend it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import NoReturn

from tourney.errors import TourneyError
from tourney.pairing.pairing import NOBODY, Entrant, Mode, NameOf, Options, Pair, Pairing
from tourney.pairing.swiss.field import Field, prepare
from tourney.pairing.swiss.levels import candidates, vertices
from tourney.pairing.swiss.matching import cheapest, deficiency, most
from tourney.record import PlayerId


def refuse_contradictions(
    entrants: Sequence[Entrant], options: Options, name: NameOf, *, least: int = 2
) -> None:
    """Raise TourneyError if the entrants and options contradict each other or themselves, or are fewer than `least`."""
    _refuse_strange_ids(entrants, name)
    if len(entrants) < least:
        _refuse_too_few(entrants, name)
    _refuse_forced(entrants, options, name)
    _refuse_forced_bye(entrants, options, name)
    _refuse_equal_tables(entrants, name)
    _refuse_missing_order(entrants, options, name)


def _refuse_strange_ids(entrants: Sequence[Entrant], name: NameOf) -> None:
    ids = {each.id for each in entrants}
    if len(ids) < len(entrants):
        twice = next(player for player, count in Counter(each.id for each in entrants).items() if count > 1)
        raise TourneyError(f"{name(twice)} is entered twice for this round")
    if min(ids, default=1) <= NOBODY:
        raise TourneyError("players are numbered from 1; 0 is the bye")


def _refuse_too_few(entrants: Sequence[Entrant], name: NameOf) -> NoReturn:
    if not entrants:
        raise TourneyError(
            "nobody is left to pair: every player has dropped or sits out", "let at least two players return"
        )
    raise TourneyError(
        f"{name(entrants[0].id)} is the only player left: a round needs two",
        "let one more player return or enter, or close the event",
    )


def _refuse_forced(entrants: Sequence[Entrant], options: Options, name: NameOf) -> None:
    if not options.forced:
        return
    known = {each.id for each in entrants}
    forbidden = {frozenset(pair) for pair in options.forbidden}
    seated: dict[PlayerId, Pair] = {}
    for pair in options.forced:
        text = _pair_text(pair, name)
        if pair[0] == pair[1]:
            raise TourneyError(f"{name(pair[0])} cannot be paired with themselves")
        for player in pair:
            if player not in known:
                raise TourneyError(
                    f"{text} must meet, but {name(player)} is not in this round", f"release the pair {text}"
                )
            if player in seated and set(seated[player]) != set(pair):
                other = _pair_text(seated[player], name)
                raise TourneyError(
                    f"{name(player)} must meet two players: {other} and {text}",
                    "release one of the two pairs",
                )
            if player in seated:
                raise TourneyError(f"{text} is set twice", "name the pair once")
        if frozenset(pair) in forbidden:
            raise TourneyError(f"{text} must meet and must not meet", f"release the pair {text}, or allow it")
        seated |= dict.fromkeys(pair, pair)


def _pair_text(pair: Pair, name: NameOf) -> str:
    return f"{name(pair[0])}–{name(pair[1])}"


def _refuse_forced_bye(entrants: Sequence[Entrant], options: Options, name: NameOf) -> None:
    player = options.forced_bye
    if player is None:
        _refuse_nobody_for_the_bye(entrants, options, name)
        return
    if player in options.no_bye:
        raise TourneyError(
            f"{name(player)} must have the bye and must not have it", "take back one of the two"
        )
    if player not in {each.id for each in entrants}:
        raise TourneyError(
            f"{name(player)} is to have the bye, but is not in this round", "give the bye to somebody else"
        )
    for pair in options.forced:
        if player in pair:
            raise TourneyError(
                f"{name(player)} is to have the bye and to meet somebody: {_pair_text(pair, name)}",
                "release the pair, or give the bye to somebody else",
            )
    if len(entrants) % 2 == 0:
        raise TourneyError(
            f"{name(player)} is to have the bye, but {len(entrants)} players are an even number: nobody is left over",
            f"let {name(player)} sit out (an awarded bye); then somebody else is the odd player",
        )


def _refuse_nobody_for_the_bye(entrants: Sequence[Entrant], options: Options, name: NameOf) -> None:
    if not options.no_bye:
        return
    taken = {player for pair in options.forced for player in pair}
    free = [each.id for each in entrants if each.id not in taken]
    if len(free) % 2 and options.no_bye.issuperset(free):
        raise TourneyError(
            f"{len(free)} players are left to pair, and none of them may have the bye",
            f"let one of them have it, for instance {name(free[0])}",
        )


def _refuse_equal_tables(entrants: Sequence[Entrant], name: NameOf) -> None:
    owner: dict[int, PlayerId] = {}
    for each in [each for each in entrants if each.fixed_table is not None]:
        assert each.fixed_table is not None
        if each.fixed_table < 1:
            raise TourneyError(
                f"{name(each.id)} has the fixed table {each.fixed_table}: tables are numbered from 1"
            )
        if each.fixed_table in owner:
            both = f"{name(owner[each.fixed_table])} and {name(each.id)}"
            raise TourneyError(
                f"{both} have the same fixed table {each.fixed_table}", "give one of them another table"
            )
        owner[each.fixed_table] = each.id


def _refuse_missing_order(entrants: Sequence[Entrant], options: Options, name: NameOf) -> None:
    if options.mode is Mode.RANK:
        missing = [each.id for each in entrants if each.rank is None]
        if missing:
            raise TourneyError(f"pairing by rank needs everybody's rank; {name(missing[0])} has none")
    if options.mode in {Mode.FOLD, Mode.SLIDE} and all(each.rating is None for each in entrants):
        raise TourneyError(
            f"pairing by rating ({options.mode.value}) needs ratings, and nobody has one",
            "enter ratings, or pair at random",
        )


# -- A field that the organizer's own pairs leave without a complete round: why, and the least that would make one possible


NAMED = 6


def refuse_impossible(field: Field, name: NameOf) -> NoReturn:
    """Raise the refusal of a field in which no complete round keeps everybody apart who must be."""
    lifted = pairs_to_allow(field)
    options = field.options
    named = ", ".join(_named_pair(one, other, name) for one, other in lifted[:NAMED])
    more = f" and {len(lifted) - NAMED} more" if len(lifted) > NAMED else ""
    if len(options.forbidden) == 1 and not options.no_bye:
        message = f"no complete round is left while {named} must not meet"
    else:
        wishes = f"{_all(len(options.forbidden), 'forbidden pair')} apart"
        wishes += f" and the bye from {_all(len(options.no_bye), 'player')}" if options.no_bye else ""
        message = f"no complete round keeps {wishes}: at least {len(lifted)} of them must be allowed"
    hint = f"allow {named}{more}"
    if field.forced and not pairs_to_allow(prepare(field.entrants.values(), replace(options, forced=()))):
        hint += "; or release " + ", ".join(f"{name(one)}–{name(other)}" for one, other in field.forced)
    raise TourneyError(message, hint)


def _all(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"all {number} {noun}s"


def _named_pair(one: PlayerId, other: PlayerId, name: NameOf) -> str:
    return f"the bye of {name(one)}" if other == NOBODY else f"{name(one)}–{name(other)}"


def refuse_rematches(field: Field, paired: Pairing, name: NameOf) -> NoReturn:
    """Raise the refusal of a field that has no round without a rematch, where the organizer wants none."""
    pairs = [(table.seats[0], table.seats[1]) for table in paired.tables]
    named = ", ".join(f"{name(one)}–{name(other)}" for one, other in pairs if field.times_met(one, other))
    count = paired.cost.rematches
    raise TourneyError(
        f"no round without a rematch is left for these {len(field.entrants)} players: "
        f"{count} {'is' if count == 1 else 'are'} needed at least",
        f"allow rematches ({named}), let another player enter, or end here",
    )


def pairs_to_allow(field: Field) -> list[Pair]:
    """Return a smallest set of forbidden pairs whose lifting makes a complete round possible; empty if one is.

    The bye of a player who must not have it is such a pair, too.

    Whoever is left over by a largest matching of the allowed pairs is kept apart from everybody else left over; a round
    with k forbidden tables has an allowed matching of all other tables, so k cannot be smaller than half of them.
    """
    set_aside = {NOBODY, field.options.forced_bye} if field.options.forced_bye is not None else set()
    players = [player for player in vertices(field) if player not in set_aside]
    tables = [table for table in candidates(field) if set_aside.isdisjoint(table)]
    matched = {player for pair in most(players, tables) for player in pair}
    left = [player for player in players if player not in matched]
    return list(zip(left[::2], left[1::2], strict=True))


# -- Which class of players has the bye: fewest earlier byes, then lowest points, among choices that keep level 1 at 0


def conflict_free_for_sure(field: Field) -> bool:
    """Whether size alone shows that a conflict-free round exists, whoever of the free players has the bye.

    Lemma 1: an even pool of m ≥ 2d + 2 players with at most d conflicts each has a conflict-free complete pairing.
    """
    return len(field.free) - field.odd >= 2 * field.most_barred + 2


def bye_class(field: Field) -> list[PlayerId] | None:
    """Return the best class that leaves a conflict-free round ([] in an even field), or None if no class does."""
    classes = field.bye_classes or [[]]
    if conflict_free_for_sure(field):
        return classes[0]
    if not deficiency(vertices(field), field.unmet_with_bye(frozenset(classes[0]))):
        return classes[0]
    rank = {player: number for number, each in enumerate(classes) for player in each}
    tables = [pair for pair in combinations(field.free, 2) if field.unmet(*pair)]
    prices = [0] * len(tables) + list(rank.values())
    tables += [(player, NOBODY) for player in rank]
    round_found = cheapest(vertices(field), tables, prices)
    if round_found is None:
        return None
    return next((classes[rank[one]] for one, other in round_found if other == NOBODY), [])
