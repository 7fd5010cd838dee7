"""What an answer depends on, and keeping it as long as that does not change: for a card, or for a deck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tourney.rules.expressions.nodes import Call, Dotted, Name, Node, walk
from tourney.rules.expressions.parsing import parse
from tourney.rules.expressions.values import Value

if TYPE_CHECKING:
    from tourney.rules.expressions.binding import Asked
    from tourney.rules.slots import View

_OF_THE_CARD = frozenset({"min", "max", "len", "subset", "printed"})
_OF_THE_DECK = frozenset({"min", "max", "len", "subset", "size", "has"})


def is_of_the_card(node: Node, define: Mapping[str, str]) -> bool:
    """Say whether the answer depends on nothing but the card, so that it holds in the next deck, too."""
    for part in walk(node):
        if isinstance(part, Dotted) or (isinstance(part, Call) and part.function not in _OF_THE_CARD):
            return False
        if isinstance(part, Name) and part.name in {"zone", "qty"}:
            return False
        if (
            isinstance(part, Name)
            and part.name in define
            and not is_of_the_card(parse(define[part.name]), define)
        ):
            return False
    return True


def is_of_the_deck(node: Node, define: Mapping[str, str]) -> bool:
    """Say whether the answer is the same for every card of a deck: literals, the leader, settings, sizes."""
    for part in walk(node):
        if isinstance(part, Dotted) and part.base == "this":
            return False
        if isinstance(part, Call) and part.function not in _OF_THE_DECK:
            return False
        if isinstance(part, Name) and not (
            part.name in define and is_of_the_deck(parse(define[part.name]), define)
        ):
            return False
    return True


def looks_outside(node: Node, define: Mapping[str, str]) -> bool:
    """Say whether a count depends on the card outside it, by `this`; else one answer serves the whole deck."""
    for part in walk(node):
        if isinstance(part, Dotted) and part.base == "this":
            return True
        if isinstance(part, Name) and part.name in define and looks_outside(parse(define[part.name]), define):
            return True
    return False


def remembered(asked: Asked) -> Asked:
    """Keep what is known of each pool card; where something was missing it is asked again, so that it is recorded."""
    known: dict[str, Value] = {}

    def again(view: View) -> Value:
        key = view.slot.known
        if key is None:
            return asked(view)
        value = known.get(key)
        if value is None:
            missing = view.deck.missing
            before = len(missing)
            value = asked(view)
            if len(missing) == before:
                known[key] = value
        return value

    return again


def kept(asked: Asked) -> Asked:
    """Answer from the deck's memory after the first time; what was missing then is missing again."""
    ticket = object()  # not the function's id(): that may be given again once the function is gone

    def again(view: View) -> Value:
        deck = view.deck
        known = deck.kept.get(ticket)
        if known is None:
            before = len(deck.missing)
            value = asked(view)
            known = deck.kept[ticket] = (value, tuple(deck.missing[before:]))
        elif known[1]:
            deck.missing.extend(known[1])
        return known[0]

    return again
