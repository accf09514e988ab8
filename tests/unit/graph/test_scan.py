"""The scan as a whole: with no extension, with others than last time, and over only a part of the files."""

import os
from pathlib import Path
from typing import Any

import pytest

from cairn.errors import Refused
from cairn.graph import scan as scanning
from cairn.plugin import ExtractorContext, KindSpec, Precondition, View
from unit.graph.tiny import LINKS, NAMES, PAGES, World, bundle, extractor, find, provider, without_times

CHIP = View("card.footer.left")


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.write({"a.md": "<b.md> @bob", "b.md": "---\nname: bob\n---\n# B", "c.md": "# C"})
    return made


def rebuilt(world: World, extensions: dict[str, Any], **wanted: Any) -> Any:
    """The graph as it is, and as it would be from scratch."""
    before = without_times(world)
    world.use(extensions, rebuild=True, **wanted)
    return before, without_times(world)


def test_without_extensions_the_graph_is_empty(world: World):
    report = world.scan()
    assert (report.providers, report.files_walked, dict(report.counts)["nodes"]) == ((), 0, 0)
    assert (world.paths(), world.issues()) == ([], [])


def test_a_provider_alone_gives_nodes(world: World):
    world.scan(bundle("m", {"provider/pages": PAGES}))
    assert (world.paths(), world.links()) == (["a.md", "b.md", "c.md"], {})


def says_much(ctx: ExtractorContext) -> None:
    ctx.emit_contribution(CHIP, {"length": len(ctx.document.body)})
    ctx.enrich_node({"words": len(ctx.document.body.split())})
    if ctx.document.path == "a.md":
        ctx.emit_node("mcp://tools", "mcp", provider="pages", title="Tools")
        ctx.emit_field_link("references", "mcp://tools", 0.9, field_path="tools[0]", original="tools")


MUCH = {"extractor/much": extractor(says_much, ui={"chip": CHIP})}


def counting(seen: list[str], pattern: str = r"(@\w+)", **manifest: Any) -> Any:
    extract = find(pattern, "mentions", by_name=True)

    def both(ctx: ExtractorContext) -> None:
        seen.append(ctx.document.path)
        extract(ctx)

    return extractor(both, **manifest)


def test_a_new_extractor_runs_alone(world: World):
    first: list[str] = []
    second: list[str] = []
    world.use({"extractor/first": counting(first, "(never)")})
    first.clear()
    report = world.use({"extractor/first": counting(first, "(never)"), "extractor/second": counting(second)})
    assert (first, sorted(second)) == ([], ["a.md", "b.md", "c.md"])
    assert report.changed == ()
    assert world.links()["a.md", "mentions", "@bob"] == "b.md"


def test_all_that_a_new_extractor_says_is_kept(world: World):
    world.use({})
    world.use(MUCH)
    assert [c.payload for c in world.store.contributions("c.md")] == [{"length": 3}]
    assert world.store.enrichments("c.md") == {"mine/much": {"words": 2}}
    assert world.links()["a.md", "references", "mcp://tools"] == "mcp://tools"
    before, anew = rebuilt(world, MUCH)
    assert before == anew


def test_what_an_extractor_said_goes_with_it(world: World):
    world.use({**MUCH, "extractor/names": NAMES})
    report = world.use({})
    assert (report.changed, report.added, report.removed) == ((), (), ())
    assert world.paths() == ["a.md", "b.md", "c.md"]
    assert world.store.orphans() == []
    assert world.links() == {("a.md", "references", "b.md"): "b.md"}
    assert list(world.store.contributions("a.md")) == []
    before, anew = rebuilt(world, {})
    assert before == anew


def test_a_shared_link_loses_only_the_one_that_went(world: World):
    twin = extractor(find(r"<([\w./-]+)>"))
    world.use({"extractor/twin": twin})
    (link,) = world.store.links()
    assert set(link.sources) == {"links", "twin"} or link.sources == ("links",)
    world.use({})
    (link,) = world.store.links()
    assert link.sources == ("links",)


def test_a_new_version_of_an_extractor_replaces_the_old_one(world: World):
    world.use({"extractor/x": extractor(find(r"(@\w+)", "mentions", by_name=True))})
    world.use({"extractor/x": extractor(find("(never)"), version="2")})
    assert world.links() == {("a.md", "references", "b.md"): "b.md"}


# --- extractors and providers that fail -----------------------------------------------------------------------------


class Moody:
    def __init__(self) -> None:
        self.fails = True
        self.seen: list[str] = []

    def __call__(self, ctx: ExtractorContext) -> None:
        self.seen.append(ctx.document.path)
        ctx.emit_contribution(CHIP, {"n": 1})
        find(r"(@\w+)", "mentions", by_name=True)(ctx)
        if self.fails and ctx.document.path == "a.md":
            raise ValueError("not this one")


def test_one_that_fails_on_a_file_is_tried_again_there_and_only_there(world: World):
    moody = Moody()
    extensions = {"extractor/moody": extractor(moody, version="7", ui={"chip": CHIP})}
    report = world.use(extensions)
    (failure,) = report.failures
    assert tuple(failure) == ("mine/moody", "7", "a.md", "ValueError: not this one")
    assert world.links() == {("a.md", "references", "b.md"): "b.md"}
    assert list(world.store.contributions("a.md")) == []
    assert len(list(world.store.contributions("b.md"))) == 1
    moody.seen.clear()
    again = world.use(extensions)
    assert (moody.seen, len(again.failures), again.quiet) == (["a.md"], 1, True)
    moody.fails = False
    last = world.use(extensions)
    assert (last.failures, last.changed) == ((), ())
    assert world.links()["a.md", "mentions", "@bob"] == "b.md"
    moody.seen.clear()
    world.use(extensions)
    assert moody.seen == []
    before, anew = rebuilt(world, extensions)
    assert before == anew


def test_a_provider_that_fails_on_a_file_is_asked_again(world: World):
    broken = [True]

    def claims(path: str) -> bool:
        if broken and path == "b.md":
            raise RuntimeError("what is this")
        return True

    made = bundle("m", {"provider/odd": provider("odd", claims=claims), "extractor/links": LINKS})
    report = world.scan(made)
    assert [(f.extension, f.path) for f in report.failures] == [("m/odd", "b.md")]
    assert world.paths() == ["a.md", "c.md"]
    assert world.links() == {("a.md", "references", "b.md"): None}
    broken.clear()
    assert world.scan(made).failures == ()
    assert world.paths() == ["a.md", "b.md", "c.md"]
    assert world.links() == {("a.md", "references", "b.md"): "b.md"}


def test_a_provider_with_a_bad_schema_is_named_and_its_files_are_nodes(world: World):
    made = provider("odd", spec=KindSpec(label="l", color="#fff", schema={"type": "nonsense"}))
    (failure,) = world.scan(bundle("m", {"provider/odd": made})).failures
    assert (failure.extension, len(world.paths())) == ("m/odd", 3)


def test_a_provider_that_comes_wakes_the_extractors_for_its_kinds(world: World):
    seen: list[str] = []
    agents = counting(seen, precondition=Precondition(kind=("host/agent",)))
    world.use({"extractor/agents": agents})
    assert seen == []
    host = provider("host", "agent", claims=lambda path: path == "a.md")
    both = bundle(
        "mine",
        {"provider/host": host, "provider/pages": PAGES, "extractor/links": LINKS, "extractor/agents": agents},
    )
    world.scan(both)
    assert seen == ["a.md"]
    assert ("a.md", "mentions", "@bob") in world.links()


# --- the active provider --------------------------------------------------------------------------------------------


def test_another_active_provider_reads_no_file(world: World):
    class Unread:
        def __init__(self, files: Any) -> None:
            self.files = files

        def __getattr__(self, name: str) -> Any:
            assert name != "read"
            return getattr(self.files, name)

    seen: list[str] = []
    made = bundle(
        "m",
        {
            "provider/host": provider("host", "agent", gated=True, claims=lambda path: path == "b.md"),
            "provider/pages": PAGES,
            "extractor/links": LINKS,
            "extractor/hosted": counting(seen, precondition=Precondition(provider=("host",))),
        },
    )
    world.scan(made, active="pages")
    kinds = {node.path: node.kind for node in world.store.nodes()}
    assert kinds == {"a.md": "page", "b.md": "page", "c.md": "page"}
    assert not any(link.kind == "mentions" for link in world.store.links())
    seen.clear()
    world.scan(made, active="host", files=Unread(world.files))
    assert world.store.node("b.md").kind == "agent"
    assert ("a.md", "mentions", "@bob") in world.links()
    assert seen == []


# --- a part of the files ----------------------------------------------------------------------------------------------


def test_a_scan_of_a_folder_leaves_the_rest(world: World):
    os.mkfifo(world.root / "pipe.md")
    world.write({"docs/d.md": "# D"})
    world.use({})
    world.write({"docs/d.md": "# D2", "a.md": "changed"})
    (world.root / "b.md").unlink()
    report = world.use({}, only=("docs",))
    assert (report.changed, report.removed) == (("docs/d.md",), ())
    assert world.issues() == [("file-special", "pipe.md")]
    (world.root / "pipe.md").unlink()
    world.use({}, only=("docs",))
    assert world.issues() == [("file-special", "pipe.md")]
    assert set(world.use({}).changed) == {"a.md"}
    assert world.issues() == []


def test_a_suddenly_empty_tree_is_refused_and_the_graph_stays(world: World):
    world.use({})
    for name in ("a.md", "b.md", "c.md"):
        (world.root / name).unlink()
    with pytest.raises(Refused, match="No file was found where there were 3"):
        world.use({})
    assert len(world.paths()) == 3
    world.use({}, allow_empty=True)
    assert world.paths() == []


def test_a_dry_run_says_what_would_change(world: World):
    world.use({})
    world.write({"a.md": "changed", "d.md": "new"})
    report = world.use({}, dry_run=True)
    assert (report.added, report.changed, report.counts["nodes"]) == (("d.md",), ("a.md",), 4)
    assert world.paths() == ["a.md", "b.md", "c.md"]


def test_an_outdated_search_index_is_made_anew_without_a_word(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scanning, "_STALE_TEXTS", 2)
    world.use(MUCH)
    for n in range(5):
        world.write({"c.md": f"# C{n}" + "!" * n})
        assert world.use(MUCH).changed == ("c.md",)
    before, anew = rebuilt(world, MUCH)
    assert before == anew


# --- moves ------------------------------------------------------------------------------------------------------------


def test_a_move_is_recorded_and_an_orphan_remembered(world: World):
    world.use({})
    (world.root / "b.md").rename(world.root / "moved.md")
    (world.root / "c.md").unlink()
    report = world.use({})
    assert (report.renamed, report.added, report.removed) == ((("b.md", "moved.md"),), (), ("c.md",))
    assert [orphan.path for orphan in world.store.orphans()] == ["c.md"]
    assert [(r.old, r.new, r.confidence) for r in world.store.renames()] == [("b.md", "moved.md", "high")]
    world.write({"c.md": "# C is back"})
    world.use({})
    assert world.store.orphans() == []


@pytest.mark.parametrize("ignore", [("c.md",), ("*.md", "!a.md", "!b.md")])
def test_a_file_that_is_ignored_now_did_not_go(world: World, ignore: tuple[str, ...]):
    world.use({})
    report = world.use({}, ignore=ignore)
    assert report.removed == ("c.md",)
    assert world.store.orphans() == []


def test_a_deleted_file_that_is_ignored_now_is_no_orphan(world: World):
    world.use({})
    (world.root / "c.md").unlink()
    world.use({}, ignore=("c.md",))
    assert world.store.orphans() == []


def test_files_beyond_the_limit_did_not_go(world: World):
    world.use({})
    world.use({}, max_nodes=2)
    assert world.paths() == ["a.md", "b.md"]
    assert world.issues() == [("node-limit", "c.md")]
    assert world.store.orphans() == []


def test_nothing_is_kept_of_a_scan_that_fails(world: World):
    world.use({})
    world.write({"a.md": "<nowhere.md>"})

    class Broken:
        def __init__(self, files: Any) -> None:
            self.files = files

        def __getattr__(self, name: str) -> Any:
            return getattr(self.files, name)

        def exists(self, path: str) -> bool:
            raise OSError("the disk is on fire")

    with pytest.raises(OSError, match="fire"):
        world.use({}, files=Broken(world.files))
    assert world.links() == {("a.md", "references", "b.md"): "b.md"}
    assert world.use({}).changed == ("a.md",)
