"""The tree and its plane that grow while a reader scrolls: pictures, words, and their place."""

import re

import pytest

from tools import walk, words


def test_a_tree_and_its_plane_grow_above_the_section_that_explains_it():
    body = '<p>Before.</p><h2 id="The-recursion-(5-min)">The recursion</h2>'
    assert walk.put("01", body) == body
    page = walk.put("02", body)
    assert page.startswith("<p>Before.</p>")
    assert page.endswith(body.removeprefix("<p>Before.</p>"))
    alts = re.findall('<img alt="([^"]+)"', page)
    assert len(set(alts)) == len(alts) == 2 * walk.MOST
    said = words.plain(page)
    assert "Question 1. Is the petal length (cm) at most 2.45?" in said
    assert "yes for 50 setosa, no for 50 versicolor and 50 virginica. Now 100 of 150" in said
    assert "yes for 47 versicolor and 1 virginica, no for 2 versicolor and 4 virginica" in said
    with pytest.raises(SystemExit, match="lesson 02 has no section 'The-recursion'"):
        walk.put("02", "<p>Other words.</p>")
