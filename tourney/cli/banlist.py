"""`tourney banlist`: dated lists of what may not be played."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import noun
from tourney.cli.completers import banlists
from tourney.cli.list_asked import list_asked
from tourney.cli.rules_asked import day_option
from tourney.cli.session import Session
from tourney.cli.streams import styled

if TYPE_CHECKING:
    from tourney.rules import BanList

cli = noun(
    "banlist",
    lazy={
        "diff": "tourney.cli.banlist_diff:diff",
        "new": "tourney.cli.banlist_take:new",
        "import": "tourney.cli.banlist_take:import_",
        "fetch": "tourney.cli.banlist_take:fetch",
    },
)


@cli.command("list", examples=["tourney banlist list"])
def list_(session: Session) -> None:
    """List the ban lists installed: which one is in force, which comes next, which formats ask for it.

    A list that a format asks for and that is not installed is listed, too, with where it is published.
    """
    library = session.library()
    today = session.now().date()
    asked: dict[str, list[str]] = {}
    published: dict[str, str] = {}
    for name in library.formats():
        format_ = library.format(name)
        if format_.banlist:
            asked.setdefault(format_.banlist, []).append(name)
            published[format_.banlist] = format_.banlist_at or ""
    names = sorted({*library.banlist_names(), *asked})
    installed = library.banlists()
    told = [
        {
            "name": name,
            "days": installed.get(name, ()),
            "in_force": max((day for day in installed.get(name, ()) if day <= today), default=None),
            "next": min((day for day in installed.get(name, ()) if day > today), default=None),
            "formats": asked.get(name, []),
            "published": published.get(name) or None,
        }
        for name in names
    ]
    if session.json:
        session.emit("banlist-list/1", {"on": today, "banlists": told})
        return
    session.table(("list", "in force", "next", "formats", ""), [_row(each) for each in told])


def _row(each: dict[str, Any]) -> list[str]:
    if not each["days"]:
        where = f"published at {each['published']}" if each["published"] else ""
        return [each["name"], "not installed", "", ", ".join(each["formats"]), where]
    since = f"since {each['in_force']}" if each["in_force"] else "not yet"
    return [each["name"], since, str(each["next"] or ""), ", ".join(each["formats"]), ""]


@cli.command(
    "show",
    examples=[
        "tourney banlist show red-diamond/example",
        "tourney banlist show red-diamond/example@2026-01-01",
        "tourney banlist show red-diamond/example --on 2026-06-30",
    ],
)
@click.argument("asked", metavar="NAME|NAME@DAY|FILE", shell_complete=banlists)
@day_option
def show(session: Session, asked: str, on: date | None) -> None:
    """Print a ban list: since when, from where, what it says, and its SHA-256."""
    banlist = list_asked(session, session.library(), asked, on)
    if session.json:
        session.emit("banlist/1", as_json(banlist))
        return
    for line in _lines(banlist):
        session.say(line)


def as_json(banlist: BanList) -> dict[str, Any]:
    """Return a list as a JSON object."""
    return {
        "name": banlist.name,
        "from": banlist.day,
        "announced": banlist.announced,
        "source": banlist.published,
        "fingerprint": banlist.fingerprint,
        "digest": banlist.digest,
        "cards": banlist.cards,
        "points": {"total": banlist.points.total, "cards": banlist.points.cards} if banlist.points else None,
        "groups": [{"cards": each.cards, "max": each.max} for each in banlist.groups],
        "where": [{"where": each.where, "max": each.max, "reason": each.reason} for each in banlist.wheres],
    }


def _lines(banlist: BanList) -> Iterator[str]:
    from tourney.rules.changes import status

    yield styled(banlist.name, bold=True) + f", in force from {banlist.day}"
    if banlist.announced:
        yield f"  announced {banlist.announced}"
    yield from (f"  {said}" for said in (banlist.published, banlist.region, banlist.note) if said)
    yield f"  SHA-256 {banlist.digest}"
    for copies in sorted(set(banlist.cards.values())):
        yield f"\n{status(copies)}"
        yield from (f"  {name}" for name, said in banlist.cards.items() if said == copies)
    if banlist.points:
        yield f"\nat most {banlist.points.total} points"
        yield from (f"  {name}: {number}" for name, number in banlist.points.cards.items())
    for group in banlist.groups:
        yield f"\nat most {group.max} of"
        yield from (f"  {name}" for name in group.cards)
    for where in banlist.wheres:
        yield f"\n{'banned' if where.max == 0 else f'at most {where.max}'}: {where.reason or where.where}"
        yield from (f"  but not {name}" for name in where.except_cards)
    if not (banlist.cards or banlist.points or banlist.groups or banlist.wheres):
        yield "\nnothing is banned"
