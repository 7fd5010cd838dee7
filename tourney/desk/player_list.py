"""Lists of players as organizers have them: a name a line, a table with a header, a sheet, another program's export.

Each form of export is taken from public files or from the program's own documentation: the table in this room's README says
which.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, TypeVar

from tourney.cards.names import fold
from tourney.decode import (
    MAX_FILLED_CELLS,
    MAX_LISTED_PLAYERS,
    check_lines,
    check_text,
    decode_text,
    from_json,
)
from tourney.errors import TourneyError
from tourney.event.kind import at_place
from tourney.event.players import LONGEST_TAG, Registration
from tourney.record import parse_whole_number
from tourney.spreadsheet import parse_csv, unescape_formula
from tourney.store.workbook import DateCell, is_workbook, read_sheet
from tourney.wording import listed, listed_short

_WORDS = {
    "name": """name, full name, player, player name, players, participant, competitor, your name, your full name,
        your first and last name, first and last name, name of player, name of the player, who, spieler, spielername,
        spielerin, spieler in, teilnehmer, teilnehmerin, vollständiger name, vor und nachname, vor und zuname, joueur, joueuse,
        nom complet, nom et prénom, prénom et nom, nom du joueur, participant e, participante, jugador, jugadora, nombre completo,
        nombre y apellido, nombre y apellidos, giocatore, giocatrice, partecipante, nome e cognome, cognome e nome, nome completo,
        jogador, jogadora, nome e sobrenome, speler, speelster, deelnemer, naam, volledige naam, spelare, namn, spiller, navn,
        pelaaja, nimi, gracz, imię i nazwisko, nazwisko i imię, uczestnik, zawodnik, hráč, jméno a příjmení, játékos, név, игрок,
        имя и фамилия, фио, участник, 名前, 氏名, お名前, 選手, 選手名, プレイヤー, プレイヤー名, 参加者, 选手, 姓名, 玩家, 이름, 성명, 선수, 참가자""",
    "first": """first, first name, firstname, given name, forename, vorname, prénom, nombre, nome, nome próprio, imię, voornaam,
        förnamn, fornavn, etunimi, jméno, keresztnév, имя, 名""",
    "last": """last, last name, lastname, surname, family name, nachname, familienname, zuname, nom, nom de famille, apellido,
        apellidos, cognome, sobrenome, apelido, nazwisko, achternaam, familienaam, efternamn, efternavn, sukunimi, příjmení,
        vezetéknév, фамилия, 姓, 苗字""",
    "nickname": """nickname, nick, nick name, handle, username, user name, alias, gamertag, gamer tag, player tag, screen name,
        display name, spitzname, benutzername, spielertag, pseudo, pseudonyme, surnom, apodo, usuario, nombre de usuario,
        soprannome, nome utente, nome de usuário, nome de utilizador, pseudonim, ksywa, nazwa użytkownika, bijnaam,
        gebruikersnaam, ニックネーム, ハンドルネーム, ユーザー名""",
    "rating": """rating, elo, elo rating, wertung, wertungszahl, spielstärke, classement, cote, puntuación elo, valoración,
        punteggio elo, ranking elo, レーティング, レート""",
    "club": """club, club name, verein, vereinsname, spielverein, circolo, clube, klub, vereniging, クラブ, 所属""",
    "team": "team, team name, mannschaft, équipe, equipo, squadra, equipa, drużyna, ploeg, チーム, チーム名",
    "family": "family, familie, famille, familia, famiglia, família, rodzina, gezin, 家族",
    "division": """division, age division, age group, category, klasse, altersklasse, spielklasse, kategorie, catégorie,
        catégorie d'âge, división, categoría, divisione, categoria, divisão, dywizja, kategoria, divisie, categorie, ディビジョン,
        部門, クラス""",
    "table": """table, fixed table, tisch, tischnummer, fester tisch, table fixe, mesa, mesa fija, mesa fixa, tavolo, tavolo fisso,
        stół, stolik, tafel, vaste tafel, テーブル, 卓""",
    "awarded": "awarded, awarded byes, round byes, freilose vorab",
    "byes": "byes, bye, freilos, freilose, exempt, exempts, rondas libres, turni liberi, wolne losy, vrije rondes, 不戦勝",
    "late": "late",
    "deck": """deck, decklist, deck list, decklists, deck lists, your decklist, your deck list, deckliste, liste de deck, decks,
        mazo, lista de mazo, lista del mazo, baraja, mazzo, lista mazzo, lista del mazzo, lista do deck, lista de deck, talia,
        lista talii, decklijst, デッキ, デッキリスト""",
    "alias": "public name, name on pages, öffentlicher name, nom public, nombre público, nome pubblico",
    "minor": "minor, under age, underage, minderjährig, mineur, menor, minorenne, małoletni, minderjarig, 未成年",
    "contact": "contact, contact details, kontakt, kontaktdaten, contacto, contatto, contato, contactgegevens, 連絡先",
    "email": """email, e mail, mail, email address, e mail address, e mail adresse, emailadresse, mailadresse, your email,
        adresse e mail, adresse mail, adresse électronique, courriel, correo, correo electrónico, dirección de correo electrónico,
        indirizzo email, indirizzo e mail, endereço de email, endereço de e mail, adres e mail, adres email, e mailadres,
        emailadres, メール, メールアドレス""",
    "phone": """phone, phone number, telephone, mobile, mobile number, cell, cell phone, telefon, telefonnummer, handy, handynummer,
        mobil, mobilnummer, teléfono, móvil, número de teléfono, téléphone, numéro de téléphone, portable, telefono, cellulare,
        numero di telefono, telefone, telemóvel, celular, numer telefonu, komórka, telefoon, telefoonnummer, mobiel, 電話,
        電話番号""",
    "#": """number, #, id, no, no., nr, nr., n°, nummer, lfd nr, lfd. nr., lfd.nr., laufende nummer, startnummer, numéro, numero, lp, lp., timestamp, zeitstempel, horodateur,
        marca temporal, informazioni cronologiche, carimbo de data hora, sygnatura czasowa, tijdstempel, タイムスタンプ""",
}
"""What the columns are called that are known, as forms and other programs write them; those of `#` are passed over."""

_SPACERS = re.compile(r"[\s_-]+")


def _folded(header: str) -> str:
    return _SPACERS.sub(" ", fold(header.strip().rstrip(":*?").strip()))


_COLUMNS = {_folded(word): column for column, words in _WORDS.items() for word in words.split(",")}
_OF_A_NAME = frozenset({"name", "first", "last"})
_TAGS = ("club", "team", "family", "division", "nickname")
"""Columns that are kept as tags of that kind, whatever their header's language."""
_JOINED = frozenset({"contact", "email", "phone"})
MEANINGS = (*(each for each in _WORDS if each != "#"), "tag", "skip")
"""What a column can be said to be: `--column "Spieler=name"`; `tag` keeps it by its own name, `skip` passes it over."""

_EXAMPLE = "a table begins with its header, `name,rating,club`; a list has one name a line, `Mira Oake` or `Oake, Mira`"
_FIRST_LINES = 10
"""Lines above which a header is looked for, so as to say what stands before it."""
_BYE = re.compile(r"\s*(\d{1,4})\s*[:= ]\s*([a-z-]+)\s*", re.IGNORECASE)

Beside = Callable[[str], bytes | None]
"""Reads a file that lies beside the list, by the name in a cell; None where there is none."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list.

    header:  as it stands there
    becomes: `name`, `rating` …, `tag club`, or nothing where it is passed over
    known:   whether anybody knows it; one that nobody knows is a tag by its own name
    """

    header: str
    becomes: str
    known: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedDeck:
    """A decklist that came with a player. place: its file, or the list's file and line, for messages; `fault`: why none came."""

    content: str | bytes
    place: str
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerList:
    """What a list says.

    form:     what it was read as: `a table with semicolons`, `sheet Anmeldung`, `names`, `EventLink's list of players`
    encoding: the text's, as spreadsheets call it; empty for a workbook
    players:  to be registered, in order; decks: their place in `players` → the decklist
    notes:    what was passed over, a sentence each
    repeated: the names that several rows have, with their places: the last row counts
    """

    source: str
    form: str
    encoding: str
    columns: tuple[Column, ...] = ()
    players: tuple[Registration, ...]
    decks: Mapping[int, ListedDeck]
    notes: tuple[str, ...] = ()
    repeated: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return what the organizer should look at: columns kept as tags, and names that several rows have."""
        return (*self._unknown_columns(), *self._repeated_names())

    def merged(self) -> PlayerList:
        """Return the list with the last of the rows that have one name; `repeated` says which rows those are."""
        rows: dict[str, list[int]] = {}
        for place, player in enumerate(self.players):
            rows.setdefault(fold(player.name), []).append(place)
        if len(rows) == len(self.players):
            return self
        last = sorted(places[-1] for places in rows.values())
        return replace(
            self,
            players=tuple(self.players[place] for place in last),
            decks={new: self.decks[old] for new, old in enumerate(last) if old in self.decks},
            repeated={
                self.players[places[-1]].name: [self.players[place].place for place in places]
                for places in rows.values()
                if len(places) > 1
            },
        )

    def _repeated_names(self) -> Iterator[str]:
        if not self.repeated:
            return
        names = [
            f"{name} (rows {listed(place.rpartition(':')[2] for place in places)})"
            for name, places in self.repeated.items()
        ]
        yield (
            f"more than one row has the name of {listed_short(names)}: the last row counts; for different players, add"
            " something to a name that tells them apart"
        )

    def _unknown_columns(self) -> tuple[str, ...]:
        unknown = [f"`{each.header}`" for each in self.columns if not each.known]
        if not unknown:
            return ()
        one = len(unknown) == 1
        kept = (
            f"{listed(unknown)} {'is' if one else 'are'} not known and kept as {'a tag' if one else 'tags'}"
        )
        first = unknown[0].strip("`")
        return (
            f'the column{"" if one else "s"} {kept} (`--column "{first}=skip"` leaves {"it" if one else "one"} out)',
        )


class UnclearError(TourneyError):
    """A list that can be read in more than one way. answers: what can be meant → which column is what then."""

    def __init__(
        self, message: str, hint: str, question: str, answers: Mapping[str, Mapping[str, str]]
    ) -> None:
        super().__init__(message, hint)
        self.question = question
        self.answers = answers


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """How a list is to be read: what its organizer said of it. given: folded header → meaning; typed: → as it was typed."""

    source: str
    given: Mapping[str, str]
    typed: Mapping[str, str]
    kinds: Collection[str]
    beside: Beside | None


Row = Mapping[str, str]
"""A player of a list: column (`name`, `tag club`, `deck` …) → what stands there, where anything does."""


def read_list(
    content: str | bytes,
    *,
    source: str,
    encoding: str | None = None,
    sheet: str | None = None,
    columns: Mapping[str, str] | None = None,
    kinds: Collection[str] = (),
    beside: Beside | None = None,
) -> PlayerList:
    """Read a list of players: names, a table (comma, semicolon or tab), an Excel workbook, or another program's export.

    A table has a header with `name`, or first and last name. Columns that nobody knows are tags of that kind; see
    `Desk.import_players`.

    encoding: instead of the one that is found
    sheet:    of a workbook, instead of the first
    columns:  header → one of MEANINGS, where it is not what its header says; `tag KIND` is a tag of that kind
    kinds:    kinds of tags that the event has: such a column stays one of that kind, whatever else its header means
    beside:   finds the decklists that cells name as files

    Raises TourneyError with file and line, also for a table without a header: a row of one is nobody's name. Where it
    can be read in more than one way, UnclearError.
    """
    given = {_folded(header): meaning for header, meaning in (columns or {}).items()}
    typed = {_folded(header): header for header in columns or ()}
    reading = _Reading(source=source, given=given, typed=typed, kinds=kinds, beside=beside)
    if isinstance(content, bytes) and is_workbook(content):
        return _read_workbook(content, sheet, reading)
    check_text(content, source=source)
    if sheet is not None:
        raise TourneyError(f"{source}: there are sheets in workbooks only", "leave `--sheet` out")
    text, called = (
        decode_text(content, source=source, encoding=encoding)
        if isinstance(content, bytes)
        else (content.removeprefix("\ufeff"), "UTF-8")
    )
    if "\x00" in text:
        raise TourneyError(f"{source}: is not a text", "save the list as CSV (UTF-8), or as .xlsx")
    return replace(_read_text(text, reading), encoding=called)


def _read_workbook(content: bytes, wanted: str | None, reading: _Reading) -> PlayerList:
    sheet = read_sheet(content, source=reading.source, sheet=wanted)
    rows = [row for row in sheet.rows if not row[1][0].lstrip().startswith("# ")]
    width = max((len(cells) for _, cells in rows), default=0)

    def records() -> Iterator[tuple[int, list[str]]]:  # one by one: a wide row makes every row wide
        return ((number, [*cells, *[""] * (width - len(cells))]) for number, cells in rows)

    form = f"sheet `{sheet.name}`"
    listed_ = _table(list(islice(records(), _FIRST_LINES)), records, form, reading)
    if listed_ is None:
        if any(any(cells[1:]) for _, cells in rows):
            number, cells = next(records())
            raise _unclear_header(cells, f"{reading.source}:{number}", reading.given)
        players = [
            Registration(name=cells[0], place=f"{reading.source}:{number}")
            for number, cells in _within_limit(rows, reading.source)
        ]
        listed_ = _whole(form, players, reading.source)
    if sheet.others and wanted is None:
        note = f"other sheets, not read: {listed(f'`{each}`' for each in sheet.others)} (`--sheet NAME` reads one)"
        listed_ = replace(listed_, notes=(*listed_.notes, note))
    return listed_


def _read_text(text: str, reading: _Reading) -> PlayerList:
    source = reading.source
    check_lines(text, source=source)
    marks = "\t;,"
    if separator := re.match(
        r"sep=(.)\r?\n", text
    ):  # a spreadsheet reads this line and does not show it as a row
        text, marks = text[separator.end() :], separator[1]
    if not any(_counts(line) for line in text.splitlines()):
        raise TourneyError(
            f"{source}: there are no players in it", "a name a line, or CSV with a header `name,rating,club`"
        )

    if export := _exported(text, source):
        built = [
            (_registration(row, f"{source}:{number}"), row, number)
            for number, row in _within_limit(enumerate(export.rows, 1), source)
        ]
        players, decks = [each for each, _, _ in built], _listed_decks(built, reading)
        return _whole(export.form, players, source, decks=decks, notes=export.notes)
    for mark in marks:
        first = _first_records(text, mark)
        form = f"a table with {_CALLED.get(mark, mark)}"
        table = _table(first, lambda mark=mark: _records(text, mark, source), form, reading)  # type: ignore[misc]
        if table is not None:
            return table
    _refuse_unknown_header(text, marks, reading)
    names = _within_limit(_name_a_line(text, source), source)
    return _whole("names", [player for _, player in names], source)


_Numbered = TypeVar("_Numbered")


def _within_limit(rows: Iterable[tuple[int, _Numbered]], source: str) -> Iterator[tuple[int, _Numbered]]:
    """Give the rows of a list with their numbers. Raises TourneyError at the first one beyond the limit."""
    for count, (number, row) in enumerate(rows):
        if count == MAX_LISTED_PLAYERS:
            raise TourneyError(
                f"{source}:{number}: a list has at most {MAX_LISTED_PLAYERS:,} players",
                "split it into several lists",
            )
        yield number, row


_CALLED = {"\t": "tabs", ";": "semicolons", ",": "commas"}


def _whole(
    form: str,
    players: Sequence[Registration],
    source: str,
    *,
    columns: Sequence[Column] = (),
    decks: Mapping[int, ListedDeck] | None = None,
    notes: Iterable[str] = (),
) -> PlayerList:
    if not players:
        raise TourneyError(f"{source}: there are no players in it")
    return PlayerList(
        source=source,
        form=form,
        encoding="",
        columns=tuple(columns),
        players=tuple(players),
        decks=decks or {},
        notes=tuple(notes),
    )


# -- A name a line


def _first_records(text: str, mark: str) -> list[tuple[int, list[str]]]:
    """Return the first records of a table, up to one that cannot be read."""
    records: list[tuple[int, list[str]]] = []
    with suppress(TourneyError):
        for record in islice(_records(text, mark, ""), _FIRST_LINES):
            records.append(record)  # noqa: PERF402 - what was read before the fault is kept
    return records


def _name_a_line(text: str, source: str) -> Iterator[tuple[int, Registration]]:
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
        yield number, Registration(name=name, place=f"{source}:{number}")


_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_SEVERAL_CELLS = "it has several cells, and no line above it is a header"
_TWO_CELLS = "it has two cells, and no line above it is a header"
_NO_NAMES = (
    (re.compile(r"[\t;|]|,.*,| {3}"), _SEVERAL_CELLS),
    (re.compile(r",\S|,\s*[\d\"]"), _TWO_CELLS),
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


# -- A table: which column is what


def _records(text: str, mark: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """Give the filled rows of a table, each with the number that a spreadsheet shows for it."""
    inside = 0  # line ends within cells of the rows above
    for line, cells in parse_csv(text, delimiter=mark, source=source):
        number = line - inside
        inside += sum(cell.count("\n") for cell in cells)
        if any(cell.strip() for cell in cells) and not cells[0].lstrip().startswith("# "):
            yield number, cells


def _table(
    first: Sequence[tuple[int, list[str]]],
    records: Callable[[], Iterator[tuple[int, list[str]]]],
    form: str,
    reading: _Reading,
) -> PlayerList | None:
    """Read a table by its header, which stands among the first records; None where none of them is one.

    Titles above it that fill one cell of several, as spreadsheets have them, are passed over; anything else there is
    refused, since it may be a player.
    """
    for place, (number, cells) in enumerate(first):
        if not _is_header(cells, reading):
            continue
        above = first[:place]
        if any(len(row) < 2 or sum(bool(cell.strip()) for cell in row) > 1 for _, row in above):
            if len(cells) < 2:
                return None
            raise TourneyError(
                f"{reading.source}:{above[0][0]}: this stands above the header in line {number}",
                "take it away, or make it a remark: `# Friday`",
            )
        titles = [f"above the header, passed over: `{' '.join(row).strip()}`" for _, row in above]
        rows = islice(records(), place + 1, None)
        alone = "names below their header" if len(cells) == 1 else form
        return _rows(rows, cells, number, _Table(alone, titles, reading))
    return None


@dataclass(frozen=True, slots=True)
class _Table:
    form: str
    titles: Sequence[str]
    reading: _Reading


def _is_header(cells: Sequence[str], reading: _Reading) -> bool:
    if any(_folded(cell) in reading.given for cell in cells if cell.strip()):
        return True
    columns = {_meaning(cell) for cell in cells}
    return bool(columns & _OF_A_NAME) or ("nickname" in columns and len(columns - {""}) > 1)


_IN_BRACKETS = re.compile(r"[(\[（][^()\[\]（）]*[)\]）]")


def _meaning(header: str) -> str:
    """Return what a header means, whole, without what stands in brackets, or in each of the languages beside a stroke."""
    folded = _folded(header)
    if not folded or folded in _COLUMNS:
        return _COLUMNS.get(folded, "")
    bare = _folded(_IN_BRACKETS.sub(" ", header))
    parts = {_COLUMNS.get(_folded(part), "") for part in re.split(r"[/|\n]", header)}
    if len(parts) > 1:  # `Name / Nom`, `First name / Last name`: together they are the name
        return "name" if parts <= _OF_A_NAME else ""
    return _COLUMNS.get(bare, "") or parts.pop()


def _columns(cells: Sequence[str], place: str, reading: _Reading) -> list[Column]:
    """Say of each column what it becomes. Raises TourneyError for a header that was named and is not there."""
    lost = [
        reading.typed[header] for header in reading.given if header not in {_folded(cell) for cell in cells}
    ]
    if lost:
        there = listed(f"`{cell.strip()}`" for cell in cells if cell.strip())
        raise TourneyError(f"{place}: there is no column `{lost[0]}`", f"there are {there}")
    columns = [_column(cell, reading) for cell in cells]
    if not {each.becomes for each in columns} & _OF_A_NAME:
        columns = [
            replace(each, becomes="name") if each.becomes == "tag nickname" else each for each in columns
        ]
    return columns


def _column(cell: str, reading: _Reading) -> Column:
    header = cell.strip()
    own = header.rstrip(":*?").strip().lower()
    meaning = reading.given.get(_folded(header)) or (own if own in reading.kinds else _meaning(header))
    if meaning in {"#", "skip"} or not own:
        return Column(header, "")
    if meaning.startswith("tag "):
        return Column(header, meaning)
    if meaning in _TAGS:
        return Column(header, f"tag {meaning}")
    if meaning in _WORDS:
        return Column(header, meaning)
    return Column(header, f"tag {own}", known=bool(meaning))


def _unclear_header(cells: Sequence[str], place: str, given: Mapping[str, str]) -> UnclearError:
    """Ask which column of a table holds the names, none of which is known."""
    headers = [cell.strip() for cell in cells if cell.strip()]
    shown = listed(f"`{each}`" for each in headers[:8])
    example = headers[0] if headers else "Player"
    return UnclearError(
        f"{place}: no column is known to hold the players' names: {shown}",
        f'say which one does: `--column "{example}=name"`; where this is no header, put one above it: `name,rating,club`',
        f"{place}: which column holds the players' names?",
        {header: {**given, header: "name"} for header in headers},
    )


def _refuse_unknown_header(text: str, marks: str, reading: _Reading) -> None:
    """Ask for the names' column where the text is a table all of whose rows have equally many cells, and no header is known."""
    first = next(line for line in text.splitlines() if _counts(line))
    if _no_name(first.strip()) not in {_SEVERAL_CELLS, _TWO_CELLS}:
        return
    tables = [records for mark in marks if len(records := _first_records(text, mark)) > 1]
    table = max(tables, key=lambda records: len(records[0][1]), default=[])
    widths = {len(cells) for _, cells in table}
    headers = [cell.strip() for cell in table[0][1]] if table else []
    if (
        len(widths) == 1
        and len(headers) > 1
        and all(headers)
        and not any(re.search(r"\d|@", each) for each in headers)
    ):
        raise _unclear_header(headers, f"{reading.source}:{table[0][0]}", reading.given)


def _check_columns(columns: Sequence[Column], header: int, source: str) -> None:
    """Refuse two columns that mean the same: nobody can know which of them is meant."""
    for becomes, times in Counter(each.becomes for each in columns).items():
        if times == 1 or not becomes or becomes in _JOINED:
            continue
        names = [each.header for each in columns if each.becomes == becomes]
        shown = listed(f"`{each}`" for each in names)
        message = f"{source}:{header}: {shown} are one column twice"
        if len({_folded(each) for each in names}) < len(names):
            raise TourneyError(message, "give one of them another name, or take it away")
        others = {name: {other: "skip" for other in names if other != name} for name in names}
        raise UnclearError(
            message,
            f'say what one of them is: `--column "{names[1]}=skip"`, or `=tag`',
            f"{source}: {shown} both mean the {becomes.removeprefix('tag ')}; which is to be taken?",
            others,
        )


# -- A table's rows


def _rows(
    records: Iterator[tuple[int, list[str]]], cells: Sequence[str], header: int, table: _Table
) -> PlayerList:
    reading, source = table.reading, table.reading.source
    columns = _columns(cells, f"{source}:{header}", reading)
    _check_columns(columns, header, source)
    rows = []
    filled = 0
    for number, each in _within_limit(records, source):
        rows.append((number, row := _row(each, columns, f"{source}:{number}")))
        filled += len(row)
        if filled > MAX_FILLED_CELLS:
            raise TourneyError(
                f"{source}:{number}: a list has at most {MAX_FILLED_CELLS:,} filled cells",
                "leave out the columns that are not needed",
            )
    columns, rows = _deck_column(columns, rows, reading)
    rows = _without_replaced_rows(rows)
    built = [(_registration(row, f"{source}:{number}"), row, number) for number, row in rows]
    decks = _listed_decks(built, reading)
    players = [each for each, _, _ in built]
    return _whole(table.form, players, source, columns=columns, decks=decks, notes=table.titles)


def _without_replaced_rows(rows: Sequence[tuple[int, dict[str, str]]]) -> list[tuple[int, dict[str, str]]]:
    """Leave only the name in rows that a later row with the same name replaces; their mistakes do not matter."""
    last = {fold(_registered_name(row)): number for number, row in rows}
    return [
        (number, row)
        if last[fold(_registered_name(row))] == number or not _registered_name(row)
        else (number, {key: text for key, text in row.items() if key in _OF_A_NAME | {"tag nickname"}})
        for number, row in rows
    ]


def _row(cells: Sequence[str], columns: Sequence[Column], place: str) -> dict[str, str]:
    row: dict[str, str] = {}
    if any(cell.strip() for cell in cells[len(columns) :]):
        raise TourneyError(f"{place}: {len(cells)} columns, the header has {len(columns)}")
    for column, cell in zip(columns, cells, strict=False):
        if not cell:
            continue
        text = unescape_formula(cell.strip())
        if not text:
            continue
        if not column.header and not text.isdigit():
            raise TourneyError(
                f"{place}: `{text}` stands in a column without a header", "give it one: `club`"
            )
        if isinstance(cell, DateCell) and column.becomes in _OF_A_NAME:
            raise TourneyError(
                f"{place}: `{text}` is a date, not a name", "make the column text, and type the name again"
            )
        if not column.known and len(text) > LONGEST_TAG:
            raise TourneyError(
                f"{place}: {column.header}: a tag may have at most {LONGEST_TAG} letters, this one has {len(text)}",
                f'leave the column out: `--column "{column.header}=skip"`',
            )
        key = column.becomes
        row[key] = f"{row[key]}, {text}" if key in row and key in _JOINED else text
    row.pop("", None)
    return row


_YES = frozenset(["yes", "y", "true", "1", "x", "ja", "j", "oui", "o", "sí", "si", "s", "sim", "tak"])
_NO = frozenset(["no", "n", "false", "0", "nein", "non", "não", "nie", "nee", "-", "–"]) | {""}


def _yes(text: str, place: str) -> bool:
    """Read whether a cell says yes. Raises TourneyError for what is neither: nobody's age is guessed."""
    said = text.strip().casefold()
    if said not in _YES | _NO:
        raise TourneyError(
            f"{place}: `{text}` is neither yes nor no", "`minor` says whether somebody is under age"
        )
    return said in _YES


def _registration(row: Row, place: str) -> Registration:
    tags = {key[4:]: _one_line(text) for key, text in row.items() if key.startswith("tag ")}
    contact = [_one_line(row[column]) for column in ("contact", "email", "phone") if column in row]
    byes, awarded = row.get("byes", ""), row.get("awarded")
    if byes.isdigit() and awarded is None:  # so many of the first rounds
        byes, awarded = "", byes
    return Registration(
        name=_registered_name(row),
        rating=_number(row.get("rating"), "rating", place),
        tags=tags,
        byes=_byes(byes, place),
        awarded=_number(awarded, "awarded", place) or 0,
        table=_number(row.get("table"), "table", place),
        contact=", ".join(contact) or None,
        late=row.get("late"),
        alias=_one_line(row["alias"]) if "alias" in row else None,
        minor=_yes(row["minor"], place) if "minor" in row else None,
        place=place,
    )


def _one_line(text: str) -> str:
    """Return a cell's lines as one: an address over two lines is one contact."""
    lines = [line.strip(" ,") for line in text.splitlines()]
    return ", ".join(filter(None, lines)) if len(lines) > 1 else text


def _registered_name(row: Row) -> str:
    return _whole_name(row) or row.get("tag nickname", "")


def _whole_name(row: Row) -> str:
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
        return parse_whole_number(text)
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
                f"{place}: byes: `{part.strip()}` is not a round and a kind",
                "`3:half-bye 5:absent`, or `2` for the first two rounds",
            )
        if int(typed[1]) in byes:
            raise TourneyError(
                f"{place}: byes: round {int(typed[1])} is named twice", "`3:half-bye 5:absent`"
            )
        byes[int(typed[1])] = typed[2].lower()
    return byes


# -- A column of decks: whole lists in its cells, or the names of files beside the list


_FILE = re.compile(r"[^\n]{1,200}\.[A-Za-z][A-Za-z0-9]{1,6}")
_LINK = re.compile(r"https?://\S+")


def _deck_column(
    columns: list[Column], rows: list[tuple[int, dict[str, str]]], reading: _Reading
) -> tuple[list[Column], list[tuple[int, dict[str, str]]]]:
    """Take a column of decks for what it is: where no cell is a list or a file, it names decks and is a tag, as ever."""
    deck = next((each for each in columns if each.becomes == "deck"), None)
    if deck is None or _folded(deck.header) in reading.given:
        return columns, rows
    cells = [row["deck"] for _, row in rows if "deck" in row]
    if any("\n" in cell or _FILE.fullmatch(cell) or _LINK.fullmatch(cell) for cell in cells):
        return columns, rows
    kind = f"tag {deck.header.lower()}"
    named = [replace(each, becomes=kind) if each is deck else each for each in columns]
    return named, [
        (number, {kind if key == "deck" else key: text for key, text in row.items()}) for number, row in rows
    ]


def _listed_decks(built: Iterable[tuple[Registration, Row, int]], reading: _Reading) -> dict[int, ListedDeck]:
    return {
        place: _listed_deck(row["deck"], player.place, reading)
        for place, (player, row, _) in enumerate(built)
        if "deck" in row
    }


def _listed_deck(cell: str, place: str, reading: _Reading) -> ListedDeck:
    if "\n" in cell:
        return ListedDeck(content=cell, place=place)
    if _LINK.fullmatch(cell):
        return ListedDeck(content="", place=place, fault="a link, not a list: nothing is fetched")
    if not _FILE.fullmatch(cell):
        return ListedDeck(content="", place=place, fault=f"`{cell[:40]}` is neither a decklist nor a file")
    try:
        content = reading.beside(cell) if reading.beside else None
    except TourneyError as fault:
        return ListedDeck(content="", place=place, fault=fault.message)
    if content is None:
        return ListedDeck(content="", place=place, fault=f"there is no file `{cell}` beside the list")
    return ListedDeck(content=content, place=cell)


# -- What other programs for tournaments write: one row of `FORMS` for each form


_Cells = dict[str, str]


@dataclass(frozen=True, slots=True)
class _Export:
    """What an export says of players. form: what it is called; rows: column → text; notes: what was passed over."""

    form: str
    rows: Sequence[_Cells]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportForm:
    """One form of export. rows: the players of a value of that form, and what is passed over; None for any other value.

    Of a form that is JSON the value is what it says, else it is the text.
    """

    called: str
    rows: Callable[[Any], tuple[list[_Cells], tuple[str, ...]] | None]
    json: bool = True


def _exported(text: str, source: str) -> _Export | None:
    """Return the players of an export, None where the text is of no form known. Raises TourneyError for one without any."""
    value: object = text
    is_json = text.lstrip()[:1] in {"[", "{"}
    if is_json:
        try:
            value = from_json(text, object, source=source)
        except TourneyError:
            return None
    for form in FORMS:
        if form.json is not is_json:
            continue
        with at_place(source):
            found = form.rows(value)
        if found is not None:
            rows, notes = found
            if not rows:
                raise TourneyError(f"{source}: {form.called}: there are no players in it")
            return _Export(form.called, rows, notes)
    return None


def _dicts(value: object) -> Iterator[Mapping[str, Any]]:
    return (each for each in value if isinstance(each, dict)) if isinstance(value, list) else iter(())


def _cells(**cells: object) -> _Cells:
    """Return the cells that say something: a text, or a number."""
    named = {column.replace("_", " "): cell for column, cell in cells.items()}
    return {
        column: str(cell).strip()
        for column, cell in named.items()
        if isinstance(cell, str | int) and not isinstance(cell, bool) and str(cell).strip()
    }


def _melee(value: Any) -> tuple[list[_Cells], tuple[str, ...]] | None:
    data = value.get("data") if isinstance(value, dict) else None
    teams = [each["Team"] for each in _dicts(data) if isinstance(each.get("Team"), dict)]
    if not teams:
        return None
    players = [list(_dicts(team.get("Players"))) for team in teams]
    if any(len(team) > 1 for team in players):
        raise TourneyError("melee's standings of teams: tourney's players play alone")
    rows = [
        _cells(name=each.get("DisplayName"), tag_nickname=each.get("Username"))
        for team in players
        for each in team
    ]
    return rows, ()


_RULE = re.compile(r"-{10,}")
_RANKED = re.compile(r"\s*\d+\s+(?P<name>.+?)(?:\s+\d+){5}\s*")
_SEATED = re.compile(r"\s*(?P<name>.+?)(?:\s{2,}\d+)?\s*")


def _eventlink(text: str) -> tuple[list[_Cells], tuple[str, ...]] | None:
    if not re.match(r"\s*EventLink\s", text):
        return None
    report = re.search(r"^Report:\s*(.+?)\s*$", text, re.MULTILINE)
    lines = {"Standings by Rank": _RANKED, "Player List": _SEATED}.get(report[1] if report else "")
    if lines is None:
        raise TourneyError(
            f"EventLink's report {report[1]} has no list of players"
            if report
            else "EventLink's text says no report",
            "`Player List` and `Standings by Rank` have one",
        )
    _, _, below = text.partition(rule[0] if (rule := _RULE.search(text)) else "\0")
    rows = []
    for line in below.lstrip("-").splitlines()[1:]:
        if not line.strip() or line.startswith("EventLink - "):
            break
        if (player := lines.fullmatch(line)) is None:
            raise TourneyError(f"EventLink's report: `{line.strip()[:60]}` is not a player's line")
        rows.append({"name": " ".join(player["name"].split())})
    return rows, ()


def _cobra(value: Any) -> tuple[list[_Cells], tuple[str, ...]] | None:
    if not (isinstance(value, dict) and value.get("uploadedFrom") == "Cobra"):
        return None
    players = list(_dicts(value.get("players"))) or list(_dicts(value.get("eliminationPlayers")))
    return [_cells(name=each.get("name")) for each in players if each.get("name")], (
        "not read: identities and results",
    )


def _topdeck(value: Any) -> tuple[list[_Cells], tuple[str, ...]] | None:
    events = [value] if isinstance(value, dict) else list(_dicts(value))
    if not events or not all(isinstance(each.get("standings"), list) for each in events):
        return None
    if len(events) > 1:
        raise TourneyError(f"TopDeck's answer has {len(events)} tournaments", "ask for one, by its TID")
    rows = [
        _cells(name=each.get("name"), deck=_topdeck_deck(each)) for each in _dicts(events[0]["standings"])
    ]
    return [row for row in rows if "name" in row], ("not read: results",)


def _topdeck_deck(standing: Mapping[str, Any]) -> str:
    """Return the list that came as zones of cards, else as text or a link; empty where there is none."""
    zones = standing.get("deckObj")
    lines = []
    for zone, cards in zones.items() if isinstance(zones, dict) else ():
        if zone == "metadata" or not isinstance(cards, dict):
            continue
        counts = {name: card.get("count") if isinstance(card, dict) else card for name, card in cards.items()}
        lines += ["", zone, *(f"{count} {name}" for name, count in counts.items())]
    if lines:
        return "\n".join(lines[1:])
    text = standing.get("decklist")
    return text if isinstance(text, str) and ("\n" in text.strip() or text.startswith("http")) else ""


def _challonge(value: Any) -> tuple[list[_Cells], tuple[str, ...]] | None:
    if isinstance(value, dict) and isinstance(value.get("tournament"), dict):
        value = value["tournament"].get("participants")
    people = [each["participant"] for each in _dicts(value) if isinstance(each.get("participant"), dict)]
    if not people:
        return None
    here = [each for each in people if each.get("active") is not False and not each.get("on_waiting_list")]
    here.sort(key=lambda each: each["seed"] if isinstance(each.get("seed"), int) else len(people))
    rows = [
        _cells(
            name=each.get("display_name")
            or each.get("name")
            or each.get("username")
            or each.get("challonge_username"),
            email=each.get("invite_email"),
        )
        for each in here
    ]
    left = len(people) - len(here)
    waiting = (f"left out: {left} not active or on the waiting list",) if left else ()
    return rows, (*waiting, "registered in the order of their seeds")


FORMS = (
    ExportForm("Cobra's tournament", _cobra),
    ExportForm("TopDeck's tournament", _topdeck),
    ExportForm("Challonge's participants", _challonge),
    ExportForm("melee's standings", _melee),
    ExportForm("EventLink's report", _eventlink, json=False),
)
"""The forms, in the order in which they are tried: no value is of two."""
