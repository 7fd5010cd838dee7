"""The Tournament Report File: text ⇄ values ⇄ `tourney.record.Record`. Pure: text in, text out.

    file = read(text, source="open.trf")      # TRF16, TRF26, JaVaFo's and bbpPairings' additions alike
    record = record_of(file)                  # PlayerIds are the file's pairing numbers
    text = write(file, dialect="trf26")       # or "javafo"
    file = file_of(record, points=..., names=...)

Every refusal is a `TourneyError`. Those of `read` and `record_of` name source, line and column; those of `write` and
`file_of`, which have no text before them, name the player, the round or the table.
"""

from tourney.trf.file import (
    Abnormal,
    Byes,
    Cell,
    ForbiddenPairs,
    TrfFile,
    TrfHeader,
    TrfPlayer,
    file_of,
    is_absent,
    points_contradicted,
    record_of,
    scoring_of,
)
from tourney.trf.text import Dialect, read, write

__all__ = [
    "Abnormal",
    "Byes",
    "Cell",
    "Dialect",
    "ForbiddenPairs",
    "TrfFile",
    "TrfHeader",
    "TrfPlayer",
    "file_of",
    "is_absent",
    "points_contradicted",
    "read",
    "record_of",
    "scoring_of",
    "write",
]
