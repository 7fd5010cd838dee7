"""What players need for the cut, worked out beside the server: it is seconds of computing, and no page is to wait for it.

One process does it, begun when it is asked for the first time and ended with the server. What it does not answer in time
is not worked out: the process is ended, and the next question has another.
"""

from __future__ import annotations

import asyncio
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from typing import TYPE_CHECKING

from tourney.desk.forecasting import NeedsQuestion, answer
from tourney.event.view import NeedsView

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

PATIENCE, GIVES_UP = 15.0, 180.0
"""Seconds of computing after which the process says what it has found, and seconds after which nobody waits for it any more."""


class Foreteller:
    """Answers one question after the other. gives_up: seconds after which it is not waited for."""

    def __init__(self, gives_up: float = GIVES_UP) -> None:
        self.gives_up = gives_up
        self._thread = ThreadPoolExecutor(1, "foreteller")
        self._working: tuple[SpawnProcess, Connection] | None = None
        self._stopped = False

    async def answer(self, asked: NeedsQuestion) -> NeedsView:
        """Answer; a view that says that it took too long, where it did."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answered, asked)

    def _answered(self, asked: NeedsQuestion) -> NeedsView:
        if not self._stopped:
            with suppress(OSError, EOFError):  # the process was ended from outside, or by `stop`
                line = self._line()
                line.send(asked)
                if line.poll(self.gives_up):
                    told = line.recv()
                    assert isinstance(told, NeedsView)
                    return told
            self._end()
        return NeedsView(cut=asked.question.cut, at=asked.at, unsaid="late")

    def _line(self) -> Connection:
        """Return the line to the process, which is begun where there is none."""
        if self._working is None:
            context = get_context("spawn")  # a forked child would share this process' threads and open files
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(there,), daemon=True, name="foreteller")
            process.start()
            there.close()
            self._working = process, here
        return self._working[1]

    def _end(self) -> None:
        if self._working is not None:
            process, line = self._working
            self._working = None
            process.kill()
            process.join()
            line.close()

    async def stop(self) -> None:
        """End the process, whatever it is at."""
        self._stopped = True
        if self._working is not None:
            self._working[0].kill()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._end)
        self._thread.shutdown()


def _work(line: Connection) -> None:
    """Answer until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # that is for the server, which ends this one
    if hasattr(os, "nice"):
        os.nice(19)  # it has what is left of the processor by whoever serves pages
    with suppress(EOFError, BrokenPipeError):
        while True:
            line.send(answer(line.recv(), PATIENCE))
