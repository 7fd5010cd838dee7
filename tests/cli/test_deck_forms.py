"""`deck convert` names its forms without importing the printers; the two must agree."""

from tourney.cli.deck.reading import FORMS
from tourney.decks import printing


def test_every_form_that_can_be_written_is_offered():
    """The same forms, in the same order."""
    assert list(FORMS) == list(printing.FORMS)
