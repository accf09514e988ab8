"""With the extra `embeddings`: vectors of words that come with the package, averaged. No network, no waiting."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from cairn.core.ports.search import Vector
from cairn.errors import MissingExtra

SENTENCE: Final = (
    "`retrieve.embeddings: wordllama` needs an extra; install it with `pip install 'cairn-kb[embeddings]'`, or set it "
    "to off."
)


class WordLlama:
    at_once = 500

    def __init__(self, model: Any, version: str) -> None:
        self._model = model
        self.id = f"wordllama-256-{version}"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [row.tolist() for row in self._model.embed(list(texts))] if texts else []


@cache
def wordllama() -> WordLlama:
    """Once a process: reading its 16 MB takes longer than a search."""
    try:
        import wordllama as package

        # Its own folder in the place of a cache: it has both files, looks for one of them under another name, and
        # would go to the network for it.
        model = package.WordLlama.load(cache_dir=Path(package.__file__).parent, disable_download=True)
    except ImportError:
        raise MissingExtra(SENTENCE) from None
    except (OSError, ValueError) as error:
        raise MissingExtra(
            f"wordllama is installed, but its model cannot be read ({error}); install it again."
        ) from None
    return WordLlama(model, str(getattr(package, "__version__", "0")))
