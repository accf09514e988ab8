"""A value is found where its name stands elsewhere: in a record, a table, a call, or on the line above."""

import string
from pathlib import Path
from random import Random

import pytest

from cairn.lib.scrub.find import find
from cairn.lib.yaml.parse import load_yaml
from drawn_secrets import ALNUM, HEX, chars

PLACES: dict[str, str] = load_yaml(Path(__file__).with_name("apart.yml").read_text("utf-8"))
CAPITALS = "CFGHJKLMNPRTVWXYZ"


def passport(draw: Random) -> str:
    return chars(draw, CAPITALS, 2) + chars(draw, string.digits[2:], 7)


def licence(draw: Random) -> str:
    return chars(draw, CAPITALS, 1) + chars(draw, string.digits[2:], 7)


def key(draw: Random) -> str:
    return chars(draw, HEX, 31) + "7"


def password(draw: Random) -> str:
    return f"{chars(draw, ALNUM, 8)}7!{chars(draw, ALNUM, 3)}"


NAMED = (("passport_number", passport), ("driver_license", licence), ("api_key", key), ("db_password", password))


@pytest.mark.parametrize("place", PLACES)
def test_a_value_apart_from_its_name_is_found(place: str) -> None:
    draw = Random(place)
    lost = []
    for name, make in NAMED:
        for _ in range(5):
            value = make(draw)
            text = PLACES[place].replace("{n}", name).replace("{v}", value)
            at = text.index(value)
            lost += [text] * (not any(hit.start <= at and at + len(value) <= hit.end for hit in find(text)))
    assert len(lost) <= 1, lost


@pytest.mark.parametrize("place", ["json-nest-c", "json-number-type", "yaml-item-r", "under", "xml-id-c"])
def test_a_number_whose_record_says_what_it_is_is_found(place: str) -> None:
    for name, number in (("phone", "0473 915862"), ("pesel", "44051401458"), ("bsn", "111222333")):
        text = PLACES[place].replace("{n}", name).replace("{v}", number)
        assert find(text), text


ZONES = (
    'TD3("P<PRTJANSEN<<BEATRIZ<<<<<<<<<<<<<<<<<<<<<<<<", 1)',
    "['I<SWETB037855<6<<<<<<<<<<<<<<<', 1]",
    "['5810066F3407172SWE<<<<<<<<<<<6', 1]",
    "['OBRIEN<<CLAIRE<<<<<<<<<<<<<<<<', 1]",
)


@pytest.mark.parametrize("text", ZONES)
def test_each_line_of_a_zone_is_found_by_itself(text: str) -> None:
    assert [hit.rule for hit in find(text)] == ["passport"]


def test_a_key_that_lost_its_first_line_is_found() -> None:
    draw = Random(1)
    body = "\n".join(chars(draw, f"{ALNUM}+/", 64) for _ in range(9))
    assert sum(hit.end - hit.start for hit in find(f"$ tail\n{body}\n-----END PRIVATE KEY-----\n")) >= len(body)
    assert not find(f"$ tail\n{body}\n-----END PUBLIC KEY-----\n")


NOTHING = (
    "systemctl status getty@tty17.service",
    "nanoid: 11SV9_jGLdyV0blWsziyH (list item key)",
    "<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> main\n",
    "DB_PASSWORD=\nHARBOR_TOKEN=\nPORT=27017\n",
    "harborAdminPassword: {{ .Values.password | b64enc }}",
    "## Password\n\nStep 2 explains how to change it.\n",
    "## Token\n\nversion: 3\nname: app2\n",
    "type: token\nversion: 1.24.3\n",
    "password:\n  type: string\n  minLength: 12\n",
    '{"type": "Token", "start": 120, "end": 127, "value": "return"}',
    "var (\n\n\tname      string\n\tpassword  string\n\tS3Bucket  string\n)\n",
    '{"authType": "passkey", "credentialId": "3a163ca0-4762-4620-a188-06b750c84c86"}',
    "Which commit broke the token?\nmain2 changed that.",
    '{"type": "image", "id": "22348456", "url": "https://example.com/media/22348456"}',
)


@pytest.mark.parametrize("text", NOTHING)
def test_ordinary_records_give_nothing_away(text: str) -> None:
    assert not find(text)


@pytest.mark.parametrize(
    "piece",
    ["password\n", "password|", "password  ", "<tr><th>password", '{"type":"token",', "password?\n", "[password,"],
)
def test_hostile_records_are_read_in_linear_time(piece: str) -> None:
    """Quadratic work on this would not come to an end."""
    find(piece * (60_000 // len(piece)))
