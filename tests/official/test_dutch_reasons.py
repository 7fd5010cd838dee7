"""Explanations of Dutch rounds, checked against the golden rounds.

The tables are those of bbpPairings 6, and their sides must follow the named rule. Sides, meetings and points
are counted from the files.
"""

import json
import re
from dataclasses import dataclass
from itertools import combinations

import pytest

from tests.kit import golden
from tests.official.dutch_cases import POINTS
from tests.pairing.claims import half, players
from tourney.pairing import Entrant, Options, Pairing
from tourney.pairing.dutch import Situation
from tourney.record import Table
from tourney.trf import read, record_of

SIDES = ("Red", "Blue")


@dataclass(frozen=True)
class Position:
    """A golden round and the earlier rounds of its file.

    had: for each player, the sides of played games, 0 for the first
    """

    name: str
    situation: Situation
    pairs: tuple
    bye: int | None
    points: dict
    met: frozenset
    had: dict
    barred: frozenset
    there: tuple


def positions(*, small):
    """Yield the golden rounds without acceleration."""
    for place in sorted(golden("dutch").glob("*.json")):
        facts = json.loads(place.read_text("utf-8"))
        if place.name.startswith("nc") or facts.get("acceleration") or (small and facts["players"] > 20):
            continue
        file = read(place.with_suffix(".trf").read_text("utf-8"), source=place.name)
        for number, round_ in enumerate(facts["rounds"]):
            if not round_.get("no_valid_pairing"):
                yield position(place.stem, file, facts, number)


def position(name, file, facts, number):
    each = facts["rounds"][number]
    record = record_of(file).after(each["round"] - 1)
    points, met, had, barred = counted(facts, number)
    pairs = tuple(tuple(pair) for pair in each["pairs"] if pair[1])
    bye = next((pair[0] for pair in each["pairs"] if not pair[1]), None)
    there = tuple(player for player in record.players if player not in each["absent"])
    made = Pairing(
        tables=tuple(Table(n, pair) for n, pair in enumerate(pairs, 1)), byes=() if bye is None else (bye,)
    )
    situation = Situation(
        record=record, entrants=[Entrant(id=player) for player in there], options=Options(), pairing=made,
        points=POINTS, order=record.players, initial_side=file.initial_side, rounds_total=file.rounds_total,
        sides=SIDES,
    )  # fmt: skip
    return Position(f"{name} round {each['round']}", situation, pairs, bye, points, met, had, barred, there)


def counted(facts, number):
    """Count points, games, sides and free points from the results of the file."""
    points = dict.fromkeys(range(1, facts["players"] + 1), 0)
    had = {player: [] for player in points}
    met, barred = set(), set()
    for round_ in facts["rounds"][:number]:
        for one, other, result in round_["played"]["games"]:
            worth = {"10": (2, 0), "01": (0, 2), "==": (1, 1), "+-": (2, 0), "-+": (0, 2), "--": (0, 0)}[
                result
            ]
            points[one] += worth[0]
            points[other] += worth[1]
            if result in {"10", "01", "=="}:
                met.add(frozenset((one, other)))
                had[one].append(0)
                had[other].append(1)
            barred |= {player for player, won in ((one, "+-"), (other, "-+")) if result == won}
        for player, kind in round_["played"]["byes"].items():
            points[int(player)] += {"U": 2, "F": 2, "H": 1, "Z": 0}[kind]
            if kind in "UF":
                barred.add(int(player))
    return points, frozenset(met), had, frozenset(barred)


def texts(facts):
    return [fact.reason.text for fact in facts]


def holds(where, subject, text):
    for pattern, check in READINGS.items():
        if match := re.fullmatch(pattern, text):
            assert check(where, subject, *match.groups()), f"{where.name}: {text}"
            return check
    raise AssertionError(f"{where.name}: no reading of: {text}")


def same(where, subject, points, others):
    count = {"and no other player is": 0, "as is 1 other": 1}.get(others)
    count = int(re.search(r"\d+", others)[0]) if count is None else count
    level = [player for player in where.there if where.points[player] == half(points)]
    return set(subject) <= set(level) and len(level) == 2 + count


def down(where, _asked, high, more, low, fewer):
    return where.points[int(high)] == half(more) > half(fewer) == where.points[int(low)]


def crossing(where, _asked, lead, who, points):
    above = [p for p in where.there if where.points[p] >= half(points)]
    without = bool(lead)
    assert without == (where.bye in above)
    count = len(above) - without
    crossed = sum(len({where.points[p] >= half(points) for p in pair}) == 2 for pair in where.pairs)
    named = re.fullmatch(r"only #(\d+) is", who)
    return count % 2 and crossed >= 1 and (int(named[1]) in above if named else int(who.split()[0]) == count)


def never_met(where, subject):
    return frozenset(subject) not in where.met


def met(where, subject):
    return frozenset(subject) in where.met


def claim(where, subject, who, red, blue, last, how, side):
    """Check a claim by rule 1.7: whether a side is due absolutely, strongly or mildly."""
    had = where.had[int(who)]
    counts = had.count(0), had.count(1)
    often = [0 if words.startswith("never ") else times(words.split(" ", 1)[1]) for words in (red, blue)]
    twice = len(had) > 1 and had[-1] == had[-2]
    difference = counts[0] - counts[1]
    if abs(difference) >= 2 or twice:
        due = (difference > 0) if abs(difference) >= 2 else 1 - had[-1]
        strength = "must now be"
    elif difference:
        due, strength = difference > 0, "should now be"
    else:
        due, strength = 1 - had[-1], "is next to be"
    ends = (
        f", the last two times {SIDES[had[-1]]}"
        if twice
        else f", the last time {SIDES[had[-1]]}"
        if not difference
        else ""
    )
    return tuple(often) == counts and (strength, SIDES[due], ends) == (how, side, last or "")


def times(text):
    return {"once": 1, "twice": 2}.get(text) or int(text.split()[0])


def no_claim(where, _asked, who):
    return not where.had[int(who)]


def given(where, subject, *_):
    """Return whether the named rule gives the sides of the golden round."""
    return tuple(subject) in where.pairs


def barred(where, _asked, who, fewer, _have):
    named = players(who)
    return set(named) <= where.barred and (
        not fewer or all(where.points[player] < where.points[where.bye] for player in named)
    )


def may_have(where, _asked, who, points):
    return int(who) not in where.barred and where.points[int(who)] == half(points)


def fewer(where, _asked, who, _are):
    return all(
        player not in where.barred and where.points[player] < where.points[where.bye]
        for player in players(who)
    )


def not_made(where, subject):
    if len(subject) == 1:
        return where.bye not in {None, *subject}
    return frozenset(subject) not in where.met | set(map(frozenset, where.pairs))


def both_must(where, subject, side):
    for player in subject:
        had = where.had[player]
        difference = had.count(0) - had.count(1)
        if abs(difference) < 2 and had[-2:] not in ([0, 0], [1, 1]):
            return False
        due = difference > 0 if abs(difference) >= 2 else 1 - had[-1]
        if SIDES[due] != side:
            return False
    return True


READINGS = {
    r"both are on (\S+) points?, (.+)": same,
    r"#(\d+) \((\S+) points?\) is paired down to #(\d+) \((\S+) points?\)": down,
    r"(without #\d+, who has the bye, )?(only #\d+ is|\d+ players are) on (\S+) points? or more, (?:and "
    r"must|an odd number: at least one of them must) meet an opponent with fewer points": crossing,
    r"they have not met before": never_met,
    r"they have met before, and the Dutch rules never let two players meet twice": met,
    r"#(\d+) has been ((?:never )?Red.*?) and ((?:never )?Blue.*?)(, the last (?:two times|time) \w+)?: "
    r"(must now be|should now be|is next to be) (Red|Blue)": claim,
    r"#(\d+) has not played yet, so no side is due": no_claim,
    r"so #\d+ is Red and #\d+ Blue: both claims are granted": given,
    r"both are due the same side, and #\d+ has the stronger claim": given,
    r"both are due the same side equally; the last time their sides differed #\d+ was "
    r"Red, so now the other one is": given,
    r"both are due the same side equally, and #\d+ is ranked higher": given,
    r"no side is due to either: #\d+, ranked higher, is number \d+ in the order, and (?:odd|even) numbers "
    r"begin with (?:Red|Blue), as drawn before round 1": given,
    r"(\d+) players are an odd number: one is left over": lambda w, _a, count: len(w.there) == int(count),
    r"(\d+) players are an even number: no player has the bye":
        lambda w, _a, count: len(w.there) == int(count) and not int(count) % 2,
    r"(.+?) ((?:is|are) on fewer points, but )?(has|have) had a bye or won without "
    r"playing, which rules out the bye": barred,
    r"#(\d+) is on (\S+) points?, has had no bye and won nothing without playing": may_have,
    r"(.+) (is|are) on fewer points and may have the bye, but the engine chooses by .+": fewer,
    r"among the (?:pairs that may meet|players who may have the bye), "
    r"the engine chooses by .+": lambda *_: True,
    r"no absolute rule forbids this (?:pair|bye), but the engine chooses by .+": not_made,
    r"(.+) has the bye in this round": lambda w, asked, _who: [*asked] == [w.bye],
    r"both must be (Red|Blue) now, and the Dutch rules never seat two such players together": both_must,
    r"they are (\S+) points? apart":
        lambda w, asked, points: abs(w.points[asked[0]] - w.points[asked[1]]) == half(points) > 0,
    r"they do meet in this round, at table (\d+)":
        lambda w, asked, table: set(asked) == set(w.pairs[int(table) - 1]),
}  # fmt: skip


def hold(positions_):
    used, rules = set(), set()
    for where in positions_:
        situation = where.situation
        for pair in where.pairs:
            rule = next(fact.data["rule"] for fact in situation.why(pair) if "rule" in fact.data)
            assert rule, f"{where.name}: {pair} has its sides by one of the rules of Art. 5"
            rules.add(rule)
            used |= {holds(where, pair, text) for text in texts(situation.why(pair))}
            against = texts(situation.why_not(*pair))
            used |= {holds(where, pair, reason) for reason in against}
            assert against[0].startswith("they do meet"), where.name
            assert not any("never" in reason for reason in against), "what was paired was not ruled out"
        if where.bye:
            used |= {holds(where, (where.bye,), text) for text in texts(situation.why((where.bye,)))}
            against = texts(situation.why_not(where.bye, 0))
            used |= {holds(where, (where.bye,), reason) for reason in against}
            assert against[0].endswith("has the bye in this round"), where.name
        for pair in list(combinations(where.there, 2))[:: max(1, len(where.there) // 4)]:
            used |= {holds(where, pair, text) for text in texts(situation.why_not(*pair))}
        for player in where.there[::4]:
            used |= {holds(where, (player,), text) for text in texts(situation.why_not(player, 0))}
    assert rules == {1, 2, 3, 4, 5}
    return used


def test_every_sentence_about_a_dutch_round_is_true():
    """Points, floats, meetings, sides and byes of the golden rounds of small fields."""
    assert len(hold(positions(small=True))) > 15


@pytest.mark.long
def test_every_sentence_about_every_golden_round_is_true():
    assert len(hold(positions(small=False))) > 15
