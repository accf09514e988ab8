"""Check digits of states agree with python-stdnum, which is too large for the base install."""

import random
from importlib import import_module

import pytest

from cairn.lib.scrub import check_digits
from cairn.lib.scrub.nearby import _holds

SAME = {
    "nl_bsn": ("nl.bsn", "#" * 9),
    "fr_nir": ("fr.nir", "1" + "#" * 14),
    "fr_nif": ("fr.nif", "0" + "#" * 12),
    "gb_nhs": ("gb.nhs", "#" * 10),
    "gb_utr": ("gb.utr", "#" * 10),
    "ie_pps": ("ie.pps", "#######@"),
    "es_dni": ("es.dni", "########@"),
    "es_nie": ("es.nie", "X#######@"),
    "pt_nif": ("pt.nif", "#" * 9),
    "gr_afm": ("gr.vat", "#" * 9),
    "pl_nip": ("pl.nip", "#" * 10),
    "bg_pnf": ("bg.pnf", "#" * 10),
    "mod_11_10": ("hr.oib", "#" * 11),
    "si_ddv": ("si.ddv", "#" * 8),
    "ru_inn": ("ru.inn", "#" * 10),
    "tr_kimlik": ("tr.tckimlik", "#" * 11),
    "il_id": ("il.idnr", "#" * 9),
    "br_cpf": ("br.cpf", "#" * 11),
    "ar_cuit": ("ar.cuit", "20" + "#" * 9),
    "cl_rut": ("cl.rut", "#" * 9),
    "co_nit": ("co.nit", "#" * 10),
    "jp_my_number": ("jp.in_", "#" * 12),
    "au_tfn": ("au.tfn", "#" * 9),
    "nz_ird": ("nz.ird", "0" + "#" * 8),
    "luhn": ("luhn", "#" * 11),
    "verhoeff": ("verhoeff", "#" * 12),
    "ean": ("ean", "#" * 13),
}
"""Forms in which `#` is any digit and `@` any letter."""
STRICTER_THERE = {
    "th_pin": ("th.pin", "#" * 13),
    "at_tin": ("at.tin", "#" * 9),
    "be_nn": ("be.nn be.bis", "#" * 11),
    "de_idnr": ("de.idnr", "#" * 11),
    "at_vnr": ("at.vnr", "####01" + "0#" + "##"),
    "gr_amka": ("gr.amka", "0#0###" + "#" * 5),
    "no_fnr": ("no.fodselsnummer", "0#0###" + "#" * 5),
    "is_kennitala": ("is_.kennitala", "0#0###" + "###9"),
    "ee_ik": ("ee.ik", "3##0#0#" + "#" * 4),
    "pl_pesel": ("pl.pesel", "##0#0#" + "#" * 5),
    "cz_rc": ("cz.rc", "##0#0#####"),
    "ro_cnp": ("ro.cnp", "1##0#0#01" + "#" * 4),
    "bg_egn": ("bg.egn", "##0#0#####"),
    "jmbg": ("si.emso", "0#0#9##5#####"),
    "ca_sin": ("ca.sin", "#" * 9),
    "ec_ci": ("ec.ci", "0#" + "#" * 8),
    "in_aadhaar": ("in_.aadhaar", "#" * 12),
    "cn_ric": ("cn.ric", "110105" + "19##0#0#" + "####"),
    "za_id": ("za.idnr", "##0#0#" + "#" * 4 + "08#"),
    "se_pnr": ("se.personnummer", "##0#0#-####"),
    "fi_hetu": ("fi.hetu", "0#0#5#-###@"),
    "it_cf": ("it.codicefiscale", "@@@@@@##@##@###@"),
    "br_cnpj": ("br.cnpj", "#" * 14),
    "pt_cc": ("pt.cc", "#########@@#"),
}
"""python-stdnum also refuses dates in the future, places that don't exist, or numbers that were never given out."""
EACH = 20_000
NOT_THERE = {"de_kvnr": "@#########", "br_cns": "7##############"}
"""Numbers of health insurers, which python-stdnum does not know."""


def drawn(form: str, draw: random.Random) -> str:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return "".join(
        draw.choice("0123456789") if sign == "#" else draw.choice(letters) if sign == "@" else sign for sign in form
    )


def both(name: str, modules: str, form: str) -> list[tuple[bool, bool]]:
    draw = random.Random(name)
    mine = getattr(check_digits, name)
    theirs = [import_module(f"stdnum.{module}").is_valid for module in modules.split()]
    numbers = [drawn(form, draw) for _ in range(EACH)]
    return [(_holds(mine, number), any(is_valid(number) for is_valid in theirs)) for number in numbers]


@pytest.mark.parametrize("name", SAME)
def test_a_check_digit_is_that_of_stdnum(name: str) -> None:
    results = both(name, *SAME[name])
    assert sum(here != there for here, there in results) == 0
    assert any(here for here, _ in results)


@pytest.mark.parametrize("name", STRICTER_THERE)
def test_nothing_that_stdnum_accepts_is_refused(name: str) -> None:
    results = both(name, *STRICTER_THERE[name])
    assert sum(there and not here for here, there in results) == 0
    assert any(there for _, there in results)
    assert sum(here for here, _ in results) < EACH / 3


@pytest.mark.parametrize("name", NOT_THERE)
def test_a_changed_digit_is_noticed(name: str) -> None:
    draw = random.Random(name)
    mine = getattr(check_digits, name)
    right = [number for number in (drawn(NOT_THERE[name], draw) for _ in range(EACH)) if mine(number)]
    assert EACH / 13 < len(right) < EACH / 8
    for number in right[:200]:
        assert not any(mine(number[:-1] + digit) for digit in "0123456789" if digit != number[-1])


def test_numbers_of_health_insurers_that_were_published_hold() -> None:
    """The specimen of a German health card, whose last digit is that of the letter and eight digits before it."""
    assert check_digits.de_kvnr("A123456780")
