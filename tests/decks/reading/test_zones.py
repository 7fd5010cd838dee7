"""Which zone a card is in, from headers, sorting words and separators.

All names are invented.
"""

from tests.decks.kit import cards, deck, rules
from tests.kit import with_rows
from tourney.decks.reading.vocabulary import vocabulary

CLANS = vocabulary({"provinces": [], "dynasty": [], "conflict": []}, default="conflict")
OATH = vocabulary({"commander": ["Oathbreaker"], "deck": []}, default="deck")
EGGS = vocabulary({"egg": ["Digi-Egg Deck"], "deck": [], "side": ["Sideboard"]}, default="deck")


def zones(made):
    """Return each line with the id of its zone: `4 Kite deck`."""
    return [f"{line.count} {line.name} {line.zone_id}" for line in made.lines]


# -- words of one family


@with_rows(
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


@with_rows("word", ["Digimon", "Character", "## Units", "**Kreaturen**", "[Spells]", "// Items", "Ally:"])
def test_sorting_word_below_a_sideboard_header(word):
    """The cards below a sorting word stay in the zone above it."""
    made = deck(f"Deck\n{word}\n4 Kite\n\nSideboard\n{word}\n3 Bell\nEvents\n2 Drum\n")
    assert cards(made.lines) == ["4 Kite | Deck", "3 Bell | Sideboard", "2 Drum | Sideboard"]


@with_rows("header", ["Digi-Egg Deck", "Digi-Egg", "# Egg deck", "Digi-Egg Deck (4)"])
def test_sorting_word_below_a_zone_of_one_type(header):
    """Eggs are never sorted, so a sorting word below them begins a group of the main deck."""
    made = deck(f"{header}\n4 Kite\nDigimon\n4 Bell\nTamer\n2 Drum\n", EGGS)
    assert zones(made) == ["4 Kite egg", "4 Bell None", "2 Drum None"]


def test_leader_below_its_own_sorting_word():
    """A sorting word directly below the leader's header sorts the leader; the next one does not."""
    made = deck("Commander\nCreature (1)\n1 Kite\nCreature (4)\n4 Bell\n", OATH)
    assert zones(made) == ["1 Kite commander", "4 Bell None"]


def test_zone_that_is_full_ends():
    """A zone ends at a sorting word if it holds as many cards as its header says."""
    made = deck("Sideboard (3)\n3 Kite\nCreatures (4)\n4 Bell\n")
    assert cards(made.lines) == ["3 Kite | Sideboard", "4 Bell"]


@with_rows("word", ["Creatures", "Wizards:"])
def test_sorting_word_that_could_begin_the_main_deck(word):
    """A sorting word below a sideboard above all other cards is asked about."""
    question = ("line", 3)
    assert question in rules(deck(f"Sideboard\n3 Kite\n{word}\n4 Bell\n"))
    assert question not in rules(deck(f"Sideboard\n3 Kite\n{word}\n4 Bell\nDeck\n2 Drum\n"))
    assert question not in rules(deck(f"2 Drum\nSideboard\n3 Kite\n{word}\n4 Bell\n"))


# -- separators


@with_rows("sign", ["---", "--", "- - -", "***", "_____", "—", "....", "~~~~", "\n---\n"])
def test_only_separator_begins_the_sideboard(sign):
    """The cards below it are the sideboard, as below an only blank line. `deck check` says so."""
    made = deck(f"4 Kite\n2 Drum\n{sign}\n3 Bell\n")
    assert cards(made.lines) == ["4 Kite", "2 Drum", "3 Bell | Sideboard"]
    assert [note.line for note in made.notes if note.weighty] == [made.lines[-1].number]


def test_several_separators():
    """Several separators, or many cards below the only one, are asked about."""
    assert rules(deck("4 Kite\n---\n2 Drum\n---\n3 Bell\n")) == [("line", 3)]
    assert rules(deck("4 Kite\n3 Goat\n---\n20 Drum\n")) == [("line", 4)]


@with_rows(
    "text",
    [
        "---\n4 Kite\n2 Drum\n---\n",
        "My deck\n-----\n4 Kite\n2 Drum\n",
        "Creatures\n4 Kite\n---\nSpells\n2 Drum\n",
    ],
)
def test_separators_without_effect(text):
    """A separator above or below all cards, or above a header, is an ornament."""
    made = deck(text)
    assert [(line.name, line.zone) for line in made.lines] == [("Kite", None), ("Drum", None)]
    assert rules(made) == []


# -- other languages


@with_rows(
    ("trainer", "energy", "total"),
    [
        ("Trainer: 4", "Energie: 20", "Gesamtzahl Karten: 31"),
        ("Trainerkarten: 4", "Energie: 20", "Karten insgesamt: 31"),
        ("Dresseur : 4", "Énergie : 20", "Nombre total de cartes : 31"),
        ("Entrenador: 4", "Energía: 20", "Total de cartas: 31"),
        ("Entrenador: 4", "Energía: 20", "Cartas totales: 31"),
        ("Allenatore: 4", "Energia: 20", "Carte totali: 31"),
        ("Treinador: 4", "Energia: 20", "Zusammen also: 31"),
        ("##Trainerkarten - 4", "##Energie - 20", "Gesamtzahl der Karten - 31"),
    ],
)
def test_exports_in_other_languages(trainer, energy, total):
    """The headers and the total of a client's export in five languages are not cards."""
    made = deck(
        f"Pokémon: 7\n4 Kite ABC 91\n3 Bell ABC 92\n\n{trainer}\n4 Drum ABC 185\n\n{energy}\n20 Goat ABC 7\n\n{total}\n"
    )
    assert (made.grammar, cards(made.lines)) == ("ptcgl", ["4 Kite", "3 Bell", "4 Drum", "20 Goat"])
    assert made.findings == ()
