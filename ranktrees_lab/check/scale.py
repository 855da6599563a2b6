"""Checks of exercises on data larger than memory."""

from ranktrees_lab.check.answers import function, number, table
from ranktrees_lab.check.base import MEASURED, exercise, need, one_number, same, slip

CASES = ((1, 100, 100), (8, 100, 800), (9, 100, 800), (3, 3, 5), (30, 96_960, 700_000))
STUDY = {  # AUC of C4.4 on 20,000 new people, from samples with seeds 1, 2 and 3
    1_000: (0.9185, 0.9182, 0.9042),
    10_000: (0.9375, 0.9353, 0.9316),
    50_000: (0.9362, 0.9355, 0.9332),
}


@exercise("six people are not married: count the different values of each attribute among them")
def group_of_a_child(answer):
    """Counts of the AVC-group of the six tax payers who are not married: (2 + 2 + 6) * 2."""
    slips = {
        10: "These are the values. Each value has a count for each of the two classes.",
        30: "That is the root's group. Nobody in this node is married, and four incomes went, too.",
        22: "The node has no married person: Status has two values left.",
        36: "A group counts values, and rows do not matter: 6 rows with 3 values each are 18 "
        "entries, but Refund has only two different ones.",
        16: "Status still has two values here, Single and Divorced, so its table stays.",
    }
    one_number(answer, 20, "2 of Refund, 2 of Status, 6 of Income, twice", slips)
    return "(2 + 2 + 6) · 2 counts: fewer than the root's in each attribute that lost values."


@exercise("how many whole nodes fit in the budget at once?")
def scans_function(answer):
    """A function (open nodes, bytes of a node, budget) -> scans of a level, whole nodes each."""
    answer = function(answer)
    for n, each, budget in CASES:
        yours, right = number(answer(n, each, budget)), -(-n // (budget // each))
        here = f"{n} open nodes of {each:,} bytes with a budget of {budget:,} take {right} "
        here += f"scan{'s' * (right > 1)}, not {yours:g}. "
        why = {
            right: "",
            n * each / budget: "There is no part of a scan: round up.",
            -(
                -n * each // budget
            ): "A node's tables are counted in one scan: only whole nodes fit.",
        }
        slip(yours == right or yours not in why, here + why.get(yours, ""))
        need(yours == right, f"{here}How many nodes fit at once?")
    return "Whole nodes in each scan, and whole scans."


@exercise("work out the bytes of one node's tables, then those of one row, with its class")
def rows_or_tables(answer):
    """Rows (9 attributes and a class, a byte each) that take as much as a node's tables: 320."""
    slips = {
        3200: "Those are the bytes of the tables. A row takes 10 bytes.",
        40: "A count takes 8 bytes.",
        160: "There is a count for each value and each class, so 8 · 2 · 200 bytes.",
        3200 / 9: "The class takes a byte, too: a row has 10.",
    }
    one_number(answer, 320, "8 · 2 · 200 / 10", slips)
    return (
        "Below 320 rows a node's rows are smaller than its tables, so it is cheaper to keep the "
        "rows. (Our RF-Hybrid asks a little less: it takes a part into memory as soon as its rows "
        "fit in the budget.)"
    )


@exercise("part = scan.sample(n, seed), rt.C44().fit(part.X, part.y), and its AUC on `people`")
def sample_study(answer):
    """{n: three AUCs} of C4.4 from samples of the lesson's rows, seeds 1 to 3, on new people."""
    keys = f"The keys must be {', '.join(map(str, STUDY))}, with three AUCs each."
    study = table(answer, STUDY, keys, ("seed 1", "seed 2", "seed 3"))
    for n, right in STUDY.items():
        here = f"Samples of {n:,} with seeds 1, 2 and 3 give {right}, you have {study[n]}. Use "
        here += "rt.C44() as it is and the scores of the second class, [:, 1]."
        same(study[n], right, [], here, MEASURED)
    return "Look at what ten times the rows bring before you pay for all of them."
