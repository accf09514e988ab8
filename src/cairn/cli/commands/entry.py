"""`cairn entry`: pages of knowledge, one at a time."""

import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cairn.cli.define import CairnCommand, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe
from cairn.errors import NotFound, UsageError

if TYPE_CHECKING:
    from cairn.changes.add_page import AddPageResult

KINDS = ("entry", "practice", "map", "decision", "procedure")
TIERS = ("stable", "evolving", "fast-moving")


def add_command(group: str) -> CairnCommand:
    """`cairn entry add` and, for those who know it by that name, `cairn node add`."""
    called = f"cairn {group} add"
    options: list[Callable[[Any], Any]] = [
        click.option("--title", metavar="TEXT", help="What the page is called; its file is named after it."),
        click.option("--summary", metavar="TEXT", help="One sentence: what it is about. Default: the text's first."),
        click.option("--body", metavar="TEXT", help="The text in Markdown; @FILE or @- reads it from a file or stdin."),
        click.option("--kind", type=click.Choice(KINDS), help="What it is; the layout of the corpus has a default."),
        click.option("--category", metavar="NAME", help="Folder of the corpus that it belongs to."),
        click.option("--new-category", is_flag=True, help="The category is new, however much it looks like another."),
        click.option("--tags", metavar="A,B", multiple=True, help="Topics, with commas or given again."),
        click.option("--source", "sources", metavar="URL|PATH", multiple=True, help="Where it has it from; PATH#NAME."),
        click.option("--volatility", type=click.Choice(TIERS), help="How fast the subject moves. Default: advised."),
        click.option("--relates-to", metavar="A,B", multiple=True, help="Names of other pages of the corpus."),
        click.option("--confidence", type=click.Choice(("low", "medium", "high")), help="How sure it is."),
        click.option("--name", metavar="NAME", help="Another name than the title makes."),
        click.option("--corpus", metavar="NAME", help="Which corpus, where there are several."),
        click.option("--layout", type=click.Choice(("entries", "nodes", "artefacts", "plain")), help="A corpus of it."),
        click.option("--yes", is_flag=True, help="Don't ask for what is missing or may be mistyped."),
        click.option("-n", "--dry-run", is_flag=True, help="Print the page, and write nothing."),
    ]
    function: Callable[..., int] = _add
    for option in reversed(options):
        function = option(function)
    made = define(
        "add",
        help="Make a new page of knowledge, in the form that its corpus asks for. Nothing is ever overwritten.",
        examples=(
            (f"{called} --title 'Retry with backoff' --category patterns --body @-", "the text from stdin"),
            (f"{called} --title 'Client timeouts' --summary '…' --source src/client.py#connect", "tied to code"),
            (f"{called} --title 'Session rules' --summary '…' --dry-run", "only show it"),
        ),
        exits=(0, 1, 2, 3, 5),
    )(function)
    function.__dict__.pop("__click_params__", None)
    return made


def _add(ctx: Invocation, yes: bool, **given: Any) -> int:
    from cairn.changes.add_page import AddPageOptions, add_entry
    from cairn.core.model.knowledge import Volatility

    asks = ctx.interactive and not yes
    tier = given.pop("volatility")
    wishes = AddPageOptions(
        title=_title(given.pop("title"), asks),
        summary=_summary(given.pop("summary"), given["body"], asks),
        body=_body(ctx, given.pop("body")),
        topics=_several(given.pop("tags")),
        relates_to=_several(given.pop("relates_to")),
        volatility=Volatility(tier) if tier else None,
        **given,
    )
    with closing(ctx.app()) as app:
        added = add_entry(app, wishes, here=ctx.directory, meant=_meant if asks else None)
    if ctx.json:
        ctx.out.emit_json(added.json())
    else:
        _tell(ctx, added)
    return 0


def _title(given: str | None, asks: bool) -> str:
    title = given if given or not asks else str(click.prompt("Title", err=True))
    if not title or not title.strip():
        raise UsageError("give the page a title with --title")
    return title


def _summary(given: str | None, body: str | None, asks: bool) -> str:
    if given or body or not asks:
        return given or ""
    return str(click.prompt("Summary, one sentence", err=True))


def _body(ctx: Invocation, given: str | None) -> str:
    if given is None or not given.startswith("@"):
        return _good(given or "")
    data = sys.stdin.buffer.read() if given == "@-" else _file(ctx.directory / given[1:])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("the text of the page is not UTF-8; convert it first") from None
    return _good(text)


def _good(text: str) -> str:
    if "\0" in text:
        raise UsageError("the text of the page has NUL characters in it; it should be Markdown")
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise UsageError("the text of the page is not UTF-8; convert it first")
    return text


def _file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise NotFound(f"{path} cannot be read: {(error.strerror or 'no reason given').lower()}") from None


def _several(given: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.strip() for text in given for part in text.split(",") if part.strip())


def _meant(word: str, near: str) -> bool:
    return click.confirm(f"There is no category {word}. Did you mean {near}?", default=True, err=True)


def _tell(ctx: Invocation, added: "AddPageResult") -> None:
    out = ctx.out
    out.data(added.text.rstrip("\n") if not added.written else safe(added.path))
    for warning in added.warnings:
        out.warn(safe(warning.message))
    for note in added.notes:
        out.warn(safe(note))
    _tell_beside(ctx, added)
    if added.new_category:
        out.say(f"{safe(added.draft.category)} is a new category")
    if added.corpus.layout == "entries":
        out.say(_advice(added))
    if added.written:
        todo = "" if added.draft.body else "write its text, then "
        listed = ", and `cairn index rebuild` lists it" if added.corpus.layout == "nodes" else ""
        out.say(f"next: {todo}`cairn check` says whether all is well{listed}")
    else:
        out.say(f"would be {safe(added.path)}; nothing was written")


def _tell_beside(ctx: Invocation, added: "AddPageResult") -> None:
    from cairn.changes.lock_files import GIT_ATTRIBUTES, WHY

    for path in added.beside:
        said = WHY if path == GIT_ATTRIBUTES else f"what it relies on is kept in {safe(path)}, so the page stays plain"
        ctx.out.say(said)


def _advice(added: "AddPageResult") -> str:
    chosen, advice = added.draft.volatility, added.advice
    if chosen == advice.volatility:
        return f"volatility {chosen}: {advice.why}"
    return f"volatility {chosen}, as you say; {advice.volatility} would be usual: {advice.why}"


command = define_group(
    "entry",
    [add_command("entry")],
    help="Make pages of knowledge.",
    examples=(
        ("cairn entry add --title 'Retry with backoff' --category patterns --body @-", "the text from stdin"),
        ("cairn entry add --title 'Client timeouts' --source src/client.py#connect", "tied to code"),
    ),
    exits=(0, 1, 2, 3, 5),
)
