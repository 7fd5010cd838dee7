"""The file format: an event with an entry of every kind, its bytes and its state.

`version-1.jsonl` is its export, `version-1.json` the state. After the release both never change, and a new
version adds its own files.
"""

from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from tests.event.pad import Pad, read_score
from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.event import event_document, ops
from tourney.event.entry import NEWER, NOTHING_YET, JournalRow, chain_digest, read, uses, write
from tourney.event.fold import fold
from tourney.event.ops import Kept, NoTable, Proof, Ref
from tourney.event.score import Slip
from tourney.record import PlayerId, Result, Table
from tourney.store.event_file import EventFile
from tourney.store.export import export_lines, read_export

GOLDEN = Path(__file__).with_name("version-1.jsonl")
ONE, TWO, THREE = map(PlayerId, (1, 2, 3))


def every_kind():
    """Return an event with an entry of every kind."""
    pad = Pad(
        rounds=3,
        best_of=3,
        keep_apart={"club": 2},
        choices={"goal": 50},
        sides=("Red", "Blue"),
        beacon="drand round 5123456",
        no_show="drop",
        publish_to="pages",
        slips=False,
    )
    extra = (ops.ExtraPoints(1, ONE, -1),)
    pad.write(ops.EventImported(form="cobra", file="ef" * 32, entries=0, extra_points=extra))
    pad.players(
        "Ada ½",
        "Ben",
        "Cleo",
        rating=1500,
        tags={"club": "Harbour"},
        byes={3: "half-bye"},
        contact="a@example.org",
    )
    vouched = pad.seal("Judge Oake", "by")
    newcomers = (
        ops.Newcomer(
            id=PlayerId(4),
            name=pad.seal("Dov", "name"),
            deck=ops.NewcomersDeck(text=pad.seal("60 Z"), verdict="unverified", cards=pad.seal("{}")),
        ),
        ops.Newcomer(
            id=PlayerId(5), name=pad.seal("Eve", "name"), alias=pad.seal("Ecco", "alias"), minor=True
        ),
        ops.Newcomer(
            id=PlayerId(6),
            name=pad.seal("Eli", "name"),
            deck=ops.NewcomersDeck(text=pad.seal("60 V"), verdict="legal", vouched=vouched),
        ),
    )
    pad.write(ops.PlayerAdded(players=newcomers))
    pad.write(
        ops.EventChanged(
            settings={"minutes": 40, "deck_lock": "2026-10-04T19:30+02:00"}, name=pad.seal("Sunday", "name")
        ),
        ops.PlayerRenamed(player=TWO, name=pad.seal("Benno", "name")),
        ops.PlayerDropped(players=(THREE,), after=0, reason=pad.seal("ill")),
        ops.PlayerReturned(players=(THREE,), since=1),
        ops.PlayerChanged(player=ONE, rating=None, table=3, byes=((2, "absent"), (3, "play"))),
        ops.PlayerChanged(player=TWO, alias=pad.seal("Bee", "alias"), minor=True),
        ops.PlayerCheckedIn(players=(ONE, TWO)),
        ops.DeckSubmitted(player=ONE, text=pad.seal("60 X"), verdict="legal", cards=pad.seal("{}")),
        ops.DeckSubmitted(player=ONE, text=pad.seal("60 W"), verdict="legal", late=True, vouched=vouched),
        ops.DeckWaived(players=(TWO,)),
        ops.DeckShared(
            zone="missions", zone_name="mission deck", text=pad.seal("20 M"), verdict="legal", declared=True
        ),
        ops.DeckShared(
            zone="missions", zone_name="mission deck", text=pad.seal("21 M"), verdict="unverified", late=True
        ),
        ops.PairForced(players=(ONE, TWO), round=1, table=3),
        ops.PairForbidden(players=(TWO, THREE), hard=False),
        ops.BeaconEntered(value="8a9f 21c0"),
        ops.RoundPaired(
            round=1,
            tables=(Table(3, (ONE, TWO)),),
            byes=(NoTable(THREE, "bye"),),
            seed="ab",
            engine="tourney 0.1.0",
            proof=Proof(cost=(0, 1), bound=(0, 0), text="within 1 of the bound"),
            held=True,
        ),
        ops.RoundReleased(round=1),
        ops.RoundStarted(round=1, minutes=40),
        ops.TableExtended(round=1, table=3, minutes=2),
        ops.RoundEdited(round=1, tables=(Table(3, (TWO, ONE)),)),
    )
    pad.result(3, "2-1-1")
    penalty = pad.write(
        ops.ResultChanged(round=1, table=3, result=None),
        ops.PenaltyGiven(player=ONE, level="warning", round=1),
        ops.AuditDrawn(round=1, tables=(3,), players=(TWO, ONE), seed="cd", method="falling weights 1"),
        ops.AuditRecorded(player=TWO, round=1, clean=True),
        ops.PenaltyGiven(
            player=TWO,
            level="game loss",
            round=1,
            infraction="tardiness",
            loss="game",
            reason=pad.seal("bus"),
        ),
    )
    pad.write(
        ops.PenaltyUpgraded(
            player=TWO,
            entry=penalty,
            old_level="game loss",
            level="match loss",
            loss="match",
            reason=pad.seal("again"),
        ),
        ops.RoundCancelled(round=1),
    )
    pad.undo(pad.last)
    pad.result(3, "id", reason=pad.seal("both were late"))
    pad.undo(pad.last)
    result = read_score(Slip(table=3, seats=(TWO, ONE), best_of=3), "2-0", "20,12")
    conceded, decked = (msgspec.structs.replace(result, ended=word) for word in ("concession", "deck"))
    pad.write(
        ops.ResultReported(round=1, results={3: conceded}),
        ops.ResultChanged(round=1, table=3, result=decked),
        ops.ResultChanged(round=1, table=3, result=decked, reason=pad.seal("the slip was torn"), noted=True),
        ops.EventRebased(
            on="2026-11-01", rules=(Kept(kind="banlist", name="l", text=Ref("b"), day="2026-10-01"),)
        ),
        ops.PlayerDisqualified(player=THREE, after=1),
        ops.CutMade(players=(TWO, ONE), after=1, kind="double", vacancy="highest-seed", lot=True),
        ops.RoundPaired(
            round=2,
            tables=(Table(1, (TWO, ONE)),),
            stage="cut",
            system="elimination",
            labels=("Final",),
            held=True,
        ),
    )
    write_claims(pad)
    agreed = ops.DeckAgreed(
        round=2,
        players=(ONE, TWO),
        zone="layout",
        zone_name="red line",
        text=pad.seal("5 L"),
        verdict="legal",
    )
    changed = msgspec.structs.replace(agreed, cards=pad.seal("{}"), verdict="unverified", declared=True)
    pad.write(
        agreed,
        changed,
        ops.PlayerErased(player=THREE, texts=(Ref("c"),)),
        ops.EventClosed(secret="ab" * 32),
        ops.EventReopened(),
        ops.CutMade(players=(TWO, ONE, THREE), after=1, seats=3, lot=True),
    )
    return pad


def write_claims(pad):
    """Write claims of the final with every answer, a result from a claim, and judge calls."""
    phone = pad.seal("device 5, bound 14:05", "device")
    won, lost = (read_score(Slip(table=1, seats=(TWO, ONE), best_of=3), score) for score in ("2-0", "1-2"))
    final = {"round": 2, "table": 1}
    conceded = msgspec.structs.replace(lost, ended="concession")
    claim = pad.write(ops.ResultClaimed(**final, result=conceded, player=TWO, device=phone, key="k-1"))
    claim = pad.write(ops.ResultClaimed(**final, result=won, player=TWO, replaces=claim, device=phone))
    pad.write(
        ops.ResultConfirmed(table=1, claim=claim, player=ONE, device=phone, key="k-2"),
        ops.ResultReported(round=2, results={1: won}, claim=claim),
        ops.ResultChanged(**final, result=None),
    )
    claim = pad.write(ops.ResultClaimed(**final, result=won, player=ONE))
    call = pad.write(
        ops.ResultConfirmed(table=1, claim=claim),
        ops.ResultReported(round=2, results={1: won}, claim=claim),
        ops.ResultChanged(**final, result=None),
        ops.JudgeCalled(**final, player=ONE, reason=pad.seal("who won"), device=phone, key="k-3"),
    )
    claim = pad.write(
        ops.JudgeAnswered(call=call),
        ops.JudgeCalled(**final, player=TWO),
        ops.PlayerDropped(players=(ONE,), after=2, by_player=True),
        ops.ResultClaimed(**final, result=won, player=TWO),
    )
    pad.write(
        ops.ResultDisputed(
            table=1,
            claim=claim,
            player=ONE,
            result=msgspec.structs.replace(lost, ended="deck"),
            reason=pad.seal("the third game was mine"),
            device=phone,
            key="k-4",
        )
    )


def golden_rows():
    with GOLDEN.open("rb") as file:
        return read_export(file, source=GOLDEN.name)


def folded(exported):
    texts = {ref: None if content is None else content.decode() for ref, _, content in exported.texts}
    return fold(read(exported.rows), texts)


def test_the_golden_event_exists(request, tmp_path):
    """`--update` writes it until the format is released."""
    if request.config.getoption("--update"):
        pad = every_kind()
        rows = [(entry.seq, entry.at, entry.by, entry.op) for entry in pad.entries]
        with EventFile.create(tmp_path / "e.tourney", written(rows), pad.seal.texts, b"secret") as journal:
            GOLDEN.write_bytes(b"\n".join(export_lines(journal, with_secret=True)) + b"\n")
        GOLDEN.with_suffix(".json").write_bytes(as_json(folded(golden_rows())))
    assert GOLDEN.exists()


def as_json(state):
    return (
        msgspec.json.format(
            msgspec.json.encode(
                msgspec.to_builtins(event_document.event_document(state, at=None), str_keys=True)
            )
        )
        + b"\n"
    )


def written(rows):
    made, digest = [], NOTHING_YET
    for seq, at, by, op in rows:
        made.append(write(op, seq=seq, at=at, by=by, previous=digest))
        digest = made[-1].digest
    return made


def test_the_golden_event_folds_to_the_same_state():
    """Chain, kinds, fields and defaults are as they were written."""
    assert as_json(folded(golden_rows())) == GOLDEN.with_suffix(".json").read_bytes()


def test_the_golden_event_has_every_kind_of_entry():
    """So no kind can change unnoticed."""
    kinds = {type(entry.op) for entry in read(golden_rows().rows)}
    assert kinds == set(ops.AnyOp.__args__), "add an entry of the new kind to `every_kind`, then --update"


def test_the_same_ops_are_written_as_the_same_bytes():
    """In every Python version; defaults are not written."""
    rows = written([(entry.seq, entry.at, entry.by, entry.op) for entry in every_kind().entries])
    assert [(row.op, row.digest) for row in golden_rows().rows] == [(row.op, row.digest) for row in rows]


@with_rows("settings", [{"coffee_breaks": 3}, {"best_of": "many"}, {"late": "a-new-word"}])
def test_settings_of_a_newer_version_are_not_damage(settings):
    """Neither in the first entry nor in a change."""
    created = every_kind().entries[0].op
    for op in (msgspec.structs.replace(created, settings=settings), ops.EventChanged(settings=settings)):
        raw = msgspec.json.encode(op)
        at = "2026-10-04T10:01:00+02:00"
        row = JournalRow(1, at, "0" * 64, raw, chain_digest(NOTHING_YET, 1, at, "0" * 64, raw))
        with pytest.raises(
            TourneyError, match="contains something that this tourney does not know"
        ) as refusal:
            read([row])
        assert refusal.value.hint == NEWER
        with pytest.raises(TourneyError):
            write(op, seq=1, at=at, by="0" * 64, previous=NOTHING_YET)


def test_an_entry_of_a_pre_release_is_refused():
    """Before the release, kinds had a version: `event.created/1`."""
    row = golden_rows().rows[0]
    old = row._replace(op=row.op.replace(b'"event.created"', b'"event.created/1"'))
    old = old._replace(digest=chain_digest(NOTHING_YET, old.seq, old.at, old.by, old.op))
    with pytest.raises(TourneyError, match="the event was written by a pre-release of tourney"):
        read([old])


@with_rows("kind", sorted(get_args(ops.AnyOp), key=lambda kind: kind.__name__))
def test_uses_lists_every_text_of_an_op(kind):
    """Texts that `uses` does not list are not kept, so each field with a ref must be in it."""
    made = iter(range(10**6))
    refs = set()

    def sample(wanted):
        if wanted is Ref:
            refs.add(ref := Ref(f"{next(made):064x}"))
            return ref
        if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
            # The names of addresses must have their form, and are not texts.
            return wanted(
                **{name: () if name == "post_to" else sample(hint) for name, hint in hints(wanted).items()}
            )
        if get_origin(wanted) is tuple:
            inner = [get_arg for get_arg in get_args(wanted) if get_arg is not ...]
            return tuple(map(sample, inner))
        if get_origin(wanted) in (Union, UnionType):
            return sample(
                next(
                    get_arg for get_arg in get_args(wanted) if get_arg not in (type(None), msgspec.UnsetType)
                )
            )
        if get_origin(wanted) is Literal:
            return get_args(wanted)[0]
        if get_origin(wanted) is dict or wanted is dict:
            return {}
        if wanted is Result:
            return None
        if isinstance(wanted, type) and issubclass(wanted, Enum):
            return next(iter(wanted))
        plain = getattr(wanted, "__supertype__", wanted)
        return {int: 2, str: "", bool: True}[plain]

    def hints(struct):
        told = get_type_hints(struct)
        return {name: told[name] for name in struct.__struct_fields__}

    op = sample(kind)
    kept = set() if kind is ops.PlayerErased else refs  # which names what it deletes
    assert {use.ref for use in uses(op)} == kept
