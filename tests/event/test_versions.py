"""Events written by every released version are read for ever, to the same state.

`versions/<n>.jsonl` is an export with at least one entry of every kind that version n could write; `versions/<n>.txt`
is the state digest it must fold to. Neither file is ever changed: a new version adds its own. `--update` writes the
files of a version that has none yet.
"""

from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from tests.event.pad import Pad
from tourney.event import ops
from tourney.event.entry import read, uses
from tourney.event.fold import fold
from tourney.event.ops import Kept, NoTable, Proof, Ref, Seating
from tourney.event.score import Slip, read_score
from tourney.event.state import state_digest
from tourney.record import PlayerId, Result
from tourney.store.event_file import EventFile
from tourney.store.export import export_lines, read_export

FOLDER = Path(__file__).with_name("versions")
NEWEST = 19
ONE, TWO, THREE = map(PlayerId, (1, 2, 3))


def every_kind(version=NEWEST):
    """Return an event with an entry of every kind that `version` could write, as this program writes it."""
    named = {"beacon": "drand round 5123456"} if version >= 3 else {}
    named |= {"no_show": "drop", "publish_to": "pages", "slips": False} if version >= 5 else {}
    locked = {"deck_lock": "2026-10-04T19:30+02:00"} if version >= 5 else {}
    held = {"held": True} if version >= 5 else {}
    pad = Pad(
        rounds=3, best_of=3, keep_apart={"club": 2}, choices={"goal": 50}, sides=("Red", "Blue"), **named
    )
    if version >= 9:
        extra = {"extra_points": (ops.ExtraPoints(1, ONE, -1),)} if version >= 18 else {}
        pad.write(ops.EventImported(form="cobra", file="ef" * 32, entries=0, **extra))
    pad.players(
        "Ada ½",
        "Ben",
        "Cleo",
        rating=1500,
        tags={"club": "Harbour"},
        byes={3: "half-bye"},
        contact="a@example.org",
    )
    if version >= 8:
        deck = ops.NewcomersDeck(text=pad.seal("60 Z"), verdict="unverified", cards=pad.seal("{}"))
        newcomer = ops.Newcomer(id=PlayerId(4), name=pad.seal("Dov", "name"), deck=deck)
        pad.write(ops.PlayerAdded(players=(newcomer,)))
    if version >= 11:
        alias = pad.seal("Ecco", "alias")
        newcomer = ops.Newcomer(id=PlayerId(5), name=pad.seal("Eve", "name"), alias=alias, minor=True)
        pad.write(ops.PlayerAdded(players=(newcomer,)))
    if version >= 14:
        vouched = pad.seal("Judge Oake", "by")
        deck = ops.NewcomersDeck(text=pad.seal("60 V"), verdict="legal", vouched=vouched)
        newcomer = ops.Newcomer(id=PlayerId(6), name=pad.seal("Eli", "name"), deck=deck)
        pad.write(
            ops.PlayerAdded(players=(newcomer,)),
            ops.DeckVouched(player=ONE, text=pad.seal("60 W"), verdict="legal", late=True, vouched=vouched),
        )
    pad.write(
        ops.EventChanged(settings={"minutes": 40, **locked}, name=pad.seal("Sunday", "name")),
        ops.PlayerRenamed(player=TWO, name=pad.seal("Benno", "name")),
        ops.PlayerDropped(players=(THREE,), after=0, reason=pad.seal("ill")),
        ops.PlayerReturned(players=(THREE,), since=1),
        ops.PlayerChanged(player=ONE, rating=None, table=3, byes=((2, "absent"), (3, "play"))),
        *(
            [ops.PlayerChanged(player=TWO, alias=pad.seal("Bee", "alias"), minor=True)]
            if version >= 11
            else []
        ),
        ops.PlayerCheckedIn(players=(ONE, TWO)),
        ops.DeckSubmitted(player=ONE, text=pad.seal("60 X"), verdict="legal", cards=pad.seal("{}")),
        *(
            [ops.DeckSubmitted(player=ONE, text=pad.seal("60 Y"), verdict="legal", late=True)]
            if locked
            else []
        ),
        ops.DeckWaived(players=(TWO,)),
        *(
            [
                ops.DeckShared(
                    part="missions",
                    called="mission deck",
                    text=pad.seal("20 M"),
                    verdict="legal",
                    declared=True,
                ),
                ops.DeckShared(
                    part="missions",
                    called="mission deck",
                    text=pad.seal("21 M"),
                    verdict="unverified",
                    late=True,
                ),
            ]
            if version >= 13
            else []
        ),
        ops.PairForced(players=(ONE, TWO), round=1, table=3),
        ops.PairForbidden(players=(TWO, THREE), hard=False),
        *([ops.BeaconEntered(value="8a9f 21c0")] if version >= 3 else []),
        ops.RoundPaired(
            round=1,
            tables=(Seating(3, (ONE, TWO)),),
            byes=(NoTable(THREE, "bye"),),
            seed="ab",
            engine="tourney 0.1.0",
            proof=Proof(cost=(0, 1), bound=(0, 0), text="within 1 of the bound"),
            **held,
        ),
        *([ops.RoundReleased(round=1)] if held else []),
        ops.RoundStarted(round=1, minutes=40),
        ops.TableExtended(round=1, table=3, minutes=2),
        ops.RoundEdited(round=1, tables=(Seating(3, (TWO, ONE)),)),
    )
    pad.result(3, "2-1-1")
    pad.write(
        ops.ResultChanged(round=1, table=3, result=None),
        ops.PenaltyGiven(player=ONE, kind="warning", round=1),
        *(
            [
                ops.PenaltyRuled(
                    player=TWO,
                    level="game loss",
                    round=1,
                    infraction="tardiness",
                    loss="game",
                    reason=pad.seal("bus"),
                ),
                ops.AuditDrawn(
                    round=1, tables=(3,), players=(TWO, ONE), seed="cd", method="falling weights 1"
                ),
            ]
            if version >= 6
            else []
        ),
        ops.AuditRecorded(player=TWO, round=1, clean=True),
        ops.RoundCancelled(round=1),
    )
    pad.undo(pad.last)
    if version >= 15:
        ruled = next(each.seq for each in pad.entries if isinstance(each.op, ops.PenaltyRuled))
        pad.write(
            ops.PenaltyUpgraded(
                player=TWO,
                entry=ruled,
                was="game loss",
                level="match loss",
                loss="match",
                reason=pad.seal("again"),
            )
        )
    pad.result(3, "id", reason=pad.seal("both were late") if version >= 7 else None)
    if version >= 10:
        pad.undo(pad.last)
        ended = read_score(Slip(table=3, seats=(TWO, ONE), best_of=3), "2-0", "20,12")
        pad.write(
            ops.ResultReported(round=1, results=(ended,), ended=((3, "concession"),)),
            ops.ResultChanged(round=1, table=3, result=ended, ended="deck"),
        )
    if version >= 16:
        noted = pad.seal("the slip was torn")
        pad.write(ops.ResultChanged(round=1, table=3, result=ended, reason=noted, ended="deck", noted=True))
    pad.write(
        ops.EventRebased(
            on="2026-11-01", rules=(Kept(kind="banlist", name="l", text=Ref("b"), day="2026-10-01"),)
        ),
        ops.PlayerDisqualified(player=THREE, after=1),
        ops.CutMade(
            players=(TWO, ONE),
            after=1,
            kind="double",
            vacancy="highest-seed",
            lot=True if version >= 4 else None,
        ),
        ops.RoundPaired(
            round=2,
            tables=(Seating(1, (TWO, ONE)),),
            stage="cut",
            system="elimination",
            labels=("Final",),
            **held,
        ),
    )
    if version >= 17:
        said_by_players(pad)
    if version >= 19:
        agreed = ops.DeckAgreed(
            round=2,
            players=(ONE, TWO),
            part="layout",
            called="red line",
            text=pad.seal("5 L"),
            verdict="legal",
        )
        changed = msgspec.structs.replace(agreed, cards=pad.seal("{}"), verdict="unverified", declared=True)
        pad.write(agreed, changed)
    pad.write(
        ops.PlayerBlanked(player=THREE),
        *([ops.PlayerErased(player=THREE, texts=(Ref("c"),))] if version >= 2 else []),
        ops.EventClosed(secret="ab" * 32),
        ops.EventReopened(),
        *([ops.TableCutMade(players=(TWO, ONE, THREE), after=1, seats=3, lot=True)] if version >= 12 else []),
    )
    return pad


def said_by_players(pad):
    """Write claims of the final with every answer, the result entered from one, and calls for a judge; some of it stands."""
    phone = pad.seal("device 5, bound 14:05", "device")
    won, lost = (read_score(Slip(table=1, seats=(TWO, ONE), best_of=3), score) for score in ("2-0", "1-2"))
    claim = pad.write(
        ops.ResultClaimed(round=2, result=lost, player=TWO, ended="concession", device=phone, key="k-1")
    )
    claim = pad.write(ops.ResultClaimed(round=2, result=won, player=TWO, replaces=claim, device=phone))
    pad.write(
        ops.ResultConfirmed(claim=claim, player=ONE, device=phone, key="k-2"),
        ops.ResultReported(round=2, results=(won,), claim=claim),
        ops.ResultChanged(round=2, table=1, result=None),
    )
    claim = pad.write(ops.ResultClaimed(round=2, result=won, player=ONE))
    call = pad.write(
        ops.ResultConfirmed(claim=claim),
        ops.ResultReported(round=2, results=(won,), claim=claim),
        ops.ResultChanged(round=2, table=1, result=None),
        ops.JudgeCalled(round=2, table=1, player=ONE, about=pad.seal("who won"), device=phone, key="k-3"),
    )
    claim = pad.write(
        ops.JudgeAnswered(call=call),
        ops.JudgeCalled(round=2, table=1, player=TWO),
        ops.PlayerDropped(players=(ONE,), after=2, own=True),
        ops.ResultClaimed(round=2, result=won, player=TWO),
    )
    pad.write(
        ops.ResultDisputed(
            claim=claim,
            player=ONE,
            result=lost,
            ended="deck",
            reason=pad.seal("the third game was mine"),
            device=phone,
            key="k-4",
        )
    )


def rows_of(version):
    with (FOLDER / f"{version}.jsonl").open("rb") as file:
        return read_export(file, source=f"{version}.jsonl")


def folded(exported):
    texts = {ref: None if content is None else content.decode() for ref, _, content in exported.texts}
    return fold(read(exported.rows), texts)


def test_the_event_of_this_version_is_there(request, tmp_path):
    """Written once with `--update`, then never again."""
    path = FOLDER / f"{NEWEST}.jsonl"
    if request.config.getoption("--update") and not path.exists():
        pad = every_kind()
        rows = [(each.seq, each.at, each.by, each.op) for each in pad.entries]
        with EventFile.create(tmp_path / "e.tourney", written(rows), pad.seal.texts, b"secret") as journal:
            path.write_bytes(b"\n".join(export_lines(journal, with_secret=True)) + b"\n")
        path.with_suffix(".txt").write_text(state_digest(pad.state) + "\n", encoding="utf-8")
    assert path.exists()


def written(rows):
    from tourney.event.entry import NOTHING_YET, write

    made, digest = [], NOTHING_YET
    for seq, at, by, op in rows:
        made.append(write(op, seq=seq, at=at, by=by, previous=digest))
        digest = made[-1].digest
    return made


@pytest.mark.parametrize("version", range(1, NEWEST + 1))
def test_what_an_older_version_wrote_is_read_to_the_same_state(version):
    """Chain, kinds, fields, defaults: all as they were on the day it was released."""
    assert (
        state_digest(folded(rows_of(version)))
        == (FOLDER / f"{version}.txt").read_text(encoding="utf-8").strip()
    )


def test_the_event_holds_every_kind_of_entry():
    """No kind can change unnoticed."""
    kinds = {type(entry.op) for entry in read(rows_of(NEWEST).rows)}
    assert kinds == set(ops.AnyOp.__args__), (
        f"a new kind or form of entry makes a new version: NEWEST = {NEWEST + 1}, an entry of it in `every_kind`"
        f" under `if version >= {NEWEST + 1}`, then `pytest tests/event/test_versions.py --update`"
    )


@pytest.mark.parametrize("version", range(1, NEWEST + 1))
def test_this_version_still_writes_the_same_bytes(version):
    """Equal ops are equal bytes and equal digests, in every Python and every later version: what is absent is not written."""
    entries = every_kind(version).entries
    assert [(row.op, row.digest) for row in rows_of(version).rows] == [
        (row.op, row.digest) for row in written([(each.seq, each.at, each.by, each.op) for each in entries])
    ]


@pytest.mark.parametrize("kind", sorted(get_args(ops.AnyOp), key=lambda kind: kind.__name__))
def test_every_text_of_an_op_is_one_of_its_uses(kind):
    """What `uses` does not know is never kept: each field that holds a ref, by its annotation, is told of."""
    made = iter(range(10**6))
    refs = set()

    def sample(wanted):
        if wanted is Ref:
            refs.add(ref := Ref(f"{next(made):064x}"))
            return ref
        if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
            # The names of addresses are held to their form, and are no texts.
            return wanted(
                **{name: () if name == "post_to" else sample(hint) for name, hint in hints(wanted).items()}
            )
        if get_origin(wanted) is tuple:
            inner = [each for each in get_args(wanted) if each is not ...]
            return tuple(map(sample, inner))
        if get_origin(wanted) in (Union, UnionType):
            return sample(
                next(each for each in get_args(wanted) if each not in (type(None), msgspec.UnsetType))
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
