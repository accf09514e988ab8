"""Commands in documents that the project's own Makefile or package.json does not have, and the wrong Python."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from cairn.app.trying.finding import Evidence, Finding
from cairn.app.trying.ground import Ground, Page
from cairn.kernel.text.tense import about_the_past

KIND = "wrong-command"
VERSION = "wrong-version"
_SHELL = frozenset({"", "sh", "bash", "shell", "console", "terminal", "zsh", "text", "shell-session"})
_MAKE = re.compile(r"^\s*(?:\$ )?make ([a-z][\w-]*)\s*(?:#.*)?$")
_RUN = re.compile(r"^\s*(?:\$ )?(?:npm|pnpm|yarn) run ([a-z][\w:-]*)\b")
_TARGET = re.compile(r"^([A-Za-z0-9][\w./ -]*?)\s*:(?!=)", re.MULTILINE)
_LOOSE_MAKE = re.compile(r"^-?include\s|%\s*:|\$\(\w+\)\s*:|\$\{?\(?(?:eval|foreach)", re.MULTILINE)
_MAKEFILES = ("Makefile", "makefile", "GNUmakefile")


def find(ground: Ground) -> Iterator[Finding]:
    for pattern, file, names in _sources(ground):
        places: dict[str, list[tuple[Page, int]]] = defaultdict(list)
        for page in ground.pages(history=False):
            for line, name in _calls(page, pattern):
                if name not in names:
                    places[name].append((page, line))
        yield from (_finding(name, same, file, names) for name, same in places.items())
    yield from _python(ground)


def _sources(ground: Ground) -> Iterator[tuple[re.Pattern[str], str, dict[str, int]]]:
    """(what calls it, the file, its names with their lines), where the file says all there is."""
    makefiles = [path for path in ground.paths if path.rpartition("/")[2] in _MAKEFILES]
    if len(makefiles) == 1 and "/" not in makefiles[0]:
        text = ground.text(makefiles[0]) or ""
        if not _LOOSE_MAKE.search(text):
            yield _MAKE, makefiles[0], _targets(text)
    packages = [path for path in ground.paths if path.rpartition("/")[2] == "package.json"]
    if len(packages) == 1 and "/" not in packages[0]:
        text = ground.text(packages[0]) or ""
        scripts = _scripts(text)
        if scripts is not None:
            yield _RUN, packages[0], scripts


def _targets(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for match in _TARGET.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        found.update(dict.fromkeys(match[1].split(), line))
    return found


def _scripts(text: str) -> dict[str, int] | None:
    try:
        scripts = json.loads(text).get("scripts", {})
        return dict.fromkeys(scripts, 1)
    except (ValueError, AttributeError, TypeError, RecursionError):
        return None


def _calls(page: Page, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    if re.search(r"^\s*(?:\$ )?(?:cd|git clone) ", page.text, re.MULTILINE):
        return  # somewhere else, maybe
    for line, language, text in page.fenced():
        if language in _SHELL and (found := pattern.match(text)):
            yield line, found[1]
    for line, span in page.spans():
        if (found := pattern.fullmatch(span)) and not about_the_past(page.lines[line - 1]):
            yield line, found[1]


def _finding(name: str, places: list[tuple[Page, int]], file: str, names: Mapping[str, int]) -> Finding:
    near = get_close_matches(name, sorted(names), 1, cutoff=0.7)
    message = f"This says to run `{name}`, which {file} does not have{f'; it has `{near[0]}`' if near else ''}."
    evidence = tuple(page.evidence(line) for page, line in places[:3])
    because = f"{file} has {len(names)} names, and `{name}` is none of them"
    fix = f"Say `{near[0]}`." if near else f"Correct the command, or add `{name}` to {file}."
    return Finding(KIND, message, evidence, because, fix, 0.92, 0.85, more=max(0, len(places) - 3))


# --- the Python that is needed ----------------------------------------------------------------------------------------

_REQUIRES = re.compile(r"""^\s*requires[-_]python\s*=\s*["']\s*>=\s*3\.(\d+)""", re.MULTILINE)
_CLAIM = re.compile(
    r"\b(?:requires?|needs?|supports?|works with|runs on|tested (?:on|with)|you(?:'ll| will)? need)\b[^.\n]{0,25}?"
    r"\bPython\s*(?:>=\s*)?3\.(\d+)\s*(\+|or (?:newer|later|higher|above|greater)|and (?:newer|later|higher|above|up))",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:if you|on Python|for Python|when|feature|syntax|only|stdlib|standard library|since|added)\b", re.I
)


def _python(ground: Ground) -> Iterator[Finding]:
    text = ground.text("pyproject.toml") if "pyproject.toml" in ground.paths else None
    found = _REQUIRES.search(text or "")
    if text is None or found is None:
        return
    line = text.count("\n", 0, found.start(1)) + 1
    declared = Evidence("pyproject.toml", line, text.split("\n")[line - 1].strip())
    for page in ground.pages(history=False):
        for number, words in enumerate(page.prose_lines, 1):
            claim = _CLAIM.search(words)
            if claim and int(claim[1]) < int(found[1]) and not about_the_past(words) and not _ELSEWHERE.search(words):
                message = f"This says that Python 3.{claim[1]} is enough; the package needs 3.{found[1]}."
                because = "pyproject.toml says which Python it installs on"
                fix = f"Say Python 3.{found[1]}."
                yield Finding(VERSION, message, (page.evidence(number), declared), because, fix, 0.93, 0.85)
                break
