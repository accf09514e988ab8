"""The six recipes of seed 000 in docs/reference/troubleshooting.md: each fault is made, and the recipe mends it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from night_desk import RETRIES, SITE
from program import cairn, clean_env
from repository import commit, make
from website import serving

PAGE = (Path(__file__).parents[2] / "docs/reference/troubleshooting.md").read_text()
ENTRY = """---
name: {name}
description: About {name}.
topics: [{topics}]
sources: [{source}]
---
# {name}

## Summary

Wait 30 seconds between two retries.

## Deep Guidance

Read it again.
"""


def recipe(title: str) -> str:
    section = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    found = re.search(r"```sh\n(.*?)```", section, re.S)
    assert found, title
    return found[1]


def entry(name: str, *, topics: str = "", source: str = "") -> str:
    return ENTRY.format(name=name, topics=topics, source=source and f"{{url: '{source}'}}")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace, and beside it a knowledge base that others share."""
    make(
        tmp_path / "shared",
        {"content/knowledge/core/caches.md": entry("caches"), "content/knowledge/VERSION": "2.0.0\n"},
    )
    files = {"content/knowledge/core/limits.md": entry("limits"), "content/knowledge/VERSION": "1.0.0\n"}
    repo = make(tmp_path / "repo", files)
    assert cairn("init", cwd=repo).code == 0
    commit(repo)
    return repo


def follow(title: str, root: Path, tmp_path: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Runs the lines of a recipe as a person would."""
    programs = tmp_path / "bin"
    programs.mkdir(exist_ok=True)
    (programs / "cairn").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cairn "$@"\n')
    (programs / "cairn").chmod(0o755)
    whole = clean_env(PATH=f"{programs}:{os.environ['PATH']}", **env)
    return subprocess.run(["sh", "-e", "-c", recipe(title)], cwd=root, env=whole, capture_output=True, text=True)


def signal(root: Path, topic: str) -> None:
    """Enough of them to be a gap of a hub: three signals of two projects."""
    for project in ("a" * 64, "b" * 64, "b" * 64):
        told = cairn(
            "observe",
            "event",
            "knowledge_gap_signal",
            "--topic",
            topic,
            "--source",
            "manual",
            "--project-id",
            project,
            cwd=root,
        )
        assert told.code == 0, told.err


def test_the_audit_of_an_entry_failed(root: Path, tmp_path: Path) -> None:
    with serving() as site:
        env = {"CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}
        name = "content/knowledge/core/retry-with-jitter.md"
        commit(root, {name: entry("retry-with-jitter", source=f"{site.url}/retries")})
        failed = cairn("freshness", "run", cwd=root, **env)
        assert failed.code == 1 and "failed (status)" in failed.out
        site["/retries"] = SITE.format(RETRIES.format(30))
        mended = follow("The audit of an entry failed", root, tmp_path, **env)
        assert mended.returncode == 0, mended.stderr
        assert "Its audit failed once" in mended.stdout and "The server answers 404" in mended.stdout
        assert f"first look: {name}" in mended.stdout, "the named entry did not have to wait"


def test_a_gap_is_reported_although_an_entry_covers_it(root: Path, tmp_path: Path) -> None:
    title = "A gap is reported although an entry covers it"
    signal(root, "rate-limits")
    before = follow(title, root, tmp_path)
    assert '"topic": "rate-limits"' in before.stdout and '"lens_id": "I-knowledge-gaps"' in before.stdout
    commit(root, {"content/knowledge/core/limits.md": entry("limits", topics="rate-limits")})
    cairn("scan", cwd=root)
    after = follow(title, root, tmp_path)
    assert after.returncode == 0, after.stderr
    assert "covered" in after.stdout and '"lens_id"' not in after.stdout


@pytest.mark.parametrize("title", ["The knowledge base is not found", "A configured knowledge root stopped working"])
def test_the_knowledge_base_is_named(root: Path, tmp_path: Path, title: str) -> None:
    assert cairn("config", "set", "observe.knowledge_root", "../moved/content/knowledge", "--local", cwd=root).code == 0
    signal(root, "caches")
    lost = cairn("gaps", cwd=root)
    assert "../moved/content/knowledge" in lost.err and "caches" in lost.out
    found = follow(title, root, tmp_path)
    assert found.returncode == 0, found.stderr
    assert "shared/content/knowledge" in found.stderr and "no gaps" in found.stdout
    if "stopped" in title:
        assert "../shared/content/knowledge/VERSION" in found.stdout


def test_a_source_opens_in_a_browser_but_the_run_refuses_it(root: Path, tmp_path: Path) -> None:
    inside = entry("limits", source="http://127.0.0.1:8443/limits")
    commit(root, {"content/knowledge/core/limits.md": inside})
    refused = cairn("freshness", "validate", cwd=root)
    assert refused.code == 1 and "CAIRN_FETCH_ALLOW=127.0.0.1:8443" in refused.out
    mended = follow("A source opens in a browser, but the run refuses it", root, tmp_path)
    assert mended.returncode == 0, mended.stderr
    assert "127.0.0.1" in mended.stdout or "::1" in mended.stdout


def test_the_knowledge_root_is_not_the_one_you_expected(root: Path, tmp_path: Path) -> None:
    signal(root, "caches")
    compared = follow("The knowledge root is not the one you expected", root, tmp_path)
    assert compared.returncode == 0, compared.stderr
    first, second = compared.stderr.split("a gap has at least")[1:3]
    assert "auto-detect: used (content/knowledge)" in first and "cli: not-provided" in first
    assert "cli: used" in second and "shared/content/knowledge" in second
