"""`tourney banlist`: dated lists of banned and restricted cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

import tourney.decks as decklists
from tourney.cli.command import noun
from tourney.cli.options import (
    banlists,
    cards,
    date_option,
    day_option,
    fetch_options,
    flag,
    format_option,
    repeatable,
)
from tourney.cli.output import style_text
from tourney.cli.session import Exit, Session, source_of
from tourney.errors import TourneyError
from tourney.rules.banlist import (
    BanList,
    BanListList,
    ListedBanList,
    changes,
    entries,
    group_limit,
    points_counted,
    shown_banlist,
    status,
    where_words,
)
from tourney.rules.ruleset import Ruleset
from tourney.rules.vocabulary import BUILT_IN_LISTS
from tourney.store.files import display_path
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.decks.history import Hit
    from tourney.store.banlists import InstalledList

cli = noun("banlist")


@cli.command("list")
def list_(session: Session) -> None:
    """List the ban lists: the edition in force, the next one, and the formats that use them.

    If a format uses a list that is not installed, the command also lists it, with the address where the list
    is published.

    Examples:
      tourney banlist list
    """
    library = session.library()
    today = session.now().date()
    users: dict[str, list[str]] = {}
    addresses: dict[str, str] = {}
    for name in library.formats():
        format_ = library.format(name)
        if format_.banlist:
            users.setdefault(format_.banlist, []).append(name)
            addresses[format_.banlist] = format_.banlist_at or ""
    names = sorted({*library.banlist_names(), *users})
    days_by_name = library.banlists()
    lists = tuple(
        ListedBanList(
            name=name,
            days=tuple(days_by_name.get(name, ())),
            in_force=max((day for day in days_by_name.get(name, ()) if day <= today), default=None),
            next=min((day for day in days_by_name.get(name, ()) if day > today), default=None),
            formats=tuple(users.get(name, ())),
            published=addresses.get(name) or None,
        )
        for name in names
    )
    session.emit(BanListList(on=today, banlists=lists))
    session.table(("list", "in force", "next", "formats", ""), list(map(_row, lists)))


def _row(banlist: ListedBanList) -> list[str]:
    formats = ", ".join(banlist.formats)
    if not banlist.days:
        address = f"published at {banlist.published}" if banlist.published else ""
        return [banlist.name, "not installed", "", formats, address]
    since = f"since {banlist.in_force}" if banlist.in_force else "not yet"
    return [banlist.name, since, str(banlist.next or ""), formats, ""]


@cli.command("show")
@click.argument("name", metavar="NAME|NAME@DAY|FILE", shell_complete=banlists)
@day_option
def show(session: Session, name: str, on: date | None) -> None:
    """Print a ban list with its date, its source, its entries and its SHA-256.

    Examples:
      tourney banlist show red-diamond/example
      tourney banlist show red-diamond/example@2026-01-01
      tourney banlist show red-diamond/example --on 2026-06-30
    """
    banlist = _banlist(session, name, on)
    session.emit(shown_banlist(banlist))
    session.say(_lines(banlist))


def _banlist(session: Session, name: str, on: date | None = None) -> BanList:
    library = session.library()
    return library.read_banlist(library.banlist_named(name, on or session.now().date()))


def _lines(banlist: BanList) -> Iterator[str]:
    yield style_text(banlist.name, bold=True) + f", in force from {banlist.day}"
    if banlist.announced:
        yield f"  announced {banlist.announced}"
    yield from (f"  {text}" for text in (banlist.published, banlist.region, banlist.note) if text)
    yield f"  SHA-256 {banlist.digest}"
    sections = list(_entries(banlist))
    for heading, names in sections:
        yield f"\n{heading}"
        yield from (f"  {name}" for name in names)
    if not sections:
        yield "\nnothing is banned"


def _entries(banlist: BanList) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield each restriction of a ban list in words, with the cards it names.

    First come limits on copies, points, groups of cards and cards that meet a condition. Then comes each
    named list of cards to which a rule of the format refers.
    """
    for copies in sorted(set(banlist.cards.values())):
        yield status(copies), (name for name, number in banlist.cards.items() if number == copies)
    points = banlist.points
    if points:
        counted_by = f", counted {points_counted(points)}" if points.per == "name" else ""
        numbers = (f"{name}: {number}" for name, number in points.cards.items())
        yield f"at most {points.total} points{counted_by}", numbers
    for group in banlist.groups:
        yield group_limit(group), group.cards
    for condition in banlist.wheres:
        yield where_words(condition, whole=True), ()
    for key, copies_of in banlist.lists.items():
        if key not in BUILT_IN_LISTS:
            cards = (f"{name}: {number}" if number != 1 else name for name, number in copies_of.items())
            yield f"on the list `{key}`", cards


# -- tourney banlist diff: what changed from one list to another, and which decks are affected


@cli.command("diff")
@click.argument("old", metavar="OLD", type=click.Path(), shell_complete=banlists)
@click.argument("new", metavar="[NEW]", type=click.Path(), required=False, shell_complete=banlists)
@repeatable("--decks", metavar="DIR|FILE", help="Show which of these decks the change affects.")
@format_option("Check the decks by this format.")
def diff(
    session: Session, old: str, new: str | None, decks: Sequence[str], format_name: str | None
) -> Exit | None:
    """Show what changed from one ban list to another.

    OLD and NEW are each a file, a name (the list in force today), or a name with a day (the list in force on
    that day: `game/list@2026-01-31`). With OLD alone, that list is compared with the one before it. Exits
    with 1 if anything changed.

    Examples:
      tourney banlist diff red-diamond/example ./2026-12-01.toml
      tourney banlist diff red-diamond/example@2026-01-01 red-diamond/example --decks decks/
    """
    from tourney.decks.documents import BanListDifference, NamedBanList

    before, after = _read_lists(session, old, new)
    differences = changes(before, after)
    hits = _hits(session, decks, before, after, format_name) if decks else []
    document = BanListDifference(
        old=NamedBanList.of(before),
        new=NamedBanList.of(after),
        changes=differences,
        decks=tuple(hit for hit in hits if hit.is_affected),
        checked=len(hits),
    )
    session.emit(document)
    session.say(
        f"{before.name} of {before.day} ({before.fingerprint}) → {after.name} of "
        f"{after.day} ({after.fingerprint})"
    )
    session.say([f"  {change.words}" for change in differences] or "  nothing changed")
    affected_decks = document.decks
    if affected_decks:
        session.say()
        session.table((), map(_hit_row, affected_decks))
    if hits:
        verb = "is" if len(affected_decks) == 1 else "are"
        session.talk(f"\n{len(affected_decks)} of {counted(len(hits), 'deck')} {verb} affected")
    return Exit.FOUND if differences else None


def _read_lists(session: Session, old: str, new: str | None) -> tuple[BanList, BanList]:
    first = _banlist(session, old)
    if new is not None:
        return first, _banlist(session, new)
    name, library = old.partition("@")[0], session.library()
    earlier = [day for day in library.banlist_days(name) if day < first.day]
    if not earlier:
        raise TourneyError(
            f"{name}: no list older than that of {first.day} is installed", "name both lists, OLD and NEW"
        )
    return library.read_banlist(library.banlist_file(name, earlier[-1])), first


def _hits(
    session: Session, names: Sequence[str], before: BanList, after: BanList, format_name: str | None
) -> list[Hit]:
    """Return, for each deck, how the changes between two ban lists affect it.

    format_name: the format to check the decks by. If None, this is the only format that uses the ban list. If
        no format or several formats use it, the decks get no verdicts
    """
    from tourney.cli.deck_reading import deck_files
    from tourney.decks.history import hit

    library = session.library()
    if format_name:
        users = [library.format(format_name)]
    else:
        users = [user for user in map(library.format, library.formats()) if user.banlist == before.name]
    format_, pool, rules = None, None, None
    if len(users) == 1:
        (format_,), day = users, session.now().date()
        pool = library.pool_of(format_)
        rules = Ruleset(format_, before, pool, day), Ruleset(format_, after, pool, day)
    differences, hits = changes(before, after), []
    with session.progress(deck_files(tuple(names)), "decks") as files:
        for file in files:
            decklist = decklists.read(file.content(session), source=file.source, format_=format_)
            hits.append(hit(decklist, differences, pool, rules))
    return hits


def _hit_row(hit: Hit) -> list[str]:
    verdicts = [verdict for verdict in dict.fromkeys((hit.before, hit.after)) if verdict]
    return [hit.source, " → ".join(verdicts), "; ".join(change.words for change in hit.changes)]


# -- tourney banlist new, import, fetch: drafting and installing a ban list


_as = click.option(
    "--as",
    "name",
    metavar="GAME/LIST",
    shell_complete=banlists,
    help="The list's name; by default from its path.",
)


_from = date_option(
    "--from", "day", "The day (YYYY-MM-DD) from which it is in force. Default: the day in the file's name."
)


@cli.command("new")
@click.argument("name", metavar="GAME/LIST", shell_complete=banlists)
@date_option("--from", "day", "The day (YYYY-MM-DD) from which it is in force. Default: today.")
@repeatable("--ban", metavar="CARD", shell_complete=cards, help="Ban a card.")
@repeatable("--restrict", metavar="CARD", shell_complete=cards, help="Allow one copy of a card.")
@repeatable("--free", metavar="CARD", shell_complete=cards, help="Take a card off the list.")
@click.option(
    "--from-text",
    "card_file",
    metavar="FILE",
    help="A file with a card in each line: `Card` bans it, `1 Card` restricts it.",
)
@click.option("--source", metavar="TEXT", help="The place where the list is published.")
@click.option("--output", "-o", metavar="FILE", help="The file to write. Default: `DAY.toml` in this folder.")
def new(
    session: Session,
    name: str,
    *,
    day: date | None,
    ban: Sequence[str],
    restrict: Sequence[str],
    free: Sequence[str],
    card_file: str | None,
    source: str | None,
    output: str | None,
) -> None:
    """Write a new ban list to a file: the whole list in force, with the changes that you name.

    The command does not install the new list. Look at the file, then import it.

    Examples:
      tourney banlist new red-diamond/standard --from 2026-12-01 --ban "Invented Comet"
      tourney banlist new red-diamond/standard --from 2026-12-01 --from-text pasted.txt
    """
    from tourney.store.banlists import BanListDraft

    first_day = day or session.now().date()
    changes = {**dict.fromkeys(ban, 0), **dict.fromkeys(restrict, 1)}
    text = session.read_text(card_file) if card_file else ""
    draft = BanListDraft(
        name,
        first_day,
        changes=changes,
        free=free,
        card_lines=text,
        pasted_from=source_of(card_file or ""),
        source=source or "",
    )
    target = output or f"{first_day.isoformat()}.toml"
    session.write_draft(
        target,
        draft.text(session.library()),
        description=f"a draft of {name}, in force from {first_day}",
        hint="name another file with `--output`",
        next_command=f"tourney banlist import {Path(target)} --as {name} --from {first_day}",
    )


@cli.command("import")
@click.argument("file", type=click.Path(allow_dash=True))
@_as
@_from
@flag("--accept", help="Install the list even if it is empty, shrinks a lot or has unknown names.")
def import_(session: Session, file: str, *, name: str | None, day: date | None, accept: bool) -> None:
    """Install a ban list in the data folder, in force from a day.

    Without --accept, the list is refused if it is empty, shrinks by more than a third, names cards that a
    complete pool does not have, or is older than the newest installed list.

    Examples:
      tourney banlist import 2026-12-01.toml --as red-diamond/standard
      tourney banlist import list.toml --as red-diamond/standard --from 2026-12-01
    """
    from tourney.store.banlists import ImportedBanList, install_banlist, list_and_day

    library = session.library()
    name, day = list_and_day(library, file, name, day)
    installed_list = install_banlist(
        library, name, day, session.read_text(file), source=source_of(file), accept=accept
    )
    with session.answering(_installation_text(installed_list)):
        session.emit(ImportedBanList.of(installed_list))
        _show_installed(session, installed_list)


@cli.command("fetch")
@click.argument("url", metavar="URL")
@_as
@_from
@fetch_options
def fetch(
    session: Session, url: str, *, name: str | None, day: date | None, accept: bool, insecure: bool
) -> None:
    """Fetch a ban list and install it as `import` does.

    The list is downloaded only if it has changed, and checked before it replaces the installed list. If the
    server does not answer, the installed copy is used, and the command shows its age.

    Examples:
      tourney banlist fetch https://lists.example.org/banlists/red-diamond/standard/2026-12-01.toml
      tourney banlist fetch https://lists.example.org/current.toml --as red-diamond/standard --from 2026-12-01
    """
    from tourney.store.fetching import FetchedBanList

    outcome = session.fetcher(accept=accept, insecure=insecure).banlist(url, name, day)
    installed_list = outcome.installed
    with session.answering(_installation_text(installed_list) if installed_list else ""):
        session.emit(FetchedBanList.of(outcome))
        if installed_list:
            _show_installed(session, installed_list)
        else:
            session.show_unchanged(outcome, f"{outcome.name} of {outcome.day}")


def _installation_text(installed_list: InstalledList) -> str:
    banlist = installed_list.banlist
    return f"{installed_list.name} of {banlist.day} is installed (SHA-256 {banlist.digest})"


def _show_installed(session: Session, installed_list: InstalledList) -> None:
    banlist = installed_list.banlist
    if installed_list.already:
        session.say_change(
            f"{installed_list.name} of {banlist.day} is already installed (SHA-256 {banlist.digest})"
        )
        return
    for sentence in installed_list.overruled:
        session.warn(f"accepted anyway: {sentence}")
    summary = counted(entries(banlist), "entry", "entries")
    session.say_change(
        f"{installed_list.name}: in force from {banlist.day}, {summary} (SHA-256 {banlist.digest})"
    )
    for change in installed_list.changes if installed_list.before else ():
        session.say(f"  {change.words}")
    session.talk(
        f"{display_path(installed_list.path)}; `tourney banlist show {installed_list.name}@{banlist.day}`"
    )
