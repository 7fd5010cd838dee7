"""The addresses to which a user posts events, and a record of the posts.

Neither is stored in the event. An address can be a secret, because anyone who has the address of a webhook
can post there. Addresses are stored in a file that only the user can read. Everywhere else a short name is
used for them, and messages do not contain them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import msgspec
import tomli_w
from msgspec import Struct

from tourney.cards.names import nearest
from tourney.decode import parse_toml
from tourney.errors import TourneyError, UnsettledError
from tourney.store.files import (
    decode_source,
    display_path,
    read_bytes,
    read_record,
    replace_file,
    required_folder,
)
from tourney.store.http import Http, Unreachable, address_origin

ADDRESSES = "addresses.toml"
"""The file of addresses in the user's data folder. It has a TOML table for each short name."""

POSTED = "posted.json"
"""The file in the user's data folder that holds the `Memory`."""

MAX_ADDRESS = 2000
"""The maximum number of characters in an address. No service uses longer addresses."""

MAX_EVENTS = 50
"""The maximum number of events for which posts to one address are remembered."""

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
"""Matches the short name of an address."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,19}):/")


class PostAddress(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An address to which posts are sent.

    insecure: whether to allow http, and https without a valid certificate
    """

    url: str
    insecure: bool = False

    @property
    def key(self) -> str:
        """A digest that identifies the address without revealing it."""
        return sha256(self.url.encode()).hexdigest()[:16]

    @property
    def origin(self) -> str:
        """The part of the address that can be shown."""
        return address_origin(self.url)


class Sent(Struct, frozen=True):
    """The record of a text that was posted, perhaps in several parts.

    digest: the digest of the text
    parts: the number of parts that were sent
    whole: whether all parts were sent
    """

    digest: str
    parts: int
    whole: bool = True


Memory = dict[str, dict[str, dict[str, Sent]]]
"""Key of the address → event → subject (`pairings 3`) → the post.

An event is identified by the digest of its first entry.
"""


class Outbox:
    """A user's addresses and the record of the user's posts.

    folder: the user's data folder; None if it is unknown
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    # -- addresses

    def addresses(self) -> dict[str, PostAddress]:
        """Return short name → address. Raises TourneyError if the file cannot be read."""
        path = self.folder / ADDRESSES if self.folder else None
        if path is None or not path.is_file():
            return {}
        source = display_path(path)
        plain = parse_toml(decode_source(read_bytes(path), source=source), source=source)
        try:
            return msgspec.convert(plain, dict[str, PostAddress])
        except msgspec.ValidationError:  # its message could quote an address
            raise TourneyError(
                f"{source}: this is not a list of addresses that `tourney publish --remember NAME -` wrote"
            ) from None

    def find(self, text: str, *, insecure: bool) -> PostAddress:
        """Return the address that a user entered, or the stored address with this short name.

        Raises TourneyError if the text is neither.
        """
        if _SCHEME.match(text):
            address = PostAddress(text, insecure)
            _check(address)
            return address
        addresses = self.addresses()
        if text not in addresses:
            raise _unknown_name(text, addresses)
        return PostAddress(addresses[text].url, insecure or addresses[text].insecure)

    def remember(self, name: str, address: PostAddress) -> bool:
        """Store an address, and return whether it replaces another one with this name.

        Raises TourneyError if the name or the address is not valid, or if the file cannot be written.
        """
        if not NAME.fullmatch(name):
            raise TourneyError(
                "a short name has up to 40 lowercase letters, digits, dots, dashes and underscores",
                "for example `friday-discord`",
            )
        _check(address)
        addresses = self.addresses()
        self._write_addresses({**addresses, name: address})
        return name in addresses

    def forget(self, name: str) -> None:
        """Remove the address with this short name, and the record of what was posted to it.

        Raises TourneyError if no address has this name.
        """
        addresses = self.addresses()
        if name not in addresses and _SCHEME.match(name):
            raise TourneyError(
                "give the name of the saved address, not the address itself",
                "`tourney publish --addresses` lists the saved addresses",
            )
        if name not in addresses:
            raise _unknown_name(name, addresses)
        address = addresses.pop(name)
        self._write_addresses(addresses)
        memory = self.sent_posts()
        if memory.pop(address.key, None) is not None:
            self._write(POSTED, msgspec.json.encode(memory))

    def _write_addresses(self, addresses: Mapping[str, PostAddress]) -> None:
        plain = {name: msgspec.to_builtins(addresses[name]) for name in sorted(addresses)}
        self._write(ADDRESSES, tomli_w.dumps(plain).encode())

    # -- posts

    def sent_posts(self) -> Memory:
        """Return the record of what was posted to each address.

        The record is empty if its file is missing or cannot be read. At worst, a text is then posted twice.
        """
        return (read_record(self.folder / POSTED, Memory) if self.folder else None) or {}

    def note(self, address: PostAddress, event: str, subject: str, post: Sent) -> None:
        """Record a post. Raises TourneyError if the file cannot be written."""
        memory = self.sent_posts()
        events = memory.setdefault(address.key, {})
        posts = events.pop(event, {})  # moves the event to the end: the oldest events are forgotten first
        events[event] = {**posts, subject: post}
        memory[address.key] = dict([*events.items()][-MAX_EVENTS:])
        self._write(POSTED, msgspec.json.encode(memory))

    def _write(self, name: str, content: bytes) -> None:
        replace_file(required_folder(self.folder) / name, content, mode=0o600)


def _check(address: PostAddress) -> None:
    """Raise TourneyError if nothing can be posted to an address."""
    if not address.url.isprintable() or " " in address.url or len(address.url) > MAX_ADDRESS:
        raise TourneyError(f"an address has no spaces and at most {MAX_ADDRESS} characters")
    scheme = _SCHEME.match(address.url)
    if scheme is None:
        raise TourneyError("this is not a web address", "an address starts with https://")
    if scheme[1].lower() in {"http", "https"}:
        Http(insecure=address.insecure).check_address(address.url)


def _unknown_name(text: str, addresses: Mapping[str, PostAddress]) -> TourneyError:
    is_name = NAME.fullmatch(text)  # any other text can be a mistyped secret
    near = nearest(text, addresses) if is_name else None
    question = f"; did you mean `{near}`?" if near else ""
    return TourneyError(
        f"there is no saved address called `{text}`{question}"
        if is_name
        else "there is no saved address of that name",
        "`tourney publish --remember NAME -` saves an address; "
        "`tourney publish --addresses` lists the saved ones",
    )


def notify(address: PostAddress, title: str, text: str) -> None:
    """Post a text to a service other than Discord and webhooks, through the library `apprise`.

    Raises TourneyError if apprise does not support the address, Unreachable if the service did not accept the
    text, and UnsettledError if that is unknown. Apprise returns only whether it failed; the cause is in its
    log. The log can quote the address, so other handlers do not get its lines.
    """
    import logging.handlers

    try:
        import apprise
    except ImportError:
        raise TourneyError(
            f"{address.origin}: posting to anything but Discord and webhooks needs the extra `post`",
            "`pip install 'tourney[post]'`, or an address that begins with https://",
        ) from None
    logger, handler = logging.getLogger("apprise"), logging.handlers.BufferingHandler(100_000)
    logger.propagate = False
    logger.setLevel(logging.DEBUG)
    logger.addHandler(handler)
    try:
        service = apprise.Apprise()
        if not service.add(address.url):
            raise TourneyError(
                f"{address.origin}: apprise does not support this kind of address",
                "https://appriseit.com/services/ lists the services and their addresses",
            )
        if service.notify(title=title, body=text, body_format=apprise.NotifyFormat.TEXT):
            return
    finally:
        logger.removeHandler(handler)
    if any(_NOT_TAKEN.search(record.getMessage()) for record in handler.buffer):
        raise Unreachable(f"{address.origin}: the service did not accept the post")
    raise UnsettledError(
        f"{address.origin}: it may have been posted, or not",
        "check the channel before you post again",
    )


_NOT_TAKEN = re.compile(
    r"error=\d{3}|NewConnectionError|ConnectTimeout|NameResolution|ProxyError|SSLError|refused", re.IGNORECASE
)
"""Matches log lines that show that the service refused the text or was not reached."""
