"""Passports, identity cards and driving licences: words for them in the languages of the world, and their forms."""

import re
from string import ascii_uppercase, digits

from cairn.lib.scrub import checks, codes, zones
from cairn.lib.scrub.names import literals_of, pattern_of
from cairn.lib.scrub.rule import Check, Column, ScrubRule

PASSPORT = """
passport passeport passaport pasaport pasaporte pașaport pasport paspor paspoort paszport reisepass pass_nr pass_no pass_nummer passnummer
pasnummer pas_nr passinumero passin_numero passi_number passinumber útlevél cestovní_pas cestovný_pas cestovního_pasu číslo_pasu čísla_pasu
č._pasu putovnic pasoš pasoša potni_list potnega_lista vegabréf pase_num paso_num pases_num hộ_chiếu ho_chieu หนังสือเดินทาง पासपोर्ट
паспорт διαβατ 护照 護照 パスポート 旅券 여권 جواز דרכון travel_doc pp_no pp_nr ppt_no ausweis personalausweis identity_card id_card
carte_d'identité carte_nationale_d'identité carte_d'identite cni carta_d'identità carta_d'identita identiteitskaart dowód_osobist dowodu_osobist
dowod_osobist občansk občiansk személyi_igazolvány carte_de_identitate seria_buletin osobna_iskaznic osobne_iskaznic лична_карта osebna_izkaznica
kaartnummer_eid číslo_OP č._OP Číslo_OP č.OP ID-картка ID-карта carta_identità carta_identita ταυτότητ ταυτοτητ seria_i_numer_dowodu numer_dowodu nr_dowodu číslo_op č._op čop szig. szig_szám szig
személyi_ig útlevélszám л.к. пасош пашпарт id-картка id_картка закордонн загранпасп төлқұжат жеке_куәлік kimlik_seri پاسپورٹ پاسپورت گذرنامه পাসপোর্ট พาสปอร์ต uruwhenua პასპორტ
անձնագիր şəxsiyyət_vəsiqəsi राहदानी ci_seria serie_ci pasaportë pasaporta vegabréfsnúmer passi passnr. pas_nr pas: pas_no pasas pase letërnjoftim
mitt_pass mein_pass meinem_pass passet bilhete_de_identidade удостоверение_личности kimlik_kartı
""".split()
LICENCE = """
driver_licen driver's_licen drivers_licen driver’s_licen drivers'_licen driverlicen driverslicen driving_licen drivinglicen dvla führerschein
fuehrerschein permis_de_conduire n°_permis permiso_de_conducir carnet_de_conducir licencia_de_conducir patente_di_guida patente_n carta_de_condução
carta_de_conducao cnh rijbewijs prawo_jazdy prawa_jazdy řidičsk vodičsk körkort kørekort førerkort ajokort vezetői_engedély jogosítvány
permis_de_conducere permis_auto водительск вод._удост водійськ посвідчення_водія шофьорск ehliyet sürücü_belgesi 驾驶证 驾照 駕照 運転免許 免許証番号
운전면허 vozačk άδεια_οδήγησης δίπλωμα_οδήγησης vairuotojo vadītāja_apliec juhiluba juhiloa ökuskírteini surat_izin_mengemudi giấy_phép_lái_xe
ใบขับขี่ رخصة_القيادة רישיון_נהיגה ड्राइविंग_लाइसेंस numero_patente patente_numero numéro_de_permis numero_de_permis führerausweis permis_n° permis_n patente bestuurslisensie bằng_lái gplx lesen_memandu carteira_de_motorista habilitação habilitacao
возачк vozniško vozacka свидетелство_за_управление жүргізуші вадзіцельск 면허번호 carta_condução carta_conducao carta_de_conducao licencia_de_conducción licencia_de_conduccion
číslo_řp číslo_ŘP č._ŘP ŘP: řp: 駕駛執照 駕駛執照號 行驶证 دلیل_رانندگی گواهینامه leyfi_til_aksturs ceadúnas_tiomána liċenzja_tas-sewqan dozvol za_upravljanje nomor_sim no._sim sim_a sim_c sürücülük prava_jazdy driver_number driver_no dl_number dl_no dl_nr dl# dl: license_number licence_number license_no. licence_no. licence_no: ву 免許証 state_id
""".split()
_TO_NUMBER = r"(?:[^\w\n]{1,4}(?:(?!\d)\w){1,16}){0,7}?(?:[^\w\n]{1,6}|[\"']?[ \t]?[:=>][ \t]?[\"']?|(?<=[^\W\d_a-z])|[^\w\n]{0,3}\n[ \t]{0,8})"
_CAPITAL = "[A-ZΑ-ΩА-ЯЁІЇЄҐ]"
_NUMBER = (
    rf"(?P<secret>(?-i:{_CAPITAL}{{1,3}}[ -]?\d{{5,9}}[A-Z]{{0,2}}|\d{{2}}[ ]?\d{{2}}[ ]?(?:№|N)?[ ]?\d{{6}}|\d{{2}}[ ]\d{{7}}|\d{{2}}[A-Z]{{2}}\d{{5}}|\d{{6}}[A-Z]{{2}}|"
    rf"\d{{3}}-\d{{7}}-\d{{2}}|\d{{12}}|\d{{7,9}}|(?=[A-Z0-9]{{0,7}}\d)[CFGHJKLMNPRTVWXYZ0-9]{{9}}\d?D?|(?=(?:[A-Z]{{0,3}}\d){{4}})[A-Z0-9]{{7,9}}|[A-Z]{{4}}\d{{2}}[A-Z]{{2}}|"
    rf"(?=[A-Z0-9]{{0,9}}\d)[A-Z]{{1,2}}[A-Z0-9]{{7,8}}|[A-Z]{{5}}\d{{6}}[A-Z0-9]{{5}}))(?![A-Za-z0-9])"
)
_LICENCE_NUMBER = (
    rf"(?P<secret>(?-i:(?=(?:[A-Z/ .-]{{0,8}}\d){{5}}|(?=[A-Z0-9]{{9,16}}(?![A-Z0-9]))(?:[A-Z]{{0,8}}\d){{2}}|{_CAPITAL}{{2}}\d{{4}}|\d{{2}}{_CAPITAL}{{2}}|{_CAPITAL}{{3}}\d{{4}})"
    rf"(?:[A-Z0-9](?:[ ./-]?[A-Z0-9]){{5,19}}(?:\(\d\))?|(?:\d\d)?{_CAPITAL}{{2,3}}\d{{6}})))(?![A-Za-z0-9])"
)


def _document(name: str, words: list[str], number: str) -> ScrubRule:
    return ScrubRule(
        name,
        rf"(?:{pattern_of(words)})\w{{0,12}}{_TO_NUMBER}{number}",
        literals=literals_of(words),
        flags=re.IGNORECASE,
        check=checks.passport,
        column=Column(rf"(?:{pattern_of(words)})\w{{0,12}}", checks.passport_cell),
    )


_BREAK = r"(?:\r?\n|\\r?\\n|\\n|[ ]{1,2})[\"', \t>|+]{0,12}"
"""Between the lines of a zone, also of one in quotes."""
_DATES = r"(?P<born>\d{7})[MFX<](?P<until>\d{7})"
_ZONE_SIGNS = ascii_uppercase + digits + "<"

_NAMES_LINE = r"[A-Z]{1,28}(?:<[A-Z]{1,20}){0,5}<<[A-Z]{1,20}(?:<[A-Z]{1,20}){0,5}<{0,40}"
"""Surname and first names, filled up."""

ZONES: tuple[ScrubRule, ...] = (
    ScrubRule(
        "passport",
        rf"(?<![A-Z0-9<])(?P<secret>(?![PVIAC][A-Z<]UTO|ERIKSSON<<ANNA)(?=[A-Z<]{{30}}(?:[A-Z<]{{6}}(?:[A-Z<]{{8}})?)?(?![A-Z0-9<]))(?:[PVIAC][A-Z<][A-Z]{{1,3}}<{{0,2}})?{_NAMES_LINE})(?![A-Za-z0-9<])",
        literals=("<<<<",),
        before=44,
        back=_ZONE_SIGNS,
        check=zones.names,
    ),
    ScrubRule(
        "passport",
        r"(?<![A-Z0-9<])(?P<secret>[IAC][A-Z<](?!UTO)[A-Z]{3}(?P<number>[A-Z0-9<]{9})(?P<check>[0-9<])[A-Z0-9<]{15})(?![A-Za-z0-9<])",
        literals=("<<<<",),
        before=44,
        back=_ZONE_SIGNS,
        check=zones.number,
    ),
    ScrubRule(
        "passport",
        r"(?<![A-Z0-9<])(?P<secret>(?P<born>\d{7})[MFX<](?P<until>\d{7})(?!UTO)[A-Z]{1,3}<{0,2}[A-Z0-9<]{11}\d)(?![A-Za-z0-9<])",
        literals=("<<<<",),
        before=44,
        back=_ZONE_SIGNS,
        check=zones.dates,
    ),
    ScrubRule(
        "passport",
        rf"(?:[A-Z0-9<\s\\n]{{0,130}}?(?<![A-Z0-9<]))?(?P<secret>(?:[PVIAC][A-Z<][A-Z<]{{34,42}}{_BREAK})?"
        rf"(?P<number>[A-Z0-9<]{{9}})(?P<check>[0-9<])(?P<nation>[A-Z]{{1,3}}<{{0,2}}){_DATES}[A-Z0-9<]{{6,14}}[0-9<][0-9<]?)(?![A-Za-z0-9<])",
        shapes=("0A0000000", "0<0000000"),
        before=130,
        behind=r"[0-9<][A-Z]{1,3}<{0,2}\d{6}$",
        back=f"{_ZONE_SIGNS}\r\n\\n",
        check=zones.zone,
    ),
    ScrubRule(
        "passport",
        rf"(?:[A-Z0-9<\s\\n]{{0,90}}?(?<![A-Z0-9<]))?(?P<secret>[IAC][A-Z<][A-Z<]{{3}}(?P<number>[A-Z0-9<]{{9}})(?P<check>[0-9<])[A-Z0-9<]{{15}}{_BREAK}"
        rf"{_DATES}(?P<nation>[A-Z]{{1,3}}<{{0,2}})[A-Z0-9<]{{11}}\d(?:{_BREAK}[A-Z<]{{30}})?)(?![A-Za-z0-9<])",
        shapes=("0A0000000", "0<0000000"),
        before=90,
        behind=r"[^A-Z0-9<]\d{6}$",
        back=f"{_ZONE_SIGNS}\r\n\\n",
        check=zones.zone,
    ),
)
"""Two lines of 44 or 36 signs, or three of 30."""

_ENTRY = (
    r"(?:<(?P<tag>\w{1,20})[^<>\n]{0,80}>[^<>\n]{0,80}</\w{1,20}>\s{0,40}|[\"']?(?!number|no\b|serial|key|code)[\w-]{1,20}[\"']?[ \t]{0,4}[:=][ \t]{0,4}"
    r"[\"']?[^\"'\n{}<>,]{0,60}[\"']?,?\s{0,40})"
)
_HELD = (
    r"(?:<|[\"']?)(?:serial|key|code|number|no)(?:[ _-]?(?:number|no|key))?(?:>|[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?)"
)


def _held(name: str, before: str, form: str, check: Check, literals: tuple[str, ...], after: str = "") -> ScrubRule:
    """In a record that is called a licence, its number or key."""
    return ScrubRule(
        name,
        rf"{before}{_HELD}(?P<secret>{form})(?![A-Za-z0-9-]){after}",
        literals=literals,
        reach=600,
        flags=re.IGNORECASE,
        check=check,
    )


_IN_LICENCE = rf"licen[cs]es?[\"']?(?:[ \t]{{0,4}}[:=]{{0,2}}[ \t]{{0,4}}\{{|[ \t]?:(?=[ \t]*\n)|(?:[ ][^<>\n]{{1,60}})?>)\s{{0,40}}{_ENTRY}{{0,5}}?"
_LICENCES = ("licence", "license")
_FORM = r"(?-i:(?=(?:[A-Z]{0,3}\d){5})[A-Z0-9]{7,18}|[A-Z]{1,3}[ -]?\d{5,9})"
_SAID_BY_TYPE = (
    r"[\"']?,?\s{0,40}(?:[\"']?[\w-]{1,20}[\"']?[ \t]{0,4}:[ \t]{0,4}[\"']?[^\"'\n{}]{0,60}[\"']?,?\s{0,40}){0,3}?"
    r"[\"']?(?:type|kind|document(?:[ _-]?type)?)[\"']?[ \t]{0,4}:[ \t]{0,4}[\"']?[^\"'\n{}]{0,20}?(?:driv\w{2,4}[ _-]?licen|passport|identity[ _-]?card|id[ _-]?card|führerschein|permis)"
)

HELD: tuple[ScrubRule, ...] = (
    _held("license-key", _IN_LICENCE, r"(?-i:[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,9})", codes.license_key, _LICENCES),
    _held("driving-licence", _IN_LICENCE, _FORM, checks.passport, _LICENCES),
    _held("driving-licence", "", _FORM, checks.passport, ('number"', "number'", "number:"), _SAID_BY_TYPE),
)

DOCUMENTS: tuple[ScrubRule, ...] = (
    _document("passport", PASSPORT, _NUMBER),
    _document("driving-licence", LICENCE, _LICENCE_NUMBER),
    ScrubRule(
        "driving-licence",
        r"(?-i:(?<![A-Za-z0-9_])(?:DL|SIM(?=[ :|\"]{1,5}\d{12,14}(?!\d)))(?:[ :#|>\"=]|&gt;){1,5}(?P<secret>[A-Z]{0,2}\d(?:-?\d){5,15}[A-Z]?|[A-Z]\d{4}-\d{5}-\d{5}))(?![A-Za-z0-9-])",
        literals=("dl ", "dl:", "dl#", 'dl"', "dl>", "dl=", "sim ", "sim:", 'sim"'),
        check=checks.passport,
    ),
    *ZONES,
    *HELD,
)
