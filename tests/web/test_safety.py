"""The ten rules of a server on a person's own machine (docs/design/110-page.md)."""

import logging
import os
import socket
import stat
import threading
import time

import anyio
import httpx
import pytest
from starlette.testclient import TestClient

from cleanbreak.errors import CleanbreakError, SettingsError
from cleanbreak.web.app import make_app
from cleanbreak.web.desk import Desk, WebLimits
from cleanbreak.web.endpoint import Stop
from cleanbreak.web.guard import HEADERS, Access, new_token
from cleanbreak.web.server import _listener, _token_file, is_loopback
from cleanbreak.web.uploads import file_name

from .conftest import ACCESS, ORIGIN, TOKEN, client_for

API = "/api/v1"
SECRET = "Zanzibarquery"


@pytest.fixture
def browser(desk):
    """A browser that came in by the token's address: it has the cookie and sends its origin."""
    client = TestClient(make_app(desk, ACCESS), base_url=ORIGIN, follow_redirects=False)
    assert client.get(f"/?token={TOKEN}").status_code == 303
    client.headers |= {"Origin": ORIGIN, "Sec-Fetch-Site": "same-origin"}
    return client


# 1. Where it listens -----------------------------------------------------------------------------


def test_1_it_listens_on_this_machine_only():
    with _listener("127.0.0.1", 0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert not is_loopback("192.168.1.5")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "example.com", ""])
def test_1_an_address_that_stands_for_several_is_refused(host):
    with pytest.raises(SettingsError):
        _listener(host, 0)


def test_1_a_port_that_is_taken_is_an_error_of_ours():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(SettingsError, match="port"):
            _listener("127.0.0.1", taken.getsockname()[1])


# 2. Host -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8765",
        "127.0.0.1",
        "127.0.0.1:80",
        "localhost.evil.example:8765",
        "127.0.0.1:8765.evil.example",
        "[::1]",
        "",
    ],
)
def test_2_another_host_is_refused_before_anything_else(client, host):
    for path in ("/", f"{API}/places", "/static/x.js", f"/?token={TOKEN}"):
        assert client.get(path, headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "[::1]:8765"])
def test_2_its_own_names_are_let_in(client, host):
    assert client.get(f"{API}/places", headers={"Host": host}).status_code == 200


# 3. Token ----------------------------------------------------------------------------------------


def test_3_nothing_is_shown_without_the_token(desk):
    client = TestClient(make_app(desk, ACCESS), base_url=ORIGIN, follow_redirects=False)
    for path in ("/", f"{API}/places", f"{API}/search?query=a", "/?token=wrong"):
        assert client.get(path).status_code == 401
    for header in ("Bearer wrong", "Bearer", "Basic x", f"Basic {TOKEN}", "Bearer é"):
        answer = client.get(f"{API}/places", headers={"Authorization": header.encode()})
        assert answer.status_code == 401


def test_3_the_token_becomes_a_cookie_and_leaves_the_address(desk):
    client = TestClient(make_app(desk, ACCESS), base_url=ORIGIN, follow_redirects=False)
    answer = client.get(f"/?token={TOKEN}&view=search")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/?view=search")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("cleanbreak-8765=")
    for part in ("HttpOnly", "SameSite=strict", "Path=/"):
        assert part in cookie
    assert client.get("/").status_code == 200


def test_3_every_start_has_another_token_of_32_bytes():
    tokens = {new_token() for _ in range(20)}
    assert len(tokens) == 20
    assert min(map(len, tokens)) >= 43


def test_3_the_file_with_the_token_is_the_owners_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("platformdirs.user_runtime_path", lambda *_, **__: tmp_path)
    with _token_file(ACCESS) as path:
        assert path.read_text().strip() == TOKEN
        if os.name == "posix":
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not path.exists()
    assert TOKEN not in repr(ACCESS)


# 4. Origin ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1234"},
        {"Origin": "https://127.0.0.1:8765"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "cross-site"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "same-site"},
    ],
)
def test_4_a_page_of_another_origin_changes_nothing(browser, headers):
    answer = browser.post(f"{API}/documents", json={"text": "a"}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "ORIGIN_REFUSED")


def test_4_a_cookie_without_an_origin_changes_nothing(browser):
    del browser.headers["Origin"]
    assert browser.post(f"{API}/documents", json={"text": "a"}).status_code == 403
    assert browser.delete(f"{API}/places/a/books/1").status_code == 403


def test_4_another_site_reads_nothing(browser):
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert browser.get(f"{API}/places", headers=headers).status_code == 403


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a"]
)
def test_4_what_a_form_can_send_is_refused(browser, kind):
    answer = browser.post(
        f"{API}/documents", content=b'{"text": "a"}', headers={"Content-Type": kind}
    )
    assert answer.status_code == 415


def test_4_no_other_origin_is_ever_allowed(browser):
    answers = [
        browser.get("/"),
        browser.post(f"{API}/documents", json={"text": "a"}),
        browser.options(f"{API}/documents", headers={"Origin": "http://evil.example"}),
    ]
    for answer in answers:
        assert not [name for name in answer.headers if name.lower().startswith("access-control")]


# 5. Headers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", f"{API}/places", f"{API}/nothing", "/nothing"])
def test_5_every_answer_has_the_headers(client, path):
    for answer in (client.get(path), client.get(path, headers={"Host": "evil.example"})):
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'")


def test_5_the_page_has_no_inline_script_or_style(client):
    page = client.get("/").text
    assert "<style" not in page
    assert "style=" not in page
    assert "onclick" not in page
    for tag in page.split("<script")[1:]:
        assert "src=" in tag.partition(">")[0]


# 6. Text is text ---------------------------------------------------------------------------------


def test_6_text_of_a_book_is_never_html(client, desk, world_id):
    answer = client.post(f"{API}/split", json={"text": "<script>alert(1)</script>"})
    assert answer.headers["Content-Type"] == "application/json"
    source = client.get(f"{API}/places/{world_id}/books/1/source")
    assert source.headers["Content-Disposition"].startswith("attachment")
    assert source.headers["X-Content-Type-Options"] == "nosniff"


# 7. Ids and never paths --------------------------------------------------------------------------


def test_7_no_answer_names_a_folder_of_this_machine(client, world_id, vault_id, tmp_path):
    client.get(f"{API}/documents")
    paths = ["/places", "/documents", f"/places/{world_id}", f"/places/{world_id}/books"]
    paths += [f"/places/{vault_id}", f"/places/{vault_id}/notes", "/search?query=ferry", "/formats"]
    paths += [f"/places/{world_id}/books/1/passage?start=0&end=9", f"/places/{vault_id}/problems"]
    for path in paths:
        answer = client.get(API + path)
        assert answer.status_code == 200
        assert str(tmp_path) not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/places/..%2f..%2fetc",
        "/places/%2fetc%2fpasswd/books",
        "/documents/..%2f..%2fetc%2fpasswd",
    ],
)
def test_7_a_path_is_no_id(client, path):
    assert client.get(API + path).status_code == 404


def test_7_a_note_is_a_key_of_the_index_and_no_file(client, vault_id, tmp_path):
    (tmp_path / "secret.md").write_text("secret", "utf-8")
    for note in ("../secret.md", str(tmp_path / "secret.md"), "/etc/passwd"):
        answer = client.get(f"{API}/places/{vault_id}/notes/chunks", params={"note": note})
        assert answer.status_code == 404


@pytest.mark.parametrize("measure", ["/etc/x.json", "x.json", "..\\t.json", 3, "tokens"])
def test_7_a_measure_is_no_path(client, measure):
    body = {"text": "a", "by": "tokens", "settings": {"max_tokens": 3, "measure": measure}}
    assert client.post(f"{API}/split", json=body).status_code == 400


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("../../a.txt", "a.txt"),
        ("C:\\x\\a.txt", "a.txt"),
        ("/etc/passwd", "passwd"),
        ("a\0b.txt", "a_b.txt"),
        ("con:x.txt", "con_x.txt"),
    ],
)
def test_7_an_upload_keeps_only_its_file_name(given, stored):
    assert file_name(given) == stored


@pytest.mark.parametrize("given", ["", "..", "/", "a/", " ", "."])
def test_7_an_upload_needs_a_name(given):
    with pytest.raises(CleanbreakError):
        file_name(given)


def test_7_static_files_are_those_of_the_package(client):
    page = client.get("/").text
    base = page.split('src="')[1].partition('"')[0].rpartition("/")[0]
    assert client.get(f"{base}/main.js").status_code == 200
    for path in ("../app.py", "%2e%2e/app.py", "..%2fapp.py", "/etc/passwd", "index.html", ""):
        assert client.get(f"{base}/{path}").status_code == 404


# 8. Limits ---------------------------------------------------------------------------------------


def test_8_a_body_over_the_limit_is_refused(client):
    answer = client.post(f"{API}/documents", json={"text": "a" * 300_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "UPLOAD_LIMIT")


def test_8_a_body_that_hides_its_length_is_refused_too(client):
    def parts():
        for _ in range(40):
            yield b"a" * 10_000

    answer = client.post(
        f"{API}/uploads?name=a.txt",
        content=parts(),
        headers={"Content-Type": "application/octet-stream"},
    )
    assert answer.status_code == 413


def test_8_a_cut_that_takes_too_long_ends():
    client = client_for(Desk(limits=WebLimits(seconds=0.05)))
    body = {"text": "word " * 200_000, "settings": {"chunk_size": 7}}
    answer = client.post(f"{API}/split", json=body)
    assert (answer.status_code, answer.json()["code"]) == (503, "TIME_LIMIT")


def test_8_one_text_is_cut_at_a_time(client, monkeypatch):
    """Two requests at once; the second one starts when the first has ended."""
    from cleanbreak.web.routes import cutting

    at_work, most = [], []
    real = cutting._cut

    def slow(*args):
        at_work.append(1)
        most.append(len(at_work))
        time.sleep(0.2)
        at_work.pop()
        return real(*args)

    monkeypatch.setattr(cutting, "_cut", slow)

    async def both(app):
        transport = httpx.ASGITransport(app)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers) as asked,
            anyio.create_task_group() as group,
        ):
            for _ in range(2):
                group.start_soon(lambda: asked.post(f"{API}/split", json={"text": "One. Two."}))

    anyio.run(both, make_app(Desk(), ACCESS))
    assert most == [1, 1]


def test_8_work_ends_when_the_client_goes(monkeypatch):
    """The client hangs up while a text is cut."""
    from cleanbreak.web.routes import cutting

    started, heard = threading.Event(), []

    def endless(_splitter, _document, stop):
        started.set()
        while True:
            time.sleep(0.01)
            try:
                stop.check()
            except CleanbreakError as error:
                heard.append(error.code)
                raise

    monkeypatch.setattr(cutting, "_cut", endless)
    body = b'{"text": "One."}'
    scope = {
        "type": "http",
        "method": "POST",
        "path": f"{API}/split",
        "query_string": b"",
        "headers": [
            (b"host", b"127.0.0.1:8765"),
            (b"authorization", f"Bearer {TOKEN}".encode()),
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ],
    }
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive():
        if messages:
            return messages.pop(0)
        while not started.is_set():
            await anyio.sleep(0.01)
        return {"type": "http.disconnect"}

    async def send(_message):
        pass

    anyio.run(make_app(Desk(), ACCESS), scope, receive, send)
    assert heard == ["RUN_INTERRUPTED"]


def test_8_time_limits_are_heard():
    stop = Stop(0.0)
    with pytest.raises(CleanbreakError):
        stop.check()


# 9. Events and sockets ---------------------------------------------------------------------------


def test_9_events_pass_the_same_checks(desk, browser, world_id):
    job = browser.post(f"{API}/jobs", json={"kind": "verify", "place_id": world_id}).json()
    path = f"{API}/jobs/{job['job_id']}/events"
    assert browser.get(path, headers={"Host": "evil.example"}).status_code == 403
    assert browser.get(path, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    without = TestClient(make_app(desk, ACCESS), base_url=ORIGIN)
    assert without.get(path).status_code == 401
    assert browser.get(path).status_code == 200


def test_9_a_websocket_is_not_answered(desk):
    sent = []

    async def send(message):
        sent.append(message)

    anyio.run(make_app(desk, ACCESS), {"type": "websocket", "path": "/"}, None, send)
    assert sent == []


# 10. Logs ----------------------------------------------------------------------------------------


def test_10_the_log_has_no_query_text_token_or_name(client, caplog):
    with caplog.at_level(logging.DEBUG):
        client.get(f"{API}/search", params={"query": SECRET})
        client.post(f"{API}/split", json={"text": f"{SECRET} " * 30})
        client.post(
            f"{API}/documents/read",
            params={"name": f"{SECRET}.pdf"},
            content=b"%PDF-1.4 broken",
            headers={"Content-Type": "application/octet-stream"},
        )
        client.get(f"/?token={TOKEN}")
    own = [record for record in caplog.records if record.name.startswith(("cleanbreak", "uvicorn"))]
    assert own
    for record in own:
        assert SECRET not in record.getMessage()
        assert TOKEN not in record.getMessage()


def test_10_a_fault_is_logged_without_its_words(client, caplog, monkeypatch):
    from cleanbreak.web.routes import cutting

    def failing(*_):
        raise ValueError(SECRET)

    monkeypatch.setattr(cutting, "_cut", failing)
    with caplog.at_level(logging.DEBUG):
        answer = client.post(f"{API}/split", json={"text": "One."})
    assert (answer.status_code, answer.json()["code"]) == (500, "FAULT")
    assert SECRET not in answer.text + caplog.text
    assert "ValueError" in caplog.text


def test_the_address_of_ipv6_is_bracketed():
    assert Access(80, TOKEN, "::1").url == "http://[::1]:80/"
