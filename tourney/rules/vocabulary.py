"""The words of a format file: what may stand in the TOML, as it is written.

These are the shapes at the door. `tourney.rules.loading` rewrites the sugar and gives a `Format`, which is what the
rest of the program sees. Every bound may be a whole number or an expression; every rule may carry where it stands
(`cite`) and how firmly (`standing`).
"""

from __future__ import annotations

from datetime import date
from typing import Any, Generic, Literal, TypeVar

import msgspec

from tourney.record import DrawnGame

Standing = Literal["law", "elsewhere", "reading", "house"]
"""How firmly a rule stands, as in `Ruled`."""
_Level = Literal["error", "advice"]
Bound = int | str
"""A number, or the expression that gives it."""
Scalar = int | str | bool
"""The value of a setting."""
USUAL_MINUTES = 50
"""The clock of a round where a format names none: the house's."""

Rule_co = TypeVar("Rule_co", covariant=True)


class Ruled(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every rule can say of itself.

    id:       the handle printed at the end of a finding (`copies`)
    title:    the rule in words, for the judge's sheet; made from the rule itself where it is missing
    cite:     where the rule stands: page, chapter, address
    standing: `law` (the game's own text), `elsewhere` (another source), `reading` (how we read an unclear text),
              `house` (whoever runs the event; the game's text has no such thing)
    severity: `advice` never makes a deck illegal
    when:     a condition on the deck or its leader; the rule is asleep while it is false
    message:  what a finding says instead of the usual words; `{…}` holds an expression. A zone's is said of cards that do
              not belong there if it asks for `{card}` or an attribute, of its size if it asks for `{have}` or
              `{allowed}`, a leader's that asks for neither of both
    since, until: the first and the last day on which the rule holds
    """

    id: str = ""
    title: str | None = None
    cite: str | None = None
    standing: Standing = "law"
    severity: _Level = "error"
    when: str | None = None
    message: str | None = None
    since: date | None = None
    until: date | None = None


class Placed(msgspec.Struct, Generic[Rule_co], frozen=True):
    """A rule and whose it is.

    rule:   what the file says, sugar already rewritten
    origin: the id of the format that says it (a house overlay's rules are told apart in messages)
    place:  file and key path, for messages
    """

    rule: Rule_co
    origin: str
    place: str


class HeadFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[format]`: what this is.

    id:      `game/format`; the part before the slash names the card pool unless `pool` does
    rules:   which edition of the rules, as text
    banlist: the ban list that goes with it (`game/list`)
    banlist_at: where that list is published, for the message while none is installed
    extends: the format this one is a house overlay of
    drop:    ids of the extended format's rules, or `zone:id`, that do not hold here
    """

    id: str
    name: str = ""
    rules: str | None = None
    about: str | None = None
    source: str | None = None
    banlist: str | None = None
    banlist_at: str | None = None
    pool: str | None = None
    extends: str | None = None
    drop: tuple[str, ...] = ()


class LeaderFile(Ruled, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[leader]`: the card (or cards) that the rest of the deck hangs on; expressions call it `leader`.

    zone:  the zone it stands in; declared here if no `[[zone]]` declares it (then `size`, `holds`, `headers` are its)
    where: instead of or beside a zone: which card of an undivided list is the leader
    noun:  what messages call it: `general`, `identity`, `hero`

    What it says as every rule may (`cite`, `message`, `severity` …) holds for its zone's rules; the zone's own word goes
    first.
    """

    zone: str = "leader"
    noun: str = ""
    where: str | None = None
    size: Bound | SizeFile | None = None
    holds: str | None = None
    headers: tuple[str, ...] = ()
    optional: bool = False


class SizeFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many cards: `{ min = 40, max = 60 }` or `{ exactly = 60 }`."""

    min: Bound | None = None
    max: Bound | None = None
    exactly: Bound | None = None


class ZoneFile(Ruled, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[zone]]`: a part of the list.

    default:  where lines under no header go
    size:     how many cards; a number means exactly so many
    holds:    a condition on each card in it
    optional: whether it may be missing; its size counts only where it has cards
    absent:   what is noted where an optional zone is missing
    headers:  header lines that mean this zone, besides its id and name
    header_facts: what one of these headers says of the cards below it: `{ "VP cards" = { kind = "vp" } }`. Only advice
              uses it, as it is the player's word
    other_facts: what holds for the zone's other cards in a list with a header that says something else
    counts:   false for a part that is listed but is no part of the deck (tokens, a maybeboard)
    shared:   when one list of the event's serves everybody (`tourney event deck`), a condition on the organizer's choices,
              or true; such a part alone is checked as what it is
    agreed:   whether those at a table need the same one, in the same order, where the event has none for everybody
    at_table: whether a table needs one such list, whichever of its players brings it; pairing warns if none has it
    """

    name: str = ""
    default: bool = False
    size: Bound | SizeFile | None = None
    holds: str | None = None
    optional: bool = False
    absent: str | None = None
    headers: tuple[str, ...] = ()
    header_facts: dict[str, dict[str, Scalar]] = {}
    other_facts: dict[str, Scalar] = {}
    counts: bool = True
    shared: bool | str = False
    agreed: bool = False
    at_table: bool = False


class OverrideFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[override."Card"]`: errata: what to read instead of the pool, from a day on, and where that stands."""

    set: dict[str, Scalar | tuple[str, ...]]
    since: date | None = None
    until: date | None = None
    cite: str | None = None


class PrintingsFile(Ruled, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[printings]`: which printings may be played; outdated ones and misprints may not unless named here."""

    allow: tuple[Literal["current", "outdated", "misprint"], ...] = ("current",)


class ExampleFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[example]]`: a deck and what becomes of it; facts in braces (`4 Hammer {type=efreet}`) are believed.

    legal:      the verdict that must come out; None asks for `unverified`, or for what `breaks` implies
    breaks:     the handles of exactly the error findings
    advises:    the handles of advice that must be among the findings
    """

    name: str
    deck: str
    legal: bool | None = None
    unverified: bool = False
    breaks: tuple[str, ...] = ()
    advises: tuple[str, ...] = ()
    on: date | None = None
    cite: str | None = None


class SettingFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[settings.NAME]`: a choice the organizer has; expressions call it `setting.NAME`.

    decides: the setting of events that it stands for: whoever chooses it chooses that
    told:    nothing hangs on it here: it is told at the table, on the sheet and on the event's pages
    """

    default: Scalar
    choices: tuple[Scalar, ...] = ()
    about: str = ""
    decides: Literal["draws", "minutes"] | None = None
    told: bool = False
    cite: str | None = None
    standing: Standing = "law"

    def value(self, typed: Any) -> Any:
        """Return the choice that was typed: `yes` and `no`, as the judge's sheet writes them, are true and false."""
        return yes_or_no(typed) if isinstance(self.default, bool) else typed


def yes_or_no(typed: Any) -> Any:
    """Return True for the word `yes`, False for `no`, and anything else as it is.

    >>> [yes_or_no(typed) for typed in ("yes", "No", "maybe", True)]
    [True, False, 'maybe', True]
    """
    return {"yes": True, "no": False}.get(typed.casefold(), typed) if isinstance(typed, str) else typed


class DayFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[day]]`: what the rule text tells players of the day; on the sheet and the event's pages, and nothing hangs on it."""

    says: str
    cite: str | None = None
    standing: Standing = "law"


class JudgeFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[judge]]`: what no list can show (a misprint in the box, an altered proxy); printed on the judge's sheet."""

    says: str
    cite: str | None = None
    standing: Standing = "law"


class SeatsFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`seats = { min = 2, max = 6 }`: how many play at one table."""

    min: int
    max: int


class EndFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[match.score.end]]`: a way in which a game ends though nobody has won it by the score.

    word: how it is typed (`result add 3 --score 9,7 --ended deck`) and told (`by deck`)
    says: what has happened, as a sentence without its full stop: `the mission deck has run out`
    wins: `most`: who has the highest score; `nobody`: it is a draw; `typed`: the score does not tell, so it is typed
    draw: whether a draw may be typed
    """

    word: str
    says: str
    wins: Literal["typed", "most", "nobody"] = "typed"
    draw: bool = False
    cite: str | None = None
    standing: Standing = "law"


class ScoreFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[match.score]`: what is counted besides games, and what it says of who has won.

    name:    how slips and pages call it: `victory points`
    goal:    whoever reaches it has won the game; `{ 2 = 5, 3 = 4 }`: by the players at a table, the last for more. Without
             a goal the highest score wins, and equal ones are a draw where a match may be one
    setting: the organizer's choice that is the goal; where it is 0 and there is a `goal`, that is
    least, most, step: which scores there are at all; `most = "goal"`: nobody goes past the goal
    several: whether several may have reached the goal when a game ends; who was first has then won
    end:     how a game may end otherwise; time, a concession and a ruling end every game
    """

    name: str
    goal: int | dict[str, int] | None = None
    setting: str | None = None
    least: int = 0
    most: int | Literal["goal"] | None = None
    step: int = 1
    several: bool = True
    end: tuple[EndFile, ...] = ()
    cite: str | None = None
    standing: Standing = "law"


class MatchFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[match]`: who sits at a table and how a match is decided.

    seats: players at a table, a number or `{ min, max }`
    games: a match is the best of so many
    draws: whether a match can end drawn
    drawn_game: what a drawn game is within a match: `stands`: it is one of its games, and a match of one game is drawn with
           it; `again`: it counts for nobody and is played again; `none`: there is none. Where the text says nothing: `none`
           with `draws = false`, `again` in a best of three or more, else `stands`
    sides: the names of unequal sides, in the order of play (`["Red", "Blue"]`), if there are such
    score: what is counted besides games: its name alone, or with what it says of who has won; `false`: the game counts none;
           None: nothing is said of it
    drawn_by: where it counts none, by what alone a game is drawn (`["time"]`); empty: by whatever
    minutes: the time limit of a round, where the rule text has one; else it is the house's
    """

    seats: int | SeatsFile = 2
    games: int = 1
    draws: bool = False
    drawn_game: DrawnGame | None = None
    sides: tuple[str, ...] = ()
    score: str | bool | ScoreFile | None = None
    drawn_by: tuple[str, ...] = ()
    minutes: int | None = None
    cite: str | None = None
    standing: Standing = "law"


class StandingsFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[standings]`: the profile that gives points and tie-breaks; the house's unless said otherwise."""

    profile: str = "tourney"
    cite: str | None = None
    standing: Standing = "house"


class CutFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`cut = { seats = 3, advance = 1 }`: players at a table after the cut, and how many go on from each."""

    seats: int
    advance: int = 1


class EventDefaultsFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[event]`: what an event of this format usually has; `event new` starts from it.

    pods: table sizes in the order preferred, where tables have more than two seats
    cut:  how many players go on after the rounds, or at which tables
    lists: whether players hand in deck lists

    All of it is the house's unless said otherwise.
    """

    pods: tuple[int, ...] = ()
    cut: int | CutFile | None = None
    lists: bool = True
    cite: str | None = None
    standing: Standing = "house"


class FieldFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[field]`: by which fact of the decks a breakdown of the field counts them.

    by:   `leader`: by who leads; `tag:archetype`: by the players' tags of that kind, which the organizer gives; else an
          attribute of the cards (`faction`): by the value that most of a deck's cards have
    noun: what that is called, where it is not the leader's noun, the kind of the tags or the attribute's name
    """

    by: str
    noun: str = ""
    cite: str | None = None
    standing: Standing = "house"

    @property
    def tag(self) -> str:
        """The kind of tag by which players are counted; empty where cards tell it."""
        return self.by.removeprefix("tag:") if self.by.startswith("tag:") else ""


class FormatFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole format file, but for the tables of the kinds of rules: those stand with each kind, in `tourney.rules.kinds`."""

    format: HeadFile
    extends: str | None = None
    define: dict[str, str] = {}
    lists: dict[str, tuple[str, ...] | dict[str, int]] = {}
    settings: dict[str, SettingFile] = {}
    leader: LeaderFile | None = None
    zone: tuple[ZoneFile, ...] = ()
    printings: PrintingsFile | None = None
    override: dict[str, OverrideFile] = {}
    judge: tuple[JudgeFile, ...] = ()
    day: tuple[DayFile, ...] = ()
    example: tuple[ExampleFile, ...] = ()
    match: MatchFile | None = None
    standings: StandingsFile | None = None
    event: EventDefaultsFile | None = None
    field: FieldFile | None = None
