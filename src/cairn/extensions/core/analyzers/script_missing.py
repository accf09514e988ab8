"""Commands in documents that run a file which the repository does not have."""

import re
from collections import defaultdict
from collections.abc import Iterator
from posixpath import basename, dirname, join, normpath, splitext
from typing import TYPE_CHECKING, NamedTuple

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import FileRemoval, PageOutline, Place, Proof, Repository

_RUNS = re.compile(r"\b(?:python3?|bash|sh|zsh|node|ruby|perl|php|tsx|ts-node|Rscript|deno|bun|source)\s|\./")
_CALL = re.compile(
    r"(?:^|[\s;&|(])"
    r"(?P<start>(?:python3?|bash|sh|zsh|node|ruby|perl|php|tsx|ts-node|Rscript|source|deno run|bun run)\s+"
    r"(?:--?[A-Za-z][\w-]*\s+)*(?:\./)?|\./)"
    r"(?P<path>(?:[\w.@-]+/)+[\w.-]+\.(?:py|sh|bash|[cm]?[jt]s|rb|pl|php|exs|R|lua|ps1))(?=$|[\s;&|)])"
)
_FOR_OTHERS = re.compile(r"(?:.*/)?(?:skills|agents|instructions|prompts|commands|plugins|workflows)/")
"""Files that agents use in other repositories: they run what those have."""
_ANYBODYS = re.compile(
    r"src|app|bin|lib|dist|build|out|scripts?|tools|hooks|node_modules|vendor|\.?venv|target|install|tests?",
    re.IGNORECASE,
)
"""Folders that the reader's project has too."""
_PLACEHOLDER = re.compile(
    r"\.\.\.|(?:^|[/_.-])(?:foo|bar|baz|x+|my|your|some|path|to|file|name|example|sample|demo)(?=[/_.-]|$)",
    re.IGNORECASE,
)
"""Names that the reader is to replace. A hit only hides a finding."""
_NAMED = 4


class MissingScript(NamedTuple):
    path: str
    """From the root."""
    place: "Place"
    removal: "FileRemoval | None"


class ScriptMissing:
    """A command that runs a file which the repository does not have.

    What it finds
        `python path/to/file.py`, `bash path/file.sh`, `node path/file.js`, `./path/file.sh` and the like in shell
        blocks and inline code, where no such file exists from the root, from the folder of the document, or from any
        folder between them. Either a commit deleted or moved the file, or the folder is one of this repository and has
        other files of that kind. Commands after `cd` and in files that agents use elsewhere are not judged.

    Why it matters
        Whoever follows the document gets an error. It is a note if no commit removed the file: the command may be
        invented, or run in another repository.

    Example
        `python examples/basic_stream.py`, after the examples were merged into `examples/basic.py`.

    Fix
        Correct the path, or remove the command.
    """

    manifest = AnalyzerManifest(
        version="1.0.0",
        description="A command runs a file that the repository does not have.",
        phase="read",
        reach="graph",
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        by_folder: dict[str, list[MissingScript]] = defaultdict(list)
        for page in ctx.pages(_RUNS):
            if not _FOR_OTHERS.match(page.path):
                for one in _missing(ctx, page):
                    by_folder[_cause(ctx, one.path)].append(one)
        ignored = ctx.past.ignored(sorted({one.path for same in by_folder.values() for one in same}))
        for folder, same in by_folder.items():
            if kept := [one for one in same if one.path not in ignored]:
                yield ctx.weighed(_certain(_issue(ctx, folder, kept), kept))


def _certain(issue: Issue, missing: "list[MissingScript]") -> Issue:
    """A note if no commit removed the file: the command may be invented, or run in another repository. Of three such
    findings on repositories that nobody had read, one was right."""
    if any(one.removal for one in missing):
        return issue
    return issue._replace(severity=Severity.INFO, detail="no commit that was read removed the file")


def _missing(ctx: "Repository", page: "PageOutline") -> Iterator[MissingScript]:
    from cairn.plugin import command_lines

    for command in command_lines(page, _RUNS):
        for found in _CALL.finditer(command.text):
            written = normpath(found["path"])
            shown = not command.in_block and found["start"] == "./"  # the name of a file, not a command
            if shown or _PLACEHOLDER.search(written) or ctx.tree.exists_somewhere(page.path, written):
                continue
            for path in dict.fromkeys((written, normpath(join(dirname(page.path), written)))):
                removal = ctx.past.removed_file(path) if ctx.past.known else None
                if removal or _belongs_here(ctx, page, path, written):
                    yield MissingScript(path, ctx.place(page.path, command.line), removal)
                    break


def _cause(ctx: "Repository", path: str) -> str:
    """The folder that lacks the file, or the outermost folder of the path that does not exist."""
    folder = dirname(path)
    while dirname(folder) and not ctx.tree.exists(dirname(folder)):
        folder = dirname(folder)
    return folder


def _belongs_here(ctx: "Repository", page: "PageOutline", path: str, written: str) -> bool:
    """Whether the folder of a file is one of this repository's own, so that the file should be in it."""
    folder = dirname(path)
    if "/" not in dirname(written) and _ANYBODYS.fullmatch(dirname(written)):
        return False
    alike = any(splitext(other)[1] == splitext(path)[1] for other in ctx.tree.by_folder.get(folder, ()))
    return alike or (path == written and _is_beside(path, page.path))


def _is_beside(path: str, other: str) -> bool:
    """Whether two paths with two folders or more begin with the same one."""
    return path.count("/") > 1 and other.count("/") > 1 and path.split("/")[0] == other.split("/")[0]


def _issue(ctx: "Repository", folder: str, same: list[MissingScript]) -> Issue:
    from cairn.plugin import proven

    files = list({one.path: one for one in same}.values())
    removal, near = files[0].removal, _elsewhere(ctx, files[0].path)
    if len(files) == 1:
        to = (removal and removal.moved_to) or near
        message = f"This command fails: there is no `{files[0].path}`" + (f"; `{to}` exists." if to else ".")
        fix = f"Write `{to}`." if to else "Correct the path, or remove the command."
    else:
        lacks = "does not have their files" if ctx.tree.exists(folder) else "does not exist"
        message = f"{len(files)} commands fail: `{folder}/` {lacks}."
        fix = "Correct the paths, or remove the commands."
    proofs = [_proof(ctx, one) for one in files[:_NAMED]]
    places = [one.place._replace(targets=(one.path,)) for one in same]
    target = files[0].path if len(files) == 1 else f"{folder}/"
    return proven("script-missing", Severity.WARN, target, message, places, proofs, fix)


def _elsewhere(ctx: "Repository", path: str) -> str:
    """The only file of that name; empty if there are several, or none."""
    same = ctx.tree.by_name.get(basename(path), ())
    return same[0] if len(same) == 1 else ""


def _proof(ctx: "Repository", one: MissingScript) -> "Proof":
    from cairn.plugin import Proof

    if one.removal:
        return one.removal.proof
    folder = dirname(one.path)
    number = len(ctx.tree.by_folder.get(folder, ()))
    files = f"has {number} other file{'' if number == 1 else 's'}" if number else "does not exist"
    return Proof(f"`{one.path}` is not in the repository; `{folder}/` {files}")


extension = ScriptMissing()
