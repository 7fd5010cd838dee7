"""The pages of scorekeepers and judges, and the handling of their forms.

The module `acts` has the table of forms. The table of pages is `PAGES`: each page has a template, and a view
that is made from the open event (`staff_views`). A form is entered only once, even if it is sent twice. If a
form is refused, its page shows it again, filled in as it was sent.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

import segno
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response

from tourney.desk.auditing import compare_deck
from tourney.desk.publishing import with_pages_and_posts
from tourney.desk.receipts import Receipt
from tourney.errors import TourneyError
from tourney.publish.sheets import code_strips
from tourney.serve.acts import ACTS, Act
from tourney.serve.news import DESK
from tourney.serve.public import sheet_to_print
from tourney.serve.seat import DECK_BYTES, DECK_LETTERS
from tourney.serve.staff_views import (
    DeckComparison,
    DeskView,
    DevicesView,
    Frame,
    JudgeView,
    ListView,
    LogView,
    PlayersView,
    StaffPageView,
    can_remove,
    owner_of,
)
from tourney.serve.steps import RefusedForm, remedies, without_commands
from tourney.serve.visits import (
    HOMES,
    JUDGES,
    LONGEST_NAME,
    SCOREKEEPERS,
    STAFF,
    RefusedError,
    Remedy,
    Role,
    Route,
    Visit,
    refusal_text,
)
from tourney.wording import Message, sentence

if TYPE_CHECKING:
    from tourney.desk import Desk
    from tourney.desk.open_event import LogLine
    from tourney.event.state import State
    from tourney.record import PlayerId
    from tourney.store.devices import Code, Device


# -- entering a form, once


async def _enter(act: Act, visit: Visit) -> Response:
    """Record a submitted form, and redirect to its page, which shows what was recorded."""
    page = _page_of(visit)
    try:
        done = await visit.write(lambda desk: _enter_once(visit, act, desk))
    except TourneyError as fault:
        return await _show(page, visit, Refused.of(visit, fault))
    receipt, publish = done.receipt, act.publish
    if receipt is None:
        return visit.back(_address(visit, page), *done.lines)
    if publish and receipt.entries:
        outbox = visit.event.outbox
        visit.event.publish(lambda desk: publish(desk, receipt, done.before, outbox), receipt)
    helps = _remedies(visit, " ".join(receipt.warnings))
    return visit.back(_address(visit, page), *done.lines, remedies=helps)


def _page_of(visit: Visit) -> str:
    """Return the page that a form came from.

    If the visitor may not see that page, return the first page of the visitor's role.
    """
    at = visit.text("at", 40)
    if at in PAGES and visit.visitor.role in PAGES[at].may:
        return at
    return HOMES[visit.visitor.role].path


def _address(visit: Visit, page: str) -> str:
    """Return the address to which a visitor goes back after submitting a form of `page`.

    The address keeps the player whose decklist is shown, except after an undo. It also keeps whether `time`
    was ticked in the form for slips.
    """
    if page == "/judge/list" and visit.act != "undo":
        return f"{page}?{urlencode({'who': visit.text('who', LONGEST_NAME)})}"
    return f"{page}?time=1" if visit.act == "slip" and visit.ticked("time") else page


class Done(NamedTuple):
    """The result of a web form that a staff member sent.

    lines: sentences about what was entered and what to check
    receipt: the receipt of the change; None if the same form was sent before, and so nothing was entered now
    before: the event before the form was processed
    """

    lines: tuple[str, ...]
    receipt: Receipt | None
    before: State


def _enter_once(visit: Visit, act: Act, desk: Desk) -> Done:
    """Record a submitted form, and return its effect. Call this in the writer's thread.

    If the same form has made entries before (see `_entries_of_same_form`), nothing is recorded, and the
    result describes those entries.
    """
    before = desk.refresh()
    if entries := _entries_of_same_form(visit, desk):
        lines = [line for line in desk.entered_on(visit.staff_device) if line.entry in entries]
        if lines:
            return Done(tuple(map(_entry_text, lines)), None, before)
    _note_form(visit, desk)
    if act.check is not None:
        act.check(desk, visit)
    receipt = act.enter(desk, visit)
    warnings = (sentence(without_commands(warning)) for warning in receipt.warnings)
    return Done((*receipt.changed, *warnings), receipt, before)


def _whole_form(visit: Visit) -> str:
    """Return a submitted form (its action and fields) as text, to recognize a second submission.

    Equal texts mean the same form, because one field is a random word. Returns an empty text if the form does
    not have this field.
    """
    return f"{visit.act}\n{urlencode(visit.sent, doseq=True)}" if visit.text("once") else ""


def _entries_of_same_form(visit: Visit, desk: Desk) -> range | None:
    """Return the numbers of the entries that an earlier submission of this form can have made.

    The earlier submission came from the same device, with the same action and fields. One of the fields is a
    random word that identifies the form. The range may also contain entries that other devices made. Returns
    None if no earlier submission is recorded, or if the form has no random word.
    """
    if form := _whole_form(visit):
        return visit.room.devices.form_before(visit.staff_device.number, form, desk.state.entry)
    return None


def _note_form(visit: Visit, desk: Desk) -> None:
    """Record that a form was sent. Call this before the form changes the event."""
    if form := _whole_form(visit):
        visit.room.devices.note_form(visit.staff_device.number, form, desk.state.entry)


def _entry_text(line: LogLine) -> str:
    """Return an entry in words with its number, followed by `undone` if it was undone."""
    if line.undone is None:
        return Message("{what} (entry {entry})", what=line.text, entry=line.entry)
    return Message("{what} (entry {entry}, undone)", what=line.text, entry=line.entry)


def _remedies(visit: Visit, text: str) -> tuple[Remedy, ...]:
    """Return buttons for the commands in a hint or a warning about the form that was sent."""
    return remedies(text, RefusedForm(visit.act, visit.fields, visit.event.state), visit.visitor.role)


_ONLY_RESULT = re.compile(r"\x60tourney result [^\x60]*\x60")


class Refused(Struct, frozen=True):
    """A form that was refused: its name, the error, its fields, and buttons that can help."""

    act: str
    fault: TourneyError
    fields: Mapping[str, str]
    helps: tuple[Remedy, ...] = ()

    @classmethod
    def of(cls, visit: Visit, fault: TourneyError, *helps: Remedy) -> Refused:
        """Return a `Refused` for the web form that a visit sent, with buttons that can help.

        fault: the reason for the refusal
        helps: buttons in addition to those for the error's hint
        """
        return cls(visit.act, fault, visit.fields, (*helps, *_remedies(visit, fault.hint or "")))

    @property
    def lines(self) -> tuple[str, ...]:
        """The error and its hint, as lines to show above the form.

        A hint that names a command is left out. But a `tourney result` command is kept without the words
        `tourney result add` or `tourney result`. Staff can type the rest into the field for results. A hint
        that is only such a command is left out if a button does the same, and after any form but that field.
        """
        hint = self.fault.hint or ""
        if _ONLY_RESULT.fullmatch(hint) and (self.helps or self.act != "slip"):
            hint = ""
        if "tourney result " in hint:  # a hint that is not changed remains a `Message`, which pages translate
            hint = hint.replace("tourney result add ", "").replace("tourney result ", "")
        message, hint = refusal_text(TourneyError(self.fault.message, hint or None))
        return (message, *filter(None, hint.split("\n") if "\n" in hint else [hint]))


# -- showing a page


async def _show(path: str, visit: Visit, refused: Refused | None = None, **changes: object) -> Response:
    """Answer with a page of `PAGES`.

    refused: a form of the page that was refused; None if there is none
    changes: values of fields of the page's view
    """
    page = PAGES[path]
    staff, here = await visit.event.read(lambda desk: (Frame.of(desk, visit, path), page.view(desk, visit)))
    if refused is None and here.fault is not None:
        refused = Refused("", here.fault, {})
    status = 200
    if refused is not None:
        status = refused.fault.status if isinstance(refused.fault, RefusedError) else 409
    return await visit.page(
        page.template,
        path[1:],
        topics=() if refused or visit.sent else (DESK,),
        status=status,
        refused=refused,
        staff=staff,
        here=replace(here, **changes),
    )


# -- the scorekeeper's desk


async def publish(visit: Visit) -> Response:
    """Publish the pages and posts again after a failure.

    The answer is sent before publishing ends.
    """
    nothing = Receipt(entries=(), changed=(), next=(), state=visit.event.state)
    outbox = visit.event.outbox
    visit.event.publish(lambda desk: with_pages_and_posts(desk, nothing, outbox=outbox))
    return visit.back("/desk")


# -- players and their codes


class _ConfirmFirstError(TourneyError):
    """A change that cannot be undone needs a confirmation. button: the button that confirms it."""

    def __init__(self, message: str, button: Remedy) -> None:
        super().__init__(message)
        self.button = button


async def code(visit: Visit) -> Response:
    """Make a new personal code and show it once, for scanning from the desk's screen."""
    devices = visit.room.devices

    def make(desk: Desk) -> tuple[PlayerId, Any]:
        player = desk.find_player(visit.required("who"))
        bound = any(device.player == player and device.ended is None for device in devices.list())
        if bound and not visit.ticked("sure"):
            name, fields = desk.state.players[player].name, (("who", f"#{player}"), ("sure", "1"))
            raise _ConfirmFirstError(
                Message("The phone of {name} is signed in. A new code signs it out immediately.", name=name),
                Remedy("code", Message("Sign it out and make a new code"), fields),
            )
        if _entries_of_same_form(visit, desk) is not None:
            raise TourneyError(Message("this code was already shown; you can make a new one"))
        _note_form(visit, desk)
        return player, devices.new_code(player)

    try:
        player, new = await visit.event.read(make)
    except TourneyError as fault:
        helps = [fault.button] if isinstance(fault, _ConfirmFirstError) else []
        return await _show("/desk/players", visit, Refused.of(visit, fault, *helps))
    link = f"{visit.room.names.address()}{new.path}"
    drawn = segno.make(link, micro=False, error="m").svg_inline(border=2, omitsize=True)
    return await visit.page(
        "live/desk-code.html",
        "desk/code",
        topics=(),
        name=visit.event.state.name_of(player),
        code=new.text,
        link=link,
        drawn=Markup(drawn),  # noqa: S704  drawn by us
    )


async def codes(visit: Visit) -> Response:
    """Make codes for all players without a code, and show their slips for printing, once."""
    devices = visit.room.devices
    kept_states = {"bound"} if visit.ticked("anew") else {"bound", "fresh"}

    def make(desk: Desk) -> tuple[str, list[tuple[str, Code]]]:
        state, status = desk.refresh(), devices.codes()
        if _entries_of_same_form(visit, desk) is not None:
            raise TourneyError(Message("these codes were already shown; tick the box to make new ones"))
        players = [player for player in state.playing if status.get(player.id) not in kept_states]
        if not players:
            raise TourneyError(Message("every player has a code"))
        _note_form(visit, desk)
        with devices.handing_out([player.id for player in players]) as new:
            pass
        return state.name, [(player.name, code) for player, code in zip(players, new, strict=True)]

    try:
        name, named = await visit.event.read(make)
    except TourneyError as fault:
        return await _show("/desk/players", visit, Refused.of(visit, fault))
    room = visit.room.names.address()
    return sheet_to_print(
        visit, await asyncio.to_thread(code_strips, name, named, room=room, language=visit.room.language)
    )


# -- devices


async def remove_device(visit: Visit) -> Response:
    """Remove a device at once, and list its entries."""
    number, devices = visit.number("device"), visit.room.devices

    def remove(desk: Desk) -> tuple[Device, tuple[LogLine, ...]]:
        device = next((device for device in devices.list() if device.number == number), None)
        if device is not None and device.ended is None and not can_remove(visit, device):
            raise RefusedError(403, Message("only the organizer can remove a staff device"))
        device = devices.remove(number)
        return device, desk.entered_on(device)

    try:
        device, entries = await visit.event.read(remove)
    except TourneyError as fault:
        return await _show("/desk/devices", visit, Refused.of(visit, fault))
    owner = owner_of(device, visit.event.state)
    return await visit.page(
        "live/desk-device.html", "desk/turn-out", topics=(), number=number, owner=owner, entered=entries
    )


# -- the judge's pages


async def compare(visit: Visit) -> Response:
    """Compare the deck on a table with the registered list, without recording a deck check."""
    try:
        player_name, deck = visit.required("who"), visit.required("list", DECK_LETTERS)
        source = Message("the deck on the table")
        changed = await visit.event.read(lambda desk: compare_deck(desk, player_name, deck, source=source))
    except TourneyError as fault:
        return await _show("/judge/list", visit, Refused.of(visit, fault))
    added = sum(max(0, card.after - card.before) for card in changed)
    removed = sum(max(0, card.before - card.after) for card in changed)
    summary = Message("{put_in} added, {taken_out} removed.", put_in=added, taken_out=removed)
    return await _show("/judge/list", visit, compared=DeckComparison(deck, changed, summary))


# -- the tables of pages and routes


class StaffPage(NamedTuple):
    """A page of staff.

    may: the roles that may see the page
    view: a function that makes the view for the template from the open event
    what: what the page lets staff do, as listed in `README.md`; empty if that list omits the page
    """

    may: frozenset[Role]
    template: str
    view: Callable[[Desk, Visit], StaffPageView]
    what: str = ""


PAGES: Mapping[str, StaffPage] = {
    "/desk": StaffPage(SCOREKEEPERS, "live/desk.html", DeskView.of),
    "/desk/players": StaffPage(SCOREKEEPERS, "live/desk-players.html", PlayersView.of),
    "/desk/devices": StaffPage(SCOREKEEPERS, "live/desk-devices.html", DevicesView.of),
    "/desk/log": StaffPage(SCOREKEEPERS, "live/desk-log.html", LogView.of),
    "/judge": StaffPage(JUDGES, "live/judge.html", JudgeView.of),
    "/judge/list": StaffPage(STAFF, "live/judge-list.html", ListView.of, "reads decklists"),
}
"""The pages of staff by address. After a form of a page was sent, its page is shown again."""

routes = (
    *(Route(path, partial(_show, path), page.may, what=page.what) for path, page in PAGES.items()),
    *(
        Route(f"/desk/{name}", partial(_enter, act), act.may, form=True, most=act.most, what=act.what)
        for name, act in ACTS.items()
    ),
    Route("/desk/code", code, SCOREKEEPERS, form=True, what="makes personal codes"),
    Route(
        "/desk/codes", codes, SCOREKEEPERS, form=True, what="prints personal codes for players without one"
    ),
    Route("/desk/turn-out", remove_device, SCOREKEEPERS, form=True, what="removes a player's device"),
    Route("/desk/publish", publish, SCOREKEEPERS, form=True, what="publishes pages and posts again"),
    Route(
        "/judge/compare",
        compare,
        JUDGES,
        form=True,
        most=DECK_BYTES,
        what="compares a deck with the registered list",
    ),
)
"""The routes of staff. Only the organizer can remove a staff device."""
