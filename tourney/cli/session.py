"""One run of a command: its output, its answer to a change, its input from outside.

A command gets a `Session` as its first argument. It answers twice, as a JSON document (`emit`) and as text
(`say`, `say_change`, `table`, `talk`); the session writes the one that the user asked for. `answer` does both
for a change of the event. The clock, the user's name, randomness, standard input and the environment are
read here and nowhere else.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import Struct, field

from tourney.cli.output import (
    json_text,
    mute,
    report_bug,
    show_error,
    style_text,
    table_text,
    terminal_width,
    visible,
    width,
    write,
)
from tourney.decode import MAX_BYTES, check_size, check_text
from tourney.document import Document, to_plain
from tourney.errors import Finding, TourneyError
from tourney.store.files import decode_source, read_bytes, replace_file, user_folder, write_new
from tourney.store.places import event_place, is_same_event, only_event
from tourney.wording import counted, listed

if TYPE_CHECKING:  # these take longer to import than many commands take to run
    from io import BufferedReader

    from tourney.desk import Desk, Receipt, Workplace
    from tourney.desk.documents import ReceiptDocument
    from tourney.desk.open_event import Randomness
    from tourney.record import PlayerId
    from tourney.standings.explaining import Explanation
    from tourney.store.data import Library
    from tourney.store.devices import Devices
    from tourney.store.fetching import Fetcher, FetchOutcome
    from tourney.store.journal import EventPlace
    from tourney.store.outbox import Outbox


T = TypeVar("T")

MAX_LINE = 2**16
"""The maximum number of bytes in a line of standard input."""

SHARED_LOGINS = frozenset({"root", "somebody", "Administrator"})
"""Login names that do not identify the person at the desk."""

SCOREKEEPER_FILE = "scorekeeper"
"""The file in the user's data folder that contains the scorekeeper's name for the log."""

MAX_DAMAGED = 6
"""The maximum number of damaged texts that a warning names."""


class Exit(IntEnum):
    """The exit codes."""

    DONE = 0
    FOUND = 1  # a check found something: an illegal deck, a difference
    USAGE = 2  # the command line is not valid
    REFUSED = 3  # nothing was changed
    UNVERIFIED = 4  # a check could not decide
    BUG = 70
    INTERRUPTED = 130


class Session(Struct, dict=True):
    """The run of a command.

    event_name: the value of `-e`
    json:       whether to write one JSON object to stdout
    quiet:      whether to write only data and errors
    data:       the folder that `--data` names
    words:      the whole command line
    dry_run:    whether to try a change on a copy
    changes:    whether the command writes entries, which are signed with a name
    desks:      the events opened so far, as `tourney.desk.Desk`
    """

    event_name: str | None = None
    json: bool = False
    quiet: bool = False
    data: Path | None = None
    words: tuple[str, ...] = ()
    dry_run: bool = False
    changes: bool = False
    desks: list[Desk] = field(default_factory=list)
    reported_damaged_secret: bool = False

    # -- output

    def emit(self, document: Document) -> None:
        """With --json, write the answer to stdout as a JSON object; otherwise, write nothing."""
        if self.json:  # not through `write`: JSON escapes control characters itself
            click.echo(json_text(to_plain(document)), color=False)

    def say(self, text: str | Iterable[str] = "") -> None:
        """Write a text or several lines of data to stdout; with --json, write nothing."""
        if not self.json:
            for line in (text,) if isinstance(text, str) else text:
                write(line)

    def say_change(self, text: str) -> None:
        """Write what was changed to stdout; with --quiet or --json, write nothing."""
        if not self.quiet:
            self.say(text)

    def talk(self, text: str = "") -> None:
        """Write a note or a next step to stderr; with --quiet or --json, write nothing."""
        if not self.json:
            self.note(text)

    def note(self, text: str = "") -> None:
        """Write a note to stderr while the command runs, even with --json; not with --quiet."""
        if not self.quiet:
            write(text, err=True)

    def warn(self, text: str, hint: str | None = None) -> None:
        """Write a warning, and its hint if any, to stderr; --quiet leaves out the hint."""
        write(style_text("warning:", fg="yellow", bold=True) + f" {text}", err=True)
        if hint:
            self.hint(hint)

    def hint(self, text: str) -> None:
        """Write a blank line and a hint to stderr; with --quiet, write nothing."""
        self.note("\n" + style_text("hint:", fg="cyan", bold=True) + f" {text}")

    def table(
        self,
        headers: Sequence[str],
        rows: Iterable[Sequence[object]],
        *,
        right: Sequence[int] = (),
        optional: Collection[str] = (),
        style: str = "plain",
    ) -> None:
        """Write a table to stdout; with --json, write nothing. See `output.table_text`.

        optional: the headers of columns that are left out if all their cells are empty
        """
        if optional:
            rows = list(rows)
            columns = [
                column
                for column, header in enumerate(headers)
                if header not in optional or any(row[column] for row in rows)
            ]
            headers = [headers[column] for column in columns]
            rows = [[row[column] for column in columns] for row in rows]
            right = [place for place, column in enumerate(columns) if column in right]
        self.say(table_text(headers, rows, right=right, style=style))

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Write a line for each finding with its place and rule, then the number of findings."""
        self.table([], [[_place(finding), finding.message, finding.rule] for finding in findings])
        self.say(f"\n{counted(len(findings), 'problem')}")

    def fits(self, headers: Sequence[str], rows: Iterable[Sequence[object]]) -> bool:
        """Return whether a table fits the terminal. Without a terminal, every table fits."""
        if not sys.stdout.isatty():
            return True
        lines = table_text(headers, rows).splitlines()
        return max(map(width, lines), default=0) <= terminal_width()

    @contextmanager
    def progress(self, items: Iterable[T], label: str, number: int | None = None) -> Iterator[Iterable[T]]:
        """Iterate with a progress bar on stderr, if it is a terminal and there are 20 items or more.

        number: the number of items, if `items` has no length
        """
        number = len(items) if number is None and isinstance(items, Sized) else number
        if self.quiet or (number or 0) < 20 or not sys.stderr.isatty():
            yield items
            return
        with click.progressbar(items, length=number, label=label, file=sys.stderr) as bar:
            yield bar

    def explaining(self, places: Iterable[Explanation], number: int) -> Iterator[Explanation]:
        """Iterate over explanations of ranks with a progress bar: they are slow to compute."""
        with self.progress(places, "explaining places", number) as explanations:
            yield from explanations

    def waiting(self, seconds: float) -> None:
        """Show how long the command has been waiting for another program to finish writing."""
        self.note(
            f"another program is writing to {self.place.name};"
            f" waiting for {seconds:.0f} s, up to a minute (Ctrl-C gives up)"
        )

    def write_draft(self, target: str, text: str, *, description: str, hint: str, next_command: str) -> None:
        """Write a file for the user to fill in; `-` prints it.

        description: a description of the file, for the message that it was written
        hint: what to do if the file exists already, for the error
        next_command: the command to run after the file was edited

        Raises TourneyError if it cannot be written.
        """
        if target == "-":
            self.say(text.rstrip("\n"))
            return
        path = Path(target)
        write_new(path, text.encode(), hint)
        summary = f"{path}: {description}"
        with self.answering(summary):
            self.say_change(summary)
        self.talk(f"edit the file, then run `{next_command}`")

    def show_unchanged(self, outcome: FetchOutcome[Any], copy_name: str) -> None:
        """Show that a stored copy stays in use: it is the newest, or the server did not answer."""
        if outcome.offline:
            self.warn(outcome.offline)
            self.say_change(f"{copy_name}: the copy fetched {outcome.age} is used")
        else:
            self.say_change(f"{copy_name} has not changed since it was fetched {outcome.age}")

    # -- the answer to a change of the event

    @contextmanager
    def answering(self, *sentences: str) -> Iterator[None]:
        """Return a context in which the command prints its answer after a change was written.

        If the output fails (a full disk, a closed pipe), the command only warns, and exits with 0, because
        the change is recorded. In a dry run, a failure is an error, because the answer is the only result.

        sentences: sentences about what was done, for the warning. Without sentences, nothing was written, and
                   a failure is an error, too
        """
        if self.dry_run or not any(sentences):
            yield
            return
        sentence = " ".join(sentences)
        try:
            yield
            sys.stdout.flush()
        except Exception as exception:  # noqa: BLE001  whatever fails now, the change is recorded
            mute()
            self.warn(
                f"the output could not be shown ({_reason(exception)}), but the change was made: {sentence}"
            )
        except KeyboardInterrupt:
            show_error(f"interrupted, but the change was made: {sentence}")

    def answer(
        self, receipt: Receipt, kind: type[ReceiptDocument] | None = None, addition: str = "", **fields: Any
    ) -> None:
        """Show what was changed (stdout), and warnings and next steps (stderr).

        receipt:  what was changed, the warnings and the next steps
        kind:     the class of the JSON document for `--json`; None: `ChangeAnswer`
        addition: a text to show after the changes; not used with `--json`
        fields:   the fields of the JSON document that do not come from the receipt
        """
        with self.answering(*receipt.changed):
            if self.json:
                from tourney.desk.documents import ChangeAnswer

                self.emit((kind or ChangeAnswer).of(receipt, dry_run=self.dry_run, **fields))
                return
            self.show_changes(receipt)
            if addition:
                self.say_change(addition)
        self.show_next(receipt)

    def announce_dry_run(self) -> None:
        """In a dry run, show that nothing is written."""
        if self.dry_run:
            self.talk("dry run: nothing is written; the change would be:")

    def show_changes(self, receipt: Receipt) -> None:
        """Show what was changed, or in a dry run what would be changed."""
        self.announce_dry_run()
        for sentence in receipt.changed:
            self.say_change(sentence)

    def show_next(self, receipt: Receipt) -> None:
        """Show the warnings and the next steps."""
        from tourney.event.field import DAMAGED

        for warning in receipt.warnings:
            self.warn(warning.removesuffix("."))
            if warning == DAMAGED:
                self.reported_damaged_secret = True
        for step in receipt.next:
            self.talk(style_text(step.sentence, dim=True))

    def publish(self, desk: Desk, receipt: Receipt) -> Receipt:
        """Publish pages and post messages, if the event's settings ask for it.

        Returns the receipt, which then also says what was published and posted.
        """
        pages = desk.state.settings.pages
        if not (pages.publish_to or pages.post_to):
            return receipt
        from tourney.desk.publishing import with_pages_and_posts

        return with_pages_and_posts(desk, receipt, outbox=self.outbox, watch=self.explaining)

    # -- standard input

    @property
    def in_a_terminal(self) -> bool:
        """Whether standard input is a terminal."""
        return sys.stdin.isatty()

    def ask(self, prompt: str) -> str | None:
        """Ask for a line, with the prompt on stderr; None at the end of the input (Ctrl-D).

        Raises TourneyError if the line is not UTF-8.
        """
        click.echo(visible(prompt), nl=False, err=True)
        line = sys.stdin.buffer.readline(MAX_LINE)
        if not line:
            self.note()
            return None
        return decoded_line(line)

    def agrees(self, question: str) -> bool:
        """Return whether the user answers yes.

        The end of the input, and bytes that are not UTF-8, mean no.
        """
        try:
            return click.confirm(question, err=True)
        except UnicodeDecodeError:
            has_agreed = False
        except click.Abort as abort:
            if not isinstance(abort.__context__, EOFError):  # Ctrl-C
                raise
            has_agreed = False
        self.note()
        return has_agreed

    def lines(self) -> Iterator[list[bytes]]:
        """Yield the lines of standard input in batches, each with all lines that have arrived.

        Raises TourneyError for a line longer than MAX_LINE.
        """
        stream: BufferedReader = sys.stdin.buffer  # type: ignore[assignment]
        remainder = b""
        while chunk := stream.read1(MAX_LINE):
            *whole, remainder = (remainder + chunk).split(b"\n")
            if len(remainder) > MAX_LINE:
                raise TourneyError(
                    "a line of standard input is too long",
                    "write a line with a table and its result for each table",
                )
            if whole:
                yield whole
        if remainder:
            yield [remainder]

    def read(self, name: str) -> bytes:
        """Read a file; `-` is standard input, which can be read again.

        Raises TourneyError if it cannot be read.
        """
        return self._standard_input if name == "-" else read_bytes(Path(name))

    def read_text(self, name: str) -> str:
        """Read a file as UTF-8; `-` is standard input.

        Raises a TourneyError that names the line if one is not UTF-8.
        """
        content = self.read(name)
        check_text(content, source=source_of(name))
        return decode_source(content, source=source_of(name))

    @cached_property
    def _standard_input(self) -> bytes:
        if self.in_a_terminal:
            self.note("type the lines, then Ctrl-D on a line of its own (Windows: Ctrl-Z)")
        content = sys.stdin.buffer.read(MAX_BYTES + 1)
        check_size(len(content), source="standard input")
        return content

    # -- the user, the clock and randomness

    @cached_property
    def by(self) -> str:
        """The name for the log: $TOURNEY_BY, or the login name.

        For a shared login, asks once for the name.
        """
        if name := os.environ.get("TOURNEY_BY"):
            return name
        import getpass  # needed only for this name

        try:
            login = getpass.getuser()
        except (OSError, KeyError, ImportError):
            login = "somebody"
        return self._scorekeeper(login) if login in SHARED_LOGINS else login

    def _scorekeeper(self, login: str) -> str:
        """Return the saved name for a shared login. If there is none, ask for it.

        Only a command that changes the event asks, and only in a terminal.
        """
        folder = user_folder()
        file = folder / SCOREKEEPER_FILE if folder else None
        if file and file.is_file():
            return self.read_text(str(file)).strip() or login
        if not self.changes or self.dry_run or not self.in_a_terminal:
            return login
        name = self._ask_name(login)
        if not name or file is None:
            return name or login
        try:
            replace_file(file, f"{name}\n".encode())
        except TourneyError as error:
            self.warn(f"{error.message}: you will be asked again", "set TOURNEY_BY to your name")
        else:
            self.note(
                f"From now on entries are signed {name} (kept in {file});"
                " set TOURNEY_BY to sign with another name."
            )
        return name

    def _ask_name(self, login: str) -> str:
        """Ask for a name until it is a valid one; empty if there is no answer."""
        from tourney.event.names import clean_name

        while True:
            try:
                answer = self.ask(f"Who is at the desk? The log would say `{login}`. Your name: ") or ""
                return clean_name(answer, noun="scorekeeper's name") if answer.strip() else ""
            except TourneyError as error:
                self.warn(error.message)

    def now(self) -> datetime:
        """Return the time with its offset.

        $TOURNEY_NOW (ISO 8601) replaces the clock for tests and demos.
        """
        value = os.environ.get("TOURNEY_NOW")
        try:
            return (datetime.fromisoformat(value) if value else datetime.now(UTC)).astimezone()
        except (
            ValueError,
            OverflowError,
            OSError,
        ):  # also a year without local time, or an unknown time zone
            problem = f"$TOURNEY_NOW: `{value}` is not a time"
            if not value:
                problem = "the clock or the time zone ($TZ) of this machine cannot be read"
            raise TourneyError(problem, "TOURNEY_NOW=2026-11-20T18:00:00+01:00") from None

    def entropy(self, size: int) -> bytes:
        """Return random bytes: the system's, or repeatable ones from $TOURNEY_SEED, for tests.

        The same command line at the same $TOURNEY_NOW draws the same bytes. Anyone who knows the seed of an
        event can foresee its pairings.
        """
        return self._dice(size)

    @cached_property
    def _dice(self) -> Dice:
        seed = os.environ.get("TOURNEY_SEED")
        return Dice("\0".join([seed, os.environ.get("TOURNEY_NOW", ""), *self.words]) if seed else None)

    # -- data on this machine

    def library(self) -> Library:
        """Open the formats, profiles, pools and ban lists. The folder of `--data` is searched first."""
        from tourney.store.data import Library

        return Library.open(self.data)

    def outbox(self) -> Outbox:
        """Open the user's saved addresses for posts to chats, and the record of earlier posts."""
        from tourney.store.outbox import Outbox

        return Outbox(user_folder())

    def fetcher(self, *, accept: bool, insecure: bool) -> Fetcher:
        """Return the fetcher of ban lists and pools for the library; see `options.fetch_options`."""
        from tourney.store.fetching import Fetcher
        from tourney.store.http import Http

        return Fetcher(library=self.library(), http=Http(insecure=insecure), now=self.now(), accept=accept)

    def devices(self, first_digest: str) -> Devices:
        """Open the file with an event's codes, links and devices; create it if it is missing.

        first_digest: the digest of the event's first entry
        """
        from tourney.store.devices import Devices

        return Devices.open(user_folder(), first_digest, clock=self.now, randomness=self.entropy)

    def known_devices(self, first_digest: str) -> Devices | None:
        """Open the codes and devices of an event; None if it never had any."""
        from tourney.store.devices import path_of

        folder = user_folder()
        has_devices = folder is not None and path_of(folder, first_digest).exists()
        return self.devices(first_digest) if has_devices else None

    # -- the event

    @cached_property
    def place(self) -> EventPlace:
        """The event of `-e` or $TOURNEY_EVENT, or the only *.tourney file in this folder.

        Raises TourneyError if no event is named and the folder does not have exactly one.
        """
        return event_place(self._event_named or only_event())

    @property
    def has_event(self) -> bool:
        """Whether an event is named, or this folder has exactly one. It may still be unreadable."""
        return bool(self._event_named) or len(list(Path().glob("*.tourney"))) == 1

    @property
    def _event_named(self) -> str | None:
        return self.event_name or os.environ.get("TOURNEY_EVENT")

    def workplace(self, randomness: Randomness | None = None) -> Workplace:
        """Return what opening an event needs: the user's name, a clock, randomness and the library.

        The user's name signs the new entries.

        randomness: the source of random bytes; None for the session's own source
        """
        from tourney.desk import Workplace

        return Workplace(self.by, self.now, randomness or self.entropy, self.library)

    def desk(self) -> Desk:
        """Open the event; in a dry run of a change, open a copy of it.

        Warns about texts of the event that are damaged.
        """
        from tourney.desk import Desk

        place = self._copy() if self.dry_run and self.changes else self.place
        desk = Desk.open(place, self.workplace(), waiting=self.waiting)
        self.desks.append(desk)
        if damaged_texts := desk.damaged_texts:
            from tourney.event.entry import ALTERED

            names = listed(
                damaged_texts
                if len(damaged_texts) < MAX_DAMAGED
                else [*damaged_texts[: MAX_DAMAGED - 1], "more"]
            )
            self.warn(f"{self.place.name} is damaged: {names} cannot be read; the rest can", ALTERED)
        return desk

    @contextmanager
    def look(self, at: int | None) -> Iterator[Desk]:
        """Open the event, for reading, as it was after entry `at`; None means the current state."""
        with self.desk() as desk:
            yield desk if at is None else desk.as_of(at)

    def find_player(self, desk: Desk, text: str) -> PlayerId:
        """Return the player that a word names; warn if it could also mean other players.

        Raises TourneyError for an unknown player.
        """
        from tourney.event.names import also_meant

        player = desk.find_player(text)
        if warning := also_meant(desk.state.players, text, player):
            self.warn(warning)
        return player

    def _copy(self) -> Path:
        """Copy the event; the copy is removed when the command ends."""
        from tourney.store.backup import copy_to_try

        return click.get_current_context().with_resource(copy_to_try(self.place, waiting=self.waiting))

    @property
    def last_receipt(self) -> Receipt | None:
        """The `Receipt` of the last change that this command wrote; None if it wrote nothing."""
        receipts = [desk.last for desk in self.desks if desk.last and desk.last.entries]
        return receipts[-1] if receipts and not self.dry_run else None

    def warn_of_damaged_secret(self) -> None:
        """Warn that the secret of an open event is damaged, unless the command has reported it."""
        if not self.reported_damaged_secret and any(desk.secret_damaged for desk in self.desks):
            self.warn(
                f"the secret in {self.place.name} is damaged, so no round can be paired and no lot drawn;"
                " `tourney event salvage` makes an event with the secret of a copy"
            )

    def warn_of_another(self, new: EventPlace) -> None:
        """Warn if $TOURNEY_EVENT names an event other than the new one."""
        name = os.environ.get("TOURNEY_EVENT")
        if name and not is_same_event(name, new):
            self.warn(
                f"commands still use the event that $TOURNEY_EVENT names, not {new}",
                f"`-e {new}`, or `export TOURNEY_EVENT={new}`",
            )


def _place(finding: Finding) -> str:
    if finding.lines:
        return f"line {', '.join(map(str, finding.lines))}"
    return ", ".join(finding.subjects)


def _reason(exception: Exception) -> str:
    if isinstance(exception, OSError):
        return (exception.strerror or str(exception)).lower()
    if isinstance(exception, TourneyError):
        return exception.message
    return report_bug(exception)


def source_of(name: str) -> str:
    """Return the name by which messages refer to a file; `-` is standard input."""
    return "standard input" if name == "-" else name


def decoded_line(line: bytes) -> str:
    """Decode a line, without its line break. Raises TourneyError if it is not UTF-8."""
    try:
        return line.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError:
        raise TourneyError("the line is not UTF-8 text") from None


class Dice:
    """A source of random bytes: the system's, or a repeatable one if there is a seed."""

    def __init__(self, seed: str | None = None) -> None:
        self._seed = seed
        self._draw_count = 0

    def __call__(self, size: int) -> bytes:
        """Return `size` random bytes."""
        if self._seed is None:
            return os.urandom(size)
        self._draw_count += 1
        return hashlib.shake_256(f"{self._seed}\0{self._draw_count}".encode(errors="surrogateescape")).digest(
            size
        )
