"""What makes a round of pods impossible before anybody is seated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tourney.errors import TourneyError
from tourney.pairing.entrant import Entrant, NameOf
from tourney.pairing.manual import Sizes
from tourney.pairing.options import Options
from tourney.record import PlayerId


def refuse_contradictions(entrants: Sequence[Entrant], options: Options, sizes: Sizes, name: NameOf) -> None:
    """Raise TourneyError if the entrants and options contradict each other or themselves."""
    known = {each.id for each in entrants}
    twice = [player for player, count in Counter(each.id for each in entrants).items() if count > 1]
    if twice:
        raise TourneyError(f"{name(twice[0])} is entered twice for this round")
    if not entrants:
        raise TourneyError("nobody is left to seat: every player has dropped or sits out")
    _refuse_strangers(known, options, name)
    _refuse_fixed_tables(entrants, name)
    for group in _groups(options):
        _refuse_group(group, options, sizes, entrants, name)


def _refuse_strangers(known: set[PlayerId], options: Options, name: NameOf) -> None:
    for pair in options.forced:
        for player in pair:
            if player not in known:
                text = "–".join(map(name, pair))
                raise TourneyError(
                    f"{text} must sit together, but {name(player)} is not in this round",
                    f"release the pair {text}",
                )
        if pair[0] == pair[1]:
            raise TourneyError(f"{name(pair[0])} cannot be paired with themselves")
    due = options.forced_bye
    if due is None:
        return
    if due not in known:
        raise TourneyError(
            f"{name(due)} is to have the bye, but is not in this round", "give the bye to somebody else"
        )
    if any(due in pair for pair in options.forced):
        raise TourneyError(
            f"{name(due)} is to have the bye and to sit with somebody",
            "release the pair, or give the bye to another",
        )


def _refuse_fixed_tables(entrants: Sequence[Entrant], name: NameOf) -> None:
    owner: dict[int, PlayerId] = {}
    for each in entrants:
        if each.fixed_table is None:
            continue
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


def _groups(options: Options) -> list[set[PlayerId]]:
    """Return who must sit together, directly or through others."""
    groups: list[set[PlayerId]] = []
    for pair in options.forced:
        joined = set(pair)
        apart = []
        for group in groups:
            if group & joined:
                joined |= group
            else:
                apart.append(group)
        groups = [*apart, joined]
    return groups


def _refuse_group(
    group: set[PlayerId], options: Options, sizes: Sizes, entrants: Sequence[Entrant], name: NameOf
) -> None:
    names = ", ".join(map(name, sorted(group)))
    if len(group) > sizes.most:
        raise TourneyError(
            f"{names} must all sit together, but a table seats {sizes}", "release one of their pairs"
        )
    for one, other in sorted(options.forbidden):
        if {one, other} <= group:
            both = f"{name(one)}–{name(other)}"
            raise TourneyError(
                f"{both} must sit together and are kept apart", f"release the pair {both}, or allow it"
            )
    fixed = [each for each in entrants if each.id in group and each.fixed_table is not None]
    if len(fixed) > 1:
        raise TourneyError(
            f"{name(fixed[0].id)} and {name(fixed[1].id)} must sit together, but have fixed tables "
            f"{fixed[0].fixed_table} and {fixed[1].fixed_table}",
            "lift one of the two fixed tables for this round",
        )
