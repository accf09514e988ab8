"""What a shell offers for values that only the graph knows: kinds, tags, statuses."""

from collections.abc import Callable, Iterable
from contextlib import closing
from typing import TYPE_CHECKING, Literal

from cairn.cli.options import Globals

if TYPE_CHECKING:
    import click

    from cairn.app.build import App

What = Literal["kinds", "tags", "statuses"]
Completer = Callable[["click.Context", "click.Parameter", str], list[str]]


def complete(what: What) -> Completer:
    """For `shell_complete`. Of `a,b` the last part is completed."""

    def values(ctx: "click.Context", _param: "click.Parameter", incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in _known(ctx, what) if name.startswith(last)]

    return values


def _known(ctx: "click.Context", what: What) -> Iterable[str]:
    """Nothing rather than an error: somebody is in the middle of typing."""
    from cairn.errors import CairnError

    shared = ctx.find_object(Globals)
    if shared is None:
        return ()
    try:
        with closing(shared.invocation().app()) as app:
            return _names(app, what)
    except CairnError:
        return ()


def _names(app: "App", what: What) -> list[str]:
    if what == "statuses":
        from cairn.core.model.knowledge import EntryStatus

        return [str(status) for status in EntryStatus]
    store = app.scanned_store()
    if what == "kinds":
        from cairn.core.model.graph import shown_kind

        return sorted(map(shown_kind, store.kinds()))
    return sorted(store.tag_counts())
