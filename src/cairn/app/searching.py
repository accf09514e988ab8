"""A search as a person asks for it: what the words mean here, checked against what there is."""

from collections.abc import Iterable
from datetime import UTC, datetime

from cairn.app.build import App
from cairn.errors import UsageError
from cairn.kernel.knowledge.entry import Status
from cairn.kernel.ports.graph import NodeFilter
from cairn.kernel.ports.store import Store
from cairn.kernel.text.nearest import did_you_mean
from cairn.retrieve.find import Answer, Request, find, path_glob
from cairn.retrieve.query import Filters, parse_query


def run_search(app: App, text: str, filters: Filters, *, limit: int, everything: bool = False) -> Answer:
    query = parse_query(text)
    store = app.scanned_store()
    check_filters(store, query.filters | filters)
    today = datetime.fromtimestamp(app.clock.now_ms() / 1000, UTC).date()
    answer = find(query, Request(limit, today, filters, everything), index=store, files=app.files)
    if not answer.hits and not answer.withheld:
        check_rare_filters(store, query.filters | filters)
    return answer


def check_filters(store: Store, filters: Filters) -> None:
    """A filter that nothing here can pass is a slip of the finger; say what was meant."""
    if filters.kinds:
        kinds = store.kinds()
        _must_be_known("kind", [kind.rpartition("/")[2] for kind in filters.kinds], kinds)
    if filters.tags:
        _must_be_known("tag", filters.tags, store.tag_counts())
    _must_be_known("status", filters.statuses, [str(status) for status in Status])


def check_rare_filters(store: Store, filters: Filters) -> None:
    """What takes a look at every page to know; worth it when nothing was found."""
    if filters.types:
        written = {str(node.frontmatter["type"]) for node in store.nodes() if "type" in node.frontmatter}
        _must_be_known("type", filters.types, sorted(written | set(store.kinds())))
    for path in filters.paths:
        if not store.count_nodes(NodeFilter(path_glob=path_glob(path))):
            raise UsageError(f"no page's path fits '{path}'; `cairn list` shows the paths, from the workspace's root")


def _must_be_known(what: str, given: Iterable[str], known: Iterable[str]) -> None:
    names = list(known)
    for name in given:
        if name not in names:
            hint = did_you_mean(name, names) or _there_is(names)
            raise UsageError(f"there is no {what} '{name}' here{hint}")


def _there_is(names: list[str]) -> str:
    if not names:
        return "; no page has any"
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"; there are {', '.join(names[:8])}{more}"


def changed_since_scan(store: Store, answer: Answer) -> tuple[str, ...]:
    """Paths of hits whose files are not as the last scan saw them."""
    scanned = store.meta().get("scanned_at_ms") or 0
    return tuple(hit.path for hit in answer.hits if hit.modified_ms == 0 or hit.modified_ms > scanned)
