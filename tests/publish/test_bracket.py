"""The page of the bracket: how seats are filled, drawn and described in each phase."""

import random
import re
from xml.etree import ElementTree

import pytest

from tests.desk.kit import new_desk, play
from tourney.desk import event_view
from tourney.event.rounds import Manner
from tourney.publish import render
from tourney.publish.pictures import MOST_DRAWN, bracket_picture, shorten

HOSTILE = (
    "<script>alert(1)</script>",
    "</svg><img src=x onerror=alert(1)>",
    '" onload="alert(1)',
    "&amp;",
    "{{ 7*7 }}",
    "]]>",
)
SVG = "{http://www.w3.org/2000/svg}"


def people(number):
    return [f"Player {place}" for place in range(1, number + 1)]


def entered_one_by_one(desk, dice):
    """Play the bracket to its end in random order; yield after each pairing and entry."""
    while not (desk.state.cut and event_view(desk, with_reasons=False).champion):
        desk.pair_round()
        yield
        tables = list(desk.state.round.tables)
        dice.shuffle(tables)
        for table in tables:
            desk.report_block([f"{table} {dice.choice(['2-0', '1-2'])}"])
            yield


@pytest.mark.parametrize(
    ("players", "settings"),
    [
        (2, {}), (3, {}), (8, {"third_place": True}), (11, {}), (16, {}),
        (2, {"double": True}), (5, {"double": True}), (8, {"double": True}), (13, {"double": True}),
    ],
)  # fmt: skip
def test_a_seat_is_filled_as_soon_as_its_match_is_decided(tmp_path, players, settings):
    """Checked against the results themselves after every entry, until the bracket has a winner."""
    dice = random.Random(players)
    with new_desk(tmp_path, *people(players), system="elimination", best_of=3, **settings) as desk:
        looked = 0
        for _ in entered_one_by_one(desk, dice):
            looked += 1
            bracket = event_view(desk, with_reasons=False).bracket
            matches = {match.label: match for stage in bracket.stages for match in stage.matches}
            playing = {table.label for table in desk.state.round.open_tables}
            assert {label for label, match in matches.items() if match.state == "playing"} == playing
            for match in matches.values():
                for seat in match.seats:
                    if not seat.kind:
                        continue
                    before = matches[seat.of]
                    decided = before.state in {"done", "bye", "empty"}
                    [first] = [seat.player for seat in before.seats if seat.won] or [None]
                    if before.state == "bye":
                        first = next(seat.player for seat in before.seats if seat.player)
                    others = [seat.player for seat in before.seats if seat.player != first]
                    due = ([first] if seat.kind == "winner" else others) if decided else [None]
                    assert seat.player in due, (match.label, seat)
        assert looked >= players - 1
        final = event_view(desk, with_reasons=False)
        won = [seat.name for seat in final.bracket.stages[-1].matches[0].seats if seat.won]
        if not settings.get("third_place"):
            assert won == [final.champion]


def test_reseeded_seats_stay_empty_until_the_round_is_complete(tmp_path):
    """With reseeding, all pairings depend on every match of the round before."""
    with new_desk(tmp_path, *people(9), rounds=1) as desk:
        play(desk)
        desk.cut(8, reseed=True, lot=True)
        desk.pair_round()
        desk.report_block(["1 w", "2 w", "3 l"])
        semis = event_view(desk).bracket.stages[1]
        assert all(seat.player is None for match in semis.matches for seat in match.seats)
        desk.report_block(["4 w"])
        semis = event_view(desk).bracket.stages[1]
        assert all(seat.player is not None for match in semis.matches for seat in match.seats)


def test_a_bracket_is_shown_when_made_unless_it_is_held_back(tmp_path):
    """The seeds stand in their seats before the first match is paired."""
    with new_desk(tmp_path, *people(9), rounds=1) as desk:
        assert event_view(desk).bracket is None
        play(desk)
        assert "bracket.html" not in render(event_view(desk), ["html"])
        desk.cut(4)
        view = event_view(desk)
        assert [match.state for match in view.bracket.stages[0].matches] == ["open", "open"]
        page = render(view, ["html"])["bracket.html"].decode()
        assert "the first round of the bracket is not paired yet" in page
        desk.pair_round(manner=Manner(hold_back=True))
        assert render(event_view(desk), ["html"])["bracket.html"].decode() == page


def picture_of(page):
    return ElementTree.fromstring(re.search(r"<svg.*?</svg>", page, re.S).group())


def test_names_are_escaped_and_complete_in_picture_and_text(tmp_path):
    """The picture is well-formed SVG with a title and no script; names are in it and below it."""
    with new_desk(tmp_path, system="elimination", double=True) as desk:
        desk.add_players([*HOSTILE, "A" * 40])
        play(desk)
        view = event_view(desk)
    files = {path: content.decode() for path, content in render(view, ["html"]).items()}
    page = files["bracket.html"]
    svg = picture_of(page)
    assert {element.tag.removeprefix(SVG) for element in svg.iter()} == {
        "svg",
        "title",
        "desc",
        "path",
        "text",
        "tspan",
        "g",
        "rect",
        "a",
    }
    assert {key for element in svg.iter() for key in element.attrib if key.startswith("on")} == set()
    assert svg.find(f"{SVG}title").text == "Bracket: Friday"
    assert "matches are decided" in svg.find(f"{SVG}desc").text
    shown = {text for element in svg.iter() if element.text for text in [element.text]}
    assert {shorten(name, 20) for name in HOSTILE} <= shown
    assert "A" * 40 in shown, "the whole of a shortened name is its title"
    assert "<script>alert" not in page
    assert "<img" not in page
    assert page.count('href="https') == page.count("src=http") == 0


def test_a_large_bracket_draws_its_last_rounds_and_links_the_rest(tmp_path):
    """The page of a bracket of 200 players stays under 100 kB."""
    with new_desk(tmp_path, *people(200), system="elimination") as desk:
        play(desk)
        view = event_view(desk, with_reasons=False)
    picture = bracket_picture(view.bracket)
    assert sum(len(stage.matches) for stage in picture.stages) <= MOST_DRAWN
    page = render(view, ["html"])["bracket.html"]
    assert len(page) < 100_000
    assert b'<a class="more" href="round-1.html">Round of 256</a>' in page, picture.earlier


def test_no_two_matches_of_a_picture_overlap(tmp_path):
    """For single elimination with a match for third place, and for double elimination."""
    for number, settings in ((8, {"third_place": True}), (13, {"double": True}), (2, {"double": True})):
        folder = tmp_path / str(number) / str(len(settings))
        folder.mkdir(parents=True)
        with new_desk(folder, *people(number), system="elimination", **settings) as desk:
            play(desk)
            picture = bracket_picture(event_view(desk, with_reasons=False).bracket)
        boxes = [(match.x, match.y - 18, match.x + 232, match.y + match.height) for match in picture.matches]
        for place, (left, top, right, bottom) in enumerate(boxes):
            assert left >= 0 <= top
            assert (right, bottom) <= (picture.width, picture.height)
            assert bottom <= picture.height
            for other in boxes[:place]:
                apart = left >= other[2] or other[0] >= right or top >= other[3] or other[1] >= bottom
                assert apart, (number, settings)


def test_a_double_bracket_shows_a_replayed_final_and_its_champion(tmp_path):
    """The note stands below the final while that is open; the champion stands above the picture."""
    with new_desk(tmp_path, *people(7), system="elimination", double=True) as desk:
        desk.pair_round()
        view = event_view(desk, with_reasons=False)
        picture = bracket_picture(view.bracket)
        [final, again] = [match for match in picture.matches if match.match.label.startswith("Final")]
        assert (final.match.label, again.match.label) == ("Final", "Final reset")
        assert final.x == again.x > max(match.x for match in picture.matches if match not in (final, again))
        assert again.y > final.y + final.height
        page = render(view, ["html"])["bracket.html"].decode()
        assert "Final reset · if needed</text>" in page
        assert "Final reset · only if the player from the lower bracket wins the final" in page
        assert "Champion" not in page
        desk.report_block(f"{table} w" for table in desk.state.round.playing)
        while not event_view(desk, with_reasons=False).champion:
            play(desk)
        view = event_view(desk, with_reasons=False)
    page = render(view, ["html"])["bracket.html"].decode()
    assert re.search(rf'Champion: <a href="player/\d+.html"><bdi>{view.champion}</bdi>', page)
    assert "if needed" not in page
    assert "only if" not in page


def test_tables_of_different_kinds_are_labelled_on_every_page(tmp_path):
    """The upper and the lower bracket play at once; pages, wall sheet, slips and data name each."""
    with new_desk(
        tmp_path,
        *people(4),
        system="elimination",
        double=True,
        publish_to="pages",
        address="https://e.example",
    ) as desk:
        desk.pair_round()
        desk.report_block(["1 w", "2 w"])
        first = render(event_view(desk))
        desk.pair_round()
        pages = render(event_view(desk))
    both = ("Upper final", "Lower round 1")
    assert not any(
        re.search("Upper round 1, match", first[path].decode()) for path in ("round-1.html", "round-1.md")
    )
    for path in (
        "round-2.html",
        "round-2.md",
        "round-2.csv",
        "round-2.txt",
        "sheets/slips.html",
        "sheets/pairings.html",
    ):
        text = re.sub(
            r"(?s)<nav.*?</nav>|<h1.*?</h1>|<title.*?</title>|[Uu]pper final and lower round 1",
            "",
            pages[path].decode(),
        )
        assert all(kind in text for kind in both), path
    assert (
        "Upper final" in pages["player/1.html"].decode() or "Lower round 1" in pages["player/1.html"].decode()
    )
