"""Cards and bank accounts: what a match is worth."""

import re

from cairn.lib.scrub.arithmetic import is_iban, luhn
from cairn.lib.scrub.nearby import column_of, compact
from cairn.lib.scrub.nearby import is_shown as is_shown_number
from cairn.lib.scrub.rule import Category

Match = re.Match[str]


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


_CARDS_TO_TEST_WITH = """
4111111111111111 4242424242424242 4012888888881881 4000056655665556 5555555555554444 5105105105105100
2223003122003222 5200828282828210 378282246310005 371449635398431 378734493671000 6011111111111117
6011000990139424 3056930009020004 36227206271667 30569309025904 38520000023237 3566002020360505
3530111333300000 6200000000000005 4000000000000002 4000000000009995 4000002500003155 4000000000000077
"""
_TEST_CARDS = frozenset(_CARDS_TO_TEST_WITH.split())
_CARD = re.compile(
    r"4(?:\d{15}|\d{18})|5[1-5]\d{14}|220[0-4]\d{12}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|"
    r"6(?:011|5\d\d|4[4-9]\d)\d{12,15}|3(?:0[0-59]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12,15}|62\d{14,17}|"
    r"(?:50|5[678]|6\d|81)\d{14}|9792\d{12}|4\d{12}"
)


_CARD_WORD = re.compile(
    r"card|(?<![^\W\d_])(?:pan|cc|visa|amex|ccn)(?![^\W\d_])|master ?card|kart|kort|kaart|carte|carta|tarjeta|cartão|cartao|карт|カード|卡|카드|بطاق|כרטיס|κάρτ|thẻ|บัตร",
    re.IGNORECASE,
)
_COMMA = re.compile(r",[ ]?\d")


def card(match: Match) -> Category | None:
    digits = _digits(match[0])
    if not _CARD.fullmatch(digits) or not luhn(digits) or len(set(digits)) < 2:
        return None
    if digits in _TEST_CARDS or digits.startswith("400000"):
        return None
    beside = match.string[match.start() - 1 : match.start()] == "," or _COMMA.match(match.string, match.end())
    listed = match[0].isdigit() and (
        (beside and _among_numbers(match)) or _in_list_of_numbers(match) or _is_beside_long(match)
    )
    if len(digits) == 13 or listed:
        return "direct" if _is_called_card(match) else None
    return "direct"


def _is_called_card(match: Match) -> bool:
    before = match.string[max(0, match.start() - 40) : match.start()]
    return bool(_CARD_WORD.search(column_of(match.string, match.start())) or _CARD_WORD.search(before))


_NUMBER_BEFORE = re.compile(r"(?:^|\n)[\d\s,.;\[\]{}()x-]{0,200},$")
_TELLING_ROW = re.compile(r"[^\W\d_]|\d\d/\d\d")


def _among_numbers(match: Match) -> bool:
    """On a line of nothing but numbers."""
    line = match.string.rfind("\n", max(0, match.start() - 200), match.start()) + 1
    after = match.string[match.end() : match.end() + 100].partition("\n")[0]
    return not _TELLING_ROW.search(match.string[max(line, match.start() - 200) : match.start()] + after)


_LONG_BEFORE, _LONG_AFTER = re.compile(r"\d{6},[ ]?$"), re.compile(r",[ ]?\d{6}")


def _is_beside_long(match: Match) -> bool:
    before = match.string[max(0, match.start() - 8) : match.start()]
    return bool(_LONG_BEFORE.search(before) or _LONG_AFTER.match(match.string, match.end()))


def _in_list_of_numbers(match: Match) -> bool:
    """Behind a comma and other numbers, without a word on the line."""
    return bool(_NUMBER_BEFORE.search(match.string[max(0, match.start() - 200) : match.start()]))


_SHOWN_ACCOUNTS = frozenset(
    """
DE89370400440532013000 GB82WEST12345698765432 GB29NWBK60161331926819 GB33BUKB20201555555555 NL91ABNA0417164300
FR1420041010050500013M02606 FR7630006000011234567890189 ES9121000418450200051332 IT60X0542811101000000123456
CH9300762011623852957 AT611904300234573201 PL61109010140000071219812874 SE4550000000058398257466 NO9386011117947
DK5000400440116243 FI2112345600000785 IE29AIBK93115212345678 LU280019400644750000 PT50000201231234567890154
BE68539007547034 BE71096123456769
""".split()
)
"""Those that every description of the format shows."""


def iban(match: Match) -> Category | None:
    number = compact(match[0].replace("_", ""))
    if not is_iban(number):
        return None
    digits = len(_DIGITS.findall(number[4:]))
    return None if number in _SHOWN_ACCOUNTS or (digits > 8 and is_shown_number(number[4:])) else "direct"


_DIGITS = re.compile(r"\d")
