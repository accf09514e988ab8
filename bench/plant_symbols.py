"""Finds names and options that the code defines and a document names, and renames or removes them in the code."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from plant_faults import MOST_MENTIONS, Fault, Ground, Place, fault
from strangers_clones import DOCUMENTS
from strangers_pages import read

CODE = tuple(
    ".py .js .mjs .cjs .ts .tsx .jsx .vue .go .rs .java .kt .kts .swift .php .rb .ex .exs .c .h .cc .cpp .hpp .cs"
    " .scala .lua .zig".split()
)
NOT_SOURCE = re.compile(
    r"(^|/)(tests?|spec|specs|__tests__|examples?|samples?|benches|benchmarks?|vendor|third_party|node_modules|dist|docs?"
    r"|docs_src|website|fixtures|testdata|e2e|playgrounds?|demos?)/|[._-](test|spec)\.|(^|/)test_|_test\.",
    re.IGNORECASE,
)
WORDS = "|".join(
    "def defmacro class module defmodule func fun fn function struct enum trait interface type protocol object record"
    " const".split()
)
DEFINITIONS = (
    rf"^[ \t]{{0,4}}(?:[\w@]+(?:\([^)\n]*\))?[ \t]+){{0,4}}?(?:{WORDS})[ \t]+(?:\([^)\n]*\)[ \t]*|self\.)?"
    r"([A-Za-z_]\w+)",
    r"^(?:export )?([A-Z][A-Z0-9_]{4,})\s*(?::[^=\n]+)?=(?!=)",
    r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w+)",
)
OF_C = r"^(?!return|else|case|static|throw|typedef|using)[A-Za-z_][\w \t*:&<>,]*[ \t*]([A-Za-z_]\w+)\([^;]*[;{,)]\s*$"
OF_JAVA = r"^[ \t]{0,4}public [\w \t<>,\[\]]*[ \t]([A-Za-z_]\w+)\("
HIDDEN = re.compile(r"\b(private|internal|protected|fileprivate|defp)\b")
ORDINARY = set("start_link child_spec to_string toString to_json to_dict hashCode equals forEach".split())
"""Names that half of all projects have."""
NAME = re.compile(r"^(?:[\w.:#]*[.:#])?([A-Za-z_]\w{4,})(\([^()]*\))?$")
FLAG = re.compile(r"^(--[a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?:[ =].*)?$")
COMMON = set("--version --verbose --help --quiet --output --config --force --debug --dry-run --strict --watch".split())
MOST_FILES = 40


class Code:
    """The text of all tracked files that are not documents."""

    def __init__(self, ground: Ground) -> None:
        texts = ((path, read(ground.tree.root, path)) for path in ground.tree.files)
        self.texts = {path: text for path, text in texts if text and not path.lower().endswith(DOCUMENTS)}
        self.stems = {posixpath.splitext(part)[0] for path in ground.tree.files for part in path.split("/")}
        self.defined: dict[str, set[str]] = defaultdict(set)
        for path, text in self.texts.items():
            if path.endswith(CODE) and not NOT_SOURCE.search(path):
                for name in public(path, text):
                    self.defined[name].add(path)

    def holding(self, word: re.Pattern[str], literal: str) -> list[str]:
        return [path for path, text in self.texts.items() if literal in text and word.search(text)]


def definitions(path: str, text: str) -> Iterator[str]:
    patterns = [*DEFINITIONS]
    if path.endswith((".c", ".h", ".cc", ".cpp", ".hpp")):
        patterns.append(OF_C)
    elif path.endswith(".java"):
        patterns.append(OF_JAVA)
    for match in (match for pattern in patterns for match in re.finditer(pattern, text, re.MULTILINE)):
        if not HIDDEN.search(match[0]):
            yield match[1]


def public(path: str, text: str) -> Iterator[str]:
    """Names that users can reach: exported, capitalised or marked, as the language has it."""
    exports = " ".join(re.findall(r"exports[.=\s{][^}]*\}?|export \{[^}]*\}|export [^\n]*", text))
    for name in definitions(path, text):
        if path.endswith((".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".vue")):
            seen = bool(whole(name).search(exports))
        elif path.endswith(".rs"):
            seen = bool(re.search(rf"\bpub[ (][^\n]*\b{name}\b|macro_rules! {name}\b", text))
        elif path.endswith(".go"):
            seen = name[0].isupper()
        else:
            seen = True
        if seen and not re.search(r"^_|_(API_KEY|TOKEN)$", name):
            yield name


def named(ground: Ground) -> dict[str, list[Place]]:
    """Names and options in inline code that nobody takes for ordinary words."""
    found: dict[str, list[Place]] = defaultdict(list)
    for page in ground.pages:
        for number, span in page.spans:
            if flag := FLAG.match(span):
                found[flag[1]].append((page.path, number))
            elif (match := NAME.match(span)) and distinctive(match[1], bool(match[2]) or match[1] != span):
                found[match[1]].append((page.path, number))
    return found


def distinctive(name: str, qualified: bool) -> bool:
    return (
        "_" in name.strip("_") or bool(re.search(r"[a-z][A-Z]|[A-Z][A-Z0-9]{4}", name)) or (qualified and len(name) > 7)
    )


def changed_symbols(ground: Ground) -> Iterator[Fault]:
    """A name or an option that documents mention leaves the code: by another name, or with its definition."""
    code = Code(ground)
    candidates = sorted(named(ground).items())
    ground.dice.shuffle(candidates)
    made = 0
    for name, places in candidates:
        if made >= 12 or len(set(places)) > MOST_MENTIONS:
            continue
        known = flag_files(code, name) if name.startswith("--") else code.defined.get(name, set())
        word = whole(name)
        files = code.holding(word, name) if known else []
        if not files or len(files) > MOST_FILES or name in code.stems or foreign(ground, name):
            continue
        made += 1
        yield symbol_fault(ground, code, name, files, mentions(ground, word, places))


def foreign(ground: Ground, name: str) -> bool:
    """Whether documents may mean a name of somebody else: of a standard library, or one that many projects have."""
    owned = re.compile(rf"(?:std::|java\.|System\.|kotlin\.|Foundation\.){re.escape(name)}\b")
    return name in ORDINARY or any(page.mentions(owned) for page in ground.pages)


def mentions(ground: Ground, word: re.Pattern[str], places: list[Place]) -> list[Place]:
    """All lines with the name in the documents that name it in inline code."""
    inside = {path for path, _ in places}
    return [(page.path, line) for page in ground.pages if page.path in inside for line in page.mentions(word)]


def whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])" if name.startswith("-") else rf"\b{re.escape(name)}\b")


def flag_files(code: Code, flag: str) -> set[str]:
    """Files of code that declare the option; options that many programs have are left out."""
    if flag in COMMON or len(flag) < 8:
        return set()
    declared = re.compile(rf"(?i)(arg|option|flag|param|long).*[\"'`]{flag}[\"'`=, ]")
    return {
        path
        for path, text in code.texts.items()
        if flag in text and path.endswith(CODE) and not NOT_SOURCE.search(path) and declared.search(text)
    }


def symbol_fault(ground: Ground, code: Code, name: str, files: list[str], places: list[Place]) -> Fault:
    if not name.startswith("--"):
        edits = removal(name, {path: code.texts[path] for path in files})
        if edits:
            gone = frozenset(path for path, text in edits.items() if not text)
            kept = [path for path in files if path not in gone]
            one = fault("symbol removed", f"{kept[0]}: {name}", places, removing(name, tuple(files)), *kept)
            return one._replace(moves=gone)
    new = other_name(name, ground.dice.random() < 0.5)
    return fault("symbol renamed", f"{name} -> {new}", places, renaming(name, new, tuple(code.texts)), *files)


def removal(name: str, texts: dict[str, str]) -> dict[str, str]:
    """Returns the files without the name, tests that use it as empty; nothing where other code calls it."""
    word, edits = whole(name), {}
    listed = re.compile(rf"^\s*(?:{name}|[\"']{name}[\"']|(?:from \S+ )?import {name}(?: as {name})?)\s*[,;]?\s*$")
    for path, text in texts.items():
        if NOT_SOURCE.search(path) and path.endswith(CODE):
            edits[path] = ""
            continue
        after = without_block(text, name, path) or text
        edits[path] = "".join(line for line in after.splitlines(keepends=True) if not listed.match(line))
        if word.search(edits[path]) or not edits[path].strip():
            return {}
    tests = sum(not text for text in edits.values())
    return edits if tests <= 2 and tests < len(edits) else {}


def other_name(name: str, before: bool) -> str:
    if name.startswith("--"):
        return f"--with-{name[2:]}" if before else f"{name}-mode"
    if name.isupper():
        return f"BASE_{name}" if before else f"{name}_VALUE"
    if "_" in name or name.islower():
        return f"make_{name}" if before else f"{name}_now"
    if name[0].isupper():
        return f"Base{name}" if before else f"{name}Handle"
    return f"make{name[0].upper()}{name[1:]}" if before else f"{name}Now"


def renaming(name: str, new: str, paths: tuple[str, ...]) -> Callable[[Path], None]:
    """Returns an edit that renames in every file that is not a document, whatever earlier faults did to it."""
    word = whole(name)

    def plant(root: Path) -> None:
        for path in paths:
            text = read(root, path)
            if name in text and word.search(text):
                data = (root / path).read_bytes().decode("utf-8", "surrogateescape")
                (root / path).write_bytes(word.sub(new, data).encode("utf-8", "surrogateescape"))

    return plant


def removing(name: str, paths: tuple[str, ...]) -> Callable[[Path], None]:
    def plant(root: Path) -> None:
        texts = {path: (root / path).read_bytes().decode("utf-8") for path in paths}
        for path, text in removal(name, texts).items():
            (root / path).write_bytes(text.encode()) if text else (root / path).unlink()

    return plant


def without_block(text: str, name: str, path: str) -> str | None:
    """Returns the text without the definition; nothing where its end cannot be told."""
    lines = text.splitlines(keepends=True)
    first = next((i for i, line in enumerate(lines) if name in definitions(path, line)), None)
    if first is None:
        return None
    last = (
        end_by_braces(lines, first) if "{" in "".join(lines[first : first + 3]) else end_by_indent(lines, first, path)
    )
    while first and lines[first - 1].lstrip().startswith(("@", "#[", "///", "/**", "* ")):
        first -= 1
    return "".join(lines[:first] + lines[last + 1 :]) if last - first < 300 else None


def end_by_braces(lines: list[str], first: int) -> int:
    depth, begun = 0, False
    for number in range(first, len(lines)):
        depth += lines[number].count("{") - lines[number].count("}")
        begun = begun or "{" in lines[number]
        if begun and depth <= 0:
            return number
    return first + 1000


def end_by_indent(lines: list[str], first: int, path: str) -> int:
    indent = len(lines[first]) - len(lines[first].lstrip())
    last = first
    for number in range(first + 1, len(lines)):
        line = lines[number]
        if line.strip() and len(line) - len(line.lstrip()) <= indent and not line.lstrip().startswith((")", "]", "}")):
            closed = path.endswith((".rb", ".ex", ".exs")) and line.strip() == "end"
            return number if closed else last
        last = number if line.strip() else last
    return last
