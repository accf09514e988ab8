"""Finds references of a reStructuredText page whose target the page does not define."""

import re
from collections.abc import Iterator
from functools import cached_property
from posixpath import dirname, normpath
from typing import TYPE_CHECKING, NamedTuple

from cairn.plugin import PageLink, PageOutline, format_of

if TYPE_CHECKING:
    from cairn.plugin import Repository

REFERENCES = re.compile(r"[\w`\]|]_(?!\w)|\|\S")
"""Something that may be a reference by name."""
_DIRECTIVE = re.compile(r"(?<!\S)\.\. +(?:\|[^|\n]+\| +)?([\w:.+-]+?) ?::(?=\s|$)", re.MULTILINE)
_SUBSTITUTION = re.compile(r"\.\. +\|([^|\n]+)\|")
_TITLED = re.compile(r"\.\. +contents::[ \t]*(.*)", re.IGNORECASE)
_INCLUDE = re.compile(r"\.\. +include::[ \t]+(\S+)")
_TEMPLATE = re.compile(r"\{\{|\{%|\$\{|%\(\w+\)|@\w+@")
"""Signs of a page that a program fills in."""
_MAY_DEFINE = re.compile(r"rst_prolog|rst_epilog|source-read|include-read|substitution")
"""Settings of a configuration, or of an extension beside it, that add names to pages."""
_PLAIN = re.compile(r"^rst_(?:prolog|epilog)\s*=\s*[rR]?(\"\"\"|''')(.*?)\1[ \t]*$", re.MULTILINE | re.DOTALL)
"""Text that a configuration adds to each page, if it is written there in full."""
_EXTENSIONS = re.compile(r"\bextensions\b\s*=\s*\[([^\]]*)\]|\bextensions\b")
_QUOTED = re.compile(r"[\"']([\w.]+)[\"']")
_FROM_ELSEWHERE = re.compile(r"import \*|\bexec\(")
_EXTENSION = re.compile(r"^def setup\(", re.MULTILINE)
_DOMAINS = re.compile(r"(?:py|c|cpp|js|rst|std):[\w-]+")
_LISTED = """
    admonition attention caution danger error hint important note tip warning seealso todo image figure topic sidebar
    line-block parsed-literal code code-block sourcecode math rubric epigraph highlights pull-quote compound container
    table csv-table list-table contents sectnum section-numbering replace unicode date class rst-class role default-role
    title meta raw literalinclude toctree versionadded versionchanged deprecated versionremoved centered hlist glossary
    productionlist index only tabularcolumns highlight highlightlang currentmodule module sectionauthor moduleauthor
    codeauthor acks doctest testcode testoutput testsetup testcleanup function class method staticmethod classmethod
    attribute data exception decorator decoratormethod property option envvar describe object program cmdoption confval
    graphviz digraph graph prompt type tabs tab group-tab tab-set tab-item dropdown configuration-block
"""
_KNOWN = frozenset(_LISTED.split())
"""Directives that add no names of their own, except those that a page shows."""
_BUILT_IN = frozenset(("version", "release", "today", "translation progress"))


class UndefinedName(NamedTuple):
    kind: str
    """`name`, `substitution`, `footnote` or `citation`."""
    name: str
    """As references are compared."""
    written: str
    line: int


class RstNames:
    """Answers for all pages of a repository."""

    def __init__(self, ctx: "Repository") -> None:
        self._ctx = ctx

    def undefined(self, page: PageOutline) -> Iterator[UndefinedName]:
        text = self._ctx.tree.text(page.path) or ""
        added = self._added(dirname(page.path)) if page.format == "rst" and self._is_whole(page, text) else None
        if added is None:
            return
        known = _Known.of(page, f"{text}\n{added}")
        for link in page.links:
            found = _reference(link)
            if found and not known.has(found) and not self._elsewhere(page.path, found):
                yield found

    def _elsewhere(self, path: str, found: UndefinedName) -> bool:
        """Whether something besides the page may define it: another page a citation, an extension a substitution."""
        if found.kind == "citation":
            return found.name in self._citations
        conf = self._conf(dirname(path)) if found.kind == "substitution" else ""
        return conf != "" and _has_foreign_extensions(self._ctx.tree.text(conf) or "")

    def _is_whole(self, page: PageOutline, text: str) -> bool:
        """Whether everything that a reference of the page can mean is on the page."""
        used = {name.lower() for name in _DIRECTIVE.findall(text)}
        foreign = any(name not in _KNOWN and not _DOMAINS.fullmatch(name) for name in used)
        filled_in = any(map(_TEMPLATE.search, page.prose_lines))
        return not (foreign or filled_in or page.path in self._included)

    def _conf(self, folder: str) -> str:
        """The configuration of Sphinx for the pages of a folder; empty if there is none."""
        while (conf := f"{folder}/conf.py".lstrip("/")) not in self._ctx.tree.paths and folder:
            folder = dirname(folder)
        return conf if conf in self._ctx.tree.paths else ""

    def _added(self, folder: str) -> str | None:
        """The text that the configuration adds to the pages of a folder; None if nobody can tell."""
        conf = self._conf(folder)
        return self._added_by[conf] if conf else ""

    @cached_property
    def _added_by(self) -> dict[str, str | None]:
        return {conf: self._read(conf) for conf in self._ctx.tree.by_name.get("conf.py", ())}

    def _read(self, conf: str) -> str | None:
        text = self._ctx.tree.text(conf) or ""
        plain = "".join(found[2] for found in _PLAIN.finditer(text))
        beside = any(_MAY_DEFINE.search(extension) for extension in self._extensions(dirname(conf)))
        unknown = _MAY_DEFINE.search(_PLAIN.sub("", text)) or _FROM_ELSEWHERE.search(text) or beside
        return None if unknown or _INCLUDE.search(plain) else plain

    def _extensions(self, folder: str) -> Iterator[str]:
        """The texts of extensions of Sphinx in a folder."""
        start = f"{folder}/" if folder else ""
        inside = (path for path in self._ctx.tree.paths if path.startswith(start) and path.endswith(".py"))
        texts = (self._ctx.tree.text(path) or "" for path in inside if path.rpartition("/")[2] != "conf.py")
        return (text for text in texts if _EXTENSION.search(text))

    @cached_property
    def _included(self) -> frozenset[str]:
        """Pages that others include."""
        return frozenset(
            normpath(f"{dirname(path)}/{target}".lstrip("/"))
            for path in self._ctx.tree.documents
            if format_of(path) in ("rst", "markdown")
            for target in _INCLUDE.findall(self._ctx.tree.text(path) or "")
        )

    @cached_property
    def _citations(self) -> frozenset[str]:
        """Sphinx finds citations of other pages."""
        pages = (self._ctx.tree.page(path) for path in self._ctx.tree.documents if format_of(path) == "rst")
        return frozenset(target.name for page in pages if page for target in page.targets)


def _has_foreign_extensions(conf: str) -> bool:
    """Whether a configuration uses extensions that are not part of Sphinx; also if nobody can tell."""
    for found in _EXTENSIONS.finditer(conf):
        listed = _QUOTED.findall(found[1] or "")
        if found[1] is None or any(not name.startswith("sphinx.ext.") for name in listed):
            return True
    return False


class _Known(NamedTuple):
    names: frozenset[str]
    substitutions: frozenset[str]
    text: str

    @classmethod
    def of(cls, page: PageOutline, text: str) -> "_Known":
        names = {target.name.lstrip("#") for target in page.targets} | {target.name for target in page.targets}
        names |= {normal(heading.text) for heading in page.headings}
        names |= {normal(title) or "contents" for title in _TITLED.findall(text)}
        return cls(frozenset(names), frozenset(map(normal, _SUBSTITUTION.findall(text))), normal(text))

    def has(self, found: UndefinedName) -> bool:
        name = found.name
        if found.kind == "substitution":
            return name in self.substitutions or name in _BUILT_IN
        if found.kind in ("footnote", "citation"):
            return name in self.names or "#" in self.names or "*" in self.names
        # A target in a place that is not read, or the argument of a directive, is one for this purpose.
        return name in self.names or any(sign in self.text for sign in (f"_{name}:", f"_`{name}`", f":: {name}"))


def normal(text: str) -> str:
    """A name as references are compared."""
    return " ".join(text.lower().split())


def _reference(link: PageLink) -> UndefinedName | None:
    if link.kind in ("name", "substitution") and link.target:
        name, shown = normal(link.target), " ".join(link.text.split())
        return UndefinedName(link.kind, name, shown if normal(shown) == name else link.target, link.line)
    if link.kind == "footnote" and link.target not in ("#", "*"):
        return UndefinedName(link.role or "footnote", normal(link.target), link.target, link.line)
    return None
