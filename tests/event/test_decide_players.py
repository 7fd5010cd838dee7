"""Decisions about players: ops, repeated requests, refusals."""

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest

from tests.event.pad import Pad
from tests.kit import with_rows
from tourney.errors import TourneyError
from tourney.event import decks, ops, players, presence
from tourney.event.players import Facts, Registration
from tourney.record import Outcome, PlayerId, Result, Seat

ONE, TWO = PlayerId(1), PlayerId(2)


def closed(pad):
    pad.write(ops.EventClosed())
    return pad


def test_registration_gives_numbers_in_order():
    """Facts are kept as typed; awarded byes are for the first rounds."""
    pad = Pad()
    pad.players(
        "Ada",
        rating=1500,
        awarded=2,
        byes={4: "half"},
        table=7,
        tags={"Club": " Harbour "},
        contact="ada@example.org",
    )
    player = pad.state.players[ONE]
    assert (player.name, player.rating, player.table, player.since) == ("Ada", 1500, 7, 1)
    assert player.byes == {1: Outcome.AWARDED_BYE, 2: Outcome.AWARDED_BYE, 4: Outcome.HALF_BYE}
    assert player.tags["club"][1] == "Harbour"
    assert pad.texts[player.contact] == "ada@example.org"


def test_equal_tags_share_a_ref_and_names_do_not():
    """A player with the name of a club has another ref."""
    pad = Pad()
    pad.players("Harbour", "Ben", tags={"club": "Harbour"})
    pad.players("Cleo", tags={"club": "Harbour"})
    refs = {player.tags["club"][0] for player in pad.state.players.values()}
    assert len(refs) == 1
    assert pad.state.players[ONE].name_ref not in refs


def test_entries_contain_nothing_personal():
    """The chain has no name, club, contact or scorekeeper in clear text."""
    import msgspec

    pad = Pad(by="Scorekeeper Sue")
    pad.players("Ada Lovelace", tags={"club": "Harbour"}, contact="ada@example.org")
    pad.do(presence.drop(pad.change, ONE, reason="went to Harbour"))
    raw = b"".join(msgspec.json.encode(entry.op) + entry.by.encode() for entry in pad.entries)
    for word in (b"Ada", b"Harbour", b"example", b"went", b"Sue", b"Friday"):
        assert word not in raw


@with_rows(
    ("facts", "message"),
    [
        ({"name": "ADA"}, r"there is already a player ADA \(#1\)"),
        ({"name": "B", "rating": -1}, "a rating is between"),
        ({"name": "B", "rating": 99_999}, "a rating is between"),
        ({"name": "B", "table": 0}, "there is no table 0: tables are numbered from 1"),
        ({"name": "B", "late": "never"}, "`never` is not a kind of bye for missed rounds"),
        ({"name": "B", "byes": {1: "holiday"}}, "`holiday` is not a kind of bye"),
        ({"name": "B", "byes": {0: "half-bye"}}, "there is no round 0"),
        ({"name": "B", "tags": {"club": "x" * 101}}, "a club may have at most 100 characters"),
        ({"name": "B", "contact": "a\nb"}, "a contact cannot contain U\\+000A"),
        ({"name": ""}, "a name needs at least one letter"),
    ],
)
def test_impossible_registrations_are_refused(facts, message):
    """Each fault has its own message."""
    pad = Pad("Ada")
    with pytest.raises(TourneyError, match=message):
        players.add(pad.change, [Registration(**facts)])


def test_a_list_is_all_or_none_and_names_the_line():
    """With a name twice in a list, the refusal names the second line and registers no player."""
    pad = Pad()
    wanted = [
        Registration(name="Ada", place="list:1"),
        Registration(name="Ben", place="list:2"),
        Registration(name="ada", place="list:3"),
    ]
    with pytest.raises(TourneyError, match=r"^list:3: two new players have the same name: ada"):
        players.add(pad.change, wanted)


def test_an_import_skips_registered_players():
    """Importing the same list again succeeds and registers no player."""
    pad = Pad("Ada")
    wanted = [Registration(name="Ada"), Registration(name="Ben")]
    decision = players.add(pad.change, wanted, skip_known=True)
    assert len(decision.op.players) == 1
    assert decision.warnings == ("already registered, so left out: Ada",)
    pad.do(decision)
    again = players.add(pad.change, wanted, skip_known=True)
    assert (again.op, again.already) == (None, "Every player is already registered")


def test_no_registration_after_the_cut_and_no_entry_after_closing():
    """Both are refused."""
    pad = Pad("Ada", "Ben")
    pad.write(ops.CutMade(players=(ONE, TWO), after=0))
    with pytest.raises(TourneyError, match="the cut was made"):
        players.add(pad.change, [Registration(name="Cleo")])
    closed(pad)
    decisions = [
        lambda: players.add(pad.change, [Registration(name="Cleo")]),
        lambda: players.rename(pad.change, ONE, "Ida"),
        lambda: presence.drop(pad.change, ONE),
        lambda: presence.return_(pad.change, ONE),
        lambda: presence.disqualify(pad.change, ONE),
        lambda: presence.check_in(pad.change, ONE),
        lambda: players.change_facts(pad.change, ONE, Facts(rating=1)),
        lambda: decks.waive(pad.change, ONE),
    ]
    for decision in decisions:
        with pytest.raises(TourneyError, match="the event is closed") as refusal:
            decision()
        assert "event reopen" in refusal.value.hint


def test_a_late_player_plays_from_the_next_round():
    """Even if a round is being played."""
    pad = Pad("Ada", "Ben")
    pad.pair((1, 2))
    pad.players("Cleo")
    assert pad.state.players[PlayerId(3)].since == 2


def test_renaming():
    """The case of a name can change; another player's name is refused."""
    pad = Pad("ada", "Ben")
    pad.do(players.rename(pad.change, ONE, "Ada"))
    assert pad.state.players[ONE].name == "Ada"
    assert players.rename(pad.change, ONE, "Ada").already == "#1 is already called Ada"
    with pytest.raises(TourneyError, match=r"there is already a player Ben \(#2\)"):
        players.rename(pad.change, ONE, "BEN")


def test_dropping_twice_writes_nothing():
    """Of two players, only the one still in the event is dropped."""
    pad = Pad("Ada", "Ben")
    pad.do(presence.drop(pad.change, ONE))
    assert presence.drop(pad.change, ONE).already == "Ada already left the event"
    assert presence.drop(pad.change, ONE, TWO, TWO).op.players == (2,)


def test_dropping_from_an_open_table_warns():
    """The drop counts from the next round on, so the table still needs a result."""
    pad = Pad("Ada", "Ben")
    pad.pair((1, 2))
    warning = presence.drop(pad.change, TWO).warnings[0]
    assert "Ben still sits at table 1" in warning
    assert "add 1 ff2`" in warning
    pad.result(1, "w")
    assert presence.drop(pad.change, TWO).warnings == ()


def test_returning():
    """A player returns from the next round on, but not after a disqualification or the cut."""
    pad = Pad("Ada", "Ben")
    assert presence.return_(pad.change, ONE).already == "Ada is already playing"
    pad.do(presence.drop(pad.change, ONE))
    pad.do(presence.return_(pad.change, ONE))
    assert pad.state.players[ONE].playing
    pad.do(presence.disqualify(pad.change, ONE))
    assert presence.disqualify(pad.change, ONE).already == "Ada is already disqualified"
    with pytest.raises(TourneyError, match="Ada is disqualified"):
        presence.return_(pad.change, ONE)


def test_changing_facts():
    """Tags are added, replaced and removed; an empty change and an earlier bye are refused."""
    pad = Pad()
    pad.players("Ada", tags={"club": "Harbour", "city": "Mole"})
    pad.do(players.change_facts(pad.change, ONE, Facts(tags={"club": "", "team": "One"}, rating=1200)))
    player = pad.state.players[ONE]
    assert {kind: text for kind, (_, text) in player.tags.items()} == {"city": "Mole", "team": "One"}
    pad.do(players.change_facts(pad.change, ONE, Facts(rating=None)))
    assert pad.state.players[ONE].rating is None
    pad.players("Ben")
    pad.pair((1, 2))
    with pytest.raises(TourneyError, match="round 1 is already paired"):
        players.change_facts(pad.change, ONE, Facts(byes={1: "absent"}))
    with pytest.raises(TourneyError, match="name what to change for Ada"):
        players.change_facts(pad.change, ONE, Facts())


def test_players_with_the_same_contact_do_not_share_its_text():
    """Erasing one of them keeps the contact of the other."""
    pad = Pad("Ada", "Ben")
    wanted = [Registration(name=name, contact="x@example.org") for name in ("Ada", "Ben", "Cleo", "Dina")]
    pad.do(players.update(pad.change, wanted, pad.texts.get))
    contacts = [player.contact for player in pad.state.players.values()]
    assert len({*contacts}) == 4
    assert {pad.texts[contact] for contact in contacts} == {"x@example.org"}


def test_a_reason_is_kept_up_to_a_length():
    """Up to 500 characters."""
    pad = Pad("Ada")
    entry = pad.do(presence.drop(pad.change, ONE, reason="  ill  "))
    assert pad.say(entry) == "Ada left before round 1: ill"
    with pytest.raises(TourneyError, match="a reason may have at most 500 characters"):
        presence.drop(pad.change, ONE, reason="x" * 501) if pad.undo(entry) else None
    with pytest.raises(TourneyError, match="a remark may have at most 500 characters"):
        decks.record_check(pad.change, ONE, clean=True, problems="x" * 501)


def test_decks_waivers_and_check_in():
    """The last list counts; a second waiver writes nothing."""
    pad = Pad("Ada")
    for text, verdict, cards in (("60 X", "legal", None), ("61 X", "unverified", "{}")):
        deck = players.JudgedDeck(text=text, verdict=verdict, cards=cards)
        pad.do(decks.submit(pad.change, ONE, deck, lock_text=""))
    assert pad.texts[pad.state.players[ONE].deck.text] == "61 X"
    assert pad.state.players[ONE].deck.verdict == "unverified"
    pad.do(decks.waive(pad.change, ONE))
    assert decks.waive(pad.change, ONE).op is None
    pad.do(presence.check_in(pad.change, ONE))
    assert presence.check_in(pad.change, ONE).already == "Ada is already checked in"
    assert players.erase([ONE], ["a"], again=True).op == ops.PlayerErased(player=ONE, texts=("a",))
    assert players.erase([ONE], [], again=False).op == ops.PlayerErased(player=ONE, texts=())
    assert players.erase([ONE], [], again=True).op is None


# -- who is here, who did not show, and until when decks are taken


def test_no_player_is_absent_without_check_in():
    """Without check-in, round 1 does not wait, and `drop --absent` is refused."""
    pad = Pad("Ada", "Ben", "Cleo")
    assert presence.absent(pad.state) == ()
    with pytest.raises(TourneyError, match="no player is checked in yet"):
        presence.drop_absent(pad.change)


def test_players_not_checked_in_are_absent_before_round_one():
    """Except players who left, or have a bye in round 1."""
    pad = Pad("Ada", "Ben", "Cleo", "Dov")
    pad.players("Eve", awarded=1)
    pad.do(presence.check_in(pad.change, ONE))
    pad.do(presence.drop(pad.change, TWO))
    assert presence.absent(pad.state) == (3, 4)
    assert presence.absent_text(pad.state, (3, 4)) == "Cleo and Dov are not checked in"
    assert presence.present_text(pad.state) == "1 of 3 players is here"
    pad.do(presence.drop_absent(pad.change, reason="away"))
    assert [player_id.name for player_id in pad.state.playing] == ["Ada", "Eve"]
    assert presence.drop_absent(pad.change).already


def test_check_in_of_all_but_some():
    """A player checked in before stays checked in, with a warning."""
    pad = Pad("Ada", "Ben", "Cleo")
    pad.do(presence.check_in_all(pad.change, [TWO]))
    assert [player.checked_in for player in pad.state.players.values()] == [True, False, True]
    assert presence.check_in_all(pad.change, [TWO]).already
    again = presence.check_in_all(pad.change, [ONE])
    assert again.op.players == (2,)
    assert again.warnings == (
        "Ada was checked in before and still is: `tourney player drop NAME` drops a player who is not here",
    )


def test_no_shows_of_the_last_round_are_absent():
    """Only of the last round; both if neither showed. Players who left since are not listed."""
    pad = Pad("Ada", "Ben", "Cleo", "Dov")
    pad.pair((1, 2), (3, 4))
    pad.result(1, "ff2")
    pad.write(
        ops.ResultReported(
            round=1,
            results={
                2: Result((Seat(PlayerId(3), Outcome.FORFEIT_LOSS), Seat(PlayerId(4), Outcome.FORFEIT_LOSS)))
            },
        )
    )
    assert presence.absent(pad.state) == (2, 3, 4)
    pad.do(presence.drop(pad.change, PlayerId(3)))
    assert presence.absent_text(pad.state, (2, 4)) == "Ben and Dov did not show in round 1"
    pad.write(ops.EventChanged(settings={"no_show": "keep"}))
    assert presence.absent_text(pad.state, (2, 4)) == ""
    pad.pair((1, 2), byes=((4, "bye"),))
    pad.result(1, "w")
    assert presence.absent(pad.state) == ()


def test_missing_lists_are_warned_of_once_a_list_is_submitted():
    """The desk waits for them if it uses check-in, too, or has a deck lock."""
    pad = Pad("Ada", "Ben", "Cleo", "Dov", "Eve")
    assert decks.list_doubts(pad.state) == ()
    for number, verdict in enumerate(("legal", "unverified", "illegal", "unchecked"), 1):
        deck = players.JudgedDeck(text="60 X", verdict=verdict)
        pad.do(decks.submit(pad.change, PlayerId(number), deck, lock_text=""))
    messages = ("no decklist yet from Eve", "the deck of Cleo is illegal", "the deck of Dov is unchecked")
    assert decks.list_doubts(pad.state) == messages
    assert not decks.waits_for_lists(pad.state)
    pad.do(presence.check_in(pad.change, ONE, PlayerId(2), PlayerId(3), PlayerId(4), PlayerId(5)))
    assert decks.list_doubts(pad.state) == messages
    assert decks.waits_for_lists(pad.state)
    assert decks.unsettled_lists(pad.state) == ("the deck of Ben is unverified",)
    pad.do(decks.waive(pad.change, PlayerId(5)))
    assert decks.list_doubts(pad.state) == messages[1:]
    assert decks.list_doubts(Pad("Ada", "Ben", deck_lock="round-1").state) == (
        "no decklist yet from Ada and Ben",
    )


NOW = datetime(2026, 11, 20, 18, 0, tzinfo=timezone(timedelta(hours=1)))


@with_rows(
    ("text", "kept"),
    [
        ("round-1", "round-1"),
        ("", ""),
        ("19:30", "2026-11-20T19:30+01:00"),
        ("19:30:00", "2026-11-20T19:30+01:00"),
        ("2026-11-21 09:00", "2026-11-21T09:00+01:00"),
        ("2026-11-21T09:00-05:00", "2026-11-21T09:00-05:00"),
    ],
)
def test_a_typed_deck_lock(text, kept):
    """A time of day is today's, in the zone of the clock."""
    assert decks.lock_from(text, NOW) == kept
    assert Pad(deck_lock=kept).state.settings.decks.deck_lock == kept


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process is set on POSIX alone")
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("19:30", "2026-10-24T19:30+02:00"),
        ("2026-10-24 23:00", "2026-10-24T23:00+02:00"),
        ("2026-10-26 09:00", "2026-10-26T09:00+01:00"),
        ("2027-05-01T09:00", "2027-05-01T09:00+02:00"),
        ("2026-10-26T09:00+05:00", "2026-10-26T09:00+05:00"),
    ],
)
def test_a_deck_lock_has_the_offset_of_its_own_day(text, kept, monkeypatch):
    """The clocks may change before the lock."""
    with monkeypatch.context() as changed:
        changed.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        now = datetime(2026, 10, 24, 16, 0, tzinfo=UTC).astimezone()
        assert decks.lock_from(text, now) == kept
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process is set on POSIX alone")
@pytest.mark.parametrize(
    ("now", "text", "kept"),
    [
        ("2026-10-25T02:45+02:00", "02:50", "2026-10-25T02:50+02:00"),
        ("2026-10-25T02:45+01:00", "02:50", "2026-10-25T02:50+01:00"),
        ("2026-10-24T18:00+02:00", "2026-10-25T02:50", "2026-10-25T02:50+02:00"),
        ("2026-03-29T01:50+01:00", "02:30", "2026-03-29T03:30+02:00"),
    ],
)
def test_a_deck_lock_in_the_hour_of_the_clock_change_is_in_the_future(now, text, kept, monkeypatch):
    """In an hour that comes twice, and in one that is skipped."""
    with monkeypatch.context() as changed:
        changed.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        assert decks.lock_from(text, datetime.fromisoformat(now)) == kept
    time.tzset()


def test_a_deck_lock_is_shown_in_local_time():
    pad = Pad("Ada", "Ben", deck_lock="2026-11-20T18:00-05:00")
    assert decks.locked_since(pad.state, NOW + timedelta(days=1)) == "since 2026-11-21 00:00"


@with_rows("text", ["tea-time", "25:00", "2026-13-01T10:00", "round-2", "2026-11-20", "19:30 h"])
def test_an_invalid_deck_lock_is_refused(text):
    """When it is typed, and when it is read from a journal."""
    with pytest.raises(TourneyError, match="is not a time"):
        decks.lock_from(text, NOW)
    with pytest.raises(TourneyError, match="deck_lock"):
        Pad("Ada", deck_lock=text)


def test_decks_are_locked_from_the_set_time():
    """To the second. With `round-1`, from the pairing of round 1 until it is cancelled."""
    pad = Pad("Ada", "Ben", deck_lock="2026-11-20T18:00+01:00")
    assert decks.locked_since(pad.state, NOW - timedelta(seconds=1)) == ""
    assert decks.locked_since(pad.state, NOW) == "since 2026-11-20 18:00"
    pad = Pad("Ada", "Ben", deck_lock="round-1")
    assert decks.locked_since(pad.state, NOW) == ""
    pad.pair((1, 2))
    assert decks.locked_since(pad.state, NOW) == "since round 1 was paired"
    pad.undo(pad.last)
    assert decks.locked_since(pad.state, NOW) == ""


@with_rows("kind", ["drop", "disqualify"])
def test_a_drop_cancels_later_byes(kind):
    """Byes announced for later rounds are removed and named. Undo restores them."""
    pad = Pad("Ada", "Ben")
    pad.players("Cleo", byes={1: "absent", 2: "half-bye", 4: "absent"})
    cleo = PlayerId(3)
    pad.pair((1, 2), byes=[(3, "absent")])
    byes = dict(pad.state.players[cleo].byes)
    if kind == "drop":
        pad.do(presence.drop(pad.change, cleo, reason="ill"))
        text = "Cleo leaves after round 1 (the byes and absences in rounds 2 and 4 are cancelled): ill"
    else:
        pad.do(presence.disqualify(pad.change, cleo, "lied"))
        text = "Cleo was disqualified (the byes and absences in rounds 2 and 4 are cancelled): lied"
    assert pad.say(pad.last) == text
    assert dict(pad.state.players[cleo].byes) == {1: Outcome.ABSENT}
    pad.undo(pad.last)
    assert dict(pad.state.players[cleo].byes) == byes


def test_a_drop_without_byes_has_no_field_for_byes():
    """Its entry has the same bytes as in earlier versions."""
    import msgspec

    pad = Pad("Ada", "Ben")
    op = presence.drop(pad.change, PlayerId(1)).op
    assert msgspec.json.decode(msgspec.json.encode(op)) == {
        "op": "player.dropped",
        "players": [1],
        "after": 0,
    }


def test_a_no_show_dropped_by_a_pairing_loses_later_byes():
    """The event that is paired equals the event that is recorded."""
    pad = Pad("Ada", "Ben", "Cleo", no_show="drop")
    pad.players("Dora", byes={3: "half-bye"})
    pad.pair((1, 4), (2, 3))
    pad.result(1, "ff2")
    pad.result(2, "1-0")
    after, op = presence.without_no_shows(pad.change)
    assert op.cancelled == ((4, 3),)
    pad.write(op)
    assert pad.state.players[PlayerId(4)] == after.players[PlayerId(4)]
    assert pad.state.players[PlayerId(4)].byes == {}
