"""Players' decklists on pages: from when the organizer opens them, until they are erased."""

import pytest

from tests.desk.kit import new_desk, play
from tests.publish.test_bracket import HOSTILE
from tourney.desk import erase, event_view, publish, submit_deck
from tourney.publish import render

ARSENAL = "General\n1 Anna Draga\nArsenal\n58 Basic Supply Drop\n2 {card}\n"
SECRET = "Invented Harrier"


def desk_with_lists(folder, *names, **settings):
    desk = new_desk(folder, *names, format_name="redline/standard", **settings)
    for name in names:
        submit_deck(desk, name, ARSENAL.format(card=f"{SECRET} of {name}"), source="list", anyway=True)
    return desk


def shown(desk):
    """Return the players whose lists are shown, and check that no other page has a list."""
    view = event_view(desk)
    for path, content in render(view).items():
        for player in desk.state.players.values():
            is_shown = f"{SECRET} of {player.name}".encode() in content
            if is_shown:
                assert path in {f"deck/{player.id}.html", f"deck/{player.id}.txt", "event.json"}, path
                assert player.id in {deck_list.player for deck_list in view.lists}
    return {deck_list.name for deck_list in view.lists}


NAMES = ("Mira", "Tomo", "Zora", "Ann", "Bo")


@pytest.mark.parametrize(
    ("setting", "phases"),
    [
        ("closed", (0, 0, 0, 0)),
        ("cut", (0, 0, 2, 2)),
        ("end", (0, 0, 0, 5)),
        ("all", (0, 5, 5, 5)),
    ],
)
def test_lists_are_open_from_the_set_phase(tmp_path, setting, phases):
    """Before round 1, in the rounds, from the cut, or at the end."""
    with desk_with_lists(tmp_path, *NAMES, rounds=1, decklists=setting) as desk:
        seen = [shown(desk)]
        play(desk)
        seen.append(shown(desk))
        desk.cut(2)
        seen.append(shown(desk))
        through = {desk.state.players[player].name for player in desk.state.cut.players}
        play(desk)
        desk.close()
        seen.append(shown(desk))
    assert tuple(map(len, seen)) == phases
    if setting == "cut":
        assert seen[2] == seen[3] == through


def test_lists_can_be_opened_and_closed_at_any_time(tmp_path):
    """Pages of an earlier entry show what was open then."""
    with desk_with_lists(tmp_path, *NAMES) as desk:
        play(desk)
        entry = desk.state.entry
        assert shown(desk) == set()
        desk.change(decklists="all")
        assert shown(desk) == set(NAMES)
        assert event_view(desk.as_of(entry)).lists == ()
        desk.change(decklists="closed")
        assert shown(desk) == set()


def test_an_erased_player_has_no_list(tmp_path):
    """Nor has a player without a list. Aliases and short names are on lists, too."""
    with desk_with_lists(tmp_path, "Mira Oake", "Tomo Reed", "Zora Quill", decklists="all") as desk:
        desk.add_player("Bo Marlow")
        play(desk)
        publish(desk, tmp_path / "pages")
        assert (tmp_path / "pages" / "deck" / "1.html").exists()
        erase(desk, "Mira Oake")
        assert {deck_list.player for deck_list in event_view(desk).lists} == {2, 3}
        publish(desk, tmp_path / "pages", ["csv"])
        assert not (tmp_path / "pages" / "deck" / "1.html").exists()
        assert not any(b"of Mira Oake" in path.read_bytes() for path in (tmp_path / "pages").rglob("*.*"))
        desk.change(public_names="short")
        assert [deck_list.name for deck_list in event_view(desk).lists] == ["Tomo R.", "Zora Q."]


def test_a_list_is_shown_by_zone_with_verdict_and_text(tmp_path):
    """The text can be read as the same deck, and the leader is beside the name."""
    with desk_with_lists(tmp_path, "Mira", "Tomo", decklists="all") as desk:
        play(desk)
        view = event_view(desk)
        [first, _] = view.lists
        assert [(name, total) for name, total, _ in first.zones] == [("General", 1), ("Arsenal", 60)]
        assert (first.total, first.led, view.leader) == (61, "Anna Draga", "general")
        assert first.verdict == desk.state.players[first.player].deck.verdict
        submit_deck(desk, "Tomo", first.text, source="copied", anyway=True)
        again = event_view(desk).lists[1]
        assert again.groups == first.groups
    page = render(view)["deck/1.html"].decode()
    assert "61 cards" in page
    assert f">{first.verdict}</b>" in page
    assert "<summary>As text</summary>" in page
    assert render(view)["deck/1.txt"].decode() == first.text


def test_cards_with_hostile_names_are_escaped(tmp_path):
    with new_desk(tmp_path, "Mira", "Tomo", decklists="all") as desk:
        text = "".join(f"1 {name}\n" for name in HOSTILE)
        submit_deck(desk, "Mira", text, source="list", anyway=True)
        play(desk)
        page = render(event_view(desk))["deck/1.html"].decode()
    assert "<script>alert" not in page
    assert "<img" not in page
    assert page.count("<script") == 1
    assert "onload=" not in page or "&#34; onload=" in page


def test_a_disqualified_player_is_marked_beside_the_list(tmp_path):
    """On the page of lists and on the list's own page."""
    with desk_with_lists(tmp_path, *NAMES, decklists="all") as desk:
        play(desk)
        desk.disqualify("Tomo", reason="marked cards")
        view = event_view(desk)
    [gone] = [deck_list.player for deck_list in view.lists if deck_list.name == "Tomo"]
    pages = {path: content.decode() for path, content in render(view).items()}
    marks = {path for path in pages if '<small class="mark">disqualified</small>' in pages[path]}
    assert {"lists.html", f"deck/{gone}.html", "standings.html"} <= marks
    assert not any(
        f"deck/{deck_list.player}.html" in marks for deck_list in view.lists if deck_list.player != gone
    )


def test_cards_of_unknown_type_are_last_under_a_heading(tmp_path):
    """The heading is shown if the pool knows some cards of the zone."""
    text = "General\nAnna Draga\nArsenal\n57 Basic Supply Drop\n2 Hibiscus\n1 Aardvark of Nobody\n"
    with new_desk(tmp_path, "Mira", "Tomo", format_name="redline/standard", decklists="all") as desk:
        submit_deck(desk, "Mira", text, source="list", anyway=True)
        play(desk)
        view = event_view(desk)
    [shown_list] = view.lists
    types = [group.type for name, _, groups in shown_list.zones if name == "Arsenal" for group in groups]
    assert len(types) > 1
    assert types[-1] == ""
    assert types[:-1] == sorted(filter(None, types))
    assert "<h3>Other cards <small>" in render(view)["deck/1.html"].decode()
