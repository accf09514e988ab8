"""Where the links of a documentation site lead."""

import pytest

from cairn.lib.site import FoundTarget, MissingTarget, Route, UnknownTarget, resolve, routes, site_of, sites

_MKDOCS = {"mkdocs.yml": "site_url: https://a.b/tool/\n", "docs/index.md": "", "docs/guide/a.md": "", "docs/b.md": ""}
_DOCUSAURUS = {
    "docusaurus.config.js": "module.exports = { baseUrl: '/' }",
    "docs/intro.md": "---\nslug: /start\n---\n",
    "docs/01-guide/02-setup.mdx": "---\nid: set-up\n---\n",
    "docs/plain.md": "",
    "static/img/logo.png": "",
    "blog/2020-01-01-x.md": "",
}
_VITEPRESS = {
    "docs/.vitepress/config.ts": "export default { base: '/x/' }",
    "docs/guide/index.md": "",
    "docs/guide/setup.md": "",
    "docs/public/logo.svg": "",
}


def _follow(files: dict[str, str], source: str, target: str) -> Route:
    folders = {path.rsplit("/", number)[0] for path in files for number in range(1, path.count("/") + 1)}
    site = site_of(source, sites(files, files.get))
    table = routes(site, files, files.get) if site else {}
    return resolve(site, source, target, lambda path: path in files or path in folders, table)


@pytest.mark.parametrize(
    ("files", "source", "target", "path"),
    [
        (_MKDOCS, "docs/guide/a.md", "../b.md", "docs/b.md"),
        (_MKDOCS, "docs/guide/a.md", "../../b/", "docs/b.md"),
        (_MKDOCS, "docs/b.md", "/tool/guide/a/", "docs/guide/a.md"),
        (_MKDOCS, "docs/b.md", "/guide/a.md", "docs/guide/a.md"),
        (_DOCUSAURUS, "docs/plain.md", "/docs/start", "docs/intro.md"),
        (_DOCUSAURUS, "docs/plain.md", "/docs/guide/set-up", "docs/01-guide/02-setup.mdx"),
        (_DOCUSAURUS, "docs/plain.md", "/docs/guide/setup", "docs/01-guide/02-setup.mdx"),
        (_DOCUSAURUS, "docs/plain.md", "/img/logo.png", "static/img/logo.png"),
        (_DOCUSAURUS, "docs/plain.md", "@site/static/img/logo.png", "static/img/logo.png"),
        (_DOCUSAURUS, "docs/01-guide/02-setup.mdx", "plain.md", "docs/plain.md"),
        (_VITEPRESS, "docs/guide/index.md", "/guide/setup", "docs/guide/setup.md"),
        (_VITEPRESS, "docs/guide/index.md", "/guide/setup.html", "docs/guide/setup.md"),
        (_VITEPRESS, "docs/guide/setup.md", "/guide/", "docs/guide/index.md"),
        (_VITEPRESS, "docs/guide/setup.md", "/x/logo.svg", "docs/public/logo.svg"),
        ({"README.md": "", "docs/a.md": ""}, "docs/a.md", "/README.md", "README.md"),
        ({"book.toml": "", "src/a/README.md": ""}, "src/b.md", "a/index.html", "src/a/README.md"),
        ({"a b.md": ""}, "c.md", "a%20b.md?plain=1", "a b.md"),
    ],
)
def test_links_that_lead_to_a_file(files: dict[str, str], source: str, target: str, path: str) -> None:
    assert _follow(files, source, target) == FoundTarget(path)


@pytest.mark.parametrize(
    ("files", "source", "target"),
    [
        (_MKDOCS, "docs/b.md", "guide/gone.md"),
        (_MKDOCS, "docs/b.md", "/guide/gone.md"),
        (_DOCUSAURUS, "docs/plain.md", "/docs/gone"),
        (_DOCUSAURUS, "docs/plain.md", "./gone.md"),
        (_VITEPRESS, "docs/guide/setup.md", "/x/guide/gone"),
        (_VITEPRESS, "docs/guide/setup.md", "/guide/gone.html"),
        ({".vitepress/config.ts": "", "a.md": ""}, "a.md", "./gone"),
        ({"docs/a.md": ""}, "docs/a.md", "/docs/gone.md"),
        ({"docs/a.md": ""}, "docs/a.md", "gone.md"),
    ],
)
def test_missing_pages_list_what_was_tried(files: dict[str, str], source: str, target: str) -> None:
    route = _follow(files, source, target)
    assert isinstance(route, MissingTarget)
    assert any("gone" in path for path in route.tried)


@pytest.mark.parametrize(
    ("files", "source", "target", "reason"),
    [
        (_MKDOCS, "docs/b.md", "/other/", "mkdocs does not rewrite addresses from the root"),
        (_DOCUSAURUS, "docs/plain.md", "/pricing", "the documents are served at `/docs/`"),
        (_DOCUSAURUS, "docs/plain.md", "/docs/2.x/gone", "the address names a version"),
        ({"_config.yml": "", "a.md": ""}, "a.md", "/gone/", "Jekyll builds routes from permalinks"),
        ({"docs/conf.py": "project = 1", "docs/a.md": ""}, "docs/a.md", "some/label", "the target may be a label"),
        ({"a.md": ""}, "a.md", "/website/page", "`/website` is not in this repository"),
        ({"docs/ko/a.md": "", "docs/en/b.md": ""}, "docs/ko/a.md", "b.md", "`docs/en/b.md` exists"),
        ({"a.md": ""}, "a.md", "../b.md", "the link leaves the repository"),
        ({"a.md": ""}, "a.md", "std::io::Read", "the target is not a path"),
        ({"a.md": ""}, "a.md", "page.html", "a tool generates HTML pages"),
    ],
)
def test_addresses_that_may_exist_elsewhere_are_unknown(
    files: dict[str, str], source: str, target: str, reason: str
) -> None:
    route = _follow(files, source, target)
    assert isinstance(route, UnknownTarget)
    assert route.reason.startswith(reason)


def test_a_missing_document_in_a_blog_is_missing_although_routes_are_unknown() -> None:
    assert _follow(_DOCUSAURUS, "blog/2020-01-01-x.md", "./gone.md") == MissingTarget(("blog/gone.md", "blog/gone.mdx"))


def test_a_file_that_git_ignores_is_unknown() -> None:
    route = resolve(None, "a.md", "out/b.md", lambda path: False, ignored=lambda path: path.startswith("out/"))
    assert route == UnknownTarget("git ignores `out/b.md`")
