"""parse∘print: the canonical form is the identity; every other form loses nothing that it does not tell."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.decks.strategies import decks
from tests.kit import examples
from tourney.decks import Decklist, Line, Reading, read, read_all, write
from tourney.decks.printing import BY_CODE, FORMS
from tourney.decks.reading.vocabulary import GENERAL
from tourney.errors import TourneyError

PATIENT = examples(25, of=100, suppress_health_check=[HealthCheck.too_slow])


def content(line):
    """Everything a line says, but its place in a file."""
    return (
        line.count, line.name, line.printing, line.code, line.zone, line.group, dict(line.facts), line.marks, line.comment,
    )  # fmt: skip


def contents(deck):
    return (
        deck.name, deck.player, deck.format, deck.about, [content(line) for line in deck.lines],
        [content(line) for line in deck.aside],
    )  # fmt: skip


@PATIENT
@given(decks)
def test_the_canonical_form_is_the_identity(deck):
    """Whatever a decklist says, TOML says it, in order, and reading it back says it again."""
    text, lost = write(deck, "toml")
    again = read(text, source="deck")
    assert contents(again) == contents(deck)
    assert again.findings == ()
    assert lost == ()
    assert write(again, "toml")[0] == text


@pytest.mark.parametrize("zone", ["Ideas", "Token", "Cuts"])
def test_a_zone_that_counts_is_kept_whatever_its_name_means_elsewhere(zone):
    """What a format plays from and other games call a maybeboard: TOML says that it counts, and that is believed."""
    made = Line(number=1, count=2, readings=(Reading(name="Ant"),), zone=zone)
    deck = Decklist(source="deck", grammar="made", lines=(made,))
    text, lost = write(deck, "toml")
    assert "counts = true" in text
    assert lost == ()
    assert contents(read(text, source="deck")) == contents(deck)


def cards(deck):
    """Each card with zone, printing and facts, added up."""
    added = {}
    for line in deck.lines:
        key = (line.name, line.printing, tuple(sorted(line.facts.items())))
        added[key] = added.get(key, 0) + line.count
    return added


@PATIENT
@given(decks)
def test_plain_text_is_the_identity_or_tells_its_losses(deck):
    """Read back, the plain text form gives the same deck; where a name would be misread, the report says so."""
    text, lost = write(deck, "text")
    if lost:
        return
    again = read(text, source="deck")
    assert cards(again) == cards(deck)
    assert (again.name, again.player, again.format) == (deck.name, deck.player, deck.format)
    assert write(again, "text") == (text, ())


@PATIENT
@given(decks, st.sampled_from(sorted(form for form in FORMS if form not in BY_CODE)))
def test_no_form_loses_a_card_in_silence(deck, form):
    """If the report tells of no card, every card is there with its copies; nothing written is ever a traceback."""
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
def test_plain_decks_lose_nothing_as_text(deck):
    """Decks whose names set no trap come through plain text whole, with zones, printings and facts."""
    plain = [
        line
        for line in deck.lines
        if line.name.isalpha() and line.name.istitle() and not GENERAL.is_header(line.name)
    ]
    if not plain:
        return
    from dataclasses import replace

    from msgspec import structs

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
def test_codes_lose_no_card_in_silence(form, deck):
    """A form of codes writes the cards that have one and names the others, or is refused."""
    try:
        text, lost = write(deck, form)
    except TourneyError:
        return
    written = sum(line.count for line in read(text, source="deck").lines)
    told = any("card" in sentence for sentence in lost)
    assert written == deck.cards or told
