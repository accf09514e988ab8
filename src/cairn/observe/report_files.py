"""The files that audits leave: writing them, and finding them again."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cairn.changes.write import write_file
from cairn.core.ports.runtime import ReadFailed
from cairn.errors import NotFound, UsageError
from cairn.observe.audit_result import Audit, ReportedFinding, engine_output, reported
from cairn.version import __version__

if TYPE_CHECKING:
    from cairn.observe.ports import ObservePorts

_IGNORE = ".cairnignore"
_LARGEST = 8 * 1024 * 1024
_MOST = 200
"""Reports that are looked into, the newest first."""


def folder_of(ports: "ObservePorts") -> str:
    return ports.settings.text("observe.reports").strip("/")


def sidecar(audit: Audit) -> dict[str, Any]:
    return {"report_id": audit.report_id, "engine_output": engine_output(audit, version=__version__)}


def save_report(ports: "ObservePorts", audit: Audit, folder: Path | None = None, *, twin: bool = True) -> list[str]:
    """The JSON and, with `twin`, the Markdown beside it. Their paths, from the root where they are inside."""
    from cairn.changes.write import save
    from cairn.observe.audit_formats import markdown

    place = (ports.root / folder_of(ports) if folder is None else folder).absolute()
    files = {f"{audit.report_id}.json": json.dumps(sidecar(audit), ensure_ascii=False, indent=2) + "\n"}
    files |= {f"{audit.report_id}.md": markdown(audit)} if twin else {}
    inside = _inside(ports, place)
    if inside is None:
        for name, text in files.items():
            save(ports.root, place / name, text)
        return [str(place / name) for name in files]
    _leave_out_of_scans(ports, inside)
    for name, text in files.items():
        write_file(ports.root, f"{inside}/{name}", text)
    return [f"{inside}/{name}" for name in files]


def _inside(ports: "ObservePorts", place: Path) -> str | None:
    """From the root; None for a folder elsewhere."""
    root, target = ports.root.resolve(), Path(os.path.normpath(place))
    for base in (ports.root.absolute(), root):
        if base in target.parents:
            return target.relative_to(base).as_posix()
    if target in (root, ports.root.absolute()):
        raise UsageError("Reports need a folder of their own; give --output a folder below the root.")
    return None


def _leave_out_of_scans(ports: "ObservePorts", folder: str) -> None:
    """A report quotes what is wrong, so it would be found wrong itself."""
    if not os.path.lexists(ports.root / folder / _IGNORE):
        write_file(ports.root, f"{folder}/{_IGNORE}", "# Reports of audits quote what they found.\naudit-*\n")


# --- reading --------------------------------------------------------------------------------------------------------


def report_ids(ports: "ObservePorts") -> list[str]:
    """Of the reports in the repository, the newest first."""
    folder = ports.root / folder_of(ports)
    names = os.listdir(folder) if folder.is_dir() and not folder.is_symlink() else []
    ids = {Path(name).stem for name in names if name.startswith("audit-") and name.endswith(".json")}
    return sorted(ids, reverse=True)


def read_report(ports: "ObservePorts", id: str, suffix: str) -> bytes | None:
    """None when it is not there, cannot be read, or is larger than any report."""
    try:
        data = ports.files.read(f"{folder_of(ports)}/{id}{suffix}")[0]
    except ReadFailed:
        return None
    return data if len(data) <= _LARGEST else None


def find_report(ports: "ObservePorts", wanted: str | None) -> str:
    """The last one, or the one whose id begins or ends so."""
    ids = report_ids(ports)
    if not ids:
        raise NotFound(f"There is no report in {folder_of(ports)}; `cairn observe audit` writes one.")
    if wanted is None:
        return ids[0]
    found = [id for id in ids if id == wanted] or [id for id in ids if id.startswith(wanted) or id.endswith(wanted)]
    if not found:
        raise NotFound(f"There is no report `{wanted}` in {folder_of(ports)}; --list shows them.", report=wanted)
    if len(found) > 1:
        raise UsageError(f"`{wanted}` fits {len(found)} reports, such as {found[0]} and {found[1]}; give more of it.")
    return found[0]


def reported_findings(ports: "ObservePorts") -> Iterator[ReportedFinding]:
    """Of reports in the repository, whoever made them; the newest word about an id comes last."""
    for id in reversed(report_ids(ports)[:_MOST]):
        yield from reported(read_report(ports, id, ".json") or b"")
