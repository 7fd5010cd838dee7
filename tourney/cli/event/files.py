"""`tourney event check`, `backup`, `salvage`, `export`, `import`: the event as a file; `tables`: what it needs in a database."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click
from click.shell_completion import CompletionItem

from tourney.cli.answers import announce_dry_run, answering, show_findings
from tourney.cli.command import command
from tourney.cli.exits import Exit, already_written
from tourney.cli.options import events, format_option, profile_option
from tourney.cli.session import Session, event_place, source_of
from tourney.desk import Desk
from tourney.errors import Finding, Severity, TourneyError
from tourney.event.entry import EntryError
from tourney.event.state import Round, State
from tourney.store.backup import copy_event, place_to_try
from tourney.store.journal import EventPlace
from tourney.store.places import Named, in_database, list_events, place_of, table_script
from tourney.wording import counted, listed, listed_short

if TYPE_CHECKING:
    from tourney.desk.takeover import Takeover
    from tourney.store.salvage import Salvaged


def file_name(name: str) -> Path:
    """Return a file name for an event's name.

    >>> file_name("Friday  Diamonds, März").name
    'friday-diamonds-märz.tourney'
    """
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", name).casefold())
    if not words:
        raise TourneyError(f"no file can be named after `{name}`", "name it: `--file friday.tourney`")
    return Path("-".join(words)[:80] + ".tourney")


file_option = click.option(
    "--file",
    "-e",
    "file",
    metavar="EVENT",
    help="The event's file, or its name in a database; by default a file here, named after the event.",
)


def new_place(given: str | None, name: str) -> EventPlace:
    """Return where a new event is to lie. given: the word for it, where there is one; `pg:` names it after the event, too."""
    if given is None:
        return place_of(file_name(name))
    if given.lower() == "pg:":
        given += file_name(name).stem
    return place_of(given)


# -- tourney event check, backup, salvage: whether the file is whole, a copy of it, and what can be saved of a damaged one


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
            show_findings(session, wrong)
        else:
            rest = ", as far as this copy can tell" if unsettled else ""
            session.say(f"{session.place.name}: all is well up to entry {state.entry} ({state.digest}){rest}")
        for each in unsettled:
            session.say(f"not to be settled: {each.message}")
    return Exit.FOUND if wrong else Exit.UNVERIFIED if unsettled else None


def _examined(session: Session) -> tuple[tuple[Finding, ...], State | None]:
    """Return the findings and the event; None if an entry cannot be read or has no meaning."""
    try:
        with session.desk() as desk:
            return desk.check(), desk.state
    except EntryError as fault:
        from tourney.desk.verifying import examine_unread

        return tuple(examine_unread(session.place, fault)), None


@command("backup", event=True, examples=["tourney event backup", "tourney event backup --list"])
@click.option("--list", "only_list", is_flag=True, help="Only name the copies there are, newest first.")
def backup(session: Session, only_list: bool) -> None:
    """Copy the event, whole and consistent, to .tourney-backups/ beside it.

    A copy is an event file: open it with `-e`, or copy it back in place of the other. `round next` makes one at each
    round's start and keeps the newest 20 of those; the ones that are asked for here are never removed.
    """
    with session.desk() as desk:
        made = desk.backups() if only_list else (desk.backup(),)
    with nullcontext() if only_list else already_written(f"copied to {made[0]}"):
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
    """Make a new event from the intact parts of a damaged one, and name what is missing.

    Entries are kept up to the first damaged one. What the file has lost is taken from .tourney-backups/ if it is there.
    The damaged event is only read; the new one is always a file. Exits with 1 if anything is missing.
    """
    place = session.place
    to = Path(target) if target else (place.file or Path()).parent / f"{place.stem}-salvaged.tourney"
    saved = Desk.salvage(place, to, library=session.library)
    number = f"{saved.entry} of {saved.written}" if (saved.written or 0) > saved.entry else f"{saved.entry}"
    done = f"{saved.path}: {number} entries ({saved.digest})"
    with already_written(done):
        if session.json:
            session.emit("event-salvage/1", {"file": saved.path, **_salvage_json(saved)})
        else:
            session.changed("\n".join([done, *_saved_lines(saved)]))
            session.talk(
                f"`tourney event check -e {saved.path}`, then go on in it; {place.name} is as it was"
            )
            if saved.backup:
                restored = to.with_name(f"{place.stem}-restored.tourney")
                session.talk(f"or go back to the last backup: `tourney event copy {saved.backup} {restored}`")
    return None if saved.complete else Exit.FOUND


def _salvage_json(saved: Salvaged) -> dict[str, Any]:
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
    """Return what is missing, how later entries read, and what was found elsewhere."""
    for what, anew in saved.missing:
        yield f"missing: {what}" + (f"; `{anew}`" if anew else "")
    for entry, text in saved.unplaced[:_MOST_READ]:
        yield f"  entry {entry} reads: {text}"
    if len(saved.unplaced) > _MOST_READ:
        yield f"  {len(saved.unplaced) - _MOST_READ} more can be read: `--json` has them"
    by_place: dict[str, list[str]] = {}
    for what, where in saved.again:
        by_place.setdefault(where, []).append(what)
    for where, things in by_place.items():
        yield f"restored: {listed_short(things)} {where}"


_MOST_READ = 20
"""How many entries that cannot be saved are told one by one."""


# -- tourney event list and copy: which events there are, in a folder or a database, and from one to the other


def _events_in(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return (
        [CompletionItem("pg:")] if "pg:".startswith(incomplete) else [CompletionItem(incomplete, type="dir")]
    )


@command("list", examples=["tourney event list", "tourney event list -e pg:"])
@click.option(
    "-e",
    "--event",
    "where",
    metavar="DIR|pg:",
    shell_complete=_events_in,
    help="Another folder, or a database (`pg:NAME`: that event alone); else that of $TOURNEY_EVENT where it names one, else this folder.",
)
def list_(session: Session, where: str | None) -> None:
    """Name the events in this folder, or in a database, with their number of entries and when the last was written."""
    named = os.environ.get("TOURNEY_EVENT", "")
    asked, where = where, where or (named if in_database(named) else ".")
    events = list_events(where, all_of_database=not asked)
    before = "pg:" if where.lower().startswith("pg:") else ""
    if session.json:
        session.emit(
            "events/1",
            {
                "events": [
                    {
                        "event": f"{before}{each.name}",
                        "entries": each.entries,
                        "last": each.last,
                        "fault": each.fault or None,
                    }
                    for each in events
                ]
            },
        )
        return
    if not events:
        session.talk(
            f"no events {'there' if in_database(where) else 'in this folder' if where == '.' else f'in {where}'}: `tourney event new` makes one"
        )
        return
    session.table(
        ["event", "entries", "last entry"],
        [
            (
                f"{before}{each.name}",
                "" if each.fault else each.entries,
                each.fault or each.last[:16].replace("T", " "),
            )
            for each in events
        ],
        right=[1],
    )


@command(
    "copy",
    examples=[
        "tourney event copy friday.tourney pg:friday",
        "tourney event copy pg:friday archive/friday.tourney",
    ],
)
@click.argument("source", metavar="EVENT", shell_complete=events)
@click.argument("target", metavar="NEW-EVENT", shell_complete=events)
def copy(session: Session, source: str, target: str) -> None:
    """Copy an event into a database, out of one, or from file to file: the same entries, digests, texts and rules.

    What was written is read back before it counts; nothing is written over. The secret that pairings are drawn from goes
    along. From then on they are two events: go on in one of them only.
    """
    place = event_place(source)
    to = new_place(target, place.stem)
    if to.file and not to.file.suffix:
        to = place_of(to.file.with_suffix(".tourney"))
    made = copy_event(place, to, waiting=session.waiting)
    done = f"{place} copied to {to}: {counted(made.entries, 'entry', 'entries')} ({made.digest}), {counted(made.texts, 'text')}"
    with already_written(done):
        if session.json:
            session.emit("event-copy/1", {"from": str(place), "to": str(to), **made._asdict()})
        else:
            session.changed(done)
        if made.damaged:
            session.warn(
                f"{counted(made.damaged, 'text')} of it {'is' if made.damaged == 1 else 'are'} damaged, in the copy as in the original",
                f"`tourney event check -e {place}`",
            )
        if made.secret:
            session.talk(
                f"The secret went along: who may {'read' if to.file else 'write to'} {to} can work out the pairings to come. Go on in one of the two only: what is"
                " entered in one is not in the other."
            )
        else:
            session.talk("It came without its secret, so nothing can be paired in it.")


# -- tourney event export and import: the event as text, and as other programs have it


class _FormOption(click.Option):
    """The option that names another program's form. `{forms}` in its help are all there are: their table is loaded for the help.

    writing: those alone that can be written
    """

    def __init__(self, *names: Any, writing: bool, **rest: Any) -> None:
        super().__init__(*names, shell_complete=self._known, **rest)
        self.writing = writing

    def _known(self, _: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
        return [name for name in self._forms() if name.startswith(incomplete)]

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help, with the forms there are."""
        record = super().get_help_record(ctx)
        return record and (record[0], record[1].format(forms=", ".join(self._forms())))

    def _forms(self) -> list[str]:
        from tourney.standings.reading import FORMS

        return [each.name for each in FORMS if each.writes or not self.writing]


@command(
    "export",
    event=True,
    examples=[
        "tourney event export",
        "tourney event export archive/ --replace",
        "tourney event export --as trf",
        "tourney event export archive/ --as cobra",
    ],
)
@click.argument("folder", metavar="[DIR]", type=click.Path(), default=".")
@click.option(
    "--as",
    "form",
    metavar="FORM",
    cls=_FormOption,
    writing=True,
    help="For another program instead: {forms}.",
)
@click.option("--replace", is_flag=True, help="Write over an earlier export.")
def export(session: Session, folder: str, form: str | None, replace: bool) -> None:
    """Write the event as text: EVENT.jsonl (everything, an entry a line) and EVENT.toml (for people).

    `event import` makes the identical event from the first. Both hold names and decklists. With --as it is written for
    another program, and what that program's form cannot hold is said.
    """
    lost: tuple[str, ...] = ()
    with session.desk() as desk:
        if form:
            path, lost = desk.export_as(form, Path(folder), replace=replace)
            written: tuple[Path, ...] = (path,)
        else:
            written = desk.export(Path(folder), replace=replace)
    with already_written(f"wrote {listed(written)}"):
        if session.json:
            session.emit(
                "event-export/1", {"files": written} | ({"form": form, "lost": lost} if form else {})
            )
            return
        for path in written:
            session.changed(f"wrote {path}")
        for each in lost:
            session.warn(f"it cannot hold {each}")


class _Asked(TypedDict):
    """What is asked of an event that another program kept, in place of what its file says."""

    name: str | None
    format_name: str | None
    profile: str | None


@command(
    "import",
    examples=[
        "tourney event import friday.jsonl",
        "tourney event import friday.jsonl --file copy.tourney",
        "tourney event import cobra.json --dry-run",
        "tourney event import cobra.json",
        "tourney event import open.trf --name 'City Open' --profile fide",
    ],
)
@click.argument("file", type=click.Path())
@click.option(
    "--file",
    "-e",
    "target",
    metavar="EVENT",
    help="The event's file, or its name in a database; else a file named as what is imported.",
)
@click.option(
    "--as",
    "form",
    metavar="FORM",
    cls=_FormOption,
    writing=False,
    help="What another program's file is, where it is not found out: {forms}.",
)
@click.option("--name", help="The event's name, where it is not the file's.")
@format_option("The format that was played; else one without decks.")
@profile_option(
    "Points and tie-breaks; else those of the file's program, with the points the file itself gives."
)
@click.option(
    "--dry-run",
    "dry_run",
    is_flag=True,
    help="Say what would be taken and where the standings would differ; no file is made.",
)
def import_(
    session: Session, file: str, target: str | None, form: str | None, **asked: Unpack[_Asked]
) -> None:
    """Make the event file of an exported event, or of another program's file.

    From `event export` comes the identical event: the same entries, texts and digests. From another program's file come
    players, rounds, results, byes, drops and bracket, finished or still running; what was taken is named, and the file's
    own points and places are held against those here. Nobody can prove such rounds: `verify` leaves with 4.
    """
    named = _named_after(file, asked["name"])
    source, place = Path(file), new_place(target, named.stem) if target else place_of(named)
    here: dict[str, Any] = {
        "by": session.by,
        "clock": session.now,
        "randomness": session.entropy,
        "library": session.library,
    }
    content = b"" if form is None and source.suffix == ".jsonl" else session.read(file)
    if form is None and (source.suffix == ".jsonl" or _is_export(content)):
        _refuse_asked(asked)
        with _place(session, place) as made, Desk.import_(source, made, **here) as desk:
            _tell_imported(session, place, desk.state)
            if not target and not session.dry_run:
                session.warn_of_another(place)
        return
    untitled = "Imported event" if file == "-" else None
    with _place(session, place) as made:
        desk, took = Desk.take_over(
            content, made, source=source_of(file), form=form, untitled=untitled, **asked, **here
        )
        with desk:
            _tell_taken(session, place, desk.state, took)
            if not target and not session.dry_run:
                session.warn_of_another(place)


def _named_after(file: str, name: str | None) -> Path:
    """Return the event's file where none is named: called as what is imported, which from standard input has only the event's name."""
    if file == "-":
        return file_name(name or "imported")
    return Path(f"{Path(file).stem.removesuffix('.tourney')}.tourney")


def _is_export(content: bytes) -> bool:
    """Say whether a file is one of `event export`, or was."""
    head = content[:_LONGEST_HEAD].lstrip().partition(b"\n")[0]
    return b"tourney.journal/" in head or head.startswith(b'{"schema"')


_LONGEST_HEAD = 2_000
"""Bytes in which the first line of an export says what it is."""


def _refuse_asked(asked: _Asked) -> None:
    named = [name for name, value in asked.items() if value is not None]
    if named:
        option = {"format_name": "--format"}.get(named[0], f"--{named[0]}")
        raise click.UsageError(f"{option} is for another program's file: an export says it itself")


def _place(session: Session, place: EventPlace) -> AbstractContextManager[Named]:
    """Give where the event is to be: `place`, or in a dry run a file that goes away."""
    return place_to_try(place) if session.dry_run else nullcontext(place)


def _tell_imported(session: Session, place: EventPlace, state: State) -> None:
    done = f"{state.name}: {state.entry} entries read into {place} ({state.digest})"
    with answering(session, done):
        if session.json:
            tried = {"dry_run": True} if session.dry_run else {}
            session.emit(
                "event-import/1", {"file": str(place), "entry": state.entry, "digest": state.digest, **tried}
            )
        else:
            announce_dry_run(session)
            session.changed(done)


def _tell_taken(session: Session, place: EventPlace, state: State, took: Takeover) -> None:
    with answering(session, f"{state.name}: {took.took}, in {place}"):
        if session.json:
            session.emit("event-import/1", _taken_json(session, place, state, took))
        else:
            _say_taken(session, place, state, took)


def _taken_json(session: Session, place: EventPlace, state: State, took: Takeover) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "file": str(place),
        "entry": state.entry,
        "digest": state.digest,
        "form": took.form.name,
        "profile": state.profile,
        "took": took.took,
        "agrees": took.agrees or None,
        "difference": took.difference or None,
        "notes": took.notes,
        "left_out": took.left_out,
    }
    if session.dry_run:
        payload["dry_run"] = True
        payload["players"] = [player.name for player in state.players.values()]
        payload["rounds"] = [
            {
                "title": each.title,
                "tables": len(each.tables),
                "playing": len(each.playing),
                "byes": len(each.byes),
            }
            for each in state.rounds
        ]
    return payload


def _say_taken(session: Session, place: EventPlace, state: State, took: Takeover) -> None:
    announce_dry_run(session)
    session.changed(f"{state.name}: {took.took}")
    session.changed(f"read as {took.form.title} into {place}, ranked by {state.profile}")
    if session.dry_run:
        session.changed(f"players: {listed_short([each.name for each in state.players.values()])}")
        for each in state.rounds:
            session.changed(_round_line(each))
    if took.left_out:
        session.changed(f"not taken: {'; '.join(took.left_out)}")
    for note in took.notes:
        session.warn(note)
    if took.difference:
        session.warn(f"the standings differ from the file's: {took.difference}")
    elif took.agrees:
        session.changed(f"the standings are the file's own: {took.agrees}")
    if not session.dry_run:
        session.talk(
            f"`tourney event show -e {place}`; imported rounds are not proved, and `tourney verify` says so"
        )


def _round_line(round_: Round) -> str:
    """Say what a round has, in a line: `Round 2: 3 results, 1 table plays on, 1 without a table`."""
    playing = len(round_.playing)
    parts = [counted(len(round_.tables) - playing, "result")]
    parts += [f"{counted(playing, 'table')} {'plays' if playing == 1 else 'play'} on"] if playing else []
    parts += [f"{len(round_.byes)} without a table"] if round_.byes else []
    return f"{round_.title}: {', '.join(parts)}"


# -- tourney event tables: what events in a database need there


@command("tables", examples=["tourney event tables"])
def tables(session: Session) -> None:
    """Print the SQL that makes the tables for events in a PostgreSQL database, and the roles of owner and desk.

    The server's administrator runs it in psql; running it again changes nothing. Then `GRANT tourney_desk TO ann`
    lets a login work with the events. A database of your own needs none of this: the first event makes the tables.
    """
    if session.json:
        session.emit("event-tables/1", {"sql": table_script()})
    else:
        session.say(table_script().rstrip("\n"))
