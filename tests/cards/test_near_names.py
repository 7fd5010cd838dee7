"""Names that resemble a mistyped one, and pairs of similar names."""

import itertools
import string

from hypothesis import given
from hypothesis import strategies as st

from tests.kit import amount, with_rows
from tourney.cards import names
from tourney.cards.names import MAX_COMPARISONS, NearNames, one_slip_apart, similar_pairs

POOL = NearNames(
    ["Siege Hammer", "Siege Hummer", "Claymore", "Tigercat", "Paper Airplane", "Lim-Dûl's Kite", "Kite"]
)


@with_rows(
    ("text", "name"),
    [
        ("Claymor", "Claymore"),
        ("claymoer", "Claymore"),
        ("Tiger cat", "Tigercat"),
        ("Paper Aeroplane", "Paper Airplane"),
        ("LIM-DUL'S KITE", "Lim-Dûl's Kite"),
        ("Lim Duls Kite", "Lim-Dûl's Kite"),
    ],
)
def test_finds_a_mistyped_name(text, name):
    """The name is returned as printed."""
    assert POOL.near(text)[0] == name


def test_returns_the_nearest_names_in_a_fixed_order():
    """Equally near names are in alphabetical order."""
    assert POOL.near("Siege Hmmer") == ("Siege Hammer", "Siege Hummer")
    assert POOL.near("Siege Hmmer", limit=1) == ("Siege Hammer",)


def test_finds_nothing_for_a_name_that_resembles_none():
    assert POOL.near("Quite Another Thing") == ()
    assert POOL.near("") == ()


def test_answers_for_a_name_of_any_length():
    assert POOL.near("Kite" * 2_500) == ()


@given(
    st.sampled_from(["Claymore", "Paper Airplane", "Tigercat"]),
    st.integers(0, 7),
    st.sampled_from(string.ascii_lowercase),
)
def test_finds_a_long_name_with_any_one_wrong_letter(name, place, letter):
    assert POOL.near(name[:place] + letter + name[place + 1 :])[0] == name


def test_does_not_compare_names_with_different_numbers(monkeypatch):
    """A deck of sixty numbered cards does not cost sixty times sixty comparisons."""
    compared = []
    monkeypatch.setattr(names, "one_slip_apart", lambda *pair: compared.append(pair) or one_slip_apart(*pair))
    numbered = [f"Paper Card {number}" for number in range(1, 501)]
    assert list(similar_pairs([*numbered, "Papr Card 7", "Paper Crad 8"])) == [
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
def test_finds_the_same_pairs_as_comparing_every_pair(names):
    """Names of fewer than five letters are not compared."""
    long_names = [name for name in names if sum(map(str.isalpha, name)) >= 5]
    pairs = [pair for pair in itertools.combinations(long_names, 2) if one_slip_apart(*pair)]
    assert sorted(similar_pairs(names)) == sorted(pairs)
    assert list(similar_pairs(names)) == list(similar_pairs(names))


def test_takes_linear_time_for_many_similar_names():
    """Of ten thousand names one letter apart, each is compared with a few; an ordinary run has a quarter."""
    names = range(amount(2_500, of=10_000))
    assert list(similar_pairs(f"Card number {number} of the Long" for number in names)) == []
    similar = [f"Invented{chr(0x4E00 + number)} Comet" for number in names]
    pairs = list(similar_pairs(similar))
    assert len(names) - 1 <= len(pairs) <= MAX_COMPARISONS * len(similar)
    assert {name for pair in pairs for name in pair} == {*similar}
    assert list(similar_pairs(["Kite" * 5_000 + end for end in ("r", "s")])) == []


def test_yields_only_pairs_whose_later_name_is_new():
    names = ["Claymore", "Claymor", "Harbour", "Harbuor", "Claymoor"]
    pairs = list(similar_pairs(names))
    assert len(pairs) == 3
    assert list(similar_pairs(names, new={"Claymoor"})) == [pair for pair in pairs if pair[1] == "Claymoor"]
    assert list(similar_pairs(names, new=())) == []
