"""The same tournament under several profiles."""

from tests.standings.crosstable import record
from tests.standings.profiles import shipped
from tourney.record import PlayerId
from tourney.standings import compare_cuts, rank, with_order

A, B, C, D, E = map(PlayerId, range(1, 6))


def compare(happened, profiles, *, cut, gone=()):
    """Compare the first players of one record under several profiles."""
    return compare_cuts([rank(happened, profile) for profile in profiles], cut=cut, late_drops=gone)


def test_compares_cuts_under_two_profiles():
    """Draws are worth ½ under one profile and nothing under the other."""
    happened = record("ABCD", "A 2-0 B, C 1-1 D", "A 1-1 C, B 2-0 D", "C 1-1 A, B 0-2 D")
    both = [with_order(shipped(name), ["PTS", "TPN"]) for name in ("tourney", "fab")]
    differences = compare(happened, both, cut=2)
    assert [cut.standings.profile.name for cut in differences.cuts] == ["tourney", "fab"]
    assert [cut.through for cut in differences.cuts] == [(A, C), (A, B)]
    assert (differences.size, differences.always, differences.sometimes) == (2, (A,), (C, B))
    for cut, profile in zip(differences.cuts, both, strict=True):
        assert cut.standings == rank(happened, profile)


def test_passes_over_players_who_left():
    """Dropped and disqualified players do not go on; the next player does."""
    happened = record("ABCD", "A 2-0 B, C 2-0 D", "A 2-0 C, B 2-0 D", drops={"A": 2}, disqualified={"B": 2})
    (cut,) = compare(happened, [shipped("mtr")], cut=2).cuts
    assert cut.through == (C, D)


def test_names_players_level_across_the_line():
    """Two players share the last place, and neither goes through."""
    happened = record("ABCD", "A 2-0 B, C 1-1 D")
    (cut,) = compare(happened, [with_order(shipped("mtr"), ["PTS"])], cut=2).cuts
    assert (cut.through, cut.level, cut.places) == ((A,), (C, D), 1)
    differences = compare(happened, [with_order(shipped("mtr"), ["PTS"])], cut=2)
    assert (differences.always, differences.sometimes) == ((A,), (C, D))
    (clear,) = compare(happened, [with_order(shipped("mtr"), ["PTS"])], cut=3).cuts
    assert (clear.through, clear.level, clear.places) == ((A, C, D), (), 0)
    (later,) = compare(happened, [with_order(shipped("mtr"), ["PTS"])], cut=2, gone={C}).cuts
    assert (later.through, later.level) == ((A, D), ())
    (everybody,) = compare(happened, [with_order(shipped("mtr"), ["PTS"])], cut=9).cuts
    assert (everybody.through, everybody.level) == ((A, C, D, B), ())
