"""`tourney device`: devices that joined a served event, and codes and links to join."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct, structs

from tourney.cli.command import noun
from tourney.cli.options import flag, paper, players
from tourney.cli.output import qr_code
from tourney.cli.session import Session
from tourney.document import Document
from tourney.event.names import clean_name, find_all
from tourney.event.state import State
from tourney.record import PlayerId
from tourney.store.devices import LONGEST_NAME, STAFF_ROLES, Code, Device
from tourney.store.files import write_new
from tourney.wording import clock_time, counted

if TYPE_CHECKING:  # slow to import
    from tourney.publish.sheets import PaperSize

cli = noun("device")

_FEW = 3
"""Up to this many codes are drawn as QR codes by default."""

_NOT_SERVED = "the event was not served yet: `tourney serve` shows the address of {}"


class DeviceCode(Struct, frozen=True):
    """A new personal code.

    id: the player's number
    player: the player's name
    code: the code, as a player types it
    path: the path of the page that joins a device with this code
    link: the page's address; null if the event was not served yet
    """

    id: int
    player: str
    code: str
    path: str
    link: str | None


class DeviceCodes(Document, frozen=True, tag="tourney.device-codes/1"):
    """What `tourney device code --json` prints: new personal codes, which are shown only once.

    codes: the codes, one for each player
    address: the server's address; null if the event was not served yet
    sheet: the file of strips that `--sheet` wrote; null without `--sheet`
    """

    codes: tuple[DeviceCode, ...]
    address: str | None
    sheet: str | None


class DeviceLink(Document, frozen=True, tag="tourney.device-link/1"):
    """What `tourney device staff ROLE --json` prints: a link by which one device joins as staff.

    role: the role of the device
    name: the name that signs the device's entries; null for none
    path: the path of the page that joins the device
    link: the page's address; null if the event was not served yet
    expires: when the link expires, in UTC
    """

    role: str
    name: str | None
    path: str
    link: str | None
    expires: str


class JoinedDevice(Struct, frozen=True):
    """A device that has joined.

    device: the device's number
    role: `player`, `judge`, `scorekeeper` or `organizer`
    id: the player's number; null for staff
    name: the name of the player or staff member; null if there is none
    made: when the device joined
    ended: when the device was removed; null while it may act
    """

    device: int
    role: str
    id: int | None
    name: str | None
    made: str
    ended: str | None


class JoinedDevices(Document, frozen=True, tag="tourney.devices/1"):
    """What `tourney device list --json` prints.

    devices: every device that has joined, including removed devices
    """

    devices: tuple[JoinedDevice, ...]


class DeviceEntry(Struct, frozen=True):
    """A journal entry that was entered on a device.

    entry: the entry's number
    at: the entry's time
    text: the entry's sentence in the log
    """

    entry: int
    at: str
    text: str


class DeviceRemoved(Document, JoinedDevice, frozen=True, tag="tourney.device-removed/1"):
    """What `tourney device remove 5 --json` prints.

    entries: the entries that were made on the device
    """

    entries: tuple[DeviceEntry, ...]


@cli.command("code", event=True)
@click.argument("names", metavar="[PLAYER]...", nargs=-1, shell_complete=players)
@flag("--all", "all_players", help="Make codes for all players who still play.")
@flag("--missing", help="Make codes for all players who still play and whose code is missing or void.")
@click.option("--qr/--no-qr", "draw", default=None, help="Draw QR codes; by default for up to three players.")
@click.option(
    "--sheet",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the codes on strips to print, cut and hand out: HTML, or PDF if FILE ends in .pdf.",
)
@paper
def code(
    session: Session,
    names: tuple[str, ...],
    *,
    all_players: bool,
    missing: bool,
    draw: bool | None,
    sheet: Path | None,
    paper: PaperSize,
) -> None:
    """Make personal codes. The first device that uses a code acts for that player.

    A code is shown only this once: hand it over at check-in, on a strip of paper (--sheet) or on the screen.
    A new code replaces the player's old one, and removes the device that joined with it. After ten wrong
    codes for a player, the right one no longer works. Codes are kept as digests in your data folder, never in
    the event.

    Examples:
      tourney device code Lena
      tourney device code --missing
      tourney device code --missing --sheet codes.html
      tourney device code --all --json
    """
    if bool(names) + all_players + missing != 1:
        raise click.UsageError("name players, or use --all or --missing")
    from tourney.desk import files

    with session.desk() as desk, session.devices(desk.entries[0].digest) as devices:
        state, codes, address = desk.state, devices.codes(), devices.address
        if names:
            chosen_players: Sequence[PlayerId] = list(dict.fromkeys(find_all(state.players, names)))
        else:
            chosen_players = [
                player.id
                for player in state.playing
                if all_players or codes.get(player.id) not in {"fresh", "bound"}
            ]
        bound_players = {device.player for device in devices.list() if device.player and device.ended is None}
        with devices.handing_out(chosen_players) as new_codes:
            if sheet is not None and new_codes:  # if the sheet cannot be written, the old codes stay valid
                _write_sheet(sheet, state, new_codes, address=address, paper=paper)
                files.remember_files(desk, sheet)
    document = _codes_document(state, new_codes, address, sheet)
    session.emit(document)
    if sheet is None or not new_codes:
        _show_codes(session, document, draw=len(new_codes) <= _FEW if draw is None else draw)
    else:
        summary = f"{sheet}: {counted(len(new_codes), 'personal code')}"
        with session.answering(summary):
            session.say_change(summary)
        session.talk(
            "print the sheet without scaling (100 %), cut it, give each player their code at check-in, "
            "and delete the file"
        )
        if not address:
            session.talk(
                "the sheet has no QR codes because the address is unknown: run `tourney serve`, "
                "then make the sheet again"
            )
    old_code_owners = [
        state.players[player].name for player in chosen_players if codes.get(player) == "fresh"
    ]
    if old_code_owners:
        session.warn(f"the old codes of these players no longer work: {', '.join(old_code_owners)}")
    old_device_owners = [state.players[player].name for player in chosen_players if player in bound_players]
    if old_device_owners:
        session.warn(f"these players' old devices were removed: {', '.join(old_device_owners)}")


def _write_sheet(sheet: Path, state: State, codes: Sequence[Code], *, address: str, paper: PaperSize) -> None:
    """Write a sheet of players' personal codes, to be cut into strips, to a new file.

    Only the user can read the file. An existing file is never replaced, because the codes in it would be
    lost.
    """
    from tourney.publish.sheets import as_pdf, code_strips

    named_codes = [(state.players[PlayerId(code.player)].name, code) for code in codes]
    page = code_strips(
        state.name, named_codes, room=address, paper=paper, language=state.settings.pages.language
    )
    content = as_pdf(page) if sheet.suffix.casefold() == ".pdf" else page
    write_new(sheet, content, "print or delete the existing file, or name another one", mode=0o600)


def _codes_document(state: State, codes: Sequence[Code], address: str, sheet: Path | None) -> DeviceCodes:
    return DeviceCodes(
        codes=tuple(
            DeviceCode(
                id=code.player,
                player=state.players[PlayerId(code.player)].name,
                code=code.text,
                path=code.path,
                link=f"{address}{code.path}" if address else None,
            )
            for code in codes
        ),
        address=address or None,
        sheet=str(sheet) if sheet and codes else None,
    )


def _show_codes(session: Session, document: DeviceCodes, *, draw: bool) -> None:
    if not document.codes:
        session.talk("every player has a code: `tourney device code NAME` makes another")
        return
    if draw and document.address:
        for code in document.codes:
            session.say(f"{code.player}: {code.code}  {code.link}\n")
            session.say(qr_code(code.link or "") + "\n")
    else:
        rows = [(code.id, code.player, code.code, code.link or code.path) for code in document.codes]
        session.table(["number", "player", "code", "link" if document.address else "page"], rows, right=(0,))
    if not document.address:
        session.talk(_NOT_SERVED.format("these pages"))


@cli.command("staff", event=True)
@click.argument("role", metavar="judge|scorekeeper|organizer")
@click.argument("name", required=False, default="")
def staff(session: Session, role: str, name: str) -> None:
    """Make a link by which one device joins as staff, within five minutes.

    NAME signs the device's entries. A judge sees calls, lists and penalties; a scorekeeper enters results and
    pairs rounds; an organizer can do all of this.

    Examples:
      tourney device staff judge Kim
      tourney device staff scorekeeper
    """
    staff_role = next((candidate for candidate in STAFF_ROLES if candidate == role), None)
    if staff_role is None:
        raise click.UsageError(f"unknown staff role `{role}`; the roles are {', '.join(STAFF_ROLES)}")
    with session.desk() as desk, session.devices(desk.entries[0].digest) as devices:
        link = devices.staff_link(staff_role, clean_name(name, longest=LONGEST_NAME) if name else "")
        address = devices.address
    full_link = f"{address}{link.path}"
    session.emit(
        DeviceLink(
            role=link.role,
            name=link.name or None,
            path=link.path,
            link=full_link if address else None,
            expires=link.expires.isoformat(timespec="seconds"),
        )
    )
    session.say(full_link)
    if address:
        session.say("\n" + qr_code(full_link))
    else:
        session.talk(_NOT_SERVED.format("this page"))
    if address.startswith("http:"):
        session.talk(
            "over plain HTTP, the link works only on the machine that runs the server; other devices need"
            " `tourney serve --staff-over-http`"
        )
    session.talk(
        f"the link works for the first device that opens it, until {link.expires.astimezone():%H:%M}"
    )


@cli.command("list", event=True)
def list_(session: Session) -> None:
    """List the devices that have joined, with their owners, including removed devices.

    Examples:
      tourney device list
      tourney device list --json
    """
    with session.desk() as desk, session.devices(desk.entries[0].digest) as device_store:
        state, stored_devices, codes = desk.state, device_store.list(), device_store.codes()
    devices = tuple(_joined_device(state, device) for device in stored_devices)
    session.emit(JoinedDevices(devices=devices))
    if devices:
        rows = [
            (
                device.device,
                device.role,
                device.name or "",
                clock_time(device.made),
                f"removed {clock_time(device.ended)}" if device.ended else "",
            )
            for device in devices
        ]
        session.table(["device", "role", "whose", "joined", ""], rows, right=(0,))
    active_devices = sum(device.ended is None for device in devices)
    unused_codes = sum(code_state == "fresh" for code_state in codes.values())
    session.talk(f"{counted(active_devices, 'device')}, {counted(unused_codes, 'code')} not used yet")
    void_code_owners = [
        player.name for number, player in state.players.items() if codes.get(number) == "void"
    ]
    if void_code_owners:
        session.talk(
            f"too many wrong codes were tried for {', '.join(void_code_owners)}: "
            "`tourney device code NAME` makes another"
        )


def _joined_device(state: State, device: Device) -> JoinedDevice:
    """Return a device for `--json`, with the name of its owner."""
    owner = device.name
    if device.player is not None:
        player = state.players.get(PlayerId(device.player))
        owner = player.name if player else f"player {device.player}"
    return JoinedDevice(device.number, device.role, device.player, owner or None, device.made, device.ended)


@cli.command("remove", event=True)
@click.argument("number", metavar="DEVICE", type=click.IntRange(min=1))
def remove(session: Session, number: int) -> None:
    """Remove a device at once, and list the entries that were made on it.

    Its entries stay in the event; `event undo ENTRY` undoes one. A player whose device is removed needs a new
    code.

    Examples:
      tourney device remove 5
      tourney device remove 5 --json
    """
    with session.desk() as desk, session.devices(desk.entries[0].digest) as devices:
        device = devices.remove(number)
        log_lines = desk.entered_on(device)
        removed_device = _joined_device(desk.state, device)
    entries = tuple(DeviceEntry(line.entry, line.at, line.text) for line in log_lines)
    session.emit(DeviceRemoved(**structs.asdict(removed_device), entries=entries))
    session.say_change(
        f"Device {device.number}{f' of {removed_device.name}' if removed_device.name else ''} is removed."
    )
    if log_lines:
        rows = [
            (line.entry, clock_time(line.at), f"(undone) {line.text}" if line.undone else line.text)
            for line in log_lines
        ]
        session.table(["entry", "when", "made on this device"], rows, right=(0,))
    else:
        session.talk("no entry was made on this device")
    if device.player is not None:
        session.talk(f"`tourney device code '#{device.player}'` makes a new code for {removed_device.name}")
