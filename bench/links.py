"""The row about checking links of the quality table: 5,000 URLs on 50 hosts, each answer 50 ms away.

usage: python bench/links.py [--urls N] [--hosts N] [--json]

The hosts are names that a resolver of our own leads to one server on loopback, in a process of its own; nothing else is
asked. What can be reached at best is concurrency ÷ latency requests a second. The server counts: each URL has to be
asked for once, and no host by more than two at a time.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from cairn.adapters.fetch.hosts import Manners
from cairn.adapters.fetch.web import WebFetcher
from cairn.lib.html.charset import FetchedPage
from measure import Row, table

LATENCY = 0.05
SERVER = """
import asyncio, collections, json, sys

async def main():
    asked, active, most = collections.Counter(), collections.Counter(), 0

    async def answer(reader, writer):
        nonlocal most
        head = (await reader.readuntil(b"\\r\\n\\r\\n")).decode()
        path, host = head.split()[1], head.lower().split("host: ")[1].split()[0]
        if path == "/counts":
            body = json.dumps({"most": most, "urls": len(asked), "requests": sum(asked.values())}).encode()
        else:
            asked[host + path] += 1
            active[host] += 1
            most = max(most, active[host])
            await asyncio.sleep(float(sys.argv[1]))
            active[host] -= 1
            body = b""
        writer.write(b"HTTP/1.1 200 OK\\r\\nConnection: close\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=5_000)
    parser.add_argument("--hosts", type=int, default=50)
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(LATENCY)], stdout=subprocess.PIPE, cwd=Path.cwd())
    try:
        assert server.stdout is not None
        rows = [measure(int(server.stdout.readline()), given.urls, given.hosts)]
    finally:
        server.kill()
        server.wait()
    print(json.dumps([row._asdict() for row in rows], indent=2) if given.json else table(rows))


def measure(port: int, urls: int, hosts: int) -> Row:
    names = [f"host-{number}.example" for number in range(hosts)]
    usual = Manners()
    manners = usual._replace(vouched_at_once=usual.at_once, vouched_gap_seconds=usual.gap_seconds)
    places = {(name, port) for name in (*names, "counts.example")}
    fetcher = WebFetcher(allow=places, manners=manners, resolve=lambda *_: ["127.0.0.1"])
    wanted = [f"http://{names[number % hosts]}:{port}/page/{number}" for number in range(urls)]
    started = time.perf_counter()
    there = sum(isinstance(outcome, FetchedPage) for outcome in fetcher.probe_all([*wanted, *wanted]))
    seconds = time.perf_counter() - started
    counts = _counts(fetcher, port)
    assert there == 2 * urls, f"{2 * urls - there} failed"
    assert (counts["urls"], counts["requests"]) == (urls, urls), counts
    assert counts["most"] <= usual.at_once, counts
    share = urls / seconds / (usual.concurrency / LATENCY) * 100
    detail = f"{urls / seconds:,.0f} requests/s, {seconds:.1f} s, at most {counts['most']} at once from a host"
    return Row(f"link check, {urls:,} URLs on {hosts} hosts", share, "% of best", 80, 90, detail, at_least=True)


def _counts(fetcher: WebFetcher, port: int) -> dict[str, Any]:
    page = fetcher.fetch(f"http://counts.example:{port}/counts")
    assert isinstance(page, FetchedPage), page
    found: dict[str, Any] = json.loads(page.body)
    return found


if __name__ == "__main__":
    main()
