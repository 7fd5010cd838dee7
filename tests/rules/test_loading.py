"""Format files: errors name file, key path and reason; overlays; short forms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import examples, with_rows
from tests.rules.kit import format_of, no_parent
from tourney.errors import TourneyError
from tourney.rules import parse_format

HEAD = '[format]\nid = "game/standard"\n'
ZONE = '[[zone]]\nid = "deck"\n'


def error_of(text, parent=no_parent):
    """Return the message of the error for a format file."""
    with pytest.raises(TourneyError) as error:
        parse_format(text, source="f.toml", parent=parent)
    return error.value.message


@with_rows(
    ("text", "message"),
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
        (HEAD + ZONE + "size = { min = 3.5 }",
         "f.toml: zone[0].size.min: expected a whole number or text, found a number"),
        (HEAD + ZONE + "size = -1", "f.toml: zone[0].size.exactly: -1 is below 0"),
        (HEAD + ZONE + "size = { min = 5, max = 4 }",
         "f.toml: zone[0].size: at least 5 and at most 4 cannot both hold"),
        (HEAD + ZONE + "size = { exactly = 5, max = 4 }",
         "f.toml: zone[0].size: with `exactly`, leave out `min` and `max`"),
        (HEAD + ZONE + ZONE, "f.toml: zone[1].id: there is a zone `deck` already (zone[0])"),
        (HEAD + "[[zone]]\nname = 'x'", "f.toml: zone[0]: the key `id` is missing"),
        (HEAD + ZONE + "default = true\n[[zone]]\nid = 'b'\ndefault = true",
         "f.toml: zone[1].default: `deck` is the default zone already"),
        (HEAD + "[[limit]]\nmax = 3", "f.toml: limit[0]: the key `id` is missing"),
        (HEAD + "[[limit]]\nid = 'x'", "f.toml: limit[0]: a limit needs `max`, `min` or `exactly`"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = '4x'",
         "f.toml: limit[0].max: column 1: numbers are written `3` or `2.5`: `4x`"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\nwhere = 'kind = 1'",
         "f.toml: limit[0].where: column 6: to compare, write `==`: `kind = 1`"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 'cost'", "f.toml: limit[0].max: column 1: `cost` needs a card"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\nzones = ['dekc']",
         "f.toml: limit[0].zones[0]: there is no zone `dekc`; the only choice is deck"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\nwhen = \"size('dekc') > 3\"",
         "f.toml: limit[0].when: column 6: there is no zone `dekc`"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\nwhere = 'faction != leader.faction'",
         "f.toml: limit[0].where: column 12: `leader.faction`: the format has no [leader]"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\nexcept = [{ max = 3 }]",
         "f.toml: limit[0].except[0]: the key `where` is missing"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\nexcept = [{ where = 'a', weigh = 1, max = 2 }]",
         "f.toml: limit[0].except[0]: cards with `weigh` are still counted"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\ndistinct = 'a'\nweigh = 'b'",
         "f.toml: limit[0]: `distinct` and `weigh` cannot be used together"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 4\n[[require]]\nid = 'x'\nthat = 'true'",
         "f.toml: require[0].id: there is a rule `x` already (limit[0])"),
        (HEAD + "[[require]]\nid = 'x'\nthat = 'kind == 1'",
         "f.toml: require[0].that: column 1: `kind` needs a card"),
        (HEAD + "[[require]]\nid = 'x'", "f.toml: require[0]: the key `that` is missing"),
        (HEAD + "[[require]]\nid = 'x'\nthat = 'true'\nmessage = 'a {b'",
         "f.toml: require[0].message: column 3: a brace without its partner"),
        (HEAD + "[[require]]\nid = 'x'\nthat = 'true'\nmessage = 'a {}'",
         "f.toml: require[0].message: column 3: nothing between the braces"),
        (HEAD + "[[require]]\nid = 'x'\nthat = 'true'\nmessage = 'a {b c}'",
         "f.toml: require[0].message: column 3: `c` is not expected here"),
        (HEAD + "[[require]]\nid = 'x'\nthat = 'true'\nseverity = 'fatal'",
         "f.toml: require[0].severity: expected advice or error, found `fatal`"),
        (HEAD + "[[require]]\nid = 'x'\nthat = 'true'\nstanding = 'rumour'",
         "f.toml: require[0].standing: expected "),
        (HEAD + "[[require]]\nid = 'x'\nthat = \"listed('powr')\"\nwhere = 'true'",
         "f.toml: require[0].that: column 8: there is no list `powr`"),
        (HEAD + "[[require]]\nid = 'x'\nthat = 'setting.goal > 3'",
         "f.toml: require[0].that: column 1: there is no setting `goal`"),
        (HEAD + "[[cover]]\neach = ['a', 'b']", "f.toml: cover[0]: `by` is missing"),
        (HEAD + "[[cover]]\neach = { a = 'x', b = 'y z' }",
         "f.toml: cover[0].each.b: column 3: `z` is not expected here"),
        (HEAD + "[kit]\ncards = { A = 0 }", 'f.toml: kit.cards."A": expected at least 1 copy, found 0'),
        (HEAD + "[kit]\nzone = 'box'\ncards = { A = 1 }",
         "f.toml: kit.zone: there is no zone `box`; the only choice is deck"),
        (HEAD + "[settings.goal]\ndefault = 3\nchoices = [1, 2]",
         "f.toml: settings.goal.default: `3` is not one of the choices"),
        (HEAD + "[define]\na = 'b'\nb = 'not a'",
         "f.toml: define.a: column 5: `a` is defined by itself: `b`"),
        (HEAD + "[define]\na = '('", "f.toml: define.a: column 2: expected a value"),
        (HEAD + "drop = ['x']", "f.toml: format.drop: this format extends no other"),
        (HEAD + "[leader]\nzone = 'deck'\nsize = 2\n" + ZONE,
         "f.toml: leader: the zone `deck` has a table of its own; write `size`, `holds`"),
        (HEAD + "[[example]]\nname = 'x'\ndeck = ''\nlegal = true\nbreaks = ['size']",
         "f.toml: example[0]: a deck cannot be `legal` and break rules (size)"),
        (HEAD + "[[example]]\nname = 'x'\ndeck = ''\nunverified = true\nlegal = false",
         "f.toml: example[0]: with `unverified`, leave out `legal` and `breaks`"),
        (HEAD + "[[limit]]\nid = 'x'\nmax = 1\nsince = 'x'",
         "f.toml: limit[0].since: expected a date (YYYY-MM-DD)"),
        (HEAD + "[match]\nseats = 'two'",
         "f.toml: match.seats: expected a whole number or a table, found text"),
        (HEAD + "[printings]\nallow = ['old']", "f.toml: printings.allow[0]: expected "),
    ],
)  # fmt: skip
def test_an_error_names_file_key_path_and_reason(text, message):
    """Only the first error is reported, beginning with its place."""
    assert error_of(text).startswith(message)


@with_rows(
    "size",
    ["size = \"size('deck')\"", "size = { max = \"2 * size('deck')\" }", 'size = { min = "size() - 1" }'],
)
def test_rejects_a_size_bounded_by_itself(size):
    """Directly, in a sum, or as part of the whole list."""
    assert "cannot be bounded by itself" in error_of(HEAD + ZONE + size)


def test_rejects_a_format_that_extends_itself():
    """Directly, or through another format."""
    texts = {
        "a/x": '[format]\nid = "a/x"\nextends = "a/y"',
        "a/y": 'extends = "a/x"\n[format]\nid = "a/y"',
        "a/z": '[format]\nid = "a/z"\nextends = "a/z"',
    }

    def parent(name):
        return parse_format(texts[name], source=name, parent=parent)

    assert "a format cannot extend itself (a/x → a/y → a/x)" in error_of(texts["a/x"], parent)
    assert "a format cannot extend itself (a/z → a/z)" in error_of(texts["a/z"], parent)


def test_errors_of_the_extended_format():
    """The message says whether it is missing or faulty, and names it."""
    text = '[format]\nid = "a/x"\nextends = "a/y"'
    assert error_of(text) == "f.toml: extends: there is no format `a/y`"

    def faulty(name):
        return parse_format("[format]\nid = 3", source="y.toml", parent=no_parent)

    assert (
        error_of(text, faulty)
        == "f.toml: extends `a/y`: y.toml: format.id: expected text, found a whole number"
    )
    assert "set twice" in error_of('extends = "b/y"\n' + text, faulty)


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


def test_an_overlay_changes_only_what_it_names():
    """It replaces rules of the same id, adds others and drops some. The rest stays."""
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


def test_an_overlay_can_drop_the_ban_list_and_replace_tables():
    """`banlist = "none"` drops it; `[match]` replaces the whole table."""
    house = overlay(
        '[format]\nid = "club/x"\nextends = "game/standard"\nbanlist = "none"\n[match]\nseats = 4\n'
    )
    assert (house.banlist, house.match.seats, house.match.games) == (None, 4, 1)


def test_rejects_dropping_an_unknown_rule():
    """The hint lists the rules."""
    with pytest.raises(TourneyError, match="has no rule `copys`") as error:
        overlay('[format]\nid = "club/x"\nextends = "game/standard"\ndrop = ["copys"]\n')
    assert error.value.hint.endswith("`: copies, heroes, zone:deck, zone:hero")


def test_rejects_dropping_a_zone_that_rules_name():
    """The overlay is proofread together with what it inherits."""
    text = '[format]\nid = "club/x"\nextends = "game/standard"\ndrop = ["zone:hero"]\n'
    with pytest.raises(TourneyError, match="there is no zone `hero`"):
        overlay(text)
    with pytest.raises(
        TourneyError, match=r"^club\.toml: an inherited rule does not fit this format: format\.toml: "
    ):
        parse_format(text, source="club.toml", parent=lambda name: format_of(BASE))


def test_the_digest_covers_the_parents():
    """If the parent changes, the digest changes."""
    text = '[format]\nid = "club/x"\nextends = "game/standard"\n'
    first = overlay(text)
    second = format_of(text, parent=lambda name: format_of(BASE.replace("max = 4", "max = 3")))
    assert first.digest != second.digest
    assert first.digest == overlay(text).digest


def test_short_forms_are_written_out():
    """A number is an exact size, `per = "zone"` adds to `by`, and a leader declares its zone."""
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


def test_a_format_without_zones_has_a_deck():
    """Its only zone is `deck`."""
    assert format_of("").default_zone == "deck"


def test_an_id_without_a_slash_is_the_game():
    """The game is the whole id."""
    assert format_of('[format]\nid = "chess-cards"\n').game == "chess-cards"


WORDS = st.sampled_from(
    ["[format]", 'id = "a/b"', "[[zone]]", "[[limit]]", "[leader]", "max = 3", "max = \"size('deck')\"",
     "by = 'name'", "where = 'x'", "[[require]]", "that = 'n() > 3'", "[kit]", "cards = { A = 1 }",
     "[[allow]]", "[[cover]]", "each = ['a']", "zone = 'deck'", "size = { min = 1 }", "size = 60",
     "holds = 'n(x) > 0'", "[define]", "x = 'y'", "y = 'x'", "message = '{x}'", "except = [{ where = 'x' }]",
     "[[example]]", "name = 'n'", "deck = '4 A'", "since = 2026-01-01", "per = 'zone'", "[override.A]",
     "set = { x = 1 }", "\x00", "'"]
)  # fmt: skip


@examples(75, of=300)
@given(st.lists(WORDS, max_size=14))
def test_any_lines_load_or_are_rejected(words):
    """No sequence of lines crashes the loader."""
    try:
        parse_format("\n".join(words), source="f.toml", parent=no_parent)
    except TourneyError as error:
        message = error.message
    else:
        message = "f.toml: "
    assert message.startswith("f.toml: ")
