"""Profile files: their keys, inheritance, editions and errors."""

from datetime import date
from fractions import Fraction

import pytest

from tests.desk.kit import library
from tests.kit import with_rows
from tests.standings.profiles import FOLDER, house, shipped, text_of
from tourney.errors import TourneyError
from tourney.record import Outcome
from tourney.standings import load_profile, no_parent, parse_profile, with_order

SHIPPED = sorted(path.stem for path in FOLDER.glob("*.toml"))
HOUSE = 'extends = "mtr"\ntitle = "house"\n'


def refused(text, parent=shipped):
    with pytest.raises(TourneyError) as caught:
        parse_profile(text, source="house.toml", parent=parent)
    return caught.value.message


@with_rows("name", SHIPPED)
def test_every_shipped_profile_has_a_source_and_a_date(name):
    """Also a title, and notes on special rules."""
    profile = shipped(name)
    assert profile.name == name
    assert profile.title
    assert len(profile.source) > 20
    assert date(2009, 1, 1) <= profile.since <= date(2026, 12, 31)
    assert profile.notes or profile.extends
    assert profile.order[0] == "PTS"
    assert set(profile.outcomes) == set(Outcome)


@with_rows("name", SHIPPED)
def test_every_shipped_edition_can_be_selected(name):
    """By its first day; the newest without a day."""
    profile = shipped(name)
    for edition in profile.editions:
        assert profile.on(edition.since).edition == edition.since
        assert edition.source
    if profile.editions:
        assert profile.on(None).edition == profile.editions[-1].since


def test_an_edition_is_in_force_until_the_next():
    """melee.gg's own game-win floor changed four times from May 2024 to November 2025."""
    floors = {
        date(2024, 1, 4): True,
        date(2024, 5, 12): True,
        date(2024, 5, 13): False,
        date(2025, 8, 19): False,
        date(2025, 8, 21): True,
        date(2025, 8, 28): False,
        date(2025, 11, 11): False,
        date(2025, 11, 12): True,
        date(2030, 1, 1): True,
    }
    assert {day: shipped("melee", day).game_win.own_floor for day in floors} == floors


def test_a_day_before_the_first_edition_selects_the_first():
    """Nothing older is known."""
    assert shipped("fide", date(1999, 1, 1)).edition == date(2009, 7, 1)
    assert shipped("fide", date(1999, 1, 1)).unplayed_treatment == "virtual"


def test_fide_editions():
    """The treatment of unplayed rounds by the day of the event."""
    days = {date(2023, 7, 31): "virtual", date(2023, 8, 1): "dummy", date(2026, 2, 28): "dummy"}
    days[date(2026, 3, 1)] = "capped-dummy"
    assert {day: shipped("fide", day).unplayed_treatment for day in days} == days


def test_a_house_file_overrides_its_parent():
    """Tables are merged by key; lists and numbers are replaced."""
    profile = house(
        HOUSE + 'order = ["PTS", "GW"]\n[match-win]\nfloor = "1/4"\n[outcomes]\nbye = { points = 2 }\n'
    )
    parent = shipped("mtr")
    assert profile.order == ("PTS", "GW")
    assert profile.match_win.floor == Fraction(1, 4)
    assert profile.game_win == parent.game_win
    assert profile.outcomes[Outcome.BYE].points == 4
    assert profile.outcomes[Outcome.BYE].games == (2, 0, 0)
    assert profile.outcomes[Outcome.WIN] == parent.outcomes[Outcome.WIN]
    assert (profile.name, profile.extends) == ("house", "mtr")


def test_a_house_file_overrides_every_edition_of_its_parent():
    """`fide-plain` is the same on every day."""
    for day in (date(2015, 1, 1), date(2025, 1, 1), date(2026, 4, 1)):
        assert shipped("fide-plain", day).unplayed_treatment == "as-scored"
        child = house('extends = "melee"\ntitle = "x"\n[game-win]\nown-floor = true\n').on(day)
        assert child.game_win.own_floor


def test_a_child_can_have_editions():
    """They apply from their own day, beside the parent's."""
    child = house('extends = "melee"\ntitle = "x"\n[[edition]]\nsince = 2025-01-01\norder = ["PTS"]\n')
    assert child.on(date(2024, 6, 1)).order == shipped("melee").order
    assert child.on(date(2024, 6, 1)).game_win.own_floor is False
    assert child.on(date(2025, 2, 1)).order == ("PTS",)
    assert child.on(date(2025, 2, 1)).game_win.own_floor is False


@with_rows(
    ("written", "exact"),
    [('"1/3"', "1/3"), ("0.33", "33/100"), ('"0.33"', "33/100"), ("0", "0"), ("1", "1"), ("0.1", "1/10")],
)
def test_reads_decimals_exactly(written, exact):
    """0.33 is 33/100, not the nearest binary number."""
    assert house(f"{HOUSE}[match-win]\nfloor = {written}\n").match_win.floor == Fraction(exact)


@with_rows(
    ("text", "message"),
    [
        ("[match-win]\nfloor = 2", "house.toml: match-win.floor: 2 is not between 0 and 1"),
        ("[game-win]\nfloor = -0.1", "house.toml: game-win.floor: -0.1 is not between 0 and 1"),
        (
            '[match-win]\nfloor = "a third"',
            "house.toml: match-win.floor: `a third` is not a number (`2½`, `0.33`, `1/3`)",
        ),
        (
            '[match-win]\nfloor = "1e999999999"',
            "house.toml: match-win.floor: `1e999999999` is not a number (`2½`, `0.33`, `1/3`)",
        ),
        (
            '[outcomes]\nwin = { points = "1e999999999" }',
            "house.toml: outcomes.win.points: `1e999999999` is not a number",
        ),
        ("[printing]\ndecimals = 99", "house.toml: printing.decimals: 99 is not between 0 and 12"),
        ('[match-win]\nfloor = "1/0"', "house.toml: match-win.floor: `1/0` is not a number: it divides by 0"),
        ("[match-win]\nfloor = 0.5\ncap-dropped = 0.4", "house.toml: match-win.floor: 0.5 is above the cap"),
        ('order = ["PTS", "OWM"]', "house.toml: order[1]: there is no tie-break `OWM`"),
        ('order = ["PTS", "BH/C9"]', "house.toml: order[1]: there is no tie-break `BH/C9`"),
        ("order = []", "house.toml: order: no tie-break is named; `PTS` alone ranks by points"),
        (
            "[outcomes]\nwin = { points = 0.3 }",
            "house.toml: outcomes.win.points: `0.3` is not a multiple of ½",
        ),
        (
            "[outcomes]\nwin = { points = 0 }",
            "house.toml: outcomes.win.points: a win must be worth more than 0",
        ),
        (
            '[outcomes]\nbye = { points = 3, games = "two" }',
            "house.toml: outcomes.bye.games: `two` is neither `played`, `none` nor games such as `2-0`",
        ),
        ("[outcomes]\nbye = { pints = 3 }", "house.toml: outcomes.bye: unknown key `pints`"),
        (
            f'[outcomes]\nbye = {{ points = 3, games = "{"9" * 5000}-0" }}',
            "house.toml: outcomes.bye.games: `99",
        ),
        (f"[tables.win]\n{'9' * 5000} = 3", "house.toml: tables.win: `99"),
        ("[match-wins]\nfloor = 0", "house.toml: unknown key `match-wins`"),
        ("title = 3", "house.toml: title: expected text, found a whole number"),
        ('unplayed = "ghost"', "house.toml: unplayed:"),
        ('[drops]\nfreeze = ["XYZ"]', "house.toml: drops.freeze[0]: there is no tie-break `XYZ`"),
        ("[scoring]\nscore-cap = -1", "house.toml: scoring.score-cap: -1 is less than 0"),
        ("[tables.win]\n1 = 3", "house.toml: tables.win: `1` is not a number of seats (2 or more)"),
        (
            "[tables.placement]\n3 = [3, 1]",
            "house.toml: tables.placement.3: 2 numbers of points for 3 places",
        ),
        (
            "[tables.placement]\n3 = [1, 2, 0]",
            "house.toml: tables.placement.3: a later place may not be worth more than an earlier one",
        ),
        (
            "[tables.placement]\n4 = [4, 2, 1, 0]",
            "house.toml: tables.placement.4: 3 players can share the places worth 4, 2, 1, "
            "but their mean is not a multiple of ½",
        ),
        (
            "[[edition]]\norder = ['PTS']",
            "house.toml: edition[0].since: expected the first day of the edition",
        ),
        (
            "[[edition]]\nsince = 2025-01-01\n[[edition]]\nsince = 2024-01-01",
            "house.toml: edition[1].since: 2024-01-01 does not come after 2025-01-01",
        ),
        (
            "[[edition]]\nsince = 2025-01-01\nmatch-win = { floor = 2 }",
            "house.toml: edition of 2025-01-01: match-win.floor: 2 is not between 0 and 1",
        ),
        (f"order = {['PTS'] * 101}", "house.toml: order: 101 tie-breaks, at most 100"),
        ("[[edition]]\nsince = 2025-01-01\n" * 201, "house.toml: edition: 201 editions, at most 200"),
        ("edition = 3", "house.toml: edition: expected a list of tables (`[[edition]]`)"),
        ("edition = [3]", "house.toml: edition[0]: expected a table"),
        ("order = [", "house.toml: not readable as TOML:"),
    ],
)
def test_rejects_a_faulty_file(text, message):
    """When it is read, also in an edition, with file and key path."""
    body = text if text.startswith("title") else f'title = "house"\n{text}'
    assert refused(f'extends = "mtr"\n{body}').startswith(message)


def test_a_file_without_a_parent_needs_all_keys():
    """Every outcome and the order."""
    assert refused('title = "x"', no_parent) == "house.toml: the key `source` is missing"
    text, _ = text_of("mtr")
    without = "\n".join(line for line in text.splitlines() if not line.startswith("double-loss"))
    assert refused(without, no_parent) == "house.toml: outcomes: the key `double-loss` is missing"


def test_rejects_a_parent_that_cannot_be_looked_up():
    """`extends` is text, and needs a function that finds profiles."""
    assert refused("extends = 3") == "house.toml: extends: expected the name of a profile"
    assert "other profiles cannot be looked up here" in refused('extends = "mtr"', no_parent)


def test_an_unknown_ancestor_is_reported_with_the_file_that_names_it():
    """The user may not know the ancestor."""
    assert refused('extends = "mtrx"', library().profile) == (
        "house.toml: extends `mtrx`: there is no standings profile `mtrx`; did you mean `mtr`?"
    )
    assert refused(f'extends = "{"x" * 5_000}"', library().profile).startswith("house.toml: extends `xxx")


def test_rejects_profiles_that_extend_each_other():
    """The message shows the circle."""
    files = {"a": 'extends = "b"', "b": 'extends = "c"', "c": 'extends = "a"'}
    with pytest.raises(
        TourneyError, match=r"a\.toml: extends: these profiles extend each other in a circle: a → b → c → a"
    ):
        load_profile("a", lambda name: (files[name], f"{name}.toml"))


def test_replaces_the_order():
    """`with_order` changes nothing else, and refuses unknown codes."""
    profile = with_order(shipped("fide"), ["PTS", "DE", "BH/M1", "DE"])
    assert profile.order == ("PTS", "DE", "BH/M1", "DE")
    assert profile.outcomes == shipped("fide").outcomes
    with pytest.raises(TourneyError, match="there is no tie-break `BUCHHOLZ`"):
        with_order(profile, ["BUCHHOLZ"])
