"""Which zone a card is in: what headers, sorting words and separators say. All card names are invented."""

import pytest

from tests.decks.kit import cards, deck, rules
from tourney.decks.reading.lines import vocabulary

CLANS = vocabulary({"provinces": [], "dynasty": [], "conflict": []}, default="conflict")
OATH = vocabulary({"commander": ["Oathbreaker"], "deck": []}, default="deck")
EGGS = vocabulary({"egg": ["Digi-Egg Deck"], "deck": [], "side": ["Sideboard"]}, default="deck")


def zones(made):
    """`4 Kite` in the zone with the id `deck` → ["4 Kite deck"]."""
    return [f"{line.count} {line.name} {line.zone_id}" for line in made.lines]


# -- words of one family


@pytest.mark.parametrize(
    ("header", "words", "zone"),
    [
        ("Dynasty Deck:", CLANS, "dynasty"),
        ("Conflict Deck:", CLANS, "conflict"),
        ("Province", CLANS, "provinces"),
        ("Fate Deck:", CLANS, None),
        ("Plot deck", CLANS, None),
        ("Commanders", OATH, "commander"),
        ("Leader:", OATH, "commander"),
        ("Signature Spell", OATH, None),
        ("Champion:", OATH, None),
        ("Stickers", vocabulary({"attractions": [], "deck": []}, default="deck"), None),
        ("Inventory", vocabulary({"arena": [], "deck": []}, default="deck"), None),
        ("Sites", vocabulary({"missions": [], "deck": []}, default="deck"), None),
        ("Legend", vocabulary({"legend": [], "champion": [], "deck": []}, default="deck"), "legend"),
        ("Leader", vocabulary({"legend": [], "champion": [], "deck": []}, default="deck"), None),
        ("Leader", vocabulary({"legend": [], "deck": []}, default="deck"), "legend"),
    ],
)
def test_header_of_another_part(header, words, zone):
    """A header of a part that this format lacks is never put into a similar part."""
    assert zones(deck(f"{header}\n2 Kite\n1 Bell\n", words)) == [f"2 Kite {zone}", f"1 Bell {zone}"]


# -- words that sort


@pytest.mark.parametrize(
    "word", ["Digimon", "Character", "## Units", "**Kreaturen**", "[Spells]", "// Items", "Ally:"]
)
def test_sorting_word_below_a_sideboard_header(word):
    """The cards below a sorting word stay in the zone above it."""
    made = deck(f"Deck\n{word}\n4 Kite\n\nSideboard\n{word}\n3 Bell\nEvents\n2 Drum\n")
    assert cards(made.lines) == ["4 Kite | Deck", "3 Bell | Sideboard", "2 Drum | Sideboard"]


@pytest.mark.parametrize("header", ["Digi-Egg Deck", "Digi-Egg", "# Egg deck", "Digi-Egg Deck (4)"])
def test_sorting_word_below_a_zone_of_one_type(header):
    """Eggs are never sorted, so a sorting word below them begins a group of the main deck."""
    made = deck(f"{header}\n4 Kite\nDigimon\n4 Bell\nTamer\n2 Drum\n", EGGS)
    assert zones(made) == ["4 Kite egg", "4 Bell None", "2 Drum None"]


def test_leader_below_its_own_sorting_word():
    """A sorting word directly below the header of the leader sorts it; the next one is in the deck."""
    made = deck("Commander\nCreature (1)\n1 Kite\nCreature (4)\n4 Bell\n", OATH)
    assert zones(made) == ["1 Kite commander", "4 Bell None"]


def test_zone_that_is_full_ends():
    """A zone ends at a sorting word if it holds as many cards as its header says."""
    made = deck("Sideboard (3)\n3 Kite\nCreatures (4)\n4 Bell\n")
    assert cards(made.lines) == ["3 Kite | Sideboard", "4 Bell"]


@pytest.mark.parametrize("word", ["Creatures", "Wizards:"])
def test_sorting_word_that_could_begin_the_main_deck(word):
    """A sorting word below a sideboard that stands above all other cards is asked about."""
    assert rules(deck(f"Sideboard\n3 Kite\n{word}\n4 Bell\n")) == [("line", 3)]
    assert rules(deck(f"Sideboard\n3 Kite\n{word}\n4 Bell\nDeck\n2 Drum\n")) == []
    assert rules(deck(f"2 Drum\nSideboard\n3 Kite\n{word}\n4 Bell\n")) == []
