"""Decklists shared by all players or by a table: checked, stored and published."""

import html
from datetime import date

import pytest
from msgspec.structs import replace

from tests.desk.kit import library, new_desk
from tests.kit import with_rows
from tourney.cards import open_pool
from tourney.cli.round_running import round_text
from tourney.decks import check, part_of, read
from tourney.decks.reading.vocabulary import vocabulary_of
from tourney.desk import event_view, find_part, missing_list_warnings, share_deck, submit_deck
from tourney.desk.rules import KeptRules
from tourney.desk.shared_decks import sharable_parts, shared_deck_views, shared_text
from tourney.errors import TourneyError
from tourney.event.event_document import show
from tourney.event.ops import Kept
from tourney.event.state import State
from tourney.publish import render
from tourney.publish.sheets import sheet
from tourney.rules import Ruleset, parse_format

MISSIONS = "".join(f"3 Invented Ridge {number} {{type=mission}}\n" for number in range(1, 8))
CRITICAL = "16 Invented Breakdown {type=critical}\n"
ARSENAL = "General\n1 Anna Draga\nArsenal\n60 Basic Supply Drop\n"


def ruleset(name="redline/standard", **choices):
    format_ = library().format(name)
    return Ruleset(format_, None, library().pool_of(format_), date(2026, 10, 4), choices)


def listed(text, rules):
    return read(text, source="list", vocabulary=vocabulary_of(rules.format))


@with_rows(
    ("text", "zones"),
    [
        (f"Mission deck\n{MISSIONS}", ("missions",)),
        (MISSIONS, ("missions",)),
        (f"Missions\n{MISSIONS}Critical hits\n{CRITICAL}", ("missions", "critical")),
        (f"{ARSENAL}Missions\n{MISSIONS}", ()),
        (ARSENAL, ()),
        ("20 Nobody Knows\n", ()),
        (f"Sideboard\n{MISSIONS}", ()),
        ("", ()),
    ],
)
def test_a_part_is_recognized_by_header_or_cards(text, zones):
    """A whole deck, or an ambiguous list, is not a part."""
    rules = ruleset()
    assert part_of(listed(text, rules), rules) == zones


@with_rows(
    ("text", "broken"),
    [
        (MISSIONS, set()),
        (MISSIONS.replace("3", "2", 2), {"size"}),
        (MISSIONS.replace("3", "4", 1), {"mission-copies"}),
        (MISSIONS + "1 Anna Draga\n", {"wrong-zone"}),
    ],
)
def test_a_part_is_checked_by_its_own_rules(text, broken):
    """Size, copies and kind of missions, without rules for the rest of a deck."""
    rules = ruleset().part(("missions",))
    verdict = check(listed(text, rules), rules, trust_declared=True)
    assert {finding.rule for finding in verdict.findings} == broken


def test_rules_for_the_whole_deck_apply_if_a_part_can_break_them():
    """A limit over all zones applies; a minimum, and a rule about the leader, do not."""
    format_ = parse_format(
        """
        [format]
        id = "game/one"
        [leader]
        zone = "hero"
        [[zone]]
        id = "main"
        default = true
        [[zone]]
        id = "quests"
        size = 2
        shared = true
        [[limit]]
        id = "copies"
        by = "name"
        max = 1
        [[limit]]
        id = "least"
        min = 40
        [[limit]]
        id = "both"
        zones = ["main", "quests"]
        max = 3
        [[limit]]
        id = "led"
        zones = ["quests"]
        max = "leader.quests"
        [[require]]
        id = "whole"
        that = "size('main') > 3"
        """,
        source="one.toml",
        parent={}.__getitem__,
    )
    part = Ruleset(format_, None, open_pool("game"), date(2026, 10, 4)).part(("quests",)).format
    assert [placed.rule.id for placed in part.rules["limit"]] == ["copies", "both"]
    assert part.rules["limit"][1].rule.zones == ("quests",)
    assert (part.rules["require"], part.leader, part.default_zone) == ((), None, "quests")


def test_the_organizers_deck_is_for_all_players(tmp_path):
    """Missing until then, undone, on pages, sheets and in Markdown."""
    with new_desk(tmp_path, "Mira", "Tomo", format_name="redline/standard", missions="organizer") as desk:
        assert [doubt.split(" yet")[0] for doubt in missing_list_warnings(desk, [])] == [
            "the event has no mission deck",
            "the event has no critical hit deck",
        ]
        before = show(desk.state)
        assert before.shared == {}
        receipt = share_deck(desk, "Mission", MISSIONS, source="m.txt", trust_declared=True)
        assert (receipt.verdict, receipt.changed[0]) == (
            "legal",
            "The mission deck for all players is registered (legal, by the facts it declares) (entry 3).",
        )
        assert show(desk.state).shared["missions"].verdict == "legal"
        files = render(event_view(desk))
        for name in "decks.html", "decks.md", "sheets/decks.html":
            assert "3 Invented Ridge 7" in html.unescape(files[name].decode()).replace("<bdi>", "")
        assert b'href="decks.html"' in files["index.html"]
        desk.undo()
        assert show(desk.state) == before
        assert [view.verdict for view in shared_deck_views(desk)] == ["", ""]


def test_players_bring_their_own_lists_by_default(tmp_path):
    """A shared list needs the event's choice, and an illegal one the organizer."""
    with new_desk(tmp_path, format_name="redline/standard") as desk:
        with pytest.raises(TourneyError, match="every player brings their own mission deck") as refused:
            share_deck(desk, "missions", MISSIONS, source="m.txt")
        assert "--set missions=organizer" in refused.value.hint
        desk.change(missions="organizer")
        assert share_deck(desk, "missions", "1 Hardened Bunker\n", source="m.txt").entries == ()
        assert share_deck(desk, "missions", "1 Hardened Bunker\n", source="m.txt", anyway=True).entries == (
            3,
        )


@pytest.mark.parametrize(
    ("mira", "tomo", "message"),
    [
        ("A B C D E", "A B C D E", None),
        ("A B C D E", "a B  C D E", None),
        ("A B C D E", "A C B D E", "position 2 is B for Mira, C for Tomo"),
        ("A B C D E", "A B C D", "position 5 is E for Mira, nothing for Tomo"),
        ("A A C D E", "A C A D E", "position 2 is A for Mira, C for Tomo"),
        ("A B C D E", "", "no red line from Tomo"),
    ],
)
def test_players_at_a_table_need_the_same_layout(tmp_path, mira, tomo, message):
    """The layouts must have the same order. None is needed if the organizer sets one for all."""
    with new_desk(tmp_path, "Mira", "Tomo", format_name="redline/scenario") as desk:
        for name, layout in ("Mira", mira), ("Tomo", tomo):
            cards = "".join(f"1 {card} {{type=mission}}\n" for card in layout.split())
            text = ARSENAL + (f"Red line\n{cards}" if cards else "")
            submit_deck(desk, name, text, source="list", anyway=True)
        warnings = desk.pair_round().warnings
        assert any(message in warning for warning in warnings) if message else not warnings
        layout = "".join(f"1 {card} {{type=mission}}\n" for card in "VWXYZ")
        share_deck(desk, "layout", layout, source="list", trust_declared=True)
        seats = [(table.number, table.seats) for table in desk.state.round.tables.values()]
        assert not list(missing_list_warnings(desk, seats))


# -- without reading a format: may it say so?


def test_a_table_can_agree_on_a_layout_for_one_round(tmp_path):
    """It replaces both lists. Other tables and rounds are not affected."""

    def layout(cards):
        return "".join(f"1 {card} {{type=mission}}\n" for card in cards)

    with new_desk(tmp_path, "Mira", "Tomo", "Ada", "Ben", format_name="redline/scenario", rounds=3) as desk:
        desk.pair_round()

        def asked():
            tables = [(table.number, table.seats) for table in desk.state.round.tables.values()]
            return " ".join(missing_list_warnings(desk, tables))

        names = [desk.state.players[player].name for player in desk.state.round.tables[1].seats]
        assert all(name in asked() for name in ("Mira", "Tomo", "Ada", "Ben"))
        share_deck(desk, "layout", layout("VWXYZ"), table=1, source="l", trust_declared=True)
        assert not any(name in asked() for name in names)
        agreed = desk.state.round.agreed_at(desk.state.round.tables[1])
        assert [*agreed] == ["layout"]
        assert desk.state.round.agreed_at(desk.state.round.tables[2]) == {}
        assert shared_text(desk, find_part(desk, "layout"), 1) == layout("VWXYZ")
        share_deck(desk, "Red line", layout("ZYXWV"), table=1, source="l", trust_declared=True)
        assert shared_text(desk, find_part(desk, "layout"), 1) == layout("ZYXWV")
        desk.undo()
        assert shared_text(desk, find_part(desk, "layout"), 1) == layout("VWXYZ")
        with pytest.raises(TourneyError, match="has not registered its own red line"):
            shared_text(desk, find_part(desk, "layout"), 2)
        assert not share_deck(
            desk, "layout", layout("VWXY"), table=2, source="l", trust_declared=True
        ).entries
        desk.report("1..2", "1-0")
        desk.pair_round()
        assert all(name in asked() for name in ("Mira", "Tomo", "Ada", "Ben"))
        before = desk.state.rounds[0]
        assert before.agreed_at(before.tables[1])["layout"].entry == agreed["layout"].entry


def test_an_agreed_layout_is_shown_with_its_table(tmp_path):
    """On the page of the round, in Markdown and text, on its slip and row, nowhere else."""
    names = ("Hardened Bunker", "Invented Ford", "Invented Pass", "Invented Ridge", "Invented Marsh")
    text = "".join(f"1 {card} {{type=mission}}\n" for card in names)
    with new_desk(tmp_path, "Mira", "Tomo", "Ada", "Ben", format_name="redline/scenario", rounds=3) as desk:
        desk.pair_round()
        share_deck(desk, "layout", text, table=2, source="l", trust_declared=True)
        view = event_view(desk)
        assert [[deck.in_a_line for deck in table.decks] for table in view.rounds[0].tables] == [
            [],
            [", ".join(names)],
        ]
        assert round_text(view.rounds[0]).splitlines()[-1] == (
            f"table 2 has agreed upon its red line: {', '.join(names)}"
        )
        shown = {
            **{name: data.decode() for name, data in render(view).items() if name.startswith("round-1.")},
            **{kind: sheet(kind, view).decode() for kind in ("slips", "tables")},
        }
        for name in ("round-1.html", "round-1.md", "round-1.txt", "slips", "tables"):
            assert shown[name].count(", ".join(names)) == 1, name
        desk.report("1..2", "1-0")
        desk.pair_round()
        assert not any(table.decks for table in event_view(desk).rounds[1].tables)


@pytest.mark.parametrize("name", sorted(library().formats()))
def test_formats_with_shared_parts_are_recognized_without_parsing(tmp_path, name):
    """Most formats have none, and need not be parsed."""
    format_ = library().format(name)
    texts = {
        format_name: library().find_format(format_name).content.decode()
        for format_name in (name, *format_.parents)
    }
    assert may_say("shared", *texts.values()) or not sharable_parts(format_)


@with_rows(
    ("line", "may"),
    [
        ("shared = true", True),
        ('"shared" = true', True),
        ('"\\u0073hared" = true', True),
        ('{ title = "#1", shared = true }', True),
        ("zone.shared=true", True),
        ('title = """\n# a text\n"""\nshared = true', True),
        ("# nothing is shared here", False),
        ("  # shared", False),
        ("unshared = true", False),
        ("title = 'a'", False),
    ],
)
def test_a_key_is_found_in_any_notation_of_toml(line, may):
    assert may_say("shared", "[format]\nid = 'a'", f"[[zone]]\n{line}\n") is may


def may_say(key, *texts):
    kept = tuple(Kept(kind="format", name=str(number), text=str(number)) for number in range(len(texts)))
    rules = KeptRules(replace(State(), rules=kept), lambda ref: texts[int(ref)])
    return rules.format_may_say(key)
