"""HTML: the pages that people read on a phone, and the sheets for the wall and the tables. No build, no script needed.

One set of templates, in `templates/`, makes the folder that `publish` writes and what a live server answers: `pages`
names every page and makes none before it is asked for. Every page stands in one shell (`page.html`) and takes its words
from a file of labels. Whatever is put into a template is escaped.

Only verification.html (and `event.json`) name the entry, its digest and how a round is proved: any other page changes
when what it tells changes, so that after a result only a few files are written anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from pkgutil import get_data
from typing import TYPE_CHECKING, Any

from tourney.cards.names import fold
from tourney.decode import parse_toml
from tourney.errors import TourneyError
from tourney.event.view import (
    EventView,
    MatchView,
    PlaceView,
    PlayerView,
    RoundView,
    RowView,
)
from tourney.publish.data import Files
from tourney.publish.pictures import bracket_picture, field_picture
from tourney.publish.screen import screen
from tourney.record import PlayerId

if TYPE_CHECKING:
    from jinja2 import Environment


class Labels:
    """The words that the pages themselves say, by their keys in `labels/en.toml`; a template calls it `t`."""

    def __init__(self, texts: Mapping[str, Any]) -> None:
        self._texts = texts

    def __getitem__(self, key: str) -> str:
        return self(key)

    def __call__(self, key: str, n: int | None = None, **facts: object) -> str:
        """Return a text, filled in. n: how many, where one thing is said otherwise than several."""
        text = self._texts[key]
        if isinstance(text, list):
            text = text[0] if n == 1 else text[-1]
        return str(text).format(n=n, **facts)

    def of_points(self, points: str) -> str:
        """Return points as they are counted: `1 point`, `4½ points`."""
        return self("points_count", 1 if points in {"1", "½"} else 2, points=points)

    def said(self, text: str) -> str:
        """Return a word of the event (`drop`, `bye`) as these labels say it; others as they are."""
        return str(self._texts["words"].get(text, text))


def read_labels(text: str, *, source: str) -> Labels:
    """Return labels in another language: a copy of `labels/en.toml`, in which what is missing stays English.

    Raises TourneyError for a key or a `{…}` that there is not, and for what is no text.
    """
    given, english = parse_toml(text, source=source), _english()
    for key, value in given.items():
        if key not in english:
            raise TourneyError(
                f"{source}: there is no label `{key}`", "the labels are those of labels/en.toml"
            )
        texts: list[Any]
        if key == "words":
            texts = [*value.values()] if isinstance(value, dict) else [None]
            known: set[str] = set()
        else:
            texts = value if isinstance(value, list) and isinstance(english[key], list) else [value]
            known = set(_FILLED.findall("".join(english[key])))
        if not texts or not all(isinstance(each, str) for each in texts):
            raise TourneyError(f"{source}: `{key}` is not a text as it is in labels/en.toml")
        for each in texts:
            strange = (set(_FILLED.findall(each)) - known) | (set("{}") & set(_FILLED.sub("", each)))
            if strange:
                raise TourneyError(
                    f"{source}: `{key}` cannot be filled in: {', '.join(sorted(strange))}",
                    "what stands in braces is as in labels/en.toml",
                )
    return Labels({**english, **given, "words": {**english["words"], **given.get("words", {})}})


def english() -> Labels:
    """Return the words as they are."""
    return Labels(_english())


@cache
def _english() -> dict[str, Any]:
    text = get_data("tourney.publish", "labels/en.toml")
    assert text is not None
    return parse_toml(text.decode(), source="labels/en.toml")


_FILLED = re.compile(r"\{(\w*)\}")

TOP_ROWS = 8
"""How many rows of the standings the home page shows; a larger cut shows the whole cut."""

_BEYOND_ASCII = "ßæœøłđðþħıŧ"
"""Letters that folding spells out though Unicode does not take them apart; the script that searches is told them."""

_WORDS = re.compile(r"[\W_]+")
_INSIDE = str.maketrans("", "", "'\".")


@dataclass(frozen=True, slots=True)
class Link:
    """A page in the navigation."""

    path: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Now:
    """Where one player stands at the moment: a line of the list by name, and the card.

    match: in the newest round; None without one; extra: minutes that its table has beyond the clock
    settled: the place after the last round that is complete
    """

    view: PlayerView
    key: str
    match: MatchView | None
    extra: int
    settled: RowView | None

    @property
    def open(self) -> bool:
        """Whether the player's table has no result yet."""
        return self.match is not None and self.match.result == "playing"


def pages(event: EventView, downloads: Sequence[str] = (), labels: Labels | None = None) -> Files:
    """Return every page of `event`, with the style sheet and the script that finds a name.

    downloads: paths of the files in other forms that the home page links to; labels: the words, English without

    A live server asks for the same pages and makes the one that is wanted.
    """
    site = _Site(event, labels or english())
    files: Files = {
        "style.css": partial(_source, "style.css"),
        "screen.css": partial(_source, "screen.css"),
        "site.js": partial(fill, "site.js", folded={letter: fold(letter) for letter in _BEYOND_ASCII}),
    }

    def add(template: str, path: str, **own: Any) -> None:
        files[path] = partial(_page, site, template, path, own)

    add("index.html", "index.html", files=downloads)
    add("standings.html", "standings.html")
    add("verification.html", "verification.html")
    add("screen.html", "screen.html", screen=cache(partial(screen, event, site.labels)))
    if event.bracket is not None:
        picture = cache(partial(bracket_picture, event.bracket))
        add("bracket.html", "bracket.html", picture=picture)
    if event.game:
        add("game.html", "game.html", sheet=event.game)
    if event.decks:
        add("decks.html", "decks.html")
    for template, path, own in _of_decks(event):
        add(template, path, **own)
    files |= {f"deck/{each.player}.txt": each.text.encode for each in event.lists if each.groups}
    for view in event.rounds:
        add("round.html", _round_path(view), round=view)
    for player in event.players:
        add("player.html", f"player/{player.player}.html", player=player)
    return files


def _of_decks(event: EventView) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Name the pages of decklists that are open, and of the field: template, path, and what else it shows."""
    if event.lists:
        yield "lists.html", "lists.html", {}
    if event.field:
        yield "field.html", "field.html", {"field": field_picture(event.field)}
    for each in event.lists:
        yield "deck.html", f"deck/{each.player}.html", {"deck": each}


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


class _Site:
    """What all pages of one event share, worked out once."""

    def __init__(self, event: EventView, labels: Labels) -> None:
        self.event, self.labels = event, labels
        self.latest = event.rounds[-1] if event.rounds else None
        self._settled = {row.player: row for row in event.settled.rows}
        self._extra = (
            {seat.player: table.extra for table in self.latest.tables if table.extra for seat in table.seats}
            if self.latest
            else {}
        )

        self.notes = {
            each.player: each.place.note if each.place else each.row.note if each.row else ""
            for each in event.players
        }
        self.with_list = frozenset(each.player for each in event.lists)
        stages = event.bracket.stages if event.bracket else ()
        self.in_bracket = frozenset(
            seat.player for stage in stages for each in stage.matches for seat in each.seats if seat.player
        )

    @property
    def links(self) -> list[Link]:
        """The navigation, without the menu of rounds."""
        t = self.labels
        pairings = [Link(_round_path(self.latest), t["pairings"])] if self.latest else []
        bracket = [Link("bracket.html", t["bracket"])] if self.event.bracket else []
        return [*pairings, Link("standings.html", t["standings"]), *bracket]

    @property
    def rounds(self) -> list[Link]:
        """The menu of rounds, the newest first."""
        return [Link(_round_path(view), view.title) for view in reversed(self.event.rounds)]

    def now(self, view: PlayerView) -> Now:
        """Return where a player stands."""
        last = view.matches[-1] if view.matches else None
        here = last is not None and self.latest is not None and last.round == self.latest.number
        return Now(
            view=view,
            key=search_key(view.name),
            match=last if here else None,
            extra=self._extra.get(view.player, 0),
            settled=self._settled.get(view.player),
        )

    @property
    def by_name(self) -> list[tuple[str, list[Now]]]:
        """Everybody, in the order of their names, in groups by the first letter."""
        groups: dict[str, list[Now]] = {}
        every = [(fold(view.name), view) for view in self.event.players]
        for key, view in sorted(every, key=lambda each: (each[0], each[1].player)):
            groups.setdefault(key[:1].upper(), []).append(self.now(view))
        return list(groups.items())

    @property
    def status(self) -> str:
        """Where the event stands: `Round 5 · 7 tables open`."""
        t, latest, final = self.labels, self.latest, self.event.final
        if latest is None:
            return t("not_begun", len(self.event.players))
        if self.event.closed or (final is not None and final.finished):
            return t["over"]
        if latest.playing:
            return t("open", len(latest.playing), round=latest.title)
        return t("complete", round=latest.title)

    @property
    def bracket_status(self) -> str:
        """What is drawn, and where it stands: `Single elimination, 8 players · Semifinals · 1 table open`."""
        t, bracket = self.labels, self.event.bracket
        assert bracket is not None
        begun = self.latest is not None and self.latest.cut
        what = t("bracket_double" if bracket.double else "bracket_of", bracket.size)
        where = self.status if begun else t["bracket_none"]
        return f"{what} · {where}"

    @property
    def bracket_says(self) -> str:
        """The bracket in a sentence, for who does not see the picture."""
        bracket = self.event.bracket
        assert bracket is not None
        played = [each for stage in bracket.stages for each in stage.matches if each.state != "empty"]
        decided = sum(each.state in {"done", "bye"} for each in played)
        return self.labels("bracket_says", played=decided, matches=len(played))

    @property
    def next(self) -> str:
        """What follows; empty where the event is over."""
        t, latest, final, planned = self.labels, self.latest, self.event.final, self.event.planned
        if self.event.closed or (final is not None and final.finished):
            return ""
        if latest is None:
            return t["next_first"]
        if latest.cut:
            return t["next_places" if latest.title.startswith("Final") else "next_bracket"]
        number = latest.number + 1
        if planned is None:
            return t("next_round", number)
        return t("next_of", number, planned=planned) if number <= planned else t["next_last"]

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
        t, final = self.labels, self.event.final
        if final is None:
            return t["standings_so_far" if self.event.standings.provisional else "standings"]
        if final.finished:
            return t["final_ranking"]
        return t["provisional_places" if final.playing else "places_so_far"]

    @property
    def counts(self) -> str:
        """Which results the standings count: `Round 5 so far, 7 tables open`."""
        t, view = self.labels, self.event.standings
        if not view.after:
            return t["before_first"]
        last = next(each for each in self.event.rounds if each.number == view.after)
        if view.provisional and last.playing:
            return t("so_far", len(last.playing), round=view.after)
        return (
            view.heading[:1].upper() + view.heading[1:] if view.provisional else t("after_round", view.after)
        )

    @property
    def time(self) -> str:
        """When the last entry was made, in the event's own zone: `20:14`."""
        return _clock(self.event.at)


def _clock(at: str) -> str:
    return datetime.fromisoformat(at).strftime("%H:%M") if at else ""


def _page(site: _Site, template: str, path: str, own: Mapping[str, Any]) -> bytes:
    return fill(
        template,
        site=site,
        event=site.event,
        t=site.labels,
        path=path,
        up="../" * path.count("/"),
        **own,
    )


def _round_path(round_view: RoundView) -> str:
    """Return the page of a round, relative to the folder."""
    return f"round-{round_view.number}.html"


def fill(name: str, /, **facts: Any) -> bytes:
    """Return template `name` filled with `facts`; a fact the template misses is a bug and raises."""
    return _environment().get_template(name).render(**facts).encode()


def _source(name: str) -> bytes:
    """Return a file of the templates folder as it is (style sheet, script)."""
    loader = _environment().loader
    assert loader is not None
    return loader.get_source(_environment(), name)[0].encode()


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("tourney.publish"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
