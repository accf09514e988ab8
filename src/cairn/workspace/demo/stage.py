"""One telling of the demo: what is about to happen is said, then done by the real program, then shown."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from cairn.changes.write import write_file
from cairn.errors import Conflict, EnvironmentProblem

_SAMPLE = Path(__file__).parent / "sample"
_WEB = Path(__file__).parent / "web"
_TALKS = Path(__file__).parent / "talks"
ANSWERS = ".cairn/answers"
STILL_TRUE, STILL_HOLDS = "core/still-true", "core/still-holds"
_DOT = "dot-"
"""`dot-claude` stands for `.claude`: packagers and ignore rules like to drop names that start with a dot."""

_TEMPORARY = "cairn-demo-"


def sample_files() -> Iterator[tuple[str, Path]]:
    """(path in the workspace, file in the package), sorted; without what an installer compiled beside them."""
    for file in sorted(path for path in _SAMPLE.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        yield "/".join(map(_undotted, file.relative_to(_SAMPLE).parts)), file


def _undotted(name: str) -> str:
    return f".{name.removeprefix(_DOT)}" if name.startswith(_DOT) else name


def fresh_folder(wanted: Path | None) -> Path:
    """An empty folder: the one that was named, or a temporary one."""
    if wanted is None:
        from tempfile import mkdtemp

        folder = Path(mkdtemp(prefix=_TEMPORARY)) / "sourdough"
    else:
        folder = wanted.absolute()
        if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
            raise Conflict(f"`{wanted}` is not an empty folder; name one that is, or one that does not exist yet.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentProblem(f"`{folder}` cannot be made: {error.strerror}; name another place.") from error
    return folder


def take_away(folder: Path) -> None:
    """The folder with all that is in it, and the temporary one around it."""
    import shutil

    shutil.rmtree(folder)
    if folder.parent.name.startswith(_TEMPORARY):
        folder.parent.rmdir()


def web_entries(site: str) -> Iterator[tuple[str, str]]:
    """(path in the workspace, text) of the entries that cite pages of a site."""
    yield from _texts(_WEB / "entries", "knowledge", site)


def web_answers() -> dict[str, str]:
    """What a model once answered about those entries, by their names."""
    return {file.stem: file.read_text("utf-8") for file in sorted((_WEB / "answers").iterdir())}


def replay(stage: "Stage", question: str, answers: Mapping[str, str]) -> None:
    """Recorded answers, by a part of what they are about, under the keys of what waits here: the material names places
    of this machine, so its hash is another one each time."""
    for job in stage.answer("job", "list"):
        name = next((name for name in answers if name in job["nodeId"]), None)
        if (job["actionId"], job["status"]) == (question, "queued") and name is not None:
            key = f"{question.replace('/', '-')}-{job['actionVersion']}-{job['questionHash'][:16]}"
            stage.write(f"{ANSWERS}/{key}.txt", answers[name])
    stage.cairn("judge", "--with", f"replay:{ANSWERS}", "--only", question)


def _texts(folder: Path, into: str, site: str) -> Iterator[tuple[str, str]]:
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield f"{into}/{file.relative_to(folder).as_posix()}", file.read_text("utf-8").replace("{site}", site)


def talk(name: str, filled: Mapping[str, str]) -> str:
    """What an agent's host would have written or sent, with places and times filled in."""
    text = (_TALKS / name).read_text("utf-8")
    for gap, value in filled.items():
        text = text.replace(gap, json.dumps(value)[1:-1])
    return text


def unpack(folder: Path) -> int:
    """Write the sample there and return how many files it has."""
    files = list(sample_files())
    for path, file in files:
        write_file(folder, path, file.read_bytes())
    return len(files)


IDENTITY = (("user.name", "Sourdough"), ("user.email", "night@sourdough.example"))

GIT = (
    "git",
    *(word for key, value in IDENTITY for word in ("-c", f"{key}={value}")),
    *("-c", "init.defaultBranch=main", "-c", "commit.gpgSign=false", "-c", "core.hooksPath=/dev/null"),
)
"""Its own identity and nothing of the machine's: no hooks, no signatures, no templates."""


def git_environment(env: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in env.items() if not name.startswith("GIT_")}
    return kept | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TEMPLATE_DIR": "", "LC_ALL": "C"}


def run_git(folder: Path, env: Mapping[str, str], *args: str) -> tuple[int, str]:
    """(exit code, what git said)."""
    try:
        done = subprocess.run(
            [*GIT, *args],
            cwd=folder,
            env=git_environment(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    except FileNotFoundError:
        raise EnvironmentProblem("the demo needs git, which is not on your PATH; install it and try again") from None
    return done.returncode, done.stdout.decode("utf-8", "replace")


Opened = TypeVar("Opened")


class DemoStep(NamedTuple):
    """One command of the story, and how it ended."""

    chapter: str
    command: str
    exit_code: int
    output: str
    """Empty when it went straight to the terminal."""


class Teller(Protocol):
    """How the story reaches its listener."""

    def title(self, number: int, text: str) -> None: ...

    def say(self, text: str) -> None: ...

    def command(self, line: str) -> None: ...

    def output(self, text: str) -> None:
        """What a command said; empty when it wrote to the terminal itself."""
        ...

    def change(self, path: str, old: str, new: str) -> None: ...

    def end_chapter(self) -> None: ...


class Stage:
    """The folder in which it happens. `live` lets commands write to the terminal themselves, in their colours."""

    def __init__(self, folder: Path, env: Mapping[str, str], teller: Teller, *, live: bool) -> None:
        self.folder = folder
        self.steps: list[DemoStep] = []
        self.chapter = ""
        self._env = {name: value for name, value in env.items() if not name.startswith(("CAIRN_", "_CAIRN_"))}
        self.variables: dict[str, str] = {}
        self._teller = teller
        self._live = live
        self._to_close = ExitStack()

    def __enter__(self) -> "Stage":
        return self

    def __exit__(self, *raised: object) -> None:
        self._to_close.close()

    def until_the_end(self, opened: AbstractContextManager[Opened]) -> Opened:
        """Something that later chapters need as well; it is closed after the last one."""
        return self._to_close.enter_context(opened)

    def set(self, **variables: str) -> None:
        """Variables of the environment for all commands from now on."""
        self.variables |= variables
        self._env |= variables

    def open_chapter(self, number: int, title: str) -> None:
        self.chapter = title
        self._teller.title(number, title)

    def close_chapter(self) -> None:
        self._teller.end_chapter()

    def say(self, text: str) -> None:
        self._teller.say(text)

    def brief(self, *args: str, first: int | None = None, ends: int = 0) -> None:
        """Run `cairn …` and show its data without the talk on stderr; of a long output the first lines and the last."""
        line = shlex.join(("cairn", *args))
        self._teller.command(line)
        code, said = self._run(("-P", "-m", "cairn", *args), b"", talk=False, captured=first is not None)
        self._teller.output(said if first is None else _shortened(said, first))
        self._took(line, code, said, ends)

    def cairn(self, *args: str, reads: str | None = None, ends: int = 0) -> None:
        """Run `cairn …`, with a file as its input where one is named; the story knows how it should end."""
        line = shlex.join(("cairn", *args)) + (f" < {shlex.quote(reads)}" if reads else "")
        # -P: a folder named `cairn` where we are must not be taken for the program.
        self._perform(line, ("-P", "-m", "cairn", *args), reads, ends)

    def answer(self, *args: str) -> Any:
        """What `cairn … --json` says, for the story itself: nobody is shown the command."""
        code, said = self._run(("-P", "-m", "cairn", *args, "--json"), b"", talk=False, captured=True)
        if code != 0:
            raise EnvironmentProblem(f"`cairn {shlex.join(args)}` ended with {code}; it is all in {self.folder}.")
        return json.loads(said)

    def python(self, script: str, *args: str, ends: int = 0) -> None:
        """Run a program of the story's own."""
        self._perform(shlex.join(("python", script, *args)), ("-P", script, *args), None, ends)

    def _perform(self, line: str, args: Sequence[str], reads: str | None, ends: int) -> None:
        self._teller.command(line)
        code, said = self._run(args, (self.folder / reads).read_bytes() if reads else b"")
        self._teller.output(said)
        self._took(line, code, said, ends)

    def git(self, *args: str) -> None:
        line = shlex.join(("git", *args))
        self._teller.command(line)
        code, said = run_git(self.folder, self._env, *args)
        if said:
            self._teller.output(said)
        self._took(line, code, said, 0)

    def start_repository(self, message: str) -> None:
        """As `git init` and a first commit would, without showing it."""
        run_git(self.folder, self._env, "init", "--quiet")
        self.sign()
        run_git(self.folder, self._env, "add", "--all")
        run_git(self.folder, self._env, "commit", "--quiet", "--message", message)

    def sign(self) -> None:
        """Merges are signed by whoever the repository says; without this, by the person who watches."""
        for key, value in IDENTITY:
            run_git(self.folder, self._env, "config", key, value)

    def edit(self, path: str, *changes: tuple[str, str]) -> None:
        """Replace some texts in a file, each of them once, and show the lines."""
        text = (self.folder / path).read_text("utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                raise _not_as_left(path)
            self._teller.change(path, _line_with(text, old), _line_with(text.replace(old, new), new))
            text = text.replace(old, new)
        write_file(self.folder, path, text)

    def replace_all(self, path: str, old: str, new: str) -> None:
        """Replace a text wherever it stands in a file, and show the first of its lines."""
        text = (self.folder / path).read_text("utf-8")
        if old not in text:
            raise _not_as_left(path)
        self._teller.change(path, _line_with(text, old), _line_with(text.replace(old, new), new))
        write_file(self.folder, path, text.replace(old, new))

    def replace_from(self, path: str, start: str, new: str) -> None:
        """Put a text in place of the end of a file, from where something stands, and show the first line of each."""
        text = (self.folder / path).read_text("utf-8")
        kept, found, old = text.partition(start)
        if not found:
            raise _not_as_left(path)
        self._teller.change(path, (found + old).partition("\n")[0], new.partition("\n")[0])
        write_file(self.folder, path, kept + new)

    def write(self, path: str, text: str) -> None:
        write_file(self.folder, path, text)

    def show_change(self, where: str, old: str, new: str) -> None:
        """Of something that is no file here."""
        self._teller.change(where, old, new)

    def _run(self, args: Sequence[str], read: bytes, *, talk: bool = True, captured: bool = False) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, *args],
            cwd=self.folder,
            env=self._env,
            input=read,
            stdout=None if self._live and not captured else subprocess.PIPE,
            stderr=subprocess.STDOUT if talk else subprocess.DEVNULL,
            check=False,
        )
        return done.returncode, (done.stdout or b"").decode("utf-8", "replace")

    def _took(self, line: str, code: int, said: str, ends: int) -> None:
        self.steps.append(DemoStep(self.chapter, line, code, said))
        if code != ends:
            raise EnvironmentProblem(
                f"`{line}` ended with {code}, and in the story with {ends}; everything is still in {self.folder}",
                command=line,
                exit_code=code,
            )


def _shortened(text: str, first: int) -> str:
    lines = text.rstrip("\n").splitlines()
    left = len(lines) - first
    return "\n".join([*lines[:first], f"… and {left} more lines"]) if left > 1 else text


def _not_as_left(path: str) -> EnvironmentProblem:
    return EnvironmentProblem(f"`{path}` is not as the demo left it; start again with a new folder.")


def _line_with(text: str, part: str) -> str:
    start = text.index(part)
    end = text.find("\n", start + len(part))
    return text[text.rfind("\n", 0, start) + 1 : end if end >= 0 else len(text)]
