"""A tournament of Play! Pokémon as its program, TOM, keeps it (`.tdf`): XML.

Pods are age divisions, or several of them together; all rounds of one number are one round here. Outcomes: 0 plays on,
1 and 2 a win of that seat, 3 a tie, 5 a bye, 8 a round lost by whoever was not there yet, 10 a double loss. Rounds of type
1 are the bracket's.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from tourney.decode import MAX_ROUNDS, check_size
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Table, parse_whole_number
from tourney.standings.reading.forms import Told, Written, lost, refuse_large_tables, rounds_of
from tourney.standings.reading.results import (
    Beside,
    MatchLine,
    Playoff,
    Results,
    ResultsDraft,
    StandingClaim,
    knockout,
)
from tourney.wording import counted

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MOST_LETTERS = 20_000_000
"""Of a file: an event of 4,000 players has 8 million."""

_BRACKET = "1"
_FINISHED = "5"
_OUTCOMES = {"0": "unreported", "1": "p1", "2": "p2", "3": "draw", "10": "double-loss"}
_ALONE = {"5": "bye", "8": "assigned-loss"}
_DIVISIONS = {"0": "Junior", "1": "Senior", "2": "Masters"}
_EVERYBODY = "10"


def read(told: Told) -> Results:
    """Read a tournament. Raises TourneyError naming the file and the element."""
    root = _parsed(told)
    players = {}
    for at, each in enumerate(root.findall("players/player"), 1):
        number = each.get("userid", "").strip()
        if not number or number in players:
            raise told.fault(
                f"player {at}", f"the userid {number} is there twice" if number else "there is no userid"
            )
        players[number] = each
    pods = root.findall("pods/pod")
    rounds: dict[int, list[Element]] = {}
    brackets: dict[int, list[Element]] = {}
    for pod in pods:
        for each in pod.findall("rounds/round"):
            kind = brackets if each.get("type") == _BRACKET else rounds
            kind.setdefault(_number(each.get("number", ""), "round", told), []).append(each)
    if sorted(rounds) != list(range(1, len(rounds) + 1)):
        raise told.fault("pods", f"its rounds are {', '.join(map(str, sorted(rounds)))}, and not 1, 2, 3 …")
    drops = {number: last for number, each in players.items() if (last := _dropped(each, told)) is not None}
    draft = ResultsDraft(told.source, players, Beside(drops=drops))
    for at_round in sorted(rounds):
        draft.open_round()
        for at, match in enumerate(
            match for each in rounds[at_round] for match in each.findall("matches/match")
        ):
            draft.add(_line(match, f"round {at_round}, match {at + 1}", told))
    results = draft.results()
    ids = {str(name): player for name, player in draft.ids.items()}
    claims, divisions = _standings(root, ids, told)
    playoff, why = _playoff(pods, brackets, players, ids, told)
    finished = root.get("stage") == _FINISHED
    data = root.find("data")
    return replace(
        results,
        record=replace(
            results.record, planned_rounds=len(rounds) if finished and not why else None, round_robin=False
        ),
        names={ids[number]: _name(each) or f"player {number}" for number, each in players.items()},
        title=_text(data, "name"),
        day=_day(_text(data, "startdate")),
        claims={
            player: claim
            for player, claim in claims.items()
            if playoff is None or player not in playoff.players
        },
        divisions=divisions,
        facts=_facts(ids, divisions),
        playoff=playoff,
        left_out=tuple(_left_out(root, why)),
    )


def _parsed(told: Told) -> Element:
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    check_size(len(told.text), source=told.source, limit=_MOST_LETTERS)
    try:
        # A declared encoding is that of the bytes, which are text already.
        root: Element = fromstring(told.text.strip().encode(), forbid_dtd=True)
    except ParseError as fault:
        why = str(fault).partition(":")[0].replace("no element found", "it breaks off")
        raise TourneyError(f"{told.source}: line {fault.position[0]}: not readable as XML: {why}") from None
    except (DefusedXmlException, LookupError, ValueError):
        raise TourneyError(
            f"{told.source}: declares a document type, entities or an encoding that is none of TOM's",
            "save the tournament in TOM again",
        ) from None
    if root.tag != "tournament":
        raise TourneyError(
            f"{told.source}: `{root.tag[:40]}` is no tournament of TOM", "TOM writes `<tournament …>`"
        )
    return root


def _text(element: Element | None, name: str) -> str:
    return " ".join((element.findtext(name) or "").split()) if element is not None else ""


def _name(player: Element) -> str:
    return f"{_text(player, 'firstname')} {_text(player, 'lastname')}".strip()


def _number(text: str, place: str, told: Told, least: int = 1) -> int:
    try:
        value = parse_whole_number(text, least=least)
    except TourneyError as fault:
        raise told.fault(place, fault.message) from None
    if value > MAX_ROUNDS:
        raise told.fault(place, f"{value} is no round")
    return value


def _dropped(player: Element, told: Told) -> int | None:
    dropped = player.find("dropped")
    if dropped is None or _text(dropped, "status") == "0":
        return None
    return _number(_text(dropped, "round"), f"dropped of {player.get('userid')}", told, least=0)


def _line(match: Element, place: str, told: Told) -> MatchLine:
    outcome = match.get("outcome", "")
    table = _text(match, "tablenumber")
    number = int(table) if table.isascii() and table.isdigit() and len(table) <= 6 else None
    alone = match.find("player")
    if alone is not None:
        if outcome not in _ALONE:
            raise told.fault(place, f"the outcome `{outcome}` of a player alone is not known")
        return MatchLine(place=place, first=alone.get("userid", ""), second=None, kind=_ALONE[outcome])
    seats = [match.find("player1"), match.find("player2")]
    named = [seat.get("userid", "") for seat in seats if seat is not None]
    if len(named) != 2 or not all(named):
        raise told.fault(place, "a match has two players")
    if outcome not in _OUTCOMES:
        raise told.fault(place, f"the outcome `{outcome}` is not known")
    return MatchLine(place=place, first=named[0], second=named[1], kind=_OUTCOMES[outcome], table=number)


def _standings(
    root: Element, ids: Mapping[str, PlayerId], told: Told
) -> tuple[dict[PlayerId, StandingClaim], dict[str, tuple[PlayerId, ...]]]:
    """Return the printed places, and the divisions where there are several: places are those of a division then."""
    claims: dict[PlayerId, StandingClaim] = {}
    divisions: dict[str, list[PlayerId]] = {}
    for pod in root.findall("standings/pod"):
        division = _DIVISIONS.get(pod.get("category", ""), "")
        for each in pod.findall("player"):
            number = each.get("id", "")
            if number not in ids:
                raise told.fault("standings", f"there is no player with the userid {number[:20]}")
            if division:
                divisions.setdefault(division, []).append(ids[number])
            place = each.get("place", "")
            if pod.get("type") == "finished" and place:
                claims[ids[number]] = StandingClaim(place=parse_whole_number(place, least=1))
    several = {division: tuple(who) for division, who in divisions.items()} if len(divisions) > 1 else {}
    return claims, several


def _playoff(
    pods: list[Element],
    brackets: Mapping[int, list[Element]],
    players: Mapping[str, Element],
    ids: Mapping[str, PlayerId],
    told: Told,
) -> tuple[Playoff | None, str]:
    """Return the bracket, or why there is none to be taken."""
    if not brackets:
        return None, ""
    cut = [pod for pod in pods if any(each.get("type") == _BRACKET for each in pod.findall("rounds/round"))]
    if len(cut) > 1:
        return None, f"{len(cut)} brackets, one for each division: an event has one here"
    rounds = []
    for number in sorted(brackets):
        tables = []
        for at, match in enumerate(brackets[number][0].findall("matches/match"), 1):
            line = _line(match, f"round {number}, match {at}", told)
            if (
                line.second is None
                or line.kind not in {"p1", "p2", "unreported"}
                or line.first == line.second
            ):
                return None, f"its bracket: round {number} has a match without two players or a winner"
            if str(line.first) not in ids or str(line.second) not in ids:
                raise told.fault(line.place, "there is no such player")
            won = {"p1": 0, "p2": 1}.get(line.kind)
            tables.append(knockout(at, (ids[str(line.first)], ids[str(line.second)]), won))
        rounds.append(tuple(tables))
    playing = {player for table in rounds[0] for player in table.seats}
    seeds = {
        ids[number]: _text(each, "seed") for number, each in players.items() if _text(each, "seed").isdigit()
    }
    order = sorted(
        (player for player in seeds if player in playing), key=lambda each: (int(seeds[each][:6]), each)
    )
    if len(order) != len(playing) or len({seeds[each] for each in order}) < len(order):
        order = []  # the file does not say who had which seed
    third = _text(cut[0].find("poddata"), "playoff3rd4th") == "true"
    return Playoff(seeds=tuple(order), rounds=tuple(rounds), third_place=third), ""


def _facts(
    ids: Mapping[str, PlayerId], divisions: Mapping[str, tuple[PlayerId, ...]]
) -> dict[PlayerId, dict[str, str]]:
    facts = {player: {"contact": f"POP {number}"} for number, player in ids.items()}
    for division, members in divisions.items():
        for player in members:
            facts[player]["division"] = division
    return facts


def _day(text: str) -> datetime.date | None:
    try:
        month, day, year = map(int, text.split("/"))
        return datetime.date(year, month, day)
    except ValueError:
        return None


def _left_out(root: Element, why: str) -> Iterator[str]:
    born = sum(bool(_text(each, "birthdate")) for each in root.findall("players/player"))
    if born:
        yield f"dates of birth ({counted(born, 'player')})"
    organizer = root.find("data/organizer")
    if organizer is not None and organizer.get("name"):
        yield "the organizer"
    if _text(root.find("data"), "id"):
        yield "the number of its sanction"
    if why:
        yield why


# -- Back to a file


_HOLDS = frozenset(
    ["players", "double losses", "open", "name", "day", "tables", "drops", "divisions", "playoff"]
)
_FIRST_MADE_UP = 9_000_000
"""The number before those of players who have none at Play! Pokémon."""


def write(results: Results) -> Written:
    """Write an event as TOM keeps it. Raises TourneyError for tables of more than two."""
    refuse_large_tables(results, "TOM")
    record, name = results.record, results.names
    user = {player: _user(player, results) for player in record.players}
    finished = bool(record.rounds) and record.planned_rounds == len(record.rounds)
    finished = finished and all(table.result for tables in record.rounds for table in tables)
    seeds = {player: seed for seed, player in enumerate(results.playoff.seeds if results.playoff else (), 1)}
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<tournament type="2" stage="{_FINISHED if finished else 4}" version="1.80" gametype="TRADING_CARD_GAME" mode="CUSTOM">',
        "\t<data>",
        f"\t\t<name>{escape(results.title)}</name>",
        "\t\t<id></id>",
        f"\t\t<startdate>{results.day.strftime('%m/%d/%Y') if results.day else ''}</startdate>",
        "\t</data>",
        "\t<timeelapsed>0</timeelapsed>",
        "\t<players>",
    ]
    for player in record.players:
        first, _, last = str(name[player]).rpartition(" ")
        lines += [
            f"\t\t<player userid={quoteattr(user[player])}>",
            f"\t\t\t<firstname>{escape(first or last)}</firstname>",
            f"\t\t\t<lastname>{escape(last if first else '')}</lastname>",
            "\t\t\t<birthdate></birthdate>",
            "\t\t\t<starter>true</starter>",
            *([f"\t\t\t<seed>{seeds[player]}</seed>"] if player in seeds else []),
            *_dropped_written(record.drops.get(player)),
            "\t\t</player>",
        ]
    lines += [
        "\t</players>",
        "\t<pods>",
        f'\t\t<pod category="{_EVERYBODY}" stage="2">',
        *_pod(results, user),
    ]
    lines += ["\t\t</pod>", "\t</pods>"]
    if finished:
        lines += ["\t<standings>", *_places(results, user), "\t</standings>"]
    lines += ["\t<finalsoptions>", "\t</finalsoptions>", "</tournament>", ""]
    return Written("\n".join(lines), tuple(_lost(results)))


def _user(player: PlayerId, results: Results) -> str:
    contact = results.facts.get(player, {}).get("contact", "")
    number = contact.removeprefix("POP ")
    return (
        number
        if contact.startswith("POP ") and number.isascii() and number.isdigit()
        else str(_FIRST_MADE_UP + player)
    )


def _dropped_written(last: int | None) -> list[str]:
    if last is None:
        return []
    return [
        "\t\t\t<dropped>",
        "\t\t\t\t<status>1</status>",
        f"\t\t\t\t<round>{last}</round>",
        "\t\t\t</dropped>",
    ]


def _pod(results: Results, user: Mapping[PlayerId, str]) -> Iterator[str]:
    record, playoff = results.record, results.playoff
    third = str(bool(playoff and playoff.third_place)).lower()
    yield f"\t\t\t<poddata>\n\t\t\t\t<playoff3rd4th>{third}</playoff3rd4th>\n\t\t\t</poddata>"
    yield '\t\t\t<subgroups>\n\t\t\t\t<subgroup number="1">\n\t\t\t\t\t<players>'
    yield from (f"\t\t\t\t\t\t<player userid={quoteattr(user[player])} />" for player in record.players)
    yield "\t\t\t\t\t</players>\n\t\t\t\t</subgroup>\n\t\t\t</subgroups>\n\t\t\t<rounds>"
    for number, tables, byes in rounds_of(record):
        yield from _round(number, "2", tables, [player for player, _ in byes], user)
    for at, tables in enumerate(playoff.rounds if playoff else (), len(record.rounds) + 1):
        yield from _round(at, _BRACKET, tables, [], user)
    yield "\t\t\t</rounds>"


def _round(
    number: int, kind: str, tables: tuple[Table, ...], byes: list[PlayerId], user: Mapping[PlayerId, str]
) -> Iterator[str]:
    done = 6 if all(table.result for table in tables) else 4
    yield f'\t\t\t\t<round number="{number}" type="{kind}" stage="{done}" >\n\t\t\t\t\t<matches>'
    for table in tables:
        if len(table.seats) == 1:
            lost_it = table.result is not None and table.result.seats[0].outcome is Outcome.FORFEIT_LOSS
            yield from _match("8" if lost_it else "5", {"player": user[table.seats[0]]}, 0)
        else:
            seats = {f"player{seat}": user[player] for seat, player in enumerate(table.seats, 1)}
            yield from _match(_outcome(table), seats, table.number)
    for player in byes:
        yield from _match("5", {"player": user[player]}, 0)
    yield "\t\t\t\t\t</matches>\n\t\t\t\t</round>"


def _match(outcome: str, seats: Mapping[str, str], table: int) -> Iterator[str]:
    yield f'\t\t\t\t\t\t<match outcome="{outcome}">'
    yield from (f"\t\t\t\t\t\t\t<{tag} userid={quoteattr(number)}/>" for tag, number in seats.items())
    yield f"\t\t\t\t\t\t\t<tablenumber>{table}</tablenumber>\n\t\t\t\t\t\t</match>"


def _outcome(table: Table) -> str:
    if table.result is None:
        return "0"
    won = [seat.outcome in {Outcome.WIN, Outcome.FORFEIT_WIN} for seat in table.result.seats]
    if any(won):
        return "1" if won[0] else "2"
    drawn = any(seat.outcome is Outcome.DRAW for seat in table.result.seats)
    return "3" if drawn else "10"


def _places(results: Results, user: Mapping[PlayerId, str]) -> Iterator[str]:
    """Give the places of each division by itself, as TOM prints them; of everybody where there are none."""
    codes = {division: code for code, division in _DIVISIONS.items()}
    known = all(division in codes for division in results.divisions)
    divisions = results.divisions if results.divisions and known else {"Masters": results.record.players}
    for division, members in divisions.items():
        yield f'\t\t<pod category="{codes[division]}" type="finished">'
        ranked = [player for player in members if player in results.claims and results.claims[player].place]
        ranked.sort(key=lambda player: (results.claims[player].place or 0, player))
        yield from (
            f'\t\t\t<player id={quoteattr(user[player])} place="{at}" />'
            for at, player in enumerate(ranked, 1)
        )
        yield "\t\t</pod>"


def _lost(results: Results) -> Iterator[str]:
    over = results.record.planned_rounds == len(results.record.rounds)
    yield from lost(results, _HOLDS | ({"planned"} if over else set()), facts={"contact"})
    if not all(division in _DIVISIONS.values() for division in results.divisions):
        yield "divisions other than Junior, Senior and Masters"
    yield "dates of birth, which TOM asks for: there are none here"
