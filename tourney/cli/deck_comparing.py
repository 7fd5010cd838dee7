"""`tourney deck diff`, `hash` and `history`: compare lists, and show when a list was legal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import click

import tourney.decks as decklists
from tourney.cli.command import command
from tourney.cli.deck_checking import color_word
from tourney.cli.deck_reading import Rulesets, deck_files
from tourney.cli.options import flag, format_option, players, trust_declared
from tourney.cli.session import Exit, Session, source_of
from tourney.decks import Changed, documents
from tourney.decks.history import SALT_BYTES, Period, commitment, days_of, opens
from tourney.decks.history import history as history_of
from tourney.errors import TourneyError
from tourney.rules.ruleset import Ruleset

# -- tourney deck diff: a list compared with another one, or with the registered one


@command("diff", event=True)
@click.argument("first", metavar="FILE|-")
@click.argument("second", metavar="[FILE]", required=False)
@click.option(
    "--player", metavar="PLAYER", shell_complete=players, help="Compare with the list this player registered."
)
@format_option(
    "The format with the aliases, printings and zones to use. Default: the event's.", "-f", "--format", "name"
)
def diff(
    session: Session, first: str, second: str | None, player: str | None, name: str | None
) -> Exit | None:
    """Compare two lists as decks.

    Order, comments and printings do not matter. Exits with 1 if the decks differ. With --player, the
    registered list comes first, and FILE is the list presented at the table.

    Examples:
      tourney deck diff registered.txt presented.txt
      tourney deck diff presented.txt --player Mira
      tourney deck diff old.txt new.txt --format redline/standard
    """
    if (second is None) == (player is None):
        raise click.UsageError("name two files, or one file and --player")
    rulesets = Rulesets(session, (name,) if name else ())
    rules = rulesets.ruleset(name) if name else rulesets.event_rules
    before: str | bytes
    if player is not None:
        with session.desk() as desk:
            before, after = desk.deck_text(player), session.read(first)
        titles = (f"registered by {player}", source_of(first))
    else:
        assert second is not None
        before, after = session.read(first), session.read(second)
        titles = (source_of(first), source_of(second))
    card_changes = _difference((before, after), titles, rules)
    session.emit(
        documents.DeckDifference(
            first=titles[0], second=titles[1], same=not card_changes, changed=card_changes
        )
    )
    _show_difference(session, card_changes, titles)
    return Exit.FOUND if card_changes else None


def _difference(
    texts: tuple[str | bytes, str | bytes], titles: tuple[str, str], rules: Ruleset | None
) -> tuple[Changed, ...]:
    format_ = rules.format if rules else None
    first, second = (
        decklists.read(text, source=source, format_=format_)
        for text, source in zip(texts, titles, strict=True)
    )
    return decklists.difference(first, second, rules)


def _show_difference(session: Session, card_changes: tuple[Changed, ...], titles: tuple[str, str]) -> None:
    if not card_changes:
        session.say(f"{titles[1]} is the same deck as {titles[0]}")
        return
    session.say(f"{titles[1]} against {titles[0]}:\n")
    rows = [
        [f"{card.after - card.before:+d}", card.card, card.zone, f"{card.before} → {card.after}"]
        for card in card_changes
    ]
    session.table((), rows, right=(0,))
    removed_copies = sum(max(0, card.before - card.after) for card in card_changes)
    added_copies = sum(max(0, card.after - card.before) for card in card_changes)
    session.say(f"\n{added_copies} added, {removed_copies} removed")


# -- tourney deck hash: the fingerprint of a deck, and a commitment to it that reveals nothing


@command("hash", event=True)
@click.argument("files", nargs=-1, required=True, metavar="FILE|DIR|-...")
@format_option(
    "The format whose aliases and zones to use; by default the event's, or the one that the list names.",
    "-f",
    "--format",
    "name",
)
@flag("--commit", help="Print a salted commitment, and the salt to keep until the deck is shown.")
@click.option(
    "--opens",
    "commitment_text",
    metavar="COMMITMENT",
    help="Check whether this is the deck that was committed to (exit 1 if not); needs --salt.",
)
@click.option("--salt", metavar="HEX", help="The salt that belongs to the commitment.")
def hash_(
    session: Session,
    *,
    files: tuple[str, ...],
    name: str | None,
    commit: bool,
    commitment_text: str | None,
    salt: str | None,
) -> Exit | None:
    """Print a deck's hash.

    The order, comments and printings of a list do not change the hash.

    With --commit, the command prints a line for a player to hand in, and a salt to keep. The line reveals
    nothing about the deck, but with the salt, --opens proves later which deck it was.

    Examples:
      tourney deck hash ada.txt --format redline/standard
      tourney deck hash ada.txt --commit
      tourney deck hash ada.txt --opens 5f2c… --salt 91ab…
    """
    if (commitment_text is None) != (salt is None):
        raise click.UsageError("--opens and --salt must be used together")
    rulesets = Rulesets(session, (name,) if name else ())
    hashes = {file.source: _hash(rulesets, file.content(session), file.source) for file in deck_files(files)}
    if commitment_text is not None:
        salt_bytes = _bytes(salt or "")
        return _check_commitment(session, hashes, _whole_commitment(commitment_text), salt_bytes)
    rows = [_hashed_deck(session, source, digest, commit=commit) for source, digest in hashes.items()]
    session.emit(documents.HashedDecks(decks=tuple(rows)))
    for row in rows:
        session.say("  ".join(str(part) for part in (row.commitment, row.salt, row.hash, row.file) if part))
    if commit:
        session.talk(
            "hand in the commitment and keep the salt; later, "
            "`tourney deck hash FILE --opens COMMITMENT --salt SALT` proves that the deck is the same"
        )
    return None


def _hashed_deck(session: Session, source: str, digest: str, *, commit: bool) -> documents.HashedDeck:
    if not commit:
        return documents.HashedDeck(file=source, hash=digest)
    salt = session.entropy(SALT_BYTES)
    return documents.HashedDeck(file=source, commitment=commitment(digest, salt), salt=salt.hex())


def _check_commitment(
    session: Session, hashes: dict[str, str], commitment_text: str, salt: bytes
) -> Exit | None:
    decks = tuple(
        documents.OpenedDeck(file=source, opens=opens(commitment_text, digest, salt))
        for source, digest in hashes.items()
    )
    session.emit(documents.OpenedDecks(decks=decks))
    for deck in decks:
        session.say(f"{deck.file}: {'' if deck.opens else 'not '}the deck that was committed to")
    return None if all(deck.opens for deck in decks) else Exit.FOUND


def _whole_commitment(commitment_text: str) -> str:
    """Return a commitment in lower case. Raises TourneyError if it is not complete.

    The first digits alone prove nothing: a search could find another deck and salt with the same digits.
    """
    digits = commitment_text.strip().lower()
    if not re.fullmatch(r"[0-9a-f]{64}", digits):
        raise TourneyError(
            "--opens: expected a whole commitment of 64 hexadecimal digits",
            "copy the whole text that `tourney deck hash FILE --commit` printed",
        )
    return digits


def _bytes(salt: str) -> bytes:
    try:
        return bytes.fromhex(salt)
    except ValueError:
        raise TourneyError(f"--salt: `{salt}` is not hexadecimal") from None


def _hash(rulesets: Rulesets, content: bytes, source: str) -> str:
    _, rules = next(rulesets.of_list(content, source))
    decklist = decklists.read(content, source=source, format_=rules.format)
    return decklists.resolve(decklist, rules).hash


# -- tourney deck history: the periods in which a list was legal, and the next change


_MOST_REASONS = 3


@command("history")
@click.argument("file", metavar="FILE|-")
@format_option("The format; by default the one that the list names.", "-f", "--format", "name")
@trust_declared
def history(session: Session, file: str, name: str | None, trust_declared: bool) -> None:
    """Show when a list was legal, why it became illegal, and when its verdict changes next.

    The command considers every installed ban list of the format, past and future, and every rule of the
    format that has a first or a last day. It uses today's card pool.

    Examples:
      tourney deck history ada.txt --format red-diamond/standard
      tourney deck history ada.txt -f my.toml --json
    """
    rulesets = Rulesets(session, ())
    if Path(file).is_dir():
        raise TourneyError(f"{file}: name one list, not a folder")
    content = deck_files((file,))[0].content(session)
    name = name or rulesets.format_named(decklists.read(content, source=file).format)
    format_ = rulesets.library.format(name)
    days = set(days_of(format_))
    if format_.banlist:
        days.update(rulesets.library.banlist_days(format_.banlist))
    decklist = decklists.read(content, source=file, format_=format_)
    periods = history_of(
        decklist, lambda day: rulesets.on_day(name, day), days, trust_declared=trust_declared
    )
    today = session.now().date()
    session.emit(documents.DeckHistory(file=file, format=format_.id, on=today, periods=periods))
    session.say(_history_lines(periods, today))


def _history_lines(periods: Sequence[Period], today: date) -> Iterator[str]:
    for period in periods:
        first = period.first.isoformat() if period.first else "the start"
        last = period.last.isoformat() if period.last else "further notice"
        now = "  (now)" if _contains(period, today) else ""
        yield f"from {first:<10} to {last:<14} {color_word(period.verdict)}{now}"
        for finding in period.findings[:_MOST_REASONS]:
            yield f"    {', '.join(finding.subjects[:3])}: {finding.message} [{finding.rule}]"
        if len(period.findings) > _MOST_REASONS:
            yield f"    and {len(period.findings) - _MOST_REASONS} more"
    yield ""
    yield _outlook(periods, today)


def _contains(period: Period, day: date) -> bool:
    return (period.first is None or period.first <= day) and (period.last is None or day <= period.last)


def _outlook(periods: Sequence[Period], today: date) -> str:
    """Return the next day on which the verdict changes, as a sentence."""
    current = next(period for period in periods if _contains(period, today))
    for period in periods:
        if period.first and period.first > today and period.verdict != current.verdict:
            return f"it will be {period.verdict} from {period.first.isoformat()}"
    return f"no announced change affects the list: it stays {current.verdict}"
