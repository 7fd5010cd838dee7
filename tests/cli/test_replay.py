"""Three real events, entered on the command line, end in the published standings."""

import gzip
import json

import pytest
from click.testing import CliRunner

from tests.kit import golden
from tourney.cli import root

FINISHED = {(2, 0), (2, 1), (0, 2), (1, 2)}


def real_events():
    """Return events of 8 to 12, about 30 and more than 60 players.

    The first has byes each round.
    """
    with gzip.open(golden("standings", "bulk", "melee_dev.jsonl.gz"), "rt", encoding="utf-8") as file:
        events = [event for line in file if plain(event := json.loads(line))]
    return [
        next(
            event
            for event in events
            if 8 < event["players"] < 13 and all(has_bye(round_) for round_ in event["rounds"])
        ),
        next(
            event
            for event in events
            if 27 < event["players"] < 34 and any(has_bye(round_) for round_ in event["rounds"])
        ),
        next(event for event in events if 60 < event["players"] < 90),
    ]


def plain(event):
    """Return whether all matches are best of three and every player played."""
    matches = [match for round_ in event["rounds"] for match in round_]
    seen = {player for a, b, *_ in matches for player in (a, b) if player is not None}
    return len(seen) == event["players"] and all(won < 3 and lost < 3 for _, _, won, lost, _ in matches)


def has_bye(matches):
    return any(b is None for _, b, *_ in matches)


def name(player):
    return f"Player {player:03}"


class Desk:
    """Runs command lines and expects success."""

    def __init__(self):
        self.runner = CliRunner()

    def type(self, line, *words, text=None):
        result = self.runner.invoke(root, [*line.split(), *words], input=text)
        assert result.exit_code == 0, f"{line}: {result.output}"
        return result.stdout


def play(desk, event):
    """Enter a whole event: players, pairings by hand, results, and drops."""
    last = {
        p: n
        for n, round_ in enumerate(event["rounds"], 1)
        for a, b, *_ in round_
        for p in (a, b)
        if p is not None
    }
    desk.type(
        "event new Real --format dimrift/open --best-of 3 --banlist none --profile "
        f"melee --on {event['date'][:10]}"
    )
    desk.type("player import -", text="\n".join(name(player) for player in range(event["players"])))
    for number, matches in enumerate(event["rounds"], 1):
        gone = [name(player) for player, n in last.items() if n == number - 1]
        if gone:
            desk.type("player drop", *gone)
        desk.type("round pair --by-hand -", text="\n".join(lines(matches, number, last)))
        slips = {
            f"{table} {won}-{lost}-{drawn}": (won, lost) in FINISHED
            for table, won, lost, drawn in tables(matches)
        }
        for done, options in ((True, ""), (False, " --time")):
            some = [slip for slip, finished in slips.items() if finished is done]
            if some:
                desk.type(f"result import -{options}", text="\n".join(some))
    assert json.loads(desk.type("result missing --json"))["tables"] == []


def lines(matches, number, last):
    here = {player for a, b, *_ in matches for player in (a, b) if player is not None}
    yield from (f"{name(a)} bye" if b is None else f"{name(a)} - {name(b)}" for a, b, *_ in matches)
    yield from (f"{name(player)} absent" for player, n in last.items() if n >= number and player not in here)


def tables(matches):
    """Return the tables by number; byes have no table."""
    seated = [match for match in matches if match[1] is not None]
    return [(table, won, lost, drawn) for table, (_, _, won, lost, drawn) in enumerate(seated, 1)]


@pytest.mark.parametrize("which", range(3), ids=["small", "middle", "large"])
def test_a_real_event_ends_in_its_published_table(which, tmp_path, monkeypatch):
    """To six decimals, and in the published order except for tied rows."""
    event = real_events()[which]
    monkeypatch.chdir(tmp_path)
    desk = Desk()
    play(desk, event)
    rows = json.loads(desk.type("standings --profile melee --json"))["standings"]
    ours = {row["player"]: row for row in rows}
    for player, points, omw, gw, ogw in event["standings"]:
        row = ours[name(player)]
        values = {tiebreak["code"]: tiebreak["value"] for tiebreak in row["tiebreaks"]}
        assert float(row["points"]) == points
        assert [values[code] for code in ("OMW", "GW", "OGW")] == pytest.approx([omw, gw, ogw], abs=2e-6)
    ranks = [ours[name(player)]["rank"] for player, *_ in event["standings"]]
    assert ranks == sorted(ranks)
    print(
        f"{event['players']} players, {len(event['rounds'])} rounds of "
        f"{event['date'][:10]}: {len(rows)} rows agree"
    )
