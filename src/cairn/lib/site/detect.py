"""Finds the documentation sites of a repository by their configuration files."""

import re
from collections.abc import Callable, Iterable, Sequence
from posixpath import basename, dirname, join, normpath
from typing import NamedTuple

from cairn.lib.markdown.slugs import Renderer
from cairn.lib.site.follow import DocsSite, Read


class LiteralValue(NamedTuple):
    text: str | None
    """None if the key is missing or its value is computed."""
    computed: bool


MISSING = LiteralValue(None, False)
_COMMENT = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|//[^\n]*|/\*.*?(?:\*/|\Z)""", re.DOTALL
)


def without_comments(script: str) -> str:
    """JavaScript without comments. A `//` in a string is not a comment."""
    return _COMMENT.sub(lambda found: found[1] or "", script)


def string_of(script: str, key: str) -> LiteralValue:
    """The string at the first `key: "…"` or `key = "…"`."""
    found = strings_of(script, key)
    return found[0] if found else MISSING


def strings_of(script: str, key: str) -> list[LiteralValue]:
    """The string at every `key: "…"`. A value that is not a plain string is computed."""
    pattern = rf"""(?<![\w.$-])["']?{key}["']?\s*[:=](?!=)\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`$]*)`|(\S))"""
    return [_value(found) for found in re.finditer(pattern, script)]


def _value(found: re.Match[str]) -> LiteralValue:
    if found[4] is not None:
        return LiteralValue(None, True)
    return LiteralValue(found[1] or found[2] or found[3] or "", False)


def has_key(script: str, key: str) -> bool:
    return re.search(rf"""(?<![\w.$-])["']?{key}["']?\s*:""", script) is not None


def yaml_value(text: str, key: str) -> str | None:
    """The plain value of a key at the top of a YAML file, which may have tags that no loader knows."""
    found = re.search(rf"^{key}:[ \t]*+((?:[^ \t\n]++|[ \t]++(?!#|$))*+)[ \t]*+(?:(?<=[ \t])#.*)?$", text, re.MULTILINE)
    return found[1].strip("\"'") if found and found[1] else None


def yaml_names(text: str, key: str) -> frozenset[str]:
    """The names listed under a key at the top of a YAML file: `- name` or `- name:`."""
    found = re.search(rf"^{key}:[ \t]*\n((?:[ \t]+.*\n?|-.*\n?|[ \t]*\n|#.*\n)*)", text, re.MULTILINE)
    return frozenset(re.findall(r"^[ \t]*-[ \t]+[\"']?([\w./-]+)", found[1], re.MULTILINE)) if found else frozenset()


_SCRIPT = r"\.(?:[cm]?[jt]s)$"


class _Config(NamedTuple):
    """A configuration file, and the repository around it."""

    path: str
    text: str
    known: frozenset[str]
    read: Read

    @property
    def home(self) -> str:
        return dirname(self.path)

    def has_folder(self, folder: str) -> bool:
        return not folder or any(path.startswith(f"{folder}/") for path in self.known)


def sites(paths: Iterable[str], read: Read) -> tuple[DocsSite, ...]:
    """All sites, the deepest document folder first."""
    known = frozenset(paths)
    found = [
        site
        for path in sorted(known)
        for pattern, detect in _DETECTORS
        if pattern.search(path) and not _NOT_A_SITE.search(path)
        for site in detect(_Config(path, read(path) or "", known, read))
    ]
    return tuple(sorted(found, key=lambda site: (-len(site.root), site.kind, site.home)))


def site_of(path: str, found: Sequence[DocsSite]) -> DocsSite | None:
    """The site with the deepest document folder that holds the path. `found` is the result of `sites`."""
    for site in found:
        if not site.root or path.startswith(f"{site.root}/"):
            return site
    near = [site for site in found if site.home and path.startswith(f"{site.home}/")]
    if not near:
        return None
    reason = f"only `{near[0].root}` is the document folder of this site"
    return max(near, key=lambda site: len(site.home))._replace(certain=False, reason=reason)


def forge_of(paths: Iterable[str], remote: str = "") -> Renderer:
    """The forge that shows documents outside sites. The remote is the address of the repository, if known."""
    if remote:
        return Renderer.GITLAB if "gitlab" in remote else Renderer.GITHUB
    tops = {path.partition("/")[0] for path in paths}
    return Renderer.GITLAB if ".gitlab-ci.yml" in tops and ".github" not in tops else Renderer.GITHUB


def renderers_of(path: str, site: DocsSite | None, forge: Renderer) -> tuple[Renderer, ...]:
    """The renderers that show a document. A document of a site is also read on the forge."""
    if site is None:
        return (forge,)
    if site.kind == "sphinx" and path.endswith((".md", ".markdown")):
        return (Renderer.MYST, Renderer.SPHINX, forge)
    return (site.renderer, forge)


_NOT_A_SITE = re.compile(
    r"(?:^|/)(?:node_modules|vendor|third_party|__fixtures__|fixtures?|tests?|testdata|templates?)/"
)


def _folder(*parts: str) -> str:
    joined = normpath(join(*parts))
    return "" if joined == "." else joined


# --- MkDocs, Sphinx, mdBook, Jekyll, Hugo ---------------------------------------------------------------------------

_PAGE_PLUGINS = ("gen-files", "monorepo", "multirepo", "i18n", "api-autonav", "mkdoxy")
_HEADING_PLUGINS = ("mkdocstrings", "macros", "include-markdown", "mkapi", "click", "swagger-ui-tag")


def _mkdocs(config: _Config) -> list[DocsSite]:
    home, text = config.home, config.text
    if inherited := yaml_value(text, "INHERIT"):
        text += "\n" + (config.read(_folder(home, inherited)) or "")
    plugins = {name.removeprefix("material/") for name in yaml_names(text, "plugins")}
    pages = [name for name in _PAGE_PLUGINS if name in plugins]
    hooks = [config.read(_folder(home, name)) or "" for name in yaml_names(text, "hooks")]
    pages += ["hooks"] * any("on_files" in hook for hook in hooks)
    root = _folder(home, yaml_value(text, "docs_dir") or "docs")
    site = DocsSite("mkdocs", root, _toc_renderer(text), home=home, base=_path_of_url(yaml_value(text, "site_url")))
    return [
        site._replace(
            certain=not pages,
            adds_files=bool(pages),
            reason=f"the MkDocs plugin `{pages[0]}` adds pages" if pages else "",
            page_is_folder=yaml_value(text, "use_directory_urls") not in ("false", "no", "off"),
            generates=(*(name for name in _HEADING_PLUGINS if name in plugins), *_separator(text)),
        )
    ]


def _separator(text: str) -> tuple[str, ...]:
    """A sign of its own between the words of anchors."""
    return ("toc",) if re.search(r"""^\s+separator:\s*["']?[^"'\s-]""", text, re.MULTILINE) else ()


_TABBED = re.compile(r"^([ \t]*)- pymdownx\.tabbed:[^\n]*\n(?:\1[ \t]++[^\n]*+\n|[ \t]*+\n){0,40}+", re.MULTILINE)
"""The settings of tabs, whose titles have anchors by a rule of their own."""


def _toc_renderer(text: str) -> Renderer:
    found = re.search(r"slugify:[ \t]*(.*(?:\n[ \t]+(?:kwds|case).*)*)", _TABBED.sub("", text))
    if not found:
        return Renderer.MKDOCS
    if "pymdownx" in found[1]:
        lower = "lower" in found[1] or ("uslugify" in found[1] and "cased" not in found[1])
        return Renderer.MKDOCS_LOWER if lower else Renderer.MKDOCS_CASED
    return Renderer.MKDOCS_UNICODE


def _path_of_url(url: str | None) -> str:
    found = re.match(r"https?://[^/]+/(.*)", url or "")
    return found[1].strip("/") if found else ""


def _sphinx(config: _Config) -> list[DocsSite]:
    if not re.search(r"^\s*extensions\s*[:+=]|^html_theme|^project\s*=|sphinx", config.text, re.MULTILINE):
        return []
    root = config.home
    generators = [name for name in ("autodoc", "autosummary", "autoapi", "apidoc") if name in config.text]
    return [DocsSite("sphinx", root, Renderer.SPHINX, (), home=root, generates=tuple(generators))]


def _mdbook(config: _Config) -> list[DocsSite]:
    root = _folder(config.home, string_of(config.text, "src").text or "src")
    return [DocsSite("mdbook", root, Renderer.MDBOOK, (root,), home=config.home)]


def _jekyll(config: _Config) -> list[DocsSite]:
    home, text = config.home, config.text
    root = _folder(home, yaml_value(text, "source") or ".")
    renderer = Renderer.JEKYLL if "input: kramdown" not in text else Renderer.KRAMDOWN
    reason = "Jekyll builds routes from permalinks, collections and plugins"
    site = DocsSite("jekyll", root, renderer, (root,), False, reason, home=home, page_is_folder=True)
    return [site._replace(base=(yaml_value(text, "baseurl") or "").strip("/"))]


def _hugo(config: _Config) -> list[DocsSite]:
    home = re.sub(r"(?:^|/)config/_default$", "", config.home)
    root = _folder(home, string_of(config.text, "contentDir").text or "content")
    if not config.has_folder(root):
        return []
    static = (_folder(home, "static"), _folder(home, "assets"))
    reason = "Hugo builds routes from permalinks, aliases and taxonomies"
    return [DocsSite("hugo", root, Renderer.HUGO, static, False, reason, home=home, page_is_folder=True)]


# --- Docusaurus, VitePress ------------------------------------------------------------------------------------------


def _docusaurus(config: _Config) -> list[DocsSite]:
    home, script = config.home, without_comments(config.text)
    base, folders = string_of(script, "baseUrl"), _docs_folders(config, script)
    static = (_folder(home, "static"), *(folder for folder, _ in folders))
    site = DocsSite("docusaurus", "", Renderer.DOCUSAURUS, static, home=home, base=(base.text or "").strip("/"))
    if base.computed or _has_instances(script):
        site = site._replace(certain=False, reason="the Docusaurus configuration computes routes")
    main = [site._replace(root=folder, prefix=prefix) for folder, prefix in folders]
    others = [main[0]._replace(root=_folder(home, name), certain=False, reason=_OTHER) for name in _DOCUSAURUS_FOLDERS]
    return [*main, *(other for other in others if config.has_folder(other.root))]


_DOCUSAURUS_FOLDERS = ("versioned_docs", "i18n", "blog", "src", "community")
_OTHER = "Docusaurus builds the routes of blogs, versions, translations and pages"


def _docs_folders(config: _Config, script: str) -> list[tuple[str, str]]:
    """The document folders, each with its route."""
    prefixes = [value.text.strip("/") for value in strings_of(script, "routeBasePath") if value.text is not None]
    written = [value.text for value in strings_of(script, "path") if value.text and _is_docs(value.text)]
    if len(written) > 1 and len(written) == len(prefixes):
        return [(_folder(config.home, name), prefix) for name, prefix in zip(written, prefixes, strict=True)]
    named = [_folder(config.home, name) for name in (*written[:1], "docs", "../docs")]
    folder = next((folder for folder in named if config.has_folder(folder)), named[0])
    return [(folder, prefixes[0] if prefixes else "docs")]


def _has_instances(script: str) -> bool:
    """Whether there are several sets of documents, or a set whose folder is computed."""
    keys = ("path", "routeBasePath")
    computed = any(value.computed for key in keys for value in strings_of(script, key))
    return computed or "plugin-content-docs" in script or len(strings_of(script, "routeBasePath")) > 1


def _is_docs(folder: str) -> bool:
    return "doc" in folder.lower()


def _vitepress(config: _Config) -> list[DocsSite]:
    home, script = re.sub(r"(?:^|/)\.vitepress(?:/config)?$", "", config.home), without_comments(config.text)
    source, base = string_of(script, "srcDir"), string_of(script, "base")
    root = _folder(home, source.text or ".")
    site = DocsSite("vitepress", root, Renderer.VITEPRESS, (_folder(root, "public"),), home=home)
    computed = [key for key, value in (("srcDir", source),) if value.computed]
    computed += ["rewrites"] * has_key(script, "rewrites")
    computed += ["dynamic routes"] * any(_in(home, path) and "[" in basename(path) for path in config.known)
    reason = f"the VitePress configuration has `{computed[0]}`" if computed else ""
    slugs = ("slugify",) if has_key(script, "slugify") else ()
    return [site._replace(certain=not computed, reason=reason, base=(base.text or "").strip("/"), generates=slugs)]


def _in(folder: str, path: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


# --- sites with routes that can't be known --------------------------------------------------------------------------


def _routed_by_code(kind: str, *folders: str, static: str = "public") -> Callable[[_Config], list[DocsSite]]:
    """For generators whose routes are code. The folders are tried for files; the rest stays unknown."""

    def detect(config: _Config) -> list[DocsSite]:
        home = config.home
        roots = [root for root in (_folder(home, folder) for folder in folders) if config.has_folder(root)]
        site = DocsSite(kind, "", Renderer.ASTRO, (_folder(home, static),), False, f"{kind} builds routes with code")
        return [site._replace(root=root, home=home, page_is_folder=True) for root in roots]

    return detect


def _antora(config: _Config) -> list[DocsSite]:
    root = config.home
    return [DocsSite("antora", root, Renderer.GITHUB, (), False, "Antora builds routes from components", home=root)]


def _writerside(config: _Config) -> list[DocsSite]:
    root = config.home
    if "instance-profile" not in config.text:
        return []
    images = (_folder(root, "images"), _folder(root, "topics"))
    return [DocsSite("writerside", root, Renderer.GITHUB, images, False, "Writerside finds topics by name", home=root)]


def _exdoc(config: _Config) -> list[DocsSite]:
    if "extras" not in config.text:
        return []
    home, reason = config.home, "ExDoc finds pages by their name"
    return [DocsSite("exdoc", home, Renderer.GITHUB, (), False, reason, home=home, generates=("ex_doc",))]


def _mintlify(config: _Config) -> list[DocsSite]:
    """`docs.json` is a common name; Mintlify's has a schema or a navigation."""
    text, root = config.text, config.home
    if "mintlify" not in text and not ("navigation" in text and "name" in text):
        return []
    patterns = re.search(r'"source":\s*"[^"]*[*:]', text)
    computed = "redirects by pattern" if patterns else "generates pages from an API" if '"openapi":' in text else ""
    return [DocsSite("mintlify", root, Renderer.ASTRO, (root,), not computed, f"Mintlify {computed}", home=root)]


_DETECTORS: tuple[tuple[re.Pattern[str], Callable[[_Config], list[DocsSite]]], ...] = (
    (re.compile(r"(?:^|/)mkdocs\.ya?ml$"), _mkdocs),
    (re.compile(r"(?:^|/)conf\.py$"), _sphinx),
    (re.compile(r"(?:^|/)book\.toml$"), _mdbook),
    (re.compile(r"(?:^|/)_config\.yml$"), _jekyll),
    (
        re.compile(r"(?:^|/)(?:(?:hugo|config)\.(?:toml|ya?ml|json)|config/_default/(?:hugo|config)\.(?:toml|ya?ml))$"),
        _hugo,
    ),
    (re.compile(r"(?:^|/)docusaurus\.config" + _SCRIPT), _docusaurus),
    (re.compile(r"(?:^|/)\.vitepress/config(?:/index)?" + _SCRIPT), _vitepress),
    (re.compile(r"(?:^|/)astro\.config" + _SCRIPT), _routed_by_code("astro", "src/content", "src/pages")),
    (re.compile(r"(?:^|/)next\.config" + _SCRIPT), _routed_by_code("next", "content", "pages", "src", "app", "docs")),
    (re.compile(r"(?:^|/)nuxt\.config" + _SCRIPT), _routed_by_code("nuxt", "content")),
    (re.compile(r"(?:^|/)svelte\.config" + _SCRIPT), _routed_by_code("svelte", "src", "content", static="static")),
    (re.compile(r"(?:^|/)gatsby-config" + _SCRIPT), _routed_by_code("gatsby", "content", "src", "docs")),
    (re.compile(r"(?:^|/)(?:docs|mint)\.json$"), _mintlify),
    (re.compile(r"(?:^|/)antora\.yml$"), _antora),
    (re.compile(r"(?:^|/)mix\.exs$"), _exdoc),
    (re.compile(r"\.tree$"), _writerside),
)
