"""Check all data of a library for errors: pools, ban lists, formats with examples, profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import partial
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

import tourney.decks as decklists
from tourney.cards.names import nearest, suggestion
from tourney.cards.pool import lint_pool
from tourney.document import Document
from tourney.errors import Finding, Severity, TourneyError
from tourney.rules.banlist import BanList
from tourney.rules.format import Format
from tourney.store.data import DataFile, Library
from tourney.store.files import display_path


class CheckedData(Struct, frozen=True):
    """A piece of data that was checked.

    what: the kind of data: `pool`, `ban list`, `format` or `profile`
    name: the name of the pool, list, format or profile
    size: the amount of content, in words (`12 examples`)
    findings: the problems in the data
    """

    what: str
    name: str
    size: str
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        """Whether the data has no findings, or only advice."""
        return all(finding.severity is Severity.ADVICE for finding in self.findings)


class DataChecks(Document, frozen=True, tag="tourney.pool-check/1"):
    """What `tourney pool check --json` prints.

    sound: whether the data has no errors; advice is ignored
    checked: each piece of data that was checked, with its findings
    """

    sound: bool
    checked: tuple[CheckedData, ...]

    @classmethod
    def of(cls, pieces: Iterable[CheckedData]) -> DataChecks:
        """Return the document about the results of `check_library`."""
        data = tuple(pieces)
        return cls(sound=all(one.sound for one in data), checked=data)


def check_library(library: Library, day: date, names: Iterable[str] = ()) -> Iterator[CheckedData]:
    """Check all data, or only that of the games `names`, and yield each piece with its findings.

    day: the date on which examples without a date are judged

    Data that cannot be read becomes a finding, so that everything else is still checked. Raises TourneyError
    for an unknown game.
    """
    games = frozenset(names)
    all_games = library.games() | {name.partition("/")[0] for name in library.banlist_names()}
    if unknown_games := sorted(games - all_games):
        near = nearest(unknown_games[0], all_games)
        question = f"; did you mean `{near}`?" if near else ""
        raise TourneyError(
            f"there is no game `{unknown_games[0]}`{question}",
            f"the games are {', '.join(sorted(all_games))}",
        )

    def is_wanted(piece: str) -> bool:
        return not games or piece.partition("/")[0] in games

    for pool in filter(is_wanted, library.pools()):
        yield _check_piece("pool", pool, partial(_pool, library, pool))
    for banlist in filter(is_wanted, library.banlist_names()):
        yield _check_piece("ban list", banlist, partial(_banlists, library, banlist))
    for name in filter(is_wanted, library.formats()):
        yield _check_piece("format", name, partial(_format, library, name, day))
    for name in library.profiles() if not games else ():
        yield _check_piece("profile", name, partial(_profile, library, name))


_Part = tuple[str, Iterable[Finding]]


def _check_piece(kind: str, name: str, check: Callable[[], _Part]) -> CheckedData:
    try:
        size, findings = check()
        return CheckedData(kind, name, size, tuple(findings))
    except TourneyError as fault:
        return CheckedData(kind, name, "not readable", (_error(kind, fault.message, hint=fault.hint),))


def _error(rule: str, message: str, *subjects: str, hint: str | None = None) -> Finding:
    return Finding(rule=rule, severity=Severity.ERROR, message=message, subjects=subjects, hint=hint)


# -- pools


def _pool(library: Library, name: str) -> _Part:
    files = library.find_pool(name)
    source = display_path(files.path)
    folder = source.removesuffix("pool.toml")
    findings = tuple(
        finding if finding.message.startswith(source) else replace(finding, message=folder + finding.message)
        for finding in lint_pool(files.head, files.sets, source=source)
    )
    if any(finding.severity is Severity.ERROR for finding in findings):
        return "faulty", findings
    pool = library.pool(name)
    if pool.game != name:
        findings += (
            _error(
                "pool-file", f"{display_path(files.path)}: game: `{pool.game}`, but its folder is `{name}`"
            ),
        )
    return f"{len(pool)} cards, {'complete' if pool.complete else 'open'}", findings


# -- ban lists and pools to install


def refuse_objections(objections: tuple[str, ...], message: str, *, accept: bool) -> None:
    """Raise TourneyError if there are objections to new data, unless the user accepts them."""
    if objections and not accept:
        raise TourneyError(
            f"{message}: {'; '.join(objections)}", "check it, then add `--accept` to install it anyway"
        )


# -- ban lists


def _banlists(library: Library, name: str) -> _Part:
    days = library.banlist_days(name)
    lists = [(file, library.read_banlist(file)) for file in (library.banlist_file(name, day) for day in days)]
    game = name.partition("/")[0]
    findings = [finding for file, banlist in lists for finding in _list_faults(library, game, file, banlist)]
    return f"{len(days)} dates" if len(days) != 1 else "1 date", [*findings, *_order_faults(lists)]


def _list_faults(library: Library, game: str, file: DataFile, banlist: BanList) -> Iterator[Finding]:
    if game not in library.pools():
        yield _error("list-game", f"{file.source}: there is no card pool of the game `{game}`")
        return
    if banlist.announced and banlist.announced > banlist.day:
        fault = f"announced {banlist.announced}, after the day it takes effect"
        yield _error("list-date", f"{file.source}: {fault}")
    yield from (
        _error("list-card", f"{file.source}: {fault}") for fault in unknown_cards(library, game, banlist)
    )
    yield from list_words(library, game, banlist)


def unknown_cards(library: Library, game: str, banlist: BanList) -> Iterator[str]:
    """Yield a message for each name on a ban list that is not in the game's pool.

    Names are checked only if the pool is complete; an open pool may lack cards.
    """
    pool = library.pool(game)
    for name in banlist.names() if pool.complete else ():
        if name not in pool:
            near = pool.near(name, limit=1)
            yield "; ".join(filter(None, (f"`{name}` is not a card", suggestion(name, near))))


def list_words(library: Library, game: str, banlist: BanList) -> Iterator[Finding]:
    """Yield a finding for each misspelt word in the conditions of a ban list.

    Most words are checked only if the pool is complete: a word that none of its cards has is misspelt.
    """
    from tourney.rules.bounds import PlacedExpression
    from tourney.rules.proofread import Spelling

    conditions = [
        PlacedExpression(condition.where, f"{banlist.source}: where[{number}].where")
        for number, condition in enumerate(banlist.wheres)
    ]
    yield from Spelling(library.pool(game)).faults(conditions)


def _order_faults(lists: list[tuple[DataFile, BanList]]) -> Iterator[Finding]:
    """Yield a finding if a ban list takes effect before a list that was announced earlier.

    One of the dates is then a typing error.
    """
    dated_lists = [(file, banlist) for file, banlist in lists if banlist.announced]
    for (_, earlier), (file, later) in pairwise(dated_lists):
        if earlier.announced and later.announced and later.announced < earlier.announced:
            fault = f"announced {later.announced}, before the list of {earlier.day} ({earlier.announced})"
            yield _error("list-date", f"{file.source}: {fault}")


# -- formats


def _format(library: Library, name: str, day: date) -> _Part:
    format_ = library.format(name)
    findings = [*_format_faults(library, name, format_), *_example_faults(library, format_, day)]
    number = len(format_.examples)
    return f"{number} examples" if number != 1 else "1 example", findings


def _format_faults(library: Library, name: str, format_: Format) -> Iterator[Finding]:
    if format_.id != name:
        yield _error(
            "format-id", f"{format_.source}: format.id: `{format_.id}`, but the file's path says `{name}`"
        )
    if format_.standings.profile not in library.profiles():
        yield _error(
            "profile", f"{format_.source}: standings.profile: there is no `{format_.standings.profile}`"
        )
    from tourney.rules.proofread import remarks_on, unused_settings

    yield from remarks_on(format_, library.pool_of(format_))
    yield from unused_settings(format_)


def _example_faults(library: Library, format_: Format, day: date) -> Iterator[Finding]:
    from tourney.rules.ruleset import Ruleset

    pool = library.pool_of(format_)

    def rules_on(example_day: date | None) -> Ruleset:
        rules_day = example_day or day
        banlist = library.banlist(format_.banlist, rules_day) if format_.banlist else None
        return Ruleset(format_, banlist, pool, rules_day)

    rules_on(None)  # a format without examples must still fit its pool
    for example in decklists.run_examples(format_, rules_on):
        for fault in example.faults:
            yield _error("example", f"{example.place}: `{example.name}`: {fault}")


# -- profiles


def _profile(library: Library, name: str) -> _Part:
    library.profile(name)
    return "", ()
