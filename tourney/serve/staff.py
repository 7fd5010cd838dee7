"""What staff see and enter on their own devices: the scorekeeper's desk, and the judge's page.

`ACTS` is the one table of what can be entered, and who may. Each is a form at its own address, read by a function that
gives what is to be done at the desk: a method that the command line uses, too. What is refused is shown on the page that
the form came from, with what was typed.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.responses import Response

from tourney.errors import TourneyError
from tourney.event.ops import Undone
from tourney.event.penalties import deck_checks, history
from tourney.event.phrases import names_of, seats_text
from tourney.event.rounds import Manner
from tourney.event.score import Typed, typed_line
from tourney.event.status import next_steps
from tourney.serve.live import DESK
from tourney.serve.public import sheet_to_print
from tourney.serve.seat import DECK_BYTES, DECK_LETTERS, Fault
from tourney.serve.visits import (
    FORM_BYTES,
    JUDGES,
    SCOREKEEPERS,
    STAFF,
    RefusedError,
    Role,
    Routes,
    Visit,
    on_a_phone,
    sentence,
)

if TYPE_CHECKING:
    from tourney.decks.history import Changed
    from tourney.desk import Desk, Receipt
    from tourney.desk.desk import LogLine, OpenOutbox
    from tourney.desk.open_event import PenaltyReceipt
    from tourney.event.penalties import PenaltyList
    from tourney.event.state import Player, Remark, Round, State
    from tourney.publish.labels import Labels
    from tourney.record import PlayerId
    from tourney.store.devices import Device

routes = Routes()

Doing = Callable[["Desk"], "Receipt"]
"""What is to be done at the desk; raises TourneyError where it is refused."""

Publishing = Callable[["Desk", "Receipt", "State", "OpenOutbox"], "Receipt"]
"""Publishes what goes with a change, as the command line does: the receipt, and the event before the change."""

LONGEST_NAME, LONGEST_TEXT, LONGEST_TABLES = 200, 500, 40_000
"""Characters of a name or a table, of a reason, and of a round by hand, that a form may send; the desk has its own limits."""


class Act(NamedTuple):
    """Something that staff enter.

    may: who may; what: as the room's README says it; reads: the form, into what is to be done; publishes: what goes with it
    once it is answered; most: bytes of the form
    """

    may: frozenset[Role]
    what: str
    reads: Callable[[Visit], Doing]
    publishes: Publishing | None = None
    most: int = FORM_BYTES


def _pages_and_posts(desk: Desk, receipt: Receipt, _before: State, outbox: OpenOutbox) -> Receipt:
    """Publish a round that everybody is to see."""
    return desk.with_pages_and_posts(receipt, outbox=outbox)


def _once_released(desk: Desk, receipt: Receipt, before: State, outbox: OpenOutbox) -> Receipt:
    """Publish a round that was held back until now."""
    held = before.round is not None and before.round.held
    return desk.with_pages_and_posts(receipt, outbox=outbox) if held else receipt


def _new_seats(desk: Desk, receipt: Receipt, before: State, _outbox: OpenOutbox) -> Receipt:
    """Publish anew where pages show seats that are no more."""
    return desk.with_new_seats(receipt, before)


# -- what is entered: each reads its form


def _reason(visit: Visit) -> str | None:
    return visit.field("reason", LONGEST_TEXT) or None


def _who(visit: Visit) -> str:
    return _needed(visit, "who")


def _players(visit: Visit) -> list[str]:
    """Return those who are named in one field, a line or a comma between them."""
    names = _needed(visit, "names", LONGEST_TEXT).replace(",", "\n").split("\n")
    return [name for each in names if (name := each.strip())]


def _needed(visit: Visit, name: str, most: int = LONGEST_NAME) -> str:
    """Return a field that has to be filled in."""
    text = visit.field(name, most)
    if not text:
        raise RefusedError(422, visit.room.labels["staff_left_empty"])
    return text


def _optional(visit: Visit, name: str) -> int | None:
    return visit.number(name) if visit.field(name, 12) else None


def _slip(visit: Visit) -> Doing:
    """Read a line as `tourney result enter` takes it: `4 2-1`, `lena 2-0`, `change 4 1-2`, `u`."""
    line, number = _needed(visit, "slip"), visit.number("round")
    word, _, rest = line.partition(" ")
    if line.casefold() == "u":
        return _undo(visit)
    if word.casefold() == "change":
        changed = typed_line(rest, time=bool(visit.field("time")))
        if changed is None:
            raise TourneyError("nothing is named to change", "`change 4 1-2`")
        return partial(_changed, typed=changed, number=number)
    typed = typed_line(line, time=bool(visit.field("time")))
    if typed is None:
        raise TourneyError(f"`{line}` is not a table and a score", "`4 2-1` or `lena 2-1`")
    return partial(_reported, typed=typed, number=number)


def _changed(desk: Desk, typed: Typed, number: int) -> Receipt:
    return desk.change_result(
        typed.tables,
        typed.score,
        scores=typed.scores,
        time=typed.time,
        ended=typed.ended,
        round_number=number,
    )


def _reported(desk: Desk, typed: Typed, number: int) -> Receipt:
    (answer,) = desk.report_each([typed], round_number=number)
    if isinstance(answer, TourneyError):
        raise answer
    return answer


def _settle(visit: Visit) -> Doing:
    """Enter one version of what players reported, as the page showed it."""
    entry, says, gone = visit.number("claim"), visit.field("says"), visit.room.labels["claim_gone"]

    def settled(desk: Desk) -> Receipt:
        for each in desk.claims():
            for version in each.says if each.claim.entry == entry else ():
                if version.typed is not None and version.text == says:
                    return _reported(desk, version.typed, each.round)
        raise TourneyError(gone)

    return settled


def _undo(visit: Visit) -> Doing:
    """Take back the own last entry, which the page named: tapped twice, it is not two."""
    entry, gone = _optional(visit, "last"), visit.room.labels["not_own_last"]

    def undone(desk: Desk) -> Receipt:
        own = desk.own_last()
        if entry is not None and (own is None or own.entry != entry):
            raise TourneyError(gone)
        return desk.undo(entry)

    return undone


def _pair(visit: Visit) -> Doing:
    """Pair the next round, as `tourney round next` pairs it; where tables are named, with these."""
    number, by_hand = visit.number("round"), visit.field("tables", LONGEST_TABLES) or None
    hold, start = bool(visit.field("hold")), bool(visit.field("start"))
    manner = Manner(held=hold, start=start and not hold, minutes=None, careful=not visit.field("anyway"))
    t, gone = visit.room.labels, visit.room.labels["round_gone"]

    def paired(desk: Desk) -> Receipt:
        if len(desk.refresh().rounds) + 1 != number:
            raise TourneyError(gone)
        try:
            receipt = desk.pair_round(by_hand=by_hand, source="tables", manner=manner)
        except TourneyError as fault:  # `tables:2: …` is where in a file; here it is a line of the form
            where = re.sub(
                r"^tables:(\d+): ", lambda at: f"{t('deck_line', 1, lines=at[1])}: ", fault.message
            )
            raise TourneyError(where, fault.hint) from None
        return desk.with_copy(receipt)

    return paired


def _pair_by_hand(visit: Visit) -> Doing:
    _needed(visit, "tables", LONGEST_TABLES)
    return _pair(visit)


def _force(visit: Visit) -> Doing:
    players, table = _players(visit), _optional(visit, "table")
    return lambda desk: desk.force(*players, table=table)


def _forbid(visit: Visit) -> Doing:
    players, hard, reason = _players(visit), not visit.field("soft"), _reason(visit)
    return lambda desk: desk.forbid(*players, hard=hard, reason=reason)


def _of_round(visit: Visit, act: Doing) -> Doing:
    """Do what is meant for the round that the page showed, and for no other."""
    number, gone = visit.number("round"), visit.room.labels["round_gone"]

    def done(desk: Desk) -> Receipt:
        if len(desk.refresh().rounds) != number:
            raise TourneyError(gone)
        return act(desk)

    return done


def _start(visit: Visit) -> Doing:
    minutes = _optional(visit, "minutes")
    return _of_round(visit, lambda desk: desk.start_round(minutes))


def _extend(visit: Visit) -> Doing:
    table, minutes, reason = _needed(visit, "table"), visit.number("minutes"), _reason(visit)
    return _seen(visit, lambda desk: desk.extend(table, minutes, reason=reason))


def _seen(visit: Visit, act: Doing) -> Doing:
    """Do what concerns the current round: a judge is told nothing of one that is held back."""
    if visit.visitor.role in SCOREKEEPERS:
        return act
    words = visit.room.labels["staff_no_round_yet"]

    def done(desk: Desk) -> Receipt:
        round_ = desk.refresh().round
        if round_ is not None and round_.held:
            raise TourneyError(words)
        return act(desk)

    return done


def _penalize(visit: Visit) -> Doing:
    who, what, infraction = _who(visit), visit.field("what"), visit.field("infraction")
    applied, reason = bool(visit.field("apply")), _reason(visit)
    if not what and not infraction:
        raise RefusedError(422, visit.room.labels["staff_left_empty"])

    knows_held, none = visit.visitor.role in SCOREKEEPERS, visit.room.labels["staff_no_round_yet"]

    def given(desk: Desk) -> Receipt:
        number, state = None, desk.refresh()
        if (
            not knows_held and state.for_players is not state
        ):  # it is of the last round that the judge has seen
            number = len(state.for_players.rounds)
            if not number:
                raise TourneyError(none)
        receipt = desk.penalize(
            who, what, infraction=infraction or None, apply=applied, round_number=number, reason=reason
        )
        return replace(receipt, changed=(*receipt.changed, *_earlier(visit, receipt)))

    return given


def _upgrade(visit: Visit) -> Doing:
    entry, level = visit.number("entry"), visit.field("level") or None
    applied, reason = bool(visit.field("apply")), _reason(visit)

    def upgraded(desk: Desk) -> Receipt:
        receipt = desk.upgrade_penalty(entry, level, apply=applied, reason=reason)
        return replace(receipt, changed=(*receipt.changed, *_earlier(visit, receipt)))

    return _seen(visit, upgraded)


def _earlier(visit: Visit, receipt: PenaltyReceipt) -> tuple[str, ...]:
    """Say what the player had before in this event."""
    t, before = visit.room.labels, receipt.history[:-1]
    if not before:
        return ()
    name = receipt.state.players[before[0].player].name
    said = [
        f"{', '.join(filter(None, (each.kind, each.infraction)))} ({t('of_round', round=each.round)})"
        for each in before
    ]
    return (t("earlier_penalties", name=name, penalties="; ".join(said)),)


def _late(visit: Visit) -> Doing:
    name, late = _needed(visit, "name"), visit.field("late") or None
    if late not in {None, "absent", "bye", "half-bye"}:
        raise RefusedError(400, visit.room.labels["not_our_form"])
    return lambda desk: desk.add_player(name, late=late)


def _drop(visit: Visit) -> Doing:
    who, reason = _who(visit), _reason(visit)
    return lambda desk: desk.drop(who, reason=reason)


def _return(visit: Visit) -> Doing:
    who = _who(visit)
    return lambda desk: desk.return_(who)


def _check_in(visit: Visit) -> Doing:
    who = _who(visit)
    return lambda desk: desk.check_in(who)


def _check_in_all(_: Visit) -> Doing:
    return lambda desk: desk.check_in_all()


def _rename(visit: Visit) -> Doing:
    who, name = _who(visit), _needed(visit, "name")
    return lambda desk: desk.rename(who, name)


def _announce(visit: Visit) -> Doing:
    """Note in which round to come a player does not play, or plays after all."""
    who, number, kind = _who(visit), visit.number("round"), _needed(visit, "kind")
    return lambda desk: desk.change_player(who, byes={number: kind})


def _disqualify(visit: Visit) -> Doing:
    who, reason = _who(visit), _reason(visit)
    return lambda desk: desk.disqualify(who, reason)


def _deck(visit: Visit) -> Doing:
    """Register a decklist at the desk; one that is illegal, or comes after the lock, where the form says so."""
    who, text, anyway = _who(visit), _needed(visit, "list", DECK_LETTERS), bool(visit.field("anyway"))
    t = visit.room.labels

    def registered(desk: Desk) -> Receipt:
        receipt = desk.submit_deck(who, text, source=t["the_list"], anyway=anyway)
        said = [Fault.of(each, t).text for each in receipt.findings]
        if receipt.verdict == "illegal" and not receipt.entries:
            raise RefusedError(409, t["deck_refused"], "\n".join(said))
        return replace(receipt, warnings=(*receipt.warnings, *said))

    return registered


def _waive_deck(visit: Visit) -> Doing:
    who, reason = _who(visit), _reason(visit)
    return lambda desk: desk.waive_deck(who, reason=reason)


def _swap(visit: Visit) -> Doing:
    one, other, reason = _who(visit), _needed(visit, "other"), _reason(visit)
    return _of_round(visit, lambda desk: desk.swap(one, other, reason=reason))


def _move(visit: Visit) -> Doing:
    table, to, reason = _needed(visit, "table"), visit.number("to_table"), _reason(visit)
    return _of_round(visit, lambda desk: desk.move(table, to, reason=reason))


def _seat(visit: Visit) -> Doing:
    table, reason, named = _needed(visit, "table"), _reason(visit), _players(visit)
    return _of_round(visit, lambda desk: desk.seat(table, *named, reason=reason))


def _cancel(visit: Visit) -> Doing:
    reason = _reason(visit)
    return _of_round(visit, lambda desk: desk.cancel_round(reason=reason))


def _bye(visit: Visit) -> Doing:
    who, kind, reason = _who(visit), visit.field("kind", 40) or "bye", _reason(visit)
    return _of_round(visit, lambda desk: desk.bye(who, kind, reason=reason))


def _unanswered(visit: Visit) -> Doing:
    """Enter what nobody answered in time, as `tourney result claims --enter` does."""
    gone = visit.room.labels["claim_gone"]

    def entered(desk: Desk) -> Receipt:
        receipts = desk.enter_unanswered(anyway=True)
        if not receipts:
            raise TourneyError(gone)
        return receipts[-1].together(receipts)

    return entered


def _cut(visit: Visit) -> Doing:
    size, lot, third = visit.number("size"), bool(visit.field("lot")), bool(visit.field("third"))
    if size < 2:
        raise RefusedError(400, visit.room.labels["not_our_form"])
    return _of_round(visit, lambda desk: desk.cut(size, third_place=third, lot=lot))


def _take_back(visit: Visit) -> Doing:
    """Take back whatever entry is named, whoever entered it."""
    entry, reason = visit.number("entry"), _reason(visit)
    return lambda desk: desk.undo(entry, reason=reason)


def _put_back(visit: Visit) -> Doing:
    entry = visit.number("entry")
    return lambda desk: desk.redo(entry)


def _audit(visit: Visit) -> Doing:
    """Note a deck check, as `tourney audit record` does; where the list of what was found is sent, by that."""
    who, found, deck = _who(visit), visit.field("found") or None, visit.field("list", DECK_LETTERS)
    source = visit.room.labels["the_list_found"]
    if deck:
        return _seen(visit, lambda desk: desk.compare_audit(who, deck, source=source, found=found))
    return _seen(visit, lambda desk: desk.record_audit(who, clean=not found, found=found))


def _draw(visit: Visit) -> Doing:
    tables = visit.number("tables")
    if not 1 <= tables <= 1000:
        raise RefusedError(400, visit.room.labels["not_our_form"])
    return _seen(visit, lambda desk: desk.draw_audit(tables))


def _answer_call(visit: Visit) -> Doing:
    entry = visit.number("entry")
    return lambda desk: desk.answer_call(entry)


ACTS: Mapping[str, Act] = {
    "slip": Act(SCOREKEEPERS, "enters and changes results", _slip),
    "settle": Act(SCOREKEEPERS, "settles what players reported", _settle),
    "unanswered": Act(SCOREKEEPERS, "enters reports that nobody answered", _unanswered),
    "pair": Act(SCOREKEEPERS, "pairs the next round, seen or held back", _pair, _pages_and_posts),
    "pair-by-hand": Act(
        SCOREKEEPERS, "pairs the next round by hand", _pair_by_hand, _pages_and_posts, DECK_BYTES
    ),
    "force": Act(SCOREKEEPERS, "fixes who meets in the next round", _force),
    "forbid": Act(SCOREKEEPERS, "keeps players apart", _forbid),
    "release": Act(
        SCOREKEEPERS,
        "shows a round that was held back",
        lambda visit: _of_round(visit, lambda desk: desk.release_round()),
        _once_released,
    ),
    "start": Act(SCOREKEEPERS, "starts the clock", _start, _once_released),
    "swap": Act(SCOREKEEPERS, "lets two players change seats", _swap, _new_seats),
    "move": Act(SCOREKEEPERS, "moves a match to another table", _move, _new_seats),
    "seat": Act(SCOREKEEPERS, "seats players at a table", _seat, _new_seats),
    "bye": Act(SCOREKEEPERS, "takes a player from the table, with a bye", _bye, _new_seats),
    "repair": Act(
        SCOREKEEPERS,
        "pairs the round again around what changed",
        lambda visit: _of_round(visit, lambda desk: desk.repair_round()),
        _new_seats,
    ),
    "cancel": Act(SCOREKEEPERS, "takes back the round with its results", _cancel, _new_seats),
    "check-in": Act(SCOREKEEPERS, "checks players in", _check_in),
    "check-in-all": Act(SCOREKEEPERS, "checks everybody in", _check_in_all),
    "late": Act(SCOREKEEPERS, "registers a player, late ones too", _late),
    "rename": Act(SCOREKEEPERS, "puts a player's name right", _rename),
    "announce": Act(SCOREKEEPERS, "notes a bye or an absence to come", _announce),
    "deck": Act(SCOREKEEPERS, "registers a decklist, after the lock too", _deck, None, DECK_BYTES),
    "waive-deck": Act(SCOREKEEPERS, "lets a player go without a decklist", _waive_deck),
    "drop": Act(SCOREKEEPERS, "takes players out", _drop),
    "drop-absent": Act(
        SCOREKEEPERS, "takes out whoever is absent", lambda _: lambda desk: desk.drop_absent()
    ),
    "return": Act(SCOREKEEPERS, "lets players in again", _return),
    "disqualify": Act(frozenset({Role.ORGANIZER}), "disqualifies a player", _disqualify),
    "take-back": Act(SCOREKEEPERS, "takes back any entry", _take_back, _new_seats),
    "put-back": Act(SCOREKEEPERS, "puts back what was taken back", _put_back, _new_seats),
    "cut": Act(frozenset({Role.ORGANIZER}), "makes the cut to the bracket", _cut),
    "close": Act(frozenset({Role.ORGANIZER}), "ends the event", lambda _: lambda desk: desk.close()),
    "reopen": Act(
        frozenset({Role.ORGANIZER}), "takes entries again after its end", lambda _: lambda desk: desk.reopen()
    ),
    "extend": Act(STAFF, "gives a table more time", _extend),
    "penalize": Act(STAFF, "gives penalties", _penalize),
    "upgrade": Act(STAFF, "upgrades a penalty", _upgrade),
    "undo": Act(STAFF, "takes back the own last entry", _undo, _new_seats),
    "answer-call": Act(JUDGES, "answers a call for a judge", _answer_call),
    "draw": Act(JUDGES, "draws decks to be checked", _draw),
    "audit": Act(JUDGES, "notes a deck check", _audit, None, DECK_BYTES),
}
"""All that staff enter into the event: the forms at `/desk/NAME`, and who may send them."""

OTHER_RIGHTS: Mapping[str, tuple[frozenset[Role], str]] = {
    "/desk/code": (SCOREKEEPERS, "makes personal codes"),
    "/desk/codes": (SCOREKEEPERS, "prints personal codes for all who have none"),
    "/desk/turn-out": (SCOREKEEPERS, "turns out a player's device"),
    "/desk/publish": (SCOREKEEPERS, "publishes the pages and posts once more"),
    "/judge/list": (STAFF, "reads decklists"),
    "/judge/compare": (JUDGES, "compares a deck with the list that was registered"),
}
"""What is not entered into the event, and who may. Devices of the staff are turned out by the organizer alone."""


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
    return visit.back(_address(visit, page, name), *done.said)


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
                return Done(tuple(_told(visit, each) for each in done), None, before)
        devices.note_form(device.number, form, before.entry)
    receipt = doing(desk)
    said = (*receipt.changed, *(sentence(_in_this_room(each)) for each in receipt.warnings))
    return Done(said, receipt, before)


def _form_of(visit: Visit, name: str) -> str:
    """Return what tells a form from every other: all of it, with the word that its page had; empty without one."""
    return f"{name}\n{urlencode(visit.sent)}" if visit.field("once") else ""


def _told(visit: Visit, line: LogLine) -> str:
    """Tell once more what an entry did."""
    t = visit.room.labels
    gone = "" if line.undone is None else f", {t['taken_back']}"
    return f"{line.text} ({t('entry_number', entry=line.entry)}{gone})"


def _in_this_room(text: str) -> str:
    """Return what is to be known of a change without the command line that a terminal would want for it."""
    return _COMMAND.sub("", text).rstrip(" :;,")


_COMMAND = re.compile(r"(?: \(|[:,;]? )?\x60tourney [^\x60]*\x60(?:\)| [^;.\x60]*)?")


def _page_of(visit: Visit) -> str:
    """Return the page that a form came from: one that the visitor may see."""
    at = visit.field("at", 40)
    if at in PAGES and visit.visitor.role in PAGES[at].may:
        return at
    return "/judge" if visit.visitor.role is Role.JUDGE else "/desk"


@dataclass(frozen=True, slots=True)
class Refused:
    """A form that was refused: which, why, and what was typed into it."""

    act: str
    fault: TourneyError
    typed: Mapping[str, str]

    def lines(self, t: Labels) -> tuple[str, ...]:
        """Why, and what helps, as it is typed here, in the words of the pages where they have it."""
        hint = (self.fault.hint or "").replace("tourney result add ", "").replace("tourney result ", "")
        message, hint = on_a_phone(TourneyError(self.fault.message, hint or None), t)
        return (message, *filter(None, hint.split("\n")))


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


async def _show(visit: Visit, template: str, address: str, refused: Refused | None, **own: Any) -> Response:
    """Answer with a page of the staff's. refused: a form of it that was not taken."""
    status = 200
    if refused is not None:
        status = refused.fault.status if isinstance(refused.fault, RefusedError) else 409
    scorekeeper, judge = (visit.visitor.role in each for each in (SCOREKEEPERS, JUDGES))
    only_seen = _only_seen(visit)
    return await visit.page(
        template,
        address,
        topics=() if refused or visit.sent else (DESK,),
        status=status,
        refused=refused,
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
    room, t = visit.room, visit.room.labels
    if room.read_only:
        return t["staff_read_only"]
    return "" if visit.secure or room.staff_over_http else sentence(t["staff_over_http"])


async def _desk_page(visit: Visit, refused: Refused | None = None) -> Response:
    """Show the scorekeeper's page: one field for slips, what players reported, open tables, the round."""
    known, published = await _standing(visit), visit.event.publication
    state = known.state
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
        published=published and [sentence(_in_this_room(each)) for each in published.said],
        not_published=published and [sentence(_in_this_room(each)) for each in published.faults],
        published_at=published and published.at,
        publishing=visit.event.publishing,
        publishes=bool(state.settings.publish_to or state.settings.post_to),
        ready=state.round is None or (state.round.done and not state.round.held),
    )


class OpenTable(NamedTuple):
    """A table that is still playing. mark: what players sent from it."""

    number: int
    seats: str
    mark: str
    extra: int


def _open_tables(state: State, known: Standing) -> list[OpenTable]:
    round_, name = state.round, names_of(state)
    if round_ is None:
        return []
    marks = {each.claim.table: each.mark for each in known.claims}
    return [
        OpenTable(
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
    t = visit.room.labels
    if player.disqualified is not None:
        return t["is_disqualified"]
    if player.dropped is not None:
        return t["is_leaving" if player.leaving else "has_left"]
    if player.checked_in:
        return t["is_here"]
    return "" if visit.event.state.rounds else t["is_not_here"]


@routes.form("/desk/code", may=OTHER_RIGHTS["/desk/code"][0])
async def code(visit: Visit) -> Response:
    """Make a new personal code and show it, once, to be scanned from the desk's screen."""
    import segno

    who, form, device, devices = (
        _who(visit),
        _form_of(visit, "code"),
        visit.visitor.device,
        visit.room.devices,
    )

    def made(desk: Desk) -> tuple[PlayerId, Any]:
        player, entry = desk.who(who), desk.state.entry
        if device and form:
            if devices.form_before(device.number, form, entry) is not None:
                raise TourneyError(visit.room.labels["code_shown"])
            devices.note_form(device.number, form, entry)
        return player, devices.new_code(player)

    try:
        player, new = await visit.event.read(made)
    except TourneyError as fault:
        return await _players_page(visit, Refused("code", fault, dict(visit.sent)))
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

    t, devices = visit.room.labels, visit.room.devices
    form, device = _form_of(visit, "codes"), visit.visitor.device
    kept = {"bound"} if visit.field("anew") else {"bound", "fresh"}

    def made(desk: Desk) -> tuple[str, list[Strip]]:
        state, known = desk.refresh(), devices.codes()
        if device and form and devices.form_before(device.number, form, state.entry) is not None:
            raise TourneyError(t["codes_shown"])
        wanted = [each.id for each in state.playing if known.get(each.id) not in kept]
        if not wanted:
            raise TourneyError(t["codes_none"])
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
    return sheet_to_print(visit, await asyncio.to_thread(code_strips, name, strips, room=room, labels=t))


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
    number, t = visit.number("device"), visit.room.labels
    found = next((each for each in visit.room.devices.list() if each.number == number), None)
    if found is not None and found.ended is None and not _may_turn_out(visit, found):
        fault = RefusedError(403, t["organizers_device"])
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
            (each, state.players[each.player].name, _written(each.done.text, known.texts))
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
            "; ".join(filter(None, (_written(ref, known.texts) for ref in (each.text, *each.whys)))),
        )
        for each in given
    ]


def _at(round_: Round, player: PlayerId) -> int | None:
    table = round_.table_of(player)
    return table.number if table else None


def _written(ref: Any, texts: Mapping[Any, str | None]) -> str:
    return "" if ref is None else texts.get(ref) or "(deleted)"


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
        who, deck = _who(visit), _needed(visit, "list", DECK_LETTERS)
        source = visit.room.labels["the_list_found"]
        changed = await visit.event.read(lambda desk: desk.compare_deck(who, deck, source=source))
    except TourneyError as fault:
        return await _decklist_page(visit, Refused("compare", fault, dict(visit.sent)))
    put_in, taken_out = (sum(max(0, way * (each.after - each.before)) for each in changed) for way in (1, -1))
    said = visit.room.labels("put_in_taken_out", put_in=put_in, taken_out=taken_out)
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
