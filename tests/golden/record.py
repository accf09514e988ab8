"""Records anew what the commands of the samples answer.

usage: python tests/golden/record.py [--only NAME]

Run it from the root of the repository after an intended change of behaviour, and read the diff in git.
NAME is a sample (docs, entries, nodes, hosts, site, empty), or `facts`, or `imports`.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, os.fspath(Path(__file__).resolve().parent.parent))

from golden import compare, facts, imports, samples
from golden.play import Player
from postgres_server import running_server
from website import serving

ON_POSTGRES = ("docs", "entries", "nodes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME", choices=[*samples.SAMPLES, "facts", "imports"])
    only = parser.parse_args().only
    for sample in samples.SAMPLES:
        if only in (None, sample):
            record(sample)
    if only in (None, "facts"):
        with home() as folder:
            write("facts.json", json.dumps(facts.facts(folder), indent=1, sort_keys=True, ensure_ascii=False) + "\n")
        with home() as folder, running_server() as server:
            for database, text in facts.tables(folder, server.url).items():
                write(f"tables.{database}.sql", text)
    if only in (None, "imports"):
        with home() as folder:
            write("imports.json", json.dumps(imports.imports(folder), indent=1, sort_keys=True) + "\n")


def record(sample: str) -> None:
    with home() as folder, serving() as site:
        compare.write(sample, [*Player(sample, folder / "golden", site).play()])
    if sample in ON_POSTGRES:
        with home() as folder, serving() as site, running_server() as server:
            player = Player(sample, folder / "golden", site, database="postgres", url=server.url)
            compare.write(sample, [*player.play()], "postgres")
    sys.stderr.write(f"{sample}: recorded\n")


def write(name: str, text: str) -> None:
    (compare.RECORDED / name).write_text(text, encoding="utf-8")
    sys.stderr.write(f"{name}: recorded\n")


@contextmanager
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="cairn-golden-") as folder:
        yield Path(folder)


if __name__ == "__main__":
    main()
