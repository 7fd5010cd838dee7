"""`tourney event list`, `copy`, `export` and others: storage, imports, random events.

An event is stored as a file or in a database.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem
from msgspec import UNSET

from tourney.cli.command import command
from tourney.cli.options import F, events, file_option, flag, format_option, profile_option
from tourney.cli.session import Dice, Exit, Session, source_of
from tourney.decode import MAX_PLAYERS, MAX_ROUNDS
from tourney.desk import Desk, files
from tourney.document import or_unset
from tourney.errors import Finding, Severity
from tourney.event.entry import EntryError
from tourney.event.state import Round, State
from tourney.standings.reading import FORMS
from tourney.store.backup import copy_event, place_to_try
from tourney.store.journal import EventPlace
from tourney.store.places import (
    Named,
    TableScript,
    event_place,
    file_name,
    in_database,
    list_events,
    new_place,
    place_of,
    table_script,
)
from tourney.wording import counted, listed, listed_short

if TYPE_CHECKING:
    from tourney.desk.takeover import Takeover
    from tourney.store.salvage import SalvagedEvent


# -- tourney event check, backup, salvage


@command("check", event=True)
def check(session: Session) -> Exit | None:
    """Check the whole file.

    The check covers the database, every entry, text and rule, the secret, the seeds and the recorded costs.
    Exits with 1 if something was altered or contradicts itself, and with 4 if this copy cannot be checked
    completely, for example because its secret is sealed. `tourney verify` also pairs every round again.

    Examples:
      tourney event check
    """
    from tourney.desk.verifying import EventCheck

    findings, state = _check(session)
    undecided_findings = [finding for finding in findings if finding.severity is Severity.UNVERIFIED]
    errors = [finding for finding in findings if finding not in undecided_findings]
    session.emit(
        EventCheck(
            entry=state.entry if state else None, digest=state.digest if state else None, findings=findings
        )
    )
    if errors or state is None:
        session.show_findings(errors)
    else:
        limitation = ", as far as this copy can show" if undecided_findings else ""
        session.say(
            f"{session.place.name}: all is well up to entry {state.entry} ({state.digest}){limitation}"
        )
    session.say(f"undecided: {finding.message}" for finding in undecided_findings)
    return Exit.FOUND if errors else Exit.UNVERIFIED if undecided_findings else None


def _check(session: Session) -> tuple[tuple[Finding, ...], State | None]:
    """Check the stored event; return the findings of the check, and the event's state.

    Returns None instead of the state if an entry cannot be read or applied.
    """
    from tourney.desk.verifying import check, examine_unread

    try:
        with session.desk() as desk:
            return check(desk), desk.state
    except EntryError as error:
        return tuple(examine_unread(session.place, error)), None


@command("backup", event=True)
@flag("--list", "only_list", help="Only list the copies, the newest first.")
def backup(session: Session, only_list: bool) -> None:
    """Copy the event to .tourney-backups/ beside it.

    A copy is an event file: open it with `-e`, or copy it back to replace the event. `round next` also makes
    a copy before each round and keeps the newest 20. Copies that you make with this command are never
    removed.

    Examples:
      tourney event backup
      tourney event backup --list
    """
    with session.desk() as desk:
        copies = files.backups(desk) if only_list else (files.backup(desk),)
    summary = "" if only_list else f"copied to {copies[0]}"
    with session.answering(summary):
        session.emit(files.Backups(files=tuple(map(str, copies))))
        if only_list:
            session.say(list(map(str, copies)) or "no copies yet: `tourney event backup` makes one")
        else:
            session.say_change(summary)


@command("salvage", event=True)
@click.option("--to", "target", metavar="FILE", help="The new event's file. Default: EVENT-salvaged.tourney.")
def salvage(session: Session, target: str | None) -> Exit | None:
    """Make a new event from the intact parts of a damaged one, and name what is missing.

    Entries are kept up to the first damaged one. Lost parts are restored from .tourney-backups/ if they are
    there. The damaged event is only read; the new one is always a file. Exits with 1 if anything is missing.

    Examples:
      tourney event salvage
      tourney event salvage -e friday --to saved.tourney
    """
    from tourney.desk.takeover import salvage as salvage_event
    from tourney.store.salvage import newest_backups

    place = session.place
    to = Path(target) if target else (place.file or Path()).parent / f"{place.stem}-salvaged.tourney"
    backups = newest_backups(place)  # before the new event, which can be written among them
    salvaged_event = salvage_event(place, to, session.workplace())
    number = f"{salvaged_event.entry}"
    if (salvaged_event.written or 0) > salvaged_event.entry:
        number += f" of {salvaged_event.written}"
    summary = f"{salvaged_event.file}: {number} entries ({salvaged_event.digest})"
    with session.answering(summary):
        session.emit(salvaged_event)
        session.say_change("\n".join([summary, *_salvage_lines(salvaged_event)]))
        session.talk(
            f"run `tourney event check -e {salvaged_event.file}`, then continue in the new file;"
            f" {place.name} is unchanged"
        )
        if backups and not salvaged_event.complete:
            restored_file = to.with_name(f"{place.stem}-restored.tourney")
            session.talk(f"or go back to the last backup: `tourney event copy {backups[0]} {restored_file}`")
    return None if salvaged_event.complete else Exit.FOUND


def _salvage_lines(salvaged_event: SalvagedEvent) -> Iterator[str]:
    """Yield lines about what is missing from a salvaged event, and what was restored.

    The lines also show entries after the first damaged one, if they can be read; the new event does not have
    them.
    """
    for loss in salvaged_event.missing:
        yield f"missing: {loss.what}" + (f"; `{loss.command}`" if loss.command else "")
    for entry in salvaged_event.unplaced[:_MAX_UNPLACED]:
        yield f"  entry {entry.entry} reads: {entry.text}"
    more = len(salvaged_event.unplaced) - _MAX_UNPLACED
    if more > 0:
        yield f"  {more} more entries can be read; `--json` shows them"
    parts_by_origin: dict[str, list[str]] = {}
    for part in salvaged_event.found:
        parts_by_origin.setdefault(part.where, []).append(part.what)
    for origin, parts in parts_by_origin.items():
        yield f"restored: {listed_short(parts)} {origin}"


_MAX_UNPLACED = 20
"""The maximum number of readable entries shown that are not in the new event."""


# -- tourney event list, copy


def _events_in(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return (
        [CompletionItem("pg:")] if "pg:".startswith(incomplete) else [CompletionItem(incomplete, type="dir")]
    )


@command("list")
@click.option(
    "-e",
    "--event",
    "location",
    metavar="DIR|pg:",
    shell_complete=_events_in,
    help="A folder, or a database (`pg:NAME`: only that event). Default: the database of $TOURNEY_EVENT, "
    "or this folder.",
)
def list_(session: Session, location: str | None) -> None:
    """List the events of this folder or a database: entries, and time of the last entry.

    Examples:
      tourney event list
      tourney event list -e pg:
    """
    default_location = os.environ.get("TOURNEY_EVENT", "")
    place = location or (default_location if in_database(default_location) else ".")
    rows = list_events(place, all_of_database=not location)
    session.emit(rows)
    if not rows.events:
        folder = "in this folder" if place == "." else f"in {place}"
        session.talk(f"no events {'there' if in_database(place) else folder}: `tourney event new` makes one")
        return
    session.table(
        ["event", "entries", "last entry"],
        [
            (row.event, "" if row.fault else row.entries, row.fault or row.last[:16].replace("T", " "))
            for row in rows.events
        ],
        right=[1],
    )


@command("copy")
@click.argument("source", metavar="EVENT", shell_complete=events)
@click.argument("target", metavar="NEW-EVENT", shell_complete=events)
def copy(session: Session, source: str, target: str) -> None:
    """Copy an event to a file or a database, with all its entries, digests, texts and rules.

    The copy is read back before the command succeeds; no event is overwritten. The secret that pairings are
    drawn from is copied, too. After that there are two events: continue in only one of them.

    Examples:
      tourney event copy friday.tourney pg:friday
      tourney event copy pg:friday archive/friday.tourney
    """
    place = event_place(source)
    to = new_place(target, place.stem)
    if to.file and not to.file.suffix:
        to = place_of(to.file.with_suffix(".tourney"))
    copied_event = copy_event(place, to, waiting=session.waiting)
    entries, texts = counted(copied_event.entries, "entry", "entries"), counted(copied_event.texts, "text")
    summary = f"{place} copied to {to}: {entries} ({copied_event.digest}), {texts}"
    with session.answering(summary):
        session.emit(copied_event)
        session.say_change(summary)
        if copied_event.damaged:
            verb = "is" if copied_event.damaged == 1 else "are"
            session.warn(
                f"{counted(copied_event.damaged, 'text')} {verb} damaged, in the original and in the copy",
                f"`tourney event check -e {place}`",
            )
        if copied_event.secret:
            session.talk(
                f"The secret was copied, too: anyone who can {'read' if to.file else 'write to'} {to} can "
                "foresee the pairings. Continue in only one of the two: entries are not copied to the other."
            )
        else:
            session.talk("The copy has no secret, so it cannot pair rounds.")


# -- tourney event export, import


def _form_option(help_: str, *, writing: bool) -> Callable[[F], F]:
    """Return the option `--as FORM`, which names the file format of another program.

    help_: the start of its help text, before the names of the formats
    writing: whether only formats that can be written are listed
    """
    names = [form.name for form in FORMS if form.writes or not writing]

    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    help_ = f"{help_}: {', '.join(names)}."
    return click.option("--as", "form", metavar="FORM", shell_complete=complete, help=help_)


@command("export", event=True)
@click.argument("folder", metavar="[DIR]", type=click.Path(), default=".")
@_form_option("Another program's form", writing=True)
@flag("--replace", help="Replace an earlier export.")
def export(session: Session, folder: str, form: str | None, replace: bool) -> None:
    """Write the event as text: EVENT.jsonl and EVENT.toml.

    EVENT.jsonl has everything, an entry on each line. EVENT.toml is a summary. `event import` makes the
    identical event from EVENT.jsonl. Both files contain names and decklists. With --as, the command
    writes a file for another program instead, and warns of everything that such a file cannot hold.

    Examples:
      tourney event export
      tourney event export archive/ --replace
      tourney event export --as trf
      tourney event export archive/ --as cobra
    """
    losses: tuple[str, ...] = ()
    with session.desk() as desk:
        if form:
            from tourney.desk.takeover import export_as

            path, losses = export_as(desk, form, Path(folder), replace=replace)
            written_files: tuple[Path, ...] = (path,)
        else:
            written_files = files.export(desk, Path(folder), replace=replace)
    with session.answering(f"wrote {listed(written_files)}"):
        session.emit(
            files.ExportedEvent(
                files=tuple(map(str, written_files)), form=or_unset(form), lost=losses if form else UNSET
            )
        )
        for path in written_files:
            session.say_change(f"wrote {path}")
        for part in losses:
            session.warn(f"a `{form}` file cannot hold {part}")


@command("import")
@click.argument("file", type=click.Path())
@click.option(
    "--file",
    "-e",
    "target",
    metavar="EVENT",
    help="The event's file, or its name in a database. Default: a file named after the imported one.",
)
@_form_option("The form of another program's file, if it is not recognized", writing=False)
@click.option("--name", help="The event's name. Default: the name in the file.")
@format_option("The format that was played. Default: a format without decks.")
@profile_option(
    "Points and tie-breaks. Default: those of the file's program, with the points that the file states."
)
@flag(
    "--dry-run", "dry_run", help="Show the result, and where the standings would differ. Nothing is written."
)
def import_(
    session: Session, file: str, target: str | None, form: str | None, **overrides: str | None
) -> None:
    """Make an event from an export, or from another program's file.

    An export of `event export` becomes the identical event, with the same entries, texts and digests. From
    another program's file, players, rounds, results, byes, drops and the bracket are imported; the event may
    be unfinished. The command shows what it imported, and compares the file's points and places with its own.
    Imported rounds cannot be proved: `verify` exits with 4.

    Examples:
      tourney event import friday.jsonl
      tourney event import friday.jsonl --file copy.tourney
      tourney event import cobra.json --dry-run
      tourney event import cobra.json
      tourney event import open.trf --name 'City Open' --profile fide
    """
    from tourney.desk.takeover import event_in, import_event, imported_event, take_over

    default_file = _default_file(file, overrides["name"])
    source, place = Path(file), new_place(target, default_file.stem) if target else place_of(default_file)
    workplace = session.workplace()
    content = b"" if form is None and source.suffix == ".jsonl" else session.read(file)
    if form is None and (source.suffix == ".jsonl" or _is_export(content)):
        for name, value in overrides.items():
            if value is not None:
                option = f"--{name.removesuffix('_name')}"
                raise click.UsageError(
                    f"{option} is only for another program's file, not for an exported event"
                )
        with _place(session, place) as new_event, import_event(source, new_event, workplace) as desk:
            state = desk.state
            summary = f"{state.name}: {state.entry} entries read into {place} ({state.digest})"
            with session.answering(summary):
                session.emit(imported_event(place, state, dry_run=session.dry_run))
                session.announce_dry_run()
                session.say_change(summary)
    else:
        default_name = "Imported event" if file == "-" else None
        takeover = event_in(
            content, workplace, source=source_of(file), form=form, fallback_name=default_name, **overrides
        )
        with _place(session, place) as new_event, take_over(takeover, new_event, workplace) as desk:
            state = desk.state
            with session.answering(f"{state.name}: {takeover.took}, in {place}"):
                session.emit(takeover.document(place, state, dry_run=session.dry_run))
                _show_takeover(session, place, state, takeover)
    if not target and not session.dry_run:
        session.warn_of_another(place)


def _default_file(file: str, name: str | None) -> Path:
    """Return the event's default file, named after the imported file or the event."""
    if file == "-":
        return file_name(name or "imported")
    return Path(f"{Path(file).stem.removesuffix('.tourney')}.tourney")


def _is_export(content: bytes) -> bool:
    """Return whether a file is an export of this program, even a damaged or older one."""
    head = content[:_HEAD_SIZE].lstrip().partition(b"\n")[0]
    return b"tourney.journal/" in head or head.startswith(b'{"schema"')


_HEAD_SIZE = 2_000
"""The number of bytes at the start of a file that show whether it is an export."""


def _place(session: Session, place: EventPlace) -> AbstractContextManager[Named]:
    """Return a context manager that yields the file or database to write the new event to.

    In a dry run, it yields a temporary file.
    """
    return place_to_try(place) if session.dry_run else nullcontext(place)


def _show_takeover(session: Session, place: EventPlace, state: State, takeover: Takeover) -> None:
    session.announce_dry_run()
    session.say_change(f"{state.name}: {takeover.took}")
    session.say_change(f"read as {takeover.form.title} into {place}, ranked by {state.profile}")
    if session.dry_run:
        session.say_change(f"players: {listed_short([player.name for player in state.players.values()])}")
        for round_ in state.rounds:
            session.say_change(_round_line(round_))
    if takeover.left_out:
        session.say_change(f"not imported: {'; '.join(takeover.left_out)}")
    for note in takeover.notes:
        session.warn(note)
    if takeover.difference:
        session.warn(f"the standings differ from the file's: {takeover.difference}")
    elif takeover.agrees:
        session.say_change(f"the standings agree with those of the file: {takeover.agrees}")
    if not session.dry_run:
        session.talk(
            f"`tourney event show -e {place}`; imported rounds are not proved, and `tourney verify` says so"
        )


def _round_line(round_: Round) -> str:
    """Return a round as a line: `Round 2: 3 results, 1 table plays on, 1 without a table`."""
    playing = len(round_.playing)
    parts = [counted(len(round_.tables) - playing, "result")]
    parts += [f"{counted(playing, 'table')} {'plays' if playing == 1 else 'play'} on"] if playing else []
    parts += [f"{counted(len(round_.byes), 'player')} without a table"] if round_.byes else []
    return f"{round_.title}: {', '.join(parts)}"


# -- tourney event tables


@command("tables")
def tables(session: Session) -> None:
    """Print the SQL for a PostgreSQL database: tables for events, the roles owner and desk.

    The server's administrator runs it in psql; running it again changes nothing. Then `GRANT tourney_desk TO
    ann` lets a login work with the events. A database of your own needs none of this: the first event makes
    the tables.

    Examples:
      tourney event tables
    """
    session.emit(TableScript(sql=table_script()))
    session.say(table_script().rstrip("\n"))


# -- tourney event generate


_percent = partial(click.option, type=click.IntRange(0, 100), show_default=True)


@command("generate")
@click.argument("name", default="Generated")
@format_option("The format.", default="red-diamond/standard", show_default=True)
@profile_option("Points and tie-breaks.")
@click.option(
    "--players", type=click.IntRange(2, MAX_PLAYERS), default=16, show_default=True, help="How many players."
)
@click.option("--rounds", type=click.IntRange(1, MAX_ROUNDS), help="Swiss rounds; by default ⌈log₂ players⌉.")
@flag("--open", "left_open", help="Leave the last round without results.")
@_percent("--draws", default=5, help="Percentage of tables that end drawn.")
@_percent("--no-shows", default=1, help="Percentage of tables where one player does not show up.")
@_percent("--drops", default=3, help="Percentage of players who leave, each round.")
@_percent("--late", default=3, help="Percentage of players who join after round 1.")
@_percent("--half-byes", default=0, help="Percentage of players who ask for a half-point bye, each round.")
@click.option("--clubs", type=click.IntRange(0, 12), default=0, help="How many clubs the players belong to.")
@click.option(
    "--seed",
    metavar="TEXT",
    help="The same seed makes the same event. Default: a random seed, which is printed.",
)
@file_option
def generate(
    session: Session,
    *,
    name: str,
    format_name: str,
    profile: str | None,
    seed: str | None,
    file: str | None,
    left_open: bool,
    **wishes: Any,
) -> None:
    """Make a random event and play it to its end, with the same code as the other commands.

    Examples:
      tourney event generate --players 16 --rounds 5
      tourney event generate Trial --players 200 --drops 5 --late 5 --clubs 8 --seed demo --quiet
    """
    from tourney.desk.generating import GeneratedEvent, play_random_event

    seed = seed or session.entropy(8).hex()
    session.talk(f"seed {seed}")  # before anything runs, so that a crash can be repeated
    place = new_place(file, name)
    with place_to_try(place) as draft:  # so that an error does not leave half an event behind
        desk = Desk.create(
            draft,
            session.workplace(Dice(seed)),
            name=name,
            format_name=format_name,
            profile=profile,
            banlist="none",
        )
        with desk:
            watch = partial(session.progress, label="playing")
            play_random_event(desk, seed, wishes, left_open=left_open, watch=watch)
            state = desk.state
        copy_event(draft, place)
    summary = f"{state.name}: {len(state.players)} players, {len(state.rounds)} rounds in {place}"
    with session.answering(summary):
        session.emit(GeneratedEvent(seed=seed, file=str(place), entry=state.entry, digest=state.digest))
        session.say_change(summary)
