"""Compares Cairn's reader of reStructuredText with docutils, on clones of documentation.

usage: python bench/rst.py CLONE… [--misses N] [--json]

Needs docutils, which nothing else does: `pip install docutils`. CLONE is a git directory, bare or not; files are read
from HEAD with `git cat-file --batch`, and files that the clone lacks are counted. Pages are `*.rst`, and `*.txt` below
a folder that has `conf.py` and `index.txt`. Directives and roles that docutils does not know are stubs; the content of
a directive is read as Sphinx reads it. Compared are sections (id and line), explicit targets (name and line), and
references (address, name or role with its target, and line). A reference counts as found only on the same line.
"""

import argparse
import io
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from cairn.lib.document.document import PageOutline
from cairn.lib.rst.outline import rst_outline

Fact = tuple[str, str, int]
"""(kind, value, line)."""

_TITLED = re.compile(r"^(.+?)\s*(?<!\x00)<([^<]*?)>$", re.DOTALL)
_NO_REFERENCE = frozenset(
    "abbr ac acronym abbreviation code command dfn emphasis file guilabel index kbd literal mailheader makevar math "
    "menuselection mimetype newsgroup program raw regexp samp strong sub subscript sup superscript t title "
    "title-reference".split()
)
_LITERAL = frozenset(
    "code-block code sourcecode parsed-literal doctest testcode testoutput testsetup testcleanup prompt ipython "
    "productionlist highlight index graphviz digraph graph inheritance-diagram autosummary tabularcolumns toctree "
    "literalinclude include math raw bibliography jinja plot uml plantuml mermaid blockdiag command-output "
    "program-output currentmodule py:currentmodule sectionauthor moduleauthor codeauthor program default-role "
    "console".split()
)
_NOT_DOCUTILS = frozenset(("class",))
"""Directives that Sphinx has taken over."""
_NO_ARGUMENT = frozenset("seealso todo hlist glossary centered acks tabs tab-set".split())
_TEXT_ARGUMENT = frozenset("versionadded versionchanged deprecated versionremoved".split())


class Tally(NamedTuple):
    wanted: int
    found: int
    extra: int
    misses: list[str]
    surplus: list[str]


# --- docutils -------------------------------------------------------------------------------------------------------


class Docutils:
    """Parses pages with docutils, and notes the line of everything inline, which docutils itself does not keep."""

    def __init__(self) -> None:
        from docutils import frontend, nodes, utils
        from docutils.parsers import rst
        from docutils.parsers.rst import directives, roles, states

        self._nodes, self._utils, self._rst = nodes, utils, rst
        self._lines: list[str] = []
        self.corrected = 0
        self._settings = frontend.get_default_settings(rst.Parser)
        self._settings.report_level = self._settings.halt_level = 6
        self._settings.warning_stream = io.StringIO()
        self._settings.file_insertion_enabled = self._settings.raw_enabled = False
        self._settings.syntax_highlight = "none"
        self._patch_inliner(states)
        self._patch_sections(states)
        self._patch_roles(roles, directives)
        self._patch_directives(rst, directives)

    def facts(self, text: str) -> Counter[Fact]:
        document = self._utils.new_document("page", self._settings)
        self._rst.Parser().parse(text, document)
        self._lines = text.split("\n")
        return Counter(self._walk(document))

    def _line(self, node: Any, sign: str) -> int:
        """The line of a node. docutils is one or two lines off in tables and some nested content: where its line does
        not have the text of the node and a neighbour does, the neighbour is meant, and the correction is counted."""
        stated: int = node.line or 0
        words = (getattr(node, "first_words", "") or node.rawsource.lstrip(".")).split()
        word = words[0] if words else sign
        for step in (0, -1, 1, -2, 2):
            if 0 < stated + step <= len(self._lines) and word in self._lines[stated + step - 1]:
                self.corrected += step != 0
                return stated + step
        return stated

    def _walk(self, document: Any) -> Iterator[Fact]:
        for node in document.findall():
            name = node.__class__.__name__
            if name == "section":
                yield "section", node["ids"][-1] if node["ids"] else "", node.heading_line
            elif name == "target" and not node.get("anonymous") and node["names"]:
                yield "target", node["names"][0], self._line(node, "_")
            elif name == "reference" and getattr(node, "is_inline", False):
                yield "reference", node.get("refuri") or node.get("refname") or "", self._line(node, "_")
            elif name == "cross_reference":
                yield "role", f"{node['role']} {node['target']}", self._line(node, ":")
            elif name == "image":
                yield "image", node["uri"], self._line(node, node["uri"])

    def _patch_inliner(self, states: Any) -> None:
        inliner = states.Inliner
        parse, standalone = inliner.parse, inliner.standalone_uri

        def parse_with_place(self: Any, text: str, lineno: int, memo: Any, parent: Any) -> Any:
            outer = getattr(self, "place", None)
            self.place = [text, lineno, 0]
            try:
                return parse(self, text, lineno, memo, parent)
            finally:
                self.place = outer

        def tagged(method: Any) -> Any:
            def call(self: Any, match: Any, lineno: int) -> Any:
                text, first, _ = self.place
                groups = match.groupdict()
                start = next(
                    match.start(g) for g in ("start", "role", "refname", "footnotelabel") if groups.get(g) is not None
                )
                result = method(self, match, lineno)
                position = len(text) - len(match.string) + start
                line = first + text.count("\n", 0, position)
                for node in result[1]:
                    node.line, node.is_inline, node.first_words = line, True, text[position : position + 60]
                return result

            return call

        def uri_with_place(self: Any, match: Any, lineno: int) -> Any:
            found = standalone(self, match, lineno)
            text, first, position = self.place
            at = text.find(match["whole"].replace("\0", "\\"), position)
            self.place[2] = max(at, position) + 1
            found[0].line, found[0].is_inline = first + text.count("\n", 0, max(at, 0)), True
            return found

        inliner.parse, inliner.standalone_uri = parse_with_place, uri_with_place
        inliner.dispatch = {sign: tagged(method) for sign, method in inliner.dispatch.items()}

    def _patch_sections(self, states: Any) -> None:
        new = states.RSTState.new_subsection

        def new_with_line(self: Any, title: str, lineno: int, messages: Any) -> Any:
            before = self.parent
            result = new(self, title, lineno, messages)
            added = before.children[-1] if before.children else self.parent
            section = added if added.__class__.__name__ == "section" else self.parent
            section.heading_line = lineno
            return result

        states.RSTState.new_subsection = new_with_line

    def _patch_roles(self, roles: Any, directives: Any) -> None:
        nodes, real = self._nodes, roles.role

        class cross_reference(nodes.Inline, nodes.TextElement):  # type: ignore[misc,name-defined]
            pass

        def reference(name: str, rawtext: str, text: str, *_: Any, **__: Any) -> Any:
            titled = _TITLED.match(text)
            target = " ".join((titled[2] if titled else text).split())
            if text.startswith("!"):
                return [nodes.Text(text)], []
            node = cross_reference(rawtext, role=name.lower(), target=target.lstrip("!~").replace("\0", ""))
            shown = titled[1] if titled else text
            node += nodes.Text(shown.replace("\0", ""))
            return [node], []

        def plain(_name: str, rawtext: str, text: str, *_: Any, **__: Any) -> Any:
            return [nodes.inline(rawtext, text.replace("\0", ""))], []

        def role(name: str, language: Any, lineno: int, reporter: Any) -> Any:
            if name and name.lower() in roles._roles:
                return roles._roles[name.lower()], []
            if not name or name.lower() in _NO_REFERENCE:
                return real(name, language, lineno, reporter)[0] or plain, []
            return reference, []

        roles.role = role
        self._local_roles = roles._roles

    def _patch_directives(self, rst: Any, directives: Any) -> None:
        nodes = self._nodes

        class Options(dict):  # type: ignore[type-arg]
            def __getitem__(self, key: str) -> Any:
                return directives.unchanged

            def __contains__(self, key: object) -> bool:
                return True

            def __bool__(self) -> bool:
                return True

        class Stub(rst.Directive):  # type: ignore[misc]
            optional_arguments = 1
            final_argument_whitespace = True
            has_content = True
            option_spec = Options()

            def run(self) -> Any:
                node = nodes.container()
                if self.arguments and self.name.lower() in _TEXT_ARGUMENT:
                    _, _, words = self.arguments[0].partition(" ")
                    if words:
                        found, _ = self.state.inline_text(words, self.lineno)
                        node += nodes.paragraph(words, "", *found)
                only = self.name.lower() in ("only", "ifconfig")
                memo = self.state.memo
                kept = memo.title_styles, memo.section_level
                if only:
                    memo.title_styles, memo.section_level = [], 0
                self.state.nested_parse(self.content, self.content_offset, node, match_titles=only)
                memo.title_styles, memo.section_level = kept
                return [node]

        class Bare(Stub):
            optional_arguments = 0

        class Literal(Stub):
            def run(self) -> Any:
                return []

        real = directives.directive

        def directive(name: str, language: Any, document: Any) -> Any:
            lowered = name.lower()
            if lowered in _LITERAL and lowered != "parsed-literal":
                return Literal, []
            if lowered in _NO_ARGUMENT:
                return Bare, []
            found, messages = real(name, language, document)
            return (Stub, []) if found is None or lowered in _NOT_DOCUTILS else (found, messages)

        directives.directive = directive


# --- ours -----------------------------------------------------------------------------------------------------------


def our_facts(page: PageOutline) -> Counter[Fact]:
    facts: Counter[Fact] = Counter()
    for heading in page.headings:
        facts["section", heading.ids[0], heading.line] += 1
    for target in page.targets:
        facts["target", target.name, target.line] += 1
    for link in page.links:
        if link.kind in ("link", "name", "auto") and link.role != "definition":
            facts["reference", link.target, link.line] += 1
        elif link.kind == "role":
            facts["role", f"{link.role.lower()} {link.target}", link.line] += 1
        elif link.kind == "image":
            facts["image", link.target, link.line] += 1
    return facts


def compare(name: str, wanted: Counter[Fact], ours: Counter[Fact]) -> Tally:
    missing, extra = wanted - ours, ours - wanted
    misses = [f"{name}:{line}: {kind} {value}" for (kind, value, line), n in missing.items() for _ in range(n)]
    surplus = [f"{name}:{line}: {kind} {value}" for (kind, value, line), n in extra.items() for _ in range(n)]
    return Tally(wanted.total(), wanted.total() - missing.total(), extra.total(), misses, surplus)


# --- clones ---------------------------------------------------------------------------------------------------------


def pages(clone: str) -> Iterator[tuple[str, str | None]]:
    """(path, text) of each page; None for a file that the clone lacks or that is no UTF-8."""
    listing = _git(clone, "ls-tree", "-r", "-z", "HEAD").decode("utf-8", "replace")
    blobs = {path: meta.split()[2] for meta, _, path in (row.partition("\t") for row in listing.split("\0") if row)}
    roots = [path[: -len("conf.py")] for path in blobs if path.endswith("conf.py")]
    roots = [root for root in roots if f"{root}index.txt" in blobs]
    wanted = [p for p in blobs if p.endswith(".rst") or (p.endswith(".txt") and any(p.startswith(r) for r in roots))]
    batch = subprocess.Popen(
        ["git", "-C", clone, "cat-file", "--batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert batch.stdin and batch.stdout
    for path in sorted(wanted):
        batch.stdin.write(f"{blobs[path]}\n".encode())
        batch.stdin.flush()
        head = batch.stdout.readline().split()
        data = batch.stdout.read(int(head[2]) + 1)[:-1] if len(head) == 3 else None
        try:
            yield path, data.decode() if data is not None else None
        except UnicodeDecodeError:
            yield path, None
    batch.stdin.close()
    batch.wait()


def _git(clone: str, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", clone, *arguments], check=True, capture_output=True).stdout


class Result(NamedTuple):
    clone: str
    pages: int
    missing: int
    kinds: dict[str, tuple[int, int, int]]
    """Kind: wanted, found, found by Cairn only."""
    misses: list[str]
    surplus: list[str]
    ours_us_per_kb: float
    docutils_us_per_kb: float


def measure(clone: str, docutils: Docutils) -> Result:
    kinds: dict[str, list[int]] = {}
    misses: list[str] = []
    surplus: list[str] = []
    count = missing = size = 0
    mine = theirs = 0.0
    for path, text in pages(clone):
        if text is None:
            missing += 1
            continue
        count += 1
        size += len(text.encode())
        docutils._local_roles.clear()
        start = time.perf_counter()
        wanted = docutils.facts(text)
        middle = time.perf_counter()
        page = rst_outline(path, text)
        mine, theirs = mine + time.perf_counter() - middle, theirs + middle - start
        ours = our_facts(page)
        for kind in ("section", "target", "reference", "role", "image"):
            one = compare(
                path,
                Counter({fact: n for fact, n in wanted.items() if fact[0] == kind}),
                Counter({fact: n for fact, n in ours.items() if fact[0] == kind}),
            )
            row = kinds.setdefault(kind, [0, 0, 0])
            row[:] = (row[0] + one.wanted, row[1] + one.found, row[2] + one.extra)
            misses += one.misses
            surplus += one.surplus
    per_kb = 1e6 / (size / 1024 or 1)
    table = {kind: (row[0], row[1], row[2]) for kind, row in kinds.items()}
    return Result(clone, count, missing, table, misses, surplus, mine * per_kb, theirs * per_kb)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+")
    parser.add_argument("--misses", type=int, default=20, help="list so many misses of each clone")
    parser.add_argument("--extra", type=int, default=0, help="list so many references that only Cairn found")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    try:
        docutils = Docutils()
    except ImportError:
        print("bench/rst.py needs docutils: pip install docutils")
        return 2
    results = [measure(clone, docutils) for clone in options.clones]
    if options.json:
        print(json.dumps([result._asdict() for result in results], indent=2))
        return 0
    for result in results:
        print(f"{result.clone}: {result.pages} pages, {result.missing} not in the clone or not UTF-8")
        for kind, (wanted, found, extra) in result.kinds.items():
            share = 100 * found / wanted if wanted else 100.0
            print(f"  {kind:10} {found:6} of {wanted:6} {share:7.2f} %   {extra:5} found by Cairn only")
        print(f"  µs per KB: {result.ours_us_per_kb:.0f}, docutils {result.docutils_us_per_kb:.0f}")
        for miss in result.misses[: options.misses]:
            print(f"  miss  {miss}")
        for one in result.surplus[: options.extra]:
            print(f"  extra {one}")
    wanted = sum(row[0] for result in results for row in result.kinds.values())
    found = sum(row[1] for result in results for row in result.kinds.values())
    print(f"all: {found} of {wanted}, {100 * found / max(wanted, 1):.2f} %")
    print(f"lines of docutils corrected: {docutils.corrected}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
