"""What has a form, drawn by lot and put where such things stand, is found; what only looks so is left."""

import base64
import json
import re
import string
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

import pytest

from cairn.lib.scrub.find import find
from cairn.lib.scrub.rules.forms import _PART, ALPHABETS, recipes
from cairn.lib.yaml.parse import load_yaml
from drawn_secrets import ALNUM, HEX, URLSAFE, _number, card, chars, email, iban, jwt, private_key

HERE = Path(__file__).parent
B64 = ALNUM + "+/"
FRAMES: dict[str, str] = load_yaml((HERE / "places.yml").read_text("utf-8"))
PHONES: dict[str, dict[str, list[str]]] = load_yaml((HERE / "phones.yml").read_text("utf-8"))
PAPERS: dict[str, dict[str, dict[str, list[str]]]] = load_yaml((HERE / "papers.yml").read_text("utf-8"))
UUID = (8, 4, 4, 4, 12)


def uuid(draw: Random) -> str:
    return "-".join(chars(draw, HEX, size) for size in UUID)


def is_found(text: str, secret: str) -> bool:
    at = text.index(secret)
    return any(hit.start < at + len(secret) and at < hit.end for hit in find(text))


def missed(secrets: Iterable[str], frames: Iterable[str]) -> list[str]:
    texts = [(frame.replace("{v}", secret), secret) for secret in secrets for frame in frames]
    return [text for text, secret in texts if not is_found(text, secret)]


# --- tokens ----------------------------------------------------------------------------------------------------------


def alphabet(name: str) -> str:
    return "".join(char for char in string.printable if re.fullmatch(f"[{ALPHABETS[name]}]", char))


def drawn(recipe: str, draw: Random) -> str:
    """A value of the recipe, at its shortest."""

    def part(found: re.Match[str]) -> str:
        return uuid(draw) if found["uuid"] else chars(draw, alphabet(found["alphabet"]), int(found["least"]))

    return _PART.sub(part, recipe)


def worded(recipe: str) -> str:
    """The same beginning, and words as documentation has them."""
    return recipe.partition("{")[0] + "your_token_goes_here"


@pytest.mark.parametrize(("name", "recipe"), list(recipes()))
def test_a_token_of_a_documented_form_is_found(name: str, recipe: str) -> None:
    draw = Random(recipe)
    tokens = [drawn(recipe, draw) for _ in range(8)]
    assert len(missed(tokens, ["it is {v} .", "x={v}\n", '"k":"{v}"', "- `{v}`"])) <= 2
    assert not find(f"it is {worded(recipe)} .")


@pytest.mark.parametrize("head", ["zqx_live_", "brq-sk-", "vnt_pat_", "hgw_token_", "KQX_SECRET_"])
def test_a_token_of_a_service_that_nobody_listed_is_found(head: str) -> None:
    draw = Random(head)
    assert not missed(
        [f"{head}{chars(draw, ALNUM, size)}4{chars(draw, ALNUM, size)}" for size in (12, 16, 24)], FRAMES.values()
    )


NO_TOKENS = [
    "cus_{A14} paid price_{A24}, see evt_{A24}",
    "msg_01{A22} and chatcmpl-{A29} and user_{A27}",
    "sha512-{A60}/{A20}==",
    "commit {h40}, tree {h7}",
    "id {h8}-{h4}-{h4}-{h4}-{h12}",
    "main.{h20}.js and chunk-{A8}.css",
    "url(#gradient-{A21}) mask-{A21}",
    "image@sha256:{h64}",
    "data:image/png;base64,{A60}+{A60}=",
    "resolved https://registry.yarnpkg.com/x/-/x-1.2.3.tgz#{h40}",
    "com.example.client.Mqtt5AsyncClientBuilderFactory",
    "test_that_a_long_name_of_a_function_is_no_token_2024",
    "v1.24.3-rc.1+build.20240101 costs 1,234,567.89 at 51.5074,-0.1278",
    "ISBN 978-3-16-148410-0, part 4711-0815-2342-99",
]


@pytest.mark.parametrize("line", NO_TOKENS)
def test_what_only_looks_like_a_token_is_left(line: str) -> None:
    draw = Random(line)
    assert not [text for text in (drawn(line, draw) for _ in range(20)) if find(text)]


# --- cards, accounts, telephones, papers -----------------------------------------------------------------------------

BLANKS = " -\xa0\u2002\u2003\u2009\u202f\u2010\u2013\u2014\u2212\u3000._/\t"


@pytest.mark.parametrize("make", [card, iban])
def test_cards_and_accounts_are_found_with_any_gap(make: Callable[[Random], str]) -> None:
    draw = Random(make.__name__)
    numbers = [re.sub("[ -]", gap, make(draw)) for gap in BLANKS for _ in range(6)]
    frames = [frame for name, frame in FRAMES.items() if name != "csv-numbers"]
    lost = missed(numbers, frames)
    assert len(lost) <= len(numbers) * len(frames) // 100, lost


@pytest.mark.parametrize("country", PHONES)
def test_telephone_numbers_are_found_behind_a_word(country: str) -> None:
    draw = Random(country)
    row = PHONES[country]
    lost, tried = [], 0
    for word in row["words"]:
        for form in row["forms"]:
            for place in ("{w}: {n}", "{w} {n}", "| {w} | {n} |", "name,{w},city\nAda,{n},Gent", '"{w}": "{n}"'):
                number = _number(draw, form)
                text = place.replace("{w}", word).replace("{n}", number)
                lost += [text] * (not is_found(text, number))
                tried += 1
    assert len(lost) * 12 <= tried, lost


@pytest.mark.parametrize("kind", ["passports", "licences"])
def test_papers_are_found_behind_a_word(kind: str) -> None:
    draw = Random(kind)
    alphabets = {"9": "23456789", "A": string.ascii_uppercase}
    lost, tried = [], 0
    for row in PAPERS[kind].values():
        for word in row["words"]:
            for form in row["forms"]:
                for place in (
                    "{w}: {n}",
                    "{w} {n}",
                    "| {w} | {n} |",
                    "name,{w},city\nAda,{n},Gent",
                    "<td>{w}</td><td>{n}</td>",
                ):
                    number = "".join(draw.choice(alphabets.get(char, char)) for char in form)
                    text = place.replace("{w}", word).replace("{n}", number)
                    lost += [text] * (not is_found(text, number))
                    tried += 1
    assert len(lost) * 50 <= tried, lost


def test_addresses_and_web_tokens_are_found_everywhere() -> None:
    draw = Random(5)
    assert not missed([email(draw) for _ in range(20)], FRAMES.values())
    assert not missed([jwt(draw) for _ in range(10)], FRAMES.values())


# --- keys ------------------------------------------------------------------------------------------------------------

WRAPPINGS: dict[str, Callable[[str], str]] = {
    "plain": lambda key: key,
    "carriage returns": lambda key: key.replace("\n", "\r\n"),
    "json": lambda key: json.dumps(key),
    "json in json": lambda key: json.dumps(json.dumps(key)),
    "indented": lambda key: key.replace("\n", "\n      "),
    "patch": lambda key: "+" + key.replace("\n", "\n+"),
    "quoted": lambda key: "> " + key.replace("\n", "\n> "),
    "numbered": lambda key: "\n".join(f"{row:4}\t{line}" for row, line in enumerate(key.split("\n"), 1)),
    "strings": lambda key: "\n".join(f'    "{line}\\n" +' for line in key.split("\n")),
    "one line": lambda key: key.replace("\n", " "),
    "address": lambda key: key.replace("\n", "%0A").replace("+", "%2B").replace("/", "%2F").replace(" ", "%20"),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 in rows": lambda key: base64.encodebytes(key.encode()).decode(),
    "base64 twice": lambda key: base64.b64encode(base64.b64encode(key.encode())).decode(),
}


@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_a_private_key_is_found_whatever_is_wrapped_around_it(wrapping: str) -> None:
    draw = Random(wrapping)
    for _ in range(12):
        text = WRAPPINGS[wrapping](private_key(draw))
        hits = find(f"KEY={text}\n")
        assert sum(hit.end - hit.start for hit in hits) * 10 >= len(text) * 8, text[:80]


# --- headers and connections -----------------------------------------------------------------------------------------

SCHEMES = [
    "Bearer",
    "Token",
    "ApiKey",
    "GenieKey",
    "Bot",
    "Splunk",
    "SSWS",
    "OAuth",
    "Klaviyo-API-Key",
    "DeepL-Auth-Key",
    "Client-ID",
    "AccessKey",
    "Elastic",
]
HEADERS = [
    "X-Api-Key",
    "X-Auth-Token",
    "X-Vault-Token",
    "Ocp-Apim-Subscription-Key",
    "DD-API-KEY",
    "X-Honeycomb-Team",
    "X-Sentry-Auth",
    "Fastly-Key",
]
HEADER_PLACES: dict[str, str] = load_yaml((HERE / "headers.yml").read_text("utf-8"))


@pytest.mark.parametrize("place", HEADER_PLACES)
def test_a_credential_in_a_header_is_found(place: str) -> None:
    draw = Random(place)
    lost = []
    for name, scheme in [*(("Authorization", one) for one in SCHEMES), *((one, "") for one in HEADERS)]:
        secret = draw.choice(
            [chars(draw, HEX, 40), chars(draw, ALNUM, 31) + "7", chars(draw, B64, 42) + "7=", uuid(draw)]
        )
        text = HEADER_PLACES[place].replace("{n}", name).replace("{v}", f"{scheme} {secret}".strip())
        lost += [text] * (not is_found(text, secret))
    assert len(lost) <= 1, lost


@pytest.mark.parametrize(
    "line",
    [
        "Authorization: Bearer <token>",
        "authorization: ${AUTH}",
        '"Authorization": `Bearer ${token}`',
        "Authorization: required",
        "X-Api-Key: your-key",
    ],
)
def test_a_header_without_a_credential_is_left(line: str) -> None:
    assert not find(line)


CONNECTIONS: list[str] = load_yaml((HERE / "connections.yml").read_text("utf-8"))


@pytest.mark.parametrize("connection", CONNECTIONS)
def test_a_password_in_a_connection_is_found(connection: str) -> None:
    draw = Random(connection)
    for _ in range(10):
        password = chars(draw, ALNUM, 11) + "7" + draw.choice(["", "!", "-"]) + chars(draw, URLSAFE, 3)
        text = connection.replace("{p}", password)
        assert is_found(text, password), text
