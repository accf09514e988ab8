"""Check digits of numbers that states give to people. Most are python-stdnum's, which is imported for a candidate only."""

import re
from collections.abc import Callable
from datetime import date
from importlib import import_module

from cairn.scrub.rule import Category, Check

_GAPS = re.compile(r"[\s./()–-]+")
_DATE = re.compile(
    r"(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1[0-3]?\d(?!\d)|[0-3]?\d([-/.])[01]?\d\2(?:19|20)\d\d(?!\d)"
)
_COUNTED = ("0123456789", "1234567890", "9876543210")
_SHOWN = frozenset("123456789 987654321 12345678Z 00000000T AB123456C QQ123456C 078051120 219099999 457555462".split())
"""Numbers that descriptions of a format show."""

Valid = Callable[[str], bool]


def compact(text: str) -> str:
    return _GAPS.sub("", text).upper()


def valid(*names: str, otherwise: Category | None = None, category: Category = "direct") -> Check:
    """A check by one of these: modules of `stdnum`, or functions below when they begin with `own.`"""

    def check(match: re.Match[str]) -> Category | None:
        text = match["secret"] if "secret" in match.re.groupindex else match[0]
        number = compact(text)
        if is_shown(number) or _DATE.match(text):
            return None
        return category if any(_is_valid(name, text, number) for name in names) else otherwise

    return check


_PAN = re.compile(r"\bpan\b", re.IGNORECASE)


def pan(match: re.Match[str]) -> Category | None:
    """India's; in small letters only near its name."""
    named = _PAN.search(match.string, max(0, match.start() - 40), match.start())
    if match[0] in ("ABCDE1234F", "AAAPL1234C") or not (named or match[0].isupper()):
        return None
    return "direct"


def is_shown(number: str) -> bool:
    """Typed where a number should stand: one digit again and again, or counted up."""
    digits = "".join(char for char in number if char.isdigit())
    counted = len(digits) >= 8 and any(digits in way * 2 for way in _COUNTED)
    return number in _SHOWN or len(set(digits)) < 3 or counted


def _is_valid(name: str, text: str, number: str) -> bool:
    """As it is written first: a hyphen or a plus may tell the century."""
    if name.startswith("own."):
        return _OWN[name](number)
    country = name[:2].upper()
    if number.startswith(country) and number[2:].isdigit():
        number = text = number[2:]
    is_valid = import_module(f"stdnum.{name}").is_valid
    return bool(is_valid(text.replace("\xa0", " ")) or is_valid(number))


def _is_date(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _short_date(digits: str, order: str = "ymd") -> bool:
    """Six digits; the century is open."""
    parts = {name: int(digits[at : at + 2]) for name, at in zip(order, (0, 2, 4), strict=True)}
    return _is_date(2000 + parts["y"], parts["m"], parts["d"]) or _is_date(1900 + parts["y"], parts["m"], parts["d"])


def _weighed(digits: str, weights: tuple[int, ...]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def _anything(number: str) -> bool:
    return bool(number)


def _gb_nino(number: str) -> bool:
    refused = {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}
    return bool(re.fullmatch(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]?", number)) and number[:2] not in refused


def _us_ssn(number: str) -> bool:
    """No check digit; some ranges were never given out. Those that begin with 9 are of taxpayers without one."""
    return bool(re.fullmatch(r"(?!000|666)\d{3}(?!00)\d\d(?!0000)\d{4}", number))


def _ru_snils(number: str) -> bool:
    total = _weighed(number[:9], (9, 8, 7, 6, 5, 4, 3, 2, 1)) % 101
    return len(number) == 11 and total % 100 == int(number[9:])


def _de_rvnr(number: str) -> bool:
    """Area, birthday, first letter of the name, serial, check digit."""
    if not re.fullmatch(r"\d{8}[A-Z]\d{3}", number):
        return False
    digits = number[:8] + f"{ord(number[8]) - 64:02}" + number[9:11]
    total = 0
    for digit, weight in zip(digits, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1), strict=True):
        total += sum(map(int, str(int(digit) * weight)))
    return total % 10 == int(number[11])


def _hu_tax(number: str) -> bool:
    return number[0] == "8" and _weighed(number[:9], tuple(range(1, 10))) % 11 == int(number[9])


def _hu_taj(number: str) -> bool:
    return _weighed(number[:8], (3, 7) * 4) % 10 == int(number[8])


def _lv_code(number: str) -> bool:
    if number.startswith("32"):
        return True
    total = 1101 - _weighed(number[:10], (1, 6, 3, 7, 9, 10, 5, 8, 4, 2))
    return total % 11 == int(number[10])


def _lu_id(number: str) -> bool:
    from stdnum import luhn, verhoeff

    return bool(
        _is_date(int(number[:4]), int(number[4:6]), int(number[6:8]))
        and luhn.is_valid(number[:12])
        and verhoeff.is_valid(number[:11] + number[12])
    )


def _kz_iin(number: str) -> bool:
    if not _short_date(number[:6]):
        return False
    total = _weighed(number[:11], tuple(range(1, 12))) % 11
    if total == 10:
        total = _weighed(number[:11], (3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2)) % 11
    return total == int(number[11])


def _tw_id(number: str) -> bool:
    code = 10 + "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(number[0])
    return (code // 10 + code % 10 * 9 + _weighed(number[1:9], (8, 7, 6, 5, 4, 3, 2, 1)) + int(number[9])) % 10 == 0


def _sg_nric(number: str) -> bool:
    total = _weighed(number[1:8], (2, 7, 6, 5, 4, 3, 2)) + {"T": 4, "G": 4, "M": 3}.get(number[0], 0)
    if number[0] == "M":
        return "KLJNPQRTUWX"[10 - total % 11] == number[8]
    return ("JZIHGFEDCBA" if number[0] in "ST" else "XWUTRQPNMLK")[total % 11] == number[8]


def _hk_id(number: str) -> bool:
    letters, digits, last = number[:-7], number[-7:-1], number[-1]
    values = [36, *(ord(char) - 55 for char in letters)][-2:]
    total = _weighed("", ()) + values[0] * 9 + values[1] * 8 + _weighed(digits, (7, 6, 5, 4, 3, 2))
    return (total + (10 if last == "A" else int(last))) % 11 == 0


def _ir_id(number: str) -> bool:
    rest = _weighed(number[:9], (10, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return int(number[9]) == (rest if rest < 2 else 11 - rest)


def _luhn(number: str) -> bool:
    from cairn.scrub.checks import luhn

    return luhn(number)


def _es_naf(number: str) -> bool:
    """Of social security: two of the province, eight, and the remainder modulo 97."""
    body = number[:10]
    whole = int(body if body[2] != "0" else body[:2] + body[3:])
    return whole % 97 == int(number[10:12])


def _uy_ci(number: str) -> bool:
    digits = number.zfill(8)
    return (_weighed(digits[:7], (2, 9, 8, 7, 6, 3, 4)) + int(digits[7])) % 10 == 0


def _long_birthday(number: str) -> bool:
    return _is_date(int(number[:4]), int(number[4:6]), int(number[6:8]))


def _cn_date(number: str) -> bool:
    return _is_date(int(number[6:10]), int(number[10:12]), int(number[12:14]))


def _mx_curp(number: str) -> bool:
    return _short_date(number[4:10])


def _id_nik(number: str) -> bool:
    """Women's days are counted from 41 on."""
    day = int(number[6:8])
    return 1 <= (day - 40 if day > 40 else day) <= 31 and 1 <= int(number[8:10]) <= 12


def _za_id(number: str) -> bool:
    return _short_date(number[:6]) and number[10] in "012" and _luhn(number)


def _br_pis(number: str) -> bool:
    rest = 11 - _weighed(number[:10], (3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return int(number[10]) == (0 if rest > 9 else rest)


def _au_medicare(number: str) -> bool:
    return _weighed(number[:8], (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == int(number[8])


def _by_birthday(number: str) -> bool:
    """Six digits of a birthday come first; there is no check digit that holds for all."""
    return _short_date(number[:6])


def _by_birthday_first_day(number: str) -> bool:
    return _short_date(number[:6], "dmy")


_OWN: dict[str, Valid] = {
    "own.any": _anything,
    "own.gb_nino": _gb_nino,
    "own.us_ssn": _us_ssn,
    "own.ru_snils": _ru_snils,
    "own.de_rvnr": _de_rvnr,
    "own.hu_tax": _hu_tax,
    "own.hu_taj": _hu_taj,
    "own.lv_code": _lv_code,
    "own.lu_id": _lu_id,
    "own.kz_iin": _kz_iin,
    "own.tw_id": _tw_id,
    "own.sg_nric": _sg_nric,
    "own.hk_id": _hk_id,
    "own.ir_id": _ir_id,
    "own.luhn": _luhn,
    "own.es_naf": _es_naf,
    "own.uy_ci": _uy_ci,
    "own.long_ymd": _long_birthday,
    "own.cn_date": _cn_date,
    "own.mx_curp": _mx_curp,
    "own.id_nik": _id_nik,
    "own.za_id": _za_id,
    "own.br_pis": _br_pis,
    "own.au_medicare": _au_medicare,
    "own.ymd": _by_birthday,
    "own.dmy": _by_birthday_first_day,
}
