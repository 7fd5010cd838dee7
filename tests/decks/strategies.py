"""Hypothesis strategies for decks: tricky names, zones, marks and facts.

All cards are invented.
"""

import string

from hypothesis import strategies as st

from tourney.decks import Decklist, Line, PrintMark, Reading
from tourney.decks.reading.vocabulary import GENERAL

TRAPS = [
    "Sideboard", "Sideboard Card", "Deck", "Commander", "1000 Needles", "+2 Mace", "2x4 Plank", "Fire // Ice",
    "Wear/Tear", "B.F.M. (Big Furry Monster)", "Kite (RED)", "Kite (ABC) 12", "Kite [ABC]", "Kite *F*",
    "Kite #tag", "Kite|ABC|1", "Agent #7", "C# Major", "M11 Guardian", "Kite ABC 12", "Efreet EF-38",
    "Usopp ST01-002", "Jace, the Mind", "Unmasking, The", "Kite x4",
    '"Ach! Hans, Run!"', "Name: The Card", "Hero: Return", "SB: Bell", "Total: 60", "60 cards", "// Comment?",
    "# Kite",
    "Kite -- red", "Zaku | Two", "[Classified]", "Kite {a=b}", "Kite {red}", "Energy", "Lim-Dûl’s Kite",
    "青の国", "Crypt (12)", "<b>", "&amp;", "[b]Kite[/b]", "[Kite](https://example.org)", "- Kite", "* Kite",
    "4", "4x", "...", "=====", "Ｗｉｄｅ", "'quoted'", '"', "\\", "a\\n", "House Martell", "Pack 1 pick 1:",
    "ydke://", "https://example.org", "123", "{",
]  # fmt: skip

LETTERS = string.ascii_letters + string.digits + " .,:;-_'\"()[]{}<>/|#*+&!?=\\éÆŁ青ガ½★"
names = st.one_of(
    st.sampled_from(TRAPS),
    st.text(LETTERS, min_size=1, max_size=30).map(lambda words: " ".join(words.split())).filter(bool),
)
words = (
    st.text(string.ascii_letters + " ", min_size=1, max_size=12)
    .map(lambda text: " ".join(text.split()))
    .filter(bool)
)
codes = st.none() | st.text(string.ascii_uppercase + string.digits, min_size=1, max_size=5) | words
marks = st.sampled_from(
    ["*F*", "*E*", "#ramp", "#!Draw", "[Ramp,Land]", "[Land]", "^Have,#37d67a^", "●●", "(F)", "<retro>"]
)
zones = (
    st.none()
    | st.sampled_from(
        ["Deck", "Sideboard", "SB", "Commander", "Arsenal", "Missions", "VP", "Odd things", "Extra"]
    )
    | words
)
aside_zones = st.sampled_from(["Maybeboard", "Tokens", "Considering"])
facts = st.dictionaries(
    st.sampled_from(["type", "faction", "cost"]), st.sampled_from(["efreet", "CPM", "3", "a b"]), max_size=2
)


@st.composite
def lines(draw, zone):
    header = draw(zone)
    name = draw(names)
    printing = PrintMark(draw(codes), draw(st.none() | st.sampled_from(["12", "12★", "6p", "A-3", "1/2"])))
    return Line(
        number=1,
        count=draw(st.integers(1, 999)),
        readings=(Reading(name=name, printing=printing),),
        code=draw(st.none() | st.sampled_from(["123", "01054", "ST01-002", "b8a9-f3"])),
        zone=header,
        zone_id=GENERAL.zone_id(header) if header else None,
        group=draw(st.none() | st.sampled_from(["Creatures", "Lands", "Odd"])),
        facts=draw(facts),
        marks=tuple(draw(st.lists(marks, max_size=2))),
        comment=draw(st.just("") | words),
    )


decks = st.builds(
    Decklist,
    source=st.just("deck"),
    grammar=st.just("made"),
    name=st.none() | names,
    player=st.none() | names,
    format=st.none() | st.sampled_from(["redline/standard", "Classic Constructed"]),
    lines=st.lists(lines(zones), min_size=1, max_size=8).map(tuple),
    aside=st.lists(lines(aside_zones), max_size=2).map(tuple),
    about=st.lists(st.tuples(st.sampled_from(["author", "comment", "date"]), words), max_size=2).map(tuple),
)
