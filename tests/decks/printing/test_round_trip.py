"""Printing and parsing: the canonical form changes nothing, others report what they lose."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.decks.strategies import decks
from tests.kit import examples, with_rows
from tourney.decks import Decklist, Line, Reading, read, read_all, write
from tourney.decks.printing import BY_CODE, FORMS
from tourney.decks.reading.vocabulary import GENERAL
from tourney.errors import TourneyError

PATIENT = examples(25, of=100, suppress_health_check=[HealthCheck.too_slow])


def content(line):
    """Return all parts of a line except its number."""
    return (
        line.count, line.name, line.printing, line.code, line.zone, line.group, dict(line.facts), line.marks,
        line.comment,
    )  # fmt: skip


def contents(deck):
    return (
        deck.name, deck.player, deck.format, deck.about, [content(line) for line in deck.lines],
        [content(line) for line in deck.aside],
    )  # fmt: skip


@PATIENT
@given(decks)
def test_writing_and_reading_toml_changes_nothing(deck):
    text, lost = write(deck, "toml")
    again = read(text, source="deck")
    assert contents(again) == contents(deck)
    assert again.findings == ()
    assert lost == ()
    assert write(again, "toml")[0] == text


@with_rows("zone", ["Ideas", "Token", "Cuts"])
def test_toml_keeps_that_a_zone_counts(zone):
    """Even if other games use the zone's name for cards that do not count."""
    made = Line(number=1, count=2, readings=(Reading(name="Ant"),), zone=zone)
    deck = Decklist(source="deck", grammar="made", lines=(made,))
    text, lost = write(deck, "toml")
    assert "counts = true" in text
    assert lost == ()
    assert contents(read(text, source="deck")) == contents(deck)


def cards(deck):
    """Return the copies of each card by name, printing and facts."""
    added = {}
    for line in deck.lines:
        key = (line.name, line.printing, tuple(sorted(line.facts.items())))
        added[key] = added.get(key, 0) + line.count
    return added


@PATIENT
@given(decks)
def test_plain_text_keeps_everything_or_reports_losses(deck):
    """A name that would be misread is a reported loss."""
    text, lost = write(deck, "text")
    if lost:
        return
    again = read(text, source="deck")
    assert cards(again) == cards(deck)
    assert (again.name, again.player, again.format) == (deck.name, deck.player, deck.format)
    assert write(again, "text") == (text, ())


@PATIENT
@given(decks, st.sampled_from(sorted(form for form in FORMS if form not in BY_CODE)))
def test_no_form_silently_loses_a_card(deck, form):
    """Without a reported loss of cards, all copies are read back."""
    text, lost = write(deck, form)
    if any(sentence.split(":")[0].endswith(("card", "cards", "decks", "there", "back")) for sentence in lost):
        return
    again = read_all(text, source="deck")[0]
    added = {}
    for line in again.lines:
        added[line.name] = added.get(line.name, 0) + line.count
    for line in deck.lines:
        added[line.name] = added.get(line.name, 0) - line.count
    assert not any(added.values())


@PATIENT
@given(decks)
def test_simple_names_lose_nothing_as_text(deck):
    """With zones, printings and facts."""
    plain = [
        line
        for line in deck.lines
        if line.name.isalpha() and line.name.istitle() and not GENERAL.is_header(line.name)
    ]
    if not plain:
        return
    from msgspec import structs
    from msgspec.structs import replace

    made = replace(
        deck,
        name="Sky",
        player="Ann",
        aside=(),
        about=(),
        lines=tuple(
            structs.replace(line, comment="", marks=(), group=None, zone=None, zone_id=None) for line in plain
        ),
    )
    assert write(made, "text")[1] == ()


@pytest.mark.parametrize("form", ["ydk", "ydke"])
@settings(max_examples=25, deadline=None)
@given(deck=decks)
def test_forms_of_codes_silently_lose_no_card(form, deck):
    """Cards without a code are named in the report, or the form is refused."""
    try:
        text, lost = write(deck, form)
    except TourneyError:
        return
    written = sum(line.count for line in read(text, source="deck").lines)
    is_reported = any("card" in sentence for sentence in lost)
    assert written == deck.cards or is_reported
