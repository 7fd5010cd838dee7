"""Making an event of all that is intact in a damaged one and in the copies beside it (`remains`).

The chain is followed from the first entry as far as it goes, then the texts and the secret that it rests on are sought.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tourney.errors import TourneyError
from tourney.event.entry import (
    NOTHING_YET,
    Entry,
    JournalRow,
    Text,
    Texts,
    decode,
    described,
    erased,
    kept_rules,
    read,
)
from tourney.event.fold import fold, sentence
from tourney.event.kind import LogContext
from tourney.event.ops import EventCreated, Kept, Ref, Undone
from tourney.store.backup import folder_of
from tourney.store.event_file import EventFile
from tourney.store.remains import Readings, ended, following, searched, secret_in, text_in

RulesAt = Callable[[Kept], bytes | None]
"""Gives the bytes of a rule file by its name, as they are today; they count only if they are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged:
    """What was saved.

    path:    the new event; entry, digest: its last entry
    written: how many entries the damaged event had; None where that cannot be told
    missing: what is not there any more, in words, and what enters it anew (may be empty)
    unplaced: entries that can be read, but stand on one that is lost: number, sentence
    again:   what was damaged or missing and is there all the same, and where it was found
    """

    path: Path
    entry: int
    digest: str
    written: int | None
    missing: tuple[tuple[str, str], ...]
    unplaced: tuple[tuple[int, str], ...]
    again: tuple[tuple[str, str], ...]

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return not self.missing


def salvage(path: Path, target: Path, rules_at: RulesAt) -> Salvaged:
    """Make the event `target` of all that is intact in `path` and in the copies beside it; `path` is only read.

    Raises TourneyError where not even the first entry can be saved, or `target` exists or cannot be written.
    """
    if target.exists():
        raise TourneyError(f"{target.name} exists already", "`--to FILE` names another")
    saving = _Saving(searched(path) if path.exists() else Readings(path.name), _copies(path))
    if not saving.rows:
        raise TourneyError(
            f"nothing can be salvaged from {path.name}: not even its first entry is intact",
            None if folder_of(path).is_dir() else "there are no copies in `.tourney-backups/` either",
        )
    entries = read(saving.rows)
    texts, missing = saving.texts(entries, rules_at)
    secret, without = saving.secret(entries)
    with EventFile.create(target, saving.rows, texts, secret) as journal:
        if saving.taken_out:
            journal.erase(saving.taken_out)
    last = saving.rows[-1]
    shown = {text.ref: text.content.decode(errors="replace") if text.content else None for text in texts}
    return Salvaged(
        path=target,
        entry=last.seq,
        digest=last.digest,
        written=saving.main.written,
        missing=(*saving.missing_entries(), *missing, *without),
        unplaced=tuple(saving.unplaced(entries, shown)),
        again=tuple(saving.again.items()),
    )


def _copies(path: Path) -> Iterator[Readings]:
    folder = folder_of(path)
    ordinary = [each for each in folder.glob("*.tourney") if each.is_file()]
    for copy in sorted(ordinary, key=lambda each: each.stat().st_mtime, reverse=True):
        with suppress(TourneyError):
            yield searched(copy)


class _Saving:
    """One attempt: the chain as far as it goes, then whatever it rests on."""

    def __init__(self, main: Readings, copies: Iterator[Readings]) -> None:
        self.main, self._copies, self._opened = main, copies, [main]
        self.again: dict[str, str] = {}
        self.taken_out: set[Ref] = set()
        self.rows = self._chain()

    def _sources(self) -> Iterator[Readings]:
        """Yield the damaged file, then the copies, each searched only once it is needed."""
        yield from list(self._opened)
        for copy in self._copies:
            self._opened.append(copy)
            yield copy

    def _note(self, what: str, source: Readings, how: str) -> None:
        where = "" if source is self.main else f"in {source.name}"
        if where_and_how := ", ".join(filter(None, (how, where))):
            self.again[what] = where_and_how

    # -- entries

    def _chain(self) -> list[JournalRow]:
        rows: list[JournalRow] = []
        while row := self._next(rows[-1].digest if rows else NOTHING_YET, len(rows) + 1):
            rows.append(row)
        return rows

    def _next(self, digest: str, seq: int) -> JournalRow | None:
        """Return the entry that follows; copies are not asked where the file says that it ended before."""
        for source in self._sources():
            if source is not self.main and ended(self.main, seq - 1, digest):
                return None
            row, how = following(source, digest, seq)
            if row is not None:
                self._note(f"entry {seq}", source, how)
                return row
        return None

    def missing_entries(self) -> Iterator[tuple[str, str]]:
        """Yield what is missing at the end, in words."""
        last, written = self.rows[-1].seq, self.main.written
        if written == last or ended(self.main, last, self.rows[-1].digest):
            return
        if written is None or written < last:
            yield f"whether entry {last} was the last one: the file does not say so any more", ""
        elif written == last + 1:
            yield f"entry {written}, the last one", ""
        else:
            yield (
                f"entries {last + 1} to {written}: the first of them is damaged or gone, the others stand on it",
                "",
            )

    def unplaced(self, entries: Sequence[Entry], texts: Texts) -> Iterator[tuple[int, str]]:
        """Yield what later entries say: nothing proves them any more, but somebody may enter it again."""
        context = LogContext(fold(entries, texts), texts, entries)
        later = {raw.seq: raw for raw in self.main.rows if raw.seq > entries[-1].seq}
        for seq, raw in sorted(later.items()):
            with suppress(Exception):  # bytes that nothing proves: whatever cannot be told is not told
                op = decode(raw.op, seq)
                if isinstance(op, Undone):  # of an entry that may be lost itself
                    yield seq, f"Entry {op.entry} was taken back"
                else:
                    yield seq, sentence(op, context)

    # -- texts and the secret

    def texts(self, entries: Sequence[Entry], rules_at: RulesAt) -> tuple[list[Text], list[tuple[str, str]]]:
        """Return every text that the entries rest on and that can be had, and in words what cannot."""
        needed, deleted = described(entries), erased(entries)
        kept = {each.text: each for entry in entries for each in kept_rules(entry.op)}
        texts: list[Text] = []
        missing: list[tuple[str, str]] = []
        for ref, (what, mend) in needed.items():
            if ref in deleted or self._taken_out(ref):
                texts.append(Text(ref, None, None))  # type: ignore[arg-type] # as a deleted text lies in the file
            elif text := self._text(ref, what) or self._rules(ref, what, kept.get(ref), rules_at):
                texts.append(text)
            else:
                missing.append((what, mend))
        return texts, missing

    def _taken_out(self, ref: Ref) -> bool:
        """Say whether a text was deleted by request without an entry of this chain: out of a copy."""
        out = any(ref in source.erased for source in self._opened)
        if out:
            self.taken_out.add(ref)
        return out or ref.encode() in self.main.deleted

    def _text(self, ref: Ref, what: str) -> Text | None:
        for source in self._sources():
            text, how = text_in(source, ref)
            if text is not None:
                self._note(what, source, how)
                return text
        return None

    def _rules(self, ref: Ref, what: str, kept: Kept | None, rules_at: RulesAt) -> Text | None:
        content = rules_at(kept) if kept else None
        if content is None or sha256(content).hexdigest() != ref:
            return None
        self.again[what] = "among the rules installed here"
        return Text(ref, b"", content)

    def secret(self, entries: Sequence[Entry]) -> tuple[bytes | None, list[tuple[str, str]]]:
        """Return the secret whose hash the first entry holds, and what is to be said where it cannot be had."""
        created = entries[0].op
        wanted = created.secret if isinstance(created, EventCreated) else ""
        for source in self._sources():
            if source is self.main and source.without_secret:
                return None, []  # a copy that was made without it
            secret, how = secret_in(source, wanted)
            if secret is not None:
                self._note("the secret", source, how)
                return secret, []
        return None, [
            (
                "the secret: no round can be paired by the program without it",
                "tourney round pair --by-hand FILE",
            )
        ]
