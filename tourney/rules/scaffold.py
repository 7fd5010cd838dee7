"""A new format to fill in: a working file whose comments are the whole vocabulary."""

from __future__ import annotations

from tourney.rules import kinds

_HOUSE = """\
# A house overlay: only what is different. Its rules are told apart in every message ("house rule of {id}").

[format]
id      = "{id}"
name    = "{name}"
extends = "{extends}"
# drop  = ["copies", "zone:side"]        # rules of {extends} that do not hold here

[[limit]]                                # in place of theirs of the same id; with another id a new rule
id    = "copies"
by    = "name"
max   = 1
title = "one copy of each card"
cite  = "announced for this event"
"""

_WHOLE = '''\
# Ten minutes to a format: fill in what is between quotes, delete what your game does not have, then run
#   tourney format show THIS_FILE --check
# Everything behind a # is a comment: the first lines of each part are in force, the rest shows what else there is.

[format]
id      = "{id}"                         # game/format; the game names the card pool (cardpools/{game}/)
name    = "{name}"
rules   = "edition or date of the rules"
# banlist = "{id}"                       # the ban list that goes with it, if there is one
# source  = "https://…"                  # where the rules are published

# -- the parts of a list ---------------------------------------------------------------------------------------

[[zone]]
id      = "deck"
default = true                           # lines under no header go here
size    = {{ min = 40 }}                   # 60 is exactly 60; also {{ max = 60 }}, {{ min = 40, max = 60 }}
cite    = "where the rules say so"       # every rule can say where it stands …
standing = "law"                         # … and how firmly: law, elsewhere (another source), reading (ours), house

[[zone]]
id       = "side"
name     = "Sideboard"
optional = true                          # its size counts only where it has cards
# shared = true                          # one list of the event's may serve everybody (or a condition on settings)
# agreed = true                          # else those at a table need the same one, in the same order
# at_table = true                        # a table needs one, whichever player brings it; pairing warns if none has it
size     = {{ max = 15 }}
headers  = ["Side deck"]                 # header lines in lists that mean this zone, besides its id and name
# holds  = "type != 'hero'"              # which cards may stand here

# A card the rest hangs on (general, hero, identity). Rules call it `leader`: leader.faction, leader.deck_size
# [leader]
# noun  = "hero"
# zone  = "hero"                         # declared here with size 1 unless a [[zone]] declares it
# holds = "type == 'hero'"               # a list without headers finds its leader by this

{rules}
# -- the rest ---------------------------------------------------------------------------------------------------

{tables}# [define]                               # words of your own for expressions
# outsider = "faction not in ['neutral', leader.faction]"
# [lists]                                # lists of names: listed('power'), points('power')
# power = ["Black Lotus", "Time Walk"]
# [printings]
# allow = ["current", "outdated"]        # by default only current printings may be played
# [override."Card Name"]                 # errata
# set = {{ cost = 3 }}
# since = 2026-01-01
# [settings.goal]                        # the organizer's choice: `setting.goal`
# default = 30
# told    = true                         # no rule asks for it: it is told at the table and on the event's pages
# [[judge]]                              # what no list can show, for the judge's sheet
# says = "proxies are allowed unless their text is altered"
# [[day]]                                # what the rule text says of the day, for the event's pages
# says = "come half an hour early to sign up"

# EXPRESSIONS  an attribute of the card (`type`, `cost`), name, zone, qty, leader.x, setting.x, and inside a count
# this.x for the card the rule looks at · 'text' 12 true false none ['a', 'b'] · == != < <= > >= in, not in · and or not
# + - * // % · a if c else b · `in` finds a member of a list or whole words of a text; texts ignore case and accents
#   n(c)            copies that fit          size('deck')      cards in a zone         has('name')     is it there?
#   total(c, v)     v summed over copies     distinct(c, v)    different values        min max len
#   union(c, v)     all values of v          common(c, v)      values all of them share
#   union(a, b)  common(a, b)  subset(a, b)  of two lists      listed('list')  points('list')  printed(set == 'core')
# What the pool does not know makes a rule undecided, and only then: 3 known and 1 perhaps is at most 4.

[match]
seats = 2
games = 1                                # best of
draws = true

[standings]
profile = "tourney"                      # win 1, draw ½; `tourney standings profiles` lists the others

# -- examples: decks and what becomes of them; run by `tourney format show THIS_FILE --check` ---------------------

[[example]]
name  = "ten names, four of each"
legal = true
deck  = """
4 Invented One {{type=unit}}
4 Invented Two
4 Invented Three
4 Invented Four
4 Invented Five
4 Invented Six
4 Invented Seven
4 Invented Eight
4 Invented Nine
4 Invented Ten
"""

[[example]]
name   = "a fifth copy in the sideboard"
breaks = ["copies"]
deck   = """
4 Invented One
4 Invented Three
4 Invented Four
4 Invented Five
4 Invented Six
4 Invented Seven
4 Invented Eight
4 Invented Nine
4 Invented Ten
3 Invented Eleven
1 Invented Two
Sideboard
4 Invented Two
"""
'''


def scaffold(format_id: str, *, name: str = "", extends: str = "") -> str:
    """Return the text of a new format file, in force as it stands; with `extends`, of a house overlay."""
    game = format_id.partition("/")[0]
    text = _HOUSE if extends else _WHOLE
    several = "\n".join(kind.sketch for kind in kinds.KINDS if not kind.single)
    single = "".join(kind.sketch for kind in kinds.KINDS if kind.single)
    return text.format(
        id=format_id, name=name or format_id, game=game, extends=extends, rules=several, tables=single
    )
