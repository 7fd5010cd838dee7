"""The desk: whole events, two scorekeepers, recorded answers, errors that change nothing."""

from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.desk import kit
from tests.desk.kit import content_of, lent, library, new_desk, open_desk, play
from tourney.desk import Desk, OwnSeat, check, erase, export, import_event, import_players, submit_deck
from tourney.errors import TourneyError
from tourney.event import players, results
from tourney.event.event_document import show
from tourney.event.phrases import unchecked_part
from tourney.event.score import Report, parse_line
from tourney.record import PlayerId

FIVE = ("Mira Oake", "Tomo Reed", "Ada", "Ben", "Cleo")


def refused(said, act):
    with pytest.raises(TourneyError) as refusal:
        act()
    assert said in refusal.value.message
    return refusal.value.hint


def test_a_whole_event(tmp_path):
    """With a draw, a drop, a correction, an undo and a cut. Reopened, it has the same state."""
    with new_desk(tmp_path, *FIVE, rounds=3) as desk:
        desk.add_player("Dina", tags={"club": "Harbour"})
        desk.pair_round()
        desk.report("1..2", "w")
        receipt = desk.report(3, "=")
        assert [step.sentence for step in receipt.next] == [
            "Round 1 is complete.",
            "Next: `tourney round next`.",
        ]
        play(desk)
        desk.change_result(1, "l", reason="slip misread")
        desk.drop("ben", reason="bus")
        desk.undo()
        play(desk)
        desk.cut(2)
        play(desk)
        desk.close()
        texts = [line.text for line in desk.log()]
        whole = desk.state
    with open_desk(tmp_path) as again:
        assert again.state == whole
        assert [line.text for line in again.log()] == texts
        assert check(again) == ()
    assert texts[0] == "Friday begins: red-diamond/standard, no ban list, ranked by tourney"
    assert texts[-1] == "The event was closed"


def test_a_receipt_has_the_change_and_the_next_step(tmp_path):
    """Round, table, result and entry, then the open tables."""
    with new_desk(tmp_path, *FIVE[:4]) as desk:
        desk.pair_round()
        one, other = (desk.state.players[player].name for player in desk.state.round.tables[1].seats)
        receipt = desk.report(1, "1-0")
        assert (
            receipt.text == f"Round 1, table 1: {one} 1–0 {other} (entry 4). 1 of 2 tables still playing: 2."
        )
        assert receipt.entries == (4,)
        assert receipt.state is desk.state
        assert desk.last is receipt
        with pytest.raises(AttributeError):
            receipt.entries = ()


def test_the_same_result_twice_names_the_first_entry(tmp_path):
    """The error has the entry's time and author; nothing is written."""
    with new_desk(tmp_path, *FIVE[:4]) as desk:
        desk.pair_round()
        desk.report(1, "1-0")
        with open_desk(tmp_path, by="Ben") as other:
            receipt = other.report(1, "w")
            assert receipt.already
            assert receipt.entries == ()
            assert ": already entered at 14:00 by Ann (entry 4). 1 of 2 tables" in receipt.text
            assert other.state.entry == 4


def test_two_scorekeepers_at_different_tables_do_not_interfere(tmp_path):
    """Each decision is made again after the other's entry."""
    with new_desk(tmp_path, *(f"P{n}" for n in range(8))) as ann, open_desk(tmp_path, by="Ben") as ben:
        ann.pair_round()
        for table, (one, other) in enumerate(((ann, ben), (ben, ann), (ann, ben), (ben, ann)), 1):
            assert one.report(table, "w").entries == (3 + table,)
            assert other.state.entry < 3 + table
        assert ben.refresh() == ann.refresh()
        assert {table.entered.by for table in ann.state.round.tables.values()} == {"Ann", "Ben"}


def test_an_entry_between_reading_and_writing_is_taken_into_account(tmp_path):
    """The append fails, the new entry is folded, and the decision is made again."""
    with new_desk(tmp_path, *FIVE[:4]) as ann, open_desk(tmp_path, by="Ben") as ben:
        ann.pair_round()
        decided = []

        def and_meanwhile(change):
            from tourney.event import results

            if not decided:
                ben.report(2, "w")
            decided.append(change.state.entry)
            return results.enter(change, [Report(tables=1, score="w")])

        assert ann.write(and_meanwhile).entries == (5,)
        assert decided == [3, 4]
        assert ann.state.round.done


def test_a_decision_that_becomes_invalid_is_refused(tmp_path):
    """Ben pairs the round while Ann is about to pair it, so Ann's pairing is refused."""
    with new_desk(tmp_path, *FIVE[:4]) as ann, open_desk(tmp_path, by="Ben") as ben:
        calls = []

        def and_meanwhile(change):
            from tourney.event import rounds

            if not calls:
                ben.pair_round()
            calls.append(change.state.entry)
            return rounds.pair(change, ann._ask(change.state))

        refused("round 1 has no result for tables 1, 2", lambda: ann.write(and_meanwhile))
        assert calls == [2, 3]
        assert len(ann.refresh().rounds) == 1


def meanwhile(desk, act):
    """Run an action between the desk's next decision and its write."""
    turn = desk.journal.turn

    def after_them():
        desk.journal.turn = turn
        act()
        return turn()

    desk.journal.turn = after_them


def stored(desk):
    return {content.decode() for _, _, content in desk.journal.texts() if content}


ALREADY = {
    "a result": (lambda desk: desk.report(1, "1-0"), lambda desk: desk.report(1, "1-0")),
    "a check-in": (lambda desk: desk.check_in("Ada"), lambda desk: desk.check_in("Ada")),
    "a drop": (lambda desk: desk.drop("Ada"), lambda desk: desk.drop("Ada", reason="ill, says Tomo")),
    "a deck": (
        lambda desk: desk.waive_deck("Ada"),
        lambda desk: desk.waive_deck("Ada", reason="ill, says Tomo"),
    ),
    "a setting": (lambda desk: desk.change(rounds=7),
        lambda desk: desk.change(rounds=7, reason="ill, says Tomo")),
    "a name": (lambda desk: desk.rename("Ada", "Tomo"), lambda desk: desk.rename("#3", "Tomo")),
    "an undo": (lambda desk: desk.undo(3), lambda desk: desk.undo(3, reason="ill, says Tomo")),
    "players": (lambda desk: import_players(desk, "Zoe", source="list"),) * 2,
}  # fmt: skip


@pytest.mark.parametrize("what", ALREADY)
def test_a_change_by_another_desk_just_before_is_already_done(tmp_path, what):
    """Nothing is written, no text is kept, and the desk knows the new state."""
    theirs, ours = ALREADY[what]
    with new_desk(tmp_path, *FIVE[:4]) as ann, open_desk(tmp_path, by="Ben") as ben:
        ann.pair_round()
        meanwhile(ann, lambda: theirs(ben))
        receipt = ours(ann)
        assert receipt.already
        assert receipt.entries == ()
        assert ann.state == ben.state
        assert not {text for text in stored(ann) if "says Tomo" in text}
        with open_desk(tmp_path, by="Ann") as again:
            assert stored(again) == stored(ann)
            assert [line.text for line in ann.log()] == [line.text for line in again.log()]
            assert ann.chain == again.chain
        assert ann.add_player("Zora").entries == (5,)
        assert ann.undo(5).entries == (6,)
        assert check(ann) == ()


def test_texts_of_a_first_try_are_not_kept(tmp_path):
    """Ben registers one of Ann's two players meanwhile, so her entry has only the other."""
    with new_desk(tmp_path, *FIVE[:4]) as ann, open_desk(tmp_path, by="Ben") as ben:
        meanwhile(ann, lambda: import_players(ben, "name,club\nZoe,Reef", source="list"))
        assert import_players(ann, "name,club\nZoe,Bay\nZora,Hill", source="list").entries == (4,)
        assert {"Zoe", "Zora", "Reef", "Hill"} <= stored(ann)
        assert "Bay" not in stored(ann)
        assert sorted(content for *_, content in ann.journal.texts()).count(b"Zoe") == 1


def test_an_undo_by_another_desk_is_noticed(tmp_path):
    """The state is folded again, not only continued."""
    with new_desk(tmp_path, *FIVE[:4]) as ann, open_desk(tmp_path, by="Ben") as ben:
        ann.pair_round()
        ann.report(1, "w")
        ben.refresh()
        ann.undo()
        assert ben.refresh() == ann.state
        assert ben.state.round.playing == (1, 2)


def test_a_scorekeepers_name_is_stored_once(tmp_path):
    """It is stored once, no matter how often the event is opened."""
    with new_desk(tmp_path, *FIVE) as desk:
        desk.check_in("Ada")
    for _ in range(2):
        with open_desk(tmp_path) as desk:
            desk.check_in("Ben") if not desk.state.players[4].checked_in else desk.check_in("Cleo")
            assert len({entry.by for entry in desk.entries}) == 1


def test_errors_change_nothing(tmp_path):
    """Invalid input of every kind: the file is byte for byte the same."""
    with new_desk(tmp_path, *FIVE, rounds=2) as desk:
        desk.pair_round()
        desk.report(1, "w")
        content = content_of(tmp_path / "friday.tourney")
        for act in (
            lambda: desk.add_player(""),
            lambda: desk.add_player("ADA"),
            lambda: desk.add_player("a\x00b"),
            lambda: desk.add_player("Mira \u202eekaO"),
            lambda: desk.add_player("x" * 10_000),
            lambda: desk.report(9, "w"),
            lambda: desk.report(1, "l"),
            lambda: desk.report(2, "7-3"),
            lambda: desk.pair_round(),
            lambda: desk.drop("Nobody"),
            lambda: desk.undo(99),
            lambda: desk.undo(3),
            lambda: desk.redo(),
            lambda: desk.cut(4),
            lambda: desk.close(),
            lambda: desk.change(rounds=0),
            lambda: desk.change(banana=1),
            lambda: desk.change(profile="no-such-profile"),
            lambda: desk.rename("Ada", "Ben"),
            lambda: desk.swap("Ada", "Ada"),
            lambda: import_players(desk, "", source="list"),
            lambda: desk.standings(after=7),
            lambda: desk.standings(profile="none"),
            lambda: desk.at(99),
            lambda: desk.deck_text("Ada"),
        ):
            with pytest.raises(TourneyError) as refusal:
                act()
            assert refusal.value.message
        assert content_of(tmp_path / "friday.tourney") == content
        assert desk.state.entry == 4


# -- creation


def test_a_new_event_has_the_formats_settings_and_the_given_ones(tmp_path):
    """Such as the best of three of DimRift, and the goal of Red Diamond."""
    kinds = {
        "dimrift/classic": lambda it: (it.match.best_of, it.pairing.system) == (3, "swiss"),
        "diamonsters/standard": lambda it: (it.match.seats[0], it.pairing.system) == (4, "pods"),
        "kingdoms/standard": lambda it: it.match.sides == ("Red", "Blue"),
        "redline/standard": lambda it: it.pairing.system == "swiss",
        "red-diamond/standard": lambda it: (it.match.goal, it.match.choices) == (None, {}),
    }
    for name, holds in kinds.items():
        folder = tmp_path / name.replace("/", "-")
        folder.mkdir()
        with new_desk(folder, format_name=name) as desk:
            assert holds(desk.state.settings), desk.state.settings
            assert desk.state.format == name
    with new_desk(tmp_path, goal=50, rounds=4, system="manual") as desk:
        assert (desk.state.settings.match.goal, desk.state.settings.pairing.rounds) == (50, 4)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"format_name": "no/such"}, "there is no format `no/such`"),
        ({"profile": "no-such"}, "there is no standings profile `no-such`"),
        ({"banlist": "no/such"}, "there is no ban list `no/such`"),
        ({"name": ""}, "an event's name needs at least one letter"),
        ({"by": "\x00"}, "a scorekeeper's name cannot contain"),
        ({"on": "yesterday"}, "`yesterday` is not a date"),
        ({"rounds": 0}, "rounds: 0 is too small"),
        ({"rounds": "five"}, "settings: rounds: expected"),
        ({"seats": [1]}, "a table has two seats or more"),
        ({"system": "draft"}, "settings: system"),
        ({"colour": "red"}, "there is no setting `colour`"),
        ({"banlist": ""}, "there is no ban list ``"),
        ({"choices": {"colour": "red"}}, "red-diamond/standard has no setting `colour`"),
        ({"goal": "high"}, "goal: `high` is not a whole number, such as the default 30"),
    ],
)
def test_invalid_creations_leave_no_file(tmp_path, question, message):
    """Each error has its own message; the folder is empty afterwards."""
    wanted = {"name": "Friday", "format_name": "red-diamond/standard", "banlist": "none", **question}
    by = wanted.pop("by", "Ann")
    refused(message, lambda: Desk.create(tmp_path / "friday.tourney", lent(by), **wanted))
    assert list(tmp_path.iterdir()) == []


def test_an_event_is_never_made_over_another(tmp_path):
    new_desk(tmp_path, "Ada").leave()
    refused("friday.tourney exists already", lambda: new_desk(tmp_path))
    with open_desk(tmp_path) as desk:
        assert len(desk.state.players) == 1


def test_a_missing_ban_list_is_a_warning(tmp_path):
    """The warning is shown when the event is created."""
    with new_desk(tmp_path, banlist=None) as desk:
        assert any(
            "no ban list red-diamond/standard is installed" in warning for warning in desk.last.warnings
        )
    (tmp_path / "two").mkdir()
    with new_desk(tmp_path / "two", banlist="red-diamond/example") as desk:
        assert desk.last.warnings == ()
        assert desk.rules.banlist.name == "red-diamond/example"
        assert desk.state.banlist == "red-diamond/example"


@pytest.mark.file
def test_a_synced_folder_is_a_warning(tmp_path):
    """The warning says that the folder is synced."""
    (tmp_path / "Dropbox").mkdir()
    with new_desk(tmp_path / "Dropbox") as desk:
        assert any("a synced folder" in warning for warning in desk.last.warnings)


def test_a_clock_without_a_time_zone_is_a_bug(tmp_path):
    """Entries have an absolute time."""
    workplace = replace(lent(), clock=lambda: datetime(2026, 10, 4, 14))  # noqa: DTZ001
    with pytest.raises(ValueError, match="the clock's time has no zone"):
        Desk.create(
            tmp_path / "f.tourney", workplace, name="F", format_name="red-diamond/standard", banlist="none"
        )


# -- rules kept


def test_rules_are_read_from_the_event(tmp_path):
    """Without the library, pairing, standings and rules still work."""

    class Nothing:
        def __getattr__(self, name):
            raise AssertionError(f"the library was asked for {name}")

    with new_desk(tmp_path, *FIVE, banlist="red-diamond/example") as desk:
        play(desk)
        rows = desk.standings().rows
    workplace = replace(lent(), open_library=Nothing)
    with Desk.open(tmp_path / "friday.tourney", workplace) as desk:
        assert desk.standings().rows == rows
        assert desk.rules.format.id == "red-diamond/standard"
        assert desk.rules.banlist is not None
        play(desk)


def test_an_event_keeps_the_parents_of_its_format(tmp_path):
    """`redline/scramble` extends another format, and both are stored."""
    with new_desk(tmp_path, format_name="redline/scramble") as desk:
        names = [kept.name for kept in desk.state.rules if kept.kind == "format"]
        assert names[0] == "redline/scramble"
        assert len(names) > 1
        assert desk.rules.format.digest == library().format("redline/scramble").digest


def test_a_profile_can_be_changed_or_only_used_to_look(tmp_path):
    """Only a change is an entry, with the text of the profile."""
    with new_desk(tmp_path, *FIVE) as desk:
        play(desk)
        assert desk.standings(profile="mtr").profile.name == "mtr"
        assert desk.state.profile == "tourney"
        desk.change(profile="mtr")
        assert desk.state.profile == "mtr"
        assert desk.standings().profile.name == "mtr"
        assert desk.change(profile="mtr").already
        desk.undo()
        assert desk.standings().profile.name == "tourney"


def test_rebase_takes_the_rules_of_another_day(tmp_path):
    """The receipt lists the differences; a second rebase changes nothing."""
    with new_desk(tmp_path, banlist="red-diamond/example", on="2026-06-01") as desk:
        assert desk.rebase().already
        receipt = desk.rebase(on="2026-12-01", reason="new season")
        assert desk.state.on == "2026-12-01"
        assert "New rules were adopted, as of 2026-12-01: new season" in receipt.text
        desk.undo()
        assert desk.state.on == "2026-06-01"


def test_verdicts_are_outdated_after_new_rules(tmp_path):
    """The rebase counts the lists. A resubmitted list is checked; undo restores all."""
    with new_desk(tmp_path, "Ada", "Ben", banlist="red-diamond/example", on="2026-06-01") as desk:
        for name in ("Ada", "Ben"):
            submit_deck(desk, name, "1 Invented Name\n", source="list.txt")
        receipt = desk.rebase(on="2026-12-01")
        assert "2 registered lists were checked before the rules changed" in " ".join(receipt.warnings)
        OwnSeat(desk, desk.find_player(1)).submit_deck("1 Invented Name\n", source="list.txt")
        decks = [player.deck for player in desk.state.players.values()]
        assert [unchecked_part(desk.state, deck) for deck in decks] == [
            "",
            "checked before the rules changed",
        ]
        desk.undo()
        assert not any(desk.state.is_outdated(player.deck) for player in desk.state.players.values())
        desk.change(profile="mtr")
        assert not any(desk.state.is_outdated(player.deck) for player in desk.state.players.values())


# -- standings, history, log


def test_standings_after_a_round_and_at_an_entry(tmp_path):
    """Neither changes anything."""
    with new_desk(tmp_path, *FIVE[:4]) as desk:
        play(desk)
        first = desk.standings()
        entry = desk.state.entry
        play(desk)
        assert desk.standings(after=1).rows == first.rows
        assert desk.as_of(entry).standings().rows == first.rows
        assert desk.at(entry).round.number == 1
        assert len(desk.standings().rows) == 4


def test_the_log_marks_undone_entries(tmp_path):
    """With the undoing entry, time and author."""
    with new_desk(tmp_path, *FIVE) as desk:
        desk.check_in("Ada")
        desk.undo()
        lines = desk.log()
        assert [(line.entry, line.undone) for line in lines] == [(1, None), (2, None), (3, 4), (4, None)]
        assert lines[3].text == 'Entry 3 ("Ada checked in") was undone'
        assert {line.by for line in lines} == {"Ann"}
        assert all(line.at.endswith("+02:00") for line in lines)


def test_undo_and_redo_at_the_desk(tmp_path):
    """Undo restores the earlier state, and redo the later one."""
    with new_desk(tmp_path, *FIVE) as desk:
        before = show(desk.state)
        desk.drop("Ada")
        after = show(desk.state)
        assert desk.undo(reason="wrong Ada").text.startswith(
            'Entry 3 ("Ada left before round 1") was undone: wrong Ada'
        )
        assert show(desk.state) == before
        desk.redo()
        assert show(desk.state) == after
        refused("a reason may have at most 500", lambda: desk.undo(reason="x" * 501))


# -- sealing and blanking


def test_a_sealed_event_publishes_a_hash_first_and_the_secret_last(tmp_path):
    """Then anyone can calculate the seeds."""
    from hashlib import sha256

    from tourney.event.field import round_seed

    with new_desk(tmp_path, *FIVE, sealed=True) as desk:
        play(desk)
        assert desk.state.revealed is None
        desk.close()
        secret = bytes.fromhex(desk.state.revealed)
        assert sha256(secret).hexdigest() == desk.state.secret_digest
        assert round_seed(secret, 1) == desk.state.rounds[0].seed


def test_an_event_that_is_not_sealed_writes_its_secret_into_no_entry(tmp_path):
    """The secret is stored outside the entries."""
    with new_desk(tmp_path, *FIVE) as desk:
        desk.close()
        secret = desk.journal.secret().hex()
        assert desk.state.revealed is None
        assert not any(secret.encode() in row.op for row in desk.journal.rows())


def test_erasing_a_person_breaks_nothing(tmp_path):
    """Texts are gone from the file; chain, standings and pairing work."""
    with new_desk(tmp_path, *FIVE) as desk:
        desk.change_player("Mira", contact="mira@example.org", tags={"club": "Only Miras"})
        submit_deck(desk, "Mira", "1 Invented Card of Mira\n", source="mira.txt", anyway=True)
        play(desk)
        desk.rename("Mira", "Mira Oake-Reed")
        before = [(row.rank, row.player, row.points) for row in desk.standings().rows]
        rounds, chain = show(desk.state).rounds, desk.state.digest
        receipt = erase(desk, "Mira")
        assert "exports and older pages" in receipt.warnings[-1]
        assert desk.state.players[1].name == "player 1"
        assert show(desk.state).rounds == rounds
        assert desk.at(desk.state.entry - 1).digest == chain
        assert [(row.rank, row.player, row.points) for row in desk.standings().rows] == before
        assert check(desk) == ()
        play(desk)
        refused("was deleted by request", lambda: desk.deck_text("#1"))
        assert erase(desk, "#1").already
    content = content_of(tmp_path / "friday.tourney")
    for word in (b"Mira", b"Only Miras", b"Invented Card", b"mira@"):
        assert word not in content
    with open_desk(tmp_path) as desk:
        assert "Mira" not in "".join(line.text for line in desk.log())


def test_a_text_deleted_by_hand_is_found_by_the_check(tmp_path):
    """Only an entry may erase a person."""
    new_desk(tmp_path, *FIVE).leave()
    kit.by_hand(
        tmp_path / "friday.tourney", "UPDATE texts SET salt = NULL, bytes = NULL WHERE bytes = ?", b"Ada"
    )
    with open_desk(tmp_path) as desk:
        assert [finding.message for finding in check(desk)] == [
            "the name of #3 was deleted, but no entry records that"
        ]


def spoil(path, text, statement="UPDATE texts SET bytes = CAST(bytes || 'x' AS BLOB) WHERE bytes = ?"):
    """Change a text in an event's file with SQL."""
    kit.by_hand(path, statement, text.encode())


@pytest.mark.parametrize(
    "statement", ["UPDATE texts SET bytes = x'ff00' WHERE bytes = ?", "DELETE FROM texts WHERE bytes = ?"]
)
def test_a_damaged_name_is_shown_as_damaged(tmp_path, statement):
    """The text is wrong or missing; the event works, and the name can be given again."""
    with new_desk(tmp_path, *FIVE) as desk:
        play(desk)
    spoil(tmp_path / "friday.tourney", "Ada", statement)
    with open_desk(tmp_path) as desk:
        assert desk.damaged_texts == ("the name of #3",)
        assert desk.state.players[3].name == "#3 (name damaged)"
        play(desk)
        desk.drop("#3", reason="ill")
        assert "#3 (name damaged) left after round 2: ill" in [line.text for line in desk.log()]
        assert [finding.rule for finding in check(desk)] == ["text"]
        desk.rename("#3", "Ada")
        assert (desk.state.players[3].name, desk.damaged_texts) == ("Ada", ("the name of #3",))
        whole, _ = export(desk, tmp_path / "out")
        with import_event(whole, tmp_path / "again.tourney", lent()) as again:
            assert again.state == desk.state, "an export of a damaged event can be read"


def test_damaged_texts_affect_only_their_own_use(tmp_path):
    """Reasons, tags, decks and rules: pairing and results work without the format."""
    reason = "ill, says the doctor " * 20
    with new_desk(tmp_path, *FIVE) as desk:
        desk.change_player("Ada", tags={"club": "Harbour"})
        submit_deck(desk, "Ada", "1 Invented Card\n" * 200, source="ada.txt", anyway=True)
        desk.drop("Mira", reason=reason)
        form = desk.journal.text(next(kept.text for kept in desk.state.rules if kept.kind == "format"))
    path = tmp_path / "friday.tourney"
    for text in ("Harbour", "1 Invented Card\n" * 200, reason.strip(), form, "Ann", "Friday"):
        spoil(path, text)
    with open_desk(tmp_path, by="Ben") as desk:
        assert desk.damaged_texts == (
            "the club of #3", "the event's name", "the name of the scorekeeper of entry 1",
            "the reason of entry 5",
        )  # fmt: skip
        assert desk.state.name == "(damaged)"
        assert desk.state.players[3].tags["club"][1] == "(damaged)"
        assert "left before round 1: (damaged)" in desk.log()[4].text
        play(desk)
        assert desk.standings().rows
        refused("the deck of Ada is damaged", lambda: desk.deck_text("Ada"))
        refused("the event's copy of the format red-diamond/standard is damaged", lambda: desk.rules.format)
        desk.rebase()
        assert desk.rules.format.id == "red-diamond/standard"


def test_decks_are_checked_under_the_events_own_rules(tmp_path):
    """An illegal list is reported, and registered only on request."""
    with new_desk(tmp_path, "Ada", banlist="red-diamond/example") as desk:
        twice = submit_deck(desk, "Ada", "2 Invented Name\n", source="ada.txt")
        assert twice.verdict == "illegal"
        assert twice.entries == ()
        assert twice.findings
        assert desk.state.players[1].deck is None
        assert submit_deck(desk, "Ada", "2 Invented Name\n", source="ada.txt", anyway=True).entries
        assert desk.state.players[1].deck.verdict == "illegal"
        good = submit_deck(desk, "Ada", "1 Invented Name\n1 Other Name\n", source="ada.txt")
        assert good.verdict in {"legal", "unverified"}
        assert desk.deck_text("Ada") == "1 Invented Name\n1 Other Name\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_a_deck_file_in_any_encoding_is_registered(tmp_path, encoding):
    """As with `deck check`."""
    with new_desk(tmp_path, "Ada", banlist="none") as desk:
        text = "1 Épée of Invention\n1 Other Name\n"
        assert submit_deck(desk, "Ada", text.encode(encoding), source="ada.txt").verdict == "legal"
        assert desk.deck_text("Ada") == text


def test_pool_cards_of_registered_decks_are_kept(tmp_path):
    """The event has the lines of the list's cards, with its salt."""
    with new_desk(tmp_path, "Ada", format_name="dimrift/open") as desk:
        card = (
            next(iter(library().pool("dimrift"))).name
            if hasattr(library().pool("dimrift"), "__iter__")
            else None
        )
        if card is None:
            pytest.skip("the pool cannot be walked")
        submit_deck(desk, "Ada", f"1 {card}\n", source="ada.txt", anyway=True)
        deck = desk.state.players[1].deck
        assert deck.cards is not None
        assert card in desk.journal.text(deck.cards)


def test_importing_players(tmp_path):
    """All players, ratings and clubs are in one entry; a second import adds no player."""
    text = "name;rating;club;byes\nAda;1500;Harbour;2:half-bye\nBen;;Harbour;\n"
    with new_desk(tmp_path) as desk:
        receipt = import_players(desk, text, source="list.csv")
        assert receipt.entries == (2,)
        ada, ben = desk.state.players.values()
        assert (ada.rating, ada.byes[2].value, ada.tags["club"]) == (1500, "half-bye", ben.tags["club"])
        assert import_players(desk, text, source="list.csv").already


def test_pool_lines_are_read_as_the_pool_reads_them():
    """A byte order mark and blank lines are not cards."""
    from types import SimpleNamespace

    from tests.decks.kit import deck
    from tourney.desk.registration import pool_lines

    sets = {"core": b'\xef\xbb\xbf{"name": "Ant"}\n \n{"name": "Bee"}\r\n'}
    files = SimpleNamespace(path=Path("game/pool.toml"), sets=sets)
    library = SimpleNamespace(pools=lambda: ("game",), find_pool=lambda _: files)
    assert pool_lines(library, "game", deck("1 Ant\n")) == '{"name": "Ant"}\n'
    assert pool_lines(library, "game", deck("1 Bee\n")) == '{"name": "Bee"}\n'
    assert pool_lines(library, "game", deck("1 Cat\n")) is None
    sets["core"] += b"{name}"
    with pytest.raises(TourneyError, match=r"game/core\.jsonl:4: not readable as JSON"):
        pool_lines(library, "game", deck("1 Ant\n"))


# -- a stack of slips


def slips(*lines):
    return [parse_line(line) for line in lines]


def test_a_stack_of_slips_is_written_in_one_transaction(tmp_path):
    """Each slip is an entry of its own. A refused slip does not affect the others."""
    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dina", "Eli", "Fenn") as desk:
        desk.pair_round()
        before = desk.state.entry
        first, again, refused, second = desk.report_each(slips("1 1-0", "1 1-0", "2 7-0", "2 0-1"))
        assert (first.entries, again.already, second.entries) == ((before + 1,), True, (before + 2,))
        assert "7–0 cannot end" in refused.message
        assert desk.state.entry == before + 2
        assert desk.last is second
        assert desk.report_each([]) == ()
    with open_desk(tmp_path) as desk:
        assert desk.state.round.playing == (3,)


@pytest.mark.file
def test_a_stack_that_cannot_be_written_changes_nothing(tmp_path):
    """If the disk is full at the last slip, no slip is entered; the next try succeeds."""
    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dina", "Eli", "Fenn") as desk:
        desk.pair_round()
        whole, entries, last = desk.state, list(desk.entries), desk.last
        (pages,) = desk.journal._connection.execute("PRAGMA page_count").fetchone()
        desk.journal._connection.execute(f"PRAGMA max_page_count = {pages}")
        many = slips("1 1-0", "2 1-0", "3 1-0 39,9")

        def joins(number):
            registration = players.Registration(name=f"{number} {'y' * 90}")
            return lambda change: players.add(change, [registration])

        with pytest.raises(TourneyError, match=r"the disk of .* is full"):
            desk.write_in_turn(
                [lambda change: results.enter(change, many), *(joins(number) for number in range(400))],
                all_or_none=False,
            )
        assert (desk.state, desk.entries, desk.last) == (whole, entries, last)
        desk.journal._connection.execute("PRAGMA max_page_count = 1073741823")
        assert desk.refresh() is whole
        assert [receipt.entries for receipt in desk.report_each(many)] == [
            (whole.entry + n,) for n in (1, 2, 3)
        ]


@pytest.mark.parametrize("is_committed", [False, True])
def test_an_interrupted_stack(tmp_path, is_committed):
    """If Ctrl-C comes before the commit, nothing is written; after it, the command succeeds."""
    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dina") as desk:
        desk.pair_round()
        before, turn = desk.state.entry, desk.journal.turn

        @contextmanager
        def interrupted():
            with turn():
                yield
                if not is_committed:
                    raise KeyboardInterrupt
            raise KeyboardInterrupt

        desk.journal.turn = interrupted
        if is_committed:
            assert [receipt.entries for receipt in desk.report_each(slips("1 1-0", "2 1-0"))] == [
                (before + 1,),
                (before + 2,),
            ]
        else:
            with pytest.raises(KeyboardInterrupt):
                desk.report_each(slips("1 1-0", "2 1-0"))
        assert desk.state.entry == before + 2 * is_committed
        desk.journal.turn = turn
        assert desk.refresh().entry == before + 2 * is_committed


def test_an_ambiguous_number_is_a_warning_once(tmp_path):
    """The warning is shown with the change that used the number."""
    with new_desk(tmp_path, "Ada", "Ben", "1") as desk:
        assert desk.check_in("1").warnings == ("`1` is taken as the name of 1 (#3); `'#1'` is Ada",)
        assert desk.check_in("2").warnings == ()
        with pytest.raises(TourneyError):
            desk.rename("1", "Ada")
        assert desk.check_in("Ada").warnings == ()
        assert desk.find_player("1") == 3


def test_the_log_shows_a_block_table_by_table(tmp_path):
    """A block of results is one sentence, and one line for each table."""
    with new_desk(tmp_path, "Ada", "Ben", "Cleo", "Dina") as desk:
        desk.pair_round()
        receipt = desk.report("1..2", "1-0", reason="by phone")
        (line,) = desk.log(after=desk.state.entry - 1)
        assert len(receipt.changed) == 2
        assert [f"{text_line} (entry {line.entry})." for text_line in line.lines] == list(receipt.changed)
        assert line.text.startswith("Round 1, table 1: ")
        assert line.text.endswith(": by phone")


def test_choices_may_set_settings_or_be_shown_on_pages(tmp_path):
    """REDLINE's draw by time sets `draws`; a goal is shown even if it is the default."""
    from tourney.desk import event_view

    with new_desk(tmp_path, format_name="redline/standard", time_draw=False) as desk:
        assert (desk.state.settings.match.draws, desk.state.settings.match.choices) == (
            False,
            {"time_draw": False},
        )
        desk.change(time_draw=True)
        assert desk.state.settings.match.draws
    (tmp_path / "rd").mkdir()
    with new_desk(tmp_path / "rd", day=["5 euros to enter"]) as desk:
        facts = event_view(desk).facts
        assert dict(facts)["Goal"].startswith("30 (victory points")
        day = dict(facts)["On the day"]
        assert "half an hour" in day
        assert day.endswith("(Tournaments, L301); 5 euros to enter")


def test_a_game_without_decklists_misses_none(tmp_path):
    """Kingdoms is played from a box."""
    from tourney.event.decks import list_doubts

    with new_desk(tmp_path, "Mira", "Tomo", format_name="kingdoms/standard", deck_lock="round-1") as desk:
        assert not desk.state.settings.decks.lists
        assert list_doubts(desk.state) == ()


def test_a_new_scorekeepers_name_is_checked(tmp_path):
    """Names that have signed before, and players' numbers, are exempt."""
    with new_desk(tmp_path, "Ada", "Ben", by="Mira  Oake ") as desk, desk.signing_as_player(PlayerId(1)):
        desk.check_in(1)
    for name in ("Mira Oake", " Mira Oake"):
        with open_desk(tmp_path, by=name) as desk:
            assert (desk.by, len(desk.own_refs())) == ("Mira Oake", 1)
    refused("a scorekeeper's name needs at least one letter", lambda: open_desk(tmp_path, by=" "))
    refused("`#1` is a player's number", lambda: open_desk(tmp_path, by="#1"))


def test_a_reason_is_one_line(tmp_path):
    """A line end becomes a space."""
    with new_desk(tmp_path, "Ada", "Ben") as desk:
        text = desk.drop("Ben", reason="missed the bus,\r\n  the last one\n\u2028walks").text
    assert "missed the bus, the last one walks" in text
    assert "\n" not in text
