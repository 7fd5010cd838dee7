"""The codes, links and devices of one event, stored outside the event.

They are stored in a file in the user's data folder. Because this file is separate from the event, no entry,
export, backup or page can contain its content. The file stores codes, links and tokens only as SHA-256
digests, and players only as numbers. It is a small database, so that the terminal and a server can both use
it: each sees the other's changes at its next read.

A personal code is eight characters of Crockford's base32 (40 bits), given to the player together with the
player's number: `7-K3QF-92XD`. The first device that uses the code is bound to the player; afterwards, the
code is spent. Ten wrong codes for a player make the right one void. Wrong codes are not counted by network
address, because a whole room can share one address. A staff device joins by a link of 128 random bits, which
works once and within five minutes.
"""

from __future__ import annotations

import os
import re
import sqlite3
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from threading import RLock
from typing import Literal, NamedTuple, Self, get_args

from tourney.cards.names import fold
from tourney.errors import TourneyError
from tourney.store.files import display_path, fault_words, file_id, required_folder
from tourney.store.journal import Closing
from tourney.store.sqlite import DURABLE, set_pragmas
from tourney.wording import Message, clock_time

StaffRole = Literal["judge", "scorekeeper", "organizer"]
Role = Literal["player", "judge", "scorekeeper", "organizer"]
CodeState = Literal["fresh", "bound", "void"]
"""The state of a player's code: not used yet, bound to a device, or void.

A code becomes void after too many wrong codes.
"""

STAFF_ROLES: tuple[StaffRole, ...] = get_args(StaffRole)
MOST_WRONG = 10
"""The number of wrong codes for a player after which the right code is void."""

LINK_LIVES = timedelta(minutes=5)
CODE_LETTERS = 8
LONGEST_NAME = 60
"""The maximum number of characters in the name of a staff device."""

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The letters of Crockford's base32 (no I, L, O, U). https://www.crockford.com/base32.html"""

_CODE_BYTES, _LINK_BYTES, _TOKEN_BYTES = 5, 16, 32
MOST_FORMS = 2000
"""The maximum number of staff forms that are remembered.

If one of these forms is sent again, nothing is entered twice.
"""

_PATIENCE = 10.0
"""The maximum number of seconds to wait while another program writes to the file."""

_FORMAT = 1
_SCHEMA = Path(__file__).with_name("devices.sql").read_text(encoding="utf-8")


class Device(NamedTuple):
    """A device that has joined.

    number: the device's number, from 1, which is never used twice
    player: the player's number; None for staff
    name: the name that signs the entries of staff; empty for players
    made, ended: when the device joined and when it was removed, as ISO 8601 with the zone; `ended` is None if
                 it was not removed
    """

    number: int
    role: Role
    player: int | None
    name: str
    made: str
    ended: str | None = None

    @property
    def words(self) -> str:
        """The device as it is named in a player's entries: `device 5, bound 14:05`.

        The time is when the device joined.
        """
        return f"device {self.number}, bound {clock_time(self.made)}"

    @property
    def signature(self) -> str:
        """The name that signs staff entries from this device: `Kim (device 3)`."""
        return f"{self.name or self.role} (device {self.number})"


class Login(NamedTuple):
    """A device that has just joined, and its token. Only the token's digest is stored."""

    device: Device
    token: str


class Code(NamedTuple):
    """A player's new code.

    text: the code that the player enters, `7-K3QF-92XD`
    path: the page that the player can open instead, `/join/7-K3QF92XD`
    """

    player: int
    text: str
    path: str


class StaffLink(NamedTuple):
    """A link with which one staff device can join.

    path:    the page to open, `/join/staff/…`
    expires: the time in UTC after which the link no longer works
    """

    role: StaffRole
    name: str
    secret: str
    path: str
    expires: datetime


def read_code(text: str) -> tuple[int, str] | None:
    """Return the player's number and the code in a text that was entered or is from a link.

    The case does not matter; O is read as 0, I and L as 1. A text without dashes and blanks ends with the
    code. Returns None if the text is not a personal code.

    >>> read_code(" 7-k3qf-92xd "), read_code("7-K3QF92XO"), read_code("#7 k3qf 92xd"), read_code("K3QF-92XD")
    ((7, 'K3QF92XD'), (7, 'K3QF92X0'), (7, 'K3QF92XD'), None)
    >>> read_code("7k3qf92xd"), read_code("12k3qf92xd"), read_code("k3qf92xd")
    ((7, 'K3QF92XD'), (12, 'K3QF92XD'), None)
    """
    parts = _CODE.fullmatch(text.strip().upper())
    if parts is None:
        return None
    code = re.sub(r"[\s-]", "", parts[2] or parts[3]).translate(_MISREAD)
    return (int(parts[1]), code) if len(code) == CODE_LETTERS and set(code) <= set(_ALPHABET) else None


_CODE = re.compile(rf"#?([0-9]{{1,9}})(?:[\s-]+([0-9A-Z\s-]{{1,40}})|([0-9A-Z]{{{CODE_LETTERS}}}))", re.ASCII)
_MISREAD = str.maketrans("OIL", "011")


def path_of(folder: Path, event: str) -> Path:
    """Return the path of the file with the codes, links and devices of an event.

    folder: the user's data folder
    event:  the digest of the event's first entry
    """
    return folder / "devices" / f"{event}.sqlite"


class UnreadableError(TourneyError):
    """The file of codes and devices cannot be read or written now; nothing was changed."""


class Devices(Closing):
    """The codes, links and devices of one event.

    Several threads can share this object, and several programs can have the file open. If the file was
    replaced or restored, it is opened again at the next use. Every method raises UnreadableError if the file
    cannot be read or written.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        *,
        clock: Callable[[], datetime],
        randomness: Callable[[int], bytes],
    ) -> None:
        self.path = path
        self._connection = connection
        self._clock = clock
        self._randomness = randomness
        self._lock = RLock()
        self._file = file_id(path)

    @classmethod
    def open(
        cls,
        folder: Path | None,
        event: str,
        *,
        clock: Callable[[], datetime],
        randomness: Callable[[int], bytes],
    ) -> Self:
        """Open the file of an event, or create it.

        folder: the user's data folder; None if it is unknown
        event:  the digest of the event's first entry
        """
        path = path_of(required_folder(folder), event)
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.parent.chmod(0o700)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            path.chmod(0o600)
        except OSError as fault:
            raise TourneyError(f"{display_path(path)}: cannot be written: {fault_words(fault)}") from None
        with _refusals(path):
            devices = cls(path, _connect(path), clock=clock, randomness=randomness)
            try:
                devices._prepare()
            except BaseException:
                devices.close()
                raise
        return devices

    def _prepare(self) -> None:
        # This check does not take the write lock, so that a reader does not have to wait for a writer.
        if self._ask("PRAGMA user_version").fetchone() == (_FORMAT,):
            return
        with self._turn() as ask:
            (version,) = ask("PRAGMA user_version").fetchone()
            if version > _FORMAT:
                raise TourneyError(
                    f"{display_path(self.path)}: was written by a newer tourney", "install the newest tourney"
                )
            if version == 0:
                for table in _SCHEMA.split(";"):
                    ask(table)
                ask("INSERT INTO facts VALUES ('salt', ?)", self._randomness(16).hex())
                ask(f"PRAGMA user_version = {_FORMAT}")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    # -- players

    def new_code(self, player: int) -> Code:
        """Make a new code for a player, void the old one, and remove the device that used it."""
        with self.handing_out([player]) as (code,):
            return code

    @contextmanager
    def handing_out(self, players: Iterable[int]) -> Iterator[tuple[Code, ...]]:
        """Provide new codes for players, which become valid after the `with` block.

        If the block raises an exception, the old codes stay valid.
        """
        with self._turn() as ask:
            codes = []
            for player in players:
                code = _crockford(self._randomness(_CODE_BYTES))
                digest = self._digest_of(ask, player, code)
                ask("UPDATE sessions SET ended = ? WHERE player = ? AND ended IS NULL", self._now(), player)
                ask("INSERT OR REPLACE INTO codes VALUES (?, ?, 0, NULL)", player, digest)
                codes.append(Code(player, f"{player}-{code[:4]}-{code[4:]}", f"/join/{player}-{code}"))
            yield tuple(codes)

    def codes(self) -> Mapping[int, CodeState]:
        """Return player → the state of the player's code. Players without a code are left out."""
        with self._look() as ask:
            rows = ask("SELECT player, wrong, session FROM codes ORDER BY player").fetchall()
        return {
            player: "bound" if session is not None else "void" if wrong_tries >= MOST_WRONG else "fresh"
            for player, wrong_tries, session in rows
        }

    def bind(self, player: int, code: str, *, request: str = "") -> Login:
        """Bind a new device to the player whose code it has sent, and return it with its token.

        A code works only once.

        code:    as `read_code` returns it
        request: identifies the request. If a request is sent again because its answer was lost, it is
                 answered again, with a new token.

        Raises TourneyError if the code is wrong, is void, or was used by another device. Wrong codes are
        counted.
        """
        hint = Message("ask the desk for a new one")
        with self._turn() as ask:
            row = ask("SELECT digest, wrong, session FROM codes WHERE player = ?", player).fetchone()
            digest, wrong_tries, session = row or ("", 0, None)
            is_right = compare_digest(digest, self._digest_of(ask, player, code))
            if row and wrong_tries >= MOST_WRONG:
                fault = Message(
                    "too many wrong codes were tried for player {n}, so the right one is void", n=player
                )
            elif not is_right:
                ask("UPDATE codes SET wrong = wrong + 1 WHERE player = ?", player)
                fault = Message("that is not the code of player {n}", n=player)
                hint = Message("look at the slip again, or ask the desk")
            elif session is None:
                login = self._join(ask, "player", player, "", request)
                ask("UPDATE codes SET session = ?, wrong = 0 WHERE player = ?", login.device.number, player)
                return login
            elif again := self._again(ask, session, request):
                return again
            else:
                fault = Message("this code was used on another device")
        raise TourneyError(fault, hint)  # after the transaction: a wrong code is counted

    # -- staff

    def staff_link(self, role: StaffRole, name: str = "") -> StaffLink:
        """Make and return a link with which one staff device can join.

        name: the name that signs the device's entries

        Raises TourneyError for an unknown role or a name that is too long.
        """
        if role not in STAFF_ROLES:
            raise TourneyError(f"unknown staff role `{role}`", f"roles are {', '.join(STAFF_ROLES)}")
        if len(name) > LONGEST_NAME:
            raise TourneyError(f"a name on a device has at most {LONGEST_NAME} characters")
        secret = _text(self._randomness(_LINK_BYTES))
        now = self._clock().astimezone(UTC)
        expires = now + LINK_LIVES
        with self._turn() as ask:
            condition = "session IS NULL AND julianday(expires) < julianday(?)"
            ask(f"DELETE FROM links WHERE {condition}", _as_kept(now))  # noqa: S608 - the line above
            ask("INSERT INTO links VALUES (?, ?, ?, ?, NULL)", _digest(secret), role, name, _as_kept(expires))
        return StaffLink(role, name, secret, f"/join/staff/{secret}", expires)

    def use_link(self, secret: str, *, request: str = "") -> Login:
        """Let a staff device join by a link, and return the device with its token.

        A link works only once.

        secret:  the last part of the link
        request: see `bind`

        Raises TourneyError for an unknown, used or expired link.
        """
        with self._turn() as ask:
            row = ask(
                "SELECT role, name, expires, session FROM links WHERE digest = ?", _digest(secret)
            ).fetchone()
            if row is not None:
                role, name, expires, session = row
                if session is None and self._clock() <= datetime.fromisoformat(expires):
                    login = self._join(ask, role, None, name, request)
                    ask("UPDATE links SET session = ? WHERE digest = ?", login.device.number, _digest(secret))
                    return login
                if session is not None and (again := self._again(ask, session, request)):
                    return again
        raise TourneyError(
            Message("this link was used already, is older than five minutes, or never existed"),
            "`tourney device staff ROLE` on the laptop makes a new one",
        )

    def has_link(self, secret: str) -> bool:
        """Return whether a staff link was ever made with this secret, even if it is used or expired."""
        with self._look() as ask:
            return ask("SELECT 1 FROM links WHERE digest = ?", _digest(secret)).fetchone() is not None

    # -- devices

    def session(self, token: str) -> Device | None:
        """Return the device that has a token; None for an unknown token or a removed device."""
        with self._look() as ask:
            device, _ = _device(ask, "digest", _digest(token))
        return device if device is not None and device.ended is None else None

    def list(self) -> tuple[Device, ...]:
        """Return every device that ever joined, in the order of joining."""
        with self._look() as ask:
            return tuple(Device(*row) for row in ask(f"SELECT {_COLUMNS} FROM sessions ORDER BY number"))  # noqa: S608

    def ended(self) -> frozenset[int]:
        """Return the numbers of the removed devices; a server must close their open connections."""
        with self._look() as ask:
            rows = ask("SELECT number FROM sessions WHERE ended IS NOT NULL").fetchall()
        return frozenset(number for (number,) in rows)

    def remove(self, number: int) -> Device:
        """Remove a device and return it. Raises TourneyError for an unknown number.

        If the device joined with a player's code, that code still cannot be used again.
        """
        with self._turn() as ask:
            ask("UPDATE sessions SET ended = ? WHERE number = ? AND ended IS NULL", self._now(), number)
            device, _ = _device(ask, "number", number)
        if device is None:
            raise TourneyError(f"there is no device {number}", "`tourney device list` shows the devices")
        return device

    def erase_names(self, names: Iterable[str]) -> int:
        """Delete staff names from devices and links; return the number of devices that had one.

        Names are compared without case and accents.
        """
        folded_names, erased_count = {fold(name) for name in names}, 0
        with self._turn() as ask:
            for table in ("sessions", "links"):
                rows = ask(f"SELECT rowid, name FROM {table} WHERE name != ''").fetchall()  # noqa: S608
                for row, name in rows:
                    if fold(name) in folded_names:
                        ask(f"UPDATE {table} SET name = '' WHERE rowid = ?", row)  # noqa: S608
                        erased_count += table == "sessions"
        return erased_count

    # -- staff forms: each is entered only once

    def form_before(self, number: int, form: str, entry: int) -> range | None:
        """Return the range of entries that can come from an earlier submission of the same web form.

        Returns None if no earlier submission of this form by the device is recorded. The range ends where the
        device submitted its next form. It is correct even after a restart of the server, because a submission
        is recorded before its entries are written.

        number: the number of the device
        form:   the action and all fields, as text
        entry:  the number of the event's last entry
        """
        with self._look() as ask:
            query = "SELECT number, entry FROM forms WHERE session = ? AND digest = ? ORDER BY number DESC"
            row = ask(query, number, _digest(form)).fetchone()
            if row is None:
                return None
            query = "SELECT MIN(entry) FROM forms WHERE session = ? AND number > ?"
            (last,) = ask(query, number, row[0]).fetchone()
        return range(row[1] + 1, (entry if last is None else last) + 1)

    def note_form(self, number: int, form: str, entry: int) -> None:
        """Record that a device submits a web form. Call this before its entries are written.

        number: the number of the device
        form:   the action and all fields, as text
        entry:  the number of the event's last entry
        """
        with self._turn() as ask:
            ask("INSERT INTO forms (session, digest, entry) VALUES (?, ?, ?)", number, _digest(form), entry)
            ask("DELETE FROM forms WHERE number <= (SELECT MAX(number) FROM forms) - ?", MOST_FORMS)

    # -- the server's address

    @property
    def address(self) -> str:
        """The last address of this event's server, `http://192.0.2.7:8000`; empty if unknown."""
        with self._look() as ask:
            row = ask("SELECT value FROM facts WHERE name = 'address'").fetchone()
        return str(row[0]) if row else ""

    def note_address(self, address: str) -> None:
        """Record the address of the event's server, for use in links."""
        with self._turn() as ask:
            ask("INSERT OR REPLACE INTO facts VALUES ('address', ?)", address.rstrip("/"))

    # -- storage

    @contextmanager
    def _look(self) -> Iterator[Ask]:
        """Provide a function that runs SQL statements. Use it only for statements that read."""
        with self._lock, _refusals(self.path):
            self._reopen_if_replaced()
            yield self._ask

    @contextmanager
    def _turn(self) -> Iterator[Ask]:
        """Provide a function that runs SQL statements, all in one transaction.

        The transaction is synced to the disk at the end.
        """
        with self._lock, _refusals(self.path):
            self._reopen_if_replaced()
            self._connection.execute("BEGIN IMMEDIATE").close()
            try:
                yield self._ask
            except BaseException:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK").close()
                raise
            self._connection.execute("COMMIT").close()

    def _reopen_if_replaced(self) -> None:
        current = file_id(self.path)
        if current == self._file:
            return
        if current is None:
            raise UnreadableError(
                f"{display_path(self.path)}, the file of codes and devices, does not exist any more"
            )
        old, self._connection, self._file = self._connection, _connect(self.path), current
        old.close()
        try:
            self._prepare()
        except BaseException:
            self._file = None  # try again at the next use
            raise

    def _ask(self, statement: str, *values: object) -> sqlite3.Cursor:
        return self._connection.execute(statement, values)

    def _join(self, ask: Ask, role: Role, player: int | None, name: str, request: str) -> Login:
        token, joined_at = _text(self._randomness(_TOKEN_BYTES)), self._now()
        number = ask(
            "INSERT INTO sessions (digest, role, player, name, made, request) VALUES (?, ?, ?, ?, ?, ?)",
            _digest(token), role, player, name, joined_at, _digest(request) if request else "",
        ).lastrowid  # fmt: skip
        assert number is not None
        return Login(Device(number, role, player, name, joined_at), token)

    def _again(self, ask: Ask, number: int, request: str) -> Login | None:
        """Return device `number` with a new token, if this same `request` made it join before.

        Returns None if another request did, if the device was removed, or if `request` is empty.
        """
        device, bound_by = _device(ask, "number", number)
        if not request or device is None or device.ended or not compare_digest(bound_by, _digest(request)):
            return None
        token = _text(self._randomness(_TOKEN_BYTES))
        ask("UPDATE sessions SET digest = ? WHERE number = ?", _digest(token), number)
        return Login(device, token)

    def _digest_of(self, ask: Ask, player: int, code: str) -> str:
        """Return the salted digest of a player's code.

        Because of the salt, a precomputed table of the digests of all codes would work for one event only.
        """
        (salt,) = ask("SELECT value FROM facts WHERE name = 'salt'").fetchone()
        return _digest(f"{salt}\n{player}\n{code}")

    def _now(self) -> str:
        return _as_kept(self._clock())


Ask = Callable[..., sqlite3.Cursor]
_COLUMNS = "number, role, player, name, made, ended"
"""The columns of a device, in the order of its fields."""


def _device(ask: Ask, column: str, value: object) -> tuple[Device | None, str]:
    """Return the device with `value` in `column`, and the digest of its request to join.

    Returns None and an empty text if there is no such device.
    """
    row = ask(f"SELECT request, {_COLUMNS} FROM sessions WHERE {column} = ?", value).fetchone()  # noqa: S608
    return (Device(*row[1:]), row[0]) if row else (None, "")


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=_PATIENCE, check_same_thread=False)
    try:
        set_pragmas(connection, DURABLE)
    except BaseException:
        connection.close()
        raise
    return connection


def _as_kept(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


def _digest(secret: str) -> str:
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


def _text(random: bytes) -> str:
    return urlsafe_b64encode(random).decode().rstrip("=")


def _crockford(random: bytes) -> str:
    number = int.from_bytes(random, "big")
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(35, -1, -5))


@contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """Raise SQLite's errors in the `with` block as UnreadableError."""
    try:
        yield
    except sqlite3.Error as fault:
        if (getattr(fault, "sqlite_errorname", None) or "").startswith("SQLITE_BUSY"):
            raise UnreadableError(
                f"another program has been writing to {display_path(path)}, the file of codes and devices, "
                f"for {_PATIENCE:.0f} s; nothing was changed",
                "repeat the command",
            ) from None
        raise UnreadableError(
            f"{display_path(path)}, the file of codes and devices, cannot be used: {fault}",
            "if it is damaged, delete it; every device then needs a new code from the desk",
        ) from None
