"""What is remembered of fetched files: from where, when, and what to ask the server so that it need not send them again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import msgspec

from tourney.store.http import Reply
from tourney.store.writing import replace_file


class Part(msgspec.Struct, frozen=True):
    """One file of what was fetched. digest: SHA-256 of its bytes as they came."""

    url: str
    digest: str
    etag: str | None = None
    modified: str | None = None

    @classmethod
    def of(cls, reply: Reply, content: bytes) -> Part:
        """Return what to remember of a reply."""
        return cls(reply.url, sha256(content).hexdigest(), reply.etag, reply.modified)

    @property
    def known(self) -> Mapping[str, str | None]:
        """What to send so that the server may answer that it has not changed."""
        return {"etag": self.etag, "modified": self.modified}


class Fetched(msgspec.Struct, frozen=True):
    """What was fetched from `url`.

    at:     when the server last said that this is how it stands
    target: where it was put, in the data folder
    result: SHA-256 of what was put there; if that was changed since, everything is fetched anew
    parts:  its files by name
    """

    url: str
    at: datetime
    target: str
    result: str
    parts: dict[str, Part]


@dataclass(frozen=True)
class Memory:
    """What was fetched into the data folder `home` before; it is remembered in `home/fetched/`."""

    home: Path

    def recall(self, url: str) -> Fetched | None:
        """Return what is known of `url`, None if nothing is or if what was put in place is no longer so.

        A record that cannot be read is none: the file is then fetched anew.
        """
        try:
            fetched = msgspec.json.decode(self._path(url).read_bytes(), type=Fetched)
            return fetched if fetched.result == self.result(fetched.target) else None
        except (OSError, msgspec.DecodeError, ValueError, RecursionError):
            return None

    def result(self, target: str) -> str:
        """Return the SHA-256 of a file of the data folder, or of all files of a folder with their names."""
        whole = sha256()
        for name, content in sorted(self.files(target).items()):
            whole.update(f"{name}\0{len(content)}\0".encode() + content)
        return whole.hexdigest()

    def files(self, target: str) -> Mapping[str, bytes]:
        """Return the files of a folder by name, or the one file."""
        path = self.home / target
        inside = [each for each in path.iterdir() if each.is_file()] if path.is_dir() else [path]
        return {each.name: each.read_bytes() for each in inside}

    def keep(self, fetched: Fetched) -> None:
        """Remember. Raises TourneyError where that cannot be written."""
        replace_file(self._path(fetched.url), msgspec.json.format(msgspec.json.encode(fetched)))

    def _path(self, url: str) -> Path:
        return self.home / "fetched" / f"{sha256(url.encode(errors='surrogatepass')).hexdigest()[:32]}.json"


def age_words(since: datetime, now: datetime) -> str:
    """Say how long ago something was.

    >>> from datetime import timedelta
    >>> noon = datetime(2026, 11, 20, 12)
    >>> [age_words(noon - timedelta(minutes=each), noon) for each in (0, 1, 59, 60, 180, 1440, 5000, -5)]
    ['just now', '1 minute ago', '59 minutes ago', '1 hour ago', '3 hours ago', '1 day ago', '3 days ago', 'just now']
    """
    minutes = max(0, int((now - since).total_seconds()) // 60)
    for size, word in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            number = minutes // size
            return f"{number} {word}{'' if number == 1 else 's'} ago"
    return "just now"
