"""The playground without a browser: uploads, methods, views, and the code that does the same."""

import ast
import builtins
import contextlib
import io
import json
import os
import re
import runpy
import subprocess
import sys
import tempfile
from base64 import b64decode
from datetime import UTC, datetime, timedelta
from html import escape, unescape
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest
from fresh import PEAK
from messy import FILES, messy
from traitlets.config import PyFileConfigLoader

import ranktrees as rt
from ranktrees.basics.files import InMemory
from ranktrees.models.storage import as_text
from ranktrees_lab.playground import upload as uploads
from ranktrees_lab.playground.methods import BY_CASE, LEAF, METHODS, model_of, models_of
from ranktrees_lab.playground.notices import plain
from ranktrees_lab.playground.upload import Upload
from ranktrees_lab.playground.views import VIEWS, Source, draw, safe
from ranktrees_lab.plot.inputs import interval

SETTINGS = Path(__file__).parents[2] / "tools" / "playground"
TREELESS = ("naive Bayes", "AODE", "path forest", "bagged C4.4")
HOSTILE = "<img src=x onerror=alert(1)>"
CASES = [f"{'uvw'[i % 3]},{i % 7}.5,{'ab'[i % 3 == 0]}" for i in range(60)]
SMALL = ("\n".join(["x,n,class", *CASES]) + "\n").encode()
MEASURED = f"""{PEAK}
from ranktrees.basics.files import InMemory
from ranktrees_lab.playground.upload import Upload
file = pathlib.Path(sys.argv[1])
try:
    Upload(InMemory(file.name, file.read_bytes()))
except ValueError as error:
    print(error)
print(peak())
"""


FIRST, COMMENT = "The first line is a case", "Leave out lines that begin with “#”"


def send(page, name, content):
    """What the browser does with a chosen file."""
    file = {"name": name, "type": "", "size": len(content), "content": memoryview(content)}
    page.upload.value = ({**file, "last_modified": datetime(2026, 1, 1, tzinfo=UTC)},)


def run(code, folder, monkeypatch):
    """What a script that lies beside its data has made and `printed`."""
    monkeypatch.chdir(folder)
    (folder / "script.py").write_text(code, encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        made = runpy.run_path(str(folder / "script.py"))
    return made | {"printed": out.getvalue()}


@pytest.fixture
def page():
    return rt.playground("weather.nominal")


def upload(name, content, *remedies):
    return Upload(InMemory(name, content), remedies)


def buttons(page):
    """{what stands on it: button} of the notices."""
    return {b.description: b for row in page.notices.children for b in row.children[1:]}


def told(page):
    """The sentences of the notices."""
    lines = [getattr(line, "children", [line])[0].value for line in page.notices.children]
    return [unescape(re.sub("<.*?>", "", line)) for line in lines]


# file; what is clicked, in this order; keywords that the code then has
CLICKED = [
    ("apostrophes.csv", ["Read “'” as the mark of thousands"], 'thousands="\'"'),
    ("blanks.data", ["Columns are separated by blanks", FIRST], "sep='\\\\s+', header=None"),
    ("comment_as_wide.csv", [COMMENT], "comment='#'"),
    ("constant.csv", ["Leave out same, kind"], "drop=['same', 'kind']"),
    ("date.arff", ["Leave out m"], "drop=['m']"),
    ("identifiers.csv", ["Leave out name"], "drop=['name']"),
    ("measured_class.csv", ["Cut price into 3 classes"], "target='price', cut=3"),
    ("no_answer.csv", ["Treat “k.A.” as missing"], "na_values=['k.A.']"),
    ("no_header.csv", [FIRST], "header=None"),
    ("percent.csv", ["Read share as numbers"], "numbers=['share']"),
    ("unknown.arff", ["Treat “unknown” as missing"], "na_values=['unknown']"),
]


class TestNotices:
    """What is doubted or wrong, in plain words, with buttons that apply the remedy."""

    @pytest.mark.parametrize(("file", "clicks", "words"), CLICKED)
    def test_a_click_reads_the_file_anew_and_is_taken_back(self, file, clicks, words, page):
        send(page, file, (FILES / file).read_bytes())
        for click in clicks:
            before = told(page)
            assert next(iter(buttons(page))) == click
            buttons(page)[click].click()
            assert told(page)[0] not in before
            assert page.status.value.endswith("Done: tree.</p>")
        assert list(buttons(page)) == ["Undo"]
        assert f"{words})" in page.view.code
        buttons(page)["Undo"].click()
        assert told(page) == before
        assert next(iter(buttons(page))) == clicks[-1]

    def test_a_messy_table_is_mended_by_clicks_alone(self, page, tmp_path, monkeypatch):
        send(page, "t.csv", messy())
        clicks = []
        while (text := next(iter(buttons(page)))) != "Undo" and text not in clicks:
            buttons(page)[text].click()
            clicks.append(text)
        assert {"debt", "income"} == set(page.source.data.X)
        assert page.source.data.X["income"].isna().sum() == 14
        page.controls["view"].value = "ROC"
        (tmp_path / "t.csv").write_bytes(messy())
        there = run(page.view.code, tmp_path, monkeypatch)
        assert there["data"].X.equals(page.source.data.X)
        assert (tmp_path / "ranktrees.png").stat().st_size > 1000

    def test_a_class_that_was_chosen_stays(self, page):
        rows = [f"{'uvw'[i % 3]},k,{'ab'[i % 2]}" for i in range(60)]
        send(page, "t.csv", "\n".join(["x,one,class", *rows]).encode())
        page.controls["target"].value = "one"
        assert "This cannot be shown: </b>The column &#x27;one&#x27; has a sin" in page.status.value
        page.controls["target"].value = "x"
        buttons(page)["Leave out one"].click()
        assert page.controls["target"].value == "x"

    def test_many_cases_are_not_told_apart_by_their_names(self, page, monkeypatch):
        monkeypatch.setattr("ranktrees_lab.playground.page.MANY", 100)
        send(page, "t.csv", (FILES / "identifiers.csv").read_bytes())
        assert told(page) == ["Done: Leave out name."]
        buttons(page)["Undo"].click()
        assert told(page) == ["The values only number or name the cases: name."]

    def test_rows_without_a_class_and_errors_are_said_in_plain_words(self, page):
        send(page, "mixed.csv", (FILES / "mixed.csv").read_bytes())
        buttons(page)["Leave out age"].click()
        assert told(page)[0].startswith("This file cannot be used: mixed.csv is not a table")
        buttons(page)["Undo"].click()
        assert told(page) == ["Numbers are mixed with text: age."]
        send(page, "t.csv", SMALL.replace(b",a\n", b",\n", 20))
        assert told(page) == ["20 of 60 rows have no class: they are left out."]
        send(page, "t.csv", b"n,c\n" + b"1.5,x\n2.5,y\n" * 30 + b"oops,x\n")
        assert told(page) == ["Numbers are read as text: n."]
        assert list(buttons(page)) == ["Treat “oops” as missing"]
        send(page, "t.csv", b"a,b,c\n" + b"1,2,x\n" * 5 + b"1,2,3,4,5\n")
        said = "This file cannot be used: t.csv is not a regular table: row 7 has 5 values, the "
        assert told(page) == [f"{said}header 3"]
        assert plain(MemoryError()).startswith("There is too little memory")


class TestUpload:
    def test_the_last_column_that_can_be_a_class_is_proposed(self):
        text = b"id,size,colour,price\n" + b"".join(
            b"k%d,%d,%s,%d.5\n" % (i, i % 3, b"rg"[i % 2 :][:1], i) for i in range(60)
        )
        table = upload("t.csv", text)
        assert (table.columns, table.target) == (["id", "size", "colour", "price"], "colour")
        assert table.dataset("size").facts["classes"] == 3

    @pytest.mark.parametrize(
        ("text", "facts"),
        [
            ("n;c\n1,5;x\n2,5;y\n", "sep=';', decimal=','"),
            ("n;day;c\n1,5;1.2.2020;x\n2,5;3.2.2020;y\n", "sep=';', decimal=','"),
            ("n;c\n1.5;a,b\n2.5;c\n", "sep=';'"),
            ("n\tc\n1.5\tx\n2.5\ty\n", "sep='\\t'"),
            ("n,c\n1.5,x\n2.5,y\n4.5,?\n", "missing_class='drop'"),
        ],
    )
    def test_how_a_table_is_written_is_found_out(self, text, facts):
        table = upload("t.csv", text.encode())
        assert table.dataset("c").X["n"].tolist() == [1.5, 2.5]
        assert table.code("c") == f"rt.read_csv('t.csv', target='c', {facts})"

    def test_arff_and_letters_as_excel_writes_them(self):
        data = upload("t.csv", "größe,c\n1,ä\n2,ö\n".encode("cp1252")).dataset("c")
        assert (list(data.X), list(data.y)) == (["größe"], ["ä", "ö"])
        text = b"@relation r\n@attribute n real\n@attribute c {x,y}\n@data\n1,x\n2,y\n"
        table = upload("T.ARFF", text)
        assert table.dataset("c").name == "r"
        assert table.code("c") == "rt.read_arff('T.ARFF', target='c')"

    @pytest.mark.parametrize(
        ("name", "content", "says"),
        [
            ("t.csv", b" \n\n", "t.csv is empty"),
            ("t.csv", b"a,b\n", "t.csv has no cases"),
            ("t.csv", b"only words\nmore words\n", "is not a table"),
            ("t.csv", b"a,b\n1,x\n", "two rows"),
            ("t.png", b"\x89PNG\r\n\x1a\n\0\0\0", "t.png is not a table of text"),
            ("t.csv", b"a,b\n1,2\n1,2,3\n", "not a regular table"),
            ("t.csv", b"a,a\n1,x\n2,y\n", "stands twice in the header"),
            ("t.csv", b"," * 2000 + b"\n", "2000 columns or more: 500 are the most"),
            ("t.csv", b"\x81\x8d,b\n1,2\n2,1\n", "unknown encoding: save it as CSV in UTF-8"),
            ("t.arff", b"a,b\n1,x\n2,y\n", "t.arff, line 1: expected @relation"),
            ("t.arff", b"@relation r\n@attribute a {x}\n@data\n", "no cases after @data"),
        ],
    )
    def test_what_is_no_table_is_said_in_a_sentence(self, name, content, says, page):
        before = page.view
        send(page, name, content)
        (line,) = told(page)
        assert re.search(says, line)
        assert line.startswith("This file cannot be used: ")
        assert 'role="alert"' in page.notices.children[0].children[0].value
        assert page.view is before
        assert page.controls["data"].value == "weather.nominal"

    def test_what_is_too_large(self):
        with pytest.raises(ValueError, match=r"too large, 20\.0 MB: at most 20 MB"):
            upload("t.csv", b"x" * (uploads.MOST_BYTES + 1))
        columns = ",".join(f"c{i}" for i in range(501))
        with pytest.raises(ValueError, match="501 columns"):
            upload("t.csv", f"{columns}\n{'1,' * 500}x\n{'1,' * 500}y\n".encode())
        names = "".join(f" @Attribute a{i} real\n" for i in range(1001))
        with pytest.raises(ValueError, match=r"t\.arff has 1001 columns or more: 500 are the most"):
            upload("t.arff", f"@relation r\n{names}@data\n{{}}\n{{}}\n".encode())

    def test_a_table_of_200_columns_and_many_rows(self):
        told = (SETTINGS.parents[1] / "notebooks" / "16_playground.ipynb").read_text("utf-8")
        assert (uploads.MOST_BYTES, uploads.MOST_COLUMNS) == (20 << 20, 500)
        assert "at most 20 MB and 500 columns" in told
        head = ",".join([*(f"c{i}" for i in range(199)), "class"])
        rows = "".join(f"{'0.1,' * 199}{'ab'[i % 2]}\n" for i in range(22_000))
        table = upload("t.csv", f"{head}\n{rows}".encode())
        assert (table.target, len(table.file.content) > 17e6) == ("class", True)
        assert table.dataset("class").X.shape == (22_000, 199)

    @pytest.mark.parametrize(
        ("kind", "size"), [("real", 1.1e6), ("{u,v,w}", 2.3e6), ("real|{u,v,w}", 3.6e6)]
    )
    @pytest.mark.skipif(sys.platform == "win32", reason="resource, which measures, is of Unix")
    def test_a_short_file_of_a_huge_table_is_refused_before_it_is_made(self, kind, size, tmp_path):
        kinds = kind.split("|")
        names = "".join(f"@attribute a{i} {kinds[i % len(kinds)]}\n" for i in range(400))
        text = f"@relation r\n{names}@data\n"
        path = tmp_path / "short.arff"
        path.write_text(text + "{}\n" * ((int(size) - len(text)) // 3), encoding="utf-8")
        command = [sys.executable, "-c", MEASURED, str(path)]
        printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
        message, peak = printed.stdout.splitlines()
        assert "rows of 400 attributes, which is more than max_cells=" in message
        assert int(peak) < 500e6

    @pytest.mark.parametrize(
        ("column", "says"),
        [
            ("one", "a single value where there must be two classes"),
            ("none", "no value where there must be two classes"),
            ("price", r"holds measurements \(60 values\), not classes"),
            ("id", "has 60 values, where at most 50 classes can be shown"),
        ],
    )
    def test_a_column_that_can_be_no_class(self, column, says, page):
        lines = ["one,none,price,id,c", *(f"x,?,{i}.25,{i},{'ab'[i % 2]}" for i in range(60))]
        send(page, "t.csv", "\n".join(lines).encode())
        assert page.controls["target"].value == "c"
        page.controls["target"].value = column
        assert re.search(f"This cannot be shown: </b>.*{says}: choose another", page.status.value)
        assert page.figure.value == page.words.value == page.links.value == ""
        page.controls["target"].value = "c"
        assert page.status.value.startswith('<p role="status"><b></b>Done: tree.')


class TestModels:
    def test_every_setting_of_every_method_makes_a_model(self):
        data = rt.load("weather.nominal")
        X = data.X[["humidity", "windy"]]  # some criteria compare two branches
        for method, kind in METHODS.items():
            for criterion, estimate in product(kind.criterion[1], kind.estimate[1]):
                model = model_of(method, criterion, estimate, 4, False, 2).fit(X, data.y)
                given = model.get_params()
                if kind.depth:
                    assert given["max_depth"] == 2
                if kind.criterion[0]:
                    assert given[kind.criterion[0]] == criterion
                if kind.estimate[0]:
                    assert given[kind.estimate[0]] == estimate
                if kind.unpruned:
                    assert given["prune"] in (False, None)

    def test_m_goes_where_it_counts_and_others_are_as_they_start(self):
        assert model_of("C4.4", None, "m", 4).estimate_params == {"m": 4.0}
        assert model_of("C4.4", None, "laplace", 4).estimate_params is None
        assert model_of("naive Bayes", None, "m", 4).m == 4.0
        models = models_of("C4.4", ("C4.4", "AODE"), estimate="m", m=4.0)
        assert list(models) == ["C4.4, as set", "C4.4", "AODE"]
        assert models["C4.4"].estimate == "laplace"
        assert {*LEAF, *BY_CASE} < rt.estimate.ESTIMATES.keys()


def source(name="labor"):
    return Source(rt.load(name), f"rt.load({name!r})")


class TestViews:
    @pytest.mark.parametrize("method", METHODS)
    def test_the_code_of_every_method_does_the_same(self, method, tmp_path, monkeypatch):
        of, models = source("contact-lenses"), models_of(method, (), depth=2)
        for view in ("tree", "one case", "ROC"):
            if view == "tree" and method in TREELESS:
                with pytest.raises(ValueError, match=f"no single tree in {method}"):
                    draw(view, of, models, "soft", 3)
                continue
            shown = draw(view, of, models, "soft", 3)
            there = run(shown.code, tmp_path, monkeypatch)
            assert there["picture"].alt == shown.picture.alt
            assert len(shown.picture.alt) > 30
            if view == "one case":
                said = of.fitted(models[method]).explain(of.data.X.iloc[[3]])
                assert str(there["said"]) == str(said)
                assert there["printed"] == f"{said}\n"
            else:
                assert there["printed"] == f"{shown.picture.alt}\n"

    @pytest.mark.parametrize("view", ["calibration", "comparison"])
    def test_the_code_of_several_methods_does_the_same(self, view, tmp_path, monkeypatch):
        of, models = source(), models_of("C4.5", ("C4.5", "naive Bayes"), prune=False)
        shown = draw(view, of, models, "good", 0)
        there = run(shown.code, tmp_path, monkeypatch)
        assert there["picture"].alt == shown.picture.alt
        assert "C4.5, as set" in shown.picture.alt
        if view == "comparison":
            auc = there["results"].table().iloc[0]
            assert there["picture"].alt.startswith("Mean AUC in 10 splits")
            assert all(f"{name} {value:.3f} (" in shown.picture.alt for name, value in auc.items())
            assert all(f"<td style='padding:0 .8em'>{v:.3f}</td>" in shown.words for v in auc)
            assert "Results" not in shown.words

    def test_curves_are_of_cases_that_were_held_out(self):
        of = source()
        shown = draw("ROC", of, models_of("C4.5", ()), "good", 0)
        score = rt.cross_val_proba(rt.C45(), of.data)[:, 1]
        assert f"C4.5 {rt.auc(of.data.y == 'good', score):.3f}" in shown.picture.alt
        assert of.fitted(rt.C45()) is of.fitted(rt.C45()), "what was learnt is kept"
        assert of.fitted(rt.C45()) is not of.fitted(rt.C44())
        with pytest.raises(ValueError, match="choose others under compare with"):
            draw("comparison", of, models_of("C4.5", ()), "good", 0)


class TestPage:
    def test_how_it_starts(self, page):
        assert rt.playground("breast-cancer").controls["positive"].value == "recurrence-events"
        glass = rt.playground("glass").controls["positive"]
        assert glass.value == "tableware", "the rarest"
        assert "vehic wind non-float" not in glass.options, "it does not occur"
        assert rt.playground("labor", "AODE").controls["view"].value == "one case"
        assert page.controls["view"].value == "tree"
        data, _ = page._repr_mimebundle_()
        assert data["text/plain"] == page.picture.alt
        assert 'alt="A decision tree' in data["text/html"]
        with pytest.raises(ValueError, match="no data set 'irris': did you mean 'iris'"):
            rt.playground("irris")
        with pytest.raises(ValueError, match="no method 'C5'"):
            rt.playground("iris", "C5")

    def test_settings_follow_the_method(self, page, monkeypatch):
        c = page.controls
        enabled = {name for name, control in c.items() if not control.disabled}
        assert {"estimate", "prune"} <= enabled
        assert not {"criterion", "m", "depth", "target"} & enabled
        c["estimate"].value = "m"
        assert not c["m"].disabled
        c["m"].value = 4.0
        assert "rt.C45(estimate='m', estimate_params={'m': 4.0})" in page.view.code
        c["prune"].value = False
        assert "rt.C45(prune=False" in page.view.code
        c["method"].value = "CITree"
        assert (c["criterion"].options, c["estimate"].disabled) == (
            ("auc", "accuracy", "log_loss"),
            True,
        )
        c["depth"].value = 1
        assert "rt.CITree(max_depth=1)" in page.view.code
        monkeypatch.setattr("ranktrees.basics.warn.LONG", -1.0)
        c["depth"].value = 2
        assert "This cannot be shown: </b>growing may take about" in page.status.value

    def test_an_upload_from_its_class_to_the_code(self, page, tmp_path, monkeypatch):
        send(page, "mine.csv", SMALL)
        c = page.controls
        assert c["data"].value == "upload: mine.csv"
        assert list(c["positive"].options) == ["b", "a"]  # the rarer one first
        assert (c["case"].max, c["target"].disabled) == (59, False)
        c["target"].value = "x"
        assert list(c["positive"].options) == ["u", "v", "w"]
        c["against"].value = ("naive Bayes",)
        (tmp_path / "mine.csv").write_bytes(SMALL)
        for view in VIEWS:
            c["view"].value = view
            assert page.status.value.startswith('<p role="status"><b></b>Done')
            there = run(page.view.code, tmp_path, monkeypatch)
            assert there["picture"].png() == page.picture.png()
            assert f'alt="{escape(page.picture.alt)}"' in page.figure.value

    @pytest.mark.parametrize("words", [("возраст", "да"), ("العمر $", "نعم"), ("年齢", "👎🏽")])
    def test_letters_of_all_scripts(self, page, words):
        name, label = words
        send(
            page,
            "t.csv",
            SMALL.replace(b"x,", f"{name},".encode(), 1).replace(b",a", f",{label}".encode()),
        )
        for view in ("tree", "one case"):
            page.controls["view"].value = view
            assert page.status.value.startswith('<p role="status"><b></b>Done')
            (alt,) = re.findall('alt="([^"]*)"', page.figure.value)
            assert unescape(alt) == page.picture.alt
            assert label in alt

    def test_the_same_name_with_other_content_is_read_anew(self, page):
        for _ in range(2):
            send(page, "t.csv", SMALL)
            assert page.controls["target"].value == "class"
        send(page, "t.csv", SMALL.replace(b"class", b"other"))
        assert page.controls["target"].options == ("x", "n", "other")
        assert "target='other'" in page.view.code

    def test_downloads(self, page, tmp_path):
        page.store.click()
        files = re.findall(
            r'download="([\w.-]+)" href="data:[\w/-]+;base64,([^"]+)"',
            page.links.value + page.made.value,
        )
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
            raise AssertionError("a temporary file")

        monkeypatch.setattr(builtins, "open", guarded)
        monkeypatch.setattr(io, "open", guarded)
        monkeypatch.setattr(os, "open", refused)
        for name in ("mkstemp", "NamedTemporaryFile", "TemporaryFile", "mkdtemp"):
            monkeypatch.setattr(tempfile, name, refused)
        page = rt.playground("labor")
        send(page, "t.csv", SMALL)
        for view in VIEWS:
            page.controls["view"].value = view
        page.store.click()
        assert page.made.value
        assert page.upload.value == ()


class TestHandIn:
    """The page that is handed in: one file, whose sentence and code say the same."""

    def finished(self, page):
        page.finish.click()
        assert page.status.value.endswith("Done: Page to hand in (HTML).</p>")
        name, text = re.search(
            r'download="(.*?)" href="data:text/html;base64,(.*?)"', page.made.value
        ).groups()
        assert name == "hand-in.html"
        return b64decode(text).decode()

    def test_tree_case_curve_and_an_honest_sentence(self, page, tmp_path, monkeypatch):
        page.controls["data"].value, page.who.value = "labor", "A. Student <1>"
        text = self.finished(page)
        assert re.findall("<h[12]>(.*?)</h", text) == [
            *("C4.5 on labor", "The tree", "Case 0 explained", "The ROC curve", "The code")
        ]
        assert (
            len(re.findall('<img alt="[^"]+" width="\\d+" src="data:image/png;base64,', text)) == 3
        )
        assert not re.search(r'(src|href)=.(?!data:)|<script|url\((?!"data:)', text)
        assert "A. Student &lt;1&gt;" in text
        said = re.search(
            "probability (.*?) .AUC, the mean of 10 folds; 95 % interval (.*?)[)]", text
        )
        code = unescape(re.search("<pre>(.*)</pre>", text, re.DOTALL)[1])
        printed = run(code, tmp_path, monkeypatch)["printed"]
        assert printed.endswith("AUC {}, interval {}\n".format(*said.groups()))
        auc = rt.cross_validate(rt.C45(), rt.load("labor"))["auc"]
        assert said[1] == f"{auc.mean():.3f}"
        low, high = interval(auc.to_numpy()[None], "corrected")
        assert said[2] == f"{low:.3f} to {min(high, 1):.3f}"

    def test_what_chance_does_and_how_many_were_tried_is_said(self, page):
        page.controls["data"].value = "contact-lenses"
        assert "models were tried" not in self.finished(page)
        page.controls["against"].value = ("naive Bayes",)
        assert "2 models were tried on these cases" in self.finished(page)
        rows = [f"{'uvw'[i * 7 % 3]},{'ab'[i * i % 7 % 2]}" for i in range(60)]
        send(page, "t.csv", "\n".join(["x,class", *rows]).encode())
        assert "these data do not show that it does better than chance" in self.finished(page)
        page.controls["method"].value = "AODE"
        page.controls["view"].value = "ROC"
        assert "The tree" not in self.finished(page)
        send(page, TestHostileNames.NAME, TestHostileNames.CONTENT)
        text = self.finished(page)
        assert len(re.findall("<img", text)) == 2
        assert "onerror=alert(1)>" not in text


class TestHostileNames:
    CONTENT = "\n".join(
        [
            f"$\\frac{{x}}$ 字,{HOSTILE},'; import os #,verdict",
            *(
                f"{HOSTILE[: 9 + i % 3]},{i}.5,$x_{i % 2}$,{(HOSTILE, '$y$')[i % 3 == 0]}"
                for i in range(60)
            ),
        ]
    ).encode()
    NAME = f"$a$ {HOSTILE} ');raise SystemExit('.csv"

    @pytest.fixture(scope="class")
    @classmethod
    def shown(cls):
        page, all_of_it = rt.playground("labor"), {}
        send(page, cls.NAME, cls.CONTENT)
        page.controls["against"].value = ("naive Bayes",)
        methods = ("C4.4", "Newton tree", "path Bayes", "CITree", "AODE", "naive Bayes")
        shown = [*product(("tree", "one case"), methods)]
        for view, method in [*shown, *product([*VIEWS][2:], ["C4.4"])]:
            page.controls["method"].value = method
            page.controls["view"].value = view
            parts = (page.status, page.figure, page.words, page.links)
            all_of_it[view, method] = page.view, "".join(part.value for part in parts)
        return all_of_it

    def test_no_name_is_a_tag_or_a_formula(self, shown):
        for (view, method), (_, text) in shown.items():
            assert len(re.findall("<img", text)) == (view != "tree" or method not in TREELESS)
            assert "onerror=alert(1)>" not in text
            bare = text.replace("<span>$</span>", "").replace("<span>\\</span>", "")
            assert not {"$", "\\"} & {*bare}, (view, method)
            assert "Glyph" not in text, "letters that no font has are no matter of the reader's"
            names = {*re.findall('download="(.*?)"', text)}
            assert names <= {"ranktrees.png", "my_comparison.py"}, "names of our own"

    def test_code_and_picture_hold_names_as_texts_only(self, shown):
        for view, _ in shown.values():
            if view is None:
                continue
            for shown in view.picture.findobj(lambda a: hasattr(a, "get_text")):
                assert not re.search(r"(?<!\\)\$", shown.get_text()), "a dollar is drawn as it is"
            tree = ast.parse(view.code)
            calls = {
                ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)
            }
            assert not {"SystemExit", "alert"} & calls
            imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
            assert [node.names[0].name for node in imports] == ["warnings", "ranktrees"]

    def test_safe(self):
        assert safe("<b>$x$") == "&lt;b&gt;<span>$</span>x<span>$</span>"
        assert safe(r"\(x") == r"<span>\</span>(x"
        assert safe("العمر <= -1.5") == "<bdi>العمر</bdi> &lt;= -1.5"


def test_a_kernel_ends_within_a_minute_of_its_page():
    settings = json.loads((SETTINGS / "voila.json").read_text(encoding="utf-8"))
    assert sum(settings["MappingKernelManager"].values()) < 60
    assert "cull_connected" not in settings["MappingKernelManager"]
    server = settings["Voila"]  # for this machine and its own pages
    assert (server["ip"], server["auto_token"]) == ("127.0.0.1", True)
    assert "disable_check_xsrf" not in server["tornado_settings"]
    start = datetime.now(UTC)
    idle = SimpleNamespace(last_activity=start - timedelta(minutes=40))
    code = PyFileConfigLoader("voila.py", path=str(SETTINGS)).load_config()

    class Kernels(code.VoilaConfiguration.multi_kernel_manager_class):
        def __contains__(self, kernel):
            return kernel == "a"

        def get_kernel(self, kernel):
            return idle

    Kernels().notify_disconnect("one that has ended")
    assert idle.last_activity < start
    Kernels().notify_disconnect("a")
    assert idle.last_activity >= start
