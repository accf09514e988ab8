"""Six small repositories, built from the texts below: the same commits on every machine, at every time."""

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import old_base
from golden import texts
from repository import IDENTITY, git, put
from website import Website

NO_KEYS = {f"{name}_API_KEY": "" for name in ("ZAI", "DEEPSEEK", "ANTHROPIC", "OPENAI")} | {
    "GITHUB_TOKEN": "",
    "GH_TOKEN": "",
    "GITHUB_REPOSITORY": "",
    "GITHUB_STEP_SUMMARY": "",
    "GITHUB_ACTIONS": "",
    "CI": "",
}
FIRST_COMMIT = 1_790_000_000
_DAY = 86_400
SITE = """<html><head><title>Guide</title></head><body><main><h1>Guide</h1>
<p>{}</p><p>The rest of this guide tells who answers when something goes wrong, and where.</p></main></body></html>"""

Files = Mapping[str, str | None]


class Sample(NamedTuple):
    name: str
    history: tuple[tuple[str, Files], ...]
    """Messages and files of each commit; None deletes one."""
    uncommitted: Files = {}
    texts: Mapping[str, str] = {}
    """What commands read from standard input, and files that appear later."""
    build: Callable[[Path], None] | None = None

    def make(self, root: Path) -> Path:
        root.mkdir(parents=True)
        git(root, "init", "-q", "-b", "main")
        git(root, "config", "user.name", "Ada")
        git(root, "config", "user.email", "ada@example.org")
        if self.build:
            self.build(root)
        for number, (message, files) in enumerate(self.history):
            put(root, files)
            commit(root, message, FIRST_COMMIT + number * _DAY)
        put(root, self.uncommitted)
        _age(root)
        return root


def commit(root: Path, message: str, at: int) -> None:
    git(root, "add", "-A")
    dates = {"GIT_AUTHOR_DATE": f"{at} +0000", "GIT_COMMITTER_DATE": f"{at} +0000"}
    fixed = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    line = ["git", *IDENTITY, "-C", os.fspath(root), "commit", "-q", "--allow-empty", "-m", message]
    subprocess.run(line, check=True, capture_output=True, env={**kept, **fixed, **dates})


def _age(root: Path) -> None:
    """Files are as old as the last commit of any sample, not as old as this run."""
    for path in root.rglob("*"):
        if ".git" not in path.parts:
            os.utime(path, (FIRST_COMMIT, FIRST_COMMIT))


def fill(site: Website) -> None:
    site.pages.clear()
    site["/limits"] = SITE.format("Clients may call 100 times a minute.")
    site["/retries"] = SITE.format("Wait 30 seconds between two retries.")
    site["/colours"] = SITE.format("The button that stops everything is red.")


def _old_base(root: Path) -> None:
    conflict = f"{old_base.BASE}/conflicts/{old_base.RUN}-1.md"
    put(root, {**old_base.NODES, **old_base.SESSIONS, **old_base.STATE, conflict: old_base.CONFLICT})


SAMPLES: dict[str, Sample] = {
    sample.name: sample
    for sample in (
        Sample("docs", texts.DOCS, texts.DOCS_UNCOMMITTED, texts.DOCS_INPUT),
        Sample("entries", texts.ENTRIES, {}, texts.ENTRIES_INPUT),
        Sample("nodes", texts.NODES, {}, texts.NODES_INPUT, _old_base),
        Sample("hosts", texts.HOSTS, {}, texts.HOSTS_INPUT),
        Sample("site", texts.SITE_DOCS, {}, texts.SITE_INPUT),
        Sample("empty", (), {}, texts.EMPTY_INPUT),
    )
}
