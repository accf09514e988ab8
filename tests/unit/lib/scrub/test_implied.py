"""Finds a value that only its neighbour names, however the text is wrapped, and nothing beside ordinary neighbours."""

import json
import string
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from cairn.lib.scrub.find import find
from cairn.lib.yaml.parse import load_yaml
from drawn_secrets import ALNUM, HEX, URLSAFE, chars

TEXTS: dict[str, list[str]] = load_yaml((Path(__file__).parent / "implied.yml").read_text("utf-8"))
LOWER = string.ascii_lowercase + string.digits


def _grouped(alphabet: str, sizes: tuple[int, ...]) -> Callable[[Random], str]:
    return lambda draw: "-".join(chars(draw, alphabet, size) for size in sizes)


DRAWN: dict[str, Callable[[Random], str]] = {
    "password": lambda draw: (
        f"{draw.choice(['Kestrel', 'Quarry', 'Bramble'])}{draw.randrange(210, 989)}!{chars(draw, ALNUM, 3)}"
    ),
    "key": lambda draw: f"{chars(draw, ALNUM, 36)}k7Q2",
    "unnamed": lambda draw: f"{chars(draw, ALNUM, 30)}k7Q2",
    "removed": lambda draw: f"{chars(draw, ALNUM, 36)}k7Q2",
    "long": lambda draw: f"{chars(draw, ALNUM, 40)}R8w=",
    "hexadecimal": lambda draw: chars(draw, HEX, 34),
    "uuid": _grouped(HEX, (8, 4, 4, 4, 12)),
    "cookie": lambda draw: f"CfDJ8{chars(draw, URLSAFE, 120)}",
    "crypted": lambda draw: f"$9${chars(draw, ALNUM, 14)}${chars(draw, ALNUM + './', 43)}",
    "eight": lambda draw: str(draw.randrange(30_000_000, 90_000_000)),
    "code": lambda draw: f"{chars(draw, LOWER, 7)}4{chars(draw, LOWER, 4)}",
    "digits": lambda draw: str(draw.randrange(310_000, 989_000)),
    "license": _grouped(string.ascii_uppercase + string.digits, (5, 5, 5)),
}


def _numbered(text: str) -> str:
    return "\n".join(f"{number:6}→{line}" for number, line in enumerate(text.split("\n"), 27))


WRAPPED: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "after prose": lambda text: f"Output of the last step:\n\n{text}\n\nTell me if anything is missing.",
    "listing": _numbered,
    "json": lambda text: json.dumps({"type": "text", "text": text}, ensure_ascii=False),
}
CASES = [(kind, text) for kind in DRAWN for text in TEXTS[kind]]


def _is_found(text: str, secret: str) -> bool:
    at = text.index(secret)
    return any(hit.start <= at and at + len(secret) <= hit.end for hit in find(text))


@pytest.mark.parametrize("kind, text", CASES)
def test_a_neighbour_gives_a_value_away(kind: str, text: str) -> None:
    draw = Random(text)
    missed = []
    for name, wrapped in WRAPPED.items():
        if (kind, name) == ("removed", "listing"):
            continue  # the number of the next line stands between the two
        secret = DRAWN[kind](draw)
        if not _is_found(wrapped(text.replace("{V}", secret)), secret):
            missed.append((name, wrapped(text.replace("{V}", secret))))
    assert not missed


@pytest.mark.parametrize("text", TEXTS["nothing"])
def test_ordinary_neighbours_give_nothing_away(text: str) -> None:
    found = [(name, hit.rule) for name, wrapped in WRAPPED.items() for hit in find(wrapped(text))]
    assert not found
