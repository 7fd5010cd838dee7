"""Short ways to read a deck in a test. All card names here and in tests/decks are invented."""

from tourney.decks import check, read, resolve
from tourney.decks.reading.vocabulary import GENERAL


def deck(text, vocabulary=GENERAL):
    """Read a text as a file named `deck`."""
    return read(text, source="deck", vocabulary=vocabulary)


def cards(lines):
    """Return the lines as text: `4 Kite`, or `2 Bell | Sideboard` if the line has a zone."""
    return [f"{line.count} {line.name}" + (f" | {line.zone}" if line.zone else "") for line in lines]


def rules(deck):
    """Return each finding as (rule, line or None)."""
    return [(finding.rule, finding.lines[0] if finding.lines else None) for finding in deck.findings]


def misread(text, wanted, ruleset):
    """Return the lines whose cards differ from `wanted` although no finding names the line.

    wanted: for each line, the copies by card name, as a person reads the list
    """
    decklist = read(text, source="deck", format_=ruleset.format)
    lines = {line for finding in check(decklist, ruleset).findings for line in finding.lines}
    got = {}
    for card in resolve(decklist, ruleset).named_cards:
        copies = card.line.count if card.reading.count is None else card.reading.count
        name = card.match.card.name if card.match else card.reading.name
        of_line = got.setdefault(card.line.number, {})
        of_line[name] = of_line.get(name, 0) + copies
    numbers = (wanted.keys() | got.keys()) - lines
    return {number: got.get(number) for number in numbers if got.get(number) != wanted.get(number)}
