"""Makes findings that are known to be wrong, in the words of the real ones, so that a careless judge is noticed.

A decoy claims the opposite of a fact that is checked here with git and plain text search: a linked file that exists, a
heading that is there, a name that the code still defines.
"""

import posixpath
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from strangers_clones import Tree, git
from strangers_findings import Finding
from strangers_pages import Page, links, pages, read

SPANS = re.compile(r"`([^`]+)`")
COMMIT = re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{7,12}\b")
PATH = re.compile(r"(?<![\w/.{-])[\w.-]+(?:/[\w.-]+)*")
DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
NAME = re.compile(r"^[A-Za-z_]\w{5,}(\(\))?$")
LONGEST_LINE = 200
DEFINED = r"\b(def|class|func|fun|fn|function|struct|enum|trait|interface|type|const|module|defmodule)\s+"


class Fact(NamedTuple):
    """Something that holds, and where a document relies on it."""

    page: str
    line: int
    text: str
    value: str
    written: str
    """The value as the document writes it."""
    source: str
    """The file of which a real commit is named."""
    headings: int = 0


class Form(NamedTuple):
    """A real finding with the particulars taken out."""

    message: str
    evidence: tuple[str, ...]
    severity: str


PLAIN = {
    "file": Form("The file `{value}` does not exist.", ("{page}:{line}: {text}", "Fix: correct the link."), "error"),
    "heading": Form(
        "Broken link: this page has no heading `{value}`.",
        ("{page}:{line}: {text}", "Fix: link to a heading that exists."),
        "error",
    ),
    "name": Form(
        "`{value}` no longer exists: removed in {commit} ({day}).",
        ("{page}:{line}: {text}", "Fix: update or remove this sentence."),
        "warn",
    ),
}
"""The words to use where the run has no real finding of the sort."""
CLAIMS = {
    "file": re.compile(r"file|exist|nothing is at|broken link", re.IGNORECASE),
    "heading": re.compile(r"heading|anchor|section", re.IGNORECASE),
    "name": re.compile(r"removed|no longer|gone|any more|not have", re.IGNORECASE),
}


def decoys(
    tree: Tree, real: Sequence[Finding], wording: Sequence[Finding], wanted: int, dice: random.Random
) -> list[Finding]:
    """Returns up to `wanted` wrong findings of all sorts in turn, none where a real one stands.

    `wording` are the real findings whose sentences are imitated: those of the whole run.
    """
    taken = {(one.path, one.line) for one in real}
    known = {kind: forms(kind, wording) for kind in SOURCES}
    found = pages(tree)
    pools = {
        kind: shuffled((fact for fact in source(tree, found) if (fact.page, fact.line) not in taken), dice)
        for kind, source in SOURCES.items()
    }
    made: list[Finding] = []
    while len(made) < wanted and any(pools.values()):
        for kind, pool in pools.items():
            if pool and len(made) < wanted:
                made.append(filled(tree, kind, dice.choice(known[kind]), pool.pop()))
    return made


def shuffled(facts: Iterator[Fact], dice: random.Random) -> list[Fact]:
    """At most one fact a page, so that decoys don't crowd."""
    pool = sorted({fact.page: fact for fact in facts}.values())
    dice.shuffle(pool)
    return pool


def filled(tree: Tree, kind: str, form: Form, fact: Fact) -> Finding:
    last = git(tree.root, "log", "-1", "--format=%h%x00%cs%x00%s", "--", fact.source).decode(errors="replace").strip()
    commit, day, subject = last.split("\0")
    values = fact._asdict() | {"commit": commit, "day": day, "subject": subject, "text": fact.text[:LONGEST_LINE]}
    message = form.message.format(**values)
    evidence = tuple(one.format(**values) for one in form.evidence)
    return Finding(f"decoy-{kind}", form.severity, message, fact.page, fact.line, evidence, frozenset())


def forms(kind: str, real: Sequence[Finding]) -> list[Form]:
    """The forms of real findings of this sort whose every particular can be replaced."""
    found = {form for one in real if (form := learned(kind, one)) is not None}
    return sorted(found) or [PLAIN[kind]]


def learned(kind: str, real: Finding) -> Form | None:
    values = SPANS.findall(real.message)
    if len(values) != 1 or not CLAIMS[kind].search(real.message) or sort_of(values[0]) != kind:
        return None
    mask = masker(values[0], real)
    message, evidence = mask(real.message), tuple(mask(one) for one in real.evidence)
    if any(left_over(text) for text in (message, *evidence)):
        return None
    if (kind == "name" and "{commit}" not in message) or "image" in message:
        return None
    return Form(message, evidence, real.severity)


def sort_of(value: str) -> str:
    if value.startswith("#"):
        return "heading"
    return "name" if NAME.match(value) else "file" if "/" in value or re.search(r"\.\w{1,5}$", value) else ""


def masker(value: str, real: Finding) -> Callable[[str], str]:
    """Returns the function that puts placeholders in place of a finding's particulars."""
    place = f"{real.path}:{real.line}"

    def mask(text: str) -> str:
        text = text.replace("{", "{{").replace("}", "}}")
        if text.startswith(place):
            return "{page}:{line}: {text}"
        text = re.sub(rf"(?<![\w/.-]){re.escape(value)}", "{value}", text)
        text = text.replace(place, "{page}:{line}").replace(real.path, "{page}")
        for word in PATH.findall(text):
            if posixpath.normpath(posixpath.join(posixpath.dirname(real.path), word)) == value:
                text = text.replace(word, "{written}")
        text = re.sub(r"“[^”]*”", "“{subject}”", re.sub(r"\b\d+ headings", "{headings} headings", text))
        return DAY.sub("{day}", COMMIT.sub("{commit}", text))

    return mask


def left_over(text: str) -> bool:
    """Whether a particular is left: inline code, a path or an anchor that nothing replaces."""
    rest = re.sub(r"\{\w+\}", "", text).replace("``", "").replace("`#`", "")
    return bool(re.search(r"`|[\w-]+/[\w./-]+|\w\.(md|mdx|rst|py|ts|js|go|rs)\b|#\w|\{\{", rest))


def linked_files(tree: Tree, found: list[Page]) -> Iterator[Fact]:
    """Links whose file is tracked, with the path that a finding would name."""
    files = frozenset(tree.files)
    for page in found:
        for link in links(page, files):
            if not link.anchor and link.target != page.path and (tree.root / link.target).exists():
                yield Fact(page.path, link.line, page.lines[link.line - 1], link.target, link.written, link.target)


def linked_headings(tree: Tree, found: list[Page]) -> Iterator[Fact]:
    """Links to headings of the same page that are there."""
    files = frozenset(tree.files)
    for page in found:
        for link in links(page, files):
            if link.target == page.path and link.anchor in page.headings:
                headings = sum(line.startswith("#") for _, line in page.prose)
                text = page.lines[link.line - 1]
                yield Fact(page.path, link.line, text, f"#{link.anchor}", link.written, page.path, headings)


def defined_names(tree: Tree, found: list[Page]) -> Iterator[Fact]:
    """Names in inline code that the code defines, with a real commit of the file that defines them."""
    looked = 0
    for page in found:
        for number, span in page.spans:
            if looked >= 60 or not NAME.match(span) or (span.islower() and "_" not in span):
                continue
            looked += 1
            name = span.removesuffix("()")
            if source := defining_file(tree, name):
                yield Fact(page.path, number, page.lines[number - 1], name, span, source)
                break


def defining_file(tree: Tree, name: str) -> str | None:
    pattern = f"{DEFINED}{re.escape(name)}\\b"
    hits = git(tree.root, "grep", "-l", "-I", "-P", "-e", pattern, "--", ":!*.md", ":!*.rst", ":!*.mdx", check=False)
    for path in hits.decode().splitlines():
        if re.search(rf"^\s*(export |pub |public |async )*{pattern}", read(tree.root, path), re.MULTILINE):
            return path
    return None


SOURCES = {"file": linked_files, "heading": linked_headings, "name": defined_names}
