"""Two people with a browser: a lecturer's hour from `make`, a student's evening with a wheel."""

import json
import re
import subprocess
import sys

import pytest
from browser import CONNECTED, PANEL, PATIENCE, POLL, PRINTED
from fresh import ROOT, served, surroundings, typed

import ranktrees as rt

SERVER = "--no-browser --expose-app-in-browser"
LESSON = "00_ranking.ipynb"
FIRST, PAIRS = "rt.check.perfect_and_lazy", "rt.check.pairs_by_hand"
WHERE = f"text => [...{PANEL}.model.cells].findIndex(c => c.sharedModel.source.includes(text))"
CELL = f"i => {PANEL}.content.widgets[i].node"
SELECT = f"""async i => {{
    const notebook = {PANEL}.content;
    notebook.activeCellIndex = i;
    await notebook.scrollToItem(i, 'center');
}}"""
CODE = f"(from, to) => [...{PANEL}.model.cells].slice(from, to).filter(c => c.type === 'code')"
FORGET = f"([from, to]) => ({CODE})(from, to).forEach(cell => cell.clearExecution())"
RAN = f"""([from, to]) => ({CODE})(from, to).every(cell => cell.executionCount !== null)
    && ({CONNECTED})()"""
CLOSE = f"async () => {{ await {PANEL}.context.save(); await {PANEL}.sessionContext.shutdown(); }}"
HEAD = "income,owner,since,grade,paid"
ROWS = [
    f"{1000 + 37 * (i * 7 % 60)},{'yes' if i % 3 else 'no'},{2000 + i % 9},"
    f"{'ABC'[i * 5 % 3]},{'late' if (i * 7 % 60 < 25) != (i % 11 == 0) else 'in time'}"
    for i in range(120)
]
LOADED = """
import ranktrees as rt
data = rt.read_csv("loans.csv", target="paid")
print(rt.load_model("model.json").predict_proba(data.X).sum(axis=0).round(6).tolist())
"""


@pytest.fixture
def visitor(opened):
    """A page of a browser that has never been anywhere."""
    context = opened.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE * 1000)
    yield context.new_page()
    context.close()


def ready(page, address):
    """Open a notebook in JupyterLab and wait for its kernel."""
    page.goto(address)
    page.wait_for_function("() => window.jupyterapp !== undefined", polling=POLL)
    page.wait_for_function(CONNECTED, polling=POLL)


def part(page, i, kind):
    """A part of a cell, which is scrolled into view."""
    page.evaluate(SELECT, i)
    return page.evaluate_handle(CELL, i).as_element().wait_for_selector(kind)


def run_above(page, i):
    """What README says of a kernel's restart: Run > Run All Above Selected Cell."""
    page.evaluate(FORGET, [0, i])  # a lesson with its outputs looks as if it had run
    page.evaluate(SELECT, i)
    page.locator(".lm-MenuBar-itemLabel").get_by_text("Run", exact=True).click()
    page.locator(".lm-Menu-itemLabel").get_by_text("Run All Above Selected Cell").click()
    page.wait_for_function(RAN, arg=[0, i], polling=POLL)


def answer(page, check, text):
    """Type an answer, run it and its check by the keyboard; return what the check says."""
    i = page.evaluate(WHERE, check)
    page.evaluate(FORGET, [i, i + 1])
    part(page, i - 1, ".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.type(text)
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    page.wait_for_function(RAN, arg=[i, i + 1], polling=POLL)
    return part(page, i, ".jp-OutputArea-output").inner_text()


def test_a_lecturer_does_an_exercise_before_the_class(visitor, clone, tmp_path):
    shell = surroundings(clone / ".venv/bin/python", tmp_path / "private")
    line = f"make lab LECTURE=1 LAB_FLAGS='{SERVER}'"
    with served(line, clone, shell, tmp_path / "log") as address:
        ready(visitor, address)
        check = visitor.evaluate(WHERE, FIRST)
        run_above(visitor, check - 1)
        tries = ([0.9] * 5 + [0.1] * 6, [0.4] * 5 + [0.1] * 6)
        said = [answer(visitor, FIRST, f"eleven_scores = {value}") for value in tries]
        visitor.evaluate(CLOSE)
    assert [text.split(".")[0] for text in said] == ["Not yet", "Right"]
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        assert (clone / "notebooks" / path.name).read_bytes() == path.read_bytes()


def test_a_lecturer_opens_slides_a_figure_and_the_notes(disk, tmp_path):
    line = [sys.executable, "-m", "tools.slides", "slides/05.md", "--to", tmp_path]
    subprocess.run(line, cwd=ROOT, check=True)
    disk.goto((tmp_path / "index.html").as_uri())
    disk.get_by_role("link", name="05").click()
    disk.wait_for_selector("body.ready")
    for _ in range(60):
        figure = disk.locator("section.present img")
        if figure.count() and figure.first.is_visible():
            break
        disk.keyboard.press("ArrowRight")
    assert figure.first.evaluate("image => image.naturalWidth") > 300
    assert figure.first.get_attribute("alt")
    noted = "() => Boolean(Reveal.getSlideNotes())"
    while not disk.evaluate(noted):
        disk.keyboard.press("ArrowLeft")
    text = disk.evaluate("() => Reveal.getSlideNotes()")
    with disk.expect_popup() as opened:
        disk.keyboard.press("s")
    notes = opened.value.locator(".speaker-controls-notes .value")
    notes.filter(has_text=re.sub(r"<[^>]+>", "", text).strip()[:30]).wait_for()


def upload(page, path):
    """Upload a CSV file; return the playground once it is chosen."""
    whole = page.locator(".rt-play")
    whole.get_by_text("Done: tree.").wait_for()
    with page.expect_file_chooser() as chosen:
        whole.get_by_role("button", name="Upload").click()
    chosen.value.set_files(path)
    chosen = "document.querySelector('.rt-play select').selectedOptions[0].text"
    page.wait_for_function(f"() => {chosen}.includes('loans')")
    return whole


def save(page, whole, link, folder):
    """Click on a link and save the file under the name that it has; return its path."""
    with page.expect_download() as file:
        whole.get_by_role("link", name=link).click()
    path = folder / file.value.suggested_filename
    file.value.save_as(path)
    return path


def test_a_lecturer_compares_on_an_upload_and_takes_it_home(visitor, clone, fresh, tmp_path):
    folder, home = tmp_path / "desk", tmp_path / "at home"
    folder.mkdir()
    home.mkdir()
    table = folder / "loans.csv"
    table.write_text("\n".join([HEAD, *ROWS]), encoding="utf-8")
    shell = surroundings(clone / ".venv/bin/python", tmp_path / "private")
    line = "make playground LAB_FLAGS=--no-browser"
    with served(line, clone, shell, tmp_path / "log") as address:
        visitor.goto(address)
        whole = upload(visitor, table)
        whole.get_by_label("method").select_option("C4.4")
        whole.get_by_label("compare with").select_option(["naive Bayes", "C4.5"])
        whole.get_by_role("button", name="comparison", exact=True).click()
        whole.get_by_role("status").get_by_text("Done: comparison.").wait_for()
        shown = whole.locator("td:nth-child(2)").all_inner_texts()
        picture = save(visitor, whole, "Picture", folder)
        code = save(visitor, whole, "Code", home)
        whole.get_by_role("button", name="Prepare").click()
        model = save(visitor, whole, "Model", home)
        seen = whole.get_by_role("img").first.evaluate("image => image.src")
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(seen) > picture.stat().st_size  # the same one, in base64
    (home / "loans.csv").write_bytes(table.read_bytes())
    shell = surroundings(fresh, tmp_path / "private at home")
    printed = typed(f"python {code.name}", home, shell)
    assert [f"{float(mean):.3f}" for mean in printed.splitlines()[2].split()[-3:]] == shown
    model.rename(home / "model.json")
    (home / "load.py").write_text(LOADED, encoding="utf-8")
    assert sum(json.loads(typed("python load.py", home, shell))) == pytest.approx(len(ROWS))


def test_a_student_answers_saves_and_finds_it_again(visitor, fresh, tmp_path):
    shell = surroundings(fresh, tmp_path / "private")
    typed("python -m ranktrees lessons my-course", tmp_path, shell)
    line = f"python -m jupyterlab my-course {SERVER}"
    with served(line, tmp_path, shell, tmp_path / "log") as address:
        lesson = address.replace("/lab?", f"/lab/tree/{LESSON}?")
        ready(visitor, lesson)
        check = visitor.evaluate(WHERE, PAIRS)
        run_above(visitor, check - 1)
        tries = ("8 / 12", "10 / 12", "75", "9 / 12")
        said = [answer(visitor, PAIRS, f"auc_by_hand = {value}") for value in tries]
        assert [text.split(".")[0] for text in said] == ["Not yet"] * 3 + ["Right"]
        assert "left out the ties" in said[0]
        assert "one half" in said[1]
        assert "not per cent" in said[2]
        visitor.keyboard.press("Control+s")
        visitor.locator(".jp-mod-dirty").wait_for(state="detached")
        visitor.evaluate(CLOSE)
        visitor.close()
        again = visitor.context.new_page()
        ready(again, lesson)
        assert "not defined" in again.evaluate(PRINTED, "auc_by_hand"), "nothing has run"
        typed_in = part(again, check - 1, ".cm-content").inner_text()
        assert typed_in == "auc_by_hand = 9 / 12"
        assert part(again, check, ".jp-OutputArea-output").inner_text() == said[-1]


def test_a_practitioner_opens_an_explanation_as_a_page(disk, tmp_path):
    rows = [f"{i % 17},{'ab'[i % 5 < 2]},{'late' if i % 17 < 6 else 'in time'}" for i in range(90)]
    table = tmp_path / "loans.csv"
    table.write_text("\n".join(["$p <b>,member,paid", *rows]), encoding="utf-8")
    data = rt.read_csv(table)
    said = rt.PathBayes().fit(data.X, data.y).explain(data.X.iloc[3])
    page = tmp_path / "said.html"
    page.write_text(f"<!doctype html><meta charset=utf-8>{said._repr_html_()}", encoding="utf-8")
    disk.goto(page.as_uri())
    assert "$p <b>" in disk.locator("body").inner_text()
    assert "late" in disk.locator("body").inner_text()
