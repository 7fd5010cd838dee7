"""The event as Markdown files for forums, chats and repositories.

The files have the same tables (pairings, standings) as the HTML pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache, partial
from operator import attrgetter

from tourney.event.titles import stage_title
from tourney.event.view import (
    EventView,
    FinalView,
    PlaceView,
    PrizeList,
    RoundView,
    StandingsView,
    TableView,
)
from tourney.games.sheet import as_markdown
from tourney.publish.data import Column, Files, tiebreak_columns
from tourney.publish.language import Language, capital, language_called, name_with_notes, no_lot
from tourney.wording import counted, isolate_direction, listed

_BEFORE = frozenset({"Seed", "On the day"})
"""Names of facts about an event that matter only until it ends. The summary omits them."""

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
    return {name: partial(_encode_document, make) for name, make in documents.items()}


def _encode_document(make: Callable[[], str]) -> bytes:
    return make().encode()


def _document(*paragraphs: str) -> str:
    """Return a document of the paragraphs that are not empty."""
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def standings(event: EventView, language: Language) -> str:
    """Return the standings as a Markdown document."""
    _, translate = language.gettext, language.translate
    view, final = event.standings, event.final
    places = [final_table(final, final.rows, language), translate(final.how)] if final else []
    swiss: list[str] = []
    if not final or final.swiss:
        swiss = [
            f"## {translate(view.title)}" if final else "",
            _standings_table(view, language),
            _left_out(view, language),
            no_lot(view, language, escape),
        ]
        names = [f"**{column.code}** {translate(column.name)}" for column in view.columns]
        swiss.append("\n".join(f"{place}. {name}" for place, name in enumerate(names, start=1)))
    title = translate((final or view).title)
    heading = f"# {escape(event.name)}: {title[:1].lower()}{title[1:]}"
    return _document(heading, _past(event, language), *places, *swiss, _which_state(language))


def game(event: EventView) -> str:
    """Return the rules of the game for players, as Markdown; empty if they could not be read."""
    if event.game is None:
        return ""
    title, _, rest = as_markdown(event.game).partition("\n\n")
    return _document(title, _past(event, language_called("en")), rest.removesuffix("\n"))


def decks(event: EventView, language: Language) -> str:
    """Return the decklists that are the same for all players, as Markdown."""
    _, translate = language.gettext, language.translate
    title = _("lists for all players")
    paragraphs = [f"# {escape(event.name)}: {title}", _past(event, language)]
    for deck in event.decks:
        mark = "{}. " if deck.ordered else "* "
        lines = [
            mark.format(number)
            + (f"{line.copies} " if line.copies > 1 or not deck.ordered else "")
            + escape(line.card)
            for number, line in enumerate(deck.cards, start=1)
        ]
        verdict = escape(capital(translate(deck.summary)))
        paragraphs += [f"## {escape(deck.name)}", f"{verdict}.", "\n".join(lines)]
    return _document(*paragraphs, _which_state(language))


def _which_state(language: Language) -> str:
    _ = language.gettext
    text = _("Which state this is")
    return f"[{text}](verification.md)"


def _past(event: EventView, language: Language) -> str:
    """Return `As of entry 57.` if an earlier state of the event is shown; otherwise empty."""
    return "" if event.past is None else language.gettext("As of entry {n}.", n=event.past)


def _table(columns: Sequence[Column], rows: Sequence[object]) -> str:
    return format_table([name for name, _ in columns], [[cell(row) for _, cell in columns] for row in rows])


def final_table(view: FinalView, rows: Sequence[PlaceView], language: Language) -> str:
    """Return places of a final ranking as a table. rows: the rows of `view` to show."""
    _, translate = language.gettext, language.translate
    two_parts = view.has_bracket and view.swiss
    columns: list[Column] = [(_("Place"), attrgetter("place")), _player_column(language)]
    if view.has_bracket:
        columns.append((_("Bracket"), lambda row: translate(row.bracket)))
    if two_parts:
        columns.append((_("Swiss rank"), lambda row: row.swiss or "–"))
    if view.swiss:
        columns.append((_("Swiss points") if two_parts else _("Points"), attrgetter("points")))
    columns.append((_("Swiss record") if two_parts else _("Record"), attrgetter("record")))
    return _table([*columns, *_division_column(view, language)], rows)


def _standings_table(view: StandingsView, language: Language) -> str:
    _ = language.gettext
    columns: list[Column] = [
        (_("#"), attrgetter("rank")),
        _player_column(language),
        (_("Points"), attrgetter("points")),
        (_("Record"), attrgetter("record")),
        *tiebreak_columns(view),
        *_division_column(view, language),
    ]
    return _table(columns, view.rows)


def _player_column(language: Language) -> Column:
    _, translate = language.gettext, language.translate
    return _("Player"), lambda row: escape(name_with_notes(row.name, translate(row.note)))


def _division_column(view: StandingsView | FinalView, language: Language) -> list[Column]:
    _ = language.gettext
    return [(_("Division"), lambda row: escape(row.in_division))] if view.divided else []


def _left_out(view: StandingsView, language: Language) -> str:
    names = ", ".join(escape(name) for _, name in view.left_out)
    _ = language.gettext
    not_ranked = _("Not ranked (left before their first match)")
    return f"{not_ranked}: {names}" if names else ""


def round_table(event: EventView, view: RoundView, language: Language) -> str:
    """Return the tables and byes of a round, as Markdown."""
    _, translate = language.gettext, language.translate
    rows = [
        [
            table.number,
            escape(translate(table.label)),
            " · ".join(
                escape(name_with_notes(seat.name, translate(seat.side), seat.points, translate(seat.note)))
                for seat in table.seats
            ),
            escape(translate(table.in_full) or _("playing")),
        ]
        for table in view.tables
    ]
    rows += [
        ["–", "", escape(name_with_notes(bye.name, translate(bye.note))), translate(bye.kind)]
        for bye in view.byes
    ]
    header = [_("Table"), _("Match"), _("Players"), _("Result")]
    if not view.mixed:
        header, rows = [header[0], *header[2:]], [[row[0], *row[2:]] for row in rows]
    deck_lines: list[str] = []
    for table in view.tables:
        number = _("Table {n}", n=table.number)
        deck_lines += [
            f"* {number}, {escape(translate(deck.name).lower())}: {escape(deck.in_a_line)}"
            for deck in table.decks
        ]
    stay = _("the tables stay as they were paired")
    return _document(
        f"# {escape(event.name)}: {escape(translate(view.title))}",
        _past(event, language),
        format_table(header, rows),
        "\n".join(deck_lines),
        f"{escape(capital(translate(view.stale)))}: {stay}." if view.stale else "",
        _which_state(language),
    )


def prizes(prize_list: PrizeList) -> str:
    """Return the prizes as a Markdown table, with notes below it."""
    header, rows = prize_list.table
    return _document(
        f"Provisional: {escape(prize_list.open)}." if prize_list.open else "",
        format_table([name.capitalize() for name in header], [[*map(escape, row)] for row in rows]),
        *(f"{escape(capital(note))}." for note in prize_list.notes),
    ).rstrip()


def summary(
    event: EventView, final: FinalView, *, on: str, digest: str, top: int, prize_list: PrizeList | None = None
) -> str:
    """Return a summary of the event, as Markdown.

    final: the final ranking, which an event without a bracket has, too
    on: the day of the event
    digest: the digest of the last entry that is shown
    top: the number of places to list
    prize_list: the prizes; None if there are none
    """
    language = language_called("en")
    facts = {"Day": on, **dict(event.facts)}
    facts["Format"] = facts["Format"].partition(", on ")[0]
    facts |= {"Players": str(len(event.players)), "Winner": event.champion}
    fact_lines = [f"* {key}: {escape(value)}" for key, value in facts.items() if value and key not in _BEFORE]
    paragraphs = [f"# {escape(event.name)}", _past(event, language), "\n".join(fact_lines)]
    if event.rounds:
        listed_rows = [row for row in final.rows if row.first is not None and row.first <= top]
        disqualified_names = [escape(row.name) for row in final.rows if row.note == "disqualified"]
        hidden_count = len(final.rows) - len(listed_rows) - len(disqualified_names)
        paragraphs += [
            f"## {final.title}",
            final_table(final, listed_rows, language),
            f"{counted(hidden_count, 'more player')}." if hidden_count else "",
            f"Disqualified, without a place: {listed(disqualified_names)}." if disqualified_names else "",
            final.how,
        ]
    matches = [
        f"* {escape(title)}: {'; '.join(_match(table) for table in tables)}"
        for view in event.rounds
        if view.cut
        for title, tables in _by_kind(view).items()
    ]
    if matches:
        paragraphs += ["## The bracket", "\n".join(matches)]
    if prize_list is not None:
        paragraphs += ["## Prizes", prizes(prize_list)]
    return _document(
        *paragraphs,
        "## How to check this",
        f"This is the event after entry {event.verification.entry}, `{digest}`.",
        "With the event's file and this digest, `tourney verify --against DIGEST` checks whether the file's"
        " history continues this one. `tourney verify` pairs every round again and compares.",
    )


def _by_kind(view: RoundView) -> dict[str, list[TableView]]:
    """Return kind of match → the tables, for a round of a bracket, in the order of play."""
    kinds: dict[str, list[TableView]] = {}
    for table in view.tables:
        kinds.setdefault(stage_title(table.label) if view.mixed else view.title, []).append(table)
    return kinds


def _match(table: TableView) -> str:
    names = [escape(isolate_direction(seat.name)) for seat in table.seats]
    names = [f"**{name}**" if seat.won else name for name, seat in zip(names, table.seats, strict=True)]
    score = escape(table.in_full) if table.result else "playing"
    if len(names) == 2 and all(seat.score for seat in table.seats):
        return f"{names[0]} {score} {names[1]}"
    return f"{' – '.join(names)}: {score}"


def verification(event: EventView) -> str:
    """Return the digests with which a later state of the event can be compared, as Markdown."""
    view = event.verification
    value = f"`{view.value}`" if view.value else "not published yet"
    secret = f"revealed: `{view.secret}`" if view.secret else "not revealed"
    seeds = [[escape(seed.title), seed.entry, f"`{seed.seed}`", seed.engine or "hand"] for seed in view.seeds]
    return _document(
        f"# {escape(event.name)}: verification",
        f"This is the event after entry {view.entry}, `{view.digest}`.",
        f"SHA-256 of the secret: `{view.secret_sha256}` ({secret}).",
        f"Public value, {escape(view.beacon)}: {value}." if view.beacon else "",
        *(f"{escape(remark)}." for remark in view.remarks),
        format_table(["Round", "Entry", "Seed", "Paired by"], seeds),
        "`tourney verify --against verification.md` checks whether a later history continues this one.",
    )


@lru_cache(maxsize=1 << 16)  # every round has the same names
def escape(text: str) -> str:
    r"""Return a text in which characters that Markdown interprets as markup are escaped.

    >>> print(escape("<b>A|B*"))
    \<b\>A\|B\*
    """
    return _SPECIAL.sub(r"\\\1", " ".join(text.splitlines()))


def format_table(
    header: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    right: Collection[int] = (),
    style: str = "github",
) -> str:
    """Return a table in a style of the library `tabulate`. The cells are not changed.

    right: the numbers of columns to align right, from 0
    """
    if style == "github" and header:
        return _of_github(header, rows, right)
    import tabulate

    # Do not make columns wider for their headers. The setting affects the whole process; no other code sets
    # it.
    tabulate.MIN_PADDING = 0
    columns = len(header) or (len(rows[0]) if rows else 0)
    align = ["right" if column in right else "left" for column in range(columns)]
    text: str = tabulate.tabulate(
        rows, header, tablefmt=style, disable_numparse=True, colalign=align if rows else None
    )
    return text


def _of_github(header: Sequence[str], rows: Sequence[Sequence[object]], right: Collection[int]) -> str:
    """Return a table in GitHub's style.

    `tabulate` is too slow for a large event, and its output depends on its version and on whether wcwidth is
    installed.
    """
    cells = [["" if cell is None else str(cell).strip() for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    signs = [">" if column in right else "<" for column in range(len(header))]
    line = "".join(f"| {{:{sign}{width}}} " for sign, width in zip(signs, widths, strict=True)) + "|"
    rule = "".join(f"|{'-' * (width + 2)}" for width in widths) + "|"
    return "\n".join([line.format(*header), rule, *(line.format(*row) for row in cells)])
