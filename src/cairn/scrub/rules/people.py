"""What leads to a person: addresses, numbers, accounts, and the name in a path."""

import re
from string import ascii_letters

from cairn.scrub import checks
from cairn.scrub.iban import LENGTH_OF
from cairn.scrub.rule import Rule
from cairn.scrub.rules.tokens import ALNUM


def _iban_pattern() -> str:
    """Each country at its own length, so that words in capitals behind a number don't become part of it."""
    by_length: dict[int, list[str]] = {}
    for country, length in LENGTH_OF.items():
        by_length.setdefault(length, []).append(country)
    gap = "[ .\xa0-]"
    forms = (rf"(?:{'|'.join(names)}){gap}?\d\d(?:{gap}?[A-Z0-9]){{{size - 4}}}" for size, names in by_length.items())
    return rf"(?<![A-Za-z0-9])(?:{'|'.join(forms)})(?![A-Za-z0-9])"


_PHONE_WORDS = """
phone* telephone* whatsapp whats signal telefon* teléfono* telefono* tel tél téléphone* telno telnr mobil* mobile mob cell* celular fax gsm
call calls called calling ring dial sms text handy* rufnummer durchwahl erreichbar anrufen joignable portable appeler appelez móvil movil
llam* llám* cellulare chiama* recapito telemóvel telemovel telefone liga* ligue ramal telefoon* mobiel* bel bellen komór* zadzwo* puh puhelin*
mobilnummer cep contact reach hotline helpline my his her their your mon meinen meine mi mijn mój meu мой risponde messaggi* mensagem mensaje schreib* écri* stuur napisz skriv smsa телефон* тел моб мобильн*
звон* 电话 電話 手机 手機 联系 携帯 연락처 전화 휴대폰 هاتف جوال موبايل טלפון נייד τηλ* κιν* फोन โทร
""".split()
PHONE_WORDS = tuple(_PHONE_WORDS)


PEOPLE: tuple[Rule, ...] = (
    Rule(
        "email",
        r"[.'-]{0,3}(?P<secret>(?P<name>[A-Za-z0-9_%+](?:[A-Za-z0-9._%+'-]{0,63}))"
        r"@(?P<host>(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}[A-Za-z]{2,24}))(?![A-Za-z0-9_-])",
        literals=("@",),
        before=64,
        back=ALNUM + "._%+'-",
        reach=260,
        check=checks.email,
    ),
    Rule(
        "iban",
        _iban_pattern(),
        shapes=("AA00", "AA 00", "aa00"),
        flags=re.IGNORECASE,
        check=checks.iban,
    ),
    Rule(
        "card",
        r"(?<![A-Za-z0-9_.,+$-])(?<!\d{4}[ -])\d(?:[ -]?\d){12,18}(?![A-Za-z0-9_]|[.,-]\d|[ ]\d{4})",
        shapes=("0000",),
        check=checks.card,
    ),
    Rule(
        "phone",
        r"(?<![A-Za-z0-9_+])\+[ (]{0,2}\d(?:[ .()/\xa0-]{0,3}\d){6,14}(?![A-Za-z0-9_])",
        shapes=("+0", "+ 0", "+(0"),
        check=checks.international_phone,
    ),
    Rule(
        "phone",
        r"(?<![A-Za-z0-9_+.,])(?<!\d[-/ ])\(?00\)?[ .()/\xa0-]{0,2}[1-9]\d?(?:[ .()/\xa0-]{0,3}\d){7,13}(?![A-Za-z0-9_]|[.,:-]\d)",
        digits=10,
        near=("*",),
        check=checks.foreign_phone,
    ),
    Rule(
        "phone",
        r"(?<![A-Za-z0-9_+.,])(?<!\d[-/])(?P<secret>\(?\d(?:[ .()/\xa0-]{0,3}\d){6,12})(?![A-Za-z0-9_]|[.,:-]\d|[ ]?%)",
        digits=6,
        near=PHONE_WORDS,
        check=checks.national_phone,
    ),
    Rule(
        "passport",
        r"(?:passe?port\w{0,12}|passaport[oe]|pasaport\w{0,6}|(?<=reise)pass\w{0,12}|(?<![^\W_])pass[ -]?(?:nummer|nr|no)|"
        r"paspoort\w{0,8}|paszport\w{0,3}|pas[ -](?:nr|nummer)|útlevél\w{0,8}|pașaport\w{0,4}|cestovní[ ]pas|pasu(?![^\W_])|ausweis\w{0,8}|"
        r"аспорт\w{0,3}|护照\w{0,3}|護照\w{0,3}|パスポート\w{0,3}|旅券\w{0,3}|여권\w{0,4}|جواز|דרכון|ιαβατ\w{0,10}|"
        r"driv(?:er|ing)'?s?[ ]licen[cs]e|führerschein\w{0,8}|permis[ ]de[ ]conduire|carnet[ ]de[ ]conducir|patente[ ]di[ ]guida|rijbewijs\w{0,8}|"
        r"identity[ ]card|id[ ]card|carte[ ](?:nationale[ ])?d'identité|cni|carta[ ]d'identità|identiteitskaart|dow[óo]d\w{0,2}[ ]osobist\w{0,3})"
        r"(?:[^\w\n]{1,4}(?:(?!\d)\w){1,16}){0,5}?(?:[^\w\n]{1,5}|(?<=[^\W\d_a-z]))(?P<secret>(?-i:(?=[A-Z0-9 ]{0,9}\d)(?:[A-Z]{1,3}[ ]?\d{6,9}[A-Z]{0,2}|"
        r"\d{2}[ ]?\d{2}[ ]?(?:№|N)?[ ]?\d{6}|\d{2}[ ]\d{7}|\d{2}[A-Z]{2}\d{5}|\d{8,9}|[CFGHJKLMNPRTVWXYZ0-9]{9}|[A-Z]{1,2}[A-Z0-9]{7,8}|[A-Z]{5}\d{6}[A-Z0-9]{5})))(?![A-Za-z0-9])",
        literals=("pass", "pasa", "paspoort", "paszport", "pas ", "pas-", "útlevél", "cestovní pas", "pasu", "ausweis", "driver", "driving", "führerschein", "permis de", "carnet de",
                  "patente di", "rijbewijs", "identity card", "id card", "carte ", "cni", "carta d", "identiteitskaart", "dowód", "dowod",
                  "Dowód", "pașaport", "Pașaport", "аспорт", "АСПОРТ", "护照", "護照", "パスポート", "旅券", "여권", "جواز", "דרכון", "ιαβατ"),
        flags=re.IGNORECASE,
        check=checks.passport,
    ),
    Rule(
        "home",
        r"(?<![A-Za-z0-9_.~/-])(?:/home/|/Users/|/var/home/|[A-Za-z]:(?:\\\\?|/)Users(?:\\\\?|/))"
        r"(?P<who>[^\W_](?:[\w.-]{0,62}[\w-])?)(?![\w-])(?:(?: [A-Z][\w.'’-]{0,40}){1,3}(?=[/\\\"'`]))?",
        "indirect",
        literals=("/home/", "/users/", "/var/home/", ":\\users\\", ":\\\\users\\\\", ":/users/"),
        before=1,
        back=ascii_letters,
        check=checks.home,
        replacement="~",
    ),
)  # fmt: skip
