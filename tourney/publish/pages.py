"""HTML: the pages that people read on a phone. No build, no script needed.

One set of templates, in `templates/`, makes the folder that `publish` writes and what a live server answers. A `Site` is
all pages of an event as it stands, by their addresses; none is made before it is asked for, so that a server keeps one
site for each entry and makes the page that is wanted. Every page stands in one shell (`page.html`), which has room for
what only a server adds (`Live`). Templates are in English; gettext and `Message`s translate them (`language`). Whatever
is put into a template is escaped.

Only verification.html (and `event.json`) name the entry, its digest and how a round is proved: any other page changes
when what it tells changes, so that after a result only a few files are written anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

from tourney.cards.names import fold
from tourney.event.view import (
    EventView,
    MatchView,
    NeedsView,
    NeedView,
    PlaceView,
    PlayerView,
    RoundView,
    RowView,
)
from tourney.publish.data import Files
from tourney.publish.language import Language, in_points, language_called, note_in_words
from tourney.publish.pictures import BracketPicture, FieldPicture, bracket_picture, field_picture
from tourney.publish.screen import Screen, screen
from tourney.record import PlayerId
from tourney.wording import Message

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import Macro
    from markupsafe import Markup

TOP_ROWS = 8
"""How many rows of the standings the home page shows; a larger cut shows the whole cut."""


NEEDS: Mapping[str, Message] = {
    "in": Message("in whatever happens"),
    "out": Message("out whatever happens"),
    "is_in": Message("in"),
    "is_out": Message("out"),
    "level": Message("level with the last place"),
    "draw": Message("in with a draw"),
    "draw_not_loss": Message("in with a draw, out with a loss"),
    "win_only": Message("needs a win"),
    "win": Message("in with a win"),
    "win_not_loss": Message("in with a win, out with a loss"),
    "win_open_draw": Message("in with a win, open with a draw, out with a loss"),
    "at_best_level": Message("level with the last place at best"),
    "at_best_level_win": Message("level with the last place at best with a win, else out"),
    "at_best_level_draw": Message("level with the last place at best with a win or a draw, else out"),
    "open": Message("open"),
    "open_win": Message("open with a win, else out"),
    "open_draw": Message("open with a win or a draw, else out"),
    "waits": Message("open (earlier results are missing)"),
    "waits_win": Message("open with a win, else out (earlier results are missing)"),
    "waits_draw": Message("open with a win or a draw, else out (earlier results are missing)"),
}
"""What a player needs for the cut, by `NeedView.says`."""


@dataclass(frozen=True, slots=True)
class Link:
    """A page in the navigation."""

    path: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """What a server adds to a page. In the folder all of it is empty, and the bytes are as if there were no room for it.

    script:  address of a script of the server's; stream: of the events it is to listen to; style: of a style sheet
    account: who is signed in, or where to sign in: links at the top of the page; signed_in: which of the two
    panel:   what comes before the page's own content, as `Markup` that the server has filled; any other text is escaped
    """

    script: str = ""
    stream: str = ""
    style: str = ""
    account: tuple[Link, ...] = ()
    signed_in: bool = False
    panel: str = ""


IN_THE_FOLDER = Live()
"""Of a page that no server answers with."""


class Site:
    """All pages of one event as it stands, by their addresses relative to the folder; none is made before it is asked for.

    downloads: addresses of the files in other forms that the home page links to

    What several pages share is worked out once, when the first of them is made: keep a site for as long as its view holds.
    """

    def __init__(self, event: EventView, downloads: Sequence[str] = ()) -> None:
        self.event, self.downloads = event, downloads
        self.latest = event.rounds[-1] if event.rounds else None

    def page(self, address: str, live: Live = IN_THE_FOLDER) -> bytes:
        """Make one page, at the cost of that page. Raises KeyError where there is none at `address` (see `pages`)."""
        template, own = self.pages[address]
        return self.fill(template, address, live, **own)

    def fill(
        self,
        template: str,
        address: str,
        live: Live = IN_THE_FOLDER,
        *,
        depth: int | None = None,
        **own: object,
    ) -> bytes:
        """Make a page of this site of a template, which need not be one of `pages`. own: what no other page shows.

        depth: how many folders below the first page it is read, where its address does not say
        """
        shared = {"site": self, "event": self.event, "live": live}
        up = "../" * (address.count("/") if depth is None else depth)
        return fill(template, self.event.language, **shared, path=address, up=up, **own)

    @cached_property
    def pages(self) -> Mapping[str, tuple[str, Mapping[str, Any]]]:
        """Every page there is by its address: its template, and what that is filled with besides what all pages share."""
        event = self.event
        whole = {
            "index.html": True,
            "standings.html": True,
            "verification.html": True,
            "screen.html": True,
            "bracket.html": event.bracket,
            "game.html": event.game,
            "decks.html": event.decks,
            "lists.html": event.lists,
            "field.html": event.field,
            "needs.html": event.needs,
        }
        return {
            **{page: (page, {}) for page, shown in whole.items() if shown},
            **{f"deck/{each.player}.html": ("deck.html", {"deck": each}) for each in event.lists},
            **{_round_path(each): ("round.html", {"round": each}) for each in event.rounds},
            **{f"player/{each.player}.html": ("player.html", {"player": each}) for each in event.players},
        }

    @property
    def files(self) -> Files:
        """The pages with all that belongs to them: style sheets, the script that finds a name, open decklists as text."""
        return {
            "style.css": partial(_source, "style.css"),
            "screen.css": partial(_source, "screen.css"),
            "site.js": partial(fill, "site.js", self.event.language, folded=SPELLED_OUT),
            **{address: partial(self.page, address) for address in self.pages},
            **{f"deck/{each.player}.txt": each.text.encode for each in self.event.lists if each.groups},
        }

    # -- what the templates ask for

    @cached_property
    def notes(self) -> Mapping[PlayerId, str]:
        """What is to be said behind each name, if anything: `drop`."""
        return {
            each.player: each.place.note if each.place else each.row.note if each.row else ""
            for each in self.event.players
        }

    def told(self, need: NeedView) -> Message:
        """Return what a player needs: `needs a win`."""
        return NEEDS[need.says]

    def terms(self, row: RowView) -> list[tuple[str, str, str, str]]:
        """Return each tie-break of a settled place: its code, its name, its value as it is printed, and exactly."""
        columns = zip(self.event.settled.columns, row.values, row.exact, strict=True)
        return [(each.code, each.name, value, exact) for each, value, exact in columns if each.used]

    def once(self, macro: Macro, *of: object) -> Mapping[Any, Markup]:
        """Return what a macro makes of each key (of several arguments where that is a tuple), made once for all pages.

        of: what it hangs on besides its arguments and what all pages share
        """
        return self._made.setdefault((macro.name, *of), _Once(macro))

    @cached_property
    def _made(self) -> dict[tuple[object, ...], Mapping[Any, Markup]]:
        return {}

    @cached_property
    def with_list(self) -> frozenset[PlayerId]:
        """Whose decklist is open."""
        return frozenset(each.player for each in self.event.lists)

    @cached_property
    def in_bracket(self) -> frozenset[PlayerId]:
        """Who has, or had, a seat in the bracket."""
        stages = self.event.bracket.stages if self.event.bracket else ()
        return frozenset(
            seat.player for stage in stages for each in stage.matches for seat in each.seats if seat.player
        )

    @cached_property
    def screen(self) -> Screen:
        """What the page for the projector shows."""
        return screen(self.event)

    @cached_property
    def drawn(self) -> BracketPicture:
        """The bracket as a picture."""
        assert self.event.bracket is not None
        return bracket_picture(self.event.bracket)

    @cached_property
    def field(self) -> FieldPicture:
        """The field as a picture."""
        assert self.event.field is not None
        return field_picture(self.event.field)

    @cached_property
    def links(self) -> list[Link]:
        """The navigation, without the menu of rounds."""
        pairings = [Link(_round_path(self.latest), Message("Pairings"))] if self.latest else []
        bracket = [Link("bracket.html", Message("Bracket"))] if self.event.bracket else []
        needs = [Link("needs.html", Message("The cut"))] if self.event.needs else []
        return [*pairings, Link("standings.html", Message("Standings")), *needs, *bracket]

    @cached_property
    def rounds(self) -> list[Link]:
        """The menu of rounds, the newest first."""
        return [Link(_round_path(view), view.title) for view in reversed(self.event.rounds)]

    @cached_property
    def in_navigation(self) -> frozenset[str]:
        """The addresses in the navigation."""
        return frozenset(link.path for link in (*self.links, *self.rounds))

    def now(self, view: PlayerView) -> Now:
        """Return where a player stands."""
        last = view.matches[-1] if view.matches else None
        here = last is not None and self.latest is not None and last.round == self.latest.number
        return Now(
            view=view,
            match=last if here else None,
            extra=self._extra.get(view.player, 0),
            final=self._place(view) if self.over and self.latest is not None else "",
            settled=self._settled.get(view.player),
            next=self.next if self._goes_on(view.player) else "",
        )

    def _place(self, view: PlayerView) -> str:
        """Return the place at the end; empty for who has none."""
        place, row = view.place, view.row
        if place is not None:
            return place.place if place.first is not None else ""
        return str(row.rank) if row is not None and row.rank is not None else ""

    def _goes_on(self, player: PlayerId) -> bool:
        """Whether what is next is for this player, too: who has left, or is out of the bracket, awaits nothing."""
        return not self.notes[player] and (self.event.bracket is None or player in self._in_play)

    @cached_property
    def _in_play(self) -> frozenset[PlayerId]:
        """Who has a match of the bracket yet to be played or decided."""
        stages = self.event.bracket.stages if self.event.bracket else ()
        matches = (each for stage in stages for each in stage.matches if each.state in {"open", "playing"})
        return frozenset(seat.player for each in matches for seat in each.seats if seat.player)

    @cached_property
    def _extra(self) -> dict[PlayerId, int]:
        tables = self.latest.tables if self.latest else ()
        return {seat.player: table.extra for table in tables if table.extra for seat in table.seats}

    @cached_property
    def _settled(self) -> dict[PlayerId, RowView]:
        return {row.player: row for row in self.event.settled.rows}

    @cached_property
    def by_name(self) -> list[tuple[str, list[Now]]]:
        """Everybody, in the order of their names, in groups by the first letter."""
        groups: dict[str, list[Now]] = {}
        every = [(fold(view.name), view) for view in self.event.players]
        for key, view in sorted(every, key=lambda each: (each[0], each[1].player)):
            groups.setdefault(key[:1].upper(), []).append(self.now(view))
        return list(groups.items())

    @property
    def over(self) -> bool:
        """Whether nothing follows any more: the event is closed, or its last match is in."""
        final = self.event.final
        return self.event.closed or (final is not None and final.finished)

    @property
    def status(self) -> str:
        """Where the event stands: `Round 5 of 6 · 7 tables open`."""
        latest, planned = self.latest, self.event.planned
        if latest is None:
            said = [
                Message.plural(
                    "1 player registered; no round is paired yet",
                    "{n} players registered; no round is paired yet",
                    len(self.event.players),
                ),
                Message.plural("1 round", "{n} rounds", planned) if planned else "",
            ]
            return Message.joined(" · ", said)
        if self.over:
            return Message("The event is over")
        title = latest.title
        if planned and not latest.cut and latest.number <= planned:
            title = Message("{round} of {planned}", round=title, planned=planned)
        return (
            Message.plural(
                "{round} · 1 table open", "{round} · {n} tables open", len(latest.playing), round=title
            )
            if latest.playing
            else Message("{round} · all results are in", round=title)
        )

    @property
    def bracket_status(self) -> str:
        """What is drawn, and where it stands: `Single elimination, 8 players · Semifinals · 1 table open`."""
        bracket = self.event.bracket
        assert bracket is not None
        begun = self.latest is not None and self.latest.cut
        if bracket.double:
            what = Message.plural(
                "Double elimination, {n} player", "Double elimination, {n} players", bracket.size
            )
        else:
            what = Message.plural(
                "Single elimination, {n} player", "Single elimination, {n} players", bracket.size
            )
        where = (
            self.status
            if begun
            else Message("The cut is made; the first round of the bracket is not paired yet.")
        )
        return Message.joined(" · ", [what, where])

    @property
    def bracket_says(self) -> str:
        """The bracket in a sentence, for who does not see the picture."""
        bracket = self.event.bracket
        assert bracket is not None
        played = [each for stage in bracket.stages for each in stage.matches if each.state != "empty"]
        decided = sum(each.state in {"done", "bye"} for each in played)
        return Message(
            "{played} of {matches} matches are decided. The list below the picture describes every match.",
            played=decided,
            matches=len(played),
        )

    @property
    def next(self) -> str:
        """What follows; empty where the event is over."""
        latest, planned = self.latest, self.event.planned
        if self.over:
            return ""
        if latest is None:
            return Message("Next: the first pairing")
        if latest.cut:
            if latest.title.startswith("Final"):
                return Message("Next: the final places")
            return Message("Next: the next round of the bracket")
        if self.event.bracket is not None:
            return Message("Next: the bracket")
        number = latest.number + 1
        if planned is None:
            return Message("Next: round {n}", n=number)
        return (
            Message("Next: round {n} of {planned}", n=number, planned=planned)
            if number <= planned
            else Message("This is the last round")
        )

    @property
    def champion(self) -> tuple[str, PlayerId] | None:
        """Name and number of who has won; None before the end, and where nobody alone has."""
        won = [(name, player) for place, name, player in self.podium if place == "1"]
        return won[0] if len(won) == 1 else None

    @property
    def podium(self) -> list[tuple[str, str, PlayerId]]:
        """Place, name and number of the first three, once the places are final."""
        final, standings = self.event.final, self.event.standings
        if final is not None:
            rows = (
                [(row.place, row.name, row.player, row.first) for row in final.rows] if final.finished else []
            )
        else:
            rows = [
                (str(row.rank), row.name, row.player, row.rank)
                for row in standings.rows
                if self.event.closed and standings.after
            ]
        return [(place, name, player) for place, name, player, first in rows if first and first <= 3][:4]

    @property
    def top(self) -> Sequence[RowView]:
        """The first of the standings."""
        rows = self.event.standings.rows
        last = max((place for place, row in enumerate(rows, 1) if row.cut), default=0)
        return rows[: max(TOP_ROWS, last)]

    @property
    def first(self) -> Sequence[PlaceView]:
        """The first of the final ranking."""
        rows = self.event.final.rows if self.event.final else ()
        return rows[: max(TOP_ROWS, sum(bool(row.came) for row in rows))]

    @property
    def ranking_title(self) -> str:
        """What the ranking of the event is at the moment."""
        final = self.event.final
        if final is None:
            return (
                Message("Provisional standings") if self.event.standings.provisional else Message("Standings")
            )
        if final.finished:
            return Message("Final ranking")
        return Message("Provisional places") if final.playing else Message("Places so far")

    @property
    def counts(self) -> str:
        """Which results the standings count: `Round 5 so far, 7 tables open`."""
        view = self.event.standings
        if not view.after:
            return Message("Before round 1, in order of registration")
        last = next(each for each in self.event.rounds if each.number == view.after)
        if view.provisional and last.playing:
            return Message.plural(
                "Round {round} so far, 1 table open",
                "Round {round} so far, {n} tables open",
                len(last.playing),
                round=view.after,
            )
        return capital(view.heading) if view.provisional else Message("After round {n}", n=view.after)

    @property
    def time(self) -> str:
        """When the last entry was made, in the event's own zone: `20:14`."""
        return _clock(self.event.at)

    def counts_of(self, needs: NeedsView) -> str:
        """Say which results what players need is worked out from: `Round 5, 7 tables open · 20:14`."""
        last = self.event.standings.after
        rounds = (
            Message.plural("1 round still to be paired", "{n} rounds still to be paired", needs.to_come)
            if needs.to_come
            else ""
        )
        tables = (
            Message.plural(
                "Round {round}, 1 table open", "Round {round}, {n} tables open", needs.tables, round=last
            )
            if needs.tables
            else Message("After round {n}", n=last)
        )
        return Message.joined(" · ", [tables, rounds, _clock(needs.at)])


class _Once(dict[Any, Any]):
    """What a function gives for each key, asked once; a key that is a tuple is several arguments."""

    def __init__(self, make: Callable[..., Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Any) -> Any:
        made = self[key] = self._make(*key) if isinstance(key, tuple) else self._make(key)
        return made


def capital(text: str) -> str:
    """Return a text with a capital letter at its begin."""
    return text[:1].upper() + text[1:]


def _clock(at: str) -> str:
    return datetime.fromisoformat(at).strftime("%H:%M") if at else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Now:
    """Where one player stands at the moment: a line of the list by name, and the card.

    match: in the newest round; None without one; extra: minutes that its table has beyond the clock
    final: the place, when the event is over: `5–8`; empty for who has none
    settled: the place after the last round that is complete; next: what follows for this player, empty where nothing does
    """

    view: PlayerView
    match: MatchView | None
    extra: int
    final: str
    settled: RowView | None
    next: str

    @property
    def key(self) -> str:
        """By what the player is found."""
        return search_key(self.view.name)

    @property
    def open(self) -> bool:
        """Whether the player's table has no result yet."""
        return self.match is not None and self.match.result == "playing"


def search_key(name: str) -> str:
    """Return the words by which a name is found, folded as the command line folds, each once.

    >>> search_key("Åsa Östergård"), search_key("Shane O’Neill"), search_key("Anna-Lena Weiß")
    ('asa ostergard', 'shane oneill o neill', 'anna lena weiss annalena')
    """
    folded = fold(name)
    whole = [_WORDS.sub("", word) for word in folded.split()]
    parts = _WORDS.split(folded)
    near = _WORDS.split(folded.translate(_INSIDE))
    return " ".join(dict.fromkeys(word for word in (*near, *parts, *whole) if word))


_WORDS = re.compile(r"[\W_]+")
_INSIDE = str.maketrans("", "", "'\".")


SPELLED_OUT = {letter: fold(letter) for letter in "ßæœøłđðþħıŧ"}
"""Letters that folding spells out though Unicode does not take them apart; the script that searches is told them."""


def _round_path(round_view: RoundView) -> str:
    """Return the page of a round, relative to the folder."""
    return f"round-{round_view.number}.html"


def fill(name: str, language: str, /, **facts: object) -> bytes:
    """Return template `name` in a language, filled with `facts`; a fact the template misses is a bug and raises."""
    return _environment(language_called(language)).get_template(name).render(**facts).encode()


def _source(name: str) -> bytes:
    """Return a file of the templates folder as it is (style sheet, script)."""
    environment = _environment(language_called("en"))
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0].encode()


@cache
def _environment(language: Language) -> Environment:
    """Return the templates of a language: `_`, `ngettext` and `pgettext` translate, and so does showing a `Message`."""
    from hashlib import sha256

    import jinja2
    from jinja2.bccache import Bucket

    from tourney.store.files import keep, recall

    made_so = sha256(f"{jinja2.__version__} escaped trimmed gettext".encode()).hexdigest()[:16]

    class Compiled(jinja2.BytecodeCache):
        """Templates once compiled: that takes longer than to fill most of them."""

        def load_bytecode(self, bucket: Bucket) -> None:
            code = recall("compiled", f"{bucket.key}-{made_so}")
            if code is not None:
                bucket.bytecode_from_string(code)

        def dump_bytecode(self, bucket: Bucket) -> None:
            keep("compiled", f"{bucket.key}-{made_so}", bucket.bytecode_to_string())

    made = jinja2.Environment(
        loader=jinja2.PackageLoader("tourney.publish"),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        bytecode_cache=Compiled(),
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
        finalize=lambda value: language.translate(value) if isinstance(value, Message) else value,
    )
    made.install_gettext_callables(  # type: ignore[attr-defined]  # from the extension
        language.gettext, language.ngettext, newstyle=False, pgettext=language.pgettext
    )
    made.globals["language"] = language
    made.filters["translated"] = language.translate
    made.filters["capital"] = lambda text: capital(language.translate(text))
    made.filters["note"] = note_in_words
    made.filters["in_points"] = in_points
    made.filters["typed"] = _typed
    return made


def _typed(text: str) -> Markup:
    """Return a text as HTML in which what stands in backticks, to be typed, is code."""
    from markupsafe import Markup, escape

    pieces = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if place % 2 else escape(piece)
        for place, piece in enumerate(pieces)
    )
