"""Runs of a simulation spread over the cores of this machine, or over a cluster of others: the same counts as of one alone."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Iterator
from concurrent.futures import CancelledError, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from tourney import __version__
from tourney.errors import TourneyError
from tourney.forecast.simulation import Chances, Counts, Position, Simulation
from tourney.pairing.pairers import DutchPairer
from tourney.store import fide
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from distributed import Client

_PART, _SLOW_PART = 25, 2
"""Runs that a worker is given at a time: a second's work at most in all but the largest events, so that the bar moves.
Fewer where another program pairs them."""

_PATIENCE = 20
"""Seconds in which a scheduler has to answer, and the first of its workers."""


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Runs to be played, and by whom.

    runs:      how many; they are numbered from 0
    jobs:      processes on this machine; None: one for each of its cores. One plays in this process
    scheduler: address of a dask scheduler whose workers play instead
    """

    position: Position
    chances: Chances
    seed: str
    runs: int
    jobs: int | None = None
    scheduler: str | None = None

    @property
    def parts(self) -> list[range]:
        """The runs as they are handed out; nothing but the speed hangs on it."""
        part = _SLOW_PART if any(each.pairer.slow for each in self.position.coming) else _PART
        return [range(first, min(first + part, self.runs)) for first in range(0, self.runs, part)]

    def played(self) -> Iterator[Counts]:
        """Give the counts of each part as it is ready, in any order: they add up to the same.

        Raises TourneyError as the simulation does, and where the scheduler or its workers cannot be had.
        """
        if self.scheduler is not None:
            return self._on_cluster(self.scheduler)
        jobs = min(self.jobs or cores(), len(self.parts))
        return self._in_processes(jobs) if jobs > 1 else self._alone()

    def _alone(self) -> Iterator[Counts]:
        simulation = Simulation(self.position, self.chances)
        return (simulation.play(self.seed, part) for part in self.parts)

    def _in_processes(self, jobs: int) -> Iterator[Counts]:
        # `spawn` is what every system has; a forked child would share this process' threads and open files.
        pool = ProcessPoolExecutor(
            jobs, get_context("spawn"), initializer=_begin, initargs=(self.position, self.chances)
        )
        try:
            futures = [pool.submit(_play_part, self.seed, part) for part in self.parts]
            for future in as_completed(futures):
                yield future.result()
        except BrokenProcessPool:
            raise TourneyError(
                "a process that played runs was ended from outside (too little memory?)",
                "`--jobs 1` plays them in one process",
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)

    def _on_cluster(self, address: str) -> Iterator[Counts]:
        engine = _engine_of(self.position)
        with _client(address, engine) as client:
            given = client.scatter(Simulation(self.position, self.chances), broadcast=True, hash=False)
            from distributed import KilledWorker
            from distributed import as_completed as ready

            futures = [
                client.submit(_play_part_of, given, self.seed, part.start, part.stop, pure=False)
                for part in self.parts
            ]
            try:
                for future in ready(futures):
                    yield future.result()
            except (KilledWorker, CancelledError, OSError):
                raise TourneyError(
                    f"the scheduler at `{address}`, or the last of its workers, went away",
                    "the same line once more gives the answer; without --scheduler this machine does",
                ) from None


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# -- In a worker


_simulation: Simulation | None = None


def _begin(position: Position, chances: Chances) -> None:
    """Prepare a process of this machine. A Ctrl-C is answered by the process that has the terminal."""
    global _simulation  # noqa: PLW0603 - what a process was started for is handed to it once
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _simulation = Simulation(position, chances)


def _play_part(seed: str, runs: range) -> Counts:
    assert _simulation is not None
    return _simulation.play(seed, runs)


def _play_part_of(simulation: Simulation, seed: str, first: int, end: int) -> Counts:
    return simulation.play(seed, range(first, end))


# -- A cluster


def _engine_of(position: Position) -> str:
    """Return name and version of the engine that pairs rounds to come; empty where it is our own."""
    return next((each.pairer.version for each in position.coming if isinstance(each.pairer, DutchPairer)), "")


@contextmanager
def _client(address: str, engine: str) -> Iterator[Client]:
    """Meet a scheduler whose workers have this version, and the same engine. Raises TourneyError where they cannot be met."""
    try:
        from distributed import Client
    except ImportError:
        raise TourneyError(
            "runs are spread over other machines by dask, which is not installed",
            "`pip install 'tourney[cluster]'`, or leave out --scheduler",
        ) from None
    for name in ("distributed", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    # Asked first whether it is one: dask's client waits for ever for whoever takes a connection and says nothing.
    why_not = asyncio.run(_why_no_scheduler(address))
    try:
        client = Client(address, timeout=_PATIENCE) if not why_not else None
    except (OSError, ValueError) as fault:
        client, why_not = None, _first_line(fault)
    if client is None:
        raise TourneyError(
            f"no scheduler answers at `{address}` ({why_not})",
            "`dask scheduler` starts one and says its address",
        )
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
            # a function of Python's own, which a worker without the program has, too
            versions = set(client.run(resolve_name, "tourney:__version__").values())
        except TimeoutError:
            raise TourneyError(
                f"the scheduler at `{address}` has no workers", f"`dask worker {address}` starts one"
            ) from None
        except ImportError as fault:
            raise TourneyError(
                f"a worker of the scheduler at `{address}` has no tourney ({fault})",
                "`pip install 'tourney[cluster]'` on each machine",
            ) from None
        if versions != {__version__}:
            raise TourneyError(
                f"a worker of the scheduler at `{address}` has another tourney than this one ({__version__}): "
                f"{', '.join(sorted(versions - {__version__}))}",
                "the same counts come of the same version alone",
            )
        if engine:
            engines = set(client.run(fide.version).values())
            if engines != {engine}:
                others = listed(sorted(each or "none" for each in engines - {engine}))
                raise TourneyError(
                    f"a worker of the scheduler at `{address}` has another engine of the Dutch system than this one ({engine}): "
                    f"{others}",
                    "`pip install 'tourney[fide]'` on each machine",
                )
        yield client


async def _why_no_scheduler(address: str) -> str:
    """Say why dask can ask no scheduler at an address; empty: it can. It is asked once, and not for longer than it has."""
    from distributed.comm import CommClosedError, get_address_host_port
    from distributed.core import rpc
    from distributed.security import Security

    another = "what answers there is none"
    arguments = Security().get_connection_args("client")
    try:
        get_address_host_port(address)
    except (TypeError, ValueError) as fault:
        return _first_line(fault)
    if address.startswith(("tls:", "wss:")) and not arguments["ssl_context"]:
        return "dask's own settings name no certificate"
    try:
        async with (
            asyncio.timeout(_PATIENCE),
            rpc(address, timeout=_PATIENCE, connection_args=arguments) as server,
        ):
            return "" if (await server.identity())["type"] == "Scheduler" else another
    except TimeoutError:
        return f"no answer within {counted(_PATIENCE, 'second')}"
    except CommClosedError:
        return another
    except OSError as fault:
        return _first_line(fault)
    except Exception:  # noqa: BLE001 - bytes that are not dask's break its reading anyhow: too long, no number, no text …
        return another


def _first_line(fault: Exception) -> str:
    return next(iter(str(fault).splitlines()), type(fault).__name__)[:80]
