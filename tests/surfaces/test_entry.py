"""`cairn entry add`, also known as `cairn node add`."""

import subprocess

import pytest

from cairn.knowledge.lockfile import parse_lock
from cairn.lib.markdown.frontmatter import parse
from program import cairn, fits_schema

SECURITY = """---
name: tokens
description: How tokens are kept.
topics: [tokens]
volatility: stable
---
# Tokens

## Deep Guidance

Keep them short.
"""


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src/client.py").write_text("def connect(host, timeout=30):\n    return host\n")
    page = tmp_path / "knowledge/security/tokens.md"
    page.parent.mkdir(parents=True)
    page.write_text(SECURITY)
    assert cairn("init", "-q", cwd=tmp_path).code == 0
    return tmp_path


def add(workspace, *args, group="entry", stdin=b""):
    given = ("--title", "Client timeouts", "--summary", "How long the client waits.")
    return cairn(group, "add", *(() if "--title" in args else given), *args, cwd=workspace, stdin=stdin)


def problems(workspace):
    return cairn("check", "--json", cwd=workspace).json()["issues"]


@pytest.mark.parametrize("group", ["entry", "node"])
def test_a_page_is_made_and_a_check_has_nothing_against_it(workspace, group):
    ran = add(workspace, "--source", "src/client.py#connect", "--tags", "HTTP client, timeouts", group=group)
    assert ran.code == 0, ran.err
    assert ran.out == "knowledge/security/client-timeouts.md\n"
    assert "cairn check" in ran.err
    front = parse((workspace / ran.out.strip()).read_text()).frontmatter
    assert front["topics"] == ["http-client", "timeouts"]
    assert front["volatility"] == "evolving"
    assert front["sources"][0]["path"] == "src/client.py#connect"
    assert front["sources"][0]["hash"].startswith("sha256:")
    assert problems(workspace) == []


CLEAN = {
    "nothing but a title": (),
    "text from stdin": ("--body", "@-"),
    "new category": ("--category", "billing"),
    "practice": ("--kind", "practice", "--confidence", "medium"),
    "decision": ("--kind", "decision"),
    "url": ("--source", "https://www.rfc-editor.org/rfc/rfc9110#section-10"),
    "related": ("--relates-to", "tokens"),
    "file and lines": ("--source", "src/client.py", "--source", "src/client.py#L1-L2"),
    "other script": ("--title", "知識の管理", "--summary", "知識を管理する。"),
    "odd title": ("--title", "Yes: \x1b[31m#no\n - 'x'", "--summary", "null"),
    "name": ("--name", "waiting"),
}


@pytest.mark.parametrize("name", CLEAN)
def test_whatever_was_asked_for_is_clean(workspace, name):
    ran = add(workspace, *CLEAN[name], "--json", stdin=b"First sentence. Second.\r\n\r\n- a\r\n")
    assert ran.code == 0, ran.err or ran.out
    fits_schema(ran.json(), "entry-add")
    assert (workspace / ran.json()["path"]).read_text() == ran.json()["text"]
    assert problems(workspace) == []


def test_the_first_sentence_of_the_text_is_the_summary(workspace):
    ran = add(workspace, "--title", "Waiting", "--body", "@-", "--json", stdin="It waits. Long.\n".encode("utf-8-sig"))
    assert parse(ran.json()["text"]).frontmatter["description"] == "It waits."


def test_a_dry_run_writes_nothing(workspace):
    ran = add(workspace, "--category", "billing", "--dry-run")
    assert ran.code == 0
    assert ran.out.startswith("---\nname: client-timeouts\n")
    assert not (workspace / "knowledge/billing").exists()


def test_nothing_is_overwritten(workspace):
    ran = [add(workspace) for _ in range(4)]
    paths = [one.out.strip().rpartition("/")[2] for one in ran]
    assert ["edit that page instead" in one.err for one in ran] == [False, True, True, True]
    assert paths == ["client-timeouts.md", "client-timeouts-2.md", "client-timeouts-3.md", "client-timeouts-4.md"]
    assert add(workspace).code == 3
    named = add(workspace, "--name", "tokens")
    assert named.code == 3
    assert "knowledge/security/tokens.md" in named.err
    assert (workspace / "knowledge/security/tokens.md").read_text() == SECURITY


REFUSED = {
    "near category": (("--category", "secuirty"), 1, "`security`"),
    "no such category form": (("--category", "../x"), 2, "lower-case"),
    "name that leads out": (("--name", "../../x"), 2, "lower-case"),
    "missing file": (("--source", "src/gone.py"), 5, "src/gone.py"),
    "missing symbol": (("--source", "src/client.py#conect"), 5, "connect"),
    "outside": (("--source", "../x.py"), 2, "leads out"),
    "address inside": (("--source", "http://127.0.0.1/x"), 2, "cannot be a source"),
    "unsourced": (("--volatility", "fast-moving"), 2, "--source"),
    "unknown relation": (("--relates-to", "tokns"), 5, "tokens"),
    "unknown corpus": (("--corpus", "knowlege"), 5, "knowledge"),
    "no such layout": (("--layout", "nodes"), 5, "nodes"),
    "wrong kind": (("--kind", "procedure"), 2, "--kind"),
    "no title": (("--title", " "), 2, "--title"),
    "no summary": (("--title", "x"), 2, "--summary"),
    "missing text": (("--body", "@gone.md"), 5, "gone.md"),
    "text that is none": (("--body", "@src/bytes"), 2, "UTF-8"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_one_sentence_and_nothing_is_written(workspace, name):
    args, code, said = REFUSED[name]
    (workspace / "src/bytes").write_bytes(b"\xff\xfe")
    before = sorted(workspace.glob("knowledge/**/*"))
    ran = add(workspace, *args)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert sorted(workspace.glob("knowledge/**/*")) == before


def test_a_category_that_is_new_on_purpose(workspace):
    assert add(workspace, "--category", "secuirty", "--new-category").out.startswith("knowledge/secuirty/")


def test_pages_of_the_layout_nodes(tmp_path):
    (tmp_path / ".ai/knowledge-base/nodes/practice").mkdir(parents=True)
    (tmp_path / ".ai/knowledge-base/nodes/map").mkdir()
    cairn("init", "-q", "--no-scan", cwd=tmp_path)
    args = ("--layout", "nodes", "--kind", "practice", "--body", "Commit often.", "--tags", "git")
    first = add(tmp_path, "--title", "Small commits", *args, group="node")
    assert first.out == ".ai/knowledge-base/nodes/practice/practice-small-commits.md\n", first.err
    second = add(tmp_path, "--title", "小さい", *args, "--relates-to", "practice-small-commits", group="node")
    assert second.code == 0, second.err
    front = parse((tmp_path / first.out.strip()).read_text()).frontmatter
    assert (front["id"], front["confidence"]) == ("practice-small-commits", "high")
    assert problems(tmp_path) == []


def test_a_page_of_somebody_elses_folder_stays_plain(workspace):
    (workspace / "docs").mkdir()
    (workspace / "docs/index.md").write_text("# Docs\n")
    for args in (("corpora.docs.layout", "plain"), ("corpora.knowledge.layout", "entries")):
        assert cairn("config", "set", *args, cwd=workspace).code == 0
    ran = add(workspace, "--corpus", "docs", "--source", "src/client.py#connect")
    assert ran.code == 0, ran.err
    assert (workspace / "docs/client-timeouts.md").read_text().startswith("# Client timeouts\n")
    assert "kept in docs/cairn.lock" in ran.err
    record = parse_lock((workspace / "docs/cairn.lock").read_text()).pages["client-timeouts.md"]
    assert record.sources[0].reference == "src/client.py#connect"
    assert problems(workspace) == []
    (workspace / "docs/cairn.lock").write_text("<<<<<<< ours\n")
    broken = add(workspace, "--corpus", "docs", "--source", "src/client.py", "--name", "another")
    assert broken.code == 2
    assert "merge conflict" in broken.err
    assert not (workspace / "docs/another.md").exists()


def test_with_the_first_lock_git_is_told_how_to_merge_it(workspace):
    subprocess.run(["git", "init", "-q"], cwd=workspace, check=True)
    assert cairn("config", "set", "corpora.docs.layout", "plain", cwd=workspace).code == 0
    given = ("--corpus", "docs", "--source", "src/client.py")
    tried = add(workspace, *given, "--dry-run", "--json").json()
    fits_schema(tried, "entry-add")
    assert tried["beside"] == ["docs/cairn.lock", ".gitattributes"]
    assert not (workspace / ".gitattributes").exists()
    ran = add(workspace, *given)
    assert ".gitattributes gets the line `cairn.lock merge=union`" in ran.err
    assert (workspace / ".gitattributes").read_text() == "cairn.lock merge=union\n"
    assert add(workspace, *given, "--json").json()["beside"] == ["docs/cairn.lock"]


def test_a_page_whose_lock_cannot_be_written_is_not_left_alone(workspace):
    assert cairn("config", "set", "corpora.docs.layout", "plain", cwd=workspace).code == 0
    (workspace / "docs/cairn.lock").mkdir(parents=True)
    ran = add(workspace, "--corpus", "docs", "--source", "src/client.py")
    assert ran.code == 2, ran.err
    assert "docs/cairn.lock" in ran.err
    assert not (workspace / "docs/client-timeouts.md").exists()


def test_where_there_are_several_corpora_the_category_says_which(workspace):
    for key, value in (("hub.layout", "artefacts"), ("base.layout", "nodes"), ("knowledge.layout", "entries")):
        assert cairn("config", "set", f"corpora.{key}", value, cwd=workspace).code == 0
    assert add(workspace, "--category", "security").out == "knowledge/security/client-timeouts.md\n"
    assert add(workspace, "--title", "Other", "--summary", "S.").out == "knowledge/security/other.md\n"
    assert add(workspace, "--title", "Map", "--summary", "S.", "--kind", "map").out == "base/nodes/map/map-map.md\n"


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("--body", "---\nname: x\n---\nText."), 2, "the text starts with frontmatter of its own"),
        (("--source", "src/nothing.py"), 5, "there is no file `src/nothing.py`"),
    ],
)
def test_what_cannot_be_meant(workspace, args, code, said):
    ran = add(workspace, *args)
    assert (ran.code, said in ran.err) == (code, True), ran.err
