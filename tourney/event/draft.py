"""The state while it is being folded: the same nouns as `tourney.event.state`, but writable.

Folding fifty thousand entries into frozen values would copy them fifty thousand times; so the fold writes here and
freezes once.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from tourney.event.parts import Kept, NoTable, Proof, Seating, Settings, Stage, System, TableResult
from tourney.event.state import Cut, Entered, Forbidden, Forced, Player, Remark, Round, State
from tourney.record import Outcome, PlayerId, Table


@dataclass(slots=True, kw_only=True)
class DraftRound:
    """A round being folded; see `tourney.event.state.Round`."""

    number: int
    stage: Stage
    system: System
    paired: Entered
    tables: dict[int, Table] = field(default_factory=dict)
    byes: dict[PlayerId, Outcome] = field(default_factory=dict)
    entered: dict[int, Entered] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)
    labels: dict[int, str] = field(default_factory=dict)
    seed: str = ""
    engine: str = ""
    proof: Proof = field(default_factory=Proof)
    edits: list[Entered] = field(default_factory=list)
    started: str = ""
    minutes: int = 0
    extended: dict[int, int] = field(default_factory=dict)

    def seat(self, tables: tuple[Seating, ...], byes: tuple[NoTable, ...]) -> None:
        """Put players at tables and note who has none."""
        for table in tables:
            self.tables[table.number] = Table(table.number, table.seats)
            for player in table.seats:
                self.byes.pop(player, None)
        for each in byes:
            self.byes[each.player] = Outcome(each.kind)

    def clear(self, number: int) -> None:
        """Take a table away, with what was entered for it."""
        self.tables.pop(number, None)
        self.forget(number)

    def forget(self, number: int) -> None:
        """Take away what was entered for a table."""
        self.entered.pop(number, None)
        self.notes.pop(number, None)

    def enter(self, said: TableResult, entered: Entered) -> None:
        """Put a result down."""
        old = self.tables[said.table]
        self.tables[said.table] = Table(old.number, old.seats, said.result())
        self.entered[said.table] = entered
        if said.note:
            self.notes[said.table] = said.note
        else:
            self.notes.pop(said.table, None)

    def frozen(self) -> Round:
        """Return the round as it stands, tables in order of number."""
        return Round(
            number=self.number,
            stage=self.stage,
            system=self.system,
            tables=MappingProxyType(dict(sorted(self.tables.items()))),
            byes=MappingProxyType(dict(sorted(self.byes.items()))),
            paired=self.paired,
            entered=MappingProxyType(dict(sorted(self.entered.items()))),
            notes=MappingProxyType(dict(sorted(self.notes.items()))),
            labels=MappingProxyType(dict(sorted(self.labels.items()))),
            seed=self.seed,
            engine=self.engine,
            proof=self.proof,
            edits=tuple(self.edits),
            started=self.started,
            minutes=self.minutes,
            extended=MappingProxyType(dict(sorted(self.extended.items()))),
        )


def thaw(known: Round) -> DraftRound:
    """Return a writable copy of a round."""
    return DraftRound(
        number=known.number,
        stage=known.stage,
        system=known.system,
        paired=known.paired,
        tables=dict(known.tables),
        byes=dict(known.byes),
        entered=dict(known.entered),
        notes=dict(known.notes),
        labels=dict(known.labels),
        seed=known.seed,
        engine=known.engine,
        proof=known.proof,
        edits=list(known.edits),
        started=known.started,
        minutes=known.minutes,
        extended=dict(known.extended),
    )


class Draft:
    """An event being folded. Rounds are made writable one by one, when an entry touches them."""

    def __init__(self, state: State) -> None:
        self.facts: dict[str, Any] = {}
        self.players: dict[PlayerId, Player] = dict(state.players)
        self.rounds: list[Round | DraftRound] = list(state.rounds)
        self.forced: list[Forced] = list(state.forced)
        self.forbidden: list[Forbidden] = list(state.forbidden)
        self.penalties: list[Remark] = list(state.penalties)
        self.audits: list[Remark] = list(state.audits)
        self.settings: Settings = state.settings
        self.rules: tuple[Kept, ...] = state.rules
        self.cut: Cut | None = state.cut
        self.last_id = state.last_id
        self._state = state

    def round(self, number: int) -> DraftRound:
        """Return round `number`, writable."""
        known = self.rounds[number - 1]
        if isinstance(known, Round):
            known = self.rounds[number - 1] = thaw(known)
        return known

    def change(self, player: PlayerId, **facts: Any) -> None:
        """Change facts of a player."""
        self.players[player] = replace(self.players[player], **facts)

    def frozen(self, entry: int, digest: str) -> State:
        """Return the event as it stands after `entry`."""
        rounds = (each if isinstance(each, Round) else each.frozen() for each in self.rounds)
        return replace(
            self._state,
            **self.facts,
            entry=entry,
            digest=digest,
            players=MappingProxyType(dict(sorted(self.players.items()))),
            rounds=tuple(rounds),
            forced=tuple(self.forced),
            forbidden=tuple(self.forbidden),
            penalties=tuple(self.penalties),
            audits=tuple(self.audits),
            settings=self.settings,
            rules=self.rules,
            cut=self.cut,
            last_id=self.last_id,
        )
