"""Scrub against a labelled set: recall by class, precision, false hits in ordinary text, and speed.

    python bench/scrub_set.py SET.jsonl [CLONE…] [--misses]

A line of the set is `{"text", "class", "language", "spans": [[start, end], …]}`; a class that begins with `negative`
has no spans. A span counts as found when a hit overlaps it, and as covered when nothing of it sticks out. A hit that
overlaps no span is false. CLONE is a git directory or a folder: its documents and its code are read as ordinary text.
"""

import argparse
import json
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from cairn.lib.scrub.find import SecretHit, find

READ = (
    ".md",
    ".rst",
    ".txt",
    ".py",
    ".js",
    ".ts",
    ".go",
    ".rs",
    ".rb",
    ".java",
    ".yml",
    ".yaml",
    ".toml",
    ".json",
    ".sh",
)
LARGEST = 400_000
ORDINARY_BYTES = 6_000_000
"""Of one clone; the files are taken in the order of their hash, so that no folder is preferred."""


class Sample(NamedTuple):
    text: str
    kind: str
    language: str
    spans: tuple[tuple[int, int], ...]


class Tally:
    def __init__(self) -> None:
        self.spans = self.found = self.covered = self.hits = self.false = self.direct = self.false_direct = 0

    def add(self, other: "Tally") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def read_set(path: Path) -> list[Sample]:
    lines = path.read_text("utf-8").splitlines()
    return [_sample(json.loads(line)) for line in lines if line.strip()]


def _sample(row: dict[str, Any]) -> Sample:
    spans = tuple((span["start"], span["end"]) if isinstance(span, dict) else tuple(span[:2]) for span in row["spans"])
    return Sample(row["text"], row["class"], row.get("language", ""), spans)


def overlaps(hit: SecretHit, span: tuple[int, int]) -> bool:
    return hit.start < span[1] and span[0] < hit.end


def covers(hits: tuple[SecretHit, ...], span: tuple[int, int]) -> bool:
    hidden = {at for hit in hits for at in range(max(hit.start, span[0]), min(hit.end, span[1]))}
    return len(hidden) == span[1] - span[0]


def judge(sample: Sample) -> Tally:
    hits = find(sample.text)
    tally = Tally()
    tally.spans = len(sample.spans)
    tally.found = sum(any(overlaps(hit, span) for hit in hits) for span in sample.spans)
    tally.covered = sum(covers(hits, span) for span in sample.spans)
    for hit in hits:
        right = any(overlaps(hit, span) for span in sample.spans)
        tally.hits += 1
        tally.false += not right
        tally.direct += hit.category == "direct"
        tally.false_direct += hit.category == "direct" and not right
    return tally


def by(samples: list[Sample], field: str) -> dict[str, Tally]:
    tallies: dict[str, Tally] = defaultdict(Tally)
    for sample in samples:
        tallies[getattr(sample, field)].add(judge(sample))
    return dict(sorted(tallies.items()))


def share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "    –"


def show(tallies: dict[str, Tally], title: str) -> None:
    print(f"\n{title:<40} spans  found  covered  recall   hits  false")
    for name, one in tallies.items():
        recall = share(one.found, one.spans)
        print(f"{name:<40} {one.spans:5}  {one.found:5}  {one.covered:7}   {recall}  {one.hits:5}  {one.false:5}")


def total(tallies: dict[str, Tally]) -> None:
    all_of = Tally()
    for one in tallies.values():
        all_of.add(one)
    print(f"\nrecall            {share(all_of.found, all_of.spans)} ({all_of.found} of {all_of.spans} spans)")
    print(f"covered           {share(all_of.covered, all_of.spans)}")
    print(f"precision         {share(all_of.hits - all_of.false, all_of.hits)} ({all_of.false} false of {all_of.hits})")
    right = all_of.direct - all_of.false_direct
    print(f"precision, direct {share(right, all_of.direct)} ({all_of.false_direct} false of {all_of.direct})")


def misses(samples: list[Sample]) -> None:
    """The only part that prints samples: the set is made up, and whoever tunes has to see it."""
    for sample in samples:
        hits = find(sample.text)
        missed = [sample.text[a:b] for a, b in sample.spans if not any(overlaps(hit, (a, b)) for hit in hits)]
        false = [
            f"{hit.rule}={sample.text[hit.start : hit.end]!r}"
            for hit in hits
            if not any(overlaps(hit, span) for span in sample.spans)
        ]
        if missed or false:
            print(f"{sample.kind} [{sample.language}] missed={missed} false={false}\n    {sample.text!r}")


# --- ordinary text --------------------------------------------------------------------------------------------------


def ordinary(place: Path) -> Iterator[tuple[str, str]]:
    """Names and texts."""
    size = 0
    for name, data in sorted(_files(place), key=lambda file: sha256(file[0].encode()).digest()):
        if size > ORDINARY_BYTES:
            return
        if len(data) <= LARGEST and b"\0" not in data:
            size += len(data)
            yield name, data.decode("utf-8", "replace")


def _files(place: Path) -> Iterator[tuple[str, bytes]]:
    git = _git_directory(place)
    if git is None:
        for path in place.rglob("*"):
            if path.is_file() and path.name.lower().endswith(READ) and ".git" not in path.parts:
                yield path.relative_to(place).as_posix(), path.read_bytes()
        return
    tree = _git(git, "ls-tree", "-r", "-z", "HEAD").decode("utf-8", "replace")
    rows = [row.split("\t", 1) for row in tree.split("\0") if row]
    wanted = [(head.split()[2], name) for head, name in rows if name.lower().endswith(READ)]
    wanted.sort(key=lambda row: sha256(row[1].encode()).digest())
    size = 0
    for blob, name in wanted:
        data = _git(git, "cat-file", "blob", blob, missing=b"")
        size += len(data) if len(data) <= LARGEST else 0
        yield name, data
        if size > ORDINARY_BYTES:
            return


def _git_directory(place: Path) -> Path | None:
    heads = [place / "HEAD", place / ".git" / "HEAD", *place.glob("*/HEAD")]
    return next((head.parent for head in heads if head.exists()), None)


def _git(directory: Path, *args: str, missing: bytes | None = None) -> bytes:
    done = subprocess.run(["git", f"--git-dir={directory}", *args], capture_output=True)
    if done.returncode and missing is not None:
        return missing
    done.check_returncode()
    return done.stdout


def clones(places: list[Path], *, verbose: bool) -> None:
    print(f"\n{'ordinary text':<40}     KB   hits  direct  direct per 100 KB  without e-mail  MB/s")
    size = direct = people = 0
    for place in places:
        texts = list(ordinary(place))
        chars = sum(len(text) for _, text in texts)
        start = time.process_time()
        hits = [(name, text, hit) for name, text in texts for hit in find(text)]
        rate = sum(len(text.encode("utf-8", "replace")) for _, text in texts) / (time.process_time() - start) / 1e6
        plain = [hit for _, _, hit in hits if hit.category == "direct"]
        written = [hit for hit in plain if hit.rule != "email"]
        print(f"{place.name:<40} {chars // 1000:6}  {len(hits):5}  {len(plain):6}  {_per(len(plain), chars):17}"
              f"  {_per(len(written), chars):14}  {rate:4.1f}")  # fmt: skip
        if verbose:
            _list(hits)
        size, direct, people = size + chars, direct + len(plain), people + len(written)
    print(f"{'all':<40} {size // 1000:6}         {direct:6}  {_per(direct, size):17}  {_per(people, size):14}")


def _per(number: int, chars: int) -> str:
    return f"{number / max(1, chars) * 1e5:.2f}"


def _list(hits: list[tuple[str, str, SecretHit]]) -> None:
    for rule, number in Counter(hit.rule for *_, hit in hits).most_common():
        print(f"    {number:5} {rule}")
    for name, text, hit in hits:
        if hit.rule not in ("email", "home"):
            before = text[max(0, hit.start - 50) : hit.start].rpartition("\n")[2]
            line = text.count("\n", 0, hit.start) + 1
            print(f"    {hit.rule} {hit.category} {name}:{line} {before!r} >>> {text[hit.start : hit.end][:60]!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, help="labelled samples, JSON lines; `-` for none")
    parser.add_argument("clones", type=Path, nargs="*", help="git directories or folders with ordinary text")
    parser.add_argument("--misses", action="store_true", help="print what was missed and what was hit by mistake")
    args = parser.parse_args()
    if str(args.set) != "-":
        samples = read_set(args.set)
        print(f"{args.set.name}: {len(samples)} samples, sha256 {sha256(args.set.read_bytes()).hexdigest()}")
        kinds = by(samples, "kind")
        show(kinds, "class")
        show(by(samples, "language"), "language")
        total(kinds)
        if args.misses:
            misses(samples)
    if args.clones:
        clones(args.clones, verbose=args.misses)


if __name__ == "__main__":
    main()
