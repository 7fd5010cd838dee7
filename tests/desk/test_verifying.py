"""Forged events are found: their chains are intact, but their entries cannot be true."""

import json
import random
import sqlite3
from contextlib import suppress

import msgspec
import pytest
from click.testing import CliRunner
from msgspec import structs

from tests.desk.kit import journal_at, lent, make_journal, new_desk, open_desk, play
from tourney.cli import root
from tourney.desk import Desk, check, event_view, verify
from tourney.desk.evidence import check_seals
from tourney.errors import Severity
from tourney.event import ops
from tourney.event.entry import NOTHING_YET, Text, read, write
from tourney.event.field import round_seed
from tourney.event.fold import MisfitError
from tourney.event.ops import Proof
from tourney.event.systems import propose
from tourney.publish import render
from tourney.record import Table

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus")
replace = msgspec.structs.replace


def forge(folder, change, *, name="forged.tourney", secret=True):
    """Copy `friday.tourney` with ops changed by `change(seq, op)` and a new, valid chain."""
    with journal_at(folder / "friday.tourney") as journal:
        texts = [Text(*text) for text in journal.texts()]
        kept = journal.secret() if secret else None
    rows, digest = [], NOTHING_YET
    with open_desk(folder) as desk:
        for entry in desk.entries:
            row = write(change(entry.seq, entry.op), seq=entry.seq, at=entry.at, by=entry.by, previous=digest)
            rows.append(row)
            digest = row.digest
    make_journal(folder / name, rows, texts, kept)
    return Desk.open(folder / name, lent())


def played(folder, rounds=2, **settings):
    """Make an event of seven players with some rounds; return the entries that paired them."""
    with new_desk(folder, *NAMES, **settings) as desk:
        for _ in range(rounds):
            play(desk)
        return [round_.paired.entry for round_ in desk.state.rounds]


def findings_of(desk, number=None, severity=Severity.ERROR):
    """Return the findings of `verify` as (rule, message)."""
    return [
        (finding.rule, finding.message)
        for finding in verify(desk, number).findings
        if finding.severity is severity
    ]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"format_name": "redline/scramble"},
        {"system": "round-robin"},
        {"system": "elimination"},
        {"last_round": "rank", "rounds": 2},
        {"format_name": "kingdoms/standard"},
        {"sealed": True},
    ],
)
def test_an_honest_event_has_no_findings(tmp_path, settings):
    """This is true of every system, and nothing is left open."""
    with new_desk(tmp_path, *NAMES[: 6 if "format_name" in settings else 7], **settings) as desk:
        for _ in range(2):
            desk.pair_round()
            seats = {number: len(table.seats) for number, table in desk.state.round.tables.items()}
            desk.report_block(
                f"{number} {'w' if count == 2 else ','.join(map(str, range(1, count + 1)))}"
                for number, count in seats.items()
            )
        assert list(check_seals(desk.evidence())) == []
        message = verify(desk)
        rounds = message.rounds
        assert message.secret
        assert [round_.findings for round_ in rounds] == [(), ()]
        assert [round_.same for round_ in rounds] == [True, True]
        assert False not in {round_.seed_follows for round_ in rounds} | {round_.legal for round_ in rounds}


@pytest.mark.file
@pytest.mark.parametrize("secret", [b"x" * 32, b"", "words", 5, 0.5])
def test_a_swapped_secret_is_found(tmp_path, secret):
    """It does not fit the hash of entry 1, and is never revealed."""
    played(tmp_path, sealed=True)
    with sqlite3.connect(tmp_path / "friday.tourney") as database:
        database.execute("UPDATE secret SET bytes = ?", (secret,))
    with open_desk(tmp_path) as desk:
        assert [rule for rule, _ in findings_of(desk)] == ["secret"]
        assert "does not match the SHA-256 in entry 1" in findings_of(desk)[0][1]
        assert [finding.rule for finding in check(desk)] == ["secret"]
        with pytest.raises(Exception, match="secret is damaged: its SHA-256"):
            desk.close()


def test_another_secret_revealed_at_the_end_is_found(tmp_path):
    """Or none, or an invalid one, in the op that closes the event."""
    played(tmp_path, sealed=True)
    with open_desk(tmp_path) as desk:
        closing = desk.close().entries[0]
    for number, said in enumerate(("ab" * 32, "no number", None)):

        def change(seq, op, said=said):
            return replace(op, secret=said) if seq == closing else op

        with forge(tmp_path, change, name=f"{number}.tourney") as desk:
            [(rule, message)] = findings_of(desk)
            assert rule == "secret"
            assert message.startswith(f"entry {closing} ")


def test_a_chosen_seed_is_found(tmp_path):
    """A seed tried out until it gives the wanted tables does not follow from the secret."""
    with new_desk(tmp_path, *NAMES) as desk:
        desk.pair_round()
        first = desk.state.round.paired.entry
        evidence = desk.evidence()
        wished = "0" * 64
        made = propose(evidence.ask(evidence.at(first - 1), 1, wished)).op

    def change(seq, op):
        return made if seq == first else op

    with forge(tmp_path, change) as desk:
        messages = [message for rule, message in findings_of(desk, 1) if rule == "seed"]
        assert len(messages) == 1
        assert messages[0].startswith(f"Round 1 (entry {first}): the recorded seed does not follow")
        rounds = verify(desk).rounds
        assert rounds[0].seed_follows is False
        assert rounds[0].same is True
        assert f"Round 1 (entry {first})" in " ".join(finding.message for finding in check(desk))
        desk.report_block(f"{table} w" for table in desk.state.round.tables)
        assert any(warning.startswith(f"Round 1 (entry {first})") for warning in desk.close().warnings)


@pytest.mark.parametrize("format_name", ["red-diamond/standard", "redline/scramble"])
@pytest.mark.parametrize("part", ["cost", "levels", "bound", "text"])
def test_a_forged_cost_or_proof_is_found(tmp_path, part, format_name):
    """A wrong or shortened cost, a false bound, and a false proof."""
    names = NAMES[:6]
    with new_desk(tmp_path, *names, format_name=format_name) as desk:
        desk.pair_round()
        entry = desk.state.round.paired.entry
        honest = desk.state.round.proof
    forged = {
        "cost": replace(honest, cost=(*honest.cost[:-1], 7)),
        "levels": replace(honest, cost=honest.cost[:-1]),
        "bound": replace(honest, bound=tuple(bound + 1 for bound in honest.bound)),
        "text": replace(honest, text="optimal, of course"),
    }[part]

    def change(seq, op):
        return replace(op, proof=forged) if seq == entry else op

    with forge(tmp_path, change) as desk:
        faults = findings_of(desk)
        again = {"bound": "another lower bound", "text": "another proof, `"}.get(part, "another cost")
        assert again in faults[-1][1]
        assert all(message.startswith(f"Round 1 (entry {entry}): ") for _, message in faults)
        cheap = [seal.rule for seal in check_seals(desk.evidence())]
        assert cheap == (["cost"] if part in {"cost", "levels"} else [])


def test_a_proof_without_an_engine_is_found(tmp_path):
    """A round by hand, or an edit, that claims to be optimal."""
    with new_desk(tmp_path, *NAMES[:4]) as desk:
        desk.pair_round(by_hand="Ada - Ben\nCleo - Dan")
        desk.swap("Ada", "Cleo")
        by_hand, edit = desk.state.round.paired.entry, desk.state.round.edits[0].entry
    proof = Proof(cost=(0,) * 10, bound=(0,) * 10, text="optimal (meets the bound)")
    for number in (by_hand, edit):

        def change(seq, op, number=number):
            return replace(op, proof=proof) if seq == number else op

        with forge(tmp_path, change, name=f"{number}.tourney") as desk:
            assert [(rule, f"entry {number})" in message) for rule, message in findings_of(desk)] == [
                ("cost", True)
            ]


def test_tables_that_the_engine_does_not_make_are_found(tmp_path):
    """Signed by today's engine they are wrong; by another version they stay open."""
    with new_desk(tmp_path, *NAMES) as desk:
        desk.pair_round()
        entry = desk.state.round.paired.entry

    def swapped(op):
        one, two, *rest = op.tables
        here, there = one.seats, two.seats
        tables = (Table(one.number, (here[0], there[1])), Table(two.number, (there[0], here[1])), *rest)
        return replace(op, tables=tables)

    def change(seq, op):
        return swapped(op) if seq == entry else op

    with forge(tmp_path, change) as desk:
        assert findings_of(desk) == [
            (
                "tables",
                f"Round 1 (entry {entry}): tourney swiss 1 makes other tables (1, 2) from this seed",
            )
        ]

    def elder(seq, op):
        return replace(swapped(op), engine="tourney swiss 0") if seq == entry else op

    with forge(tmp_path, elder, name="elder.tourney") as desk:
        assert findings_of(desk) == []
        [(rule, message)] = findings_of(desk, severity=Severity.UNVERIFIED)
        assert rule == "tables"
        assert "signed by tourney swiss 0" in message

    def renamed(seq, op):
        return replace(op, engine="tourney swiss 9") if seq == entry else op

    with forge(
        tmp_path, renamed, name="renamed.tourney"
    ) as desk:  # the very tables, from an engine not at hand
        assert findings_of(desk) == []
        [(rule, message)] = findings_of(desk, severity=Severity.UNVERIFIED)
        assert (rule, "signed by tourney swiss 9, but tourney swiss 1 makes the same tables" in message) == (
            "tables",
            True,
        )
        assert verify(desk).rounds[0].same is None


def test_the_first_name_of_the_engines_is_known(tmp_path):
    """`tourney 0.1.0` means the engines numbered 1."""
    [entry] = played(tmp_path, rounds=1)

    def signed(seq, op):
        return replace(op, engine="tourney 0.1.0") if seq == entry else op

    with forge(tmp_path, signed) as desk:
        assert findings_of(desk) == []
        assert findings_of(desk, severity=Severity.UNVERIFIED) == []

    def forged(seq, op):
        return replace(op, engine="tourney 0.1.0", tables=op.tables[::-1]) if seq == entry else op

    with forge(tmp_path, forged, name="other.tourney") as desk:
        assert [rule for rule, _ in findings_of(desk)] == ["tables"]


def test_without_the_secret_seeds_stay_open(tmp_path):
    """Costs and tables are checked all the same."""
    played(tmp_path, sealed=True)
    with forge(tmp_path, lambda _seq, op: op, secret=False) as desk:
        assert findings_of(desk) == []
        [(rule, message)] = findings_of(desk, severity=Severity.UNVERIFIED)
        assert rule == "secret"
        assert "this copy came without the secret" in message
        said = verify(desk)
        rounds = said.rounds
        assert said.secret is None
        assert [(round_.seed_follows, round_.cost_fits, round_.same) for round_ in rounds] == [
            (None, True, True)
        ] * 2


def test_a_closed_sealed_event_is_verified_by_its_entries(tmp_path):
    """The last entry reveals the secret."""
    played(tmp_path, sealed=True)
    with open_desk(tmp_path) as desk:
        desk.close()
    with forge(tmp_path, lambda _seq, op: op, secret=False) as desk:
        message = verify(desk)
        rounds = message.rounds
        assert message.secret
        assert all(round_.seed_follows for round_ in rounds)


def test_a_repair_is_repeated(tmp_path):
    """Its cost and tables follow from the round's seed; a forged one is named by its entry."""
    with new_desk(tmp_path, *NAMES) as desk:
        play(desk)
        desk.pair_round()
        desk.drop("Ada")
        desk.repair_round()
        entry = desk.state.round.edits[-1].entry
        assert findings_of(desk) == []
        assert verify(desk).rounds[1].same is True

    def change(seq, op):
        return replace(op, proof=replace(op.proof, cost=(3, *op.proof.cost[1:]))) if seq == entry else op

    with forge(tmp_path, change) as desk:
        assert ("cost", True) in [
            (rule, f"(repair, entry {entry})" in message) for rule, message in findings_of(desk)
        ]
        assert [finding.rule for finding in check(desk)] == ["cost"]


def test_an_edit_by_hand_is_not_a_fault(tmp_path):
    """The pairing still follows from its seed."""
    with new_desk(tmp_path, *NAMES[:4]) as desk:
        desk.pair_round()
        one, two = desk.state.round.tables.values()
        desk.swap(one.seats[0], two.seats[0])
        assert findings_of(desk) == []
        [verified] = verify(desk).rounds
        assert (verified.seed_follows, verified.cost_fits, verified.same) == (True, True, False)


def test_costs_use_the_profile_of_their_time(tmp_path):
    """A later change of the profile does not affect the costs of earlier pairings and edits."""
    with new_desk(tmp_path, *NAMES) as desk:
        for _ in range(4):
            play(desk)
        desk.pair_round()
        desk.drop("Ada")
        desk.repair_round()
        assert any(later_round.proof.cost[4] for later_round in desk.state.rounds), (
            "some round pairs different points"
        )
        before = [(round_.legal, round_.optimal) for round_ in verify(desk).rounds]
        desk.change(profile="mtr")
        assert findings_of(desk) == []
        assert [(round_.legal, round_.optimal) for round_ in verify(desk).rounds] == before
        assert list(check_seals(desk.evidence())) == []


def test_anyone_can_calculate_the_seed(tmp_path):
    """SHA-256 of the secret, a slash, and the number of the round."""
    played(tmp_path)
    with open_desk(tmp_path) as desk:
        secret = desk.journal.secret()
        assert [round_.seed for round_ in desk.state.rounds] == [
            round_seed(secret, number) for number in (1, 2)
        ]
        assert isinstance(desk.entries[0].op, ops.EventCreated)


def test_a_forged_cut_is_found(tmp_path):
    """Its seeds follow from the standings of that time, and the lot if it was used."""
    with new_desk(tmp_path, *NAMES, "Hal") as desk:
        play(desk)
        play(desk)
        entry = desk.cut(3, lot=True).entries[0]
        desk.pair_round()
        assert findings_of(desk) == []
        ranked = [row.player for row in desk.standings().rows]

    def change(seq, op):
        return replace(op, players=op.players[::-1]) if seq == entry else op

    with forge(tmp_path, change) as desk:
        [text] = [text for rule, text in findings_of(desk) if rule == "cut"]
        assert text.startswith(f"The cut (entry {entry}): the standings of that moment give ")
        assert findings_of(desk, 1) == []

    def stranger(seq, op):
        return replace(op, players=(*op.players[:-1], ranked[-1])) if seq == entry else op

    with forge(tmp_path, stranger, name="stranger.tourney") as desk:
        assert "cut" in {rule for rule, _ in findings_of(desk)}
    with forge(tmp_path, lambda _, op: op, name="copy.tourney", secret=False) as desk:
        assert findings_of(desk) == []
        assert "cut" in {rule for rule, _ in findings_of(desk, severity=Severity.UNVERIFIED)}


def test_tied_seeds_are_by_registration_or_by_the_named_lot(tmp_path):
    """An organizer who orders tied seeds in another way is found by the check."""
    cuts = []
    for lot in (False, True):
        folder = tmp_path / str(lot)
        folder.mkdir()
        with new_desk(folder, *NAMES, profile="mtr", seed="lots") as desk:
            play(desk, "d")
            desk.cut(len(NAMES), lot=lot)
            made = desk.entries[-1].op
            assert (made.lot, findings_of(desk)) == (lot, [])
            cuts.append(made.players)
    by_number, by_lot = cuts
    assert by_lot != by_number, "else this seed shows nothing"

    def as_one_wishes(_, op):
        return replace(op, players=by_number) if isinstance(op, ops.CutMade) else op

    with forge(folder, as_one_wishes) as desk:
        assert "cut" in {rule for rule, _ in findings_of(desk)}

    def as_it_was_written_before(_, op):
        return replace(op, players=by_number, lot=None) if isinstance(op, ops.CutMade) else op

    with forge(folder, as_it_was_written_before, name="older.tourney") as desk:
        assert findings_of(desk) == []
    with forge(tmp_path / "False", lambda _, op: op, name="copy.tourney", secret=False) as desk:
        assert "cut" not in {rule for rule, _ in findings_of(desk, severity=Severity.UNVERIFIED)}, (
            "no lot, nothing to draw"
        )


def test_forged_seeds_of_an_elimination_are_found(tmp_path):
    """They are by rating, and tied ones by the secret's seed."""
    with new_desk(tmp_path, *NAMES, system="elimination") as desk:
        entry = desk.pair_round().entries[0]
        assert findings_of(desk) == []

    def change(seq, op):
        return replace(op, players=(op.players[1], op.players[0], *op.players[2:])) if seq == entry else op

    with forge(tmp_path, change) as desk:
        assert "cut" in {rule for rule, _ in findings_of(desk)}
    with forge(tmp_path, change, name="copy.tourney", secret=False) as desk:
        assert "cut" in {rule for rule, _ in findings_of(desk, severity=Severity.UNVERIFIED)}


def test_forged_seeds_and_tables_of_a_table_cut_are_found(tmp_path):
    """Also in a copy without the secret."""
    with new_desk(tmp_path, *"ABCDEFGHIJ", system="pods", seats=(3,), rounds=1) as desk:
        desk.pair_round()
        for number in (1, 2, 3):
            desk.report(number, "1,2,3")
        cut = desk.cut(9, lot=True).entries[0]
        paired = desk.pair_round().entries[0]
        assert findings_of(desk) == []
        assert isinstance(desk.entries[cut - 1].op, ops.CutMade)

    def seeds(seq, op):
        return replace(op, players=(*op.players[1:], op.players[0])) if seq == cut else op

    def tables(seq, op):
        if seq != paired:
            return op
        one, two, three = op.tables
        swapped = (two.seats[0], *one.seats[1:]), (one.seats[0], *two.seats[1:])
        return replace(op, tables=(Table(1, swapped[0]), Table(2, swapped[1]), three))

    with forge(tmp_path, seeds) as desk:
        assert "cut" in {rule for rule, _ in findings_of(desk)}
    with forge(tmp_path, tables, name="tables.tourney") as desk:
        assert {"bracket", "tables"} & {rule for rule, _ in findings_of(desk)}


def test_no_player_who_waits_in_a_bracket_has_a_bye(tmp_path):
    """A recorded bye for any player without a table is a finding."""
    with new_desk(tmp_path, *NAMES[:4], system="elimination", double=True) as desk:
        for _ in range(3):
            play(desk)
        paired, waits = desk.state.round.paired.entry, desk.state.cut.players[0]
        assert [*desk.state.round.byes] == []
        assert findings_of(desk) == []
    for player in (waits, desk.state.cut.players[3]):

        def change(seq, op, player=player):
            return replace(op, byes=(ops.NoTable(player, "bye"),)) if seq == paired else op

        with forge(tmp_path, change, name=f"{player}.tourney") as forged:
            assert "tables" in {rule for rule, _ in findings_of(forged)}


SYSTEMS = (
    {},
    {"format_name": "redline/scramble"},
    {"system": "round-robin"},
    {"system": "elimination"},
    {"format_name": "kingdoms/standard"},
)


@pytest.fixture(scope="module")
def paired(tmp_path_factory):
    """Events of each system whose second round is paired and open."""
    folders = []
    for settings in SYSTEMS:
        folders.append(folder := tmp_path_factory.mktemp("paired"))
        with new_desk(folder, *NAMES[:6], **settings) as desk:
            play(desk, "1,2,3" if "scramble" in settings.get("format_name", "") else "w")
            desk.pair_round()
    return folders


def forgery(dice, op):
    """Return a pairing with one random change."""
    tables, numbers = list(op.tables), dice.sample(range(len(op.tables)), min(2, len(op.tables)))
    first = tables[numbers[0]]
    turned = list(first.seats)
    dice.shuffle(turned)
    swapped = [list(tables[number].seats) for number in numbers]
    swapped[0][0], swapped[-1][-1] = swapped[-1][-1], swapped[0][0]
    changed = {number: tuple(seats) for number, seats in zip(numbers, swapped, strict=True)}
    others = tuple(
        structs.replace(table, seats=changed.get(place, table.seats)) for place, table in enumerate(tables)
    )
    proof = op.proof
    return dice.choice(
        (
            replace(op, tables=tuple(tables[::-1])),
            replace(op, tables=(structs.replace(first, seats=tuple(turned)), *tables[1:])),
            replace(op, tables=others),
            replace(op, tables=tuple(replace(table, number=table.number + 1) for table in tables)),
            replace(op, byes=()) if op.byes else replace(op, labels=("Final",)),
            replace(op, seed=f"{dice.getrandbits(256):064x}"),
            replace(op, engine=dice.choice(("tourney swiss 7", "", "somebody"))),
            replace(op, proof=replace(proof, cost=(*proof.cost[:-1], 9))),
            replace(op, proof=replace(proof, bound=(9, *proof.bound[1:]))),
            replace(op, proof=replace(proof, text=f"{proof.text}!")),
            replace(op, stage="swiss" if op.stage == "cut" else "cut"),
            replace(op, system=dice.choice(("pods", "dutch", "round-robin", "elimination"))),
        )
    )


def assert_forgeries_are_found(paired, folder, numbers):
    for number in numbers:
        dice = random.Random(f"forgery {number}")
        source = paired[number % len(paired)]
        with open_desk(source) as desk:
            round_ = desk.state.rounds[-1]
            before = desk.entries[round_.paired.entry - 1].op
        forged = forgery(dice, before)
        if forged == before or (
            forged.engine != before.engine and replace(forged, engine=before.engine) == before
        ):
            continue  # another engine name for the same tables: they follow from the seed
        place = folder / f"{number}.tourney"
        copied(source / "friday.tourney", place, lambda op, a=before, b=forged: b if op == a else op)
        with (
            suppress(MisfitError),
            Desk.open(place, lent()) as desk,
        ):  # or such a round means nothing at all
            findings = [
                finding for finding in verify(desk).findings if finding.severity is not Severity.ADVICE
            ]
            assert findings, (number, before, forged)
            assert any(f"entry {round_.paired.entry})" in item.message for item in findings), (
                number,
                findings,
            )
        place.unlink(missing_ok=True)


def copied(source, target, change):
    """Copy an event with changed ops and a new chain."""
    with journal_at(source) as journal:
        texts, secret = [Text(*text) for text in journal.texts()], journal.secret()
        entries = read(journal.rows())
    rows, digest = [], NOTHING_YET
    for entry in entries:
        rows.append(write(change(entry.op), seq=entry.seq, at=entry.at, by=entry.by, previous=digest))
        digest = rows[-1].digest
    make_journal(target, rows, texts, secret)


def test_any_change_in_a_pairing_is_found(paired, tmp_path):
    """Tables, seats, byes, seed, signature, cost, bound, proof and stage, in every system."""
    assert_forgeries_are_found(paired, tmp_path, range(80))


@pytest.mark.long
def test_any_change_in_a_pairing_is_found_many_times(paired, tmp_path):
    assert_forgeries_are_found(paired, tmp_path, range(80, 2000))


def test_a_removed_cost_is_found(tmp_path):
    """The round was paired by an engine."""

    def emptied(_, op):
        return replace(op, proof=replace(op.proof, cost=())) if isinstance(op, ops.RoundPaired) else op

    with new_desk(tmp_path, *NAMES) as desk:
        desk.pair_round()
        assert findings_of(desk) == []
    with forge(tmp_path, emptied) as desk:
        assert "cost" in {rule for rule, _ in findings_of(desk)}
        assert any("no cost is recorded" in finding.message for finding in check(desk))


@pytest.mark.parametrize("how", ["reopened", "taken back"])
def test_draws_after_the_secret_is_public_are_remarked_on(tmp_path, how):
    """By `verify`, for rounds and the lot of a cut, and on the page of verification."""
    played(tmp_path, sealed=True)
    with open_desk(tmp_path) as desk:
        public = desk.close().entries[0]
        if how == "reopened":
            assert "its secret is public" in desk.reopen().warnings[0]
        else:
            desk.undo(public)
        assert findings_of(desk, severity=Severity.ADVICE) == []
        paired = desk.pair_round().entries[0]
        desk.report_block(f"{table} w" for table in desk.state.round.tables)
        cut = desk.cut(4, lot=True).entries[0]
        desk.pair_round()
        remark = f"after the secret was public (entry {public}): its"
        message = [
            f"Round 3 (entry {paired}) was paired {remark} seed could be known beforehand",
            f"The cut (entry {cut}) was drawn {remark} lot could be known beforehand",
        ]
        assert findings_of(desk, severity=Severity.ADVICE) == [("secret", text) for text in message]
        assert findings_of(desk, 3, severity=Severity.ADVICE) == [("secret", message[0])]
        assert findings_of(desk, 2, severity=Severity.ADVICE) == findings_of(desk) == []
        files = render(event_view(desk), ["html", "markdown"])
    assert f'<p class="stale">{message[0]}.</p>'.encode() in files["verification.html"]
    assert "Round 3 (entry" in files["verification.md"].decode()
    assert json.loads(
        CliRunner().invoke(root, ["verify", "-e", str(tmp_path / "friday.tourney"), "--json"]).stdout
    )["findings"]


def test_an_event_that_is_not_sealed_has_no_such_remark(tmp_path):
    """Its secret was in every copy."""
    played(tmp_path)
    with open_desk(tmp_path) as desk:
        desk.close()
        assert desk.reopen().warnings == ()
        play(desk)
        assert verify(desk).findings == ()


def drawn(folder, **settings):
    """Make an event with two draws of decks in round 1, and one after a result."""
    with new_desk(folder, *NAMES, **settings) as desk:
        desk.pair_round()
        desk.draw_audit(2)
        desk.report(1, "w")
        desk.draw_audit()
        desk.change_result(1, "l")
        desk.report("2,3", "w")
        desk.pair_round()
        desk.draw_audit()
        return draws_in(desk)


def test_drawn_decks_follow_from_the_seed(tmp_path):
    """From the event at that time. A copy without the secret checks its own seed."""
    entries = drawn(tmp_path)
    with open_desk(tmp_path) as desk:
        assert check(desk) == ()
        assert verify(desk).findings == ()
        assert verify(desk).audit_draws == len(entries) == 3
        assert verify(desk, 2).audit_draws == 1
    with forge(tmp_path, lambda _, op: op, secret=False) as copy:
        assert [rule for rule, _ in findings_of(copy)] == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tables": (3,), "players": (1, 2)}, "this seed draws"),
        ({"players": (1,)}, "this seed draws"),
        ({"seed": "ab" * 32}, "does not follow from the event's secret"),
    ],
)
def test_a_forged_draw_is_found(tmp_path, change, said):
    """It has other tables, other players or another seed."""
    first = drawn(tmp_path)[0]
    with forge(tmp_path, lambda seq, op: replace(op, **change) if seq == first else op) as desk:
        assert any(rule == "draw" and said in message for rule, message in findings_of(desk))
        assert any(finding.rule == "draw" for finding in check(desk))


def test_a_draw_of_another_version_stays_open(tmp_path):
    """A draw by another version cannot be checked; one for an earlier round is wrong."""
    first = drawn(tmp_path)[0]
    with forge(tmp_path, lambda seq, op: replace(op, method="x") if seq == first else op) as desk:
        assert findings_of(desk) == []
        assert [rule for rule, _ in findings_of(desk, severity=Severity.UNVERIFIED)] == ["draw"]
    with open_desk(tmp_path) as desk:
        last = draws_in(desk)[-1]
    with forge(
        tmp_path, lambda seq, op: replace(op, round=1) if seq == last else op, name="other.tourney"
    ) as desk:
        assert (
            "draw",
            f"Deck checks of round 1 (entry {last}): the round was not the current round at that time",
        ) in findings_of(desk)


def draws_in(desk):
    return [entry.seq for entry in desk.entries if isinstance(entry.op, ops.AuditDrawn)]


def test_draws_checks_and_penalties_are_on_no_page(tmp_path):
    """They are not on anything that is published."""
    with new_desk(tmp_path, *NAMES, best_of=3) as desk:
        desk.pair_round()
        desk.draw_audit(2)
        desk.record_audit("Ada", clean=False, problems="sixty-one cards")
        desk.penalize("Ben", "warning", infraction="slow play", reason="asked twice")
        pages = render(event_view(desk))
    for content in pages.values():
        for word in (b"sixty-one", b"asked twice", b"slow play", b"warning", b"deck check", b"Deck check"):
            assert word not in content


def test_a_disqualified_player_is_marked_everywhere(tmp_path):
    """Standings, rounds, sheets, tables of data, and the player's page."""
    with new_desk(tmp_path, *NAMES) as desk:
        play(desk)
        desk.pair_round()
        out = desk.state.round.tables[1].seats[0]
        name = desk.state.players[out].name
        desk.disqualify(out, "marked cards")
        view = event_view(desk)
        pages = render(view)
    row = next(row for row in view.standings.rows if row.player == out)
    assert (row.rank, row.note) == (None, "disqualified")
    lists = [
        path
        for path, content in pages.items()
        if name.encode() in content and path.endswith((".html", ".csv", ".md"))
    ]
    assert len(lists) > 8
    unmarked = [deck_list for deck_list in lists if b"isqualified" not in pages[deck_list]]
    others = [f"player/{player}.html" for player in desk.state.players if player != out]
    assert set(unmarked) <= set(others), "only among the matches of those they met"
    assert all(b"marked cards" not in content for content in pages.values())
