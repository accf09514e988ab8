"""The hook row of the quality table: `cairn hook stop`, its fsync included, against the bare interpreter.

usage: python bench/hook.py [--json]

A clean environment is made with nothing in it but Cairn's own files, compiled, and the script that pip would write: the
hook needs no other distribution. The transcript is 4 MB long, and its last turn used forty tools. The detached step is
measured on its own, as what the hook pays for starting it.
"""

import argparse
import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import TypeAlias

from measure import Row, environment, table

TIMES = 60
Work: TypeAlias = tuple[list[str], dict[str, str]]
"""Arguments, and what is added to the environment."""
SCRIPT = """#!{python}
import sys
from cairn.__main__ import main
if __name__ == "__main__":
    sys.exit(main())
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder:
        rows = measure(Path(folder))
    print(json.dumps([row._asdict() for row in rows], indent=2) if given.json else table(rows))


def measure(folder: Path) -> list[Row]:
    program = install(folder / "clean")
    workspace = make_workspace(folder / "work")
    payload = folder / "stop.json"
    payload.write_text(json.dumps(stop(workspace, make_transcript(folder / ".claude" / "long.jsonl"))))
    python = str(program.parent / "python")
    interpreter: Work = ([python, "-I", "-c", "pass"], {})
    hook = [str(program), "hook", "stop"]
    bare, alone = in_turn((interpreter, (hook, {"CAIRN_HOOK_DETACH": "0"})), payload, workspace, TIMES, 0)
    floor, starting = in_turn((interpreter, (hook, {"CAIRN_HOOK_DETACH": "1"})), payload, workspace, TIMES // 3, 0.5)
    recorded = sum(1 for file in (workspace / ".cairn/ledger").glob("*.jsonl") for _ in file.open())
    assert recorded >= TIMES + TIMES // 3, "the hook recorded nothing"
    detail = f"{alone * 1000:.1f} ms, interpreter {bare * 1000:.1f} ms, {recorded} events"
    with_start = f"{starting * 1000:.1f} ms, the mark and the start of `hook drain` included"
    return [
        Row("cairn hook stop, with its fsync", alone / bare, "× bare", 4, 3, detail),
        Row("the same, and a detached step started", starting / floor, "× bare", 4, 3, with_start),
    ]


def install(place: Path) -> Path:
    """An environment with our files in it, as pip would lay them out."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    paths = sysconfig.get_paths("venv", {"base": str(place), "platbase": str(place)})
    own = Path(__file__).parent.parent / "src" / "cairn"
    shutil.copytree(own, Path(paths["purelib"]) / "cairn", ignore=shutil.ignore_patterns("__pycache__"))
    python = place / "bin" / "python"
    subprocess.run([str(python), "-m", "compileall", "-q", paths["purelib"]], check=True, env=environment())
    script = place / "bin" / "cairn"
    script.write_text(SCRIPT.format(python=python))
    script.chmod(0o755)
    return script


def make_workspace(root: Path) -> Path:
    (root / ".cairn").mkdir(parents=True)
    (root / ".cairn/settings.json").write_text('{"active_provider": "claude"}\n')
    subprocess.run(["git", "init", "-q", str(root)], check=True, env=environment())
    return root


def make_transcript(path: Path) -> Path:
    path.parent.mkdir(parents=True)
    lines: list[dict[str, object]] = []
    while sum(map(len, map(str, lines[-50:]))) * len(lines) / 50 < 4_000_000 if lines else True:
        lines.append({"type": "user", "uuid": f"u{len(lines)}", "message": {"role": "user", "content": "on " * 40}})
        lines += tool_calls(len(lines), 40)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def tool_calls(start: int, count: int) -> list[dict[str, object]]:
    lines: list[dict[str, object]] = []
    for number in range(start, start + count):
        use = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": "make test"}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "all is well " * 60}
        lines.append({"type": "assistant", "uuid": f"a{number}", "message": {"role": "assistant", "content": [use]}})
        lines.append({"type": "user", "uuid": f"r{number}", "message": {"role": "user", "content": [result]}})
    return lines


def stop(workspace: Path, transcript: Path) -> dict[str, object]:
    payload = {"session_id": "bench", "transcript_path": str(transcript), "cwd": str(workspace)}
    return {**payload, "hook_event_name": "Stop", "stop_hook_active": False}


def in_turn(works: tuple[Work, ...], payload: Path, cwd: Path, times: int, pause: float) -> list[float]:
    """The quickest of many of each, taken in turn, so that a busy machine is fair to all of them. With a pause what was
    started on its own has ended before the next begins."""
    best = [float("inf")] * len(works)
    for _ in range(times):
        for number, (args, more) in enumerate(works):
            best[number] = min(best[number], once(args, payload, cwd, more))
            time.sleep(pause)
    return best


def once(args: list[str], payload: Path, cwd: Path, more: dict[str, str]) -> float:
    with payload.open("rb") as stdin:
        started = time.perf_counter()
        subprocess.run(args, cwd=cwd, stdin=stdin, check=True, env={**environment(), **more})
        return time.perf_counter() - started


if __name__ == "__main__":
    main()
