"""`tourney publish`: write the public pages, post to chats, and run an upload command."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
from msgspec import UNSET, Struct, field
from msgspec.structs import replace

from tourney.cli.command import command
from tourney.cli.options import at_entry, flag, gather_options, post_names, repeatable
from tourney.cli.output import json_text
from tourney.cli.session import Exit, Session, source_of
from tourney.desk import Desk, posting, publishing
from tourney.desk.files import Published
from tourney.desk.forecasting import needs_for_all
from tourney.desk.posting import Addresses, AddressRow, Post
from tourney.desk.publishing import CommandRun, PublishDocument, public_folder
from tourney.desk.views import event_view
from tourney.document import or_unset
from tourney.errors import TourneyError, UnsettledError
from tourney.publish import FORMS, files
from tourney.store.folder import FolderChanges, run
from tourney.store.outbox import Outbox, PostAddress
from tourney.wording import as_of, listed_short

_STDOUT = "-"
"""The value of `--post` that prints the posts instead of sending them."""

_LOOKS_EVERY = 1.0
"""The number of seconds between two checks of the event."""

_RETRY_AFTER = 10
"""The number of checks to skip after a failure, unless the event changes."""


def _words_of(_: click.Context, __: click.Parameter, line: str | None) -> tuple[str, ...]:
    """Split a command line into words, as a shell would.

    Raises UsageError if that is impossible.
    """
    windows = sys.platform == "win32"
    try:
        words = shlex.split(line, posix=not windows) if line is not None else []
    except ValueError as fault:
        raise click.UsageError(f"--then: the command is incomplete: {str(fault).lower()}") from None
    if line is not None and not words:
        raise click.UsageError("--then: the command is empty")
    return tuple(word.strip('"') for word in words) if windows else tuple(words)


class _Order(Struct, frozen=True, kw_only=True):
    """The options that say what to publish, and where.

    folder: the folder for pages; None to write no pages
    posts:  names of remembered addresses, or addresses
    then:   the command to run after the pages are written, split into words; empty for none
    """

    folder: Path | None
    forms: tuple[str, ...]
    prizes_file: str | None
    at: int | None
    posts: tuple[str, ...]
    what: tuple[str, ...]
    then: tuple[str, ...]
    insecure: bool


@command("publish", event=True)
@click.option(
    "--to",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The folder to write into. Default: the event's setting `publish_to`, or `pages`; "
    "with --at `pages-ENTRY`.",
)
@repeatable(
    "--form", "forms", metavar="FORM", help="Only this form: html, sheets, markdown, text, csv or json."
)
@click.option(
    "--prizes",
    "prizes_file",
    type=click.Path(allow_dash=True),
    help="A file of prizes, as for `event prizes`; the final ranking shows them.",
)
@flag("--list", "only_list", help="Only list the files that would be written.")
@repeatable(
    "--post",
    "posts",
    metavar="NAME|URL|-",
    shell_complete=post_names,
    help="Post new pairings and standings to a webhook of Discord or another service; `-` prints them. "
    "Pages are written only if you name a folder.",
)
@repeatable(
    "--what",
    type=click.Choice(["pairings", "standings"]),
    help="Post only this, even if it was posted before. Default: the pairings of a new round "
    "and the standings after a round, each once.",
)
@click.option(
    "--then",
    metavar="COMMAND",
    callback=_words_of,
    help="The command to run after the pages are written, for example rsync or git push. It runs without "
    "a shell, and its output goes to stderr.",
)
@flag("--watch", help="Keep running, and publish after each change of the event, until Ctrl-C.")
@flag("--insecure", help="Also post to http, and to https servers with an untrusted certificate.")
@flag("--dry-run", "dry_run", help="Show what would be posted and run, without doing it.")
@click.option(
    "--remember",
    nargs=2,
    metavar="NAME URL|-",
    help="Save an address for --post under a name. It is saved for your user, not in the event; "
    "`-` reads it from standard input.",
)
@click.option("--forget", metavar="NAME", shell_complete=post_names, help="Delete a saved address.")
@flag("--addresses", help="List the saved addresses by name.")
@at_entry
@gather_options("order", _Order)
def cli(
    session: Session,
    *,
    only_list: bool,
    watch: bool,
    remember: tuple[str, str] | None,
    forget: str | None,
    addresses: bool,
    order: _Order,
) -> Exit | None:
    """Publish the event: write pages, print sheets and tables into a folder; post to chats.

    The folder gets pages for phones, print sheets, Markdown, text, CSV and JSON. Publishing again writes only
    files that changed, and leaves other files in the folder alone. Decklists are published once the event
    opens them (the setting `decklists`); contacts are never published. If a post fails, this is reported, and
    everything else is still done.

    Examples:
      tourney publish --to pages
      tourney publish --to pages --form html --form csv
      tourney publish --list
      tourney publish --at 57
      tourney publish --prizes prizes.toml
      tourney publish --remember friday-discord -
      tourney publish --post friday-discord
      tourney publish --post friday-discord --what pairings --dry-run
      tourney publish --post -
      tourney publish --to pages --then "rsync -a pages/ shop.example:friday/"
      tourney publish --to pages --post friday-discord --watch

    Exits with:
      1  The pages are written, but a post was refused or the command after them failed.
      3  Nothing was written, posted or run.
      4  A post was sent and no answer came: it may or may not have arrived.
    """
    _refuse_conflicts(session, order, only_list=only_list, watch=watch)
    if remember or forget or addresses:
        _manage_addresses(session, remember, forget, insecure=order.insecure)
        return None
    with session.desk() as desk:
        order = replace(order, folder=_folder(desk, order))
        if only_list:
            _list(session, desk, order)
            return None
        if not watch:
            return _report(session, order, _carry_out(session, desk, order, session.outbox()))
    return _watch(session, order)


def _refuse_conflicts(session: Session, order: _Order, *, only_list: bool, watch: bool) -> None:
    """Raise UsageError for options that cannot be combined."""
    is_past, uploads = order.at is not None, order.posts or order.then
    conflicts = {
        "--watch cannot be combined with --list, --at or --dry-run": watch
        and (only_list or is_past or session.dry_run),
        "--watch prints a line after each change, but --json is one object": watch and session.json,
        "--at shows a past state, which cannot be posted or uploaded": is_past and uploads,
        "--list only lists files; to see what would be posted or run, use --dry-run": only_list and uploads,
        "--what needs --post": order.what and not order.posts,
        "--post - prints text, but --json is one object; use --dry-run": _STDOUT in order.posts
        and session.json,
        "--dry-run shows what would be posted or run; to list the files, use --list": session.dry_run
        and not uploads,
    }
    for message, applies in conflicts.items():
        if applies:
            raise click.UsageError(message)


def _folder(desk: Desk, order: _Order) -> Path | None:
    """Return the folder for pages; None if only posts are asked for and the event has no folder."""
    if order.folder is not None:
        return order.folder
    if order.at is not None:  # pages of a past state must not replace the current pages
        return Path(f"pages-{order.at}")
    needs_pages = order.then or order.forms or not order.posts
    return public_folder(desk) or (Path("pages") if needs_pages else None)


def _list(session: Session, desk: Desk, order: _Order) -> None:
    """List the files that would be published."""
    desk = desk if order.at is None else desk.as_of(order.at)
    view = event_view(desk, with_reasons=False, needs=needs_for_all(desk, 0))
    names = tuple(sorted(files(view, order.forms or tuple(FORMS))))
    session.emit(
        PublishDocument(
            folder=str(order.folder), files=names, written=0, removed=0, left=(), at=or_unset(order.at)
        )
    )
    session.say(names)


class _Outcome(Struct):
    """The outcome of publishing.

    exit_code: the exit code of the command that runs afterwards; None if it did not run
    is_owed: whether that command still has to succeed, so that `--watch` runs it again
    faults: the errors, with hints
    """

    pages: Published | None = None
    posts: list[Post] = field(default_factory=list)
    exit_code: int | None = None
    is_owed: bool = False
    faults: list[tuple[str, str | None]] = field(default_factory=list)

    @property
    def did_nothing(self) -> bool:
        """Whether no page was written, no command was run and no post was sent."""
        return self.pages is None and self.exit_code is None and not any(post.messages for post in self.posts)

    @property
    def is_unsure(self) -> bool:
        """Whether a post may have arrived although the service did not answer."""
        return any(post.unsure for post in self.posts)

    @property
    def exit(self) -> Exit:
        """The exit code."""
        if not self.faults:
            return Exit.DONE
        if self.is_unsure:
            return Exit.UNVERIFIED
        return Exit.REFUSED if self.did_nothing else Exit.FOUND


def _carry_out(
    session: Session, desk: Desk, order: _Order, outbox: Outbox, *, upload: bool = True
) -> _Outcome:
    """Write the pages, run the `--then` command, then post, so that posts can link to the pages.

    upload: whether to run the command even if no page changed
    """
    addresses = [address for address in order.posts if address != _STDOUT]
    for address in addresses:
        outbox.find(address, insecure=order.insecure)  # refuses an unknown name before anything is written
    outcome = _Outcome()
    prizes = (
        (session.read_text(order.prizes_file), source_of(order.prizes_file)) if order.prizes_file else None
    )
    if order.folder is not None and not session.dry_run:
        outcome.pages = publishing.publish(
            desk, order.folder, order.forms, at=order.at, prizes=prizes, watch=session.explaining
        )
    has_changes = outcome.pages is not None and (
        outcome.pages.changes.written or outcome.pages.changes.removed
    )
    if order.then and not session.dry_run and (upload or has_changes):
        _run(order, outcome)
    if order.posts:
        outcome.posts = posting.post(
            desk, addresses, outbox=outbox, kinds=order.what, insecure=order.insecure, trial=session.dry_run
        )
        outcome.faults += [(posting.not_posted(post), post.hint) for post in outcome.posts if post.fault]
    if _STDOUT in order.posts:
        _print_posts(session, desk, order)
    return outcome


def _run(order: _Order, outcome: _Outcome) -> None:
    assert order.folder is not None, "`--then` always has a folder"
    outcome.is_owed = True
    try:
        outcome.exit_code = run(order.then, order.folder)
    except TourneyError as fault:
        outcome.faults.append(
            (fault.message, fault.hint or "the pages are written; run the command yourself")
        )
        return
    outcome.is_owed = outcome.exit_code != 0
    if outcome.exit_code:
        ending = (
            f"exited with {outcome.exit_code}"
            if outcome.exit_code > 0
            else f"was ended by signal {-outcome.exit_code}"
        )
        outcome.faults.append(
            (f"`{order.then[0]}` {ending}", "the pages are written; the command's output is above")
        )


def _print_posts(session: Session, desk: Desk, order: _Order) -> None:
    """Print all posts, for the user to paste into a chat.

    The program cannot know which of them have been pasted already.
    """
    messages = posting.messages(event_view(desk, with_reasons=False), order.what)
    if messages:
        session.say("\n\n".join(message.text for message in messages))
    else:
        session.talk("nothing to post yet: no round is paired")


def _report(session: Session, order: _Order, outcome: _Outcome) -> Exit:
    """Show what was done and what failed.

    Raises TourneyError if nothing was done.
    """
    if outcome.faults and outcome.did_nothing and _STDOUT not in order.posts:
        message, hint = "\n".join(fault for fault, _ in outcome.faults), outcome.faults[0][1]
        raise (UnsettledError if outcome.is_unsure else TourneyError)(message, hint)
    pages_line = _pages_line(order, outcome)
    with session.answering(pages_line):
        session.emit(_document(session, order, outcome))
        _show(session, order, outcome, pages_line)
    for warning in outcome.pages.warnings if outcome.pages else ():
        session.warn(warning)
    for fault, hint in outcome.faults:
        session.warn(fault, hint)
    for post in outcome.posts:
        if post.warning:
            session.warn(post.warning)
    return outcome.exit


def _pages_line(order: _Order, outcome: _Outcome) -> str:
    return f"{order.folder}{as_of(order.at)}: {outcome.pages.text}" if outcome.pages else ""


def _show(session: Session, order: _Order, outcome: _Outcome, pages_line: str) -> None:
    if session.dry_run:
        session.talk("dry run: nothing is written, posted or run")
        if order.then:
            session.say_change(f"would write {order.folder}, then run: {shlex.join(order.then)}")
    if outcome.pages:
        session.say_change(pages_line)
        _warn_of_leftovers(
            session, str(order.folder), outcome.pages.changes, html="index.html" in outcome.pages.files
        )
    if outcome.exit_code == 0:
        session.say_change(f"`{order.then[0]}` succeeded")
    for post in outcome.posts:
        if post.messages or not post.fault:
            session.say_change(post.text)
        for body in post.bodies:
            session.say(json_text(body))


def _document(session: Session, order: _Order, outcome: _Outcome) -> PublishDocument:
    pages = outcome.pages
    changes = pages.changes if pages else FolderChanges(0, 0)
    return PublishDocument(
        folder=None if order.folder is None else str(order.folder),
        files=pages.files if pages else (),
        **changes._asdict(),
        at=or_unset(order.at),
        then=CommandRun(order.then, outcome.exit_code) if order.then else UNSET,
        posts=tuple(post.document for post in outcome.posts) if order.posts else UNSET,
        dry_run=True if session.dry_run else UNSET,
    )


def _warn_of_leftovers(session: Session, folder: str, changes: FolderChanges, *, html: bool) -> None:
    if changes.left:
        session.warn(
            f"{folder}: these files are no longer published, but were not removed: "
            f"{listed_short(changes.left)}",
            "an earlier version of tourney wrote them, or they were changed since: "
            "delete those you do not need",
        )
    if html:
        session.talk(f"open {Path(folder) / 'index.html'} in a browser, or copy the folder to any web server")


# -- Saved addresses


def _manage_addresses(
    session: Session, remember: tuple[str, str] | None, forget: str | None, *, insecure: bool
) -> None:
    """Save or delete an address for posts, such as a chat's webhook, or list the addresses.

    An address is never printed in full.
    """
    outbox = session.outbox()
    lines = []
    if remember:
        name, url = remember
        if url == _STDOUT:
            url = (session.ask("address: ") or "") if session.in_a_terminal else session.read_text(_STDOUT)
        address = PostAddress(url.strip(), insecure)
        verb = "replaces another address" if outbox.remember(name, address) else "is saved"
        lines.append(f"{name}: {address.origin} {verb}, for your user only")
    if forget:
        outbox.forget(forget)
        lines.append(f"{forget}: deleted")
    saved_addresses = outbox.addresses()
    rows = tuple(
        AddressRow(name, saved_addresses[name].origin, saved_addresses[name].insecure)
        for name in sorted(saved_addresses)
    )
    session.emit(Addresses(addresses=rows))
    for line in lines:
        session.say_change(line)
    if not lines and saved_addresses:
        session.table(["name", "at"], [[row.name, row.at] for row in rows])
    elif not lines:
        session.talk("no address is saved: `tourney publish --remember NAME -`")
    if remember:
        session.talk(
            f"`tourney publish --post {remember[0]}` posts to this address; "
            f"`tourney event change --set post_to={remember[0]}` posts to it in every round"
        )


# -- Publishing after each change


def _watch(session: Session, order: _Order) -> Exit:
    """Publish after each change of the event, with a line each time, until Ctrl-C.

    The size and time of the file are checked once a second, and it is opened only if they changed. While the
    file is locked, missing or damaged, the command waits. If a page, a post or the upload command fails, it
    is tried again later.
    """
    name = session.place.name
    session.talk(f"watching {name}; press Ctrl-C to stop")
    try:
        with session.place.looking() as read_state:
            watcher = _Watcher(session, order, name, read_state)
            while True:
                watcher.look()
                time.sleep(_LOOKS_EVERY)
    except KeyboardInterrupt:
        session.talk("stopped watching")
    return Exit.DONE


class _Watcher(Struct):
    """The state of `--watch` between two checks.

    name: the event's name in messages
    read_state: a function that returns a value which changes with every entry; None if the event is missing
    published_state: the value of `read_state` when everything was last published
    published_digest: the digest of the event when everything was last published
    last_warning: the last warning, which is not repeated
    failed_state: the value of `read_state` at the last failure
    wait: the number of checks to skip after a failure, unless the event changes
    upload: whether to run the command even if no page changed
    """

    session: Session
    order: _Order
    name: str
    read_state: Callable[[], object]
    published_state: object = None
    published_digest: str = ""
    last_warning: str = ""
    failed_state: object = None
    wait: int = 0
    upload: bool = True

    def look(self) -> None:
        """Publish if the event has changed since it was last published."""
        try:
            current_state = self.read_state()
        except TourneyError as fault:  # such as a database that is out of reach for the moment
            self._warn(f"{fault.message}; trying again")
            return
        if current_state is None:
            self._warn(f"{self.name} is missing; waiting for it")
            return
        if current_state == self.published_state:
            if self.last_warning:
                self.session.talk(f"{self.name} is back, unchanged")
                self.last_warning = ""
            return
        if self.wait and current_state == self.failed_state:
            self.wait -= 1
            return
        try:
            with self.session.desk() as desk:
                self.session.desks.clear()
                digest = desk.state.digest
                is_complete = digest == self.published_digest or self._publish(desk)
        except TourneyError as fault:
            self._warn(f"{fault.message}; trying again")
            is_complete = False
        if is_complete:
            self.published_state, self.published_digest, self.last_warning = current_state, digest, ""
        else:
            self.failed_state, self.wait = current_state, _RETRY_AFTER

    def _publish(self, desk: Desk) -> bool:
        """Publish, and show a line about it. Return whether everything succeeded."""
        order = self.order
        outcome = _carry_out(self.session, desk, order, self.session.outbox(), upload=self.upload)
        self.upload = outcome.is_owed
        parts = [_pages_line(order, outcome)] if outcome.pages and any(outcome.pages.changes[:2]) else []
        parts += [f"`{order.then[0]}` succeeded"] if outcome.exit_code == 0 else []
        parts += [post.text for post in outcome.posts if post.messages]
        if parts:
            self.session.say_change(
                f"{self.session.now():%H:%M:%S}, entry {desk.state.entry}: {'; '.join(parts)}"
            )
            sys.stdout.flush()
        for warning in outcome.pages.warnings if outcome.pages else ():
            self._warn(warning)
        for fault, _ in outcome.faults:
            self._warn(f"{fault}; trying again")
        return not outcome.faults

    def _warn(self, text: str) -> None:
        """Show a warning, unless it repeats the last one."""
        if text != self.last_warning:
            self.session.warn(text)
        self.last_warning = text
