"""The five games as data: sources of rules, numbers of the rule texts, and the card pools."""

from collections import Counter
from datetime import date

from tests.kit import ROOT, with_rows
from tests.rules.kit import judged
from tourney.cards import NONE, UNKNOWN, Status
from tourney.decks import check, read, run_examples
from tourney.rules import Ruleset, parse_banlist
from tourney.store.data import Library, shipped

TODAY = date(2026, 11, 20)
LIBRARY = Library([shipped()])
FORMATS = LIBRARY.formats()


def verdict(text, name, *, trust=True, **settings):
    format_ = LIBRARY.format(name)
    rules = Ruleset(format_, None, LIBRARY.pool_of(format_), TODAY, settings)
    return judged(read(text, source="list", format_=format_), rules, trust_declared=trust)


def test_the_five_games_have_notes_arithmetic_and_a_pool():
    """One folder each, with notes and arithmetic; each with a pool."""
    games = {name.partition("/")[0] for name in FORMATS}
    assert games == {"red-diamond", "redline", "dimrift", "diamonsters", "kingdoms"} == set(LIBRARY.pools())
    for game in games:
        folder = ROOT / "tourney" / "games" / game.replace("-", "_")
        assert (folder / "NOTES.md").is_file()
        assert (folder / "judge.py").is_file()


@with_rows("name", FORMATS)
def test_every_rule_has_its_source(name):
    """So a judge can look it up: zones, limits, requirements, kits, printings, settings, match."""
    format_ = LIBRARY.format(name)
    rules = [
        *format_.zones,
        *(rule for word in ("limit", "require", "kit") for rule in format_.rules[word]),
        format_.printings,
        format_.leader,
    ]
    uncited = [placed.rule.id for placed in rules if placed is not None and not placed.rule.cite]
    uncited += [key for key, setting in format_.settings.items() if not (setting.cite and setting.about)]
    assert uncited == []
    assert format_.match.cite
    assert format_.published
    assert not format_.houses


@with_rows("name", FORMATS)
def test_examples_have_their_verdicts(name):
    """The numbers of the rule texts, checked by the formats."""
    format_ = LIBRARY.format(name)
    rules = Ruleset(format_, None, LIBRARY.pool_of(format_), TODAY)
    ran = list(run_examples(format_, lambda _: rules))
    assert [f"{report.name}: {fault}" for report in ran for fault in report.faults] == []
    assert len(ran) == len(format_.examples)


def test_formats_have_legal_and_illegal_examples():
    """If they have examples of their own."""
    for name in FORMATS:
        examples = [placed.rule for placed in LIBRARY.format(name).examples]
        if examples:
            assert {bool(example.breaks) for example in examples} == {True, False}, name


# -- the seats, sides and draws that the games decide


@with_rows(
    ("name", "seats", "games", "sides"),
    [
        ("red-diamond/standard", 2, 1, ()),
        ("redline/standard", 2, 1, ()),
        ("redline/scramble", 3, 1, ()),
        ("redline/scenario", 2, 1, ()),
        ("dimrift/classic", 2, 3, ()),
        ("diamonsters/standard", (2, 6), 1, ()),
        ("kingdoms/standard", 2, 1, ("Red", "Blue")),
        ("kingdoms/two-games", 2, 2, ("Red", "Blue")),
    ],
)
def test_seats_games_and_sides_of_each_format(name, seats, games, sides):
    """Scramble seats three, Diamonsters two to six; the kingdoms have sides."""
    match = LIBRARY.format(name).match
    sizes = match.seats if isinstance(match.seats, int) else (match.seats.min, match.seats.max)
    assert (sizes, match.games, match.sides, match.draws) == (seats, games, sides, True)


# -- Red Diamond


def test_sixty_invented_names_are_a_legal_deck_with_one_note():
    """An open pool breaks no rule, so names decide."""
    result = verdict("\n".join(f"1 Invented Thing {number}" for number in range(60)), "red-diamond/standard")
    assert (result.verdict, result.findings) == ("legal", ())
    assert sum("60 names are not in the pool" in note for note in result.notes) == 1


def test_an_empty_deck_is_legal_with_advice():
    """The rules print only a maximum."""
    result = verdict("", "red-diamond/standard")
    assert result.verdict == "legal"
    assert [finding.rule for finding in result.findings] == ["empty"]


def in_parts(*parts):
    """Return a Red Diamond list of invented names, from (header, copies) for each part."""
    names = iter(f"Invented Name {one}{two}" for one in "ABCDEFGH" for two in "ABCDEFGHIJ")
    return "\n".join(f"{header}\n" + "".join(f"1 {next(names)}\n" for _ in range(n)) for header, n in parts)


@with_rows(
    ("parts", "advice"),
    [
        ([("Base cards", 48), ("VP cards", 12)], []),
        ([("Base cards (40)", 40), ("VP cards (20):", 20)], ["20 VP cards, at most 12"]),
        ([("VP cards", 5), ("Base cards", 55)], ["5 VP cards, at least 10"]),
        ([("## Main Deck", 40), ("## Open Deck", 20)], ["20 VP cards, at most 12"]),
        ([("Deck", 50), ("VP", 10)], []),
        ([("Main Deck", 60)], []),
        ([("Base cards", 30), ("Main Deck", 30)], []),
        ([("Base cards", 60)], ["no VP cards, at least 10", "no VP card: this deck cannot score"]),
    ],
)
def test_headers_of_red_diamond_mark_vp_cards(parts, advice):
    """They cause only advice. Facts that a list does not state are not guessed."""
    result = verdict(in_parts(*parts), "red-diamond/standard", trust=False)
    assert result.verdict == "legal"
    assert [finding.message for finding in result.findings] == advice


def test_the_example_ban_list_works():
    """It says that its names are invented."""
    banlist = LIBRARY.banlist("red-diamond/example", TODAY)
    assert "invented" in banlist.published
    assert all(name.startswith("Invented ") for name in banlist.names())
    format_ = LIBRARY.format("red-diamond/standard")
    rules = Ruleset(format_, banlist, LIBRARY.pool_of(format_), TODAY)
    findings = check(read("1 Invented Comet\n1 Invented Fern", source="list"), rules)
    assert (findings.verdict, [finding.lines for finding in findings.findings]) == ("illegal", [(1,)])


# -- REDLINE

UNITS = "".join(f"4 Invented Unit {number} {{type=efreet, faction=neutral}}\n" for number in range(8))


def arsenal(general="Anna Draga", card="Invented Ox {type=efreet, faction=CPM}"):
    return f"General\n1 {general}\nArsenal\n24 Basic Supply Drop\n4 {card}\n{UNITS}"


@with_rows(
    ("general", "card", "word"),
    [
        ("Anna Draga", "Invented Ox {type=efreet, faction=CPM}", "legal"),
        ("Anna Draga", "Tigercat", "illegal"),
        ("UNE General Jeffrey Moore", "Tigercat", "legal"),
        ("Koskof", "XPC-100 Plasma Cannon", "legal"),
        ("Anna Draga", "EF-38 Shibing", "unverified"),
        ("Anna Draga", "Invented Agent {type=efreet, faction=UNE/Shamrock}", "illegal"),
        (
            "Invented Boss {type=general, faction=Shamrock/CPM}",
            "Invented Agent {type=efreet, faction=UNE/Shamrock}",
            "legal",
        ),
        ("Tigercat", "Invented Ox {type=efreet, faction=CPM}", "illegal"),
    ],
)
def test_an_arsenal_follows_its_general_s_factions(general, card, word):
    """Neutral and shared factions are legal; unknown factions in the pool stay undecided."""
    assert verdict(arsenal(general, card), "redline/standard").verdict == word


@with_rows(("missions", "noted"), [("players", True), ("organizer", False)])
def test_the_owner_of_the_mission_deck_changes_only_a_note(missions, noted):
    """A list without one is legal in both cases; one that is too short is not."""
    deck = arsenal()
    result = verdict(deck, "redline/standard", missions=missions)
    assert result.verdict == "legal"
    assert any("no mission deck" in note for note in result.notes) is noted
    short = verdict(deck + "Mission deck\n3 Hardened Bunker\n", "redline/standard", missions=missions)
    assert [finding.rule for finding in short.findings if finding.subjects == ("Mission deck",)] == ["size"]


def test_a_scenario_has_a_layout_instead_of_a_mission_deck():
    """Any five missions, even five copies of one; limits of a mission deck do not apply."""
    deck = arsenal()
    assert verdict(deck + "Layout\n5 Hardened Bunker\n", "redline/scenario").verdict == "legal"
    assert verdict(deck + "Layout\n6 Hardened Bunker\n", "redline/scenario").verdict == "illegal"
    assert verdict(deck + "Layout\n5 Hardened Bunker\n", "redline/scramble").verdict == "illegal"


@with_rows(
    ("copies", "chosen", "word", "message"),
    [
        (3, {}, "legal", []),
        (4, {}, "legal", ["layout-copies-reading"]),
        (4, {"layout_copies": "at most 3"}, "illegal", ["layout-copies"]),
        (3, {"layout": "on the spot"}, "legal", []),
        (4, {"layout": "on the spot"}, "illegal", ["layout-copies"]),
    ],
)
def test_copies_of_a_mission_in_a_layout(copies, chosen, word, message):
    """At most 3 if built from the mission deck (L427); otherwise it is a reading (L421, L56)."""
    layout = f"Layout\n{copies} Hardened Bunker\n{5 - copies} Invented Ridge {{type=mission}}\n"
    result = verdict(arsenal() + layout, "redline/scenario", **chosen)
    assert (result.verdict, [finding.rule for finding in result.findings if "layout" in finding.rule]) == (
        word,
        message,
    )


def test_a_guessed_fact_is_unknown_in_the_pool():
    """The guess is in the card's note."""
    pool = LIBRARY.pool("redline")
    assert pool.find("EF-38 Shibing").get("faction") is UNKNOWN
    assert "CPM" in pool.find("EF-38 Shibing").note
    assert pool.find("Huojian").get("faction") is UNKNOWN


# -- DimRift


def test_the_pool_of_the_classic_era_is_complete():
    """160 cards: 15 + 7 of each faction, and 61 + 11 unaligned."""
    cards = list(LIBRARY.pool("dimrift"))
    counted = Counter((str(card.get("faction")), card.get("deck")) for card in cards)
    assert len(cards) == 160
    for faction in ("men", "fey", "telur", "wynn"):
        assert (counted[faction, "main"], counted[faction, "extra"]) == (15, 7)
    assert (counted["none", "main"], counted["none", "extra"]) == (61, 11)
    types = Counter((str(card.get("faction")), card.get("deck"), card.get("type")) for card in cards)
    assert [types["telur", "extra", kind] for kind in ("creature", "artifact", "monument")] == [3, 3, 1]
    assert [types["none", "main", kind] for kind in ("creature", "artifact", "monument")] == [32, 29, 0]


def test_later_versions_are_outdated_printings():
    """41 names have changed cards, such as the horse that became a creature."""
    pool = LIBRARY.pool("dimrift")
    outdated = [
        card for card in pool if any(printing.status is Status.OUTDATED for printing in card.printings)
    ]
    assert len(outdated) == 41
    horse = pool.find("valiant horse")
    assert (horse.get("type"), horse.printing("current").get("type")) == ("artifact", "creature")
    assert pool.find("Clay Construct").get("faction") is NONE
    assert pool.find("Cunning Fox") is None


@with_rows(
    ("line", "word"),
    [
        ("1 Valiant Horse", "legal"),
        ("1 Valiant Horse (CLASSIC)", "legal"),
        ("1 Valiant Horse (CURRENT)", "illegal"),
    ],
)
def test_a_later_version_in_a_list_is_refused(line, word):
    """The name alone, or the right era, is accepted."""
    assert verdict(line, "dimrift/open").verdict == word


# -- the documentation beside the data


def test_the_example_in_the_readme_of_ban_lists_is_valid():
    """Cards, points, groups and conditions, as shown."""
    text = (ROOT / "banlists/README.md").read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    banlist = parse_banlist(text, source="README.md", day=TODAY)
    assert (len(banlist.cards), banlist.points.total, len(banlist.groups), len(banlist.wheres)) == (
        2,
        7,
        2,
        1,
    )
