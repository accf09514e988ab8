"""Nodes that lack what their kind requires."""

import re
from collections.abc import Iterator, Mapping

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, KindSpec, Node, Severity

_REQUIRED = ("name", "description")
_REQUIRED_OF: Mapping[str, tuple[str, ...]] = {
    "claude/command": (),
    "agent-files/command": (),
    "claude/skill": ("description",),
    "agent-files/skill": ("description",),
}
"""Hosts call a command by the name of its file, and a skill by the name of its folder where it has no other."""


class SchemaViolation:
    """A node that is not what its kind promises.

    What it finds
        Nodes of a kind that their provider does not declare (an error), and agents and skills without a `name` or a
        `description` in the frontmatter (a warning). Hosts call a command by the name of its file, so it needs neither.
        A skill needs a `name` in the open format only.

    Why it matters
        A host shows the description to the model so that it can choose; without it the node is never chosen. A kind
        that nobody declares cannot be resolved, coloured or checked.

    Example
        `.claude/agents/reviewer.md` that starts right with its text, without a frontmatter.

    Fix
        Add the fields that the message names.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A node lacks what its kind requires.", phase="detect", reach="node"
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        for node in ctx.nodes():
            spec = ctx.kind_spec(node)
            if spec is None:
                yield _undeclared(node)
            elif missing := _missing(node, spec):
                yield _incomplete(node, missing)


def _missing(node: Node, spec: KindSpec) -> list[str]:
    """Kinds that are called by their declared name have to declare it; a virtual node has no frontmatter."""
    if node.virtual or "frontmatter.name" not in spec.identifiers:
        return []
    required = _REQUIRED_OF.get(node.qualified_kind, _REQUIRED)
    return [field for field in required if not _filled(node.frontmatter.get(field))]


def _filled(value: object) -> bool:
    return bool(value.strip()) if isinstance(value, str) else value is not None


def _undeclared(node: Node) -> Issue:
    return Issue(
        "schema-violation",
        Severity.ERROR,
        (node.path,),
        f"The kind `{node.kind}` is not one that the provider `{node.provider}` declares.",
        fix=Fix("Update or disable the plugin that made this node; `cairn plugins doctor` names it."),
        data={"kind": node.kind, "provider": node.provider},
    )


_LOADED = re.compile(r"(?:^|/)(?:skills|agents|commands|\.\w+)/")
"""Folders that a host loads; elsewhere a file may be called `SKILL.md` for another reason."""


def _incomplete(node: Node, missing: list[str]) -> Issue:
    fields = " and ".join(f"`{field}`" for field in missing)
    return Issue(
        "schema-violation",
        Severity.WARN if _LOADED.search(node.path) else Severity.INFO,
        (node.path,),
        f"This {node.kind} has no {fields} in its frontmatter.",
        line=1,
        fix=Fix(f"Add {fields} to the frontmatter."),
        data={"missing": missing},
    )


extension = SchemaViolation()
