"""Explorers, quizzes and guesses alone on a page from the disk: what scripts show and answer."""

import random

import pytest
from explorers import EXPLORERS, said
from nbformat.v4 import new_output

import ranktrees as rt
from ranktrees_lab.ask.guess import Guess, kind_of
from ranktrees_lab.ask.quiz import Quiz
from ranktrees_lab.explore import Explorer
from ranktrees_lab.explore.controls import numbers
from ranktrees_lab.explore.spread import spread_of
from tools import pages

FEW = 12  # states of an explorer
READY = """() => [...document.querySelectorAll('.rt-explorer')]
    .every(explorer => explorer.dataset.ready === 'yes')"""
SET = """(control, place) => {
    control.value = place;
    control.dispatchEvent(new Event('input', {bubbles: true}));
}"""
TEXTS = """controls => controls.map(c => c.disabled ? null
    : c.selectedOptions?.[0].text ?? c.getAttribute('aria-valuetext'))"""
PICTURE = "page => decodeURIComponent(page.querySelector('img').src.split(',')[1])"
# Alt text, the sentence in the words, and whether the rest of the words are these tables.
SAYS = """(page, tables) => {
    const [sentence, rest] = page.querySelector('.rt-words').children;
    const other = document.createElement('div');
    other.innerHTML = tables;
    return [page.querySelector('img').alt, sentence.textContent, rest.innerHTML == other.innerHTML];
}"""


def asked_on_a_page(disk, tmp_path, card):
    """Show the questions of a quiz or a guess alone on a page from the disk."""
    output = new_output("display_data", {pages.ANSWERS: {"items": card.answers()}})
    script = (pages.TEMPLATES / "ask.js").read_text(encoding="utf-8")
    path, head = tmp_path / "asked.html", "<!doctype html><meta charset=utf-8>"
    text = f"{head}{pages.output_html(output)}<script>{script}</script>"
    path.write_text(text, encoding="utf-8")
    disk.goto(path.as_uri())


def test_each_choice_of_a_quiz_is_answered_in_its_sentence(disk, tmp_path):
    quiz = Quiz("01")
    asked_on_a_page(disk, tmp_path, quiz)
    groups = disk.locator(".question").all()
    assert len(groups) == len(quiz.questions)
    for group, question in zip(groups, quiz.questions, strict=True):
        assert group.get_by_role("status").inner_text() == ""
        for button, choice in zip(group.get_by_role("button").all(), question.choices, strict=True):
            button.press("Enter")
            verdict = "Right." if choice.right else "Not this one."
            said = group.get_by_role("status").inner_text()
            assert said == f"{verdict} {choice.why.replace('`', '')}"
            assert button.get_attribute("aria-pressed") == "true"
            assert button.get_attribute("class") == ("right" if choice.right else "wrong")
        assert group.locator("[aria-pressed=true]").count() == 1
        assert group.locator("details").get_attribute("open") is None


def test_a_number_is_taken_as_in_the_lessons(disk, tmp_path):
    table = {"text": "Which share?", "answer": 0.649, "unit": "share", "digits": 2}
    costs = {"text": "How much?", "answer": 1234.5, "unit": "euros", "digits": 1}
    counted = {"text": "In how many of 20 splits?", "answer": 17, "unit": "splits", "digits": 0}
    for known, typed in [
        (counted, ["21 of 20", "-1", "20 of 20", "7 splits"]),
        (table, ["65 %", ".4", "0,7", "7/10", "1.2", "often", "3/0", ""]),
        (costs, ["1,234.5", "1234,5", "1,000", "-2", "50 %"]),
    ]:
        for text in typed:
            guess = Guess(known["text"], kind_of(known), "Says <b>.", "what is revealed")
            asked_on_a_page(disk, tmp_path, guess)
            disk.get_by_label("Your guess").fill(text)
            disk.keyboard.press("Enter")
            guess.kind.box.value = text
            said = disk.get_by_role("status").inner_text()
            revealed = disk.get_by_text("what is revealed").is_visible()
            try:
                outcome = guess.kind.outcome(guess.kind.read())
            except ValueError:
                assert said.startswith("Please type"), text
                assert not revealed
            else:
                assert said == outcome
                assert revealed
                assert disk.get_by_label("Your guess").is_disabled()


def test_a_choice_and_an_order_are_guessed_once(disk, tmp_path):
    table = {"text": "Which?", "answer": "b <i>", "choices": ["a", "b <i>", "c"]}
    guess = Guess("Which?", kind_of(table), "So it is.", "revealed")
    asked_on_a_page(disk, tmp_path, guess)
    disk.get_by_role("button", name="c", exact=True).press("Enter")
    disk.get_by_role("button", name="a", exact=True).press("Enter")
    assert disk.get_by_role("status").inner_text() == guess.kind.outcome("c")
    assert disk.get_by_text("revealed").is_visible()
    guess = Guess("Order?", kind_of({"text": "?", "answer": list("cab"), "order": list("abc")}))
    asked_on_a_page(disk, tmp_path, guess)
    commit = disk.get_by_role("button", name="That is my guess")
    commit.press("Enter")
    assert disk.get_by_role("status").inner_text().startswith("Each has one place")
    for select, name in zip(disk.locator("select").all(), "acb", strict=True):
        select.select_option(name)
    commit.press("Enter")
    assert disk.get_by_role("status").inner_text() == guess.kind.outcome(list("acb"))


def shown_alone(disk, tmp_path, explorer, most=FEW):
    """An explorer alone on a page from the disk."""
    return shown_together(disk, tmp_path, [explorer.to_html(most)]).first


def shown_together(disk, tmp_path, parts):
    page = tmp_path / "explorers.html"
    text = f"<!doctype html><meta charset=utf-8>{''.join(parts)}"
    page.write_text(text, encoding="utf-8")
    disk.goto(page.as_uri())
    disk.wait_for_function(READY)
    return disk.locator(".rt-explorer")


def moved(page, control, place):
    """Set a control to one of its places; what all controls show, and the text of the picture."""
    control.evaluate(SET, place)
    assert control.input_value() == str(place)
    return page.locator("input, select").evaluate_all(TEXTS), page.evaluate(PICTURE)


def holds(page, drawn, tables):
    """Whether picture, alt text and words are these."""
    said = page.evaluate(SAYS, tables)
    return (page.evaluate(PICTURE), *said) == (drawn.svg(), drawn.alt, drawn.alt, True)


def combinations(spread):
    """{texts of the controls that move: settings} of each combination."""
    levels = [control["level"] for control in spread.controls()]
    found, waiting = {}, [(spread.tree, [])]
    while waiting:
        node, texts = waiting.pop()
        if isinstance(node, int):
            found[tuple(texts[level] for level in levels)] = spread.settings[node]
            continue
        plan = spread.plans[node[0]]
        offered = plan["texts"] if plan["enabled"] and len(plan["texts"]) > 1 else [None]
        waiting += [(child, [*texts, t]) for t, child in zip(offered, node[1], strict=True)]
    return found


DAILY = "growing", "roc"  # the others in the long tests
MOVED = [
    name if name in DAILY else pytest.param(name, marks=pytest.mark.long)
    for name in EXPLORERS
    if name != "mailing"
]


@pytest.mark.parametrize("name", MOVED)
def test_pictures_are_those_of_the_package(disk, tmp_path, name):
    explorer, chance = EXPLORERS[name](), random.Random(name)
    settings = combinations(spread_of(explorer, FEW))
    page = shown_alone(disk, tmp_path, explorer)
    for _ in range(8):
        control = chance.choice(page.locator(":is(input, select):not(:disabled)").all())
        count = control.evaluate("c => c.options ? c.options.length : Number(c.max) + 1")
        texts, _ = moved(page, control, chance.randrange(count))
        assert holds(page, *explorer.draw(**settings[tuple(texts)]))


def test_what_follows_begins_anew_and_the_page_says_so(disk, tmp_path):
    page = shown_alone(disk, tmp_path, rt.explore.results("wang2006"), most=30)
    paper, data, one, other = page.locator("select").all()[:4]
    one.select_option("1")
    assert page.locator(".rt-said").inner_text() == ""
    paper.select_option("0")
    assert page.locator(".rt-said").inner_text() == (
        "data set is now abalone. method is now CITree. against is now NB."
    )
    shown = [c.evaluate("c => c.selectedOptions[0].text") for c in (data, one, other)]
    assert shown == ["abalone", "CITree", "NB"]


def test_what_cannot_be_drawn_is_said_and_what_does_not_work_is_disabled(disk, tmp_path):
    def draw(n, m):
        if n == 2:
            raise ValueError("no <b>picture</b> of two")
        return said(f"<i>{n}</i>", f"{n} < {m}.")

    def works(now):
        return numbers("m", 7, 9, 1, 8, enabled=now["n"] == 3)

    page = shown_alone(disk, tmp_path, Explorer(draw, n=numbers("n", 1, 3, 1, 1), m=works))
    n, m = page.locator("input").all()
    before = page.evaluate(PICTURE)
    assert m.is_disabled()
    moved(page, n, 1)
    assert page.locator(".rt-said").inner_text() == (
        "Could not draw this: no <b>picture</b> of two"
    )
    assert page.locator(".rt-words").inner_text().strip() == ""
    assert page.evaluate(PICTURE) == before
    moved(page, n, 2)
    assert m.is_enabled()
    moved(page, m, 2)
    assert page.locator(".rt-said").inner_text() == ""
    assert page.locator(".rt-words").inner_text().split() == ["3", "<", "9.", "3"]
    moved(page, n, 0)
    moved(page, n, 2)
    assert m.get_attribute("aria-valuetext") == "9", "it stays where it was set"


def test_explorers_of_a_page_do_not_disturb_each_other(disk, tmp_path):
    lens = EXPLORERS["lens"]()
    parts = [lens.to_html(FEW), lens.to_html(FEW, script=False)]
    first, second = shown_together(disk, tmp_path, parts).all()
    before = second.evaluate(PICTURE)
    assert first.evaluate(PICTURE) == before
    moved(first, first.locator("input").first, 0)
    assert first.evaluate(PICTURE) != before
    assert second.evaluate(PICTURE) == before
    assert disk.locator("[id]").count() == 0


def test_without_scripts_a_picture_its_words_and_a_folded_answer_are_there(opened, tmp_path):
    lens = EXPLORERS["lens"]()
    guess = Guess("Which?", kind_of({"text": "Which?", "answer": "b", "choices": ["a", "b"]}))
    context = opened.new_context(java_script_enabled=False)
    page = context.new_page()
    asked_on_a_page(page, tmp_path, guess)
    assert page.get_by_role("button").count() == 0
    assert page.get_by_role("listitem").all_inner_texts() == ["a", "b"]
    assert not page.get_by_text("b.", exact=True).is_visible()
    page.get_by_text("Answer").click()
    assert page.get_by_text("b.", exact=True).is_visible()
    path = tmp_path / "lens.html"
    path.write_text(lens.to_html(FEW), encoding="utf-8")
    page.goto(path.as_uri())
    box = page.get_by_role("img", name=lens.picture.alt).bounding_box()
    assert box["width"] == lens.picture.width
    assert box["height"] > 100
    assert lens.picture.alt in page.locator("body").inner_text()
    assert all(control.is_disabled() for control in page.locator("input, select").all())
    context.close()


def test_an_explanation_as_a_page_shows_names_as_they_are(disk, tmp_path):
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
