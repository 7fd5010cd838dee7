"""What came over HTTP: whether it is data at all, whole, and small enough."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from tourney.errors import TourneyError


class Passing(Exception):  # noqa: N818 - not an error of the program's: a reason to try again
    """A fault that may pass by itself: no answer, cut off, 5xx. `wait` is what the server asks us to wait, in seconds."""

    def __init__(self, said: str, wait: float = 0.0) -> None:
        super().__init__(said)
        self.said = said
        self.wait = wait


_DATA_TYPES = ("toml", "json", "csv", "tab-separated", "ndjson", "octet-stream", "yaml", "gzip", "x-ndjson")


def check_type(url: str, written: str) -> None:
    """Refuse a Content-Type that is no file of data; none at all is let pass."""
    kind = written.partition(";")[0].strip().lower()
    plain_text = kind.startswith("text/") and kind not in {"text/html", "text/css", "text/javascript"}
    if kind and not plain_text and not any(word in kind for word in _DATA_TYPES):
        what = "a web page" if "html" in kind else f"`{kind}`"
        raise TourneyError(
            f"{url}: sent {what}, not a file of data", "is this the address of the file itself?"
        )


def check_page(url: str, content: bytes) -> None:
    """Refuse a web page that calls itself plain text: a login page, a "not found" of a clever server."""
    start = content[:200].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        raise TourneyError(
            f"{url}: sent a web page, not a file of data", "is this the address of the file itself?"
        )


def too_large(url: str, limit: int) -> TourneyError:
    """Return the refusal of a file beyond the limit, in bytes."""
    return TourneyError(f"{url}: larger than {limit // 1024:,} KiB, the most that is fetched")


def opener(url: str, encoding: str, limit: int) -> Callable[[bytes], bytes]:
    """Return what undoes the transfer's compression, a part at a time; an empty part asks whether it was all."""
    word = encoding.strip().lower()
    if word in {"", "identity"}:
        return lambda part: part
    if word not in {"gzip", "x-gzip", "deflate"}:
        raise TourneyError(f"{url}: sent as `{word}`, which nobody asked for")
    return _Gunzip(url, limit)


class _Gunzip:
    """Undoes gzip or deflate without ever holding more than the limit: a bomb is refused before it goes off."""

    def __init__(self, url: str, limit: int) -> None:
        self._url = url
        self._limit = self._left = limit
        self._stream = zlib.decompressobj(wbits=47)  # gzip or zlib, by its own header

    def __call__(self, part: bytes) -> bytes:
        if not part:
            if not self._stream.eof:
                raise Passing("cut off in the middle of the file")
            return b""
        plain = b""
        while part:
            if self._stream.eof:
                # A gzip file may be several, one after the other (RFC 1952, 2.2); zeros behind them are padding.
                part = part.lstrip(b"\0")
                if not part:
                    break
                self._stream = zlib.decompressobj(wbits=31)
            plain += self._undone(part)
            part = self._stream.unused_data
        return plain

    def _undone(self, part: bytes) -> bytes:
        try:
            plain = self._stream.decompress(part, self._left + 1)
        except zlib.error:
            raise TourneyError(f"{self._url}: said to be compressed, and is not") from None
        self._left -= len(plain)
        if self._left < 0:
            raise too_large(self._url, self._limit)
        return plain
