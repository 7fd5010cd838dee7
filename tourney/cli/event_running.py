"""`tourney event new`, `change`, `show`, `close` and others: manage a single event."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from textwrap import indent
from typing import Any, cast

import click
from msgspec import structs

import tourney.desk as desks
from tourney.cli.command import change_command, command
from tourney.cli.options import (
    F,
    at_entry,
    banlist_option,
    choice,
    file_option,
    flag,
    format_option,
    parse_apart,
    parse_settings,
    players,
    positive,
    profile_option,
    reason,
    repeatable,
    together,
)
from tourney.cli.output import table_text
from tourney.cli.session import Dice, Session, source_of
from tourney.desk import Desk, Receipt
from tourney.desk.documents import LogDocument
from tourney.desk.open_event import LogLine
from tourney.desk.receipts import next_steps, status_text
from tourney.document import or_unset
from tourney.errors import TourneyError
from tourney.event.documents import EventSummary, Prizes
from tourney.event.event_document import event_document
from tourney.event.phrases import banlist_text, sides_text
from tourney.event.settings import ROUND_ONE, Settings, UnknownSettingError, help_texts
from tourney.event.state import State
from tourney.event.view import FinalView, PrizeList, money_text
from tourney.spreadsheet import format_csv
from tourney.store.places import new_place
from tourney.wording import as_of, counted, listed

# -- tourney event new, change, rebase: an event and its rules


def _setting_options(function: F) -> F:
    """Add the options for settings to a command. It gets them as `settings`: setting → value."""

    @wraps(function)
    def call(
        *args: Any, rounds: str | None, keep_apart: tuple[str, ...], more: tuple[str, ...], **options: Any
    ) -> Any:
        option_values = {key: options.pop(key) for key in ("best_of", "goal", "minutes", "beacon")}
        values = parse_settings([*more, *([f"rounds={rounds}"] if rounds is not None else [])])
        values |= {key: value for key, value in option_values.items() if value is not None}
        if "beacon" in values and str(values["beacon"]).casefold() == "none":
            values["beacon"] = ""
        if isinstance(word := values.get("keep_apart"), str):
            keep_apart = (word, *keep_apart)
        if keep_apart:
            values["keep_apart"] = parse_apart(keep_apart)
        return function(*args, settings=values, **options)

    return cast("F", _named_settings(call))


_named_settings = together(
    click.option("--rounds", metavar="N|none", help="The number of Swiss rounds planned; none: open-ended."),
    click.option(
        "--best-of",
        type=int,
        help="The maximum number of games in a match: 1, 3, 5 …; an even number is played out.",
    ),
    click.option("--goal", type=int, help="Victory points to reach, if the game has them."),
    click.option("--minutes", type=int, help="Minutes in a round; 0: no limit."),
    click.option(
        "--beacon",
        metavar="SOURCE|none",
        help="A future public value, such as a lottery draw or a round of drand, "
        "that becomes part of every seed.",
    ),
    repeatable(
        "--keep-apart",
        metavar="KIND[:ROUNDS]",
        help="Keep players with the same tag apart, unless that would pair players further apart in points; "
        "for a hard rule use `round forbid`.",
    ),
    repeatable("--set", "more", metavar="KEY=VALUE", help="Any other setting; see below."),
)


@contextmanager
def _hint_at_option() -> Iterator[None]:
    """Add a hint to the error if `--set` names an option of the command.

    An example is `--set profile=mtr`, which should be `--profile mtr`.
    """
    try:
        yield
    except UnknownSettingError as error:
        option = f"--{error.key.replace('_', '-').casefold()}"
        options = {
            name for parameter in click.get_current_context().command.params for name in parameter.opts
        }
        # An unknown `goal` is a choice that the format does not have; `--goal` would fail, too.
        if option in options and option != "--goal":
            raise TourneyError(error.message, f"use the option `{option}`") from None
        raise


_OWN_OPTIONS = {"rounds", "best_of", "minutes", "beacon", "keep_apart", "choices"}
"""Settings that the help of `--set` leaves out: those with their own option, and `choices`.

`--set` takes each choice of the format by its own name.
"""

_SETTINGS = {
    **help_texts(without=_OWN_OPTIONS),
    "Choices of the format (--set)": {"…": "Such as goal; `tourney format show` lists them."},
}


@command("new", writes_entries=True, notes=_SETTINGS)
@click.argument("name")
@format_option("The format; `tourney format list` shows them.")
@banlist_option("A ban list instead of the format's, or `none`.")
@profile_option("Points and tie-breaks; `tourney standings profiles` shows them.")
@click.option("--on", metavar="DAY", help="The day (YYYY-MM-DD) whose ban list applies. Default: today.")
@flag("--sealed", help="Publish the hash of the pairing secret now, and the secret at `event close`.")
@click.option(
    "--seed",
    metavar="TEXT",
    help="Derive the secret from TEXT. The pairings can be repeated, "
    "and anyone who knows TEXT can foresee them.",
)
@file_option
@_setting_options
def new(
    session: Session, *, name: str, format_name: str | None, seed: str | None, file: str | None, **rules: Any
) -> None:
    """Make an event: one file in this folder, or an event in a database (`-e pg:friday`).

    Examples:
      tourney event new "Friday Diamonds" --format red-diamond/standard --rounds 5
      tourney event new "League day 3" --format redline/standard --banlist none --keep-apart club:2
      tourney event new Open --format dimrift/classic --profile mtr --set first_round=fold --sealed
      tourney event new Cup --format redline/standard --sealed --beacon "drand quicknet, round 14412000"
    """
    if format_name is None:
        names = ", ".join(f"`{format_}`" for format_ in session.library().formats())
        raise TourneyError(
            "the format of the event is missing", f"add `--format NAME`; the formats are {names}"
        )
    place, workplace = new_place(file, name), session.workplace(Dice(seed) if seed else None)
    with (
        _hint_at_option(),
        Desk.create(place, workplace, name=name, format_name=format_name, **rules) as desk,
    ):
        assert desk.last is not None, "a creation has a receipt"
        session.answer(desk.last, file=str(desk.place))
    if file is None:
        session.warn_of_another(place)


@command("change", changes=True, notes=_SETTINGS)
@click.option("--name", help="A new name. The file is not renamed.")
@profile_option("The standings profile.")
@_setting_options
@reason
def change(session: Session, **changes: Any) -> None:
    """Change the event's name, its standings profile or its settings.

    Examples:
      tourney event change --rounds 6
      tourney event change --profile mtr --reason "as announced"
    """
    if not any(changes[key] for key in ("name", "profile", "settings")):
        raise click.UsageError("say what to change, with --name, --profile, --rounds or another option")
    with session.desk() as desk, _hint_at_option():
        session.answer(desk.change(**changes))


@change_command("rebase")
@click.option(
    "--on", metavar="DAY", help="The day (YYYY-MM-DD) whose ban list applies. Default: the event's."
)
@reason
def rebase(desk: Desk, on: str | None, reason: str | None) -> Receipt:
    """Adopt the current format, ban list and profile.

    Without this command, the event keeps the format, ban list and profile with which it was made.

    Examples:
      tourney event rebase
      tourney event rebase --on 2026-12-01
    """
    return desk.rebase(on=on, reason=reason)


# -- tourney event beacon, undo, redo, cut, seed, close, reopen


@change_command("beacon")
@click.argument("value", nargs=-1, required=True)
def beacon(desk: Desk, value: tuple[str, ...]) -> Receipt:
    """Enter the public random value that `event new --beacon` announced, once it is published.

    An example is the result of a lottery draw after registration closes. The value becomes part of every
    seed, so that even the organizer cannot choose the pairings by choosing the event's secret. It is entered
    once, and cannot be undone after a round was paired with it.

    Examples:
      tourney event beacon 3 14 15 27 38 44
      tourney event beacon 8a9f21c0
    """
    return desk.enter_beacon(" ".join(value))


@change_command("undo", seats=True)
@click.argument("entry", type=click.IntRange(min=1), required=False)
@reason
def undo(desk: Desk, entry: int | None, reason: str | None) -> Receipt:
    """Undo your own last entry, or another one. It stays in the log.

    An entry on which later entries depend cannot be undone; the command names them.

    Examples:
      tourney event undo
      tourney event undo 57 --reason "wrong slip"
    """
    return desk.undo(entry, reason=reason)


@change_command("redo", seats=True)
@click.argument("entry", type=click.IntRange(min=1), required=False)
@reason
def redo(desk: Desk, entry: int | None, reason: str | None) -> Receipt:
    """Undo your own last undo, or the undo of an entry.

    Examples:
      tourney event redo
      tourney event redo 57
    """
    return desk.redo(entry, reason=reason)


@change_command("cut")
@click.argument("size", type=click.IntRange(min=2))
@choice("--kind", ["single", "double"], help="Single or double elimination.")
@flag("--reseed", help="In each round, pair the best seed left with the worst seed left.")
@flag("--third-place", help="The losing semifinalists play for third place.")
@choice(
    "--vacancy",
    ["opponent", "highest-seed"],
    help="The player who gets the bye if a player of the cut drops out.",
)
@flag("--lot", help="Decide by lot, from the event's seed, between players who are level on all tie-breaks.")
@positive("--seats", type=click.IntRange(min=2), help="Players at a table. Default: the event's number.")
@positive("--advance", help="How many advance from a table of three or more. Default: the event's number.")
def cut(desk: Desk, size: int, **options: Any) -> Receipt:
    """Make the bracket of the best SIZE players still in the event; `round next` pairs it.

    At tables of three and more, SIZE must fill the tables of every round: 3, 9 or 27 if one of three
    advances. Seeds are dealt in a snake: 1, 2, 3 to tables 1, 2, 3, then 4, 5, 6 to tables 3, 2, 1. The seat
    of a player who leaves stays empty.

    Examples:
      tourney event cut 4
      tourney event cut 8 --reseed --third-place
      tourney event cut 9 --seats 3
    """
    return desk.cut(size, **options)


@command("seed", changes=True)
@click.argument("player_names", metavar="[PLAYER]...", nargs=-1, shell_complete=players)
@click.option(
    "--from", "source", metavar="FILE", help="A file of players in seed order, one per line; `-`: stdin."
)
def seed(session: Session, player_names: tuple[str, ...], source: str | None) -> None:
    """Seed a bracket by hand.

    The command needs an event made with `--set system=elimination --set seeding=hand`. Name all players
    who are still in the event, the first seed first. Until round 1 is paired, you can seed again.

    Examples:
      tourney event seed Mira Tomo Ansel Bryn
      tourney event seed --from seeds.txt
    """
    if bool(player_names) == (source is not None):
        raise click.UsageError("name the players, or a file of them with --from")
    lines = session.read_text(source).splitlines() if source else player_names
    with session.desk() as desk:
        session.answer(desk.seed(*(line.strip() for line in lines if line.strip())))


@change_command("close")
def close(desk: Desk) -> Receipt:
    """End the event. The secret of a sealed event is revealed.

    Examples:
      tourney event close
    """
    return desk.close()


@change_command("reopen")
@reason
def reopen(desk: Desk, reason: str | None) -> Receipt:
    """Reopen a closed event.

    Examples:
      tourney event reopen --reason "a late appeal"
    """
    return desk.reopen(reason=reason)


# -- tourney event show and log


@command("show", event=True)
@at_entry
def show(session: Session, at: int | None) -> None:
    """Show the state of the event: rules, players, round, places in the bracket, next steps.

    Examples:
      tourney event show
      tourney event show --json
      tourney event show --at 57
    """
    with session.look(at) as desk:
        state = desk.state
        if session.json:
            session.emit(event_document(state, at))
            return
        decks = ((view.name.lower(), view.entered) for view in desks.shared_deck_views(desk))
        lines = [*_rules(state), *decks, *_progress(desk)]
    lines.append(("journal", f"{counted(state.entry, 'entry', 'entries')}, {state.digest}"))
    session.say(state.name + as_of(at))
    session.say(indent(table_text([], lines), "  "))
    for step in next_steps(state) if at is None else ():
        session.talk(step.sentence)


def _rules(state: State) -> Iterator[tuple[str, str]]:
    """Yield the rules of the event as names and texts: format, system, settings, seal."""
    settings = state.settings
    yield "format", f"{state.format}, on {state.on} (ban list: {banlist_text(state)})"
    yield "profile", state.profile
    yield "system", f"{_system(settings)}, best of {settings.match.best_of}"
    if settings.match.sides:
        yield "sides", sides_text(settings.match)
    for key, value in settings.match.choices.items():
        yield re.sub("[-_]", " ", key), {"True": "yes", "False": "no"}.get(str(value), str(value))
    yield from (("day", line) for line in settings.pages.day)
    yield from _unusual_settings(settings)
    if settings.pairing.beacon:
        yield (
            "beacon",
            f"{settings.pairing.beacon}: {state.beacon.value if state.beacon else 'not entered yet'}",
        )
    if source := state.imported:
        yield (
            "imported",
            f"as {source.form}, entries {source.first} to {source.last}; its rounds are not proved",
        )
    if state.sealed:
        yield "seed", "sealed" if state.revealed is None else f"revealed: {state.revealed}"


def _system(settings: Settings) -> str:
    """Return the pairing system, with its number of rounds, or with the seeding of a bracket."""
    if settings.pairing.system != "elimination":
        rounds = (
            "open-ended" if settings.pairing.rounds is None else counted(settings.pairing.rounds, "round")
        )
        return f"{settings.pairing.system}, {rounds}"
    third = ", third-place match" if settings.cut.third_place else ""
    kind = "double" if settings.pairing.double else "single"
    return f"{kind} elimination, seeded by {settings.cut.seeding}{third}"


def _unusual_settings(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield the settings that differ from the defaults, with their names."""
    if lock := settings.decks.deck_lock:
        yield "deck lock", "when round 1 is paired" if lock == ROUND_ONE else lock.replace("T", " ")
    if opening := _OPENINGS.get(settings.decks.decklists):
        yield "decklists", opening
    if settings.cut.planned_cut:
        yield "cut", f"top {settings.cut.planned_cut} planned"
    if needs_shown := _NEEDS_SHOWN.get(settings.phones.forecast):
        yield "needs for the cut", needs_shown
    if no_shows := _NO_SHOWS.get(settings.pairing.no_show):
        yield "no-shows", no_shows
    if settings.pages.publish_to:
        yield "published to", settings.pages.publish_to
    if settings.pages.post_to:
        yield "posted to", listed(settings.pages.post_to)


_OPENINGS = {
    "cut": "of the cut are open once the cut is made",
    "end": "open once the event is over",
    "all": "open from round 1",
}


_NEEDS_SHOWN = {"own": "shown to players on their phones", "all": "on a public page"}


_NO_SHOWS = {"drop": "dropped by the next pairing", "keep": "paired again"}


def _progress(desk: Desk) -> Iterator[tuple[str, str]]:
    """Yield the number of players, the status, and the top places that the bracket has decided."""
    state = desk.state
    departed_count = len(state.players) - len(state.playing)
    missing_lists = sum(1 for player in state.playing if not player.deck and not player.waived)
    departed_text = f", {departed_count} left" if departed_count else ""
    lists = f"; {missing_lists} without a decklist" if missing_lists and state.settings.decks.lists else ""
    yield "players", f"{len(state.playing)} playing{departed_text}{lists}"
    yield "status", status_text(state)
    ranking = _bracket_places(desk)
    for row in ranking.rows if ranking else ():
        has_place = row.first is not None and row.bracket not in ("", "still in")
        if has_place and (row.last or 0) <= _FIRST_PLACES:
            yield f"place {row.place}", f"{row.name} ({row.bracket})"


_FIRST_PLACES = 4
"""The number of places of the bracket that are shown."""


def _bracket_places(desk: Desk) -> FinalView | None:
    """Return every player's place, by the bracket and then by the standings.

    Returns None without a bracket, before the bracket begins, and if it cannot continue.
    """
    from tourney.desk.views import bracket_places

    try:
        return bracket_places(desk)
    except TourneyError:
        return None


@command("log", event=True)
@positive("--last", help="Only the newest N entries.")
def log(session: Session, last: int | None) -> None:
    """Show the entries of the event, one per line, with time, author, change and reason.

    Examples:
      tourney event log
      tourney event log --last 10
      tourney event log --json
    """
    with session.desk() as desk:
        lines = desk.log()
    shown_lines = lines[-last:] if last else lines
    session.emit(LogDocument(entries=tuple(shown_lines)))
    session.table(
        ["entry", "when", "who", "what"], [row for line in shown_lines for row in _log_rows(line)], right=(0,)
    )


def _log_rows(line: LogLine) -> Iterator[tuple[object, ...]]:
    """Yield the rows that show an entry of the log in a table.

    The first row has the entry's number, time, author and first line. Each further line of the entry, such as
    the result of another table, gets its own row.
    """
    undo_note = f" [undone by entry {line.undone}]" if line.undone else ""
    first, *more = line.lines
    yield (line.entry, line.minute, line.by, first + undo_note)
    yield from (("", "", "", text + undo_note) for text in more)


# -- tourney event prizes and summary


_so_far_option = flag("--so-far", help="Show prizes before the places are final; uncertain places stay open.")


@command("prizes", event=True)
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "csv"]),
    default="text",
    help="The output form.",
)
@_so_far_option
@at_entry
def prizes(session: Session, file: str, form: str, *, so_far: bool, at: int | None) -> None:
    """Show the prizes by place, from a file of prizes. Nothing is written into the event.

    Every cent is paid: a remainder that cannot be divided goes to the higher places, and a note says so.

    Examples:
      tourney event prizes prizes.toml
      tourney event prizes prizes.toml --format markdown
      tourney event prizes prizes.toml --so-far

    The file of prizes:
      currency = "EUR"         The currency of the amounts.
      ties = "share"           Players who share places share their prizes. With "tie-break", players of the
                               bracket get one place each, by their seeds.
      [[prize]]                One section for each place or range. A place in several sections gets all their
                               prizes.
      places = "5-8"           A range, or one place.
      cash = 25                For each of these places, in whole cents: 25, 12.50. `total = 50` is for all of
                               them together.
      product = "2 boosters"   A prize in words.
      byes = 2                 Byes at the next event.
      division = "Juniors"     For the places in a division (a tag of players), in addition to the others.
    """
    from tourney.desk import views

    text = session.read_text(file)
    with session.look(at) as desk:
        prize_list = views.prizes(desk, text, source=source_of(file), so_far=so_far)
    session.emit(Prizes(**structs.asdict(prize_list), at=or_unset(at)))
    if form == "markdown":
        from tourney.publish.markdown import prizes as markdown

        session.say(("" if at is None else f"As of entry {at}.\n\n") + markdown(prize_list))
    elif form == "csv":
        session.say(_prizes_csv(prize_list, at))
    else:
        _print_prizes(session, prize_list, at)
    session.talk(f"{prize_list.as_of}{as_of(at)}: {prize_list.total} in all")
    for note in prize_list.notes if form != "markdown" else ():
        session.talk(note)


def _prizes_csv(prize_list: PrizeList, at: int | None) -> str:
    header = ["place", "player", "cash", "product", "byes", "as of"]
    rows = [
        [
            row.places,
            row.player,
            money_text(row.cents) if row.cents else "",
            row.product,
            row.byes or "",
            prize_list.as_of + as_of(at),
        ]
        for row in prize_list.prizes
    ]
    if any(row.division for row in prize_list.prizes):
        header.append("division")
        rows = [[*cells, row.division or ""] for cells, row in zip(rows, prize_list.prizes, strict=True)]
    return format_csv(header, rows).rstrip("\n")


def _print_prizes(session: Session, prize_list: PrizeList, at: int | None) -> None:
    if prize_list.open or at is not None:
        provisional = f"Provisional: {prize_list.open}" if prize_list.open else prize_list.as_of
        session.say(f"{provisional}{as_of(at)}\n")
    header, rows = prize_list.table
    right = [place for place, name in enumerate(header) if name not in ("player", "product")]
    session.table(header, rows, right=right)


@command("summary", event=True)
@positive("--top", default=8, show_default=True, help="The number of places to list.")
@click.option(
    "--prizes", "file", metavar="FILE", type=click.Path(allow_dash=True), help="A file as for `event prizes`."
)
@_so_far_option
@at_entry
def summary(session: Session, *, top: int, file: str | None, so_far: bool, at: int | None) -> None:
    """Write a summary of the event in Markdown: rules, players, places, bracket, prizes, proofs.

    Examples:
      tourney event summary
      tourney event summary --top 16 --prizes prizes.toml > friday.md
    """
    from tourney.desk import views

    if so_far and not file:
        raise click.UsageError("--so-far needs --prizes")
    text = session.read_text(file) if file else None
    with session.look(at) as desk:
        prize_list = None
        if file and text is not None:
            prize_list = views.prizes(desk, text, source=source_of(file), so_far=so_far, for_all=True)
        page, final = views.summary(desk, top=top, prize_list=prize_list)
        state = desk.state
    session.emit(
        EventSummary(
            entry=state.entry,
            digest=state.digest,
            final=final.finished,
            markdown=page,
            prizes=or_unset(prize_list),
        )
    )
    session.say(page.rstrip("\n"))
