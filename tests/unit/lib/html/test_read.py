"""The canonical text of pages, as generators of documentation make them, and what must not matter to it."""

import json
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.lib.html.charset import FetchedPage
from cairn.lib.html.read import HtmlReading, Unusable, canonical_hash, raw_hash, read_page

URL = "https://docs.example.org/retry"

CONTENT = """
<h1 id="retry">Retry policy</h1>
<p>The client retries a failed call <b>three</b> times by default, with a pause of <code>200&nbsp;ms</code>.</p>
<h2 id="options">Options</h2>
<table><thead><tr><th>Name</th><th>Default</th></tr></thead>
<tbody><tr><td>max_attempts</td><td>3</td></tr><tr><td>pause</td><td>200 ms</td></tr></tbody></table>
<pre><code class="language-python">client = Client(
    max_attempts=5,
)
</code></pre>
<h2 id="limits">Limits</h2>
<ul><li>At most <a href="/ten">ten</a> attempts.</li><li>A pause is at most a minute.</li></ul>
<p>See <a href="/errors">errors</a> for what is retried.</p>
"""

TEXT = dedent("""\
    # Retry policy

    The client retries a failed call three times by default, with a pause of 200 ms.

    ## Options

    Name | Default
    max_attempts | 3
    pause | 200 ms
    ```
    client = Client(
        max_attempts=5,
    )
    ```

    ## Limits

    - At most ten attempts.
    - A pause is at most a minute.
    See errors for what is retried.
    """)

NAVIGATION = (
    "<ul><li><a href='/a'>Start</a></li><li><a href='/b'>Guides</a></li><li><a href='/c'>Reference</a></li></ul>"
)


def page(html: str | bytes, kind: str = "text/html; charset=utf-8", url: str = URL, final: str = "") -> FetchedPage:
    body = html.encode() if isinstance(html, str) else html
    return FetchedPage(url, final or url, 200, kind, body, None, None)


def text(html: str, anchor: str | None = None) -> str:
    reading = read_page(page(html), anchor)
    assert isinstance(reading, HtmlReading), reading
    return reading.text


LAYOUTS = {
    "bare": f"<!doctype html><html><head><title>Retry</title></head><body>{CONTENT}</body></html>",
    "main": f"<body><header>Logo</header><nav>{NAVIGATION}</nav><main>{CONTENT}</main><footer>© 2026</footer></body>",
    "role": f"<body><div role=banner>Logo</div><div role=main>{CONTENT}</div><div role=contentinfo>©</div></body>",
    "article": f"<body><div class=top><a href=/>Home</a></div><article>{CONTENT}</article><aside>Ads</aside></body>",
    "sphinx": f"""<body><div class=related role=navigation>{NAVIGATION}</div><div class=document>
        <div class=documentwrapper><div class=bodywrapper><div class=body role=main><section id=retry-policy>{CONTENT}
        </section></div></div></div><div class=sphinxsidebar>Contents</div></div></body>""",
    "mkdocs": f"""<body><div class=md-container><main class=md-main><div class=md-sidebar>{NAVIGATION}</div>
        <div class=md-content><article class="md-content__inner md-typeset"><a class=md-button>Edit this page</a>
        {CONTENT}<hr><div class=md-source-file><small>Last update: May 3, 2026</small></div></article></div></main>""",
    "docusaurus": f"""<body><div id=__docusaurus><nav class=navbar>x</nav><main><div class=row><div class=col><article>
        <nav class=theme-doc-breadcrumbs>Home</nav><div class="theme-doc-markdown markdown">{CONTENT}</div>
        <footer class=theme-doc-footer>Edit this page</footer></article></div>
        <div class="col table-of-contents">{NAVIGATION}</div></div></main></div></body>""",
    "github": f"""<body><div id=readme><div class=Box><article class="markdown-body entry-content">{CONTENT}</article>
        </div></div><div class=sidebar>About</div></body>""",
    "mediawiki": f"""<body><div id=content class=mw-body role=main><div id=mw-content-text>
        <div class=mw-parser-output>{CONTENT}</div></div></div><div id=mw-navigation>x</div></body>""",
    "divs only": f"<body><div id=a><div id=b>{NAVIGATION}</div><div id=c><div>{CONTENT}</div></div></div></body>",
    "named after a sidebar": f"<body><div class=page-with-sidebar><div class=toc-layout>{CONTENT}</div></div></body>",
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_content_is_the_same_in_every_layout(name: str) -> None:
    assert text(LAYOUTS[name]) == TEXT


NOISE: dict[str, tuple[tuple[str, str], ...]] = {
    "nonces": (("<main>", "<main><script nonce=n{n}>track({n})</script><style>.a{n}{}</style>"),),
    "tokens in attributes": (("<p>", "<p data-v-{n} class='css-{n}'>"),),
    "navigation": (("Guides", "Guides and {n} more"),),
    "footer": (("© 2026", "© {n} <a href=/x>Imprint</a>"),),
    "cookie banner": (("<main>", "<div class=cookie-consent><p>We use cookies.</p><button>Yes</button></div><main>"),),
    "cookie dialog inside": (("<main>", "<main><div role=dialog>We value your privacy</div>"),),
    "reflow": ((" a ", "\n   a\t "), ("</p>", "\n</p>\n\n")),
    "wrappers": (("<table>", "<div class=table-wrap><table>"), ("</table>", "</table></div>")),
    "comments": (("<p>", "<!-- rendered in {n} ms --><p>"),),
    "date": (("</main>", "<p>Last updated on 2026-05-{n}.</p></main>"),),
    "edit link": (("</main>", "<p><a href=/edit>Edit this page on GitHub</a></p></main>"),),
    "feedback": (("</main>", "<div class=feedback>Was this page helpful? Yes No</div></main>"),),
    "breadcrumbs": (("<main>", "<main><ol class=breadcrumb><li>Docs</li><li>Retry</li></ol>"),),
    "own contents": (
        (
            "</h1>",
            "</h1><ul><li><a href=#a>Retry</a></li><li><a href=#b>Options</a></li><li><a href=#c>Limits</a></ul>",
        ),
    ),
    "permalinks": (("</h2>", "<a class=headerlink href=#x title='Link'>¶</a></h2>"),),
    "copy buttons": (("<pre>", "<div class=highlight><button>Copy</button><pre>"), ("</pre>", "</pre></div>")),
    "highlighting": (("Client(", "<span class=n>Client</span><span class=p>(</span>"),),
    "svg icons": (("<li>", "<li><svg><title>icon</title><path d='M0'/></svg>"),),
    "hidden text": (("<p>", "<p><span hidden>{n}</span>"),),
    "soft hyphens": (("default", "de\u00adfault"), ("failed", "fai\u200bled")),
    "share": (("</h1>", "</h1><div class='social share-buttons'>Share Tweet</div>"),),
    "previous and next": (("</main>", "<nav class=pagination>Next: Errors</nav></main>"),),
    "skip link": (("<header>", "<a class=skip-link href=#main>Skip to main content</a><header>"),),
}
"""What a page may have another time; `{n}` is a number that differs each time."""


def with_noise(html: str, name: str, number: int = 7) -> str:
    for old, new in NOISE[name]:
        html = html.replace(old, new.replace("{n}", str(number)))
    return html


@pytest.mark.parametrize("name", NOISE)
def test_what_does_not_matter(name: str) -> None:
    assert with_noise(LAYOUTS["main"], name) != LAYOUTS["main"]
    assert text(with_noise(LAYOUTS["main"], name)) == TEXT


@settings(max_examples=60)
@given(names=st.lists(st.sampled_from(sorted(NOISE)), unique=True), number=st.integers(0, 1_000))
def test_nor_does_all_of_it_together(names: list[str], number: int) -> None:
    html = LAYOUTS["main"]
    for name in names:
        html = with_noise(html, name, number)
    assert text(html) == TEXT


@pytest.mark.parametrize(
    ("old", "new"),
    [("three", "five"), ("200&nbsp;ms", "300 ms"), ("max_attempts=5", "max_attempts=6"), ("<td>3</td>", "<td>4</td>"),
     ("At most", "At least"), ("Limits</h2>", "Bounds</h2>"), ("    max", "  max"), ("a minute", "an hour"),
     ("See ", "Don't see ")],
)  # fmt: skip
def test_what_matters(old: str, new: str) -> None:
    changed = LAYOUTS["main"].replace(old, new)
    assert changed != LAYOUTS["main"]
    assert text(changed) != TEXT


# --- anchors --------------------------------------------------------------------------------------------------------

OPTIONS = TEXT[TEXT.index("## Options") : TEXT.index("## Limits")].strip("\n") + "\n"
SPHINX = """<main><section id="client"><span id="old-name"></span><h2>Client<a class=headerlink href=#client>¶</a></h2>
<p>About clients.</p><section id="connect"><h3>Connect</h3><p>It connects.</p></section></section>
<section id="errors"><h2>Errors</h2><p>About errors.</p>
<dl class="py function"><dt class="sig" id="lib.get"><code>lib.get(url)</code></dt><dd><p>Gets a page.</p></dd>
<dt class="sig" id="lib.put"><code>lib.put(url)</code></dt><dd><p>Puts one.</p></dd></dl></section></main>"""
RFC = """<body><pre><span class="h1">HTTP</span>
Status of this memo.
<span class="h2"><a class="selflink" id="section-1" href="#section-1">1</a>.  Introduction</span>
   It begins here.
<span class="h3"><a id="section-1.1" href="#section-1.1">1.1</a>.  Words</span>
   MUST means must.
<span class="h2"><a id="section-2" href="#section-2">2</a>.  Methods</span>
   GET gets.
</pre></body>"""
RFC_WORDS = "### 1.1. Words\n\n```\n   MUST means must.\n```\n"
GITHUB = """<article class=markdown-body><div class=markdown-heading><h2>What's new?</h2><a id="user-content-whats-new"
class=anchor href="#whats-new"></a></div><p>All of it.</p><div class=markdown-heading><h2>Setup &amp; use</h2></div>
<p>Set it up, then use it.</p><h2>Setup &amp; use</h2><p>Once more, in another way.</p></article>"""

ANCHORS: list[tuple[str, str, str]] = [
    (LAYOUTS["main"], "#options", OPTIONS),
    (LAYOUTS["main"], "#Options", OPTIONS),
    (LAYOUTS["main"], "#retry", TEXT),
    (LAYOUTS["sphinx"], "#limits", TEXT[TEXT.index("## Limits") :]),
    (SPHINX, "#client", "## Client\n\nAbout clients.\n\n### Connect\n\nIt connects.\n"),
    (SPHINX, "#old-name", "## Client\n\nAbout clients.\n\n### Connect\n\nIt connects.\n"),
    (SPHINX, "#connect", "### Connect\n\nIt connects.\n"),
    (SPHINX, "#lib.get", "lib.get(url)\n- Gets a page.\n"),
    (SPHINX, "#lib.put", "lib.put(url)\n- Puts one.\n"),
    (RFC, "#section-1", f"## 1. Introduction\n\n```\n   It begins here.\n```\n\n{RFC_WORDS}"),
    (RFC, "#section-1.1", RFC_WORDS),
    (GITHUB, "#whats-new", "## What's new?\n\nAll of it.\n"),
    (GITHUB, "#setup--use", "## Setup & use\n\nSet it up, then use it.\n"),
    (GITHUB, "#setup-use", "## Setup & use\n\nSet it up, then use it.\n"),
    (GITHUB, "#setup--use-1", "## Setup & use\n\nOnce more, in another way.\n"),
    ('<main><a name="x"></a><h2>Old</h2><p>Named, as it was once done.</p><h2>B</h2></main>', "#x",
     "## Old\n\nNamed, as it was once done.\n"),
    ('<main><h2><a name="x">Old</a></h2><p>Named, as it was once done.</p><h2>B</h2></main>', "#x",
     "## Old\n\nNamed, as it was once done.\n"),
    ("<main><p>First one is here.</p><p id=x>The one meant.</p><p>Last.</p></main>", "#x", "The one meant.\n"),
    ('<main><h2 id="über-uns">Über uns</h2><p>Wir sind wir, und das ist gut so.</p></main>', "#%C3%BCber-uns",
     "## Über uns\n\nWir sind wir, und das ist gut so.\n"),
]  # fmt: skip


@pytest.mark.parametrize(("html", "anchor", "section"), ANCHORS, ids=[f"{n}{a}" for n, (_, a, _) in enumerate(ANCHORS)])
def test_only_the_section_that_an_anchor_names(html: str, anchor: str, section: str) -> None:
    reading = read_page(page(html), anchor)
    assert isinstance(reading, HtmlReading), reading
    assert (reading.text, reading.anchored) == (section, True)


def test_without_the_anchor_it_is_the_whole_page() -> None:
    reading = read_page(page(LAYOUTS["main"]), "#nobody")
    assert reading == HtmlReading(TEXT, "", anchored=False)


LINES = "# Top||Intro.  ||## `get` it||```sh|## not a heading|```||### Deep||x||## Last||y|"
MARKDOWN = LINES.replace("|", "\r\n")


@pytest.mark.parametrize(
    ("anchor", "section"),
    [
        (None, MARKDOWN.replace("\r", "").replace("  \n", "\n")),
        ("#get-it", "## `get` it\n\n```sh\n## not a heading\n```\n\n### Deep\n\nx\n"),
        ("#deep", "### Deep\n\nx\n"),
        ("#not-a-heading", MARKDOWN.replace("\r", "").replace("  \n", "\n")),
    ],
)
@pytest.mark.parametrize("kind", ["text/markdown", "text/plain"])
def test_markdown_stays_as_it_is(anchor: str | None, section: str, kind: str) -> None:
    reading = read_page(page(MARKDOWN, kind, "https://raw.example.org/README.md"), anchor)
    assert isinstance(reading, HtmlReading)
    assert reading.text == section


def test_json_does_not_mind_its_layout() -> None:
    value = {"b": [1, 2], "a": "ü"}
    one = read_page(page(json.dumps(value), "application/json"))
    two = read_page(
        page(json.dumps(dict(reversed(value.items())), indent=4, ensure_ascii=False), "application/vnd.api+json")
    )
    assert isinstance(one, HtmlReading)
    assert one == two
    assert read_page(page("[" * 100_000, "application/json")) == HtmlReading("[" * 100_000 + "\n")


# --- of no use ------------------------------------------------------------------------------------------------------

USELESS: dict[str, tuple[FetchedPage, str]] = {
    "pdf": (page(b"%PDF-1.7\n...", "application/pdf"), "no text"),
    "pdf that says it is html": (page(b"%PDF-1.7\n...", "text/html"), "no text"),
    "image": (page(b"\x89PNG\r\n\x1a\n", "image/png"), "no text"),
    "zip": (page(b"PK\x03\x04abc", "application/octet-stream"), "no text"),
    "zeros": (page(bytes(100), "text/plain"), "no text"),
    "a font": (page(b"wOFFabc", "font/woff"), "font/woff"),
    "empty": (page(b""), "empty"),
    "blank": (page(b" \n\t "), "empty"),
    "empty text": (page(b"\n", "text/plain"), "empty"),
    "only a frame": (page("<html><head><title>Docs</title></head><body><nav>a</nav></body></html>"), "empty"),
    "login": (page("<title>Sign in</title><body><h1>Sign in</h1><form><input name=u><input type='password'></form>"
                   "<p>Please sign in to continue to the documentation.</p>"), "sign in"),
    "sent to a login": (page("<body><h1>Welcome back</h1><p>Enter your e-mail address to log in.</p></body>",
                             final="https://sso.example.org/login?next=x"), "sign in"),
    "script needed": (page("<body><noscript>You need to enable JavaScript to run this.</noscript><div id=root></div>"),
                      "made by a script"),
    "script needed, in the open": (page("<body><div>Please enable JavaScript to view this page.</div></body>"),
                                   "made by a script"),
    "robot check": (page("<title>Just a moment...</title><body><p>Checking your browser first.</p>"), "robot"),
    "denied": (page("<title>Access Denied</title><body><p>You don't have permission. Number 18.2</p></body>"), "robot"),
    "cookie wall": (page("<body><div><p>We and our partners use cookies to store information on your device.</p>"
                         "<p>Manage your cookies or give consent to all cookies below.</p></div></body>"), "cookies"),
    "soft 404": (page("<title>Page not found | Docs</title><body><main><h1>Oops</h1><p>Try the search.</p></main>"),
                 "does not exist"),
    "soft 404 without a title": (page("<body><main><h1>404</h1><p>We looked everywhere.</p></main>"), "does not exist"),
    "nested for ever": (page("<div>" * 100_000 + "hello"), "deeper"),
}  # fmt: skip


@pytest.mark.parametrize("name", USELESS)
def test_pages_that_say_nothing(name: str) -> None:
    given_page, said = USELESS[name]
    reading = read_page(given_page)
    assert isinstance(reading, Unusable), reading
    assert said in reading.reason
    assert reading.reason.endswith(".")


LONG = (
    "<p>"
    + "Sessions end after an hour; then the client asks for another token, with a pause in between. " * 20
    + "</p>"
)
USEFUL = {
    "about logins": f"<title>Sign in with tokens</title><main><h1>Sign in</h1>{LONG}</main>",
    "about cookies": f"<title>Cookies</title><main><h1>Set-Cookie</h1>{LONG}<p>Cookies have attributes.</p></main>",
    "about 404": "<title>Status codes</title><main><h1>Status codes</h1><p>A server answers 404 then.</p></main>",
    "with a login form": f"<body><form><input type=password></form><main><h1>Docs</h1>{LONG}</main></body>",
    "with a noscript": f"<body><noscript>Please enable JavaScript.</noscript><main><h1>Docs</h1>{LONG}</main></body>",
    "short": "<main><h1>Limit</h1><p>Ten requests a second for each key.</p></main>",
    "with a cookie banner": f"<body><div class=cookie-banner>We use cookies</div><main>{CONTENT}</main></body>",
}


@pytest.mark.parametrize("name", USEFUL)
def test_pages_that_only_speak_of_such_things(name: str) -> None:
    assert isinstance(read_page(page(USEFUL[name])), HtmlReading)


@settings(max_examples=150)
@given(
    html=st.lists(
        st.sampled_from(
            ["<div", "<p>", "</p>", "<table><tr><td>", "</div>", "<pre>", "<!--", "-->", "<a name=x>", "id='a'", ">",
             "<", "&amp;", "&#x0;", "\x00", "text", "<h1>", "<svg><style>", "]]>", "<template>", "<ul><li>",
             "<select><option>", "\ud7ff", "é"]
        ),
        max_size=40,
    ).map("".join),
    kind=st.sampled_from(["text/html", "", "text/plain", "application/json", "text/markdown"]),
    anchor=st.sampled_from([None, "#x", "#a", "#%00", "#"]),
)  # fmt: skip
def test_nothing_that_is_sent_breaks_it(html: str, kind: str, anchor: str | None) -> None:
    read_page(page(html, kind), anchor)


def test_hashes() -> None:
    assert canonical_hash("") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert raw_hash(b"\xef\xbb\xbfhello") == raw_hash(b"hello")
    assert raw_hash(b"\xff") == canonical_hash("\ufffd")
