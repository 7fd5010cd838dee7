"""What a form of decklists declares about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tourney.decks.decklist import Decklist
from tourney.decks.reading.text import ListText


@dataclass(frozen=True, slots=True)
class ListForm:
    """A form of decklists: the `FORM` of a module whose name ends in `_form`.

    name:     the name of the form in messages
    order:    its place among the forms, which are tried in this order: 10 for XML to 100 for plain text
    read:     returns the decks of a text; quickly no decks for a text of another form. Raises TourneyError
              for a text that must be refused
    searched: whether the reader searches a structure of any shape for cards, so that it is an error to find
              none
    """

    name: str
    order: int
    read: Callable[[ListText], list[Decklist]]
    searched: bool = False
