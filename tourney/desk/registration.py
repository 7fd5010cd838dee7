"""Registration: players, alone or in lists, and their decks, held against the event's own rules and against each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, cast

from msgspec import UNSET, structs

from tourney.cards.names import fold
from tourney.desk.open_event import DeckReceipt, ImportedDeck, ImportReceipt, Receipt
from tourney.errors import Finding, RulesError, Severity, TourneyError, as_rules_error
from tourney.event import decks, event_admin, ops, players
from tourney.event.entry import Sealing
from tourney.event.kind import Decision, at_place
from tourney.event.names import hides_divisions
from tourney.event.players import Registration
from tourney.event.state import Player, State
from tourney.record import PlayerId
from tourney.wording import CHECKED_BY_OLD_RULES

if TYPE_CHECKING:
    from tourney.decks import Decklist, Verdict
    from tourney.decks.declared_facts import Declared
    from tourney.decks.history import Changed
    from tourney.desk.desk import Desk
    from tourney.desk.player_list import ListedDeck, PlayerList
    from tourney.store.data import Library


def registered(
    state: State, registrations: Sequence[Registration], seal: Sealing, *, skip_known: bool = False
) -> Decision:
    """Register players. Families are kept apart in every round: the setting is made with the first of them."""
    return _with_settings(state, players.add(state, registrations, seal, skip_known=skip_known), seal)


def _with_settings(state: State, decision: Decision, seal: Sealing) -> Decision:
    """Add what follows from the players that a decision registers or changes: divisions hidden, families kept apart."""
    hidden, kinds = False, set[str]()
    for op in decision.ops:
        for minor, tags, new in _facts_of(state, op):
            hidden = hidden or (minor and "division" in tags)
            kinds |= new
    return _families_apart(state, _divisions_hidden(state, decision, hidden=hidden), kinds, seal)


def _facts_of(state: State, op: ops.Op) -> Iterator[tuple[bool, set[str], set[str]]]:
    """Return of each player in the entry: under age or not, the kinds of the tags, and those that are new or another."""
    if isinstance(op, ops.PlayerAdded):
        for newcomer in op.players:
            kinds = {kind for kind, _ in newcomer.tags}
            yield newcomer.minor, kinds, kinds
    elif isinstance(op, ops.PlayerChanged):
        now = state.players[op.player]
        before = {kind: ref for kind, (ref, _) in now.tags.items()}
        tags = before if op.tags is UNSET else dict(op.tags)
        minor = now.minor if op.minor is UNSET else op.minor
        yield minor, {*tags}, {kind for kind, ref in tags.items() if before.get(kind) != ref}


def changed(state: State, player: PlayerId, facts: players.Facts, seal: Sealing) -> Decision:
    """Change what is known of a player; a first family is kept apart as where one is registered."""
    decision, now = players.change(state, player, facts, seal), state.players[player]
    minor = now.minor if facts.minor is UNSET else facts.minor
    divided = bool(facts.tags.get("division", "division" in now.tags))
    decision = _divisions_hidden(state, decision, hidden=minor and divided)
    return _families_apart(state, decision, (kind for kind, text in facts.tags.items() if text), seal)


def _divisions_hidden(state: State, decision: Decision, *, hidden: bool) -> Decision:
    """Say once that pages leave out all divisions. hidden: somebody under age is in one after the decision."""
    if (
        decision.op is None
        or not hidden
        or state.settings.pages.public_divisions != "careful"
        or hides_divisions(state)
    ):
        return decision
    told = (
        "pages tell no divisions, as somebody in one is under age: `tourney event change --set public_divisions=shown`"
        " tells them"
    )
    return replace(decision, warnings=(*decision.warnings, told))


def _families_apart(state: State, decision: Decision, kinds: Iterable[str], seal: Sealing) -> Decision:
    """Make the setting that keeps families apart, where one of the tags `kinds` is a family's and there is none yet."""
    apart = state.settings.pairing.keep_apart
    if decision.op is None or "family" in apart or "family" not in kinds:
        return decision
    setting = event_admin.change(state, {"keep_apart": {**apart, "family": 0}}, seal)
    told = (
        "families are kept apart where that makes no gap in points wider: a wish;"
        " `tourney round forbid NAME NAME` is a rule"
    )
    return replace(decision, first=setting.op, warnings=(*decision.warnings, told))


# -- a player's deck


def submit_deck(
    desk: Desk,
    who: str | PlayerId,
    data: str | bytes,
    *,
    source: str,
    anyway: bool,
    trust_declared: bool,
    own: bool = False,
) -> DeckReceipt:
    """Check a decklist and register it, unless it is illegal, as `Desk.submit_deck` has it.

    own: the player hands it in, and must not learn of a round that is held back.
    """
    from tourney.decks.checking import in_order
    from tourney.desk.shared_decks import only_a_part

    player = desk.meant(who)
    judged = judge_deck(desk, data, source=source, trust_declared=trust_declared)
    verdict = judged.verdict
    if verdict.verdict == "illegal" and not anyway:
        name = desk.state.players[player].name
        refused = f"The deck of {name} is illegal and was not registered."
        told = Receipt(
            entries=(),
            changed=(refused,),
            next=(),
            state=desk.state,
            warnings=only_a_part(desk, judged.decklist),
        )
        return DeckReceipt.judged(told, verdict)
    found = judged.contradictions(declared(desk, but=(player,)))
    receipt = desk.write(
        lambda state, seal: decks.submit(
            state,
            player,
            players.JudgedDeck(
                text=judged.text,
                verdict=verdict.verdict,
                cards=judged.cards,
                vouched=desk.own_ref(seal) if verdict.facts_used else None,
            ),
            locked=desk.locked(state.for_players if own else state),
            anyway=anyway,
            seal=seal,
        )
    )
    return DeckReceipt.judged(
        receipt, structs.replace(verdict, findings=in_order((*verdict.findings, *found)))
    )


def to_check_again(desk: Desk) -> tuple[str, ...]:
    """Say how many registered lists were checked by other rules than the event has now, and how to check them again."""
    state = desk.state
    lists = [each.deck for each in state.players.values() if each.deck and not each.erased]
    number = sum(map(state.is_outdated, lists))
    shared = [part for part, deck in state.shared.items() if state.is_outdated(deck)]
    how = "`tourney player deck NAME FILE --anyway`" if desk.locked(state) else "`tourney player decks DIR`"
    were = "registered list was" if number == 1 else "registered lists were"
    said = f"{number} {were} {CHECKED_BY_OLD_RULES}: {how} checks {'it' if number == 1 else 'them'} again"
    parts = (
        f"the list `{part}` for everybody was {CHECKED_BY_OLD_RULES}: `tourney event deck {part} FILE` checks it again"
        for part in shared
    )
    return (*([said] if number else []), *parts)


@dataclass(frozen=True, slots=True)
class JudgedList:
    """A decklist as it was read, held against the event's own rules.

    cards:    the pool's lines for the cards it names, as they are now
    declared: the facts that it declares of cards the pool does not know them of, believed or not
    """

    text: str
    decklist: Decklist
    verdict: Verdict
    cards: str | None
    declared: tuple[Declared, ...]

    def contradictions(self, others: Mapping[str, Sequence[Declared]]) -> tuple[Finding, ...]:
        """Hold what it declares against other lists of the event, by whose they are.

        Where the verdict rests on what it declares, it is not settled who is right; else it is as well to know.
        """
        from tourney.decks.declared_facts import contradictions

        if not self.declared:
            return ()
        severity = Severity.UNVERIFIED if self.verdict.facts_used else Severity.ADVICE
        found = contradictions({**others, "": self.declared}, about="")
        return tuple(replace(each, severity=severity) for each in found)


def judge_deck(desk: Desk, data: str | bytes, *, source: str, trust_declared: bool = False) -> JudgedList:
    """Read a decklist and hold it against the event's own rules.

    trust_declared: believe the facts that it declares where the pool knows nothing

    Raises TourneyError where it is no decklist, RulesError where the rules or the card pool will not do.
    """
    from tourney.decks import check
    from tourney.decks.reading import read
    from tourney.decks.reading.text import decode
    from tourney.decks.resolving import declared_in

    with as_rules_error():
        ruleset = desk.rules.ruleset(desk.library)
    text, _ = decode(data, source=source)
    decklist = read(text, source=source, format_=ruleset.format)
    verdict = check(decklist, ruleset, trust_declared=trust_declared)
    cards = pool_lines(desk.library, ruleset.format.pool, decklist)
    return JudgedList(text, decklist, verdict, cards, declared_in(decklist, ruleset))


def pool_lines(library: Library, pool: str, decklist: Decklist) -> str | None:
    """Return the pool's lines for the cards a list names, as they are now; None where there are none.

    Raises TourneyError where a line of the pool is not readable.
    """
    from tourney.cards.pool import PoolLines
    from tourney.store.files import shown

    if pool not in library.pools():
        return None
    lines = [*decklist.lines, *(words.line for words in decklist.words if words.card)]
    names = {fold(reading.name) for line in lines for reading in line.readings}
    names |= {fold(line.code) for line in lines if line.code}
    files = library.find_pool(pool)
    cards = PoolLines(files.sets, f"{shown(files.path.parent)}/").with_any_name(names)
    return "".join(card.decode().rstrip("\r") + "\n" for card in cards) or None


def differences_of_decks(
    desk: Desk, registered: str, found: str | bytes, *, source: str
) -> tuple[Changed, ...]:
    """Return what a deck found at the table has otherwise than the registered list, by the event's own rules."""
    from tourney.decks.history import difference
    from tourney.decks.reading import read

    with as_rules_error():
        ruleset = desk.rules.ruleset(desk.library)
    first = read(registered, source="the registered list", format_=ruleset.format)
    return difference(first, read(found, source=source, format_=ruleset.format), ruleset)


# -- players in a list, with the decks that come with it


def register_list(
    desk: Desk, listed: PlayerList, *, trust_declared: bool, update: bool = False
) -> ImportReceipt:
    """Register the players of a list in one entry, with their decks, as `Desk.register_list` has it."""
    listed, known = listed.merged(), _by_name(desk.refresh())
    judged = {
        place: _judged(desk, listed.players[place].name, came, trust_declared=trust_declared)
        for place, came in sorted(listed.decks.items())
        if update or not _has_deck(known, listed.players[place])
    }
    if update:
        judged = {
            place: each
            for place, each in judged.items()
            if not _is_registered(desk, known.get(fold(listed.players[place].name)), each)
        }
    contradictions = _new_contradictions(desk, judged.values())
    told: list[ImportedDeck] = []

    def decided(state: State, seal: Sealing) -> Decision:
        nonlocal told
        registrations, known, told = list(listed.players), _by_name(state), []
        locked = desk.locked(state)
        for place, (deck, became, _) in judged.items():
            player = registrations[place]
            if not update and _has_deck(known, player):
                continue
            if locked:
                told.append(ImportedDeck.refused(became.file, player.name, f"decks are locked {locked}"))
                continue
            told.append(became)
            vouched = desk.own_ref(seal) if became.vouched else None
            registrations[place] = replace(player, deck=deck and replace(deck, vouched=vouched))
        if update:
            return _updated(desk, state, registrations, seal)
        return registered(state, registrations, seal, skip_known=True)

    receipt = desk.write(decided)
    return ImportReceipt.of(
        receipt,
        warnings=(*listed.warnings, *receipt.warnings),
        players=listed,
        decks=tuple(told),
        contradictions=contradictions,
    )


def _updated(desk: Desk, state: State, registrations: Sequence[Registration], seal: Sealing) -> Decision:
    """Register the new players of a list, and change those who are registered to what it says of them."""
    known = _by_name(state)
    new = [each for each in registrations if fold(each.name) not in known]
    decision = players.add(state, new, seal) if new else Decision()
    changes: list[ops.Op] = []
    warnings = [*decision.warnings]
    for each in registrations:
        player = known.get(fold(each.name))
        if player is None:
            continue
        with at_place(each.place):
            contact = desk.journal.text(player.contact) if player.contact else None
            updated = players.update(state, player.id, each, contact, seal)
        changes += updated.ops
        warnings += updated.warnings
        if each.deck:
            changes += decks.submit(state, player.id, each.deck, locked="", seal=seal).ops
    made = [*decision.ops, *changes]
    if not made:
        return Decision(already=f"All {len(registrations)} are as the list says")
    whole = replace(decision, op=made[0], first=None, then=tuple(made[1:]), warnings=tuple(warnings))
    return _with_settings(state, whole, seal)


def _is_registered(desk: Desk, player: Player | None, judged: _Judged) -> bool:
    """Return whether the deck of a list is what its player has registered already, checked by the rules that hold."""
    if player is None or player.deck is None or judged.deck is None or desk.state.is_outdated(player.deck):
        return False
    return desk.journal.text(player.deck.text) == judged.deck.text


def _by_name(state: State) -> Mapping[str, Player]:
    return {fold(each.name): each for each in state.players.values()}


def _has_deck(known: Mapping[str, Player], registration: Registration) -> bool:
    """Say whether somebody is registered with a deck already: another one that comes in a list is left aside."""
    player = known.get(fold(registration.name))
    return player is not None and player.deck is not None


class _Judged(NamedTuple):
    """A deck of a list of players: as it is to be registered, if it is; what is told of it; what it declares."""

    deck: players.JudgedDeck | None
    told: ImportedDeck
    declared: tuple[Declared, ...] = ()


def _judged(desk: Desk, name: str, listed_deck: ListedDeck, *, trust_declared: bool) -> _Judged:
    """Check a deck of a list; no deck where it is not to be registered, what is to be told, what it declares."""
    place = listed_deck.place
    if listed_deck.fault:
        return _Judged(None, ImportedDeck.refused(place, name, listed_deck.fault))
    try:
        judged = judge_deck(desk, listed_deck.content, source=place, trust_declared=trust_declared)
    except RulesError:
        raise
    except TourneyError as fault:
        return _Judged(None, ImportedDeck.refused(place, name, fault.message))
    told = ImportedDeck.of(place, name, judged.verdict)
    verdict = cast("ops.Verdict", judged.verdict.verdict)
    deck = players.JudgedDeck(text=judged.text, verdict=verdict, cards=judged.cards)
    return _Judged(deck if told.registered else None, told, judged.declared)


def _new_contradictions(desk: Desk, judged: Collection[_Judged]) -> tuple[Finding, ...]:
    """Return what lists that are about to be registered, and others of the event, declare differently of the same card."""
    from tourney.decks import declared_facts

    new = {told.player: facts for _, told, facts in judged if told.registered and facts}
    return tuple(declared_facts.contradictions({**declared(desk), **new}, among=new.keys())) if new else ()


# -- what lists declare of cards that the pool does not know


def contradictions(desk: Desk, among: Collection[str] | None = None) -> tuple[Finding, ...]:
    """Return what registered lists declare differently of the same card; `among`: with one of these players' lists.

    Raises TourneyError where the rules or the card pool will not do.
    """
    from tourney.decks import declared_facts

    return tuple(declared_facts.contradictions(declared(desk), among=among))


def disputed(desk: Desk) -> Mapping[str, tuple[Finding, ...]]:
    """Return what each registered list declares otherwise than another one, by whose it is and as seen from it.

    Only where somebody vouches for a list that declares facts. Nothing where the rules or the card pool will not do: that is the
    business of `event check`.
    """
    if not any(each.deck and each.deck.vouched for each in desk.state.players.values()):
        return {}
    from tourney.decks import declared_facts

    with suppress(TourneyError):
        return declared_facts.contradictions_by_owner(declared(desk))
    return {}


def declared(desk: Desk, but: Collection[PlayerId] = ()) -> Mapping[str, tuple[Declared, ...]]:
    """Return what each registered list declares of cards whose facts the pool does not know, by whose it is.

    Raises TourneyError where the rules or the card pool will not do.
    """
    known = desk.rules.declared
    by_player = {}
    for player in desk.state.players.values():
        if player.deck is None or player.id in but:
            continue
        ref = player.deck.text
        if ref not in known:
            with suppress(TourneyError):  # a damaged text is the business of `event check`
                known[ref] = _declared_of(desk, desk.journal.text(ref) or "")
        if known.get(ref):
            by_player[player.name] = known[ref]
    return by_player


def _declared_of(desk: Desk, text: str) -> tuple[Declared, ...]:
    """Return the facts that a registered list declares; nothing of one that cannot be read any more."""
    from tourney.decks.reading import read
    from tourney.decks.resolving import declared_in

    if "{" not in text:  # in every form that can declare any
        return ()
    with as_rules_error():
        ruleset = desk.rules.ruleset(desk.library)
        try:
            decklist = read(text, source="a registered list", format_=ruleset.format)
        except TourneyError:
            return ()
        return declared_in(decklist, ruleset)
