import pytest

from cairn.core.switches import read_switches


@pytest.mark.parametrize(("value", "on"), [("1", True), ("true", True), ("0", False), ("", False), ("no", False)])
def test_a_switch_is_on_unless_it_says_otherwise(value, on):
    switches = read_switches({"CAIRN_OFF": value, "CAIRN_JSON": value})
    assert (switches.off, switches.json) == (on, on)


def test_whole_kinds_of_extensions_can_be_switched_off():
    switches = read_switches({"CAIRN_DISABLE_ALL_EXTRACTORS": "1", "CAIRN_DISABLE_ALL_ANALYZERS": "1"})
    assert switches.disabled_kinds == {"extractor", "analyzer"}


def test_any_value_of_no_color_counts():
    assert read_switches({"NO_COLOR": "0"}).no_color is True
    assert read_switches({"NO_COLOR": ""}).no_color is False
