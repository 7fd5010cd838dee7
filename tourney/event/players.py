"""Players: registration, names and facts, who is here, coming and going."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, cast

import msgspec

from tourney.cards.names import FoldedName, fold
from tourney.decode import MAX_PLAYERS, MAX_ROUNDS
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import Damaged, Sealing, Texts, text_of, written
from tourney.event.kind import (
    FIELD,
    NO_MARKS,
    Decision,
    EntryKind,
    Footprint,
    LogContext,
    Marks,
    at_place,
    checked_reason,
    marks,
    marks_of_fact,
    marks_of_note,
    named_twice,
    names_nobody,
    no_footprint,
    open_event,
    player_marks,
    player_of,
    stranger,
    strangers_among,
)
from tourney.event.names import clash, clean_name, folded_names, near_equal
from tourney.event.ops import Newcomer, Ref, Unseated
from tourney.event.phrases import RULING, in_a_sentence, names_of, result_text
from tourney.event.settings import LAST_TABLE
from tourney.event.state import Departure, Entered, Player, RegisteredDeck, Round, State, StateDraft
from tourney.event.systems import system_called
from tourney.record import Outcome, PlayerId
from tourney.wording import listed, listed_short

# -- registered


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedDeck:
    """A decklist that was checked.

    cards:   the pool's lines for the cards it names, as they are now
    vouched: who took the facts that it declares to be true, where the verdict rests on them
    """

    text: str
    verdict: ops.Verdict
    cards: str | None
    vouched: Ref | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """A player as somebody wants to be registered; see `Desk.add_player`.

    minor: None if nothing is known of the age; place: file and line, for messages
    """

    name: str
    rating: int | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    byes: Mapping[int, str] = field(default_factory=dict)
    awarded: int = 0
    table: int | None = None
    contact: str | None = None
    late: str | None = None
    deck: JudgedDeck | None = None
    alias: str | None = None
    minor: bool | None = None
    place: str = ""


def add(
    state: State, registrations: Sequence[Registration], seal: Sealing, *, skip_known: bool = False
) -> Decision:
    """Register players. skip_known: names that are registered already are left out and warned of, not refused."""
    open_event(state)
    if not state.joinable:
        raise TourneyError(f"{_made(state)}: nobody can join any more")
    if not registrations:
        raise TourneyError("nobody is named")
    if len(state.players) + len(registrations) > MAX_PLAYERS:
        raise TourneyError(f"an event has at most {MAX_PLAYERS:,} players")
    drafted = _Registrations(state, seal)
    known = folded_names(state.players) if skip_known else {}
    left_out = [each for each in registrations if fold(each.name) in known]
    new = [each for each in registrations if fold(each.name) not in known]
    for each in new:
        with at_place(each.place):
            drafted.add(each)
    decks = _decks_of_known(state, [(known[fold(each.name)], each.deck) for each in left_out], seal)
    names = listed(state.players[known[fold(each.name)]].name for each in left_out)
    warnings: tuple[str, ...] = (f"registered already and left out: {names}",) if left_out else ()
    if not drafted.newcomers:
        if not decks:
            return Decision(already=f"All {len(left_out)} registered")
        return Decision(op=decks[0], then=decks[1:], warnings=warnings)
    warnings += _unkept_tables(state, *(each.table for each in drafted.newcomers))
    warnings += near_equal(state, drafted.named)
    warnings += _still_seated(state, len(drafted.newcomers))
    if state.settings.pairing.system == "round-robin" and state.rounds:
        late = listed_short([each.name for each in new])
        warnings += (f"the schedule was made with round 1: {late} will have no opponents in it",)
    return Decision(op=ops.PlayerAdded(players=tuple(drafted.newcomers)), then=decks, warnings=warnings)


def _made(state: State) -> str:
    return "the bracket is made" if state.settings.pairing.system == "elimination" else "the cut was made"


def _still_seated(state: State, newcomers: int) -> tuple[str, ...]:
    """Say how late players can play the round that was just paired: nobody may have a result in it yet."""
    round_ = state.open_round
    if round_ is None or len(round_.playing) < len(round_.tables) or state.settings.match.seats != (2,):
        return ()
    if not system_called(round_.system).repairs:
        return ()
    them = "that player" if newcomers == 1 else "them"
    return (
        f"no table of {in_a_sentence(round_.title)} has its result yet: `tourney round repair` seats {them} in it",
    )


def _decks_of_known(
    state: State, decks: Iterable[tuple[PlayerId, JudgedDeck | None]], seal: Sealing
) -> tuple[ops.Op, ...]:
    """Register the decks of players who were registered before without one; a deck that is there stays."""
    return tuple(
        ops.DeckSubmitted(
            player=player,
            text=seal(deck.text),
            verdict=deck.verdict,
            cards=seal.maybe(deck.cards),
            vouched=deck.vouched,
        )
        for player, deck in decks
        if deck is not None and state.players[player].deck is None
    )


class _Registrations:
    """The names taken and the numbers given while players are being registered."""

    def __init__(self, state: State, seal: Sealing) -> None:
        self.state = state
        self.seal = seal
        self.holders: dict[FoldedName, str] = {
            fold(each.name): f"#{each.id}" for each in state.players.values()
        }
        self.tags: dict[str, Ref] = {
            text: ref for each in state.players.values() for ref, text in each.tags.values()
        }
        self.newcomers: list[Newcomer] = []
        self.named: dict[PlayerId, str] = {}

    def add(self, registration: Registration) -> None:
        """Register one player. Raises TourneyError."""
        name = clean_name(registration.name)
        if holder := self.holders.get(fold(name)):
            raise TourneyError(
                f"there is a player {name} already ({holder})", "add something that tells the two apart"
            )
        number = PlayerId(self.state.last_id + len(self.newcomers) + 1)
        self.newcomers.append(self._newcomer(registration, name, number))
        self.holders[fold(name)] = f"#{number}"
        self.named[number] = name

    def _newcomer(self, registration: Registration, name: str, number: PlayerId) -> Newcomer:
        late = registration.late or self.state.settings.pairing.late
        if late not in _LATE:
            raise TourneyError(
                f"`{late}` is not a kind of bye for missed rounds", f"it is {listed(_LATE, 'or')}"
            )
        if not 0 <= registration.awarded <= MAX_ROUNDS:
            raise TourneyError(
                f"{registration.awarded} awarded byes are not possible; there can be 0 to {MAX_ROUNDS}"
            )
        byes = dict.fromkeys(range(1, registration.awarded + 1), "awarded-bye") | dict(registration.byes)
        return Newcomer(
            id=number,
            name=self.seal(name, "name"),
            since=len(self.state.rounds) + 1,
            late=_LATE[late],
            rating=_rating(registration.rating),
            tags=_tags(registration.tags, self.tags, self.seal),
            byes=tuple((at, _bye(self.state, at, kind)) for at, kind in sorted(byes.items())),
            table=_table(registration.table),
            contact=self.seal.maybe(_contact(registration.contact), f"contact {number}"),
            deck=self._deck(registration.deck),
            alias=self.seal.maybe(_alias(self.state, registration.alias), f"alias {number}"),
            minor=bool(registration.minor),
        )

    def _deck(self, deck: JudgedDeck | None) -> ops.NewcomersDeck | None:
        if deck is None:
            return None
        return ops.NewcomersDeck(
            text=self.seal(deck.text),
            verdict=deck.verdict,
            cards=self.seal.maybe(deck.cards),
            vouched=deck.vouched,
        )


_LATE: Mapping[str, Unseated] = {"absent": "absent", "bye": "awarded-bye", "half-bye": "half-bye"}


def _unkept_tables(state: State, *tables: int | None) -> tuple[str, ...]:
    """Say that a fixed table comes to nothing where the system numbers its tables by itself."""
    if not any(tables) or "fixed-table" in (system := system_called(state.system)).wishes:
        return ()
    return (f"{system.called} numbers its tables by itself: the fixed table is noted, and not kept",)


# -- facts of a player, as they are typed


_HIGHEST_RATING = 10_000


def _rating(rating: int | None) -> int | None:
    if rating is not None and not 0 <= rating <= _HIGHEST_RATING:
        raise TourneyError(f"a rating lies between 0 and {_HIGHEST_RATING}, not {rating}")
    return rating


LONGEST_TAG = 100
"""Characters of a tag's text."""


def _tags(tags: Mapping[str, str], refs: dict[str, Ref], seal: Sealing) -> tuple[tuple[str, Ref], ...]:
    """Return tags with refs; a text that is in use keeps its ref, so that refs can be compared."""
    labelled = []
    for kind, text in sorted(tags.items()):
        label = clean_name(text, what=kind, longest=LONGEST_TAG)
        if label not in refs:
            refs[label] = seal(label, "tag")
        labelled.append((clean_name(kind, what="kind of tag").lower(), refs[label]))
    return tuple(labelled)


def _table(number: int | None) -> int | None:
    if number is not None and not 1 <= number <= LAST_TABLE:
        raise TourneyError(f"there is no table {number}: tables are numbered from 1")
    return number


def _alias(state: State, text: str | None, player: PlayerId | None = None) -> str | None:
    """Return what pages are to call a player. Raises TourneyError where somebody else is called so."""
    if not text:
        return None
    alias = clean_name(text, what="alias")
    taken = [
        each
        for each in state.players.values()
        if each.id != player and fold(alias) in {fold(each.name), fold(each.alias[1] if each.alias else "")}
    ]
    if taken:
        raise TourneyError(f"`{alias}` is what {taken[0].name} (#{taken[0].id}) is called")
    return alias


_LONGEST_CONTACT = 400


def _contact(text: str | None) -> str | None:
    return clean_name(text, what="contact", longest=_LONGEST_CONTACT) if text else None


BYES: Mapping[str, Unseated] = {
    "awarded-bye": "awarded-bye",
    "bye": "awarded-bye",
    "half-bye": "half-bye",
    "half": "half-bye",
    "absent": "absent",
}
"""How announced byes are typed. A bye that somebody asks for is awarded, not given by the pairing."""


def _bye(state: State, number: int, kind: str) -> Unseated:
    if kind not in BYES:
        raise TourneyError(
            f"`{kind}` is not a kind of bye", f"it is {listed(dict.fromkeys(BYES.values()), 'or')}"
        )
    if not 1 <= number <= MAX_ROUNDS:
        raise TourneyError(f"there is no round {number}")
    if number <= len(state.rounds):
        raise TourneyError(
            f"round {number} is paired already",
            f"`tourney round edit bye NAME --kind {BYES[kind]}` for the current round",
        )
    return BYES[kind]


# -- a registration as an entry


def _apply_added(draft: StateDraft, op: ops.PlayerAdded, at: Entered, texts: Texts) -> None:
    for newcomer in op.players:
        draft.players[newcomer.id] = _player_of(newcomer, at, texts)
    keep_numbers(draft, op)


def _player_of(newcomer: Newcomer, at: Entered, texts: Texts) -> Player:
    deck = newcomer.deck
    return Player(
        id=newcomer.id,
        name=_name_of(newcomer.id, newcomer.name, texts),
        name_ref=newcomer.name,
        since=newcomer.since,
        late=Outcome(newcomer.late),
        rating=newcomer.rating,
        tags=_tags_of(newcomer.tags, texts),
        byes=MappingProxyType({number: Outcome(kind) for number, kind in newcomer.byes}),
        table=newcomer.table,
        contact=newcomer.contact,
        alias=_alias_of(newcomer.id, newcomer.alias, texts),
        minor=newcomer.minor,
        deck=RegisteredDeck(
            text=deck.text, verdict=deck.verdict, cards=deck.cards, entry=at.entry, vouched=deck.vouched
        )
        if deck
        else None,
    )


def _name_of(player: PlayerId, ref: Ref, texts: Texts) -> str:
    """Return a player's name; one that was deleted or is damaged says so, and whose it is."""
    name = texts.get(ref)
    return f"#{player} (name damaged)" if isinstance(name, Damaged) else name or f"player {player}"


def _alias_of(player: PlayerId, ref: Ref | None, texts: Texts) -> tuple[Ref, str] | None:
    """Return an alias; None where there is none, and where it was deleted or is damaged."""
    text = None if ref is None else texts.get(ref)
    if ref is None or not text or isinstance(text, Damaged):
        return None
    return ref, _name_of(player, ref, texts)


def _tags_of(tags: tuple[tuple[str, Ref], ...], texts: Texts) -> Mapping[str, tuple[Ref, str]]:
    return MappingProxyType({kind: (ref, text_of(ref, texts, "")) for kind, ref in tags})


def keep_numbers(draft: StateDraft, op: ops.Op) -> None:
    """Never give a player's number twice, even if the registration was taken back."""
    if isinstance(op, ops.PlayerAdded):
        draft.last_id = max(draft.last_id, *(each.id for each in op.players))


def _say_added(op: ops.PlayerAdded, context: LogContext) -> str:
    newcomers = [f"{context.name(each.id)} (#{each.id})" for each in op.players]
    who = listed_short(newcomers)
    since = op.players[0].since
    late = f", from round {since} on" if since > 1 else ""
    decks = sum(each.deck is not None for each in op.players)
    if len(newcomers) == 1:
        return f"{who} is registered{' with a deck' if decks else ''}{late}"
    return f"{who} are registered{f', {decks} with a deck' if decks else ''}{late}"


def _marks_of_added(op: ops.PlayerAdded) -> Footprint:
    made = player_marks(tuple(each.id for each in op.players))
    return Footprint(made | {FIELD}, NO_MARKS)


def _odd_registration(op: ops.PlayerAdded) -> Iterator[str]:
    if not op.players:
        yield "nobody is registered"
    yield from named_twice(each.id for each in op.players)
    for each in op.players:
        if each.id < 1:
            yield f"players count from 1, not {each.id}"
        if each.since < 1:
            yield f"rounds count from 1, not {each.since}"


def _numbers_taken(op: ops.PlayerAdded, draft: StateDraft) -> Iterator[str]:
    for each in op.players:
        if each.id in draft.players:
            yield f"there is a player #{each.id} already"


# -- names and facts that change


def rename(state: State, player: PlayerId, name: str, seal: Sealing) -> Decision:
    """Put a name right."""
    open_event(state)
    old = player_of(state, player)
    new = clean_name(name)
    holder = clash(state.players, new)
    if holder is not None and holder.id != player:
        raise TourneyError(
            f"there is a player {holder.name} already (#{holder.id})",
            "add something that tells the two apart",
        )
    if new == old.name:
        return Decision(already=f"#{player} is called {new}")
    return Decision(op=ops.PlayerRenamed(player=player, name=seal(new, "name")))


def _apply_renamed(draft: StateDraft, op: ops.PlayerRenamed, _at: Entered, texts: Texts) -> None:
    draft.change(op.player, name=_name_of(op.player, op.name, texts), name_ref=op.name)


def _say_renamed(op: ops.PlayerRenamed, context: LogContext) -> str:
    return f"#{op.player} is called {context.texts.get(op.name) or f'player {op.player}'}"


KEEP = "(as it is)"
"""Says of a fact that it stays: None means that it is cleared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is to be changed of a player; KEEP stays (minor: None), None clears. tags: an empty text takes a tag away."""

    rating: int | str | None = KEEP
    table: int | str | None = KEEP
    contact: str | None = KEEP
    alias: str | None = KEEP
    minor: bool | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    byes: Mapping[int, str] = field(default_factory=dict)


def change(state: State, player: PlayerId, facts: Facts, seal: Sealing) -> Decision:
    """Change facts of a player."""
    open_event(state)
    before = player_of(state, player)
    changes: dict[str, Any] = {}
    if facts.rating != KEEP:
        changes["rating"] = _rating(cast("int | None", facts.rating))
    if facts.table != KEEP:
        changes["table"] = _table(cast("int | None", facts.table))
    if facts.contact != KEEP:
        changes["contact"] = seal.maybe(_contact(facts.contact), "contact")
    if facts.alias != KEEP:
        changes["alias"] = seal.maybe(_alias(state, facts.alias, player), "alias")
    if facts.minor is not None:
        changes["minor"] = facts.minor
    if facts.tags:
        changes["tags"] = _merged_tags(state, before, facts.tags, seal)
    if facts.byes:
        wishes = sorted(facts.byes.items())
        changes["byes"] = tuple(
            (at, "play" if kind == "play" else _bye(state, at, kind)) for at, kind in wishes
        )
    if not changes:
        raise TourneyError(f"nothing to change for {before.name} was named")
    return Decision(
        op=ops.PlayerChanged(player=player, **changes),
        warnings=_unkept_tables(state, changes.get("table")),
    )


def update(
    state: State, player: PlayerId, registration: Registration, contact: str | None, seal: Sealing
) -> Decision:
    """Change a player to what a registration says; what it leaves empty stays. Without an op if nothing changes.

    contact: of the player, as it is now
    """
    before = player_of(state, player)
    ops_: list[ops.Op] = []
    if clean_name(registration.name) != before.name:
        renamed = rename(state, player, registration.name, seal)
        ops_ += renamed.ops
    tags = {
        clean_name(kind, what="kind of tag").lower(): clean_name(text, what=kind, longest=LONGEST_TAG)
        for kind, text in registration.tags.items()
    }
    byes = dict.fromkeys(range(1, registration.awarded + 1), "awarded-bye") | dict(registration.byes)
    alias = _alias(state, registration.alias, player)
    now = before.alias[1] if before.alias else None
    facts = Facts(
        rating=KEEP if registration.rating in {None, before.rating} else registration.rating,
        table=KEEP if registration.table in {None, before.table} else registration.table,
        contact=KEEP if _contact(registration.contact) in {None, contact} else registration.contact,
        alias=KEEP if alias in {None, now} else alias,
        minor=None if registration.minor == before.minor else registration.minor,
        tags={kind: text for kind, text in tags.items() if before.tags.get(kind, (None, None))[1] != text},
        byes={at: kind for at, kind in byes.items() if BYES.get(kind) != _announced(before, at)},
    )
    warnings: tuple[str, ...] = ()
    if registration.late and _LATE.get(registration.late, before.late.value) != before.late.value:
        warnings += (
            f"what rounds missed count for is set at registration: {before.name} keeps {before.late.words.award}",
        )
    if facts != Facts():
        changed = change(state, player, facts, seal)
        ops_, warnings = [*ops_, *changed.ops], (*warnings, *changed.warnings)
    return Decision(then=tuple(ops_), warnings=warnings)


def _announced(player: Player, number: int) -> str | None:
    bye = player.byes.get(number)
    return bye.value if bye else None


def _merged_tags(
    state: State, player: Player, tags: Mapping[str, str], seal: Sealing
) -> tuple[tuple[str, Ref], ...]:
    refs = {text: ref for each in state.players.values() for ref, text in each.tags.values()}
    kept = {kind: ref for kind, (ref, _) in player.tags.items() if kind not in tags}
    new = dict(_tags({kind: text for kind, text in tags.items() if text}, refs, seal))
    return tuple(sorted((kept | new).items()))


def _apply_facts_changed(draft: StateDraft, op: ops.PlayerChanged, _at: Entered, texts: Texts) -> None:
    facts: dict[str, Any] = {
        key: value
        for key, value in (("rating", op.rating), ("table", op.table), ("contact", op.contact))
        if value is not msgspec.UNSET
    }
    if op.tags is not msgspec.UNSET:
        facts["tags"] = _tags_of(op.tags, texts)
    if op.alias is not msgspec.UNSET:
        facts["alias"] = _alias_of(op.player, op.alias, texts)
    if op.minor is not msgspec.UNSET:
        facts["minor"] = op.minor
    if op.byes:
        byes: dict[int, Any] = dict(draft.players[op.player].byes) | dict(op.byes)
        facts["byes"] = MappingProxyType(
            {number: Outcome(kind) for number, kind in sorted(byes.items()) if kind != "play"}
        )
    draft.change(op.player, **facts)


def _say_player_changed(op: ops.PlayerChanged, context: LogContext) -> str:
    changes = [
        f"{key} {_fact_words(getattr(op, key))}"
        for key in ("rating", "table")
        if getattr(op, key) is not msgspec.UNSET
    ]
    if op.tags is not msgspec.UNSET:
        changes += [f"{kind} {written(ref, context.texts)}" for kind, ref in op.tags] or ["no tags"]
    changes += ["another contact"] if op.contact is not msgspec.UNSET else []
    if op.alias is not msgspec.UNSET:
        called = written(op.alias, context.texts)
        changes += [f"called {called} on pages" if called else "no alias"]
    if op.minor is not msgspec.UNSET:
        changes += ["under age, so that pages shorten the name" if op.minor else "not under age"]
    changes += [f"in round {number} {_wish_words(kind)}" for number, kind in op.byes]
    return f"{context.name(op.player)}: {listed(changes)}"


def _fact_words(value: Any) -> str:
    return "none" if value is None else str(value)


def _wish_words(kind: str) -> str:
    return "playing" if kind == "play" else Outcome(kind).words.award


def _marks_of_player_changed(op: ops.PlayerChanged) -> Footprint:
    set_now = [name for name in _CHANGEABLE if getattr(op, name) is not msgspec.UNSET]
    made: Marks = frozenset(
        [("fact", op.player, name) for name in set_now]
        + [("wish", op.player, number) for number, _ in op.byes]
    )
    field = marks(FIELD) if op.byes or {*set_now} - _UNPAIRED else NO_MARKS
    return Footprint(made | field, made | player_marks((op.player,)))


_CHANGEABLE = ("rating", "tags", "table", "contact", "alias", "minor")


_UNPAIRED = frozenset({"contact", "alias", "minor"})
"""Facts that no pairing asks for."""


# -- who is here


def check_in(state: State, players: Sequence[PlayerId], *, own: bool = False) -> Decision:
    """Note that players are here. own: the player says so on their own phone."""
    open_event(state)
    known = (player_of(state, player) for player in dict.fromkeys(players))
    new = [player.id for player in known if not player.checked_in]
    if not new:
        return Decision(already=f"{listed_short([state.players[each].name for each in players])} checked in")
    return Decision(op=ops.PlayerCheckedIn(players=tuple(new), by_player=own))


def check_in_all(state: State, but: Collection[PlayerId]) -> Decision:
    """Note that everybody who plays was seen, apart from `but`."""
    here = [each.id for each in state.playing if each.id not in but]
    if not here:
        raise TourneyError("that leaves nobody to check in", "`tourney player list`")
    decision = check_in(state, here)
    seen = [state.players[each].name for each in but if state.players[each].checked_in]
    if not seen:
        return decision
    are = "was checked in before and still is" if len(seen) == 1 else "were checked in before and still are"
    warning = f"{listed_short(seen)} {are}: `tourney player drop NAME` takes out who is not here"
    return replace(decision, warnings=(*decision.warnings, warning))


def _apply_checked_in(draft: StateDraft, op: ops.PlayerCheckedIn, _at: Entered, _texts: Texts) -> None:
    for player in op.players:
        draft.change(player, checked_in=True, own_check_in=op.by_player)


def _say_checked_in(op: ops.PlayerCheckedIn, context: LogContext) -> str:
    return f"{context.names(op.players)} checked in"


def uses_check_in(state: State) -> bool:
    """Return whether any player is checked in, by the desk or on their own phone.

    From the first check-in on, round 1 waits for the players who are not checked in.
    """
    return any(player.checked_in for player in state.players.values())


def absent(state: State) -> tuple[PlayerId, ...]:
    """Return the players still in the event who are not here.

    Before round 1: those not checked in, if the event uses check-in. A player with an announced bye or absence in
    round 1 is not expected yet. Later: those who did not show in the last Swiss round.
    """
    round_ = state.round
    if round_ is None:
        here = uses_check_in(state)
        return tuple(each.id for each in state.playing if here and not each.checked_in and 1 not in each.byes)
    if round_.stage != "swiss" or state.cut is not None:
        return ()
    missed = _no_shows(round_)
    return tuple(each.id for each in state.playing if each.id in missed)


def _no_shows(round_: Round) -> frozenset[PlayerId]:
    """Return who did not show in a round, by its results; who forfeited by a ruling was perhaps there."""
    return frozenset(
        seat.player
        for table in round_.tables.values()
        if table.result is not None and table.result.ended != RULING
        for seat in table.result.seats
        if seat.outcome is Outcome.FORFEIT_LOSS
    )


def absent_text(state: State, gone: Sequence[PlayerId]) -> str:
    """Return a sentence, without a full stop, that names the absent players `gone`.

    Empty if there are none, or if the event keeps players who do not show.
    """
    if not gone or (state.rounds and state.settings.pairing.no_show == "keep"):
        return ""
    names = listed_short([state.players[player].name for player in gone])
    if state.rounds:
        return f"{names} did not show in {in_a_sentence(state.rounds[-1].title)}"
    return f"{names} {'is' if len(gone) == 1 else 'are'} not checked in"


def present_text(state: State) -> str:
    """Return how many of the players expected in round 1 are here: `3 of 5 players are here`.

    Empty if the event does not use check-in, and after round 1.
    """
    if not uses_check_in(state) or len(state.rounds) > 1:
        return ""
    expected = [player for player in state.playing if player.checked_in or 1 not in player.byes]
    here = sum(player.checked_in for player in expected)
    if not expected:
        return ""
    if here == len(expected) > 1:
        return f"all {here} players are here"
    return f"{here} of {len(expected)} players {'is' if here == 1 else 'are'} here"


# -- who leaves, and comes back


def drop(
    state: State, players: Sequence[PlayerId], reason: str | None, seal: Sealing, *, own: bool = False
) -> Decision:
    """Take players out from the next round on. own: they say so themselves, and play the round to its end."""
    open_event(state)
    still_in = [each for each in players if player_of(state, each).playing]
    if not still_in:
        return Decision(already=f"{listed(state.players[each].name for each in players)} dropped")
    tables = state.round.tables.values() if state.round and not own else ()
    awaited = {player for table in tables if table.result is None for player in table.seats}
    sitting = [_sitting(state, each) for each in still_in if each in awaited]
    op = ops.PlayerDropped(
        players=tuple(dict.fromkeys(still_in)),
        after=len(state.rounds),
        reason=seal.maybe(checked_reason(reason)),
        cancelled=_to_come(state, still_in),
        by_player=own,
    )
    return Decision(op=op, warnings=(*filter(None, sitting), *_leaving_cut(state, still_in)))


def _to_come(state: State, leaving: Iterable[PlayerId]) -> tuple[tuple[PlayerId, int], ...]:
    """Return what players who leave had announced for rounds to come: byes and absences of nobody are in the way."""
    return tuple(
        (player, number)
        for player in dict.fromkeys(leaving)
        for number in sorted(state.players[player].byes)
        if number > len(state.rounds)
    )


def _sitting(state: State, player: PlayerId, *, ruled: bool = False) -> str:
    """Say where a player who leaves is still awaited. ruled: a judge took them out, so that they did show."""
    table = state.round.table_of(player) if state.round else None
    if table is None or table.result is not None:
        return ""
    seat, name = table.seats.index(player) + 1, names_of(state)
    where = f"{name(player)} still sits at table {table.number}"
    claim = state.round.claims.get(table.number) if state.round else None
    if claim is not None:  # it ends with this, and the desk may never have seen it
        said = result_text(claim.result, name)
        where += f", and what {name(claim.player)} reported there, {said}, does not stand any more"
    return f"{where}: enter its result{_no_show(state, seat, ruled=ruled)}"


def _no_show(state: State, seat: int, *, ruled: bool) -> str:
    """Say what can be done for a table where somebody will not play on; brackets and larger tables are not repaired."""
    if (
        state.round is not None
        and state.round.stage == "cut"
        and state.cut is not None
        and state.cut.seats > 2
    ):
        return " (`ff` in place of a number for not showing)"
    if any(size != 2 for size in state.settings.match.seats):
        return ", or take them out: `tourney round edit bye PLAYER --kind absent`"
    mend = ", or `tourney round repair`" if system_called(state.system).repairs else ""
    way = f"`forfeit{seat}` for a forfeit by ruling" if ruled else f"`ff{seat}` for not showing"
    return f" ({way}){mend}"


def _leaving_cut(state: State, leaving: Collection[PlayerId]) -> tuple[str, ...]:
    """Say how the next in the standings can have the place of who leaves between the cut and its first match."""
    if state.cut is None or not state.rounds or state.rounds[-1].stage == "cut":
        return ()
    names = [state.players[each].name for each in state.cut.players if each in leaving]
    if not names:
        return ()
    are = "is one of the cut, whose place stays" if len(names) == 1 else "are of the cut, whose places stay"
    size, there = len(state.cut.players), sum(each.id not in leaving for each in state.playing)
    tables = f" --seats {state.cut.seats} --advance {state.cut.advance}" if state.cut.seats > 2 else ""
    again = (
        f"and `tourney event cut {size}{tables}` lets in who is next"
        if there >= size
        else "for a smaller one"
    )
    return (
        f"{listed_short(names)} {are} empty: `tourney event undo ENTRY` takes the cut back (`tourney event log` tells"
        f" which){',' if there >= size else ''} {again}",
    )


def drop_absent(state: State, reason: str | None, seal: Sealing) -> Decision:
    """Take out whoever is not here: before round 1 those not checked in, later those who did not show in the last round."""
    open_event(state)
    if not state.rounds and not uses_check_in(state):
        raise TourneyError(
            "no player is checked in yet, so this would drop every player",
            "`tourney player check-in NAME`, or `tourney player check-in --all --except NAME`",
        )
    gone = absent(state)
    if not gone:
        return _nobody_missed(state)
    return drop(state, gone, reason, seal)


def _nobody_missed(state: State) -> Decision:
    """Say that there is nobody to take out: what is known of who is not here stands in the results of the round."""
    round_ = state.round
    if round_ is None:
        return Decision(already=f"All {len(state.playing)} players checked in")
    said = f"Whoever did not show in {in_a_sentence(round_.title)} by its results (`ff1`, `ff2`) has left"
    return Decision(already=said, warnings=_not_checked_in(state, round_))


def _not_checked_in(state: State, round_: Round) -> tuple[str, ...]:
    """Name who was paired for round 1 without being checked in, and is not known to have come."""
    if round_.number > 1 or not uses_check_in(state):
        return ()
    waited_for = {each for table in round_.playing for each in round_.tables[table].seats}
    unseen = [each.name for each in state.playing if each.id in waited_for and not each.checked_in]
    if not unseen:
        return ()
    be = "was" if len(unseen) == 1 else "were"
    return (f"{listed_short(unseen)} {be} paired without being checked in: `tourney player drop NAME`",)


def without_no_shows(
    state: State, seal: Sealing, staying: Collection[PlayerId] = ()
) -> tuple[State, ops.PlayerDropped | None]:
    """Return the event from which its no-shows have dropped, and the entry, where `no_show` asks for that.

    staying: who is to play on all the same
    """
    gone = [each for each in absent(state) if each not in staying] if state.rounds else []
    if not gone or state.settings.pairing.no_show != "drop":
        return state, None
    op = ops.PlayerDropped(
        players=tuple(gone),
        after=len(state.rounds),
        reason=seal("did not show"),
        cancelled=_to_come(state, gone),
    )
    departure = Departure(state.entry + 1, op.after, op.reason)
    dropped = {
        each: replace(
            state.players[each],
            dropped=op.after,
            departure=departure,
            byes=_byes_left(state.players[each], op.cancelled),
        )
        for each in gone
    }
    return replace(state, players=MappingProxyType({**state.players, **dropped})), op


def _apply_dropped(draft: StateDraft, op: ops.PlayerDropped, at: Entered, _texts: Texts) -> None:
    departure = Departure(at.entry, op.after, op.reason)
    for player in op.players:
        byes = _byes_left(draft.players[player], op.cancelled)
        draft.change(player, dropped=op.after, departure=departure, byes=byes, leaving=op.by_player)
        if not op.by_player:
            draft.end_claims(player)


def _byes_left(player: Player, lifted: Iterable[tuple[PlayerId, int]]) -> Mapping[int, Outcome]:
    gone = {number for each, number in lifted if each == player.id}
    return MappingProxyType({number: kind for number, kind in player.byes.items() if number not in gone})


def _say_dropped(op: ops.PlayerDropped, context: LogContext) -> str:
    when = f"after {in_a_sentence(context.title(op.after))}" if op.after else "before round 1"
    left = "left"
    if op.after and context.plays(op.after):
        left = "leaves" if len(op.players) == 1 else "leave"
    return f"{context.names(op.players)} {left} {when}{_lifted_words(op.cancelled)}{context.why(op.reason)}"


def _lifted_words(lifted: Sequence[tuple[PlayerId, int]]) -> str:
    rounds = sorted({number for _, number in lifted})
    if not rounds:
        return ""
    return f" (what was announced for {'round' if len(rounds) == 1 else 'rounds'} {listed(rounds)} is lifted)"


def _marks_of_presence(op: Any) -> Footprint:
    players = op.players if hasattr(op, "players") else (op.player,)
    made = frozenset(("presence", player) for player in players)
    made |= {("wish", *each) for each in getattr(op, "cancelled", ())}
    return Footprint(made | {FIELD}, made | player_marks(players))


def return_(state: State, players: Sequence[PlayerId], reason: str | None, seal: Sealing) -> Decision:
    """Let players who had dropped play again."""
    open_event(state)
    for each in players:
        if player_of(state, each).disqualified is not None:
            raise TourneyError(
                f"{state.players[each].name} is disqualified",
                "`tourney event log`, then `tourney event undo N`",
            )
    away = [each for each in players if not state.players[each].playing]
    if not away:
        return Decision(already=f"{listed(state.players[each].name for each in players)} playing")
    if not state.joinable:
        raise TourneyError(f"{_made(state)}: nobody can come back any more")
    op = ops.PlayerReturned(
        players=tuple(dict.fromkeys(away)),
        since=len(state.rounds) + 1,
        reason=seal.maybe(checked_reason(reason)),
    )
    return Decision(op=op)


def _apply_returned(draft: StateDraft, op: ops.PlayerReturned, _at: Entered, _texts: Texts) -> None:
    for player in op.players:
        draft.change(player, dropped=None, departure=None, leaving=False)


def _say_returned(op: ops.PlayerReturned, context: LogContext) -> str:
    play = "plays" if len(op.players) == 1 else "play"
    return f"{context.names(op.players)} {play} again from round {op.since} on{context.why(op.reason)}"


def disqualify(state: State, player: PlayerId, reason: str | None, seal: Sealing) -> Decision:
    """Take a player out of the ranking."""
    open_event(state)
    if player_of(state, player).disqualified is not None:
        return Decision(already=f"{state.players[player].name} disqualified")
    op = ops.PlayerDisqualified(
        player=player,
        after=len(state.rounds),
        reason=seal.maybe(checked_reason(reason)),
        cancelled=_to_come(state, [player]),
    )
    return Decision(
        op=op, warnings=(*filter(None, [_sitting(state, player, ruled=True)]), *_leaving_cut(state, [player]))
    )


def _apply_disqualified(draft: StateDraft, op: ops.PlayerDisqualified, at: Entered, _texts: Texts) -> None:
    draft.change(
        op.player,
        disqualified=op.after,
        departure=Departure(at.entry, op.after, op.reason),
        byes=_byes_left(draft.players[op.player], op.cancelled),
        leaving=False,
    )
    draft.end_claims(op.player)


def _say_disqualified(op: ops.PlayerDisqualified, context: LogContext) -> str:
    return f"{context.name(op.player)} was disqualified{_lifted_words(op.cancelled)}{context.why(op.reason)}"


# -- who is erased


def erase(players: Sequence[PlayerId], texts: Sequence[Ref], *, again: bool) -> Decision:
    """Delete a person's texts. Allowed in a closed event, too, and after their registration was taken back.

    players: the numbers under which they were registered, that which was named first
    texts: those that are still there; again: it was done before, by this or another tourney
    """
    player, *also = players
    if again and not texts:
        return Decision(already=f"The name of #{player} deleted")
    return Decision(op=ops.PlayerErased(player=player, texts=tuple(texts), also=tuple(also)))


def _apply_erased(draft: StateDraft, op: ops.PlayerErased, _at: Entered, _texts: Texts) -> None:
    for player in op.numbers:
        if player in draft.players:  # else their registration was taken back
            draft.change(player, name=f"player {player}", erased=True)


def _say_erased(op: ops.PlayerErased, _log_context: LogContext) -> str:
    also = f" ({listed(f'#{each}' for each in op.numbers[1:])}, too)" if op.numbers[1:] else ""
    return f"The name, the deck and the notes of player #{op.player}{also} were deleted"


KINDS = (
    EntryKind(
        ops.PlayerAdded,
        _apply_added,
        _say_added,
        footprint=_marks_of_added,
        alone=_odd_registration,
        misfits=_numbers_taken,
    ),
    EntryKind(
        ops.PlayerRenamed, _apply_renamed, _say_renamed, footprint=marks_of_fact("name"), misfits=stranger
    ),
    EntryKind(
        ops.PlayerDropped,
        _apply_dropped,
        _say_dropped,
        footprint=_marks_of_presence,
        alone=names_nobody,
        misfits=strangers_among,
    ),
    EntryKind(
        ops.PlayerReturned,
        _apply_returned,
        _say_returned,
        footprint=_marks_of_presence,
        alone=names_nobody,
        misfits=strangers_among,
    ),
    EntryKind(
        ops.PlayerChanged,
        _apply_facts_changed,
        _say_player_changed,
        footprint=_marks_of_player_changed,
        misfits=stranger,
    ),
    EntryKind(
        ops.PlayerDisqualified,
        _apply_disqualified,
        _say_disqualified,
        footprint=_marks_of_presence,
        misfits=stranger,
    ),
    EntryKind(
        ops.PlayerCheckedIn,
        _apply_checked_in,
        _say_checked_in,
        footprint=marks_of_note,
        alone=names_nobody,
        misfits=strangers_among,
    ),
    EntryKind(ops.PlayerErased, _apply_erased, _say_erased, footprint=no_footprint, whenever=True),
)
"""What can happen here, in the order of `tourney.event.ops`."""
