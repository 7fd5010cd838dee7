"""The XML file (`.tdf`) in which TOM, the program of Play! Pokémon, keeps a tournament.

A pod of the file is an age division, or several divisions together. The pods' rounds with the same number are
read as one round. The codes of outcomes are in `_KINDS` and `_LONE_KINDS`; code 8 is a round lost by a player
who had not arrived yet. Rounds of type 1 belong to the bracket.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from tourney.decode import check_size
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Table, parse_whole_number
from tourney.standings.reading import sheet, writing
from tourney.standings.reading.results import Results, results_of
from tourney.wording import counted

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MAX_CHARACTERS = 20_000_000
"""The maximum number of characters in a file. With 4,000 players, a file has 8 million."""

_SWISS, _BRACKET = "2", "1"
_FINISHED = "5"
_KINDS = {"0": sheet.UNREPORTED, "1": "p1", "2": "p2", "3": "draw", "10": "double-loss"}
_LONE_KINDS = {"5": "bye", "8": "assigned-loss"}
_DIVISIONS = {"0": "Junior", "1": "Senior", "2": "Masters"}
_ALL_DIVISIONS = "10"


def read(file: sheet.SourceFile) -> Results:
    """Read a tournament. Raises a TourneyError that names the file and the element."""
    root = _root(file)
    players = {}
    for at, player in enumerate(root.findall("players/player"), 1):
        number = player.get("userid", "").strip()
        if not number or number in players:
            problem = f"the userid {number} appears twice" if number else "there is no userid"
            raise file.error(f"player {at}", problem)
        players[number] = player
    swiss = file.in_order(_rounds(root, file, is_bracket=False))
    last_rounds = {number: _last_round(player, file) for number, player in players.items()}
    names: dict[sheet.Name, sheet.Name] = {
        number: _name(player) or f"player {number}" for number, player in players.items()
    }
    bracket, problem = _bracket(root, players, file)
    claims, divisions = _standings(root, players, file)
    is_over = root.get("stage") == _FINISHED and not problem
    data = root.find("data")
    division_of = {
        member: {"division": division} for division, members in divisions.items() for member in members
    }
    finalists = {name for lines in bracket.rounds for line in lines for name in line.names}
    results_sheet = sheet.ResultsSheet(
        players=names,
        rounds=swiss,
        keys=sheet.EventKeys(
            name=_text(data, "name"),
            date=_day(_text(data, "startdate")),
            drops={number: last for number, last in last_rounds.items() if last is not None},
            planned_rounds=len(swiss) if is_over else None,
            round_robin=False,
            divisions=divisions,
        ),
        # The printed places of players in the bracket come from the bracket.
        claims={number: claim for number, claim in claims.items() if number not in finalists},
        facts={number: {"contact": f"POP {number}"} | division_of.get(number, {}) for number in players},
        bracket=bracket,
        left_out=tuple(_left_out(root, problem)),
    )
    return results_of(results_sheet, file)


def _root(file: sheet.SourceFile) -> Element:
    from xml.etree.ElementTree import ParseError  # only this form needs an XML parser

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    check_size(len(file.text), source=file.source, limit=_MAX_CHARACTERS)
    try:
        # The text is encoded again because the parser decodes it by the encoding that the file declares.
        root: Element = fromstring(file.text.strip().encode(), forbid_dtd=True)
    except ParseError as error:
        problem = str(error).partition(":")[0].replace("no element found", "the file ends too early")
        raise TourneyError(
            f"{file.source}: line {error.position[0]}: not readable as XML: {problem}"
        ) from None
    except (DefusedXmlException, LookupError, ValueError):
        raise TourneyError(
            f"{file.source}: declares a document type, entities or an encoding that TOM does not write",
            "save the tournament in TOM again",
        ) from None
    if root.tag != "tournament":
        raise TourneyError(
            f"{file.source}: `{root.tag[:40]}` is not a tournament of TOM", "TOM writes `<tournament …>`"
        )
    return root


def _rounds(root: Element, file: sheet.SourceFile, *, is_bracket: bool) -> dict[int, list[sheet.MatchLine]]:
    """Return the matches of all pods by round."""
    rounds: dict[int, list[sheet.MatchLine]] = {}
    for element in root.findall("pods/pod/rounds/round"):
        if (element.get("type") == _BRACKET) is is_bracket:
            number = _whole_number(element.get("number", ""), "round", file, least=1)
            lines = rounds.setdefault(number, [])
            for match in element.findall("matches/match"):
                lines.append(_line(match, f"round {number}, match {len(lines) + 1}", file))
    return rounds


def _text(element: Element | None, name: str) -> str:
    return " ".join((element.findtext(name) or "").split()) if element is not None else ""


def _name(player: Element) -> str:
    return f"{_text(player, 'firstname')} {_text(player, 'lastname')}".strip()


def _whole_number(text: str, place: str, file: sheet.SourceFile, *, least: int) -> int:
    try:
        return parse_whole_number(text, least=least)
    except TourneyError as error:
        raise file.error(place, error.message) from None


def _last_round(player: Element, file: sheet.SourceFile) -> int | None:
    """Return the last round before the player dropped; None for a player who did not drop."""
    drop_element = player.find("dropped")
    if drop_element is None or _text(drop_element, "status") == "0":
        return None
    return _whole_number(_text(drop_element, "round"), f"dropped of {player.get('userid')}", file, least=0)


def _line(match: Element, place: str, file: sheet.SourceFile) -> sheet.MatchLine:
    outcome, table = match.get("outcome", ""), _text(match, "tablenumber")
    lone = match.find("player")
    if lone is not None:
        if outcome not in _LONE_KINDS:
            raise file.error(place, f"unknown outcome `{outcome}` of a player without an opponent")
        return sheet.MatchLine(place=place, names=(lone.get("userid", ""),), kind=_LONE_KINDS[outcome])
    seats = [match.find("player1"), match.find("player2")]
    names = tuple(seat.get("userid", "") for seat in seats if seat is not None)
    if len(names) != 2 or not all(names):
        raise file.error(place, "a match has two players")
    if outcome not in _KINDS:
        raise file.error(place, f"unknown outcome `{outcome}`")
    is_number = table.isascii() and table.isdigit() and len(table) <= 6
    return sheet.MatchLine(
        place=place, names=names, kind=_KINDS[outcome], table=int(table) if is_number else None
    )


def _standings(
    root: Element, players: Mapping[str, Element], file: sheet.SourceFile
) -> tuple[dict[sheet.Name, sheet.StandingClaim], dict[str, list[sheet.Name]]]:
    """Return player → place in the division, as the file states it, and division → its players.

    Players who did not finish or have no place are left out of the first mapping. The second mapping is empty
    if the file has fewer than two divisions.
    """
    claims: dict[sheet.Name, sheet.StandingClaim] = {}
    divisions: dict[str, list[sheet.Name]] = {}
    for pod in root.findall("standings/pod"):
        division = _DIVISIONS.get(pod.get("category", ""), "")
        for element in pod.findall("player"):
            number, place = element.get("id", ""), element.get("place", "")
            if number not in players:
                raise file.error("standings", f"there is no player with the userid {number[:20]}")
            if division:
                divisions.setdefault(division, []).append(number)
            if pod.get("type") == "finished" and place:
                rank = _whole_number(place, f"standings: player {number}", file, least=1)
                claims[number] = sheet.StandingClaim(place=rank)
    return claims, divisions if len(divisions) > 1 else {}


def _bracket(
    root: Element, players: Mapping[str, Element], file: sheet.SourceFile
) -> tuple[sheet.BracketLines, str]:
    """Return the bracket and an empty text, or an empty bracket and why it is left out."""
    pods = [
        pod
        for pod in root.findall("pods/pod")
        if any(element.get("type") == _BRACKET for element in pod.findall("rounds/round"))
    ]
    if len(pods) > 1:
        return (
            sheet.BracketLines(),
            f"{len(pods)} brackets, one for each division, because an event here has only one",
        )
    if not pods:
        return sheet.BracketLines(), ""
    by_number = _rounds(root, file, is_bracket=True)
    rounds = [by_number[number] for number in sorted(by_number)]
    seeds: dict[sheet.Name, int] = {
        number: int(seed[:6])
        for number, player in players.items()
        if (seed := _text(player, "seed")).isdecimal()
    }
    entrants = {name for line in rounds[0] for name in line.names}
    order = sorted(entrants & seeds.keys(), key=seeds.__getitem__)
    if len({seeds[name] for name in order}) < len(entrants):
        order = []  # the file does not give all seeds
    third_place = _text(pods[0].find("poddata"), "playoff3rd4th") == "true"
    return sheet.BracketLines(rounds=rounds, seeds=order, third_place=third_place), ""


def _day(text: str) -> datetime.date | None:
    try:
        month, day, year = map(int, text.split("/"))
        return datetime.date(year, month, day)
    except ValueError:
        return None


def _left_out(root: Element, problem: str) -> Iterator[str]:
    births = sum(bool(_text(player, "birthdate")) for player in root.findall("players/player"))
    if births:
        yield f"dates of birth ({counted(births, 'player')})"
    organizer = root.find("data/organizer")
    if organizer is not None and organizer.get("name"):
        yield "the organizer"
    if _text(root.find("data"), "id"):
        yield "the sanction number"
    if problem:
        yield problem


# -- Writing


_KEPT = frozenset(
    ["players", "double losses", "open", "name", "day", "tables", "drops", "divisions", "playoff"]
)
_FIRST_USERID = 9_000_000
"""The number that is added to a player's number to make a userid for a player without one."""


def write(results: Results) -> writing.WrittenFile:
    """Write an event as a file of TOM. Raises TourneyError for tables of three or more."""
    writing.refuse_large_tables(results, "TOM")
    record = results.record
    users = {player: _userid(player, results) for player in record.players}
    is_paired = bool(record.rounds) and record.planned_rounds == len(record.rounds)
    is_finished = is_paired and all(table.result for tables in record.rounds for table in tables)
    day = results.day.strftime("%m/%d/%Y") if results.day else ""
    root = _element(
        "tournament",
        [
            _element("data", [_leaf("name", results.title), _leaf("id"), _leaf("startdate", day)]),
            _leaf("timeelapsed", "0"),
            _element("players", [_player(player, users, results) for player in record.players]),
            _element("pods", [_pod(users, results)]),
            *([_element("standings", _places(users, results))] if is_finished else []),
            _element("finalsoptions"),
        ],
        type="2",
        stage=_FINISHED if is_finished else "4",
        version="1.80",
        gametype="TRADING_CARD_GAME",
        mode="CUSTOM",
    )
    lost_facts = [
        *writing.lost_facts(
            results, _KEPT | ({"planned"} if is_finished else set()), writable_kinds={"contact"}
        )
    ]
    if not set(results.divisions) <= set(_DIVISIONS.values()):
        lost_facts.append("divisions other than Junior, Senior and Masters")
    lost_facts.append("dates of birth, which TOM requires")
    return writing.WrittenFile(f'<?xml version="1.0" encoding="UTF-8"?>\n{root}\n', tuple(lost_facts))


def _element(tag: str, children: Iterable[str] = (), **attributes: str) -> str:
    """Return an XML element as text, with its children indented, one to a line, as in TOM."""
    start = "".join([f"<{tag}", *(f" {name}={quoteattr(value)}" for name, value in attributes.items())])
    inside = [f"\t{line}" for child in children for line in child.split("\n")]
    return "\n".join([f"{start}>", *inside, f"</{tag}>"])


def _leaf(tag: str, text: str = "") -> str:
    return f"<{tag}>{escape(text)}</{tag}>"


def _userid(player: PlayerId, results: Results) -> str:
    contact = results.facts.get(player, {}).get("contact", "")
    number = contact.removeprefix("POP ")
    is_own = contact.startswith("POP ") and number.isascii() and number.isdigit()
    return number if is_own else str(_FIRST_USERID + player)


def _player(player: PlayerId, users: Mapping[PlayerId, str], results: Results) -> str:
    first, _, last = str(results.names[player]).rpartition(" ")
    seeds = results.playoff.seeds if results.playoff else ()
    seed = [_leaf("seed", str(seeds.index(player) + 1))] if player in seeds else []
    drop_elements = []
    if player in results.record.drops:
        last_round = str(results.record.drops[player])
        drop_elements = [_element("dropped", [_leaf("status", "1"), _leaf("round", last_round)])]
    return _element(
        "player",
        [
            _leaf("firstname", first or last),
            _leaf("lastname", last if first else ""),
            _leaf("birthdate"),
            _leaf("starter", "true"),
            *seed,
            *drop_elements,
        ],
        userid=users[player],
    )


def _pod(users: Mapping[PlayerId, str], results: Results) -> str:
    record, playoff = results.record, results.playoff
    swiss = list(writing.rounds_of(record))
    rounds = [_round(number, _SWISS, tables, users) for number, tables in enumerate(swiss, 1)]
    for number, tables in enumerate(playoff.rounds if playoff else (), len(swiss) + 1):
        rounds.append(_round(number, _BRACKET, list(tables), users))
    members = [f"<player userid={quoteattr(users[player])} />" for player in record.players]
    third_place = str(bool(playoff and playoff.third_place)).lower()
    return _element(
        "pod",
        [
            _element("poddata", [_leaf("playoff3rd4th", third_place)]),
            _element("subgroups", [_element("subgroup", [_element("players", members)], number="1")]),
            _element("rounds", rounds),
        ],
        category=_ALL_DIVISIONS,
        stage="2",
    )


def _round(number: int, kind: str, tables: list[Table], users: Mapping[PlayerId, str]) -> str:
    stage = "6" if all(table.result for table in tables) else "4"
    matches = _element("matches", [_match(table, users) for table in tables])
    return _element("round", [matches], number=str(number), type=kind, stage=stage)


def _match(table: Table, users: Mapping[PlayerId, str]) -> str:
    is_alone = len(table.seats) == 1
    tags = ("player",) if is_alone else ("player1", "player2")
    players = [
        f"<{tag} userid={quoteattr(users[player])}/>" for tag, player in zip(tags, table.seats, strict=True)
    ]
    number = 0 if is_alone else table.number
    return _element("match", [*players, _leaf("tablenumber", str(number))], outcome=_outcome(table))


def _outcome(table: Table) -> str:
    if len(table.seats) == 1:
        return "8" if writing.lone_outcome(table) is Outcome.FORFEIT_LOSS else "5"
    if table.result is None:
        return "0"
    winners = writing.winner_seats(table)
    if winners:
        return str(winners[0] + 1)
    return "3" if any(seat.outcome is Outcome.DRAW for seat in table.result.seats) else "10"


def _places(users: Mapping[PlayerId, str], results: Results) -> Iterator[str]:
    """Yield the places of each division, as TOM prints them.

    Without divisions, yield the places of all players.
    """
    codes = {division: code for code, division in _DIVISIONS.items()}
    is_known = bool(results.divisions) and results.divisions.keys() <= codes.keys()
    divisions = results.divisions if is_known else {"Masters": results.record.players}
    places = {player: claim.place for player, claim in results.claims.items() if claim.place}
    for division, members in divisions.items():
        ranked_players = sorted(places.keys() & set(members), key=lambda player: (places[player], player))
        lines = [
            f'<player id={quoteattr(users[player])} place="{place}" />'
            for place, player in enumerate(ranked_players, 1)
        ]
        yield _element("pod", lines, category=codes[division], type="finished")
