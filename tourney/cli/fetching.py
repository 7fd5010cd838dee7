"""How `banlist fetch` and `pool fetch` fetch, and their answer if there is nothing new. The HTTP client loads slowly."""

from __future__ import annotations

from tourney.cli.session import Session
from tourney.store.fetching import Fetcher, FetchOutcome
from tourney.store.http import Http


def fetcher(session: Session, *, accept: bool, insecure: bool) -> Fetcher:
    """Return what fetches ban lists and pools into the library; see `options.fetch_options`."""
    return Fetcher(library=session.library(), http=Http(insecure=insecure), now=session.now(), accept=accept)


def show_unchanged(session: Session, outcome: FetchOutcome, what: str) -> None:
    """Show that the stored copy stays in use: it is the newest, or the server did not answer."""
    if outcome.offline:
        session.warn(outcome.offline)
        session.changed(f"{what} serves as it was fetched {outcome.age}")
    else:
        session.changed(f"{what} has not changed since it was fetched {outcome.age}")
