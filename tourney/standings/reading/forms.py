"""Which form a text of results has."""

from __future__ import annotations

import re

from tourney.errors import TourneyError
from tourney.standings.reading.results import Results

_TRF_LINE = re.compile(r"^(001 .{8}|012( |$)|XX[A-Z] )", re.MULTILINE)


def read_results(text: str, *, source: str, scores: bool = False) -> Results:
    """Read results in whichever form `text` has: JSON, a Tournament Report File, or CSV with a header line.

    source: names the file in messages
    scores: whether a match's two numbers are its scores (`number_columns_are_scores(profile)`)

    Raises TourneyError naming the file and the line or key path.
    """
    plain = text.removeprefix("\ufeff")
    start = plain.lstrip()
    if not start:
        raise TourneyError(f"{source}: the file is empty")
    if start[0] in "{[":
        from tourney.standings.reading.json_form import read_json

        return read_json(_one_object(start, source), source=source, scores=scores)
    if _TRF_LINE.search(plain.replace("\r", "\n")):
        from tourney.standings.reading.trf_form import read_trf

        return read_trf(plain, source=source)
    from tourney.standings.reading.csv_form import read_csv

    return read_csv(plain, source=source, scores=scores)


def _one_object(text: str, source: str) -> str:
    lines = text.strip().splitlines()
    if len(lines) > 1 and all(line.startswith("{") and line.rstrip().endswith("}") for line in lines):
        raise TourneyError(
            f"{source}: there are {len(lines)} events in it, one a line",
            "give one of them a file of its own",
        )
    return text
