"""Account numbers: the length that each country has, and the remainder that makes one valid."""

_LENGTHS = {
    length: countries.split()
    for length, countries in {
        15: "NO",
        16: "BE",
        18: "DK FI FO GL NL FK",
        19: "MK SI",
        20: "AT BA EE KZ LT LU MN XK",
        21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA",
        23: "AE GI IL IQ OM SO TL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG",
        25: "LY PT ST",
        26: "IS TR",
        27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HU LB NI PL SV",
        29: "BR EG PS QA UA",
        30: "JO KW MU YE",
        31: "MT SC",
        32: "LC",
        33: "RU",
    }.items()
}
LENGTH_OF: dict[str, int] = {country: length for length, countries in _LENGTHS.items() for country in countries}


def is_iban(text: str) -> bool:
    """With or without spaces."""
    number = "".join(text.split()).upper()
    return len(number) == LENGTH_OF.get(number[:2]) and remainder(number[4:] + number[:4]) == 1


def remainder(text: str) -> int:
    """Modulo 97, with A as 10 up to Z as 35."""
    return int("".join(str(int(char, 36)) for char in text)) % 97
