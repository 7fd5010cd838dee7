"""`deck convert` lists its forms without importing the printers, so both lists must agree."""

from tourney.cli.deck_reading import FORMS
from tourney.decks import printing


def test_every_form_is_offered():
    """In the same order."""
    assert list(FORMS) == list(printing.FORMS)
