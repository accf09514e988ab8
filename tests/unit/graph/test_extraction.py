"""Sending extractors over a document, and what happens when one of them says what it must not."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from cairn.core.model.graph import ProviderClaim
from cairn.graph.extraction import MAX_SIGNALS, Crew, ExtractionResult, Name, Providers, classify_file
from cairn.lib.document.document import Document
from cairn.plugin import ExtractorContext, KindSpec, Precondition, View
from unit.graph.tiny import bundle, extractor, provider, registry_of

CHIP = View("card.footer.left", label="chip")
PANEL = View("inspector.body.panel.records")


def crew_of(**extractors: Any) -> Crew:
    return Crew(registry_of(bundle("m", {f"extractor/{id}": made for id, made in extractors.items()})).extractors)


def run(crew: Crew, body: str = "one\ntwo\nthree\n", claims: str = "p/page") -> tuple[ExtractionResult, list[str]]:
    return crew.run(Document("a.md", {}, body, 5), applicable(crew, claims))


def applicable(crew: Crew, claims: str) -> tuple[str, ...]:
    return crew.applicable(claims)


def link(ctx: ExtractorContext, **changes: Any) -> None:
    given: dict[str, Any] = {
        "kind": "references",
        "target": "b.md",
        "confidence": 0.5,
        "start": 4,
        "end": 7,
        "raw": "two",
        "original": "b",
        "normalized": "b.md",
        **changes,
    }
    ctx.emit_link(given.pop("kind"), given.pop("target"), given.pop("confidence"), **given)


def test_a_link_is_a_signal_with_one_reading():
    (signal,) = run(crew_of(x=extractor(link)))[0].signals
    assert (signal.scope, signal.start, signal.end, signal.line, signal.raw) == ("body", 4, 7, 6, "two")
    assert [(c.extractor, c.kind, c.target) for c in signal.candidates] == [("m/x", "references", "b.md")]


def test_a_signal_has_several_readings_and_a_field_has_a_path():
    def both(ctx: ExtractorContext) -> None:
        first = ctx.candidate("mentions", "@a", 0.4, original="@a", normalized="@a", by_name=True, rationale="looks so")
        second = ctx.candidate("references", "a.md", 0.3, original="@a", normalized="a.md")
        ctx.emit_signal(0, 3, "one", first, second)
        ctx.emit_field_link("references", "c.md", 0.9, field_path="tools[0]", original="c")

    body, field = run(crew_of(x=extractor(both)))[0].signals
    assert [c.kind for c in body.candidates] == ["mentions", "references"]
    assert (field.scope, field.field_path, field.line) == ("frontmatter", "tools[0]", 1)


def emits(view: Any, payload: Any = None) -> Callable[[ExtractorContext], None]:
    return lambda ctx: ctx.emit_contribution(view, {} if payload is None else payload)


def test_a_contribution_is_the_declared_object_or_its_key():
    ui = {"chip": CHIP, "panel": PANEL}
    for view in (CHIP, "chip"):
        (shown,) = run(crew_of(x=extractor(emits(view, {"value": 1}), ui=ui)))[0].contributions
        assert tuple(shown) == ("m/x", "chip", "card.footer.left", '{"value": 1}')


def field_link(ctx: ExtractorContext, **changes: Any) -> None:
    given: dict[str, Any] = {"kind": "references", "target": "b", "field_path": "f", "original": "b", **changes}
    ctx.emit_field_link(given["kind"], given["target"], 0.5, field_path=given["field_path"], original=given["original"])


NOT_DECLARED = "it emitted a contribution whose object is not one declared in its `ui` map"
NOT_JSON = "it gave a value that is not JSON"
BAD: list[tuple[str, Callable[[ExtractorContext], None], str]] = [
    ("a kind of link that does not exist", lambda ctx: link(ctx, kind="likes"), "`likes` is not a kind of link"),
    ("the same in the frontmatter", lambda ctx: field_link(ctx, kind="likes"), "`likes` is not a kind of link"),
    ("a signal without a reading", lambda ctx: ctx.emit_signal(0, 1, "o"), "a signal needs a candidate"),
    (
        "a signal with a wrong reading",
        lambda ctx: ctx.emit_signal(0, 1, "o", ctx.candidate("likes", "b", 0.5, original="b", normalized="b")),
        "`likes` is not a kind of link",
    ),
    ("a copy of a view", emits(copy.copy(CHIP)), NOT_DECLARED),
    ("a view made anew", emits(View("card.footer.left", label="chip")), NOT_DECLARED),
    ("an unknown key", emits("nothing"), NOT_DECLARED),
    ("a payload that is no JSON", emits("chip", {"x": object()}), NOT_JSON),
    ("not a number", emits("chip", {"x": float("nan")}), NOT_JSON),
    ("half a letter", emits("chip", {"x": "\ud83d"}), "it gave text that is not valid Unicode"),
    ("facts that are no JSON", lambda ctx: ctx.enrich_node({"x": {1, 2}}), NOT_JSON),
    ("no target", lambda ctx: link(ctx, target=None), "it gave None where text belongs"),
    ("a number for a target", lambda ctx: link(ctx, target=3), "it gave 3 where text belongs"),
    ("a target that cannot be written", lambda ctx: link(ctx, target="\udc80.md"), "not valid Unicode"),
    ("a raw text that cannot be written", lambda ctx: link(ctx, raw="\udc80"), "not valid Unicode"),
    ("too sure", lambda ctx: link(ctx, confidence=1.5), "a confidence is a number from 0 to 1, not 1.5"),
    ("sure in words", lambda ctx: link(ctx, confidence="high"), "TypeError"),
    ("nan", lambda ctx: link(ctx, confidence=float("nan")), "a confidence is a number from 0 to 1, not nan"),
    ("before the body", lambda ctx: link(ctx, start=-1), "the range -1–7 is not in the body"),
    ("behind the body", lambda ctx: link(ctx, end=10**20), "is not in the body"),
    ("backwards", lambda ctx: link(ctx, start=7, end=4), "the range 7–4 is not in the body"),
    ("data that is no JSON", lambda ctx: link(ctx, data={"x": object()}), NOT_JSON),
    ("a virtual node in the place of a file", lambda ctx: ctx.emit_node("b.md", "k", provider="p"), "`mcp://name`"),
    ("a field that is no text", lambda ctx: field_link(ctx, field_path=7), "it gave 7 where text belongs"),
    ("an error of its own", lambda ctx: [][1], "IndexError: list index out of range"),  # type: ignore[arg-type,return-value]
    ("the end of the program", lambda ctx: exit(3), "SystemExit: 3"),
]


@pytest.mark.parametrize(("extract", "sentence"), [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_one_that_fails_is_named_and_nothing_of_it_stays(extract: Callable[[ExtractorContext], None], sentence: str):
    def talks_first(ctx: ExtractorContext) -> None:
        link(ctx)
        ctx.emit_contribution("chip", {})
        ctx.enrich_node({"a": 1})
        ctx.emit_node("mcp://x", "mcp", provider="p")
        extract(ctx)

    crew = crew_of(
        before=extractor(link), odd=extractor(talks_first, version="3", ui={"chip": CHIP}), after=extractor(link)
    )
    out, sound = run(crew)
    assert [s.candidates[0].extractor for s in out.signals] == ["m/before", "m/after"]
    assert (out.contributions, out.enrichments, out.virtuals) == ([], [], [])
    assert sound == ["m/before@1", "m/after@1"]
    (failure,) = crew.failures
    assert (failure.extension, failure.version, failure.path) == ("m/odd", "3", "a.md")
    assert sentence in failure.message


def test_a_persons_interrupt_ends_it():
    def interrupted(ctx: ExtractorContext) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(crew_of(x=extractor(interrupted)))


def test_only_extractors_for_the_files_kinds_run():
    crew = crew_of(
        agents=extractor(link, precondition=Precondition(kind=("p/agent",))),
        any=extractor(link),
        host=extractor(link, precondition=Precondition(provider=("other",))),
    )
    assert run(crew, claims="p/page")[1] == ["m/any@1", "m/host@1"]
    assert run(crew, claims="q/page p/agent")[1] == ["m/agents@1", "m/any@1", "m/host@1"]


def test_settings_reach_the_extractor():
    from cairn.core.registry import ExtensionSwitches
    from cairn.plugin import Setting

    seen: list[Any] = []
    made = extractor(lambda ctx: seen.append(dict(ctx.settings)), settings={"n": Setting("integer", "N", 1)})
    registry = registry_of(bundle("m", {"extractor/x": made}), switches=ExtensionSwitches(settings=lambda *_: {"n": 2}))
    run(Crew(registry.extractors))
    assert seen == [{"n": 2}]


def one_signal(ctx: ExtractorContext) -> None:
    ctx.emit_signal(0, 3, "one", ctx.candidate("mentions", "@a", 0.4, original="@a", normalized="@a"))


@pytest.mark.parametrize("emit", [link, field_link, one_signal])
def test_an_extractor_that_does_not_stop_is_stopped_and_the_others_have_their_say(emit: Callable[..., None]):
    def endless(ctx: ExtractorContext) -> None:
        while True:
            emit(ctx)

    crew = crew_of(endless=extractor(endless), calm=extractor(link))
    out, sound = run(crew)
    assert out.cut
    assert len(out.signals) == MAX_SIGNALS + 1
    assert {signal.candidates[0].extractor for signal in out.signals[MAX_SIGNALS:]} == {"m/calm"}
    assert (len(sound), crew.failures) == (2, [])
    assert not run(crew_of(calm=extractor(link)))[0].cut


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
