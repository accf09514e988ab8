"""Links to something that is not there."""

import re
from collections.abc import Iterator

from cairn.extensions.core.agent_links import AgentLinks, AgentLinkVerdict
from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, Link, Node, Severity

_PENALTY = -0.5
_PROSE = ("markdown", "knowledge")
"""Providers of pages that nobody reads as an order."""
_ANYWHERE = ("agent-files",)
"""Providers of files that are read by agents, and shown to people on a site or a forge as well."""
_FILE = re.compile(r"(?:.*\.\w{1,8}|[A-Z]\w*)")
"""The last part of a path that is a file for sure: `guide.md`, `LICENSE`; not `guide`, which a site may have."""
_HISTORY = re.compile(r"(?:.*/)?(?:changelog|changes|history|news|releases?(?:[-_ ]?notes?)?)(?:[-_. ].*)?\.\w+", re.I)

_SPHINX = ("[[ref:", "[[doc:")
"""Labels and rooted pages of Sphinx; other projects (intersphinx) and extensions define them, too."""


class ReferenceBroken:
    """A reference to a file or a name that does not exist.

    What it finds
        Links and images whose file is neither in the graph nor on disk, wikilinks to a page that nobody wrote, and
        names (`@agent`, `/command`) that nothing here answers to. What pages of knowledge say in their frontmatter is
        looked at by analyzers of its own.

    Why it matters
        A reader, or an agent, that follows the reference finds nothing, and works on without what it was told to
        read. A missing file is an error. A missing `@name` or `/name` is an error in a file for agents where it is
        nearly the name of one of them. Elsewhere it is a note: an `@handle` or an `/address` is seldom a call. So is
        what looks like an address of a site (`/guide/`, `labels/exit-code`), and a file that only a changelog names.
        A path in inline code is a warning in a file for agents if its folder exists. In prose, in a block of code, and
        in skills and plugins, which name files of other repositories, it is a note. Names in HTML comments, examples,
        versions and packages are not calls. A label of Sphinx that no page defines is a note as well, because other
        projects define labels, too.
        The confidence of a broken link drops by 0.5.

    Example
        `[setup](docs/setup.md)`, after the page was moved to `docs/guide/setup.md`.

    Fix
        Correct the path or the name, or remove the reference. A path that exists only on other machines can be
        listed in `scan.reference_paths`.
    """

    manifest = AnalyzerManifest(
        version="1.0.0", description="A reference to something that does not exist.", phase="score", reach="node"
    )

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        links = list(ctx.links(state="broken"))
        sources = {node.path: node for node in ctx.graph.nodes({link.source for link in links})}
        agents = AgentLinks(ctx)
        for link in links:
            ctx.adjust_confidence(link, "delta", _PENALTY)
            if link.data and ("field" in link.data or (link.by_name and "example" in link.data)):
                continue
            source = sources[link.source]
            in_prose = source.provider in _PROSE
            verdict = _verdict(link, source, agents, in_prose=in_prose)
            yield Issue(
                "reference-broken",
                verdict.severity,
                (link.source,),
                _message(link, verdict.meant, in_prose=in_prose),
                line=link.line,
                fix=Fix(_advice(link, verdict.meant)),
                data={"target": link.target, "kind": link.kind, "trigger": link.original, **_more(link)},
            )


def _more(link: Link) -> dict[str, object]:
    """Every line of a link that stands on the page more than once, and whether it is a name in double brackets."""
    lines = sorted({seen.line for seen in link.occurrences})
    named = link.by_name and link.normalized.startswith("[[")
    label = named and link.normalized.startswith("[[ref:")
    return {
        **({"lines": lines} if len(lines) > 1 else {}),
        **({"label": True} if label else {}),
        **{key: True for key in ("page", "toctree") if link.data and link.data.get(key)},
        **({"wiki": True} if named and not link.normalized.startswith(_SPHINX) else {}),
    }


def _verdict(link: Link, source: Node, agents: AgentLinks, *, in_prose: bool) -> AgentLinkVerdict:
    if link.by_name and link.normalized.startswith(_SPHINX):
        return AgentLinkVerdict(Severity.INFO)
    if link.by_name and link.normalized.startswith("[["):
        return AgentLinkVerdict(Severity.ERROR)
    if link.data and link.data.get("page"):
        return AgentLinkVerdict(Severity.INFO if _HISTORY.fullmatch(link.source) else Severity.ERROR)
    if link.data and "example" in link.data:
        return AgentLinkVerdict(Severity.INFO)
    if link.by_name:
        return AgentLinkVerdict(Severity.INFO) if in_prose else agents.named(link)
    if link.kind == "points":
        return AgentLinkVerdict(Severity.INFO) if in_prose else agents.pointed(link, source)
    loose = in_prose or source.provider in _ANYWHERE
    return AgentLinkVerdict(Severity.INFO if loose and _may_be_meant_so(link) else Severity.ERROR)


def _may_be_meant_so(link: Link) -> bool:
    return _is_address(link) or _HISTORY.fullmatch(link.source) is not None


def _is_address(link: Link) -> bool:
    """Whether it may lead to a page of a site, which has another root and pages without suffix."""
    return link.original.startswith("/") or not _FILE.fullmatch(link.target.rpartition("/")[2])


def _message(link: Link, meant: str | None, *, in_prose: bool) -> str:
    if link.by_name and link.normalized.startswith("[[ref:"):
        return f"No page here defines the label `{link.target}`; another project or an extension may."
    if link.data and link.data.get("page"):
        return f"There is no page `{link.target}`."
    if link.by_name and not link.normalized.startswith("[["):
        return f"Nothing here is called `{link.original}`" + (f"; the nearest name is `{meant}`." if meant else ".")
    if link.by_name:
        return f"There is no page called `{link.target}`."
    if link.kind == "points":
        return f"There is no file `{link.original}`, neither from here nor from the root."
    if in_prose and _is_address(link):
        return f"Nothing is at `{link.target}`, unless `{link.original}` is an address of your site."
    thing = "image" if link.data and link.data.get("image") else "folder" if link.target.endswith("/") else "file"
    return f"The {thing} `{link.target}` does not exist."


def _advice(link: Link, meant: str | None) -> str:
    if meant:
        return f"Write `{meant}`, or put `{link.original}` between backticks if it is not meant as a call."
    if link.kind == "points":
        return "Correct the path, or leave it if it is only an example."
    if not link.by_name:
        return f"Correct the path `{link.original}`, or create `{link.target}`."
    if link.normalized.startswith("[[ref:"):
        return f"Correct the label, or add `.. _{link.target}:` where it should lead."
    if link.normalized.startswith("[["):
        return f"Correct the name, or write the page `{link.target}`."
    if link.kind == "mentions":
        return f"Correct the name, or put `{link.original}` between backticks if it is not meant as a call."
    return f"Correct the name, add what `{link.original}` should run, or put it between backticks."


extension = ReferenceBroken()
