"""Register, rename, change and erase players.

The organizer describes a new player by a `Registration`, and changes to a player by `Facts`. Functions that
return a `Decision` convert these to ops, the contents of journal entries. In ops, refs (digests) take the
place of personal texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from tourney.cards.names import fold
from tourney.decode import MAX_PLAYERS, MAX_ROUNDS
from tourney.errors import TourneyError
from tourney.event import event_admin, ops
from tourney.event.entry import Damaged, Sealing, Texts, display_text, text_of
from tourney.event.kind import (
    Decision,
    EntryKind,
    EventChange,
    EventReading,
    at_place,
    checked_table,
    refuse_after_cut,
    state_after,
)
from tourney.event.names import by_name, clean_name, hides_divisions, near_equal
from tourney.event.ops import Newcomer, Ref, Unseated
from tourney.event.state import Entered, Player, RegisteredDeck, State, StateDraft
from tourney.event.systems import system_called
from tourney.event.titles import in_a_sentence
from tourney.record import Outcome, PlayerId
from tourney.wording import listed, listed_short

# -- registration


class JudgedDeck(Struct, frozen=True, kw_only=True):
    """A decklist that was checked.

    cards:   the lines of the card pool's files about the cards in the list, at the time of the check; None
        if the pool is not found or has none of the cards
    vouched: the ref (salted digest) of the name of the scorekeeper who vouched for card facts that the list
        declares; None if the verdict does not depend on such facts
    """

    text: str
    verdict: ops.Verdict
    cards: str | None = None
    vouched: Ref | None = None

    def sealed_fields(self, seal: Sealing) -> dict[str, Any]:
        """Return the fields of an op that registers this list: `text`, `verdict` and `cards`.

        `seal` replaces texts by their refs (salted digests).
        """
        return {"text": seal(self.text), "verdict": self.verdict, "cards": seal.maybe(self.cards)}


class Facts(Struct, frozen=True, kw_only=True):
    """Facts of a player, as people type them.

    A fact that was not given is UNSET. None means that the player has no such fact, for example no rating.

    tags:  kind → text, such as club → `Harbour Club`, compared by `keep_apart`; an empty text removes the tag
    byes:  round → `awarded-bye`, `half-bye` or `absent`; `play` removes it
    table: a fixed table
    alias: the player's name on pages
    minor: whether the player is under age, so that pages shorten the name
    """

    rating: int | UnsetType | None = UNSET
    table: int | UnsetType | None = UNSET
    contact: str | UnsetType | None = UNSET
    alias: str | UnsetType | None = UNSET
    minor: bool | UnsetType = UNSET
    tags: Mapping[str, str] = field(default_factory=dict)
    byes: Mapping[int, str] = field(default_factory=dict)


class Registration(Facts, frozen=True, kw_only=True):
    """A player to be registered.

    awarded: the number of rounds, from round 1 on, for which the player has a full-point bye
    late:    what each missed round counts as: `absent`, `bye` or `half-bye`; None for the event's setting
    place:   file and line, for messages
    """

    name: str
    awarded: int = 0
    late: str | None = None
    deck: JudgedDeck | None = None
    place: str = ""

    @property
    def all_byes(self) -> dict[int, str]:
        """Round → bye or absence, including the awarded byes for the first rounds."""
        return dict.fromkeys(range(1, self.awarded + 1), "awarded-bye") | dict(self.byes)


def add(change: EventChange, registrations: Sequence[Registration], *, skip_known: bool = False) -> Decision:
    """Register players. After round 1 is paired, new players play from the next round on.

    skip_known: whether to skip names that are already registered, with a warning; if not, they raise
        TourneyError
    """
    return _with_settings(change, _add(change, registrations, skip_known=skip_known))


def _add(change: EventChange, registrations: Sequence[Registration], *, skip_known: bool) -> Decision:
    state, seal = change.open_event(), change.seal
    refuse_after_cut(state, "join")
    if not registrations:
        raise TourneyError("no player was named")
    if len(state.players) + len(registrations) > MAX_PLAYERS:
        raise TourneyError(f"an event has at most {MAX_PLAYERS:,} players")
    registered_names = by_name(state.players) if skip_known else {}
    new: list[Registration] = []
    skipped_decks: dict[PlayerId, JudgedDeck | None] = {}
    for registration in registrations:
        if holder := registered_names.get(fold(registration.name)):
            skipped_decks[holder.id] = registration.deck
        else:
            new.append(registration)
    newcomers = _newcomers(state, new, seal)
    decks = tuple(
        deck_submission(player, deck, seal)
        for player, deck in skipped_decks.items()
        if deck is not None and state.players[player].deck is None
    )
    names = listed(state.players[player].name for player in skipped_decks)
    warnings = [f"already registered, so left out: {names}"] if skipped_decks else []
    if not newcomers:
        if not decks:
            return Decision(already="Every player is already registered")
        return Decision(op=decks[0], then=decks[1:], warnings=tuple(warnings))
    warnings += _ignored_tables(state, [newcomer.table for newcomer in newcomers])
    names_by_id = {
        newcomer.id: clean_name(added.name) for newcomer, added in zip(newcomers, new, strict=True)
    }
    warnings += near_equal(state, names_by_id)
    if _can_still_be_seated(state):
        players = "the new player" if len(newcomers) == 1 else "the new players"
        title = in_a_sentence(state.rounds[-1].title)
        warnings += [
            f"no table of {title} has a result yet, so `tourney round repair` can still seat {players}"
        ]
    if state.settings.pairing.system == "round-robin" and state.rounds:
        latecomers = listed_short([*names_by_id.values()])
        warnings += [f"the schedule was made when round 1 was paired, so {latecomers} will have no opponents"]
    return Decision(op=ops.PlayerAdded(players=newcomers), then=decks, warnings=tuple(warnings))


def _can_still_be_seated(state: State) -> bool:
    """Return whether a late player can play the round that was just paired.

    This is possible only while no table of the round has a result.
    """
    round_ = state.open_round
    return (
        round_ is not None
        and len(round_.playing) == len(round_.tables)
        and state.settings.match.seats == (2,)
        and system_called(round_.system).repairs
    )


def deck_submission(
    player: PlayerId, deck: JudgedDeck, seal: Sealing, *, is_late: bool = False
) -> ops.DeckSubmitted:
    """Return the op that registers a player's list. is_late: whether decks were already locked."""
    return ops.DeckSubmitted(player=player, late=is_late, vouched=deck.vouched, **deck.sealed_fields(seal))


def _newcomers(state: State, registrations: Iterable[Registration], seal: Sealing) -> tuple[Newcomer, ...]:
    """Return the players to be registered, with the next free numbers.

    Raises TourneyError for a name in use.
    """
    holders = {name: player.id for name, player in by_name(state.players).items()}
    tag_refs = _tag_refs(state)
    newcomers = []
    for number, registration in enumerate(registrations, state.last_id + 1):
        with at_place(registration.place):
            name = clean_name(registration.name)
            if holder := holders.get(fold(name)):
                if holder > state.last_id:
                    raise TourneyError(f"two new players have the same name: {name}", _DISTINGUISH)
                raise _name_taken_error(name, holder)
            holders[fold(name)] = PlayerId(number)
            newcomer = _newcomer(state, PlayerId(number), registration, refs=tag_refs, seal=seal)
            newcomers.append(newcomer)
    return tuple(newcomers)


def _name_taken_error(name: str, holder: PlayerId) -> TourneyError:
    return TourneyError(f"there is already a player {name} (#{holder})", _DISTINGUISH)


_DISTINGUISH = "add a second name or an initial that distinguishes the two"


def _newcomer(
    state: State, number: PlayerId, registration: Registration, *, refs: dict[str, Ref], seal: Sealing
) -> Newcomer:
    late_bye, deck = registration.late or state.settings.pairing.late, registration.deck
    if late_bye not in _LATE:
        raise TourneyError(
            f"`{late_bye}` is not a kind of bye for missed rounds", f"choose {listed(_LATE, 'or')}"
        )
    if not 0 <= registration.awarded <= MAX_ROUNDS:
        raise TourneyError(
            f"{registration.awarded} awarded byes are not possible; there can be 0 to {MAX_ROUNDS}"
        )
    return Newcomer(
        id=number,
        name=seal(clean_name(registration.name), "name"),
        since=len(state.rounds) + 1,
        late=_LATE[late_bye],
        tags=_seal_tags(registration.tags, refs, seal),
        byes=tuple((at, _bye(state, at, kind)) for at, kind in sorted(registration.all_byes.items())),
        **_sealed_facts(state, number, registration, seal),
        deck=ops.NewcomersDeck(vouched=deck.vouched, **deck.sealed_fields(seal)) if deck else None,
    )


_LATE: Mapping[str, Unseated] = {"absent": "absent", "bye": "awarded-bye", "half-bye": "half-bye"}
"""Word that people type → what a missed round counts as."""


def _ignored_tables(state: State, tables: Iterable[int | None]) -> list[str]:
    """Return a warning, if any, that the pairing system ignores players' fixed tables."""
    if not any(tables) or "fixed-table" in (system := system_called(state.system)).wishes:
        return []
    return [f"{system.phrase} numbers its tables itself, so the fixed table is stored but not used"]


# -- facts in the words that people type


_HIGHEST_RATING = 10_000
_LONGEST_CONTACT = 400
LONGEST_TAG = 100
"""The maximum number of characters in a tag's text."""

BYES: Mapping[str, Unseated] = {
    "awarded-bye": "awarded-bye",
    "bye": "awarded-bye",
    "half-bye": "half-bye",
    "half": "half-bye",
    "absent": "absent",
}
"""Word that people type → the announced bye or absence.

A requested `bye` is recorded as an awarded bye, because it is not the bye that a pairing gives.
"""


def _rating(rating: int | None) -> int | None:
    if rating is not None and not 0 <= rating <= _HIGHEST_RATING:
        raise TourneyError(f"a rating is between 0 and {_HIGHEST_RATING}, not {rating}")
    return rating


def _clean_tags(tags: Mapping[str, str]) -> dict[str, str]:
    return {
        clean_name(kind, noun="kind of tag").lower(): clean_name(text, noun=kind, longest=LONGEST_TAG)
        for kind, text in sorted(tags.items())
    }


def _tag_refs(state: State) -> dict[str, Ref]:
    return {text: ref for player in state.players.values() for ref, text in player.tags.values()}


def _seal_tags(tags: Mapping[str, str], refs: dict[str, Ref], seal: Sealing) -> tuple[tuple[str, Ref], ...]:
    """Return a player's tags as pairs of kind and ref (the ref of the tag's text).

    refs: text → ref, for the tags of all players; new texts are added. Equal texts have the same ref, so
          players with the same tag can be recognized
    """
    tag_refs = []
    for kind, text in _clean_tags(tags).items():
        if text not in refs:
            refs[text] = seal(text, "tag")
        tag_refs.append((kind, refs[text]))
    return tuple(tag_refs)


def _checked_facts(state: State, player: PlayerId, facts: Facts) -> dict[str, Any]:
    """Return field → value as stored, for the facts that were given, except tags and byes.

    Raises TourneyError for an invalid fact.
    """
    checks: Mapping[str, Callable[[Any], Any]] = {
        "rating": _rating,
        "table": lambda number: None if number is None else checked_table(number),
        "contact": lambda text: clean_name(text, noun="contact", longest=_LONGEST_CONTACT) if text else None,
        "alias": partial(_alias, state, player),
        "minor": bool,
    }
    values = {name: getattr(facts, name) for name in checks}
    return {name: checks[name](value) for name, value in values.items() if value is not UNSET}


def _sealed_facts(state: State, player: PlayerId, facts: Facts, seal: Sealing) -> dict[str, Any]:
    """Return the fields of an op that records the given facts, except tags and byes."""
    fields = _checked_facts(state, player, facts)
    refs = {name: seal(fields[name], f"{name} {player}") for name in ("contact", "alias") if fields.get(name)}
    return fields | refs


def _alias(state: State, owner: PlayerId, text: str | None) -> str | None:
    """Return an alias in the form in which it is stored; None if `text` is empty.

    Raises TourneyError if the alias is the name or alias of another player than its owner.
    """
    if not text:
        return None
    alias = clean_name(text, noun="alias")
    for player in state.players.values():
        names = {fold(player.name), fold(player.alias_name or "")}
        if player.id != owner and fold(alias) in names:
            raise TourneyError(f"`{alias}` is already a name of {player.name} (#{player.id})")
    return alias


def _bye(state: State, number: int, kind: str) -> Unseated:
    if kind not in BYES:
        kinds = listed(dict.fromkeys(BYES.values()), "or")
        raise TourneyError(f"`{kind}` is not a kind of bye", f"choose {kinds}")
    if not 1 <= number <= MAX_ROUNDS:
        raise TourneyError(f"there is no round {number}")
    if number <= len(state.rounds):
        raise TourneyError(
            f"round {number} is already paired",
            f"for the current round, use `tourney round edit bye NAME --kind {BYES[kind]}`",
        )
    return BYES[kind]


# -- a registration as an entry


def _apply_added(draft: StateDraft, op: ops.PlayerAdded, at: Entered, texts: Texts) -> None:
    for newcomer in op.players:
        # Not `newcomer.since`: an undo can remove or restore rounds that were paired before.
        draft.players[newcomer.id] = _player_of(newcomer, at, texts, since=len(draft.rounds) + 1)
    keep_numbers(draft, op)


def _player_of(newcomer: Newcomer, at: Entered, texts: Texts, *, since: int) -> Player:
    return Player(
        id=newcomer.id,
        name=_name_of(newcomer.id, newcomer.name, texts),
        name_ref=newcomer.name,
        since=since,
        moved_up=newcomer.since > since,
        late=Outcome(newcomer.late),
        byes=MappingProxyType({number: Outcome(kind) for number, kind in newcomer.byes}),
        deck=RegisteredDeck.by(newcomer.deck, at.entry) if newcomer.deck else None,
        **_facts_of(newcomer, texts),
    )


def _facts_of(op: Newcomer | ops.PlayerChanged, texts: Texts) -> dict[str, Any]:
    """Return the facts, except byes, that an op sets, in the form that `Player` stores."""
    facts = {name: getattr(op, name) for name in _changed_fields(op)}
    if "tags" in facts:
        facts["tags"] = MappingProxyType(
            {kind: (ref, text_of(ref, texts, "")) for kind, ref in facts["tags"]}
        )
    if "alias" in facts:
        facts["alias"] = _alias_of(facts["alias"], texts)
    return facts


def _changed_fields(op: Newcomer | ops.PlayerChanged) -> list[str]:
    """Return the names of the fields of a player that `op` sets, such as `rating`.

    The fields for the name, byes and deck are not included.
    """
    names = ("rating", "tags", "table", "contact", "alias", "minor")
    return [name for name in names if getattr(op, name) is not UNSET]


def _name_of(player: PlayerId, ref: Ref, texts: Texts) -> str:
    """Return a player's name.

    A deleted name becomes `player 7`, and a damaged one `#7 (name damaged)`.
    """
    name = texts.get(ref)
    return f"#{player} (name damaged)" if isinstance(name, Damaged) else name or f"player {player}"


def _alias_of(ref: Ref | None, texts: Texts) -> tuple[Ref, str] | None:
    """Return an alias; None if there is none, or if it was deleted or is damaged."""
    text = None if ref is None else texts.get(ref)
    if ref is None or not text or isinstance(text, Damaged):
        return None
    return ref, text


def keep_numbers(draft: StateDraft, op: ops.Op) -> None:
    """Reserve the player numbers of a registration.

    They are not given to other players, even if the registration is undone.
    """
    if isinstance(op, ops.PlayerAdded):
        draft.last_id = max(draft.last_id, *(newcomer.id for newcomer in op.players))


def _describe_added(op: ops.PlayerAdded, context: EventReading) -> str:
    names = listed_short([f"{context.name(newcomer.id)} (#{newcomer.id})" for newcomer in op.players])
    since = op.players[0].since
    late_text = f", from round {since} on" if since > 1 else ""
    decks = sum(newcomer.deck is not None for newcomer in op.players)
    if len(op.players) == 1:
        return f"{names} is registered{' with a deck' if decks else ''}{late_text}"
    return f"{names} are registered{f', {decks} with a deck' if decks else ''}{late_text}"


def _faults_of_added(op: ops.PlayerAdded) -> Iterator[str]:
    for newcomer in op.players:
        if newcomer.id < 1:
            yield f"players count from 1, not {newcomer.id}"
        if newcomer.since < 1:
            yield f"rounds count from 1, not {newcomer.since}"


def _misfits_of_added(op: ops.PlayerAdded, draft: StateDraft) -> Iterator[str]:
    for newcomer in op.players:
        if newcomer.id in draft.players:
            yield f"there is a player #{newcomer.id} already"


# -- names and other facts, changed


def rename(change: EventChange, name_or_id: str | PlayerId, name: str) -> Decision:
    """Rename a player. Raises TourneyError if another player has the name."""
    state, player = change.open_event(), change.player(name_or_id)
    old, new = state.players[player], clean_name(name)
    holder = by_name(state.players).get(fold(new))
    if holder is not None and holder.id != player:
        raise _name_taken_error(holder.name, holder.id)
    if new == old.name:
        return Decision(already=f"#{player} is already called {new}")
    return Decision(op=ops.PlayerRenamed(player=player, name=change.seal(new, "name")))


def _apply_renamed(draft: StateDraft, op: ops.PlayerRenamed, _at: Entered, texts: Texts) -> None:
    draft.change(op.player, name=_name_of(op.player, op.name, texts), name_ref=op.name)


def _describe_renamed(op: ops.PlayerRenamed, context: EventReading) -> str:
    return f"#{op.player} is now called {context.texts.get(op.name) or f'player {op.player}'}"


def change_facts(change: EventChange, name_or_id: str | PlayerId, facts: Facts) -> Decision:
    """Change the name, rating, tags or other facts of a player."""
    return _with_settings(change, _change_facts(change, name_or_id, facts))


def _change_facts(change: EventChange, name_or_id: str | PlayerId, facts: Facts) -> Decision:
    state, seal, player = change.open_event(), change.seal, change.player(name_or_id)
    before = state.players[player]
    changes = _sealed_facts(state, player, facts, seal)
    if facts.tags:
        kept_tags = {kind: ref for kind, (ref, _) in before.tags.items() if kind not in facts.tags}
        new = {kind: text for kind, text in facts.tags.items() if text}
        all_tags = kept_tags | dict(_seal_tags(new, _tag_refs(state), seal))
        changes["tags"] = tuple(sorted(all_tags.items()))
    if facts.byes:
        changes["byes"] = tuple(
            (at, "play" if kind == "play" else _bye(state, at, kind))
            for at, kind in sorted(facts.byes.items())
        )
    if not changes:
        raise TourneyError(f"name what to change for {before.name}")
    op = ops.PlayerChanged(player=player, **changes)
    return Decision(op=op, warnings=tuple(_ignored_tables(state, [changes.get("table")])))


def update(
    change: EventChange, registrations: Sequence[Registration], read: Callable[[Ref], str | None]
) -> Decision:
    """Register new players, and change registered players to match `registrations`.

    If a registration does not state a fact, the player keeps the current value.

    read: a function that takes a ref (the digest by which entries refer to a text), and returns the text
    """
    state = change.state
    names = by_name(state.players)
    new = [registration for registration in registrations if fold(registration.name) not in names]
    decisions = [_add(change, new, skip_known=False)] if new else []
    for registration in registrations:
        if player := names.get(fold(registration.name)):
            with at_place(registration.place):
                decisions.append(_update(change, player, registration, read))
            if registration.deck:
                change.open_event()
                decisions.append(Decision(op=deck_submission(player.id, registration.deck, change.seal)))
    decision = Decision.join(decisions)
    if decision.op is None:
        return Decision(already="Every player already matches the list")
    return _with_settings(change, decision)


def _update(
    change: EventChange, before: Player, registration: Registration, read: Callable[[Ref], str | None]
) -> Decision:
    """Return the `Decision` that changes a player to match a registration.

    It has no ops if nothing changes.
    """
    rename_decision = Decision()
    if clean_name(registration.name) != before.name:
        rename_decision = rename(change, before.id, registration.name)
    tags, byes = _clean_tags(registration.tags), registration.all_byes
    new_facts = _checked_facts(change.state, before.id, registration)
    old_facts = {
        "rating": before.rating,
        "table": before.table,
        "contact": read(before.contact) if before.contact else None,
        "alias": before.alias_name,
        "minor": before.minor,
    }
    old_byes = {number: outcome.value for number, outcome in before.byes.items()}
    facts = Facts(
        tags={kind: text for kind, text in tags.items() if before.tags.get(kind, (None, None))[1] != text},
        byes={at: kind for at, kind in byes.items() if BYES.get(kind) != old_byes.get(at)},
        **{name: value for name, value in new_facts.items() if value not in (None, old_facts[name])},
    )
    facts_decision = _change_facts(change, before.id, facts) if facts != Facts() else Decision()
    warnings = facts_decision.warnings
    if registration.late and _LATE.get(registration.late, before.late.value) != before.late.value:
        late_award = f"{before.name} keeps {before.late.words.award}"
        warnings = (
            f"the result of missed rounds is set at registration and does not change: {late_award}",
            *warnings,
        )
    return Decision(then=(*rename_decision.ops, *facts_decision.ops), warnings=warnings)


def _apply_facts_changed(draft: StateDraft, op: ops.PlayerChanged, _at: Entered, texts: Texts) -> None:
    facts = _facts_of(op, texts)
    if op.byes:
        byes: dict[int, Any] = dict(draft.players[op.player].byes) | dict(op.byes)
        facts["byes"] = MappingProxyType(
            {number: Outcome(kind) for number, kind in sorted(byes.items()) if kind != "play"}
        )
    draft.change(op.player, **facts)


def _describe_facts_changed(op: ops.PlayerChanged, context: EventReading) -> str:
    changes = [
        f"{name} {'none' if value is None else value}"
        for name, value in (("rating", op.rating), ("table", op.table))
        if value is not UNSET
    ]
    if op.tags is not UNSET:
        changes += [f"{kind} {display_text(ref, context.texts)}" for kind, ref in op.tags] or ["no tags"]
    changes += ["another contact"] if op.contact is not UNSET else []
    if op.alias is not UNSET:
        alias = display_text(op.alias, context.texts)
        changes += [f"called {alias} on pages" if alias else "no alias"]
    if op.minor is not UNSET:
        changes += ["under age (pages shorten the name)" if op.minor else "not under age"]
    changes += [
        f"in round {number} {'playing' if kind == 'play' else Outcome(kind).words.award}"
        for number, kind in op.byes
    ]
    return f"{context.name(op.player)}: {listed(changes)}"


def _fact_values(op: ops.PlayerChanged) -> dict[str, Any]:
    return {"facts": _changed_fields(op), "wishes": [(op.player, number) for number, _ in op.byes]}


def _marks_of_facts(op: ops.PlayerChanged) -> str:
    """Return the mark `field` if a player's change can affect a pairing, else an empty text.

    The mark says that an entry changes the players or results that pairings depend on. A change of only the
    contact, the alias or `minor` cannot affect a pairing.
    """
    return "field" if op.byes or not {*_changed_fields(op)} <= {"contact", "alias", "minor"} else ""


# -- settings that follow from players


def _with_settings(change: EventChange, decision: Decision) -> Decision:
    """Return a `Decision` about players, with the setting and the warnings that it causes.

    For example, the first family in an event turns on the setting that keeps families apart.
    """
    state = change.state
    if decision.op is None:
        return decision
    after = state_after(state, decision.ops, KINDS)
    warnings, first = [*decision.warnings], decision.first
    if hides_divisions(after) and not hides_divisions(state):
        warnings.append(
            "pages do not show divisions, because a player in one is under age:"
            " `tourney event change --set public_divisions=shown` shows them"
        )
    families_apart = state.settings.pairing.keep_apart
    if "family" not in families_apart and not _families(after) <= _families(state):
        first = event_admin.change_settings(change, {"keep_apart": {**families_apart, "family": 0}}).op
        warnings.append(
            "families are kept apart unless that would pair players further apart in points;"
            " for a hard rule use `tourney round forbid NAME NAME`"
        )
    return replace(decision, first=first, warnings=tuple(warnings))


def _families(state: State) -> set[tuple[PlayerId, Ref]]:
    """Return each player with a tag `family`, and the ref of that tag's text."""
    tags = ((player.id, player.tags.get("family")) for player in state.players.values())
    return {(player, tag[0]) for player, tag in tags if tag}


# -- erasing


def erase(players: Sequence[PlayerId], texts: Sequence[Ref], *, again: bool) -> Decision:
    """Delete a person's texts, even in a closed event, or after the registration was undone.

    players: all numbers that the person was registered under, starting with the one that the user gave
    texts:   the refs of the texts that still exist
    again:   whether the texts were deleted before, by this or another copy of the program
    """
    player, *other_ids = players
    if again and not texts:
        return Decision(already=f"The name of #{player} is already deleted")
    return Decision(op=ops.PlayerErased(player=player, texts=tuple(texts), also=tuple(other_ids)))


def _apply_erased(draft: StateDraft, op: ops.PlayerErased, _at: Entered, _texts: Texts) -> None:
    for player in op.numbers:
        if player in draft.players:  # the registration may have been undone
            draft.change(player, name=f"player {player}", erased=True)


def _describe_erased(op: ops.PlayerErased, _reading: EventReading) -> str:
    other_numbers = f" (also registered as {listed(f'#{number}' for number in op.also)})" if op.also else ""
    return f"The name, the deck and the notes of player #{op.player}{other_numbers} were deleted"


KINDS = (
    EntryKind(
        ops.PlayerAdded,
        _apply_added,
        _describe_added,
        makes="player {players}, field",
        faults=_faults_of_added,
        misfits=_misfits_of_added,
    ),
    EntryKind(
        ops.PlayerRenamed,
        _apply_renamed,
        _describe_renamed,
        "name {player}",
        needs="player {player}",
    ),
    EntryKind(
        ops.PlayerChanged,
        _apply_facts_changed,
        _describe_facts_changed,
        "fact {player} {facts}, wish {wishes}",
        makes=_marks_of_facts,
        needs="player {player}",
        values=_fact_values,
    ),
    EntryKind(ops.PlayerErased, _apply_erased, _describe_erased, in_closed=True),
)
"""The kinds of entries about players, in the order of `tourney.event.ops`."""
