"""Text for chats and what is sent to them: within every limit, with names escaped."""

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


def test_pairings_have_a_line_for_each_table():
    """Tables and byes without results, since pairings are posted before there are any."""
    made = pairings(event())
    assert made.text.splitlines()[:3] == [
        f"{event().name} · Round 1: pairings",
        "",
        "Table 1: Mira Oake – Tomo Reed",
    ]
    assert made.lines[-1] == "Bye: Bo"
    assert "2–0" not in made.text


def test_points_are_shown_from_the_second_round_on():
    """In the first round everybody has none."""
    assert pairings(event(2)).lines[0] == "Table 1: Mira Oake (2½) – Tomo Reed (2)"


def test_standings_have_a_line_for_each_place():
    """They are the standings after the last complete round."""
    view = event()
    made = standings(replace(view, settled=view.standings))
    assert made.lines[0] == "1: Mira Oake, 2½ points, 2–0–1"


def test_a_right_to_left_name_does_not_reverse_a_result():
    """Without isolates around the name, 2–0 beside it would be shown as 0–2."""
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


def test_long_standings_are_shortened_with_a_count():
    """A post does not have all 200 lines; the pages do."""
    view = event()
    many = replace(view.standings, rows=view.standings.rows * 10)
    made = standings(replace(view, settled=many))
    assert (len(made.lines), made.lines[-1]) == (33, "and 38 more players")


def test_nothing_is_posted_before_the_first_round():
    view = event()
    early = replace(view, rounds=(), settled=replace(view.settled, after=0), final=None)
    assert (pairings(early), standings(early)) == (None, None)


def test_text_files_include_results():
    """They are pasted after the round is over."""
    made = render(event(), ["text"])
    assert sorted(made) == ["round-1.txt", "standings.txt"]
    assert "Table 1: Mira Oake – Tomo Reed · 2–0\n" in made["round-1.txt"].decode()


def test_names_mention_nobody_and_are_no_markup():
    """Discord reads mentions, links and emphasis in text; none of a name gets through."""
    (body,) = payloads(message(["@everyone <@123> *bold* [a](https://evil.example) ||x|| `y`"]), "discord")
    assert body["allowed_mentions"] == {"parse": []}
    description = body["embeds"][0]["description"]
    assert re.findall(r"(?<!\\)[*_`~|<>@\[\]#]|(?<!\\)://", description) == []


LETTERS = st.characters(exclude_characters="\n\r", exclude_categories=["Cs"])
LINES = st.lists(st.text(LETTERS, max_size=300), max_size=80)


@given(LINES, st.text(LETTERS, max_size=400), st.sampled_from(["discord", "webhook"]))
def test_every_post_is_within_the_limits_and_no_line_is_lost(lines, name, service):
    """Whatever the number and the length of the lines, each is in a part, in order."""
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
        texts = [body["text"].partition("\n\n")[2] for body in made]
        assert "\n".join(texts) == quiet("\n".join([*lines, *lines, *lines]))


def test_a_line_longer_than_a_post_is_shortened():
    """The cut is visible, and no character of two UTF-16 units is halved."""
    (body,) = payloads(message(["😀" * 5000]), "discord")
    description = body["embeds"][0]["description"]
    assert units(description) <= 4000
    assert description.endswith("😀…")


def test_the_service_is_known_by_its_address():
    """Discord by its path on any host; anything but http goes to Apprise."""
    assert service_of("https://discord.com/api/v10/webhooks/1/x?wait=true") == "discord"
    assert service_of("https://discord.com/api/webhooks/1/x/slack") == "webhook"
    assert service_of("https://hooks.example.org/api") == "webhook"
    assert service_of("mailto://a:b@example.org") == "apprise"
