"""Posts: each message once, again after a correction, and without hindering the desk."""

import json

import pytest
from msgspec.structs import replace

from tests.desk.kit import new_desk
from tests.store.web import head, text
from tourney.desk import posting
from tourney.errors import TourneyError
from tourney.store.http import Http, Limits
from tourney.store.outbox import POSTED, Outbox, PostAddress

EIGHT = ("Ada", "Ben", "Cleo", "Dov", "Eve", "Finn", "Gus", "Hana")
HOOK = "/api/webhooks/1/TOPSECRET"
QUICK = Http(limits=Limits(deadline=3.0, silence=0.5, tries=2, pause=0.01))


@pytest.fixture
def server(server):
    """Return a server with a webhook that accepts posts."""
    server.answers[HOOK] = lambda _: iter([head(status="204 No Content")])
    return server


@pytest.fixture
def outbox(tmp_path, server):
    made = Outbox(tmp_path / "home")
    made.remember("friday", PostAddress(server.url(HOOK), insecure=True))
    return made


def titles(server):
    return [json.loads(request.body)["embeds"][0]["title"] for request in server.asked]


def test_messages_are_posted_once_and_again_after_a_correction(tmp_path, server, outbox):
    """Pairings while they are useful, standings of complete rounds; corrections are marked."""

    def post(**how):
        (made,) = posting.post(desk, ["friday"], outbox=outbox, http=QUICK, **how)
        assert made.fault == ""
        return made.text

    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        assert post() == "friday: nothing new to post"
        desk.pair_round()
        assert post() == "friday: posted: pairings of round 1"
        assert post() == "friday: nothing new to post"
        desk.report(1, "1-0")
        assert post() == "friday: nothing new to post"
        for table in (2, 3, 4):
            desk.report(table, "1-0")
        assert post() == "friday: posted: standings after round 1"
        desk.pair_round()
        assert post() == "friday: posted: pairings of round 2"
        desk.swap(*(table.seats[0] for table in [*desk.state.round.tables.values()][:2]))
        assert post() == "friday: posted: pairings of round 2 (corrected)"
        assert post(kinds=["standings"]) == "friday: posted: standings after round 1"
    assert titles(server) == [
        "Round 1: pairings", "Standings after round 1", "Round 2: pairings", "Round 2: pairings",
        "Standings after round 1",
    ]  # fmt: skip


def test_a_dry_run_sends_and_records_nothing(tmp_path, server, outbox):
    """It shows the bodies, without the address."""
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        desk.pair_round()
        (made,) = posting.post(desk, ["friday"], outbox=outbox, trial=True)
    assert made.text == "friday: would be posted: pairings of round 1"
    assert made.bodies[0]["embeds"][0]["title"] == "Round 1: pairings"
    assert (server.asked, outbox.sent_posts()) == ([], {})


def test_a_post_in_parts_continues_where_it_stopped(tmp_path, server, outbox, monkeypatch):
    """Parts of the post that arrived are not sent again."""
    monkeypatch.setattr("tourney.publish.chat.LONGEST_EMBED", 30)
    broken = [2, 3]

    def answer(_):
        number = len(server.asked)
        yield head(status="503 Busy" if number in broken else "204 No Content")

    server.answers[HOOK] = answer
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        desk.pair_round()
        (first,) = posting.post(desk, ["friday"], outbox=outbox, http=QUICK)
        assert first.fault.startswith("pairings of round 1 (part 2 of 4): http://127.0.0.1:")
        (second,) = posting.post(desk, ["friday"], outbox=outbox, http=QUICK)
        assert second.text == "friday: posted: pairings of round 1"
    assert [title.rpartition("(")[2] for title in titles(server)] == [
        "1/4)",
        "2/4)",
        "2/4)",
        "2/4)",
        "3/4)",
        "4/4)",
    ]


def test_the_pause_requested_by_a_server_is_kept(tmp_path, server, outbox, monkeypatch):
    """Between two parts. A pause that is too long is an error."""
    monkeypatch.setattr("tourney.publish.chat.LONGEST_EMBED", 30)
    slept = []
    way = replace(QUICK, sleep=slept.append)
    waits = iter(["0.2", "0.2", "0.2", "9999"])
    server.answers[HOOK] = lambda _: iter(
        [head("X-RateLimit-Remaining: 0", f"X-RateLimit-Reset-After: {next(waits)}", status="204 No Content")]
    )
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        desk.pair_round()
        posting.post(desk, ["friday"], outbox=outbox, http=way)
        assert slept == [0, 0.2, 0.2, 0.2]
        server.answers[HOOK] = lambda _: iter(
            [head("X-RateLimit-Remaining: 0", "X-RateLimit-Reset-After: 9999", status="204 No Content")]
        )
        (made,) = posting.post(desk, ["friday"], outbox=outbox, http=way, kinds=["pairings"])
    assert "accepts no more posts for 9999 s" in made.fault


def test_a_failing_address_does_not_affect_others(tmp_path, server, outbox):
    """Each failing address is reported by its name."""
    outbox.remember("gone", PostAddress(server.url("/api/webhooks/2/GONE"), insecure=True))
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        desk.pair_round()
        gone, friday = posting.post(desk, ["gone", "friday"], outbox=outbox, http=QUICK)
        assert "refused the post: 404" in gone.fault
        assert friday.messages
        with pytest.raises(TourneyError, match="there is no saved address called `nobody`"):
            posting.post(desk, ["friday", "nobody"], outbox=outbox, http=QUICK)
    assert len(server.asked) == 2


def test_failures_between_rounds_are_warnings(tmp_path, server, outbox, monkeypatch):
    """The round is paired in any case."""
    monkeypatch.setattr(posting, "BETWEEN_ROUNDS", QUICK.limits)
    with new_desk(tmp_path, *EIGHT, rounds=3, post_to=("friday", "nobody", "lost")) as desk:
        outbox.remember("lost", PostAddress(server.url("/lost"), insecure=True))
        receipt = posting.with_posts(desk, desk.pair_round(), outbox)
        assert receipt.changed[-1] == "Posted to friday: pairings of round 1."
        unknown, lost = receipt.warnings
        assert unknown.startswith(
            "nothing was posted to nobody: there is no saved address called `nobody`; the change is saved"
        )
        assert lost.startswith("not posted to lost: pairings of round 1: http://127.0.0.1:")
        (tmp_path / "home" / POSTED).unlink()
        monkeypatch.setattr(posting, "_send", lambda *_: 1 / 0)
        (bug, *_) = posting.with_posts(desk, desk.last, outbox).warnings
        assert bug == "nothing was posted to friday: a bug (ZeroDivisionError); the change is saved"


def test_an_unwritable_record_of_posts_is_a_warning(tmp_path, server, outbox):
    """The message is posted."""
    outbox.remember("friday", PostAddress(server.url(HOOK), insecure=True))
    (tmp_path / "home" / "posted.json").mkdir()
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        desk.pair_round()
        (made,) = posting.post(desk, ["friday"], outbox=outbox, http=QUICK)
    assert made.messages
    assert made.warning.endswith("the same message will be posted again")


def test_a_generic_webhook_gets_text(tmp_path, server, outbox):
    """An object with a schema, whose `text` many chat programs show."""
    server.answers["/hook"] = lambda _: text("ok")
    outbox.remember("club", PostAddress(server.url("/hook"), insecure=True))
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        desk.pair_round()
        posting.post(desk, ["club"], outbox=outbox, http=QUICK)
    body = json.loads(server.asked[0].body)
    assert (body["schema"], body["kind"], body["round"], body["parts"]) == (
        "tourney.post/1",
        "pairings",
        1,
        1,
    )
    assert body["text"].splitlines()[2].startswith("Table 1: ")
