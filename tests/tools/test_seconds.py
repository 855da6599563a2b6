"""Processor seconds of a build: counted by part, told in one sentence."""

import subprocess
import sys

from tools.seconds import Clock, spent

WORK = "sum(i * i for i in range(2_000_000))"


def test_parts_are_counted_with_the_processes_that_they_wait_for():
    clock, before = Clock(), spent()
    with clock.part("own"):
        eval(WORK)
    with clock.part("other"):
        subprocess.run([sys.executable, "-c", WORK], check=True)
    clock.add("other", 1.0)
    assert clock.seconds["own"] > 0.02
    assert clock.seconds["other"] > 1.02
    assert clock.seconds.total() <= spent() - before + 1.001


def test_a_sentence_has_the_whole_the_parts_in_order_and_the_rest():
    clock = Clock()
    clock.add("lessons", 1.25)
    clock.add("book", 0.5)
    clock.add("lessons", 1.0)
    assert clock.told(3.0) == "3.0 s of processor time: lessons 2.2, book 0.5, the rest 0.2"
