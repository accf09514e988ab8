"""A part of the graph: a node by any of its names, what is around it, what a query names."""

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.app.build import App, build_app
from cairn.core.model.graph import Triple
from cairn.errors import NotFound, UsageError
from cairn.graph.run_scan import run_scan
from cairn.graph.subgraph import (
    KEPT,
    GraphQuery,
    addresses,
    around,
    find_node,
    parse_query,
    path_called,
    select,
    spellings,
    tokens_of,
    whole,
)
from cairn.lib.text.estimate_tokens import EstimatedTokens
from cairn.plugin import AnalyzerContext, Issue, Severity
from unit.graph.tiny import World, analyzer, bundle, extractor, find, provider


def complain(ctx: AnalyzerContext) -> list[Issue]:
    return [Issue("x", Severity.WARN, (n.path,), "m") for n in ctx.nodes() if n.path == "docs/c.md"]


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.write(
        {
            "a.md": "---\nname: Alpha One\ntags: [x]\n---\n<docs/b.md>",
            "docs/b.md": "# Beta\n<docs/c.md> <gone.md>",
            "docs/c.md": "---\ntopics: [y]\n---\nno links",
            "other/b.md": "# Other",
            "skills/bake/SKILL.md": "# Baking",
        }
    )
    made.scan(
        bundle(
            "m",
            {
                "provider/skills": provider("skills", "skill", claims=lambda path: "SKILL" in path),
                "provider/pages": provider("pages"),
                "extractor/links": extractor(find(r"<([\w./-]+)>")),
                "analyzer/complain": analyzer(complain),
            },
        )
    )
    return made


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a.md", "a.md"),
        ("./a.md", "a.md"),
        ("alpha-one", "a.md"),
        ("@Alpha One", "a.md"),
        ("Beta", "docs/b.md"),
        ("docs/b.md", "docs/b.md"),
        ("c.md", "docs/c.md"),
        ("c", "docs/c.md"),
        ("/bake", "skills/bake/SKILL.md"),
        ("bake/SKILL.md", "skills/bake/SKILL.md"),
    ],
)
def test_a_node_by_name(world: World, name: str, path: str):
    assert find_node(world.store, name).path == path


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("docs/bb.md", "did you mean `docs/b.md`?"),
        ("zzzzzz", "`cairn list` shows what there is."),
    ],
)
def test_a_name_that_is_none(world: World, name: str, sentence: str):
    with pytest.raises(NotFound) as caught:
        find_node(world.store, name)
    assert sentence in caught.value.message


def test_a_name_that_is_several(world: World):
    with pytest.raises(UsageError) as caught:
        find_node(world.store, "b.md")
    assert caught.value.message == "`b.md` may be `docs/b.md`, `other/b.md`; name one by its path."


@pytest.mark.parametrize(
    ("depth", "paths"),
    [
        (0, ["docs/b.md"]),
        (1, ["a.md", "docs/b.md", "docs/c.md"]),
        (None, ["a.md", "docs/b.md", "docs/c.md"]),
    ],
)
def test_around_goes_over_links_in_both_directions(world: World, depth: int | None, paths: list[str]):
    part = around(world.store, "docs/b.md", depth)
    assert [node.path for node in part.nodes] == paths
    assert {link.target for link in part.links if link.source == "docs/b.md"} >= {"gone.md"}
    assert all(link.resolved is None or link.resolved in paths for link in part.links)


def test_the_whole(world: World):
    part = whole(world.store)
    assert (len(part.nodes), len(part.links), len(part.issues)) == (5, 3, 1)


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("", ["a.md", "docs/b.md", "docs/c.md", "other/b.md", "skills/bake/SKILL.md"]),
        ("kind=skill", ["skills/bake/SKILL.md"]),
        ("kind=skills/skill,page path=docs/*,skills/*", ["docs/b.md", "docs/c.md", "skills/bake/SKILL.md"]),
        ("has=issues", ["docs/c.md"]),
        ("tag=x,y", ["a.md", "docs/c.md"]),
        ("tag=x has=issues", []),
    ],
)
def test_queries(world: World, query: str, paths: list[str]):
    part = select(world.store, parse_query([query]))
    assert [node.path for node in part.nodes] == paths
    assert all(link.source in paths and link.resolved in paths for link in part.links)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["kinds=a"], "`kinds=a` is not part of a query"),
        (["kind"], "`kind` is not part of a query"),
        (["kind="], "`kind=` is not part of a query"),
        (["kind=a", "kind=b"], "`kind` is given twice"),
        (["has=links"], "has= knows `issues` only"),
        (["has=,"], "has= knows `issues` only"),
    ],
)
def test_a_query_that_is_none(words: list[str], sentence: str):
    with pytest.raises(UsageError, match=sentence):
        parse_query(words)


values = st.lists(st.text(alphabet="ab*/.-", min_size=1, max_size=5), min_size=1, max_size=3).map(tuple)


@given(
    st.dictionaries(st.sampled_from(["kind", "path", "tag"]), values), st.booleans(), st.randoms(use_true_random=False)
)
def test_a_query_is_read_as_it_was_written_in_any_order(given_values, troubled: bool, shuffler):
    words = [f"{key}={','.join(value)}" for key, value in given_values.items()] + ["has=issues"] * troubled
    shuffler.shuffle(words)
    wanted = GraphQuery(
        given_values.get("kind", ()), troubled, given_values.get("path", ()), given_values.get("tag", ())
    )
    assert parse_query(words) == parse_query([" ".join(words)]) == wanted


@given(st.lists(st.text(max_size=12), max_size=3))
def test_any_words_are_a_query_or_a_sentence(words: list[str]):
    try:
        assert isinstance(parse_query(words), GraphQuery)
    except UsageError as error:
        assert error.message.endswith((".", "…."))


@pytest.mark.parametrize(
    ("here", "name", "expected"),
    [
        ("", "a.md", ["a.md"]),
        ("", "./docs/a.md", ["docs/a.md"]),
        ("docs", "a.md", ["docs/a.md", "a.md"]),
        ("docs", "docs/a.md", ["docs/docs/a.md", "docs/a.md"]),
        ("docs", "../a.md", ["a.md"]),
        ("docs", "../../a.md", []),
        ("docs/deep", "../x/./y.md", ["docs/x/y.md"]),
        ("", "..", []),
        ("", "mcp://server", ["mcp:/server"]),
    ],
)
def test_spellings(tmp_path, here, name, expected):
    root = tmp_path / "repo"
    (root / "docs" / "deep").mkdir(parents=True)
    assert list(spellings(name, root=root, here=root / here)) == expected


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("https://x.dev/a#b", "https://x.dev/a"),
        ("https://x.dev/a/", "https://x.dev/a"),
        ("https://x.dev/a", "https://x.dev/a/"),
    ],
)
def test_an_address_is_found_as_people_copy_it(name, known):
    assert known in addresses(name)
    assert list(addresses(f"route://{name}")) == []


def test_an_absolute_path_below_the_root(tmp_path):
    assert list(spellings(str(tmp_path / "a" / "b.md"), root=tmp_path, here=tmp_path)) == ["a/b.md"]
    assert list(spellings("/etc/passwd", root=tmp_path, here=tmp_path)) == []


def test_the_workspace_may_be_reached_through_a_link(tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    assert list(spellings("a.md", root=tmp_path / "link", here=real)) == ["a.md"]


def test_what_is_known_wins(tmp_path):
    (tmp_path / "docs").mkdir()

    def called(*known: str) -> str:
        return path_called("./a.md", set(known).__contains__, root=tmp_path, here=Path(tmp_path, "docs"))

    assert called("a.md", "docs/a.md") == "docs/a.md"
    assert called("a.md") == "a.md"
    assert called() == "a.md"


class Letters:
    """Counts letters, so that every part of the text is seen in the result."""

    exact = True

    def __init__(self, name: str = KEPT) -> None:
        self.name = name
        self.asked = 0

    def count(self, text: str) -> int:
        self.asked += 1
        return len(text)


def scanned(root: Path, files: dict[str, bytes]) -> App:
    for name, data in {".cairn/settings.json": b"{}", **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    app = build_app(root, env={}, tracked=lambda _: ())
    run_scan(app, app.scan_request())
    return app


def count(app: App, path: str, tokenizer):
    node = app.store.node(path)
    assert node is not None
    found = tokens_of(node, store=app.store, files=app.files, tokenizer=tokenizer)
    return None if found is None else (found.tokens, found.tokenizer, found.exact)


@pytest.mark.parametrize(
    ("path", "data", "tokens"),
    [
        ("a.md", b"---\nx: 1\n---\nbody\n", Triple(13, 5, 18)),
        ("a.md", b"body\n", Triple(0, 5, 5)),
        ("a.md", b"", Triple(0, 0, 0)),
        ("a.md", b"---\r\nx: 1\r\n---\r\nbody", Triple(16, 4, 20)),
        ("a.md", "ä€🌱\n".encode(), Triple(0, 4, 4)),
        ("a.md", b"\xef\xbb\xbf# Mark\n", Triple(0, 7, 7)),
        (".codex/agents/a.toml", b'name = "a"\ndescription = "x"\n', Triple(29, 0, 29)),
    ],
)
def test_frontmatter_and_body_are_counted_apart(tmp_path, path, data, tokens):
    with closing(scanned(tmp_path, {path: data})) as app:
        assert count(app, path, Letters()) == (tokens, KEPT, True)
        assert app.store.node(path).tokens == tokens


def test_a_count_is_kept_until_the_file_changes(tmp_path):
    with closing(scanned(tmp_path, {"a.md": b"12345"})) as app:
        letters = Letters()
        assert count(app, "a.md", letters) == count(app, "a.md", letters)
        assert letters.asked == 2  # once for each part, not again
        (tmp_path / "a.md").write_bytes(b"1234567")
        assert count(app, "a.md", letters)[0].total == 5  # what is known is about the scanned text
        run_scan(app, app.scan_request())
        assert count(app, "a.md", letters)[0].total == 7


@pytest.mark.parametrize("tokenizer", [EstimatedTokens(), Letters("o200k_base")], ids=lambda t: t.name)
def test_other_counts_are_not_kept(tmp_path, tokenizer):
    with closing(scanned(tmp_path, {"a.md": b"12345"})) as app:
        assert count(app, "a.md", tokenizer)[1:] == (tokenizer.name, tokenizer.exact)
        assert app.store.node("a.md").tokens is None


def test_a_file_that_is_not_the_scanned_one_has_no_count(tmp_path):
    with closing(scanned(tmp_path, {"a.md": b"12345"})) as app:
        (tmp_path / "a.md").write_bytes(b"54321")
        assert count(app, "a.md", Letters()) is None
        (tmp_path / "a.md").unlink()
        assert count(app, "a.md", Letters()) is None


def test_the_settings_choose(tmp_path):
    def chosen(text: str):
        (tmp_path / ".cairn").mkdir(exist_ok=True)
        (tmp_path / ".cairn" / "settings.json").write_text(text)
        tokenizer = build_app(tmp_path, env={}, tracked=lambda _: ()).tokenizer
        return tokenizer and tokenizer.name

    assert chosen("{}") == "cl100k_base"
    assert chosen('{"scan": {"tokenizer": "o200k_base"}}') == "o200k_base"
    assert chosen('{"scan": {"tokenize": false}}') is None
