"""Keys of wallets and machine readable zones are found by their check digits, and what only looks so is left."""

from hashlib import sha256
from random import Random

import pytest

from cairn.lib.scrub.find import find
from drawn_secrets import HEX, chars

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
EACH = 30


def hits(text: str) -> list[tuple[str, str, str]]:
    return [(hit.rule, hit.category, text[hit.start : hit.end]) for hit in find(text)]


def _base58(data: bytes) -> str:
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = BASE58[digit] + text
    return text


def exported(draw: Random, network: int, *, compressed: bool) -> str:
    body = bytes([network]) + draw.randbytes(32) + b"\x01" * compressed
    return _base58(body + sha256(sha256(body).digest()).digest()[:4])


@pytest.mark.parametrize("compressed", [True, False])
@pytest.mark.parametrize("network", [0x80, 0xEF])
def test_an_exported_key_is_found_anywhere(network: int, compressed: bool) -> None:
    draw = Random(network)
    for _ in range(EACH):
        key = exported(draw, network, compressed=compressed)
        for text in (f"imported {key} today", f'{{"note": "{key}"}}', f"a\\n{key}\\n", f"$ wallet show\n{key}\n"):
            assert hits(text) == [("wallet-key", "direct", key)]


def test_a_key_with_a_wrong_checksum_is_none() -> None:
    draw = Random(4)
    for _ in range(EACH):
        key = exported(draw, 0x80, compressed=True)
        wrong = key[:20] + BASE58[(BASE58.index(key[20]) + 1) % 58] + key[21:]
        assert ("wallet-key", "direct", wrong) not in hits(f"imported {wrong} today")


HEXADECIMAL = (
    "networks: { main: { accounts: ['{k}'] } }",
    'accounts: [\n  "{k}",\n]',
    "const deployerPrivateKey = '{k}';",
    'wallet = new Wallet("{k}", provider)',
    "new ethers.Wallet('{k}')",
    "privateKeyToAccount('{k}')",
    '{"mnemonic": "{k}"}',
    "priv_key: {k}",
)


@pytest.mark.parametrize("place", HEXADECIMAL)
@pytest.mark.parametrize("head", ["", "0x"])
def test_hexadecimal_digits_are_a_key_where_a_wallet_has_it(place: str, head: str) -> None:
    draw = Random(place)
    key = head + chars(draw, HEX, 64)
    text = place.replace("{k}", key)
    assert any(found.endswith(key[-60:]) and category == "direct" for _, category, found in hits(text)), hits(text)


def test_every_key_of_a_list_is_taken_out() -> None:
    draw = Random(8)
    keys = [f"0x{chars(draw, HEX, 64)}" for _ in range(3)]
    (hit,) = hits(f'accounts: ["{keys[0]}", "{keys[1]}",\n  "{keys[2]}"]')
    assert all(key in hit[2] for key in keys)


@pytest.mark.parametrize(
    "line",
    [
        'accounts: ["0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"]',
        f"accounts: ['0x{'0' * 63}1']",
        "accounts: ['0x90F8bf6A479f320ead074411a4B0e7944Ea8c9C1']",
        "transactions: ['0x{h}']",
        "sha256: {h}",
        "commit {h} by the wallet team",
        "the accounts were moved in block {h}",
    ],
)
def test_other_hexadecimal_digits_are_left(line: str) -> None:
    assert not find(line.replace("{h}", chars(Random(line), HEX, 64)))


def _bytes(draw: Random) -> str:
    return f"[{','.join(str(byte) for byte in draw.randbytes(64))}]"


def test_a_list_of_bytes_is_a_key_where_something_says_so() -> None:
    draw = Random(6)
    for lead in ("cat wallet/id.json\n", "Keypair.fromSecretKey(Uint8Array.from(", "solana_keypair = ", "payer: "):
        numbers = _bytes(draw)
        assert hits(lead + numbers) == [("wallet-key", "direct", numbers)]
    spaced = _bytes(draw).replace(",", ",\n  ").replace("[", "[\n  ")
    assert hits(f"secretKey: {spaced}") == [("wallet-key", "direct", spaced)]
    assert [category for _, category, _ in hits(_bytes(draw))] == ["indirect"]


def test_other_lists_of_numbers_are_left() -> None:
    draw = Random(7)
    table = list(range(1, 65))
    draw.shuffle(table)
    assert not find(f"private static final int[] TABLE = {table};")
    assert not find(f"wallet sizes: {list(range(100, 164))}")
    assert not find(f"solana prices: {[draw.randrange(1000) for _ in range(64)]}")
    assert not find(f"solana: {[draw.randrange(256) for _ in range(63)]}")
    assert not find(f"expected_hash = {_bytes(draw)}")


# --- zones -----------------------------------------------------------------------------------------------------------


def _digit(field: str) -> str:
    values = (0 if char == "<" else int(char, 36) for char in field)
    return str(sum(value * (7, 3, 1)[place % 3] for place, value in enumerate(values)) % 10)


def _checked(field: str) -> str:
    return field + _digit(field)


def _day(draw: Random) -> str:
    return f"{draw.randrange(40, 99)}{draw.randrange(1, 13):02}{draw.randrange(1, 29):02}"


def _drawn_zone(draw: Random, kind: str) -> tuple[str, str]:
    """The zone, and what in it has the numbers."""
    number, nation = chars(draw, "CFGHJKLMNPRTVWXYZ0123456789", 9), draw.choice(["NOR", "D<<", "ITA", "PER"])
    dates = f"{_checked(_day(draw))}{draw.choice('MF<')}{_checked(_day(draw))}"
    if kind == "card":
        lines = f"I<{nation}{_checked(number)}".ljust(30, "<"), f"{dates}{nation}".ljust(29, "<") + "4"
        return "\n".join((*lines, "OAKWOOD<<MARTHA".ljust(30, "<"))), f"{lines[0]}\n{lines[1]}"
    size = 44 if kind == "passport" else 36
    below = f"{_checked(number)}{nation}{dates}".ljust(size - 2, "<") + "04"
    return f"P<{nation}OAKWOOD<<MARTHA".ljust(size, "<") + f"\n{below}", below


@pytest.mark.parametrize("kind", ["passport", "visa", "card"])
def test_a_zone_is_found_by_its_check_digits(kind: str) -> None:
    draw = Random(kind)
    for _ in range(EACH):
        whole, numbers = _drawn_zone(draw, kind)
        for text in (f"Scanned:\n{whole}\n", f"read: {numbers} end", whole.replace("\n", "\\n"), f'"{numbers}"'):
            found = hits(text)
            assert [(rule, category) for rule, category, _ in found] == [("passport", "direct")], text
            assert numbers.replace("\n", "\\n") in found[0][2] or numbers in found[0][2]


def test_a_zone_with_a_wrong_check_digit_or_of_no_state_is_left() -> None:
    draw = Random(3)
    _, numbers = _drawn_zone(draw, "passport")
    wrong = numbers[:9] + str((int(numbers[9]) + 1) % 10) + numbers[10:]
    assert not [hit for hit in hits(f"read: {wrong} end") if hit[0] == "passport"]
    shown = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10"
    assert not find(shown)
