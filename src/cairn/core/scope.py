"""Tells documents of today from others, and code from tests and noise, by path and first lines."""

import re
from enum import StrEnum
from posixpath import basename, splitext


class Scope(StrEnum):
    CURRENT = "current"
    """A page of this project for its readers today."""
    PAST = "past"
    """Changelogs, dated notes, decision records, audits, archives, migration guides, old versions. They may name things
    that no longer exist."""
    FIXTURE = "fixture"
    """Material of tests, templates and snapshots. It is not addressed to readers."""
    GENERATED = "generated"
    """Written by a program; the source of the text is elsewhere."""
    VENDORED = "vendored"
    """Other people's text: licences and copies of dependencies."""
    TRANSLATION = "translation"
    """The same page in another language; the original is checked."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FOLDERS = {
    Scope.VENDORED: _words(
        "node_modules vendor vendors vendored third_party third-party thirdparty 3rdparty external extern "
        "site-packages _vendor _vendored bower_components deps pods godeps carthage"
    ),
    Scope.FIXTURE: _words(
        "fixtures fixture testdata test-data test_data test-fixtures __fixtures__ __snapshots__ snapshots golden "
        "goldens cassettes __tests__ e2e templates template _templates scaffold scaffolds boilerplate boilerplates "
        "docs_src cookiecutter evals eval-data corpus-data benchmark-data __mocks__ mocks snippets _snippets include "
        "includes _includes partials _partials fragments _fragments"
    ),
    Scope.PAST: _words(
        "archive archives archived _archive attic legacy old obsolete deprecated deprecations versioned_docs changelog "
        "changelogs changes changelog.d changes.d newsfragments news releases release-notes release_notes "
        "releasenotes relnotes whatsnew whats-new blog blogs posts _posts rfc rfcs adr adrs decisions "
        "proposals keps peps migration upgrade upgrading upgrades .changeset changesets plans "
        "plan reports postmortems minutes journal research audits reviews retrospectives design-docs "
        "newsletters newsletter roadmap roadmaps prd prds sep seps enhancements chats transcripts conversations "
        "bug-fixes bugfixes .taskmaster .specstory .planning .plan .plans"
    ),
    Scope.GENERATED: _words("dist _site _build .venv venv __pycache__ generated autogen _autosummary"),
    Scope.TRANSLATION: _words("locale locales i18n translations translated l10n"),
}
_TOPICS = _words("templates template external extern deps")
"""Folders that are chapters of a manual below a folder of documents."""
_BY_FOLDER = {name: scope for scope, names in _FOLDERS.items() for name in names}
_ACTING = _words(
    ".claude .cursor .skills .agents .codex .gemini .opencode .windsurf .clinerules .continue .roo .kiro .kilocode "
    ".junie commands agents skills rules prompts"
)
"""Folders of files that agents act on: a command called `release` or `migrate` is no record of the past."""
_GITHUB = _words("actions workflows issue_template pull_request_template discussion_template")
"""Folders of `.github` whose texts are filled in and shown elsewhere."""
_TOP_GENERATED = _words("build out target")
_TESTS = _words("test tests")
_SAMPLES = _words(
    "sample samples example examples demo demos playground playgrounds sandbox showcase skeleton bench benches "
    "benchmark benchmarks eval evaluation fuzz testing unittests"
)
_DOCS = _words("doc docs documentation content website guide guides manual pages book api-docs")
_LANGUAGE = (
    "ar|az|bg|bn|ca|cs|da|de|el|es|et|fa|fi|fr|he|hi|hr|hu|hy|id|it|ja|ka|kk|ko|lt|lv|ms|my|nb|nl|nn|no|pl|pt|ro|"
    "ru|sk|sl|sq|sr|sv|ta|te|th|tr|uk|ur|uz|vi|yo|zh|cn|tw|br|jp|kr|ua"
)
_ALSO_WORDS = "id|hr|no|it|my|ms|el|he|te|ta|br|es|de|da|et|sl|tr|cn"
"""Languages whose codes end the names of other pages as well: `session-id`, `policies-hr`."""
_PLAIN_LANGUAGE = re.compile(rf"(?:{_LANGUAGE})", re.IGNORECASE)
_REGIONAL_LANGUAGE = re.compile(rf"(?i:(?:{_LANGUAGE})[-_](?:[a-z]{{2}}|hans|hant))|[a-z]{{2,3}}[-_][A-Z]{{2}}")
_TRANSLATED_FOLDER = re.compile(rf"(?:guide|docs?|manual|book|wiki)[-_](?:{_LANGUAGE})", re.IGNORECASE)
_TRANSLATED_FILE = re.compile(
    rf"\A(?:readme|.+\.)[._-]?(?:{_LANGUAGE})(?:[-_](?:[A-Za-z]{{2}}|hans|hant))?"
    rf"|\A.+[_-](?!(?:{_ALSO_WORDS})$)(?:{_LANGUAGE})(?:[-_](?:[A-Za-z]{{2}}|hans|hant))?",
    re.IGNORECASE,
)
_FIXTURES = re.compile(r"(?:^|[-_.])(?:fixtures?|testdata|snapshots?)(?:[-_.]|$)")
_VERSION_FOLDER = re.compile(r"@?v?\d+(?:\.\d+)*(?:\.x)?|version[-_]?\d.*", re.IGNORECASE)
_DATED = re.compile(r"(?:^|[-_. ])(?:19|20)\d\d[-_.]?(?:0[1-9]|1[0-2])(?:[-_.]?(?:0[1-9]|[12]\d|3[01]))?(?:[-_. ]|$)")
_PAST_FILE = re.compile(
    r"releases|(?:history|news)(?:[-_. ](?:v?\d.*|archive|old|log))?|"
    r"(?:change|changes|changelog|release[-_ ]?notes?|whats?[-_ ]?new|upgrad(?:e|es|ing)|"
    r"migrat(?:e|ion|ions|ing)|deprecat(?:ed|ion|ions)|roadmap|todo|postmortem|retrospective|breaking[-_ ]?changes?)"
    r"(?:[-_. ].*|(?:to|from)\w+)?"
    r"|(?:.*[-_. ])?(?:api|breaking)[-_ ]?changes(?:[-_. ].*)?"
    r"|(?:.*[-_. ])?(?:changelog|release[-_]?notes?|migration(?:[-_ ]guide)?|upgrading|upgrade[-_ ]guide"
    r"|postmortem|retrospective|rationale|rfc)|(?:rfc|prd|adr)[-_ ].+"
    r"|(?:adr|rfc(?![1-9]\d{3}$)|[a-z]?(?:ep|ip)|srfi|issue|ticket|task)[-_]?\d{2,5}(?:[-_. ].*)?|\d{4}[-_. ].+"
    r"|(?:.+[-_. ])?hand-?(?:over|off)(?:[-_. ].+)?"
    r"|.+[-_. ](?:old|bak|orig|announcement|legacy)|(?:readme|index|agents|claude|notes?)[-_. ]backup"
    r"|(?:test|run|work|dev|build|session)[-_ ]?logs?"
    r"|v?\d+\.\d+[\w.]*(?:[-_ ].+)?",
    re.IGNORECASE,
)
"""A standard such as `rfc7518` has four digits and no zero before them; a page of that name explains it."""
_WORKING_PAPER = re.compile(
    r".+[-_. ](?:plan|proposal|report|findings|summary|done|todo|audit(?:[-_. ]r?\d+)?)|review|findings", re.IGNORECASE
)
"""Except in a folder of guides, where `night-plan` explains one."""
_GUIDES = _words("guide guides how-to howto tutorial tutorials manual handbook reference runbooks")
_PARTIAL_FILE = re.compile(r"_(?!index$|sidebar$|navbar$|category_$)[A-Za-z].*", re.IGNORECASE)
"""Parts that other pages include."""
_TEMPLATE_FILE = re.compile(r"(?:.*[-_.])?template", re.IGNORECASE)
_VENDORED_FILE = re.compile(
    r"(?:(?:un)?licen[cs]es?|copying|notice|authors|contributors|third[-_ ]?party[-_ \w]*|pkg-info)(?:[-_. ].*)?", re.I
)
_INTEGRATIONS = re.compile(r"third[-_ ]?party[-_ ](?:libraries|integrations|tools|services|plugins)", re.I)
"""In a folder of guides such a page explains how to use them."""
_GENERATED = re.compile(
    r"@generated\b|\bauto[- ]?generated\b|\b(?:this|file|page|document)\b[^\n]{0,40}\bgenerated (?:by|from|with)\b|"
    r"\bdo not edit\b",
    re.IGNORECASE,
)
_DATED_HEAD = re.compile(
    r"^[>\s*_|-]{0,20}(?:date|created|drafted|proposed)[\s*_:|]{1,10}(?:19|20)\d\d-\d\d", re.I | re.M
)
_STATUS_HEAD = re.compile(r"^[>\s*_|-]{0,20}status[\s*_]{0,5}:", re.IGNORECASE | re.MULTILINE)
_NOT_SHOWN = re.compile(
    r"<!--.*?-->|\{/\*.*?\*/\}|\A---\n.*?\n---\n|^\.\. [^\n]*|^\[//\]: #[^\n]*", re.DOTALL | re.MULTILINE
)
"""Comments and frontmatter. A sentence for readers may talk about generated files."""
_HEAD = 600
_RELEASE = re.compile(
    r"^#{1,3}[ \t]{0,3}\[?(?:release|version)?[ \t]?v?\d++\.\d++(?:\.\d++)?[\w.-]{0,20}\]?"
    r"[ \t]{0,3}(?:[-–(][^\n]{0,60})?$",
    re.IGNORECASE | re.MULTILINE,
)
_RELEASES = 3


def scope_of(path: str, text: str = "") -> Scope:
    """The scope of a document. `text` may be its beginning only; without it, generated pages are told by path alone."""
    *folders, name = path.split("/")
    stem = splitext(name)[0]
    acts = is_for_agents(path) and stem != "CHANGELOG"
    if found := _by_folders(folders, stem):
        return found
    if _TEMPLATE_FILE.fullmatch(stem) or _PARTIAL_FILE.fullmatch(stem):
        return Scope.FIXTURE
    guides = not _GUIDES.isdisjoint(folder.lower() for folder in folders)
    if _VENDORED_FILE.fullmatch(stem) and not (guides and _INTEGRATIONS.fullmatch(stem)):
        return Scope.VENDORED
    if not acts and (
        _PAST_FILE.fullmatch(stem) or _DATED.search(stem) or (not guides and _WORKING_PAPER.fullmatch(stem))
    ):
        return Scope.PAST
    if _TRANSLATED_FILE.fullmatch(stem):
        return Scope.TRANSLATION
    if _is_generated(text[:_HEAD]):
        return Scope.GENERATED
    if not acts and (_is_record(text[:_HEAD]) or _is_log(text)):
        return Scope.PAST
    return Scope.CURRENT


def _is_generated(head: str) -> bool:
    """Whether a comment, the frontmatter, a warning or the first line says that a program wrote the page."""
    first, *rest = head.lstrip().split("\n")
    marked = [line for line in rest if line.lstrip().startswith((">", "!!!", ":::"))]
    return any(_GENERATED.search(part) for part in (first, *marked, *_NOT_SHOWN.findall(head)))


def _is_log(text: str) -> bool:
    """Whether several headings are versions and nothing else, as in release notes."""
    return len(_RELEASE.findall(text)) >= _RELEASES


def _is_record(head: str) -> bool:
    """Whether the first lines have the date and the status of a design."""
    return _DATED_HEAD.search(head) is not None and _STATUS_HEAD.search(head) is not None


_ON_FORGE = re.compile(
    r"(?:.*/)?(?:readme|contributing|agents|claude|gemini|skill)[^/]*|[^/]+|\..+|(?:.*/)?knowledge/.+", re.I
)


def is_read_on_forge(path: str) -> bool:
    """Whether people and agents read the page beside the code, whatever program makes a site of the others."""
    return _ON_FORGE.fullmatch(path) is not None or is_for_agents(path)


def is_for_agents(path: str) -> bool:
    """Whether agents act on the file: a command, a skill, a rule."""
    return not _ACTING.isdisjoint(path.lower().split("/")[:-1])


_CHANGE_GUIDE = re.compile(r"(?:.*[-_. ])?(?:migrat|upgrad|deprecat)[a-z]*(?:[-_. ].*)?")
_RECORDS = _FOLDERS[Scope.PAST] - _words("migration upgrade upgrading upgrades")


def explains_change(path: str) -> bool:
    """Whether the page explains how to get from one version to another. It names things that no longer exist, but
    answers questions of readers today."""
    *folders, name = path.lower().split("/")
    stem = splitext(name)[0]
    guide = any(_CHANGE_GUIDE.fullmatch(part) for part in (*folders, stem))
    return guide and _RECORDS.isdisjoint(folders) and not _DATED.search(stem)


def is_sample(path: str) -> bool:
    """Whether the file is part of an example, a demo or a benchmark. It is checked like any page, but no knowledge of
    this project. The README of such a folder is; below a folder of documents it is a chapter."""
    *folders, name = path.lower().split("/")
    own = folders[:-1] if splitext(name)[0] == "readme" else folders
    first = next((folder for folder in own if folder in _SAMPLES or folder in _DOCS), "")
    return first in _SAMPLES


def _by_folders(folders: list[str], stem: str) -> Scope | None:
    """Below a folder of commands and the like, no folder tells that its files are about the past."""
    for depth, folder in enumerate(folders):
        lowered = folder.lower()
        above = {name.lower() for name in folders[:depth]}
        acts = lowered in _ACTING or not above.isdisjoint(_ACTING)
        found = None if lowered in _TOPICS and above & _DOCS else _BY_FOLDER.get(lowered)
        if found and not (acts and found is Scope.PAST):
            return found
        if (
            lowered.endswith("_template")
            or (lowered in _GITHUB and ".github" in above)
            or "cookiecutter" in lowered
            or "{{" in lowered
            or _FIXTURES.search(lowered)
        ):
            return Scope.FIXTURE
        if lowered in _TESTS and not above & _DOCS and (stem.lower() != "readme" or depth < len(folders) - 1):
            return Scope.FIXTURE
        if depth == 0 and lowered in _TOP_GENERATED:
            return Scope.GENERATED
        if not acts and (
            _DATED.search(folder)
            or lowered.endswith(("-notes", "_notes", "-archived", "_archived"))
            or lowered.startswith(("release-notes", "release_notes"))
            or (above & _DOCS and _VERSION_FOLDER.fullmatch(lowered) and _may_be_version(folders[:depth], lowered))
        ):
            return Scope.PAST
        if _REGIONAL_LANGUAGE.fullmatch(folder) or _TRANSLATED_FOLDER.fullmatch(folder):
            return Scope.TRANSLATION
        if above & _DOCS and _PLAIN_LANGUAGE.fullmatch(folder):
            return Scope.TRANSLATION
    return None


def _may_be_version(above: list[str], name: str) -> bool:
    """A bare number is a version below the folder of documents; below a topic it is a part of its name: OAuth 1."""
    return not name.isdigit() or len(name) > 2 or above[-1].lower() in _DOCS | _VERSIONS


_VERSIONS = _words("version versions latest")
_TEST = re.compile(
    r"(?:\w+[-_])?(?:tests?|specs?|testing|fixtures|testdata|e2e|__tests__)(?:[-_]\w+)?|[\w.]+\.(?:tests?|specs?)(?:\.[\w.]+)?"
)
_TEST_FOLDER = re.compile(r"[\w. ]*[a-z] ?Tests?")
"""`UnitTests`, as Swift, Java and C# write it; `App Tests`, as Xcode does."""
_TEST_FILE = re.compile(r"(?:test_.*|.*[._-](?:test|spec)s?\.\w+|conftest\.py)")
_NOISE = re.compile(
    r"(?:.*baseline.*\.(?:xml|json|neon|ya?ml|toml)|package-lock\.json|pnpm-lock\.yaml|.+\.lock|.+\.min\.(?:js|css)|.+\.(?:svg|eps|map|ipynb)|_ide_helper\w*\.php)",
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


_SITE = re.compile(
    r"(?:^|/)(?:(?:(?:mkdocs|zensical|antora|_quarto|_toc|\.readthedocs)\.(?:ya?ml|toml)|book\.toml|mint\.json"
    r"|(?:sidebars?|docusaurus\.config)(?:[-.]\w+)*\.(?:[cm]?[jt]s|json))\Z|\.(?:vitepress|vuepress)/)"
)
"""Configuration of a site of documents: titles of pages, and their paths."""


def is_beside_the_product(path: str) -> bool:
    """Examples, documentation and generated code: it uses the names of the product and defines none."""
    lowered = path.lower()
    return _ASIDE.search(lowered) is not None or _SITE.search(lowered) is not None
