"""The worth of each outcome under each shipped profile.

The tables are written from the profiles' sources, not from their files.
"""

from fractions import Fraction

from tests.kit import with_rows
from tests.standings.crosstable import record
from tests.standings.profiles import shipped
from tourney.standings import Scorecards, points, values

# outcome → (points, share of a match-win %, games won-lost-drawn, whether the other side is an opponent)
SITUATIONS = {
    "win 2-1": "A 2-1 B",
    "loss 0-2": "A 0-2 B",
    "draw 1-1": "A 1-1 B",
    "drawn game 2-0-1": "A 2-0-1 B",
    "unfinished 1-1-1": "A 1-1-1 B",
    "intentional draw": "A 0-0-3 B",
    "draw 0-0-0": "A 0-0-0 B",
    "bye": "A bye, B away",
    "awarded bye": "A awarded, B away",
    "half bye": "A half, B away",
    "opponent absent": "A +- B",
    "did not show": "A -+ B",
    "neither showed": "A -- B",
    "double loss": "A dl B",
    "away": "A away, B away",
}
NONE = (0, 0, 0)
MAGIC = {
    "win 2-1": ("3", "1", (2, 1, 0), True),
    "loss 0-2": ("0", "0", (0, 2, 0), True),
    "draw 1-1": ("1", "1/3", (1, 1, 0), True),
    "drawn game 2-0-1": ("3", "1", (2, 0, 1), True),
    "unfinished 1-1-1": ("1", "1/3", (1, 1, 1), True),
    "intentional draw": ("1", "1/3", (0, 0, 3), True),
    "draw 0-0-0": ("1", "1/3", NONE, True),
    "bye": ("3", "1", (2, 0, 0), False),
    "awarded bye": ("3", "1", (2, 0, 0), False),
    "half bye": ("1", "1/3", NONE, False),
    "opponent absent": ("3", "1", (2, 0, 0), True),
    "did not show": ("0", "0", (0, 2, 0), True),
    "neither showed": ("0", "0", (0, 2, 0), True),
    "double loss": ("0", "0", NONE, True),
    "away": ("0", None, NONE, False),
}
LEFT_OUT = {"bye": ("3", None, (2, 0, 0), False), "awarded bye": ("3", None, (2, 0, 0), False)}
NO_GAMES = {
    "bye": ("3", None, NONE, False),
    "awarded bye": ("3", None, NONE, False),
    "half bye": ("1", None, NONE, False),
}
FORFEITS_WITHOUT_GAMES = {
    "opponent absent": ("3", "1", NONE, True),
    "did not show": ("0", "0", NONE, True),
    "neither showed": ("0", "0", NONE, True),
}


def scored(win, draw):
    """Return Magic's table with other points; the share of a draw is its part of a win."""
    half = str(Fraction(draw) / Fraction(win))
    table = {}
    for name, (worth, share, games, meets) in MAGIC.items():
        part = half if share == "1/3" else share
        table[name] = ({"3": win, "1": draw, "0": "0"}[worth], part, games, meets)
    return table


TOURNEY = scored("1", "1/2") | {
    "bye": ("1", "1", NONE, False),
    "awarded bye": ("1", "1", NONE, False),
    "half bye": ("1/2", "1/2", NONE, False),
}
FIDE = TOURNEY | {
    "opponent absent": ("1", "1", NONE, False),
    "did not show": ("0", "0", NONE, False),
    "neither showed": ("0", "0", NONE, False),
    "away": ("0", "0", NONE, False),
}
TOM = {
    name: (worth, "1/2" if share == "1/3" else share, games, meets)
    for name, (worth, share, games, meets) in (MAGIC | NO_GAMES | FORFEITS_WITHOUT_GAMES).items()
}
FAB = {
    name: (worth, "0" if Fraction(worth) == 0 and share else share, games, meets)
    for name, (worth, share, games, meets) in (
        scored("1", "0")
        | {
            "bye": ("1", "1", NONE, False),
            "awarded bye": ("1", "1", NONE, False),
            "half bye": ("0", "0", NONE, False),
        }
        | {"opponent absent": ("1", "1", NONE, True)}
        | {"did not show": ("0", "0", NONE, True), "neither showed": ("0", "0", NONE, True)}
    ).items()
}
AESOP = {
    name: (worth, "1/2" if share == "1/3" else share, games, meets)
    for name, (worth, share, games, meets) in (
        MAGIC
        | FORFEITS_WITHOUT_GAMES
        | {"bye": ("3", "1", NONE, False), "awarded bye": ("3", "1", NONE, False)}
    ).items()
}
TABLES = {
    "tourney": TOURNEY,
    "mtr": MAGIC,
    "melee": MAGIC,
    "topdeck": MAGIC,
    "wer": MAGIC | LEFT_OUT | {"half bye": ("1", None, NONE, False)},
    "tom": TOM,
    "kts": MAGIC | NO_GAMES | FORFEITS_WITHOUT_GAMES,
    "fab": FAB,
    "aesop": AESOP,
    "fide": FIDE,
}


@with_rows("situation", SITUATIONS)
@with_rows("name", TABLES)
def test_outcomes_are_worth_what_the_source_says(name, situation):
    """Points, share, games and opponent of the first player."""
    worth, share, games, meets = TABLES[name][situation]
    happened = record("AB", SITUATIONS[situation])
    (entry,) = Scorecards(happened, shipped(name))[1]
    assert Fraction(entry.points, 2) == Fraction(worth)
    assert entry.worth.share == (None if share is None else Fraction(share))
    assert entry.games == games
    assert bool(entry.counted_opponents) is meets
    assert points(happened, shipped(name))[1] == 2 * Fraction(worth)


@with_rows(("games", "worth"), [("2-0", 6), ("1-1", 3), ("0-2", 0), ("1-0-1", 4), ("0-1-1", 1), ("0-0-2", 2)])
def test_cobra_counts_games_without_a_score(games, worth):
    """Netrunner: 3 for a game won, 1 for a drawn game."""
    assert points(record("AB", f"A {games} B"), shipped("cobra"))[1] == 2 * worth


@with_rows(
    ("situation", "worth"),
    [
        ("bye", 6),
        ("awarded bye", 6),
        ("half bye", 3),
        ("opponent absent", 6),
        ("did not show", 0),
        ("double loss", 0),
        ("away", 0),
    ],
)
def test_cobra_without_games_counts_a_whole_match(situation, worth):
    """Or nothing."""
    assert points(record("AB", SITUATIONS[situation]), shipped("cobra"))[1] == 2 * worth


@with_rows("name", [*TABLES, "cobra"])
def test_a_match_without_a_result_does_not_count(name):
    """No points, round or opponent; it is listed as playing."""
    from tourney.standings import rank

    happened = record("ABCD", "A 2-0 B, C 2-0 D", "A ? C, B 2-0 D")
    before = record("ABCD", "A 2-0 B, C 2-0 D")
    standings = rank(happened, shipped(name))
    assert standings.open_tables == ((2, 1),)
    assert standings.row(1).points == rank(before, shipped(name)).row(1).points
    assert len(Scorecards(happened, shipped(name))[1]) == 1


def test_rules_decide_whether_a_late_entry_loses_missed_rounds():
    """Half of the rounds under a house rule, all of them under `mtr`."""
    from tests.standings.profiles import house

    late_entry = record("ABC", "B 2-0 C, A away", "A 2-0 B, C bye")
    with_losses = house('extends = "mtr"\ntitle = "late players lose"\n[outcomes]\nabsent = { match = 0 }\n')
    assert values(late_entry, shipped("mtr"), "MW")[1] == 1
    assert values(late_entry, with_losses, "MW")[1] == Fraction(1, 2)


def test_assigned_losses_of_a_late_entry_are_rounds():
    """A forfeit loss without an opponent, as melee.gg assigns it, is a round lost 0–2."""
    from tourney.standings.reading import read_results

    text = (
        '{"rounds": [[["B", "C", 2, 0, 0], ["A", null, 0, 2, 0]], [["A", "B", 2, 0, '
        '0], ["C", null, 2, 0, 0]]]}'
    )
    results = read_results(text, source="late")
    player = next(player for player, name in results.names.items() if name == "A")
    assert values(results.record, shipped("melee"), "MW")[player] == Fraction(1, 2)
    assert values(results.record, shipped("melee"), "GW")[player] == Fraction(1, 2)
    assert values(results.record, shipped("melee"), "OMW")[player] == Fraction(1, 2)


def test_percentages_without_a_match():
    """The floor if there is one, otherwise no value."""
    alone = record("AB", "A bye, B away")
    assert values(alone, shipped("tourney"), "GW") == {1: Fraction(1, 3), 2: Fraction(1, 3)}
    assert values(alone, shipped("tourney"), "OMW") == {1: None, 2: None}
    assert values(alone, shipped("kts"), "MW") == {1: None, 2: None}
    assert values(alone, shipped("cobra"), "SOS") == {1: 0, 2: 0}
    assert values(alone, shipped("fab"), "PML") == {1: None, 2: None}
