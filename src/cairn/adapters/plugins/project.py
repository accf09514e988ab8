"""Plugins that lie in the project itself. They came with the repository, so they are listed and not run."""

import json
from pathlib import Path
from typing import Any

from cairn.core.extension_points import EXTENSION_KINDS, folder_of
from cairn.core.registry import PluginProblem, ProjectPlugin

_REQUIRED = ("version", "specCompat", "description")
_OPTIONAL = ("catalogCompat", "order", "storage", "author", "license", "homepage", "repository")


def project_plugins(root: Path) -> list[ProjectPlugin]:
    """Every folder below `.cairn/plugins` with a `plugin.json`."""
    base = root / ".cairn" / "plugins"
    if not base.is_dir():
        return []
    manifests = sorted(p for p in base.glob("*/plugin.json") if not p.parent.is_symlink())
    return [_read(path) for path in manifests]


def _read(path: Path) -> ProjectPlugin:
    id = path.parent.name
    try:
        manifest: Any = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        return _broken(id, "", f"plugin.json: {error}")
    if not isinstance(manifest, dict):
        return _broken(id, "", "plugin.json must be an object")
    version = str(manifest.get("version", ""))
    wrong = [f"must have required property '{key}'" for key in _REQUIRED if key not in manifest]
    wrong += [f"unknown property '{key}'" for key in manifest if key not in (*_REQUIRED, *_OPTIONAL)]
    if wrong:
        return _broken(id, version, "; ".join(wrong))
    problem = PluginProblem(
        id, version, None, "untrusted", "it came with the repository; only installed plugins run in this version"
    )
    notes = () if "catalogCompat" in manifest else ("plugin.json has no catalogCompat; the current catalog is assumed",)
    return ProjectPlugin(id, version, str(manifest["description"]), _extensions(path.parent), problem, notes)


def _broken(id: str, version: str, message: str) -> ProjectPlugin:
    return ProjectPlugin(id, version, "", (), PluginProblem(id, version, None, "invalid-manifest", message))


def _extensions(folder: Path) -> tuple[str, ...]:
    return tuple(
        f"{kind}/{path.parent.name}"
        for kind in EXTENSION_KINDS
        for path in sorted(folder.glob(f"{folder_of(kind)}/*/extension.py"))
    )
