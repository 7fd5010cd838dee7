"""Real events in the form of the program that ran them: the import gives its standings."""

import json
from fractions import Fraction

import pytest
from msgspec.structs import replace

from tests.desk.kit import lent
from tests.kit import golden
from tests.standings.profiles import shipped
from tourney.desk import event_in, take_over
from tourney.event.field import record
from tourney.standings import rank
from tourney.standings.reading import (
    StandingClaim,
    find_form,
    first_difference,
    read_results,
)

FORMS = {
    "cobra_20": ("cobra", "cobra"),
    "tom_": ("tdf", "tom"),
    "topdeck_": ("topdeck",) * 2,
    "melee_": ("melee",) * 2,
}
CASES = [(path, *FORMS[kind]) for kind in FORMS for path in sorted(golden("standings").glob(f"{kind}*.json"))]


def published(path, profile):
    """Return the event of a case with the places, points and tie-breaks of its program."""
    data = json.loads(path.read_text(encoding="utf-8"))
    text = json.dumps({key: value for key, value in data.items() if key != "rule"})
    results = read_results(text, source=path.name, scores=shipped(profile).from_score)
    number = {called: player for player, called in results.names.items()}
    claims, divisions = {}, {}
    for row in data.get("expected", ()):
        codes = (("sos", "SOS"), ("esos", "ESOS"), ("omw", "OMW"))
        values = {code: (Fraction(str(row[key])), 5) for key, code in codes if key in row}
        place = row.get("rank") if profile == "cobra" else None
        claims[number[row["player"]]] = StandingClaim(place=place, points=2 * row["points"], values=values)
    for division, members in data.get("expected_published", {}).get("divisions", {}).items():
        called = {"masters": "Masters", "senior": "Senior", "junior": "Junior"}[division]
        divisions[called] = tuple(number[member] for member in members)
        claims |= {number[member]: StandingClaim(place=at) for at, member in enumerate(members, 1)}
    over = replace(results.record, planned_rounds=len(results.record.rounds))
    return replace(results, record=over, claims=claims, divisions=divisions, title=path.stem, profile=profile)


@pytest.mark.parametrize(("path", "form", "profile"), CASES, ids=[path.stem for path, *_ in CASES])
def test_an_import_gives_the_standings_of_the_source(path, form, profile, tmp_path):
    """Written in the program's form, imported, and ranked by its rules."""
    results = published(path, profile)
    written = find_form(form).write(results)
    workplace = lent()
    took = event_in(written.text.encode(), workplace, source=path.name)
    with take_over(took, tmp_path / "e.tourney", workplace) as desk:
        assert took.form.name == form
        if any("is worth" in note for note in took.notes):
            return  # one bye has 7 points, the others 6: no profile has this, and the import reports it
        assert took.difference == "" or form == "topdeck"  # whose published order is that after the play-off
        assert took.agrees or form == "melee"  # whose answer about matches has no standings
        names = {player.name: player.id for player in desk.state.players.values()}
        claims = {names[results.names[player]]: claim for player, claim in results.claims.items()}
        if not results.divisions:
            as_here = replace(results, claims=claims, names={number: name for name, number in names.items()})
            assert first_difference(as_here, rank(record(desk.state), desk.profile())) == ""
