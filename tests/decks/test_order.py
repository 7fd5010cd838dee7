"""The order of lines, zones and cards in the pool's file does not change a verdict.

All cards are invented.
"""

import json
from datetime import date
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.decks import test_other_games as games
from tests.decks.test_any_format import CARDS, LISTS, RULE, ZONES
from tests.kit import amount, examples, golden, with_rows
from tests.official import netrunner
from tests.rules.kit import DAY, errors, format_of, gist, judged, pool_of, reordered, rules, verdict
from tourney.cards import parse_pool
from tourney.decks import check, read, read_all, run_examples
from tourney.decks.reading.vocabulary import vocabulary_of
from tourney.decks.repair import repair
from tourney.errors import TourneyError
from tourney.rules import Ruleset, parse_banlist
from tourney.store.data import Library, shipped

SIDE = '[[zone]]\nid = "deck"\ndefault = true\n[[zone]]\nid = "side"\n'

# -- a group whose cards give different bounds

SWORN = {
    "Ant": {"most": 2, "least": 1, "clan": "red"},
    "Bee": {"most": 3, "least": 4, "clan": "red"},
    "Cat": {"most": None, "least": None, "clan": "red"},
    "Dog": {"most": 5, "least": 0, "clan": "blue"},
}


def grouped(limit, *lines, cards=SWORN, **pool):
    text = f'{SIDE}[[limit]]\nid = "it"\n{limit}'
    outcomes = {tuple(errors(verdict(rules(text, cards, **pool), "\n".join(order)))) for order in both(lines)}
    assert len(outcomes) == 1
    return list(outcomes.pop())


def both(lines):
    return lines, lines[::-1]


@with_rows(
    ("limit", "lines", "expected"),
    [
        ("by = 'clan'\nmax = 'most'", ("2 Ant", "1 Bee"), ["it: 3 cards with clan red, at most 2 (by Ant)"]),
        ("by = 'clan'\nmax = 'most'", ("1 Ant", "1 Bee"), []),
        ("by = 'clan'\nmax = 'most'", ("3 Bee", "1 Cat"), ["it: 4 cards with clan red, at most 3 (by Bee)"]),
        ("by = 'clan'\nmax = 'most'", ("9 Cat",), []),
        ("by = 'clan'\nmin = 'least'", ("2 Ant", "1 Bee"),
         ["it: 3 cards with clan red, at least 4 (by Bee)"]),
        ("by = 'clan'\nexactly = 'most'", ("1 Ant", "1 Bee"),
         ["it: 2 cards with clan red, exactly 3 (by Bee)"]),
        ("by = 'clan'\nexactly = 'most'", ("2 Ant", "2 Bee"),
         ["it: 4 cards with clan red, exactly 2 (by Ant)"]),
        ("by = 'clan'\nmax = 'most'\nmin = 'least'", ("1 Ant", "2 Bee"),
         ["it: 3 cards with clan red, at least 4 (by Bee)"]),
        ("by = 'clan'\nmax = 'most'\nmessage = '{most} by {name}'", ("2 Bee", "2 Ant"), ["it: 2 by Ant"]),
        ("by = 'clan'\nmax = 9\nexcept = [{ where = 'true', max = 'most' }]", ("2 Ant", "1 Bee"),
         ["it: 3 cards with clan red, at most 2 (by Ant)"]),
        ("by = 'name'\nmax = \"2 if zone == 'side' else 4\"", ("deck", "2 Ant", "side", "1 Ant"),
         ["it: 3 copies, at most 2 (in `side`)"]),
        ("by = 'name'\nmax = \"2 if zone == 'side' else 4\"", ("deck", "3 Ant"), []),
    ],
)  # fmt: skip
def test_every_limit_given_by_a_card_of_the_group_holds(limit, lines, expected):
    """The strictest limit decides wherever its card stands, and the finding names that card."""
    if lines[0] == "deck":
        zones = ("\n".join(lines[:2]), "\n".join(lines[2:]))
        messages = grouped(limit, *zones)
    else:
        messages = grouped(limit, *lines)
    assert messages == expected


def test_a_limit_of_a_card_that_may_not_belong_is_unverified():
    """In an open pool: if the unknown card belonged to the clan, three would be too many."""
    cards = {**SWORN, "Who": {"most": 1}}
    text = f'{SIDE}[[limit]]\nid = "it"\nby = "clan"\nmax = "most"'
    types = {"clan": "text", "most": "number"}
    for lines in both(("2 Bee", "1 Who")):
        result = verdict(rules(text, cards, complete=False, attributes=types), "\n".join(lines))
        assert (result.verdict, errors(result)) == ("unverified", [])


COUNTED_AS = {
    "Ant": {"worth": 1, "most": 3},
    "Red Ant": {"worth": 3, "most": 1, "counts_as": "Ant"},
    "Old Ant": {"worth": 2, "most": 2, "counts_as": "Ant"},
}


@with_rows(
    ("limit", "lines", "expected"),
    [
        ("by = 'name'\nmax = 'most'", ("1 Ant", "1 Old Ant"), []),
        ("by = 'name'\nmax = 'most'", ("1 Red Ant", "1 Old Ant"), ["it: 2 copies, at most 1 (in the deck)"]),
        ("per = 'name'\nweigh = 'worth'\nmax = 2", ("4 Ant", "1 Old Ant"), []),
        ("per = 'name'\nweigh = 'worth'\nmax = 2", ("4 Ant", "1 Red Ant"), ["it: 3 worth, at most 2"]),
        (
            "per = 'name'\nweigh = 'worth * qty'\nmin = 6",
            ("4 Ant", "1 Red Ant"),
            ["it: 5 in all, at least 6"],
        ),
        (
            "per = 'name'\nwhere = 'worth > 1'\nmax = 0",
            ("4 Ant", "1 Old Ant"),
            ["it: may not be in the deck: its worth is 2, above 1"],
        ),
        ("per = 'name'\nwhere = 'worth > 2'\nmax = 0", ("4 Ant", "1 Old Ant"), []),
    ],
)
def test_cards_that_count_as_one_but_differ(limit, lines, expected):
    """Each is judged by itself.

    If they count once, the highest value counts (the lowest one for a minimum).
    """
    assert grouped(limit, *lines, cards=COUNTED_AS) == expected


def test_a_condition_on_the_zone_is_checked_in_each_zone():
    """With `per = "name"`, a card in two zones is not treated as being only in the first."""
    assert grouped("per = 'name'\nwhere = \"zone == 'side'\"\nmax = 0", "deck\n1 Ant", "side\n1 Ant") == [
        "it: may not be in the deck: it is in `side`"
    ]


def test_cards_that_count_as_one_cost_the_most_points():
    """`per = "name"` in a ban list's points, in both orders of the lines."""
    banlist = '[points]\ntotal = 2\nper = "name"\n"Red Ant" = 3\n"Old Ant" = 1\n'
    ruleset = rules(SIDE, COUNTED_AS, banlist=banlist)
    for lines in both(("1 Red Ant", "1 Old Ant")):
        assert errors(verdict(ruleset, "\n".join(lines))) == [
            "points: 3 points, at most 2 (list of 2026-11-20)"
        ]


def test_shared_values_do_not_depend_on_the_order_of_cards():
    """`common` over a card that surely counts and one that may not."""
    cards = {"Ant": {"tags": ["a"], "basic": True}, "Bee": {"tags": ["a", "b"], "unknown": ["basic"]}}
    text = '[[require]]\nid = "it"\nthat = "common(basic, tags) == [\'a\']"\n'
    for pair in (("Ant", "Bee"), ("Bee", "Ant")):
        renamed = {new: cards[old] for new, old in zip(("One", "Two"), pair, strict=True)}
        assert verdict(rules(text, renamed), "1 One\n1 Two").verdict == "legal"


# -- facts that lines declare


def test_a_declared_fact_holds_on_all_lines_of_the_card():
    """In any zone and order, and for copies without braces."""
    text = f'{SIDE}[[limit]]\nid = "it"\nwhere = "kind == \'unit\'"\nmax = 2\n'
    ruleset = rules(text, {"Ant": {}}, complete=False, attributes={"kind": "text"})
    for lines in both(("deck\n2 Ant {kind=unit}", "side\n1 Ant")):
        assert errors(verdict(ruleset, "\n".join(lines), trust_declared=True)) == [
            "it: 3 cards with kind unit, at most 2"
        ]


def test_contradictory_declared_facts_are_ignored():
    """Neither line is believed in any order; facts on which they agree count."""
    text = '[[require]]\nid = "it"\nwhere = "true"\nthat = "kind == \'unit\' and cost == 2"\n'
    ruleset = rules(text, {"Ant": {}}, complete=False, attributes={"kind": "text", "cost": "number"})
    for lines in both(("1 Ant {kind=unit, cost=2}", "1 Ant {kind=tactic, cost=2}")):
        result = verdict(ruleset, "\n".join(lines), trust_declared=True)
        assert result.verdict == "unverified"
        messages = {finding.rule: finding.message for finding in result.findings}
        assert messages["it"] == "kind not known"
        words = [line.partition("=")[2].partition(",")[0] for line in lines]
        assert messages["fact"] == (
            f"kind is declared differently (line 1: {words[0]}, line 2: {words[1]}), so neither value counts"
        )
        assert all("cost" in fact for fact in result.facts_used)
    assert (
        verdict(ruleset, "1 Ant {kind=unit, cost=2}\n1 Ant {kind=Unit}", trust_declared=True).verdict
        == "legal"
    )


def test_a_foreign_letter_is_named_in_any_order_of_lines():
    """Of two lookalike names, the finding is about the one with the foreign letter."""
    ruleset = rules('[format]\nid = "invented/standard"\n')
    for lines in both(("1 Oaken Shield", "1 \u041eaken Shield")):
        result = verdict(ruleset, "\n".join(lines))
        assert [finding.subjects for finding in result.findings if finding.rule == "letters"] == [
            ("\u041eaken Shield",)
        ]


# -- the same repair


@with_rows("seed", range(4))
def test_a_repair_does_not_depend_on_the_order_of_lines(seed):
    """The changes are the same; only the line numbers follow the list."""
    text = f'{SIDE}[[limit]]\nid = "copies"\nby = "name"\nmax = 2\n[[limit]]\nid = "all"\nmax = 6\n'
    ruleset = rules(text, {name: {} for name in ("Ant", "Bee", "Cat", "Dog")})
    decklist = read("3 Ant\n3 Dog\n1 Bee\n1 Cat", source="deck", format_=ruleset.format)

    def changes(decklist_):
        return [
            (change.what, change.card, change.copies, change.zone, change.to)
            for change in repair(decklist_, ruleset).changes
        ]

    assert changes(reordered(decklist, seed)) == changes(decklist)


# -- pools


def shuffled_pool(cards, seed, **kind):
    """Return a pool of the same cards with its lines in another order."""
    names = list(cards)
    Random(seed).shuffle(names)
    return pool_of({name: cards[name] for name in names}, **kind)


TWINS = [
    {"id": "kite-1", "name": "Kite", "kind": "unit", "printings": [{"set": "a"}]},
    {"id": "kite-2", "name": "Kite", "kind": "unit",
     "printings": [{"set": "b", "status": "outdated"}, {"set": "c"}]},
    {"id": "kite-3", "name": "KITE", "kind": "tactic", "counts_as": "Bell", "printings": [{"set": "d"}]},
    {"id": "bell", "name": "Bell", "kind": "unit", "aliases": ["Gong"]},
    {"id": "drum", "name": "Drum", "kind": "tactic", "aliases": ["Gong"]},
]  # fmt: skip


@with_rows(
    "deck",
    ["2 Kite", "1 Kite (b)", "1 Kite (a)\n1 KITE", "1 Gong\n1 Bell", "1 kite\n1 Drum", "1 kite-2\n1 Kite"],
)
def test_cards_with_one_name_in_any_order_of_the_file(deck):
    """The meaning of a name, and the cases that cannot be decided, do not depend on the order."""
    text = """
    [[limit]]\nid = "copies"\nby = "name"\nmax = 1
    [[limit]]\nid = "bell"\nwhere = "name == 'Gong'"\nmax = 0
    [[require]]\nid = "units"\nwhere = "true"\nthat = "kind == 'unit'"
    [[require]]\nid = "set"\nwhere = "true"\nthat = "printed(set in ['a', 'c'])"
    [[require]]\nid = "one"\nseverity = "advice"\nwhere = "true"\nthat = "id == 'kite-1'"
    """
    head = 'game = "invented"\ncomplete = true\nkey = "id"\n[attributes]\nkind = "text"\n'
    verdicts = []
    for seed in range(6):
        lines = TWINS[:]
        Random(seed).shuffle(lines)
        pool = parse_pool(head, {"core": "\n".join(map(json.dumps, lines))}, source="pool.toml")
        banlist = parse_banlist("[cards]\nGong = 0\n", source="list", day=DAY)
        verdicts.append(gist(verdict(Ruleset(format_of(text), banlist, pool, DAY), deck)))
    assert all(item == verdicts[0] for item in verdicts)


def test_printings_of_cards_that_share_a_name():
    """It must hold for each card that may be meant; if only for some, it is unverified."""
    head = 'game = "invented"\ncomplete = true\nkey = "id"\n[attributes]\nkind = "text"\n'
    pool = parse_pool(head, {"core": "\n".join(map(json.dumps, TWINS[:2]))}, source="pool.toml")

    def word(sets):
        text = f'[[require]]\nid = "it"\nwhere = "true"\nthat = "printed(set in {sets})"'
        return verdict(Ruleset(format_of(text), None, pool, DAY), "1 Kite").verdict

    assert [word(["a", "c"]), word(["a"]), word(["d"])] == ["legal", "unverified", "illegal"]


# -- any format, the other games', the shipped ones

LINE = st.builds(
    "{} {}{}".format,
    st.integers(1, 4),
    st.sampled_from(["Ant", "bee", "Cat", "Old Cat", "Dog", "Nobody", "Antt"]),
    st.sampled_from(["", " (A) 1", " {kind=unit}", " {kind=hero}", " {cost=2, tags=a|b}"]),
)
PARTS = st.dictionaries(
    st.sampled_from(["Leader", "Deck", "Crew", "Side"]), st.lists(LINE, max_size=5), min_size=1, max_size=4
)


ORDERS = given(
    st.lists(RULE, max_size=4), PARTS, LISTS, st.booleans(), st.booleans(), st.randoms(use_true_random=False)
)


@examples(25, of=100)
@ORDERS
def test_any_deck_in_another_order_has_the_same_verdict(formed, parts, listed, complete, trust, dice):
    """For random formats, decks and pools, as texts, so that the parser is tested, too."""
    judged_alike(formed, parts, listed, complete, trust, dice)


@pytest.mark.long
@settings(max_examples=5_000, deadline=None)
@ORDERS
def test_any_deck_in_another_order_many_times(formed, parts, listed, complete, trust, dice):
    """The same test with fifty times as many examples."""
    judged_alike(formed, parts, listed, complete, trust, dice)


def judged_alike(formed, parts, listed, complete, trust, dice):
    text = ZONES + "".join(part.replace("ID", f"rule-{number}") for number, part in enumerate(formed))
    types = {"cost": "number", "tags": "list"}
    try:
        banlist = parse_banlist(listed, source="list", day=DAY) if listed else None
        one, other = (
            Ruleset(format_of(text), banlist, pool, DAY)
            for pool in (
                pool_of(CARDS, complete=complete, attributes=types),
                shuffled_pool(CARDS, dice.random(), complete=complete, attributes=types),
            )
        )
    except TourneyError:
        return

    def written(parts):
        return "\n".join(f"{zone}\n" + "\n".join(lines) for zone, lines in parts.items())

    mixed = list(parts)
    dice.shuffle(mixed)
    again = {zone: dice.sample(parts[zone], len(parts[zone])) for zone in mixed}
    first = verdict(one, written(parts), trust_declared=trust)
    assert gist(verdict(other, written(again), trust_declared=trust)) == gist(first)


KITS = {
    "commander": (games.COMMANDER, {"supertypes": "list", "types": "list", "identity": "list",
                                    "any_number": "flag", "copies": "number", "partner": "text"}),
    "arena": (games.ARENA, {"keywords": "list", "specialization": "text", "talents": "list"}),
    "investigators": (games.INVESTIGATORS, {"permanent": "flag", "weakness": "flag", "signature": "text",
        "traits": "list", "level": "number"}),
    "clans": (games.CLANS, {}),
    "inn": (games.INN, {"blood": "number", "frost": "number", "unholy": "number", "rarity": "text"}),
    "galaxy": (games.GALAXY, {}),
    "twin_suns": (games.GALAXY, {}),
}  # fmt: skip


@with_rows("seed", range(amount(1, of=3)))
@with_rows("name", KITS)
def test_random_decks_of_other_games_in_another_order(name, seed):
    """Random cards in any zone break many rules at once, and always the same ones."""
    cards, types = KITS[name]
    dice = Random(f"{name} {seed}")
    one = games.ruleset(name, cards, attributes=types)
    other = Ruleset(one.format, None, shuffled_pool(cards, seed, attributes=types), DAY)
    for _ in range(6):
        zones = [zone.rule.id for zone in one.format.zones if zone.rule.counts]
        parts = [
            [
                zone,
                *(f"{dice.randint(1, 3)} {card}" for card in dice.sample(list(cards), min(len(cards), 12))),
            ]
            for zone in zones
        ]
        text = "\n".join("\n".join(part) for part in parts)
        dice.shuffle(parts)
        again = "\n".join("\n".join([part[0], *dice.sample(part[1:], len(part) - 1)]) for part in parts)
        assert gist(verdict(other, again)) == gist(verdict(one, text))


LIBRARY = Library([shipped()])


@with_rows("name", LIBRARY.formats())
def test_random_decks_of_shipped_formats_in_another_order(name):
    """The formats' examples, and decks drawn from their pools."""
    format_ = LIBRARY.format(name)
    pool = LIBRARY.pool_of(format_)
    ruleset = Ruleset(format_, None, pool, DAY)
    words = vocabulary_of(format_)
    for placed in format_.examples:
        judged(read(placed.rule.deck, source="example", vocabulary=words), ruleset, trust_declared=True)
    dice = Random(name)
    cards = [*sorted(card.name for card in pool), "Nobody's Card", "Another Card"]
    for _ in range(4):
        zones = [zone.rule.name or zone.rule.id for zone in format_.zones if zone.rule.counts]
        drawn = [[zone, *(f"{dice.randint(1, 5)} {dice.choice(cards)}" for _ in range(25))] for zone in zones]
        judged(
            read("\n".join(line for part in drawn for line in part), source="drawn", vocabulary=words),
            ruleset,
        )


@with_rows("name", LIBRARY.formats())
def test_shipped_examples_pass_with_a_reversed_pool(name):
    format_ = LIBRARY.format(name)
    files = LIBRARY.find_pool(format_.pool)
    turned = {code: b"\n".join(lines.splitlines()[::-1]) for code, lines in files.sets.items()}
    pools = LIBRARY.pool_of(format_), parse_pool(files.head, turned, source="pool.toml")
    one, other = (Ruleset(format_, None, pool, DAY) for pool in pools)
    ran = [list(run_examples(format_, lambda _, ruleset=ruleset: ruleset)) for ruleset in (one, other)]
    assert [gist(run.verdict) for run in ran[0]] == [gist(run.verdict) for run in ran[1]]


def test_sample_files_in_another_order():
    """The sample files of every grammar, judged by a plain format with an open pool."""
    text = (
        '[format]\nid = "invented/plain"\n[[zone]]\nid = "deck"\ndefault = true\nsize = { min = 40 }\n'
        '[[zone]]\nid = "side"\noptional = true\n[[limit]]\nid = "copies"\nby = "name"\nmax = 3\n'
    )
    ruleset = rules(text)
    for place in sorted(golden("decklists").iterdir()):
        if place.name not in {"README.md", "mtgo-draft-log.draft"}:
            for decklist in read_all(place.read_bytes(), source=place.name, format_=ruleset.format):
                judged(decklist, ruleset)


@with_rows("seed", range(2))
def test_netrunner_decks_with_a_shuffled_pool(seed):
    """World championship decks under a later ban list."""
    cases = json.loads(golden("decks", "netrunner_worlds_asof.json").read_text(encoding="utf-8"))["cases"]
    lines = [netrunner.card_line(card) for card in netrunner.load("cards")]
    Random(seed).shuffle(lines)
    pool = parse_pool(netrunner.POOL, {"all": "\n".join(lines)}, source="netrunner/pool.toml")
    for case in cases:
        usual = netrunner.ruleset_on(date(2026, 8, 1))
        other = Ruleset(usual.format, usual.banlist, pool, usual.day, usual.settings)
        text = "\n".join(f"{copies} {code}" for code, copies in case["cards"].items())
        decklist = read(text, source=case["id"], format_=usual.format)
        assert gist(check(reordered(decklist, seed), other)) == gist(check(decklist, usual))
