"""Sessions: how much memory and time it takes to capture a transcript of half a gigabyte, and to add one turn to it."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
MEGABYTES = int(os.environ.get("MEGABYTES", "500"))
SECRET_EACH = 40
"""Characters of every message that look like a secret."""


def _line(kind: str, content: object) -> bytes:
    return json.dumps(
        {"type": kind, "uuid": "u", "sessionId": "s", "message": {"role": kind, "content": content}}
    ).encode()


def _ordinary(random: Random) -> bytes:
    """Mostly what tools printed, as in life."""
    result = "".join(random.choice("abcdef \n") for _ in range(200)) * 250
    said = [_line("user", "Go on."), _line("assistant", "I look at the next file and change what is wrong in it.")]
    used = _line("assistant", [{"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "src/a.py"}}])
    answer = _line("user", [{"type": "tool_result", "tool_use_id": "t", "content": result}])
    return b"\n".join((*said, used, answer)) + b"\n"


def _secretive(random: Random) -> bytes:
    """Nothing but messages with a secret in each."""
    key = "".join(random.choice("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789") for _ in range(SECRET_EACH))
    return _line("user", f"api_key = {key} is what the server wants, so put it into the settings please") + b"\n"


def _write(file: Path, block: bytes) -> int:
    count = MEGABYTES * 1_000_000 // len(block)
    with file.open("wb") as stream:
        for _ in range(count):
            stream.write(block)
    return count * len(block)


def _floor(file: Path) -> float:
    """Reading the lines and parsing their JSON, and nothing else."""
    start = time.perf_counter()
    with file.open("rb") as stream:
        for line in stream:
            json.loads(line)
    return time.perf_counter() - start


def _capture(root: Path, file: Path) -> tuple[float, float, str]:
    """Seconds, megabytes at the most, and what it said."""
    command = [sys.executable, "-m", "cairn", "session", "capture", "--transcript", str(file), "--host", "claude"]
    start = time.perf_counter()
    done = subprocess.run(command, cwd=root, capture_output=True, check=True)
    seconds = time.perf_counter() - start
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000, done.stdout.decode().strip()


def main() -> None:
    for name, make in (("ordinary", _ordinary), ("a secret on every line", _secretive)):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / ".cairn").mkdir()
            (root / ".cairn" / "settings.json").write_text("{}")
            file = root / "s.jsonl"
            size = _write(file, make(Random(1)))
            floor = _floor(file)
            seconds, peak, said = _capture(root, file)
            cost = f"{seconds:.1f} s ({seconds / floor:.1f} x parsing its JSON), {peak:.0f} MB of memory"
            print(f"{name}, {size / 1e6:.0f} MB: {cost}")
            print(f"  {said}")
            with file.open("ab") as stream:
                stream.write(_line("user", "And now something new, which was not said before.") + b"\n")
            print(f"  one message more: {_capture(root, file)[0]:.1f} s")


if __name__ == "__main__":
    main()
