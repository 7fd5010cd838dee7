"""Markdown for a forum, a chat or a repository, with the same tables as the pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache, partial

from tourney.event.prizes import Awards
from tourney.event.titles import stage_title
from tourney.event.view import EventView, FinalView, PlaceView, RoundView, StandingsView, TableView
from tourney.games.sheet import as_markdown
from tourney.publish.data import Files
from tourney.publish.language import Language, language_called
from tourney.wording import counted, isolate_direction, listed

_BEFORE = frozenset({"Seed", "On the day"})
"""Facts that only matter before and during the event. The summary leaves them out."""

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def files(event: EventView) -> Files:
    """Return the Markdown files of an event.

    These are `standings.md`, a `round-N.md` for each round, `verification.md` with the digests of the event,
    `game.md` with the rules of the format, and `decks.md` with shared lists. `verification.md` and `game.md`
    are always in English.
    """
    language = language_called(event.language)
    documents: dict[str, Callable[[], str]] = {
        "standings.md": partial(standings, event, language),
        "verification.md": partial(verification, event),
        **({"game.md": partial(game, event)} if event.game else {}),
        **({"decks.md": partial(decks, event, language)} if event.decks else {}),
        **{f"round-{view.number}.md": partial(round_table, event, view, language) for view in event.rounds},
    }
    return {name: partial(_encoded, make) for name, make in documents.items()}


def _encoded(make: Callable[[], str]) -> bytes:
    return make().encode()


def standings(event: EventView, language: Language) -> str:
    """Return the standings as a Markdown document."""
    _, translate = language.gettext, language.translate
    view, final = event.standings, event.final
    table = f"{_standings_table(view, language)}\n\n{_left_out(view, language)}{_no_lot(view, language)}"
    title = _lower_first(translate((final or view).title))
    if final:
        swiss = f"## {translate(view.title)}\n\n{table}" if final.swiss else ""
        table = f"{final_table(final, final.rows, language)}\n\n{translate(final.how)}\n\n{swiss}"
    legend = "\n".join(
        f"{place}. **{column.code}** {translate(column.name)}"
        for place, column in enumerate(view.columns, start=1)
    )
    legend = f"{legend}\n\n" if not final or final.swiss else ""
    return f"# {escape(event.name)}: {title}\n\n{_past(event, language)}{table}{legend}{_checked(language)}\n"


def game(event: EventView) -> str:
    """Return the rules of the game for players; empty if they could not be read."""
    if event.game is None:
        return ""
    title, _, rest = as_markdown(event.game).partition("\n\n")
    return f"{title}\n\n{_past(event, language_called('en'))}{rest}"


def decks(event: EventView, language: Language) -> str:
    """Return the lists that all players use."""
    _, translate = language.gettext, language.translate
    title = _("lists for all players")
    parts = [f"# {escape(event.name)}: {title}\n\n{_past(event, language)}".rstrip()]
    for deck in event.decks:
        verdict = escape(translate(deck.summary))
        parts.append(f"## {escape(deck.name)}\n\n{verdict[:1].upper()}{verdict[1:]}.")
        mark = "{}. " if deck.ordered else "* "
        lines = [
            mark.format(number)
            + (f"{line.copies} " if line.copies > 1 or not deck.ordered else "")
            + escape(line.card)
            for number, line in enumerate(deck.cards, start=1)
        ]
        parts += ["\n".join(lines)] if lines else []
    return "\n\n".join([*parts, _checked(language)]) + "\n"


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


def _checked(language: Language) -> str:
    _ = language.gettext
    text = _("Which state this is")
    return f"[{text}](verification.md)"


def _past(event: EventView, language: Language) -> str:
    """Return a line that names the last shown entry; empty if no later entry is left out."""
    return "" if event.past is None else language.gettext("As of entry {n}.", n=event.past) + "\n\n"


def final_table(view: FinalView, rows: Sequence[PlaceView], language: Language) -> str:
    """Return places as a table. rows: the rows of `view` to show."""
    _, translate = language.gettext, language.translate
    columns: dict[str, Callable[[PlaceView], object]] = {
        _("Place"): lambda row: row.place,
        _("Player"): lambda row: _noted(row.name, translate(row.note)),
    }
    if view.has_bracket:
        columns[_("Bracket")] = lambda row: translate(row.bracket)
    if view.has_bracket and view.swiss:
        columns[_("Swiss rank")] = lambda row: row.swiss or "–"
    two_parts = view.has_bracket and view.swiss
    if view.swiss:
        columns[_("Swiss points") if two_parts else _("Points")] = lambda row: row.points
    columns[_("Swiss record") if two_parts else _("Record")] = lambda row: row.record
    if view.divided:
        columns[_("Division")] = lambda row: escape(row.in_division)
    return tabulated([*columns], [[cell(row) for cell in columns.values()] for row in rows])


def _left_out(view: StandingsView, language: Language) -> str:
    names = ", ".join(escape(name) for _, name in view.left_out)
    _ = language.gettext
    not_ranked = _("Not ranked (left before their first match)")
    return f"{not_ranked}: {names}\n\n" if names else ""


def _no_lot(view: StandingsView, language: Language) -> str:
    if not view.no_lot:
        return ""
    _ = language.gettext
    no_lot = _(
        "Players who are level on every tie-break share a place. No lot is drawn: {reason}",
        reason=view.no_lot,
    )
    return f"{escape(no_lot)}.\n\n"


def round_table(event: EventView, view: RoundView, language: Language) -> str:
    """Return the tables and byes of a round."""
    _, translate = language.gettext, language.translate
    rows = [
        [
            table.number,
            *([escape(translate(table.label))] if view.mixed else []),
            " · ".join(
                _noted(seat.name, translate(seat.side), seat.points, translate(seat.note))
                for seat in table.seats
            ),
            escape(translate(table.in_full) or _("playing")),
        ]
        for table in view.tables
    ]
    rows += [
        ["–", *([""] if view.mixed else []), _noted(bye.name, translate(bye.note)), translate(bye.kind)]
        for bye in view.byes
    ]
    header = [_("Table"), *([_("Match")] if view.mixed else []), _("Players"), _("Result")]
    stay = _("the tables stay as they were paired")
    stale = translate(view.stale)
    stale = f"{escape(stale[:1].upper() + stale[1:])}: {stay}.\n\n" if stale else ""
    agreed = "".join(
        f"* {_in_table(table, language)}, {escape(translate(deck.name).lower())}: {escape(deck.in_a_line)}\n"
        for table in view.tables
        for deck in table.decks
    )
    below = f"{agreed}\n{stale}" if agreed else stale
    title, past = f"# {escape(event.name)}: {escape(translate(view.title))}", _past(event, language)
    return f"{title}\n\n{past}{tabulated(header, rows)}\n\n{below}{_checked(language)}\n"


def _in_table(table: TableView, language: Language) -> str:
    _ = language.gettext
    return _("Table {n}", n=table.number)


def prizes(awards: Awards) -> str:
    """Return the prizes as a table, with notes below it."""
    columns = awards.columns
    header = ["Place", "Player", *(column.capitalize() for column in columns)]
    lines = [
        [
            f"{escape(row.division)} {row.place}".strip(),
            escape(row.name),
            *(escape(awards.cell(row, column)) for column in columns),
        ]
        for row in awards.rows
    ]
    notes = "".join(f"\n\n{escape(note[:1].upper() + note[1:])}." for note in awards.notes)
    provisional = f"Provisional: {escape(awards.why_not)}.\n\n" if awards.why_not else ""
    return provisional + tabulated(header, lines) + notes


def summary(
    event: EventView, final: FinalView, *, on: str, digest: str, top: int, awards: Awards | None = None
) -> str:
    """Return a summary of the event.

    final: the final ranking, even if there is no bracket
    on: the day of the event
    digest: the digest of the last entry that is shown
    top: the last place that is listed
    awards: the prizes; None if there are none
    """
    language = language_called("en")
    facts = {"Day": on, **dict(event.facts)}
    facts["Format"] = facts["Format"].partition(", on ")[0]
    facts |= {"Players": str(len(event.players)), "Winner": event.champion}
    seats = "\n".join(
        f"* {key}: {escape(value)}" for key, value in facts.items() if value and key not in _BEFORE
    )
    listed_rows = [row for row in final.rows if row.first is not None and row.first <= top]
    out = [escape(row.name) for row in final.rows if row.note == "disqualified"]
    hidden = len(final.rows) - len(listed_rows) - len(out)
    rest = f"\n\n{counted(hidden, 'more player')}." if hidden else ""
    rest += f"\n\nDisqualified, without a place: {listed(out)}." if out else ""
    parts = [f"# {escape(event.name)}\n\n{_past(event, language)}{seats}"]
    if event.rounds:
        parts.append(f"## {final.title}\n\n{final_table(final, listed_rows, language)}{rest}\n\n{final.how}")
    if cut := [view for view in event.rounds if view.cut]:
        matches = [
            f"* {escape(title)}: {'; '.join(_match(table) for table in tables)}"
            for view in cut
            for title, tables in _by_kind(view)
        ]
        parts.append("## The bracket\n\n" + "\n".join(matches))
    if awards is not None:
        parts.append(f"## Prizes\n\n{prizes(awards)}")
    entry = event.verification.entry
    parts.append(
        f"## How to check this\n\nThis is the event after entry {entry}, `{digest}`.\n\n"
        "With the event's file, `tourney verify --against DIGEST` checks whether its "
        "history continues this one,"
        " if you give it that digest. `tourney verify` pairs every round again and compares."
    )
    return "\n\n".join(parts) + "\n"


def _by_kind(view: RoundView) -> Iterator[tuple[str, list[TableView]]]:
    """Yield the tables of a round of a bracket by kind of match, in the order of play."""
    kinds: dict[str, list[TableView]] = {}
    for table in view.tables:
        kinds.setdefault(stage_title(table.label) if view.mixed else view.title, []).append(table)
    yield from kinds.items()


def _match(table: TableView) -> str:
    names = [
        f"**{escape(isolate_direction(seat.name))}**" if seat.won else escape(isolate_direction(seat.name))
        for seat in table.seats
    ]
    score = escape(table.in_full) if table.result else "playing"
    return (
        f"{names[0]} {score} {names[1]}"
        if all(seat.score for seat in table.seats) and len(names) == 2
        else f"{' – '.join(names)}: {score}"
    )


def verification(event: EventView) -> str:
    """Return the digests for comparing the event with a later state."""
    view = event.verification
    value = f"`{view.value}`" if view.value else "not out yet"
    beacon = f"Public value, {escape(view.beacon)}: {value}.\n\n" if view.beacon else ""
    secret = f"revealed: `{view.secret}`" if view.secret else "not revealed"
    remarks = "".join(f"{escape(remark)}.\n\n" for remark in view.remarks)
    seeds = tabulated(
        ["Round", "Entry", "Seed", "Paired by"],
        [[escape(seed.title), seed.entry, f"`{seed.seed}`", seed.engine or "hand"] for seed in view.seeds],
    )
    return (
        f"# {escape(event.name)}: verification\n\n"
        f"This is the event after entry {view.entry}, `{view.digest}`.\n\n"
        f"SHA-256 of the secret: `{view.secret_sha256}` ({secret}).\n\n{beacon}{remarks}{seeds}\n\n"
        "`tourney verify --against verification.md` checks whether a later history continues this one.\n"
    )


@lru_cache(maxsize=1 << 16)  # because every round has the same names
def escape(text: str) -> str:
    r"""Escape characters that Markdown interprets as markup.

    >>> print(escape("<b>A|B*"))
    \<b\>A\|B\*
    """
    return _SPECIAL.sub(r"\\\1", " ".join(text.splitlines()))


def _noted(name: str, *notes: str) -> str:
    note = ", ".join(filter(None, notes))
    escaped_name = escape(isolate_direction(name))
    return f"{escaped_name} ({note})" if note else escaped_name


def _standings_table(view: StandingsView, language: Language) -> str:
    _, translate = language.gettext, language.translate
    header = [_("#"), _("Player"), _("Points"), _("Record"), *(column.code for column in view.columns)]
    divided = view.divided
    header += [_("Division")] if divided else []
    rows = [
        [
            row.rank,
            _noted(row.name, translate(row.note)),
            row.points,
            row.record,
            *row.values,
            *([escape(row.in_division)] if divided else []),
        ]
        for row in view.rows
    ]
    return tabulated(header, rows)


def tabulated(
    header: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    right: Collection[int] = (),
    style: str = "github",
) -> str:
    """Format a table in a style of `tabulate`, without changing its cells.

    right: the numbers of columns to align right, from 0
    """
    if style == "github" and header:
        return _of_github(header, rows, right)
    import tabulate

    # Do not make columns wider for their headers. This setting affects the whole process; it is only set
    # here.
    tabulate.MIN_PADDING = 0
    columns = len(header) or (len(rows[0]) if rows else 0)
    align = ["right" if column in right else "left" for column in range(columns)]
    text: str = tabulate.tabulate(
        rows, header, tablefmt=style, disable_numparse=True, colalign=align if rows else None
    )
    return text


def _of_github(header: Sequence[str], rows: Sequence[Sequence[object]], right: Collection[int]) -> str:
    """Format a table in GitHub's style.

    `tabulate` is too slow for a large event, and its output depends on its version and on whether wcwidth is
    installed.
    """
    cells = [["" if cell is None else str(cell).strip() for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    signs = [">" if column in right else "<" for column in range(len(header))]
    line = "".join(f"| {{:{sign}{width}}} " for sign, width in zip(signs, widths, strict=True)) + "|"
    rule = "".join(f"|{'-' * (width + 2)}" for width in widths) + "|"
    return "\n".join([line.format(*header), rule, *(line.format(*row) for row in cells)])
