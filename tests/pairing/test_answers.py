"""`why` and `why_not`: every sentence is checked against all rounds of a small field."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from tests.kit import amount
from tests.pairing.claims import READINGS, World, pairs_of
from tests.pairing.fields import dressed, history, options_for
from tests.pairing.judge import LEVELS, as_levels, brute, levels, obeys, rounds
from tourney.errors import TourneyError
from tourney.pairing import NOBODY, Entrant, Names, Options, Pairing, pair, repair, why, why_not
from tourney.record import Table


def field(number):
    dice = random.Random(f"answers {number}")
    entrants = dressed(dice, history(dice, dice.randint(2, 7), dice.randint(0, 5), wild=0.5))
    return entrants, options_for(dice, entrants), dice


def made_somehow(dice, entrants, options):
    """Return a round of the field: by the engine, by hand or repaired."""
    how = dice.choice(["engine", "engine", "hand", "repair"])
    ids = sorted(entrant.id for entrant in entrants)
    if how == "engine":
        return pair(entrants, options, "s")
    pairs, bye = dice.choice(list(rounds(ids)))
    tables = tuple(Table(number, tuple(pair)) for number, pair in enumerate(pairs, 1))
    if how == "hand" and bye is None and len(tables) > 1 and dice.random() < 0.3:  # two who came apart
        return Pairing(tables=tables[1:], byes=tables[0].seats)
    if how == "hand":
        return Pairing(tables=tables, byes=() if bye is None else (bye,))
    locked = {table.number for table in tables if dice.random() < 0.2}
    return repair(entrants, options, tables, bye, locked_tables=locked, seed="s").pairing


def ask_all(entrants, options, made, ask):
    """Ask every question about a round, and call `ask(subject, text)` for each sentence."""
    hand = {"by_hand": not made.seed}
    for table in made.tables:
        for reason in why(entrants, options, made, table.number, **hand).reasons:
            ask(table.seats, reason.text)
    if made.bye:
        for reason in why(entrants, options, made, None, **hand).reasons:
            ask((made.bye, NOBODY), reason.text)
    for one, other in pairs_of(entrants):
        for reason in why_not(entrants, options, "s", one, other, pairing=made, **hand).reasons:
            ask((one, other), reason.text)


def hold_all(numbers):
    """Check sentences about random rounds by brute force; count how often each kind occurs."""
    read = Counter()
    for number in numbers:
        entrants, options, dice = field(number)
        if dice.random() < 0.2:
            options = replace(options, no_bye=frozenset(dice.sample([entrant.id for entrant in entrants], 1)))
        if dice.random() < 0.2:
            entrants = [replace(entrants[0], fixed_table=dice.randint(1, 4)), *entrants[1:]]
        if brute(entrants, replace(options, no_bye=frozenset()), "s") is None:
            continue
        try:
            made = made_somehow(dice, entrants, options)
        except TourneyError:  # no player may have the bye, or no repair exists
            continue
        world = World(
            entrants, options, ({table.number: table.seats for table in made.tables}, made.bye, made.byes)
        )
        if not world.rounds:
            continue
        try:
            ask_all(entrants, options, made, world.holds)
        except AssertionError as fault:
            raise AssertionError(f"field {number}: {fault}") from fault
        read += world.read
    return read


def test_every_sentence_is_true():
    """Random, fold, slide, rank, by hand, repaired, fixed pairs, keep-aparts, byes, saturated."""
    read = hold_all(range(amount(150, of=300)))
    silent = {function.__name__ for _, function in READINGS} - set(read)
    assert silent <= {"even_number", "needless_bye", "impossible_by_word", "repaired"}, (
        "these are of rounds with two byes, or the desk says them"
    )


@pytest.mark.long
def test_every_sentence_about_many_rounds_is_true():
    """5,000 rounds."""
    assert sum(hold_all(range(1000, 6000)).values()) > 100_000


def best_with(entrants, options, one, other):
    """Return the best cost of the rounds with a pair (or a player's bye), or None."""
    costs = [
        levels(entrants, options, pairs, bye)
        for pairs, bye in rounds(sorted(entrant.id for entrant in entrants))
        if obeys(options, pairs, bye) and (bye == one if not other else {one, other} in map(set, pairs))
    ]
    return min(costs, default=None)


def test_the_price_agrees_with_brute_force():
    """`why_not` gives the cost of the best round with the pair fixed, or none."""
    kinds = set()
    for number in range(120):
        entrants, options, dice = field(number)
        if brute(entrants, options, "s") is None:
            continue
        one, other = dice.sample([entrant.id for entrant in entrants] + [NOBODY], 2)
        one, other = (one, other) if one else (other, one)
        price = why_not(entrants, options, "s", one, other)
        expected = best_with(entrants, options, one, other)
        assert price.possible == (expected is not None), number
        assert price.reasons, "never without a word"
        if expected is None:
            assert price.level is None
            kinds.add("impossible")
            continue
        best = brute(entrants, options, "s")[0]
        assert as_levels(price.best) == best
        assert as_levels(price.forced) == expected
        level = next((LEVELS[n] for n in range(len(best)) if best[n] != expected[n]), "seed")
        assert price.level == level
        kinds.add(level)
    assert {"impossible", "rematches", "differences", "seed"} <= kinds


def test_the_deciding_level_is_the_cost_of_rounds_without_the_table():
    """The level is the first on which all rounds without the table cost more."""
    kinds = set()
    for number in range(100):
        entrants, options, _ = field(number)
        best = brute(entrants, options, "s")
        if best is None:
            continue
        made = pair(entrants, options, "s")
        for table in made.tables:
            explained = why(entrants, options, made, table.number)
            assert explained.players == table.seats
            assert explained.decided_by == decided(entrants, options, best[0], table.seats), number
            kinds.add(explained.decided_by)
        if made.bye:
            explained = why(entrants, options, made, None)
            assert explained.players == (made.bye,)
            assert explained.decided_by == decided(entrants, options, best[0], (made.bye, NOBODY)), number
            kinds.add(f"bye by {explained.decided_by}")
    assert {"forced", "impossible", "seed", "differences", "rematches", "bye by bye_points"} <= kinds


def decided(entrants, options, best, seats):
    """Return what brute force finds decisive: forced, impossible, seed, or the first level."""
    if set(seats) in map(set, options.forced) or (seats[1] == NOBODY and options.forced_bye == seats[0]):
        return "forced"
    without = [
        levels(entrants, options, pairs, bye)
        for pairs, bye in rounds(sorted(entrant.id for entrant in entrants))
        if obeys(options, pairs, bye) and set(seats) not in map(set, pairs) and (bye, NOBODY) != seats
    ]
    if not without:
        return "impossible"
    return next(
        (level for level, mine, theirs in zip(LEVELS, best, min(without), strict=True) if mine != theirs),
        "seed",
    )


def texts(explained):
    return [reason.text for reason in explained.reasons]


def test_a_float_is_explained_by_the_number_of_players_above():
    """An odd number above a score means that one of them must meet an opponent below."""
    entrants = [Entrant(id=number, points=4 if number < 4 else 2) for number in range(1, 7)]
    made = pair(entrants, Options(), "s")
    floated = next(table for table in made.tables if min(table.seats) < 4 <= max(table.seats))
    high, low = floated.seats
    assert texts(why(entrants, Options(), made, floated.number)) == [
        f"#{high} (2 points) is paired down to #{low} (1 point)",
        "3 players are on 2 points or more, an odd number: at least one of them must meet "
        "an opponent with fewer points",
        "a round without this table can be just as good: the round's seed chose at random",
    ]


def test_one_player_alone_on_a_score_is_named():
    """A single player is named instead of counted as an odd number."""
    entrants = [Entrant(id=1, points=4), *(Entrant(id=number, points=2) for number in (2, 3, 4))]
    made = pair(entrants, Options(), "s")
    table = next(table for table in made.tables if 1 in table.seats)
    assert "only #1 is on 2 points or more, and must meet an opponent with fewer points" in texts(
        why(entrants, Options(), made, table.number)
    )


def test_a_float_is_explained_by_earlier_meetings():
    """Two players alone on a score who have met must both leave it, and the sentence names them."""
    entrants = [
        Entrant(id=1, points=4, opponents=(2,)),
        Entrant(id=2, points=4, opponents=(1,)),
        *(Entrant(id=number, points=2) for number in (3, 4)),
    ]
    made = pair(entrants, Options(), "s")
    explained = why(
        entrants, Options(), made, 1, names=Names({1: "Mira", 2: "Tomo", 3: "Ada", 4: "Ben"}.__getitem__)
    )
    assert explained.reasons[1].text == (
        "both players on 2 points or more must meet an opponent with fewer points: Mira and Tomo "
        "have met all other players there"
    )
    assert explained.reasons[1].numbers == {"half_points": 4, "above": 2, "least": 2}


def test_a_rematch_is_explained_by_its_witness():
    """Four players after three rounds have all met."""
    others = {1: (2, 3, 4), 2: (1, 4, 3), 3: (4, 1, 2), 4: (3, 2, 1)}
    entrants = [Entrant(id=number, opponents=met) for number, met in others.items()]
    made = pair(entrants, Options(), "s")
    explained = why(entrants, Options(), made, 1)
    assert explained.reasons[1].text == (
        "they have met before; at least 2 rematches cannot be avoided: #1, #2, #3 and #4 have met "
        "all other players in this round"
    )


def test_the_bye_is_explained_by_its_class():
    """Fewest earlier byes, then lowest points; earlier players would need a rematch."""
    entrants = [Entrant(id=1, points=2, byes=1), Entrant(id=2, points=2), Entrant(id=3, points=0)]
    made = pair(entrants, Options(), "s")
    assert texts(why(entrants, Options(), made, None)) == [
        "3 players are an odd number: one is left over",
        "#3 has had no bye yet and is on 0 points, which is true of no other player",
        "the best round without this bye has a bye for a player on 1 point instead of 0",
    ]
    met = [
        Entrant(id=1, points=2, opponents=(2,)),
        Entrant(id=2, points=2, opponents=(1,)),
        Entrant(id=3, points=0, opponents=()),
    ]
    made = pair(met, Options(), "s")
    assert texts(why(met, Options(), made, None))[2] == (
        "#3 would come first, but then the best round has 1 rematch instead of none: only #3 is left in "
        "this round for #1, #2 and the bye"
    )


def test_a_table_set_by_hand_is_not_defended():
    """An edited table is reported as not the engine's."""
    entrants = [Entrant(id=number, points=2 if number < 3 else 0) for number in range(1, 5)]
    edited = Pairing(tables=(Table(1, (1, 3)), Table(2, (2, 4))), cost=cost_of_edit(entrants), seed="s")
    explained = why(entrants, Options(), edited, 1)
    assert explained.decided_by == "edited"
    assert (
        texts(explained)[-1]
        == "a new pairing would not have this table: the best round with it has 2 tables 1 "
        "point apart instead of none"
    )


def cost_of_edit(entrants):
    from tourney.pairing import Cost

    return Cost(differences=levels(entrants, Options(), [(1, 3), (2, 4)], None)[4])


def test_questions_about_missing_tables_and_players_are_refused():
    """An unknown table, a bye in an even field, strangers."""
    entrants = [Entrant(id=number) for number in range(1, 5)]
    made = pair(entrants, Options(), "s")
    for ask, message in [
        (lambda: why(entrants, Options(), made, 7), "this round has no table 7: its tables are 1 to 2"),
        (
            lambda: why(entrants, Options(), made, None),
            "no player has the bye in this round: the number of players is even",
        ),
        (lambda: why_not(entrants, Options(), "s", 1, 9), "#9 is not in this round"),
        (lambda: why_not(entrants, Options(), "s", 1, 1), "#1 cannot meet themselves"),
    ]:
        with pytest.raises(TourneyError) as refusal:
            ask()
        assert str(refusal.value) == message


def test_the_price_is_given_in_words():
    """The sentences use points, not half points."""
    entrants = [
        Entrant(id=1, points=4, opponents=(2,)),
        Entrant(id=2, points=4, opponents=(1,)),
        Entrant(id=3, points=4),
        Entrant(id=4, points=2),
    ]
    met = why_not(entrants, Options(), "s", 1, 2)
    assert [reason.text for reason in met.reasons] == [
        "they have met before",
        "the best round with this table has 1 rematch instead of none",
    ]
    apart = why_not(entrants, Options(forbidden=frozenset({(3, 4)})), "s", 3, 4)
    assert not apart.possible
    assert [reason.text for reason in apart.reasons] == [
        "the organizer keeps them apart",
        "they are 1 point apart",
    ]


def test_levels_that_were_not_searched_are_not_compared():
    """Above 600 players, levels below the gaps are not proved, so sentences stop there."""
    entrants = [Entrant(id=number, points=2 * (number % 3), tags=("club:A",)) for number in range(1, 703)]
    made = pair(entrants, Options(), "s")
    assert made.exact_levels == 3
    explained = why(entrants, Options(), made, 1)
    assert texts(explained)[-1] == (
        "a round without this table can be as good in rematches, the bye and gaps in points; "
        "so large a field is not searched further"
    )
    assert explained.decided_by == "seed"
    price = why_not(entrants, Options(), "s", 3, 6)
    assert price.reasons[-1].text.startswith(
        "a round with this table can be as good in rematches, the bye and gaps"
    )


def test_chance_is_named_only_if_it_chose():
    """Tables that the seed does not give were chosen by a person, even if they are equally good."""
    entrants = [Entrant(id=number) for number in range(1, 7)]
    made = pair(entrants, Options(), "s")
    seat_sets = {frozenset(table.seats) for table in made.tables}
    other = next(
        pairs for pairs, _ in rounds([1, 2, 3, 4, 5, 6]) if not seat_sets & set(map(frozenset, pairs))
    )
    forged = replace(made, tables=tuple(Table(n, tuple(seats)) for n, seats in enumerate(other, 1)))
    for table in forged.tables:
        assert texts(why(entrants, Options(), forged, table.number))[-1] == (
            "a round with this table can be as good as any other, and so can one without it"
        )
    one, other = made.tables[0].seats
    assert texts(why_not(entrants, Options(), "s", one, other, pairing=forged)) == [
        "a round with this table can be as good as any other"
    ]
    assert "the round's seed chose" in texts(why_not(entrants, Options(), "s", one, other, pairing=made))[-1]
