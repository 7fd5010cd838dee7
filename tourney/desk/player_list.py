"""Lists of players as organizers have them: a name a line, or a table with a header."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from tourney.cards.names import fold
from tourney.errors import TourneyError
from tourney.event.players import Registration
from tourney.record import whole_from_text
from tourney.spreadsheet import from_csv, unguarded
from tourney.wording import listed

_WORDS = {
    "name": """name, full name, player, player name, players, participant, competitor, your name, your full name,
        your first and last name, first and last name, name of player, name of the player, who, spieler, spielername,
        spielerin, teilnehmer, vollständiger name, joueur, nom complet, nom du joueur, participante, jugador, nombre completo,
        nombre y apellido, nombre y apellidos, giocatore, nome e cognome, nome completo, jogador, speler, naam, spelare,
        namn, spiller, navn, pelaaja, nimi, gracz, imię i nazwisko, zawodnik, hráč, jméno a příjmení, játékos, név, игрок, имя и фамилия,
        фио, участник, 名前, 氏名, 選手, 选手, 姓名, 玩家, 이름, 성명, 선수, 참가자""",
    "first": """first, first name, firstname, given name, forename, vorname, prénom, nombre, nome, imię, voornaam, förnamn,
        fornavn, etunimi, jméno, keresztnév, имя, 名""",
    "last": """last, last name, lastname, surname, family name, nachname, familienname, nom, nom de famille, apellido,
        apellidos, cognome, sobrenome, apelido, nazwisko, achternaam, efternamn, efternavn, sukunimi, příjmení, vezetéknév,
        фамилия, 姓""",
    "rating": "rating, elo, wertung, classement",
    "table": "table, fixed table, tisch",
    "awarded": "awarded",
    "byes": "byes",
    "late": "late",
    "contact": "contact, kontakt, contacto, contatto",
    "email": "email, e mail, mail, email address, e mail address, e mail adresse, your email, correo, courriel",
    "phone": "phone, phone number, telephone, mobile, telefon, handy, teléfono, téléphone, telefono",
    "#": "number, #, id, no, no., nr, nr., n°, timestamp, zeitstempel, horodateur, marca temporal",
}
"""What the columns are called that are known, as forms and other programs write them; those of `#` are passed over."""

_SPACERS = re.compile(r"[\s_-]+")
_COLUMNS = {
    _SPACERS.sub(" ", fold(word.strip())): column
    for column, words in _WORDS.items()
    for word in words.split(",")
}
_OF_A_NAME = frozenset({"name", "first", "last"})
_EXAMPLE = "a table begins with its header, `name,rating,club`; a list has one name a line, `Mira Oake` or `Oake, Mira`"
_FIRST_LINES = 10
"""Lines above which a header is looked for, so as to say what stands before it."""
_BYE = re.compile(r"\s*(\d{1,4})\s*[:= ]\s*([a-z-]+)\s*", re.IGNORECASE)


def read_players(text: str, *, source: str) -> tuple[Registration, ...]:
    """Read a list of players: a name a line, or CSV (comma, semicolon or tab) with a header that has `name`.

    Columns: name (or first and last), rating, table, awarded, byes (`3:half-bye 5:absent`), late, contact; numbers are
    passed over; any other column is a tag of that kind. Raises TourneyError with file and line, also for a table without
    a header: a row of one is nobody's name.
    """
    text = text.removeprefix("\ufeff")
    marks = "\t;,"
    if separator := re.match(r"sep=(.)\r?\n", text):  # a spreadsheet's own first line
        text, marks = "\n" + text[separator.end() :], separator[1]
    if not any(_counts(line) for line in text.splitlines()):
        raise TourneyError(
            f"{source}: there are no players in it", "a name a line, or CSV with a header `name,rating,club`"
        )
    for mark in marks:
        records = _first_records(text, mark)
        for place, (number, cells) in enumerate(records):
            columns = [_column(cell) for cell in cells]
            if not _OF_A_NAME & {*columns}:
                continue
            if place == 0:
                return tuple(_rows(text, columns, mark, source))
            if len(cells) > 1:
                raise TourneyError(
                    f"{source}:{records[0][0]}: this stands above the header in line {number}",
                    "take it away, or make it a remark: `# Friday`",
                )
    return tuple(_name_a_line(text, source))


def _column(cell: str) -> str:
    """Return the column that a header's cell means; of one that is not known, what it says: the kind of a tag."""
    header = cell.strip().rstrip(":*?").strip().lower()
    return _COLUMNS.get(_SPACERS.sub(" ", fold(header)), header)


def _first_records(text: str, mark: str) -> list[tuple[int, list[str]]]:
    """Return the first records of a table, up to one that cannot be read."""
    records: list[tuple[int, list[str]]] = []
    with suppress(TourneyError):
        for record in islice(_records(text, mark, ""), _FIRST_LINES):
            records.append(record)  # noqa: PERF402 - what was read before the fault is kept
    return records


def _name_a_line(text: str, source: str) -> Iterator[Registration]:
    for number, line in enumerate(text.splitlines(), 1):
        if not _counts(line):
            continue
        name = line.strip()
        if name.count('"') % 2:
            raise TourneyError(
                f"{source}:{number}: a quotation mark is opened and not closed in this line", _EXAMPLE
            )
        if whole := _QUOTED.fullmatch(name):
            name = whole[1].replace('""', '"')
        elif why := _no_name(name):
            raise TourneyError(f"{source}:{number}: `{name[:40]}` is not a name: {why}", _EXAMPLE)
        yield Registration(name=name, place=f"{source}:{number}")


_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_NO_NAMES = (
    (re.compile(r"[\t;|]|,.*,| {3}"), "it has several cells, and no line above it is a header"),
    (re.compile(r",\S|,\s*[\d\"]"), "it has two cells, and no line above it is a header"),
    (re.compile(r"\S@\w+\.\w"), "it holds an e-mail address"),
    (
        re.compile(r"[\[{]\s*(?:[\"\[{].*)?|</?\w[^>]*>.*"),
        "the file is not a list of names but of another format",
    ),
)


def _no_name(line: str) -> str:
    """Say why a line is no name but the row of a table, or of another format; empty where it may be one."""
    *inside, form = _NO_NAMES
    if form[0].fullmatch(line):
        return form[1]
    return next((why for row, why in inside if row.search(line)), "")


def _counts(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("# ")


def _records(text: str, mark: str, source: str) -> Iterator[tuple[int, list[str]]]:
    for number, cells in from_csv(text, delimiter=mark, source=source):
        if any(cell.strip() for cell in cells) and not cells[0].lstrip().startswith("# "):
            yield number, cells


def _rows(text: str, columns: list[str], mark: str, source: str) -> Iterator[Registration]:
    records = _records(text, mark, source)
    header, cells = next(records)
    for column, times in Counter(columns).items():
        if times > 1 and column not in {"", "#"}:
            names = [f"`{cell.strip()}`" for each, cell in zip(columns, cells, strict=True) if each == column]
            raise TourneyError(
                f"{source}:{header}: {listed(names)} are one column twice",
                "give one of them another name, or take it away",
            )
    for number, cells in records:
        place = f"{source}:{number}"
        if len(cells) > len(columns):
            raise TourneyError(f"{place}: {len(cells)} columns, the header has {len(columns)}")
        row = {
            column: unguarded(cell.strip())
            for column, cell in zip(columns, cells, strict=False)
            if cell.strip()
        }
        if not row.get("", "0").isdigit():
            raise TourneyError(
                f"{place}: `{row['']}` stands in a column without a header", "give it one: `club`"
            )
        yield _registration(row, place)


def _registration(row: dict[str, str], place: str) -> Registration:
    tags = {key: text for key, text in row.items() if key not in {"", *_WORDS}}
    contact = [row[column] for column in ("contact", "email", "phone") if column in row]
    return Registration(
        name=_whole_name(row),
        rating=_number(row.get("rating"), "rating", place),
        tags=tags,
        byes=_byes(row.get("byes", ""), place),
        awarded=_number(row.get("awarded"), "awarded", place) or 0,
        table=_number(row.get("table"), "table", place),
        contact=", ".join(contact) or None,
        late=row.get("late"),
        place=place,
    )


def _whole_name(row: dict[str, str]) -> str:
    """Put a name together; `name` beside a first name alone is the last one, as in `Name;Vorname`, and the other way round."""
    name, first, last = (row.get(column, "") for column in ("name", "first", "last"))
    if not name or (first and last):
        return name or f"{first} {last}".strip()
    words = fold(name).split()
    if {*fold(first).split(), *fold(last).split()} <= {*words}:
        return name
    return f"{first} {name} {last}".strip()


def _number(text: str | None, column: str, place: str) -> int | None:
    if text is None:
        return None
    try:
        return whole_from_text(text)
    except TourneyError as fault:
        raise TourneyError(f"{place}: {column}: {fault.message}") from None


def _byes(text: str, place: str) -> dict[int, str]:
    byes = {}
    for part in re.split(r"[,;]|\s+(?=\d)", text):
        if not part.strip():
            continue
        typed = _BYE.fullmatch(part)
        if typed is None:
            raise TourneyError(
                f"{place}: byes: `{part.strip()}` is not a round and a kind", "`3:half-bye 5:absent`"
            )
        if int(typed[1]) in byes:
            raise TourneyError(
                f"{place}: byes: round {int(typed[1])} is named twice", "`3:half-bye 5:absent`"
            )
        byes[int(typed[1])] = typed[2].lower()
    return byes
