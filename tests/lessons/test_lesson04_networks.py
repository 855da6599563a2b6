"""Lesson 04: its checks, and what its sentences say of the data."""

import numpy as np
import pandas as pd

import ranktrees as rt
from ranktrees.bayes import lung_cancer


def copied(names, k):
    X = rt.load("credit-g").X
    return pd.concat([X, *(X[names].add_suffix(f" {i}") for i in range(1, k))], axis=1)


class TestItRanksWell:
    def test_one_attribute_ten_times(self):
        found = {
            (name, measure): rt.repeated(
                {"it": rt.NaiveBayes()}, (copied(names, 10), rt.load("credit-g").y), measure=measure
            )
            .table["it"]
            .mean()
            for name, names in (
                ("none", []),
                ("c", ["checking_status"]),
                ("r", ["residence_since"]),
                ("d", ["duration"]),
                ("p", ["purpose"]),
            )
            for measure in ("auc", "brier")
        }
        assert 1.75 < found["c", "brier"] / found["none", "brier"] < 2
        loss = {name: found["none", "auc"] - found[name, "auc"] for name in "crdp"}
        assert [round(loss[name], 2) for name in "cr"] == [0.01, 0.04]
        assert min(loss["d"], loss["p"]) > 0.07

    def test_checking_status_ranks_best_alone_and_residence_by_chance(self):
        credit = rt.load("credit-g")
        alone = {
            a: rt.repeated({"it": rt.NaiveBayes()}, (credit.X[[a]], credit.y)).table["it"].mean()
            for a in credit.X
        }
        assert max(alone, key=alone.get) == "checking_status"
        assert 0.47 < alone["residence_since"] < 0.51

    def test_it_fails_where_only_combinations_count(self):
        parity = rt.load("parity")
        P = rt.NaiveBayes().fit(parity.X, parity.y).predict_proba(parity.X)
        assert np.allclose(P, 0.5)
        models = {"naive Bayes": rt.NaiveBayes(), "C4.4": rt.C44()}
        assert rt.repeated(models, rt.load("tic-tac-toe")).wins("C4.4", "naive Bayes") == 20


class TestNetworks:
    def test_six_tables_have_14_numbers(self):
        net = lung_cancer()
        assert sum(len(net.cpt(node)) for node in net.parents) == 14
        assert len(net.joint_table()) == 2**6
        assert np.isclose(net.joint_table().sum(), 1)
        nobody = dict.fromkeys(net.parents, "no")
        assert np.isclose(net.joint(nobody), 0.9 * 0.7 * 0.9 * 0.98 * 0.95 * 0.9)

    def test_smoking_explains_the_cancer_away(self):
        known = {}, {"LungCancer": "yes"}, {"LungCancer": "yes", "Smoker": "yes"}
        found = [lung_cancer().query("FamilyHistory", one)["yes"] for one in known]
        assert np.allclose(found, [0.1, 0.19, 0.113], atol=0.0005)
        free = lung_cancer().query("FamilyHistory", {"Smoker": "yes"})["yes"]
        assert np.isclose(free, 0.1)

    def test_naive_bayes_is_a_network_and_foreign_policy_its_strongest_link(self):
        vote = rt.load("vote")
        frame = vote.X.assign(party=vote.y)
        star = rt.BayesNet(rt.bayes.naive_bayes_structure("party", vote.X.columns)).fit(frame)
        same = rt.NaiveBayes().fit(vote.X, vote.y).predict_proba(vote.X)
        assert np.allclose(star.predict_proba(vote.X, "party"), same)
        table = rt.bayes.conditional_mutual_information(frame, "party")
        el_salvador = table["el-salvador-aid"].drop("el-salvador-aid")
        policy = ["aid-to-nicaraguan-contras", "mx-missile"]
        assert el_salvador.nlargest(2).index.tolist() == policy
        assert np.isclose(el_salvador.max(), np.triu(table, k=1).max())
        tree = rt.bayes.tan_structure(frame, "party")
        assert tree["mx-missile"] == ["party", "el-salvador-aid"]
        picture = rt.plot.belief_network(tree, apart="party")
        assert "17 nodes and 31 arrows: 16 depend on party" in picture.alt
