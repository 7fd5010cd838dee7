"""The 43 sample files of other decklist formats.

Their contents were written down by hand before any reader was run: zones, cards, distinct names, title,
leader, the ends of names in their lines, and faults. Only facts and numbers are here; the names are read from
the golden folder.
"""

from dataclasses import dataclass, field

import pytest

from tests.kit import golden
from tourney.cards import fold
from tourney.decks import read_all
from tourney.decks.reading.vocabulary import vocabulary
from tourney.errors import TourneyError

WORDS = vocabulary(titles=("Red Diamond", "REDLINE"))


@dataclass(frozen=True)
class Holds:
    """The contents of a sample.

    zones: (cards, distinct names) by zone id (None: no header, or one without a zone); aside: (cards,
    distinct names) that do not count; leader: the line of the first leading card; names: the words
    directly before and after the name, by line; odd: the rules of the findings, in order
    """

    zones: dict
    aside: tuple = (0, 0)
    leader: int | None = None
    names: dict = field(default_factory=dict)
    title: str | None = None
    player: str | None = None
    format: str | None = None
    odd: tuple = ()


DECKS = {
    "archidekt.txt": [
        Holds({"leader": (1, 1), None: (11, 2)}, aside=(1, 1), leader=1,
              names={1: ("1x ", " (cm2"), 2: ("1x ", " (cmr"), 4: ("10x ", " (znr")}),
    ],
    "arena-headerless.mtga.txt": [
        Holds({None: (11, 8), "side": (4, 2)},
              names={1: ("2 ", " (WAR"), 5: ("1 ", " (GRN"), 8: ("1 ", " (PDOM"), 9: ("1 ", " (PDOM"),
                  13: ("1 ", " (GRN")}),
    ],
    "arena-sections.txt": [
        Holds({"main": (60, 14), "side": (1, 1)},
              title="Mono-Green (real export quoted in chilli-axe/mpc-autofill#173)",
              names={5: ("23 ", " (ONE"), 21: ("1 ", " (ONE")}),
    ],
    "arkhamdb.json": [
        Holds({"leader": (1, 1), None: (45, 30)}, title="Patrice Hathaway FFG Starter Deck", leader=8,
              names={12: ('"', '":'), 30: ('"', '":')}),
    ],
    "cockatrice.cod": [
        Holds({"main": (19, 4), "side": (3, 1)}, title="Deck Name",
              names={7: ('name="', '"/>'), 8: ('name="', '"/>'), 9: ('name="', '"/>'),
                  12: ('name="', '"/>')}),
    ],
    "deckbox.csv": [
        Holds({None: (5, 2)}, names={2: ("1,1,", ",Throne"), 3: ('"', '",Worldwake')}),
    ],
    "deckstats.txt": [
        Holds({"leader": (1, 1), "main": (6, 2), "side": (2, 2)}, aside=(1, 1), leader=2,
              names={2: ("1 ", " #!"), 3: ("] ", " # burn"), 4: ("2 ", " #some"), 7: ("SB: 1 ", None),
                  10: ("1 ", None)}),
    ],
    "digimon.json": [Holds({None: (7, 5)})],
    "fabrary.txt": [
        Holds({"leader": (1, 1), "arena": (1, 1), "main": (15, 4)}, leader=2,
              title="Mexico National Championship 2026 1st", format="Classic Constructed",
              names={2: ("Hero: ", None), 6: ("1x ", None), 9: ("2x ", None), 12: ("1x ", None)}),
    ],
    "forge.dck": [
        Holds({"leader": (1, 1), "main": (26, 3), "side": (2, 1)}, title="Example", leader=5,
              names={5: ("1 ", "|CM2"), 9: ("2 ", "|MH2"), 11: ("2 ", "|ICE")}),
    ],
    "hearthstone-deckstring.txt": [
        # The comment lines name 3 of the 30 cards: the deckstring is the deck, its numbers the names.
        Holds({"leader": (1, 1), None: (30, 18)}, format="Standard", leader=8,
              title="Hunter deck (python-hearthstone test vector, header lines as the client writes them)",
              odd=("section-count",)),
    ],
    "jinteki.txt": [Holds({None: (10, 4)}, names={1: ("1 ", None), 5: ("2 ", None)})],
    "lackey-plain.txt": [
        Holds({None: (77, 23), "crypt": (12, 9)}, names={1: ("1\t", None), 25: ("1\t", None)}),
    ],
    "lackey.dek": [
        # The names carry their set in brackets where the set's element says so, too; a verse in brackets is
        # the name.
        Holds({"main": (50, 50), "side": (6, 6)},
              names={6: ('">', " [K]"), 11: ('">', "</name>"), 15: ('">', "</name>"), 59: ('">', "</name>")}),
    ],
    "magic-workstation.mwDeck": [
        Holds({None: (60, 13), "side": (15, 6)}, title="WW Human", format="Standard",
              names={5: ("] ", None), 18: ("] ", None)}),
    ],
    "markdown-list.md": [
        Holds({"base": (3, 3), None: (1, 1)}, title='Red Diamond deck "Sky and Stone"',
              names={3: ("[", "]("), 4: ("1x ", None), 5: ("- ", None), 7: ("1. ", None)}),
    ],
    "moxfield.csv": [Holds({None: (1, 1)}, names={2: ('"1","1","', '","c21')})],
    "moxfield.txt": [
        Holds({None: (6, 3), "side": (1, 1)}, names={1: ("1 ", " (2X2"), 2: ("4 ", " (CMR"),
            3: ("1 ", " (CLB"), 6: ("1 ", " (M21")}),
    ],
    "mtggoldfish.txt": [
        Holds({None: (26, 3), "side": (2, 1)},
            names={1: ("4 ", " <149"), 2: ("2 ", " [GRN"), 3: ("20 ", " <275"), 5: ("2 ", " [ICE")}),
    ],
    "mtgjson-deck.json": [
        Holds({"leader": (1, 1), "main": (12, 12)}, title="Desert Bloom", leader=10,
              names={10: ('"name": "', '",'), 19: ('"name": "', '",')}),
    ],
    "mtgo.dek": [
        Holds({None: (5, 4), "side": (3, 2)},
              names={4: ('Name="', '" Ann'), 7: ('Name="', '" Ann'), 9: ('Name="', '" Ann')}),
    ],
    "mtgo.txt": [
        Holds({None: (7, 6), "side": (1, 1)}, names={3: ("1 ", None), 10: ("1 ", None)}),
    ],
    "mws-apprentice.dec": [
        Holds({None: (60, 16), "side": (15, 5)}, names={3: ("4 ", None), 28: ("2 ", None)},
              title="Mono-Blue Tinker from MTGSalvation.com via mtgtrice mtg-decks"),
    ],
    "netrunner-prebuilts.json": [
        Holds({None: (50, 21)}, title="2015 World Champion Corp Deck", names={4: ('"', '":')}),
        Holds({None: (51, 20)}, title="2015 World Champion Runner Deck"),
        Holds({None: (50, 24)}, title="2016 World Champion Corp Deck"),
        Holds({None: (46, 24)}, title="2016 World Champion Runner Deck"),
        Holds({None: (50, 24)}, title="2017 World Champion Corp Deck"),
        Holds({None: (46, 29)}, title="2017 World Champion Runner Deck"),
    ],
    "netrunnerdb.txt": [
        # ICE (14) stands over 5 cards, and "49 cards" over 12 with the identity: the sample was shortened.
        Holds({"leader": (1, 1), None: (11, 4)}, title="Ctrl Alt Defeat", leader=3,
              odd=("section-count", "section-count"),
              names={3: (None, " (Downfall"), 6: ("3x ", " (Kampala"), 7: ("3x ", " (System"),
                  10: ("2x ", " (System")}),
    ],
    "octgn.o8d": [Holds({"main": (1, 1), "side": (2, 1)}, names={3: ('">', "</"), 6: ('">', "</")})],
    "onepiece.txt": [
        Holds({"leader": (1, 1), None: (10, 3)}, leader=1,
            names={1: ("Leader: ", " ST01"), 3: ("4 ", " ST01"), 4: ("4x", None)}),
    ],
    "ptcgl.txt": [Holds({None: (60, 13)}, names={2: ("4 ", " DRI"), 9: ("4 ", " MEG"), 18: ("13 ", None)})],
    "ptcgl-quirks.txt": [
        Holds({None: (23, 6)}, odd=("section-count",) * 4,
              names={2: ("4 ", " SVI"), 3: ("1 ", " ASR"), 5: ("1 ", " PR-SV"), 11: ("8 ", " MEE"),
                  12: ("4 ", None)}),
    ],
    "red-diamond.txt": [
        Holds({None: (3, 3)}, title="Red Diamond - Ann",
            names={2: (None, None), 3: (None, None), 4: ("1 ", None)}),
    ],
    "redemption-tabs.txt": [
        Holds({None: (3, 2), "side": (1, 1)}, aside=(1, 1),
            names={1: ("1\t", " [K]"), 4: ("1\t", " [K]"), 6: ("1\t", None)}),
    ],
    "redline.txt": [
        # The header says 60, the lines add up to 36.
        Holds({"leader": (1, 1), "main": (36, 4), "missions": (3, 1)}, leader=3, odd=("section-count",),
              title="REDLINE arsenal, as a player would send it by mail",
              names={3: ("1 ", None), 6: ("24 ", None), 7: ("4x ", None), 12: ("3 ", None)}),
    ],
    "swudb.json": [Holds({"leader": (1, 1), "base": (1, 1), "main": (5, 2), "side": (1, 1)},
        title="Test Deck", leader=1)],
    "tappedout.txt": [
        Holds({"leader": (1, 1), None: (20, 3), "side": (5, 2)}, leader=4,
              names={1: ("4x ", " (M11"), 2: ("4x ", " (ZEN"), 4: ("1x ", " *CMDR"), 5: ("SB: 2x ", " (M11"),
                  6: ("SB: 3x ", None)}),
    ],
    "taw-precon-commander.txt": [
        Holds({"leader": (1, 1), None: (56, 56)}, title="Eternal Bargain", leader=4,
            names={4: ("COMMANDER: 1 ", None), 13: ("1 ", None)}),
    ],
    "thronesdb.txt": [
        # The faction and the agenda have no count; `===` parts two decks.
        Holds({"leader": (2, 2), None: (6, 3)}, leader=1,
            names={4: ("1x ", " (Core"), 5: ("2x ", " (Calm"), 6: ("#001 3 ", None)}),
        Holds({"leader": (1, 1), None: (3, 1)}, leader=8, names={9: ("3x", None)}),
    ],
    "tts-saved-object.json": [Holds({None: (3, 2)}, title="Example main deck")],
    "vtes-twd.txt": [
        Holds({"crypt": (12, 12), "main": (87, 29)}, title="The Storage Procurers", player="Rudolf Scholz",
              names={19: ("1x ", "         7"), 20: ("1x ", "  7"), 39: ("6x ", " -- "), 74: ("1x ", None)}),
    ],
    "xmage.dck": [Holds({None: (4, 4), "side": (4, 2)},
        names={1: ("] ", None), 2: ("] ", None), 5: ("] ", None)})],
    "xmage-worlds2004.dck": [Holds({None: (60, 17), "side": (11, 5)},
        names={1: ("] ", None), 33: ("] ", None)})],
    "yugioh.ydk": [Holds({"main": (40, 14), "extra": (15, 5)}, names={3: (None, None), 45: (None, None)})],
    "yugioh.ydke.txt": [Holds({"main": (40, 14), "extra": (3, 1), "side": (2, 1)})],
}  # fmt: skip

REFUSED = {"mtgo-draft-log.draft": "a draft log"}


def test_the_table_names_each_sample():
    """Each file of the folder is in the table, and there are 43."""
    samples = {path.name for path in golden("decklists").iterdir()} - {"README.md"}
    assert samples == DECKS.keys() | REFUSED.keys()
    assert len(samples) == 43


def counted(lines):
    return sum(line.count for line in lines), len({fold(line.name) for line in lines})


def zones(deck):
    by_zone = {}
    for line in deck.lines:
        by_zone.setdefault(line.zone_id, []).append(line)
    return {zone: counted(lines) for zone, lines in by_zone.items()}


def cut_out(text, before, after):
    """Return the name between the words before and after it in a line of the file."""
    start = text.index(before) + len(before) if before else 0
    return text[start : text.index(after, start) if after else len(text)].rstrip()


@pytest.mark.parametrize("name", sorted(DECKS))
def test_a_sample_is_read_as_a_person_reads_it(name):
    """Zones, cards, names, title, leader and faults agree with what a person finds."""
    data = golden("decklists", name).read_bytes()
    decks = read_all(data, source=name, vocabulary=WORDS)
    assert len(decks) == len(DECKS[name])
    for deck, holds in zip(decks, DECKS[name], strict=True):
        assert zones(deck) == holds.zones
        assert counted(deck.aside) == holds.aside
        assert (deck.name, deck.player, deck.format) == (holds.title, holds.player, holds.format)
        leads = (line.number for line in deck.lines if line.zone_id == "leader")
        assert next(leads, None) == holds.leader
        assert tuple(finding.rule for finding in deck.findings) == holds.odd


@pytest.mark.parametrize("name", sorted(DECKS))
def test_names_have_the_right_ends(name):
    """No mark of a printing stays in a name, and no part of a name is read as one."""
    data = golden("decklists", name).read_bytes()
    text = data.decode("utf-8", errors="replace").splitlines()
    decks = read_all(data, source=name, vocabulary=WORDS)
    by_number = {line.number: line for deck in decks for line in (*deck.lines, *deck.aside)}
    expected = {
        number: cut_out(text[number - 1], *around)
        for holds in DECKS[name]
        for number, around in holds.names.items()
    }
    assert {number: by_number[number].name for number in expected} == expected


@pytest.mark.parametrize(("name", "why"), sorted(REFUSED.items()))
def test_a_file_that_is_not_a_decklist_is_refused_with_its_line(name, why):
    """A draft log lists cards that were seen, not those that were registered."""
    with pytest.raises(TourneyError, match=rf"{name}: line 1: .*{why}"):
        read_all(golden("decklists", name).read_bytes(), source=name, vocabulary=WORDS)
