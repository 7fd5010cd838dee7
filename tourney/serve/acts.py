"""What staff enter on their own devices: each act, who may do it, and how its form becomes something to be done at the desk.

`ACTS` is the one table of what can be entered. Each row is a form at its own address, read by a function that gives what is
to be done: a method of the desk that the command line uses, too. How it is entered once, and what is shown, is `staff`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from tourney.desk.files import with_copy
from tourney.desk.publishing import with_new_seats, with_pages_and_posts
from tourney.desk.registration import compare_audit, submit_deck
from tourney.errors import TourneyError
from tourney.event.rounds import Manner
from tourney.event.score import Typed, slip_examples, typed_line
from tourney.serve.seat import DECK_BYTES, DECK_LETTERS, Fault
from tourney.serve.visits import (
    FORM_BYTES,
    JUDGES,
    SCOREKEEPERS,
    STAFF,
    RefusedError,
    Role,
    Visit,
)

if TYPE_CHECKING:
    from tourney.desk import Desk, Receipt
    from tourney.desk.desk import PenaltyReceipt
    from tourney.desk.posting import OpenOutbox
    from tourney.event.state import State

Doing = Callable[["Desk"], "Receipt"]
"""What is to be done at the desk; raises TourneyError where it is refused."""

Publishing = Callable[["Desk", "Receipt", "State", "OpenOutbox"], "Receipt"]
"""Publishes what goes with a change, as the command line does: the receipt, and the event before the change."""

LONGEST_TEXT, LONGEST_TABLES = 500, 40_000
"""Characters of a reason, and of a round by hand, that a form may send; the desk has its own limits."""


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
    return with_pages_and_posts(desk, receipt, outbox=outbox)


def _once_released(desk: Desk, receipt: Receipt, before: State, outbox: OpenOutbox) -> Receipt:
    """Publish a round that was held back until now."""
    held = before.round is not None and before.round.held
    return with_pages_and_posts(desk, receipt, outbox=outbox) if held else receipt


def _new_seats(desk: Desk, receipt: Receipt, before: State, _outbox: OpenOutbox) -> Receipt:
    """Publish anew where pages show seats that are no more."""
    return with_new_seats(desk, receipt, before)


# -- what is entered: each reads its form


def _reason(visit: Visit) -> str | None:
    return visit.field("reason", LONGEST_TEXT) or None


def _players(visit: Visit) -> list[str]:
    """Return those who are named in one field, a line or a comma between them."""
    names = visit.needed("names", LONGEST_TEXT).replace(",", "\n").split("\n")
    return [name for each in names if (name := each.strip())]


def _optional(visit: Visit, name: str) -> int | None:
    return visit.number(name) if visit.field(name, 12) else None


def _slip(visit: Visit) -> Doing:
    """Read a line as `tourney result enter` takes it: `4 2-1`, `lena 2-0`, `change 4 1-2`, `u`."""
    line, number = visit.needed("slip"), visit.number("round")
    examples = slip_examples(visit.event.state.settings)
    word, _, rest = line.partition(" ")
    if line.casefold() == "u":
        return _undo(visit)
    if word.casefold() == "change":
        changed = typed_line(rest, time=bool(visit.field("time")), examples=examples)
        if changed is None:
            raise TourneyError("nothing is named to change", f"`change 4 {examples.changed}`")
        return partial(_changed, typed=changed, number=number)
    typed = typed_line(line, time=bool(visit.field("time")), examples=examples)
    if typed is None:
        raise TourneyError(
            f"`{line}` is not a table and a score", f"`4 {examples.result}` or `lena {examples.other}`"
        )
    return partial(_reported, typed=typed, number=number)


def _changed(desk: Desk, typed: Typed, number: int) -> Receipt:
    return desk.change_typed(typed, round_number=number)


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
        return with_copy(desk, receipt)

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
    table, minutes, reason = visit.needed("table"), visit.number("minutes"), _reason(visit)
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
    who, what, infraction = visit.needed("who"), visit.field("what"), visit.field("infraction")
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
    name, late = visit.needed("name"), visit.field("late") or None
    if late not in {None, "absent", "bye", "half-bye"}:
        raise RefusedError(400, visit.room.labels["not_our_form"])
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
    """Note in which round to come a player does not play, or plays after all."""
    who, number, kind = visit.needed("who"), visit.number("round"), visit.needed("kind")
    return lambda desk: desk.change_player(who, byes={number: kind})


def _disqualify(visit: Visit) -> Doing:
    who, reason = visit.needed("who"), _reason(visit)
    return lambda desk: desk.disqualify(who, reason)


def _deck(visit: Visit) -> Doing:
    """Register a decklist at the desk; one that is illegal, or comes after the lock, where the form says so."""
    who, text, anyway = visit.needed("who"), visit.needed("list", DECK_LETTERS), bool(visit.field("anyway"))
    t = visit.room.labels

    def registered(desk: Desk) -> Receipt:
        receipt = submit_deck(desk, who, text, source=t["the_list"], anyway=anyway)
        said = [Fault.of(each, t).text for each in receipt.findings]
        if receipt.verdict == "illegal" and not receipt.entries:
            raise RefusedError(409, t["deck_refused"], "\n".join(said))
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
    who, found, deck = visit.needed("who"), visit.field("found") or None, visit.field("list", DECK_LETTERS)
    source = visit.room.labels["the_list_found"]
    if deck:
        return _seen(visit, lambda desk: compare_audit(desk, who, deck, source=source, found=found))
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
    "close": Act(
        frozenset({Role.ORGANIZER}), "ends the event", lambda _: lambda desk: desk.close(), _pages_and_posts
    ),
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
