"""What the commands share that fetch from the network: their options, the fetcher, what is said when nothing came."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tourney.cli.options import F

if TYPE_CHECKING:
    from tourney.cli.session import Session
    from tourney.store.fetching import Fetcher, FetchOutcome


def fetch_options(function: F) -> F:
    """Add `--accept` and `--insecure`."""
    function = click.option(
        "--insecure", is_flag=True, help="Allow http, and https servers whose certificate nobody vouches for."
    )(function)
    return click.option(
        "--accept", is_flag=True, help="Take it even if it looks wrong: empty, shrunk, unknown names."
    )(function)


def fetcher(session: Session, *, accept: bool, insecure: bool) -> Fetcher:
    """Return the fetcher of this session."""
    from tourney.store.fetching import Fetcher
    from tourney.store.http import Http

    return Fetcher(library=session.library(), http=Http(insecure=insecure), now=session.now(), accept=accept)


def say_offline(session: Session, outcome: FetchOutcome, what: str) -> None:
    """Say that the copy that is here serves: because nothing changed, or because nobody answered."""
    if outcome.offline:
        session.warn(outcome.offline)
        session.changed(f"{what} serves as it was fetched {outcome.age}")
    else:
        session.changed(f"{what} has not changed since it was fetched {outcome.age}")
