"""Numbers that states and insurers of health give to people: those of countries where words have to do, and of health."""

from typing import NamedTuple

from cairn.lib.scrub.rule import Category

ID, TAX, SOCIAL, HEALTH = "national-number", "tax-number", "social-security-number", "health-number"


class StateNumber(NamedTuple):
    country: str
    name: str
    form: str
    """Without any gaps: digits, letters, and how many of each; `||` between several."""
    by: str
    """Checks, of `national.valid`; one has to hold."""
    near: str = ""
    alone: str = ""
    """A pattern that needs no word."""
    otherwise: Category | None = None
    """What a number of this form is worth near a word when its check digit is wrong."""
    english: bool = True
    category: Category = "direct"


def _plain(country: str, name: str, form: str, by: str, near: str) -> StateNumber:
    """Without the English words that stand before a number of any country."""
    return StateNumber(country, name, form, by, near, english=False)


MORE_STATES: tuple[StateNumber, ...] = (
    # --- Further countries; where no check digit is public, a word in the language of the country has to do
    _plain("md", ID, r"[0129]\d{12}", "anything", "idnp"),
    _plain("al", ID, r"[A-Z]\d{8}[A-Z]", "anything", "nid nipt letërnjoftim* identitetit"),
    _plain("mk", ID, r"\d{13}", "jmbg", "ембг матич* embg matic*"),
    _plain("ba", ID, r"\d{13}", "jmbg", "jmb јмб"),
    _plain("by", ID, r"[1-6]\d{6}[A-Z]\d{3}[A-Z]{2}\d", "anything", "идент* личный ідэнт* асабісты"),
    _plain("ge", ID, r"\d{11}", "anything", "პირადი"),
    _plain("am", ID, r"\d{10}", "anything", "հծհ հանրային"),
    _plain("uz", ID, r"[3-6]\d{13}", "anything", "пинфл жшшир pinfl jshshir"),
    _plain("kg", ID, r"[12]\d{13}", "anything", "пин! инн жнк"),
    _plain("lk", ID, r"[12]\d{11}||\d{9}[VXvx]", "anything", "nic nicnr lankan"),
    _plain("bd", ID, r"\d{10}||\d{13}||\d{17}", "anything", "nid! nidnr bangladesh* জাতীয় পরিচয়পত্র"),
    _plain("cr", ID, r"[1-9]\d{8}", "anything", "cedula ced"),
    _plain("gt", ID, r"\d{13}", "anything", "cui dpi"),
    _plain("hn", ID, r"[01]\d{12}", "anything", "dni identidad rtn"),
    _plain("sv", ID, r"\d{9}", "anything", "dui"),
    _plain("cu", ID, r"\d{11}", "ymd", "carne carnet identidad"),
    _plain("ma", ID, r"[A-Z]{1,2}\d{6}", "anything", "cin cnie"),
    _plain("tn", ID, r"[01]\d{7}", "anything", "cin تعريف"),
    _plain("dz", ID, r"[12]\d{17}", "anything", "nin التعريف"),
    _plain("kw", ID, r"[123]\d{11}", "anything", "civil مدنية المدني"),
    _plain("bh", ID, r"\d{9}", "anything", "cpr الشخصي"),
    _plain("qa", ID, r"[23]\d{10}", "anything", "qid qatar قطرية"),
    _plain("gh", ID, r"=GHA-?\d{9}-?\d", "anything", "ghana"),
    _plain("az", TAX, r"\d{10}", "anything", "vöen voen vergi"),
    _plain("me", ID, r"\d{13}", "jmbg", "matični maticni jmb"),
    _plain("ad", ID, r"[A-Z]\d{6}[A-Z]", "anything", "nrt nia andorra"),
    _plain("li", TAX, r"\d{6,12}", "anything", "peid"),
    _plain("sm", TAX, r"\d{6,9}", "anything", "ssi! sammarinese"),
    _plain("fo", ID, r"\d{9}", "dmy", "ptal p-tal pnrfo"),
    _plain("py", ID, r"\d{6,8}", "anything", "cedula ced ruc! cic"),
    _plain("bo", ID, r"\d{6,8}", "anything", "cedula ced carnet ci! nit!"),
    _plain("pa", ID, r"=(?:PE|E|N|[1-9]|1[0-3])-\d{1,4}-\d{1,6}", "anything", "cedula ced cip panama*"),
    _plain("ni", ID, r"\d{13}[A-Z]", "anything", "cedula ced nicarag*"),
    _plain("jm", TAX, r"\d{9}", "anything", "trn jamaican"),
    _plain("tt", ID, r"[12]\d{10}", "anything", "trinidad trinidadian"),
    _plain("ht", ID, r"\d{10}", "anything", "nif cin ninu haiti*"),
    _plain("mn", ID, r"=[А-ЯЁӨҮа-яёөү]{2}\d{8}", "anything", "регистр* регистрийн рд"),
    _plain("np", ID, r"=\d{2}-\d{2}-\d{2}-\d{5}", "anything", "citizenship nagarikta नागरिकता nepal*"),
    _plain("np", ID, r"\d{10}", "anything", "rastriya nid! राष्ट्रिय"),
    _plain("bt", ID, r"\d{11}", "anything", "cid! bhutan*"),
    _plain("mm", ID, r"=\d{1,2}/[A-Za-z]{3,9}\([A-Z]\)\d{6}", "anything", "nrc myanmar"),
    _plain("kh", ID, r"\d{9}", "anything", "khmer cambodia* អត្តសញ្ញាណ"),
    _plain("la", ID, r"\d{12}", "anything", "lao* ບັດປະຈໍາຕົວ"),
    _plain("mv", ID, r"A\d{6}", "anything", "maldiv* nid! idcard"),
    _plain("af", ID, r"\d{13}", "anything", "tazkira تذکره"),
    _plain("iq", ID, r"\d{12}", "anything", "iraqi الوطنية الموحدة"),
    _plain("jo", ID, r"[29]\d{9}", "anything", "jordanian الوطني"),
    _plain("lb", ID, r"\d{12}", "anything", "leban* libanais* هوية"),
    _plain("om", ID, r"\d{8,9}", "anything", "oman* civil مدني المدني"),
    _plain("ye", ID, r"\d{11}", "anything", "yemen* الوطني"),
    _plain("ps", ID, r"\d{9}", "il_id", "palestin* هوية"),
    _plain("ly", ID, r"[12]\d{11}", "anything", "libya* الوطني"),
    _plain("sd", ID, r"\d{11}", "anything", "sudan* الوطني"),
    _plain("et", ID, r"\d{16}||\d{12}", "anything", "fayda fan! fin! ethiopia*"),
    _plain("tz", ID, r"[12]\d{19}", "anything", "nida tanzania* kitambulisho"),
    _plain("rw", ID, r"[123]\d{15}", "anything", "indangamuntu rwanda* irangamuntu nid!"),
    _plain("ke", ID, r"\d{7,8}", "anything", "kenya* huduma kitambulisho"),
    _plain("zm", ID, r"=\d{6}/\d{2}/\d", "anything", "nrc zambia*"),
    _plain("zw", ID, r"\d{8,9}[A-Z]\d{2}", "anything", "zimbabwe* natid idnr! nationalregistration"),
    _plain("mz", ID, r"\d{12}[A-Z]", "anything", "bilhete bi! moçambique* mozambi*"),
    _plain("mz", TAX, r"\d{9}", "anything", "nuit"),
    _plain("ao", ID, r"\d{9}[A-Z]{2}\d{3}", "anything", "bilhete bi! angola*"),
    _plain("bw", ID, r"\d{4}[12]\d{4}", "anything", "omang botswana"),
    _plain("na", ID, r"\d{11}", "ymd", "namibia*"),
    _plain("sz", ID, r"\d{13}", "ymd", "eswatini swaziland pin!"),
    _plain("mu", ID, r"[A-Z]\d{12}[0-9A-Z]", "anything", "nic nid mauriti*"),
    _plain("sn", ID, r"[12]\d{12,13}", "anything", "cni cin nin sénégal* senegal*"),
    _plain("ci", ID, r"CI\d{9}||\d{11}", "anything", "cni nni ivoir*"),
    _plain("cm", ID, r"\d{9}||\d{17}", "anything", "cni cameroun* cameroon*"),
    _plain("mg", ID, r"\d{12}", "anything", "cin madagascar malgache karapanondro"),
    _plain("tj", ID, r"A\d{8}", "anything", "tajik* шиноснома"),
    _plain("tj", TAX, r"\d{9}", "anything", "рма инн"),
    _plain("in", ID, r"[A-Z]{3}\d{7}", "anything", "epic voter voterid मतदाता"),
    _plain("in", SOCIAL, r"\d{12}", "anything", "uan epfo esic! pfnr"),
    _plain("br", ID, r"\d{7,9}[0-9Xx]?", "anything", "rg! registrogeral identidade"),
    _plain("br", ID, r"\d{12}", "anything", "titulo eleitor"),
    _plain("mx", ID, r"[A-Z]{6}\d{8}[HM]\d{3}", "anything", "elector electoral ine ife"),
    _plain("jp", SOCIAL, r"\d{10}", "anything", "年金番号 基礎年金 nenkin"),
    _plain("jp", ID, r"[A-Z]{2}\d{8}[A-Z]{2}", "anything", "在留カード zairyu residencecard"),
    _plain("us", ID, r"A\d{8,9}", "anything", "alien uscis anumber anr"),
    _plain("us", TAX, r"P\d{8}", "anything", "ptin preparer"),
    _plain("ch", TAX, r"\d{9}", "anything", "zemis zar!"),
    _plain("hu", ID, r"[1-8]\d{10}", "anything", "személyi szemelyi személyazonosító személyiszám"),
    _plain("vn", SOCIAL, r"\d{10}", "anything", "bhxh baohiem masobhxh"),
    _plain("vn", TAX, r"\d{10}||\d{13}", "anything", "mst masothue mathue thue thuenr manr!"),
    _plain("th", TAX, r"\d{13}", "anything", "ผู้เสียภาษี"),
    _plain("my", TAX, r"[SOI]G\d{10}\d?", "anything", "tin lhdn cukai"),
    _plain("ph", TAX, r"\d{9}||\d{12}||\d{14}", "anything", "tin! tinnr bir!"),
    _plain("ng", TAX, r"\d{12}", "anything", "tin! tinnr firs"),
    _plain("pk", TAX, r"\d{8}", "anything", "ntn"),
    _plain("za", TAX, r"[01239]\d{9}", "anything", "sars taxref taxreference inkomstebelasting"),
    _plain("lk", TAX, r"\d{9}", "anything", "tin! tinnr inland"),
    _plain("ma", SOCIAL, r"\d{9}", "anything", "cnss immatriculation"),
    _plain("tn", SOCIAL, r"\d{10}", "anything", "cnss"),
    _plain("dz", SOCIAL, r"\d{12}", "anything", "chifa nss secu cnas"),
    # --- Health
    StateNumber("de", HEALTH, r"[A-Z]\d{9}", "de_kvnr", "kvnr kvnummer krankenvers* kranken* versichertennr versicherten* gesundheitsk* egk egknr kvn! versnr "
                "versicherungsnummer versicherungsn* health healthinsurance"),
    _plain("eu", HEALTH, r"80\d{18}", "anything", "ehic kartennummer kartennr kartenr kennnummer ekuz karty karta cardnr cardnumber health versich* kranken* gesundheit* assuré assurance maladie carte cartenr team "
           "tessera sanitaria tessere ceam tse cesd sykesikr* krank* zorg* kaart* kort* kortnr eek eukaart ehk europ* evrop* veka kennnr"),
    _plain("ie", HEALTH, r"\d{18}||[A-Z]?\d{6,7}[A-Z]?", "anything", "ihi medicalcard gms hse"),
    _plain("es", HEALTH, r"[A-Z]{4}\d{10}||AN\d{10}||\d{8,10}||\d{16}", "anything", "cip cipa sip nuhsa tsi sanitaria sanitario catsalut osakidetza sergas"),
    _plain("pt", HEALTH, r"\d{9}", "anything", "utente sns utentenr"),
    _plain("nl", HEALTH, r"\d{7,10}", "anything", "verzekerdennummer verzekerdennr verzekerde relatienummer zorgverzeker* polisnummer zorgpolis"),
    _plain("be", HEALTH, r"\d{11}||\d{13}", "anything", "mutualiteit* mutuel* ziekenfonds*"),
    _plain("si", HEALTH, r"\d{9}", "anything", "zzzs kzz zdravstven*"),
    _plain("hr", HEALTH, r"\d{9}", "anything", "mbo! mbonr hzzo osiguran* zdravstven*"),
    _plain("rs", HEALTH, r"\d{11}", "anything", "lbo! lbonr лбо осигуран* здравствен* rfzo"),
    _plain("ro", HEALTH, r"\d{20}", "anything", "cid card asigurat sanatate cnas"),
    _plain("ru", HEALTH, r"\d{16}", "anything", "омс полис* енп oms"),
    _plain("tr", HEALTH, r"\d{11}||\d{13}", "anything", "sgk sicil ssk"),
    _plain("ca", HEALTH, r"\d{10}[A-Z]{2}||\d{10}||[A-Z]{4}\d{8}||\d{9}||\d{12}", "anything", "ohip phn! phnnr hcn! healthcard healthcardnr ramq nam! assurancemaladie msp! careard ahcip phin mcp! hsn! uli"),
    _plain("au", HEALTH, r"80036\d{11}||[NVQWST][A-Z]{0,3}\d{4,6}[A-Z]?", "anything", "ihi dva veteran* veterans"),
    _plain("au", HEALTH, r"[2-6]\d{9,10}", "anything", "medicarenr medicarecard medicareau"),
    _plain("br", HEALTH, r"[1-27-9]\d{14}", "br_cns", "cns sus cartaosus saude nacional"),
    _plain("in", HEALTH, r"\d{14}", "anything", "abha ayushman healthid"),
    _plain("jp", HEALTH, r"\d{6,10}", "anything", "保険者番号 被保険者 保険証番号 hokensha hokensho"),
    _plain("kr", HEALTH, r"\d{11}", "anything", "건강보험 보험증"),
    _plain("tw", HEALTH, r"\d{12}", "anything", "健保卡 健保 nhicard"),
    _plain("cn", HEALTH, r"\d{8,12}", "anything", "医保卡 医保号 社保卡 社会保障卡"),
    _plain("id", HEALTH, r"\d{13}", "anything", "bpjs jkn kis kartu"),
    _plain("vn", HEALTH, r"[A-Z]{2}\d{13}||\d{10}", "anything", "bhyt theb baohiemyte baohiem"),
    _plain("za", HEALTH, r"\d{7,11}", "anything", "medicalaid medicalaidnr"),
    _plain("mx", HEALTH, r"\d{10}\d?", "anything", "segurosocial nss! afiliacion"),
    _plain("ar", HEALTH, r"\d{9,14}", "anything", "obrasocial afiliado pami"),
    _plain("cl", HEALTH, r"\d{7,8}[0-9Kk]", "cl_rut", "fonasa isapre"),
    _plain("pl", HEALTH, r"80616\d{15}", "anything", "ekuz nfz"),
)  # fmt: skip
"""Where no check digit is public, a word in the language of the country has to do."""
