"""`cairn search`."""

import os
import pty
import sqlite3

import pytest

import garden
from program import cairn, clean_env, command_line, fits_schema

FILES = {
    **garden.FILES,
    "docs/roses.md": "---\ntags: [green]\nstatus: alpha\ntype: lesson\n---\n# Roses\n\n## In winter\n\nPrune the "
    "roses in February, before the **buds** open.\nCover the roots with straw.\n",
    "docs/poison.md": "---\nstatus: quarantined\n---\n# Berries\n\nEat every berry.\n",
    "docs/中文.md": "# 浇水\n\n夏天每天早上浇水。\n",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    return garden.make(tmp_path_factory.mktemp("garden"), FILES)


def hits(ran):
    return [hit["path"] for hit in ran.json()["hits"]]


@pytest.mark.parametrize(
    ("args", "path"),
    [
        (("when do I cover the roses?",), "docs/roses.md"),
        (("when", "do", "I", "cover", "roses"), "docs/roses.md"),
        (('"before the buds"',), "docs/roses.md"),
        (("stra*",), "docs/roses.md"),
        (("roses -berry",), "docs/roses.md"),
        (("roses", "--type", "lesson", "--status", "alpha", "--tag", "green", "--path", "docs/"), "docs/roses.md"),
        (("roses type:lesson path:docs/*",), "docs/roses.md"),
        (("浇水",), "docs/中文.md"),
        (("who grows things", "--kind", "agent,command"), ".claude/agents/gardener.md"),
    ],
)
def test_what_is_found_first(workspace, args, path):
    ran = cairn("search", *args, "--json", cwd=workspace)
    assert (ran.code, ran.err) == (0, "")
    fits_schema(ran.json(), "search")
    assert ran.json()["fits"] is True
    assert hits(ran)[0] == path


def test_a_hit_names_place_heading_and_passage(workspace):
    ran = cairn("search", "cover roses", cwd=workspace / "docs")
    first, banner, passage, *_ = ran.out.splitlines()
    assert first == "docs/roses.md:10  Roses › In winter  lesson"
    assert banner.strip() == "This is new, or has changed; nobody has confirmed it yet."
    assert passage.strip() == "Prune the **roses** in February, before the buds open. **Cover** the roots with straw."
    hit = cairn("search", "cover roses", "--json", cwd=workspace).json()["hits"][0]
    marked = [hit["excerpt"][start:end] for start, end in hit["marks"]]
    assert (hit["line"], hit["heading"], marked) == (10, "In winter", ["roses", "Cover"])
    assert hit["trust"]["status"] == "alpha"


def test_nothing_fits_is_said_on_stdout(workspace):
    ran = cairn("search", "-q", "repair the roses of a diesel engine", cwd=workspace)
    assert ran.code == 0
    assert ran.out.startswith("Nothing here fits well; this comes closest:\ndocs/roses.md")
    as_json = cairn("search", "repair the roses of a diesel engine", "--json", cwd=workspace).json()
    assert as_json["fits"] is False
    none = cairn("search", "-q", "submarine", cwd=workspace)
    assert (none.code, none.out) == (0, "Nothing here has any of these words.\n")
    filtered = cairn("search", "-q", "roses", "--kind", "agent", cwd=workspace)
    assert filtered.out == "Nothing that passes the filters has any of these words.\n"


def test_what_is_in_quarantine_is_never_shown(workspace):
    ran = cairn("search", "eat every berry", cwd=workspace)
    assert "poison" not in ran.out
    assert "1 in quarantine, not shown" in ran.err
    assert cairn("search", "berry", "--all", "--json", cwd=workspace).json()["withheld"] == 1


def test_why_it_is_first(workspace):
    ran = cairn("search", "cover tulips", "--explain", cwd=workspace)
    assert "score " in ran.out
    assert "tulips: weight" in ran.out
    assert "not here" in ran.out
    as_json = cairn("search", "cover tulips", "--explain", "--json", cwd=workspace).json()
    fits_schema(as_json, "search")
    assert [found["shown"] for found in as_json["hits"][0]["explanation"]["found"]] == ["cover", "tulips"]


WRONG = {
    "operators only": (("( * ^ ) --",), "There is no word in the query"),
    "only to leave out": (("--", "-roses"), "only says what to leave out"),
    "only a filter": (("kind:agent",), "only has filters"),
    "kind": (("roses", "--kind", "agnet"), "there is no kind 'agnet' here; did you mean 'agent'?"),
    "tag": (("roses", "--tag", "gren"), "there is no tag 'gren' here; did you mean 'green'?"),
    "status": (("roses status:alhpa",), "there is no status 'alhpa' here; did you mean 'alpha'?"),
    "limit": (("roses", "--limit", "0"), "--limit"),
    "no query": ((), "QUERY"),
}


@pytest.mark.parametrize(("args", "sentence"), WRONG.values(), ids=WRONG.keys())
def test_bad_queries_get_one_sentence(workspace, args, sentence):
    ran = cairn("search", *args, cwd=workspace)
    assert ran.code == 2
    assert sentence in ran.err
    assert ran.out == ""


def test_a_query_of_a_hundred_kilobytes_is_searched_by_its_beginning(workspace):
    ran = cairn("search", "roses " + "many words and more " * 5_000, cwd=workspace)
    assert ran.code == 0
    assert "note: the query is long" in ran.err
    assert "docs/roses.md" in ran.out


def test_it_scans_first_unless_told_not_to(tmp_path):
    root = garden.make(tmp_path)
    garden.write(root, {"docs/new.md": "# Nettles\n\nThey sting.\n"})
    assert hits(cairn("search", "nettles", "--no-scan", "--json", cwd=root)) == []
    assert hits(cairn("search", "nettles", "--json", cwd=root)) == ["docs/new.md"]
    file = root / "docs/new.md"
    file.write_text("# Nettles\n\nThey sting a lot.\n")
    os.utime(file, (4_000_000_000, 4_000_000_000))
    ran = cairn("search", "nettles", "--no-scan", cwd=root)
    assert "docs/new.md has changed since the last scan" in ran.err
    assert cairn("search", "nettles", "--no-scan", "--json", cwd=root).json()["changedSinceScan"] == ["docs/new.md"]


def test_without_a_scan_it_says_what_to_do(tmp_path):
    garden.write(tmp_path, {".cairn/settings.json": "{}", "a.md": "# A\n"})
    ran = cairn("search", "a", "--no-scan", cwd=tmp_path)
    assert (ran.code, "run `cairn scan` first" in ran.err) == (2, True)
    nowhere = cairn("search", "a", cwd=tmp_path.parent, HOME=str(tmp_path))
    assert nowhere.code == 2


def test_on_a_terminal_a_hit_has_lines_that_fit_and_bold_words(workspace):
    import fcntl
    import struct
    import subprocess
    import termios

    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    env = clean_env(TERM="xterm")
    done = subprocess.run(
        command_line("search", "-q", "cover roses"), cwd=workspace, env=env, stdout=child, stderr=subprocess.PIPE
    )
    os.close(child)
    shown = os.read(parent, 65536).decode()
    os.close(parent)
    assert done.returncode == 0
    assert "\x1b[1mroses\x1b[0m" in shown
    assert "**" not in shown
    from cairn.cli.width import width

    assert all(width(line) <= 60 for line in shown.splitlines())


def test_values_are_completed(workspace):
    import subprocess

    env = clean_env(_CAIRN_COMPLETE="bash_complete", COMP_WORDS="cairn search x --kind agent,c", COMP_CWORD="4")
    done = subprocess.run(command_line(), cwd=workspace, env=env, capture_output=True, text=True)
    assert "agent,command" in done.stdout


@pytest.mark.slow
def test_a_writer_does_not_keep_anybody_from_looking_something_up(workspace):
    holder = sqlite3.connect(workspace / ".cairn" / "cairn.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    ran = cairn("search", "roses", cwd=workspace)
    holder.close()
    assert (ran.code, "docs/roses.md" in ran.out) == (0, True)
    assert "note: another process is writing; searched as the last scan left it" in ran.err
