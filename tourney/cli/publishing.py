"""Publishing: what is asked for, what comes of it, and the pages and posts that go with a change of the event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tourney.cli.output import Exit
from tourney.cli.session import Session, answer
from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.desk import Desk, Published, Receipt
    from tourney.desk.publishing import Post
    from tourney.desk.views import Watch
    from tourney.publish import Labels
    from tourney.standings.explaining import Explanation
    from tourney.store.outbox import Outbox


STDOUT = "-"
"""The address that is nobody's: what would be posted is printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
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


@dataclass(slots=True)
class Done:
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


def carry_out(session: Session, desk: Desk, order: Order, outbox: Outbox, *, upload: bool = True) -> Done:
    """Write the pages, run the command, post: in this order, so that what is posted can be looked up.

    upload: whether the command is run also where no page changed
    """
    from tourney.desk import publishing

    addresses = [each for each in order.posts if each != STDOUT]
    for each in addresses:
        # A name that is none is refused before anything is written.
        outbox.find(each, insecure=order.insecure)
    done = Done()
    if order.folder is not None and not session.dry_run:
        done.pages = desk.publish(
            order.folder,
            order.forms,
            at=order.at,
            labels=order.labels,
            prizes=order.prizes,
            watch=explaining(session),
        )
    changed = done.pages is not None and (done.pages.changes.written or done.pages.changes.removed)
    if order.then and not session.dry_run and (upload or changed):
        _run(order, done)
    if order.posts:
        done.posts = publishing.post(
            desk,
            addresses,
            outbox=outbox,
            kinds=order.what,
            labels=order.labels,
            insecure=order.insecure,
            trial=session.dry_run,
        )
        done.faults += [(publishing.not_posted(each), each.hint) for each in done.posts if each.fault]
    if STDOUT in order.posts:
        _print(session, desk, order)
    return done


def _run(order: Order, done: Done) -> None:
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


def _print(session: Session, desk: Desk, order: Order) -> None:
    """Print what there is to post: all of it, as nobody knows what was pasted."""
    from tourney.desk import publishing
    from tourney.desk.views import event_view

    due = publishing.messages(event_view(desk, why=False), order.what, order.labels)
    if due:
        session.say("\n\n".join(each.text for each in due))
    else:
        session.talk("nothing to post yet: no round is paired")


# -- What is published with a change


def explaining(session: Session) -> Watch:
    """Return what shows how far the places are explained, which takes longest."""

    def walk(places: Iterable[Explanation], number: int) -> Iterator[Explanation]:
        with session.progress(places, "explaining places", number) as walked:
            yield from walked

    return walk


def answer_seated(session: Session, change: Callable[[Desk], Receipt]) -> None:
    """Make a change of who sits where and answer; pages that show the seats as they were are published anew."""
    with session.desk() as desk:
        before = desk.state
        receipt = change(desk)
        if not session.dry_run:
            receipt = desk.with_new_seats(receipt, before, watch=explaining(session))
        answer(session, receipt)


def published(session: Session, desk: Desk, receipt: Receipt) -> Receipt:
    """Publish to the folder and post to the addresses that the event names, and say so in the receipt."""
    return desk.with_pages_and_posts(receipt, outbox=session.outbox, watch=explaining(session))
