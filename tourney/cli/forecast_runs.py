"""Options for simulated runs of an event, and what the commands print about the runs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from tourney.cli.options import positive, together
from tourney.cli.session import Session
from tourney.forecast import shares
from tourney.wording import counted

if TYPE_CHECKING:
    from tourney.forecast.simulation import Chances, Position


class Amount(click.FloatRange):
    """A number in a range. Unlike click's, it refuses `nan`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Convert a word to a number; fail if it is not a number in the range."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"`{value}` is not a number", param, ctx)
        return number


players_of_runs = together(
    click.option(
        "--dice", metavar="TEXT", default="1", help="The random seed; the same text gives the same numbers."
    ),
    positive(
        "--jobs", type=click.IntRange(1, 256), help="The number of processes. Default: one for each core."
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="A dask scheduler; its workers play the runs, on any machines (needs the extra `cluster`).",
    ),
)
"""Options for simulated runs. The results do not depend on --jobs and --scheduler."""


class RunsRequest(Struct, frozen=True, kw_only=True):
    """The options for simulated runs.

    draws: the percentage of tables that end drawn
    """

    runs: int | None
    draws: float | None
    dice: str
    jobs: int | None
    scheduler: str | None

    def draw_share(self, may_draw: bool | None, usual: float | None = None) -> float | None:
        """Return the share of tables that end drawn: the option's value, or else the usual share.

        The share is 0 if matches cannot be drawn.

        Raises UsageError if the option asks for draws but no match can be drawn.
        """
        if may_draw is False:
            if self.draws:
                raise click.UsageError("--draws: no match of this event can be drawn")
            return 0.0
        return usual if self.draws is None else self.draws / 100

    def play(self, session: Session, position: Position, chances: Chances, usual: int) -> shares.Counts:
        """Simulate an event many times, with a progress bar.

        usual: the number of runs if --runs is not given

        Raises TourneyError as `Spread.played` does.
        """
        from tourney.store.workers import Spread  # with the engines; a plan without runs needs none

        spread = Spread(
            position=position,
            chances=chances,
            seed=self.dice,
            runs=self.runs or usual,
            jobs=self.jobs,
            scheduler=self.scheduler,
        )
        counts = shares.Counts()
        with session.progress(spread.played(), "playing on", len(spread.parts)) as parts:
            for part in parts:
                counts += part
        return counts


def run_lines(simulation: shares.Simulated, *, best: float | None = None) -> Iterator[str]:
    """Yield sentences on how the runs of an event were simulated.

    best: the share of matches that the best player wins against an average one, if the user gave it
    """
    strengths = {
        "ratings": "strengths are from the ratings",
        "results": "strengths are from the results so far",
        "equal": "all players are equally strong",
        "given": f"the best player wins {100 * (best or 0):g} % of the matches against an average one",
    }[simulation.strengths]
    draw_text = (
        f"{shares.percent_text(simulation.draws)} of the tables end" if simulation.draws else "no table ends"
    )
    runs = f"{simulation.runs:,} run{'' if simulation.runs == 1 else 's'}"
    yield f"estimated from {runs}: {strengths}; {draw_text} drawn; no player drops or agrees to a draw"
    if simulation.no_round:
        yield (
            f"{counted(simulation.no_round, 'round')} in these runs had no pairing under the system's own "
            f"rules: this program's Swiss rules paired {'it' if simulation.no_round == 1 else 'them'}"
        )


def print_records(session: Session, records: Iterable[shares.RecordChance], runs: int, cut: int) -> None:
    """Print how often each final record makes the cut, and how many players end with it."""
    rows = [
        [record_text(record.record), *share_cells(record), mean_text(record.ended / runs)]
        for record in records
    ]
    session.table(["record", f"top {cut}", "95 %", "players"], rows, right=(1, 2, 3))


def record_text(record: str) -> str:
    """Return a record as people write it.

    >>> record_text("5-1-0"), record_text("5-1-1")
    ('5–1', '5–1–1')
    """
    return record.removesuffix("-0").replace("-", "–")


def mean_text(mean: float) -> str:
    """Return a mean as text with one decimal; `under 0.1` if it is smaller than that."""
    return f"{mean:.1f}" if mean >= 0.1 else "under 0.1"


def share_cells(share: shares.Share) -> list[str]:
    """Return an estimated percentage and its 95 % interval, as two cells of a table."""
    return [shares.share_text(share), shares.interval_text(share)]
