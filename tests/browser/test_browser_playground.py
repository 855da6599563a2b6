"""The playground in a browser: a whole job with an upload, served alone and in JupyterLab."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from browser import faults, open_lesson, run_all, seen_as_drawn
from fresh import PATIENCE, ROOT, served, surroundings
from messy import messy

import ranktrees as rt

NOTEBOOK = ROOT / "notebooks" / "16_playground.ipynb"
SETTINGS = ROOT / re.search(r"config_file_paths=(\S+)", (ROOT / "Makefile").read_text("utf-8"))[1]
NAME = "my $a$ <img src=x onerror=hit(1)>.csv"
HEAD = "colour;n $x$;verdict <img src=x onerror=hit(3)>;last"
COLOURS, VERDICTS = ("red", "green", "<b>blue</b>"), ("yes $p$", "<img src=x onerror=hit(2)>")
ROWS = [
    f"{COLOURS[i % 3]};{i * 7 % 40 / 10};{VERDICTS[i % 3 == 0 or i % 5 == 0]};k{i % 9}"
    for i in range(90)
]
CONTENT = "\n".join([HEAD, *ROWS]).encode()
PAGE = ".rt-play"
HITS = "window.hits = []; window.hit = n => window.hits.push(n)"


class Voila(NamedTuple):
    """The server of `make playground`: its address with a token, a folder of its own, its log."""

    address: str
    private: Path
    log: Path

    def kernels(self):
        """How many kernels run."""
        command = ["pgrep", "--full", f"ipykernel_launcher.*{self.private}"]
        return len(subprocess.run(command, capture_output=True, check=False).stdout.split())


@pytest.fixture
def voila(chromium, tmp_path):
    line = f"{sys.executable} -m voila {NOTEBOOK} --no-browser --Voila.config_file_paths={SETTINGS}"
    shell = surroundings(Path(sys.executable), tmp_path / "private")
    with served(line, ROOT, shell | {"PYTHONPATH": str(ROOT)}, tmp_path / "log") as address:
        yield Voila(address, tmp_path / "private", tmp_path / "log")
    print((tmp_path / "log").read_text("utf-8", "replace"))


def shown_again(download, folder):
    """What the file that was saved prints, run as a script in a folder of its own and the data."""
    name = download.suggested_filename
    download.save_as(folder / name)
    (folder / NAME).write_bytes(CONTENT)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, name], cwd=folder, env=environment, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def choose(page, name, content):
    """Press Upload and choose a file of this name and content."""
    with page.expect_file_chooser() as chosen:
        page.locator(PAGE).get_by_role("button", name="Upload").press("Enter")
    chosen.value.set_files({"name": name, "mimeType": "text/csv", "buffer": content})


def upload(page):
    choose(page, NAME, CONTENT)
    page.wait_for_function(
        "() => document.querySelector('.rt-play select').selectedOptions[0].text.includes('my')"
    )


def job(page, tmp_path):
    """Upload, choose the class and a method, look at all views, take code and model."""
    whole = page.locator(PAGE)
    whole.get_by_text("Done: tree.").wait_for()
    upload(page)
    whole.get_by_label("class", exact=True).select_option(index=2)
    whole.get_by_label("method").select_option("C4.4")
    assert not whole.get_by_label("compare with").is_visible()
    whole.get_by_role("button", name="more", exact=True).press("Enter")
    whole.get_by_label("compare with").select_option(["naive Bayes", "C4.5"])
    alts = {}
    for view in ("tree", "one case", "ROC", "calibration", "comparison"):
        whole.get_by_role("button", name=view, exact=True).press("Enter")
        whole.get_by_role("status").get_by_text(f"Done: {view}.").wait_for()
        picture = whole.get_by_role("img").first
        page.wait_for_function("image => image.naturalWidth > 0", arg=picture.element_handle())
        alts[view] = picture.get_attribute("alt")
    assert len(set(alts.values())) == 5
    assert "C4.4" in alts["ROC"]
    assert "naive Bayes" in alts["ROC"]
    with page.expect_download() as script:
        whole.get_by_role("link", name="Code").press("Enter")
    assert script.value.suggested_filename == "my_comparison.py"
    code = Path(script.value.path()).read_text(encoding="utf-8")
    assert whole.locator("pre").inner_text().split() == code.split()
    (tmp_path / "empty").mkdir()
    printed = shown_again(script.value, tmp_path / "empty")
    assert printed.endswith(alts["comparison"] + "\n")
    means = [f"{float(mean):.3f}" for mean in printed.splitlines()[2].split()[-3:]]
    assert whole.locator("td:nth-child(2)").all_inner_texts() == means
    whole.get_by_role("button", name="Prepare").press("Enter")
    with page.expect_download() as model:
        whole.get_by_role("link", name="Model").press("Enter")
    assert isinstance(rt.load_model(model.value.path()), rt.C44)


def check_a_tree(page):
    """A large tree keeps its proportions; first the root is seen, or if it is asked for all."""
    whole, box = page.locator(PAGE), page.locator(".rt-box")
    middle = "box => (box.scrollTop + box.clientHeight / 2) / box.querySelector('img').offsetHeight"
    data = rt.load("credit-g")
    whole.get_by_label("data", exact=True).select_option(data.name)
    page.wait_for_function(
        f"() => document.querySelector(\"{PAGE} img[alt*='on {len(data)} cases']\")?.naturalWidth"
    )
    assert seen_as_drawn(page) == 1
    tree = rt.plot.tree(rt.C45().fit(data.X, data.y))
    assert box.evaluate(middle) == pytest.approx(tree.begins, abs=0.01)
    whole.get_by_label("whole picture").check()
    page.wait_for_function("() => document.querySelector('.rt-whole img')?.naturalWidth")
    assert seen_as_drawn(page) == 1
    assert box.evaluate("box => box.scrollHeight - box.clientHeight") == 0
    whole.get_by_label("whole picture").uncheck()


def check_page(page):
    """No name became a tag, nothing is critical or serious, all is seen together."""
    whole = page.locator(PAGE)
    assert page.evaluate("() => window.hits") == []
    assert whole.locator("img").count() == 1
    assert faults(page, PAGE) == []
    whole.get_by_role("button", name="ROC", exact=True).press("Enter")
    whole.get_by_role("status").get_by_text("Done: ROC.").wait_for()
    whole.get_by_role("button", name="ROC", exact=True).evaluate("e => e.scrollIntoView()")
    boxes = [whole.get_by_role("img").bounding_box(), whole.get_by_label("method").bounding_box()]
    for box in boxes:
        assert min(box["x"], box["y"]) >= 0
        assert box["x"] + box["width"] <= 1280
        assert box["y"] + box["height"] <= 800


def check_phone_at_night(page):
    """At the width of a phone nothing runs off, and in the dark all is legible."""
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    off = """() => [...document.querySelectorAll('.rt-play :is(button, select, input, p, pre, a)')]
        .filter(e => e.getBoundingClientRect().right > 390 && !e.closest('.rt-box, table'))
        .map(e => e.outerHTML.slice(0, 100))"""
    assert page.evaluate(off) == []
    result, fields = (page.locator(PAGE).get_by_role("img"), page.get_by_label("method"))
    assert result.bounding_box()["y"] < fields.bounding_box()["y"], "the result is first"
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(23, 21, 30)"
    assert faults(page, PAGE) == []
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 800})


def wait_until(done):
    """Look again and again until it is so, or an AssertionError after a long time."""
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end
        time.sleep(0.5)


def asked_elsewhere(page, voila):
    """The addresses of other hosts that a page will ask for, which are refused."""
    asked, local = [], re.search("//(.+?/)", voila.address)[1]
    page.on("request", lambda request: asked.append(request.url) if elsewhere(request) else None)

    def elsewhere(request):
        kind, _, rest = request.url.partition("://")
        return kind in ("http", "https", "ws", "wss") and not rest.startswith(local)

    page.route("**/*", lambda r: r.abort() if elsewhere(r.request) else r.continue_())
    return asked


def test_a_messy_file_is_mended_by_clicks_alone_and_handed_in(page, voila, tmp_path):
    """Each notice goes with a click on its button; the last page asks for nothing but itself."""
    asked = asked_elsewhere(page, voila)
    page.goto(voila.address)
    page.get_by_role("heading", name="Playground", exact=True).wait_for()
    page.get_by_text("Done: tree.").wait_for()
    assert page.title() == "Playground · ranktrees"
    choose(page, "loans.csv", messy())
    page.get_by_role("alert").get_by_text("loans.csv begins with comments").wait_for()
    notices, clicked = page.locator(".rt-notices"), []
    page.get_by_role("button", name="Leave out lines that begin").click()
    notices.get_by_text("Done: Leave out lines").wait_for()
    while (button := notices.get_by_role("button").first).inner_text() != "Undo":
        clicked.append(button.inner_text())
        button.click()
        notices.get_by_text("Done: Leave out lines").get_by_text(clicked[-1]).wait_for()
    assert len(clicked) == 5
    notices.get_by_role("button", name="Undo").click()
    notices.get_by_role("button", name=clicked[-1]).click()
    page.get_by_placeholder("your name").fill("A. Student")
    page.get_by_role("button", name="Finish").click()
    with page.expect_download() as file:
        page.get_by_role("link", name="Page to hand in").click()
    file.value.save_as(tmp_path / "hand-in.html")
    page.goto((tmp_path / "hand-in.html").as_uri())
    assert page.locator("h2").all_inner_texts()[::3] == ["The tree", "The code"]
    assert "95 % interval" in page.locator("strong").first.inner_text()
    assert "drop=['no', 'day', 'name', 'bank']" in page.locator("pre").inner_text()
    assert seen_as_drawn(page) == 3
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert faults(page) == []
    faces = "e => getComputedStyle(e).fontFamily"
    assert len({e.evaluate(faces) for e in page.locator("body, h1, h2, p, td").all()}) == 1
    assert asked == []


@pytest.mark.long
def test_a_whole_job_where_it_is_served_alone(page, voila, tmp_path):
    asked = asked_elsewhere(page, voila)
    page.add_init_script(HITS)
    page.goto(voila.address.partition("?")[0])
    assert "/login" in page.url  # without the token
    page.goto(voila.address)
    check_a_tree(page)
    job(page, tmp_path)
    check_page(page)
    check_phone_at_night(page)
    assert page.get_by_text("rt.playground()").count() == 0
    assert page.get_by_text("Ideas for projects").count() == 0
    choose(page, "large.csv", b"1,x\n" * 6_000_000)
    page.get_by_role("alert").get_by_text("large.csv is too large, 22.9 MB").wait_for()
    assert asked == []


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pgrep") is None, reason="counts processes by pgrep")
def test_a_page_that_is_left_takes_its_kernel_along(page, voila):
    """Loaded again, closed or cut off; one that stays open keeps its kernel, however idle."""
    lost, again = page.context.new_page(), page.context.new_page()
    for one in (page, lost, again):
        one.goto(voila.address)
        one.get_by_text("Done: tree.").wait_for()
    assert voila.kernels() == 3
    lost.close(run_before_unload=False)  # as if the browser were killed
    upload(again)
    for _ in range(10):
        again.reload()
        again.get_by_text("Done: tree.").wait_for()
        assert "my" not in again.get_by_label("data", exact=True).inner_text()
    again.close(run_before_unload=True)
    wait_until(lambda: voila.kernels() == 1)
    page.get_by_role("button", name="ROC", exact=True).press("Enter")
    page.get_by_role("status").get_by_text("Done: ROC.").wait_for()
    said = voila.log.read_text("utf-8")
    assert "_xsrf" not in said
    assert said.count("Culling '") == 1


@pytest.mark.long
def test_a_whole_job_in_jupyterlab(page, lab, tmp_path):
    page.add_init_script(HITS)
    open_lesson(page, lab, NOTEBOOK)
    assert run_all(page) == []
    check_a_tree(page)
    job(page, tmp_path)
    check_page(page)
