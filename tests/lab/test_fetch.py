"""Registry files: found in a folder, fetched (here from 127.0.0.1), or refused in a sentence."""

import contextlib
import hashlib
import http.server
import threading
import time

import pytest

import ranktrees_lab.data.files as files
from ranktrees_lab.data import FetchError, datasets, load

ARFF = b"@relation tiny\n@attribute n real\n@attribute c {x,y}\n@data\n1,x\n2,y\n"
HEADER = "name,file,sha256,bytes,url,rows,nominal,numeric,classes,target,ids\n"


class Server(http.server.BaseHTTPRequestHandler):
    """Serves server.body; can send less than it promises, or nothing but an error."""

    def do_GET(self):
        server = self.server
        server.asked.append(self.path)
        self.send_response(server.status)
        if server.promised is not None:
            self.send_header("Content-Length", str(server.promised))
        self.end_headers()
        self.wfile.write(server.body)
        with contextlib.suppress(OSError):  # the client has had enough
            while server.more:
                self.wfile.write(server.more)
                server.sent += len(server.more)
                server.stopped.wait(server.pause)

    def log_message(self, *args):
        """Keep the test's output free of one line for each request."""


@pytest.fixture
def server(monkeypatch):
    """A running HTTP server on a free port of 127.0.0.1."""
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")
    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    running.body, running.promised, running.status, running.asked = ARFF, len(ARFF), 200, []
    running.more, running.sent, running.pause, running.stopped = b"", 0, 0.0, threading.Event()
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield running
    running.more = b""
    running.stopped.set()
    running.shutdown()
    running.server_close()
    thread.join()


@pytest.fixture
def place(tmp_path, server, monkeypatch):
    """A registry with the one set "tiny" at the server, an empty cache, no RANKTREES_DATA."""
    shipped = (files.folder() / "shipped.csv").read_text(encoding="utf-8")
    (tmp_path / "shipped.csv").write_text(shipped, encoding="utf-8")
    url = f"http://127.0.0.1:{server.server_port}/tiny.arff"
    digest = hashlib.sha256(ARFF).hexdigest()
    row = f"tiny,tiny.arff,{digest},{len(ARFF)},{url},2,0,1,2,,n\n"
    (tmp_path / "registry.csv").write_text(HEADER + row, encoding="utf-8")
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    monkeypatch.setenv("RANKTREES_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("RANKTREES_DATA", raising=False)
    return tmp_path


def cached(place):
    return [path.name for path in (place / "cache").glob("*")]


def assert_refused(*words):
    with pytest.raises(FetchError) as error:
        load("tiny")
    message = str(error.value)
    assert error.value.__suppress_context__, "one sentence, and not the tracebacks of three"
    for word in ("tiny.arff", "set RANKTREES_DATA to a folder", "connect and try again", *words):
        assert word in message


def test_a_file_is_fetched_once_and_then_cached(place, server, monkeypatch, capfd):
    (place / "empty").mkdir()
    monkeypatch.setenv("RANKTREES_DATA", str(place / "empty"))
    listed = datasets()
    assert listed.loc[listed["source"] == "uci", "name"].tolist() == ["tiny"]
    assert server.asked == []
    for _ in range(2):
        data = load("tiny")
        assert data.frame.to_dict("records") == [{"n": 1.0, "c": "x"}, {"n": 2.0, "c": "y"}]
        assert (data.ids, data.target) == (("n",), "c")
    assert server.asked == ["/tiny.arff"]
    assert cached(place) == ["tiny.arff"]
    assert capfd.readouterr() == ("", "")
    server.server_close()
    assert len(load("tiny")) == 2, "the cache needs no server"
    (place / "cache" / "tiny.arff").write_bytes(b"half a file")
    assert_refused(f"127.0.0.1:{server.server_port}", "(there is no connection)")


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"status": 404}, "404"),
        ({"body": ARFF.replace(b"2,y", b"3,y")}, "hash"),
        ({"body": ARFF[:40]}, ""),
        ({"body": ARFF[:40], "promised": None}, ""),
        ({"more": b"% more\n" * 10_000, "promised": None}, f"more than the {len(ARFF)} bytes"),
        ({"more": b"% more\n" * 10_000, "promised": 10**10}, f"more than the {len(ARFF)} bytes"),
    ],
)
def test_what_is_not_the_file_is_refused_and_not_kept(place, server, how, words):
    vars(server).update(how)
    assert_refused(words)
    assert cached(place) == []
    assert server.sent < 10**8
    vars(server).update(body=ARFF, promised=len(ARFF), status=200, more=b"")
    assert len(load("tiny")) == 2


@pytest.mark.parametrize("head", [True, False])
def test_a_server_that_trickles_for_ever_is_left(place, server, monkeypatch, head):
    """A byte now and then keeps every single reading alive; it may even come in the head."""
    monkeypatch.setattr(files, "LONGEST", 0.5)
    server.body, server.promised, server.more, server.pause = b"", 10**6, b"%", 0.05
    if head:
        monkeypatch.setattr(Server, "end_headers", Server.flush_headers)
    start = time.monotonic()
    assert_refused("not there after 0.5 seconds")
    assert time.monotonic() - start < 10
    assert cached(place) == []


def test_the_folder_goes_first_and_a_wrong_file_in_it_is_an_error(place, server, monkeypatch):
    (place / "tiny.arff").write_bytes(ARFF)
    monkeypatch.setenv("RANKTREES_DATA", str(place))
    assert len(load("tiny")) == 2
    wrong = ARFF + b"3,x\n"
    (place / "tiny.arff").write_bytes(wrong)
    with pytest.raises(FetchError, match=r"tiny\.arff") as error:
        load("tiny")
    assert all(hashlib.sha256(content).hexdigest() in str(error.value) for content in (ARFF, wrong))
    assert (server.asked, cached(place)) == ([], [])
