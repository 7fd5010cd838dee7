"""Entries of the journal, in a chain of digests, and the texts that they refer to.

The digest of entry n is the SHA-256 of five lines: the digest of entry n − 1 (64 zeros before the first), n,
`at`, `by` and the bytes of the op. Any tool can recompute it.

Personal texts and rules are stored separately, each under its digest (`Ref`). Digests of personal texts are
salted. So a person's texts can be deleted by request, and the chain still verifies. `uses` lists the texts of
an entry. Two functions are built on it: `text_descriptions`, which describes a lost text, and
`personal_refs`, which finds a person's texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import NamedTuple, get_args

import msgspec
from msgspec import Struct

from tourney.cards.names import fold
from tourney.decode import explain_validation_error
from tourney.errors import TourneyError
from tourney.event import ops
from tourney.event.ops import AnyOp, Kept, Op, Ref
from tourney.event.settings import settings_from
from tourney.record import PlayerId

NOTHING_YET = "0" * 64
"""The digest before the first entry."""


class JournalRow(NamedTuple):
    """An entry as it is stored.

    at: the time, ISO 8601 with the zone
    by: the ref of the scorekeeper's name
    """

    seq: int
    at: str
    by: str
    op: bytes
    digest: str


class Entry(NamedTuple):
    """A journal entry, with its content (the op) decoded."""

    seq: int
    at: str
    by: Ref
    op: Op
    digest: str


class EntryError(TourneyError):
    """Raised for an entry that was altered, or that contradicts the entries before it.

    The message names the entry.
    """


class _Head(Struct):
    op: str = ""


_decode = msgspec.json.Decoder(AnyOp).decode
_encode = msgspec.json.Encoder().encode
_TAGS = frozenset(str(kind.__struct_config__.tag) for kind in get_args(AnyOp))
NEWER = "install the newest tourney, or open the copy in `.tourney-backups/` that this version wrote"
"""The hint for an entry that was written by a newer tourney."""


def chain_digest(previous: str, seq: int, at: str, by: str, op: bytes) -> str:
    """Return the digest of an entry. previous: the digest of the entry before it."""
    return sha256(b"%b\n%d\n%b\n%b\n%b" % (previous.encode(), seq, at.encode(), by.encode(), op)).hexdigest()


def write(op: Op, *, seq: int, at: str, by: str, previous: str) -> JournalRow:
    """Encode `op` as entry `seq`. previous: the digest of the entry before it.

    Raises TourneyError if the encoded op could not be decoded again.
    """
    [row], _ = write_entries([op], at=at, by=by, after=seq - 1, previous=previous)
    return row


def write_entries(
    new_ops: Iterable[Op], *, at: str, by: str, after: int = 0, previous: str = NOTHING_YET
) -> tuple[list[JournalRow], list[Entry]]:
    """Encode ops as new entries; return the rows to store, and the entries.

    The returned entries are the same as `read` will decode from the rows.

    after, previous: the number and the digest of the entry before the new ones

    Raises TourneyError as `write` does.
    """
    rows: list[JournalRow] = []
    entries: list[Entry] = []
    for seq, op in enumerate(new_ops, after + 1):
        raw = _encode(op)
        try:
            stored_op: Op = _decode(raw)
        except msgspec.ValidationError as fault:
            raise TourneyError(explain_validation_error(fault)) from None
        _check_settings(stored_op)
        previous = chain_digest(previous, seq, at, by, raw)
        rows.append(JournalRow(seq, at, by, raw, previous))
        entries.append(Entry(seq, at, Ref(by), stored_op, previous))
    return rows, entries


def read(rows: list[JournalRow], *, seq: int = 0, digest: str = NOTHING_YET) -> list[Entry]:
    """Decode `rows`, after checking that they continue the chain of entries.

    seq, digest: the number and digest of the last entry before `rows`

    Raises EntryError for the first entry that is missing or was altered, and TourneyError for an entry that
    was written by a newer tourney.
    """
    return [
        Entry(row.seq, row.at, Ref(row.by), decode(row.op, row.seq), row.digest)
        for row in check_chain(rows, seq=seq, digest=digest)
    ]


def is_own_secret(first: Entry, secret: bytes) -> bool:
    """Return whether entry 1 (`first`) contains the SHA-256 of this secret."""
    return isinstance(first.op, ops.EventCreated) and sha256(secret).hexdigest() == first.op.secret


def check_chain(
    rows: Iterable[JournalRow], *, seq: int = 0, digest: str = NOTHING_YET
) -> Iterator[JournalRow]:
    """Yield `rows`, checking that each row continues the chain of entries. Ops are not decoded.

    seq, digest: the number and digest of the last entry before `rows`.

    Raises EntryError for the first entry that is missing or was altered.
    """
    for row in rows:
        seq += 1
        if row.seq != seq:
            raise EntryError(f"entry {seq} is missing: the journal continues with entry {row.seq}", ALTERED)
        digest = _expected_digest(digest, row)
        if not digest or digest != row.digest:
            raise EntryError(f"entry {seq} was altered: its digest does not match", ALTERED)
        yield row


def _expected_digest(previous: str, row: JournalRow) -> str:
    """Return the digest that a row should have; empty if the row's columns have wrong types."""
    try:
        return chain_digest(previous, row.seq, row.at, row.by, row.op)
    except (TypeError, AttributeError):
        return ""


ALTERED = (
    "`tourney event salvage` makes a new event from the intact entries of the file and of `.tourney-backups/`"
)
"""The hint for a file that was altered."""


def decode(raw: bytes, seq: int) -> Op:
    """Decode an op.

    Raises TourneyError for a kind or a field that this version of tourney does not know.
    """
    try:
        op: Op = _decode(raw)
    except msgspec.ValidationError as fault:
        kind = _kind(raw)
        if not kind:
            raise EntryError(f"entry {seq} cannot be read", ALTERED) from None
        if kind.endswith("/1"):
            raise TourneyError(_PRE_RELEASE) from None
        if kind not in _TAGS:
            raise TourneyError(
                f"entry {seq} was written by a newer tourney: this one does not know `{kind}`", NEWER
            ) from None
        raise _unknown_content(seq, kind, explain_validation_error(fault)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise EntryError(f"entry {seq} cannot be read", ALTERED) from None
    try:
        _check_settings(op)
    except TourneyError as fault:
        raise _unknown_content(seq, _kind(raw), fault.message) from None
    return op


def _unknown_content(seq: int, kind: str, problem: str) -> TourneyError:
    return TourneyError(
        f"entry {seq} ({kind}) contains something that this tourney does not know: {problem}", NEWER
    )


def _check_settings(op: Op) -> None:
    """Raise TourneyError if an op has an unknown setting or an impossible value."""
    if isinstance(op, (ops.EventCreated, ops.EventChanged)):
        settings_from(op.settings)


_PRE_RELEASE = "the event was written by a pre-release of tourney, and this version cannot read it"
"""The error for kinds of entries with version 1, as in `event.created/1`.

Only pre-releases wrote such entries.
"""


def _kind(raw: bytes) -> str:
    try:
        return msgspec.json.decode(raw, type=_Head).op
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""


# -- texts, which are stored outside the chain under their digests


SALT_BYTES = 16
"""The length of the salt of a personal text.

Without a salt, anyone could find out whether a ref is the digest of a guessed name.
"""


class Text(NamedTuple):
    """A text and the ref that names it in entries.

    salt: empty for rules, which are public. If both salt and content are None, the text was deleted by
        request.
    """

    ref: Ref
    salt: bytes | None
    content: bytes | None

    @property
    def words(self) -> str | None:
        """The content as a string; None if it was deleted."""
        return None if self.content is None else self.content.decode(errors="replace")


Texts = Mapping[Ref, str | None]
"""The contents of texts, by ref.

A text that was deleted by request is None; a text that is missing or altered is `DAMAGED`.
"""


class Damaged(str):
    """The type of `DAMAGED`, which distinguishes it from a text `(damaged)` that a person typed."""

    __slots__ = ()


DAMAGED = Damaged("(damaged)")
"""The text shown in place of a damaged text."""


DELETED = "(deleted)"
"""The text shown in place of a deleted text, except for a name, which becomes `player 7`."""


def text_of(ref: Ref, texts: Texts, otherwise: str) -> str:
    """Return a text as a plain `str`.

    Returns `otherwise` if the text was deleted, and `(damaged)` if it is damaged.
    """
    return str(texts.get(ref) or otherwise)


def display_text(ref: Ref | None, texts: Texts) -> str:
    """Return a text; `(deleted)` or `(damaged)` if it is lost, empty if `ref` is None."""
    return "" if ref is None else texts.get(ref) or DELETED


def in_brackets(text: str) -> str:
    """Return a text in parentheses after a space. `DELETED` and `DAMAGED` have them already.

    >>> [in_brackets(text) for text in ("was late", "(deleted)", "")]
    [' (was late)', ' (deleted)', '']
    """
    return "" if not text else f" {text}" if text in (DELETED, DAMAGED) else f" ({text})"


def ref_of(content: bytes, salt: bytes) -> Ref:
    """Return the ref of a text: SHA-256 of salt + bytes, in hexadecimal."""
    return Ref(sha256(salt + content).hexdigest())


def is_intact(ref: object, salt: object, content: object) -> bool:
    """Return whether a stored text matches its digest (`ref`).

    A text that was deleted by request, so that salt and content are None, counts as intact.
    """
    if content is None and salt is None:
        return True
    return isinstance(salt, bytes) and isinstance(content, bytes) and ref_of(content, salt) == ref


def seal_text(content: str, randomness: Callable[[int], bytes]) -> Text:
    """Return a personal text as a `Text`, with a new random salt for its digest."""
    salt, raw = randomness(SALT_BYTES), content.encode()
    return Text(ref_of(raw, salt), salt, raw)


def plain(content: bytes) -> Text:
    """Return a text without personal data, such as a rule file, as a `Text` without a salt."""
    return Text(ref_of(content, b""), b"", content)


class Sealing:
    """Gives each personal text of a change a salted digest, and collects the texts to write.

    The same text of the same kind gets the same digest (its ref). So if a change has to be decided again,
    because another desk wrote meanwhile, no text is written twice. The kind distinguishes a player's name
    from a club with the same name.
    """

    def __init__(self, randomness: Callable[[int], bytes]) -> None:
        self._randomness = randomness
        self._sealed: dict[tuple[str, str], Text] = {}
        self._plain: dict[Ref, Text] = {}

    def __call__(self, content: str, kind: str = "") -> Ref:
        """Return the ref of a text, which is its salted digest.

        A text that this change has not used yet gets a random salt, and is added to `texts`.
        """
        if (kind, content) not in self._sealed:
            self._sealed[kind, content] = seal_text(content, self._randomness)
        return self._sealed[kind, content].ref

    def maybe(self, content: str | None, kind: str = "") -> Ref | None:
        """Return the ref (salted digest) of a text; None if the text is None or empty."""
        return self(content, kind) if content else None

    def keep(self, text: Text) -> Ref:
        """Collect a text that is not personal, and return its ref (digest).

        The text is written together with the entry that refers to it.
        """
        self._plain[text.ref] = text
        return text.ref

    @property
    def texts(self) -> tuple[Text, ...]:
        """All texts collected so far."""
        return (*self._sealed.values(), *self._plain.values())


# -- the texts of an entry


class Use(NamedTuple):
    """A text in an op.

    kind:  `name`, `alias`, `contact`, `deck`, `cards`, `reason`, `remark`, `device`, `tag`, `event` (the
           event's name), `rules`, or `signature` (the name of the scorekeeper who vouched for a deck)
    about: the players that the text is about
    label: the kind of a tag, the name of a rule file, or the zone of a shared list; empty for other texts
    """

    ref: Ref
    kind: str
    about: tuple[PlayerId, ...] = ()
    label: str = ""


_FIELDS = {
    "text": "deck",
    "cards": "cards",
    "contact": "contact",
    "alias": "alias",
    "reason": "reason",
    "remark": "remark",
    "device": "device",
    "vouched": "signature",
}
"""Field of an op that is a ref → what its text is. Names and tags are handled separately."""

_KINDS = {
    "banlist": "ban list",
    "no-banlist": "missing ban list",
    "profile": "standings profile",
    "pool": "card pool",
}


def uses(op: ops.Op) -> Iterator[Use]:
    """Yield a `Use` for each text to which an op (the content of an entry) refers."""
    if isinstance(op, ops.PlayerAdded):
        for newcomer in op.players:
            yield Use(newcomer.name, "name", (newcomer.id,))
            yield from _uses_in(newcomer, (newcomer.id,))
            if newcomer.deck is not None:
                yield from _uses_in(newcomer.deck, (newcomer.id,))
        return
    if isinstance(op, ops.PlayerRenamed):
        yield Use(op.name, "name", (op.player,))
    elif isinstance(op, (ops.EventCreated, ops.EventChanged)) and op.name is not None:
        yield Use(op.name, "event")
    yield from _uses_in(op, players_of(op))
    for rule in kept_rules(op):
        yield Use(rule.text, "rules", (), f"{_KINDS.get(rule.kind, rule.kind)} {rule.name}")


def players_of(op: ops.Op) -> tuple[PlayerId, ...]:
    """Return the players that an op is about: its field `players`, or `player`."""
    if isinstance(op, ops.PlayerAdded):
        return tuple(newcomer.id for newcomer in op.players)
    one = getattr(op, "player", None)
    return tuple(getattr(op, "players", ())) or (() if one is None else (one,))


def _uses_in(part: Struct, about: tuple[PlayerId, ...]) -> Iterator[Use]:
    """Yield a `Use` for each text in the fields of an op, or of a part of an op.

    Names and rule files are left out; `uses` yields them.

    about: the players that these texts are about; a signature is not about them
    """
    for field in _text_fields(type(part)):
        value = getattr(part, field)
        if field == "tags" and value is not msgspec.UNSET:
            yield from (Use(ref, "tag", about, tag_kind) for tag_kind, ref in value)
        elif isinstance(value, str):
            text_kind = _FIELDS[field]
            yield Use(
                Ref(value), text_kind, () if text_kind == "signature" else about, getattr(part, "zone", "")
            )


@cache
def _text_fields(kind: type[Struct]) -> tuple[str, ...]:
    return tuple(field for field in ("tags", *_FIELDS) if field in kind.__struct_fields__)


def kept_rules(op: ops.Op) -> Iterator[Kept]:
    """Yield the rule files, such as the format, that an op adds to the event as copies."""
    if isinstance(op, (ops.EventCreated, ops.EventRebased)):
        yield from op.rules
    elif isinstance(op, ops.EventChanged):
        yield from op.profile


def every_ref(entry: Entry) -> Iterator[Ref]:
    """Yield the ref of every text of an entry: signer's name, personal texts and rules."""
    yield entry.by
    yield from (use.ref for use in uses(entry.op))


def shown_refs(entries: Sequence[Entry]) -> set[Ref]:
    """Return the refs of the texts that states, logs and receipts can show.

    These are all texts except decks and rules.
    """
    refs = {entry.by for entry in entries}
    refs.update(
        use.ref for entry in entries for use in uses(entry.op) if use.kind not in ("deck", "cards", "rules")
    )
    return refs


class TextDescription(NamedTuple):
    """A description of a text, for messages about lost texts.

    title:   what the text is, such as `the name of #7`
    command: the command that enters the text again; empty if no command does
    """

    title: str
    command: str = ""


def text_descriptions(entries: Sequence[Entry]) -> Mapping[Ref, TextDescription]:
    """Return a description of each stored text that the entries use, by the text's ref.

    A text with several uses is described by its first use.
    """
    texts: dict[Ref, TextDescription] = {}
    for entry in entries:
        for use in uses(entry.op):
            texts.setdefault(use.ref, _describe_use(use, entry.seq))
        texts.setdefault(entry.by, TextDescription(f"the name of the scorekeeper of entry {entry.seq}"))
    return texts


def _describe_use(use: Use, entry: int) -> TextDescription:
    player = f"#{use.about[0]}" if use.about else ""
    change = f"tourney player change '{player}'"
    deck = f"the {use.label} of the event" if use.label else f"the deck of {player}"
    match use.kind:
        case "name":
            return TextDescription(f"the name of {player}", f"tourney player rename '{player}' NAME")
        case "contact" | "alias":
            return TextDescription(f"the {use.kind} of {player}", f"{change} --{use.kind} TEXT")
        case "tag":
            return TextDescription(f"the {use.label} of {player}", f"{change} --tag {use.label}=TEXT")
        case "deck":
            command = f"event deck {use.label}" if use.label else f"player deck '{player}'"
            return TextDescription(f"{deck} (entry {entry})", f"tourney {command} FILE")
        case "cards":
            return TextDescription(f"the card facts of {deck} (entry {entry})")
        case "event":
            return TextDescription("the event's name", "tourney event change --name NAME")
        case "rules":
            return TextDescription(f"the {use.label}", "tourney event rebase")
        case _:
            return TextDescription(f"the {use.kind} of entry {entry}")


# -- a person's texts


def erased_refs(entries: Sequence[Entry]) -> Mapping[Ref, PlayerId]:
    """Return the texts that were deleted by request: ref of the text → the player who asked.

    A deletion covers the texts that its entry lists, and all other texts about the same person, including
    those in later entries.
    """
    refs: dict[Ref, PlayerId] = {}
    for entry in entries:
        if isinstance(entry.op, ops.PlayerErased):
            for ref in (*entry.op.texts, *own_refs(entries, entry.op.numbers)):
                refs.setdefault(ref, entry.op.player)
    return refs


def registrations(
    entries: Sequence[Entry],
    texts: Texts,
    player: PlayerId,
    *,
    last_names: Mapping[PlayerId, str],
    in_force: Collection[PlayerId],
) -> tuple[PlayerId, ...]:
    """Return every number under which the person behind `player` was registered, `player` first.

    An undone registration belongs to the person if it has a name in common with another registration of the
    person. At most one registration in force is returned, because two of them belong to two people, even if
    they once had the same name:

    * If the registration of `player` is in force, all other returned numbers are undone.
    * If it was undone, a registration in force that has a name in common with the person is also returned. If
      there are several, only the one whose latest name is that of `player` is returned.

    last_names: the latest name of every player who was ever registered
    in_force: the players whose registrations were not undone
    """
    all_names = past_names(entries, texts)
    names_by_number = {number: {*map(fold, all_names.get(number, ()))} for number in last_names}
    numbers, names = [player], {*names_by_number.get(player, ())}
    while more := [
        number
        for number in names_by_number
        if number not in {*numbers, *in_force} and names & names_by_number[number]
    ]:
        numbers += more
        names.update(*(names_by_number[number] for number in more))
    if player in in_force:
        return tuple(numbers)
    heirs = [
        number for number in in_force if number not in numbers and names & names_by_number.get(number, set())
    ]
    if len(heirs) > 1:
        heirs = [number for number in heirs if is_one_of(last_names[number], {last_names[player]})]
    return (*numbers, *heirs)


_MAY_NAME = ("reason", "remark", "tag", "contact", "deck", "event")
"""Kinds of texts that may mention a person although they are not about that person.

Such a text is about other players, or about no player. Names and aliases are not included, because they
belong to those other players.
"""

_OWN_WORDS = ("tag", "contact", "deck")
"""Kinds of texts that can contain the name of the player they belong to.

A single word of that player's name in such a text does not count as the name of another person.
"""


class _PersonTexts(NamedTuple):
    """The texts about a person, and the texts that may mention the person.

    own_texts: the refs of the texts about the person
    mentions:  ref of another text that may mention the person → the kind of text (such as `reason`), and the
               players that the text is about
    """

    own_texts: set[Ref]
    mentions: dict[Ref, tuple[str, set[PlayerId]]]


def _person_texts(entries: Sequence[Entry], players: Collection[PlayerId]) -> _PersonTexts:
    own_texts: set[Ref] = set()
    mentions: dict[Ref, tuple[str, set[PlayerId]]] = {}
    for use in (use for entry in entries for use in uses(entry.op)):
        if not set(players).isdisjoint(use.about):
            own_texts.add(use.ref)
        elif use.kind in _MAY_NAME:
            mentions.setdefault(use.ref, (use.kind, set()))[1].update(use.about)
    return _PersonTexts(own_texts, mentions)


def own_refs(entries: Sequence[Entry], players: Collection[PlayerId]) -> tuple[Ref, ...]:
    """Return the refs of the texts about a person.

    Examples are names, decks, contacts, reasons and tags. Tags that another player also has are left out.
    Undone entries count too, because the file still has their texts.

    players: the numbers that the person was registered under
    """
    own_texts, mentions = _person_texts(entries, players)
    return tuple(sorted(own_texts - {ref for ref, (text_kind, _) in mentions.items() if text_kind == "tag"}))


def personal_refs(
    entries: Sequence[Entry],
    players: Collection[PlayerId],
    texts: Texts,
    remarks: Mapping[Ref, str],
    *,
    event: Ref,
    signed_names: Collection[str],
) -> tuple[Ref, ...]:
    """Return the refs of all texts that a person's deletion covers.

    These are the texts about the person, other texts that name the person, and the person's signatures.

    remarks:      ref of another player's deck → the remarks in it
    event:        the event's current name; it counts as naming the person only if it contains the person's
                  whole name
    signed_names: further names with which the person signed entries
    """
    own_texts, mentions = _person_texts(entries, players)
    all_names = past_names(entries, texts)
    names = {name for player in players for name in all_names.get(player, ())}
    refs = {*own_refs(entries, players)}
    for ref, (text_kind, about) in mentions.items():
        text = remarks.get(ref) if text_kind == "deck" else texts.get(ref)
        owner_ids = about if text_kind in _OWN_WORDS else ()
        owners = {name for player in owner_ids for name in all_names.get(player, ())}
        is_shared = text_kind == "tag" and (ref in own_texts or len(about) > 1)
        if text and is_named(text, names, other_names=owners, whole=is_shared or ref == event):
            refs.add(ref)
    refs.update(ref for ref in signatures(entries) if is_one_of(texts.get(ref), names | {*signed_names}))
    return tuple(sorted(refs))


def signed_refs(entries: Iterable[Entry], texts: Texts, name: str) -> frozenset[Ref]:
    """Return the refs (salted digests) of this name that appear as signatures of entries."""
    return frozenset(ref for ref in {entry.by for entry in entries} if texts.get(ref) == name)


def signatures(entries: Iterable[Entry]) -> set[Ref]:
    """Return the refs (digests) of the names that signed entries or vouched for a deck."""
    voucher_refs = {use.ref for entry in entries for use in uses(entry.op) if use.kind == "signature"}
    return voucher_refs | {entry.by for entry in entries}


def past_names(entries: Sequence[Entry], texts: Texts) -> Mapping[PlayerId, set[str]]:
    """Return every name that each player was ever registered under, except deleted ones."""
    names: dict[PlayerId, set[str]] = {}
    for entry in entries:
        if isinstance(entry.op, (ops.PlayerAdded, ops.PlayerRenamed)):
            for use in uses(entry.op):
                if use.kind == "name" and (name := texts.get(use.ref)):
                    names.setdefault(use.about[0], set()).add(name)
    return names


def is_one_of(name: str | None, names: set[str]) -> bool:
    """Return whether a name is one of `names`, ignoring case and accents."""
    return bool(name) and fold(name or "") in {fold(other) for other in names}


_SHORTEST_WORD = 3
"""A single word of a longer name needs this many letters to count as naming the person.

Shorter words, such as initials and particles, are too common in other texts.
"""

_SHORTEST_JOINED = 6
"""The fewest letters of a name of several words that counts if written as one word.

It then counts even inside a longer word: `miraoake@example.org` names Mira Oake.
"""

_WORDS = re.compile(r"[^\W_]+")

_UNSPACED = "\u0e00"
"""Scripts from this code point on write words without spaces between them."""


def is_named(
    text: str, names: Collection[str], *, other_names: Collection[str] = (), whole: bool = False
) -> bool:
    """Return whether a text names a person.

    A text names the person if it contains a whole name, a name written as one word, or a word of a name.

    other_names: names of other people; a single word that is also in one of these names does not count
    whole: whether the text must contain a whole name, and that name must have several words

    >>> [is_named(text, {"Mira Oake"}) for text in ("MIRA's slip", "the oak", "Oake, again", "a mirage")]
    [True, False, True, False]
    >>> texts = ("Zorns' dog", "Zorn’s dog", "zorns", "kitzorn@example.org", "zornig")
    >>> [is_named(text, {"Kit Zorn"}) for text in texts]
    [True, True, True, True, False]
    >>> is_named("田中さんの遅刻", {"田中"}), is_named("both", {"Bo"}), is_named("Bo left", {"Bo"})
    (True, False, True)
    """
    folded_text = fold(text)
    text_words = set(_WORDS.findall(folded_text))
    # Zorns, Zorns'
    text_words |= {word.removesuffix("s") for word in text_words if len(word) > _SHORTEST_WORD}
    other_words = {word for name in other_names for word in _WORDS.findall(fold(name))}
    for name in map(fold, names):
        words = _WORDS.findall(name)
        joined_name = "".join(words)
        is_inside = len(joined_name) >= _SHORTEST_JOINED and joined_name in folded_text
        if len(words) > 1 and (text_words.issuperset(words) or is_inside):
            return True
        if whole:
            continue
        if (
            text_words
            & {word for word in words if len(words) == 1 or len(word) >= _SHORTEST_WORD} - other_words
        ):
            return True
        if max(name) >= _UNSPACED and name in folded_text:
            return True
    return False
