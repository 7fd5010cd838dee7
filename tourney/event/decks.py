"""Decklists and deck checks.

A decklist belongs to a player, a table or the event. The module registers lists, applies the deck lock, and
finds missing lists. It draws the tables whose decks are checked, and records the result of each check.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, time
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.entry import Texts, display_text, text_of
from tourney.event.kind import (
    Decision,
    EntryKind,
    EventChange,
    EventReading,
    no_such_round,
    open_event,
    round_of,
)
from tourney.event.ops import Verdict
from tourney.event.players import JudgedDeck, deck_submission
from tourney.event.presence import uses_check_in
from tourney.event.score import parse_tables
from tourney.event.settings import ROUND_ONE
from tourney.event.state import Entered, RegisteredDeck, Round, State, StateDraft
from tourney.event.titles import in_a_sentence
from tourney.record import Outcome, PlayerId
from tourney.wording import CHECKED_BY_OLD_RULES, counted, listed, listed_short, verb

if TYPE_CHECKING:
    from tourney.decks import Changed


def submit(
    change: EventChange, name_or_id: str | PlayerId, deck: JudgedDeck, *, lock_text: str, anyway: bool = False
) -> Decision:
    """Register a player's decklist.

    lock_text: since when decks are locked, as `locked_since` returns it; empty if they are not locked
    anyway: register the list even if decks are locked
    """
    state, player = change.open_event(), change.player(name_or_id)
    _refuse_locked(f"the deck of {state.players[player].name}", lock_text, anyway=anyway)
    return Decision(op=deck_submission(player, deck, change.seal, is_late=bool(lock_text)))


def _refuse_locked(deck: str, lock_text: str, *, anyway: bool) -> None:
    if lock_text and not anyway:
        raise TourneyError(
            f"decks have been locked {lock_text}: {deck} was not registered",
            "if the organizer agrees, register it with `--anyway`",
        )


def share(
    change: EventChange,
    zone: str,
    zone_name: str,
    deck: JudgedDeck,
    *,
    is_declared: bool,
    lock_text: str,
    anyway: bool,
) -> Decision:
    """Register a list that all players use for one part of their decks.

    zone:              the id of that part (zone) in the event's format, such as `missions`
    is_declared:       whether the verdict depends on card facts that the list declares
    lock_text, anyway: as in `submit`
    """
    open_event(change.state)
    _refuse_locked(f"the {zone_name} of the event", lock_text, anyway=anyway)
    op = ops.DeckShared(
        zone=zone,
        zone_name=zone_name,
        late=bool(lock_text),
        declared=is_declared,
        **deck.sealed_fields(change.seal),
    )
    return Decision(op=op)


def agree(
    change: EventChange, number: int, zone: str, zone_name: str, deck: JudgedDeck, *, is_declared: bool
) -> Decision:
    """Register a list that the players of table `number` agreed on for the current round.

    Arguments as in `share`.
    """
    state = change.open_event()
    round_ = round_of(state, None)
    [number] = parse_tables(number, round_.tables)
    op = ops.DeckAgreed(
        round=round_.number,
        players=tuple(sorted(round_.tables[number].seats)),
        zone=zone,
        zone_name=zone_name,
        declared=is_declared,
        **deck.sealed_fields(change.seal),
    )
    return Decision(op=op)


def waive(change: EventChange, *names: str | PlayerId, reason: str | None = None) -> Decision:
    """Record that players do not have to hand in a decklist."""
    state, players = change.open_event(), change.players(names)
    new = [player for player in players if not state.players[player].waived]
    if not new:
        player_names = listed(state.players[player].name for player in players)
        return Decision(already=f"{player_names} may already play without a decklist")
    op = ops.DeckWaived(players=tuple(dict.fromkeys(new)), reason=change.note(reason))
    return Decision(op=op)


def waive_all(
    change: EventChange, but: Sequence[str | PlayerId] = (), *, reason: str | None = None
) -> Decision:
    """Record that players without a list do not have to hand one in, except those in `but`."""
    state, exceptions = change.open_event(), [change.player(name) for name in but]
    players = [player for player in state.playing if player.id not in exceptions]
    players_without_list = [player.id for player in players if not player.deck and not player.waived]
    if not players_without_list:
        return Decision(already="Every player already has a decklist or a waiver")
    return waive(change, *players_without_list, reason=reason)


# -- open lists


def decks_open(state: State) -> bool:
    """Return whether anyone can read decklists now, even if only those of players in the cut."""
    return {
        "closed": False,
        "cut": state.cut is not None,
        "end": state.closed,
        "all": bool(state.rounds),
    }[state.settings.decks.decklists]


def open_lists(state: State) -> tuple[PlayerId, ...]:
    """Return the players whose registered lists anyone can read now, in order of registration."""
    if not decks_open(state):
        return ()
    cut = state.cut.players if state.cut is not None else ()
    only_cut = state.settings.decks.decklists == "cut"
    return tuple(
        player.id
        for player in state.players.values()
        if player.deck and not player.erased and (not only_cut or player.id in cut)
    )


# -- the deck lock


def locked_since(state: State, now: datetime) -> str:
    """Return since when decks are locked: `since round 1 was paired`; empty if they are not."""
    lock = state.settings.decks.deck_lock
    if lock == ROUND_ONE:
        return "since round 1 was paired" if state.rounds else ""
    if not lock or now < (since := datetime.fromisoformat(lock)):
        return ""
    return f"since {since.astimezone(now.tzinfo):%Y-%m-%d %H:%M}"


def lock_from(text: str, now: datetime) -> str:
    """Return the value of the setting `deck_lock` for a text that the organizer typed.

    The text can be `round-1`, a time of today such as `19:30`, a date with a time, or empty for no lock. A
    time without a zone is in the zone of `now`, with the offset that holds on that day. Raises TourneyError
    for any other text.
    """
    plain = text.strip()
    if not plain or plain == ROUND_ONE:
        return plain
    try:
        if "T" in plain.upper() or " " in plain:
            at = datetime.fromisoformat(plain)
        else:
            at = datetime.combine(now.date(), time.fromisoformat(plain))
        return (at if at.tzinfo else _in_zone_of(now, at)).isoformat(timespec="minutes")
    except ValueError:
        raise TourneyError(
            f"deck_lock: `{plain}` is not a time",
            "use `--set deck_lock=round-1`, `--set deck_lock=19:30`, `--set deck_lock=2026-11-20T19:30` "
            "or `--set deck_lock=none`",
        ) from None


def _in_zone_of(now: datetime, at: datetime) -> datetime:
    """Return `at`, a time without a time zone, in the time zone of `now`."""
    # `now` has the offset of today, which is wrong for a day after the clocks change. So use the machine's
    # zone if it matches.
    if now.astimezone().utcoffset() != now.utcoffset():
        return at.replace(tzinfo=now.tzinfo)
    # When the clocks go back, one hour occurs twice; take the second one if the first is over. When they go
    # forward, one hour is skipped: 02:30 then means 03:30. Within the skipped hour, `fold` has the opposite
    # effect (PEP 495).
    first, second = sorted(at.replace(fold=fold).astimezone() for fold in (0, 1))
    return first if first > now and first.replace(tzinfo=None) == at else second


# -- missing lists


def list_doubts(state: State) -> tuple[str, ...]:
    """Return phrases that name the players whose lists are missing, illegal or unchecked.

    Empty if the event does not collect lists.
    """
    if not state.settings.decks.lists or not (state.settings.decks.deck_lock or _has_lists(state)):
        return ()
    names_without_list = [player.name for player in state.playing if not player.deck and not player.waived]
    missing = [f"no decklist yet from {listed_short(names_without_list)}"] if names_without_list else []
    return (*missing, *_decks_that_are(state, "illegal"), *_decks_that_are(state, "unchecked"))


def unsettled_lists(state: State) -> tuple[str, ...]:
    """Return phrases that name the players whose lists a judge still has to look at.

    The verdict on these lists is open, or the rules have changed since they were checked. Players can use
    the lists meanwhile.
    """
    if not waits_for_lists(state):
        return ()
    names = [player.name for player in state.playing if player.deck and state.is_outdated(player.deck)]
    outdated_decks = _deck_words(names, f"was {CHECKED_BY_OLD_RULES}", f"were {CHECKED_BY_OLD_RULES}")
    return (*_decks_that_are(state, "unverified"), *outdated_decks)


def waits_for_lists(state: State) -> bool:
    """Return whether round 1 waits for missing decklists.

    Round 1 waits if the event has a deck lock, or if it uses check-in and has at least one decklist or
    waiver. Otherwise, pairing round 1 only warns about missing lists.
    """
    if not state.settings.decks.lists:
        return False
    return bool(state.settings.decks.deck_lock) or (_has_lists(state) and uses_check_in(state))


def _has_lists(state: State) -> bool:
    return any(player.deck or player.waived for player in state.playing)


def _decks_that_are(state: State, verdict: Verdict) -> list[str]:
    names = [player.name for player in state.playing if player.deck and player.deck.verdict == verdict]
    return _deck_words(names, f"is {verdict}", f"are {verdict}")


def _deck_words(names: Sequence[str], singular: str, plural: str) -> list[str]:
    if not names:
        return []
    deck = f"the {'deck' if len(names) == 1 else 'decks'} of {listed_short(names)}"
    return [f"{deck} {singular if len(names) == 1 else plural}"]


# -- the entries


def _apply_submitted(draft: StateDraft, op: ops.DeckSubmitted, at: Entered, _texts: Texts) -> None:
    draft.change(op.player, deck=RegisteredDeck.by(op, at.entry))


def _describe_submitted(op: ops.DeckSubmitted, context: EventReading) -> str:
    lock_note = ", though decks were locked" if op.late else ""
    voucher_note = ""
    if op.vouched is not None:
        judge = text_of(op.vouched, context.texts, "a judge")
        voucher_note = f", by the facts it declares, for which {judge} vouches"
    return f"The deck of {context.name(op.player)} is registered ({op.verdict}{voucher_note}){lock_note}"


def _apply_agreed(draft: StateDraft, op: ops.DeckAgreed, at: Entered, _texts: Texts) -> None:
    draft.round(op.round).agreed[op.zone, frozenset(op.players)] = RegisteredDeck.by(op, at.entry)


def _describe_agreed(op: ops.DeckAgreed, context: EventReading) -> str:
    players, zone = context.names(op.players), op.zone_name or op.zone
    return f"{context.title(op.round)}: {players} have agreed on their {zone} ({_verdict_words(op)})"


def _verdict_words(op: ops.DeckShared | ops.DeckAgreed) -> str:
    return f"{op.verdict}, by the facts it declares" if op.declared else op.verdict


def _apply_shared(draft: StateDraft, op: ops.DeckShared, at: Entered, _texts: Texts) -> None:
    draft.shared[op.zone] = RegisteredDeck.by(op, at.entry)


def _describe_shared(op: ops.DeckShared, _context: EventReading) -> str:
    lock_note = ", though decks were locked" if op.late else ""
    return f"The {op.zone_name or op.zone} for all players is registered ({_verdict_words(op)}){lock_note}"


def _faults_of_zone(op: ops.DeckShared | ops.DeckAgreed) -> Iterator[str]:
    if not op.zone:
        yield "it does not name the zone of the list"


def _apply_waived(draft: StateDraft, op: ops.DeckWaived, _at: Entered, _texts: Texts) -> None:
    for player in op.players:
        draft.change(player, waived=True)


def _describe_waived(op: ops.DeckWaived, context: EventReading) -> str:
    need = verb(op.players, "needs", "need")
    return f"{context.names(op.players)} {need} no decklist{context.reason(op.reason)}"


# -- drawing tables for deck checks


DRAW_METHOD = "falling weights 2"
"""Name and version of the method of `draw_tables`. A change of the method needs a new name."""


class TableDraw(NamedTuple):
    """The drawn tables, in the order of the draw, and the players whose decks are checked."""

    tables: tuple[int, ...]
    players: tuple[PlayerId, ...]


def draw_tables(state: State, round_: Round, seed: str, table_count: int) -> TableDraw:
    """Draw open tables of a round, at most `table_count`, by a seed (`field.audit_seed`).

    Players without a decklist are not drawn, unless no player in the event has a decklist: then lists are
    kept on paper. Of the players who are present in the round, only those with the fewest checks so far are
    drawn. A table is drawn only if such a player sits there. The draw ends when no open table has such a
    player.

    If n tables can be drawn, the table with the lowest number has n lots, the next table n−1 lots, and the
    last table one lot. So every table can be drawn, and top tables are drawn more often. The lot of the k-th
    table of a draw is SHA-256 of the seed, a slash and k (from 0), modulo the number of lots.
    """
    times, candidates = count_checks(state), _candidates(state, round_)
    open_tables = {table.number: table for table in round_.open_tables}
    tables: list[int] = []
    players: list[PlayerId] = []
    while open_tables and candidates and len(tables) < table_count:
        least = min(times[player] for player in candidates)
        candidates_by_table = {
            number: [player for player in table.seats if player in candidates and times[player] == least]
            for number, table in open_tables.items()
        }
        numbers = [number for number in sorted(candidates_by_table) if candidates_by_table[number]]
        if not numbers:
            break
        lot = int.from_bytes(sha256(f"{seed}/{len(tables)}".encode()).digest())
        number = numbers[_place_of_lot(lot, len(numbers))]
        tables.append(number)
        players += candidates_by_table[number]
        times.update(candidates_by_table[number])
        del open_tables[number]
    return TableDraw(tuple(tables), tuple(players))


def _candidates(state: State, round_: Round) -> set[PlayerId]:
    """Return the players whose decks can be checked in a round.

    These are the players at open tables, and those who are still in the event and not absent from the round.
    If any player in the event has a decklist, players without a decklist are left out.
    """
    players = {
        player
        for table in round_.tables.values()
        for player in table.seats
        if table.result is None or state.players[player].playing
    }
    players |= {
        player
        for player, kind in round_.byes.items()
        if kind is not Outcome.ABSENT and state.players[player].playing
    }
    return _filter_by_list(state, players)


def _filter_by_list(state: State, players: set[PlayerId]) -> set[PlayerId]:
    if not any(player.deck for player in state.players.values()):
        return players
    return {player for player in players if state.players[player].deck}


def count_checks(state: State) -> Counter[PlayerId]:
    """Count how often each player's deck was drawn or checked.

    A draw and a check in the same round count once.
    """
    rounds = {(player, draw.round) for draw in state.draws for player in draw.players}
    rounds |= {(audit.player, audit.round) for audit in state.audits.values()}
    return Counter(player for player, _ in rounds)


def _place_of_lot(lot: int, tables: int) -> int:
    """Return the index of the table that a random number selects; earlier tables are likelier.

    Of n tables, the first has the lots 0 to n − 1, the second the next n − 1 lots, and so on; the last has
    one lot. Larger numbers start again at the first table.

    lot: the random number, from 0

    >>> [_place_of_lot(lot, 3) for lot in range(7)]
    [0, 0, 0, 1, 1, 2, 0]
    """
    lot %= tables * (tables + 1) // 2
    place = 0
    while lot >= tables - place:
        lot -= tables - place
        place += 1
    return place


def count_draws(state: State) -> int:
    """Return the number of draws in the current round."""
    return sum(draw.round == len(state.rounds) for draw in state.draws)


def draw_checks(change: EventChange, seed: str, table_count: int) -> Decision:
    """Draw tables of the current round for deck checks.

    Raises TourneyError if no table can be drawn.
    """
    state = change.open_event()
    round_ = round_of(state, None)
    title, name, times = in_a_sentence(round_.title), state.name_of, count_checks(state)
    record_hint = "`tourney audit record PLAYER` records a check"
    if not round_.playing:
        raise TourneyError(f"all tables of {title} have results, so no deck can be drawn", record_hint)
    draw = draw_tables(state, round_, seed, table_count)
    if not draw.tables:
        candidates = _candidates(state, round_)
        if not candidates:
            raise TourneyError(
                f"no player in {title} has a decklist",
                f"`tourney player deck NAME FILE` registers a decklist; {record_hint}",
            )
        least = min(times[player] for player in candidates)
        waiting_names = [name(player) for player in sorted(candidates) if times[player] == least]
        seated_players = {player for table in round_.open_tables for player in table.seats}
        if candidates.isdisjoint(seated_players):
            fault = "no player at an open table has a decklist"
        else:
            fault = "all players at open tables were already drawn or checked"
        raise TourneyError(
            f"{fault}; the next players to check are not at an open table: {listed_short(waiting_names)}",
            f"draw again in the next round; {record_hint}",
        )
    warnings = []
    if len(draw.tables) < table_count:
        warnings.append(f"only {counted(len(draw.tables), 'table')} can be drawn for a check now")
    seated_players = {player for number in draw.tables for player in round_.tables[number].seats}
    if players_without_list := sorted(seated_players - _filter_by_list(state, seated_players)):
        names = listed_short([name(player) for player in players_without_list])
        warnings.append(f"players without a decklist are not drawn: {names}")
    if names_again := [name(player) for player in draw.players if times[player]]:
        warnings.append(
            f"all players were checked already, so these are checked again: {listed_short(names_again)}"
        )
    op = ops.AuditDrawn(
        round=round_.number, tables=draw.tables, players=draw.players, seed=seed, method=DRAW_METHOD
    )
    return Decision(op=op, warnings=tuple(warnings))


def _apply_drawn(draft: StateDraft, op: ops.AuditDrawn, _at: Entered, _texts: Texts) -> None:
    draft.draws.append(op)


def _describe_drawn(op: ops.AuditDrawn, context: EventReading) -> str:
    word = "table" if len(op.tables) == 1 else "tables"
    return f"Deck checks in round {op.round}, {word} {listed(op.tables)}: {context.names(op.players)}"


def _faults_of_drawn(op: ops.AuditDrawn) -> Iterator[str]:
    if not op.tables or not op.players:
        yield "it draws no players"


# -- records of deck checks


def record_check(
    change: EventChange, name_or_id: str | PlayerId, *, clean: bool, problems: str | None = None
) -> Decision:
    """Record a deck check. problems: what was wrong; required unless the deck is `clean`."""
    state, player = change.open_event(), change.player(name_or_id)
    remark = change.note(problems, "audit", "remark")
    if not clean and remark is None:
        name = state.players[player].name
        raise TourneyError(f"a failed deck check needs a remark: what was wrong with the deck of {name}?")
    return Decision(op=ops.AuditRecorded(player=player, round=len(state.rounds), clean=clean, remark=remark))


class DeckCheckRow(Struct, frozen=True):
    """A deck that was drawn or checked.

    round: the number of the round; 0 before the first
    table: the number of the player's table; null before the first round, and for a player without a table
    id: the player's number
    player: the player's name
    drawn: whether the deck was drawn
    checked: whether the check was recorded
    clean: whether the deck was in order; null if it was not checked yet
    found: the judge's remark; null if there is none
    entry: the number of the journal entry with the result; null if it was not checked yet
    """

    round: int
    table: int | None
    id: PlayerId
    player: str
    drawn: bool
    checked: bool
    clean: bool | None
    found: str | None
    entry: int | None


def deck_checks(state: State, texts: Texts) -> Iterator[DeckCheckRow]:
    """Yield the deck checks by round.

    In each round, drawn decks come first, in order of the draw.
    """
    draws = [(draw.round, player) for draw in state.draws for player in draw.players]
    records: dict[tuple[int, PlayerId], list[int]] = {}
    for entry, audit in state.audits.items():
        records.setdefault((audit.round, audit.player), []).append(entry)
    for key in sorted(dict.fromkeys([*draws, *records]), key=lambda key: key[0]):
        number, player = key
        table = state.table_of(player, number)
        for entry in records.get(key, [0]):
            record = state.audits.get(entry)
            yield DeckCheckRow(
                round=number,
                table=table.number if table else None,
                id=player,
                player=state.players[player].name,
                drawn=key in draws,
                checked=record is not None,
                clean=record.clean if record else None,
                found=(display_text(record.remark, texts) or None) if record else None,
                entry=entry or None,
            )


_LONGEST_DIFFERENCE = 300
"""The maximum number of characters of a note that a description of differences may take.

The rest is for the judge's own text.
"""


def difference_words(changes: Sequence[Changed]) -> str:
    """Describe how a deck differs from the registered list, as in `3 instead of 4 Ember Fox`.

    Lists as many changes as fit into a note, and counts the others. Empty if there are no changes.
    """
    has_zones = len({change.zone for change in changes}) > 1
    parts = [
        f"{change.after} instead of {change.before} {change.card}"
        + (f" ({change.zone})" if has_zones else "")
        for change in changes
    ]
    words = ", ".join(parts)
    for count in range(len(parts) - 1, -1, -1):
        if len(words) <= _LONGEST_DIFFERENCE:
            break
        words = ", ".join([*parts[:count], f"{len(parts) - count} more"])
    return words


def _apply_recorded(draft: StateDraft, op: ops.AuditRecorded, at: Entered, _texts: Texts) -> None:
    draft.audits[at.entry] = op


def _describe_recorded(op: ops.AuditRecorded, context: EventReading) -> str:
    verdict = "passed" if op.clean else "failed"
    deck = f"The deck of {context.name(op.player)}"
    return f"{deck} {verdict} a deck check in round {op.round}{context.reason(op.remark)}"


KINDS = (
    EntryKind(
        ops.DeckSubmitted,
        _apply_submitted,
        _describe_submitted,
        "deck {player}",
        needs="player {player}",
    ),
    EntryKind(
        ops.DeckWaived,
        _apply_waived,
        _describe_waived,
        "waived {players}",
        needs="player {players}",
    ),
    EntryKind(
        ops.DeckShared,
        _apply_shared,
        _describe_shared,
        "shared {zone}",
        faults=_faults_of_zone,
    ),
    EntryKind(
        ops.DeckAgreed,
        _apply_agreed,
        _describe_agreed,
        "agreed {round} {zone} {table}",
        needs="round {round}, player {players}",
        values=lambda op: {"table": [op.players]},
        faults=_faults_of_zone,
        misfits=no_such_round,
    ),
    EntryKind(
        ops.AuditDrawn,
        _apply_drawn,
        _describe_drawn,
        "drawn {round}",
        needs="round {round}, player {players}",
        faults=_faults_of_drawn,
        misfits=no_such_round,
    ),
    EntryKind(ops.AuditRecorded, _apply_recorded, _describe_recorded, needs="player {player}"),
)
"""The kinds of entries about decklists and deck checks, in the order of `tourney.event.ops`."""
