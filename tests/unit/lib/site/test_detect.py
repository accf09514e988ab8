"""Detection of documentation sites by their configuration."""

import pytest

from cairn.lib.markdown.slugs import Renderer
from cairn.lib.site import DocsSite, forge_of, renderers_of, site_of, sites
from cairn.lib.site.detect import MISSING, LiteralValue, string_of, without_comments, yaml_names, yaml_value


def _sites(files: dict[str, str]) -> tuple[DocsSite, ...]:
    return sites(files, files.get)


def _site(files: dict[str, str]) -> DocsSite:
    (site,) = _sites(files)
    return site


def test_mkdocs_folder_base_and_directory_urls_are_read() -> None:
    text = "site_url: https://a.b/tool/\ndocs_dir: manual\nuse_directory_urls: false\n"
    site = _site({"mkdocs.yml": text, "manual/index.md": ""})
    assert (site.kind, site.root, site.base, site.page_is_folder, site.certain) == (
        "mkdocs",
        "manual",
        "tool",
        False,
        True,
    )


@pytest.mark.parametrize(
    ("line", "renderer"),
    [
        ("", Renderer.MKDOCS),
        ("slugify: !!python/name:markdown.extensions.toc.slugify_unicode", Renderer.MKDOCS_UNICODE),
        ("slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}", Renderer.MKDOCS_LOWER),
        (
            "slugify: !!python/object/apply:pymdownx.slugs.slugify\n          kwds:\n            case: lower",
            Renderer.MKDOCS_LOWER,
        ),
        ("slugify: !!python/name:pymdownx.slugs.uslugify_cased", Renderer.MKDOCS_CASED),
    ],
)
def test_mkdocs_slugify_setting_selects_the_renderer(line: str, renderer: Renderer) -> None:
    assert _site({"mkdocs.yml": f"markdown_extensions:\n  - toc:\n        {line}\n"}).renderer is renderer


def test_mkdocs_plugins_that_add_pages_make_the_site_uncertain() -> None:
    site = _site({"mkdocs.yml": "plugins:\n  - search\n  - gen-files:\n      scripts: [a.py]\n  - mkdocstrings\n"})
    assert (site.certain, site.reason) == (False, "the MkDocs plugin `gen-files` adds pages")
    assert site.generates == ("mkdocstrings",)


def test_mkdocs_inherited_settings_count() -> None:
    site = _site({"en/mkdocs.yml": "INHERIT: ../base.yml\n", "base.yml": "docs_dir: pages\n"})
    assert site.root == "en/pages"


def test_docusaurus_reads_literal_values_and_ignores_comments() -> None:
    text = """
    // routeBasePath: 'old'
    export default { baseUrl: '/tool/', presets: [['classic', { docs: { path: '../docs', routeBasePath: '/' } }]] }
    """
    site = _site({"website/docusaurus.config.ts": text, "docs/a.md": ""})
    assert (site.root, site.base, site.prefix, site.certain) == ("docs", "tool", "", True)
    assert site.static == ("website/static", "docs")


def test_docusaurus_with_a_computed_route_is_uncertain() -> None:
    text = "module.exports = { baseUrl: process.env.BASE || '/', presets: [] }"
    site = _site({"docusaurus.config.js": text, "docs/a.md": ""})
    assert (site.certain, site.reason) == (False, "the Docusaurus configuration computes routes")


def test_vitepress_source_folder_and_base_are_read() -> None:
    text = "export default defineConfig({ srcDir: './src', base: '/x/' })"
    site = _site({"docs/.vitepress/config.mts": text, "docs/src/a.md": ""})
    assert (site.root, site.base, site.static, site.certain) == ("docs/src", "x", ("docs/src/public",), True)


def test_vitepress_with_rewrites_is_uncertain() -> None:
    site = _site({"docs/.vitepress/config.ts": "export default { rewrites: { 'a': 'b' } }"})
    assert (site.certain, site.reason) == (False, "the VitePress configuration has `rewrites`")


@pytest.mark.parametrize(
    ("path", "text", "kind", "root"),
    [
        ("doc/conf.py", "extensions = []\n", "sphinx", "doc"),
        ("book/book.toml", '[book]\nsrc = "text"\n', "mdbook", "book/text"),
        ("docs/_config.yml", "baseurl: /x\n", "jekyll", "docs"),
        ("hugo.toml", "", "hugo", "content"),
        ("config.toml", 'baseURL = "https://example.org/"\n', "hugo", "content"),
        ("site/src/config.yaml", "title: x\n", "hugo", "site/src/content"),
        ("site/astro.config.mjs", "", "astro", "site/src/content"),
        ("docs/docs.json", '{"$schema": "https://mintlify.com/docs.json"}', "mintlify", "docs"),
        ("docs/antora.yml", "name: x\n", "antora", "docs"),
    ],
)
def test_other_generators_are_recognised(path: str, text: str, kind: str, root: str) -> None:
    site = _site({path: text, "content/a.md": "", "site/src/content/a.md": ""})
    assert (site.kind, site.root) == (kind, root)


def test_a_python_module_named_conf_is_no_site() -> None:
    assert _sites({"app/conf.py": "DEBUG = True\n"}) == ()


def test_the_deepest_site_holds_a_document() -> None:
    found = _sites({"_config.yml": "", "docs/conf.py": "project = 'x'\n"})
    assert [getattr(site_of(path, found), "kind", None) for path in ("docs/a.md", "a.md")] == ["sphinx", "jekyll"]


def test_a_document_next_to_the_document_folder_belongs_to_an_uncertain_site() -> None:
    found = _sites({"website/docusaurus.config.js": "", "website/docs/a.md": ""})
    site = site_of("website/extra/b.md", found)
    assert site and not site.certain
    assert site_of("README.md", found) is None


def test_the_forge_follows_the_remote_then_the_files() -> None:
    assert forge_of([".gitlab-ci.yml"]) is Renderer.GITLAB
    assert forge_of([".gitlab-ci.yml", ".github/x.yml"]) is Renderer.GITHUB
    assert forge_of([], "https://gitlab.com/a/b") is Renderer.GITLAB


def test_markdown_in_a_sphinx_project_is_linked_by_the_names_of_myst() -> None:
    site = _site({"docs/conf.py": "project = 'x'\n"})
    assert renderers_of("docs/a.md", site, Renderer.GITHUB)[0] is Renderer.MYST
    assert renderers_of("docs/a.rst", site, Renderer.GITHUB) == (Renderer.SPHINX, Renderer.GITHUB)
    assert renderers_of("a.md", None, Renderer.GITLAB) == (Renderer.GITLAB,)


def test_strings_are_read_and_expressions_are_computed() -> None:
    assert string_of("{ base: '/x/' }", "base") == LiteralValue("/x/", False)
    assert string_of('{ "base": "/x/" }', "base") == LiteralValue("/x/", False)
    assert string_of("{ base: isDev ? '/' : '/x/' }", "base") == LiteralValue(None, True)
    assert string_of("{ base: `/${name}/` }", "base") == LiteralValue(None, True)
    assert string_of("{ database: '/x/' }", "base") == MISSING


def test_a_double_slash_in_a_string_is_no_comment() -> None:
    assert without_comments("a: 'https://x' // note\n/* b: 1 */ c") == "a: 'https://x' \n c"


def test_yaml_values_are_read_beside_unknown_tags() -> None:
    text = "docs_dir: 'a' # note\nx: !!python/name:y\nplugins:\n  - search\n  - macros:\n      z: 1\n"
    assert yaml_value(text, "docs_dir") == "a"
    assert yaml_names(text, "plugins") == {"search", "macros"}
