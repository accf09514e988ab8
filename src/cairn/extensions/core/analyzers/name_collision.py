"""Names that two nodes share."""

import re
from collections.abc import Iterable, Iterator

from cairn.extensions.core.agent_links import called_so
from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, Link, Node, Severity

Scope = tuple[str, str, str]
_MOST = 3
_FOLDERS = ("agents", "commands", "skills")
_VERSION = re.compile(r"/v?\d+(?:\.[\dx]+)*(?=/)")


class NameCollision:
    """Two nodes, one name.

    What it finds
        Nodes that one host loads from one place and whose frontmatter declares the same `name`, both called with `@` or
        both with `/`. Names are compared without case, accents, and the difference between `-`, `_` and a blank. Two
        plugins may share a name, since each has a namespace of its own, and so may two hosts, and folders that differ
        in a version only (`3/`, `4/`), since a program chooses one. A call of such a name is a note if none of the
        files is nearer to the caller than the others.

    Why it matters
        Who calls the name reaches one of them, and which one is chance.

    Example
        `name: code-review` in one skill and `name: Code Review` in another.

    Fix
        Rename all but one.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="Two nodes declare the same name.", phase="detect", reach="graph"
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        reported: list[set[str]] = []
        for shared in ctx.shared_names():
            scopes: dict[Scope, list[str]] = {}
            for node in ctx.graph.nodes(shared.paths):
                if _called_by_name(ctx, node):
                    scopes.setdefault(_scope(node), []).append(node.path)
            for paths in scopes.values():
                if len(paths) > 1:
                    reported.append(set(paths))
                    if not _are_versions(paths):
                        yield _issue(shared.name, sorted(paths))
        for link in ctx.links(state="ambiguous"):
            candidates = called_so(ctx, link)
            known = any(paths.issuperset(candidates) for paths in reported)
            if not known and not (link.data and "example" in link.data):
                yield _ambiguous(link, candidates)


def _scope(node: Node) -> Scope:
    """Who loads a node, from which folder, and how it is called: only within one of these do names collide."""
    parts = node.path.lower().split("/")
    last = max((index for index, part in enumerate(parts[:-1]) if part in _FOLDERS), default=0)
    return node.provider, "/".join(parts[:last]), "@" if node.kind == "agent" else "/"


def _are_versions(paths: Iterable[str]) -> bool:
    """Whether the paths differ in a version only, so that a program chooses one of them: `v3/skill`, `v4/skill`."""
    return len({_VERSION.sub("/", f"/{path}") for path in paths}) == 1


def _called_by_name(ctx: AnalyzerContext, node: Node) -> bool:
    spec = ctx.kind_spec(node)
    return spec is not None and "frontmatter.name" in spec.identifiers


def _issue(name: str, paths: list[str]) -> Issue:
    others = ", ".join(f"`{path}`" for path in paths[1:4]) + (f" and {len(paths) - 4} more" if len(paths) > 4 else "")
    return Issue(
        "name-collision",
        Severity.ERROR,
        tuple(paths),
        f"The name `{name}` is also taken by {others}.",
        fix=Fix(f"Give all but one of these {len(paths)} another name."),
        data={"name": name},
    )


def _ambiguous(link: Link, paths: list[str]) -> Issue:
    listed = " or ".join(f"`{path}`" for path in paths[:_MOST]) + (" or others" if len(paths) > _MOST else "")
    sigil, name = link.original[:1], link.original[1:]
    return Issue(
        "name-collision",
        Severity.INFO,
        (link.source,),
        f"`{link.original}` may mean {listed or 'several files'}; none of them is nearer.",
        line=link.line,
        fix=Fix(f"Write the name of its plugin before it, as in `{sigil}plugin:{name}`, or rename all but one."),
        data={"target": link.target, "kind": link.kind, "trigger": link.original, "candidates": paths},
    )


extension = NameCollision()
