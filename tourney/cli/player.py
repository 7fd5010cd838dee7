"""`tourney player`: who plays."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any

import click

from tourney.cards.names import fold
from tourney.cli.command import noun
from tourney.cli.deck_check import DeckFile, deck_files
from tourney.cli.options import (
    all_or_named,
    byes,
    check_all_or_named,
    pairs,
    pairs_at_last,
    players,
    reason,
    several,
    who,
)
from tourney.cli.output import Exit, already_written, table_text
from tourney.cli.session import (
    Session,
    answer,
    answering,
    as_json,
    foretell,
    say_changed,
    source_of,
    who_is_meant,
)
from tourney.decode import MOST_DIGITS
from tourney.errors import Finding, RulesError, Severity, TourneyError
from tourney.record import whole_from_text
from tourney.wording import counted, listed, listed_short

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from tourney.desk import DeckReceipt, Desk, ImportedDeck, ImportReceipt
    from tourney.desk.player_list import Column, PlayerList, UnclearError
    from tourney.event.players import Registration
    from tourney.event.state import Player
    from tourney.event.view import EventView, FinalView, PlaceView, PlayerView, RowView, StandingsView


cli = noun("player")


_KINDS = "awarded-bye, half-bye or absent"
_trust = click.option(
    "--trust-declared",
    is_flag=True,
    help="Believe the facts a list declares where the pool knows nothing; you vouch for them by name.",
)


# -- tourney player add and import


@cli.command(
    "add",
    event=True,
    dry_run=True,
    examples=[
        'tourney player add "Mira Oake" "Tomo Reed"',
        'tourney player add "Mira Oake" --rating 1800 --tag club=Harbour --bye 3=half-bye',
    ],
)
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--rating", type=int, help="Their rating, for a first round by rating.")
@click.option(
    "--tag",
    "tags",
    metavar="KIND=TEXT",
    multiple=True,
    help="A tag such as club=Harbour; see `event new --keep-apart`.",
)
@click.option(
    "--bye", "announced", metavar="ROUND=KIND", multiple=True, help=f"A round without a table: {_KINDS}."
)
@click.option(
    "--awarded",
    type=click.IntRange(min=0),
    default=0,
    help="In how many of the first rounds they have a full-point bye.",
)
@click.option("--table", type=click.IntRange(min=1), help="A fixed table; opponents come to it.")
@click.option("--contact", metavar="TEXT", help="Anything else to keep about the person; never published.")
@click.option(
    "--late",
    type=click.Choice(["absent", "bye", "half-bye"]),
    help="What the rounds a latecomer missed count as.",
)
@click.option("--alias", metavar="NAME", help="What pages call the player instead of the name.")
@click.option("--minor", is_flag=True, help="Under age: pages shorten the name (`Anna S.`).")
def add(
    session: Session,
    *,
    names: tuple[str, ...],
    rating: int | None,
    tags: tuple[str, ...],
    announced: tuple[str, ...],
    awarded: int,
    table: int | None,
    contact: str | None,
    late: str | None,
    alias: str | None,
    minor: bool,
) -> None:
    """Register one player or several; a name of several words stands in quotes."""
    facts: dict[str, Any] = {
        "rating": rating,
        "tags": pairs(tags, "--tag") or None,
        "byes": byes(announced) or None,
        "awarded": awarded,
        "table": table,
        "contact": contact,
        "late": late,
        "alias": alias,
        "minor": minor,
    }
    given = [key for key, value in facts.items() if value]
    if len(names) > 1 and given:
        raise click.UsageError(f"--{given[0].rstrip('s')} is for one player, and {len(names)} are named")
    with session.desk() as desk:
        if len(names) == 1:
            answer(session, desk.add_player(names[0], **facts))
        else:
            answer(session, desk.add_players(names))


@cli.command(
    "import",
    event=True,
    dry_run=True,
    examples=[
        "tourney player import players.csv",
        "tourney player import club.xlsx --dry-run",
        'tourney player import club.csv --column "Wer=name" --column "Notiz=skip"',
        "tourney player import - < names.txt",
    ],
)
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--column",
    "columns",
    metavar="HEADER=WHAT",
    multiple=True,
    help="What a column is, where its header does not say it: name, first, last, nickname, rating, club, team, family, "
    "division, table, byes, awarded, late, contact, deck; tag (by its own name), skip.",
)
@click.option("--encoding", metavar="NAME", help="The text's encoding, where the one found is not it.")
@click.option("--sheet", metavar="NAME", help="The sheet of a workbook; without it the first that is filled.")
@_trust
def import_(
    session: Session,
    file: str,
    *,
    columns: tuple[str, ...],
    encoding: str | None,
    sheet: str | None,
    trust_declared: bool,
) -> Exit | None:
    """Register all players of a file, in one entry: all or none.

    A name a line; CSV or an Excel sheet with a header, in English or another language; or what melee, EventLink,
    Cobra, TopDeck or Challonge export. Columns: name (or first, last), rating, table, byes, awarded, late, contact, deck;
    club, team, family, division and nickname become tags, any other column a tag of that kind. Families are kept apart
    in every round. Names registered already are left out and told.

    Decks are whole lists in the cells, or names of files beside the list. Illegal ones are told and not registered;
    the command then leaves with 1, with 4 where one is unverified. --dry-run shows what each column becomes.
    """
    content = session.read(file)
    with session.desk() as desk:
        how = {"encoding": encoding, "sheet": sheet, "kinds": desk.kinds_of_tags(), "beside": _beside(file)}
        players = _read_list(
            session, content, pairs_at_last(columns, "--column"), source=source_of(file), **how
        )
        if not session.json:
            _say_how_read(session, players)
        receipt = desk.register_list(players, trust_declared=trust_declared)
        answer(
            session,
            receipt,
            list=_list_json(players),
            decks=receipt.decks,
            contradictions=receipt.contradictions,
        )
    return _tell_imported_decks(session, receipt)


def _beside(file: str) -> Callable[[str], bytes | None]:
    """Return what reads a file by its name in a cell: from the list's own folder and those below it, and nowhere else."""
    from tourney.store.files import read_bytes, resolved

    folder = resolved(Path(file).parent)

    def read(name: str) -> bytes | None:
        path = resolved(folder / name.replace("\\", "/"))
        if file == "-" or not path.is_relative_to(folder) or not path.exists():
            return None
        return read_bytes(path)

    return read


def _read_list(
    session: Session, content: bytes, columns: dict[str, str], *, source: str, **how: Any
) -> PlayerList:
    """Read a list of players; where it can be read in more than one way, ask on a terminal."""
    from tourney.desk.player_list import MEANINGS, UnclearError, read_list

    for meaning in columns.values():
        if meaning not in MEANINGS and not meaning.startswith("tag "):
            raise click.UsageError(f"--column: `{meaning}` is not one of {', '.join(MEANINGS)}, tag KIND")
    while True:
        try:
            return read_list(content, source=source, columns=columns, **how)
        except UnclearError as unclear:
            if session.json or session.quiet or not session.in_a_terminal:
                raise
            columns = {**columns, **_answered(session, unclear)}


def _answered(session: Session, unclear: UnclearError) -> dict[str, str]:
    session.talk(unclear.question)
    choices = list(unclear.answers)
    for number, each in enumerate(choices, 1):
        session.talk(f"  {number}  {each}")
    chosen = click.prompt("number", type=click.IntRange(1, len(choices)), err=True)
    return dict(unclear.answers[choices[chosen - 1]])


_FIRST_ROWS = 5
"""Players that a preview shows."""


def _say_how_read(session: Session, players: PlayerList) -> None:
    """Say what a list was taken for; before a dry run, what each column becomes and the first players."""
    plain = players.encoding in {"", "UTF-8", "UTF-16"}
    encoding = f" in {players.encoding}" if players.encoding else ""
    encoding += "" if plain else " (`--encoding NAME` where names look wrong)"
    if players.columns or players.form != "names" or not plain or session.dry_run:
        session.talk(f"{players.source}: {players.form}{encoding}")
    if len(players.columns) > 1 and not session.dry_run:
        session.talk(f"columns: {', '.join(_said(each) for each in players.columns)}")
    for note in players.notes:
        session.talk(note)
    if session.dry_run:
        if players.columns:
            session.table(
                ["column", "becomes"],
                [(each.header, _becomes(each.becomes, known=each.known)) for each in players.columns],
            )
            session.say()
        _preview(session, players)


def _said(column: Column) -> str:
    """Say what a column becomes, in short where its header says it."""
    becomes = _becomes(column.becomes)
    kind = becomes.removeprefix("tag ")
    if column.header.lower() != kind:
        return f"{column.header} → {becomes}"
    return kind if kind == becomes else f"{kind} (tag)"


def _becomes(column: str, *, known: bool = True) -> str:
    if not column:
        return "passed over"
    named = {
        "first": "first name",
        "last": "last name",
        "awarded": "awarded byes",
        "email": "contact",
        "phone": "contact",
    }
    return named.get(column, column) + ("" if known else " (not known)")


def _preview(session: Session, players: PlayerList) -> None:
    """Show the first players as they will be registered, with the columns of which they have anything."""
    facts = [
        {
            "player": each.name,
            **dict(_facts_of(each)),
            **_deck_of(players, place),
        }
        for place, each in enumerate(players.players[:_FIRST_ROWS])
    ]
    heads = list(dict.fromkeys(head for each in facts for head in each))
    session.table(heads, [[each.get(head, "") for head in heads] for each in facts])
    if (more := len(players.players) - len(facts)) > 0:
        session.say(f"and {more} more")
    session.say()


def _deck_of(players: PlayerList, place: int) -> dict[str, str]:
    deck = players.decks.get(place)
    return {} if deck is None else {"deck": "none" if deck.fault else "a list"}


def _facts_of(player: Registration) -> Iterator[tuple[str, object]]:
    if player.rating is not None:
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


def _list_json(players: PlayerList) -> dict[str, Any]:
    return {
        "form": players.form,
        "encoding": players.encoding or None,
        "columns": players.columns,
        "notes": players.notes,
        "players": len(players.players),
    }


def _tell_imported_decks(session: Session, receipt: ImportReceipt) -> Exit | None:
    """Tell what became of the decks that are not simply legal."""
    decks = receipt.decks
    told = [each for each in decks if each.verdict != "legal"]
    if told and not session.json:
        rows = [(each.file, each.player, each.verdict or "–", each.said) for each in told]
        session.table(["list", "player", "verdict", "why"], rows)
    if decks and not session.json:
        session.talk(f"{sum(each.registered for each in decks)} of {len(decks)} lists registered")
        _say_vouched(session, decks, receipt.contradictions)
    return _way_out(decks, receipt.contradictions)


def _way_out(decks: Sequence[ImportedDeck], contradictions: Sequence[Finding]) -> Exit | None:
    if not all(each.registered for each in decks):
        return Exit.FOUND
    doubtful = any(each.vouched for each in decks) and contradictions
    return Exit.UNVERIFIED if doubtful or any(each.verdict == "unverified" for each in decks) else None


# -- tourney player list and show


@cli.command(
    "list",
    event=True,
    examples=[
        "tourney player list",
        "tourney player list --without-deck",
        "tourney player list --division Juniors",
    ],
)
@click.option("--playing", is_flag=True, help="Only players who have not left.")
@click.option(
    "--without-deck",
    is_flag=True,
    help="Only players with neither a registered deck nor leave to play without one.",
)
@click.option("--absent", is_flag=True, help="Only players who are not checked in.")
@click.option(
    "--division", metavar="NAME", help="Only players of a division: those with this tag `division`."
)
@click.option(
    "--tag", "tags", metavar="KIND=TEXT", multiple=True, help="Only players with a tag, such as club=Harbour."
)
def list_(
    session: Session,
    *,
    playing: bool,
    without_deck: bool,
    absent: bool,
    division: str | None,
    tags: tuple[str, ...],
) -> None:
    """List the players in order of registration."""
    wanted = pairs(tags, "--tag") | ({"division": division} if division else {})
    with session.desk() as desk:
        everybody = desk.state.players.values()
        shown = [
            player
            for player in everybody
            if (player.playing or not (playing or without_deck or absent))
            and not (without_deck and (player.deck or player.waived))
            and not (absent and player.checked_in)
            and _wears(player, wanted)
        ]
        _refuse_unworn(everybody, wanted)
    if session.json:
        session.emit("players/1", {"players": [player_json(player) for player in shown]})
        return
    if shown:
        session.table(["#", "player", "deck", "here", "note"], [_row(player) for player in shown], right=(0,))
    of = f" of {len(everybody)}" if len(shown) != len(everybody) else ""
    session.talk(f"{len(shown)}{of} players" if of else counted(len(shown), "player"))


def _wears(player: Player, wanted: Mapping[str, str]) -> bool:
    """Say whether a player has all of these tags, whatever the case and the accents."""
    return all(
        kind in player.tags and fold(player.tags[kind][1]) == fold(text) for kind, text in wanted.items()
    )


def _refuse_unworn(everybody: Collection[Player], wanted: Mapping[str, str]) -> None:
    """Refuse a tag that nobody has: more likely mistyped than meant. Raises TourneyError."""
    for kind, text in wanted.items():
        if not any(_wears(player, {kind: text}) for player in everybody):
            worn = dict.fromkeys(player.tags[kind][1] for player in everybody if kind in player.tags)
            there = listed([f"`{each}`" for each in [*worn][:12]])
            raise TourneyError(
                f"nobody has the {kind} `{text}`", f"there are {there}" if worn else f"nobody has a {kind}"
            )


def _row(player: Player) -> list[str]:
    return [str(player.id), player.name, _deck(player), "yes" if player.checked_in else "", note(player)]


def _deck(player: Player) -> str:
    if player.deck:
        return f"{player.deck.verdict}{', vouched for' if player.deck.vouched else ''}"
    return "waived" if player.waived else ""


def note(player: Player) -> str:
    """Say in a word or two why a player is not simply playing."""
    if player.disqualified is not None:
        return f"disqualified {_after(player.disqualified)}"
    if player.dropped is not None:
        return f"dropped {_after(player.dropped)}"
    if player.since > 1:
        return f"since round {player.since}"
    return ""


def _after(number: int) -> str:
    return f"after round {number}" if number else "before round 1"


def player_json(player: Player) -> dict[str, Any]:
    """Return a player as the JSON of `player list` and `player show` has them."""
    return {
        "id": player.id,
        "name": player.name,
        "playing": player.playing,
        "since": player.since,
        "dropped": player.dropped,
        "disqualified": player.disqualified,
        "deck": player.deck.verdict if player.deck else None,
        **({"vouched": True} if player.deck and player.deck.vouched else {}),
        "waived": player.waived,
        "checked_in": player.checked_in,
        "rating": player.rating,
        "table": player.table,
        "tags": {kind: text for kind, (_, text) in player.tags.items()},
        "byes": {str(number): outcome.value for number, outcome in player.byes.items()},
        **({"alias": player.alias[1]} if player.alias else {}),
        **({"minor": True} if player.minor else {}),
    }


@cli.command("show", event=True, examples=["tourney player show Mira", "tourney player show '#7' --json"])
@who
def show(session: Session, who: str) -> None:
    """Show one player: facts, matches so far, place, and the contact, which is for the desk and never published."""
    from tourney.desk.views import event_view

    with session.desk() as desk:
        player = desk.state.players[who_is_meant(session, desk, who)]
        view = event_view(desk, why=False, held=True, whole_names=True)
        page = next(page for page in view.players if page.player == player.id)
        if session.json:
            session.emit("player/1", _shown_json(desk, player, view, page))
        else:
            _print_player(session, desk, player, view, page)


def _shown_json(desk: Desk, player: Player, view: EventView, page: PlayerView) -> dict[str, Any]:
    from tourney.cli.audit import check_json
    from tourney.cli.penalty import penalty_json
    from tourney.event.penalties import deck_checks, history

    state, texts = desk.state, desk.texts
    return {
        **player_json(player),
        "contact": _contact(desk, player),
        **_vouched_json(desk, player),
        "matches": page.matches,
        "standing": page.row,
        **({"place": page.place} if page.place else {}),
        "as_of": view.standings.heading,
        "provisional": view.standings.provisional,
        "penalties": [penalty_json(state, each, texts) for each in history(state, player.id)],
        "deck_checks": [
            check_json(state, each, texts) for each in deck_checks(state) if each.player == player.id
        ],
    }


def _vouched_json(desk: Desk, player: Player) -> dict[str, Any]:
    vouched = player.deck and player.deck.vouched
    if not vouched:
        return {}
    return {
        "vouched_by": desk.texts.get(vouched),
        "declared": [
            {"line": each.line, "card": each.card, "attribute": each.attribute, "value": each.value}
            for each in desk.declared().get(player.name, ())
        ],
    }


def _print_player(session: Session, desk: Desk, player: Player, view: EventView, page: PlayerView) -> None:
    session.say(", ".join(filter(None, [f"{player.name} (#{player.id})", _stands(page, view)])))
    if stated := [(name, value) for name, value in _facts(desk, player) if value]:
        session.say(indent(table_text([], stated), "  "))
    if not page.matches:
        return
    sided = any(match.side for match in page.matches)
    rows = [
        (
            match.title,
            match.table or "",
            *([match.side] if sided else []),
            " – ".join(name for _, name in match.opponents),
            match.result,
            match.points,
        )
        for match in page.matches
    ]
    columns = ["round", "table", *(["side"] if sided else []), "against", "result", "points"]
    session.table(columns, rows, right=(1, len(columns) - 1))


def _facts(desk: Desk, player: Player) -> Iterator[tuple[str, object]]:
    """Give what is known of a player, each with its name; what is empty is not known."""
    from tourney.cli.audit import check_text
    from tourney.cli.penalty import penalty_text
    from tourney.decks.resolving import in_words
    from tourney.event.penalties import deck_checks, history

    yield "deck", _deck(player)
    if player.deck and player.deck.vouched:
        yield "vouched by", desk.texts.get(player.deck.vouched) or "(deleted)"
        yield from (("declared", each) for each in in_words(desk.declared().get(player.name, ())))
    yield "note", note(player)
    yield "rating", player.rating
    yield "table", player.table
    yield from ((kind, text) for kind, (_, text) in player.tags.items())
    yield from ((f"round {number}", outcome.value) for number, outcome in player.byes.items())
    yield "alias", player.alias and player.alias[1]
    yield "under age", player.minor and "pages shorten the name"
    yield "contact", _contact(desk, player)
    for penalty in history(desk.state, player.id):
        yield "penalty", penalty_text(penalty, desk.texts)
    for check in deck_checks(desk.state):
        if check.player == player.id:
            yield "deck check", check_text(check, desk.texts)


def _contact(desk: Desk, player: Player) -> str | None:
    """Return what is known of how to reach a player: for the desk alone, no page and no list has it."""
    if player.contact is None:
        return None
    return desk.texts.get(player.contact) or "(deleted)"


def _stands(page: PlayerView, view: EventView) -> str:
    """Say where a player stands: the place by the bracket, the rank in the Swiss rounds; empty where there is neither."""
    place = _place(page.place, view.final) if page.place and view.final else ""
    if page.row is None or not (view.final is None or view.final.swiss):
        return place
    rank = _rank(page.row, view.standings)
    return f"{place}; in the Swiss rounds {rank}" if place else rank


def _place(row: PlaceView, final: FinalView) -> str:
    """Say a player's place in the final ranking: `place 3, lost in the semifinals`; while it is open, so far."""
    so_far = "" if final.finished else f" ({final.counts})"
    if row.first is None:
        return f"{row.note or row.came}, without a place{so_far}"
    if row.came == "still in":
        return f"still in the bracket{so_far}"
    return f"{row.places}{f', {row.came}' if row.came else ''}{so_far}"


def _rank(row: RowView, standings: StandingsView) -> str:
    """Say a player's rank: `rank 3 with 2½ points`, and while tables play, that it may change."""
    points = f"{row.points} {'point' if row.points in ('1', '½') else 'points'}"
    so_far = f" ({standings.heading})" if standings.provisional else ""
    if row.rank is None:
        return f"{points}, without a rank{so_far}"
    return f"rank {row.rank} with {points}{so_far}"


# -- tourney player deck, decks, waive-deck: registering what is played


@cli.command(
    "deck",
    event=True,
    dry_run=True,
    examples=[
        "tourney player deck Mira decks/mira.txt",
        "tourney player deck Mira - < decks/mira.txt",
        "tourney player deck Mira",
    ],
)
@who
@click.argument("file", type=click.Path(allow_dash=True), required=False)
@click.option(
    "--anyway",
    is_flag=True,
    help="Register it though it is illegal, or decks are locked (the organizer's word).",
)
@_trust
def deck(session: Session, who: str, file: str | None, anyway: bool, trust_declared: bool) -> Exit | None:
    """Check a decklist under the event's own rules and register it; without a file, print the registered one.

    An illegal list is not registered: the findings are told, and the command leaves with 1. One that cannot be
    settled is registered and leaves with 4, as does one that is trusted where another list of the event denies a fact.
    """
    if file is None:
        if anyway or trust_declared:
            raise click.UsageError(
                f"{'--anyway' if anyway else '--trust-declared'} is about a list that is handed in: name its FILE"
            )
        _print(session, who)
        return None
    data = session.read(file)
    with session.desk() as desk:
        receipt = desk.submit_deck(
            who, data, source=source_of(file), anyway=anyway, trust_declared=trust_declared
        )
    with answering(session, receipt) if receipt.entries else nullcontext():
        tell_deck(session, receipt)
    if receipt.verdict == "illegal":
        return None if receipt.entries else Exit.FOUND
    unsettled = any(each.severity is Severity.UNVERIFIED for each in receipt.findings)
    return Exit.UNVERIFIED if unsettled else None


def _print(session: Session, who: str) -> None:
    with session.desk() as desk:
        text = desk.deck_text(who)
        name = desk.state.players[who_is_meant(session, desk, who)].name
    if session.json:
        session.emit("player-deck/1", {"player": name, "text": text})
    else:
        session.say(text.rstrip("\n"))


def tell_deck(session: Session, receipt: DeckReceipt) -> None:
    """Tell what became of a list: the change, the findings, what is next."""
    if session.json:
        session.emit(
            "player-deck-receipt/1",
            {
                **as_json(session, receipt),
                "verdict": receipt.verdict,
                "findings": receipt.findings,
                "facts_used": receipt.facts_used,
            },
        )
        return
    from tourney.cli.deck_check import cited, rows

    say_changed(session, receipt)
    if receipt.findings:
        for line in (*rows(receipt.findings), *cited(receipt.findings)):
            session.say(line)
    for note in receipt.warnings:
        session.talk(f"note: {note}")
    for sentence in receipt.next:
        session.talk(sentence)


@cli.command(
    "decks",
    event=True,
    dry_run=True,
    examples=["tourney player decks decks/", "tourney player decks decks/ --dry-run"],
)
@click.argument("folders", metavar="DIR|FILE...", nargs=-1, required=True, type=click.Path())
@_trust
def decks(session: Session, folders: tuple[str, ...], trust_declared: bool) -> Exit | None:
    """Check and register the decklists of a whole folder.

    Whose list it is says its first line `Name: …`, else the file's name (mira-oake.txt). Illegal lists and those of
    nobody are told and not registered; the command then leaves with 1, with 4 where one is unverified.
    """
    files = deck_files(folders)
    with session.desk() as desk, session.progress(files, "registering", len(files)) as walked:
        contents = {each.source: _content(session, desk, each) for each in files}
        filed = [_file(desk, each, contents[each.source], trust_declared=trust_declared) for each in walked]
        state = desk.state
        contradictions = desk.contradictions([each.player for each in filed if each.registered])
    registered = [each.player for each in filed if each.registered]
    with (
        already_written(f"registered: {listed(registered)}")
        if registered and not session.dry_run
        else nullcontext()
    ):
        if session.json:
            session.emit(
                "player-decks/1",
                {
                    "decks": filed,
                    "contradictions": contradictions,
                    "entry": state.entry,
                    "digest": state.digest,
                },
            )
        else:
            _tell_filed(session, filed, contradictions)
    return _way_out(filed, contradictions)


def _content(session: Session, desk: Desk, file: DeckFile) -> bytes | TourneyError:
    """Read and judge a list, or say why it cannot be.

    Every list is, before the first is registered: what the rules or the pool cannot judge (RulesError) leaves nothing
    behind.
    """
    from tourney.desk.rules import judge_deck

    try:
        content = file.content(session)
        judge_deck(desk, content, source=file.source)
    except RulesError:
        raise
    except TourneyError as fault:
        return fault
    return content


def _file(desk: Desk, file: DeckFile, data: bytes | TourneyError, *, trust_declared: bool) -> ImportedDeck:
    from tourney.desk import ImportedDeck

    try:
        if isinstance(data, TourneyError):
            raise data
        player = desk.who(_player(desk, data, file), bare=False)  # `7.txt` is the seventh file of a folder
        receipt = desk.submit_deck(player, data, source=file.source, trust_declared=trust_declared)
    except RulesError:
        raise
    except TourneyError as fault:
        return ImportedDeck(file.source, "", "", registered=False, said=fault.message)
    name = receipt.state.players[player].name
    told = ImportedDeck.of(file.source, name, receipt)
    return replace(told, registered=bool(receipt.entries) or receipt.already)


def _player(desk: Desk, data: bytes, file: DeckFile) -> str:
    """Return whose list it is, as written: in the list, else in the file's name."""
    from tourney.decks.reading import read
    from tourney.decks.reading.headers import vocabulary_of

    written = read(data, source=file.source, vocabulary=vocabulary_of(desk.rules.format)).player
    return written or file.path.replace("\\", "/").rpartition("/")[2].partition(".")[0].translate(
        {45: " ", 95: " "}
    )


def _tell_filed(session: Session, filed: Sequence[ImportedDeck], contradictions: Sequence[Finding]) -> None:
    foretell(session)
    rows = [(each.file, each.player, each.verdict or "–", each.said) for each in filed]
    session.table(["list", "player", "verdict", "why"], rows)
    registered = sum(each.registered for each in filed)
    session.talk(f"{registered} of {len(filed)} lists registered")
    _say_vouched(session, filed, contradictions)


def _say_vouched(session: Session, decks: Sequence[ImportedDeck], contradictions: Sequence[Finding]) -> None:
    """Say whose decks rest on facts that they declare, and which of these another list of the event denies."""
    for each in contradictions:
        session.talk(f"warning: {each.message}")
    names = [each.player for each in decks if each.registered and each.vouched]
    if names:
        of = "list" if len(names) == 1 else "lists"
        session.talk(
            f"on your word: the facts that the {of} of {listed_short(names)} declare{'s' if of == 'list' else ''}"
            " (`tourney player show NAME` has them)"
        )


@cli.command(
    "waive-deck",
    event=True,
    dry_run=True,
    examples=["tourney player waive-deck Mira Tomo", "tourney player waive-deck --all --except Fenn"],
)
@all_or_named("Everybody who has not left and has no decklist.")
@reason
def waive(
    session: Session, who: tuple[str, ...], everybody: bool, but: tuple[str, ...], reason: str | None
) -> None:
    """Note that players need not hand in a list."""
    check_all_or_named(who, everybody, but)
    with session.desk() as desk:
        answer(
            session,
            desk.waive_all_decks(but, reason=reason) if everybody else desk.waive_deck(*who, reason=reason),
        )


# -- tourney player check-in, rename, change: what is known of a player


@cli.command(
    "check-in",
    event=True,
    dry_run=True,
    examples=[
        "tourney player check-in Mira Tomo",
        "tourney player check-in --all",
        "tourney player check-in --all --except Tomo --except Fenn",
    ],
)
@all_or_named("Everybody who has not left.")
def check_in(session: Session, who: tuple[str, ...], everybody: bool, but: tuple[str, ...]) -> None:
    """Note that players were seen at the desk.

    Once anybody is checked in, whoever is not is named before round 1; `player drop --absent` takes them out.
    """
    check_all_or_named(who, everybody, but)
    with session.desk() as desk:
        answer(session, desk.check_in_all(but) if everybody else desk.check_in(*who))


@cli.command("rename", event=True, dry_run=True, examples=['tourney player rename "Mira Oak" "Mira Oake"'])
@who
@click.argument("name")
def rename(session: Session, who: str, name: str) -> None:
    """Put a player's name right."""
    with session.desk() as desk:
        answer(session, desk.rename(who, name))


@cli.command(
    "change",
    event=True,
    dry_run=True,
    examples=[
        "tourney player change Mira --bye 3=half-bye",
        "tourney player change '#7' --rating none --tag club=",
    ],
)
@who
@click.option("--rating", metavar="N|none", help="The rating, or none.")
@click.option(
    "--tag",
    "tags",
    metavar="KIND=TEXT",
    multiple=True,
    help="Add or replace a tag; without text, take it away.",
)
@click.option("--bye", "announced", metavar="ROUND=KIND", multiple=True, help=f"{_KINDS}; play to lift it.")
@click.option("--table", metavar="N|none", help="A fixed table, or none.")
@click.option("--contact", metavar="TEXT", help="Anything else to keep about the person; never published.")
@click.option("--alias", metavar="NAME|none", help="What pages call the player instead of the name, or none.")
@click.option("--minor/--no-minor", default=None, help="Under age: pages shorten the name (`Anna S.`).")
def change(
    session: Session,
    *,
    who: str,
    rating: str | None,
    tags: tuple[str, ...],
    announced: tuple[str, ...],
    table: str | None,
    contact: str | None,
    alias: str | None,
    minor: bool | None,
) -> None:
    """Change what is known of a player; what is not named stays."""
    facts: dict[str, Any] = {}
    if rating is not None:
        facts["rating"] = _number_or_none(rating, "--rating")
    if table is not None:
        facts["table"] = _number_or_none(table, "--table")
    if contact is not None:
        facts["contact"] = contact
    if alias is not None:
        facts["alias"] = None if alias.lower() == "none" else alias
    if minor is not None:
        facts["minor"] = minor
    if tags:
        facts["tags"] = pairs(tags, "--tag")
    if announced:
        facts["byes"] = byes(announced)
    if not facts:
        raise click.UsageError(
            "say what to change: --rating, --tag, --bye, --table, --contact, --alias or --minor"
        )
    with session.desk() as desk:
        answer(session, desk.change_player(who, **facts))


def _number_or_none(text: str, option: str) -> int | None:
    if text.lower() == "none":
        return None
    try:
        return whole_from_text(text, least=None, digits=MOST_DIGITS)
    except TourneyError:
        raise click.UsageError(f"{option} takes a number or `none`, not `{text}`") from None


# -- tourney player drop, return, disqualify, blank: whoever leaves


@cli.command(
    "drop",
    event=True,
    dry_run=True,
    examples=[
        "tourney player drop Tomo",
        'tourney player drop Tomo Fenn --reason "last bus"',
        "tourney player drop --absent",
    ],
)
@click.argument("who", metavar="PLAYER...", nargs=-1, shell_complete=players)
@click.option(
    "--absent",
    is_flag=True,
    help="Whoever is not here: before round 1 not checked in, later not seen in the last round.",
)
@reason
def drop(session: Session, who: tuple[str, ...], absent: bool, reason: str | None) -> None:
    """Take players out from the next round on."""
    if bool(who) is absent:
        raise click.UsageError("name players, or say --absent" if not who else "--absent needs no names")
    with session.desk() as desk:
        answer(session, desk.drop_absent(reason=reason) if absent else desk.drop(*who, reason=reason))


@cli.command("return", event=True, dry_run=True, examples=["tourney player return Tomo"])
@several
@reason
def return_(session: Session, who: tuple[str, ...], reason: str | None) -> None:
    """Let players who dropped play again from the next round on."""
    with session.desk() as desk:
        answer(session, desk.return_(*who, reason=reason))


@cli.command(
    "disqualify",
    event=True,
    dry_run=True,
    examples=['tourney player disqualify Tomo --reason "marked cards"'],
)
@who
@reason
def disqualify(session: Session, who: str, reason: str | None) -> None:
    """Take a player out of the ranking; those who met them still have."""
    with session.desk() as desk:
        answer(session, desk.disqualify(who, reason=reason))


@cli.command(
    "blank",
    event=True,
    dry_run=True,
    examples=["tourney player blank Tomo", "tourney player blank '#7' --yes"],
)
@who
@click.option(
    "--signed",
    multiple=True,
    metavar="NAME",
    help="A name they signed as at the desk, where it is not their whole name; several times for several.",
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def erase(session: Session, who: str, signed: tuple[str, ...], yes: bool) -> None:
    """Delete a person's name, deck and notes for good; results and standings stay.

    Gone, too, are registrations of theirs that were taken back, what others wrote that names them (reasons, contacts,
    tags, decks with a remark), what they signed, and all of it in .tourney-backups/; nothing more can be written about
    them. This cannot be undone, so it asks. Exports and pages made before keep the texts: delete those.
    """
    from tourney.desk.erasing import erasure, person

    with session.desk() as desk:
        player = person(desk, who)
        gone = erasure(desk, player.id, signed)
        also = f" ({listed(f'#{each}' for each in gone.numbers)})" if len(gone.numbers) > 1 else ""
        theirs = f", and the deck of {listed(desk.state.players[each].name for each in gone.decks)}, which names them,"
        question = (
            f"Delete the name, deck and notes of {player.name}{also}{theirs if gone.decks else ''} for good?"
        )
        if not yes and not session.agrees(question):
            raise TourneyError("nothing was deleted")
        answer(session, desk.erase(player.id, signed))
