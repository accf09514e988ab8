"""One gate about one change, given as the files before and after."""

from collections.abc import Mapping
from typing import Any

from cairn.changes.gate import Gate, GateContext, Gates
from cairn.core.model.change import ChangeSet, FileEdit, GateRuling, Label
from cairn.core.model.knowledge import Corpus

CORPUS = Corpus("knowledge", "knowledge", "entries")
PATH = "knowledge/api/limits.md"

Files = Mapping[str, str]


def page(body: str, *, name: str = "limits", sources: tuple[str, ...] = (), **fields: str) -> str:
    listed = "".join(f"  - {'url' if '://' in source else 'path'}: {source}\n" for source in sources)
    more = "".join(f"{key.replace('_', '-')}: {value}\n" for key, value in fields.items())
    head = f"name: {name}\ndescription: About it.\n{more}" + (f"sources:\n{listed}" if listed else "")
    return f"---\n{head}---\n{body}"


def judge(gate: Gate, before: Files, after: Files, *, origin: str = "person", **given: Any) -> GateRuling:
    """`labels`, `evidence`, `title` and `body` go to the change, everything else to what is around it."""
    facts = {key: given.pop(key) for key in ("evidence", "title", "body") if key in given}
    old = {path: text.encode() for path, text in before.items()}
    new = {path: text.encode() for path, text in after.items()}
    edits = tuple(FileEdit(path, new.get(path)) for path in sorted(old | new) if old.get(path) != new.get(path))
    labels: tuple[Label, ...] = given.pop("labels", ())
    change = ChangeSet(
        **{"origin": origin, "subject": "s", "base": "0" * 40, "edits": edits, "title": "t", "labels": labels, **facts}
    )
    surroundings = {"corpora": (CORPUS,), "labels": labels, "pages": lambda: new, **given}
    around = GateContext(base=old.get, proposed=new.get, **surroundings)
    return Gates((gate,), lambda _: around).judge(change)[0]
