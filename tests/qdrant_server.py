"""A small HTTP server that speaks Qdrant's REST interface, over the client's own memory mode.

No server binary can be had from a package index, so this checks what the client sends and reads.
It can be made to fail: `failing` is the status and body of every further answer.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from qdrant_client import QdrantClient, models


class QdrantServer:
    """Answers at ``address``; ``indexes`` has the fields that were indexed, by collection."""

    def __init__(self):
        self.client = QdrantClient(":memory:")
        self.indexes = {}
        self.failing = None
        self.headers = []
        self.lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"qdrant": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def close(self):
        self._http.shutdown()
        self._http.server_close()

    def answer(self, method, path, body):
        """The result of a request, as the server would give it."""
        name, *rest = path.removeprefix("/collections/").split("/")
        match (method, *rest):
            case ("GET", "exists"):
                return {"exists": self.client.collection_exists(name)}
            case ("GET",):
                found = self.client.get_collection(name).model_dump(mode="json")
                schema = {field: {"data_type": kind, "points": 0} for field, kind in self._of(name)}
                return found | {"payload_schema": schema}
            case ("PUT",):
                params = models.VectorParams(**body["vectors"])
                return self.client.create_collection(name, params)
            case ("PUT", "index"):
                self.indexes.setdefault(name, {})[body["field_name"]] = body["field_schema"]
            case ("PUT", "points"):
                points = [models.PointStruct(**point) for point in body["points"]]
                self.client.upsert(name, points)
            case ("POST", "points"):
                return _dumped(self.client.retrieve(name, body["ids"], with_payload=True))
            case ("POST", "points", "delete"):
                chosen = body.get("points") or _filter(body)
                self.client.delete(name, chosen)
            case ("POST", "points", "query"):
                found = self.client.query_points(
                    name,
                    query=body["query"]["nearest"],
                    limit=body["limit"],
                    query_filter=_filter(body),
                    score_threshold=body.get("score_threshold"),
                )
                return {"points": _dumped(found.points)}
            case ("POST", "points", "count"):
                return {"count": self.client.count(name, _filter(body)).count}
            case ("POST", "points", "scroll"):
                records, after = self.client.scroll(
                    name, _filter(body), limit=body["limit"], offset=body.get("offset")
                )
                return {"points": _dumped(records), "next_page_offset": after}
            case other:
                raise AssertionError(other)
        return {"operation_id": 1, "status": "completed"}

    def _of(self, name):
        return self.indexes.get(name, {}).items()


def _filter(body):
    found = body.get("filter")
    return models.Filter(**found) if found else None


def _dumped(records):
    return [record.model_dump(mode="json", exclude={"vector"}) for record in records]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _serve(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}")
        self.qdrant.headers.append(dict(self.headers))
        if self.qdrant.failing is not None:
            self._send(*self.qdrant.failing)
            return
        try:
            with self.qdrant.lock:
                result = self.qdrant.answer(self.command, urlsplit(self.path).path, body)
        except ValueError as error:  # how the memory mode says that it has no such collection
            self._send(404, {"status": {"error": str(error)}})
        else:
            self._send(200, {"result": result, "status": "ok", "time": 0.0})

    do_GET = do_PUT = do_POST = _serve  # noqa: N815 (the names that http.server asks for)

    def _send(self, status, body):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Nothing is printed."""
