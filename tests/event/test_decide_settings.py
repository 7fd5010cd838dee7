"""Changed settings: today's limits apply to new values, not to values in an older journal."""

from datetime import datetime

import pytest

from tests.desk.kit import library
from tests.event.pad import Pad
from tests.kit import with_rows
from tourney.desk.gathering import changed_settings, new_settings, settings_of_format
from tourney.errors import TourneyError
from tourney.event import event_admin, ops
from tourney.event.settings import settings_from
from tourney.rules import parse_format
from tourney.store.data import Library

BEYOND = {
    "rounds": 5000,
    "best_of": 50_001,
    "first_table": 10**9,
    "minutes": 10**7,
    "keep_apart": {"club": 5000},
}


@with_rows("name", BEYOND)
@with_rows("changed", [False, True])
def test_an_older_value_beyond_todays_limits_blocks_no_change(name, changed):
    """Other settings can be changed; the setting itself only to a value within the limits."""
    value = BEYOND[name]
    pad = Pad("Ada", "Ben", **({} if changed else {name: value}))
    if changed:
        pad.write(ops.EventChanged(settings={name: value}))
    assert pad.state.settings.flat()[name] == value
    pad.do(event_admin.change_settings(pad.change, {"double": True}))
    pad.do(event_admin.change_settings(pad.change, {name: value, "awarded_bye_counts": False}))
    assert (pad.state.settings.pairing.double, pad.state.settings.pairing.awarded_bye_counts) == (True, False)
    assert pad.state.settings.flat()[name] == value
    larger = {"club": 5001} if name == "keep_apart" else value + 2
    with pytest.raises(TourneyError, match=f"settings: {name}: "):
        event_admin.change_settings(pad.change, {name: larger})
    pad.do(event_admin.change_settings(pad.change, {name: {"club": 3} if name == "keep_apart" else 3}))
    assert pad.state.settings.flat()[name] in (3, {"club": 3})


def test_an_older_choice_blocks_no_change():
    """A choice that the format no longer offers is ignored if another choice is changed."""
    format_ = Library.open(environ={"XDG_DATA_HOME": "/nowhere", "HOME": "/nowhere"}).format(
        "diamonsters/standard"
    )
    name, settings = "ichi_diamonds", Pad(choices={"long-gone": 7}).state.settings
    other = format_.settings[name].default
    assert changed_settings(format_, {name: other}, settings, datetime.now)["choices"] == {
        "long-gone": 7,
        name: other,
    }
    with pytest.raises(TourneyError, match="has no setting `long-gone`"):
        changed_settings(format_, {"choices": {"long-gone": 8}}, settings, datetime.now)


def test_a_bracket_has_the_events_table_sizes():
    """If the event's sizes were changed, the cut has them, too, so that it can be played."""
    kept = Pad(seats=(4, 3), cut_seats=4, cut_advance=2).state.settings
    changed = Pad(seats=(2, 3), cut_seats=4, cut_advance=2).state.settings
    assert (kept.bracket_seats, kept.bracket_advance) == (4, 2)
    assert (changed.bracket_seats, changed.bracket_advance) == (2, 1)


SIZES = [
    ("kingdoms/standard", {2}),
    ("kingdoms/two-games", {2}),
    ("red-diamond/standard", {2}),
    ("dimrift/classic", {2}),
    ("redline/standard", {2}),
    ("redline/scramble", {3}),
    ("diamonsters/standard", {2, 3, 4, 5, 6}),
]


@with_rows(("name", "there"), SIZES)
def test_table_sizes_must_be_possible_in_the_game(name, there):
    """One size, or one after the game's own. An event keeps its sizes."""
    format_ = library().format(name)
    own = settings_of_format(format_)
    for size in range(2, 9):
        for sizes in ([size], [own.match.seats[0], size]):
            if size in there:
                assert new_settings(format_, {"seats": sizes}, datetime.now).match.seats == tuple(sizes)
                continue
            with pytest.raises(TourneyError, match=f"a table of {name} has .* seats, not {size}"):
                new_settings(format_, {"seats": sizes}, datetime.now)
            with pytest.raises(TourneyError, match=f"not {size}"):
                changed_settings(format_, {"seats": sizes}, own, datetime.now)
            odd = settings_from({"seats": (size, own.match.seats[0])}, own)
            assert changed_settings(format_, {"seats": sizes}, odd, datetime.now)["seats"] == tuple(sizes)
            assert new_settings(
                format_, {"seats": sizes}, datetime.now, was_played=True
            ).match.seats == tuple(sizes)


def test_a_house_format_may_have_other_table_sizes():
    """From its `[match]`, or from the sizes of its pods."""
    for text, sizes in (
        ("[match]\nseats = { min = 2, max = 4 }\n", (3, 4)),
        ("[event]\npods = [3, 5]\n", (5, 3, 2)),
    ):
        format_ = parse_format(
            f'[format]\nid = "club/three"\nextends = "kingdoms/standard"\n{text}',
            source="x",
            parent=library().format,
        )
        assert new_settings(format_, {"seats": list(sizes)}, datetime.now).match.seats == sizes
        with pytest.raises(TourneyError, match=r"has 2.* seats, not 6"):
            new_settings(format_, {"seats": [6]}, datetime.now)
