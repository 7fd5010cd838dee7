"""What leaves the desk: the event as pages in a folder, as posts to those who read a chat, as sheets of paper.

Pages are written anew as a whole, and of them only what changed. What is posted is the pairings of a new round and the
standings after one that is complete, each once; again, marked as corrected, where they are not what they were. The event
knows nothing of it: what was posted where is kept with the user. Sheets have what staff has besides what is published.

What goes with a change of the event, once its entry is on the disk, is in `Desk`: `with_copy`, `with_pages` and the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from tourney.desk.forecasting import needs_for_all
from tourney.desk.open_event import Published, Receipt
from tourney.desk.views import Watch, event_view
from tourney.errors import TourneyError, UnsettledError, as_rules_error
from tourney.event.deck_checks import deck_checks
from tourney.event.field import round_robin
from tourney.event.names import public
from tourney.event.phrases import unchecked
from tourney.event.state import Player, State
from tourney.event.view import (
    DeckCheckView,
    EventView,
    ListedCard,
    ListFormView,
    ZoneFormView,
    ZoneListView,
)
from tourney.publish import chat
from tourney.publish.chat import ChatMessage
from tourney.store.files import shown
from tourney.store.http import Http, Limits, Unreachable
from tourney.store.outbox import Outbox, PostAddress, Sent, notify
from tourney.wording import listed, listed_short

if TYPE_CHECKING:
    from tourney.desk.desk import Desk
    from tourney.publish.sheets import ComingRound, PaperSize, StaffView
    from tourney.rules.format import Format
    from tourney.store.folder import Folders, KnownFolder


# -- pages


def publish(
    desk: Desk,
    folder: Path,
    forms: Sequence[str],
    *,
    at: int | None,
    prizes: tuple[str, str] | None,
    watch: Watch | None,
) -> Published:
    """Write all that may be published into a folder, as `Desk.publish` has it."""
    from tourney.publish import FORMS

    desk.ranked(at=at)  # refused where the lot cannot be drawn
    wanted = partial(_write_pages, desk, folder, forms or tuple(FORMS), at=at, prizes=prizes, watch=watch)
    return _remembered(desk, folder, "pages", wanted, at=at, own=prizes is not None)


def _write_pages(
    desk: Desk,
    folder: Path,
    forms: Sequence[str],
    *,
    at: int | None = None,
    prizes: tuple[str, str] | None = None,
    watch: Watch | None = None,
) -> Published:
    from tourney.publish import form_of, render
    from tourney.publish.data import read_places
    from tourney.store.folder import write_folder, written_as, written_before

    made: Published | None = None
    asked = set(forms)
    for _ in desk.writing_out():
        if any(player.erased for player in desk.state.players.values()):
            asked.update(form_of(path) for path in written_before(folder) if _sheet_at(path) is None)
        seen = desk if at is None else desk.as_of(at)
        before = written_as(folder, "event.json")
        told = read_places(before) if before else None
        view = event_view(seen, prizes=prizes, published=told, watch=watch, needs=needs_for_all(seen))
        contents = render(view, sorted(asked))
        changes = write_folder(
            folder, contents, about=lambda path: form_of(path) in asked and _sheet_at(path) is None
        )
        made = Published(str(folder), tuple(sorted(contents)), changes)
    assert made is not None, "it is written once at least"
    return made


# -- every folder that was ever written to


def _remembered(
    desk: Desk,
    folder: Path,
    what: Literal["pages", "sheets"],
    write: Callable[[], Published],
    *,
    at: int | None = None,
    own: bool = False,
) -> Published:
    """Write a folder and remember it; then clear the others of who was erased since they were written."""
    from msgspec.structs import replace as changed

    from tourney.store.folder import Folders

    folders = Folders(desk.place, desk.chain[0])
    before = folders.of(folder, what)
    new = before not in folders.known()
    warnings = _noted(folders, before) if before.gone is None else []  # whatever interrupts the writing
    try:
        made = write()
    except TourneyError:
        if new:
            folders.forget(before)  # nothing was written
        raise
    now = changed(before, at=at, own=own, gone=len(desk.journal.gone()), over=False)
    warnings += _noted(folders, now)
    _, troubles = clear_folders(desk, but=before)
    return made._replace(warnings=tuple(dict.fromkeys([*warnings, *troubles])))


def _noted(folders: Folders, written: KnownFolder) -> list[str]:
    try:
        folders.note(written)
    except TourneyError as fault:
        place = shown(folders.place(written))
        return [f"{fault.message}; who asks to be forgotten later is to be deleted from {place} by hand"]
    return []


def clear_folders(desk: Desk, *, but: KnownFolder | None = None) -> tuple[list[str], list[str]]:
    """Write every known folder anew that was written before somebody was erased.

    but: the one that was written just now. Return the folders that were, and what is to be said of those that could not be.
    """
    from msgspec.structs import replace as changed

    from tourney.store.folder import Folders

    folders, gone = Folders(desk.place, desk.chain[0]), len(desk.journal.gone())
    cleared, troubles = list[str](), list[str]()
    for each in folders.known() if gone else ():
        if each.gone == gone or (but and (each.folder, each.what) == (but.folder, but.what)):
            continue
        place = folders.place(each)
        to = quote(shown(place))
        again = (
            f"`tourney publish --to {to}`" if each.what == "pages" else f"`tourney print pairings --to {to}`"
        )
        try:
            made, said = _written_anew(desk, place, each)
        except Exception as fault:  # noqa: BLE001  what is done cannot fail any more
            why = _words(fault).removeprefix(f"{place}: ")
            troubles.append(
                f"the folder {shown(place)}/ may still name who was deleted: {why}; put that right and {again}, or delete the folder"
            )
            continue  # tried again the next time
        cleared += [f"{shown(place)}/"] if made else []
        if said:
            troubles.append(f"the folder {shown(place)}/ may still name who was deleted: {said}")
            folders.forget(each)
        elif made:
            if each.own:
                own = "the words or prizes that were given for it alone are gone"
                troubles.append(f"the folder {shown(place)}/: {own}; {again} with them")
            _noted(folders, changed(each, own=False, gone=gone))
    return cleared, troubles


def _written_anew(desk: Desk, place: Path, written: KnownFolder) -> tuple[bool, str]:
    """Write what stands in a folder anew, as the event names everybody now; say whether it was, and what is left to do by hand."""
    from tourney.publish import form_of
    from tourney.publish.data import read_places
    from tourney.store.folder import written_as, written_before

    if not place.is_dir():
        return False, "it is not there any more; delete it wherever it is now"
    shows = written_as(place, "event.json") if written.what == "pages" else None
    told = read_places(shows) if shows else None
    if written.over or (told and told.event not in {"", desk.chain[0]}):
        # whoever asks to be forgotten by an event of last week is no reason to show that again
        return False, "another event was written there since; delete what is left of this one"
    paths = written_before(place)
    sheets = any(map(_sheet_at, paths))
    forms = sorted({form_of(path) for path in paths if _sheet_at(path) is None})
    if written.what == "sheets" and sheets:
        made = _write_sheets(desk, place, ())
    elif written.what == "pages" and forms:
        made = _write_pages(desk, place, forms, at=written.at)
    else:
        return False, "it is not known any more as ours; delete what is not needed there" if any(
            place.iterdir()
        ) else ""
    left = made.changes.left
    return True, f"these were changed since; delete them by hand: {listed_short(left)}" if left else ""


# -- posts


WHAT: dict[str, Callable[[EventView], ChatMessage | None]] = {
    "standings": chat.standings,
    "pairings": chat.pairings,
}
"""What can be posted, in the order in which it is: the round that is over comes before the one that begins."""

LIMITS = Limits(deadline=60.0, silence=10.0, tries=4, pause=0.5)
BETWEEN_ROUNDS = Limits(deadline=15.0, silence=8.0, tries=3, pause=0.5)
"""Nobody waits longer for a chat while a round is to begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """What came of posting to one address.

    to:      the name it is kept under, or as much of the address as may be told
    sent:    what went out; in a trial what would
    bodies:  in a trial what would be sent, in order
    fault:   why the rest was not posted; unsure: whether it may have been all the same; hint: what helps
    warning: what went wrong, though it was posted
    """

    to: str
    sent: tuple[ChatMessage, ...] = ()
    bodies: tuple[dict[str, Any], ...] = ()
    fault: str = ""
    hint: str | None = None
    unsure: bool = False
    warning: str = ""

    @property
    def text(self) -> str:
        """What was posted, in a sentence: `friday-discord: posted standings after round 2 and pairings of round 3`."""
        verb = "would be posted" if self.bodies else "posted"
        return f"{self.to}: {verb}: {self.what}" if self.sent else f"{self.to}: nothing new to post"

    @property
    def what(self) -> str:
        """What went out: `standings after round 2 and pairings of round 3`."""
        return listed([f"{each.what}{' (corrected)' if each.corrected else ''}" for each in self.sent])


def messages(view: EventView, kinds: Sequence[str] = ()) -> list[ChatMessage]:
    """Return what there is to post of an event. kinds: of `WHAT`; none: what anybody still needs to know.

    Nobody needs the pairings of a round that is complete.
    """
    over = not view.rounds or not view.rounds[-1].playing
    wanted = kinds or (["standings"] if over else [*WHAT])
    made = (make(view) for kind, make in WHAT.items() if kind in wanted)
    return [each for each in made if each is not None]


def post(
    desk: Desk,
    to: Sequence[str],
    *,
    outbox: Outbox,
    kinds: Sequence[str] = (),
    http: Http | None = None,
    insecure: bool = False,
    trial: bool = False,
) -> list[Post]:
    """Post to each of the addresses what is new there; with `kinds` these, whether they are new or not.

    to: names that are kept, or addresses; trial: nothing is sent

    What goes wrong at one address is told in its `Post` and hinders no other. Raises TourneyError for a name or an
    address that is none, before anything is sent.
    """
    named = {each: outbox.find(each, insecure=insecure) for each in dict.fromkeys(to)}
    if not named:
        return []
    desk.ranked()  # refused where the lot cannot be drawn
    due = messages(event_view(desk, why=False), kinds)
    event = desk.chain[0]
    made = []
    for name, address in named.items():
        label = name if name != address.url else address.origin
        known = outbox.posted().get(address.key, {}).get(event, {})
        new = [each for each in (_as_new(message, known, asked=bool(kinds)) for message in due) if each]
        if trial:
            bodies = [body for message in new for body in _bodies(address, message)]
            made.append(Post(to=label, sent=tuple(new), bodies=tuple(bodies)))
        else:
            way = replace(http or Http(limits=LIMITS), insecure=address.insecure).together()
            made.append(_posted(label, address, new, known, event, outbox=outbox, http=way))
    return made


def _key(message: ChatMessage) -> str:
    return f"{message.kind} {message.round}"


def _as_new(message: ChatMessage, known: dict[str, Sent], *, asked: bool) -> ChatMessage | None:
    """Return a message as it is to be posted; None where it was, and nobody asked for it by name."""
    before = known.get(_key(message))
    same = before is not None and before.digest == message.digest
    if same and before is not None and before.whole and not asked:
        return None
    return replace(message, corrected=before is not None and not same)


def _bodies(address: PostAddress, message: ChatMessage) -> list[dict[str, Any]]:
    return chat.payloads(message, chat.service_of(address.url))


def _posted(
    label: str,
    address: PostAddress,
    new: Sequence[ChatMessage],
    known: dict[str, Sent],
    event: str,
    *,
    outbox: Outbox,
    http: Http,
) -> Post:
    sent: list[ChatMessage] = []
    warning = ""
    pause = 0.0
    for message in new:
        bodies = _bodies(address, message)
        before = known.get(_key(message))
        halfway = before is not None and before.digest == message.digest and not before.whole
        done = min(before.parts, len(bodies)) if halfway and before is not None else 0
        fault: TourneyError | None = None
        try:
            for body in bodies[done:]:
                http.sleep(_within(http, pause))
                pause = _send(http, address, body)
                done += 1
        except TourneyError as raised:
            fault = raised
        try:
            if done:
                note = Sent(digest=message.digest, parts=done, whole=fault is None)
                outbox.note(address, event, _key(message), note)
        except TourneyError as raised:
            warning = f"{raised.message}: the same will be posted again"
        if fault is not None:
            part = f" (part {done + 1} of {len(bodies)})" if len(bodies) > 1 else ""
            why = fault.message.removeprefix(f"{label}: ")  # which says already where it was to go
            return Post(
                to=label,
                sent=tuple(sent),
                fault=f"{message.what}{part}: {why}",
                hint=fault.hint,
                unsure=isinstance(fault, UnsettledError),
                warning=warning,
            )
        sent.append(message)
    return Post(to=label, sent=tuple(sent), warning=warning)


def _within(http: Http, pause: float) -> float:
    """Return the pause that a server asked for. Raises Unreachable where it ends after the deadline."""
    if http.budget is not None and http.clock() + pause > http.budget.end:
        raise Unreachable(f"the server wants no more posts for {pause:.0f} s")
    return pause


def _send(http: Http, address: PostAddress, body: dict[str, Any]) -> float:
    if chat.service_of(address.url) == "apprise":
        title, _, text = body["text"].partition("\n\n")
        notify(address, title, text)
        return 0.0
    return http.post(address.url, json.dumps(body, ensure_ascii=False).encode())


def with_posts(desk: Desk, receipt: Receipt, outbox: Outbox) -> Receipt:
    """Post what is new to where the event says it goes (`post_to`), as `Desk.with_pages_and_posts` has it."""
    names = desk.state.settings.pages.post_to
    if not names:
        return receipt
    said: list[str] = []
    warnings: list[str] = []
    for name in names:
        try:
            (made,) = post(desk, [name], outbox=outbox, http=Http(limits=BETWEEN_ROUNDS))
        except (Exception, KeyboardInterrupt) as fault:  # noqa: BLE001  what is done cannot fail any more
            warnings.append(f"nothing was posted to {name}: {_words(fault)}; the round stands all the same")
            continue
        said += [f"Posted to {name}: {made.what}."] if made.sent else []
        if made.fault:
            warnings.append(
                f"{not_posted(made)}; the round stands all the same (`tourney publish --post {name}`)"
            )
        if made.warning:
            warnings.append(made.warning)
    return replace(receipt, changed=(*receipt.changed, *said), warnings=(*receipt.warnings, *warnings))


def not_posted(made: Post) -> str:
    """Say what was not posted, and why."""
    verb = "nobody can know whether it was posted" if made.unsure else "not posted"
    return f"{verb} to {made.to}: {made.fault}"


def _words(fault: BaseException) -> str:
    if isinstance(fault, TourneyError):
        return fault.message
    return "interrupted" if isinstance(fault, KeyboardInterrupt) else f"a bug ({type(fault).__name__})"


# -- sheets


LINES, MOST_LINES = 12, 60
"""Of a part of a decklist whose size the format leaves open; and at most."""


def print_sheets(
    desk: Desk,
    folder: Path,
    kinds: Sequence[str],
    *,
    round_number: int | None = None,
    paper: PaperSize = "a4",
    pdf: bool = False,
    held: bool = False,
    named: bool = False,
    room: str = "",
) -> Published:
    """Write sheets of some kinds into a folder, a file each: `slips-round-3.html`.

    round_number: None: the newest; held: with a round that only the desk is to see; named: a decklist form for everybody
    whose list is not in, instead of one without a name. What was printed into the folder before stays, and is made anew where
    somebody was erased meanwhile. room: where the event is served, for codes that no published page is behind.

    Of several kinds those are written that there is something for; the others are `missing`. Raises TourneyError where that
    is none of them, for a kind that there is not, and where the folder cannot be written or PDF cannot be made.
    """
    wanted = partial(
        _write_sheets,
        desk,
        folder,
        kinds,
        round_number=round_number,
        paper=paper,
        pdf=pdf,
        held=held,
        named=named,
        room=room,
    )
    return _remembered(desk, folder, "sheets", wanted)


def _write_sheets(
    desk: Desk,
    folder: Path,
    kinds: Sequence[str],
    *,
    round_number: int | None = None,
    paper: PaperSize = "a4",
    pdf: bool = False,
    held: bool = False,
    named: bool = False,
    room: str = "",
) -> Published:
    from tourney.publish import sheets
    from tourney.store.folder import write_folder, written_before

    done: Published | None = None
    for _ in desk.writing_out():
        view = event_view(desk, why=False, held=held)
        asked, missing = _asked(kinds, view, round_number, pdf=pdf)
        old = frozenset[str]()
        if any(player.erased for player in desk.state.players.values()):
            old = frozenset(path for path in written_before(folder) if _sheet_at(path)) - asked
        contents = {}
        for path in sorted({*asked, *old}):
            wanted = _sheet_at(path)
            assert wanted is not None, "they are named so above"
            if path in old and (wanted.number or 0) > len(view.rounds):
                continue
            try:
                staff = _staff(desk, wanted, named=named)
                page = sheets.sheet(
                    wanted.kind,
                    view,
                    round_number=wanted.number,
                    paper=paper,
                    staff=staff,
                    room=room,
                )
            except TourneyError as fault:
                if path in asked:
                    missing[wanted.kind] = fault
                elif not sheets.kind_called(wanted.kind).staff:
                    raise
                continue  # an old one: whatever it showed is no more
            contents[path] = sheets.as_pdf(page) if wanted.pdf else page
        asked &= contents.keys()
        if missing and not asked:
            raise next(iter(missing.values()))
        changes = write_folder(folder, contents, about=lambda path, ours=asked | old: path in ours)  # type: ignore[misc]
        done = Published(str(folder), tuple(sorted(asked)), changes, missing)
    assert done is not None, "it is written once at least"
    return done


class _Sheet(NamedTuple):
    """What a file in the folder is. number: of the round, None where it is about none."""

    kind: str
    number: int | None
    pdf: bool


def _asked(
    kinds: Sequence[str], view: EventView, number: int | None, *, pdf: bool
) -> tuple[set[str], dict[str, TourneyError]]:
    """Return the files of the sheets that are asked for, and of each kind that has no round to be about why.

    Raises TourneyError for a kind that there is not.
    """
    from tourney.publish.sheets import kind_called, round_of

    asked, missing = set[str](), dict[str, TourneyError]()
    for kind in kinds:
        of_round = kind_called(kind).rounds
        try:
            about = round_of(view, number).number if of_round else None
        except TourneyError as fault:
            missing[kind] = fault
        else:
            asked.add(_path(_Sheet(kind, about, pdf)))
    return asked, missing


def _path(sheet: _Sheet) -> str:
    about = f"-round-{sheet.number}" if sheet.number else ""
    return f"{sheet.kind}{about}.{'pdf' if sheet.pdf else 'html'}"


def _sheet_at(path: str) -> _Sheet | None:
    """Return what a file is by its path; None for one that was not printed."""
    from tourney.publish.sheets import KINDS

    found = re.fullmatch(r"([a-z-]+?)(?:-round-(\d{1,6}))?\.(html|pdf)", path)
    if found is None or found[1] not in KINDS or KINDS[found[1]].rounds is not bool(found[2]):
        return None
    return _Sheet(found[1], int(found[2]) if found[2] else None, found[3] == "pdf")


def _staff(desk: Desk, sheet: _Sheet, *, named: bool) -> StaffView:
    from tourney.publish.sheets import StaffView

    return StaffView(
        system=desk.state.settings.pairing.system,
        coming=tuple(_coming(desk.state.for_players)) if sheet.kind == "empty" else (),
        checks=tuple(_checks(desk, sheet.number)) if sheet.kind == "deck-checks" else (),
        forms=tuple(_forms(desk, named=named)) if sheet.kind == "decklists" else (),
    )


# -- sheets: rounds by hand


def _coming(state: State) -> Iterator[ComingRound]:
    """Yield the rounds of a round robin that are not paired yet, for who is still there; none before the first is drawn."""
    from tourney.publish.sheets import ComingRound

    if state.settings.pairing.system != "round-robin" or not state.rounds:
        return
    plan = round_robin(state, state.rounds[0].seed)
    gone = {*plan.players} - {player.id for player in state.playing}
    for number in range(len(state.rounds) + 1, len(plan.rounds) + 1):
        made = plan.round(number, gone=gone, first_table=state.settings.pairing.first_table)
        tables = tuple((table.number, table.seats) for table in made.tables)
        yield ComingRound(number=number, tables=tables, resting=made.byes)


# -- sheets: decks in the judge's hand


def _checks(desk: Desk, number: int | None) -> Iterator[DeckCheckView]:
    """Yield the decks that were drawn in a round and not checked yet, called by their whole names."""
    state = desk.state
    for each in deck_checks(state):
        if not each.drawn or each.done is not None or each.round != number:
            continue
        round_ = state.rounds[each.round - 1]
        table, player = round_.table_of(each.player), state.players[each.player]
        zones, said = _list(desk, player)
        yield DeckCheckView(
            player=player.id,
            name=player.name,
            round=round_.title,
            table=table.number if table else 0,
            zones=zones,
            said=said,
        )


def _list(desk: Desk, player: Player) -> tuple[tuple[ZoneListView, ...], str]:
    """Return a registered list by its parts, and its verdict; no parts and why where there is none to be read."""
    from tourney.decks.reading import read
    from tourney.decks.resolving import cards_in_order

    if player.deck is None:
        return (), "no list was handed in"
    try:
        text = desk.deck_text(player.id)
        with as_rules_error():
            ruleset = desk.rules.ruleset(desk.library)
        decklist = read(text, source="the list", format_=ruleset.format)
        parts = ruleset.format.parts
        zones = [(name, cards_in_order(decklist, ruleset, zone)) for zone, name in parts.items()]
    except TourneyError as fault:
        return (), fault.message
    return (
        tuple(
            ZoneListView(name=name, cards=tuple(ListedCard(*line) for line in cards))
            for name, cards in zones
            if cards
        ),
        ", ".join(filter(None, (player.deck.verdict, unchecked(desk.state, player.deck)))),
    )


# -- sheets: forms to fill in


def _forms(desk: Desk, *, named: bool) -> Iterator[ListFormView]:
    """Yield a decklist form, or one for everybody who has still to hand a list in. Raises TourneyError if nobody has."""
    format_ = desk.rules.format
    zones = tuple(_zones(format_))
    if not named:
        yield ListFormView(format=format_.name, zones=zones)
        return
    state = public(desk.state)
    missing = [state.players[each.id] for each in desk.state.playing if each.deck is None and not each.waived]
    if not missing:
        raise TourneyError(
            "everybody's decklist is in, or not needed", "leave `--named` out for a form without a name"
        )
    yield from (
        ListFormView(format=format_.name, zones=zones, name=each.name, player=each.id) for each in missing
    )


def _zones(format_: Format) -> Iterator[ZoneFormView]:
    """Yield the parts of a list, with as many lines as there are cards, as far as they fit; two columns of them."""
    from tourney.rules.bounds import size_words
    from tourney.rules.vocabulary import SizeFile

    for part, name in format_.parts.items():
        zone = format_.zone(part)
        if zone is None:
            continue
        size = zone.size if isinstance(zone.size, SizeFile) else None
        bounds = [] if size is None else [size.max, size.exactly, size.min]
        most = next((bound for bound in bounds if isinstance(bound, int)), LINES)
        said = size_words(size) if size is not None else ""
        yield ZoneFormView(
            name=name,
            size=", ".join(filter(None, [zone.title or said, "may be missing" if zone.optional else ""])),
            rows=max(1, min(most, MOST_LINES)),
        )
