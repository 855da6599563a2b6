"""Nonsense for an argument of a public name is refused in a sentence that names the argument."""

import inspect
import linecache
import os
import re
import traceback
import zlib
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt
from ranktrees_lab.data import generate, structured

NONSENSE = {
    "None": None,
    "object": object(),
    "text": "nonsense",
    "True": True,
    "-1": -1,
    "nan": float("nan"),
    "huge": 10**400,
    "empty": [],
    "ragged": [[1, 2], [3]],
    "dict": {"a": [1]},
}
# What of it an argument takes, besides None where that is the default, and True of a flag.
TAKES = {
    # any text will do
    "text": """
        heading keep path reveal source unit xlabel ylabel Attribute.name Dataset.name
        Dataset.target *.to_sql.table plot.*.measure *.write_agrawal.folder Attribute.*.[ab]
        Attribute.values Attribute.*.values Results.larger_is_better.measure
        bayes.naive_bayes_structure.*
    """,
    # there may be none of it
    "empty": """
        evidence ids keep reveal Attribute.*.[ab] Attribute.values Attribute.*.values
        Scan.frames.names bayes.naive_bayes_structure.attributes bins.codes.* bins.*.x
        criteria.*.counts evaluate.*.ranks evaluate.midranks.score papers.win_tie_loss.tests
        CostComplexityPath.positions.alpha
    """,
    # its keys are a list
    "dict": """
        keep Attribute.values Scan.frames.names bayes.naive_bayes_structure.attributes scan.files
    """,
    # a number below 0 means something
    "-1": """
        threshold Bagging.n_jobs PathForest.n_jobs bins.codes.x evaluate.weka_splits.seed
        weka_folds.seed plot.duel.mark Dataset.target
    """,
    "huge": "seed max_codes Dataset.target",
    # a choice
    "None": """
        max_codes progress CITree.prune Candidates.*.attribute Encoder.*.y bins.codes.x
        explore.mailing.positive
    """,
    # it counts as 1, or is a choice
    "True": "C4[45].collapse bins.codes.x prune.added_errors.* CostComplexityPath.positions.alpha",
    "nan": "bins.codes.x",
    "ragged": "Attribute.values",
}
# Words in a message that name an argument, too.
WORDS = """
    DataFrame: frame; Explanation: said; Tree: tree; X: data; attribute: by name root target who;
    candidate: best chosen; case: X example y; class: positive target y; column: target weight;
    control: name; data set: name; distance: a b values; draw: tables; estimate: name; measure: log;
    model: a against b model_or_tree; names: feature_names;
    node: apart assignment evidence name net parents target words;
    paired values: a b; parameter: estimate_params; positive rates: fpr tpr; preparation: how;
    results: paper; round: splits; row: X case classes predicted y; table: cpts; training: train;
    tree: model; CITree: model; NaiveBayes: model; PathBayes: model
"""
UNTESTED = {
    "inside of the package, which checks what it is given before": """
        count.* tally split.* tree.* weights.* encode.* shrinkage.* newton.* read_classes
        citree.[BIOR]* citree.cut_* BestRanking.* Inner*.* Prototype*.* PathFactors.*
        path_bayes.[!b]* PathBayes.importances PathBayes.[lop]*[a-z] PathLooks.* Encoder.unseen
        bins.class_cuts bins.in_classes PathBayes.stops PathBayes.with_weights PathBayesEM.*
        Estimate.* estimates.[ET]* TrainingCases.* CountedCases* estimates.CountedCases Codes*
        estimates.estimate_names estimates.make_*
        Encoder.[aceilw]* Encoder.fill_value NaiveBayes.of_counts Tree Tree.[abc]* bins.value_table
        bins.*.y criteria.impurity_gain criteria.gain_and_information generate.agrawal_parts
        to_sql.proba to_sql.fill to_sql.refuse prune.*.weight Scan.batches Scan.labels
        Scan.weights Blocks.* JavaRandom.* Explorer.plans Explorer.control_of explain.*
        Explanation* *.fit_folds *.predict_folds scale.Scan papers.[MPRW]* Paper.* Protocol.*
        Rival.* WekaBagging.*
    """,
    "tried in a test of their own, of verdicts, doubts, progress, reproducing or sealing": """
        papers.verdicts Verdicts.* papers.Verdicts.* Dataset.doubts Dataset.weight Doubt.*
        doubts.frame read_arff.cut read_csv.cut scan.cut solution papers.reproduce sealed.*
    """,
    "a record that is given back, or an error": """
        data.*Error evaluate.[BCFNSTUJ]* evaluate.AUCInterval evaluate.Repeated prune.Cost*
        scale.Growth
    """,
    "scikit-learn's checks try it, and its words are scikit-learn's": "Reestimated*",
    "an answer may be anything: it is tested below": "check.*",
    "an unknown one is answered with the nearest": "glossary.term",
    "scikit-learn's; fit reads the values": "*.get_params *.set_params *.set_*_request",
    "test_scale tries them on files": "*.fit.budget *.fit.engine",
    "these find the number of bins themselves": "bins.entropy_mdl.n_bins bins.e[xv]*.n_bins",
    "its picture is a function of the caller's": "explore.Explorer",
    "None is all of them": "explore.results.paper explore.pruning.model",
    "the playground's": "read_arff.max_cells",
}

DATA, NOMINAL = rt.load("weather.numeric"), rt.load("weather.nominal")
X, Y, CODES = DATA.X, DATA.y, (np.asarray(DATA.y) == "yes").astype(int)
SCORE, ROWS = np.linspace(0.1, 0.9, len(Y)), [[0.1, 0.2], [0.3, 0.4]]
SMALL = pd.DataFrame(ROWS, ["outlook", "windy"], ["choosing", "pruning"])
ESTIMATORS = """
    AODE Bagging C44 C45 CITree CentreSplitting DecisionTree DistanceTree Encoder NBTree NaiveBayes
    NewtonTree PathBayes PathForest TunedThreshold
"""


def public():
    """Every public function, class and method with arguments, once: {name: itself}."""
    everything = {name: getattr(rt, name) for name in rt.__all__}
    rooms = [thing for thing in everything.values() if isinstance(thing, ModuleType)]
    for room in [*rooms, generate, structured]:
        for name in getattr(room, "__all__", [n for n in vars(room) if n[0] != "_"]):
            thing = getattr(room, name)
            if hasattr(room, "__all__") or getattr(thing, "__module__", "") == room.__name__:
                title = room.__name__.rsplit(".", 1)[-1].removeprefix("ranktrees_")
                everything.setdefault(f"{title}.{name}", thing)
    named, seen = {}, set()
    for name, thing in everything.items():
        for called, one in with_methods(name, thing):
            one = getattr(one, "__func__", one)
            if callable(one) and not isinstance(one, ModuleType) and id(one) not in seen:
                seen.add(id(one))
                named[called] = one
    return named


def with_methods(name, thing):
    yield name, thing
    if inspect.isclass(thing) and not issubclass(thing, Exception):
        for method, function in inspect.getmembers(thing, inspect.isroutine):
            ours = (getattr(function, "__module__", None) or "").startswith("ranktrees")
            if ours and method[0] != "_" and {*inspect.signature(function).parameters} - {"self"}:
                yield f"{name.rsplit('.', 1)[-1]}.{method}", function


def untested(name):
    return any(fits(name, patterns) for patterns in UNTESTED.values())


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Valid values: {an argument, one of a room, class or function, or a class: what is valid}."""
    folder, old = tmp_path_factory.mktemp("nonsense"), os.getcwd()
    os.chdir(folder)  # where a file may be called "nonsense"
    made = Made({name: getattr(rt, name)().fit(X, Y) for name in ESTIMATORS.split()})
    for part in (of_data, of_objects, of_trees, of_pictures, of_single_pictures):
        part(made)
    yield made
    os.chdir(old)


class Made(dict):
    """Things by name."""

    def put(self, where="", **given):
        """Add arguments, of rooms, classes or functions."""
        for place in where.split() or [""]:
            self.update({f"{place}.{name}".strip("."): thing for name, thing in given.items()})


def of_data(made):
    made.put(X=X, y=Y, data=NOMINAL, case=X.iloc[0], model=rt.C45(), models={"a": rt.C45()})
    made.put(seed=1, k=2, runs=1, n=9, name="iris", target="class", alpha=0.05, attribute="outlook")
    made.put("guess", key="05.pairs")
    made.put("show", thing=rt.plain.c45.ratios)
    made.put("compare", progress=False)
    made.put("playground", data="iris", method="C4.5")
    made.put("Dataset", name="n")
    made.put(ESTIMATORS, y=Y)
    Path("some.csv").write_text("a,b,class\n1,x,no\n2,y,yes\n3,x,no\n")
    attributes = "@attribute a {x,y}\n@attribute class {n,p}"
    Path("some.arff").write_text(f"@relation r\n{attributes}\n@data\nx,n\ny,p\n")
    rt.save(made["C45"], "model.json")
    results = rt.compare({"C4.5": rt.C45(), "NB": rt.NaiveBayes()}, [NOMINAL], k=2)
    rt.write_results(results, "results.csv")
    scan = rt.scan("some.csv", "class")
    made.put(Results=results, scan=scan, Scan=scan, files="some.csv", folder="new")
    made.put("read_csv", path="some.csv")
    made.put("read_arff", path="some.arff", target=None)
    Path("golf.names").write_text("p, n.\na: x, y.\n")
    Path("golf.data").write_text("x, p\ny, n\n")
    made.put("read_c45", path="golf", test=False)
    made.put("load_model", path="model.json")
    made.put("save", path="saved.json", model=made["C45"])
    made.put("write_results", path="written.csv", results=results)
    made.put("read_results", path="results.csv")
    made.put("Results", frame=results.frame, measure="auc")
    made.put("Scan", model=rt.C44().fit(scan), y=None, n=2, path="out.parquet")
    made.put("scale", model=rt.C44())
    made.put(score=SCORE, proba=np.column_stack([1 - SCORE, SCORE]), predicted=list(Y), share=0.5)
    made.put(confusion=[[5, 1], [2, 6]], cost=[[0, 1], [5, 0]], weights=[[0, 1], [5, 0]])
    made.put(fpr=[0, 0.5, 1], tpr=[0, 0.8, 1], values=ROWS, ranks=[1.0, 2.0], cd=0.5)
    made.put(a=[0.1, 0.2, 0.4], b=[0.3, 0.1, 0.2], hits=CODES == 1, letters=3)
    made.put(positive_rank_sum=10.0, n_positive=3, n_negative=4, k_methods=3, n_sets=5)
    made.put(fold=rt.stratified_folds(Y, 2), sizes="geometric", lesson="05", problem=1)
    made.put(Repeated=rt.repeated({"p": rt.C45(), "q": rt.NaiveBayes()}, NOMINAL, n=3))
    made.put("holm", p=[0.01, 0.2])
    made.put("compare_auc", scores={"a": SCORE, "b": SCORE[::-1]})
    made.put("compare_auc auc_interval", confidence_level=0.9)
    made.put("Repeated", a="p", b="q")


def of_objects(made):
    frame, table = NOMINAL.X.assign(play=list(NOMINAL.y)), {"yes": 0.5, "no": 0.5}
    net = rt.BayesNet({"play": [], "outlook": ["play"]}).fit(frame)
    made.put(BayesNet=net, frame=frame, attributes=["outlook"])
    made.put("BayesNet", parents=net.parents, target="play", name="play", evidence=None)
    made.put("BayesNet", table=table, assignment={"play": "yes", "outlook": "rainy"})
    made["BayesNet.set_cpt()"] = rt.BayesNet({"a": []}).set_cpt
    made.put("BayesNet.set_cpt", name="a")
    made.put("BayesNet.from_cpts", parents={"a": []}, cpts={"a": table})
    made.put("bayes", target="play")
    made.put(Attribute=rt.Attribute([1.0, 2.0]))
    made.put("Attribute", values=[1.0, 2.0], a=[1.0], b=[2.0], name="x")
    made.put(Candidates=rt.explore.Candidates(NOMINAL.X, NOMINAL.y), which=1)
    made.put("Candidates.fold", which=0)
    made.put("AODE", name="outlook")
    made["AODE.parts()"] = made["C45"].parts  # others say why they are no sums
    made.put("NaiveBayes", smoothing="m")
    made.put("C44", name="laplace")
    made.put("C44 NaiveBayes PathBayes PathForest", table="t", tables=False)
    made.put("to_sql", tree=made["C45"].tree_, table="t")
    made.put("Tree.with_names", names=[info.name for info in made["C45"].tree_.schema])
    fitted = DecisionTreeClassifier(random_state=0).fit(*(numbers := (X[["humidity"]], Y)))
    made.put("adopt", fitted=fitted, X=numbers[0], estimate="laplace", fresh=False)
    made.put(
        "read_tree", source={"version": 1, "classes": ["a"], "nodes": [{"id": 1, "counts": [2]}]}
    )
    made.put("write_back", model=rt.adopt(fitted, *numbers), fitted=fitted, estimate="laplace")
    made.put(Explorer=rt.explore.lens())
    made.put("Explorer", name="first", values=[1, 2], most=2)


def of_trees(made):
    tree, codes, counts = made["C45"].tree_, made["C45"].encode(X), np.array([[3, 1], [1, 4]])
    path, costs = rt.prune.cost_complexity(tree), rt.prune.Costs(tree.counts.sum(axis=1))
    made.put(tree=tree, Tree=tree, counts=counts, A=4, x=[1.0, 2.0, 3.0], cuts=[1.5])
    made.put("criteria plot.table", n=counts)
    made.put("bins", n_bins=10, y=None)
    made.put("bins.entropy_mdl", y=[0, 0, 1])
    made.put("path_bayes proba_frame explain_table", model=made["PathBayes"])
    made.put("cut_classes", y=[1.0, 2.0, 3.0, 4.0], k=2)
    made.put(CostComplexityPath=path, codes=codes, leaf=tree.is_leaf, costs=costs)
    made.put("prune.path", model=made["C45"])
    made.put("plot.prune_path", path=rt.prune.path(made["DecisionTree"]))
    made.put("prune", max_leaf_nodes=3, impurity=rt.criteria.gini)
    made.put("prune", y=CODES, path=path, value=np.ones(len(tree)), x=np.ones(len(tree)))
    made.put("prune", cases=[6, 5], errors=[0, 1], confidence=0.25)
    made.put("prune.c45", codes=codes, tree=rt.C45(prune=False, collapse=False).fit(X, Y).tree_)
    made.put("prune.cost_complexity_cv", y=Y)
    catalog, rows = rt.papers.PAPERS, rt.papers.results("martinez2010")[1]
    few = rows[rows["dataset"] == rows["dataset"].iloc[0]]
    kept = few.itertuples(index=False)
    rt.papers.files.write_results(Path("kept.csv"), {"paper": "martinez2010"}, kept)
    made.put("papers", frame=few, paper=catalog["martinez2010"], path="kept.csv", a=ROWS, b=ROWS)
    made.put("papers", wins=rt.papers.win_tie_loss(rows, catalog["wang2006"]))
    made.put("papers", X=NOMINAL.X, y=NOMINAL.y.codes.astype(int))
    made.put("papers.leaked_proba", model=rt.C45(prune=False).fit(NOMINAL.X, NOMINAL.y))
    made.put("papers.environment papers.results", paper="wang2006")
    made.put("papers.standing", ours="J48", measure="auc", group="all")


def of_pictures(made):
    iris, c45 = rt.load("iris"), made["C45"]
    cells = {"dataset": ["a", "b"], "method": ["m", "m"], "published": [80.0, 81.0]}
    roots = rt.NewtonTree(max_depth=2).fit(iris.X, iris.y)
    growth = rt.scale.grow(rt.DecisionTree(), made["scan"], "rf-read")
    made.put("plot", data=iris, scores={"a": SCORE}, net=rt.bayes.lung_cancer(), table=SMALL)
    made.put("plot", model=c45, xlabel="x", ylabel="y", n=3)
    made.put("plot", results={"a": 1.2, "b": 1.8}, said=c45.explain(X.iloc[0]), a=ROWS, b=ROWS)
    made.put("plot", tables={"AUC": SMALL}, model_or_tree=c45, attribute="humidity")
    made.put("plot", nodes=["u", "v"], proba=ROWS, weights=ROWS, splits=rt.bootstrap(len(Y), 3))
    made.put("plot", cells=pd.DataFrame({**cells, "measured": [80.5, 79.0]}))
    made.put("plot", leaves=[1, 2, 3], train=[0.3, 0.2, 0.1], test=[0.3, 0.3, 0.3])
    made.put("plot.attraction_map plot.boundaries", model=roots)
    made.put("plot.conditionals plot.factors", model=made["NaiveBayes"])
    made.put("plot.citree", model=made["CITree"])
    made.put("plot.newton_tree", model=made["NewtonTree"])
    made.put("plot.attribute plot.path_bayes plot.stops explore.stops", model=made["PathBayes"])
    drawn = "plot.falling_cases explore.falling_cases plot.rainforest explore.rainforest"
    made.put(f"{drawn} plot.growing explore.growing plot.bins explore.bins plot.split", data=DATA)
    made.put("explore", case=0, scores={"a": SCORE}, growth=growth)
    made.put("explore.falling_cases explore.growing explore.rainforest", model=c45)
    made.put("explore.mailing", positive="yes")
    made.put("plot.traffic", tables={"rf": growth.table})


def of_single_pictures(made):
    made.put("plot.attribute", name="outlook")
    made.put("plot.critical_difference", cd=0.5)
    made.put("plot.dependence", data=NOMINAL)
    made.put("plot.duel", test="corrected")
    made.put("plot.fresh_shares", models={"a": rt.DecisionTree()}, data=DATA, splits=2)
    made.put("plot.growing", splits=None)
    made.put("plot.lens", table=[[3, 1], [1, 3]])
    made.put("plot.one_path", counts=ROWS, said={"a": {"b": 0.5}}, positive="a")
    made.put("plot.one_path plot.path", classes=["a", "b"])
    made.put("plot.separable", n=np.ones((2, 2, 2), int), split="a", classes=["even", "odd"])
    made.put("plot.series", x=[1, 2, 3], lines={"a": [1, 2, 3]})
    made.put("plot.stops explore.stops", who="the class", times=1)
    made.put("plot.strips", result=made["Repeated"])
    made.put("plot.votes", similarity=[1, 2], classes=[0, 1], attributes=3, names=["a", "b"])


def bound(name, thing, made):
    """A method, of what is made for it; or the function or class itself."""
    holder, _, method = name.rpartition(".")
    method = getattr(made[holder], method) if holder[:1].isupper() else thing
    return made.get(f"{name}()", method)


def arguments(name, function, made):
    """A valid value of each argument: its own, its room's or class's, its default or of all."""
    room, given = name.split(".")[0], {}
    for argument, parameter in inspect.signature(function).parameters.items():
        if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            needed = parameter.default is parameter.empty or argument == "k"
            shared = made[argument] if needed and argument in made else parameter.default
            named = made.get(f"{room}.{argument}", shared)
            given[argument] = made.get(f"{name}.{argument}", named)
    return given


def call(name, function, given):
    """Call a function to its end, and `fit` of an estimator, which checks its parameters."""
    result = function(**given)
    if name in ESTIMATORS.split():
        result.fit(X, Y)
    if inspect.isgenerator(result):
        list(result)


def fits(name, patterns):
    """Whether one of the patterns, parted by blanks, fits a name, or the last part of it."""
    last = name.rpartition(".")[2]
    return any(fnmatch(name, pattern) or last == pattern for pattern in patterns.split())


def tried(name, valid):
    """The kinds of nonsense that an argument, "function.argument", should refuse."""
    takes = {"None"} if valid is None else {"True"} if valid is True or valid is False else set()
    takes |= {kind for kind, patterns in TAKES.items() if fits(name, patterns)}
    return NONSENSE.keys() - takes


def names(argument, message):
    """Whether a message names an argument."""
    pairs = (pair.strip().split(": ") for pair in WORDS.split(";"))
    words = [argument, argument.removesuffix("s")]
    words += [word for word, arguments in pairs if argument in arguments.split()]
    return any(re.search(rf"(?<!\w){re.escape(word)}s?(?!\w)", message) for word in words)


def fault(name, function, given, argument):
    """What is wrong with the answer to nonsense; nothing where it is refused in words."""
    try:
        call(name, function, given)
    except FileNotFoundError as error:
        return "" if str(given[argument]) in str(error) else f"does not name the file: {error}"
    except Exception as error:
        where, line, *_ = traceback.extract_tb(error.__traceback__)[-1]
        raised = linecache.getline(where, line).strip().startswith("raise")
        if not (isinstance(error, ValueError | TypeError) and "ranktrees" in where and raised):
            return f"{type(error).__name__} of {os.path.basename(where)}: {error!s:.200}"
        return "" if names(argument, str(error)) else f"does not say which: {error!s:.200}"
    return "is taken without a word"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("initials", ["A-B", "C", "D-M", "N-Z", "a-d", "e", "f-o", "p", "q-z"])
def test_nonsense_is_refused_by_name(made, initials, every):
    """A fifth of all nonsense, another one for each name, and at night all of it."""
    wrong = {}
    for name, thing in public().items():
        if not re.match(f"[{initials}]", name) or untested(name):
            continue
        function = bound(name, thing, made)
        given = arguments(name, function, made)
        for argument in [argument for argument in given if not untested(f"{name}.{argument}")]:
            kinds = sorted(tried(f"{name}.{argument}", given[argument]))
            for kind in kinds[zlib.crc32(f"{name}.{argument}".encode()) % every :: every]:
                nonsense = {**given, argument: NONSENSE[kind]}
                if problem := fault(name, function, nonsense, argument):
                    wrong[f"{name}({argument}={kind})"] = problem
        if every == 1 or name.partition(".")[0] not in ("explore", "papers"):  # others call these
            call(name, function, given)  # which is all right
    assert wrong == {}


@pytest.mark.parametrize("answer", NONSENSE.values(), ids=list(NONSENSE))
def test_any_answer_gets_a_verdict(answer):
    for name in {*rt.check.__all__} - {"Verdict", "challenge"}:  # this is asked for by its name
        assert isinstance(getattr(rt.check, name)(answer), rt.check.Verdict), name
