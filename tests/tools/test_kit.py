"""The lecturer's kit: questions for platforms, assignments, handouts, plans; what it refuses."""

import json
import re
import zipfile
from importlib import import_module

import pytest
from fresh import ROOT
from gift import read_gift

from ranktrees import __version__
from ranktrees_lab.ask.card import marked
from ranktrees_lab.ask.questions import PARTS, read_questions
from tools import handouts, kit, lessons, marks, pages
from tools.grading import assignment
from tools.quizzes import gift

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
COURSE = {path: lessons.read(path) for path in NOTEBOOKS}
TAUGHT = {path: book for path, book in COURSE.items() if lessons.is_taught(book)}
EVERY = [pytest.param(path, id=path.stem) for path in TAUGHT]
SMALL = ROOT / "notebooks" / "07_pruning.ipynb"


@pytest.mark.parametrize("path", EVERY)
def test_a_platform_reads_the_questions_as_they_are(path):
    lesson = path.stem[:2]
    category, found = read_gift(gift(lesson, "a title"))
    assert category == f"$course$/ranktrees/{lesson} a title"
    asked = [question for part in PARTS for question in read_questions(lesson, part)]
    assert [question.text for question in found] == [marked(question.text) for question in asked]
    assert [question.choices for question in found] == [
        [["~="[c.right], marked(c.text), marked(c.why)] for c in question.choices]
        for question in asked
    ]
    assert len({question.name for question in found}) == 8


@pytest.mark.parametrize("path", EVERY)
def test_an_assignment_has_a_test_for_each_exercise(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    tagged = [lessons.tags(cell) for cell in notebook["cells"]]
    exercises = sum("answer" in tags for tags in tagged)
    left_out = sum(bool({"solution", "verify"} & tags) for tags in tagged)
    for solutions in (True, False):
        made = assignment(notebook, solutions)
        marks = [c["metadata"]["nbgrader"] for c in made["cells"] if "nbgrader" in c["metadata"]]
        assert sum(mark["solution"] for mark in marks) == exercises >= 2
        assert sum(mark.get("points", 0) for mark in marks) == exercises
        assert len({mark["grade_id"] for mark in marks}) == len(marks) == 2 * exercises
        assert len(made["cells"]) == len(notebook["cells"]) - left_out
        texts = ["".join(cell["source"]) for cell in made["cells"]]
        assert sum("### BEGIN SOLUTION" in text for text in texts) == exercises * solutions
        assert not any(cell.get("outputs") for cell in made["cells"])


@pytest.mark.parametrize("weeks", kit.PLANS)
def test_a_plan_has_each_core_lesson_a_revision_and_an_exam(weeks):
    planned = " ".join(kit.PLANS[weeks]).split()
    core = [p.stem[:2] for p, book in TAUGHT.items() if "further" not in kit.planned(book)]
    assert [number for number in planned if number in core] == core
    assert len(set(planned)) == len(planned) == {8: 12, 15: 16}[weeks]
    text = kit.syllabus(TAUGHT, weeks)
    rows = re.findall(r"^\| (\d+) \| (.+) \| (\d*) ?\|$", text, re.M)
    assert [int(row[0]) for row in rows] == list(range(1, weeks + 1))
    assert [row[1].split()[0] for row in rows[-2:]] == ["Revision:", "Exam:"]
    for (_, titles, minutes), numbers in zip(rows[:-2], kit.PLANS[weeks], strict=True):
        taught = [book for path, book in TAUGHT.items() if path.stem[:2] in numbers.split()]
        said = [re.search(r"\*\*Time:\*\* (\d+) min", book.cells[0].source) for book in taught]
        assert int(minutes) == sum(int(found[1]) for found in said) <= 90
        assert [kit.title_of(book) in titles for book in taught] == [True] * len(taught)
    for path in TAUGHT:
        assert (f"### {path.stem}\n\n- " in text) == (path.stem[:2] in planned)


@pytest.mark.parametrize("path", EVERY)
def test_a_page_to_hand_out_says_what_its_lesson_says(path):
    page = handouts.contents(path.stem[:2], TAUGHT[path])
    assert len(page["picture"]["alt"]) > 20
    for each in page["formulas"]:
        assert not re.search(r"= *-?[\d.]*\.\d", each["formula"]), "a worked example is no formula"
    assert page["title"].startswith(path.stem[:2])
    assert min(page[part].count("<li>") for part in ("goals", "takeaways")) >= 3
    assert len(page["questions"]) == 5


def symbols(formula):
    """The letters and names of a formula of TeX, without functions, words and commands."""
    formula = re.sub(r"\\text\{[^}]*\}", " ", formula)
    names = set(re.findall(r"\\mathrm\{(\w+)\}|(\bsim\b)", formula))
    formula = re.sub(r"\\mathrm\{\w+\}|\bsim\b", " ", formula)
    greek = set(re.findall(r"\\(pi|phi|alpha|nu|mu|sigma|propto)(?![a-z])", formula))
    return (
        {"".join(n) for n in names}
        | greek
        | set(re.findall("[A-Za-z]", re.sub(r"\\[a-z]+", " ", formula)))
    )


@pytest.mark.parametrize("path", EVERY)
def test_a_page_to_hand_out_says_what_each_letter_means(path):
    tagged = [cell for cell in TAUGHT[path].cells if "handout" in lessons.tags(cell)]
    explained = set()
    for formula, letters in handouts.formulas(path.stem[:2], tagged):
        explained |= symbols(" ".join(re.findall(r"\$([^$]+)\$", letters)))
        assert symbols(formula) - explained == set(), formula


def test_a_formula_without_its_letters_is_named():
    assert symbols(r"\mathrm{AUC} = \frac{S}{n\,m} \text{at } sim(e_i)") == {*"Snmei", "AUC", "sim"}
    cell = lessons.nbformat.v4.new_markdown_cell("$$a$$\n\n$$b$$")
    with pytest.raises(
        handouts.HandoutError, match=r"lesson 08: 2 formulas, and letters\.toml says of 1"
    ):
        handouts.formulas("08", [cell])


@pytest.mark.parametrize("pictures", [0, 2])
def test_a_lesson_without_one_picture_to_hand_out_is_named(pictures):
    notebook = lessons.read(SMALL)
    drawn = [cell for cell in notebook.cells if handouts.pictures([cell])]
    for cell in drawn:
        cell.metadata["tags"] = ["handout"] if cell in drawn[:pictures] else []
    with pytest.raises(handouts.HandoutError, match=f'lesson 07: {pictures} pictures are tagged "'):
        handouts.contents("07", notebook)


def test_a_folder_of_other_things_or_grades_is_left_alone(tmp_path):
    pages.make_room(tmp_path)
    (tmp_path / "page.html").write_text("old")
    pages.make_room(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [pages.MARK]
    (tmp_path / pages.MARK).rename(tmp_path / "thesis.tex")
    with pytest.raises(SystemExit, match="holds other things: name a new folder"):
        pages.make_room(tmp_path)
    (tmp_path / "thesis.tex").rename(tmp_path / "gradebook.db")
    with pytest.raises(SystemExit, match="holds grades: move it to another place first"):
        pages.make_room(tmp_path)


@pytest.fixture
def alone(monkeypatch):
    """No Chromium, and a course of one lesson."""
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr(lessons, "find_lessons", lambda: [SMALL])


WHEEL = f"ranktrees-{__version__}-py3-none-any.whl"


def test_without_chromium_the_rest_is_built_and_it_is_said(alone, tmp_path, capsys):
    target = tmp_path / "kit"
    none = str(tmp_path / "none")
    assert kit.main(["--to", str(target), "--slides", none, "--web", none]) == 0
    said, page = capsys.readouterr().err, (target / "README.md").read_text(encoding="utf-8")
    assert f"MISSING: no PDF files: none of {', '.join(handouts.BROWSERS)} is installed" in said
    assert "MISSING: no slides" in said
    folders = {"handouts", "solutions", "students", "hosted", "nbgrader", "quiz"}
    others = {*(f"syllabus-{weeks}-weeks.md" for weeks in kit.PLANS), "data", "licenses"}
    names = {path.name for path in target.iterdir()}
    assert names == folders | others | {"README.md", pages.MARK, WHEEL}
    assert f'pip install -c students/constraints.txt "./{WHEEL}[lab]"\n' in page
    assert f"installs `ranktrees[hosted]=={__version__}`, once an index has it" in page
    assert (target / "data" / "README.md").read_text(encoding="utf-8").count("CC BY 4.0") > 5
    assert {p.name for p in (target / "licenses").iterdir()} == {"LICENSE", "CC-BY-4.0.txt"}
    assert '"solution"' not in (target / "students" / SMALL.name).read_text(encoding="utf-8")
    files = [path.read_bytes() for path in target.rglob("*") if path.is_file()]
    with zipfile.ZipFile(target / WHEEL) as archive:
        files += [archive.read(name) for name in archive.namelist()]
    tasks = [import_module(f"tools.tasks.lesson_{lesson}") for lesson in marks.LESSONS]
    asked = [re.split(r"\{\{.*?\}\}", part.ask) for task in tasks for part in task.PARTS]
    assert len(asked) > 20
    for secret in ("BEGIN HIDDEN", *(max(texts, key=len).strip() for texts in asked)):
        assert not [file for file in files if secret.encode() in file], secret


def test_a_kit_names_the_wheel_that_hosted_notebooks_install(alone, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(kit, "write_wheel", lambda folder: ["no wheel of the package: no build"])
    target = tmp_path / "kit"
    assert kit.main(["--to", str(target), "--from", "https://a.org/numpy.whl"]) == 2
    assert "is not a wheel of ranktrees" in capsys.readouterr().err
    assert not target.exists()
    assert kit.main(["--to", str(target), "--from", f"https://a.org/my files/{WHEEL}"]) == 0
    asked = f"ranktrees[hosted] @ https://a.org/my%20files/{WHEEL}"
    hosted = lessons.read(target / "hosted" / SMALL.name)
    assert f'"{asked}"' in hosted.cells[0].source
    page = (target / "README.md").read_text(encoding="utf-8")
    assert f"installs `{asked}` |" in page
    assert "**Missing:** no wheel of the package: no build" in page
    assert 'constraints.txt "ranktrees[lab]"' in page
