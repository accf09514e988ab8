"""Check digits of the numbers that states give to people, by country.

Written here and not taken from python-stdnum, because with it the base install would be larger than 30 MB. The tests
compare each of these with python-stdnum.
"""

import re
from collections.abc import Callable

from cairn.lib.scrub.arithmetic import long_date, luhn, mod_11_10, short_date, verhoeff, weighed

Valid = Callable[[str], bool]


# --- western Europe ---------------------------------------------------------------------------------------------------


def be_nn(number: str) -> bool:
    """Months of people without a residence are counted from 21 or 41 on; a day may be unknown, and then is anything."""
    body, check = int(number[:9]), int(number[9:])
    return int(number[2:4]) % 20 <= 12 and check in (97 - body % 97, 97 - (2_000_000_000 + body) % 97)


def nl_bsn(number: str) -> bool:
    total = weighed(number, (9, 8, 7, 6, 5, 4, 3, 2, -1))
    return int(number) > 0 and total % 11 == 0


def fr_nir(number: str) -> bool:
    body = number[:13].replace("2A", "19").replace("2B", "18")
    return body.isdigit() and number[13:].isdigit() and 97 - int(body) % 97 == int(number[13:])


def fr_nif(number: str) -> bool:
    return int(number[:10]) % 511 == int(number[10:])


def de_idnr(number: str) -> bool:
    return number[0] != "0" and mod_11_10(number)


def de_rvnr(number: str) -> bool:
    """Area, birthday, first letter of the name, serial, check digit."""
    if not re.fullmatch(r"\d{8}[A-Z]\d{3}", number):
        return False
    digits = number[:8] + f"{ord(number[8]) - 64:02}" + number[9:11]
    parts = (int(digit) * weight for digit, weight in zip(digits, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1), strict=True))
    return sum(sum(map(int, str(part))) for part in parts) % 10 == int(number[11])


def at_vnr(number: str) -> bool:
    return number[0] != "0" and weighed(number, (3, 7, 9, 0, 5, 8, 4, 2, 1, 6)) % 11 == int(number[3])


def at_tin(number: str) -> bool:
    total = sum(sum(map(int, str(int(digit) * (1 + place % 2)))) for place, digit in enumerate(number[:8]))
    return (10 - total % 10) % 10 == int(number[8])


def ean(number: str) -> bool:
    return weighed(number, (1, 3) * 7) % 10 == 0


def lu_id(number: str) -> bool:
    return long_date(number)


def gb_nino(number: str) -> bool:
    refused = {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}
    return bool(re.fullmatch(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]?", number)) and number[:2] not in refused


def gb_nhs(number: str) -> bool:
    return weighed(number, (10, 9, 8, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def gb_utr(number: str) -> bool:
    return "21987654321"[weighed(number[1:], (6, 7, 8, 9, 10, 5, 4, 3, 2)) % 11] == number[0]


def ie_pps(number: str) -> bool:
    extra = 0 if len(number) == 8 or number[8] == "W" else (ord(number[8]) - 64) * 9
    return "WABCDEFGHIJKLMNOPQRSTUV"[(weighed(number[:7], (8, 7, 6, 5, 4, 3, 2)) + extra) % 23] == number[7]


# --- southern Europe --------------------------------------------------------------------------------------------------

_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"


def es_dni(number: str) -> bool:
    return number[:8].isdigit() and _DNI[int(number[:8]) % 23] == number[8]


def es_nie(number: str) -> bool:
    return es_dni(f"{'XYZ'.index(number[0])}{number[1:]}")


def es_naf(number: str) -> bool:
    """Of social security: two of the province, eight, and the remainder modulo 97."""
    body = number[:10]
    return int(body if body[2] != "0" else body[:2] + body[3:]) % 97 == int(number[10:12])


def pt_nif(number: str) -> bool:
    rest = 11 - weighed(number[:8], (9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return number[0] != "0" and int(number[8]) == (0 if rest > 9 else rest)


def pt_cc(number: str) -> bool:
    values = [int(char, 36) for char in number]
    return (
        sum(
            value if place % 2 else (value * 2 - 9 if value * 2 > 9 else value * 2)
            for place, value in enumerate(values)
        )
        % 10
        == 0
    )


_ODD_PLACES = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", (
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
), strict=True))  # fmt: skip


def it_cf(number: str) -> bool:
    """Characters in odd places have values of their own; a day of 41 and more is a woman's."""
    if not re.fullmatch(r"[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]", number):
        return False
    total = sum(
        int(char) if place % 2 and char.isdigit() else ord(char) - 65 if place % 2 else _ODD_PLACES[char]
        for place, char in enumerate(number[:15])
    )
    return chr(65 + total % 26) == number[15]


def gr_amka(number: str) -> bool:
    return short_date(number[:6], "dmy") and luhn(number)


def gr_afm(number: str) -> bool:
    return int(number[:8]) > 0 and weighed(number[:8], (256, 128, 64, 32, 16, 8, 4, 2)) % 11 % 10 == int(number[8])


def cy_tic(number: str) -> bool:
    values = dict(zip("0123456789", (1, 0, 5, 7, 9, 13, 15, 17, 19, 21), strict=True))
    total = sum(int(digit) if place % 2 else values[digit] for place, digit in enumerate(number[:8]))
    return number[8] == chr(65 + total % 26)


# --- Nordic and Baltic ------------------------------------------------------------------------------------------------


def se_pnr(number: str) -> bool:
    """Days of people who only work there are counted from 61 on."""
    digits = number.replace("-", "").replace("+", "")[-10:]
    day = int(digits[4:6])
    return short_date(digits[:4] + f"{day - 60 if day > 60 else day:02}") and luhn(digits)


def no_fnr(number: str) -> bool:
    day, month = int(number[:2]) % 40, int(number[2:4]) % 40
    first = weighed(number[:10], (3, 7, 6, 1, 8, 9, 4, 5, 2, 1))
    second = weighed(number, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1))
    return 1 <= day <= 31 and 1 <= month <= 12 and first % 11 == 0 and second % 11 == 0


def fi_hetu(number: str) -> bool:
    body = number[:6] + number[-4:-1]
    return (
        body.isdigit()
        and short_date(body[:6], "dmy")
        and "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(body) % 31] == number[-1]
    )


def is_kennitala(number: str) -> bool:
    day = int(number[:2])
    born = short_date(f"{day - 40 if day > 40 else day:02}{number[2:6]}", "dmy")
    return born and weighed(number[:9], (3, 2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def _baltic(number: str) -> bool:
    check = weighed(number[:10], (1, 2, 3, 4, 5, 6, 7, 8, 9, 1)) % 11
    if check == 10:
        check = weighed(number[:10], (3, 4, 5, 6, 7, 8, 9, 1, 2, 3)) % 11 % 10
    return check == int(number[10])


def ee_ik(number: str) -> bool:
    return short_date(number[1:7]) and _baltic(number)


def lv_code(number: str) -> bool:
    """Newer ones begin with 32 and have no birthday."""
    if number.startswith("32"):
        return True
    total = 1101 - weighed(number[:10], (1, 6, 3, 7, 9, 10, 5, 8, 4, 2))
    return short_date(number[:6], "dmy") and total % 11 == int(number[10])


# --- eastern Europe ---------------------------------------------------------------------------------------------------


def pl_pesel(number: str) -> bool:
    month = int(number[2:4]) % 20
    return (
        1 <= month <= 12
        and 1 <= int(number[4:6]) <= 31
        and weighed(number, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0
    )


def pl_nip(number: str) -> bool:
    return weighed(number, (6, 5, 7, 2, 3, 4, 5, 6, 7, -1)) % 11 == 0


def cz_rc(number: str) -> bool:
    """Months of women are counted from 51 on, in full years from 21 or 71 on. Before 1954 there was no check digit."""
    month = int(number[2:4]) % 50 % 20
    born = short_date(f"{number[:2]}{month:02}{number[4:6]}")
    if len(number) == 9:
        return born and int(number[:2]) < 54
    check = int(number[:9]) % 11 % 10
    return born and check == int(number[9])


def hu_tax(number: str) -> bool:
    return number[0] == "8" and weighed(number[:9], range(1, 10)) % 11 == int(number[9])


def hu_taj(number: str) -> bool:
    return weighed(number[:8], (3, 7) * 4) % 10 == int(number[8])


def ro_cnp(number: str) -> bool:
    check = weighed(number[:12], (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return short_date(number[1:7]) and int(number[12]) == (1 if check == 10 else check)


def bg_egn(number: str) -> bool:
    """Months are counted from 21 on before 1900, from 41 on since 2000."""
    month = int(number[2:4]) % 20
    born = short_date(f"{number[:2]}{month:02}{number[4:6]}")
    return born and weighed(number[:9], (2, 4, 8, 5, 10, 9, 7, 3, 6)) % 11 % 10 == int(number[9])


def bg_pnf(number: str) -> bool:
    return weighed(number[:9], (21, 19, 17, 13, 11, 9, 7, 3, 1)) % 10 == int(number[9])


def jmbg(number: str) -> bool:
    """Of the states that were Yugoslavia."""
    rest = 11 - weighed(number[:12], (7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    born = 1 <= int(number[:2]) <= 31 and 1 <= int(number[2:4]) <= 12
    return born and int(number[12]) == (0 if rest > 9 else rest)


def si_ddv(number: str) -> bool:
    rest = 11 - weighed(number[:7], (8, 7, 6, 5, 4, 3, 2)) % 11
    return number[0] != "0" and rest != 11 and rest % 10 == int(number[7])


def ru_snils(number: str) -> bool:
    return weighed(number[:9], (9, 8, 7, 6, 5, 4, 3, 2, 1)) % 101 % 100 == int(number[9:])


def ru_inn(number: str) -> bool:
    if len(number) == 10:
        return weighed(number[:9], (2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10 == int(number[9])
    first = weighed(number[:10], (7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10
    second = weighed(number[:11], (3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10
    return (first, second) == (int(number[10]), int(number[11]))


def ua_rntrc(number: str) -> bool:
    return weighed(number[:9], (-1, 5, 7, 9, 4, 6, 10, 5, 7)) % 11 % 10 == int(number[9])


def kz_iin(number: str) -> bool:
    total = weighed(number[:11], range(1, 12)) % 11
    if total == 10:
        total = weighed(number[:11], (3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2)) % 11
    return short_date(number[:6]) and total == int(number[11])


def tr_kimlik(number: str) -> bool:
    digits = [int(char) for char in number]
    tenth = (sum(digits[0:9:2]) * 7 - sum(digits[1:8:2])) % 10
    return digits[0] > 0 and tenth == digits[9] and sum(digits[:10]) % 10 == digits[10]


def il_id(number: str) -> bool:
    return int(number) > 0 and luhn(number.zfill(9))


# --- America ----------------------------------------------------------------------------------------------------------


def us_ssn(number: str) -> bool:
    """No check digit; some ranges were never given out. Those that begin with 9 are of taxpayers without one."""
    return bool(re.fullmatch(r"(?!000|666)\d{3}(?!00)\d\d(?!0000)\d{4}", number))


def ca_sin(number: str) -> bool:
    return number[0] not in "08" and luhn(number)


def br_cpf(number: str) -> bool:
    first = 11 - weighed(number[:9], range(10, 1, -1)) % 11
    second = 11 - weighed(number[:10], range(11, 1, -1)) % 11
    return [int(number[9]), int(number[10])] == [0 if check > 9 else check for check in (first, second)]


def br_cnpj(number: str) -> bool:
    first = 11 - weighed(number[:12], (5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
    second = 11 - weighed(number[:13], (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return [int(number[12]), int(number[13])] == [0 if check > 9 else check for check in (first, second)]


def br_pis(number: str) -> bool:
    rest = 11 - weighed(number[:10], (3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return int(number[10]) == (0 if rest > 9 else rest)


def ar_cuit(number: str) -> bool:
    check = "012345678990"[11 - weighed(number[:10], (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11]
    return number[:2] in ("20", "23", "24", "27", "30", "33", "34", "50", "51", "55") and check == number[10]


def cl_rut(number: str) -> bool:
    check = sum(int(digit) * (4 + (5 - place) % 6) for place, digit in enumerate(reversed(number[:-1])))
    return "0123456789K"[check % 11] == number[-1]


def co_nit(number: str) -> bool:
    weights = (3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71)
    return "01987654321"[weighed(number[-2::-1], weights) % 11] == number[-1]


def mx_curp(number: str) -> bool:
    """Also of the tax number: letters of the name, then the birthday."""
    return short_date(number[4:10])


def ec_ci(number: str) -> bool:
    return (
        number[:2] in (*(f"{place:02}" for place in range(1, 25)), "30", "50") and int(number[2]) <= 6 and luhn(number)
    )


def uy_ci(number: str) -> bool:
    digits = number.zfill(8)
    return (weighed(digits[:7], (2, 9, 8, 7, 6, 3, 4)) + int(digits[7])) % 10 == 0


# --- Asia, Oceania, Africa --------------------------------------------------------------------------------------------


def in_aadhaar(number: str) -> bool:
    return number[0] not in "01" and number != number[::-1] and verhoeff(number)


def cn_ric(number: str) -> bool:
    return (
        long_date(number[6:14])
        and "10X98765432"[weighed(number[:17], (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)) % 11]
        == number[17]
    )


def cn_date(number: str) -> bool:
    return long_date(number[6:14])


def tw_id(number: str) -> bool:
    code = 10 + "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(number[0])
    return (code // 10 + code % 10 * 9 + weighed(number[1:9], (8, 7, 6, 5, 4, 3, 2, 1)) + int(number[9])) % 10 == 0


def hk_id(number: str) -> bool:
    letters, digits, last = number[:-7], number[-7:-1], number[-1]
    values = [36, *(ord(char) - 55 for char in letters)][-2:]
    total = values[0] * 9 + values[1] * 8 + weighed(digits, (7, 6, 5, 4, 3, 2))
    return (total + (10 if last == "A" else int(last))) % 11 == 0


def jp_my_number(number: str) -> bool:
    check = weighed(number[:11], (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return int(number[11]) == (0 if check < 2 else 11 - check)


def sg_nric(number: str) -> bool:
    total = weighed(number[1:8], (2, 7, 6, 5, 4, 3, 2)) + {"T": 4, "G": 4, "M": 3}.get(number[0], 0)
    if number[0] == "M":
        return "KLJNPQRTUWX"[10 - total % 11] == number[8]
    return ("JZIHGFEDCBA" if number[0] in "ST" else "XWUTRQPNMLK")[total % 11] == number[8]


def th_pin(number: str) -> bool:
    return number[0] != "0" and (11 - weighed(number[:12], range(13, 1, -1)) % 11) % 10 == int(number[12])


def id_nik(number: str) -> bool:
    """Women's days are counted from 41 on."""
    day = int(number[6:8])
    return 1 <= (day - 40 if day > 40 else day) <= 31 and 1 <= int(number[8:10]) <= 12


def ir_id(number: str) -> bool:
    rest = weighed(number[:9], (10, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return int(number[9]) == (rest if rest < 2 else 11 - rest)


def au_tfn(number: str) -> bool:
    weights = (1, 4, 3, 7, 5, 8, 6, 9, 10) if len(number) == 9 else (10, 7, 8, 4, 6, 3, 5, 1)
    return weighed(number, weights) % 11 == 0


def au_medicare(number: str) -> bool:
    return weighed(number[:8], (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == int(number[8])


def nz_ird(number: str) -> bool:
    if not 10_000_000 < int(number) < 150_000_000:
        return False
    body = number[:-1].zfill(8)
    check = -weighed(body, (3, 2, 7, 6, 5, 4, 3, 2)) % 11
    if check == 10:
        check = -weighed(body, (7, 4, 3, 2, 5, 2, 7, 6)) % 11
    return check == int(number[-1])


def za_id(number: str) -> bool:
    return short_date(number[:6]) and number[10] in "012" and luhn(number)


# --- health -----------------------------------------------------------------------------------------------------------


def de_kvnr(number: str) -> bool:
    """A letter as its place in the alphabet, then digits whose every second one counts twice."""
    digits = f"{ord(number[0]) - 64:02}{number[1:9]}"
    total = sum(sum(map(int, str(int(digit) * (1 + place % 2)))) for place, digit in enumerate(digits))
    return total % 10 == int(number[9])


def br_cns(number: str) -> bool:
    return weighed(number, range(15, 0, -1)) % 11 == 0


# --- those that have none ---------------------------------------------------------------------------------------------


def anything(number: str) -> bool:
    return bool(number)


def ymd(number: str) -> bool:
    """A birthday comes first; there is no check digit that holds for all."""
    return short_date(number[:6])


def dmy(number: str) -> bool:
    return short_date(number[:6], "dmy")
