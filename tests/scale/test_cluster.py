"""Counting on a cluster: the tree of memory, whatever happens to the workers."""

import os
import subprocess
import sys
import threading
import time

import pytest
from scale_cases import assert_same_tree

import ranktrees as rt
from ranktrees_files.scale import cluster

distributed = pytest.importorskip("distributed")

MODEL = {"max_depth": 5, "min_parent": 50}


@pytest.fixture(scope="module")
def workers():
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=":0") as client:
        yield client


@pytest.fixture(scope="module")
def loans(tmp_path_factory):
    folder = tmp_path_factory.mktemp("loans")
    rt.data.write_agrawal(folder, 400_000, 5, 0.05)
    return rt.scan(folder, target="group")


@pytest.fixture(scope="module")
def here(loans):
    return rt.DecisionTree(**MODEL).fit(loans).tree_


@pytest.mark.long  # and the first: no client runs yet
def test_a_local_cluster_is_made_and_ended_where_none_runs(loans, here):
    tree = rt.DecisionTree(**MODEL).fit(loans, engine="dask").tree_
    assert_same_tree(tree, here)
    with pytest.raises(ValueError, match="No global client"):
        distributed.get_client()


def test_path_bayes_grows_and_raises_branches_there(workers, tmp_path):
    rt.data.write_agrawal(tmp_path, 20_000, 7, 0.1)
    scan, data = rt.scan(tmp_path, target="group"), rt.agrawal(20_000, 7, 0.1)
    memory = rt.PathBayes().fit(data.X, data.y)
    model = rt.PathBayes().fit(scan, engine="dask")
    assert_same_tree(model.tree_, memory.tree_)
    assert abs(model.predict_proba(data.X) - memory.predict_proba(data.X)).max() < 1e-12


def test_all_trees_of_a_forest_are_counted_there_in_the_same_scans(workers, tmp_path):
    rt.data.write_agrawal(tmp_path, 20_000, 7, 0.1)
    scan, data = rt.scan(tmp_path, target="group"), rt.agrawal(20_000, 7, 0.1)
    memory = rt.PathForest(2, weights="equal").fit(data.X, data.y)
    model = rt.PathForest(2, weights="equal").fit(scan, engine="dask")
    for one, other in zip(model.trees_, memory.trees_, strict=True):
        assert_same_tree(one, other)
    assert abs(model.predict_proba(data.X) - memory.predict_proba(data.X)).max() < 1e-12


SCRIPT = """
import sys
import ranktrees as rt

def fit():
    scan = rt.scan(sys.argv[1], "group")
    print(len(rt.DecisionTree(max_depth=1).fit(scan, engine="dask").tree_))

{}:
    fit()
"""


def run(path, condition):
    """What a script prints that fits a scan under this condition."""
    rt.data.write_agrawal(path.parent / "few", 2000, 5, 0.05)
    path.write_text(SCRIPT.format(condition))
    call = [sys.executable, str(path), str(path.parent / "few")]
    return subprocess.run(call, capture_output=True, text=True, timeout=300)


def test_a_script_that_would_start_itself_again_is_refused_in_a_sentence(tmp_path):
    """Each process imports the script: without a guard it would start processes, too."""
    done = run(path := tmp_path / "script.py", "if True")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f'RuntimeError: engine="dask" starts processes that import {path} again: put what line '
        '10 and those after it do under if __name__ == "__main__":'
    )
    assert len(done.stderr.splitlines()) < 50


@pytest.mark.long
def test_a_script_with_a_guard_runs(tmp_path):
    assert int(run(tmp_path / "script.py", 'if __name__ == "__main__"').stdout) > 1


@pytest.mark.long
@pytest.mark.parametrize("is_forest", [False, True])
def test_all_workers_that_die_come_back(is_forest, workers, loans, here, monkeypatch):
    def slowly(*arguments):
        time.sleep(0.3)  # for a worker to die in it
        return count(*arguments)

    def kill(pids):
        for pid in pids:
            os.kill(pid, 9)

    forest, count = rt.PathForest(2, weights="equal"), cluster.count_tables
    expected = forest.fit(loans).trees_ if is_forest else [here]
    monkeypatch.setattr(cluster, "count_tables", slowly)
    threading.Timer(1.5, kill, [list(workers.run(os.getpid).values())]).start()
    model = forest if is_forest else rt.DecisionTree(**MODEL)
    model.fit(loans, engine="dask")
    for tree, other in zip(model.trees_ if is_forest else [model.tree_], expected, strict=True):
        assert_same_tree(tree, other)


@pytest.mark.long
def test_a_part_that_kills_every_worker_is_named(workers, loans, monkeypatch):
    monkeypatch.setattr(cluster, "count_tables", lambda *_: os.kill(os.getpid(), 9))
    with pytest.raises(RuntimeError, match=r"killed every worker that counted it.*more memory"):
        rt.DecisionTree(**MODEL).fit(loans, engine="dask")


@pytest.mark.long
def test_a_cluster_without_workers_is_said(loans, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 2)
    nobody = distributed.Client(n_workers=0, dashboard_address=":0")
    with nobody, pytest.raises(RuntimeError, match="no worker for 2 s: start some"):
        rt.DecisionTree(**MODEL).fit(loans, engine="dask")
