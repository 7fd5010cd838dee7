"""`tourney deck hash`: the fingerprint of a deck, and a promise of it that tells nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from tourney.cli.command import command
from tourney.cli.completers import formats
from tourney.cli.deck_files import deck_files
from tourney.cli.exits import Exit
from tourney.cli.rules_asked import RulesAsked
from tourney.cli.session import Session
from tourney.errors import TourneyError

if TYPE_CHECKING:
    from tourney.rules import Ruleset


@command(
    "hash",
    event=True,
    examples=[
        "tourney deck hash ada.txt --format redline/standard",
        "tourney deck hash ada.txt --promise",
        "tourney deck hash ada.txt --opens 5f2c… --salt 91ab…",
    ],
)
@click.argument("files", nargs=-1, required=True, metavar="FILE|DIR|-...")
@click.option(
    "-f",
    "--format",
    "name",
    metavar="NAME|FILE",
    shell_complete=formats,
    help="Whose aliases and zones hold; else the event's, else the list's own.",
)
@click.option(
    "--promise", is_flag=True, help="Print a salted commitment, and the salt to keep until the deck is shown."
)
@click.option(
    "--opens",
    "promised",
    metavar="COMMITMENT",
    help="Check whether this is the deck that was promised (exit 1 if not); needs --salt.",
)
@click.option("--salt", metavar="HEX", help="The salt that belongs to the commitment.")
def hash_(
    session: Session,
    *,
    files: tuple[str, ...],
    name: str | None,
    promise: bool,
    promised: str | None,
    salt: str | None,
) -> Exit | None:
    """Print a deck's hash: the same for the same deck, whatever its order, comments and printings.

    With --promise a player can hand in a line that tells nothing of the deck, and prove later which deck it was.
    """
    if (promised is None) != (salt is None):
        raise click.UsageError("--opens and --salt belong together")
    asked = RulesAsked(session, (name,) if name else (), None, None, {})
    hashes = {file.source: _hash(asked, file.content(session), file.source) for file in deck_files(files)}
    if promised is not None:
        kept = _bytes(salt or "")
        return _opened(session, hashes, _whole(promised), kept)
    rows = [_row(session, source, found, promise=promise) for source, found in hashes.items()]
    if session.json:
        session.emit("deck-hash/1", {"decks": rows})
        return None
    for row in rows:
        session.say("  ".join(str(row[key]) for key in ("commitment", "salt", "hash", "file") if key in row))
    if promise:
        session.talk(
            "hand in the commitment, keep the salt; `tourney deck hash FILE --opens COMMITMENT --salt SALT` proves it later"
        )
    return None


def _row(session: Session, source: str, found: str, *, promise: bool) -> dict[str, object]:
    if not promise:
        return {"file": source, "hash": found}
    from tourney.decks.commitment import SALT_BYTES, commitment

    salt = session.entropy(SALT_BYTES)
    return {"file": source, "commitment": commitment(found, salt), "salt": salt.hex()}


def _opened(session: Session, hashes: dict[str, str], promised: str, salt: bytes) -> Exit | None:
    from tourney.decks.commitment import opens

    held = {source: opens(promised, found, salt) for source, found in hashes.items()}
    if session.json:
        session.emit(
            "deck-opens/1", {"decks": [{"file": source, "opens": same} for source, same in held.items()]}
        )
    else:
        for source, same in held.items():
            session.say(
                f"{source}: {'the deck that was promised' if same else 'not the deck that was promised'}"
            )
    return None if all(held.values()) else Exit.FOUND


def _whole(promised: str) -> str:
    """Refuse part of a commitment: its first digits could be met by another deck and salt, tried out for that."""
    plain = promised.strip().lower()
    if not re.fullmatch(r"[0-9a-f]{64}", plain):
        raise TourneyError(
            "--opens: that is no whole commitment: it has 64 hexadecimal digits",
            "as `tourney deck hash FILE --promise` printed it",
        )
    return plain


def _bytes(salt: str) -> bytes:
    try:
        return bytes.fromhex(salt)
    except ValueError:
        raise TourneyError(f"--salt: `{salt}` is no hexadecimal text") from None


def _hash(asked: RulesAsked, content: bytes, source: str) -> str:
    from tourney.decks.fingerprint import deck_hash
    from tourney.decks.reading import read
    from tourney.decks.resolving import Resolver
    from tourney.decks.zones import words_of

    rules = _rules(asked, content, source)
    words = words_of(rules.format)
    decklist = read(content, source=source, vocabulary=words)
    return deck_hash(Resolver(rules, words, trust_declared=False).resolve(decklist).slots)


def _rules(asked: RulesAsked, content: bytes, source: str) -> Ruleset:
    if asked.formats:
        return asked.ruleset(asked.formats[0])
    if event := asked.event_rules:
        return event
    from tourney.decks.reading import read

    return asked.ruleset(asked.named_by(read(content, source=source).format))
