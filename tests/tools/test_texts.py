"""Phrases that read as translated are found in pages, docstrings, errors and warnings."""

import pytest

from tools import texts

REFUSED = [
    "None: 1 each",
    "What the tree says counts.",
    "the first of equals",
    "of x (n,) of classes y",
    "`reading`, which has its say",
    "from outside to inside",
    "It tells nothing about the class.",
    "how near it comes",
    "Say first what you expect.",
    "The entropy less the weighted mean.",
    "It asks little for memory.",
    "Which share has the leaf?",
    "How many leaves has the tree?",
    "a true one",
    "Mind what they say.",
    "when a test goes",
    "a file of so many bytes",
    "drawn by chance",
    "The sample is drawn anew.",
    "What the model says of a case.",
    "In doubt, prune.",
    "one row a case",
    "That is no probability.",
    "names that lack, and others",
    "higher in the mean, by 1.0",
    "Many classes. Of more than two classes the last.",
    "a step that there is not",
    "What shall it do?",
    "It is said what is left out.",
    "as Weka has it",
    "missing : as of `DecisionTree`.",
    "-inf if it is none",
    "the probability of coming there",
    "from 0.5 on.",
    "files that cannot be had",
    "betimes",
]
PLAIN = [
    "There is no class, and nothing else, of course.",
    "It is None, or there are none.",
    "It is no more than a guess, not so many that it matters.",
    "It costs less the larger n is.",
    "The weighted mean is less than 1.",
    "`what shall be said of` code in $anew$",
]


@pytest.mark.parametrize("text", REFUSED)
def test_a_phrase_is_found_in_a_sentence(text):
    assert texts.phrases(text)


@pytest.mark.parametrize("text", PLAIN)
def test_plain_words_are_not_refused(text):
    assert texts.phrases(text) == []


def test_docstrings_errors_and_warnings_are_read_and_other_strings_are_not(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(
        'def f(x):\n    """Learn\n    anew.\n\n    >>> "anew"\n    """\n    shown = "anew"\n'
        '    warn(f"{shown} was drawn by " "chance")\n    raise ValueError(f"{x} is no number")\n',
        encoding="utf-8",
    )
    found = sorted(line.removeprefix(str(path)) for line in texts.of_code(path))
    assert found == [
        ':1: "anew": say again, or new',
        ':8: "drawn by chance": say at random, or with replacement',
        ':9: "is no": say is not a',
    ]


def test_the_project_says_none_of_them(capsys):
    assert texts.main() == 0, capsys.readouterr().out
