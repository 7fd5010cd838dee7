"""Final places in every system, compared with a simple model that knows no bracket.

The model uses only the recorded results: each player's losses, and the round of the last one.
"""

import random
from itertools import groupby

import pytest

from tests.event.pad import Pad, profile
from tests.event.test_decide_rounds import ask, pair, refused
from tests.kit import sampled, with_rows
from tourney.event import brackets, event_admin, ops
from tourney.event.brackets import final_ranking
from tourney.event.field import standings
from tourney.record import Outcome

SIZES = range(2, 34)


def field(size, **settings):
    return Pad(*(f"Player {number}" for number in range(1, size + 1)), **settings)


def ranking(pad):
    return final_ranking(pad.state, standings(pad.state, profile()))


def play(pad, dice, *, watch=lambda: None):
    """Enter random results for all tables of the last round, in random order."""
    tables = list(pad.state.round.playing)
    dice.shuffle(tables)
    for table in tables:
        seats = pad.state.round.tables[table].seats
        if len(seats) > 2:
            places = list(range(1, len(seats) + 1))
            dice.shuffle(places)
            pad.result(table, ",".join(map(str, places)))
        elif pad.state.round.stage == "cut":
            pad.result(table, dice.choice("wl"))
        else:
            pad.result(table, dice.choice("wwlld"))
        watch()


def to_the_end(pad, dice, watch=lambda: None):
    while True:
        state = pad.state
        if state.cut is not None and state.rounds[state.cut.after :]:
            now = brackets.bracket_of(state, state.cut)
            if now.is_finished:
                return
        pair(pad, seed=f"{dice.random()}")
        play(pad, dice, watch=watch)


def simple_groups(state):
    """Group the bracket's players by the round that eliminated them, from their losses alone."""
    if state.cut.seats > 2:
        return simple_groups_at_tables(state)
    cut, lives = state.cut, 2 if state.cut.kind == "double" else 1
    losses, out = dict.fromkeys(cut.players, 0), {}
    for number, round_ in enumerate(state.rounds[cut.after :], 1):
        for table in round_.tables.values():
            for seat in table.result.seats if table.result else ():
                won = seat.outcome is Outcome.WIN
                if table.label == "Third place":
                    out[seat.player] += 0.5 if won else 0
                elif not won:
                    losses[seat.player] += 1
                    if losses[seat.player] == lives:
                        out[seat.player] = number
        for player in cut.players:
            if state.players[player].dropped == cut.after + number - 1:
                out.setdefault(player, number)
    order = sorted(cut.players, key=lambda player: (-out.get(player, 10_000), cut.players.index(player)))
    return [list(group) for _, group in groupby(order, key=lambda player: out.get(player, 10_000))]


def simple_groups_at_tables(state):
    """Do the same for tables of three and more, by round and place at the table."""
    cut, out = state.cut, {}
    for number, round_ in enumerate(state.rounds[cut.after :], 1):
        for table in round_.tables.values():
            going = 1 if table.label == "Final" else cut.advance
            for seat in table.result.seats if table.result else ():
                if seat.place > going or not seat.outcome.played:
                    out[seat.player] = (number, -seat.place)
        for player in cut.players:
            if state.players[player].dropped == cut.after + number - 1:
                out.setdefault(player, (number, -1000))
    best = (10_000, 0)
    order = sorted(cut.players, key=lambda player: cut.players.index(player))
    order.sort(key=lambda player: out.get(player, best), reverse=True)
    return [list(group) for _, group in groupby(order, key=lambda player: out.get(player, best))]


def simple_places(state):
    """Return the first and last possible place of each player who has a place."""
    groups = simple_groups(state) if state.cut else []
    if state.cut and state.cut.after:
        in_play, *rest = groups
        groups = [in_play, *([player] for group in rest for player in group)]
    if not state.cut or state.cut.after:
        cut = state.cut.players if state.cut else ()
        rows = [row for row in standings(state, profile()).rows if row.player not in cut]
        groups += [[row.player for row in level] for _, level in groupby(rows, key=lambda row: row.rank)]
    places, before = {}, 0
    for group in groups:
        ranked = [player for player in group if state.players[player].disqualified is None]
        places |= dict.fromkeys(ranked, (before + 1, before + len(ranked)))
        before += len(ranked)
    return places


def assert_places(pad):
    final_ranking = ranking(pad)
    assert {
        place.player: (place.first, place.last) for place in final_ranking.places if place.first
    } == simple_places(pad.state)
    without = [place.player for place in final_ranking.places if place.first is None]
    assert sorted(without) == [
        player.id for player in pad.state.players.values() if player.disqualified is not None
    ]
    assert [place.player for place in final_ranking.places][
        len(final_ranking.places) - len(without) :
    ] == without, "they stand last"
    assert all(place.bracket != brackets.STILL_IN for place in final_ranking.places if not place.first), (
        "nobody without a place is in"
    )
    firsts = [place.first for place in final_ranking.places if place.first]
    assert firsts == sorted(firsts), "best first"
    return final_ranking


@pytest.mark.parametrize("size", sampled(SIZES, [2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 33]))
@pytest.mark.parametrize("double", [False, True], ids=["single", "double"])
def test_the_end_of_an_elimination_event(size, double):
    """From 2 to 33 players, also during rounds. Only the champion has not lost the last match."""
    dice = random.Random(f"{size}, {double}")
    pad = field(size, system="elimination", seeding="lot", double=double)
    to_the_end(pad, dice, watch=(lambda: assert_places(pad)) if size < 12 else lambda: None)
    final_ranking = assert_places(pad)
    assert not final_ranking.why_not
    assert (final_ranking.places[0].first, final_ranking.places[0].last) == (1, 1)
    assert final_ranking.places[0].bracket.startswith("won the final")
    assert sum(place.record[1] for place in final_ranking.places) == (2 if double else 1) * (size - 1) + (
        final_ranking.places[0].record[1] if double else 0
    )


@with_rows("double", [False, True])
def test_a_disqualified_champion_does_not_win(double):
    """The runner-up gets the first place, but no player has won."""
    pad = field(6, system="elimination", double=double)
    to_the_end(pad, random.Random(6))
    champion = ranking(pad).places[0].player
    assert brackets.winner_of(pad.state, brackets.bracket_of(pad.state, pad.state.cut)) == champion
    assert f"{pad.state.name_of(champion)} has won" in " ".join(pad.steps)
    pad.write(ops.PlayerDisqualified(player=champion, after=len(pad.state.rounds)))
    now = brackets.bracket_of(pad.state, pad.state.cut)
    assert now.is_finished
    assert brackets.winner_of(pad.state, now) is None
    assert "has won" not in " ".join(pad.steps)
    assert champion not in {place.player for place in assert_places(pad).places if place.first}


@with_rows("size", range(4, 34, 3))
def test_the_end_with_a_match_for_third_place(size):
    """Two more places are not shared."""
    pad = field(size, system="elimination", third_place=True)
    to_the_end(pad, random.Random(size))
    final_ranking = assert_places(pad)
    assert [(place.first, place.last) for place in final_ranking.places[:4]] == [
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 4),
    ]
    assert final_ranking.places[2].bracket == "won the match for third place"


@with_rows("size", range(4, 34, 4))
@with_rows("kind", ["single", "double"])
def test_the_end_of_swiss_rounds_and_a_cut(size, kind):
    """Places of the cut, then the field by Swiss rank. Drops keep a place; disqualified do not."""
    dice = random.Random(f"{size}, {kind}")
    pad = field(size)
    for _ in range(2):
        pair(pad, seed=f"{dice.random()}")
        play(pad, dice)
    gone, banned = dice.sample(sorted(pad.state.players), 2)
    if size > 4:
        pad.write(ops.PlayerDropped(players=(gone,), after=2), ops.PlayerDisqualified(player=banned, after=2))
    number = dice.randint(2, len(pad.state.playing))
    pad.do(
        brackets.cut(
            pad.change,
            standings(pad.state, profile(), "lot"),
            number,
            kind=kind,
            reseed=False,
            third_place=False,
            vacancy="opponent",
            lot=True,
        )
    )
    pair(pad)
    play(pad, dice, watch=(lambda: assert_places(pad)) if size < 12 else lambda: None)
    if kind == "single" and number > 4:
        left = brackets.bracket_of(pad.state, pad.state.cut)
        leaver = dice.choice([player for table in left.tables for player in table.seats])
        pad.write(ops.PlayerDropped(players=(leaver,), after=3))
    to_the_end(pad, dice)
    final_ranking = assert_places(pad)
    assert all(place.first == place.last for place in final_ranking.places if place.seed and place.first)
    pad.write(ops.PlayerDisqualified(player=final_ranking.places[1].player, after=len(pad.state.rounds)))
    after = assert_places(pad)
    assert after.places[1].player == final_ranking.places[2].player, "whoever stood behind moves up"


@with_rows("size", range(3, 10, 3))
def test_the_end_of_a_round_robin_and_of_pods(size):
    """Their places are those of the standings. A cut of a pod event is a bracket of tables."""
    dice = random.Random(size)
    league = field(size, system="round-robin")
    assert ranking(league).why_not == "nothing has been played yet"
    for played in range(size - 1 + size % 2):
        assert ranking(league).why_not, played
        pair(league)
        play(league, dice)
    assert not assert_places(league).why_not
    pods = field(size, system="pods", seats=(3,), rounds=2)
    for _ in range(2):
        pair(pods, seed=f"{dice.random()}")
        play(pods, dice)
    assert not assert_places(pods).why_not
    ranked = standings(pods.state, profile(), "lot")
    pods.do(
        brackets.cut(
            pods.change,
            ranked,
            9 if size == 9 else 3,
            kind="single",
            reseed=False,
            third_place=False,
            vacancy="opponent",
            lot=True,
        )
    )
    assert ranking(pods).why_not == "the bracket is not finished"
    to_the_end(pods, dice)
    assert not assert_places(pods).why_not


@pytest.mark.parametrize("seed", sampled(range(12), range(4)))
@pytest.mark.parametrize(
    ("seats", "advance", "size"), [(3, 1, 9), (3, 1, 27), (4, 2, 16), (4, 1, 16), (6, 2, 18)]
)
def test_the_end_of_a_cut_at_tables(seats, advance, size, seed):
    """Compared with a second model, with players who leave between rounds."""
    dice = random.Random(f"{seats} {advance} {size} {seed}")
    pad = field(size + 3, system="pods", seats=(seats, *range(3, seats)), cut_advance=advance, rounds=1)
    pair(pad, seed=f"{dice.random()}")
    play(pad, dice)
    ranked = standings(pad.state, profile(), "lot")
    pad.do(
        brackets.cut(
            pad.change,
            ranked,
            size,
            kind="single",
            reseed=False,
            third_place=False,
            vacancy="opponent",
            lot=True,
        )
    )
    while not brackets.bracket_of(pad.state, pad.state.cut).is_finished:
        pair(pad)
        play(pad, dice)
        assert_places(pad)
        still = [place.player for place in ranking(pad).places if place.bracket == brackets.STILL_IN]
        if len(still) > 2 and dice.random() < 0.5:
            pad.write(ops.PlayerDropped(players=(dice.choice(still),), after=len(pad.state.rounds)))
    final_ranking = assert_places(pad)
    assert not final_ranking.why_not
    assert all(place.first == place.last for place in final_ranking.places if place.seed), (
        "parted by Swiss rank"
    )
    alone = field(size, system="elimination", seats=(seats,), cut_advance=advance)
    to_the_end(alone, dice)
    assert not assert_places(alone).why_not
    assert alone.state.cut.seats == seats


def test_shared_places_of_elimination_and_cut():
    """Quarterfinalists of an elimination event share 5–8; in a cut, Swiss rank decides."""
    pad = field(8, system="elimination")
    to_the_end(pad, random.Random(8))
    assert [place.words for place in ranking(pad).places] == ["1", "2", "3–4", "3–4", *["5–8"] * 4]
    assert [place.bracket for place in ranking(pad).places[1:5]] == [
        "lost the final", "lost in the semifinals", "lost in the semifinals", "lost in the quarterfinals",
    ]  # fmt: skip


def test_places_during_a_round_count_the_results_so_far():
    """A loser is out at once; players at open tables are still in."""
    pad = field(4, system="elimination")
    pair(pad)
    one, four = pad.state.round.tables[1].seats
    pad.result(1, "w")
    final_ranking = ranking(pad)
    assert (final_ranking.counts, final_ranking.why_not) == (
        "the semifinals so far: 1 of 2 tables entered", "Semifinals: 1 of 2 tables still playing: 2",
    )  # fmt: skip
    assert {place.player: place.bracket for place in final_ranking.places}[four] == "lost in the semifinals"
    assert [place.words for place in final_ranking.places] == ["1–3", "1–3", "1–3", "4"]
    assert {place.player for place in final_ranking.places if place.bracket == "still in"} >= {one}


def test_an_unplayed_final_is_shared_in_a_closed_event():
    """Two players agree to split: they share the first two places."""
    pad = field(4, system="elimination")
    pair(pad)
    play(pad, random.Random(4))
    assert ranking(pad).why_not
    pad.write(ops.EventClosed())
    final_ranking = ranking(pad)
    assert not final_ranking.why_not
    assert [(place.words, place.bracket) for place in final_ranking.places] == [
        ("1–2", "not played to the end"), ("1–2", "not played to the end"),
        ("3–4", "lost in the semifinals"), ("3–4", "lost in the semifinals"),
    ]  # fmt: skip


# -- how an elimination event is seeded


def seeds(pad):
    pair(pad, seed="ab")
    return pad.state.cut.players


def test_seeds_follow_the_setting():
    """By registration, by a lot that the seed repeats, or by rating with unrated players last."""
    assert seeds(field(9, system="elimination", seeding="registration")) == tuple(range(1, 10))
    drawn = seeds(field(9, system="elimination", seeding="lot"))
    assert drawn == seeds(field(9, system="elimination", seeding="lot")) != tuple(range(1, 10))
    pad = field(3, system="elimination")
    pad.players("Rated", "Best", rating=1500)
    pad.write(ops.PlayerChanged(player=5, rating=1800))
    assert seeds(pad)[:2] == (5, 4)


def test_seeds_by_hand_name_every_player():
    """Before round 1, and again if a player is registered later."""
    pad = field(3, system="elimination", seeding="hand", double=True)
    refused("the event is seeded by hand, and no seeds are entered yet", lambda: pair(pad))
    refused("missing: every player needs a seed", lambda: brackets.seed_by_hand(pad.change, 3, 1))
    refused("would be seeded twice", lambda: brackets.seed_by_hand(pad.change, 3, 1, 2, 3))
    pad.do(brackets.seed_by_hand(pad.change, 3, 1, 2))
    pad.do(brackets.seed_by_hand(pad.change, 2, 1, 3))
    assert (
        brackets.seed_by_hand(pad.change, 2, 1, 3).already == "The players are already seeded in this order"
    )
    refused("`double` cannot change", lambda: event_admin.change_settings(pad.change, {"double": False}))
    pair(pad)
    assert (pad.state.cut.players, pad.state.cut.kind) == ((2, 1, 3), "double")
    refused("the bracket has begun", lambda: brackets.seed_by_hand(pad.change, 1, 2, 3))


def test_waiting_players_have_no_bye():
    """Byes are recorded for players who skip a match, not for players who wait."""
    pad = field(5, system="elimination", seeding="registration", double=True)
    names = pad.state.name_of
    first = pair(pad).op
    assert [names(bye.player) for bye in first.byes] == ["Player 1", "Player 2", "Player 3"]
    play(pad, random.Random(1))
    second = pair(pad).op
    assert second.byes == ()
    seated = {player for table in second.tables for player in table.seats}
    assert len(seated) == 4, "the loser of the first match waits"
    assert pad.steps
    assert ask(pad).state.cut is not None


def test_a_disqualified_finalist_is_out():
    """Even during the final: the player can no longer get a place."""
    pad = field(4, system="elimination")
    pair(pad)
    play(pad, random.Random(1))
    pair(pad)
    pad.write(ops.PlayerDisqualified(player=pad.state.round.tables[1].seats[0], after=2))
    assert_places(pad)
