"""Change requests: opened by a verdict or by a night, merged, closed."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from deaths import Scene, Work
from end_state import events
from program import cairn
from repository import git, make
from scenes.scanned import ENTRY, FILES, PAGE, SCANNED, workspace
from website import serving

SITE = """<html><head><title>Guide</title></head><body><main><h1>Guide</h1><p>Wait {} seconds between two retries.</p>
<p>The rest of this guide tells who answers when something goes wrong, and where.</p></main></body></html>"""
RAN = frozenset({"freshness_run"})
"""Each run that got so far records what it found itself."""


def requests(root: Path) -> list[Any]:
    found: list[Any] = cairn("change", "list", "--all", "--json", cwd=root).json()["requests"]
    return found


def times_recorded(root: Path, kind: str, id: str = "") -> int:
    """How often the ledger has it, of a request or of none."""
    return sum((one["type"], str(one["payload"].get("id", ""))) == (kind, id) for one in events(root))


def _with_verdict(scratch: Path) -> tuple[Path, str]:
    """The verdict lies beside the workspace, so that every copy finds it."""
    root, file = workspace(scratch), scratch / "verdict.json"
    _stamp_as_before(root / ENTRY, root)
    ran = cairn("freshness", "audit-run-entry", "waiting", "--out", str(file), cwd=root)
    assert ran.code == 0, ran.err
    return root, str(file)


def _stamp_as_before(page: Path, root: Path) -> None:
    """A source that was read once; one that never was is left to a reader."""
    ran = cairn("freshness", "stamp", "waiting", cwd=root)
    assert ran.code == 0, ran.err
    page.write_text(re.sub("(last-reviewed|retrieved): .*", r"\1: 2024-01-01", page.read_text()))
    git(root, "commit", "-q", "-a", "--amend", "--no-edit")


def a_request(scratch: Path) -> Scene:
    root, verdict = _with_verdict(scratch)

    def finished(root: Path) -> None:
        [request] = requests(root)
        assert request["state"] == "open" and git(root, "rev-parse", request["branch"])
        assert times_recorded(root, "change_opened", request["id"]) == 1
        assert git(root, "status", "--porcelain") == ""

    return Scene(root, Work(("freshness", "audit-apply", "waiting", verdict, "--open-request"), finished), moments=20)


def a_verdict(scratch: Path) -> Scene:
    """Into the work tree."""
    root, verdict = _with_verdict(scratch)

    def finished(root: Path) -> None:
        assert git(root, "status", "--porcelain") == f"M {ENTRY}"
        assert "last-reviewed: 20" in (root / ENTRY).read_text()

    command = ("freshness", "audit-apply", "waiting", verdict, "--apply")
    return Scene(root, Work(command, finished, codes=(0, 3), loose=SCANNED), moments=20)


def _asked(scratch: Path) -> tuple[Path, str]:
    root, verdict = _with_verdict(scratch)
    ran = cairn("freshness", "audit-apply", "waiting", verdict, "--open-request", "--json", cwd=root)
    assert ran.code == 0, ran.err
    return root, ran.json()["request"]["id"]


def a_merge(scratch: Path) -> Scene:
    """Into the checkout."""
    root, id = _asked(scratch)

    def finished(root: Path) -> None:
        [merged] = [request for request in requests(root) if request["id"] == id]
        assert merged["state"] == "merged" and git(root, "status", "--porcelain") == ""
        assert "last-reviewed: 20" in (root / ENTRY).read_text()
        assert git(root, "log", "--format=%s", "main", "--", ENTRY).count("\n") == 1, "once, not twice"
        assert times_recorded(root, "change_merged", id) == 1

    return Scene(root, Work(("change", "merge", id), finished, codes=(0, 1)), moments=40)


def a_closed_request(scratch: Path) -> Scene:
    root, id = _asked(scratch)

    def finished(root: Path) -> None:
        [request] = requests(root)
        assert request["state"] == "closed"
        assert times_recorded(root, "change_closed", id) == 1

    return Scene(root, Work(("change", "close", id), finished, codes=(0, 1)), moments=10)


@contextmanager
def a_night(scratch: Path) -> Iterator[Scene]:
    with serving() as site:
        site["/guide"] = site["/other"] = SITE.format(30)
        env = {"CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}"}
        pages = {
            f"knowledge/http/{name}.md": PAGE.format(name=name, sources=f"  - url: {site.url}/{page}\n")
            for name, page in (("waiting", "guide"), ("pausing", "guide"), ("resting", "other"))
        }
        root = make(scratch / "template", {**FILES, **pages})
        assert cairn("freshness", "run", cwd=root, **env).code == 0  # the first look
        site["/guide"] = SITE.format(45)

        def finished(root: Path) -> None:
            found = requests(root)
            paths = Counter(path for request in found for path in request["paths"])
            assert paths == Counter(dict.fromkeys(pages, 1)), "each page is asked for once"
            assert {request["kind"] for request in found} == {"drift", "confirmations"}
            for request in found:
                assert times_recorded(root, "change_opened", request["id"]) == 1
            assert times_recorded(root, "freshness_run") > 1

        yield Scene(root, Work(("freshness", "run"), finished, loose=RAN), env, moments=100)
