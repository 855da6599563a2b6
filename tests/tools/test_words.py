"""The words of pages as the search shows them."""

from tools import words


def test_the_search_shows_formulas_as_plain_letters():
    fraction = (
        r"so $\frac{n_c + 1}{n + |C|}$ and $\hat p$, or $$P(\text{bad} \mid a) \le \tfrac12$$"
    )
    assert words.without_tex(fraction) == "so (nc + 1)/(n + |C|) and hat p, or P(bad | a) ≤ 1/2"
    assert words.without_tex(r"$\sum_{i} w_i \cdot \left( x_i \right)$") == "sumi wi · ( xi )"
    assert words.without_tex("costs $5, no formula") == "costs $5, no formula"
