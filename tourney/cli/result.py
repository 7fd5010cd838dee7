"""`tourney result`: what came of the tables: one by one, a block, a stack of slips; which still play; what players report themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from shutil import get_terminal_size

import click

from tourney.cli.answers import announce_dry_run, answer, answering
from tourney.cli.command import noun
from tourney.cli.exits import Exit, show_error
from tourney.cli.options import F, ends, reason, round_number, table, tables, together
from tourney.cli.output import padded, styled, width
from tourney.cli.session import Session, decoded_line, source_of
from tourney.decode import MAX_TYPED_RESULTS
from tourney.desk import Desk, Receipt
from tourney.desk.documents import LineRefused, LineTaken, ResultsEntered
from tourney.desk.open_event import next_steps
from tourney.errors import TourneyError
from tourney.event.claims import OpenClaim
from tourney.event.documents import open_tables, reports
from tourney.event.entry import in_brackets
from tourney.event.kind import round_of
from tourney.event.phrases import names_of, seats_text, still_playing, tables_text
from tourney.event.results import clock_time
from tourney.event.score import Report, SlipExamples, parse_line, slip_examples
from tourney.event.state import Round
from tourney.wording import counted

cli = noun("result")


# -- tourney result add, import, change: a result, or several at once


_SCORES = {
    "How a score is typed": {
        "2-1  2-1-1": "Games won in seat order; third, the drawn games. 1-0 where one game is the match.",
        "w  l  d": "The first seat won, lost, drew. A draw is also = or 1/2-1/2.",
        "id": "Intentional draw.",
        "ff1  ff2": "That seat did not show. A match lost by a ruling: `tourney penalty add NAME match-loss --apply`.",
        "forfeit1  forfeit2": "That seat forfeits by a judge's ruling, without play; nobody says it did not show.",
        "dl": "Both lose.",
        "red  blue": "That side won, where a game has sides and a match is one game.",
        "1,3,2": "Places in seat order, where three and more sit at a table; 1,1,3 shares the first. --score 9,4,6, too, is in seat order.",
        "--score 34,12": "Alone where the game's score tells who has won; the result is typed, too, where it does not.",
        "lena 2-0": "By somebody at the table, a name or '#7': all of it as that player tells it, their own first, the others in seat order.",
    }
}


def _told(time: str) -> Callable[[F], F]:
    """Add what is told of the result of one table, besides it. time: the help of --time.

    The command gets `scores` and `ended`, and as every entry of results has it `time`, `round_number` and `reason`.
    """
    timed = click.option("--time", is_flag=True, help=time)
    return together(_scores, _ended, timed, round_number, reason)


_scores = click.option(
    "--score",
    "scores",
    metavar="N,N",
    help="Victory points (diamonds …) in seat order, held against what the format says of them.",
)

_ended = click.option(
    "--ended",
    metavar="WORD",
    default="",
    shell_complete=ends,
    help="How the game ended, where not by its score: `time`, `concession`, `ruling`, or a word of the format (`deck`).",
)


@cli.command(
    "add",
    event=True,
    dry_run=True,
    examples=[
        "tourney result add 4 2-1",
        "tourney result add lena 2-0",
        "tourney result add 4..7 2-0",
        "tourney result add 3 = --time",
        "tourney result add 2 1,3,2 --score 9,4,6",
        "tourney result add 3 --score 34,12",
        "tourney result add 3 1-0 --score 20,12 --ended concession",
        "tourney result add < slips.txt",
    ],
    notes=_SCORES,
)
@click.argument("table", metavar="[TABLE|PLAYER]", required=False, shell_complete=tables)
@click.argument("score", required=False)
@_told(time="The match ended by time: a score that decides nothing is allowed.")
def add(
    session: Session,
    *,
    table: str | None,
    score: str | None,
    scores: str | None,
    ended: str,
    time: bool,
    round_number: int | None,
    reason: str | None,
) -> None:
    """Enter the result of a table, or of several: 4, 4..7 or 2,4,9. A player's name or '#7' stands for their table.

    Without a table, lines `4 2-1`, `lena 2-0` or `4 --score 34,12` are read from standard input, all or none. The same result again changes
    nothing and is a success; a different one is refused: `tourney result change`.
    """
    if table is not None and score is None and scores is None:
        raise click.UsageError(f"table {table} needs a score: `tourney result add {table} 1-0`")
    if table is None and (scores is not None or ended):
        raise click.UsageError("`--score` and `--ended` are of one table: in a block they stand in its line")
    with session.desk() as desk:
        if table is None:
            lines = session.read_text("-").splitlines()
            receipt = desk.report_block(
                lines, source="standard input", time=time, round_number=round_number, reason=reason
            )
        else:
            receipt = desk.report(
                table,
                score or "",
                scores=scores,
                time=time,
                ended=ended,
                round_number=round_number,
                reason=reason,
            )
        answer(session, receipt)


@cli.command(
    "import",
    event=True,
    dry_run=True,
    examples=["tourney result import slips.txt", "tourney result import - < slips.txt"],
)
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--time", is_flag=True, help="Time ended the matches that are not finished: such scores are allowed."
)
@round_number
@reason
def import_(session: Session, *, file: str, time: bool, round_number: int | None, reason: str | None) -> None:
    """Enter the results of a file, a line `4 2-1` or `lena 2-0` each, all or none.

    Blank lines and `# comments` are skipped (`#7 2-0` is player 7's result); every line at fault is told.
    """
    lines = session.read_text(file).splitlines()
    with session.desk() as desk:
        receipt = desk.report_block(
            lines, source=source_of(file), time=time, round_number=round_number, reason=reason
        )
        answer(session, receipt)


@cli.command(
    "change",
    event=True,
    dry_run=True,
    examples=[
        'tourney result change 4 1-2 --reason "slip misread"',
        "tourney result change lena 2-0",
        "tourney result change 3,6 0-2",
        "tourney result change 4 - --round 2",
    ],
    notes=_SCORES,
)
@table
@click.argument("score", required=False)
@_told(time="The match ended by time.")
def change(
    session: Session,
    *,
    table: str,
    score: str | None,
    scores: str | None,
    ended: str,
    time: bool,
    round_number: int | None,
    reason: str | None,
) -> None:
    """Put a result right, or those of several tables (3,6); the score `-` takes it away, so that the table plays on.

    Rounds that were paired from the old result stay as they are; they are named.
    """
    if score is None and scores is None:
        raise click.UsageError(f"table {table} needs a score: `tourney result change {table} 1-0`")
    with session.desk() as desk:
        receipt = desk.change_result(
            table,
            score or "",
            scores=scores,
            time=time,
            ended=ended,
            round_number=round_number,
            reason=reason,
        )
        answer(session, receipt)


# -- tourney result enter: a stack of slips, one after the other


_TOGETHER = 64
"""Slips written in one turn at the file where they came at once; nobody else has to wait longer than for that."""

_MOST_SHOWN = 60
"""Open tables that are listed with names; of more, the numbers are."""

_FEW = 5
"""So many open tables are named after every slip."""

_WAY = """Type one slip a line: `4 {result}`, `lena {other}`. Enter confirms it; type it again to correct it.
`u`: undo the last; `change 4 {changed}`: change it; `?`: open tables; Ctrl-D or Enter twice: end."""


@cli.command(
    "enter",
    event=True,
    dry_run=True,
    examples=["tourney result enter", "tourney result enter --time", "tourney result enter < slips.txt"],
    notes=_SCORES,
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
        stack = _Stack(session, desk, round_.number, time)
        if not session.quiet and not session.json and session.in_a_terminal:
            stack.ask()
            return None
        return stack.take_all()


@dataclass
class _Stack:
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
        announce_dry_run(session)
        if not self.round.playing:
            self._end()
            return
        self._list()
        session.talk(styled(self._how(), dim=True))
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

    @property
    def _examples(self) -> SlipExamples:
        return slip_examples(self.desk.state.settings)

    def _how(self) -> str:
        """Say what can be typed, with scores that fit the event."""
        return _WAY.format(**self._examples._asdict())

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
                self.session.talk(styled(self._how(), dim=True))
                return True
            self._news()
            _ = self.round  # where it was taken back, there is nothing more to ask
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
        report = parse_line(line, time=self.time, examples=self._examples)
        if report is None:
            return ""
        told: tuple[str, ...] = ()
        while (means := self.desk.meaning(report, round_number=self.number)) and means != told:
            told = means
            answered = self._line(f"  {'; '.join(means)}  [Enter takes it] ")
            if answered is None or answered.strip():
                self.session.talk(styled("  not taken", dim=True))
                return "" if answered is not None and answered.strip().casefold() == "u" else answered
            self._news()  # another desk may have seated others there
        self._take(report)
        return ""

    def _take(self, report: Report) -> None:
        (receipt,) = self.desk.report_each([report], round_number=self.number)
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
        report = parse_line(line, time=self.time, examples=self._examples)
        if report is None:
            raise TourneyError("nothing is named to change", f"`change 4 {self._examples.changed}`")
        receipt = self.desk.change_reported(report, round_number=self.number)
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
        for line in _columns(self._named()):
            session.talk(f"  {line}")

    def _end(self) -> None:
        """Say how many were taken, and what is next."""
        self._news()
        mended = len(self.mended.intersection(self.taken))
        told = {"entered": len(self.taken) - mended, "changed": mended}
        words = [f"{counted(number, 'result')} {done}" for done, number in told.items() if number]
        if words:
            self.session.talk(", ".join(words))
        for sentence in self._next():
            self.session.talk(styled(sentence, dim=True))

    def _next(self) -> tuple[str, ...]:
        return next_steps(self.desk.state)

    # -- without asking

    def take_all(self) -> Exit | None:
        """Take the lines of standard input as they come; return `Exit.REFUSED` where one of them was refused."""
        session = self.session
        answers: list[tuple[int, Receipt | TourneyError]] = []
        if not session.json:
            announce_dry_run(session)
        for place, answered in self._taken():
            answers.append((place, answered))
            if not session.json:
                self._tell(place, answered)
        if not answers:
            raise TourneyError(
                "standard input: there is no result in it",
                f"a line `4 {self._examples.result}` for each table",
            )
        refused = [(place, fault) for place, fault in answers if isinstance(fault, TourneyError)]
        if session.json:
            self._emit(answers)
        else:
            if refused:
                taken = counted(len(answers) - len(refused), "line")
                session.talk(f"{taken} taken, {len(refused)} refused")
            for sentence in self._next():
                session.talk(styled(sentence, dim=True))
        return Exit.REFUSED if refused else None

    def _tell(self, place: int, answered: Receipt | TourneyError) -> None:
        if isinstance(answered, TourneyError):
            show_error(f"standard input:{place}: {answered.message}", answered.hint)
            return
        with answering(self.session, answered):
            for sentence in answered.changed:
                self.session.changed(sentence)
            for warning in answered.warnings:
                self.session.warn(warning)

    def _emit(self, answers: Sequence[tuple[int, Receipt | TourneyError]]) -> None:
        state, last = self.desk.state, self.desk.last
        taken = tuple(
            LineTaken(
                line=place,
                entries=receipt.entries,
                already=receipt.already,
                changed=receipt.changed,
                warnings=receipt.warnings,
            )
            for place, receipt in answers
            if not isinstance(receipt, TourneyError)
        )
        refused = tuple(
            LineRefused(line=place, message=fault.message, hint=fault.hint)
            for place, fault in answers
            if isinstance(fault, TourneyError)
        )
        with answering(self.session, last) if last and taken else nullcontext():
            self.session.emit(
                ResultsEntered(
                    round=self.number,
                    taken=taken,
                    refused=refused,
                    next=tuple(self._next()),
                    dry_run=self.session.dry_run,
                    entry=state.entry,
                    digest=state.digest,
                )
            )

    def _taken(self) -> Iterator[tuple[int, Receipt | TourneyError]]:
        """Take lines as they come, those that come at once together; give each its number and its answer."""
        number = 0
        for lines in self.session.lines():
            if number + len(lines) > MAX_TYPED_RESULTS:
                yield (
                    number + 1,
                    TourneyError(
                        f"at most {MAX_TYPED_RESULTS:,} lines are read at once; this one and those after it were not read"
                    ),
                )
                return
            for first in range(0, len(lines), _TOGETHER):
                group = lines[first : first + _TOGETHER]
                read = [(number + first + n, self._read(line)) for n, line in enumerate(group, 1)]
                slips = [
                    report
                    for _, report in read
                    if report is not None and not isinstance(report, TourneyError)
                ]
                answers = iter(self.desk.report_each(slips, round_number=self.number) if slips else ())
                for place, report in read:
                    if report is not None:
                        yield place, report if isinstance(report, TourneyError) else next(answers)
            number += len(lines)

    def _read(self, line: bytes) -> Report | TourneyError | None:
        try:
            return parse_line(decoded_line(line), time=self.time, examples=self._examples)
        except TourneyError as fault:
            return fault


def _columns(texts: Sequence[str]) -> Iterator[str]:
    """Set texts in as many columns as the terminal has room for, read downwards."""
    widest = max(map(width, texts)) + 3
    number = max(1, min(len(texts), (get_terminal_size().columns - 2) // widest))
    rows = -(-len(texts) // number)
    for row in range(rows):
        line = texts[row::rows]
        yield "".join(padded(text, widest) for text in line).rstrip()


# -- tourney result missing: whom the desk is waiting for


@cli.command("missing", event=True, examples=["tourney result missing", "tourney result missing --json"])
def missing(session: Session) -> None:
    """List the tables of the current round that are still playing, and what players have reported of them."""
    with session.desk() as desk:
        state, claims = desk.state, {claim.claim.table: claim for claim in desk.claims()}
    document = open_tables(state, claims, names_of(state))
    if session.json:
        session.emit(document)
        return
    rows = [(table.table, " – ".join(table.players)) for table in document.tables]
    if claims:
        marks = [claims[number].mark if number in claims else "" for number, _ in rows]
        marked = [(*row, mark) for row, mark in zip(rows, marks, strict=True)]
        session.table(["table", "players", "reported"], marked, right=(0,))
    elif rows:
        session.table(["table", "players"], rows, right=(0,))
    if state.round is None:
        session.talk("no round is paired yet: `tourney round next`")
    else:
        session.talk(f"{state.round.title}: {still_playing(state.round) if rows else 'all tables are in'}.")
    if any(claim.for_the_desk for claim in claims.values()):
        session.talk("reported by the players: `tourney result claims`")


# -- tourney result claims: what players sent from their phones and the desk has not settled yet


@cli.command(
    "claims",
    event=True,
    dry_run=True,
    examples=["tourney result claims", "tourney result claims --enter", "tourney result claims --json"],
)
@click.option(
    "--enter",
    "entering",
    is_flag=True,
    help="Enter what was reported and nobody answered in time (`claim_minutes`); disputed results never.",
)
def claims(session: Session, entering: bool) -> None:
    """List what players reported from their phones and is not entered: disputed, unanswered, still waiting.

    Every version is told, with the command that enters it; `result add` settles a table whatever was reported. Under
    `--set claim_alone=true` unanswered reports are entered by themselves while the event is served.
    """
    with session.desk() as desk:
        if entering:
            _enter(
                session,
                desk.state.settings.phones.claim_minutes,
                desk.enter_unanswered(anyway=True),
                desk.claims(),
            )
            return
        waiting = desk.claims()
    if session.json:
        session.emit(reports(waiting))
        return
    if waiting:
        rows = [row for each in waiting for row in _claim_rows(each)]
        session.table(["table", "state", "since", "reported", "to enter it"], rows, right=(0,))
    desks = [each for each in waiting if each.for_the_desk]
    session.talk(
        f"{counted(len(waiting), 'report')} not entered, {len(desks) or 'none'} of them for the desk"
    )
    overdue = [each for each in desks if each.overdue and each.waiting]
    if overdue:
        session.talk("`tourney result claims --enter` enters what nobody answered")


def _enter(session: Session, minutes: int, receipts: Sequence[Receipt], left: Sequence[OpenClaim]) -> None:
    if not receipts:
        if session.json:
            session.emit(reports(left))
        session.talk(f"nothing that was reported has waited for an answer for {counted(minutes, 'minute')}")
        return
    answer(session, receipts[-1].together(receipts))


def _claim_rows(each: OpenClaim) -> Iterator[tuple[object, ...]]:
    """Give a row for each version: `Mira: Mira 2–0 Tess`, below it `Tess disputes it (the third game was mine)`."""
    first, *others = each.versions
    also = f" (also {', '.join(first.agree)})" if first.agree else ""
    told = f"{first.name}: {first.text}{also}"
    yield each.claim.table, each.where, clock_time(each.claim.at), told, first.command
    for version in others:
        own = f": {version.text}" if version.text else " disputes it"
        yield "", "", "", f"{version.name}{own}{in_brackets(version.reason)}", version.command
