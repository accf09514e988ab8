import pytest

from cairn.cli.describe import describe_all, names
from cairn.cli.main import root_group
from cairn.cli.table import COMMANDS, GLOBAL_OPTIONS, GROUPS, full_page, top_page
from program import fits_schema


def entries(level=None):
    for entry in level if level is not None else describe_all(root_group())["commands"]:
        yield entry
        yield from entries(entry["commands"])


def test_the_description_fits_its_schema():
    fits_schema(describe_all(root_group()), "help")


@pytest.mark.parametrize("entry", [*entries()], ids=lambda entry: entry["name"])
def test_every_command_is_explained(entry):
    assert entry["help"].endswith(".")
    assert 2 <= len(entry["examples"]) <= 3
    assert entry["exitCodes"][0]["code"] == 0
    assert {70, 130} <= {e["code"] for e in entry["exitCodes"]}
    for item in (*entry["arguments"], *entry["options"]):
        assert item["help"], item["name"]


def test_old_names_of_options_are_not_described():
    [curate] = [entry for entry in entries() if entry["name"] == "curate"]
    flags = {flag for option in curate["options"] for flag in option["flags"]}
    assert "--with" in flags and "--provider" not in flags


@pytest.mark.parametrize("entry", [*entries()], ids=lambda entry: entry["name"])
def test_no_command_takes_a_global_option_for_itself(entry):
    own = {flag for option in entry["options"] for flag in option["flags"]}
    assert own.isdisjoint({flag for option in GLOBAL_OPTIONS for flag in option.flags} | {"-h", "--help"})


def test_the_table_is_complete_and_every_module_is_there():
    assert {command.group for command in COMMANDS} <= set(GROUPS)
    assert [name for name in names(root_group()) if " " not in name] == [command.name for command in COMMANDS]


def test_the_top_page_names_every_option():
    page = top_page()
    for option in GLOBAL_OPTIONS:
        assert option.help in page


def test_every_command_is_on_the_full_page_unless_it_is_an_alias():
    page = full_page()
    for command in COMMANDS:
        assert (f"  {command.name} " in page and command.help in page) is not command.alias


@pytest.mark.parametrize("page", [top_page(), full_page()], ids=["top", "full"])
def test_help_pages_fit_the_terminal(page):
    assert max(len(line) for line in page.splitlines()) <= 100
