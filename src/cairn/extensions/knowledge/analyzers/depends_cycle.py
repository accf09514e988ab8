"""Pages of knowledge that depend on each other in a circle."""

from collections.abc import Iterator, Mapping

from cairn.plugin import AnalyzerContext, AnalyzerManifest, Fix, Issue, KnowledgeBase, Node, Severity, knowledge_name

_KEYS = ("depends_on", "depends-on", "requires")
_SHOWN = 5


class DependsCycle:
    """Pages that depend on each other in a circle.

    What it finds
        Pages whose `depends_on` (of procedures `requires`) leads back to themselves, over however many others. Each
        circle is told once, at the page that comes first.

    Why it matters
        A dependency says what has to be read, or done, before. In a circle there is no first.

    Example
        `deploy` depends on `release`, which depends on `deploy`.

    Fix
        Take one of the dependencies out, or make it `relates_to`.
    """

    manifest = AnalyzerManifest(version="1.0.0", description="Pages depend on each other in a circle.", reach="graph")

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base

    def within(self, knowledge: KnowledgeBase) -> "DependsCycle":
        return DependsCycle(knowledge)

    def evaluate(self, ctx: AnalyzerContext) -> Iterator[Issue]:
        needs = self._needs(ctx)
        for circle in circles(needs):
            yield _issue(circle)

    def _needs(self, ctx: AnalyzerContext) -> dict[str, list[str]]:
        """Pages and what they depend on. A page in a circle depends on something, so the others don't matter."""
        found: dict[str, Node] = {}
        for key in _KEYS:
            found.update((n.path, n) for n in ctx.nodes(mentioning=f'"{key}"') if n.provider == "knowledge")
        entries = [e for n in found.values() if (e := self._base.entry(n.path, n.frontmatter)) and e.depends_on]
        by_name = {knowledge_name(entry.name): entry.path for entry in reversed(entries)}
        return {e.path: [to for n in e.depends_on if (to := by_name.get(knowledge_name(n)))] for e in entries}


def circles(needs: Mapping[str, list[str]]) -> Iterator[list[str]]:
    """The shortest circle through the first page of each knot, in order. Linear: every page and dependency once."""
    knots = sorted(_knots(needs), key=min)
    return (_round(min(knot), knot, needs) for knot in knots)


def _knots(needs: Mapping[str, list[str]]) -> Iterator[set[str]]:
    """Pages that all lead to each other. Those that come last in a walk are asked first who leads to them."""
    led_from: dict[str, list[str]] = {page: [] for page in needs}
    for page, others in needs.items():
        for other in others:
            led_from[other].append(page)
    taken: set[str] = set()
    for last in reversed(_finished(needs)):
        knot = _leading_to(last, led_from, taken)
        if len(knot) > 1 or (knot and last in needs[last]):
            yield knot


def _finished(needs: Mapping[str, list[str]]) -> list[str]:
    """Pages in the order in which a walk in depth is done with them."""
    seen: set[str] = set()
    done: list[str] = []
    for start in needs:
        steps = [] if start in seen else [(start, iter(needs[start]))]
        seen.add(start)
        while steps:
            page, others = steps[-1]
            other = next((o for o in others if o not in seen), None)
            if other is None:
                done.append(page)
                steps.pop()
            else:
                seen.add(other)
                steps.append((other, iter(needs[other])))
    return done


def _leading_to(page: str, led_from: Mapping[str, list[str]], taken: set[str]) -> set[str]:
    """A page and those that lead to it, without what was taken before; taken from now on."""
    found: set[str] = set()
    waiting = {page} - taken
    while waiting:
        found |= waiting
        taken |= waiting
        waiting = {before for at in waiting for before in led_from[at]} - taken
    return found


def _round(first: str, knot: set[str], needs: Mapping[str, list[str]]) -> list[str]:
    """The shortest way from a page back to itself, within its knot."""
    came_from: dict[str, str] = {}
    waiting = {first: ""}
    while first not in came_from:
        waiting = {o: page for page in waiting for o in needs[page] if o in knot and o not in came_from}
        came_from |= waiting
    way = [came_from[first]]
    while way[-1] != first:
        way.append(came_from[way[-1]])
    return way[::-1]


def _issue(circle: list[str]) -> Issue:
    more = [f"{len(circle) - _SHOWN} more"] if len(circle) > _SHOWN else []
    steps = [f"`{path}`" for path in circle[:_SHOWN]] + more + ["itself"]
    return Issue(
        "depends-cycle",
        Severity.ERROR,
        tuple(circle),
        f"It depends on itself: {' → '.join(steps)}.",
        fix=Fix("Take one of the dependencies out of `depends_on`, or make it `relates_to`."),
        data={"circle": circle},
    )


extension = DependsCycle(KnowledgeBase())
