"""A class of made-up students, from release to grades.csv: what they did to cells costs nothing."""

import pytest
from classroom import FULL, LESS, STOPPED, Lesson, all_hand_in, grades_of, nbgrader
from fresh import ROOT

from tools import kit, lessons, marks, site

LIMIT = 20  # seconds a cell may run: a minute would make the night longer and nothing clearer
SLOW = "This runs for more than a minute: 0 points."
SENTENCES = dict.fromkeys(("slow", "slow_function", "deaf"), SLOW)
SENTENCES |= {"ends": "This ends Python, or takes more memory than there is: 0 points."}
LESSON = Lesson(
    "01_what_is_a_good_split",
    "exercise-1",
    "check-1",
    "exercise-3",
    wrong='order = ["sports", "multiway", "sports,luxury"]',
    warns="""def fewer_errors(n):
    size = n.sum(axis=(-2, -1))
    share = np.nan_to_num(n.max(axis=-1) / n.sum(axis=-1))  # 0/0 in an empty branch
    return (n.sum(axis=-1) * share).sum(axis=-1) / size - n.sum(axis=-2).max(axis=-1) / size""",
)
TASK = Lesson(
    "05_auc",
    "auc",
    "test-auc",
    "auc_of_leaves",
    wrong="auc = 0.123",
    warns="""def auc_of_leaves(positive, negative):
    p, n = (np.array([*k, 0], float) for k in (positive, negative))
    share = np.nan_to_num(p / p)  # 0/0 in the last leaf
    return (share * p * (n.sum() - n.cumsum() + n / 2)).sum() / p.sum() / n.sum()""",
)


def write_lesson(course):
    path = ROOT / "notebooks" / f"{LESSON.name}.ipynb"
    kit.write_assignments({path: lessons.read(path)}, course)


def write_task(course):
    marks.write(course, "7", {TASK.name[:2]: TASK.name})


def test_no_cell_of_a_student_stops_nbgrader_for_the_class(tmp_path):
    course = tmp_path / "course"
    write_task(course)
    nbgrader(course, f"generate_assignment {TASK.name}")
    all_hand_in(course, TASK, STOPPED)
    nbgrader(course, f"autograde {TASK.name}", "export")
    assert grades_of(course) == {student.__name__: 6 for student in STOPPED}


CLASSES = [
    pytest.param(LESSON, write_lesson, ("student_id", "score"), (1, 1, 3), id="lesson"),
    pytest.param(TASK, write_task, ("username", "total"), (2, 3, 6), id="task"),
]


@pytest.mark.long
@pytest.mark.parametrize(("lesson", "write", "columns", "points"), CLASSES)
def test_a_class_gets_the_marks_of_its_answers(tmp_path, lesson, write, columns, points):
    course, (of_answer, of_function, every) = tmp_path / "course", points
    write(course)
    nbgrader(course, f"generate_assignment {lesson.name}")
    all_hand_in(course, lesson, [*FULL, *LESS])
    grading = f"autograde {lesson.name} --ExecutePreprocessor.timeout={LIMIT}"
    said = nbgrader(course, grading, code=1).splitlines()
    (named,) = [line for line in said if "for student" in line]
    assert named.endswith(f"'{lesson.name}' for student 'renamed'")
    finishing = f"generate_feedback {lesson.name}", "export"
    nbgrader(course, *finishing)
    full = dict.fromkeys((student.__name__ for student in FULL), every)
    less = dict.fromkeys((student.__name__ for student in LESS), every - of_answer)
    less |= {"slow_function": every - of_function, "renamed": 0}
    assert grades_of(course, *columns) == full | less
    for student, sentence in SENTENCES.items():
        page = course / "feedback" / student / lesson.name / f"{lesson.name}.html"
        assert sentence in site.plain(page.read_text(encoding="utf-8"))
    handed_in = course / "submitted" / "renamed" / lesson.name
    (handed_in / f"{lesson.name} (1).ipynb").rename(handed_in / f"{lesson.name}.ipynb")
    nbgrader(course, f"{grading} --student=renamed", *finishing)
    assert grades_of(course, *columns) == full | less | {"renamed": every}
