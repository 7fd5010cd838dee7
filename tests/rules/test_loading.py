"""Format files: what does not load is refused with file, key path and reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import examples
from tests.rules.kit import format_of, no_parent
from tourney.errors import TourneyError
from tourney.rules import parse_format

HEAD = '[format]\nid = "game/standard"\n'
ZONE = '[[zone]]\nid = "deck"\n'


def refusal(text, parent=no_parent):
    with pytest.raises(TourneyError) as refused:
        parse_format(text, source="f.toml", parent=parent)
    return refused.value.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "f.toml: the key `format` is missing"),
        ("[format]\nname = 'x'", "f.toml: format: the key `id` is missing"),
        ("[format]\nid = 3", "f.toml: format.id: expected text, found a whole number"),
        ("[format]\nid = ''", "f.toml: format.id: `` should be the game, a slash and the format"),
        ("[format]\nid = 'a//b'", "f.toml: format.id: `a//b` should be"),
        ("[format]\nid = '../b'", "f.toml: format.id: `../b` should be"),
        ("[format\nid = 3", "f.toml: not readable as TOML"),
        (HEAD + "[[limmit]]\nid = 'x'", "f.toml: unknown key `limmit`"),
        (HEAD + ZONE + "sise = 3", "f.toml: zone[0]: unknown key `sise`"),
        (HEAD + ZONE + "size = { min = 3.5 }", "f.toml: zone[0].size.min: expected a whole number or text, found a number"),
        (HEAD + ZONE + "size = -1", "f.toml: zone[0].size.exactly: -1 is less than no cards at all"),
        (HEAD + ZONE + "size = { min = 5, max = 4 }", "f.toml: zone[0].size: at least 5 and at most 4 cannot both hold"),
        (HEAD + ZONE + "size = { exactly = 5, max = 4 }", "f.toml: zone[0].size: `exactly` says it all"),
        (HEAD + ZONE + ZONE, "f.toml: zone[1].id: there is a zone `deck` already (zone[0])"),
        (HEAD + "[[zone]]\nname = 'x'", "f.toml: zone[0]: the key `id` is missing"),
        (HEAD + ZONE + "default = true\n[[zone]]\nid = 'b'\ndefault = true", "f.toml: zone[1].default: `deck` is the default zone already"),
        (HEAD + "[[limit]]\nmax = 3", "f.toml: limit[0]: the key `id` is missing"),
        (HEAD + "[[limit]]\nid = 'x'", "f.toml: limit[0]: a limit needs `max`, `min` or `exactly`"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = '4x'", "f.toml: limit[0].max: column 1: numbers are written `3` or `2.5`: `4x`"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\nwhere = 'kind = 1'", "f.toml: limit[0].where: column 6: to compare, write `==`: `kind = 1`"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 'cost'", "f.toml: limit[0].max: column 1: `cost` of which card?"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\nzones = ['dekc']", "f.toml: limit[0].zones[0]: there is no zone `dekc`; there are deck"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\nwhen = \"size('dekc') > 3\"", "f.toml: limit[0].when: column 6: there is no zone `dekc`"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\nwhere = 'faction != leader.faction'", "f.toml: limit[0].where: column 12: `leader.faction`: the format has no [leader]"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\nexcept = [{ max = 3 }]", "f.toml: limit[0].except[0]: the key `where` is missing"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\nexcept = [{ where = 'a', weigh = 1, max = 2 }]", "f.toml: limit[0].except[0]: `weigh` keeps the cards in the count"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\ndistinct = 'a'\nweigh = 'b'", "f.toml: limit[0]: `distinct` counts values, `weigh` adds up copies"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\n[[require]]\nid = 'x'\nthat = 'true'", "f.toml: require[0].id: there is a rule `x` already (limit[0])"),
        (HEAD + "[[require]]\nid = 'x'\nthat = 'kind == 1'", "f.toml: require[0].that: column 1: `kind` of which card?"),
        (HEAD + "[[require]]\nid = 'x'", "f.toml: require[0]: the key `that` is missing"),
        (HEAD + "[[require]]\nid = 'x'\nthat = 'true'\nmessage = 'a {b'", "f.toml: require[0].message: column 3: a brace without its partner"),
        (HEAD + "[[require]]\nid = 'x'\nthat = 'true'\nmessage = 'a {}'", "f.toml: require[0].message: column 3: nothing between the braces"),
        (HEAD + "[[require]]\nid = 'x'\nthat = 'true'\nmessage = 'a {b c}'", "f.toml: require[0].message: column 3: `c` is not expected here"),
        (HEAD + "[[require]]\nid = 'x'\nthat = 'true'\nseverity = 'fatal'", "f.toml: require[0].severity: expected advice or error, found `fatal`"),
        (HEAD + "[[require]]\nid = 'x'\nthat = 'true'\nstanding = 'rumour'", "f.toml: require[0].standing: expected "),
        (HEAD + "[[require]]\nid = 'x'\nthat = \"listed('powr')\"\nwhere = 'true'", "f.toml: require[0].that: column 8: there is no list `powr`"),
        (HEAD + "[[require]]\nid = 'x'\nthat = 'setting.goal > 3'", "f.toml: require[0].that: column 1: there is no setting `goal`"),
        (HEAD + "[[cover]]\neach = ['a', 'b']", "f.toml: cover[0]: `by` is missing"),
        (HEAD + "[[cover]]\neach = { a = 'x', b = 'y z' }", "f.toml: cover[0].each.b: column 3: `z` is not expected here"),
        (HEAD + "[kit]\ncards = { A = 0 }", 'f.toml: kit.cards."A": 0 copies: a card in the box has at least one'),
        (HEAD + "[kit]\nzone = 'box'\ncards = { A = 1 }", "f.toml: kit.zone: there is no zone `box`; there are deck"),
        (HEAD + "[settings.goal]\ndefault = 3\nchoices = [1, 2]", "f.toml: settings.goal.default: `3` is not one of the choices"),
        (HEAD + "[define]\na = 'b'\nb = 'not a'", "f.toml: define.a: column 5: `a` is defined by itself: `b`"),
        (HEAD + "[define]\na = '('", "f.toml: define.a: column 2: expected a value"),
        (HEAD + "drop = ['x']", "f.toml: format.drop: there is nothing to drop"),
        (HEAD + "[leader]\nzone = 'deck'\nsize = 2\n" + ZONE, "f.toml: leader: `size`, `holds`, `headers` and `optional` belong to the zone `deck`"),
        (HEAD + "[[example]]\nname = 'x'\ndeck = ''\nlegal = true\nbreaks = ['size']", "f.toml: example[0]: a deck cannot be `legal` and break size"),
        (HEAD + "[[example]]\nname = 'x'\ndeck = ''\nunverified = true\nlegal = false", "f.toml: example[0]: a deck that is `unverified`"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 1\nsince = 'x'", "f.toml: limit[0].since: expected a date (YYYY-MM-DD)"),
        (HEAD + "[match]\nseats = 'two'", "f.toml: match.seats: expected a whole number or a table, found text"),
        (HEAD + "[printings]\nallow = ['old']", "f.toml: printings.allow[0]: expected "),
    ],
)  # fmt: skip
def test_what_does_not_load_names_file_key_path_and_reason(text, said):
    """The first fault, in our words, the place first."""
    assert refusal(text).startswith(said)


@pytest.mark.parametrize(
    "size",
    ["size = \"size('deck')\"", "size = { max = \"2 * size('deck')\" }", 'size = { min = "size() - 1" }'],
)
def test_a_rule_that_refers_to_itself_is_refused(size):
    """A zone bounded by its own size says nothing, or cannot be kept."""
    assert "cannot be bounded by itself" in refusal(HEAD + ZONE + size)


def test_a_format_that_extends_itself_is_refused():
    """Directly, and over others, also where the caller does not look out for it."""
    texts = {
        "a/x": '[format]\nid = "a/x"\nextends = "a/y"',
        "a/y": 'extends = "a/x"\n[format]\nid = "a/y"',
        "a/z": '[format]\nid = "a/z"\nextends = "a/z"',
    }

    def parent(name):
        return parse_format(texts[name], source=name, parent=parent)

    assert "a format cannot extend itself (a/x → a/y → a/x)" in refusal(texts["a/x"], parent)
    assert "a format cannot extend itself (a/z → a/z)" in refusal(texts["a/z"], parent)


def test_an_unknown_parent_and_a_faulty_one_are_told_apart():
    """The message names what was to be extended."""
    text = '[format]\nid = "a/x"\nextends = "a/y"'
    assert refusal(text) == "f.toml: extends: there is no format `a/y`"

    def faulty(name):
        return parse_format("[format]\nid = 3", source="y.toml", parent=no_parent)

    assert (
        refusal(text, faulty)
        == "f.toml: extends `a/y`: y.toml: format.id: expected text, found a whole number"
    )
    assert "said twice" in refusal('extends = "b/y"\n' + text, faulty)


BASE = """
[format]
id = "game/standard"
banlist = "game/list"
rules = "1.0"
[leader]
noun = "hero"
zone = "hero"
[[zone]]
id = "deck"
default = true
size = 60
[[limit]]
id = "copies"
by = "name"
max = 4
cite = "page 2"
[[limit]]
id = "heroes"
where = "kind == 'hero'"
max = 1
[lists]
power = ["One"]
[settings.goal]
default = 20
[match]
games = 3
[standings]
profile = "mtr"
"""


def overlay(text):
    return format_of(text, parent=lambda name: format_of(BASE))


def test_an_overlay_says_only_what_is_different():
    """Rules of one id are replaced in their place, others are added, what is dropped is gone, the rest stays."""
    house = overlay("""
[format]
id = "club/friday"
extends = "game/standard"
drop = ["heroes"]
[[limit]]
id = "new"
where = "kind == 'villain'"
max = 2
[[limit]]
id = "copies"
by = "name"
max = 1
[[zone]]
id = "side"
size = { max = 5 }
[lists]
weak = ["Two"]
""")
    assert [(rule.rule.id, rule.rule.max, rule.origin) for rule in house.rules["limit"]] == [
        ("copies", 1, "club/friday"),
        ("new", 2, "club/friday"),
    ]
    assert [zone.rule.id for zone in house.zones] == ["deck", "hero", "side"]
    assert (house.parents, house.pool, house.game) == (("game/standard",), "game", "club")
    assert (house.banlist, house.edition, house.match.games, house.standings.profile) == (
        "game/list",
        "1.0",
        3,
        "mtr",
    )
    assert set(house.lists) == {"power", "weak"}
    assert house.leader is not None
    assert house.settings["goal"].default == 20


def test_an_overlay_may_do_without_the_ban_list_and_with_other_matches():
    """`banlist = "none"`; a section said anew replaces the whole section."""
    house = overlay(
        '[format]\nid = "club/x"\nextends = "game/standard"\nbanlist = "none"\n[match]\nseats = 4\n'
    )
    assert (house.banlist, house.match.seats, house.match.games) == (None, 4, 1)


def test_dropping_what_is_not_there_is_refused():
    """With what there is."""
    with pytest.raises(TourneyError, match="has no rule `copys`") as refused:
        overlay('[format]\nid = "club/x"\nextends = "game/standard"\ndrop = ["copys"]\n')
    assert refused.value.hint == "its rules: copies, heroes, zone:deck, zone:hero"


def test_dropping_a_zone_that_rules_still_name_is_refused():
    """The overlay is proofread as a whole."""
    text = '[format]\nid = "club/x"\nextends = "game/standard"\ndrop = ["zone:hero"]\n'
    with pytest.raises(TourneyError, match="there is no zone `hero`"):
        overlay(text)
    with pytest.raises(
        TourneyError, match=r"^club\.toml: a rule that it inherits does not hold in it: format\.toml: "
    ):
        parse_format(text, source="club.toml", parent=lambda name: format_of(BASE))


def test_the_digest_covers_the_parents():
    """A changed parent is a changed format."""
    text = '[format]\nid = "club/x"\nextends = "game/standard"\n'
    first = overlay(text)
    second = format_of(text, parent=lambda name: format_of(BASE.replace("max = 4", "max = 3")))
    assert first.digest != second.digest
    assert first.digest == overlay(text).digest


def test_sugar_is_rewritten():
    """A number is an exact size, `per = "zone"` is one more thing to count by, a leader brings its zone."""
    format_ = format_of("""
[leader]
noun = "hero"
[[zone]]
id = "deck"
size = 60
[[limit]]
id = "copies"
by = "name"
per = "zone"
max = 4
""")
    assert format_.zone("deck").size.exactly == 60
    assert format_.rules["limit"][0].rule.by == ("name", "zone")
    assert (format_.zone("leader").size.exactly, format_.zone("leader").name) == (1, "hero")
    assert format_.default_zone == "deck"


def test_a_format_without_zones_has_one():
    """Simple things are simple."""
    assert format_of("").default_zone == "deck"


def test_an_id_without_a_slash_is_a_game_of_one_format():
    """The game is the id."""
    assert format_of('[format]\nid = "chess-cards"\n').game == "chess-cards"


WORDS = st.sampled_from(
    ["[format]", 'id = "a/b"', "[[zone]]", "[[limit]]", "[leader]", "max = 3", "max = \"size('deck')\"", "by = 'name'", "where = 'x'",
     "[[require]]", "that = 'n() > 3'", "[kit]", "cards = { A = 1 }", "[[allow]]", "[[cover]]", "each = ['a']", "zone = 'deck'",
     "size = { min = 1 }", "size = 60", "holds = 'n(x) > 0'", "[define]", "x = 'y'", "y = 'x'", "message = '{x}'", "except = [{ where = 'x' }]",
     "[[example]]", "name = 'n'", "deck = '4 A'", "since = 2026-01-01", "per = 'zone'", "[override.A]", "set = { x = 1 }", "\x00", "'"]
)  # fmt: skip


@examples(75, of=300)
@given(st.lists(WORDS, max_size=14))
def test_any_heap_of_lines_loads_or_is_refused(words):
    """No traceback, whatever the file."""
    try:
        parse_format("\n".join(words), source="f.toml", parent=no_parent)
    except TourneyError as fault:
        refused = fault.message
    else:
        refused = "f.toml: "
    assert refused.startswith("f.toml: ")
