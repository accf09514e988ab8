"""The row of the quality table about `cairn mcp`: its first tools, against the bare interpreter.

usage: python bench/tools.py [--json]

A clean environment is made as for `bench/hook.py`, with the libraries of this one within its reach. A client starts the
server, says hello in the way of its protocol, and has the tools. Beside it the same with an option, which makes the
protocol's own package answer.
"""

import argparse
import json
import subprocess
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import Any, TypeAlias

from hook import install, make_workspace
from measure import Row, environment, table

TIMES = 20
_META = "io.modelcontextprotocol/"
_CLIENT = {"name": "bench", "version": "0"}
_ENVELOPE = {
    "_meta": {
        f"{_META}protocolVersion": "2026-07-28",
        f"{_META}clientInfo": _CLIENT,
        f"{_META}clientCapabilities": {},
    }
}
Questions: TypeAlias = tuple[tuple[str, dict[str, Any]], ...]
HANDSHAKE: Questions = (
    ("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": _CLIENT}),
    ("tools/list", {}),
)
ENVELOPES: Questions = (("server/discover", _ENVELOPE), ("tools/list", _ENVELOPE))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder:
        rows = measure(Path(folder))
    print(json.dumps([row._asdict() for row in rows], indent=2) if given.json else table(rows))


def measure(folder: Path) -> list[Row]:
    program = install(folder / "clean")
    site = next((folder / "clean").glob("lib/python*/site-packages"))
    (site / "libraries.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    workspace = make_workspace(folder / "work")
    python = str(program.parent / "python")
    bare, shaken, enveloped, package = [float("inf")] * 4
    for number in range(TIMES):
        bare = min(bare, alone([python, "-I", "-c", "pass"]))
        shaken = min(shaken, first_tools([str(program), "mcp"], workspace, HANDSHAKE))
        enveloped = min(enveloped, first_tools([str(program), "mcp"], workspace, ENVELOPES))
        if number < TIMES // 4:
            package = min(package, first_tools([str(program), "-q", "mcp"], workspace, HANDSHAKE))
    alone_ms = f"by the package alone {package * 1000:.0f} ms, {package / bare:.0f} × bare"
    detail = f"{shaken * 1000:.1f} ms, interpreter {bare * 1000:.1f} ms; {alone_ms}"
    return [
        Row("first tools of cairn mcp", shaken / bare, "× bare", 10, 5, detail),
        Row("the same, newer protocol", enveloped / bare, "× bare", 10, 5, f"{enveloped * 1000:.1f} ms"),
    ]


def alone(args: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(args, check=True, env=environment())
    return time.perf_counter() - started


def first_tools(args: list[str], cwd: Path, questions: Questions) -> float:
    """From the start of the process to the last byte of the list; a question is asked when the one before is
    answered."""
    started = time.perf_counter()
    process = subprocess.Popen(args, cwd=cwd, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    answer: dict[str, Any] = {}
    for number, (method, params) in enumerate(questions):
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if method == "initialize":
            process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        took = time.perf_counter() - started
        answer = json.loads(line)
    assert answer["result"]["tools"], "no tools were listed"
    process.stdin.close()
    process.wait(60)
    process.stdout.close()
    return took


if __name__ == "__main__":
    main()
