"""Published standings of real and worked events: values within tolerance, and the order."""

import json
from fractions import Fraction
from itertools import pairwise

import pytest

from tests.kit import golden
from tests.standings.profiles import shipped
from tourney.standings import rank, values
from tourney.standings.reading import read_results

PROFILES = {"arttuka": "mtr", "melee": "melee", "topdeck": "topdeck", "cobra": "cobra"}
CODES = {"omw": "OMW", "gw": "GW", "ogw": "OGW", "sos": "SOS", "esos": "ESOS", "owp": "OWP", "oowp": "OOWP"}
EXACT = 1e-12
"""Where a file states no tolerance its numbers are exact."""


def files(kind):
    return sorted(golden("standings").glob(f"{kind}_*.json"))


def ranked(path, name):
    """Return the file's data, its results, and the edition that applies."""
    text = path.read_text(encoding="utf-8")
    profile = shipped(name)
    results = read_results(text, source=path.name, scores=profile.from_score)
    assert results.unread_keys == (), f"{path.name}: not read: {results.unread_keys}"
    return json.loads(text), results, results.edition(profile)


def checked_values(row, expected, tolerance):
    """Compare the expected values of a player, and return their number."""
    keys = {key.code: key.value for key in row.keys}
    if "points" in expected:
        assert Fraction(row.points, 2) == expected["points"]
    expected_values = {CODES[name]: value for name, value in expected.items() if name in CODES}
    for code, value in expected_values.items():
        if isinstance(value, str):
            assert keys[code] == Fraction(value), code
        else:
            assert abs(float(keys[code]) - value) <= tolerance, (code, keys[code], value)
    return len(expected_values) + ("points" in expected)


@pytest.mark.parametrize("kind", PROFILES)
def test_published_values_and_order(kind):
    """Every value is within its source's tolerance, and the ranks are in order."""
    values = orders = 0
    for path in files(kind):
        data, results, profile = ranked(path, PROFILES[kind])
        rows = {results.names[row.player]: row for row in rank(results.record, profile).rows}
        for expected in data["expected"]:
            values += checked_values(rows[expected["player"]], expected, data.get("tolerance", EXACT))
        if all("rank" in expected for expected in data["expected"]):
            places = [rows[expected["player"]].rank for expected in data["expected"]]
            assert all(above <= below for above, below in pairwise(places)), path.name
            orders += 1
    assert values
    print(f"{kind}: {len(files(kind))} files, {values} values, {orders} orders")


def test_tom_places():
    """TOM's printed places in every age division; opponents of all divisions count."""
    places = 0
    for path in files("tom"):
        data, results, profile = ranked(path, "tom")
        rows = {results.names[row.player]: row for row in rank(results.record, profile).rows}
        for expected in data["expected_derived"]["rows"]:
            checked_values(rows[expected["player"]], expected, 1e-6)
        ids = {name: player for player, name in results.names.items()}
        for published in data["expected_published"]["divisions"].values():
            standings = rank(results.record, profile, among=[ids[name] for name in sorted(published)])
            assert [results.names[row.player] for row in standings.rows] == published
            assert [row.rank for row in standings.rows] == list(range(1, len(published) + 1))
            places += len(published)
    assert places
    print(f"tom: {len(files('tom'))} files, {places} printed places")


def test_scalachess_crosstable():
    """Player A's chess tie-breaks of the crosstable, as printed.

    The file's games are not a legal schedule (its round 4 seats E four times), so each is read as a
    round. Fore Buchholz uses the last round, so it cannot be checked.
    """
    data = json.loads(golden("standings", "scalachess_crosstable.json").read_text(encoding="utf-8"))
    games = {"1-0": [1, 0, 0], "1/2": [0, 0, 1]}
    rounds = [[[white, black, *games[score]]] for white, black, score, _ in data["games"]]
    results = read_results(json.dumps({"rounds": rounds}), source="crosstable")
    record, profile = results.record, shipped("fide-plain")
    ids = {name: player for player, name in results.names.items()}
    codes = {
        "buchholz": "BH",
        "buchholz_cut1": "BH/C1",
        "buchholz_cut2": "BH/C2",
        "buchholz_median1": "BH/M1",
        "buchholz_median2": "BH/M2",
        "sonneborn_berger": "SB",
        "sonneborn_berger_cut1": "SB/C1",
        "sonneborn_berger_median1": "SB/M1",
        "number_of_wins": "WIN",
        "black_games": "BPG",
        "black_wins": "BWG",
        "average_of_opponents_buchholz": "AOB",
    }
    expected = data["expected"]
    for name, value in expected["score"].items():
        assert values(record, profile, "PTS")[ids[name]] == Fraction(value)
    for name, code in codes.items():
        assert values(record, profile, code)[ids["A"]] == Fraction(expected["A"][name]), name
    assert {name: values(record, profile, "DE")[ids[name]] for name in "AD"} == expected[
        "direct_encounter_rank"
    ]
    print(f"scalachess: {len(codes) + len(expected['score']) + 2} values")
