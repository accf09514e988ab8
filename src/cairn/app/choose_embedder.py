"""Which embedder makes the vectors of search: none, unless the operator names one."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from cairn.core.ports.runtime import Settings
from cairn.retrieve.embeddings import COMMAND, KEY

if TYPE_CHECKING:
    from cairn.core.ports.search import Embedder


def choose_embedder(settings: Settings, *, env: Mapping[str, str], folder: Path, seconds: float) -> "Embedder | None":
    kind = settings.text(KEY)
    if kind == "off":
        return None
    if kind == "wordllama":
        from cairn.adapters.embed.wordllama import wordllama

        return wordllama()
    if kind == "minilm":
        from cairn.adapters.embed.minilm import minilm

        return minilm()
    from cairn.adapters.embed.command import CommandEmbedder
    from cairn.errors import ConfigError

    command = settings.optional_text(COMMAND)
    if not command:
        raise ConfigError(f"`{KEY}` is command, and there is none; `cairn config set --local {COMMAND} …` names it.")
    return CommandEmbedder(command, env=env, folder=folder, seconds=seconds)
