"""The field by kinds of decks, compared with a simple count of matches."""

import random

import pytest

from tests.desk.kit import new_desk, play
from tests.desk.test_open_lists import NAMES, desk_with_lists
from tests.kit import with_rows
from tourney.desk import event_view, submit_deck
from tourney.event.showing import field_view
from tourney.event.view import MatchRecord
from tourney.publish import render
from tourney.record import Outcome, PlayerId, Result, Seat

OTHER = {
    Outcome.WIN: Outcome.LOSS,
    Outcome.LOSS: Outcome.WIN,
    Outcome.DRAW: Outcome.DRAW,
    Outcome.FORFEIT_WIN: Outcome.FORFEIT_LOSS,
}


@with_rows("seed", range(20))
def test_every_match_is_counted_for_both_kinds(seed):
    """The counts are compared with a list of all matches."""
    dice = random.Random(seed)
    kinds = {PlayerId(number): dice.choice("abc") for number in range(1, 12)}
    results = []
    for _ in range(60):
        one, other = dice.sample([*kinds, PlayerId(99)], 2)
        outcome = dice.choice([*OTHER])
        results.append(Result((Seat(one, outcome), Seat(other, OTHER[outcome]))))
    cut = dice.sample([*kinds], 4)
    view = field_view("kind", kinds, results, cut=cut)
    assert sum(kind.players for kind in view.kinds) == len(kinds)
    assert sum(kind.share for kind in view.kinds) == pytest.approx(1)
    assert sum(kind.cut for kind in view.kinds) == len(cut)
    assert [kind.players for kind in view.kinds] == sorted(
        (kind.players for kind in view.kinds), reverse=True
    )
    for kind in view.kinds:
        for other, tally in zip(view.kinds, kind.against, strict=True):
            met = [
                seat.outcome
                for result in results
                for seat, facing in (result.seats, result.seats[::-1])
                if seat.outcome in {Outcome.WIN, Outcome.DRAW, Outcome.LOSS}
                and kinds.get(seat.player) == kind.name != other.name == kinds.get(facing.player)
            ]
            assert (tally.won, tally.drawn, tally.lost) == tuple(
                met.count(way) for way in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS)
            )
        for way in ("won", "drawn", "lost"):
            assert getattr(kind.matches, way) == sum(getattr(match, way) for match in kind.against)


@with_rows(("won", "drawn", "lost"), [(1, 0, 0), (0, 0, 7), (8, 0, 2), (3, 4, 1), (500, 0, 500)])
def test_the_interval_is_wilsons(won, drawn, lost):
    """Each end of the interval is 1.96 standard errors away from the observed share."""
    tally = MatchRecord(won=won, drawn=drawn, lost=lost)
    low, high = tally.interval
    assert 0 <= low <= tally.rate <= high <= 1
    for end in (low, high):
        if 0 < end < 1:
            apart = abs(tally.rate - end) / (end * (1 - end) / tally.played) ** 0.5
            assert apart == pytest.approx(1.959964, rel=1e-6)


def test_the_field_is_shown_only_if_all_lists_are_open(tmp_path):
    """By the general in REDLINE; not for closed lists or lists of the cut only."""
    with desk_with_lists(tmp_path, *NAMES, rounds=1) as desk:
        play(desk)
        for setting, open_ in (("closed", False), ("cut", False), ("end", False), ("all", True)):
            desk.change(decklists=setting)
            assert (event_view(desk).field is not None) == open_, setting
            assert ("field.html" in render(event_view(desk))) == open_
        desk.cut(2)
        assert event_view(desk).field.cut == 2
        view = event_view(desk)
        page = render(view)["field.html"].decode()
    assert view.field.noun == "general"
    assert [(kind.name, kind.players, kind.cut) for kind in view.field.kinds] == [("Anna Draga", 5, 2)]
    assert "Anna Draga: 5 of 5 players, 100 %" in page


def test_a_format_without_a_field_key_has_no_breakdown(tmp_path):
    """An example is Red Diamond."""
    with new_desk(tmp_path, "Mira", "Tomo", decklists="all") as desk:
        submit_deck(desk, "Mira", "1 Invented Card\n", source="list", anyway=True)
        play(desk)
        assert event_view(desk).lists
        assert event_view(desk).field is None


def test_the_field_may_be_counted_by_a_tag(tmp_path):
    """Such as an archetype, once lists are open, also of players without a list."""
    own = tmp_path / "own.toml"
    own.write_text(
        'extends = "redline/standard"\n[format]\nid = "redline/own"\n[field]\nby = "tag:archetype"\n'
    )
    with new_desk(tmp_path, format_name=str(own), rounds=1) as desk:
        for name, kind in zip(NAMES, ("rush", "rush", "walls", "rush", None), strict=True):
            desk.add_player(name, tags={"archetype": kind} if kind else {})
        play(desk)
        assert event_view(desk).field is None
        desk.change(decklists="all")
        field = event_view(desk).field
        assert (field.noun, field.unknown) == ("archetype", 1)
        assert [(kind.name, kind.players) for kind in field.kinds] == [("rush", 3), ("walls", 1)]
        assert "By archetype" in render(event_view(desk))["field.html"].decode()
