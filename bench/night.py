"""The row about the night: 300 entries, 400 sources on a site on loopback whose answers are 50 ms away.

usage: python bench/night.py [--entries N] [--sources N] [--json]

What looking takes at best is sources × latency ÷ concurrency. `cairn freshness run` is measured as a whole, with the
start of the program, the scan, the gates and the requests that it opens; only the time that it spends judging entries
is listed apart. The first night keeps what the sources say. Before the second, one page in fifty changes: everything
is audited, what is right goes into one request, what is not into others.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from cairn.adapters.fetch.hosts import Manners
from measure import Row, environment, table

LATENCY = 0.05
CHANGING = 50
"""One page in so many says something else in the second night."""
CAIRN = [sys.executable, "-m", "cairn"]
SETTINGS = '{"corpora": {"k": {"root": "knowledge", "layout": "entries"}}, "freshness": {"max_per_run": 50}}'
_WORDS = (
    "a cache keeps what was read so that the next reader waits less and nobody asks the source more than once".split()
)
SERVER = """
import asyncio, sys
latency, folder = float(sys.argv[1]), sys.argv[2]

async def main():
    async def answer(reader, writer):
        head = (await reader.readuntil(b"\\r\\n\\r\\n")).decode()
        name = head.split()[1].strip("/").replace("/", "-")
        await asyncio.sleep(latency)
        with open(f"{folder}/{name}.html", "rb") as file:
            body = file.read()
        kind = b"Content-Type: text/html; charset=utf-8\\r\\n"
        length = b"Connection: close\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body)
        writer.write(b"HTTP/1.1 200 OK\\r\\n" + kind + length + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=300)
    parser.add_argument("--sources", type=int, default=400)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="work here, and leave it")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as made:
        rows = measure(given.keep or Path(made), given.entries, given.sources)
    print(json.dumps([row._asdict() for row in rows], indent=2) if given.json else table(rows))


def measure(folder: Path, entries: int, sources: int) -> list[Row]:
    site, root = folder / "site", folder / "repo"
    site.mkdir(parents=True)
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(LATENCY), str(site)], stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        write_site(site, sources, night=1)
        write_entries(root, entries, sources, port)
        first = _night("first night", root, port, sources)
        write_site(site, sources, night=2)
        return [first, _night("night, all due", root, port, sources)]
    finally:
        server.kill()
        server.wait()


def _night(what: str, root: Path, port: int, sources: int) -> Row:
    env = {**environment(), "CAIRN_FETCH_ALLOW": f"127.0.0.1:{port}"}
    started = time.perf_counter()
    done = subprocess.run([*CAIRN, "freshness", "run", "--json"], cwd=root, env=env, capture_output=True)
    seconds = time.perf_counter() - started
    if done.returncode:
        sys.exit(f"the night ended with {done.returncode}: {done.stderr.decode()}")
    said: dict[str, Any] = json.loads(done.stdout)
    assert said["lookedAt"]["sources"] == sources, said["lookedAt"]
    best = sources * LATENCY / Manners().concurrency
    stages = {stage: ms / 1000 for stage, ms in said["stages"].items()}
    parts = ", ".join(f"{stage} {took:.1f} s" for stage, took in stages.items())
    found = f"{len(said['confirmed'])} confirmed, {len(said['drifted'])} in doubt, {len(said['opened'])} requests"
    ratio = (seconds - stages["auditing"]) / best
    detail = f"{seconds:.1f} s in all, best {best:.2f} s: {parts}; {found}"
    return Row(f"{what}, {said['lookedAt']['entries']} entries, {sources} sources", ratio, "× best", 3, 2, detail)


# --- what it works on -------------------------------------------------------------------------------------------------


def write_site(folder: Path, sources: int, *, night: int) -> None:
    for number in range(sources):
        limit = number + 10 if night == 1 or number % CHANGING else number + 5_000
        rng = random.Random(number)
        text = "".join(f"<p>{_sentence(rng, 40)}</p>" for _ in range(12))
        claim = f"<p>{_claim(number, limit)}</p>"
        page = f"<html><head><title>Page {number}</title></head><body><main><h1>Page {number}</h1>{claim}{text}</main>"
        (folder / f"page-{number}.html").write_text(f"{page}</body></html>")


def write_entries(root: Path, entries: int, sources: int, port: int) -> None:
    """Every source is cited once at least, and the first ones by two entries."""
    cited = [[number % sources, (number + entries) % sources] for number in range(entries)]
    for number, places in enumerate(cited):
        file = root / f"knowledge/topic-{number % 12}/entry-{number:03d}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_entry(number, places, port))
    (root / ".cairn").mkdir()
    (root / ".cairn/settings.json").write_text(SETTINGS)
    (root / ".gitignore").write_text(".cairn/*\n!.cairn/settings.json\n")
    who = dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "bench")
    for arguments in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "start"]):
        subprocess.run(["git", *arguments], cwd=root, check=True, env={**os.environ, **who})


def _entry(number: int, places: list[int], port: int) -> str:
    rng = random.Random(number)
    sources = "".join(f"  - url: http://127.0.0.1:{port}/page/{place}\n" for place in dict.fromkeys(places))
    head = f"name: entry-{number:03d}\ndescription: {_sentence(rng, 14)}\ntopics: [reading, limits]\n"
    paragraphs = "\n\n".join(_sentence(rng, 60) for _ in range(18))
    text = (
        f"# Entry {number}\n\n## Summary\n\n{_claim(places[0], places[0] + 10)}\n\n## Deep Guidance\n\n{paragraphs}\n"
    )
    return f"---\n{head}volatility: fast-moving\nsources:\n{sources}---\n{text}"


def _claim(number: int, limit: int) -> str:
    return f"The reader of shelf {number} takes at most {limit} books at once."


def _sentence(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(_WORDS, k=words)).capitalize() + "."


if __name__ == "__main__":
    main()
