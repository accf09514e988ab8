"""`cairn.lock`."""

import json
import subprocess
from pathlib import Path

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cairn.core.schemas
from cairn.core.model.knowledge import EntryStatus, Source, Volatility
from cairn.errors import ConfigError
from cairn.knowledge.lockfile import ATTRIBUTES, Lock, PageRecord, lock_value, parse_lock, render_lock
from program import clean_env

HASH = "sha256:" + "a1" * 32
PAGE = PageRecord(
    "2026-06-05",
    EntryStatus.ALPHA,
    Volatility.FAST_MOVING,
    (
        Source("path", "src/app.py", "connect", hash=HASH),
        Source("url", "https://a.example/b", "#c", "2026-06-04", HASH, HASH, 1),
    ),
)
TEXT = f"""\
docs/a.md  reviewed  2026-06-05
docs/a.md  status  alpha
docs/a.md  volatility  fast-moving
docs/a.md  source  path=src/app.py  anchor=connect  hash={HASH}
docs/a.md  source  url=https://a.example/b  anchor=#c  hash={HASH}  raw={HASH}  canon=1  retrieved=2026-06-04
"""


def test_one_page_a_block_and_one_fact_a_line():
    header, *rest = render_lock(Lock({"z.md": PageRecord("2026-01-01"), "docs/a.md": PAGE})).partition("\n\n")
    assert header.startswith("# cairn.lock 1: ")
    assert "".join(rest) == f"\n\n{TEXT}\nz.md  reviewed  2026-01-01\n"
    assert parse_lock(TEXT).pages == {"docs/a.md": PAGE}


def test_a_page_of_which_nothing_is_known_has_no_block():
    assert "a.md" not in render_lock(Lock({"a.md": PageRecord()}))


@pytest.mark.parametrize("text", ["", "\n\n", "# cairn.lock 1: x\n", "\ufeff# cairn.lock 1", "# any remark\n"])
def test_nothing_is_known(text):
    assert parse_lock(text) == Lock()


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
days = st.dates().map(lambda day: day.isoformat())
sources = st.builds(
    Source,
    st.sampled_from(["url", "path"]),
    names,
    st.none() | names,
    st.none() | days,
    st.none() | names,
    st.none() | names,
    st.none() | st.integers(1, 99),
)
words = st.text("abcxyz_-", min_size=1).filter(lambda word: word not in ("source", "reviewed", "status", "volatility"))
records = st.builds(
    PageRecord,
    st.none() | days,
    st.none() | st.sampled_from(EntryStatus),
    st.none() | st.sampled_from(Volatility),
    st.lists(sources, max_size=3, unique_by=lambda source: source.reference).map(
        lambda found: tuple(sorted(found, key=lambda s: (s.kind, s.target, s.anchor or "")))
    ),
    st.lists(st.tuples(words, st.lists(names, min_size=1, max_size=2).map(tuple)), max_size=2, unique=True).map(
        lambda facts: tuple(sorted(facts))
    ),
)


@given(st.dictionaries(names, records, max_size=4))
def test_what_is_written_reads_back_whatever_is_in_it(pages):
    known = {path: record for path, record in pages.items() if record.known}
    text = render_lock(Lock(pages))
    assert parse_lock(text).pages == known
    assert parse_lock(text.replace("\n", "\r\n")).pages == known
    assert render_lock(parse_lock(text)) == text
    schema = json.loads((Path(cairn.core.schemas.__path__[0]) / "lock.schema.json").read_text())
    jsonschema_rs.validator_for(schema).validate(json.loads(json.dumps(lock_value(Lock(known)))))


@given(st.text(max_size=80) | st.lists(st.sampled_from(TEXT.split()), max_size=9).map("  ".join))
def test_no_text_crashes_it(text):
    try:
        parse_lock(text)
    except ConfigError as problem:
        assert problem.message.startswith("cairn.lock, line ")


def test_what_this_version_does_not_know_is_kept():
    text = "a.md  owner  anna  ben\na.md  source  url=https://a.example  etag=x  hash=h\n"
    record = parse_lock(text).pages["a.md"]
    assert record.extra == (("owner", ("anna", "ben")),)
    again = render_lock(Lock({"a.md": record}))
    assert "a.md  owner  anna  ben\n" in again
    assert "a.md  source  url=https://a.example  hash=h  etag=x\n" in again


BROKEN = {
    "merge conflict": ("a  reviewed  2026-01-01\n<<<<<<< HEAD\n", "line 2", "keep the lines of both sides"),
    "rest of a conflict": (
        "a  reviewed  2026-01-01\n\n=======\n",
        "line 3",
        "`cairn.lock merge=union` in .gitattributes",
    ),
    "newer": ("# cairn.lock 2: x\n", "line 1", "newer Cairn"),
    "no fact": ("docs/a.md\n", "line 1", "no fact"),
    "open quote": ('"docs/a.md  reviewed  2026-01-01\n', "line 1", "no fact"),
    "bad escape": ('"a\\q"  reviewed  2026-01-01\n', "line 1", "no fact"),
    "no day": ("a  reviewed  2026-02-30\n", "line 1", "2026-06-05"),
    "no status": ("a  status  great\n", "line 1", "quarantined"),
    "no volatility": ("a  volatility  often\n", "line 1", "fast-moving"),
    "source of nothing": ("a  source  hash=x\n", "line 1", "`url=` or `path=`"),
    "canon": ("a  source  url=x  canon=one\n", "line 1", "whole number"),
    "two statuses": ("a  status  alpha\na  status  beta\n", "line 2", "two things about `status` of `a`"),
    "two values": ("a  status  alpha  beta\n", "line 1", "more than one"),
    "two days in a line": ("a  reviewed  2026-01-01  2026-01-02\n", "line 1", "more than one"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_right_is_one_sentence_with_the_line(name):
    text, line, said = BROKEN[name]
    with pytest.raises(ConfigError) as refused:
        parse_lock(text)
    message = refused.value.message
    assert message.startswith(f"cairn.lock, {line}: ")
    assert said in message
    assert "\n" not in message


def test_the_same_line_twice_does_no_harm():
    assert parse_lock(TEXT + TEXT).pages == {"docs/a.md": PAGE}


# --- merging --------------------------------------------------------------------------------------------------------

SAME = PageRecord("2026-06-05", EntryStatus.ALPHA, Volatility.EVOLVING)
MERGES = {
    "far apart": (["m.md", "n.md"], ["a.md"], ["z.md"], False),
    "side by side": (["a.md", "z.md"], ["c.md"], ["d.md"], True),
    "many between": (["a.md", "z.md"], ["c.md", "e.md", "g.md"], ["d.md", "f.md"], True),
    "into a new file": ([], ["a.md"], ["b.md"], True),
}


@pytest.mark.parametrize("name", MERGES)
def test_pages_that_two_people_add_are_merged_by_git(tmp_path, name):
    base, ours, theirs, union = MERGES[name]
    merged = merge(tmp_path, [lock_of(base), lock_of([*base, *ours]), lock_of([*base, *theirs])], union=union)
    assert merged.returncode == 0, merged.stdout
    text = (tmp_path / "cairn.lock").read_text()
    assert parse_lock(text).pages == dict.fromkeys(sorted([*base, *ours, *theirs]), SAME)


def test_neighbours_that_two_people_looked_at_are_merged_by_git(tmp_path):
    newer = PageRecord("2026-07-01", EntryStatus.BETA, Volatility.EVOLVING)
    states = [{"a.md": SAME, "b.md": SAME}, {"a.md": newer, "b.md": SAME}, {"a.md": SAME, "b.md": newer}]
    merged = merge(tmp_path, [Lock(state) for state in states], union=False)
    assert merged.returncode == 0, merged.stdout
    assert parse_lock((tmp_path / "cairn.lock").read_text()).pages == {"a.md": newer, "b.md": newer}


def test_of_two_looks_at_one_page_the_later_counts(tmp_path):
    def looked(day, digest):
        source = Source("path", "src/app.py", "connect", hash=f"sha256:{digest * 64}", retrieved=day)
        return PageRecord(day, EntryStatus.ALPHA, sources=(source,))

    ours, theirs = looked("2026-07-02", "a"), looked("2026-07-01", "b")
    states = [{"a.md": looked("2026-06-01", "c")}, {"a.md": ours}, {"a.md": theirs}]
    merged = merge(tmp_path, [Lock(state) for state in states], union=True)
    assert merged.returncode == 0, merged.stdout
    assert parse_lock((tmp_path / "cairn.lock").read_text()).pages == {"a.md": ours}


def test_the_file_is_named_as_it_lies():
    with pytest.raises(ConfigError, match=r"^docs/cairn\.lock, line 1: this file has a merge conflict"):
        parse_lock("<<<<<<< HEAD\n", "docs/cairn.lock")


def test_without_the_attribute_the_conflict_is_explained(tmp_path):
    merged = merge(tmp_path, [lock_of(["a.md", "z.md"]), lock_of("acz"), lock_of("adz")], union=False)
    assert merged.returncode == 1
    with pytest.raises(ConfigError, match="merge conflict"):
        parse_lock((tmp_path / "cairn.lock").read_text())


def lock_of(pages):
    return Lock(dict.fromkeys(pages, SAME))


def merge(folder, locks, *, union):
    """Base, ours and theirs, through a real repository."""
    base, ours, theirs = map(render_lock, locks)
    git(folder, "init", "--quiet", "--initial-branch=main")
    if union:
        (folder / ".gitattributes").write_text(ATTRIBUTES + "\n")
    commit(folder, base)
    git(folder, "branch", "theirs")
    commit(folder, ours)
    git(folder, "checkout", "--quiet", "theirs")
    commit(folder, theirs)
    git(folder, "checkout", "--quiet", "main")
    return git(folder, "merge", "--quiet", "--no-edit", "theirs", check=False)


def commit(folder, text):
    (folder / "cairn.lock").write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "A state")


def git(folder, *args, check=True):
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "core.autocrlf=false")
    return subprocess.run(
        ["git", *identity, *args], cwd=folder, env=clean_env(), check=check, capture_output=True, text=True
    )
