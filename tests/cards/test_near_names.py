"""Did you mean: near names, the nearest first."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.cards import names
from tourney.cards.names import MOST_NEAR, NearNames, one_slip_apart, resembling

POOL = NearNames(
    ["Siege Hammer", "Siege Hummer", "Claymore", "Tigercat", "Paper Airplane", "Lim-Dûl's Kite", "Kite"]
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Claymor", "Claymore"),
        ("claymoer", "Claymore"),
        ("Tiger cat", "Tigercat"),
        ("Paper Aeroplane", "Paper Airplane"),
        ("LIM-DUL'S KITE", "Lim-Dûl's Kite"),
        ("Lim Duls Kite", "Lim-Dûl's Kite"),
    ],
)
def test_a_slip_finds_the_name(typed, meant):
    """One or two wrong, missing or swapped letters lead to the name, as it is printed."""
    assert POOL.near(typed)[0] == meant


def test_the_nearest_comes_first_and_few_are_given():
    """Equal distances stand in alphabetical order, so that the answer never changes."""
    assert POOL.near("Siege Hmmer") == ("Siege Hammer", "Siege Hummer")
    assert POOL.near("Siege Hmmer", limit=1) == ("Siege Hammer",)


def test_what_resembles_nothing_finds_nothing():
    """A far name is no suggestion."""
    assert POOL.near("Quite Another Thing") == ()
    assert POOL.near("") == ()


def test_a_name_of_any_length_is_answered():
    """A line of ten thousand letters near nothing costs no more than a short one."""
    assert POOL.near("Kite" * 2_500) == ()


@given(
    st.sampled_from(["Claymore", "Paper Airplane", "Tigercat"]),
    st.integers(0, 7),
    st.sampled_from(string.ascii_lowercase),
)
def test_one_wrong_letter_always_finds_the_name(name, place, letter):
    """One letter changed in a name of eight or more leaves it the nearest."""
    assert POOL.near(name[:place] + letter + name[place + 1 :])[0] == name


def test_names_that_differ_in_numbers_are_not_even_compared(monkeypatch):
    """A deck of sixty numbered cards is no sixty times sixty comparisons; a slip beside the same number is found."""
    compared = []
    monkeypatch.setattr(names, "one_slip_apart", lambda *pair: compared.append(pair) or one_slip_apart(*pair))
    numbered = [f"Paper Card {number}" for number in range(1, 501)]
    assert list(resembling([*numbered, "Papr Card 7", "Paper Crad 8"])) == [
        ("Paper Card 7", "Papr Card 7"),
        ("Paper Card 8", "Paper Crad 8"),
    ]
    assert len(compared) == 2


@given(
    st.lists(
        st.builds(
            "{}{} {}".format,
            st.sampled_from(["Siege", "Seige", "Siegee", "Sieg", "Saige", "Sky"]),
            st.sampled_from(["", " ", " 1", " 2", "e"]),
            st.sampled_from(["Hammer", "Hamer", "Hummer", "A", "B", ""]),
        ),
        max_size=6,
        unique=True,
    )
)
def test_resembling_finds_what_comparing_every_pair_finds(names):
    """The index by what one slip leaves equal loses no pair, and gives them in one order."""
    pairs = [
        (one, two) for place, two in enumerate(names) for one in names[:place] if one_slip_apart(one, two)
    ]
    assert sorted(resembling(names)) == sorted(pairs)
    assert list(resembling(names)) == list(resembling(names))


def test_very_many_names_near_each_other_take_no_time_of_every_pair():
    """Names that differ in their numbers are not compared at all; of ten thousand one letter apart each with a few."""
    assert list(resembling(f"Card number {number} of the Long" for number in range(10_000))) == []
    apart = [f"Invented{chr(0x4E00 + number)} Comet" for number in range(10_000)]
    found = list(resembling(apart))
    assert 9_999 <= len(found) <= MOST_NEAR * len(apart)
    assert {name for pair in found for name in pair} == {*apart}
    assert list(resembling(["Kite" * 5_000 + end for end in ("r", "s")])) == [], "no card is called so"


def test_only_pairs_with_a_new_later_name_are_given():
    """Names that were compared before are not compared again."""
    names = ["Claymore", "Claymor", "Harbour", "Harbuor", "Claymoor"]
    every = list(resembling(names))
    assert len(every) == 3
    assert list(resembling(names, new={"Claymoor"})) == [pair for pair in every if pair[1] == "Claymoor"]
    assert list(resembling(names, new=())) == []
