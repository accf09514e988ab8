"""The fast patterns find exactly what the patterns of the contract find."""

import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cairn
from cairn.plugin import Document
from unit.extensions.built_ins import extensions
from unit.extensions.fake_contexts import FakeExtractorContext

EXTRACTORS = dict(extensions("extractor"))
Reference = Callable[[str], Iterator[tuple[int, int]]]

PATH = re.compile(r"(?<![\w/:.-])(?:\.{1,2}\/)?[\w][\w.-]*(?:\/[\w.-]+)*\.md\b(?![\w/])", re.ASCII)
AT = re.compile(
    r"(?:^|[^A-Za-z0-9_@])(@(?:\.{1,2}\/|\/)?[A-Za-z0-9](?:[A-Za-z0-9_\-./]*[A-Za-z0-9_])?"
    r"(?::[A-Za-z0-9][A-Za-z0-9_-]*)?)"
)
SLASH = re.compile(r"(?<![A-Za-z0-9_/.:?#=&])(\/[A-Za-z0-9][A-Za-z0-9_-]*(?::[A-Za-z0-9][A-Za-z0-9_-]*)?)")
URL = re.compile(r"https?:\/\/[^\s<>\"'`)\]]+")


def paths(text: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in PATH.finditer(text))


def directives(text: str) -> Iterator[tuple[int, int]]:
    return (match.span(1) for match in AT.finditer(text) if not match[1].startswith("@/"))


def commands(text: str) -> Iterator[tuple[int, int]]:
    """With our one exception: a closing tag."""
    for match in SLASH.finditer(text):
        after, before = text[match.end() : match.end() + 1], text[: match.start()][-1:]
        if not re.match(r"[A-Za-z0-9_/-]", after) and before != "<":
            yield match.span(1)


def addresses(text: str) -> Iterator[tuple[int, int]]:
    for match in URL.finditer(text):
        url = match[0].rstrip(".,;:!?")
        if re.match(r"https?://(?>(?:[^/?#\\]*@)?)[^/?#\\:@\[]", url):
            yield match.start(), match.start() + len(url)


GRAMMARS: dict[str, tuple[Reference, str, str]] = {
    "core/backtick-path": (paths, "code_ranges", "am.d/:-_ \n\té(~"),
    "claude/at-directive": (directives, "prose", "aZ0@./:-_ \né(ſ"),
    "claude/slash-command": (commands, "prose", "aZ0/:-_.<#?=& \né(ſ"),
    "core/external-url-counter": (addresses, "prose", "a/:.@?#!)<\"' \n"),
}


def found(qualified: str, view: str, text: str) -> list[tuple[int, int]]:
    document = Document("docs/a.md", {}, text)
    setattr(document, f"_{view}", text if view == "prose" else [(0, len(text))])  # all of it is prose, or code
    ctx = FakeExtractorContext(document)
    EXTRACTORS[qualified].extract(ctx)
    return [(link["start"], link["end"]) for link in ctx.links]


@pytest.mark.parametrize("qualified", GRAMMARS)
@given(data=st.data())
def test_same_hits_on_any_text(qualified: str, data: st.DataObject) -> None:
    reference, view, alphabet = GRAMMARS[qualified]
    pieces = st.sampled_from([".md", "a.md", "./", "../", "http://", "https://", "@a", "/a", ":b-", "-@", " "])
    words = st.lists(st.text(st.sampled_from(alphabet), max_size=6) | pieces, max_size=14)
    text = "".join(data.draw(words))
    assert found(qualified, view, text) == list(reference(text))


@pytest.mark.parametrize("qualified", GRAMMARS)
def test_same_hits_on_real_text(qualified: str) -> None:
    """Our own source has paths, decorators, addresses and commands in plenty; brackets would make destinations."""
    reference, view, _ = GRAMMARS[qualified]
    hits: list[tuple[int, int]] = []
    for file in sorted(Path(cairn.__file__).parent.rglob("*.py")):
        text = file.read_text(encoding="utf-8").replace("]", "|")
        spans = list(reference(text))
        assert found(qualified, view, text) == spans
        hits += spans
    assert hits


@given(
    folder=st.sampled_from(["", "a", "a/b", ".x"]),
    path=st.lists(st.sampled_from(["a", "b.md", ".", "..", "/", "c.", ".d"]), min_size=1, max_size=6).map("/".join),
)
def test_paths_are_normalised_as_posix_does(folder: str, path: str) -> None:
    link: Any = None
    ctx = FakeExtractorContext(Document(f"{folder}/x.md".lstrip("/"), {}, f"[t]({path})"))
    EXTRACTORS["core/markdown-link"].extract(ctx)
    if path.startswith("//"):
        assert ctx.links == []
        return
    (link,) = ctx.links
    base = "" if path.startswith("/") else folder
    wanted = posixpath.normpath(posixpath.join(base, path.lstrip("/") or "."))
    assert link["target"].rstrip("/") == wanted
    assert link["target"].endswith("/") == (path.endswith("/") and wanted != ".")
