"""What staff can enter on their own devices: each act, the roles that may do it, and the function that reads its form.

`ACTS` is the table of acts. Each row is a form at its own address. Its function reads the form and returns a call of a
desk's method, the same that the command line uses. `staff` enters it once and shows the result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from tourney.errors import TourneyError
from tourney.event.rounds import Manner
from tourney.event.score import Report, parse_line, slip_examples
from tourney.serve.seat import DECK_BYTES, DECK_LETTERS, Fault
from tourney.serve.visits import (
    FIELD_EMPTY,
    FOREIGN_FORM,
    FORM_BYTES,
    JUDGES,
    SCOREKEEPERS,
    STAFF,
    RefusedError,
    Role,
    Visit,
)
from tourney.wording import Message

if TYPE_CHECKING:
    from tourney.desk import Desk, Receipt
    from tourney.desk.desk import OpenOutbox
    from tourney.desk.open_event import PenaltyReceipt
    from tourney.event.state import State

Doing = Callable[["Desk"], "Receipt"]
"""A change at the desk. Raises TourneyError if it is refused."""

ROUND_CHANGED = Message("the round has changed since the page was loaded; nothing was done")
REPORT_CHANGED = Message("that report has changed; look at the table again")
NO_ROUND = Message("no round is being played")

Publishing = Callable[["Desk", "Receipt", "State", "OpenOutbox"], "Receipt"]
"""Publishes pages and posts after a change, as the command line does. Takes its receipt, and the event before it."""

LONGEST_TEXT, LONGEST_TABLES = 500, 40_000
"""Characters of a reason, and of a round by hand, that a form may send; the desk has its own limits."""


class Act(NamedTuple):
    """An act of staff.

    may: the roles that may do it; what: the act in the words of the room's README
    reads: reads the form and returns the change; publishes: runs after the answer, if given; most: bytes of the form
    """

    may: frozenset[Role]
    what: str
    reads: Callable[[Visit], Doing]
    publishes: Publishing | None = None
    most: int = FORM_BYTES


def _pages_and_posts(desk: Desk, receipt: Receipt, _before: State, outbox: OpenOutbox) -> Receipt:
    """Publish a round that is not held."""
    return desk.with_pages_and_posts(receipt, outbox=outbox)


def _once_released(desk: Desk, receipt: Receipt, before: State, outbox: OpenOutbox) -> Receipt:
    """Publish a round that was held until now."""
    held = before.round is not None and before.round.held
    return desk.with_pages_and_posts(receipt, outbox=outbox) if held else receipt


def _new_seats(desk: Desk, receipt: Receipt, before: State, _outbox: OpenOutbox) -> Receipt:
    """Publish again if the published pages show old seats."""
    return desk.with_new_seats(receipt, before)


# -- functions that read the forms


def _reason(visit: Visit) -> str | None:
    return visit.field("reason", LONGEST_TEXT) or None


def _players(visit: Visit) -> list[str]:
    """Return the names in one field, separated by lines or commas."""
    names = visit.needed("names", LONGEST_TEXT).replace(",", "\n").split("\n")
    return [name.strip() for name in names if name.strip()]


def _optional(visit: Visit, name: str) -> int | None:
    return visit.number(name) if visit.field(name, 12) else None


def _slip(visit: Visit) -> Doing:
    """Read a line of `tourney result enter`: `4 2-1`, `lena 2-0`, `change 4 1-2`, `u`."""
    line, number = visit.needed("slip"), visit.number("round")
    examples = slip_examples(visit.event.state.settings)
    word, _, rest = line.partition(" ")
    if line.casefold() == "u":
        return _undo(visit)
    if word.casefold() == "change":
        changed = parse_line(rest, time=bool(visit.field("time")), examples=examples)
        if changed is None:
            raise TourneyError("nothing is named to change", f"`change 4 {examples.changed}`")
        return partial(_changed, report=changed, number=number)
    report = parse_line(line, time=bool(visit.field("time")), examples=examples)
    if report is None:
        raise TourneyError(
            f"`{line}` is not a table and a score", f"`4 {examples.result}` or `lena {examples.other}`"
        )
    return partial(_reported, report=report, number=number)


def _changed(desk: Desk, report: Report, number: int) -> Receipt:
    return desk.change_reported(report, round_number=number)


def _reported(desk: Desk, report: Report, number: int) -> Receipt:
    (answer,) = desk.report_each([report], round_number=number)
    if isinstance(answer, TourneyError):
        raise answer
    return answer


def _settle(visit: Visit) -> Doing:
    """Enter one of the results that players reported, as the page showed it."""
    entry, text = visit.number("claim"), visit.field("says")

    def settled(desk: Desk) -> Receipt:
        for pending in desk.claims():
            for version in pending.versions if pending.claim.entry == entry else ():
                if version.report is not None and version.text == text:
                    return _reported(desk, version.report, pending.round)
        raise TourneyError(REPORT_CHANGED)

    return settled


def _undo(visit: Visit) -> Doing:
    """Undo the device's last entry. The form names it, so that two taps undo one entry only."""
    entry = _optional(visit, "last")

    def undone(desk: Desk) -> Receipt:
        own = desk.own_last()
        if entry is not None and (own is None or own.entry != entry):
            raise TourneyError(Message("that is not your last entry; nothing was undone"))
        return desk.undo(entry)

    return undone


def _pair(visit: Visit) -> Doing:
    """Pair the next round as `tourney round next` does, with the tables of the form if it names any."""
    number, by_hand = visit.number("round"), visit.field("tables", LONGEST_TABLES) or None
    hold, start = bool(visit.field("hold")), bool(visit.field("start"))
    manner = Manner(held=hold, start=start and not hold, minutes=None, careful=not visit.field("anyway"))

    def paired(desk: Desk) -> Receipt:
        if len(desk.refresh().rounds) + 1 != number:
            raise TourneyError(ROUND_CHANGED)
        try:
            receipt = desk.pair_round(by_hand=by_hand, source="tables", manner=manner)
        except TourneyError as fault:  # `tables:2: …` is where in a file; here it is a line of the form
            where = re.sub(r"^tables:(\d+): ", lambda at: f"Line {at[1]}: ", fault.message)
            raise TourneyError(where, fault.hint) from None
        return desk.with_copy(receipt)

    return paired


def _pair_by_hand(visit: Visit) -> Doing:
    visit.needed("tables", LONGEST_TABLES)
    return _pair(visit)


def _force(visit: Visit) -> Doing:
    players, table = _players(visit), _optional(visit, "table")
    return lambda desk: desk.force(*players, table=table)


def _forbid(visit: Visit) -> Doing:
    players, hard, reason = _players(visit), not visit.field("soft"), _reason(visit)
    return lambda desk: desk.forbid(*players, hard=hard, reason=reason)


def _of_round(visit: Visit, act: Doing) -> Doing:
    """Return `act` for the round that the page showed; it is refused in any other round."""
    number = visit.number("round")

    def done(desk: Desk) -> Receipt:
        if len(desk.refresh().rounds) != number:
            raise TourneyError(ROUND_CHANGED)
        return act(desk)

    return done


def _start(visit: Visit) -> Doing:
    minutes = _optional(visit, "minutes")
    return _of_round(visit, lambda desk: desk.start_round(minutes))


def _extend(visit: Visit) -> Doing:
    table, minutes, reason = visit.needed("table"), visit.number("minutes"), _reason(visit)
    return _seen(visit, lambda desk: desk.extend(table, minutes, reason=reason))


def _seen(visit: Visit, act: Doing) -> Doing:
    """Return `act` for the current round; a judge is refused while the round is held."""
    if visit.visitor.role in SCOREKEEPERS:
        return act

    def done(desk: Desk) -> Receipt:
        round_ = desk.refresh().round
        if round_ is not None and round_.held:
            raise TourneyError(NO_ROUND)
        return act(desk)

    return done


def _penalize(visit: Visit) -> Doing:
    who, what, infraction = visit.needed("who"), visit.field("what"), visit.field("infraction")
    applied, reason = bool(visit.field("apply")), _reason(visit)
    if not what and not infraction:
        raise RefusedError(422, FIELD_EMPTY)
    sees_held = visit.visitor.role in SCOREKEEPERS

    def given(desk: Desk) -> Receipt:
        number, state = None, desk.refresh()
        if not sees_held and state.for_players is not state:
            number = len(state.for_players.rounds)  # the last round that the judge can see
            if not number:
                raise TourneyError(NO_ROUND)
        receipt = desk.penalize(
            who, what, infraction=infraction or None, apply=applied, round_number=number, reason=reason
        )
        return replace(receipt, changed=(*receipt.changed, *_earlier(receipt)))

    return given


def _upgrade(visit: Visit) -> Doing:
    entry, level = visit.number("entry"), visit.field("level") or None
    applied, reason = bool(visit.field("apply")), _reason(visit)

    def upgraded(desk: Desk) -> Receipt:
        receipt = desk.upgrade_penalty(entry, level, apply=applied, reason=reason)
        return replace(receipt, changed=(*receipt.changed, *_earlier(receipt)))

    return _seen(visit, upgraded)


def _earlier(receipt: PenaltyReceipt) -> tuple[str, ...]:
    """Return a sentence with the player's earlier penalties in this event; none if there are none."""
    before = receipt.history[:-1]
    if not before:
        return ()
    name = receipt.state.players[before[0].player].name
    penalties = [
        Message(
            "{penalty} (round {round})",
            penalty=Message.joined(", ", [each.kind, each.infraction or ""]),
            round=each.round,
        )
        for each in before
    ]
    return (
        Message(
            "Earlier penalties of {name}: {penalties}.", name=name, penalties=Message.joined("; ", penalties)
        ),
    )


def _late(visit: Visit) -> Doing:
    name, late = visit.needed("name"), visit.field("late") or None
    if late not in {None, "absent", "bye", "half-bye"}:
        raise RefusedError(400, FOREIGN_FORM)
    return lambda desk: desk.add_player(name, late=late)


def _drop(visit: Visit) -> Doing:
    who, reason = visit.needed("who"), _reason(visit)
    return lambda desk: desk.drop(who, reason=reason)


def _return(visit: Visit) -> Doing:
    who = visit.needed("who")
    return lambda desk: desk.return_(who)


def _check_in(visit: Visit) -> Doing:
    who = visit.needed("who")
    return lambda desk: desk.check_in(who)


def _check_in_all(_: Visit) -> Doing:
    return lambda desk: desk.check_in_all()


def _rename(visit: Visit) -> Doing:
    who, name = visit.needed("who"), visit.needed("name")
    return lambda desk: desk.rename(who, name)


def _announce(visit: Visit) -> Doing:
    """Note an absence or a bye in a future round, or cancel it."""
    who, number, kind = visit.needed("who"), visit.number("round"), visit.needed("kind")
    return lambda desk: desk.change_player(who, byes={number: kind})


def _disqualify(visit: Visit) -> Doing:
    who, reason = visit.needed("who"), _reason(visit)
    return lambda desk: desk.disqualify(who, reason)


def _deck(visit: Visit) -> Doing:
    """Register a decklist at the desk; with `anyway` also an illegal one, or after the lock."""
    who, text, anyway = visit.needed("who"), visit.needed("list", DECK_LETTERS), bool(visit.field("anyway"))

    def registered(desk: Desk) -> Receipt:
        receipt = desk.submit_deck(who, text, source=Message("the list"), anyway=anyway)
        said = [Fault.of(each).text for each in receipt.findings]
        if receipt.verdict == "illegal" and not receipt.entries:
            raise RefusedError(409, Message("this list is illegal and was not registered"), "\n".join(said))
        return replace(receipt, warnings=(*receipt.warnings, *said))

    return registered


def _waive_deck(visit: Visit) -> Doing:
    who, reason = visit.needed("who"), _reason(visit)
    return lambda desk: desk.waive_deck(who, reason=reason)


def _swap(visit: Visit) -> Doing:
    one, other, reason = visit.needed("who"), visit.needed("other"), _reason(visit)
    return _of_round(visit, lambda desk: desk.swap(one, other, reason=reason))


def _move(visit: Visit) -> Doing:
    table, to, reason = visit.needed("table"), visit.number("to_table"), _reason(visit)
    return _of_round(visit, lambda desk: desk.move(table, to, reason=reason))


def _seat(visit: Visit) -> Doing:
    table, reason, named = visit.needed("table"), _reason(visit), _players(visit)
    return _of_round(visit, lambda desk: desk.seat(table, *named, reason=reason))


def _cancel(visit: Visit) -> Doing:
    reason = _reason(visit)
    return _of_round(visit, lambda desk: desk.cancel_round(reason=reason))


def _bye(visit: Visit) -> Doing:
    who, kind, reason = visit.needed("who"), visit.field("kind", 40) or "bye", _reason(visit)
    return _of_round(visit, lambda desk: desk.bye(who, kind, reason=reason))


def _unanswered(_: Visit) -> Doing:
    """Enter the reports that were not answered in time, as `tourney result claims --enter` does."""

    def entered(desk: Desk) -> Receipt:
        receipts = desk.enter_unanswered(anyway=True)
        if not receipts:
            raise TourneyError(REPORT_CHANGED)
        return receipts[-1].together(receipts)

    return entered


def _cut(visit: Visit) -> Doing:
    size, lot, third = visit.number("size"), bool(visit.field("lot")), bool(visit.field("third"))
    if size < 2:
        raise RefusedError(400, FOREIGN_FORM)
    return _of_round(visit, lambda desk: desk.cut(size, third_place=third, lot=lot))


def _take_back(visit: Visit) -> Doing:
    """Undo any entry, whatever device entered it."""
    entry, reason = visit.number("entry"), _reason(visit)
    return lambda desk: desk.undo(entry, reason=reason)


def _put_back(visit: Visit) -> Doing:
    entry = visit.number("entry")
    return lambda desk: desk.redo(entry)


def _audit(visit: Visit) -> Doing:
    """Record a deck check as `tourney audit record` does, or compare the deck if the form has its list."""
    who, found, deck = visit.needed("who"), visit.field("found") or None, visit.field("list", DECK_LETTERS)
    source = Message("the deck on the table")
    if deck:
        return _seen(visit, lambda desk: desk.compare_audit(who, deck, source=source, found=found))
    return _seen(visit, lambda desk: desk.record_audit(who, clean=not found, found=found))


def _draw(visit: Visit) -> Doing:
    tables = visit.number("tables")
    if not 1 <= tables <= 1000:
        raise RefusedError(400, FOREIGN_FORM)
    return _seen(visit, lambda desk: desk.draw_audit(tables))


def _answer_call(visit: Visit) -> Doing:
    entry = visit.number("entry")
    return lambda desk: desk.answer_call(entry)


ACTS: Mapping[str, Act] = {
    "slip": Act(SCOREKEEPERS, "enters and changes results", _slip),
    "settle": Act(SCOREKEEPERS, "settles what players reported", _settle),
    "unanswered": Act(SCOREKEEPERS, "enters reports that nobody answered", _unanswered),
    "pair": Act(SCOREKEEPERS, "pairs the next round, public or held", _pair, _pages_and_posts),
    "pair-by-hand": Act(
        SCOREKEEPERS, "pairs the next round by hand", _pair_by_hand, _pages_and_posts, DECK_BYTES
    ),
    "force": Act(SCOREKEEPERS, "fixes a match of the next round", _force),
    "forbid": Act(SCOREKEEPERS, "keeps players apart", _forbid),
    "release": Act(
        SCOREKEEPERS,
        "releases a held round",
        lambda visit: _of_round(visit, lambda desk: desk.release_round()),
        _once_released,
    ),
    "start": Act(SCOREKEEPERS, "starts the clock", _start, _once_released),
    "swap": Act(SCOREKEEPERS, "lets two players change seats", _swap, _new_seats),
    "move": Act(SCOREKEEPERS, "moves a match to another table", _move, _new_seats),
    "seat": Act(SCOREKEEPERS, "seats players at a table", _seat, _new_seats),
    "bye": Act(SCOREKEEPERS, "gives a player a bye instead of the table", _bye, _new_seats),
    "repair": Act(
        SCOREKEEPERS,
        "repairs the pairings after a change",
        lambda visit: _of_round(visit, lambda desk: desk.repair_round()),
        _new_seats,
    ),
    "cancel": Act(SCOREKEEPERS, "cancels the round and its results", _cancel, _new_seats),
    "check-in": Act(SCOREKEEPERS, "checks players in", _check_in),
    "check-in-all": Act(SCOREKEEPERS, "checks all players in", _check_in_all),
    "late": Act(SCOREKEEPERS, "registers a player, also late", _late),
    "rename": Act(SCOREKEEPERS, "renames a player", _rename),
    "announce": Act(SCOREKEEPERS, "notes a future bye or absence", _announce),
    "deck": Act(SCOREKEEPERS, "registers a decklist, also after the lock", _deck, None, DECK_BYTES),
    "waive-deck": Act(SCOREKEEPERS, "lets a player play without a decklist", _waive_deck),
    "drop": Act(SCOREKEEPERS, "drops players", _drop),
    "drop-absent": Act(SCOREKEEPERS, "drops absent players", lambda _: lambda desk: desk.drop_absent()),
    "return": Act(SCOREKEEPERS, "lets players back in", _return),
    "disqualify": Act(frozenset({Role.ORGANIZER}), "disqualifies a player", _disqualify),
    "take-back": Act(SCOREKEEPERS, "undoes any entry", _take_back, _new_seats),
    "put-back": Act(SCOREKEEPERS, "redoes an undone entry", _put_back, _new_seats),
    "cut": Act(frozenset({Role.ORGANIZER}), "makes the cut to the bracket", _cut),
    "close": Act(
        frozenset({Role.ORGANIZER}), "ends the event", lambda _: lambda desk: desk.close(), _pages_and_posts
    ),
    "reopen": Act(frozenset({Role.ORGANIZER}), "reopens the event", lambda _: lambda desk: desk.reopen()),
    "extend": Act(STAFF, "gives a table more time", _extend),
    "penalize": Act(STAFF, "gives penalties", _penalize),
    "upgrade": Act(STAFF, "upgrades a penalty", _upgrade),
    "undo": Act(STAFF, "undoes the device's last entry", _undo, _new_seats),
    "answer-call": Act(JUDGES, "answers a call for a judge", _answer_call),
    "draw": Act(JUDGES, "draws decks to be checked", _draw),
    "audit": Act(JUDGES, "notes a deck check", _audit, None, DECK_BYTES),
}
"""All that staff can enter: the forms at `/desk/NAME`, and the roles that may send them."""

OTHER_RIGHTS: Mapping[str, tuple[frozenset[Role], str]] = {
    "/desk/code": (SCOREKEEPERS, "makes personal codes"),
    "/desk/codes": (SCOREKEEPERS, "prints personal codes for players without one"),
    "/desk/turn-out": (SCOREKEEPERS, "removes a player's device"),
    "/desk/publish": (SCOREKEEPERS, "publishes pages and posts again"),
    "/judge/list": (STAFF, "reads decklists"),
    "/judge/compare": (JUDGES, "compares a deck with the registered list"),
}
"""Rights that enter nothing into the event. Only the organizer removes a staff device."""
