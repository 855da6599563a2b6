"""A folder with everything that a lecturer needs: `python -m tools.kit`, or `make kit`.

build/kit/ gets slides (as `make slides` left them), handouts, solutions, students' copies, copies
for hosted notebooks, nbgrader assignments, the questions for learning platforms, plans for 8 and
for 15 weeks, the data with their licences, and the package that all of it needs. build/kit-marks/,
for lecturers alone, gets tasks for marks with the numbers of a seed.
"""

import argparse
import json
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

from ranktrees_lab.hosted import requirement
from ranktrees_lab.student import write_course, write_texts
from tools import handouts, lessons, marks, pages, texts
from tools.grading import CONFIG, assignment
from tools.quizzes import gift
from tools.seconds import Clock, spent

ROOT = Path(__file__).resolve().parents[1]
PLANS = {  # lessons per week, before the LAST two
    8: ["00 01", "02 03", "05 06", "07 08", "09 11", "12 13"],
    15: ["00", "01", "02", "03", "05", "06", "04 07", "08", "09", "11", "12", "10 13", "14 15"],
}
CLOCK = Clock()
LAST = (
    "Revision: the playground (lesson 16), and the questions of all lessons",
    "Exam: tasks such as those for marks, with a seed of their own",
)


def build(
    paths,
    target: Path,
    slides: Path,
    address: str | None = None,
    seed: str = "1",
    web: Path | None = None,
) -> list[str]:
    """Write the kit of these lessons to an empty folder; return sentences about what is missing.

    Tasks for marks, with the numbers of a `seed`, go into a folder beside it, TARGET-marks. Hosted
    notebooks install the wheel at `address`, else the package from an index. The course for a
    browser is copied from `web` if it has Pyodide in it, for a hall without network. Raises
    HandoutError, naming the lesson, if it has no goals or does not fit on a page, and ValueError if
    the address does not name a wheel.
    """
    asked = requirement(address)
    course = {path: lessons.read(path) for path in paths}
    asking = {path: nb for path, nb in course.items() if lessons.is_taught(nb)}
    names = {path.stem[:2]: path.stem for path in asking}
    with CLOCK.part("tasks for marks"):
        marks.write(target.with_name(f"{target.name}-marks"), seed, names)
    pages.make_room(target)
    with CLOCK.part("handouts"):
        no_pdf = write_handouts(asking, target / "handouts")
    with CLOCK.part("the package"):
        missing = [*no_pdf, *write_wheel(target)]
    with CLOCK.part("copies of lessons"):
        _write_copies(asking, target, address)
    write_quizzes(asking, target / "quiz")
    write_texts({target / f"syllabus-{weeks}-weeks.md": syllabus(asking, weeks) for weeks in PLANS})
    copy_files([*sorted((ROOT / "data").glob("*.arff")), ROOT / "data/README.md"], target / "data")
    copy_files([ROOT / "LICENSE", *sorted((ROOT / "licenses").iterdir())], target / "licenses")
    if slides.is_dir():
        shutil.copytree(slides, target / "slides")
    else:
        missing.append(f"no slides: {slides} is not there (make slides)")
    hall = web is not None and (web / "static" / "pyodide").is_dir()
    if hall:
        shutil.copytree(web, target / "web")
    wheel = next((f"./{path.name}" for path in target.glob("*.whl")), "ranktrees")
    said = {"pdf": not no_pdf, "missing": missing, "wheel": wheel, "asked": asked, "hall": hall}
    text = pages.template("kit.md.j2").render(said, hosted_here=address is not None)
    (target / "README.md").write_text(text, encoding="utf-8")
    return missing


def _write_copies(asking, target, address):
    """Write the lessons as students, hosts, lecturers and nbgrader need them."""
    write_course(target / "students")
    write_course(target / "hosted", hosted=True, address=address)
    write_course(target / "solutions", solutions=True)
    write_assignments(asking, target / "nbgrader")


def write_handouts(course: dict, folder: Path) -> list[str]:
    """Write a page per lesson, as HTML and, if there is a Chromium, as PDF."""
    (folder / "mathjax").mkdir(parents=True)
    shutil.copy(pages.vendored("mathjax/tex-svg.js"), folder / "mathjax")
    shutil.copy(pages.LOOK, folder)
    template, files = pages.template("handout.html.j2"), {}
    for path, notebook in course.items():
        page = template.render(lesson=handouts.contents(path.stem[:2], notebook))
        files[folder / f"{path.stem}.html"] = page
    written = write_texts(files)
    browser = handouts.find_browser()
    if browser is None:
        return [f"no PDF files: none of {', '.join(handouts.BROWSERS)} is installed"]
    try:
        handouts.print_pages(written, browser)
    except handouts.BrowserError as error:
        return [f"no PDF files: {error}"]
    return []


def write_wheel(folder: Path) -> list[str]:
    """Build the package, without the network; return a sentence if that is not possible."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT]
    done = subprocess.run(command, capture_output=True, text=True)
    why = (done.stderr or done.stdout).strip().splitlines()[-1:]
    return [f"no wheel of the package: {' '.join(why)}"] if done.returncode else []


def write_assignments(course: dict, folder: Path) -> None:
    """Write nbgrader's folders source/ and release/, a folder per lesson, and its settings."""
    files = {folder / "nbgrader_config.py": CONFIG}
    for path, notebook in course.items():
        for version in ("source", "release"):
            copy = assignment(notebook, solutions=version == "source")
            text = json.dumps(copy, indent=1, ensure_ascii=False)
            files[folder / version / path.stem / path.name] = text
    write_texts(files)


def write_quizzes(course: dict, folder: Path) -> None:
    """Write each lesson's questions as GIFT."""
    titles = {path.stem: title_of(notebook) for path, notebook in course.items()}
    write_texts({folder / f"{name}.gift": gift(name[:2], title) for name, title in titles.items()})


def copy_files(paths: list[Path], folder: Path) -> None:
    """Copy files, such as data with their sources or texts of licences, into a new folder."""
    folder.mkdir()
    for path in paths:
        shutil.copy(path, folder)


def syllabus(course: dict, weeks: int) -> str:
    """Return a plan of 8 or 15 weeks as Markdown: lessons, minutes, goals."""
    known = {path.stem[:2]: (path, notebook) for path, notebook in course.items()}
    rows = [f"# {weeks} weeks of ranktrees", ""]
    rows.append("| week | lessons | minutes, with quizzes |")
    rows.append("|---|---|---|")
    goals = []
    for week, numbers in enumerate(PLANS[weeks], start=1):
        taught = [known[number] for number in numbers.split() if number in known]
        titles = "; ".join(planned(notebook) for _, notebook in taught)
        minutes = sum(lessons.minutes(notebook)[0] for _, notebook in taught)
        rows.append(f"| {week} | {titles} | {minutes} |")
        goals += [f"\n## Week {week}", *(goals_of(path, notebook) for path, notebook in taught)]
    for week, text in enumerate(LAST, start=len(PLANS[weeks]) + 1):
        rows.append(f"| {week} | {text} | |")
    rows += ["", *below(known, weeks)]
    return "\n".join([*rows, "", "After each week students can:", *goals]) + "\n"


def below(known: dict, weeks: int) -> list[str]:
    """Return the notes below a plan: lessons left out, and how the decks fill the time."""
    taught = " ".join(PLANS[weeks]).split()
    rest = [title_of(notebook) for number, (_, notebook) in known.items() if number not in taught]
    return [
        "What is not marked as further reading is the core of the course.",
        "A deck takes 45 minutes; what is left of a lecture is for exercises and the challenge.",
        *([f"To read at home, if you like: {'; '.join(rest)}."] if rest else []),
    ]


def title_of(notebook) -> str:
    """Return the lesson's title, without its number."""
    return pages.title(notebook).partition(" · ")[2]


def planned(notebook) -> str:
    """Return the lesson's title, marked if the lesson is further reading."""
    part = texts.part(notebook.cells[0].source)
    return title_of(notebook) + f" ({part})" * (part == "further reading")


def goals_of(path, notebook) -> str:
    """Return the lesson's goals as a list below its name."""
    return f"\n### {path.stem}\n\n{handouts.list_below('goals', path.stem, notebook)}"


def main(arguments=None) -> int:
    """Write the kit; say on standard error what is missing."""
    parser = argparse.ArgumentParser(prog="tools.kit", description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "kit")
    parser.add_argument("--slides", type=Path, default=ROOT / "build" / "slides")
    text = (
        "the course for a browser, copied if Pyodide is in it (make web PYODIDE=...): %(default)s"
    )
    parser.add_argument("--web", type=Path, default=ROOT / "build" / "web", help=text)
    text = "the wheel that hosted notebooks install (default: the package from an index)"
    parser.add_argument("--from", metavar="ADDRESS", dest="address", help=text)
    text = "of the numbers in the tasks for marks (default: a new one)"
    parser.add_argument("--seed", default=str(secrets.randbelow(10**6)), help=text)
    given = parser.parse_args(arguments)
    try:
        paths = lessons.find_lessons()
        missing = build(paths, given.to, given.slides, given.address, given.seed, given.web)
    except ValueError as error:
        print(f"tools.kit: {error}", file=sys.stderr)
        return 2
    print(f"{given.to}: see README.md there\n{given.to}-marks: tasks for marks, seed {given.seed}")
    print(CLOCK.told(spent()))
    for sentence in missing:
        print(f"MISSING: {sentence}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
