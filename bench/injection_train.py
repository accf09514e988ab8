"""Trains the injection detector and writes its weights. Needs numpy, scipy and scikit-learn, which Cairn does not.

    python bench/injection_train.py --lines LINES.jsonl --pages PAGES.jsonl… --out instructions.bin
    python bench/injection_train.py --lines LINES.jsonl --pages PAGES.jsonl… --check PAGES.jsonl… --folds 4

LINES has a labelled set without the pages around its hostile lines: `text`, `label`, `lang`, `kind` and `situation` per
line. Lines of one situation are never on both sides of a split. PAGES has honest pages as `repo`, `path` and `text`.
`bench/injection/` has patterns that are expanded to more lines; they are used to train only.
"""

import argparse
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, hstack, vstack  # type: ignore[import-not-found,import-untyped,unused-ignore]
from sklearn.linear_model import LogisticRegression  # type: ignore[import-not-found,import-untyped,unused-ignore]

from cairn.lib.injection.marks import passages, readable, stems, words_of
from cairn.lib.injection.traits import traits
from injection_phrases import sentences

SIZE, FIRST_SIZE = 1 << 17, 1 << 13
PATTERNS = Path(__file__).parent / "injection"
EACH = 20
"""Sentences per pattern."""
NEAR = -3.0
"""Score from which on an honest passage is used in the second round, whatever `--keep` is."""
WEIGHTS = {"hostile": 10.0, "honest": 10.0, "made-hostile": 2.0, "made-honest": 2.0, "page": 1.0}


class Rows(NamedTuple):
    traits: Any
    words: Any
    owner: Any
    """Number of the line or page that each row is a passage of."""
    total: int


class Weights(NamedTuple):
    values: Any
    bias: float

    def of(self, matrix: Any) -> Any:
        return matrix @ self.values + self.bias


def rows_of(texts: Iterable[str], keep: float = 1.0, seed: int = 1) -> Rows:
    """One row per passage; with `keep` below 1 a sample of different ones."""
    random, seen = Random(seed), set[int]()
    many, few, owner, count = [], [], [], 0
    for count, text in enumerate(texts, 1):
        plain = readable(text)
        for start, end in passages(plain):
            passage = plain[start:end]
            if keep < 1:
                if (key := zlib.crc32(passage.encode("utf-8", "replace"))) in seen or random.random() > keep:
                    continue
                seen.add(key)
            many.append([zlib.crc32(one.encode("utf-8", "replace")) % SIZE for one in traits(passage)])
            few.append(
                [
                    zlib.crc32(p.encode("utf-8", "replace")) % FIRST_SIZE
                    for w in words_of(passage.lower())
                    for p in stems(w)
                ]
            )
            owner.append(count - 1)
    return Rows(matrix(many, SIZE), matrix(few, FIRST_SIZE), np.array(owner, dtype=np.int64), count)


def matrix(rows: Sequence[Sequence[int]], size: int) -> Any:
    ends = np.cumsum([0, *(len(row) for row in rows)])
    columns = np.fromiter((at for row in rows for at in row), dtype=np.int32, count=int(ends[-1]))
    return csr_matrix((np.ones(len(columns), np.float32), columns, ends), shape=(len(rows), size))


def texts_of(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        with path.open(encoding="utf-8") as lines:
            yield from (json.loads(line)["text"] for line in lines)


def fitted(parts: Sequence[tuple[Any, bool, float]], strength: float, start: Any = None) -> Weights:
    """Of matrices, each with its label and the weight of one row. The score by `start`, earlier weights, is one more
    column, so that what they know stays."""
    labels = np.concatenate([np.full(part.shape[0], hostile, dtype=np.int8) for part, hostile, _ in parts])
    weights = np.concatenate([np.full(part.shape[0], weight) for part, _, weight in parts])
    learner = LogisticRegression(C=strength, solver="liblinear", max_iter=80, tol=1e-3)
    rows = vstack([part for part, _, _ in parts])
    if start is not None:
        rows = hstack([rows, csr_matrix((rows @ start)[:, None])]).tocsr()
    learner.fit(rows, labels, sample_weight=weights)
    found = learner.coef_[0]
    values = found if start is None else found[:-1] + found[-1] * start
    return Weights(values, float(learner.intercept_[0]))


def earlier(path: Path) -> Any:
    """The weights of a file that an earlier run wrote."""
    head, _, body = path.read_bytes().partition(b"\n")
    numbers = json.loads(head)
    data = np.frombuffer(zlib.decompress(body), np.int8)
    return data[: numbers["size"]] * numbers["scale"]


def written_lines(path: Path) -> list[dict[str, str]]:
    """JSON lines, or lines of text: `!` before hostile ones, `.` before honest ones."""
    rows = path.read_text("utf-8").splitlines()
    if path.suffix != ".txt":
        return [json.loads(row) for row in rows]
    return [
        {
            "text": row[1:].replace("\\n", "\n"),
            "label": "hostile" if row[0] == "!" else "honest",
            "lang": "-",
            "kind": "-",
            "situation": row,
        }
        for row in rows
    ]


def highest(scores: Any, rows: Rows) -> Any:
    """By line or page, the score of its worst passage."""
    found = np.full(rows.total, -99.0)
    np.maximum.at(found, rows.owner, scores)
    return found


def mined(texts: Iterable[str], weights: Weights, first: Weights, first_threshold: float) -> Rows:
    """Passages of honest pages that come near to being marked, each once."""
    seen: set[int] = set()
    near: list[str] = []
    for text in texts:
        plain = readable(text)
        low = plain.lower()
        for start, end in passages(plain):
            if (key := zlib.crc32(low[start:end].encode("utf-8", "replace"))) in seen:
                continue
            seen.add(key)
            columns = [
                zlib.crc32(p.encode("utf-8", "replace")) % FIRST_SIZE
                for w in words_of(low[start:end])
                for p in stems(w)
            ]
            if first.values[columns].sum() + first.bias <= first_threshold:
                continue
            columns = [zlib.crc32(one.encode("utf-8", "replace")) % SIZE for one in traits(plain[start:end])]
            if weights.values[columns].sum() + weights.bias > NEAR:
                near.append(plain[start:end])
    print(f"{len(near):,} of {len(seen):,} honest passages come near", flush=True)
    return rows_of(near)


# --- writing ----------------------------------------------------------------------------------------------------------


def packed(weights: Weights, first: Weights, threshold: float, first_threshold: float) -> bytes:
    scale, first_scale = (float(np.abs(one.values).max()) / 127 for one in (weights, first))
    data = [np.rint(weights.values / scale), np.rint(first.values / first_scale)]
    head = {
        "size": SIZE,
        "scale": scale,
        "bias": weights.bias,
        "threshold": threshold,
        "first_scale": first_scale,
        "first_bias": first.bias,
        "first_threshold": first_threshold,
    }
    body = zlib.compress(np.concatenate(data).astype(np.int8).tobytes(), 9)
    return json.dumps(head).encode() + b"\n" + body


# --- the two runs -----------------------------------------------------------------------------------------------------


class Material(NamedTuple):
    hostile: Rows
    honest: Rows
    made_hostile: Rows
    made_honest: Rows
    pages: Rows

    def parts(self, column: str, hostile: Any, honest: Any) -> list[tuple[Any, bool, float]]:
        return [
            (getattr(self.hostile, column)[hostile], True, WEIGHTS["hostile"]),
            (getattr(self.honest, column)[honest], False, WEIGHTS["honest"]),
            (getattr(self.made_hostile, column), True, WEIGHTS["made-hostile"]),
            (getattr(self.made_honest, column), False, WEIGHTS["made-honest"]),
            (getattr(self.pages, column), False, WEIGHTS["page"]),
        ]


class Both(NamedTuple):
    weights: Weights
    first: Weights
    first_threshold: float


def both(material: Material, threshold: float, strength: float, start: Any = None) -> Both:
    everything = slice(None)
    weights = fitted(material.parts("traits", everything, everything), strength, start)
    first = fitted(material.parts("words", everything, everything), strength)
    marked = weights.of(material.hostile.traits) > threshold
    return Both(weights, first, float(np.quantile(first.of(material.hostile.words[marked]), 0.01)))


def with_near(material: Material, paths: Sequence[Path], strength: float) -> Material:
    """A second round: with all honest passages that the first round would nearly mark. Not for the first look, which
    has to find them among ordinary ones."""
    found = both(material, 0.0, strength)
    near = mined(texts_of(paths), *found)
    traits_of_both = vstack([material.pages.traits, near.traits], format="csr")
    return material._replace(pages=material.pages._replace(traits=traits_of_both))


def train(material: Material, out: Path, threshold: float, strength: float, start: Any) -> None:
    weights, first, first_threshold = both(material, threshold, strength, start)
    passing = float((first.of(material.pages.words) > first_threshold).mean())
    out.write_bytes(packed(weights, first, threshold, first_threshold))
    print(f"{out}: {out.stat().st_size:,} bytes; the first look lets {passing:.3f} of honest passages pass")


def folds_of(lines: Sequence[dict[str, str]], folds: int) -> Any:
    situations = sorted({line["situation"] for line in lines})
    Random(3).shuffle(situations)
    number = {name: at % folds for at, name in enumerate(situations)}
    return np.array([number[line["situation"]] for line in lines])


def validate(material: Material, lines: Sequence[Sequence[dict[str, str]]], check: Rows, folds: int, c: float) -> None:
    hostile, honest = material.hostile, material.honest
    of_hostile, of_honest = folds_of(lines[0], folds), folds_of(lines[1], folds)
    found, wrong = np.full(hostile.total, -99.0), np.full(honest.total, -99.0)
    pages = []
    for fold in range(folds):
        inside, calm = of_hostile[hostile.owner] != fold, of_honest[honest.owner] != fold
        weights = fitted(material.parts("traits", inside, calm), c)
        found = np.where(of_hostile == fold, highest(weights.of(hostile.traits), hostile), found)
        wrong = np.where(of_honest == fold, highest(weights.of(honest.traits), honest), wrong)
        pages.append(highest(weights.of(check.traits), check))
    kinds = np.array([line["kind"] for line in lines[0]])
    english = np.array([line["lang"] == "en" for line in lines[0]])
    for threshold in (2.0, 1.5, 1.0, 0.5, 0.0, -0.5, -1.0):
        by_kind = {str(kind): round(float((found[kinds == kind] > threshold).mean()), 2) for kind in sorted(set(kinds))}
        recall = [f"{(found[part] > threshold).mean():.3f}" for part in (kinds != "", english, ~english)]
        marked = np.mean([(one > threshold).mean() for one in pages])
        print(f"threshold {threshold:4}: recall {recall[0]} (en {recall[1]}, others {recall[2]}), ", end="")
        print(f"honest lines {(wrong > threshold).mean():.3f}, honest pages {marked:.4f} {by_kind}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=Path, nargs="+", required=True)
    parser.add_argument("--start", type=Path, help="Weights of an earlier run, whose score is used as well.")
    parser.add_argument("--pages", type=Path, nargs="+", required=True)
    parser.add_argument("--check", type=Path, nargs="*", default=[], help="Honest pages that are only measured.")
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--keep", type=float, default=0.25, help="Share of the passages of honest pages.")
    parser.add_argument("--strength", type=float, default=0.1, help="Inverse of the regularisation.")
    parser.add_argument("--threshold", type=float, default=1.0)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    lines = [line for path in given.lines for line in written_lines(path)]
    split = [[line for line in lines if line["label"] == label] for label in ("hostile", "honest")]
    written = [rows_of(line["text"] for line in part) for part in split]
    made = [rows_of(text for _, text in sentences(PATTERNS / f"{name}.txt", EACH)) for name in ("hostile", "honest")]
    material = Material(written[0], written[1], made[0], made[1], rows_of(texts_of(given.pages), given.keep))
    print(f"{material.pages.traits.shape[0]:,} passages of {material.pages.total:,} honest pages", flush=True)
    material = with_near(material, given.pages, given.strength)
    if given.folds:
        validate(material, split, rows_of(texts_of(given.check)), given.folds, given.strength)
    if given.out:
        start = earlier(given.start) if given.start else None
        train(material, given.out, given.threshold, given.strength, start)


if __name__ == "__main__":
    main()
