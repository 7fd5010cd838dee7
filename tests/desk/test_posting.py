"""What is posted when: what is new, once; again where it was corrected; and nothing of it hinders the desk."""

import json
from dataclasses import replace

import pytest

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
    """A server with a webhook that takes what is posted."""
    server.answers[HOOK] = lambda _: iter([head(status="204 No Content")])
    return server


@pytest.fixture
def outbox(tmp_path, server):
    made = Outbox(tmp_path / "home")
    made.remember("friday", PostAddress(server.url(HOOK), insecure=True))
    return made


def titles(server):
    return [json.loads(each.body)["embeds"][0]["title"] for each in server.asked]


def test_each_is_posted_once_and_again_where_it_was_corrected(tmp_path, server, outbox):
    """Pairings while they are of use, standings when a round is complete; a correction says that it is one."""

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
        "Round 1: pairings", "Standings after round 1", "Round 2: pairings", "Round 2: pairings", "Standings after round 1",
    ]  # fmt: skip


def test_a_trial_sends_nothing_and_remembers_nothing(tmp_path, server, outbox):
    """It shows the bodies, and the address in none of them."""
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        desk.pair_round()
        (made,) = posting.post(desk, ["friday"], outbox=outbox, trial=True)
    assert made.text == "friday: would be posted: pairings of round 1"
    assert made.bodies[0]["embeds"][0]["title"] == "Round 1: pairings"
    assert (server.asked, outbox.posted()) == ([], {})


def test_a_post_of_several_parts_goes_on_where_it_stopped(tmp_path, server, outbox, monkeypatch):
    """What arrived is not sent again."""
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
    assert [each.rpartition("(")[2] for each in titles(server)] == [
        "1/4)",
        "2/4)",
        "2/4)",
        "2/4)",
        "3/4)",
        "4/4)",
    ]


def test_the_pause_that_a_server_asks_for_is_kept(tmp_path, server, outbox, monkeypatch):
    """Between two parts; and one that is too long is told, not slept through."""
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
    assert "wants no more posts for 9999 s" in made.fault


def test_one_address_that_fails_hinders_no_other(tmp_path, server, outbox):
    """Each is told by its own name."""
    outbox.remember("gone", PostAddress(server.url("/api/webhooks/2/GONE"), insecure=True))
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        desk.pair_round()
        gone, friday = posting.post(desk, ["gone", "friday"], outbox=outbox, http=QUICK)
        assert "does not know this address" in gone.fault
        assert friday.sent
        with pytest.raises(TourneyError, match="there is no address called `nobody` here"):
            posting.post(desk, ["friday", "nobody"], outbox=outbox, http=QUICK)
    assert len(server.asked) == 2


def test_between_rounds_nothing_of_it_is_a_refusal(tmp_path, server, outbox, monkeypatch):
    """The round is paired: what goes wrong after that is a warning of it, whatever it is."""
    monkeypatch.setattr(posting, "BETWEEN_ROUNDS", QUICK.limits)
    with new_desk(tmp_path, *EIGHT, rounds=3, post_to=("friday", "nobody", "lost")) as desk:
        outbox.remember("lost", PostAddress(server.url("/lost"), insecure=True))
        receipt = posting.with_posts(desk, desk.pair_round(), outbox)
        assert receipt.changed[-1] == "Posted to friday: pairings of round 1."
        unknown, lost = receipt.warnings
        assert unknown.startswith(
            "nothing was posted to nobody: there is no address called `nobody` here; the change is saved"
        )
        assert lost.startswith("not posted to lost: pairings of round 1: http://127.0.0.1:")
        (tmp_path / "home" / POSTED).unlink()
        monkeypatch.setattr(posting, "_send", lambda *_: 1 / 0)
        (bug, *_) = posting.with_posts(desk, desk.last, outbox).warnings
        assert bug == "nothing was posted to friday: a bug (ZeroDivisionError); the change is saved"


def test_a_memory_that_cannot_be_written_is_a_warning(tmp_path, server, outbox):
    """It is posted; only that it was cannot be remembered."""
    outbox.remember("friday", PostAddress(server.url(HOOK), insecure=True))
    (tmp_path / "home" / "posted.json").mkdir()
    with new_desk(tmp_path, *EIGHT, rounds=3) as desk:
        desk.pair_round()
        (made,) = posting.post(desk, ["friday"], outbox=outbox, http=QUICK)
    assert made.sent
    assert made.warning.endswith("the same will be posted again")


def test_a_generic_webhook_gets_text(tmp_path, server, outbox):
    """An object under a schema of ours, whose `text` chats of many makes show."""
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
