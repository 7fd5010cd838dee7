"""Plain text for chats, and what is sent: within every limit, and no name is more than a name."""

import re

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.publish.sample import event
from tourney.publish import chat, render
from tourney.publish.chat import (
    LONGEST_CONTENT,
    LONGEST_TITLE,
    ChatMessage,
    pairings,
    payloads,
    quiet,
    service_of,
    standings,
)
from tourney.publish.language import language_called
from tourney.publish.markdown import _match, round_table


def message(lines, name="Cup", title="Round 1: pairings"):
    return ChatMessage(
        kind="pairings",
        round=1,
        event=name,
        what="",
        title=title,
        again=f"{title} (corrected)",
        lines=tuple(lines),
    )


def units(text):
    return len(text.encode("utf-16-le")) // 2


def test_pairings_are_a_line_a_table():
    """Who sits where, and who has a bye; no result, as it is posted before there are any."""
    made = pairings(event())
    assert made.text.splitlines()[:3] == [
        f"{event().name} · Round 1: pairings",
        "",
        "Table 1: Mira Oake – Tomo Reed",
    ]
    assert made.lines[-1] == "Bye: Bo"
    assert "2–0" not in made.text


def test_points_are_told_from_the_second_round_on():
    """In the first everybody has none."""
    assert pairings(event(2)).lines[0] == "Table 1: Mira Oake (2½) – Tomo Reed (2)"


def test_standings_are_a_line_a_place():
    """Those after the last complete round."""
    view = event()
    made = standings(replace(view, settled=view.standings))
    assert made.lines[0] == "1: Mira Oake, 2½ points, 2–0–1"


def test_a_name_from_right_to_left_turns_no_result_round():
    """Enclosed in isolates, else 2–0 beside it is shown as 0–2; in plain text, Markdown and what is posted."""
    view = event()
    table = view.rounds[0].tables[0]
    assert table.in_full == "2–0"
    seats = (replace(table.seats[0], name="דוד כהן"), replace(table.seats[1], name="محمد الفارسي"))
    first = replace(view.rounds[0], tables=(replace(table, seats=seats),))
    turned = replace(view, rounds=(first,))
    made = {name: make().decode() for name, make in chat.files(turned).items()}
    enclosed = [f"\u2068{seat.name}\u2069" for seat in seats]
    assert f"Table 1: {' – '.join(enclosed)} · 2–0" in made["round-1.txt"]
    assert pairings(turned).lines[0] == f"Table 1: {' – '.join(enclosed)}"
    for text in (round_table(turned, first, language_called("en")), _match(first.tables[0])):
        assert text.replace("**", "").count("\u2068") == 2
        assert all(name in text for name in enclosed)


def test_many_places_are_cut_and_counted():
    """A chat is no place for 200 lines; the pages have them."""
    view = event()
    many = replace(view.standings, rows=view.standings.rows * 10)
    made = standings(replace(view, settled=many))
    assert (len(made.lines), made.lines[-1]) == (33, "and 38 more players")


def test_there_is_nothing_before_the_first_round():
    """And none of it is made up."""
    view = event()
    early = replace(view, rounds=(), settled=replace(view.settled, after=0), final=None)
    assert (pairings(early), standings(early)) == (None, None)


def test_files_of_text_have_results():
    """What is pasted after the round says what came of it."""
    made = render(event(), ["text"])
    assert sorted(made) == ["round-1.txt", "standings.txt"]
    assert "Table 1: Mira Oake – Tomo Reed · 2–0\n" in made["round-1.txt"].decode()


def test_nobody_is_called_up_and_no_name_is_markup():
    """Discord takes mentions, links and stars from text; none of a name gets through."""
    (body,) = payloads(message(["@everyone <@123> *bold* [a](https://evil.example) ||x|| `y`"]), "discord")
    assert body["allowed_mentions"] == {"parse": []}
    said = body["embeds"][0]["description"]
    assert re.findall(r"(?<!\\)[*_`~|<>@\[\]#]|(?<!\\)://", said) == []


LETTERS = st.characters(exclude_characters="\n\r", exclude_categories=["Cs"])
LINES = st.lists(st.text(LETTERS, max_size=300), max_size=80)


@given(LINES, st.text(LETTERS, max_size=400), st.sampled_from(["discord", "webhook"]))
def test_every_body_is_within_the_limits_and_nothing_is_lost(lines, name, service):
    """However many lines there are, and however long: each is in some part, in order."""
    made = payloads(message([*lines, *lines, *lines], name, name), service)
    assert made
    for body in made:
        if service == "discord":
            (embed,) = body["embeds"]
            assert units(body["content"]) <= LONGEST_CONTENT
            assert units(embed["title"]) <= LONGEST_TITLE
            assert units(embed["description"]) <= 4096
            assert units(embed["title"]) + units(embed["description"]) <= 6000
        else:
            assert (body["part"], body["parts"]) == (made.index(body) + 1, len(made))
    if service == "webhook":
        said = [body["text"].partition("\n\n")[2] for body in made]
        assert "\n".join(said) == quiet("\n".join([*lines, *lines, *lines]))


def test_a_line_longer_than_a_post_is_cut():
    """Seen to be cut, and no letter of two units is halved."""
    (body,) = payloads(message(["😀" * 5000]), "discord")
    said = body["embeds"][0]["description"]
    assert units(said) <= 4000
    assert said.endswith("😀…")


def test_an_address_says_who_takes_it():
    """Discord by its path, whatever the host; what is not http by the library that knows the rest."""
    assert service_of("https://discord.com/api/v10/webhooks/1/x?wait=true") == "discord"
    assert service_of("https://discord.com/api/webhooks/1/x/slack") == "webhook"
    assert service_of("https://hooks.example.org/api") == "webhook"
    assert service_of("mailto://a:b@example.org") == "apprise"
