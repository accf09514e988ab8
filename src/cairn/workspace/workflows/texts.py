"""The files as they should be for a workspace: templates of ours with its folders, schedule and provider in them."""

import json
import shlex
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Final, NamedTuple

import cairn
from cairn.core.model.corpus import Corpus
from cairn.errors import Refused
from cairn.workspace.generated_files import stamped

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
EXTRACTIVE: Final = "extractive"
SECRETS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    EXTRACTIVE: (),
    "deepseek": (("DEEPSEEK_API_KEY", "secrets.DEEPSEEK_API_KEY"),),
    "zai": (("ZAI_API_KEY", "secrets.ZAI_API_KEY"),),
    "openai-compatible": (
        ("CAIRN_FRESHNESS_OPENAI_BASE_URL", "vars.CAIRN_FRESHNESS_OPENAI_BASE_URL"),
        ("CAIRN_FRESHNESS_OPENAI_MODEL", "vars.CAIRN_FRESHNESS_OPENAI_MODEL"),
        ("CAIRN_FRESHNESS_OPENAI_API_KEY", "secrets.CAIRN_FRESHNESS_OPENAI_API_KEY"),
    ),
}
"""What each provider needs of the repository's secrets and variables."""


class Wanted(NamedTuple):
    directory: str
    """Of the workspace in the repository; empty for its top."""
    branch: str
    """Where knowledge is merged."""
    corpora: tuple[Corpus, ...]
    schedule: str = DAILY
    provider: str = EXTRACTIVE


def texts(wanted: Wanted) -> dict[str, str]:
    """By path from the top of the repository, each with a stamp by which we know it again."""
    facts = {"version": cairn.__version__, "directory": wanted.directory}
    said = {FRESHNESS: {"schedule": wanted.schedule, "provider": wanted.provider}}
    return {path: stamped(body, {**facts, **said.get(path, {})}) for path, body in bodies(wanted).items()}


def bodies(wanted: Wanted) -> dict[str, str]:
    values = {
        "VERSION": json.dumps(cairn.__version__),
        "SCHEDULE": json.dumps(wanted.schedule),
        "DIRECTORY": json.dumps(_plain(wanted.directory) or "."),
        "BRANCHES": json.dumps([_pattern(wanted.branch)]),
        "PATHS": json.dumps(_globs(wanted)),
        "VERSIONS": " ".join(shlex.quote(file) for file in _versions(wanted)),
    }
    return {path: _filled(template(path), values, wanted.provider) for path in PATHS}


def template(path: str) -> str:
    return (files(__package__) / path.rpartition("/")[2]).read_text("utf-8")


def _filled(text: str, values: Mapping[str, str], provider: str) -> str:
    for name, value in values.items():
        text = text.replace(f"@@{name}@@", value)
    return text.replace("@@PROVIDER@@\n", "".join(_secrets(provider)))


def _secrets(provider: str) -> Iterator[str]:
    yield f"          CAIRN_FRESHNESS_PROVIDER: {provider}\n"
    for name, place in SECRETS[provider]:
        yield f"          {name}: ${{{{ {place} }}}}\n"


def _globs(wanted: Wanted) -> list[str]:
    """Of everything below the corpora, as GitHub matches paths."""
    above = f"{_plain(wanted.directory)}/" if wanted.directory else ""
    roots = [_pattern(f"{above}{_plain(corpus.root)}".rstrip("/")) for corpus in wanted.corpora]
    return [f"{root}/**" if root else "**" for root in dict.fromkeys(roots)]


def _versions(wanted: Wanted) -> list[str]:
    return [f"{_plain(corpus.root)}/VERSION" if corpus.root else "VERSION" for corpus in wanted.corpora]


def _pattern(name: str) -> str:
    """Without a meaning to GitHub's matching."""
    return "".join(f"\\{letter}" if letter in "*?+[]!\\" else letter for letter in _plain(name))


def _plain(name: str) -> str:
    """A name that can stand in a workflow: GitHub would take `${{` for an expression."""
    if "${{" in name or "@@" in name or any(ord(letter) < 32 for letter in name):
        raise Refused(f"The name {name!r} cannot stand in a workflow; rename that folder or branch first.")
    return name
