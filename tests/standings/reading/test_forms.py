"""Every form is read back to the same event, and a file's standings are compared."""

import csv
import json
import random
import sys
from datetime import date
from fractions import Fraction
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, lists, text
from msgspec.structs import replace

from tests.kit import with_rows
from tests.standings.fields import pods_record, random_record, records
from tests.standings.profiles import shipped
from tourney.cards import fold
from tourney.errors import TourneyError
from tourney.record import Outcome, PlayerId, Result, Seat, Table
from tourney.standings import rank
from tourney.standings.reading import (
    FORMS,
    EventForm,
    Playoff,
    Results,
    StandingClaim,
    WrittenFile,
    first_difference,
    forms,
    read_results,
)

WRITTEN = [form.name for form in FORMS if form.writes]


def event(record, **more):
    """Return an event of that record, with players named by their numbers."""
    names = {player: f"Invented {'ABCDEFGHIJKLMNOP'[player]}" for player in record.players}
    return Results(record=record, names=names, title="Invented Cup", day=date(2026, 4, 3), **more)


def played(results, rounds=None):
    """Return the pairs and byes of each round by name, which every form keeps."""
    name = results.names
    for at, tables in enumerate(results.record.rounds[:rounds]):
        met = {frozenset(str(name[seat]) for seat in table.seats) for table in tables if len(table.seats) > 1}
        alone = {str(name[table.seats[0]]) for table in tables if len(table.seats) == 1}
        yield met, alone | {str(name[bye]) for byes in results.record.byes[at : at + 1] for bye in byes}


def whole(results):
    """Return the whole record by name, so that two numberings can be compared."""
    record, name = results.record, results.names
    return {
        "players": {str(player) for player in name.values()},
        "rounds": [
            sorted((tuple(str(name[seat]) for seat in t.seats), t.number, outcomes(t)) for t in tables)
            for tables in record.rounds
        ],
        "byes": [{str(name[player]): kind for player, kind in byes.items()} for byes in record.byes],
        "absences": [{str(name[player]) for player in absent} for absent in record.absences],
        **{
            key: {str(name[player]): value for player, value in getattr(record, key).items()}
            for key in ("drops", "disqualified", "ratings")
        },
        "planned": record.planned_rounds,
        "extra": {
            (str(name[player]), at): points
            for at, extras in enumerate(record.extra_points, 1)
            for player, points in extras.items()
        },
    }


def with_extra(record, seed):
    """Return the record with random points added to some results."""
    dice = random.Random(seed)
    extra = tuple(
        {player: dice.choice((-1, 1, 2)) for player in record.players if dice.random() < 0.2}
        for _ in record.rounds
    )
    return replace(record, extra_points=extra if any(extra) else ())


def outcomes(table):
    result = table.result
    place = [s.place for s in result.seats] if result and len(table.seats) > 2 else None  # of two it follows
    return str(
        result and ([(s.outcome.value, s.games, s.score) for s in result.seats], result.drawn_games, place)
    )


def form_of(name):
    return next(form for form in FORMS if form.name == name)


def and_back(results, name):
    """Write an event in a form, and read it again without naming the form."""
    written = form_of(name).write(results)
    back = read_results(written.text, source="back")
    assert back.form == name
    return written, back


@pytest.mark.parametrize("name", WRITTEN)
@settings(deadline=None)
@given(record=records)
def test_reads_back_what_it_writes(name, record):
    """Names, pairings and byes in every form; everything else unless the form reports a loss."""
    results = event(replace(record, disqualified={}, drops={**record.drops, **record.disqualified}))
    if not all(results.record.rounds):
        return  # no opponents
    written, back = and_back(results, name)
    assert list(played(back)) == list(played(results))
    if not written.lost_facts:
        assert whole(back) == whole(results)


SIGNS = ("@nick", "-Kyo-", "+1 up", "=SUM(A1)", "'-Kyo-", "''=x", "＝1 a", "Bo;=1+1", "'Tis", "a|'@b", "+1")
"""Names that a spreadsheet runs as a formula, that look escaped, or that only seem to be."""


def named(four):
    """Return two rounds of four players with these names; the last one left after the first."""
    one, two, three, four = four
    text = json.dumps({"rounds": [[[one, two, 2, 0, 0], [three, four, 1, 1, 1]],
        [[one, three, 2, 1, 0], [two, None, 2, 0, 0]]],
                       "registration_order": [one, two, three, four], "drops": {four: 1}, "name": one,
                       "divisions": {"-a": [one, two], "b": [three, four]}})  # fmt: skip
    return read_results(text, source="x")


@with_rows("name", WRITTEN)
@with_rows("at", range(0, len(SIGNS), 4))
def test_reads_back_names_that_start_with_a_sign(name, at):
    """The sign is escaped for spreadsheets, and reading removes the escape."""
    four = (*SIGNS, "Mira")[at : at + 4]
    written, back = and_back(named(four), name)
    assert list(played(back)) == list(played(named(four)))
    assert name != "csv" or not any(
        cell.startswith(("@", "=")) for line in csv.reader(written.text.splitlines()) for cell in line
    )


@settings(deadline=None)
@given(
    four=lists(
        text("=+-@'\"a;,|&\u00df\uff1d ", min_size=1,
            max_size=6).map(str.strip).filter(lambda word: "a" in word),
        min_size=4, max_size=4, unique_by=lambda word: fold(word).replace(" ", ""),
    )
)  # fmt: skip
def test_csv_reads_back_any_name(four):
    """Separators, quotation marks, apostrophes and signs, in results and in settings."""
    try:
        results = named(four)
    except TourneyError:
        return  # no name, or two spellings of one
    written, back = and_back(results, "csv")
    assert not written.lost_facts
    assert whole(back) == whole(results)
    assert back.title == results.title
    assert {key: {back.names[player] for player in who} for key, who in back.divisions.items()} == {
        key: {results.names[player] for player in who} for key, who in results.divisions.items()
    }


@pytest.mark.parametrize("name", WRITTEN)
@settings(deadline=None)
@given(record=records)
def test_a_second_writing_loses_nothing(name, record):
    """All losses happen, and are reported, the first time."""
    results = event(record)
    if not all(record.rounds):
        return
    first, back = and_back(results, name)
    again, twice = and_back(back, name)
    assert list(played(twice)) == list(played(back))
    assert set(again.lost_facts) <= set(first.lost_facts) | {"the day", "the event's name"}


@pytest.mark.parametrize("name", ["json", "csv"])
@settings(deadline=None)
@given(record=records, seed=integers(0, 99))
def test_our_own_forms_keep_a_whole_record(name, record, seed):
    """With scores, forfeits, byes, absences, drops, ratings, tables and extra points."""
    results = event(with_extra(record, seed))
    if not all(record.rounds):
        return
    written, back = and_back(results, name)
    assert written.lost_facts == ()
    assert whole(back) == whole(results)
    assert (back.title, back.day) == (results.title, results.day)


def test_only_json_keeps_larger_tables():
    """Forms with tables of two refuse them, naming round and table."""
    results = event(pods_record(3))
    _, back = and_back(results, "json")
    assert whole(back)["players"] == whole(results)["players"]
    assert list(played(back)) == list(played(results))
    for name in WRITTEN:
        if name not in {"json", "topdeck"}:
            with pytest.raises(TourneyError, match="round 1, table 1 has 4 seats"):
                form_of(name).write(results)


@with_rows("name", WRITTEN)
def test_reports_what_a_form_cannot_hold(name):
    """A record that is read back differently had a loss reported."""
    for seed in range(40):
        results = event(
            random_record(seed, players=8, rounds=3), forbidden_groups=((PlayerId(1), PlayerId(2)),)
        )
        if not all(results.record.rounds):
            continue
        written, back = and_back(results, name)
        if whole(back) != whole(results):
            assert written.lost_facts
        if back.forbidden_groups != results.forbidden_groups:
            assert any("forbidden pair" in loss for loss in written.lost_facts)


@with_rows("name", WRITTEN)
def test_reports_players_that_a_form_cannot_hold(name):
    """Players who dropped before their first match or bye are in the file or reported."""
    for seed in range(10):
        made = random_record(seed, players=8, rounds=3)
        nobody = PlayerId(max(made.players) + 1)
        made = replace(made, players=(*made.players, nobody), drops={**made.drops, nobody: 0})
        results = event(replace(made, disqualified={}))
        if not all(results.record.rounds):
            continue
        written, back = and_back(results, name)
        if len(back.record.players) < len(results.record.players):
            assert any("neither a match nor a bye" in loss for loss in written.lost_facts)


def test_a_new_form_is_a_row_and_a_module(monkeypatch):
    """An invented form with `read` and `write`."""
    module = ModuleType("invented_form")

    def read(file):
        lines = [line.split(" beats ") for line in file.text.splitlines()[1:]]
        import json

        rows = [[winner, loser, 1, 0, 0] for winner, loser in lines]
        return read_results(json.dumps({"rounds": [rows]}), source=file.source)

    def write(results):
        name = results.names
        tables = [table.result.seats for round_ in results.record.rounds for table in round_]
        return WrittenFile(
            "BEATS\n" + "".join(f"{name[a.player]} beats {name[b.player]}\n" for a, b in tables)
        )

    module.read, module.write = read, write
    monkeypatch.setitem(sys.modules, "invented_form", module)
    row = EventForm(
        name="beats", title="a list of who beat whom", ending="beats", module="invented_form",
        sign=lambda text: text.startswith("BEATS"),
    )  # fmt: skip
    monkeypatch.setattr(forms, "FORMS", (row, *FORMS))
    results = read_results("BEATS\nMira beats Tomo\nAnsel beats Bryn\n", source="x")
    assert (results.form, results.profile) == ("beats", "tourney")
    assert row.write(results).text == "BEATS\nMira beats Tomo\nAnsel beats Bryn\n"


@with_rows("name", WRITTEN)
def test_a_wrong_form_gets_a_hint_to_the_right_one(name):
    """With any other `--as`."""
    written = form_of(name).write(event(random_record(2, players=6, rounds=2))).text
    refused = {}
    for other_form in (form for form in WRITTEN if form != name):
        try:
            read_results(written, source="x", form=other_form)
        except TourneyError as fault:
            refused[other_form] = fault.hint or ""
    assert refused
    assert [other_form for other_form, hint in refused.items() if f"`--as {name}`" not in hint] == []


@with_rows("name", [None, *WRITTEN])
def test_rejects_endless_nesting(name):
    """JSON of 100,000 brackets; the message does not mention recursion."""
    for nested in ("[" * 100_000, '{"a":' * 100_000):
        with pytest.raises(TourneyError) as fault:
            read_results(nested, source="x", form=name)
        assert "recursion" not in f"{fault.value.message}{fault.value.hint}"


def test_rejects_an_unknown_form():
    """The hint lists the forms."""
    with pytest.raises(TourneyError, match="unknown form `xls`") as fault:
        read_results("x", source="x", form="xls")
    assert "`trf`" in fault.value.hint


# -- a file's own standings


MATCHES = (
    '{"rounds": [[["Mira", "Tomo", 2, 0, 0], ["Ansel", "Bryn", 2, 1, 0]], [["Mira", "Ansel", 2, 0, '
    '0], ["Tomo", "Bryn", 1, 1, 1]]]}'
)


def claimed(**claims):
    results = read_results(MATCHES, source="x")
    number = {name: player for player, name in results.names.items()}
    return replace(results, claims={number[name]: claim for name, claim in claims.items()})


@with_rows(
    ("claims", "message"),
    [
        ({}, ""),
        ({"Mira": StandingClaim(place=1, points=12), "Ansel": StandingClaim(place=2, points=6)}, ""),
        ({"Mira": StandingClaim(place=1, points=10)}, "Mira has 5 points there and 6 here"),
        ({"Ansel": StandingClaim(place=1), "Mira": StandingClaim(place=2)},
         "Ansel has place 1 there and place 2 here; here Mira has place 1"),
        ({"Mira": StandingClaim(values={"OMW": (Fraction(1, 2), 2)})},
         "Mira has OMW 0.50 there and 0.41 here"),
        ({"Mira": StandingClaim(values={"OMW": (Fraction(42, 100), 2)})}, ""),
        ({"Mira": StandingClaim(values={"OTHER": (Fraction(1, 2), 2)})}, ""),
    ],
)  # fmt: skip
def test_reports_the_first_difference(claims, message):
    """Points, then tie-breaks to the decimals given, then places, in order of the file's places."""
    results = claimed(**claims)
    assert first_difference(results, rank(results.record, shipped("mtr"))) == message


def test_tied_players_can_have_any_order_in_a_file():
    """The file's program may have drawn lots."""
    results = read_results(
        '{"rounds": [[["Mira", "Tomo", 1, 1, 0], ["Ansel", "Bryn", 1, 1, 0]]]}', source="x"
    )
    standings = rank(results.record, shipped("mtr"))
    for places in ((1, 2, 3, 4), (4, 3, 2, 1)):
        claims = {
            player: StandingClaim(place=place) for player, place in zip(results.names, places, strict=True)
        }
        assert first_difference(replace(results, claims=claims), standings) == ""
    claims = {PlayerId(1): StandingClaim(place=5)}
    assert "place 5 there and place 1 here" in first_difference(replace(results, claims=claims), standings)


@with_rows("name", WRITTEN)
def test_keeps_extra_points_or_reports_their_loss(name):
    """A TRF has record 299 for them, our own forms a setting."""
    for seed in range(12):
        record = with_extra(random_record(seed, players=8, rounds=3), seed)
        results = event(replace(record, disqualified={}))
        written, back = and_back(results, name)
        if name in {"trf", "json", "csv"}:
            assert whole(back)["extra"] == whole(results)["extra"]
        elif record.extra_points:
            assert any("points in addition to the results" in loss for loss in written.lost_facts)


def test_a_trf_keeps_requested_byes_and_forbidden_pairs():
    """For rounds to come."""
    record = random_record(4, players=6, rounds=3)
    results = event(
        record,
        requests={
            PlayerId(2): {4: Outcome.HALF_BYE},
            PlayerId(3): {4: Outcome.ABSENT, 5: Outcome.AWARDED_BYE},
        },
        forbidden_groups=((PlayerId(1), PlayerId(2)),),
    )
    _, back = and_back(results, "trf")
    assert (back.requests, back.forbidden_groups) == (results.requests, results.forbidden_groups)


def bracket_table(number, winner, loser):
    seats = (Seat(winner, Outcome.WIN, 1, 1), Seat(loser, Outcome.LOSS, 2))
    return Table(number, (winner, loser), Result(seats))


@with_rows("name", ["cobra", "tdf", "json"])
@with_rows("rounds", [1, 2])
def test_reads_back_a_bracket(name, rounds):
    """Seeds and matches, with or without the final."""
    one, two, three, four = map(PlayerId, (1, 2, 3, 4))
    played_so_far = (
        (bracket_table(1, one, four), bracket_table(2, three, two)),
        (bracket_table(1, three, one),),
    )
    playoff = Playoff(seeds=(one, two, three, four), rounds=played_so_far[:rounds])
    written, back = and_back(event(random_record(3, players=4, rounds=2), playoff=playoff), name)
    assert not any("bracket" in loss for loss in written.lost_facts)
    names = {player: str(called) for player, called in back.names.items()}
    assert [names[seed] for seed in back.playoff.seeds] == [f"Invented {letter}" for letter in "BCDE"]
    assert [[outcomes(table) for table in round_] for round_ in back.playoff.rounds] == [
        [outcomes(table) for table in round_] for round_ in playoff.rounds
    ]


def test_json_keeps_facts_about_players_except_contacts():
    """A contact is for the organizer only."""
    facts = {PlayerId(1): {"club": "Harbour", "contact": "mira@example.org"}, PlayerId(2): {"team": "Red"}}
    written, back = and_back(event(random_record(3, players=4, rounds=2), facts=facts), "json")
    assert back.facts == {PlayerId(1): {"club": "Harbour"}, PlayerId(2): {"team": "Red"}}
    assert "example.org" not in written.text
    assert written.lost_facts == ("further facts about players: contact",)


@with_rows("name", ["trf", "csv", "topdeck", "melee"])
def test_reports_a_lost_bracket(name):
    """With its size."""
    playoff = Playoff(seeds=(PlayerId(1), PlayerId(2)))
    written = form_of(name).write(event(random_record(3, players=4, rounds=2), playoff=playoff))
    assert "the bracket of 2 players" in written.lost_facts


@with_rows("name", ["cobra", "tdf"])
def test_rejects_a_bracket_with_larger_tables(name):
    """As for other larger tables."""
    playoff = Playoff(
        seeds=(PlayerId(1), PlayerId(2), PlayerId(3)),
        rounds=((Table(1, (PlayerId(1), PlayerId(2), PlayerId(3))),),),
    )
    with pytest.raises(TourneyError, match="table 1 has 3 seats"):
        form_of(name).write(event(random_record(3, players=4, rounds=2), playoff=playoff))


def topdeck_file(finals):
    """Return a file of TopDeck with one round of two tables, and tables of finals."""
    players = [{"name": name, "id": name} for name in "abcd"]
    tables = [{"players": players[:2], "winner_id": "a"}, {"players": players[2:], "winner_id": "c"}]
    rounds = [{"round": 1, "tables": tables}, {"round": "Finals", "tables": finals}]
    return json.dumps({"standings": players, "rounds": rounds})


def melee_file(finals):
    """Return an answer of melee with one round of one match, and matches of finals."""

    def match(number, name, *wins):
        teams = [{"Team": {"Players": [{"ID": at}]}, "GameWins": won} for at, won in enumerate(wins)]
        return {
            "RoundNumber": number,
            "RoundDescription": name,
            "HasResult": bool(wins),
            "Competitors": teams,
        }

    return json.dumps({"data": [match(1, "Round 1", 2, 0), *(match(2, "Finals", *wins) for wins in finals)]})


@with_rows(
    ("text", "tables"),
    [
        (topdeck_file([{"players": [{"id": "a"}, {"id": "c"}], "winner_id": "c"}]), 1),
        (topdeck_file([{"players": []}]), None),
        (topdeck_file([{"players": [{"name": "stranger"}]}]), None),
        (topdeck_file([{"players": [{"name": "a"}, {"name": "a"}], "winner": "a"}]), None),
        (melee_file([(2, 1)]), 1),
        (melee_file([()]), None),
        (melee_file([(1, 1)]), None),
        (melee_file([(2, 1, 0)]), None),
    ],
)
def test_leaves_out_an_unclear_bracket(text, tables):
    """The rounds before it are read."""
    results = read_results(text, source="x")
    assert results.record.rounds[0][0].result is not None
    if tables is None:
        assert results.playoff is None
        assert "its bracket (1 round)" in results.left_out[0]
    else:
        assert len(results.playoff.rounds[0]) == tables


def tdf_file(final="1", place="1"):
    """Return a file of two players with a round and a final; the arguments are userids."""
    players = "".join(
        f'<player userid="{number}"><firstname>P{number}</firstname></player>' for number in "12"
    )

    def rounds(kind, one, two):
        match = f'<match outcome="1"><player1 userid="{one}"/><player2 userid="{two}"/></match>'
        return f'<round number="{3 - kind}" type="{kind}"><matches>{match}</matches></round>'

    pod = f"<pod><rounds>{rounds(2, '1', '2')}{rounds(1, '2', final)}</rounds></pod>"
    standings = f'<standings><pod category="2" type="dnf"><player id="{place}"/></pod></standings>'
    event = f"<players>{players}</players><pods>{pod}</pods>{standings}"
    return f'<tournament type="2" stage="5">{event}</tournament>'


def test_a_player_of_toms_bracket_or_standings_is_in_its_list():
    """A stranger in the bracket costs the bracket, one in the standings the file."""
    results = read_results(tdf_file(), source="x")
    assert (results.left_out, len(results.playoff.rounds)) == ((), 1)
    (left_out,) = read_results(tdf_file(final="9"), source="x").left_out
    assert left_out.endswith(": round 2, match 1 does not have two of the event's players and a winner")
    with pytest.raises(TourneyError, match="standings: there is no player with the userid 9"):
        read_results(tdf_file(place="9"), source="x")
    text = tdf_file().replace('"dnf"><player id="1"', '"finished"><player id="1" place="first"')
    with pytest.raises(TourneyError, match="x: standings: player 1: `first` is not a whole number"):
        read_results(text, source="x")


def test_small_letters_do_not_make_a_report_file():
    """A TRF has `XXR` in capitals."""
    table = "player1,player2,round,wins1,wins2\nxxl,bob,1,2,0\nxxl ,bob,2,2,0\nxxl x,ada,3,2,0\n"
    assert read_results(table, source="x").form == "csv"
