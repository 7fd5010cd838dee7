"""`tourney standings`: who is ahead, why, and under other rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from tourney.cards.names import fold
from tourney.cli.command import noun
from tourney.cli.options import F, at_entry, dated, players, profiles
from tourney.cli.output import known_style, table_text
from tourney.cli.session import Session, source_of
from tourney.errors import TourneyError
from tourney.standings import cut_at
from tourney.standings.printing import (
    columns,
    heading_text,
    json_value,
    note_text,
    record_text,
    value_text,
)
from tourney.standings.profile import LOT
from tourney.wording import as_of, counted, listed

if TYPE_CHECKING:
    from tourney.desk import Desk
    from tourney.event.field import DivisionPlace
    from tourney.event.view import FinalView, PlaceView
    from tourney.record import PlayerId, Record, Seat
    from tourney.standings import (
        Comparison,
        Explained,
        Explanation,
        MatchForm,
        Neighbour,
        Profile,
        Qualifiers,
        Row,
        ScoreLine,
        Standings,
        Swap,
    )
    from tourney.standings.exact import Value
    from tourney.standings.profile import Percentage
    from tourney.standings.reading import Name, Results


cli = noun("standings", default="show")


# -- What a look at standings is about: an event or a file of results, a profile, a round


DEFAULT_PROFILE = "tourney"


def asking(function: F) -> F:
    """Add the options that say which results are looked at, and under which rules."""
    options = (
        click.option(
            "--profile",
            metavar="NAME|FILE",
            shell_complete=profiles,
            help="Other rules than the event's; `tourney standings profiles`.",
        ),
        click.option(
            "--after", metavar="N", type=click.IntRange(min=0), help="The standings after N rounds."
        ),
        at_entry,
        click.option(
            "--from",
            "source",
            metavar="FILE",
            help="Results from a file (JSON, CSV, TRF; `-`: standard input) instead of an event.",
        ),
        dated("--on", "day", "The day whose edition of the rules holds."),
        click.option("--seed", metavar="TEXT", help="Draw the lot of a file's standings from this text."),
        click.option("--tiebreaks", metavar="CODES", help="Another order of tie-breaks: `PTS,BH/C1,BH,SB`."),
    )
    for option in reversed(options):
        function = option(function)
    return function


@dataclass(frozen=True, kw_only=True)
class StandingsRequest:
    """The options of `asking`, as they were given. stuck: why a bracket cannot go on, once that was seen."""

    profile: str | None
    after: int | None
    at: int | None
    source: str | None
    day: date | None
    seed: str | None
    tiebreaks: str | None
    stuck: list[str] = field(default_factory=list)

    def read(self, session: Session) -> RankedResults:
        """Read the results. Raises TourneyError where they are not there, UsageError where the line asks for two things."""
        (results,) = self.read_under(session, [self.profile])
        return results

    def read_under(self, session: Session, profiles: Sequence[str | None]) -> list[RankedResults]:
        """Read the results for each of several profiles (None: the default one); raises as `read` does."""
        if self.source is not None and self.at is not None:
            raise click.UsageError("--at names an entry of an event, not of a file")
        if self.source is None and self.seed is not None:
            raise click.UsageError("--seed belongs to --from: an event draws its lots from its own seed")
        results = (
            [self._of_event(session, name) for name in profiles]
            if self.source is None
            else list(self._of_file(session, self.source, profiles))
        )
        return [replace(each, profile=self._ordered(each.profile)) for each in results]

    def _of_file(
        self, session: Session, source: str, profiles: Sequence[str | None]
    ) -> Iterator[RankedResults]:
        from tourney.standings.reading import number_columns_are_scores, read_results

        # Whether a match's two numbers are games or scores is the profile's to say: a file is read once for each.
        readings: dict[bool, Results] = {}
        warned: set[str] = set()
        for name in profiles:
            profile = session.library().profile(name or DEFAULT_PROFILE)
            scores = number_columns_are_scores(profile)
            if scores not in readings:
                readings[scores] = read_results(
                    session.read_text(source),
                    source=source_of(source),
                    scores=scores,
                )
            results = readings[scores]
            edition = results.edition(profile, self.day)
            unread = f"not read: {', '.join(results.unread)}" if results.unread else ""
            for remark in filter(None, [unread, *results.remarks, results.scored_otherwise(edition)]):
                if remark not in warned:
                    session.warn(f"{source}: {remark}")
                    warned.add(remark)
            yield self._ranked(results, edition, source)

    def _ranked(self, results: Results, edition: Profile, source: str) -> RankedResults:
        record = results.record
        if self.after is not None:
            if self.after > len(record.rounds):
                raise TourneyError(
                    f"{source}: there is no round {self.after}: {len(record.rounds)} in the file"
                )
            record = record.after(self.after)
        return RankedResults(
            record=record,
            profile=edition,
            names=results.names,
            seed=self.seed or "",
            divisions=results.divisions,
            match=results.match,
        )

    def _of_event(self, session: Session, profile: str | None) -> RankedResults:
        from tourney.event.field import cut_of, divisions_of, left_by
        from tourney.event.phrases import own_seats_of, sides_of

        with session.look(self.at) as desk:
            ranked, state = desk.ranked(profile=profile, after=self.after), desk.state
            final = self._final(desk) if profile is None else None
        last = len(ranked.record.rounds)
        own = profile in (None, state.profile) and last == len(state.swiss) and not self.tiebreaks
        return RankedResults(
            record=ranked.record,
            profile=ranked.profile.on(self.day) if self.day else ranked.profile,
            names={player.id: player.name for player in state.players.values()},
            seed=ranked.seed,
            cut=(cut_of(state) or None) if own else None,
            gone=left_by(state, last),
            of_event=True,
            match=(state.settings.best_of, state.settings.draws),
            final=final,
            at=self.at,
            side_of=sides_of(state) if state.settings.sides else None,
            seats_of=own_seats_of(state),
            division_of=divisions_of(state),
        )

    def _final(self, desk: Desk) -> FinalView | None:
        """Return the final ranking of an event with a bracket; None where other standings are asked for."""
        if self.after is not None or self.day or self.tiebreaks:
            return None
        from tourney.desk.views import bracket_places

        try:
            return bracket_places(desk)
        except TourneyError as fault:  # the Swiss rounds can be ranked all the same
            self.stuck.append(fault.message)
            return None

    def _ordered(self, profile: Profile) -> Profile:
        if self.tiebreaks is None:
            return profile
        from tourney.standings import with_order

        return with_order(profile, [code.strip() for code in self.tiebreaks.split(",") if code.strip()])


@dataclass(frozen=True, kw_only=True)
class RankedResults:
    """Results and the rules they are ranked under.

    profile:   the edition that holds
    names:     player → name, as the event or the file has it
    seed:      of the lot; empty: none is drawn
    divisions: name → players ranked among themselves; empty: all together
    cut:       who went on to the event's bracket, where these are the standings it was made from; None: nobody did yet
    gone:      who had left when the last of these rounds was over
    of_event:  whether this is an event, not a file of results
    match:     the games a match can have, and whether it can be drawn, as far as that is known
    final:     everybody's place, of an event with a bracket, where no other standings were asked for
    at:        the entry as of which the event is looked at; None: as it stands
    side_of:   which side a player had in a round, in an event with sides
    seats_of:  the seats of a player's match in a round as it ended, their own first, in an event
    division_of: player → division, in an event where players have one
    division:  the one that alone is shown; empty: everybody is
    """

    record: Record
    profile: Profile
    names: Mapping[PlayerId, Name]
    seed: str = ""
    divisions: Mapping[str, tuple[PlayerId, ...]] = field(default_factory=dict)
    cut: frozenset[PlayerId] | None = None
    gone: frozenset[PlayerId] = frozenset()
    of_event: bool = False
    match: tuple[int | None, bool | None] = (None, None)
    final: FinalView | None = None
    at: int | None = None
    side_of: Callable[[PlayerId, int], str] | None = None
    seats_of: Callable[[PlayerId, int], Sequence[Seat]] = lambda _player, _round: ()
    division_of: Mapping[PlayerId, str] = field(default_factory=dict)
    division: str = ""

    def heading(self, standings: Standings) -> str:
        """Say which results are counted, and as of which entry where one was named."""
        return heading_text(standings) + as_of(self.at)

    def places(self, standings: Standings) -> dict[PlayerId, DivisionPlace]:
        """Return the places inside each division of an event."""
        from tourney.event.field import division_places

        return division_places(self.division_of, ((row.player, row.rank) for row in standings.rows))

    def shown(self, standings: Standings) -> list[Row]:
        """Return the rows that are to be shown."""
        only = self.division if self.division_of else ""
        return [row for row in standings.rows if not only or self.division_of.get(row.player) == only]

    def of_division(self, named: str) -> RankedResults:
        """Return the results of which only one division is to be shown. Raises TourneyError where nobody is in it."""
        there = dict.fromkeys([*self.divisions, *self.division_of.values()])
        name = next((each for each in there if fold(each) == fold(named)), None)
        if name is None:
            raise TourneyError(
                f"nobody is in the division `{named}`",
                f"there {'are' if len(there) > 1 else 'is'} {listed([f'`{each}`' for each in there])}"
                if there
                else "`tourney player change NAME --tag division=NAME` says who is in one",
            )
        return replace(
            self,
            divisions={each: players for each, players in self.divisions.items() if each == name},
            division=name,
        )

    def form(self) -> MatchForm:
        """Return what a match can end in; what is not known is read off the results."""
        from tourney.standings import MatchForm

        best_of, draws = self.match
        return MatchForm.seen_in(self.record, best_of=best_of, draws=draws)

    def name(self, player: PlayerId) -> str:
        """Return the name of a player as text."""
        return str(self.names[player])

    def find(self, text: str) -> PlayerId:
        """Return who is meant by a name, an unambiguous prefix or `#7`. Raises TourneyError where nobody is."""
        from tourney.event.names import find
        from tourney.event.ops import Ref
        from tourney.event.state import Player

        players = {
            player: Player(id=player, name=str(name), name_ref=Ref("")) for player, name in self.names.items()
        }
        return find(players, text)


# -- tourney standings show


@cli.command(
    "show",
    event=True,
    examples=[
        "tourney standings",
        "tourney standings --after 3 --cut 8",
        "tourney standings --from results.csv --profile mtr",
        "tourney standings --from open.trf --profile fide --on 2025-01-01 --json",
    ],
)
@asking
@click.option("--cut", metavar="N", type=click.IntRange(min=1), help="Mark the first N who are still in.")
@click.option(
    "--table", "style", metavar="FMT", default="text", help="text, markdown, csv, tsv, html or another form."
)
@click.option("--division", metavar="NAME", help="Only players of a division, with their places in it.")
@click.option("--swiss", is_flag=True, help="The Swiss standings, also where a bracket gives the places.")
@click.option(
    "--compare", "comparing", is_flag=True, help="Show who makes the cut under each profile there is."
)
def show(
    session: Session,
    cut: int | None,
    style: str,
    comparing: bool,
    *,
    division: str | None,
    swiss: bool,
    **options: Any,
) -> None:
    """Show the standings: of the event, or of a file of results with --from.

    Where a bracket is played, its places are the ranking: the bracket first, then everybody else by rank in the Swiss
    rounds. --swiss shows those rounds alone, with their tie-breaks; so does each option that asks for other standings.

    A file holds JSON, comma-separated lines (`round,player1,player2,wins1,wins2,draws`; an empty player2 is a bye) or
    a Tournament Report File. Values are exact inside; printed decimals are rounded half up.

    Where players have a tag `division`, its places stand beside those of all: whoever is ahead there is ahead here.
    """
    if comparing and division is not None:
        raise click.UsageError("--compare is about the cut, which knows no division")
    request, style = StandingsRequest(**options), known_style(style)
    if comparing:
        show_comparison(session, request, session.library().profiles(), cut or 8)
        return
    results = request.read(session)
    if division is not None:
        results = results.of_division(division)
    tables = _standings(results)
    if session.json:
        session.emit("standings/1", _as_json(results, tables, cut))
        return
    for fault in request.stuck:
        session.warn(
            f"the places of the bracket cannot be told: {fault}",
            "`tourney event log`, `tourney event undo ENTRY`",
        )
    if results.final is not None and not swiss and cut is None:
        _print_final(session, results, results.final, style)
        return
    for i, (name, table) in enumerate(tables):
        if name:
            session.say(f"{'' if i == 0 else chr(10)}{name}")
        _print(session, results, table, cut=cut, style=style)
    _mind(session, results, tables, cut)


def _print_final(session: Session, results: RankedResults, final: FinalView, style: str) -> None:
    """Print everybody's place: that of the bracket, and behind it the rank in the Swiss rounds."""
    headers = ["place", "player", "bracket", *(["Swiss", "points"] if final.swiss else []), "record"]
    if final.swiss and style != "csv":  # whose column names stand
        headers[3:] = ["Swiss rank", "Swiss points", "Swiss record"]
    headers += ["division"] if final.divided else []
    rows = [
        [
            row.place,
            row.name,
            row.came,
            *([row.swiss or "", row.points] if final.swiss else []),
            row.record,
            *([row.in_division] if final.divided else []),
            row.note,
        ]
        for row in final.rows
        if not results.division or row.division == results.division
    ]
    title = final.title + as_of(results.at)
    told = _print_ranking(
        session,
        headers,
        rows,
        right=(0, 3, 4) if final.swiss else (0,),
        style=style,
        title="" if final.finished and results.at is None else title,
        heading=final.counts + as_of(results.at),
    )
    if style != "csv":
        swiss = " `--swiss` shows the standings." if final.swiss else ""
        session.talk(f"{'' if told else f'{title}. '}{final.how}{swiss}")


def _print_ranking(
    session: Session,
    headers: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    right: Sequence[int],
    style: str,
    title: str,
    heading: str,
) -> bool:
    """Print a ranking, and say which results it counts; return whether its title stands above it.

    rows:    behind the cells under `headers` a note, which has a column where there is any
    title:   above the table, where the style has room; empty: nothing there is that a reader must know
    heading: which results are counted: in a column of its own where the title has no room, and always in CSV
    """
    if style == "csv":
        from tourney.spreadsheet import csv_text

        header = [*headers, "note", "as of"]
        session.say(csv_text(header, [[*row, heading] for row in rows]).rstrip("\n"))
        return False
    noted = any(row[-1] for row in rows)
    above = bool(title) and style in _LINE_ABOVE
    if above:
        session.say(f"{title}\n")
    as_of = [heading] if title and not above else []
    session.table(
        [*headers, *([""] if noted else []), *(["as of"] if as_of else [])],
        [[*(row if noted else row[:-1]), *as_of] for row in rows],
        right=right,
        style=style,
    )
    return above


_LINE_ABOVE = frozenset({"plain", "simple", "github", "pipe"})
"""Styles in which a line above the table does no harm."""


def _standings(results: RankedResults) -> list[tuple[str, Standings]]:
    from tourney.standings import rank

    if not results.divisions:
        return [("", rank(results.record, results.profile, seed=results.seed))]
    return [
        (division, rank(results.record, results.profile, seed=results.seed, among=players))
        for division, players in results.divisions.items()
    ]


@dataclass(frozen=True, slots=True)
class _Mark:
    """What the table says of a player at the cut: `top 4`, or of equals across its line `level for place 4`."""

    text: str = ""
    through: bool = False
    level: bool = False


def _print(
    session: Session, results: RankedResults, standings: Standings, *, cut: int | None, style: str
) -> None:
    from tourney.standings.tiebreaks import find

    codes = columns(standings)
    units = [find(code).unit for code in codes]
    headers = ["rank" if style == "csv" else "", "player", "points", "record"]
    headers += [f"{code} %" if unit == "percent" else code for code, unit in zip(codes, units, strict=True)]
    marked, divided = _marked(results, standings, cut), results.places(standings)
    rows = [
        _cells(results, row, codes, marked.get(row.player, _Mark()).text) for row in results.shown(standings)
    ]
    if divided:
        headers.append("division")
        own = (divided.get(row.player) for row in results.shown(standings))
        rows = [
            [*row[:-1], place.words if place else "", row[-1]] for row, place in zip(rows, own, strict=True)
        ]
    _print_ranking(
        session,
        headers,
        rows,
        right=(0, 2, *range(4, 4 + len(codes))),
        style=style,
        title=_title(results, standings),
        heading=results.heading(standings),
    )


def _title(results: RankedResults, standings: Standings) -> str:
    """Say that the standings are not the last word, or as of which entry they are; empty where neither is so."""
    if not standings.playing and results.at is None:
        return ""
    return f"{'Provisional: ' if standings.playing else 'Standings '}{results.heading(standings)}"


def _cells(results: RankedResults, row: Row, codes: tuple[str, ...], mark: str) -> list[str]:
    profile = results.profile
    return [
        "" if row.rank is None else str(row.rank),
        results.name(row.player),
        profile.points_text(row.points),
        record_text(row),
        *[value_text(key, profile) for key in row.keys if key.code in codes],
        ", ".join(filter(None, [mark, note_text(row, gone=row.player in results.gone)])),
    ]


def _marked(results: RankedResults, standings: Standings, cut: int | None) -> dict[PlayerId, _Mark]:
    if results.cut is not None and cut in (None, len(results.cut)):
        return dict.fromkeys(results.cut, _Mark(f"top {len(results.cut)}", through=True))
    if cut is None:
        return {}
    qualifiers = cut_at(standings, cut, results.gone)
    return {
        **dict.fromkeys(qualifiers.through, _Mark(f"top {cut}", through=True)),
        **dict.fromkeys(qualifiers.level, _Mark(f"level for {_places(qualifiers)}", level=True)),
    }


def _places(cut: Qualifiers) -> str:
    first = cut.size - cut.places + 1
    return f"place {first}" if first == cut.size else f"places {first}–{cut.size}"


def _mind(
    session: Session, results: RankedResults, tables: list[tuple[str, Standings]], cut: int | None
) -> None:
    """Say what a reader of the table must know: unfinished matches, who is level or left out, the edition."""
    standings = tables[0][1]
    edition = f", edition of {standings.profile.edition}" if standings.profile.edition else ""
    session.talk(f"{results.heading(standings)}, under {standings.profile.name}{edition}")
    if standings.playing:
        session.talk(f"not counted, without a result: {_tables_text(standings.playing)}")
    for tie in filter(None, (_tie(results, table, cut) for _, table in tables)):
        session.talk(tie)
    early = [results.names[row.player] for row in standings.rows if row.left_early]
    if early:
        session.talk(
            f"not counted, for either side: the games of {listed(early)}, who left before half of them"
        )
    if standings.left_out:
        session.talk(f"left out, dropped before round 1: {len(standings.left_out)}")


def _tables_text(playing: Iterable[tuple[int, int]]) -> str:
    """Say tables of rounds, (round, table): `tables 1–16 of round 4`."""
    from tourney.event.phrases import tables_text

    by_round: dict[int, list[int]] = {}
    for number, table in playing:
        by_round.setdefault(number, []).append(table)
    return listed(
        f"{'table' if len(tables) == 1 else 'tables'} {tables_text(tables)} of round {number}"
        for number, tables in by_round.items()
    )


def _tie(results: RankedResults, standings: Standings, cut: int | None) -> str:
    """Say who is level across the line of a cut, and how that is decided; empty where the line is clear."""
    if cut is None or (results.cut is not None and cut == len(results.cut)):
        return ""
    qualifiers = cut_at(standings, cut, results.gone)
    if not qualifiers.level:
        return ""
    text = f"{listed(map(results.name, qualifiers.level))} are level for {_places(qualifiers)}"
    if LOT not in results.profile.order:
        text += f": {results.profile.name} has no lot"
        draws = (
            f"`tourney event cut {cut} --lot` draws one"
            if results.of_event
            else "`--tiebreaks` can end in LOT"
        )
    else:
        draws = (
            "the secret it is drawn from is not in this copy"
            if results.of_event
            else "`--seed TEXT` draws one"
        )
        text += ": no lot is drawn"
    return f"{text}; {draws}"


def _as_json(results: RankedResults, tables: list[tuple[str, Standings]], cut: int | None) -> dict[str, Any]:
    standings = tables[0][1]
    size = cut or (len(results.cut) if results.cut else None)
    return {
        "profile": standings.profile.name,
        "edition": standings.profile.edition,
        "source": standings.profile.source,
        "after": standings.rounds,
        "order": list(standings.profile.order),
        "playing": [{"round": number, "table": table} for number, table in standings.playing],
        "provisional": bool(standings.playing),
        "as_of": results.heading(standings),
        **({} if results.at is None else {"at": results.at}),
        **({"final": _final_json(results.final, results.division)} if results.final else {}),
        **({"division": results.division} if results.division else {}),
        **({"cut": [_cut_json(results, table, size) for _, table in tables]} if size else {}),
        "left_out": [results.names[player] for player in standings.left_out],
        "standings": [
            row_json(results, row)
            | (_mark_json(marked.get(row.player, _Mark())) if size else {})
            | ({"division": division} if division else {})
            | _division_json(*divided.get(row.player, ()))
            for division, table in tables
            for marked in (_marked(results, table, cut),)
            for divided in (results.places(table),)
            for row in results.shown(table)
        ],
    }


def _division_json(name: str = "", first: int | None = None, last: int | None = None) -> dict[str, Any]:
    """Return the division of a player of an event who has one, and the first and the last of the places shared in it."""
    return {"division": name, "division_place": first, "division_last": last} if name else {}


def _final_json(final: FinalView, division: str) -> dict[str, Any]:
    """Return everybody's place, or those of one division; who shares places has the first in `place` and the last of them in `last`."""
    return {
        "finished": final.finished,
        "open": final.why_not or None,
        "as_of": final.counts,
        "places": [_place_json(row) for row in final.rows if not division or row.division == division],
    }


def _place_json(row: PlaceView) -> dict[str, Any]:
    return {
        "place": row.first,
        "last": row.last,
        "player": row.name,
        "number": row.player,
        "bracket": row.came,
        "swiss": row.swiss,
        "record": row.record.replace("–", "-"),
        "dropped": row.note == "drop",
        "disqualified": row.note == "disqualified",
        **_division_json(row.division, row.division_place, row.division_last),
    }


def _cut_json(results: RankedResults, standings: Standings, size: int) -> dict[str, Any]:
    """Return the cut itself: who is level across its line, for how many places, and how that is decided."""
    made = results.cut is not None and size == len(results.cut)
    qualifiers = cut_at(standings, size, results.gone)
    return {
        "size": size,
        "made": made,
        "level": [] if made else [results.names[player] for player in qualifiers.level],
        "places": 0 if made else qualifiers.places,
        "tie": _tie(results, standings, size),
    }


def _mark_json(mark: _Mark) -> dict[str, bool]:
    """Return whether a player goes on; whoever is level across the line does not yet."""
    return {"cut": mark.through, "level": mark.level}


def row_json(results: RankedResults, row: Row) -> dict[str, Any]:
    """Return one row for `--json`: exact fractions beside decimals."""
    return {
        "rank": row.rank,
        "player": results.names[row.player],
        "number": row.player,
        "points": row.points // 2 if row.points % 2 == 0 else row.points / 2,
        "record": f"{row.wins}-{row.losses}-{row.draws}",
        "dropped": row.dropped
        or (row.player in results.gone and row.player not in results.record.disqualified),
        "disqualified": row.disqualified,
        **({"left_early": True} if row.left_early else {}),
        "tiebreaks": [
            {
                "code": key.code,
                "value": json_value(key.value),
                "exact": None if key.value is None else str(key.value),
            }
            for key in row.keys
        ],
    }


# -- tourney standings why


@cli.command(
    "why",
    event=True,
    examples=[
        "tourney standings why Mira",
        "tourney standings why '#7' --after 3",
        "tourney standings why Mira --from results.csv --profile mtr",
    ],
)
@click.argument("who", metavar="PLAYER", shell_complete=players)
@asking
def why_(session: Session, who: str, **options: Any) -> None:
    """Tell why a player stands where they stand.

    Every opponent's term of every tie-break with floors and byes and the opponent's own results, as arithmetic in
    exact fractions; what lies between the neighbours above and below; and which other single result, of any match,
    would have swapped them, all else as it was. Where a bracket is played, its place comes first.
    """
    from tourney.standings import why
    from tourney.standings.describing import describe

    results = StandingsRequest(**options).read(session)
    player = results.find(who)
    try:
        explanation = why(results.record, results.profile, player, seed=results.seed, form=results.form())
    except KeyError:
        raise TourneyError(
            f"{results.name(player)} is not in the standings: dropped before round 1"
        ) from None
    if session.json:
        session.emit("standings-why/1", _explanation_json(results, explanation))
        return
    if results.at is not None:
        session.say(f"As of entry {results.at}\n")
    if results.final is not None:
        session.say(_final_text(results.final, player))
        if not results.final.swiss:
            return
        session.say("\nIn the Swiss rounds:")
    side_of = results.side_of or (lambda _player, _round: "")

    def score_of(player: PlayerId, number: int) -> str:
        seats = results.seats_of(player, number)
        if not seats:
            return ""
        from tourney.event.phrases import scores_text

        return scores_text(seats)

    session.say("\n".join(describe(explanation, results.name, side_of, score_of)))


def _final_text(final: FinalView, player: PlayerId) -> str:
    """Say a player's place in the final ranking, and by what it is given."""
    row = final.row(player)
    came = f", {row.came}" if row.came else ""
    if row.first is None:
        return f"{row.name}: no place{f', {row.note}' if row.note else ''}{came}"
    return f"{row.name}: {row.places}{came} ({final.title[:1].lower()}{final.title[1:]})\n{final.how}"


def _explanation_json(results: RankedResults, explanation: Explanation) -> dict[str, Any]:
    return {
        "profile": explanation.profile.name,
        "edition": explanation.profile.edition,
        "after": explanation.standings.rounds,
        "provisional": bool(explanation.standings.playing),
        "as_of": results.heading(explanation.standings),
        **({} if results.at is None else {"at": results.at}),
        **row_json(results, explanation.row),
        "tiebreaks": [_tiebreak(results, each) for each in explanation.tiebreaks],
        "above": _neighbour(results, explanation.above),
        "below": _neighbour(results, explanation.below),
        **({"final": _place_json(results.final.row(explanation.row.player))} if results.final else {}),
        **_sides(results, explanation),
        **_scores(results, explanation),
    }


def _sides(results: RankedResults, explanation: Explanation) -> dict[str, Any]:
    """Return which side the player had in each round, in an event with sides."""
    if results.side_of is None:
        return {}
    rounds = range(1, explanation.standings.rounds + 1)
    had = [(number, results.side_of(explanation.row.player, number)) for number in rounds]
    return {"sides": [{"round": number, "side": side} for number, side in had if side]}


def _scores(results: RankedResults, explanation: Explanation) -> dict[str, Any]:
    """Return the scores of the player's matches, their own first, in an event where any has one."""
    rounds = range(1, explanation.standings.rounds + 1)
    ended = [(number, results.seats_of(explanation.row.player, number)) for number in rounds]
    scores = [
        {
            "round": number,
            "seats": [{"player": results.names[seat.player], "score": seat.score} for seat in seats],
        }
        for number, seats in ended
        if any(seat.score is not None for seat in seats)
    ]
    return {"scores": scores} if scores else {}


def _tiebreak(results: RankedResults, each: Explained) -> dict[str, Any]:
    return {
        "code": each.code,
        "name": each.name,
        "source": each.source,
        **_both(each.value),
        "how": each.how,
        "note": each.note,
        "raw": None if each.raw is None else str(each.raw),
        "worked": each.worked,
        "among": [results.names[player] for player in each.among],
        "met": [
            {
                "player": results.names[met.player],
                "points": [
                    {"opponent": results.names[other], **_both(points)} for other, points in met.points
                ],
            }
            for met in each.met
        ],
        "lines": [_line(results, line) for line in each.lines],
        "parts": [_tiebreak(results, part) for part in each.parts],
    }


def _line(results: RankedResults, line: ScoreLine) -> dict[str, Any]:
    return {
        "round": line.round,
        "outcome": line.outcome.value,
        "opponents": [results.names[player] for player in line.opponents],
        **_both(line.value),
        "raw": None if line.raw is None else str(line.raw),
        "note": line.note,
        "worked": line.worked,
        "of": line.of,
        "made": [_line(results, made) for made in line.made],
    }


def _neighbour(results: RankedResults, other: Neighbour | None) -> dict[str, Any] | None:
    if other is None:
        return None
    return {
        "player": results.names[other.row.player],
        "rank": other.row.rank,
        "separated_by": other.code,
        "own": _both(other.own),
        "theirs": _both(other.theirs),
        "swaps": [_swap(results, swap) for swap in other.swaps],
        "searched": other.search.alternatives.tried,
        "searched_all": other.search.whole,
    }


def _swap(results: RankedResults, swap: Swap) -> dict[str, Any]:
    return {
        "round": swap.round,
        "table": swap.table.number,
        "seats": [
            {
                "player": results.names[seat.player],
                "outcome": seat.outcome.value,
                "games": seat.games,
                "score": seat.score,
                **({"side": results.side_of(seat.player, swap.round)} if results.side_of else {}),
            }
            for seat in swap.instead.seats
        ],
        "drawn_games": swap.instead.drawn_games,
    }


def _both(value: Value) -> dict[str, Any]:
    return {"value": json_value(value), "exact": None if value is None else str(value)}


# -- tourney standings compare: who makes the cut under which rules


@cli.command(
    "compare",
    event=True,
    examples=[
        "tourney standings compare tourney mtr --cut 8",
        "tourney standings compare mtr melee wer --from results.csv --cut 2",
    ],
)
@click.argument("names", metavar="PROFILE...", nargs=-1, required=True, shell_complete=profiles)
@asking
@click.option("--cut", metavar="N", type=click.IntRange(min=1), default=8, help="How many make the cut (8).")
def compare_(session: Session, names: tuple[str, ...], cut: int, **options: Any) -> None:
    """Show the same results under several profiles, and who makes the cut under each.

    Looking at standings under another profile changes nothing in the event.
    """
    show_comparison(session, StandingsRequest(**options), names, cut)


def show_comparison(session: Session, request: StandingsRequest, names: Sequence[str], cut: int) -> None:
    """Compare the results under the profiles `names`."""
    if request.profile:
        raise click.UsageError("--profile names one profile; a comparison is of several")
    from tourney.standings import compare_cuts, rank

    results = request.read_under(session, names)
    comparison = compare_cuts(
        [rank(each.record, each.profile, seed=each.seed) for each in results], cut=cut, gone=results[0].gone
    )
    if session.json:
        session.emit("standings-compare/1", _comparison_json(results[0], comparison))
        return
    _print_comparison(session, results[0], comparison)


def _print_comparison(session: Session, results: RankedResults, comparison: Comparison) -> None:
    standings = comparison.cuts[0].standings
    if title := _title(results, standings):
        session.say(f"{title}\n")
    headers = ["", *[cut.standings.profile.name for cut in comparison.cuts]]
    rows = [
        [str(place + 1), *[_cell(results, comparison, cut, place) for cut in comparison.cuts]]
        for place in range(comparison.size)
    ]
    session.table(headers, rows, right=(0,))
    always, sometimes = (
        ", ".join(map(results.name, each)) for each in (comparison.always, comparison.sometimes)
    )
    session.say()
    session.say(f"in the top {comparison.size} under every profile: {always or 'nobody'}")
    session.say(f"only under some (*): {sometimes or 'nobody'}")
    for cut in comparison.cuts:
        if cut.level:
            names = ", ".join(map(results.name, cut.level))
            places = counted(cut.places, "place")
            session.say(f"level across the line under {cut.standings.profile.name}, for {places}: {names}")
    session.talk(results.heading(standings))


def _cell(results: RankedResults, comparison: Comparison, cut: Qualifiers, place: int) -> str:
    if place >= len(cut.through):
        return "(level)" if place < len(cut.through) + cut.places else ""
    player = cut.through[place]
    return results.name(player) + ("*" if player in comparison.sometimes else "")


def _comparison_json(results: RankedResults, comparison: Comparison) -> dict[str, Any]:
    return {
        "cut": comparison.size,
        "provisional": bool(comparison.cuts[0].standings.playing),
        "as_of": results.heading(comparison.cuts[0].standings),
        **({} if results.at is None else {"at": results.at}),
        "always": [results.names[player] for player in comparison.always],
        "sometimes": [results.names[player] for player in comparison.sometimes],
        "profiles": [
            {
                "profile": cut.standings.profile.name,
                "edition": cut.standings.profile.edition,
                "through": [results.names[player] for player in cut.through],
                "level": [results.names[player] for player in cut.level],
                "places": cut.places,
            }
            for cut in comparison.cuts
        ],
    }


# -- tourney standings profiles: the rules that standings can be made by


@cli.command(
    "profiles",
    examples=["tourney standings profiles", "tourney standings profiles melee"],
)
@click.argument("name", metavar="[NAME|FILE]", required=False, shell_complete=profiles)
def profiles_(session: Session, name: str | None) -> None:
    """List the standings profiles, or explain one: points, percentages, tie-breaks in order, editions, source."""
    library = session.library()
    if name:
        profile = library.profile(name)
        if session.json:
            session.emit("standings-profile/1", _profile_json(profile))
        else:
            session.say("\n".join(_explained(profile)))
        return
    every = [library.profile(each) for each in library.profiles()]
    if session.json:
        session.emit("standings-profiles/1", {"profiles": [_profile_json(profile) for profile in every]})
        return
    rows = [[profile.name, profile.title, ", ".join(profile.order), str(profile.since)] for profile in every]
    session.table(("profile", "rules of", "order", "as of"), rows)
    session.talk("\n`tourney standings profiles NAME` explains one")


def _explained(profile: Profile) -> Iterator[str]:
    from tourney.standings.tiebreaks import find

    yield f"{profile.name}: {profile.title}, as of {profile.since}"
    yield f"source: {profile.source}"
    if profile.extends:
        yield f"extends {profile.extends}"
    yield ""
    rows = [
        [code, find(code).name, "lower" if find(code).low else "higher", find(code).source]
        for code in profile.order
    ]
    yield table_text(("order", "", "better", "source"), rows)
    yield ""
    yield _outcomes(profile)
    yield ""
    yield f"match-win %: {_limits(profile.match_win)}"
    drawn = f"a drawn game counts {profile.game_win.draw}"
    yield f"game-win %: {_limits(profile.game_win)}, {drawn}"
    if profile.frozen:
        yield f"kept as of the last round before a drop: {', '.join(sorted(profile.frozen))}"
    if profile.schedule:
        yield ""
        yield table_text(
            ("players", "Swiss rounds", "cut"),
            [
                [f"{row.fewest}–{row.most}", str(row.rounds or "none"), str(row.cut or "none")]
                for row in profile.schedule
            ],
        )
    yield from ["", *profile.notes]
    if profile.editions:
        yield ""
        yield table_text(
            ("edition since", "why"), [[str(each.since), each.source] for each in profile.editions]
        )


def _outcomes(profile: Profile) -> str:
    rows = [
        [
            outcome.value.replace("-", " "),
            profile.points_text(rule.points),
            "left out" if rule.match is None else str(rule.match),
            "as played" if rule.games is None else "–".join(map(str, rule.games)),
        ]
        for outcome, rule in profile.outcomes.items()
    ]
    return table_text(("outcome", "points", "of a match-win %", "games (won–lost–drawn)"), rows, right=(1,))


def _limits(limits: Percentage) -> str:
    words = [f"floor {limits.floor}" if limits.floor else "no floor"]
    words += [f"floor {floor} at tables of {seats}" for seats, floor in limits.floor_by_size.items()]
    words += [f"cap {limits.cap}"] if limits.cap < 1 else []
    words += [f"cap {limits.cap_dropped} after a drop"] if limits.cap_dropped < limits.cap else []
    words += [] if limits.own_floor else ["the own value is shown and ranked without the floor"]
    return ", ".join(words)


def _profile_json(profile: Profile) -> dict[str, Any]:
    from tourney.standings.tiebreaks import find

    return {
        "name": profile.name,
        "title": profile.title,
        "source": profile.source,
        "date": profile.since,
        "extends": profile.extends,
        "edition": profile.edition,
        "editions": [{"since": edition.since, "source": edition.source} for edition in profile.editions],
        "order": [
            {
                "code": code,
                "name": find(code).name,
                "source": find(code).source,
                "lower_is_better": find(code).low,
            }
            for code in profile.order
        ],
        "points": {outcome.value: json_value(profile.points_of(outcome)) for outcome in profile.outcomes},
        "notes": list(profile.notes),
    }
