"""Secrets that show by a neighbour: a question before an answer, a command before its output, the lines of a patch."""

import re

from cairn.lib.scrub import implied
from cairn.lib.scrub.names import KEY_ALONE, SECRET, pattern_of
from cairn.lib.scrub.rule import ScrubRule
from cairn.lib.scrub.rules.assigned import CALLED

_BREAK = r"(?:\r?\n|\\r?\\n|\\n)"
_LISTED = r"(?:[ \t>|]{0,8}\d{1,6}[→\t])?[ \t>|]{0,8}"
"""How a line of a listing or of a quoted mail begins."""
_SPEAKER = (
    r"(?:\[?\d{1,2}:\d\d(?::\d\d)?(?:[ ]?[ap]m)?\]?[ \t]{1,3})?"
    r"(?:[<(*_]{0,3}[^\s:<>\"'=]{1,24}(?:[ ][^\s:\"'=]{1,16}){0,2}[>)*_]{0,3}[:：>][*_]{0,2}[ \t]{1,3})?"
)
_LEAD = r"(?:[^\W\d_]{1,12}(?:['’][^\W\d_]{1,3})?[,:.!]{0,2}[ ]){0,5}?"
_PLAIN = r"(?P<quote>[\"'`„“«»*]{1,2})?(?P<plain>[^\s\"'`“”«»<>|\\→]{4,200})"
_ENDS = r"(?=[\"'`”“»«*.,!;:)]{0,3}(?:\s|\\|$|[\"']))"
_NOT_SAID = r"[^\s\"'`“”«»<>|\\]"

_IT_IS = (
    r"it[’']?s|it is|that[’']?s|that is|this is|here it is|c[’']est|es ist|das ist|es lautet|er lautet|sie lautet|het is|dat is|"
    r"ahora es|ahora está|agora é|adesso è|ora è|esto es|isso é|to jest|teraz to|to je|teď je|det är|det er|se on|это|теперь|це|тепер|bu|"
    r"(?:the )?new one(?: is)?|(?:the )?current one(?: is)?|(?:das |der )?neue[rs]?(?: ist| lautet)?|(?:le |la )?nouve(?:au|lle)(?: est)?|"
    r"(?:el |la )?nuev[oa](?: es)?|(?:il |la )?nuov[oa](?: è)?|(?:o |a )?nov[oa](?: é)?|(?:de )?nieuwe(?: is)?|now|jetzt|ahora|agora"
)
_ARGUMENT = r"\s{0,20}(?:\\{0,3}[\"'][^\"'\n]{0,120}\\{0,3}[\"']|[\w.$\[\]\\\"'()>:-]{1,80}?)\s{0,4},"
_CALLEES = r"client|connect|login|auth|authenticate|credentials|configure|init|search"

_MAKERS = (
    "genkey", "genpsk", "openssl rand", "pwgen", "access-token", "auth token", "auth:token", "secret", "keygen", "generate", "password", "base64 -d",
    "base64 --decode", "op read", "vault ", "pass show", "gen-key", "apg ", "mkpasswd", "urandom", "jsonpath", "bw get", "rand -", "dumpprivkey", "dumpwallet", "export-key",
)  # fmt: skip

_CALLED = tuple(literal for literals in ("password", "secret", "key") for literal in CALLED[literals][1])

IMPLIED: tuple[ScrubRule, ...] = (
    ScrubRule(
        "secret",
        rf"[?？][\"'”»)]?{_BREAK}{{1,2}}{_LISTED}{_SPEAKER}{_LEAD}(?=[\"'`„“«»*]{{0,2}}\S{{0,80}}?[\d!#$%^&*~+]){_PLAIN}{_ENDS}",
        literals=("?\n", "?\r", "?\\n", "？\n"),
        flags=re.IGNORECASE,
        check=implied.answered,
    ),
    ScrubRule(
        "secret",
        rf"[?？][\"'”»)]?[ \t]{{1,3}}{_LEAD}(?=[\"'`„“«»*]{{0,2}}\S{{0,80}}?[\d!#$%^&*~+]){_PLAIN}{_ENDS}",
        literals=("? ", "?\t", "？ ", "?) ", '?\" ', "?” ", "?» "),
        flags=re.IGNORECASE,
        check=implied.answered_at_once,
    ),
    ScrubRule(
        "secret",
        rf"(?s:.{{3,160}}?)[,;.:—–-][ ](?:{_IT_IS})(?:[ \t]{{1,2}}(?:now|jetzt|maintenant|ahora|agora|adesso|nu|теперь|again|wieder))?(?:[ \t]{{1,2}}|:[ \t]{{0,2}}(?:{_BREAK}{_LISTED}){{0,2}})(?={_NOT_SAID}{{0,40}}\d|[\"'`„«»])"
        rf"{_PLAIN}{_ENDS}",
        literals=_CALLED,
        flags=re.IGNORECASE,
        check=implied.referred,
    ),
    ScrubRule(
        "secret",
        rf"(?:{pattern_of(SECRET)}|(?<!cache )(?<!cache_)(?<!primary )(?<!sort ){KEY_ALONE})(?!s?[\"'`]?[ \t]?=)[^\n\"'`:：={{}};]{{0,100}}[:：][ \t\n]{{1,4}}[\"'`*(]{{0,3}}(?P<plain>[A-Za-z0-9_+/.~-]{{20,200}}={{0,2}})(?![A-Za-z0-9_+/=~-]|[(\[])",
        literals=("token", "secret", "credential", "key", "schlüssel", "clave", "chave", "chiave", "sleutel", "キー", "トークン", "密钥", "令牌", "토큰", "токен", "Токен", "ключ", "Ключ"),
        flags=re.IGNORECASE,
        check=implied.distant,
    ),
    ScrubRule(
        "secret",
        rf"(?:{_BREAK}|[→\t])\+[^\n\"'`]{{0,80}}?[=:(,][ \t]{{0,4}}\\{{0,3}}[\"'`](?P<secret>[^\"'`\n\\]{{8,300}})\\{{0,3}}[\"'`]",
        literals=("\n+", "\\n+", "→+", "\t+"),
        check=implied.added,
    ),
    ScrubRule(
        "secret",
        rf"[^\n]{{0,80}}?-[^\n]{{0,160}}?[=:(,][ \t]{{0,4}}\\{{0,3}}[\"'`](?P<secret>[^\"'`\n\\]{{8,300}})\\{{0,3}}[\"'`][^\n]{{0,40}}?{_BREAK}(?:[ \t>|]{{0,8}}\d{{1,6}}[→\t])?\+(?P<next>[^\n]{{0,160}})",
        literals=("\n+", "\\n+"),
        before=400,
        back="*",
        check=implied.removed,
    ),
    ScrubRule(
        "secret",
        rf"(?P<command>[^\n\"{{}}]{{2,120}}?){_BREAK}{_LISTED}(?P<secret>[A-Za-z0-9_+/=.~!@#%^&*:-]{{12,300}})[ \t]{{0,3}}(?=\n|\r|\\n|\"|$)",
        literals=_MAKERS,
        check=implied.printed,
    ),
    ScrubRule(
        "secret",
        rf"(?P<callee>[A-Za-z_]{{0,14}}?(?:{_CALLEES}))\((?P<others>(?:{_ARGUMENT}){{1,4}}?|)\s{{0,20}}(?:Some\()?b?\\{{0,3}}[\"'](?P<secret>(?=[^\"'\s]{{0,60}}\d)[^\"'\s\\]{{8,300}})\\{{0,3}}[\"']",
        literals=("client(", "connect(", "login(", "auth(", "authenticate(", "credentials(", "configure(", "init(", "search("),
        before=14,
        back="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
        reach=900,
        flags=re.IGNORECASE,
        check=implied.passed,
    ),
    ScrubRule(
        "secret",
        r"(?:(?<![\w.-])|(?<=\\n))(?<!public )(?:encrypt(?:ion)?(?:[_-]?key)?|key|seed|pepper|salt)\\{0,3}[\"'`]?[ \t]{0,8}(?:=>|:=|[:=])[ \t]{0,8}\\{0,3}[\"'`]?(?P<secret>[A-Za-z0-9_+/~-]{28,120}={0,2})(?![A-Za-z0-9_+/=~.-]|[(\[])",
        literals=("key", "encrypt", "seed", "pepper", "salt"),
        check=implied.lone_key,
    ),
    ScrubRule(
        "password",
        rf"chpasswd[^\n]{{0,60}}?{_BREAK}(?:{_LISTED}(?:list|expire|users)[^\n]{{0,20}}?{_BREAK})*(?P<secret>(?:{_LISTED}(?:-[ ])?[\"']?[a-z_][a-z0-9_-]{{0,31}}:[^\s\"'\\:]{{4,120}}[\"']?(?:{_BREAK}|(?=\"|$))){{1,40}})",
        literals=("chpasswd",),
        reach=3000,
        check=implied.of_lines,
    ),
    ScrubRule(
        "password",
        r"(?:secret|key|password|passwd|passphrase)[ \t](?:(?:\d|ascii-text|hexadecimal|local|remote|encrypted|hash|cipher)[ \t]){0,2}\\{0,3}[\"']?"
        r"(?P<secret>\$(?:[1568]|9|y|2[aby]|7|14)\$[A-Za-z0-9./$=_,+-]{8,200}|ENC[ \t][A-Za-z0-9+/=_-]{20,300})",
        literals=("secret ", "password ", "passwd ", "passphrase ", "key "),
        check=implied.crypted,
    ),
    ScrubRule(
        "password",
        r"(?:w-?lan|wi-?fi|ssid|hotspot)(?![^\W_])[^\n]{0,60}?(?<![^\W_])(?:schlüssel|key|clé|clef|clave|llave|chave|chiave|sleutel|klucz|nyckel|nøgle|ключ|pw|code|pass|psk|contraseña|senha|пароль|密码|パスワード)(?:[ \t]{0,2}[:=：][ \t]{0,2}|[ \t](?:is|ist|lautet|est|es|é|è|jest|är)[ \t])"
        r"(?:[\"'`„“«»](?P<secret>[^\s\"'`“”«»]{5,63})[\"'`”“»«]|(?P<plain>[^\s\"'`,;<>()|{}\[\]]{5,63}))",
        literals=("wlan", "w-lan", "wifi", "wi-fi", "ssid", "hotspot"),
        flags=re.IGNORECASE,
        check=implied.wireless,
    ),
)  # fmt: skip
"""Come after those that know a name or a form."""

UNNAMED: tuple[ScrubRule, ...] = (
    ScrubRule(
        "token",
        r"(?:(?<![A-Za-z0-9_+/.@#%$:~\\-])|(?<=\\[nrt])|(?<=[^:]: ))[A-Za-z0-9_-]{28,100}(?![A-Za-z0-9_+/=%~:@(-]|\.\w)",
        "indirect",
        words=("*",),
        check=implied.unnamed,
    ),
)
"""Comes last, after what has a name."""
