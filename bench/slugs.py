"""Compares the anchors that Cairn computes with those of the original renderers.

    python bench/slugs.py --npm DIR --python EXE --ruby ruby --hugo EXE --repositories DIR

`DIR` has github-slugger, vitepress and @docusaurus/mdx-loader in node_modules; `EXE` is a Python with Markdown,
pymdown-extensions, myst-parser, comrak and cmarkgfm. Originals that are missing are skipped. Repositories are bare
clones; their headings are read and never stored.
"""

import argparse
import html
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import slugs_originals as originals
from cairn.lib.markdown.blocks import fences
from cairn.lib.markdown.slugs import Renderer, anchors

Pages = list[list[str]]
"""The headings of each page."""
Original = Callable[[Pages], list[list[str] | None]]
"""From pages to the anchor of each heading, or None for a page that the renderer refuses."""

_WORDS = """Set-up Über naïve İstanbul ΣΊΣΥΦΟΣ 设置 中文标题 かな カタカナ 한국어 العربية עברית हिन्दी ไทย Ødegård Straße
½ ² ① Ⅳ ⓐ 2.0 v1.2.3 3D 100% C++ C# .NET AT&T I/O foo_bar __init__ snake_case_name --flag -x a/b\\c (note) [x] {y}
“quoted” ‘single’ it's "double" … – — « » ¿qué? ¡hola! € £ ™ © § ° • → ⇒ ✓ ⚙️ 🚀 👩‍💻 🇩🇪 1️⃣ ❤️ ☎ ♥︎ 🏳️‍🌈 e\u0301 \u200b
x:y a::b @me #1 $HOME ^top ~tilde a=b a|b a+b `code` `a<b>` `--opt` ``a`b`` *em* **strong** _em_ ***both***
~~gone~~ [link](https://x.y/z) [`code`](a.md) [*em*](b.md "t") ![alt](i.png) <b>bold</b> <br> <kbd>Ctrl</kbd>
<!--note--> &amp; &lt;T&gt; &copy; &#35; &nbsp; \\* \\_ \\# <https://a.b> :gear: :+1: Hello World the of and A B C 1 2
std::io::Read [ref][some] &#233; &eacute;""".split()
_ENDS = ["", "", "", "", "", " {#own%d}", " {#Own-Id%d}", " {: #own%d }", " {#own%d .cls}", "?", "!", "."]


def generated(number: int) -> Pages:
    """Pages of random headings, with many duplicates."""
    draw = random.Random(12)
    return [_page(draw) for _ in range(number // 20)]


def _page(draw: random.Random) -> list[str]:
    texts = [" ".join(draw.choices(_WORDS, k=draw.randint(1, 4))) for _ in range(10)]
    texts += draw.choices([*texts, "Hello-1", "hello", "Hello", "x 1", "x"], k=10)
    ends = [draw.choice(_ENDS) for _ in texts]
    return [
        text + (end % number if "%" in end else end) for number, (text, end) in enumerate(zip(texts, ends, strict=True))
    ]


def reserved() -> set[str]:
    """Repositories that nobody reads before the final measurement."""
    lines = (Path(__file__).parent / "strangers/final.txt").read_text().splitlines()
    return {line.split()[0].replace("/", "+") for line in lines if line and not line.startswith("#")}


def of_repositories(folder: Path) -> Iterator[list[str]]:
    for repository in sorted(path for path in folder.iterdir() if path.name not in reserved()):
        git = ["git", "-C", str(repository / "repo")]
        listed = subprocess.run([*git, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, text=True)
        names = [name for name in listed.stdout.splitlines() if name.endswith((".md", ".mdx"))][:400]
        for name in names:
            shown = subprocess.run([*git, "show", f"HEAD:{name}"], capture_output=True)
            if page := headings(shown.stdout.decode(errors="replace")):
                yield page


def headings(text: str) -> list[str]:
    for start, end in reversed(fences(text)):
        text = text[:start] + text[end:]
    found = re.findall(r"^#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$", text, re.MULTILINE)
    return [heading for heading in found if heading and not heading.startswith("#")]


# --- originals ------------------------------------------------------------------------------------------------------


def page_of(headings: list[str]) -> str:
    """The Markdown of a page, with definitions for its reference links."""
    labels = dict.fromkeys(re.findall(r"\]\[([^\[\]`^]+)\]", "\n".join(headings)))
    body = "".join(f"## {heading}\n\n" for heading in headings)
    return body + "".join(f"[{label}]: https://x.y\n" for label in labels)


def _asked(command: list[str], pages: list[str] | Pages) -> list[list[str] | None]:
    done = subprocess.run(command, input=json.dumps(pages).encode(), capture_output=True)
    if done.returncode:
        raise OSError(done.stderr.decode()[-2000:])
    found: list[list[str] | None] = json.loads(done.stdout)
    return found


def _written(pages: Pages) -> list[str]:
    return [page_of(page) for page in pages]


def _program(*command: str) -> Original:
    return lambda pages: _asked([*command], _written(pages))


def _node(folder: Path, program: str, written: Callable[[Pages], list[str] | Pages] = _written) -> Original:
    def run(pages: Pages) -> list[list[str] | None]:
        with tempfile.NamedTemporaryFile("w", suffix=".mjs") as file:
            file.write(program)
            file.flush()
            found = _asked(["node", file.name, str(folder)], written(pages))
        return [page and [html.unescape(name) for name in page] for page in found]

    return run


def _hugo(program: str) -> Original:
    def run(pages: Pages) -> list[list[str] | None]:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "content").mkdir()
            (root / "layouts/_default").mkdir(parents=True)
            (root / "hugo.toml").write_text('baseURL = "/"\n[markup.goldmark.renderer]\nunsafe = true\n')
            for number, page in enumerate(pages):
                (root / f"content/{number}.md").write_text(f"---\ntitle: x\n---\n{page_of(page)}")
            (root / "layouts/_default/single.html").write_text("{{ .Content }}")
            subprocess.run([program, "--quiet", "--source", folder], capture_output=True, check=True)
            return [_ids((root / f"public/{number}/index.html").read_text()) for number in range(len(pages))]

    return run


def _ids(page: str) -> list[str]:
    tags: list[str] = re.findall(r'<h2((?: [a-z-]+="[^"]*")*)>', page)
    ids = [re.search(r' id="([^"]*)"', tag) for tag in tags]
    return [html.unescape(found[1]) if found else "" for found in ids]


def installed(options: argparse.Namespace) -> Iterator[tuple[Renderer, Original]]:
    if options.python:
        for name in ("gitlab", "mkdocs", "mkdocs_unicode", "mkdocs_cased", "mkdocs_lower", "sphinx", "myst"):
            yield Renderer(name), _program(options.python, "-c", originals.PYTHON, name)
    if options.npm:
        yield Renderer.VITEPRESS, _node(options.npm, originals.VITEPRESS)
        yield Renderer.DOCUSAURUS, _node(options.npm, originals.DOCUSAURUS)
    if options.npm and options.python:
        slugger = _node(options.npm, originals.GITHUB_SLUGGER, written=list)
        texts = _program(options.python, "-c", originals.PYTHON, "github")
        yield Renderer.GITHUB, lambda pages: slugger([page or [] for page in texts(pages)])
    if options.ruby:
        for name in ("jekyll", "kramdown"):
            yield Renderer(name), _program(options.ruby, "-e", originals.KRAMDOWN, name)
    if options.hugo:
        yield Renderer.HUGO, _hugo(options.hugo)


# --- comparison -----------------------------------------------------------------------------------------------------


def compare(renderer: Renderer, original: Original, pages: Pages, examples: int) -> str:
    equal = total = skipped = 0
    shown: list[str] = []
    for page, names in zip(pages, original(pages), strict=True):
        if names is None or len(names) != len(page):
            skipped += len(page)
            continue
        ours = anchors([(heading, ()) for heading in page], renderer)
        total += len(page)
        equal += sum(a == b for a, b in zip(ours, names, strict=True))
        shown += [f"    {h!r}: {b!r}, not {a!r}" for h, a, b in zip(page, ours, names, strict=True) if a != b]
    lines = [f"{renderer:15} {equal} of {total} equal ({equal / max(total, 1):.2%}), {skipped} not comparable"]
    return "\n".join(lines + random.Random(1).sample(shown, min(examples, len(shown))))


def write_table(path: Path, options: argparse.Namespace) -> None:
    """Asks the originals again about every heading of the table of the tests."""
    table = json.loads(path.read_text())
    pages: Pages = table["pages"]
    table["anchors"] = {renderer: original(pages) for renderer, original in installed(options)}
    path.write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--npm", type=Path)
    for name in ("python", "ruby", "hugo"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--repositories", type=Path)
    parser.add_argument("--headings", type=int, default=10_000, help="number of generated headings")
    parser.add_argument("--examples", type=int, default=5, help="disagreements to print")
    parser.add_argument("--only", help="name of one renderer")
    parser.add_argument("--table", type=Path, help="write what the originals print for the headings of the tests")
    options = parser.parse_args()
    if options.table:
        write_table(options.table, options)
        return 0
    sources = {"generated": generated(options.headings)}
    if options.repositories:
        sources["repositories"] = list(of_repositories(options.repositories))
    for source, pages in sources.items():
        print(f"{source}: {sum(map(len, pages))} headings")
        for renderer, original in installed(options):
            if options.only in (None, renderer):
                print(compare(renderer, original, pages, options.examples), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
