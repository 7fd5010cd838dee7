"""An entry of the journal, in a chain of digests, and the texts beside the chain that entries rest on.

The digest of entry n is the SHA-256 of five lines: the digest of entry n − 1 (64 zeros before the first), n, `at`,
`by` and the bytes of the op. Whoever has the entries can recompute it with any tool.

What is personal, and the rules, are texts kept apart, each under its salted digest: so that a person's can be deleted when
somebody asks to be forgotten, and the chain holds. Which texts an entry rests on, what each is in words, and which are a
person's, stands here with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple, get_args

import msgspec

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
    """An entry as it lies in the journal. at: ISO 8601 with the zone; by: the ref of the scorekeeper's name."""

    seq: int
    at: str
    by: str
    op: bytes
    digest: str


class Entry(NamedTuple):
    """An entry as the fold reads it: `op` decoded."""

    seq: int
    at: str
    by: Ref
    op: Op
    digest: str


class EntryError(TourneyError):
    """An entry is not as it was written, or has no meaning where it stands; the message names it."""


class _Head(msgspec.Struct):
    op: str = ""


_decode = msgspec.json.Decoder(AnyOp).decode
_encode = msgspec.json.Encoder().encode
_KNOWN = frozenset(str(kind.__struct_config__.tag) for kind in get_args(AnyOp))
NEWER = "install the newest tourney, or open the copy in `.tourney-backups/` that this version wrote"
"""What helps where an entry is of a kind that came later."""


def chained(previous: str, seq: int, at: str, by: str, op: bytes) -> str:
    """Return the digest of an entry that follows the digest `previous`."""
    return sha256(b"%b\n%d\n%b\n%b\n%b" % (previous.encode(), seq, at.encode(), by.encode(), op)).hexdigest()


def write(op: Op, *, seq: int, at: str, by: str, previous: str) -> JournalRow:
    """Return `op` as the entry `seq` that follows the digest `previous`.

    Raises TourneyError for an op that could not be read again, so that nothing unreadable is ever written.
    """
    raw = _encode(op)
    try:
        decoded: Op = _decode(raw)
    except msgspec.ValidationError as fault:
        raise TourneyError(explain_validation_error(fault)) from None
    _check_settings(decoded)
    return JournalRow(seq, at, by, raw, chained(previous, seq, at, by, raw))


def read(rows: list[JournalRow], *, seq: int = 0, digest: str = NOTHING_YET) -> list[Entry]:
    """Return `rows` decoded, after checking that they continue the chain from entry `seq` with `digest`.

    Raises EntryError naming the first entry that is missing or was altered, TourneyError for one that was written by a
    newer tourney.
    """
    return [
        Entry(row.seq, row.at, Ref(row.by), decode(row.op, row.seq), row.digest)
        for row in linked(rows, seq=seq, digest=digest)
    ]


def is_own_secret(created: Entry, secret: bytes) -> bool:
    """Return whether entry 1 commits to this secret."""
    return isinstance(created.op, ops.EventCreated) and sha256(secret).hexdigest() == created.op.secret


def linked(rows: Iterable[JournalRow], *, seq: int = 0, digest: str = NOTHING_YET) -> Iterator[JournalRow]:
    """Yield `rows`, each after checking that it continues the chain from entry `seq` with `digest`; what ops say is not looked at.

    Raises EntryError naming the first entry that is missing or was altered.
    """
    for row in rows:
        seq += 1
        if row.seq != seq:
            raise EntryError(f"entry {seq} is missing: the journal goes on with entry {row.seq}", ALTERED)
        digest = _expected(digest, row)
        if not digest or digest != row.digest:
            raise EntryError(f"entry {seq} is not as it was written: its digest does not fit", ALTERED)
        yield row


def _expected(previous: str, row: JournalRow) -> str:
    """Return the digest that fits; nothing fits an entry whose columns are of other types than ours."""
    try:
        return chained(previous, row.seq, row.at, row.by, row.op)
    except (TypeError, AttributeError):
        return ""


ALTERED = (
    "`tourney event salvage` makes a new event from the intact entries of the file and of `.tourney-backups/`"
)
"""What helps where the file is not as it was written."""


def decode(raw: bytes, seq: int) -> Op:
    """Read an op. Raises TourneyError for a kind, a version or a field that this version does not know."""
    try:
        decoded: Op = _decode(raw)
    except msgspec.ValidationError as fault:
        kind = _kind(raw)
        if not kind:
            raise EntryError(f"entry {seq} is not readable", ALTERED) from None
        if kind.endswith("/1"):
            raise TourneyError(_PRE_RELEASE) from None
        if kind not in _KNOWN:
            raise TourneyError(
                f"entry {seq} was written by a newer tourney: this one does not know `{kind}`", NEWER
            ) from None
        raise _unknown_content(seq, kind, explain_validation_error(fault)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise EntryError(f"entry {seq} is not readable", ALTERED) from None
    try:
        _check_settings(decoded)
    except TourneyError as fault:
        raise _unknown_content(seq, _kind(raw), fault.message) from None
    return decoded


def _unknown_content(seq: int, kind: str, problem: str) -> TourneyError:
    return TourneyError(f"entry {seq} ({kind}) holds something this tourney does not know: {problem}", NEWER)


def _check_settings(op: Op) -> None:
    """Raise TourneyError for an unknown setting, or a value that no event can have."""
    if isinstance(op, (ops.EventCreated, ops.EventChanged)):
        settings_from(op.settings)


_PRE_RELEASE = "the event was written by a pre-release of tourney, and this version cannot read it"
"""Entries of a pre-release have a version in their kind: `event.created/1`."""


def _kind(raw: bytes) -> str:
    try:
        return msgspec.json.decode(raw, type=_Head).op
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""


# -- texts kept apart from the chain, each under its salted digest


SALT_BYTES = 16
"""Salt of a personal text: without it nobody can tell from a ref whether a guessed name is behind it."""


class Text(NamedTuple):
    """A text and its name in entries. salt: empty for rules, whose digest is to be compared by anybody."""

    ref: Ref
    salt: bytes
    content: bytes


Texts = Mapping[Ref, str | None]
"""Texts by ref; None for texts deleted by request, `DAMAGED` for those that are missing or altered."""


class Damaged(str):
    """What is shown in the place of a text that is damaged; no text that anybody typed is one."""

    __slots__ = ()


DAMAGED = Damaged("(damaged)")
"""The one such text there is."""


DELETED = "(deleted)"
"""What is shown in the place of what somebody wrote and had deleted; a name has words of its own."""


def text_of(ref: Ref, texts: Texts, otherwise: str) -> str:
    """Return a text as a plain `str`, damaged or not; `otherwise` for one that was deleted."""
    return str(texts.get(ref) or otherwise)


def written(ref: Ref | None, texts: Texts) -> str:
    """Return what somebody wrote, or in brackets why it cannot be read; empty where nothing was written."""
    return "" if ref is None else texts.get(ref) or DELETED


def in_brackets(said: str) -> str:
    """Return what follows other words in brackets, with the space before: those that are ours have them already.

    >>> [in_brackets(said) for said in ("was late", "(deleted)", "")]
    [' (was late)', ' (deleted)', '']
    """
    return "" if not said else f" {said}" if said in (DELETED, DAMAGED) else f" ({said})"


def ref_of(content: bytes, salt: bytes) -> Ref:
    """Return the name of a text: SHA-256 of salt + bytes, in hexadecimal."""
    return Ref(sha256(salt + content).hexdigest())


def intact(ref: object, salt: object, content: object) -> bool:
    """Say whether a text as it lies in a file fits its digest; one that was deleted by request has neither salt nor bytes."""
    if content is None and salt is None:
        return True
    return isinstance(salt, bytes) and isinstance(content, bytes) and ref_of(content, salt) == ref


def sealed(content: str, randomness: Callable[[int], bytes]) -> Text:
    """Return a personal text under a fresh salt."""
    salt, raw = randomness(SALT_BYTES), content.encode()
    return Text(ref_of(raw, salt), salt, raw)


def plain(content: bytes) -> Text:
    """Return a text that is not personal (a rule file), without salt."""
    return Text(ref_of(content, b""), b"", content)


class Sealing:
    """Seals the personal texts of one change, and keeps them to be written with its entry.

    The same text of the same kind gives the same ref, so that deciding a second time writes nothing twice; kinds
    keep a player's name apart from a club that is called the same.
    """

    def __init__(self, randomness: Callable[[int], bytes]) -> None:
        self._randomness = randomness
        self._sealed: dict[tuple[str, str], Text] = {}
        self._plain: dict[Ref, Text] = {}

    def __call__(self, content: str, kind: str = "") -> Ref:
        """Return the ref of a text, sealing it if it is new."""
        if (kind, content) not in self._sealed:
            self._sealed[kind, content] = sealed(content, self._randomness)
        return self._sealed[kind, content].ref

    def maybe(self, content: str | None, kind: str = "") -> Ref | None:
        """Seal a text if there is one."""
        return self(content, kind) if content else None

    def keep(self, text: Text) -> Ref:
        """Take a text that is not personal along."""
        self._plain[text.ref] = text
        return text.ref

    @property
    def texts(self) -> tuple[Text, ...]:
        """Everything sealed and kept so far."""
        return (*self._sealed.values(), *self._plain.values())


# -- which texts an entry rests on


class Use(NamedTuple):
    """A text in an op.

    what: `name`, `alias`, `contact`, `deck`, `cards`, `reason`, `remark`, `tag`, `event` (its name), `rules`, or
          `signature`: the name of who vouched for what a deck says
    about: the players whom it is about
    said: what it is called, where `what` does not say it: the kind of a tag, the name of a rule file, the part that a list
          of the event's is
    """

    ref: Ref
    what: str
    about: tuple[PlayerId, ...] = ()
    said: str = ""


_FIELDS = (
    ("text", "deck"),
    ("cards", "cards"),
    ("contact", "contact"),
    ("alias", "alias"),
    ("reason", "reason"),
    ("remark", "remark"),
    ("device", "device"),
    ("vouched", "signature"),
)
_KINDS = {
    "banlist": "ban list",
    "no-banlist": "missing ban list",
    "profile": "standings profile",
    "pool": "card pool",
}
_WITHOUT = (
    ops.RoundPaired,
    ops.RoundReleased,
    ops.RoundStarted,
    ops.CutMade,
    ops.PlayerCheckedIn,
)


def uses(op: ops.Op) -> Iterator[Use]:
    """Yield every text in an op, once for each thing that it is."""
    if isinstance(op, _WITHOUT) or (isinstance(op, ops.ResultReported) and op.reason is None):
        return
    about = tuple(getattr(op, "players", ())) or tuple(filter(None, (getattr(op, "player", None),)))
    if isinstance(op, ops.PlayerAdded):
        for each in op.players:
            yield from _uses_of(each)
        return
    if isinstance(op, ops.PlayerRenamed):
        yield Use(op.name, "name", about)
    elif isinstance(op, (ops.EventCreated, ops.EventChanged)) and op.name is not None:
        yield Use(op.name, "event")
    elif isinstance(op, ops.PlayerChanged) and op.tags is not msgspec.UNSET:
        yield from (Use(ref, "tag", about, kind) for kind, ref in op.tags)
    said = op.zone if isinstance(op, (ops.DeckShared, ops.DeckAgreed)) else ""
    yield from (
        Use(Ref(ref), what, about if what != "signature" else (), said)
        for field, what in _FIELDS
        if isinstance(ref := getattr(op, field, None), str)
    )
    yield from (
        Use(kept.text, "rules", (), f"{_KINDS.get(kept.kind, kept.kind)} {kept.name}")
        for kept in kept_rules(op)
    )


def _uses_of(newcomer: ops.Newcomer) -> Iterator[Use]:
    about, deck = (newcomer.id,), newcomer.deck
    yield Use(newcomer.name, "name", about)
    yield from (Use(ref, "tag", about, kind) for kind, ref in newcomer.tags)
    if newcomer.contact is not None:
        yield Use(newcomer.contact, "contact", about)
    if newcomer.alias is not None:
        yield Use(newcomer.alias, "alias", about)
    if deck is not None:
        yield Use(deck.text, "deck", about)
        if deck.cards is not None:
            yield Use(deck.cards, "cards", about)
        if deck.vouched is not None:
            yield Use(deck.vouched, "signature")


def kept_rules(op: ops.Op) -> Iterator[Kept]:
    """Yield the rule files that an op has the event keep."""
    if isinstance(op, (ops.EventCreated, ops.EventRebased)):
        yield from op.rules
    elif isinstance(op, ops.EventChanged):
        yield from op.profile


def every_ref(entry: Entry) -> Iterator[Ref]:
    """Yield every text that an entry rests on: its author's name, what is personal, and the rules."""
    yield entry.by
    yield from (use.ref for use in uses(entry.op))


def spoken_refs(entries: Sequence[Entry]) -> set[Ref]:
    """Return the texts that states, logs and receipts may say: all but decks and rules."""
    refs = {entry.by for entry in entries}
    refs.update(
        use.ref for entry in entries for use in uses(entry.op) if use.what not in ("deck", "cards", "rules")
    )
    return refs


# -- what a text is


class Described(NamedTuple):
    """What a text is, `the name of #7`, and what enters it anew where it is lost (empty: nothing does)."""

    what: str
    mend: str = ""


def described(entries: Sequence[Entry]) -> Mapping[Ref, Described]:
    """Return what each text of `entries` is; of one that is several things, the first."""
    texts: dict[Ref, Described] = {}
    for entry in entries:
        for use in uses(entry.op):
            texts.setdefault(use.ref, _described(use, entry.seq))
        texts.setdefault(entry.by, Described(f"the name of the scorekeeper of entry {entry.seq}"))
    return texts


def _described(use: Use, entry: int) -> Described:
    whose = f"#{use.about[0]}" if use.about else ""
    match use.what:
        case "name":
            return Described(f"the name of {whose}", f"tourney player rename '{whose}' NAME")
        case "contact" | "alias":
            return Described(
                f"the {use.what} of {whose}", f"tourney player change '{whose}' --{use.what} TEXT"
            )
        case "tag":
            return Described(
                f"the {use.said} of {whose}", f"tourney player change '{whose}' --tag {use.said}=TEXT"
            )
        case "deck" | "cards":
            return _described_deck(use, entry, whose)
        case "event":
            return Described("the event's name", "tourney event change --name NAME")
        case "rules":
            return Described(f"the {use.said}", "tourney event rebase")
        case _:
            return Described(f"the {use.what} of entry {entry}")


def _described_deck(use: Use, entry: int, whose: str) -> Described:
    what = f"the {use.said} of the event" if use.said else f"the deck of {whose}"
    if use.what == "cards":
        return Described(f"what the cards of {what} said (entry {entry})")
    mend = f"tourney event deck {use.said} FILE" if use.said else f"tourney player deck '{whose}' FILE"
    return Described(f"{what} (entry {entry})", mend)


# -- a person's texts


def erased(entries: Sequence[Entry]) -> Mapping[Ref, PlayerId]:
    """Return the texts that are to be gone, deleted by request, and at whose: those named then, and any written later."""
    refs: dict[Ref, PlayerId] = {}
    for entry in entries:
        if isinstance(entry.op, ops.PlayerErased):
            for ref in (*entry.op.texts, *personal_refs(entries, entry.op.numbers)):
                refs.setdefault(ref, entry.op.player)
    return refs


def registrations(
    entries: Sequence[Entry],
    texts: Texts,
    player: PlayerId,
    *,
    everybody: Mapping[PlayerId, str],
    standing: Collection[PlayerId],
) -> tuple[PlayerId, ...]:
    """Return every number under which the person of `player` was registered, `player` first.

    A registration that was taken back is of whoever bore one of its names. Two that stand are two people, whatever they
    were called once; so of those that stand at most one is meant: `player`, or who is called so now.

    everybody: the names of all players who were ever registered
    standing:  the players whose registration stands
    """
    called = names_borne(entries, texts)
    borne = {number: {*map(fold, called.get(number, ()))} for number in everybody}
    numbers, names = [player], {*borne.get(player, ())}
    while more := [each for each in borne if each not in {*numbers, *standing} and names & borne[each]]:
        numbers += more
        names.update(*(borne[each] for each in more))
    if player in standing:
        return tuple(numbers)
    heirs = [each for each in standing if each not in numbers and names & borne.get(each, set())]
    if len(heirs) > 1:
        heirs = [each for each in heirs if is_one_of(everybody[each], {everybody[player]})]
    return (*numbers, *heirs)


_OF_THEIRS = ("tag", "contact", "deck")
"""What is others' own: a word of their own name means them."""


def personal_refs(
    entries: Sequence[Entry],
    players: Collection[PlayerId],
    texts: Texts | None = None,
    remarks: Mapping[Ref, str] = MappingProxyType({}),
    *,
    event: Ref | None = None,
    signed: Collection[str] = (),
) -> tuple[Ref, ...]:
    """Return the refs of every text about a person: names ever borne, decks, contacts, reasons, tags nobody else has.

    Entries that were taken back count, too: their texts are in the file as well. With `texts` also what is written about
    others, or about nobody, and names them (but other people's names), and what they signed as a scorekeeper.

    players: the numbers under which the person was registered
    remarks: what stands in others' decks beside the cards, by ref
    event:   the event's name as it is now, which is called after somebody only where it has their whole name
    signed:  other names they signed as
    """
    own, others = _own_and_others(entries, players)
    shared = {
        ref for ref, (what, about) in others.items() if what == "tag" and (ref in own or len(about) > 1)
    }
    gone = own - shared
    borne = names_borne(entries, texts) if texts else {}
    names = {name for player in players for name in borne.get(player, ())}
    if not texts or not (names or signed):
        return tuple(sorted(gone))
    for ref, (what, about) in others.items():
        text = remarks.get(ref) if what == "deck" else texts.get(ref)
        theirs = {name for player in about for name in borne.get(player, ())} if what in _OF_THEIRS else ()
        if text and is_named(text, names, but=theirs, whole=ref in shared or ref == event):
            gone.add(ref)
    gone.update(ref for ref in signatures(entries) if is_one_of(texts.get(ref), names | {*signed}))
    return tuple(sorted(gone))


_MAY_NAME = ("reason", "remark", "tag", "contact", "deck", "event")
"""What is written about others, or about nobody, and may name somebody. Others' names are their own."""


def _own_and_others(
    entries: Iterable[Entry], players: Collection[PlayerId]
) -> tuple[set[Ref], dict[Ref, tuple[str, set[PlayerId]]]]:
    """Return the texts about `players`, and of those that may name them otherwise what each is and about whom."""
    own: set[Ref] = set()
    others: dict[Ref, tuple[str, set[PlayerId]]] = {}
    for use in (use for entry in entries for use in uses(entry.op)):
        if not set(players).isdisjoint(use.about):
            own.add(use.ref)
        elif use.what in _MAY_NAME:
            others.setdefault(use.ref, (use.what, set()))[1].update(use.about)
    return own, others


def signatures(entries: Iterable[Entry]) -> set[Ref]:
    """Return the names of scorekeepers: of who entered something, and of who vouched for a deck."""
    vouched = {use.ref for entry in entries for use in uses(entry.op) if use.what == "signature"}
    return vouched | {entry.by for entry in entries}


def names_borne(entries: Sequence[Entry], texts: Texts) -> Mapping[PlayerId, set[str]]:
    """Return every name under which each player was ever registered, as far as it is still there."""
    names: dict[PlayerId, set[str]] = {}
    for entry in entries:
        if isinstance(entry.op, (ops.PlayerAdded, ops.PlayerRenamed)):
            for use in uses(entry.op):
                if use.what == "name" and (name := texts.get(use.ref)):
                    names.setdefault(use.about[0], set()).add(name)
    return names


def is_one_of(name: str | None, names: set[str]) -> bool:
    """Say whether a name is one of `names`, whatever the case and the accents."""
    return bool(name) and fold(name or "") in {fold(each) for each in names}


_SHORTEST_WORD = 3
"""Letters a word of a name has to have, to be looked for in reasons: initials and particles are in every other text."""

_LONG = 6
"""Letters from which a name written as one word is looked for inside others: `miraoake@example.org`."""
_WORDS = re.compile(r"[^\W_]+")
_UNSPACED = "\u0e00"
"""Scripts from here on write words without a space between them."""


def is_named(text: str, names: Collection[str], *, but: Collection[str] = (), whole: bool = False) -> bool:
    """Say whether a text names somebody: by a whole name, also written as one word, or by a word of it.

    but: names of others, whose words do not count alone; whole: whether only a whole name of several words counts

    >>> [is_named(text, {"Mira Oake"}) for text in ("MIRA's slip", "the oak", "Oake, again", "a mirage")]
    [True, False, True, False]
    >>> [is_named(text, {"Kit Zorn"}) for text in ("Zorns' dog", "Zorn’s dog", "zorns", "kitzorn@example.org", "zornig")]
    [True, True, True, True, False]
    >>> is_named("田中さんの遅刻", {"田中"}), is_named("both", {"Bo"}), is_named("Bo left", {"Bo"})
    (True, False, True)
    """
    folded = fold(text)
    spoken = set(_WORDS.findall(folded))
    spoken |= {
        word.removesuffix("s") for word in spoken if len(word) > _SHORTEST_WORD
    }  # whose it is: Zorns, Zorns'
    others = {word for name in but for word in _WORDS.findall(fold(name))}
    for name in map(fold, names):
        words = _WORDS.findall(name)
        joined = "".join(words)
        if len(words) > 1 and (spoken.issuperset(words) or (len(joined) >= _LONG and joined in folded)):
            return True
        if whole:
            continue
        if spoken & {word for word in words if len(words) == 1 or len(word) >= _SHORTEST_WORD} - others:
            return True
        if max(name) >= _UNSPACED and name in folded:
            return True
    return False
