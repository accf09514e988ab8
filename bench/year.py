"""Noise: how many requests reach people in a year, for 1,000 entries and a week, and how many of them had a reason.

usage: python bench/year.py [--entries N] [--seed N] [--every DAYS] [--touching SHARE] [--json]

A year of nights over a world that is played: pages of the web and files of the repository change, people answer. The
night itself is the real one; only disk, network and time are not. `--touching` is the share of all pages that change
in a week in something that an entry says; one in five changes in a way that matters to nobody.
"""

import argparse
import json
import sys
import time

from cairn.app.played_workspace import open_played
from cairn.freshness.replay.world import ChangeRates
from cairn.freshness.replay.year import ReplayOptions, lines, replay, year_json


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="days from one run to the next")
    parser.add_argument("--touching", type=float, default=ChangeRates().touching)
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    started = time.perf_counter()
    rates = ChangeRates(touching=given.touching)
    year = replay(ReplayOptions(given.entries, given.seed, every=given.every, rates=rates), open_played)
    if given.json:
        print(json.dumps(year_json(year), indent=2))
        return
    print(f"noise: a year of {given.entries:,} entries, a run every {given.every} days, seed {given.seed}\n")
    print("\n".join(lines(year)))
    print(f"\nreplayed in {time.perf_counter() - started:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
