"""Shared by many tests: the golden cases and what it means if they are missing."""

import functools
import inspect
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

NOT_HERE = "golden cases not here"
"""How the reason of a skipped test begins: the summary of a run counts them by it."""

NO_POSTGRES = "no PostgreSQL here"
"""And that there is no server that could be started."""

NO_NETWORK = "no network of its own here"
"""And that no network can be made that a test may spoil."""


def sampled(cases, sample):
    """Return all cases as parameters; those outside the sample run with `scripts/test --long`."""
    cases, sample = list(cases), list(sample)
    assert all(case in cases for case in sample)
    return [case if case in sample else pytest.param(case, marks=pytest.mark.long) for case in cases]


def with_rows(names, rows):
    """Run a test on every row of a table, as one test that names each row that fails.

    This is `pytest.mark.parametrize` without an item, a setup and a report for each row. The fixtures are
    made once for all rows.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = [tuple(row) if len(names) > 1 else (row,) for row in rows]
    assert rows, "a table needs rows"

    def decorate(test):
        @functools.wraps(test)
        def run(**fixtures):
            failures = []
            for row in rows:
                values = dict(zip(names, row, strict=True))
                try:
                    test(**values, **fixtures)
                except Exception as failure:  # noqa: BLE001 - raised below
                    failure.add_note(f"in the row {values}")
                    failures.append(failure)
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(rows)} rows failed", failures)

        signature = inspect.signature(test)
        others = [parameter for name, parameter in signature.parameters.items() if name not in names]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return run

    return decorate


def examples(number, *, of, **more):
    """Return the settings of a random test: `number` examples, or `of` with --long."""
    return settings(max_examples=amount(number, of=of), deadline=None, **more)


def amount(number, *, of):
    """Return how many cases a test tries: `number`, or `of` with --long."""
    is_long = settings.get_current_profile_name() == "fresh"
    return of if is_long else number


def lines_executed(act) -> int:
    """Return how many lines of Python an action executes, a measure of work that is the same in every run."""
    lines, tracer = 0, sys.gettrace()

    def count(_frame, event, _value):
        nonlocal lines
        lines += event == "line"
        return count

    sys.settrace(count)
    try:
        act()
    finally:
        sys.settrace(tracer)
    return lines


def takes_linear_time(act, size) -> bool:
    """Return whether `act(2 * size)` executes little more than twice the lines of `act(size)`."""
    act(size)  # fills caches
    return lines_executed(lambda: act(2 * size)) < 2.2 * lines_executed(lambda: act(size))


def golden_folder() -> Path:
    """Return the folder of golden cases: `$TOURNEY_GOLDEN`, or `../shared/golden`."""
    named = os.environ.get("TOURNEY_GOLDEN", "")
    return Path(named) if named not in ("", "required") else ROOT.parent / "shared" / "golden"


def golden(*parts: str) -> Path:
    """Return a path in the golden folder, or skip if it is missing.

    With `TOURNEY_GOLDEN=required`, or with a folder named there, a missing path fails.
    """
    place = golden_folder().joinpath(*parts)
    if not place.exists():
        missing = "/".join(parts) or "the folder"
        if os.environ.get("TOURNEY_GOLDEN"):
            pytest.fail(
                f"golden cases are asked for (TOURNEY_GOLDEN), and {missing} is not in {golden_folder()}"
            )
        pytest.skip(f"{NOT_HERE}: {missing} (set TOURNEY_GOLDEN)", allow_module_level=True)
    return place
