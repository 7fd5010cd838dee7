"""Register and change players, together with the settings that follow from it.

The first family adds the setting that keeps families apart; a minor in a division hides divisions on pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec

from tourney.event import event_admin, ops, players
from tourney.event.entry import Sealing
from tourney.event.kind import Decision
from tourney.event.names import hides_divisions
from tourney.event.players import Registration
from tourney.event.state import State
from tourney.record import PlayerId


def register_players(
    state: State, registrations: Sequence[Registration], seal: Sealing, *, skip_known: bool = False
) -> Decision:
    """Register players. The first family also adds the setting that keeps families apart in every round."""
    return with_settings(state, players.add(state, registrations, seal, skip_known=skip_known), seal)


def change_player(state: State, player: PlayerId, facts: players.Facts, seal: Sealing) -> Decision:
    """Change facts of a player. The first family also adds the setting that keeps families apart."""
    return with_settings(state, players.change(state, player, facts, seal), seal)


def with_settings(state: State, decision: Decision, seal: Sealing) -> Decision:
    """Add the settings and warnings that follow from the players whom a decision registers or changes."""
    if decision.op is None:
        return decision
    hidden, kinds = False, set[str]()
    for op in decision.ops:
        for minor, tags, new in _facts(state, op):
            hidden = hidden or (minor and "division" in tags)
            kinds |= new
    pages, apart = state.settings.pages, state.settings.pairing.keep_apart
    if hidden and pages.public_divisions == "careful" and not hides_divisions(state):
        warning = (
            "pages do not show divisions, because a player in one is under age:"
            " `tourney event change --set public_divisions=shown` shows them"
        )
        decision = replace(decision, warnings=(*decision.warnings, warning))
    if "family" in kinds and "family" not in apart:
        setting = event_admin.change(state, {"keep_apart": {**apart, "family": 0}}, seal)
        warning = (
            "families are kept apart unless that would pair players further apart in points;"
            " for a hard rule use `tourney round forbid NAME NAME`"
        )
        decision = replace(decision, first=setting.op, warnings=(*decision.warnings, warning))
    return decision


def _facts(state: State, op: ops.Op) -> Iterator[tuple[bool, set[str], set[str]]]:
    """Yield, for each player in an entry, whether they are a minor, the kinds of their tags, and the changed kinds."""
    if isinstance(op, ops.PlayerAdded):
        for newcomer in op.players:
            kinds = {kind for kind, _ in newcomer.tags}
            yield newcomer.minor, kinds, kinds
    elif isinstance(op, ops.PlayerChanged):
        now = state.players[op.player]
        before = {kind: ref for kind, (ref, _) in now.tags.items()}
        tags = before if op.tags is msgspec.UNSET else dict(op.tags)
        minor = now.minor if op.minor is msgspec.UNSET else op.minor
        yield minor, {*tags}, {kind for kind, ref in tags.items() if before.get(kind) != ref}
