"""Settings that are changed: today's limits bind what is asked for, not what an older journal holds."""

from datetime import datetime

import pytest

from tests.event.pad import Pad
from tourney.desk.rules import changed_settings
from tourney.errors import TourneyError
from tourney.event import event_admin, ops
from tourney.store.data import Library

BEYOND = {
    "rounds": 5000,
    "best_of": 50_001,
    "first_table": 10**9,
    "minutes": 10**7,
    "keep_apart": {"club": 5000},
}


@pytest.mark.parametrize("name", BEYOND)
@pytest.mark.parametrize("changed", [False, True], ids=["created", "changed"])
def test_an_older_setting_beyond_todays_limits_stands_in_nobodys_way(name, changed):
    """It is read, another setting can be changed beside it, itself only to what is within the limits."""
    value = BEYOND[name]
    pad = Pad("Ada", "Ben", **({} if changed else {name: value}))
    if changed:
        pad.write(ops.EventChanged(settings={name: value}))
    assert getattr(pad.state.settings, name) == value
    pad.do(event_admin.change(pad.state, {"double": True}, pad.seal))
    pad.do(event_admin.change(pad.state, {name: value, "awarded_bye_counts": False}, pad.seal))
    assert (pad.state.settings.double, pad.state.settings.awarded_bye_counts) == (True, False)
    assert getattr(pad.state.settings, name) == value
    larger = {"club": 5001} if name == "keep_apart" else value + 2
    with pytest.raises(TourneyError, match=f"settings: {name}: "):
        event_admin.change(pad.state, {name: larger}, pad.seal)
    pad.do(event_admin.change(pad.state, {name: {"club": 3} if name == "keep_apart" else 3}, pad.seal))
    assert getattr(pad.state.settings, name) in (3, {"club": 3})


def test_an_older_choice_stands_in_nobodys_way():
    """A choice that the format does not leave any more is not asked about when another is made."""
    format_ = Library.open(environ={"XDG_DATA_HOME": "/nowhere", "HOME": "/nowhere"}).format(
        "diamonsters/standard"
    )
    name, known = "ichi_diamonds", Pad(choices={"long-gone": 7}).state.settings
    other = format_.settings[name].default
    assert changed_settings(format_, {name: other}, known, datetime.now)["choices"] == {
        "long-gone": 7,
        name: other,
    }
    with pytest.raises(TourneyError, match="leaves no choice called `long-gone`"):
        changed_settings(format_, {"choices": {"long-gone": 8}}, known, datetime.now)


def test_a_bracket_has_tables_that_the_event_has():
    """Where the tables of the event were changed, those of a cut are the event's own: what is advised is possible."""
    kept = ops.Settings(seats=(4, 3), cut_seats=4, cut_advance=2)
    changed = ops.Settings(seats=(2, 3), cut_seats=4, cut_advance=2)
    assert (kept.bracket_seats, kept.bracket_advance) == (4, 2)
    assert (changed.bracket_seats, changed.bracket_advance) == (2, 1)
