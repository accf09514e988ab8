"""Calls of a name that exists, but as something that cannot be called this way."""

from collections.abc import Iterator

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, Link, Severity

_CALLED = {"mentions": "mentioned with `@`", "invokes": "run with `/`"}


class KindMismatch:
    """The name exists, but not as a kind that this link may point at.

    What it finds
        `@name` or `/name` where a node of that name exists, and its kind is not one that the active provider reaches
        this way.

    Why it matters
        The host looks for the name among other kinds and finds nothing, although the file is there.

    Example
        `@deploy` in a text for Claude, where `deploy` is a command: commands are run as `/deploy`.

    Fix
        Call it the way its kind is called, or link to its file.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="The name exists, but as another kind.", phase="detect", reach="node"
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        for link in ctx.links(state="mismatch"):
            if not (link.data and "example" in link.data):
                yield _issue(link)


def _issue(link: Link) -> Issue:
    called = _CALLED.get(link.kind, f"reached by `{link.kind}`")
    return Issue(
        "kind-mismatch",
        Severity.INFO if link.kind == "mentions" else Severity.WARN,  # an `@name` may be somebody's handle
        (link.source,),
        f"`{link.original}` exists, but not as something that can be {called}.",
        line=link.line,
        fix=Fix(_advice(link)),
        data={"target": link.target, "kind": link.kind, "trigger": link.original},
    )


def _advice(link: Link) -> str:
    name = link.original.lstrip("@/")
    if link.kind == "mentions":
        return f"Write `/{name}` if it is a command or a skill, or link to its file."
    if link.kind == "invokes":
        return f"Write `@{name}` if it is an agent, or link to its file."
    return "Link to its file."


extension = KindMismatch()
