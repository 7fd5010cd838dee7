"""Finding players by name, and valid names."""

import pytest

from tests.kit import with_rows
from tourney.cards.names import fold
from tourney.errors import TourneyError
from tourney.event.names import also_meant, by_name, clean_name, find
from tourney.event.ops import Ref
from tourney.event.state import Player
from tourney.record import PlayerId


def roll(*names):
    ids = (PlayerId(number) for number in range(1, len(names) + 1))
    return {
        player_id: Player(id=player_id, name=name, name_ref=Ref(""))
        for player_id, name in zip(ids, names, strict=True)
    }


PLAYERS = roll("Mira Oake", "Tomo Reed", "Tom", "Zoë Ñandú", "O'Neill Pat", "Ann Mirabel", "Lim-Dul")


@with_rows(
    ("text", "number"),
    [
        ("Mira Oake", 1),
        ("mira oake", 1),
        ("  MIRA   oake ", 1),
        ("Mira O", 1),
        ("oake", 1),
        ("Tomo", 2),
        ("tom", 3),  # a whole name beats a beginning
        ("zoe nandu", 4),
        ("ZOË", 4),
        ("o’neill", 5),
        ("Ｍｉｒａ Ｏａｋｅ", 1),
        ("#6", 6),
        ("# 6", 6),
        (6, 6),
        ("6", 6),
        (" ６ ", 6),
        ("ann", 6),
        ("lim‑dul", 7),
        ("Mira", 1),  # the beginning of a name beats the beginning of a word in one
    ],
)
def test_find_returns_the_player_meant(text, number):
    """Case, accents, width, quotes, dashes and spaces are ignored.

    A whole name takes precedence over a prefix.
    """
    assert find(PLAYERS, text) == number


@with_rows(
    ("text", "message", "hint"),
    [
        ("T", "`T` may be Tomo Reed (#2) or Tom (#3)", "type more"),
        ("Mria", "did you mean Mira Oake (#1)?", "player list"),
        ("Tomo Read", "did you mean Tomo Reed (#2)", "player list"),
        ("Xyzzy", "there is no player `Xyzzy`", "player list"),
        ("Mira, #2", "`Mira, #2` is more than one player", "not commas"),
        ("Mira,Xyzzy", "there is no player `Mira,Xyzzy`", "player list"),
        ("#99", "there is no player #99", "the last number is #7"),
        ("99", "there is no player #99", "the last number is #7"),
        ("0", "there is no player #0", "the last number is #7"),
        ("", "no player was named", None),
        ("   ", "no player was named", None),
    ],
)
def test_find_refuses_unknown_and_ambiguous_names(text, message, hint):
    """The refusal names several candidates, or asks about a near miss."""
    with pytest.raises(TourneyError) as refusal:
        find(PLAYERS, text)
    assert message in refusal.value.message
    assert (hint is None) == (refusal.value.hint is None)
    assert hint is None or hint in refusal.value.hint


def test_many_candidates_are_counted():
    """The refusal names a few of twenty candidates and counts the rest."""
    with pytest.raises(TourneyError, match=r"\(#5\) or 15 more"):
        find(roll(*(f"Ann {letter}" for letter in "abcdefghijklmnopqrst")), "ann")


@with_rows(
    ("text", "kept"),
    [
        (" Mira\u00a0 Oake ", "Mira Oake"),
        ("Zoe\u0308", "Zoë"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("नि\u200dशा", "नि\u200dशा"),
        ("张伟", "张伟"),
        ("🃏 Joker", "🃏 Joker"),
        ("x" * 100, "x" * 100),
    ],
)
def test_names_are_normalized(text, kept):
    """Composed letters and single spaces. Harmless characters are kept, as pages escape them."""
    assert clean_name(text) == kept


@with_rows(
    ("text", "message"),
    [
        ("", "at least one letter"),
        (" \t ", "at least one letter"),
        ("\u200d", "at least one letter"),
        ("x" * 101, "may have at most 100 characters, but this one has 101"),
        ("x" * 10_000, "this one has 10000"),
        ("Mira\nOake", "U+000A"),
        ("Mira\x00", "U+0000"),
        ("Mira\x1b[31m", "U+001B"),
        ("Mira \u202eekaO", "U+202E (right-to-left override)"),
        ("\u2066Mira", "U+2066"),
        ("Mira\u200b", "U+200B (zero width space)"),
        ("a\u2028b", "U+2028"),
        ("\ue000", "U+E000"),
        ("#7", "is a player's number"),
    ],
)
def test_invisible_and_direction_characters_are_refused(text, message):
    """The message does not contain these characters."""
    with pytest.raises(TourneyError) as refusal:
        clean_name(text)
    assert message in refusal.value.message
    assert refusal.value.message.isprintable() or "\u200d" in text


def test_a_lone_surrogate_is_refused():
    """It cannot be written as UTF-8."""
    with pytest.raises(TourneyError, match=r"U\+D800"):
        clean_name("Mira \ud800")


def test_names_that_differ_in_case_or_accents_clash():
    """`zoe nandu` clashes with Zoë Ñandú."""
    assert by_name(PLAYERS)[fold("ZOE NANDU")].id == 4
    assert fold("Other Name") not in by_name(PLAYERS)


def test_a_name_of_digits_comes_before_a_number_and_a_number_before_a_prefix():
    """A note names the other player that the digits could mean."""
    called = roll("Mira", "Tomo", "2", "1st of May", "77")
    assert (find(called, "2"), find(called, "#2"), find(called, "1"), find(called, "#1")) == (3, 2, 1, 1)
    assert also_meant(called, "2", find(called, "2")) == "`2` is taken as the name of 2 (#3); `'#2'` is Tomo"
    assert (
        also_meant(called, "1", find(called, "1"))
        == "`1` is taken as the number of Mira, not as 1st of May (#4)"
    )
    assert also_meant(called, "77", find(called, "77")) == ""
    assert also_meant(called, "#2", find(called, "#2")) == ""
    assert also_meant(called, 2, find(called, 2)) == ""
    assert find(called, "1s") == 4
    assert find(roll("Mira", "99 Luft"), "99") == 2  # a number that no player has may begin a name


def test_digits_are_not_a_number_with_bare_false():
    """`7.txt` is the seventh file of a folder, not the file of player 7."""
    with pytest.raises(TourneyError, match="there is no player `1`"):
        find(PLAYERS, "1", bare=False)
    assert find(PLAYERS, "#1", bare=False) == 1
