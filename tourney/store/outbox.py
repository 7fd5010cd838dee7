"""Where an event is posted to, and what was posted: kept with the user, never in an event.

An address can be a secret: whoever knows that of a webhook can post there. So it stands in a file that only its user can
read, is named by a short name everywhere else, and is in no message.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import msgspec
import tomli_w

from tourney.decode import parse_toml
from tourney.errors import TourneyError, UnsettledError
from tourney.store.files import decoded, fault_words, in_place_of, read_bytes, shown
from tourney.store.http import Http, Unreachable, address_told

ADDRESSES = "addresses.toml"
"""The file of addresses in the user's data folder: a table for each, by its name."""

POSTED = "posted.json"
"""What was posted, in the user's data folder: address → event → what → how."""

LONGEST_ADDRESS = 2000
"""Characters; what is longer is no address that a service gives out."""

MOST_EVENTS = 50
"""Of how many events it is remembered what was posted to an address."""

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
"""What an address can be called."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,19}):/")


class PostAddress(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where to post to; insecure: whether http will do, and https without a valid certificate."""

    url: str
    insecure: bool = False

    @property
    def key(self) -> str:
        """What stands for the address where it must not be read."""
        return sha256(self.url.encode()).hexdigest()[:16]

    @property
    def told(self) -> str:
        """As much of it as may be told."""
        return address_told(self.url)


class Sent(msgspec.Struct, frozen=True):
    """What was posted: the digest of what it said, and how many of its parts went out; whole: whether that was all."""

    digest: str
    parts: int
    whole: bool = True


Memory = dict[str, dict[str, dict[str, Sent]]]
"""Address (its key) → event (the digest of its first entry) → what (`pairings 3`) → how it was sent."""


class Outbox:
    """The addresses of a user, and what was posted to them. folder: the user's data folder; None where there is none."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    # -- addresses

    def addresses(self) -> dict[str, PostAddress]:
        """Return the addresses that are kept, by their names. Raises TourneyError where the file cannot be read."""
        path = self._file(ADDRESSES)
        if path is None or not path.is_file():
            return {}
        source = shown(path)
        plain = parse_toml(decoded(read_bytes(path), source=source), source=source)
        try:
            return msgspec.convert(plain, dict[str, PostAddress])
        except msgspec.ValidationError:  # whose words could quote an address
            raise TourneyError(
                f"{source}: is not a list of addresses as `tourney publish --remember NAME -` writes it"
            ) from None

    def find(self, named: str, *, insecure: bool) -> PostAddress:
        """Return the address that a name stands for, or the one that was typed. Raises TourneyError."""
        if _SCHEME.match(named):
            return checked(PostAddress(named, insecure))
        known = self.addresses()
        if named not in known:
            from tourney.cards.names import nearest

            near = nearest(named, known) if NAME.fullmatch(named) else None
            asked = f"; did you mean `{near}`?" if near else ""
            told = named if NAME.fullmatch(named) else "that"
            raise TourneyError(
                f"there is no address called `{told}` here{asked}",
                "`tourney publish --remember NAME -` keeps one; `tourney publish --addresses` lists them",
            )
        address = known[named]
        return PostAddress(address.url, insecure or address.insecure)

    def remember(self, name: str, address: PostAddress) -> bool:
        """Keep an address under a name; say whether there was another of that name. Raises TourneyError."""
        if not NAME.fullmatch(name):
            raise TourneyError(
                "an address is called by up to 40 small letters, digits, dots, dashes and underscores",
                "for example `friday-discord`",
            )
        known = self.addresses()
        self._write_addresses({**known, name: checked(address)})
        return name in known

    def forget(self, name: str) -> None:
        """Forget an address, and what was posted there. Raises TourneyError where there is none of that name."""
        address = self.find(name, insecure=False)
        known = self.addresses()
        if name not in known:
            raise TourneyError(
                "an address is forgotten by its name", "`tourney publish --addresses` lists them"
            )
        self._write_addresses({each: known[each] for each in known if each != name})
        memory = self.posted()
        if memory.pop(address.key, None) is not None:
            self._write_posted(memory)

    def _write_addresses(self, addresses: Mapping[str, PostAddress]) -> None:
        plain = {name: msgspec.to_builtins(addresses[name]) for name in sorted(addresses)}
        self._write(ADDRESSES, tomli_w.dumps(plain).encode())

    # -- what was posted

    def posted(self) -> Memory:
        """Return what was posted; nothing where it cannot be read, as it only saves posting the same again."""
        path = self._file(POSTED)
        try:
            return msgspec.json.decode(read_bytes(path), type=Memory) if path and path.is_file() else {}
        except (TourneyError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return {}

    def note(self, address: PostAddress, event: str, what: str, sent: Sent) -> None:
        """Remember what was posted. Raises TourneyError where that cannot be written."""
        memory = self.posted()
        events = memory.setdefault(address.key, {})
        own = events.pop(event, {})  # to the end: the events longest not posted are forgotten first
        events[event] = {**own, what: sent}
        memory[address.key] = dict([*events.items()][-MOST_EVENTS:])
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
            with in_place_of(path, mode=0o600) as rough:
                rough.write_bytes(content)
        except OSError as fault:
            raise TourneyError(f"{shown(path)}: cannot be written: {fault_words(fault)}") from None


def checked(address: PostAddress) -> PostAddress:
    """Return an address that can be posted to. Raises TourneyError."""
    if not address.url.isprintable() or " " in address.url or len(address.url) > LONGEST_ADDRESS:
        raise TourneyError(f"an address has no blanks and at most {LONGEST_ADDRESS} characters")
    scheme = _SCHEME.match(address.url)
    if scheme is None:
        raise TourneyError("that is not an address", "an address starts with https://")
    if scheme[1].lower() in {"http", "https"}:
        Http(insecure=address.insecure).check_address(address.url)
    return address


def notify(address: PostAddress, title: str, text: str) -> None:
    """Hand a text to the library that knows all other services.

    Raises TourneyError where it does not know the address, Unreachable where the service did not take the text, and UnsettledError
    where nobody can know. The library itself says only that it failed; how, is in its log, which could quote the address, so
    nobody else hears it.
    """
    try:
        import apprise
    except ImportError:
        raise TourneyError(
            f"{address.told}: posting to anything but Discord and webhooks takes the extra `post`",
            "`pip install 'tourney[post]'`, or an address that begins with https://",
        ) from None
    import logging

    class Heard(logging.Handler):
        """What the library says, kept for as long as it works."""

        def emit(self, record: logging.LogRecord) -> None:
            said.append(record.getMessage())

    said: list[str] = []
    logger, heard = logging.getLogger("apprise"), Heard()
    logger.propagate = False
    logger.setLevel(logging.DEBUG)
    logger.addHandler(heard)
    try:
        service = apprise.Apprise()
        if not service.add(address.url):
            raise TourneyError(
                f"{address.told}: apprise knows no such address",
                "https://appriseit.com/services/ lists the services, and how their addresses are written",
            )
        if service.notify(title=title, body=text, body_format=apprise.NotifyFormat.TEXT):
            return
    finally:
        logger.removeHandler(heard)
    if any(_NOT_TAKEN.search(line) for line in said):
        raise Unreachable(f"{address.told}: the service did not take it")
    raise UnsettledError(
        f"{address.told}: it may have been posted, or not",
        "look there before you post again",
    )


_NOT_TAKEN = re.compile(
    r"error=\d{3}|NewConnectionError|ConnectTimeout|NameResolution|ProxyError|SSLError|refused", re.IGNORECASE
)
"""What the log says where a service answered that it will not, or was never reached."""
