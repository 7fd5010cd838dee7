"""No view shows secrets to the wrong audience: planted secrets are searched in every view.

Personal codes are in a separate file (`tourney.store.devices`) that no view reads.
"""

import json
from datetime import datetime, timedelta

import pytest
from msgspec import to_builtins

from tests.desk.test_claims import phones
from tests.desk.test_open_lists import SECRET as CARD
from tests.desk.test_open_lists import desk_with_lists
from tourney.desk import views
from tourney.document import plain_value
from tourney.event import claims, decks, documents, names, showing
from tourney.event.entry import display_text
from tourney.event.event_document import show

NAMES = ("Mira Oake", "Tomo Reed", "Zora Finch", "Ann Brook")
MIRA, TOMO = 1, 2

SECRETS = {
    "name behind an alias": "Tomo Reed",
    "whole name of a minor": "Zora Finch",
    "contact": "tomo@planted.example",
    "reason of a penalty": "planted penalty",
    "reason of a drop": "planted drop",
    "reason of a dispute": "planted dispute",
    "reason of a call": "planted call",
    "note of a deck check": "planted check",
    "card of a closed list": CARD,
}
"""What staff may see, and others may not."""


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """Make an event with closed lists in round 2, with all `SECRETS`."""
    folder = tmp_path_factory.mktemp("audiences")
    with desk_with_lists(folder, *NAMES, rounds=3, best_of=3, sealed=True) as desk:
        desk.change_player("Tomo Reed", alias="Foxglove", contact=SECRETS["contact"])
        desk.change_player("Zora Finch", minor=True)
        desk.pair_round()
        desk.penalize("Tomo Reed", "warning", reason=SECRETS["reason of a penalty"])
        desk.record_audit("Tomo Reed", clean=False, problems=SECRETS["note of a deck check"])
        for table in desk.state.round.playing:
            desk.report(table, "2-0")
        desk.add_player("Bo Fern")
        desk.drop("Bo Fern", reason=SECRETS["reason of a drop"])
        desk.pair_round()
        seated = phones(desk, desk.state.round.table_of(MIRA).number)
        mira, other = sorted(seated, key=lambda phone: phone.player != MIRA)
        claim = mira.claim("2-0").entries[0]
        other.seat().dispute(claim, reason=SECRETS["reason of a dispute"])
        other.seat().call_judge(**other.shown, about=SECRETS["reason of a call"])
        yield desk


def a_match(desk):
    state = names.public(desk.state)
    return showing.match_view(state, state.round, MIRA, lambda *_: "", state.round.table_of(MIRA))


def a_page(desk):
    state = names.public(desk.state)
    standings = views.event_view(desk, with_reasons=False).standings
    pages = showing.player_views(state, showing.points_after(state, desk.profile()), standings, None, {})
    return next(page for page in pages if page.player == MIRA)


def a_claim(desk):
    state = names.public(desk.state)
    claim = state.round.table_of(MIRA).claim
    return [claims.table_status(state, MIRA), claims.claim_text(claim, state)]


def all_claims(desk):
    now = datetime.fromisoformat(desk.entries[-1].at) + timedelta(hours=1)
    return claims.open_claims(desk.state, now, desk.texts)


VIEWS = {
    "everyone": {
        "the pages": lambda desk: views.event_view(desk),
        "a round": lambda desk: views.event_view(desk, with_reasons=False).rounds[-1],
    },
    "one player": {"a match": a_match, "the own page": a_page, "the own report": a_claim},
    "staff": {
        "player list": lambda desk: [
            documents.player_row(player, desk.texts) for player in desk.state.players.values()
        ],
        "penalty list": lambda desk: [
            documents.penalty_row(desk.state, penalty, desk.texts) for penalty in desk.state.penalties
        ],
        "audit list": lambda desk: [*decks.deck_checks(desk.state, desk.texts)],
        "result claims": all_claims,
        "result missing": lambda desk: documents.open_tables(desk.state, {}),
        "round calls": lambda desk: claims.open_calls(desk.state, desk.texts),
        "round show": views.round_view,
        "event show": lambda desk: show(desk.state),
        "the event as TOML": lambda desk: showing.summary(desk.state),
    },
}


def encoded(view):
    return json.dumps(to_builtins(view, enc_hook=plain_value, str_keys=True), ensure_ascii=False)


@pytest.mark.parametrize(
    ("audience", "name"), [(audience, name) for audience, views in VIEWS.items() for name in views]
)
def test_no_view_shows_a_secret_to_the_wrong_audience(desk, audience, name):
    """Staff see everything but the secret behind the seeds until the event is closed."""
    shown = encoded(VIEWS[audience][name](desk))
    assert desk.journal.secret().hex() not in shown
    if audience != "staff":
        assert [secret for secret, text in SECRETS.items() if text in shown] == []


def test_the_secrets_are_in_the_event(desk):
    """Staff see every planted secret somewhere, so the other test is not empty."""
    seen = "".join(encoded(view(desk)) for view in VIEWS["staff"].values())
    log = "".join(line for entry in desk.log() for line in entry.lines)
    contact = display_text(desk.state.players[TOMO].contact, desk.texts)
    shown = f"{seen} {log} {desk.deck_text(TOMO)} {contact}"
    assert [secret for secret, text in SECRETS.items() if text not in shown] == []
