"""Draws the pictures of the README: the map and `cairn try`, both of the bakery of `cairn demo`.

`python docs/pictures.py` writes them into docs/pictures/. The map needs Chromium (set CHROMIUM to its path).
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path

from cairn.workspace.demo.stage import IDENTITY, unpack

PICTURES = Path(__file__).parent / "pictures"
STYLE = Path(__file__).parents[1] / "src/cairn/extensions/core/formatters/html_page/page.css"
WIDTH, HEIGHT = 1180, 760
HEAD, FOOT = 62, 36
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=4000",
    "--dump-dom",
]


def main() -> int:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        bakery = make_bakery(Path(place) / "sourdough")
        (PICTURES / "try.svg").write_text(terminal("cairn try", cairn(bakery, "try")), "utf-8")
        browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _BROWSERS)), None)
        if browser is None:
            sys.stderr.write("wrote try.svg; the map needs Chromium: install it, or set CHROMIUM to its path\n")
            return 2
        cairn(bakery, "init", "--quiet")
        page = Path(place) / "map.html"
        cairn(bakery, "graph", "--format", "html", "-o", str(page))
        (PICTURES / "map.svg").write_text(drawn(browser, page), "utf-8")
    return 0


def make_bakery(folder: Path) -> Path:
    folder.mkdir()
    unpack(folder)
    identity = [word for key, value in IDENTITY for word in ("-c", f"{key}={value}")]
    for args in (["init", "--quiet"], ["add", "--all"], [*identity, "commit", "--quiet", "--message", "Start"]):
        subprocess.run(["git", *args], cwd=folder, check=True)
    return folder


def cairn(folder: Path, *args: str) -> str:
    line = [sys.executable, "-m", "cairn", *args]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=True).stdout


# --- the terminal -----------------------------------------------------------------------------------------------------

_STYLES = (
    (re.compile(r"^ *\d+\. "), "place"),
    (re.compile(r"^ +> "), "quote"),
    (re.compile(r"^ +(?:Fix|Evidence): "), "soft"),
    (re.compile(r"^\$ "), "typed"),
)
_LINE, _LETTER, _ROWS, _COLUMNS = 19, 7.85, 20, 104
_TERMINAL = """text{font:13px/1 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#e6e3dc;white-space:pre}
.place{font-weight:700;fill:#fff}.quote{fill:#7fd0c8}.soft{fill:#a5acb5}.typed{fill:#f0b442}"""


def terminal(command: str, output: str) -> str:
    """A window with a command and the beginning of its output."""
    lines = [f"$ {command}", *output.splitlines()][:_ROWS]
    while lines and not lines[-1].strip():
        lines.pop()
    wide, high = round(_COLUMNS * _LETTER + 40), len(lines) * _LINE + 64
    rows = "\n".join(
        _row(line, style, 56 + number * _LINE) for number, (line, style) in enumerate(_styled(lines)) if line
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" role="img" '
        f'aria-label="Output of {escape(command)}">\n<style>{_TERMINAL}</style>\n'
        f'<rect width="{wide}" height="{high}" rx="10" fill="#15191e"/>\n'
        + "".join(f'<circle cx="{20 + 18 * n}" cy="20" r="5.5" fill="#3a424c"/>' for n in range(3))
        + f"\n{rows}\n</svg>\n"
    )


def _styled(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Each line with its style; a line that goes on with a fix or its evidence looks like that."""
    before = ""
    for line in lines:
        style = next((name for pattern, name in _STYLES if pattern.match(line)), "")
        before = style or (before if line and before == "soft" else "")
        yield line, before


def _row(line: str, style: str, y: int) -> str:
    chosen = f' class="{style}"' if style else ""
    cut = line if len(line) <= _COLUMNS else line[: _COLUMNS - 1] + "…"
    return f'<text x="20" y="{y}"{chosen} xml:space="preserve">{escape(cut, quote=False)}</text>'


# --- the map ----------------------------------------------------------------------------------------------------------


def drawn(browser: str, page: Path) -> str:
    """The map as the browser lays it out, with its title and its legend, as one picture without a script."""
    with tempfile.TemporaryDirectory() as profile:
        size = f"--window-size={WIDTH + 20},{HEIGHT + HEAD + FOOT}"
        line = [browser, *_QUIET, f"--user-data-dir={profile}", size, page.as_uri()]
        dom = subprocess.run(line, capture_output=True, text=True, check=True).stdout
    found = re.search(r'<svg id="map"[^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>(.*?)</svg>', dom, re.DOTALL)
    if found is None:
        raise SystemExit("the browser drew no map")
    wide, high = float(found[1]), float(found[2])
    body = re.sub(r' (?:tabindex|role|aria-label|aria-hidden)="[^"]*"', "", found[3])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide + 24:.0f} {high + HEAD + FOOT:.0f}" role="img" '
        f'aria-label="Map of a repository: a box for each folder, a dot for each document">\n'
        f"<style>{_style()}</style>\n"
        f'<rect class="paper" width="100%" height="100%" rx="10"/>\n{_head(dom)}\n'
        f'<svg id="map" class="open" x="12" y="{HEAD}" width="{wide}" height="{high}">{body}</svg>\n'
        f"{_legend(dom, high + HEAD + 23)}\n</svg>\n"
    )


def _style() -> str:
    """The rules of the page that are about the map, and its colours for light and dark."""
    css = STYLE.read_text("utf-8")
    light = css[: css.index("@media")]
    start = css.index("@media (prefers-color-scheme: dark)")
    dark = css[start : css.index(':root[data-theme="dark"]')].replace(':root:not([data-theme="light"])', ":root")
    rules = [line for line in css.splitlines() if line.startswith(("#map ", ".lines")) and "flex" not in line]
    own = ".link{stroke:var(--links);stroke-width:1.4;fill:none} .folder{fill:var(--box-0);stroke:var(--soft)} "
    own += ".paper{fill:var(--paper)} .title{font:700 19px system-ui,sans-serif;fill:var(--ink)}"
    own += (
        " .lead{font:14px system-ui,sans-serif;fill:var(--ink)} .key{font:12.5px system-ui,sans-serif;fill:var(--soft)}"
    )
    return "\n".join([light.strip(), dark.strip(), *rules, own])


def _head(dom: str) -> str:
    title = _text(dom, r"<h1>(.*?)</h1>")
    counts = _text(dom, r'<p id="counts">(.*?)</p>')
    summary = _text(dom, r'<p id="summary">(.*?)</p>')
    cut = summary if len(summary) <= 150 else summary[:149].rpartition(" ")[0] + " …"
    return (
        f'<text x="18" y="26" class="title">{title}<tspan class="key" dx="12">{counts}</tspan></text>'
        f'<text x="18" y="49" class="lead">{cut}</text>'
    )


def _legend(dom: str, y: float) -> str:
    parts, x = [], 18.0
    for color, label, number in _chips(dom):
        parts.append(f'<circle cx="{x + 5}" cy="{y - 4:.0f}" r="5" fill="{color}"/>')
        parts.append(f'<text x="{x + 15}" y="{y:.0f}" class="key">{label} {number}</text>')
        x += 36 + 7 * len(f"{label} {number}")
    parts.append(f'<circle cx="{x + 5}" cy="{y - 4:.0f}" r="5" fill="none" stroke="var(--error)" stroke-width="2.2"/>')
    parts.append(f'<text x="{x + 15}" y="{y:.0f}" class="key">has an error</text>')
    x += 118
    parts.append(f'<path class="link" d="M{x} {y - 4:.0f}h22"/><text x="{x + 28}" y="{y:.0f}" class="key">link</text>')
    x += 62
    parts.append(f'<rect class="folder" x="{x}" y="{y - 10:.0f}" width="16" height="12" rx="3"/>')
    parts.append(f'<text x="{x + 22}" y="{y:.0f}" class="key">folder</text>')
    return "".join(parts)


def _chips(dom: str) -> Iterator[tuple[str, str, str]]:
    chip = re.compile(r'class="chip"[^>]*--c: ?([^;"]+)[^>]*><i></i>([^<]+)<span>([\d,]+)</span>')
    yield from (found.groups() for found in chip.finditer(dom))  # type: ignore[misc]


def _text(dom: str, pattern: str) -> str:
    found = re.search(pattern, dom, re.DOTALL)
    return escape(unescape(found[1]), quote=False) if found else ""


if __name__ == "__main__":
    sys.exit(main())
