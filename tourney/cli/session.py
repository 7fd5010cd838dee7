"""One run of a command: where its event and data are, who asks, what time it is, and how it speaks."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tourney.cli.output import (
    already_written,
    coloured,
    json_text,
    styled,
    table_text,
    visible,
    width,
    write,
)
from tourney.decode import MAX_BYTES, check_size, check_text
from tourney.document import Document
from tourney.errors import TourneyError
from tourney.wording import counted

if TYPE_CHECKING:
    from io import BufferedReader

    from tourney.desk import Desk, Receipt, Workplace
    from tourney.desk.documents import ReceiptDocument
    from tourney.desk.open_event import Randomness
    from tourney.errors import Finding
    from tourney.record import PlayerId
    from tourney.standings.explaining import Explanation
    from tourney.store.data import Library
    from tourney.store.devices import Devices
    from tourney.store.fetching import Fetcher, FetchOutcome
    from tourney.store.journal import EventPlace
    from tourney.store.outbox import Outbox


T = TypeVar("T")


LONGEST_LINE = 2**16
"""Bytes of a line that is read by itself."""

NOBODYS_ACCOUNTS = frozenset({"root", "somebody", "Administrator"})
"""Login names that say nothing of who was at the desk."""

SCOREKEEPER = "scorekeeper"
"""The file in the user's data folder that holds the name asked for."""

_DAMAGE_NAMED = "the secret is damaged"
"""What `told` holds once a command has said that the event's secret is damaged."""

MOST_NAMED = 6
"""How many damaged texts a warning names."""


@dataclass(frozen=True)
class Session:
    """What every command is handed first.

    event_name: what `-e` said, None without it
    json:       whether one JSON object is wanted on stdout
    quiet:      whether only data and errors are wanted
    data:       the folder of `--data`
    words:      the whole command line
    dry_run:    whether changes are only tried, on a copy
    changes:    whether the command writes entries, which somebody signs
    desks:      those opened so far
    told:       what was said and is not said again
    """

    event_name: str | None = None
    json: bool = False
    quiet: bool = False
    data: Path | None = None
    no_color: bool = False
    words: tuple[str, ...] = ()
    dry_run: bool = False
    changes: bool = False
    desks: list[Desk] = field(default_factory=list, repr=False, compare=False)
    told: set[str] = field(default_factory=set, repr=False, compare=False)

    # -- speaking

    @property
    def color(self) -> bool | None:
        """False where colour is forbidden, None where click decides (terminals only)."""
        return coloured(self.no_color)

    def say(self, text: str = "") -> None:
        """Write data: a line (or several) on stdout."""
        write(text, color=self.color)

    def talk(self, text: str = "") -> None:
        """Write talk: what is next, notes. On stderr, and not with --quiet."""
        if not self.quiet:
            write(text, err=True, color=self.color)

    def warn(self, text: str, hint: str | None = None) -> None:
        """Write a warning, and after a blank line its hint, on stderr, also with --quiet."""
        write(styled("warning:", fg="yellow", bold=True) + f" {text}", err=True, color=self.color)
        if hint:
            self.hint(hint)

    def hint(self, text: str) -> None:
        """Write a hint after a blank line, on stderr; not with --quiet."""
        self.talk("\n" + styled("hint:", fg="cyan", bold=True) + f" {text}")

    def waiting(self, seconds: float) -> None:
        """Say how long the command has been waiting for another desk to finish writing."""
        self.talk(
            f"another program is writing to {self.event_called};"
            f" waiting for {seconds:.0f} s, up to a minute (Ctrl-C gives up)"
        )

    def changed(self, text: str) -> None:
        """Say what was changed: on stdout, and not with --quiet."""
        if not self.quiet:
            self.say(text)

    def emit(self, document: Document | str, payload: dict[str, Any] | None = None) -> None:
        """Write the one JSON object of `--json`.

        `emit("deck-check/1", {...})` is the old form, for commands whose answer is not a `Document` yet.
        """
        import msgspec

        from tourney.document import plain_value, to_plain

        if isinstance(document, str):
            plain = msgspec.to_builtins(
                {"schema": f"tourney.{document}", **(payload or {})},
                enc_hook=lambda value: str(value) if isinstance(value, Path) else plain_value(value),
                str_keys=True,
            )
        else:
            plain = to_plain(document)
        # Not through `say`: JSON escapes control characters itself.
        click.echo(json_text(plain), color=False)

    def table(
        self,
        headers: Sequence[str],
        rows: Iterable[Sequence[object]],
        *,
        right: Sequence[int] = (),
        style: str = "plain",
    ) -> None:
        """Write a table on stdout; `right` names the columns (from 0) that are set flush right.

        style: one of `tourney.cli.output.known_style`, in which cells are escaped as it asks for
        """
        self.say(table_text(headers, rows, right=right, style=style))

    def fits(
        self, headers: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[int] = ()
    ) -> bool:
        """Whether a table is no wider than the terminal that shows it; where there is none, any fits."""
        if not sys.stdout.isatty():
            return True
        from shutil import get_terminal_size

        lines = table_text(headers, rows, right=right, style="plain").splitlines()
        return max(map(width, lines), default=0) <= get_terminal_size().columns

    @contextmanager
    def progress(self, items: Iterable[T], label: str, number: int | None = None) -> Iterator[Iterable[T]]:
        """Walk `items` with a progress bar on stderr, only on a terminal and for more than a few.

        number: how many there are, where `items` cannot say
        """
        number = len(items) if number is None and isinstance(items, Sized) else number
        if self.quiet or (number or 0) < 20 or not sys.stderr.isatty():
            yield items
            return
        with click.progressbar(items, length=number, label=label, file=sys.stderr) as bar:
            yield bar

    def explaining(self, places: Iterable[Explanation], number: int) -> Iterator[Explanation]:
        """Walk so many explanations of places, which take longest of all that is published, with a progress bar."""
        with self.progress(places, "explaining places", number) as walked:
            yield from walked

    # -- what enters from outside

    @property
    def in_a_terminal(self) -> bool:
        """Whether somebody sits at the keyboard."""
        return sys.stdin is not None and sys.stdin.isatty()

    def agrees(self, question: str) -> bool:
        """Ask for a yes on standard input; an input that ends, or is no text, is a no."""
        if sys.stdin is None:
            return False
        try:
            return click.confirm(question, err=True)
        except UnicodeDecodeError:
            agreed = False
        except click.Abort as stopped:
            if not isinstance(stopped.__context__, EOFError):  # Ctrl-C
                raise
            agreed = False
        self.talk()
        return agreed

    @cached_property
    def by(self) -> str:
        """Who signs: $TOURNEY_BY, or the login name; in place of an account that is nobody's, a name that is asked for once."""
        named = os.environ.get("TOURNEY_BY")
        if named:
            return named
        import getpass

        try:
            login = getpass.getuser()
        except (OSError, KeyError, ImportError):
            login = "somebody"
        return self._scorekeeper(login) if login in NOBODYS_ACCOUNTS else login

    def _scorekeeper(self, login: str) -> str:
        """Return the name kept for whoever works under `login`; in a terminal ask for it once, where something is signed."""
        from tourney.store.files import replace_file, user_folder

        folder = user_folder()
        kept = folder / SCOREKEEPER if folder else None
        if kept and kept.is_file():
            return self.read_text(str(kept)).strip() or login
        if not self.changes or self.dry_run or not self.in_a_terminal:
            return login
        from tourney.event.names import clean_name

        while True:
            try:
                name = (
                    self.ask(f"Who is at the desk? The log would say `{login}`. Your name: ") or ""
                ).strip()
                if not name:
                    return login
                name = clean_name(name, what="scorekeeper's name")
                break
            except TourneyError as refused:
                self.warn(refused.message)
        if kept is None:
            return name
        try:
            replace_file(kept, f"{name}\n".encode())
        except TourneyError as fault:
            self.warn(f"{fault.message}: you will be asked again", "set TOURNEY_BY to your name")
        else:
            self.talk(f"From now on entries are signed {name} (kept in {kept}); TOURNEY_BY names another.")
        return name

    def now(self) -> datetime:
        """Say what time it is, with its offset: the clock, or $TOURNEY_NOW (ISO 8601) where a test or a demo sets it."""
        given = os.environ.get("TOURNEY_NOW")
        try:
            return (datetime.fromisoformat(given) if given else datetime.now(UTC)).astimezone()
        except (ValueError, OverflowError, OSError):  # a year that has no local time, a zone that is none
            what = (
                f"$TOURNEY_NOW: `{given}` is not a time"
                if given
                else "the machine's clock or time zone ($TZ) makes no sense"
            )
            raise TourneyError(what, "TOURNEY_NOW=2026-11-20T18:00:00+01:00") from None

    def entropy(self, size: int) -> bytes:
        """Draw random bytes: the system's, or those that repeat for a given $TOURNEY_SEED.

        With the variable set, the same command line at the same $TOURNEY_NOW draws the same bytes: for tests and the
        demo. Whoever knows the seed of an event can foresee its pairings.
        """
        return self._dice(size)

    @cached_property
    def _dice(self) -> Dice:
        seed = os.environ.get("TOURNEY_SEED")
        return Dice("\0".join([seed, os.environ.get("TOURNEY_NOW", ""), *self.words]) if seed else None)

    # -- data and the event

    def read(self, name: str) -> bytes:
        """Read a file, or standard input for `-`, as often as it is asked for. Raises TourneyError where it cannot be read."""
        if name == "-":
            return self._standard_input
        from tourney.store.files import read_bytes

        return read_bytes(Path(name))

    @cached_property
    def _standard_input(self) -> bytes:
        if sys.stdin is None:
            raise TourneyError("standard input is closed", "name a file, or pipe one in")
        if sys.stdin.isatty():
            self.talk("type the lines, then Ctrl-D on a line of its own (Windows: Ctrl-Z)")
        content = sys.stdin.buffer.read(MAX_BYTES + 1)
        check_size(len(content), source="standard input")
        return content

    def ask(self, prompt: str) -> str | None:
        """Ask for a line in a terminal, the prompt on stderr; None at the end (Ctrl-D, on Windows Ctrl-Z).

        Raises TourneyError for a line that is not UTF-8.
        """
        click.echo(visible(prompt), nl=False, err=True)
        line = sys.stdin.buffer.readline(LONGEST_LINE)
        if not line:
            self.talk()
            return None
        return decoded_line(line)

    def lines(self) -> Iterator[list[bytes]]:
        """Give the lines of standard input as they come: each time all those that are there by now.

        Raises TourneyError where standard input is closed, and for a line that does not end.
        """
        if sys.stdin is None:
            raise TourneyError("standard input is closed", "name a file, or pipe one in")
        stream: BufferedReader = sys.stdin.buffer  # type: ignore[assignment]
        rest = b""
        while chunk := stream.read1(LONGEST_LINE):
            *whole, rest = (rest + chunk).split(b"\n")
            if len(rest) > LONGEST_LINE:
                raise TourneyError(
                    "a line of standard input does not end",
                    "write a line with a table and its result for each table",
                )
            if whole:
                yield whole
        if rest:
            yield [rest]

    def read_text(self, name: str) -> str:
        """Read a file, or standard input for `-`, as UTF-8. Raises TourneyError naming the line that is not, or a file too large."""
        from tourney.store.files import decoded

        content = self.read(name)
        check_text(content, source=source_of(name))
        return decoded(content, source=source_of(name))

    def library(self) -> Library:
        """Open the formats, profiles, pools and ban lists within reach, `--data` first."""
        from tourney.store.data import Library

        return Library.open(self.data)

    def fetcher(self, *, accept: bool, insecure: bool) -> Fetcher:
        """Return what fetches ban lists and pools into the library; see `fetch_options` for the parameters."""
        from tourney.store.fetching import Fetcher
        from tourney.store.http import Http

        return Fetcher(library=self.library(), http=Http(insecure=insecure), now=self.now(), accept=accept)

    def outbox(self) -> Outbox:
        """Open what is kept with the user of addresses to post to, and of what was posted."""
        from tourney.store.files import user_folder
        from tourney.store.outbox import Outbox

        return Outbox(user_folder())

    def devices(self, begun: str) -> Devices:
        """Open what is kept with the user of an event's codes and devices. begun: the digest of its first entry."""
        from tourney.store.devices import Devices
        from tourney.store.files import user_folder

        return Devices.open(user_folder(), begun, clock=self.now, randomness=self.entropy)

    def _has_devices(self, begun: str) -> bool:
        from tourney.store.devices import path_of
        from tourney.store.files import user_folder

        folder = user_folder()
        return folder is not None and path_of(folder, begun).exists()

    def erase_staff_name(self, begun: str, names: Iterable[str]) -> int:
        """Delete names of staff from an event's devices, and return from how many. begun: as in `devices`."""
        if not self._has_devices(begun):
            return 0
        with self.devices(begun) as devices:
            return devices.erase_names(names)

    def served_at(self, begun: str) -> str:
        """Return where an event was served last; empty where it never was, or that cannot be read. begun: the digest of its first entry."""
        if not self._has_devices(begun):
            return ""
        try:
            with self.devices(begun) as devices:
                return devices.address
        except TourneyError:
            return ""

    def write_draft(self, target: str, text: str, *, what: str, hint: str, then: str) -> None:
        """Write a file for somebody to fill in, or print it where `target` is `-`.

        what: it is, as is said once it stands; hint: what to do where the file exists already; then: the next command.
        Raises TourneyError where it cannot be written.
        """
        if target == "-":
            self.say(text.rstrip("\n"))
            return
        from tourney.store.files import write_new

        path = Path(target)
        write_new(path, text.encode(), hint)
        done = f"{path}: {what}"
        with already_written(done):
            self.changed(done)
        self.talk(f"edit it, then `{then}`")

    @cached_property
    def place(self) -> EventPlace:
        """Where the event lies: `-e`, $TOURNEY_EVENT, or the one *.tourney here. TourneyError if there is none or several."""
        named = self.event_name or os.environ.get("TOURNEY_EVENT")
        return named_event(named or _only_event(Path()))

    @property
    def has_event(self) -> bool:
        """Whether an event is named, or is the only one here; it may still be unreadable."""
        named = self.event_name or os.environ.get("TOURNEY_EVENT")
        return bool(named) or len(list(Path().glob("*.tourney"))) == 1

    @property
    def event_called(self) -> str:
        """What messages call the event: its file's name, or `pg:friday`."""
        return self.place.name

    def workplace(self, randomness: Randomness | None = None) -> Workplace:
        """Return the workplace of a desk. randomness: instead of the system's."""
        from tourney.desk import Workplace

        return Workplace(self.by, self.now, randomness or self.entropy, self.library)

    def desk(self) -> Desk:
        """Open the event's desk, the door to everything that reads or changes it; on a copy where it is only tried."""
        from tourney.desk import Desk

        place = self._copy() if self.dry_run and self.changes else self.place
        desk = Desk.open(place, self.workplace(), waiting=self.waiting)
        self.desks.append(desk)
        if lost := desk.damaged:
            from tourney.event.entry import ALTERED
            from tourney.wording import listed

            named = listed(lost if len(lost) < MOST_NAMED else [*lost[: MOST_NAMED - 1], "more"])
            self.warn(f"{self.event_called} is damaged: {named} cannot be read; the rest can", ALTERED)
        return desk

    def warn_of_another(self, made: EventPlace) -> None:
        """Say that commands go on with the event that $TOURNEY_EVENT names where that is not the one that was made."""
        if not (named := os.environ.get("TOURNEY_EVENT")):
            return
        from tourney.store.files import resolved

        try:
            there = named_event(named)
            same = there == made or bool(
                there.file and made.file and resolved(there.file) == resolved(made.file)
            )
        except TourneyError:  # a folder
            same = False
        if not same:
            self.warn(
                f"commands go on with the event that $TOURNEY_EVENT names, not with {made}",
                f"`-e {made}`, or `export TOURNEY_EVENT={made}`",
            )

    def warn_of_secret(self) -> None:
        """Warn that the secret of an open event is damaged, unless the command said so itself (`secret_is_told`)."""
        if _DAMAGE_NAMED not in self.told and any(desk.secret_damaged for desk in self.desks):
            self.warn(
                f"the secret in {self.event_called} is damaged, so no round can be paired and no lot drawn;"
                " `tourney event salvage` makes an event with the secret of a copy"
            )

    def secret_is_told(self) -> None:
        """Leave out the warning about a damaged secret: the command says so itself."""
        self.told.add(_DAMAGE_NAMED)

    @contextmanager
    def look(self, at: int | None) -> Iterator[Desk]:
        """Open the event's desk to look at the event as it stood after entry `at` (None: as it stands)."""
        with self.desk() as desk:
            yield desk if at is None else desk.as_of(at)

    def _copy(self) -> Path:
        """Copy the event; the copy is removed when the command ends."""
        from tourney.store.backup import copy_to_try

        return click.get_current_context().with_resource(copy_to_try(self.place, waiting=self.waiting))

    @property
    def written(self) -> Receipt | None:
        """The receipt of the last change that this command wrote; None where nothing was written."""
        done = [desk.last for desk in self.desks if desk.last and desk.last.entries]
        return done[-1] if done and not self.dry_run else None


def source_of(name: str) -> str:
    """Return what a file is called in messages; `-` is standard input."""
    return "standard input" if name == "-" else name


def decoded_line(line: bytes) -> str:
    """Read a line as UTF-8, without its end. Raises TourneyError where it is something else."""
    try:
        return line.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError:
        raise TourneyError("the line is not UTF-8 text") from None


def named_event(named: str | Path) -> EventPlace:
    """Return where the event lies that is named on a command line. Raises TourneyError for a folder."""
    from tourney.store.places import place_of

    place = place_of(named)
    if (path := place.file) is None:
        return place
    if not path.name:
        raise TourneyError(f"`{named}` is a folder, not an event file", "name the event's file: `-e FILE`")
    if not path.exists() and not path.suffix and path.with_suffix(".tourney").exists():
        return place_of(path.with_suffix(".tourney"))
    return place


def _only_event(folder: Path) -> Path:
    events = sorted(folder.glob("*.tourney"))
    if len(events) == 1:
        return events[0]
    if not events:
        raise TourneyError(
            "there is no event in this folder",
            "`tourney event new NAME --format FORMAT`, or name one: `-e FILE`",
        )
    names = ", ".join(f"`{path.name}`" for path in events)
    raise TourneyError(
        f"there are {len(events)} events in this folder: {names}", f"say which: `-e {events[0].name}`"
    )


class Dice:
    """A source of random bytes: the system's, or with a seed one that repeats."""

    def __init__(self, seed: str | None = None) -> None:
        self._seed = seed
        self._drawn = 0

    def __call__(self, size: int) -> bytes:
        """Draw `size` bytes."""
        if self._seed is None:
            import secrets

            return secrets.token_bytes(size)
        self._drawn += 1
        return hashlib.shake_256(f"{self._seed}\0{self._drawn}".encode(errors="surrogateescape")).digest(size)


def who_is_meant(session: Session, desk: Desk, text: str) -> PlayerId:
    """Return the player meant, and say on stderr whom else the word could have meant. Raises TourneyError."""
    from tourney.event.names import also_meant

    player = desk.who(text)
    if other := also_meant(desk.state.players, text, player):
        session.warn(other)
    return player


# -- The answer to a change: a receipt as text, or as the one JSON object


def answer(
    session: Session, receipt: Receipt, kind: type[ReceiptDocument] | None = None, **more: Any
) -> None:
    """Show what changed (stdout), warnings and what is next (stderr).

    kind: the document of `--json`, `ChangeAnswer` by default; more: its own fields
    """
    with answering(session, receipt):
        if session.json:
            from tourney.desk.documents import ChangeAnswer, receipt_fields

            session.emit((kind or ChangeAnswer)(**receipt_fields(receipt, dry_run=session.dry_run), **more))
            return
        say_changed(session, receipt)
    mind(session, receipt)


def answering(session: Session, done: Receipt | str) -> AbstractContextManager[None]:
    """Return the context in which is told what was done: what is written is a success, whoever can read the answer or not.

    done: the receipt, or what stands, in a sentence. The answer of a dry run is all there is of it, so that one which cannot be
    read is a failure.
    """
    if session.dry_run:
        return nullcontext()
    return already_written(done if isinstance(done, str) else " ".join(done.changed))


def foretell(session: Session) -> None:
    """Say first that a dry run writes nothing."""
    if session.dry_run:
        session.talk("dry run, nothing is written; it would be:")


def say_changed(session: Session, receipt: Receipt) -> None:
    """Say what changed, or would in a dry run."""
    foretell(session)
    for sentence in receipt.changed:
        session.changed(sentence)


def mind(session: Session, receipt: Receipt) -> None:
    """Say the warnings and what is next."""
    from tourney.event.field import DAMAGED

    for warning in receipt.warnings:
        session.warn(warning.removesuffix("."))
        if warning == DAMAGED:
            session.secret_is_told()
    for sentence in receipt.next:
        session.talk(styled(sentence, dim=True))


# -- The pages and posts that go with a change of the event


def answer_seated(session: Session, change: Callable[[Desk], Receipt]) -> None:
    """Make a change of who sits where and answer; pages that show the seats as they were are published anew."""
    with session.desk() as desk:
        before = desk.state
        receipt = change(desk)
        if not session.dry_run and desk.state.settings.pages.publish_to:
            from tourney.desk.publishing import with_new_seats

            receipt = with_new_seats(desk, receipt, before, watch=session.explaining)
        answer(session, receipt)


def published(session: Session, desk: Desk, receipt: Receipt) -> Receipt:
    """Publish to the folder and post to the addresses that the event names, and say so in the receipt."""
    pages = desk.state.settings.pages
    if not (pages.publish_to or pages.post_to):
        return receipt
    from tourney.desk.publishing import with_pages_and_posts

    return with_pages_and_posts(desk, receipt, outbox=session.outbox, watch=session.explaining)


# -- The answer to a fetch that brought nothing


def say_offline(session: Session, outcome: FetchOutcome, what: str) -> None:
    """Say that the copy that is here serves: because nothing changed, or because nobody answered."""
    if outcome.offline:
        session.warn(outcome.offline)
        session.changed(f"{what} serves as it was fetched {outcome.age}")
    else:
        session.changed(f"{what} has not changed since it was fetched {outcome.age}")


def say_findings(session: Session, findings: Sequence[Finding]) -> None:
    """Print a line for each finding, with its place and its rule, then how many there are."""
    session.say(table_text([], [[_place(finding), finding.message, finding.rule] for finding in findings]))
    session.say(f"\n{counted(len(findings), 'problem')}")


def _place(finding: Finding) -> str:
    if finding.lines:
        return f"line {', '.join(map(str, finding.lines))}"
    return ", ".join(finding.subjects)
