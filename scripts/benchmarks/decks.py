"""Deck checks on a generated pool: one deck in a cold process, many in one, near names.

All cards are invented.

scripts/bench decks [--cards 25000] [--decks 100,1000,10000] [--runs 15]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
SURROUNDINGS = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
FACTIONS = ("amber", "basalt", "cobalt", "dusk", "ember", "neutral")
SYLLABLES = (
    "ka",
    "ro",
    "min",
    "tel",
    "vash",
    "ur",
    "el",
    "do",
    "sin",
    "bra",
    "qu",
    "ith",
    "mor",
    "an",
    "fel",
    "gar",
)

POOL_HEAD = """
game     = "bench"
complete = true
[attributes]
type    = "text"
faction = "text"
cost    = "number"
points  = "number"
traits  = "list"
basic   = "flag"
"""
FORMAT = """
[format]
id      = "bench/standard"
banlist = "bench/standard"
[leader]
noun  = "general"
zone  = "general"
holds = "type == 'general'"
[[zone]]
id      = "deck"
default = true
size    = 60
holds   = "type != 'general'"
[[limit]]
id     = "copies"
zones  = ["deck"]
by     = "name"
max    = 4
except = [{ where = "basic" }]
[[limit]]
id      = "faction"
zones   = ["deck"]
where   = "faction not in ['neutral', leader.faction] and points > 5"
max     = 0
message = "{faction} card, but the general ({leader.name}) is {leader.faction}"
[[limit]]
id    = "influence"
zones = ["deck"]
where = "faction not in ['neutral', leader.faction]"
weigh = "points"
max   = 300
[[limit]]
id       = "factions"
zones    = ["deck"]
distinct = "faction"
max      = 6
[[require]]
id   = "cheap"
that = "n(cost <= 3) >= 5 and total(type == 'unit', cost) < 5000"
"""


def main() -> int:
    """Print the measures."""
    reader = argparse.ArgumentParser(prog="scripts/bench decks", description=__doc__)
    reader.add_argument("--cards", type=int, default=25_000)
    reader.add_argument("--decks", default="100,1000,10000")
    reader.add_argument("--runs", type=int, default=15)
    given = reader.parse_args()
    numbers = [int(word) for word in given.decks.split(",")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cold(folder, given.cards, given.runs)
        many(given.cards, numbers)
        flat((given.cards // 10, given.cards, 2 * given.cards))
        near(32_000)
    return 0


# -- what is measured


def cold(folder: Path, cards: int, runs: int) -> None:
    """Measure one deck checked by a process of its own."""
    dice = random.Random(1)
    pool = list(invented(cards, dice))
    write_data(folder, pool)
    (folder / "deck.txt").write_text(deck_text(pool, dice), encoding="utf-8")
    line = [
        sys.executable,
        "-m",
        "tourney",
        "deck",
        "check",
        "deck.txt",
        "-f",
        "bench/standard",
        "--data",
        "data",
    ]
    took = [
        seconds(lambda: subprocess.run(line, cwd=folder, env=SURROUNDINGS, capture_output=True, check=True))
        for _ in range(runs + 1)
    ]
    empty = [
        seconds(lambda: subprocess.run([sys.executable, "-c", ""], env=SURROUNDINGS, check=True))
        for _ in range(runs)
    ]
    print(f"an empty Python                          {1000 * statistics.median(empty):8.0f} ms")
    print(
        f"one deck, {cards:,} cards, cold process    "
        f"{1000 * statistics.median(took[1:]):8.0f} ms   (goal: under 250)"
    )


def many(cards: int, numbers: list[int]) -> None:
    """Measure lists read and checked in one process, and fit a line through the totals."""
    dice = random.Random(2)
    pool = list(invented(cards, dice))
    texts = [deck_text(pool, dice) for _ in range(max(numbers))]
    rules, loading = timed(lambda: ruleset(pool))
    print(f"loading {cards:,} cards                     {1000 * loading:8.0f} ms")
    points = []
    splits(rules, texts[: min(numbers)])
    for number in numbers:
        took = statistics.median(
            seconds(partial(check_all, rules, texts[:number])) for _ in range(3 if number <= 1000 else 1)
        )
        points.append((number, took))
        print(
            f"{number:6,} decks read and checked            {1000 * took:8.0f} ms   "
            f"({1000 * took / number:.2f} ms each)"
        )
    slope, start = fit(points)
    print(
        f"linear fit: {1000 * slope:.3f} ms a deck + {1000 * start:.0f} ms   (goal: "
        "1,000 decks under 1,000 ms)"
    )


def splits(rules: Any, texts: list[str]) -> None:
    """Measure reading and checking apart."""
    from tourney.decks import check, read
    from tourney.decks.reading.vocabulary import vocabulary_of

    words = vocabulary_of(rules.format)
    read_all = partial(list, map(partial(read, source="deck", vocabulary=words), texts))
    lists, reading = timed(read_all)
    checking = seconds(lambda: [check(each, rules) for each in lists])
    each = 1000 / len(texts)
    print(
        f"of one deck: reading {each * reading:.2f} ms, checking {each * checking:.2f} "
        "ms, the pool's cards met first"
    )


def flat(sizes: tuple[int, ...]) -> None:
    """Measure the same number of decks against pools of growing size."""
    for size in sizes:
        dice = random.Random(3)
        pool = list(invented(size, dice))
        rules = ruleset(pool)
        texts = [deck_text(pool[:2000], dice) for _ in range(300)]
        check_all(rules, texts)
        print(
            f"300 decks, pool of {size:7,} cards          "
            f"{1000 * seconds(partial(check_all, rules, texts)):8.0f} ms"
        )


def near(names: int) -> None:
    """Measure near names."""
    dice = random.Random(4)
    pool = ruleset(list(invented(names, dice))).pool
    asked = [misspelt(name, dice) for name in dice.sample(pool.names(), 50)]
    pool.near(asked[0])
    took = [seconds(partial(pool.near, name)) for name in asked]
    print(
        f"near names among {names:,}, each              "
        f"{1000 * statistics.median(took):8.1f} ms   (goal: under 5)"
    )


def fit(points: list[tuple[int, float]]) -> tuple[float, float]:
    """Return slope and start of the line nearest to the points."""
    xs, ys = zip(*points, strict=True)
    if len(points) < 2:
        return ys[0] / xs[0], 0.0
    slope, start = statistics.linear_regression(xs, ys)
    return slope, start


def seconds(work: Callable[[], object]) -> float:
    """Return how long `work` takes."""
    return timed(work)[1]


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return what `work` gives, and how long it takes."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


# -- the field


def invented(cards: int, dice: random.Random) -> Iterator[dict[str, object]]:
    """Give cards with names like real ones, a hundredth of them generals."""
    seen: set[str] = set()
    while len(seen) < cards:
        name = " ".join(
            "".join(dice.choices(SYLLABLES, k=dice.randint(1, 3))).title() for _ in range(dice.randint(1, 3))
        )
        name = name if name not in seen else f"{name} {len(seen)}"
        seen.add(name)
        kind = "general" if len(seen) % 100 == 1 else dice.choice(("unit", "tactic", "resource"))
        yield {
            "id": f"c{len(seen)}",
            "name": name,
            "type": kind,
            "faction": dice.choice(FACTIONS[:-1] if kind == "general" else FACTIONS),
            "cost": dice.randint(0, 9),
            "points": dice.randint(0, 5),
            "traits": dice.sample(SYLLABLES, 2),
            "basic": len(seen) % 50 == 2,
            "printings": [{"set": f"s{dice.randint(1, 40)}", "number": str(len(seen))}],
            "text": "Invented words, about as long as those on a card; nothing asks for them. " * 3,
        }


def deck_text(pool: list[dict[str, object]], dice: random.Random) -> str:
    """Return a list of a general and 60 cards over 15 to 60 lines."""
    general = (
        next(card for card in dice.sample(pool, len(pool)) if card["type"] == "general")
        if len(pool) < 500
        else pool[100 * dice.randrange(len(pool) // 100)]
    )
    lines, left = ["General", f"1 {general['name']}", "", "Deck"], 60
    for card in dice.sample(pool, 200):
        if card["type"] != "general" and left:
            copies = min(left, dice.choice((1, 1, 2, 3, 4)))
            lines.append(f"{copies} {card['name']}")
            left -= copies
    return "\n".join(lines)


def misspelt(name: str, dice: random.Random) -> str:
    """Return the name with one letter gone."""
    place = dice.randrange(len(name))
    return name[:place] + name[place + 1 :]


def banlist_text(pool: list[dict[str, object]]) -> str:
    """Return a ban list of a hundred cards that forbids nothing a deck may have."""
    return "[cards]\n" + "".join(f"{json.dumps(card['name'])} = 60\n" for card in pool[:100])


def pool_text(pool: list[dict[str, object]]) -> str:
    """Return the set file of a pool."""
    return "\n".join(json.dumps(card) for card in pool)


def write_data(folder: Path, pool: list[dict[str, object]]) -> None:
    """Write a data folder with the pool, the format and its ban list."""
    for name, text in (
        ("data/cardpools/bench/pool.toml", POOL_HEAD),
        ("data/cardpools/bench/all.jsonl", pool_text(pool)),
        ("data/formats/bench/standard.toml", FORMAT),
        ("data/banlists/bench/standard/2026-01-01.toml", banlist_text(pool)),
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def ruleset(pool: list[dict[str, object]]) -> Any:
    """Load everything that a check needs."""
    from tourney.cards import parse_pool
    from tourney.rules import Ruleset, parse_banlist, parse_format

    day = date(2026, 11, 20)
    known = parse_pool(POOL_HEAD, {"all": pool_text(pool)}, source="pool.toml")
    banlist = parse_banlist(banlist_text(pool), source="list.toml", day=day, name="bench/standard")
    return Ruleset(parse_format(FORMAT, source="standard.toml", parent=dict.__getitem__), banlist, known, day)


def check_all(rules: Any, texts: list[str]) -> int:
    """Read and check lists.

    If one is not legal, exit, because the bench would measure something else.
    """
    from tourney.decks import check, read
    from tourney.decks.reading.vocabulary import vocabulary_of

    words = vocabulary_of(rules.format)
    found = [check(read(text, source="deck", vocabulary=words), rules).verdict for text in texts]
    if set(found) != {"legal"}:
        sys.exit(f"not all decks came out legal: {set(found)}")
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
