"""The scan rows of the quality table: cold, unchanged, after one edit, large, database size, start-up, install size.

usage: python bench/scan.py [--quick] [--json]

Everything is made by this program: the corpora, the floors (plain reading and hashing of the same files, `git status`
on the same tree, the bare interpreter), and the environment whose size is counted. `--quick` leaves out the corpus of
100,000 files.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from corpus import make
from measure import Row, best, environment, run, table

CAIRN = [sys.executable, "-m", "cairn"]
SMALL = 10_000
LARGE = 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="without the corpus of 100,000 files")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder:
        rows = measure(Path(folder), large=not given.quick)
    print(json.dumps([row._asdict() for row in rows], indent=2) if given.json else table(rows))


def measure(folder: Path, *, large: bool) -> list[Row]:
    small = folder / "small"
    say(f"making {SMALL:,} files")
    make(small, SMALL)
    rows = [start_up(folder), *install(folder / "base")]
    cold_seconds, row = cold(small)
    rows.append(row)
    rows.append(size(small))
    rows += warm(small)
    if large:
        rows += at_scale(folder / "large", cold_seconds)
    return rows


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def floor(root: Path) -> float:
    """Read, hash and decode the same files: what no scanner can do without."""
    paths = [str(path) for path in root.rglob("*.md")]

    def work() -> float:
        started = time.perf_counter()
        for path in paths:
            with open(path, "rb") as file:
                data = file.read()
            hashlib.sha256(data).digest()
            data.decode()
        return time.perf_counter() - started

    return best(5, work)


def initialise(root: Path) -> None:
    subprocess.run(
        [*CAIRN, "init", "--no-scan", "-q"], cwd=root, check=True, env=environment(), stdout=subprocess.DEVNULL
    )


def cold_scan(root: Path, times: int) -> tuple[float, float]:
    """(seconds, megabytes), the database taken away before each."""
    initialise(root)
    seconds, megabytes = [], []
    for _ in range(times):
        for file in (root / ".cairn").glob("cairn.db*"):
            file.unlink()
        done = run([*CAIRN, "scan", "-q"], root)
        seconds.append(done.seconds)
        megabytes.append(done.megabytes)
    return min(seconds), max(megabytes)


def cold(root: Path) -> tuple[float, Row]:
    say("cold scan")
    bottom = floor(root)
    seconds, megabytes = cold_scan(root, 3)
    detail = f"{seconds:.2f} s, floor {bottom * 1000:.0f} ms, {megabytes:.0f} MB"
    return seconds, Row("cold scan, 10,000 files", seconds / bottom, "× floor", 20, 10, detail)


def size(root: Path) -> Row:
    subprocess.run([*CAIRN, "scan", "-q"], cwd=root, env=environment(), stdout=subprocess.DEVNULL, check=False)
    used = sum(file.stat().st_size for file in (root / ".cairn").glob("cairn.db"))
    return Row("database size", used / SMALL / 1000, "KB/node", 5, 4, f"{used / 1e6:.1f} MB")


def warm(root: Path) -> list[Row]:
    say("unchanged scan, and after one edit")
    status = ["git", "status", "--porcelain"]
    git = best(7, lambda: run(status, root).seconds)
    unchanged = best(7, lambda: run([*CAIRN, "scan", "-q"], root).seconds)
    page = next(root.glob("docs/*/*.md"))
    edits = iter(range(1000))

    def edited() -> float:
        with page.open("a") as file:
            file.write(f"\nEdit {next(edits)}: see [this](./{page.name}).\n")
        return run([*CAIRN, "scan", "-q"], root).seconds

    after = best(7, edited)
    return [
        Row(
            "unchanged scan, process start included",
            unchanged / git,
            "× git",
            8,
            6,
            f"{unchanged * 1000:.0f} ms, git status {git * 1000:.0f} ms",
        ),
        Row("scan after one edit", after / unchanged, "× none", 1.5, 1.25, f"{after * 1000:.0f} ms"),
    ]


def at_scale(root: Path, small_seconds: float) -> list[Row]:
    say(f"making {LARGE:,} files")
    make(root, LARGE)
    say("cold scan of them")
    seconds, megabytes = cold_scan(root, 1)
    shutil.rmtree(root)
    return [
        Row("cold scan, 100,000 files, time", seconds / small_seconds, "× small", 11, None, f"{seconds:.1f} s"),
        Row("cold scan, 100,000 files, memory", megabytes, "MB", 600, 350, ""),
    ]


def start_up(folder: Path) -> Row:
    say("start-up")
    bare = best(20, lambda: run([sys.executable, "-I", "-c", "pass"], folder).seconds)
    shown = best(20, lambda: run([*CAIRN, "--help"], folder).seconds)
    detail = f"{shown * 1000:.0f} ms, interpreter {bare * 1000:.0f} ms"
    return Row("cairn --help", shown / bare, "× bare", 7, 5, detail)


def install(place: Path) -> list[Row]:
    """The base environment, made anew: how many distributions it has, and how large they are."""
    say("base install")
    project = Path(__file__).parent.parent
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    pip = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-compile"]
    subprocess.run(
        [*pip, "--require-hashes", "-r", str(project / "requirements" / "base.txt")], check=True, capture_output=True
    )
    subprocess.run([*pip, "--no-deps", str(project)], check=True, capture_output=True)
    packages = next(place.glob("lib/python*/site-packages"))
    own = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence")
    parts = [part for part in packages.iterdir() if not part.name.startswith(own)]
    files = [file for part in parts for file in ([part] if part.is_file() else part.rglob("*")) if file.is_file()]
    megabytes = sum(file.stat().st_size for file in files) / 1e6
    count = sum(part.name.endswith(".dist-info") for part in parts)
    shutil.rmtree(place)
    return [
        Row("base install, distributions", count, "", 20, 12, ""),
        Row("base install, size", megabytes, "MB", 30, 15, ""),
    ]


if __name__ == "__main__":
    main()
