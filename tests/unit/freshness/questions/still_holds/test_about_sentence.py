"""The material of `still-holds`: the sentence with its paragraph, what it names before and after, and the diff."""

from cairn.freshness.questions.still_holds.about_sentence import ChangedCode, NamedSentence, question_about

PAGE = """# Client

Read this first.

## Timeouts

`connect` waits 30 seconds for an answer
unless you pass `timeout`.

Another paragraph.
"""
BEFORE = "import os\n\n\ndef connect(host, timeout=30):\n    return Session(host, timeout)\n\n\n" + "x = 1\n" * 40
AFTER = BEFORE.replace("timeout=30", "timeout=10").replace("import os", "import sys")


def asked(sentence: str = "`connect` waits 30 seconds for an answer", named: str = "connect", **code: str) -> dict:
    given = {"path": "client.py", "before": BEFORE, "after": AFTER, **code}
    changed = ChangedCode(given["path"], given["before"].encode(), given["after"].encode())
    made = question_about(NamedSentence("docs/client.md", PAGE, 7, sentence, named), changed, change="3f2a91c")
    assert made.subject == "change:3f2a91c:docs/client.md:7"
    return dict(made.input)


def test_a_sentence_stands_with_its_headings_and_its_paragraph() -> None:
    found = asked()
    assert found["heading"] == "Client > Timeouts"
    assert found["paragraph"] == "`connect` waits 30 seconds for an answer\nunless you pass `timeout`."


def test_a_definition_is_shown_before_and_after() -> None:
    code = asked()["code"]
    assert code["before"] == "def connect(host, timeout=30):\n    return Session(host, timeout)"
    assert code["after"].startswith("def connect(host, timeout=10):")
    assert "-def connect(host, timeout=30):\n+def connect(host, timeout=10):" in code["diff"]


def test_a_name_that_nothing_defines_is_shown_where_it_stands() -> None:
    code = asked(named="Session")["code"]
    assert code["before"] == "" and "Session(host, timeout)" in code["diff"], "the diff shows it already"
    code = asked(named="Session", after=BEFORE.replace("import os", "import sys"), before=BEFORE)["code"]
    assert "return Session(host, timeout)" in code["before"]


def test_of_a_large_diff_the_hunks_with_the_name_come_first() -> None:
    lines = [f"value_{number} = {number}" for number in range(3_000)]
    before = "\n".join([*lines, "def connect(): return 1"])
    after = "\n".join(
        [
            *(line.replace("= ", "=") if at % 20 == 0 else line for at, line in enumerate(lines)),
            "def connect(): return 2",
        ]
    )
    diff = asked(before=before, after=after)["code"]["diff"]
    assert "+def connect(): return 2" in diff and len(diff) < 12_001


def test_a_deleted_file_has_nothing_after() -> None:
    code = asked(after="")["code"]
    assert code["after"] == "" and "-def connect(host, timeout=30):" in code["diff"]
