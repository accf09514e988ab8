"""What is imported by the four starts that have to be quick: how many modules of Cairn, and which other packages."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from golden import texts
from program import cairn, clean_env, command_line

STARTS: dict[str, tuple[tuple[str, ...], str]] = {
    "--help": (("--help",), ""),
    "hook stop": (("hook", "stop"), texts.HOOKS["stop"]),
    "mcp, up to tools/list": (("mcp",), texts.MCP_LIST),
    "scan, nothing changed": (("scan",), ""),
}
_AT_END = """
import atexit, json, os, sys
_before = set(sys.modules)
def _tell():
    with open(os.environ["GOLDEN_IMPORTS"], "w") as file:
        json.dump(sorted(set(sys.modules) - _before), file)
atexit.register(_tell)
"""


def imports(home: Path) -> dict[str, Any]:
    root = home / "work"
    root.mkdir()
    (root / "README.md").write_text("# Read me\n\n[other](other.md)\n")
    (root / "other.md").write_text("# Other\n")
    assert cairn("init", cwd=root).code == 0
    (home / "site").mkdir()
    (home / "site" / "sitecustomize.py").write_text(_AT_END)
    return {name: _counted(_imported(home, root, *start)) for name, start in STARTS.items()}


def _imported(home: Path, root: Path, words: tuple[str, ...], stdin: str) -> list[str]:
    """In a process of its own: what counts is the real start."""
    told = home / "imports.json"
    env = clean_env(GOLDEN_IMPORTS=os.fspath(told), PYTHONPATH=os.fspath(home / "site"), CAIRN_HOOK_DETACH="0")
    given = stdin.replace("<root>", os.fspath(root)).encode()
    subprocess.run(command_line(*words), cwd=root, env=env, input=given, capture_output=True, timeout=60, check=True)
    names: list[str] = json.loads(told.read_text())
    return names


def _counted(names: list[str]) -> dict[str, Any]:
    ours = [name for name in names if name.partition(".")[0] == "cairn"]
    packages = {name.partition(".")[0] for name in names} - {"cairn", "__main__"}
    standard = sorted(name for name in packages if name in sys.stdlib_module_names)
    return {
        "python": [*sys.version_info[:2]],
        "cairn": len(ours),
        "standard": standard,
        "others": sorted(packages - set(standard)),
    }
