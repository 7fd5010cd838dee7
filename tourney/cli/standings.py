"""`tourney standings`: who is ahead, why, and under other rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tourney.cli.command import noun, players, profiles
from tourney.cli.session import Session
from tourney.cli.tables import known_style, table_text
from tourney.errors import TourneyError
from tourney.standings import cut_at
from tourney.standings.printing import heading_text
from tourney.standings.profile import LOT

if TYPE_CHECKING:
    from tourney.cli.session import Session
    from tourney.record import PlayerId, Record
    from tourney.standings import (
        Comparison,
        Cut,
        Explained,
        Explanation,
        MatchForm,
        Neighbour,
        Profile,
        Row,
        ScoreLine,
        Standings,
        Swap,
    )
    from tourney.standings.exact import Value
    from tourney.standings.profile import Percentage
    from tourney.standings.reading import Name

cli = noun("standings", default="show")


# -- What a look at standings is about: an event or a file of results, a profile, a round


F = TypeVar("F", bound=Callable[..., Any])

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
        click.option(
            "--at", metavar="ENTRY", type=click.IntRange(min=0), help="As the event stood after that entry."
        ),
        click.option(
            "--from",
            "source",
            metavar="FILE",
            help="Results from a file (JSON, CSV, TRF; `-`: standard input) instead of an event.",
        ),
        click.option(
            "--on",
            "day",
            metavar="DAY",
            type=click.DateTime(["%Y-%m-%d"]),
            help="The day whose edition of the rules holds.",
        ),
        click.option("--seed", metavar="TEXT", help="Draw the lot of a file's standings from this text."),
        click.option("--tiebreaks", metavar="CODES", help="Another order of tie-breaks: `PTS,BH/C1,BH,SB`."),
    )
    for option in reversed(options):
        function = option(function)
    return function


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Results and the rules they are ranked under.

    profile:   the edition that holds
    names:     player → name, as the event or the file has it
    seed:      of the lot; empty: none is drawn
    divisions: name → players ranked among themselves; empty: all together
    cut:       who went on to the event's bracket, where these are the standings it was made from; None: nobody did yet
    gone:      who had left when the last of these rounds was over
    of_event:  whether this is an event, not a file of results
    match:     the games a match can have, and whether it can be drawn, as far as that is known
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
        from tourney.event.ops import Ref
        from tourney.event.state import Player
        from tourney.event.who import find

        players = {
            player: Player(id=player, name=str(name), name_ref=Ref("")) for player, name in self.names.items()
        }
        return find(players, text)


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of `asking`, as they were given."""

    profile: str | None
    after: int | None
    at: int | None
    source: str | None
    day: datetime | None
    seed: str | None
    tiebreaks: str | None

    def asked(self, session: Session, told: set[str] | None = None) -> Asked:
        """Read what was asked about; warnings that are `told` already are not repeated. Raises TourneyError where it is not there, or the line asks for two things."""
        if self.source is not None and self.at is not None:
            raise click.UsageError("--at names an entry of an event, not of a file")
        if self.source is None and self.seed is not None:
            raise click.UsageError("--seed belongs to --from: an event draws its lots from its own seed")
        found = (
            self._of_file(session, self.source, set() if told is None else told)
            if self.source is not None
            else self._of_event(session)
        )
        return replace(found, profile=self._ordered(found.profile))

    def for_profile(self, name: str) -> Options:
        """Return the same question under another profile."""
        return replace(self, profile=name)

    def _of_file(self, session: Session, source: str, told: set[str]) -> Asked:
        from tourney.standings.reading import number_columns_are_scores, read_results

        profile = session.library().profile(self.profile or DEFAULT_PROFILE)
        results = read_results(
            session.read_text(source),
            source="standard input" if source == "-" else source,
            scores=number_columns_are_scores(profile),
        )
        edition = results.edition(profile, self.day.date() if self.day else None)
        unread = f"not read: {', '.join(results.unread)}" if results.unread else ""
        for remark in filter(None, [unread, *results.remarks, results.scored_otherwise(edition)]):
            if remark not in told:
                session.warn(f"{source}: {remark}")
                told.add(remark)
        record = results.record
        if self.after is not None:
            if self.after > len(record.rounds):
                raise TourneyError(
                    f"{source}: there is no round {self.after}: {len(record.rounds)} in the file"
                )
            record = record.after(self.after)
        return Asked(
            record=record,
            profile=edition,
            names=results.names,
            seed=self.seed or "",
            divisions=results.divisions,
            match=results.match,
        )

    def _of_event(self, session: Session) -> Asked:
        from tourney.event.field import cut_of, left_by

        with session.desk() as desk:
            ranked = desk.ranked(profile=self.profile, after=self.after, at=self.at)
            state = desk.state if self.at is None else desk.at(self.at)
        last = len(ranked.record.rounds)
        own = self.profile in (None, state.profile) and last == len(state.swiss) and not self.tiebreaks
        return Asked(
            record=ranked.record,
            profile=ranked.profile.on(self.day.date()) if self.day else ranked.profile,
            names={player.id: player.name for player in state.players.values()},
            seed=ranked.seed,
            cut=(cut_of(state) or None) if own else None,
            gone=left_by(state, last),
            of_event=True,
            match=(state.settings.best_of, state.settings.draws),
        )

    def _ordered(self, profile: Profile) -> Profile:
        if self.tiebreaks is None:
            return profile
        from tourney.standings import with_order

        return with_order(profile, [code.strip() for code in self.tiebreaks.split(",") if code.strip()])


_READ = frozenset({"plain", "simple", "github", "pipe"})
"""Styles in which a line above the table does no harm."""


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
@click.option(
    "--compare", "comparing", is_flag=True, help="Show who makes the cut under each profile there is."
)
def show(session: Session, cut: int | None, style: str, comparing: bool, **options: Any) -> None:
    """Show the standings: of the event, or of a file of results with --from.

    A file holds JSON, comma-separated lines (`round,player1,player2,wins1,wins2,draws`; an empty player2 is a bye) or
    a Tournament Report File. Values are exact inside; printed decimals are rounded half up.
    """
    asked, style = Options(**options), known_style(style)
    if comparing:
        show_comparison(session, asked, session.library().profiles(), cut or 8)
        return
    found = asked.asked(session)
    tables = _standings(found)
    if session.json:
        session.emit("standings/1", _as_json(found, tables, cut))
        return
    for i, (division, table) in enumerate(tables):
        if division:
            session.say(f"{'' if i == 0 else chr(10)}{division}")
        _print(session, found, table, cut=cut, style=style)
    _mind(session, found, tables, cut)


def _standings(asked: Asked) -> list[tuple[str, Standings]]:
    from tourney.standings import rank

    if not asked.divisions:
        return [("", rank(asked.record, asked.profile, seed=asked.seed))]
    return [
        (division, rank(asked.record, asked.profile, seed=asked.seed, among=players))
        for division, players in asked.divisions.items()
    ]


def _marked(asked: Asked, standings: Standings, cut: int | None) -> dict[PlayerId, str]:
    """Return what the table says of those who go on: `top 4`, or of equals across the line `level for place 4`."""
    if asked.cut is not None and cut in (None, len(asked.cut)):
        return dict.fromkeys(asked.cut, f"top {len(asked.cut)}")
    if cut is None:
        return {}
    found = cut_at(standings, cut, asked.gone)
    return {
        **dict.fromkeys(found.through, f"top {cut}"),
        **dict.fromkeys(found.level, f"level for {_places(found)}"),
    }


def _places(cut: Cut) -> str:
    first = cut.size - cut.places + 1
    return f"place {first}" if first == cut.size else f"places {first}–{cut.size}"


def _tie(asked: Asked, standings: Standings, cut: int | None) -> str:
    """Say who is level across the line of a cut, and how that is decided; empty where the line is clear."""
    if cut is None or (asked.cut is not None and cut == len(asked.cut)):
        return ""
    found = cut_at(standings, cut, asked.gone)
    if not found.level:
        return ""
    names = [asked.name(player) for player in found.level]
    said = f"{', '.join(names[:-1])} and {names[-1]} are level for {_places(found)}"
    if LOT not in asked.profile.order:
        said += f": {asked.profile.name} has no lot"
        draws = (
            f"`tourney event cut {cut} --lot` draws one" if asked.of_event else "`--tiebreaks` can end in LOT"
        )
    else:
        draws = (
            "the secret it is drawn from is not in this copy" if asked.of_event else "`--seed TEXT` draws one"
        )
        said += ": no lot is drawn"
    return f"{said}; {draws}"


def _print(session: Session, asked: Asked, standings: Standings, *, cut: int | None, style: str) -> None:
    from tourney.standings.printing import columns, heading_text
    from tourney.standings.tiebreaks import find

    codes = columns(standings)
    units = [find(code).unit for code in codes]
    headers = ["", "player", "points", "record"]
    headers += [f"{code} %" if unit == "percent" else code for code, unit in zip(codes, units, strict=True)]
    marked = _marked(asked, standings, cut)
    rows = [_cells(asked, row, codes, marked.get(row.player, "")) for row in standings.rows]
    if style == "csv":
        from tourney.spreadsheet import csv_text

        heading = heading_text(standings)
        table = csv_text(["rank", *headers[1:], "note", "as of"], [[*row, heading] for row in rows])
        session.say(table.rstrip("\n"))
        return
    if any(cells[-1] for cells in rows):
        headers.append("")
    else:
        rows = [cells[:-1] for cells in rows]
    if standings.playing and style in _READ:
        session.say(f"Provisional: {heading_text(standings)}\n")
    elif standings.playing:
        headers.append("as of")
        rows = [[*cells, heading_text(standings)] for cells in rows]
    right = (0, 2, *range(4, 4 + len(codes)))
    session.table(headers, rows, right=right, style=style)


def _cells(asked: Asked, row: Row, codes: tuple[str, ...], mark: str) -> list[str]:
    from tourney.standings.printing import note_text, points_text, record_text, value_text

    profile = asked.profile
    return [
        "" if row.rank is None else str(row.rank),
        asked.name(row.player),
        points_text(row.points, profile),
        record_text(row),
        *[value_text(key, profile) for key in row.keys if key.code in codes],
        ", ".join(filter(None, [mark, note_text(row, gone=row.player in asked.gone)])),
    ]


def _mind(session: Session, asked: Asked, tables: list[tuple[str, Standings]], cut: int | None) -> None:
    """Say what a reader of the table must know: unfinished matches, who is level or left out, the edition."""
    from tourney.standings.printing import heading_text

    standings = tables[0][1]
    edition = f", edition of {standings.profile.edition}" if standings.profile.edition else ""
    session.talk(f"{heading_text(standings)}, under {standings.profile.name}{edition}")
    if standings.playing:
        playing = ", ".join(f"{table} of round {number}" for number, table in standings.playing)
        session.talk(f"not counted, without a result: table {playing}")
    for tie in filter(None, (_tie(asked, table, cut) for _, table in tables)):
        session.talk(tie)
    if standings.left_out:
        session.talk(f"left out, dropped before round 1: {len(standings.left_out)}")


def _as_json(asked: Asked, tables: list[tuple[str, Standings]], cut: int | None) -> dict[str, Any]:
    from tourney.standings.printing import heading_text

    standings = tables[0][1]
    size = cut or (len(asked.cut) if asked.cut else None)
    return {
        "profile": standings.profile.name,
        "edition": standings.profile.edition,
        "source": standings.profile.source,
        "after": standings.rounds,
        "order": list(standings.profile.order),
        "playing": [{"round": number, "table": table} for number, table in standings.playing],
        "provisional": bool(standings.playing),
        "as_of": heading_text(standings),
        **({"cut": [_cut_json(asked, table, size) for _, table in tables]} if size else {}),
        "left_out": [asked.names[player] for player in standings.left_out],
        "standings": [
            row_json(asked, row)
            | (_mark_json(asked, row, table, cut) if size else {})
            | ({"division": division} if division else {})
            for division, table in tables
            for row in table.rows
        ],
    }


def _cut_json(asked: Asked, standings: Standings, size: int) -> dict[str, Any]:
    """Return the cut itself: who is level across its line, for how many places, and how that is decided."""
    made = asked.cut is not None and size == len(asked.cut)
    found = cut_at(standings, size, asked.gone)
    return {
        "size": size,
        "made": made,
        "level": [] if made else [asked.names[player] for player in found.level],
        "places": 0 if made else found.places,
        "tie": _tie(asked, standings, size),
    }


def _mark_json(asked: Asked, row: Row, standings: Standings, cut: int | None) -> dict[str, bool]:
    """Return whether a player goes on; whoever is level across the line does not yet."""
    mark = _marked(asked, standings, cut).get(row.player, "")
    return {"cut": mark.startswith("top"), "level": mark.startswith("level")}


def row_json(asked: Asked, row: Row) -> dict[str, Any]:
    """Return one row for `--json`: exact fractions beside decimals."""
    from tourney.standings.printing import json_value

    return {
        "rank": row.rank,
        "player": asked.names[row.player],
        "number": row.player,
        "points": row.points // 2 if row.points % 2 == 0 else row.points / 2,
        "record": f"{row.wins}-{row.losses}-{row.draws}",
        "dropped": row.dropped or row.player in asked.gone - asked.record.disqualified.keys(),
        "disqualified": row.disqualified,
        "tiebreaks": [
            {
                "code": key.code,
                "value": json_value(key.value),
                "exact": None if key.value is None else str(key.value),
            }
            for key in row.keys
        ],
    }


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
    show_comparison(session, Options(**options), names, cut)


def show_comparison(session: Session, options: Options, names: Sequence[str], cut: int) -> None:
    """Compare the results under the profiles `names`."""
    if options.profile:
        raise click.UsageError("--profile names one profile; a comparison is of several")
    from tourney.standings import compare_cuts, rank

    told: set[str] = set()
    asked = [options.for_profile(name).asked(session, told) for name in names]
    # A file is read anew for each profile: whether two numbers are games or scores is the profile's to say.
    found = compare_cuts(
        [rank(each.record, each.profile, seed=each.seed) for each in asked], cut=cut, gone=asked[0].gone
    )
    if session.json:
        session.emit("standings-compare/1", _comparison_json(asked[0], found))
        return
    _print_comparison(session, asked[0], found)


def _comparison_json(asked: Asked, found: Comparison) -> dict[str, Any]:
    return {
        "cut": found.size,
        "provisional": bool(found.cuts[0].standings.playing),
        "as_of": heading_text(found.cuts[0].standings),
        "always": [asked.names[player] for player in found.always],
        "sometimes": [asked.names[player] for player in found.sometimes],
        "profiles": [
            {
                "profile": cut.standings.profile.name,
                "edition": cut.standings.profile.edition,
                "through": [asked.names[player] for player in cut.through],
                "level": [asked.names[player] for player in cut.level],
                "places": cut.places,
            }
            for cut in found.cuts
        ],
    }


def _print_comparison(session: Session, asked: Asked, found: Comparison) -> None:
    standings = found.cuts[0].standings
    if standings.playing:
        session.say(f"Provisional: {heading_text(standings)}\n")
    headers = ["", *[cut.standings.profile.name for cut in found.cuts]]
    rows = [
        [str(place + 1), *[_cell(asked, found, cut, place) for cut in found.cuts]]
        for place in range(found.size)
    ]
    session.table(headers, rows, right=(0,))
    always, sometimes = (", ".join(map(asked.name, each)) for each in (found.always, found.sometimes))
    session.say()
    session.say(f"in the top {found.size} under every profile: {always or 'nobody'}")
    session.say(f"only under some (*): {sometimes or 'nobody'}")
    for cut in found.cuts:
        if cut.level:
            names = ", ".join(map(asked.name, cut.level))
            places = "1 place" if cut.places == 1 else f"{cut.places} places"
            session.say(f"level across the line under {cut.standings.profile.name}, for {places}: {names}")
    session.talk(heading_text(standings))


def _cell(asked: Asked, found: Comparison, cut: Cut, place: int) -> str:
    if place >= len(cut.through):
        return "(level)" if place < len(cut.through) + cut.places else ""
    player = cut.through[place]
    return asked.name(player) + ("*" if player in found.sometimes else "")


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
    found = [library.profile(each) for each in library.profiles()]
    if session.json:
        session.emit("standings-profiles/1", {"profiles": [_profile_json(profile) for profile in found]})
        return
    rows = [[profile.name, profile.title, ", ".join(profile.order), str(profile.since)] for profile in found]
    session.table(("profile", "rules of", "order", "as of"), rows)
    session.talk("\n`tourney standings profiles NAME` explains one")


def _profile_json(profile: Profile) -> dict[str, Any]:
    from tourney.standings.printing import json_value
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
    yield from ["", *profile.notes]
    if profile.editions:
        yield ""
        yield table_text(
            ("edition since", "why"), [[str(each.since), each.source] for each in profile.editions]
        )


def _outcomes(profile: Profile) -> str:
    from tourney.standings.printing import points_text

    rows = [
        [
            outcome.value.replace("-", " "),
            points_text(rule.points, profile),
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
    would have swapped them, all else as it was.
    """
    from tourney.errors import TourneyError
    from tourney.standings import why
    from tourney.standings.describing import describe

    asked = Options(**options).asked(session)
    player = asked.find(who)
    try:
        explanation = why(asked.record, asked.profile, player, seed=asked.seed, form=asked.form())
    except KeyError:
        raise TourneyError(f"{asked.name(player)} is not in the standings: dropped before round 1") from None
    if session.json:
        session.emit("standings-why/1", _explanation_json(asked, explanation))
        return
    session.say("\n".join(describe(explanation, asked.name)))


def _explanation_json(asked: Asked, explanation: Explanation) -> dict[str, Any]:
    from tourney.standings.printing import heading_text

    return {
        "profile": explanation.profile.name,
        "edition": explanation.profile.edition,
        "after": explanation.standings.rounds,
        "provisional": bool(explanation.standings.playing),
        "as_of": heading_text(explanation.standings),
        **row_json(asked, explanation.row),
        "tiebreaks": [_tiebreak(asked, each) for each in explanation.tiebreaks],
        "above": _neighbour(asked, explanation.above),
        "below": _neighbour(asked, explanation.below),
    }


def _both(value: Value) -> dict[str, Any]:
    from tourney.standings.printing import json_value

    return {"value": json_value(value), "exact": None if value is None else str(value)}


def _tiebreak(asked: Asked, each: Explained) -> dict[str, Any]:
    return {
        "code": each.code,
        "name": each.name,
        "source": each.source,
        **_both(each.value),
        "how": each.how,
        "note": each.note,
        "raw": None if each.raw is None else str(each.raw),
        "worked": each.worked,
        "among": [asked.names[player] for player in each.among],
        "met": [
            {
                "player": asked.names[met.player],
                "points": [{"opponent": asked.names[other], **_both(points)} for other, points in met.points],
            }
            for met in each.met
        ],
        "lines": [_line(asked, line) for line in each.lines],
        "parts": [_tiebreak(asked, part) for part in each.parts],
    }


def _line(asked: Asked, line: ScoreLine) -> dict[str, Any]:
    return {
        "round": line.round,
        "outcome": line.outcome.value,
        "opponents": [asked.names[player] for player in line.opponents],
        **_both(line.value),
        "raw": None if line.raw is None else str(line.raw),
        "note": line.note,
        "worked": line.worked,
        "of": line.of,
        "made": [_line(asked, made) for made in line.made],
    }


def _neighbour(asked: Asked, other: Neighbour | None) -> dict[str, Any] | None:
    if other is None:
        return None
    return {
        "player": asked.names[other.row.player],
        "rank": other.row.rank,
        "separated_by": other.code,
        "own": _both(other.own),
        "theirs": _both(other.theirs),
        "swaps": [_swap(asked, swap) for swap in other.swaps],
        "searched": other.search.alternatives.tried,
        "searched_all": other.search.whole,
    }


def _swap(asked: Asked, swap: Swap) -> dict[str, Any]:
    return {
        "round": swap.round,
        "table": swap.table.number,
        "seats": [
            {
                "player": asked.names[seat.player],
                "outcome": seat.outcome.value,
                "games": seat.games,
                "score": seat.score,
            }
            for seat in swap.instead.seats
        ],
        "drawn_games": swap.instead.drawn_games,
    }
