"""Plants changes in the code of other people's repositories, and counts how many `check --diff` finds.

usage: python bench/history_plant.py LIST [--clones DIR] [--out DIR] [--changes N] [--seed N]

Each change is a commit of its own on the commit of the list: a default that a page states beside its name gets another
value, a flag is removed, a symbol that pages name in several places is renamed, an argument that a page passes is
renamed away. The documents stay as they are. A change is found when one of the lines that it makes wrong is asserted,
one line more or less; lines are counted too.
"""

import argparse
import ast
import json
import re
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from history_survey import Asserted, InProcess
from history_words import spellings
from plant import NEAR, report
from plant_faults import Fault, Ground, Place, fault, replace_in, survey
from plant_symbols import (
    CODE,
    COMMON,
    NOT_SOURCE,
    Code,
    distinctive,
    foreign,
    mentions,
    named,
    other_name,
    renaming,
    whole,
)
from strangers_clones import CLONES, Repository, find_clone, git, make_tree, read_list, select

CONSTANT = re.compile(
    r"^[ \t]*(?:export |pub |public |static |const |final |readonly |let |var |val |int |long |string |float |bool )*"
    r"([A-Za-z_]\w{4,})[ \t]*(?::[^=\n,{(]{1,30})?[:=][ \t]*(\d{1,6})[ \t]*[,;]?[ \t]*$",
    re.MULTILINE,
)
ENUMERATED = re.compile(r"^\s*[A-Z][a-z]\w* = \d+,?\s*$")
LOCAL = re.compile(r"\s+[a-z]\w* = \d+\s*$")
"""A variable of a function, or a field of a class; which one, a line does not tell."""
TESTS = re.compile(r"(?i)\btests?/")
CALL = re.compile(r"\b([A-Za-z_]\w{2,})\(([^()\n]*)\)")
KEYWORD = re.compile(r"\b([a-z_]\w{2,})=(?!=)")
DECLARES = r"add_argument|\b[Oo]ptions?\b|InputOption|add_?[Oo]ption|\b[Aa]rg\b|[Ff]lags?\b|BoolVar|StringVar|\.on\b"
SHORTEST_FLAG = 8
"""With its dashes. Shorter ones are often flags of other programs."""
TEN = range(5, 16)
"""Lines of documents that name the symbol: about ten."""


def changed_defaults(ground: Ground, code: Code) -> Iterator[Fault]:
    """A number that one line of code gives to a name, on a line of a document that writes both."""
    for path, text in sorted(code.texts.items()):
        if not path.endswith((*CODE, ".toml")) or NOT_SOURCE.search(path) or path.startswith((".", "doc", "script")):
            continue
        for match in CONSTANT.finditer(text):
            name, value = match[1], match[2]
            if ENUMERATED.search(match[0]) or (path.endswith((".ex", ".exs", ".rb")) and "=" not in match[0]):
                continue  # a member of an enumeration, or an arity
            if name.startswith("_") or TESTS.search(path) or (path.endswith(".py") and LOCAL.match(match[0])):
                continue
            places = list(stated(ground, name, value)) if len(re.findall(rf"\b{name}\b", text)) < 20 else []
            if places and distinctive(name, False) and ("_" in name or not name.isupper()) and only_value(code, name):
                yield fault("default changed", f"{path}: {name} = {value}", places, revalued(path, match), path)


def only_value(code: Code, name: str) -> bool:
    """Whether no other line of code gives the name a number."""
    holding = (text for text in code.texts.values() if name in text)
    return len([match for text in holding for match in CONSTANT.finditer(text) if match[1] == name]) == 1


def stated(ground: Ground, name: str, value: str) -> Iterator[Place]:
    spelled = {name, name.replace("_", "-"), name.lower().replace("_", "-")}
    word = re.compile("|".join(rf"(?<![\w-]){re.escape(one)}(?![\w-])" for one in sorted(spelled)))
    number = re.compile(rf"(?<![\w.,-]){value}(?![\w-]|[.,]\d)")
    for page in ground.pages:
        for line in page.mentions(word):
            if len(number.findall(page.lines[line - 1])) == 1:
                yield page.path, line


def revalued(path: str, match: re.Match[str]) -> Callable[[Path], None]:
    start, end, new = match.start(2), match.end(2), str(int(match[2]) * 2 + 3)
    return replace_in(path, lambda text: f"{text[:start]}{new}{text[end:]}")


def removed_flags(ground: Ground, code: Code) -> Iterator[Fault]:
    """A flag that documents name and code declares; its lines go, and its variable gets another name."""
    for flag, places in sorted(named(ground).items()):
        name = flag[2:]
        if not flag.startswith("--") or flag in COMMON or len(flag) < SHORTEST_FLAG:
            continue
        declared = re.compile(rf"(?:{DECLARES})[^\n]*[\"'](?:-\w\W{{0,2}} ?)?--{name}[\"' =/,\[<]")
        if "-" in name:
            declared = re.compile(rf"{declared.pattern}|(?:long|{DECLARES})[^\"'\n]*[\"']{name}[\"']")
        declared_otherwise = re.compile(rf"[\"'`:(]{name}[\"'`,)=]")
        if "-" not in name and any(declared_otherwise.search(code.texts[path]) for path in sources(code, name)):
            continue  # removing lines with the dashes would leave the flag in place
        if any(declared.search(code.texts[path]) for path in sources(code, name)):
            word = re.compile(rf"(?<![\w-])(?:--)?{name}(?![\w-])" if "-" in name else rf"(?<![\w-])--{name}(?![\w-])")
            files = [path for path, text in code.texts.items() if name in text and word.search(text)]
            plant = without_flag(word, files, spellings(name)[1:] if "-" in name else (), tuple(code.texts))
            yield fault("flag removed", flag, mentions(ground, whole(flag), places), plant, *files)


def sources(code: Code, literal: str) -> list[str]:
    """Files of the program itself that contain the text."""
    texts = code.texts.items()
    return [path for path, text in texts if literal in text and path.endswith(CODE) and not NOT_SOURCE.search(path)]


def without_flag(
    word: re.Pattern[str], files: Sequence[str], variables: Sequence[str], every: tuple[str, ...]
) -> Callable[[Path], None]:
    def plant(root: Path) -> None:
        for path in files:
            lines = (root / path).read_bytes().decode("utf-8", "surrogateescape").splitlines(keepends=True)
            kept = "".join(line for line in lines if not word.search(line))
            (root / path).write_bytes(kept.encode("utf-8", "surrogateescape"))
        for name in variables:
            renaming(name, other_name(name, True), every)(root)

    return plant


def renamed_symbols(ground: Ground, code: Code) -> Iterator[Fault]:
    """A symbol that about ten lines of documents name gets another name in all code."""
    for name, places in sorted(named(ground).items()):
        word = whole(name)
        lines = mentions(ground, word, places)
        if not distinctive(name, False) or len(lines) not in TEN or name not in code.defined or name in code.stems:
            continue
        if not foreign(ground, name):
            new = other_name(name, ground.dice.random() < 0.5)
            files = code.holding(word, name)
            yield fault("symbol renamed", f"{name} -> {new}", lines, renaming(name, new, tuple(code.texts)), *files)


def renamed_arguments(ground: Ground, code: Code) -> Iterator[Fault]:
    """A keyword that a call in a document passes, and that the only Python callable of that name takes."""
    calls: dict[tuple[str, str], list[Place]] = defaultdict(list)
    for page in ground.pages:
        for number, line in enumerate(page.lines, 1):
            for match in CALL.finditer(line):
                for keyword in KEYWORD.findall(match[2]):
                    calls[match[1], keyword].append((page.path, number))
    signatures = python_signatures(code)
    for (name, keyword), places in sorted(calls.items()):
        if len(found := signatures.get(name, [])) == 1:
            path, first, last, taken = found[0]
            if keyword in taken:
                what = f"{path}: {name}({keyword}=)"
                yield fault("argument removed", what, places, renamed_in(path, first, last, keyword), path)


def python_signatures(code: Code) -> dict[str, list[tuple[str, int, int, frozenset[str]]]]:
    """Where each public function or constructor is, and the keywords that it takes; nothing with `**`."""
    found: dict[str, list[tuple[str, int, int, frozenset[str]]]] = defaultdict(list)
    for path, text in sorted(code.texts.items()):
        if path.endswith(".py") and not NOT_SOURCE.search(path):
            try:
                tree = ast.parse(text)
            except (SyntaxError, ValueError):
                continue
            for name, node in callables(tree):
                arguments = node.args
                taken = frozenset(one.arg for one in (*arguments.args, *arguments.kwonlyargs))
                if not arguments.kwarg:
                    found[name].append((path, node.lineno, node.end_lineno or node.lineno, taken))
    return found


def callables(tree: ast.AST) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (
                (node.name, one) for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"
            )
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node.name, node


def renamed_in(path: str, first: int, last: int, name: str) -> Callable[[Path], None]:
    word = re.compile(rf"\b{name}\b")

    def change(text: str) -> str:
        lines = text.splitlines(keepends=True)
        lines[first - 1 : last] = [word.sub(f"{name}_now", line) for line in lines[first - 1 : last]]
        return "".join(lines)

    return replace_in(path, change)


KINDS = (changed_defaults, removed_flags, renamed_symbols, renamed_arguments)


def choose(ground: Ground, wanted: int) -> list[Fault]:
    """Up to `wanted` changes of each kind, none with lines in documents that are hard to be sure of."""
    code = Code(ground)
    chosen = []
    for kind in KINDS:
        pool = [one for one in kind(ground, code) if one.mentions]
        ground.dice.shuffle(pool)
        chosen += pool[:wanted]
    return chosen


def planted(root: Path, one: Fault) -> str:
    """Commits the change on top of the list's commit, and restores the work tree."""
    one.plant(root)
    git(root, "add", "--update")
    tree = git(root, "write-tree", "--missing-ok").decode().strip()
    made = git(root, "commit-tree", tree, "-p", "HEAD", "-m", f"Change {one.what}").decode().strip()
    git(root, "reset", "--quiet", "--hard", "HEAD", check=False)
    return made


def result(one: Fault, asserted: Sequence[Asserted]) -> dict[str, Any]:
    near = {(found.path, found.line + step): found.reason for found in asserted for step in range(-NEAR, NEAR + 1)}
    named_lines = [place for place in one.mentions if place in near]
    return {
        "kind": one.kind,
        "what": one.what,
        "mentions": [f"{path}:{line}" for path, line in one.mentions],
        "mentionsNamed": len(named_lines),
        "found": bool(named_lines),
        "by": sorted({near[place] for place in named_lines}),
        "elsewhere": sum((found.path, found.line) not in one.mentions for found in asserted),
    }


def measure(repository: Repository, given: argparse.Namespace, scratch: Path) -> dict[str, Any]:
    clone = find_clone(given.clones, repository)
    if clone is None:
        return {"commit": repository.commit, "crashes": ["no clone"], "faults": []}
    tree = make_tree(clone, repository, scratch / repository.name.replace("/", "+"))
    surveyor = InProcess(tree.root, scratch / "objects" / repository.name.replace("/", "+"))
    rows, crashes = [], []
    for one in choose(survey(tree, given.seed), given.changes):
        made = planted(tree.root, one)
        answer = surveyor.ask(repository.commit, made, made)
        crashes += [answer.crash] if answer.crash else []
        rows.append(result(one, answer.asserted))
    shutil.rmtree(tree.root, ignore_errors=True)
    return {"commit": repository.commit, "crashes": crashes, "faults": rows}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=Path, help="repositories, one a line: owner/name commit")
    parser.add_argument("--clones", type=Path, default=CLONES, help="the folder of the clones")
    parser.add_argument("--repository", action="append", default=[], help="only repositories whose name contains this")
    parser.add_argument("--out", type=Path, help="a folder for planted.json and planted.md")
    parser.add_argument("--changes", type=int, default=3, help="changes of each kind for each repository")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    given = arguments()
    scratch = Path(tempfile.mkdtemp(prefix="history-plant-"))
    results = {}
    try:
        for repository in select(read_list(given.list), given.repository):
            results[repository.name] = measure(repository, given, scratch)
            print(f"{repository.name}: {len(results[repository.name]['faults'])} changes", file=sys.stderr)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(report(results))
    if given.out:
        given.out.mkdir(parents=True, exist_ok=True)
        (given.out / "planted.json").write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
        (given.out / "planted.md").write_text(report(results) + "\n", "utf-8")


if __name__ == "__main__":
    main()
