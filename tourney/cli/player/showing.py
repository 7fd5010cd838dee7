"""`tourney player list` and `show`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from textwrap import indent
from typing import TYPE_CHECKING

import click

import tourney.decks as decklists
from tourney.cards.names import fold
from tourney.cli.answers import find_player
from tourney.cli.audit import check_text
from tourney.cli.command import command
from tourney.cli.options import pairs, who
from tourney.cli.output import table_text
from tourney.cli.penalty import penalty_text
from tourney.cli.session import Session
from tourney.desk import Desk
from tourney.errors import Finding, TourneyError
from tourney.event.deck_checks import deck_checks
from tourney.event.documents import DeclaredFact, PlayerDocument, PlayersDocument, player_document, player_row
from tourney.event.entry import Texts, written
from tourney.event.penalties import history
from tourney.event.phrases import unchecked
from tourney.event.state import Player, Round, State
from tourney.event.view import EventView, FinalView, PlaceView, PlayerView, RowView, StandingsView
from tourney.wording import counted, listed, listed_short

if TYPE_CHECKING:
    _Disputed = Mapping[str, tuple[Finding, ...]]


@command(
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
    help="Only players without a registered deck who need one.",
)
@click.option("--absent", is_flag=True, help="Only players who are not checked in.")
@click.option(
    "--division", metavar="NAME", help="Only players of a division: those whose tag `division` has this text."
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
    from tourney.desk import registration

    wanted = pairs(tags, "--tag") | ({"division": division} if division else {})
    with session.desk() as desk:
        everybody = desk.state.players.values()
        also_left = not (playing or without_deck or absent)
        shown = [
            player
            for player in everybody
            if (player.playing or also_left)
            and not (without_deck and (player.deck or player.waived))
            and not (absent and player.checked_in)
            and _has_tags(player, wanted)
        ]
        _refuse_unknown_tags(everybody, wanted, desk.texts)
        disputed = registration.disputed(desk)
        state, texts = desk.state, desk.texts
    rows = tuple(player_row(player, texts, disputed.get(player.name, ())) for player in shown)
    session.emit(PlayersDocument(players=rows))
    if shown:
        open_round = state.open_round  # computed once: it goes through the tables of all rounds
        cells = [_row(state, player, open_round, disputed) for player in shown]
        session.table(["#", "player", "deck", "here", "note"], cells, right=(0,))
    of = f" of {len(everybody)}" if len(shown) != len(everybody) else ""
    session.talk(f"{len(shown)}{of} players" if of else counted(len(shown), "player"))


def _has_tags(player: Player, wanted: Mapping[str, str]) -> bool:
    """Return whether a player has all of these tags, ignoring case and accents."""
    return all(
        kind in player.tags and fold(player.tags[kind][1]) == fold(text) for kind, text in wanted.items()
    )


def _refuse_unknown_tags(everybody: Collection[Player], wanted: Mapping[str, str], texts: Texts) -> None:
    """Raise TourneyError for a tag that no player has, as it is probably mistyped."""
    for kind, text in wanted.items():
        if not any(_has_tags(player, {kind: text}) for player in everybody):
            tags = dict.fromkeys(
                texts.get(player.tags[kind][0]) for player in everybody if kind in player.tags
            )
            tags.pop(None, None)
            names = listed([f"`{name}`" for name in [*tags][:12]])
            raise TourneyError(
                f"nobody has the {kind} `{text}`", f"there are {names}" if tags else f"nobody has a {kind}"
            )


def _row(state: State, player: Player, open_round: Round | None, disputed: _Disputed) -> list[str]:
    here = "yes" if player.checked_in else ""
    deck = _deck(state, player, disputed)
    return [str(player.id), player.name, deck, here, note(player, open_round)]


def _deck(state: State, player: Player, disputed: _Disputed) -> str:
    if player.deck:
        left_out = unchecked(state, player.deck)
        vouched = (", vouched for" if player.deck.vouched else "") + (f", {left_out}" if left_out else "")
        contradictions = disputed.get(player.name, ())
        cards = list(dict.fromkeys(finding.subjects[0] for finding in contradictions))
        return (
            f"{player.deck.verdict}{vouched}{f', but contradicted on {listed_short(cards)}' if cards else ''}"
        )
    return "waived" if player.waived else ""


def note(player: Player, open_round: Round | None) -> str:
    """Return a short note on a player who left or joined late; empty for other players.

    open_round: the round being played, which a player who dropped may still finish
    """
    if player.disqualified is not None:
        return f"disqualified {_when('in', player.disqualified)}"
    if player.dropped is not None:
        plays = open_round is not None and open_round.number == player.dropped
        return f"{'leaves' if plays else 'dropped'} {_when('after', player.dropped)}"
    if player.since > 1:
        return f"since round {player.since}"
    return ""


def _when(how: str, number: int) -> str:
    return f"{how} round {number}" if number else "before round 1"


@command("show", event=True, examples=["tourney player show Mira", "tourney player show '#7' --json"])
@who
def show(session: Session, who: str) -> None:
    """Show one player: facts, matches, place, and the contact, which is never published."""
    from tourney.desk.views import event_view

    with session.desk() as desk:
        player = desk.state.players[find_player(session, desk, who)]
        view = event_view(desk, why=False, held=True, whole_names=True)
        page = next(page for page in view.players if page.player == player.id)
        if session.json:
            session.emit(_document(desk, player, view, page))
        else:
            _print_player(session, desk, player, view, page)


def _document(desk: Desk, player: Player, view: EventView, page: PlayerView) -> PlayerDocument:
    from tourney.desk import registration

    vouched = player.deck and player.deck.vouched
    declared = registration.declared(desk).get(player.name, ()) if vouched else ()
    return player_document(
        desk.state,
        player,
        page,
        view.standings,
        desk.texts,
        findings=registration.disputed(desk).get(player.name, ()),
        declared=(DeclaredFact(*fact) for fact in declared),
    )


def _print_player(session: Session, desk: Desk, player: Player, view: EventView, page: PlayerView) -> None:
    session.say(", ".join(filter(None, [f"{player.name} (#{player.id})", _stands(page, view)])))
    if facts := [(name, value) for name, value in _facts(desk, player) if value]:
        session.say(indent(table_text([], facts), "  "))
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
    """Yield the facts about a player as name and value. The value of an unknown fact is empty."""
    from tourney.desk import registration

    disputed = registration.disputed(desk)
    yield "deck", _deck(desk.state, player, disputed)
    if player.deck and player.deck.vouched:
        yield "vouched by", written(player.deck.vouched, desk.texts)
        yield from (
            ("declared", fact)
            for fact in decklists.facts_by_card(registration.declared(desk).get(player.name, ()))
        )
    for finding in disputed.get(player.name, ()):
        yield "contradicted", f"line {finding.lines[0]}: {finding.subjects[0]}: {finding.message}"
    yield "note", f"{note(player, desk.state.open_round)}{_departure_text(desk, player)}"
    yield "rating", player.rating
    yield "table", player.table
    yield from ((kind, desk.texts.get(ref)) for kind, (ref, _) in player.tags.items())
    yield from ((f"round {number}", outcome.value) for number, outcome in player.byes.items())
    yield "alias", player.alias_name
    yield "under age", player.minor and "pages shorten the name"
    yield "contact", _contact(desk, player)
    for penalty in history(desk.state, player.id):
        yield "penalty", penalty_text(penalty, desk.texts)
    for check in deck_checks(desk.state):
        if check.player == player.id:
            yield "deck check", check_text(check, desk.texts)


def _departure_text(desk: Desk, player: Player) -> str:
    """Return the entry by which a player left, and the reason: ` (entry 14): last bus`."""
    out = player.departure
    if out is None:
        return ""
    reason = f": {written(out.reason, desk.texts)}" if out.reason else ""
    return f" (entry {out.entry}){reason}"


def _contact(desk: Desk, player: Player) -> str | None:
    """Return a player's contact, for the desk only: no page and no list shows it."""
    return written(player.contact, desk.texts) or None


def _stands(page: PlayerView, view: EventView) -> str:
    """Return the place in the bracket and the rank in the Swiss rounds; empty if there is neither."""
    place = _place(page.place, view.final) if page.place and view.final else ""
    if page.row is None or not (view.final is None or view.final.swiss):
        return place
    rank = _rank(page.row, view.standings)
    return f"{place}; in the Swiss rounds {rank}" if place else rank


def _place(row: PlaceView, final: FinalView) -> str:
    """Return the place in the final ranking, as in `place 3, lost in the semifinals`, with what is counted so far."""
    so_far = "" if final.finished else f" ({final.counts})"
    if row.first is None:
        return f"{row.note or row.bracket}, without a place{so_far}"
    if row.bracket == "still in":
        return f"still in the bracket{so_far}"
    return f"{row.places}{f', {row.bracket}' if row.bracket else ''}{so_far}"


def _rank(row: RowView, standings: StandingsView) -> str:
    """Return the rank, as in `rank 3 with 2½ points`, with what is counted if it is provisional."""
    points = f"{row.points} {'point' if row.points in ('1', '½') else 'points'}"
    so_far = f" ({standings.heading})" if standings.provisional else ""
    if row.rank is None:
        return f"{points}, without a rank{so_far}"
    return f"rank {row.rank} with {points}{so_far}"
