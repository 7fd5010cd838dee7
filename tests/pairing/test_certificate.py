"""Certificates: a script that does not know the engine proves that no round is better."""

import copy
import json
import random
import subprocess
import sys

import pytest
from msgspec.structs import replace

from tests.kit import ROOT, amount, with_rows
from tests.pairing.fields import dressed, history, options_for
from tests.pairing.pods_judge import cost as pods_cost
from tests.pairing.pods_judge import partitions
from tests.pairing.proofs import PART, PROVED, WRONG, checked, frame, pods_proof, swiss_proof
from tourney.errors import TourneyError
from tourney.pairing import Entrant, Mode, Options, Pairing, pair, pods, prove, schedule
from tourney.pairing.pairing import upper_levels
from tourney.record import Table


def field(number, least, most, rounds):
    dice = random.Random(f"certificate {number}")
    players = dice.randint(least, most)
    entrants = dressed(
        dice, history(dice, players, dice.randint(0, min(rounds, players)), wild=dice.choice([0, 0.3, 1]))
    )
    return entrants, options_for(dice, entrants, nasty=dice.random() < 0.5)


def made(number, least=4, most=24, rounds=12):
    """Return entrants, options and the engine's round of a random field, or None."""
    entrants, options = field(number, least, most, rounds)
    try:
        return entrants, options, pair(entrants, options, "s")
    except TourneyError:
        return None


def certified(number, *size):
    """Check a field's certificate, refuse it for dearer rounds, and return the kind of proof."""
    case = made(number, *size)
    if case is None:
        return None
    proof = swiss_proof(*case)
    code, lines = checked(proof)
    assert code == PROVED, (number, lines)
    for level in ("rematches", "times_met", "bye_earlier", "bye_points", "differences"):
        for more in (1, -1):
            other = copy.deepcopy(proof)
            other["cost"][level] += more
            assert checked(other)[0] == WRONG, (number, level, more)
    refuse_dearer_rounds(number, *case, proof)
    return (
        "rematch"
        if proof["certificate"]["bound"] is None
        else "duals"
        if proof["certificate"]["duals"]
        else "bound"
    )


DEARER = []


def refuse_dearer_rounds(number, entrants, options, best, proof):
    """Exchange partners of two tables: dearer rounds must not be proved by the certificate."""
    dice = random.Random(number)
    for _ in range(6 if len(best.tables) > 1 else 0):
        one, other = dice.sample(range(len(best.tables)), 2)
        tables = [list(table.seats) for table in best.tables]
        tables[one][1], tables[other][1] = tables[other][1], tables[one][1]
        round_ = replace(best, tables=tuple(Table(n, tuple(seats)) for n, seats in enumerate(tables, 1)))
        cost = recounted(entrants, options, round_)
        forged = copy.deepcopy(proof)
        for table, seats in zip(forged["tables"], tables, strict=True):
            table["seats"] = seats
        forged["cost"] = cost.as_dict()
        code, lines = checked(forged)
        if upper_levels(cost) > upper_levels(best.cost):
            DEARER.append(number)
            assert code == WRONG, (number, lines)


def recounted(entrants, options, round_):
    from tourney.pairing import price

    return price(entrants, options, round_.tables, round_.byes)


def test_the_script_accepts_the_proof_of_every_round():
    """Bound, duals and witnesses of small and medium fields; never for another cost or round."""
    ways = [certified(number) for number in range(amount(30, of=75))]
    assert {"bound", "duals", "rematch"} <= set(ways)
    assert len(DEARER) > 40, "dearer rounds, refused with the same certificate"


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_thousands_of_proofs_are_accepted():
    """4,000 more fields, and 300 of up to 60 players."""
    for number in range(75, 4150):
        certified(number)
    for number in range(4150, 4450):
        certified(number, 30, 60, 10)


# -- nothing forged is accepted


def test_no_mutation_proves_a_falsehood():
    """After changes of one to three values, an accepted certificate is still true."""
    counts = mutated(range(amount(15, of=30)), amount(50, of=60))
    assert counts["mutations"] > 400
    assert counts["refused"] > counts["mutations"] // 2
    assert counts["true"] > 10, "some changes change nothing that matters"


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_no_mutation_of_many_proves_a_falsehood():
    """The same test with 2,000 rounds."""
    mutated(range(1000, 3000), 200)


def mutated(numbers, times):
    counts = {"mutations": 0, "refused": 0, "true": 0}
    for number in numbers:
        case = made(number, 4, 9, 8)
        if case is None:
            continue
        proof, dice = swiss_proof(*case), random.Random(f"mutate {number}")
        for _ in range(times):
            forged = copy.deepcopy(proof)
            for _ in range(dice.choice([1, 1, 1, 2, 3])):
                mutate(dice, forged)
            code, lines = checked(forged)
            counts["mutations"] += 1
            if code == PROVED:
                counts["true"] += 1
                assert is_true(forged), (number, lines, difference(proof, forged))
            else:
                counts["refused"] += 1
    return counts


SPOKEN = {"title", "name", "text", "tags", "label", "digest", "round_digest", "mode"}
"""What is not part of the claim: how things are called, and what ranks below level 3."""


def mutate(dice, data):
    """Change one value anywhere in plain data: a number, a flag, or a member of a list."""
    places = list(spots(data))
    holder, key = dice.choice(places)
    value = holder[key]
    if isinstance(value, bool):
        holder[key] = dice.choice([not value, None, 1])
    elif isinstance(value, int):
        holder[key] = dice.choice([value + 1, value - 1, value + dice.randint(-9, 9), -value, value * 2, 0])
    elif isinstance(value, list) and value:
        how = dice.randrange(5)
        at = dice.randrange(len(value))
        if how == 0:
            del value[at]
        elif how == 1:
            value.insert(at, copy.deepcopy(dice.choice(value)))
        elif how == 2:
            other = dice.randrange(len(value))
            value[at], value[other] = value[other], value[at]
        elif how == 3:
            value.clear()
        else:
            value[at] = copy.deepcopy(dice.choice(places)[0])
    elif isinstance(value, dict) and value:
        del value[dice.choice(list(value))]
    else:
        holder[key] = dice.choice([None, 0, 1, [], {}, "", True, copy.deepcopy(dice.choice(places)[0])])


def spots(data):
    """Yield every place in plain data that can be changed, as (holder, key)."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        if key not in SPOKEN:
            yield data, key
            yield from spots(value)


def is_true(proof):
    """Return whether the engine agrees that no round is better."""
    options = Options(
        round_number=proof["round"], mode=Mode.RANDOM,
        forbidden=frozenset(tuple(pair_) for pair_ in proof["options"]["forbidden"]),
        forced=tuple(tuple(pair_) for pair_ in proof["options"]["forced"]),
        forced_bye=proof["options"]["forced_bye"], no_bye=frozenset(proof["options"]["no_bye"]),
        **{key: proof["options"][key] for key in ("awarded_bye_counts", "half_bye_counts", "no_show_meets")},
    )  # fmt: skip
    entrants = [
        Entrant(
            id=player["player"], points=player["points"], opponents=tuple(player["opponents"]),
            no_shows=tuple(player["no_shows"]), byes=player["byes"], awarded_byes=player["awarded_byes"],
            half_byes=player["half_byes"],
        )
        for player in proof["players"]
    ]  # fmt: skip
    tables = tuple(Table(table["number"], tuple(table["seats"])) for table in proof["tables"])
    pairing_ = Pairing(tables=tables, byes=tuple(proof["byes"]))
    cost = recounted(entrants, options, pairing_)
    return upper_levels(cost) == upper_levels(pair(entrants, options, "s").cost)


def difference(one, other, path=""):
    """Return the differences between two pieces of plain data, for messages of tests."""
    if type(one) is not type(other) or not isinstance(one, (dict, list)):
        return [] if one == other else [f"{path}: {one!r:.80} → {other!r:.80}"]
    keys = one.keys() | other.keys() if isinstance(one, dict) else range(max(len(one), len(other)))
    differences = []
    for key in keys:
        here, there = (part(proof, key) for proof in (one, other))
        differences += difference(here, there, f"{path}/{key}")
    return differences


def part(data, key):
    try:
        return data[key]
    except (KeyError, IndexError):
        return "nothing"


def test_a_certificate_with_a_bound_too_high_is_refused():
    """Otherwise a run that reaches the top, or boundaries that are not adjacent, would raise it."""
    entrants = [Entrant(id=n, points=points) for n, points in enumerate((6, 6, 4, 4, 2, 2, 0, 0), 1)]
    swapped = replace(pair(entrants, Options(), "s"), tables=tuple(
        Table(n, seats) for n, seats in enumerate(((1, 3), (2, 4), (5, 7), (6, 8)), 1)
    ))  # fmt: skip
    round_ = replace(swapped, cost=recounted(entrants, Options(), swapped))
    proof = swiss_proof(entrants, Options(), round_)
    assert proof["certificate"]["duals"] is not None, "a bound that is not met"
    assert checked(proof)[0] == WRONG
    everybody = {"removed": [], "parts": [[1], [2], [3, 4, 5, 6, 7, 8]]}
    for lie in (
        {"runs": [{"from": 6, "to": 6, "removed": [], "parts": [[1, 2]]}]},
        {
            "crossings": [
                {"above": 6, "below": 2, "side": "below", "removed": [], "parts": [[5], [6], [7], [8]]}
            ]
        },
        {"crossings": [{"above": 6, "below": 4, "side": "above", **everybody}]},
        {"weights": [[6, 4, 5]]},
        {"weights": [[6, 4, -1]]},
    ):
        forged = copy.deepcopy(proof)
        forged["certificate"]["bound"] |= lie
        forged["certificate"]["duals"] = None
        assert checked(forged)[0] == WRONG, lie


def test_a_certificate_without_duals_is_only_a_partial_proof():
    """It leaves level 3 open, and is wrong if it claims the bound."""
    numbers = (number for number in range(400) if (made(number) or (0, 0, 0))[2])
    case = next(
        case for case in map(made, numbers) if (prove(*case)["duals"] is not None and prove(*case)["bound"])
    )
    proof = swiss_proof(*case)
    proof["certificate"] |= {"duals": None, "searched": True}
    code, lines = checked(proof)
    assert code == PART
    assert any(
        line.startswith("not proved here: that the sum of squared point differences") for line in lines
    )
    proof["certificate"]["searched"] = False
    assert checked(proof)[0] == WRONG


@with_rows(
    "text",
    [
        "", "{}", "[]", "null", "nonsense", '{"schema": "tourney.proof/1"}', "[" * 100_000, "1e999", "NaN",
        '{"schema": "tourney.proof/1", "schema": "tourney.proof/1"}', "9" * 5000,
    ],
)  # fmt: skip
def test_files_that_are_not_proofs_are_refused(text):
    """The error has no traceback."""
    code, lines = checked(text)
    assert code == WRONG
    assert lines[-1].startswith("WRONG: ")


def test_the_script_runs_alone(tmp_path):
    """It reads a file or standard input, and imports nothing of the program."""
    source = (ROOT / "scripts" / "check-certificate").read_text("utf-8")
    assert "tourney" not in {
        line.split()[1] for line in source.splitlines() if line.startswith(("import", "from"))
    }
    proof = tmp_path / "proof.json"
    proof.write_text(json.dumps(swiss_proof(*made(3))), "utf-8")
    script = [sys.executable, "-I", str(ROOT / "scripts" / "check-certificate")]
    for words, stdin in (([str(proof)], None), ([], proof.read_bytes()), (["-"], proof.read_bytes())):
        ran = subprocess.run([*script, *words], input=stdin, capture_output=True, check=False)
        assert ran.returncode == 0, ran
        assert ran.stdout.decode().splitlines()[-1] == "The round is proved."
    assert subprocess.run([*script, str(tmp_path / "none")], capture_output=True, check=False).returncode == 3
    assert subprocess.run([*script, "a", "b"], capture_output=True, check=False).returncode == 2


# -- other systems


def test_only_schedules_are_proved():
    """Every round of every round robin of 2 to 25; changed sides are not a proof."""
    dice = random.Random("schedules")
    for count in range(2, 26):
        for double in (False, True):
            members = sorted(dice.sample(range(1, 60), count))
            plan = schedule(members, double=double, seed=f"seed {count}")
            number = dice.randint(1, len(plan.rounds))
            gone = {player for player in members if dice.random() < 0.1}
            round_ = plan.round(number, absent_players=gone)
            here = [player for player in members if player not in gone and player != plan.rests[number - 1]]
            proof = frame(
                [Entrant(id=player) for player in here], Options(round_number=number),
                replace(round_, byes=tuple(bye for bye in round_.byes if bye in here)),
                rules="round-robin", claims={"legal": True, "tables": True},
            )  # fmt: skip
            proof["certificate"] = {
                "members": members, "numbered": list(plan.players), "seed": plan.seed, "double": double,
                "gone": sorted(gone),
            }  # fmt: skip
            assert checked(proof)[0] == PROVED, (count, double, checked(proof)[1])
            if round_.tables:
                proof["tables"][0]["seats"].reverse()
                assert checked(proof)[0] == WRONG


def test_pods_are_proved_only_if_nothing_is_better():
    """In small fields, the script's least value on each level is the least of all rounds."""
    proved = 0
    for number in range(60):
        dice = random.Random(f"pods {number}")
        players = dice.choice([6, 7, 8, 9])
        entrants = history(dice, players, dice.randint(0, 4), wild=0.5)
        entrants = [replace(entrant, floats=(), sides=()) for entrant in entrants]
        sizes = pods.Sizes(3, 3, 4) if players != 6 else pods.Sizes(3, 3, 3)
        had = {entrant.id: tuple(dice.randint(1, 3) for _ in range(2)) for entrant in entrants}
        round_ = pods.pair(entrants, Options(), "s", sizes=sizes, seats_before=had)
        groups = pods.prove(entrants, Options(), "s", sizes=sizes)
        proof = pods_proof(entrants, Options(), round_, sizes, had, groups)
        code, lines = checked(proof)
        assert code in {PROVED, PART}, lines
        if round_.proof == "optimal (meets the bound)":
            assert code == PROVED, lines
        if code == PROVED:
            proved += 1
            here = [entrant.id for entrant in entrants]
            assert not round_.byes
            size = [len(table.seats) for table in round_.tables]
            best = min(pods_cost(entrants, tables, had)[:3] for tables in partitions(here, size))
            assert best == (*upper_levels(round_.cost)[:2], round_.cost.differences)
        for key in ("rematches", "differences", "imbalance"):
            other = copy.deepcopy(proof)
            other["cost"][key] += 1
            assert checked(other)[0] == WRONG
    assert proved > 10
