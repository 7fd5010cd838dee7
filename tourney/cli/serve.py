"""`tourney serve`: the event on the phones, tablets and screens of the venue."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import click

from tourney.cli.command import command
from tourney.cli.options import flag, gather_options
from tourney.cli.output import qr_code
from tourney.cli.session import Session
from tourney.document import Document
from tourney.serve.app import Announcer, ServerOptions, serve
from tourney.serve.live import LiveEvent
from tourney.serve.visits import Room
from tourney.store.devices import LONGEST_NAME

_DEFAULTS = ServerOptions()


def _origin(_: click.Context, __: click.Parameter, url: str | None) -> str:
    """Return the scheme, host and port of a URL, without its path; empty if no URL is given.

    Raises a usage error for a URL with a folder or a query, and for one that is not http or https.
    """
    if not url:
        return ""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/") or parts.query:
        raise click.BadParameter("must be like https://friday.example, without a folder", param_hint="--url")
    return f"{parts.scheme}://{parts.netloc}"


@command("serve", event=True, writes_entries=True)
@click.option("--host", default=_DEFAULTS.host, metavar="ADDRESS", help="Listen only at this local address.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=_DEFAULTS.port,
    show_default=True,
    help="The port; 0 for any free one.",
)
@click.option(
    "--url",
    metavar="URL",
    callback=_origin,
    help="The address for printed codes, if this machine's address can change.",
)
@flag("--read-only", help="Phones can only read the pages; they cannot enter anything.")
@click.option("--cert", type=click.Path(path_type=Path), metavar="FILE", help="A PEM certificate for https.")
@click.option(
    "--key", type=click.Path(path_type=Path), metavar="FILE", help="The PEM key, if it is in another file."
)
@flag(
    "--staff-over-http",
    help="Let staff enter data from other devices without https. Anyone on the same Wi-Fi can "
    "read it and act as staff.",
)
@gather_options("options", ServerOptions)
def cli(session: Session, options: ServerOptions) -> None:
    """Serve the event to phones in the room.

    Phones show live pairings, the clock and the standings; players can enter results.

    Phones on the same network open the printed address, or scan its code. The organizer opens the printed
    link in a browser on this machine. Players join with a personal code (`tourney device code`), and staff
    with a link that works once (`tourney device staff scorekeeper`). Changes are saved in the event at once,
    and you can keep using the command line. Ctrl-C stops the server; nothing is lost.

    Examples:
      tourney serve
      tourney serve --read-only
      tourney serve --port 8080 --url https://friday.example
      tourney serve --cert shop.pem --key shop.key
    """
    if options.key and not options.cert:
        raise click.UsageError("--key needs --cert: `--cert FILE --key FILE`")
    event = LiveEvent(session.place, session.workplace(), outbox=session.outbox)
    printer = _AddressPrinter(session, options.staff_over_http)
    serve(event, session.devices, options, Announcer(printer.address, session.warn, session.note))
    session.note(f"stopped; all entries are saved in {event.place.name}")


def _staff_instructions(*, allows_devices: bool) -> str:
    """Return a sentence on how staff join.

    allows_devices: whether staff can use their own devices
    """
    if allows_devices:
        return "Staff join with a link that works once: `tourney device staff scorekeeper`."
    return (
        "Staff work on this computer, also in its browser (`tourney device staff scorekeeper`). To use their "
        "own devices, start with `--cert`, or with `--staff-over-http` on a Wi-Fi that you trust."
    )


class ServedEvent(Document, frozen=True, tag="tourney.serve/1"):
    """What `tourney serve --json` prints when phones can open the event.

    address: the address for phones
    event: the event, as `-e` names it
    read_only: whether nothing can be entered from phones
    organizer: a link that works once and joins the organizer's browser on this machine; null if read-only
    """

    address: str
    event: str
    read_only: bool
    organizer: str | None


class _AddressPrinter:
    """Prints the address: at the start with instructions, later only if it changes."""

    def __init__(self, session: Session, staff_over_http: bool) -> None:
        self.session, self.staff_over_http, self.has_started = session, staff_over_http, False

    def address(self, address: str, room: Room) -> None:
        """Print the address of the server."""
        session = self.session
        link = None
        if not (self.has_started or room.read_only):
            link = room.devices.staff_link("organizer", session.by[:LONGEST_NAME])
        organizer_link = link and f"{room.names.address_here()}{link.path}"
        session.say(f"{room.event.state.name}: {address}")
        session.talk(qr_code(address))
        if self.has_started:
            session.warn(
                "the address of this machine has changed; phones must open the new address",
                "`--url` prints an address that stays the same",
            )
            return
        self.has_started = True
        session.emit(
            ServedEvent(
                address=address,
                event=room.event.place.name,
                read_only=room.read_only,
                organizer=organizer_link,
            )
        )
        if link is not None:
            session.say(f"Organizer, on this machine: {organizer_link}")
            session.talk(
                f"The link works once, until {link.expires.astimezone():%H:%M}. `tourney device staff "
                "organizer` makes another."
            )
        session.note(f"A poster to print: {address}/poster")
        if not room.read_only:
            session.note("Players join with their code: `tourney device code --missing`.")
            session.note(
                _staff_instructions(allows_devices=self.staff_over_http or address.startswith("https:"))
            )
        if self.staff_over_http and not room.names.secure:
            session.warn(
                "staff use plain HTTP: anyone on the same Wi-Fi can read their pages and act as staff",
                "use your own hotspot to keep others out, or `--cert` to encrypt",
            )
        session.note("Press Ctrl-C to stop.")
