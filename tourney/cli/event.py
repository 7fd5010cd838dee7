"""`tourney event`: start one, look at it, take things back, close it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import noun
from tourney.cli.options import (
    apart,
    at_entry,
    banlists,
    formats,
    parts,
    players,
    profiles,
    reason,
    settings,
)
from tourney.cli.output import Exit, already_written, say_findings, table_text
from tourney.cli.publish import answer_seated
from tourney.cli.session import Dice, Session, answer, answering, source_of
from tourney.decode import MOST_PLAYERS, MOST_ROUNDS
from tourney.errors import Finding, Severity, TourneyError
from tourney.event.ops import ROUND_ONE
from tourney.event.phrases import sides_text
from tourney.record import Outcome, PlayerId, Result
from tourney.wording import as_of, counted, listed, listed_short

if TYPE_CHECKING:
    from tourney.desk import Desk
    from tourney.desk.desk import LogLine
    from tourney.desk.takeover import Takeover
    from tourney.event.prizes import Awards
    from tourney.event.state import State
    from tourney.event.view import FinalView, SharedDeckView
    from tourney.pairing.generate import Guest, Invented
    from tourney.store.salvage import Salvaged


cli = noun("event")


# -- tourney event new, change, rebase: starting an event, and its own rules


_OPTIONS: list[Callable[[Any], Any]] = [
    click.option("--rounds", metavar="N|none", help="Planned Swiss rounds; none: open-ended."),
    click.option("--best-of", type=int, help="Games a match can have: 1, 3, 5 …"),
    click.option("--goal", type=int, help="Victory points to reach, where the game has them."),
    click.option("--minutes", type=int, help="Minutes in a round; 0: no limit."),
    click.option(
        "--beacon",
        metavar="SOURCE|none",
        help="A public value to come (a lottery's draw, drand's round) that every seed waits for.",
    ),
    click.option(
        "--keep-apart", multiple=True, metavar="KIND[:ROUNDS]", help="Keep those with the same tag apart."
    ),
    click.option("--set", "more", multiple=True, metavar="KEY=VALUE", help="Any other setting; see below."),
]


SETTINGS = {
    "Settings for --set": {
        "system": "swiss, round-robin, pods, elimination, dutch or manual.",
        "seats": "Players at a table: [3], or all sizes that will do, the best first: [4, 5, 3].",
        "cut_seats": "Players at a table of the cut, or of an elimination: one of `seats`; 0: the first of them.",
        "cut_advance": "How many go on from each table of the cut, where it has three seats and more; 1 unless the format has more.",
        "sides": 'Names of unequal sides in seat order: ["red", "blue"].',
        "draws": "false where a match cannot end without a winner.",
        "first_round": "random, fold or slide (the latter two by rating).",
        "last_round": "swiss or rank.",
        "late": "What a late player has for rounds missed: absent, bye, half-bye.",
        "awarded_bye_counts, half_bye_counts": "Whether such a bye counts as an earlier one when the odd bye is given.",
        "no_show_meets": "Whether a table where somebody did not show counts as a meeting.",
        "double": "Round robin: everybody twice; elimination: out after the second loss.",
        "seeding": "Elimination: by rating, registration, lot, or hand (then `event seed`).",
        "public_names": "How pages call players: `full`, or `short` (`Anna S.`); who is under age is always shortened.",
        "decklists": "Whose lists pages show: closed, cut (who is in it, once it is made), end (all, once over) or all (from round 1).",
        "third_place": "Elimination: the losers of the semifinals play for the third place.",
        "left_early": "Round robin: games of whoever left before half of them: void (FIDE's rule, in new ones) or counts.",
        "first_table": "The number of the first table.",
        "no_show": "Whoever did not show in the last round: tell, drop (by the next pairing or the cut) or keep.",
        "deck_lock": "From when decks are taken at your word only: round-1, 19:30 (today) or a whole time; none.",
        "publish_to": "The folder that `round next` publishes to, as seen from the event's file; none.",
        "post_to": "Where `round next` posts to: names that `tourney publish --remember NAME -` keeps addresses under; none.",
        "address": "Where those pages are seen, https://…: slips and badges have its code then; none.",
        "slips": "false where result slips are not to be published.",
        "lists": "false where players hand in no decklists.",
        "day": 'What players should know of the day, on the pages: ["doors at 18:00", "5 euros to enter"].',
        "penalties": "The list judges give penalties by; `tourney penalty rules` shows it.",
        "…": "Choices of the format, such as goal; `tourney format show` lists them.",
    }
}


def _setting_options(function: Any) -> Any:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@cli.command(
    "new",
    signed=True,
    examples=[
        'tourney event new "Friday Diamonds" --format red-diamond/standard --rounds 5',
        'tourney event new "League day 3" --format redline/standard --banlist none --keep-apart club:2',
        "tourney event new Open --format dimrift/classic --profile mtr --set first_round=fold --sealed",
        'tourney event new Cup --format redline/standard --sealed --beacon "drand quicknet, round 14412000"',
    ],
    notes=SETTINGS,
)
@click.argument("name")
@click.option(
    "--format",
    "format_name",
    metavar="NAME|FILE",
    shell_complete=formats,
    help="The format; `tourney format list`.",
)
@click.option(
    "--banlist",
    metavar="NAME|FILE|none",
    shell_complete=banlists,
    help="Another ban list than the format's, or none.",
)
@click.option(
    "--profile",
    metavar="NAME|FILE",
    shell_complete=profiles,
    help="Points and tie-breaks; `tourney standings profiles`.",
)
@click.option(
    "--on", metavar="DAY", help="The day (YYYY-MM-DD) for which the ban list is picked; else today."
)
@click.option(
    "--sealed", is_flag=True, help="Publish the hash of the pairing secret now, the secret at `event close`."
)
@click.option(
    "--seed",
    metavar="TEXT",
    help="Draw the secret from TEXT: the same pairings again, and no secret any more.",
)
@click.option("--file", "file", metavar="FILE", help="The event's file; by default named after the event.")
@_setting_options
def new(
    session: Session,
    *,
    name: str,
    format_name: str | None,
    banlist: str | None,
    profile: str | None,
    on: str | None,
    sealed: bool,
    seed: str | None,
    file: str | None,
    **given: Any,
) -> None:
    """Start an event: one file, here, that holds everything of it."""
    from tourney.desk import Desk

    library = session.library()
    if format_name is None:
        names = ", ".join(f"`{each}`" for each in library.formats())
        raise TourneyError("which format is it?", f"--format NAME; there are {names}")
    desk = Desk.create(
        Path(file) if file else file_name(name),
        name=name,
        format_name=format_name,
        by=session.by,
        clock=session.now,
        randomness=Dice(seed) if seed else session.entropy,
        library=lambda: library,
        profile=profile,
        banlist=banlist,
        on=on,
        sealed=sealed,
        **_settings(given),
    )
    with desk:
        assert desk.last is not None, "a creation has a receipt"
        answer(session, desk.last, file=str(desk.path))


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """Gather the settings that were named, the plain options and those of --set."""
    values = settings(given["more"])
    if given["rounds"] is not None:
        values |= settings([f"rounds={given['rounds']}"])
    values |= {key: given[key] for key in ("best_of", "goal", "minutes") if given[key] is not None}
    if given["beacon"] is not None:
        values["beacon"] = "" if given["beacon"].casefold() == "none" else given["beacon"]
    if given["keep_apart"]:
        values["keep_apart"] = apart(given["keep_apart"])
    return values


def file_name(name: str) -> Path:
    """Return a file name for an event's name.

    >>> file_name("Friday  Diamonds, März").name
    'friday-diamonds-märz.tourney'
    """
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", name).casefold())
    if not words:
        raise TourneyError(f"no file can be named after `{name}`", "name it: `--file friday.tourney`")
    return Path("-".join(words)[:80] + ".tourney")


@cli.command(
    "change",
    event=True,
    dry_run=True,
    examples=[
        "tourney event change --rounds 6",
        'tourney event change --profile mtr --reason "as announced"',
    ],
    notes=SETTINGS,
)
@click.option("--name", help="Another name; the file keeps its own.")
@click.option("--profile", metavar="NAME|FILE", shell_complete=profiles, help="Another standings profile.")
@_setting_options
@reason
def change(session: Session, name: str | None, profile: str | None, reason: str | None, **given: Any) -> None:
    """Change the event's name, its standings profile or its settings."""
    changes = _settings(given)
    if not (changes or name or profile):
        raise click.UsageError("say what to change: --name, --profile, --rounds …")
    with session.desk() as desk:
        answer(session, desk.change(name=name, profile=profile, reason=reason, **changes))


@cli.command(
    "rebase",
    event=True,
    dry_run=True,
    examples=["tourney event rebase", "tourney event rebase --on 2026-12-01"],
)
@click.option(
    "--on", metavar="DAY", help="The day (YYYY-MM-DD) for which the ban list is picked; else the event's."
)
@reason
def rebase(session: Session, on: str | None, reason: str | None) -> None:
    """Adopt format, ban list and profile as they are now; till then the event keeps those it began with."""
    with session.desk() as desk:
        answer(session, desk.rebase(on=on, reason=reason))


# -- tourney event deck: what everybody plays with


@cli.command(
    "deck",
    event=True,
    dry_run=True,
    examples=[
        "tourney event deck missions missions.txt",
        "tourney event deck missions missions.txt --trust-declared",
        "tourney event deck missions",
        "tourney event deck",
    ],
)
@click.argument("part", required=False, shell_complete=parts)
@click.argument("file", type=click.Path(allow_dash=True), required=False)
@click.option(
    "--trust-declared",
    is_flag=True,
    help="Believe the facts that the list declares where the pool knows nothing; the log says so.",
)
@click.option(
    "--anyway",
    is_flag=True,
    help="Register it though it is illegal, or decks are locked (the organizer's word).",
)
def deck(
    session: Session, part: str | None, file: str | None, *, trust_declared: bool, anyway: bool
) -> Exit | None:
    """Check a list that everybody plays with, such as the organizer's mission deck, and register it with the event.

    Which parts of a deck can be everybody's says the format, and whether they are, the organizer's choices. Without a
    file, print the list that is registered; without a part, say what there is and what is missing. An illegal list is not
    registered (1); one that cannot be settled is, and the command leaves with 4.
    """
    if part is None:
        _shared(session)
        return None
    if file is None:
        _print_shared(session, part)
        return None
    data = session.read(file)
    with session.desk() as desk:
        receipt = desk.share_deck(
            part, data, source=source_of(file), trust_declared=trust_declared, anyway=anyway
        )
    from tourney.cli.player import tell_deck

    with answering(session, receipt) if receipt.entries else nullcontext():
        tell_deck(session, receipt)
    return {"illegal": None if receipt.entries else Exit.FOUND, "unverified": Exit.UNVERIFIED}.get(
        receipt.verdict
    )


def _shared(session: Session) -> None:
    from tourney.desk.shared_decks import doubts, views

    with session.desk() as desk:
        shown, round_ = views(desk), desk.state.round
        tables = [(each.number, each.seats) for each in round_.tables.values()] if round_ else []
        missing = list(doubts(desk, tables))
    if session.json:
        session.emit("event-decks/1", {"decks": shown, "missing": missing})
        return
    if not shown and not missing:
        session.say("Nobody shares a deck in this event")
    elif shown:
        session.table((), [(view.name, _said(view)) for view in shown])
    for each in missing:
        session.talk(f"note: {each}")


def _print_shared(session: Session, typed: str) -> None:
    from tourney.desk.shared_decks import part_named, text_of

    with session.desk() as desk:
        part = part_named(desk, typed)
        text = text_of(desk, part)
    if session.json:
        session.emit("event-deck/1", {"part": part.id, "name": part.name or part.id, "text": text})
    else:
        session.say(text.rstrip("\n"))


# -- tourney event show and log: where the event stands, and its story


@cli.command(
    "show",
    event=True,
    examples=["tourney event show", "tourney event show --json", "tourney event show --at 57"],
)
@at_entry
def show(session: Session, at: int | None) -> None:
    """Say where the event stands: rules, players, round, places in the bracket, what is next."""
    with session.look(at) as desk:
        state, digest, plain = desk.state, desk.state_digest(), desk.show()
        ranking = None if session.json else _bracket_places(desk)
        shared = () if session.json else _shared_decks(desk)
    if session.json:
        named = {} if at is None else {"at": at}
        session.emit(
            "event/1",
            {**plain, "entry": state.entry, "digest": state.digest, "state_digest": digest, **named},
        )
        return
    from tourney.event.view import next_steps, status_text

    session.say(state.name + as_of(at))
    lines = [*_rules(state), *shared, *_people(state), ("status", status_text(state)), *_places(ranking)]
    lines += [
        ("journal", f"{counted(state.entry, 'entry', 'entries')}, {state.digest}"),
        ("state", digest),
    ]
    session.say(indent(table_text([], lines), "  "))
    for sentence in next_steps(state) if at is None else ():
        session.talk(sentence)


def _shared_decks(desk: Desk) -> list[tuple[str, str]]:
    from tourney.desk.shared_decks import views

    return [(view.name.lower(), _said(view)) for view in views(desk)]


def _said(view: SharedDeckView) -> str:
    return f"{view.said} (entry {view.entry})" if view.entry else view.said


def _bracket_places(desk: Desk) -> FinalView | None:
    """Return the places of the bracket; none where it cannot go on: `next_steps` says what is wrong."""
    from tourney.desk.views import bracket_places

    try:
        return bracket_places(desk)
    except TourneyError:
        return None


def _places(ranking: FinalView | None) -> list[tuple[str, str]]:
    """Return the first places of the bracket, as far as they are known."""
    known = (
        [row for row in ranking.rows if row.first is not None and row.came != "still in"] if ranking else []
    )
    first = [row for row in known if row.came and (row.last or 0) <= FIRST_PLACES]
    return [(f"place {row.place}", f"{row.name} ({row.came})") for row in first]


FIRST_PLACES = 4
"""How many places of the bracket are named where the event is shown."""


def _rules(state: State) -> list[tuple[str, str]]:
    lists = [kept for kept in state.rules if kept.kind == "banlist"]
    banlist = f"{lists[0].name} of {lists[0].day}" if lists else "none"
    rounds = (
        "open-ended, " if state.settings.rounds is None else f"{counted(state.settings.rounds, 'round')}, "
    )
    rounds = "" if state.settings.system == "elimination" else rounds
    choices = [
        (re.sub("[-_]", " ", key), {"True": "yes", "False": "no"}.get(str(value), str(value)))
        for key, value in state.settings.choices.items()
    ]
    sealed = (
        [("seed", "sealed" if state.revealed is None else f"revealed: {state.revealed}")]
        if state.sealed
        else []
    )
    return [
        ("format", f"{state.format}, on {state.on} (ban list: {banlist})"),
        ("profile", state.profile),
        ("system", f"{_system(state)}, {rounds}best of {state.settings.best_of}"),
        *([("sides", sides_text(state.settings))] if state.settings.sides else []),
        *choices,
        *(("day", line) for line in state.settings.day),
        *_evening(state),
        *_beacon(state),
        *_imported(state),
        *sealed,
    ]


def _evening(state: State) -> list[tuple[str, str]]:
    """Say what was settled for the evening and is not as usual."""
    settings = state.settings
    lock = (
        "when round 1 is paired" if settings.deck_lock == ROUND_ONE else settings.deck_lock.replace("T", " ")
    )
    no_shows = {"drop": "dropped by the next pairing", "keep": "paired again"}.get(settings.no_show)
    opened = {
        "cut": "of the cut are open once it is made",
        "end": "open once the event is over",
        "all": "open from round 1",
    }.get(settings.decklists)
    said = [
        ("deck lock", lock),
        ("decklists", opened),
        ("no-shows", no_shows),
        ("published to", settings.publish_to),
        ("posted to", listed(settings.post_to)),
    ]
    return [(name, value) for name, value in said if value]


def _system(state: State) -> str:
    settings = state.settings
    if settings.system != "elimination":
        return settings.system
    third = ", third-place match" if settings.third_place else ""
    return f"{'double' if settings.double else 'single'} elimination, seeded by {settings.seeding}{third}"


def _imported(state: State) -> list[tuple[str, str]]:
    source = state.imported
    return (
        [("imported", f"as {source.form}, entries {source.first} to {source.last}: not proved")]
        if source
        else []
    )


def _beacon(state: State) -> list[tuple[str, str]]:
    source = state.settings.beacon
    value = state.beacon.value if state.beacon else "not entered yet"
    return [("beacon", f"{source}: {value}")] if source else []


def _people(state: State) -> list[tuple[str, str]]:
    everybody = state.players.values()
    number_left = len(everybody) - len(state.playing)
    without = sum(1 for player in state.playing if not player.deck and not player.waived)
    left = f", {number_left} left" if number_left else ""
    lists = f"; {without} without a decklist" if without and state.settings.lists else ""
    return [("players", f"{len(state.playing)} playing{left}{lists}")]


@cli.command(
    "log",
    event=True,
    examples=["tourney event log", "tourney event log --last 10", "tourney event log --json"],
)
@click.option("--last", metavar="N", type=click.IntRange(min=1), help="Only the newest N entries.")
def log(session: Session, last: int | None) -> None:
    """Tell the event's story, an entry a line: when, who, what, why."""
    with session.desk() as desk:
        lines = desk.log()
    shown = lines[-last:] if last else lines
    if session.json:
        session.emit("log/1", {"entries": shown})
        return
    session.table(
        ["entry", "when", "who", "what"], [row for line in shown for row in _log_rows(line)], right=(0,)
    )


def _log_rows(line: LogLine) -> Iterator[tuple[object, ...]]:
    """Give the row of an entry; a block of results has a row for each table."""
    first, *more = line.lines
    yield (line.entry, _when(line.at), line.by, first + _undone(line.undone))
    yield from (("", "", "", each + _undone(line.undone)) for each in more)


def _when(at: str) -> str:
    return at[:16].replace("T", " ")


def _undone(entry: int | None) -> str:
    return f" [taken back by entry {entry}]" if entry else ""


# -- While it runs: the public value, taking entries back, the cut, the end


@cli.command(
    "beacon",
    event=True,
    dry_run=True,
    examples=["tourney event beacon 3 14 15 27 38 44", "tourney event beacon 8a9f21c0"],
)
@click.argument("value", nargs=-1, required=True)
def beacon(session: Session, value: tuple[str, ...]) -> None:
    """Enter the public value that `event new --beacon` named, as it was published, when everybody is registered.

    Every seed has it from then on, so that nobody, the organizer included, could choose the pairings by choosing the
    event's secret. It is entered once, and not taken back after a round was paired with it.
    """
    with session.desk() as desk:
        answer(session, desk.enter_beacon(" ".join(value)))


@cli.command(
    "undo",
    event=True,
    dry_run=True,
    examples=["tourney event undo", 'tourney event undo 57 --reason "wrong slip"'],
)
@click.argument("entry", type=click.IntRange(min=1), required=False)
@reason
def undo(session: Session, entry: int | None, reason: str | None) -> None:
    """Take back your own last entry, or the one named; it stays in the log.

    What later entries build on cannot be taken back; they are named.
    """
    answer_seated(session, lambda desk: desk.undo(entry, reason=reason))


@cli.command("redo", event=True, dry_run=True, examples=["tourney event redo", "tourney event redo 57"])
@click.argument("entry", type=click.IntRange(min=1), required=False)
@reason
def redo(session: Session, entry: int | None, reason: str | None) -> None:
    """Take back your own last undo, or the undo of the entry named."""
    answer_seated(session, lambda desk: desk.redo(entry, reason=reason))


@cli.command(
    "cut",
    event=True,
    dry_run=True,
    examples=[
        "tourney event cut 4",
        "tourney event cut 8 --reseed --third-place",
        "tourney event cut 9 --seats 3",
    ],
)
@click.argument("size", type=click.IntRange(min=2))
@click.option(
    "--kind",
    type=click.Choice(["single", "double"]),
    default="single",
    show_default=True,
    help="Single or double elimination.",
)
@click.option("--reseed", is_flag=True, help="Pair the best seed left with the worst left in each round.")
@click.option("--third-place", is_flag=True, help="The losing semifinalists play for third place.")
@click.option(
    "--vacancy",
    type=click.Choice(["opponent", "highest-seed"]),
    default="opponent",
    show_default=True,
    help="Who gets the bye if a player of the cut drops out.",
)
@click.option(
    "--lot", is_flag=True, help="Part players whom the profile leaves level by a lot from the event's seed."
)
@click.option(
    "--seats", metavar="N", type=click.IntRange(min=2), help="Players at a table; else as the event has it."
)
@click.option(
    "--advance",
    metavar="N",
    type=click.IntRange(min=1),
    help="At tables of three and more, how many go on from each; else as the event has it.",
)
def cut(session: Session, *, size: int, **how: Any) -> None:
    """Make the bracket of the best SIZE of the standings who are still in; `round pair` pairs its rounds.

    At tables of three and more SIZE has to fill the tables of every round: 3, 9, 27 where the winner of three goes on. Seeds
    are dealt like a snake: 1, 2, 3 to tables 1, 2, 3, then 4, 5, 6 to tables 3, 2, 1. A seat that somebody leaves stays
    empty.
    """
    with session.desk() as desk:
        answer(session, desk.cut(size, **how))


@cli.command(
    "seed",
    event=True,
    dry_run=True,
    examples=["tourney event seed Mira Tomo Ansel Bryn", "tourney event seed --from seeds.txt"],
)
@click.argument("who", metavar="PLAYER...", nargs=-1, shell_complete=players)
@click.option(
    "--from", "source", metavar="FILE", help="A player a line, the first seed first; `-`: standard input."
)
def seed(session: Session, who: tuple[str, ...], source: str | None) -> None:
    """Seed a bracket by hand, in an event made with `--set system=elimination --set seeding=hand`.

    Names everybody who plays, the first seed first, until round 1 is paired; named again, the new order holds.
    """
    if bool(who) == (source is not None):
        raise click.UsageError("name the players, or a file of them with --from")
    lines = session.read_text(source).splitlines() if source else who
    with session.desk() as desk:
        answer(session, desk.seed(*(line.strip() for line in lines if line.strip())))


PRIZES = {
    "The file of prizes": {
        'currency = "EUR"': "As amounts are written.",
        'ties = "share"': 'Who shares places shares what they are worth; "tie-break": a place each, by seed in the bracket.',
        "[[prize]]": "One for each place or range; what stands under several of them is added.",
        'places = "5-8"': "Or 1, or a range.",
        "cash = 25": "For each of these places, in whole cents: 25, 12.50. `total = 50`: for all together.",
        'product = "2 boosters"': "In words.",
        "byes = 2": "At the next event.",
        'division = "Juniors"': "For the places in a division (the players' tag), beside those of all.",
    }
}


def so_far_option(function: Any) -> Any:
    """Add `--so-far`."""
    return click.option(
        "--so-far",
        is_flag=True,
        help="Prizes also while the places are not final; what is not certain stays open.",
    )(function)


@cli.command(
    "prizes",
    event=True,
    examples=[
        "tourney event prizes prizes.toml",
        "tourney event prizes prizes.toml --format markdown",
        "tourney event prizes prizes.toml --so-far",
    ],
    notes=PRIZES,
)
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "csv"]),
    default="text",
    help="How it is written.",
)
@so_far_option
@at_entry
def prizes(session: Session, file: str, form: str, *, so_far: bool, at: int | None) -> None:
    """Say who gets what, by place, from a file of prizes; nothing of it is written into the event.

    No cent is lost: what cannot be divided goes to the higher places, and is said.
    """
    from tourney.desk import views

    text = session.read_text(file)
    with session.look(at) as desk:
        awards = views.prizes(desk, text, source=source_of(file), so_far=so_far)
    if session.json:
        session.emit("prizes/1", _awards_json(awards) | ({} if at is None else {"at": at}))
        return
    if form == "markdown":
        from tourney.publish.text import prizes as markdown

        session.say(("" if at is None else f"As of entry {at}.\n\n") + markdown(awards))
    elif form == "csv":
        from tourney.spreadsheet import csv_text

        header = ["place", "player", "cash", "product", "byes", "as of"]
        header += ["division"] if awards.divided else []
        rows = [
            [row.place, row.name, awards.amount(row), row.product, row.byes or "", awards.counts + as_of(at)]
            + ([row.division] if awards.divided else [])
            for row in awards.rows
        ]
        session.say(csv_text(header, rows).rstrip("\n"))
    else:
        _print_prizes(session, awards, at)
    session.talk(f"{awards.counts}{as_of(at)}: {awards.total} in all")
    for note in awards.notes if form != "markdown" else ():
        session.talk(note)


def _print_prizes(session: Session, awards: Awards, at: int | None) -> None:
    if awards.why_not or at is not None:
        provisional = f"Provisional: {awards.why_not}" if awards.why_not else awards.counts
        session.say(f"{provisional}{as_of(at)}\n")
    shown = awards.columns
    rows = [
        [f"{row.division} {row.place}".strip(), row.name, *(awards.cell(row, each) for each in shown)]
        for row in awards.rows
    ]
    right = (0, *(2 + place for place, each in enumerate(shown) if each != "product"))
    session.table(["place", "player", *shown], rows, right=right)


def _awards_json(awards: Awards) -> dict[str, Any]:
    return {
        "final": not awards.why_not,
        "open": awards.why_not or None,
        "as_of": awards.counts,
        "currency": awards.currency or None,
        "cents": awards.cents,
        "prizes": [
            {
                "place": row.first,
                "places": row.place,
                "player": row.name if row.player else None,
                "number": row.player,
                "cents": row.cents,
                "product": row.product or None,
                "byes": row.byes,
                **({"division": row.division} if row.division else {}),
            }
            for row in awards.rows
        ],
        "notes": awards.notes,
    }


@cli.command(
    "summary",
    event=True,
    examples=["tourney event summary", "tourney event summary --top 16 --prizes prizes.toml > friday.md"],
)
@click.option(
    "--top", metavar="N", type=click.IntRange(min=1), default=8, show_default=True, help="Places to list."
)
@click.option(
    "--prizes",
    "file",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="A file of prizes; see `event prizes`.",
)
@so_far_option
@at_entry
def summary(session: Session, *, top: int, file: str | None, so_far: bool, at: int | None) -> None:
    """Tell the event on a page, in Markdown: rules, players, places, bracket, prizes, and how to check it."""
    from tourney.desk import views

    if so_far and not file:
        raise click.UsageError("--so-far goes with --prizes")
    text = session.read_text(file) if file else None
    with session.look(at) as desk:
        awards = None
        if file and text is not None:
            awards = views.prizes(desk, text, source=source_of(file), so_far=so_far, for_all=True)
        page, final = views.summary(desk, top=top, awards=awards)
        state = desk.state
    if session.json:
        plain = {"entry": state.entry, "digest": state.digest, "final": final.finished, "markdown": page}
        session.emit("event-summary/1", plain | ({"prizes": _awards_json(awards)} if awards else {}))
        return
    session.say(page.rstrip("\n"))


@cli.command("close", event=True, dry_run=True, examples=["tourney event close"])
def close(session: Session) -> None:
    """End the event; a sealed event's secret is revealed."""
    with session.desk() as desk:
        answer(session, desk.close())


@cli.command("reopen", event=True, dry_run=True, examples=['tourney event reopen --reason "a late appeal"'])
@reason
def reopen(session: Session, reason: str | None) -> None:
    """Take entries again."""
    with session.desk() as desk:
        answer(session, desk.reopen(reason=reason))


# -- tourney event check, backup, salvage, export, import: the event as a file


READ = "trf, cobra, tdf, topdeck, melee, json, csv"
WRITTEN = "trf, cobra, tdf, topdeck, melee, json, csv"
"""The forms of other programs, as the help names them; `tourney.standings.reading.FORMS` has them."""


@cli.command("check", event=True, examples=["tourney event check"])
def check(session: Session) -> Exit | None:
    """Look at the whole file: database, entries and what they mean, every text, every rule, the secret, seeds and recorded costs.

    Leaves with 1 where something is not as it was written or contradicts itself, with 4 where this copy cannot settle
    it (a sealed secret). `tourney verify` pairs every round anew besides.
    """
    findings, state = _examined(session)
    wrong = [each for each in findings if each.severity is not Severity.UNVERIFIED]
    unsettled = [each for each in findings if each.severity is Severity.UNVERIFIED]
    if session.json:
        at = {"entry": state.entry, "digest": state.digest} if state else {"entry": None, "digest": None}
        session.emit("event-check/1", {**at, "findings": findings})
    else:
        if wrong or state is None:
            say_findings(session, wrong)
        else:
            rest = ", as far as this copy can tell" if unsettled else ""
            session.say(
                f"{session.event_path.name}: all is well up to entry {state.entry} ({state.digest}){rest}"
            )
        for each in unsettled:
            session.say(f"not to be settled: {each.message}")
    return Exit.FOUND if wrong else Exit.UNVERIFIED if unsettled else None


def _examined(session: Session) -> tuple[tuple[Finding, ...], State | None]:
    """Return what is found, and the event; None where an entry cannot be read or has no meaning."""
    from tourney.event.entry import EntryError

    try:
        with session.desk() as desk:
            return desk.check(), desk.state
    except EntryError as fault:
        from tourney.desk.event_check import examine_unread

        return tuple(examine_unread(session.event_path, fault)), None


@cli.command("backup", event=True, examples=["tourney event backup", "tourney event backup --list"])
@click.option("--list", "only_list", is_flag=True, help="Only name the copies there are, newest first.")
def backup(session: Session, only_list: bool) -> None:
    """Copy the event, whole and consistent, to .tourney-backups/ beside it.

    A copy is an event file: open it with `-e`, or copy it back in place of the other. `round pair` makes one at each
    round's start and keeps the newest 20 of those; the ones that are asked for here are never removed.
    """
    with session.desk() as desk:
        made = desk.backups() if only_list else (desk.backup(),)
    with nullcontext() if only_list else already_written(f"copied to {made[0]}"):
        if session.json:
            session.emit("event-backup/1", {"files": made})
        elif only_list:
            session.say("\n".join(map(str, made)) or "no copies yet: `tourney event backup` makes one")
        else:
            session.changed(f"copied to {made[0]}")


@cli.command(
    "salvage",
    event=True,
    examples=["tourney event salvage", "tourney event salvage -e friday --to saved.tourney"],
)
@click.option("--to", "target", metavar="FILE", help="The new event's file; else EVENT-salvaged.tourney.")
def salvage(session: Session, target: str | None) -> Exit | None:
    """Make an event of all that is intact in a damaged one, and say what is missing.

    Taken are the entries up to the last whole one, and the texts that fit; what the file has lost is looked for in
    .tourney-backups/. The damaged file is only read. Leaves with 1 where something is missing.
    """
    from tourney.desk import Desk

    path = session.event_path
    to = Path(target) if target else path.parent / f"{path.stem}-salvaged.tourney"
    saved = Desk.salvage(path, to, library=session.library)
    number = f"{saved.entry} of {saved.written}" if (saved.written or 0) > saved.entry else f"{saved.entry}"
    done = f"{saved.path}: {number} entries ({saved.digest})"
    with already_written(done):
        if session.json:
            session.emit("event-salvage/1", {"file": saved.path, **_as_json(saved)})
        else:
            session.changed("\n".join([done, *_saved_lines(saved)]))
            session.talk(f"`tourney event check -e {saved.path}`, then go on in it; {path.name} is as it was")
    return None if saved.complete else Exit.FOUND


def _as_json(saved: Salvaged) -> dict[str, Any]:
    return {
        "entry": saved.entry,
        "digest": saved.digest,
        "written": saved.written,
        "complete": saved.complete,
        "missing": [{"what": what, "command": command or None} for what, command in saved.missing],
        "unplaced": [{"entry": entry, "text": text} for entry, text in saved.unplaced],
        "found": [{"what": what, "where": where} for what, where in saved.again],
    }


def _saved_lines(saved: Salvaged) -> Iterator[str]:
    """Say what is missing, what later entries said, and what was damaged and is there all the same."""
    for what, anew in saved.missing:
        yield f"missing: {what}" + (f"; `{anew}`" if anew else "")
    for entry, text in saved.unplaced[:MOST_READ]:
        yield f"  entry {entry} reads: {text}"
    if len(saved.unplaced) > MOST_READ:
        yield f"  {len(saved.unplaced) - MOST_READ} more can be read: `--json` has them"
    by_place: dict[str, list[str]] = {}
    for what, where in saved.again:
        by_place.setdefault(where, []).append(what)
    for where, things in by_place.items():
        yield f"mended: {listed_short(things)} ({where})"


MOST_READ = 20
"""How many entries that cannot be saved are told one by one."""


def _forms(_context: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    from tourney.standings.reading import FORMS

    return [each.name for each in FORMS if each.name.startswith(incomplete)]


@cli.command(
    "export",
    event=True,
    examples=[
        "tourney event export",
        "tourney event export archive/ --replace",
        "tourney event export --as trf",
        "tourney event export archive/ --as cobra",
    ],
)
@click.argument("folder", type=click.Path(), default=".")
@click.option(
    "--as",
    "form",
    metavar="FORM",
    shell_complete=_forms,
    help=f"For another program instead: {WRITTEN}.",
)
@click.option("--replace", is_flag=True, help="Write over an earlier export.")
def export(session: Session, folder: str, form: str | None, replace: bool) -> None:
    """Write the event as text: EVENT.jsonl (everything, an entry a line) and EVENT.toml (for people).

    `event import` makes the identical event from the first. Both hold names and decklists. With --as it is written for
    another program, and what that program's form cannot hold is said.
    """
    lost: tuple[str, ...] = ()
    with session.desk() as desk:
        if form:
            path, lost = desk.export_as(form, Path(folder), replace=replace)
            written: tuple[Path, ...] = (path,)
        else:
            written = desk.export(Path(folder), replace=replace)
    with already_written(f"wrote {listed(written)}"):
        if session.json:
            named = {"form": form, "lost": lost} if form else {}
            session.emit("event-export/1", {"files": written, **named})
        for path in () if session.json else written:
            session.changed(f"wrote {path}")
        for each in lost if not session.json else ():
            session.warn(f"it cannot hold {each}")


@cli.command(
    "import",
    examples=[
        "tourney event import friday.jsonl",
        "tourney event import friday.jsonl --file copy.tourney",
        "tourney event import cobra.json",
        "tourney event import open.trf --name 'City Open' --profile fide",
    ],
)
@click.argument("file", type=click.Path())
@click.option("--file", "target", metavar="FILE", help="The event's file; else named as what is imported.")
@click.option(
    "--as",
    "form",
    metavar="FORM",
    shell_complete=_forms,
    help=f"What another program's file is, where it is not found out: {READ}.",
)
@click.option("--name", help="The event's name, where it is not the file's.")
@click.option(
    "--format",
    "format_name",
    metavar="NAME|FILE",
    shell_complete=formats,
    help="The format that was played; else one without decks.",
)
@click.option(
    "--profile",
    metavar="NAME|FILE",
    shell_complete=profiles,
    help="Points and tie-breaks; else those of the file's program, with the points the file itself gives.",
)
def import_(session: Session, file: str, target: str | None, form: str | None, **asked: str | None) -> None:
    """Make the event file of an exported event, or of another program's file.

    From `event export` comes the identical event: the same entries, texts and digests. From another program's file come
    players, rounds, results, byes, drops and bracket, finished or still running; what was taken is named, and the file's
    own points and places are held against those here. Nobody can prove such rounds: `verify` leaves with 4.
    """
    from tourney.desk import Desk

    source = Path(file)
    if target:
        path = Path(target)
    elif file == "-":
        path = file_name(asked["name"] or "imported")
    else:
        path = Path(f"{source.stem.removesuffix('.tourney')}.tourney")
    content = b"" if form is None and source.suffix == ".jsonl" else session.read(file)
    if form is None and (source.suffix == ".jsonl" or _is_export(content)):
        _refuse_asked(asked)
        desk = Desk.import_(
            source,
            path,
            by=session.by,
            clock=session.now,
            randomness=session.entropy,
            library=session.library,
        )
        with desk:
            state = desk.state
        done = f"{state.name}: {state.entry} entries read into {path} ({state.digest})"
        with already_written(done):
            if session.json:
                session.emit("event-import/1", {"file": path, "entry": state.entry, "digest": state.digest})
            else:
                session.changed(done)
        return
    desk, took = Desk.take_over(
        content,
        path,
        source=source_of(file),
        form=form,
        by=session.by,
        clock=session.now,
        randomness=session.entropy,
        library=session.library,
        **asked,
    )
    with desk:
        state = desk.state
    with already_written(f"{state.name}: {took.took}, in {path}"):
        _tell_taken(session, path, state, took)


def _is_export(content: bytes) -> bool:
    """Say whether a file is one of `event export`, or was."""
    head = content[:LONGEST_HEAD].lstrip().partition(b"\n")[0]
    return b"tourney.journal/" in head or head.startswith(b'{"schema"')


LONGEST_HEAD = 2_000
"""Bytes in which the first line of an export says what it is."""


def _refuse_asked(asked: dict[str, str | None]) -> None:
    named = [name for name, value in asked.items() if value is not None]
    if named:
        option = {"format_name": "--format"}.get(named[0], f"--{named[0]}")
        raise click.UsageError(f"{option} is for another program's file: an export says it itself")


def _tell_taken(session: Session, path: Path, state: State, took: Takeover) -> None:
    if session.json:
        payload = {
            "file": path,
            "entry": state.entry,
            "digest": state.digest,
            "form": took.form.name,
            "profile": state.profile,
            "took": took.took,
            "agrees": took.agrees or None,
            "difference": took.difference or None,
            "notes": took.notes,
            "left_out": took.left_out,
        }
        session.emit("event-import/1", payload)
        return
    session.changed(f"{state.name}: {took.took}")
    session.changed(f"read as {took.form.called} into {path}, ranked by {state.profile}")
    if took.left_out:
        session.changed(f"not taken: {'; '.join(took.left_out)}")
    for note in took.notes:
        session.warn(note)
    if took.difference:
        session.warn(f"the standings differ from the file's: {took.difference}")
    elif took.agrees:
        session.changed(f"the standings are the file's own: {took.agrees}")
    session.talk(
        f"`tourney event show -e {path}`; imported rounds are not proved, and `tourney verify` says so"
    )


# -- tourney event generate: a random event to try things on


_PERCENT = click.IntRange(0, 100)


@cli.command(
    "generate",
    examples=[
        "tourney event generate --players 16 --rounds 5",
        "tourney event generate Trial --players 200 --drops 5 --late 5 --clubs 8 --seed demo --quiet",
    ],
)
@click.argument("name", default="Generated")
@click.option(
    "--format",
    "format_name",
    metavar="NAME|FILE",
    default="red-diamond/standard",
    show_default=True,
    shell_complete=formats,
    help="The format.",
)
@click.option("--profile", metavar="NAME|FILE", shell_complete=profiles, help="Points and tie-breaks.")
@click.option(
    "--players", type=click.IntRange(2, MOST_PLAYERS), default=16, show_default=True, help="How many players."
)
@click.option("--rounds", type=click.IntRange(1, MOST_ROUNDS), help="Swiss rounds; else ⌈log₂ players⌉.")
@click.option("--open", "left_open", is_flag=True, help="Leave the last round without results.")
@click.option(
    "--draws", type=_PERCENT, default=5, show_default=True, help="Percent of tables that end drawn."
)
@click.option(
    "--no-shows",
    type=_PERCENT,
    default=1,
    show_default=True,
    help="Percent of tables where one player does not show up.",
)
@click.option(
    "--drops", type=_PERCENT, default=3, show_default=True, help="Percent of players who leave, each round."
)
@click.option(
    "--late", type=_PERCENT, default=3, show_default=True, help="Percent of players who come after round 1."
)
@click.option(
    "--half-byes",
    type=_PERCENT,
    default=0,
    help="Percent of players who ask for a half-point bye, each round.",
)
@click.option("--clubs", type=click.IntRange(0, 12), default=0, help="How many clubs they belong to.")
@click.option(
    "--seed", metavar="TEXT", help="The same seed makes the same event; printed first, even if it was drawn."
)
@click.option("--file", "file", metavar="FILE", help="The event's file; by default named after the event.")
def generate(
    session: Session,
    *,
    name: str,
    format_name: str,
    profile: str | None,
    seed: str | None,
    file: str | None,
    left_open: bool,
    **wishes: Any,
) -> None:
    """Make a random event, played to its end by the very commands of the desk."""
    from tourney.desk import Desk

    seed = seed or session.entropy(8).hex()
    session.talk(f"seed {seed}")  # before anything runs, so that a crash can be repeated
    desk = Desk.create(
        Path(file) if file else file_name(name),
        name=name,
        format_name=format_name,
        by=session.by,
        clock=session.now,
        randomness=Dice(seed),
        library=session.library,
        profile=profile,
        banlist="none",
    )
    try:
        with desk:
            invented = _invent(desk, seed, wishes)
            desk.change(rounds=invented.rounds)
            _play(session, desk, invented, left_open=left_open)
            state = desk.state
    except BaseException:  # half an event is of no use, and a refusal leaves nothing behind
        desk.path.unlink(missing_ok=True)
        raise
    done = f"{state.name}: {len(state.players)} players, {len(state.rounds)} rounds in {desk.path}"
    with already_written(done):
        if session.json:
            session.emit(
                "event-generate/1",
                {"seed": seed, "file": desk.path, "entry": state.entry, "digest": state.digest},
            )
        else:
            session.changed(done)


def _invent(desk: Desk, seed: str, wishes: dict[str, Any]) -> Invented:
    from tourney.pairing.generate import TournamentKind, invent

    settings = desk.state.settings
    draws = wishes.pop("draws") if settings.draws else 0
    kind = TournamentKind(best_of=settings.best_of, seats=settings.seats[0], draws=draws, **wishes)
    return invent(kind, seed)


def _play(session: Session, desk: Desk, invented: Invented, *, left_open: bool) -> None:
    guest_of: dict[PlayerId, PlayerId] = {}
    number_of: dict[PlayerId, PlayerId] = {}
    with session.progress(range(1, invented.rounds + 1), "playing", invented.rounds) as numbers:
        for number in numbers:
            _register(desk, invented.arriving(number))
            for guest, player in zip(
                invented.arriving(number), list(desk.state.players)[len(guest_of) :], strict=True
            ):
                guest_of[player], number_of[guest.id] = guest.id, player
            leaving = [number_of[guest.id] for guest in invented.leaving(number - 1)]
            if leaving:
                desk.drop(*leaving)
            desk.pair_round()
            if not (left_open and number == invented.rounds):
                desk.report_block(_slips(desk, invented, guest_of, number))


def _register(desk: Desk, guests: tuple[Guest, ...]) -> None:
    if not guests:
        return
    from tourney.spreadsheet import csv_text

    rows = []
    for guest in guests:
        club = next((tag.removeprefix("club:") for tag in guest.tags), "")
        byes = " ".join(f"{number}={outcome.value}" for number, outcome in guest.byes.items())
        rows.append([guest.name, club, byes])
    desk.import_players(csv_text(["name", "club", "byes"], rows), source="the generated players")


def _slips(desk: Desk, invented: Invented, guest_of: dict[PlayerId, PlayerId], number: int) -> list[str]:
    """Write a line for each table: `4 2-1`."""
    current = desk.state.rounds[number - 1]
    return [
        f"{table.number} {typed(invented.result(number, tuple(guest_of[player] for player in table.seats)))}"
        for table in current.tables.values()
    ]


def typed(result: Result) -> str:
    """Return a result as it is typed at the desk: `2-1`, `1-1-1`, `=`, `ff2`, `1,3,2`."""
    seats = result.seats
    if len(seats) > 2:
        return ",".join(str(seat.place) for seat in seats)
    for place, seat in enumerate(seats, 1):
        if seat.outcome is Outcome.FORFEIT_LOSS:
            return f"ff{place}"
    games = [seat.games for seat in seats]
    if not any(games):
        return "="
    return "-".join(map(str, [*games, result.drawn_games] if result.drawn_games else games))
