"""The addresses that a user posts events to, and what was posted there. Events do not contain them.

An address can be a secret: whoever has a webhook's address can post there. It is stored in a file that only the user can
read, has a short name everywhere else, and appears in no message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import msgspec
import tomli_w

from tourney.decode import parse_toml
from tourney.errors import TourneyError, UnsettledError
from tourney.store.files import decoded, fault_words, in_place_of, read_bytes, shown
from tourney.store.http import Http, Unreachable, address_origin

ADDRESSES = "addresses.toml"
"""The file of addresses in the user's data folder: a table for each, by its name."""

POSTED = "posted.json"
"""The file with a `Memory` in the user's data folder."""

MAX_ADDRESS = 2000
"""Characters; no service gives out longer addresses."""

MAX_EVENTS = 50
"""Events of which posts to one address are remembered."""

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
"""The name of an address."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,19}):/")


class PostAddress(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An address to post to. insecure: allow http, and https without a valid certificate."""

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


class Sent(msgspec.Struct, frozen=True):
    """A post: the digest of its text, the number of parts sent, and whether that was all of them."""

    digest: str
    parts: int
    whole: bool = True


Memory = dict[str, dict[str, dict[str, Sent]]]
"""Key of an address → event (digest of its first entry) → subject (`pairings 3`) → the post."""


class Outbox:
    """A user's addresses, and what was posted to them. folder: the user's data folder; None if it is unknown."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    # -- addresses

    def addresses(self) -> dict[str, PostAddress]:
        """Return the stored addresses by name. Raises TourneyError if the file cannot be read."""
        path = self._file(ADDRESSES)
        if path is None or not path.is_file():
            return {}
        source = shown(path)
        plain = parse_toml(decoded(read_bytes(path), source=source), source=source)
        try:
            return msgspec.convert(plain, dict[str, PostAddress])
        except msgspec.ValidationError:  # its message could quote an address
            raise TourneyError(
                f"{source}: is not a list of addresses as `tourney publish --remember NAME -` writes it"
            ) from None

    def find(self, text: str, *, insecure: bool) -> PostAddress:
        """Return the address that a user typed, or the stored one with this name. Raises TourneyError."""
        if _SCHEME.match(text):
            address = PostAddress(text, insecure)
            _check(address)
            return address
        addresses = self.addresses()
        if text not in addresses:
            raise _unknown_name(text, addresses)
        return PostAddress(addresses[text].url, insecure or addresses[text].insecure)

    def remember(self, name: str, address: PostAddress) -> bool:
        """Store an address; return whether it replaces another one with this name. Raises TourneyError."""
        if not NAME.fullmatch(name):
            raise TourneyError(
                "the name of an address has up to 40 small letters, digits, dots, dashes and underscores",
                "for example `friday-discord`",
            )
        _check(address)
        addresses = self.addresses()
        self._write_addresses({**addresses, name: address})
        return name in addresses

    def forget(self, name: str) -> None:
        """Remove an address, and what was posted there. Raises TourneyError if there is none with this name."""
        address = self.find(name, insecure=False)
        addresses = self.addresses()
        if addresses.pop(name, None) is None:
            raise TourneyError("give the name of the address", "`tourney publish --addresses` lists them")
        self._write_addresses(addresses)
        memory = self.posted()
        if memory.pop(address.key, None) is not None:
            self._write_posted(memory)

    def _write_addresses(self, addresses: Mapping[str, PostAddress]) -> None:
        plain = {name: msgspec.to_builtins(addresses[name]) for name in sorted(addresses)}
        self._write(ADDRESSES, tomli_w.dumps(plain).encode())

    # -- what was posted

    def posted(self) -> Memory:
        """Return what was posted. If the file cannot be read, nothing was: at worst a post is repeated."""
        path = self._file(POSTED)
        try:
            return msgspec.json.decode(read_bytes(path), type=Memory) if path and path.is_file() else {}
        except (TourneyError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return {}

    def note(self, address: PostAddress, event: str, subject: str, sent: Sent) -> None:
        """Store that something was posted. Raises TourneyError if it cannot be written."""
        memory = self.posted()
        events = memory.setdefault(address.key, {})
        posts = events.pop(event, {})  # moves it to the end: events without recent posts are forgotten first
        events[event] = {**posts, subject: sent}
        memory[address.key] = dict([*events.items()][-MAX_EVENTS:])
        self._write_posted(memory)

    def _write_posted(self, memory: Memory) -> None:
        self._write(POSTED, msgspec.json.encode(memory))

    def _file(self, name: str) -> Path | None:
        return self.folder / name if self.folder else None

    def _write(self, name: str, content: bytes) -> None:
        path = self._file(name)
        if path is None:
            raise TourneyError(
                "cannot find your data folder: neither $HOME nor the system names your home", "set $HOME"
            )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with in_place_of(path, mode=0o600) as part:
                part.write_bytes(content)
        except OSError as fault:
            raise TourneyError(f"{shown(path)}: cannot be written: {fault_words(fault)}") from None


def _check(address: PostAddress) -> None:
    """Raise TourneyError if nothing can be posted to an address."""
    if not address.url.isprintable() or " " in address.url or len(address.url) > MAX_ADDRESS:
        raise TourneyError(f"an address has no blanks and at most {MAX_ADDRESS} characters")
    scheme = _SCHEME.match(address.url)
    if scheme is None:
        raise TourneyError("that is not an address", "an address starts with https://")
    if scheme[1].lower() in {"http", "https"}:
        Http(insecure=address.insecure).check_address(address.url)


def _unknown_name(text: str, addresses: Mapping[str, PostAddress]) -> TourneyError:
    from tourney.cards.names import nearest

    is_name = NAME.fullmatch(text)  # anything else can be a mistyped secret
    near = nearest(text, addresses) if is_name else None
    question = f"; did you mean `{near}`?" if near else ""
    return TourneyError(
        f"there is no address called `{text if is_name else 'that'}` here{question}",
        "`tourney publish --remember NAME -` stores one; `tourney publish --addresses` lists them",
    )


def notify(address: PostAddress, title: str, text: str) -> None:
    """Post a text to a service other than Discord and webhooks, through the library `apprise`.

    Raises TourneyError if apprise does not know the address, Unreachable if the service did not take the text, and
    UnsettledError if that is not known. Apprise returns only that it failed. The cause is in its log, which can quote the
    address and is therefore kept from other handlers.
    """
    try:
        import apprise
    except ImportError:
        raise TourneyError(
            f"{address.origin}: posting to anything but Discord and webhooks needs the extra `post`",
            "`pip install 'tourney[post]'`, or an address that begins with https://",
        ) from None
    with _apprise_log() as log:
        service = apprise.Apprise()
        if not service.add(address.url):
            raise TourneyError(
                f"{address.origin}: apprise does not know this kind of address",
                "https://appriseit.com/services/ lists the services and their addresses",
            )
        if service.notify(title=title, body=text, body_format=apprise.NotifyFormat.TEXT):
            return
    if any(_NOT_TAKEN.search(line) for line in log):
        raise Unreachable(f"{address.origin}: the service did not accept it")
    raise UnsettledError(
        f"{address.origin}: it may have been posted, or not",
        "look there before you post again",
    )


@contextmanager
def _apprise_log() -> Iterator[list[str]]:
    """Collect what apprise logs, and keep it from all other handlers."""
    import logging.handlers

    logger, handler = logging.getLogger("apprise"), logging.handlers.BufferingHandler(100_000)
    logger.propagate = False
    logger.setLevel(logging.DEBUG)
    logger.addHandler(handler)
    lines: list[str] = []
    try:
        yield lines
    finally:
        logger.removeHandler(handler)
        lines += [record.getMessage() for record in handler.buffer]


_NOT_TAKEN = re.compile(
    r"error=\d{3}|NewConnectionError|ConnectTimeout|NameResolution|ProxyError|SSLError|refused", re.IGNORECASE
)
"""Log lines of a service that refused the text or was not reached."""
