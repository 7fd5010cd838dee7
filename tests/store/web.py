"""A local web server whose answers tests control: right, wrong, slow or none."""

from __future__ import annotations

import contextlib
import gzip
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field


@dataclass
class Request:
    """A client's request.

    The path, headers in small letters, how often the path was requested before, the verb (`GET`, `POST`),
    and the body.
    """

    path: str
    headers: dict[str, str]
    before: int
    verb: str = "GET"
    body: bytes = b""


Answer = Callable[[Request], Iterator[bytes]]


@dataclass
class Server:
    """Serves `answers` by path.

    Each part is sent at once; the end of an answer closes the connection.
    """

    tls: ssl.SSLContext | None = None
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[Request] = field(default_factory=list)

    def __post_init__(self):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._stopped = threading.Event()
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def url(self, path):
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}{path}"

    def stop(self):
        self._stopped.set()
        self._socket.close()

    def _serve(self):
        while not self._stopped.is_set():
            with contextlib.suppress(OSError):
                line, _ = self._socket.accept()
                threading.Thread(target=self._talk, args=(line,), daemon=True).start()

    def _talk(self, line):
        with contextlib.suppress(OSError), line, self._wrapped(line) as line:
            head = b""
            while b"\r\n\r\n" not in head:
                part = line.recv(65_536)
                if not part:
                    return
                head += part
            request = self._request(head)
            request.body = head.partition(b"\r\n\r\n")[2]
            while len(request.body) < int(request.headers.get("content-length", 0)):
                request.body += line.recv(65_536)
            self.asked.append(request)
            answer = self.answers.get(request.path, lambda _: text("nothing here", status="404 Not Found"))
            for part in answer(request):
                if self._stopped.is_set():
                    return
                line.sendall(part)
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def _wrapped(self, line):
        return self.tls.wrap_socket(line, server_side=True) if self.tls else contextlib.nullcontext(line)

    def _request(self, head):
        first, *rest = head.decode("latin-1").split("\r\n\r\n")[0].split("\r\n")
        verb, path = first.split(" ")[:2]
        headers = {
            name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in rest)
        }
        return Request(path, headers, sum(request.path == path for request in self.asked), verb)


def head(*headers, status="200 OK"):
    return ("\r\n".join([f"HTTP/1.1 {status}", *headers, "Connection: close"]) + "\r\n\r\n").encode()


def text(content, *headers, kind="text/plain", status="200 OK"):
    """A right answer with its length."""
    body = content if isinstance(content, bytes) else content.encode()
    yield head(f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers, status=status) + body


def tagged(contents):
    """Answer with the contents in turn (the last one repeatedly), each with an ETag."""

    def answer(request):
        content = contents[min(request.before, len(contents) - 1)]
        tag = f'"{hash(content)}"'
        if request.headers.get("if-none-match") == tag:
            yield head(f"ETag: {tag}", status="304 Not Modified")
        else:
            yield from text(content, f"ETag: {tag}")

    return answer


def zipped(content, *headers):
    body = gzip.compress(content)
    yield (
        head("Content-Type: text/plain", "Content-Encoding: gzip", f"Content-Length: {len(body)}", *headers)
        + body
    )


def certificate(folder):
    """Make an untrusted certificate for 127.0.0.1; None if openssl is not installed."""
    key, cert = folder / "key.pem", folder / "cert.pem"
    command = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
        "-out", cert,
    ]  # fmt: skip
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context, cert
