"""Sheets to be printed, of the open event: what staff has besides what is published, and the folder they are written to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tourney.desk.receipts import Published
from tourney.desk.views import event_view
from tourney.errors import TourneyError, fault_of_the_rules
from tourney.event.field import round_robin
from tourney.event.names import public
from tourney.event.penalties import deck_checks
from tourney.event.state import Player, State
from tourney.event.view import (
    DeckCheckView,
    EventView,
    ListedCard,
    ListFormView,
    ZoneFormView,
    ZoneListView,
)

if TYPE_CHECKING:
    from tourney.desk.desk import Desk
    from tourney.publish import Labels
    from tourney.publish.sheets import ComingRound, PaperSize, StaffView
    from tourney.rules import Format
    from tourney.rules.vocabulary import ZoneFile

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
    labels: Labels | None = None,
) -> Published:
    """Write sheets of some kinds into a folder, a file each: `slips-round-3.html`.

    round_number: None: the newest; held: with a round that only the desk is to see; named: a decklist form for everybody
    whose list is not in, instead of one without a name. What was printed into the folder before stays, and is made anew where
    somebody was erased meanwhile. Raises TourneyError for a kind or a round that there is not, and where the folder cannot be
    written or PDF cannot be made.
    """
    from tourney.publish import sheets
    from tourney.store.folder import write_folder, written_before

    done: Published | None = None
    for _ in desk.writing_out():
        view = event_view(desk, why=False, held=held)
        asked = {_path(_Sheet(kind, _round(kind, view, round_number), pdf)) for kind in kinds}
        old = frozenset[str]()
        if any(player.erased for player in desk.state.players.values()):
            old = frozenset(path for path in written_before(folder) if _sheet_at(path)) - asked
        contents = {}
        for path in sorted({*asked, *old}):
            wanted = _sheet_at(path)
            assert wanted is not None, "they are named so above"
            if path in old and (wanted.number or 0) > len(view.rounds):
                continue
            staff = _staff(desk, wanted, named=named)
            if path in old and wanted.kind == "deck-checks" and not staff.checks:
                continue
            page = sheets.sheet(
                wanted.kind, view, round_number=wanted.number, paper=paper, labels=labels, staff=staff
            )
            contents[path] = sheets.as_pdf(page) if wanted.pdf else page
        changes = write_folder(folder, contents, about=lambda path, ours=asked | old: path in ours)  # type: ignore[misc]
        done = Published(str(folder), tuple(sorted(asked)), changes)
    assert done is not None, "it is written once at least"
    return done


class _Sheet(NamedTuple):
    """What a file in the folder is. number: of the round, None where it is about none."""

    kind: str
    number: int | None
    pdf: bool


def _round(kind: str, view: EventView, number: int | None) -> int | None:
    """Return the round that a sheet is about. Raises TourneyError for one that there is not."""
    from tourney.publish.sheets import kind_called, round_of

    return round_of(view, number).number if kind_called(kind).rounds else None


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
        system=desk.state.settings.system,
        coming=tuple(_coming(desk.state.for_players)) if sheet.kind == "empty" else (),
        checks=tuple(_checks(desk, sheet.number)) if sheet.kind == "deck-checks" else (),
        forms=tuple(_forms(desk, named=named)) if sheet.kind == "decklists" else (),
    )


# -- rounds by hand


def _coming(state: State) -> Iterator[ComingRound]:
    """Yield the rounds of a round robin that are not paired yet, for who is still there; none before the first is drawn."""
    from tourney.publish.sheets import ComingRound

    if state.settings.system != "round-robin" or not state.rounds:
        return
    plan = round_robin(state, state.rounds[0].seed)
    gone = {*plan.players} - {player.id for player in state.playing}
    for number in range(len(state.rounds) + 1, len(plan.rounds) + 1):
        made = plan.round(number, gone=gone, first_table=state.settings.first_table)
        tables = tuple((table.number, table.seats) for table in made.tables)
        yield ComingRound(number=number, tables=tables, resting=made.byes)


# -- decks in the judge's hand


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
    from tourney.decks.checking import listing
    from tourney.decks.reading import read
    from tourney.decks.reading.headers import vocabulary_of

    if player.deck is None:
        return (), "no list was handed in"
    try:
        text = desk.deck_text(player.id)
        with fault_of_the_rules():
            ruleset = desk.rules.ruleset(desk.library)
        decklist = read(text, source="the list", vocabulary=vocabulary_of(ruleset.format))
        zones = [(zone.rule, listing(decklist, ruleset, zone.rule.id)) for zone in ruleset.format.zones]
    except TourneyError as fault:
        return (), fault.message
    return (
        tuple(
            ZoneListView(name=_called(zone), cards=tuple(ListedCard(*line) for line in cards))
            for zone, cards in zones
            if cards
        ),
        player.deck.verdict,
    )


def _called(zone: ZoneFile) -> str:
    return zone.name or zone.id[:1].upper() + zone.id[1:]


# -- forms to fill in


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
    from tourney.rules.kinds.terms import size_words
    from tourney.rules.vocabulary import SizeFile

    for placed in format_.zones:
        zone = placed.rule
        size = zone.size if isinstance(zone.size, SizeFile) else None
        bounds = [] if size is None else [size.max, size.exactly, size.min]
        most = next((bound for bound in bounds if isinstance(bound, int)), LINES)
        said = size_words(size) if size is not None else ""
        yield ZoneFormView(
            name=_called(zone),
            size=", ".join(filter(None, [zone.title or said, "may be missing" if zone.optional else ""])),
            rows=max(1, min(most, MOST_LINES)),
        )
