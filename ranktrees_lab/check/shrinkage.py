"""Checks of exercises on shrinkage and WPE."""

from ranktrees_lab.check.answers import names, numbers
from ranktrees_lab.check.base import exercise, need, one_number, slip

RIVALS = "C45-M", "C45-L", "C45-B", "C44-M", "C44-L", "C44-B"
NOT_BEATEN = {"C45-B", "C44-M", "C44-L", "C44-B"}


@exercise("late: 4 votes of 3 + 1 + 1, one of 4 + 1 + 1, and of the south line 2 of 4, one of 5")
def wpe_in_training(answer):
    """Check P(late) at N3 of a late weekend train that is left out: (39 + 1/2) / (53 + 1)."""
    slips = {
        45.5 / 60: "x is still among the voters: take it out first.",
        31.5 / 46: "In training classes are compared, too: late trains agree in one thing more.",
        26.5 / 31: "That is the leaf's. Six trains of the south line vote as well.",
        31.5 / 42: "The vote is the similarity + 1.",
        36.5 / 51: "That is a new case's: in training x is left out, and classes are compared.",
        8.5 / 13: "That is Equation 1, which counts cases. Weigh each by its similarity + 1.",
        39 / 53: "Equation 6 adds 1/C above and 1 below the line.",
        14.5 / 54: "That is the probability of on time.",
    }
    one_number(answer, 39.5 / 54, "take x out, then vote by line and day", slips, tol=0.0009)
    return "39.5 / 54: in the wider node fewer are late, and it has twelve voters in place of six."


@exercise("take a late train out of the leaf's 6 and 1, and then the one that is on time")
def note_refuted(answer):
    """Check (step, number): Step 2 takes x out, so the leaf gives 5.5/7 and 6.5/7 for late."""
    step, different = numbers(answer, 2, "Give two numbers: the step, and how many estimates.")
    slip(step != 3, "Step 3 is where the note looks. What happened to the counts before it?")
    need(step == 2, "Which step changes the counts from which Step 3 estimates?")
    slip(different != 7, "Six of the seven trains are late, and without any of them 5 are left.")
    slip(different != 1, "Without a late train 5 of 6 are late. Without the one on time?")
    need(different == 2, "The leaf's estimate depends on the class of the train that is out.")
    return "Without a late train the leaf gives 5.5/7, without the one on time 6.5/7."


@exercise('a set of names, such as {"C45-M", "C44-B"}; binomtest(16, 20).pvalue is .012')
def headline(answer):
    """Check the rivals that shrinkage with WPE is not shown to beat, by sign test without ties."""
    answer = set(names(answer, RIVALS, f"Give a set with names among {', '.join(RIVALS)}."))
    need(
        answer, "The paper's sentence does not hold against all six. Begin with the closest count."
    )
    more = "C44-B wins more often than it loses. Can C be shown to beat it?"
    slip("C44-B" in answer, more)
    ten = "10 to 4 looks like much. A coin gives 14 throws so uneven in 18 of 100 trials."
    slip("C44-L" in answer, ten)
    wrong = sorted(answer - NOT_BEATEN)
    text = "{} wins {}: a coin does that in {} of 1,000 trials. So C is shown to be better."
    for rival, counts, trials in (("C45-M", "4 and loses 16", 12), ("C45-L", "3 and loses 12", 35)):
        slip(rival not in wrong, text.format(rival, counts, trials))
    need(answer >= NOT_BEATEN, "One or two are missing: 8 to 4 and 5 to 4 are what a coin does.")
    return (
        "Against M and L on C4.5 the headline holds, if each test stands alone. Against bagging, "
        "and against all three on C4.4, it is not shown. With Holm's correction for six tests "
        "(lesson 06) these counts show nothing. Wilcoxon's test also uses the size of small "
        "differences, and depends on the AUC: by the paper's, C is better than all but C44-B, with "
        "Holm, too; by this course's, which counts each pair of classes alike, only better than "
        "C45-M and C45-L."
    )
