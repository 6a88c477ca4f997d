"""An HTTP server that answers like OpenAI's, and misbehaves as a script says."""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSIONS = 4


def vector_of(text: str) -> list[float]:
    """A vector that only the text decides."""
    digest = hashlib.sha256(text.encode()).digest()
    return [1 + byte for byte in digest[:DIMENSIONS]]


@dataclass
class Script:
    """What the server does with its next requests, and what it was asked.

    ``answers`` are used up one a request; then it answers as it should. An answer is a status, a
    tuple of status, headers and body, or the name of a way to misbehave. ``minds`` is the answer to
    every request with a text that holds the word. ``vector`` makes the vectors of ``model``. While ``open`` is not set, nobody gets an answer.
    """

    answers: list[Any] = field(default_factory=list)
    asked: list[list[str]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    minds: dict[str, Any] = field(default_factory=dict)
    vector: Callable[[str], list[float]] = vector_of
    model: str = "one"
    open: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)


def _good(texts: list[str], script: Script) -> dict[str, Any]:
    rows = [{"index": n, "embedding": script.vector(text)} for n, text in enumerate(texts)]
    return {"data": rows, "model": script.model, "usage": {"total_tokens": len(texts)}}


def _misbehaved(kind: str, texts: list[str], script: Script) -> bytes:
    answer = _good(texts, script)
    rows = answer["data"]
    if kind == "broken JSON":
        return json.dumps(answer).encode()[:-5]
    if kind == "no JSON object":
        return b"[]"
    if kind == "wrong length":
        rows[0]["embedding"] = [1.0]
    elif kind == "NaN":
        rows[0]["embedding"][0] = float("nan")
    elif kind == "one short":
        rows.pop()
    elif kind == "reordered":
        rows.reverse()
    elif kind == "zeros":
        rows[0]["embedding"] = [0.0] * DIMENSIONS
    return json.dumps(answer).encode()


@contextmanager
def serving() -> Iterator[tuple[str, Script]]:
    """The address of a server that runs meanwhile, and its script."""
    script = Script()
    script.open.set()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            texts = body["input"]
            with script.lock:
                script.asked.append(texts)
                script.keys.append(self.headers.get("Authorization"))
                planned = script.answers.pop(0) if script.answers else "good"
            for word, answer in script.minds.items():
                if any(word in text for text in texts):
                    planned = answer
            script.open.wait(60)
            self._answer(planned, texts)

        def _answer(self, planned: Any, texts: list[str]) -> None:
            if planned == "hang up":
                self.close_connection = True
                self.connection.close()
                return
            if planned == "slow":
                time.sleep(0.3)
            if isinstance(planned, tuple):
                self._send(*planned)
            elif isinstance(planned, int):
                self._send(planned, {}, b'{"error": {"message": "no"}}')
            else:
                self._send(200, {}, _misbehaved(planned, texts, script))

        def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Stay quiet."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64

        def handle_error(self, *_: Any) -> None:
            """A client that was killed does not read its answer."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", script
    finally:
        script.open.set()
        server.shutdown()
        server.server_close()
