"""Explanations of round robins, brackets and pods: every sentence is checked by other means."""

import random
import re
from collections import Counter
from itertools import combinations, product

import pytest
from msgspec.structs import replace

from tests.kit import amount, with_rows
from tests.pairing import claims
from tests.pairing import pods_judge as judge
from tests.pairing.claims import gaps_of, half
from tests.pairing.fields import dressed, history
from tests.pairing.test_elimination import decided
from tourney.errors import TourneyError
from tourney.pairing import Entrant, Names, Options, Sizes, pods, schedule
from tourney.pairing.elimination import BracketOptions, Vacancy, bracket
from tourney.pairing.elimination.why import why, why_not
from tourney.pairing.facts import fixed_tables, shared_groups
from tourney.pairing.pods import why as pod
from tourney.record import Table


def texts(facts):
    return [fact.reason.text for fact in facts]


def test_a_name_with_braces_is_not_formatted():
    """Names of players and sides appear unchanged."""
    names = Names(player=lambda player: f"{{other}} {{fact.table}} {player}")
    [fixed] = fixed_tables(names, {1: Entrant(id=1, fixed_table=3)}, (1,), 3)
    assert fixed.reason.text == "table 3 is kept for {other} {fact.table} 1"
    club = Names(group=lambda tag: f"{{0}} {tag}")
    [shared] = shared_groups(club, Options(), *(Entrant(id=n, tags=("club:A",)) for n in (1, 2)))
    assert shared.reason.text.startswith("both belong to {0} club:A; ")


# Round robins: the Berger tables by turning the circle, as clubs draw them on paper.


def turned(count):
    """Return the pairs of numbers of each round by the circle method: n stays, others move."""
    last = count + count % 2
    ring = list(range(1, last))
    rounds = []
    for _ in range(last - 1):
        order = [*ring, last]
        rounds.append({frozenset((order[n], order[-1 - n])) for n in range(last // 2)})
        half = last // 2
        ring = [(place + half - 1) % (last - 1) + 1 for place in ring]
    return rounds


@with_rows("count", [2, 3, 4, 5, 6, 7, 8, 11, 14])
@with_rows("double", [False, True])
def test_round_robin_sentences_agree_with_the_circle_method(count, double):
    """Each player has one number in the whole event."""
    players = tuple(range(11, 11 + count))
    plan = schedule(players, double=double, seed="s")
    circle, number_of = turned(count), {}
    met = {}
    for number in range(1, len(plan.rounds) + 1):
        for pair in plan.rounds[number - 1]:
            met.setdefault(frozenset(pair), []).append(number)
            sentences, drawn = texts(plan.why(number, pair))
            assert drawn == "the players' numbers were drawn by the seed of round 1, for the whole event"
            match = re.fullmatch(
                r"(?:round (\d+) repeats round (\d+) with changed sides: )?in round (\d+) of the "
                r"Berger tables for (\d+) players "
                r"number (\d+) meets number (\d+), and #(\d+) is (\d+), #(\d+) is (\d+)",
                sentences,
            )
            again, of, berger, size, low, high, one, first, other, second = (
                group and int(group) for group in match.groups()
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
            sentences, _ = texts(plan.why(number, (rest,)))
            match = re.fullmatch(
                r"(\d+) players are an odd number: in round (\d+) of the Berger tables number "
                r"(\d+) rests, and that is #(\d+)", sentences
            )  # fmt: skip
            size, berger, mine, who = map(int, match.groups())
            assert (size, who) == (count, rest)
            assert {mine, count + 1} in circle[berger - 1]
    assert sorted(number_of.values()) == list(range(1, count + 1))
    for pair, rounds in met.items():
        when = f"{'round' if len(rounds) == 1 else 'rounds'} {' and '.join(map(str, rounds))}"
        assert texts(plan.why_not(*pair)) == [f"by the schedule they meet in {when}"]


def test_differences_from_the_schedule_are_explained():
    """Players who left or came late, tables by hand, a bye if no player rests."""
    plan = schedule((1, 2, 3, 4))
    (one, other), (two, three) = plan.rounds[0]
    assert texts(plan.why(1, (one,))) == [
        f"by the schedule #{one} meets #{other} in this round, but #{other} is not in it"
    ]
    assert texts(plan.why(1, (one, two))) == [
        f"by the schedule #{one} meets #{other} in this round",
        f"by the schedule #{two} meets #{three} in this round",
    ]
    assert texts(plan.why(1, (one, 9)))[1] == "#9 is not in the schedule"
    assert texts(plan.why_not(1, 9)) == ["#9 is not in the schedule"]
    assert texts(plan.why_not(1, 0)) == ["the schedule has 4 players, an even number: no player rests"]
    odd = schedule((1, 2, 3))
    assert texts(odd.why_not(odd.rests[1], 0)) == [f"by the schedule #{odd.rests[1]} rests in round 2"]


# Brackets with random results; sometimes a player leaves.


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
        now = bracket(players, options, earlier=earlier, departures=left)
        yield players, options, earlier, left, now
        if now.is_finished:
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
    """Return (winner, loser) of the matches played, by label."""
    outcomes = {}
    for tables in earlier:
        for label, table in tables.items():
            won = next(seat.player for seat in table.result.seats if seat.place == 1)
            outcomes[label] = won, next(player for player in table.seats if player != won)
    return outcomes


LABELS = {"the match for third place": "Third place"} | {
    f"the {label}": label for label in ("Final", "Final reset", "Upper final", "Lower final")
}


class Played:
    """Facts against which the sentences about the next round of a bracket are checked."""

    def __init__(self, players, options, earlier, left, now):
        self.players, self.options, self.earlier, self.left, self.now = players, options, earlier, left, now
        self.done = results(earlier)

    def holds(self, text, label, seats):
        for pattern, check in BRACKET.items():
            if match := re.fullmatch(pattern, text):
                named = [LABELS.get(group, group) if group else group for group in match.groups()]
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
        numbers = [int(number) for number in re.findall(r"\d+", first)]
        resting = [p for p in self.players if p not in {x for t in self.now.tables for x in t.seats}]
        top = list(self.players[: numbers[-1]])
        return int(count) == len(self.players) and resting == top and int(places) - int(count) == len(top)

    def no_opponent(self, _label, seats, who, match):
        return match not in self.now.labels and int(who) in self.now.byes

    def waits(self, _label, seats, who, match):
        return match not in self.now.labels and int(who) in self.now.byes

    def plays(self, _label, seats, who, match):
        table = next(t for t, label in zip(self.now.tables, self.now.labels, strict=True) if label == match)
        return int(who) in table.seats

    def plays_nothing(self, _label, seats, who):
        return all(int(who) not in table.seats for table in self.now.tables)

    def earliest(self, _label, seats, match):
        return match in self.first_meetings(seats)

    def never(self, _label, seats):
        return not self.first_meetings(seats)

    def first_meetings(self, seats):
        """Return the matches of the first round in which two can meet, over all outcomes."""
        pending = [self.earlier]
        while pending:
            labels, later = set(), []
            for earlier in pending:
                now = bracket(self.players, self.options, earlier=earlier, departures=self.left)
                for label, table in zip(now.labels, now.tables, strict=True):
                    if set(table.seats) == set(seats):
                        labels.add(label)
                if not now.is_finished:
                    for winners in product(*(table.seats for table in now.tables)):
                        played = {
                            label: decided(table, winner)
                            for label, table, winner in zip(now.labels, now.tables, winners, strict=True)
                        }
                        later.append([*earlier, played])
            if labels:
                return labels
            pending = later
        return set()


BRACKET = {
    r"#(\d+) (won|lost) (.+) against #(\d+)": Played.came,
    r"#(\d+) passed (.+) without an opponent": Played.passed,
    r"#(\d+) is seed (\d+) of (\d+)": Played.seeded,
    r"in a bracket of (\d+) places the seeds of a first match add up to "
    r"(\d+): (\d+) and (\d+) in (.+)": Played.seeds,
    r"in (.+) the (winner|loser) of (.+) meets the (winner|loser) of (.+)": Played.feeds,
    r"the bracket is reseeded after each round: of the (\d+) players left the highest seed meets the lowest, "
    r"the second the second lowest, and so on": Played.reseeded,
    r"#(\d+) came to (.+) because a player left the bracket: the byes went to the highest seeds, "
    r"and the others were paired again":
        Played.moved,
    r"(\d+) players in a bracket of (\d+) places: (seed 1 has|seeds 1 (?:to|and) \d+ have) "
    r"no opponent in the first round":
        Played.byes,
    r"#(\d+) has no opponent in (.+)": Played.no_opponent,
    r"#(\d+) waits for (.+); the opponent is not known yet": Played.waits,
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
            if now.is_finished:
                break
            played = Played(players, options, list(earlier), dict(left), now)
            for label, table in zip(now.labels, now.tables, strict=True):
                sentences = texts(why(players, options, now, label, table.seats))
                assert len(sentences) >= 2, "where each came from, at least"
                used |= {played.holds(text, label, table.seats) for text in sentences}
            for player in now.byes:
                sentences = texts(why(players, options, now, None, (player,)))
                used |= {played.holds(text, None, (player,)) for text in sentences}
            one, other = dice.sample(players, 2)
            for text in texts(why_not(players, options, now, one, other)):
                used.add(
                    played.holds(text, None, (one, other))
                    if len(players) < 7 or "earliest" not in text
                    else None
                )
    return used


def test_every_sentence_about_a_bracket_is_true():
    """Single, double, reseeded, with a third place, with players who leave."""
    assert hold_brackets(range(amount(125, of=250))) >= set(BRACKET.values())


def test_a_match_that_the_bracket_does_not_have():
    """The facts name the opponents of the bracket, and strangers."""
    players = (1, 2, 3, 4)
    now = bracket(players)
    label = now.labels[0]
    assert texts(why(players, BracketOptions(), now, label, (1, 2))) == [
        "by the bracket #1 meets #4 in this round",
        "by the bracket #2 meets #3 in this round",
    ]
    assert texts(why_not(players, BracketOptions(), now, 1, 9)) == ["#9 is not in the bracket"]


# Pods: what sits together, and every exchange of two players.


def pods_round(number):
    dice = random.Random(f"pods {number}")
    entrants = dressed(dice, history(dice, dice.randint(3, 10), dice.randint(0, 3), wild=0.5), drops=0)
    ids = [entrant.id for entrant in entrants]
    pairs = list(combinations(ids, 2))
    forbidden = frozenset(dice.sample(pairs, min(len(pairs) - 1, dice.choice([0, 0, 1]))))
    forced = tuple(pair for pair in dice.sample(pairs, dice.choice([0, 0, 1])) if pair not in forbidden)
    options = Options(
        forbidden=forbidden, forced=forced, keep_apart=dice.random() < 0.8, no_show_meets=dice.random() < 0.3
    )
    sizes = dice.choice([Sizes(3, 3, 3), Sizes(2, 4, 6), Sizes(3, 4, 5)])
    try:
        made = pods.pair(entrants, options, "s", sizes=sizes, exhaustive=dice.choice([0, 300]), effort=500)
    except TourneyError:
        return None
    if dice.random() < 0.3:  # by hand: two change places
        seats = [list(table.seats) for table in made.tables]
        one, other = dice.choice(seats), dice.choice(seats)
        one[0], other[-1] = other[-1], one[0]
        byes = list(made.byes)
        if byes and dice.random() < 0.5:
            one[0], byes[0] = byes[0], one[0]
        made = replace(
            made,
            byes=tuple(byes),
            tables=tuple(Table(t.number, tuple(s)) for t, s in zip(made.tables, seats, strict=True)),
        )
    return entrants, options, made, sizes


class PodWorld:
    """A round of pods, priced by `pods_judge`."""

    def __init__(self, entrants, options, made, sizes):
        no_shows = options.no_show_meets
        self.of = {
            entrant.id: replace(
                entrant,
                opponents=entrant.opponents + (entrant.no_shows if no_shows else ()),
                tags=entrant.tags if options.keep_apart else (),
            )
            for entrant in entrants
        }
        self.tags = {entrant.id: set(entrant.tags) for entrant in entrants}
        self.options, self.made, self.sizes = options, made, sizes
        self.tables = {table.number: table.seats for table in made.tables}
        self.at = {player: number for number, seats in self.tables.items() for player in seats}
        self.cost = self.priced(self.tables.values())

    def priced(self, tables):
        seats = dict.fromkeys(self.of, ())
        return judge.cost(list(self.of.values()), list(tables), seats)[:4]

    def turned(self, one, other):
        turn = {one: other, other: one}
        return [tuple(turn.get(p, p) for p in seats) for seats in self.tables.values()]

    def allowed(self, tables):
        for seats in map(set, tables):
            if any(seats >= set(pair) for pair in self.options.forbidden):
                return False
            if any(len(seats & set(pair)) == 1 for pair in self.options.forced):
                return False
        return True

    def touched(self, one, other):
        """Return the two tables after an exchange."""
        return [seats for seats in self.turned(one, other) if one in seats or other in seats]

    def exchanges(self, subject, *, together):
        one, *_, other = subject
        for a, b in combinations(self.at, 2):
            if self.at[a] == self.at[b] or not self.allowed(self.touched(a, b)):
                continue
            after = self.turned(a, b)
            if together:
                if any({one, other} <= set(seats) for seats in after):
                    yield (a, b), self.priced(after), after
            elif (a in subject) != (b in subject):
                yield (a, b), self.priced(after), after

    def gaps(self, tables):
        return Counter(
            gap
            for seats in tables
            for a, b in combinations(seats, 2)
            if (gap := abs(self.of[a].points - self.of[b].points))
        )

    def holds(self, subject, text, *, together):
        for pattern, check in PODS.items():
            if match := re.fullmatch(pattern, text):
                assert check(self, subject, together, *match.groups()), text
                return check
        raise AssertionError(f"no reading of: {text}")

    def divided(self, _asked, _together, count, tables, byes, preferred):
        sizes = [int(s) for n, s in re.findall(r"(\d+) tables? of (\d+)", tables) for _ in range(int(n))]
        best, left = judge.best_sizes(len(self.of), self.sizes)
        return (
            int(count) == len(self.of)
            and sorted(sizes) == sorted(best) == sorted(len(t) for t in self.tables.values())
            and int(byes or 0) == left == len(self.made.byes)
            and int(preferred) == self.sizes.preferred
        )

    def same(self, subject, _together, _who, points, others):
        number = 0 if others == "no other player is" else int(others.split()[1])
        level = [entrant for entrant in self.of.values() if entrant.points == half(points)]
        return len(level) == len(subject) + number and {self.of[p].points for p in subject} == {half(points)}

    def points(self, subject, _together, said):
        return {p: self.of[p].points for p in subject} == {
            int(who[1:]): half(points) for who, points in (words.split() for words in said.split(", "))
        }

    def met(self, subject, _together, one, other, often):
        number = {"before": 1, "twice before": 2}.get(often) or int(often.split()[0])
        return {int(one), int(other)} <= set(subject) and self.of[int(one)].opponents.count(
            int(other)
        ) == number

    def nobody_met(self, subject, _together):
        return not any(b in self.of[a].opponents for a, b in combinations(subject, 2))

    def word(self, subject, _together, verb, one, other, how):
        pairs = self.options.forced if verb == "seats" else self.options.forbidden
        return {int(one), int(other)} in map(set, pairs) and {int(one), int(other)} <= set(subject)

    def groups(self, subject, _together, one, other, said):
        tags = {words.replace(" ", ":", 1) for words in re.split(r", | and ", said)}
        return self.options.keep_apart and tags == self.tags[int(one)] & self.tags[int(other)]

    def apart(self, subject, _together, points):
        one, other = subject
        return abs(self.of[one].points - self.of[other].points) == half(points) > 0

    def meet(self, subject, _together, table):
        return set(subject) <= set(self.tables[int(table)])

    def has_bye(self, subject, _together, who):
        return int(who) in self.made.byes

    def rank(self, player):
        each = self.of[player]
        return each.byes + each.awarded_byes, each.points

    def byes_had(self, _asked, _together, who, had, points, others):
        mine = (0 if had == "no bye yet" else int(had.split()[0])), half(points)
        alike = [p for p in self.of if self.rank(p) == mine]
        return int(who) in alike and len(alike) == 1 + (
            0 if others == "no other player" else int(others.split()[0])
        )

    def seated_first(self, subject, _together, who):
        forced = {p for pair in self.options.forced for p in pair}
        return all(p in forced and self.rank(p) < self.rank(subject[0]) for p in names_in(who))

    def come_first(self, subject, _together, who):
        return all(p not in self.made.byes and self.rank(p) < self.rank(subject[0]) for p in names_in(who))

    def none(self, subject, together, _end):
        return not list(self.exchanges(subject, together=together))

    def exchange(self, subject, together, one, other, table, then):
        return not together and self.cheapest(subject, together, one, other, table, then)

    def with_partner(self, subject, together, one, partner, other, table, then):
        return (
            together
            and {int(one), int(partner)} == set(subject)
            and self.at[int(partner)] == int(table)
            and self.cheapest(subject, together, one, other, table, then)
        )

    def cheapest(self, subject, together, one, other, table, then):
        prices = {
            frozenset(pair): (cost, after) for pair, cost, after in self.exchanges(subject, together=together)
        }
        pair = frozenset((int(one), int(other)))
        cost, after = prices[pair]
        if self.at[int(other)] != int(table) or cost != min(price for price, _ in prices.values()):
            return False
        if then == ", with no more rematches, wider gaps in points or broken wishes":
            return cost == self.cost
        clause, better = re.sub(r".*(?:without it|but then) the round has ", "", then), "without it" in then
        if (cost < self.cost) != better:
            return False
        best, dear = ((cost, after), (self.cost, self.tables.values()))[:: 1 if better else -1]
        level = next(n for n in range(4) if best[0][n] != dear[0][n])
        return PODS_CLAUSES[level](self, clause, best, dear, level)


def names_in(text):
    return [int(number) for number in re.findall(r"#(\d+)", text)]


def numbers_in(pattern):
    def read(_world, clause, best, dear, level):
        match = re.fullmatch(pattern, clause)
        return (claims.number(match["there"]), claims.number(match["best"])) == (
            dear[0][level],
            best[0][level],
        )

    return read


def pod_gaps(world, clause, best, dear, level):
    more = world.gaps(dear[1]) - world.gaps(best[1])
    less = world.gaps(best[1]) - world.gaps(dear[1])
    match = re.fullmatch(
        r"(.+?)(?: instead of (.+?))?(?:; a gap counts as its square, (\S+) instead of (\S+))?", clause
    )  # fmt: skip
    gaps_text = re.sub(r"(\d+) more ", r"\1 ", match[1]).replace("pair", "table")
    before = Counter() if match[2] in (None, "none") else gaps_of(match[2].replace("pair", "table"))
    return gaps_of(gaps_text) == more and before == less


PODS_CLAUSES = {
    0: numbers_in(r"(?P<there>\d+) rematch(?:es)? instead of (?P<best>\S+)"),
    1: numbers_in(r"(?P<there>\d+) earlier meetings? of players who meet again instead of (?P<best>\S+)"),
    2: pod_gaps,
    3: numbers_in(r"(?P<there>\d+) broken wish(?:es)? to keep players apart instead of (?P<best>\S+)"),
}
PODS = {
    r"(\d+) players make (.+?)(?: and (\d+) byes?)?: the fewest byes, "
    r"then sizes nearest to (\d+)": PodWorld.divided,
    r"(both|all) are on (\S+) points?, (?:and )?(no other player is|as (?:is|are) \d+ others?)": lambda w, a,
    t, who, points, others:
        w.same(a, t, who, points, others.replace("as is", "x").replace("as are", "x")),
    r"points at this table: (.+)": PodWorld.points,
    r"#(\d+) and #(\d+) have met (before|twice before|\d+ times before)": PodWorld.met,
    r"no two players at this table have met before": PodWorld.nobody_met,
    r"the organizer (seats|keeps) #(\d+) and #(\d+) (together|apart)": PodWorld.word,
    r"#(\d+) and #(\d+) both belong to (.+); keeping them apart comes after "
    r"rematches, the bye and gaps in points":
        PodWorld.groups,
    r"they are (\S+) points? apart": PodWorld.apart,
    r"they do meet in this round, at table (\d+)": PodWorld.meet,
    r"#(\d+) has the bye in this round": PodWorld.has_bye,
    r"#(\d+) has had (no bye yet|\d+ byes? already) and is on (\S+) points?, which is (?:also )?true of "
    r"(no other player|1 other|\d+ others)":
        PodWorld.byes_had,
    r"(.+) would come first, but (?:sits at a table|sit at tables) "
    r"that the organizer set": PodWorld.seated_first,
    r"(.+) comes? first: fewer byes, or as many and fewer points": PodWorld.come_first,
    r"no two players can change places( to seat #\d+ with #\d+)?": PodWorld.none,
    r"#(\d+) could change places with #(\d+) of table (\d+)(.+)": PodWorld.exchange,
    r"#(\d+) could sit with #(\d+) by changing places with #(\d+) of table (\d+)(.+)": PodWorld.with_partner,
}  # fmt: skip


def hold_pods(numbers):
    used = set()
    for number in numbers:
        pod_round = pods_round(number)
        if pod_round is None:
            continue
        entrants, options, made, sizes = pod_round
        world = PodWorld(*pod_round)
        for table in made.tables:
            for line in texts(pod.why(entrants, options, made, table.seats, sizes=sizes)):
                used.add(world.holds(table.seats, line, together=False))
        for player in made.byes:
            for line in texts(pod.why(entrants, options, made, (player,), sizes=sizes)):
                used.add(world.holds((player,), line, together=False))
        for one, other in combinations([entrant.id for entrant in entrants], 2):
            for line in texts(pod.why_not(entrants, options, made, one, other, sizes=sizes)):
                used.add(world.holds((one, other), line, together=True))
        for entrant in entrants:
            for text in texts(pod.why_not(entrants, options, made, entrant.id, 0, sizes=sizes)):
                used.add(world.holds((entrant.id,), text, together=False))
    return used


def test_every_sentence_about_a_pod_is_true():
    """Sizes, points, meetings and the cheapest exchange, for rounds by hand and by the engine."""
    assert hold_pods(range(amount(40, of=120))) >= set(PODS.values()) - {PodWorld.seated_first}


@pytest.mark.long
def test_every_sentence_about_many_pods_is_true():
    """The same test with 1,000 rounds."""
    assert hold_pods(range(1000, 2000)) == set(PODS.values())
