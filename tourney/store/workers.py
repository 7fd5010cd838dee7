"""Run a simulation in several processes, on this machine or on others.

A simulation plays the rest of an event many times (the runs) and counts the results. The counts are the same
for any number of processes.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Iterator
from concurrent.futures import CancelledError, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from msgspec import Struct

from tourney import __version__
from tourney.errors import TourneyError
from tourney.forecast.shares import Counts
from tourney.forecast.simulation import Chances, Position, Simulation
from tourney.pairing.pairers import DutchPairer
from tourney.store import fide
from tourney.wording import counted, listed

if TYPE_CHECKING:
    from distributed import Client

_PART, _SLOW_PART = 25, 2
"""The number of runs that a worker process gets at a time.

The second number applies if an external engine pairs the rounds. Except in the largest events, these runs
take at most a second, so that the progress bar moves.
"""

_PATIENCE = 20
"""How many seconds to wait for the scheduler, and for its first worker."""


class Spread(Struct, frozen=True, kw_only=True):
    """The runs to play, and the processes that play them.

    runs:      the number of runs; they are numbered from 0
    jobs:      the number of processes on this machine; by default, one for each core. With 1, this process
               plays the runs
    scheduler: the address of a dask scheduler whose workers play the runs instead
    """

    position: Position
    chances: Chances
    seed: str
    runs: int
    jobs: int | None = None
    scheduler: str | None = None

    @property
    def parts(self) -> list[range]:
        """The runs, divided into the parts that workers get."""
        part = _SLOW_PART if any(round_.pairer.slow for round_ in self.position.coming) else _PART
        return [range(first, min(first + part, self.runs)) for first in range(0, self.runs, part)]

    def played(self) -> Iterator[Counts]:
        """Play all runs of the simulation in parts, and yield the counts of each finished part.

        The parts can finish in any order.

        Raises TourneyError if the scheduler or its workers cannot be reached, and the errors of the
        simulation.
        """
        if self.scheduler is not None:
            return self._on_cluster(self.scheduler)
        jobs = min(self.jobs or cores(), len(self.parts))
        if jobs > 1:
            return self._in_processes(jobs)
        return map(partial(Simulation(self.position, self.chances).play, self.seed), self.parts)

    def _in_processes(self, jobs: int) -> Iterator[Counts]:
        # Every system supports `spawn`. A forked child would share this process's threads and open files.
        pool = ProcessPoolExecutor(
            jobs, get_context("spawn"), initializer=_begin, initargs=(self.position, self.chances)
        )
        try:
            futures = [pool.submit(_play_part, self.seed, part) for part in self.parts]
            for future in as_completed(futures):
                yield future.result()
        except BrokenProcessPool:
            raise TourneyError(
                "a simulating process was killed (too little memory?)",
                "`--jobs 1` plays all runs in one process",
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)

    def _on_cluster(self, address: str) -> Iterator[Counts]:
        pairers = (round_.pairer for round_ in self.position.coming)
        # The name and version of the external engine that pairs future rounds.
        engine = next((pairer.version for pairer in pairers if isinstance(pairer, DutchPairer)), "")
        with _client(address, engine) as client:
            from distributed import KilledWorker
            from distributed import as_completed as completed

            simulation = client.scatter(Simulation(self.position, self.chances), broadcast=True, hash=False)
            futures = [
                client.submit(Simulation.play, simulation, self.seed, part, pure=False) for part in self.parts
            ]
            try:
                for future in completed(futures):
                    yield future.result()
            except (KilledWorker, CancelledError, OSError):
                raise TourneyError(
                    f"lost the scheduler at `{address}`, or the last of its workers",
                    "run it again, or without --scheduler",
                ) from None


def cores() -> int:
    """Return the number of cores that this process can use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# -- In a worker


_simulation: Simulation | None = None


def _begin(position: Position, chances: Chances) -> None:
    """Prepare a worker process, which ignores Ctrl-C.

    Only the process that has the terminal reacts to Ctrl-C.
    """
    global _simulation  # noqa: PLW0603 - a process gets its position once, not with each part
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _simulation = Simulation(position, chances)


def _play_part(seed: str, runs: range) -> Counts:
    assert _simulation is not None
    return _simulation.play(seed, runs)


# -- A cluster


@contextmanager
def _client(address: str, engine: str) -> Iterator[Client]:
    """Provide a client of a dask scheduler, and check the versions that its workers have.

    engine: the name and version of the pairing engine that the workers need; can be empty

    Raises TourneyError if the scheduler cannot be reached or its workers have other versions.
    """
    try:
        from distributed import Client
    except ImportError:
        raise TourneyError(
            "running on other machines needs dask, which is not installed",
            "`pip install 'tourney[cluster]'`, or leave out --scheduler",
        ) from None
    for name in ("distributed", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    # dask's client would wait forever for a server that accepts the connection and sends nothing.
    fault = asyncio.run(_why_no_scheduler(address))
    try:
        client = None if fault else Client(address, timeout=_PATIENCE)
    except (OSError, ValueError) as raised:
        client, fault = None, _first_line(raised)
    if client is None:
        raise TourneyError(
            f"no scheduler answers at `{address}` ({fault})",
            "`dask scheduler` starts a scheduler and prints its address",
        )
    with client:
        versions = {f"tourney {__version__}", engine} - {""}
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
            # resolve_name is part of Python, so even a worker without tourney has it.
            answers = client.run(resolve_name, "tourney:__version__")
            worker_versions = {f"tourney {version}" for version in answers.values()}
            if engine and worker_versions <= versions:
                answers = client.run(fide.version)
                worker_versions |= {version or "no Dutch engine" for version in answers.values()}
        except TimeoutError:
            raise TourneyError(
                f"the scheduler at `{address}` has no workers", f"`dask worker {address}` starts one"
            ) from None
        except ImportError as missing:
            raise TourneyError(
                f"a worker of the scheduler at `{address}` does not have tourney installed ({missing})",
                "`pip install 'tourney[cluster]'` on each machine",
            ) from None
        if other_versions := sorted(worker_versions - versions):
            raise TourneyError(
                f"a worker of the scheduler at `{address}` has {listed(other_versions)}, "
                f"but this machine has {listed(sorted(versions))}",
                "install the same versions on each machine (`pip install 'tourney[cluster,fide]'`); "
                "other versions may give other counts",
            )
        yield client


async def _why_no_scheduler(address: str) -> str:
    """Return why an address has no dask scheduler; empty if a scheduler answers.

    Waits at most `_PATIENCE` seconds.
    """
    from distributed.comm import CommClosedError
    from distributed.core import rpc
    from distributed.security import Security

    try:
        arguments = Security().get_connection_args("client")
        async with (
            asyncio.timeout(_PATIENCE),
            rpc(address, timeout=_PATIENCE, connection_args=arguments) as server,
        ):
            if (await server.identity())["type"] == "Scheduler":
                return ""
    except TimeoutError:
        return f"no answer within {counted(_PATIENCE, 'second')}"
    except CommClosedError:
        pass
    except (OSError, ValueError, TypeError, RuntimeError) as fault:
        return _first_line(fault)
    except Exception:  # noqa: BLE001, S110 - bytes of another protocol break dask in many ways
        pass
    return "another program answers there"


def _first_line(fault: Exception) -> str:
    return next(iter(str(fault).splitlines()), type(fault).__name__)[:80]
