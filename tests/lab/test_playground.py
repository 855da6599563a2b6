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
from datetime import UTC, datetime, timedelta
from html import escape, unescape
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest
from fresh import PEAK
from traitlets.config import PyFileConfigLoader

import ranktrees as rt
from ranktrees.models.storage import as_text
from ranktrees_lab.playground import upload as uploads
from ranktrees_lab.playground.methods import BY_CASE, LEAF, METHODS, model_of, models_of
from ranktrees_lab.playground.upload import Upload
from ranktrees_lab.playground.views import VIEWS, Source, draw, safe

SETTINGS = Path(__file__).parents[2] / "tools" / "playground"
TREELESS = ("naive Bayes", "AODE", "path forest", "bagged C4.4")
HOSTILE = "<img src=x onerror=alert(1)>"
CASES = [f"{'uvw'[i % 3]},{i % 7}.5,{'ab'[i % 3 == 0]}" for i in range(60)]
SMALL = ("\n".join(["x,n,class", *CASES]) + "\n").encode()
MEASURED = f"""{PEAK}
from ranktrees_lab.playground.upload import Upload
file = pathlib.Path(sys.argv[1])
try:
    Upload(file.name, file.read_bytes())
except ValueError as error:
    print(error)
print(peak())
"""


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


def numbered(n=60):
    """A table whose first column numbers its cases and whose second names them."""
    rows = [f"{1000 + i},k{i},{case}" for i, case in enumerate(CASES[:n])]
    return ("\n".join(["nr,who,x,n,class", *rows]) + "\n").encode()


class TestLeftOut:
    """Columns that are left out, at first those that name or number each case."""

    def test_identifiers_are_left_out_at_first_with_a_sentence(self, page):
        send(page, "t.csv", numbered())
        assert page.controls["without"].value == ("nr", "who")
        assert "Left out, as each case has a value of its own: nr, who." in page.status.value
        page.controls["without"].value = ("nr",)
        assert "of its own: nr." in page.status.value
        page.controls["without"].value = ()
        assert "Done: tree. t.csv: column &#x27;nr&#x27; counts the cases" in page.status.value
        assert "Left out" not in page.status.value
        assert "replace(" not in page.view.code

    def test_measurements_and_small_tables_have_no_identifiers(self, page):
        rows = "".join(f"{i * 37 % 60 + i / 100},{i * i},{'ab'[i % 3 == 0]}\n" for i in range(60))
        for table in (f"x,y,class\n{rows}".encode(), numbered(12)):
            send(page, "t.csv", table)
            assert page.controls["without"].value == ()

    def test_the_code_leaves_them_out_too(self, page, tmp_path, monkeypatch):
        (tmp_path / "t.csv").write_bytes(numbered())
        send(page, "t.csv", numbered())
        page.controls["against"].value = ("naive Bayes",)
        for view in ("tree", "ROC", "comparison"):
            page.controls["view"].value = view
            there = run(page.view.code, tmp_path, monkeypatch)
            assert list(there["data"].X) == ["x", "n"]
            assert there["picture"].alt == page.picture.alt

    def test_one_attribute_must_stay(self, page):
        page.controls["without"].value = tuple(page.controls["without"].options)
        assert "Every attribute is left out: keep one or more." in page.status.value


class TestUpload:
    def test_the_last_column_that_can_be_a_class_is_proposed(self):
        text = b"id,size,colour,price\n" + b"".join(
            b"k%d,%d,%s,%d.5\n" % (i, i % 3, b"rg"[i % 2 :][:1], i) for i in range(60)
        )
        upload = Upload("t.csv", text)
        assert (upload.columns, upload.target) == (["id", "size", "colour", "price"], "colour")
        assert upload.dataset("size").facts["classes"] == 3

    @pytest.mark.parametrize(
        ("text", "facts"),
        [
            ("n;c\n1,5;x\n2,5;y\n", "sep=';', decimal=','"),
            ("n;day;c\n1,5;1.2.2020;x\n2,5;3.2.2020;y\n", "sep=';', decimal=','"),
            ("n;c\n1.5;a,b\n2.5;c\n", "sep=';'"),
            ("n;c\n1.5;x\n2.5;y\n", "sep=';'"),
            ("n\tc\n1.5\tx\n2.5\ty\n", "sep='\\t'"),
            ("n,c\n1.5,x\n2.5,y\n4.5,?\n", "missing_class='drop'"),
        ],
    )
    def test_how_a_table_is_written_is_found_out(self, text, facts):
        upload = Upload("t.csv", text.encode())
        data = upload.dataset("c")
        assert data.X["n"].tolist() == [1.5, 2.5]
        assert upload.code("c") == f"rt.read_csv('t.csv', target='c', {facts})"

    def test_letters_as_excel_writes_them(self):
        data = Upload("t.csv", "größe,c\n1,ä\n2,ö\n".encode("cp1252")).dataset("c")
        assert list(data.X) == ["größe"]
        assert list(data.y) == ["ä", "ö"]

    def test_arff(self):
        text = b"@relation r\n@attribute n real\n@attribute c {x,y}\n@data\n1,x\n2,y\n"
        upload = Upload("T.ARFF", text)
        assert upload.dataset("c").name == "r"
        assert upload.code("c") == "rt.read_arff('T.ARFF', target='c')"

    @pytest.mark.parametrize(
        ("name", "content", "says"),
        [
            ("t.csv", b" \n\n", "t.csv is empty"),
            ("t.csv", b"a,b\n", "t.csv has no cases"),
            ("t.csv", b"only words\nmore words\n", "is no table"),
            ("t.csv", b"a,b\n1,x\n", "two rows"),
            ("t.png", b"\x89PNG\r\n\x1a\n\0\0\0", "t.png is no table of text"),
            ("t.csv", b"a,b\n1,2\n1,2,3\n", "not a regular table"),
            ("t.csv", b"a,a\n1,x\n2,y\n", "stands twice in the header"),
            ("t.csv", b"," * 2000 + b"\n", "a line of 2001 values"),
            ("t.csv", b"\x81\x8d,b\n1,2\n2,1\n", "unknown encoding: save it as CSV in UTF-8"),
            ("t.arff", b"a,b\n1,x\n2,y\n", "t.arff, line 1: expected @relation"),
            ("t.arff", b"@relation r\n@attribute a {x}\n@data\n", "no cases after @data"),
        ],
    )
    def test_what_is_no_table_is_said_in_a_sentence(self, name, content, says, page):
        before = page.view
        send(page, name, content)
        assert re.search(says, page.status.value)
        assert page.status.value.startswith('<p role="alert"><b>This file cannot be used: </b>')
        assert page.view is before
        assert page.controls["data"].value == "weather.nominal"

    def test_what_is_too_large(self, monkeypatch):
        rows = b"a,b\n" + b"1,x\n" * 20_001
        with pytest.raises(ValueError, match="more than 20,000 rows and 2 columns: at most 20,000"):
            Upload("t.csv", rows)
        with pytest.raises(ValueError, match=r"too large, 5\.0 MB: at most 5 MB"):
            Upload("t.csv", b"x" * 5_000_001)
        columns = ",".join(f"c{i}" for i in range(501))
        with pytest.raises(ValueError, match="501 columns"):
            Upload("t.csv", f"{columns}\n{'1,' * 500}x\n{'1,' * 500}y\n".encode())

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
        assert message.startswith("short.arff is too large, more than 20,000 rows and 400 columns")
        assert int(peak) < 500e6

    def test_a_header_alone_can_be_too_large(self):
        names = "".join(f" @Attribute a{i} real\n" for i in range(501))
        with pytest.raises(ValueError, match=r"t\.arff declares 501 attributes: 500 are the most"):
            Upload("t.arff", f"@relation r\n{names}@data\n{{}}\n{{}}\n".encode())

    @pytest.mark.parametrize("text", ["a,b\n" + "1,x\n" * 30_000 + "1,2,3\n", None])
    def test_no_more_rows_are_read_than_are_shown(self, text):
        """What is wrong further down is not even found."""
        name = "t.csv" if text else "t.arff"
        text = text or "@attribute a {x,y}\n@data\n" + "x\n" * 30_000 + "no value\n"
        with pytest.raises(ValueError, match="more than 20,000 rows"):
            Upload(name, text.encode())

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
        for method, kind in METHODS.items():
            for criterion, estimate in product(kind.criterion[1], kind.estimate[1]):
                model = model_of(method, criterion, estimate, 4, False, 2)
                model._check_parameters()
                given = model.get_params()
                if kind.depth:
                    assert given["max_depth"] == 2
                if kind.criterion[0]:
                    assert given[kind.criterion[0]] == criterion
                if kind.estimate[0]:
                    assert given[kind.estimate[0]] == estimate
                if kind.unpruned:
                    assert given["prune"] in (False, None)

    def test_m_goes_where_it_counts(self):
        assert model_of("C4.4", None, "m", 4).estimate_params == {"m": 4.0}
        assert model_of("C4.4", None, "laplace", 4).estimate_params is None
        assert model_of("naive Bayes", None, "m", 4).m == 4.0

    def test_a_method_is_compared_with_itself_as_it_starts(self):
        models = models_of("C4.4", ("C4.4", "AODE"), estimate="m", m=4.0)
        assert list(models) == ["C4.4, as set", "C4.4", "AODE"]
        assert models["C4.4"].estimate == "laplace"

    def test_estimates_are_those_of_the_package(self):
        assert {*LEAF} < rt.estimate.ESTIMATES.keys()
        assert {*BY_CASE} < rt.estimate.ESTIMATES.keys()


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
            assert all(f"{value:.3f}" in shown.words for value in auc)

    def test_a_comparison_needs_two(self):
        with pytest.raises(ValueError, match="choose others under compare with"):
            draw("comparison", source(), models_of("C4.5", ()), "good", 0)

    def test_curves_are_of_cases_that_were_held_out(self):
        of = source()
        shown = draw("ROC", of, models_of("C4.5", ()), "good", 0)
        score = rt.cross_val_proba(rt.C45(), of.data)[:, 1]
        assert f"C4.5 {rt.auc(of.data.y == 'good', score):.3f}" in shown.picture.alt

    def test_a_class_that_does_not_occur_is_not_offered(self):
        glass = source("glass")
        assert set(glass.classes) - set(glass.occurring) == {"vehic wind non-float"}

    def test_what_was_learnt_is_kept(self):
        of = source()
        assert of.fitted(rt.C45()) is of.fitted(rt.C45())
        assert of.fitted(rt.C45()) is not of.fitted(rt.C44())


class TestPage:
    def test_it_starts_with_a_view_that_the_method_has(self):
        assert rt.playground("labor", "AODE").controls["view"].value == "one case"
        assert rt.playground("labor", "CITree").controls["view"].value == "tree"

    def test_names_that_it_does_not_know(self):
        with pytest.raises(ValueError, match="no data set 'irris': did you mean 'iris'"):
            rt.playground("irris")
        with pytest.raises(ValueError, match="no method 'C5'"):
            rt.playground("iris", "C5")

    def test_settings_follow_the_method(self, page):
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

    def test_an_upload_from_its_class_to_the_code(self, page, tmp_path, monkeypatch):
        send(page, "mine.csv", SMALL)
        c = page.controls
        assert c["data"].value == "upload: mine.csv"
        assert list(c["positive"].options) == ["a", "b"]
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
        send(page, "t.csv", SMALL)
        send(page, "t.csv", SMALL.replace(b"class", b"other"))
        assert page.controls["target"].options == ("x", "n", "other")
        assert "target='other'" in page.view.code

    def test_the_same_file_twice_chooses_the_same_class(self, page):
        for _ in range(3):
            send(page, "t.csv", SMALL)
            assert page.controls["target"].value == "class"
            assert "target='class'" in page.view.code

    def test_downloads(self, page, tmp_path):
        from base64 import b64decode

        page.store.click()
        files = re.findall(
            r'download="([\w.-]+)" href="data:[\w/-]+;base64,([^"]+)"',
            page.links.value + page.model_link.value,
        )
        content = {name: b64decode(text) for name, text in files}
        assert content["ranktrees.png"] == page.picture.png()
        assert content["my_comparison.py"].decode() == page.view.code
        (tmp_path / "m.json").write_bytes(content["ranktrees-model.json"])
        model = rt.load_model(tmp_path / "m.json")
        assert as_text(model) == as_text(page.source.fitted(rt.C45()))

    def test_an_old_model_is_not_offered_for_new_settings(self, page):
        page.store.click()
        page.controls["prune"].value = False
        assert page.model_link.value == ""

    def test_what_takes_too_long_is_not_begun(self, page, monkeypatch):
        monkeypatch.setattr("ranktrees.basics.warn.LONG", -1.0)
        page.controls["method"].value = "CITree"
        assert "This cannot be shown: </b>growing may take about" in page.status.value

    def test_warnings_are_said(self, page):
        text = b"n,c\n" + b"1.5,x\n2.5,y\n" * 30 + b"oops,x\n"
        send(page, "t.csv", text)
        assert "column &#x27;n&#x27; is text by &#x27;oops&#x27;" in page.status.value

    def test_it_has_a_picture_without_a_kernel(self, page):
        data, _ = page._repr_mimebundle_()
        assert data["text/plain"] == page.picture.alt
        assert 'alt="A decision tree' in data["text/html"]

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
        assert page.model_link.value
        assert page.upload.value == ()


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

    def test_the_code_holds_names_as_texts_only(self, shown, tmp_path, monkeypatch):
        for view, _ in shown.values():
            if view is None:
                continue
            tree = ast.parse(view.code)
            calls = {
                ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)
            }
            assert not {"SystemExit", "alert"} & calls
            assert sum(isinstance(node, ast.Import) for node in ast.walk(tree)) == 1

    def test_a_dollar_is_drawn_as_it_is(self, shown):
        for view, _ in shown.values():
            texts = [] if view is None else view.picture.findobj(lambda a: hasattr(a, "get_text"))
            for text in texts:
                assert not re.search(r"(?<!\\)\$", text.get_text()), text.get_text()

    def test_files_have_names_of_our_own(self, shown):
        names = {
            name for _, text in shown.values() for name in re.findall('download="(.*?)"', text)
        }
        assert names == {"ranktrees.png", "my_comparison.py"}

    def test_safe(self):
        assert safe("<b>$x$") == "&lt;b&gt;<span>$</span>x<span>$</span>"
        assert safe(r"\(x") == r"<span>\</span>(x"
        assert safe("العمر <= -1.5") == "<bdi>العمر</bdi> &lt;= -1.5"


def test_a_kernel_ends_within_a_minute_of_its_page():
    settings = json.loads((SETTINGS / "voila.json").read_text(encoding="utf-8"))
    assert sum(settings["MappingKernelManager"].values()) < 60
    assert "cull_connected" not in settings["MappingKernelManager"]
    code = PyFileConfigLoader("voila.py", path=str(SETTINGS)).load_config()
    kernels = code.VoilaConfiguration.multi_kernel_manager_class()
    start = datetime.now(UTC)
    idle = SimpleNamespace(last_activity=start - timedelta(minutes=40))
    kernels._kernels["a"], kernels._kernel_connections["a"] = idle, 1
    kernels.notify_disconnect("a")
    assert kernels._kernel_connections["a"] == 0
    assert idle.last_activity >= start
    kernels.notify_disconnect("one that has ended")


def test_the_server_is_for_this_machine_and_its_own_pages():
    settings = json.loads((SETTINGS / "voila.json").read_text(encoding="utf-8"))["Voila"]
    assert (settings["ip"], settings["auto_token"]) == ("127.0.0.1", True)
    assert "disable_check_xsrf" not in settings["tornado_settings"]


def test_limits_are_those_that_the_page_says():
    text = (Path(__file__).parents[2] / "notebooks" / "16_playground.ipynb").read_text("utf-8")
    assert uploads.MOST_BYTES == 5_000_000
    assert uploads.MOST_ROWS == 20_000
    assert "at most 5 MB and 20,000 rows" in text
