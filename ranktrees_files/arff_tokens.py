"""Cut a line of ARFF into its values: quotes, escapes, blanks, comments and braces."""

import re

# Weka's whitespace is NUL to space; Unicode's other spaces belong to the values.
BLANK = "".join(map(chr, range(33)))
_B = r"\x00-\x20"
QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_TOKEN = re.compile(
    rf"""[{_B}]+|(?P<comma>,)|(?P<brace>[{{}}])|(?P<quoted>{QUOTED})|(?P<comment>%.*)"""
    rf"""|(?P<open>['"])|(?P<bare>[^{_B},{{}}][^{_B},{{}}]*)""",
    re.DOTALL,
)
_PAIR = rf"""[{_B}]*([0-9]{{1,18}})[{_B}]+([^{_B},{{}}'"%]+)[{_B}]*"""
_PAIRS, _PLAIN_SPARSE = re.compile(_PAIR), re.compile(rf"{{(?:{_PAIR}(?:,{_PAIR})*|[{_B}]*)}}")
SPECIAL = re.compile(r"""['"%{}]""")  # what lets a comma stand in a value, or ends a row
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROL = {"n": "\n", "r": "\r", "t": "\t"}


class ScanError(ValueError):
    """A line of ARFF that cannot be cut into values, or an invalid value in this `row`."""

    def __init__(self, message: str, row: int | None = None):
        super().__init__(message)
        self.row = row


def unquote(text: str) -> str:
    """Return the value of a quoted ARFF text: quotes removed, escapes resolved."""
    inside = text[1:-1]
    return _ESCAPE.sub(_escaped, inside) if "\\" in inside else inside


def _escaped(match):
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) == 5 else _CONTROL.get(code, code)


def split_values(text: str, n: int | None = None) -> tuple[list[str | None], float]:
    """Split a row of n values, or a declaration; also return the row's weight, 1 if not given.

    A bare ? gives None, a quoted one "?". Commas separate, or blanks if that gives n values (as in
    Weka, which treats a comma as a blank); without any comma, blanks separate a declaration.
    """
    if "," in text and not SPECIAL.search(text):  # most rows: plain values between commas
        values = [value.strip(BLANK) for value in text.split(",")]
        if all(values) and len(values) == (n or len(values)):
            return [None if value == "?" else value for value in values], 1.0
    groups, weight = _groups(text)
    groups = [group for group in groups if group]
    tokens = [[token] for group in groups for token in group]
    if len(groups) != n and (len(tokens) == n or (n is None and "," not in text)):
        groups = tokens
    return [_value(group, text) for group in groups], weight


def split_sparse(text: str) -> tuple[dict[int, str | None], float]:
    """Split a sparse row {index value, ...} into values by index, from 0, and its weight."""
    if _PLAIN_SPARSE.fullmatch(text):  # most rows: an index and a plain value between commas
        cells = _PAIRS.findall(text)
        values = {int(index): None if value == "?" else value for index, value in cells}
        if len(values) == len(cells):
            return values, 1.0
    inside, rest = split_braces(text)
    rest = rest.lstrip("," + BLANK)
    if rest and rest[0] != "{":
        raise ScanError(f"unexpected {rest!r} after the sparse row")
    values = {}
    for group in _groups(inside)[0]:
        if not group:
            continue
        if len(group) < 2 or not re.fullmatch(r"[0-9]{1,18}", group[0][0]):
            raise ScanError("a sparse row needs 'index value' between its commas")
        index = int(group[0][0])
        if index in values:
            raise ScanError(f"index {index} occurs twice in a sparse row")
        values[index] = _value(group[1:], inside)
    return values, _weight(rest) if rest else 1.0


def _weight(text):
    """Return the weight of a row, which is in braces at its end."""
    inside, rest = split_braces(text)
    if rest or not re.fullmatch(r"[0-9]+\.?[0-9]*|\.[0-9]+", inside.strip(BLANK)):
        raise ScanError(f"braces at the end of a row hold its weight, a number, not {text!r}")
    return float(inside)


def split_braces(text: str) -> tuple[str, str]:
    """Return the content of the braces at the start of a text, and the rest of the text."""
    for token in _TOKEN.finditer(text, 1):
        if token.lastgroup == "open":
            raise ScanError(f"unclosed quote {token[0]}")
        if token[0] == "}":
            rest = text[token.end() :].strip(BLANK)
            return text[1 : token.start()], "" if rest.startswith("%") else rest
        if token.lastgroup == "comment":
            break
    raise ScanError("a { without its }")


def _groups(text):
    """Return the tokens between commas, up to a comment, and the weight in braces, or 1."""
    groups = [[]]
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "comma":
            groups.append([])
        elif kind == "comment":
            break
        elif kind == "open":
            raise ScanError(f"unclosed quote {token[0]}")
        elif token[0] == "{":
            return groups, _weight(text[token.start() :])
        elif kind == "brace":
            raise ScanError("a } must be quoted")
        elif kind:
            groups[-1].append(token)
    return groups, 1.0


def _value(group, text):
    if len(group) == 1:
        word = group[0][0]
        if group[0].lastgroup == "quoted":
            return unquote(word)
        return None if word == "?" else word
    if any(token.lastgroup == "quoted" for token in group):
        raise ScanError(f"text beside a quoted value: {text[group[0].start() : group[-1].end()]}")
    return text[group[0].start() : group[-1].end()]
