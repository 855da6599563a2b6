"""The words of pages: what the search knows of them, formulas and all in plain letters."""

import html
import re

HEADING = re.compile(r'<h([23]) id="([^"]*)">(.*?)</h\1>', re.DOTALL)
BLOCK = re.compile(r"</?(?:p|li|[uo]l|div|pre|t[dhr]|h\d|summary|details|d[dt]|br)\b[^>]*>")
UNSEEN = re.compile(r'<(script|style)\b.*?</\1>|<a class="anchor-link".*?</a>', re.DOTALL)
FORMULA = re.compile(r"(\$\$?)([^$]+)\1")
FRACTION = re.compile(r"\\[td]?frac *(?:\{([^{}]*)\}|(\w)) *(?:\{([^{}]*)\}|(\w))")
GROUP = re.compile(r"(?:_|\\text|\\mathrm) *\{([^{}]*)\}")
SIGNS = {"mid": "|", "cdot": "·", "dots": "…", "le": "≤", "ge": "≥", "ne": "≠", "approx": "≈"}
NO_WORD = {"text", "mathrm", "left", "right", "bigl", "bigr", "lvert", "rvert", "qquad", "mathrel"}
SOURCE = re.compile(r'<details class="source">.*?</details>', re.DOTALL)
ANSWER = re.compile(r"<summary>Answer</summary>.*?<script type=.application/json.*?</script>", re.S)


def entries(page: dict):
    """Yield the entries of the search: a page's text, section by section."""
    parts = re.split(r'(?=<h[23] id=")', ANSWER.sub("", SOURCE.sub("", page["body"])))
    for part in parts:
        head = HEADING.match(part)
        url = page["file"] + (f"#{head[2]}" if head else "")
        inside = head[3] if head else "", part[head.end() if head else 0 :]
        section, text = (without_tex(plain(body)) for body in inside)
        yield {"page": page["title"], "section": section, "url": html.unescape(url), "text": text}


def without_tex(text: str) -> str:
    r"""Return text with its formulas in plain letters: $\frac{n_c}{n}$ becomes nc/n."""

    def word(name):
        return "" if name[1] in NO_WORD else f"{SIGNS.get(name[1], name[1])} "

    def divided(found):
        above, below = found[1] or found[2], found[3] or found[4]
        return "/".join(part if part.isalnum() else f"({part})" for part in (above, below))

    def letters(found):
        formula, before = found[2], ""
        while formula != before:
            before, formula = formula, FRACTION.sub(divided, GROUP.sub(r"\1", formula))
        formula = re.sub(r"\\([A-Za-z]+)", word, formula)
        return " ".join(re.sub(r"[{}_^]|\\.", "", formula).split())

    return FORMULA.sub(letters, text)


def plain(body: str) -> str:
    """Return the text of HTML, without scripts, and without the marks of anchors."""
    seen = BLOCK.sub(" ", UNSEEN.sub(" ", body))
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", seen)).split())
