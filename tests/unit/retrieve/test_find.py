"""From a question to pages, through real files and a real index."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asked import ask, paths
from cairn.adapters.storage.sqlite.store import open_memory
from cairn.core.search_query import parse_query
from cairn.errors import UsageError
from cairn.retrieve.rank import FITS
from cairn.retrieve.weight import weigh
from workbench import Bench

FILES = [
    ("docs/rotate-keys.md", "# Rotate the signing key\n\nEvery spring. First make a key, then publish it.\n"),
    ("docs/keys.md", "# Keys\n\nA key is kept in the safe.\n\nFar below: somebody may rotate the chairs.\n"),
    ("docs/doors.md", "# Doors\n\nA door has a lock and a handle. Doors are painted in spring.\n"),
    ("docs/chairs.md", "# Chairs\n\nChairs are mended in autumn, see `maxRetryCount`.\n"),
    ("docs/lesson.md", "---\ntype: lesson\nstatus: alpha\ntags: [wood]\n---\n# Glue\n\nGlue needs a night to dry.\n"),
    ("docs/old.md", "---\nstatus: deprecated\nsuperseded_by: docs/lesson.md\n---\n# Nails\n\nNails split the wood.\n"),
    ("docs/bad.md", "---\nstatus: quarantined\n---\n# Varnish\n\nDrink the varnish.\n"),
    ("docs/zh.md", "# 油漆\n\n油漆需要三天才能干燥。\n"),
    (".claude/agents/painter.md", "---\nname: painter\ndescription: Paints doors.\n---\nAsk for the colour first.\n"),
]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    bench = Bench(tmp_path_factory.mktemp("house"), open_memory())
    bench.write_all(FILES)
    bench.scan()
    return bench


BEST = {
    "how do I rotate the signing key?": "docs/rotate-keys.md",
    "rotating a key": "docs/rotate-keys.md",
    "key safe": "docs/keys.md",
    "max retry count": "docs/chairs.md",
    '"in spring"': "docs/doors.md",
    "glue dry": "docs/lesson.md",
    "油漆多久干燥": "docs/zh.md",
    "ask for a colour": ".claude/agents/painter.md",
    "docs/rotate-keys.md": "docs/rotate-keys.md",
    "hand*": "docs/doors.md",
}


@pytest.mark.parametrize(("text", "path"), BEST.items())
def test_the_best_page_comes_first(house: Bench, text: str, path: str) -> None:
    answer = ask(house, text)
    assert answer.fits
    assert answer.hits[0].path == path
    assert answer.hits[0].fit >= FITS


@pytest.mark.parametrize("text", ["rotate the satellite antenna dish", "who fixes broken windows in winter", "quantum"])
def test_nothing_fits(house: Bench, text: str) -> None:
    answer = ask(house, text)
    assert not answer.fits
    assert len(answer.hits) <= 3
    assert all(hit.fit < FITS for hit in answer.hits)


def test_everything_that_has_any_of_it(house: Bench) -> None:
    few, all_of_them = ask(house, "door handle"), ask(house, "door handle", everything=True)
    assert paths(few)[0] == "docs/doors.md"
    assert set(paths(few)) < set(paths(all_of_them)) | {"docs/doors.md"} or paths(few) == paths(all_of_them)
    assert ".claude/agents/painter.md" in paths(all_of_them)


def test_a_limit_says_how_many_there_are(house: Bench) -> None:
    answer = ask(house, "key", limit=1)
    assert len(answer.hits) == 1
    assert answer.total == 2


def test_what_is_left_out_is_left_out(house: Bench) -> None:
    assert paths(ask(house, "doors -handle")) == [".claude/agents/painter.md"]
    assert paths(ask(house, 'key -"signing key"')) == ["docs/keys.md"]


FILTERED: dict[str, tuple[dict[str, tuple[str, ...]], list[str]]] = {
    "kind": ({"kinds": ("agent",)}, [".claude/agents/painter.md"]),
    "path": ({"paths": ("docs/",)}, ["docs/doors.md"]),
    "several paths": ({"paths": (".claude/", "docs/d*")}, [".claude/agents/painter.md", "docs/doors.md"]),
    "type by kind": ({"types": ("agent",)}, [".claude/agents/painter.md"]),
    "no type": ({"types": ("lesson",)}, []),
}


@pytest.mark.parametrize(("filters", "expected"), FILTERED.values(), ids=FILTERED.keys())
def test_filters(house: Bench, filters: dict[str, tuple[str, ...]], expected: list[str]) -> None:
    assert sorted(paths(ask(house, "doors", **filters))) == expected


def test_filters_in_the_query_count_as_well(house: Bench) -> None:
    assert paths(ask(house, "glue nails wood type:lesson status:alpha tag:wood", everything=True)) == ["docs/lesson.md"]
    assert paths(ask(house, "glue status:stable", everything=True)) == []


def test_what_is_in_quarantine_is_counted_and_not_shown(house: Bench) -> None:
    answer = ask(house, "varnish")
    assert (paths(answer), answer.withheld) == ([], 1)
    assert ask(house, "door").withheld == 0


def test_a_slip_in_the_frontmatter_lets_nothing_out_of_quarantine(tmp_path: Path) -> None:
    bench = Bench(tmp_path, open_memory())
    bench.write("docs/bad.md", "---\na: [\nstatus: quarantined\n---\n# Varnish\n\nDrink the varnish.\n")
    bench.write("docs/later.md", "# Lacquer\n\nDrink the lacquer.\n")
    bench.scan()
    bench.write("docs/later.md", "---\nstatus: quarantined\n---\n# Lacquer\n\nDrink the lacquer.\n")
    assert [ask(bench, word).withheld for word in ("varnish", "lacquer")] == [1, 1]


def test_a_hit_says_how_far_it_is_trusted(house: Bench) -> None:
    glue = ask(house, "glue").hits[0]
    assert (glue.type, glue.status, glue.standing.level) == ("lesson", "alpha", "banner")
    assert "docs/lesson.md" in ask(house, "nails").hits[0].standing.words
    assert ask(house, "doors").hits[0].status is None


def test_a_page_that_went_since_the_scan_is_shown_without_its_text(tmp_path: Path) -> None:
    bench = Bench(tmp_path, open_memory())
    bench.write("a.md", "# Gone soon\n\nText.\n")
    bench.scan()
    bench.remove("a.md")
    (hit,) = ask(bench, "gone").hits
    assert (hit.title, hit.excerpt.text, hit.modified_ms) == ("Gone soon", "", 0)


def test_a_name_that_nobody_wrote_is_taken_apart(house: Bench) -> None:
    weighed = weigh(parse_query("signing/chairs on-glue"), house.store)
    assert [w.unit.shown for w in weighed] == ["signing", "chairs", "glue"]


def test_an_identifier_that_nobody_wrote_is_missed_all_the_same(house: Bench) -> None:
    weighed = weigh(parse_query("SIGNING_CHAIRS"), house.store)
    assert [(w.unit.shown, bool(w.pages)) for w in weighed] == [
        ("SIGNING_CHAIRS", False),
        ("signing", True),
        ("chairs", True),
    ]
    assert not ask(house, "GLUE_TIMEOUT").fits


def test_pieces_that_bridge_two_words_weigh_nothing(house: Bench) -> None:
    weighed = {w.unit.shown: w.weight for w in weigh(parse_query("油漆天花"), house.store)}
    assert weighed["油漆"] > 0
    assert weighed["漆天"] == 0
    assert weighed["天花"] > 0


def test_the_rarer_word_weighs_more(house: Bench) -> None:
    rare, common, *_ = weigh(parse_query("signing docs"), house.store)
    assert rare.pages < common.pages
    assert rare.weight > common.weight


def test_why_a_page_stands_where_it_stands(house: Bench) -> None:
    why = ask(house, "rotate moon key").hits[0].explanation
    assert [(f.shown, f.fields[:2], f.times) for f in why.found] == [
        ("rotate", ("name", "title"), 1),
        ("moon", (), 0),
        ("key", ("name", "title"), 2),
        ("sign (for key)", ("title", "heading"), 1),
    ]
    assert 0 < why.together <= why.anywhere < 1


def test_pages_of_the_same_score_come_by_path(tmp_path: Path) -> None:
    bench = Bench(tmp_path, open_memory())
    for name in ("b.md", "c.md", "a.md"):
        bench.write(name, "# Same\n\nThe same words.\n")
    bench.scan()
    assert paths(ask(bench, "same words")) == ["a.md", "b.md", "c.md"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    text=st.text(alphabet=st.characters(exclude_categories=()), max_size=200)
    | st.from_regex('["*():^a-cA-DNOT -]{1,40}')
)
def test_any_query_is_answered(house: Bench, text: str) -> None:
    try:
        answer = ask(house, text)
    except UsageError as error:
        assert error.message
        return
    for hit in answer.hits:
        assert 0 <= hit.fit <= 1
        assert all(0 <= start < end <= len(hit.excerpt.text) for start, end in hit.excerpt.marks)


def test_a_slip_of_the_finger_is_taken_for_what_was_meant_and_told(house: Bench) -> None:
    answer = ask(house, "rotate the sining key")
    assert (answer.fits, paths(answer)[0], answer.guesses) == (True, "docs/rotate-keys.md", (("sining", "signing"),))
    (guess,) = (found for found in answer.hits[0].explanation.found if found.shown.startswith("sining"))
    assert (guess.shown, guess.pages) == ("sining (as signing)", 1)


def test_a_question_about_what_every_page_is_about_is_answered(tmp_path: Path) -> None:
    bench = Bench(tmp_path, open_memory())
    bench.write_all([(f"docs/{n}.md", f"# Glue {n}\n\nGlue needs a night to dry.\n") for n in ("one", "two", "three")])
    bench.scan()
    assert ask(bench, "how long does glue take to dry?").fits


def test_what_is_no_longer_recommended_stands_behind_what_is(tmp_path: Path) -> None:
    bench = Bench(tmp_path, open_memory())
    page = "---\nstatus: {}\n---\n# Glue\n\nGlue needs a night to dry.\n"
    bench.write_all([("docs/a.md", page.format("deprecated")), ("docs/b.md", page.format("stable"))])
    bench.scan()
    assert paths(ask(bench, "dry glue")) == ["docs/b.md", "docs/a.md"]


def test_a_guess_that_nobody_wrote_is_taken_back(tmp_path: Path) -> None:
    """Of `lateral` the index has the stem, but only because somebody wrote `later`."""
    bench = Bench(tmp_path, open_memory())
    bench.write_all([("docs/a.md", "# Bread\n\nWe bake it later.\n"), ("docs/b.md", "# A literature list\n")])
    bench.scan()
    assert ask(bench, "literal bread").guesses == ()
    assert not any("lateral" in found.shown for found in ask(bench, "literal bread").hits[0].explanation.found)


def test_a_guess_is_told_as_somebody_wrote_it(tmp_path: Path) -> None:
    """And not as the shortest word that has its stem, which may be none."""
    bench = Bench(tmp_path, open_memory())
    bench.write("docs/doors.md", "# Doors\n\nAuthentication of bakers: by face. Authenticate twice.\n")
    bench.scan()
    answer = ask(bench, "authentcation")
    assert answer.guesses == (("authentcation", "authentication"),)
    assert answer.hits[0].explanation.found[0].shown == "authentcation (as authentication)"


@pytest.mark.parametrize("text", ['"sining key"', "sining*", "sining_key"])
def test_what_was_asked_exactly_is_not_guessed_at(house: Bench, text: str) -> None:
    assert ask(house, text).guesses == ()


def test_one_heading_counts_and_not_all_of_a_long_page(tmp_path: Path) -> None:
    """A reference has every word in some heading; a page that has them in one is about them."""
    bench = Bench(tmp_path, open_memory())
    bench.write_all(
        [
            ("docs/a.md", "# Reference\n\n## Glue\n\nDry.\n\n## Paper\n\nCut.\n\n## Wood\n\nSaw.\n"),
            ("docs/b.md", "# Works\n\n## Glue, paper, wood\n\nDry, cut and saw.\n"),
        ]
    )
    bench.scan()
    first, second = ask(bench, "glue paper wood").hits
    assert (first.path, second.path) == ("docs/b.md", "docs/a.md")
    assert sum("heading" in found.fields for found in second.explanation.found) == 1


@pytest.mark.parametrize("name", ["glue.md", "docs/glue.md", "glue"])
def test_a_file_is_found_by_its_very_name(tmp_path: Path, name: str) -> None:
    bench = Bench(tmp_path, open_memory())
    bench.write_all([(f"docs/{one}.md", "# Sticks\n\nGlue, glue, glue.\n") for one in ("a-glue", "glue", "glue-b")])
    bench.write("docs/about.md", "# About\n\nSee a-glue.md, docs/glue.md and glue-b.md.\n")
    bench.scan()
    assert paths(ask(bench, name))[0] == "docs/glue.md"
