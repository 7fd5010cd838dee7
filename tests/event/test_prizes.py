"""Prizes by place: the file, who gets which prize, and that no cent is lost."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.event.brackets import STILL_IN, FinalPlace, FinalRanking
from tourney.event.prizes import award, read_prizes
from tourney.event.view import money_text


def ranking(*groups, why_not="", bracket="", seeded=False):
    """Return a ranking with places shared by as many players as each number says."""
    places, player = [], 0
    for size in groups:
        first = player + 1
        for _ in range(size):
            player += 1
            places.append(
                FinalPlace(
                    player=player,
                    first=first,
                    last=first + size - 1,
                    bracket=bracket,
                    seed=player if seeded else None,
                )
            )
    return FinalRanking(places=tuple(places), why_not=why_not, counts="after round 3")


def given_away(text, places, **more):
    return award(read_prizes(text, source="prizes.toml"), places, name=lambda player: f"P{player}", **more)


def rows(awards):
    return [(row.places, row.player, row.cents, row.product or "", row.byes) for row in awards.prizes]


def test_prizes_of_a_place_are_added_up():
    """Cash for each place, a divided total whose spare cent goes to the higher place, products."""
    awards = given_away(
        """
        currency = "EUR"
        [[prize]]
        places = 1
        cash = 100
        byes = 2
        [[prize]]
        places = "2-3"
        total = "25.01"
        [[prize]]
        places = "1-3"
        product = "a booster"
        """,
        ranking(1, 1, 1, 1),
    )
    assert rows(awards) == [
        ("1", "P1", 10000, "a booster", 2),
        ("2", "P2", 1251, "a booster", 0),
        ("3", "P3", 1250, "a booster", 0),
    ]
    assert awards.notes == ("25.01 EUR for places 2–3: one cent more for place 2",)
    assert (awards.cents, awards.total) == (12501, "125.01 EUR")


TWO = """
[[prize]]
places = 1
cash = 10
product = "a display"
[[prize]]
places = 2
cash = "5.01"
product = "a playmat"
byes = 1
"""


def test_shared_places_share_their_prizes():
    """A spare cent goes to the first player. Indivisible prizes are noted as left to settle."""
    awards = given_away(TWO, ranking(2, seeded=True))
    assert rows(awards) == [("1–2", "P1", 751, "", 0), ("1–2", "P2", 750, "", 0)]
    assert awards.notes == (
        "15.01 shared by places 1–2: one cent more for P1, by seed in the bracket",
        "to be settled between P1 and P2, who share places 1–2: a display; a playmat, 1 bye",
    )


def test_a_tie_break_by_seed_gives_each_a_place():
    """With `ties = "tie-break"`. Players level in the standings still share."""
    text = f'ties = "tie-break"\n{TWO}'
    awards = given_away(text, ranking(2, seeded=True))
    assert rows(awards) == [("1", "P1", 1000, "a display", 0), ("2", "P2", 501, "a playmat", 1)]
    assert awards.notes == ("places 1–2 by seed in the bracket: P1 and P2",)
    assert [row.cents for row in given_away(text, ranking(2)).prizes] == [751, 750]


def test_places_that_are_not_final_are_refused():
    """With the option, prizes that are not certain yet are shown as open."""
    open_still = ranking(2, 1, why_not="the bracket is not finished", bracket=STILL_IN)
    with pytest.raises(TourneyError, match="the places are not final: the bracket is not finished"):
        given_away(TWO, open_still)
    awards = given_away(TWO, open_still, so_far=True)
    assert [(row.places, row.player) for row in awards.prizes] == [("1", None), ("2", None)]
    assert not awards.final
    assert awards.open


def test_prizes_without_a_player_are_noted():
    """A place beyond the last player, and a player without a place."""
    places = ranking(1)
    places = FinalRanking(
        places=(*places.places, FinalPlace(player=9, first=None, last=None)),
        why_not="", counts="after round 3",
    )  # fmt: skip
    awards = given_away(TWO, places)
    assert [(row.player, row.number) for row in awards.prizes] == [("P1", 1), (None, None)]
    assert awards.notes == ("no player has place 2: only 1 player placed",)


@with_rows(
    ("written", "cents"),
    [
        ("5", 500),
        ("5.5", 550),
        ('"5,50"', 550),
        ('" 250.05 "', 25005),
        ("0.07", 7),
        ("100.10", 10010),
        ("0", 0),
    ],
)
def test_amounts_are_whole_cents(written, cents):
    """In any spelling."""
    assert read_prizes(f'[[prize]]\nplaces = "1"\ncash = {written}\n', source="p").worth[""][1].cents == cents


@with_rows("written", ["12.345", "-1", '"x"', '""', "1e20", '"1.000,00"', '"½"', "0.001", '"١"'])
def test_an_invalid_amount_is_refused(written):
    """The error names the key; nothing is rounded."""
    with pytest.raises(TourneyError, match=re.escape("prize[0].cash")):
        read_prizes(f"[[prize]]\nplaces = 1\ncash = {written}\n", source="p")


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=12),
    st.lists(
        st.tuples(st.integers(1, 20), st.integers(0, 8), st.integers(0, 10**6), st.booleans()),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(["share", "tie-break"]),
    st.booleans(),
)
def test_no_cent_is_lost(groups, prizes, ties, seeded):
    """With overlapping ranges and shared places, all prizes are given, in order of place."""
    text = f'ties = "{ties}"\n'
    promised = 0
    for first, more, cents, together in prizes:
        text += (
            f'[[prize]]\nplaces = "{first}-{first + more}"\n'
            f'{"total" if together else "cash"} = "{money_text(cents)}"\n'
        )
        text += "byes = 1\n"
        promised += cents * (1 if together else more + 1)
    awards = given_away(text, ranking(*groups, seeded=seeded))
    assert awards.cents == promised
    players = [row.number for row in awards.prizes if row.number]
    assert len(set(players)) == len(players)
    by_place = {}
    for row in awards.prizes:
        by_place.setdefault(row.place, []).append(row.cents)
    assert all(max(cents) - min(cents) <= 1 for cents in by_place.values())
    assert all(cents == sorted(cents, reverse=True) for cents in by_place.values())


def test_a_division_has_its_own_prizes():
    """By its own places. Prizes without a player are noted."""
    text = """
        [[prize]]
        places = 1
        cash = 10
        [[prize]]
        division = "juniors"
        places = "1-2"
        product = "a booster"
        [[prize]]
        division = "Seniors"
        places = 1
        cash = 5
        """
    awards = given_away(text, ranking(1, 1, 2), divisions={2: "Juniors", 4: "Juniors", 3: "Masters"})
    assert [(row.label, row.player) for row in awards.prizes] == [
        ("1", "P1"),
        ("Juniors 1", "P2"),
        ("Juniors 2", "P4"),
        ("Seniors 1", None),
    ]
    assert awards.notes == ("Seniors: no player has a place",)
    level = given_away(text, ranking(1, 3), divisions={2: "Juniors", 4: "Juniors"})
    assert [row.places for row in level.prizes if row.division == "Juniors"] == ["1–2", "1–2"]
