"""`tourney event new` to `close`, and `generate`: the commands that make and change an event."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast

import click
from msgspec import UNSET

from tourney.cli.answers import answer, answer_seated, answering
from tourney.cli.command import command
from tourney.cli.exits import Exit, already_written
from tourney.cli.options import (
    F,
    anyway,
    apart,
    banlist_option,
    file_option,
    format_option,
    parts,
    players,
    profile_option,
    reason,
    settings,
    together,
    trust_declared,
)
from tourney.cli.session import Dice, Session, new_place, source_of
from tourney.decode import MAX_PLAYERS, MAX_ROUNDS
from tourney.desk import Desk
from tourney.desk.file_documents import GeneratedEvent
from tourney.desk.open_event import no_collecting
from tourney.errors import TourneyError
from tourney.event.documents import SharedDeck, SharedDecks
from tourney.event.rounds import Manner
from tourney.event.settings import UnknownSettingError, help_texts
from tourney.record import Outcome, PlayerId, Result
from tourney.spreadsheet import format_csv
from tourney.store.backup import copy_event, place_to_try

if TYPE_CHECKING:
    from tourney.pairing.generate import Guest, Invented


# -- tourney event new, change, rebase: an event and its rules


def _setting_options(function: F) -> F:
    """Add the options for settings to a command. It gets them as `given`: setting → value.

    Options that were not typed are left out.
    """

    @wraps(function)
    def call(
        *args: Any,
        rounds: str | None,
        best_of: int | None,
        goal: int | None,
        minutes: int | None,
        beacon: str | None,
        keep_apart: tuple[str, ...],
        more: tuple[str, ...],
        **others: Any,
    ) -> Any:
        given = settings(more)
        if rounds is not None:
            given |= settings([f"rounds={rounds}"])
        plain = {"best_of": best_of, "goal": goal, "minutes": minutes}
        given |= {key: value for key, value in plain.items() if value is not None}
        if beacon is not None:
            given["beacon"] = "" if beacon.casefold() == "none" else beacon
        if keep_apart:
            given["keep_apart"] = apart(keep_apart)
        return function(*args, given=given, **others)

    return cast("F", _named_settings(call))


_named_settings = together(
    click.option("--rounds", metavar="N|none", help="The number of Swiss rounds planned; none: open-ended."),
    click.option("--best-of", type=int, help="The most games in a match: 1, 3, 5 …"),
    click.option("--goal", type=int, help="Victory points to reach, if the game has them."),
    click.option("--minutes", type=int, help="Minutes in a round; 0: no limit."),
    click.option(
        "--beacon",
        metavar="SOURCE|none",
        help="A future public value, such as a lottery draw or a round of drand, that becomes part of every seed.",
    ),
    click.option(
        "--keep-apart",
        multiple=True,
        metavar="KIND[:ROUNDS]",
        help="Keep players with the same tag apart, unless that would pair players further apart in points; for a hard rule use "
        "`round forbid`.",
    ),
    click.option("--set", "more", multiple=True, metavar="KEY=VALUE", help="Any other setting; see below."),
)


@contextmanager
def _named_options() -> Iterator[None]:
    """Hint at the right option if `--set` gets an option's name or a value of the wrong type."""
    try:
        yield
    except UnknownSettingError as fault:
        if hint := _option_hint(fault.key):
            raise TourneyError(fault.message, hint) from None
        raise
    except TourneyError as fault:
        mistyped = _MISTYPED.match(fault.message)
        if mistyped and fault.hint is None and (hint := _written_as(mistyped[1])):
            raise TourneyError(fault.message, hint) from None
        raise


_MISTYPED = re.compile(r"settings: (\w+)\b.*: expected ")
"""The message for a value of the wrong type."""


def _written_as(setting: str) -> str | None:
    """Return a hint to the option for a setting; None without one, or if it takes a number."""
    option = f"--{setting.replace('_', '-')}"
    for parameter in click.get_current_context().command.params:
        if option in parameter.opts and parameter.metavar:
            return f"give it as the option `{option} {parameter.metavar}`"
    return None


def _option_hint(key: str) -> str | None:
    """Return a hint to the option with this name.

    Looks in this command, then in `event new`. None if neither has the option.
    """
    word = key.replace("_", "-").casefold()
    if key == "goal":  # `--goal` sets a choice of the format, which this format does not have
        return None
    if word == "by":
        return 'set the variable TOURNEY_BY to your name: TOURNEY_BY="Ann Lind"'
    current = click.get_current_context().command
    for command_, hint in ((current, "give it as {}"), (new, "only `tourney event new` takes it, as {}")):
        for parameter in command_.params:
            if isinstance(parameter, click.Argument) and parameter.name == word:
                return hint.format(f"the argument {word.upper()}: `tourney event new {word.upper()}`")
            if f"--{word}" in parameter.opts:
                also = _REBASED if command_ is not current and word in {"banlist", "format"} else ""
                return hint.format(f"the option `--{word}`") + also
    return None


_REBASED = "; `tourney event rebase` takes over a newer version of the event's own"


_OWN_OPTIONS = {"rounds", "best_of", "minutes", "beacon", "keep_apart", "choices"}
"""Settings that have an option, and `choices`: `--set` takes each choice of the format by its own name."""

_SETTINGS = {
    **help_texts(without=_OWN_OPTIONS),
    "Choices of the format (--set)": {"…": "Such as goal; `tourney format show` lists them."},
}


@command(
    "new",
    signed=True,
    examples=[
        'tourney event new "Friday Diamonds" --format red-diamond/standard --rounds 5',
        'tourney event new "League day 3" --format redline/standard --banlist none --keep-apart club:2',
        "tourney event new Open --format dimrift/classic --profile mtr --set first_round=fold --sealed",
        'tourney event new Cup --format redline/standard --sealed --beacon "drand quicknet, round 14412000"',
    ],
    notes=_SETTINGS,
)
@click.argument("name")
@format_option("The format; `tourney format list`.")
@banlist_option("A ban list instead of the format's, or `none`.")
@profile_option("Points and tie-breaks; `tourney standings profiles`.")
@click.option(
    "--on", metavar="DAY", help="The day (YYYY-MM-DD) whose ban list is in force; today by default."
)
@click.option(
    "--sealed",
    is_flag=True,
    help="Publish the hash of the pairing secret now, and the secret at `event close`.",
)
@click.option(
    "--seed",
    metavar="TEXT",
    help="Derive the secret from TEXT. The pairings can be repeated, and anyone who knows TEXT can foresee them.",
)
@file_option
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
    given: dict[str, Any],
) -> None:
    """Make an event: a file in this folder that contains everything, or an event in a database (`-e pg:friday`)."""
    library = session.library()
    if format_name is None:
        names = ", ".join(f"`{format_}`" for format_ in library.formats())
        raise TourneyError("which format is it?", f"--format NAME; there are {names}")
    place = new_place(file, name)
    with _named_options():
        desk = Desk.create(
            place,
            session.workplace(Dice(seed) if seed else None),
            name=name,
            format_name=format_name,
            profile=profile,
            banlist=banlist,
            on=on,
            sealed=sealed,
            settings=given,
        )
    with desk:
        assert desk.last is not None, "a creation has a receipt"
        answer(session, desk.last, file=str(desk.place))
    if file is None:
        session.warn_of_another(place)


@command(
    "change",
    event=True,
    dry_run=True,
    examples=[
        "tourney event change --rounds 6",
        'tourney event change --profile mtr --reason "as announced"',
    ],
    notes=_SETTINGS,
)
@click.option("--name", help="A new name. The file is not renamed.")
@profile_option("The standings profile.")
@_setting_options
@reason
def change(
    session: Session, name: str | None, profile: str | None, reason: str | None, given: dict[str, Any]
) -> None:
    """Change the event's name, its standings profile or its settings."""
    if not (given or name or profile):
        raise click.UsageError("say what to change: --name, --profile, --rounds …")
    with session.desk() as desk, _named_options():
        answer(session, desk.change(name=name, profile=profile, reason=reason, settings=given))


@command(
    "rebase",
    event=True,
    dry_run=True,
    examples=["tourney event rebase", "tourney event rebase --on 2026-12-01"],
)
@click.option(
    "--on", metavar="DAY", help="The day (YYYY-MM-DD) whose ban list is in force; the event's by default."
)
@reason
def rebase(session: Session, on: str | None, reason: str | None) -> None:
    """Adopt the current format, ban list and profile. Until then the event keeps those it started with."""
    with session.desk() as desk:
        answer(session, desk.rebase(on=on, reason=reason))


# -- tourney event deck: lists that several players use


@command(
    "deck",
    event=True,
    dry_run=True,
    examples=[
        "tourney event deck missions missions.txt",
        "tourney event deck missions missions.txt --trust-declared",
        "tourney event deck layout layout.txt --table 3",
        "tourney event deck missions",
        "tourney event deck",
    ],
)
@click.argument("part", required=False, shell_complete=parts)
@click.argument("file", type=click.Path(allow_dash=True), required=False)
@click.option(
    "--table", type=int, metavar="N", help="The list that the players at this table agreed on for this round."
)
@trust_declared(
    "Use the facts that the list declares for cards that the pool does not know; the log notes it."
)
@anyway
def deck(
    session: Session,
    part: str | None,
    file: str | None,
    *,
    table: int | None,
    trust_declared: bool,
    anyway: bool,
) -> Exit | None:
    """Check a list that all players use, such as the organizer's mission deck, and register it with the event.

    The format and the organizer's choices decide which parts of a deck can be shared. Without a file, the registered list is
    printed; without a part, all shared lists, and what is missing. An illegal list is not registered, and the command exits
    with 1. An unverified list is registered, and the command exits with 4.

    With `--table`, it is the list that the players at a table agreed on, such as the layout of a scenario. In this round it
    takes precedence over their own lists.
    """
    if part is None:
        _show_shared(session)
        return None
    if file is None:
        _print_shared(session, part, table)
        return None
    from tourney.cli.player.decks import show_deck
    from tourney.desk.shared_decks import share_deck

    data, source = session.read(file), source_of(file)
    with session.desk() as desk:
        receipt = share_deck(
            desk, part, data, source=source, table=table, trust_declared=trust_declared, anyway=anyway
        )
    with answering(session, receipt) if receipt.entries else nullcontext():
        show_deck(session, receipt)
    return {"illegal": None if receipt.entries else Exit.FOUND, "unverified": Exit.UNVERIFIED}.get(
        receipt.verdict
    )


def _show_shared(session: Session) -> None:
    """Show the shared lists, those that tables agreed on, and what is missing."""
    from tourney.desk.shared_decks import agreements, doubts, views

    with session.desk() as desk:
        shown, round_ = views(desk), desk.state.round
        tables = [(table.number, table.seats) for table in round_.tables.values()] if round_ else []
        missing = list(doubts(desk, tables))
        agreed = agreements(desk)
    if session.json:
        session.emit(SharedDecks(decks=shown, missing=tuple(missing), agreed=agreed or UNSET))
        return
    if not shown and not missing and not agreed:
        session.say("Nobody shares a deck in this event")
    rows = [(view.name, view.entered) for view in shown]
    rows += [
        (f"{deck.name} of table {deck.table}", f"{deck.verdict} (entry {deck.entry})") for deck in agreed
    ]
    if rows:
        session.table((), rows)
    for warning in missing:
        session.talk(f"note: {warning}")


def _print_shared(session: Session, name: str, table: int | None) -> None:
    """Print the list that is registered for a part, or with a table the one that its players agreed on."""
    from tourney.desk.shared_decks import part_named, text_of

    with session.desk() as desk:
        part = part_named(desk, name)
        text = text_of(desk, part, table)
    if session.json:
        session.emit(SharedDeck(part=part.id, name=part.name or part.id, text=text))
    else:
        session.say(text.rstrip("\n"))


# -- tourney event beacon, undo, redo, cut, seed, close, reopen


@command(
    "beacon",
    event=True,
    dry_run=True,
    examples=["tourney event beacon 3 14 15 27 38 44", "tourney event beacon 8a9f21c0"],
)
@click.argument("value", nargs=-1, required=True)
def beacon(session: Session, value: tuple[str, ...]) -> None:
    """Enter the public value that `event new --beacon` names, as it was published, after all players are registered.

    It becomes part of every seed, so that even the organizer could not choose the pairings by choosing the event's secret.
    It is entered once, and cannot be undone after a round was paired with it.
    """
    with session.desk() as desk:
        answer(session, desk.enter_beacon(" ".join(value)))


@command(
    "undo",
    event=True,
    dry_run=True,
    examples=["tourney event undo", 'tourney event undo 57 --reason "wrong slip"'],
)
@click.argument("entry", type=click.IntRange(min=1), required=False)
@reason
def undo(session: Session, entry: int | None, reason: str | None) -> None:
    """Undo your own last entry, or another one. It stays in the log.

    An entry on which later entries depend cannot be undone; the command names them.
    """
    answer_seated(session, lambda desk: desk.undo(entry, reason=reason))


@command("redo", event=True, dry_run=True, examples=["tourney event redo", "tourney event redo 57"])
@click.argument("entry", type=click.IntRange(min=1), required=False)
@reason
def redo(session: Session, entry: int | None, reason: str | None) -> None:
    """Undo your own last undo, or the undo of an entry."""
    answer_seated(session, lambda desk: desk.redo(entry, reason=reason))


@command(
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
@click.option(
    "--reseed", is_flag=True, help="In each round, pair the best seed left with the worst seed left."
)
@click.option("--third-place", is_flag=True, help="The losing semifinalists play for third place.")
@click.option(
    "--vacancy",
    type=click.Choice(["opponent", "highest-seed"]),
    default="opponent",
    show_default=True,
    help="Who gets the bye if a player of the cut drops out.",
)
@click.option(
    "--lot",
    is_flag=True,
    help="Decide by lot, from the event's seed, between players who are level on all tie-breaks.",
)
@click.option(
    "--seats",
    metavar="N",
    type=click.IntRange(min=2),
    help="Players at a table; the event's number by default.",
)
@click.option(
    "--advance",
    metavar="N",
    type=click.IntRange(min=1),
    help="How many players of a table of three or more advance; the event's number by default.",
)
def cut(
    session: Session,
    *,
    size: int,
    kind: str,
    reseed: bool,
    third_place: bool,
    vacancy: str,
    lot: bool,
    seats: int | None,
    advance: int | None,
) -> None:
    """Make the bracket of the best SIZE players in the standings who have not left. `round next` pairs its rounds.

    At tables of three and more, SIZE must fill the tables of every round: 3, 9 or 27 if one of three advances. Seeds are dealt
    in a snake: 1, 2, 3 to tables 1, 2, 3, then 4, 5, 6 to tables 3, 2, 1. The seat of a player who leaves stays empty.
    """
    with session.desk() as desk:
        receipt = desk.cut(
            size,
            kind=kind,
            reseed=reseed,
            third_place=third_place,
            vacancy=vacancy,
            lot=lot,
            seats=seats,
            advance=advance,
        )
        answer(session, receipt)


@command(
    "seed",
    event=True,
    dry_run=True,
    examples=["tourney event seed Mira Tomo Ansel Bryn", "tourney event seed --from seeds.txt"],
)
@click.argument("who", metavar="PLAYER...", nargs=-1, shell_complete=players)
@click.option(
    "--from",
    "source",
    metavar="FILE",
    help="A file with one player a line, the first seed first; `-`: standard input.",
)
def seed(session: Session, who: tuple[str, ...], source: str | None) -> None:
    """Seed a bracket by hand, in an event made with `--set system=elimination --set seeding=hand`.

    Name all playing players, the first seed first. Until round 1 is paired, you can seed again.
    """
    if bool(who) == (source is not None):
        raise click.UsageError("name the players, or a file of them with --from")
    lines = session.read_text(source).splitlines() if source else who
    with session.desk() as desk:
        answer(session, desk.seed(*(line.strip() for line in lines if line.strip())))


@command("close", event=True, dry_run=True, examples=["tourney event close"])
def close(session: Session) -> None:
    """End the event. The secret of a sealed event is revealed."""
    with session.desk() as desk:
        answer(session, desk.close())


@command("reopen", event=True, dry_run=True, examples=['tourney event reopen --reason "a late appeal"'])
@reason
def reopen(session: Session, reason: str | None) -> None:
    """Reopen a closed event."""
    with session.desk() as desk:
        answer(session, desk.reopen(reason=reason))


# -- tourney event generate: a random event to try things on


_PERCENT = click.IntRange(0, 100)


class _Wishes(TypedDict):
    """The options for a random event; fields of `TournamentKind`."""

    players: int
    rounds: int | None
    draws: int
    no_shows: int
    drops: int
    late: int
    half_byes: int
    clubs: int


@command(
    "generate",
    examples=[
        "tourney event generate --players 16 --rounds 5",
        "tourney event generate Trial --players 200 --drops 5 --late 5 --clubs 8 --seed demo --quiet",
    ],
)
@click.argument("name", default="Generated")
@format_option("The format.", default="red-diamond/standard", show_default=True)
@profile_option("Points and tie-breaks.")
@click.option(
    "--players", type=click.IntRange(2, MAX_PLAYERS), default=16, show_default=True, help="How many players."
)
@click.option("--rounds", type=click.IntRange(1, MAX_ROUNDS), help="Swiss rounds; by default ⌈log₂ players⌉.")
@click.option("--open", "left_open", is_flag=True, help="Leave the last round without results.")
@click.option(
    "--draws", type=_PERCENT, default=5, show_default=True, help="Percentage of tables that end drawn."
)
@click.option(
    "--no-shows",
    type=_PERCENT,
    default=1,
    show_default=True,
    help="Percentage of tables where one player does not show up.",
)
@click.option(
    "--drops",
    type=_PERCENT,
    default=3,
    show_default=True,
    help="Percentage of players who leave, each round.",
)
@click.option(
    "--late",
    type=_PERCENT,
    default=3,
    show_default=True,
    help="Percentage of players who join after round 1.",
)
@click.option(
    "--half-byes",
    type=_PERCENT,
    default=0,
    help="Percentage of players who ask for a half-point bye, each round.",
)
@click.option("--clubs", type=click.IntRange(0, 12), default=0, help="How many clubs the players belong to.")
@click.option(
    "--seed", metavar="TEXT", help="The same seed makes the same event. A random seed is printed first."
)
@file_option
def generate(
    session: Session,
    *,
    name: str,
    format_name: str,
    profile: str | None,
    seed: str | None,
    file: str | None,
    left_open: bool,
    **wishes: Unpack[_Wishes],
) -> None:
    """Make a random event and play it to its end, with the same code as the other commands."""
    seed = seed or session.entropy(8).hex()
    session.talk(f"seed {seed}")  # before anything runs, so that a crash can be repeated
    place = new_place(file, name)
    with place_to_try(place) as draft:  # so that an error does not leave half an event behind
        desk = Desk.create(
            draft,
            session.workplace(Dice(seed)),
            name=name,
            format_name=format_name,
            profile=profile,
            banlist="none",
        )
        with desk:
            invented = _invent(desk, seed, wishes)
            desk.change(rounds=invented.rounds)
            with no_collecting():
                _play(session, desk, invented, left_open=left_open)
            state = desk.state
        copy_event(draft, place)
    done = f"{state.name}: {len(state.players)} players, {len(state.rounds)} rounds in {place}"
    with already_written(done):
        if session.json:
            session.emit(GeneratedEvent(seed=seed, file=str(place), entry=state.entry, digest=state.digest))
        else:
            session.changed(done)


def _invent(desk: Desk, seed: str, wishes: _Wishes) -> Invented:
    """Draw random arrivals, departures and results that the event's settings allow."""
    from tourney.pairing.generate import TournamentKind, invent

    settings = desk.state.settings
    if not settings.match.draws:
        wishes = {**wishes, "draws": 0}
    possible_sizes = [size for size in settings.match.seats if size <= wishes["players"]]
    kind = TournamentKind(
        best_of=settings.match.best_of | 1,
        level=settings.match.draws and settings.match.best_of % 2 == 0,
        seats=(possible_sizes or settings.match.seats)[0],
        **wishes,
    )
    return invent(kind, seed)


def _play(session: Session, desk: Desk, invented: Invented, *, left_open: bool) -> None:
    """Register, drop, pair and report, round by round. left_open: leave the last round without results."""
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
            desk.pair_round(manner=Manner(careful=False))
            if not (left_open and number == invented.rounds):
                desk.report_block(_slips(desk, invented, guest_of, number))


def _register(desk: Desk, guests: tuple[Guest, ...]) -> None:
    if not guests:
        return
    from tourney.desk.registration import import_players

    rows = []
    for guest in guests:
        club = next((tag.removeprefix("club:") for tag in guest.tags), "")
        byes = " ".join(f"{number}={outcome.value}" for number, outcome in guest.byes.items())
        rows.append([guest.name, club, byes])
    import_players(desk, format_csv(["name", "club", "byes"], rows), source="the generated players")


def _slips(desk: Desk, invented: Invented, guest_of: dict[PlayerId, PlayerId], number: int) -> list[str]:
    """Return a line with the result of each table, such as `4 2-1`."""
    draws = _Draws.of(desk)
    lines = []
    for table in desk.state.rounds[number - 1].tables.values():
        result = invented.result(number, tuple(guest_of[player] for player in table.seats))
        lines.append(f"{table.number} {_typed(result, draws)}")
    return lines


@dataclass(frozen=True)
class _Draws:
    """How a drawn match is typed in an event.

    games: whether a game of a match can be drawn
    ends:  number of seats → the words for how a drawn single game ended, one of which is required; empty if none is
    """

    games: bool
    ends: Callable[[int], Collection[str]]

    @classmethod
    def of(cls, desk: Desk) -> _Draws:
        settings, scoring = desk.state.settings, desk.scoring()
        games = settings.match.drawn_in(bracket=False) != "none"
        if scoring is None or settings.match.best_of > 1:
            return cls(games, lambda _: ())
        return cls(games, scoring.drawn_by)


def _typed(result: Result, draws: _Draws) -> str:
    """Return a result as it is typed at the desk: `2-1`, `1-1-1`, `= --ended time`, `ff2`, `1,3,2`."""
    score = _score(result, drawn_games=draws.games)
    if not any(seat.outcome is Outcome.DRAW for seat in result.seats):
        return score
    ends = draws.ends(len(result.seats))
    if not ends:
        return score
    return f"{score} --ended {'time' if 'time' in ends else next(iter(ends))}"


def _score(result: Result, *, drawn_games: bool) -> str:
    """Return the score of a result. drawn_games: whether a game of a match can be drawn."""
    seats = result.seats
    if len(seats) > 2:
        return ",".join(str(seat.place) for seat in seats)
    for place, seat in enumerate(seats, 1):
        if seat.outcome is Outcome.FORFEIT_LOSS:
            return f"ff{place}"
    games = [seat.games for seat in seats]
    if not any(games) or (result.drawn_games and not drawn_games):
        return "="
    return "-".join(map(str, [*games, result.drawn_games] if result.drawn_games else games))
