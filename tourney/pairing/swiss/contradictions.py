"""What makes a round impossible before anything is matched: refused with the reason and the least that would mend it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NoReturn

from tourney.errors import TourneyError
from tourney.pairing.entrant import NOBODY, Entrant, NameOf
from tourney.pairing.options import Mode, Options, Pair
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
