"""Keys of wallets: what a match is worth by its checksum, or by how its numbers are spread."""

import re
from hashlib import sha256

from cairn.lib.scrub.rule import Category
from cairn.lib.scrub.value import entropy, is_placeholder

Match = re.Match[str]

_BASE58 = {char: value for value, char in enumerate("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")}
_CHECKSUM = 4
_SHOWN_BYTES = b"\x00" * 31 + b"\x01"
"""The smallest key, which descriptions of the format show."""
_SHOWN_HEX = (
    "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
    "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
    "5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
    "4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d",
)
"""Keys that local chains for tests give to everybody."""
_HEX = re.compile(r"[0-9a-f]{64}", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_LARGEST, _SPREAD, _HALF = 255, 45, 128
"""Sixty-four bytes drawn by lot have 56 different values."""
_NAMED = re.compile(
    r"solana|keypair|secret|private|wallet|id\.json|phantom|payer|signer|authority|mnemonic", re.IGNORECASE
)
_OF_DIGEST = re.compile(r"hash|digest|sha|expected|signature|public|pubkey|nonce", re.IGNORECASE)
_BEFORE = 120


def exported(match: Match) -> Category | None:
    """A private key as wallets export it: a byte for the network, 32 bytes, and the start of a hash over them."""
    data = _bytes(match[0])
    body, check = data[:-_CHECKSUM], data[-_CHECKSUM:]
    if sha256(sha256(body).digest()).digest()[:_CHECKSUM] != check or body[1:33] == _SHOWN_BYTES:
        return None
    return "direct"


def _bytes(text: str) -> bytes:
    number = 0
    for char in text:
        number = number * 58 + _BASE58[char]
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def listed(match: Match) -> Category | None:
    """Sixty-four hexadecimal digits, or several times as many, where a wallet has its keys."""
    keys = _HEX.findall(match["secret"])
    own = [key for key in keys if key.lower() not in _SHOWN_HEX and not is_placeholder(key) and entropy(key) >= 3.0]
    return "direct" if own else None


def in_bytes(match: Match) -> Category | None:
    """A key and the public key that belongs to it, as a list of 64 bytes; without a word for it, a hint."""
    numbers = [int(number) for number in _NUMBER.findall(match["secret"])]
    if max(numbers) > _LARGEST or max(numbers) < _HALF or len(set(numbers)) < _SPREAD or numbers == sorted(numbers):
        return None
    before = match.string[max(0, match.start() - _BEFORE) : match.start()]
    if _OF_DIGEST.search(before.rpartition("\n")[2]):
        return None
    return "direct" if _NAMED.search(before) else "indirect"
