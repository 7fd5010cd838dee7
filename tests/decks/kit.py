"""Short ways to read a deck in a test. All card names here and in the tests beside are invented."""

from tourney.decks.reading import read
from tourney.decks.reading.lines import GENERAL


def deck(text, vocabulary=GENERAL):
    """Read a text as a file named `deck`."""
    return read(text, source="deck", vocabulary=vocabulary)


def cards(lines):
    """`4 Kite` → ["4 Kite"], with the zone behind a bar where there is one: `2 Bell | Sideboard`."""
    return [f"{line.count} {line.name}" + (f" | {line.zone}" if line.zone else "") for line in lines]


def rules(deck):
    """Each finding as (rule, line or None)."""
    return [(finding.rule, finding.lines[0] if finding.lines else None) for finding in deck.findings]
