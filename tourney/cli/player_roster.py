"""`tourney player add`, `import`, `check-in`, `drop` and others that change players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tourney.cli.command import change_command, command
from tourney.cli.options import (
    all_or_named,
    flag,
    pairs,
    player_argument,
    players,
    players_argument,
    positive,
    reason,
    repeatable,
    vouch,
)
from tourney.cli.player_decks import exit_for_decks, show_decks
from tourney.cli.session import Exit, Session, source_of
from tourney.decode import MAX_DIGITS
from tourney.desk import Desk, Receipt
from tourney.desk.documents import ListColumn
from tourney.errors import TourneyError
from tourney.event.players import Registration
from tourney.record import parse_whole_number
from tourney.store.files import read_bytes, resolve_path
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from tourney.desk.player_list import PlayerList, UnclearError
    from tourney.desk.registration import ImportReceipt


# -- tourney player add and import


_BYE_KINDS = "awarded-bye, half-bye or absent"
"""The ways to sit out a round that `--bye` accepts, for its help text."""

_contact = click.option(
    "--contact", metavar="TEXT", help="An address or any other note about the person; never published."
)


@command("add", changes=True)
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--rating", type=int, help="The rating, for a first round by rating.")
@click.option("--club", metavar="NAME", help="The club; `event new --keep-apart club` keeps clubs apart.")
@click.option(
    "--family",
    metavar="NAME",
    help="The family. Families are kept apart, unless that would pair players further apart in points; for a "
    "hard rule use `round forbid`.",
)
@click.option("--division", metavar="NAME", help="The division, which has its own ranking and prizes, too.")
@repeatable("--tag", "tags", metavar="KIND=TEXT", help="Any other tag; see `event new --keep-apart`.")
@repeatable("--bye", "byes", metavar="ROUND=KIND", help=f"A round without a table: {_BYE_KINDS}.")
@click.option(
    "--awarded",
    type=click.IntRange(min=0),
    default=0,
    help="The number of full-point byes, in the first rounds.",
)
@positive("--table", help="A fixed table, where the player always sits.")
@_contact
@click.option(
    "--late",
    type=click.Choice(["absent", "bye", "half-bye"]),
    help="What the rounds before a late registration count as.",
)
@click.option("--alias", metavar="NAME", help="The name on pages, instead of the player's own.")
@flag("--minor", help="Under age: pages shorten the name (`Anna S.`).")
def add(
    session: Session, *, names: tuple[str, ...], tags: tuple[str, ...], byes: tuple[str, ...], **facts: Any
) -> None:
    """Register one or several players. Put a name of several words in quotes.

    Examples:
      tourney player add "Mira Oake" "Tomo Reed"
      tourney player add "Mira Oake" --rating 1800 --club Harbour --bye 3=half-bye
      tourney player add "Tomo Oake" --family Oake --division Juniors --minor
    """
    own_tags = pairs(tags, "--tag")
    for kind in ("club", "family", "division"):
        text = facts.pop(kind)
        if text is not None and kind in own_tags:
            raise click.UsageError(f"--{kind} and --tag {kind}=… are the same: use one of them")
        own_tags |= {kind: text} if text is not None else {}
    facts |= {"tags": own_tags, "byes": _byes(byes)}
    for option, value in facts.items() if len(names) > 1 else ():
        if value:
            raise click.UsageError(f"--{option.rstrip('s')} is for one player, but {len(names)} are named")
    with session.desk() as desk:
        session.answer(desk.add_player(names[0], **facts) if len(names) == 1 else desk.add_players(names))


def _byes(words: Sequence[str]) -> dict[int, str]:
    """Parse `ROUND=KIND` words. Raises click.UsageError if the round is not a number."""
    kinds = {}
    for number, kind in pairs(words, "--bye", "ROUND=KIND").items():
        try:
            kinds[parse_whole_number(number, digits=MAX_DIGITS)] = kind
        except TourneyError:
            raise click.UsageError(f"--bye takes ROUND=KIND, not `{number}={kind}`") from None
    return kinds


@command("import", changes=True)
@click.argument("file", type=click.Path(allow_dash=True))
@repeatable(
    "--column",
    "columns",
    metavar="HEADER=WHAT",
    help="The meaning of a column whose header is not known: name, first, last, nickname, rating, club, "
    "team, family, division, table, byes, awarded, late, contact, deck; tag (by its own name), skip.",
)
@click.option("--encoding", metavar="NAME", help="The encoding of the text, if it is detected wrongly.")
@click.option(
    "--sheet", metavar="NAME", help="The sheet of a workbook; by default the first sheet that is not empty."
)
@flag("--update", help="Also update registered players and their decks. An empty cell changes nothing.")
@vouch
def import_(
    session: Session,
    file: str,
    *,
    columns: tuple[str, ...],
    encoding: str | None,
    sheet: str | None,
    update: bool,
    trust_declared: bool,
) -> Exit | None:
    """Register all players of a file in one entry, all of them or none.

    The file has one name on a line, or is a CSV or an Excel sheet with a header, in English or another
    language, or an export of melee, EventLink, Cobra, TopDeck or Challonge. Columns: name (or first, last),
    rating, table, byes, awarded, late, contact, deck. Club, team, family, division and nickname become tags;
    any other column becomes a tag with the name of its header. Families are kept apart in every round, unless
    that would pair players further apart in points; for a hard rule use `round forbid`.

    Players who are already registered are listed and skipped; `--update` changes them, and their decks. If
    several rows have the same name, the last one is used.

    The cell of a deck has the whole list, or the name of a file in the same folder. Illegal decks are listed
    and not registered, and the command exits with 1; with 4 if a deck is unverified. `--dry-run` shows what
    each column becomes.

    Examples:
      tourney player import players.csv
      tourney player import club.xlsx --dry-run
      tourney player import corrected.csv --update
      tourney player import club.csv --column "Wer=name" --column "Notiz=skip"
      tourney player import - < names.txt
    """
    from tourney.desk.player_list import read_list
    from tourney.desk.registration import kinds_of_tags, register_list

    content = session.read(file)
    with session.desk() as desk:
        read = partial(
            read_list,
            content,
            source=source_of(file),
            encoding=encoding,
            sheet=sheet,
            kinds=kinds_of_tags(desk.state),
            read_file=_file_reader(file),
        )
        players = _read_list(session, read, _meanings(columns))
        _show_reading(session, players)
        receipt = register_list(desk, players, trust_declared=trust_declared, update=update)
        session.answer(receipt, list=players.summary)
    return _show_imported_decks(session, receipt)


def _meanings(words: Sequence[str]) -> dict[str, str]:
    """Parse `HEADER=WHAT` words; return the header of each column → what the column contains.

    The header may itself contain a `=`. Raises click.UsageError for a word without a `=`.
    """
    meanings = {}
    for word in words:
        header, equals, meaning = word.rpartition("=")
        if not equals or not header.strip():
            raise click.UsageError(f"--column takes HEADER=WHAT, not `{word}`")
        meanings[header.strip()] = meaning.strip().lower()
    return meanings


def _file_reader(file: str) -> Callable[[str], bytes | None]:
    """Return a function that reads a file named in a player list, such as a decklist.

    The function returns None for a file that does not exist, and for one outside the player list's folder. It
    always returns None if the player list comes from standard input.
    """
    folder = resolve_path(Path(file).parent)

    def read(name: str) -> bytes | None:
        path = resolve_path(folder / name.replace("\\", "/"))
        if file == "-" or not path.is_relative_to(folder) or not path.exists():
            return None
        return read_bytes(path)

    return read


def _read_list(session: Session, read: Callable[..., PlayerList], columns: dict[str, str]) -> PlayerList:
    """Read a list of players with `read_list`. If it is ambiguous, ask the user on a terminal."""
    from tourney.desk.player_list import MEANINGS, UnclearError

    for meaning in columns.values():
        if meaning not in MEANINGS and not meaning.startswith("tag "):
            raise click.UsageError(f"--column: `{meaning}` is not one of {', '.join(MEANINGS)}, tag KIND")
    while True:
        try:
            return read(columns=columns)
        except UnclearError as unclear:
            if session.json or session.quiet or not session.in_a_terminal:
                raise
            columns = {**columns, **_ask_columns(session, unclear)}


def _ask_columns(session: Session, unclear: UnclearError) -> dict[str, str]:
    session.talk(f"{unclear.message}; choose the column to use:")
    choices = list(unclear.answers)
    for number, choice in enumerate(choices, 1):
        session.talk(f"  {number}  {choice}")
    choice_number = click.prompt("number", type=click.IntRange(1, len(choices)), err=True)
    return dict(unclear.answers[choices[choice_number - 1]])


_FIRST_ROWS = 5
"""The maximum number of players that a preview shows."""


def _show_reading(session: Session, players: PlayerList) -> None:
    """Show how the file of a player list was read: its format, its columns, and notes.

    In a dry run, also show the first players.
    """
    plain = players.encoding in {"", "UTF-8", "UTF-16"}
    encoding = f" in {players.encoding}" if players.encoding else ""
    encoding += "" if plain else " (`--encoding NAME` where names look wrong)"
    if players.columns or players.form != "names" or not plain or session.dry_run:
        session.talk(f"{players.source}: {players.form}{encoding}")
    if len(players.columns) > 1 and not session.dry_run:
        session.talk(f"columns: {', '.join(map(_column_text, players.columns))}")
    for note in players.notes:
        session.talk(note)
    if session.dry_run:
        if players.columns:
            session.table(
                ["column", "becomes"],
                [
                    (column.header, _becomes(column.becomes, is_known=column.known))
                    for column in players.columns
                ],
            )
            session.say()
        _preview(session, players)


def _column_text(column: ListColumn) -> str:
    """Return a column's header and meaning: `Wer → name`; once if they are the same word."""
    becomes = _becomes(column.becomes)
    kind = becomes.removeprefix("tag ")
    if column.header.lower() != kind:
        return f"{column.header} → {becomes}"
    return kind if kind == becomes else f"{kind} (tag)"


def _becomes(column: str, *, is_known: bool = True) -> str:
    if not column:
        return "ignored"
    return _COLUMN_NAMES.get(column, column) + ("" if is_known else " (not known)")


_COLUMN_NAMES = {
    "first": "first name",
    "last": "last name",
    "awarded": "awarded byes",
    "email": "contact",
    "phone": "contact",
}


def _preview(session: Session, players: PlayerList) -> None:
    """Show the first players as they will be registered, without empty columns."""
    facts = [
        {"player": player.name, **dict(_facts_of(player)), **_deck_of(players, place)}
        for place, player in enumerate(players.players[:_FIRST_ROWS])
    ]
    heads = list(dict.fromkeys(head for row in facts for head in row))
    session.table(heads, [[row.get(head, "") for head in heads] for row in facts])
    if (more := len(players.players) - len(facts)) > 0:
        session.say(f"and {more} more")
    session.say()


def _deck_of(players: PlayerList, place: int) -> dict[str, str]:
    deck = players.decks.get(place)
    return {} if deck is None else {"deck": "none" if deck.fault else "a list"}


def _facts_of(player: Registration) -> Iterator[tuple[str, object]]:
    if isinstance(player.rating, int):
        yield "rating", player.rating
    yield from player.tags.items()
    byes = [
        *(f"{number}" for number in range(1, player.awarded + 1)),
        *(f"{at}:{kind}" for at, kind in player.byes.items()),
    ]
    if byes:
        yield "byes", " ".join(byes)
    for fact in ("table", "late", "contact"):
        if value := getattr(player, fact):
            yield fact, value


def _show_imported_decks(session: Session, receipt: ImportReceipt) -> Exit | None:
    """Show the decks that are not legal, and return the exit code."""
    if receipt.decks:
        faulty = [deck for deck in receipt.decks if deck.verdict != "legal"]
        show_decks(session, receipt.decks, receipt.contradictions, rows=faulty)
    return exit_for_decks(receipt.decks, receipt.contradictions)


# -- tourney player check-in, rename, change


@command("check-in", changes=True)
@all_or_named("All players who have not left.")
def check_in(
    session: Session, player_names: tuple[str, ...], all_players: bool, but: tuple[str, ...]
) -> None:
    """Check players in.

    Once one player is checked in, `round next` lists the missing players before it pairs round 1.
    `player drop --absent` drops them.

    Examples:
      tourney player check-in Mira Tomo
      tourney player check-in --all
      tourney player check-in --all --except Tomo --except Fenn
    """
    with session.desk() as desk:
        session.answer(desk.check_in_all(but) if all_players else desk.check_in(*player_names))


@change_command("rename")
@player_argument
@click.argument("name")
def rename(desk: Desk, player_name: str, name: str) -> Receipt:
    """Correct a player's name.

    Examples:
      tourney player rename "Mira Oak" "Mira Oake"
    """
    return desk.rename(player_name, name)


@command("change", changes=True)
@player_argument
@click.option("--rating", metavar="N|none", help="The rating, or none.")
@repeatable("--tag", "tags", metavar="KIND=TEXT", help="Add or replace a tag; without text, remove it.")
@repeatable(
    "--bye", "byes", metavar="ROUND=KIND", help=f"A round without a table: {_BYE_KINDS}; `play` cancels it."
)
@click.option("--table", metavar="N|none", help="A fixed table, or none.")
@_contact
@click.option("--alias", metavar="NAME|none", help="The name on pages, instead of the player's own, or none.")
@click.option("--minor/--no-minor", default=None, help="Under age: pages shorten the name (`Anna S.`).")
def change(
    session: Session, *, player_name: str, tags: tuple[str, ...], byes: tuple[str, ...], **options: Any
) -> None:
    """Change a player's rating, tags, byes, table, contact or alias. The rest stays as it is.

    Examples:
      tourney player change Mira --bye 3=half-bye
      tourney player change '#7' --rating none --tag club=
    """
    facts = {option: value for option, value in options.items() if value is not None}
    for option in ("rating", "table"):
        if option in facts:
            facts[option] = _number_or_none(facts[option], f"--{option}")
    if facts.get("alias", "").lower() == "none":
        facts["alias"] = None
    if tags:
        facts["tags"] = pairs(tags, "--tag")
    if byes:
        facts["byes"] = _byes(byes)
    if not facts:
        raise click.UsageError(
            "say what to change, with --rating, --tag, --bye, --table, --contact, --alias or --minor"
        )
    with session.desk() as desk:
        session.answer(desk.change_player(player_name, **facts))


def _number_or_none(text: str, option: str) -> int | None:
    if text.lower() == "none":
        return None
    try:
        return parse_whole_number(text, least=None, digits=MAX_DIGITS)
    except TourneyError:
        raise click.UsageError(f"{option} takes a number or `none`, not `{text}`") from None


# -- tourney player drop, return, disqualify, blank


@command("drop", changes=True)
@click.argument("player_names", metavar="[PLAYER]...", nargs=-1, shell_complete=players)
@flag(
    "--absent",
    help="All absent players: before round 1 those who are not checked in, later those who missed "
    "the last round.",
)
@reason
def drop(session: Session, player_names: tuple[str, ...], absent: bool, reason: str | None) -> None:
    """Drop players from the next round on.

    Examples:
      tourney player drop Tomo
      tourney player drop Tomo Fenn --reason "last bus"
      tourney player drop --absent
    """
    if bool(player_names) is absent:
        raise click.UsageError(
            "name players, or use --absent" if not player_names else "--absent takes no names"
        )
    with session.desk() as desk:
        session.answer(desk.drop_absent(reason=reason) if absent else desk.drop(*player_names, reason=reason))


@change_command("return")
@players_argument
@reason
def return_(desk: Desk, player_names: tuple[str, ...], reason: str | None) -> Receipt:
    """Let players who dropped play again from the next round on.

    Examples:
      tourney player return Tomo
    """
    return desk.return_(*player_names, reason=reason)


@change_command("disqualify")
@player_argument
@reason
def disqualify(desk: Desk, player_name: str, reason: str | None) -> Receipt:
    """Disqualify a player and remove them from the ranking.

    Their matches still count for the opponents.

    Examples:
      tourney player disqualify Tomo --reason "marked cards"
    """
    return desk.disqualify(player_name, reason=reason)


@command("blank", changes=True)
@player_argument
@repeatable(
    "--signed",
    metavar="NAME",
    help="A name with which the person signed entries, if it is not the whole name; can be repeated.",
)
@flag("--yes", help="Do not ask for confirmation.")
def blank(session: Session, player_name: str, signed: tuple[str, ...], yes: bool) -> None:
    """Delete a person's name, deck and notes for good; results and standings stay.

    The command also deletes registrations that were undone, texts of others that name the person (reasons,
    contacts, tags, remarks in decks), the signature on entries, and all of these in .tourney-backups/.
    Nothing more can be written about the person. Every folder to which pages or sheets were written from this
    machine is written again. This cannot be undone, so the command asks. Exports, and copies of pages
    elsewhere, keep the texts: delete those yourself.

    Examples:
      tourney player blank Tomo
      tourney player blank '#7' --yes
    """
    from tourney.desk.erasing import erase, erasure, person

    with session.desk() as desk:
        player = person(desk, player_name)
        deletion = erasure(desk, player.id, signed)
        other_numbers = (
            f" ({listed(f'#{number}' for number in deletion.numbers)})" if len(deletion.numbers) > 1 else ""
        )
        names = listed(desk.state.players[player].name for player in deletion.decks)
        owners = f", and the deck of {names}, which contains the name,"
        person_text = f"{player.name}{other_numbers}{owners if deletion.decks else ''}"
        question = f"Delete the name, deck and notes of {person_text} for good?"
        if not (yes or session.dry_run or session.agrees(question)):
            raise TourneyError("nothing was deleted")
        receipt = erase(desk, player.id, signed)
        if not session.dry_run and (devices := _erase_from_devices(session, desk.chain[0], deletion.names)):
            line = f"The name was also deleted from {counted(devices, 'staff device')}."
            receipt = receipt.plus([line])
        session.answer(receipt)


def _erase_from_devices(session: Session, first_digest: str, names: Iterable[str]) -> int:
    """Delete names of staff from the event's devices; return the number of devices changed."""
    if (devices := session.known_devices(first_digest)) is None:
        return 0
    with devices:
        return devices.erase_names(names)
