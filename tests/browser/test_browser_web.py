"""The lessons with a Python in the browser: a student's first evening, from a folder of files."""

import hashlib
import json
import re
import shutil
import sys
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from browser import CONNECTED, PANEL, POLL, PRINTED, ready, run_all
from fresh import ROOT, project_files, served, surroundings

from tools.house import PACKAGES
from tools.web import lite, stock

LESSON = "lab/index.html?path=00_ranking.ipynb"
CELLS = f"[...{PANEL}.model.cells]"
WHERE = f"text => {CELLS}.findIndex(c => c.sharedModel.source.includes(text))"
SELECT = f"""async i => {{
    {PANEL}.content.activeCellIndex = i;
    await {PANEL}.content.scrollToItem(i, 'center');
}}"""
NODE = f"i => {PANEL}.content.widgets[i].node"
RAN = f"i => {CELLS}[i].executionCount !== null && ({CONNECTED})()"
FORGET = f"i => {CELLS}[i].clearExecution()"
CHANGED = "([image, old]) => image.alt !== old"
BUILT = ROOT / "build" / "web-tests"
DEPEND = {*PACKAGES, "data", "notebooks", "tools", "pyproject.toml"}


@pytest.fixture(scope="session")
def web():
    """The folder of the course with Pyodide in it, built once until what it depends on changes."""
    try:
        pyodide, missing = stock.pyodide(), "" if lite.LITE.exists() else f"no {lite.LITE}"
    except stock.NoStock as error:
        missing = str(error)
    if missing:
        pytest.skip(f"NO TEST OF THE COURSE IN A BROWSER: {missing}")
    digest = hashlib.sha256()
    for path in sorted(project_files()):
        if path.relative_to(ROOT).parts[0] in DEPEND:
            digest.update(path.read_bytes())
    folder = BUILT / digest.hexdigest()[:16]
    if not folder.is_dir():
        shutil.rmtree(BUILT, ignore_errors=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(ROOT)
            lite.write_web(BUILT / "new", pyodide).rename(folder)
    return folder


@pytest.fixture
def address(web, tmp_path):
    """Where the folder is served, by the line that the kit's page gives."""
    line = f"{sys.executable} -m http.server 0 --bind 127.0.0.1 --directory {web}"
    shell = surroundings(Path(sys.executable), tmp_path / "private")
    with served(line, tmp_path, shell, tmp_path / "log") as found:
        yield found


@pytest.fixture
def asked(page):
    """The addresses that a page asks for, those of its kernel and its service worker included."""
    found = []
    page.context.on("request", lambda request: found.append(request.url))
    return found


def hosts(asked):
    """The hosts of addresses, without what a page makes itself."""
    return {urlsplit(url).netloc for url in asked if not url.startswith(("data:", "blob:"))}


def cell_of(page, text):
    """The place of the cell with this text, and the cell, scrolled into view."""
    i = page.evaluate(WHERE, text)
    page.evaluate(SELECT, i)
    return i, page.evaluate_handle(NODE, i).as_element()


def drag(page, cell):
    """Drag the handle of a slider to its lower end; return the alt texts before and after."""
    image, handle = cell.wait_for_selector(".rt-view img"), cell.wait_for_selector(".noUi-handle")
    handle.scroll_into_view_if_needed()
    old, box = image.get_attribute("alt"), handle.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] - 400, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()
    page.wait_for_function(CHANGED, arg=[image, old])
    return old, image.get_attribute("alt")


def press(page, cell, key):
    """Press a key on a slider's handle; return the alt texts before and after."""
    image, handle = cell.wait_for_selector(".rt-view img"), cell.wait_for_selector(".noUi-handle")
    old = image.get_attribute("alt")
    handle.press(key)
    page.wait_for_function(CHANGED, arg=[image, old])
    return old, image.get_attribute("alt")


def answer(page, check, text):
    """Type an answer, run it and its check by the keyboard; return what the check says."""
    i, _ = cell_of(page, check)
    page.evaluate(FORGET, i)
    page.evaluate(SELECT, i - 1)
    page.evaluate_handle(NODE, i - 1).as_element().wait_for_selector(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.type(text)
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    page.wait_for_function(RAN, arg=i, polling=POLL)
    return cell_of(page, check)[1].wait_for_selector(".jp-OutputArea-output").inner_text()


def test_a_student_learns_in_a_browser_and_finds_it_again(page, asked, address):
    ready(page, address + LESSON)
    assert run_all(page) == []
    levels = re.compile(r"60 cases, (\d) of 3 levels down")
    _, cell = cell_of(page, "rt.explore.falling_cases")
    before, after = (levels.match(alt)[1] for alt in drag(page, cell))
    assert (before, after) == ("2", "0")
    assert levels.match(press(page, cell, "ArrowRight")[1])[1] == "1", "not JupyterLab's arrow"
    _, cell = cell_of(page, "rt.guess(")
    cell.wait_for_selector("input").fill("0.5")
    cell.wait_for_selector("input").press("Tab")
    page.keyboard.press("Enter")
    cell.wait_for_selector("summary")  # the question that was answered, in one line
    right = answer(page, "rt.check.pairs_by_hand", "auc_by_hand = 9 / 12")
    assert right.startswith("Right")
    page.keyboard.press("Control+s")
    page.locator(".jp-mod-dirty").wait_for(state="detached")
    page.locator(".lm-MenuBar-itemLabel").get_by_text("File", exact=True).click()
    with page.expect_download() as saved:
        page.locator(".lm-Menu-item[data-command='docmanager:download']").click()
    assert saved.value.suggested_filename == "00_ranking.ipynb"
    assert "auc_by_hand = 9 / 12" in Path(saved.value.path()).read_text(encoding="utf-8")
    ready(page, address + LESSON + "#cell-id=l00ex1")
    page.wait_for_function(f"() => {PANEL}.content.activeCell.model.id === 'l00ex1'")
    i, cell = cell_of(page, "rt.check.pairs_by_hand")
    assert cell.wait_for_selector(".jp-OutputArea-output").inner_text() == right
    assert page.evaluate(f"i => {CELLS}[i].sharedModel.source", i - 1) == "auc_by_hand = 9 / 12"
    said = page.evaluate(PRINTED, "import ranktrees as rt; print(rt.progress().iloc[0].tolist())")
    assert said.splitlines()[-1] == "['1 of 3', '0 of 2']"
    late = "import sys; print('scipy' in sys.modules); print(rt.wilcoxon([1, 2, 3.5], [2, 4, 1]))"
    first, _, rest = page.evaluate(PRINTED, late).partition("\n")
    assert first == "False"
    assert "Fetching scipy" in rest
    assert "p=" in rest
    assert hosts(asked) == {urlsplit(address).netloc}


class Shared(SimpleHTTPRequestHandler):
    """A server that lets pages of other hosts read its files, as Pyodide's own host does."""

    def end_headers(self):
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_):
        """Say nothing."""


@contextmanager
def shared(folder):
    """Serve a folder to pages of all hosts; yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Shared, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.long
def test_without_pyodide_on_the_site_a_browser_fetches_it_from_its_own_host(
    page, asked, web, tmp_path
):
    site = tmp_path / "web"
    shutil.copytree(web, site, ignore=shutil.ignore_patterns("pyodide"))
    with shared(web / "static" / "pyodide") as host, shared(site) as here:
        listed = site / "static" / "course" / "packages.json"
        said = json.loads(listed.read_text(encoding="utf-8")) | {"pyodide": host}
        listed.write_text(json.dumps(said), encoding="utf-8")
        ready(page, here + LESSON)
        code = "import ranktrees as rt; print(rt.load('iris').y.categories)"
        assert "setosa" in page.evaluate(PRINTED, code)
        assert hosts(asked) == {urlsplit(host).netloc, urlsplit(here).netloc}
        assert not any(url.startswith(host) and "ranktrees" in url for url in asked)
