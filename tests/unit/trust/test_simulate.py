"""Made-up voters, and what the thresholds make of them."""

import xml.etree.ElementTree as ElementTree

from cairn.trust.presets import PRESETS
from cairn.trust.simulate import TARGET, SimulatedWorld, simulate, sweep
from cairn.trust.simulation_picture import svg

SMALL = SimulatedWorld(artefacts=30, voters=60, days=40)


def test_the_fixed_world_keeps_within_one_percent() -> None:
    found = simulate(PRESETS["hub"], SimulatedWorld(), seeds=3)
    assert (found.good, found.bad) == (120, 30)
    assert max(found.promotion_rate, found.rollback_rate) <= TARGET
    assert found.caught == found.bad
    assert found.stable > 0


def test_the_same_seed_is_the_same_world() -> None:
    assert simulate(PRESETS["team"], SMALL, seeds=1) == simulate(PRESETS["team"], SMALL, seeds=1)


def test_it_breaks_where_most_voters_are_vandals_and_the_picture_shows_it() -> None:
    found = sweep(PRESETS["hub"], SMALL, 2, (0.0, 0.5))
    assert found.breaks_at == 0.5
    drawn = ElementTree.fromstring(svg(found, "Trust"))
    assert sum(element.tag.endswith("path") for element in drawn) >= 8
