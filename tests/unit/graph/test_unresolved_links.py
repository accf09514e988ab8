"""What a node says about its links, before anybody looks where they lead."""

import json

from cairn.core.model.signal import Candidate, Signal
from cairn.graph.resolve import Reading, alike
from cairn.graph.unresolved_links import sketch_link


def reading(line: int, start: int, extractor: str = "p/a", original: str = "t", **more) -> Reading:
    candidate = Candidate(extractor, "references", "t", 0.5, original, "t", **more)
    return Reading(Signal("body", start, start + 1, line, original, (candidate,)), candidate)


def one_link(*readings: Reading) -> tuple:
    (group,) = alike(readings)
    return sketch_link(group)


def test_what_says_the_same_is_one_link():
    *_, line, offset, seen, detail = one_link(
        reading(5, 50), reading(2, 20, "q/b", data={"image": True}), reading(2, 25)
    )
    sources, _, _, _, places, data = json.loads(detail)
    assert (line, offset, seen) == (2, 20, 3)
    assert sources == ["b", "a"]
    assert [(extractor, where) for extractor, _, where, _ in places] == [("b", 2), ("a", 2), ("a", 5)]
    assert data == {"image": True}


def test_one_extractor_says_the_same_on_one_line_once():
    *_, seen, detail = one_link(reading(2, 20), reading(2, 25), reading(2, 30, original="T"))
    assert seen == 2
    assert [(original, offset) for _, original, _, offset in json.loads(detail)[4]] == [("t", 20), ("T", 30)]


def test_two_extractors_that_see_the_same_once_are_both_named():
    *_, seen, detail = one_link(reading(2, 20), reading(2, 20))
    assert (seen, json.loads(detail)) == (1, [["a"], "t", "", "", [], None])


def test_what_has_to_be_escaped_is():
    detail = one_link(reading(1, 0, original='a"\\\n'))[-1]
    assert json.loads(detail)[1] == 'a"\\\n'


def test_another_target_kind_or_trigger_is_another_link():
    base = Candidate("p/a", "references", "t", 0.5, "t", "t")
    others = [base, base._replace(target="u"), base._replace(kind="points"), base._replace(normalized="n")]
    readings = [Reading(Signal("body", 0, 1, 1, "t", (c,)), c) for c in others]
    assert len(list(alike(readings))) == 4
