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
from ranktrees_lab.ask.guess import COMMIT, REVEALED, SHOW, Guess, kind_of
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


@pytest.fixture
def written(tmp_path):
    """A function that writes a lesson's questions and gives the folder."""

    def write(text):
        (tmp_path / "05.toml").write_text(text, encoding="utf-8")
        return tmp_path

    return write


def bundle(widget):
    return widget._repr_mimebundle_()[0]


# The files of questions


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[end]", "05.toml: not readable as TOML"),
        ("[[middle]]\nx = 1", r"05.toml: \[\[middle\]\] is neither"),
        ("", r"05.toml: there is no question \[\[end\]\]"),
        ("end = [3]", r"05.toml, \[\[end\]\] question 1: needs text and choices"),
        (PLAIN.replace('"What is `1 + 1`?"', "3"), "question 1: text must be text in quotes"),
        (PLAIN.replace("One and one.", "x" * 301), "choice 2: why has 301 characters"),
        (PLAIN.replace("{ right", "{ wrong"), "question 1: 0 choices are right, not exactly one"),
        (PLAIN.replace("11", "1 < 2"), "question 1: two choices have the same text"),
        (PLAIN.replace(', why = "One and one."', ""), "choice 2: needs right or wrong, and why"),
        (PLAIN.replace('right = "2",', 'right = "2", wrong = "3",'), "choice 2: needs right or"),
        ('[[end]]\ntext = "a"\nchoices = [3]', "needs a list of 3 or 4 choices"),
    ],
)
def test_a_bad_file_is_named_with_its_question(written, text, message):
    with pytest.raises(ValueError, match=message):
        read_questions("05", "end", written(text))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: rt.quiz("77"), ValueError, "no questions of lesson '77': there are those of 00"),
        (lambda: rt.quiz("05", "middle"), ValueError, "parts 'start' and 'end', not 'middle'"),
        (lambda: rt.guess(None), TypeError, "key must be text"),
        (lambda: rt.guess("neck"), ValueError, 'key names a lesson and its guess, as in "03.neck"'),
        (lambda: rt.guess("03.nack"), ValueError, "no guess '03.nack': lesson 03 has 03.neck, 03."),
    ],
)
def test_what_no_file_has_is_refused(call, error, message):
    with pytest.raises(error, match=re.escape(message)):
        call()


# A quiz


def test_a_quiz_answers_at_once_and_lets_one_choose_again(written):
    quiz = Quiz("05", folder=written(PLAIN))
    assert quiz.chosen == [None]
    made = buttons("Which `x`?", ["`a` or b", "c"])
    assert made.value is None
    assert [name for name, _ in made.options] == ["a or b", "c"]
    assert list(made.tooltips) == ["Which x?"] * 2
    quiz.controls[0].value = "11"
    assert quiz.replies[0].value == (
        '<p role="alert"><b>Not this one.</b> Those are its digits.</p>'
    )
    quiz.controls[0].value = "2"
    assert "<b>Right.</b> One and one." in quiz.replies[0].value
    assert quiz.chosen == ["2"]


def test_a_stored_quiz_has_the_choices_in_order_and_no_answer(written):
    stored = bundle(Quiz("05", folder=written(PLAIN)))
    assert set(stored) == {VIEW, "text/html", "text/plain"}
    assert stored["text/plain"].splitlines()[1:] == [
        "1. What is `1 + 1`?",
        "   a) 1 < 2",
        "   b) 2",
        "   c) 11",
    ]
    assert "<code>1 + 1</code>" in stored["text/html"]
    assert "<li>1 &lt; 2</li><li>2</li><li>11</li>" in stored["text/html"]


@pytest.mark.parametrize("part", PARTS)
def test_what_is_stored_and_sent_gives_nothing_away(part):
    quiz = rt.quiz("05", part)
    assert {type(widget) for widget in every(quiz)} == {Quiz, widgets.HTML, widgets.ToggleButtons}
    sent = "".join(str(widget.get_state()) for widget in every(quiz))
    for shown in (*map(str, bundle(quiz).values()), sent):
        assert not any(c.why in shown for q in quiz.questions for c in q.choices)


def every(widget):
    """A widget and all that are in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from every(child)


# The glossary


def test_terms_are_unique_in_order_and_explained_in_a_lesson_of_the_course():
    file = tomllib.loads(FILE.read_text(encoding="utf-8"))
    assert list(file["lessons"]) == [f"{number:02}" for number in range(17)]
    names = [name.lower() for name in file["terms"]]
    assert names == sorted(names)
    for _, meaning in file["terms"].values():
        assert re.fullmatch(r"[^\n]{15,200}[.]", meaning)
    explained = {lesson for lesson, _ in file["terms"].values()}
    assert explained == set(file["lessons"]) - {"16"}
    assert set(file["also"].values()) <= set(file["terms"])
    names = list(map(letters, [*file["terms"], *file["also"]]))
    assert len(set(names)) == len(names)


def test_the_glossary_says_one_term_or_all():
    (auc,) = rt.glossary("auc")
    assert auc.lesson == "05 AUC"
    said = repr(rt.glossary("AUC"))
    assert said.startswith("AUC: The share of pairs")
    assert said.endswith("(Lesson 05 AUC)")
    everything = rt.glossary()
    assert len(repr(everything).splitlines()) == len(everything) >= 50
    page = everything._repr_html_()
    assert page.count("<dt>") == len(everything)
    assert "(Lesson 01 What is a good split?)" in page


@pytest.mark.parametrize(
    ("asked", "term"),
    [
        ("roc-Curves", "ROC curve"),
        ("hand & till", "Hand and Till's M"),
        ("HAND AND TILL'S", "Hand and Till's M"),
        ("c45", "C4.5"),
        ("nb tree", "NBTree"),
        ("Mann-Whitney", "AUC"),
        ("Wilcoxon’s tests", "Wilcoxon's test"),
    ],
)
def test_a_term_is_found_by_any_spelling(asked, term):
    assert [found.name for found in rt.glossary(asked)] == [term]


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("rok curve", ["ROC curve"]),
        ("inserted letters", ["edit distance"]),
        ("", []),
    ],
)
def test_a_near_miss_gives_the_nearest_terms(asked, hint):
    found = rt.glossary(asked)
    assert [each.name for each in found][:1] == hint
    assert repr(found).startswith(f"There is no term {asked!r}. ")
    assert html.escape(found.note) in found._repr_html_()
    assert ("rt.glossary() lists all" in repr(found)) is not bool(hint)


# Numbers as they are typed


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("0.7", "share", 0.7),
        ("70 %", "share", 0.7),
        ("7/10", "share", 0.7),
        ("1,234", "cases", 1234.0),
        ("1,234,567.5", "", 1234567.5),
        ("0,125", "", 0.125),
        ("−3", "points", -3.0),
        ("70 %", "%", 70.0),
        ("70", "per cent", 70.0),
        ("0,918 bits", "bits", 0.918),
        ("15 out of 20 pairs", "share", 0.75),
        ("≈ 7 splits", "splits", 7.0),
    ],
)
def test_a_number_is_read_as_people_type_it(text, unit, value):
    assert read_number(text, unit) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize(
    ("text", "unit", "message"),
    [
        ("", "share", "a share from 0 to 1, such as 0.7, or per cent, such as 70 %"),
        ("1e9999999", "", "Please type a number."),
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


# Guesses


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
    assert made.kind.box.continuous_update is False
    assert made.value == 0.7
    reply = made.reply.value
    assert "You said 0.70 (70 %); it is 0.79 (79 %): 0.09 higher. Ties count" in reply
    assert "&lt;half&gt;" in reply
    assert made.button.disabled
    assert made.kind.box.disabled
    made.kind.box.value = "0.79"
    made.commit()
    assert (made.value, made.reply.value) == (0.7, reply)
    assert "that is the answer" in number(".794").reply.value, "right to the digits asked"
    made = number("70")
    assert made.value is None
    assert "Did you mean 70 %?" in made.reply.value
    assert ".79" not in made.reply.value
    assert not made.button.disabled


@pytest.mark.parametrize(
    "made",
    [
        lambda: ask("Why?", 0.79, unit="share", says="Hidden."),
        lambda: ask("Why?", 7, unit="cases", digits=0, says="Hidden.", reveal=rt.plot.impurity()),
        lambda: ask("Why?", "b < c", choices=["a", "b < c"], says="Hidden."),
        lambda: ask("Why?", ["b", "c", "a"], order=["a", "b", "c"], says="Hidden."),
    ],
)
def test_what_is_stored_has_the_question_and_what_to_do_and_no_answer(made):
    made = made()
    stored = bundle(made)
    assert set(stored) == {VIEW, "text/html", "text/plain", REVEALED}
    page, folded, rest = re.split("</?details>", stored["text/html"])
    assert "Hidden." in folded
    assert made.kind.right in html.unescape(folded)
    assert rest == ""
    texts = page, stored["text/plain"]
    sent = "".join(str(widget.get_state()) for widget in every(made))
    assert all("Why?" in text and made.kind.how in text for text in texts)
    assert not any("Hidden" in text or ".79" in text or "<img" in text for text in (*texts, sent))
    assert "7" not in re.sub("such as 0.7.*", "", stored["text/plain"])
    assert made.value is None


def test_show_me_shows_the_answer_and_what_it_reveals_without_a_guess():
    made = ask("How high?", 0.79, "Hidden <b>.", lambda: rt.plot.impurity(), unit="share")
    assert [button.description for button in (made.button, made.show_me)] == [COMMIT, SHOW]
    made.show_me.click()
    assert made.reply.value == ('<p role="alert"><b>0.79 (79 %).</b> Hidden &lt;b&gt;.</p>')
    assert made.value is None
    assert "<img alt=" in made.children[-1].value
    shown = len(made.children)
    made.kind.box.value = ".5"
    made.button.click()
    made.show_me.click()
    assert (made.value, len(made.children)) == (None, shown)
    slider = widgets.IntSlider()
    made = number("", reveal=slider)
    assert slider not in made.children
    made.kind.box.value = ".5"
    made.commit()
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
    assert [type(child) for child in made.children[-3:]] == [widgets.HTML] * 3


def test_a_choice_must_be_made_and_is_compared():
    def chosen(name):
        made = ask("Which ranks better?", "the tree", choices=["the tree", "naive Bayes"])
        made.commit()
        assert "Choose one first." in made.reply.value
        made.kind.controls[0].value = name
        made.commit()
        assert made.value == name
        return made.reply.value

    assert "You chose naive Bayes; it is the tree." in chosen("naive Bayes")
    assert "that is the answer" in chosen("the tree")


def test_an_order_is_compared_in_pairs():
    def ordered(names):
        made = ask("Order?", ["c", "a", "b"], order=["a", "b", "c"])
        for control, name in zip(made.kind.controls, names, strict=True):
            control.value = name
        made.commit()
        return made.reply.value

    assert "c has none yet" in ordered("aab")
    assert "The order is c, a, b: 1 of your 3 pairs stand in it." in ordered("abc")
    assert "that is the order" in ordered("cab")


@pytest.mark.parametrize(
    ("answer", "more", "message"),
    [
        ("x", {"choices": ["a", "b"]}, "not among the choices"),
        ("a", {"choices": ["a", "a"]}, "at least two different things"),
        (["a", "c"], {"order": ["a", "b"]}, "must hold what the order"),
        (list(range(10)), {"order": range(10)}, "at most 9 things"),
        ("a", {"choices": "ab", "order": "ab"}, "not both"),
        (float("nan"), {}, "answer must be"),
    ],
)
def test_a_guess_without_a_possible_answer_is_refused(answer, more, message):
    with pytest.raises(ValueError, match=message):
        ask("Why?", answer, **more)
    with pytest.raises(TypeError, match="answer must be a number"):
        ask("Why?", "seven")


@pytest.mark.parametrize("reveal", [7, [rt.plot.impurity, 7]])
def test_what_cannot_be_shown_is_not_revealed(reveal):
    with pytest.raises(
        TypeError, match="reveal must be a picture, a widget, a table, text, a list"
    ):
        rt.guess("03.neck", reveal=reveal)
    with pytest.raises(TypeError, match="a function that makes one, not int"):
        rt.guess("03.neck", reveal=lambda: 7).show()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("[guess.a]\ntext = 'x'", r"05.toml, \[guess.a\]: needs text and answer"),
        ("[guess.a]\ntext = 'x'\nanswer = 1\nhint = 'y'", "needs text and answer; choices, digits"),
        ("[guess.a]\ntext = 'x'\nanswer = 1\nsays = 3", "says must be text in quotes"),
        (f"[guess.a]\ntext = '{'x' * 301}'\nanswer = 1", "text has 301 characters"),
    ],
)
def test_a_bad_table_of_a_guess_is_named(written, table, message):
    with pytest.raises(ValueError, match=message):
        read_guess("05.a", written(table))
