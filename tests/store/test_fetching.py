"""Fetched lists and pools are checked before they replace old ones, which are used offline."""

from datetime import UTC, date, datetime, timedelta

import pytest

from tests.store.web import tagged, text
from tourney.errors import TourneyError
from tourney.store.data import DataRoot, Library
from tourney.store.fetching import Fetcher
from tourney.store.http import Http, Limits, Unreachable

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LIST = '[cards]\n"Invented Comet" = 0\n"Invented Kraken" = 1\n'
LONGER = LIST + '"Invented Drum" = 0\n'
HEAD = (
    'game = "game"\ncomplete = true\n[attributes]\ncost = "number"\n[sets.core]\n[sets.more]\n[sets.named]\n'
)


def cards(*names):
    return "".join(f'{{"id": "{name.lower()}", "name": "{name}"}}\n' for name in names)


@pytest.fixture
def home(tmp_path):
    """A data folder with an open pool of a game."""
    pool = tmp_path / "home" / "cardpools" / "game" / "pool.toml"
    pool.parent.mkdir(parents=True)
    pool.write_text('game = "game"\ncomplete = false\n')
    return tmp_path / "home"


def fetcher(home, *, now=NOON, accept=False):
    limits = Limits(deadline=5, silence=1, tries=2)
    http = Http(insecure=True, limits=limits, sleep=lambda _: None)
    return Fetcher(library=Library([DataRoot.folder(home)]), http=http, now=now, accept=accept)


def days(home, name="game/main"):
    return {path.stem: path.read_text() for path in (home / "banlists" / name).glob("*")}


# -- ban lists


def test_a_list_is_installed_by_its_address(server, home):
    """`…/banlists/game/main/2026-01-01.toml` is the list game/main of that day."""
    server.answers["/x/banlists/game/main/2026-01-01.toml"] = tagged([LIST])
    outcome = fetcher(home).banlist(server.url("/x/banlists/game/main/2026-01-01.toml"))
    assert (outcome.name, outcome.day) == ("game/main", date(2026, 1, 1))
    assert [change.words for change in outcome.installed.changes] == [
        "Invented Comet: banned",
        "Invented Kraken: restricted to 1 copy",
    ]
    assert days(home) == {"2026-01-01": LIST}
    assert (
        Library([DataRoot.folder(home)]).banlist("game/main", date(2026, 5, 1)).cards["Invented Comet"] == 0
    )


def test_a_list_whose_address_has_no_name_or_day_must_be_named(server, home):
    """Nothing is guessed, and nothing is requested."""
    for path, message in (
        ("/list.toml", "not the day on which the list takes effect"),
        ("/2026-01-01.toml", "the list has no name"),
    ):
        with pytest.raises(TourneyError, match=message):
            fetcher(home).banlist(server.url(path))
    assert server.asked == []
    server.answers["/list.toml"] = tagged([LIST])
    fetcher(home).banlist(server.url("/list.toml"), "game/main", date(2026, 1, 1))
    assert days(home) == {"2026-01-01": LIST}


def fetch(home, server, **options):
    return fetcher(home, **options).banlist(server.url("/list"), "game/main", date(2026, 1, 1))


def test_a_list_that_has_not_changed_is_not_sent_again(server, home):
    """The second request has the ETag, and the installed list stays."""
    server.answers["/list"] = tagged([LIST])
    fetch(home, server)
    outcome = fetch(home, server, now=NOON + timedelta(hours=3))
    assert (outcome.installed, outcome.offline, outcome.age) == (None, None, "3 hours ago")
    assert "if-none-match" in server.asked[1].headers
    assert days(home) == {"2026-01-01": LIST}


def test_a_changed_list_replaces_the_old_one(server, home):
    """The changes are reported."""
    server.answers["/list"] = tagged([LIST, LONGER])
    fetch(home, server)
    outcome = fetch(home, server)
    assert [change.words for change in outcome.installed.changes] == ["Invented Drum: banned"]
    assert days(home) == {"2026-01-01": LONGER}


def test_a_list_that_was_edited_here_is_fetched_whole(server, home):
    """The ETag does not apply to a file that was edited here."""
    server.answers["/list"] = tagged([LIST])
    fetch(home, server)
    (home / "banlists/game/main/2026-01-01.toml").write_text(LONGER)
    fetch(home, server)
    assert "if-none-match" not in server.asked[1].headers
    assert days(home) == {"2026-01-01": LIST}


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ("[cards", "not readable as TOML"),
        ("[cards]\n'A' = -1\n", "0 bans a card"),
        ("[kards]\n", "unknown key `kards`"),
        ("", "the list is empty"),
        (b"[cards]\n'\xff' = 0\n", "not UTF-8"),
    ],
)
def test_an_invalid_list_does_not_replace_the_old_one(server, home, sent, message):
    """The file and the record of the fetch stay as they were."""
    server.answers["/list"] = tagged([LIST, sent, LIST])
    fetch(home, server)
    with pytest.raises(TourneyError, match=message):
        fetch(home, server)
    assert days(home) == {"2026-01-01": LIST}
    assert fetch(home, server).installed is None


def test_a_list_that_shrinks_is_refused_until_accepted(server, home):
    """From three entries to one."""
    server.answers["/list"] = tagged([LONGER, "[cards]\n'Invented Drum' = 0\n"])
    fetch(home, server)
    with pytest.raises(TourneyError, match="the list shrinks from 3 entries to 1") as refusal:
        fetch(home, server)
    assert "--accept" in refusal.value.hint
    assert fetch(home, server, accept=True).installed.overruled == ("the list shrinks from 3 entries to 1",)


def test_offline_the_cached_list_is_used_with_its_age(server, home):
    """If no server answers, the fetched copy is used, however old it is."""
    server.answers["/list"] = tagged([LIST])
    fetch(home, server)
    server.stop()
    outcome = fetch(home, server, now=NOON + timedelta(days=3))
    assert outcome.installed is None
    assert "refused" in outcome.offline
    assert outcome.age == "3 days ago"
    assert days(home) == {"2026-01-01": LIST}


def test_a_failing_server_counts_as_offline(server, home):
    """500 again and again."""
    server.answers["/list"] = lambda request: text(
        "" if request.before else LIST, status="500 Oops" if request.before else "200 OK"
    )
    fetch(home, server)
    assert "500 Internal Server Error" in fetch(home, server).offline


def test_offline_without_a_cached_list_is_refused(server, home):
    server.stop()
    with pytest.raises(Unreachable):
        fetch(home, server)
    assert not (home / "banlists").exists()


@pytest.mark.parametrize("record", ["{", '{"url": ' * 5_000, "[" * 100_000, "\xff"])
def test_a_damaged_record_of_a_fetch_is_ignored(server, home, record):
    """The file is fetched completely."""
    server.answers["/list"] = tagged([LIST])
    fetch(home, server)
    for place in (home / "fetched").iterdir():
        place.write_text(record, encoding="latin-1")
    fetch(home, server)
    assert "if-none-match" not in server.asked[1].headers


# -- pools


CORE, MORE = cards("Ant", "Bee", "Cat"), cards("Dog")


def serve_pool(server, heads=(HEAD,), core=(CORE,), more=(MORE,)):
    server.answers["/p/pool.toml"] = tagged(list(heads))
    server.answers["/p/core.jsonl"] = tagged(list(core))
    server.answers["/p/more.jsonl"] = tagged(list(more))


def names(home):
    return [card.name for card in Library([DataRoot.folder(home)]).pool("game")]


def test_a_pool_comes_with_its_sets(server, home):
    """`pool.toml`, and a file for each set; a set that is only described has none."""
    serve_pool(server)
    outcome = fetcher(home).pool(server.url("/p/pool.toml"))
    assert (outcome.name, len(outcome.installed.pool), outcome.installed.cards_before) == ("game", 4, 0)
    assert names(home) == ["Ant", "Bee", "Cat", "Dog"]
    assert sorted(path.name for path in (home / "cardpools/game").iterdir()) == [
        "core.jsonl", "more.jsonl", "pool.toml",
    ]  # fmt: skip


def test_only_the_changed_set_of_a_pool_is_sent(server, home):
    """Each file has its own ETag."""
    serve_pool(server, more=(cards("Dog"), cards("Dog", "Elk")))
    fetcher(home).pool(server.url("/p/pool.toml"))
    fetcher(home).pool(server.url("/p/pool.toml"))
    assert names(home) == ["Ant", "Bee", "Cat", "Dog", "Elk"]
    later = [request for request in server.asked[5:] if request.path != "/p/named.jsonl"]
    assert later
    assert all("if-none-match" in entry.headers for entry in later)
    third = fetcher(home, now=NOON + timedelta(days=1)).pool(server.url("/p/pool.toml"))
    assert (third.installed, third.offline, third.age, third.name) == (None, None, "1 day ago", "game")


def test_a_pool_that_changes_during_a_fetch_is_fetched_again(server, home):
    """`pool.toml` is requested again at the end, so that versions are never mixed."""
    newer = HEAD.replace("[sets.more]", "[sets.extra]")
    serve_pool(server, heads=(HEAD, newer))
    server.answers["/p/extra.jsonl"] = tagged([cards("Fox")])
    fetcher(home).pool(server.url("/p/pool.toml"))
    assert names(home) == ["Ant", "Bee", "Cat", "Fox"]


def test_a_pool_that_keeps_changing_is_refused(server, home):
    """The old pool stays."""
    serve_pool(server, heads=[f"# {number}\n{HEAD}" for number in range(20)])
    with pytest.raises(TourneyError, match="the pool changes while it is being fetched"):
        fetcher(home).pool(server.url("/p/pool.toml"))
    assert names(home) == []


@pytest.mark.parametrize(
    ("heads", "core", "message"),
    [
        ((HEAD,), ('{"name": "Ant", "cost": "x"}',), "cost: expected a number, found text"),
        ((HEAD,), (cards("Ant", "ANT"),), "the id `ant` is taken by Ant"),
        ((HEAD.replace('"game"\n', '"other"\n'),), (cards("Ant"),), "a pool of `other`, not of `game`"),
        (('game = "game"\n',), (cards("Ant"),), "the key `complete` is missing"),
        (
            (HEAD.replace("[sets.core]", '[sets."../../evil"]'),),
            (cards("Ant"),),
            "cannot be the name of a set file",
        ),
        (('game = "game"\ncomplete = true\n',), ("",), "there are no cards"),
    ],
)
def test_a_pool_with_faults_is_refused_and_the_old_one_stays(server, home, heads, core, message):
    """It is proofread first."""
    serve_pool(server)
    fetcher(home).pool(server.url("/p/pool.toml"))
    serve_pool(server, heads, core, more=("",))
    with pytest.raises(TourneyError, match=message):
        fetcher(home).pool(server.url("/p/pool.toml"), "game")
    assert names(home) == ["Ant", "Bee", "Cat", "Dog"]


def test_offline_the_cached_pool_is_used(server, home):
    """Without one, the error is that of the network."""
    serve_pool(server)
    url = server.url("/p/pool.toml")
    fetcher(home).pool(url)
    server.stop()
    outcome = fetcher(home, now=NOON + timedelta(hours=1)).pool(url)
    assert (outcome.name, outcome.installed, outcome.age) == ("game", None, "1 hour ago")
    assert outcome.offline is not None
    with pytest.raises(Unreachable):
        fetcher(home).pool(url + "?other")


def test_a_pool_that_shrinks_is_refused_until_accepted(server, home):
    """From four cards to one."""
    serve_pool(server, core=(cards("Ant", "Bee", "Cat"), cards("Ant")), more=(cards("Dog"), ""))
    url = server.url("/p/pool.toml")
    fetcher(home).pool(url)
    with pytest.raises(TourneyError, match="the number of cards shrinks from 4 to 1"):
        fetcher(home).pool(url)
    fetcher(home, accept=True).pool(url)
    assert names(home) == ["Ant"]
