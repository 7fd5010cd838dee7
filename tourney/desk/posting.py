"""Post to a chat: the pairings of a new round, and the standings after a complete round.

A message is posted once. If it changes, it is posted again, marked as corrected. The record of posts is not
in the event but in the user's folder (`tourney.store.outbox`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tourney.desk.open_event import OpenEvent
from tourney.desk.receipts import Receipt
from tourney.desk.views import event_view
from tourney.document import Document
from tourney.errors import TourneyError, UnsettledError
from tourney.event.view import EventView
from tourney.publish import chat
from tourney.publish.chat import ChatMessage
from tourney.store.files import fault_words
from tourney.store.http import Http, Limits, Unreachable
from tourney.store.outbox import Outbox, PostAddress, Sent, notify
from tourney.wording import listed


class PostedPart(Struct, frozen=True):
    """A message that was posted: the pairings or the standings of a round.

    kind: `pairings` or `standings`
    round: the number of the round
    title: the name of the round
    corrected: whether it corrects an earlier message
    """

    kind: str
    round: int
    title: str
    corrected: bool


class PostsTo(Struct, frozen=True):
    """What was posted to an address.

    to: the name or the host of the address
    posted: the posts that were sent, or would be sent in a dry run, in order
    payloads: in a dry run, the data that the service would receive
    fault: why the rest was not posted; null if everything was posted
    unsure: whether a post may have arrived although the service did not answer
    """

    to: str
    posted: tuple[PostedPart, ...]
    payloads: tuple[Any, ...]
    fault: str | None
    unsure: bool


class AddressRow(Struct, frozen=True):
    """A stored address, such as a webhook, to which `tourney publish` can post.

    name: the name that the user gave to the address
    at: the beginning of the address, such as `https://discord.com/…`; the rest can be secret
    insecure: whether http and unverified certificates are allowed
    """

    name: str
    at: str
    insecure: bool


class Addresses(Document, frozen=True, tag="tourney.addresses/1"):
    """What `tourney publish --remember NAME ADDRESS --json` prints.

    addresses: the stored addresses, sorted by name
    """

    addresses: tuple[AddressRow, ...]


OpenOutbox = Callable[[], Outbox]
"""A function that returns the user's stored addresses and posts.

It is called only if something is posted.
"""

MESSAGE_MAKERS: dict[str, Callable[[EventView], ChatMessage | None]] = {
    "standings": chat.standings,
    "pairings": chat.pairings,
}
"""The kinds of posts, in the order of posting.

The standings of the finished round come before the next pairings.
"""

LIMITS = Limits(deadline=60.0, silence=10.0, tries=4, pause=0.5)
BETWEEN_ROUNDS = Limits(deadline=15.0, silence=8.0, tries=3, pause=0.5)
"""The time limits for posts between rounds, so that the desk does not wait long for a chat."""


class Post(Struct, frozen=True, kw_only=True):
    """The result of posting to one address.

    to:       the name of the address, or the part of the address that is not secret
    messages: the messages that were posted; in a trial, those that would be posted
    bodies:   in a trial, the bodies of the requests, in order
    fault:    why the other messages were not posted; empty if all were posted
    hint:     what to do about the fault
    unsure:   whether the next message may have been posted in spite of the fault
    warning:  a problem that occurred although the message was posted
    """

    to: str
    messages: tuple[ChatMessage, ...] = ()
    bodies: tuple[dict[str, Any], ...] = ()
    fault: str = ""
    hint: str | None = None
    unsure: bool = False
    warning: str = ""

    @property
    def text(self) -> str:
        """The result in a sentence: `friday-discord: posted: standings after round 2`."""
        verb = "would be posted" if self.bodies else "posted"
        return f"{self.to}: {verb}: {self.summary}" if self.messages else f"{self.to}: nothing new to post"

    @property
    def summary(self) -> str:
        """The messages that were posted: `standings after round 2 and pairings of round 3`."""
        return listed(
            f"{message.what}{' (corrected)' if message.corrected else ''}" for message in self.messages
        )

    @property
    def document(self) -> PostsTo:
        """The result of posting, in the form that `--json` prints."""
        return PostsTo(
            to=self.to,
            posted=tuple(
                PostedPart(message.kind, message.round, message.title, message.corrected)
                for message in self.messages
            ),
            payloads=self.bodies,
            fault=self.fault or None,
            unsure=self.unsure,
        )


def messages(view: EventView, kinds: Sequence[str] = ()) -> list[ChatMessage]:
    """Return the messages to post about an event.

    kinds: keys of `MESSAGE_MAKERS`; empty: all kinds, except the pairings of a complete round
    """
    is_over = not view.rounds or not view.rounds[-1].playing
    wanted_kinds = kinds or (["standings"] if is_over else [*MESSAGE_MAKERS])
    return [
        message
        for kind, make in MESSAGE_MAKERS.items()
        if kind in wanted_kinds and (message := make(view)) is not None
    ]


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
    """Post new messages to each address.

    to:    names of addresses, or addresses
    kinds: post only these messages, even if they are not new
    trial: send nothing

    A failure at one address is reported in its `Post` and does not affect the others. Raises TourneyError for
    an unknown name or an unusable address before anything is sent.
    """
    addresses = {name: outbox.find(name, insecure=insecure) for name in dict.fromkeys(to)}
    if not addresses:
        return []
    event.ranking_input()  # raises TourneyError if lots cannot be drawn
    due_messages = messages(event_view(event, with_reasons=False), kinds)
    event_id = event.chain[0]
    posts = []
    for name, address in addresses.items():
        label = name if name != address.url else address.origin
        earlier_posts = outbox.sent_posts().get(address.key, {}).get(event_id, {})
        new_messages = list(
            filter(
                None,
                (_message_to_post(message, earlier_posts, is_forced=bool(kinds)) for message in due_messages),
            )
        )
        if trial:
            bodies = tuple(body for message in new_messages for body in _bodies(address, message))
            posts.append(Post(to=label, messages=tuple(new_messages), bodies=bodies))
        else:
            client = replace(http or Http(limits=LIMITS), insecure=address.insecure).together()
            posts.append(
                _send_all(label, address, new_messages, earlier_posts, event_id, outbox=outbox, http=client)
            )
    return posts


def _key(message: ChatMessage) -> str:
    return f"{message.kind} {message.round}"


def _message_to_post(
    message: ChatMessage, earlier_posts: Mapping[str, Sent], *, is_forced: bool
) -> ChatMessage | None:
    """Return a message if it has to be posted, else None.

    The first message of its kind and round has to be posted. Any other is compared with the last one that
    was posted. If the two differ, it is marked as corrected. If they are the same, it is posted only if
    `is_forced`, or if the last post was not complete.
    """
    before = earlier_posts.get(_key(message))
    if before is None:
        return replace(message, corrected=False)
    is_same = before.digest == message.digest
    return None if is_same and before.whole and not is_forced else replace(message, corrected=not is_same)


def _bodies(address: PostAddress, message: ChatMessage) -> list[dict[str, Any]]:
    return chat.payloads(message, chat.service_of(address.url))


def _send_all(
    label: str,
    address: PostAddress,
    new_messages: Sequence[ChatMessage],
    earlier_posts: Mapping[str, Sent],
    event_id: str,
    *,
    outbox: Outbox,
    http: Http,
) -> Post:
    """Send messages to an address and record them.

    Continues where an earlier try was interrupted.
    """
    sent_messages: list[ChatMessage] = []
    warning = ""
    pause = 0.0
    for message in new_messages:
        bodies = _bodies(address, message)
        before = earlier_posts.get(_key(message))
        is_half_sent = before is not None and before.digest == message.digest and not before.whole
        sent_parts = min(before.parts, len(bodies)) if is_half_sent and before is not None else 0
        fault: TourneyError | None = None
        try:
            for body in bodies[sent_parts:]:
                http.sleep(_within_deadline(http, pause))
                pause = _send(http, address, body)
                sent_parts += 1
        except TourneyError as raised:
            fault = raised
        try:
            if sent_parts:
                note = Sent(digest=message.digest, parts=sent_parts, whole=fault is None)
                outbox.note(address, event_id, _key(message), note)
        except TourneyError as raised:
            warning = f"{raised.message}; the same message will be posted again"
        if fault is not None:
            part = f" (part {sent_parts + 1} of {len(bodies)})" if len(bodies) > 1 else ""
            reason = fault.message.removeprefix(f"{label}: ")
            return Post(
                to=label,
                messages=tuple(sent_messages),
                fault=f"{message.what}{part}: {reason}",
                hint=fault.hint,
                unsure=isinstance(fault, UnsettledError),
                warning=warning,
            )
        sent_messages.append(message)
    return Post(to=label, messages=tuple(sent_messages), warning=warning)


def _within_deadline(http: Http, pause: float) -> float:
    """Return `pause`, the seconds for which a server asked to wait.

    Raises Unreachable if the pause ends after the deadline for posting.
    """
    if http.budget is not None and http.clock() + pause > http.budget.end:
        raise Unreachable(f"the server accepts no more posts for {pause:.0f} s")
    return pause


def _send(http: Http, address: PostAddress, body: dict[str, Any]) -> float:
    if chat.service_of(address.url) == "apprise":
        title, _, text = body["text"].partition("\n\n")
        notify(address, title, text)
        return 0.0
    return http.post(address.url, json.dumps(body, ensure_ascii=False).encode())


def with_posts(event: OpenEvent, receipt: Receipt, outbox: Outbox) -> Receipt:
    """Post new messages to the event's addresses (`post_to`), and add that to the receipt.

    A failure becomes a warning.
    """
    changes: list[str] = []
    warnings: list[str] = []
    for name in event.state.settings.pages.post_to:
        try:
            (result,) = post(event, [name], outbox=outbox, http=Http(limits=BETWEEN_ROUNDS))
        except (Exception, KeyboardInterrupt) as fault:  # noqa: BLE001 - the entry is written: the change must not fail
            warnings.append(f"nothing was posted to {name}: {why_failed(fault)}; the change is saved")
            continue
        if result.messages:
            changes.append(f"Posted to {name}: {result.summary}.")
        if result.fault:
            warnings.append(f"{not_posted(result)}; the change is saved (`tourney publish --post {name}`)")
        if result.warning:
            warnings.append(result.warning)
    return receipt.plus(changes, warnings)


def not_posted(result: Post) -> str:
    """Return a sentence that says what was not posted, and why."""
    verb = "perhaps posted" if result.unsure else "not posted"
    return f"{verb} to {result.to}: {result.fault}"


def why_failed(fault: BaseException, *, quoting: bool = False) -> str:
    """Return why something was not published or posted.

    quoting: whether to quote the exception's message if the cause is a bug; it may contain an address
    """
    if isinstance(fault, OSError):
        return fault_words(fault)
    if isinstance(fault, (TourneyError, KeyboardInterrupt)):
        return str(fault) or "interrupted"
    return f"a bug ({type(fault).__name__}{f': {fault}' if quoting else ''})"
