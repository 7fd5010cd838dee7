"""`tourney device`: which phones and tablets speak for whom, while the event is served."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import noun
from tourney.cli.options import players
from tourney.cli.output import already_written, drawn_code
from tourney.cli.session import Session
from tourney.event.names import find_all
from tourney.event.results import clock_time
from tourney.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tourney.event.state import State
    from tourney.publish import Labels
    from tourney.publish.sheets import PaperSize
    from tourney.record import PlayerId
    from tourney.store.devices import Code, Device

cli = noun("device")

_FEW = 3
"""So many codes are drawn to be scanned without being asked for."""


@cli.command(
    "code",
    event=True,
    examples=[
        "tourney device code Lena",
        "tourney device code --missing",
        "tourney device code --missing --sheet codes.html",
        "tourney device code --all --json",
    ],
)
@click.argument("who", metavar="PLAYER...", nargs=-1, shell_complete=players)
@click.option(
    "--all", "everybody", is_flag=True, help="Everybody who plays, whether they have a code or not."
)
@click.option("--missing", is_flag=True, help="Everybody who plays and has no code, or one that is void.")
@click.option(
    "--qr/--no-qr", "draw", default=None, help="Draw each code to be scanned, or none; drawn for up to three."
)
@click.option(
    "--sheet",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write them on strips to print, cut and hand over: HTML, or PDF where FILE ends in .pdf.",
)
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter"]),
    default="a4",
    show_default=True,
    help="--sheet: the size of the paper.",
)
def code(
    session: Session,
    who: tuple[str, ...],
    *,
    everybody: bool,
    missing: bool,
    draw: bool | None,
    sheet: Path | None,
    paper: PaperSize,
) -> None:
    """Make personal codes: whoever has one speaks for that player's seat, on the first device that uses it.

    A code is shown once, now: hand it over at check-in, on a strip of paper (--sheet) or on the screen. A new code ends the one before, and the device that
    was bound by it; ten wrong ones tried for a player void theirs. Codes are kept as digests in your data folder, never in
    the event.
    """
    if bool(who) + everybody + missing != 1:
        raise click.UsageError("name players, or say --all or --missing")
    from tourney.desk import files

    with session.desk() as desk, session.devices(desk.entries[0].digest) as devices:
        state, known, address = desk.state, devices.codes(), devices.address
        if who:
            wanted: Sequence[PlayerId] = list(dict.fromkeys(find_all(state.players, who)))
        else:
            wanted = [
                each.id for each in state.playing if everybody or known.get(each.id) not in {"fresh", "bound"}
            ]
        bound = {each.player for each in devices.list() if each.player and each.ended is None}
        with devices.handing_out(wanted) as made:
            if sheet is not None and made:  # a sheet that cannot be written ends no code that was handed over
                _write_sheet(sheet, _strips(state, made, address, paper, desk.labels))
                files.remember_files(desk, sheet)
    if sheet is None or session.json or not made:
        _tell_codes(
            session, state, made, address, sheet=sheet, draw=len(made) <= _FEW if draw is None else draw
        )
    else:
        _tell_sheet(session, sheet, made, address)
    out = [state.players[each].name for each in wanted if each in bound]
    if out:
        session.warn(f"the devices bound before are out: {', '.join(out)}")


def _strips(
    state: State, made: Sequence[Code], address: str, paper: PaperSize, labels: Labels | None
) -> bytes:
    from tourney.publish.sheets import Strip, code_strips

    strips = [
        Strip(name=state.players[_id(each)].name, player=_id(each), text=each.text, path=each.path)
        for each in made
    ]
    return code_strips(state.name, strips, room=address, paper=paper, labels=labels)


def _write_sheet(sheet: Path, page: bytes) -> None:
    """Write the strips, for nobody else to read, where nothing stands yet: codes that were not printed would be lost."""
    from tourney.publish.sheets import as_pdf
    from tourney.store.files import write_new

    content = as_pdf(page) if sheet.suffix.casefold() == ".pdf" else page
    write_new(sheet, content, "print it, or delete it, or name another file", mode=0o600)


def _tell_sheet(session: Session, sheet: Path, made: Sequence[Code], address: str) -> None:
    done = f"{sheet}: {counted(len(made), 'personal code')}"
    with already_written(done):
        session.changed(done)
    session.talk(
        "print it without scaling (100 %), cut it, give each player their code at check-in, and delete the file"
    )
    if not address:
        session.talk(
            "the sheet has no QR codes, as the address is unknown: run `tourney serve`, then make the sheet again"
        )


def _tell_codes(
    session: Session,
    state: State,
    made: Sequence[Code],
    address: str,
    *,
    sheet: Path | None,
    draw: bool,
) -> None:
    if session.json:
        shown = [
            {
                "id": each.player,
                "player": state.players[_id(each)].name,
                "code": each.text,
                "path": each.path,
                "link": f"{address}{each.path}" if address else None,
            }
            for each in made
        ]
        written = str(sheet) if sheet and made else None
        session.emit("device-codes/1", {"codes": shown, "address": address or None, "sheet": written})
        return
    if draw and address:
        for each in made:
            session.say(f"{state.players[_id(each)].name}: {each.text}  {address}{each.path}\n")
            session.say(drawn_code(f"{address}{each.path}") + "\n")
    elif made:
        rows = [
            (each.player, state.players[_id(each)].name, each.text, f"{address}{each.path}") for each in made
        ]
        session.table(["number", "player", "code", "link" if address else "page"], rows, right=(0,))
    if not made:
        session.talk("everybody who plays has a code: `tourney device code NAME` makes another")
    elif not address:
        session.talk("the event was not served yet: `tourney serve` says at which address these pages are")


def _id(made: Code) -> PlayerId:
    from tourney.record import PlayerId

    return PlayerId(made.player)


@cli.command(
    "staff",
    event=True,
    examples=["tourney device staff judge Kim", "tourney device staff scorekeeper"],
)
@click.argument("role", metavar="judge|scorekeeper|organizer")
@click.argument("name", required=False, default="")
def staff(session: Session, role: str, name: str) -> None:
    """Make a link by which one device joins as staff, within five minutes; NAME signs what is entered there.

    A judge sees calls, lists and penalties; a scorekeeper enters results and pairs; an organizer does all of it.
    """
    from tourney.event.names import clean_name
    from tourney.store.devices import LONGEST_NAME, STAFF_ROLES

    named = next((each for each in STAFF_ROLES if each == role), None)
    if named is None:
        raise click.UsageError(f"`{role}` is no role: {', '.join(STAFF_ROLES)}")
    with session.desk() as desk, session.devices(desk.entries[0].digest) as devices:
        link = devices.staff_link(named, clean_name(name, longest=LONGEST_NAME) if name else "")
        address = devices.address
    whole = f"{address}{link.path}"
    if session.json:
        session.emit(
            "device-link/1",
            {
                "role": link.role,
                "name": link.name or None,
                "path": link.path,
                "link": whole if address else None,
                "expires": link.expires.isoformat(timespec="seconds"),
            },
        )
        return
    session.say(whole)
    if address:
        session.say("\n" + drawn_code(whole))
    else:
        session.talk("the event was not served yet: `tourney serve` says at which address this page is")
    if address.startswith("http:"):
        session.talk(
            "over plain HTTP it works on the machine that serves; on other devices only with `tourney serve --staff-over-http`"
        )
    session.talk(
        f"for one device, until {link.expires.astimezone():%H:%M}; the first device that opens it has it"
    )


@cli.command("list", event=True, examples=["tourney device list", "tourney device list --json"])
def list_(session: Session) -> None:
    """List the devices that have joined, and whose they are; those that are out, too."""
    with session.desk() as desk, session.devices(desk.entries[0].digest) as devices:
        state, joined, codes = desk.state, devices.list(), devices.codes()
    if session.json:
        shown = [_json(state, each) for each in joined]
        session.emit("devices/1", {"devices": shown})
        return
    rows = [
        (
            each.number,
            each.role,
            _whose(state, each),
            clock_time(each.made),
            f"out since {clock_time(each.ended)}" if each.ended else "",
        )
        for each in joined
    ]
    if rows:
        session.table(["device", "role", "whose", "joined", ""], rows, right=(0,))
    unused = sum(each == "fresh" for each in codes.values())
    void = [state.players[each].name for each in state.players if codes.get(each) == "void"]
    session.talk(
        f"{counted(sum(each.ended is None for each in joined), 'device')}, {counted(unused, 'code')} not used yet"
    )
    if void:
        session.talk(
            f"too many wrong codes were tried for {', '.join(void)}: `tourney device code NAME` makes another"
        )


def _whose(state: State, device: Device) -> str:
    if device.player is None:
        return device.name
    known = [each.name for each in state.players.values() if each.id == device.player]
    return known[0] if known else f"player {device.player}"


def _json(state: State, device: Device) -> dict[str, Any]:
    return {
        "device": device.number,
        "role": device.role,
        "id": device.player,
        "name": _whose(state, device) or None,
        "made": device.made,
        "ended": device.ended,
    }


@cli.command("remove", event=True, examples=["tourney device remove 5", "tourney device remove 5 --json"])
@click.argument("number", metavar="DEVICE", type=click.IntRange(min=1))
def remove(session: Session, number: int) -> None:
    """Turn a device out at once, and list what was entered on it.

    What it entered stands; `event undo ENTRY` takes it back. A player whose device is out needs a new code.
    """
    with session.desk() as desk, session.devices(desk.entries[0].digest) as devices:
        device = devices.remove(number)
        entered = desk.entered_on(device)
        whose = _whose(desk.state, device)
    if session.json:
        entries = [{"entry": each.entry, "at": each.at, "text": each.text} for each in entered]
        session.emit("device-removed/1", {**_json(desk.state, device), "entries": entries})
        return
    session.changed(f"Device {device.number}{f' of {whose}' if whose else ''} is out.")
    if entered:
        rows = [
            (each.entry, clock_time(each.at), f"(undone) {each.text}" if each.undone else each.text)
            for each in entered
        ]
        session.table(["entry", "when", "what was entered on it"], rows, right=(0,))
    else:
        session.talk("nothing was entered on it")
    if device.player is not None:
        session.talk(f"`tourney device code '#{device.player}'` makes a new code for {whose}")
