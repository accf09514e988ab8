"""Programs that ask the original renderers for their anchors. Each reads a list of pages as JSON from stdin."""

_NODE = """
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
const folder = process.argv[2]
const need = createRequire(folder + '/package.json')
const load = async name => await import(pathToFileURL(name.startsWith('/') ? name : need.resolve(name)))
const pages = JSON.parse(readFileSync(0))
const ids = html => [...html.matchAll(/<h2[^>]*?\\sid="([^"]*)"/g)].map(m => m[1])
const print = found => process.stdout.write(JSON.stringify(found))
"""

GITHUB_SLUGGER = (
    _NODE
    + """
const Slugger = (await load(folder + '/node_modules/github-slugger/index.js')).default
print(pages.map(texts => { const s = new Slugger(); return texts.map(t => s.slug(t)) }))
"""
)

VITEPRESS = (
    _NODE
    + """
const { createMarkdownRenderer } = await load(folder + '/node_modules/vitepress/dist/node/index.js')
const md = await createMarkdownRenderer('/', {}, '/')
const found = []
for (const page of pages) {
  try { found.push(ids(await md.render(page, {}))) } catch { found.push(null) }
}
print(found)
"""
)

DOCUSAURUS = (
    _NODE
    + """
const { unified } = await load(folder + '/node_modules/unified/index.js')
const parse = (await load(folder + '/node_modules/remark-parse/index.js')).default
const mdx = (await load(folder + '/node_modules/remark-mdx/index.js')).default
const gfm = (await load(folder + '/node_modules/remark-gfm/index.js')).default
const headings = need('@docusaurus/mdx-loader/lib/remark/headings/index.js').default
const { escapeMarkdownHeadingIds } = need('@docusaurus/utils')
const run = async (text, extra) => {
  const processor = extra.reduce((p, e) => p.use(e), unified().use(parse)).use(gfm).use(headings, {})
  const tree = await processor.run(processor.parse(escapeMarkdownHeadingIds(text)))
  return tree.children.filter(n => n.type === 'heading').map(n => n.data.id)
}
const found = []
for (const text of pages) {
  try { found.push(await run(text, [mdx])) } catch {
    try { found.push(await run(text, [])) } catch { found.push(null) }
  }
}
print(found)
"""
)

KRAMDOWN = """
require 'json'; require 'cgi'; require 'kramdown'; require 'kramdown-parser-gfm'
input = ARGV[0] == 'jekyll' ? 'GFM' : 'kramdown'
pages = JSON.parse(STDIN.read)
puts JSON.generate(pages.map { |page|
  html = Kramdown::Document.new(page, input: input, syntax_highlighter: nil).to_html
  html.scan(/<h2((?: [a-z]+="[^"]*")*)>/).map { |m| CGI.unescapeHTML(m[0][/id="([^"]*)"/, 1] || '') }
})
"""

PYTHON = """
import html, json, re, sys
pages = json.load(sys.stdin)
def ids(text):
    return [html.unescape(i) for i in re.findall('<h2[^>]*? id="([^"]*)"', text)]
def mkdocs(**settings):
    import markdown
    def run(page):
        configs = {"toc": settings} if settings else {}
        return ids(markdown.markdown(page, extensions=["toc", "attr_list", "tables"], extension_configs=configs))
    return run
def pymdownx(**settings):
    from pymdownx.slugs import slugify
    return mkdocs(slugify=slugify(**settings))
def unicode():
    from markdown.extensions.toc import slugify_unicode
    return mkdocs(slugify=slugify_unicode)
def myst(name):
    from docutils.core import publish_doctree
    from docutils import nodes
    from myst_parser.docutils_ import Parser
    quiet = dict(report_level=5, auto_id_prefix="id", doctitle_xform=False, myst_heading_anchors=6)
    def run(page):
        tree = publish_doctree(page, parser=Parser(), settings_overrides=quiet)
        found = list(tree.findall(nodes.section))
        return [s["ids"][0] if name == "sphinx" else s.get("slug", "") for s in found]
    return run
def gitlab():
    import comrak, warnings
    warnings.simplefilter("ignore")
    options = comrak.ExtensionOptions()
    options.header_id_prefix = ""
    options.strikethrough = options.table = options.autolink = True
    raw = comrak.RenderOptions()
    raw.unsafe_ = True
    return lambda page: ids(comrak.render_markdown(page, extension_options=options, render_options=raw))
def github():
    # GitHub's own parser; the text of the headings goes to github-slugger.
    import cmarkgfm
    from cmarkgfm.cmark import Options
    from html.parser import HTMLParser
    def text(page):
        found = []
        class Reader(HTMLParser):
            open = False
            def handle_starttag(self, tag, attrs):
                if tag == "h2": found.append(""); self.open = True
            def handle_endtag(self, tag):
                if tag == "h2": self.open = False
            def handle_data(self, data):
                if self.open: found[-1] += data
        Reader().feed(cmarkgfm.github_flavored_markdown_to_html(page, options=Options.CMARK_OPT_UNSAFE))
        return found
    return text
run = {
    "mkdocs": mkdocs, "mkdocs_unicode": unicode, "gitlab": gitlab, "github": github,
    "mkdocs_cased": pymdownx, "mkdocs_lower": lambda: pymdownx(case="lower"),
    "sphinx": lambda: myst("sphinx"), "myst": lambda: myst("myst"),
}[sys.argv[1]]()
json.dump([run(page) for page in pages], sys.stdout)
"""
