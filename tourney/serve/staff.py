"""What staff see and enter on their own devices: the scorekeeper's desk, and the judge's page.

`ACTS` is the one table of what can be entered, and who may. Each is a form at its own address, read by a function that
gives what is to be done at the desk: a method that the command line uses, too. What is refused is shown on the page that
the form came from, with what was typed.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from tourney.errors import TourneyError
from tourney.event.penalties import deck_checks
from tourney.event.phrases import names_of, seats_text
from tourney.event.rounds import Manner
from tourney.event.score import Typed, typed_line
from tourney.event.status import next_steps
from tourney.serve.live import DESK
from tourney.serve.visits import JUDGES, SCOREKEEPERS, STAFF, Notice, RefusedError, Role, Routes, Visit

if TYPE_CHECKING:
    from tourney.desk import Desk, Receipt
    from tourney.desk.desk import LogLine
    from tourney.desk.open_event import PenaltyReceipt
    from tourney.event.penalties import PenaltyList
    from tourney.event.state import Player, Round, State
    from tourney.record import PlayerId
    from tourney.store.devices import Device

routes = Routes()

Doing = Callable[["Desk"], "Receipt"]
"""What is to be done at the desk; raises TourneyError where it is refused."""

LONGEST_NAME, LONGEST_TEXT = 200, 500
"""Characters of a name or a table, and of a reason, that a form may send; the desk has its own limits."""


class Act(NamedTuple):
    """Something that staff enter. may: who may; what: as the room's README says it; reads: the form, into what is to be done."""

    may: frozenset[Role]
    what: str
    reads: Callable[[Visit], Doing]


# -- what is entered: each reads its form


def _reason(visit: Visit) -> str | None:
    return visit.field("reason", LONGEST_TEXT) or None


def _who(visit: Visit) -> str:
    return _needed(visit, "who")


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
    """Pair the next round, as `tourney round next` pairs it."""
    number, hold, start = visit.number("round"), bool(visit.field("hold")), bool(visit.field("start"))
    manner = Manner(held=hold, start=start and not hold, minutes=None, careful=not visit.field("anyway"))
    gone, elsewhere = visit.room.labels["round_gone"], visit.room.labels["published_elsewhere"]

    def paired(desk: Desk) -> Receipt:
        settings = desk.refresh().settings
        if len(desk.state.rounds) + 1 != number:
            raise TourneyError(gone)
        receipt = desk.with_copy(desk.pair_round(manner=manner))
        if not (settings.publish_to or settings.post_to) or hold:
            return receipt
        return replace(receipt, warnings=(*receipt.warnings, elsewhere))

    return paired


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


def _swap(visit: Visit) -> Doing:
    one, other, reason = _who(visit), _needed(visit, "other"), _reason(visit)
    return _of_round(visit, lambda desk: desk.swap(one, other, reason=reason))


def _move(visit: Visit) -> Doing:
    table, to, reason = _needed(visit, "table"), visit.number("to_table"), _reason(visit)
    return _of_round(visit, lambda desk: desk.move(table, to, reason=reason))


def _seat(visit: Visit) -> Doing:
    """Seat exactly those who are named, a line or a comma between them."""
    table, reason = _needed(visit, "table"), _reason(visit)
    names = [each.strip() for each in _needed(visit, "names", LONGEST_TEXT).replace(",", "\n").split("\n")]
    named = [each for each in names if each]
    return _of_round(visit, lambda desk: desk.seat(table, *named, reason=reason))


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
    size = visit.number("size")
    if size < 2:
        raise RefusedError(400, visit.room.labels["not_our_form"])
    return _of_round(visit, lambda desk: desk.cut(size))


def _audit(visit: Visit) -> Doing:
    who, found = _who(visit), visit.field("found")
    if visit.field("problem") and not found:
        raise RefusedError(422, visit.room.labels["staff_left_empty"])
    return _seen(visit, lambda desk: desk.record_audit(who, clean=not found, found=found or None))


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
    "pair": Act(SCOREKEEPERS, "pairs the next round, seen or held back", _pair),
    "release": Act(
        SCOREKEEPERS,
        "shows a round that was held back",
        lambda visit: _of_round(visit, lambda desk: desk.release_round()),
    ),
    "start": Act(SCOREKEEPERS, "starts the clock", _start),
    "swap": Act(SCOREKEEPERS, "lets two players change seats", _swap),
    "move": Act(SCOREKEEPERS, "moves a match to another table", _move),
    "seat": Act(SCOREKEEPERS, "seats players at a table", _seat),
    "bye": Act(SCOREKEEPERS, "takes a player from the table, with a bye", _bye),
    "repair": Act(
        SCOREKEEPERS,
        "pairs the round again around what changed",
        lambda visit: _of_round(visit, lambda desk: desk.repair_round()),
    ),
    "check-in": Act(SCOREKEEPERS, "checks players in", _check_in),
    "late": Act(SCOREKEEPERS, "registers a player, late ones too", _late),
    "drop": Act(SCOREKEEPERS, "takes players out", _drop),
    "drop-absent": Act(
        SCOREKEEPERS, "takes out whoever is absent", lambda _: lambda desk: desk.drop_absent()
    ),
    "return": Act(SCOREKEEPERS, "lets players in again", _return),
    "cut": Act(frozenset({Role.ORGANIZER}), "makes the cut to the bracket", _cut),
    "extend": Act(STAFF, "gives a table more time", _extend),
    "penalize": Act(STAFF, "gives penalties", _penalize),
    "undo": Act(STAFF, "takes back the own last entry", _undo),
    "answer-call": Act(JUDGES, "answers a call for a judge", _answer_call),
    "draw": Act(JUDGES, "draws decks to be checked", _draw),
    "audit": Act(JUDGES, "notes a deck check", _audit),
}
"""All that staff enter into the event: the forms at `/desk/NAME`, and who may send them."""

OTHER_RIGHTS: Mapping[str, tuple[frozenset[Role], str]] = {
    "/desk/code": (SCOREKEEPERS, "makes personal codes"),
    "/desk/turn-out": (SCOREKEEPERS, "turns out a player's device"),
    "/judge/list": (STAFF, "reads decklists"),
}
"""What is not entered into the event, and who may. Devices of the staff are turned out by the organizer alone."""


# -- entering it, once


def _add_form(name: str, act: Act) -> None:
    async def entering(visit: Visit) -> Response:
        return await _enter(visit, name, act)

    routes.form(f"/desk/{name}", may=act.may)(entering)


async def _enter(visit: Visit, name: str, act: Act) -> Response:
    """Do what a form asks for, once, and go back to the page it came from, which tells what was done."""
    page = _page_of(visit)
    try:
        doing = act.reads(visit)
        said = await visit.write(lambda desk: _once(visit, name, desk, doing))
    except TourneyError as fault:
        return await PAGES[page].shows(visit, Refused(name, fault, dict(visit.sent)))
    time = "?time=1" if name == "slip" and visit.field("time") else ""
    return visit.back(page + time, *said.lines)


def _once(visit: Visit, name: str, desk: Desk, doing: Doing) -> Notice:
    """Do it in the writer's turn, or say what was done where the very same form was sent before."""
    sent = (visit.visitor.session, name, *visit.sent)
    done = visit.room.done
    if visit.field("once") and sent in done:
        return done[sent]
    receipt = doing(desk)
    done[sent] = Notice((*receipt.changed, *receipt.warnings))
    while len(done) > MOST_REMEMBERED:
        done.popitem(last=False)
    return done[sent]


MOST_REMEMBERED = 500
"""Forms of which is remembered what came of them, so that one that is sent again enters nothing twice."""


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

    @property
    def lines(self) -> tuple[str, ...]:
        """Why, and what helps, as it is typed here."""
        message, hint = self.fault.message, self.fault.hint or ""
        hint = hint.replace("tourney result add ", "").replace("tourney result ", "")
        if "`tourney " in hint:  # of what is typed at the laptop nothing helps here
            hint = ""
        return tuple(f"{text[:1].upper()}{text[1:]}" for text in (message, hint) if text)


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
    return await visit.page(
        template,
        address,
        topics=() if refused else (DESK,),
        status=status,
        refused=refused,
        once=secrets.token_urlsafe(12),
        at=f"/{address}",
        scorekeeper=scorekeeper,
        judge=judge,
        **own,
    )


async def _desk_page(visit: Visit, refused: Refused | None = None) -> Response:
    """Show the scorekeeper's page: one field for slips, what players reported, open tables, the round."""
    known = await _standing(visit)
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
        organizer=visit.visitor.role is Role.ORGANIZER,
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

    who, sent = _who(visit), (visit.visitor.session, "code", *visit.sent)

    def made(desk: Desk) -> tuple[PlayerId, Any]:
        player = desk.who(who)
        if sent in visit.room.done:
            raise TourneyError(visit.room.labels["code_shown"])
        visit.room.done[sent] = Notice(())
        return player, visit.room.devices.new_code(player)

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
        penalties=[
            (each, state.players[each.player].name, _written(each.text, known.texts))
            for each in reversed(state.penalties)
        ],
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


def _at(round_: Round, player: PlayerId) -> int | None:
    table = round_.table_of(player)
    return table.number if table else None


def _written(ref: Any, texts: Mapping[Any, str | None]) -> str:
    return "" if ref is None else texts.get(ref) or "(deleted)"


async def _decklist_page(visit: Visit, refused: Refused | None = None) -> Response:
    """Show the registered list of a player, by name or number."""
    who, text, name = visit.asked.get("who", "")[:LONGEST_NAME], "", ""
    if who:
        try:
            player, text = await visit.event.read(lambda desk: (desk.who(who), desk.deck_text(who)))
            name = visit.event.state.players[player].name
        except TourneyError as fault:
            refused = Refused("list", fault, {"who": who})
    return await _show(visit, "live/judge-list.html", "judge/list", refused, who=who, text=text, name=name)


class Page(NamedTuple):
    """A page of the staff's. shows: it, with a form that was refused, if one was."""

    may: frozenset[Role]
    shows: Callable[[Visit, Refused | None], Awaitable[Response]]


PAGES: Mapping[str, Page] = {
    "/desk": Page(SCOREKEEPERS, _desk_page),
    "/desk/players": Page(SCOREKEEPERS, _players_page),
    "/desk/devices": Page(SCOREKEEPERS, _devices_page),
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
