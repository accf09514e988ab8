"""`cairn freshness bump-version`, and the version that follows what is merged."""

from pathlib import Path

import pytest

from bakery import bakery, status
from cairn.app.build import App, build_app
from cairn.changes.bump_version import plan
from cairn.changes.requests import PublishResult, merge, publish_bump, publish_change
from cairn.core.model.change import ChangeSet, FileEdit, Label, RequestState
from cairn.errors import Conflict
from judging import page
from program import Ran, cairn, fits_schema
from repository import commit, git

VERSION = "knowledge/VERSION"
SETTINGS = '{"corpora": {"knowledge": {"root": "knowledge", "layout": "entries"}}}\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {
        ".cairn/settings.json": SETTINGS,
        ".cairn/.gitignore": "*\n!settings.json\n!.gitignore\n",
        VERSION: "1.2.3\n",
        "knowledge/ovens.md": page("## Deep Guidance\n\nOne.\n", name="ovens"),
        "knowledge/flour.md": page("## Deep Guidance\n\nOne.\n", name="flour"),
    }
    root = bakery(tmp_path / "work", **files)
    git(root, "config", "user.name", "Ada")
    git(root, "checkout", "-q", "-b", "elsewhere")  # so that the base branch is free to move
    return root


def app_of(root: Path) -> App:
    return build_app(root, env={})


def merged(root: Path, name: str, title: str, *, label: str = "knowledge-freshness") -> str:
    app = app_of(root)
    text = page(f"## Deep Guidance\n\n{title}\n", name=name)
    change = ChangeSet(
        origin="freshness",
        subject=name,
        base=git(root, "rev-parse", "main"),
        edits=(FileEdit(f"knowledge/{name}.md", text.encode()),),
        title=title,
        labels=(Label(label, "freshness"),) if label else (),
    )
    published = publish_change(app, change)
    assert isinstance(published, PublishResult), published
    return merge(app, published.request.id).request.id


def bumps(root: Path) -> list[tuple[str, str]]:
    return [(request.state, request.title) for request in app_of(root).forge.requests() if request.kind == "bump"]


def at_main(root: Path) -> str:
    return git(root, "show", f"main:{VERSION}")


def told(ran: Ran) -> list[str]:
    return ran.out.splitlines()


def test_a_merge_brings_a_request_that_raises_the_version(root: Path) -> None:
    first = merged(root, "ovens", "feat(knowledge): cover ovens")
    assert bumps(root) == [("open", "chore(knowledge): bump knowledge/VERSION to 1.3.0")]
    [request] = [one for one in app_of(root).forge.requests() if one.kind == "bump"]
    assert request.evidence["covers"] == [first]
    merge(app_of(root), request.id)
    assert at_main(root) == "1.3.0"
    assert [state for state, _ in bumps(root)] == [RequestState.MERGED]  # its own merge never bumps
    assert status(root) == ""


def test_merges_before_the_bump_lands_are_counted_in_the_same_request(root: Path) -> None:
    merged(root, "ovens", "chore(knowledge): refresh ovens")
    merged(root, "flour", "chore(knowledge): refresh flour")
    assert bumps(root) == [("open", "chore(knowledge): bump knowledge/VERSION to 1.2.5")]


def test_a_bump_that_was_overtaken_is_not_lost(root: Path) -> None:
    """One counted too little because another merge came in between; the next counts what it left out."""
    merged(root, "ovens", "chore(knowledge): refresh ovens")
    early = plan(app_of(root), VERSION)
    merged(root, "flour", "feat(knowledge): cover flour")
    published = publish_bump(app_of(root), early)  # of a process that was slow
    assert isinstance(published, PublishResult)
    merge(app_of(root), published.request.id)
    assert at_main(root) == "1.2.4"
    left = plan(app_of(root), VERSION)
    assert ([bump.kind for bump in left.bumps], str(left.next)) == (["minor"], "1.3.0")
    published = publish_bump(app_of(root), left)
    assert isinstance(published, PublishResult)
    merge(app_of(root), published.request.id)
    assert at_main(root) == "1.3.0"
    assert plan(app_of(root), VERSION).bumps == ()


def test_a_version_that_somebody_raised_by_hand_is_counted_on_from(root: Path) -> None:
    merged(root, "ovens", "chore(knowledge): refresh ovens")
    [stale] = [one for one in app_of(root).forge.requests() if one.kind == "bump"]
    git(root, "checkout", "-q", "main")
    commit(root, {VERSION: "2.0.0\n"})
    git(root, "checkout", "-q", "elsewhere")
    with pytest.raises(Conflict):
        merge(app_of(root), stale.id)
    ran = cairn("freshness", "bump-version", "--apply", cwd=root)
    assert (ran.code, told(ran)) == (0, ["current: 2.0.0", "bump: patch", "next: 2.0.1"])
    merge(app_of(root), stale.id)
    assert at_main(root) == "2.0.1"


def test_other_merges_and_corpora_without_a_version_bring_none(root: Path) -> None:
    merged(root, "ovens", "docs: ovens", label="")
    assert bumps(root) == []
    git(root, "checkout", "-q", "main")
    commit(root, {VERSION: None})
    git(root, "checkout", "-q", "elsewhere")
    merged(root, "flour", "chore(knowledge): refresh flour")
    assert bumps(root) == []
    ran = cairn("freshness", "bump-version", cwd=root)
    assert (ran.code, ran.out) == (5, "")
    assert "commit one such as `0.1.0` as `knowledge/VERSION`" in ran.err


def test_one_change_many_and_nothing(root: Path, tmp_path: Path) -> None:
    ran = cairn("freshness", "bump-version", "--title", "Update", "--count", "2", cwd=root)
    assert told(ran) == ["current: 1.2.3", "replayed: patch, patch", "next: 1.2.5"]
    assert "so it is a patch" in ran.err
    ran = cairn("freshness", "bump-version", "--title", "x", "--body", "a\nBREAKING CHANGE: b", cwd=root)
    assert told(ran) == ["current: 1.2.3", "bump: major", "next: 2.0.0"]
    log = tmp_path / "log"
    log.write_bytes(b"feat(knowledge): a\n\0chore(knowledge): b\n\0")
    ran = cairn("freshness", "bump-version", "--replay", str(log), "--file", "VERSION", "-C", "knowledge", cwd=root)
    assert told(ran) == ["current: 1.2.3", "replayed: minor, patch", "next: 1.3.1"]
    assert told(cairn("freshness", "bump-version", "--apply", cwd=root)) == [
        "current: 1.2.3",
        "replayed: nothing",
        "next: 1.2.3",
    ]
    assert bumps(root) == []


def test_as_json(root: Path) -> None:
    merged(root, "ovens", "chore(knowledge): refresh ovens")
    value = cairn("freshness", "bump-version", "--apply", "--json", cwd=root).json()
    fits_schema(value, "freshness-bump-version")
    assert (value["next"], value["request"]["kind"], value["held"]) == ("1.2.4", "bump", None)


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("--replay", "gone"), 5, "There is no file `gone`"),
        (("--replay", "x", "--title", "y"), 2, "--replay for many"),
        (("--body", "y"), 2, "give its --title too"),
        (("--title", "feat(knowledge): x", "--count", "2"), 2, "--count is for patches"),
        (("--file", "../VERSION"), 2, "is outside of the repository"),
        (("--file", "docs/VERSION"), 5, "There is no `docs/VERSION` on the base branch"),
        (("--file", "README.md"), 1, "`README.md` holds no version"),
    ],
)
def test_what_cannot_be_done(root: Path, args: tuple[str, ...], code: int, said: str) -> None:
    ran = cairn("freshness", "bump-version", *args, cwd=root)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
