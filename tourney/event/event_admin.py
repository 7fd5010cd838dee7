"""Entries about the whole event: creation, settings, public value, closing, rules, import."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import Texts, display_text, text_of
from tourney.event.field import damaged_secret_error
from tourney.event.kind import (
    Decision,
    EntryKind,
    EventChange,
    EventReading,
    refuse_open_tables,
)
from tourney.event.names import clean_name
from tourney.event.ops import Kept
from tourney.event.settings import refuse_beyond, settings_from
from tourney.event.state import Beacon, Entered, Imported, State, StateDraft
from tourney.wording import counted, listed

_LONGEST_VALUE = 500
"""The maximum number of characters in a public value."""


def _apply_created(draft: StateDraft, op: ops.EventCreated, at: Entered, texts: Texts) -> None:
    draft.set(
        name=text_of(op.name, texts, "an event"),
        name_ref=op.name,
        format=op.format,
        created=at.at,
        on=op.on,
        secret_digest=op.secret,
        sealed=op.sealed,
        ruled_since=at.entry,
    )
    draft.rules, draft.settings = op.rules, settings_from(op.settings)


def _describe_created(op: ops.EventCreated, context: EventReading) -> str:
    lists = [rule.name for rule in op.rules if rule.kind == "banlist"]
    banlist_text = f"ban list {lists[0]}" if lists else "no ban list"
    profile = next((rule.name for rule in op.rules if rule.kind == "profile"), "")
    beacon = op.settings.get("beacon")
    waiting = f"; its random seeds wait for {beacon}" if beacon else ""
    name = text_of(op.name, context.texts, "An event")
    return f"{name} begins: {op.format}, {banlist_text}, ranked by {profile}{waiting}"


def change_settings(
    change: EventChange,
    settings: Mapping[str, Any],
    *,
    name: str | None = None,
    profile: tuple[Kept, ...] = (),
    reason: str | None = None,
) -> Decision:
    """Change the name, the standings profile or settings."""
    state = change.open_event()
    new_settings = settings_from(dict(settings), state.settings)
    old, new = state.settings.flat(), new_settings.flat()
    changes = {key: value for key, value in new.items() if value != old[key]}
    refuse_beyond(new_settings, changes)
    new_name = clean_name(name, noun="event's name") if name else state.name
    old_profile = tuple(rule for rule in state.rules if rule.kind == "profile")
    if not changes and new_name == state.name and profile in {(), old_profile}:
        return Decision(already="The event already has these settings")
    _refuse_settings(state, changes)
    op = ops.EventChanged(
        settings=changes,
        name=change.seal(new_name, "name") if new_name != state.name else None,
        profile=profile if profile != old_profile else (),
        reason=change.note(reason),
    )
    return Decision(op=op)


def _refuse_settings(state: State, changes: Mapping[str, Any]) -> None:
    if "beacon" in changes and (state.beacon is not None or state.rounds):
        already = "the public value is already entered" if state.beacon else "a round is already paired"
        raise TourneyError(f"{already}, so the event cannot wait for another public value")
    if state.rounds and changes.get("seats") is not None and state.round and state.round.playing:
        raise TourneyError("the number of seats cannot change while a round is being played")
    if state.rounds and changes.get("system") == "elimination":
        raise TourneyError(
            "a round is already paired, so this cannot become an elimination event",
            "after the planned rounds, `tourney event cut N` makes a bracket of the best players",
        )
    fixed_settings = sorted({"system", "seeding", "double", "third_place"}.intersection(changes))
    if fixed_settings and state.settings.pairing.system == "elimination" and state.cut is not None:
        raise TourneyError(
            f"the bracket is already made, so {listed(f'`{key}`' for key in fixed_settings)} cannot change",
            "to undo the bracket, find the entry with `tourney event log`,"
            " then run `tourney event undo ENTRY`",
        )
    rounds = changes.get("rounds")
    if rounds is not None and rounds < len(state.swiss):
        raise TourneyError(
            f"{counted(len(state.swiss), 'round')} were already played, so {rounds} is not possible"
        )


def _apply_changed(draft: StateDraft, op: ops.EventChanged, _at: Entered, texts: Texts) -> None:
    if op.name is not None:
        draft.set(name=text_of(op.name, texts, "an event"), name_ref=op.name)
    if op.settings:
        draft.settings = settings_from(op.settings, draft.settings)
    if op.profile:
        draft.rules = (*(rule for rule in draft.rules if rule.kind != "profile"), *op.profile)


def _describe_changed(op: ops.EventChanged, context: EventReading) -> str:
    choices = op.settings.get("choices") or {}
    settings = {key: value for key, value in op.settings.items() if key != "choices" or not choices}
    changes = [
        _describe_keep_apart(value) if key == "keep_apart" else f"{key} = {_setting_words(key, value)}"
        for key, value in {**settings, **choices}.items()
    ]
    changes += [f"its name is `{display_text(op.name, context.texts)}`"] if op.name else []
    changes += [f"its standings use the profile `{op.profile[0].name}`"] if op.profile else []
    return f"The event was changed: {listed(changes)}{context.reason(op.reason)}"


def _describe_keep_apart(rounds_by_kind: Mapping[str, int]) -> str:
    """Describe the setting `keep_apart`."""
    if not rounds_by_kind:
        return "no players are kept apart by club or another tag"
    parts: list[str] = []
    for kind, rounds in rounds_by_kind.items():
        span = f"in the first {rounds} rounds" if rounds > 1 else "in round 1" if rounds else "in every round"
        players = "of the same" if parts else "players of the same"
        parts.append(f"{players} {kind} {span}" if parts else f"{players} {kind} are kept apart {span}")
    return ", ".join(parts)


def _value_words(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "open", True: "on", False: "off"}[value]
    if isinstance(value, Mapping):
        value = [f"{key} {_value_words(part)}" for key, part in value.items()]
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_value_words, value)) or "nothing"
    return str(value) or "none"


def _setting_words(key: str, value: Any) -> str:
    return listed(map(str, value), "or") if key == "seats" and value else _value_words(value)


def _own_of_changed(op: ops.EventChanged) -> str:
    return ", ".join(
        ["setting {settings}", *(["setting name"] if op.name else []), *(["rules"] if op.profile else [])]
    )


def _marks_of_changed(op: ops.EventChanged) -> str:
    return "field" if op.settings or op.profile else ""


def enter_beacon(change: EventChange, value: str) -> Decision:
    """Enter the public value that the event waits for.

    It can be entered only once, because all later seeds depend on it.
    """
    state = change.open_event()
    source, value = state.settings.pairing.beacon, " ".join(value.split())
    if not source:
        raise TourneyError(
            "this event is not waiting for a public value",
            "before round 1, `tourney event change --beacon SOURCE` makes the event wait for a public value",
        )
    if not value or len(value) > _LONGEST_VALUE or not value.isprintable():
        raise TourneyError(f"a public value has 1 to {_LONGEST_VALUE} printable characters")
    if state.beacon is not None:
        if state.beacon.value == value:
            return Decision(already=f"The public value ({source}), {value}", entered=state.beacon.entered)
        entry = state.beacon.entered.entry
        raise TourneyError(
            f"a different value is already entered: {state.beacon.value} (entry {entry})",
            f"if no round used this value, undo the entry: `tourney event undo {entry}`",
        )
    if len(state.playing) < 2:
        raise TourneyError(
            "register all players before you enter the public value; there are fewer than two so far",
            "`tourney player add NAME`",
        )
    return Decision(op=ops.BeaconEntered(value=value))


def _apply_beacon(draft: StateDraft, op: ops.BeaconEntered, at: Entered, _texts: Texts) -> None:
    draft.set(beacon=Beacon(op.value, at))


def _describe_beacon(op: ops.BeaconEntered, context: EventReading) -> str:
    source = context.state.settings.pairing.beacon
    return f"The public value{f' ({source})' if source else ''} is {op.value}"


def close(change: EventChange, secret: bytes | None, doubts: Sequence[str] = ()) -> Decision:
    """Close the event.

    secret: the event's secret, which is revealed if it was sealed until now; None if this copy does not have
        it
    doubts: contradictions in the event; they become warnings

    Raises TourneyError if a table has no result, or if a sealed event's secret is missing or does not match
    its published hash.
    """
    state = change.state
    if state.closed:
        return Decision(already="The event is already closed")
    refuse_open_tables(state)
    if not state.sealed:
        return Decision(op=ops.EventClosed(), warnings=tuple(doubts))
    if secret is None:
        raise TourneyError(
            "this copy of the event does not have the secret, so the secret cannot be revealed",
            "close the event in the original file",
        )
    if sha256(secret).hexdigest() != state.secret_digest:
        raise damaged_secret_error("the secret cannot be revealed")
    return Decision(op=ops.EventClosed(secret=secret.hex()), warnings=tuple(doubts))


def _apply_closed(draft: StateDraft, op: ops.EventClosed, _at: Entered, _texts: Texts) -> None:
    draft.set(closed=True)
    if op.secret is not None:
        draft.set(revealed=op.secret)


def _describe_closed(op: ops.EventClosed, _reading: EventReading) -> str:
    return "The event was closed" + (f"; its secret was {op.secret}" if op.secret else "")


def reopen(change: EventChange, *, reason: str | None = None) -> Decision:
    """Reopen a closed event."""
    state = change.state
    if not state.closed:
        return Decision(already="The event is already open")
    warning = "its secret is public, so anyone can now compute the seeds of later rounds in advance"
    return Decision(
        op=ops.EventReopened(reason=change.note(reason)),
        warnings=(warning,) if state.sealed else (),
    )


def _apply_reopened(draft: StateDraft, _op: ops.EventReopened, _at: Entered, _texts: Texts) -> None:
    draft.set(closed=False)


def _describe_reopened(op: ops.EventReopened, context: EventReading) -> str:
    return f"The event was reopened{context.reason(op.reason)}"


def rebase(change: EventChange, on: str, rules: tuple[Kept, ...], *, reason: str | None) -> Decision:
    """Replace the event's rule files and the day whose ban list applies."""
    state = change.open_event()
    if rules == state.rules and on == state.on:
        return Decision(already="The event already has these rules")
    return Decision(op=ops.EventRebased(on=on, rules=rules, reason=change.note(reason)))


def _apply_rebased(draft: StateDraft, op: ops.EventRebased, at: Entered, _texts: Texts) -> None:
    deck_rules = [rule for rule in op.rules if rule.kind != "profile"]
    if (deck_rules, op.on) != ([rule for rule in draft.rules if rule.kind != "profile"], draft.on):
        draft.set(ruled_since=at.entry)  # a new profile alone does not affect decks
    draft.rules = op.rules
    draft.set(on=op.on)


def _describe_rebased(op: ops.EventRebased, context: EventReading) -> str:
    return f"New rules were adopted, as of {op.on}{context.reason(op.reason)}"


def _apply_imported(draft: StateDraft, op: ops.EventImported, at: Entered, _texts: Texts) -> None:
    first, last = at.entry + 1, at.entry + op.entries
    draft.set(
        imported=Imported(form=op.form, file=op.file, first=first, last=last, extra_points=op.extra_points)
    )


def _describe_imported(op: ops.EventImported, _reading: EventReading) -> str:
    entries = counted(op.entries, "entry", "entries")
    players = len({points.player for points in op.extra_points})
    extra = f", with extra points for {counted(players, 'player')}" if players else ""
    return (
        f"Imported from another program ({op.form}, SHA-256 {op.file[:16]}…): the next {entries}, not proved"
        f"{extra}"
    )


def _faults_of_imported(op: ops.EventImported) -> Iterator[str]:
    if op.entries < 0:
        yield f"the number of entries cannot be {op.entries}"
    if any(extra.round < 1 or abs(extra.points) > MOST_EXTRA_POINTS for extra in op.extra_points):
        yield "the extra points name no round, or are too many"


MOST_EXTRA_POINTS = 2 * 999
"""The maximum number of extra half points of a player in a round of an imported file."""


def _misfits_of_imported(_op: ops.EventImported, draft: StateDraft) -> Iterator[str]:
    if draft.players or draft.rounds:
        yield "the event already has players or rounds"


KINDS = (
    EntryKind(ops.EventCreated, _apply_created, _describe_created, in_closed=True),
    EntryKind(ops.EventChanged, _apply_changed, _describe_changed, _own_of_changed, makes=_marks_of_changed),
    EntryKind(ops.BeaconEntered, _apply_beacon, _describe_beacon, "beacon", needs="setting beacon"),
    EntryKind(ops.EventClosed, _apply_closed, _describe_closed, "open", needs="field"),
    EntryKind(ops.EventReopened, _apply_reopened, _describe_reopened, "open", needs="field"),
    EntryKind(ops.EventRebased, _apply_rebased, _describe_rebased, "rules", makes="field"),
    EntryKind(
        ops.EventImported,
        _apply_imported,
        _describe_imported,
        faults=_faults_of_imported,
        misfits=_misfits_of_imported,
    ),
)
"""The kinds of entries about the event as a whole, in the order of `tourney.event.ops`."""
