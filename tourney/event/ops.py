"""Everything that can happen to an event: one frozen struct for each kind of entry.

An op records what happened, never how: `round.paired` carries the tables, so that replay never runs an engine. The tag is
`<noun>.<verb>`. Once released, a struct is never changed: another meaning, another default or a new required field is a new
struct, with the tag `<noun>.<verb>/2`, beside the old one, which stays readable. A new field whose default means what was
meant before is no such change: it is not written at its default, so old entries keep their bytes and digests.

What entries are made of: small frozen records, the shorter ones written as arrays.

Nothing here is personal: a person's words (names, reasons, decks) are a `Ref`, the salted digest of a text that
lies apart and can be deleted without breaking the chain.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Literal, NewType

import msgspec

from tourney.errors import TourneyError
from tourney.record import DrawnGame, Outcome, PlayerId, Result, Table
from tourney.wording import listed

Ref = NewType("Ref", str)
"""SHA-256 of salt + bytes, in hexadecimal: the name of a text kept beside the journal."""

System = Literal["swiss", "round-robin", "pods", "elimination", "dutch", "manual"]
"""By what rounds are paired; `manual`: by the organizer."""

Stage = Literal["swiss", "cut"]
"""Before the cut (also where rounds are not Swiss), and after it."""

Unseated = Literal["bye", "awarded-bye", "half-bye", "absent"]
"""Why somebody has no table in a round; `absent` is worth what the standings profile says (mostly nothing)."""

UNSEATED: Mapping[Outcome, Unseated] = {
    Outcome.BYE: "bye",
    Outcome.AWARDED_BYE: "awarded-bye",
    Outcome.HALF_BYE: "half-bye",
    Outcome.ABSENT: "absent",
}
"""The outcomes of those who have no table, as entries name them."""


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A rule file whose bytes the event keeps.

    kind: `format`, `banlist`, `profile`, `pool`; `no-banlist` for the list that a format names and that was not installed
    name: as it was asked for (`redline/standard`); a format's or profile's parents follow it under their own names
    day:  a ban list's day (its file's name); empty otherwise
    """

    kind: str
    name: str
    text: Ref
    day: str = ""


MOST_GAMES = 99
"""Games of a match, for `best_of` and for a result."""

MOST_SEATS = 100
"""Players at a table."""

LAST_TABLE = 999_999
"""The highest number of a table."""

LONGEST_ROUND = 24 * 60
"""Minutes."""

_LONGEST_PATH = 500
_MOST_ADDRESSES = 8
_ADDRESS_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
LONGEST_ADDRESS = 200
"""Characters: a code of more cannot be read from a slip any more."""
_MOST_DAY = 20
_LONGEST_DAY = 200
"""Lines about the day, and characters in one."""

ROUND_ONE = "round-1"
"""The deck lock that begins when round 1 is paired."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How an event is run. Every default is part of the version of the ops that carry it: never change one.

    rounds:     planned Swiss rounds; None: open-ended
    best_of:    games a match can have; an even number is played out, and may end level
    seats:      the numbers of players a table may have, the preferred one first
    sides:      the names of unequal sides in seat order (seat 1 moves first); empty where sides are equal
    draws:      whether a match may end without a winner
    drawn_game: what the format says of a drawn game within a match; empty: what follows from the rest (`drawn_in`)
    choices:    the organizer's choices in the format (`goal` …), where they are not its defaults
    late:       what a late player has for rounds missed: `absent` (as the profile says, mostly a loss), `bye`, `half-bye`
    keep_apart: kind of tag → for how many first rounds its members are kept apart where possible (0: always)
    awarded_bye_counts, half_bye_counts: whether it is an earlier bye when the odd player's bye is given
    no_show_meets: whether a table where somebody did not show counts as a meeting
    double:     round robin: everybody twice; elimination: out after the second loss
    first_table: the number of the first table
    minutes:    length of a round; 0: no limit
    penalties:  the list by which judges give penalties, by its name among the data
    beacon:     the public value to come that every seed waits for (`drand round 5123456`); empty: seeds wait for nothing
    no_show:    whoever did not show in the last round is named before the next is paired (`tell`), dropped by it
                (`drop`), or simply paired again (`keep`)
    deck_lock:  from when decklists are taken at the organizer's word only: `round-1`, once that is paired, or a time
                (ISO 8601 with its zone); empty: never
    publish_to: the folder that every round is published to, as seen from the event's file; empty: none
    post_to:    the names of the addresses that every round is posted to; the addresses themselves are kept with the user
    address:    where anybody sees what is published, `https://…`, for the codes on slips and badges; empty: nobody said
    slips:      whether result slips are among what is published
    lists:      whether players hand in decklists
    day:        what players should know of the day (an entry fee, when the doors open), a line each; nothing hangs on it
    seeding:    elimination: by what the bracket is seeded; equals and unrated players by the dice
    third_place: elimination: whether the losers of the semifinals play for the third place
    public_divisions: whether pages tell who is in which division: as long as nobody who has one is under age (`careful`),
                `shown` or `hidden`
    public_names: how pages call players without an alias: by their whole name, or with the last one shortened (`Anna S.`)
    cut_seats:  players at a table of the bracket that follows, or that an event is; 0: the preferred one of `seats`
    cut_advance: at tables of three and more, how many go on from each
    decklists:  whose lists the pages show: nobody's (`closed`); of who is in the cut, once it is made (`cut`); everybody's
                once the event is over (`end`), or once round 1 is paired (`all`)
    left_early: round robin: whether the games of somebody who left before half of them count in the standings (`counts`),
                or for neither side (`void`: FIDE's rule, and what new round robins have)
    claims:     whether players may report results from their own phones, under `tourney serve`
    claim_minutes: for how long such a report waits for the other side, before it is on the desk's list
    claim_alone: whether a report that nobody answered in that time is then entered by itself
    labels:     the file with the words of pages, sheets and posts in another language, as seen from the event's file;
                empty: English
    planned_cut: how many the cut after the Swiss rounds will take; 0: as the profile advises, nobody where it does not
    forecast:   who is told what each may still need for it: nobody (`closed`); a player on the own phone, for the own seat and
                the others at the table (`own`); everybody, on a page of its own (`all`)
    """

    system: System = "swiss"
    rounds: int | None = None
    best_of: int = 1
    seats: tuple[int, ...] = (2,)
    sides: tuple[str, ...] = ()
    draws: bool = True
    choices: dict[str, str | int | bool] = {}
    first_round: Literal["random", "fold", "slide"] = "random"
    last_round: Literal["swiss", "rank"] = "swiss"
    late: Literal["absent", "bye", "half-bye"] = "absent"
    keep_apart: dict[str, int] = {}
    awarded_bye_counts: bool = True
    half_bye_counts: bool = False
    no_show_meets: bool = False
    double: bool = False
    first_table: int = 1
    minutes: int = 50
    penalties: str = "house"
    beacon: str = ""
    no_show: Literal["tell", "drop", "keep"] = "tell"
    deck_lock: str = ""
    publish_to: str = ""
    slips: bool = True
    seeding: Literal["rating", "registration", "lot", "hand"] = "rating"
    third_place: bool = False
    lists: bool = True
    day: tuple[str, ...] = ()
    left_early: Literal["counts", "void"] = "counts"
    public_names: Literal["full", "short"] = "full"
    public_divisions: Literal["careful", "shown", "hidden"] = "careful"
    cut_seats: int = 0
    cut_advance: int = 1
    decklists: Literal["closed", "cut", "end", "all"] = "closed"
    post_to: tuple[str, ...] = ()
    address: str = ""
    claims: bool = True
    claim_minutes: int = 10
    claim_alone: bool = False
    labels: str = ""
    drawn_game: Literal[""] | DrawnGame = ""
    planned_cut: int = 0
    forecast: Literal["closed", "own", "all"] = "closed"

    @property
    def bracket_seats(self) -> int:
        """Players at a table of a bracket, where nobody says otherwise when it is made: the event's own where it has no such tables."""
        return self.cut_seats if self.cut_seats in self.seats else self.seats[0]

    @property
    def bracket_advance(self) -> int:
        """How many of such a table go on; one where so many as were set would be all of it."""
        return self.cut_advance if self.cut_advance < self.bracket_seats else 1

    def drawn_in(self, *, bracket: bool) -> DrawnGame:
        """Say what a drawn game is within a match, in the rounds or in a bracket, whose matches have a winner.

        Where nobody says otherwise: a match to so many wins goes on until somebody has them; one game, or a match that is
        played out, stands as it ends; a bracket's single game is played again, unless no match of the event is drawn.

        >>> [Settings(best_of=games).drawn_in(bracket=False) for games in (1, 2, 3)]
        ['stands', 'stands', 'again']
        >>> Settings().drawn_in(bracket=True), Settings(draws=False).drawn_in(bracket=False)
        ('again', 'none')
        """
        said = self.drawn_game
        if said == "again" or (said == "none" and (self.best_of > 1 or not self.draws)):
            return said
        if self.best_of > 1 and self.best_of % 2 and said != "stands":
            return "again"
        if self.draws and not bracket:
            return "stands"
        return "again" if self.draws or self.best_of > 1 else "none"

    def side(self, seat: int) -> str:
        """Say which side a seat (from 0) plays: `Red`, or `Red first` where a match has several games; empty without sides.

        >>> [Settings(sides=("Red", "Blue"), best_of=games).side(0) for games in (1, 2)]
        ['Red', 'Red first']
        """
        if seat >= len(self.sides):
            return ""
        return f"{self.sides[seat]} first" if self.best_of > 1 else self.sides[seat]

    @property
    def both_sides(self) -> tuple[str, str] | None:
        """The names of the first and the second side, as `side` says them; None unless the game has two sides."""
        return (self.side(0), self.side(1)) if len(self.sides) == 2 else None

    @property
    def goal(self) -> int | None:
        """Victory points to reach, where the organizer chose them."""
        goal = self.choices.get("goal")
        return goal if isinstance(goal, int) else None

    def __post_init__(self) -> None:
        if self.deck_lock not in {"", ROUND_ONE} and not is_time(self.deck_lock):
            raise ValueError(
                f"deck_lock: `{self.deck_lock}` is neither `{ROUND_ONE}` nor a time with its zone"
            )
        for what, named in (("publish_to: a folder", self.publish_to), ("labels: a file", self.labels)):
            if len(named) > _LONGEST_PATH or not named.isprintable():
                raise ValueError(f"{what} is named in up to {_LONGEST_PATH} printable characters")
        if len(self.post_to) > _MOST_ADDRESSES or not all(
            _ADDRESS_NAME.fullmatch(each) for each in self.post_to
        ):
            raise ValueError(
                f"post_to: up to {_MOST_ADDRESSES} short names (`friday-discord`) of addresses that `tourney publish --remember NAME -`"
                " keeps; an address itself is never part of an event"
            )
        if self.address and not _ADDRESS.fullmatch(self.address):
            raise ValueError(
                f"address: `{self.address}` is no address of pages: `https://`, a name, and up to {LONGEST_ADDRESS} plain characters"
            )
        if not self.seats or min(self.seats) < 2:
            raise ValueError("seats: a table has two seats or more")
        for name, least in (
            ("rounds", 1),
            ("best_of", 1),
            ("first_table", 1),
            ("minutes", 0),
            ("cut_seats", 0),
            ("planned_cut", 0),
            ("cut_advance", 1),
            ("claim_minutes", 1),
        ):
            value = getattr(self, name)
            if value is not None and value < least:
                raise ValueError(f"{name}: {value} is too few, it starts at {least}")


_ADDRESS = re.compile(
    rf"(?=.{{1,{LONGEST_ADDRESS}}}\Z)https?://[\w.:\[\]-]+(/[\w.~%!$&'()*+,;=:@/-]*)?", re.ASCII
)
"""Without a question or a place in it: the page of a table is put behind it."""


def is_time(text: str) -> bool:
    """Say whether a text is a time with its zone, in ISO 8601."""
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


class UnknownSettingError(TourneyError):
    """No setting has this name. key: the name that was asked for."""

    def __init__(self, key: str, known: Collection[str]) -> None:
        super().__init__(f"there is no setting `{key}`", f"settings are: {', '.join(known)}")
        self.key = key


def settings_from(values: dict[str, Any], base: Settings | None = None) -> Settings:
    """Return `base` (default: the defaults) with `values` instead. Raises TourneyError naming the key at fault."""
    current = msgspec.structs.asdict(base or Settings())
    for key in values:
        if key not in current:
            raise UnknownSettingError(key, current)
    from tourney.decode import build

    return build(current | values, Settings, source="settings")


def refuse_beyond(settings: Settings, names: Collection[str]) -> None:
    """Refuse what is beyond today's limits among the settings `names`, those that somebody asks for now.

    No entry is read with this: what older journals hold is read all the same, and stands until it is changed. Raises
    TourneyError naming the key at fault.
    """
    from tourney.decode import MAX_PLAYERS, MAX_ROUNDS

    most = {
        "rounds": MAX_ROUNDS,
        "planned_cut": MAX_PLAYERS,
        "best_of": MOST_GAMES,
        "first_table": LAST_TABLE,
        "minutes": LONGEST_ROUND,
        "claim_minutes": LONGEST_ROUND,
    }
    for name, limit in most.items():
        value = getattr(settings, name)
        if name in names and value is not None and value > limit:
            raise TourneyError(f"settings: {name}: {value} is too many, at most {limit:,}")
    if "seats" in names and max(settings.seats) > MOST_SEATS:
        raise TourneyError(f"settings: seats: a table has at most {MOST_SEATS} seats")
    if "day" in names and (
        len(settings.day) > _MOST_DAY
        or not all(each.strip() and len(each) <= _LONGEST_DAY and each.isprintable() for each in settings.day)
    ):
        raise TourneyError(
            f"settings: day: up to {_MOST_DAY} lines are needed, each of 1 to {_LONGEST_DAY} printable characters"
        )
    if "keep_apart" in names and any(
        not 0 <= rounds <= MAX_ROUNDS for rounds in settings.keep_apart.values()
    ):
        raise TourneyError(f"settings: keep_apart: rounds from 0 (always) to {MAX_ROUNDS} are needed")
    _refuse_odd_tables(settings, names)
    _refuse_odd_bracket(settings, names)


def _refuse_odd_tables(settings: Settings, names: Collection[str]) -> None:
    """Refuse tables of a bracket that the game has not, or from which nobody goes out."""
    if not {"cut_seats", "cut_advance", "seats"}.intersection(names):
        return
    seats, advance = settings.cut_seats or settings.bracket_seats, settings.cut_advance
    if seats not in settings.seats and "cut_seats" in names:
        raise TourneyError(
            f"settings: cut_seats: a table of this event has {listed(sorted(settings.seats), 'or')} seats, not {seats}"
        )
    if advance >= max(seats, 2):
        raise TourneyError(
            f"settings: cut_advance: from a table of {seats}, from 1 to {seats - 1} can go on, not {advance}"
        )


def _refuse_odd_bracket(settings: Settings, names: Collection[str]) -> None:
    """Refuse what makes no sense in an event that is nothing but a bracket, and what makes sense only there."""
    asked = {"system", "seeding", "third_place", "double", "rounds"}.intersection(names)
    if settings.system != "elimination":
        for name in sorted(asked & {"seeding", "third_place"}):
            if getattr(settings, name) != getattr(Settings(), name):
                raise TourneyError(
                    f"settings: {name} is for an event that is nothing but a bracket",
                    "`--set system=elimination`; after Swiss rounds `tourney event cut N --third-place`",
                )
    elif asked and settings.double and settings.third_place:
        raise TourneyError(
            "a double elimination has no match for the third place: the loser of the lower final is third",
            "leave out `third_place` or `double`",
        )
    elif "rounds" in asked and settings.rounds is not None:
        raise TourneyError(
            "a bracket has as many rounds as it takes: none can be planned", "leave out `--rounds`"
        )


Verdict = Literal["legal", "illegal", "unverified", "unchecked"]
"""What a check said of a decklist; `unverified`: it could not settle it, `unchecked`: nobody has checked it."""


class NewcomersDeck(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A decklist that a player was registered with; see `DeckSubmitted`. vouched: as in `DeckVouched`; None: nobody did."""

    text: Ref
    verdict: Verdict
    cards: Ref | None = None
    vouched: Ref | None = None


class Newcomer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player at registration.

    since:  the first round played (1 before the first pairing)
    late:   what the rounds before `since` count for
    tags:   (kind, text) such as ("club", …): equal texts have equal refs
    byes:   (round, kind): awarded byes, requested half byes, announced absences
    contact: whatever else is known of the person, as a text
    table:  a fixed table's number
    deck:   the list handed in with the registration
    alias:  what pages call the player instead of the name; minor: under age, so that pages shorten the name
    """

    id: PlayerId
    name: Ref
    since: int = 1
    late: Unseated = "absent"
    rating: int | None = None
    tags: tuple[tuple[str, Ref], ...] = ()
    byes: tuple[tuple[int, Unseated], ...] = ()
    table: int | None = None
    contact: Ref | None = None
    deck: NewcomersDeck | None = None
    alias: Ref | None = None
    minor: bool = False


class NoTable(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A player who has no table in a round, and why."""

    player: PlayerId
    kind: Unseated


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the pairing engine said of its round: cost and lower bound level by level, and how it is proved."""

    cost: tuple[int, ...] = ()
    bound: tuple[int, ...] = ()
    text: str = ""


class ExtraPoints(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Points that no result gave: a bonus, or below 0 a penalty. points: half points."""

    round: int
    player: PlayerId
    points: int


class Op(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="op"):
    """What every entry is."""


class EventCreated(Op, frozen=True, tag="event.created"):
    """The first entry. on: the day (YYYY-MM-DD) for which the ban list was picked; secret: SHA-256 of the secret."""

    name: Ref
    format: str
    on: str
    rules: tuple[Kept, ...]
    settings: Settings
    secret: str
    sealed: bool = False


class EventChanged(Op, frozen=True, tag="event.changed"):
    """Settings, the name or the standings profile were changed. settings: only the changed keys."""

    settings: dict[str, Any] = {}
    name: Ref | None = None
    profile: tuple[Kept, ...] = ()
    reason: Ref | None = None


class BeaconEntered(Op, frozen=True, tag="event.beacon"):
    """The public value that `settings.beacon` named came out. value: its text, blanks made one; every seed has it."""

    value: str


class EventClosed(Op, frozen=True, tag="event.closed"):
    """Nothing more will be entered. secret: revealed, in hexadecimal, for a sealed event."""

    secret: str | None = None


class EventReopened(Op, frozen=True, tag="event.reopened"):
    """Entries are taken again."""

    reason: Ref | None = None


class EventRebased(Op, frozen=True, tag="event.rebased"):
    """New rules were adopted. on: the day for which the ban list was picked; rules: all that hold now."""

    on: str
    rules: tuple[Kept, ...]
    reason: Ref | None = None


class EventImported(Op, frozen=True, tag="event.imported"):
    """The event was played in another program: the entries that follow are its file's word, which nobody can prove.

    form: what the file was, by its name among the forms (`cobra`); file: SHA-256 of its bytes; entries: how many follow
    extra_points: what the file gives players beside their results, or takes
    """

    form: str
    file: str
    entries: int
    extra_points: tuple[ExtraPoints, ...] = ()


class PlayerAdded(Op, frozen=True, tag="player.added"):
    """One or many players were registered; ids are never used twice."""

    players: tuple[Newcomer, ...]


class PlayerRenamed(Op, frozen=True, tag="player.renamed"):
    """A player's name was put right."""

    player: PlayerId
    name: Ref


class PlayerDropped(Op, frozen=True, tag="player.dropped"):
    """Players left. after: the last round they were in (0: before round 1).

    cancelled: (player, round) of byes and absences announced for later rounds, which are cancelled
    by_player: the player left by phone, and plays the round to its end
    """

    players: tuple[PlayerId, ...]
    after: int
    reason: Ref | None = None
    cancelled: tuple[tuple[PlayerId, int], ...] = ()
    by_player: bool = False


class PlayerReturned(Op, frozen=True, tag="player.returned"):
    """Players who had dropped play again from `since` on; rounds missed are absences."""

    players: tuple[PlayerId, ...]
    since: int
    reason: Ref | None = None


class PlayerChanged(Op, frozen=True, tag="player.changed"):
    """Facts of a player were changed; what is not named stays. byes replace those of the same rounds; `play` lifts one."""

    player: PlayerId
    rating: int | msgspec.UnsetType | None = msgspec.UNSET
    tags: tuple[tuple[str, Ref], ...] | msgspec.UnsetType = msgspec.UNSET
    byes: tuple[tuple[int, Unseated | Literal["play"]], ...] = ()
    table: int | msgspec.UnsetType | None = msgspec.UNSET
    contact: Ref | msgspec.UnsetType | None = msgspec.UNSET
    alias: Ref | msgspec.UnsetType | None = msgspec.UNSET
    minor: bool | msgspec.UnsetType = msgspec.UNSET


class PlayerDisqualified(Op, frozen=True, tag="player.disqualified"):
    """A player was disqualified: out of the ranking, still an opponent of those met. cancelled: as in `PlayerDropped`."""

    player: PlayerId
    after: int
    reason: Ref | None = None
    cancelled: tuple[tuple[PlayerId, int], ...] = ()


class PlayerCheckedIn(Op, frozen=True, tag="player.checked-in"):
    """Players checked in. by_player: by phone; the desk has not seen the player."""

    players: tuple[PlayerId, ...]
    by_player: bool = False


class PlayerErased(Op, frozen=True, tag="player.erased"):
    """A person's texts were deleted on request. The entries that refer to them stay.

    texts: refs of every deleted text: also of texts by others that named the person, and of the person's signatures
    also:  other numbers under which the same person was registered
    """

    player: PlayerId
    texts: tuple[Ref, ...] = ()
    also: tuple[PlayerId, ...] = ()

    @property
    def numbers(self) -> tuple[PlayerId, ...]:
        """Every number under which the person was registered."""
        return (self.player, *self.also)


class DeckSubmitted(Op, frozen=True, tag="deck.submitted"):
    """A decklist was registered.

    cards:   the pool's lines for the cards in the list, as they were then
    late:    decks were locked, and the organizer accepted it anyway
    vouched: who vouched for card facts that the list declares; None if the verdict rests on none of them
    """

    player: PlayerId
    text: Ref
    verdict: Verdict
    cards: Ref | None = None
    late: bool = False
    vouched: Ref | None = None


class DeckWaived(Op, frozen=True, tag="deck.waived"):
    """Players need not hand in a list."""

    players: tuple[PlayerId, ...]
    reason: Ref | None = None


class DeckShared(Op, frozen=True, tag="deck.shared"):
    """A list that everybody plays with, the organizer's.

    zone: id of the format's zone that the list fills
    zone_name: its name
    verdict, cards, late: as of a player's list
    declared: facts that the list declares were believed, on the word of who entered it
    """

    zone: str
    zone_name: str
    text: Ref
    verdict: Verdict
    cards: Ref | None = None
    late: bool = False
    declared: bool = False


class DeckAgreed(Op, frozen=True, tag="deck.agreed"):
    """A list that the players of a table have agreed upon for their game of a round; it goes before what stands in their own.

    players: who agreed: it holds where all of them, and nobody else, sit at one table of the round
    zone, zone_name, verdict, cards, declared: as in `DeckShared`
    """

    round: int
    players: tuple[PlayerId, ...]
    zone: str
    zone_name: str
    text: Ref
    verdict: Verdict
    cards: Ref | None = None
    declared: bool = False


class RoundPaired(Op, frozen=True, tag="round.paired"):
    """A round: the recorded tables are the truth, whatever an engine would say today.

    seed:   the round seed, in hexadecimal; engine: name and version of what made the tables (empty: by hand)
    labels: in a bracket, what each table is (`Semifinal 1`), in the order of `tables`
    held:   it is shown to nobody but the desk until it is released
    """

    round: int
    tables: tuple[Table, ...]
    byes: tuple[NoTable, ...] = ()
    stage: Stage = "swiss"
    system: System = "swiss"
    seed: str = ""
    engine: str = ""
    labels: tuple[str, ...] = ()
    proof: Proof = Proof()
    held: bool = False


class RoundReleased(Op, frozen=True, tag="round.released"):
    """A round that was held back may be seen."""

    round: int


class RoundEdited(Op, frozen=True, tag="round.edited"):
    """Tables of a round were changed by hand or by a repair.

    tables: as they are now, only those that changed; removed: numbers of tables that are no more
    byes:   who has no table now among those whom the change touches
    """

    round: int
    tables: tuple[Table, ...]
    removed: tuple[int, ...] = ()
    byes: tuple[NoTable, ...] = ()
    engine: str = ""
    proof: Proof = Proof()
    reason: Ref | None = None


class RoundCancelled(Op, frozen=True, tag="round.cancelled"):
    """The last round was taken back with whatever was entered in it."""

    round: int
    reason: Ref | None = None


class RoundStarted(Op, frozen=True, tag="round.started"):
    """The clock of a round was started. minutes: 0 is without limit."""

    round: int
    minutes: int


class TableExtended(Op, frozen=True, tag="table.extended"):
    """A table was given more time."""

    round: int
    table: int
    minutes: int
    reason: Ref | None = None


class PairForced(Op, frozen=True, tag="pair.forced"):
    """These players meet in round `round`, at `table` if one is named."""

    players: tuple[PlayerId, ...]
    round: int
    table: int | None = None
    reason: Ref | None = None


class PairForbidden(Op, frozen=True, tag="pair.forbidden"):
    """These players do not meet: never (hard), or only if it cannot be helped."""

    players: tuple[PlayerId, ...]
    hard: bool = True
    reason: Ref | None = None


class ResultReported(Op, frozen=True, tag="result.reported"):
    """The results of one table or of several.

    results: by table
    reason:  why they are what they are, if given
    claim:   the entry of the players' claim that it comes from; 0 if the desk entered it
    """

    round: int
    results: dict[int, Result]
    reason: Ref | None = None
    claim: int = 0


class ResultChanged(Op, frozen=True, tag="result.changed"):
    """A table's result was corrected, or taken away.

    result: None: the table is still playing
    noted:  the result is as it was, and only the reason is new
    """

    round: int
    table: int
    result: Result | None
    reason: Ref | None = None
    noted: bool = False


class ResultClaimed(Op, frozen=True, tag="result.claimed"):
    """A player reports the result of their table. It is not entered before the other players agree.

    result:   with the players as they sat then: the claim holds while they sit so
    replaces: the entry of the same player's earlier claim; 0: none
    device:   what it was sent from; a text, as it is deleted when the person is erased
    key:      identifies the request: one that is sent again has the same key
    """

    round: int
    table: int
    result: Result
    player: PlayerId
    replaces: int = 0
    device: Ref | None = None
    key: str = ""


class ResultConfirmed(Op, frozen=True, tag="result.confirmed"):
    """Another player of the table agrees with a claim.

    claim:  its entry
    player: None if nobody answered in time, and the event accepts such claims
    device, key: as in `ResultClaimed`
    """

    table: int
    claim: int
    player: PlayerId | None = None
    device: Ref | None = None
    key: str = ""


class ResultDisputed(Op, frozen=True, tag="result.disputed"):
    """Another player of the table contradicts a claim, so that the desk decides.

    claim:  its entry
    result: this player's version; None if they gave none
    device, key: as in `ResultClaimed`
    """

    table: int
    claim: int
    player: PlayerId
    result: Result | None = None
    reason: Ref | None = None
    device: Ref | None = None
    key: str = ""


class JudgeCalled(Op, frozen=True, tag="judge.called"):
    """A player calls a judge to the table. device, key: as in `ResultClaimed`."""

    round: int
    table: int
    player: PlayerId
    reason: Ref | None = None
    device: Ref | None = None
    key: str = ""


class JudgeAnswered(Op, frozen=True, tag="judge.answered"):
    """A judge has been there. call: the entry of the call."""

    call: int


class CutMade(Op, frozen=True, tag="cut.made"):
    """A bracket after round `after`: `players` in seed order.

    seats, advance: players at a table, and how many of them advance. The options `kind`, `reseed`, `third_place` and
             `vacancy` are for tables of two.
    vacancy: who has the bye if a seed drops after this
    lot:     whether a lot separated players whom the profile left level; None: not known, as the cut was imported
    """

    players: tuple[PlayerId, ...]
    after: int
    kind: Literal["single", "double"] = "single"
    reseed: bool = False
    third_place: bool = False
    vacancy: Literal["opponent", "highest-seed"] = "opponent"
    seats: int = 2
    advance: int = 1
    lot: bool | None = None


Loss = Literal["", "game", "match", "event"]
"""What a penalty costs: nothing, a game of the match, the match, or the player's place in the event."""


class PenaltyGiven(Op, frozen=True, tag="penalty.given"):
    """A judge's penalty by the event's penalty list, in the list's own words, so that no list is needed to read it.

    level:      how severe, such as `warning`
    round:      0 before round 1
    infraction: what for, such as `tardiness`; empty if only the level was named
    loss:       what the level costs. The result or disqualification that is entered for it is an entry of its own.
    """

    player: PlayerId
    level: str
    round: int
    infraction: str = ""
    loss: Loss = ""
    reason: Ref | None = None


class PenaltyUpgraded(Op, frozen=True, tag="penalty.upgraded"):
    """A penalty that was given is a harder one, and counts as that.

    entry: of the penalty; old_level: before; level, loss: now, as in `PenaltyGiven`
    """

    player: PlayerId
    entry: int
    old_level: str
    level: str
    loss: Loss = ""
    reason: Ref | None = None


class AuditDrawn(Op, frozen=True, tag="audit.drawn"):
    """The decks to be checked in a round were drawn.

    tables:  in the order of the draw; players: those of them whose decks are to be checked
    seed:    of this draw, in hexadecimal; method: name and version of what drew from it
    """

    round: int
    tables: tuple[int, ...]
    players: tuple[PlayerId, ...]
    seed: str
    method: str


class AuditRecorded(Op, frozen=True, tag="audit.recorded"):
    """A deck was checked at the table. remark: what was noted about it."""

    player: PlayerId
    round: int
    clean: bool
    remark: Ref | None = None


class Undone(Op, frozen=True, tag="undone"):
    """An entry was taken back; taking back an `undone` is a redo."""

    entry: int
    reason: Ref | None = None


AnyOp = (
    EventCreated | EventChanged | BeaconEntered | EventClosed | EventReopened | EventRebased | EventImported
    | PlayerAdded | PlayerRenamed | PlayerDropped | PlayerReturned | PlayerChanged | PlayerDisqualified
    | PlayerCheckedIn | PlayerErased | DeckSubmitted | DeckWaived | DeckShared
    | DeckAgreed
    | RoundPaired | RoundReleased | RoundEdited | RoundCancelled | RoundStarted | TableExtended | PairForced | PairForbidden
    | ResultReported | ResultChanged | ResultClaimed | ResultConfirmed | ResultDisputed | JudgeCalled | JudgeAnswered
    | CutMade | PenaltyGiven | PenaltyUpgraded | AuditDrawn | AuditRecorded
    | Undone
)  # fmt: skip
"""Every op this version can read."""
