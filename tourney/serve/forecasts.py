"""Calculate in a separate process what players need for the cut.

No page has to wait for the calculation. The process starts with the first question and ends with the server.
If it does not answer in time, it is stopped, and the next question starts a new process.
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

PATIENCE, TIMEOUT = 15.0, 180.0
"""The most processor time for an answer, and the longest wait for it, in seconds."""

NICENESS = 19
"""The lowest priority, because pages are more important."""


class ForecastProcess:
    """Calculates what players need to make the cut, in a separate process.

    It answers one question at a time.

    timeout: seconds to wait for an answer
    """

    def __init__(self, timeout: float = TIMEOUT) -> None:
        self.timeout = timeout
        self._thread = ThreadPoolExecutor(1, "forecasts")
        self._working: tuple[SpawnProcess, Connection] | None = None
        self._stopped = False

    async def answer(self, question: NeedsQuestion) -> NeedsView:
        """Return what players need to make the cut.

        If the calculation takes too long, return a view with `unsaid="late"`.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answer, question)

    def _answer(self, question: NeedsQuestion) -> NeedsView:
        if not self._stopped:
            with suppress(OSError, EOFError):  # the process was ended from outside, or by `stop`
                connection = self._connect()
                connection.send(question)
                if connection.poll(self.timeout):
                    view = connection.recv()
                    assert isinstance(view, NeedsView)
                    return view
            self._end()
        return NeedsView(cut=question.question.cut, at=question.at, unsaid="late")

    def _connect(self) -> Connection:
        """Return the connection to the process that calculates, which is started if necessary."""
        if self._working is None:
            context = get_context("spawn")  # a forked child would share this process' threads and open files
            own_end, child_end = context.Pipe()
            process = context.Process(target=_work, args=(child_end, NICENESS), daemon=True, name="forecasts")
            process.start()
            child_end.close()
            self._working = process, own_end
        return self._working[1]

    def _end(self) -> None:
        if self._working is not None:
            process, connection = self._working
            self._working = None
            process.kill()
            process.join()
            connection.close()

    async def stop(self) -> None:
        """Stop the process, even while it calculates an answer."""
        self._stopped = True
        if self._working is not None:
            self._working[0].kill()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._end)
        self._thread.shutdown()


def _work(connection: Connection, niceness: int) -> None:
    """Answer questions about what players need to make the cut, until the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    if hasattr(os, "nice"):
        os.nice(niceness)
    with suppress(EOFError, BrokenPipeError):
        while True:
            connection.send(answer(connection.recv(), PATIENCE))
