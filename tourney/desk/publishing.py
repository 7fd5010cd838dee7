"""Publishing: the event written into a folder, and kept up to date there while it is played.

What writes pages is imported where it is certain that some are written: an event that is not published does without, and
an interruption on the way is told as any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tourney.desk.receipts import Published, Receipt
from tourney.errors import TourneyError
from tourney.event.state import State

if TYPE_CHECKING:
    from tourney.desk.desk import Desk
    from tourney.desk.views import Watch
    from tourney.publish import Labels


def publish(
    desk: Desk,
    folder: Path,
    forms: Sequence[str],
    *,
    at: int | None,
    labels: Labels | None,
    prizes: tuple[str, str] | None,
    watch: Watch | None,
) -> Published:
    """Write all that may be published into a folder, as `Desk.publish` has it."""
    from tourney.desk.views import event_view
    from tourney.publish import FORMS, form_of, render
    from tourney.publish.data import told_before
    from tourney.store.folder import write_folder, written_as, written_before

    made: Published | None = None
    asked = set(forms or FORMS)
    for _ in desk.writing_out():
        if any(player.erased for player in desk.state.players.values()):
            asked.update(map(form_of, written_before(folder)))
        seen = desk if at is None else desk.as_of(at)
        before = written_as(folder, "event.json")
        told = told_before(before) if before else None
        view = event_view(seen, prizes=prizes, told=told, watch=watch)
        contents = render(view, sorted(asked), labels)
        changes = write_folder(folder, contents, about=lambda path: form_of(path) in asked)
        made = Published(str(folder), tuple(sorted(contents)), changes)
    assert made is not None, "it is written once at least"
    return made


def with_pages(desk: Desk, receipt: Receipt, *, watch: Watch | None) -> Receipt:
    """Publish the event where it says where to, as `Desk.with_pages` has it."""
    folder = desk.public_folder
    if folder is None:
        return receipt
    try:
        made = desk.publish(folder, watch=watch)
    except (Exception, KeyboardInterrupt) as fault:  # noqa: BLE001  what is done cannot fail any more
        warning = f"nothing was published: {_fault_text(fault)}; what was entered stands all the same (`tourney publish --to {desk.state.settings.publish_to}`)"
        desk.last = replace(receipt, warnings=(*receipt.warnings, warning))
        return desk.last
    said = f"Published: {desk.state.settings.publish_to}, {made.text}."
    desk.last = replace(receipt, changed=(*receipt.changed, said))
    return desk.last


def _fault_text(fault: BaseException) -> str:
    if isinstance(fault, OSError):
        from tourney.store.files import fault_words

        return fault_words(fault)
    if isinstance(fault, (TourneyError, KeyboardInterrupt)):
        return str(fault) or "interrupted"
    return f"a bug ({type(fault).__name__}: {fault})"


def with_new_seats(desk: Desk, receipt: Receipt, before: State, *, watch: Watch | None) -> Receipt:
    """Publish the event anew where its pages show seats that are no more, as `Desk.with_new_seats` has it."""
    folder = desk.public_folder
    if folder is None or not receipt.entries:
        return receipt
    old, new = (_seated(state.for_players) for state in (before, receipt.state))
    moved = [number for number in old.keys() | new.keys() if old.get(number) != new.get(number)]
    shown = any(
        (folder / f"round-{number}.{form}").exists() for number in moved for form in ("html", "md", "csv")
    )
    back = any(number not in old for number in moved) and (folder / "index.html").exists()
    return with_pages(desk, receipt, watch=watch) if shown or back else receipt


def _seated(state: State) -> dict[int, object]:
    """Return who sits where in each round, and who has no table."""
    return {
        each.number: ([(table.number, table.seats) for table in each.tables.values()], each.byes)
        for each in state.rounds
    }
