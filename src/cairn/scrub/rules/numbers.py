"""Numbers that states give to people, by country: form, check digit, and the words that lead to one.

A number whose form tells enough (grouped as printed, with letters, or with a birthday and two check digits) needs no
word. Every other one needs a word near it, in the language of its country or in English.
"""

from typing import NamedTuple

from cairn.scrub import national
from cairn.scrub.rule import Category, Rule

_START = r"(?<![A-Za-z0-9_])(?<!\d[.,])(?<![A-Za-z0-9]-)"
_END = r"(?![A-Za-z0-9_]|[.,-]\d)"
_GAP = "[ ./\xa0-]?"

_ANY_STATE = """
national identity identification citizen citizenship taxpayer tax ssn nin tin nid fiscal social personal insurance
nationalid idnumber resident
""".split()
"""Words of English that lead to such a number of any country."""


class State(NamedTuple):
    country: str
    name: str
    form: str
    """Sizes of its groups, with a blank, dot, slash or hyphen or nothing between them; or a pattern."""
    by: str
    """Checks, of `national.valid`; one has to hold."""
    near: str = ""
    alone: str = ""
    """A pattern that needs no word."""
    otherwise: Category | None = None
    """What a number of this form is worth near a word when its check digit is wrong."""
    english: bool = True
    category: Category = "direct"


def _pattern(form: str) -> str:
    if not form.replace(",", "").isdigit():
        return form
    return _GAP.join(rf"\d{{{size}}}" for size in form.split(","))


def _rules(state: State) -> list[Rule]:
    name = f"{state.name}-{state.country}"
    rules = []
    for form, near in ((state.alone, ""), (_pattern(state.form), state.near)):
        if form:
            words = (*near.split(), *(_ANY_STATE if near and state.english else ()))
            by = tuple(state.by.split())
            otherwise = state.otherwise if near else None
            check = national.valid(*by, otherwise=otherwise, category=state.category)
            pattern = rf"{_START}(?P<secret>{form}){_END}"
            mark = f"[REDACTED:{state.name}]"
            rules.append(Rule(name, pattern, digits=6, near=words, check=check, replacement=mark))
    return rules


_ID, _TAX, _SOCIAL, _HEALTH = "national-number", "tax-number", "social-security-number", "health-number"
_SPANISH = "dni nie cedula cédula identidad identificación identificacion documento fiscal tributaria tributario"

STATES: tuple[State, ...] = (
    # --- Western Europe
    State("be", _ID, "2,2,2,3,2", "be.nn be.bis", "rijksregister* registre rrn insz niss nrn rijksregisternummer "
          "nationaal nationalnummer nationalregister* bis", r"\d\d\.\d\d\.\d\d-\d{3}\.\d\d", "indirect"),
    State("nl", _ID, r"\d{9}|\d{4}[ .]\d\d[ .]\d{3}|\d{3}[ .]\d{3}[ .]\d{3}", "nl.bsn", "bsn burgerservicenummer "
          "sofinummer sofi burger*"),
    State("fr", _SOCIAL, r"[12][ .\xa0]?\d\d[ .\xa0]?\d\d[ .\xa0]?(?:\d\d|2[AB])[ .\xa0]?\d{3}[ .\xa0]?\d{3}[ .\xa0-]?"
          r"(?:/ ?)?\d\d", "fr.nir", "nir insee sécu secu sécurité securite sociale vitale assuré immatriculation",
          r"[12][ .\xa0]?\d\d[ .\xa0]?(?:0[1-9]|1[0-2]|[2-9]\d)[ .\xa0]?(?:\d\d|2[AB])[ .\xa0]?\d{3}[ .\xa0]?\d{3}"
          r"[ .\xa0-]?(?:/ ?)?\d\d", "indirect"),
    State("fr", _TAX, "2,2,3,3,3", "fr.nif", "spi fiscal impôts impots impôt nif fiscale dgfip"),
    State("de", _TAX, r"\d{11}|\d\d[ .]\d{3}[ .]\d{3}[ .]\d{3}", "de.idnr", "idnr steueridentifikationsnummer steuer* "
          "identifikationsnummer tin idno finanzamt stid steuerid"),
    State("de", _TAX, r"\d{2,3}/\d{3,4}/\d{4,5}|\d{13}", "de.stnr", "steuer* stnr finanzamt"),
    State("de", _SOCIAL, r"\d\d[ .]?\d{6}[ .]?[A-Z][ .]?\d{3}", "own.de_rvnr", "rentenversicherung* rvnr sozialversicherung* "
          "svnr sv versicherungsnummer rv versicherten* renten*", r"\d\d \d{6} [A-Z] \d{3}"),
    State("at", _SOCIAL, "4,6", "at.vnr", "svnr sozialversicherung* sv versicherungsnummer vsnr ecard sozialvers*"),
    State("at", _TAX, r"\d{9}|\d\d[ -]?\d{3}/\d{4}", "at.tin", "steuer* abgabenkontonummer finanzamt stnr"),
    State("ch", _SOCIAL, r"756[. -]?\d{4}[. -]?\d{4}[. -]?\d\d", "ch.ssn", "ahv avs oasi nss svn ahvn versicherungsnummer sozialversicherung*",
          r"756(?:\.\d{4}\.\d{4}\.\d\d|[ -]\d{4}[ -]\d{4}[ -]\d\d|\d{10})", "indirect"),
    State("lu", _ID, r"\d{4}[ ]?\d\d[ ]?\d\d[ ]?\d{3}[ ]?\d\d", "own.lu_id", "matricule cns ccss nationale identification"),
    State("gb", _SOCIAL, r"(?i:[A-Z]{2}[ -]?\d\d[ -]?\d\d[ -]?\d\d[ -]?[A-D]?)", "own.gb_nino", "nino ni insurance nin",
          r"[A-Z]{2} \d\d \d\d \d\d [A-D]|[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]", english=False),
    State("gb", _HEALTH, "3,3,4", "gb.nhs", "nhs chi"),
    State("gb", _TAX, r"\d{10}|\d{5} \d{5}", "gb.utr", "utr taxpayer hmrc tax", english=False),
    State("ie", _ID, r"(?i:\d{7}[ ]?[A-W][A-IW]?)", "ie.pps", "pps ppsn rsi"),
    # --- Southern Europe
    State("es", _ID, r"(?i:\d{8}[ -]?[A-Z]|\d\d\.\d{3}\.\d{3}[ -]?[A-Z])", "es.dni", f"nif {_SPANISH}",
          r"\d{8}-[A-Z]|\d\d\.\d{3}\.\d{3}-?[A-Z]|\d{8}[A-Z]"),
    State("es", _ID, r"(?i:[XYZ][ -]?\d{7}[ -]?[A-Z])", "es.nie", f"nif {_SPANISH} extranjero", r"[XYZ]-?\d{7}-?[A-Z]"),
    State("es", _SOCIAL, r"\d\d[ /-]?\d{8}[ /-]?\d\d", "own.es_naf", "seguridad social naf nuss afiliación afiliacion"),
    State("pt", _TAX, r"\d{9}|\d{3} \d{3} \d{3}", "pt.nif", "nif contribuinte nipc finanças financas fiscal"),
    State("pt", _ID, r"(?i:\d{8}[ -]?\d[ ]?[A-Z0-9]{2}\d)", "pt.cc", "cartão cartao cidadão cidadao cc bi"),
    State("it", _TAX, r"\d{11}", "it.codicefiscale it.iva", "fiscale cf iva partita piva"),
    State("gr", _SOCIAL, r"\d{11}", "gr.amka", "amka αμκα"),
    State("gr", _TAX, r"\d{9}", "gr.vat", "afm αφμ"),
    State("mt", _ID, r"\d{3,7}[MGAPLHBZ]", "own.any", "malta maltese identità karta"),
    State("cy", _TAX, r"\d{8}[A-Z]", "cy.vat", "tic cyprus"),
    # --- Nordic
    State("se", _ID, r"(?:19|20)?\d{6}[-+ ]?\d{4}", "se.personnummer", "personnummer personnr pnr samordningsnummer "
          "personnumret födelsenummer person*"),
    State("no", _ID, r"\d{6}[ .-]?\d{5}", "no.fodselsnummer", "fødselsnummer fodselsnummer fnr personnummer dnummer "
          "fødselsnr fødsels*"),
    State("dk", _ID, r"\d{6}[- ]?\d{4}", "dk.cpr own.dmy", "cpr personnummer cprnr cprnummer"),
    State("fi", _ID, r"\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]", "fi.hetu", "hetu henkilötunnus henkilo* henkilö* sotu",
          r"\d{6}[-+A]\d{3}[0-9A-FHJ-NPR-Y]"),
    State("is", _ID, r"\d{6}-?\d{4}", "is_.kennitala", "kennitala kennitölu kt"),
    # --- Baltic and eastern Europe
    State("ee", _ID, r"[1-8]\d{10}", "ee.ik", "isikukood isikukoodi"),
    State("lv", _ID, r"\d{6}-?\d{5}", "own.lv_code", "personas kods"),
    State("lt", _ID, r"[1-6]\d{10}", "lt.asmens", "asmens kodas"),
    State("pl", _ID, r"\d{11}", "pl.pesel", "pesel"),
    State("pl", _TAX, r"\d{10}|\d{3}-\d{3}-\d\d-\d\d|\d{3}-\d\d-\d\d-\d{3}", "pl.nip", "nip podatk*"),
    State("pl", _ID, r"[A-Z]{3}[ ]?\d{6}", "own.any", "dowód dowod dowodu osobist*", english=False),
    State("cz", _ID, r"\d{6}[ ]?/?[ ]?\d{3,4}", "cz.rc", "rodné rodne rodného rč rodným", english=True),
    State("sk", _ID, r"\d{6}[ ]?/?[ ]?\d{3,4}", "sk.rc", "rodné rodného rč", english=False),
    State("hu", _TAX, r"8\d{9}|8\d{3}[ -]?\d{3}[ -]?\d{3}", "own.hu_tax", "adóazonosító adóazonosítója adoazonosito jel adó*"),
    State("hu", _SOCIAL, r"\d{3}[ -]?\d{3}[ -]?\d{3}", "own.hu_taj", "taj társadalombiztosítás*", english=False),
    State("ro", _ID, r"[1-9]\d{12}", "ro.cnp", "cnp numeric"),
    State("bg", _ID, r"\d{10}", "bg.egn bg.pnf", "егн egn лнч", english=True),
    State("hr", _TAX, r"\d{11}", "hr.oib", "oib osobni identifikacijski"),
    State("si", _ID, r"\d{13}", "si.emso", "emšo emso jmbg matična"),
    State("rs", _ID, r"\d{13}", "si.emso", "jmbg јмбг matični maticni umcn", english=False),
    State("si", _TAX, r"\d{8}", "si.ddv", "davčna davcna", english=False),
    State("ru", _SOCIAL, r"\d{3}-\d{3}-\d{3}[ -]\d\d|\d{11}", "own.ru_snils", "снилс snils пенсионн* страхов*",
          r"\d{3}-\d{3}-\d{3} \d\d"),
    State("ru", _TAX, r"\d{12}|\d{10}", "ru.inn", "инн inn налог*"),
    State("ua", _TAX, r"\d{10}", "ua.rntrc", "рнокпп іпн інн rnokpp ипн податк*"),
    State("kz", _ID, r"\d{12}", "own.kz_iin", "иин жсн iin"),
    State("tr", _ID, r"[1-9]\d{10}|\d{3} \d{3} \d{3} \d\d", "tr.tckimlik", "tc kimlik tckn vatandaşlık kimliği t.c vatandas*"),
    State("il", _ID, r"\d{8,9}|\d{8}-\d", "il.idnr", "teudat zehut זהות ת״ז ת.ז tz"),
    # --- America
    State("us", _SOCIAL, "3,2,4", "own.us_ssn", "ssn social itin tin taxpayer",
          r"(?!9)\d{3}-\d\d-\d{4}", english=False),
    State("ca", _SOCIAL, "3,3,3", "ca.sin", "sin nas social assurance"),
    State("br", _TAX, "3,3,3,2", "br.cpf", "cpf cadastro pessoa", r"\d{3}\.\d{3}\.\d{3}-\d\d"),
    State("br", _TAX, r"\d\d\.?\d{3}\.?\d{3}/?\d{4}-?\d\d", "br.cnpj", "cnpj", r"\d\d\.\d{3}\.\d{3}/\d{4}-\d\d", category="indirect"),
    State("ar", _TAX, r"\d\d[- ]?\d{8}[- ]?\d", "ar.cuit", "cuit cuil", r"2[0347]-\d{8}-\d"),
    State("ar", _ID, r"\d{7,8}|\d{1,2}\.\d{3}\.\d{3}", "ar.dni", "dni documento", english=False),
    State("cl", _ID, r"(?i:\d{1,2}\.?\d{3}\.?\d{3}-?[\dK])", "cl.rut", "rut run rol tributario cédula cedula", r"\d{1,2}\.\d{3}\.\d{3}-[\dKk]"),
    State("co", _TAX, r"\d{1,3}\.?\d{3}\.?\d{3}-\d|\d{9,10}", "co.nit", "nit", r"", english=False),
    State("co", _ID, r"\d{1,3}\.\d{3}\.\d{3}|\d{8,10}", "own.any", "cédula cedula ciudadanía ciudadania", english=False),
    State("mx", _TAX, r"(?i:[A-ZÑ&]{4}[ -]?\d{6}[ -]?[A-Z0-9]{3})", "mx.rfc own.any", "rfc contribuyente", r""),
    State("mx", _ID, r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d", "mx.curp", "curp", r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d"),
    State("pe", _ID, r"\d{8}(?:-?[\dA-K])?", "pe.cui own.any", "dni cui", english=False),
    State("ec", _ID, r"\d{10}|\d{9}-\d", "ec.ci", f"{_SPANISH} ci"),
    State("uy", _ID, r"\d\.?\d{3}\.?\d{3}[-/]?\d", "own.uy_ci", "cédula cedula ci", r"\d\.\d{3}\.\d{3}-\d"),
    State("do", _ID, r"\d{3}-?\d{7}-?\d", "do.cedula", "cédula cedula", r"\d{3}-\d{7}-\d"),
    State("ve", _ID, r"[VEJPG]-?\d{8}-?\d", "ve.rif", "rif cédula cedula", r"[VEJ]-\d{8}-\d"),
    # --- Asia, Oceania, Africa
    State("in", _ID, "4,4,4", "in_.aadhaar", "aadhaar aadhar uidai आधार uid"),
    State("cn", _ID, r"\d{6}(?:19|20)\d{9}[\dXx]", "cn.ric", "身份证 身份證 公民 resident", r"\d{6}(?:19|20)\d{9}[\dX]"),
    State("tw", _ID, r"[A-Z][12489]\d{8}", "own.tw_id", "身分證 身份證 taiwan arc"),
    State("hk", _ID, r"[A-Z]{1,2}\d{6} ?\(?[\dA]\)?", "own.hk_id", "hkid 身份證 香港", r"[A-Z]{1,2}\d{6}\([\dA]\)"),
    State("jp", _ID, "4,4,4", "jp.in_", "mynumber マイナンバー 個人番号"),
    State("kr", _ID, r"\d{6}-?[1-8]\d{6}", "kr.rrn own.ymd", "주민등록번호 주민번호 주민 rrn 외국인등록번호", r"\d{6}-[1-8]\d{6}"),
    State("sg", _ID, r"(?i:[STFGM]\d{7}[A-Z])", "own.sg_nric", "nric fin", r"[STFGM]\d{7}[A-Z]"),
    State("my", _ID, r"\d{6}-?\d\d-?\d{4}", "own.ymd", "mykad nric ic kad pengenalan", r"\d{6}-\d\d-\d{4}"),
    State("th", _ID, r"\d-?\d{4}-?\d{5}-?\d\d-?\d|\d \d{4} \d{5} \d\d \d", "th.pin", "ประชาชน thai", r"\d-\d{4}-\d{5}-\d\d-\d"),
    State("id", _ID, r"\d{16}", "id.nik", "nik ktp kependudukan"),
    State("id", _TAX, r"\d\d\.\d{3}\.\d{3}\.\d-\d{3}\.\d{3}|\d{15}", "id.npwp", "npwp", r"\d\d\.\d{3}\.\d{3}\.\d-\d{3}\.\d{3}"),
    State("vn", _ID, r"\d{12}|\d{9}", "own.any", "cccd cmnd căn chứng", english=False),
    State("ph", _ID, r"\d{4}-?\d{4}-?\d{4}-?\d{4}|\d\d-\d{7}-\d", "own.any", "philsys psn philid sss", english=False),
    State("pk", _ID, r"\d{5}-?\d{7}-?\d", "pk.cnic", "cnic nadra nicop", r"\d{5}-\d{7}-\d"),
    State("ir", _ID, r"\d{10}|\d{3}-\d{6}-\d", "own.ir_id", "کدملی ملی melli kodemelli"),
    State("sa", _ID, r"[12]\d{9}", "own.luhn", "iqama هوية الهوية saudi", english=False),
    State("ae", _ID, r"784-?\d{4}-?\d{7}-?\d", "own.luhn", "emirates eid هوية", r"784-\d{4}-\d{7}-\d"),
    State("eg", _ID, r"[23]\d{13}", "eg.tn own.any", "الرقم القومي egyptian", english=False),
    State("au", _TAX, r"\d{3}[ -]?\d{3}[ -]?\d{2,3}", "au.tfn", "tfn"),
    State("nz", _TAX, r"\d{2,3}-?\d{3}-?\d{3}", "nz.ird", "ird"),
    State("za", _ID, r"\d{6}[ ]?\d{4}[ ]?\d[ ]?\d[ ]?\d|\d{13}", "za.idnr", "identity rsa"),
    State("ke", _TAX, r"[AP]\d{9}[A-Z]", "ke.pin own.any", "kra pin", english=False),
    State("ng", _ID, r"\d{11}|\d{4}[ -]\d{3}[ -]\d{4}", "own.any", "nimc bvn nigeria nin", english=False),
)  # fmt: skip

_VAT_WORDS = "vat tva mwst ust uid ustid ustidnr umsatz* btw iva nif moms momsnr alv dph pvn pvm áfa ddv pdv km gst ндс"
_OF_LETTERS: tuple[Rule, ...] = (
    Rule(
        "tax-number-it",
        r"(?<![A-Za-z0-9])(?i:[A-Z]{6}[ ]?[0-9LMNPQRSTUV]{2}[A-EHLMPRST][0-9LMNPQRSTUV]{2}[ ]?[A-Z][0-9LMNPQRSTUV]{3}[A-Z])"
        r"(?![A-Za-z0-9])",
        shapes=("AAAAAA00A00A000A", "aaaaaa00a00a000a", "AAAAAA 00A00 A000A"),
        check=national.valid("it.codicefiscale"),
        replacement="[REDACTED:tax-number]",
    ),
    Rule(
        "tax-number-in",
        r"(?<![A-Za-z0-9])[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?![A-Za-z0-9])",
        shapes=("AAAAA0000A",),
        check=national.valid("in_.pan"),
        replacement="[REDACTED:tax-number]",
    ),
    Rule(
        "vat-number",
        rf"{_START}(?P<secret>(?:AT ?U|[BCDEFGHILMNPRSX][A-Z])[ ]?[0-9A-Z]{{1,3}}[. ]?\d{{3}}[. ]?\d{{3}}[. ]?[0-9A-Z]{{0,4}}){_END}",
        digits=7,
        near=tuple(_VAT_WORDS.split()),
        check=national.valid("eu.vat", category="indirect"),
    ),
)

NUMBERS: tuple[Rule, ...] = (*(rule for state in STATES for rule in _rules(state)), *_OF_LETTERS)
