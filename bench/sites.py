"""Follows the rooted links of public repositories, and counts how many lead to a file.

    python bench/sites.py --repositories DIR [--missing 30]

Repositories are bare clones. Those in `strangers/final.txt` are skipped.
"""

import argparse
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from cairn.lib.globs.glob import Ignore, compile_rules, pattern_lines
from cairn.lib.markdown.blocks import fences
from cairn.lib.markdown.outline import markdown_links
from cairn.lib.site import FoundTarget, MissingTarget, Route, UnknownTarget, resolve, routes, site_of, sites
from slugs import reserved

_DOCUMENTS = (".md", ".mdx", ".markdown")
_CONFIGURATION = tuple(".yml .yaml .py .toml .json .js .ts .mjs .mts .cjs .html .tree .gitignore".split())
_ROUTED = ("docusaurus", "hugo", "jekyll", "mintlify", "astro")
_SKIPPED = re.compile(r"(?:^|/)(?:node_modules|vendor|fixtures?|__fixtures__|tests?|templates?)/")


class Followed(NamedTuple):
    repository: str
    kind: str
    rooted: bool
    outcome: str
    tried: tuple[str, ...]
    source: str
    target: str


def follow(repository: Path) -> list[Followed]:
    git = ["git", "-C", str(repository / "repo")]
    listed = subprocess.run([*git, "ls-tree", "-r", "--name-only", "-z", "HEAD"], capture_output=True)
    paths = frozenset(listed.stdout.decode(errors="replace").strip("\0").split("\0"))
    folders = {"/".join(path.split("/")[:n]) for path in paths for n in range(1, path.count("/") + 1)}
    texts = contents(git, sorted(path for path in paths if path.endswith((*_DOCUMENTS, *_CONFIGURATION))))
    found = sites(paths, texts.get)
    tables = {site: routes(site, paths, texts.get) for site in found if site.kind in _ROUTED}
    ignored = ignored_by(texts)
    followed = []
    for path in sorted(texts):
        if not path.endswith(_DOCUMENTS) or _SKIPPED.search(path):
            continue
        site = site_of(path, found)
        for target in targets(texts[path]):
            table = tables.get(site, {}) if site else {}
            route = resolve(site, path, target, lambda name: name in paths or name in folders, table, ignored)
            kind = site.kind if site else "forge"
            followed.append(Followed(repository.name, kind, target.startswith("/"), *_outcome(route), path, target))
    return followed


def ignored_by(texts: dict[str, str]) -> Callable[[str], bool]:
    files = sorted(path for path in texts if path.endswith(".gitignore"))
    rules = [compile_rules(path.rpartition("/")[0], pattern_lines(texts[path])) for path in files]
    return Ignore([rule for group in rules for rule in group]).ignored


def _outcome(route: Route) -> tuple[str, tuple[str, ...]]:
    match route:
        case FoundTarget():
            return "found", ()
        case MissingTarget(tried):
            return "missing", tried
        case UnknownTarget(reason):
            return "unknown", (reason,)


def contents(git: list[str], paths: list[str]) -> dict[str, str]:
    """The text of files. Blobs that the clone lacks are left out."""
    asked = "".join(f"HEAD:{path}\n" for path in paths).encode()
    answer = subprocess.run([*git, "cat-file", "--batch"], input=asked, capture_output=True).stdout
    texts, position = {}, 0
    for path in paths:
        line = answer[position : answer.index(b"\n", position)]
        position += len(line) + 1
        if line.endswith(b"missing"):
            continue
        size = int(line.split()[-1])
        texts[path] = answer[position : position + size].decode(errors="replace")
        position += size + 1
    return texts


def targets(text: str) -> list[str]:
    for start, end in reversed(fences(text)):
        text = text[:start] + text[end:]
    links = [link.target for link in markdown_links(text) if not link.auto and not link.wiki]
    without = [target.partition("#")[0] for target in links]
    return [target for target in without if target and not re.match(r"[a-z][a-z0-9+.-]*:|//|[{<$%]", target, re.I)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repositories", type=Path, required=True)
    parser.add_argument("--missing", type=int, default=0, help="missing links to print")
    parser.add_argument("--only", help="part of the name of a repository")
    options = parser.parse_args()
    folders = [f for f in sorted(options.repositories.iterdir()) if f.name not in reserved() and (f / "repo").exists()]
    followed = [link for f in folders if (options.only or "") in f.name for link in follow(f)]
    for rooted in (True, False):
        print("rooted links" if rooted else "relative links")
        for kind in sorted({link.kind for link in followed}):
            counts = Counter(link.outcome for link in followed if link.kind == kind and link.rooted == rooted)
            if counts:
                print(f"  {kind:12}", *(f"{counts[name]:6} {name}" for name in ("found", "missing", "unknown")))
        reasons = Counter(link.tried[0] for link in followed if link.rooted == rooted and link.outcome == "unknown")
        for reason, count in reasons.most_common(8):
            print(f"    unknown: {count:6} {reason}")
        missing = [link for link in followed if link.rooted == rooted and link.outcome == "missing"]
        for link in random.Random(3).sample(missing, min(options.missing, len(missing))):
            print(f"    {link.repository} {link.kind} {link.source} -> {link.target}  {link.tried[:3]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
