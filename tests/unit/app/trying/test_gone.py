"""Documents that name code which is gone, or whose code changed: told from what git remembers."""

from pathlib import Path

import pytest

from cairn.app.trying.finding import Finding
from cairn.app.trying.looking import look_around
from commits import commit

CODE = (
    "TIMEOUT_SECONDS = 30\n\n\ndef fetch_page(url, retries=3):\n    return url\n\n\n"
    "class PageCache:\n    def drop_all(self):\n        pass\n"
)
KEEP = "def stays_here():\n    return 1\n"


def found(root: Path, kind: str) -> list[Finding]:
    tried = look_around(root, env={}, kind=kind, everything=True)
    assert tried.problems == ()
    return list(tried.findings)


def story(root: Path, sentence: str, after: str, *, path: str = "docs/guide.md") -> None:
    """A sentence is written about the code, then the code becomes another."""
    commit(root, {"src/app.py": CODE, path: f"# Guide\n\n{sentence}\n", "src/keep.py": KEEP}, "begin", day=1)
    commit(root, {"src/app.py": after}, "rework", day=9)


@pytest.mark.parametrize(
    ("sentence", "after", "name", "successor"),
    [
        ("Call `fetch_page()` for each.", CODE.replace("fetch_page", "load_page"), "fetch_page", "load_page"),
        ("The `PageCache` keeps them.", CODE.split("class")[0], "PageCache", None),
        (
            "Wait `TIMEOUT_SECONDS` at most.",
            CODE.replace("TIMEOUT_SECONDS", "LIMIT_SECONDS"),
            "TIMEOUT",
            "LIMIT_SECONDS",
        ),
        ("Use `PageCache.drop_all()` then.", CODE.replace("drop_all", "clear_all"), "drop_all", "clear_all"),
        ("Run it with `--dry-run`.", "", "--dry-run", None),
    ],
)
def test_a_name_that_went(tmp_path: Path, sentence: str, after: str, name: str, successor: str | None):
    flag = 'parser.add_argument("--dry-run")\n'
    commit(tmp_path, {"src/app.py": CODE + flag, "docs/guide.md": f"# Guide\n\n{sentence}\n"}, "begin", day=1)
    commit(tmp_path, {"src/app.py": after}, "rework", day=9)
    [finding] = found(tmp_path, "gone-code")
    assert name in finding.message
    assert (finding.place.path, finding.place.line, finding.place.text) == ("docs/guide.md", 3, sentence)
    assert "2024-03-01" in finding.because
    assert "2024-03-09, “rework”" in finding.because
    assert "src/app.py" in finding.because
    if successor:
        assert f"`{successor}` took its place" in finding.message


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("docs/guide.md", "Call `stays_here()` for each."),
        ("docs/guide.md", "`fetch_page` was removed in 2.0."),
        ("docs/guide.md", "Use `stays_here` instead of `fetch_page`."),
        ("docs/guide.md", "Call `never_was()` for each."),
        ("docs/guide.md", "A page, a cache and the word `cache`."),
        ("CHANGELOG.md", "Call `fetch_page()` for each."),
        ("docs/migration.md", "Call `fetch_page()` for each."),
        ("docs/adr/0001-fetch.md", "Call `fetch_page()` for each."),
        ("docs/de/guide.md", "Call `fetch_page()` for each."),
        ("README.zh-CN.md", "Call `fetch_page()` for each."),
        ("vendor/lib/README.md", "Call `fetch_page()` for each."),
        ("tests/fixtures/page.md", "Call `fetch_page()` for each."),
        ("templates/page.md", "Call `fetch_page()` for each."),
        ("docs/guide.md", "```python\nfetch_page()\n```"),
        ("docs/guide.md", "<!-- `fetch_page()` -->"),
    ],
)
def test_silence_where_it_would_be_doubtful(tmp_path: Path, path: str, sentence: str):
    story(tmp_path, sentence, "", path=path)
    assert found(tmp_path, "gone-code") == []


def test_what_only_stands_in_its_place_is_no_successor(tmp_path: Path):
    story(tmp_path, "Call `PageCache()` for each.", CODE.replace("class PageCache:", "class Unrelated:"))
    [finding] = found(tmp_path, "gone-code")
    assert "took its place" not in finding.message


def test_a_sentence_written_after_the_code_went_is_about_something_else(tmp_path: Path):
    commit(tmp_path, {"src/app.py": CODE, "docs/guide.md": "# Guide\n"}, day=1)
    commit(tmp_path, {"src/app.py": KEEP}, day=2)
    commit(tmp_path, {"docs/guide.md": "# Guide\n\nCall `fetch_page()` of the other library.\n"}, day=3)
    assert found(tmp_path, "gone-code") == []


def test_a_name_that_only_tests_had_is_nobodys_interface(tmp_path: Path):
    commit(tmp_path, {"tests/test_app.py": CODE, "docs/guide.md": "Call `fetch_page()` for each.\n"}, day=1)
    commit(tmp_path, {"tests/test_app.py": KEEP}, day=2)
    assert found(tmp_path, "gone-code") == []


def test_a_flag_that_only_a_description_had_is_somebody_elses(tmp_path: Path):
    words = "With the\n`--ignore-rev` option of it.\n"
    commit(tmp_path, {"PKG-INFO": words, "src/app.py": CODE, "docs/guide.md": words}, day=1)
    commit(tmp_path, {"PKG-INFO": "Name: app\n"}, day=2)
    assert found(tmp_path, "gone-code") == []


def test_a_key_of_a_tools_settings_is_that_tools(tmp_path: Path):
    page = {"docs/guide.md": "Set the `language_version` in yours.\n"}
    commit(tmp_path, {".hooks.yaml": "language_version: 3\n", "src/app.py": CODE, **page}, day=1)
    commit(tmp_path, {".hooks.yaml": "a: 3\n"}, day=2)
    assert found(tmp_path, "gone-code") == []


def test_many_sentences_about_one_name_are_one_finding(tmp_path: Path):
    pages = {f"docs/page-{n}.md": f"# {n}\n\nCall `fetch_page()` here.\n" for n in range(6)}
    commit(tmp_path, {"src/app.py": CODE, **pages}, day=1)
    commit(tmp_path, {"src/app.py": KEEP}, day=2)
    [finding] = found(tmp_path, "gone-code")
    assert finding.more == 4


def test_a_line_that_is_not_committed_yet_says_nothing_about_the_past(tmp_path: Path):
    story(tmp_path, "Nothing.", KEEP)
    (tmp_path / "docs" / "guide.md").write_text("# Guide\n\nCall `fetch_page()` for each.\n")
    assert found(tmp_path, "gone-code") == []


def test_a_file_that_moved_or_went(tmp_path: Path):
    words = "Look at `src/app.py` and `src/old.py`, not at `src/never.py`.\n"
    commit(tmp_path, {"src/app.py": CODE, "src/old.py": KEEP, "docs/guide.md": words}, day=1)
    commit(tmp_path, {"src/app.py": None, "lib/core/app2.py": CODE, "src/old.py": None}, "tidy up", day=5)
    moved, gone = found(tmp_path, "gone-code")
    assert "`src/app.py`, which is gone; it is `lib/core/app2.py` now" in moved.message
    assert "`src/old.py`" in gone.message
    assert "2024-03-05, “tidy up”" in gone.because


PARSER = 'parser.add_argument("--jobs", default="auto")\nparser.add_argument("--keep")\n'


@pytest.mark.parametrize(
    ("sentence", "after", "kind", "said"),
    [
        ("`--jobs` is auto by default.", PARSER.replace("auto", "many"), "changed-code", '`--jobs default="many"`'),
        ("Set `APP_HOME` first.", "", "gone-code", "`APP_HOME`, which the code does not have"),
        ("Don't tidy up with `--keep`.", PARSER.replace("--keep", "--leave") + "keep = 1\n", "gone-code", "`--keep`"),
        ("What it loads is in `primes.json`.", PARSER, "gone-code", "The file src/primes.json is gone."),
    ],
)
def test_what_a_page_says_of_flags_files_and_variables(tmp_path: Path, sentence: str, after: str, kind: str, said: str):
    code = PARSER + 'HOME = "APP_HOME"\nkeep = 1\n'
    files = {"src/app.py": code, "src/primes.json": "{}", "docs/guide.md": f"# Guide\n\n{sentence}\n"}
    commit(tmp_path, files, "begin", day=1)
    commit(tmp_path, {"src/app.py": after, "src/primes.json": None}, "rework", day=9)
    [finding] = found(tmp_path, kind)
    assert said in finding.message
    assert "2024-03-01" in finding.because


@pytest.mark.parametrize(
    "sentence",
    ["`--jobs` may be auto or many.", "`--jobs` was auto before.", "Run `other --keep` for it.", "Use `--jobs`."],
)
def test_what_a_page_may_still_say_of_flags(tmp_path: Path, sentence: str):
    commit(tmp_path, {"src/app.py": PARSER, "docs/guide.md": f"# Guide\n\n{sentence}\n"}, "begin", day=1)
    commit(tmp_path, {"src/app.py": PARSER.replace("auto", "many")}, "rework", day=9)
    assert found(tmp_path, "changed-code") == found(tmp_path, "gone-code") == []


@pytest.mark.parametrize(
    ("sentence", "old", "new", "said"),
    [
        (
            "`TIMEOUT_SECONDS` is 30 by default.",
            "SECONDS = 30",
            "SECONDS = 60",
            "30 of `TIMEOUT_SECONDS`; the code says 60",
        ),
        ("`fetch_page` tries 3 retries.", "retries=3", "retries=5", "3 of retries of `fetch_page`; the code says 5"),
        ("Say `fetch_page(url, retries=9)`.", ", retries=3", "", "passes `retries` to `fetch_page`"),
    ],
)
def test_a_value_that_changed(tmp_path: Path, sentence: str, old: str, new: str, said: str):
    story(tmp_path, sentence, CODE.replace(old, new))
    [finding] = found(tmp_path, "changed-code")
    assert said in finding.message
    assert finding.place.text == sentence
    assert "2024-03-09, “rework”" in finding.because
    assert finding.evidence[1].path == "src/app.py"


@pytest.mark.parametrize(
    ("sentence", "after"),
    [
        ("`TIMEOUT_SECONDS` is 30 by default.", "# A comment.\n" + CODE),
        ("`TIMEOUT_SECONDS` is 30 by default.", CODE.replace("retries=3", "retries=5")),
        ("`TIMEOUT_SECONDS` may be 30 or 60.", CODE.replace("= 30", "= 60")),
        ("`TIMEOUT_SECONDS` was 30 in the old version.", CODE.replace("= 30", "= 60")),
        ("`fetch_page` handles 3 pages.", CODE.replace("retries=3", "retries=5")),
        ("Say `fetch_page(url, retries=9)`.", CODE.replace("retries=3", "**options")),
    ],
)
def test_a_change_that_the_sentence_does_not_speak_of(tmp_path: Path, sentence: str, after: str):
    story(tmp_path, sentence, after)
    assert found(tmp_path, "changed-code") == []
