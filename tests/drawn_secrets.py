"""Secrets and personal data drawn by lot, so that no real-looking one stands in this repository."""

import base64
import json
import string
from collections.abc import Callable
from random import Random

from cairn.lib.scrub.arithmetic import LENGTH_OF, luhn, remainder

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
URLSAFE = ALNUM + "_-"
UPPER = string.ascii_uppercase + string.digits


def chars(draw: Random, alphabet: str, size: int) -> str:
    """The last one is a letter or digit: who draws a hyphen there can't tell where the token ends either."""
    return "".join(draw.choices(alphabet, k=size - 1)) + draw.choice([c for c in alphabet if c.isalnum()])


def _fixed(head: str, alphabet: str, size: int) -> Callable[[Random], str]:
    return lambda draw: head + chars(draw, alphabet, size)


def _part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def jwt(draw: Random) -> str:
    payload = {"sub": chars(draw, ALNUM, 12), "exp": draw.randrange(10**9)}
    return f"{_part({'alg': 'HS256', 'typ': 'JWT'})}.{_part(payload)}.{chars(draw, URLSAFE, 43)}"


def private_key(draw: Random) -> str:
    kind = draw.choice(["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
    lines = "\n".join(chars(draw, ALNUM + "+/", 64) for _ in range(draw.randint(2, 25)))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{lines}\n-----END {kind}PRIVATE KEY-----"


TOKENS: dict[str, Callable[[Random], str]] = {
    "aws-access-key": lambda draw: draw.choice(["AKIA", "ASIA"]) + chars(draw, string.ascii_uppercase + "234567", 16),
    "google-api-key": _fixed("AIza", URLSAFE, 35),
    "google-oauth": _fixed("ya29.", URLSAFE, 120),
    "azure-client-secret": lambda draw: f"{chars(draw, ALNUM, 3)}8Q~{chars(draw, ALNUM + '_~.-', 34)}",
    "github-token": lambda draw: draw.choice(["ghp_", "gho_", "ghs_", "ghu_", "ghr_"]) + chars(draw, ALNUM, 36),
    "gitlab-token": _fixed("glpat-", URLSAFE, 20),
    "slack-token": lambda draw: f"xoxb-{draw.randrange(10**11, 10**12)}-{chars(draw, ALNUM, 24)}",
    "stripe-key": lambda draw: draw.choice(["sk_live_", "rk_live_", "sk_test_"]) + chars(draw, ALNUM, 24),
    "npm-token": _fixed("npm_", ALNUM, 36),
    "pypi-token": _fixed("pypi-AgEIcHlwaS5vcmc", URLSAFE, 120),
    "anthropic-key": _fixed("sk-ant-api03-", URLSAFE, 93),
    "openai-key": lambda draw: draw.choice(["sk-", "sk-proj-", "sk-svcacct-"]) + chars(draw, ALNUM, 48),
    "huggingface-token": _fixed("hf_", string.ascii_letters, 34),
    "sendgrid-key": lambda draw: f"SG.{chars(draw, URLSAFE, 22)}.{chars(draw, URLSAFE, 43)}",
    "twilio-key": _fixed("SK", HEX, 32),
    "digitalocean-token": _fixed("dop_v1_", HEX, 64),
    "shopify-token": _fixed("shpat_", HEX, 32),
    "databricks-token": _fixed("dapi", HEX, 32),
    "vault-token": _fixed("hvs.", URLSAFE, 90),
    "linear-key": _fixed("lin_api_", ALNUM, 40),
    "postman-key": lambda draw: f"PMAK-{chars(draw, HEX, 24)}-{chars(draw, HEX, 34)}",
    "docker-token": _fixed("dckr_pat_", URLSAFE, 27),
    "telegram-token": lambda draw: f"{draw.randrange(10**9, 10**10)}:AA{chars(draw, URLSAFE, 33)}",
    "terraform-token": lambda draw: f"{chars(draw, ALNUM, 14)}.atlasv1.{chars(draw, ALNUM, 67)}",
    "jwt": jwt,
    "private-key": private_key,
}


def card(draw: Random) -> str:
    head, size = draw.choice([("4", 16), ("51", 16), ("2300", 16), ("37", 15), ("6011", 16), ("3530", 16), ("36", 14)])
    body = head + "".join(draw.choices(string.digits, k=size - len(head) - 1))
    digits = next(f"{body}{last}" for last in range(10) if luhn(f"{body}{last}"))
    gap = draw.choice(["", " ", "-"])
    sizes = {15: (4, 6, 5), 14: (4, 6, 4)}.get(size, (4, 4, 4, 4))
    parts, at = [], 0
    for part in sizes:
        parts.append(digits[at : at + part])
        at += part
    return gap.join(parts)


def iban(draw: Random) -> str:
    country = draw.choice(sorted(LENGTH_OF))
    account = "".join(draw.choices(string.digits, k=LENGTH_OF[country] - 4))
    number = f"{country}{98 - remainder(f'{account}{country}00'):02}{account}"
    if draw.random() < 0.5:
        return number
    return " ".join(number[at : at + 4] for at in range(0, len(number), 4))


def email(draw: Random) -> str:
    first, last = (chars(draw, string.ascii_lowercase, draw.randint(3, 9)) for _ in range(2))
    name = draw.choice([f"{first}.{last}", f"{first}{draw.randrange(100)}", f"{first[0]}{last}", f"{first}+x@"[:-1]])
    host = chars(draw, string.ascii_lowercase, draw.randint(4, 12))
    return f"{name}@{host}.{draw.choice(['com', 'org', 'de', 'co.uk', 'io', 'be', 'museum', 'fr'])}"


def _number(draw: Random, form: str) -> str:
    """`#` is any digit; those that count up are what people make up."""
    while True:
        number = "".join(str(draw.randrange(2, 10)) if sign == "#" else sign for sign in form)
        if not any(part in number for part in ("234567", "765432", "999999", "222222", "555")):
            return number


_ABROAD = ("+49 ### #######", "+33 # ## ## ## ##", "+44 20 #### ####", "+32 4## ## ## ##", "+1 (41#) 4##-####")
_ABROAD_TOO = ("+1-31#-4##-####", "+31 6 ########", "+4179#######", "+91 98### #####", "+351 91# ### ###")
_HERE = (
    "0## #######",
    "0# ## ## ## ##",
    "0### ## ## ##",
    "(41#) 4##-####",
    "31#-4##-####",
    "020 #### ####",
    "0#########",
)


def international_phone(draw: Random) -> str:
    return _number(draw, draw.choice(_ABROAD + _ABROAD_TOO))


def national_phone(draw: Random) -> str:
    return _number(draw, draw.choice(_HERE))


PEOPLE: dict[str, Callable[[Random], str]] = {
    "card": card,
    "iban": iban,
    "email": email,
    "phone": international_phone,
}
