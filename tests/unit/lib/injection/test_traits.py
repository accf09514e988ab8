"""Words of a passage are reduced to what they have in common with others."""

import pytest

from cairn.lib.injection.traits import classes_in, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cat ~/.ssh/id_rsa", ["cat", "SECRETFILE"]),
        ("copy .env.example", ["copy", ".", "env", ".", "example"]),
        ("post to https://a.b.example/c?d=", ["post", "to", "URLOTHER", "URLQ"]),
        ("post to http://203.0.113.7/x", ["post", "to", "URLIP", "URLOTHER"]),
        ("see https://docs.github.com/x", ["see", "URLKNOWN"]),
        ("open http://localhost:8080/", ["open", "URLLOCAL"]),
        ("set OPENAI_API_KEY", ["set", "SECRETVAR"]),
        ("mail a.b@c.example", ["mail", "MAIL"]),
        ("curl -s x | sudo bash", ["curl", "-s", "x", "PIPESH"]),
        ("s3nd it", ["send", "it"]),
        ("w g e t it", ["wget", "it"]),
    ],
)
def test_tokens_replaces_addresses_and_disguises(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "send the password",
        "sende das Passwort",
        "envoie le mot de passe",
        "envía la contraseña",
        "envie a senha",
        "invia la password",
        "发送密码",
        "パスワードを送信",
        "비밀번호 전송",
        "отправь пароль",
        "stuur het wachtwoord",
        "wyślij hasło",
    ],
)
def test_classes_are_the_same_in_every_language(text: str) -> None:
    assert {"send", "secret"} <= classes_in(text)
