"""Quizzes and guesses: their files, what a press of a button shows, what is stored without one."""

import html
import re
import tomllib

import ipywidgets as widgets
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_lab.ask.card import buttons
from ranktrees_lab.ask.glossary import FILE, letters
from ranktrees_lab.ask.guess import REVEALED, Guess, kind_of
from ranktrees_lab.ask.numbers import read_number
from ranktrees_lab.ask.questions import FOLDER, PARTS, read_guess, read_questions
from ranktrees_lab.ask.quiz import Quiz

VIEW = "application/vnd.jupyter.widget-view+json"
FILES = sorted(FOLDER.glob("*.toml"))
PLAIN = """
[[end]]
text = "What is `1 + 1`?"
choices = [
    { wrong = "1 < 2", why = "That is true, and no number." },
    { right = "2", why = "One and one." },
    { wrong = "11", why = "Those are its digits." },
]
"""


def written(folder, text):
    """The folder of a lesson's questions, written there."""
    (folder / "05.toml").write_text(text, encoding="utf-8")
    return folder


def bundle(widget):
    return widget._repr_mimebundle_()[0]


def test_the_files_of_questions_are_in_order():
    """No question is asked twice, and the right choice has no fixed place."""
    asked = []
    for path in FILES:
        assert re.fullmatch(r"\d\d", path.stem)
        for part, number in PARTS.items():
            questions = read_questions(path.stem, part)
            assert len(questions) == number
            assert len({[c.right for c in q.choices].index(True) for q in questions}) > 1, path
            asked += [question.text for question in questions]
    assert len(set(asked)) == len(asked) > 0


GUESS = "[guess.a]\ntext = 'x'\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[end]", "05.toml: not readable as TOML"),
        ("[[middle]]\nx = 1", r"05.toml: \[\[middle\]\] is neither"),
        ("", r"05.toml: there is no question \[\[end\]\]"),
        ("end = [3]", r"05.toml, \[\[end\]\] question 1: needs text and choices"),
        (PLAIN.replace("One and one.", "x" * 301), "choice 2: why has 301 characters"),
        (PLAIN.replace("{ right", "{ wrong"), "question 1: 0 choices are right, not exactly one"),
        (PLAIN.replace("11", "1 < 2"), "question 1: two choices have the same text"),
        (PLAIN.replace(', why = "One and one."', ""), "choice 2: needs right or wrong, and why"),
        ('[[end]]\ntext = "a"\nchoices = [3]', "needs a list of 3 or 4 choices"),
        (f"{GUESS}answer = 1\nhint = 'y'", "needs text and answer; choices, digits"),
        (f"{GUESS}answer = 1\nsays = 3", "says must be text in quotes"),
        (GUESS.replace("'x'", f"'{'x' * 301}'") + "answer = 1", "text has 301 characters"),
    ],
)
def test_a_bad_file_is_named_with_its_question(text, message, tmp_path):
    guess = "[guess.a]" in text
    read, of = (read_guess, ["05.a"]) if guess else (read_questions, ["05", "end"])
    with pytest.raises(ValueError, match=message):
        read(*of, written(tmp_path, text))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rt.quiz("77"), "no questions of lesson '77': there are those of 00"),
        (lambda: rt.quiz("05", "middle"), "parts 'start' and 'end', not 'middle'"),
        (lambda: rt.guess(None), "key must be text"),
        (lambda: rt.guess("neck"), 'key names a lesson and its guess, as in "03.neck"'),
        (lambda: rt.guess("03.nack"), "no guess '03.nack': lesson 03 has 03.neck, 03."),
        (lambda: rt.guess("03.neck", reveal=7), "reveal must be a picture, a widget, a table"),
        (lambda: rt.guess("03.neck", reveal=lambda: 7).show(), "that makes one, not int"),
        (lambda: ask("Why?", "x", choices=["a", "b"]), "not among the choices"),
        (lambda: ask("Why?", "a", choices=["a", "a"]), "at least two different things"),
        (lambda: ask("Why?", ["a", "c"], order=["a", "b"]), "must hold what the order"),
        (lambda: ask("Why?", list(range(10)), order=range(10)), "at most 9 things"),
        (lambda: ask("Why?", "a", choices="ab", order="ab"), "not both"),
        (lambda: ask("Why?", float("nan")), "answer must be"),
        (lambda: ask("Why?", "seven"), "answer must be a number"),
    ],
)
def test_what_cannot_be_asked_is_refused(call, message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        call()


def test_a_quiz_answers_at_once_and_is_stored_without_an_answer(tmp_path):
    quiz = Quiz("05", folder=written(tmp_path, PLAIN))
    stored = bundle(quiz)
    assert set(stored) == {VIEW, "text/html", "text/plain"}
    asked = ["1. What is `1 + 1`?", "   a) 1 < 2", "   b) 2", "   c) 11"]
    assert stored["text/plain"].splitlines()[1:] == asked
    assert "<code>1 + 1</code>" in stored["text/html"]
    assert "<li>1 &lt; 2</li><li>2</li><li>11</li>" in stored["text/html"]
    assert quiz.chosen == [None]
    quiz.controls[0].value = "11"
    assert "<b>Not this one.</b> Those are its digits." in quiz.replies[0].value
    quiz.controls[0].value = "2"
    assert "<b>Right.</b> One and one." in quiz.replies[0].value
    assert quiz.chosen == ["2"]
    assert buttons("Which `x`?", ["`a` or b", "c"]).options[0][0] == "a or b"


def test_what_is_stored_and_sent_gives_nothing_away():
    quiz = rt.quiz("05")
    assert {type(widget) for widget in every(quiz)} == {Quiz, widgets.HTML, widgets.ToggleButtons}
    sent = "".join(str(widget.get_state()) for widget in every(quiz))
    for shown in (*map(str, bundle(quiz).values()), sent):
        assert not any(c.why in shown for q in quiz.questions for c in q.choices)


def every(widget):
    """A widget and all that are in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from every(child)


def test_terms_are_unique_in_order_and_explained_in_a_lesson_of_the_course():
    file = tomllib.loads(FILE.read_text(encoding="utf-8"))
    assert list(file["lessons"]) == [f"{number:02}" for number in range(17)]
    names = [name.lower() for name in file["terms"]]
    assert names == sorted(names)
    assert all(re.fullmatch(r"[^\n]{15,200}[.]", said) for _, said in file["terms"].values())
    explained = {lesson for lesson, _ in file["terms"].values()}
    assert explained == set(file["lessons"]) - {"16"}
    assert set(file["also"].values()) <= set(file["terms"])
    names = list(map(letters, [*file["terms"], *file["also"]]))
    assert len(set(names)) == len(names)


def test_the_glossary_says_one_term_or_all():
    (auc,) = rt.glossary("mann-Whitney")
    assert auc.lesson == "05 AUC"
    for asked, name in {"hand & till": "Hand and Till's M", "nb tree": "NBTree"}.items():
        assert [term.name for term in rt.glossary(asked)] == [name]
    whole = rt.glossary()
    assert len(repr(whole).splitlines()) == whole._repr_html_().count("<dt>") >= 50


@pytest.mark.parametrize(("asked", "hint"), [("rok curve", ["ROC curve"]), ("", [])])
def test_a_near_miss_gives_the_nearest_terms(asked, hint):
    found = rt.glossary(asked)
    assert [each.name for each in found][:1] == hint
    assert repr(found).startswith(f"There is no term {asked!r}. ")
    assert ("rt.glossary() lists all" in repr(found)) is not bool(hint)


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("0.7", "share", 0.7),
        ("70 %", "share", 0.7),
        ("7/10", "share", 0.7),
        ("1,234,567.5", "", 1234567.5),
        ("0,125", "", 0.125),
        ("70", "per cent", 70.0),
        ("0,918 bits", "bits", 0.918),
        ("Step 2", "", 2),
        ("15 out of 20 pairs", "share", 0.75),
    ],
)
def test_a_number_is_read_as_people_type_it(text, unit, value):
    assert read_number(text, unit) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize(
    ("text", "unit", "message"),
    [
        ("", "share", "a share from 0 to 1, such as 0.7, or per cent, such as 70 %"),
        ("x", "%", "a number in per cent, such as 70"),
        ("1/0", "", "divided by 0"),
        ("70", "share", "Did you mean 70 %"),
        ("-.1", "share", "between 0 and 1"),
        ("7 %", "cases", "Not in per cent, please: type a number of cases."),
        ("1,2,3", "", "Please type a number."),
    ],
)
def test_what_is_no_number_in_this_unit_is_answered(text, unit, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_number(text, unit)


def ask(question, answer, says="", reveal=None, **table):
    """A guess that no file has."""
    return Guess(question, kind_of({"text": question, "answer": answer, **table}), says, reveal)


def number(text, **more):
    made = ask("How many pairs are won?", 0.79, unit="share", **more)
    made.kind.box.value = text
    made.button.click()
    return made


def test_a_guess_is_taken_once_and_then_compared():
    made = number("70 %", says="Ties count <half>.")
    assert made.value == 0.7
    reply = made.reply.value
    assert "You said 0.70 (70 %); it is 0.79 (79 %): 0.09 higher. Ties count" in reply
    assert "&lt;half&gt;" in reply
    assert made.button.disabled
    made.kind.box.value = "0.79"
    made.commit()
    assert (made.value, made.reply.value) == (0.7, reply)
    assert "that is the answer" in number(".794").reply.value, "right to the digits asked"
    made = number("70")
    assert (made.value, made.button.disabled) == (None, False)
    assert "Did you mean 70 %?" in made.reply.value
    assert ".79" not in made.reply.value


@pytest.mark.parametrize(
    "made",
    [
        lambda: ask("Why?", 7, unit="cases", digits=0, says="Hidden.", reveal=rt.plot.impurity()),
        lambda: ask("Why?", "b < c", choices=["a", "b < c"], says="Hidden."),
        lambda: ask("Why?", ["b", "c", "a"], order=["a", "b", "c"], says="Hidden."),
    ],
)
def test_what_is_stored_has_the_question_and_what_to_do_and_no_answer(made):
    made = made()
    stored = bundle(made)
    assert set(stored) == {VIEW, "text/html", "text/plain", REVEALED}
    page, folded, _ = re.split("</?details>", stored["text/html"])
    assert "Hidden." in folded
    assert made.kind.right in html.unescape(folded)
    texts = page, stored["text/plain"]
    sent = "".join(str(widget.get_state()) for widget in every(made))
    assert all("Why?" in text and made.kind.how in text for text in texts)
    assert not any("Hidden" in text or "iVBOR" in text for text in (*texts, sent))
    assert "7" not in re.sub("such as 0.7.*", "", stored["text/plain"])
    assert made.value is None


def test_show_me_shows_the_answer_and_what_it_reveals_without_a_guess():
    made = ask("How high?", 0.79, "Hidden <b>.", lambda: rt.plot.impurity(), unit="share")
    made.show_me.click()
    assert made.reply.value == ("<p><b>0.79 (79 %).</b> Hidden &lt;b&gt;.</p>")
    assert "<img alt=" in made.children[-1].value
    slider = widgets.IntSlider()
    made = number("", reveal=slider)
    assert slider not in made.children
    made.show()
    assert made.children[-1] is slider


def test_what_a_guess_reveals_is_made_once_and_kept_folded():
    drawn = []

    def reveal():
        drawn.append(rt.plot.impurity())
        return ["two < three", drawn[-1], pd.DataFrame({"n": [7]})]

    made = ask("How high?", 0.79, reveal=reveal)
    stored = bundle(made)
    folded = stored["text/html"].split("<details>")[1]
    assert all(part in folded for part in ("<pre>two &lt; three</pre>", "<img alt=", "<td>7</td>"))
    assert stored[REVEALED]["texts"][1:3] == ["two < three", drawn[0].alt]
    made.show()
    assert len(drawn) == 1


@pytest.mark.parametrize(
    ("answer", "table", "chosen", "says"),
    [
        ("a tree", {"choices": ["a tree", "AODE"]}, [], "Choose one first."),
        ("a tree", {"choices": ["a tree", "AODE"]}, ["AODE"], "You chose AODE; it is a tree."),
        ("a tree", {"choices": ["a tree", "AODE"]}, ["a tree"], "that is the answer"),
        ([*"cab"], {"order": [*"abc"]}, "aab", "c has none yet"),
        ([*"cab"], {"order": [*"abc"]}, "abc", "The order is c, a, b: 1 of your 3 pairs stand in"),
        ([*"cab"], {"order": [*"abc"]}, "cab", "that is the order"),
    ],
)
def test_choices_and_orders_are_compared(answer, table, chosen, says):
    made = ask("Which ranks better?", answer, **table)
    for control, name in zip(made.kind.controls, chosen, strict=False):
        control.value = name
    made.commit()
    assert says in made.reply.value
