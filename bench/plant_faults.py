"""Finds places where a document relies on a file, a heading, a command or a version, and the edit that breaks it.

Plain text search and git only. Each fault changes something else than the document, so that a careful person would
agree that the document is wrong afterwards.
"""

import json
import posixpath
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from strangers_clones import Tree, git
from strangers_pages import RST_LABEL, RST_REF, Link, Page, links, pages, read

MOST_MENTIONS = 5
Place = tuple[str, int]


class Fault(NamedTuple):
    kind: str
    what: str
    mentions: tuple[Place, ...]
    """Where documents are wrong once the fault is planted."""
    uses: frozenset[str]
    """Paths that have to stay where they are."""
    moves: frozenset[str]
    """Paths that the fault takes away."""
    plant: Callable[[Path], None]


class Ground(NamedTuple):
    """A repository as the finders of faults see it."""

    tree: Tree
    pages: list[Page]
    links: list[Link]
    dice: random.Random


def survey(tree: Tree, seed: int) -> Ground:
    found, files = pages(tree), frozenset(tree.files)
    every = [link for page in found for link in links(page, files)]
    return Ground(tree, found, every, random.Random(f"{seed}:{tree.repository.name}"))


def fault(kind: str, what: str, mentions: Sequence[Place], plant: Callable[[Path], None], *used: str) -> Fault:
    where = tuple(sorted(set(mentions)))
    return Fault(kind, what, where, frozenset({*used, *(path for path, _ in where)}), frozenset(), plant)


def replace_in(path: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    """Returns an edit of one file that has to change it."""

    def plant(root: Path) -> None:
        before = (root / path).read_bytes().decode("utf-8")
        after = change(before)
        assert after != before, f"nothing to change in {path}"
        (root / path).write_bytes(after.encode())

    return plant


def renamed_files(ground: Ground) -> Iterator[Fault]:
    """A linked file gets another name in its folder."""
    linking: dict[str, list[Place]] = defaultdict(list)
    for link in ground.links:
        if link.target != link.page:
            linking[link.target].append((link.page, link.line))
    for target, places in sorted(linking.items()):
        folder, name = posixpath.split(target)
        stem, extension = posixpath.splitext(name)
        if len(set(places)) > MOST_MENTIONS or stem.lower() in ("readme", "index", "license", "summary"):
            continue
        new = posixpath.join(folder, f"{ground.dice.choice(['about-', 'the-', 'more-on-'])}{stem}{extension}")
        if new not in ground.tree.files and not (ground.tree.root / target).is_symlink():
            yield moving(target, new, places)


def moving(old: str, new: str, places: list[Place]) -> Fault:
    def plant(root: Path) -> None:
        git(root, "mv", old, new)

    made = fault("file renamed", f"{old} -> {new}", [place for place in places if place[0] != old], plant)
    return made._replace(moves=frozenset({old}))


def changed_headings(ground: Ground) -> Iterator[Fault]:
    """A heading to which documents link by its anchor gets other words."""
    known = {page.path: page for page in ground.pages}
    linking: dict[Place, list[Place]] = defaultdict(list)
    names: dict[Place, str] = {}
    for link in ground.links:
        page = known.get(link.target)
        if page and link.anchor in page.headings and not has_explicit(page, link.anchor):
            place = page.path, page.headings[link.anchor]
            linking[place].append((link.page, link.line))
            names[place] = link.anchor
    for (path, line), places in sorted(linking.items()):
        words = ground.dice.choice(["About {}", "{} in short", "Using {}"])
        if len(set(places)) <= MOST_MENTIONS and words.format("").strip().lower() not in names[path, line]:
            change = reheaded(line, words)
            yield fault("heading changed", f"{path}#{names[path, line]}", places, replace_in(path, change), path)


def has_explicit(page: Page, anchor: str) -> bool:
    """Whether the page sets this anchor apart from its heading."""
    word, text = re.escape(anchor), "\n".join(page.lines)
    return bool(re.search(rf"(id|name)\s*=\s*[\"']?{word}\b|\{{#{word}\}}|^\({word}\)=", text, re.MULTILINE))


def reheaded(line: int, words: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        lines = text.splitlines(keepends=True)
        mark, rest = lines[line - 1].split(None, 1)
        end = rest[len(rest.rstrip()) :]
        lines[line - 1] = f"{mark} {words.format(rest.rstrip())}{end}"
        return "".join(lines)

    return change


def renamed_labels(ground: Ground) -> Iterator[Fault]:
    """A label of reStructuredText to which documents refer gets another name."""
    defined: dict[str, list[str]] = defaultdict(list)
    for path in ground.tree.files:
        if path.endswith(".rst"):
            for line in read(ground.tree.root, path).splitlines():
                if match := RST_LABEL.match(line):
                    defined[match[1]].append(path)
    referring: dict[str, list[Place]] = defaultdict(list)
    for page in ground.pages:
        for number, line in page.prose if page.is_rst else []:
            for label in RST_REF.findall(line):
                referring[label].append((page.path, number))
    for label, places in sorted(referring.items()):
        if len(defined[label]) == 1 and len(set(places)) <= MOST_MENTIONS:
            path = defined[label][0]
            change = relabelled(label, f"{label}-in-short")
            yield fault("heading changed", f"{path}: label {label}", places, replace_in(path, change), path)


def relabelled(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(f".. _{old}:", f".. _{new}:")


def removed_targets(ground: Ground) -> Iterator[Fault]:
    """A target of the Makefile that a document tells to run is removed."""
    makefile = next((name for name in ("Makefile", "makefile", "GNUmakefile") if name in ground.tree.files), None)
    text = read(ground.tree.root, makefile) if makefile else ""
    if not makefile or re.search(r"^-?include ", text, re.MULTILINE):
        return
    for name in sorted(set(re.findall(r"^([a-z][\w-]+):(?![=:])", text, re.MULTILINE))):
        change = without_target(name)
        mentions = told(ground, rf"make {re.escape(name)}(?![\w/-])")
        if mentions and not re.search(rf"^{re.escape(name)}\s*:(?!=)", change(text), re.MULTILINE):
            yield fault("command removed", f"make {name}", mentions, replace_in(makefile, change), makefile)


def without_target(name: str) -> Callable[[str], str]:
    word = re.escape(name)

    def change(text: str) -> str:
        text = re.sub(rf"^{word}:(?!=).*\n(?:\t.*\n|[ \t]*\n(?=\t))*", "", text, flags=re.MULTILINE)
        lines = text.splitlines(keepends=True)
        phony = re.compile(rf"(?<=\s){word}(?=\s)")
        return "".join(phony.sub("", line) if line.startswith(".PHONY") else line for line in lines)

    return change


def removed_scripts(ground: Ground) -> Iterator[Fault]:
    """A script of package.json or composer.json that a document tells to run is removed."""
    runners = {
        "package.json": r"(?:npm run|yarn run|yarn|pnpm run|pnpm|bun run) ",
        "composer.json": r"composer (?:run |run-script )?",
    }
    for manifest, runner in runners.items():
        others = [path for path in ground.tree.files if path.endswith(f"/{manifest}")]
        elsewhere = {name for path in others for name in scripts(ground.tree.root, path)}
        for name in sorted(scripts(ground.tree.root, manifest) - elsewhere - {"install", "test", "start", "update"}):
            mentions = told(ground, rf"{runner}{re.escape(name)}(?![\w:/-])")
            change = without_script(name)
            if mentions and change(read(ground.tree.root, manifest)):
                yield fault("command removed", f"{manifest}: {name}", mentions, replace_in(manifest, change), manifest)


def scripts(root: Path, manifest: str) -> set[str]:
    try:
        known = json.loads(read(root, manifest) or "{}")
        return set(known.get("scripts", {}))
    except (ValueError, AttributeError, TypeError):
        return set()


def without_script(name: str) -> Callable[[str], str]:
    """Returns an edit that drops the script's line; it returns nothing where that leaves no JSON."""

    def change(text: str) -> str:
        head, found, scripted = text.partition('"scripts"')
        line = rf'^\s*"{re.escape(name)}"\s*:\s*"(?:[^"\\]|\\.)*"\s*,?\n'
        rest = re.sub(line, "", scripted, count=1, flags=re.MULTILINE)
        for attempt in (rest, re.sub(r",(\s*\})", r"\1", rest, count=1)):
            try:
                known = json.loads(head + found + attempt)
            except ValueError:
                continue
            return head + found + attempt if name not in known["scripts"] else ""
        return ""

    return change


OF_OTHERS = re.compile(r"(^|/)(skills|agents|commands|prompts|plugins|presets|content)/")
"""Folders of instructions for work on other projects, whose commands and versions those are."""


def told(ground: Ground, command: str) -> list[Place]:
    """Lines that tell to run a command: in inline code, in a block of code, or after a prompt."""
    spoken = re.compile(rf"(?:^\s*|`|\$ |&& |> ){command}", re.MULTILINE)
    found = []
    for page in own_pages(ground):
        prose = dict(page.prose)
        for number in page.mentions(spoken):
            if number not in prose or re.search(rf"`[^`]*{command}[^`]*`", prose[number]):
                found.append((page.path, number))
    return found if len(found) <= MOST_MENTIONS else []


def own_pages(ground: Ground) -> list[Page]:
    return [page for page in ground.pages if not OF_OTHERS.search(page.path)]


class Version(NamedTuple):
    manifest: str
    declared: str
    """Its first group is all before the last number, its second that number."""
    spoken: str
    """How a document writes it, with the version in place of `{}`."""
    step: int


ENOUGH = (
    r"(?=.*(\+|>=|≥|or (newer|later|higher|above|greater|up)|requires?|minimum|at least|needs?|MSRV|and (up|above)))"
)
VERSIONS = (
    Version("pyproject.toml", r'(requires-python\s*=\s*"\s*>=\s*3\.)(\d+)', r"Python\W{{0,6}}{}\b", 2),
    Version("setup.cfg", r"(python_requires\s*=\s*>=\s*3\.)(\d+)", r"Python\W{{0,6}}{}\b", 2),
    Version("setup.py", r'(python_requires\s*=\s*"\s*>=\s*3\.)(\d+)', r"Python\W{{0,6}}{}\b", 2),
    Version("package.json", r'("node"\s*:\s*"\s*(?:>=|\^)\s*v?)(\d+)', r"Node(?:\.?js)?\W{{0,6}}v?{}\b", 4),
    Version("Cargo.toml", r'(rust-version\s*=\s*"1\.)(\d+)', r"(?:Rust|rustc|MSRV)\b.{{0,30}}{}\b", 6),
    Version("go.mod", r"(^go 1\.)(\d+)", r"Go\W.{{0,60}}{}\b", 2),
    Version("composer.json", r'("php"\s*:\s*"\s*(?:>=|\^)\s*\d\.)(\d+)', r"PHP\W{{0,6}}{}\b", 1),
    Version("mix.exs", r'(elixir:\s*"\s*(?:~>|>=)\s*1\.)(\d+)', r"Elixir\W{{0,6}}v?{}\b", 2),
    Version("Package.swift", r"(^// ?swift-tools-version:\s*\d\.)(\d+)", r"Swift\W{{0,6}}{}\b", 2),
)


def raised_versions(ground: Ground) -> Iterator[Fault]:
    """The version that the project needs is raised above the one that a document names."""
    for version in VERSIONS:
        text = read(ground.tree.root, version.manifest) if version.manifest in ground.tree.files else ""
        match = re.search(version.declared, text, re.MULTILINE)
        if match is None:
            continue
        number = re.sub(r".*?((?:\d+\.)*)$", r"\1", match[1]) + match[2]
        spoken = re.compile(ENOUGH + ".*" + version.spoken.format(re.escape(number)) + r"(?!\.\d*x)", re.IGNORECASE)
        mentions = [(page.path, line) for page in own_pages(ground) for line, said in page.prose if spoken.match(said)]
        if 0 < len(mentions) <= MOST_MENTIONS:
            change = raised(version)
            what = f"{version.manifest}: {number} raised by {version.step}"
            yield fault("version raised", what, mentions, replace_in(version.manifest, change), version.manifest)


def raised(version: Version) -> Callable[[str], str]:
    def more(match: re.Match[str]) -> str:
        return f"{match[1]}{int(match[2]) + version.step}"

    return lambda text: re.sub(version.declared, more, text, count=1, flags=re.MULTILINE)
