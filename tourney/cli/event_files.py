"""`tourney event check`, `export`, `import`, `backup`, `salvage`: the event as a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import command
from tourney.cli.exits import Exit, answering
from tourney.cli.findings import say_findings
from tourney.cli.session import Session
from tourney.event.story import MOST_NAMED, listed_short
from tourney.event.words import listed
from tourney.finding import Finding, Severity

if TYPE_CHECKING:
    from tourney.event.state import State
    from tourney.store.salvage import Salvaged

MOST_READ = 20
"""How many entries that cannot be saved are told one by one."""


@command("check", event=True, examples=["tourney event check"])
def check(session: Session) -> Exit | None:
    """Look at the whole file: database, entries and what they mean, every text, every rule, the secret, seeds and recorded costs.

    Leaves with 1 where something is not as it was written or contradicts itself, with 4 where this copy cannot settle
    it (a sealed secret). `tourney verify` pairs every round anew besides.
    """
    findings, state = _examined(session)
    wrong = [each for each in findings if each.severity is not Severity.UNVERIFIED]
    unsettled = [each for each in findings if each.severity is Severity.UNVERIFIED]
    if session.json:
        at = {"entry": state.entry, "digest": state.digest} if state else {"entry": None, "digest": None}
        session.emit("event-check/1", {**at, "findings": findings})
    else:
        if wrong or state is None:
            say_findings(session, wrong)
        else:
            rest = ", as far as this copy can tell" if unsettled else ""
            session.say(
                f"{session.event_path.name}: all is well up to entry {state.entry} ({state.digest}){rest}"
            )
        for each in unsettled:
            session.say(f"not to be settled: {each.message}")
    return Exit.FOUND if wrong else Exit.UNVERIFIED if unsettled else None


def _examined(session: Session) -> tuple[tuple[Finding, ...], State | None]:
    """Return what is found, and the event; None where an entry cannot be read or has no meaning."""
    from tourney.event.entry import EntryError

    try:
        with session.desk() as desk:
            return desk.check(), desk.state
    except EntryError as fault:
        from tourney.desk.examining import examine_unread

        return tuple(examine_unread(session.event_path, fault)), None


@command("export", event=True, examples=["tourney event export", "tourney event export archive/ --replace"])
@click.argument("folder", type=click.Path(), default=".")
@click.option("--replace", is_flag=True, help="Write over an earlier export.")
def export(session: Session, folder: str, replace: bool) -> None:
    """Write the event as text: EVENT.jsonl (everything, an entry a line) and EVENT.toml (for people).

    `event import` makes the identical event from the first. Both hold names and decklists.
    """
    with session.desk() as desk:
        written = desk.export(Path(folder), replace=replace)
    with answering(f"wrote {listed(written)}"):
        if session.json:
            session.emit("event-export/1", {"files": written})
        for path in () if session.json else written:
            session.changed(f"wrote {path}")


@command(
    "import",
    examples=["tourney event import friday.jsonl", "tourney event import friday.jsonl --file copy.tourney"],
)
@click.argument("file", type=click.Path())
@click.option("--file", "target", metavar="FILE", help="The event's file; else named as the export.")
def import_(session: Session, file: str, target: str | None) -> None:
    """Make the event file of an exported event: the same entries, texts and digests."""
    from tourney.desk import Desk

    source = Path(file)
    path = Path(target) if target else Path(f"{source.stem}.tourney")
    desk = Desk.import_(
        source, path, by=session.by, clock=session.now, randomness=session.entropy, library=session.library()
    )
    with desk:
        state = desk.state
    done = f"{state.name}: {state.entry} entries read into {path} ({state.digest})"
    with answering(done):
        if session.json:
            session.emit("event-import/1", {"file": path, "entry": state.entry, "digest": state.digest})
        else:
            session.changed(done)


@command("backup", event=True, examples=["tourney event backup", "tourney event backup --list"])
@click.option("--list", "only_list", is_flag=True, help="Only name the copies there are, newest first.")
def backup(session: Session, only_list: bool) -> None:
    """Copy the event, whole and consistent, to .tourney-backups/ beside it.

    A copy is an event file: open it with `-e`, or copy it back in place of the other. `round pair` makes one at each
    round's start and keeps the newest 20 of those; the ones that are asked for here are never removed.
    """
    with session.desk() as desk:
        made = desk.backups() if only_list else (desk.backup(),)
    with nullcontext() if only_list else answering(f"copied to {made[0]}"):
        if session.json:
            session.emit("event-backup/1", {"files": made})
        elif only_list:
            session.say("\n".join(map(str, made)) or "no copies yet: `tourney event backup` makes one")
        else:
            session.changed(f"copied to {made[0]}")


@command(
    "salvage",
    event=True,
    examples=["tourney event salvage", "tourney event salvage -e friday --to saved.tourney"],
)
@click.option("--to", "target", metavar="FILE", help="The new event's file; else EVENT-salvaged.tourney.")
def salvage(session: Session, target: str | None) -> Exit | None:
    """Make an event of all that is intact in a damaged one, and say what is missing.

    Taken are the entries up to the last whole one, and the texts that fit; what the file has lost is looked for in
    .tourney-backups/. The damaged file is only read. Leaves with 1 where something is missing.
    """
    from tourney.desk import Desk

    path = session.event_path
    to = Path(target) if target else path.parent / f"{path.stem}-salvaged.tourney"
    saved = Desk.salvage(path, to, library=session.library())
    number = f"{saved.entry} of {saved.written}" if (saved.written or 0) > saved.entry else f"{saved.entry}"
    done = f"{saved.path}: {number} entries ({saved.digest})"
    with answering(done):
        if session.json:
            session.emit("event-salvage/1", {"file": saved.path, **_as_json(saved)})
        else:
            session.changed("\n".join([done, *_saved_lines(saved)]))
            session.talk(f"`tourney event check -e {saved.path}`, then go on in it; {path.name} is as it was")
    return None if saved.complete else Exit.FOUND


def _as_json(saved: Salvaged) -> dict[str, Any]:
    return {
        "entry": saved.entry,
        "digest": saved.digest,
        "written": saved.written,
        "complete": saved.complete,
        "missing": [{"what": what, "command": command or None} for what, command in saved.missing],
        "unplaced": [{"entry": entry, "text": text} for entry, text in saved.unplaced],
        "found": [{"what": what, "where": where} for what, where in saved.again],
    }


def _saved_lines(saved: Salvaged) -> Iterator[str]:
    """Say what is missing, what later entries said, and what was damaged and is there all the same."""
    for what, anew in saved.missing:
        yield f"missing: {what}" + (f"; `{anew}`" if anew else "")
    for entry, text in saved.unplaced[:MOST_READ]:
        yield f"  entry {entry} reads: {text}"
    if len(saved.unplaced) > MOST_READ:
        yield f"  {len(saved.unplaced) - MOST_READ} more can be read: `--json` has them"
    by_place: dict[str, list[str]] = {}
    for what, where in saved.again:
        by_place.setdefault(where, []).append(what)
    for where, things in by_place.items():
        yield f"mended: {listed_short(things) if len(things) > MOST_NAMED else listed(things)} ({where})"
