"""A small HTTP/1.1 server on the loopback address: what a test says is answered, every request is kept."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, NamedTuple


class Request(NamedTuple):
    """A request as the server got it."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


class Answer(NamedTuple):
    """What is sent back; `cut` resets the connection after that many bytes, `hang` waits before anything is sent."""

    status: int = 200
    body: str | bytes = ""
    headers: Mapping[str, str] = MappingProxyType({})
    cut: int | None = None
    hang: float = 0.0
    kind: str = "application/json"


Respond = Callable[[Request], Answer]

HTML = "<html><head><title>502</title></head><body>Bad gateway</body></html>"


def error(status: int, message: str = "no", **more: Any) -> Answer:
    """An error as all four vendors send it."""
    body = {"type": "error", "error": {"type": "some_error", "code": status, "message": message, **more}}
    return Answer(status, json.dumps(body))


class Loopback:
    """A server that is up while the `with` lasts."""

    def __init__(self, respond: Respond) -> None:
        self.respond = respond
        self.requests: list[Request] = []
        self.failures: list[BaseException] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> Loopback:
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        if self.failures and problem[0] is None:
            raise self.failures[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *_: Any) -> None:
                pass

            def do_GET(self) -> None:
                self._answer("GET")

            def do_POST(self) -> None:
                self._answer("POST")

            def _answer(self, method: str) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                body = json.loads(raw) if raw else None
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(method, self.path, headers, body)
                with server._lock:
                    server.requests.append(request)
                try:
                    answer = server.respond(request)
                except BaseException as problem:
                    server.failures.append(problem)
                    answer = Answer(
                        400, json.dumps({"error": {"message": f"{type(problem).__name__}: {problem}"}})
                    )
                self._send(answer)

            def _send(self, answer: Answer) -> None:
                if answer.hang and server.closing.wait(answer.hang):
                    return
                data = answer.body.encode() if isinstance(answer.body, str) else answer.body
                try:
                    self.send_response(answer.status)
                    for name, value in {"Content-Type": answer.kind, **answer.headers}.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    if answer.cut is None:
                        self.wfile.write(data)
                        return
                    self.wfile.write(data[: answer.cut])
                    self.wfile.flush()
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self.close_connection = True
                    self.connection.close()
                except OSError:
                    self.close_connection = True

        return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass
