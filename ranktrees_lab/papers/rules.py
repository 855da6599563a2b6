"""How numbers decide about a claim: a rule for each kind of claim.

A verdict always follows from the *honest* numbers. Claims of the kind "A is better than B" are
judged by Wilcoxon's signed ranks over the means of the data sets, with Holm's correction over all
pairs that a rule compares at once, alpha = 0.05:

- holds: each pair is shown, with at least half of the printed size (significant wins on single
  sets by the corrected resampled t-test, or the difference of means); without a printed size, with
  wins on at least half of the sets;
- holds partly: some pair is shown, or shown with less than half of the printed size;
- not shown: no pair is shown, in either direction;
- does not hold: the other direction is shown, and the claimed one for no pair.

Claims of printed counts are judged in the same way. If the counts do not differ themselves (sign
test over wins and losses, p >= 0.05) they claim little: that holds if their direction is shown, or
if nothing is shown and the honest counts by the paper's own test are within two sets. It does not
hold if the other direction is shown. The rules of figures.py state their thresholds themselves.
"""

from itertools import product
from typing import NamedTuple

from ranktrees_engine.evaluate.significance import holm
from ranktrees_lab.papers.evidence import Evidence
from ranktrees_lab.papers.paper import ALL, SIZES

HOLDS, PARTLY, NOT_SHOWN, FAILS = "holds", "holds partly", "not shown", "does not hold"
VERDICTS = (HOLDS, PARTLY, NOT_SHOWN, FAILS)
ALPHA, HALF, CLOSE = 0.05, 0.5, 2
NO_DIFFERENCE = "; in print no winner (sign test)"
FULL, SOME, NONE, OPPOSITE = 2, 1, 0, -1  # of one pair


class Finding(NamedTuple):
    """One judgement: of `what` (empty for the whole claim), three figures, verdict and basis."""

    what: str
    printed: str
    reproduced: str
    honest: str
    verdict: str
    rests_on: str


def better(
    ev: Evidence, pairs: list[str], measure: str = "auc", printed: str = ""
) -> list[Finding]:
    """Judge "A > B": A ranks better than B, or is smaller; also "A, B > C, D", each against each.

    `printed` stands where the paper has no counts of wins.
    """
    pairs = [
        (a, b) for text in pairs for a, b in product(*(s.split(", ") for s in text.split(" > ")))
    ]
    compared = [ev.compare(a, b, measure) for a, b in pairs]
    reproduced = [ev.compare(a, b, measure, ALL, False, ev.test).counts for a, b in pairs]
    counts = [ev.counted.get((a, b, measure, ALL)) for a, b in pairs]
    ps = holm([f.p for f in compared])
    scores = [
        _score(f.side, p, f.counts[0], n[0] if n else f.sets)
        for f, p, n in zip(compared, ps, counts, strict=True)
    ]
    named = _names(pairs)
    honest = [f"{_wtl(f.counts)} ({_p(p)})" for f, p in zip(compared, ps, strict=True)]
    cells = printed or _listed(named, [_wtl(n) if n else "" for n in counts])
    basis = _basis(ev, compared, len(pairs))
    texts = cells, _listed(named, map(_wtl, reproduced)), _listed(named, honest)
    return [Finding("", *texts, _together(scores), basis)]


def entries(ev: Evidence, table: str) -> list[Finding]:
    """Judge each printed wins/ties/losses of a table: the row's method against the column's."""
    rows = [e for e in ev.paper.wins.itertuples(index=False) if e.table == table]
    compared = [ev.compare(*ev.named(e), e.measure, e.group) for e in rows]
    one_pair, findings = len({(e.row, e.column) for e in rows}) == 1, []
    for e, f, p in zip(rows, compared, holm([f.p for f in compared]), strict=True):
        a, b = ev.named(e)
        what = f"{e.group}, {e.measure}" if one_pair else f"{a} against {b}"
        what += " (exchanged)" * ((a, b) != (e.row, e.column))
        reproduced, again = (
            ev.compare(a, b, e.measure, e.group, way, ev.test).counts for way in (False, True)
        )
        printed = e.wins, e.ties, e.losses
        texts = _wtl(printed), _wtl(reproduced), f"{_wtl(f.counts)} ({_p(p)})"
        basis = _basis(ev, [f], len(rows)) + NO_DIFFERENCE * (not _differ(e.wins, e.losses))
        findings.append(Finding(what, *texts, _judged(printed, f, p, again), basis))
    return findings


def _differ(wins, losses):
    """Return whether wins and losses differ by the sign test."""
    from scipy.stats import binomtest

    return wins != losses and binomtest(wins, wins + losses).pvalue < ALPHA


def _judged(printed, compared, p, again):
    """Judge printed wins/ties/losses; `again` are those of the same test, honest."""
    wins, _, losses = printed
    side = 1 if wins > losses else -1
    if not _differ(wins, losses):
        if p < ALPHA:
            return HOLDS if wins != losses and compared.side == side else FAILS
        near = abs(again[0] - wins) <= CLOSE and abs(again[2] - losses) <= CLOSE
        return HOLDS if near else NOT_SHOWN
    size = compared.counts[0] if side > 0 else compared.counts[2]
    return _together([_score(compared.side * side, p, size, max(wins, losses))])


def margins(
    ev: Evidence, pair: str, groups: tuple = (ALL,), measures: tuple = ("auc",)
) -> list[Finding]:
    """Judge the mean difference "A - B" over data sets, in each group and measure."""
    a, b = pair.split(" - ")
    which = list(product(groups, measures))
    compared, findings = [ev.compare(a, b, measure, group) for group, measure in which], []
    for (group, measure), f, p in zip(which, compared, holm([f.p for f in compared]), strict=True):
        printed = [ev.cells(name, measure, group).mean() for name in (a, b)]
        ways = [[ev.means(m, measure, group, honest=way).mean() for m in (a, b)] for way in (0, 1)]
        texts = [_apart(ev, *two, measure) for two in (printed, *ways)]
        texts[2] += f" ({_p(p)})"
        gap = printed[0] - printed[1]
        claimed = abs(gap), 1 if (gap > 0) == (measure not in ("mse", *SIZES)) else -1
        size = f.difference * claimed[1]
        verdict = _together([_score(f.side * claimed[1], p, size, claimed[0])])
        what = f"{group}, {measure}" if len(which) > 1 else ""
        times = f", Holm over {len(which)}" if len(which) > 1 else ""
        rests = f"p: Wilcoxon over {f.sets} sets{times}"
        findings.append(Finding(what, *texts, verdict, rests))
    return findings


def _score(side, p, size, printed):
    """Return FULL, SOME, NONE or OPPOSITE: how far one pair is shown."""
    if p >= ALPHA or not side:
        return NONE
    return OPPOSITE if side < 0 else FULL if size >= HALF * printed else SOME


def _together(scores):
    """Return the verdict on all pairs of a claim."""
    if all(score == FULL for score in scores):
        return HOLDS
    if any(score >= SOME for score in scores):
        return PARTLY
    return FAILS if OPPOSITE in scores else NOT_SHOWN


def _names(pairs):
    """Return a short name for each pair: without what all of them share."""
    firsts, seconds = zip(*pairs, strict=True)
    if len(pairs) == 1:
        return [""]
    if len(set(firsts)) == 1:
        return list(seconds)
    return [a if len(set(seconds)) == 1 else f"{a} > {b}" for a, b in pairs]


def _listed(names, texts):
    return "; ".join(
        f"{name} {text}".strip() for name, text in zip(names, texts, strict=True) if text
    )


def _wtl(counts):
    return "/".join(map(str, counts))


def _p(p):
    return "p < .001" if p < 0.001 else f"p = {p:.3f}".replace("0.", ".")


def _apart(ev, a, b, measure):
    gap = ev.text(a - b, measure, "+")
    return f"{ev.text(a, measure)} and {ev.text(b, measure)}: {gap}"


def _basis(ev, compared, n):
    """Describe what a comparison rests on."""
    reproduced = "" if ev.test == "corrected" else f" (reproduced: {ev.test})"
    times = f", Holm over {n}" if n > 1 else ""
    counts = f"corrected resampled t on each of {compared[0].sets} sets{reproduced}"
    return f"{counts}; p: Wilcoxon over the sets{times}"
