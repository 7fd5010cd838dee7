"""A player's own page: where to sit, against whom, for how long; the rounds so far, the place and its reason."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.responses import Response

from tourney.event.showing import WITHOUT_POINTS, match_view
from tourney.publish.pages import Now
from tourney.serve.live import ROOM, Pages, about_player
from tourney.serve.sessions import Role
from tourney.serve.visits import Routes, Visit

if TYPE_CHECKING:
    from tourney.event.state import State
    from tourney.record import PlayerId

routes = Routes()


@routes.page("/me")
async def me(visit: Visit) -> Response:
    """Where this player is now; whoever has not joined is asked for the code."""
    player = visit.visitor.player
    if player is None:
        to = "/join" if visit.visitor.role is Role.SPECTATOR else "/"
        return visit.back(to)
    pages = visit.event.pages
    if _is_behind(pages, visit.event.state, player):
        pages = await visit.event.fresh_pages()
    if player not in pages.players:  # taken back since: the desk ends the session
        return visit.back("/")
    why = pages.why.told.get(player, ())  # worked out for one after the other; nobody waits for it here
    here = now(pages, visit.event.public, player)
    here = replace(here, view=replace(here.view, why=why))
    topics = (ROOM, about_player(player))
    return await visit.page("live/me.html", "me", pages=pages, topics=topics, here=here, player=here.view)


def _is_behind(pages: Pages, state: State, player: PlayerId) -> bool:
    """Say whether the pages do not know of a round, or of the player, yet."""
    return player not in pages.players or len(pages.event.rounds) != len(state.for_players.rounds)


def now(pages: Pages, state: State, player: PlayerId) -> Now:
    """Return where a player is, the newest round as it stands this moment, which pages may not show yet. state: the public's."""
    here = pages.site.now(pages.players[player])
    if not state.rounds or player not in state.players:
        return here
    newest = state.rounds[-1]
    table = newest.table_of(player)
    match = match_view(state, newest, player, WITHOUT_POINTS, table)
    if match is None:
        return replace(here, match=None)
    shown = [each for each in here.view.matches if each.round != newest.number]
    points = next((each.points for each in here.view.matches if each.round == newest.number), "")
    match = replace(match, points=points)
    extra = newest.extended.get(table.number, 0) if table else 0
    return replace(here, match=match, extra=extra, view=replace(here.view, matches=(*shown, match)))
