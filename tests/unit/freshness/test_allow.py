"""One more place on the allowlist: its form, what it overlaps with, and the file with everything else as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.errors import CairnError
from cairn.freshness.allow import address_of, name_of, refuse_overlap, wanted_place, with_place
from cairn.knowledge.allowlist import Allowlist, packed_text, parse_allowlist

LIST = """# ours
hosts:
  # the standards
  - {host: ietf.org/rfc, category: standards}  # and no other part
  - {host: w3.org, category: standards}

  - {host: docs.example.org, category: tooling}
# repositories
github_repos:
  - astral-sh/ruff
"""


@pytest.mark.parametrize(
    ("text", "name", "address"),
    [
        ("Docs.Python.org", "docs.python.org", "https://docs.python.org"),
        ("www.python.org", "python.org", "https://python.org"),
        ("ietf.org/rfc/", "ietf.org/rfc", "https://ietf.org/rfc"),
        ("astral-sh/ruff.git", "astral-sh/ruff", "https://github.com/astral-sh/ruff"),
    ],
)
def test_forms(text: str, name: str, address: str) -> None:
    place = wanted_place(text, "tooling")
    assert (name_of(place), address_of(place)) == (name, address)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "https://example.org",
        "example.org:8080",
        "a b.org",
        "*.example.org",
        "python",
        "a/b/c",
        "x.org/a?b",
        "u@x.org",
    ],
)
def test_what_is_no_place(text: str) -> None:
    with pytest.raises(CairnError, match="neither a host nor a repository"):
        wanted_place(text, "tooling")


@pytest.mark.parametrize("category", ["", "Web", "a b", "-a", "ä"])
def test_what_is_no_category(category: str) -> None:
    with pytest.raises(CairnError, match="no category"):
        wanted_place("example.org", category)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("w3.org", "already, as standards"),
        ("astral-sh/Ruff", "already"),
        ("drafts.w3.org", "covers"),
        ("w3.org/TR", "covers"),
        ("ietf.org/rfc/old", "covers"),
        ("example.org", "would also cover"),
        ("ietf.org", "would also cover"),
        ("github.com", "would also cover"),
    ],
)
def test_overlaps_are_refused(text: str, said: str) -> None:
    with pytest.raises(CairnError, match=said):
        refuse_overlap(parse_allowlist(LIST), wanted_place(text, "tooling"))


@pytest.mark.parametrize("text", ["ietf.org/archive", "ietf.org/rfcfoo", "astral-sh/uv", "notw3.org", "example.com"])
def test_neighbours_are_no_overlaps(text: str) -> None:
    refuse_overlap(parse_allowlist(LIST), wanted_place(text, "tooling"))


@pytest.mark.parametrize("start", [LIST, packed_text(), LIST.replace("{host: w3.org, category: standards}", "w3.org")])
@pytest.mark.parametrize("text", ["example.com", "example.com/a", "owner/name"])
def test_everything_else_stays_as_it_was(start: str, text: str) -> None:
    place = wanted_place(text, "tooling")
    after = with_place(start, place, name="a.yaml")
    known = parse_allowlist(after)
    assert known.places == [*parse_allowlist(start).rules, *([place] if "." in text else []), *known.repository_rules]
    assert place in known.places
    lines = iter(after.splitlines())
    assert all(any(line == other for other in lines) for line in start.splitlines()), "lines stay, and in order"
    assert len(after.splitlines()) - len(start.splitlines()) <= 2


def test_a_new_file_starts_with_what_it_is_for() -> None:
    after = with_place("", wanted_place("example.com", "other"), name="a.yaml")
    assert after.startswith("# Hosts") and after.endswith("hosts:\n  - example.com\n")
    again = with_place(after, wanted_place("owner/name", "tooling"), name="a.yaml")
    assert [name_of(place) for place in parse_allowlist(again).places] == ["example.com", "owner/name"]


@given(st.lists(st.sampled_from(["a.org", "b.org/x", "c.d.org", "me/it", "you/that"]), unique=True, max_size=5))
def test_one_after_the_other(names: list[str]) -> None:
    text = ""
    for name in names:
        place = wanted_place(name, "tooling")
        refuse_overlap(parse_allowlist(text) if text else Allowlist(), place)
        text = with_place(text, place, name="a.yaml")
    found = {name_of(place) for place in parse_allowlist(text).places} if text else set()
    assert found == set(names)
