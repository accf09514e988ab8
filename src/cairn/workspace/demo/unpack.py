"""The sample workspace, as it lies in the package, and how it becomes a folder of its own."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from cairn.changes.write import write_file
from cairn.errors import Conflict, EnvironmentProblem

_SAMPLE = Path(__file__).parent / "sample"
_WEB = Path(__file__).parent / "web"
_TALKS = Path(__file__).parent / "talks"
ANSWERS = ".cairn/answers"
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


def recorded_answers(site: str) -> Iterator[tuple[str, str]]:
    """What a model once said about those entries."""
    yield from _texts(_WEB / "answers", ANSWERS, site)


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
