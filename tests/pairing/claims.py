"""Sentences of `why` and `why_not`, parsed and checked against all rounds of a small field.

This module knows the sentences and the definitions of `judge`, but nothing of the engine. `World(entrants,
options, made).holds(subject, text)` parses one sentence about the pair `subject` (the bye is player 0, last)
and raises AssertionError if it is false, or if no pattern matches, so that every sentence is checked. Players
are named `#3`, groups `club Ravens`.
"""

import re
from collections import Counter
from itertools import combinations

from tests.pairing.judge import LEVELS, levels, meetings, obeys, rounds

READINGS = []


def reading(pattern):
    """Register a pattern of a whole sentence; the function gets its named groups."""

    def keep(function):
        READINGS.append((re.compile(pattern), function))
        return function

    return keep


def half(text):
    """Return half points of a text: `2½` is 5."""
    whole, _, rest = text.partition("½")
    assert not rest, text
    return 2 * int(whole or 0) + ("½" in text)


def square(text):
    """Return squared half points of a text in squared points: `1¼` is 5."""
    parts = {"¼": 1, "½": 2, "¾": 3}
    quarters = parts.get(text[-1], 0)
    return 4 * int((text[:-1] if quarters else text) or 0) + quarters


def number(text):
    return {"none": 0, "once": 1, "twice": 2}.get(text) if not text[0].isdigit() else int(text.split()[0])


def players(text):
    """Return the players of `#1, #2 and the bye`; test fields are too small for `and 3 more`."""
    return [0 if words == "the bye" else int(words[1:]) for words in re.split(r", | and ", text)]


class World:
    """A field with all its rounds.

    made: the existing round, as (seats by table number, the player with the odd bye, all players with a
    bye)
    """

    def __init__(self, entrants, options, made):
        self.of = {entrant.id: entrant for entrant in entrants}
        self.options = options
        self.made = made
        self.rounds = [
            (levels(entrants, options, pairs, bye), {frozenset(pair) for pair in pairs}, bye)
            for pairs, bye in rounds(sorted(self.of))
            if obeys(options, pairs, bye) and bye not in options.no_bye
        ]
        self.set = {frozenset(pair) for pair in options.forced}
        self.read = Counter()

    def holds(self, subject, text):
        fits = [(match, function) for pattern, function in READINGS if (match := pattern.fullmatch(text))]
        assert len(fits) == 1, f"{len(fits)} readings of: {text}"
        match, function = fits[0]
        self.read[function.__name__] += 1
        assert function(self, frozenset(question for question in subject if question), **match.groupdict()), (
            text
        )

    # What the readings ask.

    def points(self, player):
        return self.of[player].points

    def earlier(self, player):
        each, options = self.of[player], self.options
        return (
            each.byes
            + each.awarded_byes * options.awarded_bye_counts
            + each.half_byes * options.half_bye_counts
        )

    def times(self, one, other):
        return meetings(self.of[one], self.options).count(other)

    def forbidden(self, one, other):
        return frozenset((one, other)) in map(frozenset, self.options.forbidden)

    def may_meet(self, one, other):
        return not self.times(one, other) and not self.forbidden(one, other)

    def having(self, subject):
        """Return the rounds with the pair, or in which the player has the bye."""
        return [round_ for round_ in self.rounds if self.has(round_, subject)]

    def lacking(self, subject):
        return [round_ for round_ in self.rounds if not self.has(round_, subject)]

    def has(self, each, subject):
        return each[2] in subject if len(subject) == 1 else subject in each[1]

    def best(self, rounds_):
        """Return the best of some rounds."""
        least = min(item[0] for item in rounds_)
        return [item for item in rounds_ if item[0] == least]

    def gaps(self, each):
        return Counter(gap for one, other in each[1] if (gap := abs(self.points(one) - self.points(other))))

    def keeping(self):
        """Return the rounds with the same bye as the existing round."""
        return [round_ for round_ in self.rounds if round_[2] == self.made[1]]

    def crossing(self, each, score):
        """Count the tables that cross a score boundary, without the organizer's."""
        return sum(
            (self.points(one) >= score) != (self.points(other) >= score)
            for one, other in map(tuple, each[1] - self.set)
        )

    def counted(self, score, side, lead):
        """Return the players on a side, except the bye and players set by the organizer."""
        on_side = lambda player: (self.points(player) >= score) == (side == "above")  # noqa: E731
        sitting = {player for pair in self.set for player in pair}
        bye = self.made[1]
        left = []
        if bye is not None and on_side(bye):
            left.append(f"#{bye}, who has the bye,")
        tables = sum(any(map(on_side, pair)) for pair in self.set)
        if tables:
            left.append(f"the {'table' if tables == 1 else 'tables'} that the organizer set,")
        assert lead == (f"without {' and '.join(left)} " if left else ""), lead
        return [player for player in self.of if on_side(player) and player != bye and player not in sitting]

    def then(self, clause, best, dearer):
        """Return whether a clause names the first level on which the best rounds differ."""
        best, dearer = self.best(best), self.best(dearer)
        level = next(
            (n for n, (one, two) in enumerate(zip(best[0][0], dearer[0][0], strict=True)) if one != two), None
        )
        if level is None:
            return False
        numbers = best[0][0][level], dearer[0][0][level]
        return numbers[1] > numbers[0] and CLAUSES[LEVELS[level]](self, clause, *numbers, best, dearer)


def read_whole(pattern, text) -> re.Match[str]:
    """Return the match of a pattern with a whole text."""
    match = re.fullmatch(pattern, text)
    assert match, f"{text!r} is not of the form {pattern}"
    return match


def numbers_of(pattern, convert=number):
    """Parse `there` and `best` from a clause, and compare them."""

    def read(_world, clause, best, there, *_):
        match = re.fullmatch(pattern, clause)
        return match is not None and (convert(match["there"]), convert(match["best"])) == (there, best)

    return read


def gap_clause(world, clause, best, there, best_rounds, dearer_rounds):
    """Check a clause about gaps; gaps that both rounds have are left out of it."""
    match = re.fullmatch(
        r"(?P<there>.+?)(?: instead of (?P<best>.+?))?"
        r"(?:; a gap counts as its square, (?P<more>\S+) instead of (?P<less>\S+))?",
        clause,
    )
    if not match:
        return False
    stated = gaps_of(re.sub(r"(\d+) more ", r"\1 ", match["there"]))
    before = Counter() if match["best"] == "none" else gaps_of(match["best"])
    assert bool(match["best"]) != (" more table" in match["there"])
    if match["best"] == "none" and not any(not world.gaps(best_round) for best_round in best_rounds):
        return False
    squares = lambda gaps: sum(gap * gap * count for gap, count in gaps.items())  # noqa: E731
    if squares(stated) - squares(before) != there - best:
        return False
    if match["more"] is not None:
        if (square(match["more"]), square(match["less"])) != (squares(stated), squares(before)):
            return False
    else:  # then every gap is at least as wide as the best round's in its place
        wide, narrow = (sorted(counter.elements(), reverse=True) for counter in (stated, before))
        if len(narrow) > len(wide) or any(one > two for one, two in zip(narrow, wide, strict=False)):
            return False
    return any(
        (world.gaps(dearer_round) - world.gaps(other), world.gaps(other) - world.gaps(dearer_round))
        == (stated, before)
        for dearer_round in dearer_rounds
        for other in best_rounds
    )


def gaps_of(text):
    gaps = [
        read_whole(r"(\d+) tables? (\S+) points? apart", words)
        for words in re.split(r", | and ", text or "")
        if words
    ]
    return Counter({half(item[2]): int(item[1]) for item in gaps})


ORDERS = {
    "fold": "the order by rating, in which the first of a score meets the last",
    "slide": "the order by rating, in which the upper half of a score meets the lower half",
    "rank": "the order of the standings, in which neighbours meet",
}
CLAUSES = {
    "rematches": numbers_of(r"(?P<there>\d+) rematch(?:es)? instead of (?P<best>\S+)"),
    "times_met": numbers_of(
        r"(?P<there>\d+) earlier meetings? of players who meet again instead of (?P<best>\S+)"
    ),
    "bye_earlier": numbers_of(
        r"a bye for a player who has had (?P<there>\d+) byes? already instead of (?P<best>\S+)"
    ),
    "bye_points": numbers_of(r"a bye for a player on (?P<there>\S+) points? instead of (?P<best>\S+)", half),
    "differences": gap_clause,
    "apart": numbers_of(r"(?P<there>\d+) broken wish(?:es)? to keep players apart instead of (?P<best>\S+)"),
    "order": lambda world, clause, *_: clause == f"tables further from {ORDERS[world.options.mode.value]}",
    "floats": numbers_of(
        r"(?P<there>\d+) players? paired down, or up, twice in a row instead of (?P<best>\S+)"
    ),
    "imbalance": lambda _world, clause, *_: clause == "a less even balance of sides",
    "side_repeats": numbers_of(
        r"(?P<there>\d+) players? with the same side twice in a row instead of (?P<best>\S+)"
    ),
}


# The table and the bye.


@reading(r"both are on (?P<points>\S+) points?, (?P<others>.+)")
def same_points(world, subject, points, others):
    level = [player for player in world.of if world.points(player) == half(points)]
    numbers = {"and no other player is": 0, "as is 1 other": 1}
    count = numbers[others] if others in numbers else int(read_whole(r"as are (\d+) others", others)[1])
    return subject <= set(level) and len(level) == 2 + count


@reading(
    r"#(?P<high>\d+) \((?P<more>\S+) points?\) is paired down to #(?P<low>\d+) \((?P<fewer>\S+) points?\)"
)
def paired_down(world, subject, high, low, more, fewer):
    return (
        subject == {int(high), int(low)}
        and (world.points(int(high)), world.points(int(low))) == (half(more), half(fewer))
        and half(more) > half(fewer)
    )


@reading(
    r"(?P<lead>without .+?, )?only #(?P<alone>\d+) is on (?P<score>\S+) points? or more, and must "
    r"meet an opponent with fewer points"
)
def alone_above(world, _asked, lead, alone, score):
    above = world.counted(half(score), "above", lead or "")
    return above == [int(alone)] and least_crossing(world, half(score)) >= 1


@reading(
    r"(?P<lead>without .+?, )?(?P<count>\d+) players are on (?P<score>\S+) points? or more, an odd number: "
    r"at least one of them must meet an opponent with fewer points"
)
def odd_above(world, _asked, lead, count, score):
    above = world.counted(half(score), "above", lead or "")
    return len(above) == int(count) and int(count) % 2 == 1 and least_crossing(world, half(score)) >= 1


def least_crossing(world, score, found=None):
    return min(
        (world.crossing(pairing, score) for pairing in (world.keeping() if found is None else found)),
        default=99,
    )


@reading(
    r"(?P<lead>without .+?, )?(?P<who>both|all \d+|at least \d+ of the \d+) players on "
    r"(?P<than>fewer than )?(?P<score>\S+) points?"
    r"(?P<more> or more)? must meet an opponent with (?P<meet>fewer|more) points: (?P<why>.+)"
)
def short_of_partners(world, _asked, lead, who, than, score, more, meet, why):
    numbers = [int(number) for number in re.findall(r"\d+", who)] or [2]
    least, count = numbers[0], numbers[-1]
    assert bool(than) != bool(more)
    assert meet == ("more" if than else "fewer")
    side = world.counted(half(score), "below" if than else "above", lead or "")
    free = [pairing for pairing in world.keeping() if not rematches(world, pairing)]
    return (
        len(side) == int(count)
        and bool(free)
        and least_crossing(world, half(score), free) >= int(least)
        and bottleneck(world, why, side, "there") >= int(least)
    )


def rematches(world, each):
    """Count the rematches that the organizer did not set."""
    return sum(bool(world.times(*pair)) for pair in map(tuple, each[1] - world.set))


def bottleneck(world, text, side, where, takers=None):
    """Count the players of `side` who are left over by a statement, after checking it.

    0 is the bye, which `takers` may have.
    """

    def open_to(one, other):
        if 0 in (one, other):
            return max(one, other) in (takers or ())
        return world.may_meet(one, other)

    if match := re.fullmatch(rf"only (.+) (?:is|are) left {where} for (.+)", text):
        removed, alone = players(match[1]), players(match[2])
        for each in alone:
            assert {other for other in side if other != each and open_to(each, other)} <= set(removed), text
        return len(alone) - len(removed)
    if match := re.fullmatch(
        rf"each of these groups is odd in number and can meet only itself(?: or (.+?))? {where}: (.+)",
        text,
    ):
        removed = players(match[1]) if match[1] else []
        groups = [players(group) for group in match[2].split("; ")]
        for group in groups:
            assert len(group) % 2, text
            for each in group:
                others = {other for other in side if other != each and open_to(each, other)}
                assert others <= {*group, *removed}, text
        return len(groups) - len(removed)
    match = re.fullmatch(
        rf"(.+?) (has met or is kept apart from|have met or are kept apart from|has met|have met|is "
        rf"kept apart from|are kept apart from)"
        rf" all other players {where}",
        text,
    )
    if not match:
        match = re.fullmatch(rf"no opponent is left {where} for (.+)", text)
        assert match, text
        return len(
            [
                player
                for player in players(match[1])
                if not any(open_to(player, o) for o in side if o != player)
            ]
        )
    alone = players(match[1])
    for each in alone:
        for other in side:
            if other != each:
                met, apart = world.times(each, other), world.forbidden(each, other)
                assert met or "met" not in match[2] or "kept" in match[2], text
                assert apart or met, text
                assert apart or "kept" not in match[2] or "met" in match[2], text
    return len(alone)


@reading(r"(?P<lead>without .+?, )?the (?P<count>\d+) players on (?P<score>\S+) points? or more (?P<then>.+)")
def uncrossed(world, subject, lead, count, score, then):
    above = world.counted(half(score), "above", lead or "")
    assert len(above) == int(count)
    assert len(above) % 2 == 0
    inside = [pairing for pairing in world.keeping() if not world.crossing(pairing, half(score))]
    if then == "cannot all be paired among themselves in a complete round":
        return not inside
    best = world.best(world.having(subject))
    if then == "could also be paired among themselves in a round just as good":
        return min(pairing[0] for pairing in inside) == best[0][0]
    clause = read_whole(r"could be paired among themselves, but then the best round has (.+)", then)
    return world.then(clause[1], best, inside)


@reading(r"they have met (?P<often>before|twice before|\d+ times before)")
def met(world, subject, often):
    return world.times(*subject) == how_often(often)


def how_often(text):
    return {"before": 1, "twice before": 2}.get(text) or int(text.split()[0])


@reading(
    r"they have met (?P<often>[^;]+); a round without a rematch(?P<but> other than "
    r"the organizer's)? is possible"
)
def needless_rematch(world, subject, often, but):
    fewest = min(round_[0][0] for round_ in world.rounds)
    by_word = sum(bool(world.times(*pair)) for pair in world.set)
    return (
        world.times(*subject) == how_often(often)
        and fewest == by_word
        and bool(by_word) == bool(but)
        and subject not in world.set
    )


@reading(
    r"they have met (?P<often>[^;]+); at least (?P<least>\d+) rematch(?:es)? cannot "
    r"be avoided(?:: (?P<why>.+))?"
)
def needed_rematch(world, subject, often, least, why):
    by_word = sum(bool(world.times(*pair)) for pair in world.set)
    if why:
        sitting = {player for pair in world.set for player in pair}
        free = [player for player in world.of if player not in sitting]
        bye = world.options.forced_bye
        takers = [bye] if bye else [player for player in free if player not in world.options.no_bye]
        side = [*free, 0] if len(free) % 2 else free
        assert bottleneck(world, why, side, "in this round", takers) >= 2 * int(least) - 1
    return (
        world.times(*subject) == how_often(often)
        and min(round_[0][0] for round_ in world.rounds) - by_word >= int(least) > 0
    )


@reading(r"(?P<said>.+); keeping them apart comes after rematches, the bye and gaps in points")
def shared(world, subject, said):
    one, other = (set(world.of[question].tags) for question in subject)
    wishes = "the organizer prefers to keep them apart"
    said = said.removesuffix(wishes).removesuffix(" and ")
    groups = re.split(r", | and ", said.removeprefix("both belong to ")) if said else []
    now = world.options.keep_apart and not (
        world.options.keep_apart_rounds is not None
        and world.options.round_number > world.options.keep_apart_rounds
    )
    return now and {group.replace(" ", ":", 1) for group in groups} == {
        tag for tag in one & other if not tag.startswith("apart:")
    }


@reading(r"the organizer keeps them apart")
def kept_apart(world, subject):
    return world.forbidden(*subject)


@reading(r"the organizer set this table")
def set_table(world, subject):
    return subject in world.set


@reading(r"the organizer gave the bye to #(?P<who>\d+)")
def set_bye(world, _asked, who):
    return world.options.forced_bye == int(who)


@reading(r"the organizer set the table #(?P<one>\d+) – #(?P<other>\d+)")
def set_elsewhere(world, subject, one, other):
    return frozenset((int(one), int(other))) in world.set and bool(subject & {int(one), int(other)})


@reading(r"(?P<count>\d+) players are an odd number: one is left over")
def odd(world, _asked, count):
    return len(world.of) == int(count) and int(count) % 2 == 1


@reading(r"(?P<count>\d+) players are an even number: no player has the bye")
def even(world, _asked, count):
    return len(world.of) == int(count) and int(count) % 2 == 0


@reading(
    r"#(?P<who>\d+) has had (?P<had>no bye yet|\d+ byes? already) and is on (?P<points>\S+) points?, "
    r"which is (?:also )?true of (?P<others>no other player|1 other|\d+ others)"
)
def byes_had(world, subject, who, had, points, others):
    mine = (0 if had == "no bye yet" else int(had.split()[0])), half(points)
    alike = [player for player in world.of if (world.earlier(player), world.points(player)) == mine]
    return (
        subject == {int(who)}
        and int(who) in alike
        and len(alike) == 1 + (0 if others == "no other player" else int(others.split()[0]))
    )


@reading(r"(?P<who>.+) would come first, but (?P<then>.+)")
def first_in_line(world, subject, who, then):
    (mine,) = subject
    rank = lambda player: (world.earlier(player), world.points(player))  # noqa: E731
    first = players(who)
    assert all(rank(player) < rank(mine) for player in first)
    sitting = {player for pair in world.set for player in pair}
    if re.fullmatch(r"(sits at a table|sit at tables) that the organizer set", then):
        return set(first) == {player for player in sitting if rank(player) < rank(mine)}
    assert (
        set(first)
        == {player for player in world.of if rank(player) < rank(mine)} - sitting - world.options.no_bye
    )
    theirs = [round_ for round_ in world.rounds if round_[2] in first]
    if then == "that leaves no complete round":
        return not theirs
    clause, _, why = then.removeprefix("then the best round has ").partition(": ")
    if why:
        free = [player for player in world.of if player not in sitting]
        assert bottleneck(world, why, [*free, 0], "in this round", first) >= 1
    return world.then(clause, world.having(subject), theirs)


# What decided, and the price.


@reading(r"there is no complete round without this (?:table|bye)")
def impossible_without(world, subject):
    return not world.lacking(subject)


@reading(r"no complete round with this (?:table|bye) keeps the organizer's pairs")
def impossible_by_word(world, subject):
    return not world.having(subject)


@reading(r"with this (?:table|bye) the organizer's other pairs leave no complete round")
def impossible_with(world, subject):
    return (
        not world.having(subject) and not world.forbidden(*subject)
        if len(subject) == 2
        else not world.having(subject)
    )


@reading(r"their number is even, so a bye is not needed")
def needless_bye(world, subject):
    return len(world.of) % 2 == 0


@reading(r"(?P<count>\d+) players are an even number")
def even_number(world, _asked, count):
    return len(world.of) == int(count) and int(count) % 2 == 0


@reading(r"table (?P<table>\d+) is kept for #(?P<who>\d+)")
def kept_table(world, subject, table, who):
    return (
        int(who) in subject
        and world.of[int(who)].fixed_table == int(table)
        and subject == frozenset(world.made[0][int(table)])
    )


@reading(r"a round with this (?:table|bye) can be as good as any other(?P<both>, and so can one without it)?")
def no_matter(world, subject, both):
    have = min(pairing[0] for pairing in world.having(subject))
    return have == min(round_[0] for round_ in world.rounds) and (
        not both or have == min(pairing[0] for pairing in world.lacking(subject))
    )


@reading(
    r"a round (?P<how>with|without) this (?:table|bye) can be just as good: the round's seed chose at random"
)
def chance(world, subject, how):
    have, lack = (
        min((item[0] for item in rounds_), default=None)
        for rounds_ in (world.having(subject), world.lacking(subject))
    )
    best = min(round_[0] for round_ in world.rounds)
    return have == best and (how == "with" or lack == best)


@reading(r"the best round without this (?:table|bye) has (?P<clause>.+)")
def dearer_without(world, subject, clause):
    return world.then(clause, world.having(subject), world.lacking(subject))


@reading(r"a new pairing would not have this (?:table|bye): the best round with it has (?P<clause>.+)")
def edited(world, subject, clause):
    return world.then(clause, world.lacking(subject), world.having(subject))


@reading(r"the best round with this (?:table|bye) has (?P<clause>.+)")
def dearer_with(world, subject, clause):
    return world.then(clause, world.rounds, world.having(subject))


@reading(
    r"Round \d+ was repaired with as many tables kept as possible \(entry [^)]+\),"
    r" so it can be worse than a new pairing"
)
def repaired(world, _asked):
    """Whether the round is as good as any other in rematches and earlier byes."""
    tables = {frozenset(seats) for seats in world.made[0].values()}
    made = [levels for levels, pairs, bye in world.rounds if pairs == tables and bye == world.made[1]]
    return bool(made) and made[0][:3] == min(round_[0] for round_ in world.rounds)[:3]


# Pairings that were not made.


@reading(r"they do meet in this round, at table (?P<table>\d+)")
def do_meet(world, subject, table):
    return subject == frozenset(world.made[0][int(table)])


@reading(r"#(?P<who>\d+) has the bye in this round")
def has_bye(world, _asked, who):
    return int(who) in world.made[2]


@reading(r"they are (?P<points>\S+) points? apart")
def apart(world, subject, points):
    one, other = subject
    return abs(world.points(one) - world.points(other)) == half(points) > 0


@reading(r"#(?P<who>\d+) has had (?P<had>a bye|\d+ byes) already")
def had_byes(world, _asked, who, had):
    return world.earlier(int(who)) == (1 if had == "a bye" else int(had.split()[0]))


def pairs_of(entrants):
    """Return every question about a field."""
    ids = sorted(entrant.id for entrant in entrants)
    return [*combinations(ids, 2), *((player_id, 0) for player_id in ids)]
