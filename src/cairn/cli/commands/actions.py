"""`cairn actions`: what can be asked or done about documents."""

from contextlib import closing

from cairn.cli.define import argument, define, define_group
from cairn.cli.invocation import Invocation
from cairn.cli.output import safe


@define(
    "list",
    help="List actions. Those of the kind `probabilistic` are asked as jobs.",
    examples=(
        ("cairn actions list", "what can be asked"),
        ("cairn actions list --json", "for a program"),
    ),
)
def list_command(ctx: Invocation) -> int:
    from cairn.jobs.action import action_value

    with closing(ctx.app(reads=True)) as app:
        found = app.actions()
    if ctx.json:
        ctx.out.emit_json({"actions": [action_value(action) for action in found.values()]})
        return 0
    rows = [[safe(one.id), safe(one.version), one.mode, safe(one.description)] for one in found.values()]
    ctx.out.table(rows, header=("id", "version", "kind", "description"))
    return 0


@define(
    "show",
    help="Show one action: for which documents it is, how long it takes, what it asks, and what its report holds.",
    examples=(
        ("cairn actions show core/summarise", "by its id"),
        ("cairn actions show summarise --json", "with the schema of its report"),
    ),
    exits=(0, 2, 5),
)
@argument("id", help="Id of an action.")
def show_command(ctx: Invocation, id: str) -> int:
    from cairn.jobs.action import action_value, find_action

    with closing(ctx.app(reads=True)) as app:
        action = find_action(id, app.actions())
    if ctx.json:
        ctx.out.emit_json({**action_value(action), "prompt": action.prompt, "reportSchema": action.schema or None})
        return 0
    condition = action.precondition
    facts = [
        ("id", safe(action.id)),
        ("version", safe(action.version)),
        ("kind", action.mode),
        ("expected", f"{action.expected_seconds:,} s" if action.expected_seconds else ""),
        ("for kinds", safe(", ".join(condition.kind))),
        ("for hosts", safe(", ".join(condition.provider))),
        ("answers", safe(", ".join(condition.analyzer_ids))),
        ("tags", safe(", ".join(action.tags))),
        ("report", safe(", ".join(action.schema.get("required", ())))),
    ]
    ctx.out.data(safe(action.description))
    ctx.out.table([[name, text] for name, text in facts if text])
    if action.prompt:
        ctx.out.data("\n" + "\n".join(safe(line) for line in action.prompt.strip().splitlines()))
    return 0


command = define_group(
    "actions",
    [list_command, show_command],
    help="List what can be asked about documents, and show what each question looks like. `cairn job submit` asks it.",
    examples=(
        ("cairn actions list", "what there is"),
        ("cairn actions show core/summarise", "one of them"),
    ),
    exits=(0, 2, 5),
)
