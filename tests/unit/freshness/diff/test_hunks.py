"""The difference of two texts in hunks, and which of them speak about a sentence."""

import pytest

from cairn.freshness.diff.hunks import Hunk, HunkRanking, SentenceTerms, hunks_of, shown_definition, shown_hunk

OLD = "\n".join(f"line {n}" for n in range(1, 41))
NEW = OLD.replace("line 5\n", "line five\n").replace("line 30\n", "line 30\nline 30b\n")


def test_hunks_have_the_lines_of_both_sides() -> None:
    first, second = hunks_of("a.py", OLD, NEW)
    assert first.head == "@@ -2,7 +2,7 @@" and second.head == "@@ -28,6 +28,7 @@"
    assert first.changed == ["-line 5", "+line five"] and second.changed == ["+line 30b"]
    assert first.changes(5, 0) and not first.changes(9, 9) and second.changes(0, 31) and not second.changes(0, 0)


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [("", "a\nb", ["+a", "+b"]), ("a\nb", "", ["-a", "-b"]), ("a", "a", []), ("", "", [])],
)
def test_a_file_that_came_or_went_is_one_hunk(old: str, new: str, lines: list[str]) -> None:
    assert [line for hunk in hunks_of("a.py", old, new) for line in hunk.lines] == lines


def hunk(path: str, *lines: str) -> Hunk:
    return Hunk(path, 1, 1, lines)


def ranked(*hunks: Hunk, names: str = "", words: str = "", around: str = "", followed: str = "") -> list[str]:
    named = frozenset(f"={name}" for name in names.split())
    terms = SentenceTerms(named, frozenset(words.split()), frozenset(around.split()))
    ranking = HunkRanking(hunks)
    return [one.path for one in ranking.ranked(terms.weighed({f"={name}" for name in followed.split()}))]


USES = hunk("app.py", "-    wait(timeout)", "+    wait(limit)")
SETS = hunk("settings.py", "-MAX_RETRIES = 3", "+MAX_RETRIES = 5")
SPEAKS = hunk("pool.py", " def drain():", '-    warn("sockets are closed")', '+    warn("sockets stay open")')
OTHER = hunk("other.py", "-colour = 1", "+colour = 2")


@pytest.mark.parametrize(
    ("given", "paths"),
    [
        pytest.param({"names": "maxretries"}, ["settings.py"], id="a name, however it is written"),
        pytest.param({"words": "socket closed"}, ["pool.py"], id="two words"),
        pytest.param({"words": "socket"}, [], id="one word"),
        pytest.param({"around": "socket closed"}, [], id="words of the paragraph only"),
        pytest.param({"words": "socket", "names": "maxretries"}, ["settings.py"], id="a name and a word elsewhere"),
        pytest.param(
            {"words": "wait socket closed", "names": "timeout"}, ["app.py", "pool.py"], id="name before words"
        ),
    ],
)
def test_hunks_that_speak_about_the_sentence(given: dict[str, str], paths: list[str]) -> None:
    assert ranked(USES, SETS, SPEAKS, OTHER, **given) == paths


def test_names_that_changed_at_the_place_lead_on() -> None:
    rest = [hunk(f"{n}.py", f"+item{n} = 1") for n in range(3)]
    names = " ".join(("granted", "owner", "client", "grant"))
    made = hunk("grants.py", "-user_id = granted(owner, client, grant)", "+user_id = granted(owner, client, grant).id")
    assert ranked(made, *rest, words="granted") == [] and ranked(made, *rest, words="grante", followed=names) == [
        "grants.py"
    ]


def test_lines_that_only_moved_count_for_nothing() -> None:
    gone = hunk("old.py", "-MAX_RETRIES = 3", "-def send(): pass")
    came = hunk("new.py", "+MAX_RETRIES = 3", "+def send(): pass")
    assert ranked(gone, came, names="maxretries") == []


def test_code_comes_before_its_test() -> None:
    tried = hunk("tests/test_settings.py", "-assert MAX_RETRIES == 3", "+assert MAX_RETRIES == 5")
    assert ranked(tried, SETS, names="maxretries") == ["settings.py", "tests/test_settings.py"]


WEIGHTS = SentenceTerms(frozenset({"=maxretries"}), frozenset(), frozenset()).weighed()
LONG = [f" filler_{n} = {n}" for n in range(100)]


def test_of_a_long_hunk_the_lines_around_the_words_are_shown() -> None:
    long = hunk("a.py", *LONG[:50], "+MAX_RETRIES = 5", *LONG[50:])
    shown = shown_hunk(long, WEIGHTS, 300, "Client").split("\n")
    assert shown[0] == f"{long.head} Client" and shown[1:] == [
        " […]", *LONG[46:50], "+MAX_RETRIES = 5", *LONG[50:54], " […]",
    ]  # fmt: skip
    assert len(shown_hunk(hunk("a.py", *LONG), WEIGHTS, 300)) < 350, "nothing tells, so it is cut"


def test_of_a_long_definition_its_start_is_shown_too() -> None:
    lines = ["def start():", *LONG, " MAX_RETRIES = 5"]
    shown = shown_definition(lines, WEIGHTS, 500).split("\n")
    assert shown[:8] == lines[:8] and shown[-6:] == [" […]", *LONG[-4:], " MAX_RETRIES = 5"]
    assert shown_definition(lines[:3], WEIGHTS, 500) == "\n".join(lines[:3])
