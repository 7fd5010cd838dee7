"""`tourney serve`: the event on the phones, tablets and screens of the room."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from tourney.cli.command import command
from tourney.cli.session import Session

if TYPE_CHECKING:
    from tourney.serve.visits import Room
    from tourney.store.devices import StaffLink

PORT = 8017
"""Where phones find the event."""

EVERYWHERE = "0.0.0.0"  # noqa: S104  phones are to reach it
"""Every address that the machine has."""


@command(
    "serve",
    event=True,
    signed=True,
    examples=[
        "tourney serve",
        "tourney serve --read-only",
        "tourney serve --port 8080 --url https://friday.example",
        "tourney serve --cert shop.pem --key shop.key",
    ],
)
@click.option(
    "--host", default=EVERYWHERE, metavar="ADDRESS", help="Listen at this address of the machine only."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    help=f"The port, {PORT} by default; 0: any that is free.",
)
@click.option(
    "--url", metavar="URL", help="The address that printed codes carry, where the machine's own changes."
)
@click.option("--read-only", is_flag=True, help="Phones only look; nothing is entered from them.")
@click.option(
    "--cert", type=click.Path(path_type=Path), metavar="FILE", help="A certificate (PEM), for https."
)
@click.option(
    "--key",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Its key (PEM), where it is not in the same file.",
)
@click.option(
    "--staff-over-http",
    is_flag=True,
    help="Let staff on other devices enter things without https. Anybody in the same Wi-Fi can listen in and take their place.",
)
def cli(
    session: Session,
    *,
    host: str,
    port: int,
    url: str | None,
    read_only: bool,
    cert: Path | None,
    key: Path | None,
    staff_over_http: bool,
) -> None:
    """Put the event on the phones in the room: pairings, clocks, standings, live, and results from the players.

    Phones in the same network open the address that is printed, or scan its code. The organizer opens the printed link in a
    browser on this machine. Players join with a personal code (`tourney device code`), staff by a link that works once
    (`tourney device staff scorekeeper`). Everything goes into the
    event at once, and the command line beside it works as ever. Ctrl-C ends it; nothing is lost.
    """
    from tourney.serve.app import Announcer, ServerOptions, serve
    from tourney.serve.live import LiveEvent

    if key and not cert:
        raise click.UsageError("`--key` is of a certificate: `--cert FILE --key FILE`")
    options = ServerOptions(
        host=host,
        port=port,
        url=_origin(url),
        cert=cert,
        key=key,
        read_only=read_only,
        staff_over_http=staff_over_http,
    )
    event = LiveEvent(
        session.place,
        session.workplace(),
        outbox=session.outbox,
    )
    told = _Teller(session, options.staff_over_http)
    serve(event, session.devices, options, Announcer(told.address, session.warn, session.talk))
    session.talk(f"ended; all that was entered is in {event.place.name}")


def _origin(url: str | None) -> str:
    """Return a URL without its path. Raises a usage error for what no browser could open, and for one in a folder."""
    if not url:
        return ""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/") or parts.query:
        raise click.BadParameter("it is like https://friday.example, without a folder", param_hint="--url")
    return f"{parts.scheme}://{parts.netloc}"


def _how_staff_join(*, allowed: bool) -> str:
    """Say how staff join. allowed: as the server was begun; over plain HTTP it has to be."""
    if allowed:
        return "Staff join by a link that works once: `tourney device staff scorekeeper`."
    return (
        "Staff work at the laptop, also in its browser (`tourney device staff scorekeeper`). Devices of their own need `--cert`,"
        " or `--staff-over-http` on a Wi-Fi that you trust."
    )


def _organizers_link(room: Room, name: str) -> StaffLink:
    """Make a link by which the organizer's browser joins, at this machine."""
    from tourney.store.devices import LONGEST_NAME

    return room.devices.staff_link("organizer", name[:LONGEST_NAME])


class _Teller:
    """Tells the address, at the start with all that is to be known, later that it is another one."""

    def __init__(self, session: Session, staff_over_http: bool) -> None:
        self.session, self.staff_over_http, self.begun = session, staff_over_http, False

    def address(self, address: str, room: Room) -> None:
        """Tell where the room is."""
        from tourney.cli.output import drawn_code

        session = self.session
        link = None if self.begun or room.read_only else _organizers_link(room, session.by)
        if session.json and not self.begun:
            session.emit(
                "serve/1",
                {
                    "address": address,
                    "event": room.event.place.name,
                    "read_only": room.read_only,
                    "organizer": link and f"{room.names.address_here()}{link.path}",
                },
            )
        elif not session.json:
            session.say(f"{room.event.state.name}: {address}")
            session.talk(drawn_code(address))
        if self.begun:
            session.warn(
                "this machine has another address now; phones have to open the new one",
                "`--url` prints one that stays",
            )
            return
        self.begun = True
        if link is not None and not session.json:
            session.say(f"Organizer, on this machine: {room.names.address_here()}{link.path}")
            session.talk(
                f"That link works once, until {link.expires.astimezone():%H:%M}: `tourney device staff organizer` makes another."
            )
        session.talk(f"On a sheet to print: {address}/poster")
        if not room.read_only:
            session.talk("Players join with their code: `tourney device code --missing`.")
            session.talk(_how_staff_join(allowed=self.staff_over_http or address.startswith("https:")))
        if self.staff_over_http and not room.names.secure:
            session.warn(
                "staff work over plain HTTP: anybody in the same Wi-Fi can read what they see and take their place",
                "a hotspot of your own keeps others out; `--cert` encrypts",
            )
        session.talk("Ctrl-C ends it.")
