"""From signals to links: the winner of each overlap, what belongs together, what a target means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.core.model.graph import Candidate, Signal
from cairn.core.ports.graph import LinkTarget
from cairn.graph.resolve import Lookup, ResolutionRules, choose, lift, lookup_key, path_spellings, spelled_by
from cairn.lib.urls.url import is_external

RULES = ResolutionRules(frozenset({"p/a", "p/b", "p/c"}), {"p/a": 0, "p/b": 1, "p/c": 2}, {"invokes": 0, "mentions": 1})


def signal(start, end, extractor="p/a", kind="references", confidence=0.5, target=None, by_name=False, line=1, **more):
    target = target or f"{extractor}-{start}.md"
    candidate = Candidate(extractor, kind, target, confidence, target, target, by_name)
    return Signal("body", start, end, line, target, (candidate,), **more)


# what overlaps, and for each loser the step that decided; the winner is the first signal
OVERLAPS = [
    ("kind-priority", signal(0, 4, kind="invokes", confidence=0.1), signal(2, 9, "p/b", "mentions", 0.9)),
    ("higher-confidence", signal(2, 4, confidence=0.9), signal(0, 9, "p/b")),
    ("longer-range", signal(2, 9, "p/b"), signal(0, 4, "p/a")),
    ("earlier-declaration", signal(2, 6, "p/a"), signal(0, 4, "p/b")),
    ("earlier-declaration", signal(0, 4, "p/a"), signal(2, 6, "p/a")),
]


@pytest.mark.parametrize(("reason", "winner", "loser"), OVERLAPS, ids=[f"{n}-{o[0]}" for n, o in enumerate(OVERLAPS)])
def test_each_deciding_step_is_named(reason: str, winner: Signal, loser: Signal):
    for order in ([winner, loser], [loser, winner]):
        chosen = choose(order, RULES)
        assert [reading.signal for reading in chosen.readings] == [winner]
        (rejection,) = chosen.rejections
        assert (rejection.signal, rejection.reason) == (loser, reason)
        assert rejection.winner_extractor == winner.candidates[0].extractor
        assert (rejection.winner_start, rejection.winner_end) == (winner.start, winner.end)


def test_clusters_are_transitive():
    """The first and the last don't touch, but both touch what is between them."""
    low, middle, high = signal(0, 5), signal(4, 9, confidence=0.4), signal(8, 12, confidence=0.9)
    chosen = choose([low, middle, high], RULES)
    assert [reading.signal for reading in chosen.readings] == [high]
    assert {rejection.signal for rejection in chosen.rejections} == {low, middle}


def test_ranges_that_only_touch_do_not_overlap():
    assert len(choose([signal(0, 4), signal(4, 8)], RULES).readings) == 2


def test_addresses_are_exempt_and_hide_the_names_inside_them():
    first, second = signal(0, 20, target="https://a.example/@x"), signal(5, 30, target="https://b.example")
    inside = signal(14, 18, "p/b", "mentions", target="@x", by_name=True)
    path = signal(2, 10, "p/c", target="docs/a.md")
    chosen = choose([first, second, inside, path], RULES)
    assert [ref.url for ref in chosen.external] == ["https://a.example/@x", "https://b.example"]
    assert [reading.signal for reading in chosen.readings] == [path]
    assert [(r.signal, r.reason) for r in chosen.rejections] == [(inside, "inside-url")]


def test_the_address_that_reaches_furthest_covers():
    """A long address is found although a shorter one starts after it."""
    long, short = signal(0, 100, target="https://long.example"), signal(10, 20, target="https://short.example")
    name = signal(50, 55, "p/b", "mentions", target="@x", by_name=True)
    (rejection,) = choose([long, short, name], RULES).rejections
    assert (rejection.winner_start, rejection.winner_end) == (0, 100)


def test_one_address_twice_is_one_reference():
    chosen = choose([signal(0, 5, target="https://a", line=3), signal(9, 14, target="https://a", line=7)], RULES)
    assert [(ref.url, ref.line) for ref in chosen.external] == [("https://a", 3)]


def test_readings_of_inactive_extractors_do_not_count():
    assert choose([signal(0, 4, "q/other"), signal(2, 6)], RULES).rejections == []
    both = Signal("body", 0, 3, 1, "x", (signal(0, 3, "q/other").candidates[0], signal(0, 3, "p/b").candidates[0]))
    (reading,) = choose([both], RULES).readings
    assert reading.candidate.extractor == "p/b"


INSIDE = [
    ("kind priority", [("p/a", "mentions", 0.9), ("p/b", "invokes", 0.1)], "p/b"),
    ("then confidence", [("p/a", "mentions", 0.2), ("p/b", "mentions", 0.3)], "p/b"),
    ("then registration", [("p/b", "mentions", 0.3), ("p/a", "mentions", 0.3)], "p/a"),
    ("a ranked kind before others", [("p/a", "points", 1.0), ("p/b", "mentions", 0.1)], "p/b"),
]


@pytest.mark.parametrize(("candidates", "winner"), [c[1:] for c in INSIDE], ids=[c[0] for c in INSIDE])
def test_inside_a_signal(candidates, winner: str):
    made = tuple(Candidate(by, kind, "t", sure, "t", "t") for by, kind, sure in candidates)
    (reading,) = choose([Signal("body", 0, 1, 1, "t", made)], RULES).readings
    assert reading.candidate.extractor == winner


def test_ten_thousand_addresses_and_names_take_no_square_of_time():
    """The work is counted, not timed: each name looks at a handful of addresses."""
    looked = 0

    class Counting(int):
        def __lt__(self, other):
            nonlocal looked
            looked += 1
            return int(self) < int(other)

    many = 2_000
    urls = [signal(Counting(n * 20), n * 20 + 9, target=f"https://x{n}.example") for n in range(many)]
    names = [
        signal(Counting(n * 20 + 12), n * 20 + 15, "p/b", "mentions", target="@x", by_name=True) for n in range(many)
    ]
    chosen = choose([*urls, *names], RULES)
    assert (len(chosen.readings), len(chosen.external)) == (many, many)
    assert looked < many * 100


# --- what a target means --------------------------------------------------------------------------------------------


def target(path: str, kind: str = "skill", reserved: int = 0, id: int = 1) -> LinkTarget:
    return LinkTarget(id, path, kind, "p", reserved)


def lookup(paths=(), names=None, disk=(), reference=(), resolution=None) -> Lookup:
    known = {path: target(path) for path in paths}
    found = names or {}
    return Lookup(
        known.get,
        lambda name: found.get(name, ()),
        set(disk).__contains__,
        set(reference).__contains__,
        resolution or {},
    )


PATHS = [
    ("the path itself", "docs/a.md", lookup(["docs/a.md"]), ("docs/a.md", "node")),
    ("without its ending", "docs/a", lookup(["docs/a.md"]), ("docs/a.md", "node")),
    ("a folder's front page", "docs", lookup(["docs/README.md"]), ("docs/README.md", "node")),
    ("a folder's index", "docs/", lookup(["docs/index.md"]), ("docs/index.md", "node")),
    ("the root", ".", lookup(["README.md"]), ("README.md", "node")),
    ("a page whose name has a dot", "docs/v1.2", lookup(["docs/v1.2.md"]), ("docs/v1.2.md", "node")),
    ("on disk, but no node", "logo.png", lookup(disk=["logo.png"]), (None, "file")),
    ("above the root", "../x.md", lookup(disk=["../x.md"]), (None, "outside")),
    ("the parent itself", "..", lookup(), (None, "outside")),
    ("named in the settings", "gen/x.md", lookup(reference=["gen/x.md"]), (None, "reference")),
    ("nowhere", "x.md", lookup(), (None, "broken")),
]


@pytest.mark.parametrize(("name", "world", "expected"), [c[1:] for c in PATHS], ids=[c[0] for c in PATHS])
def test_paths(name: str, world: Lookup, expected):
    resolved, state = lift("s", name, "references", None, world)
    assert (resolved and resolved.path, state) == expected


ONLY_AGENTS = {"mentions": ("agent",)}
NAMES = [
    ("a name", "@x", {"x": [target("a.md", "agent")]}, ("a.md", "node")),
    ("only one sigil is taken off", "@/x", {"x": [target("a.md", "agent")]}, (None, "broken")),
    ("the first of the right kind", "@x", {"x": [target("s.md"), target("a.md", "agent")]}, ("a.md", "node")),
    ("exists, but not as that kind", "@x", {"x": [target("s.md")]}, (None, "mismatch")),
    (
        "one that is not reserved is taken first",
        "@x",
        {"x": [target("r.md", "agent", 1), target("a.md", "agent")]},
        ("a.md", "node"),
    ),
    (
        "two that are equally near",
        "@x",
        {"x": [target("a/x.md", "agent"), target("b/x.md", "agent")]},
        (None, "ambiguous"),
    ),
    ("the nearer one", "@x", {"x": [target("a/x.md", "agent"), target("d/x.md", "agent")]}, ("d/x.md", "node")),
    ("pages of knowledge", "&x", {"&x": [target("b.md", "agent"), target("a.md", "agent")]}, ("a.md", "node")),
    ("all are reserved", "@x", {"x": [target("r.md", "agent", 1)]}, ("r.md", "node")),
    ("nobody is called so", "@y", {"x": [target("a.md", "agent")]}, (None, "broken")),
    ("a page nearby", "[[p", {"[[p": [target("a.md"), target("d/p.md")]}, ("d/p.md", "node")),
]


@pytest.mark.parametrize(("name", "names", "expected"), [c[1:] for c in NAMES], ids=[c[0] for c in NAMES])
def test_names(name: str, names, expected):
    world = lookup(names=names, resolution=ONLY_AGENTS)
    resolved, state = lift("d/s.md", name, "mentions", lookup_key(name), world)
    assert (resolved and resolved.path, state) == expected


def test_a_kind_of_link_that_the_provider_does_not_restrict_takes_any_node():
    world = lookup(names={"x": [target("s.md")]}, resolution=ONLY_AGENTS)
    assert lift("s", "/x", "invokes", "x", world)[1] == "node"


@pytest.mark.parametrize(("normalized", "key"), [("/x y", "x y"), ("@x", "x"), ("x", "x"), ("//x", "/x"), ("", "")])
def test_one_sigil_is_taken_off(normalized: str, key: str):
    assert lookup_key(normalized) == key


@pytest.mark.parametrize(
    ("text", "outside"),
    [
        ("https://a", True),
        ("mailto:x@y", True),
        ("mcp://github", False),
        ("a.md", False),
        ("c:x", False),
        ("a b:c", False),
    ],
)
def test_what_is_external(text: str, outside: bool):
    assert is_external(text) is outside


names = st.text(alphabet="ab.", min_size=1, max_size=4).filter(lambda name: name.strip("."))
targets = st.builds(
    lambda parts, ending, slash: "/".join(parts) + ending + slash,
    st.lists(names, min_size=1, max_size=3),
    st.sampled_from(["", ".md", "/README.md", "/index.md", ".toml"]),
    st.sampled_from(["", "/"]),
) | st.sampled_from(["", "."])


@given(targets)
def test_every_page_a_target_may_mean_knows_that_target(name: str):
    """Else a page that appears would not wake the links that meant it."""
    for page in path_spellings(name):
        assert name in spelled_by(page)
