"""Imports from other programs' files, and exports that give the same files again."""

import json
import re
from datetime import date

import pytest
from msgspec.structs import replace

from tests.desk.kit import lent, library, new_desk, play
from tests.kit import sampled
from tests.standings.fields import random_record
from tourney.desk import Desk, erase, event_in, export_as, take_over, verify
from tourney.errors import Severity, TourneyError
from tourney.event import exchange, ops
from tourney.event.field import record
from tourney.record import Outcome, PlayerId, Record, Result, Seat, Table
from tourney.standings import rank
from tourney.standings.reading import FORMS, Playoff, Results, find_form

WRITTEN = [form for form in FORMS if form.writes]


def take(folder, text, source="x", to="taken.tourney", **question):
    """Import a file; the desk is closed after the test."""
    content = text if isinstance(text, bytes) else text.encode()
    workplace = lent()
    took = event_in(content, workplace, source=source, **question)
    desk = take_over(took, folder / to, workplace)
    OPEN.append(desk)
    return desk, took


OPEN = []


@pytest.fixture(autouse=True)
def _leave():
    """Close all event files after the test."""
    yield
    while OPEN:
        OPEN.pop().leave()


def table_of(standings, names):
    """Return place and points of each player by name."""
    return {str(names[row.player]): (row.rank, row.points) for row in standings.rows}


@pytest.mark.parametrize("form", WRITTEN, ids=lambda form: form.name)
@pytest.mark.parametrize("seed", sampled(range(6), range(2)))
def test_an_imported_event_ranks_like_its_file(form, seed, tmp_path):
    """The ranking follows the rules of the program that wrote the file."""
    folder = tmp_path
    made = replace(random_record(seed, players=7, rounds=3), disqualified={})
    names = {player: f"Invented {'ABCDEFGHIJKL'[player]}" for player in made.players}
    text = form.write(Results(record=made, names=names, title="Cup", day=date(2026, 4, 3))).text
    desk, took = take(folder, text)
    assert took.form is form
    here = rank(record(desk.state), desk.profile())
    assert table_of(here, {p.id: p.name for p in desk.state.players.values()}) == table_of(
        rank(took.results.record, desk.profile()), took.results.names
    )


@pytest.mark.parametrize("form", WRITTEN, ids=lambda form: form.name)
@pytest.mark.parametrize("seed", sampled(range(6), range(2)))
def test_an_exported_event_can_be_imported_again(form, seed, tmp_path):
    """Pairings, results and byes are the same unless the report names a loss."""
    folder = tmp_path
    made = random_record(seed, players=7, rounds=3)
    names = {player: f"Invented {'ABCDEFGHIJKL'[player]}" for player in made.players}
    first = next(form for form in FORMS if form.name == "json")
    desk, _ = take(folder, first.write(Results(record=made, names=names, title="Cup")).text)
    with Desk.open(desk.place, lent()) as opened:
        path, lost = export_as(opened, form.name, folder)
        before = opened.state
    again, _ = take(folder, path.read_bytes(), to="again.tourney", profile="tourney")
    after = again.state
    assert [sorted(map(seats_by_name(before), round_.tables.values())) for round_ in before.rounds] == [
        sorted(map(seats_by_name(after), round_.tables.values())) for round_ in after.rounds
    ]
    if not lost:
        assert table_of(desk.standings(), names_in(before)) == table_of(again.standings(), names_in(after))


def names_in(state):
    return {player.id: player.name for player in state.players.values()}


def seats_by_name(state):
    return lambda table: sorted(state.players[player].name for player in table.seats)


def test_imported_rounds_are_not_proved_and_later_ones_are(tmp_path):
    """Each imported round is named as such; a round that is paired here is proved as ever."""
    text = json.dumps(
        {"planned_rounds": 3, "rounds": [[["Mira", "Tomo", 2, 0, 0], ["Ansel", "Bryn", 2, 1, 0]]]}
    )
    desk, _ = take(tmp_path, text)
    with Desk.open(desk.place, lent()) as desk:
        desk.pair_round()
        verification = verify(desk)
        (finding,) = verification.findings
        assert (finding.rule, finding.severity) == ("imported", Severity.UNVERIFIED)
        assert finding.message.startswith("Round 1: imported, not proved (entry 2, json, SHA-256 ")
        assert verification.rounds[0].optimal is None
        assert verification.rounds[1].optimal
        assert not verify(desk, 2).findings
        assert [finding.rule for finding in verify(desk, 1).findings] == ["imported"]
        with pytest.raises(TourneyError, match=r"the import of the event .* cannot be undone"):
            desk.undo(2)


def test_a_finished_event_is_closed_and_a_running_one_continues(tmp_path):
    """This depends on the number of planned rounds in the file."""
    rounds = [[["Mira", "Tomo", 2, 0, 0]]]
    finished, took = take(tmp_path, json.dumps({"planned_rounds": 1, "rounds": rounds}))
    assert finished.state.closed
    assert "finished, so it is closed" in took.took
    rounds.append([{"p1": "Mira", "p2": "Tomo", "kind": "unreported"}])
    running, took = take(tmp_path, json.dumps({"planned_rounds": 2, "rounds": rounds}), to="b.tourney")
    assert not running.state.closed
    assert took.took.endswith("running: 1 table of round 2 plays on")
    _, took = take(tmp_path, json.dumps({"planned_rounds": 5, "rounds": rounds[:1]}), to="c.tourney")
    assert took.took.endswith("running: 1 of 5 rounds are over")


def test_byes_and_assigned_losses_keep_their_worth(tmp_path):
    """The file's profile defines it."""
    rounds = [
        [
            {"p1": "Mira", "p2": None, "kind": "bye", "score": [3]},
            {"p1": "Tomo", "p2": "Ansel", "score": [3, 0]},
        ],
        [
            {"p1": "Ansel", "p2": None, "kind": "bye", "score": [3]},
            {"p1": "Tomo", "p2": "Mira", "score": [0, 3]},
        ],
    ]
    desk, _ = take(tmp_path, json.dumps({"rounds": rounds}), profile=None)
    assert desk.state.profile == "tourney-imported"
    assert desk.profile().outcomes[Outcome.BYE].points == 6
    rounds = [
        [["Mira", None, 0, 2, 0], ["Tomo", "Ansel", 2, 0, 0]],
        [["Mira", "Tomo", 2, 0, 0], ["Ansel", None, 0, 0, 0]],
    ]
    desk, took = take(tmp_path, json.dumps({"rounds": rounds}), to="b.tourney")
    assert desk.profile().outcomes[Outcome.ABSENT].match == 0
    assert "1 assigned loss, entered as absences that count as lost" in took.notes


def test_another_profile_can_be_named(tmp_path):
    """A message says that the file's own scoring differs."""
    gap = " " * 28
    text = (
        "012 Cup\n162  W 3.0    D 1.0    L 0.0\n"
        f"001    1      Mira{gap}  2000{gap} 3.0    1     2 w 1\n"
        f"001    2      Tomo{gap}  2000{gap} 0.0    2     1 b 0\n"
    )
    desk, took = take(tmp_path, text, profile="fide")
    assert desk.state.profile == "fide"
    assert any(
        "the file's scoring differs from that of fide: win 3 instead of 1" in note for note in took.notes
    )
    assert took.difference == "Mira has 3 points there and 1 here"
    desk, took = take(tmp_path, text, to="b.tourney")
    assert took.difference == ""
    assert desk.profile().outcomes[Outcome.WIN].points == 6
    assert took.notes == (
        "the file's scoring differs from that of fide: win 3 instead of 1, draw 1 instead of ½; the "
        "event counts points as the file does",
    )


def test_rules_from_a_file_survive_a_rebase(tmp_path):
    """No library has them, so the event's own are kept."""
    text = json.dumps(
        {
            "rounds": [
                [
                    {"p1": "Mira", "p2": None, "kind": "bye", "score": [3]},
                    {"p1": "Tomo", "p2": "Ansel", "score": [3, 0]},
                ]
            ]
        }
    )
    desk, _ = take(tmp_path, text)
    with Desk.open(desk.place, lent()) as desk:
        assert desk.rebase().already


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("", "x: the file is empty"),
        ("round,player1,player2\n1,Mira,Mira\n", "plays against themselves"),
        ("round,player1,player2\n1,Bye,Mira\n", "x: `bye` means a round without an opponent"),
        ("round,player1,player2\n1,Mi\u202era,Tomo\n", "cannot contain U+202E"),
    ],
)
def test_a_refused_file_leaves_no_event(tmp_path, text, remark):
    """Neither a whole nor a partial event file is left."""
    with pytest.raises(TourneyError) as fault:
        take(tmp_path, text)
    assert remark in fault.value.message
    assert not list(tmp_path.iterdir())


def test_an_export_has_no_data_of_an_erased_player(tmp_path):
    """Neither the player's name nor the contact is exported."""
    with new_desk(tmp_path, "Mira Oake", "Tomo Reed") as desk:
        play(desk)
        erase(desk, "Mira")
        for form in WRITTEN:
            path, _ = export_as(desk, form.name, tmp_path / form.name)
            assert "Mira" not in path.read_text()


def test_an_import_does_not_change_the_library():
    """Rules of a file stay in the event."""
    assert "imported/results" not in library().formats()


@pytest.mark.parametrize("form", ["cobra", "tdf", "json"])
def test_a_bracket_is_exported_and_imported(form, tmp_path):
    """With the same places, in a finished event."""
    with new_desk(tmp_path, *(f"Invented {letter}" for letter in "ABCDEFGH"), rounds=2) as desk:
        for _ in range(2):
            play(desk, "1-0")
        desk.cut(4, lot=True)
        for _ in range(2):
            play(desk, "1-0")
        desk.close()
        path, lost = export_as(desk, form, tmp_path)
        before = desk.state
    assert not any("bracket" in loss for loss in lost)
    again, took = take(tmp_path, path.read_bytes(), to="again.tourney")
    assert "a bracket of 4 with 3 results" in took.took
    assert again.state.closed
    assert [round_.title for round_ in again.state.rounds] == [round_.title for round_ in before.rounds]
    assert winner(again.state) == winner(before)


def test_seeds_of_an_imported_cut_are_neither_proved_nor_wrong(tmp_path):
    """Another program may rank by other rules."""
    names = {PlayerId(number): f"Invented {'ABCD'[number]}" for number in range(4)}
    swiss = (won(1, 0, 1), won(2, 2, 3))
    made = Record(
        players=tuple(map(PlayerId, range(4))), rounds=(swiss,), byes=({},), absences=(frozenset(),)
    )
    seeds = (PlayerId(3), PlayerId(1))
    playoff = Playoff(seeds=seeds, rounds=((won(1, 3, 1),),), double=False, third_place=False)
    form = next(form for form in FORMS if form.name == "cobra")
    text = form.write(Results(record=made, names=names, title="Cup", playoff=playoff)).text
    desk, took = take(tmp_path, text)
    assert "a bracket of 2 with 1 result" in took.took
    findings = verify(desk).findings
    assert {item.severity for item in findings} == {Severity.UNVERIFIED}
    (cut,) = (item.message for item in findings if item.rule == "cut")
    assert re.fullmatch(
        r"The cut \(entry \d+\), imported: the standings of that moment give \w+ A and \w+ C", cut
    )


def won(number, one, other):
    """Return a table whose first seat won 1-0."""
    seats = (PlayerId(one), PlayerId(other))
    outcomes = zip(seats, (Outcome.WIN, Outcome.LOSS), strict=True)
    return Table(number, seats, Result(tuple(Seat(player, outcome) for player, outcome in outcomes)))


def test_a_late_player_makes_an_imported_round_no_fault(tmp_path):
    """Such files do not say when a player was registered."""
    matches = [[["Mira", "Tomo", 2, 0, 0]], [["Mira", "Ansel", 2, 0, 0], ["Tomo", "Bryn", 2, 0, 0]]]
    desk, _ = take(tmp_path, json.dumps({"rounds": matches}))
    assert [round_.legal for round_ in verify(desk).rounds] == [None, True]


def test_a_guessed_encoding_is_noted(tmp_path):
    """A spreadsheet's Windows-1252 is read, with a note to check names."""
    text = "round;player1;player2;wins1;wins2;draws\n1;Jörg Müller;Øyvind Ås;2;1;0\n"
    _, took = take(tmp_path, text.encode("cp1252"))
    assert (
        took.notes[0]
        == "the file is not UTF-8, so it was read as Windows-1252: check that the names are right"
    )
    assert "Jörg Müller" in took.results.names.values()
    for codec in ("utf-8", "utf-8-sig", "utf-16"):
        assert not take(tmp_path, text.encode(codec), to=f"{codec}.tourney")[1].notes


def winner(state):
    final = next(iter(state.rounds[-1].tables.values()))
    return next(state.players[seat.player].name for seat in final.result.seats if seat.outcome is Outcome.WIN)


ABNORMAL = """\
012 Gift
042 2026/03/02
142 3
XXR 3
001    1      Oake, Mira                        2400                             2.5    1     4 w 1     2 b =
001    2      Reed, Tomo                        2300                             0.5    4     3 w =     1 w =
001    3      Voss, Ansel                       2200                             1.0    3     2 b =  0000 - H
001    4      Hart, Bryn                        2100                             1.0    2     1 b 0  0000 - U
299           1.0    1    1
299          -0.5    2    2
"""


def test_points_without_a_result_are_part_of_the_event(tmp_path):
    """Record 299: in standings, in the running event, and in its export."""
    desk, took = take(tmp_path, ABNORMAL, source="gift.trf")
    with desk:
        assert (took.difference, bool(took.agrees)) == ("", True)
        made = {desk.state.players[row.player].name: row.points for row in desk.standings().rows}
        assert made == {"Oake, Mira": 5, "Voss, Ansel": 2, "Hart, Bryn": 2, "Reed, Tomo": 1}
        assert desk.state.imported.extra_points == (ops.ExtraPoints(1, 1, 2), ops.ExtraPoints(2, 2, -1))
        desk.pair_round()
        assert {finding.severity for finding in verify(desk).findings} == {Severity.UNVERIFIED}
        results = exchange.results_of(desk.state, desk.standings(), desk.texts.get)
        written = find_form("trf").write(results).text
    assert [line.split() for line in written.splitlines() if line.startswith("299")] == [
        ["299", "1.0", "1", "1"],
        ["299", "-0.5", "2", "2"],
    ]


def with_final_four():
    """Return an event of six players after three rounds."""
    made = replace(random_record(11, players=6, rounds=3), disqualified={}, drops={})
    names = {player: f"Invented {'ABCDEFGHIJKL'[player]}" for player in made.players}
    return Results(record=made, names=names, title="Cup", day=date(2026, 4, 3))


def bracket_in(form, results, pairs):
    """Return a file of an event with rounds of a bracket; the first of each pair wins."""
    name = results.names
    data = json.loads(find_form(form).write(results).text)
    swiss = len(results.record.rounds)
    for at, (called, matches) in enumerate(zip(("Semifinals", "Finals"), pairs, strict=False), swiss + 1):
        if form == "topdeck":
            tables = [
                {"table": number, "status": "Completed", "winner": name[one], "winner_id": str(one),
                 "players": [{"name": name[side], "id": str(side)} for side in (one, other)]}
                for number, (one, other) in enumerate(matches, 1)
            ]  # fmt: skip
            data["rounds"].append({"round": called, "tables": tables})
        else:
            data["data"] += [
                {"RoundNumber": at, "RoundDescription": called, "HasResult": True, "GameDraws": 0,
                 "Competitors": [
                     {"Team": {"Players": [{"ID": pair, "DisplayName": name[pair]}]}, "GameWins": wins}
                     for pair, wins in ((one, 2), (other, 1))]}
                for one, other in matches
            ]  # fmt: skip
    return json.dumps(data)


@pytest.mark.parametrize("form", ["topdeck", "melee"])
def test_a_bracket_without_seeds_uses_those_of_the_standings(form, tmp_path):
    """If the standings do not lead to the bracket's matches, a message says it is left out."""
    results = with_final_four()
    desk, took = take(tmp_path, bracket_in(form, results, []))
    with desk:
        order = [row.player for row in desk.standings().rows][:4]
        called = [desk.state.players[player].name for player in order]
    number = {name: player for player, name in results.names.items()}
    one, two, three, four = (number[name] for name in called)
    fits = bracket_in(form, results, [[(one, four), (three, two)], [(three, one)]])
    desk, took = take(tmp_path, fits, to="fits.tourney")
    with desk:
        assert [desk.state.players[player].name for player in desk.state.cut.players] == called
        assert any("taken from the standings" in note for note in took.notes)
        assert (took.left_out, desk.state.closed) == ((), True)
        assert winner(desk.state) == results.names[three]
        assert {finding.severity for finding in verify(desk).findings} == {Severity.UNVERIFIED}
    other = bracket_in(form, results, [[(one, two), (three, four)], [(three, one)]])
    desk, took = take(tmp_path, other, to="other.tourney")
    with desk:
        assert desk.state.cut is None
        (remark,) = took.left_out
        assert remark.startswith(
            "its bracket: the file does not say who had which seed, and by the standings round 1"
        )


def test_a_bracket_at_larger_tables_is_left_out_with_a_message(tmp_path):
    """An example is a final of four players, as in TopDeck."""
    results = with_final_four()
    data = json.loads(bracket_in("topdeck", results, []))
    players = [{"name": results.names[player], "id": str(player)} for player in (1, 2, 3, 4)]
    data["rounds"].append({"round": "Finals", "tables": [{"table": 1, "players": players, "winner_id": "2"}]})
    desk, took = take(tmp_path, json.dumps(data))
    with desk:
        place = f"rounds[{len(data['rounds']) - 1}].tables[0]"
        expected = f"its bracket (1 round): {place} does not have two of the event's players and a winner"
        assert took.left_out == (expected,)


def test_a_bracket_of_a_player_who_left_is_left_out_with_a_message(tmp_path):
    """A file may contradict itself."""
    names = {PlayerId(number): f"Invented {'ABCD'[number]}" for number in range(4)}
    made = Record(
        players=tuple(map(PlayerId, range(4))),
        rounds=((won(1, 0, 1), won(2, 2, 3)),),
        byes=({},),
        absences=(frozenset(),),
        drops={PlayerId(3): 1},
    )
    final = Playoff(
        seeds=(PlayerId(3), PlayerId(1)), rounds=((won(1, 3, 1),),), double=False, third_place=False
    )
    form = next(form for form in FORMS if form.name == "json")
    text = form.write(Results(record=made, names=names, title="Cup", playoff=final)).text
    desk, took = take(tmp_path, text)
    with desk:
        assert took.left_out == ("its bracket: Invented D left before the bracket but played in it",)
        assert desk.state.cut is None
