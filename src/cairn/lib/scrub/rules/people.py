"""What leads to a person: numbers of states by country, documents, addresses, accounts, and the name in a path."""

import re
from string import ascii_letters

from cairn.lib.scrub import accounts, checks, nearby
from cairn.lib.scrub.arithmetic import LENGTH_OF
from cairn.lib.scrub.names import literals_of, pattern_of
from cairn.lib.scrub.rule import NUMBER_START, ScrubRule
from cairn.lib.scrub.rules.states import HEALTH as _HEALTH
from cairn.lib.scrub.rules.states import ID as _ID
from cairn.lib.scrub.rules.states import MORE_STATES, StateNumber
from cairn.lib.scrub.rules.states import SOCIAL as _SOCIAL
from cairn.lib.scrub.rules.states import TAX as _TAX
from cairn.lib.scrub.rules.tokens import ALNUM


def _iban_pattern() -> str:
    """Each country at its own length, so that words in capitals behind a number don't become part of it."""
    by_length: dict[int, list[str]] = {}
    for country, length in LENGTH_OF.items():
        by_length.setdefault(length, []).append(country)
    gap = "[ .\xa0\t/_-]{0,2}"
    forms = (
        rf"(?:{'|'.join(names)}){gap}\d{gap}\d(?:{gap}[A-Z0-9]){{{size - 4}}}" for size, names in by_length.items()
    )
    return rf"(?:(?<![A-Za-z0-9])|(?<=IBAN))(?:{'|'.join(forms)})(?![A-Za-z0-9])"


def _card_pattern(forms: str) -> str:
    """`_` is what stands between the groups of a number, always the same."""
    gap = r" - |[ \xa0]{2}|[ \xa0._/\xb7\t-]"
    return rf"(?<![A-Za-z0-9_.+$-])(?<!\d{{4}}[ \xa0-])(?:{forms.replace('>_', f'>{gap}')})(?![A-Za-z0-9_]|[.-]\d)"


_LETTERS = "".join(map(chr, (*range(0xC0, 0x180), *range(0x391, 0x3CA), *range(0x400, 0x460))))
"""Of addresses in other languages."""

PEOPLE: tuple[ScrubRule, ...] = (
    ScrubRule(
        "email",
        r"[.'-]{0,3}(?P<secret>(?P<name>[^\W.'-](?:[\w.%+'-]{0,63}))"
        r"@(?P<host>(?:[^\W_](?:[^\W_]|-(?=[\w-])){0,62}\.){1,6}(?:[^\W\d_]{2,24}|xn--[a-z0-9-]{2,40})))(?![^\W_]|[_-]\w)",
        literals=("@",),
        before=64,
        back=ALNUM + "._%+'-" + _LETTERS,
        reach=260,
        check=checks.email,
    ),
    ScrubRule(
        "email",
        r"[.'-]{0,3}(?P<secret>(?P<name>[A-Za-z0-9](?:[\w.+-]|%2[Bb]){0,63})%40(?P<host>(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24}))(?![A-Za-z0-9])",
        literals=("%40",),
        before=64,
        back=ALNUM + "._+-%",
        reach=260,
        check=checks.email,
    ),
    ScrubRule(
        "iban",
        _iban_pattern(),
        shapes=("AA00", "AA 00", "AA\xa000", "aa00", "AA0 0", "aa 00", "aa0 0", "AA-00", "AA.00"),
        flags=re.IGNORECASE,
        check=accounts.iban,
    ),
    ScrubRule("card", _card_pattern(r"\d{13,19}|\d{4}(?P<amex>_)\d{6}(?P=amex)\d{4,5}|\d{4}(?P<gap>_)\d{4}(?P=gap)\d{4}(?P=gap)\d{4}(?!(?P=gap)\d{4})"), shapes=("0000",), check=accounts.card),
    ScrubRule("card", _card_pattern(r"\d{4}(?P<gap>_)\d{4}(?P=gap)\d{4}(?P=gap)\d{4}(?P=gap)\d{1,3}"), shapes=("0000",), check=accounts.card),
    ScrubRule(
        "phone",
        r"(?<![A-Za-z0-9_+])\+[ (]{0,2}\d(?:[ .()/\xa0-]{0,3}\d){6,14}(?![A-Za-z0-9_])",
        shapes=("+0", "+ 0", "+(0"),
        check=nearby.international_phone,
    ),
    ScrubRule(
        "phone",
        r"(?<![A-Za-z0-9_+.,])(?<!\d[-/ ])\(?00\)?[ .()/\xa0-]{0,2}[1-9]\d?(?:[ .()/\xa0-]{0,3}\d){7,13}(?![A-Za-z0-9_]|[.,:-]\d)",
        digits=10,
        near=("*",),
        check=nearby.foreign_phone,
    ),
    ScrubRule(
        "phone",
        r"(?<![A-Za-z0-9+.])(?<!(?<!_)_)(?<!\d[-/,])(?P<secret>\(?\d(?:[ .()/\xa0-]{0,3}\d){5,12})(?![A-Za-z0-9]|_(?!_)|[.:-]\d|[ ]?%)",
        digits=6,
        near=(*nearby.STRONG, *nearby.WEAK, ":"),
        check=nearby.national_phone,
    ),
    ScrubRule(
        "home",
        r"(?:(?<![A-Za-z0-9_.~/-])|(?<=file://))(?:/home/|/Users/|/var/home/|[A-Za-z]:(?:\\\\?|/)Users(?:\\\\?|/))"
        r"(?P<who>[^\W_](?:[\w.-]{0,62}[\w-])?)(?![\w-])(?:(?:(?:\\? |%20)[A-Z][\w.'’-]{0,40}){1,3}(?=[/\\\"'`,;:)]|\.(?!\S)))?",
        "indirect",
        literals=("/home/", "/users/", "/var/home/", ":\\users\\", ":\\\\users\\\\", ":/users/"),
        before=1,
        back=ascii_letters,
        check=checks.home,
        replacement="~",
    ),
)  # fmt: skip

_END = r"(?![A-Za-z0-9]|_(?!_)|[.-]\d)"
_GAP = "(?:[ ./\xa0-]| [-/] )?"
"""What may stand between any two characters of a number near its word: people group as they like."""
_ATOM = re.compile(r"(\\d|\[[^\]]+\]|[A-Z0-9])(?:\{(\d+)(?:,(\d+))?\}|(\?))?")

_ANY_STATE = """
national identity identification citizen citizenship taxpayer tax nin tin nid fiscal social personal insurance
nationalid nationalnumber idnr resident
""".split()
"""Words of English that lead to such a number of any country."""


_AFTER_PEOPLE = "id national identity identification citizen personal tax social".split()
_PEOPLE = """
be:belgian nl:dutch fr:french de:german at:austrian ch:swiss lu:luxembourgish gb:uk ie:irish es:spanish pt:portuguese it:italian
gr:greek mt:maltese cy:cypriot se:swedish no:norwegian dk:danish fi:finnish is:icelandic ee:estonian lv:latvian lt:lithuanian
pl:polish cz:czech sk:slovak hu:hungarian ro:romanian bg:bulgarian hr:croatian si:slovenian rs:serbian ru:russian ua:ukrainian
kz:kazakh tr:turkish il:israeli us:us ca:canadian br:brazilian ar:argentine cl:chilean co:colombian mx:mexican pe:peruvian
ec:ecuadorian uy:uruguayan do:dominican ve:venezuelan in:indian cn:chinese tw:taiwan hk:kong jp:japanese kr:korean sg:singapore
my:malaysian th:thai id:indonesian vn:vietnamese ph:philippine pk:pakistani ir:iranian sa:saudi ae:emirates eg:egyptian
au:australian nz:zealand za:african ke:kenyan ng:nigerian md:moldovan al:albanian mk:macedonian ba:bosnian by:belarusian
ge:georgian am:armenian uz:uzbek lk:lankan bd:bangladeshi ma:moroccan tn:tunisian dz:algerian kw:kuwaiti bh:bahraini qa:qatari gh:ghanaian az:azerbaijani me:montenegrin py:paraguayan bo:bolivian pa:panamanian ni:nicaraguan jm:jamaican mn:mongolian np:nepali
kh:cambodian la:laotian af:afghan iq:iraqi jo:jordanian lb:lebanese om:omani ye:yemeni ps:palestinian ly:libyan sd:sudanese et:ethiopian tz:tanzanian ug:ugandan
rw:rwandan zm:zambian zw:zimbabwean mz:mozambican ao:angolan na:namibian mu:mauritian sn:senegalese cm:cameroonian tj:tajik kg:kyrgyz cu:cuban cr:rican gt:guatemalan
hn:honduran sv:salvadoran
"""
_PEOPLE_OF = dict(pair.split(":") for pair in _PEOPLE.split())


def _spread(form: str) -> str:
    """A form with gaps allowed between all of its characters; one that begins with `=` is a pattern already."""
    return "|".join(one[1:] if one.startswith("=") else _spread_one(one) for one in form.split("||"))


def _spread_one(form: str) -> str:
    needed: list[str] = []
    optional = ""
    for atom, least, most, maybe in _ATOM.findall(form):
        low = 0 if maybe else int(least or 1)
        high = 1 if maybe else int(most or least or 1)
        needed += [atom] * low
        extra = f"(?:{_GAP}{atom})?" * (high - low)
        if extra and not needed:
            optional += f"(?:{atom}{_GAP})?" * (high - low)
        elif extra:
            needed[-1] += extra
    return optional + _GAP.join(needed)


def _rules(state: StateNumber) -> list[ScrubRule]:
    name, mark, by = f"{state.name}-{state.country}", f"[REDACTED:{state.name}]", state.by.split()
    near = (*state.near.split(), *_of_people(state.country), *(_ANY_STATE if state.english else ()))
    check = nearby.valid(*by, otherwise=state.otherwise, category=state.category)
    prefix = rf"(?:{state.country.upper()}[ -]?)?"
    start = rf"(?:{NUMBER_START}|{_glued(state.near)})"
    pattern = rf"{start}(?P<secret>{prefix}(?:{_spread(state.form)})){_END}"
    rules = [ScrubRule(name, pattern, digits=6, near=near, check=check, replacement=mark)]
    if state.alone:
        alone = rf"{NUMBER_START}(?P<secret>{state.alone}){_END}"
        check = nearby.valid(*by, category=state.category)
        rules.insert(0, ScrubRule(name, alone, digits=6, check=check, replacement=mark))
    return rules


def _of_people(country: str) -> list[str]:
    """`Israeli ID`, `Thai national number`."""
    adjective = _PEOPLE_OF.get(country)
    return [f"{adjective}{word}" for word in _AFTER_PEOPLE] if adjective else []


def _glued(near: str) -> str:
    """A word that stands before the number without a blank: `PESEL-44…`, `SSN:12…`, `ID85…`."""
    words = "|".join(re.escape(word.rstrip("*!")) for word in near.split())
    return rf"(?i:(?<![^\W_])(?:{words})[-_#:.]?)"


_SPANISH = "dni nie cedula identidad identificacion documento docident* docnr! fiscal tributaria tributario"

STATES: tuple[StateNumber, ...] = (
    # --- Western Europe
    StateNumber("be", _ID, r"\d{11}", "be_nn", "rijksreg* rrnr rr! regnat natnr numnat registre rrn insz niss nrn nationaal nationalnummer "
          "nationalregister* registernummer bis", r"\d\d\.\d\d\.\d\d-\d{3}\.\d\d", "indirect"),
    StateNumber("nl", _ID, r"\d{9}", "nl_bsn", "bsn burgerservicenummer sofinummer sofi burger* onderwijsnummer"),
    StateNumber("fr", _SOCIAL, r"[12]\d{4}[0-9AB]{2}\d{8}", "fr_nir", "nir nss insee secu securite secsoc ssnr! sociale vitale assuré "
          "immatriculation", r"[12][ .\xa0-]?\d\d[ .\xa0-]?(?:0[1-9]|1[0-2]|[2-9]\d)[ .\xa0-]?(?:\d\d|2[AB])[ .\xa0-]?\d{3}"
          r"[ .\xa0-]?\d{3}[ .\xa0-]?(?:/ ?)?\d\d", "indirect"),
    StateNumber("fr", _TAX, r"[0-3]\d{12}", "fr_nif", "spi fisc fiscal reffisc* impôts impots impôt nif fiscale dgfip"),
    StateNumber("de", _TAX, r"\d{11}", "de_idnr", "idnr steuer* identifikationsn* identnr! stidnr tin idno finanzamt "
          "stid steuerid elstam"),
    StateNumber("de", _TAX, r"\d{13}||=\d{2,3}/\d{3,4}/\d{4,5}", "anything", "steuer* stnr finanzamt"),
    StateNumber("de", _SOCIAL, r"\d{8}[A-Z]\d{3}", "de_rvnr", "rentenversicherung* rvnr sozialvers* svnr sv "
          "versicherungsnummer rv versicherten* renten* versnr versicherungsn* sozvers* vsnr vnr!", r"\d\d \d{6} [A-Z] \d{3}"),
    StateNumber("at", _SOCIAL, r"\d{10}", "at_vnr", "svnr svn sozialversicherung* sv versnr versicherungsn* sozvers* vnr! ecard* versicherungsnummer vsnr ecard sozialvers*"),
    StateNumber("at", _TAX, r"\d{9}", "at_tin", "steuer* abgabenkonto* finanzamt stnr"),
    StateNumber("ch", _SOCIAL, r"756\d{10}", "ean", "ahv* avs navs* oasi nss svn ahvn versicherungsnummer sozialversicherung*",
          r"756(?:\.\d{4}\.\d{4}\.\d\d|[ -]\d{4}[ -]\d{4}[ -]\d\d|\d{10})", "indirect"),
    StateNumber("lu", _ID, r"[12]\d{12}", "lu_id", "matricule matrikel* matr! sozialversicherung* identifiant cns ccss nationale luxembourg*"),
    StateNumber("gb", _SOCIAL, r"[A-Za-z]{2}\d{6}[A-Da-d]?", "gb_nino", "nino ni natins insurance nin",
          r"[A-Z]{2} \d\d \d\d \d\d [A-D]|[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]", english=False),
    StateNumber("gb", _HEALTH, r"\d{10}", "gb_nhs", "nhs* chi", english=False),
    StateNumber("gb", _TAX, r"\d{10}", "gb_utr", "utr taxpayer hmrc", english=False),
    StateNumber("ie", _ID, r"\d{7}[A-Wa-w][A-IWa-iw]?", "ie_pps", "pps ppsn rsi psp"),
    # --- Southern Europe
    StateNumber("es", _ID, r"\d{8}[A-Za-z]", "es_dni", f"nif {_SPANISH}", r"\d{8}-[A-Z]|\d\d\.\d{3}\.\d{3}-?[A-Z]|\d{8}[A-Z]"),
    StateNumber("es", _ID, r"[XYZxyz]\d{7}[A-Za-z]", "es_nie", f"nif {_SPANISH} extranjero", r"[XYZ]-?\d{7}-?[A-Z]"),
    StateNumber("es", _SOCIAL, r"\d{12}", "es_naf", "seguridad segsoc segsocial ssnr! ss! naf nuss afil*"),
    StateNumber("pt", _TAX, r"\d{9}", "pt_nif", "nif contribuinte* contribnr contrib! nipc financas fiscal"),
    StateNumber("pt", _SOCIAL, r"[12]\d{10}", "anything", "niss segsocial seguranca ssnr!", english=False),
    StateNumber("pt", _ID, r"\d{9}[A-Z0-9]{2}\d", "pt_cc", "cartao cidadao cc bi"),
    StateNumber("it", _TAX, r"\d{11}", "luhn", "fiscale cf iva partita piva"),
    StateNumber("gr", _SOCIAL, r"\d{11}", "gr_amka", "amka αμκα"),
    StateNumber("gr", _TAX, r"\d{9}", "gr_afm", "afm αφμ φορολογ*"),
    StateNumber("mt", _ID, r"\d{6,7}[MGAPLHBZ]", "anything", "malta maltese identita karta kinr"),
    StateNumber("cy", _TAX, r"\d{8}[A-Z]", "cy_tic", "tic cyprus αφτ"),
    # --- Nordic
    StateNumber("se", _ID, r"=(?:19|20)?\d{6}[-+ ]?\d{4}", "se_pnr", "pnr samordn* födelsen* person* persnr pers"),
    StateNumber("no", _ID, r"\d{11}", "no_fnr", "fnr person* pers persnr dnummer dnr fødsel* føds fodsn*"),
    StateNumber("dk", _ID, r"\d{10}", "dmy", "cpr* personn* persnr personnr"),
    StateNumber("fi", _ID, r"=\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]", "fi_hetu", "hetu* henkilo* henk htunnus tunnus* sotu* sosiaaliturva* personbeteckning",
          r"\d{6}[-+A]\d{3}[0-9A-FHJ-NPR-Y]"),
    StateNumber("is", _ID, r"\d{10}", "is_kennitala", "kennit* kt"),
    # --- Baltic and eastern Europe
    StateNumber("ee", _ID, r"[1-8]\d{10}", "ee_ik", "isiku* ik! iknr"),
    StateNumber("lv", _ID, r"\d{11}", "lv_code", "personas kods pers perskod* pk! pknr"),
    StateNumber("lt", _ID, r"[1-6]\d{10}", "ee_ik", "asmens kodas asm asmk* ak!"),
    StateNumber("pl", _ID, r"\d{11}", "pl_pesel", "pesel*"),
    StateNumber("pl", _TAX, r"\d{10}", "pl_nip", "nip* podatk* identyfikac*"),
    StateNumber("pl", _ID, r"[A-Z]{3}\d{6}", "anything", "dowod dowodu osobist*", english=False),
    StateNumber("cz", _ID, r"\d{9}\d?", "cz_rc", "rodn* rod rc! rcnr birthnr"),
    StateNumber("sk", _ID, r"\d{9}\d?", "cz_rc", "rodn* rod rc! rcnr birthnr", english=False),
    StateNumber("hu", _TAX, r"8\d{9}", "hu_tax", "azonosito adó*"),
    StateNumber("hu", _SOCIAL, r"\d{9}", "hu_taj", "taj* tbnr társadalombizt*", english=False),
    StateNumber("ro", _ID, r"[1-9]\d{12}", "ro_cnp", "cnp* numeric numpers*"),
    StateNumber("bg", _ID, r"\d{10}", "bg_egn bg_pnf", "егн egn лнч гражданск* гражд личен grazhdanski"),
    StateNumber("hr", _TAX, r"\d{11}", "mod_11_10", "oib* osobni osid identifikacijski"),
    StateNumber("si", _ID, r"\d{13}", "jmbg", "emso* jmbg maticn* matnr!"),
    StateNumber("rs", _ID, r"\d{13}", "jmbg", "jmbg јмбг maticn* матичн* matnr! umcn", english=False),
    StateNumber("si", _TAX, r"\d{8}", "si_ddv", "davc* ds! dsnr ddv", english=False),
    StateNumber("ru", _SOCIAL, r"\d{11}", "ru_snils", "снилс* snils пенс* страх*", r"\d{3}-\d{3}-\d{3} \d\d"),
    StateNumber("ru", _TAX, r"\d{12}||\d{10}", "ru_inn", "инн inn налог*"),
    StateNumber("ua", _TAX, r"\d{10}", "ua_rntrc", "рнокпп іпн інн инн inn ipn rnokpp ипн податк* ідент* дрфо"),
    StateNumber("kz", _ID, r"\d{12}", "kz_iin", "иин жсн iin сәйкестендіру индивидуальн*"),
    StateNumber("tr", _ID, r"[1-9]\d{10}", "tr_kimlik", "tc kimli* tckn* vatandas*"),
    StateNumber("il", _ID, r"\d{8,9}", "il_id", "teudat zehut זהות תז מז! tz"),
    # --- America
    StateNumber("us", _SOCIAL, r"\d{9}", "us_ssn", "ssn ssnr social itin tin taxpayer soc", r"(?!9)\d{3}-\d\d-\d{4}|(?<=[\"'`])\d{3} \d\d \d{4}(?=[\"'`])", english=False),
    StateNumber("ca", _SOCIAL, r"\d{9}", "ca_sin", "sin nas assurance"),
    StateNumber("br", _TAX, r"\d{11}", "br_cpf", "cpf cadastro pessoa", r"\d{3}\.\d{3}\.\d{3}-\d\d"),
    StateNumber("br", _TAX, r"\d{14}", "br_cnpj", "cnpj", r"\d\d\.\d{3}\.\d{3}/\d{4}-\d\d", category="indirect"),
    StateNumber("br", _SOCIAL, r"\d{11}", "br_pis", "pis pasep nis nit pispasep", english=False),
    StateNumber("ar", _TAX, r"\d{11}", "ar_cuit", "cuit cuil", r"2[0347]-\d{8}-\d"),
    StateNumber("ar", _ID, r"\d{7,8}", "anything", "dni documento docnr!", english=False),
    StateNumber("cl", _ID, r"\d{7,8}[0-9Kk]", "cl_rut", "rut run! rol tributario cedula ced ci!", r"\d{1,2}\.\d{3}\.\d{3}-[\dKk]"),
    StateNumber("co", _TAX, r"\d{9,10}", "co_nit", "nit", english=False),
    StateNumber("co", _ID, r"[1-9]\d{7,9}", "anything", "cedula ced ciudadania cc! ccnr!", english=False),
    StateNumber("mx", _TAX, r"[A-ZÑ&a-zñ]{4}\d{6}[A-Za-z0-9]{3}", "mx_curp", "rfc contribuyente*"),
    StateNumber("mx", _ID, r"[A-Za-z]{4}\d{6}[HMXhmx][A-Za-z]{5}[A-Za-z0-9]\d", "mx_curp", "curp", r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d"),
    StateNumber("mx", _SOCIAL, r"\d{11}", "luhn", "nss imss segurosocial segsocial", english=False),
    StateNumber("pe", _ID, r"\d{8}[0-9A-K]?", "anything", "dni cui docidentidad documentode", english=False),
    StateNumber("pe", _TAX, r"[12][057]\d{9}", "anything", "ruc", english=False),
    StateNumber("ec", _ID, r"\d{10}", "ec_ci", f"{_SPANISH} ced ci!"),
    StateNumber("uy", _ID, r"\d{8}", "uy_ci", "cedula ced ci!", r"\d\.\d{3}\.\d{3}-\d"),
    StateNumber("do", _ID, r"\d{11}", "luhn", "cedula ced cie!", r"\d{3}-\d{7}-\d"),
    StateNumber("ve", _ID, r"[VEJPG]\d{7,9}", "anything", "rif cedula ced ci!", r"[VEJ]-\d{8}-\d", english=False),
    # --- Asia, Oceania, Africa
    StateNumber("in", _ID, r"[2-9]\d{11}", "in_aadhaar", "aadha* adha* uidai आधार uid"),
    StateNumber("cn", _ID, r"\d{17}[0-9Xx]", "cn_ric cn_date", "身份证 身份證 身份号 公民 resident idcard idnr 证件 shenfen*", r"\d{6}(?:19|20)\d{9}[\dX]"),
    StateNumber("tw", _ID, r"[A-Z][12489]\d{8}", "tw_id", "身分證 身份證 統一編號 居留證 taiwan rocid arc"),
    StateNumber("hk", _ID, r"=[A-Z]{1,2}\d{6} ?\(?[\dA]\)?", "hk_id", "hkid 身份證 身分證 香港 hkidentity", r"[A-Z]{1,2}\d{6}\([\dA]\)"),
    StateNumber("jp", _ID, r"\d{12}", "jp_my_number", "mynumber mynr! kojin* マイナンバー 個人番号"),
    StateNumber("kr", _ID, r"\d{6}[1-8]\d{6}", "ymd", "주민 등록번호 rrn jumin*", r"\d{6} ?- ?[1-8]\d{6}"),
    StateNumber("sg", _ID, r"[STFGMstfgm]\d{7}[A-Za-z]", "sg_nric", "nric fin", r"[STFGM]\d{7}[A-Z]"),
    StateNumber("my", _ID, r"\d{12}", "ymd", "mykad nric ic! icnr kad pengenalan kp! kpnr", r"\d{6}-\d\d-\d{4}"),
    StateNumber("th", _ID, r"\d{13}", "th_pin", "ประชาชน ประจำตัว ปชช thai", r"\d-\d{4}-\d{5}-\d\d-\d"),
    StateNumber("id", _ID, r"\d{16}", "id_nik", "nik* ktp ektp kependudukan", english=False),
    StateNumber("id", _TAX, r"\d{15}\d?", "anything", "npwp pokok pajak", r"\d\d\.\d{3}\.\d{3}\.\d-\d{3}\.\d{3}", english=False),
    StateNumber("vn", _ID, r"\d{12}||\d{9}", "anything", "cccd cmnd cancuoc chungminh cuoccong minhnhan", english=False),
    StateNumber("ph", _ID, r"\d{16}||\d{10}||\d{12}", "anything", "philsys psn philid sss philhealth pcn!", english=False),
    StateNumber("pk", _ID, r"\d{13}", "anything", "cnic nadra nicop شناختی", r"\d{5}-\d{7}-\d", english=False),
    StateNumber("ir", _ID, r"\d{10}", "ir_id", "ملی melli kodemelli kodmelli"),
    StateNumber("sa", _ID, r"[12]\d{9}", "luhn", "iqama هوية اقامة saudi", english=False),
    StateNumber("ae", _ID, r"784\d{12}", "anything", "emirates eid هوية", r"784-\d{4}-\d{7}-\d", english=False),
    StateNumber("eg", _ID, r"[23]\d{2}[01]\d[0-3]\d{8}", "anything", "القومي قومي egyptian"),
    StateNumber("au", _TAX, r"\d{8,9}", "au_tfn", "tfn"),
    StateNumber("au", _HEALTH, r"[2-6]\d{9,10}", "au_medicare", "medicare", english=False),
    StateNumber("nz", _TAX, r"\d{8,9}", "nz_ird", "ird inlandrevenue"),
    StateNumber("za", _ID, r"\d{13}", "za_id", "rsa za sa fica kliënt id! identnr identiteits*"),
    StateNumber("ke", _TAX, r"[AP]\d{9}[A-Z]", "anything", "kra", english=False),
    StateNumber("ng", _ID, r"\d{11}", "anything", "nimc bvn nigeria nin", english=False),
        *MORE_STATES,
)  # fmt: skip

_VAT_WORDS = "vat tva mwst ust uid ustid ustidnr umsatz* btw iva nif moms momsnr alv dph pvn pvm áfa ddv pdv km gst ндс"
_LETTER = "[AC-HJKMNP-RT-Y]"
_MBI_PARTS = (rf"[1-9]{_LETTER}[0-9AC-HJKMNP-RT-Y]\d", rf"{_LETTER}[0-9AC-HJKMNP-RT-Y]\d", rf"{_LETTER}{{2}}\d\d")
_MBI, _MBI_GROUPED = "[ -]?".join(_MBI_PARTS), "-".join(_MBI_PARTS)


def _lettered(name: str, words: str, form: str) -> ScrubRule:
    """A number whose digits don't stand together, behind a word."""
    spelled = words.split()
    return ScrubRule(
        name,
        rf"(?i:(?<![^\W_])(?:{pattern_of(spelled)}))(?![^\W_])[^\n]{{0,40}}?(?<![A-Za-z0-9])(?P<secret>{form})(?![A-Za-z0-9])",
        literals=literals_of(spelled),
        check=checks.passport,
        replacement=f"[REDACTED:{name[:-3]}]",
    )


_OF_LETTERS: tuple[ScrubRule, ...] = (
    ScrubRule(
        "tax-number-it",
        r"[ -]{0,2}(?:[A-Za-z]{1,8}[ -]){0,2}?(?P<secret>(?<![A-Za-z0-9])(?i:[A-Z]{3}[ -]?[A-Z]{3}[ -]?\d\d[A-EHLMPRST]\d\d[ -]?[A-Z]\d{3}[ -]?[A-Z]))(?![A-Za-z0-9])",
        shapes=("00A00A000A", "00a00a000a", "00A00 A000A", "00a00 a000a", "00A00-A000A"),
        before=8,
        back=f"{ascii_letters} -",
        check=nearby.valid("it_cf"),
        replacement="[REDACTED:tax-number]",
    ),
    ScrubRule(
        "tax-number-in",
        r"(?<![A-Za-z0-9])(?:[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]|(?<=pan )[a-z]{5}\d{4}[a-z]|[a-z]{3}[abcfghjlpt][a-z]\d{4}[a-z])(?![A-Za-z0-9])",
        shapes=("AAAAA0000A", "aaaaa0000a"),
        check=nearby.pan,
        replacement="[REDACTED:tax-number]",
    ),
    _lettered("health-number-us", "medicare mbi beneficiary", f"{_MBI}"),
    ScrubRule(
        "health-number-us",
        rf"(?<![A-Za-z0-9-]){_MBI_GROUPED}(?![A-Za-z0-9-])",
        shapes=("-AA0-AA00", "-A00-AA00"),
        before=4,
        back=ALNUM,
        replacement="[REDACTED:health-number]",
    ),
    _lettered("health-number-nz", "nhi", r"[A-HJ-NP-Z]{3}\d{4}|[A-HJ-NP-Z]{3}\d{2}[A-HJ-NP-Z]{2}"),
    _lettered(
        "national-number-az",
        "fin_kod fərdi_identifikasiya fərdi fin_code fin: fin_nömrəsi",
        r"(?=[A-Z0-9]{0,6}\d)[A-HJ-NP-Z0-9]{7}",
    ),
    _lettered("national-number-ug", "nin: nin_no nin_number nira ugandan", r"C[MF][A-Z0-9]{12}"),
    _lettered(
        "national-number-co",
        "cedula cédula ciudadanía ciudadania",
        r"(?:1\.\d{3}|[1-9]\d{0,2})\.\d{3}\.\d{3}(?!\.?\d)",
    ),
    _lettered("national-number-mx", "elector clave_elector", r"[A-Z]{6}\d{8}[HM]\d{3}"),
    ScrubRule(
        "vat-number",
        rf"{NUMBER_START}(?P<secret>(?:AT ?U|[BCDEFGHILMNPRSX][A-Z])[ ]?[0-9A-Z]{{1,3}}[. ]?\d{{3}}[. ]?\d{{3}}[. ]?[0-9A-Z]{{0,4}}){_END}",
        digits=7,
        near=tuple(_VAT_WORDS.split()),
        check=nearby.valid("anything", category="indirect"),
    ),
)

NUMBERS: tuple[ScrubRule, ...] = (*(rule for state in STATES for rule in _rules(state)), *_OF_LETTERS)
