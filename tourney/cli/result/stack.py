"""`tourney result enter`: a stack of slips, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from tourney.cli.command import command
from tourney.cli.options import round_number
from tourney.cli.output import Exit, padded, styled, talk_error, width
from tourney.cli.result.reports import SCORES
from tourney.cli.session import Session, answering, decoded_line, foretell
from tourney.errors import TourneyError
from tourney.event.kind import round_of
from tourney.event.phrases import names_of, seats_text, tables_text
from tourney.event.score import typed_line
from tourney.event.status import next_steps
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.desk import Desk, Receipt
    from tourney.event.score import Typed
    from tourney.event.state import Round


_TOGETHER = 64
"""Slips written in one turn at the file where they came at once; nobody else has to wait longer than for that."""

_MOST_SHOWN = 60
"""Open tables that are listed with names; of more, the numbers are."""

_FEW = 5
"""So many open tables are named after every slip."""

_WAY = """A slip a line: `4 2-1`, `lena 2-0`. Enter takes it; type it anew to mend it.
`u`: take the last back; `change 4 1-2`; `?`: open tables. Ctrl-D or Enter twice: end."""


@command(
    "enter",
    event=True,
    dry_run=True,
    examples=["tourney result enter", "tourney result enter --time", "tourney result enter < slips.txt"],
    notes=SCORES,
)
@click.option(
    "--time", is_flag=True, help="Time was called: scores that decide nothing are allowed from now on."
)
@round_number
def enter(session: Session, *, time: bool, round_number: int | None) -> Exit | None:
    """Enter a stack of slips, one a line: 4 2-1 or lena 2-0. Each is written at once, as an entry of its own.

    In a terminal each line is answered with who sits there and what it means, and Enter takes it; anything else is read in
    its stead. `u` takes back the last one taken, `change 4 1-2` puts one right, `?` lists the open tables; Ctrl-D or two
    empty lines end it, and so does the last result. What another desk enters meanwhile is told.

    Where standard input is no terminal (or with --quiet or --json), lines are taken without asking; those that are refused
    are told, the others stand, and it leaves with 3.
    """
    with session.desk() as desk:
        round_ = round_of(desk.state, round_number)
        stack = Stack(session, desk, round_.number, time)
        if not session.quiet and not session.json and session.in_a_terminal:
            stack.ask()
            return None
        return stack.take_all()


@dataclass
class Stack:
    """A stack of slips of one round, as it is entered.

    number: the round; time: whether time was called
    taken:  the entries written here that stand, in order; seen: the last entry that this desk knows of
    mended: those of all written here that changed a result that was entered before
    """

    session: Session
    desk: Desk
    number: int
    time: bool
    taken: list[int] = field(default_factory=list)
    mended: set[int] = field(default_factory=set)
    seen: int = 0

    @property
    def round(self) -> Round:
        """The round as it stands. Raises TourneyError where it was taken back meanwhile."""
        return round_of(self.desk.state, self.number)

    # -- in a terminal, asking

    def ask(self) -> None:
        """Ask for slips until there are none left, or whoever types has had enough."""
        session, self.seen = self.session, self.desk.state.entry
        foretell(session)
        if not self.round.playing:
            self._end()
            return
        self._list()
        session.talk(styled(_WAY, dim=True))
        ending = False
        try:
            while self.round.playing:
                self._news()
                line = self._line("slip: ")
                if line is None or (ending and not line.strip()):
                    break
                ending = not line.strip()
                if ending:  # an Enter too many, for a slip that was refused, must not end the stack
                    session.talk(styled(f"  {self._open()}. Enter once more ends", dim=True))
                elif not self._answer(line):
                    break
        except KeyboardInterrupt:
            session.talk()
        self._end()

    def _line(self, prompt: str) -> str | None:
        try:
            return self.session.ask(prompt)
        except TourneyError as fault:
            self._refused(fault)
            return "?"

    def _refused(self, fault: TourneyError) -> None:
        """Say why a slip was not taken, in as few lines as can be: the queue is waiting."""
        self.session.talk("  " + styled("error:", fg="red", bold=True) + f" {fault.message}")
        if fault.hint:  # as it is typed here
            hint = fault.hint.replace("tourney result add ", "").replace("tourney result ", "")
            self.session.talk(styled(f"  {hint}", dim=True))

    def _answer(self, line: str) -> bool:
        """Do what a line says, and what is said when it was read back; return whether there is more to ask."""
        while word := line.strip():
            if word.casefold() == "u":
                self._take_back()
                return True
            if word in {"?", "h", "help"}:
                self._list()
                self.session.talk(styled(_WAY, dim=True))
                return True
            self._news()
            round_of(self.desk.state, self.number)  # where it was taken back, there is nothing more to ask
            try:
                other = self._confirmed(line)
            except TourneyError as fault:
                self._refused(fault)
                return True
            if other is None:
                return False
            line = other
        return True

    def _confirmed(self, line: str) -> str | None:
        """Say what a line means and ask; return "" where it was taken, else what was typed in its stead (None: the end)."""
        word, _, rest = line.strip().partition(" ")
        if word.casefold() == "change":
            self._change(rest)
            return ""
        typed = typed_line(line, time=self.time)
        if typed is None:
            return ""
        told: tuple[str, ...] = ()
        while (means := self.desk.meaning(typed, round_number=self.number)) and means != told:
            told = means
            answered = self._line(f"  {'; '.join(means)}  [Enter takes it] ")
            if answered is None or answered.strip():
                self.session.talk(styled("  not taken", dim=True))
                return "" if answered is not None and answered.strip().casefold() == "u" else answered
            self._news()  # another desk may have seated others there
        self._take(typed)
        return ""

    def _take(self, typed: Typed) -> None:
        (receipt,) = self.desk.report_each([typed], round_number=self.number)
        if isinstance(receipt, TourneyError):
            raise receipt
        with answering(self.session, receipt):
            if receipt.already:
                self.session.changed(" ".join(receipt.changed))
            else:
                self._heard(receipt)
                self.session.changed(f"  taken (entry {receipt.entries[-1]}). {self._open()}")
            for warning in receipt.warnings:
                self.session.warn(warning)

    def _change(self, line: str) -> None:
        """Put a result right; it needs no second look, as it is typed out and `u` takes it back."""
        typed = typed_line(line, time=self.time)
        if typed is None:
            raise TourneyError("nothing is named to change", "`change 4 1-2`")
        receipt = self.desk.change_result(
            typed.tables,
            typed.score,
            scores=typed.scores,
            time=typed.time,
            ended=typed.ended,
            round_number=self.number,
        )
        with answering(self.session, receipt):
            self._heard(receipt)
            self.mended.update(receipt.entries)
            self.session.changed(f"  {' '.join(receipt.changed)}")
            for warning in receipt.warnings:
                self.session.warn(warning)

    def _take_back(self) -> None:
        """Take back the last slip that was taken here."""
        if not self.taken:
            self.session.talk("nothing was taken here that could be taken back: `tourney event undo ENTRY`")
            return
        try:
            receipt = self.desk.undo(self.taken[-1])
        except TourneyError as fault:
            self._refused(fault)
            return
        self.taken.pop()
        with answering(self.session, receipt):
            self._heard(receipt, stands=False)
            self.session.changed(f"  {' '.join(receipt.changed)} {self._open()}")

    def _heard(self, receipt: Receipt, *, stands: bool = True) -> None:
        """Note an entry of our own, after telling what others wrote before it."""
        if stands:
            self.taken += receipt.entries
        self._news(receipt.entries)

    def _news(self, own: Sequence[int] = ()) -> None:
        """Tell what other desks have entered since anybody looked."""
        self.desk.refresh()
        for line in self.desk.log(self.seen):
            for text in () if line.entry in own else line.lines:
                self.session.talk(styled(f"  meanwhile: {text} ({line.by}, entry {line.entry})", fg="yellow"))
            self.seen = line.entry

    def _open(self) -> str:
        """Say which tables are open: a few by name."""
        round_ = self.round
        if not round_.playing:
            return ""
        if len(round_.playing) > _FEW:
            return f"{len(round_.playing)} open: {tables_text(round_.playing)}"
        return f"{len(round_.playing)} open: {'; '.join(self._named())}"

    def _named(self) -> list[str]:
        round_, name = self.round, names_of(self.desk.state)
        return [f"{number} {seats_text(round_.tables[number].seats, name)}" for number in round_.playing]

    def _list(self) -> None:
        """List the open tables with who sits there, in columns."""
        session, round_ = self.session, self.round
        session.talk(f"{round_.title}, {counted(len(round_.playing), 'open table')}:")
        if len(round_.playing) > _MOST_SHOWN:
            session.talk(f"  {tables_text(round_.playing, most=len(round_.playing))}")
            return
        for line in columns(self._named()):
            session.talk(f"  {line}")

    def _end(self) -> None:
        """Say how many were taken, and what is next."""
        self._news()
        mended = len(self.mended.intersection(self.taken))
        told = {"entered": len(self.taken) - mended, "changed": mended}
        words = [f"{counted(number, 'result')} {done}" for done, number in told.items() if number]
        if words:
            self.session.talk(", ".join(words))
        for sentence in next_steps(self.desk.state):
            self.session.talk(styled(sentence, dim=True))

    # -- without asking

    def take_all(self) -> Exit | None:
        """Take the lines of standard input as they come; return `Exit.REFUSED` where one of them was refused."""
        session = self.session
        answers: list[tuple[int, Receipt | TourneyError]] = []
        if not session.json:
            foretell(session)
        for place, answered in self._taken():
            answers.append((place, answered))
            if not session.json:
                self._tell(place, answered)
        if not answers:
            raise TourneyError("standard input: there is no result in it", "a line `4 2-1` for each table")
        refused = [(place, fault) for place, fault in answers if isinstance(fault, TourneyError)]
        if session.json:
            self._emit(answers)
        else:
            if refused:
                taken = counted(len(answers) - len(refused), "line")
                session.talk(f"{taken} taken, {len(refused)} refused")
            for sentence in next_steps(self.desk.state):
                session.talk(styled(sentence, dim=True))
        return Exit.REFUSED if refused else None

    def _tell(self, place: int, answered: Receipt | TourneyError) -> None:
        if isinstance(answered, TourneyError):
            talk_error(f"standard input:{place}: {answered.message}", answered.hint)
            return
        with answering(self.session, answered):
            for sentence in answered.changed:
                self.session.changed(sentence)
            for warning in answered.warnings:
                self.session.warn(warning)

    def _emit(self, answers: Sequence[tuple[int, Receipt | TourneyError]]) -> None:
        state = self.desk.state
        taken = [
            {
                "line": place,
                "entries": receipt.entries,
                "already": receipt.already,
                "changed": receipt.changed,
                "warnings": receipt.warnings,
            }
            for place, receipt in answers
            if not isinstance(receipt, TourneyError)
        ]
        refused = [
            {"line": place, "message": fault.message, "hint": fault.hint}
            for place, fault in answers
            if isinstance(fault, TourneyError)
        ]
        last = self.desk.last
        with answering(self.session, last) if last and taken else nullcontext():
            self.session.emit(
                "result-enter/1",
                {
                    "round": self.number,
                    "taken": taken,
                    "refused": refused,
                    "next": next_steps(state),
                    "dry_run": self.session.dry_run,
                    "entry": state.entry,
                    "digest": state.digest,
                },
            )

    def _taken(self) -> Iterator[tuple[int, Receipt | TourneyError]]:
        """Take lines as they come, those that come at once together; give each its number and its answer."""
        number = 0
        for lines in self.session.lines():
            for first in range(0, len(lines), _TOGETHER):
                group = lines[first : first + _TOGETHER]
                read = [(number + first + n, self._read(line)) for n, line in enumerate(group, 1)]
                slips = [
                    typed for _, typed in read if typed is not None and not isinstance(typed, TourneyError)
                ]
                answers = iter(self.desk.report_each(slips, round_number=self.number) if slips else ())
                for place, typed in read:
                    if typed is not None:
                        yield place, typed if isinstance(typed, TourneyError) else next(answers)
            number += len(lines)

    def _read(self, line: bytes) -> Typed | TourneyError | None:
        try:
            return typed_line(decoded_line(line), time=self.time)
        except TourneyError as fault:
            return fault


def columns(texts: Sequence[str]) -> Iterator[str]:
    """Set texts in as many columns as the terminal has room for, read downwards."""
    from shutil import get_terminal_size

    widest = max(map(width, texts)) + 3
    number = max(1, min(len(texts), (get_terminal_size().columns - 2) // widest))
    rows = -(-len(texts) // number)
    for row in range(rows):
        line = texts[row::rows]
        yield "".join(padded(text, widest) for text in line).rstrip()
