"""Why, in round robins and brackets: the sentences are read back and held against tables made another way."""

import random
import re
from itertools import product

import pytest

from tests.pairing.test_elimination import decided
from tourney.pairing.elimination import BracketOptions, Vacancy, bracket, why, why_not
from tourney.pairing.facts import Names, told
from tourney.pairing.round_robin import schedule


def texts(facts):
    return [each.text for each in told(facts, Names())]


# Round robins: the Berger tables by turning the circle, as clubs draw them on paper.


def turned(count):
    """Round → set of pairs of numbers: n stays, everybody else goes on by n / 2 from round to round."""
    last = count + count % 2
    ring = list(range(1, last))
    rounds = []
    for _ in range(last - 1):
        order = [*ring, last]
        rounds.append({frozenset((order[n], order[-1 - n])) for n in range(last // 2)})
        half = last // 2
        ring = [(each + half - 1) % (last - 1) + 1 for each in ring]
    return rounds


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7, 8, 11, 14])
@pytest.mark.parametrize("double", [False, True])
def test_a_round_robin_is_told_by_its_tables(count, double):
    """Numbers, rounds and rests are those of the circle; each player has one number through the whole event."""
    players = tuple(range(11, 11 + count))
    plan = schedule(players, double=double, seed="s")
    circle, number_of = turned(count), {}
    met = {}
    for number in range(1, len(plan.rounds) + 1):
        for pair in plan.rounds[number - 1]:
            met.setdefault(frozenset(pair), []).append(number)
            said, drawn = texts(plan.why(number, pair))
            assert drawn == "who has which number was drawn by the seed of round 1, for the whole event"
            found = re.fullmatch(
                r"(?:round (\d+) repeats round (\d+), the first seats turned: )?in round (\d+) of the Berger tables for (\d+) players "
                r"number (\d+) meets number (\d+), and #(\d+) is (\d+), #(\d+) is (\d+)",
                said,
            )
            again, of, berger, size, low, high, one, first, other, second = (
                each and int(each) for each in found.groups()
            )
            assert (size, first, second, (one, other)) == (count, low, high, pair)
            assert {low, high} in circle[berger - 1]
            assert (again, of) == ((None, None) if number <= len(circle) else (number, berger))
            if again:
                assert pair[::-1] in plan.rounds[berger - 1]
            else:
                assert berger == number
            assert number_of.setdefault(one, low) == low
            assert number_of.setdefault(other, high) == high
        rest = plan.rests[number - 1]
        if rest:
            said, _ = texts(plan.why(number, (rest,)))
            found = re.fullmatch(
                r"(\d+) players are an odd number: in round (\d+) of the Berger tables number (\d+) rests, and that is #(\d+)", said
            )  # fmt: skip
            size, berger, mine, who = map(int, found.groups())
            assert (size, who) == (count, rest)
            assert {mine, count + 1} in circle[berger - 1]
    assert sorted(number_of.values()) == list(range(1, count + 1))
    for pair, rounds in met.items():
        when = f"{'round' if len(rounds) == 1 else 'rounds'} {' and '.join(map(str, rounds))}"
        assert texts(plan.why_not(*pair)) == [f"by the schedule they meet in {when}"]


def test_what_the_schedule_does_not_say_itself():
    """Somebody who left, tables by hand, somebody late, a bye where nobody rests."""
    plan = schedule((1, 2, 3, 4))
    (one, other), (two, three) = plan.rounds[0]
    assert texts(plan.why(1, (one,))) == [
        f"by the schedule #{one} meets #{other} in this round, who is not in it"
    ]
    assert texts(plan.why(1, (one, two))) == [
        f"by the schedule #{one} meets #{other} in this round",
        f"by the schedule #{two} meets #{three} in this round",
    ]
    assert texts(plan.why(1, (one, 9)))[1] == "#9 is not in the schedule"
    assert texts(plan.why_not(1, 9)) == ["#9 is not in the schedule"]
    assert texts(plan.why_not(1, 0)) == ["the schedule is of 4 players, an even number: nobody rests"]
    odd = schedule((1, 2, 3))
    assert texts(odd.why_not(odd.rests[1], 0)) == [f"by the schedule #{odd.rests[1]} rests in round 2"]


# Brackets: played with random results, sometimes with somebody who leaves.


def random_bracket(dice):
    count = dice.randint(2, 9)
    options = dice.choice(
        [
            BracketOptions(),
            BracketOptions(third_place=count > 3),
            BracketOptions(reseed=True),
            BracketOptions(double=True),
            BracketOptions(vacancy=Vacancy.HIGHEST_SEED),
        ]
    )
    players = tuple(dice.sample(range(1, 20), count))
    earlier, left = [], {}
    while True:
        now = bracket(players, options, earlier=earlier, left=left)
        yield players, options, earlier, left, now
        if now.finished:
            return
        earlier.append(
            {
                label: decided(table, dice.choice(table.seats))
                for label, table in zip(now.labels, now.tables, strict=True)
            }
        )
        if dice.random() < 0.2:
            left.setdefault(dice.choice(players), len(earlier))


def results(earlier):
    """Label → (winner, loser) of the matches played."""
    found = {}
    for tables in earlier:
        for label, table in tables.items():
            won = next(seat.player for seat in table.result.seats if seat.place == 1)
            found[label] = won, next(player for player in table.seats if player != won)
    return found


LABELS = {"the match for third place": "Third place"} | {
    f"the {each}": each for each in ("Final", "Final reset", "Upper final", "Lower final")
}


class Played:
    """What the sentences about the next round of a bracket are held against."""

    def __init__(self, players, options, earlier, left, now):
        self.players, self.options, self.earlier, self.left, self.now = players, options, earlier, left, now
        self.done = results(earlier)

    def holds(self, text, label, seats):
        for pattern, check in BRACKET.items():
            if found := re.fullmatch(pattern, text):
                named = [LABELS.get(each, each) if each else each for each in found.groups()]
                assert check(self, label, seats, *named), text
                return check
        raise AssertionError(f"no reading of: {text}")

    def came(self, _label, seats, who, how, match, other):
        pair = (int(who), int(other))
        return self.done[match] == (pair if how == "won" else pair[::-1]) and int(who) in seats

    def passed(self, _label, seats, who, match):
        return match not in self.done and int(who) in seats

    def seeded(self, _label, seats, who, seed, count):
        return self.players.index(int(who)) == int(seed) - 1 and int(count) == len(self.players)

    def seeds(self, label, seats, places, total, one, other, match):
        by_seed = {self.players[int(one) - 1], self.players[int(other) - 1]}
        return (
            int(one) + int(other) == int(total) == int(places) + 1
            and int(places) // 2 < len(self.players) <= int(places)
            and by_seed == set(seats)
            and match == label
        )

    def feeds(self, label, seats, match, how_one, one, how_other, other):
        for how, source in ((how_one, one), (how_other, other)):
            if source in self.done and self.done[source][how == "loser"] not in seats:
                return False
        return match == label

    def reseeded(self, _label, seats, count):
        left = sorted((p for table in self.now.tables for p in table.seats), key=self.players.index)
        third = [
            p
            for table, label in zip(self.now.tables, self.now.labels, strict=True)
            if label == "Third place"
            for p in table.seats
        ]
        left = [p for p in left if p not in third]
        one, other = (left.index(p) for p in seats)
        return len(left) == int(count) and one + other == len(left) - 1

    def moved(self, label, seats, who, match):
        return self.options.vacancy is Vacancy.HIGHEST_SEED and bool(self.left) and int(who) in seats

    def byes(self, _label, seats, count, places, first, last=None):
        numbers = [int(each) for each in re.findall(r"\d+", first)]
        resting = [p for p in self.players if p not in {x for t in self.now.tables for x in t.seats}]
        top = list(self.players[: numbers[-1]])
        return int(count) == len(self.players) and resting == top and int(places) - int(count) == len(top)

    def no_opponent(self, _label, seats, who, match):
        return match not in self.now.labels and int(who) in self.now.byes

    def waits(self, _label, seats, who, match):
        return match not in self.now.labels and int(who) in self.now.byes

    def plays(self, _label, seats, who, match):
        table = next(t for t, each in zip(self.now.tables, self.now.labels, strict=True) if each == match)
        return int(who) in table.seats

    def plays_nothing(self, _label, seats, who):
        return all(int(who) not in table.seats for table in self.now.tables)

    def earliest(self, _label, seats, match):
        return match in self.first_meetings(seats)

    def never(self, _label, seats):
        return not self.first_meetings(seats)

    def first_meetings(self, seats):
        """The matches of the first round in which two can meet, by playing the rest in every way (nobody leaves)."""
        pending = [self.earlier]
        while pending:
            found, later = set(), []
            for earlier in pending:
                now = bracket(self.players, self.options, earlier=earlier, left=self.left)
                for label, table in zip(now.labels, now.tables, strict=True):
                    if set(table.seats) == set(seats):
                        found.add(label)
                if not now.finished:
                    for winners in product(*(table.seats for table in now.tables)):
                        played = {
                            label: decided(table, winner)
                            for label, table, winner in zip(now.labels, now.tables, winners, strict=True)
                        }
                        later.append([*earlier, played])
            if found:
                return found
            pending = later
        return set()


BRACKET = {
    r"#(\d+) (won|lost) (.+) against #(\d+)": Played.came,
    r"#(\d+) passed (.+) without an opponent": Played.passed,
    r"#(\d+) is seed (\d+) of (\d+)": Played.seeded,
    r"in a bracket of (\d+) places the seeds of a first match add up to (\d+): (\d+) and (\d+) in (.+)": Played.seeds,
    r"in (.+) the (winner|loser) of (.+) meets the (winner|loser) of (.+)": Played.feeds,
    r"the bracket is made anew after each round: of the (\d+) players left the highest seed meets the lowest, "
    r"the second the second lowest, and so on": Played.reseeded,
    r"#(\d+) came to (.+) because somebody left the bracket: its byes went to the highest seeds, and the others were paired anew":
        Played.moved,
    r"(\d+) players in a bracket of (\d+) places: (seed 1 has|seeds 1 (?:to|and) \d+ have) no opponent in the first round":
        Played.byes,
    r"#(\d+) has no opponent in (.+)": Played.no_opponent,
    r"#(\d+) waits for (.+), where the opponent is still to be found": Played.waits,
    r"#(\d+) has no match in this round": Played.plays_nothing,
    r"#(\d+) plays (.+)": Played.plays,
    r"by the bracket they can meet in (.+) at the earliest": Played.earliest,
    r"by the bracket they cannot meet any more": Played.never,
}  # fmt: skip


def hold_brackets(numbers):
    used = set()
    for number in numbers:
        dice = random.Random(f"bracket {number}")
        for players, options, earlier, left, now in random_bracket(dice):
            if now.finished:
                break
            played = Played(players, options, list(earlier), dict(left), now)
            for label, table in zip(now.labels, now.tables, strict=True):
                said = texts(why(players, options, now, label, table.seats))
                assert len(said) >= 2, "where each came from, at least"
                used |= {played.holds(each, label, table.seats) for each in said}
            for player in now.byes:
                said = texts(why(players, options, now, None, (player,)))
                used |= {played.holds(each, None, (player,)) for each in said}
            one, other = dice.sample(players, 2)
            for each in texts(why_not(players, options, now, one, other)):
                used.add(
                    played.holds(each, None, (one, other))
                    if len(players) < 7 or "earliest" not in each
                    else None
                )
    return used


def test_every_sentence_about_a_bracket_is_so():
    """Single, double, reseeded, with a third place, with players who leave: read back and held against the results."""
    assert hold_brackets(range(250)) >= set(BRACKET.values())


def test_a_match_the_bracket_does_not_have():
    """Tables by hand: whom the bracket would bring together; strangers are named."""
    players = (1, 2, 3, 4)
    now = bracket(players)
    label = now.labels[0]
    assert texts(why(players, BracketOptions(), now, label, (1, 2))) == [
        "by the bracket #1 meets #4 in this round",
        "by the bracket #2 meets #3 in this round",
    ]
    assert texts(why_not(players, BracketOptions(), now, 1, 9)) == ["#9 is not in the bracket"]
