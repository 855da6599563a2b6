"""The house stays small: short functions and files, arrows that point down, a plain room."""

import grimp

from tools import house


def test_no_function_is_longer_than_a_screen():
    lengths = {where: n for path in house.files() for where, n in house.functions(path).items()}
    assert {where: n for where, n in lengths.items() if n > house.MOST_IN_FUNCTION} == {}


def test_no_file_is_longer_than_three_hundred_lines():
    lines = {house.module_of(path): house.lines_of(path) for path in house.files()}
    assert {name: n for name, n in lines.items() if n > house.MOST_LINES} == {}


def test_no_part_grows_beyond_its_budget_or_what_it_has_now():
    most = house.BUDGETS | house.LARGER
    assert {part: n for part, n in house.sizes().items() if n > most[part]} == {}


def test_a_plain_file_is_read_on_one_screen_or_two():
    paths = [path for path in house.files() if house.room_of(path) == "ranktrees/plain"]
    assert len(paths) > 12
    long = {path.name: n for path in paths if (n := house.lines_of(path)) > house.PLAIN_LINES}
    lengths = {where: n for path in paths for where, n in house.functions(path, False).items()}
    assert long == {}
    assert {where: n for where, n in lengths.items() if n > house.PLAIN_IN_FUNCTION} == {}


def test_imports_make_no_circle():
    assert house.circles(house.arrows()) == set()


def test_arrows_point_down():
    assert house.upward(house.arrows()) == set()


def test_the_methods_are_pure_numpy():
    assert house.impure() == set()


def test_another_tool_draws_the_same_house():
    graph = grimp.build_graph(*house.PACKAGES, cache_dir=None)
    asked = {
        (module, target)
        for module in graph.modules
        for target in graph.find_modules_directly_imported_by(module) - {house.PACKAGE}
    }
    assert len(asked) > 500
    assert house.upward(asked) == house.upward(house.arrows())
    assert house.circles(asked) == house.circles(house.arrows())
    assert asked == house.arrows()
