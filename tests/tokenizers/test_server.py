"""Counts from a token server, over a real socket."""

import json
import pickle
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from cleanbreak import TokenSplitter, make_token_counter
from cleanbreak.errors import MeasureError, SettingsError

SECRET = "the secret text"


class Handler(BaseHTTPRequestHandler):
    """Answers as llama.cpp's server does: one token a word here, unless told to misbehave."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        server.questions.append((self.path, question))
        if server.behave == "slow":
            time.sleep(1.5)  # nobody waits for the answer any more
            self.close_connection = True
            return
        answer = json.dumps({"tokens": list(range(len(question["content"].split())))})
        answer = {"html": "<html>", "list": "[]", "text": '{"tokens": "abc"}'}.get(
            server.behave, answer
        )
        self.send_response(500 if server.behave == "fail" else 200)
        body = answer.encode()
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        if server.behave == "close":
            self.close_connection = True

    def log_message(self, *args):
        """Say nothing on the terminal of the tests."""


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.behave, server.questions, server.daemon_threads = "well", [], True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        server.url = f"http://127.0.0.1:{server.server_port}"
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def counter(server):
    with make_token_counter(server.url, timeout_seconds=1) as counter:
        yield counter


def test_the_text_alone_is_asked_about(server, counter):
    """No special tokens are added, and none is read in the text."""
    assert counter("one two three") == 3
    question = {"content": "one two three", "add_special": False, "parse_special": False}
    assert server.questions == [("/tokenize", question)]


@pytest.mark.parametrize("path", ["", "/", "/tokenize", "/v1/tokenize/"])
def test_the_address_may_name_the_endpoint(server, path):
    """Or not."""
    with make_token_counter(server.url + path) as counter:
        assert counter("one") == 1
    assert server.questions[0][0] == ("/v1" if "v1" in path else "") + "/tokenize"


def test_it_cuts_with_few_questions(server, counter):
    """A server is asked about twice for each chunk, not for each word."""
    text = "The wind fell. The sea lay still, and nobody spoke. " * 40
    chunks = TokenSplitter(50, counter).split(text)
    assert "".join(chunk.text for chunk in chunks) == text
    assert all(len(chunk.text.split()) == chunk.token_count <= 50 for chunk in chunks)
    assert len(server.questions) <= 3 * len(chunks)


def test_a_connection_that_the_server_closed_is_opened_again(server, counter):
    """A kept connection may be gone when it is used next."""
    server.behave = "close"
    assert [counter("one two"), counter("one"), counter("")] == [2, 1, 0]


@pytest.mark.parametrize("behave", ["fail", "html", "list", "text", "slow"])
def test_a_failing_server_is_one_error_without_text(server, counter, behave):
    """An error status, an answer that is none, or no answer in time."""
    server.behave = behave
    with pytest.raises(MeasureError, match="token server") as caught:
        counter(SECRET)
    assert "secret" not in str(caught.value) + str(caught.value.details)


def test_no_server_is_one_error():
    """Refused connections, too."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
    with (
        make_token_counter(url) as counter,
        pytest.raises(MeasureError, match="check that it runs"),
    ):
        counter(SECRET)


@pytest.mark.parametrize("url", ["", "localhost:8080", "ftp://host", "http://", "http://host:port"])
def test_wrong_addresses_are_refused_at_once(url):
    """And not shown: they may hold a key."""
    with pytest.raises(SettingsError):
        make_token_counter(url)


@pytest.mark.parametrize("seconds", [0, -1, 1.5, True, "1"])
def test_wrong_times_are_refused_at_once(seconds):
    """As every setting."""
    with pytest.raises(SettingsError):
        make_token_counter("http://localhost", timeout_seconds=seconds)


def test_its_name_is_the_one_given(server):
    """An address does not tell the model, so without a name there is none; both travel."""
    with (
        make_token_counter(server.url) as unnamed,
        make_token_counter(server.url, name="nomic") as named,
    ):
        assert unnamed.name is None
        with pickle.loads(pickle.dumps(named)) as again:
            assert (again.name, again("one two")) == ("nomic", 2)


def test_threads_may_share_it(server, counter):
    """One connection, one question at a time, every answer to the one who asked."""
    counts = {}

    def ask(words):
        counts[words] = counter("word " * words)

    threads = [threading.Thread(target=ask, args=(words,)) for words in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == {words: words for words in range(8)}
