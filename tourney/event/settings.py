"""The settings of an event, in groups.

A setting is declared once, as a field of its group, with its name, type, default, limits and line in
`--help`. Code reads a setting through its group: `settings.match.best_of`. Commands and entries use flat
names, without the group (`--set best_of=3`), so no two groups have a setting of the same name. An entry
contains only the settings that differ from the defaults. So a released default must never change, because
that would change the meaning of old entries.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from tourney.cards.names import nearest
from tourney.decode import MAX_PLAYERS, MAX_ROUNDS, build
from tourney.errors import TourneyError
from tourney.record import DrawnGame
from tourney.wording import listed

System = Literal["swiss", "round-robin", "pods", "elimination", "dutch", "manual"]
"""The pairing systems. `manual`: the organizer pairs each round."""

MOST_GAMES = 99
"""The maximum number of games in a match."""

MOST_SEATS = 100
"""The maximum number of players at a table."""

LAST_TABLE = 999_999
"""The highest table number."""

LONGEST_ROUND = 24 * 60
"""The longest round, in minutes."""

LONGEST_ADDRESS = 200
"""The maximum number of characters of an address.

The QR code of a longer address could not be scanned from a slip.
"""

ROUND_ONE = "round-1"
"""The value of the setting `deck_lock` that locks decks when round 1 is paired."""

_LONGEST_PATH = 500
_MOST_ADDRESSES = 8
_ADDRESS_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_ADDRESS = re.compile(
    rf"(?=.{{1,{LONGEST_ADDRESS}}}\Z)https?://[\w.:\[\]-]+(/[\w.~%!$&'()*+,;=:@/-]*)?", re.ASCII
)
"""The pattern of an address, without query and fragment, because page names are appended."""

_MOST_LINES = 20
_LONGEST_LINE = 200
"""The maximum number of lines in the setting `day`, and of characters in such a line."""


def _help(text: str, *, least: int | None = None, most: int | None = None) -> Meta:
    """Return the help text and limits of a setting.

    least: the minimum, which also applies to old entries
    most: the maximum for new values, which values in old entries may exceed
    """
    return Meta(description=text, extra={"least": least, "most": most})


class SettingsGroup(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings that belong together. The docstring is their heading in `--help`."""


class MatchSettings(SettingsGroup, frozen=True):
    """The match."""

    best_of: Annotated[
        int, _help("Games in a match: 1, 3, 5 …; an even number is played out.", least=1, most=MOST_GAMES)
    ] = 1
    seats: Annotated[
        tuple[int, ...],
        _help("Players at a table: [3], or every possible number, the preferred one first: [4, 5, 3]."),
    ] = (2,)
    sides: Annotated[
        tuple[str, ...], _help('Names of unequal sides in seat order; seat 1 moves first: ["red", "blue"].')
    ] = ()
    draws: Annotated[bool, _help("Whether a match may end without a winner.")] = True
    drawn_game: Annotated[
        Literal[""] | DrawnGame,
        _help(
            "A drawn game: stands, again (another is played) or none (there are none). If not set, best_of "
            "decides. In a bracket, another is always played."
        ),
    ] = ""
    minutes: Annotated[int, _help("Minutes in a round; 0: no limit.", least=0, most=LONGEST_ROUND)] = 50
    choices: Annotated[
        dict[str, str | int | bool], _help("The organizer's choices in the format, such as goal.")
    ] = {}
    penalties: Annotated[str, _help("The list of penalties; `tourney penalty rules` shows it.")] = "house"

    def drawn_in(self, *, bracket: bool) -> DrawnGame:
        """Return what happens after a drawn game in a match.

        `stands`: the drawn game counts. `again`: another game is played. `none`: games cannot be drawn.

        * If `drawn_game` is `again` or `none`, this is returned. But `none` has no effect on a single game in
          an event with draws.
        * If `drawn_game` is not set, another game is played in a match of 3, 5, 7 … games.
        * Otherwise, the drawn game counts. But if the match needs a winner (in a bracket, or in an event
          without draws), another game is played. A single game in an event without draws cannot be drawn.

        bracket: whether the match is in a bracket

        >>> [MatchSettings(best_of=games).drawn_in(bracket=False) for games in (1, 2, 3)]
        ['stands', 'stands', 'again']
        >>> MatchSettings().drawn_in(bracket=True), MatchSettings(draws=False).drawn_in(bracket=False)
        ('again', 'none')
        """
        setting = self.drawn_game
        if setting == "again" or (setting == "none" and (self.best_of > 1 or not self.draws)):
            return setting
        if self.best_of > 1 and self.best_of % 2 and setting != "stands":
            return "again"
        if self.draws and not bracket:
            return "stands"
        return "again" if self.draws or self.best_of > 1 else "none"

    def side(self, seat: int) -> str:
        """Return the side of a seat (from 0): `Red`, or `Red first` in a match of several games.

        Empty if the game has no side for this seat.

        >>> [MatchSettings(sides=("Red", "Blue"), best_of=games).side(0) for games in (1, 2)]
        ['Red', 'Red first']
        """
        if seat >= len(self.sides):
            return ""
        return f"{self.sides[seat]} first" if self.best_of > 1 else self.sides[seat]

    @property
    def both_sides(self) -> tuple[str, str] | None:
        """The names of the two sides, as `side` returns them; None if the game does not have two."""
        return (self.side(0), self.side(1)) if len(self.sides) == 2 else None

    @property
    def goal(self) -> int | None:
        """The number of victory points that wins, if the organizer set it; otherwise None."""
        goal = self.choices.get("goal")
        return goal if isinstance(goal, int) else None


class PairingSettings(SettingsGroup, frozen=True):
    """Rounds and pairing."""

    system: Annotated[System, _help("swiss, round-robin, pods, elimination, dutch or manual.")] = "swiss"
    rounds: Annotated[
        int | None, _help("Planned Swiss rounds; none: open-ended.", least=1, most=MAX_ROUNDS)
    ] = None
    double: Annotated[
        bool, _help("Round robin: each pair meets twice; elimination: out after the second loss.")
    ] = False
    first_round: Annotated[
        Literal["random", "fold", "slide"], _help("random, fold or slide (the last two by rating).")
    ] = "random"
    last_round: Annotated[Literal["swiss", "rank"], _help("swiss or rank (1st against 2nd, and so on).")] = (
        "swiss"
    )
    late: Annotated[
        Literal["absent", "bye", "half-bye"],
        _help("What a late player gets for missed rounds: absent (mostly a loss), bye or half-bye."),
    ] = "absent"
    keep_apart: Annotated[
        dict[str, int], _help("Kind of tag, and for how many rounds its members are kept apart; 0: always.")
    ] = {}
    awarded_bye_counts: Annotated[
        bool, _help("Whether an awarded bye counts as an earlier bye when the odd player's bye is assigned.")
    ] = True
    half_bye_counts: Annotated[bool, _help("Whether a half-point bye counts as an earlier bye.")] = False
    no_show_meets: Annotated[
        bool, _help("Whether a table at which a player did not show counts as a meeting.")
    ] = False
    no_show: Annotated[
        Literal["tell", "drop", "keep"],
        _help("Players who did not show in the last round: tell, drop (at the next pairing) or keep."),
    ] = "tell"
    left_early: Annotated[
        Literal["counts", "void"],
        _help("Round robin: games of a player who left before half of them: counts, or void (FIDE's rule)."),
    ] = "counts"
    first_table: Annotated[int, _help("The number of the first table.", least=1, most=LAST_TABLE)] = 1
    beacon: Annotated[
        str,
        _help("A future public value that all seeds depend on (`drand round 5123456`); none."),
    ] = ""


class CutSettings(SettingsGroup, frozen=True):
    """The cut and elimination."""

    planned_cut: Annotated[
        int,
        _help("Players in the cut after the Swiss; 0: as the profile advises.", least=0, most=MAX_PLAYERS),
    ] = 0
    cut_seats: Annotated[
        int, _help("Players at a table of the bracket: one of `seats`; 0: the first of them.", least=0)
    ] = 0
    cut_advance: Annotated[int, _help("How many advance from a table of three or more players.", least=1)] = 1
    seeding: Annotated[
        Literal["rating", "registration", "lot", "hand"],
        _help("Elimination: by rating, registration, lot, or hand (then `event seed`)."),
    ] = "rating"
    third_place: Annotated[bool, _help("Elimination: the losers of the semifinals play for third place.")] = (
        False
    )


class DeckSettings(SettingsGroup, frozen=True):
    """Decklists."""

    lists: Annotated[bool, _help("Whether players submit decklists.")] = True
    deck_lock: Annotated[
        str,
        _help(
            "When decklists lock: round-1, 19:30 (today) or a time with date; none. Later ones need --anyway."
        ),
    ] = ""
    decklists: Annotated[
        Literal["closed", "cut", "end", "all"],
        _help(
            "Lists on pages: closed, cut (players in it), end (all, after the event) or all (from round 1)."
        ),
    ] = "closed"


class PageSettings(SettingsGroup, frozen=True):
    """Pages and posts."""

    publish_to: Annotated[
        str, _help("The folder that every round is published to, relative to the event's file; none.")
    ] = ""
    post_to: Annotated[
        tuple[str, ...],
        _help(
            "Where every round is posted: names of addresses saved with `publish --remember NAME -`; none."
        ),
    ] = ()
    address: Annotated[
        str, _help("Where the pages are, https://…: slips and badges print it as a code; none.")
    ] = ""
    slips: Annotated[bool, _help("Whether result slips are published.")] = True
    day: Annotated[
        tuple[str, ...], _help('Information about the day: ["doors at 18:00", "5 euros to enter"].')
    ] = ()
    language: Annotated[
        Literal["en"], _help("The language of pages, phones, sheets and posts: en (English).")
    ] = "en"
    public_names: Annotated[
        Literal["full", "short"], _help("Names on pages: full, or short (`Anna S.`, as minors always are).")
    ] = "full"
    public_divisions: Annotated[
        Literal["careful", "shown", "hidden"],
        _help("Divisions on pages: careful (hidden if a player in one is a minor), shown or hidden."),
    ] = "careful"


class PhoneSettings(SettingsGroup, frozen=True):
    """Phones."""

    claims: Annotated[bool, _help("Whether players may report results by phone (`tourney serve`).")] = True
    claim_minutes: Annotated[
        int,
        _help("Minutes that a report waits for the other side's answer.", least=1, most=LONGEST_ROUND),
    ] = 10
    claim_alone: Annotated[bool, _help("Whether an unanswered report is then entered.")] = False
    forecast: Annotated[
        Literal["closed", "own", "all"],
        _help("Who sees the results needed for the cut: closed, own (players, by phone) or all (a page)."),
    ] = "closed"


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of an event, in groups. `settings_from` checks the values."""

    match: MatchSettings = MatchSettings()
    pairing: PairingSettings = PairingSettings()
    cut: CutSettings = CutSettings()
    decks: DeckSettings = DeckSettings()
    pages: PageSettings = PageSettings()
    phones: PhoneSettings = PhoneSettings()

    @property
    def bracket_seats(self) -> int:
        """How many players sit at a bracket table, unless the cut sets its own number."""
        seats = self.match.seats
        return self.cut.cut_seats if self.cut.cut_seats in seats else seats[0]

    @property
    def bracket_advance(self) -> int:
        """How many players advance from a bracket table, unless the cut sets its own number."""
        return self.cut.cut_advance if self.cut.cut_advance < self.bracket_seats else 1

    def flat(self) -> dict[str, Any]:
        """Return name → value of every setting, without the groups."""
        return {name: getattr(getattr(self, GROUPS[name]), name) for name in GROUPS}

    def differing(self) -> dict[str, Any]:
        """Return name → value of the settings that differ from their defaults, without the groups."""
        return {name: value for name, value in self.flat().items() if value != _DEFAULTS[name]}


def _fields() -> Iterator[tuple[str, msgspec.structs.FieldInfo]]:
    """Yield the name of a group and each of its settings, for all groups."""
    for group in msgspec.structs.fields(Settings):
        for setting in msgspec.structs.fields(group.type):
            yield group.name, setting


GROUPS: Mapping[str, str] = {setting.name: group for group, setting in _fields()}
"""Flat name of a setting → name of its group."""

_META: Mapping[str, Meta] = {setting.name: setting.type.__metadata__[0] for _, setting in _fields()}
_DEFAULTS = {name: getattr(getattr(Settings(), group), name) for name, group in GROUPS.items()}


def help_texts(without: Collection[str]) -> dict[str, dict[str, str]]:
    """Return heading of a group → name of each setting in it → line of help.

    without: names of settings to leave out
    """
    texts: dict[str, dict[str, str]] = {}
    for group, setting in _fields():
        if setting.name not in without:
            heading = (type(getattr(Settings(), group)).__doc__ or "").removesuffix(".")
            texts.setdefault(f"{heading} (--set)", {})[setting.name] = _META[setting.name].description or ""
    return texts


_MISSPELT = 0.75
"""How similar a setting must be to an unknown name; less would find `lists` for `banlist`."""


class UnknownSettingError(TourneyError):
    """Raised if there is no setting with this name (`key`)."""

    def __init__(self, key: str) -> None:
        near = nearest(key, GROUPS, _MISSPELT)
        question = f"; did you mean `{near}`?" if near else ""
        super().__init__(f"there is no setting `{key}`{question}", f"the settings are {', '.join(GROUPS)}")
        self.key = key


def settings_from(values: Mapping[str, Any], base: Settings | None = None) -> Settings:
    """Return settings with new values.

    values: name of a setting, without its group → new value
    base: the settings to start from; None for the defaults

    Raises UnknownSettingError for an unknown setting. For an impossible value, raises a TourneyError that
    names the setting.
    """
    base = base or Settings()
    for name in values:
        if name not in GROUPS:
            raise UnknownSettingError(name)
    changed_groups = {}  # group → its new settings
    for group in dict.fromkeys(GROUPS[name] for name in values):
        old = getattr(base, group)
        group_values = {name: value for name, value in values.items() if GROUPS[name] == group}
        changed_groups[group] = build(
            msgspec.structs.asdict(old) | group_values, type(old), source="settings"
        )
    settings = msgspec.structs.replace(base, **changed_groups)
    for message in _impossible(settings):
        raise TourneyError(f"settings: {message}")
    return settings


def _impossible(settings: Settings) -> Iterator[str]:
    """Yield a fault for each setting with a value that no event can have, not even an old one."""
    lock, pages = settings.decks.deck_lock, settings.pages
    if lock not in {"", ROUND_ONE} and not is_time(lock):
        yield f"deck_lock: `{lock}` is neither `{ROUND_ONE}` nor a time with its zone"
    folder = pages.publish_to
    if len(folder) > _LONGEST_PATH or not folder.isprintable():
        yield f"publish_to: a folder has a name of up to {_LONGEST_PATH} printable characters"
    if len(pages.post_to) > _MOST_ADDRESSES or not all(map(_ADDRESS_NAME.fullmatch, pages.post_to)):
        yield (
            f"post_to: expected at most {_MOST_ADDRESSES} short names such as `friday-discord`; save each"
            " address with `tourney publish --remember NAME -`, because an event never contains an address"
        )
    if pages.address and not _ADDRESS.fullmatch(pages.address):
        yield (
            f"address: `{pages.address}` is not a web address: expected `https://`, a name, and at"
            f" most {LONGEST_ADDRESS} plain characters"
        )
    if not settings.match.seats or min(settings.match.seats) < 2:
        yield "seats: a table has two seats or more"
    for name, value, least in _limits_of(settings, "least"):
        if value < least:
            yield f"{name}: {value} is too small; the minimum is {least}"


def _limits_of(settings: Settings, bound_name: str) -> Iterator[tuple[str, int, int]]:
    """Yield the name, value and limit of each setting with a limit `least` or `most`."""
    for name, value in settings.flat().items():
        bound = (_META[name].extra or {}).get(bound_name)
        if bound is not None and value is not None:
            yield name, value, bound


def is_time(text: str) -> bool:
    """Return whether a text is an ISO 8601 time with a zone."""
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def refuse_beyond(settings: Settings, names: Collection[str]) -> None:
    """Raise TourneyError if the new value of a setting in `names` is beyond its limit.

    The error names the setting. Values in old entries are not checked, because a later version may lower a
    limit.
    """
    for name, value, most in _limits_of(settings, "most"):
        if name in names and value > most:
            raise TourneyError(f"settings: {name}: {value} is too large; the maximum is {most:,}")
    if "seats" in names and max(settings.match.seats) > MOST_SEATS:
        raise TourneyError(f"settings: seats: a table has at most {MOST_SEATS} seats")
    day = settings.pages.day
    if "day" in names and (
        len(day) > _MOST_LINES
        or not all(line.strip() and len(line) <= _LONGEST_LINE and line.isprintable() for line in day)
    ):
        raise TourneyError(
            f"settings: day: at most {_MOST_LINES} lines of 1 to {_LONGEST_LINE} printable characters"
        )
    rounds_by_kind = settings.pairing.keep_apart
    if "keep_apart" in names and not all(0 <= rounds <= MAX_ROUNDS for rounds in rounds_by_kind.values()):
        raise TourneyError(
            f"settings: keep_apart: the number of rounds must be from 0 (always) to {MAX_ROUNDS}"
        )
    _refuse_impossible_tables(settings, names)
    _refuse_impossible_bracket(settings, names)


def _refuse_impossible_tables(settings: Settings, names: Collection[str]) -> None:
    """Raise TourneyError if bracket tables have a wrong size or would let all players advance."""
    if not {"cut_seats", "cut_advance", "seats"}.intersection(names):
        return
    sizes, advance = settings.match.seats, settings.cut.cut_advance
    seats = settings.cut.cut_seats or settings.bracket_seats
    if seats not in sizes and "cut_seats" in names:
        raise TourneyError(
            f"settings: cut_seats: a table of this event has {listed(sorted(sizes), 'or')} seats, not {seats}"
        )
    if advance >= max(seats, 2):
        raise TourneyError(
            f"settings: cut_advance: 1 to {seats - 1} of {seats} players at a table can advance, "
            f"not {advance}"
        )


def _refuse_impossible_bracket(settings: Settings, names: Collection[str]) -> None:
    """Raise TourneyError for settings that the event cannot have with its pairing system.

    Some need an elimination event, others are impossible in one.
    """
    changed_names = {"system", "seeding", "third_place", "double", "rounds"}.intersection(names)
    if settings.pairing.system != "elimination":
        flat = settings.flat()
        for name in sorted(changed_names & {"seeding", "third_place"}):
            if flat[name] != _DEFAULTS[name]:
                raise TourneyError(
                    f"settings: {name} is for an elimination event",
                    "use `--set system=elimination`, or, after Swiss rounds, "
                    "`tourney event cut N --third-place`",
                )
    elif changed_names and settings.pairing.double and settings.cut.third_place:
        raise TourneyError(
            "a double elimination has no match for the third place: the loser of the lower final is third",
            "leave out `third_place` or `double`",
        )
    elif "rounds" in changed_names and settings.pairing.rounds is not None:
        raise TourneyError(
            "the number of rounds of a bracket follows from its players, so it cannot be set",
            "leave out `--rounds`",
        )
