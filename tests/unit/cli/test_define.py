import click

from cairn.cli.define import argument, define, define_group
from cairn.cli.main import root_group

EXAMPLES = (("cairn x a", "short"), ("cairn x a-long-one", "long"))


@define("x", help="Does x.", examples=EXAMPLES, exits=(0, 5))
@argument("thing", help="What to do it with.")
@click.option("--hard", is_flag=True, help="With force.")
def command(ctx, thing, hard):
    return 0


def page(of, name="x"):
    return of.get_help(click.Context(of, info_name=name, parent=click.Context(root_group(), info_name="cairn")))


def test_a_page_has_arguments_options_examples_and_exit_codes():
    assert page(command).splitlines() == [
        "Usage: cairn x [OPTIONS] THING",
        "",
        "  Does x.",
        "",
        "Arguments:",
        "  THING  What to do it with.",
        "",
        "Options:",
        "  --hard  With force.",
        "",
        "Examples:",
        "  cairn x a           # short",
        "  cairn x a-long-one  # long",
        "",
        "Exit codes:",
        "  0  all is fine",
        "  5  not found",
        "",
        "Options of every command, such as --json, -q or -C DIR: see `cairn --help`.",
    ]


def test_a_group_lists_its_commands_in_their_order():
    other = define("a", help="Does a. And more, see there.", examples=EXAMPLES)(lambda ctx: 0)
    group = define_group("g", [command, other], help="Holds.", examples=EXAMPLES, exits=(0,))
    text = page(group, "g")
    assert text.index("  x  Does x.") < text.index("  a  Does a.\n")
    assert "And more" not in text and "And more" in page(other, "a")
