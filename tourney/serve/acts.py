"""The forms that staff can send from their own devices, and the roles that may send them.

Each row of the table `ACTS` is a form with its own address. Its function reads the form and calls the same
method of the desk as the command line. The module `staff` makes sure that a form is entered only once, and
shows the result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from tourney.desk.auditing import compare_audit
from tourney.desk.files import with_copy
from tourney.desk.publishing import with_new_seats, with_pages_and_posts
from tourney.desk.registration import submit_deck
from tourney.errors import TourneyError
from tourney.event import claims
from tourney.event.rounds import Manner
from tourney.event.score import Report, parse_line, slip_examples
from tourney.serve.seat import DECK_BYTES, DECK_LETTERS, PhoneFinding
from tourney.serve.visits import (
    FOREIGN_FORM,
    FORM_BYTES,
    JUDGES,
    ORGANIZERS,
    SCOREKEEPERS,
    STAFF,
    RefusedError,
    Role,
    Visit,
)
from tourney.wording import Message

if TYPE_CHECKING:
    from tourney.desk import Desk, Receipt
    from tourney.desk.desk import PenaltyReceipt
    from tourney.desk.posting import OpenOutbox
    from tourney.event.state import State

ROUND_CHANGED = Message("the round has changed since the page was loaded; nothing was done")
REPORT_CHANGED = Message("that report has changed; look at the table again")
NO_ROUND = Message("no round is being played")

LONGEST_TEXT, LONGEST_TABLES = 500, 40_000
"""The maximum number of characters in a reason, and in the tables of a round paired by hand.

The desk then applies its own limits.
"""

Publishing = Callable[["Desk", "Receipt", "State", "OpenOutbox"], "Receipt"]
"""A function that publishes pages and posts after a change, as the command line does.

Its arguments are the desk, the receipt of the change, the event before the change, and the outbox.
"""


class Act(NamedTuple):
    """A form that staff can send.

    what: what the form does, in the words of the table in `README.md`
    enter: reads the form and changes the event, in the writer's thread; raises TourneyError for a refused
        form
    check: called before `enter`; raises TourneyError if the form no longer fits the event. None: no check
    publish: called after the answer, to publish what has changed; None: nothing to publish
    may: the roles that may send the form
    most: the maximum size of the form in bytes
    """

    what: str
    enter: Callable[[Desk, Visit], Receipt]
    check: Callable[[Desk, Visit], None] | None = None
    publish: Publishing | None = None
    may: frozenset[Role] = SCOREKEEPERS
    most: int = FORM_BYTES


# -- before and after an act


def _same_round(desk: Desk, form: Visit) -> None:
    """Raise TourneyError if the page of the form showed a round that is no longer current."""
    if len(desk.refresh().rounds) != form.number("round"):
        raise TourneyError(ROUND_CHANGED)


def _round_to_pair(desk: Desk, form: Visit) -> None:
    """Raise TourneyError if the round that the form would pair is not the next one."""
    if len(desk.refresh().rounds) + 1 != form.number("round"):
        raise TourneyError(ROUND_CHANGED)


def _visible_round(desk: Desk, form: Visit) -> None:
    """Raise TourneyError if a judge sends the form while the round is held back.

    Judges do not see a round that is held back.
    """
    round_ = desk.refresh().round
    if form.visitor.role not in SCOREKEEPERS and round_ is not None and round_.held:
        raise TourneyError(NO_ROUND)


def _pages_and_posts(desk: Desk, receipt: Receipt, _before: State, outbox: OpenOutbox) -> Receipt:
    """Publish the round, unless it is held back."""
    return with_pages_and_posts(desk, receipt, outbox=outbox)


def _once_released(desk: Desk, receipt: Receipt, before: State, outbox: OpenOutbox) -> Receipt:
    """Publish the round if it was held back until now."""
    was_held = before.round is not None and before.round.held
    return with_pages_and_posts(desk, receipt, outbox=outbox) if was_held else receipt


def _new_seats(desk: Desk, receipt: Receipt, before: State, _outbox: OpenOutbox) -> Receipt:
    """Publish again if the published pages show seats that have changed."""
    return with_new_seats(desk, receipt, before)


# -- fields that many forms have


def _player(form: Visit) -> str:
    return form.required("who")


def _players(form: Visit) -> list[str]:
    """Return the names in a field, which separates them by line breaks or commas."""
    names = form.required("names", LONGEST_TEXT).replace(",", "\n").split("\n")
    return [name.strip() for name in names if name.strip()]


def _table(form: Visit) -> str:
    return form.required("table")


def _reason(form: Visit) -> str | None:
    return form.text("reason", LONGEST_TEXT) or None


# -- results


def _enter_slip(desk: Desk, form: Visit) -> Receipt:
    """Enter a line as typed in `tourney result enter`: `4 2-1`, `lena 2-0`, `change 4 1-2`, `u`."""
    line, number, time = form.required("slip"), form.number("round"), form.ticked("time")
    examples = slip_examples(desk.state.settings)
    word, _, rest = line.partition(" ")
    if line.casefold() == "u":
        return _undo_own(desk, form)
    if word.casefold() == "change":
        report = parse_line(rest, time=time, examples=examples)
        if report is None:
            raise TourneyError(Message("name the table and its new result"), f"`change 4 {examples.changed}`")
        return desk.change_reported(report, round_number=number)
    report = parse_line(line, time=time, examples=examples)
    if report is None:
        raise TourneyError(
            Message("`{line}` is not a table and a score", line=line),
            Message("`4 {result}` or `lena {other}`", result=examples.result, other=examples.other),
        )
    return _report(desk, report, number)


def _report(desk: Desk, report: Report, number: int) -> Receipt:
    (answer,) = desk.report_each([report], round_number=number)
    if isinstance(answer, TourneyError):
        raise answer
    return answer


def _settle(desk: Desk, form: Visit) -> Receipt:
    """Enter a reported result, if the report has not changed since the page was shown."""
    entry, text = form.number("claim"), form.text("says")
    report = claims.find_version(desk.state, entry, text)
    if report is None:
        raise TourneyError(REPORT_CHANGED)
    return _report(desk, report, len(desk.state.rounds))


def _enter_unanswered(desk: Desk, _form: Visit) -> Receipt:
    """Enter the reported results that no opponent answered in time.

    `tourney result claims --enter` does the same.
    """
    receipts = desk.enter_unanswered(anyway=True)
    if not receipts:
        raise TourneyError(REPORT_CHANGED)
    return receipts[-1].together(receipts)


def _undo_own(desk: Desk, form: Visit) -> Receipt:
    """Undo the device's last entry.

    The form names the entry. Therefore a second tap on the button does not undo another entry.
    """
    entry, own = form.optional_number("last"), desk.own_last()
    if entry is not None and (own is None or own.entry != entry):
        raise TourneyError(Message("that is not your last entry; nothing was undone"))
    return desk.undo(entry)


# -- rounds


def _pair(desk: Desk, form: Visit) -> Receipt:
    """Pair the next round as `tourney round next` does, or with the tables of the form."""
    hold, by_hand = form.ticked("hold"), form.text("tables", LONGEST_TABLES) or None
    start, careful = form.ticked("start") and not hold, not form.ticked("anyway")
    manner = Manner(hold_back=hold, start=start, minutes=None, careful=careful)
    try:
        receipt = desk.pair_round(by_hand=by_hand, source="tables", manner=manner)
    except TourneyError as fault:  # `tables:2: …` looks like a place in a file, but means a line of the form
        place = re.match(r"tables:(\d+): ", fault.message)
        if place is None:
            raise
        message = Message("Line {n}: {fault}", n=int(place[1]), fault=fault.message[place.end() :])
        raise TourneyError(message, fault.hint) from None
    return with_copy(desk, receipt)


def _pair_by_hand(desk: Desk, form: Visit) -> Receipt:
    form.required("tables", LONGEST_TABLES)
    return _pair(desk, form)


def _cut(desk: Desk, form: Visit) -> Receipt:
    size = form.number("size")
    if size < 2:
        raise RefusedError(400, FOREIGN_FORM)
    return desk.cut(size, third_place=form.ticked("third"), lot=form.ticked("lot"))


# -- players and decks


def _register_player(desk: Desk, form: Visit) -> Receipt:
    missed_as = form.text("late") or None
    if missed_as not in {None, "absent", "bye", "half-bye"}:
        raise RefusedError(400, FOREIGN_FORM)
    return desk.add_player(form.required("name"), late=missed_as)


def _register_deck(desk: Desk, form: Visit) -> Receipt:
    """Register a decklist at the desk.

    If `anyway` is ticked, it is registered even if it is illegal or decks are locked.
    """
    text, source = form.required("list", DECK_LETTERS), Message("the list")
    receipt = submit_deck(desk, _player(form), text, source=source, anyway=form.ticked("anyway"))
    findings = [PhoneFinding.of(finding).text for finding in receipt.findings]
    if receipt.verdict == "illegal" and not receipt.entries:
        raise RefusedError(409, Message("this list is illegal and was not registered"), "\n".join(findings))
    return receipt.plus(warnings=findings)


def _check_deck(desk: Desk, form: Visit) -> Receipt:
    """Record a deck check.

    If the form contains a list of the deck, it is compared with the registered list.
    """
    deck, findings = form.text("list", DECK_LETTERS), form.text("found") or None
    if deck:
        source = Message("the deck on the table")
        return compare_audit(desk, _player(form), deck, source=source, remark=findings)
    return desk.record_audit(_player(form), clean=not findings, problems=findings)


def _draw_decks(desk: Desk, form: Visit) -> Receipt:
    tables = form.number("tables")
    if not 1 <= tables <= 1000:
        raise RefusedError(400, FOREIGN_FORM)
    return desk.draw_audit(tables)


# -- penalties


def _penalize(desk: Desk, form: Visit) -> Receipt:
    level, infraction = form.text("what"), form.text("infraction")
    if not level and not infraction:
        raise RefusedError(422, Message("choose an infraction or a level"))
    number, state = None, desk.refresh()
    if form.visitor.role not in SCOREKEEPERS and state.for_players is not state:
        number = len(state.for_players.rounds)  # the last round that the judge can see
        if not number:
            raise TourneyError(NO_ROUND)
    return _with_earlier_penalties(
        desk.penalize(
            _player(form),
            level,
            infraction=infraction or None,
            apply=form.ticked("apply"),
            round_number=number,
            reason=_reason(form),
        )
    )


def _upgrade(desk: Desk, form: Visit) -> Receipt:
    entry, level = form.number("entry"), form.text("level") or None
    return _with_earlier_penalties(
        desk.upgrade_penalty(entry, level, apply=form.ticked("apply"), reason=_reason(form))
    )


def _with_earlier_penalties(receipt: PenaltyReceipt) -> Receipt:
    """Return the receipt with a sentence about the player's earlier penalties, if there are any."""
    earlier = receipt.history[:-1]
    if not earlier:
        return receipt
    name = receipt.state.players[earlier[0].player].name
    penalties = [
        Message(
            "{penalty} (round {round})",
            penalty=Message.joined(", ", [penalty.level, penalty.infraction or ""]),
            round=penalty.round,
        )
        for penalty in earlier
    ]
    text = Message(
        "Earlier penalties of {name}: {penalties}.", name=name, penalties=Message.joined("; ", penalties)
    )
    return receipt.plus([text])


# -- the table

ACTS: Mapping[str, Act] = {
    "slip": Act("enters and changes results", _enter_slip),
    "settle": Act("settles what players reported", _settle),
    "unanswered": Act("enters reports without an answer", _enter_unanswered),
    "pair": Act("pairs the next round, public or held back", _pair, _round_to_pair, _pages_and_posts),
    "pair-by-hand": Act(
        "pairs the next round by hand", _pair_by_hand, _round_to_pair, _pages_and_posts, most=DECK_BYTES
    ),
    "force": Act(
        "fixes a match of the next round",
        lambda desk, form: desk.force(*_players(form), table=form.optional_number("table")),
    ),
    "forbid": Act(
        "keeps players apart",
        lambda desk, form: desk.forbid(*_players(form), hard=not form.ticked("soft"), reason=_reason(form)),
    ),
    "release": Act(
        "releases a held round", lambda desk, _: desk.release_round(), _same_round, _once_released
    ),
    "start": Act(
        "starts the clock",
        lambda desk, form: desk.start_round(form.optional_number("minutes")),
        _same_round,
        _once_released,
    ),
    "swap": Act(
        "lets two players change seats",
        lambda desk, form: desk.swap(_player(form), form.required("other"), reason=_reason(form)),
        _same_round,
        _new_seats,
    ),
    "move": Act(
        "moves a match to another table",
        lambda desk, form: desk.move(_table(form), form.number("to_table"), reason=_reason(form)),
        _same_round,
        _new_seats,
    ),
    "seat": Act(
        "seats players at a table",
        lambda desk, form: desk.seat(_table(form), *_players(form), reason=_reason(form)),
        _same_round,
        _new_seats,
    ),
    "bye": Act(
        "gives a player a bye instead of the table",
        lambda desk, form: desk.bye(_player(form), form.text("kind", 40) or "bye", reason=_reason(form)),
        _same_round,
        _new_seats,
    ),
    "repair": Act(
        "repairs the pairings after a change", lambda desk, _: desk.repair_round(), _same_round, _new_seats
    ),
    "cancel": Act(
        "cancels the round and its results",
        lambda desk, form: desk.cancel_round(reason=_reason(form)),
        _same_round,
        _new_seats,
    ),
    "check-in": Act("checks players in", lambda desk, form: desk.check_in(_player(form))),
    "check-in-all": Act("checks all players in", lambda desk, _: desk.check_in_all()),
    "late": Act("registers a player, also late", _register_player),
    "rename": Act("renames a player", lambda desk, form: desk.rename(_player(form), form.required("name"))),
    "announce": Act(
        "notes a future bye or absence",
        lambda desk, form: desk.change_player(
            _player(form), byes={form.number("round"): form.required("kind")}
        ),
    ),
    "deck": Act("registers a decklist, also after the lock", _register_deck, most=DECK_BYTES),
    "waive-deck": Act(
        "lets a player play without a decklist",
        lambda desk, form: desk.waive_deck(_player(form), reason=_reason(form)),
    ),
    "drop": Act("drops players", lambda desk, form: desk.drop(_player(form), reason=_reason(form))),
    "drop-absent": Act("drops absent players", lambda desk, _: desk.drop_absent()),
    "return": Act("lets players back in", lambda desk, form: desk.return_(_player(form))),
    "disqualify": Act(
        "disqualifies a player",
        lambda desk, form: desk.disqualify(_player(form), _reason(form)),
        may=ORGANIZERS,
    ),
    "take-back": Act(
        "undoes any entry",
        lambda desk, form: desk.undo(form.number("entry"), reason=_reason(form)),
        publish=_new_seats,
    ),
    "put-back": Act(
        "redoes an undone entry", lambda desk, form: desk.redo(form.number("entry")), publish=_new_seats
    ),
    "cut": Act("makes the cut to the bracket", _cut, _same_round, may=ORGANIZERS),
    "close": Act("ends the event", lambda desk, _: desk.close(), publish=_pages_and_posts, may=ORGANIZERS),
    "reopen": Act("reopens the event", lambda desk, _: desk.reopen(), may=ORGANIZERS),
    "extend": Act(
        "gives a table more time",
        lambda desk, form: desk.extend(_table(form), form.number("minutes"), reason=_reason(form)),
        _visible_round,
        may=STAFF,
    ),
    "penalize": Act("gives penalties", _penalize, may=STAFF),
    "upgrade": Act("upgrades a penalty", _upgrade, _visible_round, may=STAFF),
    "undo": Act("undoes the device's last entry", _undo_own, publish=_new_seats, may=STAFF),
    "answer-call": Act(
        "answers a call for a judge", lambda desk, form: desk.answer_call(form.number("entry")), may=JUDGES
    ),
    "draw": Act("draws decks to be checked", _draw_decks, _visible_round, may=JUDGES),
    "audit": Act("notes a deck check", _check_deck, _visible_round, most=DECK_BYTES, may=JUDGES),
}
"""The forms of staff by name. The address of a form is `/desk/NAME`."""
