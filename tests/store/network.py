"""A network between desks and a server: two Linux namespaces and a wire that tests control.

Each namespace has a TUN device whose other end is this process: packets are passed on, delayed, or dropped.
The server can also be reached by its socket, so tests can check it whatever the wire does. Linux and root are
needed; elsewhere the tests are skipped and counted.
"""

import ctypes
import fcntl
import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from heapq import heappop, heappush
from itertools import count
from random import Random

import pytest

from tests.kit import NO_NETWORK
from tests.store.servers import started

SERVER, DESKS = "10.77.58.1", "10.77.58.2"
"""Their addresses on the wire."""

_NUMBERS = count()


class Namespace:
    """A network namespace and a thread in it; processes started there are in it, too."""

    def __init__(self, address: str) -> None:
        self.name = f"tourney-{os.getpid()}-{next(_NUMBERS)}"
        _ip("netns", "add", self.name)
        self._thread = ThreadPoolExecutor(1, self.name)
        try:
            self.device = self.run(self._entered)
            inside = ("-n", self.name)
            _ip(*inside, "addr", "add", f"{address}/24", "dev", "wire")
            _ip(*inside, "link", "set", "wire", "up")
            _ip(*inside, "link", "set", "lo", "up")
        except BaseException:
            self.remove()
            raise

    def _entered(self) -> int:
        """Enter the namespace with this thread only, and make the device."""
        libc = ctypes.CDLL(None, use_errno=True)
        there = os.open(f"/run/netns/{self.name}", os.O_RDONLY)
        if libc.setns(there, 0x40000000):  # CLONE_NEWNET
            raise OSError(ctypes.get_errno(), "setns")
        os.close(there)
        device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        # TUNSETIFF with IFF_TUN and IFF_NO_PI: packets as they are.
        fcntl.ioctl(device, 0x400454CA, struct.pack("16sH22x", b"wire", 0x1001))
        return device

    def run(self, act, *words):
        """Run a function in the namespace, and return its result."""
        return self._thread.submit(act, *words).result()

    def begin(self, act, *words):
        """Start a function in the namespace, and return a future."""
        return self._thread.submit(act, *words)

    def remove(self):
        """Delete the namespace."""
        self._thread.shutdown(wait=False)
        with suppress(AttributeError):
            os.close(self.device)
        _ip("netns", "delete", self.name)


def _ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Wire:
    """Passes packets between two namespaces.

    delay: seconds for each packet; loss: the fraction of packets lost; down: whether all are dropped;
    armed: cut the wire at the next COMMIT of a desk for `seconds`, `before` the server gets it or as soon
    as it is `sent`
    round_trips: how many times a desk sent something after the server did; acknowledgements do not count
    """

    def __init__(self, server: Namespace, desks: Namespace) -> None:
        self.delay, self.loss, self.down = 0.0, 0.0, False
        self.armed, self.seconds = "", 0.0
        self.round_trips, self._is_servers_turn = 0, False
        self._seen: set[bytes] = set()
        self._ends = {server.device: desks.device, desks.device: server.device}
        self._desks = desks.device
        self._dice = Random(20261123)
        self._over = False
        self._thread = threading.Thread(target=self._pass_on, daemon=True)
        self._thread.start()

    def arm(self, when: str, seconds: float) -> None:
        """Cut the wire at the next COMMIT, for so many seconds."""
        self.seconds, self.armed = seconds, when

    def cut(self, seconds: float) -> None:
        """Drop all packets for so many seconds."""
        self.down = True
        threading.Timer(seconds, self._mend).start()

    def _mend(self) -> None:
        self.down = False

    def _pass_on(self) -> None:
        on_the_way: list[tuple[float, int, int, bytes]] = []
        number = count()
        while not self._over:
            now = time.monotonic()
            while on_the_way and on_the_way[0][0] <= now:
                _, _, end, packet = heappop(on_the_way)
                with suppress(OSError):
                    os.write(end, packet)
            wait = min(0.1, on_the_way[0][0] - now) if on_the_way else 0.1
            for device in select.select([*self._ends], [], [], max(wait, 0))[0]:
                with suppress(OSError):
                    packet = os.read(device, 1 << 16)
                    if self._passes(device, packet):
                        heappush(
                            on_the_way,
                            (time.monotonic() + self.delay, next(number), self._ends[device], packet),
                        )

    def _count(self, device: int, packet: bytes) -> None:
        header = 4 * (packet[0] & 15)
        tcp = packet[header : int.from_bytes(packet[2:4], "big")]
        has_content, is_syn = len(tcp) > 4 * (tcp[12] >> 4), tcp[13] & 2
        # A packet that the kernel sends again has the same ports and the same number.
        if (has_content or is_syn) and tcp[:8] not in self._seen:
            self._seen.add(tcp[:8])
            self.round_trips += device == self._desks and not self._is_servers_turn
            self._is_servers_turn = device == self._desks

    def _passes(self, device: int, packet: bytes) -> bool:
        if packet[0] >> 4 == 4 and packet[9] == socket.IPPROTO_TCP:
            self._count(device, packet)
        if self.armed and device == self._desks and b"COMMIT\0" in packet:
            when, self.armed = self.armed, ""
            self.cut(self.seconds)
            return when == "sent"
        return not self.down and self._dice.random() >= self.loss

    def close(self) -> None:
        """Stop passing packets."""
        self._over = True
        self._thread.join()


class Network:
    """A server, desks, and the wire between them."""

    def __init__(self, server: Namespace, desks: Namespace) -> None:
        self.wire = Wire(server, desks)
        self.desks = desks
        self.server = server.run(lambda: started(listen_addresses=SERVER))
        hba = self.server.folder / "data" / "pg_hba.conf"
        rules = "host all guarded 10.77.58.0/24 scram-sha-256\nhost all all 10.77.58.0/24 trust\n"
        hba.write_text(hba.read_text(encoding="utf-8") + rules, encoding="utf-8")
        self.server.sql("SELECT pg_reload_conf()")

    def conninfo(self, database, user="owner", **more):
        """Return the settings of a connection to a database over the wire."""
        words = {"host": SERVER, "user": user, "dbname": database, **more}
        return " ".join(f"{key}={value}" for key, value in words.items())


@contextmanager
def network():
    """Yield a network; skip the test if none can be made."""
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("ip"):
        pytest.skip(f"{NO_NETWORK}: Linux, root and Debian's package `iproute2` make one")
    try:
        server = Namespace(SERVER)
    except (OSError, subprocess.CalledProcessError) as fault:
        pytest.skip(f"{NO_NETWORK}: {fault}")
    desks = Namespace(DESKS)
    try:
        made = Network(server, desks)
        try:
            yield made
        finally:
            made.server.remove()
            made.wire.close()
    finally:
        desks.remove()
        server.remove()
