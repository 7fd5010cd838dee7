"""Players and their decks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tourney.desk.receipt import DeckReceipt, Receipt
from tourney.desk.rules import pool_lines
from tourney.desk.session import Session
from tourney.errors import TourneyError, fault_of_the_rules
from tourney.event import ops
from tourney.event.decide import Decision, remarks
from tourney.event.decide import players as decide
from tourney.event.decide.players import Registration
from tourney.event.entry import ALTERED
from tourney.event.parts import Ref
from tourney.event.personal import (
    erased,
    is_named,
    is_one_of,
    names_borne,
    personal_refs,
    registered,
    registrations,
)
from tourney.event.state import Player, State
from tourney.event.who import find
from tourney.event.words import counted
from tourney.record import PlayerId
from tourney.store.backup import FOLDER, erase_copies, exports_holding

if TYPE_CHECKING:
    from tourney.decks import Decklist, Verdict
    from tourney.rules import Ruleset


class Erasure(NamedTuple):
    """What is deleted of a person who asks to be forgotten.

    numbers: every number that they were registered under, that which was asked for first
    texts:   by ref; decks: whose decks, of others, name them beside the cards
    """

    numbers: tuple[PlayerId, ...]
    texts: tuple[Ref, ...]
    decks: tuple[PlayerId, ...]


class PlayerDesk(Session):
    """Registration: who plays, under which name, with which deck, and until when."""

    def who(self, text: str | PlayerId) -> PlayerId:
        """Return the player meant by a name, an unambiguous prefix, `#7` or an id.

        Raises TourneyError with "did you mean" for a near miss, and with the candidates for an ambiguous one.
        """
        return find(self.state.players, text)

    def add_player(
        self,
        name: str,
        *,
        rating: int | None = None,
        tags: Mapping[str, str] | None = None,
        byes: Mapping[int, str] | None = None,
        awarded: int = 0,
        table: int | None = None,
        contact: str | None = None,
        late: str | None = None,
    ) -> Receipt:
        """Register a player. Once a round was paired they play from the next one on.

        tags:    kind → text, such as club → `Harbour Club`; compared by `keep_apart`
        byes:    round → `awarded-bye`, `half-bye` or `absent`
        awarded: full-point byes for the first that many rounds
        table:   a fixed table
        late:    what missed rounds count for: `absent`, `bye` or `half-bye`; None: the event's setting
        """
        wanted = Registration(
            name=name,
            rating=rating,
            tags=tags or {},
            byes=byes or {},
            awarded=awarded,
            table=table,
            contact=contact,
            late=late,
        )
        seal = self._seal()
        return self._change(lambda state: decide.add(state, [wanted], seal), seal)

    def add_players(self, names: Sequence[str]) -> Receipt:
        """Register players of whom only the names are known, in one entry, as `import_players` does."""
        wanted, seal = [Registration(name=each) for each in names], self._seal()
        return self._change(lambda state: decide.add(state, wanted, seal, skip_known=True), seal)

    def import_players(self, text: str, *, source: str) -> Receipt:
        """Register many players in one entry: a name a line, or CSV with a header.

        Columns: name (or first and last), rating, table, awarded, byes, late; any other column is a tag of that kind.
        Names that are registered already are left out and warned of. Raises TourneyError with file and line.
        """
        from tourney.desk.roll import read_players  # with what columns are called in many languages

        wanted, seal = read_players(text, source=source), self._seal()
        return self._change(lambda state: decide.add(state, wanted, seal, skip_known=True), seal)

    def rename(self, who: str | PlayerId, name: str) -> Receipt:
        """Put a player's name right. Raises TourneyError where another player has it."""
        seal = self._seal()
        return self._change(lambda state: decide.rename(state, find(state.players, who), name, seal), seal)

    def change_player(
        self,
        who: str | PlayerId,
        *,
        rating: int | str | None = decide.KEEP,
        tags: Mapping[str, str] | None = None,
        byes: Mapping[int, str] | None = None,
        table: int | str | None = decide.KEEP,
        contact: str | None = decide.KEEP,
    ) -> Receipt:
        """Change facts of a player; what is not named stays (None clears a rating or a table).

        tags: added or replaced; an empty text takes a tag away. byes: round → `awarded-bye`, `half-bye`, `absent`,
        or `play` to lift what was announced. Rounds already paired are refused (`result`, `round edit`).
        """
        facts = decide.Facts(rating=rating, table=table, contact=contact, tags=tags or {}, byes=byes or {})
        seal = self._seal()
        return self._change(lambda state: decide.change(state, find(state.players, who), facts, seal), seal)

    def drop(self, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Take players out from the next round on. If they sit at a table that is still playing, a warning says so."""
        seal = self._seal()
        return self._change(lambda state: decide.drop(state, _all(state, who), reason, seal), seal)

    def return_(self, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Let players who had dropped play again from the next round on; rounds missed are absences."""
        seal = self._seal()
        return self._change(lambda state: decide.return_(state, _all(state, who), reason, seal), seal)

    def disqualify(self, who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Take a player out of the ranking; those who met them still have."""
        seal = self._seal()
        return self._change(
            lambda state: decide.disqualify(state, find(state.players, who), reason, seal), seal
        )

    def check_in(self, *who: str | PlayerId) -> Receipt:
        """Note that players were seen at the desk."""
        return self._change(lambda state: decide.check_in(state, _all(state, who)))

    def blank(self, who: str | PlayerId) -> Receipt:
        """Delete a person's name, deck and notes from the file; entries, chain and standings hold.

        So do what others wrote that names them (a whole deck, where a remark in it does), what they signed as a
        scorekeeper, registrations of the same name that were taken back, and all of it in the copies in
        `.tourney-backups/`. Cannot be undone. Exports and pages made before keep the texts; the receipt says so.
        Raises TourneyError where the event itself is called after them.
        """
        self.refresh()
        player, seal = self.person(who).id, self._seal()
        gone = Erasure((player,), (), ())

        def decided(state: State) -> Decision:
            nonlocal gone
            entries, gone = self._entries, self.erasure(player)
            if state.name_ref in gone.texts:
                raise TourneyError(
                    f"the event is called `{state.name}`, after them, so nothing was deleted",
                    "give it another name first: `tourney event change --name NAME`",
                )
            refs = {ref for ref, whose in erased(entries).items() if whose in gone.numbers} | {*gone.texts}
            if is_one_of(self._by, self._names_of(gone.numbers)):
                refs.add(self._own_ref(seal))  # they delete what is known of themselves, and sign it
            known = self._journal.held(refs) | {each.ref for each in seal.texts}
            done = [each.op.numbers for each in entries if isinstance(each.op, ops.PlayerBlanked)]
            again = set(gone.numbers).issubset(number for numbers in done for number in numbers)
            return decide.blank(gone.numbers, sorted(known), again=again)

        receipt = self._change(decided, seal)
        self.last = self._tidied(receipt, gone)
        return self.last

    def erasure(self, who: str | PlayerId) -> Erasure:
        """Return what `blank` deletes of a person. Raises TourneyError as `person` does."""
        player, state = self.person(who).id, self.state
        numbers = registrations(self._entries, self._texts, player, state.players)
        remarks = self._remarks_naming(self._names_of(numbers))
        refs = personal_refs(self._entries, numbers, self._texts, remarks, event=state.name_ref)
        decks = [
            known.id
            for known in state.players.values()
            if known.id not in numbers
            and known.deck
            and known.deck.text in remarks
            and known.deck.text in refs
        ]
        return Erasure(numbers, refs, tuple(decks))

    def _names_of(self, numbers: Iterable[PlayerId]) -> set[str]:
        borne = names_borne(self._entries, self._texts)
        return {name for each in numbers for name in borne.get(each, ())}

    def _remarks_naming(self, names: set[str]) -> Mapping[Ref, str]:
        """Return what stands beside the cards in each deck that holds a word of a person's names."""
        found = {}
        for ref in {each.op.text for each in self._entries if isinstance(each.op, ops.DeckSubmitted)}:
            with suppress(TourneyError):  # a damaged text is the business of `event check`
                text = self._journal.text(ref)
                if text and is_named(text, names):
                    found[ref] = _beside_the_cards(text)
        return found

    def person(self, who: str | PlayerId) -> Player:
        """Return the player meant, also one whose registration was taken back: they, too, may ask to be forgotten.

        Raises TourneyError as `who` does.
        """
        try:
            return self.state.players[self.who(who)]
        except TourneyError:
            everybody = registered(self._entries, self._texts)
            gone = {player: known for player, known in everybody.items() if player not in self.state.players}
            with suppress(TourneyError):
                return gone[find(gone, who)]
            raise

    def _tidied(self, receipt: Receipt, gone: Erasure) -> Receipt:
        """Delete erased texts wherever else they lie here; what cannot be done is a warning: the entry stands."""
        warnings, changed = [*receipt.warnings], [*receipt.changed]
        for each in gone.decks if receipt.entries else ():
            name = self.state.players[each].name
            warnings.append(
                f"the deck of {name} named them beside its cards, so its text is gone, too; `tourney player deck '#{each}' FILE` registers it anew"
            )
        refs = erased(self._entries).keys()
        exports: Sequence[str] = ()
        try:
            try:
                self._journal.compact()
            except TourneyError as fault:
                warnings.append(f"unused places of the file may still hold the texts: {fault}")
            copies, troubles = erase_copies(self.path, refs)
            changed += (
                [f"They are gone from {counted(copies, 'copy', 'copies')} in {FOLDER}/, too."]
                if copies
                else []
            )
            warnings += troubles
            exports = exports_holding(self.path, refs)
        except KeyboardInterrupt:
            warnings.append(
                f"interrupted: unused places of the file and copies in {FOLDER}/ may still hold the texts; "
                f"`tourney player blank '#{min(gone.numbers)}'` once more deletes them there"
            )
        still = f"delete them: {', '.join(exports)}" if exports else "delete them, and publish again"
        warnings.append(f"exports and pages made before this still hold the texts; {still}")
        return replace(receipt, changed=tuple(changed), warnings=tuple(warnings))

    def submit_deck(
        self, who: str | PlayerId, data: str | bytes, *, source: str, anyway: bool = False
    ) -> DeckReceipt:
        """Check a decklist under the event's own rules and register it, unless it is illegal.

        data:   the list, as text or as a file's bytes in whatever encoding (UTF-16 and Latin-1 are recognised)
        source: the file's name, for the findings; anyway: register an illegal list too
        """
        player = self.who(who)
        text, decklist, verdict = self.judge_deck(data, source=source)
        if verdict.verdict == "illegal" and not anyway:
            return self._not_registered(player, verdict)
        cards = pool_lines(self._library, self.rules.format.pool, decklist)
        seal = self._seal()
        receipt = self._change(
            lambda state: decide.submit(state, player, text, verdict=verdict.verdict, cards=cards, seal=seal),
            seal,
        )
        return _with_verdict(receipt, verdict)

    def judge_deck(self, data: str | bytes, *, source: str) -> tuple[str, Decklist, Verdict]:
        """Read a decklist and hold it against the event's own rules: its text, the list as read, the verdict.

        Raises TourneyError where it is no decklist, RulesError where the rules or the card pool will not do.
        """
        from tourney.decks import check
        from tourney.decks.reading import read
        from tourney.decks.reading.text import decode
        from tourney.decks.zones import words_of

        with fault_of_the_rules():
            ruleset = self.ruleset()
        text, _ = decode(data, source=source)
        decklist = read(text, source=source, vocabulary=words_of(ruleset.format))
        return text, decklist, check(decklist, ruleset)

    def ruleset(self) -> Ruleset:
        """Return the event's own rules with the library's card pool, as decks are held against them."""
        from tourney.rules import Ruleset

        rules = self.rules
        pool = self._library.pool_of(rules.format)
        none = (
            rules.banlist is None
        )  # `event new` asked for one or for `--banlist none`: the organizer's choice
        return Ruleset(rules.format, rules.banlist, pool, rules.day, self.state.settings.choices, none)

    def _not_registered(self, player: PlayerId, verdict: Verdict) -> DeckReceipt:
        name = self.state.players[player].name
        receipt = Receipt(
            entries=(),
            changed=(f"The deck of {name} is illegal and was not registered.",),
            next=(),
            state=self.state,
        )
        return _with_verdict(receipt, verdict)

    def deck_text(self, who: str | PlayerId) -> str:
        """Return the registered list of a player. Raises TourneyError where there is none."""
        player = self.state.players[self.who(who)]
        if player.deck is None:
            raise TourneyError(
                f"{player.name} has no registered deck", f'`tourney player deck "{player.name}" FILE`'
            )
        try:
            text = self._journal.text(player.deck.text)
        except TourneyError:
            raise TourneyError(
                f"the deck of {player.name} is damaged", f"{ALTERED}, or register it anew"
            ) from None
        if text is None:
            raise TourneyError(f"the deck of {player.name} was deleted by request")
        return text

    def waive_deck(self, *who: str | PlayerId, reason: str | None = None) -> Receipt:
        """Note that players need not hand in a list."""
        seal = self._seal()
        return self._change(lambda state: decide.waive(state, _all(state, who), reason, seal), seal)

    def penalize(self, who: str | PlayerId, kind: str, *, reason: str | None = None) -> Receipt:
        """Note a penalty, `kind` as the organizer calls it (`warning`, `game loss`). It changes no result by itself."""
        seal = self._seal()
        return self._change(
            lambda state: remarks.penalty(state, find(state.players, who), kind, reason=reason, seal=seal),
            seal,
        )

    def record_audit(self, who: str | PlayerId, *, clean: bool, found: str | None = None) -> Receipt:
        """Note that a deck was checked at the table; what was found is needed where it was not in order."""
        seal = self._seal()
        return self._change(
            lambda state: remarks.audit(state, find(state.players, who), clean=clean, found=found, seal=seal),
            seal,
        )


def _beside_the_cards(text: str) -> str:
    """Return a decklist without the names of its cards: title, remarks, and what else is said in it."""
    from tourney.decks.reading import read

    try:
        deck = read(text, source="the deck")
    except TourneyError:
        return text
    cards = sorted({line.name for line in (*deck.lines, *deck.aside)}, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, cards)), " ", text) if cards else text


def _all(state: State, who: Sequence[str | PlayerId]) -> tuple[PlayerId, ...]:
    if not who:
        raise TourneyError("no player was named")
    return tuple(find(state.players, each) for each in who)


def _with_verdict(receipt: Receipt, verdict: Verdict) -> DeckReceipt:
    return DeckReceipt(
        entries=receipt.entries,
        changed=receipt.changed,
        next=receipt.next,
        state=receipt.state,
        already=receipt.already,
        warnings=(*receipt.warnings, *([verdict.cause.message] if verdict.cause else ()), *verdict.notes),
        verdict=verdict.verdict,
        findings=verdict.findings,
    )
