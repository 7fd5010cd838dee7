"""`tourney publish`: the event for everybody: pages, posts, and what the shop uploads with."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click

from tourney.cli.command import command
from tourney.cli.options import at_entry, post_names
from tourney.cli.output import Exit, already_written, json_text
from tourney.cli.session import Session, source_of
from tourney.errors import TourneyError, UnsettledError
from tourney.wording import as_of, listed_short

if TYPE_CHECKING:
    from tourney.desk import Desk
    from tourney.desk.posting import Post
    from tourney.desk.publishing import Published
    from tourney.publish import Labels
    from tourney.store.folder import FolderChanges
    from tourney.store.outbox import Outbox

_STDOUT = "-"
"""The address that is nobody's: what would be posted is printed."""

_LOOKS_EVERY = 1.0
"""Seconds between two looks at the event's file."""

_RESTS = 10
"""Looks that are left out after something failed."""


class _Asked(TypedDict):
    """The options that say what is to be published, and where."""

    folder: str | None
    prizes_file: str | None
    labels_file: str | None
    then: str | None
    posts: tuple[str, ...]
    at: int | None
    forms: tuple[str, ...]
    what: tuple[str, ...]


@command(
    "publish",
    event=True,
    examples=[
        "tourney publish --to pages",
        "tourney publish --to pages --form html --form csv",
        "tourney publish --list",
        "tourney publish --at 57",
        "tourney publish --prizes prizes.toml",
        "tourney publish --remember friday-discord -",
        "tourney publish --post friday-discord",
        "tourney publish --post friday-discord --what pairings --dry-run",
        "tourney publish --post -",
        'tourney publish --to pages --then "rsync -a pages/ shop.example:friday/"',
        "tourney publish --to pages --post friday-discord --watch",
    ],
    notes={
        "Leaves with": {
            "1": "The pages are written, but a post was not taken or the command after them failed.",
            "3": "Nothing was written, posted or run.",
            "4": "A post went out and no answer came: nobody can know whether it arrived.",
        }
    },
)
@click.option(
    "--to",
    "folder",
    metavar="DIR",
    type=click.Path(),
    help="The folder to write into; else the event's own (`publish_to`), else pages; with --at pages-ENTRY.",
)
@click.option(
    "--form",
    "forms",
    multiple=True,
    metavar="FORM",
    help="What to write: html, sheets, markdown, text, csv or json; all of them by default.",
)
@click.option(
    "--prizes",
    "prizes_file",
    type=click.Path(allow_dash=True),
    help="A file of prizes, as for `event prizes`: the final ranking says who gets what.",
)
@click.option(
    "--labels",
    "labels_file",
    type=click.Path(allow_dash=True),
    help="A file with the words of pages, sheets, posts and .txt files in another language, a copy of tourney/publish/labels/en.toml; else the event's own (`labels`), else English.",
)
@click.option("--list", "listed", is_flag=True, help="Only name the files that would be written.")
@click.option(
    "--post",
    "posts",
    multiple=True,
    metavar="NAME|URL|-",
    shell_complete=post_names,
    help="Post what is new there: a webhook of Discord or any other; `-` prints it. Pages only where a folder is named.",
)
@click.option(
    "--what",
    multiple=True,
    type=click.Choice(["pairings", "standings"]),
    help="Post this, new or not; else the pairings of a new round and the standings after one, each once.",
)
@click.option(
    "--then",
    metavar="COMMAND",
    help="Run this when the pages are written, as rsync or git push; no shell, its output on stderr.",
)
@click.option(
    "--watch", is_flag=True, help="Go on, and publish after each change of the event, until Ctrl-C."
)
@click.option(
    "--insecure",
    is_flag=True,
    help="Post also to http, and to https servers whose certificate nobody vouches for.",
)
@click.option(
    "--dry-run", "dry_run", is_flag=True, help="Show what would be posted and run; nothing is written."
)
@click.option(
    "--remember",
    nargs=2,
    metavar="NAME URL|-",
    help="Keep an address for --post under a name, with you and not in the event; `-` reads it from standard input.",
)
@click.option(
    "--forget", metavar="NAME", shell_complete=post_names, help="Forget an address that --remember kept."
)
@click.option("--addresses", is_flag=True, help="List the names of the addresses that are kept.")
@at_entry
def cli(
    session: Session,
    *,
    listed: bool,
    watch: bool,
    remember: tuple[str, str] | None,
    forget: str | None,
    addresses: bool,
    insecure: bool,
    **asked: Unpack[_Asked],
) -> Exit | None:
    """Write the event as pages for phones, print sheets, Markdown, text, CSV and JSON into a folder; post what is new.

    Writing again replaces what was written from here and touches nothing else; only what changed is written. Decklists are
    published once the event opens them (the setting `decklists`), contacts never. What cannot be posted is told, and
    hinders nothing else.
    """
    _refuse_together(session, listed=listed, watch=watch, asked=asked)
    if remember or forget or addresses:
        _keep(session, remember, forget, insecure=insecure)
        return None
    with session.desk() as desk:
        order = _order(session, desk, insecure=insecure, **asked)
        if listed:
            _list(session, desk, order)
            return None
        if not watch:
            return _tell(session, order, _carry_out(session, desk, order, session.outbox()))
    return _watch(session, order)


def _refuse_together(session: Session, *, listed: bool, watch: bool, asked: _Asked) -> None:
    """Raise UsageError for options that mean nothing together."""
    past, leaving = asked["at"] is not None, asked["posts"] or asked["then"]
    senseless = {
        "--watch goes with neither --list, --at nor --dry-run": watch and (listed or past or session.dry_run),
        "--watch tells a line after each change, --json is one object": watch and session.json,
        "--at shows what was: post and upload what is": past and leaving,
        "--list only names files: try --dry-run": listed and leaving,
        "--what says what to --post, and nothing is to be posted": asked["what"] and not asked["posts"],
        "--post - prints text, --json is one object: try --dry-run": _STDOUT in asked["posts"]
        and session.json,
        "--dry-run shows what would be posted or run: try --list": session.dry_run and not leaving,
    }
    for said, given in senseless.items():
        if given:
            raise click.UsageError(said)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """What is to be published: the options of the command.

    folder: None where no pages are asked for; posts: names and addresses; then: the words of the command
    """

    folder: Path | None
    forms: tuple[str, ...]
    labels: Labels | None
    prizes: tuple[str, str] | None
    at: int | None
    posts: tuple[str, ...]
    what: tuple[str, ...]
    then: tuple[str, ...]
    insecure: bool


def _order(
    session: Session,
    desk: Desk,
    *,
    folder: str | None,
    prizes_file: str | None,
    labels_file: str | None,
    then: str | None,
    posts: tuple[str, ...],
    at: int | None,
    forms: tuple[str, ...],
    what: tuple[str, ...],
    insecure: bool,
) -> _Order:
    from tourney.desk.publishing import public_folder

    labels = session.labels(labels_file)
    prizes = (session.read_text(prizes_file), source_of(prizes_file)) if prizes_file else None
    named = Path(folder) if folder else None  # what was must not take the place of what is
    to = named or (Path(f"pages-{at}") if at is not None else public_folder(desk))
    if to is None and (then or forms or not posts):
        to = Path("pages")
    return _Order(
        folder=to,
        forms=forms,
        labels=labels,
        prizes=prizes,
        at=at,
        posts=posts,
        what=what,
        then=_words_of(then) if then else (),
        insecure=insecure,
    )


def _words_of(line: str) -> tuple[str, ...]:
    """Part a command line into its words, as a shell would. Raises UsageError where it cannot be."""
    windows = sys.platform == "win32"
    try:
        words = shlex.split(line, posix=not windows)
    except ValueError as fault:
        raise click.UsageError(f"--then: the command is not whole: {str(fault).lower()}") from None
    if not words:
        raise click.UsageError("--then: names no command")
    return tuple(word.strip('"') for word in words) if windows else tuple(words)


def _list(session: Session, desk: Desk, order: _Order) -> None:
    """Name what would be published; nothing is made or written."""
    files = _named(desk if order.at is None else desk.as_of(order.at), order)
    if session.json:
        past = {} if order.at is None else {"at": order.at}
        counts = {"written": 0, "removed": 0, "left": []}
        session.emit("publish/1", {"folder": str(order.folder), "files": files, **counts, **past})
    else:
        session.say("\n".join(files))


def _named(desk: Desk, order: _Order) -> list[str]:
    from tourney.desk.forecasting import needs_for_all
    from tourney.desk.views import event_view
    from tourney.publish import FORMS, files

    return sorted(
        files(event_view(desk, why=False, needs=needs_for_all(desk, 0)), order.forms or tuple(FORMS))
    )


@dataclass(slots=True)
class _Done:
    """What came of it.

    then: what the command after it left with, None where none was run; owed: whether it is still to be run
    faults: what went wrong, each with what helps
    """

    pages: Published | None = None
    posts: list[Post] = field(default_factory=list)
    then: int | None = None
    owed: bool = False
    faults: list[tuple[str, str | None]] = field(default_factory=list)

    @property
    def nothing(self) -> bool:
        """Whether nothing was done at all."""
        return self.pages is None and self.then is None and not any(each.sent for each in self.posts)

    @property
    def unsure(self) -> bool:
        """Whether nobody can know if something was posted."""
        return any(each.unsure for each in self.posts)

    @property
    def exit(self) -> Exit:
        """What the command leaves with."""
        if not self.faults:
            return Exit.DONE
        if self.unsure:
            return Exit.UNVERIFIED
        return Exit.REFUSED if self.nothing else Exit.FOUND


def _carry_out(session: Session, desk: Desk, order: _Order, outbox: Outbox, *, upload: bool = True) -> _Done:
    """Write the pages, run the command, post: in this order, so that what is posted can be looked up.

    upload: whether the command is run also where no page changed
    """
    from tourney.desk import posting, publishing

    addresses = [each for each in order.posts if each != _STDOUT]
    for each in addresses:
        # A name that is none is refused before anything is written.
        outbox.find(each, insecure=order.insecure)
    done = _Done()
    if order.folder is not None and not session.dry_run:
        done.pages = publishing.publish(
            desk,
            order.folder,
            order.forms,
            at=order.at,
            labels=order.labels,
            prizes=order.prizes,
            watch=session.explaining,
        )
    changed = done.pages is not None and (done.pages.changes.written or done.pages.changes.removed)
    if order.then and not session.dry_run and (upload or changed):
        _run(order, done)
    if order.posts:
        done.posts = posting.post(
            desk,
            addresses,
            outbox=outbox,
            kinds=order.what,
            labels=order.labels,
            insecure=order.insecure,
            trial=session.dry_run,
        )
        done.faults += [(posting.not_posted(each), each.hint) for each in done.posts if each.fault]
    if _STDOUT in order.posts:
        _print(session, desk, order)
    return done


def _run(order: _Order, done: _Done) -> None:
    from tourney.store.folder import run

    assert order.folder is not None, "a command is run on a folder"
    done.owed = True
    try:
        done.then = run(order.then, order.folder)
    except TourneyError as fault:
        done.faults.append((fault.message, fault.hint or "the pages stand; run it by hand"))
        return
    done.owed = done.then != 0
    if done.then:
        how = f"left with {done.then}" if done.then > 0 else f"was ended by signal {-done.then}"
        done.faults.append((f"`{order.then[0]}` {how}", "the pages stand; what it said is above"))


def _print(session: Session, desk: Desk, order: _Order) -> None:
    """Print what there is to post: all of it, as nobody knows what was pasted."""
    from tourney.desk import posting
    from tourney.desk.views import event_view

    due = posting.messages(event_view(desk, why=False), order.what, order.labels or desk.labels)
    if due:
        session.say("\n\n".join(each.text for each in due))
    else:
        session.talk("nothing to post yet: no round is paired")


def _tell(session: Session, order: _Order, done: _Done) -> Exit:
    """Say what was done and what was not; what is done stands, whoever can read the answer or not.

    Raises TourneyError where nothing was done at all.
    """
    if done.faults and done.nothing and _STDOUT not in order.posts:
        message, hint = "\n".join(fault for fault, _ in done.faults), done.faults[0][1]
        raise (UnsettledError if done.unsure else TourneyError)(message, hint)
    told = _pages_line(order, done)
    with already_written(told) if told else nullcontext():
        if session.json:
            session.emit("publish/1", _json(session, order, done))
        else:
            _say(session, order, done, told)
    for said in done.pages.warnings if done.pages else ():
        session.warn(said)
    for fault, hint in done.faults:
        session.warn(fault, hint)
    for each in done.posts:
        if each.warning:
            session.warn(each.warning)
    return done.exit


def _pages_line(order: _Order, done: _Done) -> str:
    return f"{order.folder}{as_of(order.at)}: {done.pages.text}" if done.pages else ""


def _say(session: Session, order: _Order, done: _Done, told: str) -> None:
    if session.dry_run:
        session.talk("dry run: nothing is written, posted or run")
        if order.then:
            session.changed(f"{order.folder}: would be written, then: {shlex.join(order.then)}")
    if done.pages:
        session.changed(told)
        _mind(session, str(order.folder), done.pages.changes, html="index.html" in done.pages.files)
    if done.then == 0:
        session.changed(f"`{order.then[0]}` is done")
    for each in done.posts:
        if each.sent or not each.fault:
            session.changed(each.text)
        for body in each.bodies:
            session.say(json_text(body))


def _json(session: Session, order: _Order, done: _Done) -> dict[str, Any]:
    pages = done.pages
    changes = pages.changes._asdict() if pages else {"written": 0, "removed": 0, "left": []}
    told: dict[str, Any] = {
        "folder": None if order.folder is None else str(order.folder),
        "files": list(pages.files) if pages else [],
        **changes,
    }
    if order.at is not None:
        told["at"] = order.at
    if order.then:
        told["then"] = {"command": list(order.then), "exit_code": done.then}
    if order.posts:
        told["posts"] = [
            {
                "to": each.to,
                "posted": [
                    {"kind": sent.kind, "round": sent.round, "title": sent.title, "corrected": sent.corrected}
                    for sent in each.sent
                ],
                "payloads": each.bodies,
                "fault": each.fault or None,
                "unsure": each.unsure,
            }
            for each in done.posts
        ]
    if session.dry_run:
        told["dry_run"] = True
    return told


def _mind(session: Session, folder: str, done: FolderChanges, *, html: bool) -> None:
    if done.left:
        session.warn(
            f"{folder}: no longer published, but not removed: {listed_short(done.left)}",
            "an earlier version wrote them, or they were changed since: delete by hand what is not needed",
        )
    if html:
        session.talk(f"open {Path(folder) / 'index.html'} in a browser, or copy the folder to any web space")


# -- Addresses, kept with the user


def _keep(session: Session, remember: tuple[str, str] | None, forget: str | None, *, insecure: bool) -> None:
    """Keep an address, forget one, or list them; none of them is ever printed."""
    from tourney.store.outbox import PostAddress

    outbox = session.outbox()
    said = []
    if remember:
        name, url = remember
        if url == _STDOUT:
            url = (session.ask("address: ") or "") if session.in_a_terminal else session.read_text(_STDOUT)
        address = PostAddress(url.strip(), insecure)
        verb = "takes the place of another" if outbox.remember(name, address) else "is kept"
        said.append(f"{name}: {address.told} {verb}, for you alone")
    if forget:
        outbox.forget(forget)
        said.append(f"{forget}: forgotten")
    kept = outbox.addresses()
    if session.json:
        told = [
            {"name": name, "at": kept[name].told, "insecure": kept[name].insecure} for name in sorted(kept)
        ]
        session.emit("addresses/1", {"addresses": told})
        return
    for sentence in said:
        session.changed(sentence)
    if not said and kept:
        session.table(["name", "at"], [[name, kept[name].told] for name in sorted(kept)])
    elif not said:
        session.talk("no address is kept: `tourney publish --remember NAME -`")
    if remember:
        session.talk(
            f"`tourney publish --post {remember[0]}` posts there, `event change --set post_to={remember[0]}` every round"
        )


# -- Publishing after each change


def _watch(session: Session, order: _Order) -> Exit:
    """Publish after each change of the event, a line each time, until Ctrl-C.

    The file is asked for its size and time once a second, and opened only when they changed. A file that is locked, moved
    away or damaged for the moment is waited for; what could not be published, posted or run is tried again later.
    """
    name = session.place.name
    session.talk(f"watching {name}: Ctrl-C ends it")
    try:
        with session.place.looking() as looks_like:
            watcher = _Watcher(session, order, name, looks_like)
            while True:
                watcher.look()
                time.sleep(_LOOKS_EVERY)
    except KeyboardInterrupt:
        session.talk("stopped watching")
    return Exit.DONE


@dataclass(slots=True)
class _Watcher:
    """What `--watch` remembers between two looks.

    name: the event in messages; looks_like: asks how it looks, as the `looking` of its place does
    seen: how it looked when all was published last; shown: the event's digest then
    told: the last warning, which is not repeated
    failed: how it looked when something failed last; wait: looks to sit out then, unless it changes
    upload: whether the command is to be run though no page changed
    """

    session: Session
    order: _Order
    name: str
    looks_like: Callable[[], object]
    seen: object = None
    shown: str = ""
    told: str = ""
    failed: object = None
    wait: int = 0
    upload: bool = True

    def look(self) -> None:
        """Publish if there is something new."""
        try:
            now = self.looks_like()
        except TourneyError as fault:  # a database that is away for the moment
            self._warn(f"{fault.message}; trying again")
            return
        if now is None:
            self._warn(f"{self.name} is not there; waiting for it")
            return
        if now == self.seen:
            if self.told:
                self.session.talk(f"{self.name} is there again, unchanged")
                self.told = ""
            return
        if self.wait and now == self.failed:
            self.wait -= 1
            return
        try:
            with self.session.desk() as desk:
                self.session.desks.clear()
                shown = desk.state.digest
                whole = shown == self.shown or self._publish(desk)
        except TourneyError as fault:
            self._warn(f"{fault.message}; trying again")
            whole = False
        if whole:
            self.seen, self.shown, self.told = now, shown, ""
        else:
            self.failed, self.wait = now, _RESTS

    def _publish(self, desk: Desk) -> bool:
        """Publish, and say so in a line. Say whether nothing is left to be done."""
        order = self.order
        done = _carry_out(self.session, desk, order, self.session.outbox(), upload=self.upload)
        self.upload = done.owed
        parts = [_pages_line(order, done)] if done.pages and any(done.pages.changes[:2]) else []
        parts += [f"`{order.then[0]}` is done"] if done.then == 0 else []
        parts += [each.text for each in done.posts if each.sent]
        if parts:
            self.session.changed(
                f"{self.session.now():%H:%M:%S}, entry {desk.state.entry}: {'; '.join(parts)}"
            )
            sys.stdout.flush()
        for said in done.pages.warnings if done.pages else ():
            self._warn(said)
        for fault, _ in done.faults:
            self._warn(f"{fault}; trying again")
        return not done.faults

    def _warn(self, text: str) -> None:
        """Warn, unless that was the last warning."""
        if text != self.told:
            self.session.warn(text)
        self.told = text
