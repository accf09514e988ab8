"""The files as they should be for a workspace: templates of ours with its folders, schedule and reader in them."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Final, Literal, NamedTuple

from cairn.core.model.knowledge import Corpus
from cairn.errors import Refused
from cairn.version import __version__

FORMAT: Final = 1
_NOTE: Final = "# Written by `cairn freshness install-workflow`; run it again to bring this file up to date.\n"
_LINE: Final = re.compile(r"# cairn (\{[^\n]{0,4000}\}) sha256:([0-9a-f]{64})\n")

Standing = Literal["create", "keep", "update", "edited", "foreign"]
"""What writing a file would mean: it is not there, as it should be, ours but another one, ours with edits of somebody,
or not ours at all."""


class WorkflowStamp(NamedTuple):
    facts: Mapping[str, str]
    """What the file was written for."""
    intact: bool
    """Whether the rest is as we wrote it."""


def stamped(body: str, facts: Mapping[str, str]) -> str:
    said = json.dumps({"format": FORMAT, **facts}, sort_keys=True)
    return f"{_NOTE}# cairn {said} sha256:{sha256(body.encode()).hexdigest()}\n{body}"


def stamp_of(text: str) -> WorkflowStamp | None:
    """None for a file that is not ours."""
    found = _LINE.search(text, 0, 4_096)
    if found is None:
        return None
    try:
        facts = json.loads(found[1])
    except (ValueError, RecursionError):
        facts = {}
    head = text[: found.end()]
    body = text[found.end() :]
    intact = head == _NOTE + found[0] and sha256(body.encode("utf-8", "surrogatepass")).hexdigest() == found[2]
    return WorkflowStamp({str(name): str(value) for name, value in facts.items()}, intact)


def standing_of(text: str | None, wanted: str) -> Standing:
    if text is None:
        return "create"
    if text == wanted:
        return "keep"
    stamp = stamp_of(text)
    if stamp is None:
        return "foreign"
    return "update" if stamp.intact else "edited"


ACTION: Final = ".github/actions/cairn/action.yml"
FRESHNESS: Final = ".github/workflows/cairn-freshness.yml"
GATES: Final = ".github/workflows/cairn-gates.yml"
VERSION: Final = ".github/workflows/cairn-version.yml"
PATHS: Final = {
    ACTION: "installs one exact version of Cairn",
    FRESHNESS: "the night, by a schedule",
    GATES: "the gates, on pull requests that touch knowledge",
    VERSION: "asks for the next version after a merge",
}
DAILY: Final = "0 9 * * *"
NOBODY: Final = ""
"""No reader: what has to be read waits."""
SECRETS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    NOBODY: (),
    "anthropic": (("ANTHROPIC_API_KEY", "secrets.ANTHROPIC_API_KEY"),),
    "deepseek": (("DEEPSEEK_API_KEY", "secrets.DEEPSEEK_API_KEY"),),
    "zai": (("ZAI_API_KEY", "secrets.ZAI_API_KEY"),),
    "openai-compatible": (
        ("OPENAI_BASE_URL", "vars.OPENAI_BASE_URL"),
        ("CAIRN_JUDGE_MODEL", "vars.CAIRN_JUDGE_MODEL"),
        ("OPENAI_API_KEY", "secrets.OPENAI_API_KEY"),
    ),
}
"""What each reader needs of the repository's secrets and variables."""


class WorkflowOptions(NamedTuple):
    directory: str
    """Of the workspace in the repository; empty for its top."""
    branch: str
    """Where knowledge is merged."""
    corpora: tuple[Corpus, ...]
    schedule: str = DAILY
    reader: str = NOBODY


def texts(wanted: WorkflowOptions) -> dict[str, str]:
    """By path from the top of the repository, each with a stamp by which we know it again."""
    facts = {"version": __version__, "directory": wanted.directory}
    said = {FRESHNESS: {"schedule": wanted.schedule, "reader": wanted.reader}}
    return {path: stamped(body, {**facts, **said.get(path, {})}) for path, body in bodies(wanted).items()}


def bodies(wanted: WorkflowOptions) -> dict[str, str]:
    values = {
        "VERSION": json.dumps(__version__),
        "SCHEDULE": json.dumps(wanted.schedule),
        "DIRECTORY": json.dumps(_plain(wanted.directory) or "."),
        "BRANCHES": json.dumps([_pattern(wanted.branch)]),
        "PATHS": json.dumps(_globs(wanted)),
        "VERSIONS": " ".join(shlex.quote(file) for file in _versions(wanted)),
    }
    return {path: _filled(template(path), values, wanted.reader) for path in PATHS}


def template(path: str) -> str:
    return (files(__package__) / path.rpartition("/")[2]).read_text("utf-8")


def _filled(text: str, values: Mapping[str, str], reader: str) -> str:
    for name, value in values.items():
        text = text.replace(f"@@{name}@@", value)
    text = text.replace("@@READER@@", f" --with {reader} --yes" if reader else "")
    return text.replace("@@SECRETS@@\n", "".join(_secrets(reader)))


def _secrets(reader: str) -> Iterator[str]:
    for name, place in SECRETS[reader]:
        yield f"          {name}: ${{{{ {place} }}}}\n"


def _globs(wanted: WorkflowOptions) -> list[str]:
    """Of everything below the corpora, as GitHub matches paths."""
    above = f"{_plain(wanted.directory)}/" if wanted.directory else ""
    roots = [_pattern(f"{above}{_plain(corpus.root)}".rstrip("/")) for corpus in wanted.corpora]
    return [f"{root}/**" if root else "**" for root in dict.fromkeys(roots)]


def _versions(wanted: WorkflowOptions) -> list[str]:
    return [f"{_plain(corpus.root)}/VERSION" if corpus.root else "VERSION" for corpus in wanted.corpora]


def _pattern(name: str) -> str:
    """Without a meaning to GitHub's matching."""
    return "".join(f"\\{letter}" if letter in "*?+[]!\\" else letter for letter in _plain(name))


def _plain(name: str) -> str:
    """A name that can stand in a workflow: GitHub would take `${{` for an expression."""
    if "${{" in name or "@@" in name or any(ord(letter) < 32 for letter in name):
        raise Refused(f"The name {name!r} cannot stand in a workflow; rename that folder or branch first.")
    return name
