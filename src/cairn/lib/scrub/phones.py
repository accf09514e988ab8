"""Decides whether a number is a phone number: by the code of its country, or by the words near it."""

import re

from cairn.lib.scrub.letters import folded
from cairn.lib.scrub.nearby import LETTER, words_of
from cairn.lib.scrub.rule import Category

Match = re.Match[str]

_COUNTRY_CODE = re.compile(
    r"1|7|2[07]|2[1-69]\d|3[0-469]|3[578]\d|4[013-9]|42\d|5[1-8]|5[09]\d|6[0-6]|6[789]\d|8[1246]|8[0578]\d|9[0-58]|9[679]\d"
)


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


def _counted_up(digits: str) -> bool:
    """`1234567`, `0000000`, `5551234`: what people type where a number should stand."""
    return any(part in digits for part in ("1234567", "7654321", "0000000", "1111111", "9999999", "5550", "5551234"))


def international_phone(match: Match) -> Category | None:
    digits = _digits(match[0])
    code = _COUNTRY_CODE.match(digits)
    if not code or not 8 <= len(digits) <= 15 or _counted_up(digits):
        return None
    if code[0] == "1":
        return (
            "direct"
            if re.fullmatch(r"1[2-9]\d\d[2-9]\d{6}", digits) and "555" not in (digits[1:4], digits[4:7])
            else None
        )
    # Without any gap it may as well be an amount in a diff; then only a usual length counts.
    return "direct" if len(digits) <= 13 or not match[0][1:].isdigit() else None


def foreign_phone(match: Match) -> Category | None:
    """`00` and the code of a country: grouped it tells enough, else a word has to stand near it."""
    digits = _digits(match[0])[2:]
    code = _COUNTRY_CODE.match(digits)
    if not code or not 9 <= len(digits) <= 13 or _counted_up(digits) or len(set(digits)) < 4:
        return None
    return "direct" if _GROUPED.search(match[0][2:]) or _words(match)[0] else None


STRONG = """
phone* telephone* whatsapp telef* telno telnr tel tele teln telp telepon tlf tlfnr tfn tfno telf tlm telem* mobil* mobiel* mobitel* mobile mob cellphone cellnr contactnr rufmich ringmig ringmeg cellular*
celular* cellulare cep fax gsm sms landline festnetz* handy* rufnummer rufnr durchwahl erreich* anrufen anruf joignable appele*
movil* llam* chiama* recapito contacto telefone fone ramal liga* ligue ligar telefoon* bellen komor* zadzwo* puh* matkapuh*
soita* volejte volat hivj telefonszam* tel_sz sunati suna nohp dienthoai dthoai sdt didong hotline helpline risponde messaggi* mensagem mensaje schreib*
ecri* stuur napisz skriv smsa whats beniara araniz
телеф* тел моб мобил* мобiл* звон* дзвон* сот сотов* 电话 電話 手机 手機 联系 联络 聯絡 致电 携帯 連絡先 연락처 전화 휴대폰 핸드폰 هاتف جوال موبايل اتصل تلفن
טלפון נייד טל פלאפון τηλ* κιν* फोन मोबाइल โทร เบอร์ มือถือ ph phnr
""".split()
"""Words after which a number is one; as in `Rule.near`."""
WEAK = """
call calls called calling ring dial text signal contact reach cell bel bell mynr hisnr hernr theirnr yournr monnr meinnr meinenr minr mionr
mijnnr mojnr meunr мойnr мійnr portable fixe mov kom hp dt cel zap
""".split()
"""Words that need a number grouped like a phone number, or one with a leading zero."""
_STRONG = frozenset(folded(word) for word in STRONG if not word.endswith("*"))
_STRONG_STEMS = tuple(folded(word[:-1]) for word in STRONG if word.endswith("*"))
_UNSPACED = tuple(folded(word) for word in STRONG if ord(max(word)) > 0x0530)
_WEAK = frozenset(folded(word) for word in WEAK)
_PHONE_BEFORE, _PHONE_AFTER = 42, 16
_GROUPED = re.compile(r"\d[ ./()\xa0-]+\d")


def national_phone(match: Match) -> Category | None:
    """Only where a word for it stands close by: numbers are everywhere."""
    said = match["secret"]
    digits = _digits(said)
    if not 7 <= len(digits) <= 12 or _counted_up(digits) or len(set(digits)) < 3 or _is_year_or_date(said):
        return None
    if digits[0] != "0" and "555" in digits[:6]:
        return None
    named, strong = _words(match)
    grouped = bool(_GROUPED.search(said))
    if not named or not (digits[0] == "0" or grouped or strong):
        return None
    if not strong and not (grouped and len(digits) >= 9) and not (digits[0] == "0" and len(digits) >= 9):
        return None
    return "direct" if len(digits) >= 8 or grouped else None


def _words(match: Match) -> tuple[bool, bool]:
    """Whether a word stands near it, and whether that is one for phones only."""
    start, end = match.span("secret" if "secret" in match.re.groupindex else 0)
    before = match.string[max(0, start - _PHONE_BEFORE) : start]
    around = f"{before} {match.string[end : end + _PHONE_AFTER].partition(chr(10))[0]}"
    words = words_of(around)
    low = folded(around)
    strong = bool(words & _STRONG) or any(word.startswith(_STRONG_STEMS) for word in words)
    strong = strong or (not low.isascii() and any(word in low for word in _UNSPACED))
    return strong or bool(words & _WEAK) or bool(LETTER.search(before)), strong


_DATE = re.compile(
    r"(?!\d{3}\.\d{3}\.\d{4}$)(?:(?:19|20)\d\d-\d{4,}$|(?:19|20)\d\d[ ./-](?:0[1-9]|1[0-2])[ ./-][0-3]\d|[0-3]?\d[./-][01]?\d[./-](?:19|20)\d\d|"
    r"(?!0)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$|(?!0)\d+\.\d+(?:\.\d+)?$)"
)


def _is_year_or_date(text: str) -> bool:
    """Also an address of the internet, and a version."""
    return bool(_DATE.match(text))
