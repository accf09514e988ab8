"""`cairn completion`: teaches a shell to complete command lines."""

import click

from cairn.cli.define import argument, define
from cairn.cli.invocation import Invocation
from cairn.cli.main import COMPLETE, root_group

SHELLS = ("bash", "zsh", "fish")


@define(
    "completion",
    help="Print a script that lets your shell complete cairn's commands and options.",
    examples=(
        ('eval "$(cairn completion bash)"', "in ~/.bashrc"),
        ('eval "$(cairn completion zsh)"', "in ~/.zshrc, after compinit"),
        ("cairn completion fish | source", "in ~/.config/fish/config.fish"),
    ),
    exits=(0, 2),
    timed=False,
)
@argument("shell", type=click.Choice(SHELLS), help="The shell that should learn it.")
def command(ctx: Invocation, shell: str) -> int:
    text = script(shell)
    if ctx.json:
        ctx.out.emit_json({"shell": shell, "script": text})
    else:
        ctx.out.data(text.rstrip("\n"))
    return 0


def script(shell: str) -> str:
    from click.shell_completion import ShellComplete, get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    # The base class's `source`: bash's own starts a bash to look at its version, and this may run at every login.
    return ShellComplete.source(kind(root_group(), {}, "cairn", COMPLETE))
