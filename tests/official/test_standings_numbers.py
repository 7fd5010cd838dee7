"""Published numbers without an event, from the smallest record that gives them."""

import json
from fractions import Fraction

import pytest

from tests.kit import golden
from tests.standings.crosstable import match
from tests.standings.profiles import shipped
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.standings import Scorecards, points, values
from tourney.standings.exact import decimal_text


def numbers(name):
    return json.loads(golden("standings", f"{name}.json").read_text(encoding="utf-8"))


class Event:
    """A record that grows: matches of players against opponents made for them."""

    def __init__(self):
        self.players = []
        self.rounds = []
        self.byes = []

    def player(self):
        self.players.append(PlayerId(len(self.players) + 1))
        return self.players[-1]

    def meet(self, first, second, score):
        self.rounds.append((match(1, first, second, score),))
        self.byes.append({})

    def bye(self, player):
        self.rounds.append(())
        self.byes.append({player: Outcome.BYE})

    def fill(self, player, won, lost, drawn, byes=0):
        """Give `player` a record against other players; `byes` of the wins are byes."""
        for score, count in (("2-0", won - byes), ("0-2", lost), ("1-1", drawn)):
            for _ in range(count):
                self.meet(player, self.player(), score)
        for _ in range(byes):
            self.bye(player)

    @property
    def record(self):
        return Record(players=tuple(self.players), rounds=tuple(self.rounds), byes=tuple(self.byes))


def numbers_of(text):
    return [int(part) for part in text.split(" ")[0].split("-")]


def test_mtr_appendix_c():
    """All numbers of the Magic Tournament Rules' appendix C, to the printed decimals."""
    data, profile, checked = numbers("mtr_appendix_c"), shipped("mtr"), 0
    for case in data["match_points"]:
        event = Event()
        event.fill(event.player(), *numbers_of(case["record"]))
        assert points(event.record, profile)[1] == 2 * case["points"]
        checked += 1
    for case in data["match_win_pct"]:
        event, byes = Event(), int("bye" in case["record"])
        event.fill(event.player(), *numbers_of(case["record"]), byes=byes)
        value = values(event.record, profile, "MW")[1]
        assert decimal_text(value, 3) == f"{case['value']:.3f}"
        assert "exact" not in case or value == Fraction(case["exact"])
        assert points(event.record, profile)[1] == 2 * case["points"]
        assert len(event.record.rounds) == case["rounds"]
        checked += 3
    for case in data["game_win_pct"]:
        event = Event()
        player = event.player()
        for won, lost, drawn in case["matches"]:
            event.meet(player, event.player(), f"{won}-{lost}-{drawn}")
        assert decimal_text(values(event.record, profile, "GW")[1], 2) == f"{case['value']:.2f}"
        checked += 1
    for case in data["opponents_match_win_pct"]:
        value, third = (opponents_match_win(case["opponents"], shipped(name)) for name in ("mtr", "melee"))
        assert decimal_text(value, 2) == f"{case['value_2dp']:.2f}"
        assert float(value) == pytest.approx(case["exact_with_floor_0.33"], abs=1e-12)
        assert float(third) == pytest.approx(case["exact_with_floor_1/3"], abs=1e-12)
        checked += 3
    print(f"mtr_appendix_c: {checked + game_points(data, profile) + bye(data, profile)} numbers")


def opponents_match_win(opponents, profile):
    """Return the value of a player who met opponents with these records.

    Their match against the player is included.
    """
    event = Event()
    player = event.player()
    for text in opponents:
        if text == "bye":
            event.bye(player)
            continue
        won, lost, drawn = numbers_of(text)
        opponent = event.player()
        # The meeting is one of the opponent's own matches: a loss where there is one, else a draw or a win.
        score = "2-0" if lost else "1-1" if drawn else "0-2"
        event.meet(player, opponent, score)
        event.fill(opponent, won - (score == "0-2"), lost - (score == "2-0"), drawn - (score == "1-1"))
    return values(event.record, profile, "OMW")[player]


def game_points(data, profile):
    """Game points are thirds of the game-win percentage: points ÷ (3 × games)."""
    for case in data["game_points"]:
        event = Event()
        event.meet(event.player(), event.player(), "-".join(map(str, case["games"])))
        scorecards = Scorecards(event.record, profile)
        for player, name in ((1, "winner"), (2, "loser")):
            won, _, drawn = scorecards[player][0].games
            assert 3 * won + drawn == case[name]
        assert sum(case["games"]) == case["games_n"]
    return 3 * len(data["game_points"])


def bye(data, profile):
    event = Event()
    event.bye(event.player())
    entry = Scorecards(event.record, profile)[1][0]
    assert entry.points == 2 * data["bye"]["match_points"]
    assert 3 * entry.games[0] == data["bye"]["game_points"]
    assert sum(entry.games) == data["bye"]["games"]
    assert bool(entry.counted_opponents) is data["bye"]["counts_as_opponent"]
    return len(data["bye"])


def test_playerlink_byes_are_left_out():
    """Own byes are left out of the match-win percentage (`wer`)."""
    data, profile, checked = numbers("playerlink_pmw"), shipped("wer"), 0
    for case in data["expected"]:
        event = Event()
        if "record" in case:
            won, lost, drawn = [*numbers_of(case["record"]), 0][:3]
            event.fill(event.player(), won, lost, drawn, byes=case["byes"])
            value = values(event.record, profile, "MW")[1]
            assert float(value) == pytest.approx(case["pmw"], abs=1e-6)
            assert "exact" not in case or value == Fraction(case["exact"])
        else:
            ((name, expected),) = case.items()
            event.meet(event.player(), event.player(), "-".join(name.split("_")[1:]))
            scorecards = Scorecards(event.record, profile)
            assert [3 * scorecards[p][0].games[0] + scorecards[p][0].games[2] for p in (1, 2)] == expected
        checked += 1
    print(f"playerlink: {checked} numbers")


def test_konami_numbers():
    """The packed number's parts: points, tenths of percentages, squares of the rounds lost."""
    data, profile, checked = numbers("yugioh_kts_numbers"), shipped("kts"), 0
    for case in data["expected"]:
        if "losses_in_rounds" in case:
            event, last = Event(), max(case["losses_in_rounds"])
            player = event.player()
            for number in range(1, last + 1):
                event.meet(player, event.player(), "0-1" if number in case["losses_in_rounds"] else "1-0")
            assert f"{values(event.record, profile, 'KTS')[player] % 1000:03}" == case["DDD"]
        elif "number" in case:
            from tourney.standings.card_games import pack_konami_number

            parts = (
                case["points"],
                *(Fraction(str(case[f"opponents_{x}match_win"])) for x in ("", "opponents_")),
            )
            assert str(pack_konami_number(*parts, 0) // 1000) == case["number"]
        else:
            assert case["form"] == "AABBBCCCDDD"
            continue
        checked += 1
    print(f"yugioh: {checked} numbers")


def test_pods_of_the_multiplayer_addendum():
    """Pods of n: 2n−1 points for a win, a floor of 1/(2n−1), rounds and cut by attendance."""
    data, profile, checked = numbers("mstr_multiplayer")["expected"], shipped("pods"), 0
    for seats, win in data["points_per_win"].items():
        record = pod(int(seats))
        assert points(record, profile) == {
            player: 2 * win if player == 1 else 0 for player in range(1, int(seats) + 1)
        }
        checked += 1
    for seats, floor in data["floor"].items():
        assert values(pod(int(seats)), profile, "MW")[2] == Fraction(floor)
        checked += 1
    names = {"match points": "PTS", "match-win %": "MW", "opponents average match points": "OMP"}
    names["opponents match-win %"] = "OMW"
    assert [names[word] for word in data["order"]] == list(profile.order)
    assert profile.outcomes[Outcome.BYE].points == 2 * data["points_per_win"]["4"]
    for players, rounds, cut in data["rounds_cut"]:
        for count in map(int, players.split("-")):
            (row,) = (row for row in profile.schedule if row.fewest <= count <= row.most)
            assert (row.rounds, row.cut) == ((0, 0) if cut is None else (rounds, cut))
            checked += 1
    print(f"pods: {checked + 2} numbers")


def pod(seats):
    players = tuple(PlayerId(player) for player in range(1, seats + 1))
    result = [Seat(p, Outcome.WIN if p == 1 else Outcome.LOSS, 1 if p == 1 else 2) for p in players]
    return Record(players=players, rounds=((Table(1, players, Result(tuple(result))),),))
