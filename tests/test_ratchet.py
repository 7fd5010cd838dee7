"""Figures of the source that may only fall.

`ratchet.json` has the largest value allowed for each figure. After a change that lowers one, `pytest
tests/test_ratchet.py --update` writes the new value. `scripts/measure` explains each figure.
"""

import json

import pytest

from scripts import measurements
from tests.kit import ROOT

LIMITS = ROOT / "tests" / "ratchet.json"


@pytest.fixture(scope="module")
def measured():
    house, english = measurements.house(), measurements.english()
    # The syntax trees of all modules would slow down each later collection of garbage.
    measurements.parsed.cache_clear()
    measurements.nodes_of.cache_clear()
    return house, english


def test_no_figure_rises(measured, pytestconfig):
    house, english = measured
    figures = {
        "imports inside functions": house["rooms"]["all"]["inner imports"],
        "modules in import cycles": sum(map(len, house["cycles"])),
        "JSON builders on the command line": house["JSON builders"],
        "lines over 110 characters": house["long lines"],
        "test lines that import inner names": house["inner names in tests"],
        "old habits of speech": english["habits"]["all"],
        "bare participles as names": english["bare names"]["all"],
    }
    if pytestconfig.getoption("--update"):
        LIMITS.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    limits = json.loads(LIMITS.read_text(encoding="utf-8"))
    risen = {name: f"{limits[name]} -> {figure}" for name, figure in figures.items() if figure > limits[name]}
    assert not risen, "avoid it, or say in the commit why more is needed and raise the limit with --update"


def test_the_first_line_of_a_docstring_has_at_most_90_characters(measured):
    _, english = measured
    assert english["first lines over 90 characters"] == []
