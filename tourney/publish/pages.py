"""HTML pages for reading on a phone. They work without a script.

The templates in `templates/` are used for the folder that `tourney publish` writes and for the answers of a
live server. A `Site` has all pages of a view by address. A page is made only when it is requested, so that a
server can make a new site after each entry. Every page extends `page.html`, which has places for the parts
that only a server adds (`Live`). Templates are in English and are translated with gettext and `Message`
(`language`). They escape all values.

Only `verification.html` and `event.json` show the number of the last entry, its digest and the proofs of
rounds. Any other page changes only if its content changes, so that a result rewrites few files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct

from tourney.cards.names import fold
from tourney.event.view import (
    EventView,
    MatchStatus,
    MatchView,
    PlaceView,
    PlayerView,
    RoundView,
    RowView,
)
from tourney.publish.data import Files
from tourney.publish.language import fill
from tourney.publish.pictures import bracket_picture, field_picture, part_of_match
from tourney.publish.screen import registration_status, screen
from tourney.record import PlayerId
from tourney.wording import Message

if TYPE_CHECKING:
    from jinja2.runtime import Macro
    from markupsafe import Markup

TOP_ROWS = 8
"""The number of rows of the standings on the home page.

If the cut is larger, the whole cut is shown.
"""


class Link(Struct, frozen=True):
    """A link to a page in the navigation."""

    path: str
    title: str


class Page(NamedTuple):
    """A page about the whole event.

    address: the address, which is also the name of the template
    title: the text of links to the page
    shown: a function that returns whether an event has the page
    linked: where links to the page are: in the menu of every page, in the list at the end of the home page,
            or in neither
    is_static: whether an open page is not updated after new rounds and results, because it does not show them
               or shows the event as it was after one entry (`verification.html`)
    """

    address: str
    title: str
    shown: Callable[[EventView], object] = lambda _: True
    linked: Literal["menu", "home", "no"] = "home"
    is_static: bool = False


PAGES = (
    Page("index.html", Message("Home"), linked="no"),
    Page("standings.html", Message("Standings"), linked="menu"),
    Page("needs.html", Message("The cut"), lambda event: event.needs, "menu"),
    Page("bracket.html", Message("Bracket"), lambda event: event.bracket, "menu"),
    Page("game.html", Message("Game and rules"), lambda event: event.game, is_static=True),
    Page("decks.html", Message("Shared decks"), lambda event: event.decks, is_static=True),
    Page("lists.html", Message("Decklists"), lambda event: event.lists, is_static=True),
    Page("field.html", Message("The field"), lambda event: event.field),
    Page("screen.html", Message("Projector view")),
    Page("verification.html", Message("Verify these pages"), linked="no", is_static=True),
)
"""The pages about the whole event, in the order of their links.

There is also a page for each round, player and deck.
"""


class Live(Struct, frozen=True, kw_only=True):
    """The parts of a page that only a server adds. All are empty in a published folder.

    script, style: the addresses of the server's script and style sheet
    stream: the address of the event stream to listen to
    account: links at the top of the page, to the visitor's own page or for joining
    signed_in: whether the visitor has joined
    panel: HTML above the page's content, as `Markup`; any other text is escaped
    """

    script: str = ""
    stream: str = ""
    style: str = ""
    account: tuple[Link, ...] = ()
    signed_in: bool = False
    panel: str = ""


IN_THE_FOLDER = Live()
"""The value for pages in a published folder, to which no server adds anything."""


class Site:
    """All pages of a view of the event, by address relative to the folder.

    A page is made when it is requested. Parts that several pages share are made once, so keep a site as long
    as its view is current.

    other_files: a function that returns the files in other forms of output, to which the home page links
    """

    def __init__(self, event: EventView, other_files: Callable[[], Files] = dict) -> None:
        self.event, self.other_files = event, other_files
        self.latest = event.rounds[-1] if event.rounds else None

    def page(self, address: str, live: Live = IN_THE_FOLDER) -> bytes:
        """Return the page at `address`. Raises KeyError if `pages` has no such page."""
        template, page_values = self.pages[address]
        return self.fill(template, address, live, **page_values)

    def fill(
        self,
        template: str,
        address: str,
        live: Live = IN_THE_FOLDER,
        *,
        depth: int | None = None,
        **page_values: object,
    ) -> bytes:
        """Return a page of this site, made from a template. The page need not be one of `pages`.

        page_values: values for this page only
        depth: the number of folders between the home page and this page; None to count them in the address
        """
        site_values = {"site": self, "event": self.event, "live": live}
        up = "../" * (address.count("/") if depth is None else depth)
        return fill(template, self.event.language, **site_values, path=address, up=up, **page_values)

    @cached_property
    def pages(self) -> Mapping[str, tuple[str, Mapping[str, Any]]]:
        """Address → the name of the page's template, and the values that only this page has."""
        event = self.event
        players = {f"player/{player.player}.html": player for player in event.players}
        decks = {f"deck/{deck.player}.html": deck for deck in event.lists}
        rounds = {_round_path(view): view for view in event.rounds}
        return {
            **{page.address: (page.address, {}) for page in PAGES if page.shown(event)},
            **{address: ("deck.html", {"deck": deck}) for address, deck in decks.items()},
            **{address: ("round.html", {"round": view}) for address, view in rounds.items()},
            **{address: ("player.html", {"player": player}) for address, player in players.items()},
        }

    @property
    def files(self) -> Files:
        """The files of the folder: pages, style sheets, the script for the name search, decklists.

        The decklists are the public ones, as text files.
        """
        return {
            "style.css": partial(_style, "style.css"),
            "screen.css": partial(_style, "screen.css"),
            "site.js": partial(fill, "site.js", self.event.language, folded=SPELLED_OUT),
            **{address: partial(self.page, address) for address in self.pages},
            **{f"deck/{deck.player}.txt": deck.text.encode for deck in self.event.lists if deck.groups},
        }

    # -- values for the templates

    bracket_picture = staticmethod(bracket_picture)
    field_picture = staticmethod(field_picture)
    screen = staticmethod(screen)

    @cached_property
    def notes(self) -> Mapping[PlayerId, str]:
        """Player → the note after the player's name, such as `drop`; empty for most players."""
        return {
            player.player: player.place.note if player.place else player.row.note if player.row else ""
            for player in self.event.players
        }

    def once(self, macro: Macro, *of: object) -> Mapping[Any, Markup]:
        """Return a mapping that calls a template's macro: its arguments → its output.

        Several arguments are given as a tuple. For the same arguments, the macro is called only once, and all
        pages use the same output.

        of: other values on which the output depends; each combination of them has its own mapping
        """
        return self._macros.setdefault((macro.name, *of), _Once(macro))

    @cached_property
    def _macros(self) -> dict[tuple[object, ...], Mapping[Any, Markup]]:
        return {}

    @cached_property
    def with_list(self) -> frozenset[PlayerId]:
        """The players whose decklists are public."""
        return frozenset(deck.player for deck in self.event.lists)

    @cached_property
    def in_bracket(self) -> frozenset[PlayerId]:
        """The players who have or had a seat in the bracket."""
        return self._players_in("open", "playing", "done", "bye", "empty")

    def _players_in(self, *states: MatchStatus) -> frozenset[PlayerId]:
        """Return the players of those matches of the bracket that have one of these states."""
        stages = self.event.bracket.stages if self.event.bracket else ()
        matches = (match for stage in stages for match in stage.matches if match.state in states)
        return frozenset(seat.player for match in matches for seat in match.seats if seat.player)

    @cached_property
    def links(self) -> list[Link]:
        """The links in the menu of every page, without those to rounds."""
        pairings = [Link(_round_path(self.latest), Message("Pairings"))] if self.latest else []
        return [*pairings, *self._links_in("menu")]

    @property
    def more_links(self) -> list[Link]:
        """The links at the end of the home page."""
        return self._links_in("home")

    def _links_in(self, place: str) -> list[Link]:
        pages = (page for page in PAGES if page.linked == place and page.shown(self.event))
        return [Link(page.address, page.title) for page in pages]

    @cached_property
    def rounds(self) -> list[Link]:
        """The links to the rounds, the newest round first."""
        return [Link(_round_path(view), view.title) for view in reversed(self.event.rounds)]

    @cached_property
    def in_navigation(self) -> frozenset[str]:
        """The addresses to which the navigation links."""
        return frozenset(link.path for link in (*self.links, *self.rounds))

    def now(self, view: PlayerView) -> Now:
        """Return a player's current match, place and next step."""
        last = view.matches[-1] if view.matches else None
        is_current = last is not None and self.latest is not None and last.round == self.latest.number
        is_out = self.notes[view.player] or (
            self.event.bracket is not None and view.player not in self._in_play
        )
        return Now(
            view=view,
            match=last if is_current else None,
            extra=self._extra.get(view.player, 0),
            final=_place(view) if self.over and self.latest is not None else "",
            settled=self._settled_rows.get(view.player),
            next="" if is_out else self.next,
        )

    @cached_property
    def _in_play(self) -> frozenset[PlayerId]:
        """The players with an undecided match in the bracket."""
        return self._players_in("open", "playing")

    @cached_property
    def _extra(self) -> dict[PlayerId, int]:
        """Player → the extra minutes at the player's table in the newest round, if there are any."""
        tables = self.latest.tables if self.latest else ()
        return {seat.player: table.extra for table in tables if table.extra for seat in table.seats}

    @cached_property
    def _settled_rows(self) -> dict[PlayerId, RowView]:
        """Player → the player's row of the standings after the last complete round."""
        return {row.player: row for row in self.event.settled.rows}

    @cached_property
    def by_name(self) -> list[tuple[str, list[Now]]]:
        """All players in order of their names, as (first letter, players with that letter)."""
        groups: dict[str, list[Now]] = {}
        views = [(fold(view.name), view) for view in self.event.players]
        for key, view in sorted(views, key=lambda pair: (pair[0], pair[1].player)):
            groups.setdefault(key[:1].upper(), []).append(self.now(view))
        return list(groups.items())

    @property
    def over(self) -> bool:
        """Whether the event is closed, or its last match has a result."""
        final = self.event.final
        return self.event.closed or (final is not None and final.finished)

    @property
    def status(self) -> str:
        """The status of the event, such as `Round 5 of 6 · 7 tables open`."""
        latest, planned_rounds = self.latest, self.event.planned
        if latest is None:
            rounds = Message.plural("1 round", "{n} rounds", planned_rounds) if planned_rounds else ""
            return Message.joined(" · ", [registration_status(len(self.event.players)), rounds])
        if self.over:
            return Message("The event is over")
        title = latest.title
        if planned_rounds and not latest.cut and latest.number <= planned_rounds:
            title = Message("{round} of {planned}", round=title, planned=planned_rounds)
        return (
            Message.plural(
                "{round} · 1 table open", "{round} · {n} tables open", len(latest.playing), round=title
            )
            if latest.playing
            else Message("{round} · all results are in", round=title)
        )

    @property
    def next(self) -> str:
        """The next step of the event, in words; empty if the event is over."""
        latest, planned_rounds = self.latest, self.event.planned
        if self.over:
            return ""
        if latest is None:
            return Message("Next: the first pairing")
        if latest.cut:
            if any(part_of_match(table.label) == "final" for table in latest.tables):
                return Message("Next: the final places")
            return Message("Next: the next round of the bracket")
        if self.event.bracket is not None:
            return Message("Next: the bracket")
        number = latest.number + 1
        if planned_rounds is None:
            return Message("Next: round {n}", n=number)
        return (
            Message("Next: round {n} of {planned}", n=number, planned=planned_rounds)
            if number <= planned_rounds
            else Message("This is the last round")
        )

    @property
    def champion(self) -> tuple[str, PlayerId] | None:
        """The name and number of the winner; None before the end, or if several share first place."""
        winners = [(name, player) for place, name, player in self.podium if place == "1"]
        return winners[0] if len(winners) == 1 else None

    @property
    def podium(self) -> list[tuple[str, str, PlayerId]]:
        """The place, name and number of the players in places 1 to 3, once places are final.

        If players share a place, there are at most 4.
        """
        final, standings = self.event.final, self.event.standings
        rows: list[tuple[str, str, PlayerId, int | None]] = []
        if final is not None and final.finished:
            rows = [(row.place, row.name, row.player, row.first) for row in final.rows]
        elif final is None and self.event.closed and standings.after:
            rows = [(str(row.rank), row.name, row.player, row.rank) for row in standings.rows]
        return [(place, name, player) for place, name, player, first in rows if first and first <= 3][:4]

    @property
    def top(self) -> Sequence[RowView | PlaceView]:
        """The first rows of the current ranking, for the home page."""
        if self.event.final is not None:
            places = self.event.final.rows
            return places[: max(TOP_ROWS, sum(bool(row.bracket) for row in places))]
        rows = self.event.standings.rows
        return rows[: max(TOP_ROWS, *(place for place, row in enumerate(rows, 1) if row.cut), 0)]

    @property
    def ranking_title(self) -> str:
        """The title of the current ranking."""
        final = self.event.final
        if final is None:
            return (
                Message("Provisional standings") if self.event.standings.provisional else Message("Standings")
            )
        if final.finished:
            return Message("Final ranking")
        return Message("Provisional places") if final.playing else Message("Places so far")


class _Once(dict[Any, Any]):
    """A mapping that calls a function: its arguments → its result.

    The function is called only once for each key. Several arguments are given as a tuple.
    """

    def __init__(self, make: Callable[..., Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Any) -> Any:
        result = self[key] = self._make(*key) if isinstance(key, tuple) else self._make(key)
        return result


def _place(view: PlayerView) -> str:
    """Return a player's place in the current ranking; empty if the player has none."""
    place, row = view.place, view.row
    if place is not None:
        return place.place if place.first is not None else ""
    return str(row.rank) if row is not None and row.rank is not None else ""


def _style(name: str) -> bytes:
    """Return the content of a style sheet in `templates/`."""
    content = get_data("tourney.publish", f"templates/{name}")
    assert content is not None
    return content


class Now(Struct, frozen=True, kw_only=True):
    """A player's current match, place and next step, for the player list and the player's page.

    match: the match in the newest round; None if there is none
    extra: the extra minutes at the player's table
    final: the final place, such as `5–8`; empty if the event is not over or the player has no place
    settled: the player's row of the standings after the last complete round
    next: the next step for this player; empty if there is none
    """

    view: PlayerView
    match: MatchView | None
    extra: int
    final: str
    settled: RowView | None
    next: str

    @property
    def key(self) -> str:
        """The words of the player's name, as the name search compares them."""
        return search_key(self.view.name)

    @property
    def open(self) -> bool:
        """Whether the player's table has no result yet."""
        return self.match is not None and self.match.result == "playing"


def search_key(name: str) -> str:
    """Return the words of a name, in the spelling that the name search compares.

    The command line compares names in the same spelling: without case, accents and punctuation.

    >>> search_key("Åsa Östergård"), search_key("Shane O’Neill"), search_key("Anna-Lena Weiß")
    ('asa ostergard', 'shane oneill o neill', 'anna lena weiss annalena')
    """
    plain_name = fold(name)
    whole = [_WORDS.sub("", word) for word in plain_name.split()]
    parts = _WORDS.split(plain_name)
    joined_parts = _WORDS.split(plain_name.translate(_INSIDE))
    return " ".join(dict.fromkeys(word for word in (*joined_parts, *parts, *whole) if word))


_WORDS = re.compile(r"[\W_]+")
_INSIDE = str.maketrans("", "", "'\".")


SPELLED_OUT = {letter: fold(letter) for letter in "ßæœøłđðþħıŧ"}
"""Letter → its spelling in a search (`ß` → `ss`), if Unicode does not decompose the letter.

`site.js` uses this table.
"""


def _round_path(round_view: RoundView) -> str:
    """Return the address of a round's page."""
    return f"round-{round_view.number}.html"
