"""What a file is, its names, and which of them the host keeps for itself."""

from typing import Any

import pytest

from cairn.core.model.graph import ProviderClaim
from cairn.graph.classify import Name, Providers, classify_file
from cairn.plugin import KindSpec
from unit.graph.tiny import bundle, provider, registry_of


def lens(active: str | None = None, **providers: Any) -> Providers:
    return Providers(
        registry_of(bundle("m", {f"provider/{id}": made for id, made in providers.items()})).providers, active
    )


def inside(folder: str, **more: Any) -> Any:
    return provider(folder, "agent", claims=lambda path: path.startswith(f".{folder}/"), gated=True, **more)


HOSTS = {"one": inside("one"), "two": inside("two"), "plain": provider("plain")}

# path, active provider, what it is
GATES = [
    (".one/a.md", None, ("one", "agent")),
    (".one/a.md", "one", ("one", "agent")),
    (".one/a.md", "two", ("plain", "page")),
    (".two/a.md", None, ("two", "agent")),
    ("a.md", "one", ("plain", "page")),
]


@pytest.mark.parametrize(("path", "active", "expected"), GATES)
def test_a_gated_provider_counts_while_it_is_active_or_none_is(path: str, active: str | None, expected: Any):
    seen = lens(active, **HOSTS)
    found = classify_file(path, {}, seen.claims(path, {}), seen)
    assert (found.provider, found.kind) == expected


def test_every_claim_is_kept_whoever_is_active():
    assert lens("two", **HOSTS).claims(".one/a.md", {}) == (
        ProviderClaim("one", "agent"),
        ProviderClaim("plain", "page"),
    )


def test_a_file_that_nobody_claims_is_in_no_view():
    seen = lens("two", one=inside("one"))
    found = classify_file(".one/a.md", {}, seen.claims(".one/a.md", {}), seen)
    assert (found.kind, found.provider, found.names, found.reserved) == (None, None, (), False)


def test_roots_and_endings_are_enforced_without_regard_to_case():
    seen = lens(p=provider("p", roots=("Docs/",), extensions=(".MD", ".toml")))
    claimed = [
        path for path in ("docs/a.md", "DOCS/A.MD", "docs/a.toml", "docs/a.txt", "a.md") if seen.claims(path, {})
    ]
    assert claimed == ["docs/a.md", "DOCS/A.MD", "docs/a.toml"]


def test_the_first_provider_that_wants_a_file_says_how_it_is_read():
    seen = lens(a=provider("a"), b=provider("b", extensions=(".toml",), parser="toml"))
    assert [seen.parser(path) for path in ("x.md", "x.TOML", "x.txt")] == [
        "frontmatter-yaml",
        "toml",
        "frontmatter-yaml",
    ]


def raising(error: BaseException) -> Any:
    def claims(path: str) -> bool:
        if path == "bad.md":
            raise error
        return True

    return provider("odd", claims=claims)


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(1), RecursionError()])
def test_a_provider_that_fails_claims_nothing_and_is_named(error: BaseException):
    seen = lens(odd=raising(error), plain=provider("plain"))
    assert seen.claims("bad.md", {}) == (ProviderClaim("plain", "page"),)
    assert seen.claims("good.md", {})[0] == ProviderClaim("odd", "page")
    (failure,) = seen.failures
    assert (failure.extension, failure.version, failure.path) == ("m/odd", "1", "bad.md")
    assert type(error).__name__ in failure.message


def test_a_kind_must_be_declared():
    odd = provider("odd")
    odd.classify = lambda path, frontmatter: "surprise"
    seen = lens(odd=odd)
    assert seen.claims("a.md", {}) == ()
    assert seen.failures[0].message == "it said kind `surprise`, which its manifest does not declare"


# identifiers, path, frontmatter, names
NAMING: list[tuple[tuple[str, ...], str, dict[str, Any], list[tuple[str, str]]]] = [
    (("frontmatter.name",), "a.md", {"name": "My-Agent"}, [("my agent", "name")]),
    (("frontmatter.name",), "a.md", {}, []),
    (("frontmatter.name",), "a.md", {"name": 3}, []),
    (("frontmatter.name",), "a.md", {"name": " "}, []),
    (("filename-basename",), "x/Big_File.md", {}, [("big file", "file")]),
    (("dirname",), "skills/Bake/SKILL.md", {}, [("bake", "dir")]),
    (("frontmatter.name", "dirname"), "skills/bake/SKILL.md", {"name": "Bake"}, [("bake", "name")]),
    (("frontmatter.name", "filename-basename"), "b.md", {"name": "a"}, [("a", "name"), ("b", "file")]),
    ((), "b.md", {"name": "a"}, []),
]


def test_prefix_stands_before_each_name():
    spec = KindSpec(label="l", color="#fff", identifiers=("frontmatter.name", "filename-basename"), prefix="agent-")
    seen = lens(p=provider("p", spec=spec))
    front = {"name": "agent-b"}
    names = classify_file("b.md", front, seen.claims("b.md", front), seen).names
    assert {(name.name, name.origin) for name in names} == {
        ("agent b", "name"),
        ("b", "file"),
        ("agent agent b", "space"),
        ("[[b", "page"),
    }


@pytest.mark.parametrize(("identifiers", "path", "frontmatter", "names"), NAMING)
def test_names(identifiers: Any, path: str, frontmatter: dict[str, Any], names: Any):
    seen = lens(p=provider("p", spec=KindSpec(label="l", color="#fff", identifiers=identifiers)))
    *found, page = classify_file(path, frontmatter, seen.claims(path, frontmatter), seen).names
    assert found == [Name(*name) for name in names]
    assert page.origin == "page"


HELP = {"reserved_names": {"agent": frozenset({"help me"})}}
# node's provider, active provider, reserved?
RESERVED = [
    ("the own host keeps it", "host", "host", True),
    ("also while nobody is active", "host", None, True),
    ("a shared file under the active host's catalog", "shared", "host", True),
    ("a shared file while nobody is active", "shared", None, False),
    ("a shared file under a host without such a catalog", "shared", "other", False),
]


@pytest.mark.parametrize(("mine", "active", "reserved"), [r[1:] for r in RESERVED], ids=[r[0] for r in RESERVED])
def test_reserved_names_in_both_scopes(mine: str, active: str | None, reserved: bool):
    kinds = {
        "host": inside("host", **HELP),
        "other": inside("other"),
        "shared": provider("shared", "agent", claims=lambda path: path.startswith(".shared/")),
    }
    seen = lens(active, **kinds)
    path = f".{mine}/a.md"
    for name, expected in (("Help-Me", reserved), ("fine", False)):
        frontmatter = {"name": name}
        assert classify_file(path, frontmatter, seen.claims(path, frontmatter), seen).reserved is expected


def test_another_gated_hosts_file_is_not_measured_by_the_active_one():
    seen = lens("host", host=inside("host", **HELP), other=provider("other", "agent", gated=True))
    found = classify_file("x.md", {"name": "help me"}, (ProviderClaim("other", "agent"),), seen)
    assert not found.reserved


def test_a_wikilink_name_is_not_reserved():
    seen = lens("host", host=provider("host", "agent", spec=KindSpec(label="l", color="#fff"), **HELP))
    assert not classify_file("help me.md", {}, seen.claims("help me.md", {}), seen).reserved
