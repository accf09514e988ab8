"""Numbers and the words near them: which rules those lead to, and whether it is a phone or a state's number."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from cairn.lib.scrub import check_digits
from cairn.lib.scrub.apart import record_around
from cairn.lib.scrub.check_digits import Valid
from cairn.lib.scrub.names import folded
from cairn.lib.scrub.plan import ScrubPlan
from cairn.lib.scrub.rule import Category, Check

BEFORE, AFTER = 90, 48
"""Characters around a number in which a word counts. Labels stand before it, often on the line above."""
TIGHT = 18
"""Characters before a number in which a word counts that means other things elsewhere."""
TABLE = 2_000
"""Characters above a number in which the head of its table may stand."""
_NUMBER_WORDS = frozenset(
    "no nr nos num numb number numbers nummer nommer numero numara numarasi nro nru numer numeris cislo cis broj број br szam sz stevilka st "
    "nomer nomor nombor so code card kaart karte doc номер код".split()
)
_WORD = re.compile(r"[^\W\d_]{2,32}")
_HUMP = re.compile(r"(?<=[a-zß-ÿ])(?=[A-Z])")
_ABBREVIATED = re.compile(
    r"(?<=(?<![^\W\d_])[^\W\d_])(?:(?:[./]|[.] |[\"״׳])(?=[^\W\d_](?![^\W\d_]))|[.-](?=[^\W\d_]{2}))"
)
"""The gaps of `N.I.F.`, `a. k.`, `K/P`, `p-nr` and `f.nr`."""
_NUMBER_SIGN = re.compile(r"[#№]|(?<![^\W\d_])(?<!\w\.)[Nn](?:\.?[°º]|\.(?= ))")
LETTER = re.compile(r"(?<![^\W_])(?:[TMFPHtmp]|s(?=\.))[:.][ \t|\"']{0,4}\(?$")
"""`T: 030 …`, as signatures have it."""
_OF_NUMBER = re.compile(r"(?<=[\s:])[A-Z]$")
"""The letter that `V6625348` begins with."""
_INSERTED = re.compile(r"\(([^()\n]{1,200})\)\s{0,4}values\s{0,4}\([^()\n]{0,160}$", re.IGNORECASE)
_CUT = re.compile(r"[^\W\d_]*")


def rules_near(text: str, start: int, end: int, plan: ScrubPlan) -> Iterable[int]:
    found = dict.fromkeys(plan.all_numbers)
    header, before = _header(text, start), _OF_NUMBER.sub("", text[max(0, start - BEFORE) : start])
    around = f"{header} {before} {_line(text, end)} {record_around(text, start, end)}"
    for word in words_of(around):
        for order in plan.near.get(word, ()):
            found[order] = None
        if word.startswith(plan.near_stems):
            found.update(dict.fromkeys(order for stem, order in plan.stems if word.startswith(stem)))
    for word in words_of(f"{header} {_last(before)}"):
        for order in plan.near.get(f"{word}!", ()):
            found[order] = None
    if LETTER.search(before[-5:]):
        found.update(dict.fromkeys(plan.near.get(":", ())))
    if not around.isascii():
        around = folded(around)
        for word in plan.near_unspaced:
            if word in around:
                found.update(dict.fromkeys(plan.near[word]))
    return found


def words_of(text: str) -> set[str]:
    """Folded; `nationalId` is two of them and `a. k.` is one. Two neighbours also count as one word, and whatever
    stands for *number* in it is `nr`: `SS#`, `n.º SS` and `SS number` all are `ssnr`."""
    text = _ABBREVIATED.sub("", _NUMBER_SIGN.sub(" nr ", text))
    split = _HUMP.sub(" ", text)
    words = _WORD.findall(folded(split))
    whole = _WORD.findall(folded(text)) if split != text else ()
    return {*words, *whole, *_joined(words)}


def _joined(words: list[str]) -> Iterator[str]:
    for one, other in pairwise(words):
        if one in _NUMBER_WORDS and other != "id":  # "no id" says that there is none
            yield f"{other}nr"
        yield f"{one}{'nr' if other in _NUMBER_WORDS else other}"


def _last(before: str) -> str:
    """The end of it that begins with a whole word; of the line above only when the number begins its own."""
    line = before.rstrip().rpartition("\n")[2] if not before.strip(" \t").endswith("\n") else before.rstrip()
    return line if len(line) <= TIGHT else _CUT.sub("", line[-TIGHT:], count=1)


def _header(text: str, start: int) -> str:
    """The first line of the table that the number stands in, or the columns of a statement that inserts it."""
    if inserted := _INSERTED.search(text, max(0, start - 400), start):
        return inserted[1]
    return _table(text, start)[0]


def column_of(text: str, start: int) -> str:
    """What stands above a cell."""
    first, sign, place = _table(text, start)
    return first.split(sign)[place] if first else ""


def _table(text: str, start: int) -> tuple[str, str, int]:
    """The first line of a table, what separates its cells, and in which of them a number stands."""
    line = text.rfind("\n", max(0, start - TABLE), start) + 1
    row = text[line : line + 400].partition("\n")[0]
    sign = next((sign for sign in "|;\t," if sign in row), "")
    if not sign or not line:
        return _NO_TABLE
    top = text.rfind("\n\n", max(0, start - TABLE), start) + 2
    top = max(top, start - TABLE, 0) if top > 1 else max(0, start - TABLE)
    if top and text[top - 1] != "\n":
        return _NO_TABLE  # the table begins further up
    first = text[top:line].partition("\n")[0]
    fits = first.count(sign) == row.count(sign) and len(first) < 400
    return (first, sign, text.count(sign, line, start)) if fits else _NO_TABLE


_NO_TABLE = ("", ",", 0)


def _line(text: str, end: int) -> str:
    """What follows on the same line."""
    after = text[end : end + AFTER]
    return after.partition("\n")[0]


Match = re.Match[str]

_COUNTRY_CODE = re.compile(
    r"1|7|2[07]|2[1-69]\d|3[0-469]|3[578]\d|4[013-9]|42\d|5[1-8]|5[09]\d|6[0-6]|6[789]\d|8[1246]|8[0578]\d|9[0-58]|9[679]\d"
)


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


def _counted_up(digits: str) -> bool:
    """`1234567`, `0000000`, `5551234`: what people type where a number should stand."""
    return any(
        part in digits
        for part in (
            "1234567",
            "7654321",
            "0000000",
            "1111111",
            "9999999",
            "5550",
            "5551234",
            "123456",
            "345678",
            "456789",
            "222333",
        )
    )


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
phone* telephone* contactnumber contactno whatsapp telef* telno telnr tel tele teln telp telepon tlf tlfnr tfn tfno telf tlm telem* mobil* mobiel* mobitel* mobile mob cellphone cellnr contactnr rufmich ringmig ringmeg cellular*
celular* cellulare cep fax gsm sms landline festnetz* handy* rufnummer rufnr durchwahl erreich* anrufen anruf joignable appele* appell* rappele* rappell*
movil* llam* chiama* recapito contacto contato telefone fone ramal liga* ligue ligar telefoon* bellen komor* zadzwo* dzwoni* dzwonic oddzwo* przedzwo* puh* matkapuh*
soita* volejte volat hivj telefonszam* tel_sz sunati suna nohp dienthoai dthoai sdt didong hotline helpline risponde messaggi* mensagem mensaje schreib*
ecri* stuur napisz skriv smsa whats beniara araniz natel fon fonur simi farsim* mobiil* helista* talr* zvanie* skambin* volaj* mobitel* fono cel celu cellno simu foon selfoon utas əlaqə elaqe dienthoai sodienthoai didong dt! sdt hp wa telepono telemovel
тэл ұялы байланыс утас моб мобил* ტელ* მობ* հեռ* բջջ* ফোন মোবাইল দূরালাপ දුරකථන ទូរស័ព្ទ ဖုန်း ስልክ همراه تماس موبائل فون سيلار تليفون فون फोन फ़ोन संपर्क सम्पर्क 行動電話 行动 聯絡 连络 携帯 연락 điện
телеф* тел моб мобил* мобiл* звон* дзвон* сот сотов* 电话 電話 手机 手機 联系 联络 聯絡 致电 携帯 連絡先 연락처 전화 휴대폰 핸드폰 هاتف جوال موبايل اتصل تلفن
joindre joignez перезвон* позвон* набер* набира* hubungi telpon zuruckruf* durchklingel* anklingel* marcame marcale escribeme llamame ligueme telephonez klingel
打给 打我 拨打 致電 来电 कॉल कीजिए কল করুন كلمني كلموني رقمي جوالي کال کریں رابطہ 電話番号 かけて 걸어 전화번호 טלפון נייד טל פלאפון τηλ* κιν* फोन मोबाइल โทร เบอร์ มือถือ ph phnr
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
    if not 6 <= len(digits) <= 13 or _counted_up(digits) or len(set(digits)) < 3 or _is_year_or_date(said):
        return None
    if digits[0] != "0" and "555" in digits[:6]:
        return None
    named, strong = _words(match)
    if _beside_comma(match):
        named = strong = _is_column(match)
    grouped = bool(_GROUPED.search(said))
    if not named or not (digits[0] == "0" or grouped or strong):
        return None
    if not strong and not (grouped and len(digits) >= 8) and not (digits[0] == "0" and len(digits) >= 9):
        return None
    return "direct" if len(digits) >= 8 or grouped else None


_WIDEST_HEAD = 30
_OF_CODE = frozenset("(){}[]=<>/+")
_COMMA_DIGIT = re.compile(r",[ ]?\d")


def _beside_comma(match: Match) -> bool:
    """A cell between commas, or part of an amount."""
    start, end = match.span("secret")
    return match.string[max(0, start - 1) : start] == "," or bool(_COMMA_DIGIT.match(match.string, end))


def _is_column(match: Match) -> bool:
    head = column_of(match.string, match.start("secret") if "secret" in match.re.groupindex else match.start())
    return len(head) <= _WIDEST_HEAD and _OF_CODE.isdisjoint(head) and _is_phone(head)[0]


def _words(match: Match) -> tuple[bool, bool]:
    """Whether a word stands near it, and whether that is one for phones only."""
    start, end = match.span("secret" if "secret" in match.re.groupindex else 0)
    before = match.string[max(0, start - _PHONE_BEFORE) : start]
    after = match.string[end : end + _PHONE_AFTER].partition("\n")[0]
    named, strong = _is_phone(f"{before} {after} {record_around(match.string, start, end)}")
    strong = strong or _is_column(match)
    return strong or named or bool(LETTER.search(before)), strong


def _is_phone(around: str) -> tuple[bool, bool]:
    """Whether a word for a number is in it, and whether that is one for phones only."""
    words = words_of(around)
    low = folded(around)
    strong = bool(words & _STRONG) or any(word.startswith(_STRONG_STEMS) for word in words)
    strong = strong or (not low.isascii() and any(word in low for word in _UNSPACED))
    return strong or bool(words & _WEAK), strong


_DATE = re.compile(
    r"(?!\d{3}\.\d{3}\.\d{4}$)(?:(?:19|20)\d\d-\d{4,}$|(?:19|20)\d\d[ ./-](?:0[1-9]|1[0-2])[ ./-][0-3]\d|[0-3]?\d[./-][01]?\d[./-](?:19|20)\d\d|"
    r"(?!0)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?:/\d{1,2})?$|0\.\d+$|(?!0)\d+\.\d+(?:\.\d+)?$)"
)


def _is_year_or_date(text: str) -> bool:
    """Also an address of the internet, and a version."""
    return bool(_DATE.match(text))


_GAPS = re.compile(r"[\s./()–-]+")
_NATIONAL_DATE = re.compile(
    r"(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1[0-3]?\d(?!\d)|[0-3]?\d([-/.])[01]?\d\2(?:19|20)\d\d(?!\d)"
)
_ADDRESS = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}")
_PART = re.compile(
    r"(?:part|item|sku|model|order|serial|catalog|invoice|ticket|case|batch|lot)s?(?:[ _-]?(?:no|nr|num|number|id))?[.:#]{0,2} ?[#\"']?$",
    re.IGNORECASE,
)
_COUNTED = ("0123456789", "1234567890", "9876543210")
_SHOWN = frozenset("123456789 987654321 12345678Z 00000000T AB123456C QQ123456C 078051120 219099999 457555462".split())
"""Numbers that descriptions of a format show."""


def compact(text: str) -> str:
    return _GAPS.sub("", text).upper()


def valid(*names: str, otherwise: Category | None = None, category: Category = "direct") -> Check:
    """A check by one of these functions of `check_digits`."""
    checks: list[Valid] = [getattr(check_digits, name) for name in names]

    def check(match: re.Match[str]) -> Category | None:
        text = match["secret"] if "secret" in match.re.groupindex else match[0]
        number = without_country(compact(text))
        if is_shown(number) or _NATIONAL_DATE.match(text) or _ADDRESS.fullmatch(text) or _is_part(match):
            return None
        return category if any(_holds(one, number) for one in checks) else otherwise

    return check


def _is_part(match: re.Match[str]) -> bool:
    """Of something that is sold or tracked."""
    return _PART.search(match.string, max(0, match.start() - 24), match.start()) is not None


def _holds(check: Valid, number: str) -> bool:
    """A check is written for one form; a number of another form is none."""
    try:
        return check(number)
    except (ValueError, IndexError, KeyError):
        return False


def without_country(number: str) -> str:
    """`PT208565434` is written with its country."""
    return number[2:] if number[:2].isalpha() and len(number) > 10 and number[2:].isdigit() else number


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
    few = 2 if len(digits) <= 6 else 3
    return number in _SHOWN or len(set(digits)) < few or counted
