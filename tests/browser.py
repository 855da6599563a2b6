"""A real JupyterLab and a Chromium for the tests that need them: fixtures, and what they all do."""

import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest

from tools import lessons
from tools.handouts import BROWSERS, FLAGS, find_browser, is_root

IDLE = "Python 3 (ipykernel) | Idle"
PATIENCE = 120  # seconds after which what is waited for is given up: far more than any of it takes
POLL = 200  # milliseconds between two looks at the notebook in the page
PANEL = "jupyterapp.shell.currentWidget"
CONNECTED = f"""() => {{
    const kernel = {PANEL}?.sessionContext?.session?.kernel;
    return kernel?.connectionStatus === 'connected' && kernel.status === 'idle';
}}"""
# The errors of the cells that have run, once all have run or one has failed; until then null.
ENDED = f"""() => {{
    const cells = [...{PANEL}.model.cells].filter(cell => cell.type === 'code');
    const outputs = cells.flatMap(cell => cell.outputs.toJSON());
    const errors = outputs.filter(output => output.output_type === 'error');
    const rest = cells.filter(cell => cell.executionCount === null);
    return errors.length || !rest.length ? errors.map(e => `${{e.ename}}: ${{e.evalue}}`) : null;
}}"""
# What a line of code prints in the kernel of the notebook in the page.
PRINTED = f"""async code => {{
    const future = {PANEL}.sessionContext.session.kernel.requestExecute({{code}});
    let text = '';
    future.onIOPub = message => {{ text += message.content.text ?? message.content.evalue ?? ''; }};
    await future.done;
    return text;
}}"""
# Call `look(cell)` on each cell once it is in sight, and return what it gives.
EACH = f"""async look => {{
    const panel = {PANEL}.content, found = [];
    for (let i = 0; i < panel.widgets.length; i++) {{
        panel.scrollToItem(i, 'start');
        await new Promise(resolve => setTimeout(resolve, 50));
        found.push(look(panel.widgets[i].node));
    }}
    return found;
}}"""
# Of the pictures that are seen those with other proportions than their file's; how many are seen.
DISTORTED = """part => {
    const all = [...(part ?? document).querySelectorAll('img')];
    const seen = all.filter(image => image.checkVisibility() && image.naturalWidth
        && image.clientWidth > 1 && image.clientHeight > 1);
    const wrong = seen.filter(image => {
        const {width, height} = image.getBoundingClientRect();
        const stretch = width / height * image.naturalHeight / image.naturalWidth;
        const fits = ['contain', 'scale-down'].includes(getComputedStyle(image).objectFit);
        return !fits && Math.abs(Math.log(stretch)) > 0.01 + 1 / Math.min(width, height);
    });
    return [wrong.map(image => image.alt), seen.length];
}"""


@pytest.fixture(scope="session")
def chromium():
    """The browser's path; without one the tests are skipped, on the build server they fail."""
    found = find_browser()
    if found is None:
        message = f"NO BROWSER TEST: none of {', '.join(BROWSERS)} is installed"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Lab:
    """A JupyterLab of our own over `folder`: free loopback port, token, private settings."""

    def __init__(self, folder, private, python=sys.executable, options=()):
        self.port, self.token, self.folder = free_port(), secrets.token_hex(16), folder
        self.log = private / "server.log"
        names = (
            "JUPYTER_CONFIG_DIR",
            "JUPYTER_DATA_DIR",
            "JUPYTERLAB_WORKSPACES_DIR",
            "IPYTHONDIR",
        )
        self.environment = os.environ | {name: str(private / name.lower()) for name in names}
        self.environment["JUPYTERLAB_SETTINGS_DIR"] = str(private / "settings")
        no_news = private / "settings" / "@jupyterlab/apputils-extension"
        no_news.mkdir(parents=True, exist_ok=True)
        news = no_news / "notification.jupyterlab-settings"
        news.write_text('{"fetchNews": "false"}', encoding="utf-8")
        command = [python, "-m", "jupyterlab", "--no-browser", "--ServerApp.ip=127.0.0.1"]
        command += [f"--ServerApp.port={self.port}", "--ServerApp.port_retries=0"]
        command += ["--expose-app-in-browser"]  # so that the page can say how far it is
        command += [f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={folder}"]
        command += [*options, *(["--allow-root"] if is_root() else [])]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command, env=self.environment, stdout=log, stderr=subprocess.STDOUT
            )

    def url(self, path):
        return f"http://127.0.0.1:{self.port}/{path}?token={self.token}"

    def wait(self):
        """Return when the server answers; a RuntimeError if it ends or takes too long."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            try:
                return opener.open(self.url("api/status"), timeout=5).close()
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.1)
        raise RuntimeError("JupyterLab did not start:\n" + self.output())

    def stop(self):
        """End the server, which ends its kernels; kill it if it does not end."""
        self.process.terminate()
        try:
            self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def output(self):
        return self.log.read_text(encoding="utf-8", errors="replace")


@pytest.fixture(scope="session")
def lab(chromium, tmp_path_factory):
    """A running server over an empty folder; its log is printed, pytest shows it on failure."""
    server = Lab(tmp_path_factory.mktemp("lessons"), tmp_path_factory.mktemp("private"))
    try:
        server.wait()
        yield server
    finally:
        server.stop()


@contextmanager
def browse(chromium, profile, width=1280, height=720):
    """A page of so many pixels, of a browser whose profile is this new folder."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=chromium,
            chromium_sandbox=not is_root(),  # Chromium refuses to start as root with its sandbox
            args=FLAGS,
            viewport={"width": width, "height": height},
        )
        try:
            context.set_default_timeout(PATIENCE * 1000)
            yield context.new_page()
        finally:
            context.close()


@pytest.fixture
def page(chromium, lab, tmp_path):
    """A page of a fresh browser profile; on the way out the server's log goes to stdout."""
    with browse(chromium, tmp_path / "profile") as page:
        yield page
    print(lab.output())


@pytest.fixture(scope="module")
def opened(chromium):
    """A browser for pages that need no server."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, chromium_sandbox=not is_root(), args=FLAGS
        )
        yield browser
        browser.close()


@pytest.fixture
def disk(opened):
    """A page; on the way out there was no error, and no request but to files beside it."""
    context = opened.new_context(viewport={"width": 1280, "height": 800})
    page, asked, wrong = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfailed", lambda request: wrong.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
    yield page
    context.close()
    assert wrong == []
    assert {url.split(":")[0] for url in asked} <= {"file", "data"}


def look(page, what):
    """What a function says of each cell of the notebook in the page, once the cell is in sight."""
    return page.evaluate(f"() => ({EACH})({what})")


def seen_as_drawn(page):
    """How many pictures are seen, none of them distorted, or an AssertionError names those."""
    distorted, seen = page.evaluate(DISTORTED)
    assert distorted == [], distorted
    return seen


def open_lesson(page, lab, path):
    """Put a copy without outputs into the server's folder, open it and wait for its kernel."""
    notebook = lessons.read(path)
    for cell in lessons.code_cells(notebook):
        cell.outputs, cell.execution_count = [], None
    lessons.write(notebook, lab.folder / path.name)
    go_to(page, lab, path.name)


def go_to(page, lab, name):
    """Open a notebook of the server's folder and wait for its kernel."""
    page.goto(lab.url(f"lab/tree/{name}") + "&reset")
    page.wait_for_function("() => window.jupyterapp !== undefined", polling=POLL)
    page.wait_for_function(CONNECTED, polling=POLL)
    page.get_by_text(IDLE).wait_for()


def run_all(page):
    """Run all cells through the menu; return the errors, once all have run or one has failed."""
    page.locator(".lm-MenuBar-itemLabel").get_by_text("Run", exact=True).click()
    page.locator(".lm-Menu-itemLabel").get_by_text("Run All Cells", exact=True).click()
    errors = page.wait_for_function(ENDED, polling=POLL).json_value()
    page.wait_for_function(CONNECTED, polling=POLL)
    return errors
