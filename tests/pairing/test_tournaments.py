"""Generated tournaments through all rounds, without avoidable faults.

No avoidable rematch, no avoidable second bye, no broken wish.
"""

import random
from itertools import combinations

import pytest

from tests.kit import amount
from tourney.pairing import Entrant, Options, pair


class Tournament:
    """A random tournament with late players, drops, returns, byes, and restricted pairs."""

    def __init__(self, number):
        self.dice = random.Random(f"tournament {number}")
        most = self.dice.choice([8, 8, 8, 16, 16, 16, 32, 64, 64, 200])
        self.start = self.dice.randint(4, most)
        self.rounds = self.dice.choice([self.start.bit_length() + 2, self.start - 1, self.start + 1])
        self.rounds = min(self.rounds, 12)
        self.active, self.away = set(range(1, self.start + 1)), set()
        self.points, self.byes, self.awarded, self.met, self.no_shows, self.floats = {}, {}, {}, {}, {}, {}
        self.forbidden, self.tags = set(), {}
        for player in self.active:
            self.enter(player)
        for _ in range(self.dice.choice([0, 0, self.start // 8, self.start // 4])):
            self.forbidden.add(tuple(self.dice.sample(sorted(self.active), 2)))

    def enter(self, player):
        self.points[player], self.byes[player], self.awarded[player] = 0, 0, 0
        self.met[player], self.no_shows[player], self.floats[player] = [], [], []
        self.tags[player] = (f"club:{self.dice.randint(1, 6)}",) if self.dice.random() < 0.3 else ()

    def between_rounds(self):
        dice = self.dice
        for player in sorted(self.active):
            if dice.random() < 0.03 and len(self.active) > 3:
                self.active.remove(player)
                self.away.add(player)
        for player in sorted(self.away):
            if dice.random() < 0.1:
                self.away.remove(player)
                self.active.add(player)
        if dice.random() < 0.1:
            number = len(self.points) + 1
            self.enter(number)
            self.active.add(number)

    def resting(self):
        """Return the players with an awarded bye in this round."""
        resting = {player for player in self.active if self.dice.random() < 0.02}
        return resting if len(self.active - resting) > 2 else set()

    def entrants(self, seated):
        return [
            Entrant(id=p, points=self.points[p], opponents=tuple(self.met[p]),
                    no_shows=tuple(self.no_shows[p]), byes=self.byes[p], awarded_byes=self.awarded[p],
                    floats=tuple(self.floats[p]), tags=self.tags[p])
            for p in sorted(seated)
        ]  # fmt: skip

    def play(self, number):
        self.between_rounds()
        resting = self.resting()
        seated = self.active - resting
        options = Options(round_number=number, forbidden=frozenset(self.forbidden))
        entrants = self.entrants(seated)
        if not possible(self, seated):
            return None
        made = pair(entrants, options, f"{number}")
        judge(self, seated, made)
        self.book(made, resting)
        return made

    def book(self, made, resting):
        for player in resting:
            self.points[player] += 2
            self.awarded[player] += 1
        before = dict(self.points)
        for a, b in (table.seats for table in made.tables):
            self.floats[a].append((before[b] > before[a]) - (before[b] < before[a]))
            self.floats[b].append((before[a] > before[b]) - (before[a] < before[b]))
            if self.dice.random() < 0.02:
                self.no_shows[a].append(b)
                self.no_shows[b].append(a)
                self.points[a] += 2
                continue
            self.met[a].append(b)
            self.met[b].append(a)
            won = self.dice.choice([(2, 0), (0, 2), (2, 0), (0, 2), (1, 1)])
            self.points[a] += won[0]
            self.points[b] += won[1]
        if made.bye:
            self.points[made.bye] += 2
            self.byes[made.bye] += 1


def kept_apart(tournament, a, b):
    return (a, b) in tournament.forbidden or (b, a) in tournament.forbidden


def most_pairs(vertices, may_meet):
    """Return the size of a largest matching by networkx, to judge what was avoidable."""
    import networkx  # slow to import, and each worker imports this module

    graph = networkx.Graph()
    graph.add_nodes_from(vertices)
    graph.add_edges_from(combination for combination in combinations(vertices, 2) if may_meet(*combination))
    return len(networkx.max_weight_matching(graph, maxcardinality=True))


def fewest_rematches(tournament, vertices):
    """Return the fewest rematches of a complete round, by networkx on every allowed pair."""
    import networkx  # slow to import, and each worker imports this module

    graph = networkx.Graph()
    for a, b in combinations(vertices, 2):
        if not kept_apart(tournament, a, b):
            graph.add_edge(a, b, weight=0 if 0 in (a, b) else -int(b in tournament.met[a]))
    made = networkx.max_weight_matching(graph, maxcardinality=True)
    return -sum(graph.edges[pair]["weight"] for pair in made)


def possible(tournament, seated):
    """Return whether the organizer's pairs leave a complete round."""
    if len(tournament.forbidden) < len(seated) // 2:
        return True
    return most_pairs(sorted(seated), lambda a, b: not kept_apart(tournament, a, b)) == len(seated) // 2


def judge(tournament, seated, made):
    pairs = [table.seats for table in made.tables]
    everybody = [player for pair in pairs for player in pair] + ([made.bye] if made.bye else [])
    assert sorted(everybody) == sorted(seated), "everybody once"
    assert not any(kept_apart(tournament, a, b) for a, b in pairs), "hard constraints"
    rematches = sum(b in tournament.met[a] for a, b in pairs)
    vertices = [*sorted(seated), *([0] if made.bye else [])]
    earlier = {player: tournament.byes[player] + tournament.awarded[player] for player in seated}

    def unmet(fewest_byes):
        def may_meet(a, b):
            if 0 in (a, b):
                return earlier[max(a, b)] < fewest_byes
            return b not in tournament.met[a] and not kept_apart(tournament, a, b)

        return may_meet

    if rematches:
        assert most_pairs(vertices, unmet(10**9)) < len(vertices) // 2, "no round without a rematch"
        assert rematches == fewest_rematches(tournament, vertices), "as few rematches as any round has"
    if made.bye and earlier[made.bye] > min(earlier.values()) and not rematches:
        assert most_pairs(vertices, unmet(earlier[made.bye])) < len(vertices) // 2, (
            "nobody else could have the bye"
        )
    assert made.proof.startswith("optimal")


def played(numbers):
    rounds = with_rematch = with_second_bye = 0
    for number in numbers:
        tournament = Tournament(number)
        for place in range(1, tournament.rounds + 1):
            made = tournament.play(place)
            if made is None:
                break
            rounds += 1
            with_rematch += made.cost.rematches > 0
            with_second_bye += made.cost.bye_earlier > 0
    print(
        f"{len(numbers)} tournaments, {rounds} rounds, {with_rematch} with a rematch, "
        f"{with_second_bye} with a second bye"
    )
    return rounds, with_rematch, with_second_bye


def test_tournaments_go_through_all_their_rounds():
    """A few dozen tournaments for the ordinary run."""
    rounds, with_rematch, with_second_bye = played(range(40))
    assert rounds > 150
    assert min(with_rematch, with_second_bye) > 0, "the judge had something to judge"


@pytest.mark.slow
def test_dozens_of_larger_tournaments_go_through_all_their_rounds():
    """The tournaments have 4 to 200 players."""
    assert played(range(40, amount(52, of=64)))[0] > amount(50, of=100)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_ten_thousand_tournaments_go_through_all_their_rounds():
    """10,000 tournaments of 4 to 200 players."""
    assert played(range(40, 10_040))[0] > 50_000
