"""Running the examples of a format: decks of which the file says what becomes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from tourney.decks.checking import Verdict, Word, check
from tourney.decks.reading.lines import vocabulary_of
from tourney.errors import Severity
from tourney.rules import Format, Ruleset
from tourney.rules.vocabulary import ExampleFile


@dataclass(frozen=True, slots=True)
class Ran:
    """One example that was run. faults: how it came out otherwise than the file says, empty where it did not."""

    name: str
    place: str
    verdict: Verdict
    faults: tuple[str, ...]


def run_examples(format_: Format, ruleset_on: Callable[[date | None], Ruleset]) -> Iterator[Ran]:
    """Check each example of a format.

    ruleset_on: gives the rules on a day; None asks for those of the day the caller means by today. Declared facts
    are believed: an example may invent its cards.
    """
    from tourney.decks.reading import read

    words = vocabulary_of(format_)
    for placed in format_.examples:
        example = placed.rule
        decklist = read(example.deck, source=f"{placed.place} `{example.name}`", vocabulary=words)
        verdict = check(decklist, ruleset_on(example.on), trust_declared=True)
        yield Ran(example.name, placed.place, verdict, tuple(_faults(example, verdict)))


def _faults(example: ExampleFile, verdict: Verdict) -> Iterator[str]:
    wanted = _wanted(example)
    broken = {finding.rule for finding in verdict.findings if finding.severity is Severity.ERROR}
    if verdict.verdict != wanted:
        errors = "; ".join(f"{finding.rule}: {finding.message}" for finding in verdict.findings)
        yield f"came out {verdict.verdict}, not {wanted}" + (f" ({errors})" if errors else "")
    elif example.breaks and broken != set(example.breaks):
        yield f"breaks {', '.join(sorted(broken))}, not {', '.join(sorted(example.breaks))}"
    advice = {finding.rule for finding in verdict.findings if finding.severity is Severity.ADVICE}
    for missed in sorted(set(example.advises) - advice):
        yield f"gives no advice `{missed}`"


def _wanted(example: ExampleFile) -> Word:
    if example.unverified:
        return "unverified"
    return "illegal" if example.breaks or example.legal is False else "legal"
