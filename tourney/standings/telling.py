"""An explanation in sentences, for the terminal and for a player's page."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tourney.record import Outcome, PlayerId
from tourney.standings.explaining import Explained, Explanation, Line, Neighbour
from tourney.standings.printing import exact_text, record_text, text_of
from tourney.standings.profile import Profile
from tourney.standings.swapping import Swap
from tourney.standings.tiebreaks import find

NameOf = Callable[[PlayerId], str]

MOST_SWAPS = 3
"""Results told for each neighbour; `--json` has them all."""


def told(explanation: Explanation, name_of: NameOf) -> tuple[str, ...]:
    """Tell why a player stands where they stand, a line each; what belongs under a line is indented by two."""
    row, profile = explanation.row, explanation.profile
    place = "disqualified, without a place" if row.rank is None else f"place {row.rank}"
    dated = f", edition of {profile.edition}" if profile.edition else ""
    return (
        f"{name_of(row.player)}: {place}, {record_text(row)}, under {profile.name}{dated}",
        *[line for each in explanation.tiebreaks for line in _tiebreak(each, profile, name_of)],
        *_neighbour(explanation.above, "above", explanation, name_of),
        *_neighbour(explanation.below, "below", explanation, name_of),
    )


def _tiebreak(each: Explained, profile: Profile, name_of: NameOf) -> Iterator[str]:
    shown, exact = text_of(each.value, each.unit, profile), exact_text(each.value)
    unit = " %" if each.unit == "percent" and each.value is not None else ""
    equal = "" if shown == exact or each.unit in ("points", "lot", "place") else f" = {exact}"
    note = f" ({each.note})" if each.note else ""
    how = f", {each.how} of" if each.lines and each.how in ("mean", "sum") else ""
    yield f"{each.code}, {each.name}: {shown}{unit}{equal}{note}{how}"
    if each.among:
        yield f"  level: {', '.join(map(name_of, each.among))}"
    for line in each.lines:
        yield f"  round {line.round}: {_line(line, name_of)}"


def _line(line: Line, name_of: NameOf) -> str:
    names = ", ".join(map(name_of, line.opponents))
    what = names if line.theirs else f"{_OUTCOMES[line.outcome]} {names}" if names else _ALONE[line.outcome]
    value = "not counted" if line.value is None else str(line.value)
    if line.value is None and line.raw is not None:
        return f"{what}: {line.raw}, {line.note}"
    note = "" if line.note in ("", what, value, _ALONE.get(line.outcome)) else f", {line.note}"
    return f"{what}: {value}{note}"


_OUTCOMES = {
    Outcome.WIN: "beat",
    Outcome.DRAW: "drew with",
    Outcome.LOSS: "lost to",
    Outcome.FORFEIT_WIN: "won without play against",
    Outcome.FORFEIT_LOSS: "did not show against",
    Outcome.DOUBLE_LOSS: "double loss with",
}
_ALONE = {
    Outcome.WIN: "won",
    Outcome.DRAW: "drew",
    Outcome.LOSS: "lost",
    Outcome.BYE: "bye",
    Outcome.AWARDED_BYE: "awarded bye",
    Outcome.HALF_BYE: "half-point bye",
    Outcome.FORFEIT_WIN: "the opponent did not show",
    Outcome.FORFEIT_LOSS: "did not show",
    Outcome.DOUBLE_LOSS: "double loss",
    Outcome.ABSENT: "absent",
}


def _neighbour(
    other: Neighbour | None, where: str, explanation: Explanation, name_of: NameOf
) -> Iterator[str]:
    if other is None:
        return
    them = f"{where}: {name_of(other.row.player)}"
    if other.code is None:
        yield f"{them}, level in everything: they share place {other.row.rank}"
        return
    rule, profile = find(other.code), explanation.profile
    own, theirs = (text_of(value, rule.unit, profile) for value in (other.own, other.theirs))
    if own == theirs:
        own, theirs = exact_text(other.own), exact_text(other.theirs)
    yield f"{them} (place {other.row.rank}): {rule.name} {theirs} against {own}"
    for swap in other.swaps[:MOST_SWAPS]:
        yield f"  they would stand the other way round had {_swap(swap, name_of)}"
    left = len(other.swaps) - MOST_SWAPS
    if left > 0:
        yield f"  and {left} more {'result' if left == 1 else 'results'} would have done the same"
    if not other.swaps:
        tried = "no other single result" if other.searched_all else "none of the nearest results alone"
        yield f"  {tried} would have swapped them"


def _swap(swap: Swap, name_of: NameOf) -> str:
    seats = swap.instead.seats
    scored = all(seat.score is not None for seat in seats)
    numbers = [str(seat.score if scored else seat.games) for seat in seats]
    if not scored and swap.instead.drawn_games:
        numbers.append(str(swap.instead.drawn_games))
    score = f" {'–'.join(numbers)}" if len(seats) == 2 and any(n != "0" for n in numbers) else ""
    winners = [seat for seat in seats if seat.outcome is Outcome.WIN]
    names = [name_of(seat.player) for seat in seats]
    if not winners:
        return f"{' and '.join(names)} drawn{score} in round {swap.round}"
    others = ", ".join(name_of(seat.player) for seat in seats if seat.outcome is not Outcome.WIN)
    score = (
        f" {'–'.join(numbers if seats[0] is winners[0] else [*numbers[1::-1], *numbers[2:]])}"
        if score
        else ""
    )
    return f"{name_of(winners[0].player)} beaten {others}{score} in round {swap.round}"
