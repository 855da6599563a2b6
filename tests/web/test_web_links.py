"""Where pages lead to open a lesson elsewhere: addresses that are set, and the course beside."""

from tools import pages
from tools.web import links

OPEN_IN = '[tool.ranktrees.open-in]\n"A Hub" = "https://hub.test/lab/{file}"\n'
HOSTED = '[tool.ranktrees.hosted]\ngithub = "a/b"\nbranch = "main"\nfolder = "copies/"\n'
PAGE = {"file": "x.html", "notebook": "05_auc.ipynb"}


def set_addresses(folder, text, monkeypatch):
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(pages, "ROOT", folder)


def test_addresses_to_open_a_lesson_elsewhere_are_set_once(tmp_path, monkeypatch):
    set_addresses(tmp_path, OPEN_IN, monkeypatch)
    page = {**PAGE, "elsewhere": links.elsewhere(PAGE)}
    made = pages.template("site.html.j2").render(pages=[], facts={}, body="", title="", **page)
    assert '<a href="https://hub.test/lab/05_auc.ipynb">Open in A Hub</a>' in made


def test_hosts_open_the_copies_of_a_repository_that_is_set(tmp_path, monkeypatch):
    set_addresses(tmp_path, HOSTED + OPEN_IN, monkeypatch)
    found = links.elsewhere(PAGE)
    assert list(found) == ["Colab", "Binder", "A Hub"]
    assert found["Colab"].endswith("/github/a/b/blob/main/copies/05_auc.ipynb")
    assert found["Binder"].endswith("/v2/gh/a/b/main?urlpath=lab/tree/copies/05_auc.ipynb")
    assert links.elsewhere({"file": "index.html"}) == {}


def test_the_course_for_a_browser_is_found_beside_the_site(tmp_path):
    assert links.beside(tmp_path / "site") is None
    (tmp_path / "web" / "lab").mkdir(parents=True)
    (tmp_path / "web" / "lab" / "index.html").touch()
    assert links.beside(tmp_path / "site") == links.BESIDE


def test_an_address_of_the_course_may_be_set_and_none_leads_nowhere():
    lesson = links.lesson("https://a.test/web", "05_auc.ipynb", "c 1")
    assert lesson == "https://a.test/web/lab/index.html?path=05_auc.ipynb#cell-id=c%201"
    assert links.first(None) is links.lesson(None, "05_auc.ipynb", "c1") is None
