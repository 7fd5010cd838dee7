"""Results from anywhere: JSON, CSV or a Tournament Report File become a record, names beside it.

    results = read_results(text, source="friday.csv")
    rank(results.record, profile.on(results.day))

`README.md` beside this file tells what each form may say. Every refusal names the file and the line or key path.
"""

from tourney.standings.reading.results import Name, Results, number_columns_are_scores, read_results

__all__ = ["Name", "Results", "number_columns_are_scores", "read_results"]
