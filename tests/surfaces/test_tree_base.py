"""A base of nodes in its second form, a tree below `.ai/kenkeep`, is used where it lies; no second base is made."""

# ruff: noqa: E501

from pathlib import Path

import pytest
from tests.program import cairn, fits_schema
from tests.repository import commit, git, make, put

BASE = ".ai/kenkeep"
ADVICE = "> Walk down from here. Open the leaves that you need."


def node(id: str, *, title: str = "", summary: str = "Some words.", tags: str = "[shop]", relates: str = "[]") -> str:
    kind = id.partition("-")[0]
    return (
        f"---\nschema_version: 2\nid: {id}\ntitle: {title or id}\nkind: {kind}\ntags: {tags}\nderived_from: []\n"
        f"relates_to: {relates}\ndepends_on: []\nconfidence: high\nsummary: {summary}\n---\nThe text of {id}.\n"
    )


FILES = {
    f"{BASE}/ENTRY.md": f"---\nschema_version: 2\nnodes_hash: 'x'\nnode_count: 0\n---\n# kenkeep\n\n{ADVICE}\n\n## Branches\n_None._\n",
    f"{BASE}/GRAPH.md": "# kenkeep Graph\n",
    f"{BASE}/.state/installed-version": '{"schema_version": 1, "version": "1.7.2"}\n',
    f"{BASE}/nodes/practice-root-rule.md": node("practice-root-rule", title="Root rule", relates="[map-cart]"),
    f"{BASE}/nodes/shop/index.md": "---\nschema_version: 2\nsummary: the shop; read before selling\n---\n# Shop\n",
    f"{BASE}/nodes/shop/map-cart.md": node("map-cart", title="The `cart`", tags="[shop, cart]"),
    f"{BASE}/nodes/shop/checkout/practice-pay-once.md": node("practice-pay-once", title="Pay once", summary="Never charge twice."),
    "README.md": "# Shop\n",
}  # fmt: skip

ENTRY = f"""---
schema_version: 2
nodes_hash: '{{hash}}'
node_count: 3
---
# kenkeep

{ADVICE}

## Branches
- Load [`shop/`](nodes/shop/index.md) for more information on the shop; read before selling.

## Conventions (how we build)
- Open [**Root rule**](nodes/practice-root-rule.md) to learn about: Some words. #shop
"""

SHOP = f"""---
schema_version: 2
nodes_hash: '{{hash}}'
node_count: 1
summary: the shop; read before selling
---
# kenkeep Index: shop

↑ Parent: [kenkeep](../index.md)

{ADVICE}

## Subfolders
- Load [`checkout/`](checkout/index.md) for more information on Checkout.

## Conventions (how we build)
_None yet._

## Components (what exists)
- Open [**The \\`cart\\`**](map-cart.md) to learn about: Some words. #shop #cart

## By topic

### #cart
- Open [**The \\`cart\\`**](map-cart.md) — Some words.
### #shop
- Open [**Pay once**](checkout/practice-pay-once.md) — Never charge twice.
- Open [**Root rule**](../practice-root-rule.md) — Some words.
- Open [**The \\`cart\\`**](map-cart.md) — Some words.
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make(tmp_path, FILES)
    assert cairn("init", cwd=root).code == 0
    return root


def _with_hash(text: str, made: str) -> str:
    hash = next(line for line in made.split("\n") if line.startswith("nodes_hash"))
    return text.replace("nodes_hash: '{hash}'", hash)


def test_init_uses_the_base_and_makes_no_second_one(tmp_path: Path) -> None:
    root = make(tmp_path, FILES)
    made = cairn("init", "--json", cwd=root).json()
    assert made["corpora"] == [{"name": "kenkeep", "root": BASE, "layout": "nodes"}]
    assert not (root / "knowledge").exists()


def test_import_base_counts_its_nodes(root: Path) -> None:
    told = cairn("import", "base", "--json", cwd=root).json()
    assert (told["root"], told["version"], told["nodes"]) == (BASE, "1.7.2", {"map": 1, "practice": 2})


def test_index_rebuild_writes_the_documents_of_a_tree(root: Path) -> None:
    assert cairn("index", "rebuild", cwd=root).code == 0
    entry, shop = (root / BASE / "ENTRY.md").read_text(), (root / BASE / "nodes/shop/index.md").read_text()
    assert entry == _with_hash(ENTRY, entry)
    assert shop == _with_hash(SHOP, shop)
    assert (root / BASE / "nodes/shop/checkout/index.md").exists() and (root / BASE / "nodes/index.md").exists()
    assert not (root / BASE / "INDEX.md").exists()
    assert "- **path:** shop/map-cart.md" in (root / BASE / "GRAPH.md").read_text()


def test_a_folder_in_a_folder_is_headed_by_its_path_with_blanks(root: Path) -> None:
    """As the other program writes it, so that the two don't undo each other's headings."""
    assert cairn("index", "rebuild", cwd=root).code == 0
    document = (root / BASE / "nodes/shop/checkout/index.md").read_text()
    assert "# kenkeep Index: shop / checkout\n" in document


def test_a_second_rebuild_changes_nothing(root: Path) -> None:
    cairn("index", "rebuild", cwd=root)
    commit(root)
    assert cairn("index", "rebuild", "--stage", cwd=root).code == 0 and git(root, "status", "--porcelain") == ""


def test_a_conflict_in_the_generated_hash_leaves_the_base_what_it_is(tmp_path: Path) -> None:
    ours, theirs = ("nodes_hash: 'sha256:" + digit * 64 + "'" for digit in "12")
    entry = f"---\nschema_version: 2\n<<<<<<< HEAD\n{ours}\n=======\n{theirs}\n>>>>>>> other\nnode_count: 3\n---\n# kenkeep\n"
    root = make(tmp_path, {**FILES, f"{BASE}/ENTRY.md": entry})
    assert cairn("init", "--json", cwd=root).json()["corpora"] == [{"name": "kenkeep", "root": BASE, "layout": "nodes"}]
    assert cairn("import", "base", "--json", cwd=root).json()["notes"] == []
    assert cairn("index", "rebuild", cwd=root).code == 0
    assert "<<<<" not in (root / BASE / "ENTRY.md").read_text()


def test_an_entry_that_says_nothing_makes_no_base_of_a_later_format(root: Path) -> None:
    put(root, {f"{BASE}/ENTRY.md": "x\n", f"{BASE}/nodes/practice-odd.md": "---\nid: [\n---\n"})
    told = cairn("import", "base", "--json", cwd=root).json()
    assert told["nodes"] == {"map": 1, "practice": 2}
    assert not any("schema_version" in note for note in told["notes"])


def test_a_new_page_changes_no_document_of_a_folder_that_does_not_list_it(root: Path) -> None:
    """Also not its hash: the other program writes another one, and the two would undo each other's."""
    assert cairn("index", "rebuild", cwd=root).code == 0
    folder = root / BASE / "nodes/shop/index.md"
    theirs = "\n".join(
        "nodes_hash: 'sha256:" + "0" * 64 + "'" if line.startswith("nodes_hash") else line
        for line in folder.read_text().split("\n")
    )
    folder.write_text(theirs)
    put(root, {f"{BASE}/nodes/practice-new.md": node("practice-new", tags="[new]")})
    assert cairn("index", "rebuild", cwd=root).code == 0
    assert folder.read_text() == theirs
    put(root, {f"{BASE}/nodes/shop/practice-here.md": node("practice-here")})
    assert cairn("index", "rebuild", cwd=root).code == 0
    assert "practice-here.md" in folder.read_text() and "0" * 64 not in folder.read_text()
    assert "ENTRY.md and GRAPH.md fit its 5 nodes" in cairn("index", "rebuild", cwd=root).err


def test_lint_and_check_read_the_same_nodes_with_the_same_severities(root: Path) -> None:
    long = node("practice-long", title="t" * 90, summary="s" * 150, relates="[map-cart, map-gone]")
    put(root, {f"{BASE}/nodes/shop/practice-long.md": long})
    lint = cairn("lint", "--json", cwd=root).json()
    check = cairn("check", "--json", "--all", cwd=root).json()
    assert lint["pages"] == 4
    assert [one["rule"] for one in lint["errors"]] == ["dangling-edge"]
    assert {one["rule"] for one in lint["findings"]} >= {"summary-long", "title-long"}
    errors = [one["analyzerId"] for one in check["issues"] if one["severity"] == "error"]
    assert errors == ["relation-unknown"], check["issues"]


BAD_FIELDS = {
    "an unknown key": ("tags: [", "colour: blue\ntags: [", "error"),
    "a confidence that is none": ("confidence: high", "confidence: sure", "error"),
    "a schema that nobody knows": ("schema_version: 2", "schema_version: 9", "error"),
}


@pytest.mark.parametrize("name", BAD_FIELDS)
def test_lint_names_what_check_calls_invalid(root: Path, name: str) -> None:
    old, new, severity = BAD_FIELDS[name]
    text = node("practice-odd", relates="[map-cart]")
    assert old in text
    put(root, {f"{BASE}/nodes/shop/practice-odd.md": text.replace(old, new, 1)})
    check = cairn("check", "--json", "--all", cwd=root).json()
    said = [one["message"] for one in check["issues"] if one["analyzerId"] == "entry-invalid"]
    assert said and all(one["severity"] == severity for one in check["issues"] if one["message"] in said)
    lint = cairn("lint", "--json", cwd=root)
    named = [one["message"] for one in lint.json()["errors"] if one["rule"] == "entry-invalid"]
    assert lint.code == 1 and [one.partition(": ")[2] for one in named] == said


LOST = {"the id": "id: [broken\n", "another key": "id: practice-lost\ntitle: Lost\nkind: practice\ntags: [broken\n"}


@pytest.mark.parametrize("name", LOST)
def test_a_key_that_is_not_read_is_an_error_of_every_command(root: Path, name: str) -> None:
    put(root, {f"{BASE}/nodes/shop/practice-lost.md": f"---\nschema_version: 2\n{LOST[name]}---\nText.\n"})
    assert "practice-lost.md" in str(cairn("lint", "--json", cwd=root).json()["errors"])
    check = cairn("check", "--json", "--all", cwd=root).json()
    said = {one["severity"] for one in check["issues"] if "was not read" in one["message"]}
    assert said == {"error"}, check["issues"]
    assert "[error]" in cairn("freshness", "validate", cwd=root).out


def test_the_gate_reads_the_nodes_of_a_tree_and_a_bad_one_stops_no_other(root: Path) -> None:
    broken = f"{BASE}/nodes/shop/practice-broken.md"
    commit(root, {broken: "---\nid: [\n---\n"})
    cairn("note", "--keep", "Never deploy on Fridays.", cwd=root)
    asked = cairn("curate", cwd=root)
    assert asked.code == 0 and "add" in asked.out, asked.out + asked.err
    [request] = cairn("change", "list", "--json", cwd=root).json()["requests"]
    shown = cairn("change", "show", request["id"], cwd=root).out
    [said] = [line for line in shown.splitlines() if line.strip().startswith("validate ")]
    assert "warn" in said and f"in pages that it does not touch; {broken}" in said


def test_a_node_with_another_id_than_its_file_counts(root: Path) -> None:
    before = cairn("import", "base", "--json", cwd=root).json()["nodes"]
    put(root, {f"{BASE}/nodes/shop/practice-file.md": node("practice-id", relates="[map-cart]")})
    after = cairn("import", "base", "--json", cwd=root).json()
    assert after["nodes"]["practice"] == before["practice"] + 1
    assert not any("is not read" in note for note in after["notes"])


def test_a_node_that_is_not_read_is_not_counted(root: Path) -> None:
    before = cairn("import", "base", "--json", cwd=root).json()["nodes"]
    put(root, {f"{BASE}/nodes/shop/practice-broken.md": "---\nid: [\n---\n"})
    after = cairn("import", "base", "--json", cwd=root).json()
    assert after["nodes"] == before
    assert any("practice-broken.md is not read" in note for note in after["notes"])


def test_a_briefing_and_a_search_find_a_leaf(root: Path) -> None:
    assert "practice-pay-once" in cairn("search", "pay once", cwd=root).out
    cairn("approve", "--all", cwd=root)
    assert "Pay once" in cairn("context", cwd=root).out


def test_a_new_node_is_a_leaf_of_the_tree(root: Path) -> None:
    made = cairn(
        "node", "add", "--kind", "map", "--title", "Queue", "--summary", "What the queue is.", "--yes", cwd=root
    )
    page = root / BASE / "nodes/map-queue.md"
    assert made.code == 0 and "schema_version: 2" in page.read_text()


def test_one_id_of_two_nodes_is_an_error_of_lint_and_check(root: Path) -> None:
    put(root, {f"{BASE}/nodes/shop/checkout/map-cart.md": node("map-cart", title="Twin")})
    lint, check = cairn("lint", "--json", cwd=root), cairn("check", "--json", cwd=root)
    assert (lint.code, check.code) == (1, 1)
    assert [one["rule"] for one in lint.json()["errors"]] == ["name-duplicate"]
    assert "name-duplicate" in {one["analyzerId"] for one in check.json()["issues"]}
    fits_schema(lint.json(), "lint")


NOT_READ = {
    "no text": (node("practice-odd") + "\0\0", "NUL bytes"),
    "too large for a scan": (node("practice-odd") + "x " * 700_000, "more than scan.max_file_size_bytes"),
}


@pytest.mark.parametrize(("text", "why"), NOT_READ.values(), ids=list(NOT_READ))
def test_a_node_that_is_not_read_is_named_and_not_counted(root: Path, text: str, why: str) -> None:
    path = f"{BASE}/nodes/practice-odd.md"
    put(root, {path: text})
    told = cairn("import", "base", "--json", cwd=root).json()
    assert told["nodes"] == {"map": 1, "practice": 2}
    [note] = told["notes"]
    assert note.startswith(f"{path} is not read: ") and why in note
    lint = cairn("lint", "--json", cwd=root).json()
    assert path in {one["path"] for one in (*lint["errors"], *lint["findings"]) if one["rule"] != "orphan"}
    fits_schema(lint, "lint")


def test_a_node_whose_name_ends_in_a_language_is_no_translation(root: Path) -> None:
    path = f"{BASE}/nodes/practice-bad-sv.md"
    put(root, {path: node("practice-bad-sv", relates="[map-gone]")})
    checked = cairn("check", "--json", cwd=root).json()
    assert path in {one["nodeIds"][0] for one in checked["issues"]}, checked["issues"]
    assert "translation" not in cairn("check", cwd=root).out


LATER = {
    f"{BASE}/ENTRY.md": "---\nschema_version: 3\nnodes_hash: 'x'\nnode_count: 2\n---\n# kenkeep\n",
    f"{BASE}/nodes/practice-pay-once.md": "---\ntype: practice\ntitle: Pay once\nkk_schema_version: 3\n---\nNever charge twice.\n",
    f"{BASE}/nodes/shop/index.md": "# kenkeep Index: shop\n",
    f"{BASE}/nodes/shop/map-cart.md": "---\ntype: map\ntitle: The cart\nkk_schema_version: 3\n---\nThe cart is in `cart.py`.\n",
}


def test_a_base_in_a_later_format_is_counted_searched_and_not_written(tmp_path: Path) -> None:
    root = make(tmp_path, LATER)
    assert cairn("init", cwd=root).code == 0
    told = cairn("import", "base", "--json", cwd=root).json()
    assert (told["corpus"], told["nodes"]) == ("nodes", {"map": 1, "practice": 1})
    [note] = told["notes"]
    assert "schema_version" in note and "not written" in note
    assert "practice-pay-once" in cairn("search", "charge twice", cwd=root).out
    lint, rebuilt = cairn("lint", cwd=root), cairn("index", "rebuild", cwd=root)
    assert lint.code == 0 and "no corpus has the layout `nodes` or `entries`" in lint.out
    assert rebuilt.code == 0 and git(root, "status", "--porcelain", "--", BASE) == ""
