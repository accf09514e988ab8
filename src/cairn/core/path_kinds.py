"""Recognises by name which files are code, tests and settings. `scope.py` does it for documents."""

import re
from posixpath import basename


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TEST = re.compile(
    r"(?:\w+[-_])?(?:tests?|specs?|testing|fixtures|testdata|e2e|__tests__)(?:[-_]\w+)?|[\w.]+\.(?:tests?|specs?)(?:\.[\w.]+)?"
)
_TEST_FOLDER = re.compile(r"[\w.]*[a-z]Tests?")
"""`UnitTests`, as Swift, Java and C# write it."""
_TEST_FILE = re.compile(r"(?:test_.*|.*[._-](?:test|spec)s?\.\w+|conftest\.py)")
_NOISE = re.compile(
    r"(?:.*baseline.*\.(?:xml|json|neon|ya?ml|toml)|package-lock\.json|pnpm-lock\.yaml|.+\.lock|.+\.min\.(?:js|css)|.+\.(?:svg|map|ipynb))",
    re.I,
)
_PROSE = (".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc", ".po", ".pot", ".html", ".htm")

_PLAIN = _words(
    "pkg-info metadata readme copying license licence authors contributors notice todo news changes changelog"
)


def _is_prose(path: str) -> bool:
    return path.lower().endswith(_PROSE) or basename(path).lower() in _PLAIN


def is_code_noise(path: str) -> bool:
    """No code: prose, or what a program wrote."""
    return _is_prose(path) or _NOISE.fullmatch(basename(path)) is not None


def is_hidden(path: str) -> bool:
    """Settings of tools, whose words are those of the tool."""
    return path.startswith(".") or "/." in path


def is_test(path: str) -> bool:
    """Code that only tries other code out; a name that lives there alone is nobody's interface."""
    *folders, name = path.split("/")
    if any(_TEST.fullmatch(folder.lower()) or _TEST_FOLDER.fullmatch(folder) for folder in folders):
        return True
    return _TEST_FILE.fullmatch(name.lower()) is not None


_ASIDE = re.compile(
    r"(?:^|/)(?:_?generated|__generated__|gen|assets|references|(?<!src/main/)resources|examples?|samples?|demos?|docs_src"
    r"|(?:[\w.]+[-_.])?bench(?:es|marks?)?"
    r"|tutorials?|(?:[\w-]+\.)?playgrounds?|docs?|documentation|website|www|sites?|docs-site|blog)/"
)


def is_beside_the_product(path: str) -> bool:
    """Examples, documentation and generated code: it uses the names of the product and defines none."""
    return _ASIDE.search(path.lower()) is not None
