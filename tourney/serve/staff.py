"""What staff see on their own devices: the scorekeeper's desk and the judge's page; and how what they send is entered, once.

What can be entered, and who may, is the table of `acts`. What is refused is shown on the page that the form came from, with
what was typed.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.responses import Response

from tourney.desk.open_event import next_steps
from tourney.errors import TourneyError
from tourney.event.deck_checks import deck_checks
from tourney.event.entry import written
from tourney.event.ops import Undone
from tourney.event.penalties import history
from tourney.event.phrases import names_of, seats_text
from tourney.event.rounds import left_while_held
from tourney.event.score import slip_examples
from tourney.event.systems import cut_to_come
from tourney.serve.acts import ACTS, OTHER_RIGHTS, Act, Doing
from tourney.serve.live import DESK
from tourney.serve.public import sheet_to_print
from tourney.serve.seat import DECK_BYTES, DECK_LETTERS
from tourney.serve.steps import RefusedForm, champion, next_step, pair_labels, remedies
from tourney.serve.visits import (
    JUDGES,
    LONGEST_NAME,
    SCOREKEEPERS,
    UNENCRYPTED,
    RefusedError,
    Remedy,
    Role,
    Routes,
    Visit,
    on_a_phone,
)
from tourney.wording import Message, sentence

if TYPE_CHECKING:
    from tourney.decks.history import Changed
    from tourney.desk import Desk, Receipt
    from tourney.desk.desk import LogLine
    from tourney.event.penalties import PenaltyList
    from tourney.event.state import Player, Remark, Round, State
    from tourney.record import PlayerId
    from tourney.store.devices import Device

routes = Routes()

# -- entering it, once


def _add_form(name: str, act: Act) -> None:
    async def entering(visit: Visit) -> Response:
        return await _enter(visit, name, act)

    routes.form(f"/desk/{name}", may=act.may, most=act.most)(entering)


async def _enter(visit: Visit, name: str, act: Act) -> Response:
    """Do what a form asks for, once, and go back to the page it came from, which tells what was done."""
    page = _page_of(visit)
    try:
        doing = act.reads(visit)
        done = await visit.write(lambda desk: _once(visit, name, desk, doing))
    except TourneyError as fault:
        return await PAGES[page].shows(visit, Refused(name, fault, dict(visit.sent)))
    if act.publishes and done.receipt and done.receipt.entries:
        publishes, outbox, receipt, before = act.publishes, visit.event.outbox, done.receipt, done.before
        visit.event.publish(lambda desk: publishes(desk, receipt, before, outbox), receipt)
    helps = (
        remedies(" ".join(done.receipt.warnings), _asked(visit, name), visit.visitor.role)
        if done.receipt
        else ()
    )
    return visit.back(_address(visit, page, name), *done.said, remedies=helps)


def _asked(visit: Visit, act: str) -> RefusedForm:
    """Return the form that was sent, for the buttons of a refusal or a warning."""
    state = visit.event.state
    return RefusedForm(act, dict(visit.sent), state, cut_to_come(state))


def _address(visit: Visit, page: str, name: str) -> str:
    """Return the address of a page as it is to be seen after a form of it."""
    if page == "/judge/list" and name != "undo":
        return f"{page}?{urlencode({'who': visit.field('who', LONGEST_NAME)})}"
    return f"{page}?time=1" if name == "slip" and visit.field("time") else page


class Done(NamedTuple):
    """What a form did. receipt: None where it was sent before; before: the event by then."""

    said: tuple[str, ...]
    receipt: Receipt | None
    before: State


def _once(visit: Visit, name: str, desk: Desk, doing: Doing) -> Done:
    """Do it in the writer's turn, or say what was done where the very same form was sent before, also before a restart."""
    before, form = desk.refresh(), _form_of(visit, name)
    device, devices = visit.visitor.device, visit.room.devices
    if form and device:
        if among := devices.form_before(device.number, form, before.entry):
            done = [each for each in desk.entered_on(device) if each.entry in among]
            if done:
                return Done(tuple(_told(each) for each in done), None, before)
        devices.note_form(device.number, form, before.entry)
    receipt = doing(desk)
    said = (*receipt.changed, *(sentence(_in_this_room(each)) for each in receipt.warnings))
    return Done(said, receipt, before)


def _form_of(visit: Visit, name: str) -> str:
    """Return what tells a form from every other: all of it, with the word that its page had; empty without one."""
    return f"{name}\n{urlencode(visit.sent)}" if visit.field("once") else ""


def _told(line: LogLine) -> str:
    """Tell once more what an entry did."""
    if line.undone is None:
        return Message("{what} (entry {entry})", what=line.text, entry=line.entry)
    return Message("{what} (entry {entry}, undone)", what=line.text, entry=line.entry)


def _in_this_room(text: str) -> str:
    """Return what is to be known of a change without the command line that a terminal would want for it."""
    return _COMMAND.sub("", text).rstrip(" :;,") if "`" in text else text


_COMMAND = re.compile(r"(?: \(|[:,;]? )?\x60tourney [^\x60]*\x60(?:\)| [^;.\x60]*)?")


def _page_of(visit: Visit) -> str:
    """Return the page that a form came from: one that the visitor may see."""
    at = visit.field("at", 40)
    if at in PAGES and visit.visitor.role in PAGES[at].may:
        return at
    return "/judge" if visit.visitor.role is Role.JUDGE else "/desk"


@dataclass(frozen=True, slots=True)
class Refused:
    """A refused form: its act, the refusal and the typed fields. helps: buttons besides those of the hint."""

    act: str
    fault: TourneyError
    typed: Mapping[str, str]
    helps: tuple[Remedy, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The refusal and its hint, with commands as you type them into the page's own field."""
        hint = self.fault.hint or ""
        if "tourney result " in hint:  # otherwise it stays a `Message`, which pages translate
            hint = hint.replace("tourney result add ", "").replace("tourney result ", "")
        message, hint = on_a_phone(TourneyError(self.fault.message, hint or None))
        return (message, *filter(None, hint.split("\n") if "\n" in hint else [hint]))


for _name, _act in ACTS.items():
    _add_form(_name, _act)


# -- what is seen


class Standing(NamedTuple):
    """What only the open event knows, asked for once for a page."""

    claims: tuple[Any, ...]
    calls: tuple[Any, ...]
    last: LogLine | None
    penalties: PenaltyList
    texts: Mapping[Any, str | None]
    state: State


async def _standing(visit: Visit) -> Standing:
    device = visit.visitor.device

    def look(desk: Desk) -> Standing:
        with desk.signing(device.signature) if device else nullcontext():
            last = desk.own_last()
        return Standing(desk.claims(), desk.calls(), last, desk.penalty_list(), desk.texts, desk.state)

    return await visit.event.read(look)


async def _show(
    visit: Visit, template: str, address: str, refused: Refused | None, **own: object
) -> Response:
    """Answer with a page of the staff's. refused: a form of it that was not taken."""
    status = 200
    if refused is not None:
        status = refused.fault.status if isinstance(refused.fault, RefusedError) else 409
    scorekeeper, judge = (visit.visitor.role in each for each in (SCOREKEEPERS, JUDGES))
    only_seen = _only_seen(visit)
    helps: tuple[Remedy, ...] = ()
    if refused is not None:
        hint = refused.fault.hint or ""
        helps = (*refused.helps, *remedies(hint, _asked(visit, refused.act), visit.visitor.role))
    return await visit.page(
        template,
        address,
        topics=() if refused or visit.sent else (DESK,),
        status=status,
        pages=None,
        refused=refused,
        helps=helps,
        once=secrets.token_urlsafe(12),
        at=f"/{address}",
        scorekeeper=scorekeeper,
        judge=judge,
        organizer=visit.visitor.role is Role.ORGANIZER,
        only_seen=only_seen,
        entering=not only_seen,
        **own,
    )


def _only_seen(visit: Visit) -> str:
    """Say why nothing can be entered from here, in words for the page; empty where it can."""
    room = visit.room
    if room.read_only:
        return Message("These pages are read-only: enter results on the organizer's computer.")
    return "" if visit.secure or room.staff_over_http else sentence(UNENCRYPTED)


async def _desk_page(visit: Visit, refused: Refused | None = None) -> Response:
    """Show the scorekeeper's page: one field for slips, what players reported, open tables, the round."""
    known, published = await _standing(visit), visit.event.publication
    state, role = known.state, visit.visitor.role
    step = await visit.event.read(lambda desk: next_step(desk, role))
    return await _show(
        visit,
        "live/desk.html",
        "desk",
        refused,
        known=known,
        state=state,
        round=state.round,
        open=_open_tables(state, known),
        time=bool(visit.asked.get("time")),
        steps=[each for each in next_steps(state) if "`tourney " not in each],
        overdue=any(each.overdue and not each.claim.disputed for each in known.claims),
        published=published and [sentence(_in_this_room(each)) for each in published.lines],
        not_published=published and [sentence(_in_this_room(each)) for each in published.faults],
        published_at=published and published.at,
        publishing=visit.event.publishing,
        publishes=bool(state.settings.pages.publish_to or state.settings.pages.post_to),
        step=step,
        examples=slip_examples(state.settings),
        next_round=pair_labels(state),
        champion=champion(state) or _first(visit, state),
        ready=state.round is None or (state.round.done and not state.round.held),
        gone=", ".join(state.players[each].name for each in left_while_held(state)),
    )


def _first(visit: Visit, state: State) -> str:
    """Name the first player of the standings in an event without a bracket; empty if several share the place."""
    if state.cut is not None or not state.rounds:
        return ""
    first = [row.player for row in visit.event.pages.event.settled.rows if row.rank == 1]
    return Message("{name} is first.", name=state.players[first[0]].name) if len(first) == 1 else ""


class PlayingTable(NamedTuple):
    """A table that is still playing. mark: what players sent from it."""

    number: int
    seats: str
    mark: str
    extra: int


def _open_tables(state: State, known: Standing) -> list[PlayingTable]:
    round_, name = state.round, names_of(state)
    if round_ is None:
        return []
    marks = {each.claim.table: each.mark for each in known.claims}
    return [
        PlayingTable(
            number,
            seats_text(round_.tables[number].seats, name),
            marks.get(number, ""),
            round_.extended.get(number, 0),
        )
        for number in round_.playing
    ]


async def _players_page(visit: Visit, refused: Refused | None = None) -> Response:
    """Show everybody: who is here, who has left, who has a code."""
    known, codes = await _standing(visit), visit.room.devices.codes()
    state = known.state
    shown = [(each, _stands(visit, each), codes.get(each.id, "")) for each in state.players.values()]
    return await _show(
        visit, "live/desk-players.html", "desk/players", refused, known=known, state=state, players=shown
    )


def _stands(visit: Visit, player: Player) -> str:
    if player.disqualified is not None:
        return Message("disqualified")
    if player.dropped is not None:
        return Message("leaves after this round") if player.leaving else Message("dropped")
    if player.checked_in:
        return Message("here")
    return "" if visit.event.state.rounds else Message("not checked in")


class _AskedFirstError(TourneyError):
    """An action that cannot be undone needs a second press. again: the button that confirms it."""

    def __init__(self, message: str, again: Remedy) -> None:
        super().__init__(message)
        self.again = again


@routes.form("/desk/code", may=OTHER_RIGHTS["/desk/code"][0])
async def code(visit: Visit) -> Response:
    """Make a new personal code and show it, once, to be scanned from the desk's screen."""
    import segno

    who, form = visit.needed("who"), _form_of(visit, "code")
    device, devices = visit.visitor.device, visit.room.devices

    def made(desk: Desk) -> tuple[PlayerId, Any]:
        player, entry = desk.who(who), desk.state.entry
        bound = any(each.player == player and each.ended is None for each in devices.list())
        if bound and not visit.field("sure"):
            name = desk.state.players[player].name
            again = Remedy(
                "code", Message("Sign it out and make a new code"), (("who", f"#{player}"), ("sure", "1"))
            )
            raise _AskedFirstError(
                Message("The phone of {name} is signed in. A new code signs it out immediately.", name=name),
                again,
            )
        if device and form:
            if devices.form_before(device.number, form, entry) is not None:
                raise TourneyError(Message("this code was already shown; you can make a new one"))
            devices.note_form(device.number, form, entry)
        return player, devices.new_code(player)

    try:
        player, new = await visit.event.read(made)
    except TourneyError as fault:
        helps = (fault.again,) if isinstance(fault, _AskedFirstError) else ()
        return await _players_page(visit, Refused("code", fault, dict(visit.sent), helps))
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


@routes.form("/desk/codes", may=OTHER_RIGHTS["/desk/codes"][0])
async def codes(visit: Visit) -> Response:
    """Make codes for everybody who plays and has none, and send the strips to print, once."""
    from tourney.publish.sheets import Strip, code_strips

    devices = visit.room.devices
    form, device = _form_of(visit, "codes"), visit.visitor.device
    kept = {"bound"} if visit.field("anew") else {"bound", "fresh"}

    def made(desk: Desk) -> tuple[str, list[Strip]]:
        state, known = desk.refresh(), devices.codes()
        if device and form and devices.form_before(device.number, form, state.entry) is not None:
            raise TourneyError(Message("these codes were already shown; tick the box to make new ones"))
        wanted = [each.id for each in state.playing if known.get(each.id) not in kept]
        if not wanted:
            raise TourneyError(Message("every player has a code"))
        if device and form:
            devices.note_form(device.number, form, state.entry)
        with devices.handing_out(wanted) as new:
            pass
        names = {each.id: each.name for each in state.playing}
        return state.name, [
            Strip(name=names[player], player=player, text=each.text, path=each.path)
            for player, each in zip(wanted, new, strict=True)
        ]

    try:
        name, strips = await visit.event.read(made)
    except TourneyError as fault:
        return await _players_page(visit, Refused("codes", fault, dict(visit.sent)))
    room = visit.room.names.address()
    return sheet_to_print(
        visit, await asyncio.to_thread(code_strips, name, strips, room=room, language=visit.room.language)
    )


async def _devices_page(visit: Visit, refused: Refused | None = None) -> Response:
    """Show the devices that joined, whose they are, and those that are out."""
    state = visit.event.state
    joined = [
        (each, _whose(state, each), _may_turn_out(visit, each))
        for each in reversed(visit.room.devices.list())
    ]
    return await _show(visit, "live/desk-devices.html", "desk/devices", refused, devices=joined)


def _whose(state: State, device: Device) -> str:
    if device.player is None:
        return device.name
    return next(
        (each.name for each in state.players.values() if each.id == device.player), f"#{device.player}"
    )


def _may_turn_out(visit: Visit, device: Device) -> bool:
    """Say whether the visitor may turn a device out: a player's; one of the staff's is the organizer's to judge."""
    own = visit.visitor.device
    if device.ended is not None or (own is not None and own.number == device.number):
        return False
    return device.player is not None or visit.visitor.role is Role.ORGANIZER


@routes.form("/desk/turn-out", may=OTHER_RIGHTS["/desk/turn-out"][0])
async def turn_out(visit: Visit) -> Response:
    """Turn a device out at once, and list what was entered on it."""
    number = visit.number("device")
    found = next((each for each in visit.room.devices.list() if each.number == number), None)
    if found is not None and found.ended is None and not _may_turn_out(visit, found):
        fault = RefusedError(403, Message("only the organizer can remove a staff device"))
        return await _devices_page(visit, Refused("turn-out", fault, dict(visit.sent)))

    def out(desk: Desk) -> tuple[Device, tuple[LogLine, ...]]:
        device = visit.room.devices.remove(number)
        return device, desk.entered_on(device)

    try:
        device, entered = await visit.event.read(out)
    except TourneyError as fault:
        return await _devices_page(visit, Refused("turn-out", fault, dict(visit.sent)))
    whose = _whose(visit.event.state, device)
    return await visit.page(
        "live/desk-device.html", "desk/turn-out", topics=(), device=device, whose=whose, entered=entered
    )


async def _judge_page(visit: Visit, refused: Refused | None = None) -> Response:
    """Show the judge's page: calls to answer, more time, penalties, deck checks."""
    known = await _standing(visit)
    state = known.state if visit.visitor.role in SCOREKEEPERS else known.state.for_players
    held = state is not known.state and len(state.rounds) != len(known.state.rounds)
    checks = [each for each in deck_checks(state) if each.round <= len(state.rounds)]
    return await _show(
        visit,
        "live/judge.html",
        "judge",
        refused,
        known=known,
        state=state,
        round=state.round,
        calls=() if held else known.calls,
        penalties=_penalties(reversed(state.penalties), known),
        due=[
            (_at(state.rounds[each.round - 1], each.player), state.players[each.player])
            for each in checks
            if each.done is None and each.round
        ],
        checked=[
            (each, state.players[each.player].name, written(each.done.text, known.texts))
            for each in checks
            if each.done is not None
        ],
    )


def _penalties(given: Iterable[Remark], known: Standing) -> list[tuple[Remark, str, str, str]]:
    """Return penalties, each with whose it is, its level and what it was before, and the reasons that were given."""
    return [
        (
            each,
            known.state.players[each.player].name,
            " → ".join((*each.was, each.kind)),
            "; ".join(filter(None, (written(ref, known.texts) for ref in (each.text, *each.whys)))),
        )
        for each in given
    ]


def _at(round_: Round, player: PlayerId) -> int | None:
    table = round_.table_of(player)
    return table.number if table else None


async def _decklist_page(
    visit: Visit, refused: Refused | None = None, compared: Compared | None = None
) -> Response:
    """Show the registered list of a player, by name or number, and take another one, or what was found at the table."""
    who = (visit.asked.get("who") or visit.field("who", LONGEST_NAME))[:LONGEST_NAME]
    known, text, player = await _standing(visit), "", None
    if who:
        try:
            number = await visit.event.read(lambda desk: desk.who(who))
            player = known.state.players[number]
            text = await visit.event.read(lambda desk: desk.deck_text(number)) if player.deck else ""
        except TourneyError as fault:
            refused = refused or Refused("list", fault, {"who": who})
    return await _show(
        visit,
        "live/judge-list.html",
        "judge/list",
        refused,
        known=known,
        state=known.state,
        who=who,
        player=player,
        text=text,
        compared=compared,
        earlier=_penalties(history(known.state, player.id), known) if player else (),
        longest=DECK_LETTERS,
    )


class Compared(NamedTuple):
    """What a deck has otherwise than the list that was registered, as `tourney deck diff` tells it.

    text: the deck, as it was typed; said: how many cards that makes, in a sentence
    """

    text: str
    changed: tuple[Changed, ...]
    said: str


@routes.form("/judge/compare", may=OTHER_RIGHTS["/judge/compare"][0], most=DECK_BYTES)
async def compare(visit: Visit) -> Response:
    """Hold what was found at a table against the registered list; nothing is noted by that."""
    try:
        who, deck = visit.needed("who"), visit.needed("list", DECK_LETTERS)
        source = Message("the deck on the table")
        changed = await visit.event.read(lambda desk: desk.compare_deck(who, deck, source=source))
    except TourneyError as fault:
        return await _decklist_page(visit, Refused("compare", fault, dict(visit.sent)))
    put_in, taken_out = (sum(max(0, way * (each.after - each.before)) for each in changed) for way in (1, -1))
    said = Message("{put_in} added, {taken_out} removed.", put_in=put_in, taken_out=taken_out)
    return await _decklist_page(visit, None, Compared(deck, changed, said))


MOST_LINES = 100
"""Entries that the page of the story shows, unless all are asked for."""


async def _log_page(visit: Visit, refused: Refused | None = None) -> Response:
    """Tell the event's story, the last entry first, each with who entered it; what is wrong is taken back here."""
    everything = bool(visit.asked.get("all"))
    last = visit.event.state.entry
    after = 0 if everything else max(0, last - MOST_LINES)
    known = await _standing(visit)

    def told(desk: Desk) -> list[tuple[LogLine, bool]]:
        """Return each entry with whether it is one to be taken back: what took another back is turned with that one."""
        ops_there = [each.op for each in desk.entries[after:]]
        return [
            (line, line.entry > 1 and not isinstance(op, Undone))
            for line, op in zip(desk.log(after), ops_there, strict=True)
        ]

    lines = await visit.event.read(told)
    return await _show(
        visit,
        "live/desk-log.html",
        "desk/log",
        refused,
        known=known,
        state=known.state,
        lines=lines[::-1],
        more=after,
    )


@routes.form("/desk/publish", may=OTHER_RIGHTS["/desk/publish"][0])
async def publish(visit: Visit) -> Response:
    """Write the pages and posts once more, after this was answered: where it failed between two rounds."""
    from tourney.desk.open_event import Receipt

    nothing = Receipt(entries=(), changed=(), next=(), state=visit.event.state)
    outbox = visit.event.outbox
    visit.event.publish(lambda desk: desk.with_pages_and_posts(nothing, outbox=outbox))
    return visit.back("/desk")


class Page(NamedTuple):
    """A page of the staff's. shows: it, with a form that was refused, if one was."""

    may: frozenset[Role]
    shows: Callable[[Visit, Refused | None], Awaitable[Response]]


PAGES: Mapping[str, Page] = {
    "/desk": Page(SCOREKEEPERS, _desk_page),
    "/desk/players": Page(SCOREKEEPERS, _players_page),
    "/desk/devices": Page(SCOREKEEPERS, _devices_page),
    "/desk/log": Page(SCOREKEEPERS, _log_page),
    "/judge": Page(JUDGES, _judge_page),
    "/judge/list": Page(OTHER_RIGHTS["/judge/list"][0], _decklist_page),
}
"""The pages that forms come from, and go back to; who may see them."""


def _add_page(path: str, page: Page) -> None:
    async def showing(visit: Visit) -> Response:
        return await page.shows(visit, None)

    routes.page(path, may=page.may)(showing)


for _path, _page in PAGES.items():
    _add_page(_path, _page)
