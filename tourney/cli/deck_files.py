"""Files, folders and standard input as decklists, each read with the headers of the format it is checked against."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.cli.session import Session

LARGEST = 5_000_000
"""Bytes of one decklist; a larger file is none."""
STDIN = "standard input"


@dataclass(frozen=True, slots=True)
class DeckFile:
    """A file's bytes. source: what it is called in messages; alone: it was named itself, not found in a folder."""

    source: str
    path: str
    alone: bool

    def content(self, session: Session) -> bytes:
        """Read the file. Raises TourneyError where it cannot be read or is too large for a decklist."""
        if self.path != "-" and Path(self.path).stat().st_size > LARGEST:
            raise TourneyError(f"{self.source}: larger than {LARGEST // 1_000_000} MB, no decklist")
        content = session.read(self.path)
        if len(content) > LARGEST:
            raise TourneyError(f"{self.source}: larger than {LARGEST // 1_000_000} MB, no decklist")
        return content


def deck_files(names: tuple[str, ...]) -> list[DeckFile]:
    """Return the files meant; a folder stands for the files in it, at any depth, hidden ones left out.

    Raises TourneyError for a name that is neither, and for a folder of more than anybody can have meant.
    """
    from tourney.store.roots import files_below

    found: list[DeckFile] = []
    for name in names:
        path = Path(name)
        if name == "-":
            found.append(DeckFile(STDIN, name, alone=True))
        elif path.is_dir():
            inside = [DeckFile(str(each), str(each), alone=False) for each in files_below(path)]
            if not inside:
                raise TourneyError(f"{name}: the folder has no files")
            found.extend(inside)
        elif path.exists():
            found.append(DeckFile(name, name, alone=True))
        else:
            raise TourneyError(f"{name}: there is no such file or folder")
    return found
