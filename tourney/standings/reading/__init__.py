"""Results from anywhere: JSON, CSV or a Tournament Report File become a record, names beside it.

    results = read_results(text, source="friday.csv")
    rank(results.record, profile.on(results.day))

`README.md` beside this file tells what each form may say. Every refusal names the file and the line or key path.
"""

from tourney.standings.reading.forms import (
    FORMS,
    EventForm,
    Told,
    Written,
    first_difference,
    form_called,
    read_results,
)
from tourney.standings.reading.results import (
    SAY_GAMES,
    Name,
    Playoff,
    Results,
    StandingClaim,
    number_columns_are_scores,
)

__all__ = [
    "FORMS",
    "SAY_GAMES",
    "EventForm",
    "Name",
    "Playoff",
    "Results",
    "StandingClaim",
    "Told",
    "Written",
    "first_difference",
    "form_called",
    "number_columns_are_scores",
    "read_results",
]
