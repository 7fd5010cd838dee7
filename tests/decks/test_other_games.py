"""Construction rules of other games, written in the rule language. All cards are invented."""

from datetime import date
from functools import cache

from tests.kit import ROOT, with_rows
from tests.rules.kit import DAY, errors, handles, pool_of, verdict
from tourney.rules import Ruleset, parse_banlist, parse_format

FOLDER = ROOT / "tests" / "decks" / "other_games"
NAMES = {f"{tomlfile.stem}": tomlfile for tomlfile in FOLDER.glob("*.toml")}


def parse(name):
    elders = {"galaxy/premier": "galaxy"}
    return parse_format(
        NAMES[name].read_text(encoding="utf-8"),
        source=f"{name}.toml",
        parent=lambda elder: parse(elders[elder]),
    )


def ruleset(name, cards, *, banlist=None, **pool):
    listed = parse_banlist(banlist, source="list.toml", day=DAY, name=name) if banlist else None
    return Ruleset(parse(name), listed, pool_of(cards, **pool), DAY)


def many(prefix, number, **facts):
    return {f"{prefix} {count}": facts for count in range(1, number + 1)}


def lines(prefix, number, copies=1, start=1):
    return [f"{copies} {prefix} {count}" for count in range(start, start + number)]


def deck(*parts):
    return "\n".join(line for part in parts for line in ([part] if isinstance(part, str) else part))


# -- commander

LAND = {"supertypes": ["basic"], "types": ["land"], "identity": []}
COMMANDER = {
    "Ruler Blue": {
        "supertypes": ["legendary"],
        "types": ["creature"],
        "identity": ["W", "U"],
        "partner": None,
    },
    "Twin Left": {
        "supertypes": ["legendary"],
        "types": ["creature"],
        "identity": ["R"],
        "partner": "Twin Right",
    },
    "Twin Right": {
        "supertypes": ["legendary"],
        "types": ["creature"],
        "identity": ["G"],
        "partner": "Twin Left",
    },
    "Loner One": {"supertypes": ["legendary"], "types": ["creature"], "identity": ["B"], "partner": "any"},
    "Loner Two": {"supertypes": ["legendary"], "types": ["creature"], "identity": ["W"], "partner": "any"},
    "Rat Crowd": {"types": ["creature"], "identity": ["W"], "any_number": True, "cost": 2},
    "Seven Smiths": {"types": ["creature"], "identity": ["W"], "copies": 7, "cost": 3},
    "Small Friend": {"supertypes": ["legendary"], "types": ["creature"], "identity": ["W"], "cost": 3},
    "Red Bolt": {"types": ["instant"], "identity": ["R"]},
    "Plain Island": LAND,
    **many("Stone", 99, types=["artifact"], identity=[], cost=1),
}


@cache
def commander():
    types = {
        "supertypes": "list",
        "types": "list",
        "identity": "list",
        "any_number": "flag",
        "copies": "number",
        "partner": "text",
    }
    return ruleset("commander", COMMANDER, attributes=types)


@with_rows(
    ("text", "broken"),
    [
        (deck("Commander", "1 Ruler Blue", "Deck", "39 Plain Island", lines("Stone", 60)), []),
        (deck("Commander", "1 Ruler Blue", "Deck", "39 Plain Island", lines("Stone", 59), "1 Red Bolt"),
         ["identity"]),
        (deck("Commander", "1 Ruler Blue", "Deck", "38 Plain Island", lines("Stone", 59), "2 Stone 60"),
         ["singleton"]),
        (deck("Commander", "1 Ruler Blue", "Deck", "39 Plain Island", "60 Rat Crowd"), []),
        (deck("Commander", "1 Ruler Blue", "Deck", "32 Plain Island", lines("Stone", 60), "7 Seven Smiths"),
         []),
        (deck("Commander", "1 Ruler Blue", "Deck", "31 Plain Island", lines("Stone", 60), "8 Seven Smiths"),
         ["singleton"]),
        (deck("Commander", "1 Twin Left", "1 Twin Right", "Deck", "38 Plain Island", lines("Stone", 59),
              "1 Red Bolt"), []),
        (deck("Commander", "1 Twin Left", "1 Twin Right", "Deck", "39 Plain Island", lines("Stone", 60)),
         ["size"]),
        (deck("Commander", "1 Loner One", "1 Loner Two", "Deck", "38 Plain Island", lines("Stone", 60)), []),
        (deck("Commander", "1 Loner One", "1 Twin Right", "Deck", "38 Plain Island", lines("Stone", 60)),
         ["partners"]),
        (deck("Commander", "1 Red Bolt", "Deck", "39 Plain Island", lines("Stone", 60)), ["wrong-zone"]),
        (deck("Deck", "40 Plain Island", lines("Stone", 60)), ["size"]),
        (deck("Commander", "1 Ruler Blue", "Companion", "1 Small Friend", "Deck", "39 Plain Island",
              lines("Stone", 60)), []),
        (
            deck("Commander", "1 Ruler Blue", "Companion", "1 Small Friend", "Deck", "38 Plain Island",
                 lines("Stone", 60), "1 Seven Smiths"),
            ["small-friend"],
        ),
    ],
)  # fmt: skip
def test_commander(text, broken):
    """Deck size by commanders, identity, exceptions to singleton, partners, a companion."""
    assert handles(verdict(commander(), text)) == broken


def test_without_a_commander_colours_are_not_judged():
    """The one finding is the missing commander; a note names the rule that is not judged."""
    result = verdict(commander(), deck("Deck", "39 Plain Island", lines("Stone", 60), "1 Red Bolt"))
    assert errors(result) == ["size: no cards, at least 1 is needed"]
    assert "rules not judged because there is no commander: identity" in result.notes


# -- constructed, restricted, points, printings

PRINTED = {"printings": [{"set": "one", "rarity": "common"}, {"set": "old", "rarity": "rare"}]}
CONSTRUCTED = {
    "Forest": {"supertypes": ["basic"], "types": ["land"], **PRINTED},
    "Great Otter": {"types": ["creature"], "printings": [{"set": "two", "rarity": "rare"}]},
    "Bygone Relic": {"types": ["artifact"], "printings": [{"set": "old", "rarity": "common"}]},
    **{f"Spell {number}": {"types": ["instant"], **PRINTED} for number in range(1, 40)},
}
LIST = """
[cards]
"Spell 1" = 0
"Spell 2" = 1
[points]
total = 3
"Spell 5" = 2
"Spell 6" = 1
[[group]]
name  = "the pair"
cards = ["Spell 10", "Spell 11"]
[[where]]
where  = "zone == 'side' and 'land' in types"
reason = "no lands in the side deck"
"""


@cache
def constructed():
    types = {"supertypes": "list", "types": "list", "any_number": "flag"}
    return ruleset("constructed", CONSTRUCTED, attributes=types, banlist=LIST)


@with_rows(
    ("text", "broken"),
    [
        (deck("20 Forest", lines("Spell", 10, 4, start=20)), []),
        (deck("20 Forest", lines("Spell", 10, 4, start=20), "Sideboard", "1 Spell 20"),
         ["copies: 5 copies, at most 4"]),
        (deck("20 Forest", lines("Spell", 10, 4, start=20), "Sideboard", lines("Spell", 4, 4, start=30)),
         ["size: 16 cards, at most 15"]),
        (deck("20 Forest", lines("Spell", 10, 4, start=20), "Sideboard", "1 Great Otter"),
         ["size: 60 cards, at least 80 are needed, because of Great Otter (line 13)"]),
        (deck("40 Forest", lines("Spell", 10, 4, start=20), "Sideboard", "1 Great Otter"), []),
        (deck("59 Forest", "1 Bygone Relic"), ["rotation: not in a set that is legal"]),
        (deck("59 Forest", "1 Spell 1"), ["banned: banned (list of 2026-11-20)"]),
        (deck("59 Forest", "1 Spell 2"), []),
        (deck("58 Forest", "1 Spell 2", "Sideboard", "1 Spell 2"),
         ["restricted: 2 copies, at most 1 (list of 2026-11-20)", "size: 59 cards, at least 60 are needed"]),
        (deck("60 Forest", "1 Spell 5", "1 Spell 6"), []),
        (deck("60 Forest", "1 Spell 5", "2 Spell 6"), ["points: 4 points, at most 3 (list of 2026-11-20)"]),
        (deck("60 Forest", "1 Spell 10", "1 Spell 11"),
         ["group: 2 different cards of `the pair`, at most 1"]),
        (deck("60 Forest", "4 Spell 10"), []),
        (deck("60 Forest", "Sideboard", "1 Forest"), ["banned: no lands in the side deck"]),
    ],
)  # fmt: skip
def test_sixty_cards_and_a_side_deck(text, broken):
    """Four copies over both decks, sets by printing, and every part of a ban list."""
    assert errors(verdict(constructed(), text)) == broken


# -- main, extra and side

DUEL = {
    **many("Ritual", 30, kind="effect"),
    **many("Fusion", 20, kind="fusion"),
    "Harpy": {"kind": "effect"},
    "Harpy Sisters": {"kind": "effect", "counts_as": "Harpy"},
    "Old Name Dragon": {"kind": "effect", "aliases": ["Dragon of Old"]},
}


@with_rows(
    ("text", "broken"),
    [
        (deck("Main", lines("Ritual", 14, 3)), []),
        (deck("Main", lines("Ritual", 13, 3)), ["size"]),
        (deck("Main", lines("Ritual", 14, 3), "Side", "1 Ritual 1"), ["copies"]),
        (deck("Main", lines("Ritual", 14, 3), "Extra", lines("Fusion", 5, 3)), []),
        (deck("Main", lines("Ritual", 14, 3), "1 Fusion 1"), ["wrong-zone"]),
        (deck("Main", lines("Ritual", 14, 3), "Extra", "1 Ritual 20"), ["wrong-zone"]),
        (deck("Main", lines("Ritual", 14, 3), "2 Harpy", "2 Harpy Sisters"), ["copies"]),
        (deck("Main", lines("Ritual", 14, 3), "2 Old Name Dragon", "2 Dragon of Old"), ["copies"]),
        (deck("Main", lines("Ritual", 14, 3), "3 Ritual 20"), ["restricted"]),
        (deck("Main", lines("Ritual", 14, 3), "2 Ritual 20"), []),
        (deck(lines("Ritual", 14, 3), "3 Fusion 1"), []),
    ],
)
def test_main_extra_and_side_deck(text, broken):
    """Card types by zone, copies over all zones, semi-limited cards; without headings."""
    rules = ruleset("duel_monsters", DUEL, banlist='[cards]\n"Ritual 20" = 2\n')
    assert handles(verdict(rules, text)) == broken


# -- exactly sixty

POCKET = {
    "Fire Energy": {
        "supertype": "energy",
        "basic": True,
        "rules": [],
        "printings": [{"set": "a", "mark": "A"}],
    },
    **many("Mouse", 20, supertype="creature", basic=True, rules=[], printings=[{"set": "b", "mark": "G"}]),
    **many(
        "Grown Mouse", 20, supertype="creature", basic=False, rules=[], printings=[{"set": "b", "mark": "H"}]
    ),
    **many("Ace", 3, supertype="trainer", rules=["ace"], printings=[{"set": "b", "mark": "I"}]),
    **many("Star", 3, supertype="trainer", rules=["star"], printings=[{"set": "b", "mark": "I"}]),
    "Bygone Mouse": {
        "supertype": "creature",
        "basic": True,
        "rules": [],
        "printings": [{"set": "c", "mark": "E"}],
    },
}


@with_rows(
    ("text", "broken"),
    [
        (deck("40 Fire Energy", lines("Mouse", 5, 4)), []),
        (deck("41 Fire Energy", lines("Mouse", 5, 4)), ["size"]),
        (deck("40 Fire Energy", lines("Grown Mouse", 5, 4)), ["start"]),
        (deck("38 Fire Energy", lines("Mouse", 5, 4), "1 Ace 1", "1 Ace 2"), ["ace"]),
        (deck("38 Fire Energy", lines("Mouse", 5, 4), "1 Star 1", "1 Star 2"), []),
        (deck("38 Fire Energy", lines("Mouse", 5, 4), "2 Star 1"), ["copies"]),
        (deck("39 Fire Energy", lines("Mouse", 5, 4), "1 Bygone Mouse"), ["marks"]),
    ],
)
def test_exactly_sixty_cards(text, broken):
    """A minimum, a maximum over several names, a maximum for each name, marks of printings."""
    assert handles(verdict(ruleset("pocket", POCKET), text)) == broken


# -- a hero with classes and talents

ARENA = {
    "Ser Bold": {"type": "hero", "young": False, "classes": ["guardian"], "talents": []},
    "Ash Bold": {"type": "hero", "young": False, "classes": ["guardian"], "talents": ["earth"]},
    "Little Bold": {"type": "hero", "young": True, "classes": ["guardian"], "talents": []},
    "Hammer": {"type": "weapon", "classes": ["guardian"], "talents": []},
    **{f"Blow {n} ({c})": {"id": f"blow-{n}-{c}", "type": "action", "classes": ["guardian"], "talents": [],
                           "pitch": p}
       for n in range(1, 10) for p, c in enumerate(("red", "yellow", "blue"), 1)},
    "Sigil": {"type": "action", "classes": ["generic"], "talents": [], "pitch": 3},
    "Crown Strike": {"type": "action", "classes": ["guardian"], "talents": [], "pitch": 1,
                     "keywords": ["legendary"]},
    "Bold's Oath": {"type": "action", "classes": ["guardian"], "talents": [], "pitch": 1,
                    "specialization": "Ser Bold"},
    "Rock Wave": {"type": "action", "classes": ["generic"], "talents": ["earth"], "pitch": 1},
    "Robe Trick": {"type": "action", "classes": ["wizard"], "talents": [], "pitch": 1},
}  # fmt: skip
BLOWS = [f"3 Blow {number} ({colour})" for number in range(1, 8) for colour in ("red", "yellow", "blue")]


@with_rows(
    ("text", "broken"),
    [
        (deck("Hero", "1 Ser Bold", "Arena", "1 Hammer", "Deck", BLOWS), []),
        (deck("Hero", "1 Ser Bold", "Deck", BLOWS[1:], "4 Sigil"), ["copies"]),
        (deck("Hero", "1 Ser Bold", "Deck", BLOWS, "1 Crown Strike"), []),
        (deck("Hero", "1 Ser Bold", "Deck", BLOWS, "2 Crown Strike"), ["copies"]),
        (deck("Hero", "1 Ser Bold", "Deck", BLOWS, "1 Robe Trick"), ["class"]),
        (deck("Hero", "1 Ser Bold", "Deck", BLOWS, "1 Rock Wave"), ["talent"]),
        (deck("Hero", "1 Ash Bold", "Deck", BLOWS, "1 Rock Wave"), []),
        (deck("Hero", "1 Ser Bold", "Deck", BLOWS, "1 Bold's Oath"), []),
        (deck("Hero", "1 Ash Bold", "Deck", BLOWS, "1 Bold's Oath"), ["specialization"]),
        (deck("Hero", "1 Little Bold", "Deck", BLOWS), ["wrong-zone"]),
        (deck("Hero", "1 Ser Bold", "Deck", BLOWS, "1 Hammer"), ["wrong-zone"]),
        (deck("Hero", "1 Ser Bold", "Arena", "1 Hammer", "Deck", [line.replace("3 ", "3 ") for line in BLOWS],
              "3 Blow 8 (red)", "3 Blow 8 (blue)", "3 Blow 9 (red)", "3 Blow 9 (blue)", "3 Sigil",
              "3 Blow 9 (yellow)"), ["pool"]),
    ],
)  # fmt: skip
def test_a_hero_with_classes_and_talents(text, broken):
    """Class and talents as subsets and shared values, names by pitch, cards for one hero only."""
    types = {"keywords": "list", "specialization": "text", "talents": "list"}
    assert handles(verdict(ruleset("arena", ARENA, attributes=types), text)) == broken


# -- permissions

INVESTIGATORS = {
    "Ada Invented": {"type": "investigator", "faction": "seeker", "second": "rogue", "deck_size": 30},
    "Ilse Invented": {"type": "investigator", "faction": "seeker", "second": "rogue", "deck_size": 30},
    "Ada's Lens": {"type": "asset", "signature": "Ada Invented"},
    "Ilse's Lamp": {"type": "asset", "signature": "Ilse Invented"},
    "Bad Dream": {"type": "treachery", "weakness": True},
    "Deep Pockets": {"type": "asset", "faction": "seeker", "level": 3, "permanent": True},
    **many("Notes", 15, type="event", faction="seeker", level=0),
    **many("Shared", 10, type="skill", faction="neutral", level=0),
    **many("Trick", 5, type="event", faction="rogue", level=2),
    "Long Trick": {"type": "event", "faction": "rogue", "level": 3},
    **many("Brawl", 8, type="event", faction="guardian", level=0),
    "Hard Brawl": {"type": "event", "faction": "guardian", "level": 1},
    **many("Hex", 4, type="event", faction="mystic", level=0, traits=["spell"]),
    "Many Hands": {"type": "asset", "faction": "neutral", "level": 0, "traits": ["myriad"]},
}
OWN = ["1 Ada's Lens", "1 Bad Dream"]


@cache
def investigators():
    types = {
        "permanent": "flag",
        "weakness": "flag",
        "signature": "text",
        "traits": "list",
        "level": "number",
    }
    return ruleset("investigators", INVESTIGATORS, attributes=types)


def investigator(*cards, who="Ada Invented", own=OWN):
    return deck("Investigator", f"1 {who}", "Deck", own, *cards)


@with_rows(
    ("text", "broken"),
    [
        (investigator(lines("Notes", 15, 2)), []),
        (investigator(lines("Notes", 12, 2), "2 Trick 1", "2 Shared 1", "1 Deep Pockets", "2 Brawl 1"), []),
        (investigator(lines("Notes", 15, 2), own=["1 Ada's Lens"]), []),
        (investigator(lines("Notes", 14, 2)), ["size: 28 cards, exactly 30 (the investigator's deck size)"]),
        (investigator(lines("Notes", 15, 2), own=["1 Bad Dream"]),
         ["signature: the investigator's own card: no cards with signature Ada Invented in the deck, exactly 1 needed"]),
        (investigator(lines("Notes", 14, 2), "2 Long Trick"), ["allow: no rule allows it in this deck"]),
        (investigator(lines("Notes", 14, 2), "1 Notes 15", "1 Hard Brawl"),
         ["allow: no rule allows it in this deck"]),
        (investigator(lines("Notes", 12, 2), "1 Notes 13", lines("Brawl", 2, 2), "1 Brawl 3"), []),
        (investigator(lines("Notes", 12, 2), lines("Brawl", 3, 2)),
         ["allow: 6 copies need any five, which allows only 5"]),
        (investigator(lines("Notes", 13, 2), "1 Notes 14", "3 Many Hands"), []),
    ],
)  # fmt: skip
def test_permissions_are_limited(text, broken):
    """Copies are assigned to permissions; a finding about too many names the competing cards."""
    assert errors(verdict(investigators(), text)) == broken


def test_a_proof_shows_the_assignment_of_copies():
    """Two spells use their own permission, five other cards the general one."""
    cards = investigator(
        lines("Notes", 11, 2),
        "1 Notes 12",
        "2 Hex 1",
        lines("Brawl", 2, 2),
        "1 Brawl 3",
        who="Ilse Invented",
        own=["1 Ilse's Lamp"],
    )
    result = verdict(investigators(), cards)
    assert errors(result) == []
    assert "spells: 2 of 2: 2 Hex 1" in result.proofs
    assert "any five: 5 of 5: 2 Brawl 1, 2 Brawl 2, 1 Brawl 3" in result.proofs


def test_an_inactive_permission_permits_nothing():
    """The same list with the other investigator, who has no spells."""
    cards = investigator(lines("Notes", 11, 2), "1 Notes 12", "2 Hex 1", lines("Brawl", 2, 2), "1 Brawl 3")
    assert errors(verdict(investigators(), cards)) == ["allow: 7 copies need any five, which allows only 5"]


# -- clans and elements

CLANS = {
    "Crane Keep": {"type": "stronghold", "clan": "crane", "influence": 10},
    **{
        f"{element} Road": {"type": "province", "elements": [element]}
        for element in ("air", "earth", "fire", "void", "water")
    },
    "Two Roads": {"type": "province", "elements": ["air", "earth"]},
    "Other Air Road": {"type": "province", "elements": ["air"]},
    **many("Courtier", 20, type="character", side="dynasty", clan="crane"),
    "Strange Courtier": {"type": "character", "side": "dynasty", "clan": "lion"},
    **many("Word", 20, type="event", side="conflict", clan="crane"),
    **many("Plain Word", 5, type="event", side="conflict", clan="neutral"),
    **many("Lion Word", 5, type="event", side="conflict", clan="lion", influence=2),
    "Crab Word": {"type": "event", "side": "conflict", "clan": "crab", "influence": 1},
    "Loyal Word": {"type": "event", "side": "conflict", "clan": "lion", "influence": None},
    **many("Duelist", 6, type="character", side="conflict", clan="crane"),
}
ROADS = [f"1 {element} Road" for element in ("air", "earth", "fire", "void", "water")]


@cache
def clans():
    return ruleset("clans", CLANS, banlist='[[group]]\nname = "restricted"\ncards = ["Word 1", "Word 2"]\n')


def clan_deck(conflict, roads=ROADS, dynasty=None):
    return deck(
        "Stronghold",
        "1 Crane Keep",
        "Provinces",
        roads,
        "Dynasty",
        dynasty or [*lines("Courtier", 13, 3), "1 Courtier 14"],
        "Conflict",
        conflict,
    )


@with_rows(
    ("text", "broken"),
    [
        (clan_deck([*lines("Word", 13, 3, 3), "1 Plain Word 1"]), []),
        (clan_deck([*lines("Word", 13, 3, 3), "1 Plain Word 1"],
                   [*ROADS[2:], "1 Two Roads", "1 Other Air Road"]), []),
        (clan_deck([*lines("Word", 13, 3, 3), "1 Plain Word 1"], [*ROADS[:4], "1 Other Air Road"]),
         ["elements"]),
        (clan_deck([*lines("Word", 13, 3, 3), "1 Plain Word 1"], ROADS[:4]), ["size", "elements"]),
        (clan_deck([*lines("Word", 12, 3, 3), "3 Lion Word 1", "2 Lion Word 2"]), []),
        (clan_deck([*lines("Word", 12, 3, 3), "3 Lion Word 1", "3 Lion Word 2"]), ["influence"]),
        (clan_deck([*lines("Word", 12, 3, 3), "3 Lion Word 1", "1 Crab Word"]), ["one-splash"]),
        (clan_deck([*lines("Word", 13, 3, 3), "1 Loyal Word"]), ["no-influence"]),
        (clan_deck([*lines("Word", 10, 3, 3), *lines("Duelist", 4, 3)]), ["characters"]),
        (clan_deck([*lines("Word", 13, 3, 3), "1 Word 1", "1 Word 2"]), ["group"]),
        (clan_deck([*lines("Word", 13, 3, 3), "3 Word 1"]), []),
        (clan_deck([*lines("Word", 13, 3, 3), "1 Plain Word 1"],
                   dynasty=[*lines("Courtier", 13, 3), "1 Strange Courtier"]), ["dynasty-clan"]),
    ],
)  # fmt: skip
def test_clans_splashes_and_elements(text, broken):
    """A matching of elements, one splashed clan, influence as a sum, a restricted group."""
    assert sorted(handles(verdict(clans(), text))) == sorted(broken)


def test_a_proof_shows_the_matching():
    """Each element is covered by a card; the double province covers the element that needs it."""
    result = verdict(
        clans(),
        clan_deck(
            [*lines("Word", 13, 3, 3), "1 Plain Word 1"], [*ROADS[2:], "1 Two Roads", "1 Other Air Road"]
        ),
    )
    assert result.proofs == (
        "air: Other Air Road",
        "earth: Two Roads",
        "fire: fire Road",
        "void: void Road",
        "water: water Road",
    )


# -- a hero's class, runes

INN = {
    "Frost Invented": {"type": "hero", "classes": ["knight"]},
    "Prince Invented": {"type": "minion", "classes": ["neutral"], "rarity": "legendary"},
    **many("Patron", 25, type="minion", classes=["neutral"], rarity="common"),
    **many("Grave", 5, type="spell", classes=["knight"], blood=2, frost=0, unholy=0),
    "Ice Grave": {"type": "spell", "classes": ["knight", "mage"], "blood": 0, "frost": 1, "unholy": 0},
    "Rot Grave": {"type": "spell", "classes": ["knight"], "blood": 0, "frost": 0, "unholy": 1},
    "Mage Trick": {"type": "spell", "classes": ["mage"]},
}


@with_rows(
    ("text", "broken"),
    [
        (deck("Hero", "1 Frost Invented", "Deck", lines("Patron", 15, 2)), []),
        (deck("Hero", "1 Frost Invented", "Deck", lines("Patron", 14, 2), "2 Grave 1"), []),
        (
            deck(
                "Hero",
                "1 Frost Invented",
                "Deck",
                lines("Patron", 12, 2),
                "2 Grave 1",
                "2 Grave 2",
                "2 Ice Grave",
            ),
            [],
        ),
        (
            deck(
                "Hero",
                "1 Frost Invented",
                "Deck",
                lines("Patron", 12, 2),
                "2 Grave 1",
                "2 Rot Grave",
                "2 Ice Grave",
            ),
            ["runes"],
        ),
        (deck("Hero", "1 Frost Invented", "Deck", lines("Patron", 14, 2), "2 Mage Trick"), ["class"]),
        (
            deck(
                "Hero", "1 Frost Invented", "Deck", lines("Patron", 19, 2), "1 Patron 20", "1 Prince Invented"
            ),
            [],
        ),
        (
            deck(
                "Hero", "1 Frost Invented", "Deck", lines("Patron", 14, 2), "1 Patron 20", "1 Prince Invented"
            ),
            ["size"],
        ),
        (deck("Hero", "1 Frost Invented", "Deck", lines("Patron", 19, 2), "2 Prince Invented"), ["copies"]),
    ],
)
def test_thirty_or_forty_cards(text, broken):
    """A card that changes the size, a class out of several, runes as the sum of highest needs."""
    types = {"blood": "number", "frost": "number", "unholy": "number", "rarity": "text"}
    assert handles(verdict(ruleset("inn", INN, attributes=types), text)) == broken


# -- leaders and bases, and an overlay with two leaders

GALAXY = {
    "Bright Captain": {"type": "leader", "aspects": ["heroism", "command"]},
    "Kind Captain": {"type": "leader", "aspects": ["heroism", "cunning"]},
    "Dark Captain": {"type": "leader", "aspects": ["villainy", "command"]},
    "Small Moon": {"type": "base", "more": None},
    "Great Moon": {"type": "base", "more": 10},
    "Swarm": {"type": "unit", "copies": 15},
    **many("Ship", 90, type="unit"),
}


@with_rows(
    ("name", "text", "broken"),
    [
        ("galaxy", deck("Leader", "1 Bright Captain", "Base", "1 Small Moon", "Deck", lines("Ship", 17, 3)),
         []),
        ("galaxy", deck("Leader", "1 Bright Captain", "Base", "1 Great Moon", "Deck", lines("Ship", 17, 3)),
         ["size"]),
        ("galaxy", deck("Leader", "1 Bright Captain", "Base", "1 Great Moon", "Deck", lines("Ship", 20, 3)),
         []),
        ("galaxy", deck("Leader", "1 Bright Captain", "Base", "1 Small Moon", "Deck", "15 Swarm",
                        lines("Ship", 12, 3)), []),
        ("galaxy", deck("Leader", "1 Bright Captain", "Base", "1 Small Moon", "Deck", "16 Swarm",
                        lines("Ship", 12, 3)), ["copies"]),
        ("galaxy", deck("Leader", "2 Bright Captain", "Base", "1 Small Moon", "Deck", lines("Ship", 17, 3)),
         ["size"]),
        ("twin_suns", deck("Leader", "1 Bright Captain", "1 Kind Captain", "Base", "1 Small Moon", "Deck",
                           lines("Ship", 80)), []),
        ("twin_suns", deck("Leader", "1 Bright Captain", "1 Dark Captain", "Base", "1 Small Moon", "Deck",
                           lines("Ship", 80)), ["one-side"]),
        ("twin_suns", deck("Leader", "1 Bright Captain", "1 Kind Captain", "Base", "1 Small Moon", "Deck",
                           lines("Ship", 79), "1 Ship 1"), ["copies"]),
        ("twin_suns", deck("Leader", "1 Bright Captain", "Base", "1 Small Moon", "Deck", lines("Ship", 80)),
         ["size"]),
    ],
)  # fmt: skip
def test_leaders_bases_and_an_overlay(name, text, broken):
    """A base that raises the deck size, printed limits, an overlay that allows two leaders."""
    assert handles(verdict(ruleset(name, GALAXY), text)) == broken


def test_a_rule_of_an_overlay_is_cited_as_a_house_rule():
    """Rules inherited from the parent format are not."""
    text = deck(
        "Leader",
        "1 Bright Captain",
        "1 Kind Captain",
        "Base",
        "1 Small Moon",
        "2 Small Moon",
        "Deck",
        lines("Ship", 79),
        "1 Ship 1",
    )
    cites = {finding.rule: finding.cite for finding in verdict(ruleset("twin_suns", GALAXY), text).findings}
    assert cites["copies"] == "house rule of galaxy/twin-suns"
    assert cites["size"] is None


# -- colours, groups, provisions


@with_rows(
    ("inks", "broken"),
    [
        (("amber", "ruby"), []),
        (("amber", "ruby", "steel"), ["inks: 3 inks, at most 2"]),
        (("amber", "amber/ruby", "ruby"), []),
        (("amber", "steel/ruby"), ["inks: 3 inks, at most 2"]),
    ],
)
def test_at_most_two_inks(inks, broken):
    """A card with two colours has both of them."""
    cards = {f"Painter {ink} {n}": {"inks": ink.split("/")} for ink in inks for n in range(20)}
    text = deck([f"3 {card}" for card in cards])
    assert errors(verdict(ruleset("inks", cards), text)) == broken


def test_adjacent_groups_and_a_limit_raised_by_other_cards():
    """Values over a whole zone: a highest difference, and a limit computed from other cards."""
    cards = {
        **many("Elder", 6, type="vampire", group=2, capacity=5),
        **many("Younger", 6, type="vampire", group=3, capacity=5),
        "Stranger": {"type": "vampire", "group": 5, "capacity": 5},
        "Anyone": {"type": "vampire", "group": None, "capacity": 5},
        **many("Scheme", 30, type="master", cost=5),
    }
    rules = ruleset("crypt", cards)
    crypt = deck("Crypt", lines("Elder", 6), lines("Younger", 6))
    library = deck("Library", lines("Scheme", 30, 2))
    assert handles(verdict(rules, f"{crypt}\n{library}")) == []
    assert handles(verdict(rules, f"{crypt}\n1 Anyone\n{library}")) == []
    assert handles(verdict(rules, f"{crypt}\n1 Stranger\n{library}")) == ["groups"]
    assert errors(verdict(rules, f"{crypt}\n{library}\n13 Scheme 1")) == [
        "provisions: 365 provisions, at most 360"
    ]


def test_the_formats_apply_on_any_day():
    for name in NAMES:
        format_ = parse(name)
        assert all(format_.in_force(rule, date(1990, 1, 1)) for rule in format_.rules["limit"])
