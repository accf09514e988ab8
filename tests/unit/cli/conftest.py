import sys
import types

import pytest

from cairn.cli.boundary import run
from cairn.cli.define import define
from cairn.cli.table import COMMANDS, CommandRow


@pytest.fixture
def try_command(monkeypatch, tmp_path):
    """Runs `cairn try-it …` in this process, where `try-it` is the function given."""
    monkeypatch.chdir(tmp_path)

    def attempt(function, *args, env=None, **definition):
        examples = (("cairn try-it", "to try"), ("cairn try-it -q", "quietly"))
        module = types.ModuleType("cairn.cli.commands.try_it")
        module.command = define("try-it", help="Tries.", examples=examples, **definition)(function)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        table = (*COMMANDS, CommandRow("try-it", "start", "try_it", "Tries."))
        monkeypatch.setattr("cairn.cli.main.COMMANDS", table)
        return run(args or ("try-it",), env or {})

    return attempt
