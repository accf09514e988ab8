"""Which files are worth a look, told by their names alone."""

import re
from posixpath import basename, splitext

from cairn.kernel.text.outline import format_of


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FOREIGN = _words(
    "node_modules vendor vendored third_party third-party thirdparty external extern site-packages _vendor "
    "fixtures fixture testdata test-data test_data __fixtures__ __snapshots__ snapshots golden goldens cassettes "
    "test tests spec specs __tests__ e2e templates template _templates scaffold scaffolds boilerplate cookiecutter "
    "archive archived attic legacy old obsolete deprecated dist build target out site _site .venv venv "
    "locale locales i18n translations translated l10n versioned_docs benchmark-data corpus-data samples"
)
"""Folders whose files are somebody else's, made by a program, kept for the record, or material of tests."""
_LANGUAGE = _words(
    "ar az bg bn ca cs da de el es et fa fi fr he hi hr hu hy id it ja ka kk ko lt lv ms my nb nl nn no pl pt ro "
    "ru sk sl sq sr sv ta te th tr uk ur uz vi yo zh em cn tw br jp kr ua"
)
_TRANSLATED_FOLDER = re.compile(rf"(?:{'|'.join(sorted(_LANGUAGE))})(?:[-_][A-Za-z]{{2,4}})?", re.IGNORECASE)
_TRANSLATED_FILE = re.compile(rf".+[._-](?:{'|'.join(sorted(_LANGUAGE))})(?:[-_][A-Za-z]{{2,4}})?", re.IGNORECASE)
_VERSIONED = re.compile(r"v?\d+(?:\.\d+)*(?:\.x)?|version[-_]?\d.*", re.IGNORECASE)
_HISTORY_FILE = re.compile(
    r"(?:change|changes|changelog|history|news|releases?|release[-_ ]?notes?|whats?[-_ ]?new|upgrad\w*|migrat\w*|"
    r"deprecat\w*|licen[cs]e\w*|copying|notice|authors?|contributors?|credits|thanks|acknowledg\w*|roadmap|todo|"
    r"code[-_ ]of[-_ ]conduct|governance|security|sponsors?|backers|third[-_ ]?party[-_ \w]*|citation)"
    r"(?:[-_. ].*)?|.*(?:changelog|release[-_]?notes?|migration|upgrading)",
    re.IGNORECASE,
)
_HISTORY_FOLDER = _words(
    "changelog changelogs changes changelog.d changes.d newsfragments news releases release-notes release_notes blog "
    "posts rfc rfcs adr adrs decisions proposals keps peps history migrations migration upgrade .changeset changesets "
    "plans plan reports postmortems minutes notes journal research tasks"
)
_TEST = re.compile(r"(?:\w+[-_])?(?:tests?|specs?|testing|fixtures|testdata|e2e|__tests__)(?:[-_]\w+)?")
_TEST_FILE = re.compile(r"(?:test_.*|.*[._-](?:test|spec)s?\.\w+|conftest\.py)")
_RELEASES = "release"
_NOISE = re.compile(r"(?:package-lock\.json|pnpm-lock\.yaml|.+\.lock|.+\.min\.(?:js|css)|.+\.(?:svg|map|ipynb))", re.I)
_PROSE = (".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc", ".po", ".pot", ".html", ".htm")

_PLAIN = _words(
    "pkg-info metadata readme copying license licence authors contributors notice todo news changes changelog"
)


def is_document(path: str) -> bool:
    """A page of this project for its readers, in its main language."""
    if format_of(path) is None:
        return False
    *folders, name = path.split("/")
    return not any(_foreign_folder(folder) for folder in folders) and not _TRANSLATED_FILE.fullmatch(splitext(name)[0])


def _foreign_folder(name: str) -> bool:
    lowered = name.lower()
    if lowered in _FOREIGN or _VERSIONED.fullmatch(lowered) or "cookiecutter" in lowered or "{{" in lowered:
        return True
    return _TRANSLATED_FOLDER.fullmatch(name) is not None


def is_history(path: str) -> bool:
    """A page that tells what was, such as a changelog or a decision, and need not be true of today's code."""
    *folders, name = path.split("/")
    if any(folder.lower() in _HISTORY_FOLDER or _RELEASES in folder.lower() for folder in folders):
        return True
    return _HISTORY_FILE.fullmatch(splitext(basename(name))[0]) is not None


def is_prose(path: str) -> bool:
    return path.lower().endswith(_PROSE) or basename(path).lower() in _PLAIN


def is_code_noise(path: str) -> bool:
    """No code: prose, or what a program wrote."""
    return is_prose(path) or _NOISE.fullmatch(basename(path)) is not None


def is_hidden(path: str) -> bool:
    """Settings of tools, whose words are those of the tool."""
    return path.startswith(".") or "/." in path


def is_test(path: str) -> bool:
    """Code that only tries other code out; a name that lives there alone is nobody's interface."""
    *folders, name = path.lower().split("/")
    return any(_TEST.fullmatch(folder) for folder in folders) or _TEST_FILE.fullmatch(name) is not None
