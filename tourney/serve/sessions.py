"""Who asks: the cookie of a device, what it may do, and the key that every form of it carries.

A token is 128 random bits or more in a cookie that no script can read and no other site can send. Of it the machine keeps
a digest alone (`tourney.store.devices`). The key of a form is worked out of the token, so that it holds for as long as the
session does, also over a restart, and nobody who has not seen the page can know it.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING

from tourney.record import PlayerId

if TYPE_CHECKING:
    from tourney.store.devices import Device, Devices

TOKEN = re.compile(r"[A-Za-z0-9_-]{16,100}")
"""What a token looks like; anything else in a cookie is none."""

YEAR = 366 * 24 * 3600


class Role(StrEnum):
    """What a visitor is to the event."""

    SPECTATOR = "spectator"
    PLAYER = "player"
    JUDGE = "judge"
    SCOREKEEPER = "scorekeeper"
    ORGANIZER = "organizer"

    @property
    def rank(self) -> int:
        """0 for a spectator, 1 for a player, 2 for staff: for whom room is kept."""
        return 2 if self in STAFF else 1 if self in PLAYERS else 0


ANYBODY = frozenset(Role)
PLAYERS = frozenset({Role.PLAYER})
JUDGES = frozenset({Role.JUDGE, Role.ORGANIZER})
SCOREKEEPERS = frozenset({Role.SCOREKEEPER, Role.ORGANIZER})
STAFF = JUDGES | SCOREKEEPERS


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody's browser.

    token:  of the session; without one, of the visit: it gives no right, and keys its forms all the same
    device: the session's, as the desk knows it; None for a spectator
    """

    token: str
    device: Device | None = None

    @property
    def role(self) -> Role:
        """What the visitor is to the event."""
        return Role(self.device.role) if self.device else Role.SPECTATOR

    @property
    def player(self) -> PlayerId | None:
        """Whose seat the visitor speaks for, if any."""
        return PlayerId(self.device.player) if self.device and self.device.player is not None else None

    @property
    def session(self) -> str:
        """What the visitor is called in memory: nothing that could be sent back as a token."""
        return sha256(self.token.encode()).hexdigest()

    @property
    def key(self) -> str:
        """The key that each of this visitor's forms carries."""
        return hmac.new(self.token.encode(), b"a form of tourney", sha256).hexdigest()[:32]

    def has_key(self, given: str) -> bool:
        """Say whether a form came from a page of this visitor's."""
        return hmac.compare_digest(self.key.encode(), given.encode("utf-8", "surrogatepass"))


NOBODY = Visitor("")
"""Of whom it could not be seen who it is."""


@dataclass(frozen=True, slots=True)
class Cookies:
    """The names of the two cookies: they tell events apart that are served from one machine, which cookies cannot."""

    event: str

    @property
    def session(self) -> str:
        """Of a device that joined."""
        return f"tourney-{self.event[:8]}"

    @property
    def visit(self) -> str:
        """Of anybody else."""
        return f"visit-{self.event[:8]}"

    def visitor(self, cookies: Mapping[str, str], devices: Devices) -> tuple[Visitor, bool]:
        """Return who asks, and whether the browser is to be given a token for the visit."""
        token = cookies.get(self.session, "")
        if TOKEN.fullmatch(token):
            device = devices.session(token)
            if device is not None and device.ended is None:
                return Visitor(token, device), False
        visit = cookies.get(self.visit, "")
        if TOKEN.fullmatch(visit):
            return Visitor(visit), False
        return Visitor(secrets.token_urlsafe(18)), True
