"""Posting to a chat: the pairings of a new round, and the standings after a complete one.

Each is posted once, and again, marked as corrected, if it is not what it was. The event knows nothing of it: what was
posted where is kept with the user (`tourney.store.outbox`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tourney.desk.open_event import OpenEvent
from tourney.desk.receipts import Receipt
from tourney.desk.views import event_view
from tourney.errors import TourneyError, UnsettledError
from tourney.event.view import EventView
from tourney.publish import chat
from tourney.publish.chat import ChatMessage
from tourney.store.files import fault_words
from tourney.store.http import Http, Limits, Unreachable
from tourney.store.outbox import Outbox, PostAddress, Sent, notify
from tourney.wording import listed

OpenOutbox = Callable[[], Outbox]
"""Opens what is kept with the user of addresses to post to; called only if something is posted."""

WHAT: dict[str, Callable[[EventView], ChatMessage | None]] = {
    "standings": chat.standings,
    "pairings": chat.pairings,
}
"""What can be posted, in the order in which it is: the round that is over comes before the one that begins."""

LIMITS = Limits(deadline=60.0, silence=10.0, tries=4, pause=0.5)
BETWEEN_ROUNDS = Limits(deadline=15.0, silence=8.0, tries=3, pause=0.5)
"""Nobody waits longer for a chat while a round is to begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """What came of posting to one address.

    to:      the name it is kept under, or as much of the address as may be told
    sent:    what went out; in a trial what would
    bodies:  in a trial what would be sent, in order
    fault:   why the rest was not posted; unsure: whether it may have been all the same; hint: what helps
    warning: what went wrong, though it was posted
    """

    to: str
    sent: tuple[ChatMessage, ...] = ()
    bodies: tuple[dict[str, Any], ...] = ()
    fault: str = ""
    hint: str | None = None
    unsure: bool = False
    warning: str = ""

    @property
    def text(self) -> str:
        """What was posted, in a sentence: `friday-discord: posted standings after round 2 and pairings of round 3`."""
        verb = "would be posted" if self.bodies else "posted"
        return f"{self.to}: {verb}: {self.what}" if self.sent else f"{self.to}: nothing new to post"

    @property
    def what(self) -> str:
        """What went out: `standings after round 2 and pairings of round 3`."""
        return listed([f"{each.what}{' (corrected)' if each.corrected else ''}" for each in self.sent])


def messages(view: EventView, kinds: Sequence[str] = ()) -> list[ChatMessage]:
    """Return what there is to post of an event. kinds: of `WHAT`; none: what anybody still needs to know.

    Nobody needs the pairings of a round that is complete.
    """
    over = not view.rounds or not view.rounds[-1].playing
    wanted = kinds or (["standings"] if over else [*WHAT])
    made = (make(view) for kind, make in WHAT.items() if kind in wanted)
    return [each for each in made if each is not None]


def post(
    event: OpenEvent,
    to: Sequence[str],
    *,
    outbox: Outbox,
    kinds: Sequence[str] = (),
    http: Http | None = None,
    insecure: bool = False,
    trial: bool = False,
) -> list[Post]:
    """Post to each of the addresses what is new there; with `kinds` these, whether they are new or not.

    to: names that are kept, or addresses; trial: nothing is sent

    What goes wrong at one address is told in its `Post` and hinders no other. Raises TourneyError for a name or an
    address that is none, before anything is sent.
    """
    named = {each: outbox.find(each, insecure=insecure) for each in dict.fromkeys(to)}
    if not named:
        return []
    event.ranked()  # refused where the lot cannot be drawn
    due = messages(event_view(event, why=False), kinds)
    begun = event.chain[0]
    made = []
    for name, address in named.items():
        label = name if name != address.url else address.origin
        known = outbox.posted().get(address.key, {}).get(begun, {})
        new = [each for each in (_as_new(message, known, asked=bool(kinds)) for message in due) if each]
        if trial:
            bodies = [body for message in new for body in _bodies(address, message)]
            made.append(Post(to=label, sent=tuple(new), bodies=tuple(bodies)))
        else:
            way = replace(http or Http(limits=LIMITS), insecure=address.insecure).together()
            made.append(_posted(label, address, new, known, begun, outbox=outbox, http=way))
    return made


def _key(message: ChatMessage) -> str:
    return f"{message.kind} {message.round}"


def _as_new(message: ChatMessage, known: dict[str, Sent], *, asked: bool) -> ChatMessage | None:
    """Return a message as it is to be posted; None where it was, and nobody asked for it by name."""
    before = known.get(_key(message))
    same = before is not None and before.digest == message.digest
    if same and before is not None and before.whole and not asked:
        return None
    return replace(message, corrected=before is not None and not same)


def _bodies(address: PostAddress, message: ChatMessage) -> list[dict[str, Any]]:
    return chat.payloads(message, chat.service_of(address.url))


def _posted(
    label: str,
    address: PostAddress,
    new: Sequence[ChatMessage],
    known: dict[str, Sent],
    event: str,
    *,
    outbox: Outbox,
    http: Http,
) -> Post:
    sent: list[ChatMessage] = []
    warning = ""
    pause = 0.0
    for message in new:
        bodies = _bodies(address, message)
        before = known.get(_key(message))
        halfway = before is not None and before.digest == message.digest and not before.whole
        done = min(before.parts, len(bodies)) if halfway and before is not None else 0
        fault: TourneyError | None = None
        try:
            for body in bodies[done:]:
                http.sleep(_within(http, pause))
                pause = _send(http, address, body)
                done += 1
        except TourneyError as raised:
            fault = raised
        try:
            if done:
                note = Sent(digest=message.digest, parts=done, whole=fault is None)
                outbox.note(address, event, _key(message), note)
        except TourneyError as raised:
            warning = f"{raised.message}: the same will be posted again"
        if fault is not None:
            part = f" (part {done + 1} of {len(bodies)})" if len(bodies) > 1 else ""
            why = fault.message.removeprefix(f"{label}: ")  # which says already where it was to go
            return Post(
                to=label,
                sent=tuple(sent),
                fault=f"{message.what}{part}: {why}",
                hint=fault.hint,
                unsure=isinstance(fault, UnsettledError),
                warning=warning,
            )
        sent.append(message)
    return Post(to=label, sent=tuple(sent), warning=warning)


def _within(http: Http, pause: float) -> float:
    """Return the pause that a server asked for. Raises Unreachable where it ends after the deadline."""
    if http.budget is not None and http.clock() + pause > http.budget.end:
        raise Unreachable(f"the server wants no more posts for {pause:.0f} s")
    return pause


def _send(http: Http, address: PostAddress, body: dict[str, Any]) -> float:
    if chat.service_of(address.url) == "apprise":
        title, _, text = body["text"].partition("\n\n")
        notify(address, title, text)
        return 0.0
    return http.post(address.url, json.dumps(body, ensure_ascii=False).encode())


def with_posts(event: OpenEvent, receipt: Receipt, outbox: Outbox) -> Receipt:
    """Post what is new to where the event says it goes (`post_to`), as `Desk.with_pages_and_posts` has it."""
    names = event.state.settings.pages.post_to
    if not names:
        return receipt
    said: list[str] = []
    warnings: list[str] = []
    for name in names:
        try:
            (made,) = post(event, [name], outbox=outbox, http=Http(limits=BETWEEN_ROUNDS))
        except (Exception, KeyboardInterrupt) as fault:  # noqa: BLE001  what is done cannot fail any more
            warnings.append(
                f"nothing was posted to {name}: {why_failed(fault)}; the round stands all the same"
            )
            continue
        said += [f"Posted to {name}: {made.what}."] if made.sent else []
        if made.fault:
            warnings.append(
                f"{not_posted(made)}; the round stands all the same (`tourney publish --post {name}`)"
            )
        if made.warning:
            warnings.append(made.warning)
    return replace(receipt, changed=(*receipt.changed, *said), warnings=(*receipt.warnings, *warnings))


def not_posted(made: Post) -> str:
    """Say what was not posted, and why."""
    verb = "nobody can know whether it was posted" if made.unsure else "not posted"
    return f"{verb} to {made.to}: {made.fault}"


def why_failed(fault: BaseException, *, quoting: bool = False) -> str:
    """Return why something was not published or posted. quoting: with the message of a bug, which may hold an address."""
    if isinstance(fault, OSError):
        return fault_words(fault)
    if isinstance(fault, (TourneyError, KeyboardInterrupt)):
        return str(fault) or "interrupted"
    return f"a bug ({type(fault).__name__}{f': {fault}' if quoting else ''})"
