"""Catalogs, and the pseudo-language that shows which texts of pages are not translated."""

import pickle
import re

import pytest

pytest.importorskip("babel")

from scripts.catalogs import compiled, outdated
from tests.desk.kit import new_desk
from tests.publish.pseudo import pseudo_language, untranslated
from tourney.desk import event_view
from tourney.publish import render, sheets
from tourney.publish.language import Language, in_points
from tourney.wording import Message, sentence

IN_ENGLISH = {"game.html", "game.md", "verification.md"}
"""The game's own text, and a file for programs and their users."""

DATA = re.compile(
    r"(?i)Friday|red-diamond/standard|\d{4}-\d\d-\d\d|tourney( swiss \d)?|victory "
    r"points?|Goal|\(tourney's own rule, after .*\)"
    r"|[\w-]+(/[\w-]+)?\.(csv|json|md|txt|html)|\d+ \(victory points that win.*|review the ban list.*"
    r"|\b[0-9a-f]{5,}\b"
)
"""Names of the event, its files, its profile and its format, and the format's own words."""

NOT_YET = {
    "names of tie-breaks": r"(opponents' )*(game|match)-win %(: Magic.*)?|, points: "
    r"\d|\b(head-to-head|lot)\b(: .*)?",
    "explanations of places": r".*\b(beat|level|nothing counted|raised to|not used|nobody else|lost to|of \d "
    r"games|not counted|under|bye: \d)\b.*",
    "proofs": r"optimal \(meets the bound\)",
}
"""Sentences of the core that are not `Message`s yet, by kind. Take a row out when they are."""


def shown_by(folder, **settings):
    """Give the event's view at each step, from the first table to the last."""
    names = [f"P{letter}X" for letter in "ABCDEFGHI"]
    with new_desk(folder, *names, best_of=3, **settings) as desk:
        desk.pair_round()
        desk.report_block([f"{next(iter(desk.state.round.tables))} 2-1"])
        yield event_view(desk)
        for table in desk.state.round.playing:
            desk.report(table, "2-0")
        if "system" not in settings:
            desk.cut(4, third_place=True, lot=True)
        while True:
            view = event_view(desk)
            yield view
            if view.final and view.final.finished:
                return
            desk.pair_round()
            for table in desk.state.round.playing:
                desk.report(table, "2-0")


@pytest.mark.parametrize("settings", [{"rounds": 1}, {"system": "elimination", "double": True}], ids=str)
def test_every_text_of_a_page_is_translated(tmp_path, settings):
    """On pages and sheets, in posts and Markdown; NOT_YET counts the sentences that are not yet."""
    left, kinds = set(), dict.fromkeys(NOT_YET, 0)
    with pseudo_language():
        for view in shown_by(tmp_path, **settings):
            made = render(view, ["html", "sheets", "text", "markdown"])
            made |= {
                f"{kind}.html": sheets.sheet(kind, view)
                for kind, sheet in sheets.KINDS.items()
                if not sheet.staff
            }
            for path, content in made.items():
                if not path.endswith((".css", ".js")) and path not in IN_ENGLISH:
                    left.update((line, path) for line in untranslated(content.decode()))
    ours = set()
    for line, path in left:
        rest = DATA.sub(" ", re.sub("under tourney", "under", line))
        for kind, pattern in NOT_YET.items():
            rest, count = re.subn(f"(?i){pattern}", " ", rest)
            kinds[kind] += count
        if re.search(r"[a-z]{3,}", rest):
            ours.add((rest.strip(), line, path))
    assert not ours, sorted(ours)[:20]
    if "rounds" in settings:
        assert not [kind for kind, count in kinds.items() if not count], "these are translated: take them out"


def test_the_catalogs_in_the_repository_are_current():
    """`python -m scripts.catalogs` writes them anew."""
    assert outdated() == {}


PO = """
msgid "won {score}"
msgstr "{score} gewonnen"

msgid "{n} table"
msgid_plural "{n} tables"
msgstr[0] "{n} Tisch"
msgstr[1] "{n} Tische"

msgctxt "slip"
msgid "Drop"
msgstr "Steigt aus"

msgid "{result} by {ending}"
msgstr "{result} durch {ending}"

msgid "time"
msgstr "Zeit"
"""
HEADER = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"""


def test_a_message_is_translated_with_its_arguments():
    """In the order of the other language, nested messages included.

    Names and unknown msgids stay.
    """
    german = Language("de", compiled((HEADER + PO).encode()))
    won = Message("won {score}", score="2–1")
    assert german.translate(won) == "2–1 gewonnen"
    assert (
        german.translate(Message("{result} by {ending}", result=won, ending=Message("time")))
        == "2–1 gewonnen durch Zeit"
    )
    assert german.translate(Message.joined(", ", [won, "", "time"])) == "2–1 gewonnen, time"
    assert german.translate(Message.plural("{n} table", "{n} tables", 1)) == "1 Tisch"
    assert german.ngettext("{n} table", "{n} tables", 4) == "4 Tische"
    assert german.pgettext("slip", "Drop") == "Steigt aus"
    assert german.gettext("Drop") == german.translate("Drop") == "Drop"
    assert german.translate(sentence(Message("time"))) == "Zeit."
    assert german.translate(Message.joined(", ", [])) == german.gettext("") == ""
    assert german.translate(sentence(Message.plural("{n} table", "{n} tables", 2))) == "2 Tische."
    assert Language("ar").direction == "rtl"


def test_a_message_behaves_as_its_english_text():
    """In comparisons, in sentences, and after it was pickled."""
    message = Message.plural("{n} table of {name}", "{n} tables of {name}", 2, name="Mira {x}")
    assert message == "2 tables of Mira {x}" == f"{message}"
    copy = pickle.loads(pickle.dumps(message))
    assert (copy, copy.msgid_plural, copy.arguments) == (message, message.msgid_plural, message.arguments)
    assert sentence(Message("is that all?")) == "Is that all?"
    assert [in_points(points) for points in ("½", "1", "1½")] == ["½ point", "1 point", "1½ points"]
