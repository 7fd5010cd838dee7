"""Read and write Tournament Report Files, and convert them to and from a `Record`.

    file = read(text, source="open.trf")      # any dialect: TRF16, TRF26, JaVaFo, bbpPairings
    record = record_of(file)                  # PlayerIds are the pairing numbers of the file
    file = file_of(record, points=..., names=...)
    text = write(file, dialect="trf26")       # or "javafo"

If a file or a record is refused, the functions raise a `TourneyError`. Its message names source, line and
column (`read`, `record_of`), or the player, the round or the table (`write`, `file_of`).
"""

from tourney.trf.file import (
    AbnormalPoints,
    Byes,
    Cell,
    ForbiddenPairs,
    TrfFile,
    TrfHeader,
    TrfPlayer,
    check_points,
    file_of,
    record_of,
    scoring_of,
)
from tourney.trf.text import Dialect, read, write

__all__ = [
    "AbnormalPoints",
    "Byes",
    "Cell",
    "Dialect",
    "ForbiddenPairs",
    "TrfFile",
    "TrfHeader",
    "TrfPlayer",
    "check_points",
    "file_of",
    "read",
    "record_of",
    "scoring_of",
    "write",
]
