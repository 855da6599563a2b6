"""The playground without a browser: methods, views, the code that does the same, hostile names."""

import ast
import builtins
import io
import os
import re
import tempfile
from base64 import b64decode
from html import unescape
from itertools import product

import pytest
from messy import SMALL, run, send

import ranktrees as rt
from ranktrees_files.storage import as_text
from ranktrees_lab.playground.methods import METHODS, in_scikit_learn, models_of
from ranktrees_lab.playground.views import VIEWS, Source, draw, safe
from ranktrees_lab.plot.inputs import interval

TREELESS = ("naive Bayes", "AODE", "path forest", "bagged C4.4")
ADOPTED = dict.fromkeys(METHODS, "path") | {  # what a tree of scikit-learn gets of each
    **dict.fromkeys(("C4.4", "bagged C4.4"), "laplace"),
    **dict.fromkeys(("Newton tree", "distance tree", "centre splitting"), "laplace"),
    **dict.fromkeys(("C4.5", "decision tree"), "frequency"),
    "C4.4 with shrinkage": "shrinkage",
    "C4.4 with WPE": "wpe",
    **dict.fromkeys(("naive Bayes", "AODE"), None),
}
HOSTILE = "<img src=x onerror=alert(1)>"
BAD_FILE = f"$a$ {HOSTILE} ');raise SystemExit('.csv"
BAD = f"$\\frac{{x}}$ 字,{HOSTILE},'; import os #,verdict\n" + "\n".join(
    f"{HOSTILE[: 9 + i % 3]},{i}.5,$x_{i % 2}$,{(HOSTILE, '$y$')[i % 3 == 0]}" for i in range(60)
)
BAD = BAD.encode()


@pytest.fixture
def page():
    return rt.playground("weather.nominal")


def code_in(text):
    """The code of a page, without the marks of its colours."""
    marked = re.search('<pre class="highlight">(.*?)</pre>', text, re.DOTALL)[1]
    return unescape(re.sub("<[^>]*>", "", marked))


def source(name="labor"):
    return Source(rt.load(name), f"rt.load({name!r})")


class TestViews:
    @pytest.mark.parametrize("method", METHODS)
    def test_the_code_of_every_method_does_the_same(self, method, tmp_path, monkeypatch):
        of, models = source("contact-lenses"), models_of(method, (), depth=2)
        if method in TREELESS:
            with pytest.raises(ValueError, match=f"no single tree in {method}"):
                draw("tree", of, models, "soft", 3)
        shown = draw("one case", of, models, "soft", 3)
        there = run(shown.code, tmp_path, monkeypatch)
        assert there["picture"].alt == shown.picture.alt
        said = of.fitted(models[method]).explain(of.data.X.iloc[[3]])
        assert str(there["said"]) == str(said)
        assert there["printed"] == f"{said}\n"

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("name", ["labor", "glass"])  # gaps and names, a class with no case
    def test_the_last_lines_do_it_in_scikit_learn(self, method, name):
        lines = in_scikit_learn(models_of(method, ())[method]).splitlines()
        there, found = {"rt": rt, "data": rt.load(name)}, []
        for line in lines:
            if re.match(r"# (\w+ = |import|from)", line):
                exec(line[2:], there)
            if line.startswith("# model"):
                found.append(there["model"])
        assert [model.estimate for model in found] == [ADOPTED[method]] * 2 * bool(lines)
        assert bool(lines) == (ADOPTED[method] is not None)
        proba = [model.predict_proba(there["X"]) for model in found]
        assert not lines or proba[0] == pytest.approx(proba[1])

    def test_a_comparison_says_what_its_code_finds(self, tmp_path, monkeypatch):
        of, models = source(), models_of("C4.5", ("C4.5", "naive Bayes"), prune=False)
        shown = draw("comparison", of, models, "good", 0)
        there = run(shown.code, tmp_path, monkeypatch)
        auc = there["results"].table().iloc[0]
        assert there["picture"].alt.startswith("Mean AUC in 10 splits")
        assert "C4.5, as set" in there["picture"].alt
        assert all(f"{name} {value:.3f} (" in shown.picture.alt for name, value in auc.items())
        assert all(f"<td style='padding:0 .8em'>{v:.3f}</td>" in shown.words for v in auc)
        with pytest.raises(ValueError, match="choose others under compare with"):
            draw("comparison", of, models_of("C4.5", ()), "good", 0)

    def test_a_roc_has_intervals_and_its_code_prints_them(self, tmp_path, monkeypatch):
        of, models = source(), models_of("C4.5", ("naive Bayes",))
        shown = draw("ROC", of, models, "bad", 0)
        there = run(shown.code, tmp_path, monkeypatch)
        for name, score in there["scores"].items():
            found = rt.auc_interval(of.data.y, score, "bad")
            assert f"{found.low:.3f} to {found.high:.3f}" in shown.words
            assert f"{name} {found}" in there["printed"]
        p = rt.compare_auc(of.data.y, there["scores"], "bad")["p"][0]
        assert f"{p:.3f}</td>" in shown.words

    @pytest.mark.parametrize(("name", "positive"), [("labor", "bad"), ("contact-lenses", "soft")])
    def test_a_threshold_is_chosen_by_inner_folds(self, name, positive, tmp_path, monkeypatch):
        of, models = source(name), models_of("C4.4", ())
        shown = draw("threshold", of, models, positive, 0, 4.0)
        there = run(shown.code, tmp_path, monkeypatch)
        hit = of.data.y == positive
        tuned = rt.TunedThreshold(rt.C44(), cost=[[0, 1], [4, 0]]).fit(of.data.X, hit)
        assert there["tuned"].threshold_ == tuned.threshold_
        assert there["picture"].alt == shown.picture.alt
        assert (
            f"the threshold {tuned.threshold_:.3f}, at a cost of {tuned.cost_:.3f} " in shown.words
        )

    def test_curves_are_of_cases_that_were_held_out(self):
        of = source()
        shown = draw("ROC", of, models_of("C4.5", ()), "good", 0)
        score = rt.cross_val_proba(rt.C45(), of.data)[:, 1]
        assert f"C4.5 {rt.auc(of.data.y == 'good', score):.3f}" in shown.picture.alt
        assert of.fitted(rt.C45()) is of.fitted(rt.C45()), "what was learnt is kept"


class TestPage:
    def test_how_it_starts(self, page):
        glass = rt.playground("glass").controls["positive"]
        assert glass.value == "tableware", "the rarest"
        assert rt.playground("labor", "AODE").controls["view"].value == "one case"
        assert page.controls["against"].value == ("C4.4", "path Bayes")
        page.controls["view"].value = "comparison"
        assert page.status.value.endswith("Done: comparison.</p>")
        assert page.picture.alt.startswith("Mean AUC in 4 splits")
        assert rt.playground("labor", "path Bayes").controls["against"].value == ("C4.4",)
        assert page._repr_mimebundle_()[0]["text/plain"] == page.picture.alt
        with pytest.raises(ValueError, match="no data set 'irris': did you mean 'iris'"):
            rt.playground("irris")
        with pytest.raises(ValueError, match="no method 'C5'"):
            rt.playground("iris", "C5")

    def test_settings_follow_the_method(self, page, monkeypatch):
        c = page.controls
        enabled = [name for name in c if not c[name].disabled]
        assert {"estimate", "prune"} <= {*enabled}
        assert not {"criterion", "m", "depth", "target"} & {*enabled}
        c["estimate"].value = "m"
        assert not c["m"].disabled
        c["m"].value = 4.0
        assert "rt.C45(estimate='m', estimate_params={'m': 4.0})" in page.view.code
        adopted = "rt.adopt(fitted, X, data.y, estimate='m', estimate_params={'m': 4.0})"
        assert adopted in page.view.code
        assert adopted in code_in(page.words.value.replace("<code>", ""))
        assert 'class="kn">import</span>' in page.words.value, "in colours"
        c["method"].value = "CITree"
        assert c["criterion"].options == ("auc", "accuracy", "log_loss")
        assert c["estimate"].disabled
        c["depth"].value = 1
        assert "rt.CITree(max_depth=1)" in page.view.code
        monkeypatch.setattr("ranktrees_engine.basics.warn.LONG", -1.0)
        c["depth"].value = 2
        assert "This cannot be shown: </b>growing may take about" in page.status.value

    def test_downloads(self, page, tmp_path):
        page.store.click()
        link = r'download="([\w.-]+)" href="data:[\w/-]+;base64,([^"]+)"'
        files = re.findall(link, page.links.value + page.made.value)
        content = {name: b64decode(text) for name, text in files}
        assert content["ranktrees.png"] == page.picture.png()
        assert content["my_comparison.py"].decode() == page.view.code
        (tmp_path / "m.json").write_bytes(content["ranktrees-model.json"])
        model = rt.load_model(tmp_path / "m.json")
        assert as_text(model) == as_text(page.source.fitted(rt.C45()))
        page.controls["prune"].value = False
        assert page.made.value == "", "an old model is not offered for new settings"

    def test_nothing_is_written(self, monkeypatch):
        """Neither a file nor a temporary one, from the upload to the stored model."""
        whole = builtins.open

        def guarded(file, mode="r", *rest, **more):
            assert set(mode) <= set("rbt"), f"{file} is opened to write"
            return whole(file, mode, *rest, **more)

        def refused(*_, **__):
            pytest.fail("a temporary file")

        monkeypatch.setattr(builtins, "open", guarded)
        monkeypatch.setattr(io, "open", guarded)
        monkeypatch.setattr(os, "open", refused)
        for name in ("mkstemp", "NamedTemporaryFile", "TemporaryFile", "mkdtemp"):
            monkeypatch.setattr(tempfile, name, refused)
        page = rt.playground("labor")
        send(page, "t.csv", SMALL)
        page.controls["view"].value = "ROC"
        page.store.click()
        assert page.made.value


class TestHandIn:
    def finished(self, page):
        page.finish.click()
        assert page.status.value.endswith("Done: Page to hand in (HTML).</p>")
        link = 'download="hand-in.html" href="data:text/html;base64,(.*?)"'
        return b64decode(re.search(link, page.made.value)[1]).decode()

    def test_tree_case_curve_and_an_honest_sentence(self, page, tmp_path, monkeypatch):
        page.controls["data"].value, page.who.value = "labor", "A. Student <1>"
        text = self.finished(page)
        assert re.findall("<h[12]>(.*?)</h", text) == [
            *("C4.5 on labor", "The tree", "Case 0 explained", "The ROC curve", "The code")
        ]
        assert len(re.findall('<img alt="[^"]+" .*? src="data:image/png;base64,', text)) == 3
        assert not re.search(r'(src|href)=.(?!data:)|<script|url\((?!"data:)', text)
        assert "A. Student &lt;1&gt;" in text
        said = re.search("probability (.*?) .AUC, the mean of .*; 95 % interval (.*?)[)]", text)
        code = code_in(text)
        printed = run(code, tmp_path, monkeypatch)["printed"]
        assert code.endswith("(random_state=0), estimate='frequency').fit(X, data.y)\n")
        assert printed.endswith("AUC {}, interval {}\n".format(*said.groups()))
        auc = rt.cross_validate(rt.C45(), rt.load("labor"))["auc"]
        assert said[1] == f"{auc.mean():.3f}"
        low, high = interval(auc.to_numpy()[None], "corrected")
        assert said[2] == f"{low:.3f} to {min(high, 1):.3f}"

    def test_a_cost_gives_a_threshold(self, page, tmp_path, monkeypatch):
        page.controls["data"].value = "labor"
        page.controls["miss"].value = 5.0
        text = self.finished(page)
        assert "<h2>The threshold if a miss costs 5, a false alarm 1</h2>" in text
        code = code_in(text)
        there = run(code, tmp_path, monkeypatch)
        assert there["tuned"].cost == [[0, 1], [5.0, 0]]
        assert safe(there["tuned"].threshold_)[:5] in text

    def test_what_chance_does_and_how_many_were_tried_is_said(self, page):
        rows = [f"{'uvw'[i * 7 % 3]},{'ab'[i * i % 7 % 2]}" for i in range(60)]
        send(page, "t.csv", "\n".join(["x,class", *rows]).encode())
        page.controls["against"].value = ()
        text = self.finished(page)
        assert "these data do not show that it does better than chance" in text
        assert "models were tried" not in text
        page.controls["method"].value = "AODE"
        send(page, BAD_FILE, BAD)
        page.controls["against"].value = ("naive Bayes",)
        text = self.finished(page)
        assert "2 models were tried on these cases" in text
        assert "The tree" not in text
        assert len(re.findall("<img", text)) == 2
        assert "onerror=alert(1)>" not in text


def test_hostile_names_are_no_tag_no_formula_and_no_code():
    page = rt.playground("labor")
    send(page, BAD_FILE, BAD)
    page.controls["against"].value = ("naive Bayes",)
    shown = [*product(("tree", "one case"), ("C4.4", "Newton tree", "path Bayes", "AODE"))]
    for view, method in [*shown, *product([*VIEWS][2:], ["C4.4"])]:
        page.controls["method"].value = method
        page.controls["view"].value = view
        parts = (page.status, page.figure, page.words, page.links)
        text = "".join(part.value for part in parts)
        drawn = view != "tree" or method not in TREELESS
        assert len(re.findall("<img", text)) == drawn
        assert "onerror=alert(1)>" not in text
        bare = text.replace("<span>$</span>", "").replace("<span>\\</span>", "")
        assert not {"$", "\\"} & {*bare}, (view, method)
        assert "Glyph" not in text, "letters that no font has are no matter of the reader's"
        if drawn:
            for each in page.view.picture.findobj(lambda a: hasattr(a, "get_text")):
                assert not re.search(r"(?<!\\)\$", each.get_text()), "a dollar is drawn as it is"
            tree = ast.parse(page.view.code)
            calls = [
                ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)
            ]
            assert not {"SystemExit", "alert"} & {*calls}
            imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
            assert [node.names[0].name for node in imports] == ["warnings", "ranktrees"]
    assert safe("<b>$x$") == "&lt;b&gt;<span>$</span>x<span>$</span>"
    assert safe(r"\(x") == r"<span>\</span>(x"
    assert safe("العمر <= -1.5") == "<bdi>العمر</bdi> &lt;= -1.5"
