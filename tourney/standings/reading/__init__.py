"""Read files of results from many programs, and write events as such files.

    results = read_results(text, source="friday.csv")
    rank(results.record, profile.on(results.day))

A form is a file format, such as Cobra's JSON; `README.md` describes all forms. Errors name the file and the
line or key path.
"""

from tourney.standings.reading.forms import FORMS, EventForm, find_form, read_results
from tourney.standings.reading.results import SAY_GAMES, Playoff, Results, comparison_text, first_difference
from tourney.standings.reading.sheet import Name, SourceFile, StandingClaim
from tourney.standings.reading.writing import WrittenFile, unique_names

__all__ = [
    "FORMS",
    "SAY_GAMES",
    "EventForm",
    "Name",
    "Playoff",
    "Results",
    "SourceFile",
    "StandingClaim",
    "WrittenFile",
    "comparison_text",
    "find_form",
    "first_difference",
    "read_results",
    "unique_names",
]
