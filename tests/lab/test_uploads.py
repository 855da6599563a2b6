"""Files that are sent to the playground: read, refused in a sentence, or mended by clicks."""

import re
import subprocess
import sys
from html import escape, unescape
from pathlib import Path

import pytest
from fresh import PEAK
from messy import FILES, SMALL, messy, run, send

import ranktrees as rt
from ranktrees_files.paths import InMemory
from ranktrees_lab.playground import upload as uploads
from ranktrees_lab.playground.notices import label, plain
from ranktrees_lab.playground.upload import Upload
from ranktrees_lab.playground.views import VIEWS

KEEL = b"@relation r\n@attribute n integer[1, 9]\n@attribute c{a,b}\n@inputs n\n@outputs c\n@data\n"
KEEL += b"1,a\n2,b\n" * 9
MEASURED = f"""{PEAK}
from ranktrees_files.paths import InMemory
from ranktrees_lab.playground.upload import Upload
file = pathlib.Path(sys.argv[1])
try:
    Upload(InMemory(file.name, file.read_bytes()))
except ValueError as error:
    print(error)
print(peak())
"""
TABLE = "".join(f"{'uvw'[i % 3]};{i % 7};{'ab'[i % 2]}\n" for i in range(30))
FIRST, COMMENT = "The first line is a case", "Leave out lines that begin with “#”"


@pytest.fixture
def page():
    return rt.playground("weather.nominal")


def upload(name, content):
    return Upload(InMemory(name, content), ())


def buttons(page):
    """{what stands on it: button} of the notices."""
    return {b.description: b for row in page.notices.children for b in row.children[1:]}


def told(page):
    """The sentences of the notices."""
    lines = [getattr(line, "children", [line])[0].value for line in page.notices.children]
    return [unescape(re.sub("<.*?>", "", line)) for line in lines]


class TestNotices:
    @pytest.mark.parametrize(
        ("file", "clicks", "words"),  # what is clicked, in this order; what the code then has
        [
            ("apostrophes.csv", ["Read “'” as the mark of thousands"], 'thousands="\'"'),
            ("blanks.data", ["Columns are separated by blanks", FIRST], "'\\\\s+', header=None"),
            ("comment_as_wide.csv", [COMMENT], "comment='#'"),
            ("constant.csv", ["Leave out same, kind"], "drop=['same', 'kind']"),
            ("measured_class.csv", ["Cut price into 3 classes"], "target='price', cut=3"),
            ("percent.csv", ["Read share as numbers"], "numbers=['share']"),
            ("unknown.arff", ["Treat “unknown” as missing"], "na_values=['unknown']"),
        ],
    )
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

    @pytest.mark.parametrize(
        ("above", "click", "words"),  # what stands above a table, the first button, the code
        [
            ("Sales of 2024\n\n", "The header is line 3", "sep=';', skiprows=2"),
            ("Sales, of 2024\n", "Leave out the first line", "sep=';', skiprows=1"),
            ("# from the bank\n", COMMENT, "sep=';', comment='#'"),
        ],
    )
    def test_the_header_s_line_is_found_below_a_title(self, above, click, words, page):
        send(page, "t.csv", f"{above}x;n;class\n{TABLE}".encode())
        assert told(page)[0].startswith("This file cannot be used")
        text = next(iter(buttons(page)))
        assert text.startswith(click)
        assert "The first line is a case" not in buttons(page)
        buttons(page)[text].click()
        if "sep" not in page.view.code:
            buttons(page)["Columns are separated by ;"].click()
        assert all(word in page.view.code for word in words.split(", "))
        assert page.source.data.X.columns.tolist() == ["x", "n"]

    REMEDIES = (  # of doubts, one after the other, what the buttons say, and what is read
        ({"na_values": ["k.A."]}, "Treat “k.A.” as missing"),
        ({"na_values": {"vib": [-999]}}, "Treat “-999” in vib as missing"),
        ({"na_values": {"vib": [-1], "n": [9]}}, "Treat “-1” in vib, “9” in n as missing"),
        ({"na_values": ["-"]}, "Treat “-” as missing"),
        ({"dtype": {"n": "category"}}, "Read n as names"),
        ({"dtype": {"code": "category"}}, "Read code as names"),
        ({"header": None}, FIRST),
        ({"header": 2}, "The header is line 3"),
        ({"skiprows": 1}, "Leave out the first line"),
        ({"skiprows": [1]}, "Leave out line 2"),
        ({"skiprows": [3, 5]}, "Leave out line 4, 6"),
        ({"skiprows": 2, "sep": ";"}, "The header is line 3, columns are separated by ;"),
        ({"header": None, "skiprows": 2}, f"{FIRST}, leave out the first 2 lines"),
        ({"encoding": "latin-1"}, "Read the letters as latin-1"),
        ({"on_bad_lines": "warn"}, "Leave out rows that are too long"),
        ({"target": "vib"}, "The class is vib"),
        ({"quotechar": "'"}, 'Read with quotechar="\'"'),
    )

    def test_a_button_has_words_for_every_keyword(self):
        for remedy, words in self.REMEDIES:
            assert label(remedy) == words
        table = upload("t.csv", b"a,b,c\n1,2,x\n3,4,y\n")
        for remedy, _ in self.REMEDIES[:6]:
            table._follow(**remedy)
        marks = {None: ["k.A.", "-"], "vib": [-999, -1], "n": [9]}
        types = {"n": "category", "code": "category"}
        assert table.options == {"na_values": marks, "dtype": types}

    def test_marks_of_all_columns_and_of_one_are_read_together(self):
        content = b"n,vib,c\n1,-999,x\nk.A.,2,y\n-999,3,x\n"
        remedies = {"na_values": ["k.A."]}, {"na_values": {"vib": ["-999"]}}
        table = Upload(InMemory("t.csv", content), remedies)
        assert table.frame["n"].isna().tolist() == [False, True, False]
        assert "na_values={None: ['k.A.'], 'vib': ['-999']}" in table.code("c")

    def test_long_rows_and_spreadsheets(self, page):
        send(page, "t.csv", b"x,n,c\n" + b"u,1,a\nv,2,b\n" * 9 + b"u,1,2,a\n")
        assert told(page) == [
            "This file cannot be used: t.csv is not a regular table: row 20 has 4 values, the "
            "header 3"
        ]
        buttons(page)["Leave out rows that are too long"].click()
        assert len(page.source.data) == 18
        send(page, "t.dat", KEEL)
        assert page.view.code.count("rt.read_arff('t.dat', target='c')") == 1

    def test_a_messy_table_is_mended_by_clicks_alone(self, page, tmp_path, monkeypatch):
        send(page, "t.csv", messy())
        for _ in range(20):
            if (text := next(iter(buttons(page)))) != "Undo":
                buttons(page)[text].click()
        assert {"debt", "income"} == set(page.source.data.X)
        assert page.source.data.X["income"].isna().sum() == 14
        (tmp_path / "t.csv").write_bytes(messy())
        there = run(page.view.code, tmp_path, monkeypatch)
        assert there["data"].X.equals(page.source.data.X)

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
        send(page, "t.csv", b"x,c\n" + b"u,a\nv,b\nv,a\nu,b\n" * 10 + b"u,\n" * 20)
        assert told(page) == ["20 of 60 rows have no class: they are left out."]
        assert plain(MemoryError()).startswith("There is too little memory")


class TestUpload:
    @pytest.mark.parametrize(
        ("text", "facts"),
        [
            ("n;day;c\n1,5;1.2.2020;x\n2,5;3.2.2020;y\n", "sep=';', decimal=','"),
            ("n;c\n1.5;a,b\n2.5;c\n", "sep=';'"),
            ("n\tc\n1.5\tx\n2.5\ty\n", "sep='\\t'"),
            ("n,c\n1.5,x\n2.5,y\n4.5,?\n", "missing_class='drop'"),
        ],
    )
    @pytest.mark.filterwarnings("ignore:t.csv")
    def test_how_a_table_is_written_is_found_out(self, text, facts):
        table = upload("t.csv", text.encode())
        assert table.dataset("c").X["n"].tolist() == [1.5, 2.5]
        assert table.code("c") == f"rt.read_csv('t.csv', target='c', {facts})"

    def test_what_is_no_table_or_too_large_is_said_in_a_sentence(self, page):
        lesson = Path(__file__).parents[2] / "notebooks" / "16_playground.ipynb"
        assert "at most 20 MB and 500 columns" in lesson.read_text("utf-8")
        before, names = page.view, "".join(f" @Attribute a{i} real\n" for i in range(1001))
        wide = f"@relation r\n{names}@data\n{{}}\n{{}}\n".encode()
        for name, content, says in [
            ("t.csv", b" \n\n", "t.csv is empty"),
            ("t.csv", b"a,b\n", "t.csv has no cases"),
            ("t.csv", b"only words\nmore words\n", "is not a table"),
            ("t.csv", b"a,b\n1,x\n", "two rows"),
            ("t.csv", b"PAR1\0\0", "t.csv is a Parquet file: save it as CSV or ARFF first"),
            ("t.csv", b'[{"a": 1}]', "t.csv is JSON: save it as CSV or ARFF first"),
            ("t.png", b"\x89PNG\r\n\x1a\n\0\0\0", "t.png is not a table of text"),
            ("t.csv", b"a,b,c\n" + b"1,2,x\n" * 5 + b"1,2,3,4,5\n", "row 7 has 5 values"),
            ("t.csv", b"a,a\n1,x\n2,y\n", "stands twice in the header"),
            ("t.csv", b"," * 2000 + b"\n", "2000 columns or more: 500 are the most"),
            ("t.csv", b"," * 500 + b"\n" + (b"1," * 500 + b"x\n") * 2, "501 columns"),
            ("t.csv", b"\x81\x8d,b\n1,2\n2,1\n", "unknown encoding: save it as CSV in UTF-8"),
            ("t.csv", b"x" * (uploads.MOST_BYTES + 1), r"too large, 20\.0 MB: at most 20 MB"),
            ("t.arff", b"a,b\n1,x\n2,y\n", "t.arff, line 1: expected @relation"),
            ("t.arff", b"@relation r\n@attribute a {x}\n@data\n", "no cases after @data"),
            ("t.arff", wide, r"t\.arff has 1001 columns or more: 500 are the most"),
        ]:
            send(page, name, content)
            (line,) = told(page)
            assert re.search(f"^This file cannot be used: .*{says}", line), says
        assert 'role="alert"' in page.notices.children[0].children[0].value
        assert page.view is before
        assert page.controls["data"].value == "weather.nominal"

    @pytest.mark.skipif(sys.platform == "win32", reason="resource, which measures, is of Unix")
    def test_a_short_file_of_a_huge_table_is_refused_before_it_is_made(self, tmp_path):
        kinds = "real", "{u,v,w}"
        names = "".join(f"@attribute a{i} {kinds[i % 2]}\n" for i in range(400))
        path = tmp_path / "short.arff"
        path.write_text(f"@relation r\n{names}@data\n" + "{}\n" * 1_196_000, encoding="utf-8")
        command = [sys.executable, "-c", MEASURED, str(path)]
        printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
        message, peak = printed.stdout.splitlines()
        assert "rows of 400 attributes, which is more than max_cells=" in message
        assert int(peak) < 500e6

    def test_the_last_column_that_can_be_a_class_is_proposed_and_others_are_refused(self, page):
        lines = ["one,none,id,c,price", *(f"x,?,{i},{'ab'[i % 2]},{i}.25" for i in range(60))]
        send(page, "t.csv", "\n".join(lines).encode())
        for column, says in [
            ("one", "a single value where there must be two classes"),
            ("none", "no value where there must be two classes"),
            ("price", r"holds measurements \(60 values\), not classes"),
            ("id", "has 60 values, where at most 50 classes can be shown"),
        ]:
            assert page.controls["target"].value == "c"
            page.controls["target"].value = column
            says = f"This cannot be shown: </b>.*{says}: choose another"
            assert re.search(says, page.status.value)
            assert page.figure.value == page.words.value == page.links.value == ""
            page.controls["target"].value = "c"
            assert page.status.value.startswith('<p role="status"><b></b>Done: tree.')

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

    def test_the_same_name_with_other_content_is_read_anew(self, page):
        for _ in range(2):
            send(page, "t.csv", SMALL)
            assert page.controls["target"].value == "class"
        send(page, "t.csv", SMALL.replace(b"class", b"other"))
        assert page.controls["target"].options == ("x", "n", "other")
        assert "target='other'" in page.view.code
