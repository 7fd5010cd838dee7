"""Every value of an explanation can be calculated again from its text."""

import re
from fractions import Fraction
from math import floor

import pytest
from msgspec import structs
from msgspec.structs import replace

from tests.kit import amount, sampled, with_rows
from tests.standings.fields import pods_record, random_record
from tests.standings.profiles import FOLDER, house, shipped
from tourney.record import Outcome, parse_number
from tourney.standings import explain_place, rank, ratings, with_order
from tourney.standings.describing import describe
from tourney.standings.explaining import explain_all
from tourney.standings.tiebreaks import TABLE, find

PROFILES = sorted(path.stem for path in FOLDER.glob("*.toml"))
CODES = [row.code for row in TABLE.values()]
CODES += [f"{row.code}/{name}" for row in TABLE.values() for name in row.modifiers if name != "Ln"]
CODES += ["KS/L2", "KS/L-3"]
NAMES = dict(enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 1))
ARITHMETIC = r"[(-]*\d[\d ()/+×-]*"
HALF = Fraction(1, 2)


def sum_up(arithmetic):
    """Calculate `(1 + 1/2)/2 × 3` with fractions; both sides of `a = b` must be equal."""
    values = set()
    for side in arithmetic.split(" = "):
        assert re.fullmatch(r"[\d ()/+×-]+", side), side
        exact = re.sub(r"\d+", r"Fraction(\g<0>)", side).replace("×", "*")
        values.add(eval(exact, {"Fraction": Fraction}))
    (value,) = values
    return value


def half_up(value):
    return floor(value + HALF)


def limited(note, raw, value, percentage, dropped):
    """Check a floor or a cap against the profile."""
    if raw is None:
        return value == percentage.floor or value in percentage.floor_by_size.values()
    if note.startswith("raised"):
        assert raw < value
        return value == percentage.floor or value in percentage.floor_by_size.values()
    assert raw > value
    return value == (percentage.cap_dropped if dropped else percentage.cap)


def check_line(line, rule, record, profile):
    """Check that a line's arithmetic gives its value from the opponent's lines."""
    made = line.value if line.raw is None else line.raw
    if line.arithmetic:
        assert sum_up(line.arithmetic) == made, line
    elif (
        line.value is not None
        and line.sources
        and rule.opponent_function
        and line.opponent_terms
        and rule.code != "APPO"
        and "nothing" not in line.note
    ):
        raise AssertionError(f"{rule.code}: an opponent's value without its arithmetic: {line}")
    if line.raw is not None and line.value is not None:
        if rule.has_limits:
            percentage = profile.game_win if "G" in rule.code else profile.match_win
            assert limited(line.note, line.raw, line.value, percentage, line.opponents[0] in record.drops)
        else:
            assert line.note.endswith(f"from {line.raw}"), line
            assert line.value < line.raw
    if line.opponent_terms and line.arithmetic:
        check_made(line)
    for deeper in line.opponent_terms:
        deep = deeper.value if deeper.raw is None else deeper.raw
        if deeper.arithmetic:
            assert sum_up(deeper.arithmetic) == deep


def check_made(line):
    """Check that the numbers in a line's arithmetic are those of the opponent's lines."""
    counted = [count for count in line.opponent_terms if count.value is not None]
    numbers = re.findall(r"(?:(?<=\()-)?\d+(?:/\d+)?", line.arithmetic.rpartition(" = ")[2])
    if all(count.games_played for count in counted):  # games won over games played
        won, played = (sum(getattr(count, field) for count in counted) for field in ("value", "games_played"))
        assert sum_up(line.arithmetic) == Fraction(won) / played
        return
    if (
        any("scored" in count.note or "weighs" in count.note for count in counted)
        or "1/4 ×" in line.arithmetic
    ):
        return
    expected = [count.value for count in counted]
    if len(expected) == 1:  # `2/3`: two by three rounds, or two thirds
        assert line.arithmetic.lstrip("(").startswith(str(expected[0]))
        return
    assert [Fraction(number) for number in numbers[: len(expected)]] == expected, line


def check_tiebreak(each, record, profile, player):
    """Check that the lines make the value by the named rule."""
    rule = find(each.code)
    for line in each.lines:
        check_line(line, rule, record, profile)
    values = [line.value for line in each.lines if line.value is not None]
    made = each.value if each.raw is None else each.raw
    if each.arithmetic:
        assert sum_up(each.arithmetic) == made, each
    if each.value is None:
        assert not values
    elif each.method in ("sum", "count"):
        assert sum(values) == made
    elif each.method == "mean" and rule.code not in ("SOS", "ESOS"):
        assert sum(values) / Fraction(len(values)) == made
    elif each.method == "games won over games played":
        assert (
            Fraction(sum(values)) / sum(line.games_played for line in each.lines if line.games_played) == made
        )
    elif each.method == "mean, rounded":
        assert half_up(Fraction(sum(values), len(values))) == each.value
        assert (
            half_up(sum_up(re.search(rf"the mean ({ARITHMETIC}), with .5 rounded up", each.note)[1]))
            == each.value
        )
    elif rule.code == "KTS":
        check_konami(each, record, profile, player, values)
    elif rule.code == "TPR":
        check_performance(each, values)
    elif rule.code == "PTP":
        check_perfect(each, values)
    elif each.method == "a quarter of last round's, plus the points so far" and values:
        assert values[-1] == each.value
    if "raised" in each.note or "lowered" in each.note or "nothing counted" in each.note:
        percentage = profile.game_win if rule.code == "GW" else profile.match_win
        assert limited(each.note, each.raw, each.value, percentage, player in record.drops)


def check_konami(each, record, profile, player, squares):
    points = next(row for row in rank(record, profile).rows if row.player == player).points // 2
    digits = [points]
    for part in each.parts:
        check_tiebreak(part, record, profile, player)
        digits.append(min(999, half_up(1000 * (part.value or 0))))
    digits.append(min(999, sum(squares)))
    assert int("".join(f"{part:03}" for part in digits)) == each.value


def check_performance(each, opponents):
    scored = [
        Fraction(re.match(r"scored (\S+)", line.note)[1]) for line in each.lines if line.value is not None
    ]
    percent = half_up(100 * sum(scored) / len(scored))
    table = ratings._DIFFERENCE
    difference = table[100 - percent] if percent >= 50 else -table[percent]
    assert half_up(Fraction(sum(opponents), len(opponents))) + difference == each.value


def check_perfect(each, opponents):
    scored = sum(
        Fraction(re.match(r"scored ([\d/]+)", line.note)[1]) for line in each.lines if line.value is not None
    )
    if each.arithmetic:
        assert (scored, each.value) == (0, min(opponents) - 800)
        return
    expected = [
        int(re.search(r"(\d+) % expected", line.note)[1]) for line in each.lines if line.value is not None
    ]
    assert sum(expected) >= 100 * scored
    under = int(re.search(r"(-?\d+) % at", each.note)[1])
    assert under < 100 * scored


def check_encounters(each, player):
    """Check direct encounter and head-to-head from the points of each meeting (article 6)."""
    met = {(one, other): points for one, made in each.meetings.items() for other, points in made.items()}
    places, place = {}, 1
    for level in ordered(list(each.level_players), met):
        places |= dict.fromkeys(level, place)
        place += len(level)
    assert places[player] == each.value, each


def ordered(group, met):
    if len(group) < 2:
        return [group] if group else []
    sums = {one: sum(met.get((one, other), 0) for other in group) for one in group}
    if all((one, other) in met for one in group for other in group if one != other):
        levels = [
            [one for one in group if sums[one] == value] for value in sorted(set(sums.values()), reverse=True)
        ]
        if len(levels) == 1:
            return levels
        return [part for level in levels for part in ordered(level, met)]
    certain, rest = [], list(group)
    while rest:
        best = max(rest, key=sums.get)
        reach = [
            sums[one] + sum((one, other) not in met for other in group if other != one)
            for one in rest
            if one != best
        ]
        if any(sums[best] <= other for other in reach):
            break
        certain.append([best])
        rest.remove(best)
    return certain + ordered(rest, met) if certain else [group]


def leading(text):
    """Calculate the arithmetic at the start of `text`, which a remark in parentheses may follow."""
    arithmetic = re.match(ARITHMETIC, text)[0]
    for end in range(len(arithmetic), 0, -1):
        try:
            return sum_up(arithmetic[:end].strip())
        except (SyntaxError, TypeError):
            continue
    raise AssertionError(text)


def check_text(lines):
    """Check that both sides of every equals sign in the lines are equal."""
    checked = 0
    for text in lines:
        for piece in re.split(r"[:;,](?= )| \((?=[a-zA-Z])", text):
            first, *rest = piece.split(" = ")
            if not rest:
                continue
            shown = re.search(r"(-?\d+(?:\.\d+)?½?|½|-½)(/\d+)?( %)?$", first)
            values = [leading(side) for side in rest]
            assert len(set(values)) == 1, text
            number = parse_number(shown[1])
            number = number / int(shown[2][1:]) if shown[2] else number
            exact = values[0] * 100 if shown[3] else values[0]
            places = len(shown[1].partition(".")[2])
            assert abs(number - exact) <= (
                Fraction(1, 2 * 10**places) if "." in shown[1] or shown[3] else 0
            ), text
            checked += 1
    return checked


def check_event(record, profile):
    """Check all players of an event."""
    checked = 0
    for explanation in explain_all(record, profile, seed="x"):
        for tiebreak in explanation.tiebreaks:
            if find(tiebreak.code).group_function:
                if tiebreak.meetings:
                    check_encounters(tiebreak, explanation.row.player)
            else:
                check_tiebreak(tiebreak, record, profile, explanation.row.player)
        checked += check_text(describe(explanation, NAMES.get))
    return checked


def late(record, player=2):
    """Return the record with a player who came after round 2, and is in no earlier round."""
    rounds = []
    for number, tables in enumerate(record.rounds, 1):
        rounds.append(tuple(table for table in tables if number > 2 or player not in table.seats))
    byes = tuple(
        {who: outcome for who, outcome in byes.items() if number > 2 or who != player}
        for number, byes in enumerate(record.byes, 1)
    )
    absences = tuple(
        absent - {player} if number <= 2 else absent for number, absent in enumerate(record.absences, 1)
    )
    return replace(record, rounds=tuple(rounds), byes=byes, absences=absences)


@pytest.mark.parametrize("seed", sampled(range(4), [0, 1]))
@pytest.mark.parametrize("name", PROFILES)
def test_arithmetic_is_right_under_every_profile(name, seed):
    """All outcomes, odd fields, drops, byes, a late entry, unfinished matches."""
    assert check_event(random_record(seed), shipped(name))
    assert check_event(late(random_record(seed, players=8)), shipped(name))


@pytest.mark.parametrize("seed", sampled(range(3), [0]))
@pytest.mark.parametrize("code", CODES)
def test_arithmetic_is_right_for_every_tie_break(code, seed):
    """Each code with each modifier, in a Swiss and a round robin; under three profiles with --long."""
    record = random_record(seed)
    for name in ("fide", "mtr", "tom")[: amount(1, of=3)]:
        profile = with_order(shipped(name), ["PTS", code])
        check_event(record, profile)
        check_event(replace(record, round_robin=True), profile)


@with_rows("day", ["2009-07-01", "2023-08-01", "2024-08-01", "2026-03-01"])
def test_arithmetic_is_right_for_every_dummy(day):
    """The virtual opponent, the dummy and its caps."""
    from datetime import date

    codes = ["PTS", "BH", "BH/M1", "SB", "SB/C1", "FB", "AOB", "AOB/F", "DE", "DE/P"]
    profile = with_order(shipped("fide", date.fromisoformat(day)), codes)
    for seed in range(amount(2, of=6)):
        assert check_event(random_record(seed, scores=("1-0", "0-1", "0-0-1", "+-", "-+", "--")), profile)


def test_arithmetic_is_right_at_larger_tables():
    """Every opponent counts, alone or together."""
    placement = house(
        'extends = "tourney"\ntitle = "h"\n[tables.placement]\n3 = [4, 2, 0]\n4 = [6, 4, 2, 0]\n'
    )
    for seed in range(amount(1, of=3)):
        record = pods_record(seed)
        record = replace(record, ratings={player: 1500 + 10 * player for player in record.players})
        assert check_event(record, shipped("pods"))
        for codes in (
            ["PTS", "BH", "SB", "AOB"],
            ["PTS", "OMW", "OGW", "OOMW"],
            ["PTS", "OMP", "DE", "H2H", "TPR"],
        ):
            assert check_event(record, with_order(placement, codes))


def test_arithmetic_is_right_for_capped_scores_and_weights():
    """Game scores, their difference, and strength of schedule."""

    def scored(table):
        if table.result is None:
            return table
        seats = (structs.replace(seat, score=10 * int(seat.player) % 37) for seat in table.result.seats)
        return structs.replace(table, result=structs.replace(table.result, seats=tuple(seats)))

    capped = house(
        'extends = "tourney"\ntitle = "h"\norder = ["PTS", "VP", "VPD"]\n[scoring]\nscore-cap = 20\n'
    )
    for seed in range(3):
        record = random_record(seed)
        record = replace(record, rounds=tuple(tuple(map(scored, tables)) for tables in record.rounds))
        assert check_event(record, capped)
        weighted = replace(record, weights=(Fraction(1), Fraction(1, 2)))
        assert check_event(weighted, shipped("cobra"))
        assert check_event(weighted, shipped("aesop"))


@pytest.mark.long
@pytest.mark.parametrize("name", PROFILES)
def test_arithmetic_is_right_in_many_events(name):
    """The same for many more events."""
    for seed in range(100, 200):
        check_event(random_record(seed, players=4 + seed % 9, rounds=1 + seed % 7), shipped(name))


def test_writes_negative_numbers_in_parentheses():
    """House rules can take points away: `1 + (-1/2)`."""
    profile = house(
        'extends = "tourney"\ntitle = "h"\norder = ["PTS", "BH", "SB"]\n[outcomes]\n'
        'forfeit-loss = { points = "-½" }\n'
    )
    record = random_record(8, scores=("1-0", "0-1", "+-", "-+"))
    assert check_event(record, profile)
    assert Outcome.FORFEIT_LOSS in {
        seat.outcome for tables in record.rounds for t in tables for seat in t.result.seats
    }
    assert any(
        "(-1/2)" in line
        for row in rank(record, profile).rows
        for line in describe(explain_place(record, profile, row.player), NAMES.get)
    )
