"""The playground's page: the fields that are seen, and its server, whose kernels end with it."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

from traitlets.config import PyFileConfigLoader

import ranktrees as rt

SETTINGS = Path(__file__).parents[2] / "tools" / "playground"


def test_three_fields_are_seen_those_of_a_view_and_all_if_more_is_asked_for():
    page = rt.playground("weather.nominal")

    def seen():
        return {n for n, c in page.controls.items() if c.layout.display != "none"} - {"view"}

    three = {"data", "target", "method"}
    assert seen() == three
    page.controls["view"].value = "one case"
    assert seen() == three | {"case"}
    page.controls["view"].value = "threshold"
    assert seen() == three | {"positive", "miss"}
    page.more.value = True
    assert seen() == {*page.controls} - {"view"}
    assert page.more.description == "less"


def test_a_kernel_ends_within_a_minute_of_its_page(monkeypatch):
    settings = json.loads((SETTINGS / "voila.json").read_text(encoding="utf-8"))
    assert sum(settings["MappingKernelManager"].values()) < 60
    assert "cull_connected" not in settings["MappingKernelManager"]
    server = settings["Voila"]
    assert (server["ip"], server["auto_token"]) == ("127.0.0.1", True), "for this machine"
    code = PyFileConfigLoader("voila.py", path=str(SETTINGS)).load_config()
    kind = code.VoilaConfiguration.multi_kernel_manager_class
    start = datetime.now(UTC)
    idle = SimpleNamespace(last_activity=start - timedelta(minutes=40))
    monkeypatch.setattr(kind, "__contains__", lambda self, kernel: kernel == "a")
    monkeypatch.setattr(kind, "get_kernel", lambda self, kernel: idle)
    kind().notify_disconnect("one that has ended")
    assert idle.last_activity < start
    kind().notify_disconnect("a")
    assert idle.last_activity >= start
