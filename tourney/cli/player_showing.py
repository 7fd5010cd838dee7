"""`tourney player list` and `show`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from textwrap import indent

import click
from msgspec import UNSET

import tourney.decks as decklists
from tourney.cards.names import fold
from tourney.cli.audit import check_text
from tourney.cli.command import command
from tourney.cli.options import flag, pairs, player_argument, repeatable
from tourney.cli.output import table_text
from tourney.cli.penalty import penalty_text
from tourney.cli.session import Session
from tourney.desk import Desk, registration
from tourney.errors import TourneyError
from tourney.event import documents
from tourney.event.entry import DELETED, Texts, display_text
from tourney.event.phrases import unchecked_part
from tourney.event.state import Player, Round, State
from tourney.event.view import EventView, FinalView, PlaceView, PlayerView, RowView, StandingsView
from tourney.wording import counted, listed, listed_short


@command("list", event=True)
@flag("--playing", help="Only players who have not left.")
@flag("--without-deck", help="Only players without a registered deck who need one.")
@flag("--absent", help="Only players who are not checked in.")
@click.option(
    "--division", metavar="NAME", help="Only players of a division: those whose tag `division` has this text."
)
@repeatable("--tag", "tags", metavar="KIND=TEXT", help="Only players with a tag, such as club=Harbour.")
def list_(
    session: Session,
    *,
    playing: bool,
    without_deck: bool,
    absent: bool,
    division: str | None,
    tags: tuple[str, ...],
) -> None:
    """List the players in order of registration.

    Examples:
      tourney player list
      tourney player list --without-deck
      tourney player list --division Juniors
    """
    wanted_tags = pairs(tags, "--tag") | ({"division": division} if division else {})
    with session.desk() as desk:
        state, texts = desk.state, desk.texts
        all_players = state.players.values()
        includes_departed = not (playing or without_deck or absent)
        shown_players = [
            player
            for player in all_players
            if (player.playing or includes_departed)
            and not (without_deck and (player.deck or player.waived))
            and not (absent and player.checked_in)
            and _has_tags(player, wanted_tags)
        ]
        _refuse_unknown_tags(all_players, wanted_tags, texts)
        contradictions = registration.contradictions_by_player(desk)
    rows = tuple(
        documents.player_row(player, texts, contradictions.get(player.name, ())) for player in shown_players
    )
    session.emit(documents.PlayersDocument(players=rows))
    if rows:
        open_round = state.open_round  # computed once: it goes through the tables of all rounds
        cells = [
            (row.id, row.name, _deck(state, row), "yes" if row.checked_in else "", _note(row, open_round))
            for row in rows
        ]
        session.table(["#", "player", "deck", "here", "note"], cells, right=(0,))
    total = f" of {len(all_players)}" if len(shown_players) != len(all_players) else ""
    session.talk(f"{len(shown_players)}{total} players" if total else counted(len(shown_players), "player"))


def _has_tags(player: Player, wanted_tags: Mapping[str, str]) -> bool:
    """Return whether a player has all of these tags, ignoring case and accents."""
    return all(
        kind in player.tags and fold(player.tags[kind][1]) == fold(text) for kind, text in wanted_tags.items()
    )


def _refuse_unknown_tags(
    all_players: Collection[Player], wanted_tags: Mapping[str, str], texts: Texts
) -> None:
    """Raise TourneyError for a tag that no player has, as it is probably mistyped."""
    for kind, text in wanted_tags.items():
        if not any(_has_tags(player, {kind: text}) for player in all_players):
            tags = dict.fromkeys(
                texts.get(player.tags[kind][0]) for player in all_players if kind in player.tags
            )
            tags.pop(None, None)
            names = listed([f"`{name}`" for name in [*tags][:12]])
            raise TourneyError(
                f"no player has the {kind} `{text}`",
                f"the players have {names}" if tags else f"no player has a {kind}",
            )


def _deck(state: State, row: documents.PlayerRow) -> str:
    """Return the verdict on a player's decklist, with remarks.

    The remarks say whether a scorekeeper vouched for facts that the list declares, what was not checked, and
    about which cards another list declares different facts. Without a decklist, return `waived` if the player
    needs none, otherwise an empty text.
    """
    deck = state.players[row.id].deck
    if deck is None:
        return "waived" if row.waived else ""
    parts = [deck.verdict, "vouched for" if row.vouched else "", unchecked_part(state, deck)]
    if row.contradictions:
        cards = list(dict.fromkeys(contradiction.card for contradiction in row.contradictions))
        parts.append(f"but other lists declare {listed_short(cards)} differently")
    return ", ".join(filter(None, parts))


def _note(row: documents.PlayerRow, open_round: Round | None) -> str:
    """Return a short note on a player who left or joined late; empty for other players.

    open_round: the round being played, which a player who dropped may still finish
    """
    if row.disqualified is not None:
        return f"disqualified {_round_phrase('in', row.disqualified)}"
    if row.dropped is not None:
        plays = open_round is not None and open_round.number == row.dropped
        return f"{'leaves' if plays else 'dropped'} {_round_phrase('after', row.dropped)}"
    return f"since round {row.since}" if row.since > 1 else ""


def _round_phrase(preposition: str, number: int) -> str:
    return f"{preposition} round {number}" if number else "before round 1"


@command("show", event=True)
@player_argument
def show(session: Session, player_name: str) -> None:
    """Show one player: facts, matches, place, and the contact, which is never published.

    Examples:
      tourney player show Mira
      tourney player show '#7' --json
    """
    from tourney.desk.views import event_view

    with session.desk() as desk:
        player = desk.state.players[session.find_player(desk, player_name)]
        view = event_view(desk, with_reasons=False, with_held=True, whole_names=True)
        page = next(page for page in view.players if page.player == player.id)
        is_vouched = player.deck and player.deck.vouched
        declared_facts = registration.declared_facts(desk).get(player.name, ()) if is_vouched else ()
        document = documents.player_document(
            desk.state,
            player,
            page,
            view.standings,
            desk.texts,
            findings=registration.contradictions_by_player(desk).get(player.name, ()),
            declared_facts=(documents.DeclaredFact(*fact) for fact in declared_facts),
        )
        note = _note(document, desk.state.open_round) + _departure_text(desk, player)
    session.emit(document)
    session.say(", ".join(filter(None, [f"{player.name} (#{player.id})", _place_and_rank(page, view)])))
    facts = _facts(document, _deck(desk.state, document), decklists.facts_by_card(declared_facts), note)
    if rows := [(name, value) for name, value in facts if value]:
        session.say(indent(table_text([], rows), "  "))
    if page.matches:
        matches = [
            (
                match.title,
                match.table or "",
                match.side,
                " – ".join(name for _, name in match.opponents),
                match.result,
                match.points,
            )
            for match in page.matches
        ]
        headers = ["round", "table", "side", "against", "result", "points"]
        session.table(headers, matches, right=(1, 5), optional=("side",))


def _facts(
    row: documents.PlayerDocument, deck: str, declared_facts: Iterable[str], note: str
) -> Iterator[tuple[str, object]]:
    """Yield the facts about a player as name and value. The value of an unknown fact is empty."""
    yield "deck", deck
    if row.vouched_by is not UNSET:
        yield "vouched by", row.vouched_by or DELETED
    yield from (("declared", fact) for fact in declared_facts)
    for contradiction in row.contradictions or ():
        line = contradiction.lines[0]
        yield "contradicted", f"line {line}: {contradiction.card}: {contradiction.message}"
    yield "note", note
    yield "rating", row.rating
    yield "table", row.table
    yield from row.tags.items()
    yield from ((f"round {number}", kind) for number, kind in row.byes.items())
    yield "alias", row.alias
    yield "under age", row.minor and "pages shorten the name"
    yield "contact", row.contact
    yield from (("penalty", penalty_text(penalty)) for penalty in row.penalties)
    yield from (("deck check", check_text(check)) for check in row.deck_checks)


def _departure_text(desk: Desk, player: Player) -> str:
    """Return the entry by which a player left, and the reason: ` (entry 14): last bus`."""
    out = player.departure
    if out is None:
        return ""
    reason = f": {display_text(out.reason, desk.texts)}" if out.reason else ""
    return f" (entry {out.entry}){reason}"


def _place_and_rank(page: PlayerView, view: EventView) -> str:
    """Return the place in the bracket and the rank in the Swiss rounds; empty before round 1."""
    if not view.rounds:
        return ""
    place = _place(page.place, view.final) if page.place and view.final else ""
    if page.row is None or not (view.final is None or view.final.swiss):
        return place
    return (f"{place}; in the Swiss rounds " if place else "") + _rank(page.row, view.standings)


def _place(row: PlaceView, final: FinalView) -> str:
    """Return the place in the final ranking, such as `place 3, lost in the semifinals`.

    Until the ranking is final, the text also says which results it counts.
    """
    so_far = "" if final.finished else f" ({final.counts})"
    if row.first is None:
        return f"{row.note or row.bracket}, without a place{so_far}"
    if row.bracket == "still in":
        return f"still in the bracket{so_far}"
    return f"{row.places}{f', {row.bracket}' if row.bracket else ''}{so_far}"


def _rank(row: RowView, standings: StandingsView) -> str:
    """Return the rank and the points, such as `rank 3 with 2½ points`.

    If the standings are provisional, the text also says which results they count.
    """
    points = f"{row.points} {'point' if row.points in ('1', '½') else 'points'}"
    so_far = f" ({standings.heading})" if standings.provisional else ""
    if row.rank is None:
        return f"{points}, without a rank{so_far}"
    return f"rank {row.rank} with {points}{so_far}"
