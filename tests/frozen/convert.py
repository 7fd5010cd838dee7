"""Convert a journal of the pre-release to the final format.

This serves the comparison with the frozen answers, and is deleted with them at the end of the rebuild.
"""

from __future__ import annotations

import json

import msgspec

from tourney.event import ops
from tourney.event.entry import NOTHING_YET, write

TAGS = {"player.blanked": "player.erased"}
NAMES = {
    "player.dropped": {"lifted": "cancelled", "own": "by_player"},
    "player.disqualified": {"lifted": "cancelled"},
    "player.checked-in": {"own": "by_player"},
    "deck.shared": {"part": "zone", "called": "zone_name"},
    "deck.agreed": {"part": "zone", "called": "zone_name"},
    "judge.called": {"about": "reason"},
    "penalty.upgraded": {"was": "old_level"},
    "audit.recorded": {"found": "remark"},
}
"""Fields of entries that have another name, by the kind of entry."""


def converted(journal: bytes) -> bytes:
    """Return the export `journal` with each entry in the final format, and with new digests."""
    lines = [json.loads(line) for line in journal.splitlines()]
    tables: dict[int, int] = {}  # entry of a claim -> its table
    digest = NOTHING_YET
    for line in lines:
        if "entry" in line:
            _convert(line["op"], tables, line["entry"])
            op = msgspec.json.decode(json.dumps(line["op"]), type=ops.AnyOp)
            row = write(op, seq=line["entry"], at=line["at"], by=line["by"], previous=digest)
            line["op"], line["digest"] = json.loads(row.op), row.digest
            digest = row.digest
    lines[0]["digest"] = digest
    # Without spaces, as digests are of the bytes of an entry.
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def _convert(op: dict, tables: dict[int, int], entry: int) -> None:
    tag = op["op"].partition("/")[0]
    op["op"] = TAGS.get(tag, tag)
    if tag == "result.reported":
        ended = dict(op.pop("ended", ()))
        op["results"] = {
            str(result[0]): _result(result, ended.get(result[0], "")) for result in op["results"]
        }
    elif tag == "result.changed" and op["result"]:
        op["result"] = _result(op["result"], op.pop("ended", ""))
    elif tag == "result.claimed":
        op["table"] = tables[entry] = op["result"][0]
        op["result"] = _result(op["result"], op.pop("ended", ""))
    elif tag == "result.confirmed":
        op["table"] = tables[op["claim"]]
    elif tag == "result.disputed":
        op["table"] = tables[op["claim"]]
        if op.get("result"):
            op["result"] = _result(op["result"], op.pop("ended", ""))
    elif tag == "penalty.given" and "kind" in op:
        op["level"] = op.pop("kind")
    for old, new in NAMES.get(tag, {}).items():
        if old in op:
            op[new] = op.pop(old)
    if tag in {"round.paired", "round.edited"}:
        op["tables"] = [[*table, None] for table in op["tables"]]


def _result(result: list, ended: str) -> list:
    """Return a result from `[table, seats, drawn games, note]` and the word beside it."""
    _, seats, *rest = result
    drawn, note = [*rest, 0, ""][:2] if rest else (0, "")
    return [seats, drawn, ended or note]
