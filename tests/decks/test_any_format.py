"""Any format that loads can judge any deck: a verdict or an error, never a traceback.

All cards are invented.
"""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from tests.kit import examples
from tests.rules.kit import format_of, pool_of, verdict
from tourney.errors import TourneyError
from tourney.rules import Ruleset, parse_banlist

DAY = date(2026, 11, 20)
CARDS = {
    "Ant": {"kind": "unit", "cost": 1, "tags": ["a", "b"], "basic": True},
    "Bee": {"kind": "unit", "cost": None, "tags": [], "counts_as": "Ant"},
    "Cat": {
        "kind": "hero",
        "cost": 3,
        "aliases": ["Old Cat"],
        "printings": [{"set": "A", "status": "outdated"}],
    },
    "Dog": {"unknown": ["kind", "cost"]},
}
CONDITION = st.sampled_from(
    ["kind == 'unit'", "cost > 1", "'a' in tags", "basic", "qty > 2", "zone == 'deck'",
     "common(tags, leader.tags)", "kind == leader.kind", "n(kind == this.kind) > 2", "printed(set == 'A')",
     "listed('power')", "cost == none", "subset(tags, union(basic, tags))", "points('power') > 0", "true",
     "cost * 2 - 1 > leader.cost", "has('Cat')", "len(union(true, tags)) > 1", "not (cost // 0 > 1)", "tags",
     "setting.goal > 3", "kind in ['unit', none]",
     "cost not in [none, leader.cost]", "n(cost > 1) == 0", "n(basic) == 0 or has('Cat')"]
)  # fmt: skip
NUMBER = st.sampled_from(
    ["3", "\"cost\"", "\"size('deck') // 2\"", "\"leader.cost\"", "\"total(cost)\"", "\"distinct(name)\"",
     "0", "\"none\"",
     "\"max(union(true, cost))\"", "\"n() - 3\"", "\"min(tags, 2)\""]
)  # fmt: skip
DECK_NUMBER = st.sampled_from(
    [
        "3",
        "0",
        "\"size('side')\"",
        '"leader.cost"',
        '"n(cost > 1)"',
        "\"total(kind == 'unit', cost)\"",
        '"none"',
    ]
)
EXTRA = st.sampled_from(
    ["", "per = 'name'\n", "per = 'zone'\n", "severity = 'advice'\n", "zones = ['deck']\n",
     "when = \"size('deck') > 2\"\n", "weigh = 'cost'\n", "distinct = 'tags'\n",
     "weigh = 'cost * (qty - 1)'\n", "message = '{have} {allowed} {card}'\n",
     "except = [{ where = \"basic\" }]\n", "except = [{ where = \"cost > 1\", max = 1 }]\n",
     "except = [{ where = 'basic', weigh = 2 }]\n"]
)  # fmt: skip
DECK_CONDITION = st.sampled_from(
    ["n(cost > 1) == 0", "n(kind == 'unit') == 0 or has('Cat')", "not n(basic)", "total(cost) <= 3",
     "0 == n('a' in tags)",
     "size('side') == 0", "n(cost in [none, 1]) + n(basic) <= 1", "len(union(true, tags)) == 0",
     "leader.kind == 'hero'"]
)  # fmt: skip
RULE = st.one_of(
    st.builds("[[limit]]\nid = 'ID'\nwhere = \"{}\"\nby = {}\nmax = {}\n{}".format, CONDITION,
              st.sampled_from(["'name'", "'kind'", "'tags'", "'zone'", "['name', 'cost']",
                               "['kind', 'tags']"]), NUMBER, EXTRA),
    st.builds("[[limit]]\nid = 'ID'\nwhere = \"{}\"\nmin = {}\n{}".format, CONDITION, DECK_NUMBER, EXTRA),
    st.builds("[[limit]]\nid = 'ID'\nwhere = \"{}\"\nmax = 0\n{}".format, CONDITION, EXTRA),
    st.builds("[[require]]\nid = 'ID'\nwhere = \"{}\"\nthat = \"{}\"\n".format, CONDITION, CONDITION),
    st.builds("[[require]]\nid = 'ID'\nthat = \"{}\"\n{}".format, DECK_CONDITION,
              st.sampled_from(["", "zones = ['deck']\n", "where = 'basic'\n"])),
    st.builds("[[allow]]\nid = 'ID'\nwhere = \"{}\"\nmax = {}\n".format, CONDITION, DECK_NUMBER),
    st.builds("[[cover]]\nid = 'ID'\neach = ['a', 'b']\nby = '{}'\nwhere = \"{}\"\n".format,
              st.sampled_from(["tags", "kind", "cost"]), CONDITION),
    st.sampled_from(["[kit]\ncards = { Ant = 2, Nobody = 1 }\n",
                     "[kit]\ncards = { Ant = 2, Cat = 1 }\n[kit.members]\nAnt = \"kind == 'unit'\"\n"]),
)  # fmt: skip
ZONES = """
[leader]
noun = "hero"
holds = "kind == 'hero'"
[[zone]]
id = "deck"
default = true
size = { max = 9 }
headers = ["Crew"]
header_facts = { "Crew" = { kind = "unit", cost = 2 } }
other_facts = { kind = "hero" }
[[zone]]
id = "side"
optional = true
holds = "basic"
[settings.goal]
default = 3
[lists]
power = { Ant = 2, "Old Cat" = 1 }
"""
LINE = st.builds(
    "{} {}{}".format,
    st.integers(0, 4),
    st.sampled_from(["Ant", "bee", "Cat", "Old Cat", "Dog", "Nobody", "Antt"]),
    st.sampled_from(["", " (A) 1", " {kind=unit}", " {cost=2, tags=a|b}", " {cost=x}"]),
)
DECK = st.lists(
    st.one_of(LINE, st.sampled_from(["Leader", "Deck", "Crew", "Side", "Sideboard", "", "1 Cat"])),
    max_size=10,
).map("\n".join)
LISTS = st.sampled_from(
    [
        "",
        "[cards]\nAnt = 0\n",
        '[[where]]\nwhere = "cost > 1"\nmax = 1\n',
        "[points]\ntotal = 2\nAnt = 1\n",
        "[[group]]\ncards = ['Ant', 'Cat']\n",
    ]
)


@examples(30, of=120)
@given(st.lists(RULE, max_size=4), DECK, LISTS, st.booleans(), st.booleans())
def test_any_format_judges_any_deck(parts, deck, listed, complete, trust):
    """The verdict follows from its findings, and a second run gives the same verdict."""
    text = ZONES + "".join(part.replace("ID", f"rule-{number}") for number, part in enumerate(parts))
    pool = pool_of(CARDS, complete=complete, attributes={"cost": "number", "tags": "list"})
    try:
        banlist = parse_banlist(listed, source="list", day=DAY) if listed else None
        ruleset = Ruleset(format_of(text), banlist, pool, DAY)
    except TourneyError:
        return  # refused with file and key path: tests/rules/test_loading.py
    first = verdict(ruleset, deck, trust_declared=trust)
    assert first == verdict(ruleset, deck, trust_declared=trust)
    severities = {finding.severity.value for finding in first.findings}
    expected = "illegal" if "error" in severities else "unverified" if "unverified" in severities else "legal"
    assert first.verdict == expected
    lines = [finding.lines[0] if finding.lines else 10**9 for finding in first.findings]
    assert lines == sorted(lines)
