"""Names are compared folded: what a keyboard, a browser or a mail program does to them does not count."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.cards.names import fold, fold_all

SAME = [
    ("Kite of the North", "KITE OF THE NORTH", "case"),
    ("Ærial Móth", "aerial moth", "accents and letters no keyboard has"),
    ("Mu\u0308hle", "Mühle", "combining accents"),
    ("Løvehjerte", "Lovehjerte", "a stroke is no accent in Unicode, but is typed as one"),
    ("Straße", "strasse", "sharp s"),
    ("İnci", "inci", "a dotted capital I"),
    ("Ann’s Kite", "Ann's Kite", "smart single quotes"),
    ("Ann´s Kite", "Ann`s Kite", "accents used as quotes"),
    ("“Stone” Ann", '"Stone" Ann', "smart double quotes"),
    ("«Stone» Ann", '"Stone" Ann', "angle quotes"),
    ("Ｋｉｔｅ　７", "Kite 7", "full width"),
    ("ﬁre", "fire", "ligatures"),
    ("Kite\u00a0Stone", "Kite Stone", "a no-break space"),
    ("  Kite   Stone ", "Kite Stone", "spaces"),
    ("Kite\tStone", "Kite Stone", "tabs"),
    ("Ki\u200bte", "Kite", "a zero-width space"),
    ("Ki\u00adte", "Kite", "a soft hyphen"),
    ("\ufeffKite", "Kite", "a byte order mark"),
    ("Kite‑Stone", "Kite-Stone", "a no-break hyphen"),
    ("Kite–Stone", "Kite-Stone", "a dash"),
    ("Fire // Ice", "Fire/Ice", "split names"),
    ("Fire//Ice", "Fire / Ice", "split names, spaces"),
    ("Wait…", "Wait...", "an ellipsis"),
    ("한글", unicodedata.normalize("NFD", "한글"), "syllables taken apart"),
]

OTHER = [
    ("Kite", "Kites", "a letter"),
    ("Kite!", "Kite", "a mark"),
    ("Anns Kite", "Ann's Kite", "a quote left out"),
    ("Kite (RED)", "Kite (BLUE)", "a parenthesis"),
    ("Kite 1", "Kite 2", "a number"),
    ("ガイア", "カイア", "a voiced sound"),
    ("バ", "パ", "a half voiced sound"),
    ("Kite, Stone", "Kite Stone", "a comma"),
]


@pytest.mark.parametrize(("one", "two", "why"), SAME, ids=[why for *_, why in SAME])
def test_the_same_name(one, two, why):
    """Two ways to type one name fold to one key."""
    assert fold(one) == fold(two)


@pytest.mark.parametrize(("one", "two", "why"), OTHER, ids=[why for *_, why in OTHER])
def test_another_name(one, two, why):
    """What makes another name makes another key."""
    assert fold(one) != fold(two)


@given(st.text(max_size=60))
def test_folding_is_done_once(name):
    """A key folds to itself, so that it does not matter how often a name went through."""
    assert fold(fold(name)) == fold(name)


@given(st.text(max_size=60))
def test_case_and_composition_never_matter(name):
    """Whatever the text: composed or taken apart, it is the same name."""
    assert fold(unicodedata.normalize("NFD", name)) == fold(unicodedata.normalize("NFC", name))


@given(st.lists(st.one_of(st.text(), st.from_regex(r"[A-Za-z '/`-]{0,12}", fullmatch=True)), max_size=8))
def test_many_names_fold_as_each_does(names):
    """Folding a pool at once is folding each of its names."""
    assert fold_all(names) == [fold(name) for name in names]
