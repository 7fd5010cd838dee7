"""Twenty rounds that are equal on every machine and Python; `--update` writes them again."""

import json
import random

from msgspec.structs import asdict

from tests.kit import ROOT, with_rows
from tests.pairing.fields import dressed, history, options_for
from tourney.errors import TourneyError
from tourney.pairing import Entrant, Mode, Options, pair

FILE = ROOT / "tests" / "pairing" / "golden_rounds.json"
ROUNDS = 20
FIELDS = (
    "id",
    "points",
    "opponents",
    "no_shows",
    "byes",
    "awarded_byes",
    "half_byes",
    "floats",
    "sides",
    "tags",
    "rating",
    "rank",
)


def read(case):
    """Return the entrants and options of a stored round."""
    if "count" in case:
        entrants = [
            Entrant(id=number, points=2 * (number % case["scores"])) for number in range(1, case["count"] + 1)
        ]
    else:
        entrants = [
            Entrant(**{key: tuple(v) if isinstance(v, list) else v for key, v in entrant.items()})
            for entrant in case["entrants"]
        ]
    switches = dict(case["options"])
    switches["mode"] = Mode(switches["mode"])
    switches["forbidden"] = frozenset(map(tuple, switches["forbidden"]))
    switches.pop("no_bye", None)
    switches["forced"] = tuple(map(tuple, switches["forced"]))
    return entrants, Options(**switches)


def canonical(made):
    """Return a round as one text."""
    return json.dumps(
        {
            "tables": [[table.number, *table.seats] for table in made.tables],
            "byes": made.byes,
            "cost": made.cost.as_dict(),
            "bound": made.bound.as_dict(),
            "proof": made.proof,
            "method": made.method,
            "levels": made.exact_levels,
        }
    )


def stored():
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []


def fresh_case(number):
    """Make a new case: two large fields, the others with difficult histories and all options."""
    seed = f"golden round {number}"
    options = {"mode": "random", "forbidden": [], "forced": []}
    if number in {0, 1}:
        return {"seed": seed, "count": 651 + 200 * number, "scores": 1 + 6 * number, "options": options}
    for attempt in range(100):
        dice = random.Random(f"{seed}/{attempt}")
        entrants = dressed(
            dice, history(dice, dice.choice([2, 5, 8, 13, 24, 40]), dice.randint(0, 7), wild=0.3)
        )
        chosen = options_for(dice, entrants)
        try:
            pair(entrants, chosen, seed)
        except TourneyError:
            continue
        plain = asdict(chosen) | {
            "mode": chosen.mode.value,
            "forbidden": sorted(chosen.forbidden),
            "no_bye": [],
        }
        rows = [
            {key: getattr(entrant, key) for key in FIELDS if getattr(entrant, key) not in ((), 0, None)}
            for entrant in entrants
        ]
        return {"seed": seed, "entrants": rows, "options": plain}
    raise AssertionError("no field can be paired")


def test_every_round_is_stored(request):
    """Each test round is stored once; `--update` writes them again."""
    if request.config.getoption("--update"):
        rewrite()
    assert (
        len(
            {
                case["round"] if isinstance(case["round"], str) else json.dumps(case["round"])
                for case in stored()
            }
        )
        == ROUNDS
    )


def rewrite():
    cases = json.loads(json.dumps([fresh_case(number) for number in range(ROUNDS)]))
    lines = [json.dumps(case | {"round": canonical(pair(*read(case), case["seed"]))}) for case in cases]
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


@with_rows("number", range(ROUNDS))
def test_a_round_is_the_same_to_the_byte(number):
    """The same entrants, options and seed give the same round in any input order."""
    case = stored()[number]
    entrants, options = read(case)
    assert canonical(pair(entrants, options, case["seed"])) == case["round"]
    assert canonical(pair(entrants[::-1], options, case["seed"])) == case["round"]


def test_the_golden_rounds_cover_the_ways_a_round_is_made():
    """Whole fields, separators, saturated fields; bounds and searches; byes, sides, modes."""
    cases = stored()
    made = [json.loads(case["round"]) for case in cases]
    assert len(cases) == ROUNDS
    assert {round_["method"].split()[0] for round_ in made} == {"whole", "separators", "saturated"}
    assert len({round_["proof"] for round_ in made}) == 2
    assert any(round_["byes"] for round_ in made)
    assert any(case["options"].get("sides") for case in cases)
    assert len({case["options"]["mode"] for case in cases}) >= 3
