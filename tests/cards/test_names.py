"""Folded names ignore what a keyboard, a browser or a mail program changes."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tests.kit import with_rows
from tourney.cards.names import fold, fold_all

SAME = [
    ("Kite of the North", "KITE OF THE NORTH", "case"),
    ("Ærial Móth", "aerial moth", "accents and ligatures"),
    ("Mu\u0308hle", "Mühle", "combining accents"),
    ("Løvehjerte", "Lovehjerte", "a stroke, which Unicode does not decompose"),
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
    ("한글", unicodedata.normalize("NFD", "한글"), "decomposed syllables"),
]

OTHER = [
    ("Kite", "Kites", "a letter"),
    ("Kite!", "Kite", "a punctuation mark"),
    ("Anns Kite", "Ann's Kite", "a missing quote"),
    ("Kite (RED)", "Kite (BLUE)", "a parenthesis"),
    ("Kite 1", "Kite 2", "a number"),
    ("ガイア", "カイア", "a voiced sound"),
    ("バ", "パ", "a half voiced sound"),
    ("Kite, Stone", "Kite Stone", "a comma"),
]


@with_rows(("one", "two", "why"), SAME)
def test_folds_spellings_of_one_name_to_one_key(one, two, why):
    assert fold(one) == fold(two)


@with_rows(("one", "two", "why"), OTHER)
def test_folds_different_names_to_different_keys(one, two, why):
    assert fold(one) != fold(two)


@given(st.text(max_size=60))
def test_folding_a_folded_name_changes_nothing(name):
    assert fold(fold(name)) == fold(name)


@given(st.text(max_size=60))
def test_composed_and_decomposed_text_fold_alike(name):
    assert fold(unicodedata.normalize("NFD", name)) == fold(unicodedata.normalize("NFC", name))


@given(st.lists(st.one_of(st.text(), st.from_regex(r"[A-Za-z '/`-]{0,12}", fullmatch=True)), max_size=8))
def test_fold_all_returns_what_fold_returns(names):
    assert fold_all(names) == [fold(name) for name in names]
