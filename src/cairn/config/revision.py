"""The settings as they would be with the committed files of another revision."""

from collections.abc import Callable

from cairn.config.layer import from_file
from cairn.config.old import from_old_file
from cairn.config.settings import LayeredSettings, merge
from cairn.core.paths import COMMITTED, OBSERVABILITY

_ORDER = ("default", "old", "committed", "local", "environment", "flag")


def settings_at(settings: LayeredSettings, read: Callable[[str], bytes | None]) -> LayeredSettings:
    """What the operator says on this machine stays."""
    said = []
    if (text := read(OBSERVABILITY)) is not None:
        said.append(from_old_file(OBSERVABILITY, text.decode("utf-8", "replace")))
    if (text := read(COMMITTED)) is not None:
        said.append(from_file("committed", COMMITTED, text.decode("utf-8", "replace")))
    layers = {id(layer): layer for layer in settings.origins.values()}.values()
    kept = [layer for layer in layers if layer.name not in ("old", "committed")]
    return merge(sorted([*kept, *said], key=lambda layer: _ORDER.index(layer.name)))
