"""Who may only read an event in a database sees what its pages show, and nothing else that is sealed."""

from html import unescape
from random import Random

import psycopg
import pytest

from tests.desk.kit import lent
from tests.desk.test_open_lists import ARSENAL, SECRET
from tests.store.test_postgres import as_role
from tourney.desk import Desk
from tourney.desk.views import event_view
from tourney.errors import TourneyError
from tourney.event import rounds
from tourney.event.exchange import results_of
from tourney.publish import render

NAMES = ("Mira Oake", "Tomo Reed", "Zora Quill", "Ann Lind", "Bo Marlow")


@pytest.fixture
def desk(postgres, database, monkeypatch):
    """An event of five with decklists, by somebody who may write."""
    monkeypatch.setenv("TOURNEY_PG", postgres.conninfo(database))
    with Desk.create(
        "pg:friday", name="Friday", format_name="redline/standard", banlist="none", rounds=3, **lent()
    ) as made:
        made.import_players("\n".join(NAMES), source="list")
        yield made


@pytest.fixture
def reader(postgres, database, desk, monkeypatch):
    """What opens the event as a reader does, and what SQL such a login may send."""
    with as_role(postgres, database, "tourney_reader") as address:

        def opened(event="pg:friday"):
            with monkeypatch.context() as patch:
                patch.setenv("TOURNEY_PG", address.conninfo)
                return Desk.open(event, **lent("Cem", seed="reader"))

        def sql(statement):
            with psycopg.connect(address.conninfo) as connection:
                return connection.execute(statement).fetchall()

        opened.sql = sql
        yield opened


def pages_of(desk):
    """Everything that publishing writes, in one text."""
    written = render(event_view(desk, why=False)).values()
    return unescape("\n".join(each.decode(errors="ignore") for each in written))


def seen_by(reader, where="digest <> '' AND digest NOT LIKE 'lot %'"):
    """Every sealed text that a reader's SQL can get at, or words of one."""
    bare = reader.sql("SELECT bytes FROM tourney.texts WHERE length(salt) > 0")
    assert not bare
    return [
        bytes(words).decode() for (words,) in reader.sql(f"SELECT words FROM tourney.shown WHERE {where}")
    ]


def is_within(desk, reader):
    """Hold what a reader sees against the pages of who sees all, and its own pages against them."""
    pages = pages_of(desk)
    for words in seen_by(reader, "digest <> ''"):
        for line in words.splitlines():
            assert line in pages, line
    with reader() as other:
        whole, told = event_view(desk, why=False), event_view(other, why=False)
        assert [each.name for each in told.players] == [each.name for each in whole.players]
        assert (told.name, told.bracket) == (whole.name, whole.bracket)
        assert (told.standings, told.settled, told.final) == (whole.standings, whole.settled, whole.final)
        assert [each.stale for each in told.rounds] == [each.stale for each in whole.rounds]
        assert [(each.player, each.text) for each in told.lists] == [
            (each.player, each.text) for each in whole.lists
        ]
        assert [(each.part, each.cards) for each in told.decks] == [
            (each.part, each.cards) for each in whole.decks
        ]


def test_a_reader_sees_who_plays_as_pages_call_them(desk, reader):
    """By name, by alias, shortened; not what else is known of them, and not a name that was given up."""
    desk.change_player("Tomo Reed", alias="Redwing", contact="tomo@example.org")
    desk.change_player("Zora Quill", minor=True, tags={"division": "Juniors", "club": "Harbour"})
    desk.rename("Bo Marlow", "Bo Marlowe")
    desk.drop("Ann Lind", reason="a secret reason")
    assert sorted(seen_by(reader)) == sorted(
        ["Friday", "Mira Oake", "Redwing", "Redwing", "Zora Q.", "Bo Marlowe", "Ann Lind"]
    )
    is_within(desk, reader)
    desk.change(public_names="short")
    assert {"Mira O.", "Bo M."} <= set(seen_by(reader))
    assert not {"Mira Oake", "Bo Marlowe"} & set(seen_by(reader))
    with reader() as other:
        assert other.withheld
        assert [each.name for each in other.state.players.values()] == [
            "Mira O.",
            "Redwing",
            "Zora Q.",
            "Ann L.",
            "Bo M.",
        ]
        assert not other.damaged
        told = results_of(other.state, other.standings(), other.texts.get).facts
        assert not any("contact" in facts for facts in told.values())


def test_a_reader_sees_lists_while_they_are_open(desk, reader):
    """Their cards, as pages have them, not the text that was handed in; closed again they are closed to readers."""
    for name in NAMES[:2]:
        desk.submit_deck(
            name,
            f"// by {name}, 0171-555\n{ARSENAL.format(card=f'{SECRET} of {name}')}",
            source="x",
            anyway=True,
        )
    assert not [words for words in seen_by(reader) if SECRET in words]
    with reader() as other:
        deck = other.state.players[1].deck.text
        with pytest.raises(TourneyError, match="is kept from this login, which only reads"):
            other.journal.text(deck)
        desk.change(decklists="all")
        desk.pair_round()
        other.refresh()
        assert "Anna Draga" in other.journal.text(deck)
        assert SECRET in other.journal.text(deck)
        assert not [words for words in seen_by(reader) if "0171" in words]
        is_within(desk, reader)
        desk.erase("Tomo Reed")
        assert len([words for words in seen_by(reader) if SECRET in words]) == 1
        desk.change(decklists="closed")
        assert not [words for words in seen_by(reader) if SECRET in words]
        is_within(desk, reader)


def test_lists_are_told_anew_when_other_rules_say_what_their_cards_are(desk, reader, postgres, database):
    """A card may be called otherwise in the new pool; an entry that changes no rules reads no list again."""
    for player in list(desk.state.players):
        desk.submit_deck(player, ARSENAL.format(card=SECRET), source="x", anyway=True)
    desk.change(decklists="all")
    desk.pair_round()
    is_within(desk, reader)
    postgres.sql(
        "UPDATE tourney.shown SET words = 'an older name' WHERE position(%s::bytea in words) > 0",
        SECRET.encode(),
        database=database,
    )
    desk.report(1, "1-0")
    assert "an older name" in seen_by(reader)
    desk.rebase(on="2026-12-01", reason="new season")
    assert "an older name" not in seen_by(reader)
    is_within(desk, reader)


def test_whoever_is_erased_is_gone_for_readers_whoever_erases(desk, reader, postgres, database):
    """The tables see to it, also where texts are deleted by hand; nothing of it stays in their files, or in samples of them."""
    postgres.sql("ANALYZE", database=database)  # as the server does by itself now and then
    desk.erase("Mira Oake")
    assert "Mira Oake" not in seen_by(reader)
    postgres.sql("CHECKPOINT", database=database)
    assert not any(b"Mira Oake" in each.read_bytes() for each in postgres.files_of(database))
    assert "Tomo Reed" in seen_by(reader)
    ref = desk.state.players[2].name_ref
    postgres.sql(
        "UPDATE tourney.texts SET salt = NULL, bytes = NULL WHERE digest = %s", ref, database=database
    )
    assert "Tomo Reed" not in seen_by(reader)


def test_no_samples_are_taken_of_words(desk, reader, postgres, database):
    """Whoever may read a table sees the samples that its statistics keep, also of what was in it before."""
    postgres.sql("ANALYZE", database=database)
    sampled = reader.sql("SELECT tablename || '.' || attname FROM pg_stats WHERE schemaname = 'tourney'")
    assert ("shown.digest",) in sampled
    assert ("shown.words",) not in sampled


def test_a_name_that_pages_show_otherwise_now_is_read_anew(desk, reader):
    """By a reader who has had the event open all the while."""
    with reader() as other:
        assert other.state.players[1].name == "Mira Oake"
        desk.change(public_names="short")
        other.refresh()
        assert other.state.players[1].name == "Mira O."
        desk.rename("Mira Oake", "Mira Oakes")
        desk.change(public_names="full")
        other.refresh()
        assert other.state.players[1].name == "Mira Oakes"


def test_a_reader_has_the_lots_that_pages_show(desk, reader):
    """Whom nothing else parts stand as the pages have them; nothing tells where the lots are from."""
    assert len(seen_by(reader, "digest LIKE 'lot %'")) == len(NAMES)
    is_within(desk, reader)
    with reader() as other:
        assert [row.rank for row in other.standings().rows] == [1, 2, 3, 4, 5]
        assert other.journal.secret() is None
        desk.add_player("Cleo Vane")
        other.refresh()
        assert other.standings() == desk.standings()
        desk.undo()
        other.refresh()
        assert other.standings() == desk.standings()
        assert other.standings(profile="fab") == desk.standings(profile="fab")
    desk.change(profile="mtr")
    assert not seen_by(reader, "digest LIKE 'lot %'"), "a profile without a lot draws none"
    is_within(desk, reader)


def test_the_field_by_a_tag_is_not_for_readers(desk, reader, tmp_path):
    """Pages count the kinds of decks and name nobody's; a tag that a reader sees would be its player's."""
    own = tmp_path / "own.toml"
    own.write_text(
        'extends = "redline/standard"\n[format]\nid = "redline/own"\n[field]\nby = "tag:archetype"\n'
    )
    rules = {"format_name": str(own), "banlist": "none", "decklists": "all"}
    with Desk.create("pg:own", name="Own", **rules, **lent()) as made:
        made.add_player("Cleo Vane", tags={"archetype": "rush"})
        made.add_player("Ida Frost")
        made.pair_round()
        assert [each.name for each in event_view(made, why=False).field.kinds] == ["rush"]
    assert "rush" not in seen_by(reader)
    with reader("pg:own") as other:
        assert other.state.players[1].name == "Cleo Vane"
        assert event_view(other, why=False).field is None


def test_lots_that_wait_for_a_public_value_are_not_there_before_it(desk, reader):
    """Another value draws others."""
    desk.change(beacon="the lottery")
    assert not seen_by(reader, "digest LIKE 'lot %'")
    is_within(desk, reader)
    desk.enter_beacon("4 8 15")
    first = seen_by(reader, "digest LIKE 'lot %'")
    is_within(desk, reader)
    desk.undo()
    desk.enter_beacon("16 23 42")
    assert not set(first) & set(seen_by(reader, "digest LIKE 'lot %'"))
    is_within(desk, reader)


def test_what_was_written_without_it_is_opened_with_the_next_entry(desk, reader, postgres, database):
    """An event of older tables, or a copy."""
    postgres.sql("DELETE FROM tourney.shown", database=database)
    with reader() as other:
        assert other.state.players[1].name == "#1 (name withheld)"
        assert other.state.name == "an event"
    desk.pair_round()
    is_within(desk, reader)
    assert "Mira Oake" in seen_by(reader)


def test_nothing_is_sent_where_nothing_else_is_to_be_seen(desk, reader, monkeypatch):
    """A result costs readers nothing."""
    desk.pair_round()
    asked, run = [], type(desk.journal._database).run
    monkeypatch.setattr(
        type(desk.journal._database), "run", lambda *words: (asked.append(words[1]), run(*words))[1]
    )
    desk.report(1, "w")
    assert not [each for each in asked if "tourney.shown" in each and "FOR UPDATE" not in each]


def test_a_reader_cannot_change_what_is_shown(desk, reader):
    for statement in ("DELETE FROM tourney.shown", "UPDATE tourney.shown SET words = ''"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            reader.sql(f"{statement} RETURNING 1")


DONE = {
    "add": lambda desk, dice, who, n: desk.add_player(
        f"Newcomer {chr(65 + n % 26)}{n}x", contact=f"secret contact {n}", minor=dice.random() < 0.3
    ),
    "alias": lambda desk, dice, who, n: desk.change_player(who, alias=f"Alias{n} Xy"),
    "minor": lambda desk, dice, who, n: desk.change_player(who, minor=True),
    "tags": lambda desk, dice, who, n: desk.change_player(
        who, tags={"division": f"Division {n % 3}", "club": f"secret club {n}"}
    ),
    "divisions": lambda desk, dice, who, n: desk.change(
        public_divisions=dice.choice(["shown", "hidden", "careful"])
    ),
    "rename": lambda desk, dice, who, n: desk.rename(who, f"Renamed {chr(65 + n % 26)}{n}y"),
    "names": lambda desk, dice, who, n: desk.change(public_names=dice.choice(["full", "short"])),
    "lists": lambda desk, dice, who, n: desk.change(decklists=dice.choice(["closed", "all", "cut", "end"])),
    "deck": lambda desk, dice, who, n: desk.submit_deck(
        who, f"// secret remark {n}\n{ARSENAL.format(card=f'{SECRET} {n}')}", source="x", anyway=True
    ),
    "penalty": lambda desk, dice, who, n: desk.penalize(who, "warning", reason=f"secret reason {n}"),
    "drop": lambda desk, dice, who, n: desk.drop(who, reason=f"secret reason {n}"),
    "pair": lambda desk, dice, who, n: desk.pair_round(manner=rounds.Manner(held=dice.random() < 0.3)),
    "play": lambda desk, dice, who, n: desk.report_block(
        f"{each} w" for each in (desk.state.round.playing if desk.state.round else ())
    ),
    "release": lambda desk, dice, who, n: desk.release_round(),
    "cut": lambda desk, dice, who, n: desk.cut(2, lot=True),
    "erase": lambda desk, dice, who, n: desk.erase(who),
    "undo": lambda desk, dice, who, n: desk.undo(),
    "event": lambda desk, dice, who, n: desk.change(name=f"Friday {n}"),
    "close": lambda desk, dice, who, n: desk.close(),
    "reopen": lambda desk, dice, who, n: desk.reopen(reason=f"secret reason {n}"),
}


@pytest.mark.parametrize(
    "seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)]
)
def test_whatever_is_done_a_reader_sees_no_more_than_the_pages(desk, reader, seed):
    """Random desks: each change by itself."""
    dice, done = Random(seed), set()
    for number in range(60):
        what = dice.choice(list(DONE))
        try:
            DONE[what](desk, dice, dice.choice(list(desk.state.players)), number)
        except TourneyError:
            continue
        done.add(what)
        is_within(desk, reader)
        assert not [words for words in seen_by(reader) if "secret" in words]
    assert len(done) > len(DONE) / 2
