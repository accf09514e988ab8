"""Names that two pages of one corpus share."""

from collections.abc import Iterator, Sequence

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, KnowledgeBase, Severity


class NameDuplicate:
    """Two pages of a corpus, one name.

    What it finds
        Pages of one corpus whose frontmatter has the same `name` or `id`. The same name in two corpora is fine: that
        is how a project says something else than what it was given.

    Why it matters
        Who relates to the name, or asks for it, gets one of the two, and which one is chance.

    Example
        `name: rate-limits` in `api/rate-limits.md` and in `billing/rate-limits.md`.

    Fix
        Rename all but one, or make one page of them.
    """

    manifest = AnalyzerManifest(version="1.0.0", description="Two pages of a corpus have one name.", reach="graph")

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base

    def within(self, knowledge: KnowledgeBase) -> "NameDuplicate":
        return NameDuplicate(knowledge)

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        for shared in ctx.shared_names("knowledge"):
            for paths in self._by_corpus(shared.paths):
                if len(paths) > 1:
                    yield _issue(shared.name.lstrip("&").replace(" ", "-"), paths)

    def _by_corpus(self, paths: Sequence[str]) -> list[list[str]]:
        groups: dict[str, list[str]] = {}
        for path in sorted(paths):
            corpus = self._base.corpus(path)
            if corpus is not None and corpus.layout != "plain":
                groups.setdefault(corpus.name, []).append(path)
        return list(groups.values())


def _issue(name: str, paths: list[str]) -> Issue:
    others = ", ".join(f"`{path}`" for path in paths[1:4]) + (f" and {len(paths) - 4} more" if len(paths) > 4 else "")
    return Issue(
        "name-duplicate",
        Severity.ERROR,
        tuple(paths),
        f"The name `{name}` is also taken by {others}.",
        fix=Fix(f"Give all but one of these {len(paths)} another name, or make one page of them."),
        data={"name": name},
    )


extension = NameDuplicate(KnowledgeBase())
