"""`tourney result`: enter and change results, and list open tables and players' reports.

`add` enters a table or a block of lines, `import` a file, `enter` a stack of slips.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click
from msgspec import Struct, field

from tourney.cli.command import noun
from tourney.cli.options import F, ends, flag, reason, round_number, table, tables, together
from tourney.cli.output import arrange_columns, show_error, style_text, terminal_width
from tourney.cli.session import Exit, Session, decoded_line, source_of
from tourney.decode import MAX_TYPED_RESULTS
from tourney.desk import Desk, Receipt
from tourney.desk.documents import LineRefused, LineTaken, ResultsEntered
from tourney.desk.receipts import next_steps
from tourney.errors import TourneyError
from tourney.event.claims import ClaimedResult
from tourney.event.documents import ClaimedResults, open_tables
from tourney.event.entry import in_brackets
from tourney.event.kind import round_of
from tourney.event.phrases import seats_text, still_playing, tables_text
from tourney.event.score import Report, SlipExamples, parse_line, slip_examples
from tourney.event.state import Round
from tourney.wording import clock_time, counted

cli = noun("result")


# -- tourney result add, import, change: a result, or several at once


_SCORES = {
    "How to type a score": {
        "2-1  2-1-1": "Games won in seat order, then drawn games. 1-0 if a match is one game.",
        "w  l  d": "The first seat won, lost, drew. A draw is also = or 1/2-1/2.",
        "id": "Intentional draw.",
        "ff1  ff2": "That seat did not show. For a match lost by a ruling: "
        "`tourney penalty add NAME match-loss --apply`.",
        "forfeit1  forfeit2": "That seat forfeits by a judge's ruling, "
        "without play. It does not count as a no-show.",
        "dl": "Both lose.",
        "red  blue": "That side won, in a game with sides and matches of one game.",
        "1,3,2": "Places in seat order, at tables of three or more; "
        "1,1,3 shares first place. --score 9,4,6 is in seat order, too.",
        "--score 34,12": "Enough on its own if the game's score decides who won; otherwise type the result, "
        "too.",
        "lena 2-0": "By a player at the table (a name or '#7'): that player's games or place first, "
        "then the others in seat order.",
    }
}


def _result_options(time: str) -> Callable[[F], F]:
    """Return the options for the result of one table. time: the help of --time."""
    return together(
        click.option(
            "--score",
            "scores",
            metavar="N,N",
            help="Victory points in seat order, checked against the format.",
        ),
        click.option(
            "--ended",
            metavar="WORD",
            default="",
            shell_complete=ends,
            help="How the game ended, if not by its score: `time`, `concession`, `ruling`, "
            "or a word of the format (`deck`).",
        ),
        flag("--time", help=time),
        round_number,
        reason,
    )


@cli.command("add", changes=True, notes=_SCORES)
@click.argument("table", metavar="[TABLE|PLAYER]", required=False, shell_complete=tables)
@click.argument("score", required=False)
@_result_options(time="Time ended the match: a score without a winner is allowed.")
def add(
    session: Session, *, table: str | None, score: str | None, scores: str | None, ended: str, **options: Any
) -> None:
    """Enter the result of one or several tables: `4`, `4..7`, `2,4,9`, or `lena` for Lena's.

    A player is a name, or a number such as '#7'. Without a table, lines are read from standard input, as by
    `tourney result import -`. Entering the same result again changes nothing and succeeds. A different result
    is refused: use `tourney result change`.

    Examples:
      tourney result add 4 2-1
      tourney result add lena 2-0
      tourney result add 4..7 2-0
      tourney result add 3 = --time
      tourney result add 2 1,3,2 --score 9,4,6
      tourney result add 3 --score 34,12
      tourney result add 3 1-0 --score 20,12 --ended concession
      tourney result add < slips.txt
    """
    if table is not None and score is None and scores is None:
        raise click.UsageError(f"table {table} needs a score: `tourney result add {table} 1-0`")
    if table is None and (scores is not None or ended):
        raise click.UsageError(
            "`--score` and `--ended` need a TABLE; in a block of results, write them in the table's line"
        )
    with session.desk() as desk:
        if table is None:
            receipt = desk.report_block(
                session.read_text("-").splitlines(), source="standard input", **options
            )
        else:
            receipt = desk.report(table, score or "", scores=scores, ended=ended, **options)
        session.answer(receipt)


@cli.command("import", changes=True)
@click.argument("file", type=click.Path(allow_dash=True))
@flag("--time", help="Time ended the unfinished matches: scores without a winner are allowed.")
@round_number
@reason
def import_(session: Session, file: str, **options: Any) -> None:
    """Enter the results of a file with a line such as `4 2-1` or `lena 2-0` for each table.

    A line can have options, as in `4 --score 34,12`. Blank lines and `# comments` are skipped (`#7 2-0` is
    player 7's result). If a line is wrong, none is entered, and every wrong line is named.

    Examples:
      tourney result import slips.txt
      tourney result import - < slips.txt
    """
    lines = session.read_text(file).splitlines()
    with session.desk() as desk:
        session.answer(desk.report_block(lines, source=source_of(file), **options))


@cli.command("change", changes=True, notes=_SCORES)
@table
@click.argument("score", required=False)
@_result_options(time="Time ended the match.")
def change(session: Session, *, table: str, score: str | None, **options: Any) -> None:
    """Change the result of a table, or of several (3,6).

    The score `-` removes the result, and the table plays on. Rounds that were paired from the old result stay
    as they are; the answer names them.

    Examples:
      tourney result change 4 1-2 --reason "slip misread"
      tourney result change lena 2-0
      tourney result change 3,6 0-2
      tourney result change 4 - --round 2
    """
    if score is None and options["scores"] is None:
        raise click.UsageError(f"table {table} needs a score: `tourney result change {table} 1-0`")
    with session.desk() as desk:
        session.answer(desk.change_result(table, score or "", **options))


# -- tourney result enter: a stack of slips, one after the other


_BATCH = 64
"""The maximum number of slips in one transaction, so that other desks do not wait long."""

_MOST_SHOWN = 60
"""The maximum number of open tables listed with players; if more, only numbers are listed."""

_FEW = 5
"""The maximum number of open tables whose players are shown after every slip."""

_HOW = """Type one slip a line: `4 {result}`, `lena {other}`. Enter confirms it; type it again to correct it.
`u`: undo the last; `change 4 {changed}`: change it; `?`: open tables; Ctrl-D or Enter twice: end."""


@cli.command("enter", changes=True, notes=_SCORES)
@flag("--time", help="Time was called: scores without a winner are allowed from now on.")
@round_number
def enter(session: Session, *, time: bool, round_number: int | None) -> Exit | None:
    """Enter a stack of slips, one a line: 4 2-1 or lena 2-0.

    Each slip is saved at once, as its own entry.

    In a terminal, each line is answered with the players of the table and the result. Enter confirms it;
    anything else replaces the line. `u` undoes the last slip, `change 4 1-2` changes a result, `?` lists the
    open tables. Ctrl-D, two empty lines or the last result end it. Entries of other desks are shown as they
    come.

    If standard input is not a terminal, or with --quiet or --json, lines are entered without asking. Refused
    lines are reported, all others are entered, and the exit code is 3.

    Examples:
      tourney result enter
      tourney result enter --time
      tourney result enter < slips.txt
    """
    with session.desk() as desk:
        round_ = round_of(desk.state, round_number)
        stack = _Stack(session, desk, round_.number, time)
        if not session.quiet and not session.json and session.in_a_terminal:
            stack.ask()
            return None
        return stack.enter_all()


class _Stack(Struct):
    """A stack of slips of one round.

    number:     the number of the round
    time:       whether time was called
    entries:    the entries that this command wrote and that are not undone, in order
    changes:    those entries of this command that changed an earlier result
    last_entry: the last entry that this command wrote or showed
    """

    session: Session
    desk: Desk
    number: int
    time: bool
    entries: list[int] = field(default_factory=list)
    changes: set[int] = field(default_factory=set)
    last_entry: int = 0

    @property
    def round(self) -> Round:
        """The current state of the round. Raises TourneyError if it was canceled meanwhile."""
        return round_of(self.desk.state, self.number)

    # -- in a terminal, asking

    def ask(self) -> None:
        """Ask for slips until no table is open, or until the user stops."""
        session, self.last_entry = self.session, self.desk.state.entry
        session.announce_dry_run()
        if not self.round.playing:
            self._end()
            return
        self._help()
        ending = False
        try:
            while self.round.playing:
                self._show_news()
                line = self._ask_line("slip: ")
                if line is None or (ending and not line.strip()):
                    break
                ending = not line.strip()
                if ending:  # one Enter too many, after a refused slip, must not end the stack
                    session.talk(style_text(f"  {self._open_text()}. Press Enter again to end", dim=True))
                elif not self._answer(line):
                    break
        except KeyboardInterrupt:
            session.talk()
        self._end()

    @property
    def _examples(self) -> SlipExamples:
        return slip_examples(self.desk.state.settings)

    def _help(self) -> None:
        """List the open tables, and show what the user can type, with scores that fit the event."""
        self._list()
        self.session.talk(style_text(_HOW.format(**self._examples._asdict()), dim=True))

    def _ask_line(self, prompt: str) -> str | None:
        try:
            return self.session.ask(prompt)
        except TourneyError as fault:
            self._show_refusal(fault)
            return "?"

    def _show_refusal(self, fault: TourneyError) -> None:
        """Show why a slip was refused, in few lines, because players are waiting in a queue."""
        self.session.talk("  " + style_text("error:", fg="red", bold=True) + f" {fault.message}")
        if fault.hint:  # without the words that the user does not type at this prompt
            hint = fault.hint.replace("tourney result add ", "").replace("tourney result ", "")
            hint = hint.replace(f" --round {self.number}`", "`")
            self.session.talk(style_text(f"  {hint}", dim=True))

    def _answer(self, line: str) -> bool:
        """Carry out a line that the user typed: a slip, a change, `u` or `?`.

        A line that the user types instead of a confirmation is carried out next. Returns False at the end of
        the input.
        """
        while word := line.strip():
            if word.casefold() == "u":
                self._undo_last()
                return True
            if word in {"?", "h", "help"}:
                self._help()
                return True
            self._show_news()
            _ = self.round  # raises TourneyError if the round was canceled
            try:
                next_line = self._confirm_line(line)
            except TourneyError as fault:
                self._show_refusal(fault)
                return True
            if next_line is None:
                return False
            line = next_line
        return True

    def _confirm_line(self, line: str) -> str | None:
        """Show what a line means, ask for confirmation, and enter the result.

        Returns the line to carry out next, if the user typed one instead of a confirmation; otherwise an
        empty text. The reply `u` only declines the result. Returns None at the end of the input.
        """
        word, _, rest = line.strip().partition(" ")
        if word.casefold() == "change":
            self._change(rest)
            return ""
        report = parse_line(line, time=self.time, examples=self._examples)
        if report is None:
            return ""
        shown_sentences: tuple[str, ...] = ()
        while (
            sentences := self.desk.meaning(report, round_number=self.number)
        ) and sentences != shown_sentences:
            shown_sentences = sentences
            reply = self._ask_line(f"  {'; '.join(sentences)}  [Enter confirms] ")
            if reply is None or reply.strip():
                self.session.talk(style_text("  not entered", dim=True))
                return "" if reply is not None and reply.strip().casefold() == "u" else reply
            self._show_news()  # another desk may have changed the seats
        self._enter(report)
        return ""

    def _enter(self, report: Report) -> None:
        (receipt,) = self.desk.report_each([report], round_number=self.number)
        if isinstance(receipt, TourneyError):
            raise receipt
        with self.session.answering(*receipt.changed):
            if receipt.already:
                self.session.say_change(" ".join(receipt.changed))
            else:
                self._remember(receipt)
                self.session.say_change(f"  entered (entry {receipt.entries[-1]}). {self._open_text()}")
            for warning in receipt.warnings:
                self.session.warn(warning)

    def _change(self, line: str) -> None:
        """Change a result, without confirmation: the user typed it in full, and `u` undoes it."""
        report = parse_line(line, time=self.time, examples=self._examples)
        if report is None:
            raise TourneyError("name the table and its new result", f"`change 4 {self._examples.changed}`")
        receipt = self.desk.change_reported(report, round_number=self.number)
        with self.session.answering(*receipt.changed):
            self._remember(receipt)
            self.changes.update(receipt.entries)
            self.session.say_change(f"  {' '.join(receipt.changed)}")
            for warning in receipt.warnings:
                self.session.warn(warning)

    def _undo_last(self) -> None:
        """Undo the last slip that was entered by this command."""
        if not self.entries:
            self.session.talk("there is nothing to undo here; for other entries: `tourney event undo ENTRY`")
            return
        try:
            receipt = self.desk.undo(self.entries[-1])
        except TourneyError as fault:
            self._show_refusal(fault)
            return
        self.entries.pop()
        with self.session.answering(*receipt.changed):
            self._show_news(receipt.entries)
            self.session.say_change(f"  {' '.join(receipt.changed)} {self._open_text()}")

    def _remember(self, receipt: Receipt) -> None:
        """Keep the numbers of new entries so that they can be undone, and show entries by others."""
        self.entries += receipt.entries
        self._show_news(receipt.entries)

    def _show_news(self, own_entries: Sequence[int] = ()) -> None:
        """Show the new journal entries that others have made.

        Entries are new if they come after entry `self.last_entry`. This is the last entry that this command
        wrote or showed, or at first the last entry that existed when the command began.

        own_entries: the numbers of the new entries that this command has made, which are not shown
        """
        self.desk.refresh()
        for line in self.desk.log(self.last_entry):
            for text in () if line.entry in own_entries else line.lines:
                self.session.talk(
                    style_text(f"  meanwhile: {text} ({line.by}, entry {line.entry})", fg="yellow")
                )
            self.last_entry = line.entry

    def _open_text(self) -> str:
        """Return the open tables: with their players if they are few, otherwise by number."""
        round_ = self.round
        if not round_.playing:
            return ""
        if len(round_.playing) > _FEW:
            return f"{len(round_.playing)} open: {tables_text(round_.playing)}"
        return f"{len(round_.playing)} open: {'; '.join(self._table_lines())}"

    def _table_lines(self) -> list[str]:
        name = self.desk.state.name_of
        return [f"{table.number} {seats_text(table.seats, name)}" for table in self.round.open_tables]

    def _list(self) -> None:
        """List the open tables with their players, in columns."""
        session, round_ = self.session, self.round
        session.talk(f"{round_.title}, {counted(len(round_.playing), 'open table')}:")
        if len(round_.playing) > _MOST_SHOWN:
            session.talk(f"  {tables_text(round_.playing, most=len(round_.playing))}")
            return
        for line in arrange_columns(self._table_lines(), terminal_width() - 2, gap=3):
            session.talk(f"  {line}")

    def _end(self) -> None:
        """Show how many results were entered, and the next steps."""
        self._show_news()
        change_count = len(self.changes.intersection(self.entries))
        counts = {"entered": len(self.entries) - change_count, "changed": change_count}
        words = [f"{counted(number, 'result')} {verb}" for verb, number in counts.items() if number]
        if words:
            self.session.talk(", ".join(words))
        for step in next_steps(self.desk.state):
            self.session.talk(style_text(step.sentence, dim=True))

    # -- without asking

    def enter_all(self) -> Exit | None:
        """Enter the lines of standard input as they arrive.

        Returns `Exit.REFUSED` if a line was refused.
        """
        session = self.session
        answers: list[tuple[int, Receipt | TourneyError]] = []
        session.announce_dry_run()
        for place, answer in self._answers():
            answers.append((place, answer))
            if not session.json:
                self._show_answer(place, answer)
        if not answers:
            raise TourneyError(
                "standard input has no result",
                f"write a line such as `4 {self._examples.result}` for each table",
            )
        refusals = [(place, fault) for place, fault in answers if isinstance(fault, TourneyError)]
        if session.json:
            self._emit(answers)
        if refusals:
            accepted_lines = counted(len(answers) - len(refusals), "line")
            session.talk(f"{accepted_lines} entered, {len(refusals)} refused")
        for step in next_steps(self.desk.state):
            session.talk(style_text(step.sentence, dim=True))
        return Exit.REFUSED if refusals else None

    def _show_answer(self, place: int, answer: Receipt | TourneyError) -> None:
        if isinstance(answer, TourneyError):
            show_error(f"standard input:{place}: {answer.message}", answer.hint)
            return
        with self.session.answering(*answer.changed):
            for sentence in answer.changed:
                self.session.say_change(sentence)
            for warning in answer.warnings:
                self.session.warn(warning)

    def _emit(self, answers: Sequence[tuple[int, Receipt | TourneyError]]) -> None:
        state, last = self.desk.state, self.desk.last
        accepted_lines = tuple(
            LineTaken(place, receipt.entries, receipt.already, receipt.changed, receipt.warnings)
            for place, receipt in answers
            if not isinstance(receipt, TourneyError)
        )
        refused_lines = tuple(
            LineRefused(place, fault.message, fault.hint)
            for place, fault in answers
            if isinstance(fault, TourneyError)
        )
        document = ResultsEntered(
            round=self.number,
            taken=accepted_lines,
            refused=refused_lines,
            next=tuple(step.sentence for step in next_steps(state)),
            dry_run=self.session.dry_run,
            entry=state.entry,
            digest=state.digest,
        )
        with self.session.answering(*(last.changed if last and accepted_lines else ())):
            self.session.emit(document)

    def _answers(self) -> Iterator[tuple[int, Receipt | TourneyError]]:
        """Enter lines as they arrive; yield the line number of each slip, and its receipt or error."""
        number = 0
        for lines in self.session.lines():
            if number + len(lines) > MAX_TYPED_RESULTS:
                yield (
                    number + 1,
                    TourneyError(
                        f"at most {MAX_TYPED_RESULTS:,} lines are read at once; "
                        "this line and all later ones were not read"
                    ),
                )
                return
            for first in range(0, len(lines), _BATCH):
                group = lines[first : first + _BATCH]
                parsed_lines = [(number + first + n, self._read(line)) for n, line in enumerate(group, 1)]
                slips = [
                    report
                    for _, report in parsed_lines
                    if report is not None and not isinstance(report, TourneyError)
                ]
                answers = iter(self.desk.report_each(slips, round_number=self.number) if slips else ())
                for place, report in parsed_lines:
                    if report is not None:
                        yield place, report if isinstance(report, TourneyError) else next(answers)
            number += len(lines)

    def _read(self, line: bytes) -> Report | TourneyError | None:
        try:
            return parse_line(decoded_line(line), time=self.time, examples=self._examples)
        except TourneyError as fault:
            return fault


# -- tourney result missing


@cli.command("missing", event=True)
def missing(session: Session) -> None:
    """List the tables of the current round that are still playing.

    Results that were reported at these tables are listed, too.

    Examples:
      tourney result missing
      tourney result missing --json
    """
    with session.desk() as desk:
        state, claims = desk.state, {claim.table: claim for claim in desk.claims()}
    document = open_tables(state, claims)
    session.emit(document)
    marks = {number: claim.mark for number, claim in claims.items()}
    rows = [(table.table, " – ".join(table.players), marks.get(table.table, "")) for table in document.tables]
    if rows:
        session.table(["table", "players", "reported"], rows, right=(0,), optional=("reported",))
    if state.round is None:
        session.talk("no round is paired yet: `tourney round next`")
    else:
        session.talk(f"{state.round.title}: {still_playing(state.round) if rows else 'all results are in'}.")
    if any(claim.for_the_desk for claim in claims.values()):
        session.talk("reported by the players: `tourney result claims`")


# -- tourney result claims: results that players reported from their phones


@cli.command("claims", changes=True)
@flag(
    "--enter",
    "entering",
    help="Enter reports that no opponent answered in time (`claim_minutes`); "
    "disputed results are never entered.",
)
def claims(session: Session, entering: bool) -> None:
    """List reports from players' phones that are not entered yet.

    A report is disputed by another player, still waits for an answer, or is unanswered because the time to
    answer (`claim_minutes`) is over. A report cannot be answered if all other players of the table have left.
    Each version of a result is shown with the command that enters it. `result add` settles a table, whatever
    was reported. With `--set claim_alone=true`, unanswered reports are entered automatically while the event
    is served.

    Examples:
      tourney result claims
      tourney result claims --enter
      tourney result claims --json
    """
    with session.desk() as desk:
        receipts = desk.enter_unanswered(anyway=True) if entering else ()
        if receipts:
            session.answer(Receipt.together(receipts))
            return
        open_claims, minutes = desk.claims(), desk.state.settings.phones.claim_minutes
    session.emit(ClaimedResults(claims=open_claims))
    if entering:
        session.talk(f"no report has waited for an answer for {counted(minutes, 'minute')}")
        return
    if not open_claims:
        session.talk("every report is entered")
        return
    rows = [row for claim in open_claims for row in _claim_rows(claim)]
    session.table(["table", "state", "since", "reported", "to enter it"], rows, right=(0,))
    for_the_desk = [claim for claim in open_claims if claim.for_the_desk]
    session.talk(f"reports not entered: {len(open_claims)}; for the desk to decide: {len(for_the_desk)}")
    if any(claim.state == "unanswered" for claim in open_claims):
        session.talk("`tourney result claims --enter` enters the reports that no opponent answered")


def _claim_rows(claim: ClaimedResult) -> Iterator[tuple[object, ...]]:
    """Yield a row for each version of a table's result.

    Examples: `Mira: Mira 2–0 Tess`, then `Tess disputes it (game 3 was mine)`.
    """
    first, *others = claim.versions
    agreement = f" (also {', '.join(first.agree)})" if first.agree else ""
    report = f"{first.player}: {first.result}{agreement}"
    yield claim.table, claim.status, clock_time(claim.at), report, first.command
    for version in others:
        statement = f": {version.result}" if version.result else " disputes it"
        yield "", "", "", f"{version.player}{statement}{in_brackets(version.reason or '')}", version.command
