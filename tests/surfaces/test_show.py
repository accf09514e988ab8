"""`cairn show`."""

import pytest

import garden
from commits import commit
from program import cairn, fits_schema

PLAN = "docs/plan.md"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    return garden.make(tmp_path_factory.mktemp("garden"))


def test_the_page_of_a_node(workspace):
    ran = cairn("show", PLAN, cwd=workspace)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[:3] == ["The plan", "path    docs/plan.md", "kind    page"]
    assert "tags    spring (topics)" in lines
    assert "Links out (3, 2 unique)" in lines
    assert [line for line in lines if line in ("  points (1)", "  references (2)")] == [
        "  points (1)",
        "  references (2)",
    ]
    assert any(line.split() == ["line", "7", "docs/compost.md", "0.50", "broken"] for line in lines)
    assert "Links in (3)" in lines
    assert "External references (1)" in lines
    assert "  line 8  https://example.org/seeds" in lines
    assert "  error  reference-broken  line 7" in lines
    assert "  card.footer.left" in lines
    assert any("core/link-counter in" in line and line.endswith(" 3") for line in lines)
    assert any("core/reference-broken" in line and "delta -0.5 → 0.50" in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_the_page_of_an_agent_names_its_contributions_by_slot(workspace):
    ran = cairn("show", "gardener", cwd=workspace)
    slots = [line.strip() for line in ran.out.splitlines() if line.startswith("  card.")]
    assert slots == sorted(slots) == ["card.footer.left", "card.footer.right"]
    assert "claude/tools-counter tools" in ran.out
    assert "tooltip=Read · Bash" in ran.out


def test_the_page_of_a_url_that_documents_cite(tmp_path):
    cited = "---\nname: a\nsources:\n  - url: https://example.org/seeds\n---\n# A\n\nText.\n"
    commit(tmp_path, {"docs/a.md": cited, **{f"docs/{n}.md": f"# {n}\n" for n in range(8)}})
    cairn("init", "-q", cwd=tmp_path)
    lines = cairn("show", "https://example.org/seeds", cwd=tmp_path).out.splitlines()
    assert lines[1:4] == ["URL       https://example.org/seeds", "kind      cited URL", "named by  docs/a.md"]


def test_as_json(workspace):
    ran = cairn("show", PLAN, "--json", cwd=workspace)
    assert (ran.code, ran.err) == (0, "")
    shown = ran.json()
    fits_schema(shown, "show")
    assert shown["node"]["path"] == PLAN
    assert shown["tokenizer"] == "cl100k_base"
    assert shown["node"]["tokens"]["total"] > 10
    assert [(link["kind"], link["target"], link["state"]) for link in shown["linksOut"]] == [
        ("references", "docs/beds.md", "node"),
        ("points", "docs/beds.md", "node"),
        ("references", "docs/compost.md", "broken"),
    ]
    assert {link["source"] for link in shown["linksIn"]} == {".claude/agents/gardener.md", "README.md", "docs/beds.md"}
    assert {issue["analyzerId"] for issue in shown["issues"]} == {"reference-broken"}
    assert [score["op"] for score in shown["scores"]] == ["delta"]


@pytest.mark.parametrize("name", [PLAN, "./docs/plan.md", "plan.md", "The plan", "the-plan", "plan"])
def test_ways_to_name_a_node(workspace, name):
    assert cairn("show", name, "--json", cwd=workspace).json()["node"]["path"] == PLAN


def test_a_path_is_read_from_where_one_stands(workspace):
    for name in ("plan.md", "../docs/plan.md", "docs/plan.md", str(workspace / PLAN)):
        assert cairn("show", name, "--json", cwd=workspace / "docs").json()["node"]["path"] == PLAN


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("docs/plam.md", "did you mean `docs/plan.md`?"), ("zzz", "`cairn list` shows what there is")],
)
def test_not_found(workspace, name, sentence):
    ran = cairn("show", name, cwd=workspace)
    assert (ran.code, ran.out) == (5, "")
    assert sentence in ran.err
    failed = cairn("show", name, "--json", cwd=workspace)
    fits_schema(failed.json(), "error")


def test_tokens_are_counted_as_the_settings_say(workspace):
    def tokens(**env):
        shown = cairn("show", PLAN, "--json", cwd=workspace, **env).json()
        return shown["tokenizer"], shown["node"].get("tokens")

    assert tokens(CAIRN_SCAN__TOKENIZE="false") == (None, None)
    name, counted = tokens(CAIRN_SCAN__TOKENIZER="o200k_base")
    assert name == "o200k_base"
    assert counted["total"] == counted["frontmatter"] + counted["body"] > 0


def test_a_file_that_changed_since_the_scan_has_no_count(tmp_path):
    garden.make(tmp_path, {"a.md": "# A\n"})
    (tmp_path / "a.md").write_text("# B, and more\n")
    ran = cairn("show", "a.md", cwd=tmp_path)
    assert ran.code == 0
    assert "tokens" not in ran.out
    assert "is no longer what was scanned" in ran.err


def test_a_rename_that_was_guessed_is_shown_at_the_new_place(tmp_path):
    garden.make(tmp_path, {"old.md": "---\ntitle: One\nowner: me\n---\nfirst\n"})
    (tmp_path / "old.md").unlink()
    (tmp_path / "new.md").write_text("---\ntitle: One\nowner: me\n---\nsecond\n")
    garden.scan(tmp_path)
    assert "auto-rename-medium" in cairn("show", "new.md", cwd=tmp_path).out
