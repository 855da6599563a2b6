"""A real JupyterLab and a Chromium for the tests that need them: fixtures, and what they all do."""

import os
import sys
from pathlib import Path
from typing import NamedTuple

import axe_playwright_python
import pytest
from fresh import PATIENCE, ROOT, served, surroundings

from tools import lessons
from tools.handouts import BROWSERS, FLAGS, find_browser, is_root

IDLE = "Python 3 (ipykernel) | Idle"
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
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
FAULTS = """async ([places, off, impacts]) => {
    const where = places.length ? {include: places.map(place => [place])}
        : {exclude: ['mjx-container']};
    const rules = Object.fromEntries(off.map(name => [name, {enabled: false}]));
    const found = await axe.run(where, {rules, preload: false});
    const faults = found.violations.filter(({impact}) => impacts.includes(impact));
    return faults.map(({id, nodes}) => [id, ...nodes.slice(0, 3).map(node => node.html)]);
}"""
GRAVE = "critical", "serious"


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


class Lab(NamedTuple):
    """A JupyterLab of our own: its address with a token, the folder that it shows, its log."""

    address: str
    folder: Path
    log: Path

    def url(self, path):
        return self.address.replace("/lab?", f"/{path}?")


@pytest.fixture(scope="session")
def lab(chromium, tmp_path_factory):
    """A running server over an empty folder, whose kernels have the package of this checkout."""
    folder, private = tmp_path_factory.mktemp("lessons"), tmp_path_factory.mktemp("private")
    shell = surroundings(Path(sys.executable), private) | {"PYTHONPATH": str(ROOT)}
    line = f"{sys.executable} -m jupyterlab --no-browser --expose-app-in-browser"
    with served(line, folder, shell, private / "log") as address:
        yield Lab(address, folder, private / "log")


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
def page(opened, request):
    """A page of a browser that has never been anywhere; the log of a server goes to stdout."""
    context = opened.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE * 1000)
    yield context.new_page()
    context.close()
    if "lab" in request.fixturenames:
        print(request.getfixturevalue("lab").log.read_text("utf-8", "replace"))


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


def faults(page, *places, off=(), impacts=GRAVE):
    """What axe finds on a page, or in these places of it, without the rules that are off."""
    page.evaluate(AXE + ";0")
    return page.evaluate(FAULTS, [places, off, impacts])


def open_lesson(page, lab, path):
    """Put a copy without outputs into the server's folder, open it and wait for its kernel."""
    notebook = lessons.read(path)
    for cell in lessons.code_cells(notebook):
        cell.outputs, cell.execution_count = [], None
    lessons.write(notebook, lab.folder / path.name)
    go_to(page, lab, path.name)


def go_to(page, lab, name):
    """Open a notebook of the server's folder and wait for its kernel."""
    ready(page, lab.url(f"lab/tree/{name}") + "&reset")
    page.get_by_text(IDLE).wait_for()


def ready(page, address):
    """Open a notebook in JupyterLab and wait for its kernel."""
    page.goto(address)
    page.wait_for_function("() => window.jupyterapp !== undefined", polling=POLL)
    page.wait_for_function(CONNECTED, polling=POLL)


def run_all(page):
    """Run all cells through the menu; return the errors, once all have run or one has failed."""
    page.locator(".lm-MenuBar-itemLabel").get_by_text("Run", exact=True).click()
    page.locator(".lm-Menu-itemLabel").get_by_text("Run All Cells", exact=True).click()
    errors = page.wait_for_function(ENDED, polling=POLL).json_value()
    page.wait_for_function(CONNECTED, polling=POLL)
    return errors
