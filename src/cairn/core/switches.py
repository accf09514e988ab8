"""Switches of the environment that are no settings: they change how one run behaves and are never stored."""

from collections.abc import Mapping
from typing import NamedTuple

_OFF = ("", "0", "false", "no", "off")


class Switches(NamedTuple):
    off: bool
    """`CAIRN_OFF=1`: hooks do nothing, and neither notes of turns nor questions are written down."""
    json: bool
    """`CAIRN_JSON=1`: as if `--json` was given."""
    no_color: bool
    """`NO_COLOR` set to anything."""
    disabled_kinds: frozenset[str]
    """Extension kinds of which nothing runs, from `CAIRN_DISABLE_ALL_PROVIDERS=1` and its siblings."""


def read_switches(env: Mapping[str, str]) -> Switches:
    kinds = ("provider", "extractor", "analyzer")
    return Switches(
        off=_on(env, "CAIRN_OFF"),
        json=_on(env, "CAIRN_JSON"),
        no_color=bool(env.get("NO_COLOR")),
        disabled_kinds=frozenset(kind for kind in kinds if _on(env, f"CAIRN_DISABLE_ALL_{kind.upper()}S")),
    )


def _on(env: Mapping[str, str], name: str) -> bool:
    return env.get(name, "").strip().lower() not in _OFF
