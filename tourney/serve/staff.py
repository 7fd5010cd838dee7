"""The pages of scorekeepers and judges, and the handling of their forms.

The module `acts` has the table of forms. The table of pages is `PAGES`: each page has a template, and a
function that reads the values for it from the open event. A form is entered only once, even if it is sent
twice. If a form is refused, its page shows it again, filled in as it was sent.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

import segno
from markupsafe import Markup
from msgspec import Struct
from starlette.responses import Response

from tourney.desk.auditing import compare_deck
from tourney.desk.publishing import with_pages_and_posts
from tourney.desk.receipts import Receipt, next_steps
from tourney.errors import TourneyError
from tourney.event.claims import CallRow, overdue_claims
from tourney.event.decks import deck_checks
from tourney.event.entry import written
from tourney.event.ops import Undone
from tourney.event.penalties import history
from tourney.event.phrases import seats_text
from tourney.event.rounds import left_while_held
from tourney.event.score import slip_examples
from tourney.publish.sheets import code_strips
from tourney.serve.acts import ACTS, Act
from tourney.serve.news import DESK
from tourney.serve.public import sheet_to_print
from tourney.serve.seat import DECK_BYTES, DECK_LETTERS
from tourney.serve.steps import RefusedForm, champion, next_step, pair_labels, remedies
from tourney.serve.visits import (
    HOMES,
    JUDGES,
    LONGEST_NAME,
    SCOREKEEPERS,
    STAFF,
    UNENCRYPTED,
    RefusedError,
    Remedy,
    Role,
    Route,
    Visit,
    refusal_text,
)
from tourney.wording import Message, sentence

if TYPE_CHECKING:
    from tourney.decks import Changed
    from tourney.desk import Desk
    from tourney.desk.open_event import LogLine
    from tourney.event.state import Penalty, Player, State
    from tourney.record import PlayerId
    from tourney.store.devices import Code, Device

Facts = dict[str, Any]
"""Values for a template, by name."""


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
        lines = [line for line in desk.entered_on(_device(visit)) if line.entry in entries]
        if lines:
            return Done(tuple(map(_entry_text, lines)), None, before)
    _note_form(visit, desk)
    if act.check is not None:
        act.check(desk, visit)
    receipt = act.enter(desk, visit)
    warnings = (sentence(_without_commands(warning)) for warning in receipt.warnings)
    return Done((*receipt.changed, *warnings), receipt, before)


def _device(visit: Visit) -> Device:
    device = visit.visitor.device
    assert device is not None, "staff have joined with a device"
    return device


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
        return visit.room.devices.form_before(_device(visit).number, form, desk.state.entry)
    return None


def _note_form(visit: Visit, desk: Desk) -> None:
    """Record that a form was sent. Call this before the form changes the event."""
    if form := _whole_form(visit):
        visit.room.devices.note_form(_device(visit).number, form, desk.state.entry)


def _entry_text(line: LogLine) -> str:
    """Return an entry in words with its number, followed by `undone` if it was undone."""
    if line.undone is None:
        return Message("{what} (entry {entry})", what=line.text, entry=line.entry)
    return Message("{what} (entry {entry}, undone)", what=line.text, entry=line.entry)


def _without_commands(text: str) -> str:
    """Return a warning without the command that it names."""
    return _COMMAND.sub("", text).rstrip(" :;,") if "`" in text else text


_COMMAND = re.compile(r"(?: \(|[:,;]? )?\x60tourney [^\x60]*\x60(?:\)| [^;.\x60]*)?")


def _remedies(visit: Visit, text: str) -> tuple[Remedy, ...]:
    """Return buttons for the commands in a hint or a warning about the form that was sent."""
    return remedies(text, RefusedForm(visit.act, visit.fields, visit.event.state), visit.visitor.role)


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
        `tourney result add` or `tourney result`. Staff can type the rest into the field for results.
        """
        hint = self.fault.hint or ""
        if "tourney result " in hint:  # a hint that is not changed remains a `Message`, which pages translate
            hint = hint.replace("tourney result add ", "").replace("tourney result ", "")
        message, hint = refusal_text(TourneyError(self.fault.message, hint or None))
        return (message, *filter(None, hint.split("\n") if "\n" in hint else [hint]))


# -- showing a page


async def _show(path: str, visit: Visit, refused: Refused | None = None, **more: object) -> Response:
    """Answer with a page of `PAGES`.

    refused: a form of the page that was refused; None if there is none
    more: values for the template in addition to those of the page
    """
    page = PAGES[path]
    facts = await visit.event.read(lambda desk: {**_shared_facts(desk, visit), **page.facts(desk, visit)})
    unknown_player = facts.pop("refused", None)
    refused = refused or unknown_player
    status = 200
    if refused is not None:
        status = refused.fault.status if isinstance(refused.fault, RefusedError) else 409
    role, read_only = visit.visitor.role, _read_only(visit)
    return await visit.page(
        page.template,
        path[1:],
        topics=() if refused or visit.sent else (DESK,),
        status=status,
        refused=refused,
        at=path,
        scorekeeper=role in SCOREKEEPERS,
        judge=role in JUDGES,
        organizer=role is Role.ORGANIZER,
        read_only=read_only,
        entering=not read_only,
        **{**facts, **more},
    )


def _read_only(visit: Visit) -> str:
    """Return why the pages of staff have no forms; empty if they have forms."""
    room = visit.room
    if room.read_only:
        return Message("These pages are read-only: enter results on the organizer's computer.")
    return "" if visit.secure or room.staff_over_http else sentence(UNENCRYPTED)


def _shared_facts(desk: Desk, visit: Visit) -> Facts:
    with desk.signing(_device(visit).signature):
        last = desk.own_last()
    return {"state": desk.state, "last": last, "penalty_list": desk.penalty_list()}


# -- the scorekeeper's desk


def _desk_facts(desk: Desk, visit: Visit) -> Facts:
    """Return the values for the desk's page: reports, open tables, the next step and more."""
    state, claims, published = desk.state, desk.claims(), visit.event.publication
    round_, name, marks = state.round, state.name_of, {claim.table: claim.mark for claim in claims}
    return {
        "round": round_,
        "claims": claims,
        "calls": _calls(desk),
        "open": [
            (table.number, seats_text(table.seats, name), marks.get(table.number, ""), table.extra_minutes)
            for table in (round_.open_tables if round_ else ())
        ],
        "time": bool(visit.query.get("time")),
        "steps": [step.text for step in next_steps(state) if not step.commands],
        "overdue": bool(overdue_claims(state, desk.workplace.clock())),
        "published": published and _sentences(published.lines),
        "not_published": published and _sentences(published.faults),
        "published_at": published and published.at,
        "publishing": visit.event.publishing,
        "publishes": bool(state.settings.pages.publish_to or state.settings.pages.post_to),
        "step": next_step(desk, visit.visitor.role),
        "examples": slip_examples(state.settings),
        "next_round": pair_labels(state),
        "champion": champion(state) or _first(visit, state),
        "ready": round_ is None or (round_.done and not round_.held),
        "gone": ", ".join(state.players[player].name for player in left_while_held(state)),
    }


def _calls(desk: Desk) -> list[tuple[CallRow, str]]:
    """Return the open calls for a judge, each with the names of the players at its table."""
    state, name = desk.state, desk.state.name_of
    tables = [(call, state.table_of(call.id)) for call in desk.calls()]
    return [(call, seats_text(table.seats, name) if table else call.player) for call, table in tables]


def _sentences(lines: Iterable[str]) -> list[str]:
    return [sentence(_without_commands(line)) for line in lines]


def _first(visit: Visit, state: State) -> str:
    """Return a sentence that names the first player of the standings.

    Returns an empty text if several players share first place, and after a cut.
    """
    if state.cut is not None or not state.rounds:
        return ""
    first = [row.player for row in visit.event.pages.event.settled.rows if row.rank == 1]
    return Message("{name} is first.", name=state.players[first[0]].name) if len(first) == 1 else ""


async def publish(visit: Visit) -> Response:
    """Publish the pages and posts again after a failure.

    The answer is sent before publishing ends.
    """
    nothing = Receipt(entries=(), changed=(), next=(), state=visit.event.state)
    outbox = visit.event.outbox
    visit.event.publish(lambda desk: with_pages_and_posts(desk, nothing, outbox=outbox))
    return visit.back("/desk")


# -- players and their codes


def _players_facts(desk: Desk, visit: Visit) -> Facts:
    """Return all players, with their status and the status of their codes."""
    codes, state = visit.room.devices.codes(), desk.state
    players = [
        (player, _status(player, state), codes.get(player.id, "")) for player in state.players.values()
    ]
    return {"players": players}


def _status(player: Player, state: State) -> str:
    if player.disqualified is not None:
        return Message("disqualified")
    if player.dropped is not None:
        return Message("leaves after this round") if player.leaving else Message("dropped")
    if player.checked_in:
        return Message("here")
    return "" if state.rounds else Message("not checked in")


class _ConfirmFirstError(TourneyError):
    """A change that cannot be undone needs a confirmation. button: the button that confirms it."""

    def __init__(self, message: str, button: Remedy) -> None:
        super().__init__(message)
        self.button = button


async def code(visit: Visit) -> Response:
    """Make a new personal code and show it once, for scanning from the desk's screen."""
    devices = visit.room.devices

    def make(desk: Desk) -> tuple[PlayerId, Any]:
        player = desk.who(visit.required("who"))
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
        player=visit.event.state.players[player],
        code=new,
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


def _devices_facts(desk: Desk, visit: Visit) -> Facts:
    """Return the devices that joined, with their owners, and those that were removed."""
    return {
        "devices": [
            (device, _owner(desk.state, device), _may_remove(visit, device))
            for device in reversed(visit.room.devices.list())
        ]
    }


def _owner(state: State, device: Device) -> str:
    if device.player is None:
        return device.name
    names = (player.name for player in state.players.values() if player.id == device.player)
    return next(names, f"#{device.player}")


def _may_remove(visit: Visit, device: Device) -> bool:
    """Return whether the visitor may remove a device.

    Only the organizer may remove a staff device.
    """
    if device.ended is not None or _device(visit).number == device.number:
        return False
    return device.player is not None or visit.visitor.role is Role.ORGANIZER


async def remove_device(visit: Visit) -> Response:
    """Remove a device at once, and list its entries."""
    number, devices = visit.number("device"), visit.room.devices

    def remove(desk: Desk) -> tuple[Device, tuple[LogLine, ...]]:
        device = next((device for device in devices.list() if device.number == number), None)
        if device is not None and device.ended is None and not _may_remove(visit, device):
            raise RefusedError(403, Message("only the organizer can remove a staff device"))
        device = devices.remove(number)
        return device, desk.entered_on(device)

    try:
        device, entries = await visit.event.read(remove)
    except TourneyError as fault:
        return await _show("/desk/devices", visit, Refused.of(visit, fault))
    owner = _owner(visit.event.state, device)
    return await visit.page(
        "live/desk-device.html", "desk/turn-out", topics=(), device=device, owner=owner, entered=entries
    )


# -- the log

MOST_LINES = 100
"""The maximum number of entries on the page of the log, unless all are requested."""


def _log_facts(desk: Desk, visit: Visit) -> Facts:
    """Return the entries, the newest first, and for each whether it can be undone or redone.

    An undo is itself an entry, but has no button. Instead, the entry that it undid has a button to redo it.
    """
    after = 0 if visit.query.get("all") else max(0, desk.state.entry - MOST_LINES)
    lines = [
        (line, line.entry > 1 and not isinstance(entry.op, Undone))
        for line, entry in zip(desk.log(after), desk.entries[after:], strict=True)
    ]
    return {"lines": lines[::-1], "more": after}


# -- the judge's page


def _judge_facts(desk: Desk, visit: Visit) -> Facts:
    """Return what the judge's page shows: open calls, penalties and deck checks.

    While a round is held back, a judge sees no calls, and no deck checks of that round.
    """
    state = desk.state if visit.visitor.role in SCOREKEEPERS else desk.state.for_players
    is_hidden = len(state.rounds) != len(desk.state.rounds)
    checks = [check for check in deck_checks(state, desk.texts) if check.round <= len(state.rounds)]
    return {
        "state": state,
        "round": state.round,
        "calls": () if is_hidden else _calls(desk),
        "penalties": _penalties(reversed(state.penalties), desk),
        "due": [check for check in checks if not check.checked and check.round],
        "checked": [check for check in checks if check.checked],
    }


def _penalties(penalties: Iterable[Penalty], desk: Desk) -> list[tuple[Penalty, str, str, str]]:
    """Return penalties, each with the player's name, the levels so far and the reasons, as text."""
    return [
        (
            penalty,
            desk.state.players[penalty.player].name,
            " → ".join((*penalty.was, penalty.level)),
            "; ".join(filter(None, (written(ref, desk.texts) for ref in reasons))),
        )
        for penalty in penalties
        for reasons in [(penalty.reason, *penalty.upgrade_reasons)]
    ]


def _decklist_facts(desk: Desk, visit: Visit) -> Facts:
    """Return the values for the page of a player's registered decklist and penalties."""
    player_name = (visit.query.get("who") or visit.text("who", LONGEST_NAME))[:LONGEST_NAME]
    facts: Facts = {"who": player_name, "player": None, "text": "", "earlier": (), "compared": None}
    facts["longest"] = DECK_LETTERS
    if not player_name:
        return facts
    try:
        player = desk.state.players[desk.who(player_name)]
        facts |= {"player": player, "earlier": _penalties(history(desk.state, player.id), desk)}
        facts["text"] = desk.deck_text(player.id) if player.deck else ""
    except TourneyError as fault:
        facts["refused"] = Refused("list", fault, {"who": player_name})
    return facts


class DeckComparison(NamedTuple):
    """The differences between a deck and the registered list.

    text: the deck, as it was entered
    summary: the numbers of added and removed cards, in words
    """

    text: str
    changed: tuple[Changed, ...]
    summary: str


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
    facts: a function that reads the values for the template from the open event
    what: what the page lets staff do, as listed in `README.md`; empty if that list omits the page
    """

    may: frozenset[Role]
    template: str
    facts: Callable[[Desk, Visit], Facts]
    what: str = ""


PAGES: Mapping[str, StaffPage] = {
    "/desk": StaffPage(SCOREKEEPERS, "live/desk.html", _desk_facts),
    "/desk/players": StaffPage(SCOREKEEPERS, "live/desk-players.html", _players_facts),
    "/desk/devices": StaffPage(SCOREKEEPERS, "live/desk-devices.html", _devices_facts),
    "/desk/log": StaffPage(SCOREKEEPERS, "live/desk-log.html", _log_facts),
    "/judge": StaffPage(JUDGES, "live/judge.html", _judge_facts),
    "/judge/list": StaffPage(STAFF, "live/judge-list.html", _decklist_facts, "reads decklists"),
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
