"""`cairn freshness allow`: which hosts count as authoritative."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe

if TYPE_CHECKING:
    from cairn.freshness.allow import AllowedHost


@define(
    "list",
    help="List the hosts and repositories whose pages count as authoritative, with their categories. A source "
    "elsewhere is warned about, nothing more.",
    examples=(
        ("cairn freshness allow list", "the list that is in use"),
        ("cairn freshness sources --by-host", "which of them are cited"),
    ),
)
def list_command(ctx: Invocation) -> int:
    from cairn.freshness.allow import listed, listed_json, name_of

    with closing(ctx.app()) as app:
        found = listed(app)
    if ctx.json:
        ctx.out.emit_json(listed_json(found))
        return 0
    places = sorted(found.allowlist.places, key=lambda p: (p.category, name_of(p)))
    ctx.out.table([[safe(name_of(place)), safe(place.category)] for place in places], header=("place", "category"))
    if not found.source:
        ctx.out.say(
            "sources are compared with no list; `cairn freshness allow add HOST --category C` starts one, "
            "`cairn config set freshness.allowlist packed` takes the one that comes with Cairn"
        )
    else:
        where = "the list that comes with Cairn" if found.source == "packed" else found.source
        ctx.out.say(f"{len(places):,} places, by {where}")
    return 0


@define(
    "add",
    help="Put a host, a part of one, or a repository at GitHub on the list. It is asked for once, to see that it is "
    "there; then a change request is opened, or with --apply the file here is edited. Comments and order stay.",
    examples=(
        ("cairn freshness allow add docs.python.org --category tooling", "a host with all below it"),
        ("cairn freshness allow add ietf.org/rfc --category standards --apply", "one part of a host, right here"),
        ("cairn freshness allow add astral-sh/ruff --category tooling", "a repository"),
    ),
    exits=(0, 1, 2, 3),
)
@argument("place", help="`example.org`, `example.org/path` or `owner/name`; without `https://`.")
@click.option("--category", required=True, metavar="C", help="What it is about, as `security` or `web-standards`.")
@click.option("--apply", is_flag=True, help="Edit the file here, instead of opening a change request.")
@click.option("--no-probe", is_flag=True, help="Don't ask whether it is there.")
def add_command(ctx: Invocation, place: str, category: str, apply: bool, no_probe: bool) -> int:
    from cairn.freshness.allow import add

    with closing(ctx.app()) as app:
        added = add(app, place, category=category, probe=not no_probe, apply=apply)
    if ctx.json:
        ctx.out.emit_json(added.json())
    else:
        _for_people(ctx, added)
    return 1 if added.held else 0


def _for_people(ctx: Invocation, added: "AllowedHost") -> None:
    from cairn.knowledge.base import ALLOWLIST

    if added.seen:
        ctx.out.say(safe(added.seen))
    if added.new_category:
        ctx.out.say(f"`{added.category}` is a new category; `cairn freshness allow list` shows the others")
    if added.held:
        ctx.out.warn(f"no request was opened: {safe(added.held)}")
    elif added.request is not None:
        ctx.out.say(f"change request {added.request.id}: {safe(added.request.title)}")
    else:
        ctx.out.say(f"{safe(added.place)} is in {ALLOWLIST} now, as {added.category}")


command = define_group(
    "allow",
    [add_command, list_command],
    help="Say which hosts count as authoritative.",
    examples=(
        ("cairn freshness allow list", "the list that is in use"),
        ("cairn freshness allow add docs.python.org --category tooling", "one more"),
    ),
    exits=(0, 1, 2, 3),
)
