"""The tables and keys of a format file.

`tourney.rules.loading` turns a file into a `Format`. Each kind of rule declares its own table, in
`tourney.rules.kinds`. A bound can be a whole number or an expression. A rule can cite its source (`cite`) and
state what kind of source that is (`standing`).
"""

from __future__ import annotations

from datetime import date
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

from tourney.errors import TourneyError
from tourney.record import DrawnGame

Standing = Literal["law", "elsewhere", "reading", "house"]
"""The kind of source of a rule; see `RuleFile`."""

Bound = int | str
"""A number, or the expression that gives it."""

Scalar = int | str | bool
"""The value of a setting."""

USUAL_MINUTES = 50
"""The length of a round in minutes if a format does not state it. This is a house rule."""

BUILT_IN_LISTS = frozenset({"banned", "restricted", "points"})
"""The named lists that every ban list has."""

Rule_co = TypeVar("Rule_co", covariant=True)


class FileTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A TOML table of a format file; unknown keys are errors."""


class CitedFile(FileTable, frozen=True, kw_only=True):
    """A TOML table of a format file that can cite the source of its content.

    cite:     the source: page, chapter or address
    standing: the kind of source: `law`, `elsewhere`, `reading` or `house` (see `RuleFile`)
    """

    cite: str | None = None
    standing: Standing = "law"


class RuleFile(CitedFile, frozen=True, kw_only=True):
    """The keys that every rule can have.

    id:           the handle at the end of a finding, such as `copies`
    title:        the rule in words, for the judge's sheet
    cite:         its source: page, chapter or address
    standing:     `law` (the game's own text), `elsewhere` (another source), `reading` (our reading of an
                  unclear text) or `house` (the organizer's; the game's text does not have it)
    severity:     `error`, or `advice`, which never makes a deck illegal
    when:         a condition on the deck or its leader; the rule applies only while it is true
    message:      the text of a finding, with expressions in `{…}`. In a zone, a message with `{card}` or an
                  attribute is shown for cards that do not belong there. Any other message with `{have}` or
                  `{allowed}` is shown if the zone has a wrong number of cards
    since, until: the first and last day on which the rule is in force
    """

    id: str = ""
    title: str | None = None
    severity: Literal["error", "advice"] = "error"
    when: str | None = None
    message: str | None = None
    since: date | None = None
    until: date | None = None


class RuleEntry(Struct, Generic[Rule_co], frozen=True):
    """A rule and where it is written.

    origin: the id of the format that has the rule; messages name it if it is a house overlay
    place:  file and key path, for messages
    """

    rule: Rule_co
    origin: str
    place: str


class HeadFile(FileTable, frozen=True, kw_only=True):
    """`[format]`.

    id:      `game/format`; `game` is also the name of the card pool, unless `pool` names another
    rules:   the edition of the game's rules, as text
    source:  the address where the rules are published
    banlist: the format's ban list (`game/list`); banlist_at: the address where that list is published
    extends: the format that this format extends and changes
    drop:    the rules of the extended format that this format leaves out: their ids, or `zone:id` for a zone
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


class SizeFile(FileTable, frozen=True, kw_only=True):
    """A number of cards: `{ min = 40, max = 60 }` or `{ exactly = 60 }`."""

    min: Bound | None = None
    max: Bound | None = None
    exactly: Bound | None = None


class LeaderFile(RuleFile, frozen=True, kw_only=True):
    """`[leader]`: the card that other rules refer to as `leader`.

    zone:  the leader's zone. If no `[[zone]]` declares it, `[leader]` declares it, with `size`, `holds`
           and `headers`
    where: the condition that finds the leader in a list without headers
    noun:  the word for the card in messages: `general`, `identity`, `hero`

    The keys of `RuleFile` apply to the rules of the leader's zone. The zone's own keys take precedence.
    """

    zone: str = "leader"
    noun: str = ""
    where: str | None = None
    size: Bound | SizeFile | None = None
    holds: str | None = None
    headers: tuple[str, ...] = ()
    optional: bool = False


class ZoneFile(RuleFile, frozen=True, kw_only=True):
    """`[[zone]]`: a part of the list.

    default:      whether lines under no header go here
    size:         the number of cards; a plain number means exactly that many
    holds:        the condition that each card in the zone must meet
    optional:     whether the zone may be empty. If so, its size applies only if it has cards
    absent:       the note on a deck without this optional zone
    headers:      headers in lists that mean this zone, besides its id and name
    header_facts: attributes of the cards below a header: `{ "VP cards" = { kind = "vp" } }`. Only rules that
                  give advice use them, as they are merely the player's statement
    other_facts:  attributes of the zone's other cards, if the list has a header with `header_facts`
    counts:       false for cards that are listed but not part of the deck, such as tokens
    shared:       whether all players of an event can share one list for this zone (`tourney event deck`), or
                  the condition on the settings under which they do. Such a zone is checked by itself
    agreed:       whether the players at a table need the same cards in the same order, if the event has no
                  shared list
    at_table:     whether a table needs one list with this zone, from any player; pairing warns if there is
                  none
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


class OverrideFile(FileTable, frozen=True, kw_only=True):
    """`[override."Card"]`: errata, which replace attributes of the pool's card in a period."""

    set: dict[str, Scalar | tuple[str, ...]]
    since: date | None = None
    until: date | None = None
    cite: str | None = None


class PrintingsFile(RuleFile, frozen=True, kw_only=True):
    """`[printings]`: which printings of a card may be played; by default, only current ones."""

    allow: tuple[Literal["current", "outdated", "misprint"], ...] = ("current",)


class ExampleFile(FileTable, frozen=True, kw_only=True):
    """`[[example]]`: a deck and its expected verdict.

    deck:       the list; facts in braces, such as `4 Hammer {type=efreet}`, are trusted
    legal:      false if the deck is expected to be illegal. Without this key, it is expected to be legal,
                unless `unverified` or `breaks` says otherwise
    unverified: whether the expected verdict is `unverified`
    breaks:     the ids of all errors that an illegal deck is expected to have. Without this key, it may have
                any errors
    advises:    the ids of expected advice; there may be more
    on:         the day of the check
    """

    name: str
    deck: str
    legal: bool | None = None
    unverified: bool = False
    breaks: tuple[str, ...] = ()
    advises: tuple[str, ...] = ()
    on: date | None = None
    cite: str | None = None


class SettingFile(CitedFile, frozen=True, kw_only=True):
    """`[settings.NAME]`: a choice of the organizer; expressions call it `setting.NAME`.

    decides: the event's own setting (`draws` or `minutes`) that gets the value of this choice, too; None: the
             choice sets no other setting
    told:    whether the setting is only information for players: no rule depends on it, but the sheet and
             the event's pages show it
    """

    default: Scalar
    choices: tuple[Scalar, ...] = ()
    about: str = ""
    decides: Literal["draws", "minutes"] | None = None
    told: bool = False

    def value(self, text: Any) -> Any:
        """Return a value for this setting; for a yes-or-no setting, change `yes` and `no` to a bool.

        Any other value is returned unchanged.
        """
        return yes_or_no(text) if isinstance(self.default, bool) else text

    def check_choice(self, name: str, value: Any) -> Any:
        """Return a valid choice of the setting called `name`.

        Raises TourneyError if it is not one of the choices, or has another type than the default.
        """
        choice = self.value(value)
        if self.choices and choice not in self.choices:
            raise TourneyError(f"{name}: `{value}` is not one of {', '.join(map(str, self.choices))}")
        if isinstance(self.default, bool) and not isinstance(choice, bool):
            raise TourneyError(f"{name}: `{value}` is neither yes nor no")
        if type(choice) is not type(self.default):
            kind = "a whole number" if isinstance(self.default, int) else "text"
            raise TourneyError(f"{name}: `{value}` is not {kind}, such as the default {self.default}")
        return choice


def yes_or_no(value: Any) -> Any:
    """Return True for the word `yes`, False for `no`, and any other value unchanged.

    >>> [yes_or_no(value) for value in ("yes", "No", "maybe", True)]
    [True, False, 'maybe', True]
    """
    return {"yes": True, "no": False}.get(value.casefold(), value) if isinstance(value, str) else value


class DayFile(CitedFile, frozen=True, kw_only=True):
    """`[[day]]`: advice for the day of the event, such as what to bring, from the rule text.

    The judge's sheet and the event's pages show it.
    """

    says: str


class JudgeFile(CitedFile, frozen=True, kw_only=True):
    """`[[judge]]`: a rule that cannot be checked from a list, for the judge's sheet."""

    says: str


class SeatsFile(FileTable, frozen=True, kw_only=True):
    """`seats = { min = 2, max = 6 }`: the number of players at a table."""

    min: int
    max: int


class EndFile(CitedFile, frozen=True, kw_only=True):
    """`[[match.score.end]]`: a way in which a game can end other than by its score.

    word: its name, as it is entered and shown: `result add 3 --score 9,7 --ended deck`
    says: the reason, as a sentence without a full stop: `the mission deck has run out`
    wins: `most`: the highest score wins; `nobody`: the game is drawn; `typed`: the winner must be entered
    draw: whether a draw can be entered
    """

    word: str
    says: str
    wins: Literal["typed", "most", "nobody"] = "typed"
    draw: bool = False


class ScoreFile(CitedFile, frozen=True, kw_only=True):
    """`[match.score]`: the score of a game, and how it decides the game.

    name:              the word on slips and pages: `victory points`
    goal:              the score that wins. `{ 2 = 5, 3 = 4 }` depends on the number of players at a table;
                       the last goal also applies to more players. Without a goal, the highest score wins, and
                       equal highest scores are a draw if a match can be drawn
    setting:           the setting with the goal; if its value is 0 and there is a `goal`, `goal` applies
    least, most, step: the possible scores; `most = "goal"`: a score cannot exceed the goal
    several:           whether several players can have reached the goal when a game ends. If so, the first to
                       reach it wins
    end:               other ways for a game to end; time, concession and ruling end every game
    """

    name: str
    goal: int | dict[str, int] | None = None
    setting: str | None = None
    least: int = 0
    most: int | Literal["goal"] | None = None
    step: int = 1
    several: bool = True
    end: tuple[EndFile, ...] = ()


class MatchFile(CitedFile, frozen=True, kw_only=True):
    """`[match]`: the players at a table, and how a match is decided.

    seats: players at a table, a number or `{ min, max }`
    games: a match is the best of this many games
    draws: whether a match can be drawn
    drawn_game: the effect of a drawn game. `stands`: the game counts, and a match of one game is drawn;
                `again`: the game is replayed; `none`: a game cannot be drawn. The default is `none` if
                `draws = false`, `again` in a best of three or more, else `stands`
    sides: the names of unequal sides in order of play, such as `["Red", "Blue"]`
    score: the score that is counted besides games: a name or a TOML table; `false` if there is none; None if
           the format does not specify it
    drawn_by: with `score = false` and `draws = true`, the only endings with which a game can be a draw, such
              as `["time"]`; empty if any ending can draw it
    minutes: the time limit of a round, if the rule text has one
    """

    seats: int | SeatsFile = 2
    games: int = 1
    draws: bool = False
    drawn_game: DrawnGame | None = None
    sides: tuple[str, ...] = ()
    score: str | bool | ScoreFile | None = None
    drawn_by: tuple[str, ...] = ()
    minutes: int | None = None

    @property
    def seat_range(self) -> tuple[int, int]:
        """The minimum and maximum number of players at a table."""
        return (self.seats, self.seats) if isinstance(self.seats, int) else (self.seats.min, self.seats.max)


class StandingsFile(CitedFile, frozen=True, kw_only=True):
    """`[standings]`: the name of the standings profile, which sets points and tie-breaks."""

    profile: str = "tourney"
    standing: Standing = "house"


class CutFile(FileTable, frozen=True, kw_only=True):
    """The tables of a cut, such as `cut = { seats = 3, advance = 1 }`.

    seats: the players at each table; advance: how many of them advance
    """

    seats: int
    advance: int = 1


class EventDefaultsFile(CitedFile, frozen=True, kw_only=True):
    """`[event]`: the settings with which `event new` starts.

    pods:  the preferred sizes of tables, best first, if tables can have more than two seats
    cut:   the number of players who advance after the rounds; or the number of players at each table of the
           cut, and how many of them advance: `{ seats = 3, advance = 1 }`
    lists: whether players hand in decklists
    """

    pods: tuple[int, ...] = ()
    cut: int | CutFile | None = None
    lists: bool = True
    standing: Standing = "house"


class FieldFile(CitedFile, frozen=True, kw_only=True):
    """`[field]`: how the pages of an event group its decks, such as by leader.

    by:   `leader`; `tag:archetype` (the players' tags of that kind, which the organizer sets); or an
          attribute of the cards (the value that most of a deck's cards have)
    noun: the word for a group; by default the leader's noun, the kind of tag or the attribute
    """

    by: str
    noun: str = ""
    standing: Standing = "house"

    @property
    def tag(self) -> str:
        """The kind of tag by which players are grouped; empty if they are grouped by something else."""
        return self.by.removeprefix("tag:") if self.by.startswith("tag:") else ""


class FormatFile(FileTable, frozen=True, kw_only=True):
    """The keys of a format file, except for those that define rules, such as `[[limit]]`."""

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
