"""The XML file (`.tdf`) in which TOM, the program of Play! Pokémon, keeps a tournament.

Pods are age divisions, or several divisions together; all rounds with the same number are one round here.
The codes of outcomes are in `_KINDS` and `_LONE_KINDS`; 8 is a round lost by a player who was not there
yet. Rounds of type 1 belong to the bracket.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from tourney.decode import MAX_ROUNDS, check_size
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Table, parse_whole_number
from tourney.standings.reading import writing
from tourney.standings.reading.draft import UNREPORTED, EventKeys, MatchLine, ResultsDraft, bracket_table
from tourney.standings.reading.forms import SourceFile
from tourney.standings.reading.results import Name, Playoff, Results, StandingClaim
from tourney.wording import counted

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MAX_CHARACTERS = 20_000_000
"""The maximum number of characters in a file. A file of 4,000 players has 8 million."""

_SWISS, _BRACKET = "2", "1"
_FINISHED = "5"
_KINDS = {"0": UNREPORTED, "1": "p1", "2": "p2", "3": "draw", "10": "double-loss"}
_LONE_KINDS = {"5": "bye", "8": "assigned-loss"}
_DIVISIONS = {"0": "Junior", "1": "Senior", "2": "Masters"}
_ALL_DIVISIONS = "10"


def read(file: SourceFile) -> Results:
    """Read a tournament. Raises TourneyError naming the file and the element."""
    root = _root(file)
    players = {}
    for at, player in enumerate(root.findall("players/player"), 1):
        number = player.get("userid", "").strip()
        if not number or number in players:
            problem = f"the userid {number} is there twice" if number else "there is no userid"
            raise file.error(f"player {at}", problem)
        players[number] = player
    swiss = _rounds(root, file, is_bracket=False)
    bracket = _rounds(root, file, is_bracket=True)
    if sorted(swiss) != list(range(1, len(swiss) + 1)):
        raise file.error("pods", f"the rounds are {', '.join(map(str, sorted(swiss)))} instead of 1, 2, 3 …")
    last_rounds = {number: _last_round(player, file) for number, player in players.items()}
    drops = {number: last for number, last in last_rounds.items() if last is not None}
    names: dict[Name, Name] = {
        number: _name(player) or f"player {number}" for number, player in players.items()
    }
    draft = ResultsDraft(file.source, names, EventKeys(drops=drops, round_robin=False))
    draft.add_rounds(_lines(number, swiss[number], file) for number in sorted(swiss))
    results, ids = draft.results(), draft.ids
    claims, divisions = _standings(root, draft)
    playoff, problem = _playoff(root, bracket, players, draft, file)
    is_over = root.get("stage") == _FINISHED and not problem
    data = root.find("data")
    return replace(
        results,
        record=replace(results.record, planned_rounds=len(swiss) if is_over else None),
        title=_text(data, "name"),
        day=_day(_text(data, "startdate")),
        claims={
            player: claim
            for player, claim in claims.items()
            if playoff is None or player not in playoff.players
        },
        divisions=divisions,
        facts={
            ids[number]: {"contact": f"POP {number}", **_division(ids[number], divisions)}
            for number in players
        },
        playoff=playoff,
        left_out=tuple(_left_out(root, problem)),
    )


def _root(file: SourceFile) -> Element:
    from xml.etree.ElementTree import ParseError  # only this form needs an XML parser

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    check_size(len(file.text), source=file.source, limit=_MAX_CHARACTERS)
    try:
        # Encoded again: the parser would look for the declared encoding, but the text is decoded already.
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


def _rounds(root: Element, file: SourceFile, *, is_bracket: bool) -> dict[int, list[Element]]:
    """Return the rounds of all pods by number."""
    rounds: dict[int, list[Element]] = {}
    for element in root.findall("pods/pod/rounds/round"):
        if (element.get("type") == _BRACKET) is is_bracket:
            number = _whole_number(element.get("number", ""), "round", file, least=1)
            rounds.setdefault(number, []).append(element)
    return rounds


def _text(element: Element | None, name: str) -> str:
    return " ".join((element.findtext(name) or "").split()) if element is not None else ""


def _name(player: Element) -> str:
    return f"{_text(player, 'firstname')} {_text(player, 'lastname')}".strip()


def _whole_number(text: str, place: str, file: SourceFile, *, least: int) -> int:
    try:
        value = parse_whole_number(text, least=least)
    except TourneyError as error:
        raise file.error(place, error.message) from None
    if value > MAX_ROUNDS:
        raise file.error(place, f"{value} is not a round")
    return value


def _last_round(player: Element, file: SourceFile) -> int | None:
    """Return the last round before a player dropped; None for a player who did not drop."""
    dropped = player.find("dropped")
    if dropped is None or _text(dropped, "status") == "0":
        return None
    return _whole_number(_text(dropped, "round"), f"dropped of {player.get('userid')}", file, least=0)


def _lines(number: int, rounds: Iterable[Element], file: SourceFile) -> Iterator[MatchLine]:
    matches = (match for element in rounds for match in element.findall("matches/match"))
    for at, match in enumerate(matches, 1):
        yield _line(match, f"round {number}, match {at}", file)


def _line(match: Element, place: str, file: SourceFile) -> MatchLine:
    outcome, table = match.get("outcome", ""), _text(match, "tablenumber")
    lone = match.find("player")
    if lone is not None:
        if outcome not in _LONE_KINDS:
            raise file.error(place, f"unknown outcome `{outcome}` of a player without an opponent")
        return MatchLine(place=place, names=(lone.get("userid", ""),), kind=_LONE_KINDS[outcome])
    seats = [match.find("player1"), match.find("player2")]
    names = tuple(seat.get("userid", "") for seat in seats if seat is not None)
    if len(names) != 2 or not all(names):
        raise file.error(place, "a match has two players")
    if outcome not in _KINDS:
        raise file.error(place, f"unknown outcome `{outcome}`")
    is_number = table.isascii() and table.isdigit() and len(table) <= 6
    return MatchLine(place=place, names=names, kind=_KINDS[outcome], table=int(table) if is_number else None)


def _standings(
    root: Element, draft: ResultsDraft
) -> tuple[dict[PlayerId, StandingClaim], dict[str, tuple[PlayerId, ...]]]:
    """Return the printed places, which are by division, and the players of several divisions."""
    claims: dict[PlayerId, StandingClaim] = {}
    divisions: dict[str, list[PlayerId]] = {}
    for pod in root.findall("standings/pod"):
        division = _DIVISIONS.get(pod.get("category", ""), "")
        for element in pod.findall("player"):
            number = element.get("id", "")
            if number not in draft.ids:
                raise draft.error("standings", f"there is no player with the userid {number[:20]}")
            player, place = draft.ids[number], element.get("place", "")
            if division:
                divisions.setdefault(division, []).append(player)
            if pod.get("type") == "finished" and place:
                claims[player] = StandingClaim(place=parse_whole_number(place, least=1))
    if len(divisions) < 2:
        return claims, {}
    return claims, {division: tuple(members) for division, members in divisions.items()}


def _division(player: PlayerId, divisions: Mapping[str, tuple[PlayerId, ...]]) -> dict[str, str]:
    name = next((name for name, members in divisions.items() if player in members), None)
    return {"division": name} if name else {}


def _playoff(
    root: Element,
    rounds: Mapping[int, list[Element]],
    players: Mapping[str, Element],
    draft: ResultsDraft,
    file: SourceFile,
) -> tuple[Playoff | None, str]:
    """Return the bracket, or None and the reason why it cannot be used."""
    pods = [
        pod
        for pod in root.findall("pods/pod")
        if any(element.get("type") == _BRACKET for element in pod.findall("rounds/round"))
    ]
    if len(pods) > 1:
        return None, f"{len(pods)} brackets, one for each division: an event here has one"
    if not pods:
        return None, ""
    bracket_rounds = []
    for number in sorted(rounds):
        tables: list[Table] = []
        for line in _lines(number, rounds[number], file):
            if len(line.names) == 2 and not set(line.names) <= draft.ids.keys():
                raise file.error(line.place, "there is no such player")
            table = bracket_table(line, len(tables) + 1, draft.ids)
            if table is None:
                return None, f"its bracket: round {number} has a match without two players or a winner"
            tables.append(table)
        bracket_rounds.append(tuple(tables))
    seeds = {
        draft.ids[number]: int(seed[:6])
        for number, player in players.items()
        if (seed := _text(player, "seed")).isdecimal()
    }
    entrants = {player for table in bracket_rounds[0] for player in table.seats}
    order = sorted(entrants & seeds.keys(), key=lambda player: (seeds[player], player))
    if len({seeds[player] for player in order}) < len(entrants):
        order = []  # the file does not give all seeds
    third_place = _text(pods[0].find("poddata"), "playoff3rd4th") == "true"
    return Playoff(seeds=tuple(order), rounds=tuple(bracket_rounds), third_place=third_place), ""


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
        yield "the number of its sanction"
    if problem:
        yield problem


# -- Writing


_KEPT = frozenset(
    ["players", "double losses", "open", "name", "day", "tables", "drops", "divisions", "playoff"]
)
_FIRST_USERID = 9_000_000
"""The number added to a player's number to make a userid.

It is for players without a Play! Pokémon number.
"""


def write(results: Results) -> writing.Written:
    """Write an event as TOM keeps it. Raises TourneyError for tables of three or more."""
    writing.refuse_large_tables(results, "TOM")
    record = results.record
    users = {player: _userid(player, results) for player in record.players}
    is_finished = bool(record.rounds) and record.planned_rounds == len(record.rounds)
    is_finished = is_finished and all(table.result for tables in record.rounds for table in tables)
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
    lost = [
        *writing.lost_facts(results, _KEPT | ({"planned"} if is_finished else set()), kept_facts={"contact"})
    ]
    if not set(results.divisions) <= set(_DIVISIONS.values()):
        lost.append("divisions other than Junior, Senior and Masters")
    lost.append("dates of birth, which TOM requires")
    return writing.Written(f'<?xml version="1.0" encoding="UTF-8"?>\n{root}\n', tuple(lost))


def _element(tag: str, children: Iterable[str] = (), **attributes: str) -> str:
    """Return an element with its children indented, one on a line, as TOM writes it."""
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
    dropped = []
    if player in results.record.drops:
        last_round = str(results.record.drops[player])
        dropped = [_element("dropped", [_leaf("status", "1"), _leaf("round", last_round)])]
    return _element(
        "player",
        [
            _leaf("firstname", first or last),
            _leaf("lastname", last if first else ""),
            _leaf("birthdate"),
            _leaf("starter", "true"),
            *seed,
            *dropped,
        ],
        userid=users[player],
    )


def _pod(users: Mapping[PlayerId, str], results: Results) -> str:
    record, playoff = results.record, results.playoff
    rounds = [
        _round(number, _SWISS, tables, [player for player, _ in byes], users)
        for number, tables, byes in writing.numbered_rounds(record)
    ]
    for number, tables in enumerate(playoff.rounds if playoff else (), len(record.rounds) + 1):
        rounds.append(_round(number, _BRACKET, tables, [], users))
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


def _round(
    number: int, kind: str, tables: tuple[Table, ...], byes: list[PlayerId], users: Mapping[PlayerId, str]
) -> str:
    matches = []
    for table in tables:
        if len(table.seats) == 1:
            is_loss = table.result is not None and table.result.seats[0].outcome is Outcome.FORFEIT_LOSS
            matches.append(_match("8" if is_loss else "5", {"player": table.seats[0]}, 0, users))
        else:
            seats = {"player1": table.seats[0], "player2": table.seats[1]}
            matches.append(_match(_outcome(table), seats, table.number, users))
    matches += [_match("5", {"player": player}, 0, users) for player in byes]
    stage = "6" if all(table.result for table in tables) else "4"
    return _element("round", [_element("matches", matches)], number=str(number), type=kind, stage=stage)


def _match(outcome: str, seats: Mapping[str, PlayerId], table: int, users: Mapping[PlayerId, str]) -> str:
    players = [f"<{tag} userid={quoteattr(users[player])}/>" for tag, player in seats.items()]
    return _element("match", [*players, _leaf("tablenumber", str(table))], outcome=outcome)


def _outcome(table: Table) -> str:
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
        ranked = sorted(places.keys() & set(members), key=lambda player: (places[player], player))
        lines = [
            f'<player id={quoteattr(users[player])} place="{place}" />'
            for place, player in enumerate(ranked, 1)
        ]
        yield _element("pod", lines, category=codes[division], type="finished")
