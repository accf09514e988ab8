"""Commands in documents that no Makefile, justfile or package.json of the repository has."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from posixpath import basename
from typing import TYPE_CHECKING, NamedTuple

from cairn.plugin import AnalyzerManifest, Issue, Severity

if TYPE_CHECKING:
    from cairn.plugin import Commit, PageOutline, Place, Repository

_SHELL = frozenset({"", "sh", "bash", "shell", "console", "terminal", "zsh", "text", "shell-session", "shellsession"})
_END = r"(?=\s*(?:$|#|&&|;|\|))"
_TARGET = re.compile(r"^([A-Za-z0-9][\w./-]*(?: +[\w./-]+)*)[ \t]*:(?![=:])", re.MULTILINE)
_RECIPE = re.compile(r"^@?([A-Za-z_][\w-]*)(?:[ \t][^:\n]*)?:(?!=)", re.MULTILINE)
_OPEN_MAKE = re.compile(r"^-?s?include\s|^[^\t#\n%]*%[^\n]*:|^\$[({]|\$[({]?(?:eval|foreach|call)|^\.DEFAULT\s*:", re.M)
_RUNS = re.compile(r"\b(?:make|just|npm|pnpm|yarn|bun|composer) ")
_ELSEWHERE = re.compile(r"\bcd |\bgit clone ")
_NEAR = 0.88
_AT_HOME = re.compile(
    r"(?:\.github/|docs/|\.claude/)?(?:CONTRIBUTING|DEVELOPMENT|DEVELOPING|HACKING)(?:\.\w+)?"
    r"|(?!.*(?:^|/)(?:skills|plugins|templates|examples?)/)(?:.*/)?(?:AGENTS|CLAUDE|GEMINI)\.md",
    re.I,
)
"""Documents whose reader works in this repository, and nowhere else."""
_OPEN_JUST = re.compile(r"^(?:import|mod)\b|^set fallback", re.MULTILINE)


_OWN = {
    "pnpm": "access add adduser approve-builds audit bin bugs c cache cat-file cat-index ci completion config create "
    "dedupe deploy deprecate dist-tag dlx docs doctor edit env exec fetch find-hash help i ignored-builds import info "
    "init install install-test it licenses link list ll ln login logout ls outdated owner pack patch patch-commit "
    "patch-remove ping pkg prefix profile prune publish rb rebuild recursive remove repo rm root run run-script search "
    "self-update server set setup show star stars start stop store t team test token uninstall unlink unpublish unstar "
    "up update upgrade version view whoami why",
    "yarn": "add audit autoclean bin cache check config constraints create dedupe dlx exec explain generate-lock-entry "
    "global help import info init install licenses link list login logout node npm outdated owner pack patch "
    "patch-commit plugin policies publish rebuild remove run search self-update set stage start tag team test unlink "
    "unplug up upgrade upgrade-interactive version versions why workspace workspaces",
    "bun": "a add audit build c ci completions create discord dlx exec getcompletes help i info init install link "
    "list outdated patch patch-commit pm publish remove repl rm run test unlink update upgrade why x",
    "composer": "about archive audit browse bump check-platform-reqs clear-cache config create-project depends "
    "diagnose dump-autoload dumpautoload exec fund global help home i info init install licenses list outdated "
    "prohibits r reinstall remove require rm run run-script search self-update selfupdate show status suggests u "
    "uninstall update upgrade validate why why-not",
}
"""Commands of the programs themselves: the short form calls these, whatever scripts there are."""


def _short(*programs: str) -> re.Pattern[str]:
    """`pnpm NAME`, unless the program has a command of that name."""
    calls = "|".join(rf"{program} (?!(?:{'|'.join(_OWN[program].split())})(?:\s|$))" for program in programs)
    return re.compile(rf"^\s*(?:[$>] )?(?:{calls})([a-z][\w:-]*)(?=\s|$)")


class TaskRunner(NamedTuple):
    """A program that runs named tasks from a file."""

    files: tuple[str, ...]
    call: re.Pattern[str]
    thing: str
    built_in: frozenset[str] = frozenset()
    short: re.Pattern[str] | None = None
    """A form that may also call something else; it counts if a commit removed the name."""


_MAKE = TaskRunner(
    ("Makefile", "makefile", "GNUmakefile"), re.compile(rf"^\s*(?:[$>] )?make ([a-z][\w-]*){_END}"), "target"
)
_JUST = TaskRunner(
    ("justfile", "Justfile", ".justfile"), re.compile(rf"^\s*(?:[$>] )?just ([a-z][\w-]*){_END}"), "recipe"
)
_NPM = TaskRunner(
    ("package.json",),
    re.compile(r"^\s*(?:[$>] )?(?:npm|pnpm|yarn|bun) run ([a-z][\w:-]*)(?=\s|$)"),
    "script",
    frozenset({"env", "start", "test", "restart", "stop"}),
    _short("pnpm", "yarn", "bun"),
)
_COMPOSER = TaskRunner(
    ("composer.json",),
    re.compile(r"^\s*(?:[$>] )?composer run(?:-script)? ([a-z][\w:-]*)(?=\s|$)"),
    "script",
    short=_short("composer"),
)
_RUNNERS = (_MAKE, _JUST, _NPM, _COMPOSER)


class CommandMissing:
    """A command that the repository does not have.

    What it finds
        `make NAME`, `just NAME`, `npm|pnpm|yarn|bun run NAME` and `composer run NAME` in inline code or shell blocks,
        where no Makefile, justfile, package.json or composer.json of the repository has that name. Either a commit
        removed the name while the document had it, or the document is for people who work in this repository
        (CONTRIBUTING, AGENTS.md and the like). Files that include others or make up names by patterns are not judged.

    Why it matters
        Whoever follows the document gets an error.

    Example
        "Run `make docs`", after the target was renamed to `site`.

    Fix
        Correct the command, or add the target.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A command that the repository does not have.", phase="read", reach="graph"
    )

    def evaluate(self, ctx: "Repository") -> Iterator[Issue]:
        for runner in _RUNNERS:
            names = _names(ctx, runner)
            if names is None:
                continue
            found = _missing(ctx, runner.call, {*names, *runner.built_in})
            short = _missing(ctx, runner.short, {*names, *runner.built_in}) if runner.short else {}
            yield from _issues(ctx, runner, names, found, short)


def _missing(ctx: "Repository", call: re.Pattern[str], names: set[str]) -> "dict[str, list[Place]]":
    found: dict[str, list[Place]] = defaultdict(list)
    for page in ctx.pages(_RUNS):
        for line, name in _calls(page, call):
            if name not in names:
                found[name].append(ctx.place(page.path, line))
    return found


class RemovedTask(NamedTuple):
    commit: "Commit"
    at: int
    file: str


def _issues(
    ctx: "Repository",
    runner: TaskRunner,
    names: Mapping[str, str],
    found: "Mapping[str, list[Place]]",
    short: "Mapping[str, list[Place]]",
) -> Iterator[Issue]:
    removed = _removed(ctx, runner, set(names.values())) if found or short else {}
    for name in sorted({*found, *short}):
        gone = removed.get(name)
        places = [*found.get(name, ()), *short.get(name, ())]
        stale = [place for place in places if gone and ctx.past.had(place.path, name, gone.at)]
        at_home = [place for place in found.get(name, ()) if _AT_HOME.fullmatch(place.path)]
        if stale or at_home:
            yield ctx.weighed(_issue(runner, name, stale or at_home, names, gone if stale else None))


def _removed(ctx: "Repository", runner: TaskRunner, files: set[str]) -> dict[str, RemovedTask]:
    """Names that these files had once, with the latest commit before which they had them."""
    found: dict[str, RemovedTask] = {}
    for file in sorted(files):
        for commit, at, text in ctx.past.versions(file):
            for name in _names_in(runner, text) or ():
                if name not in found or at < found[name].at:
                    found[name] = RemovedTask(commit, at, file)
    return found


def _names(ctx: "Repository", runner: TaskRunner) -> dict[str, str] | None:
    """Each name with the file that has it; None if there is no such file, or one whose names can't be known."""
    from cairn.plugin import scope_of

    files = [path for name in runner.files for path in ctx.tree.by_name.get(name, ()) if scope_of(path) == "current"]
    found: dict[str, str] = {}
    for path in files:
        names = _names_in(runner, ctx.tree.text(path) or "")
        if names is None:
            return None
        found.update((name, path) for name in names if name not in found)
    return found or None


def _names_in(runner: TaskRunner, text: str) -> list[str] | None:
    if runner in (_NPM, _COMPOSER):
        return _scripts(text)
    if runner is _JUST:
        return None if _OPEN_JUST.search(text) else [found[1] for found in _RECIPE.finditer(text)]
    if _OPEN_MAKE.search(text):
        return None
    return [name for found in _TARGET.finditer(text) for name in found[1].split()]


def _scripts(text: str) -> list[str] | None:
    import json

    try:
        scripts = json.loads(text).get("scripts", {})
        return [str(name) for name in scripts]
    except (ValueError, AttributeError, TypeError, RecursionError):
        return None


def _calls(page: "PageOutline", call: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    for block in page.blocks:
        if block.language in _SHELL:
            for number, line in enumerate(block.lines, block.line):
                if _ELSEWHERE.search(line):
                    break  # the commands below run in another folder
                if found := call.match(line):
                    yield number, found[1]
    for span in page.spans:
        if found := call.match(span.text):
            yield span.line, found[1]


def _issue(
    runner: TaskRunner, name: str, places: "list[Place]", names: Mapping[str, str], gone: RemovedTask | None
) -> Issue:
    from cairn.plugin import Proof, proven

    files = sorted(set(names.values()))
    file = files[0] if len(files) == 1 else f"any {basename(files[0])}"
    near = get_close_matches(name, sorted(names), 1, cutoff=_NEAR)
    message = f"There is no {runner.thing} `{name}` in {file}."
    listed = ", ".join(f"`{known}`" for known in sorted(names)[:8]) + (" …" if len(names) > 8 else "")
    number = f"{len(names)} {runner.thing}{'' if len(names) == 1 else 's'}"
    proofs = [Proof(f"{number}: {listed}", files[0] if len(files) == 1 else "")]
    if gone:
        commit = gone.commit
        message = f"`{name}` is no longer a {runner.thing} of {file}."
        date = commit.date if commit.id else "not committed yet"
        proofs = [Proof(f"removed the {runner.thing} `{name}`", gone.file, 0, commit.short, date)]
    fix = f"Did you mean `{near[0]}`?" if near else f"Correct the command, or add the {runner.thing}."
    return proven("command-missing", Severity.ERROR, f"{runner.thing} {name}", message, places, proofs, fix)


extension = CommandMissing()
