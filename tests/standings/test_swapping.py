"""Results that would have swapped neighbors: all of them and no others, by brute force."""

import json
from itertools import pairwise, permutations, product

import pytest
from msgspec import structs
from msgspec.structs import replace

from tests.event.pad import read_score
from tests.kit import amount, sampled, with_rows
from tests.standings.crosstable import record
from tests.standings.fields import pods_record, random_record
from tests.standings.profiles import FOLDER, house, shipped
from tourney.event.score import Slip
from tourney.record import Outcome, PlayerId, Result, Seat
from tourney.standings import (
    MatchForm,
    Scorecards,
    describing,
    explain_place,
    explaining,
    rank,
    swaps,
    with_order,
)
from tourney.standings.describing import describe
from tourney.standings.reading import read_results
from tourney.standings.swaps import Alternatives
from tourney.standings.tiebreaks import TABLE

PROFILES = sorted(path.stem for path in FOLDER.glob("*.toml"))
CODES = [row.code for row in TABLE.values() if row.code != "LOT"]
CODES += ["BH/C1", "BH/M1", "FB/C1", "SB/C1", "PS/C1", "AOB/F", "KS/L-1", "ARO/C1", "DE/P"]
SCORES = ("2-0", "2-1", "0-2", "1-2", "1-1", "1-1-1", "0-0-3", "2-0-1", "+-", "-+", "--", "dl", "?")
LETTERS = dict(enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 1))


def every_result_of_two(table, best_of, *, draws):
    """Yield every result of a match of two, written independently of the code under test.

    Of an even number of games none is played again, except one more if the match needs a winner.
    """
    won_at_most = best_of if draws or best_of % 2 else best_of + 1
    most = won_at_most + 1 if won_at_most % 2 else won_at_most
    needed, one, other = best_of // 2 + 1, *table.seats
    for won, lost, drawn in product(range(needed + 1), range(needed + 1), range(most + 1)):
        fits = won + lost <= won_at_most and won + lost + drawn <= most and min(won, lost) < needed
        if not fits or (won == lost and not draws):
            continue
        kinds = [(Outcome.DRAW, 1), (Outcome.WIN, 1), (Outcome.LOSS, 2)]
        first = kinds[0 if won == lost else 1 if won > lost else 2]
        second = kinds[0 if won == lost else 2 if won > lost else 1]
        yield Result((Seat(one, *first, won), Seat(other, *second, lost)), drawn)
    absent, there = (Outcome.FORFEIT_LOSS, 2), (Outcome.FORFEIT_WIN, 1)
    yield Result((Seat(one, *absent), Seat(other, *there)))
    yield Result((Seat(one, *there), Seat(other, *absent)))
    yield Result(tuple(Seat(player, Outcome.FORFEIT_LOSS) for player in table.seats))
    yield Result(tuple(Seat(player, Outcome.DOUBLE_LOSS) for player in table.seats))


def changed(happened, number, table, result):
    rounds = [list(tables) for tables in happened.rounds]
    rounds[number - 1][rounds[number - 1].index(table)] = structs.replace(table, result=result)
    return replace(happened, rounds=tuple(map(tuple, rounds)))


def check(happened, profile, form, results_of):
    """Compare the swaps of all neighbors with brute force; count the pairs with swaps."""
    rows = [row for row in rank(happened, profile, seed="x").rows if row.rank is not None]
    pairs = [(one.player, two.player) for one, two in pairwise(rows) if one.rank < two.rank]
    swaps_found = {pair: set() for pair in pairs}
    for number, tables in enumerate(happened.rounds, 1):
        for table in tables:
            for result in results_of(table) if table.result else ():
                if result == table.result:
                    continue
                then = rank(changed(happened, number, table, result), profile, seed="x")
                places = {row.player: row.rank for row in then.rows}
                for above, below in pairs:
                    if places[above] > places[below]:
                        swaps_found[above, below].add((number, table.number, result))
    for (above, below), expected in swaps_found.items():
        neighbour = explain_place(happened, profile, above, seed="x", form=form).below
        assert neighbour.row.player == below
        assert neighbour.search.is_complete
        listed_swaps = [(swap.round, swap.table.number, swap.new_result) for swap in neighbour.search.swaps]
        assert len(listed_swaps) == len(set(listed_swaps))
        assert set(listed_swaps) == expected, (above, below)
    return sum(map(bool, swaps_found.values()))


@pytest.mark.parametrize("name", sampled(PROFILES, PROFILES[::2]))
@pytest.mark.parametrize("seed", sampled(range(2), [0]))
def test_finds_every_result_that_swaps(name, seed):
    """Best of three with draws: every score, no-shows and double losses, at any table."""
    happened = random_record(seed, players=6, rounds=3, scores=SCORES)
    form = MatchForm(3)
    assert check(happened, shipped(name), form, lambda table: every_result_of_two(table, 3, draws=True))


@with_rows("code", CODES[:: amount(2, of=1)])
def test_finds_results_far_away(code):
    """Ranked by a single tie-break."""
    players = amount(5, of=7)
    happened = random_record(5, players=players, rounds=3, scores=("1-0", "0-1", "0-0-1", "+-", "1-0"))
    profiles = (with_order(shipped("mtr"), [code, "PTS"]), with_order(shipped("fide"), [code]))
    for profile in profiles[: amount(1, of=2)]:
        check(happened, profile, MatchForm(1), lambda table: every_result_of_two(table, 1, draws=True))


@pytest.mark.long
@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("seed", range(2, 12))
def test_finds_every_result_that_swaps_in_many_events(name, seed):
    """Events of other sizes and forms."""
    best_of = (1, 2, 3)[seed % 3]
    happened = random_record(
        seed,
        players=5 + seed % 4,
        rounds=4,
        scores=SCORES if best_of == 3 else ("1-0", "0-1", "0-0-1", "+-", "?"),
    )
    draws = seed % 2 == 0
    check(
        happened,
        shipped(name),
        MatchForm(best_of, draws),
        lambda table: every_result_of_two(table, best_of, draws=draws),
    )


@with_rows("name", ["tourney", "mtr", "fide", "tom"])
def test_proposes_no_draws_if_there_are_none(name):
    """Matches of the event need a winner."""
    happened = random_record(3, players=6, rounds=3, scores=("1-0", "0-1", "+-"))
    form = MatchForm(1, draws=False)
    assert check(happened, shipped(name), form, lambda table: every_result_of_two(table, 1, draws=False))
    for row in rank(happened, shipped(name)).rows:
        lines = describe(explain_place(happened, shipped(name), row.player, form=form), LETTERS.get)
        assert not [line for line in lines if line.startswith("    round") and "draw" in line]


def every_order_of_many(table, *, draws):
    """Yield every order of places, including missing players."""
    for marks in product(range(len(table.seats) + 1), repeat=len(table.seats)):
        ranks = [mark for mark in marks if mark]  # 0: not there
        places = [1 + sum(other < mark for other in ranks) if mark else len(ranks) + 1 for mark in marks]
        first = sum(place == 1 for place, mark in zip(places, marks, strict=True) if mark)
        if first > 1 and not draws:
            continue
        yield Result(
            tuple(
                Seat(
                    player, _placed(place, present=bool(mark), alone=len(ranks) == 1, shared=first > 1), place
                )
                for player, place, mark in zip(table.seats, places, marks, strict=True)
            )
        )
    yield Result(tuple(Seat(player, Outcome.DOUBLE_LOSS) for player in table.seats))


def _placed(place, *, present, alone, shared):
    if not present:
        return Outcome.FORFEIT_LOSS
    if alone:
        return Outcome.FORFEIT_WIN
    return Outcome.LOSS if place > 1 else Outcome.DRAW if shared else Outcome.WIN


@with_rows("draws", [True, False])
def test_finds_every_order_of_larger_tables(draws):
    """Also shared places, with points by place and with points for pods."""
    happened = pods_record(2, players=7, rounds=2)
    placement = house(
        'extends = "tourney"\ntitle = "h"\n[tables.placement]\n3 = [4, 2, 0]\n4 = [6, 4, 2, 0]\n'
    )
    for profile in (placement, shipped("pods")):
        findings = check(
            happened,
            profile,
            MatchForm(1, draws),
            lambda table: dict.fromkeys(every_order_of_many(table, draws=draws)),
        )
        assert findings


def test_tries_scores_of_the_record():
    """Netrunner's prestige: each score at every table, in both directions."""
    happened = random_record(1, players=6, rounds=3, scores=("1-0", "0-1", "0-0-1"))
    prestige = {Outcome.WIN: 6, Outcome.DRAW: 3, Outcome.LOSS: 1}

    def scored(table):
        seats = tuple(structs.replace(seat, score=prestige[seat.outcome]) for seat in table.result.seats)
        return structs.replace(table, result=structs.replace(table.result, seats=seats))

    happened = replace(happened, rounds=tuple(tuple(map(scored, tables)) for tables in happened.rounds))
    kinds = {
        (
            tuple((seat.outcome, seat.place, seat.games, seat.score) for seat in table.result.seats),
            table.result.drawn_games,
        )
        for tables in happened.rounds
        for table in tables
    }

    def results(table):
        yield from every_result_of_two(table, 1, draws=True)
        for sides, drawn in kinds:
            for order in permutations(sides):
                yield Result(tuple(Seat(p, *side) for p, side in zip(table.seats, order, strict=True)), drawn)

    assert check(happened, shipped("cobra"), MatchForm(1), lambda table: dict.fromkeys(results(table)))


@with_rows("best_of", [1, 2, 3, 4, 5])
@with_rows("draws", [True, False])
def test_every_proposed_score_can_be_entered(best_of, draws):
    """Finished or not, and draws only if they are allowed."""
    slip = Slip(table=1, seats=(PlayerId(1), PlayerId(2)), best_of=best_of, draws=draws)
    scores = list(MatchForm(best_of, draws).scores())
    assert len(scores) == len(set(scores)) > 2
    for won, lost, drawn in scores:
        entered = read_score(slip, f"{won}-{lost}-{drawn}", ended="time")
        assert [seat.games for seat in entered.seats] == [won, lost]


@with_rows("drawn", ["stands", "again", "none"])
@with_rows("best_of", [1, 2, 3, 16, 17, 31, 40])
def test_no_proposed_score_has_more_games_than_the_explanation_says(best_of, drawn):
    """Of a long match, only scores of up to 16 games are tried, however drawn games are counted."""
    form = MatchForm(best_of, drawn_game_rule=drawn)
    assert max(map(sum, form.scores())) <= form.most_games <= 16


def test_says_that_not_every_table_was_tried():
    """Above the budget only the nearest tables are tried."""
    happened = random_record(5, players=12, rounds=5)
    before = swaps.BUDGET
    try:
        swaps.BUDGET = 3
        rows = [row for row in rank(happened, shipped("fide")).rows if row.rank]
        every = [explain_place(happened, shipped("fide"), row.player) for row in rows]
        short = [
            case for case in every if case.below and case.below.code and not case.below.search.is_complete
        ]
        assert short
        for explanation in short:
            text = "\n".join(describe(explanation, LETTERS.get))
            assert "none of the single results that were tried" in text or "not every table was tried" in text
    finally:
        swaps.BUDGET = before


def test_shows_what_separates_neighbors():
    """They are level on points; all results that would swap them are listed."""
    level = turned = 0
    for seed in range(6):
        happened = random_record(seed, players=8, rounds=4, scores=("2-0", "2-1", "0-2", "1-1"))
        for row in rank(happened, shipped("mtr")).rows:
            explanation = explain_place(happened, shipped("mtr"), row.player)
            if not (explanation.below and explanation.below.code == "OMW"):
                continue
            level += 1
            (omw,) = (tiebreak for tiebreak in explanation.tiebreaks if tiebreak.code == "OMW")
            for line in omw.lines:
                if line.sources:
                    played = {
                        entry.round for entry in Scorecards(happened, shipped("mtr"))[line.opponents[0]]
                    }
                    assert {term.entry.round for term in line.opponent_terms} == played
            others = explanation.below.search.swaps[explanation.below.search.own_count :]
            assert not any(row.player in swap.table.seats for swap in others)
            turned += bool(others)
    assert level > 8
    assert turned >= level / 2


def test_names_scores_if_only_some_swap():
    """A draw is never `drawn 0–0–1`."""
    happened = record("ABCD", "A 2-0 C, B 2-1 D", "A 1-1 B, C 1-1 D")
    text = "\n".join(
        describe(explain_place(happened, with_order(shipped("mtr"), ["PTS", "GW"]), PlayerId(1)), LETTERS.get)
    )
    assert "0–0–" not in text
    assert (
        "    round 1, A against C: A wins 2–1–1, 1–0–1, 1–0–2 or 1–0–3; C wins; a draw; A does not show up"
        in text
    )


def test_never_proposes_what_happened():
    """If only another score would swap them, the score is given."""
    proposals = 0
    for seed in range(amount(4, of=12)):
        happened = random_record(seed, players=6, rounds=3, scores=("1-0", "0-1"))
        for profile in ("tourney", "mtr"):
            for row in rank(happened, shipped(profile)).rows:
                explanation = explain_place(happened, shipped(profile), row.player, form=MatchForm(1))
                for swap in [
                    swap
                    for neighbour in (explanation.above, explanation.below)
                    if neighbour
                    for swap in neighbour.search.swaps
                ]:
                    names = [LETTERS[player] for player in swap.table.seats]
                    result = swap.table.result
                    happened_so = describing._WAYS[describing._outcomes_of(result)].format(*names)
                    lines = describe(explanation, LETTERS.get)
                    ways = [
                        line.split(": ", 1)[1].split("; ")
                        for line in lines
                        if line.startswith(f"    round {swap.round}, {' against '.join(names)}: ")
                    ]
                    proposals += len(ways)
                    assert not any(happened_so in way for way in ways)
    assert proposals > amount(30, of=100)


@with_rows("best_of", [15, 16, 99, 1_999_999])
def test_limits_the_scores_of_long_matches(best_of):
    """The text gives the limit."""
    form = MatchForm(best_of)
    scores = list(form.scores())
    assert len(scores) == len(set(scores)) < 1_000
    assert max(map(sum, scores)) == form.most_games == 16
    alternatives = Alternatives(
        read_results("round,player1,player2,wins1,wins2\n1,A,B,1,0\n", source="x").record,
        shipped("mtr"),
        form,
    ).description
    assert "with up to 16 games" in alternatives


@pytest.mark.timeout(30)
def test_stops_at_a_table_of_a_hundred():
    """The text says that not every table was tried."""
    names = [f"P{number}" for number in range(100)]
    table = {"players": names, "places": list(range(1, 101))}
    happened = read_results(json.dumps({"rounds": [[table], [table]]}), source="x").record
    explained = explain_place(happened, shipped("pods"), PlayerId(1))
    assert not explained.below.search.is_complete


@pytest.mark.timeout(60)
def test_tries_fewer_results_in_hundreds_of_rounds(monkeypatch):
    """Each order takes longer there."""
    rounds = amount(400, of=900)
    happened = read_results(json.dumps({"rounds": [[["A", "B", 2, 0]]] * rounds}), source="x").record
    tried, with_table = [], Scorecards.with_table
    monkeypatch.setattr(
        Scorecards, "with_table", lambda cards, *words: tried.append(words) or with_table(cards, *words)
    )
    explained = explain_place(happened, shipped("mtr"), PlayerId(1))
    assert not explained.below.search.is_complete
    assert 0 < len(tried) <= 1 + swaps.BUDGET // (1 + rounds // 50)


ORDERS = (
    ["PTS", "OMW", "GW", "OGW", "H2H", "LOT"],
    ["PTS", "H2H", "OMW", "DE", "LOT"],
    ["PTS", "OMW", "OOMW", "H2H", "OGW", "H2H"],
    ["PTS", "DE", "BH", "SB"],
    ["H2H", "PTS", "OMW"],
    ["PTS", "H2H", "LOT"],
    ["PTS", "DE", "LOT"],
    ["PTS", "GW", "DE", "H2H"],
)


def every_search(happened, profile):
    """Return the swaps found for some neighbors, from the top of the standings down."""
    explain = explaining.explainer(happened, profile, seed="x")
    form = MatchForm(1)
    searches = []
    for row in explain.standings.rows:
        neighbour = explain.neighbour(row, +1, form)
        if neighbour is not None:
            search = neighbour.search
            searches.append(
                (row.player, neighbour.row.player, search.swaps, search.own_count, search.is_complete)
            )
    return searches


@pytest.mark.parametrize(("players", "rounds"), [(12, 5), (14, 6), (10, 4), (18, 2)])
@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_skips_far_tables_only_if_they_cannot_swap(monkeypatch, order, players, rounds):
    """The result is that of ranking all players again."""
    happened = random_record(
        1, players=players, rounds=rounds, scores=("1-0", "0-1", "1-0", "0-0-1", "+-", "?")
    )
    profile = with_order(shipped("tourney"), order)
    quick = every_search(happened, profile)
    assert any(swaps for _, _, swaps, _, _ in quick)
    pair = swaps._Pair
    monkeypatch.setattr(pair, "_is_unmoved", lambda *_: False)
    monkeypatch.setattr(
        pair,
        "_level_of_all",
        lambda self, cards, count: self._level(cards, self.ranked_players, self.rules[:count]),
    )
    assert quick == every_search(happened, profile)


def test_does_not_recalculate_level_groups_for_far_tables(monkeypatch):
    """Only for tables that can reach the two players or their group."""
    happened = random_record(1, players=100, rounds=2, scores=("1-0", "0-1"))
    profile = with_order(shipped("tourney"), ["PTS", "OMW", "H2H", "LOT"])
    explain = explaining.explainer(happened, profile, seed="x")
    by_lot = (
        row
        for row, below in pairwise(explain.standings.rows)
        if [key.value for key in row.keys][:-1] == [key.value for key in below.keys][:-1]
    )
    row = min(
        by_lot, key=lambda row: sum(row.keys[:-1] == other.keys[:-1] for other in explain.standings.rows)
    )
    counted = []
    slow = swaps._Pair._level_of_all
    monkeypatch.setattr(
        swaps._Pair, "_level_of_all", lambda self, *rest: counted.append(rest) or slow(self, *rest)
    )
    neighbour = explain.neighbour(row, +1, MatchForm(1))
    assert neighbour.code == "LOT", "so every table is tried"
    tried = sum(len(tables) for tables in happened.rounds) * 5
    assert 0 < len(counted) < tried / 2


def test_tries_far_tables_once_for_both_neighbors(monkeypatch):
    """Whether a player joins the level group does not depend on the neighbor."""
    happened = random_record(1, players=100, rounds=2, scores=("1-0", "0-1"))
    profile = with_order(shipped("tourney"), ["PTS", "OMW", "H2H", "LOT"])
    explain = explaining.explainer(happened, profile, seed="x")
    keys = [[key.value for key in row.keys][:-1] for row in explain.standings.rows]
    row = next(
        row
        for at, row in enumerate(explain.standings.rows)
        if 0 < at < len(keys) - 1 and keys[at - 1] == keys[at] == keys[at + 1]
    )
    with_table = Scorecards.with_table
    tables = []
    monkeypatch.setattr(Scorecards, "with_table", lambda *words: tables.append(words) or with_table(*words))
    above = explain.neighbour(row, -1, MatchForm(1))
    first = len(tables)
    below = explain.neighbour(row, +1, MatchForm(1))
    assert above.code == below.code == "LOT", "so every table is tried for each"
    assert len(tables) - first < first / 2
