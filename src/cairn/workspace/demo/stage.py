"""One telling of the demo: what is about to happen is said, then done by the real program, then shown."""

import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from cairn.changes.write import write_file
from cairn.errors import EnvironmentProblem
from cairn.workspace.demo.unpack import IDENTITY, run_git

Opened = TypeVar("Opened")


class Step(NamedTuple):
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
        self.steps: list[Step] = []
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
        self.steps.append(Step(self.chapter, line, code, said))
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
